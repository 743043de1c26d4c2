// SPDX-License-Identifier: Apache-2.0
//
// The command processor: doorbells, queue slots, their contexts and the two nodes.
// Little but wires.
//
// Life of a ring: rf_doorbell finds the slot (one cycle), rf_slots takes the write
// pointer (one), the slot's node chooses it (one) and reads the ring: the read
// request stands three cycles after the ring.

`default_nettype none

module rf_command_processor (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_host_i, // accesses of the host
  input  wire rf_bus_pkg::register_request_t register_i, // also those of contexts, to slots
  input  wire rf_bus_pkg::slot_access_t slot_access_i,
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
  input  wire logic [1:0]   answer_to_i,      // it is to this one of them
  input  wire rf_bus_pkg::read_answer_t answer_i,

  // Per node.
  output logic [2*64-1:0]   word_o,           // of its operation for a fence or an engine
  output logic [1:0]        fence_valid_o,
  input  wire logic [1:0]   fence_ready_i,
  output logic [2*rf_bus_pkg::FenceOperationWidth-1:0] fence_o,
  output logic [1:0]        engine_valid_o,
  input  wire logic [1:0]   engine_ready_i,
  output logic [2*rf_bus_pkg::EngineOperationWidth-1:0] engine_o,
  input  wire logic [1:0]   engine_done_i,
  input  wire logic [2*rf_bus_pkg::FailureWidth-1:0] engine_failure_i,
  output logic [1:0]        engine_abort_o,
  output logic [1:0]        engine_preempt_o,
  input  wire logic [1:0]   engine_preempted_i, // with done
  input  wire logic [63:0]  engine_progress_i,
  input  wire logic [127:0] engine_partial_i,

  // Shared.
  output logic              wait_valid_o,
  input  wire logic         wait_ready_i,
  output      rf_bus_pkg::wait_operation_t wait_o,
  output logic [63:0]       wait_word_o,
  input  wire rf_bus_pkg::slot_result_t fence_done_i,
  output      rf_bus_pkg::slot_event_t restart_o, // this slot was disabled and is enabled
  input  wire rf_bus_pkg::slot_result_t fence_fault_i, // MonitoredValue of a signal done before
  input  wire logic         release_valid_i,
  input  wire logic [3:0]   release_slot_i,
  input  wire logic         release_stalled_i, // the wait was not satisfied at its first read
  input  wire rf_bus_pkg::failure_t release_failure_i,
  output      rf_bus_pkg::slot_event_t cancel_o, // its wait

  // Records: node 0, node 1, doorbells and queue errors.
  output logic [2:0]        record_valid_o,
  input  wire logic [2:0]   record_ready_i,
  input  wire logic [8:0]   record_show_i,    // word of source n that is shown, at [n*3]; one-hot
  output logic [3*64-1:0]   record_o,

  // Second master of the register bus, behind the host's accesses, and its answers.
  output      rf_bus_pkg::register_request_t context_register_o,
  output      rf_bus_pkg::slot_access_t context_access_o,
  input  wire logic         context_register_ready_i,
  input  wire logic [63:0]  context_answer_i,
  // Contexts on their way to memory.
  output logic              write_valid_o,
  input  wire logic         write_ready_i,
  output      rf_bus_pkg::write_request_t write_o,
  output logic              write_data_valid_o,
  input  wire logic         write_data_ready_i,
  output logic [63:0]       write_data_o,
  input  wire logic         write_done_i,
  input  wire logic [2:0]   write_done_status_i,
  // Does rf_fence still compare for this slot?
  output logic [3:0]        asked_slot_o,
  input  wire logic         comparing_i,

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
  logic [15:0]  enabled, resample;
  logic         config_write, ring_by_token;
  logic         offer_valid, offer_ready, resample_taken, resample_done;
  logic [3:0]   ring_slot;
  logic [63:0]  offer_data, doorbell_data, slots_data;
  logic         ring_valid, ring_moved, ring_repeated, ring_range;
  logic [47:0]  ring_write_pointer;
  logic         resample_fail_valid, resample_fail_ready;
  logic         doorbell_record_valid, doorbell_record_ready;
  logic         error_record_valid, error_record_ready;
  logic         doorbell_idle, slots_idle;
  rf_bus_pkg::failure_t resample_fail;
  rf_bus_pkg::record_t  doorbell_record, error_record;

  logic [1:0]  descriptor_write;
  logic [3:0]  descriptor_slot;
  logic [4:0]  descriptor_word;
  logic [63:0] descriptor_data;
  logic [31:0] runnable, here;
  logic [1:0]  coming;
  logic [1:0]  busy, work, in_buffer, halt, slot_error, wait_over, stalled;
  logic [1:0]  fences_none, buffer_begin, retire_valid, retire_ready;
  logic [1:0]  fence_issued, wait_issued, wait_done, stop, fail_valid, node_idle;
  logic [7:0]  load_slot;
  logic [25:0] read_pointer, write_pointer;
  logic [57:0] node_words;
  logic [31:0] eligible, turn;
  logic [1:0]  waited, spent, served, store, load, memory_ready;
  logic [7:0]  memory_slot;
  logic [9:0]  number;
  logic [127:0] store_data;
  logic [63:0] load_data;
  logic [15:0] parked, restore;
  logic        saved, restoring, context_idle;
  logic [3:0]  context_slot;
  logic        context_record_valid, context_record_ready, host_record_valid, host_record_ready;
  rf_bus_pkg::record_t context_record;
  logic [2:0]  host_show;
  logic [5:0]  host_shows, other_shows;
  logic [63:0] doorbell_word, error_word, context_word, host_word;
  logic [2*rf_bus_pkg::FailureWidth-1:0] fail;

  assign config_write = descriptor_write[0] && descriptor_word == rf_pkg::RegSlotConfig[7:3];
  rf_doorbell u_doorbell (
    .clk_i, .rst_ni,
    .doorbell_valid_i, .doorbell_page_i, .doorbell_data_i, .doorbell_good_i,
    .enabled_i(enabled), .config_write_i(config_write), .config_slot_i(descriptor_slot),
    .config_token_i(descriptor_data[rf_pkg::SlotConfigTokenLsb +: 16]),
    .resample_valid_i(offer_valid), .resample_ready_o(offer_ready),
    .resample_slot_i(context_slot), .resample_data_i(offer_data),
    .ring_valid_o(ring_valid), .ring_by_token_o(ring_by_token), .ring_slot_o(ring_slot),
    .ring_write_pointer_o(ring_write_pointer), .ring_moved_i(ring_moved),
    .ring_repeated_i(ring_repeated), .ring_range_i(ring_range),
    .record_valid_o(doorbell_record_valid), .record_ready_i(doorbell_record_ready),
    .record_o(doorbell_record),
    .register_i(register_host_i), .slot_write_i(slot_access_i.write),
    .register_data_o(doorbell_data),
    .idle_o(doorbell_idle)
  );

  logic                 release_valid, release_stalled, release_idle;
  logic [3:0]           release_slot;
  rf_bus_pkg::failure_t release_failure;

  rf_release u_release (
    .clk_i, .rst_ni, .release_valid_i, .release_slot_i, .release_stalled_i, .release_failure_i,
    .cancel_valid_i(cancel_o.valid), .cancel_slot_i(cancel_o.slot),
    .release_valid_o(release_valid), .release_slot_o(release_slot),
    .release_stalled_o(release_stalled), .release_failure_o(release_failure),
    .idle_o(release_idle)
  );

  rf_slots u_slots (
    .clk_i, .rst_ni, .register_i, .slot_access_i,
    .register_data_o(slots_data),
    .descriptor_write_o(descriptor_write), .descriptor_slot_o(descriptor_slot),
    .descriptor_word_o(descriptor_word), .descriptor_data_o(descriptor_data),
    .restart_o, .enabled_o(enabled),
    .ring_valid_i(ring_valid), .ring_by_token_i(ring_by_token), .ring_slot_i(ring_slot),
    .ring_write_pointer_i(ring_write_pointer), .ring_moved_o(ring_moved),
    .ring_repeated_o(ring_repeated), .ring_range_o(ring_range),
    .resample_o(resample), .resample_taken_i(resample_taken), .resample_done_i(resample_done),
    .resample_slot_i(context_slot), .resample_fail_valid_i(resample_fail_valid),
    .resample_fail_ready_o(resample_fail_ready), .resample_fail_i(resample_fail),
    .runnable_o(runnable), .eligible_o(eligible), .turn_o(turn),
    .node_coming_o(coming), .node_busy_i(busy),
    .node_slot_i(node_slot_o), .node_here_i(here), .node_load_slot_i(load_slot),
    .node_read_pointer_o(read_pointer), .node_write_pointer_o(write_pointer),
    .node_work_o(work), .node_in_buffer_o(in_buffer),
    .node_halt_o(halt), .node_error_o(slot_error), .node_wait_over_o(wait_over),
    .node_stalled_o(stalled), .node_waited_o(waited),
    .node_fences_none_o(fences_none),
    .node_begin_i(buffer_begin),
    .node_retire_valid_i(retire_valid), .node_retire_ready_o(retire_ready),
    .node_fence_i(fence_issued), .node_wait_i(wait_issued), .node_wait_done_i(wait_done),
    .node_stop_i(stop), .node_fail_valid_i(fail_valid),
    .node_fail_i(fail), .node_words_i(node_words), .node_spent_i(spent),
    .node_served_i(served), .node_store_i(store), .node_load_i(load),
    .node_memory_ready_o(memory_ready), .node_memory_slot_i(memory_slot),
    .node_number_i(number), .node_data_i(store_data), .node_data_o(load_data),
    .parked_o(parked), .restore_o(restore), .saved_i(saved), .restoring_i(restoring),
    .context_slot_i(context_slot), .scan_slot_o(asked_slot_o), .scan_comparing_i(comparing_i),
    .fence_done_i, .fence_fault_i,
    .release_valid_i(release_valid), .release_slot_i(release_slot),
    .release_stalled_i(release_stalled), .release_failure_i(release_failure),
    .cancel_o,
    .record_valid_o(error_record_valid), .record_ready_i(error_record_ready),
    .record_o(error_record), .idle_o(slots_idle)
  );

  rf_record_word u_error_record (
    .record_i(error_record), .show_i(host_shows[2:0]), .word_o(error_word)
  );
  rf_record_word u_doorbell_record (
    .record_i(doorbell_record), .show_i(host_shows[5:3]), .word_o(doorbell_word)
  );
  rf_record_word u_context_record (
    .record_i(context_record), .show_i(other_shows[5:3]), .word_o(context_word)
  );
  rf_record_merge u_record_merge (
    .clk_i, .rst_ni,
    .valid_i({doorbell_record_valid, error_record_valid}),
    .ready_o({doorbell_record_ready, error_record_ready}),
    .show_o(host_shows), .word_i({doorbell_word, error_word}),
    .valid_o(host_record_valid), .ready_i(host_record_ready), .show_i(host_show),
    .word_o(host_word)
  );
  assign host_show = other_shows[2:0];
  rf_record_merge u_context_record_merge (
    .clk_i, .rst_ni,
    .valid_i({context_record_valid, host_record_valid}),
    .ready_o({context_record_ready, host_record_ready}),
    .show_o(other_shows), .word_i({context_word, host_word}),
    .valid_o(record_valid_o[2]), .ready_i(record_ready_i[2]), .show_i(record_show_i[8:6]),
    .word_o(record_o[191:128])
  );

  // --- nodes ----------------------------------------------------------------------------------
  logic [1:0]   node_read_valid, node_read_ready, wait_valid, wait_ready;
  logic [127:0] node_data;
  rf_bus_pkg::read_request_t   read0, read1;
  rf_bus_pkg::wait_operation_t wait0, wait1;
  rf_bus_pkg::fence_operation_t fence0, fence1;
  rf_bus_pkg::engine_operation_t engine0, engine1;
  rf_bus_pkg::failure_t fail0, fail1, failure0, failure1;
  assign {failure1, failure0} = engine_failure_i;

  rf_node #(.Node(0)) u_compute (
    .clk_i, .rst_ni, .register_i(register_host_i), .register_data_o(node_data[63:0]),
    .timestamp_i,
    .descriptor_write_i(descriptor_write), .descriptor_slot_i(descriptor_slot),
    .descriptor_word_i(descriptor_word), .descriptor_data_i(descriptor_data),
    .runnable_i(runnable[15:0]), .eligible_i(eligible[15:0]), .turn_i(turn[15:0]),
    .coming_i(coming[0]), .coming_slot_i(ring_slot),
    .busy_o(busy[0]), .slot_o(node_slot_o[3:0]), .here_o(here[15:0]),
    .load_slot_o(load_slot[3:0]),
    .read_pointer_i(read_pointer[12:0]), .write_pointer_i(write_pointer[12:0]),
    .work_i(work[0]), .in_buffer_i(in_buffer[0]),
    .halt_i(halt[0]), .slot_error_i(slot_error[0]), .wait_over_i(wait_over[0]),
    .stalled_i(stalled[0]), .waited_i(waited[0]), .spent_o(spent[0]),
    .served_o(served[0]), .fences_none_i(fences_none[0]),
    .begin_o(buffer_begin[0]), .retire_valid_o(retire_valid[0]),
    .retire_ready_i(retire_ready[0]), .fence_issued_o(fence_issued[0]),
    .wait_issued_o(wait_issued[0]), .wait_done_o(wait_done[0]), .stop_o(stop[0]),
    .fail_valid_o(fail_valid[0]), .fail_o(fail0),
    .words_o(node_words[28:0]), .store_o(store[0]), .load_o(load[0]),
    .memory_ready_i(memory_ready[0]), .memory_slot_o(memory_slot[3:0]),
    .number_o(number[4:0]), .store_data_o(store_data[63:0]), .load_data_i(load_data),
    .read_valid_o(node_read_valid[0]), .read_ready_i(node_read_ready[0]), .read_o(read0),
    .answer_valid_i(answer_to_i[0]), .answer_i,
    .word_o(word_o[63:0]),
    .fence_valid_o(fence_valid_o[0]), .fence_ready_i(fence_ready_i[0]), .fence_o(fence0),
    .wait_valid_o(wait_valid[0]), .wait_ready_i(wait_ready[0]), .wait_o(wait0),
    .engine_valid_o(engine_valid_o[0]), .engine_ready_i(engine_ready_i[0]),
    .engine_o(engine0), .engine_done_i(engine_done_i[0]), .engine_failure_i(failure0),
    .engine_abort_o(engine_abort_o[0]), .engine_preempt_o(engine_preempt_o[0]),
    .engine_preempted_i(engine_preempted_i[0]), .engine_progress_i(engine_progress_i[31:0]),
    .engine_partial_i(engine_partial_i[63:0]),
    .record_valid_o(record_valid_o[0]), .record_ready_i(record_ready_i[0]),
    .record_show_i(record_show_i[2:0]), .record_o(record_o[63:0]), .idle_o(node_idle[0]),
    .event_ring_fetch_o(event_ring_fetch_o[0]),
    .event_command_fetch_o(event_command_fetch_o[0]), .event_packet_o(event_packet_o[0]),
    .event_wait_o(event_wait_o[0]), .event_stall_engine_o(event_stall_engine_o[0]),
    .event_stall_fence_o(event_stall_fence_o[0]),
    .event_stall_fetch_o(event_stall_fetch_o[0])
  );

  rf_node #(.Node(1)) u_copy (
    .clk_i, .rst_ni, .register_i(register_host_i), .register_data_o(node_data[127:64]),
    .timestamp_i,
    .descriptor_write_i(descriptor_write), .descriptor_slot_i(descriptor_slot),
    .descriptor_word_i(descriptor_word), .descriptor_data_i(descriptor_data),
    .runnable_i(runnable[31:16]), .eligible_i(eligible[31:16]), .turn_i(turn[31:16]),
    .coming_i(coming[1]), .coming_slot_i(ring_slot),
    .busy_o(busy[1]), .slot_o(node_slot_o[7:4]), .here_o(here[31:16]),
    .load_slot_o(load_slot[7:4]),
    .read_pointer_i(read_pointer[25:13]), .write_pointer_i(write_pointer[25:13]),
    .work_i(work[1]), .in_buffer_i(in_buffer[1]),
    .halt_i(halt[1]), .slot_error_i(slot_error[1]), .wait_over_i(wait_over[1]),
    .stalled_i(stalled[1]), .waited_i(waited[1]), .spent_o(spent[1]),
    .served_o(served[1]), .fences_none_i(fences_none[1]),
    .begin_o(buffer_begin[1]), .retire_valid_o(retire_valid[1]),
    .retire_ready_i(retire_ready[1]), .fence_issued_o(fence_issued[1]),
    .wait_issued_o(wait_issued[1]), .wait_done_o(wait_done[1]), .stop_o(stop[1]),
    .fail_valid_o(fail_valid[1]), .fail_o(fail1),
    .words_o(node_words[57:29]), .store_o(store[1]), .load_o(load[1]),
    .memory_ready_i(memory_ready[1]), .memory_slot_o(memory_slot[7:4]),
    .number_o(number[9:5]), .store_data_o(store_data[127:64]), .load_data_i(load_data),
    .read_valid_o(node_read_valid[1]), .read_ready_i(node_read_ready[1]), .read_o(read1),
    .answer_valid_i(answer_to_i[1]), .answer_i,
    .word_o(word_o[127:64]),
    .fence_valid_o(fence_valid_o[1]), .fence_ready_i(fence_ready_i[1]), .fence_o(fence1),
    .wait_valid_o(wait_valid[1]), .wait_ready_i(wait_ready[1]), .wait_o(wait1),
    .engine_valid_o(engine_valid_o[1]), .engine_ready_i(engine_ready_i[1]),
    .engine_o(engine1), .engine_done_i(engine_done_i[1]), .engine_failure_i(failure1),
    .engine_abort_o(engine_abort_o[1]), .engine_preempt_o(engine_preempt_o[1]),
    .engine_preempted_i(engine_preempted_i[1]), .engine_progress_i(engine_progress_i[63:32]),
    .engine_partial_i(engine_partial_i[127:64]),
    .record_valid_o(record_valid_o[1]), .record_ready_i(record_ready_i[1]),
    .record_show_i(record_show_i[5:3]), .record_o(record_o[127:64]), .idle_o(node_idle[1]),
    .event_ring_fetch_o(event_ring_fetch_o[1]),
    .event_command_fetch_o(event_command_fetch_o[1]), .event_packet_o(event_packet_o[1]),
    .event_wait_o(event_wait_o[1]), .event_stall_engine_o(event_stall_engine_o[1]),
    .event_stall_fence_o(event_stall_fence_o[1]),
    .event_stall_fetch_o(event_stall_fetch_o[1])
  );

  assign fail     = {fail1, fail0};
  assign fence_o  = {fence1, fence0};
  assign engine_o = {engine1, engine0};

  // --- what the nodes share -------------------------------------------------------------------
  // Seldom readers take their answers a cycle late.
  rf_bus_pkg::read_answer_t late_answer;
  logic                     late_answer_valid;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_answer_valid <= 1'b0;
    else late_answer_valid <= answer_valid_i;
  end
  always_ff @(posedge clk_i) late_answer <= answer_i;

  rf_bus_pkg::read_request_t context_read, read1_merged;
  logic                      context_read_valid, context_read_ready;
  logic                      context_read_slot, context_write_slot;
  rf_context u_context (
    .clk_i, .rst_ni, .parked_i(parked), .restore_i(restore), .saved_o(saved),
    .restoring_o(restoring), .slot_o(context_slot), .resample_i(resample),
    .resample_taken_o(resample_taken), .resample_done_o(resample_done),
    .fail_valid_o(resample_fail_valid), .fail_ready_i(resample_fail_ready),
    .fail_o(resample_fail),
    .slot_write_i(slot_access_i.write), .slot_i(slot_access_i.slot),
    .register_o(context_register_o), .slot_read_o(context_read_slot),
    .slot_write_o(context_write_slot), .register_ready_i(context_register_ready_i),
    .register_answer_i(context_answer_i),
    .offer_valid_o(offer_valid), .offer_ready_i(offer_ready), .offer_data_o(offer_data),
    .read_valid_o(context_read_valid), .read_ready_i(context_read_ready),
    .read_o(context_read), .answer_valid_i(late_answer_valid), .answer_i(late_answer),
    .write_valid_o, .write_ready_i, .write_o, .write_data_valid_o, .write_data_ready_i,
    .write_data_o, .write_done_i, .write_done_status_i,
    .record_valid_o(context_record_valid), .record_ready_i(context_record_ready),
    .record_o(context_record), .idle_o(context_idle)
  );
  rf_merge #(.Width(rf_bus_pkg::ReadRequestWidth)) u_read_merge (
    .clk_i, .rst_ni, .valid_i({context_read_valid, node_read_valid[1]}),
    .ready_o({context_read_ready, node_read_ready[1]}), .data_i({context_read, read1}),
    .valid_o(read_valid_o[1]), .ready_i(read_ready_i[1]), .data_o(read1_merged)
  );
  assign read_o = {read1_merged, read0};
  assign read_valid_o[0]    = node_read_valid[0];
  assign node_read_ready[0] = read_ready_i[0];

  // WAITs of the two nodes in turn. None is shown while the value of the one before follows.
  logic wait_shown, wait_taken_q, wait_node, wait_node_q, wait_word_node;
  rf_merge #(.Width(1 + rf_bus_pkg::WaitOperationWidth)) u_wait_merge (
    .clk_i, .rst_ni, .valid_i(wait_valid), .ready_o(wait_ready),
    .data_i({1'b1, wait1, 1'b0, wait0}),
    .valid_o(wait_shown), .ready_i(wait_ready_i && !wait_taken_q), .data_o({wait_node, wait_o})
  );
  assign wait_valid_o   = wait_shown && !wait_taken_q;
  assign wait_word_node = wait_taken_q ? wait_node_q : wait_node;
  assign wait_word_o    = wait_word_node ? word_o[127:64] : word_o[63:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wait_taken_q <= 1'b0;
    else wait_taken_q <= wait_valid_o && wait_ready_i;
  end
  always_ff @(posedge clk_i) wait_node_q <= wait_node;

  // The slots answer two cycles after the access, the others one.
  logic [63:0] others_data_q;
  always_ff @(posedge clk_i) begin
    others_data_q <= doorbell_data | node_data[63:0] | node_data[127:64];
  end
  assign register_data_o = others_data_q | slots_data;
  always_comb begin
    context_access_o.read  = context_read_slot;
    context_access_o.write = context_write_slot;
    context_access_o.slot  = context_slot;
  end

  assign event_ring_o    = ring_moved;
  assign event_busy_o    = busy;
  assign idle_o          = doorbell_idle && slots_idle && context_idle &&
                           node_idle == '1 && release_idle;

endmodule

`default_nettype wire
