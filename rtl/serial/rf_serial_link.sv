// SPDX-License-Identifier: Apache-2.0
//
// The TLP streams of rf_device over a UART: every TLP arrives once and in order, whatever the line
// loses or damages (docs/serial-line.md: format, guarantees, limits). TLPs have at most 256 bytes
// of payload; a poisoned or malformed one is carried unchanged.
//
// The host resets the link by a frame with a new link number: device_rst_no is then low for 16
// cycles, and everything in progress is dropped. link_o: a host has done so; activity_o: high for
// a cycle with each good frame; error_o: with each bad one.

`default_nettype none

module rf_serial_link #(
  parameter int unsigned Divider = 125   // cycles of a bit
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         rx_i,
  output logic              tx_o,

  output logic              device_rst_no,
  input  wire logic         idle_i,

  output logic [63:0]       rx_tlp_data_o,
  output logic [1:0]        rx_tlp_strb_o,
  output logic [127:0]      rx_tlp_hdr_o,
  output logic              rx_tlp_valid_o,
  output logic              rx_tlp_sop_o,
  output logic              rx_tlp_eop_o,
  input  wire logic         rx_tlp_ready_i,

  input  wire logic [63:0]  tx_tlp_data_i,
  input  wire logic [1:0]   tx_tlp_strb_i,
  input  wire logic [127:0] tx_tlp_hdr_i,
  input  wire logic         tx_tlp_valid_i,
  input  wire logic         tx_tlp_eop_i,
  output logic              tx_tlp_ready_o,
  input  wire logic [127:0] tx_read_tlp_hdr_i,
  input  wire logic         tx_read_tlp_valid_i,
  output logic              tx_read_tlp_ready_o,

  output logic              link_o,
  output logic              activity_o,
  output logic              error_o
);

  if (Divider < 4 || Divider > 50000) begin : gen_bad_divider
    $error("a bit has 4 to 50000 cycles; times of replays are counted in 31 bits");
  end

  localparam int unsigned ByteCycles = 10 * Divider;

  // --- the line -----------------------------------------------------------------------
  logic       heard_valid, content_valid, content_end, content_good;
  logic [7:0] heard, content;
  logic       said_valid, said_ready, frame_valid, frame_last, frame_ready;
  logic [7:0] said, frame;

  rf_uart_receive #(.Divider(Divider)) u_uart_receive (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .rx_i    (rx_i),
    .valid_o (heard_valid),
    .data_o  (heard)
  );

  rf_frame_receive u_frame_receive (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (heard_valid),
    .data_i  (heard),
    .valid_o (content_valid),
    .data_o  (content),
    .end_o   (content_end),
    .good_o  (content_good)
  );

  rf_uart_transmit #(.Divider(Divider)) u_uart_transmit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (said_valid),
    .ready_o (said_ready),
    .data_i  (said),
    .tx_o    (tx_o)
  );

  rf_frame_transmit u_frame_transmit (
    .clk_i   (clk_i),
    .rst_ni  (device_rst_no),
    .valid_i (frame_valid),
    .last_i  (frame_last),
    .data_i  (frame),
    .ready_o (frame_ready),
    .valid_o (said_valid),
    .data_o  (said),
    .ready_i (said_ready)
  );

  // --- reset of the link --------------------------------------------------------------
  logic       link_reset;
  logic [7:0] link_reset_number, link_q;
  logic [3:0] reset_left_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      link_q        <= '0;
      link_o        <= 1'b0;
      reset_left_q  <= '1;
      device_rst_no <= 1'b0;
    end else if (link_reset) begin
      link_q        <= link_reset_number;
      link_o        <= 1'b1;
      reset_left_q  <= '1;
      device_rst_no <= 1'b0;
    end else if (reset_left_q != '0) begin
      reset_left_q  <= reset_left_q - 1'b1;
    end else begin
      device_rst_no <= 1'b1;
    end
  end

  // --- the link layer -----------------------------------------------------------------
  logic       ack_valid, nak, response, lost, receive_idle, ack_valid_q, nak_q;
  logic [7:0] ack, consumed, ack_q;
  logic       in_valid, in_last, in_ready, in_idle, out_valid, out_last, out_ready, out_idle;
  logic [7:0] in_byte, out_byte;

  assign activity_o = content_end && content_good;
  assign error_o = content_end && !content_good;

  rf_serial_receive u_receive (
    .clk_i        (clk_i),
    .rst_ni       (device_rst_no),
    .byte_valid_i (content_valid),
    .byte_i       (content),
    .end_i        (content_end),
    .good_i       (content_good),
    .link_i       (link_q),
    .reset_o      (link_reset),
    .reset_link_o (link_reset_number),
    .ack_valid_o  (ack_valid),
    .ack_o        (ack),
    .nak_o        (nak),
    .response_o   (response),
    .lost_o       (lost),
    .consumed_o   (consumed),
    .tlp_valid_o  (in_valid),
    .tlp_last_o   (in_last),
    .tlp_byte_o   (in_byte),
    .tlp_ready_i  (in_ready),
    .idle_o       (receive_idle)
  );

  rf_bytes_to_tlp u_bytes_to_tlp (
    .clk_i          (clk_i),
    .rst_ni         (device_rst_no),
    .valid_i        (in_valid),
    .last_i         (in_last),
    .data_i         (in_byte),
    .ready_o        (in_ready),
    .rx_tlp_data_o  (rx_tlp_data_o),
    .rx_tlp_strb_o  (rx_tlp_strb_o),
    .rx_tlp_hdr_o   (rx_tlp_hdr_o),
    .rx_tlp_valid_o (rx_tlp_valid_o),
    .rx_tlp_sop_o   (rx_tlp_sop_o),
    .rx_tlp_eop_o   (rx_tlp_eop_o),
    .rx_tlp_ready_i (rx_tlp_ready_i),
    .idle_o         (in_idle)
  );

  rf_tlp_to_bytes u_tlp_to_bytes (
    .clk_i               (clk_i),
    .rst_ni              (device_rst_no),
    .tx_tlp_data_i       (tx_tlp_data_i),
    .tx_tlp_strb_i       (tx_tlp_strb_i),
    .tx_tlp_hdr_i        (tx_tlp_hdr_i),
    .tx_tlp_valid_i      (tx_tlp_valid_i),
    .tx_tlp_eop_i        (tx_tlp_eop_i),
    .tx_tlp_ready_o      (tx_tlp_ready_o),
    .tx_read_tlp_hdr_i   (tx_read_tlp_hdr_i),
    .tx_read_tlp_valid_i (tx_read_tlp_valid_i),
    .tx_read_tlp_ready_o (tx_read_tlp_ready_o),
    .valid_o             (out_valid),
    .last_o              (out_last),
    .data_o              (out_byte),
    .ready_i             (out_ready),
    .idle_o              (out_idle)
  );

  // The transmitter is far from the receiver.
  always_ff @(posedge clk_i or negedge device_rst_no) begin
    if (!device_rst_no) ack_valid_q <= 1'b0;
    else ack_valid_q <= ack_valid;
  end
  always_ff @(posedge clk_i) {nak_q, ack_q} <= {nak, ack};

  // The device's idle_i comes late, so it is of two cycles before; what was on its way in then
  // may be in the device now.
  logic here_idle, here_idle_q, idle_q, quiet_q;
  assign here_idle = receive_idle && in_idle && out_idle;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {idle_q, here_idle_q, quiet_q} <= '0;
    else begin
      idle_q      <= idle_i;
      here_idle_q <= here_idle;
      quiet_q     <= idle_q && here_idle_q && here_idle;
    end
  end

  rf_serial_transmit #(
    .ReplayCycles (2048 * ByteCycles),
    .TickCycles   (512 * ByteCycles)
  ) u_transmit (
    .clk_i       (clk_i),
    .rst_ni      (device_rst_no),
    .tlp_valid_i (out_valid),
    .tlp_last_i  (out_last),
    .tlp_byte_i  (out_byte),
    .tlp_ready_o (out_ready),
    .ack_valid_i (ack_valid_q),
    .ack_i       (ack_q),
    .nak_i       (nak_q),
    .response_i  (response),
    .lost_i      (lost),
    .consumed_i  (consumed),
    .link_i      (link_q),
    .idle_i      (quiet_q && here_idle),
    .valid_o     (frame_valid),
    .last_o      (frame_last),
    .data_o      (frame),
    .ready_i     (frame_ready)
  );

endmodule

`default_nettype wire
