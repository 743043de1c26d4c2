#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every port of the RTL with valid and ready has an assertion that an offer stays.

It is an rf_offer_check in the module that offers, or what OFFERED names: the assertion of a
neighbour through which the offer passes, the proof of a cell, or why an offer may be withdrawn.
"""

import pathlib
import re
import sys
import tomllib

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]

# port: "assert MODULE.LABEL ...", of the module that the offer comes from or goes to; "proof NAME";
# or "withdrawn: " and why
OFFERED = {
    # cp/, sched/
    "rf_command_processor.offer0_o.engine_valid": "assert rf_node.engine_stays",
    "rf_command_processor.offer0_o.fence_valid": "assert rf_node.fence_stays",
    "rf_command_processor.offer1_o.engine_valid": "assert rf_node.engine_stays",
    "rf_command_processor.offer1_o.fence_valid": "assert rf_node.fence_stays",
    "rf_command_processor.read_valid_o": "assert rf_fetch.read_stays rf_context.read_stays",
    "rf_command_processor.record_valid_o": "assert rf_node.record_stays rf_merge.sources_hold",
    "rf_command_processor.write_o.data_valid": "assert rf_context.word_stays",
    "rf_command_processor.write_o.valid": "assert rf_context.write_stays",
    "rf_fetch.buffer_valid_o": "withdrawn: start_i drops what was fetched before",
    "rf_node.read_valid_o": "assert rf_fetch.read_stays",
    "rf_node_issue.engine_valid_o": "assert rf_node.engine_stays",
    "rf_node_issue.fence_valid_o": "assert rf_node.fence_stays",
    "rf_node_issue.record_valid_o": "assert rf_node.record_stays",
    "rf_node_issue.retire_valid_o": "assert rf_node.retire_stays",
    "rf_node_issue.wait_valid_o": "assert rf_node.wait_stays",
    "rf_slots.record_valid_o": "assert rf_slot_errors.record_stays",
    # engine/: the offers of an engine end with its reset, behind which rf_engine_port stands
    "rf_engine_copy.read_valid_o": "assert rf_engine_unit.offered_read_stays",
    "rf_engine_copy.write_valid_o": "assert rf_engine_unit.offered_write_stays",
    "rf_engine_copy.write_data_valid_o": "assert rf_engine_port.offered_word_stays",
    "rf_engine_port.operation_valid_o": "assert rf_node.engine_stays",
    "rf_engine_port.read_valid_o": "assert rf_engine_unit.offered_read_stays",
    "rf_engine_port.write_valid_o": "assert rf_engine_unit.offered_write_stays",
    "rf_engine_unit.record_valid_o": "proof rf_merge",
    "rf_engine_unit.write_data_valid_o": "assert rf_engine_port.offered_word_stays",
    "rf_engine_vector.read_valid_o": "assert rf_engine_unit.offered_read_stays",
    "rf_engine_vector.write_valid_o": "assert rf_engine_unit.offered_write_stays",
    "rf_engine_vector.write_data_valid_o": "assert rf_engine_port.offered_word_stays",
    "rf_engine_watchdog.record_valid_o": "assert rf_merge.sources_hold",
    "rf_stream_read.read_valid_o": "assert rf_engine_unit.offered_read_stays",
    "rf_stream_read.valid_o": "assert rf_stream_buffer.word_stays",
    "rf_stream_write.write_valid_o": "assert rf_engine_unit.offered_write_stays",
    "rf_stream_write.write_data_valid_o": "assert rf_engine_port.offered_word_stays",
    # fence/
    "rf_fence.read_valid_o":
        "assert rf_fence_compare.read_offer_stays rf_fence_update.read_offer_stays",
    "rf_fence.record_valid_o":
        "assert rf_fence_compare.record_offer_stays rf_fence_update.record_offer_stays",
    "rf_fence.write_valid_o":
        "assert rf_fence_write.write_offer_stays rf_fence_update.write_offer_stays",
    "rf_fence.write_data_valid_o":
        "assert rf_fence_write.word_offer_stays rf_fence_update.word_offer_stays",
    "rf_fence_log.store_valid_o": "assert rf_fence_write.state_offer_stays",
    "rf_peer.reread_valid_o": "assert rf_peer_receive.reread_stays",
    "rf_peer.write_o.data_valid": "assert rf_peer_send.word_stays",
    "rf_peer.write_o.valid": "assert rf_peer_send.write_stays",
    "rf_record_merge.valid_o": "proof rf_merge",
    "rf_wait.read_valid_o": "assert rf_wait_service.read_offer_stays",
    "rf_wait.wait_translate_valid_o": "assert rf_wait_service.translation_offer_stays",
    # lib/: valid of these is a register, or their input's
    "rf_fifo.valid_o": "proof rf_fifo",
    "rf_head_fifo.valid_o": "proof rf_head_fifo",
    "rf_merge.valid_o": "proof rf_merge",
    "rf_register_slice.valid_o": "proof rf_register_slice",
    "rf_reverse_slice.valid_o": "proof rf_reverse_slice",
    "rf_skid.valid_o": "proof rf_skid",
    "rf_write_share.write_valid_o": "assert rf_merge.sources_hold",
    # link/
    "rf_link_data.packet_valid_o": "assert rf_link_frame.packet_stays",
    "rf_link_dllp.dllp_valid_o": "withdrawn: the newest DLLP is offered, and none while quiet_i",
    "rf_link_endpoint.rx_tlp_valid_o": "assert rf_link_to_tlp.beat_stays",
    # mem/, mmu/
    "rf_memory.system_write_valid_o": "withdrawn: a beat of a system write",
    "rf_read_fabric.system_valid_o": "assert rf_table_read.offered_system_read_stays",
    "rf_read_fabric.translate_valid_o": "assert rf_translate.request_stays",
    "rf_translate.read_valid_o": "assert rf_table_read.offered_read_stays",
    "rf_walker.read_valid_o": "assert rf_table_read.offered_read_stays",
    "rf_write_arbiter.system_valid_o": "withdrawn: a beat of a system write",
    "rf_write_fabric.system_valid_o": "withdrawn: a beat of a system write",
    "rf_write_fabric.translate_valid_o": "assert rf_translate.request_stays",
    "rf_write_requests.translate_valid_o": "assert rf_translate.request_stays",
    # pcie/
    "rf_device.tx_read_tlp_valid_o": "assert rf_pcie_transmit.read_stays",
    "rf_device.tx_tlp_valid_o": "assert rf_pcie_transmit.beat_stays",
    "rf_msix.message_valid_o": "withdrawn: not in the cycle of a read of the table",
    "rf_pcie.local_read_valid_o": "assert rf_memory.offered_local_read_stays",
    "rf_pcie.local_write_valid_o": "assert rf_memory.offered_local_write_stays",
    "rf_pcie.tx_read_tlp_valid_o": "assert rf_pcie_transmit.read_stays",
    "rf_pcie.tx_tlp_valid_o": "assert rf_pcie_transmit.beat_stays",
    "rf_pcie_completer.local_read_valid_o": "assert rf_memory.offered_local_read_stays",
    "rf_pcie_queue.valid_o": "proof rf_pcie_queue",
    "rf_pcie_requester.header_valid_o": "withdrawn: when bus mastering ends",
    "rf_pcie_writer.local_write_valid_o": "assert rf_memory.offered_local_write_stays",
    # serial/
    "rf_serial_link.rx_tlp_valid_o": "assert rf_bytes_to_tlp.beat_stays",
}


def without_comments(text):
    """SystemVerilog without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def sources():
    """{module: text} of the RTL."""
    return {path.stem: without_comments(path.read_text()) for path in (ROOT / "rtl").rglob("*.sv")}


