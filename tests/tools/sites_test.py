#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/sites.py: block RAMs go to their logic, and wide ones not side by side."""

import pathlib
import sys
import tempfile

import tap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import sites

ROW = [f"X{column}/Y10/EBR0" for column in range(0, 20, 2)]


def cell(kind, place, inputs, outputs):
    return {"type": kind, "attributes": {"NEXTPNR_BEL": place},
            "port_directions": {"I": "input", "O": "output"},
            "connections": {"I": inputs, "O": outputs}}


def ram(place, nets):
    return cell("DP16KD", place, [], nets)


def reader(place, nets):
    return cell("TRELLIS_FF", place, nets, [])


def arrange(cells):
    at, before, after = sites.arrange({"cells": cells}, ROW)
    assert sorted(set(at.values())) == sorted(at.values()), "two on one site"
    assert set(at.values()) <= set(ROW), "a site of another part"
    return at, before, after


def test_exchange():
    """two that stand at each other's logic change places"""
    at, before, after = arrange({
        "left": ram(ROW[9], [1, 2]), "reads_left": reader("X0/Y10/SLICEA.FF0", [1, 2]),
        "right": ram(ROW[0], [3, 4]), "reads_right": reader("X18/Y10/SLICEA.FF0", [3, 4])})
    assert at == {"left": ROW[0], "right": ROW[9]}, at
    assert (before, after) == (72, 0), (before, after)


def test_clock():
    """a net of a clock is no wire"""
    at, before, _ = arrange({
        "ram": ram(ROW[4], [1]), "reads": reader("X8/Y10/SLICEA.FF0", [1]),
        "clock": cell("DCCA", "X90/Y0/DCC0", [], [7]),
        "other": reader("X18/Y10/SLICEA.FF0", [7])} | {
            "clocked": cell("DP16KD", ROW[2], [7], [2]),
            "reads_too": reader("X4/Y10/SLICEA.FF0", [2])})
    assert before == 0 and at == {"ram": ROW[4], "clocked": ROW[2]}, (at, before)


def test_crowd():
    """two wide ones at one piece of logic leave a site between them, two narrow ones do not"""
    for width, gap in ((sites.WIDE, 2), (sites.WIDE - 1, 1)):
        first, second = range(100, 100 + width), range(300, 300 + width)
        at, _, _ = arrange({
            "first": ram(ROW[0], [*first]), "second": ram(ROW[9], [*second]),
            "reads": reader("X8/Y10/SLICEA.FF0", [*first, *second])})
        between = abs(ROW.index(at["first"]) - ROW.index(at["second"]))
        assert between == gap, (width, at)


def test_file():
    """what is written is read again, and no file is no site"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "board.sites"
        assert sites.read(path) == {}
        at = {"u_b.mem.0.0": ROW[1], "u_a[3].mem.0.0": ROW[0]}
        sites.write(path, at, "a test")
        assert sites.read(path) == at
        assert path.read_text(encoding="utf-8").splitlines()[2:] == [
            f"u_a[3].mem.0.0\t{ROW[0]}", f"u_b.mem.0.0\t{ROW[1]}"]


sys.exit(tap.run(__name__))
