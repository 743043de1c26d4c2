// SPDX-License-Identifier: Apache-2.0
//
// State of each queue slot, one bit of each kind, slot n at [n]. A slot is ready when it is
// enabled and is not waiting, stopped, in error or about to be disabled.
//
// A DISABLE completes when no node serves the slot, it has no wait and no RESAMPLE under way, and
// its fence operation is performed and compared: nothing of the queue happens afterwards. A
// PREEMPT parks the slot under the same conditions, and rf_context saves it. Work that may be late
// is done by the scan of rf_slot_errors, one slot per cycle: completing DISABLE, parking for
// PREEMPT, cancelling waits. State survives DISABLE until POINTERS or FLAGS is written.

`default_nettype none

module rf_slot_state #(
  parameter int unsigned Slots = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [3:0]   slot_i,          // of the register access
  /* verilator lint_off UNUSEDSIGNAL */ // some fields only
  input  wire rf_bus_pkg::slot_control_t control_i,
  input  wire logic [15:0]  forget_i,        // POINTERS or FLAGS of it is written: it has
  input  wire rf_bus_pkg::slot_flags_t flags_i, // these

  input  wire rf_bus_pkg::context_progress_t context_progress_i,
  input  wire logic [3:0]   context_slot_i,  // the one that rf_context works on
  input  wire rf_bus_pkg::node_place_t  place0_i,
  input  wire rf_bus_pkg::node_place_t  place1_i,
  input  wire rf_bus_pkg::slot_update_t update0_i,
  input  wire rf_bus_pkg::slot_update_t update1_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [15:0]  retired_i,       // an entry
  input  wire logic [15:0]  postponed_i,     // retires, and a write of POINTERS is in the way
  input  wire rf_bus_pkg::slot_event_t fence_done_i,
  input  wire rf_bus_pkg::slot_event_t release_i,  // a wait is satisfied,
  input  wire logic         release_stalled_i, // but was not at first
  input  wire logic [15:0]  error_i,
  input  wire logic [15:0]  wait_failed_i,
  input  wire rf_bus_pkg::slot_scan_t scan_i,
  input  wire logic [15:0]  serves0_i,       // slots of each node
  input  wire logic [15:0]  serves1_i,

  output logic [15:0]       enabled_o,
  output logic [15:0]       disabling_o,
  output logic [15:0]       waiting_o,
  output logic [15:0]       wait_over_o,     // the WAIT at the position is satisfied
  output logic [15:0]       stalled_o,       // it was not at once
  output logic [15:0]       waited_o,        // it was cancelled once
  output logic [15:0]       stopped_o,       // by TRAP or SOFTWARE_SIGNAL
  output logic [15:0]       in_buffer_o,
  output logic [15:0]       fences_o,        // a fence operation is under way
  output logic [15:0]       resample_o,
  output logic [15:0]       parked_o,
  output logic [15:0]       restore_o,

  output logic [15:0]       ready_o,
  output logic [15:0]       ready0_o,        // a cycle ago, of each node
  output logic [15:0]       ready1_o,
  output      rf_bus_pkg::slot_event_t cancel_o
);

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  localparam logic [15:0] Here = 16'((1 << Slots) - 1); // as it is; synthesis drops the rest

  // --- what happens, slot n at [n] -------------------------------------------------------
  logic [15:0] node0, node1, begins, fence_begins, fence_ends, wait_begins, wait_done, stops;
  logic [15:0] released, context_here, here;
  assign here           = 16'd1 << slot_i;
  logic [15:0] enable, disable_asked, preempt_asked, resample_asked, restore_asked, resume;
  assign node0          = place0_i.here;
  assign node1          = place1_i.here;
  assign begins         = (update0_i.begins ? node0 : '0) | (update1_i.begins ? node1 : '0);
  assign fence_begins   = (update0_i.fence_issued ? node0 : '0) |
                          (update1_i.fence_issued ? node1 : '0);
  assign fence_ends     = fence_done_i.valid ? 16'd1 << fence_done_i.slot : '0;
  assign wait_begins    = (update0_i.wait_issued ? node0 : '0) |
                          (update1_i.wait_issued ? node1 : '0);
  assign wait_done      = (update0_i.wait_done ? node0 : '0) | (update1_i.wait_done ? node1 : '0);
  assign stops          = (update0_i.stops ? node0 : '0) | (update1_i.stops ? node1 : '0);
  assign released       = release_i.valid ? 16'd1 << release_i.slot : '0;
  assign context_here   = 16'd1 << context_slot_i;
  assign enable         = control_i.enable   ? here : '0;
  assign disable_asked  = control_i.disables ? here : '0;
  assign preempt_asked  = control_i.preempt  ? here : '0;
  assign resample_asked = control_i.resample ? here : '0;
  assign restore_asked  = control_i.restore  ? here : '0;
  assign resume         = control_i.resume   ? here : '0;

  // --- what the scan does ------------------------------------------------------------------
  // Looked at in one cycle, done in the next; of what is quiet then, nothing but a RESAMPLE
  // ends that. From the third cycle of a DISABLE or PREEMPT on no node takes its slot any
  // more, nor fetches for it. (The host cannot write one in every third cycle.)
  logic [15:0] looked_q, quiet, parked, saved, disabled, cancelled, preempt_q;
  logic        quiet_q, quiet_d, served, cancel_q;
  logic [1:0]  young_q;  // there was one two cycles ago, one cycle ago
  logic [3:0]  looked_slot_q, cancel_slot_q;
  assign served    = (place0_i.busy && place0_i.slot == scan_i.slot) ||
                     (place1_i.busy && place1_i.slot == scan_i.slot);
  assign quiet_d   = (scan_i.here & disabling_o & ~waiting_o & ~fences_o & ~postponed_i) != '0 &&
                     young_q == '0 && !served && !scan_i.owed && !scan_i.comparing;
  assign quiet     = quiet_q ? looked_q & disabling_o & ~resample_o : '0;
  assign parked    = quiet & preempt_q;
  assign saved     = context_progress_i.saved ? context_here : '0;
  assign disabled  = (quiet & ~preempt_q) | saved;
  assign cancelled = looked_q & waiting_o & (disabling_o | error_i);

  // RESAMPLE written while its record is being looked up: it is done once more.
  logic        resample_repeats, resample_repeats_q;
  logic [15:0] resampled;
  assign resample_repeats     = control_i.resample && slot_i == context_slot_i;
  assign resampled = context_progress_i.resample_done && !resample_repeats_q ? context_here : '0;

  // --- the state -----------------------------------------------------------------------------
  logic [15:0] enabled;    // with the one that is being enabled
  logic [15:0] satisfied;  // released ones that had stalled, or were cancelled once
  assign enabled   = enabled_o | enable;
  assign satisfied = released & (release_stalled_i ? '1 : waited_o);
  assign ready_o   = enabled_o & ~disabling_o & ~waiting_o & ~stopped_o & ~error_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enabled_o   <= '0;
      disabling_o <= '0;
      preempt_q   <= '0;
      parked_o    <= '0;
      restore_o   <= '0;
      resample_o  <= '0;
      resample_repeats_q <= 1'b0;
      waiting_o   <= '0;
      fences_o    <= '0;
    end else begin
      enabled_o   <= enabled & ~disabled;
      disabling_o <= (disabling_o | ((disable_asked | preempt_asked) & enabled)) & ~disabled;
      preempt_q   <= (preempt_q | (preempt_asked & enabled)) & ~disabled;
      parked_o    <= (parked_o | parked) & ~saved;
      restore_o   <= (restore_o | (restore_asked & ~enabled_o)) &
                     ~(context_progress_i.restoring ? context_here : 16'd0);
      resample_o  <= (resample_o & ~resampled) |
                     (resample_asked & ~(parked_o | parked)); // a restore does that
      resample_repeats_q <= (resample_repeats_q && !context_progress_i.resample_taken) ||
                            resample_repeats;
      waiting_o   <= ((waiting_o & ~released & ~wait_failed_i & ~cancelled) | wait_begins) & Here;
      fences_o    <= ((fences_o & ~fence_ends) | fence_begins) & Here;
    end
  end

  // What POINTERS forgets, and FLAGS tells: nothing else happens to a disabled slot.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_buffer_o <= '0;
      wait_over_o <= '0;
      stalled_o   <= '0;
      waited_o    <= '0;
      stopped_o   <= '0;
    end else begin
      in_buffer_o <= ((in_buffer_o | begins) & ~retired_i & ~forget_i) |
                     (flags_i.in_buffer ? forget_i : '0);
      wait_over_o <= ((wait_over_o | (released & waiting_o)) & ~wait_done & ~forget_i) |
                     (flags_i.wait_over ? forget_i : '0);
      stalled_o   <= (((stalled_o & ~released) | satisfied) & ~forget_i) |
                     (flags_i.stalled ? forget_i : '0);
      waited_o    <= ((waited_o | cancelled) & ~released & ~forget_i) |
                     (flags_i.waited ? forget_i : '0);
      stopped_o   <= (((stopped_o & ~resume) | stops) & ~forget_i) |
                     (flags_i.stopped ? forget_i : '0);
    end
  end

  // A node needs two cycles from the packet that ends its turn to its next choice; a slot
  // whose retirement takes longer waits for it.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      young_q        <= '0;
      quiet_q        <= 1'b0;
      looked_q       <= '0;
      ready0_o       <= '0;
      ready1_o       <= '0;
      cancel_q       <= 1'b0;
    end else begin
      young_q        <= {young_q[0], control_i.disables || control_i.preempt};
      quiet_q        <= quiet_d;
      looked_q       <= scan_i.rests ? '0 : scan_i.here;
      ready0_o       <= ready_o & serves0_i & ~postponed_i;
      ready1_o       <= ready_o & serves1_i & ~postponed_i;
      cancel_q       <= cancelled != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    looked_slot_q <= scan_i.slot;
    cancel_slot_q <= looked_slot_q;
  end
  always_comb begin
    cancel_o.valid = cancel_q;
    cancel_o.slot  = cancel_slot_q;
  end

endmodule

`default_nettype wire
