// SPDX-License-Identifier: Apache-2.0
//
// The logical part of the physical layer of a PCIe port, x1 at 2.5 GT/s: between a SERDES with
// 8b/10b coding, two symbols a cycle of 125 MHz, and the data link layer, which gives and gets
// framed packets (STP or SDP to END or EDB) as plain words.
//
//   rx_word_i > rf_link_elastic > rf_link_ordered_receive > rf_ltssm > rf_link_send > tx_word_o
//                      |---> rf_link_scramble --> received_*               ^      ^
//                      |---> rf_link_loop ---------------------------------+      |
//                                                        packet_* ----------------+
//
// Received words may have gaps between them anywhere. They hold logical idle, packets and the COM
// of SKP sets, of which the SKPs are gone. A packet that is sent comes without a pause. Downstream:
// the port that leads Configuration, as in rf_ltssm.

`default_nettype none

module rf_link_physical #(
  parameter int unsigned TickCycles = 125,
  parameter int unsigned Millisecond = 1000,
  parameter int unsigned SkpInterval = 1180,
  parameter int unsigned Downstream = 0
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  // SERDES
  input  wire logic                 rx_clk_i,         // recovered clock of rx_word_i
  input  wire logic                 rx_rst_ni,
  input  wire rf_link_pkg::word_t        rx_word_i,
  input  wire logic                 rx_idle_i,        // electrical idle, of any clock
  output logic                      rx_invert_o,      // swap the wires of the receiver
  output logic [17:0]               tx_word_o,        // k, data
  output logic                      tx_idle_o,        // electrical idle
  output logic                      detect_o,
  input  wire logic                 detect_done_i,
  input  wire logic                 detect_present_i,

  // data link layer
  output logic                      received_valid_o,
  output rf_link_pkg::word_t        received_o,
  input  wire logic                 received_packet_i, // they made one with a right CRC
  output logic                      packet_ready_o,
  input  wire logic                 packet_valid_i,
  input  wire logic                 packet_last_i,
  input  wire logic [17:0]          packet_word_i,
  input  wire logic                 retrain_i,
  input  wire logic                 enter_l1_i,
  input  wire logic                 enter_l2_i,
  input  wire logic                 extended_synch_i,
  output logic                      link_up_o,
  output rf_link_pkg::ltssm_state_e state_o,
  output logic                      overflow_o        // the elastic buffer lost a word
);

  if (TickCycles < 2 || TickCycles > 1000) begin : gen_bad_tick_cycles
    $error("2 to 1000 cycles a microsecond");
  end
  if (Millisecond < 2 || Millisecond > 1000) begin : gen_bad_millisecond
    $error("2 to 1000 microseconds a millisecond");
  end
  if (SkpInterval < 1180 || SkpInterval > 1538) begin : gen_bad_skp_interval
    $error("a SKP set every 1180 to 1538 symbols");
  end
  if (Downstream > 1) begin : gen_bad_downstream
    $error("0 or 1");
  end

  // --- receive ----------------------------------------------------------------------
  logic                        word_valid, plain_valid, rx_idle, takes_packets;
  rf_link_pkg::word_t          word, plain;
  logic [5:0]                  skips;
  logic                        set_valid, row_clear, eios, skp, idle_word;
  rf_link_pkg::training_set_t  set;
  logic [3:0]                  row;

  rf_link_elastic u_elastic (
    .rx_clk_i   (rx_clk_i),
    .rx_rst_ni  (rx_rst_ni),
    .word_i     (rx_word_i),
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_o    (word_valid),
    .word_o     (word),
    .skips_o    (skips),
    .overflow_o (overflow_o)
  );

  rf_link_electrical_idle u_electrical_idle (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .idle_i (rx_idle_i),
    .idle_o (rx_idle)
  );

  rf_link_ordered_receive u_ordered_receive (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .valid_i     (word_valid),
    .word_i      (word),
    .skips_i     (skips),
    .clear_i     (row_clear),
    .set_valid_o (set_valid),
    .set_o       (set),
    .row_o       (row),
    .eios_o      (eios),
    .skp_o       (skp)
  );

  logic scramble_off;

  rf_link_scramble u_descramble (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .off_i   (scramble_off),
    .valid_i (word_valid),
    .plain_i (1'b0),
    .word_i  (word),
    .valid_o (plain_valid),
    .word_o  (plain)
  );

  assign idle_word        = plain == '0;
  assign received_valid_o = plain_valid && takes_packets;
  assign received_o       = plain;

  // --- state and transmit -------------------------------------------------------------
  rf_link_pkg::send_e          request, sent_kind;
  rf_link_pkg::training_set_t  sent_set;
  logic                        turn, sent;
  logic [17:0]                 loop_word;

  rf_ltssm #(
    .TickCycles  (TickCycles),
    .Millisecond (Millisecond),
    .Downstream  (Downstream)
  ) u_ltssm (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .set_valid_i      (set_valid),
    .set_i            (set),
    .row_i            (row),
    .row_clear_o      (row_clear),
    .eios_i           (eios),
    .skp_i            (skp),
    .word_valid_i     (plain_valid),
    .word_idle_i      (idle_word),
    .packet_i         (received_packet_i),
    .rx_idle_i        (rx_idle),
    .invert_o         (rx_invert_o),
    .takes_packets_o  (takes_packets),
    .detect_o         (detect_o),
    .detect_done_i    (detect_done_i),
    .detect_present_i (detect_present_i),
    .request_o        (request),
    .set_o            (sent_set),
    .scramble_off_o   (scramble_off),
    .turn_i           (turn),
    .sent_i           (sent),
    .sent_kind_i      (sent_kind),
    .retrain_i        (retrain_i),
    .enter_l1_i       (enter_l1_i),
    .enter_l2_i       (enter_l2_i),
    .extended_synch_i (extended_synch_i),
    .link_up_o        (link_up_o),
    .state_o          (state_o)
  );

  rf_link_loop u_loop (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .active_i (request == rf_link_pkg::SendLoop),
    .valid_i  (word_valid),
    .word_i   (word),
    .skips_i  (skips),
    .word_o   (loop_word)
  );

  rf_link_send #(
    .SkpInterval (SkpInterval)
  ) u_send (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .request_i      (request),
    .set_i          (sent_set),
    .scramble_off_i (scramble_off),
    .turn_o         (turn),
    .sent_o         (sent),
    .sent_kind_o    (sent_kind),
    .packet_ready_o (packet_ready_o),
    .packet_valid_i (packet_valid_i),
    .packet_last_i  (packet_last_i),
    .packet_word_i  (packet_word_i),
    .loop_word_i    (loop_word),
    .tx_word_o      (tx_word_o),
    .tx_idle_o      (tx_idle_o)
  );

endmodule

`default_nettype wire
