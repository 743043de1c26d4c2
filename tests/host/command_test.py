#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every subcommand: its help, what it refuses, JSON; and that the manual page tells of it.

Arguments: the program.
"""

import fcntl
import functools
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
# Options that a subcommand does not work without
TEMPORARY = tempfile.TemporaryDirectory()
RECORD = str(pathlib.Path(TEMPORARY.name) / "record")
NEEDED = {"run": ["--input", str(ROOT / "LICENSE")], "trace": ["--input", str(ROOT / "LICENSE")],
          "replay": [RECORD], "sweep": ["--move", "ring@1", "--against", "ring@1", "--to", "1"]}
# Its device is a line and no other one: link_test.py has it.
LINE = {"link"}
# What comes last
COMMANDS = {"sweep": ["--", "true"], "shrink": ["--", "false"]}
# A device and a number are asked for by these names everywhere.
NUMBERS = {"--seed", "--jobs", "--seconds", "--rounds", "--submit-instructions",
           "--simulation-instructions", "--from", "--to", "--step"}
# No unsigned number of 64 bits in C notation, or not all of the text
NO_NUMBERS = ("seven", "", "7x", "-1", "+1", " 1", "1 ", "1e3", "0x", "08", "1.5", "5k",
              str(2**64), "99999999999999999999999", "0x10000000000000000", "-0",
              str(-2**64 + 1))
# Quick ways to the end
SHORT = {"conform": ["--filter", "S0-9.no_waiter_no_interrupt"],
         "bench": ["--filter", "ring_to_read*"], "soak": ["--rounds", "20"]}


def ringfence(*arguments, folder=None):
    arguments = (*arguments, *COMMANDS.get(arguments[0] if arguments else None, ()))
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False,
                          timeout=tap.time_limit(120), cwd=folder)


def subcommands():
    return re.findall(r"^  (\w+) ", ringfence("--help").stdout, re.M)


@functools.cache
def options(command):
    """Options by name; those that take an argument are true."""
    text = ringfence(command, "--help").stdout
    return {name: bool(argument)
            for name, argument in re.findall(r"(--[\w-]+)( [A-Z][A-Z.]*)?", text.split("\n  --")[0])}


def refused(status, *arguments):
    """The lines of standard error; nothing goes to standard output."""
    result = ringfence(*arguments)
    assert result.returncode == status, (arguments, result)
    assert not result.stdout and result.stderr, (arguments, result)
    return result.stderr


def test_help():
    """--help and -h print the usage and succeed"""
    assert set(subcommands()) == {"info", "link", "run", "trace", "replay", "sweep", "shrink",
                                  "conform", "bench", "soak", "dump", "tlp"}
    for command in subcommands():
        for option in ("--help", "-h"):
            result = ringfence(command, option)
            assert result.returncode == 0 and not result.stderr, (command, result)
            assert result.stdout.startswith(f"Usage: ringfence {command} "), result.stdout
        assert max(len(line) for line in result.stdout.splitlines()) <= 100, command


def test_no_command():
    """without a command, or with a wrong one, it says which there are"""
    for arguments in ((), ("bogus",), ("--bogus",)):
        text = refused(2, *arguments)
        assert all(f"  {command} " in text for command in subcommands()), text


def test_unknown_options():
    """an option that there is not, and an argument too many, give status 2 and the usage"""
    for command in subcommands():
        for extra in ("--bogus", "bogus", "-x"):
            text = refused(2, command, *NEEDED.get(command, []), extra)
            assert extra.lstrip("-") in text.splitlines()[0], (command, text)
            assert f"Usage: ringfence {command} " in text, (command, text)


def test_missing_arguments():
    """an option without its argument gives status 2"""
    for command in subcommands():
        for option, argument in options(command).items():
            if argument:
                text = refused(2, command, option)
                assert option in text.splitlines()[0], (command, text)


def test_numbers():
    """what is no number is named, with its option"""
    for command in subcommands():
        for option in NUMBERS & set(options(command)):
            for number in NO_NUMBERS:
                text = refused(2, command, *NEEDED.get(command, []), option, number)
                assert option in text.splitlines()[0], (command, option, text)


def test_ranges():
    """a number that an option cannot take is named, and not made another"""
    for number in ("0", str(2**32), str(2**32 + 1), str(2**64 - 1)):
        text = refused(2, "conform", *SHORT["conform"], "--jobs", number)
        assert "--jobs" in text and f"'{number}'" in text, text


def test_largest_number():
    """the largest number of 64 bits is one, in each notation"""
    for number in (str(2**64 - 1), "0xffffffffffffffff", "01777777777777777777777"):
        result = ringfence("soak", "--rounds", "1", "--seed", number, "--json")
        assert result.returncode == 0, result
        assert json.loads(result.stdout)["seed"] == 2**64 - 1, result


def test_devices():
    """a device that there is not gives a line that says why"""
    for command in subcommands():
        if "--device" not in options(command):
            continue
        for device in ("bogus:", "drm:/nonexistent", "pci:0000:00:04"):
            result = ringfence(command, *NEEDED.get(command, []), *SHORT.get(command, []),
                               "--device", device)
            assert result.returncode in (1, 2), (command, device, result)
            assert device in result.stdout + result.stderr, (command, device, result)


def test_needed():
    """what has to be there is asked for"""
    for command, arguments in NEEDED.items():
        wanted = arguments[0] if arguments[0].startswith("--") else "FILE"
        assert f"{wanted} is missing" in refused(2, command), command


def test_json():
    """--json gives one JSON document and nothing else"""
    for command in set(subcommands()) - {"tlp"} - LINE:  # the first one is for GTKWave
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "build").mkdir()
            result = ringfence(command, *NEEDED.get(command, []), *SHORT.get(command, []),
                               "--json", folder=folder)
        assert result.returncode == 0 and not result.stderr, (command, result)
        assert json.loads(result.stdout), command


def test_every_device():
    """the commands that are for every device take one, and tell of each kind"""
    for command in ("info", "run", "trace", "conform", "bench", "dump"):
        text = ringfence(command, "--help").stdout
        assert "--device" in options(command), command
        assert all(kind in text for kind in ("sim:", "drm:", "pci:")), (command, text)


def test_device_strings():
    """every command with --device takes a device string, and answers a wrong word"""
    for command in subcommands():
        if "--device" not in options(command) or command in LINE:
            continue
        short = [] if command == "bench" else SHORT.get(command, [])
        arguments = [command, *NEEDED.get(command, []), *short, "--device"]
        for device in ("sim:seed=7,random", "sim:devices=2"):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "build").mkdir()
                right = ringfence(*arguments, device, folder=folder)
            assert right.returncode == 0 and not right.stderr, (command, right)
        wrong = ringfence(*arguments, "sim:reed-latency=3")
        assert wrong.returncode in (1, 2) and not wrong.stdout, (command, wrong)
        assert wrong.stderr == ("ringfence: cannot open sim:reed-latency=3: 'reed-latency=3': "
                                "there is no word 'reed-latency'; is read-latency meant?\n"), wrong


def test_device_of_a_world():
    """device= is the device that a command works with; the others of the world do nothing"""
    for words, number in (("devices=2", 0), ("devices=2,device=1", 1), ("device=1", 1),
                          ("devices=3,device=0", 0)):
        timeline = pathlib.Path(TEMPORARY.name) / "timeline"
        result = ringfence("bench", "--device", f"sim:{words},timeline={timeline}",
                           "--filter", "interrupts*")
        assert result.returncode == 0, result
        events = json.loads(timeline.read_text(encoding="utf-8"))["traceEvents"]
        worked = {event["pid"] for event in events if event["name"] == "doorbell"}
        assert worked == {number + 1}, (words, worked)
    for command in ("conform", "sweep", "shrink"):
        result = ringfence(command, *NEEDED.get(command, []), *SHORT.get(command, []), "--device",
                           "sim:devices=3,device=2", folder=TEMPORARY.name)
        assert result.returncode == 0, result
    said = refused(1, "info", "--device", "sim:devices=2,device=2")
    assert "2 is not a device of devices=2" in said, said


def test_info_of_a_world():
    """info tells of all devices, or of the one that device= names"""
    for words, count in (("devices=2", 2), ("devices=8", 8), ("devices=8,device=7", 1),
                         ("device=1", 1), ("seed=2", 1)):
        told = json.loads(ringfence("info", "--json", "--device", f"sim:{words}").stdout)
        devices = told.get("devices", [told])
        assert len(devices) == count and ("devices" in told) == (count > 1), told
        # the registers of each, which its driver has read
        assert all(device["native_fences"] and device["counters"]["rx_read_tlps"]
                   for device in devices), told
        text = ringfence("info", "--device", f"sim:{words}").stdout
        heads = re.findall(r"^device (\d+)$", text, re.M)
        assert heads == [str(number) for number in range(count) if count > 1], text


def test_documented_messages():
    """the messages in docs/device-string.md are what the program says"""
    page = (ROOT / "docs/device-string.md").read_text(encoding="utf-8")
    messages = re.findall(r"^    (cannot open (sim:\S+): '.*)$", page, re.M)
    assert len(messages) == 5, messages
    for message, device in messages:
        assert refused(1, "info", "--device", device) == f"ringfence: {message}\n", message
    # and each device string in its examples is one
    for device in set(re.findall(r"(?:--device |RINGFENCE_DEVICE=)(sim:\S+)", page)):
        result = ringfence("info", "--device", re.sub(r"record=\S+", "seed=1", device)
                           if "seed" not in device else re.sub(r",record=\S+", "", device))
        assert result.returncode == 0 or "fault" in device, (device, result)


def test_manual_page():
    """the manual page has each command with its options, the environment, and every status"""
    page = (ROOT / "host/ringfence.1").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^\.SS ringfence (\w+)[^\n]*\n(.*?)(?=^\.S[SH])", page, re.M | re.S))
    assert set(sections) == set(subcommands())
    for command, text in sections.items():
        told = set(re.findall(r"^\.BI? (--[\w-]+)", text, re.M))
        assert told == set(re.findall(r"--[\w-]+", ringfence(command, "--help").stdout)), command
    assert "RINGFENCE_DEVICE" in page
    strings = (ROOT / "docs/device-string.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| `([\w-]+)", strings.split("\n## Faults")[0], re.M)
    page_words = page[page.index(".SH DEVICE STRINGS"):page.index(".SH ENVIRONMENT")]
    assert len(words) == 30 and all(word in page_words for word in words), words
    status = page[page.index(".SH EXIT STATUS"):]
    assert all(f"{number}:" in status for number in (0, 1, 2)), status


def test_environment():
    """RINGFENCE_DEVICE is the device where none is named"""
    for name, status in (("sim:seed=3", 0), ("drm:/nonexistent", 1), ("sim:seed=-1", 1),
                         (f"sim:seed={2**64}", 1), ("sim:seed=", 1)):
        result = subprocess.run([PROGRAM, "info"], text=True, capture_output=True, check=False,
                                env={**os.environ, "RINGFENCE_DEVICE": name})
        assert result.returncode == status, result


def test_line_in_use():
    """a serial line that another process has is refused, and that is said"""
    board, line = pty.openpty()
    try:
        fcntl.flock(line, fcntl.LOCK_EX)
        said = ringfence("info", "--device", f"serial:{os.ttyname(line)}")
        assert said.returncode == 1 and "another process has it" in said.stderr, said
    finally:
        os.close(board)
        os.close(line)


if __name__ == "__main__":
    assert not ringfence("info", "--device", f"sim:record={RECORD}").returncode
    sys.exit(tap.run(__name__))
