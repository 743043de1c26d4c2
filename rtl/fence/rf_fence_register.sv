// SPDX-License-Identifier: Apache-2.0
//
// A register of which every slot (and log) has one, in distributed memory: a write
// port with a strobe per 32 bits, a combinational read port. Reads 0 before the
// first write after reset; that write sets the half it does not name to 0.

`default_nettype none

module rf_fence_register #(
  parameter int unsigned Halves = 2,
  parameter int unsigned DepthLog2 = 4
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic [Halves-1:0]    write_i,
  input  wire logic [DepthLog2-1:0] write_address_i,
  input  wire logic [Halves*32-1:0] write_data_i,
  input  wire logic [DepthLog2-1:0] read_address_i,
  output logic [Halves*32-1:0]      read_data_o
);

  localparam int unsigned Depth = 1 << DepthLog2;
  logic [Depth-1:0]     valid_q;
  logic [Halves*32-1:0] memory_data;

  for (genvar h = 0; h < Halves; h++) begin : gen_half
    rf_lutram #(.Width(32), .DepthLog2(DepthLog2)) u_half (
      .clk_i,
      .write_i(write_i[h] || (write_i != '0 && !valid_q[write_address_i])),
      .write_address_i,
      .write_data_i(write_i[h] ? write_data_i[h*32 +: 32] : '0),
      .read_address_i, .read_data_o(memory_data[h*32 +: 32]));
  end

  assign read_data_o = valid_q[read_address_i] ? memory_data : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (write_i != '0) valid_q <= valid_q | (Depth'(1) << write_address_i);
  end

endmodule

`default_nettype wire
