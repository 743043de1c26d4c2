# SPDX-License-Identifier: Apache-2.0
"""Plant mutants in a copy of the project, each behind "is RF_MUTANT my number?"."""

import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = os.environ.get("JOBS", "2")

# What a planted condition asks. The package goes into a file that every model reads.
VERILOG_CHOICE = "rf_mutant_pkg::Chosen"
VERILOG_PACKAGE = "rtl/rf_pkg.sv"
VERILOG_PACKAGE_TEXT = """\
package rf_mutant_pkg;
  int Chosen = $c32("(getenv(\\"RF_MUTANT\\") ? atoi(getenv(\\"RF_MUTANT\\")) : 0)");
endpackage
"""
C_CHOICE = "rf_mutant_chosen()"
C_FUNCTION = """\
#ifndef RF_MUTANT_CHOSEN
#define RF_MUTANT_CHOSEN
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
static inline int rf_mutant_chosen(void)
{
	const char *number = getenv("RF_MUTANT");

	return number ? atoi(number) : 0;
}
#endif
#line 1
"""


class Broken(Exception):
    """The mutant cannot be judged."""


def choice(edit, original):
    """The piece of text that is the original unless the mutant is awake."""
    number, replacement = edit["number"], edit["replace"]
    if edit["file"].endswith(".sv"):
        condition, begin, end = f"{VERILOG_CHOICE} == {number}", "begin", "end"
    else:
        condition, begin, end = f"{C_CHOICE} == {number}", "{", "}"
    is_statement = re.search(rf"(;|(?<!\w){end})\s*$", edit["find"])
    if "CHOSEN" in replacement:
        if original != edit["find"]:
            raise Broken(f"its text holds another's in {edit['file']}")
        return replacement.replace("CHOSEN", f"({condition})")
    if is_statement:
        return (f"{begin} if ({condition}) {begin} {replacement} {end} "
                f"else {begin} {original} {end} {end}")
    if re.match(r"(assign|case|else|for|if|return|unique)\b", original):
        raise Broken(f"'{edit['find']}' is neither an expression nor statements")
    return f"({condition} ? ({replacement}) : ({original}))"


def plant_between(text, start, end, places):
    """Text from start to end with the edits of places, outer ones first, made."""
    result = ""
    while places:
        first, last, edit = places[0]
        inner = [place for place in places[1:] if place[0] < last]
        if any(place[1] > last for place in inner):
            raise Broken(f"its text overlaps with another's in {edit['file']}")
        result += text[start:first]
        result += choice(edit, plant_between(text, first, last, inner))
        start, places = last, places[1 + len(inner):]
    return result + text[start:end]


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True,
                          text=True).stdout


def write_changed(path, content, mode):
    """Files that are equal keep their time, so that what was built stays."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        shutil.copymode(mode, path)


def copy_project(tree, changed):
    """Make the copy equal to the project, but for the files of changed: {name: contents}."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, names):
        if not (ROOT / name).is_file():
            continue
        content = (ROOT / name).read_bytes()
        if name in changed:
            content = changed[name].encode()
        if name == VERILOG_PACKAGE:
            content = VERILOG_PACKAGE_TEXT.encode() + content
        write_changed(tree / name, content, ROOT / name)
    for folder, folders, files in os.walk(tree):
        folders[:] = [name for name in folders if name != "__pycache__" and
                      pathlib.Path(folder, name) != tree / "build"]
        for name in files:
            path = pathlib.Path(folder, name)
            if not (ROOT / path.relative_to(tree)).is_file():
                path.unlink()  # the project does not have it any more
    (tree / "build").mkdir(exist_ok=True)


def make(tree, *programs):
    """Of the copy, whichever tests or part the make that runs this one was told to select: a
    program that is not selected has no dependencies there, and would stay as it is."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "SHARD", "TEST")}
    return subprocess.run(["make", "-s", "-k", "-j", JOBS, *programs], cwd=tree, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, env=environment)