def offer_types(texts):
    """{type: its *valid members} of the package's structs *_offer_t; ready is in another struct."""
    structs = re.findall(r"\bstruct packed \{([^}]*)\} (\w+_offer_t);", texts["rf_bus_pkg"])
    return {name: re.findall(r"\b(\w*valid);", members) for members, name in structs}


def offers(text, types):
    """The outputs *valid_o of a module for which there is an input *ready_i, and the valid members
    of its outputs of these types."""
    header = re.search(r"\bmodule\s.*?\);", text, re.S)
    if not header:
        return []
    valid = re.findall(r"\boutput\b[^,;]*?\b(\w*valid_o)\b", header[0])
    ready = re.findall(r"\binput\b[^,;]*?\b(\w*ready_i)\b", header[0])
    structs = re.findall(r"\boutput\s+(?:wire\s+)?rf_bus_pkg::(\w+_offer_t)\s+(\w+)", header[0])
    return [name for name in valid if name[:-len("valid_o")] + "ready_i" in ready] + [
        f"{name}.{member}" for kind, name in structs for member in types[kind]]


def checked(text, valid):
    """Whether a module has an rf_offer_check of this output."""
    return any(re.search(rf"\.valid_i\([^)]*\b{re.escape(valid)}\b", check)
               for check in re.findall(r"\brf_offer_check\b.*?;", text, re.S))


