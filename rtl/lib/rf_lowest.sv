// SPDX-License-Identifier: Apache-2.0
//
// The lowest of Ports requests, one-hot and as a number; combinational. Without a request grant_o
// and index_o are 0.

`default_nettype none

module rf_lowest #(
  parameter int unsigned Ports = 4
) (
  input  wire logic [Ports-1:0]         request_i,
  output logic [Ports-1:0]              grant_o,
  output logic [$clog2(Ports)-1:0]      index_o
);

  if (Ports < 2 || Ports > 64) begin : gen_bad_ports
    $error("there are 2 to 64 ports");
  end

  // Ports whose number has bit 0, bit 1, ... set
  localparam logic [6*64-1:0] Numbered = {
    64'hffff_ffff_0000_0000, 64'hffff_0000_ffff_0000, 64'hff00_ff00_ff00_ff00,
    64'hf0f0_f0f0_f0f0_f0f0, 64'hcccc_cccc_cccc_cccc, 64'haaaa_aaaa_aaaa_aaaa};

  assign grant_o = request_i & -request_i;

  for (genvar bit_number = 0; bit_number < $clog2(Ports); bit_number++) begin : gen_index
    assign index_o[bit_number] = (grant_o & Numbered[bit_number*64 +: Ports]) != '0;
  end

endmodule

`default_nettype wire
