# SPDX-License-Identifier: Apache-2.0
"""Limits of time in tests: for a machine that has little else to do, times TIME_SCALE.

tests/time_scale.h is the same for tests in C.
"""

import math
import os


def time_scale():
    """TIME_SCALE of the environment, 1 if there is none; ValueError if it is no factor."""
    text = os.environ.get("TIME_SCALE") or "1"
    try:
        scale = float(text)
    except ValueError:
        scale = 0
    if not 0 < scale < math.inf:
        raise ValueError(f"TIME_SCALE={text} is no factor")
    return scale


def time_limit(seconds):
    return seconds * time_scale()
