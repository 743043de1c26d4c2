#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ringfence link, with the simulated console of a board in a PCIe slot at the end of a
pseudo-terminal.

usage: link_test.py RINGFENCE BOARD
"""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import termios
import threading
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM, BOARD = map(os.path.abspath, sys.argv[1:3])
TO_L0 = ["Detect.Quiet", "Detect.Active", "Polling.Active", "Polling.Configuration",
         "Configuration.Linkwidth.Start", "Configuration.Linkwidth.Accept",
         "Configuration.Lanenum.Wait", "Configuration.Lanenum.Accept", "Configuration.Complete",
         "Configuration.Idle"]
# What else is in it chooses a planted fault (tests/mutants).
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "RINGFENCE_DEVICE"}


@contextlib.contextmanager
def board(*options):
    """The line of a board that runs"""
    with tempfile.TemporaryDirectory() as folder:
        line = os.path.join(folder, "line")
        with subprocess.Popen([BOARD, *options, line]) as process:
            try:
                while not os.path.exists(line):
                    assert process.poll() is None
                    time.sleep(0.01)
                yield line
            finally:
                process.terminate()


def link(line, *options, status=0, **environment):
    arguments = ["--device", f"serial:{line}"] if line else []
    said = subprocess.run([PROGRAM, "link", *arguments, *options], text=True, capture_output=True,
                          timeout=tap.time_limit(120), check=False,
                          env={**ENVIRONMENT, **environment})
    assert said.returncode == status, said
    assert bool(said.stderr) == bool(status) and (not status or not said.stdout), said
    return said.stderr if status else said.stdout


def report(line, *options):
    return json.loads(link(line, "--json", *options))


def until(line, state):
    """The report when the link has come to a state"""
    limit = time.monotonic() + tap.time_limit(60)
    while time.monotonic() < limit:
        now = report(line)
        if now["now"]["state"] == state:
            return now
    raise AssertionError(f"{state} is not reached: {now}")


def test_link_that_trained():
    """a link in L0: its states in order, its clocks, its SERDES"""
    with board() as line:
        now = trained(line)
        assert [entry["state"] for entry in now["states"]] == TO_L0, now
        # 4000 cycles of 62.5 MHz each
        assert all(60 < entry["microseconds"] < 68 for entry in now["states"][1:]), now
        assert abs(now["link_mhz"] - 125) < 1 and abs(now["received_mhz"] - 125) < 1, now
        assert now["link_active"] and now["pll_locked"] and now["signal"] and now["symbols"], now
        assert now["serdes"] == "running" and now["counters"]["entries_into_l0"] == 1, now
        assert now["words"] == "yumewatari" and now["serdes_gearing"], now
        assert not now["serdes_compensation"] and now["perst_released"], now
        text = link(line)
        assert "LTSSM               L0 for " in text and "data link layer     active" in text, text
        assert all(f"\n  {state} " in text for state in TO_L0), text


def trained(line):
    """The report of a link in L0 with an active data link layer"""
    limit = time.monotonic() + tap.time_limit(60)
    while not (now := until(line, "L0"))["link_active"]:
        assert time.monotonic() < limit, now
    return now


def test_training():
    """rf_link_endpoint and a root port train: Detect to L0, in the specification's order"""
    with board("--link") as line:
        now = trained(line)
        assert [entry["state"] for entry in now["states"]] == TO_L0, now
        assert now["counters"]["entries_into_l0"] == 1 and now["receiver_present"], now
        assert now["signal"] and now["symbols"], now
        assert not any(value for name, value in now["counters"].items()
                       if name != "entries_into_l0"), now
        link(line, "--clear", "--restart")
        limit = time.monotonic() + tap.time_limit(60)
        while len(trained(line)["states"]) < len(TO_L0):
            assert time.monotonic() < limit, now
        again = [entry["state"] for entry in trained(line)["states"]]
        assert again[-len(TO_L0):] == TO_L0, again


def test_no_reference_clock():
    """without a clock from the slot it answers, and says so"""
    with board("--no-clock") as line:
        now = report(line)
        assert now["link_mhz"] == 0 and not now["pll_locked"] and not now["link_active"], now
        assert now["serdes"] == "waits for the transmit PLL" and not now["states"], now
        assert "transmit PLL        not locked" in link(line)


def test_many_states():
    """the last 512 states are kept, the oldest first; --entries gives fewer"""
    numbers = [number for i in range(300) for number in (i % 2, 2)]
    with board("--states", ",".join(map(str, [*numbers, 3]))) as line:
        now = until(line, "Polling.Configuration")
        names = [["Detect.Quiet", "Detect.Active", "Polling.Active"][number] for number in numbers]
        assert [entry["state"] for entry in now["states"]] == names[-512:], len(now["states"])
        few = report(line, "--entries", "3")["states"]
        assert [entry["state"] for entry in few] == names[-3:], few
        assert not report(line, "--entries", "0")["states"]


