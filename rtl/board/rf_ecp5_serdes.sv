// SPDX-License-Identifier: Apache-2.0
//
// One lane of PCIe at 2.5 GT/s in the ECP5's SERDES (DCU 0, channel 0), with the PIPE signals of a
// link layer: two symbols per cycle of 125 MHz, the first in the lower byte. Both directions use
// pclk_o: the DCU's elastic buffer compensates the difference.
//
// Status: it is placed, routed and timed, but no link has been trained. The values of the cell are
// those that Lattice documents for PCIe; undocumented ones have their defaults.
//
// PIPE detects a receiver by one handshake; here the link layer does its steps: detect_i for the
// whole time, after 120 ns detect_start_i for one cycle; detected_o is valid with detect_done_o.

`default_nettype none

module rf_ecp5_serdes (
  input  wire logic        refclk_p_i,            // 100 MHz of the slot
  input  wire logic        refclk_n_i,
  input  wire logic        rst_ni,                // of any clock
  input  wire logic        rx_p_i,
  input  wire logic        rx_n_i,
  output logic             tx_p_o,
  output logic             tx_n_o,

  output logic             pclk_o,
  output logic             ready_o,               // PLL and receiver have locked
  input  wire logic [15:0] tx_data_i,
  input  wire logic [1:0]  tx_data_k_i,
  input  wire logic        tx_electrical_idle_i,
  output logic      [15:0] rx_data_o,
  output logic      [1:0]  rx_data_k_o,
  output logic      [5:0]  rx_status_o,           // PIPE's three bits of each symbol
  output logic             rx_valid_o,            // symbols are aligned
  output logic             rx_electrical_idle_o,
  input  wire logic        detect_i,
  input  wire logic        detect_start_i,
  output logic             detect_done_o,
  output logic             detected_o
);

  logic refclk, tx_unlocked, rx_unlocked, rx_synchronized;

  // Two lanes of twelve bits: the symbol, K, and for the transmitter two bits of
  // disparity and electrical idle, of the receiver its status.
  logic [23:0] tx_bus, rx_bus;

  assign tx_bus = {tx_electrical_idle_i, 2'b00, tx_data_k_i[1], tx_data_i[15:8],
                   tx_electrical_idle_i, 2'b00, tx_data_k_i[0], tx_data_i[7:0]};
  assign rx_data_o   = {rx_bus[19:12], rx_bus[7:0]};
  assign rx_data_k_o = {rx_bus[20], rx_bus[8]};
  assign rx_status_o = {rx_bus[23:21], rx_bus[11:9]};
  assign rx_valid_o  = rx_synchronized && !rx_unlocked;
  assign ready_o     = !tx_unlocked && !rx_unlocked;

  (* LOC = "EXTREF0" *)
  EXTREFB #(
    .REFCK_PWDNB     ("0b1"),
    .REFCK_RTERM     ("0b1"),
    .REFCK_DCBIAS_EN ("0b0")
  ) u_refclk (
    .REFCLKP (refclk_p_i),
    .REFCLKN (refclk_n_i),
    .REFCLKO (refclk)
  );

  (* LOC = "DCU0" *)
  DCUA #(
    .D_MACROPDB          ("0b1"),
    .D_TXPLL_PWDNB       ("0b1"),
    .D_IB_PWDNB          ("0b1"),
    .D_REFCK_MODE        ("0b100"),          // 25 times 100 MHz
    .D_TX_VCO_CK_DIV     ("0b000"),
    .D_TX_MAX_RATE       ("2.5"),
    .D_BITCLK_LOCAL_EN   ("0b1"),
    .D_SYNC_LOCAL_EN     ("0b1"),
    .D_BUS8BIT_SEL       ("0b0"),
    .CH0_PROTOCOL        ("PCIE"),
    .CH0_PCIE_MODE       ("0b1"),
    .CH0_CDR_MAX_RATE    ("2.5"),
    .CH0_UC_MODE         ("0b0"),
    .CH0_RIO_MODE        ("0b0"),
    .CH0_WA_MODE         ("0b0"),
    .CH0_ENC_BYPASS      ("0b0"),            // 8b10b is the DCU's
    .CH0_DEC_BYPASS      ("0b0"),
    .CH0_WA_BYPASS       ("0b0"),
    .CH0_SB_BYPASS       ("0b0"),
    .CH0_RX_SB_BYPASS    ("0b0"),
    .CH0_TX_GEAR_MODE    ("0b1"),            // two symbols a cycle
    .CH0_RX_GEAR_MODE    ("0b1"),
    .CH0_TX_GEAR_BYPASS  ("0b0"),
    .CH0_RX_GEAR_BYPASS  ("0b0"),
    .CH0_FF_TX_H_CLK_EN  ("0b1"),
    .CH0_FF_TX_F_CLK_DIS ("0b1"),
    .CH0_FF_RX_H_CLK_EN  ("0b1"),
    .CH0_FF_RX_F_CLK_DIS ("0b1"),
    .CH0_ENABLE_CG_ALIGN ("0b1"),            // on K28.5 of either disparity
    .CH0_UDF_COMMA_MASK  ("0x3ff"),
    .CH0_UDF_COMMA_A     ("0x283"),
    .CH0_UDF_COMMA_B     ("0x17C"),
    .CH0_CTC_BYPASS      ("0b0"),            // clock tolerance by SKP, K28.0
    .CH0_MATCH_2_ENABLE  ("0b0"),
    .CH0_MATCH_4_ENABLE  ("0b0"),
    .CH0_CC_MATCH_4      ("0x11C"),
    .CH0_MIN_IPG_CNT     ("0b11"),
    .CH0_TPWDNB          ("0b1"),
    .CH0_RPWDNB          ("0b1"),
    .CH0_RTERM_TX        ("0d19"),           // 50 ohm
    .CH0_RTERM_RX        ("0d22"),
    .CH0_TXAMPLITUDE     ("0d1000"),         // mV
    .CH0_RX_LOS_LVL      ("0b100"),
    .CH0_RX_LOS_CEQ      ("0b11"),
    .CH0_RX_LOS_EN       ("0b1"),
    .CH0_SEL_SD_RX_CLK   ("0b1")
  ) u_dcu (
    .CH0_HDINP              (rx_p_i),
    .CH0_HDINN              (rx_n_i),
    .D_REFCLKI              (refclk),
    .CH0_RX_REFCLK          (refclk),
    .CH0_FF_RXI_CLK         (pclk_o),
    .CH0_FF_TXI_CLK         (pclk_o),
    .CH0_FF_EBRD_CLK        (pclk_o),
    .CH0_FF_TX_D_0          (tx_bus[0]),
    .CH0_FF_TX_D_1          (tx_bus[1]),
    .CH0_FF_TX_D_2          (tx_bus[2]),
    .CH0_FF_TX_D_3          (tx_bus[3]),
    .CH0_FF_TX_D_4          (tx_bus[4]),
    .CH0_FF_TX_D_5          (tx_bus[5]),
    .CH0_FF_TX_D_6          (tx_bus[6]),
    .CH0_FF_TX_D_7          (tx_bus[7]),
    .CH0_FF_TX_D_8          (tx_bus[8]),
    .CH0_FF_TX_D_9          (tx_bus[9]),
    .CH0_FF_TX_D_10         (tx_bus[10]),
    .CH0_FF_TX_D_11         (tx_bus[11]),
    .CH0_FF_TX_D_12         (tx_bus[12]),
    .CH0_FF_TX_D_13         (tx_bus[13]),
    .CH0_FF_TX_D_14         (tx_bus[14]),
    .CH0_FF_TX_D_15         (tx_bus[15]),
    .CH0_FF_TX_D_16         (tx_bus[16]),
    .CH0_FF_TX_D_17         (tx_bus[17]),
    .CH0_FF_TX_D_18         (tx_bus[18]),
    .CH0_FF_TX_D_19         (tx_bus[19]),
    .CH0_FF_TX_D_20         (tx_bus[20]),
    .CH0_FF_TX_D_21         (tx_bus[21]),
    .CH0_FF_TX_D_22         (tx_bus[22]),
    .CH0_FF_TX_D_23         (tx_bus[23]),
    .CH0_FFC_EI_EN          (1'b0),
    .CH0_FFC_PCIE_DET_EN    (detect_i),
    .CH0_FFC_PCIE_CT        (detect_start_i),
    .CH0_FFC_SB_INV_RX      (1'b0),
    .CH0_FFC_ENABLE_CGALIGN (1'b1),
    .CH0_FFC_SIGNAL_DETECT  (1'b1),
    .CH0_FFC_FB_LOOPBACK    (1'b0),
    .CH0_FFC_SB_PFIFO_LP    (1'b0),
    .CH0_FFC_PFIFO_CLR      (1'b0),
    .CH0_FFC_RATE_MODE_RX   (1'b0),
    .CH0_FFC_RATE_MODE_TX   (1'b0),
    .CH0_FFC_DIV11_MODE_RX  (1'b0),
    .CH0_FFC_DIV11_MODE_TX  (1'b0),
    .CH0_FFC_RX_GEAR_MODE   (1'b1),
    .CH0_FFC_TX_GEAR_MODE   (1'b1),
    .CH0_FFC_LDR_CORE2TX_EN (1'b0),
    .CH0_FFC_LANE_TX_RST    (!rst_ni),
    .CH0_FFC_LANE_RX_RST    (!rst_ni),
    .CH0_FFC_RRST           (!rst_ni),
    .CH0_FFC_TXPWDNB        (1'b1),
    .CH0_FFC_RXPWDNB        (1'b1),
    .CH0_FFC_CDR_EN_BITSLIP (1'b0),
    .D_FFC_DUAL_RST         (!rst_ni),
    .D_FFC_MACRO_RST        (!rst_ni),
    .D_FFC_MACROPDB         (1'b1),
    .D_FFC_TRST             (!rst_ni),
    .D_FFC_SYNC_TOGGLE      (1'b0),
    .CH0_HDOUTP             (tx_p_o),
    .CH0_HDOUTN             (tx_n_o),
    .CH0_FF_TX_PCLK         (pclk_o),
    .CH0_FFS_PCIE_DONE      (detect_done_o),
    .CH0_FFS_PCIE_CON       (detected_o),
    .CH0_FFS_RLOS           (rx_electrical_idle_o),
    .CH0_FFS_RLOL           (rx_unlocked),
    .CH0_FFS_LS_SYNC_STATUS (rx_synchronized),
    .D_FFS_PLOL             (tx_unlocked),
    .CH0_FF_RX_D_0          (rx_bus[0]),
    .CH0_FF_RX_D_1          (rx_bus[1]),
    .CH0_FF_RX_D_2          (rx_bus[2]),
    .CH0_FF_RX_D_3          (rx_bus[3]),
    .CH0_FF_RX_D_4          (rx_bus[4]),
    .CH0_FF_RX_D_5          (rx_bus[5]),
    .CH0_FF_RX_D_6          (rx_bus[6]),
    .CH0_FF_RX_D_7          (rx_bus[7]),
    .CH0_FF_RX_D_8          (rx_bus[8]),
    .CH0_FF_RX_D_9          (rx_bus[9]),
    .CH0_FF_RX_D_10         (rx_bus[10]),
    .CH0_FF_RX_D_11         (rx_bus[11]),
    .CH0_FF_RX_D_12         (rx_bus[12]),
    .CH0_FF_RX_D_13         (rx_bus[13]),
    .CH0_FF_RX_D_14         (rx_bus[14]),
    .CH0_FF_RX_D_15         (rx_bus[15]),
    .CH0_FF_RX_D_16         (rx_bus[16]),
    .CH0_FF_RX_D_17         (rx_bus[17]),
    .CH0_FF_RX_D_18         (rx_bus[18]),
    .CH0_FF_RX_D_19         (rx_bus[19]),
    .CH0_FF_RX_D_20         (rx_bus[20]),
    .CH0_FF_RX_D_21         (rx_bus[21]),
    .CH0_FF_RX_D_22         (rx_bus[22]),
    .CH0_FF_RX_D_23         (rx_bus[23])
  );

endmodule

`default_nettype wire
