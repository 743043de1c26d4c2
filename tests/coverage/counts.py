# SPDX-License-Identifier: Apache-2.0
"""What Verilator's models counted."""

import collections
from typing import NamedTuple

STACK = "stack"  # the folder of the whole device
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
    times = collections.Counter()  # hundreds of tests count the same
    for path in folder.glob("*/counts*"):
        stack = path.parent.name == STACK
        for line in path.read_text().splitlines():
            record, _, number = line.rpartition(" ")
            if record.startswith("C "):
                times[record, stack] += int(number)
    for (record, stack), number in sorted(times.items()):
        fields = dict(field.split("\2") for field in record[3:-1].split("\1")[1:])
        kind, what = KINDS[fields["page"].partition("/")[0]], fields["o"]
        if not fields["f"].startswith(planted):
            continue  # a test's own module
        if what == "block" and kind == "lines":
            continue  # runs whenever what is around it does
        yield Count(fields["f"].removeprefix(planted), int(fields["l"]), kind, what, number,
                    stack)
