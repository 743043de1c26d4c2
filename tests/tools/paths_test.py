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
    return placed_paths(content, "--route", "1", *options)


def placed_paths(content, *options):
    """The answer as lines without indentation, and the process."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "netlist.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content),
                        encoding="utf-8")
        done = subprocess.run([PATHS, *options, path], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return [" ".join(line.split()) for line in done.stdout.splitlines()], done


def at(place, one):
    """The cell as nextpnr writes it when it has a place."""
    one["attributes"]["NEXTPNR_BEL"] = place
    return one


def placed_register(place, source, output, port="DI"):
    return at(place, cell("TRELLIS_FF", {"CLK": [2], port: [source]}, {"Q": [output]}))


def comb(place, inputs, outputs, mode="LOGIC"):
    """nextpnr connects nothing to a port that is not in use."""
    one = cell("TRELLIS_COMB", {**{port: [] for port in ("A", "D", "M")}, **inputs}, outputs)
    return at(place, {**one, "parameters": {"MODE": mode}})


def one_path(first, second, middle="X1/Y1/SLICEC.K0", end="X1/Y1/SLICEC.FF0", port="DI"):
    """The line of a path through two LUTs at speed 6."""
    cells = [placed_register(first, 13, 10), comb(second, {"A": [10]}, {"F": [11]}),
             comb(middle, {"B": [11]}, {"F": [12]}), placed_register(end, 12, 13, port)]
    lines, _ = placed_paths(netlist(cells, {"u.to_q": [13], "u.from_q": [10]}), "--speed", "6",
                            "--end", "to_q")
    return lines[1]


def logic():
    """A short way between registers, and a long one to two others."""
    return netlist([register(13, 10), lut([10, 11], 12), lut([12], 13), register(10, 11),
                    lut([12, 11], 14), register(14, 15)],
                   {"u_a.first_q": [10], "u_b.second_q": [11], "u_b.word_q": [13, 14],
                    "u_b.middle": [12], "u_c.last_q": [15]})


def test_levels():
    """the longest first: a register's 0.309, two LUTs of 0.141, the end's 0.106, and the routes"""
    lines, _ = paths(logic())
    assert lines == ["ends 0:1 2:2", "3.70 ns 2 levels x1 u_a.first_q -> u_a.first_q.DI",
                     "3.70 ns 2 levels x1 u_a.first_q -> u_c.last_q.DI",
                     "1.42 ns 0 levels x1 u_a.first_q -> u_b.second_q.DI"], lines


def test_grade():
    """the slower grade needs 0.525, twice 0.239 and 0.130"""
    lines, _ = paths(logic(), "--speed", "6")
    assert lines[1].startswith("4.13 ns 2 levels"), lines


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
    # 0.309, route, 0.278 to the first carry, 0.043 along one cell, 0.273 to the sum, route, 0.106
    assert lines[1] == "3.01 ns 1 levels x1 u.from_q -> u.count_q.DI", lines


def test_memories():
    """a block RAM answers late; a distributed one is read at once and written by its clock"""
    cells = [cell("DP16KD", {"CLKA": [2], "ADA0": [10]}, {"DOA0": [11]}), register(11, 12),
             cell("TRELLIS_DPR16X4", {"WCK": [2], "DI": [12], "RAD": [12]}, {"DO": [13]}),
             register(13, 10)]
    lines, _ = paths(netlist(cells, {"u.word": [11], "u.q": [12], "u.small": [13],
                                     "u.address_q": [10]}))
    # 0.309 + 1 + 0.141 + 1 + 0.106; 1.419 + 1 + 0.106, as a binary fraction just below 2.525;
    # 0.309 + 1, and 0.067 before the clock of the block RAM
    assert lines == ["ends 0:3 1:1", "2.56 ns 1 levels x1 u.q -> u.address_q.DI",
                     "2.52 ns 0 levels x1 u.word -> u.q.DI",
                     "1.38 ns 0 levels x1 u.address_q -> u.word.ADA0",
                     "1.31 ns 0 levels x1 u.q -> u.small.DI"], lines


def test_multiplier():
    """every bit of a product comes late from every bit of both factors, and only from them"""
    cells = [register(20, 10), cell("MULT18X18D", {"A0": [10], "SIGNEDA": [11]},
                                    {"P0": [20], "P35": [21]}), register(21, 11)]
    lines, _ = paths(netlist(cells, {"u.a_q": [10], "u.b_q": [11]}))
    # 0.309 + 1 + 2.54 + 1 + 0.106
    assert lines == ["ends 1:2", "4.96 ns 1 levels x1 u.a_q -> u.a_q.DI",
                     "4.96 ns 1 levels x1 u.a_q -> u.b_q.DI"], lines


def test_words():
    """the bits of a word are one line; what has no name is told by its lines in the source"""
    cells = [register(10, 11), register(10, 12), register(11, 10)]
    lines, _ = paths(netlist(cells, {"u.word_q": [11, 12]}))
    assert lines == ["ends 0:3", "1.42 ns 0 levels x1 u.word_q -> some.sv:3.1-4.2.DI",
                     "1.42 ns 0 levels x2 some.sv:3.1-4.2 -> u.word_q.DI"], lines


def spread():
    """From a register by a LUT three columns on to a register much further, and a near one."""
    cells = [placed_register("X10/Y10/SLICEA.FF0", 14, 10, "M"),
             comb("X13/Y10/SLICEB.K0", {"A": [10]}, {"F": [11]}),
             placed_register("X23/Y30/SLICEA.FF0", 11, 12, "M"),
             placed_register("X13/Y10/SLICEC.FF0", 11, 13, "M"),
             placed_register("X10/Y10/SLICED.FF0", 12, 14, "M")]
    return netlist(cells, {"u.from_q": [10], "u.far_q": [12], "u.near_q": [13], "u.back_q": [14]})


def test_distance():
    """a route needs more for each tile, less for those beyond twelve, least within one"""
    # 0.525 + 0.53 + 3 * 0.056 + 0.239 with the third LUT; from there 0.142 + 0.53 + 12 * 0.056 +
    # 18 * 0.061, or 0.218 in the same tile; back from the far one 0.525 + 0.53 + 12 * 0.056 +
    # 21 * 0.061; to the first 0.525 + 0.78
    lines, _ = placed_paths(spread(), "--speed", "6")
    assert lines == ["ends 0:2 1:2", "3.90 ns 1 levels x1 u.from_q -> u.far_q.M",
                     "3.01 ns 0 levels x1 u.far_q -> u.back_q.M",
                     "1.68 ns 1 levels x1 u.from_q -> u.near_q.M",
                     "1.31 ns 0 levels x1 u.back_q -> u.from_q.M"], lines
    # 0.309 + 0.35 + 3 * 0.036 + 0.141 + 0.095 + 0.35 + 12 * 0.036 + 18 * 0.04
    lines, _ = placed_paths(spread(), "--top", "1")
    assert lines[1].startswith("2.50 ns"), lines


def test_way():
    """each net on the way: the route to its driver, what that needs, and where it is; the end"""
    lines, _ = placed_paths(spread(), "--speed", "6", "--full", "--top", "1")
    assert lines[2:] == ["route 0.00 cell 0.53 X10/Y10/SLICEA.FF0 u.from_q",
                         "route 0.70 cell 0.24 X13/Y10/SLICEB.K0 ?",
                         "route 2.44 setup 0.00 X23/Y30/SLICEA.FF0 u.far_q.M"], lines


def test_setup():
    """an enable is needed before its clock: 0.225 more than for M, at speed 6 0.424"""
    both = cell("TRELLIS_FF", {"CLK": [2], "M": [10], "CE": [10]}, {"Q": [11]})
    content = netlist([placed_register("X1/Y1/SLICEA.FF0", 12, 10), at("X3/Y1/SLICEA.FF0", both)],
                      {"u.from_q": [10], "u.to_q": [11]})
    # 0.309 + 0.35 + 2 * 0.036, and 0.225
    lines, _ = placed_paths(content)
    assert lines[1:] == ["0.96 ns 0 levels x1 u.from_q -> u.to_q.CE",
                         "0.73 ns 0 levels x1 u.from_q -> u.to_q.M"], lines
    # 0.525 + 0.53 + 2 * 0.056, and 0.424
    lines, _ = placed_paths(content, "--speed", "6", "--full")
    assert lines[1::3] == ["1.59 ns 0 levels x1 u.from_q -> u.to_q.CE",
                           "1.17 ns 0 levels x1 u.from_q -> u.to_q.M"], lines
    assert lines[3] == "route 0.64 setup 0.42 X3/Y1/SLICEA.FF0 u.to_q.CE", lines


def test_own_wires():
    """from a LUT to the register beside it there is a wire: no route, as there is elsewhere"""
    # 0.525, twice 0.239, routes within the tile of 0.78 and, from the fourth LUT, 0.618; the wire
    # needs 0.130
    assert one_path("X1/Y1/SLICEB.FF1", "X1/Y1/SLICEB.K1").startswith("2.53 ns")
    # from a column further 0.586 instead of 0.78; a route from the fifth LUT 0.424
    assert one_path("X2/Y1/SLICEB.FF1", "X1/Y1/SLICEB.K1").startswith("2.34 ns")
    assert one_path("X2/Y1/SLICEB.FF1", "X1/Y1/SLICEB.K1", port="M").startswith("2.63 ns")
    # to a column further 0.15 more from there
    assert one_path("X1/Y1/SLICEB.FF1", "X1/Y1/SLICEB.K1", end="X2/Y1/SLICEC.FF0",
                    port="M").startswith("3.14 ns")


def test_placed_carry():
    """a carry needs its time in each bit, and no route to the next tile"""
    cells = [placed_register("X1/Y1/SLICEA.FF1", 20, 10),
             comb("X1/Y1/SLICED.K0", {"B": [10]}, {"F": [15], "FCO": [11]}, "CCU2"),
             comb("X1/Y1/SLICED.K1", {"FCI": [11]}, {"FCO": [12]}, "CCU2"),
             comb("X2/Y1/SLICEA.K0", {"FCI": [12]}, {"FCO": [13]}, "CCU2"),
             comb("X2/Y1/SLICEA.K1", {"FCI": [13]}, {"F": [14]}, "CCU2"),
             placed_register("X2/Y1/SLICEA.FF1", 14, 20),
             placed_register("X1/Y1/SLICED.FF0", 15, 21)]
    lines, _ = placed_paths(netlist(cells, {"u.from_q": [10], "u.to_q": [20], "u.low_q": [21]}),
                            "--speed", "6", "--start", "from")
    # 0.525, route 0.78, to the carry 0.447, twice 0.071, to the sum 0.474, or a sum of its own bit
    # 0.239, and 0.130 at the end
    assert lines[1:] == ["2.50 ns 1 levels x1 u.from_q -> u.to_q.DI",
                         "1.67 ns 1 levels x1 u.from_q -> u.low_q.DI"], lines


def test_placed_memory():
    """is written through a cell without delay, read at once, and keeps its clock's time"""
    write = at("X1/Y1/SLICEC.RAMW",
               cell("TRELLIS_RAMW", {"A0": [10], "B0": [13]}, {"WADO3": [11], "WADO1": [14]}))
    cells = [placed_register("X1/Y1/SLICED.FF0", 12, 10), write,
             comb("X1/Y1/SLICEA.K0", {"A": [10], "WAD3": [11], "WCK": [2]}, {"F": [12]}, "DPRAM"),
             placed_register("X41/Y1/SLICED.FF0", 10, 13, "M")]
    lines, _ = placed_paths(netlist(cells, {"u.a_q": [10], "u.word": [12], "u.b_q": [13]}),
                            "--speed", "6")
    # from a_q, after 0.525: 40 tiles of 0.53 + 12 * 0.056 + 28 * 0.061; 0.78 to the cell, and from
    # there a wire that needs 0.080; a word is there after 0.929, or after 0.525, 0.78 and 0.239,
    # and its wire needs 0.130. What b_q writes, no memory takes.
    assert lines == ["ends 0:1 1:2", "3.44 ns 0 levels x1 u.a_q -> u.b_q.M",
                     "1.67 ns 1 levels x1 u.a_q -> u.a_q.DI",
                     "1.39 ns 1 levels x1 u.a_q -> u.word.WAD3"], lines