def test_counters():
    """errors are counted, and --clear empties the record"""
    with board("--errors", "7") as line:
        until(line, "L0")
        limit = time.monotonic() + tap.time_limit(60)
        while report(line)["counters"]["bad_tlps"] < 7 and time.monotonic() < limit:
            pass
        now = report(line)
        assert now["counters"]["bad_tlps"] == 7 and not now["counters"]["bad_dllps"], now
        now = report(line, "--clear")
        assert not now["states"] and not any(now["counters"].values()), now


def test_switches():
    """each switch by itself, kept until it is set again; --restart trains again"""
    with board("--states", "0,1") as line:
        assert report(line)["switches"] == {"present": False, "idle": "both", "hold": False,
                                            "freeze": False}
        assert not report(line)["receiver_present"]
        now = report(line, "--present", "on")
        assert now["switches"]["present"] and now["receiver_present"], now
        for idle in ("bit", "pin", "both"):
            now = report(line, "--idle", idle)
            assert now["switches"]["idle"] == idle and now["switches"]["present"], now
        now = report(line, "--hold", "on", "--freeze", "on", "--present", "off")
        assert now["switches"] == {"present": False, "idle": "both", "hold": True,
                                   "freeze": True}, now
        assert "held in reset" in link(line)
        report(line, "--hold", "off", "--freeze", "off")
        until(line, "Detect.Active")
        states = len(report(line)["states"])
        link(line, "--restart")
        limit = time.monotonic() + tap.time_limit(60)
        while len(report(line)["states"]) < states + 2:  # Detect.Active, Detect.Quiet
            assert time.monotonic() < limit


def test_registers_of_the_serdes():
    """written and read back, of the channel and of both"""
    with board() as line:
        for place in ("channel:0x1c", "common:63"):
            assert report(line, "--sci", place)["register"] == 0
            report(line, "--sci", f"{place}=0xa5")
            assert report(line, "--sci", place)["register"] == 0xa5
            assert "register            0xa5" in link(line, "--sci", place)
            report(line, "--sci", f"{place}=0")


def words(line):
    """The registers of the SERDES with the eight words of gears and clock compensation"""
    return [report(line, "--sci", f"channel:{address}")["register"] for address in (2, 4, 0x1f)]


def test_gears():
    """gearing and clock compensation: settings and words, with the SERDES in reset, and no other bits"""
    # by docs/board.md, with both full-rate clocks on: gears, bypass, and clocks
    wanted = {("on", "off"): [0x0c, 0x10, 0x0b], ("on", "on"): [0x0c, 0, 0x0a],
              ("off", "off"): [0, 0x10, 0x01], ("off", "on"): [0, 0, 0]}
    with board("--switches") as line:
        now = report(line)
        assert now["switches"] == {"present": False, "idle": "both", "hold": False,
                                   "freeze": False, "gear": True, "ctc": False,
                                   "words_as_switched": True}, now
        assert words(line) == wanted["on", "off"]
        # the other bits of these registers are not the switches'
        others = [0xf3, 0xef, 0xe0]
        report(line, "--hold", "on")
        for address, other, built in zip((2, 4, 0x1f), others, wanted["on", "off"]):
            report(line, "--sci", f"channel:{address}={other | built}")
        report(line, "--hold", "off", "--idle", "pin")
        for gear, ctc in (("off", "on"), ("on", "on"), ("off", "off"), ("on", "off")):
            now = report(line, "--gear", gear, "--ctc", ctc)["switches"]
            assert now == {"present": False, "idle": "pin", "hold": False, "freeze": False,
                           "gear": gear == "on", "ctc": ctc == "on",
                           "words_as_switched": True}, now
            assert words(line) == [a | b for a, b in zip(others, wanted[gear, ctc])], gear + ctc
        assert words(line)[0] == 0xff
        now = report(line, "--gear", "off")["switches"]  # one of them alone
        assert not now["gear"] and not now["ctc"] and now["words_as_switched"], now
        now = report(line, "--ctc", "on", "--hold", "on")["switches"]
        assert not now["gear"] and now["ctc"] and now["hold"] and now["words_as_switched"], now
        text = link(line)
        assert "switched to         gearing in the fabric, clock compensation in the SERDES" in text
        assert "switch again" not in text, text
        report(line, "--sci", "channel:4=0xff")  # somebody else
        assert not report(line)["switches"]["words_as_switched"]
        assert "register 0x04 has 0x10, not 0x00, in 0x10: switch again" in link(line)


