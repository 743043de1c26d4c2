// SPDX-License-Identifier: Apache-2.0
//
// The command processor: connects doorbells, queue slots, their contexts and the two nodes.
//
// From a ring to the ring read: rf_doorbell finds the slot (two cycles), rf_slots moves the write
// pointer (one), the slot's node chooses it (one) and requests the ring entry, four cycles after
// the ring.

`default_nettype none

module rf_command_processor #(
  parameter int unsigned Slots = 16,
  parameter bit          VectorEngine = 1'b1 // as in rf_device
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_host_i, // accesses of the host
  input  wire rf_bus_pkg::register_request_t register_i, // also those of contexts, to slots
  input  wire rf_bus_pkg::slot_access_t slot_access_i,
  output logic [63:0]       register_data_o,  // a cycle later
  output logic [63:0]       slot_data_o,      // of a slot's register, two cycles later
  input  wire logic [63:0]  timestamp_i,
  input  wire logic         doorbell_valid_i,
  input  wire rf_bus_pkg::doorbell_t doorbell_i,

  // Masters ReadFetchCompute and ReadFetchCopy.
  output logic [1:0]        read_valid_o,
  input  wire logic [1:0]   read_ready_i,
  output logic [2*rf_bus_pkg::ReadRequestWidth-1:0] read_o,
  input  wire rf_bus_pkg::node_response_t response_i,

  // Nodes 0 and 1.
  output      rf_bus_pkg::node_offer_t  offer0_o,
  output      rf_bus_pkg::node_offer_t  offer1_o,
  input  wire rf_bus_pkg::units_ready_t units_ready_i,
  input  wire rf_bus_pkg::engine_result_t engine0_result_i,
  input  wire rf_bus_pkg::engine_result_t engine1_result_i,

  // Shared.
  output      rf_bus_pkg::wait_offer_t  wait_o,
  input  wire rf_bus_pkg::slot_result_t fence_done_i,
  input  wire rf_bus_pkg::slot_result_t fence_fault_i, // MonitoredValue of a signal done before
  output      rf_bus_pkg::slot_event_t  restart_o, // this slot was disabled and is enabled
  input  wire rf_bus_pkg::wait_release_t release_i,
  output      rf_bus_pkg::slot_event_t  cancel_o,  // its wait

  // Records: node 0, node 1, doorbells and queue errors.
  output logic [2:0]        record_valid_o,
  input  wire logic [2:0]   record_ready_i,
  input  wire logic [8:0]   record_show_i,    // word of source n that is shown, at [n*3]; one-hot
  output logic [3*64-1:0]   record_o,

  // Second master of the register bus, behind the host's accesses, and its responses.
  output      rf_bus_pkg::context_register_t context_register_o,
  input  wire rf_bus_pkg::register_reply_t context_reply_i,
  // Contexts on their way to memory.
  output      rf_bus_pkg::write_offer_t write_o,
  input  wire rf_bus_pkg::write_reply_t write_reply_i,
  // Does rf_fence still compare for this slot?
  output logic [3:0]        asked_slot_o,
  input  wire logic         comparing_i,

  input  wire logic         invalidate_i,     // translations, of any VMID
  output logic              idle_o,
  output logic              event_ring_o,     // a ring moved a write pointer
  output      rf_bus_pkg::node_status_t node0_status_o,
  output      rf_bus_pkg::node_status_t node1_status_o
);

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  // --- doorbells and slots ---------------------------------------------------------------
  logic [15:0]  enabled;
  logic         config_write, offer_valid, offer_ready;
  logic [63:0]  offer_data, doorbell_data;
  logic         resample_fail_valid, resample_fail_ready;
  logic         doorbell_record_valid, doorbell_record_ready;
  logic         error_record_valid, error_record_ready;
  logic         doorbell_idle, slots_idle;
  rf_bus_pkg::failure_t resample_fail;
  rf_bus_pkg::record_t  doorbell_record, error_record;

  rf_bus_pkg::descriptor_write_t descriptor;
  rf_bus_pkg::ring_t             ring;
  rf_bus_pkg::ring_result_t      ring_result;
  rf_bus_pkg::context_request_t  context_request;
  rf_bus_pkg::context_progress_t context_progress;
  rf_bus_pkg::node_choice_t      choice0, choice1;
  rf_bus_pkg::node_place_t       place0, place1;
  rf_bus_pkg::slot_view_t        view0, view1;
  rf_bus_pkg::slot_update_t      update0, update1;
  rf_bus_pkg::slot_position_t    position0, position1;
  logic [1:0]  retire_valid, retire_ready, memory_ready, node_idle;
  logic [63:0] load_data;
  logic        context_idle;
  logic [3:0]  context_slot;
  logic        context_record_valid, context_record_ready, host_record_valid, host_record_ready;
  rf_bus_pkg::record_t context_record;
  logic [2:0]  host_show;
  logic [5:0]  host_shows, other_shows;
  logic [63:0] doorbell_word, error_word, context_word, host_word;

  assign config_write = descriptor.strobe[0] && descriptor.word == rf_pkg::RegSlotConfig[7:3];
  logic        ring_valid;
  logic [3:0]  ring_next_slot, ring_slot;
  logic [47:0] ring_write_pointer;
  // Doorbells and contexts: between rings, register accesses and slots to be saved, restored or
  // resampled they keep what they have.
  logic seldom_clk;
  logic seldom_wake;
  assign seldom_wake = doorbell_i.shown || !doorbell_idle || !context_idle || config_write ||
                       register_host_i.valid;
  rf_clock_gate #(.Linger(16)) u_seldom_clock (
    .clk_i, .rst_ni,
    .wake_i(seldom_wake),
    .clk_o (seldom_clk)
  );

  rf_doorbell #(.Slots(Slots)) u_doorbell (
    .clk_i(seldom_clk), .rst_ni,
    .doorbell_valid_i, .doorbell_page_i(doorbell_i.page),
    .doorbell_data_i(doorbell_i.data), .doorbell_good_i(doorbell_i.good),
    .enabled_i(enabled), .config_write_i(config_write), .config_slot_i(descriptor.slot),
    .config_token_i(descriptor.data[rf_pkg::SlotConfigTokenLsb +: 16]),
    .resample_valid_i(offer_valid), .resample_ready_o(offer_ready),
    .resample_slot_i(context_slot), .resample_data_i(offer_data),
    .ring_next_slot_o(ring_next_slot), .ring_valid_o(ring_valid), .ring_slot_o(ring_slot),
    .ring_write_pointer_o(ring_write_pointer), .ring_moved_i(ring_result.moved),
    .ring_repeated_i(ring_result.repeated), .ring_range_i(ring_result.range),
    .record_valid_o(doorbell_record_valid), .record_ready_i(doorbell_record_ready),
    .record_o(doorbell_record),
    .register_i(register_host_i), .slot_write_i(slot_access_i.write),
    .register_data_o(doorbell_data),
    .idle_o(doorbell_idle)
  );

  always_comb begin
    ring.next_slot     = ring_next_slot;
    ring.valid         = ring_valid;
    ring.slot          = ring_slot;
    ring.write_pointer = ring_write_pointer;
  end

  logic                 release_valid, release_stalled, release_idle;
  logic [3:0]           release_slot;
  rf_bus_pkg::failure_t release_failure;

  rf_release u_release (
    .clk_i, .rst_ni, .release_valid_i(release_i.valid), .release_slot_i(release_i.slot),
    .release_stalled_i(release_i.stalled), .release_failure_i(release_i.failure),
    .cancel_valid_i(cancel_o.valid), .cancel_slot_i(cancel_o.slot),
    .release_valid_o(release_valid), .release_slot_o(release_slot),
    .release_stalled_o(release_stalled), .release_failure_o(release_failure),
    .idle_o(release_idle)
  );

  rf_bus_pkg::wait_release_t released;
  always_comb begin
    released.valid   = release_valid;
    released.stalled = release_stalled;
    released.slot    = release_slot;
    released.failure = release_failure;
  end

  rf_bus_pkg::failure_t fail0, fail1;
  rf_slots #(.Slots(Slots)) u_slots (
    .clk_i, .rst_ni, .register_i, .slot_access_i,
    .register_data_o(slot_data_o),
    .descriptor_o(descriptor), .restart_o, .enabled_o(enabled),
    .ring_i(ring), .ring_result_o(ring_result),
    .context_request_o(context_request), .context_progress_i(context_progress),
    .context_slot_i(context_slot), .resample_fail_ready_o(resample_fail_ready),
    .resample_fail_i(resample_fail),
    .choice0_o(choice0), .choice1_o(choice1), .place0_i(place0), .place1_i(place1),
    .view0_o(view0), .view1_o(view1), .update0_i(update0), .update1_i(update1),
    .node_retire_valid_i(retire_valid), .node_retire_ready_o(retire_ready),
    .node_fail_i({fail1, fail0}), .position0_i(position0), .position1_i(position1),
    .node_memory_ready_o(memory_ready), .node_data_o(load_data),
    .fence_done_i, .fence_fault_i,
    .scan_slot_o(asked_slot_o), .scan_comparing_i(comparing_i), .release_i(released),
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
  rf_bus_pkg::engine_control_t control0, control1;
  rf_bus_pkg::node_events_t    events0, events1;
  logic [1:0]  fence_valid, engine_valid;
  logic [63:0] word0, word1;

  // A node that has nothing to do keeps words of slots that wait, until another slot comes or this
  // one must stop, a register is written or translations go; a ring gives it more to fetch. It
  // takes the descriptors of all slots. Decoding ahead takes a cycle for each word that is here.
  logic compute_clk, copy_clk, nodes_wake;
  assign nodes_wake = ring_valid || invalidate_i || descriptor.strobe != '0 ||
                      register_host_i.valid;
  logic compute_wake;
  assign compute_wake = nodes_wake || !node_idle[0] || choice0.eligible != '0 || view0.halt;
  rf_clock_gate #(.Linger(128)) u_compute_clock (
    .clk_i, .rst_ni,
    .wake_i(compute_wake),
    .clk_o (compute_clk)
  );
  logic copy_wake;
  assign copy_wake = nodes_wake || !node_idle[1] || choice1.eligible != '0 || view1.halt;
  rf_clock_gate #(.Linger(128)) u_copy_clock (
    .clk_i, .rst_ni,
    .wake_i(copy_wake),
    .clk_o (copy_clk)
  );

  rf_node #(.Node(0), .Engine(VectorEngine)) u_compute (
    .clk_i(compute_clk), .rst_ni, .register_i(register_host_i), .register_data_o(node_data[63:0]),
    .timestamp_i, .descriptor_i(descriptor), .choice_i(choice0), .place_o(place0),
    .view_i(view0), .update_o(update0), .retire_valid_o(retire_valid[0]),
    .retire_ready_i(retire_ready[0]), .fail_o(fail0), .position_o(position0),
    .memory_ready_i(memory_ready[0]), .load_data_i(load_data),
    .read_valid_o(node_read_valid[0]), .read_ready_i(node_read_ready[0]), .read_o(read0),
    .response_valid_i(response_i.to[0]), .response_i(response_i.response), .word_o(word0),
    .fence_valid_o(fence_valid[0]), .fence_ready_i(units_ready_i.fence[0]), .fence_o(fence0),
    .wait_valid_o(wait_valid[0]), .wait_ready_i(wait_ready[0]), .wait_o(wait0),
    .engine_valid_o(engine_valid[0]), .engine_ready_i(units_ready_i.engine[0]),
    .engine_o(engine0), .engine_result_i(engine0_result_i), .engine_control_o(control0),
    .record_valid_o(record_valid_o[0]), .record_ready_i(record_ready_i[0]),
    .record_show_i(record_show_i[2:0]), .record_o(record_o[63:0]), .invalidate_i,
    .idle_o(node_idle[0]), .events_o(events0)
  );

  rf_node #(.Node(1)) u_copy (
    .clk_i(copy_clk), .rst_ni, .register_i(register_host_i), .register_data_o(node_data[127:64]),
    .timestamp_i, .descriptor_i(descriptor), .choice_i(choice1), .place_o(place1),
    .view_i(view1), .update_o(update1), .retire_valid_o(retire_valid[1]),
    .retire_ready_i(retire_ready[1]), .fail_o(fail1), .position_o(position1),
    .memory_ready_i(memory_ready[1]), .load_data_i(load_data),
    .read_valid_o(node_read_valid[1]), .read_ready_i(node_read_ready[1]), .read_o(read1),
    .response_valid_i(response_i.to[1]), .response_i(response_i.response), .word_o(word1),
    .fence_valid_o(fence_valid[1]), .fence_ready_i(units_ready_i.fence[1]), .fence_o(fence1),
    .wait_valid_o(wait_valid[1]), .wait_ready_i(wait_ready[1]), .wait_o(wait1),
    .engine_valid_o(engine_valid[1]), .engine_ready_i(units_ready_i.engine[1]),
    .engine_o(engine1), .engine_result_i(engine1_result_i), .engine_control_o(control1),
    .record_valid_o(record_valid_o[1]), .record_ready_i(record_ready_i[1]),
    .record_show_i(record_show_i[5:3]), .record_o(record_o[127:64]), .invalidate_i,
    .idle_o(node_idle[1]), .events_o(events1)
  );

  always_comb begin
    offer0_o.fence_valid    = fence_valid[0];
    offer0_o.engine_valid   = engine_valid[0];
    offer0_o.engine_control = control0;
    offer0_o.fence          = fence0;
    offer0_o.engine         = engine0;
    offer0_o.word           = word0;
  end
  always_comb begin
    offer1_o.fence_valid    = fence_valid[1];
    offer1_o.engine_valid   = engine_valid[1];
    offer1_o.engine_control = control1;
    offer1_o.fence          = fence1;
    offer1_o.engine         = engine1;
    offer1_o.word           = word1;
  end

  // --- what the nodes share -------------------------------------------------------------------
  // Seldom readers take their responses a cycle late.
  rf_bus_pkg::read_response_t late_response;
  logic                     late_response_valid;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_response_valid <= 1'b0;
    else late_response_valid <= response_i.valid;
  end
  always_ff @(posedge clk_i) late_response <= response_i.response;

  rf_bus_pkg::read_request_t context_read, read1_merged;
  logic                      context_read_valid, context_read_ready;
  logic                      context_read_slot, context_write_slot;
  logic resample_taken, resample_done, saved, restoring;
  logic write_valid, write_data_valid;
  logic [63:0] write_data;
  rf_bus_pkg::write_request_t    context_write;
  rf_bus_pkg::register_request_t context_access;
  always_comb begin
    write_o.valid      = write_valid;
    write_o.data_valid = write_data_valid;
    write_o.request    = context_write;
    write_o.data       = write_data;
  end
  always_comb begin
    context_progress.resample_taken = resample_taken;
    context_progress.resample_done  = resample_done;
    context_progress.resample_fails = resample_fail_valid;
    context_progress.saved          = saved;
    context_progress.restoring      = restoring;
  end
  rf_context #(.Slots(Slots)) u_context (
    .clk_i(seldom_clk), .rst_ni,
    .parked_i(context_request.parked), .restore_i(context_request.restore),
    .saved_o(saved), .restoring_o(restoring), .slot_o(context_slot),
    .resample_i(context_request.resample), .resample_taken_o(resample_taken),
    .resample_done_o(resample_done),
    .fail_valid_o(resample_fail_valid), .fail_ready_i(resample_fail_ready),
    .fail_o(resample_fail),
    .slot_write_i(slot_access_i.write), .slot_i(slot_access_i.slot),
    .register_o(context_access), .slot_read_o(context_read_slot),
    .slot_write_o(context_write_slot), .register_ready_i(context_reply_i.ready),
    .register_response_i(context_reply_i.data),
    .offer_valid_o(offer_valid), .offer_ready_i(offer_ready), .offer_data_o(offer_data),
    .read_valid_o(context_read_valid), .read_ready_i(context_read_ready),
    .read_o(context_read), .response_valid_i(late_response_valid), .response_i(late_response),
    .write_valid_o(write_valid), .write_ready_i(write_reply_i.ready), .write_o(context_write),
    .write_data_valid_o(write_data_valid), .write_data_ready_i(write_reply_i.data_ready),
    .write_data_o(write_data), .write_done_i(write_reply_i.done),
    .write_done_status_i(write_reply_i.status),
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
  rf_bus_pkg::wait_operation_t wait_operation;
  logic wait_shown, wait_taken_q, wait_node, wait_node_q, wait_word_node;
  rf_merge #(.Width(1 + rf_bus_pkg::WaitOperationWidth)) u_wait_merge (
    .clk_i, .rst_ni, .valid_i(wait_valid), .ready_o(wait_ready),
    .data_i({1'b1, wait1, 1'b0, wait0}),
    .valid_o(wait_shown), .ready_i(units_ready_i.waits && !wait_taken_q),
    .data_o({wait_node, wait_operation})
  );
  assign wait_word_node = wait_taken_q ? wait_node_q : wait_node;
  always_comb begin
    wait_o.valid     = wait_shown && !wait_taken_q;
    wait_o.operation = wait_operation;
    wait_o.word      = wait_word_node ? word1 : word0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wait_taken_q <= 1'b0;
    else wait_taken_q <= wait_shown && !wait_taken_q && units_ready_i.waits;
  end
  always_ff @(posedge clk_i) wait_node_q <= wait_node;

  assign register_data_o = doorbell_data | node_data[63:0] | node_data[127:64];
  always_comb begin
    context_register_o.access  = {context_read_slot, context_write_slot, context_slot};
    context_register_o.request = context_access;
  end

  assign event_ring_o    = ring_result.moved;
  always_comb begin
    node0_status_o.busy   = place0.busy;
    node0_status_o.slot   = place0.slot;
    node0_status_o.events = events0;
    node1_status_o.busy   = place1.busy;
    node1_status_o.slot   = place1.slot;
    node1_status_o.events = events1;
  end
  assign idle_o          = doorbell_idle && slots_idle && context_idle &&
                           node_idle == '1 && release_idle;

`ifndef SYNTHESIS
`ifndef FORMAL
  rf_offer_check #(.Width($bits(wait_o))) wait_stays (
    .clk_i, .rst_ni, .valid_i(wait_o.valid), .ready_i(units_ready_i.waits), .data_i(wait_o)
  );
`endif
`endif

endmodule

`default_nettype wire
