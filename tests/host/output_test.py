#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the program reads and writes: links, FIFOs, devices, disks that are full, signals.

Arguments: the program, fst2vcd.
"""

import json
import os
import pathlib
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM, FST2VCD = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
DATA = bytes(range(256)) * 5 + b"end"
# No UTF-8: a lone byte, too many bytes for a character, a surrogate, above U+10FFFF, cut off
NO_TEXT = (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82")
TEST = "S0-9.no_waiter_no_interrupt"
# Files that commands write, {} for the name
OUTPUTS = {
    "run --output": ["run", "--input", "in", "--output", "{}"],
    "run, timeline=": ["run", "--input", "in", "--device", "sim:timeline={}"],
    "run, page=": ["run", "--input", "in", "--device", "sim:page={}"],
    "trace --output": ["trace", "--input", "in", "--output", "{}"],
    "trace --events": ["trace", "--input", "in", "--events", "{}"],
    "bench --output": ["bench", "--filter", "ring_to_read_cycles", "--output", "{}"],
}
WAVES = {
    "run, wave=": ["run", "--input", "in", "--device", "sim:wave={}"],
    "trace, wave=": ["trace", "--input", "in", "--device", "sim:wave={}"],
}


def ringfence(folder, arguments, name="", **options):
    arguments = [argument.replace("{}", str(name)) if isinstance(argument, str) else argument
                 for argument in arguments]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
               "timeout": tap.time_limit(300), **options}
    return subprocess.run([PROGRAM, *arguments], cwd=folder, check=False, **options)


def failed(result, what):
    """Status 1 and a line that names it, however the rest went."""
    assert result.returncode == 1, (what, result)
    lines = result.stderr.decode(errors="replace").splitlines()
    assert any(line.startswith("ringfence: cannot write ") for line in lines), (what, result)


class Folder:
    """A folder with an input in it."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.temporary.name)
        (folder / "in").write_bytes(DATA)
        return folder

    def __exit__(self, *error):
        self.temporary.cleanup()


