#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The measurements are what expected.json says, and no aim is missed.

    tests/bench/bench_test.py [--record]

--record makes build/bench.json the expectation.
"""

import json
import operator
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import tap  # noqa: E402

EXPECTED = HERE / "expected.json"
MEASURED = pathlib.Path("build/bench.json")
NOT_DETERMINISTIC = {"simulated_cycles_per_second"}
# Compilers differ: only the aim counts.
OF_THE_COMPILER = {"submit_instructions", "simulation_instructions"}


def numbers(table):
    """Return {key: value} of what every run must give."""
    return {key: entry["value"] for key, entry in table.items()
            if key not in NOT_DETERMINISTIC | OF_THE_COMPILER}


def within(entry):
    """Judge a value by its aim, "<= 8"."""
    sign, bound = entry["aim"].split()
    return {"<=": operator.le, ">=": operator.ge}[sign](entry["value"], float(bound))


def test_recorded():
    """the measurements are the recorded ones (a better one: make bench-record)"""
    expected, measured = json.loads(EXPECTED.read_text()), json.loads(MEASURED.read_text())
    assert numbers(expected), "nothing recorded"
    assert OF_THE_COMPILER <= measured.keys(), "not counted"
    wrong = {key: (numbers(measured).get(key), numbers(expected).get(key))
             for key in numbers(expected).keys() | numbers(measured).keys()
             if numbers(measured).get(key) != numbers(expected).get(key)}
    assert not wrong, f"(measured, recorded): {wrong}"


def test_repeatable():
    """a second run measures the same"""
    with tempfile.TemporaryDirectory() as folder:
        again = pathlib.Path(folder) / "bench.json"
        subprocess.run(["build/ringfence", "bench", "--output", again], check=True,
                       stdout=subprocess.DEVNULL)
        assert numbers(json.loads(again.read_text())) == numbers(json.loads(MEASURED.read_text()))


def test_aims():
    """every aim is met"""
    measured = json.loads(MEASURED.read_text())
    missed = {key for key, entry in measured.items() if entry["aim"] and not within(entry)}
    assert not missed, missed


def record():
    """Keep the present measurements."""
    table = {key: entry for key, entry in json.loads(MEASURED.read_text()).items()
             if key not in NOT_DETERMINISTIC}
    EXPECTED.write_text(json.dumps(table, indent=2) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        record()
    else:
        sys.exit(tap.run(__name__))
