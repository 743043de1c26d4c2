# SPDX-License-Identifier: Apache-2.0
"""Long paths of a placed ECP5 netlist through fewer LUTs.

Synthesis takes every route to be as long as any other, and gives what is deep in logic few
levels. Once cells are placed other paths are the long ones. Where such a path goes through two
LUTs in succession, the second is made anew of the functions of both, so that the path reaches it
at once; of what else they need, LUTs beside it are made, which have the time of the path before.
The first LUT stays for its other readers.

A register at the start of such a path that stands beside a carry or a memory, which drives it by a
wire of its own, gets its value by a route instead, if there is time for one: it may leave then.
"""

import collections
import functools
import itertools

from clones import Slots, is_lut
from netlist import Netlist, Pin, PlacedRoutes, is_bit, longest_paths, place_at
from places import BONDS, bel_of, net_of, place

LONG = 0.9  # of the longest path
PASSES = 6
MOST_PARTS = 2
GAIN = 0.1  # ns, at least
PRICE = 0.03  # ns that a LUT has to gain
EARLY = 0.6  # of the period: when a register's value is there that may leave

# A function of bits: bit i of a row's number is the value of bits[i].
Function = collections.namedtuple("Function", "bits table")
# LUTs in place of two: functions of bits, and the last, which reads them by their index.
Way = collections.namedtuple("Way", "parts last")


def value(function, values):
    return function.table >> sum(values[bit] << i for i, bit in enumerate(function.bits)) & 1


def tabulate(bits, evaluate):
    every = (dict(zip(bits, row[::-1])) for row in itertools.product((0, 1), repeat=len(bits)))
    return Function(tuple(bits), sum(evaluate(values) << row for row, values in enumerate(every)))


def function_of(cell):
    """Of a LUT; an input without a net is 1."""
    bits = [(cell["connections"].get(port) or ["1"])[0] for port in "ABCD"]
    whole, table = sorted(set(filter(is_bit, bits))), int(cell["parameters"]["INITVAL"], 2)
    return tabulate(whole, lambda values: table >> sum(
        (values[bit] if is_bit(bit) else int(bit != "0")) << i for i, bit in enumerate(bits)) & 1)


@functools.cache
def composed(second, bit, first):
    """The second function with the first in place of a bit"""
    bits = sorted({*first.bits, *second.bits} - {bit})
    return tabulate(bits, lambda values: value(second, {**values, bit: value(first, values)}))


def rows(function, bits):
    """What each row of some bits adds to the number of a row of the function"""
    places = [function.bits.index(bit) for bit in bits]
    return [sum((row >> i & 1) << place for i, place in enumerate(places))
            for row in range(1 << len(bits))]


def left(function, row, others):
    """The table that is left in the row of some bits, by the rows of the others"""
    return sum((function.table >> (row + other) & 1) << i for i, other in enumerate(others))


def fixed(function, bit, level):
    bits = tuple(other for other in function.bits if other != bit)
    return Function(bits, left(function, rows(function, [bit])[level], rows(function, bits)))


def reduced(function):
    """Without bits that it does not depend on"""
    for bit in function.bits:
        low = fixed(function, bit, 0)
        if low.table == fixed(function, bit, 1).table:
            return reduced(low)
    return function


def half(function, bits):
    """The one bit that all else has to know of these, as a function of them, and values of
    them for which it is 0 and 1; None if one bit is not enough."""
    rest = rows(function, [bit for bit in function.bits if bit not in bits])
    seen = {}
    table = 0
    for number, row in enumerate(rows(function, bits)):
        values = {bit: number >> i & 1 for i, bit in enumerate(bits)}
        which = seen.setdefault(left(function, row, rest), (len(seen), values))[0]
        if which > 1:
            return None
        table |= which << number
    examples = [values for _, values in sorted(seen.values(), key=lambda one: one[0])]
    return (Function(bits, table), examples) if len(examples) == 2 else None


