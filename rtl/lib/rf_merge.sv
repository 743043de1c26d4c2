// SPDX-License-Identifier: Apache-2.0
//
// Merges two sources into one port, in turn. Promises: what is shown stays until it is accepted; a
// steady source is accepted at least every second time; ready of one source does not depend on
// valid of the other. Latency: none, or one cycle for the source that was not shown last.

`default_nettype none

module rf_merge #(
  parameter int unsigned Width = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [1:0]       valid_i,
  output logic [1:0]            ready_o,
  input  wire logic [2*Width-1:0] data_i,
  output logic                  valid_o,
  input  wire logic             ready_i,
  output logic [Width-1:0]      data_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end

  logic turn_q; // the source that is shown

  assign valid_o = valid_i[turn_q];
  assign data_o  = turn_q ? data_i[Width +: Width] : data_i[0 +: Width];
  assign ready_o = {ready_i && turn_q, ready_i && !turn_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (valid_i[!turn_q] && !(valid_o && !ready_i)) turn_q <= !turn_q;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  for (genvar s = 0; s < 2; s++) begin : gen_source
    rf_offer_check #(.Width(Width)) sources_hold (
      .clk_i, .rst_ni, .valid_i(valid_i[s]), .ready_i(ready_o[s]), .data_i(data_i[s*Width +: Width])
    );
  end
`endif
`endif

endmodule

`default_nettype wire
