// SPDX-License-Identifier: Apache-2.0
//
// rf_pcie_queue: order kept, nothing lost or doubled while no word enters a full one; a
// word that enters an empty one is shown in the next cycle.

`default_nettype none

module rf_pcie_queue_props #(
  parameter int unsigned Width = 8,
  parameter int unsigned DepthLog2 = 4
) (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  localparam int unsigned Depth = 1 << DepthLog2;

  (* anyseq *) logic             enters, take;
  (* anyseq *) logic [Width-1:0] data;
  logic               valid, marked;
  logic [Width-1:0]   shown, value;
  logic [DepthLog2:0] count, stored, ahead;

  rf_pcie_queue #(.Width(Width), .DepthLog2(DepthLog2)) u_queue (
    .clk_i, .rst_ni, .valid_i(enters), .data_i(data), .valid_o(valid), .ready_i(take),
    .data_o(shown), .count_o(count));

  // rf_pcie_receive takes a TLP only while there is room.
  always_comb assume (!enters || count < (DepthLog2 + 1)'(Depth));

  queue_contract #(.Width(Width), .Capacity(Depth + 1)) u_contract (
    .clk_i, .rst_ni, .enters_i(enters), .data_i(data), .valid_i(valid),
    .leaves_i(valid && take), .data_out_i(shown), .stored_o(stored), .marked_o(marked),
    .ahead_o(ahead), .value_o(value));

  always_comb if (rst_ni) begin
    counted_behind_the_head: assert (count == stored - (DepthLog2 + 1)'(valid));
  end

  // --- the inside -----------------------------------------------------------------------
  (* hierconn *) wire [Width-1:0]     \u_queue.u_memory.watched ;
  (* hierconn *) wire [DepthLog2-1:0] \u_queue.u_memory.watch ;
  (* hierconn *) wire [DepthLog2:0]   \u_queue.next_q ;
  assign \u_queue.u_memory.watch = \u_queue.next_q [DepthLog2-1:0] + ahead[DepthLog2-1:0] -
                                   DepthLog2'(valid);
  always_comb if (rst_ni && marked && (ahead != '0 || !valid)) begin
    stands_in_memory: assert (\u_queue.u_memory.watched == value);
  end

endmodule

`default_nettype wire
