// SPDX-License-Identifier: Apache-2.0
//
// Where a reset of many flip-flops takes a global net, if the part has one for it: a wire here. A
// board's build takes the module of this name in constraints/ of its FPGA family instead.

`default_nettype none

module rf_reset_buffer (
  input  wire logic rst_ni,
  output logic      rst_no
);

  assign rst_no = rst_ni;

endmodule

`default_nettype wire
