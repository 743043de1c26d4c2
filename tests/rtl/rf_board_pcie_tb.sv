// SPDX-License-Identifier: Apache-2.0
//
// rf_board_pcie without what it connects: the SERDES says what the pins of the slot are set to, and
// the device has a link when the SERDES says so. For what the board itself does: its LEDs.

`default_nettype none

/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */

module rf_ecp5_serdes #(
  parameter bit Clarity = 1'b0,
  parameter bit Ctc = 1'b0,
  parameter bit Gear = 1'b1,
  parameter bit Switches = 1'b0
) (
  input  wire logic        refclk_p_i,
  input  wire logic        refclk_n_i,
  input  wire logic        rx_p_i,
  input  wire logic        rx_n_i,
  output logic             tx_p_o,
  output logic             tx_n_o,
  input  wire logic        board_clk_i,
  input  wire logic        board_rst_ni,
  input  wire logic        perst_ni,
  input  wire logic        restart_i,
  input  wire logic [5:0]  settings_i,
  output logic [9:0]       status_o,
  output logic             code_error_o,
  output logic             pll_lost_o,
  output logic             cdr_lost_o,
  output logic             detect_failed_o,
  input  wire logic [5:0]  sci_address_i,
  input  wire logic [7:0]  sci_data_i,
  input  wire logic        sci_common_i,
  input  wire logic        sci_channel_i,
  input  wire logic        sci_read_i,
  input  wire logic        sci_write_i,
  output logic [7:0]       sci_data_o,
  output logic             clk_o,
  output logic             rst_no,
  output logic             rx_clk_o,
  output logic             rx_rst_no,
  output logic [19:0]      rx_word_o,
  output logic             rx_idle_o,
  input  wire logic        rx_invert_i,
  input  wire logic [17:0] tx_word_i,
  input  wire logic        tx_idle_i,
  input  wire logic        detect_i,
  output logic             detect_done_o,
  output logic             detect_present_o
);
  // the receiver is ready, the transmitter of the slot idle; all others are 0
  assign status_o     = {2'b00, refclk_n_i, 5'b00000, rx_p_i, 1'b0};
  assign code_error_o = rx_n_i;
  assign clk_o        = board_clk_i;
  assign rst_no       = board_rst_ni;
  assign rx_clk_o     = board_clk_i;
  assign rx_rst_no    = board_rst_ni;
  assign rx_word_o    = {19'd0, perst_ni};
  assign rx_idle_o    = refclk_p_i;
endmodule

module rf_device_linked #(
  parameter int unsigned Slots = 16,
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned TlbSetsLog2 = 5,
  parameter int unsigned TimestampHz = 62_500_000,
  parameter bit          MonitoredShadow = 1'b1,
  parameter bit          VectorEngine = 1'b1
) (
  input  wire logic               clk_i,
  input  wire logic               device_clk_i,
  input  wire logic               rst_ni,
  input  wire logic               rx_clk_i,
  input  wire logic               rx_rst_ni,
  input  wire rf_link_pkg::word_t rx_word_i,
  input  wire logic               rx_idle_i,
  output logic                    rx_invert_o,
  output logic [17:0]             tx_word_o,
  output logic                    tx_idle_o,
  output logic                    detect_o,
  input  wire logic               detect_done_i,
  input  wire logic               detect_present_i,
  output logic                    active_o,
  output rf_link_pkg::ltssm_state_e state_o,
  output rf_link_pkg::errors_t    errors_o,
  output logic                    delivered_o,
  output logic [1:0]              sent_o,
  output logic                    idle_o,
  output logic [63:0]             trace_o
);
  assign active_o = rx_word_i.data[0];
  assign state_o  = rx_idle_i ? rf_link_pkg::RecoveryRcvrLock : rf_link_pkg::L0;
endmodule

module rf_link_console #(
  parameter int unsigned Divider = 62,
  parameter int unsigned ClockHz = 62_500_000
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic                      rx_i,
  output logic                           tx_o,
  input  wire logic                      link_clk_i,
  input  wire rf_link_pkg::ltssm_state_e state_i,
  input  wire logic [5:0]                errors_i,
  input  wire logic                      rx_clk_i,
  input  wire logic [7:0]                build_i,
  input  wire logic [15:0]               status_i,
  input  wire logic [3:0]                flags_i,
  input  wire logic [6:0]                events_i,
  output logic [5:0]                     settings_o,
  output logic                           restart_o,
  output logic [5:0]                     sci_address_o,
  output logic [7:0]                     sci_data_o,
  output logic                           sci_common_o,
  output logic                           sci_channel_o,
  output logic                           sci_read_o,
  output logic                           sci_write_o,
  input  wire logic [7:0]                sci_data_i,
  output logic                           activity_o
);
endmodule

/* verilator lint_on DECLFILENAME */
/* verilator lint_on UNUSEDPARAM */
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNDRIVEN */

module rf_board_pcie_tb (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic ready_i,         // the receiver is
  input  wire logic code_error_i,
  input  wire logic slot_idle_i,     // the slot's transmitter is
  input  wire logic active_i,
  input  wire logic recovery_i,      // else in L0
  output logic      led_link_o,
  output logic      led_l0_o,
  output logic      led_signal_o,
  output logic      led_symbols_o
);

  logic unused_uart, unused_p, unused_n;

  rf_board_pcie u_board (
    .clk_i, .arst_ni(rst_ni), .uart_rx_i(1'b1), .uart_tx_o(unused_uart),
    .led_link_o, .led_l0_o, .led_signal_o, .led_symbols_o,
    .perst_ni(active_i), .refclk_p_i(recovery_i), .refclk_n_i(slot_idle_i),
    .rx_p_i(ready_i), .rx_n_i(code_error_i), .tx_p_o(unused_p), .tx_n_o(unused_n)
  );

endmodule

`default_nettype wire
