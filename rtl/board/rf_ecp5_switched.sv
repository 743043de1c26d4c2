// SPDX-License-Identifier: Apache-2.0
//
// Between the ECP5's SERDES and the link, where gearing and the SERDES' own clock compensation are
// switches of a running board. The link's clocks are half of the SERDES' full-rate ones, whatever
// gear_i says; its words cross to the clock that the SERDES has then. With ctc_i received words
// have the transmitter's rate. Two clocks of the receiver come from LUTs: the switches may change
// while the transmitter is not ready alone. nextpnr cannot route the SERDES' own half-rate receive
// clock to a LUT, so it is a flip-flop here, too: the SERDES' FIFO takes any phase.
//
// tx_ready_i, rx_ready_i: of any clock. flowing_o, of rx_clk_o: received words come.

`default_nettype none

module rf_ecp5_switched (
  input  wire logic        gear_i,
  input  wire logic        ctc_i,
  input  wire logic        tx_ready_i,
  input  wire logic        rx_ready_i,

  input  wire logic        tx_full_clk_i,     // 250 MHz
  input  wire logic        tx_pclk_i,         // 125 MHz with gear_i, else 250 MHz
  output logic [23:0]      cell_tx_o,
  input  wire logic        rx_full_clk_i,
  output logic             cell_rx_clk_o,     // of cell_rx_i
  input  wire logic [17:0] cell_rx_i,

  output logic             clk_o,             // 125 MHz
  input  wire logic        rst_ni,
  input  wire logic [23:0] tx_i,
  output logic             rx_clk_o,
  output logic             flowing_o,
  output logic [17:0]      rx_o
);

  logic tx_half_q, rx_half_q, rx_source_clk, cell_tx_rst_n, cell_rx_rst_n, rx_rst_n;

  always_ff @(posedge tx_full_clk_i) tx_half_q <= !tx_half_q;
  always_ff @(posedge rx_source_clk) rx_half_q <= !rx_half_q;

  assign clk_o         = tx_half_q;
  assign rx_source_clk = ctc_i ? tx_full_clk_i : rx_full_clk_i;
  assign rx_clk_o      = rx_half_q;
  assign cell_rx_clk_o = gear_i ? rx_half_q : rx_source_clk;

  rf_reset u_cell_tx_reset (.clk_i(tx_pclk_i), .arst_ni(tx_ready_i), .rst_no(cell_tx_rst_n));
  rf_reset u_cell_rx_reset (.clk_i(cell_rx_clk_o), .arst_ni(rx_ready_i), .rst_no(cell_rx_rst_n));
  rf_reset u_rx_reset (.clk_i(rx_clk_o), .arst_ni(rx_ready_i), .rst_no(rx_rst_n));

  rf_ecp5_phase_send u_send (
    .clk_i       (clk_o),
    .rst_ni      (rst_ni),
    .word_i      (tx_i),
    .cell_clk_i  (tx_pclk_i),
    .cell_rst_ni (cell_tx_rst_n),
    .geared_i    (gear_i),
    .cell_o      (cell_tx_o)
  );

  rf_ecp5_phase_receive u_receive (
    .cell_clk_i  (cell_rx_clk_o),
    .cell_rst_ni (cell_rx_rst_n),
    .geared_i    (gear_i),
    .cell_i      (cell_rx_i),
    .clk_i       (rx_clk_o),
    .rst_ni      (rx_rst_n),
    .valid_o     (flowing_o),
    .word_o      (rx_o)
  );

endmodule

`default_nettype wire