def limited(size):
    """A disk that is full when a file has so many bytes."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


def read_wave(path):
    """How many times a wave has; it must open."""
    result = subprocess.run([FST2VCD, path], capture_output=True, check=False,
                            timeout=tap.time_limit(300))
    assert result.returncode == 0, (path, result.returncode, result.stderr)
    return result.stdout.count(b"\n#")


def test_links():
    """an output that is a link is written through, also one that leads to nothing yet"""
    with Folder() as folder:
        for what, arguments in {**OUTPUTS, **WAVES}.items():
            for there in (True, False):
                target, link, hard = folder / "target", folder / "link", folder / "hard"
                for path in (target, link, hard):
                    path.unlink(missing_ok=True)
                if there:
                    target.write_bytes(b"x" * 3000000)
                    os.link(target, hard)
                link.symlink_to("target")
                result = ringfence(folder, arguments, "link")
                assert result.returncode == 0, (what, result)
                assert link.is_symlink() and target.is_file(), what
                assert 0 < target.stat().st_size < 3000000, (what, target.stat())
                if there:
                    assert target.stat().st_nlink == 2, what
                if what in WAVES:
                    assert read_wave(target) > 10, what


def test_fifo_written():
    """an output that is a FIFO gets what a file would have got"""
    with Folder() as folder:
        os.mkfifo(folder / "fifo")
        got = []
        reader = threading.Thread(target=lambda: got.append((folder / "fifo").read_bytes()))
        reader.start()
        result = ringfence(folder, OUTPUTS["run --output"], "fifo")
        reader.join(tap.time_limit(60))
        assert result.returncode == 0, result
        ringfence(folder, OUTPUTS["run --output"], "file")
        assert got == [(folder / "file").read_bytes()] and len(got[0]) == len(DATA), got
        assert stat.S_ISFIFO(os.lstat(folder / "fifo").st_mode)


def test_wave_to_what_is_no_file():
    """a wave needs a file: a FIFO, a folder, a device are refused, and stay what they are"""
    with Folder() as folder:
        os.mkfifo(folder / "fifo")
        (folder / "folder").mkdir()
        names = ["fifo", "folder", "/dev/stdout"]
        try:
            os.mknod(folder / "null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
            names.append("null")
        except PermissionError:
            pass
        for what, arguments in WAVES.items():
            for name in names:
                before = os.stat(folder / name).st_mode if name[0] != "/" else 0
                failed(ringfence(folder, arguments, name), (what, name))
                assert not before or os.lstat(folder / name).st_mode == before, (what, name)
        assert sorted(path.name for path in folder.iterdir()) == sorted(["in", *names[:2],
                                                                         *names[3:]])


def test_device_written():
    """/dev/null takes everything"""
    with Folder() as folder:
        for what, arguments in OUTPUTS.items():
            result = ringfence(folder, arguments, "/dev/null")
            assert result.returncode == 0 and not result.stderr, (what, result)
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_full_device():
    """what a full device does not take is an error"""
    with Folder() as folder:
        for what, arguments in OUTPUTS.items():
            failed(ringfence(folder, arguments, "/dev/full"), what)


def test_full_disk():
    """a disk that fills in the midst of an output is an error, and never a signal"""
    with Folder() as folder:
        (folder / "in").write_bytes(DATA * 20)
        for what, arguments in {**OUTPUTS, **WAVES}.items():
            for size in (0, 100) if what in OUTPUTS else (0, 100, 5000, 70000, 900000):
                result = ringfence(folder, arguments, "out", preexec_fn=limited(size))
                failed(result, (what, size))
                assert (folder / "out").stat().st_size <= size, (what, size)


def test_conform_results():
    """tables that cannot be written are an error"""
    with Folder() as folder:
        for size in (0, 10):
            failed(ringfence(folder, ["conform", "--filter", TEST, "--output", "."],
                             preexec_fn=limited(size)), size)
        for name in ("sim.tsv", "sim.xml"):
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to("/dev/full")
            failed(ringfence(folder, ["conform", "--filter", TEST, "--output", "."]), name)
            assert (folder / name).is_symlink()
            (folder / name).unlink()


def test_standard_output():
    """a full or closed standard output is an error"""
    commands = [["--help"], ["info"], ["info", "--json"], ["info", "--help"],
                ["run", "--input", "in"], ["run", "--input", "in", "--json"],
                ["trace", "--input", "in"], ["dump"], ["dump", "--json"], ["conform", "--list"],
                ["conform", "--filter", TEST, "--output", "."],
                ["conform", "--filter", TEST, "--output", ".", "--json"],
                ["bench", "--filter", "ring_to_read_cycles"], ["soak", "--rounds", "5"]]
    with Folder() as folder, open("/dev/full", "wb") as full:
        for arguments in commands:
            failed(ringfence(folder, arguments, stdout=full), arguments)
            failed(ringfence(folder, arguments, stdout=None,
                             preexec_fn=lambda: os.close(1)), arguments)


def test_closed_output():
    """what is printed to a closed standard output does not get into a file"""
    with Folder() as folder:
        result = ringfence(folder, OUTPUTS["run --output"], "out", stdout=None,
                           preexec_fn=lambda: os.close(1))
        failed(result, "closed")
        ringfence(folder, OUTPUTS["run --output"], "good")
        assert (folder / "out").read_bytes() == (folder / "good").read_bytes()


def test_inputs():
    """an input whose size is not known beforehand is read to its end"""
    with Folder() as folder:
        ringfence(folder, OUTPUTS["run --output"], "good")
        good = (folder / "good").read_bytes()
        arguments = ["run", "--input", "{}", "--output", "out"]
        result = ringfence(folder, arguments, "/dev/stdin", input=DATA)
        assert result.returncode == 0 and (folder / "out").read_bytes() == good, result

        os.mkfifo(folder / "fifo")

        def in_pieces():
            with open(folder / "fifo", "wb", buffering=0) as fifo:
                for i in range(0, len(DATA), 500):
                    fifo.write(DATA[i:i + 500])
                    time.sleep(0.05)

        writer = threading.Thread(target=in_pieces)
        writer.start()
        result = ringfence(folder, arguments, "fifo")
        writer.join(tap.time_limit(60))
        assert result.returncode == 0 and (folder / "out").read_bytes() == good, result

        # a file that says it has no bytes
        version = pathlib.Path("/proc/version").read_bytes()
        (folder / "in").write_bytes(version)
        ringfence(folder, OUTPUTS["run --output"], "good")
        result = ringfence(folder, arguments, "/proc/version")
        assert result.returncode == 0, result
        assert (folder / "out").read_bytes() == (folder / "good").read_bytes()
        assert len(version) == (folder / "out").stat().st_size > 10

        for name in (".", "/nonexistent", "/proc/self/mem"):
            result = ringfence(folder, arguments, name)
            assert result.returncode == 1, (name, result)
            assert result.stderr.startswith(b"ringfence: cannot read " + name.encode()), result


def test_names():
    """JSON and XML are valid whatever names are made of"""
    with Folder() as folder:
        for part in (*NO_TEXT, "\u20ac\U0001f600\"\\\n\x01\x7f".encode()):
            name = os.fsencode(folder) + b"/in" + part
            pathlib.Path(os.fsdecode(name)).write_bytes(DATA)
            result = ringfence(folder, ["run", "--json", "--input", name])
            assert result.returncode == 0, (part, result)
            told = json.loads(result.stdout.decode())["input"]
            try:
                assert told == name.decode(), (part, told)
            except UnicodeDecodeError:
                assert told.startswith(str(folder / "in")) and "\ufffd" in told, (part, told)
            result = ringfence(folder, [b"conform", b"--filter", TEST, b"--output", b".",
                                        b"--name", b"<&" + part.replace(b"\n", b"")])
            assert result.returncode == 0, (part, result)
        found = [path for path in folder.iterdir() if path.name.endswith(".xml")]
        assert len(found) == len(NO_TEXT) + 1, found
        for path in found:
            xml.etree.ElementTree.parse(path)


def test_wave_interrupted():
    """a run that a signal ends leaves a wave that can be read up to there"""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with Folder() as folder:
            (folder / "in").write_bytes(bytes(2000000))
            process = subprocess.Popen(
                [PROGRAM, "run", "--input", "in", "--device", "sim:wave=wave"], cwd=folder,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            deadline = time.monotonic() + tap.time_limit(120)
            while not (folder / "wave").exists() or (folder / "wave").stat().st_size < 100000:
                assert process.poll() is None and time.monotonic() < deadline, process
                time.sleep(0.05)
            process.send_signal(number)
            assert process.wait(tap.time_limit(120)) == -number, process
            assert read_wave(folder / "wave") > 10
            assert not process.stderr.read()


def test_signal_ignored():
    """a signal that the program was told to ignore, as by nohup, does not end it"""
    with Folder() as folder:
        process = subprocess.Popen([PROGRAM, "run", "--input", "in", "--device", "sim:wave=wave"],
                                   cwd=folder, stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP,
                                                                    signal.SIG_IGN))
        while not (folder / "wave").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
        assert process.wait(tap.time_limit(120)) == 0
        assert read_wave(folder / "wave") > 10


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
