// SPDX-License-Identifier: Apache-2.0
//
// rf_round_robin: one grant, to the first requester behind the port granted at the last
// advance; so a steady requester is granted within Ports advances.

`default_nettype none

module rf_round_robin_props #(
  parameter int unsigned Ports = 4
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  localparam int unsigned Bits = $clog2(Ports);
  localparam logic [Bits:0] All = Ports;

  (* anyseq *) logic [Ports-1:0] request;
  (* anyseq *) logic             advance;
  logic [Ports-1:0] grant;
  logic [Bits-1:0]  index;

  rf_round_robin #(.Ports(Ports)) u_choice (
    .clk_i, .rst_ni, .request_i(request), .advance_i(advance), .grant_o(grant),
    .index_o(index));

  (* anyconst *) logic [Bits-1:0] port;     // any
  logic [Bits-1:0] last_q = All - 1'b1;     // granted at the last advance
  logic [Bits:0]   place, winner, waited_q = '0;
  logic            advances;
  always_comb assume ({1'b0, port} < All);

  // How far behind the last one, 1 to Ports
  assign place    = {1'b0, port} - {1'b0, last_q} + (port > last_q ? '0 : All);
  assign winner   = {1'b0, index} - {1'b0, last_q} + (index > last_q ? '0 : All);
  assign advances = advance && request != '0;

  always_ff @(posedge clk_i) if (rst_ni) begin
    if (advances) last_q <= index;
    if (!request[port] || (advance && grant[port])) waited_q <= '0;
    else if (advances) waited_q <= waited_q + 1'b1;
  end

  always_comb if (rst_ni) begin
    one_requester: assert (request == '0 ? grant == '0
                                         : request[index] && grant == Ports'(1) << index);
    if (request[port]) search_starts_behind_the_last: assert (winner <= place);
    granted_within_ports_advances: assert (waited_q < All);
    // the inside
    comes_nearer: assert (waited_q + place <= All);
    last_is_a_port: assert ({1'b0, last_q} < All);
  end
  (* hierconn *) wire [Ports-1:0] \u_choice.above_q ;
  always_comb if (rst_ni) begin
    above_the_last: assert (\u_choice.above_q [port] == (port > last_q));
    above_is_a_suffix: assert (\u_choice.above_q == ~((Ports'(2) << last_q) - 1'b1));
  end

  always_comb if (rst_ni) begin
    two_go_before: cover (waited_q == (Bits + 1)'(2) && advance && grant[port]);
    alone: cover (advance && grant[port] && place == All);
  end

endmodule

`default_nettype wire
