# SPDX-License-Identifier: Apache-2.0
"""Renders the register reference, docs/registers.md."""


def render(interface):
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "<!-- Generated from rtl/ringfence.toml by tools/generate.py: do not edit. -->",
        "",
        "# Registers, packets and records",
        "",
        "What host and device agree on. Every register is 64 bits wide on an 8-byte boundary",
        "of BAR 0 and may be accessed as one 8-byte or two 4-byte accesses. Offsets that are",
        "not listed read 0. Addresses are byte addresses and, unless said otherwise, virtual",
        "addresses of VMID 0, the system process.",
        "",
        "Access: ro read only, rw read and write, w1c write one to clear, wo reads 0 and a",
        "write acts. Registers are 0 after reset where nothing else is said.",
        "",
        "- [Constants](#constants)",
        "- [Register blocks](#register-blocks): "
        + ", ".join(f"[{block.name}](#block-{block.name})" for block in interface.blocks),
        "- [Command packets](#command-packets)",
        "- [Records in memory](#records-in-memory)",
        "- [Enumerations](#enumerations)",
        "",
        "## Constants",
        "",
    ]
    lines += table(["name", "value", "meaning"],
                   [[code(entry.name), f"{entry.value:#x}" if entry.value > 4096 else entry.value,
                     entry.doc] for entry in interface.constants])
    lines += block_chain(interface)
    for block in interface.blocks:
        lines += block_section(block)
    lines += packet_sections(interface)
    lines += ["## Records in memory", ""]
    for entry in interface.records:
        lines += [f"### {entry.name}", "", f"{entry.bytes} bytes. {entry.doc}", ""]
        lines += table(["offset", "type", "field", "meaning"],
                       [[member.offset,
                         member.type + (f" × {member.count}" if member.count > 1 else ""),
                         code(member.name), member.doc] for member in entry.members])
    lines += ["## Enumerations", ""]
    for entry in interface.enums:
        lines += [f"### {entry.name}", "", sentence(entry.doc), ""]
        lines += table(["value", "name"],
                       [[value, code(name)] for name, value in entry.values.items()])
    return "\n".join(lines)


def block_chain(interface):
    lines = [
        "## Register blocks",
        "",
        "Every block starts with two words. The driver starts at offset 0, binds a block by",
        "type and version, and goes on at `next` until it is 0. `base`, `stride` and `count`",
        "describe the block's indexed registers: register r of index i is at",
        "`base + i * stride + r`; all three are 0 if there are none.",
        "",
    ]
    lines += table(["offset", "word", "bits", "field", "meaning"],
                   [[f"+{8 * i}", code(name), field.bits, code(field.name), field.doc]
                    for i, (name, fields) in enumerate(interface.block_headers)
                    for field in fields])
    lines += table(["offset", "block", "type", "version", "indices", "base", "stride", "purpose"],
                   [[f"{block.offset:#07x}", f"[{block.name}](#block-{block.name})",
                     block.type_value, block.version,
                     *((block.indexed_count, f"{block.indexed_base:#07x}",
                        f"{block.indexed_stride:#x}") if block.indexed_count else ("", "", "")),
                     block.doc.split(". ")[0].rstrip(".") + "."]
                    for block in interface.blocks])
    return lines


def block_section(block):
    lines = [f"### Block {block.name}", "", block.doc, ""]
    rows, context = [], block.context_mask() != 0
    for entry in block.registers:
        offset = f"{entry.address:#07x}"
        if entry.indexed:
            offset += f" + {block.indexed_stride:#x}·i"
        elif entry.count > 1:
            offset += f" + {entry.stride:#x}·i"
        doc = entry.doc
        if entry.count > 1:
            doc += f" i = 0 … {entry.count - 1}."
        if entry.reset:
            doc += f" Reset: {entry.reset:#x}."
        saved = ["yes" if entry.context else ""] if context else []
        rows.append([offset, code(entry.name), entry.access, *saved, doc])
    if block.indexed_count:
        lines += [f"Index i = 0 … {block.indexed_count - 1}.", ""]
    head = ["offset", "register", "access", *(["context"] if context else []), "meaning"]
    lines += table(head, rows)
    for entry in block.registers:
        if entry.fields:
            lines += [f"Fields of `{entry.name}`:", ""]
            lines += field_table(entry.fields)
    return lines


def page_table_section(interface):
    lines = ["## Page tables", "",
             "RISC-V Sv39: three levels of tables of 512 entries of 64 bits.", ""]
    lines += table(["bits", "field", "meaning"],
                   [[field.bits, code(field.name), field.doc]
                    for field in interface.page_table_entry])
    return lines


def packet_sections(interface):
    lines = [
        "## Command packets",
        "",
        "A command buffer is a sequence of packets of 64-bit words. Word 0 of every packet:",
        "",
    ]
    lines += table(["bits", "field", "meaning"],
                   [[field.bits, code(field.name), field.doc]
                    for field in interface.packet_header])
    lines += ["Flags and argument bits that a packet does not define have to be 0.", ""]
    lines += table(["opcode", "packet", "words", "flags", "argument bits"],
                   [[f"{entry.opcode:#04x}", f"[{entry.name}](#{entry.name})", words(entry),
                     ", ".join(code(flag.name) for flag in entry.flags),
                     f"{entry.argument_mask:#x}" if entry.argument_mask else ""]
                    for entry in interface.packets])
    for entry in interface.packets:
        lines += [f"### {entry.name}", "", f"Opcode {entry.opcode:#04x}, {words(entry)} words. "
                  + entry.doc, ""]
        if entry.operands:
            lines += table(["word", "operand", "meaning"],
                           [[i, code(operand.name),
                             operand.doc + (" (optional)" if operand.optional else "")]
                            for i, operand in enumerate(entry.operands, 1)])
        if entry.flags:
            lines += table(["flag bit", "flag", "meaning"],
                           [[flag.mask.bit_length() - 1, code(flag.name), flag.doc]
                            for flag in entry.flags])
    return lines


def words(packet):
    low, high = packet.words_min, packet.words_max
    return f"{low}" if low == high else f"{low} to {high}"


def field_table(fields):
    return table(["bits", "field", "meaning"],
                 [[field.bits, code(field.name), field.doc] for field in fields])


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |")
    return lines + [""]


def code(name):
    return f"`{name}`"


def sentence(text):
    return text[0].upper() + text[1:] + "."
