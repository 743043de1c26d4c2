// SPDX-License-Identifier: Apache-2.0
//
// rf_select: what is selected, one port at most, requested when the choice was made, or
// was hinted at when nobody requested, or was the lowest that waited; a steady requester is
// selected within twice Ports choices, also from behind the ports of First.

`default_nettype none

module rf_select_props #(
  parameter int unsigned Ports = 5,
  parameter logic [Ports-1:0] First = '0
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  localparam int unsigned Bits = $clog2(Ports);
  localparam logic [Bits+1:0] Most = 2 * Ports - 1;

  (* anyseq *) logic             keep;
  (* anyseq *) logic [Ports-1:0] request, hint, waiting;
  logic [Ports-1:0] select;
  logic [Bits-1:0]  index;

  rf_select #(.Ports(Ports), .First(First)) u_select (
    .clk_i, .rst_ni, .keep_i(keep), .request_i(request), .hint_i(hint), .waiting_i(waiting),
    .next_o(), .select_o(select), .index_o(index));

  always_comb assume ((hint & (hint - 1'b1)) == '0);

  (* anyconst *) logic [Bits-1:0] port;    // any
  logic [Ports-1:0] request_q = '0, hint_q = '0, waiting_q = '0, select_q = '0;
  logic             keep_q = 1'b1;
  logic [Bits+1:0]  waited_q = '0, waited; // choices that passed it by
  always_comb assume (port < Ports);

  assign waited = !request_q[port] || (!keep_q && select[port]) ? '0
                                                                : waited_q + !keep_q;
  always_ff @(posedge clk_i) if (rst_ni) begin
    {request_q, hint_q, waiting_q, select_q, keep_q} <= {request, hint, waiting, select, keep};
    waited_q <= waited;
  end

  always_comb if (rst_ni) begin
    one_or_none: assert (select == '0 ? index == '0 : select == Ports'(1) << index);
    if (keep_q) kept: assert (select == select_q);
    else if (request_q != '0) requested: assert ((select & request_q) != '0);
    else if (hint_q != '0) hinted: assert (select == hint_q);
    else lowest_that_waits: assert (select == (waiting_q & (~waiting_q + 1'b1)));
    selected_within_twice_ports: assert (waited <= Most);
  end

  // --- the inside -----------------------------------------------------------------------
  (* hierconn *) wire [Ports-1:0] \u_select.u_first.above_q , \u_select.u_others.above_q ;
  (* hierconn *) wire             \u_select.first_last_q ;
  logic [Ports-1:0] above, in_front;       // in front: ports that its round robin may take before
  logic [Bits+1:0]  distance;
  logic             ours_next;
  assign above     = First[port] ? \u_select.u_first.above_q : \u_select.u_others.above_q ;
  assign ours_next = First[port] != \u_select.first_last_q ;
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    assign in_front[i] = above[port] ? above[i] && i < port : above[i] || i < port;
  end
  always_comb begin
    distance = '0;
    for (int unsigned i = 0; i < Ports; i++) distance = distance + in_front[i];
  end
  always_comb if (rst_ni) begin
    suffix_first: assert ((\u_select.u_first.above_q | (\u_select.u_first.above_q << 1)) ==
                          \u_select.u_first.above_q );
    suffix_others: assert ((\u_select.u_others.above_q | (\u_select.u_others.above_q << 1)) ==
                           \u_select.u_others.above_q );
    comes_nearer: assert (waited + 2 * distance + !ours_next <= Most);
  end

  always_comb if (rst_ni) begin
    two_go_before: cover (waited_q == (Bits + 2)'(2) && !keep_q && request_q[port] &&
                          select[port]);
    hint_is_followed: cover (!keep_q && request_q == '0 && hint_q != '0 && select[port]);
    waiting_is_followed: cover (!keep_q && (request_q | hint_q) == '0 && select[port]);
  end

endmodule

`default_nettype wire
