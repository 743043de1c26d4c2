// SPDX-License-Identifier: Apache-2.0
//
// For simulation: an offer that is not taken stays as it is. Instances have the names of
// assertions and stand outside of synthesis and proofs. data_i is evaluated only while an offer
// waits, so other cycles cost a simulation next to nothing.

`default_nettype none

module rf_offer_check #(
  parameter int unsigned Width = 1
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             valid_i,
  input  wire logic             ready_i,
  input  wire logic [Width-1:0] data_i
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("an offer has 1 to 4096 bits");
  end

`ifndef SYNTHESIS
  logic             in_reset;
  logic             waits;            // offered in the last cycle, and not taken
  logic [Width-1:0] offered, waiting; // what is offered, and was then

  assign in_reset = !rst_ni;

  // Variables of this block alone: without an offer it does nothing.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (waits || (valid_i && !ready_i)) begin
      offered = data_i;
      if (waits && !in_reset) stays: assert (valid_i && offered == waiting);
      waiting = offered;
      waits   = valid_i && !ready_i && !in_reset;
    end
  end
  /* verilator lint_on BLKSEQ */
`endif

endmodule

`default_nettype wire
