#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/restructure.py: long paths go through fewer LUTs, and every net is what it was."""

import copy
import itertools
import pathlib
import random
import sys

import tap
from placed import placed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import places
import restructure
from netlist import Netlist, PlacedRoutes

AND, OR, XOR = (f"{table:016b}" for table in (0x8000, 0xfffe, 0x6996))
INPUTS = range(100, 110)  # bits of registers
ROOM = [f"X{column}/Y7/SLICEA.K{half}" for column in range(20, 40) for half in (0, 1)]


def lut(column, inputs, output, init, row=5, **parameters):
    connections = dict(zip("ABCD", inputs))
    cell = placed("TRELLIS_COMB", f"X{column}/Y{row}/SLICEA.K0", connections, {"F": output},
                  INITVAL=init, **{"MODE": "LOGIC", **parameters})
    for port in "ABCD":
        cell["port_directions"][port] = "input"
        cell["connections"].setdefault(port, [])
    return cell


def registers():
    """The first is far away."""
    return {f"in{bit}": placed("TRELLIS_FF", f"X{bit - 75}/Y{60 if bit == 100 else 3}/SLICEA.FF0",
                               {"CLK": 4}, {"Q": bit}) for bit in INPUTS}


def reader(column, bit):
    return placed("TRELLIS_FF", f"X{column}/Y9/SLICEA.FF0", {"CLK": 4, "M": bit},
                  {"Q": 10 * bit})


def run(cells, room=ROOM, period=1):
    """The module and how many LUTs were made anew; all that is read is as before"""
    cells = registers() | cells
    bits = {bit for cell in cells.values() for connected in cell["connections"].values()
            for bit in connected if isinstance(bit, int)}
    module = {"ports": {}, "cells": cells, "netnames": {
        f"n{bit}": {"hide_name": 0, "bits": [bit], "attributes": {}} for bit in bits}}
    used = [places.bel_of(cell) for cell in cells.values() if cell["type"] == "TRELLIS_COMB"]
    sites = {"TRELLIS_COMB": [*room, *used], "DP16KD": [], "MULT18X18D": []}
    before = copy.deepcopy(module)
    made = restructure.restructure(module, places.Problem(module, sites, 8), period)
    same(before, module)
    return module["cells"], made


def evaluate(module, known):
    """All bits of LUTs, by those of registers"""
    drivers = {cell["connections"]["F"][0]: cell for cell in module["cells"].values()
               if cell["type"] == "TRELLIS_COMB" and "INITVAL" in cell["parameters"]}

    def of(bit):
        if bit not in drivers:
            return known.get(bit, 0)
        if bit not in known:
            cell = drivers[bit]
            row = sum((of(cell["connections"][port][0]) if cell["connections"][port] else 1) << i
                      for i, port in enumerate("ABCD"))
            known[bit] = int(cell["parameters"]["INITVAL"][15 - row])
        return known[bit]
    return {bit: of(bit) for bit in drivers}


def same(before, after):
    for row in itertools.product((0, 1), repeat=len(INPUTS)):
        one = evaluate(before, dict(zip(INPUTS, row)))
        other = evaluate(after, dict(zip(INPUTS, row)))
        assert all(one[bit] == other[bit] for bit in one if bit in other), row
    read = {cell["connections"]["M"][0] for cell in after["cells"].values()
            if cell["type"] == "TRELLIS_FF" and "M" in cell["connections"]}
    driven = {bit for cell in after["cells"].values() for port in ("F", "Q")
              for bit in cell["connections"].get(port, [])}
    assert read <= driven, "what is read is not driven"
    assert after["netnames"].keys() >= {f"n{bit}" for bit in read}


def levels(cells, start, end):
    """LUTs from a bit to another, at most"""
    if start == end:
        return 0
    cell = next(cell for cell in cells.values() if cell["connections"].get("F") == [end])
    return max((1 + found for port in "ABCD" for bit in cell["connections"][port]
                if bit not in INPUTS or bit == start
                if (found := levels(cells, start, bit)) is not None), default=None)


def pair(first, second, **parameters):
    """From bit 100, far away, through two LUTs"""
    return {"one": lut(25, (100, 101, 102, 103), 50, first, **parameters),
            "two": lut(30, (50, 104, 105, 106), 60, second), "end": reader(32, 60)}


