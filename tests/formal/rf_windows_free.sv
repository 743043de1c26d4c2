// SPDX-License-Identifier: Apache-2.0
//
// Stands for mmu/rf_windows in proofs of the memory system: every page lies anywhere,
// anew at each lookup, but the page of the word that the proof looks at, which does
// not move. The proof drives `watched` by its name.

`default_nettype none

module rf_windows #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  output logic              busy_o,
  input  wire logic [1:0]   write_i,
  input  wire logic [3:0]   write_vmid_i,
  input  wire logic [2:0]   write_word_i,
  input  wire logic [63:12] write_data_i,
  input  wire logic [3:0]   vmid_i,
  input  wire logic [63:12] page_i,
  input  wire logic [2:0]   read_word_i,
  output logic [63:0]       read_data_o,
  output logic              fault_o,
  output logic [1:0]        level_o,
  output logic              local_o,
  output logic [54:12]      page_o
);

  localparam int unsigned Width = 1 + 2 + 1 + 43;

  logic [55:0]                     watched;  // {VMID, page}
  (* anyconst *) logic [Width-1:0] stays;
  (* anyseq *)   logic [Width-1:0] anywhere;
  (* anyseq *)   logic             busy;
  (* anyseq *)   logic [63:0]      data;

  assign busy_o      = busy;
  assign read_data_o = data;
  always_ff @(posedge clk_i) begin
    {fault_o, level_o, local_o, page_o} <= {vmid_i, page_i} == watched ? stays : anywhere;
  end

endmodule

`default_nettype wire