def test_wide_logic():
    """what joins LUTs is made of them and of what selects, not of its own place's inputs"""
    cells = [placed_register("X1/Y1/SLICED.FF0", 13, 10),
             comb("X1/Y1/SLICEB.K0", {"A": [10]}, {"OFX": [11]}),
             comb("X9/Y1/SLICEB.K1", {"B": [14], "FXA": [11]}, {"OFX": [12]}),
             placed_register("X9/Y1/SLICED.FF0", 12, 13),
             placed_register("X40/Y40/SLICED.FF0", 13, 14)]
    lines, _ = placed_paths(netlist(cells, {"u.a_q": [10], "u.b_q": [13], "u.far_q": [14]}),
                            "--speed", "6", "--end", "b_q")
    # 0.525 + 0.78 + 0.239 + 0.239 + 0.130
    assert lines[1:] == ["1.91 ns 2 levels x1 u.a_q -> u.b_q.DI"], lines


def test_constants():
    """no path starts at a constant, however far it is, nor at a clock"""
    cells = [comb("X90/Y90/SLICEA.K0", {}, {"F": [20]}),
             at("X60/Y0/DCC0", cell("DCCA", {"CLKI": [2]}, {"CLKO": [22]})),
             placed_register("X1/Y1/SLICEA.FF0", 12, 10, "M"),
             comb("X1/Y1/SLICEA.K0", {"A": [10], "B": [20]}, {"F": [11]}),
             comb("X1/Y1/SLICEB.K0", {"A": [20]}, {"F": [13]}),
             placed_register("X1/Y1/SLICEA.FF0", 11, 12),
             *(placed_register(f"X1/Y1/SLICE{letter}.FF0", source, 30 + source)
               for letter, source in (("B", 13), ("C", 22), ("D", 20)))]
    lines, _ = placed_paths(netlist(cells, {"$PACKER_VCC_NET": [20], "u.a_q": [10],
                                            "u.b_q": [12]}), "--speed", "6")
    assert lines == ["ends 0:1 1:1", "1.67 ns 1 levels x1 u.a_q -> u.b_q.DI",
                     "1.31 ns 0 levels x1 u.b_q -> u.a_q.M"], lines


