#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CONTRIBUTING.md, done as it says, in a copy of the sources.

    contributing_test.py [--all]

A comment before a block says where it goes, <!-- after "TEXT" in FILE -->, also "before" and
"instead of" for the line that begins with the text; or that a command fails, <!-- fails with "TEXT" -->,
which it then prints. All other commands must succeed. Without --all, those that need the model of the
whole device are left out.
"""

import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Not below build/, which copies of copies leave out
COPY = pathlib.Path(tempfile.mkdtemp(prefix="ringfence-contributing-"))
atexit.register(shutil.rmtree, COPY, ignore_errors=True)
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ALL = "--all" in sys.argv[1:]
NEVER = ("make run",)  # it is for the tools, which are there
# Some minutes: what needs the device, which the page changes, or many tests
LONG = ("make build/ringfence", "build/ringfence ", "tests/mutants/run", "make lint",
        "make timing-test", "make tools-test TEST='", "make rtl-test TEST='")

EDIT = re.compile(r'<!-- (after|before|instead of) "(.*)" in (\S+) -->$')
FAILS = re.compile(r'<!-- fails with "(.*)" -->$')


def steps():
    """In the order of the page: ("edit", how, text, file, lines) and ("run", command, failure)."""
    place, failure, block = None, None, None
    for line in PAGE.splitlines():
        if block is not None and line == "```":
            if place:
                yield ("edit", *place, block)
            place = block = None
        elif block is not None:
            block.append(line)
        elif line.startswith("```"):
            block = []
        elif match := EDIT.match(line):
            place = match.groups()
        elif match := FAILS.match(line):
            failure = match[1]
        elif line.startswith("    "):
            yield "run", line.split("  #")[0].strip(), failure
            failure = None


def edit(how, text, file, lines):
    path = COPY / file
    old = path.read_text(encoding="utf-8")
    place = re.compile("^" + re.escape(text.replace("\\n", "\n")), re.M)
    places = list(place.finditer(old))
    assert len(places) == 1, f"{file} has {len(places)} places {text!r}"
    begin = places[0].start()
    end = old.index("\n", places[0].end()) + 1
    new = "\n".join(lines) + "\n"
    gap = "\n" if how == "before" and new.startswith(("/*", "[[")) else ""
    parts = {"after": (old[:end], new, old[end:]),
             "before": (old[:begin], new + gap, old[begin:]),
             "instead of": (old[:begin], new, old[end:])}[how]
    path.write_text("".join(parts), encoding="utf-8")


def run(command, failure):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "TEST")}
    result = subprocess.run(["bash", "-c", command], cwd=COPY, text=True, check=False,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, env={**environment, "NO_SETUP": "1"})
    if failure is None:
        assert result.returncode == 0, result.stdout[-4000:]
    else:
        assert result.returncode != 0 and failure in result.stdout, result.stdout[-4000:]


def copy():
    """A repository with the sources as they are, also what is not committed."""
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                           cwd=ROOT, text=True, capture_output=True, check=True).stdout
    for name in names.splitlines():
        if (ROOT / name).exists():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)
    for command in ("init -q -b main", "add -A",
                    "-c user.name=x -c user.email=x@example.org commit -q -m sources"):
        subprocess.run(["git", *command.split()], cwd=COPY, check=True)


def main():
    copy()
    number = failures = 0
    for kind, *step in steps():
        if kind == "edit":
            name = f"{step[0]} {step[1]!r} in {step[2]}"
        else:
            name = step[0]
            if name.startswith(NEVER) or (not ALL and name.startswith(LONG)):
                continue
        number += 1
        try:
            edit(*step) if kind == "edit" else run(*step)
            print(f"ok {number} - {name}", flush=True)
        except AssertionError as error:
            failures += 1
            print(f"not ok {number} - {name}")
            print("".join(f"# {line}\n" for line in str(error).splitlines()), end="", flush=True)
            break
    print(f"1..{number}")
    return 1 if failures or not number else 0


if __name__ == "__main__":
    sys.exit(main())
