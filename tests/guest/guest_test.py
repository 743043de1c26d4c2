#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/guest itself: what it passes on, and what it does about a guest that fails."""

import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (beside the tests of the other tools)


def run(*arguments):
    return subprocess.run([ROOT / "tools/guest", *arguments], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, check=False)


def test_command():
    """output, arguments and status of the command are passed on; a user is no root"""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("a line\n")
        file.flush()
        result = run("--add", f"{file.name}=/data/text", "sh", "-c",
                     "cat /data/text; su user -c id; printf '%s\\n' \"$0\"; exit 200", "a  'b")
    assert result.returncode == 200, result
    lines = result.stdout.splitlines()
    assert lines[0] == "a line" and lines[2] == "a  'b", result.stdout
    assert lines[1] == "uid=1000(user) gid=1000(user) groups=104(render),1000(user)", lines[1]


def test_clock():
    """the guest has a clock that a busy host does not spoil"""
    result = run("cat", "/sys/devices/system/clocksource/clocksource0/current_clocksource")
    assert result.returncode == 0 and result.stdout.startswith("hpet\n"), result


def test_silence():
    """a guest that prints nothing for too long is ended"""
    result = run("--timeout", "8", "sleep", "1000")
    assert result.returncode == 124 and "nothing new for" in result.stderr, result


def test_progress():
    """a guest that goes on printing is not ended, whatever it takes"""
    begin = time.monotonic()
    assert run("true").returncode == 0
    # some times what this host takes until something is printed
    limit = max(20, int(4 * (time.monotonic() - begin)))
    result = run("--timeout", str(limit), "sh", "-c",
                 f"for i in $(seq 5); do sleep {limit // 3}; echo $i; done")
    assert result.returncode == 0 and result.stdout.split()[:5] == list("12345"), result


def test_share():
    """both sides see what the other writes to a shared folder; other folders are refused"""
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        (place / "ours").write_text("from the host\n", encoding="utf-8")
        result = run("--share", name, "sh", "-c", "cat /share/ours; echo from the guest >/share/theirs")
        assert result.returncode == 0 and result.stdout.startswith("from the host\n"), result
        assert (place / "theirs").read_text(encoding="utf-8") == "from the guest\n"
    for folder, reason in (("/tmp/no/such", "there is no such folder"),
                           ("/usr", "the emulator sees folders of the project and of /tmp")):
        result = run("--share", folder, "true")
        assert result.returncode == 125 and reason in result.stderr, result


def test_gdb():
    """a debugger can stop the guest's processor and let it go on"""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([ROOT / "tools/guest", "--gdb", str(port), "sh", "-c",
                                "grep -c nokaslr /proc/cmdline; sleep 8"], stdout=subprocess.PIPE,
                               text=True, stdin=subprocess.DEVNULL)
    assert process.stdout.readline() == "1\n"
    with socket.create_connection(("127.0.0.1", port), tap.time_limit(20)) as debugger:
        debugger.sendall(b"$?#3f")  # why did it stop?
        said = b""
        while b"#" not in said:
            said += debugger.recv(100)
        assert said.startswith(b"+$T"), said  # a signal, which stops it
        debugger.sendall(b"+$D#44")  # detach
    assert process.wait(tap.time_limit(60)) == 0


def test_panic():
    """a kernel that panics is no success, and what it says is seen"""
    result = run("--timeout", "60", "sh", "-c", "echo c >/proc/sysrq-trigger")
    assert result.returncode == 125 and "ended without a status" in result.stderr, result
    assert "Kernel panic" in result.stdout, result.stdout


def test_device_string():
    """the device is as its string says; what it did for the guest is replayed to the cycle"""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record"
        result = run("--device", f"sim:seed=7,random,record={record}", "lspci", "-vv")
        assert result.returncode == 0 and "1e5f:0001" in result.stdout, result
        replay = subprocess.run([ROOT / "build/ringfence", "replay", record], text=True,
                                capture_output=True, check=False)
        assert replay.returncode == 0, replay
        assert replay.stdout.startswith("sim:seed=7,random: ") and "The same" in replay.stdout
        result = run("--device", f"sim:devices=2,seed=7,random,record={record}", "lspci", "-vv")
        assert result.returncode == 0 and result.stdout.count("accelerators: Device 1e5f:0001") == 2, result
        both = {line.split()[1] for line in record.read_text().splitlines() if line[0] in "<>"}
        assert both == {"0", "1"}, both
        replay = subprocess.run([ROOT / "build/ringfence", "replay", record], text=True,
                                capture_output=True, check=False)
        assert replay.returncode == 0 and "The same" in replay.stdout, replay
    result = run("--device", "sim:reed-latency=3", "true")
    assert result.returncode == 125 and "is read-latency meant?" in result.stderr, result


def test_devices():
    """devices= of a device string is the number of functions; a comma in a file name is none"""
    for device, count in (("sim:devices=0x2,seed=3", 2),
                          ("sim:timeline=/tmp/ringfence\\,devices=2.json", 1)):
        result = run("--device", device, "lspci", "-n", "-d", "1e5f:")
        assert result.returncode == 0 and result.stdout.count("1e5f:0001") == count, result
    pathlib.Path("/tmp/ringfence,devices=2.json").unlink()
    for device, reason in (("sim:devices=9", "9 is not"), ("sim:devices=2,device=1", "leave the word")):
        result = run("--device", device, "true")
        assert result.returncode == 125 and reason in result.stderr, result


def test_missing_file():
    """a file that is not there is said at once"""
    result = run("--add", "no/such/file", "true")
    assert result.returncode == 125 and "no/such/file is not there" in result.stderr, result


sys.exit(tap.run(__name__))
