// SPDX-License-Identifier: Apache-2.0
//
// The sum of a stream of 32-bit elements, two per word, sign-extended to 64 bits, and
// of what was there before. sum_o holds every word of two cycles ago. valid_o rises two
// cycles after the last word, at once after a start with empty_i, and stays until the
// next start.

`default_nettype none

module rf_vector_sum (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        start_i,
  input  wire logic        empty_i,  // with start_i: no words follow
  input  wire logic [63:0] sum_i,    // with start_i: what to add to

  input  wire logic        valid_i,  // never refused
  input  wire logic [63:0] data_i,
  input  wire logic        last_i,

  output logic             valid_o,
  output logic [63:0]      sum_o
);

  logic        pair_valid_q, pair_last_q;
  logic [32:0] pair_q;
  logic [31:0] low, high;

  assign low  = data_i[31:0];
  assign high = data_i[63:32];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pair_valid_q <= 1'b0;
      valid_o      <= 1'b0;
    end else begin
      pair_valid_q <= valid_i && !start_i;
      if (start_i) valid_o <= empty_i;
      else if (pair_valid_q && pair_last_q) valid_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    pair_q      <= {low[31], low} + {high[31], high};
    pair_last_q <= last_i;
    if (start_i) sum_o <= sum_i;
    else if (pair_valid_q) sum_o <= sum_o + {{31{pair_q[32]}}, pair_q};
  end

endmodule

`default_nettype wire
