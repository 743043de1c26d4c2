#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tools/ecp5.py does to a mapped netlist changes nothing of what it computes, and takes
away what it is there to take away. Sums, comparisons and memories of 2 to 16 words, mapped,
against the same netlist prepared, with the vendor's models of the cells."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import ecp5  # noqa: E402

BUILD = ROOT / "build/fpga-test/netlist"
STEPS = 5  # cycles from reset: words are written, kept, read

SOURCE = """
module memory #(parameter LOG2 = 1) (input clk_i, input write_i, input [3:0] to_i,
    input [3:0] from_i, input [3:0] data_i, output [3:0] data_o);
  (* ram_style = "distributed" *) reg [3:0] words [2**LOG2];
  always @(posedge clk_i) if (write_i) words[to_i[LOG2-1:0]] <= data_i;
  assign data_o = words[from_i[LOG2-1:0]];
endmodule

module sample (input clk_i, input write_i, input [3:0] to_i, input [3:0] from_i,
    input [8:0] a_i, input [8:0] b_i, input carry_i, output [9:0] sum_o, output [8:0] less_o,
    output below_o, output [8:0] both_o, output [15:0] word_o);
  assign sum_o   = a_i + b_i;
  assign less_o  = a_i - b_i;
  assign below_o = a_i < b_i;
  assign both_o  = a_i + b_i + carry_i;
  for (genvar i = 0; i < 4; i++) begin : gen_memory
    memory #(.LOG2(i + 1)) u_memory (.clk_i, .write_i, .to_i, .from_i, .data_i(a_i[3:0]),
      .data_o(word_o[i*4 +: 4]));
  end
endmodule
"""


def yosys(name, commands):
    """Run Yosys; returns what it said, which is in a file, too."""
    done = subprocess.run([ROOT / "tools/private-root", "run", "yosys", "-q", "-p", commands],
                          cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    (BUILD / f"{name}.log").write_text(done.stdout)
    if done.returncode:
        raise ecp5.Failure(f"Yosys ended with status {done.returncode}: see {name}.log")
    return done.stdout


def mapped():
    """The sample as cells, and the module in it."""
    (BUILD / "sample.sv").write_text(SOURCE)
    for file, text in ecp5.vendor_cells().items():
        (BUILD / file).write_text(text)
    here = BUILD.relative_to(ROOT)
    yosys("map", f"read_verilog -sv {here}/sample.sv; {ecp5.commands('sample', 8)}; "
                 f"write_json {here}/mapped.json")
    netlist = json.loads((BUILD / "mapped.json").read_text())
    module = netlist["modules"]["sample"]
    netlist["modules"] = {"sample": module}  # without the faces of all cells there are
    (BUILD / "mapped.json").write_text(json.dumps(netlist))
    return netlist, module


def same(name, netlist):
    """Whether this netlist computes what the mapped one does."""
    here = BUILD.relative_to(ROOT)
    for cell in netlist["modules"]["sample"]["cells"].values():  # Yosys takes no 'x' for an output
        cell["connections"] = {port: bits for port, bits in cell["connections"].items()
                               if bits != ["x"] or cell["port_directions"][port] == "input"}
    (BUILD / f"{name}.json").write_text(json.dumps(netlist))

    def model(file):
        return (f"read_json {here}/{file}.json; "
                f"read_verilog -sv -DNO_INCLUDES -I{here} {here}/cells_sim.v; "
                "hierarchy -top sample; proc; flatten -wb; opt_clean; memory; opt; "
                f"rename sample {file}; design -stash {file}; ")

    said = yosys(f"{name}.equal",
                 f"{model('mapped')}{model(name)}design -copy-from mapped mapped; "
                 f"design -copy-from {name} {name}; miter -equiv -flatten mapped {name} both; "
                 f"tee -a /dev/stdout sat -seq {STEPS} -set-init-zero -prove trigger 0 both")
    if "no model found: SUCCESS" in said:
        return True
    if "model found: FAIL" in said:
        return False
    raise ecp5.Failure(f"Yosys does not say whether they are the same: see {name}.equal.log")


def constants(module):
    """Constants that would come over a net: carries, and addresses of memories."""
    return [(name, port) for name, cell in module["cells"].items()
            for port, bits in cell["connections"].items()
            if port in ("CIN", "RAD", "WAD") and not {"0", "1"}.isdisjoint(bits)]


def unread(module):
    """Carries that nobody reads and that are nets all the same."""
    read = {bit for cell in module["cells"].values() for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == "input" for bit in bits}
    return [name for name, cell in module["cells"].items() if cell["type"] == "CCU2C"
            and cell["connections"]["COUT"][0] not in read | {"x"}]


def check_prepared():
    netlist, module = mapped()
    if not constants(module) or not unread(module):
        return "the sample has nothing to prepare"
    ecp5.prepare(module)
    if constants(module) or unread(module):
        return f"is left: {constants(module)} {unread(module)}"
    return "" if same("prepared", netlist) else "the prepared netlist computes something else"


def check_seen():
    """What would go wrong is seen: a carry of the other value, an address bit of reads alone."""
    netlist, module = mapped()
    ecp5.prepare(module)
    begin = next(cell for name, cell in module["cells"].items() if name.startswith("carry_"))
    first = begin["parameters"]["INIT0"]
    begin["parameters"]["INIT0"] = first[:12] + ("0000" if first.endswith("1010") else "1010")
    if same("carry", netlist):
        return "a wrong carry is not seen"
    netlist, module = mapped()
    ecp5.prepare(module)
    memory = next(cell for cell in module["cells"].values() if cell["type"] == "TRELLIS_DPR16X4"
                  and cell["connections"]["RAD"][3] == cell["connections"]["RAD"][0])
    memory["connections"]["WAD"][3] = "0"
    return "a wrong address is not seen" if same("address", netlist) else ""


CHECKS = {"netlist.prepared_computes_the_same": check_prepared,
          "netlist.what_is_wrong_is_seen": check_seen}


def main():
    BUILD.mkdir(parents=True, exist_ok=True)
    print(f"1..{len(CHECKS)}")
    failures = 0
    for number, (name, check) in enumerate(CHECKS.items(), 1):
        try:
            text = check()
        except ecp5.Failure as failure:
            text = str(failure)
        failures += bool(text)
        print(f"{'not ' if text else ''}ok {number} - {name}", flush=True)
        if text:
            print(f"# {text}; see {BUILD.relative_to(ROOT)}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
