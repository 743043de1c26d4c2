// SPDX-License-Identifier: Apache-2.0
//
// The ECP5's buffer of a reference clock, for simulations.

`default_nettype none

module rf_extrefb_model (
  input  wire logic p_i,
  input  wire logic n_i,
  output logic      o
);

  assign o = p_i && !n_i;

endmodule

`default_nettype wire
