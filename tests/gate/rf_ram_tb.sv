// SPDX-License-Identifier: Apache-2.0
//
// rf_ram as it is written beside what it is mapped to, for tests/gate/rf_ram_test.cpp.

`default_nettype none

module rf_ram_tb #(
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
  output logic                      differs_o,
  output logic                      collides_o
);

  logic [Width-1:0] written, mapped;

  rf_ram #(.Width(Width), .DepthLog2(DepthLog2)) u_written (.*, .read_data_o(written));
  mapped_ram u_mapped (.*, .read_data_o(mapped));

  assign differs_o  = written != mapped;
  assign collides_o = read_i && write_i && |write_strobe_i && read_address_i == write_address_i;

endmodule

`default_nettype wire
