// SPDX-License-Identifier: Apache-2.0
//
// rf_link_data on rf_link_physical: a link from the SERDES to TLPs.

`default_nettype none

module rf_link_data_tb (
  input  wire logic               clk_i,
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
  output logic [4:0]              state_o,
  output logic                    active_o,
  input  wire logic               tx_valid_i,
  output logic                    tx_ready_o,
  input  wire logic               tx_last_i,
  input  wire logic [15:0]        tx_data_i,
  input  wire logic [8:0]         need_i,
  output logic [2:0]              admits_o,
  input  wire logic [2:0]         consume_i,
  output logic                    rx_valid_o,
  output logic [15:0]             rx_data_o,
  output logic                    rx_end_o,
  output logic                    rx_take_o,
  input  wire logic [1:0]         freed_i,
  input  wire logic [8:0]         freed_data_i,
  output logic                    bad_tlp_o,
  output logic                    bad_dllp_o,
  output logic                    timeout_o,
  output logic                    rollover_o,
  output logic                    protocol_error_o
);

  logic                      received_valid, packet_ready, packet_valid, packet_last;
  logic                      retrain, link_up, training, unused_overflow, unused_granted;
  logic [17:0]               packet_word;
  rf_link_pkg::word_t        received;
  rf_link_pkg::ltssm_state_e state;

  assign state_o  = state;
  assign training = link_up && state != rf_link_pkg::L0;

  rf_link_physical #(
    .Millisecond (20)
  ) u_physical (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .rx_clk_i         (rx_clk_i),
    .rx_rst_ni        (rx_rst_ni),
    .rx_word_i        (rx_word_i),
    .rx_idle_i        (rx_idle_i),
    .rx_invert_o      (rx_invert_o),
    .tx_word_o        (tx_word_o),
    .tx_idle_o        (tx_idle_o),
    .detect_o         (detect_o),
    .detect_done_i    (detect_done_i),
    .detect_present_i (detect_done_i),
    .received_valid_o (received_valid),
    .received_o       (received),
    .packet_ready_o   (packet_ready),
    .packet_valid_i   (packet_valid),
    .packet_last_i    (packet_last),
    .packet_word_i    (packet_word),
    .retrain_i        (retrain),
    .enter_l1_i       (1'b0),
    .enter_l2_i       (1'b0),
    .link_up_o        (link_up),
    .state_o          (state),
    .overflow_o       (unused_overflow)
  );

  rf_link_data u_data (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .link_up_i        (link_up),
    .training_i       (training),
    .retrain_o        (retrain),
    .received_valid_i (received_valid),
    .received_i       (received),
    .packet_ready_i   (packet_ready),
    .packet_valid_o   (packet_valid),
    .packet_last_o    (packet_last),
    .packet_word_o    (packet_word),
    .active_o         (active_o),
    .tx_valid_i       (tx_valid_i),
    .tx_ready_o       (tx_ready_o),
    .tx_last_i        (tx_last_i),
    .tx_data_i        (tx_data_i),
    .need_i           (need_i),
    .admits_o         (admits_o),
    .consume_i        (consume_i),
    .rx_valid_o       (rx_valid_o),
    .rx_data_o        (rx_data_o),
    .rx_end_o         (rx_end_o),
    .rx_take_o        (rx_take_o),
    .freed_i          (freed_i),
    .freed_data_i     (freed_data_i),
    .enter_l1_i       (1'b0),
    .enter_l23_i      (1'b0),
    .power_granted_o  (unused_granted),
    .bad_tlp_o        (bad_tlp_o),
    .bad_dllp_o       (bad_dllp_o),
    .timeout_o        (timeout_o),
    .rollover_o       (rollover_o),
    .protocol_error_o (protocol_error_o)
  );

  logic unused;
  assign unused = &{1'b0, unused_overflow, unused_granted};

endmodule

`default_nettype wire
