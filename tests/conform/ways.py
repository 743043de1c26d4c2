#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of docs/bench-your-device.md: which requirements each way can check.

Argument: the program ringfence, whose list of tests it is made of. With --check nothing is written;
it fails if the page is not what the list gives.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys

import report  # beside this file

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/bench-your-device.md"
BEGIN, END = "<!-- table: written by tests/conform/ways.py -->\n", "<!-- end of table -->\n"
# Kinds of devices as the program names them, and the titles of their columns
WAYS = {"sim": "RTL, or a model at the TLP seam", "serial": "board on a serial line",
        "pci": "bare PCIe function", "drm": "kernel driver", "miniport": "miniport"}


def number(identifier):
    return int(identifier.partition("-")[2])


def ranges(identifiers):
    """S0-2, S0-5..S0-9"""
    parts = []
    for _, run in itertools.groupby(enumerate(sorted(identifiers, key=number)),
                                    lambda pair: number(pair[1]) - pair[0]):
        run = [identifier for _, identifier in run]
        parts.append(run[0] if len(run) == 1 else
                     f"{run[0]}{', ' if len(run) == 2 else '..'}{run[-1]}")
    return ", ".join(parts)


def table(tests, requirements):
    checked = {way: {identifier for test in tests if way in test["devices"]
                     for identifier in test["requirements"] if identifier in requirements}
               for way in WAYS}
    lines = ["| | requirements | " + " | ".join(WAYS.values()) + " |", "|---|" + "---|" * (len(WAYS) + 1)]
    lines.append(f"| tests | | " + " | ".join(
        str(sum(way in test["devices"] for test in tests)) for way in WAYS) + " |")
    for group, title in report.GROUPS.items():
        own = [identifier for identifier in requirements if identifier.split("-")[0] == group]
        lines.append(f"| {group}: {report.SHORT[group]} | {len(own)} | " + " | ".join(
            str(sum(identifier in checked[way] for identifier in own)) for way in WAYS) + " |")
    lines.append(f"| all | {len(requirements)} | " +
                 " | ".join(str(len(checked[way])) for way in WAYS) + " |")
    lines.append("")
    for way, title in WAYS.items():
        if way == "sim":
            continue
        lines += [f"*{title[0].upper() + title[1:]}*: " + "; ".join(
            ranges(own) for own in ([identifier for identifier in checked[way]
                                     if identifier.split("-")[0] == group]
                                    for group in report.GROUPS) if own) + ".", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    listed = subprocess.run([options.program, "conform", "--device", "sim:", "--list", "--json"], check=True,
                            capture_output=True, text=True).stdout
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    page = before + BEGIN + table(json.loads(listed), report.read_requirements()) + END + after
    if not options.check:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    same = page == text
    print(f"1..1\n{'ok' if same else 'not ok'} 1 - the table of docs/bench-your-device.md is as the tests are")
    if not same:
        print("# run tests/conform/ways.py build/ringfence, and commit the page\n# " +
              report.difference(text, page).replace("\n", "\n# "))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
