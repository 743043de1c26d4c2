#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/fpga: how long it mends, what it keeps of five seeds, what it refuses. The tools that it
runs are stood in for; boards_test.py runs them."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile

import tap
from placed import placed

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
loader = importlib.machinery.SourceFileLoader("fpga", str(ROOT / "tools/fpga"))
fpga = importlib.util.module_from_spec(importlib.util.spec_from_loader("fpga", loader))
loader.exec_module(fpga)

BOARD = "versa_ecp5_5g"
SITES = {"TRELLIS_COMB": [f"X{column}/Y4/SLICEA.K0" for column in range(9)],
         "DP16KD": [], "MULT18X18D": []}


def annealed(counts):
    """The moves of each run of the annealer, of which the last of these counts are said to be
    late, and the column where the last put the register"""
    runs = []

    def program(_name, _board, log, _problem, moves, _seed, _heat):
        late = counts[min(len(runs), len(counts) - 1)]
        log.write_text(f"round   0 of 400: 999 late\nround 400 of 400: 1 tiles, {late} late\n")
        runs.append(moves)
        return [f"0 {len(runs)} 4 0", "1 8 4 0", "500"]

    cells = {"from": placed("TRELLIS_FF", "X7/Y4/SLICEA.FF0", {"CLK": 2}, {"Q": 3}),
             "to": placed("TRELLIS_FF", "X8/Y4/SLICEA.FF0", {"CLK": 2, "M": 3}, {"Q": 4})}
    module = {"ports": {}, "cells": cells, "netnames": {
        f"n{bit}": {"bits": [bit], "attributes": {}} for bit in (2, 3, 4)}}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "placed.json").write_text(json.dumps({"modules": {
            "top": {"attributes": {"top": "1"}, **module}}}))
        fpga.program = program
        fpga.anneal(BOARD, folder, SITES, 1)
        made = json.loads((folder / "annealed.json").read_text())["modules"]["top"]["cells"]
    return runs, int(made["from"]["attributes"]["NEXTPNR_BEL"].split("/")[0][1:])


def test_mends_until_in_time():
    """it mends until no path is late, and once at least; what it keeps is the last it made"""
    moves = [fpga.MELT[0], *(mend[0] for mend in fpga.MENDS)]
    for counts, runs in ((9, 9, 0), 3), ((0, 0), 2), ((9, 0), 2), ((9, 9, 9, 0), 4):
        assert annealed(counts) == (moves[:runs], runs), counts


def test_mends_end():
    """if some stay late it ends, too"""
    assert len(annealed((9,))[0]) == 1 + len(fpga.MENDS)


@contextlib.contextmanager
def folders():
    """Where reports and tables are written"""
    with tempfile.TemporaryDirectory(dir=ROOT) as name:
        fpga.BUILD = fpga.KEPT = pathlib.Path(name)
        with contextlib.redirect_stdout(io.StringIO()):
            yield fpga.BUILD


def timing(mhz):
    return {"fmax": {"$glbnet$clk": {"achieved": mhz, "constraint": 125}}}


def seeded(results):
    """The seeds that were placed, with the clocks they reach; one that is a text fails so."""
    asked = []

    def place_and_route(_board, _folder, seed):
        asked.append(seed)
        if isinstance(results[seed], str):
            raise fpga.Failure(results[seed])
        return timing(results[seed]), {"place": 1, "route": 2}

    fpga.synthesize = lambda board, folder: 0
    fpga.place_and_route = place_and_route
    return fpga.seeds(BOARD), asked


def test_seeds():
    """five seeds, each once; one that misses the clock, or fails, is in the table and told of"""
    with folders():
        assert seeded(dict.fromkeys(fpga.SEEDS, 126)) == (True, [1, 2, 3, 4, 5])
        assert seeded({}) == (True, [])
    with folders() as folder:
        assert seeded({1: 126, 2: 124, 3: "no\nroom", 4: 126, 5: 130}) == (False, [1, 2, 3, 4, 5])
        rows = fpga.read_seeds(fpga.seeds_table(BOARD))
        assert [(row["seed"], row["core_fmax_mhz"], row["failure"]) for row in rows] == [
            ("1", "126", ""), ("2", "124", ""), ("3", "0", "no room"), ("4", "126", ""),
            ("5", "130", "")], rows
        assert seeded({}) == (False, [])


def test_seeds_go_on():
    """it goes on where it was ended, and begins anew if a source has changed"""
    with folders():
        try:
            seeded({1: 126, 2: 127})
        except KeyError:  # ended in the third
            pass
        assert seeded(dict.fromkeys((3, 4, 5), 126)) == (True, [3, 4, 5])
        digest = fpga.digest
        fpga.digest = lambda *_: "another"
        assert seeded(dict.fromkeys(fpga.SEEDS, 126)) == (True, [1, 2, 3, 4, 5])
        fpga.digest = digest


def report(**differences):
    clocks = fpga.clocks(timing(differences.pop("mhz", 126)))
    clocks["pcie"] = {"mhz": differences.pop("pcie", 300), "aim": 125, "slack_ns": 0}
    clocks["pcie"]["slack_ns"] = 8 - 1000 / clocks["pcie"]["mhz"]
    return {"core_fmax_mhz": clocks["$glbnet$clk"]["mhz"], "lut4_used": 35_000, "clocks": clocks,
            "core_clock": "$glbnet$clk", **differences}


def test_aims():
    """a core that is too slow or too large, or another clock that is late, is a failure"""
    assert not fpga.problems(BOARD, report())
    assert not fpga.problems(BOARD, report(mhz=125))
    for wrong, said in (({"mhz": 124.99}, "124.99 of 125"), ({"lut4_used": 35_001}, "35001"),
                        ({"pcie": 124}, "pcie: 124")):
        found = fpga.problems(BOARD, report(**wrong))
        assert len(found) == 1 and said in found[0], (wrong, found)
    assert not fpga.problems("ulx3s_85f", report(mhz=62.5, lut4_used=80_000))


def test_failures_are_reported():
    """a tool that fails leaves a report that says so, and no bitstream of before"""
    def fails(*_):
        raise fpga.Failure("no route")

    with folders() as folder:
        (folder / BOARD).mkdir()
        (folder / BOARD / "ringfence.bit").write_text("of before")
        fpga.version = lambda *_: "1"
        fpga.synthesize = fails
        assert fpga.build(BOARD, 1)["failure"] == "no route"
        assert json.loads((folder / BOARD / "report.json").read_text())["failure"] == "no route"
        assert not (folder / BOARD / "ringfence.bit").exists()


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
