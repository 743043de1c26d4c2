#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/conformance.md: a summary by group, then one row for each requirement with some of the
tests that show it; all of them are in build/requirements.tsv.

Reads docs/requirements.md (ids and texts), not-applicable.tsv (id, reason) beside this file,
the results build/conform/*.tsv (id, result, test, note), those of the drivers' own tests and
of the guest's, build/results/*.tsv (result, program: test), as far as a test's name begins with what it
shows, and tests/mutants/matrix.tsv (planted fault, test that it turned red). Of the
results only names and verdicts go into the page, so that it is the same after every run
that goes the same way. With --check nothing is written; it fails if the committed page is
not what these results give, if a requirement failed, or if none of the tests of one in
MUTATED was ever turned red.
"""

import argparse
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/conform"
RESULTS = ROOT / "build/conform"
UNIT_RESULTS = [ROOT / f"build/results/{part}.tsv" for part in ("kmd-test", "umd-test", "guest-quick-test")]
MATRIX = ROOT / "tests/mutants/matrix.tsv"
PAGE = ROOT / "docs/conformance.md"
REQUIREMENTS = ROOT / "docs/requirements.md"
# A requirement in that page; links to conflicts stand behind its text.
REQUIREMENT = re.compile(r'^- <a id="[^"]+"></a>\*\*([A-Z]\d*-\d+)\*\* (.*?)((?: \[C\d+a?\]\(#c\d+a?\))*)$')

# "S0-9,S0-12..S0-14.what-must-be-true"; C6a and such are conflicts of the sources.
IDENTIFIER = r"[A-Z]\d*-?\d+[a-z]?"
NAMED = re.compile(rf"({IDENTIFIER}(?:(?:,|\.\.){IDENTIFIER})*)\.")

# Requirements whose tests must have been seen to fail under a planted fault
MUTATED = {f"S0-{number}" for number in (*range(5, 45), *range(74, 100), *range(100, 131))} | {
    f"{group}-{number}" for group, count in (("S3", 65), ("S4", 28), ("A", 18))
    for number in range(1, count + 1)}
MUTANTS_SHOWN = 1

STATUSES = ("PASS", "FAIL", "open", "not applicable")

GROUPS = {
    "S0": "Native GPU fence",
    "S1": "Monitored fence",
    "S2": "Third-party write-up of monitored fences, as far as it is accepted",
    "S3": "User-mode work submission",
    "S4": "Preemption",
    "A": "API reference",
}

# Of their titles, for tables
SHORT = {"S0": "native fences", "S1": "monitored fences", "S2": "their third-party write-up",
         "S3": "user-mode submission", "S4": "preemption", "A": "API reference"}

# What a row of the page shows; build/requirements.tsv has all
TEXT_SHOWN = 90  # characters
TESTS_SHOWN = 3
FULL = ROOT / "build/requirements.tsv"

# What tests are named by that show a promise of the device which no requirement asks for.
DEVICE = "device"

HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by tests/conform/report.py from the results of `make conform`. -->

# Conformance

{summary}

Each row is one requirement, in few words; its id leads to the whole text. The columns:

- *status*: PASS: every test of the requirement passed. FAIL: the named tests failed. open: no test
  shows it yet.
- *shown by*: up to {tests} of the tests, and how many more there are. `build/ringfence conform
  --filter '*.NAME'` runs one alone. A name with a program in front, such as `wait_test: `, is one of
  the drivers' own tests (`make kmd-test`, `make umd-test`); `guest: ` is a test in a Linux guest over
  the render node, `guest_two: ` one over those of two devices (`make guest-quick-test`).
- *fails under*: one of the faults that `make mutants` planted and these tests noticed.

`make conform` also writes `build/requirements.tsv`, which has every test and fault of each row.
[bench-your-device.md](bench-your-device.md) says which requirements can be checked on hardware that
is not ours.
"""


class Trouble(Exception):
    """The input is wrong; the text says where."""


def read_table(path, columns):
    """Rows of a tab-separated file; lines that begin with # are remarks."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        row = line.split("\t", columns - 1)
        if len(row) != columns:
            raise Trouble(f"{path.name}:{number}: {len(row)} columns, want {columns}")
        rows.append(row)
    return rows


def read_requirements():
    requirements = {}
    for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines():
        if not (match := REQUIREMENT.match(line)):
            continue
        identifier = match[1]
        if identifier in requirements:
            raise Trouble(f"{REQUIREMENTS.name}: {identifier} is there twice")
        if identifier.split("-")[0] not in GROUPS:
            raise Trouble(f"{REQUIREMENTS.name}: {identifier} is of no known group")
        requirements[identifier] = html.unescape(match[2])
    return requirements


def read_reasons(requirements):
    reasons = dict(read_table(HERE / "not-applicable.tsv", 2))
    for identifier in reasons:
        if identifier not in requirements:
            raise Trouble(f"not-applicable.tsv: there is no requirement {identifier}")
    return reasons


def read_results(requirements):
    """{id: {test: verdict}}; a test that failed on one target failed."""
    results = {}
    # a miniport is somebody else's device
    files = sorted(path for path in RESULTS.glob("*.tsv") if path.stem != "miniport")
    if not files:
        raise Trouble("no results in build/conform; run `make conform` first")
    for path in files:
        for identifier, verdict, test, _ in read_table(path, 4):
            if identifier not in requirements and identifier != DEVICE:
                raise Trouble(f"{path.name}: {test} names {identifier}, which does not exist")
            if verdict not in ("PASS", "FAIL", "SKIP"):
                raise Trouble(f"{path.name}: {test}: unknown result {verdict}")
            if verdict == "SKIP":
                continue
            tests = results.setdefault(identifier, {})
            if tests.get(test) != "FAIL":
                tests[test] = verdict
    return results


def named(test):
    """The requirements that the name of a unit test begins with."""
    match = NAMED.match(test)
    identifiers = []
    for item in match[1].split(",") if match else []:
        first, _, last = item.partition("..")
        group, _, number = first.partition("-")
        end = (last or first).partition("-")[2]
        if not group.startswith("C"):
            identifiers += [f"{group}-{i}" for i in range(int(number), int(end) + 1)]
    return identifiers


def add_unit_results(requirements, results):
    verdicts = {"pass": "PASS", "fail": "FAIL"}
    for path in UNIT_RESULTS:
        if not path.exists():
            raise Trouble(f"no results of {path.stem}; run `make {path.stem}` first")
        for verdict, test in read_table(path, 2):
            for identifier in named(test.partition(": ")[2]):
                if identifier not in requirements:
                    raise Trouble(f"{path.name}: {test} names {identifier}, which does not exist")
                if verdict in verdicts:
                    results.setdefault(identifier, {})[test] = verdicts[verdict]


def read_mutants():
    """{test: the planted faults that turned it red}"""
    mutants = {}
    for mutant, test in read_table(MATRIX, 2):
        mutants.setdefault(test.partition(": ")[2], []).append(mutant)
    return mutants


def noticed(row, mutants):
    """The planted faults that tests of this row noticed."""
    _, _, status, tests = row
    if status != "PASS":
        return []
    names = (test.partition(": ")[2] or test for test in tests)
    return list(dict.fromkeys(mutant for name in names for mutant in mutants.get(name, [])))


def read_shown():
    """{id: the fault that the committed page names}"""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return dict(re.findall(r"^\| \[([A-Z]\d*-\d+)\].*\| (.+?) \|$", page, re.M))


def judge(requirements, reasons, results):
    """[(id, text, status, tests or reason)] in the order of docs/requirements.md."""
    rows = []
    for identifier, text in requirements.items():
        tests = results.get(identifier, {})
        failed = sorted(test for test, verdict in tests.items() if verdict == "FAIL")
        if tests and identifier in reasons:
            raise Trouble(f"{identifier} is tested, yet not-applicable.tsv names it")
        if failed:
            rows.append((identifier, text, "FAIL", failed))
        elif tests:
            rows.append((identifier, text, "PASS", sorted(tests)))
        elif identifier in reasons:
            rows.append((identifier, text, "not applicable", reasons[identifier]))
        else:
            rows.append((identifier, text, "open", []))
    return rows


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def group_of(identifier):
    return identifier.split("-")[0]


def summary_table(rows):
    """Counts of each group, and of all."""
    lines = ["| group | requirements | " + " | ".join(STATUSES) + " |", "|---|" + "---|" * 5]
    for group in (*GROUPS, None):
        own = [status for identifier, _, status, _ in rows if group in (group_of(identifier), None)]
        name = f"[{group}: {SHORT[group]}](#{anchor(group)})" if group else "all"
        counts = " | ".join(str(own.count(status) or "") for status in STATUSES)
        lines.append(f"| {name} | {len(own)} | {counts} |")
    return "\n".join(lines)


def anchor(group):
    """Of the section of a group."""
    return re.sub(r"[^a-z0-9 -]", "", f"{group}: {GROUPS[group]}".lower()).replace(" ", "-")


def short_text(text):
    """The first words; who has to do it is in front, if it is not the whole system."""
    text = re.sub(r"^(\(opt\) )?The (\w+) shall,? ", r"\1\2: ", text).replace("system: ", "", 1)
    if len(text) <= TEXT_SHOWN:
        return text
    return text[:TEXT_SHOWN].rpartition(" ")[0].rstrip(",;:(") + " …"


def short_test(test):
    """Without the requirements that it begins with."""
    program, colon, name = test.rpartition(": ")
    return program + colon + (NAMED.sub("", name, count=1) if NAMED.match(name) else name)


def short_tests(tests):
    """Some of them, those of the bench first."""
    ordered = list(dict.fromkeys(short_test(test) for test in sorted(tests, key=lambda test: ": " in test)))
    shown = " ".join(f"`{test}`" for test in ordered[:TESTS_SHOWN])
    more = len(ordered) - TESTS_SHOWN
    return shown + (f" and {more} more" if more > 0 else "")


def full_table(rows, mutants):
    """Everything that is known of each requirement."""
    lines = ["# id\tstatus\ttests or reason\tplanted faults"]
    for row in rows:
        identifier, _, status, shown = row
        lines.append("\t".join((identifier, status, shown if isinstance(shown, str) else "; ".join(shown),
                                "; ".join(noticed(row, mutants)))))
    return "\n".join(lines) + "\n"


def render(rows, device, mutants, shown_before):
    """The page. A fault that it names already stays, as long as tests of its row notice it."""
    lines = [HEAD.format(summary=summary_table(rows), tests=TESTS_SHOWN)]
    for group, title in GROUPS.items():
        lines += [f"## {group}: {title}", "",
                  "| id | requirement | status | shown by | fails under |",
                  "|---|---|---|---|---|"]
        for row in rows:
            identifier, text, status, shown = row
            if identifier.split("-")[0] != group:
                continue
            killed = [cell(mutant) for mutant in noticed(row, mutants)]
            killed.sort(key=lambda mutant: mutant != shown_before.get(identifier))
            if isinstance(shown, str):
                shown = f"because: {cell(shown)}"
            elif status == "FAIL":
                shown = " ".join(f"`{test}`" for test in shown)
            else:
                shown = short_tests(shown)
            lines.append(f"| [{identifier}](requirements.md#{identifier.lower()}) | "
                         f"{cell(short_text(text))} | {status} | {shown} | {'; '.join(killed[:MUTANTS_SHOWN])} |")
        lines.append("")
    lines += ["## The device, beyond the requirements", "", "| test | status |", "|---|---|"]
    lines += [f"| `{test}` | {verdict} |" for test, verdict in sorted(device.items())]
    lines.append("")
    return "\n".join(lines)


def difference(old, new):
    """The first line that differs, for the message."""
    for before, after in zip(old.splitlines(), new.splitlines()):
        if before != after:
            return f"  it has:     {before}\n  results say: {after}"
    return "  one of the two is longer"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    status = write_or_compare(arguments.check)
    if arguments.check:
        print(f"1..1\n{'not ok' if status else 'ok'} 1 - docs/conformance.md is as the tests say")
    return status


def write_or_compare(check):
    """Write the page, or say how it differs from what the results give; 0 if all is well."""
    try:
        requirements = read_requirements()
        results = read_results(requirements)
        add_unit_results(requirements, results)
        device = results.pop(DEVICE, {})
        rows = judge(requirements, read_reasons(requirements), results)
        mutants = read_mutants()
    except (Trouble, OSError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 1

    failed = [identifier for identifier, _, status, _ in rows if status == "FAIL"]
    failed += [test for test, verdict in sorted(device.items()) if verdict == "FAIL"]
    if failed:
        print(f"conformance: FAIL: {' '.join(failed)}", file=sys.stderr)
    unproven = [row[0] for row in rows
                if row[0] in MUTATED and row[2] == "PASS" and not noticed(row, mutants)]
    if unproven:
        print(f"conformance: no planted fault turned a test red of {' '.join(unproven)}",
              file=sys.stderr)
    page = render(rows, device, mutants, read_shown())
    FULL.write_text(full_table(rows, mutants), encoding="utf-8")
    if not check:
        PAGE.write_text(page, encoding="utf-8")
        return 1 if failed else 0
    committed = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if committed != page:
        print("conformance: docs/conformance.md is not what this run gives; "
              "run `make conform` and commit it\n" + difference(committed, page),
              file=sys.stderr)
        return 1
    return 1 if failed or unproven else 0


if __name__ == "__main__":
    sys.exit(main())
