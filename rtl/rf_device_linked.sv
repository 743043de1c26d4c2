// SPDX-License-Identifier: Apache-2.0
//
// rf_device behind rf_link_endpoint, on a board and in simulation: its edge is the SERDES' symbols.
// The device has a clock of its own, of any rate. In that clock: delivered_o, a TLP was taken by
// the device; sent_o, one by the link.

`default_nettype none

module rf_device_linked #(
  parameter int unsigned Slots = 16,            // of rf_device, as the next five
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned TlbSetsLog2 = 5,
  parameter int unsigned TimestampHz = 62_500_000,
  parameter bit          MonitoredShadow = 1'b1,
  parameter bit          VectorEngine = 1'b1,
  parameter int unsigned Millisecond = 1000     // as in rf_link_physical
) (
  input  wire logic               clk_i,
  input  wire logic               device_clk_i,
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
  input  wire logic               detect_present_i,
  output logic                    active_o,     // of rf_link_endpoint, as the next two
  output rf_link_pkg::ltssm_state_e state_o,
  output rf_link_pkg::errors_t    errors_o,
  output logic                    delivered_o,
  output logic [1:0]              sent_o,
  output logic                    idle_o,
  output logic [63:0]             trace_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end
  if (TlbSetsLog2 < 4 || TlbSetsLog2 > 8) begin : gen_bad_tlb_sets_log2
    $error("a way of the TLB has 16 to 256 sets");
  end
  if (TimestampHz == 0) begin : gen_bad_timestamp_hz
    $error("a clock has a frequency");
  end
  if (Millisecond < 2 || Millisecond > 1000) begin : gen_bad_millisecond
    $error("2 to 1000 microseconds a millisecond");
  end

  logic         link_rst_n, device_rst_n;
  logic [63:0]  rx_data, tx_data;
  logic [1:0]   rx_strb, tx_strb;
  logic [127:0] rx_hdr, tx_hdr, tx_read_hdr;
  logic         rx_error, rx_valid, rx_sop, rx_eop, rx_ready;
  logic         tx_valid, tx_sop, tx_eop, tx_ready, tx_read_valid, tx_read_ready;
  logic         d3hot, extended_synch;
  rf_bus_pkg::link_status_t  link_status;

  assign delivered_o = rx_valid && rx_ready && rx_eop && !rx_error;
  assign sent_o      = {tx_read_valid && tx_read_ready, tx_valid && tx_ready && tx_eop};

  rf_link_endpoint #(
    .Millisecond (Millisecond)
  ) u_endpoint (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .rx_clk_i            (rx_clk_i),
    .rx_rst_ni           (rx_rst_ni),
    .rx_word_i           (rx_word_i),
    .rx_idle_i           (rx_idle_i),
    .rx_invert_o         (rx_invert_o),
    .tx_word_o           (tx_word_o),
    .tx_idle_o           (tx_idle_o),
    .detect_o            (detect_o),
    .detect_done_i       (detect_done_i),
    .detect_present_i    (detect_present_i),
    .device_clk_i        (device_clk_i),
    .device_rst_no       (link_rst_n),
    .rx_tlp_data_o       (rx_data),
    .rx_tlp_strb_o       (rx_strb),
    .rx_tlp_hdr_o        (rx_hdr),
    .rx_tlp_error_o      (rx_error),
    .rx_tlp_valid_o      (rx_valid),
    .rx_tlp_sop_o        (rx_sop),
    .rx_tlp_eop_o        (rx_eop),
    .rx_tlp_ready_i      (rx_ready),
    .tx_tlp_data_i       (tx_data),
    .tx_tlp_strb_i       (tx_strb),
    .tx_tlp_hdr_i        (tx_hdr),
    .tx_tlp_valid_i      (tx_valid),
    .tx_tlp_eop_i        (tx_eop),
    .tx_tlp_ready_o      (tx_ready),
    .tx_read_tlp_hdr_i   (tx_read_hdr),
    .tx_read_tlp_valid_i (tx_read_valid),
    .tx_read_tlp_ready_o (tx_read_ready),
    .d3hot_i             (d3hot),
    .extended_synch_i    (extended_synch),
    .link_status_o       (link_status),
    .active_o            (active_o),
    .state_o             (state_o),
    .errors_o            (errors_o)
  );

  rf_reset_buffer u_device_reset (.rst_ni(link_rst_n), .rst_no(device_rst_n));

  rf_device #(
    .Slots           (Slots),
    .LocalMemoryLog2 (LocalMemoryLog2),
    .TlbSetsLog2     (TlbSetsLog2),
    .TimestampHz     (TimestampHz),
    .MonitoredShadow (MonitoredShadow),
    .VectorEngine    (VectorEngine)
  ) u_device (
    .clk_i               (device_clk_i),
    .rst_ni              (device_rst_n),
    .rx_tlp_data_i       (rx_data),
    .rx_tlp_strb_i       (rx_strb),
    .rx_tlp_hdr_i        (rx_hdr),
    .rx_tlp_error_i      (rx_error),
    .rx_tlp_valid_i      (rx_valid),
    .rx_tlp_sop_i        (rx_sop),
    .rx_tlp_eop_i        (rx_eop),
    .rx_tlp_ready_o      (rx_ready),
    .tx_tlp_data_o       (tx_data),
    .tx_tlp_strb_o       (tx_strb),
    .tx_tlp_hdr_o        (tx_hdr),
    .tx_tlp_valid_o      (tx_valid),
    .tx_tlp_sop_o        (tx_sop),
    .tx_tlp_eop_o        (tx_eop),
    .tx_tlp_ready_i      (tx_ready),
    .tx_read_tlp_hdr_o   (tx_read_hdr),
    .tx_read_tlp_valid_o (tx_read_valid),
    .tx_read_tlp_ready_i (tx_read_ready),
    .link_status_i       (link_status),
    .d3hot_o             (d3hot),
    .extended_synch_o    (extended_synch),
    .idle_o              (idle_o),
    .trace_o             (trace_o)
  );

  logic unused;
  assign unused = &{1'b0, tx_sop};

endmodule

`default_nettype wire
