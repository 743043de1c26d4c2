// SPDX-License-Identifier: Apache-2.0
//
// Lattice Versa ECP5-5G, LFE5UM5G-45F: the device on the board's USB serial port. Pins are in
// constraints/versa_ecp5_5g.lpf. With its PCIe connector: rf_versa_ecp5_5g_pcie.

`default_nettype none

module rf_versa_ecp5_5g (
  input  wire logic clk_100mhz_i,
  input  wire logic button_ni,          // reset
  input  wire logic uart_rx_i,
  output logic      uart_tx_o,
  output logic      led_link_no,
  output logic      led_activity_no,
  output logic      led_fault_no,
  output logic      led_clock_no        // the PLL has locked
);

  logic clk, locked, link, activity, fault;

  assign {led_clock_no, led_link_no, led_activity_no, led_fault_no} =
      ~{locked, link, activity, fault};

  // 62.5 MHz
  rf_ecp5_clock #(.Input(8), .Feedback(5), .Output(10)) u_clock (
    .oscillator_i (clk_100mhz_i),
    .clk_o        (clk),
    .locked_o     (locked)
  );

  // 62 cycles: 0.8 % faster than 1 Mbaud
  // 32 KiB of local memory: each block RAM more takes wire, of which a 45F has too little.
  rf_board #(
    .Divider         (62),
    .TimestampHz     (62_500_000),
    .LocalMemoryLog2 (15),
    .Slots           (8),
    .MonitoredShadow (1'b0),   // as in the slot: a 45F has too few free cells with these
    .VectorEngine    (1'b0)
  ) u_board (
    .clk_i          (clk),
    .arst_ni        (locked && button_ni),
    .rx_i           (uart_rx_i),
    .tx_o           (uart_tx_o),
    .led_link_o     (link),
    .led_activity_o (activity),
    .led_fault_o    (fault)
  );

endmodule

`default_nettype wire
