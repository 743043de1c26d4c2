#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ringfence replay: records of runs, of programs and of virtual machines, to the cycle.

Arguments: the program, rf-vfio-user, build/examples/first_fence.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/tools"), str(ROOT / "tests/fuzz")]

import tap  # noqa: E402  (it lies where the line above says)
import vfio_user  # noqa: E402

PROGRAM, SERVER, EXAMPLE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
SOURCE = ROOT / "LICENSE"


def command(*arguments, **options):
    return subprocess.run(arguments, text=True, capture_output=True, check=False,
                          timeout=tap.time_limit(300), **options)


def replay(record, *options):
    return command(PROGRAM, "replay", record, *options)


def same(record, least=100):
    """What the replay of a record tells; it is the same run, of so many TLPs each way."""
    result = replay(record, "--json")
    assert result.returncode == 0 and not result.stderr, result
    told = json.loads(result.stdout)
    lines = record.read_text().splitlines()
    assert told["same"] and not told["difference"], told
    assert told["received"] == sum(line[0] == ">" for line in lines) > least, told
    assert told["sent"] == sum(line[0] == "<" for line in lines) > least, told
    assert lines[-1] == f"end {told['cycles']}", (lines[-1], told)
    return told


class Record:
    """A record of a run of the main job."""

    def __init__(self, words="", status=0, source=SOURCE):
        self.words, self.status, self.source = words, status, source

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        record = pathlib.Path(self.temporary.name) / "record"
        device = f"sim:{self.words}{',' if self.words else ''}record={record}"
        run = command(PROGRAM, "run", "--input", self.source, "--device", device)
        assert run.returncode == self.status, run
        return record

    def __exit__(self, *error):
        self.temporary.cleanup()


def test_same_cycles():
    """a record gives the same TLPs in the same cycles, whatever the device string"""
    for words, status in (("", 0), ("seed=7,random", 0), ("transmit-rate=4,receive-rate=2", 0),
                          ("receive-gap=40,backpressure=30,seed=5", 0),
                          ("hold=ring@2:+500,hold=completion@20:+300", 0),
                          ("fault=lose-msi@1", 0), ("fault=abort@read:20..", 1),
                          # of a device that is in the midst of its work
                          ("fault=link-down@cycle:12000", 1), ("fault=link-down@read:100", 1),
                          ("fault=link-down@cycle:12000..12300", 1),
                          ("link=gen1x1,link-errors=2000,seed=7,random", 0),
                          ("link=gen1x1,fault=link-down@cycle:40000..40300", 1)):
        with Record(words, status, ROOT / "docs/registers.md") as record:
            told = same(record)
            assert told["device"] == f"sim:{words}", told


def test_readable():
    """a record names the device string, the program, and what the host did in which cycle"""
    with Record("seed=3") as record:
        lines = record.read_text().splitlines()
    assert lines[0] == "ringfence-record 2" and lines[1] == "device sim:seed=3"
    assert lines[2].startswith("program ") and f"run --input {SOURCE}" in lines[2]
    assert {line.split()[1] for line in lines if line[0] in "<>"} == {"0"}
    kinds = {line.split()[4] for line in lines if line[0] in "<>"}
    assert kinds == {"config-read", "config-write", "read", "write", "ring", "completion",
                     "msi"}, kinds
    cycles = [int(line.split()[3]) for line in lines if line[0] in "<>"]
    assert cycles == sorted(cycles)


