// SPDX-License-Identifier: Apache-2.0
//
// A board without PCIe: the device, its TLP streams on a UART, three LEDs. The board's own top has
// what differs between boards (clock, pins, levels).
//
// led_link_o: a host has reset the link. led_activity_o: a good frame, led_fault_o: a bad one, in
// the last 2^LedLog2 cycles or twice as many.

`default_nettype none

module rf_board #(
  parameter int unsigned Divider = 62,              // cycles of a bit: 1 Mbaud
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned TimestampHz = 62_500_000,  // of clk_i
  parameter int unsigned LedLog2 = 22,
  parameter int unsigned Slots = 16,
  parameter bit          MonitoredShadow = 1'b1,    // as in rf_device, as the next one
  parameter bit          VectorEngine = 1'b1
) (
  input  wire logic clk_i,
  input  wire logic arst_ni,   // of any clock
  input  wire logic rx_i,
  output logic      tx_o,
  output logic      led_link_o,
  output logic      led_activity_o,
  output logic      led_fault_o
);

  if (Divider < 4 || Divider > 50000) begin : gen_bad_divider
    $error("a bit has 4 to 50000 cycles; times of replays are counted in 31 bits");
  end
  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (TimestampHz == 0) begin : gen_bad_timestamp_hz
    $error("a clock has a frequency");
  end
  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end
  if (LedLog2 < 1 || LedLog2 > 31) begin : gen_bad_led_log2
    $error("the lamps' period has 1 to 31 bits");
  end

  logic rst_n;

  rf_reset u_reset (.clk_i(clk_i), .arst_ni(arst_ni), .rst_no(rst_n));

  // --- the device and its link --------------------------------------------------------
  logic         link_rst_n, device_rst_n, idle;
  logic [63:0]  rx_data, tx_data;
  logic [1:0]   rx_strb, tx_strb;
  logic [127:0] rx_hdr, tx_hdr, tx_read_hdr;
  logic         rx_valid, rx_sop, rx_eop, rx_ready;
  logic         tx_valid, tx_eop, tx_ready, tx_read_valid, tx_read_ready;
  logic         activity, fault;

  rf_serial_link #(.Divider(Divider)) u_link (
    .clk_i               (clk_i),
    .rst_ni              (rst_n),
    .rx_i                (rx_i),
    .tx_o                (tx_o),
    .device_rst_no       (link_rst_n),
    .idle_i              (idle),
    .rx_tlp_data_o       (rx_data),
    .rx_tlp_strb_o       (rx_strb),
    .rx_tlp_hdr_o        (rx_hdr),
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
    .link_o              (led_link_o),
    .activity_o          (activity),
    .error_o             (fault)
  );

  rf_reset_buffer u_device_reset (.rst_ni(link_rst_n), .rst_no(device_rst_n));

  // The first beat follows from the last, and the trace is not used here.
  logic        tx_sop, d3hot, extended_synch;
  logic [63:0] trace;
  logic        unused;
  assign unused = &{1'b0, tx_sop, trace, d3hot, extended_synch};

  rf_device #(
    .Slots           (Slots),
    .LocalMemoryLog2 (LocalMemoryLog2),
    .TlbSetsLog2     (4),  // half of what simulations have: a lookup is a cycle
    .TimestampHz     (TimestampHz),
    .MonitoredShadow (MonitoredShadow),
    .VectorEngine    (VectorEngine)
  ) u_device (
    .clk_i               (clk_i),
    .rst_ni              (device_rst_n),
    .rx_tlp_data_i       (rx_data),
    .rx_tlp_strb_i       (rx_strb),
    .rx_tlp_hdr_i        (rx_hdr),
    .rx_tlp_error_i      (1'b0),
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
    .link_status_i       ('0),       // a serial line has none of it
    .d3hot_o             (d3hot),
    .extended_synch_o    (extended_synch),
    .idle_o              (idle),
    .trace_o             (trace)
  );

  // --- LEDs ---------------------------------------------------------------------------
  // Each period shows what happened in the one before, and what happens now.
  logic [LedLog2-1:0] period_q;
  logic               activity_q, fault_q;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      period_q       <= '0;
      activity_q     <= 1'b0;
      fault_q        <= 1'b0;
      led_activity_o <= 1'b0;
      led_fault_o    <= 1'b0;
    end else begin
      period_q <= period_q + 1'b1;
      if (period_q == '0) begin
        activity_q     <= activity;
        fault_q        <= fault;
        led_activity_o <= activity_q || activity;
        led_fault_o    <= fault_q || fault;
      end else if (activity || fault) begin
        activity_q     <= activity_q || activity;
        fault_q        <= fault_q || fault;
        led_activity_o <= led_activity_o || activity;
        led_fault_o    <= led_fault_o || fault;
      end
    end
  end

endmodule

`default_nettype wire
