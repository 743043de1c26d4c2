#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/generate.py: what it refuses, what it notices, what it writes."""

import pathlib
import re
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = (ROOT / "rtl/ringfence.toml").read_text(encoding="utf-8")
GOOD_CONSOLE = (ROOT / "rtl/board/link_console.toml").read_text(encoding="utf-8")
OUTPUTS = ["rtl/rf_pkg.sv", "kmd/include/ringfence_hw.h", "kmd/ddi/rf_registers.c",
           "docs/registers.md", "rtl/link/rf_link_console_pkg.sv", "host/link_registers.h",
           "docs/link-console.md"]


def generate(folder, *options):
    return subprocess.run([sys.executable, ROOT / "tools/generate.py", "--root", folder, *options],
                          text=True, capture_output=True, check=False)


def project(text=GOOD, console=GOOD_CONSOLE):
    """A folder with nothing but the descriptions."""
    folder = tempfile.TemporaryDirectory()
    (pathlib.Path(folder.name) / "rtl/board").mkdir(parents=True)
    for name, content in (("ringfence", text), ("board/link_console", console)):
        (pathlib.Path(folder.name) / f"rtl/{name}.toml").write_text(content, encoding="utf-8")
    return folder


def changed(text, old, new):
    assert text.count(old) >= 1, f"the description no longer has {old!r}"
    return text.replace(old, new, 1)


def refused(old, new, *wanted):
    """The device's description with old replaced gives one line that has the wanted words."""
    said(project(changed(GOOD, old, new)), *wanted)


def console_refused(old, new, *wanted):
    """So does the console's."""
    said(project(console=changed(GOOD_CONSOLE, old, new)), "link_console.toml", *wanted)


def said(broken, *wanted):
    with broken as folder:
        result = generate(folder)
        assert result.returncode == 1, f"status {result.returncode}"
        assert result.stderr.count("\n") == 1, f"not one line: {result.stderr}"
        for words in wanted:
            assert words in result.stderr, f"no {words!r} in: {result.stderr}"
        assert not any((pathlib.Path(folder) / name).exists() for name in OUTPUTS), "it wrote"


def test_syntax():
    """text that is not TOML is refused"""
    refused("[constants]", "[constants", "not TOML")


def test_missing_file():
    """a folder without a description is refused"""
    with tempfile.TemporaryDirectory() as folder:
        result = generate(folder)
        assert result.returncode == 1 and result.stderr.count("\n") == 1, result.stderr


def test_context_of_no_index():
    """only what every index has can be part of its context"""
    refused('{ name = "scratch", offset = 0x58, access = "rw",',
            '{ name = "scratch", offset = 0x58, access = "rw", context = true,',
            "block.device.scratch.context")


def test_context_mask():
    """word i of a saved context is register i: the mask has its bit"""
    with project(GOOD) as folder:
        assert generate(folder).returncode == 0
        header = (pathlib.Path(folder) / OUTPUTS[1]).read_text(encoding="utf-8")
        package = (pathlib.Path(folder) / OUTPUTS[0]).read_text(encoding="utf-8")
    mask = int(re.search(r"RF_SLOT_CONTEXT_MASK\s+(0x[0-9a-f]+)", header)[1], 16)
    assert int(re.search(r"SlotContext = 32'h([0-9a-f]+)", package)[1], 16) == mask
    wanted = 0
    for entry in re.findall(r"\{ name = .*context = true", GOOD):
        wanted |= 1 << int(re.search(r"offset = (0x[0-9a-f]+)", entry)[1], 16) // 8
    assert mask == wanted, f"{mask:#x}, not {wanted:#x}"


def test_register_overlap():
    """two registers at one offset are refused, by both names"""
    refused('{ name = "scratch", offset = 0x58', '{ name = "scratch", offset = 0x50',
            "block.device.scratch", "block.device.interrupt_test")


def test_array_overlap():
    """a register inside an array of registers is refused"""
    refused('{ name = "global_pending", offset = 0x40', '{ name = "global_pending", offset = 0x88',
            "block.doorbell", "bind")


def test_block_overlap():
    """a block that starts inside another one is refused"""
    refused("offset = 0x0500", "offset = 0x0418", "block.interrupt.header")


def test_header_overlap():
    """a register on the header of its block is refused"""
    refused('{ name = "models", offset = 0x10', '{ name = "models", offset = 0x08',
            "block.doorbell.models", "header")


