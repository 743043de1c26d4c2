#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ringfence trace: the slices and arrows of its files, and the wave's save file.

Arguments: the program, and fst2vcd.
"""

import functools
import json
import pathlib
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
FST2VCD = pathlib.Path(sys.argv[2]).resolve()
PROTO = ROOT / "tests/host/trace.proto"
CHUNKS = 9
BUFFERS = 4  # chunks in local memory at a time
QUEUES = {"upload": "uploaded", "compute": "computed", "download": "downloaded"}
DEVICE_CLOCK, MONOTONIC, BOOTTIME = 64, 3, 6


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, check=False, timeout=tap.time_limit(120))


def parse(lines):
    """What protoc --decode prints: a dictionary of lists, and of such."""
    message = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            message.setdefault(line[:-1].strip(), []).append(parse(lines))
            continue
        name, value = line.split(": ", 1)
        message.setdefault(name, []).append(
            json.loads(value) if value.startswith('"') else int(value))
    return message


@functools.cache
def traced(device="sim:seed=5"):
    """The packets of a trace, its events as JSON, and the summary."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in").write_bytes(random.Random(1).randbytes(CHUNKS * 4096 - 5))
        result = run(PROGRAM, "trace", "--input", folder / "in", "--output", folder / "trace",
                     "--events", folder / "events", "--json", "--device", device)
        assert result.returncode == 0 and not result.stderr, result
        decoded = subprocess.run(
            ["protoc", f"--proto_path={PROTO.parent}", "--decode=Trace", PROTO.name],
            stdin=open(folder / "trace", "rb"), capture_output=True, check=True, text=True)
        packets = parse(iter(decoded.stdout.splitlines()))["packet"]
        return packets, json.loads((folder / "events").read_text()), json.loads(result.stdout)


def only(message, *names):
    """The one element of a field of a field."""
    for name in names:
        assert len(message[name]) == 1, (name, message)
        message = message[name][0]
    return message


@functools.cache
def stages(device="sim:seed=5"):
    """Stages by name, with their device and their queue's name, times in ns."""
    packets = traced(device)[0]
    interned = [packet["interned_data"][0] for packet in packets if "interned_data" in packet]
    names = {only(entry, "iid"): only(entry, "name")
             for data in interned for entry in data["gpu_specifications"]}
    found = {}
    for packet in packets:
        if "gpu_render_stage_event" not in packet:
            continue
        event = only(packet, "gpu_render_stage_event")
        assert only(packet, "timestamp_clock_id") == DEVICE_CLOCK
        begin = only(packet, "timestamp")
        name = only(event, "name")
        # two queues may wait for one value
        assert name not in found or name.startswith("wait "), name
        found[name if name not in found else f"{name} once more"] = {"id": only(event, "event_id"), "begin": begin,
                       "end": begin + only(event, "duration"),
                       "device": only(event, "gpu_id"),
                       "queue": names[only(event, "hw_queue_iid")],
                       "kind": names[only(event, "stage_iid")],
                       "waits": event.get("event_wait_ids", [])}
    return found


def test_every_signal():
    """each signal of each queue is a stage, and ids are of one each"""
    for queue, fence in QUEUES.items():
        for value in range(1, CHUNKS + 1):
            stage = stages()[f"signal {fence} {value}"]
            assert (stage["queue"], stage["kind"]) == (queue, "work"), stage
    identifiers = [stage["id"] for stage in stages().values()]
    assert len(set(identifiers)) == len(identifiers) and 0 not in identifiers
    assert len([stage for stage in stages().values() if stage["kind"] == "work"]) == 3 * CHUNKS


TWO = "sim:seed=5,devices=2"
# The queues of two devices: the device, the fence, and the arrows of chunk N: fence and value
QUEUES_OF_TWO = {
    "upload": (0, "uploaded", [("sent", -BUFFERS)]),
    "compute": (0, "computed", [("uploaded", 0)]),
    "send": (0, "sent", [("computed", 0), ("received", -BUFFERS)]),
    "receive": (1, "received", [("downloaded", -BUFFERS)]),
    "finish": (1, "finished", [("received", 0)]),
    "download": (1, "downloaded", [("finished", 0)]),
}


