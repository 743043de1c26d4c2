#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/all: what it adds up, and which parts run when."""

import pathlib
import subprocess
import sys
import tempfile

import tap

ALL = pathlib.Path(__file__).resolve().parents[1] / "all"
# Each part writes what it was given; `meets` ends well only beside its other half.
MAKEFILE = """
good:
	@echo jobs=$(JOBS) at good
	@printf 'pass\\tgood: a\\nskip\\tgood: b (no)\\n' >build/results/$@.tsv
bad:
	@printf 'pass\\tbad: a\\nfail\\tbad: b\\n' >build/results/$@.tsv; exit 1
silent:
	@true
none:
	@echo not here; echo none >build/results/$@.tsv; exit 1
broken:
	@printf 'pass\\tbroken: a\\n' >build/results/$@.tsv; exit 1
first second:
	@echo >build/$@; for i in $$(seq 30); do \\
		if [ -e build/first ] && [ -e build/second ]; then \\
			printf 'pass\\t$@: meets\\n' >build/results/$@.tsv; exit 0; fi; sleep 0.1; done; exit 1
"""


def run(*arguments, stale=None):
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "build/results")
        results.mkdir(parents=True)
        pathlib.Path(folder, "Makefile").write_text(MAKEFILE)
        if stale:
            (results / f"{stale}.tsv").write_text("pass\tof an earlier run\n")
        return subprocess.run([ALL, *arguments], cwd=folder, text=True, capture_output=True,
                              check=False)


def counts(passed, failed, skipped, *arguments, stale=None):
    done = run(*arguments, stale=stale)
    last = done.stdout.splitlines()[-1]
    assert last == f"{passed} passed, {failed} failed, {skipped} skipped", done.stdout
    assert done.returncode == (1 if failed else 0), done.returncode
    return done.stdout


def test_sum():
    """results of all parts are added"""
    for options in ((), ("--at-once", "2")):
        counts(2, 1, 1, *options, "good", "bad")


def test_none():
    """a part without a test that TEST= names is left out; if all are, that is a failure"""
    output = counts(1, 0, 1, "good", "none")
    assert "none " not in output.split("== parts")[1], output
    done = run("none", "none")
    assert done.returncode == 1 and done.stdout.endswith("no part has a test of that name\n"), done


def test_silent():
    """a part that fails without saying so, or says nothing, is one failure"""
    counts(1, 1, 0, "broken")
    counts(0, 1, 0, "silent")
    counts(0, 1, 0, "silent", stale="silent")
    counts(0, 1, 0, "no_such_part")


def test_in_order():
    """one part begins when the one before has ended"""
    output = counts(1, 1, 0, "first", "second")
    assert output.index("== first") < output.index("== second"), output


def test_last():
    """the last part begins when the others have ended, however many run at once"""
    output = counts(2, 2, 1, "--at-once", "2", "--last", "good", "first", "broken")
    assert output.index("== good begins") > output.index("== first\n"), output


def test_at_once():
    """two parts run at the same time and share the jobs"""
    counts(2, 0, 0, "--at-once", "2", "first", "second")
    assert "jobs=3 at good" in run("--at-once", "2", "--jobs", "6", "good").stdout
    assert "jobs=6 at good" in run("--jobs", "6", "good").stdout
    assert "jobs=1 at good" in run("--at-once", "2", "--jobs", "1", "good").stdout


def test_one_job():
    """with one job parts run one after the other, however many may run at once"""
    counts(1, 1, 0, "--at-once", "2", "--jobs", "1", "first", "second")


sys.exit(tap.run(__name__))
