# SPDX-License-Identifier: Apache-2.0
"""Reads rtl/board/link_console.toml, checks it, and renders its package, C header and reference.

As with the device's description, what read() returns is consistent.
"""

import dataclasses

from interface.c_header import Header, number, upper
from interface.description import Error, constant, fields, fits, keys, load, named, unique
from interface.reference import code, field_table, table
from interface.sv_package import Package, camel, position

SOURCE = "rtl/board/link_console.toml"
WORD_BITS = 32
ACCESS = {"ro": "r", "rw": "rw", "wo": "w"}  # the ways in which a register takes its address


@dataclasses.dataclass
class Register:
    """One register, or `count` of them from `address` on."""
    name: str
    address: int
    access: str
    doc: str
    fields: list
    count: int


@dataclasses.dataclass
class Number:
    """A number with a name: a counter, or a step of the reset sequence."""
    name: str
    value: int
    doc: str


@dataclasses.dataclass
class Console:
    constants: list
    registers: list
    counters: list
    steps: list
    address_bits: int


# --- reading -------------------------------------------------------------------

def read(path):
    """Return the Console that the file describes, or raise Error."""
    entries = load(path)
    keys(entries, "the file", {"constants": dict, "register": list, "counter": list,
                               "step": list}, {})
    constants = [constant(name, entry) for name, entry in entries["constants"].items()]
    value_of = {entry.name: entry.value for entry in constants}
    if "address_bits" not in value_of:
        raise Error("constants.address_bits: missing")
    registers = [register(entry) for entry in entries["register"]]
    unique(registers, "register")
    places(registers, value_of["address_bits"])

    by_name = {entry.name: entry for entry in registers}
    counters = numbers(entries["counter"], "counter", counter_limit(by_name))
    steps = numbers(entries["step"], "step", step_limit(by_name))
    return Console(constants, registers, counters, steps, value_of["address_bits"])


def register(entry):
    where = f"register.{named(entry, 'register')}"
    keys(entry, where, {"name": str, "address": int, "access": str, "doc": str},
         {"fields": list, "count": int})
    if entry["access"] not in ACCESS:
        raise Error(f"{where}.access: '{entry['access']}' is none of {', '.join(ACCESS)}")
    if entry.get("count", 1) < 1:
        raise Error(f"{where}.count: {entry['count']} is not at least 1")
    return Register(entry["name"], entry["address"], entry["access"], entry["doc"],
                    fields(entry.get("fields", []), where, WORD_BITS), entry.get("count", 1))


def places(registers, address_bits):
    """See that no address has two registers that are read, or two that are written."""
    owner = {}
    for entry in registers:
        where = f"register.{entry.name}"
        fits(entry.address, address_bits, f"{where}.address")
        fits(entry.address + entry.count - 1, address_bits, f"{where}.count: the last address")
        for address in range(entry.address, entry.address + entry.count):
            for way in ACCESS[entry.access]:
                if (address, way) in owner:
                    raise Error(f"{where}: address {address:#x} is taken by "
                                f"register.{owner[address, way]}")
                owner[address, way] = entry.name


def counter_limit(registers):
    if "counter" not in registers:
        raise Error("register.counter: missing")
    return registers["counter"].count


def step_limit(registers):
    status = registers.get("status")
    for field in status.fields if status else ():
        if field.name == "step":
            return 1 << field.width
    raise Error("register.status.step: missing")


def numbers(entries, what, limit):
    result, owner = [], {}
    for entry in entries:
        where = f"{what}.{named(entry, what)}"
        keys(entry, where, {"name": str, "value": int, "doc": str}, {})
        value = entry["value"]
        if not 0 <= value < limit:
            raise Error(f"{where}.value: {value} is not within 0 to {limit - 1}")
        if value in owner:
            raise Error(f"{where}.value: {value} is that of {what}.{owner[value]}")
        owner[value] = entry["name"]
        result.append(Number(entry["name"], value, entry["doc"]))
    unique(result, what)
    return result


# --- the SystemVerilog package ---------------------------------------------------

def package(console):
    lines = Package()
    lines.section("constants")
    for entry in console.constants:
        lines.number(camel(entry.name), entry.value)
    lines.section("registers")
    for entry in console.registers:
        lines.vector(camel("reg", entry.name), console.address_bits, entry.address)
    for entry in console.registers:
        name = camel(entry.name)
        if entry.count > 1:
            lines.number(name + "Count", entry.count)
        for field in entry.fields:
            position(lines, name + camel(field.name), field)
    lines.section("counters")
    for entry in console.counters:
        lines.number(camel("counter", entry.name), entry.value)
    return "\n".join([
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// Generated from {SOURCE} by tools/generate.py: do not edit.",
        "// What everything means: docs/link-console.md.",
        "",
        "// Every module uses a part of it only.",
        "/* verilator lint_off UNUSEDPARAM */",
        "package rf_link_console_pkg;",
        *lines.lines,
        "",
        "endpackage",
        "/* verilator lint_on UNUSEDPARAM */",
        "",
    ])


