#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ringfence sweep and shrink, and the race of umd/examples/lost_wakeup.c, which they find.

Arguments: the program, build/examples/lost_wakeup.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM, DRIVER = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
RACE = ("--move", "ring@1", "--against", "ring@1", "--from", "100", "--to", "200")
LOST = "status 1: lost wake-up: the fence is 1, and the driver sleeps"


def run(*arguments, device=None):
    environment = dict(os.environ)
    environment.pop("RINGFENCE_DEVICE", None)
    if device:
        environment["RINGFENCE_DEVICE"] = device
    return subprocess.run(arguments, text=True, capture_output=True, check=False, env=environment,
                          timeout=tap.time_limit(300))


def sweep(*arguments):
    return run(PROGRAM, "sweep", *arguments)


def lost_cycles(*command):
    """The cycles in which the wake-up is lost, by the sweep's table."""
    result = sweep(*RACE, "--json", "--", *command)
    assert not result.stderr, result
    told = json.loads(result.stdout)
    assert [cycle for cycle, _ in told["cycles"]] == list(range(100, 201)), told
    assert told["outcomes"][0] == "ok" and set(told["outcomes"][1:]) <= {LOST}, told
    lost = [cycle for cycle, outcome in told["cycles"] if outcome]
    assert result.returncode == (1 if lost else 0), result
    return lost


def test_race():
    """the wrong driver loses wake-ups in a window that the sweep shows, the right one never"""
    lost = lost_cycles(DRIVER, "--wrong")
    # One window, shorter than the driver's three register reads, of some 15 cycles each
    assert lost and lost == list(range(lost[0], lost[-1] + 1)) and len(lost) < 45, lost
    assert 100 < lost[0] and lost[-1] < 200, lost
    assert not lost_cycles(DRIVER)
    # Outside of the sweep the same cycles lose it, and those beside them do not.
    for cycle in range(lost[0] - 2, lost[-1] + 3):
        device = f"sim:hold=ring@1:+{cycle}"
        assert run(DRIVER, "--wrong", device=device).returncode == (cycle in lost), cycle
        assert run(DRIVER, device=device).returncode == 0, cycle
    # Without a hold nobody would ever see it.
    for device in ("sim:", *(f"sim:seed={seed},random" for seed in range(5))):
        assert run(DRIVER, device=device).returncode == 0, device
    assert run(DRIVER, "--wrong", device="sim:").returncode == 0


def test_table():
    """the table has ranges of cycles, one character a cycle, and the command that repeats it"""
    result = sweep(*RACE, "--", DRIVER, "--wrong")
    assert result.returncode == 1 and not result.stderr, result
    lost = lost_cycles(DRIVER, "--wrong")
    rows = re.findall(r"^ +(\d+) \.\. +(\d+)  (.) (.*)$", result.stdout, re.M)
    assert [(int(first), int(last), mark) for first, last, mark, _ in rows] == \
        [(100, lost[0] - 1, "."), (lost[0], lost[-1], "A"), (lost[-1] + 1, 200, ".")], rows
    assert rows[1][3] == LOST
    picture = "".join(re.findall(r"^ +\d+ ([.A]+)$", result.stdout, re.M))
    assert picture == "".join("A" if cycle in lost else "." for cycle in range(100, 201))
    repeat = re.search(r"^A: (.*)$", result.stdout, re.M)[1]
    assert run("sh", "-c", repeat).stdout.startswith("lost wake-up"), repeat
    # whatever a shell makes of its characters
    awkward = ("sh", "-c", 'echo "$1 $RINGFENCE_DEVICE"; exit 1', "x", "it's <a> $b")
    result = sweep(*RACE[:4], "--to", "0", "--", *awkward)
    repeat = re.search(r"^A: (.*)$", result.stdout, re.M)[1]
    assert run("sh", "-c", repeat).stdout == "it's <a> $b sim:hold=ring@1:ring@1+0\n", repeat


