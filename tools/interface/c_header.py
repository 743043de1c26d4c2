# SPDX-License-Identifier: Apache-2.0
"""Renders the C header ringfence_hw.h for kernel and user space."""

import textwrap

from interface.description import TYPES, Error


def upper(*names):
    return "_".join(["rf", *names]).upper()


class Header:
    """Lines of the header; knows every macro, so that no two collide."""

    def __init__(self):
        self.lines = []
        self.names = set()

    def section(self, title):
        self.lines += ["", f"/* --- {title} --- */", ""]

    def comment(self, text, indent=""):
        lines = textwrap.wrap(text, 74 - 8 * len(indent))
        if len(lines) == 1:
            self.lines.append(f"{indent}/* {lines[0]} */")
        else:
            self.lines += [f"{indent}/*", *(f"{indent} * {line}" for line in lines),
                           f"{indent} */"]

    def claim(self, name):
        if name in self.names:
            raise Error(f"two entries become the C name {name}")
        self.names.add(name)

    def define(self, name, value):
        self.claim(name.partition("(")[0])
        column = 8 + len(name)
        tabs = max(1, (48 - column + 7) // 8)
        self.lines.append(f"#define {name}" + "\t" * tabs + value)

    def field(self, name, field):
        self.define(f"{name}_SHIFT", str(field.lsb))
        self.define(f"{name}_MASK", f"{field.mask:#x}ULL")


def number(value):
    text = f"{value:#x}" if value > 4096 else str(value)
    return text + "ULL" if value >= 1 << 31 else text


def render(interface):
    header = Header()
    header.section("constants")
    for entry in interface.constants:
        header.comment(entry.doc)
        header.define(upper(entry.name), number(entry.value))

    header.section("enumerations")
    for entry in interface.enums:
        header.comment(entry.doc)
        header.lines.append(f"enum rf_{entry.name} {{")
        for name, value in entry.values.items():
            header.claim(upper(entry.name, name))
            header.lines.append(f"\t{upper(entry.name, name)} = {number(value)},")
        header.lines += ["};", ""]
    header.lines.pop()

    header.section("the two words that every register block starts with")
    for i, (name, fields) in enumerate(interface.block_headers):
        header.define(upper("block_header", name), str(8 * i))
        for field in fields:
            header.field(upper("block_header", name, field.name), field)
    for block in interface.blocks:
        registers(header, block)

    header.section("page tables")
    for field in interface.page_table_entry:
        header.field(upper("page_table_entry", field.name), field)

    header.section("command packets")
    for field in interface.packet_header:
        header.field(upper("packet_header", field.name), field)
    for entry in interface.packets:
        packet(header, entry)

    header.section("records in memory")
    for entry in interface.records:
        members = [(TYPES[member.type] * 8, member.name, member.count, member.doc)
                   for member in entry.members]
        structure(header, f"rf_{entry.name}", entry.doc, members, entry.bytes,
                  [(member.name, member.offset) for member in entry.members])

    return "\n".join([
        "/* SPDX-License-Identifier: GPL-2.0 OR MIT */",
        "/*",
        " * Generated from rtl/ringfence.toml by tools/generate.py: do not edit.",
        " *",
        " * Registers, command packets and memory formats of the device, for kernel",
        " * and user space. RF_REG_* are offsets in BAR 0; *_MASK are in place.",
        " */",
        "#ifndef RINGFENCE_HW_H",
        "#define RINGFENCE_HW_H",
        "",
        "#include <linux/types.h>",
        "",
        "#ifdef __cplusplus",
        "#define RF_HW_ASSERT(condition)\t\tstatic_assert(condition, #condition)",
        "#else",
        "#define RF_HW_ASSERT(condition)\t\t_Static_assert(condition, #condition)",
        "#endif",
        *header.lines,
        "",
        "#undef RF_HW_ASSERT",
        "",
        "#endif /* RINGFENCE_HW_H */",
        "",
    ])


def registers(header, block):
    header.section(f"block {block.name}")
    header.comment(block.doc)
    header.define(upper(block.name, "block_offset"), f"{block.offset:#x}")
    header.define(upper(block.name, "block_version"), str(block.version))
    if block.indexed_count:
        header.define(upper(block.name, "indexed_base"), f"{block.indexed_base:#x}")
        header.define(upper(block.name, "indexed_count"), str(block.indexed_count))
        header.define(upper(block.name, "indexed_stride"), f"{block.indexed_stride:#x}")
    if block.context_mask():
        header.comment("bit i: register i of an index is part of its saved context")
        header.define(upper(block.name, "context_mask"), f"{block.context_mask():#x}ULL")
    for entry in block.registers:
        header.lines.append("")
        header.comment(f"{entry.access}: {entry.doc}")
        name = upper("reg", block.name, entry.name)
        if entry.indexed:
            header.define(f"{name}(i)", f"({entry.address:#x} + {block.indexed_stride:#x} * (i))")
        elif entry.count > 1:
            header.define(f"{name}(i)", f"({entry.address:#x} + {entry.stride:#x} * (i))")
            header.define(upper(block.name, entry.name, "count"), str(entry.count))
        else:
            header.define(name, f"{entry.address:#x}")
        if entry.reset:
            header.define(upper(block.name, entry.name, "reset"), f"{entry.reset:#x}ULL")
        for field in entry.fields:
            header.field(upper(block.name, entry.name, field.name), field)


def packet(header, entry):
    name = upper("packet", entry.name)
    header.lines.append("")
    header.define(f"{name}_WORDS_MIN", str(entry.words_min))
    header.define(f"{name}_WORDS_MAX", str(entry.words_max))
    for flag in entry.flags:
        header.comment(flag.doc)
        header.define(f"{name}_FLAG_{flag.name.upper()}", f"{flag.mask:#x}")
    header.define(f"{name}_ARGUMENT_MASK", f"{entry.argument_mask:#x}U")
    header.lines.append("")
    members = [(64, "header", 1, "RF_PACKET_HEADER_*")]
    members += [(64, operand.name, 1, operand.doc) for operand in entry.operands]
    structure(header, f"rf_packet_{entry.name}", entry.doc, members, 8 * len(members), [])


def structure(header, name, doc, members, size, offsets):
    """A struct with kernel-doc; C must lay it out as the description does."""
    header.lines += ["/**"]
    header.lines += [f" * {line}" for line in textwrap.wrap(f"struct {name} - {doc}", 76)]
    for _, member, _, text in members:
        header.lines += textwrap.wrap(f"@{member}: {text}", 76, initial_indent=" * ",
                                      subsequent_indent=" *   ")
    header.lines += [" */", f"struct {name} {{"]
    for bits, member, count, _ in members:
        header.lines.append(f"\t__u{bits} {member}{f'[{count}]' if count > 1 else ''};")
    header.lines += ["};", f"RF_HW_ASSERT(sizeof(struct {name}) == {size});"]
    for member, offset in offsets:
        header.lines.append(
            f"RF_HW_ASSERT(__builtin_offsetof(struct {name}, {member}) == {offset});")
    if offsets:
        header.lines.append("")
