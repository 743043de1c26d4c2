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

  logic [Ports-1:0] above_q;            // ports above the last winner; they come first
  logic [Ports-1:0] high;
  logic [Ports-1:0] below, below_high;  // a request, one of high, lies below the port
  logic [Ports-1:0] above_d;

  assign high    = request_i & above_q;
  assign above_d = (high != '0) ? below_high : below;

  if (Ports <= 4) begin : gen_pairs
    // Of each pair of ports it is known who goes first: two levels of logic.
    for (genvar i = 0; i < Ports; i++) begin : gen_grant
      logic [Ports-1:0] first;
      for (genvar j = 0; j < Ports; j++) begin : gen_before
        assign first[j] = (j < i) ? !above_q[i] || above_q[j] : !above_q[i] && above_q[j];
      end
      assign grant_o[i] = request_i[i] && (request_i & first & ~(Ports'(1) << i)) == '0;
    end
  end else begin : gen_groups
    assign grant_o = ((high != '0) ? high : request_i) & ~above_d;
  end

  // Groups of four first, without a carry chain through all ports.
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam int unsigned Group = i / 4 * 4;
    localparam logic [Ports-1:0] Groups = (1 << Group) - 1;
    localparam logic [Ports-1:0] Own = ((1 << i) - 1) & ~Groups;

    assign below[i]      = (request_i & Groups) != '0 || (request_i & Own) != '0;
    assign below_high[i] = (high & Groups) != '0 || (high & Own) != '0;
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
