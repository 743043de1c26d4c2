// SPDX-License-Identifier: Apache-2.0
//
// The command processor: doorbells, queue slots and the two nodes. Wires only.
//
// Life of a ring: rf_doorbell finds the slot (one cycle), rf_slots takes the write
// pointer (one), the slot's node chooses it (one) and reads the ring: the read
// request stands three cycles after the ring.

`default_nettype none

module rf_command_processor (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  input  wire logic         slot_read_i,      // it is an access to a register
  input  wire logic         slot_write_i,
  input  wire logic [3:0]   slot_i,           // of this slot
  output logic [63:0]       register_data_o,  // two cycles later
  input  wire logic [63:0]  timestamp_i,

  input  wire logic         doorbell_valid_i,
  input  wire logic [3:0]   doorbell_page_i,
  input  wire logic [63:0]  doorbell_data_i,
  input  wire logic         doorbell_good_i,

  // Masters ReadFetchCompute and ReadFetchCopy.
  output logic [1:0]        read_valid_o,
  input  wire logic [1:0]   read_ready_i,
  output logic [2*rf_bus_pkg::ReadRequestWidth-1:0] read_o,
  input  wire logic         answer_valid_i,
  input  wire rf_bus_pkg::read_answer_t answer_i,

  // Per node.
  output logic [1:0]        fence_valid_o,
  input  wire logic [1:0]   fence_ready_i,
  output logic [2*rf_bus_pkg::FenceOperationWidth-1:0] fence_o,
  output logic [1:0]        engine_valid_o,
  input  wire logic [1:0]   engine_ready_i,
  output logic [2*rf_bus_pkg::EngineOperationWidth-1:0] engine_o,
  input  wire logic [1:0]   engine_done_i,
  input  wire logic [2*rf_bus_pkg::FailureWidth-1:0] engine_failure_i,
  output logic [1:0]        engine_abort_o,
  input  wire logic [63:0]  engine_progress_i,

  // Shared.
  output logic              wait_valid_o,
  input  wire logic         wait_ready_i,
  output      rf_bus_pkg::wait_operation_t wait_o,
  input  wire logic         fence_done_i,
  input  wire logic [3:0]   fence_done_slot_i,
  input  wire rf_bus_pkg::failure_t fence_failure_i,
  input  wire logic         fence_fault_i,     // MonitoredValue of a signal done before
  input  wire logic [3:0]   fence_fault_slot_i,
  input  wire rf_bus_pkg::failure_t fence_fault_failure_i,
  input  wire logic         release_valid_i,
  input  wire logic [3:0]   release_slot_i,
  input  wire logic         release_stalled_i, // the wait was not satisfied at its first read
  input  wire rf_bus_pkg::failure_t release_failure_i,
  output logic              cancel_valid_o,
  output logic [3:0]        cancel_slot_o,

  // Records: node 0, node 1, doorbells and queue errors.
  output logic [2:0]        record_valid_o,
  input  wire logic [2:0]   record_ready_i,
  output logic [3*rf_bus_pkg::RecordWidth-1:0] record_o,

  output logic              idle_o,

  // Events for the counters; [n] of node n.
  output logic              event_ring_o,
  output logic [1:0]        event_ring_fetch_o,
  output logic [1:0]        event_command_fetch_o,
  output logic [1:0]        event_packet_o,
  output logic [1:0]        event_wait_o,
  output logic [1:0]        event_stall_engine_o,
  output logic [1:0]        event_stall_fence_o,
  output logic [1:0]        event_stall_fetch_o,
  output logic [1:0]        event_busy_o,
  output logic [7:0]        node_slot_o   // slot that each node serves, or served last
);

  // --- doorbells and slots ---------------------------------------------------------------
  logic [15:0]  enabled, resample, resampling;
  logic [255:0] tokens;
  logic         offer_valid, offer_ready, resample_taken;
  logic [3:0]   resample_slot, ring_slot, status_slot;
  logic [63:0]  offer_data, doorbell_data, slots_data;
  logic         ring_valid, ring_moved, ring_repeated, ring_range;
  logic [47:0]  ring_write_pointer;
  logic         resample_fail_valid, resample_fail_ready;
  logic         doorbell_record_valid, doorbell_record_ready;
  logic         error_record_valid, error_record_ready;
  logic         doorbell_idle, slots_idle, resample_idle;
  rf_bus_pkg::failure_t resample_fail;
  rf_bus_pkg::record_t  doorbell_record, error_record;

  logic [1:0]  descriptor_write;
  logic [3:0]  descriptor_slot;
  logic [4:0]  descriptor_word;
  logic [63:0] descriptor_data;
  logic [31:0] runnable;
  logic [1:0]  coming;
  logic [1:0]  busy, work, in_buffer, halt, slot_error, wait_over, stalled;
  logic [1:0]  fences_none, buffer_begin, retire_valid, retire_ready;
  logic [1:0]  fence_issued, wait_issued, wait_done, stop, fail_valid, node_idle;
  logic [7:0]  load_slot;
  logic [25:0] read_pointer, write_pointer;
  logic [57:0] status_words;
  logic [2*rf_bus_pkg::FailureWidth-1:0] fail;

  rf_doorbell u_doorbell (
    .clk_i, .rst_ni,
    .doorbell_valid_i, .doorbell_page_i, .doorbell_data_i, .doorbell_good_i,
    .enabled_i(enabled), .tokens_i(tokens),
    .resample_valid_i(offer_valid), .resample_ready_o(offer_ready),
    .resample_slot_i(resample_slot), .resample_data_i(offer_data),
    .ring_valid_o(ring_valid), .ring_slot_o(ring_slot),
    .ring_write_pointer_o(ring_write_pointer), .ring_moved_i(ring_moved),
    .ring_repeated_i(ring_repeated), .ring_range_i(ring_range),
    .record_valid_o(doorbell_record_valid), .record_ready_i(doorbell_record_ready),
    .record_o(doorbell_record),
    .register_i, .register_data_o(doorbell_data), .idle_o(doorbell_idle)
  );

  rf_slots u_slots (
    .clk_i, .rst_ni, .register_i, .slot_read_i, .slot_write_i, .slot_i,
    .register_data_o(slots_data),
    .descriptor_write_o(descriptor_write), .descriptor_slot_o(descriptor_slot),
    .descriptor_word_o(descriptor_word), .descriptor_data_o(descriptor_data),
    .enabled_o(enabled), .tokens_o(tokens),
    .ring_valid_i(ring_valid), .ring_slot_i(ring_slot),
    .ring_write_pointer_i(ring_write_pointer), .ring_moved_o(ring_moved),
    .ring_repeated_o(ring_repeated), .ring_range_o(ring_range),
    .resample_o(resample), .resample_taken_i(resample_taken), .resample_slot_i(resample_slot),
    .resampling_i(resampling), .resample_fail_valid_i(resample_fail_valid),
    .resample_fail_ready_o(resample_fail_ready), .resample_fail_i(resample_fail),
    .runnable_o(runnable), .node_coming_o(coming), .node_busy_i(busy),
    .node_slot_i(node_slot_o), .node_load_slot_i(load_slot),
    .node_read_pointer_o(read_pointer), .node_write_pointer_o(write_pointer),
    .node_work_o(work), .node_in_buffer_o(in_buffer),
    .node_halt_o(halt), .node_error_o(slot_error), .node_wait_over_o(wait_over),
    .node_stalled_o(stalled), .node_fences_none_o(fences_none),
    .node_begin_i(buffer_begin),
    .node_retire_valid_i(retire_valid), .node_retire_ready_o(retire_ready),
    .node_fence_i(fence_issued), .node_wait_i(wait_issued), .node_wait_done_i(wait_done),
    .node_stop_i(stop), .node_fail_valid_i(fail_valid),
    .node_fail_i(fail), .status_slot_o(status_slot), .status_words_i(status_words),
    .fence_done_i, .fence_done_slot_i, .fence_failure_i,
    .fence_fault_i, .fence_fault_slot_i, .fence_fault_failure_i,
    .release_valid_i, .release_slot_i, .release_stalled_i, .release_failure_i,
    .cancel_valid_o, .cancel_slot_o,
    .record_valid_o(error_record_valid), .record_ready_i(error_record_ready),
    .record_o(error_record), .idle_o(slots_idle)
  );

  rf_merge #(.Width(rf_bus_pkg::RecordWidth)) u_record_merge (
    .clk_i, .rst_ni,
    .valid_i({doorbell_record_valid, error_record_valid}),
    .ready_o({doorbell_record_ready, error_record_ready}),
    .data_i({doorbell_record, error_record}),
    .valid_o(record_valid_o[2]), .ready_i(record_ready_i[2]),
    .data_o(record_o[2*rf_bus_pkg::RecordWidth +: rf_bus_pkg::RecordWidth])
  );

  // --- nodes ----------------------------------------------------------------------------------
  logic [1:0]   node_read_valid, node_read_ready, wait_valid, wait_ready;
  logic [127:0] node_data;
  rf_bus_pkg::read_request_t   read0, read1, read0_merged;
  rf_bus_pkg::wait_operation_t wait0, wait1;
  rf_bus_pkg::fence_operation_t fence0, fence1;
  rf_bus_pkg::engine_operation_t engine0, engine1;
  rf_bus_pkg::record_t record0, record1;
  rf_bus_pkg::failure_t fail0, fail1, failure0, failure1;
  assign {failure1, failure0} = engine_failure_i;

  rf_node #(.Node(0)) u_compute (
    .clk_i, .rst_ni, .register_i, .register_data_o(node_data[63:0]), .timestamp_i,
    .descriptor_write_i(descriptor_write), .descriptor_slot_i(descriptor_slot),
    .descriptor_word_i(descriptor_word), .descriptor_data_i(descriptor_data),
    .runnable_i(runnable[15:0]), .coming_i(coming[0]), .coming_slot_i(ring_slot),
    .busy_o(busy[0]), .slot_o(node_slot_o[3:0]), .load_slot_o(load_slot[3:0]),
    .read_pointer_i(read_pointer[12:0]), .write_pointer_i(write_pointer[12:0]),
    .work_i(work[0]), .in_buffer_i(in_buffer[0]),
    .halt_i(halt[0]), .slot_error_i(slot_error[0]), .wait_over_i(wait_over[0]),
    .stalled_i(stalled[0]), .fences_none_i(fences_none[0]),
    .begin_o(buffer_begin[0]), .retire_valid_o(retire_valid[0]),
    .retire_ready_i(retire_ready[0]), .fence_issued_o(fence_issued[0]),
    .wait_issued_o(wait_issued[0]), .wait_done_o(wait_done[0]), .stop_o(stop[0]),
    .fail_valid_o(fail_valid[0]), .fail_o(fail0),
    .status_slot_i(status_slot), .status_words_o(status_words[28:0]),
    .read_valid_o(node_read_valid[0]), .read_ready_i(node_read_ready[0]), .read_o(read0),
    .answer_valid_i(answer_valid_i && answer_i.master == rf_bus_pkg::ReadFetchCompute),
    .answer_i,
    .fence_valid_o(fence_valid_o[0]), .fence_ready_i(fence_ready_i[0]), .fence_o(fence0),
    .wait_valid_o(wait_valid[0]), .wait_ready_i(wait_ready[0]), .wait_o(wait0),
    .engine_valid_o(engine_valid_o[0]), .engine_ready_i(engine_ready_i[0]),
    .engine_o(engine0), .engine_done_i(engine_done_i[0]), .engine_failure_i(failure0),
    .engine_abort_o(engine_abort_o[0]), .engine_progress_i(engine_progress_i[31:0]),
    .record_valid_o(record_valid_o[0]), .record_ready_i(record_ready_i[0]),
    .record_o(record0), .idle_o(node_idle[0]),
    .event_ring_fetch_o(event_ring_fetch_o[0]),
    .event_command_fetch_o(event_command_fetch_o[0]), .event_packet_o(event_packet_o[0]),
    .event_wait_o(event_wait_o[0]), .event_stall_engine_o(event_stall_engine_o[0]),
    .event_stall_fence_o(event_stall_fence_o[0]),
    .event_stall_fetch_o(event_stall_fetch_o[0])
  );

  rf_node #(.Node(1)) u_copy (
    .clk_i, .rst_ni, .register_i, .register_data_o(node_data[127:64]), .timestamp_i,
    .descriptor_write_i(descriptor_write), .descriptor_slot_i(descriptor_slot),
    .descriptor_word_i(descriptor_word), .descriptor_data_i(descriptor_data),
    .runnable_i(runnable[31:16]), .coming_i(coming[1]), .coming_slot_i(ring_slot),
    .busy_o(busy[1]), .slot_o(node_slot_o[7:4]), .load_slot_o(load_slot[7:4]),
    .read_pointer_i(read_pointer[25:13]), .write_pointer_i(write_pointer[25:13]),
    .work_i(work[1]), .in_buffer_i(in_buffer[1]),
    .halt_i(halt[1]), .slot_error_i(slot_error[1]), .wait_over_i(wait_over[1]),
    .stalled_i(stalled[1]), .fences_none_i(fences_none[1]),
    .begin_o(buffer_begin[1]), .retire_valid_o(retire_valid[1]),
    .retire_ready_i(retire_ready[1]), .fence_issued_o(fence_issued[1]),
    .wait_issued_o(wait_issued[1]), .wait_done_o(wait_done[1]), .stop_o(stop[1]),
    .fail_valid_o(fail_valid[1]), .fail_o(fail1),
    .status_slot_i(status_slot), .status_words_o(status_words[57:29]),
    .read_valid_o(node_read_valid[1]), .read_ready_i(node_read_ready[1]), .read_o(read1),
    .answer_valid_i(answer_valid_i && answer_i.master == rf_bus_pkg::ReadFetchCopy),
    .answer_i,
    .fence_valid_o(fence_valid_o[1]), .fence_ready_i(fence_ready_i[1]), .fence_o(fence1),
    .wait_valid_o(wait_valid[1]), .wait_ready_i(wait_ready[1]), .wait_o(wait1),
    .engine_valid_o(engine_valid_o[1]), .engine_ready_i(engine_ready_i[1]),
    .engine_o(engine1), .engine_done_i(engine_done_i[1]), .engine_failure_i(failure1),
    .engine_abort_o(engine_abort_o[1]), .engine_progress_i(engine_progress_i[63:32]),
    .record_valid_o(record_valid_o[1]), .record_ready_i(record_ready_i[1]),
    .record_o(record1), .idle_o(node_idle[1]),
    .event_ring_fetch_o(event_ring_fetch_o[1]),
    .event_command_fetch_o(event_command_fetch_o[1]), .event_packet_o(event_packet_o[1]),
    .event_wait_o(event_wait_o[1]), .event_stall_engine_o(event_stall_engine_o[1]),
    .event_stall_fence_o(event_stall_fence_o[1]),
    .event_stall_fetch_o(event_stall_fetch_o[1])
  );

  assign fail     = {fail1, fail0};
  assign fence_o  = {fence1, fence0};
  assign engine_o = {engine1, engine0};
  assign record_o[2*rf_bus_pkg::RecordWidth-1:0] = {record1, record0};

  // --- what the nodes share -------------------------------------------------------------------
  rf_resample u_resample (
    .clk_i, .rst_ni,
    .descriptor_write_i(descriptor_write), .descriptor_slot_i(descriptor_slot),
    .descriptor_word_i(descriptor_word), .descriptor_data_i(descriptor_data),
    .request_i(resample), .taken_o(resample_taken),
    .slot_o(resample_slot), .resampling_o(resampling),
    .node_read_valid_i(node_read_valid[0]), .node_read_ready_o(node_read_ready[0]),
    .node_read_i(read0), .read_valid_o(read_valid_o[0]), .read_ready_i(read_ready_i[0]),
    .read_o(read0_merged), .answer_valid_i, .answer_i,
    .offer_valid_o(offer_valid), .offer_ready_i(offer_ready), .offer_data_o(offer_data),
    .fail_valid_o(resample_fail_valid), .fail_ready_i(resample_fail_ready),
    .fail_o(resample_fail), .idle_o(resample_idle)
  );
  assign read_valid_o[1]    = node_read_valid[1];
  assign node_read_ready[1] = read_ready_i[1];
  assign read_o             = {read1, read0_merged};

  // WAITs of the two nodes in turn.
  rf_merge #(.Width(rf_bus_pkg::WaitOperationWidth)) u_wait_merge (
    .clk_i, .rst_ni, .valid_i(wait_valid), .ready_o(wait_ready), .data_i({wait1, wait0}),
    .valid_o(wait_valid_o), .ready_i(wait_ready_i), .data_o(wait_o)
  );

  // The slots answer two cycles after the access, the others one.
  logic [63:0] others_data_q;
  always_ff @(posedge clk_i) begin
    others_data_q <= doorbell_data | node_data[63:0] | node_data[127:64];
  end
  assign register_data_o = others_data_q | slots_data;

  assign event_ring_o    = ring_moved;
  assign event_busy_o    = busy;
  assign idle_o          = doorbell_idle && slots_idle && resample_idle && (node_idle == '1);

endmodule

`default_nettype wire
