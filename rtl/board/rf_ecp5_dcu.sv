// SPDX-License-Identifier: Apache-2.0
//
// Generated from constraints/ecp5/dcu_words.tsv by tools/dcu_words.py: do not edit.
//
// The ECP5's SERDES, DCU 0 with channel 0, with all of its words: nextpnr-ecp5 takes 0 for one that
// is not given. Clarity: the other set of the undocumented ones. Ctc: the DCU's own clock
// compensation; compensation_clk_i is then tx_full_clk_o, else of no matter. Gear, and with it
// gear_i: two symbols a cycle of 125 MHz, else one of 250 MHz. Switches: both full-rate clocks run
// whatever Gear says. A symbol is eight bits, K and three more: of the transmitter two for its
// disparity and electrical idle. sci_*: TN1261, SERDES client interface.

`default_nettype none

module rf_ecp5_dcu #(
  parameter bit Clarity = 1'b0,
  parameter bit Ctc = 1'b0,
  parameter bit Gear = 1'b1,
  parameter bit Switches = 1'b0
) (
  input  wire logic rx_p_i,
  input  wire logic rx_n_i,
  input  wire logic refclk_i,
  input  wire logic rx_clk_i,
  input  wire logic tx_clk_i,
  input  wire logic compensation_clk_i,
  input  wire logic [23:0] tx_i,
  input  wire logic tx_idle_i,
  input  wire logic detect_enable_i,
  input  wire logic detect_strobe_i,
  input  wire logic rx_invert_i,
  input  wire logic gear_i,
  input  wire logic reset_tx_pcs_i,
  input  wire logic reset_rx_pcs_i,
  input  wire logic reset_cdr_i,
  input  wire logic reset_all_i,
  input  wire logic reset_pll_i,
  input  wire logic [5:0] sci_address_i,
  input  wire logic [7:0] sci_data_i,
  input  wire logic sci_common_i,
  input  wire logic sci_channel_i,
  input  wire logic sci_read_i,
  input  wire logic sci_write_i,
  output logic tx_p_o,
  output logic tx_n_o,
  output logic tx_pclk_o,
  output logic tx_full_clk_o,
  output logic rx_pclk_o,
  output logic rx_full_clk_o,
  output logic [23:0] rx_o,
  output logic detect_done_o,
  output logic detect_present_o,
  output logic rx_silent_o,
  output logic cdr_unlocked_o,
  output logic rx_synchronized_o,
  output logic pll_unlocked_o,
  output logic overrun_o,
  output logic underrun_o,
  output logic [7:0] sci_data_o
);

  // power of the whole DCU on (TN1261)
  localparam logic [0:0] D_MACROPDB = 1'b1;
  // power of the transmit PLL on (TN1261)
  localparam logic [0:0] D_TXPLL_PWDNB = 1'b1;
  // input buffers on; without it nothing is received (Yumewatari)
  localparam logic [0:0] D_IB_PWDNB = 1'b1;
  // not 10 Gb Ethernet (TN1261)
  localparam logic [0:0] D_XGE_MODE = 1'b0;
  // DCU's clock compensation: insert a SKP below this fill (TN1261)
  localparam logic [3:0] D_LOW_MARK = 4'b0100;
  // DCU's clock compensation: delete a SKP above this fill (TN1261)
  localparam logic [3:0] D_HIGH_MARK = 4'b1100;
  // symbols of 8 bits and K, not 10 bits (TN1261)
  localparam logic [0:0] D_BUS8BIT_SEL = 1'b0;
  // receiver: lock within 1000 ppm, loss at 1500 ppm (TN1261)
  localparam logic [1:0] D_CDR_LOL_SET = 2'b00;
  // transmit PLL: lock within 300 ppm, loss at 2000 ppm (Clarity wrapper)
  localparam logic [1:0] D_PLL_LOL_SET = 2'b01;
  // bit clock is 25 times the reference: 2.5 GHz of 100 MHz (TN1261)
  localparam logic [2:0] D_REFCK_MODE = 3'b100;
  // bit clock not divided (TN1261)
  localparam logic [2:0] D_TX_VCO_CK_DIV = 3'b000;
  // bit clock from this DCU's PLL (Yumewatari)
  localparam logic [0:0] D_BITCLK_LOCAL_EN = 1'b1;
  // no bit clock to the neighbour (Clarity wrapper)
  localparam logic [0:0] D_BITCLK_ND_EN = 1'b0;
  // no bit clock from the neighbour (Clarity wrapper)
  localparam logic [0:0] D_BITCLK_FROM_ND_EN = 1'b0;
  // synchronisation of this DCU's transmitters (Clarity wrapper)
  localparam logic [0:0] D_SYNC_LOCAL_EN = 1'b1;
  // none of the neighbour's (Clarity wrapper)
  localparam logic [0:0] D_SYNC_ND_EN = 1'b0;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_CMUSETBIASI = 2'b00;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [3:0] D_CMUSETI4CPP = Clarity ? 4'b0011 : 4'b0100;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [3:0] D_CMUSETI4CPZ = 4'b0011;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_CMUSETI4VCO = 2'b00;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_CMUSETICP4P = 2'b01;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [2:0] D_CMUSETICP4Z = 3'b101;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_CMUSETINITVCT = 2'b00;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [2:0] D_CMUSETISCL4VCO = 3'b000;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [2:0] D_CMUSETP1GM = 3'b000;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [2:0] D_CMUSETP2AGM = 3'b000;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [2:0] D_CMUSETZGM = Clarity ? 3'b000 : 3'b100;
  // undocumented: bias and charge pump of the transmit PLL (Yumewatari; Clarity wrapper)
  localparam logic [5:0] D_SETPLLRC = 6'b000001;
  // undocumented: bias currents and regulator (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_SETIRPOLY_AUX = Clarity ? 2'b00 : 2'b10;
  // undocumented: bias currents and regulator (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_SETICONST_AUX = Clarity ? 2'b00 : 2'b01;
  // undocumented: bias currents and regulator (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_SETIRPOLY_CH = Clarity ? 2'b00 : 2'b10;
  // undocumented: bias currents and regulator (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_SETICONST_CH = Clarity ? 2'b00 : 2'b10;
  // undocumented: bias currents and regulator (Yumewatari; Clarity wrapper)
  localparam logic [0:0] D_RG_EN = Clarity ? 1'b0 : 1'b1;
  // undocumented: bias currents and regulator (Yumewatari; Clarity wrapper)
  localparam logic [1:0] D_RG_SET = 2'b00;
  // undocumented: bias currents, calibration time (Clarity wrapper)
  localparam logic [2:0] D_REQ_ISET = 3'b000;
  // undocumented: bias currents, calibration time (Clarity wrapper)
  localparam logic [1:0] D_PD_ISET = 2'b00;
  // undocumented: bias currents, calibration time (Clarity wrapper)
  localparam logic [7:0] D_ISETLOS = 8'b00000000;
  // undocumented: bias currents, calibration time (Clarity wrapper)
  localparam logic [1:0] D_DCO_CALIB_TIME_SEL = 2'b00;
  // a protocol of the DCU, none of the user's (TN1261)
  localparam logic [0:0] CH0_UC_MODE = 1'b0;
  // that protocol is PCI Express (TN1261)
  localparam logic [0:0] CH0_PCIE_MODE = 1'b1;
  // not RapidIO (TN1261)
  localparam logic [0:0] CH0_RIO_MODE = 1'b0;
  // symbols aligned by a barrel shifter, not bit by bit (TN1261)
  localparam logic [0:0] CH0_WA_MODE = 1'b0;
  // wires of the receiver not swapped; FFC_SB_INV_RX swaps them at run time (TN1261)
  localparam logic [0:0] CH0_INVERT_RX = 1'b0;
  // wires of the transmitter not swapped (TN1261)
  localparam logic [0:0] CH0_INVERT_TX = 1'b0;
  // no test pattern (Clarity wrapper)
  localparam logic [0:0] CH0_PRBS_SELECTION = 1'b0;
  // no test pattern (Clarity wrapper)
  localparam logic [0:0] CH0_PRBS_LOCK = 1'b0;
  // no test pattern (Clarity wrapper)
  localparam logic [0:0] CH0_PRBS_ENABLE = 1'b0;
  // no Ethernet auto-negotiation (TN1261)
  localparam logic [0:0] CH0_GE_AN_ENABLE = 1'b0;
  // aligns at each comma (TN1261)
  localparam logic [0:0] CH0_ENABLE_CG_ALIGN = 1'b1;
  // all ten bits of a comma count (TN1261)
  localparam logic [9:0] CH0_UDF_COMMA_MASK = 10'b1111111111;
  // K28.5 of one disparity (TN1261)
  localparam logic [9:0] CH0_UDF_COMMA_A = 10'b1010000011;
  // K28.5 of the other one (TN1261)
  localparam logic [9:0] CH0_UDF_COMMA_B = 10'b0101111100;
  // not for ever in electrical idle (TN1261)
  localparam logic [0:0] CH0_PCIE_EI_EN = 1'b0;
  // receiver detection takes 8 us (TN1261)
  localparam logic [1:0] CH0_PCS_DET_TIME_SEL = 2'b00;
  // 8b/10b encoder in use (TN1261)
  localparam logic [0:0] CH0_ENC_BYPASS = 1'b0;
  // 8b/10b decoder in use (TN1261)
  localparam logic [0:0] CH0_DEC_BYPASS = 1'b0;
  // word aligner in use (TN1261)
  localparam logic [0:0] CH0_WA_BYPASS = 1'b0;
  // transmit bridge does not invert (TN1261)
  localparam logic [0:0] CH0_SB_BYPASS = 1'b0;
  // receive bridge does not invert (TN1261)
  localparam logic [0:0] CH0_RX_SB_BYPASS = 1'b0;
  // link synchronisation state machine in use (TN1261)
  localparam logic [0:0] CH0_LSM_DISABLE = 1'b0;
  // transmitter: two symbols a cycle (TN1261)
  localparam logic [0:0] CH0_TX_GEAR_MODE = Gear;
  // receiver: two symbols a cycle (TN1261)
  localparam logic [0:0] CH0_RX_GEAR_MODE = Gear;
  // gear box not bypassed (TN1261)
  localparam logic [0:0] CH0_TX_GEAR_BYPASS = 1'b0;
  // gear box not bypassed (TN1261)
  localparam logic [0:0] CH0_RX_GEAR_BYPASS = 1'b0;
  // half-rate transmit clock, 125 MHz (TN1261)
  localparam logic [0:0] CH0_FF_TX_H_CLK_EN = Gear;
  // full-rate transmit clock off; clock compensation and switches need it (TN1261)
  localparam logic [0:0] CH0_FF_TX_F_CLK_DIS = Gear & ~Ctc & ~Switches;
  // half-rate receive clock, 125 MHz (TN1261)
  localparam logic [0:0] CH0_FF_RX_H_CLK_EN = Gear;
  // full-rate receive clock off; switches need it (TN1261)
  localparam logic [0:0] CH0_FF_RX_F_CLK_DIS = Gear & ~Switches;
  // receive FIFO by the recovered clock; with compensation by FF_EBRD_CLK (TN1261)
  localparam logic [0:0] CH0_SEL_SD_RX_CLK = ~Ctc;
  // the DCU's clock compensation bypassed (TN1261)
  localparam logic [0:0] CH0_CTC_BYPASS = ~Ctc;
  // compensates at sets of four symbols, not of two (TN1261)
  localparam logic [0:0] CH0_MATCH_2_ENABLE = 1'b0;
  // compensates at sets of four symbols (TN1261)
  localparam logic [0:0] CH0_MATCH_4_ENABLE = 1'b1;
  // least distance of compensated sets (TN1261)
  localparam logic [1:0] CH0_MIN_IPG_CNT = 2'b11;
  // SKP set: COM (K28.5) (TN1261)
  localparam logic [9:0] CH0_CC_MATCH_1 = 10'b0110111100;
  // SKP set: SKP (K28.0) (TN1261)
  localparam logic [9:0] CH0_CC_MATCH_2 = 10'b0100011100;
  // SKP set: SKP (K28.0) (TN1261)
  localparam logic [9:0] CH0_CC_MATCH_3 = 10'b0100011100;
  // SKP set: SKP (K28.0) (TN1261)
  localparam logic [9:0] CH0_CC_MATCH_4 = 10'b0100011100;
  // power of the transmitter on (TN1261)
  localparam logic [0:0] CH0_TPWDNB = 1'b1;
  // power of the receiver on (TN1261)
  localparam logic [0:0] CH0_RPWDNB = 1'b1;
  // transmitter at full rate (TN1261)
  localparam logic [0:0] CH0_RATE_MODE_TX = 1'b0;
  // receiver at full rate (TN1261)
  localparam logic [0:0] CH0_RATE_MODE_RX = 1'b0;
  // no SDI rate (TN1261)
  localparam logic [0:0] CH0_TX_DIV11_SEL = 1'b0;
  // no SDI rate (TN1261)
  localparam logic [0:0] CH0_RX_DIV11_SEL = 1'b0;
  // transmitter's termination: 50 ohm (TN1261)
  localparam logic [4:0] CH0_RTERM_TX = 5'b10011;
  // receiver's termination: 50 ohm (Clarity wrapper)
  localparam logic [4:0] CH0_RTERM_RX = 5'b10110;
  // common mode of the output: default (Clarity wrapper)
  localparam logic [1:0] CH0_TX_CM_SEL = 2'b00;
  // no pre-cursor (TN1261)
  localparam logic [0:0] CH0_TDRV_PRE_EN = 1'b0;
  // no post-cursor (TN1261)
  localparam logic [0:0] CH0_TDRV_POST_EN = 1'b0;
  // sign of the pre-cursor, unused (TN1261)
  localparam logic [0:0] CH0_TX_PRE_SIGN = 1'b0;
  // sign of the post-cursor, unused (TN1261)
  localparam logic [0:0] CH0_TX_POST_SIGN = 1'b0;
  // driver sends the serializer's data (TN1261)
  localparam logic [1:0] CH0_TDRV_DAT_SEL = 2'b00;
  // driver slice 0: main data (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE0_SEL = 2'b01;
  // driver slice 1: power down (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE1_SEL = 2'b00;
  // driver slice 2: main data (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE2_SEL = 2'b01;
  // driver slice 3: main data (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE3_SEL = 2'b01;
  // driver slice 4: main data (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE4_SEL = 2'b01;
  // driver slice 5: power down (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE5_SEL = 2'b00;
  // driver slice 0: 400 uA; all of them 1 V peak to peak (TN1261)
  localparam logic [2:0] CH0_TDRV_SLICE0_CUR = 3'b011;
  // driver slice 1: 100 uA; all of them 1 V peak to peak (TN1261)
  localparam logic [2:0] CH0_TDRV_SLICE1_CUR = 3'b000;
  // driver slice 2: 3200 uA; all of them 1 V peak to peak (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE2_CUR = 2'b11;
  // driver slice 3: 3200 uA; all of them 1 V peak to peak (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE3_CUR = 2'b11;
  // driver slice 4: 3200 uA; all of them 1 V peak to peak (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE4_CUR = 2'b11;
  // driver slice 5: 800 uA; all of them 1 V peak to peak (TN1261)
  localparam logic [1:0] CH0_TDRV_SLICE5_CUR = 2'b00;
  // receiver is AC coupled (TN1261)
  localparam logic [0:0] CH0_RCV_DCC_EN = 1'b0;
  // receiver's termination to the input supply (TN1261)
  localparam logic [1:0] CH0_RXTERM_CM = 2'b11;
  // common mode of the equalizer by feedback (TN1261)
  localparam logic [1:0] CH0_RXIN_CM = 2'b11;
  // equalizer on (TN1261)
  localparam logic [0:0] CH0_REQ_EN = 1'b1;
  // equalizer: 6 dB (TN1261)
  localparam logic [1:0] CH0_REQ_LVL_SET = 2'b00;
  // equalizer's pole for 2.5 GT/s (Clarity wrapper)
  localparam logic [3:0] CH0_RX_RATE_SEL = 4'b1000;
  // equalizer's offset: automatic (TN1261)
  localparam logic [0:0] CH0_LEQ_OFFSET_SEL = 1'b0;
  // equalizer's offset: automatic (TN1261)
  localparam logic [2:0] CH0_LEQ_OFFSET_TRIM = 3'b000;
  // loss of signal is reported; has to be 1 in use (TN1261)
  localparam logic [0:0] CH0_RLOS_SEL = 1'b1;
  // its detector is on (TN1261)
  localparam logic [0:0] CH0_RX_LOS_EN = 1'b1;
  // its threshold (Clarity wrapper)
  localparam logic [2:0] CH0_RX_LOS_LVL = 3'b100;
  // its equalizer (Clarity wrapper)
  localparam logic [1:0] CH0_RX_LOS_CEQ = 2'b11;
  // without hysteresis (TN1261)
  localparam logic [0:0] CH0_RX_LOS_HYST_EN = 1'b0;
  // phase detector off without a signal (TN1261)
  localparam logic [0:0] CH0_PDEN_SEL = 1'b1;
  // no low-speed path from the pins (TN1261)
  localparam logic [0:0] CH0_LDR_RX2CORE_SEL = 1'b0;
  // no low-speed path to the pins (TN1261)
  localparam logic [0:0] CH0_LDR_CORE2TX_SEL = 1'b0;
  // recovered clock not divided (TN1261)
  localparam logic [2:0] CH0_RX_DCO_CK_DIV = 3'b000;
  // frequency acquisition begins by itself (Yumewatari; Clarity wrapper)
  localparam logic [0:0] CH0_AUTO_FACQ_EN = 1'b1;
  // so does the oscillator's calibration (Yumewatari; Clarity wrapper)
  localparam logic [0:0] CH0_AUTO_CALIB_EN = 1'b1;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [0:0] CH0_CALIB_CK_MODE = 1'b0;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [5:0] CH0_BAND_THRESHOLD = 6'b000000;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [3:0] CH0_REG_BAND_OFFSET = 4'b0000;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [5:0] CH0_REG_BAND_SEL = 6'b000000;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [9:0] CH0_REG_IDAC_SEL = 10'b0000000000;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [0:0] CH0_REG_IDAC_EN = 1'b0;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [1:0] CH0_CDR_CNT4SEL = 2'b00;
  // undocumented: oscillator of the receiver's CDR (Clarity wrapper)
  localparam logic [1:0] CH0_CDR_CNT8SEL = 2'b00;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [1:0] CH0_DCOATDCFG = 2'b00;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [1:0] CH0_DCOATDDLY = 2'b00;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [0:0] CH0_DCOBYPSATD = 1'b1;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [2:0] CH0_DCOCALDIV = Clarity ? 3'b001 : 3'b010;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [2:0] CH0_DCOCTLGI = Clarity ? 3'b010 : 3'b011;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [0:0] CH0_DCODISBDAVOID = Clarity ? 1'b0 : 1'b1;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [1:0] CH0_DCOFLTDAC = Clarity ? 2'b01 : 2'b00;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [2:0] CH0_DCOFTNRG = Clarity ? 3'b111 : 3'b010;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [2:0] CH0_DCOIOSTUNE = Clarity ? 3'b000 : 3'b010;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [1:0] CH0_DCOITUNE = 2'b00;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [2:0] CH0_DCOITUNE4LSB = Clarity ? 3'b111 : 3'b010;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [0:0] CH0_DCOIUPDNX2 = 1'b1;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [2:0] CH0_DCONUOFLSB = 3'b101;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [1:0] CH0_DCOSCALEI = Clarity ? 2'b00 : 2'b01;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [2:0] CH0_DCOSTARTVAL = Clarity ? 3'b000 : 3'b010;
  // undocumented: oscillator of the receiver's CDR (Yumewatari; Clarity wrapper)
  localparam logic [1:0] CH0_DCOSTEP = Clarity ? 2'b00 : 2'b11;

  (* LOC = "DCU0" *)
  DCUA #(
    .D_MACROPDB(D_MACROPDB),
    .D_TXPLL_PWDNB(D_TXPLL_PWDNB),
    .D_IB_PWDNB(D_IB_PWDNB),
    .D_XGE_MODE(D_XGE_MODE),
    .D_LOW_MARK(D_LOW_MARK),
    .D_HIGH_MARK(D_HIGH_MARK),
    .D_BUS8BIT_SEL(D_BUS8BIT_SEL),
    .D_CDR_LOL_SET(D_CDR_LOL_SET),
    .D_PLL_LOL_SET(D_PLL_LOL_SET),
    .D_REFCK_MODE(D_REFCK_MODE),
    .D_TX_VCO_CK_DIV(D_TX_VCO_CK_DIV),
    .D_BITCLK_LOCAL_EN(D_BITCLK_LOCAL_EN),
    .D_BITCLK_ND_EN(D_BITCLK_ND_EN),
    .D_BITCLK_FROM_ND_EN(D_BITCLK_FROM_ND_EN),
    .D_SYNC_LOCAL_EN(D_SYNC_LOCAL_EN),
    .D_SYNC_ND_EN(D_SYNC_ND_EN),
    .D_CMUSETBIASI(D_CMUSETBIASI),
    .D_CMUSETI4CPP(D_CMUSETI4CPP),
    .D_CMUSETI4CPZ(D_CMUSETI4CPZ),
    .D_CMUSETI4VCO(D_CMUSETI4VCO),
    .D_CMUSETICP4P(D_CMUSETICP4P),
    .D_CMUSETICP4Z(D_CMUSETICP4Z),
    .D_CMUSETINITVCT(D_CMUSETINITVCT),
    .D_CMUSETISCL4VCO(D_CMUSETISCL4VCO),
    .D_CMUSETP1GM(D_CMUSETP1GM),
    .D_CMUSETP2AGM(D_CMUSETP2AGM),
    .D_CMUSETZGM(D_CMUSETZGM),
    .D_SETPLLRC(D_SETPLLRC),
    .D_SETIRPOLY_AUX(D_SETIRPOLY_AUX),
    .D_SETICONST_AUX(D_SETICONST_AUX),
    .D_SETIRPOLY_CH(D_SETIRPOLY_CH),
    .D_SETICONST_CH(D_SETICONST_CH),
    .D_RG_EN(D_RG_EN),
    .D_RG_SET(D_RG_SET),
    .D_REQ_ISET(D_REQ_ISET),
    .D_PD_ISET(D_PD_ISET),
    .D_ISETLOS(D_ISETLOS),
    .D_DCO_CALIB_TIME_SEL(D_DCO_CALIB_TIME_SEL),
    .CH0_UC_MODE(CH0_UC_MODE),
    .CH0_PCIE_MODE(CH0_PCIE_MODE),
    .CH0_RIO_MODE(CH0_RIO_MODE),
    .CH0_WA_MODE(CH0_WA_MODE),
    .CH0_INVERT_RX(CH0_INVERT_RX),
    .CH0_INVERT_TX(CH0_INVERT_TX),
    .CH0_PRBS_SELECTION(CH0_PRBS_SELECTION),
    .CH0_PRBS_LOCK(CH0_PRBS_LOCK),
    .CH0_PRBS_ENABLE(CH0_PRBS_ENABLE),
    .CH0_GE_AN_ENABLE(CH0_GE_AN_ENABLE),
    .CH0_ENABLE_CG_ALIGN(CH0_ENABLE_CG_ALIGN),
    .CH0_UDF_COMMA_MASK(CH0_UDF_COMMA_MASK),
    .CH0_UDF_COMMA_A(CH0_UDF_COMMA_A),
    .CH0_UDF_COMMA_B(CH0_UDF_COMMA_B),
    .CH0_PCIE_EI_EN(CH0_PCIE_EI_EN),
    .CH0_PCS_DET_TIME_SEL(CH0_PCS_DET_TIME_SEL),
    .CH0_ENC_BYPASS(CH0_ENC_BYPASS),
    .CH0_DEC_BYPASS(CH0_DEC_BYPASS),
    .CH0_WA_BYPASS(CH0_WA_BYPASS),
    .CH0_SB_BYPASS(CH0_SB_BYPASS),
    .CH0_RX_SB_BYPASS(CH0_RX_SB_BYPASS),
    .CH0_LSM_DISABLE(CH0_LSM_DISABLE),
    .CH0_TX_GEAR_MODE(CH0_TX_GEAR_MODE),
    .CH0_RX_GEAR_MODE(CH0_RX_GEAR_MODE),
    .CH0_TX_GEAR_BYPASS(CH0_TX_GEAR_BYPASS),
    .CH0_RX_GEAR_BYPASS(CH0_RX_GEAR_BYPASS),
    .CH0_FF_TX_H_CLK_EN(CH0_FF_TX_H_CLK_EN),
    .CH0_FF_TX_F_CLK_DIS(CH0_FF_TX_F_CLK_DIS),
    .CH0_FF_RX_H_CLK_EN(CH0_FF_RX_H_CLK_EN),
    .CH0_FF_RX_F_CLK_DIS(CH0_FF_RX_F_CLK_DIS),
    .CH0_SEL_SD_RX_CLK(CH0_SEL_SD_RX_CLK),
    .CH0_CTC_BYPASS(CH0_CTC_BYPASS),
    .CH0_MATCH_2_ENABLE(CH0_MATCH_2_ENABLE),
    .CH0_MATCH_4_ENABLE(CH0_MATCH_4_ENABLE),
    .CH0_MIN_IPG_CNT(CH0_MIN_IPG_CNT),
    .CH0_CC_MATCH_1(CH0_CC_MATCH_1),
    .CH0_CC_MATCH_2(CH0_CC_MATCH_2),
    .CH0_CC_MATCH_3(CH0_CC_MATCH_3),
    .CH0_CC_MATCH_4(CH0_CC_MATCH_4),
    .CH0_TPWDNB(CH0_TPWDNB),
    .CH0_RPWDNB(CH0_RPWDNB),
    .CH0_RATE_MODE_TX(CH0_RATE_MODE_TX),
    .CH0_RATE_MODE_RX(CH0_RATE_MODE_RX),
    .CH0_TX_DIV11_SEL(CH0_TX_DIV11_SEL),
    .CH0_RX_DIV11_SEL(CH0_RX_DIV11_SEL),
    .CH0_RTERM_TX(CH0_RTERM_TX),
    .CH0_RTERM_RX(CH0_RTERM_RX),
    .CH0_TX_CM_SEL(CH0_TX_CM_SEL),
    .CH0_TDRV_PRE_EN(CH0_TDRV_PRE_EN),
    .CH0_TDRV_POST_EN(CH0_TDRV_POST_EN),
    .CH0_TX_PRE_SIGN(CH0_TX_PRE_SIGN),
    .CH0_TX_POST_SIGN(CH0_TX_POST_SIGN),
    .CH0_TDRV_DAT_SEL(CH0_TDRV_DAT_SEL),
    .CH0_TDRV_SLICE0_SEL(CH0_TDRV_SLICE0_SEL),
    .CH0_TDRV_SLICE1_SEL(CH0_TDRV_SLICE1_SEL),
    .CH0_TDRV_SLICE2_SEL(CH0_TDRV_SLICE2_SEL),
    .CH0_TDRV_SLICE3_SEL(CH0_TDRV_SLICE3_SEL),
    .CH0_TDRV_SLICE4_SEL(CH0_TDRV_SLICE4_SEL),
    .CH0_TDRV_SLICE5_SEL(CH0_TDRV_SLICE5_SEL),
    .CH0_TDRV_SLICE0_CUR(CH0_TDRV_SLICE0_CUR),
    .CH0_TDRV_SLICE1_CUR(CH0_TDRV_SLICE1_CUR),
    .CH0_TDRV_SLICE2_CUR(CH0_TDRV_SLICE2_CUR),
    .CH0_TDRV_SLICE3_CUR(CH0_TDRV_SLICE3_CUR),
    .CH0_TDRV_SLICE4_CUR(CH0_TDRV_SLICE4_CUR),
    .CH0_TDRV_SLICE5_CUR(CH0_TDRV_SLICE5_CUR),
    .CH0_RCV_DCC_EN(CH0_RCV_DCC_EN),
    .CH0_RXTERM_CM(CH0_RXTERM_CM),
    .CH0_RXIN_CM(CH0_RXIN_CM),
    .CH0_REQ_EN(CH0_REQ_EN),
    .CH0_REQ_LVL_SET(CH0_REQ_LVL_SET),
    .CH0_RX_RATE_SEL(CH0_RX_RATE_SEL),
    .CH0_LEQ_OFFSET_SEL(CH0_LEQ_OFFSET_SEL),
    .CH0_LEQ_OFFSET_TRIM(CH0_LEQ_OFFSET_TRIM),
    .CH0_RLOS_SEL(CH0_RLOS_SEL),
    .CH0_RX_LOS_EN(CH0_RX_LOS_EN),
    .CH0_RX_LOS_LVL(CH0_RX_LOS_LVL),
    .CH0_RX_LOS_CEQ(CH0_RX_LOS_CEQ),
    .CH0_RX_LOS_HYST_EN(CH0_RX_LOS_HYST_EN),
    .CH0_PDEN_SEL(CH0_PDEN_SEL),
    .CH0_LDR_RX2CORE_SEL(CH0_LDR_RX2CORE_SEL),
    .CH0_LDR_CORE2TX_SEL(CH0_LDR_CORE2TX_SEL),
    .CH0_RX_DCO_CK_DIV(CH0_RX_DCO_CK_DIV),
    .CH0_AUTO_FACQ_EN(CH0_AUTO_FACQ_EN),
    .CH0_AUTO_CALIB_EN(CH0_AUTO_CALIB_EN),
    .CH0_CALIB_CK_MODE(CH0_CALIB_CK_MODE),
    .CH0_BAND_THRESHOLD(CH0_BAND_THRESHOLD),
    .CH0_REG_BAND_OFFSET(CH0_REG_BAND_OFFSET),
    .CH0_REG_BAND_SEL(CH0_REG_BAND_SEL),
    .CH0_REG_IDAC_SEL(CH0_REG_IDAC_SEL),
    .CH0_REG_IDAC_EN(CH0_REG_IDAC_EN),
    .CH0_CDR_CNT4SEL(CH0_CDR_CNT4SEL),
    .CH0_CDR_CNT8SEL(CH0_CDR_CNT8SEL),
    .CH0_DCOATDCFG(CH0_DCOATDCFG),
    .CH0_DCOATDDLY(CH0_DCOATDDLY),
    .CH0_DCOBYPSATD(CH0_DCOBYPSATD),
    .CH0_DCOCALDIV(CH0_DCOCALDIV),
    .CH0_DCOCTLGI(CH0_DCOCTLGI),
    .CH0_DCODISBDAVOID(CH0_DCODISBDAVOID),
    .CH0_DCOFLTDAC(CH0_DCOFLTDAC),
    .CH0_DCOFTNRG(CH0_DCOFTNRG),
    .CH0_DCOIOSTUNE(CH0_DCOIOSTUNE),
    .CH0_DCOITUNE(CH0_DCOITUNE),
    .CH0_DCOITUNE4LSB(CH0_DCOITUNE4LSB),
    .CH0_DCOIUPDNX2(CH0_DCOIUPDNX2),
    .CH0_DCONUOFLSB(CH0_DCONUOFLSB),
    .CH0_DCOSCALEI(CH0_DCOSCALEI),
    .CH0_DCOSTARTVAL(CH0_DCOSTARTVAL),
    .CH0_DCOSTEP(CH0_DCOSTEP)
  ) u_dcu (
    .CH0_HDINP(rx_p_i),
    .CH0_HDINN(rx_n_i),
    .D_REFCLKI(refclk_i),
    .CH0_RX_REFCLK(refclk_i),
    .CH0_FF_RXI_CLK(rx_clk_i),
    .CH0_FF_TXI_CLK(tx_clk_i),
    .CH0_FF_EBRD_CLK(compensation_clk_i),
    .CH0_FF_TX_D_0(tx_i[0]),
    .CH0_FF_TX_D_1(tx_i[1]),
    .CH0_FF_TX_D_2(tx_i[2]),
    .CH0_FF_TX_D_3(tx_i[3]),
    .CH0_FF_TX_D_4(tx_i[4]),
    .CH0_FF_TX_D_5(tx_i[5]),
    .CH0_FF_TX_D_6(tx_i[6]),
    .CH0_FF_TX_D_7(tx_i[7]),
    .CH0_FF_TX_D_8(tx_i[8]),
    .CH0_FF_TX_D_9(tx_i[9]),
    .CH0_FF_TX_D_10(tx_i[10]),
    .CH0_FF_TX_D_11(tx_i[11]),
    .CH0_FF_TX_D_12(tx_i[12]),
    .CH0_FF_TX_D_13(tx_i[13]),
    .CH0_FF_TX_D_14(tx_i[14]),
    .CH0_FF_TX_D_15(tx_i[15]),
    .CH0_FF_TX_D_16(tx_i[16]),
    .CH0_FF_TX_D_17(tx_i[17]),
    .CH0_FF_TX_D_18(tx_i[18]),
    .CH0_FF_TX_D_19(tx_i[19]),
    .CH0_FF_TX_D_20(tx_i[20]),
    .CH0_FF_TX_D_21(tx_i[21]),
    .CH0_FF_TX_D_22(tx_i[22]),
    .CH0_FF_TX_D_23(tx_i[23]),
    .CH0_FFC_EI_EN(tx_idle_i),
    .CH0_FFC_PCIE_DET_EN(detect_enable_i),
    .CH0_FFC_PCIE_CT(detect_strobe_i),
    .CH0_FFC_SB_INV_RX(rx_invert_i),
    .CH0_FFC_ENABLE_CGALIGN(1'b1),
    .CH0_FFC_SIGNAL_DETECT(1'b1),
    .CH0_FFC_FB_LOOPBACK(1'b0),
    .CH0_FFC_SB_PFIFO_LP(1'b0),
    .CH0_FFC_PFIFO_CLR(1'b0),
    .CH0_FFC_RATE_MODE_RX(1'b0),
    .CH0_FFC_RATE_MODE_TX(1'b0),
    .CH0_FFC_DIV11_MODE_RX(1'b0),
    .CH0_FFC_DIV11_MODE_TX(1'b0),
    .CH0_FFC_RX_GEAR_MODE(gear_i),
    .CH0_FFC_TX_GEAR_MODE(gear_i),
    .CH0_FFC_LDR_CORE2TX_EN(1'b0),
    .CH0_LDR_CORE2TX(1'b0),
    .CH0_FFC_LANE_TX_RST(reset_tx_pcs_i),
    .CH0_FFC_LANE_RX_RST(reset_rx_pcs_i),
    .CH0_FFC_RRST(reset_cdr_i),
    .CH0_FFC_TXPWDNB(1'b1),
    .CH0_FFC_RXPWDNB(1'b1),
    .CH0_FFC_CDR_EN_BITSLIP(1'b0),
    .D_FFC_DUAL_RST(reset_all_i),
    .D_FFC_MACRO_RST(reset_all_i),
    .D_FFC_MACROPDB(1'b1),
    .D_FFC_TRST(reset_pll_i),
    .D_FFC_SYNC_TOGGLE(1'b0),
    .D_SCIADDR0(sci_address_i[0]),
    .D_SCIADDR1(sci_address_i[1]),
    .D_SCIADDR2(sci_address_i[2]),
    .D_SCIADDR3(sci_address_i[3]),
    .D_SCIADDR4(sci_address_i[4]),
    .D_SCIADDR5(sci_address_i[5]),
    .D_SCIWDATA0(sci_data_i[0]),
    .D_SCIWDATA1(sci_data_i[1]),
    .D_SCIWDATA2(sci_data_i[2]),
    .D_SCIWDATA3(sci_data_i[3]),
    .D_SCIWDATA4(sci_data_i[4]),
    .D_SCIWDATA5(sci_data_i[5]),
    .D_SCIWDATA6(sci_data_i[6]),
    .D_SCIWDATA7(sci_data_i[7]),
    .D_SCIENAUX(sci_common_i),
    .D_SCISELAUX(sci_common_i),
    .CH0_SCIEN(sci_channel_i),
    .CH0_SCISEL(sci_channel_i),
    .D_SCIRD(sci_read_i),
    .D_SCIWSTN(!sci_write_i),
    .D_CYAWSTN(1'b0),
    .CH0_HDOUTP(tx_p_o),
    .CH0_HDOUTN(tx_n_o),
    .CH0_FF_TX_PCLK(tx_pclk_o),
    .CH0_FF_TX_F_CLK(tx_full_clk_o),
    .CH0_FF_RX_PCLK(rx_pclk_o),
    .CH0_FF_RX_F_CLK(rx_full_clk_o),
    .CH0_FF_RX_D_0(rx_o[0]),
    .CH0_FF_RX_D_1(rx_o[1]),
    .CH0_FF_RX_D_2(rx_o[2]),
    .CH0_FF_RX_D_3(rx_o[3]),
    .CH0_FF_RX_D_4(rx_o[4]),
    .CH0_FF_RX_D_5(rx_o[5]),
    .CH0_FF_RX_D_6(rx_o[6]),
    .CH0_FF_RX_D_7(rx_o[7]),
    .CH0_FF_RX_D_8(rx_o[8]),
    .CH0_FF_RX_D_9(rx_o[9]),
    .CH0_FF_RX_D_10(rx_o[10]),
    .CH0_FF_RX_D_11(rx_o[11]),
    .CH0_FF_RX_D_12(rx_o[12]),
    .CH0_FF_RX_D_13(rx_o[13]),
    .CH0_FF_RX_D_14(rx_o[14]),
    .CH0_FF_RX_D_15(rx_o[15]),
    .CH0_FF_RX_D_16(rx_o[16]),
    .CH0_FF_RX_D_17(rx_o[17]),
    .CH0_FF_RX_D_18(rx_o[18]),
    .CH0_FF_RX_D_19(rx_o[19]),
    .CH0_FF_RX_D_20(rx_o[20]),
    .CH0_FF_RX_D_21(rx_o[21]),
    .CH0_FF_RX_D_22(rx_o[22]),
    .CH0_FF_RX_D_23(rx_o[23]),
    .CH0_FFS_PCIE_DONE(detect_done_o),
    .CH0_FFS_PCIE_CON(detect_present_o),
    .CH0_FFS_RLOS(rx_silent_o),
    .CH0_FFS_RLOL(cdr_unlocked_o),
    .CH0_FFS_LS_SYNC_STATUS(rx_synchronized_o),
    .D_FFS_PLOL(pll_unlocked_o),
    .CH0_FFS_CC_OVERRUN(overrun_o),
    .CH0_FFS_CC_UNDERRUN(underrun_o),
    .D_SCIRDATA0(sci_data_o[0]),
    .D_SCIRDATA1(sci_data_o[1]),
    .D_SCIRDATA2(sci_data_o[2]),
    .D_SCIRDATA3(sci_data_o[3]),
    .D_SCIRDATA4(sci_data_o[4]),
    .D_SCIRDATA5(sci_data_o[5]),
    .D_SCIRDATA6(sci_data_o[6]),
    .D_SCIRDATA7(sci_data_o[7])
  );

endmodule

`default_nettype wire
