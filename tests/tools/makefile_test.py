#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A folder in which make cannot build is refused before anything is built."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import tap  # noqa: E402  (it lies where the line above says)


def make(name, *arguments):
    """Of a folder with this name that has the Makefile and what it reads first."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / name
        (folder / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "Makefile", folder)
        shutil.copy(ROOT / "tools/path.mk", folder / "tools")
        (folder / "sim").mkdir()
        shutil.copy(ROOT / "sim/sim.mk", folder / "sim")
        result = subprocess.run(["make", "-C", folder, *arguments], capture_output=True, text=True,
                                check=False, timeout=tap.time_limit(60))
        return result, (folder / "build").exists()


def test_refused():
    """a space, and what the shell or make read in their own way"""
    for name in ("my projects", "a\tb", "it's", "a:b", "a$b", "a#b", "a;b", "a(b", "a*b", "a&b"):
        for arguments in (("run",), ("-f", "sim/sim.mk", "sim-test")):
            result, built = make(name, *arguments)
            assert result.returncode == 2 and not built, (name, result)
            assert "cannot be built in the folder" in result.stderr, (name, result)
            assert "space" in result.stderr and len(result.stderr.splitlines()) < 4, result


def test_accepted():
    """everything else gets as far as the list of targets"""
    for name in ("plain", "a-b_c.d+e@f,g=h~i%j"):
        result, _ = make(name, "-n", "help")
        assert result.returncode == 0, (name, result)


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
