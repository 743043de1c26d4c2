// SPDX-License-Identifier: Apache-2.0
//
// A model of the ECP5's SERDES for simulations: what FPGA-TN-02206 says of the parts
// that rf_ecp5_serdes uses. It has not been compared with a board. Its lane has a symbol in each
// cycle of 250 MHz, no bits. A symbol is {cannot be decoded, K, eight bits}.
//
// tx_clk_i is the transmit PLL's clock and line_clk_i the partner's, both as if they always ran; the
// late ones are the same clocks as they come to the fabric on other ways. The eight words that
// depend on Gear and Ctc are in registers, which the SCI reads and writes, and which a reset of
// everything undoes if forgets_i is high. The clock of transmitted words stands if a gear of the
// registers is not that of the pins, or not that of the clock: nothing is known of such words. A
// receive PCS that is out of reset without a locked CDR swaps symbols until its next reset (FAQ
// 697). The bits of received words that rf_ecp5_serdes does not use are random.

`default_nettype none

module rf_dcua_model #(
  parameter bit         TxGear = 1'b0,
  parameter bit         RxGear = 1'b0,
  parameter bit         TxHalf = 1'b0,
  parameter bit         TxFullOff = 1'b0,
  parameter bit         RxHalf = 1'b0,
  parameter bit         RxFullOff = 1'b0,
  parameter bit         Recovered = 1'b0,
  parameter bit         CtcBypass = 1'b0,
  parameter logic [3:0] LowMark = 4'd0,
  parameter logic [3:0] HighMark = 4'd0
) (
  // the lane
  input  wire logic        tx_clk_i,
  input  wire logic        tx_late_clk_i,
  output logic [11:0]      tx_symbol_o,    // as on the bus
  output logic             tx_idle_o,      // by the bit or by the pin
  output logic             tx_slipped_o,   // words did not come at the rate of the lane
  input  wire logic        line_clk_i,
  input  wire logic        line_late_clk_i,
  input  wire logic [9:0]  line_symbol_i,
  input  wire logic        line_signal_i,
  input  wire logic        line_swapped_i, // its two wires
  input  wire logic        receiver_i,     // a receiver is present
  input  wire logic        answers_i,      // detection ends
  input  wire logic        forgets_i,

  // the cell
  input  wire logic        refclk_i,
  input  wire logic        rxi_clk_i,
  input  wire logic        txi_clk_i,
  input  wire logic        ebrd_clk_i,
  input  wire logic [23:0] tx_i,
  input  wire logic        idle_pin_i,
  input  wire logic        detect_enable_i,
  input  wire logic        detect_strobe_i,
  input  wire logic        invert_i,
  input  wire logic [1:0]  gear_pins_i,    // receiver, transmitter
  input  wire logic        tx_pcs_rst_i,
  input  wire logic        rx_pcs_rst_i,
  input  wire logic        cdr_rst_i,
  input  wire logic        macro_rst_i,
  input  wire logic        pll_rst_i,
  output logic             tx_pclk_o,
  output logic             tx_full_clk_o,
  output logic             rx_pclk_o,
  output logic             rx_full_clk_o,
  output logic [23:0]      rx_o,
  output logic             done_o,
  output logic             present_o,
  output logic             silent_o,
  output logic             cdr_unlocked_o,
  output logic             synchronized_o,
  output logic             pll_unlocked_o,
  output logic             overrun_o,
  output logic             underrun_o,

  // SCI
  input  wire logic [5:0]  sci_address_i,
  input  wire logic [7:0]  sci_data_i,
  input  wire logic        sci_channel_i,
  input  wire logic        sci_common_i,
  input  wire logic        sci_read_i,
  input  wire logic        sci_write_ni,
  output logic [7:0]       sci_data_o
);

  localparam logic [9:0] Error = 10'h1ee;
  localparam logic [8:0] Com = 9'h1bc;
  localparam logic [8:0] Skp = 9'h11c;

  // --- registers of the SCI -------------------------------------------------------------
  logic [7:0] channel_q [64];
  logic [7:0] common_q [64];
  logic       tx_gear, rx_gear, ctc_bypass, recovered, rx_half, rx_full_off, tx_half, tx_full_off;

  localparam logic [7:0] Gears = {4'd0, RxGear, TxGear, 2'd0};
  localparam logic [7:0] Compensation = {3'd0, CtcBypass, 4'd0};
  localparam logic [7:0] Clocks = {3'd0, TxFullOff, TxHalf, RxFullOff, RxHalf, Recovered};

  initial begin
    for (int i = 0; i < 64; i++) begin
      channel_q[i] = 8'd0;
      common_q[i]  = 8'd0;
    end
    channel_q[6'h02] = Gears;
    channel_q[6'h04] = Compensation;
    channel_q[6'h1f] = Clocks;
  end

  logic forget;
  assign forget = macro_rst_i && forgets_i;

  always @(posedge sci_write_ni or posedge forget) begin
    if (forget) begin
      channel_q[6'h02] <= Gears;
      channel_q[6'h04] <= Compensation;
      channel_q[6'h1f] <= Clocks;
    end else begin
      if (sci_channel_i) channel_q[sci_address_i] <= sci_data_i;
      if (sci_common_i) common_q[sci_address_i] <= sci_data_i;
    end
  end

  always_comb begin
    sci_data_o = '0;
    if (sci_read_i && sci_channel_i) sci_data_o = channel_q[sci_address_i];
    if (sci_read_i && sci_common_i) sci_data_o = common_q[sci_address_i];
  end

  assign tx_gear    = channel_q[6'h02][2] && gear_pins_i[0];
  assign rx_gear    = channel_q[6'h02][3] && gear_pins_i[1];
  assign ctc_bypass = channel_q[6'h04][4];
  assign {tx_full_off, tx_half, rx_full_off, rx_half, recovered} = channel_q[6'h1f][4:0];

  // --- clocks ---------------------------------------------------------------------------
  logic       tx_half_q, rx_half_q, known, reference_q, reference_seen_q;
  logic [4:0] reference_count_q, age_q;
  logic [5:0] lock_q;

  always @(posedge tx_late_clk_i) tx_half_q <= pll_rst_i ? 1'b0 : !tx_half_q;
  always @(posedge line_late_clk_i) rx_half_q <= cdr_rst_i ? 1'b0 : !rx_half_q;
  assign known         = gear_pins_i == {channel_q[6'h02][3], channel_q[6'h02][2]} &&
                         tx_half == gear_pins_i[0];
  assign tx_full_clk_o = tx_clk_i && !tx_full_off && !pll_rst_i;
  assign tx_pclk_o     = known && (tx_half ? tx_half_q : tx_late_clk_i && !tx_full_off && !pll_rst_i);
  assign rx_full_clk_o = line_late_clk_i && !rx_full_off && !cdr_rst_i;
  assign rx_pclk_o     = rx_half ? rx_half_q : rx_full_clk_o;

  // The PLL has locked after 20 cycles of the reference, and notices soon when it stops.
  always @(posedge refclk_i or posedge pll_rst_i) begin
    if (pll_rst_i) reference_count_q <= '0;
    else if (reference_count_q != 5'd20) reference_count_q <= reference_count_q + 5'd1;
  end
  always @(posedge refclk_i) reference_q <= !reference_q;
  always @(posedge tx_clk_i) begin
    reference_seen_q <= reference_q;
    age_q <= reference_seen_q != reference_q ? 5'd0 : age_q + 5'(age_q != '1);
  end
  assign pll_unlocked_o = reference_count_q != 5'd20 || age_q == '1;

  // So has the CDR after 40 symbols.
  always @(posedge line_clk_i or posedge cdr_rst_i) begin
    if (cdr_rst_i) lock_q <= '0;
    else lock_q <= !line_signal_i ? 6'd0 : lock_q + 6'(lock_q != 6'd40);
  end
  assign silent_o       = !line_signal_i || cdr_rst_i;
  assign cdr_unlocked_o = lock_q != 6'd40;

  // --- transmitter: a FIFO from the fabric's clock to the lane's -----------------------------
  logic [11:0] sent_q [16];
  logic [4:0]  sent_write_q, sent_read_q, sent_fill;
  logic        sending_q;
  assign sent_fill = sent_write_q - sent_read_q;
  assign tx_idle_o = idle_pin_i || tx_symbol_o[11];

  always @(posedge txi_clk_i or posedge tx_pcs_rst_i) begin
    if (tx_pcs_rst_i) begin
      sent_write_q <= '0;
    end else begin
      sent_q[sent_write_q[3:0]] <= tx_i[11:0];
      if (tx_gear) sent_q[sent_write_q[3:0] + 4'd1] <= tx_i[23:12];
      sent_write_q <= sent_write_q + (tx_gear ? 5'd2 : 5'd1);
    end
  end

  always @(posedge tx_clk_i or posedge tx_pcs_rst_i) begin
    if (tx_pcs_rst_i) begin
      sent_read_q  <= '0;
      sending_q    <= 1'b0;
      tx_symbol_o  <= 12'h800;
      tx_slipped_o <= 1'b0;
    end else begin
      sending_q <= sending_q || sent_fill >= 5'd4;
      if (sending_q) begin
        tx_symbol_o <= sent_q[sent_read_q[3:0]];
        sent_read_q <= sent_read_q + 5'd1;
        if (sent_fill == '0 || sent_fill > 5'd14) tx_slipped_o <= 1'b1;
      end
    end
  end

  // --- receiver: symbols, an elastic FIFO with clock compensation, one to the fabric's clock ----
  logic        rx_rst, aligned_q, shuffled_q;
  logic [8:0]  late_q [4];             // what comes into the elastic FIFO: [0] first
  logic [2:0]  drop_q;
  logic [8:0]  elastic_q [32];
  logic [5:0]  elastic_write_q, elastic_read_q, elastic_fill;
  logic        elastic_clk, compensating_q;
  logic [2:0]  repeat_q;
  logic [8:0]  symbol_q;
  logic        symbol_valid_q;
  logic [8:0]  word_q [16];
  logic [4:0]  word_write_q, word_read_q, word_fill;
  logic        receiving_q;
  logic [15:0] random_q;
  logic [8:0]  decoded;

  assign rx_rst         = rx_pcs_rst_i || cdr_rst_i;
  assign synchronized_o = aligned_q;

  // The complement of a symbol is itself or, if it has as many ones as zeros, another one: of the
  // symbols that tell swapped wires, D10.2 and D5.2, the one with all eight bits inverted.
  always_comb begin
    decoded = line_symbol_i[8:0];
    if ((line_swapped_i ^ invert_i) && !decoded[8]) decoded[7:0] = ~decoded[7:0];
    if (line_symbol_i[9] || cdr_unlocked_o || (!aligned_q && decoded != Com)) decoded = Error[8:0];
  end

  function automatic logic is_set(input logic [8:0] a, input logic [8:0] b,
                                  input logic [8:0] c, input logic [8:0] d);
    return a == Com && b == Skp && c == Skp && d == Skp;
  endfunction

  assign elastic_fill = elastic_write_q - elastic_read_q;

  always @(posedge line_clk_i or posedge rx_rst) begin
    if (rx_rst) begin
      aligned_q       <= 1'b0;
      shuffled_q      <= 1'b0;
      drop_q          <= '0;
      elastic_write_q <= '0;
      for (int i = 0; i < 4; i++) late_q[i] <= Error[8:0];
    end else begin
      if (line_symbol_i == {1'b0, Com}) aligned_q <= 1'b1;
      if (cdr_unlocked_o) shuffled_q <= 1'b1;
      for (int i = 0; i < 3; i++) late_q[i] <= late_q[i+1];
      late_q[3] <= decoded;
      if (drop_q != '0) begin
        drop_q <= drop_q - 3'd1;
      end else if (!ctc_bypass && elastic_fill > 6'(HighMark) &&
                   is_set(late_q[0], late_q[1], late_q[2], late_q[3])) begin
        drop_q <= 3'd3;
      end else begin
        elastic_q[elastic_write_q[4:0]] <= late_q[0];
        elastic_write_q <= elastic_write_q + 6'd1;
      end
    end
  end

  assign elastic_clk = recovered ? line_clk_i : ebrd_clk_i;

  always @(posedge elastic_clk or posedge rx_rst) begin
    if (rx_rst) begin
      elastic_read_q <= '0;
      compensating_q <= 1'b0;
      repeat_q        <= '0;
      symbol_valid_q <= 1'b0;
      overrun_o      <= 1'b0;
      underrun_o     <= 1'b0;
    end else begin
      compensating_q <= compensating_q || elastic_fill >= 6'd8;
      symbol_valid_q <= compensating_q;
      if (compensating_q) begin
        symbol_q       <= elastic_q[elastic_read_q[4:0]];
        elastic_read_q <= elastic_read_q + 6'd1;
        if (repeat_q != '0) repeat_q <= repeat_q - 3'd1;
        // A set is sent once more: the last of its symbols leads back to the first.
        if (repeat_q == 3'd5) elastic_read_q <= elastic_read_q - 6'd3;
        if (repeat_q == '0 && !ctc_bypass && elastic_fill >= 6'd4 &&
            elastic_fill < 6'(LowMark) + 6'd4 &&
            is_set(elastic_q[elastic_read_q[4:0]], elastic_q[elastic_read_q[4:0] + 5'd1],
                   elastic_q[elastic_read_q[4:0] + 5'd2], elastic_q[elastic_read_q[4:0] + 5'd3]))
          repeat_q <= 3'd7;
        if (elastic_fill > 6'd16) overrun_o <= 1'b1;
        if (elastic_fill == '0) underrun_o <= 1'b1;
      end
    end
  end

  assign word_fill = word_write_q - word_read_q;

  always @(posedge elastic_clk or posedge rx_rst) begin
    if (rx_rst) begin
      word_write_q <= '0;
    end else if (symbol_valid_q) begin
      word_q[word_write_q[3:0]] <= symbol_q;
      word_write_q <= word_write_q + 5'd1;
    end
  end

  always @(posedge rxi_clk_i or posedge rx_rst) begin
    if (rx_rst) begin
      word_read_q <= '0;
      receiving_q <= 1'b0;
      rx_o        <= '0;
      random_q    <= 16'h1;
    end else begin
      random_q    <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
      receiving_q <= receiving_q || word_fill >= 5'd4;
      if (receiving_q) begin
        rx_o <= {random_q[5:3], word_q[word_read_q[3:0] + 4'(rx_gear && !shuffled_q)],
                 random_q[2:0], word_q[word_read_q[3:0] + 4'(rx_gear && shuffled_q)]};
        word_read_q <= word_read_q + (rx_gear ? 5'd2 : 5'd1);
      end
    end
  end

  // --- receiver detection -----------------------------------------------------------------
  logic       strobe_q;
  logic [9:0] detect_q;

  always @(posedge tx_clk_i or posedge macro_rst_i) begin
    if (macro_rst_i) begin
      strobe_q  <= 1'b0;
      detect_q  <= '0;
      done_o    <= 1'b0;
      present_o <= 1'b0;
    end else begin
      strobe_q <= detect_strobe_i;
      if (detect_strobe_i && !strobe_q && detect_enable_i && tx_idle_o && answers_i)
        detect_q <= 10'd1;
      else if (detect_q != '0) detect_q <= detect_q + 10'd1;
      if (detect_q == 10'd8) {done_o, present_o} <= {1'b0, !receiver_i};
      if (detect_q == '1) {done_o, present_o} <= {1'b1, receiver_i};
    end
  end

endmodule

`default_nettype wire
