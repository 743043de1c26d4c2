#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ringfence dump: its diagnosis of made-up states and of a live run, its numbers, its errors.

    dump_test.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (beside the tests of the tools)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ALL_ONES = 2**64 - 1
HZ = 125_000_000
NOW = 1_000_000


def dump(*arguments):
    return subprocess.run([PROGRAM, "dump", *arguments], text=True, capture_output=True, check=False)


# --- a state, as the driver and the device would print it ----------------------------------------

def queue(handle, **members):
    """A user-mode queue of process 1 in a slot, with one submission that is not completed."""
    return {"handle": handle, "process": 1, "node": 0, "priority": 4, "user_mode": 1,
            "residence": "resident", "asleep": 0, "context_state": "resumed",
            "doorbell": "connected", "progress_address": 0x1000 * handle, "completed": 0,
            "queued": 1, "packets": 0, "trapped": 0, "trap_code": 0, "error": 0,
            "error_address": 0, **members}


def slot(state, handle=0, **members):
    return {"status": {"state": state, "error": "none"}, "progress_address": 0x1000 * handle,
            "config": {"handle": handle + 100, "vmid": 1, "node": members.pop("node", 0)},
            **members}


def engine(**members):
    status = {"busy": 0, "slot": 0} | members.pop("status", {})
    return {"status": status, "engine": {"operations": 0, "reads": 0, "writes": 0, "hold": 0,
                                         "reset": 0, "in_reset": 0} | members}


def node(**members):
    return {"state": "F0", "preempting": 0, "stalled": 0, "stalled_ns": 0, **members}


def fence(handle, value, **members):
    return {"handle": handle, "native": 1, "value": value, "monitored_value": ALL_ONES,
            "waiters": 0, **members}


def local(number, address, of=0):
    return {"handle": number + 20, "fence": number, "current_address": address, "queue": of}


def state(queues=(), slots=(), engines=(), nodes=(), fences=(), local_fences=(), timestamp=NOW,
          hz=HZ, **kernel):
    process = {"process": 1, "pid": 4321, "lost": kernel.pop("lost", 0),
               "fences": list(local_fences)}
    return {"kernel": {"fatal": 0, "tdr_delay": 2_000_000_000, "nodes": list(nodes),
                       "queues": list(queues), "fences": list(fences), "processes": [process],
                       **kernel},
            "device": {"device": {"timestamp": timestamp, "timestamp_hz": hz},
                       "slot": {"index": list(slots)}, "node": {"index": list(engines)}}}


