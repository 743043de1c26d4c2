#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a tutorial has its reader type, as a script of bash that checks what the page shows.

    typed.py installed|source PAGE...

In blocks of ```console, a line "$ command" is typed, and the lines after it are what it prints; "..."
stands for anything, also for no line. Blocks under a heading "In the source tree" are typed there,
all others with the packages installed, in an empty folder. A page is one session of the shell. The
script prints TAP: a check per command, which must succeed and print that. Nothing of the page is
typed after a command that fails.
"""

import pathlib
import re
import shlex
import sys

# $1 a command, $2 the pattern of its output
PRELUDE = r"""
set -u
count=0 failures=0
said_in=$(mktemp)
typed() {
	count=$((count + 1))
	[ -z "$broken" ] || { echo "not ok $count - $page: $1 # not typed"; failures=$((failures + 1)); return; }
	eval "$1" >"$said_in" 2>&1 </dev/null
	status=$?
	said=$(tr -d '\r' <"$said_in")
	case $said in
	$2) [ $status -ne 0 ] || { echo "ok $count - $page: $1"; return; } ;;
	esac
	failures=$((failures + 1)) broken=yes
	echo "not ok $count - $page: $1"
	echo "# status $status; it printed"
	echo "$said" | tail -n 40 | sed 's/^/#   /'
}
"""
END = """
rm -f "$said_in"
echo "1..$count"
[ $failures -eq 0 ]
"""


def sessions(text, where):
    """The commands that are typed at that place, each with what it prints."""
    source, block = False, None
    typed = []
    for line in text.splitlines():
        if block is None:
            if re.match(r"##? ", line):
                source = bool(re.search(r"\bIn the source tree$", line))
            elif line == "```console" and source == (where == "source"):
                block = []
        elif line == "```":
            typed += block
            block = None
        elif line.startswith("$ "):
            block.append([line[2:], []])
        else:
            block[-1][1].append(line)
    assert block is None, "a block without an end"
    return typed


def pattern(lines):
    """Of the shell, for these lines."""
    result = ""
    for number, line in enumerate(lines):
        if line == "...":
            result += "*"
            continue
        if number and not (number == 1 and lines[0] == "..."):
            result += "\n"
        result += "*".join(re.sub(r"([\\*?\[\]])", r"\\\1", part) for part in line.split("..."))
    return result


def script(pages, where):
    """Of all of the pages."""
    text = ["#!/bin/bash", PRELUDE]
    for page in pages:
        commands = sessions(page.read_text(encoding="utf-8"), where)
        if not commands:
            continue
        text.append(f"page={shlex.quote(page.name)} broken=")
        if where == "installed":
            text.append("cd \"$(mktemp -d)\"")
        for command, lines in commands:
            text.append(f"typed {shlex.quote(command)} {shlex.quote(pattern(lines))}")
    return "\n".join([*text, END])


if __name__ == "__main__":
    print(script([pathlib.Path(name) for name in sys.argv[2:]], sys.argv[1]))
