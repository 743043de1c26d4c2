// SPDX-License-Identifier: Apache-2.0
//
// Block RAM with one write port (byte strobes) and one read port. The read word
// appears one cycle after read_i; a read of the address written in the same
// cycle returns the old word. Width is a multiple of 8.

`default_nettype none

module rf_ram #(
  parameter int unsigned Width = 64,
  parameter int unsigned DepthLog2 = 9
) (
  input  wire logic                 clk_i,

  input  wire logic                 write_i,
  input  wire logic [DepthLog2-1:0] write_address_i,
  input  wire logic [Width-1:0]     write_data_i,
  input  wire logic [Width/8-1:0]   write_strobe_i,

  input  wire logic                 read_i,
  input  wire logic [DepthLog2-1:0] read_address_i,
  output logic [Width-1:0]          read_data_o
);

  logic [Width-1:0] memory [1 << DepthLog2];

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < Width / 8; b++) begin
      if (write_i && write_strobe_i[b]) begin
        memory[write_address_i][b*8 +: 8] <= write_data_i[b*8 +: 8];
      end
    end
    if (read_i) read_data_o <= memory[read_address_i];
  end

endmodule

`default_nettype wire
