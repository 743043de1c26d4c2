// SPDX-License-Identifier: Apache-2.0
//
// Words of half_clk_o, half the rate, to one symbol a cycle, the lower half first. A word is taken
// with the rising edge that ends its cycle. Latency two cycles of half_clk_o.

`default_nettype none

module rf_ecp5_gear_send (
  input  wire logic        clk_i,
  output logic             half_clk_o,
  input  wire logic [23:0] word_i,
  output logic [11:0]      symbol_o
);

  logic        half_q;
  logic [23:0] word_q;

  assign half_clk_o = half_q;

  always_ff @(posedge clk_i) begin
    half_q <= !half_q;
    if (!half_q) word_q <= word_i;
    symbol_o <= half_q ? word_q[11:0] : word_q[23:12];
  end

endmodule

`default_nettype wire
