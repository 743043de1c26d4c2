#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A folder in which make cannot build is refused before anything is built."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import tap  # noqa: E402  (it lies where the line above says)

# What the make that runs this test was told is not what its own runs of make are told.
for told in ("JOBS", "TEST", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"):
    os.environ.pop(told, None)


def make(name, *arguments):
    """Of a folder with this name that has the Makefile and what it reads first."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / name
        (folder / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "Makefile", folder)
        for part in (ROOT / "tools").glob("*.mk"):
            shutil.copy(part, folder / "tools")
        shutil.copy(ROOT / "VERSION", folder)
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


def output_of(*arguments):
    return subprocess.run(["make", "--no-print-directory", "-C", ROOT, "NO_SETUP=1", *arguments],
                          text=True, capture_output=True, check=True).stdout


def test_help():
    """make help names every target with a comment once, in a group, and the variables"""
    text = output_of("help")
    names = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    assert len(names) == len(set(names)), names
    said = {match for path in [ROOT / "Makefile", *ROOT.glob("*/*.mk"), *ROOT.glob("tests/*/*.mk")]
            for match in re.findall(r"^([a-z-]+):.*## ", path.read_text(encoding="utf-8"), re.M)}
    assert said <= set(names), said - set(names)
    assert {"JOBS=2", "TEST='a*", "TIME_SCALE=4", "NO_SETUP=1"} <= set(names), names
    groups = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert groups[0] == "first steps" and len(groups) > 5, groups


def test_help_group():
    """a group that help does not know is an error"""
    done = subprocess.run(["awk", "-f", ROOT / "tools/help.awk"], text=True, capture_output=True,
                          input="x: ## [no such] text\n", check=False)
    assert done.returncode == 1 and "no group [no such]" in done.stderr, done


def test_jobs():
    """JOBS is the number of cores"""
    text = output_of("-n", "-p", "-f", "Makefile", "help")
    assert f"\nJOBS = {os.cpu_count()}\n" in text.replace(":=", "=").replace(
        "$(shell nproc)", str(os.cpu_count())), "no such line"


def test_selected():
    """TEST= selects what is built and run, with several patterns, in the makefiles too"""
    for patterns, names in (("wait_test", ["wait_test"]), ("wait_t* va_test", ["wait_test", "va_test"])):
        text = output_of("-n", "kmd-test", f"TEST={patterns}")
        found = re.findall(r'"(\w+)=build/kmd/test/', text)
        assert sorted(found) == sorted(names), (patterns, found)


def test_compile_commands():
    """make compile-commands has each C source once, with arguments that compile it"""
    output_of("compile-commands")
    entries = json.loads((ROOT / "build/compile_commands.json").read_text(encoding="utf-8"))
    files = [entry["file"] for entry in entries]
    assert len(files) == len(set(files)), "one twice"
    for folder in ("host", "umd", "sim", "kmd/core/*", "kmd/ddi", "kmd/hosted", "tests/kmd"):
        for path in ROOT.glob(f"{folder}/*.c"):
            assert str(path.relative_to(ROOT)) in files, path
    for entry in entries[::60]:
        arguments = [word for word in entry["arguments"] if word not in ("-c",)]
        subprocess.run([*arguments, "-fsyntax-only"], cwd=entry["directory"], check=True)


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
