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

  if (Ports < 2 || Ports > 64) begin : gen_bad_ports
    $error("there are 2 to 64 ports");
  end

  logic [Ports-1:0] above_q;  // ports above the last winner; they come first
  logic [Ports-1:0] past;

  rf_lowest_above #(.Ports(Ports)) u_next (
    .request_i, .above_i(above_q), .grant_o, .index_o, .past_o(past)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= '0;
    else if (advance_i && request_i != '0) above_q <= past;
  end

endmodule

`default_nettype wire
