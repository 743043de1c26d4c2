#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A device whose blocks sleep does what one does whose blocks never sleep, to the cycle.

    tests/host/sleep_test.py PROGRAM

Blocks sleep in the model that is linked, and not in the one that writes waves
(rtl/lib/rf_clock_gate.sv). So what one records the other replays: every TLP in its cycle.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SEED = int(os.environ.get("RF_SEED", "1"), 0)


def command(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True,
                          check=False, timeout=tap.time_limit(300))


def same(device, *arguments, status=0):
    """A recorded run, and its replay by the model for waves; how many cycles they took."""
    with tempfile.TemporaryDirectory() as folder:
        record, wave = (pathlib.Path(folder) / name for name in ("record", "wave.fst"))
        run = command(*arguments, "--device", f"{device},record={record}")
        assert run.returncode == status, (device, run)
        replay = command("replay", record, "--with", f"wave={wave}", "--json")
        told = json.loads(replay.stdout or "{}")
        assert not replay.returncode and told["same"], (device, arguments, replay)
        assert told["received"] > 100 and told["sent"] > 100, told
        return told["cycles"]


def test_mixes():
    """mixes of everything: preemption, contexts, logs, resets, faults, hangs"""
    for seed in range(SEED, SEED + 3):
        print(f"# seed {seed}")
        cycles = same(f"sim:seed={seed},random", "soak", "--rounds", 30, "--seed", seed)
        assert cycles > 20000, cycles


def test_main_job():
    """the main job, with a link that stalls, faults and lost interrupts"""
    source = ROOT / "docs/registers.md"
    for words, status in (("random", 0), ("read-latency=200..4000,reorder=50", 0),
                          ("fault=lose-msi@1,hold=ring@2:+500", 0), ("fault=abort@read:20..", 1)):
        device = f"sim:seed={SEED},{words}"
        print(f"# {device}")
        same(device, "run", "--input", source, status=status)


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
