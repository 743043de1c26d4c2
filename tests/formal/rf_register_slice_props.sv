// SPDX-License-Identifier: Apache-2.0
//
// rf_register_slice: order kept, nothing lost or doubled, valid and ready are those of one
// word of storage.

`default_nettype none

module rf_register_slice_props #(
  parameter int unsigned Width = 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  (* anyseq *) logic             offered, take;
  (* anyseq *) logic [Width-1:0] data;
  logic             ready, valid, marked;
  logic [Width-1:0] shown, value;
  logic             stored, ahead;

  rf_register_slice #(.Width(Width)) u_slice (
    .clk_i, .rst_ni, .valid_i(offered), .ready_o(ready), .data_i(data), .valid_o(valid),
    .ready_i(take), .data_o(shown));

  queue_contract #(.Width(Width), .Capacity(1)) u_queue (
    .clk_i, .rst_ni, .enters_i(offered && ready), .data_i(data), .valid_i(valid),
    .leaves_i(valid && take), .data_out_i(shown), .stored_o(stored), .marked_o(marked),
    .ahead_o(ahead), .value_o(value));

  always_comb if (rst_ni) room_is_shown: assert (ready == !stored);

  logic unused;
  assign unused = &{1'b0, marked, ahead, value};

endmodule

`default_nettype wire