def test_two_devices():
    """two devices: each stage is of its device, in the order of a chunk, with arrows across"""
    by_id = {stage["id"]: name for name, stage in stages(TWO).items()}

    def waits(name):
        return sorted(by_id[number] for number in stages(TWO)[name]["waits"])

    for value in range(1, CHUNKS + 1):
        # asked for by the queue that receives, when the other device has sent
        way = [f"signal {fence} {value}" for fence in ("uploaded", "computed", "sent", "asked",
                                                       "received", "finished", "downloaded")]
        ends = [stages(TWO)[name]["end"] for name in way]
        assert all(one < other for one, other in zip(ends, ends[1:])), (way, ends)
        asked = stages(TWO)[f"signal asked {value}"]
        assert (asked["device"], asked["queue"]) == (1, "receive"), asked
        assert waits(f"signal asked {value}") == [f"signal sent {value}"]
        for queue, (device, fence, arrows) in QUEUES_OF_TWO.items():
            stage = stages(TWO)[f"signal {fence} {value}"]
            assert (stage["device"], stage["queue"]) == (device, queue), stage
            assert waits(f"signal {fence} {value}") == sorted(
                f"signal {other} {value + ahead}" for other, ahead in arrows
                if value + ahead > 0), (fence, value)


def test_two_devices_events():
    """two devices in the JSON: a process each, arrows from the one to the other"""
    events = traced(TWO)[1]["traceEvents"]
    processes = {event["pid"]: event["args"]["name"] for event in events
                 if event["ph"] == "M" and event["name"] == "process_name"}
    assert processes == {1: f"device 0 of {TWO}", 2: f"device 1 of {TWO}", 3: "CPU"}, processes
    rows = {(event["pid"], event["tid"]): event["args"]["name"] for event in events
            if event["ph"] == "M" and event["name"] == "thread_name"}
    assert {(device + 1, queue) for queue, (device, _, _) in QUEUES_OF_TWO.items()} == \
        {(pid, name) for (pid, _), name in rows.items() if pid < 3}, rows
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    ways = [(rows[begins[i]["pid"], begins[i]["tid"]], rows[ends[i]["pid"], ends[i]["tid"]])
            for i in begins]
    assert ways.count(("send", "receive")) == CHUNKS, ways
    assert ways.count(("receive", "send")) == CHUNKS - BUFFERS, ways
    copies = [event for event in events if event["name"] == "copy a chunk"]
    assert len(copies) == CHUNKS and {event["pid"] for event in copies} == {3}, copies


def test_arrows():
    """wait ids name the signals that the job's commands wait for, which had ended before"""
    by_id = {stage["id"]: (name, stage) for name, stage in stages().items()}
    for name, stage in stages().items():
        _, fence, value = name.split()
        value = int(value)
        expected = []
        if stage["kind"] == "work" and fence == "uploaded" and value > BUFFERS:
            expected = [f"signal downloaded {value - BUFFERS}"]
        elif stage["kind"] == "work" and fence == "computed":
            expected = [f"signal uploaded {value}"]
        elif stage["kind"] == "work" and fence == "downloaded":
            expected = [f"signal computed {value}"]
        assert [by_id[number][0] for number in stage["waits"]] == expected, (name, stage)
        for number in stage["waits"]:
            assert by_id[number][1]["end"] <= stage["begin"], (name, by_id[number])


