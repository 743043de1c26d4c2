# SPDX-License-Identifier: Apache-2.0
"""Sites for the block RAMs of a board, from a placement of the whole.

nextpnr-ecp5's placer gives block RAMs their sites early and packs them side by side; what
it moves later is logic. So a tenth of all wire leads to block RAMs that stand in the wrong
place, and where two with a word of 64 bits are neighbours there are not lines enough. Here the
logic stays where it is, and block RAMs are moved and exchanged by simulated annealing: the
cost is half the perimeter of each of their nets, and CROWD for each wide one and each wide
one beside it.
"""

import collections
import csv
import functools
import math
import random
import re

CROWD = 200    # tiles of wire
WIDE = 60      # nets from which on a block RAM is wide
HOT, COOLER, ROUNDS, MOVES = 200, 0.87, 60, 25  # temperatures in tiles; moves of each, a round
GLOBAL = ("DCCA", "EHXPLLL")  # drive clock nets, which take no other wire

Net = collections.namedtuple("Net", "points rams")  # corners of the rest, block RAMs


@functools.cache
def position(site):
    return tuple(map(int, re.match(r"X(\d+)/Y(\d+)/", site).groups()))


def nets(module):
    """The nets of block RAMs in a placed module, and the site of each block RAM."""
    placed = {name: cell for name, cell in module["cells"].items()
              if "NEXTPNR_BEL" in cell["attributes"]}
    pins, globally = collections.defaultdict(set), set()
    for name, cell in placed.items():
        for port, bits in cell["connections"].items():
            bits = [bit for bit in bits if isinstance(bit, int)]
            for bit in bits:
                pins[bit].add(name)
            if cell["type"] in GLOBAL and cell["port_directions"][port] == "output":
                globally.update(bits)
    rams = {name: cell["attributes"]["NEXTPNR_BEL"] for name, cell in placed.items()
            if cell["type"] == "DP16KD"}
    found = []
    for bit, cells in pins.items():
        if bit in globally or len(cells) < 2 or not cells & rams.keys():
            continue
        rest = [position(placed[name]["attributes"]["NEXTPNR_BEL"])
                for name in cells - rams.keys()]
        columns, rows = zip(*rest) if rest else ((), ())
        found.append(Net([(min(columns), min(rows)), (max(columns), max(rows))] if rest else [],
                         sorted(cells & rams.keys())))
    return found, rams


class Arrangement:
    """Which block RAM stands at which site."""

    def __init__(self, found, rams, sites):
        self.nets, self.at, self.sites = found, dict(rams), sorted(sites, key=position)
        self.on = {site: name for name, site in rams.items()}
        self.nets_of = collections.defaultdict(set)
        for index, net in enumerate(found):
            for name in net.rams:
                self.nets_of[name].add(index)
        rows = collections.defaultdict(list)
        for site in self.sites:
            rows[position(site)[1]].append(site)
        self.beside = collections.defaultdict(set)
        for row in rows.values():
            for left, right in zip(row, row[1:]):
                self.beside[left].add(right)
                self.beside[right].add(left)

    def is_wide(self, site):
        return len(self.nets_of[self.on[site]]) >= WIDE if site in self.on else False

    def crowd(self, sites):
        return sum(CROWD for site in sites if self.is_wide(site)
                   for other in self.beside[site] if self.is_wide(other))

    def wire(self, indices):
        length = 0
        for index in indices:
            net = self.nets[index]
            columns, rows = zip(*net.points, *[position(self.at[name]) for name in net.rams])
            length += max(columns) - min(columns) + max(rows) - min(rows)
        return length

    def exchange(self, one, other):
        """Whatever is at one site and at the other; either may be free."""
        names = self.on.pop(one, None), self.on.pop(other, None)
        for name, site in zip(names, (other, one)):
            if name:
                self.on[site], self.at[name] = name, site

    def move(self, name, site, heat, chance):
        """Exchange, but take it back if it costs more than the heat allows."""
        before_site, there = self.at[name], self.on.get(site)
        touched = self.nets_of[name] | (self.nets_of[there] if there else set())
        around = {site, before_site, *self.beside[site], *self.beside[before_site]}
        before = self.wire(touched) + self.crowd(around)
        self.exchange(before_site, site)
        more = self.wire(touched) + self.crowd(around) - before
        if more > 0 and chance.random() >= math.exp(-more / heat):
            self.exchange(before_site, site)

    def total(self):
        return self.wire(range(len(self.nets)))


def arrange(module, sites):
    """Better sites for the block RAMs of a placed module; wire before and after."""
    found, rams = nets(module)
    arrangement, chance, heat = Arrangement(found, rams, sites), random.Random(1), HOT
    before = arrangement.total()
    names = sorted(rams)
    for _ in range(ROUNDS):
        for _ in range(MOVES * len(names)):
            name, site = chance.choice(names), chance.choice(arrangement.sites)
            if arrangement.at[name] != site:
                arrangement.move(name, site, heat, chance)
        heat *= COOLER
    return arrangement.at, before, arrangement.total()


def write(path, at, tool):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(f"# SPDX-License-Identifier: Apache-2.0\n# Written by {tool}\n")
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerows(sorted(at.items()))


def read(path):
    """Block RAM by name: its site. Empty without a file."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()
             if not line.startswith("#")]
    return dict(csv.reader(lines, delimiter="\t"))
