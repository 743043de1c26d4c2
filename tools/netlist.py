# SPDX-License-Identifier: Apache-2.0
"""A mapped ECP5 netlist as a graph of delays: where paths start, what lies between, where
they end. tools/paths prints them, tools/places.py gives them to the annealer."""

import collections
import functools
import re

# ns, as nextpnr has them: a LUT, a register or memory to its output, a carry chain from an
# operand to its carry, from carry to carry, and to a sum. Speed 8 is that of the 5G parts.
# Rounded to hundredths a chain of 32 bits was 0.1 ns short.
DELAYS = {
    8: {"lut": 0.141, "TRELLIS_FF": 0.309, "DP16KD": 1.419, "TRELLIS_DPR16X4": 0.562,
        "to_carry": 0.278, "carry": 0.043, "to_sum": 0.273, "multiply": 2.54},
    6: {"lut": 0.239, "TRELLIS_FF": 0.525, "DP16KD": 5.716, "TRELLIS_DPR16X4": 0.929,
        "to_carry": 0.447, "carry": 0.071, "to_sum": 0.474, "multiply": 3.93},
}

# ns that an input of a cell needs before its clock, or for the wire of its own to there; what is
# not here needs none
SETUP = {
    8: {"TRELLIS_FF": {"CE": 0.225, "DI": 0.106},
        "TRELLIS_DPR16X4": {"WRE": 0.208, "WD": 0.056, "WAD": 0.056},
        "DP16KD": {"WE": 0.149, "CE": 0.065, "AD": 0.067, "DI": 0.059, "RST": 0.085}},
    6: {"TRELLIS_FF": {"CE": 0.424, "DI": 0.130},
        "TRELLIS_DPR16X4": {"WRE": 0.392, "WD": 0.080, "WAD": 0.080},
        "DP16KD": {"WE": 0.585, "CE": 0.253, "AD": 0.251, "DI": 0.218, "RST": 0.340}},
}

# ns of a route: from a register within the tile, to the next tile, and more for each tile, up to
# near_tiles and beyond. These are what tools/pnr finds in an empty device, and 0.07 for the way
# around others. Each LUT of a tile has other wires: within the tile, and what a route to another
# tile takes more for that. Both are the middle of some 45,000 routes of a full 45F. Of the sixth
# LUT's output nextpnr knows no delays and takes none; it is taken for the eighth's here, so that
# nothing seeks what no part has. nextpnr-ecp5 itself predicts none within a tile and twice as
# much far away.
Routes = collections.namedtuple(
    "Routes", "in_tile beyond from_register next near far near_tiles")
ROUTES = {8: Routes((0.142, 0.409, 0.142, 0.409, 0.290, 0.410, 0.290, 0.410),
                    (0.095, 0.145, 0.095, 0.145, 0.100, 0.180, 0.100, 0.180),
                    0.520, 0.350, 0.036, 0.040, 12),
          6: Routes((0.218, 0.618, 0.218, 0.618, 0.424, 0.627, 0.424, 0.627),
                    (0.142, 0.217, 0.142, 0.217, 0.150, 0.270, 0.150, 0.270),
                    0.780, 0.530, 0.056, 0.061, 12)}
# Inputs with a wire of their own, which need no route
OWN_WIRES = ("DI", "FCI", "FXA", "FXB", "WD", "WAD0", "WAD1", "WAD2", "WAD3")

# The write data and address of a distributed memory go through a cell of their own.
WRITE_PORTS = {"WADO0": "D0", "WADO1": "B0", "WADO2": "C0", "WADO3": "A0",
               "WDO0": "C1", "WDO1": "A1", "WDO2": "D1", "WDO3": "B1"}
CLOCKS = r"W?CLK([AB]|[0-3]|I|FB)?|WCK"

Pin = collections.namedtuple("Pin", "cell place port")
End = collections.namedtuple("End", "bit name pin setup")
# From an input bit to an output of one cell: the time to the input, and through the cell.
Arc = collections.namedtuple("Arc", "source route delay level")
Path = collections.namedtuple("Path", "time level bits end")  # the bits from start to end


