#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Three parts of a campaign at once by GNU parallel, and the one report of them."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402

FOLDER = "build/shards-test"


def run(*arguments):
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_parallel():
    """Three parts at once, each with a seed of its own, become one report."""
    shutil.rmtree(ROOT / FOLDER, ignore_errors=True)
    status, said = run("parallel", "--jobs", "2", "make", "--no-print-directory", "NO_SETUP=1", "fuzz",
                       "ROUNDS=2", f"SHARDS={FOLDER}", "SHARD={}/3", ":::", "1", "2", "3")
    assert not status, said
    parts = sorted(path.name for path in (ROOT / FOLDER).glob("*.tsv"))
    assert parts == [f"fuzz.{i}-of-3.tsv" for i in (1, 2, 3)], parts
    status, said = run("make", "--no-print-directory", "NO_SETUP=1", "merge", f"SHARDS={FOLDER}")
    assert not status and said.splitlines()[-1] == "3 passed, 0 failed, 0 skipped", said


def test_conformance_parts():
    """Every conformance test is in one part."""
    whole = run("build/ringfence", "conform", "--list")[1].split()
    parts = [run("build/ringfence", "conform", "--list", "--shard", f"{i}/4")[1].split()
             for i in (1, 2, 3, 4)]
    assert sorted(sum(parts, [])) == sorted(whole)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1, list(map(len, parts))


def test_conformance_refused():
    """What is no part is refused, with what would be one."""
    for text in ("0/2", "3/2", "2", "1/2x", "-1/2"):
        status, said = run("build/ringfence", "conform", "--list", "--shard", text)
        assert status == 2 and "1/4, 2/4" in said, (text, said)


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
