#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/timing: what it takes from a wave, what it leaves out, what it refuses."""

import json
import pathlib
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A write of 2 beats in cycles 1 and 2, an acknowledgement in cycle 10, and the ring of the
# bench eight cycles before that. Values change behind the rising edge, and once more before
# the next: the last one counts.
HEADER = 0x60 << 120 | 0x1000
CYCLES = [{"valid": 0, "ack": 0, "number": 0},
          {"valid": 1, "ack": 0, "number": 3},
          {"valid": 1, "ack": 0, "number": 3},
          *[{"valid": 0, "ack": 0, "number": 5}] * 8,
          {"valid": 0, "ack": 1, "number": 5},
          {"valid": 0, "ack": 0, "number": 5}]
DESCRIPTION = """
[picture]
title = "A & B"
wave = "wave"
rows = [
  { name = "tlp", bus = "header", when = "valid", as = "tlp" },
  { name = "ack", bit = "u_block.ack" },
  { name = "number", bus = "number[2:1]", as = ["none", "one", "two"] },
]
marks.b = { row = "ack" }
marks.a = { row = "tlp", is = "MWr", before = "b" }
spans = [{ from = "a", to = "b"%s }]
"""


def vcd():
    lines = ["$timescale 1ns $end", "$scope module TOP $end", "$scope module rf_device $end",
             "$var wire 1 ! clk_i $end", "$var wire 1 v valid $end",
             "$var wire 128 h header [127:0] $end", "$var wire 3 n number [2:0] $end",
             "$scope module u_block $end", "$var wire 1 a ack $end", "$upscope $end",
             "$upscope $end", "$upscope $end", "$enddefinitions $end", "#0", f"b{HEADER:b} h"]
    for number, cycle in enumerate(CYCLES):
        lines += [f"#{8 * number}", "0!", f"{cycle['valid']}v", f"{cycle['ack']}a",
                  f"b{cycle['number']:b} n", f"#{8 * number + 4}", "1!", "0v", "0a", "b0 n"]
    return "\n".join(lines) + "\n"


def timing(description, *options, folder):
    folder = pathlib.Path(folder)
    (folder / "timing.toml").write_text(description)
    (folder / "wave.vcd").write_text(vcd())
    return subprocess.run([ROOT / "tools/timing", *options, folder / "timing.toml", folder, folder],
                          text=True, capture_output=True, check=False)


def test_source():
    """cycles, labels, segments and distances are those of the wave"""
    with tempfile.TemporaryDirectory() as folder:
        result = timing(DESCRIPTION % "", folder=folder)
        assert not result.returncode, result.stderr
        rows = {row["name"]: row for row in
                json.loads((pathlib.Path(folder) / "picture.json").read_text())["signal"]}
    assert rows["cycle"]["wave"] == "====|===", rows
    assert rows["cycle"]["data"] == ["-2", "-1", "0", "1", "8", "9", "10"], rows
    assert (rows["tlp"]["wave"], rows["tlp"]["data"]) == ("x4.x|...", ["MWr"]), rows
    assert rows["ack"]["wave"] == "0...|.10", rows
    assert (rows["number"]["wave"], rows["number"]["data"]) == ("==.=|...", ["none", "one", "two"])
    assert (rows["cycles between"]["wave"], rows["cycles between"]["data"]) == ("x.2...x.", ["9"])


def test_drawing():
    """the drawing has every label, escaped"""
    with tempfile.TemporaryDirectory() as folder:
        timing(DESCRIPTION % "", folder=folder)
        text = (pathlib.Path(folder) / "picture.svg").read_text()
    for label in ("A &amp; B", "MWr", "cycles between", ">9<"):
        assert label in text, label


def test_figure():
    """a distance that is not the recorded figure is refused"""
    with tempfile.TemporaryDirectory() as folder:
        assert not timing(DESCRIPTION % ', figure = "ring_to_read_cycles"',
                          folder=folder).returncode
        result = timing(DESCRIPTION % ', figure = "signal_to_value_cycles"', folder=folder)
        assert result.returncode and "signal_to_value_cycles" in result.stderr, result


def test_check():
    """--check finds a file that is stale or missing, and writes nothing"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "picture.json"
        assert timing(DESCRIPTION % "", "--check", folder=folder).returncode
        assert not path.exists()
        timing(DESCRIPTION % "", folder=folder)
        assert not timing(DESCRIPTION % "", "--check", folder=folder).returncode
        path.write_text(path.read_text().replace("MWr", "MRd"))
        result = timing(DESCRIPTION % "", "--check", folder=folder)
        assert result.returncode and "picture.json" in result.stderr, result


def test_missing():
    """a signal or an instant that the wave does not have is named"""
    with tempfile.TemporaryDirectory() as folder:
        result = timing((DESCRIPTION % "").replace("u_block.ack", "u_block.nack"), folder=folder)
        assert result.returncode and "u_block.nack" in result.stderr, result
        result = timing((DESCRIPTION % "").replace('"MWr"', '"CplD"'), folder=folder)
        assert result.returncode and "CplD" in result.stderr, result


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
