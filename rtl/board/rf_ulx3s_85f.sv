// SPDX-License-Identifier: Apache-2.0
//
// ULX3S with an LFE5U-85F: the device on the board's USB serial port. Pins are in
// constraints/ulx3s_85f.lpf.

`default_nettype none

module rf_ulx3s_85f (
  input  wire logic clk_25mhz_i,
  input  wire logic button_ni,      // PWR: reset
  input  wire logic uart_rx_i,
  output logic      uart_tx_o,
  output logic      esp32_enable_o, // low would let the ESP32 reconfigure the FPGA
  output logic      led_link_o,
  output logic      led_activity_o,
  output logic      led_fault_o,
  output logic      led_clock_o     // the PLL has locked
);

  logic clk;

  assign esp32_enable_o = 1'b1;

  // 62.5 MHz
  rf_ecp5_clock #(.Input(2), .Feedback(5), .Output(10)) u_clock (
    .oscillator_i (clk_25mhz_i),
    .clk_o        (clk),
    .locked_o     (led_clock_o)
  );

  // 62 cycles: 0.8 % faster than 1 Mbaud
  // The device of the Versa board: with more, wires grow long and routing takes too much time.
  rf_board #(
    .Divider         (62),
    .TimestampHz     (62_500_000),
    .LocalMemoryLog2 (15),
    .Slots           (8),
    .MonitoredShadow (1'b0),
    .VectorEngine    (1'b0)
  ) u_board (
    .clk_i          (clk),
    .arst_ni        (led_clock_o && button_ni),
    .rx_i           (uart_rx_i),
    .tx_o           (uart_tx_o),
    .led_link_o     (led_link_o),
    .led_activity_o (led_activity_o),
    .led_fault_o    (led_fault_o)
  );

endmodule

`default_nettype wire