def test_gears_that_do_not_stay():
    """a SERDES that has lost the words is told of, with what it has"""
    with board("--forgets") as line:
        said = link(line, "--gear", "off", status=1)
        assert "did not stay: register 0x02 of the SERDES has 0x0c in the bits 0x0c, not 0x00" in said
        assert not report(line)["switches"]["words_as_switched"]
        assert report(line, "--gear", "on")["switches"]["words_as_switched"]


def test_gears_as_built():
    """a bitstream without these switches is left alone, and says how one is built that has them"""
    with board() as line:
        for option in ("--gear", "--ctc"):
            said = link(line, option, "on", status=1)
            assert 'PARAMETERS="Switches=1"' in said and "as built" in said, said
        assert "gear" not in report(line)["switches"] and "switched" not in link(line)
        assert not report(line)["switches"]["hold"]


def test_no_board():
    """what is no board with a console, and why"""
    with tempfile.TemporaryDirectory() as folder:
        assert "No such file" in link(os.path.join(folder, "none"), status=1)
        file = pathlib.Path(folder) / "file"
        file.touch()
        assert "no serial line" in link(file, status=1)
    near, far = pty.openpty()
    line = os.ttyname(far)
    assert "no answer: is it this port" in link(line, status=1)
    fcntl.flock(far, fcntl.LOCK_EX)
    assert "another process has it" in link(line, status=1)
    fcntl.flock(far, fcntl.LOCK_UN)

    def chatter():
        with contextlib.suppress(OSError):
            while True:
                os.write(near, b"\x7e\x08\x01\x00\x00\x12\x34\x56\x78\x7e")
                time.sleep(0.05)

    threading.Thread(target=chatter, daemon=True).start()
    assert "no link console" in link(line, status=1)
    os.close(far)


def frame(content):
    """On the line"""
    crc = zlib.crc32(content).to_bytes(4, "little")
    escaped = b"".join(bytes([0x7d, byte ^ 0x20]) if byte in (0x7d, 0x7e) else bytes([byte])
                       for byte in content + crc)
    return b"\x7e" + escaped + b"\x7e"


def answer_of(request):
    """What a console says whose registers are their addresses, with bytes that have to be escaped"""
    plain = re.sub(rb"\x7d(.)", lambda match: bytes([match[1][0] ^ 0x20]), request, flags=re.S)
    address = int.from_bytes(plain[1:3], "little")
    known = {0: 0x4b4c4652, 1: 6250 << 16 | 1, 2: 0x7e7d7e7d, 0x600: 0x7e7d}
    words = b"".join(known.get(address + i, 0).to_bytes(4, "little") for i in range(plain[3]))
    return bytes([plain[0] | 0x80]) + plain[1:3] + words


def test_bad_line():
    """an answer that was broken or is another one's does not count; it is asked again"""
    near, far = pty.openpty()
    line = os.ttyname(far)
    asked = []

    def console():
        heard = b""
        with contextlib.suppress(OSError):
            while True:
                heard += os.read(near, 4096)
                while (found := re.search(rb"\x7e([^\x7e]+)\x7e", heard)):
                    heard = heard[found.end():]
                    asked.append(found[1])
                    good = answer_of(found[1])
                    broken = bytearray(frame(good))
                    broken[6] ^= 1
                    other = bytes([good[0], good[1] ^ 1]) + good[2:]
                    os.write(near, b"noise\x7d" + broken + frame(other) + frame(good[:-1]))
                    if len(asked) % 2 == 0:  # each is asked twice
                        os.write(near, frame(good))

    thread = threading.Thread(target=console, daemon=True)
    settings = termios.tcgetattr(far)
    settings[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(far, termios.TCSANOW, settings)
    thread.start()
    now = report(line)
    assert now["counters"]["receiver_errors"] == 0x7e7d, now
    assert now["wires_swapped"] == bool(0x7e7d7e7d >> 12 & 1), now
    assert len(asked) == 6 and asked[::2] == asked[1::2], asked
    os.close(far)


def test_arguments():
    """wrong values of options are named, with what they can be"""
    for options, words in (((), "--device is missing"),
                           (("--present", "perhaps"), "on or off"), (("--idle", "x"), "bit, pin"),
                           (("--gear", "2"), "--gear '2': on or off"), (("--ctc", "x"), "--ctc"),
                           (("--sci", "channel:64"), "0 to 63"), (("--sci", "7"), "channel:"),
                           (("--sci", "common:1=256"), "0 to 255"),
                           (("--entries", "513"), "513")):
        said = link(None, *options, status=2)
        assert words in said, (options, said)
    assert "serial:TTY" in link(None, "--device", "sim:", status=1)
    with board() as line:
        assert json.loads(link(None, "--json", RINGFENCE_DEVICE=f"serial:{line}"))


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
