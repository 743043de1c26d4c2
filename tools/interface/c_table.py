# SPDX-License-Identifier: Apache-2.0
"""Renders rf_registers.c: every register by name, for the miniport's dump."""

import re

from interface.c_header import upper

ENUM = re.compile(r"^enum (\w+)")
SEE_ENUM = re.compile(r"see enum (\w+)")


def render(interface):
    enums = {entry.name: entry for entry in interface.enums}
    lines, tables, used = [], [], []

    for block in interface.blocks:
        lines.append("")
        rows = []
        for entry in block.registers:
            if entry.access == "wo":
                continue
            fields = field_table(block, entry, enums, used)
            lines += fields
            origin = block.indexed_base if entry.indexed else block.offset
            match = SEE_ENUM.search(entry.doc)
            if match:
                used.append(match[1])
            rows.append(register(block, entry, origin, bool(fields), match and match[1]))
        name = f"rf_{block.name}_registers"
        lines += [f"static const struct rf_register_description {name}[] = {{", *rows, "};"]
        tables += [f'\t{{ "{block.name}", RF_BLOCK_TYPE_{block.type.upper()}, {name}, '
                   f"ARRAY_SIZE({name}) }},"]

    names = []
    for name in sorted(set(used)):
        values = enums[name].values
        names.append(f"static const char *const rf_{name}_names[] = {{")
        names += [f'\t[{upper(name, value)}] = "{value}",' for value in values]
        names += ["};", ""]

    return "\n".join([
        "// SPDX-License-Identifier: GPL-2.0 OR MIT",
        "/* Generated from rtl/ringfence.toml by tools/generate.py: do not edit. */",
        '#include "rf_registers.h"',
        "",
        "/* clang-format off */",
        *names[:-1],
        *lines,
        "",
        "const struct rf_block_description rf_register_blocks[] = {",
        *tables,
        "};",
        "/* clang-format on */",
        "",
        "const u32 rf_register_block_count = ARRAY_SIZE(rf_register_blocks);",
        "",
    ])


def field_table(block, entry, enums, used):
    if not entry.fields:
        return []
    lines = [f"static const struct rf_field_description rf_{block.name}_{entry.name}_fields[] = {{"]
    for field in entry.fields:
        match = ENUM.match(field.doc)
        names = ""
        if match and match[1] in enums:
            used.append(match[1])
            names = f", rf_{match[1]}_names, ARRAY_SIZE(rf_{match[1]}_names)"
        lines.append(f'\t{{ "{field.name}", {field.lsb}, {field.width}{names or ", NULL, 0"} }},')
    return lines + ["};"]


def register(block, entry, origin, has_fields, names):
    table = f"rf_{block.name}_{entry.name}_fields"
    fields = f"{table}, ARRAY_SIZE({table})" if has_fields else "NULL, 0"
    count, stride = (1, 0) if entry.indexed or entry.count == 1 else (entry.count, entry.stride)
    return (f'\t{{ "{entry.name}", {entry.address - origin:#x}, {count}, {stride}, '
            f'{"true" if entry.indexed else "false"}, {fields}, '
            f'{f"rf_{names}_names" if names else "NULL"} }},')
