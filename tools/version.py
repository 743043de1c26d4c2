# SPDX-License-Identifier: Apache-2.0
"""--version of the tools; the file VERSION has the one version of the project."""

import argparse
import pathlib

FILE = pathlib.Path(__file__).resolve().parents[1] / "VERSION"


class Version(argparse.Action):
    """parser.add_argument("--version", action=Version)"""

    def __init__(self, option_strings, dest):
        super().__init__(option_strings, dest, nargs=0, help="print the version and stop")

    def __call__(self, parser, namespace, values, option_string=None):
        print(f"{parser.prog} (Ringfence) {FILE.read_text(encoding='utf-8').strip()}")
        parser.exit()
