// SPDX-License-Identifier: Apache-2.0
//
// rf_ecp5_serdes with models of its two cells, bound to the black boxes that the lint has.

`default_nettype none

module rf_ecp5_serdes_tb #(
  parameter bit Ctc = 1'b0,
  parameter bit Gear = 1'b1,
  parameter bit Switches = 1'b0
) (
  // the lane and what is at its end
  input  wire logic        refclk_i,
  input  wire logic        lane_clk_i,     // 250 MHz of the transmit PLL
  input  wire logic        lane_late_clk_i,
  output logic [11:0]      lane_symbol_o,
  output logic             lane_idle_o,
  output logic             lane_pin_o,
  output logic             lane_slipped_o,
  input  wire logic        line_clk_i,     // of the partner
  input  wire logic        line_late_clk_i,
  input  wire logic [9:0]  line_symbol_i,
  input  wire logic        line_signal_i,
  input  wire logic        line_swapped_i,
  input  wire logic        receiver_i,
  input  wire logic        answers_i,
  input  wire logic        forgets_i,

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

  rf_ecp5_serdes #(
    .Ctc      (Ctc),
    .Gear     (Gear),
    .Switches (Switches)
  ) u_serdes (
    .refclk_p_i (refclk_i),
    .refclk_n_i (!refclk_i),
    .rx_p_i     (1'b0),
    .rx_n_i     (1'b1),
    .tx_p_o     (),
    .tx_n_o     (),
    .*
  );

  assign lane_symbol_o  = u_serdes.u_dcu.u_dcu.u_model.tx_symbol_o;
  assign lane_idle_o    = u_serdes.u_dcu.u_dcu.u_model.tx_idle_o;
  assign lane_pin_o     = u_serdes.u_dcu.u_dcu.u_model.idle_pin_i;
  assign lane_slipped_o = u_serdes.u_dcu.u_dcu.u_model.tx_slipped_o;

endmodule

bind EXTREFB rf_extrefb_model u_model (.p_i(REFCLKP), .n_i(REFCLKN), .o(REFCLKO));

bind DCUA rf_dcua_model #(
  .TxGear    (CH0_TX_GEAR_MODE),
  .RxGear    (CH0_RX_GEAR_MODE),
  .TxHalf    (CH0_FF_TX_H_CLK_EN),
  .TxFullOff (CH0_FF_TX_F_CLK_DIS),
  .RxHalf    (CH0_FF_RX_H_CLK_EN),
  .RxFullOff (CH0_FF_RX_F_CLK_DIS),
  .Recovered (CH0_SEL_SD_RX_CLK),
  .CtcBypass (CH0_CTC_BYPASS),
  .LowMark   (D_LOW_MARK),
  .HighMark  (D_HIGH_MARK)
) u_model (
  .tx_clk_i           (rf_ecp5_serdes_tb.lane_clk_i),
  .tx_late_clk_i      (rf_ecp5_serdes_tb.lane_late_clk_i),
  .line_clk_i         (rf_ecp5_serdes_tb.line_clk_i),
  .line_late_clk_i    (rf_ecp5_serdes_tb.line_late_clk_i),
  .line_symbol_i      (rf_ecp5_serdes_tb.line_symbol_i),
  .line_signal_i      (rf_ecp5_serdes_tb.line_signal_i),
  .line_swapped_i     (rf_ecp5_serdes_tb.line_swapped_i),
  .receiver_i         (rf_ecp5_serdes_tb.receiver_i),
  .answers_i          (rf_ecp5_serdes_tb.answers_i),
  .forgets_i          (rf_ecp5_serdes_tb.forgets_i),
  .refclk_i           (D_REFCLKI),
  .rxi_clk_i          (CH0_FF_RXI_CLK),
  .txi_clk_i          (CH0_FF_TXI_CLK),
  .ebrd_clk_i         (CH0_FF_EBRD_CLK),
  .idle_pin_i         (CH0_FFC_EI_EN),
  .detect_enable_i    (CH0_FFC_PCIE_DET_EN),
  .detect_strobe_i    (CH0_FFC_PCIE_CT),
  .invert_i           (CH0_FFC_SB_INV_RX),
  .gear_pins_i        ({CH0_FFC_RX_GEAR_MODE, CH0_FFC_TX_GEAR_MODE}),
  .tx_pcs_rst_i       (CH0_FFC_LANE_TX_RST),
  .rx_pcs_rst_i       (CH0_FFC_LANE_RX_RST),
  .cdr_rst_i          (CH0_FFC_RRST),
  .macro_rst_i        (D_FFC_MACRO_RST || D_FFC_DUAL_RST),
  .pll_rst_i          (D_FFC_TRST),
  .tx_pclk_o          (CH0_FF_TX_PCLK),
  .tx_full_clk_o      (CH0_FF_TX_F_CLK),
  .rx_pclk_o          (CH0_FF_RX_PCLK),
  .rx_full_clk_o      (CH0_FF_RX_F_CLK),
  .done_o             (CH0_FFS_PCIE_DONE),
  .present_o          (CH0_FFS_PCIE_CON),
  .silent_o           (CH0_FFS_RLOS),
  .cdr_unlocked_o     (CH0_FFS_RLOL),
  .synchronized_o     (CH0_FFS_LS_SYNC_STATUS),
  .pll_unlocked_o     (D_FFS_PLOL),
  .overrun_o          (CH0_FFS_CC_OVERRUN),
  .underrun_o         (CH0_FFS_CC_UNDERRUN),
  .sci_channel_i      (CH0_SCIEN && CH0_SCISEL),
  .sci_common_i       (D_SCIENAUX && D_SCISELAUX),
  .sci_read_i         (D_SCIRD),
  .sci_write_ni       (D_SCIWSTN),
  .tx_symbol_o        (),
  .tx_idle_o          (),
  .tx_slipped_o       (),
  .sci_address_i ({D_SCIADDR5, D_SCIADDR4, D_SCIADDR3, D_SCIADDR2, D_SCIADDR1, D_SCIADDR0}),
  .sci_data_i ({D_SCIWDATA7, D_SCIWDATA6, D_SCIWDATA5, D_SCIWDATA4, D_SCIWDATA3, D_SCIWDATA2,
                D_SCIWDATA1, D_SCIWDATA0}),
  .sci_data_o ({D_SCIRDATA7, D_SCIRDATA6, D_SCIRDATA5, D_SCIRDATA4, D_SCIRDATA3, D_SCIRDATA2,
                D_SCIRDATA1, D_SCIRDATA0}),
  .tx_i ({CH0_FF_TX_D_23, CH0_FF_TX_D_22, CH0_FF_TX_D_21, CH0_FF_TX_D_20, CH0_FF_TX_D_19,
          CH0_FF_TX_D_18, CH0_FF_TX_D_17, CH0_FF_TX_D_16, CH0_FF_TX_D_15, CH0_FF_TX_D_14,
          CH0_FF_TX_D_13, CH0_FF_TX_D_12, CH0_FF_TX_D_11, CH0_FF_TX_D_10, CH0_FF_TX_D_9,
          CH0_FF_TX_D_8, CH0_FF_TX_D_7, CH0_FF_TX_D_6, CH0_FF_TX_D_5, CH0_FF_TX_D_4, CH0_FF_TX_D_3,
          CH0_FF_TX_D_2, CH0_FF_TX_D_1, CH0_FF_TX_D_0}),
  .rx_o ({CH0_FF_RX_D_23, CH0_FF_RX_D_22, CH0_FF_RX_D_21, CH0_FF_RX_D_20, CH0_FF_RX_D_19,
          CH0_FF_RX_D_18, CH0_FF_RX_D_17, CH0_FF_RX_D_16, CH0_FF_RX_D_15, CH0_FF_RX_D_14,
          CH0_FF_RX_D_13, CH0_FF_RX_D_12, CH0_FF_RX_D_11, CH0_FF_RX_D_10, CH0_FF_RX_D_9,
          CH0_FF_RX_D_8, CH0_FF_RX_D_7, CH0_FF_RX_D_6, CH0_FF_RX_D_5, CH0_FF_RX_D_4, CH0_FF_RX_D_3,
          CH0_FF_RX_D_2, CH0_FF_RX_D_1, CH0_FF_RX_D_0})
);

`default_nettype wire
