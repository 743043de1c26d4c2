#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/clones.py: who is on a long path reads a LUT of its own."""

import pathlib
import sys

import tap
from placed import placed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import clones
import places

INIT = "0110100110010110"


def lut(place, **parameters):
    return placed("TRELLIS_COMB", place, {"A": 2, "B": 3}, {"F": 10}, INITVAL=INIT, **parameters)


def reader(place, port):
    return placed("TRELLIS_FF", place, {"CLK": 4, port: 10}, {"Q": 20})


def clone(cells, shares, free=("X5/Y5/SLICEA.K0", "X5/Y5/SLICEB.K0", "X9/Y9/SLICEA.K0")):
    """The cells behind it, and how many were made"""
    module = {"ports": {}, "cells": cells, "netnames": {
        f"n{bit}": {"bits": [bit], "attributes": {}} for bit in (2, 3, 4, 10, 20)}}
    used = [places.bel_of(cell) for cell in cells.values() if cell["type"] == "TRELLIS_COMB"]
    sites = {"TRELLIS_COMB": [*free, *used], "DP16KD": [], "MULT18X18D": []}
    problem = places.Problem(module, sites, 8)
    count = clones.add(module, problem, {(10, pin): share for pin, share in shares.items()})
    assert all(name in module["netnames"] for name in module["cells"] if ".clone" in name)
    return module["cells"], count


def read(cells, name, port="M"):
    return cells[name]["connections"][port][0]


def test_long():
    """the reader on a long path gets a clone nearby, the other keeps the LUT"""
    cells, count = clone({"lut": lut("X4/Y5/SLICEA.K0", MODE="LOGIC"),
                          "long": reader("X8/Y5/SLICEA.FF0", "M"),
                          "short": reader("X1/Y1/SLICEA.FF0", "M")},
                         {("long", "M"): 950, ("short", "M"): 300})
    made = cells["lut.clone1"]
    assert count == 1 and read(cells, "short") == 10
    assert read(cells, "long") == made["connections"]["F"][0] not in (2, 3, 4, 10, 20)
    assert made["connections"]["A"] == [2] and made["connections"]["B"] == [3]
    assert made["parameters"] == cells["lut"]["parameters"] and read(cells, "lut", "F") == 10
    assert places.bel_of(made).startswith("X5/Y5/"), made


def test_alone():
    """who is alone, or alike with all the others, shares what there is"""
    for shares in {("one", "M"): 950}, {("one", "M"): 950, ("two", "M"): 960}, {("one", "M"): 100,
                                                                             ("two", "M"): 100}:
        cells = {name: reader(f"X{place}/Y5/SLICEA.FF0", "M")
                 for place, (name, _) in enumerate(shares)}
        _, count = clone({"lut": lut("X4/Y5/SLICEA.K0", MODE="LOGIC"), **cells}, shares)
        assert not count, shares


def test_groups():
    """of many readers on long paths those that stand together share a clone"""
    names = [f"ff{column}" for column in range(2 * clones.MOST)]
    cells, count = clone(
        {"lut": lut("X4/Y5/SLICEA.K0", MODE="LOGIC"),
         **{name: reader(f"X{column}/Y2/SLICEA.FF0", "M") for column, name in enumerate(names)}},
        {(name, "M"): 950 for name in names})
    bits = [read(cells, name) for name in names]
    assert count == 1 and len(set(bits)) == 2, bits
    assert len(set(bits[:clones.MOST])) == 1 == len(set(bits[clones.MOST:])), bits


def test_far():
    """so do few that are far from each other, also clock enables, but for those of a tile"""
    far = 9 + clones.WIDEST
    for port in "M", "CE":
        cells, count = clone({"lut": lut("X4/Y5/SLICEA.K0", MODE="LOGIC"),
                              "one": reader("X8/Y5/SLICEA.FF0", port),
                              "two": reader("X8/Y5/SLICEB.FF0", port),
                              "far": reader(f"X{far}/Y5/SLICEA.FF0", port)},
                             {(name, port): 950 for name in ("one", "two", "far")})
        assert count == 1 and read(cells, "one", port) == read(cells, "two", port), port
        assert read(cells, "far", port) != read(cells, "one", port), port
        cells["far"]["attributes"]["NEXTPNR_BEL"] = f"X{far - 1}/Y5/SLICEA.FF0"
        cells = {name: cell for name, cell in cells.items() if ".clone" not in name}
        for name in "one", "two", "far":
            cells[name]["connections"][port] = [10]
        _, count = clone(cells, {(name, port): 950 for name in ("one", "two", "far")})
        assert not count, port


def test_bound():
    """a wire of its own stays; clock enables stay of one net; memories and carries are not cloned"""
    cells, count = clone({"lut": lut("X4/Y5/SLICEA.K0", MODE="LOGIC"),
                          "own": reader("X4/Y5/SLICEA.FF0", "DI"),
                          "one": reader("X6/Y5/SLICEA.FF0", "CE"),
                          "two": reader("X6/Y5/SLICEA.FF1", "CE"),
                          "short": reader("X1/Y1/SLICEA.FF0", "M")},
                         {("own", "DI"): 990, ("one", "CE"): 950, ("two", "CE"): 100,
                          ("short", "M"): 300})
    assert count == 1 and read(cells, "own", "DI") == 10
    assert read(cells, "one", "CE") == read(cells, "two", "CE") != 10
    for mode in "CCU2", "DPRAM":
        _, count = clone({"lut": lut("X4/Y5/SLICEA.K0", MODE=mode),
                          "long": reader("X8/Y5/SLICEA.FF0", "M"),
                          "short": reader("X1/Y1/SLICEA.FF0", "M")},
                         {("long", "M"): 950, ("short", "M"): 300})
        assert not count, mode


def test_no_place():
    """without a free place that a LUT may have nothing changes"""
    for beside in "CCU2", None:
        cells, count = clone({"lut": lut("X4/Y5/SLICEA.K0", MODE="LOGIC"),
                              "carry": placed("TRELLIS_COMB", "X5/Y5/SLICEA.K1", {}, {}, MODE="CCU2"),
                              "long": reader("X8/Y5/SLICEA.FF0", "M"),
                              "short": reader("X1/Y1/SLICEA.FF0", "M")},
                             {("long", "M"): 950, ("short", "M"): 300},
                             ["X5/Y5/SLICEA.K0"] if beside else [])
        assert not count and read(cells, "long") == 10, beside


sys.exit(tap.run(__name__))
