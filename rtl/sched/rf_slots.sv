// SPDX-License-Identifier: Apache-2.0
//
// Queue slots: the registers of the slot block (but those of rf_fence and
// rf_wait) and the state of each queue. A slot is runnable when it is enabled,
// has entries left (the one under way included), and neither waits, is stopped,
// is in error nor is about to be disabled.
//
// What can wait is done for one slot per cycle, that of the scan in rf_slot_errors:
// failures, cancelling waits, completing DISABLE, parking for a PREEMPT.
//
// Promises: runnable_o shows a ring one cycle, a release or a resume two cycles
// after it; a DISABLE completes when no node serves the slot, no wait is held, no
// RESAMPLE is under way, and the fence operation handed over is performed and
// compared, so that nothing of the queue happens after it; a PREEMPT parks the slot
// under the same conditions, and rf_context saves it. ENABLE acts on a disabled slot only, and
// clears its error. State, position and pointers survive DISABLE until POINTERS is
// written. A write of POINTERS or FLAGS to an enabled slot is ignored.

`default_nettype none

module rf_slots (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  output logic [63:0]       register_data_o,

  // rf_doorbell
  output logic [15:0]       enabled_o,
  output logic [255:0]      tokens_o,
  input  wire logic         ring_valid_i,
  input  wire logic [3:0]   ring_slot_i,
  input  wire logic [47:0]  ring_write_pointer_i,
  output logic              ring_moved_o,
  output logic              ring_stale_o,
  output logic              ring_repeated_o,
  output logic              ring_range_o,

  // rf_resample
  output logic [15:0]       resample_o,
  input  wire logic         resample_taken_i,  // its read is on its way
  input  wire logic [3:0]   resample_slot_i,
  input  wire logic [15:0]  resampling_i,
  input  wire logic         resample_fail_valid_i,
  output logic              resample_fail_ready_o,
  input  wire rf_bus_pkg::failure_t resample_fail_i,

  // nodes; what they are told is about the slot that they name
  output logic [31:0]       runnable_o,        // node n at [n*16]
  output logic [31:0]       eligible_o,        // of the highest band, one cycle later
  output logic [31:0]       turn_o,            // of these, whose turn it is
  output logic [1:0]        node_coming_o,     // the ringing slot is runnable in the next
                                               // cycle, if its ring moves the pointer
  input  wire logic [1:0]   node_busy_i,
  input  wire logic [7:0]   node_slot_i,
  input  wire logic [7:0]   node_load_slot_i,  // or the slot that may follow it:
  output logic [25:0]       node_read_pointer_o,
  output logic [1:0]        node_work_o,       // entries left, one cycle later
  output logic [1:0]        node_in_buffer_o,  // then too
  output logic [25:0]       node_write_pointer_o,
  output logic [1:0]        node_halt_o,       // stop before the next packet
  output logic [1:0]        node_error_o,      // for a reason that ends engine work too
  output logic [1:0]        node_wait_over_o,  // the WAIT at the position is satisfied
  output logic [1:0]        node_stalled_o,    // and it had stalled
  output logic [1:0]        node_waited_o,     // it was cancelled once, and is executed anew
  output logic [1:0]        node_fresh_o,      // QUANTUM_LEFT means nothing
  output logic [1:0]        node_fences_none_o,
  input  wire logic [1:0]   node_begin_i,      // a command buffer begins
  input  wire logic [1:0]   node_retire_valid_i, // and is complete
  output logic [1:0]        node_retire_ready_o,
  input  wire logic [1:0]   node_fence_i,      // an operation went to rf_fence, one per slot
  input  wire logic [1:0]   node_wait_i,       // a WAIT went to rf_wait
  input  wire logic [1:0]   node_wait_done_i,  // a satisfied WAIT is behind
  input  wire logic [1:0]   node_stop_i,       // TRAP, SOFTWARE_SIGNAL
  input  wire logic [1:0]   node_fail_valid_i,
  input  wire logic [2*rf_bus_pkg::FailureWidth-1:0] node_fail_i,
  input  wire logic [57:0]  node_words_i,      // offset of the packet under way
  input  wire logic [1:0]   node_spent_i,      // the quantum is over,
  input  wire logic [1:0]   node_served_i,     // and the node leaves the slot
  input  wire logic [1:0]   node_store_i,      // position to and from the registers
  input  wire logic [1:0]   node_load_i,
  output logic [1:0]        node_memory_ready_o,
  input  wire logic [7:0]   node_memory_slot_i,
  input  wire logic [9:0]   node_number_i,
  input  wire logic [127:0] node_data_i,
  output logic [63:0]       node_data_o,       // one cycle after a load was taken

  // rf_context
  output logic [15:0]       parked_o,          // to be saved
  output logic [15:0]       restore_o,         // to be restored
  input  wire logic         saved_i,           // a parked slot is saved
  input  wire logic         restoring_i,       // a restore begins
  input  wire logic [3:0]   context_slot_i,

  // rf_fence, rf_wait
  input  wire logic         fence_done_i,
  input  wire logic [3:0]   fence_done_slot_i,
  input  wire rf_bus_pkg::failure_t fence_failure_i,
  input  wire logic         fence_fault_i,
  input  wire logic [3:0]   fence_fault_slot_i,
  input  wire rf_bus_pkg::failure_t fence_fault_failure_i,
  output logic [3:0]        scan_slot_o,       // does rf_fence still compare for this one?
  input  wire logic         scan_comparing_i,
  input  wire logic         release_valid_i,
  input  wire logic [3:0]   release_slot_i,
  input  wire logic         release_stalled_i,
  input  wire rf_bus_pkg::failure_t release_failure_i,
  output logic              cancel_valid_o,
  output logic [3:0]        cancel_slot_o,

  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output      rf_bus_pkg::record_t record_o,
  output logic              idle_o
);

  // --- register decode ---------------------------------------------------------------
  logic       hit, read, write_low, write_high;
  logic [3:0] slot;
  logic [4:0] number;
  rf_slot_decode u_decode (
    .valid_i(register_i.valid), .address_i(register_i.address), .hit_o(hit), .slot_o(slot),
    .register_o(number)
  );

  assign read       = hit && !register_i.write;
  assign write_low  = hit && register_i.write && register_i.strobe[0];
  assign write_high = hit && register_i.write && register_i.strobe[4];

  localparam logic [4:0] Config              = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] Pointers            = rf_pkg::RegSlotPointers[7:3];
  localparam logic [4:0] WritePointer        = rf_pkg::RegSlotWritePointer[7:3];
  localparam logic [4:0] Control             = rf_pkg::RegSlotControl[7:3];
  localparam logic [4:0] Status              = rf_pkg::RegSlotStatus[7:3];
  localparam logic [4:0] ErrorAddress        = rf_pkg::RegSlotErrorAddress[7:3];
  localparam logic [4:0] Flags               = rf_pkg::RegSlotFlags[7:3];
  localparam logic [4:0] BufferState         = rf_pkg::RegSlotBufferState[7:3];
  localparam logic [4:0] QuantumLeft         = rf_pkg::RegSlotQuantumLeft[7:3];

  // Registers that lie in rf_slot_memory and that the host writes.
  localparam logic [31:0] Kept =
      (32'd1 << rf_pkg::RegSlotRingBase[7:3]) | (32'd1 << Config) |
      (32'd1 << rf_pkg::RegSlotQuantum[7:3]) |
      (32'd1 << rf_pkg::RegSlotWritePointerAddress[7:3]) |
      (32'd1 << rf_pkg::RegSlotSaveAddress[7:3]) |
      (32'd1 << rf_pkg::RegSlotBufferAddress[7:3]) | (32'd1 << BufferState) |
      (32'd1 << rf_pkg::RegSlotOperationDone[7:3]) |
      (32'd1 << rf_pkg::RegSlotOperationPartial[7:3]) |
      (32'd1 << rf_pkg::RegSlotWaitObserved[7:3]) | (32'd1 << QuantumLeft);

  // Slot 0 has place 1: by place, the choice does not wait for the slot's number.
  logic [3:0]  place;
  logic [15:0] enabled_at;
  logic [16:0] address;
  assign address    = {register_i.address, 3'b000};
  assign place      = address[11:8];
  assign enabled_at = {enabled_o[14:0], enabled_o[15]};

  logic config_low, control, pointers_write, pointers_set, flags_set;
  assign config_low   = write_low && number == Config;
  assign control      = write_low && number == Control;
  assign pointers_write = (write_low || write_high) && number == Pointers;
  assign pointers_set   = pointers_write && !enabled_at[place];
  assign flags_set    = write_low && number == Flags && !enabled_at[place];

  logic [15:0] here, there; // the slot that the register bus names
  assign there = 16'd1 << place;
  assign here  = {there[0], there[15:1]};

  logic [15:0] enable, disable_it, resample, resume, preempt, restore, rearm;
  logic [15:0] pointers_here, flags_here, left_here;
  assign disable_it = (control && register_i.data[rf_pkg::SlotControlDisableLsb]) ? here : '0;
  assign enable = (control && register_i.data[rf_pkg::SlotControlEnableLsb])
                  ? here & ~enabled_o : '0;
  assign resample = (control && register_i.data[rf_pkg::SlotControlResampleLsb]) ? here : '0;
  assign resume = (control && register_i.data[rf_pkg::SlotControlResumeLsb]) ? here : '0;
  assign preempt = (control && register_i.data[rf_pkg::SlotControlPreemptLsb]) ? here : '0;
  assign restore = (control && register_i.data[rf_pkg::SlotControlRestoreLsb])
                   ? here & ~enabled_o : '0;
  assign rearm = (control && register_i.data[rf_pkg::SlotControlRearmLsb]) ? here : '0;
  assign pointers_here = pointers_write ? here & ~enabled_o : '0;
  assign flags_here = flags_set ? here : '0;
  assign left_here = write_low && number == QuantumLeft ? here : '0;

  // --- events as slot masks ------------------------------------------------------------
  logic [15:0] node0, node1, serving, buffer_begin, retired, wait_begin, wait_done, stop;
  logic [15:0] fence_begin, fence_end, spent, served, storing, left_stored, memory0, memory1;
  assign node0        = 16'd1 << node_slot_i[3:0];
  assign node1        = 16'd1 << node_slot_i[7:4];
  assign memory0      = 16'd1 << node_memory_slot_i[3:0];
  assign memory1      = 16'd1 << node_memory_slot_i[7:4];
  assign serving      = ({16{node_busy_i[0]}} & node0) | ({16{node_busy_i[1]}} & node1);
  assign storing      = ({16{node_store_i[0]}} & memory0) | ({16{node_store_i[1]}} & memory1);
  assign buffer_begin = ({16{node_begin_i[0]}} & node0) | ({16{node_begin_i[1]}} & node1);
  assign fence_begin  = ({16{node_fence_i[0]}} & node0) | ({16{node_fence_i[1]}} & node1);
  assign fence_end    = fence_done_i ? 16'd1 << fence_done_slot_i : '0;
  assign wait_begin   = ({16{node_wait_i[0]}} & node0) | ({16{node_wait_i[1]}} & node1);
  assign wait_done    = ({16{node_wait_done_i[0]}} & node0) | ({16{node_wait_done_i[1]}} & node1);
  assign stop         = ({16{node_stop_i[0]}} & node0) | ({16{node_stop_i[1]}} & node1);
  assign spent        = ({16{node_spent_i[0]}} & node0) | ({16{node_spent_i[1]}} & node1);
  assign served       = ({16{node_served_i[0]}} & node0) | ({16{node_served_i[1]}} & node1);
  assign left_stored  = (node_store_i[0] && node_memory_ready_o[0] &&
                         node_number_i[4:0] == QuantumLeft ? memory0 : 16'd0) |
                        (node_store_i[1] && node_memory_ready_o[1] &&
                         node_number_i[9:5] == QuantumLeft ? memory1 : 16'd0);

  logic       release_failed;
  logic [15:0] released;
  assign release_failed = release_failure_i.error != rf_pkg::QueueErrorNone;
  assign released = (release_valid_i && !release_failed) ? 16'd1 << release_slot_i : '0;

  // One node retires a cycle.
  logic       retire_valid, retire_ready;
  logic [3:0] retire_slot;
  rf_merge #(.Width(4)) u_retire_merge (
    .clk_i, .rst_ni, .valid_i(node_retire_valid_i), .ready_o(node_retire_ready_o),
    .data_i(node_slot_i), .valid_o(retire_valid), .ready_i(retire_ready), .data_o(retire_slot)
  );
  assign retired = (retire_valid && retire_ready) ? 16'd1 << retire_slot : '0;

  // --- state ---------------------------------------------------------------------------
  logic [15:0] serves0, serves1;
  logic [15:0] disable_q, disable_d, enabled_d, disabled;
  logic [15:0] waiting_q, waiting_d, wait_over_q, stalled_q, stopped_q, stopped_d;
  logic [15:0] in_buffer_q, in_buffer_d, wait_over_d, stalled_d, waited_d;
  logic [15:0] work, error, wait_failed, fences_q;
  logic [3:0]  scan;
  logic [15:0] scan_mask, cancelled, quiet, resample_q, ready;
  logic [15:0] disabling_q, ready0_q, ready1_q, runnable0, runnable1;
  logic [15:0] postponed;  // retires, and a write of POINTERS is in the way
  logic [15:0] preempt_q, parked, saved, waited_q, fresh_q, restore_q, context_mask;

  assign cancelled = scan_mask & waiting_q & (disable_q | error);
  // From the second cycle on no node chooses the slot any more.
  assign quiet     = scan_comparing_i ? '0 :
                     scan_mask & disable_q & disabling_q & ~serving & ~storing & ~waiting_q &
                     ~fences_q & ~resample_q & ~resampling_i & ~postponed;
  assign parked    = quiet & preempt_q;
  assign context_mask = 16'd1 << context_slot_i;
  assign saved     = saved_i ? context_mask : '0;
  assign disabled  = (quiet & ~preempt_q) | saved;

  assign enabled_d   = (enabled_o | enable) & ~disabled;
  assign disable_d   = (disable_q & ~disabled) |
                       ((disable_it | preempt) & (enabled_o | enable) & ~disabled);
  assign waiting_d   = (waiting_q & ~released & ~wait_failed & ~cancelled) | wait_begin;

  // POINTERS forgets what is under way, FLAGS tells it.
  logic [15:0] keep, set_in_buffer, set_wait_over, set_stalled, set_waited, set_stopped;
  assign keep          = ~pointers_here & ~flags_here;
  assign set_in_buffer = register_i.data[rf_pkg::SlotFlagsInBufferLsb] ? flags_here : '0;
  assign set_wait_over = register_i.data[rf_pkg::SlotFlagsWaitOverLsb] ? flags_here : '0;
  assign set_stalled   = register_i.data[rf_pkg::SlotFlagsStalledLsb] ? flags_here : '0;
  assign set_waited    = register_i.data[rf_pkg::SlotFlagsWaitedLsb] ? flags_here : '0;
  assign set_stopped   = register_i.data[rf_pkg::SlotFlagsStoppedLsb] ? flags_here : '0;

  assign stopped_d   = (((stopped_q & ~resume) | stop) & keep) | set_stopped;
  assign in_buffer_d = (((in_buffer_q | buffer_begin) & ~retired) & keep) | set_in_buffer;
  assign wait_over_d = (((wait_over_q | (released & waiting_q)) & ~wait_done) & keep) |
                       set_wait_over;
  assign stalled_d   = (((stalled_q & ~released) |
                         (released & ({16{release_stalled_i}} | waited_q))) & keep) | set_stalled;
  assign waited_d    = (((waited_q | cancelled) & ~released) & keep) | set_waited;

  // A node needs two cycles from the packet that ends its turn to its next choice; a slot
  // whose retirement takes longer waits for it.
  assign ready     = enabled_o & ~disable_q & ~waiting_q & ~stopped_q & ~error;
  assign runnable0 = ready0_q & work & ~postponed;
  assign runnable1 = ready1_q & work & ~postponed;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enabled_o   <= '0;
      disable_q   <= '0;
      waiting_q   <= '0;
      wait_over_q <= '0;
      stalled_q   <= '0;
      stopped_q   <= '0;
      in_buffer_q <= '0;
      resample_q  <= '0;
      fences_q    <= '0;
      disabling_q <= '0;
      ready0_q    <= '0;
      ready1_q    <= '0;
      preempt_q   <= '0;
      parked_o    <= '0;
      restore_q   <= '0;
      waited_q    <= '0;
      fresh_q     <= '1;
      cancel_valid_o <= 1'b0;
    end else begin
      enabled_o   <= enabled_d;
      disable_q   <= disable_d;
      waiting_q   <= waiting_d;
      wait_over_q <= wait_over_d;
      stalled_q   <= stalled_d;
      waited_q    <= waited_d;
      preempt_q   <= (preempt_q | (preempt & (enabled_o | enable))) & ~disabled;
      parked_o    <= (parked_o | parked) & ~saved;
      restore_q   <= (restore_q | restore) & ~(restoring_i ? context_mask : 16'd0);
      fresh_q     <= (fresh_q | pointers_here) & ~left_here & ~left_stored;
      stopped_q   <= stopped_d;
      in_buffer_q <= in_buffer_d;
      resample_q  <= (resample_q & ~(resample_taken_i ? 16'd1 << resample_slot_i : 16'd0)) |
                     (resample & ~(parked_o | parked)); // a restore does that
      fences_q    <= (fences_q & ~fence_end) | fence_begin;
      disabling_q <= disable_q;
      ready0_q    <= ready & serves0;
      ready1_q    <= ready & serves1;
      cancel_valid_o <= cancelled != '0;
    end
  end

  // What of the descriptor every cycle needs of every slot.
  for (genvar i = 0; i < 16; i++) begin : gen_slot
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) tokens_o[i*16 +: 16] <= '0;
      else if (config_low && slot == 4'(i)) begin
        tokens_o[i*16 +: 16] <= register_i.data[rf_pkg::SlotConfigTokenLsb +: 16];
      end
    end
  end

  logic [15:0] eligible, turn;
  rf_slot_bands u_bands (
    .clk_i, .rst_ni, .config_i(config_low ? here : 16'd0),
    .config_node_i(register_i.data[rf_pkg::SlotConfigNodeLsb +: 4]),
    .config_priority_i(register_i.data[rf_pkg::SlotConfigPriorityLsb +: 4]),
    .serves0_o(serves0), .serves1_o(serves1),
    .runnable_i(runnable0 | runnable1), .ready_i(ready), .served_i(served),
    .eligible_o(eligible), .turn_o(turn)
  );
  assign eligible_o = {eligible & serves1, eligible & serves0};
  assign turn_o     = {turn & serves1, turn & serves0};

  always_ff @(posedge clk_i) cancel_slot_o <= scan;

  assign runnable_o    = {runnable1, runnable0};
  assign node_coming_o = {ring_valid_i && ready1_q[ring_slot_i] && !postponed[ring_slot_i],
                          ring_valid_i && ready0_q[ring_slot_i] && !postponed[ring_slot_i]};
  assign resample_o  = resample_q;
  assign restore_o   = restore_q;
  assign scan_slot_o = scan;

  // What a node sees of its slot. Mostly one cycle late, which is before the node can
  // run a slot that it has just chosen.
  for (genvar n = 0; n < 2; n++) begin : gen_node
    logic [3:0] s, l;
    assign s = node_slot_i[n*4 +: 4];
    assign l = node_load_slot_i[n*4 +: 4];
    always_ff @(posedge clk_i) begin
      node_work_o[n]        <= work[l] || (ring_moved_o && ring_slot_i == l);
      node_in_buffer_o[n]   <= in_buffer_q[l];
      node_error_o[n]       <= error[s];
      node_halt_o[n]        <= error[s] || disable_q[s];
      node_wait_over_o[n]   <= wait_over_q[s] && !node_wait_done_i[n];
      node_stalled_o[n]     <= stalled_q[s];
      node_waited_o[n]      <= waited_q[s];
      node_fresh_o[n]       <= fresh_q[s];
      node_fences_none_o[n] <= !fences_q[s] && !node_fence_i[n];
    end
  end

  // --- parts -----------------------------------------------------------------------------
  logic [47:0] read_pointer, write_pointer;
  rf_slot_pointers u_pointers (
    .clk_i, .rst_ni,
    .ring_valid_i, .ring_slot_i, .ring_write_pointer_i,
    .ring_moved_o, .ring_stale_o, .ring_repeated_o, .ring_range_o,
    .retire_valid_i(retire_valid), .retire_ready_o(retire_ready), .retire_slot_i(retire_slot),
    .postponed_o(postponed),
    .set_write_i(pointers_write), .set_valid_i(pointers_set), .set_here_i(pointers_here),
    .set_slot_i(slot),
    .set_pointer_i({write_high ? register_i.data[47:32] : read_pointer[47:32],
                    write_low ? register_i.data[31:0] : read_pointer[31:0]}),
    .log2_write_i(config_low), .log2_slot_i(slot),
    .log2_i(register_i.data[rf_pkg::SlotConfigRingLog2Lsb +: 4]),
    .work_o(work),
    .node_slot_i, .node_load_slot_i, .node_read_pointer_o, .node_write_pointer_o,
    .register_slot_i(slot), .register_read_pointer_o(read_pointer),
    .register_write_pointer_o(write_pointer)
  );

  logic        errors_idle, store_valid, store_ready, config_read, config_ready, failure_store;
  logic [63:0] store_data, memory_data;
  logic [15:0] yield_due, yielded;
  logic [7:0]  yield_reason;
  logic [7:0]  failure_error;
  logic [1:0]  failure_level;
  rf_slot_errors u_errors (
    .clk_i, .rst_ni, .scan_o(scan), .scan_mask_o(scan_mask),
    .fence_valid_i(fence_done_i && fence_failure_i.error != rf_pkg::QueueErrorNone),
    .fence_slot_i(fence_done_slot_i), .fence_failure_i,
    .fault_valid_i(fence_fault_i), .fault_slot_i(fence_fault_slot_i),
    .fault_failure_i(fence_fault_failure_i),
    .release_valid_i(release_valid_i && release_failed), .release_slot_i, .release_failure_i,
    .fail_valid_i({resample_fail_valid_i, node_fail_valid_i}),
    .fail_slot_i({resample_slot_i, node_slot_i}), .fail_i({resample_fail_i, node_fail_i}),
    .waiting_i(waiting_q), .clear_i(enable), .error_o(error),
    .wait_failed_o(wait_failed),
    .yield_i((yield_due & scan_mask) != '0), .yield_reason_i(yield_reason), .yielded_o(yielded),
    .store_valid_o(store_valid), .store_ready_i(store_ready), .store_data_o(store_data),
    .config_read_o(config_read), .config_ready_i(config_ready), .config_i(memory_data),
    .read_slot_i(slot), .read_error_o(failure_error), .read_level_o(failure_level),
    .read_store_o(failure_store),
    .record_valid_o, .record_ready_i, .record_o, .idle_o(errors_idle)
  );
  assign resample_fail_ready_o = error[resample_slot_i];

  // --- a queue that could be swapped ---------------------------------------------------
  localparam logic [16:0] Oversubscribed = rf_pkg::RegSlotOversubscribed;
  logic        oversubscribed_q;
  logic [15:0] told_q, spent_q, idling;
  assign idling    = ~(work | waiting_q | resample_q | resampling_i);
  assign yield_due = oversubscribed_q ? enabled_o & ~disable_q & ~told_q & ~error &
                                        (waiting_q | idling | spent_q) : '0;
  assign yield_reason = (waiting_q & scan_mask) != '0 ? rf_pkg::YieldReasonBlocked :
                        (idling & scan_mask) != '0    ? rf_pkg::YieldReasonIdle :
                                                        rf_pkg::YieldReasonQuantum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oversubscribed_q <= 1'b0;
      told_q           <= '0;
      spent_q          <= '0;
    end else begin
      if (register_i.valid && register_i.write && register_i.strobe[0] &&
          address == Oversubscribed) begin
        oversubscribed_q <= register_i.data[rf_pkg::SlotOversubscribedOversubscribedLsb];
      end
      told_q  <= (told_q | yielded) & ~rearm & ~enable;
      spent_q <= (spent_q | spent) & ~rearm & ~enable;
    end
  end

  // --- register reads: from memory, or as it stands --------------------------------------
  logic        in_memory_q, words_q, served_there;
  logic [63:0] live, live_q;

  rf_slot_memory u_memory (
    .clk_i,
    .register_valid_i(register_i.valid), .register_read_i(read),
    .register_write_i(hit && register_i.write && Kept[number]), .register_slot_i(slot),
    .register_number_i(number == Status ? BufferState : number),
    .register_data_i(register_i.data), .register_strobe_i(register_i.strobe),
    .error_valid_i(store_valid), .error_ready_o(store_ready),
    .config_valid_i(config_read), .config_ready_o(config_ready),
    .error_slot_i(scan), .error_data_i(store_data),
    .node_store_i, .node_load_i, .node_ready_o(node_memory_ready_o),
    .node_slot_i(node_memory_slot_i), .node_number_i, .node_data_i,
    .data_o(memory_data)
  );
  assign node_data_o = memory_data;

  logic [3:0] state;
  always_comb begin
    if (!enabled_o[slot]) state = rf_pkg::SlotStateDisabled[3:0];
    else if (error[slot]) state = rf_pkg::SlotStateError[3:0];
    else if (stopped_q[slot]) state = rf_pkg::SlotStateStoppedHost[3:0];
    else if (waiting_q[slot] || (waited_q[slot] && parked_o[slot])) begin
      state = rf_pkg::SlotStateWaiting[3:0];
    end
    else if (serving[slot]) state = rf_pkg::SlotStateRunning[3:0];
    else if (work[slot]) state = rf_pkg::SlotStateRunnable[3:0];
    else state = rf_pkg::SlotStateIdle[3:0];
  end

  assign served_there = (here & serving) != '0;

  always_comb begin
    live = '0;
    unique case (number)
      Pointers:     live = {16'd0, read_pointer};
      WritePointer: live = {16'd0, write_pointer};
      Status: begin
        live[rf_pkg::SlotStatusStateLsb +: 4] = state;
        if (error[slot]) begin
          live[rf_pkg::SlotStatusErrorLsb +: 8] = failure_error;
          live[rf_pkg::SlotStatusLevelLsb +: 2] = failure_level;
          live[rf_pkg::SlotStatusStoreLsb]      = failure_store;
        end
        live[rf_pkg::SlotStatusResamplingLsb] = resample_q[slot] || resampling_i[slot];
        if (in_buffer_q[slot] && served_there) begin
          live[rf_pkg::SlotStatusPacketWordsLsb +: 29] =
              serves1[slot] ? node_words_i[57:29] : node_words_i[28:0];
        end
      end
      Flags: begin
        live[rf_pkg::SlotFlagsInBufferLsb] = in_buffer_q[slot];
        live[rf_pkg::SlotFlagsWaitOverLsb] = wait_over_q[slot];
        live[rf_pkg::SlotFlagsStalledLsb]  = stalled_q[slot];
        live[rf_pkg::SlotFlagsWaitedLsb]   = waited_q[slot];
        live[rf_pkg::SlotFlagsStoppedLsb]  = stopped_q[slot];
      end
      default:      live = '0;
    endcase
  end

  // The block header at the block's own offset.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_memory_q <= 1'b0;
      words_q     <= 1'b0;
      live_q      <= '0;
    end else begin
      in_memory_q <= read && ((Kept[number] && !(number == QuantumLeft && fresh_q[slot])) ||
                              (number == ErrorAddress && error[slot]));
      words_q     <= read && number == Status && in_buffer_q[slot] && !served_there;
      live_q      <= '0;
      if (read) live_q <= live;
      else if (register_i.valid && !register_i.write) begin
        if (address == Oversubscribed - 17'h10) live_q <= rf_pkg::SlotBlockHeader0;
        if (address == Oversubscribed - 17'h8) live_q <= rf_pkg::SlotBlockHeader1;
        if (address == Oversubscribed) live_q <= {63'd0, oversubscribed_q};
      end
    end
  end

  // The position of a slot that no node has comes with the rest of its STATUS.
  assign register_data_o = in_memory_q ? memory_data
                         : live_q | (words_q ? {3'd0, memory_data[60:32], 32'd0} : 64'd0);

  assign idle_o = !ring_valid_i && errors_idle && runnable0 == '0 && runnable1 == '0 &&
                  (ready & (serves0 | serves1) & work) == '0 &&
                  disable_q == '0 && (waiting_q & error) == '0 && !cancel_valid_o &&
                  resample_q == '0 && fences_q == '0 && restore_q == '0 && yield_due == '0;

endmodule

`default_nettype wire