def test_waits():
    """waits are stages where a queue stalled, until the signal, and nothing overlaps"""
    waits = {name: stage for name, stage in stages().items() if stage["kind"] == "wait"}
    assert waits
    for name, stage in waits.items():
        signal = stages()[name.replace("wait", "signal")]
        assert signal["queue"] != stage["queue"]
        assert stage["begin"] < signal["end"] <= stage["end"], (name, stage, signal)
    for queue in QUEUES:
        row = sorted((stage["begin"], stage["end"]) for stage in stages().values()
                     if stage["queue"] == queue)
        assert all(one[1] <= other[0] for one, other in zip(row, row[1:])), row


def test_clocks():
    """one snapshot ties the clocks, and the CPU's slices are around what it waited for"""
    packets = traced()[0]
    snapshots = [packet for packet in packets if "clock_snapshot" in packet]
    assert len(snapshots) == 1 and snapshots[0] is packets[0]
    clocks = {only(clock, "clock_id"): only(clock, "timestamp")
              for clock in only(snapshots[0], "clock_snapshot")["clocks"]}
    assert set(clocks) == {DEVICE_CLOCK, MONOTONIC, BOOTTIME}, clocks
    told = traced()[1]["otherData"]
    assert clocks[DEVICE_CLOCK] == told["device_ns"] and clocks[MONOTONIC] == told["cpu_ns"]
    assert clocks[DEVICE_CLOCK] == min(stage["begin"] for stage in stages().values())
    assert abs(clocks[BOOTTIME] - clocks[MONOTONIC]) < 1e9 * 3600 * 24 * 365
    events = [(only(packet, "track_event"), only(packet, "timestamp"))
              for packet in packets if "track_event" in packet]
    names = [only(event, "name") for event, _ in events if "name" in event]
    assert names.count("submit upload") == CHUNKS and names.count("wait for downloaded") == 1
    begins = [time for event, time in events if only(event, "type") == 1]
    ends = [time for event, time in events if only(event, "type") == 2]
    assert len(begins) == len(ends) == 3 * CHUNKS + 1
    assert clocks[MONOTONIC] < min(begins) and begins == sorted(begins)
    last = max(stage["end"] for stage in stages().values())
    assert clocks[MONOTONIC] + last - clocks[DEVICE_CLOCK] < max(ends)


def test_sequence():
    """every packet is of the one sequence, whose state begins with the first"""
    packets = traced()[0]
    assert {only(packet, "trusted_packet_sequence_id") for packet in packets} == {1}
    flags = [only(packet, "sequence_flags") for packet in packets]
    assert flags[0] == 3 and set(flags[1:]) == {2}, flags


def test_events():
    """the JSON has the same slices and arrows, in microseconds"""
    _, document, _ = traced()
    events = document["traceEvents"]
    other = document["otherData"]
    rows = {(event["pid"], event["tid"]): event["args"]["name"] for event in events
            if event["ph"] == "M" and event["name"] == "thread_name"}
    slices = {event["name"]: event for event in events
              if event["ph"] == "X" and rows[event["pid"], event["tid"]] in QUEUES}
    assert set(slices) == set(stages())

    def microseconds(device_ns):
        return (device_ns - other["device_ns"] + other["cpu_ns"] - other["first_ns"]) / 1000

    for name, stage in stages().items():
        assert abs(slices[name]["ts"] - microseconds(stage["begin"])) < 0.01, name
        assert abs(slices[name]["dur"] - (stage["end"] - stage["begin"]) / 1000) < 0.01, name
    begins = [event for event in events if event["ph"] == "s"]
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    arrows = sum(len(stage["waits"]) for stage in stages().values())
    assert len(begins) == len(ends) == arrows
    for begin in begins:
        assert begin["ts"] <= ends[begin["id"]]["ts"], begin


def test_summary():
    """the summary counts what is in the file"""
    summary = traced()[2]
    kinds = [stage["kind"] for stage in stages().values()]
    assert summary == {"work": kinds.count("work"), "waits": kinds.count("wait"),
                       "arrows": 2 * CHUNKS + CHUNKS - BUFFERS, "cpu": 3 * CHUNKS + 1,
                       "lost": 0}, summary