def asserts(text, label):
    """Whether a module asserts this, itself or by an rf_offer_check."""
    return re.search(rf"\b{label}: assert\b|\brf_offer_check\b[^;]*\s{label} \(", text)


def problems(texts, offered):
    """What is wrong with the offers of these modules and the table."""
    proofs = tomllib.loads((ROOT / "tests/formal/proofs.toml").read_text())
    types = offer_types(texts)
    said, found = [], set()
    for module, text in sorted(texts.items()):
        for valid in offers(text, types):
            port = f"{module}.{valid}"
            if checked(text, valid):
                continue
            found.add(port)
            kind, _, what = offered.get(port, "nothing").partition(" ")
            if kind == "nothing":
                said.append(f"{port}: no rf_offer_check")
            elif kind == "proof" and what not in proofs:
                said.append(f"{port}: no proof {what}")
            elif kind == "assert":
                for name in what.split():
                    inside, label = name.split(".")
                    if not asserts(texts.get(inside, ""), label):
                        said.append(f"{port}: no assertion {name}")
    said += [f"{port}: no such offer without a check" for port in offered if port not in found]
    return said


def test_every_offer():
    """every offer is checked where it is made, or the table says where"""
    said = problems(sources(), OFFERED)
    assert not said, "\n".join(said)


def test_what_is_removed_is_missed():
    """a check that is removed is missed, whether its own port or the table names it"""
    for module, label, port in (("rf_link_unpack", "word_stays", "rf_link_unpack.tx_valid_o"),
                                ("rf_fetch", "read_stays", "rf_fetch.read_valid_o"),
                                ("rf_node", "fence_stays", "rf_node_issue.fence_valid_o"),
                                ("rf_command_processor", "wait_stays",
                                 "rf_command_processor.wait_o.valid"),
                                ("rf_peer_send", "word_stays", "rf_peer.write_o.data_valid")):
        texts = sources()
        texts[module] = re.sub(rf"\brf_offer_check\b[^;]*\s{label} \([^;]*;", "", texts[module])
        said = problems(texts, OFFERED)
        assert any(line.startswith(f"{port}: no ") for line in said), (port, said)


def test_table():
    """a row without an offer, an assertion or a proof is found"""
    texts = sources()
    assert problems(texts, {**OFFERED, "rf_fifo.valid_o": "proof none"}) == [
        "rf_fifo.valid_o: no proof none"]
    assert problems(texts, {**OFFERED, "rf_fifo.valid_o": "assert rf_merge.none"}) == [
        "rf_fifo.valid_o: no assertion rf_merge.none"]
    assert problems(texts, {**OFFERED, "rf_fifo.none": "proof rf_fifo"}) == [
        "rf_fifo.none: no such offer without a check"]


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
