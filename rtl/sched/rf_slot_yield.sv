// SPDX-License-Identifier: Apache-2.0
//
// Queues that could be swapped. While OVERSUBSCRIBED is set, a slot that waits, has no work or has
// used up its quantum is due for a yield record, once until it is enabled or its CONTROL.rearm is
// written. The scan of rf_slot_errors visits the slots and raises the record.
// calm_i: nothing happens that could make a slot due. settled_o: calm for a whole round of the
// scan, so every slot was visited.

`default_nettype none

module rf_slot_yield (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         oversubscribed_i,
  /* verilator lint_off UNUSEDSIGNAL */ // some fields only
  input  wire rf_bus_pkg::slot_scan_t scan_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [15:0]  may_yield_i,      // enabled, not being disabled, not in error
  input  wire logic [15:0]  waiting_i,
  input  wire logic [15:0]  works_i,          // has work, or looks for it
  input  wire logic [15:0]  spent_i,          // its quantum is over in this cycle
  input  wire logic [15:0]  rearm_i,
  output logic              due_o,            // the slot of the scan is,
  output logic [7:0]        reason_o,         // for this
  input  wire logic [15:0]  yielded_i,        // its record is sent

  input  wire logic         calm_i,
  output logic              settled_o
);

  logic [15:0] yielded_q, spent_q;
  logic [1:0]  rounds_q;    // calm ones: the second of them was a whole one
  logic        waits, works, spent;
  assign waits    = (scan_i.here & waiting_i) != '0;
  assign works    = (scan_i.here & works_i) != '0;
  assign spent    = (scan_i.here & spent_q) != '0;
  assign due_o    = oversubscribed_i && !scan_i.rests &&
                    (scan_i.here & may_yield_i & ~yielded_q) != '0 && (waits || !works || spent);
  assign reason_o = waits  ? rf_pkg::YieldReasonBlocked :
                    !works ? rf_pkg::YieldReasonIdle : rf_pkg::YieldReasonQuantum;
  assign settled_o = !due_o && (!oversubscribed_i || rounds_q[1]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      yielded_q <= '0;
      spent_q   <= '0;
      rounds_q  <= '0;
    end else begin
      yielded_q <= (yielded_q | yielded_i) & ~rearm_i;
      spent_q   <= (spent_q | spent_i) & ~rearm_i;
      if (!calm_i || due_o || !oversubscribed_i) rounds_q <= '0;
      else if (scan_i.here[0]) rounds_q <= {rounds_q[0], 1'b1};
    end
  end

endmodule

`default_nettype wire
