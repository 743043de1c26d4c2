// SPDX-License-Identifier: Apache-2.0
//
// Lattice Versa ECP5-5G, LFE5UM5G-45F: the device on the board's USB serial port, and the SERDES
// of its PCIe connector. No link layer is connected yet: received data is looped back to the
// transmitter, so that both directions are timed, and the transmitter stays in electrical idle.
// Pins are in constraints/versa_ecp5_5g.lpf.

`default_nettype none

module rf_versa_ecp5_5g (
  input  wire logic clk_100mhz_i,
  input  wire logic button_ni,          // reset
  input  wire logic uart_rx_i,
  output logic      uart_tx_o,
  output logic      led_link_no,
  output logic      led_activity_no,
  output logic      led_fault_no,
  output logic      led_clock_no,       // the PLL has locked
  output logic      led_pcie_signal_no, // the slot's transmitter is not idle
  output logic      led_pcie_valid_no,  // and its symbols are found

  input  wire logic pcie_rst_ni,        // PERST#
  input  wire logic pcie_refclk_p_i,
  input  wire logic pcie_refclk_n_i,
  input  wire logic pcie_rx_p_i,
  input  wire logic pcie_rx_n_i,
  output logic      pcie_tx_p_o,
  output logic      pcie_tx_n_o
);

  logic clk, locked, link, activity, fault;

  assign {led_clock_no, led_link_no, led_activity_no, led_fault_no} =
      ~{locked, link, activity, fault};

  // 62.5 MHz
  rf_ecp5_clock #(.Input(8), .Feedback(5), .Output(10)) u_clock (
    .oscillator_i (clk_100mhz_i),
    .clk_o        (clk),
    .locked_o     (locked)
  );

  // 62 cycles: 0.8 % faster than 1 Mbaud
  // 32 KiB of local memory: each block RAM more takes wire, of which a 45F has too little.
  rf_board #(.Divider(62), .TimestampHz(62_500_000), .LocalMemoryLog2(15), .Slots(8)) u_board (
    .clk_i          (clk),
    .arst_ni        (locked && button_ni),
    .rx_i           (uart_rx_i),
    .tx_o           (uart_tx_o),
    .led_link_o     (link),
    .led_activity_o (activity),
    .led_fault_o    (fault)
  );

  // --- the connector ------------------------------------------------------------------
  logic        pcie_clk, pcie_rst_n, serdes_ready, valid, idle, detect_done, detected;
  logic [15:0] rx_data, data_q;
  logic [1:0]  rx_data_k, data_k_q;
  logic [5:0]  rx_status, status_q;
  logic        unused;

  rf_reset u_pcie_reset (.clk_i(pcie_clk), .arst_ni(pcie_rst_ni), .rst_no(pcie_rst_n));

  rf_ecp5_serdes u_serdes (
    .refclk_p_i           (pcie_refclk_p_i),
    .refclk_n_i           (pcie_refclk_n_i),
    .rst_ni               (pcie_rst_ni),
    .rx_p_i               (pcie_rx_p_i),
    .rx_n_i               (pcie_rx_n_i),
    .tx_p_o               (pcie_tx_p_o),
    .tx_n_o               (pcie_tx_n_o),
    .pclk_o               (pcie_clk),
    .ready_o              (serdes_ready),
    .tx_data_i            (data_q),
    .tx_data_k_i          (data_k_q),
    .tx_electrical_idle_i (1'b1),
    .rx_data_o            (rx_data),
    .rx_data_k_o          (rx_data_k),
    .rx_status_o          (rx_status),
    .rx_valid_o           (valid),
    .rx_electrical_idle_o (idle),
    .detect_i             (1'b0),
    .detect_start_i       (1'b0),
    .detect_done_o        (detect_done),
    .detected_o           (detected)
  );

  assign unused = &{1'b0, serdes_ready, detect_done, detected};
  assign led_pcie_signal_no = idle;
  // A symbol that was decoded wrongly has a status of its own.
  assign led_pcie_valid_no = !(valid && status_q == '0);

  always_ff @(posedge pcie_clk or negedge pcie_rst_n) begin
    if (!pcie_rst_n) begin
      data_q   <= '0;
      data_k_q <= '0;
      status_q <= '0;
    end else begin
      data_q   <= rx_data;
      data_k_q <= rx_data_k;
      status_q <= rx_status;
    end
  end

endmodule

`default_nettype wire
