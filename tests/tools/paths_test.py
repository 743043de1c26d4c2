#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/paths: on netlists of a few cells, which paths are the longest and how long."""

import json
import pathlib
import subprocess
import sys
import tempfile

import tap

PATHS = pathlib.Path(__file__).resolve().parents[2] / "tools/paths"


def cell(kind, inputs, outputs):
    return {"type": kind, "attributes": {"src": "rtl/some.sv:3.1-4.2"},
            "port_directions": {**{port: "input" for port in inputs},
                                **{port: "output" for port in outputs}},
            "connections": {**inputs, **outputs}}


def register(data, output):
    return cell("TRELLIS_FF", {"CLK": [2], "DI": [data]}, {"Q": [output]})


def lut(inputs, output):
    return cell("LUT4", dict(zip("ABCD", ([bit] for bit in inputs))), {"Z": [output]})


def netlist(cells, names):
    return {"modules": {"top": {
        "attributes": {"top": "1"}, "ports": {"clk_i": {"direction": "input", "bits": [2]}},
        "cells": {f"cell{index}": one for index, one in enumerate(cells)},
        "netnames": {name: {"bits": bits} for name, bits in names.items()}}}}


def paths(content, *options):
    """The answer as lines without indentation, and the process."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "netlist.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content),
                        encoding="utf-8")
        done = subprocess.run([PATHS, "--route", "1", *options, path], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return [" ".join(line.split()) for line in done.stdout.splitlines()], done


def logic():
    """A short way between registers, and a long one to two others."""
    return netlist([register(13, 10), lut([10, 11], 12), lut([12], 13), register(10, 11),
                    lut([12, 11], 14), register(14, 15)],
                   {"u_a.first_q": [10], "u_b.second_q": [11], "u_b.word_q": [13, 14],
                    "u_b.middle": [12], "u_c.last_q": [15]})


def test_levels():
    """the longest first: a register's 0.31, two LUTs of 0.14, a route before each and the end"""
    lines, _ = paths(logic())
    assert lines == ["ends 0:1 2:2", "3.59 ns 2 levels x1 u_a.first_q -> u_a.first_q.DI",
                     "3.59 ns 2 levels x1 u_a.first_q -> u_c.last_q.DI",
                     "1.31 ns 0 levels x1 u_a.first_q -> u_b.second_q.DI"], lines


def test_grade():
    """the slower grade needs 0.52 and 0.24"""
    lines, _ = paths(logic(), "--speed", "6")
    assert lines[1].startswith("4.00 ns 2 levels"), lines


def test_filters():
    """paths from, to and through what was asked for, with the nets on the way"""
    assert len(paths(logic(), "--start", "second")[0]) == 1
    assert len(paths(logic(), "--end", "last")[0]) == 2
    lines, _ = paths(logic(), "--through", "middle", "--full", "--top", "1")
    assert lines[2] == "u_a.first_q u_b.middle u_b.word_q[0]", lines


def test_carry():
    """a carry runs from cell to cell without a route, and counts one level"""
    chain = [register(40, 10), *(cell("CCU2C", {"A0": [10], "CIN": [20 + index]},
                                      {"COUT": [21 + index], "S0": [30 + index]})
                                 for index in range(3)), register(32, 40)]
    lines, _ = paths(netlist(chain, {"u.count_q": [40], "u.from_q": [10]}), "--end", "count")
    # 0.31, route, 0.28 to the first carry, 0.04 along one cell, 0.27 to the sum, route
    assert lines[1] == "2.90 ns 1 levels x1 u.from_q -> u.count_q.DI", lines


def test_memories():
    """a block RAM answers late; a distributed one is read at once and written by its clock"""
    cells = [cell("DP16KD", {"CLKA": [2], "ADA0": [10]}, {"DOA0": [11]}), register(11, 12),
             cell("TRELLIS_DPR16X4", {"WCK": [2], "DI": [12], "RAD": [12]}, {"DO": [13]}),
             register(13, 10)]
    lines, _ = paths(netlist(cells, {"u.word": [11], "u.q": [12], "u.small": [13],
                                     "u.address_q": [10]}))
    assert lines == ["ends 0:3 1:1", "2.45 ns 1 levels x1 u.q -> u.address_q.DI",
                     "2.40 ns 0 levels x1 u.word -> u.q.DI",
                     "1.31 ns 0 levels x1 u.q -> u.small.DI",
                     "1.31 ns 0 levels x1 u.address_q -> u.word.ADA0"], lines


def test_words():
    """the bits of a word are one line; what has no name is told by its lines in the source"""
    cells = [register(10, 11), register(10, 12), register(11, 10)]
    lines, _ = paths(netlist(cells, {"u.word_q": [11, 12]}))
    assert lines == ["ends 0:3", "1.31 ns 0 levels x1 u.word_q -> some.sv:3.1-4.2.DI",
                     "1.31 ns 0 levels x2 some.sv:3.1-4.2 -> u.word_q.DI"], lines


def test_refusal():
    """what Yosys did not write is refused, with its name"""
    for content in ("no JSON", {"creator": "somebody"}):
        _, done = paths(content)
        assert done.returncode == 2 and "is no netlist that Yosys wrote" in done.stderr, done


sys.exit(tap.run(__name__))
