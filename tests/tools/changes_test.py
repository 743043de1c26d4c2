#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every register and field that a host may write has a row in tests/conform/change_tests.c."""

import copy
import pathlib
import re
import sys
import tomllib

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = ROOT / "tests" / "conform" / "change_tests.c"
WRITABLE = ("rw", "wo", "w1c")
# Fields of writable registers that a write leaves alone.
READ_ONLY = {f"node.engine.{field}" for field in
             ("in_reset", "operations", "reads", "writes", "words")}


def writable(interface):
    """Yield the name of each writable register and those of its fields."""
    for block in interface["block"]:
        for register in block.get("registers", []) + block.get("indexed_registers", []):
            if register["access"] in WRITABLE:
                name = f"{block['name']}.{register['name']}"
                fields = [f"{name}.{field['name']}" for field in register.get("fields", [])]
                yield name, [field for field in fields if field not in READ_ONLY]


def rows(text):
    """The names of the rows, and the tests that rows name instead of a sweep."""
    table = text[text.index("struct change changes[] = {"):]
    table = table[:table.index("\n};")]
    table = re.sub(r'\bCONFIG\("', 'CONFIG("config.', table)
    table = re.sub(r'\bSLOT\("', 'SLOT("slot.', table)
    table = re.sub(r'\bCONTROL\("', 'CONTROL("slot.control.', table)
    names = re.findall(r'(?:\b[A-Z]+\(|\.name = )"([a-z_0-9.]+)"', table)
    return names, re.findall(r'\.test =\s*"([^"]+)"', table)


def missing(interface, names):
    """What has no row, and the rows that are of nothing."""
    known, without = set(), []
    for register, fields in writable(interface):
        known.update([register, *fields])
        if register not in names:
            without += [field for field in fields or [register] if field not in names]
    blocks = {block["name"] for block in interface["block"]}
    strange = [name for name in names if name.split(".")[0] in blocks and name not in known]
    return without, strange


INTERFACE = tomllib.loads((ROOT / "rtl" / "ringfence.toml").read_text())
NAMES, TESTS = rows(ROWS.read_text())


def test_every_field_has_a_row():
    """every writable register and field has a row"""
    without, _ = missing(INTERFACE, NAMES)
    assert not without, without


def test_every_row_is_of_something():
    """every row is of a writable register or field, and stands once"""
    _, strange = missing(INTERFACE, NAMES)
    assert not strange, strange
    assert len(NAMES) == len(set(NAMES))


def test_tests_named_are_there():
    """tests that rows name instead of a sweep are there"""
    sources = "".join(path.read_text() for path in ROWS.parent.glob("*_tests.c"))
    assert TESTS
    for test in TESTS:
        assert f'{{ "{test}"' in sources, test


def test_what_is_new_is_missed():
    """a register and a field without a row are missed"""
    changed = copy.deepcopy(INTERFACE)
    changed["block"][0]["registers"].append({"name": "new", "access": "rw"})
    control = next(register for block in changed["block"] if block["name"] == "interrupt"
                   for register in block["registers"] if register["name"] == "control")
    control["fields"].append({"name": "new", "bits": "12", "doc": ""})
    without, _ = missing(changed, NAMES)
    assert without == ["device.new", "interrupt.control.new"], without


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
