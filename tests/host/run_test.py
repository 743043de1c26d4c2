#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ringfence run: what it computes, says and refuses; what info and dump say.

Arguments: the program.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()


def ringfence(*arguments):
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False,
                          timeout=tap.time_limit(120))


STEPS = ((2654435761, 40503), (1664525, 1013904223))  # of each device


def expected(data, devices=1):
    """x -> a * x + b of each little-endian word by each device, the last one cut off."""
    padded = data + bytes(-len(data) % 4)
    words = [int.from_bytes(padded[i:i + 4], "little") for i in range(0, len(padded), 4)]
    for factor, addend in STEPS[:devices]:
        words = [(factor * word + addend) % 2**32 for word in words]
    return b"".join(word.to_bytes(4, "little") for word in words)[:len(data)]


def stream(data, *options):
    """Run on a file with this content; return the result and what was printed."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder) / "in", pathlib.Path(folder) / "out"
        source.write_bytes(data)
        run = ringfence("run", "--input", source, "--output", result, *options)
        assert run.returncode == 0, run.stderr
        assert not run.stderr, run.stderr
        return result.read_bytes(), run.stdout


def refused(status, what, *arguments):
    run = ringfence(*arguments)
    assert run.returncode == status, (run.returncode, run.stderr)
    first = run.stderr.splitlines()[0]
    assert first.startswith("ringfence: ") and what in first, run.stderr


def test_default_file():
    """the file of make run comes out as computed here, with one interrupt"""
    data = (ROOT / "docs/registers.md").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        timeline = pathlib.Path(folder) / "timeline.json"
        result, text = stream(data, "--device", f"sim:timeline={timeline}")
        events = json.loads(timeline.read_text())
    assert result == expected(data)
    assert re.search(r"^Interrupts: 1 raised, ", text, re.M), text
    events = events["traceEvents"] if isinstance(events, dict) else events
    assert len(events) > 3 * len(data) // 4096, len(events)
    waits = int(re.search(r"(\d+) waits, of which", text)[1])
    slices = [event for event in events if event["ph"] == "X" and event["name"].startswith("wait ")]
    assert waits and len(slices) == waits, (waits, len(slices))


def test_readme():
    """README.md shows what make run prints, docs/two-devices.md what two devices print"""
    shown = subprocess.run([ROOT / "tools/readme", "--check", PROGRAM], text=True,
                           capture_output=True, check=False)
    assert shown.returncode == 0, shown.stderr


def test_odd_sizes():
    """files of 0, 1, 3, 4096 and 4097 bytes come out as computed here"""
    for size in (0, 1, 3, 4096, 4097):
        data = random.Random(size).randbytes(size)
        assert stream(data)[0] == expected(data), size


def cycles(data, device):
    """How long it takes; the result is right."""
    result, text = stream(data, "--device", device)
    assert result == expected(data), device
    return int(re.search(r"Simulated time: (\d+) cycles", text)[1])


def test_seeds():
    """the result does not depend on the seed, a seed repeats the run exactly, others do not"""
    data = random.Random(1).randbytes(20001)
    found = [cycles(data, f"sim:seed={seed},random") for seed in (5, 5, 2, 3, 4)]
    assert found[0] == found[1] and len(set(found)) == 4, found


def test_words():
    """every word of a device string acts: a run takes another time than without it"""
    data = random.Random(2).randbytes(20000)
    without = cycles(data, "sim:")
    assert without == cycles(data, "sim:seed=9"), "nothing is drawn"
    for word in ("random", "read-latency=200", "read-latency=10..300", "split=50",
                 "backpressure=20", "posted-stall=30", "read-stall=50", "receive-gap=30",
                 "mps=128", "mrrs=128", "transmit-rate=2", "receive-rate=2",
                 "read-latency=10..300,reorder=50", "split=50,rcb=128", "hold=ring:+999",
                 "hold=ring", "hold=completion@30:+500", "hold=msi@1:+1000", "msi-delay=2000",
                 "hold=ring@1..9:ring@12", "hold=ring@2..:signal@1+500", "hold=ring@2..:copy@1+50",
                 "hold=ring@4..:compute@1", "hold=ring@3..:wait@1+900", "hold=ring@7..:release@1",
                 "hold=ring@4..:read@20+300", "hold=ring@5..:cycle@14000", "link=gen1x1"):
        assert cycles(data, f"sim:{word}") != without, word
    # the same words without what is added to them above
    assert cycles(data, "sim:read-latency=10..300,reorder=50") != \
        cycles(data, "sim:read-latency=10..300")
    assert cycles(data, "sim:split=50,rcb=128") != cycles(data, "sim:split=50")
    assert cycles(data, "sim:link=gen1x1,link-errors=1000") != cycles(data, "sim:link=gen1x1")


def test_faults():
    """a fault of a device string ends the run with a line that says which"""
    source = str(ROOT / "README.md")
    # Of one read it may not end: a preempted engine drops what it has in flight, and reads again.
    for fault, said in (("completion-timeout@read:30..60", "a read was not answered"),
                        ("unsupported@read:30..", "Unsupported Request"),
                        ("abort@read:30..", "Completer Abort"),
                        ("poisoned@read:30..", "poisoned data"),
                        ("engine-hang@copy", "the engine hung and was reset"),
                        ("engine-hang@compute:2", "the engine hung and was reset")):
        run = ringfence("run", "--input", source, "--device", f"sim:fault={fault}")
        assert run.returncode == 1 and said in run.stderr, (fault, run)
        assert "queue " in run.stderr and " stopped: error " in run.stderr, (fault, run)
    run = ringfence("run", "--input", ROOT / "docs/registers.md", "--device",
                    "sim:fault=link-down@cycle:12000")
    assert run.returncode == 1 and "lost" in run.stderr, run


def test_two_devices():
    """what two devices compute together, for odd sizes, latencies, and chunks that must wait"""
    for size in (0, 1, 4096, 4099, 30001):
        data = random.Random(size).randbytes(size)
        result, text = stream(data, "--devices", "2")
        assert result == expected(data, 2), size
    assert len(re.findall(r"^Interrupts of device [01]: ", text, re.M)) == 2, text
    # late MSIs hold the second device back: the first one would overwrite what is not copied yet
    data = random.Random(7).randbytes(60000)
    for words in ("seed=4,random", "msi-delay=3000", "read-latency=200..2000", "link=gen1x1"):
        assert stream(data, "--device", f"sim:devices=2,{words}")[0] == expected(data, 2), words


def test_two_devices_named():
    """--devices is the word devices= of the device string, and the same words the same cycles"""
    data = random.Random(8).randbytes(9000)
    found = []
    for options in (("--devices", "2", "--device", "sim:seed=3,random"),
                    ("--device", "sim:seed=3,random,devices=2"),
                    ("--device", "sim:devices=2,seed=3,random")):
        result, text = stream(data, *options)
        assert result == expected(data, 2), options
        found.append(re.search(r"Simulated time: (\d+) cycles", text)[1])
    assert len(set(found)) == 1, found
    for options in (("--devices", "1"), ("--device", "sim:devices=1")):
        assert stream(data, *options)[0] == expected(data), options
    with tempfile.NamedTemporaryFile() as source:
        source.write(data)
        source.flush()
        told = json.loads(ringfence("run", "--json", "--input", source.name, "--devices", "2").stdout)
    # 3 chunks, 3 fences of each device, and a request for each chunk
    assert told["devices"] == 2 and told["simulation"]["signals"] >= 3 * 7, told


def test_two_devices_program():
    """a timeline of a program with the library shows all devices, and arrows from one to the other"""
    with tempfile.TemporaryDirectory() as folder:
        timeline = pathlib.Path(folder) / "timeline.json"
        words = f"sim:devices=2,timeline={timeline}"
        run = subprocess.run([PROGRAM.parent / "examples/two_devices", words, f"{words},device=1"],
                             text=True, capture_output=True, check=False,
                             timeout=tap.time_limit(120))
        assert run.returncode == 0 and not run.stderr, run
        events = json.loads(timeline.read_text())["traceEvents"]
    names = {event["pid"]: event["args"]["name"] for event in events
             if event["name"] == "process_name"}
    assert names == {1: "device 0", 2: "device 1"}, names
    # 8 rounds: a fill of each device
    works = [(event["pid"], event["ts"]) for event in events
             if event["name"] == "work" and event["ph"] == "X" and event["tid"] < 50]
    assert [pid for pid, _ in sorted(works, key=lambda work: work[1])] == [1, 2] * 8, works
    # and a wait of each for the other
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    ways = [(begins[event["id"]]["pid"], event["pid"], begins[event["id"]]["ts"] < event["ts"])
            for event in sorted(events, key=lambda event: event.get("ts", 0))
            if event["ph"] == "f"]
    assert ways == [(1, 2, True), (2, 1, True)] * 8, ways
    # one name on both
    waits = {event["name"].rsplit(" ", 1)[0].split(" ", 1)[1] for event in events
             if event["name"].startswith(("wait fence", "signal fence"))}
    assert len(waits) == 2, waits


def test_two_devices_refused():
    """what does not go with two devices is refused, and what would be right is said"""
    for status, said, *options in (
            (2, "--devices: '3' is not from 1 to 2", "--devices", "3"),
            (2, "--devices: '0' is not from 1 to 2", "--devices", "0"),
            (2, "--devices: 'two' is not a number", "--devices", "two"),
            (1, "leave out --devices, or use --device sim:", "--devices", "2", "--device", "drm:"),
            (1, "leave out --devices, or use --device sim:", "--devices", "2", "--device",
             "miniport:"),
            (1, "'devices=3': this command works with 1 or 2 devices", "--device", "sim:devices=3"),
            (1, "devices is given twice", "--devices", "2", "--device", "sim:devices=2"),
            (1, "'device=1': this command works with all devices", "--device",
             "sim:devices=2,device=1"),
            (1, "'device=0': this command works with all devices", "--device", "sim:device=0"),
            (1, "2 is not a device of devices=2", "--device", "sim:devices=2,device=2")):
        refused(status, said, "run", "--input", str(ROOT / "README.md"), *options)


def test_two_devices_faults():
    """a fault of the first device ends the run, and interrupts that are lost do not"""
    source = str(ROOT / "docs/requirements.md")
    for fault, said in (("engine-hang@copy:9", "queue send stopped: error "),
                        ("link-down@cycle:20000", "lost")):
        run = ringfence("run", "--input", source, "--device", f"sim:devices=2,fault={fault}")
        assert run.returncode == 1 and said in run.stderr, (fault, run)
        assert "the result is wrong" not in run.stderr, run
    data = random.Random(9).randbytes(20000)
    assert stream(data, "--device", "sim:devices=2,fault=lose-msi@2")[0] == expected(data, 2)


def test_lost_interrupt():
    """a run whose only MSI is lost ends with the right result all the same"""
    data = random.Random(3).randbytes(9000)
    result, text = stream(data, "--device", "sim:fault=lose-msi@1")
    assert result == expected(data) and "Interrupts: 1 raised" in text


def test_bad_arguments():
    """arguments that make no sense give status 2 and a line that says why"""
    refused(2, "bogus", "bogus")
    refused(2, "--input", "run")
    refused(2, "unexpected argument 'y'", "run", "--input", "x", "y")
    refused(1, "'seven' is not a number", "run", "--input", "x", "--device", "sim:seed=seven")
    run = ringfence("run", "--bogus")
    assert run.returncode == 2 and "--bogus" in run.stderr, run.stderr


def test_bad_files():
    """files that cannot be read or written give status 1 and are named"""
    refused(1, "/nonexistent/in", "run", "--input", "/nonexistent/in")
    refused(1, "is a directory", "run", "--input", str(ROOT))
    refused(1, "cannot open drm:/dev/null", "run", "--input", str(ROOT / "LICENSE"), "--device",
            "drm:/dev/null")
    refused(1, "/nonexistent/out", "run", "--input", str(ROOT / "LICENSE"), "--output",
            "/nonexistent/out")


def test_info():
    """info says the same as text and as JSON"""
    text = ringfence("info", "--device", "sim:")
    told = ringfence("info", "--json", "--device", "sim:")
    assert text.returncode == 0 and told.returncode == 0, (text.stderr, told.stderr)
    values = json.loads(told.stdout)
    assert values["native_fences"] is True
    for label, key, unit in (("nodes", "nodes", 1), ("dedicated doorbells", "doorbells", 1),
                             ("fence value stride", "fence_value_stride", 1),
                             ("local memory", "local_memory_bytes", 1024),
                             ("timestamp", "timestamp_hz", 1)):
        shown = int(re.search(rf"^{label} +(\d+)", text.stdout, re.M)[1])
        assert shown * unit == values[key], (label, shown, values[key])
    assert f"{values['link_gigatransfers']} GT/s x{values['link_width']}" in text.stdout
    counted = dict(re.findall(r"^counted (\w+) +(\d+)$", text.stdout, re.M))
    assert counted and all(values["counters"][name] == int(value)
                           for name, value in counted.items()), (counted, values)


def test_bad_devices():
    """a device that cannot be opened gives status 1, and what to do about it"""
    for name, advice in (("sim:bogus", "there are seed, random, "),
                         ("bogus:", "sim:, drm:, pci:, serial: or miniport:"),
                         ("drm:/nonexistent", "first node of the driver"),
                         ("drm:/dev/null", "modprobe ringfence"), ("pci:", "pci:0000:00:04.0"),
                         ("pci:0000:00:04", "pci:0000:00:04.0"),
                         ("pci:0000:00:04.0 ", "pci:0000:00:04.0")):
        refused(1, f"cannot open {name}: ", "info", "--device", name)
        refused(1, advice, "info", "--device", name)
    refused(1, "'seven' is not a number", "info", "--device", "sim:seed=seven")


def test_dump():
    """a dump of a hanging device shows who waits and who hangs, as text and as JSON"""
    run = ringfence("dump", "--json", "--device", "sim:seed=3")
    assert run.returncode == 0 and not run.stderr, run.stderr
    dump = json.loads(run.stdout)
    engine = dump["device"]["node"]["index"][1]["engine"]
    assert engine["hold"] == 1 and engine["operations"] == 1, engine
    slots = dump["device"]["slot"]["index"]
    waiting = [slot for slot in slots if slot["status"]["state"] == "waiting"]
    assert len(waiting) == 1 and waiting[0]["wait_value"] == 1000, waiting
    assert [queue["node"] for queue in dump["kernel"]["queues"]] == [0, 1]
    assert [fence["value"] for fence in dump["kernel"]["fences"]].count(7) == 1
    text = ringfence("dump", "--device", "sim:seed=3").stdout
    assert re.search(r"^ +wait_value 1000$", text, re.M), text
    assert not re.search(r" 0$", "\n".join(line for line in text.splitlines()
                                           if not line.strip().isdigit())), "what is 0"
    refused(1, "modprobe ringfence", "dump", "--device", "drm:/dev/null")
    refused(1, "pci:0000:00:04.0", "dump", "--device", "pci:x")


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