class Place:
    """Where nextpnr put a cell: the tile, and which LUT or register of eight it is there."""

    def __init__(self, text):
        self.text = text
        column, row, _, letter, index = re.match(
            r"X(\d+)/Y(\d+)/(SLICE([A-D])\.(?:K|FF)([01])$)?", text).groups()
        self.tile = int(column), int(row)
        self.slot = letter and letter + index
        self.position = None if letter is None else "ABCD".index(letter) * 2 + int(index)


@functools.cache
def place_at(text):
    return Place(text)


class PlacedRoutes:
    """As routed designs have them."""

    def __init__(self, routes):
        self.routes = routes

    def between(self, driver, sink):
        if not (driver and sink.place) or sink.port in OWN_WIRES:  # the top's ports have no place
            return 0.0
        tiles = sum(abs(a - b) for a, b in zip(driver.place.tile, sink.place.tile))
        position = None if driver.port == "Q" else driver.place.position
        if not tiles:
            return self.routes.from_register if position is None else self.routes.in_tile[position]
        near = min(tiles, self.routes.near_tiles)
        beyond = 0 if position is None else self.routes.beyond[position]
        return beyond + self.routes.next + self.routes.near * near + self.routes.far * (tiles - near)


class Netlist:
    """The top module: where paths start, what lies between, where they end."""

    def __init__(self, module, speed, routes):
        self.speed, self.routes = speed, routes
        self.delays, self.setup = DELAYS[speed], SETUP[speed]
        self.names, self.hidden = names_of(module, 0), names_of(module, 1)
        self.drivers, self.starts, self.arcs, self.ends = {}, {}, {}, []
        self.origin = {}  # of a register's bit: its lines in the source
        self.take(module["cells"])
        for name, port in module["ports"].items():
            for bit in filter(is_bit, port["bits"]):
                if port["direction"] == "input":
                    self.starts.setdefault(bit, 0.0)
                else:
                    self.ends.append(End(bit, name, Pin(name, None, ""), 0.0))

    def take(self, cells):
        """What cells are now; new ones in the order of the module"""
        self.ends = [end for end in self.ends if end.pin.cell not in cells]
        pins = {name: pins_of(name, cell) for name, cell in cells.items()}
        for _, outputs in pins.values():
            self.drivers.update({bit: pin for pin, bit in outputs})
        for name, cell in cells.items():
            self.add(name, cell, *pins[name])

    def add(self, name, cell, inputs, outputs):
        kind, delays = cell["type"], self.delays
        if kind == "TRELLIS_COMB":
            kind = {"CCU2": "CCU2C", "DPRAM": "TRELLIS_DPR16X4"}.get(
                cell.get("parameters", {}).get("MODE"), "LUT4")
        if kind == "LUT4":  # one without inputs is a constant, where no path starts
            for output in outputs:
                self.connect([output], those(inputs, through(output, inputs)), delays["lut"])
        elif kind == "CCU2C":
            self.connect_carry(outputs, inputs)
        elif kind == "TRELLIS_RAMW":
            for output in outputs:
                self.connect([output], those(inputs, WRITE_PORTS[output[0].port]), 0.0)
        elif kind == "MULT18X18D":
            self.connect(outputs, those(inputs, r"[AB]\d+"), delays["multiply"])
        elif kind != "DCCA":  # drives a clock
            if kind == "TRELLIS_DPR16X4":  # reads at once, is written by the clock
                reads = those(inputs, "RAD|[ABCD]")
                self.connect(outputs, reads, delays["lut"])
                inputs = [one for one in inputs if one not in reads]
            self.add_clocked(name, cell, kind, inputs, outputs)

    def add_clocked(self, name, cell, kind, inputs, outputs):
        delay, setup = self.delays.get(kind, 0.0), self.setup.get(kind, {})
        lines = re.sub(r".*/", "", cell.get("attributes", {}).get("src", "").split("|")[0])
        for _, bit in outputs:
            self.starts[bit] = delay
            self.origin[bit] = lines
        where = next((bit for _, bit in outputs), None)
        self.ends += [End(bit, f"{self.name(where, name)}.{pin.port}", pin,
                          setup.get(re.sub(r"[AB]?\d*$", "", pin.port), 0.0))
                      for pin, bit in inputs if not is_among(pin.port, CLOCKS)]

    def arc(self, pin, source, delay, level=1):
        return Arc(source, self.route(source, pin), delay, level)

    def route(self, bit, pin):
        return self.routes.between(self.drivers.get(bit), pin)

    def connect(self, outputs, inputs, delay):
        for _, bit in outputs:
            self.arcs[bit] = [self.arc(pin, source, delay) for pin, source in inputs]

    def connect_carry(self, outputs, inputs):
        """One cell for two bits, or in a placed netlist one for each."""
        delays = self.delays
        for output, bit in outputs:
            to = delays[{"COUT": "to_carry", "FCO": "to_carry", "F": "lut"}.get(
                output.port, "to_sum")]
            along = delays["carry" if output.port in ("COUT", "FCO") else "to_sum"]
            self.arcs[bit] = [self.arc(pin, source, along, 0) if pin.port in ("CIN", "FCI")
                              else self.arc(pin, source, to) for pin, source in inputs]

    def name(self, bit, otherwise="?"):
        return self.names.get(bit) or self.origin.get(bit) or otherwise

    def place(self, bit):
        """Of the cell that drives a bit, if it has one."""
        return place_text(self.drivers.get(bit))

    def arrivals(self):
        """Of each bit: time, levels, and the arc by which the longest path comes."""
        found = {bit: (time, 0, None) for bit, time in self.starts.items()}
        for bit in self.in_order():
            best = found.get(bit, (-1.0, 0, None))
            for arc in self.arcs[bit]:
                time, level, _ = found.get(arc.source, (None, 0, None))
                if time is not None and time + arc.route + arc.delay > best[0]:
                    best = (time + arc.route + arc.delay, level + arc.level, arc)
            if best[0] >= 0:
                found[bit] = best
        return found

    def in_order(self):
        """The bits that cells of logic drive, each behind those that it depends on."""
        seen, order = set(), []
        for root in self.arcs:
            stack = [(root, False)]
            while stack:
                bit, done = stack.pop()
                if done:
                    order.append(bit)
                elif bit not in seen:
                    seen.add(bit)
                    stack.append((bit, True))
                    stack += [(arc.source, False) for arc in self.arcs[bit]
                              if arc.source in self.arcs and arc.source not in seen]
        return order


