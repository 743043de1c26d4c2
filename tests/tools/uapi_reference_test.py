#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/uapi_reference.py: what it refuses, what it notices, what it writes."""

import pathlib
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "kmd/include/uapi/drm/ringfence_drm.h"
GOOD = (ROOT / HEADER).read_text(encoding="utf-8")


def write(text, *options, before=None):
    """Run the tool on a header; return its result and what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        header, output = pathlib.Path(folder) / HEADER, pathlib.Path(folder) / "docs/uapi.md"
        for path, content in ((header, text), (output, before)):
            path.parent.mkdir(parents=True)
            if content is not None:
                path.write_text(content, encoding="utf-8")
        result = subprocess.run([sys.executable, ROOT / "tools/uapi_reference.py", "--root", folder,
                                 *options], text=True, capture_output=True, check=False)
        return result, output.read_text(encoding="utf-8") if output.is_file() else None


def refused(old, new, *wanted):
    """The header with old replaced gives one line that has the wanted words."""
    assert GOOD.count(old) >= 1, f"the header no longer has {old!r}"
    result, output = write(GOOD.replace(old, new, 1))
    assert result.returncode == 1 and output is None, result
    assert result.stderr.count("\n") == 1, result.stderr
    for words in wanted:
        assert words in result.stderr, result.stderr


def test_good():
    """every request and every structure is there"""
    output = write(GOOD)[1]
    for word in GOOD.replace("(", " ").split():
        if word.startswith("DRM_IOCTL_"):
            assert f"| `{word}` |" in output, word
    for line in GOOD.splitlines():
        if line.startswith("struct "):
            assert f"### {line.split()[1]}\n" in output, line


def test_member():
    """a member that is not described is refused"""
    refused(" * @stride: in:", " * stride: in:", "drm_ringfence_array", "stride")


def test_no_member():
    """a description of no member is refused"""
    refused("\t__u32 stride;\n", "", "drm_ringfence_array", "stride")


def test_constant():
    """a constant that is not described is refused"""
    refused("/* in the device's local memory; otherwise system memory */\n", "",
            "DRM_RINGFENCE_MEMORY_LOCAL")


def test_value():
    """a value that is not described is refused"""
    refused("\t/* the queue is lost */\n", "", "DRM_RINGFENCE_DOORBELL_DISCONNECTED_ABORT")


def test_request():
    """an ioctl without a request is refused"""
    refused("\tDRM_RINGFENCE_EVENT_WAIT,\n", "", "ioctl")


def test_stale():
    """--check notices a stale file, and writes nothing"""
    fresh = write(GOOD)[1]
    assert write(GOOD, "--check", before=fresh)[0].returncode == 0
    result, output = write(GOOD, "--check", before=fresh + "more\n")
    assert result.returncode == 1 and "make generate" in result.stderr, result
    assert output == fresh + "more\n"


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
