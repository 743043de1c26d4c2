// SPDX-License-Identifier: Apache-2.0
//
// A PCIe link's state on a serial line, whether the link works or not: registers behind
// rf_frame_registers (docs/link-console.md has them). Its clock must run without the slot.
//
// status_i, of any clock: flags of the board; settings_o, restart_o: switches for its
// SERDES. events_i: pulses that rf_link_trace counts; a bad frame is the last of them. build_i,
// constant, is BUILD from Clarity on: what the bitstream was built with; with Switches gear and
// compensation are switches, which begin as built. sci_*: a byte of the SERDES' own registers;
// the address is steady for two cycles before and after a strobe of four.

`default_nettype none

module rf_link_console #(
  parameter int unsigned Divider = 62,             // cycles of a bit
  parameter int unsigned ClockHz = 62_500_000
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic                      rx_i,
  output logic                           tx_o,

  input  wire logic                      link_clk_i,
  input  wire rf_link_pkg::ltssm_state_e state_i,
  input  wire logic [5:0]                errors_i,
  input  wire logic                      rx_clk_i,

  input  wire logic [7:0]                build_i,
  input  wire logic [15:0]               status_i,
  input  wire logic [3:0]                flags_i,     // of status_i those that an entry has
  input  wire logic [6:0]                events_i,
  output logic [5:0]                     settings_o,
  output logic                           restart_o,

  output logic [5:0]                     sci_address_o,
  output logic [7:0]                     sci_data_o,
  output logic                           sci_common_o,
  output logic                           sci_channel_o,
  output logic                           sci_read_o,
  output logic                           sci_write_o,
  input  wire logic [7:0]                sci_data_i,
  output logic                           activity_o
);

  if (Divider < 4 || Divider > 1048576) begin : gen_bad_divider
    $error("a bit has at least four cycles");
  end
  if (ClockHz < 1_000_000 || ClockHz > 1_000_000_000) begin : gen_bad_clock_hz
    $error("1 MHz to 1 GHz");
  end

  // --- the line -----------------------------------------------------------------------
  logic        heard_valid, content_valid, content_end, content_good;
  logic        said_valid, said_ready, answer_valid, answer_last, answer_ready, bad_frame;
  logic        read_valid, write_valid;
  logic [7:0]  heard, content, said, answer;
  logic [11:0] address;
  logic [31:0] write_data, read_data_q;

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

  rf_frame_registers u_registers (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .byte_valid_i  (content_valid),
    .byte_i        (content),
    .end_i         (content_end),
    .good_i        (content_good),
    .valid_o       (answer_valid),
    .last_o        (answer_last),
    .data_o        (answer),
    .ready_i       (answer_ready),
    .read_valid_o  (read_valid),
    .write_valid_o (write_valid),
    .address_o     (address),
    .write_data_o  (write_data),
    .read_data_i   (read_data_q),
    .error_o       (bad_frame)
  );

  rf_frame_transmit u_frame_transmit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (answer_valid),
    .last_i  (answer_last),
    .data_i  (answer),
    .ready_o (answer_ready),
    .valid_o (said_valid),
    .data_o  (said),
    .ready_i (said_ready)
  );

  rf_uart_transmit #(.Divider(Divider)) u_uart_transmit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (said_valid),
    .ready_o (said_ready),
    .data_i  (said),
    .tx_o    (tx_o)
  );

  assign activity_o = content_end && content_good;

  // --- the link -----------------------------------------------------------------------
  logic        link_rst_n, rx_rst_n, freeze_q, clear_q, wrapped;
  logic [15:0] status_first_q, status_q;
  logic [11:0] link_speed, rx_speed;
  logic [3:0]  flags_first_q, flags_q;
  logic [8:0]  position;
  logic [31:0] now, traced;

  rf_reset u_link_reset (.clk_i(link_clk_i), .arst_ni(rst_ni), .rst_no(link_rst_n));
  rf_reset u_rx_reset (.clk_i(rx_clk_i), .arst_ni(rst_ni), .rst_no(rx_rst_n));

  rf_link_trace u_trace (
    .link_clk_i     (link_clk_i),
    .link_rst_ni    (link_rst_n),
    .state_i        (state_i),
    .errors_i       (errors_i),
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .flags_i        (flags_q),
    .events_i       ({bad_frame, events_i}),
    .freeze_i       (freeze_q),
    .clear_i        (clear_q),
    .position_o     (position),
    .wrapped_o      (wrapped),
    .now_o          (now),
    .read_i         (read_valid),
    .read_address_i (address[9:0]),
    .read_data_o    (traced)
  );

  rf_clock_meter #(.WindowLog2($clog2(rf_link_console_pkg::MeterWindow))) u_link_meter (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .other_clk_i  (link_clk_i),
    .other_rst_ni (link_rst_n),
    .count_o      (link_speed)
  );
  rf_clock_meter #(.WindowLog2($clog2(rf_link_console_pkg::MeterWindow))) u_rx_meter (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .other_clk_i  (rx_clk_i),
    .other_rst_ni (rx_rst_n),
    .count_o      (rx_speed)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {status_q, status_first_q} <= '0;
      {flags_q, flags_first_q}   <= '0;
    end else begin
      {status_q, status_first_q} <= {status_first_q, status_i};
      {flags_q, flags_first_q}   <= {flags_first_q, flags_i};
    end
  end

  // --- the SERDES' registers ------------------------------------------------------------
  logic [2:0] sci_q;           // cycles left, 7 to 1: two, a strobe of four, one more
  logic       sci_writes_q;
  logic [7:0] sci_byte_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sci_q         <= '0;
      sci_writes_q  <= 1'b0;
      sci_byte_q    <= '0;
      sci_address_o <= '0;
      sci_data_o    <= '0;
      sci_common_o  <= 1'b0;
      sci_channel_o <= 1'b0;
      sci_read_o    <= 1'b0;
      sci_write_o   <= 1'b0;
    end else begin
      sci_read_o  <= sci_q <= 3'd6 && sci_q >= 3'd3 && !sci_writes_q;
      sci_write_o <= sci_q <= 3'd6 && sci_q >= 3'd3 && sci_writes_q;
      if (sci_read_o) sci_byte_q <= sci_data_i;
      if (sci_q != '0) begin
        sci_q <= sci_q - 3'd1;
      end else if (write_valid && address == rf_link_console_pkg::RegSciRequest) begin
        sci_q         <= '1;
        sci_writes_q  <= write_data[rf_link_console_pkg::SciRequestWriteLsb];
        sci_common_o  <= write_data[rf_link_console_pkg::SciRequestCommonLsb];
        sci_channel_o <= !write_data[rf_link_console_pkg::SciRequestCommonLsb];
        sci_address_o <= write_data[rf_link_console_pkg::SciRequestAddressLsb +: 6];
        sci_data_o    <= write_data[rf_link_console_pkg::SciRequestByteLsb +: 8];
      end
    end
  end

  // --- registers ----------------------------------------------------------------------
  logic [31:0] build, settings, position_word, clocks, sci, fixed_q;
  logic [3:0]  settings_q;          // as SETTINGS has them, from present on
  logic [1:0]  built, other_q;      // as SETTINGS has gear and ctc: as built, what was changed
  logic        switches;

  assign built      = {build[rf_link_console_pkg::BuildCtcLsb],
                       build[rf_link_console_pkg::BuildGearLsb]};
  assign switches   = build[rf_link_console_pkg::BuildSwitchesLsb];
  assign settings_o = {switches ? built ^ other_q : 2'b00, settings_q};

  always_comb begin
    build = '0;
    build[rf_link_console_pkg::BuildVersionLsb +: 8] = 8'(rf_link_console_pkg::Version);
    build[rf_link_console_pkg::BuildClarityLsb +: 8] = build_i;
    build[rf_link_console_pkg::BuildClockLsb +: 16]  =
      16'(ClockHz / rf_link_console_pkg::ClockUnitHz);
    settings = '0;
    settings[rf_link_console_pkg::SettingsPresentLsb +: 4] = settings_q;
    settings[rf_link_console_pkg::SettingsFreezeLsb]       = freeze_q;
    settings[rf_link_console_pkg::SettingsGearLsb +: 2]    = settings_o[5:4];
    position_word = '0;
    position_word[rf_link_console_pkg::PositionNextLsb +: 9] = position;
    position_word[rf_link_console_pkg::PositionWrappedLsb]   = wrapped;
    clocks = '0;
    clocks[rf_link_console_pkg::ClocksLinkLsb +: 12]     = link_speed;
    clocks[rf_link_console_pkg::ClocksReceivedLsb +: 12] = rx_speed;
    sci = '0;
    sci[rf_link_console_pkg::SciByteLsb +: 8] = sci_byte_q;
    sci[rf_link_console_pkg::SciBusyLsb]      = sci_q != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      settings_q  <= '0;
      other_q     <= '0;
      freeze_q    <= 1'b0;
      restart_o   <= 1'b0;
      clear_q     <= 1'b0;
      fixed_q     <= '0;
      read_data_q <= '0;
    end else begin
      restart_o <= write_valid && address == rf_link_console_pkg::RegCommand &&
                   write_data[rf_link_console_pkg::CommandRestartLsb];
      clear_q   <= write_valid && address == rf_link_console_pkg::RegCommand &&
                   write_data[rf_link_console_pkg::CommandClearLsb];
      if (write_valid && address == rf_link_console_pkg::RegSettings) begin
        settings_q <= write_data[rf_link_console_pkg::SettingsPresentLsb +: 4];
        freeze_q   <= write_data[rf_link_console_pkg::SettingsFreezeLsb];
        other_q    <= write_data[rf_link_console_pkg::SettingsGearLsb +: 2] ^ built;
      end
      unique case (address[3:0])
        rf_link_console_pkg::RegIdentity[3:0]: fixed_q <= rf_link_console_pkg::Identity;
        rf_link_console_pkg::RegBuild[3:0]:    fixed_q <= build;
        rf_link_console_pkg::RegStatus[3:0]:   fixed_q <= {16'd0, status_q};
        rf_link_console_pkg::RegSettings[3:0]: fixed_q <= settings;
        rf_link_console_pkg::RegNow[3:0]:      fixed_q <= now;
        rf_link_console_pkg::RegPosition[3:0]: fixed_q <= position_word;
        rf_link_console_pkg::RegClocks[3:0]:   fixed_q <= clocks;
        rf_link_console_pkg::RegSci[3:0]:      fixed_q <= sci;
        default:                               fixed_q <= '0;
      endcase
      read_data_q <= address < rf_link_console_pkg::RegEntry ? fixed_q : traced;
    end
  end

  logic unused;
  assign unused = &{1'b0, write_data};

endmodule

`default_nettype wire