def by_halves(function, halves, late):
    """The way with these in LUTs of their own"""
    made = {bit for part, _ in halves for bit in part.bits}
    inputs = [bit for bit in function.bits if bit not in made]
    numbers = [("part", index) for index in range(len(halves))]

    def last(values):
        known = {bit: values[bit] for bit in inputs}
        for number, (_, examples) in zip(numbers, halves):
            known.update(examples[values[number]])
        return value(function, known)

    if late not in inputs or len(inputs) + len(halves) > 4:
        return None
    return Way([part for part, _ in halves], tabulate([*inputs, *numbers], last))


def by_level(function, late):
    """The way with a function each for the late bit at 0 and at 1"""
    parts = [reduced(fixed(function, late, level)) for level in (0, 1)]
    if any(not 2 <= len(part.bits) <= 4 for part in parts):
        return None
    numbers = [("part", 0), ("part", 1)]
    return Way(parts, tabulate([late, *numbers], lambda values: values[numbers[values[late]]]))


@functools.cache
def ways(function, late):
    """LUTs for a function that the late bit goes through one of"""
    function = reduced(function)
    if late not in function.bits:
        return []
    if len(function.bits) <= 4:
        return [Way([], function)]
    others = [bit for bit in function.bits if bit != late]
    halves = [found for count in (4, 3, 2) for bits in itertools.combinations(others, count)
              if (found := half(function, bits))]
    pairs = ((one, other) for one, other in itertools.combinations(halves, 2)
             if not set(one[0].bits) & set(other[0].bits))
    found = [by_halves(function, some, late)
             for some in itertools.chain(((one,) for one in halves), pairs)]
    return [way for way in (*found, by_level(function, late)) if way]


def does(way, function):
    """Whether it is the function, in every row"""
    def whole(values):
        parts = {("part", index): value(part, values) for index, part in enumerate(way.parts)}
        return value(way.last, {**values, **parts})
    return tabulate(function.bits, whole).table == function.table


