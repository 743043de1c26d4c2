#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The simulator of make fast gives the same cycles as the default one, in less time.

Arguments: the default program, the faster one.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

DEFAULT, FAST = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
# Of real time, or measured by callgrind
NOT_SAME = {"simulated_cycles_per_second"}


def command(program, *arguments):
    result = subprocess.run([program, *arguments], text=True, capture_output=True, check=False,
                            timeout=tap.time_limit(300))
    assert result.returncode == 0, result
    return result.stdout


def seconds(program, *arguments):
    """What a run takes of a processor."""
    before = os.times()
    command(program, *arguments)
    return os.times().children_user - before.children_user


def test_measurements():
    """every measurement is the same"""
    default, fast = (json.loads(command(program, "bench", "--json")) for program in (DEFAULT, FAST))
    assert len(default) > 20, default
    assert ({key: entry for key, entry in default.items() if key not in NOT_SAME} ==
            {key: entry for key, entry in fast.items() if key not in NOT_SAME})


def test_records():
    """what one records, the other replays to the cycle"""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record"
        for seed, one, other in (3, DEFAULT, FAST), (4, FAST, DEFAULT):
            command(one, "run", "--input", ROOT / "LICENSE", "--device",
                    f"sim:seed={seed},random,record={record}")
            told = json.loads(command(other, "replay", record, "--json"))
            assert told["same"] and told["cycles"] > 1000, told


def test_faster():
    """the least time of three runs, taken in turn, is shorter by 5 % at least"""
    work = ("bench", "--filter", "copy_*")
    times = [(seconds(DEFAULT, *work), seconds(FAST, *work)) for _ in range(3)]
    default, fast = (min(column) for column in zip(*times))
    print(f"# {default:.2f} s, {fast:.2f} s: {default / fast:.2f} times as fast")
    assert fast < 0.95 * default, times


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
