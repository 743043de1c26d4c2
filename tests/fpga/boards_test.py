#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each board's top, with next to nothing in place of the device, through all tools: pins,
levels, PLL, SERDES and bitstream are the board's own."""

import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import places

LOADER = importlib.machinery.SourceFileLoader("fpga", str(ROOT / "tools/fpga"))
fpga = importlib.util.module_from_spec(importlib.util.spec_from_loader("fpga", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(fpga)

fpga.BUILD = ROOT / "build/fpga-test"
fpga.CORE = "u_board"
fpga.sources = lambda: [ROOT / "tests/fpga/rf_board.sv", ROOT / "rtl/board/rf_reset.sv",
                        *sorted((ROOT / "rtl/board").glob("rf_ecp5_*.sv")),
                        *(ROOT / f"rtl/board/rf_{board}.sv" for board in fpga.BOARDS)]


def problem(board):
    """What is wrong with the build of a board, or ''."""
    shutil.rmtree(fpga.BUILD / board, ignore_errors=True)
    report = fpga.build(board, 1)
    if report["failure"]:
        return report["failure"]
    said = (fpga.BUILD / board / "place.log").read_text()
    for word in ("unconstrained", "incompatible"):
        if word in said:
            return f"nextpnr says something about {word} pins"
    if "EHXPLLL:       1/" not in said:
        return "there is no PLL"
    if (board == "versa_ecp5_5g") != ("DCUA:       1/" in said):
        return "there is no SERDES, or one where none should be"
    aims = sorted(clock["aim"] for clock in report["clocks"].values())
    want = [125, 125] if board == "versa_ecp5_5g" else [62.5]
    return "" if aims == want else f"clocks are constrained to {aims} MHz, not {want}"


def with_two_clocks():
    """A flip-flop moved beside one of another clock: '' if it is refused before routing."""
    folder = fpga.BUILD / "versa_ecp5_5g"
    netlist = json.loads((folder / "annealed.json").read_text())
    registers = [cell for cell in fpga.top_module(netlist)["cells"].values()
                 if cell["type"] == "TRELLIS_FF"]
    used = {places.bel_of(cell) for cell in registers}
    one = registers[0]
    other = next(cell for cell in registers
                 if places.net_of(cell, "CLK") != places.net_of(one, "CLK")
                 and "DI" not in cell["connections"])
    tile = places.bel_of(one).rpartition("/")[0]
    other["attributes"]["NEXTPNR_BEL"] = next(
        bel for bel in (f"{tile}/SLICE{letter}.FF0" for letter in "DCBA") if bel not in used)
    (folder / "annealed.json").write_text(json.dumps(netlist))
    try:
        fpga.pins("versa_ecp5_5g", folder)
    except fpga.Failure as failure:
        return "" if f"cannot stand together at {tile}/" in str(failure) else str(failure)
    return "two clocks in a tile are allowed"


def main():
    tests = [(f"fpga.top_of_{board}", problem, board) for board in fpga.BOARDS]
    tests.append(("fpga.illegal_places_are_not_routed", with_two_clocks))
    print(f"1..{len(tests)}")
    failures = 0
    for number, (name, test, *arguments) in enumerate(tests, 1):
        text = test(*arguments)
        failures += bool(text)
        print(f"{'not ' if text else ''}ok {number} - {name}", flush=True)
        for line in text.splitlines():
            print(f"# {line}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
