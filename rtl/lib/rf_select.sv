// SPDX-License-Identifier: Apache-2.0
//
// Arbiter that chooses one cycle ahead, so that arbitration and use are in different cycles: a
// port that may move in this cycle is chosen for the next, round robin; if none may, the one that
// hint_i says will become ready; otherwise one that waits for something, in case it arrives. The
// chosen port must still check that it may move.
//
// The ports of First have a round robin of their own, which gets every other choice.
// Promises: at most one port is selected; a steady request_i is selected within twice Ports
// choices, with keep_i low.

`default_nettype none

module rf_select #(
  parameter int unsigned Ports = 5,
  parameter logic [Ports-1:0] First = '0
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  input  wire logic                     keep_i,     // no new choice
  input  wire logic [Ports-1:0]         request_i,
  input  wire logic [Ports-1:0]         hint_i,     // one-hot or none
  input  wire logic [Ports-1:0]         waiting_i,
  output logic [Ports-1:0]              next_o,     // select_o of the next cycle, unless keep_i
  output logic [Ports-1:0]              select_o,   // one-hot or none
  output logic [$clog2(Ports)-1:0]      index_o
);

  if (Ports < 2 || Ports > 64) begin : gen_bad_ports
    $error("there are 2 to 64 ports");
  end

  logic [Ports-1:0]         first, others, first_granted, others_granted;
  logic [Ports-1:0]         granted, lowest;
  logic [$clog2(Ports)-1:0] unused_index0, unused_index1, index_d;
  logic                     take_first, first_last_q;

  assign first      = request_i & First;
  assign others     = request_i & ~First;
  assign take_first = first != '0 && !(first_last_q && others != '0);
  assign granted    = take_first ? first_granted : others_granted;

  rf_round_robin #(
    .Ports(Ports)
  ) u_first (
    .clk_i,
    .rst_ni,
    .request_i(first),
    .advance_i(!keep_i && take_first),
    .grant_o  (first_granted),
    .index_o  (unused_index0)
  );

  rf_round_robin #(
    .Ports(Ports)
  ) u_others (
    .clk_i,
    .rst_ni,
    .request_i(others),
    .advance_i(!keep_i && !take_first),
    .grant_o  (others_granted),
    .index_o  (unused_index1)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_last_q <= 1'b0;
    else if (!keep_i && request_i != '0) first_last_q <= take_first;
  end

  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam logic [Ports-1:0] Below = (1 << i) - 1;

    assign lowest[i] = waiting_i[i] && (waiting_i & Below) == '0;
  end

  assign next_o = (request_i != '0) ? granted : (hint_i != '0) ? hint_i : lowest;

  always_comb begin
    index_d = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (next_o[i]) index_d = index_d | i[$clog2(Ports)-1:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      select_o <= '0;
      index_o  <= '0;
    end else if (!keep_i) begin
      select_o <= next_o;
      index_o  <= index_d;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni && hint_i != '0) one_hint: assert ((hint_i & (hint_i - 1'b1)) == '0);
  end
`endif
`endif

endmodule

`default_nettype wire