class Restructuring:
    """A module between passes"""

    def __init__(self, module, problem):
        self.module, self.cells, self.delays = module, problem.cells, problem.graph.delays
        self.graph = Netlist(module, problem.graph.speed, PlacedRoutes(problem.routes))
        self.slots = Slots(problem)
        self.found = {}  # arrivals, at the beginning of a pass
        self.touched, self.changed = set(), {}  # cells of a pass
        self.free = 1 + max(bit for net in module["netnames"].values() for bit in net["bits"]
                            if is_bit(bit))

    def run(self, period):
        """One pass over the long paths: how many LUTs were made anew, and registers let go"""
        self.graph.take(self.changed)
        self.found, self.touched, self.changed = self.graph.arrivals(), set(), {}
        paths = longest_paths(self.graph, self.found)
        limit, made = LONG * max(paths[0].time, period), 0
        for path in paths:
            if path.time < limit:
                break
            made += self.shorten(path) + self.let_go(path.bits[0], EARLY * period)
        return made

    def let_go(self, bit, early):
        """The register that drives a bit"""
        driver = self.graph.drivers.get(bit)
        cell = self.cells[driver.cell] if driver else {"type": None}
        data = net_of(cell, "DI") if cell["type"] == "TRELLIS_FF" else None
        if not is_bit(data) or self.found[data][0] > early:
            return False
        source = self.cells[self.graph.drivers[data].cell]
        if source["parameters"].get("MODE") not in BONDS:
            return False
        cell["connections"]["M"] = cell["connections"].pop("DI")
        cell["port_directions"]["M"] = cell["port_directions"].pop("DI")
        cell["parameters"]["SD"] = "0 "
        self.changed[driver.cell] = cell
        return True

    def shorten(self, path):
        best = max((found for pair in zip(path.bits, path.bits[1:], path.bits[2:])
                    if (found := self.best_way(*pair))), default=None, key=lambda one: one[0])
        if not best:
            return False
        self.make(*best[1:])
        return True

    def best_way(self, late, between, bit):
        """Gain, cells and way where a path goes from the late bit through two LUTs"""
        first, second = (self.graph.drivers[one].cell for one in (between, bit))
        if {first, second} & self.touched or not all(
                is_lut(self.cells[name]) for name in (first, second)):
            return None
        function = composed(function_of(self.cells[second]), between,
                            function_of(self.cells[first]))
        before = self.found[bit][0]
        bels = list(itertools.islice(
            self.slots.nearest(*place(bel_of(self.cells[second]))[:2]), MOST_PARTS))
        gains = ((before - self.arrival(way, second, bels) - PRICE * len(way.parts), way)
                 for way in ways(function, late) if len(way.parts) <= len(bels))
        gain, way = max(gains, default=(0, None), key=lambda one: one[0])
        if gain < GAIN:
            return None
        assert does(way, function), f"{second} would be another function"
        return gain, first, second, way, bels[:len(way.parts)]

    def arrival(self, way, name, bels):
        """Behind the last LUT, with the others there"""
        def behind(function, bel, parts):
            at = Pin(name, place_at(bel), "A")
            return self.delays["lut"] + max(
                time + self.graph.routes.between(driver, at)
                for driver, time in (parts[bit] if bit in parts else
                                     (self.graph.drivers.get(bit), self.found.get(bit, (0,))[0])
                                     for bit in function.bits))
        parts = {("part", index): (Pin(name, place_at(bel), "F"), behind(part, bel, {}))
                 for index, (part, bel) in enumerate(zip(way.parts, bels))}
        return behind(way.last, bel_of(self.cells[name]), parts)

    def make(self, first, second, way, bels):
        """Into the netlist"""
        cell, bits = self.cells[second], {}
        for index, (part, bel) in enumerate(zip(way.parts, bels)):
            name = f"{second}.part{self.free}"
            self.slots.take(bel)
            bits["part", index] = self.free
            self.module["netnames"][name] = {"hide_name": 1, "bits": [self.free],
                                             "attributes": {}}
            self.module["cells"][name] = {
                **cell, "attributes": {**cell["attributes"], "NEXTPNR_BEL": bel},
                "parameters": dict(cell["parameters"]),
                "connections": {port: [] for port in cell["connections"]} | {"F": [self.free]}}
            connect(self.module["cells"][name], part)
            self.changed[name] = self.module["cells"][name]
            self.free += 1
        connect(cell, Function([bits.get(bit, bit) for bit in way.last.bits], way.last.table))
        self.changed[second] = cell
        self.touched.update((first, second))


def connect(cell, function):
    """A LUT's inputs and contents; it does not depend on inputs that are left."""
    rows = len(function.bits)
    table = sum((function.table >> row % (1 << rows) & 1) << row for row in range(16))
    cell["parameters"]["INITVAL"] = f"{table:016b}"
    for port, bit in itertools.zip_longest("ABCD", function.bits):
        cell["connections"][port] = [] if bit is None else [bit]


def drop_unread(module):
    """LUTs that nobody reads any more; whether there were any"""
    cells = module["cells"]
    read = {bit for cell in cells.values() for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == "input" for bit in bits}
    names = {net["bits"][0]: name for name, net in module["netnames"].items()}
    unread = [(name, *cell["connections"]["F"]) for name, cell in cells.items()
              if is_lut(cell) and cell["connections"].get("F") and
              cell["connections"]["F"][0] not in read]
    for name, bit in unread:
        del module["netnames"][names[bit]], cells[name]
    return bool(unread)


def restructure(module, problem, period):
    """The module's paths that are nearly as long as the longest of them or the period (ns), and
    longer. Returns how many LUTs were made anew."""
    made, restructuring = 0, Restructuring(module, problem)
    for _ in range(PASSES):
        done = restructuring.run(period)
        if not done:
            break
        made += done
    while drop_unread(module):
        pass
    return made
