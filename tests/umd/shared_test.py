#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shared library: what it exports, and a program that is built with what is installed."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (beside the tests of the other tools)

LIBRARY = ROOT / "build/umd/shared/libringfence.so.1"


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def test_exports():
    """it exports what ringfence.h declares, under one version, and nothing else"""
    header = output_of("cc", "-E", "-P", ROOT / "umd/include/ringfence.h")
    declared = set(re.findall(r"\b(rf_\w+)\s*\(", header))
    exported = set()
    for line in output_of("readelf", "--dyn-syms", "--wide", LIBRARY).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[6] != "UND" and fields[3] == "FUNC":
            name, _, version = fields[7].partition("@@")
            assert version == "RINGFENCE_1.0", line
            exported.add(name)
    assert len(declared) > 50
    assert exported == declared, exported ^ declared


def test_needs():
    """it has a name to link with, and needs libdrm and libc only"""
    dynamic = output_of("readelf", "--dynamic", "--wide", LIBRARY)
    assert re.findall(r"\(SONAME\).*\[(.*)\]", dynamic) == ["libringfence.so.1"]
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    # data of a thread is found by a function of the loader
    assert needed - {"ld-linux-x86-64.so.2"} == {"libdrm.so.2", "libc.so.6"}, needed


def flags_of(file):
    """What pkg-config --cflags --libs makes of a .pc file without requirements."""
    fields, variables = {}, {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"(\w+)=(.*)", line):
            variables[match[1]] = match[2]
        elif match := re.match(r"([\w.]+): (.*)", line):
            fields[match[1]] = match[2]

    def expand(text):
        while "${" in text:
            text = re.sub(r"\$\{(\w+)\}", lambda match: variables[match[1]], text)
        return text.split()

    return expand(fields["Cflags"]), expand(fields["Libs"])


def test_installed():
    """a program is built with what is installed; without a device it says so"""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "root"
        output_of("make", "--no-print-directory", "install-library", f"PREFIX={place}", cwd=ROOT)
        compile_flags, link_flags = flags_of(place / "lib/pkgconfig/ringfence.pc")
        program = pathlib.Path(folder) / "program"
        output_of("cc", *compile_flags, ROOT / "umd/examples/first_fence.c", *link_flags,
                  "-o", program)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(place / "lib"))
        for device, reason in (("sim:", "this library has no simulated device"),
                               ("drm:/dev/null", "the driver serves no such render node")):
            environment["RINGFENCE_DEVICE"] = device
            result = subprocess.run([program], env=environment, capture_output=True, text=True,
                                    check=False)
            assert result.returncode == 1, result
            assert result.stderr.startswith(f"cannot open {device}: {reason}"), result


sys.exit(tap.run(__name__))
