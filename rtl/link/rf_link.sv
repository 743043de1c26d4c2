// SPDX-License-Identifier: Apache-2.0
//
// The link of a PCIe port, x1 at 2.5 GT/s, from the SERDES to TLPs as words of two bytes:
//
//   SERDES <-> rf_link_physical <- packets -> rf_link_data <-> TLPs
//                          ^--- rf_link_power ---^
//
// Signals of the SERDES as in rf_link_physical, of TLPs as in rf_link_data, but admits_o is of
// need_i a cycle ago, and means nothing in the cycle behind consume_i. tx_waits_i: a TLP waits to
// enter, whether admits_o has its class or not; it ends L1.
//
// An endpoint's port, or with Downstream the one at the other end of the lane, which leads
// Configuration. That one has no power management: it never answers PM_Enter_L1 or PM_Enter_L23,
// and ask_l1_i and ask_l23_i stay 0. Nor does it direct to Hot Reset, Disabled and Loopback.

`default_nettype none

module rf_link #(
  parameter int unsigned Millisecond = 1000,    // as in rf_link_physical
  parameter int unsigned Downstream = 0
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  // SERDES
  input  wire logic                 rx_clk_i,
  input  wire logic                 rx_rst_ni,
  input  wire rf_link_pkg::word_t   rx_word_i,
  input  wire logic                 rx_idle_i,
  output logic                      rx_invert_o,
  output logic [17:0]               tx_word_o,
  output logic                      tx_idle_o,
  output logic                      detect_o,
  input  wire logic                 detect_done_i,
  input  wire logic                 detect_present_i,

  // TLPs
  input  wire logic                 tx_waits_i,
  input  wire logic                 tx_valid_i,
  output logic                      tx_ready_o,
  input  wire logic                 tx_last_i,
  input  wire logic [15:0]          tx_data_i,
  input  wire logic [8:0]           need_i,
  output logic [2:0]                admits_o,
  input  wire logic [2:0]           consume_i,
  output logic                      rx_valid_o,
  output logic [15:0]               rx_data_o,
  output logic                      rx_end_o,
  output logic                      rx_take_o,
  input  wire logic                 rx_refuse_i,
  input  wire logic [1:0]           freed_i,
  input  wire logic [8:0]           freed_data_i,

  // power management: the function is in D3hot; PME_TO_Ack was sent
  input  wire logic                 ask_l1_i,
  input  wire logic                 ask_l23_i,
  input  wire logic                 extended_synch_i, // of Link Control

  output logic                      up_o,         // DL_Up: TLPs may come
  output logic                      active_o,     // DL_Active
  output rf_link_pkg::ltssm_state_e state_o,
  output rf_link_pkg::errors_t      errors_o
);

  if (Millisecond < 2 || Millisecond > 1000) begin : gen_bad_millisecond
    $error("2 to 1000 microseconds a millisecond");
  end
  if (Downstream > 1) begin : gen_bad_downstream
    $error("0 or 1");
  end

  // Credits that let the largest TLP go after L1: 128 bytes, which every receiver has room for.
  localparam logic [8:0] LargestData = 9'd8;

  logic               received_valid, received_packet;
  logic               packet_ready, packet_valid, packet_last, packet_busy;
  logic               link_up, training, overflow;
  logic               data_retrain, wake, ltssm_l1, ltssm_l2;
  logic               hold, enter_l1, enter_l23, quiet, granted, tx_acknowledged;
  logic [17:0]        packet_word;
  logic [2:0]         admits, admits_q;
  logic               admits_largest_q;
  rf_link_pkg::word_t received;
  rf_link_pkg::errors_t errors;

  assign training = link_up && state_o != rf_link_pkg::L0;

  // None enters in the first cycle of hold: two cycles later it would not be seen to come. None
  // enters in the first cycle behind it: admits was of LargestData.
  assign admits_o = admits_q & {3{!hold}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      admits_q         <= '0;
      admits_largest_q <= 1'b0;
    end else begin
      admits_q         <= hold ? '0 : admits;
      admits_largest_q <= hold && &admits;
    end
  end

  always_comb begin
    errors_o          = errors;
    errors_o.receiver = state_o == rf_link_pkg::L0 && (errors.receiver || overflow);
  end

  rf_link_physical #(
    .Millisecond (Millisecond),
    .Downstream  (Downstream)
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
    .detect_present_i (detect_present_i),
    .received_valid_o (received_valid),
    .received_o       (received),
    .received_packet_i (received_packet),
    .packet_ready_o   (packet_ready),
    .packet_valid_i   (packet_valid),
    .packet_last_i    (packet_last),
    .packet_word_i    (packet_word),
    .retrain_i        (data_retrain || wake),
    .enter_l1_i       (ltssm_l1),
    .enter_l2_i       (ltssm_l2),
    .extended_synch_i (extended_synch_i),
    .link_up_o        (link_up),
    .state_o          (state_o),
    .overflow_o       (overflow)
  );

  // What enters comes from afar. It is void with the ring that it goes to.
  logic        tx_valid, tx_ready, tx_last, tx_rst_nq;
  logic [15:0] tx_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tx_rst_nq <= 1'b0;
    else tx_rst_nq <= up_o;
  end

  rf_skid #(
    .Width (17)
  ) u_tx (
    .clk_i   (clk_i),
    .rst_ni  (tx_rst_nq),
    .valid_i (tx_valid_i),
    .ready_o (tx_ready_o),
    .data_i  ({tx_last_i, tx_data_i}),
    .valid_o (tx_valid),
    .ready_i (tx_ready),
    .data_o  ({tx_last, tx_data})
  );

  rf_link_data u_data (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .link_up_i        (link_up),
    .training_i       (training),
    .retrain_o        (data_retrain),
    .received_valid_i (received_valid),
    .received_i       (received),
    .received_packet_o (received_packet),
    .packet_ready_i   (packet_ready),
    .packet_valid_o   (packet_valid),
    .packet_last_o    (packet_last),
    .packet_word_o    (packet_word),
    .packet_busy_o    (packet_busy),
    .up_o             (up_o),
    .active_o         (active_o),
    .tx_valid_i       (tx_valid),
    .tx_ready_o       (tx_ready),
    .tx_last_i        (tx_last),
    .tx_data_i        (tx_data),
    .need_i           (hold ? LargestData : need_i),
    .admits_o         (admits),
    .consume_i        (consume_i),
    .rx_valid_o       (rx_valid_o),
    .rx_data_o        (rx_data_o),
    .rx_end_o         (rx_end_o),
    .rx_take_o        (rx_take_o),
    .rx_refuse_i      (rx_refuse_i),
    .freed_i          (freed_i),
    .freed_data_i     (freed_data_i),
    .enter_l1_i       (enter_l1),
    .enter_l23_i      (enter_l23),
    .quiet_i          (quiet),
    .power_granted_o  (granted),
    .tx_idle_o        (tx_acknowledged),
    .errors_o         (errors)
  );

  rf_link_power u_power (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .active_i    (active_o),
    .state_i     (state_o),
    .ask_l1_i    (ask_l1_i),
    .ask_l23_i   (ask_l23_i),
    .tx_waits_i  (tx_waits_i),
    .rx_end_i    (rx_end_o),
    .tx_idle_i   (tx_acknowledged && !tx_valid && !tx_valid_i),
    .admits_i    (admits_largest_q),
    .hold_o      (hold),
    .enter_l1_o  (enter_l1),
    .enter_l23_o (enter_l23),
    .quiet_o     (quiet),
    .granted_i   (granted),
    .packet_i    (packet_busy),
    .ltssm_l1_o  (ltssm_l1),
    .ltssm_l2_o  (ltssm_l2),
    .wake_o      (wake)
  );

endmodule

`default_nettype wire
