// SPDX-License-Identifier: Apache-2.0
//
// One byte more into the CRC-32 of Ethernet and of PCIe's LCRC (0x04c11db7, bits
// reflected). Starts from all ones; its complement is sent, lowest byte first; over a
// message with its CRC it ends as 0xdebb20e3. Combinational.

`default_nettype none

module rf_crc32 (
  input  wire logic [31:0] crc_i,
  input  wire logic [7:0]  data_i,
  output logic [31:0]      crc_o
);

  always_comb begin
    crc_o = crc_i ^ {24'd0, data_i};
    for (int unsigned i = 0; i < 8; i++) begin
      crc_o = {1'b0, crc_o[31:1]} ^ (crc_o[0] ? 32'hedb88320 : 32'd0);
    end
  end

endmodule

`default_nettype wire
