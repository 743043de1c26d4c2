# SPDX-License-Identifier: Apache-2.0
"""A placed netlist of an ECP5 for the annealer and the router (tools/pnr), and what they find
back into it.

The netlist is what nextpnr-ecp5 writes behind packing and placement. What of it the two have
to know is written as numbers; the order is that of read_design() in design.c, and behind it
that of read_pins() in route.c.
"""

import collections
import re

from netlist import OWN_WIRES, ROUTES, Netlist, is_bit, place_at

KINDS = {"TRELLIS_COMB": 0, "TRELLIS_FF": 1, "TRELLIS_RAMW": 2, "DP16KD": 3, "MULT18X18D": 3}
OTHER = 4
BLOCKS = ("DP16KD", "MULT18X18D")  # with sites of their own, by class
FIXED = 4  # nextpnr's strength of places from which on it moves nothing
WEAK = 1  # and that of routes which its router may change
STAYS, FREE, IN_CARRY, IN_MEMORY = range(4)
BONDS = {"CCU2": IN_CARRY, "DPRAM": IN_MEMORY, "RAMW_BLOCK": IN_MEMORY}  # by a LUT's mode
INPUTS = {"M": 1, "CE": 2, "LSR": 3, "WRE": 3}
GLOBAL = ("DCCA", "EHXPLLL")  # drive clock nets, which take no other wire


class Sink:
    """In place of a route: which input it leads to."""

    def between(self, _driver, sink):
        return sink


def place(bel):
    """Column, row and position in its tile."""
    at = place_at(bel)
    return *at.tile, at.position or 0


def bel_of(cell):
    return cell["attributes"]["NEXTPNR_BEL"]


def net_of(cell, port):
    bits = cell["connections"].get(port, [])
    return bits[0] if bits else None


def control(cell):
    """What flip-flops of a tile have in common, and what those of a slice have."""
    def setting(name, otherwise):
        return cell["parameters"].get(name, otherwise)
    return ((net_of(cell, "CLK"), net_of(cell, "LSR"), setting("CLKMUX", "CLK"),
             setting("LSRMUX", "LSR"), setting("SRMODE", "LSR_OVER_CE")),
            (net_of(cell, "CE"), setting("CEMUX", "CE"), setting("GSR", "ENABLED")))


def as_text(lines):
    return "\n".join(" ".join(map(str, line)) for line in lines) + "\n"


def wire_of(name):
    """Column, row and name in the tile; some pins have no wire."""
    found = re.fullmatch(r"X(\d+)/Y(\d+)/(\S+)", name or "")
    return found.groups() if found else (-1, -1, "-")


def input_of(port):
    """Of a tile's inputs: what kind, or that it has a wire of its own"""
    return -1 if port in OWN_WIRES else INPUTS.get(port, 0)


