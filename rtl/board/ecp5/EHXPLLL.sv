// SPDX-License-Identifier: Apache-2.0
//
// The PLL of the ECP5, as far as this project uses it: for the lint. Synthesis has the
// vendor's cell.

`default_nettype none

// verilator lint_off UNUSED
// verilator lint_off UNDRIVEN
(* blackbox *)
module EHXPLLL #(
  parameter int CLKI_DIV = 1,
  parameter int CLKFB_DIV = 1,
  parameter int CLKOP_DIV = 8,
  parameter int CLKOP_CPHASE = 0,
  parameter CLKOP_ENABLE = "ENABLED",
  parameter FEEDBK_PATH = "CLKOP"
) (
  input  wire logic CLKI,
  input  wire logic CLKFB,
  input  wire logic RST,
  input  wire logic STDBY,
  input  wire logic PHASESEL0,
  input  wire logic PHASESEL1,
  input  wire logic PHASEDIR,
  input  wire logic PHASESTEP,
  input  wire logic PHASELOADREG,
  input  wire logic PLLWAKESYNC,
  input  wire logic ENCLKOP,
  output logic      CLKOP,
  output logic      LOCK
);
endmodule
// verilator lint_on UNDRIVEN
// verilator lint_on UNUSED

`default_nettype wire
