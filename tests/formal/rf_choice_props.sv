// SPDX-License-Identifier: Apache-2.0
//
// rf_choice: what is shown was the first requester behind the last port that was followed;
// so a steady requester is granted within Ports choices that are followed. As in rf_node,
// no choice is made while one is shown.

`default_nettype none

module rf_choice_props #(
  parameter int unsigned Ports = 4
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  localparam int unsigned Bits = $clog2(Ports);
  localparam logic [Bits:0] All = Ports;

  (* anyseq *) logic [Ports-1:0] request;
  (* anyseq *) logic             choose, take;
  logic [Ports-1:0] grant, request_q = '0;
  logic             valid, chose_q = 1'b0;

  rf_choice #(.Ports(Ports)) u_choice (
    .clk_i, .rst_ni, .request_i(request), .choose_i(choose), .valid_o(valid), .grant_o(grant),
    .take_i(take));

  always_comb assume (valid ? !choose : !take);

  (* anyconst *) logic [Bits-1:0] port;     // any
  logic [Bits-1:0] last_q = All - 1'b1;     // followed last
  logic [Bits-1:0] index;
  logic [Bits:0]   place, winner, waited_q = '0;
  always_comb begin
    assume ({1'b0, port} < All);
    index = '0;
    for (int unsigned i = 0; i < Ports; i++) if (grant[i]) index = index | i[Bits-1:0];
  end

  // How far behind the last one, 1 to Ports
  assign place  = {1'b0, port} - {1'b0, last_q} + (port > last_q ? '0 : All);
  assign winner = {1'b0, index} - {1'b0, last_q} + (index > last_q ? '0 : All);

  always_ff @(posedge clk_i) if (rst_ni) begin
    request_q <= request;
    chose_q   <= choose && request != '0;
    if (take) last_q <= index;
    if (!request[port] || (take && grant[port])) waited_q <= '0;
    else if (take && request_q[port]) waited_q <= waited_q + 1'b1;
  end

  always_comb if (rst_ni) begin
    shown_in_the_next_cycle: assert (valid == chose_q);
    if (valid) one_requester: assert (request_q[index] && grant == Ports'(1) << index);
    if (valid && request_q[port]) search_starts_behind_the_last: assert (winner <= place);
    granted_within_ports_choices: assert (waited_q < All);
    // the inside
    comes_nearer: assert (waited_q + place <= All);
    if (waited_q != '0) requested_before: assert (request_q[port]);
    last_is_a_port: assert ({1'b0, last_q} < All);
  end
  (* hierconn *) wire [Ports-1:0] \u_choice.above_q ;
  always_comb if (rst_ni) begin
    above_is_a_suffix: assert (\u_choice.above_q == ~((Ports'(2) << last_q) - 1'b1));
  end

  always_comb if (rst_ni) begin
    two_go_before: cover (waited_q == (Bits + 1)'(2) && take && grant[port]);
    alone: cover (take && grant[port] && place == All);
  end

endmodule

`default_nettype wire
