#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/private-root: whose tool it runs, and what it leaves when it cannot."""

import os
import pathlib
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(programs, *command, verb=("run",)):
    """Run a command with stand-ins for some programs and an empty cache; return
    the result and the names in the cache."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs.items():
            path = pathlib.Path(folder) / "bin" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        cache = pathlib.Path(folder) / "cache"
        environment = dict(os.environ, RINGFENCE_CACHE=str(cache),
                           PATH=f"{folder}/bin:{os.environ['PATH']}")
        result = subprocess.run([ROOT / "tools/private-root", *verb, *command], text=True,
                                capture_output=True, env=environment, check=False)
        left = {path.name for path in cache.iterdir()} if cache.exists() else set()
    return result, left


def test_own():
    """a system tool that is new enough is the one that runs"""
    result, left = run({"yosys": "echo Yosys 9.99; echo $*"}, "yosys", "-p", "x")
    assert result.returncode == 0 and result.stdout == "Yosys 9.99\n-p x\n", result
    assert not left, left


def test_too_old():
    """a too old system tool is not run; a failed download leaves no folder"""
    result, left = run({"yosys": "echo Yosys 0.23", "apt-get": "exit 100"}, "yosys", "-p", "x")
    assert result.returncode != 0 and result.stdout == "", result
    assert "private-root: nothing to fetch from" in result.stderr, result.stderr
    assert left <= {"tools.lock"}, left


def test_emulator():
    """QEMU is the system's if it has vfio-user, and has a folder of its own"""
    result, left = run({"qemu-system-x86_64": "echo QEMU emulator version 10.1.0; echo $*"},
                       "qemu-system-x86_64", "-m", "1G")
    assert result.stdout == "QEMU emulator version 10.1.0\n-m 1G\n" and not left, result
    result, left = run({"qemu-system-x86_64": "echo QEMU emulator version 10.0.2",
                        "apt-get": "exit 100"}, "qemu-system-x86_64", "-m", "1G")
    assert result.returncode != 0 and result.stdout == "", result
    assert left <= {"emulator.lock"}, left


def test_in():
    """a command of a set is not the system's; an unknown set is refused"""
    result, left = run({"make": "echo the system", "apt-get": "exit 100"}, "make",
                       verb=("in", "guest"))
    assert result.returncode != 0 and result.stdout == "", result
    assert left <= {"guest.lock"}, left
    result, left = run({}, "make", verb=("in", "nonsense"))
    assert result.returncode == 1 and "no set nonsense" in result.stderr and not left, result


def test_backports():
    """a suite of backports is completed by the one that it is for"""
    seen = 'sed "s/.*debian //" "$(dirname "$APT_CONFIG")/sources.list" >&2; exit 100'
    result, _ = run({"apt-get": seen}, "qemu-system-x86_64", verb=("in", "emulator"))
    lines = [line for line in result.stderr.splitlines() if line.endswith(" main")]
    assert lines == ["forky main", "trixie main", "trixie-backports main"], result.stderr


def test_missing_program():
    """a distribution without apt is told so"""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("sh", "dirname", "cat", "id", "grep", "head"):
            os.symlink(f"/bin/{name}", f"{folder}/{name}")
        result = subprocess.run([ROOT / "tools/private-root", "run", "nextpnr-ecp5"], text=True,
                                env={"PATH": folder, "HOME": folder}, capture_output=True,
                                check=False)
    assert result.returncode == 1 and "apt-get is missing" in result.stderr, result


def test_interrupted_unpack():
    """an unpacking that fails leaves no folder"""
    apt = ('for last; do :; done; [ "$last" = update ] || '
           'touch "$(dirname "$APT_CONFIG")/cache/archives/bad.deb"')
    result, left = run({"yosys": "echo Yosys 0.23", "apt-get": apt}, "yosys", "-V")
    assert result.returncode != 0 and result.stdout == "", result
    assert left <= {"tools.lock"}, left


def test_status():
    """the status and the arguments of the command are its own"""
    result, _ = run({"bitwuzla": 'test "$1" = --version && echo 9.9 || exit 7'}, "bitwuzla", "a b")
    assert result.returncode == 7, result


sys.exit(tap.run(__name__))
