#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/mutants/random: which places it changes, and which tests it asks."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import tap

MUTANTS = pathlib.Path(__file__).resolve().parents[1] / "mutants"
sys.path.insert(0, str(MUTANTS))

from expressions import mutations  # noqa: E402

MODULE = """\
module m #(
  parameter int unsigned Width = 4 + 4
) (
  input  wire logic [Width-1:0] a_i,
  output logic b_o
);
  localparam int unsigned Half = Width / 2 + 1;
  if (Width < 2) begin : gen_bad
    $error("too narrow");
  end
  logic [Half+1:0] c;
  assign c[Half-1] = STATEMENT;  // a + b
  u #(.Width(Width + 1)) u_u (.a_i(CONNECTION), .b_o(c[1 + 1]));
  assign unused_d = a + b;
  always_comb begin
    case (CASE)
      3 + 1: b_o = a_i[Width-1:0] == {2{c[1:0]}};
      default: ;
    endcase
    for (int i = 0; i < 3; i++) if (CONDITION) b_o = a_i[1 +: 2] == c;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) b_o <= c;
  end
`ifndef SYNTHESIS
  assign d = a + b;
`endif
  same: assert property (@(posedge clk_i) a + b == c);
endmodule
"""
PARTS = {"STATEMENT": "s", "CONNECTION": "t", "CASE": "v", "CONDITION": "w"}


def load():
    loader = importlib.machinery.SourceFileLoader("mutants_random", str(MUTANTS / "random"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants_random", loader))
    loader.exec_module(module)
    return module


def changed(part, text):
    """What is put for an expression, and for which of its parts."""
    module = MODULE
    for name, other in PARTS.items():
        module = module.replace(name, text if name == part else other)
    start = module.index(text)
    return {(mutant["find"], mutant["replace"]) for place in mutations(module) for mutant in place
            if start <= mutant["start"] and mutant["end"] <= start + len(text)}


def test_operators():
    """operators are changed with their operands, in order of precedence"""
    assert changed("STATEMENT", "x || y && z") == {
        ("x || y && z", "x && y && z"), ("y && z", "y || z"),
        *((name, f"!({name})") for name in ("x", "y", "z", "y && z"))}
    assert changed("STATEMENT", "x == y + 2'd1") == {
        ("x == y + 2'd1", "x != y + 2'd1"), ("y + 2'd1", "y - 2'd1"),
        ("2'd1", "2'h0"), ("2'd1", "2'h2"), ("2'd1", "2'h3")}
    assert changed("STATEMENT", "x - y - z") == {("x - y - z", "x - y + z"), ("x - y", "x + y")}
    assert changed("STATEMENT", "~x & 4'(y ^ z)") == {
        ("~x & 4'(y ^ z)", "~x | 4'(y ^ z)"), ("~x", "x"), ("y ^ z", "y | z"), ("y ^ z", "y ~^ z")}


def test_choices():
    """an operand of ?: is taken always, its condition negated"""
    assert changed("CONNECTION", "x ? y : z") == {("x ? y : z", "y"), ("x ? y : z", "z"),
                                                  ("x", "!(x)")}


def test_conditions():
    """a condition is negated, or not any more"""
    assert changed("CONDITION", "q.z[2]") == {("q.z[2]", "!(q.z[2])"), ("2", "1"), ("2", "3")}
    assert changed("CONDITION", "!x") == {("!x", "x")}
    assert changed("CASE", "x < y") == {("x < y", "x <= y"), ("x < y", "x >= y")}


def test_left_out():
    """where no run-time condition may stand nothing is changed"""
    found = [mutant["find"] for place in mutations(MODULE) for mutant in place]
    assert sorted(found) == sorted([
        "CONDITION", "a_i[Width-1:0] == {2{c[1:0]}}", "a_i[1 +: 2] == c", "1", "1"]), found


def test_twice():
    """of two equal statements the second is called so"""
    texts = {mutant["text"] for place in mutations(
        MODULE.replace("STATEMENT;", "a + b; assign d = a - b; assign d = a - b;"))
        for mutant in place}
    assert {"assign d = a - b;", "assign d = a - b; [2]"} <= texts, texts


def test_own_tests():
    """a module is judged by its own tests, a part of one by its user's"""
    tool = load()
    assert tool.tests_of("rf_slots") == ["rf_slots"]
    assert tool.tests_of("rf_slot_state") == ["rf_slots"]
    assert tool.tests_of("rf_engine_port") == ["rf_engine_port"]
    assert tool.tests_of("rf_fifo")[0] == "rf_lib"
    assert set(tool.tests_of("rf_translate")) == {"rf_translate", "rf_translate_16_sets"}


def test_sources():
    """every module of rtl/ can be read, and what is drawn depends on the seed alone"""
    tool = load()
    for path in tool.sources().values():
        assert tool.chosen_mutants(path, 5, 1) == tool.chosen_mutants(path, 5, 1)
    slots = tool.sources()["rf_slots"]
    assert tool.chosen_mutants(slots, 9, 1) != tool.chosen_mutants(slots, 9, 2)


def test_equivalent():
    """every mutant of equivalent.toml can still be made"""
    tool = load()
    made = {(str(path.relative_to(tool.ROOT)), mutant["text"], mutant["replacement"])
            for path in tool.sources().values() for place in mutations(path.read_text())
            for mutant in place}
    lost = [f"{name}: {before}" for name, before, _ in set(tool.reasons()) - made]
    assert not lost, "\n".join(lost)


def test_compiles():
    """the mutants of all modules together compile"""
    tool = load()
    with tempfile.TemporaryDirectory() as folder:
        tree, changes = pathlib.Path(folder), {}
        for path in tool.sources().values():
            changes[str(path.relative_to(tool.ROOT))] = tool.planted(
                path, tool.chosen_mutants(path, 20, 1))
        tool.copy_project(tree, changes)
        folders = [tree / "rtl", *(name for name in (tree / "rtl").rglob("*") if name.is_dir())]
        run = subprocess.run(
            ["verilator", "--lint-only", "-Wno-lint", "-Wno-MULTITOP",
             *(word for name in folders for word in ("-y", name)), "--top-module", "rf_device",
             "rtl/rf_pkg.sv", "rtl/lib/rf_bus_pkg.sv", "rtl/rf_device.sv"],
            cwd=tree, text=True, capture_output=True)
        assert not run.returncode, run.stderr[-2000:]


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
