// SPDX-License-Identifier: Apache-2.0
//
// Two symbols a cycle of half the rate, for a SERDES that gives one: words change with the falling
// edge of half_clk_o, so that its rising edge takes them with half a cycle to spare. The first
// symbol is in the lower half.

`default_nettype none

module rf_ecp5_gear_receive (
  input  wire logic        clk_i,
  input  wire logic [11:0] symbol_i,
  output logic             half_clk_o,
  output logic [23:0]      word_o
);

  logic        half_q;
  logic [11:0] first_q;

  assign half_clk_o = half_q;

  always_ff @(posedge clk_i) begin
    half_q  <= !half_q;
    first_q <= symbol_i;
    if (half_q) word_o <= {symbol_i, first_q};
  end

endmodule

`default_nettype wire
