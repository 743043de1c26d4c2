// SPDX-License-Identifier: Apache-2.0
//
// Lattice Versa ECP5-5G, LFE5UM5G-45F, in a PCIe slot: the device behind its link, and the link's
// console on the board's USB serial port. Pins are in constraints/versa_ecp5_5g_pcie.lpf.

`default_nettype none

module rf_versa_ecp5_5g_pcie #(
  parameter bit Clarity = 1'b0,         // of the SERDES, as in rf_ecp5_serdes
  parameter bit Ctc = 1'b0,
  parameter bit Gear = 1'b1,
  parameter bit Switches = 1'b0
) (
  input  wire logic clk_100mhz_i,
  input  wire logic button_ni,          // reset
  input  wire logic uart_rx_i,
  output logic      uart_tx_o,
  output logic      led_link_no,        // the data link layer is active
  output logic      led_l0_no,
  output logic      led_signal_no,      // the slot's transmitter is not idle
  output logic      led_symbols_no,     // and its symbols are good
  output logic      led_clock_no,       // the PLL has locked
  output logic      led_perst_no,       // the slot has let go of PERST#

  output logic      refclk_enable_o,    // the clock chip passes the slot's reference clock on
  output logic      refclk_rst_no,
  input  wire logic pcie_rst_ni,        // PERST#
  input  wire logic pcie_refclk_p_i,
  input  wire logic pcie_refclk_n_i,
  input  wire logic pcie_rx_p_i,
  input  wire logic pcie_rx_n_i,
  output logic      pcie_tx_p_o,
  output logic      pcie_tx_n_o
);

  logic clk, locked, link, l0, signal, symbols;

  assign {led_link_no, led_l0_no, led_signal_no, led_symbols_no, led_clock_no, led_perst_no} =
      ~{link, l0, signal, symbols, locked, pcie_rst_ni};
  assign {refclk_enable_o, refclk_rst_no} = 2'b11;

  // 62.5 MHz
  rf_ecp5_clock #(.Input(8), .Feedback(5), .Output(10)) u_clock (
    .oscillator_i (clk_100mhz_i),
    .clk_o        (clk),
    .locked_o     (locked)
  );

  // 62 cycles: 0.8 % faster than 1 Mbaud
  rf_board_pcie #(
    .Divider         (62),
    .TimestampHz     (62_500_000),
    .LocalMemoryLog2 (15),
    .Slots           (8),
    .MonitoredShadow (1'b0),   // there is room for the link, but not for these
    .VectorEngine    (1'b0),
    .Clarity         (Clarity),
    .Ctc             (Ctc),
    .Gear            (Gear),
    .Switches        (Switches)
  ) u_board (
    .clk_i         (clk),
    .arst_ni       (locked && button_ni),
    .uart_rx_i     (uart_rx_i),
    .uart_tx_o     (uart_tx_o),
    .led_link_o    (link),
    .led_l0_o      (l0),
    .led_signal_o  (signal),
    .led_symbols_o (symbols),
    .perst_ni      (pcie_rst_ni),
    .refclk_p_i    (pcie_refclk_p_i),
    .refclk_n_i    (pcie_refclk_n_i),
    .rx_p_i        (pcie_rx_p_i),
    .rx_n_i        (pcie_rx_n_i),
    .tx_p_o        (pcie_tx_p_o),
    .tx_n_o        (pcie_tx_n_o)
  );

endmodule

`default_nettype wire
