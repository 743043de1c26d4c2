#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kmd/Kbuild: the kernels that it refuses."""

import pathlib
import subprocess
import sys

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read(*configuration):
    """Have make read the file as the kernel's own make does; return its status and its error."""
    result = subprocess.run(["make", "--no-print-directory", "-f", ROOT / "kmd/Kbuild",
                             f"src={ROOT / 'kmd'}", f"srctree={ROOT}", *configuration,
                             "--eval=nothing:;@:", "nothing"],
                            text=True, capture_output=True, check=False)
    return result.returncode, result.stderr


def test_common():
    """a 64-bit little-endian kernel is built for"""
    status, error = read("CONFIG_64BIT=y")
    assert status == 0 and not error, error


def test_narrow():
    """a 32-bit kernel is refused, with the reason"""
    status, error = read("CONFIG_X86=y")
    assert status and "64-bit" in error, error


def test_big_endian():
    """a big-endian kernel is refused, with the reason"""
    status, error = read("CONFIG_64BIT=y", "CONFIG_CPU_BIG_ENDIAN=y")
    assert status and "little-endian" in error, error


sys.exit(tap.run(__name__))
