// SPDX-License-Identifier: Apache-2.0
//
// Merges two sources of interrupt records into one, in turn (rf_merge). Each source keeps its
// record and drives the selected word of it, or 0 while the other source is selected.
//
// Promises: those of rf_merge; a selected record stays until it is accepted.

`default_nettype none

module rf_record_merge (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [1:0]   valid_i,
  output logic [1:0]        ready_o,
  output logic [5:0]        show_o,   // of source n at [n*3]
  input  wire logic [127:0] word_i,
  output logic              valid_o,
  input  wire logic         ready_i,
  input  wire logic [2:0]   show_i,
  output logic [63:0]       word_o
);

  logic turn; // the second source is shown
  rf_merge #(.Width(1)) u_merge (
    .clk_i, .rst_ni, .valid_i, .ready_o, .data_i(2'b10), .valid_o, .ready_i, .data_o(turn)
  );

  assign show_o = turn ? {show_i, 3'b000} : {3'b000, show_i};
  assign word_o = word_i[127:64] | word_i[63:0];

endmodule

`default_nettype wire