def test_nothing():
    """an empty file gives an empty trace"""
    with tempfile.NamedTemporaryFile() as file:
        result = run(PROGRAM, "trace", "--input", file.name, "--json", "--output", "/dev/null")
    assert json.loads(result.stdout) == {"work": 0, "waits": 0, "arrows": 0, "cpu": 0, "lost": 0}


# --- the wave --------------------------------------------------------------------------


def decompress(data, size):
    """A block of LZ4."""
    out, i = bytearray(), 0

    def length(nibble):
        nonlocal i
        count = nibble
        while nibble == 15:
            count += data[i]
            i += 1
            if data[i - 1] != 255:
                break
        return count

    while i < len(data):
        token = data[i]
        i += 1
        count = length(token >> 4)
        out += data[i:i + count]
        i += count
        if i >= len(data):
            break
        offset = data[i] | data[i + 1] << 8
        i += 2
        for _ in range(length(token & 15) + 4):
            out.append(out[-offset])
    assert len(out) == size
    return bytes(out)


def signals_of(path):
    """Names in the hierarchy of an FST file, block type 6."""
    data, offset, found = path.read_bytes(), 0, set()
    while data[offset] != 6:
        offset += 1 + struct.unpack_from(">Q", data, offset + 1)[0]
    length, size = struct.unpack_from(">QQ", data, offset + 1)
    data, i, scope = decompress(data[offset + 17:offset + 1 + length], size), 0, []

    def text():
        nonlocal i
        end = data.index(0, i)
        piece, i = data[i:end].decode(), end + 1
        return piece

    def number():
        nonlocal i
        while data[i] & 128:
            i += 1
        i += 1

    while i < len(data):
        tag = data[i]
        i += 1
        if tag == 254:  # scope: its kind, name, component
            i += 1
            scope.append(text())
            text()
        elif tag == 255:
            scope.pop()
        elif tag == 252:  # attribute: two kinds, name, argument
            i += 2
            text()
            number()
        elif tag < 252:  # variable: direction, name, width, alias
            i += 1
            found.add(".".join([*scope, text()]).replace(" [", "["))
            number()
            number()
    return found


def test_save_file():
    """the save file names the wave, where it begins, and only signals that are in it"""
    with tempfile.TemporaryDirectory() as name:
        wave = pathlib.Path(name) / "wave.fst"
        result = run(PROGRAM, "trace", "--input", ROOT / "README.md", "--device", f"sim:wave={wave}")
        assert result.returncode == 0, result
        save = pathlib.Path(f"{wave}.gtkw").read_text()
        known = signals_of(wave)
        begin = struct.unpack(">Q", wave.read_bytes()[9:17])[0]  # of the header block
    assert f'[dumpfile] "{wave.resolve()}"' in save
    shown_from = int(re.search(r"^\[timestart\] (\d+)$", save, re.M)[1])
    assert begin > 1000 and 0 <= begin - shown_from < 100, (begin, shown_from)  # ns, a few pixels
    shown = re.findall(r"^TOP\..*$", save, re.M)
    assert len(shown) > 20 and not set(shown) - known, set(shown) - known
    groups = re.findall(r"^@800200\n-(.*)$", save, re.M)
    assert groups == re.findall(r"^@1000200\n-(.*)$", save, re.M) and len(groups) > 5


def values_of(wave, *names):
    """Of signals of rf_device: their values at each time ("time": ns) at which a signal changed."""
    codes, now = {}, {}
    header = True
    for line in run(FST2VCD, wave).stdout.decode().splitlines():
        words = line.split()
        if header:
            if words[:1] == ["$var"] and words[4] in names:
                codes.setdefault(words[3], words[4])
            header = words[:1] != ["$enddefinitions"]
        elif line.startswith("#"):
            yield dict(now)
            now["time"] = int(line[1:])
        else:
            code = words[1] if line[0] == "b" else line[1:]
            if code in codes:
                now[codes[code]] = words[0][1:] if line[0] == "b" else line[0]
    yield now


