#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program with a device that has 8 slots and no vector engine does what is left to do.

Arguments: the program with the whole device, the one with the small device, rounds of the soak.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

WHOLE, SMALL, ROUNDS = sys.argv[1:]
INPUT = ROOT / "LICENSE"


def output(program, *arguments):
    run = subprocess.run([program, *arguments], text=True, capture_output=True, check=False,
                         timeout=tap.time_limit(300))
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_info():
    """info tells which of the two a device is, as text and as JSON"""
    for program, engine in ((WHOLE, True), (SMALL, False)):
        said = f"vector engine        {'yes' if engine else 'no'}\n"
        assert said in output(program, "info"), program
        assert json.loads(output(program, "info", "--json"))["vector_engine"] is engine, program


def test_link():
    """behind a link it is that device, too, not the whole one"""
    for program, engine in ((WHOLE, True), (SMALL, False)):
        said = json.loads(output(program, "info", "--device", "sim:link=gen1x1", "--json"))
        assert said["vector_engine"] is engine, (program, said)


def test_run():
    """run says that it only copies, and does it: the output is the input"""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        text = output(SMALL, "run", "--input", str(INPUT), "--output", str(copy))
        assert "Device 0 has no vector engine: it passes the words on as they are." in text, text
        assert "The result is what the CPU computes." in text, text
        assert copy.read_bytes() == INPUT.read_bytes()
        assert "vector engine" not in output(WHOLE, "run", "--input", str(INPUT))


def test_two_devices():
    """two such devices pass the file on, too"""
    text = output(SMALL, "run", "--input", str(INPUT), "--devices", "2")
    assert "Device 1 has no vector engine" in text, text


def test_soak():
    """a soak does other work there, and every result is right"""
    assert "all as it should be" in output(SMALL, "soak", "--rounds", ROUNDS)


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
