#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The whole stack on a board at the end of a serial line, by the device's name alone.

usage: serial_stack_test.py BOARD FIRST_FENCE
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

from time_scale import time_limit  # noqa: E402  (it lies where the line above says)

BOARD, FIRST_FENCE = sys.argv[1:3]


def run(faults):
    """What the example says, and how many bytes the line lost, broke or invented."""
    with tempfile.TemporaryDirectory() as folder:
        line = os.path.join(folder, "line")
        options = [word for name in ("--drop", "--flip", "--garbage") for word in (name, faults)]
        with subprocess.Popen([BOARD, *options, line], stdout=subprocess.PIPE, text=True) as board:
            while not os.path.exists(line) and board.poll() is None:
                time.sleep(0.01)
            said = subprocess.run([FIRST_FENCE], env={**os.environ,
                                                      "RINGFENCE_DEVICE": f"serial:{line}"},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  timeout=time_limit(300), check=False)
            board.terminate()
            counts = [int(word) for word in board.communicate()[0].replace(",", "").split()
                      if word.isdigit()]
    return said.stdout, said.returncode, sum(counts)


NO_NUMBERS = ("seven", "", "7x", "-1", "+1", " 1", "1 ", "1e3", "0x", "08", "1.5", str(2**64))


def refused(option, number):
    """Whether the board says that this is no number of this option."""
    said = subprocess.run([BOARD, option, number, "/nonexistent/line"], capture_output=True,
                          text=True, timeout=time_limit(60), check=False)
    return said.returncode == 2 and not said.stdout and f"{option} {number}:" in said.stderr


def main():
    failures = 0
    for number, (name, faults) in enumerate((("a good line", "0"),
                                             ("a line that loses, breaks and invents bytes",
                                              "300")), 1):
        said, status, bad = run(faults)
        good = (status == 0 and said.startswith("fence is 1,") and "broke a rule" not in said
                and "simulation:" not in said and (bad > 0) == (faults != "0"))
        failures += not good
        print(f"{'' if good else 'not '}ok {number} - serial.first_fence on {name}")
        if not good:
            print(f"# status {status}, {bad} bad bytes: {said}")
    taken = [(option, number) for option in ("--drop", "--flip", "--garbage", "--seed")
             for number in (*NO_NUMBERS, *(() if option == "--seed" else ("1000001",)))
             if not refused(option, number)]
    failures += bool(taken)
    print(f"{'not ' if taken else ''}ok 3 - serial.what is no number is named")
    if taken:
        print(f"# taken: {taken}")
    said = subprocess.run([BOARD, "--version"], capture_output=True, text=True, check=False).stdout
    version = (pathlib.Path(__file__).resolve().parents[2] / "VERSION").read_text().strip()
    good = said == f"rf-serial-board (Ringfence) {version}\n"
    failures += not good
    print(f"{'' if good else 'not '}ok 4 - serial.the board prints the version")
    print("1..4")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