# --- the C header ----------------------------------------------------------------

class WordHeader(Header):
    """Of registers of 32 bits."""

    def field(self, name, field):
        self.define(f"{name}_SHIFT", str(field.lsb))
        self.define(f"{name}_MASK", f"{field.mask:#x}U")

    def strings(self, name, size, texts):
        """An array of texts by number."""
        self.claim(name)
        self.lines += [f"static const char *const {name}[{size}] = {{",
                       *(f'\t[{number}] = "{text}",' for number, text in texts), "};"]


def header(console):
    lines = WordHeader()
    lines.section("constants")
    for entry in console.constants:
        lines.comment(entry.doc)
        lines.define(upper("link", entry.name), number(entry.value))
    lines.section("registers")
    for i, entry in enumerate(console.registers):
        if i:
            lines.lines.append("")
        c_register(lines, entry)
    lines.section("names, by number")
    lines.strings("rf_link_counters", upper("link", "counter", "count"),
                  [(entry.value, entry.name) for entry in console.counters])
    lines.lines.append("")
    lines.strings("rf_link_steps", "RF_LINK_GET(RF_LINK_STATUS_STEP, ~0U) + 1",
                  [(entry.value, entry.doc) for entry in console.steps])
    return "\n".join([
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/*",
        f" * Generated from {SOURCE} by tools/generate.py: do not edit.",
        " *",
        " * Registers of a link's console. RF_LINK_REGISTER_* are addresses; *_MASK are in place.",
        " */",
        "#ifndef RF_LINK_REGISTERS_H",
        "#define RF_LINK_REGISTERS_H",
        "",
        "#include <stdint.h>",
        "",
        "/* Of a register's value, a field */",
        "#define RF_LINK_GET(FIELD, value) (((value)&FIELD##_MASK) >> FIELD##_SHIFT)",
        "/* And the other way round */",
        "#define RF_LINK_FIELD(FIELD, value) (((uint32_t)(value) << FIELD##_SHIFT) & FIELD##_MASK)",
        *lines.lines,
        "",
        "#endif",
        "",
    ])


def c_register(lines, entry):
    lines.comment(f"{entry.access}: {entry.doc}")
    lines.define(upper("link", "register", entry.name), f"{entry.address:#x}")
    if entry.count > 1:
        lines.define(upper("link", entry.name, "count"), str(entry.count))
    for field in entry.fields:
        lines.field(upper("link", entry.name, field.name), field)


# --- the reference ---------------------------------------------------------------

def reference(console):
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        f"<!-- Generated from {SOURCE} by tools/generate.py: do not edit. -->",
        "",
        "# Registers of the link console",
        "",
        "What `ringfence link` and a [board in a slot](board.md#the-console) agree on. Registers",
        "are words of 32 bits at word addresses of the board's serial line. Frames are those of",
        "the [serial line](serial-line.md) to a device; `rf_frame_registers` has the requests.",
        "",
        "Access: ro read only, rw read and write, wo a write acts. Two registers may share an",
        "address if one is read and the other written. Bits without a field read 0 and are",
        "ignored when written.",
        "",
    ]
    lines += table(["address", "register", "access", "meaning"],
                   [[span(entry), code(entry.name), entry.access, entry.doc]
                    for entry in console.registers])
    for entry in console.registers:
        if entry.fields:
            lines += [f"## {entry.name}", ""]
            lines += field_table(entry.fields)
    lines += ["## Counters", ""]
    lines += table(["number", "counter", "counts"],
                   [[entry.value, code(entry.name), entry.doc] for entry in console.counters])
    lines += ["## Steps of the reset sequence", ""]
    lines += table(["step", "name", "`ringfence link` prints"],
                   [[entry.value, code(entry.name), entry.doc] for entry in console.steps])
    lines += ["## Constants", ""]
    lines += table(["name", "value", "meaning"],
                   [[code(entry.name), f"{entry.value:#x}" if entry.value > 65535 else entry.value,
                     entry.doc] for entry in console.constants])
    return "\n".join(lines)


def span(entry):
    return f"{entry.address:#x}" + (f" + i, i = 0 … {entry.count - 1}" if entry.count > 1 else "")
