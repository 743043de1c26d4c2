#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tutorials of the source tree, in a clean system that has what they need, by an ordinary user.

The system is that of deb_test.py, with the packages of tools/setup that these tutorials use and a
clone of the sources: CONTRIBUTING.md up to its unit test, and the simulated board.
"""

import pathlib
import subprocess
import sys

import deb_test
import typed  # deb_test has said where

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ("make,gcc,g++,libc6-dev,linux-libc-dev,ccache,verilator,zlib1g-dev,libdrm-dev,"
           "libpciaccess-dev,libjson-c-dev,pkg-config,python3,git,mount,ca-certificates")
# mmdebstrap gives pseudo-terminals to uid 5, so that their users cannot open them.
SCRIPT = """
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts /dev/pts || exit 1
mount --bind /dev/pts/ptmx /dev/ptmx || exit 1
trap "umount /dev/ptmx /dev/pts" EXIT
useradd --create-home --shell /bin/bash tester
su - tester -c 'set -e
	exec 3>&1 >&2
	git -c advice.detachedHead=false clone -q /debs/sources.bundle ringfence
	cd ringfence
	export NO_SETUP=1
	status=0
	python3 tests/tutorials/contributing_test.py >contributing.tap || status=1
	bash /debs/board.sh >board.tap || status=1
	# one plan for both
	cat contributing.tap board.tap | grep -v "^1\\.\\." | awk "
		/^ok/ || /^not ok/ { sub(/ok [0-9]+/, \\"ok \\" ++n) } { print } END { print \\"1..\\" n }" >&3
	[ $status = 0 ]' # exit would run ~/.bash_logout
"""


def fill(folder):
    subprocess.run(["git", "bundle", "create", "-q", folder / "sources.bundle", "HEAD"], cwd=ROOT,
                   check=True)
    page = ROOT / "docs/tutorials/board-owner.md"
    (folder / "board.sh").write_text(typed.script([page], "source"), encoding="utf-8")
    (folder / "source_test.sh").write_text(SCRIPT, encoding="utf-8")
    for path in folder.iterdir():
        path.chmod(0o644)


if __name__ == "__main__":
    sys.exit(deb_test.test(INCLUDE, "sh /debs/source_test.sh", fill))
