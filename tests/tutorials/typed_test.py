#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""typed.py: what it types of a page, and that it notices what is not as the page says."""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))

import tap  # noqa: E402  (beside the tests of the tools)
import typed  # noqa: E402

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs/tutorials"


def outcomes(block, where="installed", heading="# Page"):
    """The first words of the script's lines for a block of a page."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page"
        page.write_text(f"{heading}\n\n```console\n{block}\n```\n\nText\n", encoding="utf-8")
        run = subprocess.run(["bash", "-c", typed.script([page], where)], text=True, cwd=folder,
                             capture_output=True, check=False)
    assert not run.stderr, run
    found = [line.split(" - ")[0].rsplit(" ", 1)[0] for line in run.stdout.splitlines()
             if "ok " in line.split(" - ")[0]]
    assert run.returncode == ("not ok" in found), run
    return found


def test_output():
    """output is compared line by line; ... stands for anything, special characters for themselves"""
    print_lines = "$ printf 'a\\nb [x] * ?\\nc\\n'\n"
    for good in ("a\nb [x] * ?\nc", "...", "a\n...", "...\nc", "a\n...\nc", "a\nb ... ?\nc",
                 "a\n...\nb [x] * ?\nc", "...a\n...c"):
        assert outcomes(print_lines + good) == ["ok"], good
    for bad in ("", "a\nb [x] * ?", "a\nb x * ?\nc", "a\nb [x] ** ?\nc", "...\nb", "b\n...",
                "a\n...\nd", "a\nb [x] * .\nc"):
        assert outcomes(print_lines + bad) == ["not ok"], bad


def test_status():
    """a command has to succeed; one that the reader sees fail says so"""
    assert outcomes("$ false") == ["not ok"]
    assert outcomes("$ ls /nonexistent\n...") == ["not ok"]
    assert outcomes("$ false || echo \"status $?\"\nstatus 1") == ["ok"]
    assert outcomes("$ false\n$ true") == ["not ok", "not ok"]


def test_session():
    """a page is one session: variables, the folder and jobs stay"""
    assert outcomes("$ x=5; mkdir y; cd y\n$ echo $x; basename $PWD\n5\ny\n$ sleep 9 &\n$ kill %1; wait") \
        == ["ok"] * 4


def test_where():
    """blocks under "In the source tree" are typed there, the others with packages"""
    heading = "## 2. In the source tree"
    assert outcomes("$ true", "source", heading) == outcomes("$ true") == ["ok"]
    assert not outcomes("$ true", "installed", heading) + outcomes("$ true", "source")


def test_pages():
    """each tutorial has something to type with packages"""
    pages = sorted(PAGES.glob("*.md"))
    assert len(pages) == 3, pages
    for page in pages:
        assert len(typed.sessions(page.read_text(encoding="utf-8"), "installed")) >= 6, page


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
