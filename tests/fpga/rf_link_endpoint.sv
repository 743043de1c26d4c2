// SPDX-License-Identifier: Apache-2.0
//
// In place of the link, for the test of the boards' tops: what is received is sent, by way of
// registers of both clocks, and everything from and to the SERDES is used.

`default_nettype none

module rf_link_endpoint #(
  parameter int unsigned Millisecond = 1000,
  parameter bit          SlotClock = 1'b1
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
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
  output logic                      active_o,
  output rf_link_pkg::ltssm_state_e state_o,
  output rf_link_pkg::errors_t      errors_o
);

  rf_link_pkg::word_t word_q;
  logic [4:0]         state_q;

  rf_reset u_reset (.clk_i(device_clk_i), .arst_ni(rst_ni), .rst_no(device_rst_no));

  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) word_q <= '0;
    else word_q <= rx_word_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tx_word_o   <= '0;
      tx_idle_o   <= 1'b1;
      rx_invert_o <= 1'b0;
      detect_o    <= 1'b0;
      active_o    <= 1'b0;
      state_q     <= '0;
      errors_o    <= '0;
    end else begin
      tx_word_o   <= {word_q.k, word_q.data};
      tx_idle_o   <= rx_idle_i;
      rx_invert_o <= word_q.bad[0];
      detect_o    <= !detect_done_i;
      active_o    <= detect_present_i;
      state_q     <= word_q.data[4:0];
      errors_o    <= word_q.data[5:0];
    end
  end

  assign state_o = rf_link_pkg::ltssm_state_e'(state_q);
  assign {rx_tlp_data_o, rx_tlp_strb_o, rx_tlp_hdr_o, rx_tlp_error_o, rx_tlp_valid_o, rx_tlp_sop_o,
          rx_tlp_eop_o, tx_tlp_ready_o, tx_read_tlp_ready_o, link_status_o} = '0;

  logic unused;
  assign unused = &{1'b0, rx_tlp_ready_i, tx_tlp_data_i, tx_tlp_strb_i, tx_tlp_hdr_i,
                    tx_tlp_valid_i, tx_tlp_eop_i, tx_read_tlp_hdr_i, tx_read_tlp_valid_i, d3hot_i,
                    extended_synch_i};

endmodule

`default_nettype wire
