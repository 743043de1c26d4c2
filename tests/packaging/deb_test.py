#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian packages, installed in a clean system and used there by an ordinary user.

    deb_test.py FOLDER

FOLDER has the packages. The system is one of the running distribution's release, made by
mmdebstrap, thrown away afterwards. mmdebstrap needs root, or newuidmap and user namespaces; where
it has neither, the tests are skipped and say why. The tests are those of deb_test.sh, which runs
in the system. An ordinary user also types the tutorials of docs/tutorials/ there, as written.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TUTORIALS = HERE.parents[1] / "docs/tutorials"
sys.path.insert(0, str(HERE.parent / "tutorials"))

import typed  # noqa: E402  (it lies where the line above says)

VERSION = (HERE.parents[1] / "VERSION").read_text(encoding="utf-8").strip()
NAMES = ["ringfence", "libringfence1", "libringfence-dev", "libringfence-sim", "rf-vfio-user",
         "ringfence-dkms"]
# What a user has who compiles programs and reads manuals
INCLUDE = "gcc,libc6-dev,pkg-config,man-db,bash-completion,ca-certificates"


def release():
    """Code name of the running release."""
    text = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    return re.search(r'^VERSION_CODENAME="?(\w+)', text, re.M)[1]


def unable():
    """Why no system can be made here, or None."""
    if not shutil.which("mmdebstrap"):
        return "mmdebstrap is not installed"
    if os.geteuid() == 0:
        return None
    if not shutil.which("newuidmap"):
        return "not root, and newuidmap (package uidmap) is not installed"
    if subprocess.run(["unshare", "--user", "true"], capture_output=True, check=False).returncode:
        return "not root, and there are no user namespaces"
    user = subprocess.run(["id", "-un"], text=True, capture_output=True, check=True).stdout.strip()
    if not re.search(rf"^{re.escape(user)}:", pathlib.Path("/etc/subuid").read_text(), re.M):
        return f"not root, and {user} has no line in /etc/subuid"
    return None


def packages(folder):
    found = {}
    for path in sorted(folder.glob(f"*_{VERSION}_*.deb")):
        found[path.name.split("_")[0]] = path
    assert sorted(found) == sorted(NAMES), (sorted(found), "in", folder)
    return found


def fill(folder, found):
    """What the tests need in the system: the packages, and the tutorials as scripts."""
    for path in found.values():
        shutil.copy(path, folder)
    shutil.copy(HERE / "deb_test.sh", folder)
    for page in TUTORIALS.glob("*.md"):
        (folder / f"{page.stem}.sh").write_text(typed.script([page], "installed"),
                                                encoding="utf-8")


def run(folder, include, command):
    """Make the system with /debs, run the tests there; status, their output and mmdebstrap's."""
    log = folder / "mmdebstrap.log"
    results = folder / "results"
    # where an ordinary user's hooks, which are root in a namespace, write
    results.touch()
    results.chmod(0o666)
    folder.chmod(0o755)
    with log.open("w") as output:
        status = subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=apt", f"--include={include}",
             "--aptopt=Acquire::Languages \"none\"", "--dpkgopt=force-unsafe-io",
             f"--customize-hook=copy-in {folder}/debs /",
             f"--customize-hook=chroot \"$1\" {command} >{results}",
             release(), "/dev/null"], stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, check=False).returncode
    return status, results.read_text(), log.read_text()


def test(include, command, prepare):
    """@prepare: fills the folder that the system has as /debs. The status of the program."""
    if reason := unable():
        print(f"ok 1 - in a clean system # SKIP {reason}\n1..1")
        return 0
    with tempfile.TemporaryDirectory(prefix="ringfence-deb-") as name:
        folder = pathlib.Path(name)
        (folder / "debs").mkdir()
        prepare(folder / "debs")
        status, results, log = run(folder, include, command)
    print(results, end="")
    failed = status or "not ok" in results or not re.search(r"^1\.\.\d+$", results, re.M)
    if failed:
        print("".join(f"# {line}\n" for line in log.splitlines()[-40:]), end="")
    return 1 if failed else 0


def main():
    return test(INCLUDE, f"sh /debs/deb_test.sh {VERSION}",
                lambda folder: fill(folder, packages(pathlib.Path(sys.argv[1]))))


if __name__ == "__main__":
    sys.exit(main())
