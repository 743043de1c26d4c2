#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parts of campaigns: SHARD= of make, and the report that tools/merge_shards makes of them."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import tap  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


def make(*arguments):
    """What make would run"""
    done = subprocess.run(["make", "-n", "--no-print-directory", "NO_SETUP=1", *arguments], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Project:
    """The tool in a folder of its own, so that its reports go there"""

    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        (self.root / "tools").mkdir()
        for name in ("merge_shards", "version.py"):
            shutil.copy(ROOT / "tools" / name, self.root / "tools")
        (self.root / "parts").mkdir()

    def part(self, name, text):
        path = self.root / "parts" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def merge(self):
        done = subprocess.run([sys.executable, self.root / "tools/merge_shards", self.root / "parts"],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def read(self, name):
        return (self.root / name).read_text()


def project(test):
    def run():
        with tempfile.TemporaryDirectory() as folder:
            test(Project(folder))
    run.__doc__ = test.__doc__
    return run


def test_refused():
    """A SHARD that is no part, or a target without parts, is refused."""
    for shard in ("0/2", "3/2", "1/0", "1", "/2", "1/2/3", "x/y", "01/2"):
        status, said = make("soak", f"SHARD={shard}")
        assert status and "is no part" in said, (shard, said)
    status, said = make("test", "SHARD=1/2")
    assert status and "not for test" in said, said


def test_every_proof_once():
    """The parts of make formal have every proof, each once."""
    whole = proofs_of(make("formal")[1])
    parts = [proof for i in (1, 2, 3) for proof in proofs_of(make("formal", f"SHARD={i}/3")[1])]
    assert len(whole) > 20 and sorted(parts) == sorted(whole), (whole, parts)


def proofs_of(said):
    return said.partition("tests/formal/prove")[2].partition('"')[0].split()[2:]


def test_seeds_differ():
    """No two parts of any two campaigns of one size draw by one seed."""
    seeds = [make("fuzz", f"SHARD={i}/3", f"SEED={seed}")[1].rpartition("--seed ")[2].split()[0]
             for seed in (1, 2) for i in (1, 2, 3)]
    assert len(set(seeds)) == 6, seeds


@project
def test_merged(folder):
    """Results of all parts, failures named, the numbers at last"""
    folder.part("fuzz.1-of-2.tsv", "pass\tfuzz-1-of-2: a\n")
    folder.part("fuzz.2-of-2.tsv", "fail\tfuzz-2-of-2: a\nskip\tfuzz-2-of-2: b (no board)\n")
    folder.part("conform.1-of-1.tsv", "pass\tconform-1-of-1: x\n")
    folder.part("conform/sim.1-of-1.tsv", "# id\tresult\ttest\tnote\nS0-1\tPASS\tx\t\n")
    status, said = folder.merge()
    assert status == 1 and "FAILED: fuzz-2-of-2: a" in said, said
    assert said.splitlines()[-1] == "2 passed, 1 failed, 1 skipped", said
    assert folder.read("build/results/fuzz.tsv").count("\n") == 3
    assert folder.read("build/conform/sim.tsv") == "# id\tresult\ttest\tnote\nS0-1\tPASS\tx\t\n"


@project
def test_missing(folder):
    """A part that did not run is named, with the command that runs it."""
    folder.part("formal.1-of-3.tsv", "pass\tformal: a\n")
    folder.part("formal.3-of-3.tsv", "pass\tformal: c\n")
    status, said = folder.merge()
    assert status == 2 and "make formal SHARD=2/3" in said, said


@project
def test_twice(folder):
    """A test that two parts have is no result of one campaign."""
    folder.part("formal.1-of-2.tsv", "pass\tformal: a\n")
    folder.part("formal.2-of-2.tsv", "fail\tformal: a\n")
    status, said = folder.merge()
    assert status == 2 and "both have formal: a" in said, said


@project
def test_two_sizes(folder):
    """Parts of an older campaign are not taken for those of this one."""
    folder.part("soak.1-of-1.tsv", "pass\tsoak-1-of-1: a\n")
    folder.part("soak.1-of-2.tsv", "pass\tsoak-1-of-2: a\n")
    status, said = folder.merge()
    assert status == 2 and "older campaign" in said, said


@project
def test_nothing(folder):
    """Without parts it says how they are made."""
    status, said = folder.merge()
    assert status == 2 and "make conform SHARD=1/2" in said, said


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
