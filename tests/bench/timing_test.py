#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The timing diagrams of docs/hardware are what the waves in build/timing show, and the
figures beside them those of the bench."""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))
import tap  # noqa: E402

FOLDER = ROOT / "docs/hardware"


def test_fresh():
    """every diagram is what the simulation gives (make timing)"""
    result = subprocess.run([ROOT / "tools/timing", "--check", FOLDER / "timing.toml",
                             "build/timing", FOLDER], text=True, capture_output=True, check=False)
    assert not result.returncode, result.stderr


def test_shown():
    """every diagram is shown on a page, and none is there that is not described"""
    described = set(tomllib.loads((FOLDER / "timing.toml").read_text()))
    pages = "".join(page.read_text() for page in FOLDER.glob("*.md"))
    assert described == set(re.findall(r"\((\w+)\.svg\)", pages))
    assert described == {path.stem for path in FOLDER.glob("*.svg")}
    assert described == {path.stem for path in FOLDER.glob("*.json")}


def test_figures():
    """every figure of the tables is the recorded one"""
    pages = "".join(page.read_text() for page in FOLDER.glob("*.md"))
    rows = re.findall(r"^\|[^|]*\|[^|]*\| ([\d.]+) \| `(\w+)` \|$", pages, re.M)
    assert {"ring_to_read_cycles", "link_ring_to_read_ns",
            "link_copy_read_share"} <= {key for _, key in rows}, "no table"
    recorded = json.loads((ROOT / "tests/bench/expected.json").read_text())
    wrong = [(key, figure) for figure, key in rows if recorded[key]["value"] != float(figure)]
    assert not wrong, wrong


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
