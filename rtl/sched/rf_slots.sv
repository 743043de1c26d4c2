// SPDX-License-Identifier: Apache-2.0
//
// Queue slots: how the host, the nodes, rings, fences and waits change them, and which slots are
// runnable: a slot that is ready (rf_slot_state) and has entries left, including the one in
// progress. Parts: register accesses (rf_slot_access, rf_slot_status, rf_slot_memory), pointers
// (rf_slot_pointers), state (rf_slot_state), scheduling order (rf_slot_bands), failures and the
// scan (rf_slot_errors), yields (rf_slot_yield), and what each node sees of its slot
// (rf_slot_view).
//
// Register accesses act one cycle after they came, those to the pointers two. Slot registers that
// rf_fence and rf_wait own are not here.

`default_nettype none

module rf_slots #(
  parameter int unsigned Slots = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  input  wire rf_bus_pkg::slot_access_t slot_access_i,
  output logic [63:0]       register_data_o,   // two cycles later

  output      rf_bus_pkg::descriptor_write_t descriptor_o, // for whoever keeps some of it
  output      rf_bus_pkg::slot_event_t restart_o, // this slot, which was disabled, is enabled

  // rf_doorbell
  output logic [15:0]       enabled_o,
  input  wire rf_bus_pkg::ring_t ring_i,
  output      rf_bus_pkg::ring_result_t ring_result_o,

  // rf_context
  output      rf_bus_pkg::context_request_t context_request_o,
  input  wire rf_bus_pkg::context_progress_t context_progress_i,
  input  wire logic [3:0]   context_slot_i,    // the one that it works on
  output logic              resample_fail_ready_o,
  input  wire rf_bus_pkg::failure_t resample_fail_i,

  // nodes 0 and 1
  output      rf_bus_pkg::node_choice_t choice0_o,
  output      rf_bus_pkg::node_choice_t choice1_o,
  input  wire rf_bus_pkg::node_place_t  place0_i,
  input  wire rf_bus_pkg::node_place_t  place1_i,
  output      rf_bus_pkg::slot_view_t   view0_o,
  output      rf_bus_pkg::slot_view_t   view1_o,
  input  wire rf_bus_pkg::slot_update_t update0_i,
  input  wire rf_bus_pkg::slot_update_t update1_i,
  input  wire logic [1:0]   node_retire_valid_i, // a buffer is complete; not in the first cycle
  output logic [1:0]        node_retire_ready_o, // in which the node is at the slot
  input  wire logic [2*rf_bus_pkg::FailureWidth-1:0] node_fail_i,
  input  wire rf_bus_pkg::slot_position_t position0_i,
  input  wire rf_bus_pkg::slot_position_t position1_i,
  output logic [1:0]        node_memory_ready_o,
  output logic [63:0]       node_data_o,       // one cycle after a load was taken

  // rf_fence, rf_wait
  input  wire rf_bus_pkg::slot_result_t fence_done_i,
  input  wire rf_bus_pkg::slot_result_t fence_fault_i, // behind its done
  output logic [3:0]        scan_slot_o,       // does rf_fence still compare for this one?
  input  wire logic         scan_comparing_i,
  input  wire rf_bus_pkg::wait_release_t release_i,
  output      rf_bus_pkg::slot_event_t cancel_o,

  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output      rf_bus_pkg::record_t record_o,
  output logic              idle_o
);

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  // --- register accesses ---------------------------------------------------------------------
  rf_bus_pkg::slot_register_t access;
  rf_bus_pkg::slot_control_t  control;
  logic        pointers_write, config_write, refused, oversubscribed;
  logic [15:0] here, config_here, pointers_here, flags_here;
  logic [63:0] block_data;
  rf_slot_access #(.Slots(Slots)) u_access (
    .clk_i, .rst_ni, .register_i, .slot_access_i, .enabled_i(enabled_o), .register_o(access),
    .slot_onehot_o(here), .control_o(control),
    .pointers_write_o(pointers_write), .config_write_o(config_write),
    .config_here_o(config_here), .pointers_here_o(pointers_here), .flags_here_o(flags_here),
    .refused_o(refused), .descriptor_o, .restart_o,
    .oversubscribed_o(oversubscribed), .block_data_o(block_data)
  );

  // --- what comes from outside ------------------------------------------------------------------
  logic        fence_fails, release_fails;
  logic [15:0] node0, node1, spent, served;
  rf_bus_pkg::slot_event_t fence_done, released;
  assign node0         = place0_i.here;
  assign node1         = place1_i.here;
  assign spent         = (update0_i.spent ? node0 : '0) | (update1_i.spent ? node1 : '0);
  assign served        = (update0_i.served ? node0 : '0) | (update1_i.served ? node1 : '0);
  assign fence_fails   = fence_done_i.valid &&
                         fence_done_i.failure.error != rf_pkg::QueueErrorNone;
  assign release_fails = release_i.valid && release_i.failure.error != rf_pkg::QueueErrorNone;
  always_comb begin
    fence_done.valid = fence_done_i.valid;
    fence_done.slot  = fence_done_i.slot;
    released.valid   = release_i.valid && !release_fails;
    released.slot    = release_i.slot;
  end

  // One node retires a cycle: of a slot that it chose long before.
  logic        retire_valid, retire_ready;
  logic [3:0]  retire_slot;
  logic [7:0]  node_slot_q;
  logic [15:0] retired;
  always_ff @(posedge clk_i) node_slot_q <= {place1_i.slot, place0_i.slot};
  rf_merge #(.Width(4)) u_retire_merge (
    .clk_i, .rst_ni, .valid_i(node_retire_valid_i), .ready_o(node_retire_ready_o),
    .data_i(node_slot_q), .valid_o(retire_valid), .ready_i(retire_ready), .data_o(retire_slot)
  );
  assign retired = retire_valid && retire_ready ? 16'd1 << retire_slot : '0;

  // --- state ------------------------------------------------------------------------------------
  logic [15:0] disabling, waiting, wait_over, stalled, waited, stopped, in_buffer, fences;
  logic [15:0] resample, parked, restore, ready, ready0, ready1, serves0, serves1;
  logic [15:0] work, error, wait_failed, postponed;
  rf_bus_pkg::slot_scan_t  scan;
  rf_bus_pkg::slot_flags_t flags;
  always_comb begin // those of a write of FLAGS; POINTERS clears them
    flags = '0;
    if (flags_here != '0) begin
      flags.in_buffer = access.data[rf_pkg::SlotFlagsInBufferLsb];
      flags.wait_over = access.data[rf_pkg::SlotFlagsWaitOverLsb];
      flags.stalled   = access.data[rf_pkg::SlotFlagsStalledLsb];
      flags.waited    = access.data[rf_pkg::SlotFlagsWaitedLsb];
      flags.stopped   = access.data[rf_pkg::SlotFlagsStoppedLsb];
    end
  end

  rf_slot_state #(.Slots(Slots)) u_state (
    .clk_i, .rst_ni, .slot_i(access.slot), .control_i(control),
    .forget_i(pointers_here | flags_here), .flags_i(flags), .context_progress_i,
    .context_slot_i, .place0_i, .place1_i, .update0_i, .update1_i, .retired_i(retired),
    .postponed_i(postponed), .fence_done_i(fence_done), .release_i(released),
    .release_stalled_i(release_i.stalled), .error_i(error), .wait_failed_i(wait_failed),
    .scan_i(scan), .serves0_i(serves0), .serves1_i(serves1),
    .enabled_o, .disabling_o(disabling), .waiting_o(waiting), .wait_over_o(wait_over),
    .stalled_o(stalled), .waited_o(waited), .stopped_o(stopped), .in_buffer_o(in_buffer),
    .fences_o(fences), .resample_o(resample), .parked_o(parked), .restore_o(restore),
    .ready_o(ready), .ready0_o(ready0), .ready1_o(ready1), .cancel_o
  );
  always_comb begin
    context_request_o.resample = resample;
    context_request_o.parked   = parked;
    context_request_o.restore  = restore;
  end

  // --- which slots may have a node -----------------------------------------------------------
  logic [15:0] runnable0, runnable1;
  logic [31:0] eligible, turn;
  assign runnable0 = ready0 & work;
  assign runnable1 = ready1 & work;
  rf_slot_bands u_bands (
    .clk_i, .rst_ni, .config_i(config_here), .config_slot_i(access.slot),
    .config_node_i(access.data[rf_pkg::SlotConfigNodeLsb +: 4]),
    .config_priority_i(access.data[rf_pkg::SlotConfigPriorityLsb +: 4]),
    .serves0_o(serves0), .serves1_o(serves1),
    .runnable_i({runnable1, runnable0}), .ready_i(ready), .served_i(served),
    .eligible_o(eligible), .turn_o(turn)
  );
  always_comb begin
    choice0_o.coming      = ring_i.valid && ready0[ring_i.slot];
    choice0_o.coming_slot = ring_i.slot;
    choice0_o.runnable    = runnable0;
    choice0_o.eligible    = eligible[15:0];
    choice0_o.turn        = turn[15:0];
  end
  always_comb begin
    choice1_o.coming      = ring_i.valid && ready1[ring_i.slot];
    choice1_o.coming_slot = ring_i.slot;
    choice1_o.runnable    = runnable1;
    choice1_o.eligible    = eligible[31:16];
    choice1_o.turn        = turn[31:16];
  end

  // --- pointers -------------------------------------------------------------------------------
  logic        ring_moved, ring_repeated, ring_range, pointers_idle;
  logic [25:0] node_read_pointer, node_write_pointer;
  logic [47:0] read_pointer, write_pointer;
  always_comb begin
    ring_result_o.moved    = ring_moved;
    ring_result_o.repeated = ring_repeated;
    ring_result_o.range    = ring_range;
  end
  rf_slot_pointers u_pointers (
    .clk_i, .rst_ni,
    .ring_next_slot_i(ring_i.next_slot), .ring_valid_i(ring_i.valid), .ring_slot_i(ring_i.slot),
    .ring_write_pointer_i(ring_i.write_pointer),
    .ring_moved_o(ring_moved), .ring_repeated_o(ring_repeated), .ring_range_o(ring_range),
    .retire_valid_i(retire_valid), .retire_ready_o(retire_ready), .retire_slot_i(retire_slot),
    .postponed_o(postponed),
    .set_write_i(pointers_write), .set_here_i(pointers_here),
    .set_strobe_i({access.strobe[4], access.strobe[0]}), .set_pointer_i(access.data[47:0]),
    .log2_write_i(config_write), .log2_i(access.data[rf_pkg::SlotConfigRingLog2Lsb +: 4]),
    .work_o(work),
    .node_slot_i({place1_i.slot, place0_i.slot}),
    .node_load_slot_i({place1_i.load_slot, place0_i.load_slot}),
    .node_read_pointer_o(node_read_pointer), .node_write_pointer_o(node_write_pointer),
    .register_slot_i(access.slot),
    .register_read_pointer_o(read_pointer),
    .register_write_pointer_o(write_pointer), .idle_o(pointers_idle)
  );

  // --- what each node sees --------------------------------------------------------------------
  logic [15:0] fences_held; // an operation failed, and its slot is not in error yet
  logic [15:0] fences_open;
  rf_bus_pkg::slot_event_t moved;
  assign fences_open = fences | fences_held;
  always_comb begin
    moved.valid = ring_moved;
    moved.slot  = ring_i.slot;
  end
  rf_slot_view u_view0 (
    .clk_i, .place_i(place0_i), .update_i(update0_i), .read_pointer_i(node_read_pointer[12:0]),
    .write_pointer_i(node_write_pointer[12:0]), .work_i(work), .in_buffer_i(in_buffer),
    .stalled_i(stalled), .error_i(error), .disabling_i(disabling), .wait_over_i(wait_over),
    .waited_i(waited), .fences_i(fences_open), .moved_i(moved), .view_o(view0_o)
  );
  rf_slot_view u_view1 (
    .clk_i, .place_i(place1_i), .update_i(update1_i), .read_pointer_i(node_read_pointer[25:13]),
    .write_pointer_i(node_write_pointer[25:13]), .work_i(work), .in_buffer_i(in_buffer),
    .stalled_i(stalled), .error_i(error), .disabling_i(disabling), .wait_over_i(wait_over),
    .waited_i(waited), .fences_i(fences_open), .moved_i(moved), .view_o(view1_o)
  );

  // --- failures, yields -------------------------------------------------------------------------
  logic        errors_idle, store_valid, config_read, config_ready, failure_store, yield_due;
  logic        scan_rests;
  logic [3:0]  scan_slot;
  logic [63:0] store_data, memory_data;
  logic [15:0] scan_here, yielded;
  logic [7:0]  yield_reason, failure_error;
  logic [1:0]  failure_level;
  always_comb begin
    scan.rests     = scan_rests;
    scan.owed      = (place0_i.owes && place0_i.left_slot == scan_slot) ||
                     (place1_i.owes && place1_i.left_slot == scan_slot);
    scan.comparing = scan_comparing_i;
    scan.slot      = scan_slot;
    scan.here      = scan_here;
  end
  assign scan_slot_o = scan_slot;

  rf_slot_errors #(.Slots(Slots)) u_errors (
    .clk_i, .rst_ni, .scan_o(scan_slot), .scan_here_o(scan_here), .scan_rests_o(scan_rests),
    .fence_valid_i(fence_fails), .fence_slot_i(fence_done_i.slot),
    .fence_failure_i(fence_done_i.failure),
    .fault_valid_i(fence_fault_i.valid), .fault_slot_i(fence_fault_i.slot),
    .fault_failure_i(fence_fault_i.failure),
    .release_valid_i(release_fails), .release_slot_i(release_i.slot),
    .release_failure_i(release_i.failure),
    .fail_valid_i({context_progress_i.resample_fails && !resample_fail_ready_o,
                   update1_i.fails, update0_i.fails}),
    .fail_slot_i({context_slot_i, place1_i.slot, place0_i.slot}),
    .fail_i({resample_fail_i, node_fail_i}),
    .waiting_i(waiting), .clear_i(control.enable ? here : '0), .error_o(error),
    .wait_failed_o(wait_failed), .fence_held_o(fences_held),
    .yield_i(yield_due), .yield_reason_i(yield_reason), .yielded_o(yielded),
    .store_free_i(!slot_access_i.read && !slot_access_i.write), .store_valid_o(store_valid),
    .store_data_o(store_data),
    .config_read_o(config_read), .config_ready_i(config_ready), .config_i(memory_data),
    .read_slot_i(access.slot), .read_error_o(failure_error), .read_level_o(failure_level),
    .read_store_o(failure_store),
    .record_valid_o, .record_ready_i, .record_o, .idle_o(errors_idle)
  );
  assign resample_fail_ready_o = error[context_slot_i];

  logic calm, yields_settled;
  assign calm = !ring_i.valid && !access.write && pointers_idle && errors_idle &&
                runnable0 == '0 && runnable1 == '0 &&
                (ready & (serves0 | serves1) & work) == '0 &&
                disabling == '0 && (waiting & error) == '0 && !cancel_o.valid &&
                resample == '0 && fences == '0 && restore == '0;
  assign idle_o = calm && yields_settled;
  rf_slot_yield u_yield (
    .clk_i, .rst_ni, .oversubscribed_i(oversubscribed), .scan_i(scan),
    .may_yield_i(enabled_o & ~disabling & ~error), .waiting_i(waiting),
    .works_i(work | resample), .spent_i(spent),
    .rearm_i(control.rearm || control.enable ? here : '0),
    .due_o(yield_due), .reason_o(yield_reason), .yielded_i(yielded),
    .calm_i(calm), .settled_o(yields_settled)
  );

  // --- registers ---------------------------------------------------------------------------------
  logic       in_memory;
  logic [4:0] memory_number;
  rf_slot_status u_status (
    .clk_i, .rst_ni, .read_i(access.read), .slot_i(access.slot), .number_i(access.number),
    .pointers_here_i(pointers_here), .block_data_i(block_data),
    .enabled_i(enabled_o), .error_i(error), .stopped_i(stopped), .waiting_i(waiting),
    .waited_i(waited), .parked_i(parked), .work_i(work), .in_buffer_i(in_buffer),
    .resample_i(resample), .wait_over_i(wait_over), .stalled_i(stalled),
    .error_cause_i(failure_error), .error_level_i(failure_level),
    .error_store_i(failure_store), .read_pointer_i(read_pointer),
    .write_pointer_i(write_pointer), .place0_i, .place1_i,
    .in_memory_o(in_memory), .memory_number_o(memory_number), .memory_data_i(memory_data),
    .data_o(register_data_o)
  );

  rf_slot_memory u_memory (
    .clk_i,
    .register_valid_i(access.read || access.write), .register_read_i(access.read),
    .register_write_i(access.write && in_memory && !refused), .register_slot_i(access.slot),
    .register_number_i(memory_number), .register_clear_i(pointers_here != '0),
    .register_data_i(access.data), .register_strobe_i(access.strobe),
    .error_valid_i(store_valid),
    .config_valid_i(config_read), .config_ready_o(config_ready),
    .error_slot_i(scan_slot), .error_data_i(store_data),
    .node_store_i({position1_i.store, position0_i.store}),
    .node_load_i({position1_i.load, position0_i.load}), .node_ready_o(node_memory_ready_o),
    .node_slot_i({position1_i.slot, position0_i.slot}),
    .node_number_i({position1_i.number, position0_i.number}),
    .node_data_i({position1_i.data, position0_i.data}), .data_o(memory_data)
  );
  assign node_data_o = memory_data;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      node_slot_one_hot: assert (node0 == 16'd1 << place0_i.slot &&
                                 node1 == 16'd1 << place1_i.slot);
      // What the proofs assume of the surroundings: docs/proofs.md.
      if (node_retire_valid_i[0]) node0_stays_to_retire: assert (place0_i.slot == node_slot_q[3:0]);
      if (node_retire_valid_i[1]) node1_stays_to_retire: assert (place1_i.slot == node_slot_q[7:4]);
      if (context_progress_i.saved) saved_was_parked: assert (parked[context_slot_i]);
    end
  end
`endif

endmodule

`default_nettype wire
