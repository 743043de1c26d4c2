#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the SystemVerilog package, the C header and table, and the register reference.

All come from rtl/ringfence.toml, the one description of what host and
device agree on. With --check nothing is written: the exit status is 1 and the
stale files are named if any output differs from what would be written.
"""

import argparse
import pathlib
import sys

from interface import c_header, c_table, description, reference, sv_package
from version import Version

OUTPUTS = {
    "rtl/rf_pkg.sv": sv_package.render,
    "kmd/include/ringfence_hw.h": c_header.render,
    "kmd/ddi/rf_registers.c": c_table.render,
    "docs/registers.md": reference.render,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", action=Version)
    parser.add_argument("--check", action="store_true", help="only name the stale outputs")
    parser.add_argument("--root", type=pathlib.Path, help="the project's folder",
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()

    source = options.root / "rtl/ringfence.toml"
    try:
        interface = description.read(source)
        outputs = {name: render(interface) for name, render in OUTPUTS.items()}
    except (description.Error, OSError) as error:
        sys.exit(f"{source}: {error}")

    stale = 0
    for name, text in outputs.items():
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
