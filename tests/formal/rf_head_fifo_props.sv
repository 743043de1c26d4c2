// SPDX-License-Identifier: Apache-2.0
//
// rf_head_fifo: order kept, nothing lost or doubled, count, valid and ready tell the number of
// words, one cycle from input to output. For every set of parameters in the design.

`default_nettype none

module rf_head_fifo_props #(
  parameter int unsigned Width = 8,
  parameter int unsigned DepthLog2 = 2
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  localparam int unsigned Depth = 1 << DepthLog2;

  (* anyseq *) logic             offered, take;
  (* anyseq *) logic [Width-1:0] data;
  logic               ready, valid, marked;
  logic [Width-1:0]   shown, value;
  logic [DepthLog2:0] count, stored, ahead;

  rf_head_fifo #(.Width(Width), .DepthLog2(DepthLog2)) u_fifo (
    .clk_i, .rst_ni, .valid_i(offered), .ready_o(ready), .data_i(data), .valid_o(valid),
    .ready_i(take), .data_o(shown), .count_o(count));

  queue_contract #(.Width(Width), .Capacity(Depth)) u_queue (
    .clk_i, .rst_ni, .enters_i(offered && ready), .data_i(data), .valid_i(valid),
    .leaves_i(valid && take), .data_out_i(shown), .stored_o(stored), .marked_o(marked),
    .ahead_o(ahead), .value_o(value));

  always_comb if (rst_ni) begin
    counted: assert (count == stored);
    room_is_shown: assert (ready == (stored != (DepthLog2 + 1)'(Depth)));
  end

  // --- the inside -----------------------------------------------------------------------
  (* hierconn *) wire [Width-1:0]     \u_fifo.watched ;
  (* hierconn *) wire [DepthLog2-1:0] \u_fifo.watch ;
  (* hierconn *) wire [DepthLog2:0]   \u_fifo.read_q ;
  assign \u_fifo.watch = \u_fifo.read_q [DepthLog2-1:0] + ahead[DepthLog2-1:0];
  always_comb if (rst_ni && marked) stands_in_memory: assert (\u_fifo.watched == value);

endmodule

`default_nettype wire
