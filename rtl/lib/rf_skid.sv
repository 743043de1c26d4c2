// SPDX-License-Identifier: Apache-2.0
//
// Skid buffer: registers valid, data and ready. Full throughput, latency one
// cycle, two words of storage. Promises: order kept, nothing lost or doubled.

`default_nettype none

module rf_skid #(
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

  logic             spare_valid_q;
  logic [Width-1:0] spare_q;

  assign ready_o = !spare_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o       <= 1'b0;
      spare_valid_q <= 1'b0;
    end else if (!valid_o || ready_i) begin
      valid_o       <= valid_i || spare_valid_q;
      spare_valid_q <= 1'b0;
    end else if (valid_i && ready_o) begin
      spare_valid_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!valid_o || ready_i) data_o <= spare_valid_q ? spare_q : data_i;
    if (ready_o) spare_q <= data_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) spare_behind_a_word: assert (!spare_valid_q || valid_o);
  end
`endif

endmodule

`default_nettype wire
