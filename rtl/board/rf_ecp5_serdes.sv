// SPDX-License-Identifier: Apache-2.0
//
// One lane of PCIe at 2.5 GT/s in the ECP5's SERDES (DCU 0, channel 0), for rf_link_endpoint: the
// cell with its words, its reset sequence, receiver detection, and what the cell's signals mean.
// Nothing of it has run on a board.
//
// Received words have the recovered clock, rx_clk_o; with Ctc, the cell's own clock compensation,
// that of the transmitter. Without Gear the cell gives one symbol a cycle of 250 MHz; flip-flops
// make words and their clocks. With Switches both are settings, which act from a reset on. A symbol
// that could not be decoded comes as K with 0xee. Electrical idle is sent by a bit beside each
// symbol and, when that has gone out, by a pin as well. settings_i, of board_clk_i: a receiver is
// present; idle not by the bit; not by the pin; hold in reset; gear; compensate. status_o, of any
// clock: transmitter's and receiver's readiness, the step of the reset sequence, then of the cell:
// PLL, CDR unlocked, no signal, synchronized, compensation failed.

`default_nettype none

module rf_ecp5_serdes #(
  parameter bit Clarity = 1'b0,
  parameter bit Ctc = 1'b0,
  parameter bit Gear = 1'b1,
  parameter bit Switches = 1'b0
) (
  input  wire logic        refclk_p_i,           // 100 MHz of the slot
  input  wire logic        refclk_n_i,
  input  wire logic        rx_p_i,
  input  wire logic        rx_n_i,
  output logic             tx_p_o,
  output logic             tx_n_o,

  input  wire logic        board_clk_i,          // runs without the slot
  input  wire logic        board_rst_ni,
  input  wire logic        perst_ni,             // of any clock
  input  wire logic        restart_i,            // of board_clk_i, as are the four events
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

  output logic             clk_o,                // 125 MHz, of the link
  output logic             rst_no,
  output logic             rx_clk_o,
  output logic             rx_rst_no,
  output logic [19:0]      rx_word_o,            // rf_link_pkg::word_t
  output logic             rx_idle_o,            // of any clock
  input  wire logic        rx_invert_i,
  input  wire logic [17:0] tx_word_i,
  input  wire logic        tx_idle_i,
  input  wire logic        detect_i,
  output logic             detect_done_o,
  output logic             detect_present_o
);

  logic present, idle_not_bit, idle_not_pin, hold;
  assign {hold, idle_not_pin, idle_not_bit, present} = settings_i[3:0];

  // --- the cell -----------------------------------------------------------------------
  logic        refclk, tx_pclk, tx_full_clk, rx_pclk, rx_full_clk, cell_rx_clk;
  logic [23:0] tx_bus, rx_bus, cell_tx, cell_rx;
  logic        tx_idle_pin, detect_enable, detect_strobe, cell_done, cell_present;
  logic        reset_all, reset_pll, reset_tx_pcs, reset_cdr, reset_rx_pcs;
  logic        silent, cdr_unlocked, synchronized, pll_unlocked, overrun, underrun;
  logic        gear_q, ctc_q, tx_ready, rx_ready, flowing;

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

  rf_ecp5_dcu #(
    .Clarity  (Clarity),
    .Ctc      (Ctc),
    .Gear     (Gear),
    .Switches (Switches)
  ) u_dcu (
    .rx_p_i             (rx_p_i),
    .rx_n_i             (rx_n_i),
    .refclk_i           (refclk),
    .rx_clk_i           (cell_rx_clk),
    .tx_clk_i           (tx_pclk),
    .compensation_clk_i (Switches || Ctc ? tx_full_clk : rx_pclk),
    .gear_i             (Switches ? gear_q : Gear),
    .tx_i               (cell_tx),
    .tx_idle_i          (tx_idle_pin),
    .detect_enable_i    (detect_enable),
    .detect_strobe_i    (detect_strobe),
    .rx_invert_i        (rx_invert_i),
    .reset_tx_pcs_i     (reset_tx_pcs),
    .reset_rx_pcs_i     (reset_rx_pcs),
    .reset_cdr_i        (reset_cdr),
    .reset_all_i        (reset_all),
    .reset_pll_i        (reset_pll),
    .sci_address_i      (sci_address_i),
    .sci_data_i         (sci_data_i),
    .sci_common_i       (sci_common_i),
    .sci_channel_i      (sci_channel_i),
    .sci_read_i         (sci_read_i),
    .sci_write_i        (sci_write_i),
    .tx_p_o             (tx_p_o),
    .tx_n_o             (tx_n_o),
    .tx_pclk_o          (tx_pclk),
    .tx_full_clk_o      (tx_full_clk),
    .rx_pclk_o          (rx_pclk),
    .rx_full_clk_o      (rx_full_clk),
    .rx_o               (cell_rx),
    .detect_done_o      (cell_done),
    .detect_present_o   (cell_present),
    .rx_silent_o        (silent),
    .cdr_unlocked_o     (cdr_unlocked),
    .rx_synchronized_o  (synchronized),
    .pll_unlocked_o     (pll_unlocked),
    .overrun_o          (overrun),
    .underrun_o         (underrun),
    .sci_data_o         (sci_data_o)
  );

  if (Switches) begin : gen_switches
    assign rx_bus[23:21] = '0;
    assign rx_bus[11:9]  = '0;
    rf_ecp5_switched u_switched (
      .gear_i        (gear_q),
      .ctc_i         (ctc_q),
      .tx_ready_i    (tx_ready),
      .rx_ready_i    (rx_ready),
      .tx_full_clk_i (tx_full_clk),
      .tx_pclk_i     (tx_pclk),
      .cell_tx_o     (cell_tx),
      .rx_full_clk_i (rx_full_clk),
      .cell_rx_clk_o (cell_rx_clk),
      .cell_rx_i     ({cell_rx[20:12], cell_rx[8:0]}),
      .clk_o         (clk_o),
      .rst_ni        (rst_no),
      .tx_i          (tx_bus),
      .rx_clk_o      (rx_clk_o),
      .flowing_o     (flowing),
      .rx_o          ({rx_bus[20:12], rx_bus[8:0]})
    );
  end else begin : gen_wired
    assign cell_rx_clk = Ctc ? tx_pclk : rx_pclk;
    assign flowing     = rx_ready;
    if (Gear) begin : gen_cell_gears
      assign clk_o    = tx_pclk;
      assign rx_clk_o = cell_rx_clk;
      assign cell_tx  = tx_bus;
      assign rx_bus   = cell_rx;
    end else begin : gen_gears
      assign cell_tx[23:12] = '0;
      rf_ecp5_gear_send u_send (
        .clk_i      (tx_pclk),
        .half_clk_o (clk_o),
        .word_i     (tx_bus),
        .symbol_o   (cell_tx[11:0])
      );
      rf_ecp5_gear_receive u_receive (
        .clk_i      (cell_rx_clk),
        .symbol_i   (cell_rx[11:0]),
        .half_clk_o (rx_clk_o),
        .word_o     (rx_bus)
      );
    end
  end

  // --- resets -------------------------------------------------------------------------
  logic [2:0] step;
  logic       sequence_rst_n, hold_q, hold_begins, bad_word, detect_failed;

  // With Switches, hold begins with a reset of everything and stays behind it: whatever that
  // reset does to the cell's registers, those that are written while it holds are there after it.
  assign hold_begins = Switches ? hold && !hold_q : hold;

  always_ff @(posedge board_clk_i or negedge board_rst_ni) begin
    if (!board_rst_ni) begin
      hold_q <= 1'b0;
      gear_q <= Gear;
      ctc_q  <= Ctc;
    end else begin
      hold_q <= hold;
      if (reset_tx_pcs) {ctc_q, gear_q} <= settings_i[5:4];
    end
  end

  rf_reset u_sequence_reset (
    .clk_i   (board_clk_i),
    .arst_ni (board_rst_ni && perst_ni),
    .rst_no  (sequence_rst_n)
  );

  rf_ecp5_reset u_reset (
    .clk_i          (board_clk_i),
    .rst_ni         (sequence_rst_n),
    .restart_i      (restart_i || hold_begins),
    .hold_i         (Switches && hold),
    .pll_unlocked_i (pll_unlocked),
    .cdr_unlocked_i (cdr_unlocked),
    .rx_silent_i    (silent),
    .code_error_i   (code_error_o),
    .reset_all_o    (reset_all),
    .reset_pll_o    (reset_pll),
    .reset_tx_pcs_o (reset_tx_pcs),
    .reset_cdr_o    (reset_cdr),
    .reset_rx_pcs_o (reset_rx_pcs),
    .tx_ready_o     (tx_ready),
    .rx_ready_o     (rx_ready),
    .step_o         (step),
    .pll_lost_o     (pll_lost_o),
    .cdr_lost_o     (cdr_lost_o)
  );

  rf_reset u_link_reset (.clk_i(clk_o), .arst_ni(tx_ready), .rst_no(rst_no));
  rf_reset u_rx_reset (.clk_i(rx_clk_o), .arst_ni(tx_ready), .rst_no(rx_rst_no));

  assign status_o = {overrun || underrun, synchronized, silent, cdr_unlocked, pll_unlocked, step,
                     rx_ready, tx_ready};

  // --- receive ------------------------------------------------------------------------
  // Both stages are words of the cell; none is good before the receiver is ready.
  logic [17:0] rx_word_q;
  logic [1:0]  rx_ready_q, bad;

  for (genvar i = 0; i < 2; i++) begin : gen_bad
    assign bad[i] = !rx_ready_q[1] || (rx_word_q[16+i] && rx_word_q[8*i +: 8] == 8'hee);
  end

  always_ff @(posedge rx_clk_o or negedge rx_rst_no) begin
    if (!rx_rst_no) begin
      rx_ready_q <= '0;
      rx_word_q  <= '0;
      rx_word_o  <= {2'b11, 18'd0};
      bad_word   <= 1'b0;
    end else begin
      rx_ready_q <= {rx_ready_q[0], flowing};
      rx_word_q  <= {rx_bus[20], rx_bus[8], rx_bus[19:12], rx_bus[7:0]};
      rx_word_o  <= {bad, rx_word_q};
      bad_word   <= bad != '0 && rx_ready_q[1];
    end
  end

  // The synchronizer of the sequence's check
  rf_event u_code_error (
    .from_clk_i  (rx_clk_o),
    .from_rst_ni (rx_rst_no),
    .event_i     (bad_word),
    .to_clk_i    (board_clk_i),
    .to_rst_ni   (board_rst_ni),
    .event_o     (code_error_o)
  );

  assign rx_idle_o = silent;

  // --- transmit -----------------------------------------------------------------------
  localparam int IdleBits = Switches ? 5 : 4;   // more words are on their way
  logic [IdleBits-1:0] idle_q;

  always_ff @(posedge clk_o or negedge rst_no) begin
    if (!rst_no) begin
      idle_q      <= '0;
      tx_idle_pin <= 1'b1;
    end else begin
      // The pin acts at once: only when sixteen idle words, or 32, have gone to the cell
      idle_q      <= tx_idle_i ? idle_q + IdleBits'(idle_q != '1) : '0;
      tx_idle_pin <= tx_idle_i && idle_q == '1 && !idle_not_pin;
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_symbol
    assign tx_bus[12*i +: 12] = {tx_idle_i && !idle_not_bit, 2'b00, tx_word_i[16+i],
                                 tx_word_i[8*i +: 8]};
  end

  rf_ecp5_detect #(.IdleCycles(Switches ? 48 : 32)) u_detect (
    .clk_i          (clk_o),
    .rst_ni         (rst_no),
    .present_i      (present),
    .detect_i       (detect_i),
    .tx_idle_i      (tx_idle_i),
    .done_o         (detect_done_o),
    .present_o      (detect_present_o),
    .failed_o       (detect_failed),
    .enable_o       (detect_enable),
    .strobe_o       (detect_strobe),
    .cell_done_i    (cell_done),
    .cell_present_i (cell_present)
  );

  rf_event u_detect_failed (
    .from_clk_i  (clk_o),
    .from_rst_ni (rst_no),
    .event_i     (detect_failed),
    .to_clk_i    (board_clk_i),
    .to_rst_ni   (board_rst_ni),
    .event_o     (detect_failed_o)
  );

  logic unused;
  assign unused = &{1'b0, rx_bus[23:21], rx_bus[11:9], cell_rx, tx_full_clk, rx_full_clk,
                    settings_i[5:4], gear_q, ctc_q, hold_q};

endmodule

`default_nettype wire