def longest_paths(netlist, found):
    """The longest to each end, the longest first."""
    paths = []
    for end in netlist.ends:
        if end.bit in found:
            bits = [end.bit]
            while arc := found[bits[-1]][2]:
                bits.append(arc.source)
            time, level, _ = found[end.bit]
            paths.append(Path(time + netlist.route(end.bit, end.pin) + end.setup, level,
                              bits[::-1], end))
    return sorted(paths, key=lambda path: (-path.time, path.end.name))


def is_bit(bit):
    return isinstance(bit, int)


def pins_of(name, cell):
    """The inputs and the outputs of a cell, each with the bit there."""
    place = cell.get("attributes", {}).get("NEXTPNR_BEL")
    place = place and place_at(place)
    pins = {"input": [], "output": [], "inout": []}
    for port, connected in cell["connections"].items():
        pins[cell["port_directions"][port]] += [(Pin(name, place, port), bit)
                                                for bit in connected if is_bit(bit)]
    return pins["input"], pins["output"]


@functools.cache
def is_among(port, ports):
    return bool(re.fullmatch(ports, port))


def those(pins, ports):
    return [(pin, bit) for pin, bit in pins if is_among(pin.port, ports)]


def through(output, inputs):
    """The inputs that an output of a LUT is made of; OFX is that of several LUTs."""
    if output[0].port != "OFX":
        return "[ABCD]"
    return "FX[AB]|M" if those(inputs, "FX[AB]") else "[ABCD]|F1|M"


def place_text(pin):
    return pin.place.text if pin and pin.place else ""


def names_of(module, hidden):
    """Of each bit the deepest of its names, which is where it comes from."""
    names, depths = {}, {}
    for name, net in module["netnames"].items():
        if net.get("hide_name", 0) != hidden:
            continue
        depth = name.count(".")
        for index, bit in enumerate(net["bits"]):
            if is_bit(bit) and depth >= depths.get(bit, 0):
                names[bit] = name if len(net["bits"]) == 1 else f"{name}[{index}]"
                depths[bit] = depth
    return names


def top_of(modules):
    return modules[0] if len(modules) == 1 else next(
        m for m in modules if int(m.get("attributes", {}).get("top", "0"), 2))