def test_difference():
    """another TLP, or one in another cycle, is a difference that is named"""
    with Record() as record:
        lines = record.read_text().splitlines(keepends=True)
        sent = [i for i, line in enumerate(lines) if line[0] == "<"]
        received = [i for i, line in enumerate(lines) if line[0] == ">"]
        other = received[len(received) // 2]
        one = sent[len(sent) // 2]
        changes = {
            "payload": (one, re.sub(r".(?=\n)", lambda m: "0" if m[0] != "0" else "1", lines[one])),
            "cycle": (one, re.sub(r"< 0 (\d+) ", lambda m: f"< 0 {int(m[1]) - 1} ", lines[one])),
            "missing": (one, ""),
            "later": (other, re.sub(r"> 0 (\d+) (\d+)",
                                    lambda m: f"> 0 {int(m[1]) + 1} {int(m[2]) + 1}", lines[other])),
            "not received": (other, ""),
        }
        for what, (place, line) in changes.items():
            record.write_text("".join([*lines[:place], line, *lines[place + 1:]]))
            result = replay(record)
            assert result.returncode == 1 and not result.stderr, (what, result)
            assert "The first difference: recorded '" in result.stdout, (what, result)


def test_messages():
    """error messages have names in a record and in a timeline"""
    with Record("fault=poisoned@read:20", 1) as record:
        lines = record.read_text().splitlines(keepends=True)
        # The host enables non-fatal errors in Device Control, which it has not done.
        control = [i for i, line in enumerate(lines)
                   if line[0] == ">" and line.split()[4] == "config-write" and line.split()[7][4:] == "0058"]
        *words, value = lines[control[-1]].split()
        lines[control[-1]] = " ".join([*words, f"{int(value, 16) | 2:08x}"]) + "\n"
        record.write_text("".join(lines))
        timeline = record.with_name("t.json")
        result = replay(record, "--with", f"timeline={timeline}")
        assert result.returncode == 1 and "err-nonfatal 30000000" in result.stdout, result
        names = {event["name"] for event in json.loads(timeline.read_text())["traceEvents"]}
        assert "ERR_NONFATAL" in names, names


def test_files():
    """a replay writes files that the recorded run did not"""
    with Record("random") as record:
        timeline, wave, again = (record.with_name(name) for name in ("t.json", "w.fst", "again"))
        result = replay(record, "--with", f"timeline={timeline},wave={wave},record={again}")
        assert result.returncode == 0, result
        events = json.loads(timeline.read_text())["traceEvents"]
        assert {"work", "signal", "doorbell", "MSI-X"} <= {event["name"].split()[0] for event in events}
        assert wave.stat().st_size > 10000
        # but for the program, and for the BAR, which is known from the begin
        assert [line for line in again.read_text().splitlines() if line[0] in "<>e"] == \
            [line for line in record.read_text().splitlines() if line[0] in "<>e"]


def test_program():
    """a program with the library is recorded, too"""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record"
        run = command(EXAMPLE, env=dict(os.environ, RINGFENCE_DEVICE=f"sim:record={record}"))
        assert run.returncode == 0, run
        same(record)


def test_virtual_machine():
    """the device of a virtual machine is recorded: its client is not needed for the replay"""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record"
        run = command(ROOT / "tests/fuzz/vfio_user.py", SERVER, "--seed", "3", "--rounds", "2",
                      "--device", f"sim:seed=5,random,record={record}")
        assert run.returncode == 0, run
        records = list(pathlib.Path(folder).iterdir())
        assert len(records) > 4, records
        for path in records:
            same(path, 10)


def test_killed_program():
    """of a program that was killed there is a record up to there"""
    with tempfile.TemporaryDirectory() as folder:
        record, data = pathlib.Path(folder) / "record", pathlib.Path(folder) / "data"
        data.write_bytes(bytes(2000000))
        process = subprocess.Popen([PROGRAM, "run", "--input", data, "--device",
                                    f"sim:seed=3,random,record={record}"],
                                   stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + tap.time_limit(120)
        while not record.exists() or record.stat().st_size < 1000000:
            assert process.poll() is None and time.monotonic() < deadline, process
            time.sleep(0.05)
        process.kill()
        process.wait()
        result = replay(record, "--json")
        assert result.returncode == 0 and not result.stderr, result
        told = json.loads(result.stdout)
        assert told["cut"] and told["same"] and told["received"] > 1000, told
        text = replay(record).stdout
        assert "The record has no end" in text and "The same" in text, text


def test_damaged_records():
    """a record with any damage is refused, or replayed with a difference; nothing else happens"""
    with Record("seed=3") as record:
        lines = record.read_text().splitlines(keepends=True)
        for seed in range(40):
            chance = random.Random(seed)
            damaged = list(lines)
            for _ in range(chance.randrange(1, 4)):
                place = chance.randrange(len(damaged) - 1)  # the end bounds the replay
                line = damaged[place]
                at = chance.randrange(len(line))
                damaged[place] = chance.choice(
                    ("", line[:at] + "\n", line[:at] + chance.choice("0f >x-9") + line[at + 1:],
                     line + line, line.replace(" ", "  "), chance.choice(lines[3:-1])))
            record.write_text("".join(damaged))
            result = replay(record)
            assert result.returncode in (0, 1), (seed, result)
            assert not result.returncode or result.stderr or "difference" in result.stdout, seed


def test_bad_records():
    """what is no record is refused, with the line that is wrong"""
    with Record() as record:
        lines = record.read_text().splitlines(keepends=True)
        good = next(i for i, line in enumerate(lines) if line[0] == ">")
        for place, line, said in ((0, "hello\n", ":1: it is no record; record=FILE"),
                                  (1, "device drm:\n", ":2: the device string is missing"),
                                  (0, "ringfence-record 3\n", "has versions 1 and 2"),
                                  (good, "> 0 5 x\n", f":{good + 1}: the line is no TLP's"),
                                  (good, lines[good].replace("> 0", "> 8", 1), f":{good + 1}: "),
                                  (good, "link 0 5 sideways\n", f":{good + 1}: "),
                                  (good, "link 8 5 up\n", f":{good + 1}: "),
                                  (good, "bar 8 0x0 0x1\n", f":{good + 1}: "),
                                  (good, lines[good][:-1] + " q\n", f":{good + 1}: "),
                                  (good, lines[good][:-1] + " 0" * 1025 + "\n", f":{good + 1}: "),
                                  (good, "what\n", f":{good + 1}: ")):
            record.write_text("".join([*lines[:place], line, *lines[place + 1:]]))
            result = replay(record)
            assert result.returncode == 1 and not result.stdout, (line, result)
            assert result.stderr.startswith("ringfence: ") and said in result.stderr, (said, result)
    for path, said in ((ROOT / "README.md", "it is no record"), ("/nonexistent", "cannot read")):
        result = replay(path)
        assert result.returncode == 1 and said in result.stderr, result
    with Record() as record:
        result = replay(record, "--with", "wav=x")
        assert result.returncode == 1 and "is wave meant?" in result.stderr, result


def test_several_devices():
    """the record of a world has all its devices, and a difference of any of them is found"""
    for words, status in (("devices=2", 0), ("devices=2,seed=7,random", 0),
                          ("devices=2,seed=3,random,peer-off=1", 0),
                          ("devices=2,fault=link-down@cycle:12000", 1)):
        with Record(words, status) as record:
            told = same(record)
            assert told["devices"] == 2 and told["device"] == f"sim:{words}", told
            assert "TLPs to the 2 devices" in replay(record).stdout
            lines = record.read_text().splitlines(keepends=True)
            for number in "01":
                place = [i for i, line in enumerate(lines) if line.startswith(f"< {number}")][30]
                other = lines[place].replace(" completion ", " write ", 1)
                record.write_text("".join([*lines[:place], other, *lines[place + 1:]]))
                result = replay(record)
                assert result.returncode == 1, (number, result)
                assert f"recorded '< {number} " in result.stdout, (number, result)
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record"
        for words, count in (("device=1", 2), ("devices=3,device=2", 3)):
            run = command(PROGRAM, "bench", "--filter", "interrupts*", "--device",
                          f"sim:{words},record={record}")
            assert run.returncode == 0, run
            assert same(record)["devices"] == count


def test_old_record():
    """a record of the first version, whose lines name no device, is replayed as before"""
    for words, status in (("seed=7,random", 0), ("fault=link-down@cycle:12000..12300", 1)):
        with Record(words, status, ROOT / "docs/registers.md") as record:
            text = record.read_text()
            old = re.sub(r"^(<|>|bar|link) 0 ", r"\1 ", text, flags=re.M)
            record.write_text(old.replace("ringfence-record 2", "ringfence-record 1", 1))
            told = same(record)
            assert told["devices"] == 1, told


def use(client, chance):
    """Registers, local memory and configuration space, in any order; writes are not waited for."""
    client.write(vfio_user.CONFIG, 4, b"\6\0")
    for _ in range(chance.randrange(5, 20)):
        if chance.randrange(2):
            client.read(0, vfio_user.SCRATCH, 8)
        else:
            client.write(2, 8 * chance.randrange(1000), chance.randbytes(chance.randrange(1, 5000)))


def test_machine_of_two_devices():
    """a client comes and goes while that of the other device works: the same cycles for both"""
    for seed in range(4):
        chance = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "record"
            places = [f"{folder}/first", f"{folder}/second"]
            server = subprocess.Popen([SERVER, "--once", "--device",
                                       f"sim:devices=2,seed={seed},random,record={record}", *places],
                                      stdout=subprocess.PIPE, text=True)
            assert all(server.stdout.readline().startswith("rf-vfio-user: waiting") for _ in places)
            clients = [vfio_user.Client(place) for place in places]
            for client in clients:
                client.greet()
                use(client, chance)
            for _ in range(6):
                number = chance.randrange(2)
                # in the middle of what it has sent
                clients[number].write(2, 0, bytes(65536))
                clients[number].close()
                use(clients[1 - number], chance)
                clients[number] = vfio_user.Client(places[number])
                clients[number].greet()
                use(clients[number], chance)
            for client in clients:
                client.close()
            assert server.wait(tap.time_limit(60)) == 0, (seed, server)
            server.stdout.close()
            lines = record.read_text().splitlines()
            assert sum(line.endswith(" new") for line in lines) >= 6, seed
            assert same(record)["devices"] == 2, seed


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
