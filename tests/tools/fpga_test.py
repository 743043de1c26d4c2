#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/fpga: what it keeps of five seeds, what it refuses. The tools that it runs are stood in
for; boards_test.py runs them."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
loader = importlib.machinery.SourceFileLoader("fpga", str(ROOT / "tools/fpga"))
fpga = importlib.util.module_from_spec(importlib.util.spec_from_loader("fpga", loader))
loader.exec_module(fpga)

BOARD = "versa_ecp5_5g"


@contextlib.contextmanager
def folders():
    """Where reports and tables are written"""
    with tempfile.TemporaryDirectory(dir=ROOT) as name:
        before = fpga.BUILD, fpga.KEPT
        fpga.BUILD = fpga.KEPT = pathlib.Path(name)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                yield fpga.BUILD
        finally:
            fpga.BUILD, fpga.KEPT = before


def timing(mhz, lut4=29_000, pcie=300):
    """What nextpnr-ecp5 reports"""
    return {"fmax": {"$glbnet$clk": {"achieved": mhz, "constraint": 62.5},
                     "pcie_clk": {"achieved": pcie, "constraint": 125}},
            "utilization": {"TRELLIS_COMB": {"used": lut4}, "TRELLIS_FF": {"used": 2},
                            "DP16KD": {"used": 3}}}


def seeded(results):
    """The seeds that were placed, with the clocks they reach; one that is a text fails so."""
    asked = []

    def place_and_route(_board, _folder, seed):
        asked.append(seed)
        if isinstance(results[seed], str):
            raise fpga.Failure(results[seed])
        return timing(results[seed]), 3

    fpga.synthesize = lambda board, folder: 0
    fpga.place_and_route = place_and_route
    return fpga.seeds(BOARD), asked


def test_packages():
    """Yosys reads every package that a module of a board names"""
    for board in fpga.BOARDS:
        read = fpga.sources(board)
        names = {name for path in read
                 for name in re.findall(r"\b(rf_\w+_pkg)::", fpga.ecp5.logic(path))}
        lost = names - {path.stem for path in read}
        assert not lost, f"{board}: {', '.join(sorted(lost))}"


def test_seeds():
    """five seeds, each once; one that misses an aim, or fails, is in the table and told of"""
    with folders():
        assert seeded(dict.fromkeys(fpga.SEEDS, 69)) == (True, [1, 2, 3, 4, 5])
        assert seeded({}) == (True, [])
    with folders() as folder:
        assert seeded({1: 69, 2: 68, 3: "no\nroom", 4: 69, 5: 80}) == (False, [1, 2, 3, 4, 5])
        rows = fpga.read_seeds(fpga.seeds_table(BOARD))
        assert [(row["seed"], row["core_fmax_mhz"], row["link_fmax_mhz"], row["failure"])
                for row in rows] == [
            ("1", "69", "300", ""), ("2", "68", "300", "the core reaches 68 of 68.75 MHz"),
            ("3", "0", "0", "no room"), ("4", "69", "300", ""), ("5", "80", "300", "")], rows
        assert seeded({}) == (False, [])


CELLS = {"25k": 24_288, "45k": 43_848, "85k": 83_640}


def row_of(board, rows):
    """What docs/board.md says of the table of a board's seeds"""
    def span(name):
        found = [float(row[name]) for row in rows if row[name]]
        return f"{min(found):.1f} to {max(found):.1f} MHz" if found else ""

    cells, part = int(rows[0]["lut4_used"]), fpga.BOARDS[board]["part"]
    return (f"| `{board}` | {cells:,} ({100 * cells / CELLS[part[-3:]]:.0f} %) | "
            f"{span('core_fmax_mhz')} | {span('link_fmax_mhz')} |").replace("|  |", "| |")


def test_seeds_on_the_page():
    """seeds that are kept are five of one netlist, none a failure, and docs/board.md tells of them"""
    page = (ROOT / "docs/board.md").read_text(encoding="utf-8")
    tables = {board: fpga.read_seeds(fpga.seeds_table(board)) for board in fpga.BOARDS}
    assert any(tables.values())
    for board, rows in tables.items():
        if not rows:
            continue
        assert [row["seed"] for row in rows] == [str(seed) for seed in fpga.SEEDS], (board, rows)
        assert len({row["sources"] for row in rows}) == 1, (board, rows)
        assert not any(row["failure"] for row in rows), (board, rows)
        assert row_of(board, rows) in page, row_of(board, rows)


