#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ringfence soak: a short mix is sound, covers everything, and repeats.

    tests/host/soak_test.py PROGRAM ROUNDS
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tap  # noqa: E402  (it lies where the line above says)

PROGRAM, ROUNDS = sys.argv[1:]


def soak(seed, *options):
    run = subprocess.run([PROGRAM, "soak", "--rounds", ROUNDS, "--seed", str(seed), *options],
                         text=True, capture_output=True, check=False, timeout=tap.time_limit(300))
    assert run.returncode == 0, run.stderr
    return run.stdout


def covered(text):
    """What was met how many times"""
    return {name: int(number) for number, name in re.findall(r"^ *(\d+)  (.*)$", text, re.M)}


def check(text):
    """Each kind of event was met, and no interrupt was lost: the watch had nothing to repair."""
    numbers = covered(text)
    assert numbers.pop("interrupts that the watch found lost") == 0, text
    missed = [name for name, number in numbers.items() if not number]
    assert not missed, missed


def test_covers_everything():
    """every result is right, and each kind of event was met"""
    check(soak(1))


def test_two_devices():
    """so with two devices, whose queues wait for each other; a seed repeats that, too"""
    text = soak(1, "--devices", "2")
    assert "waits across devices" in covered(text), text
    check(text)
    assert text == soak(1, "--device", "sim:devices=2")


def test_repeats():
    """a seed repeats its run to the cycle, and another one does not"""
    first = soak(2)
    assert first == soak(2)
    assert first.splitlines()[1:] != soak(3).splitlines()[1:]


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
