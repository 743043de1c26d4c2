// SPDX-License-Identifier: Apache-2.0
//
// What rf_board_pcie.sv has of the link, without SERDES and device: rf_link_endpoint, whose TLPs go nowhere,
// and the console. With script_i the console is told states and errors that are inputs here.

`default_nettype none

module rf_link_board #(
  parameter int unsigned Divider = 4,
  parameter int unsigned Millisecond = 20   // as in rf_link_endpoint
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic                      rx_i,
  output logic                           tx_o,

  input  wire logic                      link_clk_i,
  input  wire logic                      link_rst_ni,
  input  wire logic                      rx_clk_i,
  input  wire logic                      rx_rst_ni,
  input  wire rf_link_pkg::word_t        rx_word_i,
  input  wire logic                      rx_idle_i,
  output logic                           rx_invert_o,
  output logic [17:0]                    tx_word_o,
  output logic                           tx_idle_o,
  output logic                           detect_o,
  input  wire logic                      detect_done_i,
  input  wire logic                      detect_present_i,
  output logic                           active_o,
  output rf_link_pkg::ltssm_state_e      state_o,

  input  wire logic                      script_i,
  input  wire rf_link_pkg::ltssm_state_e state_i,
  input  wire logic [5:0]                errors_i,

  input  wire logic [7:0]                build_i,   // of rf_link_console, as the rest
  input  wire logic [15:0]               status_i,
  input  wire logic [3:0]                flags_i,
  output logic [5:0]                     settings_o,
  output logic                           restart_o,
  output logic [5:0]                     sci_address_o,
  output logic [7:0]                     sci_data_o,
  output logic                           sci_common_o,
  output logic                           sci_write_o,
  input  wire logic [7:0]                sci_data_i
);

  rf_link_pkg::errors_t errors;

  rf_link_endpoint #(
    .Millisecond (Millisecond)
  ) u_endpoint (
    .clk_i               (link_clk_i),
    .rst_ni              (link_rst_ni),
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
    .device_clk_i        (clk_i),
    .device_rst_no       (),
    .rx_tlp_data_o       (),
    .rx_tlp_strb_o       (),
    .rx_tlp_hdr_o        (),
    .rx_tlp_error_o      (),
    .rx_tlp_valid_o      (),
    .rx_tlp_sop_o        (),
    .rx_tlp_eop_o        (),
    .rx_tlp_ready_i      (1'b1),
    .tx_tlp_data_i       (64'd0),
    .tx_tlp_strb_i       (2'd0),
    .tx_tlp_hdr_i        (128'd0),
    .tx_tlp_valid_i      (1'b0),
    .tx_tlp_eop_i        (1'b0),
    .tx_tlp_ready_o      (),
    .tx_read_tlp_hdr_i   (128'd0),
    .tx_read_tlp_valid_i (1'b0),
    .tx_read_tlp_ready_o (),
    .d3hot_i             (1'b0),
    .extended_synch_i    (1'b0),
    .link_status_o       (),
    .active_o            (active_o),
    .state_o             (state_o),
    .errors_o            (errors)
  );

  rf_link_console #(
    .Divider (Divider)
  ) u_console (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .rx_i          (rx_i),
    .tx_o          (tx_o),
    .link_clk_i    (link_clk_i),
    .state_i       (script_i ? state_i : state_o),
    .errors_i      (script_i ? errors_i : errors),
    .rx_clk_i      (rx_clk_i),
    .build_i       (build_i),
    .status_i      (status_i),
    .flags_i       (flags_i),
    .events_i      (7'd0),
    .settings_o    (settings_o),
    .restart_o     (restart_o),
    .sci_address_o (sci_address_o),
    .sci_data_o    (sci_data_o),
    .sci_common_o  (sci_common_o),
    .sci_channel_o (),
    .sci_read_o    (),
    .sci_write_o   (sci_write_o),
    .sci_data_i    (sci_data_i),
    .activity_o    ()
  );

endmodule

`default_nettype wire