def test_seeds_go_on():
    """it goes on where it was ended, and begins anew if a source has changed"""
    with folders():
        try:
            seeded({1: 69, 2: 70})
        except KeyError:  # ended in the third
            pass
        assert seeded(dict.fromkeys((3, 4, 5), 69)) == (True, [3, 4, 5])
        path = fpga.seeds_table(BOARD)
        fpga.write_seeds(path, fpga.read_seeds(path)[2:])
        assert seeded(dict.fromkeys((1, 2), 71)) == (True, [1, 2])
        assert [row["seed"] for row in fpga.read_seeds(path)] == ["1", "2", "3", "4", "5"]
        digest = fpga.digest
        fpga.digest = lambda *_: "another"
        assert seeded(dict.fromkeys(fpga.SEEDS, 69)) == (True, [1, 2, 3, 4, 5])
        fpga.digest = digest


def test_digest():
    """results stand until something changes that they depend on"""
    def changed(board, **options):
        before, own = {name: fpga.digest(name) for name in fpga.BOARDS}, fpga.BOARDS[board]
        fpga.BOARDS[board] = own | options
        after = {name: fpga.digest(name) for name in fpga.BOARDS}
        fpga.BOARDS[board] = own
        return [name for name in fpga.BOARDS if before[name] != after[name]]

    assert changed(BOARD, speed=7) == changed(BOARD, part="--45k") == [BOARD]
    assert changed(BOARD, pre_place="constraints/README.md") == [BOARD]
    assert changed(BOARD, parameters={"Slots": 16}) == [BOARD]
    assert changed(BOARD, margin=0, lut4=None) == []

    found, before = fpga.sources, fpga.digest(BOARD)
    top = next(path for path in found(BOARD) if path.stem == f"rf_{BOARD}")
    with tempfile.TemporaryDirectory() as folder:
        copy, text = pathlib.Path(folder) / top.name, top.read_text(encoding="utf-8")
        fpga.sources = lambda board: [copy if path == top else path for path in found(board)]
        for extra, same in (("// a comment\n", True), ("assign a = b;\n", False),
                            ("`ifndef SYNTHESIS\n assert (a);\n`endif\n", True)):
            copy.write_text(extra + text, encoding="utf-8")
            assert (fpga.digest(BOARD) == before) == same, extra
    fpga.sources = found


def test_parameters():
    """another value of a parameter is a variant with a folder and a digest of its own"""
    board = "versa_ecp5_5g_pcie"
    assert {"Clarity", "Ctc", "Gear", "Switches"} <= set(fpga.parameters_of(f"rf_{board}"))
    for wrong, said in (("Switch=1", "no parameter 'Switch'"), ("Switches", "NAME=VALUE"),
                        ("Switches=on", "NAME=VALUE"), ("=1", "no parameter ''")):
        try:
            fpga.variant(board, [wrong])
        except fpga.Failure as failure:
            assert said in str(failure), failure
        else:
            raise AssertionError(f"{wrong} is taken")
    before = dict(fpga.BOARDS)
    assert fpga.variant(board, []) == board
    name = fpga.variant(board, ["Switches=1", "Ctc=1"])
    try:
        assert name == f"{board}-Ctc=1-Switches=1" and name not in before, name
        assert fpga.BOARDS[name]["parameters"] == {"Switches": 1, "Ctc": 1}
        assert fpga.top_of(name) == f"rf_{board}" and fpga.sources(name) == fpga.sources(board)
        assert fpga.digest(name) != fpga.digest(board)
        clocks = [line for line in fpga.constraints_of(name).splitlines() if "250 MHZ" in line]
        assert len(clocks) == 4, clocks
        assert "250 MHZ" not in fpga.constraints_of(board)
        assert fpga.constraints_of(name).startswith(fpga.constraints_of(board))
    finally:
        del fpga.BOARDS[name]
    assert fpga.BOARDS == before


