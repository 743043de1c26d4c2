# SPDX-License-Identifier: Apache-2.0
"""Runs the functions test_* of a module and prints TAP."""

import pathlib
import sys
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

from time_scale import time_limit  # noqa: E402, F401  (for tests; it lies where the line above says)


def run(module):
    """Run the tests of a module; a docstring is the name. Return the status."""
    tests = [value for name, value in vars(sys.modules[module]).items()
             if name.startswith("test_")]
    failures = 0
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {test.__doc__}")
        except Exception:  # a test may fail in any way
            failures += 1
            print(f"not ok {number} - {test.__doc__}")
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), end="")
        sys.stdout.flush()
    print(f"1..{len(tests)}")
    return 1 if failures else 0
