// SPDX-License-Identifier: Apache-2.0
//
// rf_device for a simulation that evaluates once a cycle. The clock rises with each change of step_i
// and falls by itself. With that edge rf_device takes the inputs of the cycle before, and those on
// show become the inputs of the cycle that begins, whose outputs are then shown. Because all that
// depends on the inputs changes together with the state, it is evaluated once, too.

`default_nettype none

module rf_device_stepped #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter bit          MonitoredShadow = 1'b1,
  parameter int unsigned Slots = 16,
  parameter bit          VectorEngine = 1'b1
) (
  input  wire logic         step_i,
  input  wire logic         rst_ni,

  // As they are in rf_device
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
  input  wire        rf_bus_pkg::link_status_t link_status_i, // never changes
  output logic              d3hot_o,
  output logic              extended_synch_o,
  output logic              idle_o,
  output logic [63:0]       trace_o
);

  logic         step_q = 1'b0;
  logic         clk;
  logic         rst_n;
  logic [63:0]  rx_data;
  logic [1:0]   rx_strb;
  logic [127:0] rx_hdr;
  logic         rx_error, rx_valid, rx_sop, rx_eop, tx_ready, tx_read_ready;

  assign clk = step_i ^ step_q;
  always_ff @(posedge clk) begin
    step_q        <= step_i;
    rst_n         <= rst_ni;
    rx_data       <= rx_tlp_data_i;
    rx_strb       <= rx_tlp_strb_i;
    rx_hdr        <= rx_tlp_hdr_i;
    rx_error      <= rx_tlp_error_i;
    rx_valid      <= rx_tlp_valid_i;
    rx_sop        <= rx_tlp_sop_i;
    rx_eop        <= rx_tlp_eop_i;
    tx_ready      <= tx_tlp_ready_i;
    tx_read_ready <= tx_read_tlp_ready_i;
  end

  rf_device #(
    .LocalMemoryLog2(LocalMemoryLog2),
    .MonitoredShadow(MonitoredShadow),
    .Slots          (Slots),
    .VectorEngine   (VectorEngine)
  ) u_device (
    .clk_i              (clk),
    .rst_ni             (rst_n),
    .rx_tlp_data_i      (rx_data),
    .rx_tlp_strb_i      (rx_strb),
    .rx_tlp_hdr_i       (rx_hdr),
    .rx_tlp_error_i     (rx_error),
    .rx_tlp_valid_i     (rx_valid),
    .rx_tlp_sop_i       (rx_sop),
    .rx_tlp_eop_i       (rx_eop),
    .tx_tlp_ready_i     (tx_ready),
    .tx_read_tlp_ready_i(tx_read_ready),
    .*
  );

endmodule

`default_nettype wire