def test_period():
    """what most of the ends beyond a period come from, with the place if there is one"""
    lines, _ = paths(logic(), "--period", "2")
    assert lines[4:] == ["2 ends beyond 2 ns, where they come from: 1",
                         "2 up to 3.70 ns u_a.first_q"], lines
    assert paths(logic(), "--period", "4")[0][4:] == ["0 ends beyond 4 ns, where they come from: 0"]
    lines, _ = placed_paths(spread(), "--speed", "6", "--period", "2")
    assert lines[5:] == ["2 ends beyond 2 ns, where they come from: 2",
                         "1 up to 3.90 ns X10/Y10/SLICEA.FF0 u.from_q",
                         "1 up to 3.01 ns X23/Y30/SLICEA.FF0 u.far_q"], lines


def test_refusal_of_places():
    """routes follow from places: no other time for them, and no cell without a place"""
    _, done = paths(spread())
    assert done.returncode == 2 and "its routes follow from the places" in done.stderr, done
    packed = spread()
    del packed["modules"]["top"]["cells"]["cell1"]["attributes"]["NEXTPNR_BEL"]
    _, done = placed_paths(packed)
    assert done.returncode == 2 and "not all of it is placed" in done.stderr, done


def test_refusal():
    """what Yosys did not write is refused, with its name"""
    for content in ("no JSON", {"creator": "somebody"}):
        _, done = paths(content)
        assert done.returncode == 2 and "is no netlist that Yosys wrote" in done.stderr, done


sys.exit(tap.run(__name__))
