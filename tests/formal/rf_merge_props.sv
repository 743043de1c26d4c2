// SPDX-License-Identifier: Apache-2.0
//
// rf_merge: what is taken is what one source offered, and that source alone is told so;
// what is shown stays until it is taken; a steady source is taken at least every second
// time, and shown in the cycle after it came if nothing else is.

`default_nettype none

module rf_merge_props #(
  parameter int unsigned Width = 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  (* anyseq *) logic [1:0]         offered;
  (* anyseq *) logic [2*Width-1:0] data;
  (* anyseq *) logic               take;
  logic [1:0]       ready;
  logic             valid;
  logic [Width-1:0] shown;

  rf_merge #(.Width(Width)) u_merge (
    .clk_i, .rst_ni, .valid_i(offered), .ready_o(ready), .data_i(data), .valid_o(valid),
    .ready_i(take), .data_o(shown));

  // A source holds what it offers until that is taken.
  logic [1:0]         left_q = '0;
  logic [2*Width-1:0] data_q;
  (* anyconst *) logic source;             // any of the two
  logic               stays_q = 1'b0, waited_q = 1'b0;
  logic [Width-1:0]   shown_q, ours;
  assign ours = source ? data[Width +: Width] : data[0 +: Width];
  always_comb begin
    if (left_q[0]) assume (offered[0] && data[0 +: Width] == data_q[0 +: Width]);
    if (left_q[1]) assume (offered[1] && data[Width +: Width] == data_q[Width +: Width]);
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    left_q  <= offered & ~ready;
    data_q  <= data;
    stays_q <= valid && !take;
    shown_q <= shown;
    if (!offered[source] || ready[source]) waited_q <= 1'b0;
    else if (valid && take) waited_q <= 1'b1;
  end

  always_comb if (rst_ni) begin
    taken_from_one: assert ((valid && take) ? (offered & ready) == (2'd1 << ready[1])
                                            : (offered & ready) == '0);
    if (offered[source] && ready[source]) taken_is_shown: assert (shown == ours);
    if (stays_q) shown_stays: assert (valid && shown == shown_q);
    if (waited_q && offered[source]) next_is_ours: assert (!(valid && take) || ready[source]);
    if (left_q != '0) something_is_shown: assert (valid);
    // the inside
    if (waited_q) left_waiting: assert (left_q[source]);
  end

  (* hierconn *) wire \u_merge.turn_q ;
  always_comb if (rst_ni && waited_q) turn_is_ours: assert (\u_merge.turn_q == source);

  always_comb if (rst_ni) begin
    other_first: cover (waited_q && valid && take && ready[source]);
    at_once: cover (left_q == '0 && valid && take && ready[source]);
  end

endmodule

`default_nettype wire
