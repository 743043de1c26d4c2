# SPDX-License-Identifier: Apache-2.0
"""The points of plan.toml."""

import pathlib
import re
import tomllib


def read(path=pathlib.Path(__file__).resolve().with_suffix(".toml")):
    """{module: {point: condition}}"""
    points = tomllib.loads(path.read_text())
    for module, conditions in points.items():
        if len({label(point) for point in conditions}) != len(conditions):
            raise ValueError(f"{path.name}: two points of {module} differ only in signs")
    return points


def label(point):
    """What it is called in the copy of the RTL, and by Verilator."""
    return "point_" + re.sub(r"\W+", "_", point)
