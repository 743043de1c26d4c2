// SPDX-License-Identifier: Apache-2.0
//
// In place of the device, for the test of the boards' tops with a link: nothing.

`default_nettype none

module rf_device #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter bit          MonitoredShadow = 1'b1,
  parameter int unsigned TimestampHz = 125_000_000,
  parameter int unsigned Tags = 16,
  parameter int unsigned TlbSetsLog2 = 5,
  parameter int unsigned Slots = 16,
  parameter bit          VectorEngine = 1'b1
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [63:0]  rx_tlp_data_i,
  input  wire logic [1:0]   rx_tlp_strb_i,
  input  wire logic [127:0] rx_tlp_hdr_i,
  input  wire logic         rx_tlp_error_i,
  input  wire logic         rx_tlp_valid_i,
  input  wire logic         rx_tlp_sop_i,
  input  wire logic         rx_tlp_eop_i,
  output logic              rx_tlp_ready_o,
  output logic [63:0]       tx_tlp_data_o,
  output logic [1:0]        tx_tlp_strb_o,
  output logic [127:0]      tx_tlp_hdr_o,
  output logic              tx_tlp_valid_o,
  output logic              tx_tlp_sop_o,
  output logic              tx_tlp_eop_o,
  input  wire logic         tx_tlp_ready_i,
  output logic [127:0]      tx_read_tlp_hdr_o,
  output logic              tx_read_tlp_valid_o,
  input  wire logic         tx_read_tlp_ready_i,
  input  wire rf_bus_pkg::link_status_t link_status_i,
  output logic              d3hot_o,
  output logic              extended_synch_o,
  output logic              idle_o,
  output logic [63:0]       trace_o
);

  assign {rx_tlp_ready_o, tx_tlp_data_o, tx_tlp_strb_o, tx_tlp_hdr_o, tx_tlp_valid_o,
          tx_tlp_sop_o, tx_tlp_eop_o, tx_read_tlp_hdr_o, tx_read_tlp_valid_o, d3hot_o,
          extended_synch_o, idle_o, trace_o} = '0;

  logic unused;
  assign unused = &{1'b0, clk_i, rst_ni, rx_tlp_data_i, rx_tlp_strb_i, rx_tlp_hdr_i,
                    rx_tlp_error_i, rx_tlp_valid_i, rx_tlp_sop_i, rx_tlp_eop_i, tx_tlp_ready_i,
                    tx_read_tlp_ready_i, link_status_i};

endmodule

`default_nettype wire