def test_options():
    """what the command line gives is what is built; variants have no table of seeds"""
    board, built = "versa_ecp5_5g_pcie", []

    def build(name, seed):
        built.append((name, seed, fpga.BOARDS[name].get("parameters")))
        return {"failure": None}

    def ends(*arguments):
        sys.argv = ["fpga", *arguments, board]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return fpga.main()

    real, fpga.build = fpga.build, build
    try:
        assert ends() == ends("--set", "Gear=0", "--seed", "3") == 0
        assert ends("--set", "Gears=0") == 1
        assert built == [(board, 1, None), (f"{board}-Gear=0", 3, {"Gear": 0})], built
        try:
            ends("--seeds", "--set", "Gear=0")
        except SystemExit as end:
            assert end.code == 2
        else:
            raise AssertionError("seeds of a variant")
    finally:
        fpga.build = real
        fpga.BOARDS.pop(f"{board}-Gear=0", None)


def test_aims():
    """a core that is too slow or too large, or another clock that is late, is a failure"""
    def problems(board, *said):
        return fpga.problems(board, fpga.results(timing(*said)))

    assert not problems(BOARD, 68.75)
    for wrong, said in (((68.74,), "68.74 of 68.75"), ((69, 29_001), "29001"),
                        ((69, 1, 124), "pcie_clk: 124")):
        found = problems(BOARD, *wrong)
        assert len(found) == 1 and said in found[0], (wrong, found)
    assert not problems("ulx3s_85f", 62.5, 80_000)
    for mhz, reached in ((124.99, False), (125, True)):  # stated, no aim
        assert fpga.results(timing(mhz))["core_reaches_mhz"] == {125: reached}
    loose = timing(70)
    loose["fmax"]["pcie_clk"]["constraint"] = 12
    assert fpga.problems(BOARD, fpga.results(loose)) == [
        "pcie_clk: no FREQUENCY in the constraints"]
    slot = next(name for name, aims in fpga.BOARDS.items() if "spi" in aims)
    assert not problems(slot, 67.5, 1, 135)
    assert problems(slot, 67.5, 1, 134.9) == ["pcie_clk: 134.9 of 135 MHz"]


def test_failures_are_reported():
    """a tool that fails leaves a report that says so, and no bitstream of before"""
    def fails(*_):
        raise fpga.Failure("no route")

    with folders() as folder:
        (folder / BOARD).mkdir()
        (folder / BOARD / "ringfence.bit").write_text("of before")
        fpga.ecp5.version = lambda *_: "1"
        fpga.synthesize = fails
        assert fpga.build(BOARD, 1)["failure"] == "no route"
        assert json.loads((folder / BOARD / "report.json").read_text())["failure"] == "no route"
        assert not (folder / BOARD / "ringfence.bit").exists()


def test_boot():
    """a board in a slot: how long its bitstream takes to load, at the slowest clock"""
    board = next(name for name, aims in fpga.BOARDS.items() if "spi" in aims)
    found = fpga.boot(board, 1_054_000)  # 8,432,000 bits, two in a cycle of 52.7 MHz
    assert found == {"bitstream_bytes": 1_054_000, "spi_mhz": 62.0, "spi_mode": "dual-spi",
                     "configuration_ms": 80.0, "limit_ms": 120}, found
    report = {"core_fmax_mhz": 100, "lut4_used": 1, "clocks": {}, "core_clock": "clk"}
    assert not fpga.problems(board, {**report, "boot": found})
    said = fpga.problems(board, {**report, "boot": fpga.boot(board, 1_600_000)})
    assert said == ["the bitstream takes 121.4 ms to load, of 120 that a slot gives"], said
    assert fpga.packing(board) == ["--compress", "--freq", 62.0, "--spimode", "dual-spi"]
    assert fpga.packing(BOARD) == ["--compress"]


def header(path):
    """A module's parameters and ports, without comments and layout"""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    return re.search(r"^module .*?\);", text, re.S | re.M)[0].split()


def test_stand_ins():
    """what boards_test.py puts in place of a module has the module's parameters and ports"""
    stand_ins = sorted((ROOT / "tests/fpga").glob("*.sv"))
    assert stand_ins
    for path in stand_ins:
        own = header(fpga.modules()[path.stem])
        assert header(path) == own, f"{path.relative_to(ROOT)}: {set(own) ^ set(header(path))}"


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