def test_doorbell_pages():
    """a register in the doorbell pages is refused"""
    refused("offset = 0x2400", "offset = 0x7f80", "block.translation", "doorbell_base")


def test_unaligned_register():
    """a register that is not 8-byte aligned is refused"""
    refused('{ name = "scratch", offset = 0x58', '{ name = "scratch", offset = 0x5c',
            "block.device.scratch.offset", "multiple of 8")


def test_stride():
    """an indexed register beyond the stride is refused"""
    refused('{ name = "retired", offset = 0x10', '{ name = "retired", offset = 0x40',
            "block.node.retired.offset", "stride")


def test_field_overlap():
    """two fields that share a bit are refused, by both names"""
    refused('{ name = "vmid", bits = "7:4"', '{ name = "vmid", bits = "7:3"',
            "block.slot.config.vmid", "ring_log2")


def test_field_range():
    """a field beyond bit 63 is refused"""
    refused('bits = "63:32", doc = "kernel queue handle for', 'bits = "64:32", doc = "kernel',
            "block.doorbell.bind.handle.bits")


def test_field_order():
    """a field with its low bit first is refused"""
    refused('{ name = "vmid", bits = "7:4"', '{ name = "vmid", bits = "4:7"',
            "block.slot.config.vmid.bits")


def test_enum_width():
    """a value that does not fit its enumeration is refused"""
    refused("bus_master_disabled = 6", "bus_master_disabled = 8",
            "enum.access_status.bus_master_disabled", "3-bit")


def test_enum_duplicate():
    """two names for one value are refused"""
    refused("trap = 0x08", "trap = 0x07", "enum.opcode.trap", "software_signal")


def test_duplicate_name():
    """a register name that occurs twice in a block is refused"""
    refused('{ name = "scratch"', '{ name = "liveness"', "block.device.liveness", "twice")


def test_duplicate_block():
    """a block name that occurs twice is refused"""
    refused('name = "node"\ntype = "node"', 'name = "slot"\ntype = "node"', "block.slot", "twice")


def test_name():
    """a name that is not lower case is refused"""
    refused('{ name = "scratch"', '{ name = "Scratch"', "block.device.Scratch")


def test_unknown_key():
    """a misspelt key is refused"""
    refused("reset = 0x100000", "rest = 0x100000", "block.device.completion_timeout.rest")


def test_wrong_type():
    """a text where a number belongs is refused"""
    refused('{ name = "scratch", offset = 0x58', '{ name = "scratch", offset = "0x58"',
            "block.device.scratch.offset")


def test_access():
    """an access that does not exist is refused"""
    refused('offset = 0x58, access = "rw"', 'offset = 0x58, access = "wr"',
            "block.device.scratch.access")


def test_record_hole():
    """a record that C would lay out with a hole is refused"""
    refused('{ name = "handle", offset = 4', '{ name = "handle", offset = 8',
            "record.interrupt_record.handle.offset")


def test_record_size():
    """a record whose size is not the sum of its fields is refused"""
    refused("bytes = 48", "bytes = 56", "record.log_entry.bytes")


def test_packet_words():
    """a packet whose length does not fit its operands is refused"""
    refused("words = [4, 5]", "words = [4, 6]", "packet.signal.words")


def test_packet_opcode():
    """a packet without an opcode is refused"""
    refused("trap = 0x08", "trip = 0x08", "trap")


def test_name_collision():
    """two entries that become one generated name are refused"""
    refused("[constants]", "[constants]\nopcode_signal = { value = 1, doc = \"x\" }",
            "OpcodeSignal")


def test_console_fields():
    """fields of the console that share a bit, or have one beyond 31, are refused"""
    console_refused('name = "ctc", bits = "9"', 'name = "ctc", bits = "9:8"',
                    "register.build.ctc", "overlaps clarity")
    console_refused('name = "clock", bits = "31:16"', 'name = "clock", bits = "32:16"',
                    "register.build.clock.bits", "not within 31:0")


def test_console_addresses():
    """registers of the console at one address are refused, unless one is read, the other written"""
    console_refused('name = "position"\naddress = 5', 'name = "position"\naddress = 6',
                    "register.clocks", "taken by register.position")
    console_refused('name = "now"\naddress = 4\naccess = "ro"',
                    'name = "now"\naddress = 4\naccess = "rw"',
                    "register.now", "taken by register.command")
    console_refused("address = 0x600", "address = 0x5ff", "register.counter", "register.entry")
    console_refused("count = 512", "count = 4096", "register.entry.count", "12-bit")
    console_refused('access = "wo"', 'access = "w1c"', "register.command.access")


