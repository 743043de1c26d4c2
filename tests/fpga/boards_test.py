#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each board's top, with next to nothing in place of the device, through all tools: pins,
levels, PLL, SERDES and bitstream are the board's own."""

import importlib.machinery
import importlib.util
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

LOADER = importlib.machinery.SourceFileLoader("fpga", str(ROOT / "tools/fpga"))
fpga = importlib.util.module_from_spec(importlib.util.spec_from_loader("fpga", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(fpga)

fpga.BUILD = ROOT / "build/fpga-test"
fpga.sources = lambda _: [ROOT / "tests/fpga/rf_board.sv", ROOT / "rtl/lib/rf_reset.sv",
                          *sorted((ROOT / "rtl/board").glob("rf_ecp5_*.sv")),
                          *(ROOT / f"rtl/board/rf_{board}.sv" for board in fpga.BOARDS)]


def problem(board):
    """What is wrong with the build of a board, or ''."""
    shutil.rmtree(fpga.BUILD / board, ignore_errors=True)
    report = fpga.build(board, 1)
    if report["failure"]:
        return report["failure"]
    said = (fpga.BUILD / board / "nextpnr-ecp5.log").read_text()
    for word in ("unconstrained", "incompatible"):
        if word in said:
            return f"nextpnr says something about {word} pins"
    if "EHXPLLL:       1/" not in said:
        return "there is no PLL"
    if (board == "versa_ecp5_5g") != ("DCUA:       1/" in said):
        return "there is no SERDES, or one where none should be"
    aims = sorted(clock["aim"] for clock in report["clocks"].values())
    want = [62.5, 125] if board == "versa_ecp5_5g" else [62.5]
    return "" if aims == want else f"clocks are constrained to {aims} MHz, not {want}"


def main():
    tests = [(f"fpga.top_of_{board}", problem, board) for board in fpga.BOARDS]
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
