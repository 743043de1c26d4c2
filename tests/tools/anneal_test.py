#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/anneal: cells go to what they are connected to, and never to where they must not be;
tools/places.py: a placed netlist there and back."""

import itertools
import os
import pathlib
import random
import re
import signal
import subprocess
import sys

import tap
from placed import placed

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import places

COLUMNS, ROWS = 12, 8
LUT, FF, WRITER, BLOCK, OTHER = range(5)
STAYS, FREE, IN_CARRY, IN_MEMORY = range(4)
PERIOD = 8000
ROUTES = (142, 409, 142, 409, 290, 410, 290, 410,
          95, 145, 95, 145, 100, 180, 100, 180, 520)
DATABASE = subprocess.run([ROOT / "tools/private-root", "file", "nextpnr-ecp5",
                           "/usr/share/nextpnr/ecp5/chipdb-25k.bin"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout.strip()
OWN_WIRE, TO_LUT, TO_M, TO_CE, TO_LSR = range(-1, 4)


class Design:
    """What the annealer reads, cell by cell and net by net; logic is everywhere."""

    def __init__(self, sites=()):
        self.sites, self.cells, self.runs, self.nets, self.arcs, self.ends = sites, [], [], [], [], []

    def cell(self, kind, place, bond=FREE, sets=(-1, -1), partner=-1):
        self.cells.append((kind, *place, bond, *sets, partner))
        return len(self.cells) - 1

    def pair(self, place):
        """A LUT and its flip-flop."""
        lut = self.cell(LUT, place, partner=len(self.cells) + 1)
        return lut, self.cell(FF, place, sets=(0, 1), partner=lut)

    def net(self, driver, *sinks, start=-1, to=TO_LUT):
        self.nets.append((driver, 0, start, len(sinks),
                          *itertools.chain(*((sink, to) for sink in sinks))))
        return len(self.nets) - 1

    def text(self):
        tiles = [(x, y) for y in range(ROWS) for x in range(COLUMNS)]
        connections = sum(net[3] for net in self.nets)
        parts = [(COLUMNS, ROWS), ROUTES]
        for part in (tiles, self.sites, self.cells, self.runs):
            parts += [(len(part),), *part]
        parts += [(len(self.nets), connections), *self.nets]
        for part in (self.arcs, self.ends):
            parts += [(len(part),), *part]
        return "\n".join(" ".join(map(str, part)) for part in parts)


def run(text, seed=1, moves=3000, period=PERIOD, heat=1000):
    return subprocess.run([ROOT / "build/anneal", DATABASE, "2",
                           *map(str, (period, moves, seed, heat))], input=text,
                          text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def annealed(design, seed=1, moves=3000):
    """Column, row and position of each cell."""
    done = run(design.text(), seed, moves)
    assert not done.returncode, done.stderr
    lines = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    at, shares = [line[1:] for line in lines[:len(design.cells)]], lines[len(design.cells):]
    assert len(at) == len(design.cells)
    assert [len(line) for line in shares] == [net[3] for net in design.nets]
    kinds = [cell[0] for cell in design.cells]
    assert len(set(zip(kinds, at))) == len(at), "two cells in one place"
    return at


def anywhere(chance, used):
    """A place that nothing has."""
    while True:
        place = chance.randrange(COLUMNS), chance.randrange(ROWS), chance.randrange(8)
        if place not in used:
            used.add(place)
            return place


def chain(design, chance, count, sets=lambda index: (0, 0)):
    """Flip-flops anywhere, each the source of the next; two sets never in one tile."""
    used, taken, cells = set(), {}, []
    for index in range(count):
        place = anywhere(chance, used)
        while taken.setdefault(place[:2], sets(index)[0]) != sets(index)[0] or any(
                other[:2] == place[:2] and other[2] // 2 == place[2] // 2
                for other in used - {place}):
            place = anywhere(chance, used)
        cells.append(design.cell(FF, place, sets=sets(index)))
    for one, other in zip(cells, cells[1:]):
        design.net(one, other, start=310)
    return cells


def wire(places_, cells):
    return sum(abs(places_[one][0] - places_[other][0]) + abs(places_[one][1] - places_[other][1])
               for one, other in zip(cells, cells[1:]))


def test_wire():
    """a chain of 60 flip-flops anywhere, 400 tiles of wire, is at most 40 tiles long after"""
    design = Design()
    cells = chain(design, random.Random(3), 60)
    before = wire([cell[1:4] for cell in design.cells], cells)
    after = wire(annealed(design), cells)
    assert before > 300 and after <= 40, (before, after)


def test_sets():
    """flip-flops of two clocks share no tile, those of two clock enables no slice"""
    design = Design()
    chain(design, random.Random(4), 60, lambda index: (index % 2, 2 + index % 4))
    tiles, slices = {}, {}
    for cell, (column, row, position) in zip(design.cells, annealed(design)):
        assert tiles.setdefault((column, row), cell[5]) == cell[5]
        assert slices.setdefault((column, row, position // 2), cell[6]) == cell[6]


def test_pairs():
    """a LUT and its flip-flop stay together and go where they are wanted"""
    design, chance, used = Design(), random.Random(5), set()
    pairs = [design.pair(anywhere(chance, used)) for _ in range(30)]
    for (_, ff), (lut, _) in zip(pairs, pairs[1:]):
        design.net(ff, lut, start=310)
    at = annealed(design)
    assert all(at[lut] == at[ff] for lut, ff in pairs)
    assert wire(at, [lut for lut, _ in pairs]) < 25


def test_carry():
    """a carry chain moves whole: its cells keep their order, over two tiles side by side"""
    design = Design()
    carry = [design.cell(LUT, (2 + index // 8, 1, index % 8), IN_CARRY) for index in range(12)]
    design.runs.append((2, 1, 2))
    for one, other in zip(carry, carry[1:]):
        design.net(one, other, to=OWN_WIRE)
    fixed = design.cell(OTHER, (10, 6, 0), STAYS)
    for cell in [*carry, design.cell(LUT, (0, 0, 0))]:
        design.net(cell, fixed)
    at = annealed(design)
    column, row, _ = at[carry[0]]
    assert at[:12] == [(column + index // 8, row, index % 8) for index in range(12)], at
    assert (column, row) in ((9, 6), (10, 6)), at


def test_memory():
    """a distributed memory moves with its writer, whose slice takes no other LUT"""
    design, chance, used = Design(), random.Random(6), set()
    memory = [design.cell(LUT, (1, 1, position), IN_MEMORY) for position in range(6)]
    memory.append(design.cell(WRITER, (1, 1, 0), IN_MEMORY))
    used |= {(1, 1, position) for position in range(8)}
    loose = [design.cell(LUT, anywhere(chance, used)) for _ in range(40)]
    fixed = design.cell(OTHER, (9, 5, 0), STAYS)
    for cell in [*memory[:4], *loose]:
        design.net(cell, fixed)
    at = annealed(design)
    assert {place[:2] for place in at[:7]} == {at[0][:2]} and at[0][:2] != (1, 1), at[:7]
    assert [place[2] for place in at[:6]] == list(range(6))


def test_stays():
    """what stays does, and keeps its place from others"""
    design = Design()
    kept = [design.cell(LUT, (6, 4, position), STAYS) for position in range(7)]
    fixed = design.cell(OTHER, (6, 4, 0), STAYS)
    loose = [design.cell(LUT, (1, 1, position)) for position in range(8)]
    for cell in loose:
        design.net(cell, fixed)
    at = annealed(design)
    assert at[:7] == [(6, 4, position) for position in range(7)] and len(kept) == 7
    assert sum(place[:2] == (6, 4) for place in at[8:]) == 1, at


def test_blocks():
    """a block goes to the site of its class that is nearest to its logic"""
    design = Design(sites=[(0, 1, 1), (0, 5, 3), (0, 9, 5), (1, 10, 5)])
    ram = design.cell(BLOCK, (1, 1, 0), sets=(0, -1))
    fixed = design.cell(OTHER, (10, 5, 0), STAYS)
    for row in 0, ROWS - 1:
        design.cell(LUT, (0, row, 0))
    design.net(ram, fixed)
    assert annealed(design)[0][:2] == (9, 5)


def test_late_paths_first():
    """a LUT that many short paths hold goes to the one long path that it is on"""
    design = Design()
    left = [design.cell(OTHER, (0, row, 0), STAYS) for row in range(3)]
    far = design.cell(OTHER, (11, 2, 0), STAYS)
    lut = design.cell(LUT, (0, 2, 0))
    end = design.cell(OTHER, (11, 4, 0), STAYS)
    late = design.net(far, lut, start=7000)
    out = design.net(lut, end)
    design.arcs = [(out, late, 0, 140)]
    for cell in left:
        into = design.net(cell, lut, start=0)
        design.arcs.append((out, into, 0, 140))
    design.ends = [(out, 0, 0)]
    assert annealed(design)[4][0] >= 9


def test_shares():
    """of each connection it says how long the longest path through there is"""
    design = Design()
    ends = [design.cell(OTHER, (0, row, 0), STAYS) for row in range(4)]
    luts = [design.cell(LUT, (0, row, 0), STAYS) for row in range(2)]
    into = [design.net(ends[row], luts[row], start=start) for row, start in enumerate((7000, 0))]
    outs = [design.net(luts[row], ends[2 + row]) for row in range(2)]
    design.arcs = [(out, net, 0, 140) for out, net in zip(outs, into)]
    design.ends = [(out, 0, 0) for out in outs]
    done = run(design.text())
    shares = [int(line) for line in done.stdout.splitlines()[len(design.cells):]]
    assert shares[0] == shares[2] == 1000 and shares[1] == shares[3] < 200, shares


def test_setup():
    """what an end needs before its clock makes its path longer"""
    design = Design()
    ends = [design.cell(OTHER, (0, row, 0), STAYS) for row in range(4)]
    nets = [design.net(ends[row], ends[2 + row], start=5000) for row in range(2)]
    design.ends = [(nets[0], 0, 0), (nets[1], 0, 2000)]
    done = run(design.text())
    shares = [int(line) for line in done.stdout.splitlines()[len(design.cells):]]
    assert shares[1] == 1000 and shares[0] < 800, shares


def test_heat():
    """without it no move is made that costs, with much of it a good placement is lost at first"""
    design = Design()
    cells = [design.cell(FF, (column, 3, 0), sets=(0, 0)) for column in range(COLUMNS)]
    for one, other in zip(cells, cells[1:]):
        design.net(one, other, start=310)
    ends = [design.cell(OTHER, (column, 3, 0), STAYS) for column in (0, COLUMNS - 1)]
    design.net(cells[0], ends[0], start=310)
    design.net(cells[-1], ends[1], start=310)
    for heat, melts in (7, False), (10000, True):
        said = run(design.text(), moves=2000, heat=heat).stderr
        first, *wires = map(int, re.findall(r"wire (\d+) tiles", said))
        assert (max(wires) > first + COLUMNS) == melts, (heat, first, wires)


def test_directions():
    """40 wires through a row or column cost more than their length if all lead one way"""
    for tiles, ends in ((COLUMNS, [(0, 3, 0), (COLUMNS - 1, 3, 0)]),
                        (ROWS, [(3, 0, 0), (3, ROWS - 1, 0)])):
        length, wanted = 40 * (tiles - 1), 40 * (tiles - 1) / tiles
        for back, most, price in (0, wanted, 1 + 4 * (wanted / 25 - 1)), (20, wanted / 2, 1):
            design = Design()
            design.cell(LUT, (5, 5, 0))
            for index in range(40):
                cells = [design.cell(OTHER, end, STAYS) for end in ends]
                design.net(*(reversed(cells) if index < back else cells))
            said = run(design.text(), moves=1).stderr
            assert f"wire {length * price:.0f} tiles, at most {most:.0f} in one" in said, said


def test_seed():
    """a seed gives one placement, another seed another"""
    design = Design()
    chain(design, random.Random(7), 40)
    assert annealed(design, 2, 100) == annealed(design, 2, 100) != annealed(design, 3, 100)


def test_positions():
    """where a path goes on within a tile, its LUTs stand where that takes least"""
    design = Design()
    start = design.cell(FF, (2, 2, 0), sets=(0, 0))
    luts = [design.cell(LUT, (3 + index, 3, 1)) for index in range(6)]
    end = design.cell(FF, (9, 5, 0), sets=(0, 0))
    cells = [start, *luts, end]
    for number, (one, other) in enumerate(zip(cells, cells[1:])):
        design.net(one, other, start=-1 if number else 310)
    design.arcs = [(number, number - 1, 0, 140) for number in range(1, len(luts) + 1)]
    design.ends = [(len(luts), 0, 0)]
    found = annealed(design)
    within = [found[one][2] for one, other in zip(luts, luts[1:])
              if found[one][:2] == found[other][:2]]
    fast = {position for position, time in enumerate(ROUTES[:8]) if time == min(ROUTES[:8])}
    assert len(within) >= 2 and len(fast & set(within)) == len(fast), found
    assert sum(position in fast for position in within) >= len(within) / 2, within


def test_two_processes():
    """if one of its processes ends, the other says so and gives no places"""
    design = Design()
    chain(design, random.Random(7), 40)
    for victim in "second", "first":
        process = subprocess.Popen([ROOT / "build/anneal", DATABASE, "2", str(PERIOD), "100000",
                                    "1", "1000"], text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(design.text())
        process.stdin.close()
        process.stderr.readline()  # it has begun
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        other = int(children.read_text())
        os.kill(other if victim == "second" else process.pid, signal.SIGKILL)
        said, places = process.stderr.read(), process.stdout.read()  # both close when both end
        assert process.wait() != 0 and "the other process has ended" in said and not places, said


def refused(text, *said, **options):
    done = run(text, **options)
    assert done.returncode in (1, 2) and not done.stdout, done
    assert all(word in done.stderr for word in said), done.stderr


def test_bad_input():
    """what is no design, or stands as nothing may, is told with its place"""
    design = Design()
    refused("", "no number where columns should be")
    refused(" ".join(map(str, (12, 8, *ROUTES, 1, 99, 0))), "column is 99, not 0 to 11")
    refused(design.text() + " ", "PERIOD is '0'", period=0)
    refused(design.text() + " ", "HEAT is '0'", heat=0)
    for cells, said in [
            ([(FF, 3, 4, 0, FREE, 0, 0, -1), (FF, 3, 4, 7, FREE, 1, 0, -1)], "3, 4 cannot stand"),
            ([(FF, 3, 4, 0, FREE, 0, 0, -1), (FF, 3, 4, 1, FREE, 0, 1, -1)], "3, 4 cannot stand"),
            ([(LUT, 3, 4, 0, IN_CARRY, -1, -1, -1), (LUT, 3, 4, 1, FREE, -1, -1, -1)],
             "3, 4 cannot stand"),
            ([(LUT, 3, 4, 0, FREE, -1, -1, 1), (FF, 3, 4, 1, FREE, 0, 0, 0)], "from its partner"),
            ([(LUT, 3, 4, 0, FREE, -1, -1, -1)] * 2, "stand in one place"),
            ([(BLOCK, 3, 4, 0, FREE, 0, -1, -1)], "where no site is")]:
        design.cells = cells
        refused(design.text(), said)
    loop = Design()
    lut = loop.cell(LUT, (1, 1, 0))
    loop.net(lut, lut)
    loop.arcs = [(0, 0, 0, 140)]
    refused(loop.text(), "1 nets depend on themselves")


# --- tools/places.py ------------------------------------------------------------------------


def module():
    return {"ports": {}, "netnames": {}, "cells": {
        "lut": placed("TRELLIS_COMB", "X2/Y1/SLICEB.K1", {"A": 4}, {"F": 5}, MODE="LOGIC"),
        "ff": placed("TRELLIS_FF", "X2/Y1/SLICEB.FF1", {"CLK": 2, "DI": 5}, {"Q": 4}),
        "kept": placed("TRELLIS_COMB", "X0/Y1/SLICEA.K0", {"A": 4}, {"F": 6}, 6, MODE="LOGIC"),
        "ram": placed("DP16KD", "X1/Y0/EBR0", {"CLKA": 2, "ADA0": 6}, {"DOA0": 7}),
        "end": placed("TRELLIS_FF", "X0/Y1/SLICEA.FF0", {"CLK": 2, "M": 7}, {"Q": 8})}}


SITES = {"TRELLIS_COMB": [f"X{column}/Y1/SLICEA.K0" for column in range(4)],
         "DP16KD": ["X1/Y0/EBR0", "X3/Y0/EBR1"], "MULT18X18D": []}


def test_problem():
    """kinds, places, bonds, what flip-flops have in common, and who is whose partner"""
    lines = places.Problem(module(), SITES, 8).text().splitlines()
    assert " ".join(lines[1:4]) == " ".join(map(str, ROUTES)), lines[1:4]
    del lines[1:4]
    assert lines[:2] == ["4 2", "4"] and lines[6:9] == ["2", "0 1 0", "0 3 0"], lines
    assert lines[9:15] == ["5", "0 2 1 3 1 -1 -1 1", "1 2 1 3 1 0 1 0", "0 0 1 0 0 -1 -1 -1",
                           "3 1 0 0 1 0 -1 -1", "1 0 1 0 1 0 1 -1"], lines
    # no runs; four nets: of the LUT, the register, which starts paths, the other LUT, the RAM
    assert lines[15:21] == ["0", "4 5", "0 0 -1 1 1 -1", "1 1 309 2 0 0 2 0", "2 0 -1 1 3 0",
                            "3 0 1419 1 4 1"], lines
    assert lines[21:] == ["2", "0 1 0 141", "2 1 1 141", "3", "0 0 106", "2 0 67", "3 0 0"], lines


def test_take_places():
    """places go back into the netlist by their names, and shares are told by pins"""
    content = module()
    problem = places.Problem(content, SITES, 8)
    shares = problem.take_places(["0 3 1 6", "1 3 1 6", "2 0 1 0", "3 3 0 0", "4 1 1 2",
                                  "900 ", "1000 10 ", "20 ", "30 "])
    assert shares == {(5, ("ff", "DI")): 900, (4, ("lut", "A")): 1000, (4, ("kept", "A")): 10,
                      (6, ("ram", "ADA0")): 20, (7, ("end", "M")): 30}, shares
    assert [cell["attributes"]["NEXTPNR_BEL"] for cell in content["cells"].values()] == [
        "X3/Y1/SLICED.K0", "X3/Y1/SLICED.FF0", "X0/Y1/SLICEA.K0", "X3/Y0/EBR1",
        "X1/Y1/SLICEB.FF0"]


sys.exit(tap.run(__name__))