def test_console_numbers():
    """a counter beyond the registers, a step beyond its field, and two of one value are refused"""
    console_refused("value = 15", "value = 16", "counter.bad_frames.value", "0 to 15")
    console_refused("value = 15", "value = 12", "counter.bad_frames.value", "counter.perst")
    console_refused('name = "run"\nvalue = 6', 'name = "run"\nvalue = 8', "step.run.value")


def test_console_collision():
    """two entries of the console that become one generated name are refused"""
    console_refused("[constants]", '[constants]\nentry_count = { value = 1, doc = "x" }',
                    "EntryCount")


def test_fresh():
    """what it has just written is fresh, and writing again changes nothing"""
    with project(GOOD) as folder:
        assert generate(folder).returncode == 0
        assert generate(folder, "--check").returncode == 0
        assert generate(folder).stdout == ""


def test_stale():
    """--check names each stale file, writes nothing and fails"""
    with project(GOOD) as folder:
        generate(folder)
        for name in OUTPUTS:
            path = pathlib.Path(folder) / name
            text = path.read_text(encoding="utf-8")
            path.write_text(text + "\n", encoding="utf-8")
            result = generate(folder, "--check")
            assert result.returncode == 1 and name in result.stderr, result.stderr
            assert path.read_text(encoding="utf-8") == text + "\n", "it wrote"
            path.unlink()
            assert generate(folder, "--check").returncode == 1
            path.write_text(text, encoding="utf-8")
        assert generate(folder, "--check").returncode == 0


def test_addresses():
    """package and header give every register the address of the description"""
    with project(GOOD) as folder:
        generate(folder)
        package = (pathlib.Path(folder) / OUTPUTS[0]).read_text(encoding="utf-8")
        header = (pathlib.Path(folder) / OUTPUTS[1]).read_text(encoding="utf-8")
    # By hand from the description: block slot at 0x1000, index 0 at + 0x100.
    assert "RegSlotQuantum = 17'h01110;" in package
    assert "#define RF_REG_SLOT_QUANTUM(i)\t\t\t(0x1110 + 0x100 * (i))" in header
    assert "RegDoorbellBind = 17'h00280;" in package
    # {next 0x400, version 1, type 3} and {base 0x1100, stride 0x100, count 16}
    assert "SlotBlockHeader0 = 64'h0000040000010003;" in package
    assert "SlotBlockHeader1 = 64'h0000110001000010;" in package
    lsb = re.search(r"SlotConfigTokenLsb = (\d+);", package)
    assert lsb and int(lsb[1]) == 16


def test_console_values():
    """the console's package and header have the addresses and bits of its description"""
    with project() as folder:
        generate(folder)
        package = (pathlib.Path(folder) / OUTPUTS[4]).read_text(encoding="utf-8")
        header = (pathlib.Path(folder) / OUTPUTS[5]).read_text(encoding="utf-8")
        page = (pathlib.Path(folder) / OUTPUTS[6]).read_text(encoding="utf-8")
    # By hand from the description
    for text in ("Identity = 32'h4b4c4652;", "RegSciRequest = 12'h007;", "RegCounter = 12'h600;",
                 "StatusStepLsb = 2;", "StatusStepWidth = 3;", "EntryCount = 512;",
                 "CounterBadFrames = 15;"):
        assert text in package, text
    words = " ".join(header.split())
    for text in ("RF_LINK_REGISTER_COUNTER 0x600", "RF_LINK_STATUS_STEP_MASK 0x1cU",
                 "RF_LINK_SCI_REQUEST_WRITE_SHIFT 31", '[15] = "bad_frames"', '[6] = "running"'):
        assert text in words, text
    assert "| 0x400 + i, i = 0 … 511 | `entry` | ro |" in page


def test_header_compiles():
    """the header compiles as C11 and C++17 with every warning an error"""
    source = '#include "ringfence_hw.h"\nint main(void) { return RF_OPCODE_NOP; }\n'
    with project(GOOD) as folder:
        generate(folder)
        for compiler, language in (("gcc", "c11"), ("g++", "c++17")):
            subprocess.run([compiler, f"-std={language}", "-Wall", "-Wextra", "-Wpedantic",
                            "-Werror", "-I", pathlib.Path(folder) / "kmd/include",
                            "-fsyntax-only", "-x", "c++" if compiler == "g++" else "c", "-"],
                           input=source, text=True, check=True)


sys.exit(tap.run(__name__))
