// SPDX-License-Identifier: Apache-2.0
//
// In place of the device, for the test of the boards' tops: a wire with a register, and
// a counter that keeps the clock busy.

`default_nettype none

module rf_board #(
  parameter int unsigned Divider = 62,
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned TimestampHz = 62_500_000,
  parameter int unsigned LedLog2 = 22,
  parameter int unsigned Slots = 16,
  parameter bit          MonitoredShadow = 1'b1,
  parameter bit          VectorEngine = 1'b1
) (
  input  wire logic clk_i,
  input  wire logic arst_ni,
  input  wire logic rx_i,
  output logic      tx_o,
  output logic      led_link_o,
  output logic      led_activity_o,
  output logic      led_fault_o
);

  // Every parameter takes part, so that a top that sets one is seen to set it.
  localparam logic [31:0] Limit = TimestampHz / Divider + LocalMemoryLog2 + LedLog2
      + Slots + 32'(MonitoredShadow) + 32'(VectorEngine);

  logic        rst_n;
  logic [31:0] count_q;

  rf_reset u_reset (.clk_i(clk_i), .arst_ni(arst_ni), .rst_no(rst_n));

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      tx_o    <= 1'b1;
      count_q <= '0;
    end else begin
      tx_o    <= rx_i;
      count_q <= count_q == Limit ? '0 : count_q + 1'b1;
    end
  end

  assign {led_link_o, led_activity_o, led_fault_o} = count_q[31:29];

endmodule

`default_nettype wire
