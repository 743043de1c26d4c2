#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/setup: what it says before it does anything, and when it does nothing."""

import os
import pathlib
import subprocess
import sys
import tempfile

import tap

SETUP = pathlib.Path(__file__).resolve().parents[2] / "tools/setup"
NEEDED = ("cut", "sed", "expand", "cat", "dirname", "sh")

# Each stands in for a program of the system and tells on stdout that it was called.
STUBS = {
    "dpkg-query": '#!/bin/sh\nfor last; do :; done\ncase " $MISSING " in\n'
                  '*" $last "*) exit 1 ;;\nesac\nprintf installed\n',
    "id": '#!/bin/sh\necho "$USER_ID"\n',
    "apt-get": '#!/bin/sh\necho "CALLED apt-get $*" >&2\n',
    "sudo": '#!/bin/sh\necho "CALLED sudo $*" >&2\nexec "$@"\n',
    "env": '#!/bin/sh\nshift\nexec "$@"\n',
}


def setup(missing, user=0, without=(), **environment):
    """Its status, and its output and that of what it called, in order."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in STUBS.items():
            if name not in without:
                path = pathlib.Path(folder, name)
                path.write_text(text)
                path.chmod(0o755)
        for name in NEEDED:
            os.symlink(f"/usr/bin/{name}", pathlib.Path(folder, name))
        # apt-get's output is thrown away, but not its errors, where the stubs write
        result = subprocess.run(["/bin/sh", SETUP], text=True, check=False, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT,
                                env=dict(PATH=folder, MISSING=missing, USER_ID=str(user),
                                         **environment))
    return result.returncode, result.stdout


def test_nothing():
    """if everything is there it says and does nothing"""
    assert setup("") == (0, "")


def test_says_first():
    """it names what it will install and why, before it calls anything"""
    status, said = setup("verilator lintian")
    assert status == 0, said
    announced, called, _ = said.partition("CALLED")
    assert called and "sudo" not in said, said
    for text in ("verilator", "simulates the device", "lintian", "checks the Debian packages",
                 "apt-get install --no-install-recommends verilator lintian", "NO_SETUP=1"):
        assert text in announced, (text, said)
    assert "valgrind" not in said, said


def test_sudo():
    """sudo is announced with all that it runs, and only what is announced is run"""
    status, said = setup("verilator", user=1000)
    assert status == 0, said
    announced, called, rest = said.partition("CALLED")
    assert called and "sudo apt-get update" in announced, said
    assert "sudo apt-get install --no-install-recommends verilator" in announced, said
    assert "sudo may ask for your password" in announced, said
    calls = [line for line in (called + rest).splitlines() if line.startswith("CALLED sudo")]
    assert len(calls) == 2 and "update" in calls[0] and "verilator" in calls[1], said


def test_no_sudo():
    """without sudo an ordinary user is told what root has to run"""
    status, said = setup("verilator", user=1000, without=("sudo",))
    assert status == 1 and "as root: apt-get install verilator" in said, said
    assert "CALLED" not in said, said


def test_no_setup():
    """with NO_SETUP=1 it says what is missing, and calls nothing"""
    status, said = setup("verilator", user=1000, NO_SETUP="1")
    assert status == 0 and "not installed, though missing: verilator" in said, said
    assert "CALLED" not in said, said


def test_other_distribution():
    """elsewhere it says what to install, and that NO_SETUP=1 goes on without it"""
    status, said = setup("", without=("apt-get",))
    assert status == 1 and "verilator" in said and "NO_SETUP=1" in said, said
    status, said = setup("", without=("apt-get",), NO_SETUP="1")
    assert (status, said) == (0, ""), said


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
