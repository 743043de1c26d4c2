// SPDX-License-Identifier: Apache-2.0
//
// Light-weight register slice: registers valid and data, and ready waits for neither
// valid nor the other side's ready. One word of storage, so a word every second cycle at
// most. Promises: order kept, nothing lost or doubled. Latency: one cycle.

`default_nettype none

module rf_register_slice #(
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

  assign ready_o = !valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= valid_o ? !ready_i : valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) data_o <= data_i;
  end

endmodule

`default_nettype wire