def headers_of(wave, prefix, suffix):
    """The headers that are valid on a port, as hexadecimal."""
    valid, header = f"{prefix}_valid_{suffix}", f"{prefix}_hdr_{suffix}"
    return {f"{int(now[header], 2):032x}" for now in values_of(wave, valid, header)
            if now.get(valid) == "1"}


def test_tlp_rows():
    """each row of headers has one as text; what its filter says of them is what the link carried"""
    with tempfile.TemporaryDirectory() as name:
        wave, timeline = pathlib.Path(name) / "wave.fst", pathlib.Path(name) / "timeline.json"
        result = run(PROGRAM, "trace", "--input", ROOT / "VERSION", "--device",
                     f"sim:wave={wave},timeline={timeline}")
        assert result.returncode == 0, result
        save = pathlib.Path(f"{wave}.gtkw").read_text()
        events = [event for event in json.loads(timeline.read_text())["traceEvents"]
                  if "bytes" in event.get("args", {})]
        headers = {"tx_read_tlp_hdr_o": headers_of(wave, "tx_read_tlp", "o"),
                   "tx_tlp_hdr_o": headers_of(wave, "tx_tlp", "o"),
                   "rx_tlp_hdr_i": headers_of(wave, "rx_tlp", "i")}
    rows = re.findall(r"^@4022\n\^>1 (.*)\nTOP\.rf_device\.(\w+)\[127:0\]\n@22\nTOP\.rf_device\.\2",
                      save, re.M)
    assert sorted(row for _, row in rows) == sorted(headers), rows
    link = {(event["name"], int(event["args"]["address"], 16), event["args"]["bytes"])
            for event in events}
    kinds = {"MRd": "read", "MWr": "write"}
    for command, row in rows:
        said = subprocess.run(shlex.split(command), input="".join(f"{header}\n" for header in
                                                                  headers[row]),
                              text=True, capture_output=True, check=True).stdout.splitlines()
        assert len(said) == len(headers[row]) > 3, (row, said)
        for line in said:
            match = re.fullmatch(r"(MRd|MWr)(?:32|64) 0x([0-9a-f]+) (\d+) bytes tag \d+", line)
            if match:
                tlp = int(match[2], 16), int(match[3])
                assert {(kinds[match[1]], *tlp), ("MSI-X", *tlp)} & link, (line, row)
            else:
                assert re.fullmatch(r"CplD tag \d+ \d+ bytes", line), (line, row)


def test_two_waves():
    """two devices have a wave each, of the same time; its requests have the device's requester ID"""
    with tempfile.TemporaryDirectory() as name:
        waves = [pathlib.Path(name) / wave for wave in ("wave.fst", "wave.1.fst")]
        result = run(PROGRAM, "trace", "--input", ROOT / "VERSION", "--device",
                     f"sim:devices=2,wave={waves[0]}")
        assert result.returncode == 0, result
        times = {struct.unpack(">QQ", wave.read_bytes()[9:25]) for wave in waves}
        assert len(times) == 1, times  # of the header block: begin and end
        for device, wave in enumerate(waves):
            requesters = {header[8:12] for header in headers_of(wave, "tx_read_tlp", "o")}
            assert requesters == {f"{device + 1:02x}00"}, (device, requesters)
            assert f'[dumpfile] "{wave.resolve()}"' in pathlib.Path(f"{wave}.gtkw").read_text()


# What GTKWave shows of each row at a time
SCRIPT = """
gtkwave::setMarker {}
for {{set i 0}} {{$i < [gtkwave::getTotalNumTraces]}} {{incr i}} {{
    puts "row [gtkwave::getTraceNameFromIndex $i] [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}}
exit
"""