def test_picture():
    """the picture is SVG, with a bar for each range and a line for each outcome"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sweep.svg"
        sweep(*RACE, "--picture", path, "--", DRIVER, "--wrong")
        root = xml.etree.ElementTree.parse(path).getroot()
        space = "{http://www.w3.org/2000/svg}"
        titles = [title.text for title in root.iter(f"{space}title")]
        lost = lost_cycles(DRIVER, "--wrong")
        assert titles == [f"100..{lost[0] - 1}", f"{lost[0]}..{lost[-1]}",
                          f"{lost[-1] + 1}..200"], titles
        texts = [text.text for text in root.iter(f"{space}text")]
        assert "ok" in texts and LOST in texts and "100" in texts, texts
        # as wide as the window: 800 for 101 cycles
        bars = [float(bar.get("width")) for bar in root.iter(f"{space}rect")
                if bar.find(f"{space}title") is not None]
        assert abs(bars[1] - 800 * len(lost) / 101) < 0.1 and abs(sum(bars) - 800) < 0.1, bars
        # what a command says is text, whatever it is
        sweep(*RACE[:4], "--to", "0", "--picture", path, "--", "sh", "-c",
              "echo '<&>\"\\303\\244'; exit 3")
        xml.etree.ElementTree.parse(path)
    result = sweep(*RACE[:4], "--to", "0", "--picture", "/nonexistent/s", "--", "true")
    assert result.returncode == 1 and "cannot write /nonexistent/s" in result.stderr, result


def test_outcomes():
    """every end of a command is an outcome, and each gets its letter"""
    script = ("case $RINGFENCE_DEVICE in *+0) exit 0;; *+1) echo one; echo; exit 7;; "
              "*+2) kill -9 $$;; *+3) exec sleep 60;; *) echo one; exit 7;; esac")
    result = sweep("--move", "msi@2", "--against", "read@3", "--to", "4", "--seconds", "1", "--json",
                   "--device", "sim:seed=5", "--", "sh", "-c", script)
    told = json.loads(result.stdout)
    assert told["outcomes"] == ["ok", "status 7: one", "signal 9: Killed", "no end in 1 s"], told
    assert told["cycles"] == [[0, 0], [1, 1], [2, 2], [3, 3], [4, 1]], told
    told = sweep("--move", "msi@2", "--against", "read@3", "--to", "0", "--device",
                 "sim:seed=5,random", "--json", "--", "sh", "-c", 'echo "$RINGFENCE_DEVICE"; exit 1')
    assert json.loads(told.stdout)["outcomes"][1] == \
        "status 1: sim:seed=5,random,hold=msi@2:read@3+0", told


def test_refused():
    """what makes no sense is refused before anything runs"""
    for arguments, said in ((("--move", "bogus@1", "--against", "ring@1"), "a hold is ring@N"),
                            (("--move", "ring@1", "--against", "bogus@1"), "a hold is ring@N"),
                            (("--move", "ring@1"), "--against is missing"),
                            ((*RACE[:4], "--from", "9", "--to", "3"), "--to 3 is before --from 9"),
                            ((*RACE[:4], "--to", "100000000"), "more than 100000 runs"),
                            ((*RACE[:4], "--step", "0"), "--step"),
                            ((*RACE[:4], "--device", "drm:"), "simulated devices")):
        result = sweep(*arguments, "--", "touch", "/nonexistent/x")
        assert result.returncode == 2 and not result.stdout, (arguments, result)
        assert said in result.stderr, (arguments, result)
    result = sweep(*RACE[:4])
    assert result.returncode == 2 and "-- COMMAND is missing" in result.stderr, result
    result = sweep(*RACE[:4], "--", "/nonexistent/command")
    assert result.returncode == 1 and "cannot run /nonexistent/command" in result.stderr, result


def test_shrink():
    """a string that fails is shrunk to the words and numbers that matter"""
    first = lost_cycles(DRIVER, "--wrong")[0]
    device = f"sim:seed=4,read-latency=32..32,hold=msi@4:+3,hold=ring@1..3:+{first + 2},rcb=64"
    result = run(PROGRAM, "shrink", "--json", "--", DRIVER, "--wrong", device=device)
    assert result.returncode == 0 and not result.stderr, result
    told = json.loads(result.stdout)
    assert told["device"] == f"sim:hold=ring@1:+{first}" and told["outcome"] == LOST, told
    assert 5 < told["runs"] < 60, told
    result = run(PROGRAM, "shrink", "--device", device, "--", DRIVER, "--wrong")
    repeat = result.stdout.splitlines()[-1]
    assert run("sh", "-c", repeat).stdout.startswith("lost wake-up"), repeat
    result = run(PROGRAM, "shrink", "--device", "sim:seed=3", "--", "true")
    assert result.returncode == 1 and "does not fail" in result.stderr, result
    # each word is needed here
    script = "case $RINGFENCE_DEVICE in *seed=2*random*mps=*) exit 1;; esac"
    result = run(PROGRAM, "shrink", "--json", "--device", "sim:seed=2,random,rcb=64,mps=512", "--",
                 "sh", "-c", script)
    assert json.loads(result.stdout)["device"] == "sim:seed=2,random,mps=128", result
    # another device than the first is needed, and not how many there are
    script = "case $RINGFENCE_DEVICE in *device=[1-9]*) exit 1;; esac"
    result = run(PROGRAM, "shrink", "--json", "--device", "sim:devices=4,rcb=64,device=3", "--",
                 "sh", "-c", script)
    assert json.loads(result.stdout)["device"] == "sim:device=1", result


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
