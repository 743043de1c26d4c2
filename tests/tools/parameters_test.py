#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every parameter of a module is checked when the module is elaborated."""

import concurrent.futures
import importlib
import os
import pathlib
import re
import subprocess
import sys

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
CELLS = RTL / "board" / "ecp5"  # black boxes of the vendor's cells
sys.path.insert(0, str(ROOT / "tools"))
packages = importlib.import_module("packages")
PACKAGES = [ROOT / name for name in packages.PACKAGES]
# Every value of these types is a legal one.
FREE = re.compile(r"bit|logic \[Ports-1:0\]")

LOCAL_MEMORY = [0, 11, 32]
TAGS = [0, 1, 12, 64]
WIDTH = [0, 4097]
PORTS = [0, 1, 65]
SETS = [3, 9]
WALKS = [0, 1, 3, 8]
SLOTS = [0, 4, 12, 32]
DIVIDER = [0, 3, 1048577]
TICK = [0, 1, 1001]
SKP = [0, 1179, 1539]
LINE_DIVIDER = [0, 3, 50001]
CYCLES = [0, 65536]
CLOCK = [0, 999999, 1000000001]
# Values out of range: of every parameter that is checked.
BAD = {
    "rf_async_fifo": {"Width": WIDTH, "DepthLog2": [0, 1, 9]},
    "rf_board": {"Divider": LINE_DIVIDER, "LocalMemoryLog2": LOCAL_MEMORY, "TimestampHz": [0],
                 "LedLog2": [0, 32], "Slots": SLOTS},
    "rf_board_pcie": {"Divider": LINE_DIVIDER, "LocalMemoryLog2": LOCAL_MEMORY,
                      "TimestampHz": CLOCK, "Slots": SLOTS},
    "rf_choice": {"Ports": PORTS},
    "rf_clock_gate": {"Linger": [0, 256]},
    "rf_clock_meter": {"WindowLog2": [0, 3, 25]},
    "rf_command_processor": {"Slots": SLOTS},
    "rf_context": {"Slots": SLOTS},
    "rf_crc32": {"Bytes": [0, 5]},
    "rf_decode": {"Node": [2]},
    "rf_device": {"LocalMemoryLog2": LOCAL_MEMORY, "TimestampHz": [0], "Tags": TAGS,
                  "TlbSetsLog2": SETS, "Slots": SLOTS},
    "rf_device_linked": {"LocalMemoryLog2": LOCAL_MEMORY, "TimestampHz": [0],
                         "TlbSetsLog2": SETS, "Slots": SLOTS, "Millisecond": TICK},
    "rf_device_registers": {"LocalMemoryLog2": LOCAL_MEMORY, "TimestampHz": [0], "Tags": TAGS,
                            "Slots": SLOTS},
    "rf_doorbell": {"Slots": SLOTS},
    "rf_doorbell_token": {"IndexLog2": [1, 15], "Slots": SLOTS},
    "rf_ecp5_clock": {"Input": [0, 129], "Feedback": [0, 129], "Output": [0, 129]},
    "rf_ecp5_detect": {"IdleCycles": [0, 14, 4096], "EnableCycles": [0, 14, 4096],
                       "LimitCycles": [0, 7, 4096]},
    "rf_ecp5_reset": {"PulseCycles": CYCLES, "PllCycles": CYCLES, "CdrCycles": CYCLES,
                      "CheckCycles": CYCLES, "CheckErrors": [0, 64], "LimitLog2": [0, 3, 25]},
    "rf_engine_control": {"Words": [1, 9]},
    "rf_engine_port": {"Node": [2], "Master": [0, 4, 7]},
    "rf_engine_unit": {"Node": [2]},
    "rf_engine_watchdog": {"Node": [2]},
    "rf_event": {"HoldLog2": [0, 1, 17]},
    "rf_failure_box": {"Width": WIDTH, "Slots": SLOTS},
    "rf_fifo": {"Width": WIDTH, "DepthLog2": [0, 9]},
    "rf_head_fifo": {"Width": WIDTH, "DepthLog2": [1, 9]},
    "rf_link": {"Millisecond": TICK, "Downstream": [2]},
    "rf_link_ack": {"AckDelay": [0, 1, 201]},
    "rf_link_buffer": {"Width": WIDTH, "DepthLog2": [0, 1, 15]},
    "rf_link_console": {"Divider": DIVIDER, "ClockHz": CLOCK},
    "rf_link_credit": {"PostedHeaders": [0, 128], "PostedData": [0, 15, 2048],
                       "NonPostedHeaders": [0, 128], "NonPostedData": [0, 2048]},
    "rf_link_dllp": {"UpdateInterval": [0, 1, 7501]},
    "rf_link_elastic": {"DepthLog2": [0, 1, 9]},
    "rf_link_endpoint": {"Millisecond": TICK},
    "rf_link_physical": {"TickCycles": TICK, "Millisecond": TICK, "SkpInterval": SKP,
                         "Downstream": [2]},
    "rf_link_replay": {"ReplayLimit": [0, 710, 31001]},
    "rf_link_send": {"SkpInterval": SKP},
    "rf_local_memory": {"LocalMemoryLog2": LOCAL_MEMORY},
    "rf_lowest": {"Ports": PORTS},
    "rf_lowest_above": {"Ports": PORTS},
    "rf_ltssm": {"TickCycles": TICK, "Millisecond": TICK, "Downstream": [2]},
    "rf_lutram": {"Width": WIDTH, "DepthLog2": [0, 9]},
    "rf_memory": {"LocalMemoryLog2": LOCAL_MEMORY, "TlbSetsLog2": SETS},
    "rf_merge": {"Width": WIDTH},
    "rf_node": {"Node": [2]},
    "rf_node_position": {"Node": [2]},
    "rf_node_registers": {"Node": [2]},
    "rf_node_words": {"Node": [2]},
    "rf_offer_check": {"Width": WIDTH},
    "rf_or_late": {"Width": WIDTH, "Late": [0, 4]},
    "rf_pcie": {"LocalMemoryLog2": LOCAL_MEMORY, "Tags": TAGS, "Slots": SLOTS},
    "rf_pcie_config": {"LocalMemoryLog2": LOCAL_MEMORY},
    "rf_pcie_queue": {"Width": WIDTH, "DepthLog2": [0, 9]},
    "rf_pcie_receive": {"LocalMemoryLog2": LOCAL_MEMORY},
    "rf_pcie_requester": {"Tags": TAGS},
    "rf_phase_fifo": {"Width": [0, 65]},
    "rf_pulse_cross": {"Width": WIDTH},
    "rf_ram": {"Width": [0, 4, 12, 4104], "DepthLog2": [0, 29], "Lane": [7, 128]},
    "rf_read_fabric": {"LocalMemoryLog2": LOCAL_MEMORY},
    "rf_register_slice": {"Width": WIDTH},
    "rf_reverse_slice": {"Width": WIDTH},
    "rf_round_robin": {"Ports": PORTS},
    "rf_select": {"Ports": PORTS},
    "rf_serial_link": {"Divider": LINE_DIVIDER},
    "rf_serial_receive": {"SlotsLog2": [0, 7]},
    "rf_serial_transmit": {"SlotsLog2": [0, 7], "ReplayCycles": [0, 1073741825],
                           "TickCycles": [0, 1, 1073741825]},
    "rf_skid": {"Width": WIDTH},
    "rf_slot_access": {"Slots": SLOTS},
    "rf_slot_decode": {"Slots": SLOTS},
    "rf_slot_errors": {"Slots": SLOTS},
    "rf_slot_state": {"Slots": SLOTS},
    "rf_slots": {"Slots": SLOTS},
    "rf_stream_buffer": {"DepthLog2": [0, 17]},
    "rf_stream_read": {"Master": [0, 4, 7], "FirstId": [1, 8], "SlotsLog2": [0, 5],
                       "WordsLog2": [0, 6]},
    "rf_table_read": {"LocalMemoryLog2": LOCAL_MEMORY, "Walks": WALKS},
    "rf_tlb": {"SetsLog2": SETS},
    "rf_translate": {"LocalMemoryLog2": LOCAL_MEMORY, "Ports": [1, 12, 16], "SetsLog2": SETS,
                     "Walks": WALKS},
    "rf_translate_control": {"SetsLog2": SETS},
    "rf_um5g_85f_pcie": {"Input": [0, 129], "Feedback": [0, 129]},
    "rf_uart_receive": {"Divider": DIVIDER},
    "rf_uart_transmit": {"Divider": DIVIDER},
    "rf_wait": {"Slots": SLOTS},
    "rf_walker": {"LocalMemoryLog2": LOCAL_MEMORY, "Walks": WALKS},
    "rf_write_fabric": {"LocalMemoryLog2": LOCAL_MEMORY},
    "rf_write_performed": {"LocalMemoryLog2": LOCAL_MEMORY},
    "rf_write_queue": {"Entries": [0, 1, 3, 8]},
}


