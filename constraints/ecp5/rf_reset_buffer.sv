// SPDX-License-Identifier: Apache-2.0
//
// In place of lib/rf_reset_buffer on an ECP5: a reset goes over a clock net, which nextpnr-ecp5
// does not choose by itself.

`default_nettype none

module rf_reset_buffer (
  input  wire logic rst_ni,
  output logic      rst_no
);

  DCCA u_global (.CLKI(rst_ni), .CE(1'b1), .CLKO(rst_no));

endmodule

`default_nettype wire
