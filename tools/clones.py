# SPDX-License-Identifier: Apache-2.0
"""Clones of LUTs in a placed ECP5 netlist.

Synthesis makes a function once, however far apart those are who need it; a path through such a
LUT goes wherever its other readers want it to be. Where a long path goes through a LUT that also
has readers with time to spare, these keep the LUT, and those on long paths get one of their own.
So does each group of many that are far from each other.
"""

import collections

from netlist import OWN_WIRES, is_bit
from places import BONDS, bel_of, place

LONG = 920  # thousandths of the longest path
MOST = 16  # readers of a clone
WIDEST = 16  # tiles between them
STAYING = {*OWN_WIRES, "F1"}  # inputs that the next cell has a wire of its own to
CONTROL = {"CE", "LSR", "WRE"}  # must be of one net where cells stand together


def is_lut(cell):
    return (cell["type"] == "TRELLIS_COMB" and
            cell["parameters"].get("MODE") not in BONDS and
            not cell["connections"].get("OFX"))


def groups(pins, cells):
    """Readers that stand near each other; those of a tile stay together"""
    tiles = collections.defaultdict(list)
    for pin in pins:
        tiles[place(bel_of(cells[pin[0]]))[:2]].append(pin)
    return halves(list(tiles), tiles) if tiles else []


def halves(order, tiles):
    """Tiles in two halves, and these again, until they are near each other and few read there"""
    axis = max((0, 1), key=lambda axis: spread(order, axis))
    if len(order) < 2 or (spread(order, axis) <= WIDEST and
                          sum(len(tiles[tile]) for tile in order) <= MOST):
        return [[pin for tile in order for pin in tiles[tile]]]
    order = sorted(order, key=lambda tile: (tile[axis], tile))
    half = len(order) // 2
    return halves(order[:half], tiles) + halves(order[half:], tiles)


def spread(order, axis):
    """How many tiles they are apart"""
    return max(tile[axis] for tile in order) - min(tile[axis] for tile in order)


def wanted(problem, critical):
    """Of each LUT's bit the groups of its readers that get a LUT of their own"""
    for bit, (name, port) in problem.drivers.items():
        cell = problem.cells[name]
        if port != "F" or not is_lut(cell) or len(problem.sinks[bit]) < 2:
            continue
        long = [pin for pin in problem.sinks[bit]
                if critical[bit, pin] >= LONG and pin[1] not in STAYING]
        control = [pin for pin in problem.sinks[bit] if pin[1] in CONTROL]
        parts = groups([pin for pin in long if pin not in control], problem.cells)
        if set(control) & set(long):
            parts += groups(control, problem.cells)
        if sum(map(len, parts)) == len(problem.sinks[bit]):
            parts = parts[1:]
        yield bit, parts


class Slots:
    """Free places for LUTs"""

    def __init__(self, problem):
        used = collections.defaultdict(set)
        for cell in problem.cells.values():
            if cell["type"] in ("TRELLIS_COMB", "TRELLIS_RAMW"):
                bel = bel_of(cell)
                used[bel.rpartition(".")[0]].add(bel)
                if cell["type"] == "TRELLIS_RAMW" or cell["parameters"].get("MODE") in BONDS:
                    used[bel.rpartition(".")[0]].add("all")
        self.free = collections.defaultdict(list)
        for bel in problem.sites["TRELLIS_COMB"]:
            slice_used = used[bel.rpartition(".")[0]]
            if "all" not in slice_used and bel not in slice_used:
                self.free[place(bel)[:2]].append(bel)

    def nearest(self, column, row):
        """Those around a tile, the nearest first"""
        for away in range(20):
            for x in range(column - away, column + away + 1):
                for y in {row - away + abs(x - column), row + away - abs(x - column)}:
                    yield from reversed(self.free.get((x, y), []))

    def take(self, bel):
        self.free[place(bel)[:2]].remove(bel)


def add(module, problem, critical):
    """Into the module; how many"""
    slots, count = Slots(problem), 0
    names = {bit: name for name, net in module["netnames"].items() for bit in net["bits"]}
    free = 1 + max(bit for net in module["netnames"].values() for bit in net["bits"]
                   if is_bit(bit))
    for bit, parts in list(wanted(problem, critical)):
        name, _ = problem.drivers[bit]
        cell = problem.cells[name]
        for pins in parts:
            bel = next(slots.nearest(*place(bel_of(cell))[:2]), None)
            if not bel:
                continue
            slots.take(bel)
            count += 1
            clone = f"{name}.clone{count}"
            module["netnames"][clone] = {"hide_name": 1, "bits": [free], "attributes": {}}
            module["cells"][clone] = {
                **cell, "attributes": {**cell["attributes"], "NEXTPNR_BEL": bel},
                "connections": {**cell["connections"], "F": [free]}}
            for reader, port in pins:
                problem.cells[reader]["connections"][port] = [free]
            free += 1
    return count
