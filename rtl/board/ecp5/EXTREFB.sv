// SPDX-License-Identifier: Apache-2.0
//
// The reference clock's buffer of the ECP5's SERDES: for the lint. Synthesis has the
// vendor's cell.

`default_nettype none

// verilator lint_off UNUSED
// verilator lint_off UNDRIVEN
(* blackbox *)
module EXTREFB #(
  parameter REFCK_PWDNB = "DONTCARE",
  parameter REFCK_RTERM = "DONTCARE",
  parameter REFCK_DCBIAS_EN = "DONTCARE"
) (
  input  wire logic REFCLKP,
  input  wire logic REFCLKN,
  output logic      REFCLKO
);
endmodule
// verilator lint_on UNDRIVEN
// verilator lint_on UNUSED

`default_nettype wire