def read(of):
    """All that is printed of a state."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(of, file)
        file.flush()
        run = dump("--input", file.name)
    assert run.returncode == 0 and not run.stderr, run
    return run.stdout


def diagnose(of):
    """The findings: of each, its sentences as one line."""
    text = read(of)
    assert text.startswith("diagnosis\n  - "), text
    part = text[len("diagnosis\n"):text.index("\n\n") + 1]
    assert all(len(line) <= 96 for line in part.splitlines()), part
    return [re.sub(r"\s+", " ", finding).strip() for finding in part.split("  - ")[1:]]


def one(of):
    findings = diagnose(of)
    assert len(findings) == 1, findings
    return findings[0]


# --- made-up states ---------------------------------------------------------------------------

WAITING = slot("waiting", 1, wait_address=0x7000, wait_value=10, wait_observed=NOW - 125_000)
FENCE = [fence(5, 3), fence(6, 0)]
LOCAL = [local(6, 0x6000), local(5, 0x7000)]


def test_wait_nobody_signals():
    """a wait that no work can end: queue, value, fence, its value and time; a program must signal"""
    said = one(state([queue(1)], [WAITING], [engine()], [node()], FENCE, LOCAL))
    # 125000 cycles of 8 ns
    assert said.startswith("Queue 1 of process 1 (pid 4321) on node 0 (compute) waits for value 10 "
                           "of fence 5, which has value 3. It has waited for 125000 cycles (1 ms). "
                           "Next: no other queue has work that could signal it: a program must "
                           "signal"), said


def test_waits_for_each_other():
    """queues that wait for each other: none is named as one that could signal"""
    other = slot("waiting", 2, wait_address=0x6000, wait_value=1)
    for said in diagnose(state([queue(1), queue(2)], [WAITING, other], [engine()], [node()], FENCE,
                               LOCAL)):
        assert "no other queue has work" in said, said


def test_wait_for_a_busy_queue():
    """a wait, and another queue at work: that one may signal"""
    said = diagnose(state([queue(1), queue(2, node=1)], [WAITING, slot("running", 2, node=1)],
                          [engine(), engine(status={"busy": 1, "slot": 1}, operations=1)],
                          [node(), node()], FENCE, LOCAL))
    assert len(said) == 2, said
    assert "queue 2 of process 1 (pid 4321) has work that is not finished" in said[1], said


def test_lost_wake_up():
    """a wait whose value is reached"""
    said = one(state([queue(1)], [WAITING], [engine()], [node()], [fence(5, 10)], LOCAL))
    assert "the value is reached. If the queue still waits, its wake-up was lost" in said, said


def test_unknown_fence():
    """a wait at an address without a fence"""
    said = one(state([queue(1)], [WAITING], [engine()], [node()], FENCE, [local(5, 0x7008)]))
    assert "waits for value 10 at address 0x7000, where the dump has no fence" in said, said


def test_behind_a_higher_priority():
    """a queue behind one with a higher priority, in a slot and outside"""
    higher = queue(2, priority=9)
    running = slot("running", 2)
    busy = [engine(status={"busy": 1, "slot": 1})]
    for mine, place in ((queue(1), "in its slot"), (queue(1, residence="out"), "outside of a slot")):
        slots = [slot("runnable", 1) if place == "in its slot" else slot("disabled"), running]
        said = diagnose(state([mine, higher], slots, busy, [node()]))
        assert len(said) == 2 and f"Queue 1 of process 1 (pid 4321) (priority 4) has work and is " \
            f"ready {place}; queue 2 of process 1 (pid 4321) (priority 9) goes before it on node 0" \
            in said[1], said
    # not of the same node, not with the same priority
    for other in (queue(2, priority=9, node=1), queue(2)):
        said = diagnose(state([queue(1), other], [slot("runnable", 1), running], busy, [node()]))
        assert "it waits for its turn on node 0 (compute)" in said[1], said


def test_hung_engine():
    """a hung engine: whose work, what is in flight, for how long, what follows"""
    busy = [engine(), engine(status={"busy": 1, "slot": 0}, operations=2, reads=3, writes=1)]
    stuck = [node(), node(stalled=1, stalled_ns=1_250_000_000)]
    here = [queue(1, node=1)], [slot("running", 1, node=1)], busy
    said = one(state(*here, stuck))
    assert said.startswith("The engine of node 1 (copy) works for queue 1 of process 1 (pid 4321): "
                           "2 operations, 3 reads and 1 writes in flight. It has made no progress "
                           "for 1.25 s. Next: dump again"), said
    assert "asks it to give its work back after 2 s" in said, said
    stuck[1]["preempting"] = 1
    assert "reset if it does not within 2 s" in one(state(*here, stuck))
    busy[1]["engine"]["hold"] = 1
    assert "NODE.ENGINE.hold is set" in one(state(*here, stuck))
    busy[1]["engine"]["reset"] = busy[1]["engine"]["in_reset"] = 1
    assert one(state(*here, stuck)) == "The engine of node 1 (copy) is in reset."


def test_lost_device():
    """a device that does not respond, one that was given up, a process that lost its device"""
    ones = [slot("disabled", wait_value=ALL_ONES)]
    said = one(state([], ones, [engine(operations=7)], timestamp=ALL_ONES, hz=ALL_ONES))
    assert said.startswith("The device does not respond: its registers read all ones."), said
    assert one(state(fatal=1)).startswith("The driver no longer uses the device"), said
    assert one(state(lost=1)).startswith("The device of process 1 (pid 4321) is lost"), said


def test_suspended_and_preempted():
    """queues that are suspended, preempted while they wait, or are leaving"""
    for members, text in (({"context_state": "suspended"}, "has work and is suspended"),
                          ({"asleep": 1}, "is preempted: it waited for a fence. It comes back to "
                                          "node 0 (compute) when the value is reached"),
                          ({"residence": "leaving"}, "is being preempted: it leaves its slot")):
        said = one(state([queue(1, **{"residence": "out"} | members)]))
        assert said.startswith(f"Queue 1 of process 1 (pid 4321) {text}"), said


def test_doorbell():
    """a doorbell that is not connected: work that the device does not know of"""
    said = one(state([queue(1, residence="out", doorbell="disconnected", queued=5, completed=2)]))
    assert "has work in its ring (2 of 5 done) that the device does not know of: its doorbell is " \
        "not connected (disconnected)" in said, said
    assert "Next: the process connects the doorbell and rings again" in said, said
    said = one(state([queue(1, residence="out", doorbell="aborted")]))
    assert said.startswith("The doorbell of queue 1 of process 1 (pid 4321) is aborted"), said
    # it is connected: it waits for a slot
    assert "waits for its turn" in one(state([queue(1, residence="out")]))


def test_stopped():
    """queues in error, at a TRAP, idle with work; an error of a slot without a driver"""
    said = one(state([queue(1, error=7, error_address=0x1230)]))
    assert said.startswith("Queue 1 of process 1 (pid 4321) is lost: an address that is not mapped, "
                           "or not for this access, at 0x1230."), said
    assert "stopped at a TRAP with code 17." in one(state([queue(1, trapped=1, trap_code=17)]))
    assert "is in a slot and idle, although 1 of its 1 submissions" in \
        one(state([queue(1)], [slot("idle", 1)]))
    bare = state([], [slot("error", 3, error_address=0x88)], [engine()])
    bare["device"]["slot"]["index"][0]["status"]["error"] = "poisoned"
    del bare["kernel"]
    assert one(bare).startswith("The queue in slot 0 (handle 103, VMID 1) stopped with the error "
                                "poisoned at 0x88."), bare


def test_cpu_waits():
    """waits of CPUs, and the queue whose progress they wait for"""
    said = diagnose(state([queue(1)], [slot("running", 1)], [engine(status={"busy": 1})], [node()],
                          [fence(5, 3, waiters=2, least_waited=4)], [local(5, 0x7000, of=1)]))
    assert said[1] == ("2 waits of CPUs for fence 5, which has value 3; the least value waited for "
                       "is 4. Next: it is the progress of queue 1 of process 1 (pid 4321): see what "
                       "that queue does."), said


def test_nothing():
    """nothing waits: finished queues and idle slots are no finding"""
    assert one(state([queue(1, completed=1)], [slot("idle", 1)], [engine()], [node()],
                     FENCE)).startswith("Nothing waits")


def test_numbers():
    """numbers have units, addresses are hexadecimal, states have names, zeros are left out"""
    text = read({"kernel": {"tdr_delay": 2_000_000_000, "fatal": 0,
                            "queues": [{"error": 7, "residence": "out", "handle": 12}],
                            "fences": [{"monitored_value": ALL_ONES}, {"monitored_value": 41}]},
                 "device": {"device": {"timestamp": 250, "timestamp_hz": HZ,
                                       "parameters": {"local_memory_log2": 20}},
                            "fence": {"wait_stages": {"stalled": 5}, "waiting": 2},
                            "counter": {"value": {"tx_read_bytes": 65536, "busy_cycles": 125}},
                            "slot": {"index": [{"ring_base": 0x4000, "status": {
                                "state": "disabled", "error": "none"}}, {"status": {
                                    "state": "disabled", "error": "none"}}]}}})
    for line in ("tdr_delay 2 s", "error 7 (an address that is not mapped, or not for this access)",
                 "residence out", "handle 12", "monitored_value none: no CPU waits",
                 "monitored_value 41", "timestamp 250 cycles (2 us)", "timestamp_hz 125 MHz",
                 "local_memory_log2 20 (1 MiB)", "stalled slot 0, 2", "waiting slot 1",
                 "tx_read_bytes 64 KiB", "busy_cycles 125 cycles (1 us)", "ring_base 0x4000"):
        assert re.search(rf"^ +{re.escape(line)}$", text, re.M), (line, text)
    assert "fatal" not in text and "disabled" not in text and "\n      1\n" not in text, text


# --- a live run -------------------------------------------------------------------------------

def test_live():
    """a live run: the queue that waits, for what, since when; the engine that hangs, for whom"""
    run = dump("--device", "sim:seed=3")
    assert run.returncode == 0 and not run.stderr, run
    part = re.sub(r"\s+", " ", run.stdout[:run.stdout.index("\n\n")])
    hangs = re.search(r"The engine of node 1 \(copy\) works for (queue \d+) of process 1 \(pid \d+\)"
                      r": 1 operation, 0 reads and 0 writes in flight\. Next: NODE\.ENGINE\.hold",
                      part)
    waits = re.search(r"(Queue \d+) of process 1 \(pid \d+\) on node 0 \(compute\) waits for value "
                      r"1000 of fence \d+, which has value 7\. It has waited for (\d+) cycles "
                      r"\([\d.]+ us\)\. Next: (queue \d+) of", part)
    assert hangs and waits, part
    # the command lets 5000 cycles pass after the second submission, which came after the wait
    assert waits[3] == hangs[1] != waits[1].lower() and int(waits[2]) > 5000, part


def test_saved():
    """a dump that was saved as JSON is read back: the same findings"""
    run = dump("--json", "--device", "sim:seed=3")
    assert run.returncode == 0 and "diagnosis" not in run.stdout, run
    said = diagnose(json.loads(run.stdout))
    assert len(said) == 2 and "waits for value 1000" in said[1], said


def test_two_devices():
    """two devices: the second one waits for the first one, which hangs, as text and saved"""
    run = dump("--devices", "2", "--json", "--device", "sim:seed=3")
    assert run.returncode == 0 and not run.stderr, run
    both = json.loads(run.stdout)
    times = [device["device"]["device"]["timestamp"] for device in both["devices"]]
    # one clock: the second dump was made right behind the first
    assert 0 < times[1] - times[0] < 20000, times
    for text in (dump("--device", "sim:seed=3,devices=2").stdout, read(both)):
        first, second = (re.sub(r"\s+", " ", part) for part in text.split("\n\n")[:2])
        assert first.startswith("diagnosis of device 0 - The engine of node 1 (copy) works for queue "
                                ), first
        assert "NODE.ENGINE.hold is set" in first and first.count(" - ") == 1, first
        assert re.match(r"diagnosis of device 1 - Queue \d+ of process 1 \(pid \d+\) on node 0 "
                        r"\(compute\) waits for value 1000 of fence \d+, which has value 7\. .* "
                        r"Next: the fence is of several devices\. On device 0, queue \d+ of process "
                        r"1 \(pid \d+\) has work that is not finished", second), second
        # and then the numbers of both
        assert re.search(r"^devices\n  0\n    kernel\n", text, re.M), text
        assert re.search(r"^  1\n    kernel\n", text, re.M), text
        assert re.search(r"^ +timestamp \d+ cycles \([\d.]+ us\)$", text, re.M), text


def test_shared_fence():
    """a wait for a fence of several devices: who may signal it, in one dump and in that of both"""
    shared = [fence(5, 3, cross_adapter=1)]
    alone = state([queue(1)], [WAITING], [engine()], [node()], shared, LOCAL)
    assert "no other queue of this one has work that could signal it: see a dump of the others" in \
        one(alone)
    idle = state([queue(2, completed=1)], [slot("idle", 2)], [engine()], [node()], shared)
    both = read({"devices": [alone, idle]})
    assert "a program must signal the fence" in re.sub(r"\s+", " ", both), both
    assert "diagnosis of device 1\n  - Nothing waits" in both, both
    busy = state([queue(2)], [slot("running", 2)], [engine(status={"busy": 1})], [node()], shared)
    both = re.sub(r"\s+", " ", read({"devices": [alone, busy]}))
    assert "On device 1, queue 2 of process 1 (pid 4321) has work that is not finished" in both, both
    assert "On device 0" not in both, both


def test_incomplete():
    """members that are missing or of another type do not end the program"""
    for strange in ({}, {"devices": [3, {}, {"kernel": []}]}, {"kernel": 3, "device": []}, {"kernel": {"queues": 3, "nodes": [None]}},
                    {"kernel": {"queues": [3, "x", {"error": "x", "node": {}}], "fences": [[]]},
                     "device": {"slot": {"index": [{"status": {"state": "waiting"}}, 7]},
                                "node": {"index": [{"engine": {"operations": -1}}, None]}}}):
        read(strange)


def test_wrong_input():
    """what is no dump is refused, and what a dump is is said"""
    for text in ("", "nonsense", "[]", "3"):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            run = dump("--input", file.name)
        assert run.returncode == 1 and not run.stdout and run.stderr.startswith("ringfence: "), run
    assert "what ringfence dump --json prints" in run.stderr, run
    run = dump("--input", "/nowhere/x")
    assert run.returncode == 1 and "cannot read /nowhere/x: No such file" in run.stderr, run
    run = dump("--device", "drm:", "--devices", "2")
    assert run.returncode == 1 and "dump each device by itself" in run.stderr, run
    run = dump("--input", "x", "--device", "sim:")
    assert run.returncode == 2 and "--device or --input, not both" in run.stderr, run


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
