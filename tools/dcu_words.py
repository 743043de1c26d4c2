#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the instance of the ECP5's SERDES from the table of its words.

    tools/dcu_words.py [--check]
    tools/dcu_words.py --set SET INPUT.config OUTPUT.config

The table is constraints/ecp5/dcu_words.tsv; the outputs are rtl/board/rf_ecp5_dcu.sv and, for the
lint, rtl/board/ecp5/DCUA.sv. With --check nothing is written: the exit status is 1 if one of
them is stale.

--set puts the words of a set (yumewatari, clarity) into a bitstream in nextpnr's textual form, as
make fpga leaves it in build/fpga/BOARD/ringfence.config. ecppack makes a bitstream of it
in seconds, without another place and route.
"""

import argparse
import csv
import pathlib
import re
import sys

from version import Version

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = "constraints/ecp5/dcu_words.tsv"
SETS = ("yumewatari", "clarity")

# The ports of the cell that the project uses: of the cell, of rf_ecp5_dcu with its bit, if any
INPUTS = [
    ("CH0_HDINP", "rx_p_i"), ("CH0_HDINN", "rx_n_i"), ("D_REFCLKI", "refclk_i"),
    ("CH0_RX_REFCLK", "refclk_i"), ("CH0_FF_RXI_CLK", "rx_clk_i"),
    ("CH0_FF_TXI_CLK", "tx_clk_i"), ("CH0_FF_EBRD_CLK", "compensation_clk_i"),
    *((f"CH0_FF_TX_D_{i}", f"tx_i[{i}]") for i in range(24)),
    ("CH0_FFC_EI_EN", "tx_idle_i"), ("CH0_FFC_PCIE_DET_EN", "detect_enable_i"),
    ("CH0_FFC_PCIE_CT", "detect_strobe_i"), ("CH0_FFC_SB_INV_RX", "rx_invert_i"),
    ("CH0_FFC_ENABLE_CGALIGN", "1'b1"), ("CH0_FFC_SIGNAL_DETECT", "1'b1"),
    ("CH0_FFC_FB_LOOPBACK", "1'b0"), ("CH0_FFC_SB_PFIFO_LP", "1'b0"),
    ("CH0_FFC_PFIFO_CLR", "1'b0"), ("CH0_FFC_RATE_MODE_RX", "1'b0"),
    ("CH0_FFC_RATE_MODE_TX", "1'b0"), ("CH0_FFC_DIV11_MODE_RX", "1'b0"),
    ("CH0_FFC_DIV11_MODE_TX", "1'b0"), ("CH0_FFC_RX_GEAR_MODE", "gear_i"),
    ("CH0_FFC_TX_GEAR_MODE", "gear_i"), ("CH0_FFC_LDR_CORE2TX_EN", "1'b0"),
    ("CH0_LDR_CORE2TX", "1'b0"), ("CH0_FFC_LANE_TX_RST", "reset_tx_pcs_i"),
    ("CH0_FFC_LANE_RX_RST", "reset_rx_pcs_i"), ("CH0_FFC_RRST", "reset_cdr_i"),
    ("CH0_FFC_TXPWDNB", "1'b1"), ("CH0_FFC_RXPWDNB", "1'b1"),
    ("CH0_FFC_CDR_EN_BITSLIP", "1'b0"), ("D_FFC_DUAL_RST", "reset_all_i"),
    ("D_FFC_MACRO_RST", "reset_all_i"), ("D_FFC_MACROPDB", "1'b1"),
    ("D_FFC_TRST", "reset_pll_i"), ("D_FFC_SYNC_TOGGLE", "1'b0"),
    *((f"D_SCIADDR{i}", f"sci_address_i[{i}]") for i in range(6)),
    *((f"D_SCIWDATA{i}", f"sci_data_i[{i}]") for i in range(8)),
    ("D_SCIENAUX", "sci_common_i"), ("D_SCISELAUX", "sci_common_i"),
    ("CH0_SCIEN", "sci_channel_i"), ("CH0_SCISEL", "sci_channel_i"),
    ("D_SCIRD", "sci_read_i"), ("D_SCIWSTN", "!sci_write_i"), ("D_CYAWSTN", "1'b0"),
]
OUTPUTS = [
    ("CH0_HDOUTP", "tx_p_o"), ("CH0_HDOUTN", "tx_n_o"), ("CH0_FF_TX_PCLK", "tx_pclk_o"),
    ("CH0_FF_TX_F_CLK", "tx_full_clk_o"), ("CH0_FF_RX_PCLK", "rx_pclk_o"),
    ("CH0_FF_RX_F_CLK", "rx_full_clk_o"),
    *((f"CH0_FF_RX_D_{i}", f"rx_o[{i}]") for i in range(24)),
    ("CH0_FFS_PCIE_DONE", "detect_done_o"), ("CH0_FFS_PCIE_CON", "detect_present_o"),
    ("CH0_FFS_RLOS", "rx_silent_o"), ("CH0_FFS_RLOL", "cdr_unlocked_o"),
    ("CH0_FFS_LS_SYNC_STATUS", "rx_synchronized_o"), ("D_FFS_PLOL", "pll_unlocked_o"),
    ("CH0_FFS_CC_OVERRUN", "overrun_o"), ("CH0_FFS_CC_UNDERRUN", "underrun_o"),
    *((f"D_SCIRDATA{i}", f"sci_data_o[{i}]") for i in range(8)),
]
WIDTHS = {"tx_i": 24, "rx_o": 24, "sci_address_i": 6, "sci_data_i": 8, "sci_data_o": 8}

HEAD = f"""// SPDX-License-Identifier: Apache-2.0
//
// Generated from {TABLE} by tools/dcu_words.py: do not edit.
//
"""
ABOUT = """// The ECP5's SERDES, DCU 0 with channel 0, with all of its words: nextpnr-ecp5 takes 0 for one that
// is not given. Clarity: the other set of the undocumented ones. Ctc: the DCU's own clock
// compensation; compensation_clk_i is then tx_full_clk_o, else of no matter. Gear, and with it
// gear_i: two symbols a cycle of 125 MHz, else one of 250 MHz. Switches: both full-rate clocks run
// whatever Gear says. A symbol is eight bits, K and three more: of the transmitter two for its
// disparity and electrical idle. sci_*: TN1261, SERDES client interface.

