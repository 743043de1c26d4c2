#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make conform MODEL=: a model at the TLP seam in place of the RTL, and archives that are none."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

SOURCE = ROOT / "examples/tlp_model/model.c"
FOLDER = tempfile.TemporaryDirectory(prefix="ringfence-model-")
PLACE = pathlib.Path(FOLDER.name)
TEST = "device.bar_sizing"


def make(model, *options):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("MAKEFLAGS", "MFLAGS", "TEST")}
    return subprocess.run(["make", "--no-print-directory", "-s", "conform", f"MODEL={model}",
                           f"TEST={TEST}", "NO_SETUP=1", *options], cwd=ROOT, text=True, env=environment,
                          capture_output=True, check=False, timeout=tap.time_limit(300))


def archive(name, source):
    """A model as an archive outside of the tree, as another team has it."""
    path = PLACE / name
    subprocess.run(["cc", "-c", "-Wall", "-Werror", f"-I{ROOT / 'sim'}",
                    f"-I{ROOT / 'kmd/include'}", "-x", "c", "-", "-o", path.with_suffix(".o")],
                   input=source, text=True, check=True)
    subprocess.run(["ar", "rcs", path, path.with_suffix(".o")], check=True)
    return path


def test_example():
    """the example passes its row, and results of ours stay as they are"""
    ours = ROOT / "build/conform/sim.tsv"
    before = ours.stat().st_mtime if ours.exists() else None
    result = make("build/examples/tlp_model.a")
    assert result.returncode == 0 and f"ok 1 - {TEST}" in result.stdout, result
    assert before == (ours.stat().st_mtime if ours.exists() else None)
    assert "\tPASS\t" in (ROOT / "build/conform-model-some/sim.tsv").read_text(encoding="utf-8")


def test_example_is_short():
    """the example is no longer than promised"""
    assert len(SOURCE.read_text(encoding="utf-8").splitlines()) <= 100


def test_fault():
    """a model with a BAR of another size fails the row"""
    text = SOURCE.read_text(encoding="utf-8")
    old = "{ TLP_CONFIG_BAR(4), 0, -RF_BAR4_BYTES }"
    assert text.count(old) == 1
    new = "{ TLP_CONFIG_BAR(4), 0, -2 * RF_BAR4_BYTES }"
    result = make(archive("wrong.a", text.replace(old, new)))
    assert result.returncode != 0 and "size of BAR 4: got 0x2000, want 0x1000" in result.stdout, result


def test_broken_rule():
    """a completion that PCIe forbids is found by the root complex, whatever the row looks at"""
    text = SOURCE.read_text(encoding="utf-8")
    old = "tlp_model_complete(tlp, TLP_STATUS_SUCCESS, tlp_length(header));"
    assert text.count(old) == 1
    new = old + "\n		tlp->completion.header[2] ^= 4; /* the lower address */"
    result = make(archive("lower.a", text.replace(old, new)))
    assert result.returncode != 0 and "broke a rule" in result.stdout, result


def test_no_model():
    """a file that is not there gets one line; an archive without a model names what is missing"""
    result = make("nothing.a")
    assert result.returncode != 0 and "MODEL=nothing.a: there is no such file" in result.stderr, result
    result = make(archive("empty.a", "int nothing;\n"))
    assert result.returncode != 0 and "undefined reference to `verilated_create'" in result.stderr


def test_no_link():
    """a link is refused: the device behind it would be ours, not the model"""
    result = make("build/examples/tlp_model.a", "DEVICE=sim:link=gen1x1")
    assert result.returncode != 0 and "ok 1" not in result.stdout, result
    assert "the model in this program is another one" in result.stderr, result


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
