#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version of the project: in the file VERSION, and from there everywhere."""

import pathlib
import re
import subprocess
import sys

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
# guest-init is the first program of a guest.
WITHOUT = {"guest-init"}


def test_tools():
    """every tool prints it with --version"""
    tools = [path for path in sorted((ROOT / "tools").iterdir())
             if path.is_file() and path.read_bytes().startswith(b"#!") and path.name not in WITHOUT]
    assert len(tools) > 10
    for path in tools:
        done = subprocess.run([path, "--version"], text=True, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, f"{path.name} (Ringfence) {VERSION}\n"), done


def test_written_once():
    """what has to name it takes it from there"""
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION), VERSION
    text = (ROOT / "kmd/dkms.conf").read_text(encoding="utf-8")
    assert 'PACKAGE_VERSION="#MODULE_VERSION#"' in text, text


def test_changes():
    """CHANGELOG.md begins with it"""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+) - ", text, re.M)
    assert versions and versions[0] == VERSION, versions
    assert len(versions) == text.count("\n## "), "a heading that is not '## VERSION - DATE'"


def test_kernels():
    """the driver is built for Linux 6.12 and later"""
    line = re.search(r'^BUILD_EXCLUSIVE_KERNEL="(.*)"$',
                     (ROOT / "kmd/dkms.conf").read_text(encoding="utf-8"), re.M)
    for kernel, right in (("6.12.0", True), ("6.12.117+deb12-amd64", True), ("6.13-rc1", True),
                          ("6.20.1", True), ("6.100.0", True), ("7.0.0", True), ("10.1.0", True),
                          ("6.1.0-41-amd64", False), ("6.11.10", False), ("6.2.0", False),
                          ("5.15.0-generic", False), ("6.1", False), ("4.19.0", False)):
        # as dkms compares
        found = subprocess.run(["bash", "-c", '[[ $1 =~ $2 ]]', "bash", kernel, line[1]],
                               check=False).returncode == 0
        assert found == right, kernel


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
