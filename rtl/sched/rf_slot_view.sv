// SPDX-License-Identifier: Apache-2.0
//
// What a node sees of its slot: position in the ring and work without delay, the state of the slot
// one cycle late, which is still before the node can run a slot that it has just chosen.

`default_nettype none

module rf_slot_view (
  input  wire logic         clk_i,

  /* verilator lint_off UNUSEDSIGNAL */ // some fields only
  input  wire rf_bus_pkg::node_place_t  place_i,
  input  wire rf_bus_pkg::slot_update_t update_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [12:0]  read_pointer_i,   // of the slot that it loads
  input  wire logic [12:0]  write_pointer_i,  // of its slot

  // Of slot n at [n]
  input  wire logic [15:0]  work_i,
  input  wire logic [15:0]  in_buffer_i,
  input  wire logic [15:0]  stalled_i,
  input  wire logic [15:0]  error_i,
  input  wire logic [15:0]  disabling_i,
  input  wire logic [15:0]  wait_over_i,
  input  wire logic [15:0]  waited_i,
  input  wire logic [15:0]  fences_i,         // a fence operation is under way

  input  wire rf_bus_pkg::slot_event_t moved_i, // a ring moves its write pointer
  output      rf_bus_pkg::slot_view_t  view_o
);

  logic halt_q, error_q, wait_over_q, waited_q, fences_none_q;
  always_ff @(posedge clk_i) begin
    halt_q        <= ((error_i | disabling_i) & place_i.here) != '0;
    error_q       <= (error_i & place_i.here) != '0;
    wait_over_q   <= (wait_over_i & place_i.here) != '0 && !update_i.wait_done;
    waited_q      <= (waited_i & place_i.here) != '0;
    fences_none_q <= (fences_i & place_i.here) == '0 && !update_i.fence_issued;
  end

  always_comb begin
    view_o.read_pointer  = read_pointer_i;
    view_o.write_pointer = write_pointer_i;
    view_o.work          = work_i[place_i.load_slot] ||
                           (moved_i.valid && moved_i.slot == place_i.load_slot);
    view_o.in_buffer     = in_buffer_i[place_i.load_slot];
    view_o.halt          = halt_q;
    view_o.error         = error_q;
    view_o.wait_over     = wait_over_q;
    view_o.stalled       = (stalled_i & place_i.here) != '0;
    view_o.waited        = waited_q;
    view_o.fences_none   = fences_none_q;
  end

endmodule

`default_nettype wire