def test_pair():
    """a path through two LUTs goes through one, and the first is gone if nobody reads it"""
    for first, second in itertools.product((AND, OR), repeat=2):
        cells, made = run(pair(first, second))
        assert made >= 1 and levels(cells, 100, 60) == 1, (first, second)
        assert "one" not in cells


def test_readers():
    """the first LUT stays for who reads it beside the second"""
    cells, made = run(pair(AND, AND) | {"other": reader(26, 50)})
    assert made and levels(cells, 100, 60) == 1 and levels(cells, 100, 50) == 1
    assert cells["one"]["connections"]["A"] == [100]


def test_unlike():
    """what cannot be divided stays: here both parts would have to know all of the other"""
    table = random.Random(1).getrandbits(16)
    other = random.Random(2).getrandbits(16)
    cells, _ = run(pair(f"{table:016b}", f"{other:016b}"))
    assert levels(cells, 100, 60) == 2


def test_small():
    """two functions of four bits together are one LUT"""
    cells, made = run({"one": lut(25, (100, 101), 50, AND),
                       "two": lut(30, (50, 102, 103), 60, XOR), "end": reader(32, 60)})
    assert made == 1 and levels(cells, 100, 60) == 1
    assert not [name for name in cells if ".part" in name]


def test_by_level():
    """a function of much at 0 and of other much at 1 has a LUT for each"""
    choice = f"{0xcaca:016b}"  # C ? B : A
    cells, made = run({"one": lut(25, (100, 101, 102), 50, choice),  # 102 selects
                       "two": lut(28, (102, 103, 104), 51, XOR),
                       "three": lut(30, (50, 51, 104), 60, XOR),
                       "end": reader(32, 60)})
    assert made and levels(cells, 100, 60) == 1


def test_bound():
    """carries and memories stay, and all does without room"""
    for mode in "CCU2", "DPRAM":
        cells = pair(AND, AND, MODE=mode)
        _, made = run(cells)
        assert not made, mode
    cells, made = run(pair(AND, AND), room=[])
    assert not made and levels(cells, 100, 60) == 2


def test_registers():
    """a register may leave its carry for a long path's sake, if its own value comes early"""
    for column, leaves in (1, True), (80, False):  # where the carry's operand comes from
        sum_ = placed("TRELLIS_COMB", "X30/Y8/SLICEA.K0", {"A": 101}, {"F": 70}, MODE="CCU2")
        behind = placed("TRELLIS_FF", "X30/Y8/SLICEA.FF0", {"CLK": 4, "DI": 70}, {"Q": 71},
                        SD="1 ")
        far = placed("TRELLIS_FF", f"X{30 + column}/Y8/SLICEA.FF0", {"CLK": 4}, {"Q": 101})
        cells, _ = run({"sum": sum_, "behind": behind, "in101": far,
                        "one": lut(2, (71,), 50, XOR, 60), "end": reader(90, 50)}, period=5)
        pins, setting = cells["behind"]["connections"], cells["behind"]["parameters"]["SD"]
        assert ("M" in pins, "DI" in pins, setting) == (leaves, not leaves, "01"[not leaves] + " ")
        assert pins["M" if leaves else "DI"] == [70]


def arrival(cells, bit):
    module = {"ports": {}, "cells": cells, "netnames": {}}
    problem = places.Problem(module, {"TRELLIS_COMB": [], "DP16KD": [], "MULT18X18D": []}, 8)
    return Netlist(module, problem.graph.speed, PlacedRoutes(problem.routes)).arrivals()[bit][0]


def test_random():
    """nets of LUTs by chance: all are what they were, and the longest path is not longer"""
    shorter = 0
    for seed in range(40):
        chance = random.Random(seed)
        cells, bits = {}, list(INPUTS)
        for number in range(12):
            inputs = [*chance.sample(bits[-6:], 2), *chance.sample(INPUTS, 2)]
            init = chance.choice([AND, OR, XOR, f"{chance.getrandbits(16):016b}"])
            cells[f"lut{number}"] = lut(20 + number, inputs[:chance.randint(2, 4)], 50 + number, init)
            bits.append(50 + number)
        cells["end"] = reader(31, 61)
        before = arrival(registers() | copy.deepcopy(cells), 61)
        after, _ = run(cells)
        assert arrival(after, 61) <= before + 1e-6, f"seed {seed}"
        shorter += arrival(after, 61) < before - 0.3
    assert shorter >= 10, f"{shorter} of 40 are shorter"


sys.exit(tap.run(__name__))
