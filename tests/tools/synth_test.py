#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/synth: what it counts, what it refuses, what it does not do twice."""

import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]

MODULE = """`default_nettype none
module rf_probe (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [15:0] a_i,
  input  wire logic [15:0] b_i,
  output logic [15:0]      sum_o
);
%s
endmodule
`default_nettype wire
"""
ADDER = """
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) sum_o <= '0; else sum_o <= a_i + b_i;
"""
# A chain of 48 additions that depend on each other bit by bit: far above 14.5 ns
SLOW = """
  logic [15:0] step [49];
  assign step[0] = a_i;
  for (genvar i = 0; i < 48; i++) begin : gen_step
    assign step[i+1] = (step[i] ^ (step[i] >> 3)) + b_i;
  end
  always_ff @(posedge clk_i) sum_o <= step[48];
"""


# In place of tools/private-root: the placer crashes with some seeds
CRASHES = """#!/bin/sh
case "$*" in *nextpnr-ecp5*"--seed "[%s]*) kill -ABRT $$ ;; esac
exec %s "$@"
"""

NO_LOGIC = """
  // A comment, and checks of parameters
  if ($bits(a_i) != 16) begin : gen_check
    $error("a has %0d bits", $bits(a_i));
  end
  if ($bits(b_i) != 16) $error("so has b");
`ifndef SYNTHESIS
  always @(posedge clk_i) assert (a_i != 16'd1);
`endif
endmodule
"""

ROW = {"block": "rf_link_endpoint", "mhz": "135.0", "lut4": "5500"}


def project(body):
    (ROOT / "build").mkdir(exist_ok=True)
    folder = tempfile.TemporaryDirectory(dir=ROOT / "build")
    path = pathlib.Path(folder.name)
    shutil.copytree(ROOT / "tools", path / "tools")
    (path / "rtl/lib").mkdir(parents=True)
    (path / "constraints/ecp5").mkdir(parents=True)
    for name in ("rtl/rf_pkg.sv", "rtl/lib/rf_bus_pkg.sv", "constraints/ecp5/short_memory.v"):
        shutil.copy(ROOT / name, path / name)
    (path / "rtl/lib/rf_probe.sv").write_text(MODULE % body, encoding="utf-8")
    return folder


def synth(folder, *blocks):
    return subprocess.run([pathlib.Path(folder) / "tools/synth", *blocks], text=True,
                          capture_output=True, check=False)


def row(folder):
    lines = (pathlib.Path(folder) / "build/synth/report.tsv").read_text().splitlines()
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return dict(zip(head, rows[0]))


def test_area():
    """the area is that of the block: sixteen registers, one 16-bit carry chain"""
    with project(ADDER) as folder:
        result = synth(folder, "rf_probe")
        assert result.returncode == 0, result.stdout + result.stderr
        found = row(folder)
    # A carry cell adds two bits; one more may start or end the chain.
    assert found["ff"] == "16" and 16 <= int(found["carry"]) <= 20, found
    assert float(found["mhz"]) > 68.75 and found["seed"] == "1", found


def test_slow():
    """a block that misses 68.75 MHz fails, and its critical path is kept"""
    with project(SLOW) as folder:
        result = synth(folder, "rf_probe")
        assert result.returncode == 1 and "is below 68.75" in result.stdout, result.stdout
        path = pathlib.Path(folder) / "build/synth/rf_probe/critical_path.txt"
        delay = sum(float(line.split()[0]) for line in path.read_text().splitlines())
        assert abs(1000 / delay - float(row(folder)["mhz"])) < 1, (delay, row(folder))
        tried = re.findall(r"^# rf_probe: ([\d.]+) MHz with seed (\d)$", result.stdout, re.M)
        assert [seed for _, seed in tried] == ["1", "2", "3", "4"], result.stdout
        assert max(float(mhz) for mhz, _ in tried) == float(row(folder)["mhz"]), result.stdout


def with_crashes(folder, seeds):
    path = pathlib.Path(folder) / "tools/private-root"
    path.write_text(CRASHES % (seeds, ROOT / "tools/private-root"), encoding="utf-8")
    return synth(folder, "rf_probe")


def test_crash():
    """where the placer crashes the next seed is tried; it is a failure if it does with all"""
    with project(ADDER) as folder:
        result = with_crashes(folder, "12")
        assert result.returncode == 0 and row(folder)["seed"] == "3", result.stdout
        assert "# rf_probe with seed 2: nextpnr-ecp5 ended with status -6" in result.stdout
    with project(ADDER) as folder:
        result = with_crashes(folder, "1234")
        assert result.returncode == 1 and "not ok 1 - rf_probe" in result.stdout, result.stdout


def test_once():
    """a block is built again when its logic changes, and only then"""
    with project(ADDER) as folder:
        synth(folder, "rf_probe")
        assert "(unchanged)" in synth(folder, "rf_probe").stdout
        recorded = pathlib.Path(folder) / "constraints/ecp5/report.tsv"
        shutil.move(pathlib.Path(folder) / "build/synth/report.tsv", recorded)
        assert "(unchanged)" in synth(folder, "rf_probe").stdout
        path = pathlib.Path(folder) / "rtl/lib/rf_probe.sv"
        path.write_text(path.read_text().replace("endmodule", NO_LOGIC), encoding="utf-8")
        assert "(unchanged)" in synth(folder, "rf_probe").stdout
        path.write_text(path.read_text().replace("a_i + b_i", "a_i - b_i"), encoding="utf-8")
        output = synth(folder, "rf_probe").stdout
        assert re.search(r"^ok 1 - rf_probe: .*\(\d+ s\)$", output, re.M), output


def test_verdict():
    """a block has its own clock and its own limit of area"""
    loader = importlib.machinery.SourceFileLoader("synth", str(ROOT / "tools/synth"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("synth", loader))
    sys.path.insert(0, str(ROOT / "tools"))
    loader.exec_module(module)
    assert not module.verdict(ROW)
    assert "135" in module.verdict(ROW | {"mhz": "134.9"})
    assert module.verdict(ROW | {"lut4": "5501"}) == "5501 LUT4 are more than 5500"
    assert not module.verdict({"block": "rf_msix", "mhz": "68.8", "lut4": "50000"})


def test_missing():
    """a block without a source fails"""
    with project(ADDER) as folder:
        result = synth(folder, "rf_nothing")
        assert result.returncode == 1 and "there is no" in result.stdout, result.stdout


def test_broken():
    """a block that Yosys refuses fails, with what Yosys said"""
    with project("  assign sum_o = a_i +;") as folder:
        result = synth(folder, "rf_probe")
        assert result.returncode == 1 and "rf_probe.sv:9" in result.stdout, result.stdout


sys.exit(tap.run(__name__))
