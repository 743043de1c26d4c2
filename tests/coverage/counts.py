# SPDX-License-Identifier: Apache-2.0
"""What Verilator's models counted."""

import re
from typing import NamedTuple

STACK = "stack"  # the folder of the whole device
RECORD = re.compile(r"^C '(.*)' (\d+)$")
KINDS = {"v_line": "lines", "v_branch": "lines", "v_toggle": "signals", "v_user": "points"}


class Count(NamedTuple):
    """How often something happened in an instance of a module."""
    source: str  # in rtl/
    line: int
    kind: str
    what: str  # the arm of a line, the bit of a signal, the label of a point
    times: int
    stack: bool


def read(folder):
    """Yield what all tests counted in what was planted, of all instances."""
    planted = f"{folder / 'rtl'}/"
    for path in sorted(folder.glob("*/counts*")):
        for record in path.read_text().splitlines():
            if not (match := RECORD.match(record)):
                continue
            fields = dict(field.split("\2") for field in match[1].split("\1")[1:])
            kind, what = KINDS[fields["page"].partition("/")[0]], fields["o"]
            if not fields["f"].startswith(planted):
                continue  # a test's own module
            if what == "block" and kind == "lines":
                continue  # runs whenever what is around it does
            yield Count(fields["f"].removeprefix(planted), int(fields["l"]), kind, what,
                        int(match[2]), path.parent.name == STACK)
