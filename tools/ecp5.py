# SPDX-License-Identifier: Apache-2.0
"""How Yosys and nextpnr-ecp5 are run for an ECP5: boards (tools/fpga), blocks (tools/synth) and
the gate-level tests (tests/gate) map by the same commands, so that what is tested is what is
built.

    tools/ecp5.py TOP    print the Yosys commands that map TOP of what was read
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Logic cells that one cell of the netlist takes: a carry cell holds two; sixteen words of four
# bits take four, and two more that write them.
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}

PACKAGES = ["rtl/rf_pkg.sv", "rtl/lib/rf_bus_pkg.sv"]

# Memories of fewer than 16 words
SHORT_MEMORY = "constraints/ecp5/short_memory.v"

# Yosys: modules that are mapped by themselves become parts of their parents again
DISSOLVE = ("setattr -mod -unset keep_hierarchy A:keep_hierarchy; "
            "setattr -unset keep_hierarchy */a:keep_hierarchy; ")

# Of nextpnr-ecp5
EFFORT = ["--placer", "static", "--router", "router1"]


class Failure(Exception):
    """A tool does not do it; the text says which and why."""


class Crash(Failure):
    """A signal ended the tool: the fault is the tool's, and another seed may not meet it."""


def closure(top, files):
    """Packages, then the files of a module and of every one below it; files: by module."""
    found, queue = {}, [top]
    while queue:
        name = queue.pop()
        if name in found:
            continue
        text = files[name].read_text(encoding="utf-8")
        found[name] = files[name]
        queue += [word for word in set(re.findall(r"^\s*(rf_\w+)\b", text, re.M)) if word in files]
    packages = [ROOT / name for name in PACKAGES]
    found = sorted(found.items(), key=lambda entry: (not entry[0].endswith("_pkg"), entry[0]))
    return packages + [path for _, path in found if path not in packages]


def logic(path):
    """What synthesis sees of a source: no comments, no spaces, no checks of parameters, nothing
    that is for simulations alone."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"^`ifndef SYNTHESIS\n((?!`ifn?def).)*?^`endif", "", text, flags=re.S | re.M)
    return re.sub(r"\bif \((?:(?!\bbegin\b|;).)*?\) (begin( : \w+)? )?"
                  r'\$error\("[^"]*"(, [^;]*)?\); ?((?<=; )end )?', "", " ".join(text.split()))


def commands(top):
    """From the sources that Yosys has read to cells. -nowidelut: LUTs of more than four inputs,
    each up to eight LUT4s side by side, cost area and places here. -noabc9: as small, and with
    fewer levels of logic between registers than abc9 makes of this design. What has the attribute
    keep_hierarchy is mapped by itself, and dissolves then. The last step of synth_ecp5,
    which names every net after its neighbours, takes longer than all the others."""
    synth = f"synth_ecp5 -top {top} -nowidelut -noabc9 -run"
    return (f"{synth} :map_cells; techmap -map {SHORT_MEMORY}; {synth} map_cells:check; "
            f"{DISSOLVE}flatten; hierarchy -check; check -assert; blackbox =A:whitebox")


def tool(log, *arguments):
    """Run one of the tools from the project's folder, its output into a file."""
    with open(log, "w", encoding="utf-8") as output:
        status = subprocess.run([ROOT / "tools/private-root", "run", *map(str, arguments)],
                                cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT, check=False).returncode
    if status:
        said = pathlib.Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
        errors = [line for line in said if line.startswith("ERROR")] or said[-15:]
        kind = Crash if status < 0 else Failure
        raise kind("\n".join([f"{arguments[0]} ended with status {status}, {log}:", *errors]))


def version(name, option):
    """What a tool says of its version"""
    said = subprocess.run([ROOT / "tools/private-root", "run", name, option], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
    found = re.search(r"\d+\.\d+[\w.+-]*", said)
    return found.group() if found else said.strip()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    print(commands(sys.argv[1]))