def test_gtkwave():
    """GTKWave opens the save file, from any folder, and shows the headers as text"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        result = run(PROGRAM, "run", "--input", ROOT / "VERSION", "--device",
                     f"sim:wave={folder / 'wave.fst'}")
        assert result.returncode == 0, result
        # MWr32 of 1 DW to where the driver's MSI-X table says
        interrupt = next(now["time"] for now in values_of(folder / "wave.fst", "tx_tlp_valid_o",
                                                          "tx_tlp_hdr_o")
                         if now.get("tx_tlp_valid_o") == "1"
                         and now["tx_tlp_hdr_o"] == f"{0x40000001_0100000f_fee00000_00000000:0128b}")
        (folder / "rows.tcl").write_text(SCRIPT.format(interrupt))
        shown = subprocess.run(["xvfb-run", "-a", "gtkwave", "-S", folder / "rows.tcl",
                                folder / "wave.fst.gtkw"], cwd="/", text=True, check=True,
                               capture_output=True, timeout=tap.time_limit(120)).stdout
    rows = re.findall(r"^row (\w+tlp_hdr\w+)\[127:0\] (.*)$", shown, re.M)
    assert len(rows) == 6, shown
    for (name, text), (other, bits) in zip(rows[::2], rows[1::2]):
        assert name == other and re.fullmatch("[0-9A-F]{32}", bits), (rows, shown)
        said = subprocess.run([PROGRAM, "tlp"], input=bits, text=True, capture_output=True,
                              check=True).stdout
        assert said == f"{text}\n" and re.match(r"(MRd|MWr|CplD)", text), (rows, shown)
    assert dict(rows[::2])["tx_tlp_hdr_o"] == "MWr32 0xfee00000 4 bytes tag 0", rows


# Headers as section 2.2 of the PCIe specification draws them
HEADERS = {
    # fmt 001: 4 DW without data; 16 DW; tag 7; all bytes of first and last DW
    "20000010" "010007ff" "00000004" "00100040": "MRd64 0x400100040 64 bytes tag 7",
    # fmt 010: 3 DW with data; 1 DW, of which the upper two bytes
    "40000001" "0000030c" "fee00000" "00000000": "MWr32 0xfee00002 2 bytes tag 3",
    # 2 DW from byte 1 of the first to byte 2 of the second: 3 + 3 bytes; poisoned
    "40004002" "0000037e" "00001000" "00000000": "MWr32 0x1001 6 bytes tag 3 poisoned",
    # CplD of 1024 DW, which are written as 0
    "4a000000" "00000000" "0100ff00" "00000000": "CplD tag 255 4096 bytes",
    "0a000000" "00002004" "01000900" "00000000": "Cpl tag 9 UR",
    "04000001" "0000020f" "01000034" "00000000": "CfgRd0 0x034 tag 2",
    "34000000" "00000014" "00000000" "00000000": "Msg code 0x14",
    "30000000" "01000031" "00000000" "00000000": "Msg ERR_NONFATAL",
    "74000001" "00000050" "00000000" "00000000": "MsgD Set_Slot_Power_Limit",
    "1f000000" "00000000" "00000000" "00000000": "type 0x1f",
    "x" * 32: "x" * 32,
    "12": "12",
}


def test_tlp_text():
    """headers by hand, and what is none"""
    result = subprocess.run([PROGRAM, "tlp"], input="\n".join(HEADERS), text=True,
                            capture_output=True, check=False)
    assert result.returncode == 0 and not result.stderr, result
    assert result.stdout.splitlines() == list(HEADERS.values()), result


def test_timeline():
    """trace names its queues and fences in a timeline, as run does"""
    with tempfile.TemporaryDirectory() as folder:
        timeline = pathlib.Path(folder) / "timeline.json"
        result = run(PROGRAM, "trace", "--input", ROOT / "README.md", "--device",
                     f"sim:timeline={timeline}")
        assert result.returncode == 0, result
        names = {event["name"] if event["ph"] != "M" else event["args"]["name"]
                 for event in json.loads(timeline.read_text())["traceEvents"]}
    assert {"upload", "compute", "download", "signal downloaded 1", "wait uploaded 1"} <= names, names


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
