// SPDX-License-Identifier: Apache-2.0
//
// Two links back to back: port 0 is the downstream port, port 1 the upstream one. Bit i, or the
// i-th part, of each signal is port i's; it has the signals of rf_link. Lane i goes from port i to
// the other one, word by word in the clock of port i, which is the received clock at its end.
//
// shift_i: the symbols of the lane begin in the upper half of a word there. cut_i: nothing is
// heard there. replace_i: word_i in place of what the port sends.

`default_nettype none

module rf_link_pair_tb (
  input  wire logic        down_clk_i,
  input  wire logic        up_clk_i,
  input  wire logic        rst_ni,

  // lanes
  input  wire logic [1:0]  shift_i,
  input  wire logic [1:0]  cut_i,
  input  wire logic [1:0]  replace_i,
  input  wire logic [17:0] word_i,
  output logic [35:0]      sent_o,           // by the ports: k, data
  output logic [1:0]       detect_o,
  input  wire logic [1:0]  detect_done_i,

  // TLPs
  input  wire logic [1:0]  tx_waits_i,
  input  wire logic [1:0]  tx_valid_i,
  output logic [1:0]       tx_ready_o,
  input  wire logic [1:0]  tx_last_i,
  input  wire logic [31:0] tx_data_i,
  input  wire logic [17:0] need_i,
  output logic [5:0]       admits_o,
  input  wire logic [5:0]  consume_i,
  output logic [1:0]       rx_valid_o,
  output logic [31:0]      rx_data_o,
  output logic [1:0]       rx_end_o,
  output logic [1:0]       rx_take_o,
  input  wire logic [3:0]  freed_i,
  input  wire logic [17:0] freed_data_i,

  output logic [1:0]       up_o,
  output logic [1:0]       active_o,
  output logic [9:0]       state_o,
  output logic [11:0]      errors_o
);

  logic [1:0]  idle;
  logic [39:0] heard;                        // word_t of each lane, at its end

  for (genvar i = 0; i < 2; i++) begin : gen_port
    logic own_clk, other_clk;

    assign own_clk   = i == 0 ? down_clk_i : up_clk_i;
    assign other_clk = i == 0 ? up_clk_i : down_clk_i;

    /* verilator lint_off PINCONNECTEMPTY */
    rf_link #(
      .Millisecond (8),
      .Downstream  (1 - i)
    ) u_link (
      .clk_i            (own_clk),
      .rst_ni           (rst_ni),
      .rx_clk_i         (other_clk),
      .rx_rst_ni        (rst_ni),
      .rx_word_i        (heard[20*(1-i)+:20]),
      .rx_idle_i        (idle[1-i] || cut_i[1-i]),
      .rx_invert_o      (),
      .tx_word_o        (sent_o[18*i+:18]),
      .tx_idle_o        (idle[i]),
      .detect_o         (detect_o[i]),
      .detect_done_i    (detect_done_i[i]),
      .detect_present_i (detect_done_i[i]),
      .tx_waits_i       (tx_waits_i[i]),
      .tx_valid_i       (tx_valid_i[i]),
      .tx_ready_o       (tx_ready_o[i]),
      .tx_last_i        (tx_last_i[i]),
      .tx_data_i        (tx_data_i[16*i+:16]),
      .need_i           (need_i[9*i+:9]),
      .admits_o         (admits_o[3*i+:3]),
      .consume_i        (consume_i[3*i+:3]),
      .rx_valid_o       (rx_valid_o[i]),
      .rx_data_o        (rx_data_o[16*i+:16]),
      .rx_end_o         (rx_end_o[i]),
      .rx_take_o        (rx_take_o[i]),
      .rx_refuse_i      (1'b0),
      .freed_i          (freed_i[2*i+:2]),
      .freed_data_i     (freed_data_i[9*i+:9]),
      .ask_l1_i         (1'b0),
      .ask_l23_i        (1'b0),
      .extended_synch_i (1'b0),
      .up_o             (up_o[i]),
      .active_o         (active_o[i]),
      .state_o          (state_o[5*i+:5]),
      .errors_o         (errors_o[6*i+:6])
    );
    /* verilator lint_on PINCONNECTEMPTY */

    // A symbol: bad, k, value
    logic [17:0] word;
    logic [9:0]  low, high, kept_q, first, second;

    assign word = replace_i[i] ? word_i : sent_o[18*i+:18];
    assign low  = {idle[i] || cut_i[i], word[16], word[7:0]};
    assign high = {idle[i] || cut_i[i], word[17], word[15:8]};

    always_ff @(posedge own_clk) kept_q <= high;

    assign {second, first} = shift_i[i] ? {low, kept_q} : {high, low};
    assign heard[20*i+:20] = {second[9], first[9], second[8], first[8], second[7:0], first[7:0]};
  end

endmodule

`default_nettype wire
