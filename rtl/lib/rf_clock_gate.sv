// SPDX-License-Identifier: Apache-2.0
//
// Spares a simulation the clock edges of a block that sleeps. clk_o has the edges of clk_i while
// wake_i is high, for Linger cycles behind, and in and behind a reset. The block around it promises
// that in every other cycle no edge would change anything of the block that can be seen, then or
// later: wake_i is high when the block takes an input, and until what follows from it is Linger
// cycles from its end. A block that counts, or looks at something in turn, does not sleep.
//
// Only with RF_CLOCK_GATES, which sim/sim.mk defines: everywhere else clk_o is clk_i, so the other
// models, synthesis and proofs know nothing of it, and tests/host/sleep_test.py compares with one
// of them. clk_o has no glitch: the latch is shut while clk_i is high, and in a model that
// evaluates once a cycle (sim/rf_device_stepped.sv) clk_i is low when wake_i changes.

`default_nettype none

module rf_clock_gate #(
  parameter int unsigned Linger = 32
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic wake_i,
  output logic      clk_o
);

  if (Linger < 1 || Linger > 255) begin : gen_bad_linger
    $error("a clock lingers for 1 to 255 cycles");
  end

`ifdef RF_CLOCK_GATES
  logic [7:0] left_q; // cycles with a clock, from now on
  logic       open;
  logic       awake;
  assign awake = wake_i || !rst_ni;
  always_ff @(posedge clk_i) begin
    left_q <= awake ? 8'(Linger) : left_q - {7'd0, left_q != '0};
  end
  /* verilator lint_off LATCH */
  always_latch if (!clk_i) open = awake || left_q != '0;
  /* verilator lint_on LATCH */
  assign clk_o = clk_i && open;
`else
  logic unused;
  assign unused = &{1'b0, rst_ni, wake_i};
  assign clk_o  = clk_i;
`endif

endmodule

`default_nettype wire
