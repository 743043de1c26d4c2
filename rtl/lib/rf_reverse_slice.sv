// SPDX-License-Identifier: Apache-2.0
//
// Reverse register slice: registers only ready, so the requester's cycle does not contain the path
// from the responder. One word of storage, for a word that was not accepted at once.
// Promises: order kept, nothing lost or doubled; an offered word stays. Latency: none.

`default_nettype none

module rf_reverse_slice #(
  parameter int unsigned Width = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire logic [Width-1:0] data_i,

  output logic                  valid_o,
  input  wire logic             ready_i,
  output logic [Width-1:0]      data_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end

  logic             held_q;
  logic [Width-1:0] data_q;

  assign ready_o = !held_q;
  assign valid_o = held_q || valid_i;
  assign data_o  = held_q ? data_q : data_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= 1'b0;
    else held_q <= valid_o && !ready_i;
  end

  always_ff @(posedge clk_i) begin
    if (!held_q) data_q <= data_i;
  end

endmodule

`default_nettype wire
