// SPDX-License-Identifier: Apache-2.0
//
// State that the fence unit keeps per queue slot: addresses of the progress fence, both logs with
// their {WraparoundCount, FirstFreeEntryIndex} (counted here, never read back from memory),
// PROGRESS_VALUE, and the queue handle (a copy of SLOT_CONFIG).
//
// All of it is in one block RAM of 16 words per slot with one access per cycle, in this order of
// priority: clearing after reset, register access, new state of a log, progress value, switch of
// a log, handle, lookup. Clearing takes 256 cycles, in which no register may be written (PCIe
// allows a device 100 ms).
//
// LOG_SWITCH (S0-104): a slot with a pending switch starts no operation. When its operation in
// progress is done and its writes are performed, the log takes its new place with index 0 and the
// bit reads 0; the completion of that read follows those writes.
//
// Promises: a switch is taken within 200 free cycles once its slot is free.

`default_nettype none

module rf_fence_slots (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  // What the operation on offer of each node needs of its slot, in two words: of a log its state
  // {WraparoundCount, entries, FirstFreeEntryIndex} and its address, of the progress
  // fence the address of CurrentValue and that of MonitoredValue. lookup_word_o is the
  // first one under lookup_ready_o; the second one in the cycle after both
  // lookup_ready_o and lookup_take_i of the node whose words are read.
  input  wire logic                                 lookup_node_i,
  input  wire logic [7:0]                           lookup_slot_i,
  input  wire logic [1:0]                           lookup_log_i,      // else progress fence
  input  wire logic [1:0]                           lookup_signal_i,   // which log
  output logic [1:0]                                lookup_ready_o,
  input  wire logic                                 lookup_take_i,
  output logic [63:0]                               lookup_word_o,
  output logic                                      lookup_nowhere_o, // of a progress fence: the
                                                                      // first word is 0

  input  wire logic [15:0]                          busy_i,            // an operation is under way
  output logic [15:0]                               switching_o,
  output logic [15:0]                               switching_next_o,  // ... in the next cycle

  // The new state of a log; stays until it is taken.
  input  wire logic                                 store_valid_i,
  output logic                                      store_ready_o,
  input  wire logic [4:0]                           store_log_i,       // {signal, slot}
  input  wire logic [63:0]                          store_state_i,

  // The value of a progress fence; stays until it is taken.
  input  wire logic                                 progress_valid_i,
  output logic                                      progress_ready_o,
  input  wire logic [63:0]                          progress_value_i,
  input  wire logic [3:0]                           decided_slot_i, // its slot, and the handle's

  // handle_o is of the slot in the cycle after both valid and ready.
  input  wire logic                                 handle_valid_i,
  output logic                                      handle_ready_o,
  output logic [31:0]                               handle_o,

  /* verilator lint_off UNUSEDSIGNAL */ // write: slot_write_i says it
  input  wire        rf_bus_pkg::register_request_t register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic                                 slot_read_i,       // it is an access to a
  input  wire logic                                 slot_write_i,      // register of slot_i
  input  wire logic [3:0]                           slot_i,
  output logic [63:0]                               register_data_o,
  output logic                                      idle_o             // cleared
);

  // --- words of a slot, those that are registers by the low bits of their address -------
  localparam logic [3:0] Progress    = rf_pkg::RegSlotProgressAddress[6:3];
  localparam logic [3:0] Monitored   = rf_pkg::RegSlotProgressMonitoredAddress[6:3];
  localparam logic [3:0] ProgressValue = rf_pkg::RegSlotProgressValue[6:3];
  localparam logic [3:0] WaitNext    = rf_pkg::RegSlotWaitLogAddress[6:3];
  localparam logic [3:0] SignalNext  = rf_pkg::RegSlotSignalLogAddress[6:3];
  localparam logic [3:0] EntriesNext = rf_pkg::RegSlotLogEntries[6:3];
  localparam logic [3:0] WaitState   = rf_pkg::RegSlotWaitLogState[6:3];
  localparam logic [3:0] SignalState = rf_pkg::RegSlotSignalLogState[6:3];
  localparam logic [3:0] WaitBase    = 4'd2;   // where the log in use is
  localparam logic [3:0] SignalBase  = 4'd3;
  localparam logic [3:0] Handle      = 4'd4;   // the upper half of SLOT_CONFIG

  // --- register decode ------------------------------------------------------------------
  localparam logic [4:0] Config        = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] LogSwitch     = rf_pkg::RegSlotLogSwitch[7:3];

  logic        kept, state, place;
  logic [3:0]  number_place;   // of the register in the memory
  logic [4:0]  number;
  /* verilator lint_off UNUSEDSIGNAL */ // the number of the register alone
  logic [16:3] address;
  /* verilator lint_on UNUSEDSIGNAL */
  assign address = register_i.address;
  assign number  = address[7:3];
  assign kept    = number == rf_pkg::RegSlotProgressAddress[7:3] ||
                   number == rf_pkg::RegSlotProgressMonitoredAddress[7:3] ||
                   number == rf_pkg::RegSlotProgressValue[7:3] ||
                   number == rf_pkg::RegSlotWaitLogAddress[7:3] ||
                   number == rf_pkg::RegSlotSignalLogAddress[7:3] ||
                   number == rf_pkg::RegSlotLogEntries[7:3];
  assign state   = number == rf_pkg::RegSlotWaitLogState[7:3] ||
                   number == rf_pkg::RegSlotSignalLogState[7:3];
  assign place   = number == rf_pkg::RegSlotWaitLogPlace[7:3] ||
                   number == rf_pkg::RegSlotSignalLogPlace[7:3];
  assign number_place = number[4:3] == 2'b11 ? {WaitBase[3:1], number[0]} :
                        number[4:3] == 2'b00 ? Handle : number[3:0];

  // --- switch of logs: a walk over all of them, in steps of a free cycle each ---------------
  typedef enum logic [2:0] {
    Look,         // is this log to be switched?
    FetchBase,    // its new address is read,
    KeepBase,     // comes,
    StoreBase,    // and is written to its place, while the sizes of the logs are read,
    KeepEntries,  // come,
    StoreState    // and make its new state, with index 0
  } walk_e;
  walk_e       walk_q, walk_d;
  logic [4:0]  log_q;      // the log looked at: {signal, slot}
  logic [31:0] switch_q, switch_d; // {signal, slot}
  logic        taken, free, due, switched;
  logic [31:0] asked;
  logic [15:0] asked_slot;

  assign taken       = register_i.valid || store_valid_i || progress_valid_i;
  assign free        = idle_o && !taken;
  assign due         = switch_q[log_q] && !busy_i[log_q[3:0]];
  assign switched    = walk_q == StoreState && free;
  assign asked_slot  = slot_write_i && register_i.strobe[0] && number == LogSwitch
                       ? 16'd1 << slot_i : '0;
  assign asked       = {register_i.data[rf_pkg::SlotLogSwitchSignalLsb] ? asked_slot : 16'd0,
                        register_i.data[rf_pkg::SlotLogSwitchWaitLsb] ? asked_slot : 16'd0};
  assign switch_d    = (switch_q & ~(switched ? 32'd1 << log_q : 32'd0)) | asked;
  assign switching_o = switch_q[31:16] | switch_q[15:0];
  assign switching_next_o = switch_d[31:16] | switch_d[15:0];

  always_comb begin
    walk_d = walk_q;
    unique case (walk_q)
      Look:        if (due) walk_d = FetchBase;
      FetchBase:   if (free) walk_d = KeepBase;
      KeepBase:    walk_d = StoreBase;
      StoreBase:   if (free) walk_d = KeepEntries;
      KeepEntries: walk_d = StoreState;
      default:     if (free) walk_d = Look;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      walk_q   <= Look;
      log_q    <= '0;
      switch_q <= '0;
    end else begin
      switch_q <= switch_d;
      walk_q   <= walk_d;
      if (switched || (walk_q == Look && !due)) log_q <= log_q + 1'b1;
    end
  end

  // --- the memory -------------------------------------------------------------------------
  logic [8:0]  clear_q;
  logic        walks, lookup, second, write, for_log, for_signal;
  logic [7:0]  write_address, read_address;
  logic [63:0] write_data, word, kept_q;
  logic [15:0] entries;
  logic [3:0]  for_slot;
  assign idle_o           = clear_q[8];
  assign store_ready_o    = !register_i.valid;
  assign progress_ready_o = idle_o && !register_i.valid && !store_valid_i;
  assign walks            = walk_q == FetchBase || walk_q == StoreBase || walk_q == StoreState;
  assign handle_ready_o   = !taken && !walks;
  assign lookup           = free && !walks && !handle_valid_i;
  assign second           = lookup_ready_o[lookup_node_i] && lookup_take_i;
  assign for_slot         = lookup_node_i ? lookup_slot_i[7:4] : lookup_slot_i[3:0];
  assign for_log          = lookup_log_i[lookup_node_i];
  assign for_signal       = lookup_signal_i[lookup_node_i];
  assign entries          = log_q[4] ? kept_q[31:16] : kept_q[15:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clear_q <= '0;
    else if (!idle_o) clear_q <= clear_q + 1'b1;
  end
  always_ff @(posedge clk_i) if (walk_q == KeepBase || walk_q == KeepEntries) kept_q <= word;

  always_comb begin
    write         = !idle_o;
    write_address = clear_q[7:0];
    write_data    = '0;
    if (idle_o) begin
      if (register_i.valid) begin
        write         = slot_write_i && (kept || state || place || number == Config);
        write_address = {slot_i, number_place};
        write_data    = register_i.data;
      end else if (store_valid_i) begin
        write         = 1'b1;
        write_address = {store_log_i[3:0], store_log_i[4] ? SignalState : WaitState};
        write_data    = store_state_i;
      end else if (progress_valid_i) begin
        write         = 1'b1;
        write_address = {decided_slot_i, ProgressValue};
        write_data    = progress_value_i;
      end else begin
        write         = walk_q == StoreBase || walk_q == StoreState;
        write_address = {log_q[3:0], walk_q == StoreBase ? (log_q[4] ? SignalBase : WaitBase)
                                                         : (log_q[4] ? SignalState : WaitState)};
        write_data    = walk_q == StoreBase ? kept_q : {32'd0, entries, 16'd0};
      end
    end
  end

  always_comb begin
    if (register_i.valid) read_address = {slot_i, number_place};
    else if (walk_q == FetchBase) read_address = {log_q[3:0], log_q[4] ? SignalNext : WaitNext};
    else if (walk_q == StoreBase) read_address = {log_q[3:0], EntriesNext};
    else if (handle_valid_i) read_address = {decided_slot_i, Handle};
    else if (for_log) begin
      read_address = {for_slot, second ? (for_signal ? SignalBase : WaitBase)
                                       : (for_signal ? SignalState : WaitState)};
    end else begin
      read_address = {for_slot, second ? Monitored : Progress};
    end
  end

  rf_ram #(.Width(64), .DepthLog2(8)) u_words (
    .clk_i,
    .write_i(write), .write_address_i(write_address), .write_data_i(write_data),
    .write_strobe_i(register_i.valid && idle_o ? register_i.strobe : '1),
    .read_i(1'b1), .read_address_i(read_address), .read_data_o(word));

  // Which bytes of the progress fence's address are not 0, beside the words: these come out of a
  // block RAM.
  logic       nonzero_write;
  logic [7:0] nonzero_kept, nonzero_data, nonzero;
  assign nonzero_write = write && write_address[3:0] == Progress;
  always_comb begin
    nonzero_data = '0;
    if (nonzero_write && idle_o) begin
      for (int unsigned b = 0; b < 8; b++) begin
        nonzero_data[b] = register_i.strobe[b] ? register_i.data[8*b +: 8] != '0 : nonzero_kept[b];
      end
    end
  end
  rf_lutram #(.Width(8)) u_nonzero_kept (
    .clk_i, .write_i(nonzero_write), .write_address_i(write_address[7:4]),
    .write_data_i(nonzero_data), .read_address_i(write_address[7:4]), .read_data_o(nonzero_kept));
  rf_lutram #(.Width(8)) u_nonzero (
    .clk_i, .write_i(nonzero_write), .write_address_i(write_address[7:4]),
    .write_data_i(nonzero_data), .read_address_i(for_slot), .read_data_o(nonzero));
  always_ff @(posedge clk_i) lookup_nowhere_o <= nonzero == '0;

  // The word is of the lookup on offer, read in a cycle without a write. For each node by itself:
  // what follows goes far.
  logic       looked_q, looked_log_q, looked_signal_q;
  logic [3:0] looked_slot_q;
  for (genvar n = 0; n < 2; n++) begin : gen_node
    assign lookup_ready_o[n] = lookup && looked_q && looked_slot_q == lookup_slot_i[n*4 +: 4] &&
                               looked_log_q == lookup_log_i[n] &&
                               looked_signal_q == lookup_signal_i[n];
  end
  assign lookup_word_o  = word;
  assign handle_o       = word[rf_pkg::SlotConfigHandleLsb +: rf_pkg::SlotConfigHandleWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) looked_q <= 1'b0;
    else looked_q <= lookup && !second;
  end
  always_ff @(posedge clk_i) begin
    looked_slot_q   <= for_slot;
    looked_log_q    <= for_log;
    looked_signal_q <= for_signal;
  end

  // --- register reads -----------------------------------------------------------------------
  logic       read_kept_q, read_switch_q;
  logic [3:0] slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_kept_q   <= 1'b0;
      read_switch_q <= 1'b0;
    end else begin
      read_kept_q   <= slot_read_i && (kept || state || place);
      read_switch_q <= slot_read_i && number == LogSwitch;
    end
  end
  always_ff @(posedge clk_i) slot_q <= slot_i;

  assign register_data_o =
      ({64{read_kept_q}}   & word) |
      ({64{read_switch_q}} & {62'd0, switch_q[{1'b1, slot_q}], switch_q[{1'b0, slot_q}]});

endmodule

`default_nettype wire
