// SPDX-License-Identifier: Apache-2.0
//
// The data link layer of the endpoint (PCI Express Base Specification, chapter 3, and credits of
// 2.6), between rf_link_physical and TLPs as words of two bytes, the first byte in bits 7:0.
//
//   received_* > rf_link_deframe > rx_*
//                     | > rf_link_ack ----> Ack, Nak --+
//                     | > rf_link_dllp <---------------+--> rf_link_frame > packet_*
//   freed_*, admits_o <-> rf_link_credit                        ^
//   tx_* > rf_link_replay --------------------------------------+
//
// tx: a TLP enters only if admits_o has its class, with consume_i two cycles before its first word
// at the earliest; need_i is its payload in units of 16 bytes. What has entered is sent, in order.
// rx: words, and rx_end_o with the last one; without rx_take_o all words since the end before are
// void. rx_end_o may come without a word, then without rx_take_o. Words are never held up: credits
// are what the buffer behind has room for; freed_i gives them back. With rx_refuse_i the TLP that
// ends is not taken, and comes again: for completions, whose credits are infinite.

`default_nettype none

module rf_link_data (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  // physical layer
  input  wire logic               link_up_i,
  input  wire logic               training_i,        // Recovery or Configuration
  output logic                    retrain_o,
  input  wire logic               received_valid_i,
  input  wire rf_link_pkg::word_t received_i,
  output logic                    received_packet_o, // one with a right CRC
  input  wire logic               packet_ready_i,
  output logic                    packet_valid_o,
  output logic                    packet_last_o,
  output logic [17:0]             packet_word_o,
  output logic                    packet_busy_o,     // one is chosen or under way

  // transaction layer
  output logic                    up_o,              // DL_Up: TLPs may come
  output logic                    active_o,          // DL_Active
  input  wire logic               tx_valid_i,
  output logic                    tx_ready_o,
  input  wire logic               tx_last_i,
  input  wire logic [15:0]        tx_data_i,
  input  wire logic [8:0]         need_i,
  output logic [2:0]              admits_o,          // completion, non-posted, posted
  input  wire logic [2:0]         consume_i,
  output logic                    rx_valid_o,
  output logic [15:0]             rx_data_o,
  output logic                    rx_end_o,
  output logic                    rx_take_o,
  input  wire logic               rx_refuse_i,
  input  wire logic [1:0]         freed_i,           // non-posted, posted
  input  wire logic [8:0]         freed_data_i,

  // power management: PM_Enter_L1 or PM_Enter_L23 until PM_Request_Ack
  input  wire logic               enter_l1_i,
  input  wire logic               enter_l23_i,
  input  wire logic               quiet_i,           // no DLLP
  output logic                    power_granted_o,
  output logic                    tx_idle_o,         // all that entered is acknowledged

  output      rf_link_pkg::errors_t errors_o
);

  logic        tlp_good, tlp_nullified, tlp_broken, dllp_in_valid;
  logic [11:0] tlp_sequence;
  logic [31:0] dllp_in;

  rf_link_deframe u_deframe (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .link_up_i       (link_up_i),
    .valid_i         (received_valid_i),
    .word_i          (received_i),
    .tlp_valid_o     (rx_valid_o),
    .tlp_data_o      (rx_data_o),
    .tlp_end_o       (rx_end_o),
    .tlp_good_o      (tlp_good),
    .tlp_nullified_o (tlp_nullified),
    .tlp_broken_o    (tlp_broken),
    .tlp_sequence_o  (tlp_sequence),
    .dllp_valid_o    (dllp_in_valid),
    .dllp_o          (dllp_in),
    .dllp_bad_o      (errors_o.bad_dllp),
    .error_o         (errors_o.receiver)
  );

  assign received_packet_o = dllp_in_valid || tlp_good;

  logic        ack_valid, ack_ready, ack_nak;
  logic [11:0] ack_sequence;

  rf_link_ack u_ack (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .link_up_i       (link_up_i),
    .tlp_end_i       (rx_end_o),
    .tlp_good_i      (tlp_good),
    .tlp_nullified_i (tlp_nullified),
    .tlp_broken_i    (tlp_broken),
    .tlp_sequence_i  (tlp_sequence),
    .refuse_i        (rx_refuse_i),
    .tlp_take_o      (rx_take_o),
    .tlp_bad_o       (errors_o.bad_tlp),
    .valid_o         (ack_valid),
    .ready_i         (ack_ready),
    .nak_o           (ack_nak),
    .sequence_o      (ack_sequence)
  );

  logic        acknak_valid, acknak_nak, credit_init, credit_update, known;
  logic        dllp_valid, dllp_ready;
  logic [11:0] acknak_sequence, credit_data, value_data;
  logic [7:0]  credit_headers, value_headers;
  logic [1:0]  credit_class, value_class;
  logic [31:0] dllp;

  rf_link_dllp u_dllp (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .link_up_i         (link_up_i),
    .up_o              (up_o),
    .active_o          (active_o),
    .dllp_valid_i      (dllp_in_valid),
    .dllp_i            (dllp_in),
    .tlp_i             (tlp_good),
    .acknak_valid_o    (acknak_valid),
    .acknak_nak_o      (acknak_nak),
    .acknak_sequence_o (acknak_sequence),
    .credit_init_o     (credit_init),
    .credit_update_o   (credit_update),
    .credit_class_o    (credit_class),
    .credit_headers_o  (credit_headers),
    .credit_data_o     (credit_data),
    .power_granted_o   (power_granted_o),
    .known_i           (known),
    .value_class_o     (value_class),
    .value_headers_i   (value_headers),
    .value_data_i      (value_data),
    .freed_i           (freed_i),
    .ack_valid_i       (ack_valid),
    .ack_ready_o       (ack_ready),
    .ack_nak_i         (ack_nak),
    .ack_sequence_i    (ack_sequence),
    .enter_l1_i        (enter_l1_i),
    .enter_l23_i       (enter_l23_i),
    .quiet_i           (quiet_i),
    .dllp_valid_o      (dllp_valid),
    .dllp_ready_i      (dllp_ready),
    .dllp_o            (dllp)
  );

  rf_link_credit u_credit (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .link_up_i       (link_up_i),
    .init_i          (credit_init),
    .update_i        (credit_update),
    .class_i         (credit_class),
    .headers_i       (credit_headers),
    .data_i          (credit_data),
    .known_o         (known),
    .need_i          (need_i),
    .admits_o        (admits_o),
    .consume_i       (consume_i),
    .freed_i         (freed_i),
    .freed_data_i    (freed_data_i),
    .value_class_i   (value_class),
    .value_headers_o (value_headers),
    .value_data_o    (value_data)
  );

  logic        send_valid, send_ready, send_last;
  logic [15:0] send_data;
  logic [11:0] send_sequence;

  rf_link_replay u_replay (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .active_i          (active_o),
    .tlp_valid_i       (tx_valid_i),
    .tlp_ready_o       (tx_ready_o),
    .tlp_last_i        (tx_last_i),
    .tlp_data_i        (tx_data_i),
    .send_valid_o      (send_valid),
    .send_ready_i      (send_ready),
    .send_last_o       (send_last),
    .send_data_o       (send_data),
    .send_sequence_o   (send_sequence),
    .acknak_valid_i    (acknak_valid),
    .acknak_nak_i      (acknak_nak),
    .acknak_sequence_i (acknak_sequence),
    .idle_o            (tx_idle_o),
    .training_i        (training_i),
    .retrain_o         (retrain_o),
    .timeout_o         (errors_o.timeout),
    .rollover_o        (errors_o.rollover),
    .protocol_error_o  (errors_o.protocol)
  );

  rf_link_frame u_frame (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .link_up_i      (link_up_i),
    .training_i     (training_i),
    .tlp_valid_i    (send_valid),
    .tlp_ready_o    (send_ready),
    .tlp_last_i     (send_last),
    .tlp_data_i     (send_data),
    .tlp_sequence_i (send_sequence),
    .dllp_valid_i   (dllp_valid),
    .dllp_ready_o   (dllp_ready),
    .dllp_i         (dllp),
    .packet_valid_o (packet_valid_o),
    .packet_ready_i (packet_ready_i),
    .packet_last_o  (packet_last_o),
    .packet_word_o  (packet_word_o),
    .busy_o         (packet_busy_o)
  );

endmodule

`default_nettype wire
