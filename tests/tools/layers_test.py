#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/layers: the driver is in order; an include against the order is found, in one line."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]


def layers(edit=None):
    """What tools/layers says about a copy of the driver, after a change."""
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder)
        for name in ("kmd/core", "kmd/ddi", "kmd/include", "kmd/hosted", "kmd/linux"):
            shutil.copytree(ROOT / name, project / name)
        for name in ("tools/layers", "tools/layers.toml", "tools/version.py", "docs/driver.md",
                     "docs/layers.svg"):
            (project / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, project / name)
        if edit:
            edit(project)
        result = subprocess.run([project / "tools/layers"], text=True, capture_output=True,
                                check=False)
    assert not result.stderr, result.stderr
    lines = result.stdout.splitlines()
    assert result.returncode == (1 if lines else 0), f"{result.returncode}: {lines}"
    return lines


def insert(name, text, before="\n#include"):
    def edit(project):
        path = project / name
        old = path.read_text(encoding="utf-8")
        assert before in old
        path.write_text(old.replace(before, text + before, 1), encoding="utf-8")
    return edit


def test_in_order():
    """the driver is in order"""
    assert not layers()


def test_upward():
    """an include of a higher layer is told, in one line, and so is one in the same layer"""
    for name, include in (("kmd/core/waits/wait.c", "queues/doorbell.h"),
                          ("kmd/core/waits/wait.h", "scheduling/queue.h"),
                          ("kmd/core/waits/wait.c", "waits/signal.h")):
        lines = layers(insert(name, f'\n#include "{include}"', before='\n#include "rf_'))
        assert any(line.startswith(name + ":") and f"includes {include}, which stands higher"
                   in line for line in lines), lines


def test_needless():
    """an include of which nothing is used is told"""
    lines = layers(insert("kmd/core/base/handle.c", '\n#include "base/heap.h"',
                          before='\n#include "rf_os.h"'))
    assert len(lines) == 1 and "includes base/heap.h, and uses nothing of it" in lines[0], lines


def test_needless_of_a_shell():
    """so is one of a shell's"""
    lines = layers(insert("kmd/linux/rf_trace.c", '\n#include "rf_bus.h"',
                          before='\n#include "rf_trace.h"'))
    assert len(lines) == 1 and "includes rf_bus.h, and uses nothing of it" in lines[0], lines


def test_own_header():
    """a source that includes another header before its own is told"""
    def edit(project):
        path = project / "kmd/core/base/memory.c"
        text = path.read_text(encoding="utf-8").replace('#include "base/memory.h"\n', "", 1)
        path.write_text(text, encoding="utf-8")
    assert any("is not the first include" in line for line in layers(edit))


def test_unlisted():
    """a file that is in no layer is told, and so is one that is gone"""
    def edit(project):
        (project / "kmd/core/base/heap.h").rename(project / "kmd/core/base/pile.h")
    lines = layers(edit)
    assert any("there is no kmd/core/base/heap.h or .c" in line for line in lines), lines
    assert any("kmd/core/base/pile.h: is in no layer" in line for line in lines), lines


def test_fresh():
    """a page or a picture that is older than the list is told"""
    def edit(project):
        path = project / "tools/layers.toml"
        text = path.read_text(encoding="utf-8").replace("mappings in GPU address spaces", "pages")
        path.write_text(text, encoding="utf-8")
    lines = layers(edit)
    assert any("docs/driver.md: is older" in line for line in lines), lines


sys.exit(tap.run(__name__))
