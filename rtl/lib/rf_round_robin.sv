// SPDX-License-Identifier: Apache-2.0
//
// Round-robin choice among Ports requests. grant_o (one-hot, combinational from
// request_i) starts its search behind the port that was granted at the last
// advance_i. Promises: at most one grant, only to a requester, and a steady
// requester is granted within Ports advances.

`default_nettype none

module rf_round_robin #(
  parameter int unsigned Ports = 4
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [Ports-1:0] request_i,
  input  wire logic             advance_i,
  output logic [Ports-1:0]      grant_o,
  output logic [$clog2(Ports)-1:0] index_o
);

  // Ports above the last winner; they come first.
  logic [Ports-1:0] above_q;
  logic [Ports-1:0] high;
  logic [Ports-1:0] first, first_high;  // lowest of request_i, of high
  logic [Ports-1:0] above_d;

  // Written as one function per port, without a carry chain through all of them.
  assign high    = request_i & above_q;
  assign grant_o = (high != '0) ? first_high : first;

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam logic [Ports-1:0] Below = (1 << i) - 1;

    assign first[i]      = request_i[i] && (request_i & Below) == '0;
    assign first_high[i] = high[i] && (high & Below) == '0;
    assign above_d[i]    = (grant_o & Below) != '0;
  end

  always_comb begin
    index_o = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (grant_o[i]) index_o = index_o | i[$clog2(Ports)-1:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= '0;
    else if (advance_i && request_i != '0) above_q <= above_d;
  end

endmodule

`default_nettype wire
