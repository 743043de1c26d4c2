#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rf-vfio-user and clients that send anything.

usage: vfio_user.py SERVER [--seed N] [--rounds N] [--seconds N] [--device DEVICE] [--witness]

A round is one client: commands that are right, slightly wrong or noise, with any file
descriptors, in any pieces; memory that is truncated under the device; answers that are
not read; an end at any time. After each a client that does everything right finds a new
device, and the server holds no descriptor more than before. With --witness the world has a second
device, whose client stays and notices nothing. Everything is drawn from the
seed of the round, so a round repeats alone. Prints TAP.
"""

import argparse
import array
import errno
import os
import pathlib
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

from time_scale import time_limit  # noqa: E402  (it lies where the line above says)

PATIENCE = time_limit(60)
(VERSION, DMA_MAP, DMA_UNMAP, GET_INFO, GET_REGION_INFO, GET_REGION_IO_FDS, GET_IRQ_INFO, SET_IRQS,
 REGION_READ, REGION_WRITE, DMA_READ, DMA_WRITE, RESET, _, WRITE_MULTI) = range(1, 16)
NO_REPLY = 16
CONFIG = 7
MSIX = 2
SCRATCH = 0x58  # DEVICE.SCRATCH and DEVICE.INTERRUPT_TEST of docs/registers.md
INTERRUPT_TEST = 0x50
EDGES = [0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 4095, 4096, 4097, 0xffff, 1 << 20, (1 << 20) + 1,
         (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
JSON = ['{}', '{"capabilities":{"max_msg_fds":16,"pgsizes":4096,"migration":{"pgsize":4096}}}',
        '{"capabilities":{"max_data_xfer_size":1048576,"max_dma_maps":65535,'
        '"write_multiple":true,"twin_socket":{"supported":true}}}', '[' * 2000, '{"a":' * 500]


class Gone(Exception):
    """The server has closed the connection."""


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.number = 0

    def send(self, data, fds=()):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        try:
            sent = self.socket.sendmsg([data], rights)
            self.socket.sendall(data[sent:])
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Gone from error

    def command(self, command, payload=b"", fds=(), flags=0):
        self.number = (self.number + 1) & 0xffff
        self.send(struct.pack("<HHIII", self.number, command, 16 + len(payload), flags, 0)
                  + payload, fds)

    def receive(self, count):
        data = b""
        while len(data) < count:
            try:
                piece = self.socket.recv(count - len(data))
            except ConnectionResetError as error:
                raise Gone from error
            if not piece:
                raise Gone
            data += piece
        return data

    def reply(self):
        """The errno and the payload; what a reply has to be is checked."""
        number, _, size, flags, error = struct.unpack("<HHIII", self.receive(16))
        assert number == self.number, "a reply to something else"
        assert size >= 16 and flags & 15 == 1, "no reply"
        assert bool(flags & 32) == bool(error), "an error without a number"
        assert not error or size == 16, "an error with a payload"
        return error, self.receive(size - 16)

    def call(self, command, payload=b"", fds=()):
        self.command(command, payload, fds)
        return self.reply()

    def right(self, command, payload=b"", fds=()):
        error, data = self.call(command, payload, fds)
        assert not error, f"command {command}: {os.strerror(error)}"
        return data

    def greet(self):
        self.right(VERSION, struct.pack("<HH", 0, 0) + JSON[1].encode() + b"\0")

    def read(self, region, offset, count):
        return self.right(REGION_READ, struct.pack("<QII", offset, region, count))[16:]

    def write(self, region, offset, data):
        self.right(REGION_WRITE, struct.pack("<QII", offset, region, len(data)) + data)

    def capability(self, wanted):
        offset = self.read(CONFIG, 0x34, 1)[0]
        while offset:
            found, following = self.read(CONFIG, offset, 2)
            if found == wanted:
                return offset
            offset = following
        raise AssertionError("no such capability")

    def close(self):
        self.socket.close()


class Witness:
    """The client of another device of the world, which goes on with its work."""

    def __init__(self, path):
        self.client = Client(path)
        self.event = new_eventfd()
        self.rounds = 0
        self.client.greet()
        self.client.write(CONFIG, 4, struct.pack("<H", 6))
        self.client.write(CONFIG, self.client.capability(0x11) + 2, struct.pack("<H", 0x8000))
        self.client.right(SET_IRQS, struct.pack("<IIIII", 20, 4 | 32, MSIX, 0, 1), [self.event])
        self.write()

    def write(self):
        """What it finds the next time"""
        self.rounds += 1
        self.value = struct.pack("<Q", self.rounds * 0x9e3779b97f4a7c15 & (1 << 64) - 1)
        self.client.write(0, SCRATCH, self.value)
        self.client.write(2, 8 * (self.rounds % 512), self.value)

    def check(self):
        assert not select.select([self.event], [], [], 0)[0], "an interrupt of another device"
        assert self.client.read(0, SCRATCH, 8) == self.value, "a register of another device"
        assert self.client.read(2, 8 * (self.rounds % 512), 8) == self.value, "memory of another"
        self.client.write(0, INTERRUPT_TEST, struct.pack("<Q", 1))
        self.client.read(0, SCRATCH, 8)
        assert select.select([self.event], [], [], PATIENCE)[0], "the witness hears no interrupt"
        os.read(self.event, 8)
        self.write()


class Server:
    def __init__(self, program, folder, device, witness):
        self.path = os.path.join(folder, "socket")
        self.errors = open(os.path.join(folder, "errors"), "w+", encoding="utf-8")
        places = [self.path, *([self.path + "2"] if witness else [])]
        words = f"{device}{',' if device[-1] != ':' else ''}devices={len(places)}"
        self.process = subprocess.Popen([program, "--device", words, *places], stderr=self.errors,
                                        stdout=subprocess.PIPE, text=True)
        for _ in places:
            self.process.stdout.readline()  # it waits
        self.witness = Witness(places[1]) if witness else None

    def said(self):
        self.errors.seek(0)
        return self.errors.read()[-4000:]

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def check(self):
        assert self.process.poll() is None, f"it ended with {self.process.returncode}"
        if self.witness:
            self.witness.check()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "does not end"
        finally:
            self.process.stdout.close()
            self.errors.close()


def new_eventfd():
    return os.eventfd(0, os.EFD_NONBLOCK)


def works(server):
    """A client that does everything right finds a new device."""
    client = Client(server.path)
    client.greet()
    assert client.read(CONFIG, 0, 2) == b"\x5f\x1e", "another device"
    client.write(CONFIG, 4, struct.pack("<H", 6))
    client.write(CONFIG, client.capability(0x11) + 2, struct.pack("<H", 0x8000))
    event = new_eventfd()
    client.right(SET_IRQS, struct.pack("<IIIII", 20, 4 | 32, MSIX, 0, 1), [event])
    client.write(0, INTERRUPT_TEST, struct.pack("<Q", 1))
    client.read(0, SCRATCH, 8)
    assert select.select([event], [], [], PATIENCE)[0], "no interrupt"
    assert not any(client.read(2, 0, 4096)), "something is left in local memory"
    os.close(event)
    client.close()


class Round:
    """One client that sends anything."""

    def __init__(self, server, seed):
        self.random = random.Random(seed)
        self.client = Client(server.path)
        self.memory = []

    def number(self, bits):
        pick = self.random.random()
        if pick < 0.5:
            value = self.random.choice(EDGES)
        elif pick < 0.8:
            value = self.random.randrange(64)
        else:
            value = self.random.getrandbits(bits)
        return value & ((1 << bits) - 1)

    def descriptor(self):
        """Any kind of file."""
        kind = self.random.randrange(8)
        if kind == 0:
            first, second = os.pipe()
            os.close(second)
            return first
        if kind == 1:
            first, second = socket.socketpair()
            second.close()
            return first.detach()
        if kind == 2:
            return os.open("/tmp", os.O_RDONLY)
        if kind == 3:
            return os.open("/dev/null", os.O_RDWR)
        if kind < 6:
            return new_eventfd()
        memory = os.memfd_create("fuzz")
        os.ftruncate(memory, self.random.choice([0, 1, 4096, 1 << 16, 1 << 20]))
        self.memory.append(os.dup(memory))
        return memory

    def payload(self, command):
        """What would be right, and then perhaps a little less."""
        r = self.random
        # pages within a MiB meet often
        page, pages = r.randrange(256) << 12, r.randrange(1, 64) << 12
        if r.random() < 0.2:
            page, pages = self.number(64), self.number(64)
        access = struct.pack("<QII", r.choice([self.number(64), r.randrange(0x20000)]),
                             r.choice([0, 2, 4, CONFIG, self.number(32)]),
                             r.choice([1, 2, 4, 8, r.randrange(64), self.number(32)]))
        if command == VERSION:
            text = r.choice(JSON).encode()
            return struct.pack("<HH", r.choice([0, 0, 0, 1]), self.number(16)) + text + b"\0"
        if command == DMA_MAP:
            return struct.pack("<IIQQQ", r.choice([32, self.number(32)]),
                               r.choice([1, 2, 3, 3, 3, self.number(32)]),
                               r.choice([0, 0, page]), page, pages)
        if command == DMA_UNMAP:
            return struct.pack("<IIQQ", r.choice([24, self.number(32)]),
                               r.choice([0, 0, 2, self.number(32)]), page, pages)
        if command in (GET_INFO, GET_IRQ_INFO):
            return struct.pack("<IIII", r.choice([16, self.number(32)]), 0, r.randrange(7), 0)
        if command == GET_REGION_INFO:
            return struct.pack("<IIIIQQ", r.choice([32, self.number(32)]), 0, r.randrange(11), 0,
                               0, 0)
        if command == SET_IRQS:
            count = r.choice([0, 1, 2, 4, self.number(32)])
            return struct.pack("<IIIII", r.choice([20, 20 + count & 0xffffffff, self.number(32)]),
                               r.choice([1, 2, 4]) | r.choice([8, 16, 32]) |
                               r.choice([0, 0, 0, self.number(32)]),
                               r.choice([MSIX, MSIX, 3, self.number(32)]),
                               r.choice([0, 1, self.number(32)]), count) + \
                r.randbytes(min(count, 16) if r.random() < 0.5 else 0)
        if command == REGION_READ:
            return access
        if command == REGION_WRITE:
            count = struct.unpack("<QII", access)[2]
            return access + r.randbytes(count if count < 4096 else r.randrange(64))
        if command == WRITE_MULTI:
            count = r.randrange(5)
            return struct.pack("<Q", r.choice([count, count, self.number(64)])) + b"".join(
                struct.pack("<QII", r.randrange(0x20000), r.choice([0, 2, CONFIG]),
                            r.choice([1, 2, 4, 8, 9])) + r.randbytes(8) for _ in range(count))
        return r.randbytes(r.randrange(64))

    def message(self):
        r = self.random
        command = r.choice([DMA_MAP, DMA_MAP, DMA_UNMAP, GET_INFO, GET_REGION_INFO, GET_IRQ_INFO,
                            SET_IRQS, SET_IRQS, REGION_READ, REGION_READ, REGION_WRITE,
                            REGION_WRITE, REGION_WRITE, WRITE_MULTI, RESET, VERSION,
                            self.number(16)])
        payload = b"" if command == RESET else self.payload(command)
        if r.random() < 0.1:  # a bit is wrong
            data = bytearray(payload)
            for _ in range(min(len(data), r.randrange(1, 4))):
                data[r.randrange(len(data))] ^= 1 << r.randrange(8)
            payload = bytes(data)
        if r.random() < 0.1:  # it is longer, or shorter
            payload = payload[:r.randrange(len(payload) + 1)] + r.randbytes(r.randrange(16))
        count = {DMA_MAP: r.choice([0, 1, 1, 1]), SET_IRQS: r.choice([0, 1, 2])}.get(command, 0)
        if r.random() < 0.05:
            count = r.randrange(20)
        size = 16 + len(payload)
        if r.random() < 0.01:
            size = self.number(32)
        flags = NO_REPLY if r.random() < 0.2 else 0
        if r.random() < 0.02:
            flags = self.number(32)
        return command, payload, count, size, flags

    def act(self):
        r = self.random
        if self.memory and r.random() < 0.05:
            os.ftruncate(r.choice(self.memory), r.choice([0, 4096]))
        command, payload, count, size, flags = self.message()
        fds = [self.descriptor() for _ in range(count)]
        client = self.client
        client.number = r.getrandbits(16)
        data = struct.pack("<HHIII", client.number, command, size, flags, 0) + payload
        try:
            cut = r.randrange(1, len(data)) if r.random() < 0.2 else len(data)
            client.send(data[:cut], fds)
            if cut < len(data):
                client.send(data[cut:])
        finally:
            for fd in fds:
                os.close(fd)
        if size != 16 + len(payload):  # whatever it takes from what follows
            raise Gone
        if flags & 15:
            raise Gone
        if not flags & NO_REPLY:
            error, _ = client.reply()
            assert error != errno.EINTR

    def run(self):
        r = self.random
        try:
            if r.random() < 0.9:
                self.client.greet()
                if r.random() < 0.8:
                    self.client.write(CONFIG, 4, struct.pack("<H", 6))
            for _ in range(r.randrange(1, 200)):
                self.act()
            if r.random() < 0.3:  # answers that are not read
                for _ in range(r.randrange(1, 8)):
                    self.client.command(REGION_READ, struct.pack("<QII", 0, CONFIG, 4096))
            if r.random() < 0.3:
                self.client.send(r.randbytes(r.randrange(1, 40)))
        except Gone:
            pass
        finally:
            self.client.close()
            for fd in self.memory:
                os.close(fd)


def fuzz(options, server):
    """The number of rounds."""
    start = time.monotonic()
    works(server)
    before = server.descriptors()
    rounds = 0
    while rounds < options.rounds and time.monotonic() - start < options.seconds:
        seed = options.seed + rounds
        try:
            Round(server, seed).run()
            server.check()
            works(server)
            server.check()
            deadline = time.monotonic() + PATIENCE
            while server.descriptors() > before and time.monotonic() < deadline:
                time.sleep(0.01)  # it has not noticed yet that the client went
            assert server.descriptors() <= before, "descriptors stay open"
        except (AssertionError, Gone, OSError) as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__} {error}") from error
        rounds += 1
        if rounds % 20 == 0:
            print(f"# {rounds} rounds", flush=True)
    return rounds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1 << 62)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--device", default="sim:random")
    parser.add_argument("--witness", action="store_true")
    parser.add_argument("server")
    options = parser.parse_args()
    print("1..2", flush=True)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.server, folder, options.device, options.witness)
        try:
            rounds = fuzz(options, server)
            print(f"ok 1 - vfio_user.clients_that_send_anything\n# {rounds} rounds", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"not ok 1 - vfio_user.clients_that_send_anything\n# {error}")
            print("".join(f"# {line}\n" for line in server.said().splitlines()), end="")
            print(f"# repeat with: tests/fuzz/vfio_user.py {options.server} --rounds 1 --seed N"
                  f"{' --witness' if options.witness else ''}")
        status = server.end()
        failed += status != 0
        print(f"{'not ' if status else ''}ok 2 - vfio_user.the_device_kept_the_rules")
        if status:
            print(f"# status {status}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
