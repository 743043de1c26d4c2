#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print the Yosys commands that map the design it has read to the cells of an ECP5.

    tools/ecp5.py TOP SPEED

Boards (tools/fpga), blocks (tools/synth) and the gate-level tests map by these, so that what
is tested is what is built.

Logic is mapped to LUT4s alone (-nowidelut): the wide ones, each up to eight LUT4s side by
side, cost a third more area here. Of delays Yosys tells ABC little: distributed memory takes
none, a route 0.3 ns. So ABC shortens the wrong paths. Here it hears what nextpnr-ecp5
knows of the cells of a speed grade, and what a route takes in a placed device; and it maps
by a script of its own, of which the result has the fewest long paths of those tried.

Sums of few bits are LUT4s: a carry chain takes two cells to begin, two to end, and lies in
one row.
"""

import argparse
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/ecp5"

# ps, by speed grade
ROUTE = {6: 1300, 8: 700}
LUT = {6: 240, 8: 140}
CARRY = {6: {"in": 450, "through": 70, "out": 440}, 8: {"in": 280, "through": 40, "out": 270}}
BLOCK_RAM = {6: 5280, 8: 1100}  # clock to output, more than that of a flip-flop

MAP = "&if,-m,{W},{D},{R}"
MAP_WELL = MAP + ",-C,32,-F,6,-A,10"  # more cuts, more rounds for area
SCRIPT = (f"+&scorr;&sweep;&synch2,-K,6,-C,500;{MAP};&mfs;&dch,-C,500;{MAP};&dch,-C,500;"
          f"{MAP_WELL};&mfs;&dch,-C,500;{MAP_WELL};&mfs;&ps,-l")


SHORT_SUM = 6  # bits, at most

# Logic cells that one cell of the netlist takes: a carry cell holds two; sixteen
# words of four bits take four, and two more that write them.
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}


class Failure(Exception):
    """A tool does not do it; the text says which and why."""


def vendor_cells():
    """The files that say what the cells do, which lie beside Yosys."""
    with tempfile.TemporaryDirectory() as folder:
        status = subprocess.run(
            [ROOT / "tools/private-root", "run", "yosys", "-q", "-p",
             "exec -- cp $(dirname $(readlink /proc/$PPID/exe))/../share/yosys/ecp5/*_sim.v* "
             f"{folder}"], cwd=ROOT, check=False, stdin=subprocess.DEVNULL).returncode
        files = {path.name: path.read_text(encoding="utf-8")
                 for path in pathlib.Path(folder).iterdir()}
    if status or not files:
        raise Failure("Yosys has no folder share/yosys/ecp5 beside it: run make setup")
    return files


def module(text, name):
    """A module with its attributes."""
    found = re.search(rf"^\(\*[^\n]*\*\)\nmodule {name} *\(.*?^endmodule$", text, re.M | re.S)
    if not found:
        raise Failure(f"Yosys has no cell {name} where it had one: look at tools/ecp5.py")
    return found.group()


def carry_cell(text, speed):
    """CCU2C with the delays of its inputs, a route in front of all but the carry."""
    times, seen = CARRY[speed], 0

    def delay(match):
        nonlocal seen
        start, end = match.groups()
        seen += 1
        if start == "CIN":
            time = times["through"] if end == "COUT" else times["out"]
        elif end == "COUT":
            time = ROUTE[speed] + times["in"]
        elif start[1] == "0" and end == "S1":
            time = ROUTE[speed] + times["in"] + times["out"]
        else:
            time = ROUTE[speed] + LUT[speed]
        return f"({start} => {end}) = {time};"

    text = re.sub(r"\((\w+) => (\w+)\) = \d+;", delay, text)
    if seen != 23:
        raise Failure(f"CCU2C has {seen} delays, not 23: look at tools/ecp5.py")
    return text


def memory_cell(text, speed):
    text, seen = re.subn(r"\(RAD \*> DO\) = \d+;",
                         f"(RAD *> DO) = {ROUTE[speed] + LUT[speed]};", text)
    if seen != 1:
        raise Failure("TRELLIS_DPR16X4 has other delays: look at tools/ecp5.py")
    return text


def block_ram(text, speed):
    arcs = "".join(f"  (posedge CLK{port} => (DO{port}{bit} : 1'b0)) = {BLOCK_RAM[speed]};\n"
                   for port in "AB" for bit in range(18))
    return text.removesuffix("endmodule") + f"specify\n{arcs}endspecify\nendmodule"


@functools.cache
def cells(speed):
    """The file of those cells of which ABC hears other delays; it is written."""
    vendor = vendor_cells()
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / f"cells_{speed}.v"
    fresh = BUILD / f"cells_{speed}.{os.getpid()}"  # several may run at a time
    fresh.write_text("\n".join([
        carry_cell(module(vendor["ccu2c_sim.vh"], "CCU2C"), speed),
        memory_cell(module(vendor["common_sim.vh"], "TRELLIS_DPR16X4"), speed),
        block_ram(module(vendor["cells_sim.v"], "DP16KD"), speed), ""]), encoding="utf-8")
    return fresh.replace(path)


def commands(top, speed):
    """Yosys commands: from the sources it has read to cells."""
    synth = f"synth_ecp5 -top {top} -nowidelut -run"
    return (f"{synth} begin:map_gates; techmap t:$alu r:Y_WIDTH<={SHORT_SUM} %i; "
            f"{synth} map_gates:map_luts; "
            f"read_verilog -lib -specify -overwrite {cells(speed).relative_to(ROOT)}; "
            f"scratchpad -set abc9.script {SCRIPT} ; abc9 -maxlut 4 -W {ROUTE[speed]}; clean; "
            f"{synth} map_cells:check; hierarchy -check; check -assert; blackbox =A:whitebox")


# --- what nextpnr-ecp5 makes of a netlist ----------------------------------------------------


def carry_cells(module):
    return [cell for cell in module["cells"].values() if cell["type"] == "CCU2C"]


def end_carries(module):
    """A carry that leaves its chain takes a cell, even if nobody reads it: no net, no cell."""
    read = {bit for cell in module["cells"].values() for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == "input" for bit in bits}
    for cell in carry_cells(module):
        if not read.intersection(cell["connections"]["COUT"]):
            cell["connections"]["COUT"] = ["x"]


def begin_carries(module):
    """A carry that is constant starts in a cell that makes it, not at the end of a net that
    brings the constant from far away."""
    free = 1 + max(bit for net in module["netnames"].values() for bit in net["bits"]
                   if isinstance(bit, int))
    for cell in carry_cells(module):
        carry = cell["connections"]["CIN"]
        if carry not in (["0"], ["1"]):
            continue
        high = {f"{port}{half}": ["1"] for port in "ABCD" for half in "01"}
        # Of the first half the carry is what its two-input function makes of ones.
        first = "0" * 12 + ("1010" if carry == ["1"] else "0000")
        module["cells"][f"carry_{free}"] = {
            "hide_name": 0, "type": "CCU2C", "attributes": {},
            "parameters": {"INIT0": first, "INIT1": "1" * 16, "INJECT1_0": "NO",
                           "INJECT1_1": "YES"},
            "port_directions": cell["port_directions"],
            "connections": {**high, "CIN": ["x"], "COUT": [free], "S0": ["x"], "S1": ["x"]}}
        cell["connections"]["CIN"] = [free]
        free += 1


def drop_constant_addresses(module):
    """A memory of fewer words than 16 has its first address bit in the place of those that it
    does not need, in writes and in reads, instead of a constant that comes from far away."""
    for cell in module["cells"].values():
        if cell["type"] == "TRELLIS_DPR16X4":
            read, write = cell["connections"]["RAD"], cell["connections"]["WAD"]
            for bit in range(4):
                if read[bit] == write[bit] == "0":
                    read[bit], write[bit] = read[0], write[0]


def prepare(module):
    """Spare the cells and the wires across the device that nextpnr-ecp5 would add; module is
    of a netlist that Yosys wrote as JSON."""
    end_carries(module)
    begin_carries(module)
    drop_constant_addresses(module)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("top")
    parser.add_argument("speed", type=int, choices=ROUTE)
    options = parser.parse_args()
    try:
        print(commands(options.top, options.speed))
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
