// SPDX-License-Identifier: Apache-2.0
//
// rf_device's PCIe link: rf_link with adapters for the three TLP streams, between the link's clock
// (clk_i, 125 MHz) and the device's, of any rate.
//
//   rf_link > rf_link_pack > rf_link_buffer > rf_link_to_tlp > rx_tlp_*
//      ^ credits < rf_async_fifo <------------------'  ' PME_Turn_Off
//      | < rf_link_unpack < rf_async_fifo < rf_link_from_tlp < tx_tlp_*
//                       ^ header, handshake <----------------- tx_read_tlp_*
//
// What is accepted is sent, unless the link goes down: a posted TLP from its last beat on, in
// order; a read is accepted when it has entered the replay ring. While the data link layer is not
// up device_rst_no is low, and everything on both sides is lost. It begins at once and ends with
// device_clk_i. It is up from FC_INIT2 on: the other side may be active before, and send TLPs.
// PME_Turn_Off is answered here. Error pulses that are on the way merge.

`default_nettype none

module rf_link_endpoint #(
  parameter int unsigned Millisecond = 1000,    // as in rf_link_physical
  parameter bit          SlotClock = 1'b1       // the SERDES' reference clock is the slot's
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

  // rf_device
  input  wire logic                 device_clk_i,
  output logic                      device_rst_no,
  output logic [63:0]               rx_tlp_data_o,
  output logic [1:0]                rx_tlp_strb_o,
  output logic [127:0]              rx_tlp_hdr_o,
  output logic                      rx_tlp_error_o,
  output logic                      rx_tlp_valid_o,
  output logic                      rx_tlp_sop_o,
  output logic                      rx_tlp_eop_o,
  input  wire logic                 rx_tlp_ready_i,
  input  wire logic [63:0]          tx_tlp_data_i,
  input  wire logic [1:0]           tx_tlp_strb_i,
  input  wire logic [127:0]         tx_tlp_hdr_i,
  input  wire logic                 tx_tlp_valid_i,
  input  wire logic                 tx_tlp_eop_i,
  output logic                      tx_tlp_ready_o,
  input  wire logic [127:0]         tx_read_tlp_hdr_i,
  input  wire logic                 tx_read_tlp_valid_i,
  output logic                      tx_read_tlp_ready_o,
  input  wire logic                 d3hot_i,
  input  wire logic                 extended_synch_i,
  output rf_bus_pkg::link_status_t  link_status_o,

  output logic                      active_o,     // DL_Active
  output rf_link_pkg::ltssm_state_e state_o,
  output rf_link_pkg::errors_t      errors_o
);

  if (Millisecond < 2 || Millisecond > 1000) begin : gen_bad_millisecond
    $error("2 to 1000 microseconds a millisecond");
  end

  // --- resets -------------------------------------------------------------------------
  logic link_rst_nq, up;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) link_rst_nq <= 1'b0;
    else link_rst_nq <= up;
  end

  rf_reset u_reset (
    .clk_i   (device_clk_i),
    .arst_ni (link_rst_nq),
    .rst_no  (device_rst_no)
  );

  // --- the link -----------------------------------------------------------------------
  logic        tx_waits, tx_valid, tx_ready, tx_last;
  logic [15:0] tx_data, rx_data;
  logic [8:0]  need, freed_data, freed_data_out;
  logic [2:0]  admits, consume;
  logic        rx_valid, rx_end, rx_take, rx_refuse;
  logic [1:0]  freed, freed_out;
  logic        freed_valid, freed_ready, ask_l23;
  logic [1:0]  wanted_first_q, wanted_q;  // D3hot, Extended Synch

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wanted_q, wanted_first_q} <= '0;
    else {wanted_q, wanted_first_q} <= {wanted_first_q, d3hot_i, extended_synch_i};
  end

  rf_link #(
    .Millisecond (Millisecond)
  ) u_link (
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
    .tx_waits_i       (tx_waits),
    .tx_valid_i       (tx_valid),
    .tx_ready_o       (tx_ready),
    .tx_last_i        (tx_last),
    .tx_data_i        (tx_data),
    .need_i           (need),
    .admits_o         (admits),
    .consume_i        (consume),
    .rx_valid_o       (rx_valid),
    .rx_data_o        (rx_data),
    .rx_end_o         (rx_end),
    .rx_take_o        (rx_take),
    .rx_refuse_i      (rx_refuse),
    .freed_i          (freed_out & {2{freed_valid}}),
    .freed_data_i     (freed_data_out),
    .ask_l1_i         (wanted_q[1]),
    .ask_l23_i        (ask_l23),
    .extended_synch_i (wanted_q[0]),
    .up_o             (up),
    .active_o         (active_o),
    .state_o          (state_o),
    .errors_o         (errors_o)
  );

  // --- what the function is told ------------------------------------------------------
  logic correctable, fatal;

  rf_pulse_cross #(
    .Width (2)
  ) u_errors (
    .from_clk_i  (clk_i),
    .from_rst_ni (link_rst_nq),
    .pulses_i    ({errors_o.protocol, errors_o.timeout || errors_o.rollover || errors_o.bad_dllp ||
                                      errors_o.bad_tlp || errors_o.receiver}),
    .to_clk_i    (device_clk_i),
    .to_rst_ni   (device_rst_no),
    .pulses_o    ({fatal, correctable})
  );

  always_comb begin
    link_status_o.speed             = 4'd1;
    link_status_o.width             = 6'd1;
    link_status_o.slot_clock        = SlotClock;
    link_status_o.error_correctable = correctable;
    link_status_o.error_fatal       = fatal;
  end

  // --- received -----------------------------------------------------------------------
  logic        packed_valid, packed_room, buffered_valid, buffered_ready, turn_off;
  logic [15:0] function_id;
  rf_link_pkg::received_entry_t packed_entry, buffered;

  rf_link_pack u_pack (
    .clk_i       (clk_i),
    .rst_ni      (link_rst_nq),
    .rx_valid_i  (rx_valid),
    .rx_data_i   (rx_data),
    .rx_end_i    (rx_end),
    .rx_take_i   (rx_take),
    .rx_refuse_o (rx_refuse),
    .valid_o     (packed_valid),
    .entry_o     (packed_entry),
    .room_i      (packed_room)
  );

  // 512 entries: 160 for 16 posted TLPs with 1 KiB, 24 for 8 non-posted ones; the others
  // are for completions.
  rf_link_buffer #(
    .Width     (rf_link_pkg::ReceivedEntryWidth),
    .DepthLog2 (9)
  ) u_buffer (
    .write_clk_i  (clk_i),
    .write_rst_ni (link_rst_nq),
    .valid_i      (packed_valid),
    .room_o       (packed_room),
    .data_i       (packed_entry),
    .read_clk_i   (device_clk_i),
    .read_rst_ni  (device_rst_no),
    .valid_o      (buffered_valid),
    .ready_i      (buffered_ready),
    .data_o       (buffered)
  );

  rf_link_to_tlp u_to_tlp (
    .clk_i          (device_clk_i),
    .rst_ni         (device_rst_no),
    .entry_valid_i  (buffered_valid),
    .entry_i        (buffered),
    .entry_ready_o  (buffered_ready),
    .rx_tlp_data_o  (rx_tlp_data_o),
    .rx_tlp_strb_o  (rx_tlp_strb_o),
    .rx_tlp_hdr_o   (rx_tlp_hdr_o),
    .rx_tlp_error_o (rx_tlp_error_o),
    .rx_tlp_valid_o (rx_tlp_valid_o),
    .rx_tlp_sop_o   (rx_tlp_sop_o),
    .rx_tlp_eop_o   (rx_tlp_eop_o),
    .rx_tlp_ready_i (rx_tlp_ready_i),
    .freed_o        (freed),
    .freed_data_o   (freed_data),
    .turn_off_o     (turn_off),
    .function_id_o  (function_id)
  );

  // A TLP takes three cycles of the device, at least; the link takes an entry in each of its.
  rf_async_fifo #(
    .Width     (11),
    .DepthLog2 (2)
  ) u_freed (
    .write_clk_i  (device_clk_i),
    .write_rst_ni (device_rst_no),
    .valid_i      (freed != '0),
    .ready_o      (freed_ready),
    .data_i       ({freed, freed_data}),
    .read_clk_i   (clk_i),
    .read_rst_ni  (link_rst_nq),
    .valid_o      (freed_valid),
    .ready_i      (1'b1),
    .data_o       ({freed_out, freed_data_out})
  );

  // --- sent ---------------------------------------------------------------------------
  logic       from_valid, from_ready, posted_valid, posted_ready, read_request, read_done;
  logic [4:0] read_behind;
  rf_link_pkg::sent_entry_t from, posted;

  rf_link_from_tlp u_from_tlp (
    .clk_i               (device_clk_i),
    .rst_ni              (device_rst_no),
    .tx_tlp_data_i       (tx_tlp_data_i),
    .tx_tlp_strb_i       (tx_tlp_strb_i),
    .tx_tlp_hdr_i        (tx_tlp_hdr_i),
    .tx_tlp_valid_i      (tx_tlp_valid_i),
    .tx_tlp_eop_i        (tx_tlp_eop_i),
    .tx_tlp_ready_o      (tx_tlp_ready_o),
    .tx_read_tlp_valid_i (tx_read_tlp_valid_i),
    .tx_read_tlp_ready_o (tx_read_tlp_ready_o),
    .turn_off_i          (turn_off),
    .function_id_i       (function_id),
    .entry_valid_o       (from_valid),
    .entry_o             (from),
    .entry_ready_i       (from_ready),
    .read_request_o      (read_request),
    .read_behind_o       (read_behind),
    .read_done_i         (read_done)
  );

  rf_async_fifo #(
    .Width     (rf_link_pkg::SentEntryWidth),
    .DepthLog2 (4)
  ) u_posted (
    .write_clk_i  (device_clk_i),
    .write_rst_ni (device_rst_no),
    .valid_i      (from_valid),
    .ready_o      (from_ready),
    .data_i       (from),
    .read_clk_i   (clk_i),
    .read_rst_ni  (link_rst_nq),
    .valid_o      (posted_valid),
    .ready_i      (posted_ready),
    .data_o       (posted)
  );

  rf_link_unpack u_unpack (
    .clk_i          (clk_i),
    .rst_ni         (link_rst_nq),
    .entry_valid_i  (posted_valid),
    .entry_i        (posted),
    .entry_ready_o  (posted_ready),
    .read_request_i (read_request),
    .read_hdr_i     (tx_read_tlp_hdr_i),
    .read_behind_i  (read_behind),
    .read_done_o    (read_done),
    .tx_waits_o     (tx_waits),
    .tx_valid_o     (tx_valid),
    .tx_ready_i     (tx_ready),
    .tx_last_o      (tx_last),
    .tx_data_o      (tx_data),
    .need_o         (need),
    .admits_i       (admits),
    .consume_o      (consume),
    .ask_l23_o      (ask_l23)
  );

  logic unused;
  assign unused = &{1'b0, freed_ready};

`ifndef SYNTHESIS
  always_ff @(posedge device_clk_i) begin
    if (device_rst_no) no_credit_lost: assert (freed == '0 || freed_ready);
  end
`endif

endmodule

`default_nettype wire
