// SPDX-License-Identifier: Apache-2.0
//
// Some bytes more, the first in bits 7:0, into the CRC-32 of Ethernet and of PCIe's LCRC
// (0x04c11db7, bit 0 of each byte first; PCI Express Base Specification 3.6.2.1). Starts from all
// ones; its complement is sent, bits 7:0 first; over a message with its CRC it ends as 0xdebb20e3,
// over one with an inverted CRC (a nullified TLP) as 0. Combinational.

`default_nettype none

module rf_crc32 #(
  parameter int unsigned Bytes = 2
) (
  input  wire logic [31:0]        crc_i,
  input  wire logic [8*Bytes-1:0] data_i,
  output logic [31:0]             crc_o
);

  if (Bytes < 1 || Bytes > 4) begin : gen_bad_bytes
    $error("one to four bytes a step");
  end

  always_comb begin
    crc_o = crc_i ^ 32'(data_i);
    for (int unsigned i = 0; i < 8 * Bytes; i++) begin
      crc_o = {1'b0, crc_o[31:1]} ^ (crc_o[0] ? 32'hedb88320 : 32'd0);
    end
  end

endmodule

`default_nettype wire
