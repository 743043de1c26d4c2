// SPDX-License-Identifier: Apache-2.0
//
// Synchronises an external reset: it begins at once, and ends with the clock, two edges after
// arst_ni.

`default_nettype none

module rf_reset (
  input  wire logic clk_i,
  input  wire logic arst_ni,
  output logic      rst_no
);

  logic first_q;

  always_ff @(posedge clk_i or negedge arst_ni) begin
    if (!arst_ni) {rst_no, first_q} <= 2'b00;
    else {rst_no, first_q} <= {first_q, 1'b1};
  end

endmodule

`default_nettype wire
