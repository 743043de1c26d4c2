#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run a guest, and end its device when the guest asks for it; prints what the guest does.

QEMU tells of every access after that, thousands of lines, which are dropped.

    tests/guest/gone.py COMMAND...
"""

import os
import pathlib
import signal
import subprocess
import sys

ASKS = "# end the device now"


def children(parent):
    """The processes that a process started: pairs of name and number."""
    for place in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = place.read_text(encoding="utf-8").partition(" (")
        except OSError:
            continue  # it has ended
        name, _, fields = rest.rpartition(") ")
        if int(fields.split()[1]) == parent:
            yield name, int(number)


def main():
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True) as guest:
        for line in guest.stdout:
            if not line.startswith("qemu-system"):
                print(line, end="", flush=True)
            if line.rstrip() == ASKS:
                for name, number in children(guest.pid):
                    if name == "rf-vfio-user":
                        os.kill(number, signal.SIGKILL)
    # The device failed, as it should; the guest's own verdict is what it printed.
    return 0 if guest.returncode == 125 else 1


sys.exit(main())
