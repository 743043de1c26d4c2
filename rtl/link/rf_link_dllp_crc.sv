// SPDX-License-Identifier: Apache-2.0
//
// Two bytes more, the first in bits 7:0, into the CRC of a DLLP: polynomial 0x100b, bit 0 of each
// byte first (PCI Express Base Specification 3.5.1). It starts from ones; its complement is sent,
// bits 7:0 first. Over a DLLP with its CRC it ends as 0x556f. Combinational.

`default_nettype none

module rf_link_dllp_crc (
  input  wire logic [15:0] crc_i,
  input  wire logic [15:0] data_i,
  output logic [15:0]      crc_o
);

  always_comb begin
    crc_o = crc_i ^ data_i;
    for (int unsigned i = 0; i < 16; i++) begin
      crc_o = {1'b0, crc_o[15:1]} ^ (crc_o[0] ? 16'hd008 : 16'd0);
    end
  end

endmodule

`default_nettype wire
