// SPDX-License-Identifier: Apache-2.0
//
// In place of lib/rf_reset_buffer on an ECP5: a reset goes over a clock net, which nextpnr-ecp5
// does not choose by itself. It goes there active high, as Yosys connects flip-flops: an inverter
// behind the clock net would drive all of them over ordinary wires.

`default_nettype none

module rf_reset_buffer (
  input  wire logic rst_ni,
  output logic      rst_no
);

  logic rst;

  DCCA u_global (.CLKI(!rst_ni), .CE(1'b1), .CLKO(rst));
  assign rst_no = !rst;

endmodule

`default_nettype wire
