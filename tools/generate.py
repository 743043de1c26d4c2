#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the SystemVerilog packages, the C headers and table, and the register references.

They come from two descriptions: rtl/ringfence.toml, what host and device agree on,
and rtl/board/link_console.toml, the registers of a PCIe link's console. With --check
nothing is written: the exit status is 1 and the stale files are named if any output
differs from what would be written.
"""

import argparse
import pathlib
import sys

from interface import c_header, c_table, description, link_console, reference, sv_package
from version import Version

# Of each description, how it is read and what is written
SOURCES = {
    "rtl/ringfence.toml": (description.read, {
        "rtl/rf_pkg.sv": sv_package.render,
        "kmd/include/ringfence_hw.h": c_header.render,
        "kmd/ddi/rf_registers.c": c_table.render,
        "docs/registers.md": reference.render,
    }),
    "rtl/board/link_console.toml": (link_console.read, {
        "rtl/link/rf_link_console_pkg.sv": link_console.package,
        "host/link_registers.h": link_console.header,
        "docs/link-console.md": link_console.reference,
    }),
}


def rendered(root):
    """The text of every output, by its name"""
    outputs = {}
    for name, (read, renderings) in SOURCES.items():
        try:
            described = read(root / name)
            outputs |= {output: render(described) for output, render in renderings.items()}
        except (description.Error, OSError) as error:
            sys.exit(f"{root / name}: {error}")
    return outputs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", action=Version)
    parser.add_argument("--check", action="store_true", help="only name the stale outputs")
    parser.add_argument("--root", type=pathlib.Path, help="the project's folder",
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()

    stale = 0
    for name, text in rendered(options.root).items():
        path = options.root / name
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
