# SPDX-License-Identifier: Apache-2.0
"""Renders the SystemVerilog package rf_pkg."""

from interface.description import REGISTER_BYTES, Error


def camel(*names):
    return "".join(word.capitalize() for name in names for word in name.split("_"))


class Package:
    """Lines of the package; knows every name, so that no two collide."""

    def __init__(self):
        self.lines = []
        self.names = set()

    def section(self, title):
        self.lines += ["", f"  // --- {title} ---"]

    def comment(self, text):
        self.lines += ["", f"  // {text}"]

    def parameter(self, kind, name, value):
        if name in self.names:
            raise Error(f"two entries become the SystemVerilog name {name}")
        self.names.add(name)
        self.lines.append(f"  localparam {kind} {name} = {value};")

    def number(self, name, value):
        """A count or a position: an int, or 64 bits where that is too narrow."""
        if value < 1 << 32:
            self.parameter("int unsigned", name, f"32'h{value:x}" if value > 4096 else value)
        else:
            self.vector(name, 64, value)

    def vector(self, name, bits, value):
        kind = f"logic [{bits - 1}:0]" if bits > 1 else "logic"
        self.parameter(kind, name, f"{bits}'h{value:0{(bits + 3) // 4}x}")


def render(interface):
    package = Package()
    package.section("constants")
    for entry in interface.constants:
        package.number(camel(entry.name), entry.value)

    for entry in interface.enums:
        package.section(f"enum {entry.name}")
        for name, value in entry.values.items():
            if entry.bits == 32:
                package.number(camel(entry.name, name), value)
            else:
                package.vector(camel(entry.name, name), entry.bits, value)

    address_bits = next(entry.value - 1 for entry in interface.constants
                        if entry.name == "bar0_bytes").bit_length()
    for block in interface.blocks:
        blocks(package, block, address_bits)

    package.section("page tables")
    for field in interface.page_table_entry:
        position(package, camel("page_table_entry", field.name), field)

    package.section("command packets")
    for field in interface.packet_header:
        position(package, camel("packet_header", field.name), field)
    for entry in interface.packets:
        name = camel("packet", entry.name)
        package.lines.append("")
        package.vector(name + "WordsMin", 8, entry.words_min)
        package.vector(name + "WordsMax", 8, entry.words_max)
        package.vector(name + "Flags", 16, sum(flag.mask for flag in entry.flags))
        for flag in entry.flags:
            package.vector(name + camel("flag", flag.name), 16, flag.mask)
        package.vector(name + "ArgumentMask", 32, entry.argument_mask)

    return "\n".join([
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        "// Generated from ringfence.toml by tools/generate.py: do not edit.",
        "// What everything means: docs/registers.md.",
        "",
        "// Every module uses a part of it only.",
        "/* verilator lint_off UNUSEDPARAM */",
        "package rf_pkg;",
        *package.lines,
        "",
        "endpackage",
        "/* verilator lint_on UNUSEDPARAM */",
        "",
    ])


def blocks(package, block, address_bits):
    package.section(f"block {block.name}")
    for i, word in enumerate(block.headers()):
        package.vector(camel(block.name, "block_header") + str(i), 64, word)
        package.vector(camel("reg", block.name, "header") + str(i), address_bits,
                       block.offset + i * REGISTER_BYTES)
    if block.indexed_count:
        name = camel(block.name, "indexed")
        package.vector(name + "Base", address_bits, block.indexed_base)
        package.number(name + "Count", block.indexed_count)
        package.number(name + "Stride", block.indexed_stride)
    if block.context_mask():
        package.vector(camel(block.name, "context"), block.indexed_stride // REGISTER_BYTES,
                       block.context_mask())
    for register in block.registers:
        package.vector(camel("reg", block.name, register.name), address_bits, register.address)
    for register in block.registers:
        name = camel(block.name, register.name)
        if register.count > 1:
            package.number(name + "Count", register.count)
            package.number(name + "Stride", register.stride)
        if register.reset:
            package.vector(name + "Reset", 64, register.reset)
        for field in register.fields:
            position(package, name + camel(field.name), field)


def position(package, name, field):
    package.number(name + "Lsb", field.lsb)
    package.number(name + "Width", field.width)
