// SPDX-License-Identifier: Apache-2.0
//
// rf_skid: order kept, nothing lost or doubled, valid and ready are those of two words of
// storage, and a word may enter whenever one left in the cycle before.

`default_nettype none

module rf_skid_props #(
  parameter int unsigned Width = 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  (* anyseq *) logic             offered, take;
  (* anyseq *) logic [Width-1:0] data;
  logic             ready, valid, marked, left_q = 1'b0;
  logic [Width-1:0] shown, value;
  logic [1:0]       stored, ahead;

  rf_skid #(.Width(Width)) u_skid (
    .clk_i, .rst_ni, .valid_i(offered), .ready_o(ready), .data_i(data), .valid_o(valid),
    .ready_i(take), .data_o(shown));

  queue_contract #(.Width(Width), .Capacity(2)) u_queue (
    .clk_i, .rst_ni, .enters_i(offered && ready), .data_i(data), .valid_i(valid),
    .leaves_i(valid && take), .data_out_i(shown), .stored_o(stored), .marked_o(marked),
    .ahead_o(ahead), .value_o(value));

  always_ff @(posedge clk_i) left_q <= rst_ni && valid && take;
  always_comb if (rst_ni) begin
    room_is_shown: assert (ready == (stored != 2'd2));
    if (left_q) full_throughput: assert (ready);
  end

  // --- the inside -----------------------------------------------------------------------
  (* hierconn *) wire [Width-1:0] \u_skid.spare_q ;
  always_comb if (rst_ni && marked && ahead == 2'd1) begin
    stands_behind: assert (\u_skid.spare_q == value);
  end

endmodule

`default_nettype wire
