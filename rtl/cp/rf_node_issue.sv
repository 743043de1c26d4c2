// SPDX-License-Identifier: Apache-2.0
//
// Where the packet that the decoder shows goes, and when. rf_fence keeps the fence operations of a
// queue in order, so they wait only for engine work, like every packet that is not engine work;
// BARRIER, TRAP and SOFTWARE_SIGNAL wait for both. A packet waits for the words of the previous
// one (words_idle_i). The entry retires when its last packet was issued and the engine is done.
// Promises: with go_i held while offered_next_o is set, an offer stays until it is accepted.

`default_nettype none

module rf_node_issue (
  input  wire logic         go_i,            // packets may go: known a cycle ahead
  input  wire logic         begin_i,         // the decoder shows the begin of a buffer,
  input  wire logic         packet_i,        // a packet,
  input  wire logic         end_i,           // or the end
  /* verilator lint_off UNUSEDSIGNAL */ // some fields only
  input  wire rf_bus_pkg::decoded_packet_t decoded_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic         words_idle_i,
  input  wire logic         engine_idle_i,
  input  wire logic         engine_room_i,
  input  wire logic         wait_over_i,     // the WAIT shown is satisfied
  input  wire logic         fences_none_i,   // no fence operation is under way

  output logic              fence_valid_o,
  input  wire logic         fence_ready_i,
  output logic              wait_valid_o,
  input  wire logic         wait_ready_i,
  output logic              engine_valid_o,
  input  wire logic         engine_ready_i,
  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output logic              retire_valid_o,
  input  wire logic         retire_ready_i,

  output logic              begins_o,        // a buffer
  output logic              packet_done_o,   // its unit has it; a WAIT: it is over
  output logic              wait_done_o,
  output logic              item_done_o,     // the decoder goes on
  output logic              offered_next_o,  // what is on offer is not taken
  output logic              stall_engine_o,  // the packet waits for engine work,
  output logic              stall_fence_o    // for fence operations or their unit
);

  logic wait_log, quiet, free, to_fence, to_wait, to_engine, to_record, to_nobody, to_retire;
  logic taken;
  assign wait_log  = decoded_i.is_wait && wait_over_i && decoded_i.log;
  assign quiet     = engine_idle_i && fences_none_i;
  assign free      = packet_i && words_idle_i;
  assign to_fence  = free && engine_idle_i && (wait_log || decoded_i.is_fence);
  assign to_wait   = free && engine_idle_i && decoded_i.is_wait && !wait_over_i;
  assign to_engine = free && decoded_i.is_engine && engine_room_i;
  assign to_record = free && decoded_i.is_record && quiet;
  assign to_nobody = packet_i && engine_idle_i &&
                     (decoded_i.is_nop || (decoded_i.is_barrier && quiet) ||
                      (decoded_i.is_wait && wait_over_i && !decoded_i.log));
  assign to_retire = end_i && engine_idle_i;

  assign fence_valid_o  = go_i && to_fence;
  assign wait_valid_o   = go_i && to_wait;
  assign engine_valid_o = go_i && to_engine;
  assign record_valid_o = go_i && to_record;
  assign retire_valid_o = go_i && to_retire;
  assign begins_o       = go_i && begin_i;

  assign taken         = (to_fence && fence_ready_i) || (to_engine && engine_ready_i) ||
                         (to_record && record_ready_i) || to_nobody;
  assign packet_done_o = go_i && taken;
  assign wait_done_o   = packet_done_o && decoded_i.is_wait;

  // The decoder goes on behind an unlogged WAIT at once: its next packet is ready
  // at the release. A logged one stays for its log entry.
  assign item_done_o    = go_i && (taken || (to_wait && wait_ready_i && !decoded_i.log) ||
                                   begin_i || (to_retire && retire_ready_i));
  assign offered_next_o = go_i && ((to_fence && !fence_ready_i) || (to_wait && !wait_ready_i) ||
                                   (to_engine && !engine_ready_i) ||
                                   (to_record && !record_ready_i) ||
                                   (to_retire && !retire_ready_i));

  assign stall_engine_o = go_i && packet_i && !engine_idle_i &&
                          (!decoded_i.is_engine || !engine_ready_i);
  assign stall_fence_o  = go_i && packet_i && engine_idle_i && !packet_done_o &&
                          (decoded_i.is_fence || wait_log || decoded_i.is_barrier ||
                           decoded_i.is_record);

endmodule

`default_nettype wire
