// SPDX-License-Identifier: Apache-2.0
//
// What the fence unit keeps per queue slot: addresses of the progress fence, the
// two logs with their {WraparoundCount, FirstFreeEntryIndex}, which is counted here
// and never read back from memory, and the queue handle (a copy of SLOT_CONFIG).
//
// LOG_SWITCH (S0-104): a slot with a switch pending starts no operation; when its
// operation under way is done, whose writes are then performed, the log takes its
// new place and starts at 0, and the bit reads 0. The completion of that read
// follows those writes.
//
// A register request is decoded in its cycle and served in the next.
// Promises: lookup_* is valid in the cycle of lookup_ready_o (a read of the same
// registers goes first); a switch is taken within 32 cycles once its slot is free.

`default_nettype none

module rf_fence_slots (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  // One operation looks up all it needs.
  input  wire logic [3:0]                           lookup_slot_i,
  input  wire logic                                 lookup_signal_i,   // which log
  output logic                                      lookup_ready_o,
  output logic [63:0]                               lookup_progress_o,
  output logic [63:0]                               lookup_monitored_o,
  output logic [63:6]                               lookup_log_base_o,
  output logic [15:0]                               lookup_log_entries_o, // 0: no log
  output logic [31:0]                               lookup_log_wraps_o,
  output logic [15:0]                               lookup_log_free_o,

  input  wire logic [15:0]                          busy_i,            // an operation is under way
  output logic [15:0]                               switching_o,

  input  wire logic                                 log_write_i,
  input  wire logic [4:0]                           log_write_log_i,   // {signal, slot}
  input  wire logic [31:0]                          log_write_wraps_i,
  input  wire logic [15:0]                          log_write_free_i,

  input  wire logic                                 progress_write_i,
  input  wire logic [3:0]                           progress_slot_i,
  input  wire logic [63:0]                          progress_value_i,

  input  wire logic [3:0]                           handle_slot_i,
  output logic [31:0]                               handle_o,

  input  wire        rf_bus_pkg::register_request_t register_i,
  output logic [63:0]                               register_data_o
);

  // --- register decode: word of a slot ----------------------------------------------
  logic [16:0] address;
  logic        in_slots, read, write;
  logic [1:0]  strobe;
  logic [7:0]  offset;
  logic [3:0]  slot;
  logic [63:0] data;
  assign address  = {register_i.address, 3'b000} - rf_pkg::RegSlotRingBase;
  assign in_slots = address[16:12] == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read  <= 1'b0;
      write <= 1'b0;
    end else begin
      read  <= register_i.valid && !register_i.write && in_slots;
      write <= register_i.valid && register_i.write && in_slots;
    end
  end
  always_ff @(posedge clk_i) begin
    slot   <= address[11:8];
    offset <= address[7:0];
    strobe <= {register_i.strobe[4], register_i.strobe[0]};
    data   <= register_i.data;
  end

  // Offset of a register in its slot.
  localparam logic [16:0] Config        = rf_pkg::RegSlotConfig - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] Progress      = rf_pkg::RegSlotProgressAddress - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] Monitored     =
      rf_pkg::RegSlotProgressMonitoredAddress - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] ProgressValue = rf_pkg::RegSlotProgressValue - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] WaitLog       = rf_pkg::RegSlotWaitLogAddress - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] SignalLog     = rf_pkg::RegSlotSignalLogAddress - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] LogEntries    = rf_pkg::RegSlotLogEntries - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] LogSwitch     = rf_pkg::RegSlotLogSwitch - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] WaitState     = rf_pkg::RegSlotWaitLogState - rf_pkg::RegSlotRingBase;
  localparam logic [16:0] SignalState   = rf_pkg::RegSlotSignalLogState - rf_pkg::RegSlotRingBase;

  // --- lookup and register reads share some read ports -----------------------------------
  logic [3:0] port_slot;
  logic       port_signal, log_state, read_lookup, read_next;
  assign log_state      = offset == WaitState[7:0] || offset == SignalState[7:0];
  assign read_lookup    = read && (offset == Progress[7:0] || offset == Monitored[7:0] ||
                                   log_state);
  assign read_next      = read && (offset == WaitLog[7:0] || offset == SignalLog[7:0] ||
                                   offset == LogEntries[7:0]);
  assign lookup_ready_o = !read_lookup;
  assign port_slot      = read_lookup ? slot : lookup_slot_i;
  assign port_signal    = read_lookup ? offset == SignalState[7:0] : lookup_signal_i;

  rf_fence_register u_progress (
    .clk_i, .rst_ni, .write_i(write && offset == Progress[7:0] ? strobe : '0),
    .write_address_i(slot), .write_data_i(data),
    .read_address_i(port_slot), .read_data_o(lookup_progress_o));
  rf_fence_register u_monitored (
    .clk_i, .rst_ni, .write_i(write && offset == Monitored[7:0] ? strobe : '0),
    .write_address_i(slot), .write_data_i(data),
    .read_address_i(port_slot), .read_data_o(lookup_monitored_o));

  logic [63:0] progress_value;
  rf_fence_register u_progress_value (
    .clk_i, .rst_ni, .write_i({2{progress_write_i}}),
    .write_address_i(progress_slot_i), .write_data_i(progress_value_i),
    .read_address_i(slot), .read_data_o(progress_value));

  rf_lutram #(.Width(32), .DepthLog2(4)) u_handle (
    .clk_i, .write_i(write && offset == Config[7:0] && strobe[1]),
    .write_address_i(slot),
    .write_data_i(data[rf_pkg::SlotConfigHandleLsb +: rf_pkg::SlotConfigHandleWidth]),
    .read_address_i(handle_slot_i), .read_data_o(handle_o));

  // --- logs as the host names them, and the walk that takes them ------------------------
  logic [31:0] switch_q;   // {signal, slot}
  logic [4:0]  walk_q;     // the log looked at
  logic        take;
  logic [31:0] taken, switched;
  logic [15:0] switched_slot;
  logic [63:0] next_base;
  logic [31:0] next_entries;
  logic [15:0] taken_entries;

  assign switching_o   = switch_q[31:16] | switch_q[15:0] | switched[31:16] | switched[15:0];
  assign take          = switch_q[walk_q] && !busy_i[walk_q[3:0]] && !read_next && !log_write_i;
  assign taken         = take ? 32'd1 << walk_q : '0;
  assign switched_slot = write && offset == LogSwitch[7:0] && strobe[0] ? 16'd1 << slot : '0;
  assign switched      =
      {data[rf_pkg::SlotLogSwitchSignalLsb] ? switched_slot : 16'd0,
       data[rf_pkg::SlotLogSwitchWaitLsb] ? switched_slot : 16'd0};
  assign taken_entries = walk_q[4] ? next_entries[31:16] : next_entries[15:0];

  rf_fence_register #(.DepthLog2(5)) u_next_base (
    .clk_i, .rst_ni,
    .write_i(write && (offset == WaitLog[7:0] || offset == SignalLog[7:0]) ? strobe : '0),
    .write_address_i({offset == SignalLog[7:0], slot}), .write_data_i(data),
    .read_address_i(read_next ? {offset == SignalLog[7:0], slot} : walk_q),
    .read_data_o(next_base));
  rf_fence_register #(.Halves(1)) u_next_entries (
    .clk_i, .rst_ni, .write_i(write && offset == LogEntries[7:0] && strobe[0]),
    .write_address_i(slot), .write_data_i(data[31:0]),
    .read_address_i(read_next ? slot : walk_q[3:0]), .read_data_o(next_entries));

  // --- logs in use --------------------------------------------------------------------------
  logic [31:0] log_valid_q;
  logic [15:0] log_entries;
  logic [31:0] log_wraps;
  logic [15:0] log_free;
  logic        log_valid;
  assign log_valid = log_valid_q[{port_signal, port_slot}];

  rf_lutram #(.Width(58 + 16), .DepthLog2(5)) u_log (
    .clk_i, .write_i(take), .write_address_i(walk_q),
    .write_data_i({next_base[63:6], taken_entries}),
    .read_address_i({port_signal, port_slot}), .read_data_o({lookup_log_base_o, log_entries}));
  rf_lutram #(.Width(32 + 16), .DepthLog2(5)) u_log_state (
    .clk_i, .write_i(take || log_write_i), .write_address_i(take ? walk_q : log_write_log_i),
    .write_data_i(take ? '0 : {log_write_wraps_i, log_write_free_i}),
    .read_address_i({port_signal, port_slot}), .read_data_o({log_wraps, log_free}));

  assign lookup_log_entries_o = log_valid ? log_entries : '0;
  assign lookup_log_wraps_o   = log_wraps;
  assign lookup_log_free_o    = log_free;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      switch_q    <= '0;
      walk_q      <= '0;
      log_valid_q <= '0;
    end else begin
      walk_q <= walk_q + 1'b1;
      switch_q    <= (switch_q & ~taken) | switched;
      log_valid_q <= log_valid_q | taken;
    end
  end

  assign register_data_o =
      ({64{read && offset == Progress[7:0]}}      & lookup_progress_o) |
      ({64{read && offset == Monitored[7:0]}}     & lookup_monitored_o) |
      ({64{read && offset == ProgressValue[7:0]}} & progress_value) |
      ({64{read_next && offset != LogEntries[7:0]}} & next_base) |
      ({64{read_next && offset == LogEntries[7:0]}} & {32'd0, next_entries}) |
      ({64{read && offset == LogSwitch[7:0]}}     & {62'd0, switch_q[{1'b1, slot}],
                                                     switch_q[{1'b0, slot}]}) |
      ({64{read_lookup && log_state && log_valid}} & {log_wraps, 16'd0, log_free});

endmodule

`default_nettype wire
