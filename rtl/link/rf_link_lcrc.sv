// SPDX-License-Identifier: Apache-2.0
//
// Two bytes more, the first in bits 7:0, into the LCRC of a TLP: CRC-32 0x04c11db7, bit 0 of each
// byte first (PCI Express Base Specification 3.6.2.1). It starts from ones; its complement is sent,
// bits 7:0 first. Over sequence number, TLP and LCRC it ends as 0xdebb20e3, over those of a
// nullified TLP, whose LCRC is inverted, as 0. Combinational.

`default_nettype none

module rf_link_lcrc (
  input  wire logic [31:0] crc_i,
  input  wire logic [15:0] data_i,
  output logic [31:0]      crc_o
);

  always_comb begin
    crc_o = crc_i ^ {16'd0, data_i};
    for (int unsigned i = 0; i < 16; i++) begin
      crc_o = {1'b0, crc_o[31:1]} ^ (crc_o[0] ? 32'hedb88320 : 32'd0);
    end
  end

endmodule

`default_nettype wire
