// SPDX-License-Identifier: Apache-2.0
//
// Events from one clock to another: a cycle of event_i becomes a cycle of event_o. After one, those
// of the next 2^HoldLog2 cycles are one event more, at the end of them: the other clock may be as
// slow as a fourth of 2^HoldLog2. The resets need not be low together: that alone is no event.

`default_nettype none

module rf_event #(
  parameter int unsigned HoldLog2 = 4
) (
  input  wire logic from_clk_i,
  input  wire logic from_rst_ni,
  input  wire logic event_i,
  input  wire logic to_clk_i,
  input  wire logic to_rst_ni,
  output logic      event_o
);

  if (HoldLog2 < 2 || HoldLog2 > 16) begin : gen_bad_hold_log2
    $error("4 to 65536 cycles between two events");
  end

  logic                pending_q, pulse_q;
  logic [HoldLog2-1:0] hold_q;
  logic [2:0]          seen_q;

  // A pulse of half the hold, not a toggle: a reset ends it, and is no event.
  always_ff @(posedge from_clk_i or negedge from_rst_ni) begin
    if (!from_rst_ni) begin
      pending_q <= 1'b0;
      pulse_q   <= 1'b0;
      hold_q    <= '0;
    end else begin
      pending_q <= event_i || (pending_q && hold_q != '0);
      if (hold_q != '0) hold_q <= hold_q - 1'b1;
      else if (pending_q) hold_q <= '1;
      pulse_q <= hold_q[HoldLog2-1];
    end
  end

  always_ff @(posedge to_clk_i or negedge to_rst_ni) begin
    if (!to_rst_ni) seen_q <= '0;
    else seen_q <= {seen_q[1:0], pulse_q};
  end

  assign event_o = seen_q[1] && !seen_q[2];

endmodule

`default_nettype wire