def modules():
    """The files of all modules, by name."""
    return {path.stem: path for path in sorted(RTL.rglob("rf_*.sv"))
            if CELLS not in path.parents and path not in PACKAGES}


def parameters(text):
    """The parameters of a module that have to be checked, and those that are."""
    text = re.sub(r"//.*", "", text)
    found = re.findall(r"\bparameter\s+([^=;]*?)\s*\b(\w+)\s*=", text)
    checks = " ".join(re.findall(r"\bif \(([^;]*?)\) begin[\s:\w]*\s*\$error\(", text))
    return [name for kind, name in found if not FREE.fullmatch(kind.strip())], checks


def unchecked(text):
    """The parameters of a module that no check names."""
    names, checks = parameters(text)
    return [name for name in names if not re.search(rf"\b{name}\b", checks)]


def elaborate(name, path, *options):
    """What Verilator says if it refuses the module, else ''."""
    folders = [option for folder in [RTL, *RTL.iterdir(), CELLS] if folder.is_dir()
               for option in ("-y", str(folder))]
    result = subprocess.run(
        ["verilator", "--lint-only", "-Wno-fatal", "-Wno-lint", "-Werror-USERERROR",
         "--top-module", name, *options, *folders, *map(str, PACKAGES), str(path)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False)
    return result.stdout if result.returncode else ""


def test_every_parameter_is_checked():
    """every parameter of every module is checked at elaboration"""
    for name, path in modules().items():
        missing = unchecked(path.read_text())
        assert not missing, f"{name}: {missing}"


def test_every_check_is_tried():
    """every parameter that is checked has values out of range"""
    for name, path in modules().items():
        wanted, _ = parameters(path.read_text())
        assert sorted(wanted) == sorted(BAD.get(name, {})), f"{name}: {wanted}"


def test_what_is_new_is_missed():
    """a parameter without a check is missed"""
    text = modules()["rf_fifo"].read_text()
    more = text.replace("parameter int unsigned Width = 8,",
                        "parameter int unsigned Width = 8,\n  parameter int New = 1,")
    assert more != text and unchecked(more) == ["New"]
    assert unchecked(re.sub(r"if \(Width[^)]*\)", "if (1'b0)", text)) == ["Width"]


def test_defaults_are_taken():
    """every module with parameters elaborates as it is"""
    files = modules()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for name, said in zip(BAD, pool.map(lambda name: elaborate(name, files[name]), BAD)):
            assert not said, f"{name}: {said}"


def test_out_of_range_is_refused():
    """every value out of range is refused, by the check"""
    files = modules()
    cases = [(name, f"-G{parameter}={value}") for name, bad in BAD.items()
             for parameter, values in bad.items() for value in values]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        results = pool.map(lambda case: elaborate(case[0], files[case[0]], case[1]), cases)
        for (name, option), said in zip(cases, results):
            assert said, f"{name} takes {option}"
            assert f"/{name}.sv" in said, f"{name} {option}: {said}"


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
