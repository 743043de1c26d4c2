// SPDX-License-Identifier: Apache-2.0
//
// The clock of a board with an ECP5: the oscillator's frequency times Feedback, divided by Input,
// from a PLL. locked_o is 0 until the clock can be used, from the end of the configuration on.
//
// The oscillator divided by Input must be between 3 and 400 MHz, the clock times Output between
// 400 and 800 MHz.

`default_nettype none

module rf_ecp5_clock #(
  parameter int Input = 1,
  parameter int Feedback = 1,
  parameter int Output = 8
) (
  input  wire logic oscillator_i,
  output logic      clk_o,
  output logic      locked_o
);

  if (Input < 1 || Input > 128) begin : gen_bad_input
    $error("a divider of the PLL is 1 to 128");
  end
  if (Feedback < 1 || Feedback > 128) begin : gen_bad_feedback
    $error("a divider of the PLL is 1 to 128");
  end
  if (Output < 1 || Output > 128) begin : gen_bad_output
    $error("a divider of the PLL is 1 to 128");
  end

  // The attributes set the loop filter.
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .CLKI_DIV     (Input),
    .CLKFB_DIV    (Feedback),
    .CLKOP_DIV    (Output),
    .CLKOP_CPHASE (Output / 2 - 1 + Output % 2),  // no phase against the oscillator
    .CLKOP_ENABLE ("ENABLED"),
    .FEEDBK_PATH  ("CLKOP")
  ) u_pll (
    .CLKI         (oscillator_i),
    .CLKFB        (clk_o),
    .RST          (1'b0),
    .STDBY        (1'b0),
    .PHASESEL0    (1'b0),
    .PHASESEL1    (1'b0),
    .PHASEDIR     (1'b1),
    .PHASESTEP    (1'b1),
    .PHASELOADREG (1'b1),
    .PLLWAKESYNC  (1'b0),
    .ENCLKOP      (1'b0),
    .CLKOP        (clk_o),
    .LOCK         (locked_o)
  );

endmodule

`default_nettype wire
