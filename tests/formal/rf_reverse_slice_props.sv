// SPDX-License-Identifier: Apache-2.0
//
// rf_reverse_slice: a word that is taken is offered in the same cycle, and then in every
// cycle, unchanged, until it leaves, once; no other is taken before.

`default_nettype none

module rf_reverse_slice_props #(
  parameter int unsigned Width = 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  (* anyseq *) logic             offered, take;
  (* anyseq *) logic [Width-1:0] data;
  logic             ready, valid;
  logic [Width-1:0] shown;

  rf_reverse_slice #(.Width(Width)) u_slice (
    .clk_i, .rst_ni, .valid_i(offered), .ready_o(ready), .data_i(data), .valid_o(valid),
    .ready_i(take), .data_o(shown));

  logic             waits_q;   // a word was shown and not taken
  logic [Width-1:0] word_q;
  initial waits_q = 1'b0;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && valid && !take;
    word_q  <= shown;
  end

  always_comb if (rst_ni) begin
    room_is_shown: assert (ready == !waits_q);
    nothing_lost: assert (valid == (waits_q || offered));
    if (waits_q) stays: assert (shown == word_q);
    if (!waits_q && offered) at_once: assert (shown == data);
  end

  logic left_late_q;
  initial left_late_q = 1'b0;
  always_ff @(posedge clk_i) left_late_q <= rst_ni && waits_q && take;
  always_comb if (rst_ni) begin
    leaves_late: cover (waits_q && take && offered);
    next_behind_it: cover (left_late_q && valid && take);
    leaves_at_once: cover (!waits_q && valid && take);
  end

endmodule

`default_nettype wire