"""
CELL_ABOUT = """// The SERDES of the ECP5, as far as this project uses it: for the lint. Synthesis has the
// vendor's cell.

"""


class Error(Exception):
    """The table is not as it has to be."""


def read(path=ROOT / TABLE):
    """The words in the table's order, each a dictionary of its columns"""
    with open(path, encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        words = list(csv.DictReader(lines, delimiter="\t"))
    for word in words:
        for value in (word["value"], word["clarity"]):
            if value and re.fullmatch("[01]+", value) and len(value) != int(word["bits"]):
                raise Error(f"{word['word']} has {word['bits']} bits, not {value}")
        if not word["meaning"] or not word["source"]:
            raise Error(f"{word['word']} has no meaning or no source")
    return words


def value_of(word, words_set="yumewatari", ctc=False, gear=True, switches=False):
    """The bits of a word for these parameters of rf_ecp5_dcu"""
    text = word["clarity"] or word["value"] if words_set == "clarity" else word["value"]
    if re.fullmatch("[01]+", text):
        return text
    known = {"Gear": gear, "~Gear": not gear, "Ctc": ctc, "~Ctc": not ctc,
             "~Switches": not switches}
    return str(int(all(known[part] for part in text.split(" & "))))


def constant(value):
    return f"{len(value)}'b{value}" if re.fullmatch("[01]+", value) else value


def wires(ports, direction):
    """Declarations of rf_ecp5_dcu's ports, each once"""
    found = []
    for _, name in ports:
        wire = re.sub(r"[^\w].*", "", name.lstrip("!"))
        if re.fullmatch(r"\w+_[io]", wire) and wire not in found:
            found.append(wire)
    for wire in found:
        width = f" [{WIDTHS[wire] - 1}:0]" if wire in WIDTHS else ""
        yield f"  {direction}{width} {wire}"


def wrapper(words):
    lines = [HEAD, ABOUT, "`default_nettype none\n\n", "module rf_ecp5_dcu #(\n",
             "  parameter bit Clarity = 1'b0,\n  parameter bit Ctc = 1'b0,\n",
             "  parameter bit Gear = 1'b1,\n  parameter bit Switches = 1'b0\n) (\n",
             ",\n".join([*wires(INPUTS, "input  wire logic"), *wires(OUTPUTS, "output logic")]),
             "\n);\n\n"]
    for word in words:
        name, bits, value = word["word"], int(word["bits"]), constant(word["value"])
        if word["clarity"]:
            value = f"Clarity ? {constant(word['clarity'])} : {value}"
        lines.append(f"  // {word['meaning']} ({word['source']})\n"
                     f"  localparam logic [{bits - 1}:0] {name} = {value};\n")
    lines.append('\n  (* LOC = "DCU0" *)\n  DCUA #(\n')
    lines.append(",\n".join(f"    .{word['word']}({word['word']})" for word in words))
    lines.append("\n  ) u_dcu (\n")
    lines.append(",\n".join(f"    .{port}({wire})" for port, wire in [*INPUTS, *OUTPUTS]))
    lines.append("\n  );\n\nendmodule\n\n`default_nettype wire\n")
    return "".join(lines)


def cell(words):
    lines = [HEAD, CELL_ABOUT, "`default_nettype none\n\n// verilator lint_off UNUSED\n",
             "// verilator lint_off UNDRIVEN\n(* blackbox *)\nmodule DCUA #(\n",
             ",\n".join(f"  parameter {word['word']} = \"DONTCARE\"" for word in words),
             "\n) (\n",
             ",\n".join([*(f"  input  wire logic {port}" for port, _ in INPUTS),
                         *(f"  output logic {port}" for port, _ in OUTPUTS)]),
             "\n);\nendmodule\n// verilator lint_on UNDRIVEN\n// verilator lint_on UNUSED\n",
             "\n`default_nettype wire\n"]
    return "".join(lines)


def words_of(config):
    """The words of DCU 0, channel 0, in a textual bitstream: name to bits"""
    return dict(re.findall(r"^word: DCU\.((?:CH0|D)_\w+) ([01]+)$", config, re.M))


def with_set(config, words, words_set):
    """A textual bitstream with the undocumented words of a set"""
    for word in words:
        if word["clarity"]:
            config, count = re.subn(rf"^(word: DCU\.{word['word']}) [01]+$",
                                    rf"\1 {value_of(word, words_set)}", config, flags=re.M)
            if count != 1:
                raise Error(f"{word['word']} is {count} times in the bitstream")
    return config


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", action=Version)
    parser.add_argument("--check", action="store_true", help="only name the stale outputs")
    parser.add_argument("--set", choices=SETS, help="change the words of a textual bitstream")
    parser.add_argument("files", nargs="*", metavar="INPUT.config OUTPUT.config")
    options = parser.parse_args()
    if len(options.files) != (2 if options.set else 0):
        parser.error("--set SET INPUT.config OUTPUT.config, or no file")

    try:
        words = read()
        if options.set:
            source, target = map(pathlib.Path, options.files)
            target.write_text(with_set(source.read_text(encoding="utf-8"), words, options.set),
                              encoding="utf-8")
            return 0
    except (Error, OSError) as error:
        sys.exit(f"dcu_words: {error}")

    stale = 0
    for name, text in (("rtl/board/rf_ecp5_dcu.sv", wrapper(words)),
                       ("rtl/board/ecp5/DCUA.sv", cell(words))):
        path = ROOT / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if options.check:
            print(f"{name} is stale: run 'make generate'", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
