#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/pnr/route.c: each net becomes a tree from its driver to its sinks, no wire is in two, and
what is urgent goes straight; tools/places.py: pins there and routes back."""

import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import tap
from placed import placed

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import places

COLUMNS, ROWS = 40, 40
LUT, FF, WRITER, BLOCK, OTHER = range(5)
STAYS, FREE, IN_CARRY, IN_MEMORY = range(4)
DATABASE = subprocess.run([ROOT / "tools/private-root", "file", "nextpnr-ecp5",
                           "/usr/share/nextpnr/ecp5/chipdb-25k.bin"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout.strip()
NOWHERE = (-1, -1, "-")
HERE = 12, 10  # a tile of logic with logic all around


class Design:
    """What the router reads: cells with places, nets with the wires of their pins."""

    def __init__(self):
        self.cells, self.nets, self.arcs, self.ends, self.taken = [], [], [], [], []

    def lut(self, x, y, position, bond=FREE):
        self.cells.append((LUT, x, y, position, bond, -1, -1, -1))
        return len(self.cells) - 1, (x, y), position

    def register(self, x, y, position):
        self.cells.append((FF, x, y, position, FREE, 0, 0, -1))
        return len(self.cells) - 1, (x, y), position

    def net(self, register, *sinks, start=310):
        """From a register to pins of LUTs, each (LUT, letter)."""
        cell, tile, position = register
        wires = [(*tile, f"Q{position}_SLICE")]
        wires += [(*lut[1], f"{letter}{lut[2]}_SLICE") for lut, letter in sinks]
        self.nets.append((cell, start, [lut[0] for lut, _ in sinks], wires))
        return len(self.nets) - 1

    def text(self):
        tiles = list(itertools.product(range(COLUMNS), range(ROWS)))
        parts = [(COLUMNS, ROWS), [0] * 17]  # times of routes by places: not wanted
        for part in (tiles, [], self.cells, []):
            parts += [(len(part),), *part]
        parts.append((len(self.nets), sum(len(net[2]) for net in self.nets)))
        for driver, start, sinks, _ in self.nets:
            parts.append((driver, 1, start, len(sinks), *itertools.chain(*((s, 0) for s in sinks))))
        for part in (self.arcs, self.ends):
            parts += [(len(part),), *part]
        for *_, wires in self.nets:
            parts += wires
        parts += [(len(self.taken),), *self.taken]
        return "\n".join(" ".join(map(str, part)) for part in parts)


def run(text, *arguments):
    return subprocess.run([ROOT / "build/route", *(arguments or (DATABASE, "2", "8000"))],
                          input=text, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def ends_of(pip):
    """The wires that a pip joins, as (column, row, name): its name has them by its own tile."""
    found = re.fullmatch(r"X(\d+)/Y(\d+)/(-?\d+)_(-?\d+)_(.+)->(-?\d+)_(-?\d+)_(.+)", pip).groups()
    x, y = int(found[0]), int(found[1])
    return ((x + int(found[2]), y + int(found[3]), found[4]),
            (x + int(found[5]), y + int(found[6]), found[7]))


def routes(design):
    """The wires of each net, each with the one that drives it, and what the program said."""
    done = run(design.text())
    assert not done.returncode, done.stderr
    trees = []
    for number, line in enumerate(done.stdout.splitlines()):
        index, *parts = line.split()
        assert int(index) == number
        tree = {}
        for name, pip in zip(parts[::2], parts[1::2]):
            wire = places.wire_of(name)
            wire = int(wire[0]), int(wire[1]), wire[2]
            driver, driven = (None, wire) if pip == "-" else ends_of(pip)
            assert driven == wire and (driver is None or driver in tree), (name, pip)
            tree[wire] = driver
        wires = design.nets[number][3]
        assert list(tree.values()).count(None) == 1 and tree[wires[0]] is None, line
        assert all(wire in tree for wire in wires[1:]), line
        trees.append(tree)
    assert len(trees) == len(design.nets)
    return trees, done.stderr


def full_tile(bond=FREE):
    """All 32 inputs of a tile's LUTs, each of a register elsewhere."""
    design, chance = Design(), random.Random(2)
    luts = [design.lut(*HERE, position, bond) for position in range(8)]
    for lut, letter in itertools.product(luts, "ABCD"):
        index = len(design.nets)
        register = design.register(8 + index // 8, 14 + chance.randrange(4), index % 8)
        design.net(register, (lut, letter))
    return design


def permuted(trees):
    """Of each input of a LUT that another line of the tile leads to: both letters"""
    pairs = [(wire[2][0], driver[2][0]) for tree in trees for wire, driver in tree.items()
             if re.fullmatch(r"[ABCD]\d_SLICE", wire[2])]
    assert len(pairs) == 32
    return [pair for pair in pairs if pair[0] != pair[1]]


def test_trees():
    """a tile with all inputs in use, and a net of many sinks: trees, and no wire in two of them"""
    design = full_tile()
    luts = [design.lut(20 + index % 5, 20 + index // 5, index % 8) for index in range(25)]
    design.net(design.register(5, 5, 0), *((lut, "A") for lut in luts))
    trees, said = routes(design)
    used = [wire for tree in trees for wire in tree]
    assert len(set(used)) == len(used) and ", 0 shared" in said
    assert len(trees[-1]) < 25 * 6, "each sink has a route of its own"


def test_permutation():
    """inputs of a LUT change places; of a carry's A with B and C with D, of a memory's none"""
    assert any(set(pair) not in ({"A", "B"}, {"C", "D"}) for pair in permuted(routes(full_tile())[0]))
    carry = permuted(routes(full_tile(IN_CARRY))[0])
    assert all(set(pair) in ({"A", "B"}, {"C", "D"}) for pair in carry), carry
    assert not permuted(routes(full_tile(IN_MEMORY))[0])


def longest(said):
    return float(re.findall(r"longest path ([\d.]+) ns", said)[-1])


def crossing(urgent, others):
    """Nets of a crowd that cross the same tiles, and one of them that has little time."""
    design, chance = Design(), random.Random(3)
    if urgent:
        lut = design.lut(34, 11, 0)
        design.ends.append((design.net(design.register(8, 11, 0), (lut, "A"), start=6690), 0, 0))
    for index in range(others):
        lut = design.lut(30 + index % 4, 10 + index // 32 % 3, index // 4 % 8)
        register = design.register(9 + index % 4, 10 + index // 32 % 3, index // 4 % 8)
        design.ends.append((design.net(register, *((lut, letter) for letter in "ABCD"),
                                       start=chance.randrange(1000)), 0, 0))
    return design


def test_critical():
    """what has little time arrives in time, however crowded its way is"""
    alone = longest(routes(crossing(True, 0))[1])
    assert 7.8 < alone < 8, alone
    assert longest(routes(crossing(True, 96))[1]) < 8


def test_taken():
    """of the two reset lines of a tile the one that a clock net has is left to it"""
    for taken, free in (("LSR0", "LSR1"), ("LSR1", "LSR0")):
        design = Design()
        lut = design.lut(*HERE, 0)
        number = design.net(design.register(8, 10, 0), (lut, "A"))
        design.nets[number][3][1] = (*HERE, "LSR3_SLICE")
        design.taken = [(*HERE, taken)]
        trees, _ = routes(design)
        lines = {wire[2] for wire in trees[0] if re.fullmatch(r"LSR\d", wire[2])}
        assert lines == {free}, lines


def test_pins_without_wires():
    """are left out, and the rest of the net is routed, also to an input of the clock network"""
    design = Design()
    luts = [design.lut(*HERE, position) for position in range(3)]
    number = design.net(design.register(8, 10, 0), *((lut, "A") for lut in luts))
    wires = design.nets[number][3]
    wires[1], wires[2] = NOWHERE, (0, 0, "G_JCE_TDCC0")
    done = run(design.text())
    assert not done.returncode and "A2_SLICE" in done.stdout, done.stderr
    assert "A0_SLICE" not in done.stdout and " X0/Y0/G_JCE_TDCC0 " in done.stdout
    design.nets[number][3][0] = NOWHERE
    assert run(design.text()).stdout == "0\n"


def refused(text, *said, arguments=()):
    done = run(text, *arguments)
    assert done.returncode in (1, 2) and not done.stdout, done
    assert all(word in done.stderr for word in said), done.stderr


def test_bad_input():
    """no database, no design, no such wire, no way, and two nets to one pin are told"""
    refused("", "usage: route", arguments=("one",))
    refused("", "/nowhere cannot be read", arguments=("/nowhere", "2", "8000"))
    with tempfile.NamedTemporaryFile() as file:
        refused("", "is no database", arguments=(file.name, "2", "8000"))
        file.write(bytes(1000))
        file.flush()
        refused("", "is no database", arguments=(file.name, "2", "8000"))
    refused("", "SPEED is '4', not 0 to 3", arguments=(DATABASE, "4", "8000"))
    refused("", "PERIOD is 'x'", arguments=(DATABASE, "2", "x"))
    refused("", "no number where columns should be")
    design = Design()
    lut = design.lut(*HERE, 0)
    register = design.register(8, 10, 0)
    design.net(register, (lut, "E"))
    refused(design.text(), "there is no wire E0_SLICE in tile 12, 10")
    refused(design.text().replace(f"{HERE[0]} {HERE[1]} E0", "400 10 E0"), "no tile 400, 10")
    refused(design.text().rpartition("\n12 10")[0], "no wire where one should be")
    design.nets.clear()
    design.net(register, (lut, "A"))
    design.taken = [(*HERE, "A0_SLICE")]
    refused(design.text(), "no way from X8/Y10/Q0_SLICE to X12/Y10/A0_SLICE")
    design.taken.clear()
    design.net(design.register(8, 10, 1), (lut, "A"))
    refused(design.text(), "shared after")


# --- tools/places.py ------------------------------------------------------------------------


def module():
    cells = {"clock": placed("DCCA", "X0/Y0/DCC", {"CLKI": 9}, {"CLKO": 2}),
             "lut": placed("TRELLIS_COMB", "X2/Y1/SLICEB.K1", {"A": 4}, {"F": 5}, MODE="LOGIC"),
             "ff": placed("TRELLIS_FF", "X2/Y1/SLICEB.FF1", {"CLK": 2, "DI": 5}, {"Q": 4})}
    nets = {name: {"bits": [bit], "attributes": {}} for name, bit in
            {"clk": 2, "q": 4, "d": 5, "in": 9}.items()}
    return {"ports": {}, "cells": cells, "netnames": nets}


SITES = {"TRELLIS_COMB": ["X2/Y1/SLICEA.K0"], "DP16KD": [], "MULT18X18D": []}


def test_pins():
    """wires of drivers and sinks net by net, then those that routed clocks have"""
    wires = {("lut", "A"): "X2/Y1/A3_SLICE", ("lut", "F"): "X2/Y1/F3_SLICE",
             ("ff", "DI"): "X2/Y1/DI3_SLICE", ("ff", "Q"): "X2/Y1/Q3_SLICE",
             ("ff", "CLK"): "X2/Y1/CLK1_SLICE", ("clock", "CLKI"): "None"}
    clocks = module()
    clocks["netnames"]["clk"]["attributes"]["ROUTING"] = (
        "X2/Y1/CLK1_SLICE;X2/Y1/0_0_CLK1->0_0_CLK1_SLICE;5;X0/Y0/G_HPBX0000;;5")
    clocks["netnames"]["q"]["attributes"]["ROUTING"] = "X2/Y1/Q3_SLICE;;1"
    lines = places.Problem(module(), SITES, 8).pin_text(wires, clocks).splitlines()
    assert lines == ["2 1 F3_SLICE", "2 1 DI3_SLICE", "2 1 Q3_SLICE", "2 1 A3_SLICE", "2",
                     "2 1 CLK1_SLICE", "0 0 G_HPBX0000"], lines


def test_clocks():
    """what nextpnr is to route first: all cells, and of their pins those on clock nets"""
    content = module()
    clocks = places.Problem(content, SITES, 8).clocks(content)
    assert list(clocks["cells"]) == list(content["cells"])
    assert list(clocks["netnames"]) == ["clk", "in"]
    assert clocks["cells"]["ff"]["connections"] == {"CLK": [2], "DI": [], "Q": []}
    assert content["cells"]["ff"]["connections"]["Q"] == [4]


def test_take_routes():
    """each wire with its pip, the driver's without, and clocks', where nextpnr looks for them"""
    content, clocks = module(), module()
    clocks["netnames"]["clk"]["attributes"]["ROUTING"] = "CLK1;0->CLK1;5"
    places.Problem(content, SITES, 8).take_routes(content, ["0 F3 - DI3 F3->DI3", "1"], clocks)
    nets = content["netnames"]
    assert nets["d"]["attributes"] == {"ROUTING": "F3;;1;DI3;F3->DI3;1"}
    assert nets["clk"]["attributes"] == {"ROUTING": "CLK1;0->CLK1;5"}
    assert not any(nets[name]["attributes"] for name in ("q", "in"))


sys.exit(tap.run(__name__))
