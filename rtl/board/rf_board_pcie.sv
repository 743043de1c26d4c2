// SPDX-License-Identifier: Apache-2.0
//
// A board with an ECP5 in a PCIe slot: the device behind its link and the SERDES, and the link's
// console on a UART. The board's own top has what differs between boards (clock, pins, levels).
//
// clk_i is the board's own clock, not half of the link's: the console has to work, and the SERDES
// to come out of reset, without a reference clock from the slot.
//
// led_link_o: the data link layer is active; led_l0_o: the LTSSM is in L0; led_signal_o: the
// slot's transmitter is not idle; led_symbols_o: the receiver is ready, and for 2^22 cycles (67 ms)
// no symbol was a code error.

`default_nettype none

module rf_board_pcie #(
  parameter int unsigned Divider = 62,              // cycles of a bit: 1 Mbaud
  parameter int unsigned LocalMemoryLog2 = 15,
  parameter int unsigned TimestampHz = 62_500_000,  // of clk_i
  parameter int unsigned Slots = 8,
  parameter bit          MonitoredShadow = 1'b1,    // as in rf_device, as the next one
  parameter bit          VectorEngine = 1'b1,
  parameter bit          Clarity = 1'b0,            // as in rf_ecp5_serdes
  parameter bit          Ctc = 1'b0,
  parameter bit          Gear = 1'b1,
  parameter bit          Switches = 1'b0
) (
  input  wire logic clk_i,
  input  wire logic arst_ni,         // of any clock
  input  wire logic uart_rx_i,
  output logic      uart_tx_o,
  output logic      led_link_o,
  output logic      led_l0_o,
  output logic      led_signal_o,
  output logic      led_symbols_o,

  input  wire logic perst_ni,
  input  wire logic refclk_p_i,
  input  wire logic refclk_n_i,
  input  wire logic rx_p_i,
  input  wire logic rx_n_i,
  output logic      tx_p_o,
  output logic      tx_n_o
);

  if (Divider < 4 || Divider > 50000) begin : gen_bad_divider
    $error("a bit has 4 to 50000 cycles");
  end
  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (TimestampHz < 1_000_000 || TimestampHz > 1_000_000_000) begin : gen_bad_timestamp_hz
    $error("1 MHz to 1 GHz");
  end
  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  logic rst_n;

  rf_reset u_reset (.clk_i(clk_i), .arst_ni(arst_ni), .rst_no(rst_n));

  // --- the SERDES ---------------------------------------------------------------------
  logic               pcie_clk, pcie_rst_n, pcie_rx_clk, pcie_rx_rst_n;
  logic               rx_idle, rx_invert, tx_idle, detect, detect_done, detect_present;
  logic               code_error, pll_lost, cdr_lost, detect_failed, restart;
  logic [5:0]         settings;
  logic [9:0]         serdes_status;
  logic [19:0]        rx_word;
  logic [17:0]        tx_word;
  logic [5:0]         sci_address;
  logic [7:0]         sci_written, sci_read_byte;
  logic               sci_common, sci_channel, sci_read, sci_write;

  rf_ecp5_serdes #(
    .Clarity  (Clarity),
    .Ctc      (Ctc),
    .Gear     (Gear),
    .Switches (Switches)
  ) u_serdes (
    .refclk_p_i       (refclk_p_i),
    .refclk_n_i       (refclk_n_i),
    .rx_p_i           (rx_p_i),
    .rx_n_i           (rx_n_i),
    .tx_p_o           (tx_p_o),
    .tx_n_o           (tx_n_o),
    .board_clk_i      (clk_i),
    .board_rst_ni     (rst_n),
    .perst_ni         (perst_ni),
    .restart_i        (restart),
    .settings_i       (settings),
    .status_o         (serdes_status),
    .code_error_o     (code_error),
    .pll_lost_o       (pll_lost),
    .cdr_lost_o       (cdr_lost),
    .detect_failed_o  (detect_failed),
    .sci_address_i    (sci_address),
    .sci_data_i       (sci_written),
    .sci_common_i     (sci_common),
    .sci_channel_i    (sci_channel),
    .sci_read_i       (sci_read),
    .sci_write_i      (sci_write),
    .sci_data_o       (sci_read_byte),
    .clk_o            (pcie_clk),
    .rst_no           (pcie_rst_n),
    .rx_clk_o         (pcie_rx_clk),
    .rx_rst_no        (pcie_rx_rst_n),
    .rx_word_o        (rx_word),
    .rx_idle_o        (rx_idle),
    .rx_invert_i      (rx_invert),
    .tx_word_i        (tx_word),
    .tx_idle_i        (tx_idle),
    .detect_i         (detect),
    .detect_done_o    (detect_done),
    .detect_present_o (detect_present)
  );

  // --- the device and its link --------------------------------------------------------
  logic                      active, idle, delivered;
  logic [1:0]                sent;
  logic [63:0]               trace;
  rf_link_pkg::ltssm_state_e state;
  rf_link_pkg::errors_t      errors;

  rf_device_linked #(
    .Slots           (Slots),
    .LocalMemoryLog2 (LocalMemoryLog2),
    .TlbSetsLog2     (4),  // half of what simulations have: a lookup is a cycle
    .TimestampHz     (TimestampHz),
    .MonitoredShadow (MonitoredShadow),
    .VectorEngine    (VectorEngine)
  ) u_device (
    .clk_i            (pcie_clk),
    .device_clk_i     (clk_i),
    .rst_ni           (pcie_rst_n),
    .rx_clk_i         (pcie_rx_clk),
    .rx_rst_ni        (pcie_rx_rst_n),
    .rx_word_i        (rx_word),
    .rx_idle_i        (rx_idle),
    .rx_invert_o      (rx_invert),
    .tx_word_o        (tx_word),
    .tx_idle_o        (tx_idle),
    .detect_o         (detect),
    .detect_done_i    (detect_done),
    .detect_present_i (detect_present),
    .active_o         (active),
    .state_o          (state),
    .errors_o         (errors),
    .delivered_o      (delivered),
    .sent_o           (sent),
    .idle_o           (idle),
    .trace_o          (trace)
  );

  // --- the console --------------------------------------------------------------------
  // The first bits of the parts of registers that the console takes
  localparam int unsigned Built  = rf_link_console_pkg::BuildClarityLsb;
  localparam int unsigned Flags  = rf_link_console_pkg::EntryRxReadyLsb;
  localparam int unsigned Events = rf_link_console_pkg::BoardCounters;

  logic                   perst_first_q, perst_q, perst_last_q, activity;
  logic                   tx_ready, rx_ready, no_signal;
  logic [Built+7:Built]   build;
  logic [15:0]            status;
  logic [Flags+3:Flags]   flags;
  logic [Events+6:Events] events;

  assign tx_ready  = serdes_status[rf_link_console_pkg::StatusTxReadyLsb];
  assign rx_ready  = serdes_status[rf_link_console_pkg::StatusRxReadyLsb];
  assign no_signal = serdes_status[rf_link_console_pkg::StatusNoSignalLsb];

  always_comb begin
    build = '0;
    build[rf_link_console_pkg::BuildClarityLsb]  = Clarity;
    build[rf_link_console_pkg::BuildCtcLsb]      = Ctc;
    build[rf_link_console_pkg::BuildGearLsb]     = Gear;
    build[rf_link_console_pkg::BuildSwitchesLsb] = Switches;
    status = {6'd0, serdes_status};      // rf_ecp5_serdes has the first ten as STATUS has them
    status[rf_link_console_pkg::StatusPerstReleasedLsb]   = perst_q;
    status[rf_link_console_pkg::StatusReceiverPresentLsb] = detect_present;
    status[rf_link_console_pkg::StatusWiresSwappedLsb]    = rx_invert;
    status[rf_link_console_pkg::StatusLinkActiveLsb]      = active;
    flags[rf_link_console_pkg::EntryRxReadyLsb]       = rx_ready;
    flags[rf_link_console_pkg::EntrySignalLsb]        = !no_signal;
    flags[rf_link_console_pkg::EntryTxReadyLsb]       = tx_ready;
    flags[rf_link_console_pkg::EntryPerstReleasedLsb] = perst_q;
    events = '0;
    events[rf_link_console_pkg::CounterCodeErrors]              = code_error;
    events[rf_link_console_pkg::CounterPllLosses]               = pll_lost;
    events[rf_link_console_pkg::CounterCdrLosses]               = cdr_lost;
    events[rf_link_console_pkg::CounterDetectionsWithoutAnswer] = detect_failed;
    events[rf_link_console_pkg::CounterPerst]                   = perst_last_q && !perst_q;
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) {perst_last_q, perst_q, perst_first_q} <= '0;
    else {perst_last_q, perst_q, perst_first_q} <= {perst_q, perst_first_q, perst_ni};
  end

  rf_link_console #(
    .Divider (Divider),
    .ClockHz (TimestampHz)
  ) u_console (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .rx_i          (uart_rx_i),
    .tx_o          (uart_tx_o),
    .link_clk_i    (pcie_clk),
    .state_i       (state),
    .errors_i      (errors),
    .rx_clk_i      (pcie_rx_clk),
    .build_i       (build),
    .status_i      (status),
    .flags_i       (flags),
    .events_i      (events),
    .settings_o    (settings),
    .restart_o     (restart),
    .sci_address_o (sci_address),
    .sci_data_o    (sci_written),
    .sci_common_o  (sci_common),
    .sci_channel_o (sci_channel),
    .sci_read_o    (sci_read),
    .sci_write_o   (sci_write),
    .sci_data_i    (sci_read_byte),
    .activity_o    (activity)
  );

  // The cell's own word for symbols found, a bit of STATUS, is said to be stuck.
  logic [22:0] good_q;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) good_q <= '0;
    else if (!rx_ready || code_error) good_q <= '0;
    else if (!good_q[22]) good_q <= good_q + 23'd1;
  end

  assign led_link_o    = active;
  assign led_l0_o      = state == rf_link_pkg::L0;
  assign led_signal_o  = !no_signal;
  assign led_symbols_o = good_q[22];

  // There is no watch of the device here.
  logic unused;
  assign unused = &{1'b0, delivered, sent, trace, idle, activity};

endmodule

`default_nettype wire