class Problem:
    """A placed module as numbers; sites are the names that nextpnr has for the part."""

    def __init__(self, module, sites, speed):
        self.cells, self.sites = module["cells"], sites
        self.names = list(self.cells)
        self.index = {name: index for index, name in enumerate(self.names)}
        self.graph = Netlist(module, speed, Sink())
        self.routes = ROUTES[speed]
        self.drivers, self.sinks = self.pins()
        self.clock_nets = [name for name, net in module["netnames"].items()
                           if not self.drivers.keys() & net["bits"]]
        self.partners = self.pairs()
        self.blocks = [(BLOCKS.index(kind), *place(bel)[:2], bel)
                       for kind in BLOCKS for bel in sites[kind]]

    def pins(self):
        """Of each bit who drives it, and who reads it; clock nets are left out."""
        drivers, sinks, clocks = {}, collections.defaultdict(list), set()
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                direction = cell["port_directions"][port]
                for bit in filter(is_bit, bits):
                    if direction == "output":
                        drivers[bit] = name, port
                    elif direction == "input":
                        sinks[bit].append((name, port))
                if direction == "output" and cell["type"] in GLOBAL:
                    clocks.update(bits)
        return {bit: pin for bit, pin in drivers.items()
                if bit in sinks and bit not in clocks}, sinks

    def pairs(self):
        """A flip-flop whose data comes by the wire of its own from the LUT in front of it."""
        pairs = {}
        for name, cell in self.cells.items():
            source = net_of(cell, "DI") if cell["type"] == "TRELLIS_FF" else None
            if is_bit(source):
                lut, _ = self.drivers[source]
                pairs[name], pairs[lut] = lut, name
        return pairs

    def bond(self, name):
        cell = self.cells[name]
        if cell["type"] not in KINDS or int(cell["attributes"]["BEL_STRENGTH"], 2) >= FIXED:
            return STAYS
        if cell["type"] == "TRELLIS_RAMW":
            return IN_MEMORY
        if cell["type"] == "TRELLIS_COMB":
            return BONDS.get(cell["parameters"].get("MODE"), FREE)
        partner = self.partners.get(name)
        return self.bond(partner) if partner else FREE

    def text(self):
        """The design for the annealer"""
        return as_text([*self.device(), *self.cell_lines(), *self.runs(), *self.nets()])

    def clocks(self, module):
        """The module without all nets but those of clocks, for nextpnr to route these first."""
        bits = {bit for name in self.clock_nets for bit in module["netnames"][name]["bits"]}
        cells = {name: {**cell, "connections": {
            port: [bit for bit in connected if bit in bits]
            for port, connected in cell["connections"].items()}}
            for name, cell in self.cells.items()}
        nets = {name: module["netnames"][name] for name in self.clock_nets}
        return {**module, "cells": cells, "netnames": nets}

    def clock_routes(self, routed):
        """By name, in the module that nextpnr routed, in which bits have other numbers"""
        routes = {name: net["attributes"].get("ROUTING") for name, net in routed["netnames"].items()
                  if name in self.clock_nets}
        return {name: route for name, route in routes.items() if route}

    def pin_text(self, wires, routed):
        """For the router, behind the text of the same places: wires of all pins, by cell and
        port, as nextpnr names them, and those of clock nets' routes, in the module that it
        routed."""
        pins = [wires.get(pin) for bit, driver in self.drivers.items()
                for pin in (driver, *self.sinks[bit])]
        taken = [wire for route in self.clock_routes(routed).values()
                 for wire in route.split(";")[::3]]
        return as_text([*map(wire_of, pins), [len(taken)], *map(wire_of, taken)])

    def device(self):
        tiles = {place(bel)[:2] for bel in self.sites["TRELLIS_COMB"]}
        everywhere = [place(bel_of(cell)) for cell in self.cells.values()] + list(tiles)
        yield max(at[0] for at in everywhere) + 1, max(at[1] for at in everywhere) + 1
        for routes in self.routes.in_tile, self.routes.beyond, [self.routes.from_register]:
            yield [round(time * 1000) for time in routes]
        yield [len(tiles)]
        yield from sorted(tiles, key=lambda tile: (tile[1], tile[0]))
        yield [len(self.blocks)]
        yield from (block[:3] for block in self.blocks)

    def cell_lines(self):
        numbers = {}

        def number(what):
            return numbers.setdefault(what, len(numbers))

        yield [len(self.names)]
        for name, cell in self.cells.items():
            kind, sets = KINDS.get(cell["type"], OTHER), (-1, -1)
            if cell["type"] == "TRELLIS_FF":
                sets = tuple(map(number, control(cell)))
            elif cell["type"] in BLOCKS:
                sets = BLOCKS.index(cell["type"]), -1
            yield (kind, *place(bel_of(cell)), self.bond(name), *sets,
                   self.index.get(self.partners.get(name), -1))

    def runs(self):
        """The tiles side by side that a carry chain goes through."""
        carries = [place(bel_of(cell))[:2] for cell in self.cells.values()
                   if cell["parameters"].get("MODE") == "CCU2"]
        further = {}
        for bit, (name, port) in self.drivers.items():
            here = place(bel_of(self.cells[name]))[:2]
            for sink, sink_port in self.sinks[bit] if port == "FCO" else []:
                there = place(bel_of(self.cells[sink]))[:2]
                if sink_port == "FCI" and there != here:
                    further[here] = there
        starts = sorted(set(carries) - set(further.values()))
        yield [len(starts)]
        for start in starts:
            length, here = 1, start
            while here in further:
                length, here = length + 1, further[here]
            yield *start, length

    def nets(self):
        """Nets with their connections, the arcs through cells, and where paths end."""
        number, pin = {bit: index for index, bit in enumerate(self.drivers)}, {}
        yield len(number), sum(len(self.sinks[bit]) for bit in number)
        for bit, (name, port) in self.drivers.items():
            start = self.graph.starts.get(bit)
            line = [self.index[name], int(port == "Q"),
                    -1 if start is None else round(start * 1000), len(self.sinks[bit])]
            for index, (sink, sink_port) in enumerate(self.sinks[bit]):
                pin[bit, sink, sink_port] = index
                line += [self.index[sink], input_of(sink_port)]
            yield line
        arcs = [(number[bit], number[arc.source], pin[arc.source, arc.route.cell, arc.route.port],
                 round(arc.delay * 1000)) for bit, arcs in self.graph.arcs.items() if bit in number
                for arc in arcs if arc.source in number]
        yield [len(arcs)]
        yield from arcs
        ends = [(number[end.bit], pin[end.bit, end.pin.cell, end.pin.port],
                 round(end.setup * 1000))
                for end in self.graph.ends
                if end.bit in number and (end.bit, end.pin.cell, end.pin.port) in pin]
        yield [len(ends)]
        yield from ends

    def take_places(self, lines):
        """The places that the annealer prints, into the netlist. Returns how long the longest path
        through each connection is, by bit and pin, in thousandths of the longest of all."""
        at_site = {block[:3]: block[3] for block in self.blocks}
        for line in lines[:len(self.names)]:
            index, column, row, position = map(int, line.split())
            cell = self.cells[self.names[index]]
            old, kind = place_at(bel_of(cell)), cell["type"]
            new = f"X{column}/Y{row}/{old.text.split('/')[2]}"
            if old.slot:
                new = (f"X{column}/Y{row}/SLICE{'ABCD'[position // 2]}."
                       f"{'FF' if kind == 'TRELLIS_FF' else 'K'}{position % 2}")
            elif kind in BLOCKS:
                new = at_site[BLOCKS.index(kind), column, row]
            cell["attributes"]["NEXTPNR_BEL"] = new
        return {(bit, pin): int(share)
                for (bit, _), line in zip(self.drivers.items(), lines[len(self.names):])
                for pin, share in zip(self.sinks[bit], line.split())}

    def take_routes(self, module, lines, routed):
        """The routes that the router prints, into the netlist, as nextpnr writes its own there,
        and those of clocks."""
        bits = list(self.drivers)
        names = {net["bits"][0]: name for name, net in module["netnames"].items()
                 if len(net["bits"]) == 1}
        found = self.clock_routes(routed)
        for line in lines:
            number, *route = line.split()
            found[names[bits[int(number)]]] = ";".join(f"{wire};{'' if pip == '-' else pip};{WEAK}"
                                                for wire, pip in zip(route[::2], route[1::2]))
        for name, route in found.items():
            if route:
                module["netnames"][name]["attributes"]["ROUTING"] = route
