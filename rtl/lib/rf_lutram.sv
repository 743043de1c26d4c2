// SPDX-License-Identifier: Apache-2.0
//
// Distributed RAM: one synchronous write port, one combinational read port.

`default_nettype none

module rf_lutram #(
  parameter int unsigned Width = 8,
  parameter int unsigned DepthLog2 = 4
) (
  input  wire logic                 clk_i,
  input  wire logic                 write_i,
  input  wire logic [DepthLog2-1:0] write_address_i,
  input  wire logic [Width-1:0]     write_data_i,
  input  wire logic [DepthLog2-1:0] read_address_i,
  output logic [Width-1:0]          read_data_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end
  if (DepthLog2 < 1 || DepthLog2 > 8) begin : gen_bad_depth_log2
    $error("2^1 to 2^8 words");
  end

  // Of two words, flops need less.
  (* ram_style = DepthLog2 < 2 ? "registers" : "distributed" *)
  logic [Width-1:0] memory [1 << DepthLog2];

  assign read_data_o = memory[read_address_i];

  always_ff @(posedge clk_i) begin
    if (write_i) memory[write_address_i] <= write_data_i;
  end

endmodule

`default_nettype wire
