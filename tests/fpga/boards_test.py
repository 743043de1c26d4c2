#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each board's top, with next to nothing in place of the device, through all tools: pins,
levels, PLL, SERDES and bitstream are the board's own. The words of the SERDES are read back from the
textual bitstream and compared with constraints/ecp5/dcu_words.tsv, for each of its parameters: a
word that is missing would be 0, and once that was a transmitter that was off."""

import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

LOADER = importlib.machinery.SourceFileLoader("fpga", str(ROOT / "tools/fpga"))
fpga = importlib.util.module_from_spec(importlib.util.spec_from_loader("fpga", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(fpga)

import dcu_words  # of tools/

STUBS = ROOT / "tests/fpga"  # in place of the device, and of the link in front of it
MODULES = fpga.modules
fpga.BUILD = ROOT / "build/fpga-test"
fpga.modules = lambda: MODULES() | {path.stem: path for path in STUBS.glob("*.sv")}

# Parameters of a PCIe top, and what they are to the table
VARIANTS = {"": {}, "Clarity": {"words_set": "clarity"}, "Ctc": {"ctc": True}, "Gear": {"gear": False},
            "Switches": {"switches": True}}

# MHz of the constraints of a board in a slot: core, link, receiver, and gears of the fabric; with the
# SERDES' clock compensation the receiver has the link's clock; with switches the SERDES has four of its own
SLOT_CLOCKS = [62.5, 125, 125]
CLOCKS = {"Gear": [62.5, 125, 125, 250, 250], "Ctc": [62.5, 125],
          "Switches": [62.5, 125, 125, 250, 250, 250, 250]}


def wrong_clocks(report, wanted):
    """That a board's clocks are constrained to other frequencies than these"""
    aims = sorted(clock["aim"] for clock in report["clocks"].values())
    return [] if aims == wanted else [f"clocks are constrained to {aims} MHz, not {wanted}"]


def wrong_words(config, **parameters):
    """The words of a textual bitstream that are not the table's"""
    found, table = dcu_words.words_of(config), dcu_words.read()
    wrong = [f"{word['word']} is {found.get(word['word'], 'missing')}, not "
             f"{dcu_words.value_of(word, **parameters)}" for word in table
             if found.get(word["word"]) != dcu_words.value_of(word, **parameters)]
    known = {word["word"] for word in table}
    return wrong + [f"{name} is not in the table" for name in found if name not in known]


def words_problem(board, variant):
    """What is wrong with the words of a board whose parameter VARIANT is the other value, or ''."""
    name = fpga.variant(board, [f"{variant}={int(variant != 'Gear')}"])
    folder = fpga.BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        fpga.synthesize(name, folder)
        report = fpga.results(fpga.place_and_route(name, folder, 1)[0])
        late = fpga.problems(name, report)
    except fpga.Failure as failure:
        return str(failure)
    finally:
        del fpga.BOARDS[name]
    return "\n".join(late + wrong_clocks(report, CLOCKS.get(variant, SLOT_CLOCKS)) +
                     wrong_words((folder / "ringfence.config").read_text(), **VARIANTS[variant]))


def change_problem(board):
    """That one changed word of a board's bitstream would be seen, and a set can be put in."""
    config = (fpga.BUILD / board / "ringfence.config").read_text()
    for word in dcu_words.read():
        name = word["word"]
        bits = dcu_words.words_of(config)[name]
        other = config.replace(f"word: DCU.{name} {bits}\n",
                               f"word: DCU.{name} {int(bits[0]) ^ 1}{bits[1:]}\n")
        if len(wrong_words(other)) != 1:
            return f"{name} can be changed without a complaint"
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "clarity.config"
        subprocess.run([ROOT / "tools/dcu_words.py", "--set", "clarity",
                        fpga.BUILD / board / "ringfence.config", target], check=True)
        return "\n".join(wrong_words(target.read_text(), words_set="clarity"))


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
    pcie = board.endswith("_pcie")
    if pcie != ("DCUA:       1/" in said):
        return "there is no SERDES, or one where none should be"
    wrong = wrong_clocks(report, SLOT_CLOCKS if pcie else [62.5])
    if wrong or not pcie:
        return "\n".join(wrong)
    return "\n".join(wrong_words((fpga.BUILD / board / "ringfence.config").read_text()))


def main():
    tests = [(f"fpga.top_of_{board}", problem, board) for board in fpga.BOARDS]
    first = next(board for board in fpga.BOARDS if board.endswith("_pcie"))
    tests += [("fpga.a_changed_word_is_seen", change_problem, first)]
    tests += [(f"fpga.words_with_another_{variant}", words_problem, first, variant)
              for variant in VARIANTS if variant]
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
