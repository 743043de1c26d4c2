// SPDX-License-Identifier: Apache-2.0
//
// Steps 1 and 2 of a signal (docs/architecture.md): the value, one aligned 8-byte write; then
// the log entry and the log header's word {WraparoundCount, FirstFreeEntryIndex} (S0-106 .. S0-113,
// S0-120). Requests go out back to back; the words of the log wait until the value is performed. If
// the value fails they are zeros and the old header: a zero entry is legal (S0-121), and the log
// never shows a signal that did not happen.
//
// Parts: rf_fence_log (where the entry goes, and the log's counters), rf_fence_tracker (operations
// whose writes are under way, and their end). FenceEndGpuTimestamp is the time at which the value
// was performed; it never decreases. With an index beyond the log, or of a progress fence without
// address, the operation writes nothing. Four operations without log may be in flight; one with
// log, or with an error, is alone.
// Promises: done in order, when all writes of the operation are performed. Cycles from start_i to
// write_valid_o: 1, of a wait log 2; to begun_o 2; from the last write, or the value, to done:
// none; to the log's first word: 1.

`default_nettype none

module rf_fence_write (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic [63:0]                         timestamp_i,

  input  wire logic                                start_i,        // only if ready_o
  output logic                                     ready_o,
  /* verilator lint_off UNUSEDSIGNAL */ // its log bit: see logged_i
  input  wire        rf_bus_pkg::fence_operation_t operation_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [63:0]                         word_i,         // of the operation, in order
  input  wire logic                                logged_i,
  input  wire logic [63:0]                         lookup_word_i,  // of its slot, two
  input  wire logic                                lookup_nowhere_i, // the first one is 0, of a
                                                                    // progress fence
  input  wire logic                                broken_i,       // of its slot

  // The operation has begun, without an error, and has this to compare.
  output logic                                     begun_o,
  output logic                                     begun_progress_o,
  output logic [3:0]                               begun_slot_o,
  output logic [3:0]                               begun_vmid_o,
  output logic [63:0]                              begun_address_o,
  output logic [63:0]                              begun_value_o,
  output logic [63:0]                              begun_monitored_o,

  // The log's new state.
  output logic                                     store_valid_o,
  input  wire logic                                store_ready_i,
  output logic [4:0]                               store_log_o,    // {signal, slot}
  output logic [63:0]                              store_state_o,

  output logic                                     write_valid_o,
  input  wire logic                                write_ready_i,
  output             rf_bus_pkg::write_request_t   write_o,
  output logic                                     write_data_valid_o,
  input  wire logic                                write_data_ready_i,
  output logic [63:0]                              write_data_o,
  input  wire logic                                write_done_i,
  input  wire logic [2:0]                          write_done_status_i,
  input  wire logic [1:0]                          write_done_level_i,

  output logic                                     done_valid_o,
  output logic [3:0]                               done_slot_o,
  output logic                                     done_log_only_o,
  output             rf_bus_pkg::failure_t         done_failure_o,
  output logic                                     done_fails_o,   // its error is not 0
  output logic                                     done_compare_o, // the comparison is next
  output logic                                     done_lost_o,    // ... but the value failed
  output logic                                     idle_o
);

  localparam logic [2:0] EntryWords  = 3'd6;
  localparam logic [2:0] HeaderWord  = EntryWords;   // comes behind the entry

  // --- the operation whose writes are being issued -----------------------------------
  typedef enum logic [2:0] {
    RequestNone,      // no write request is left
    RequestAddress,   // the log's address comes
    RequestValue,     // the write of the value is offered
    RequestEntry,     // that of the log entry, up to the end of its page
    RequestRest,      // that of the rest of the entry, in the next page
    RequestHeader     // that of the log's header
  } request_e;
  typedef enum logic [1:0] {
    DataNone,         // no word is left
    DataValue,        // the value is offered
    DataGate,         // until the value is performed
    DataLog           // the words of the entry, then the header
  } data_e;
  request_e    request_q, request_d;
  data_e       data_q, data_d;
  logic        busy_q, logged_q, log_only_q, progress_q, compare_q, value_failed_q;
  logic        stamps_q;       // its value is the time
  logic        begun_q;        // its writes are tracked from now on, if they are made
  logic [7:0]  error;          // of the operation under way
  logic        bad, begun;     // it has one; it has none, in the first cycle
  logic [2:0]  word_q;
  logic [3:0]  slot_q, vmid_q;
  logic [63:0] address_q;
  logic [63:0] value_q, monitored_q, payload_q, end_q;
  logic        value_done, value_failed, log_done;
  logic [3:1]  comes_q;        // this word of it, the first one is 0
  logic        compares_q;     // it began one cycle ago and will be compared: all of it is here

  // --- the operation that starts ---------------------------------------------------------
  logic log_only, progress, free, track_ready;
  assign log_only = operation_i.kind == rf_bus_pkg::FenceWaitLog;
  assign progress = operation_i.kind == rf_bus_pkg::FenceProgress;
  assign free     = !busy_q && log_free && comes_q == '0;
  assign ready_o  = free && track_ready;

  // --- the log -------------------------------------------------------------------------
  logic        beyond, split, header_sent, log_free;
  logic [63:6] base;
  logic [39:3] entry, rest;
  logic [2:0]  first_words;
  logic [63:0] header_word;
  assign log_free    = !store_valid_o;
  // With the header word it is known whether the value failed.
  assign header_sent = data_q == DataLog && word_q == HeaderWord && write_data_ready_i &&
                       !value_failed_q;

  rf_fence_log u_log (
    .clk_i, .rst_ni,
    .load_i(free), .index_i(operation_i.log_index), .base_load_i(comes_q[1]), .lookup_word_i,
    .value_failed_i(value_failed_q), .beyond_o(beyond), .base_o(base), .entry_o(entry),
    .split_o(split), .first_words_o(first_words), .rest_o(rest), .word_o(header_word),
    .sent_i(header_sent), .log_i({!log_only_q, slot_q}),
    .store_valid_o, .store_ready_i, .store_log_o, .store_state_o
  );

  // --- errors --------------------------------------------------------------------------
  // Known a cycle after the operation was taken, before anything of it is offered. broken_i: an
  // earlier operation of the slot failed, and this one must not act.
  logic beyond_q, operand_q;
  assign bad   = beyond_q || operand_q;
  assign begun = begun_q && !bad;
  assign error = operand_q ? rf_pkg::QueueErrorOperand :
                 beyond_q  ? rf_pkg::QueueErrorLogIndex : rf_pkg::QueueErrorNone;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beyond_q  <= 1'b0;
      operand_q <= 1'b0;
    end else if (start_i) begin
      beyond_q  <= logged_i && beyond;
      operand_q <= (progress && lookup_nowhere_i) || broken_i;
    end else if (log_done) begin
      beyond_q  <= 1'b0;
      operand_q <= 1'b0;
    end
  end

  assign begun_o           = compares_q;
  assign begun_progress_o  = progress_q;
  assign begun_monitored_o = comes_q[2] && !progress_q ? word_i // it comes in this cycle
                                                    : monitored_q;
  assign begun_slot_o      = slot_q;
  assign begun_vmid_o      = vmid_q;
  assign begun_address_o   = address_q;
  assign begun_value_o     = value_q;

  // --- requests ------------------------------------------------------------------------
  always_comb begin
    request_d = request_q;
    unique case (request_q)
      RequestAddress: request_d = RequestEntry;   // that of the log comes in this cycle
      RequestValue:   if (write_ready_i) request_d = logged_q ? RequestEntry : RequestNone;
      RequestEntry:   if (write_ready_i) request_d = split ? RequestRest : RequestHeader;
      RequestRest:    if (write_ready_i) request_d = RequestHeader;
      RequestHeader:  if (write_ready_i) request_d = RequestNone;
      default:        request_d = request_q;
    endcase
    if (bad) request_d = RequestNone;
    if (start_i) request_d = log_only ? RequestAddress : RequestValue;
  end

  logic asks_q;                // a request of this state, if it may act
  assign write_valid_o = asks_q && !bad;
  // With all its requests out, an operation with log shows the address that has failed.
  logic shows_value, shows_entry, shows_rest, shows_header;
  logic [1:0] failed_step, last_step;
  assign last_step = {1'b0, !log_only_q} + {1'b0, split} + 2'd1;
  always_comb begin
    shows_value  = request_q == RequestValue;
    shows_entry  = request_q == RequestEntry;
    shows_rest   = request_q == RequestRest;
    shows_header = request_q == RequestHeader;
    if (request_q == RequestNone) begin
      shows_value  = failed_step == 2'd0 && !log_only_q;
      shows_entry  = failed_step == {1'b0, !log_only_q};
      shows_header = failed_step == last_step;
      shows_rest   = !shows_value && !shows_entry && !shows_header;
    end
  end

  assign write_o.vmid         = shows_value ? vmid_q : '0;
  assign write_o.va           = ({61{shows_value}}  & address_q[63:3]) |
                                ({61{!shows_value}} & {base[63:40], 37'd0}) |
                                ({61{shows_entry}}  & {24'd0, entry}) |
                                ({61{shows_rest}}   & {24'd0, rest}) |
                                ({61{shows_header}} & {24'd0, base[39:6], 3'd0});
  assign write_o.words        = shows_entry && split ? {3'd0, first_words} :
                                shows_entry          ? {3'd0, EntryWords} :
                                shows_rest           ? {3'd0, EntryWords - first_words} : 6'd1;
  assign write_o.first_strobe = 8'hff;
  assign write_o.last_strobe  = 8'hff;

  // --- words ----------------------------------------------------------------------------------
  // Neither before the value is here, nor before the words of a wait log come one behind the other.
  // In a register: the offer goes far.
  logic word_here_d, word_moves;
  assign word_moves  = write_data_valid_o && write_data_ready_i;
  assign word_here_d = !start_i && (data_d == DataValue || (data_d == DataLog && !comes_q[1]));

  always_comb begin
    unique case (word_q)
      3'd0:       write_data_o = stamps_q ? end_q : value_q; // end_q: the time of now
      3'd1:       write_data_o = payload_q;
      3'd3:       write_data_o = log_only_q ? address_q : '0; // when it was observed
      3'd5:       write_data_o = end_q;
      HeaderWord: write_data_o = header_word;
      default:    write_data_o = '0;
    endcase
    if (value_failed_q && word_q != HeaderWord) write_data_o = '0;
  end

  always_comb begin
    data_d = data_q;
    unique case (data_q)
      DataValue: if (word_moves) data_d = logged_q ? DataGate : DataNone;
      DataGate:  if (value_done) data_d = DataLog;
      DataLog:   if (write_data_ready_i && word_q == HeaderWord) data_d = DataNone;
      default:   data_d = data_q;
    endcase
    if (bad) data_d = DataNone;
    if (start_i) data_d = log_only ? DataLog : DataValue;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= RequestNone;
      asks_q    <= 1'b0;
      data_q    <= DataNone;
      busy_q    <= 1'b0;
      begun_q   <= 1'b0;
      comes_q    <= '0;
      write_data_valid_o <= 1'b0;
      compares_q <= 1'b0;
    end else begin
      request_q  <= request_d;
      asks_q     <= request_d != RequestNone && request_d != RequestAddress;
      data_q     <= data_d;
      comes_q    <= {comes_q[2:1], start_i};
      write_data_valid_o <= word_here_d;
      compares_q <= begun && compare_q;
      begun_q    <= start_i;
      if (bad || logged_q) begin
        if (log_done) busy_q <= 1'b0;
      end else if (request_d == RequestNone && data_d == DataNone) begin
        busy_q <= 1'b0;
      end
      if (start_i) busy_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (value_done) end_q <= timestamp_i;
    value_failed_q <= value_failed;
    if (word_moves && data_q != DataValue) word_q <= word_q + 1'b1;
    if (comes_q[1]) value_q <= word_i;
    if (comes_q[2] && !progress_q) monitored_q <= word_i;
    if (comes_q[3]) payload_q <= word_i;
    if (comes_q[1] && progress_q) monitored_q <= lookup_word_i;
    if (free) begin
      slot_q         <= operation_i.slot;
      vmid_q         <= progress ? '0 : operation_i.vmid;
      address_q      <= progress ? lookup_word_i : word_i;
      stamps_q       <= operation_i.kind == rf_bus_pkg::FenceTimestamp;
      end_q          <= timestamp_i;
      logged_q       <= logged_i;
      log_only_q     <= log_only;
      progress_q     <= progress;
      compare_q      <= progress || operation_i.kind == rf_bus_pkg::FenceSignal;
      value_failed_q <= 1'b0;
      word_q         <= '0;
    end
  end

  // --- operations under way --------------------------------------------------------------
  logic alone, tracker_idle;
  rf_fence_tracker u_tracker (
    .clk_i, .rst_ni,
    .enter_i(begun), .ready_o(track_ready), .logged_i(logged_q), .compare_i(compare_q),
    .slot_i(slot_q), .log_only_i(log_only_q), .address_i(address_q),
    .error_i(error),
    .last_step_i(last_step), .value_failed_i(value_failed), .failed_step_o(failed_step),
    .failed_address_i(write_o.va),
    .write_done_i, .write_done_status_i, .write_done_level_i,
    .alone_o(alone), .log_done_o(log_done), .done_valid_o, .done_slot_o, .done_log_only_o,
    .done_failure_o, .done_fails_o, .done_compare_o, .done_lost_o, .idle_o(tracker_idle)
  );

  // The value of an operation with log is done when it is the last in flight.
  assign value_done   = write_done_i && alone && data_q == DataGate;
  assign value_failed = value_failed_q ||
                        (value_done && write_done_status_i != rf_pkg::AccessStatusOk);
  assign idle_o       = free && tracker_idle;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) word_is_here: assert (write_data_valid_o ==
                                      ((data_q == DataValue && !comes_q[1]) ||
                                       (data_q == DataLog && comes_q[2:1] == '0)));
  end
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::WriteRequestWidth)) write_offer_stays (
    .clk_i, .rst_ni, .valid_i(write_valid_o), .ready_i(write_ready_i), .data_i(write_o)
  );
  rf_offer_check #(.Width(64)) word_offer_stays (
    .clk_i, .rst_ni, .valid_i(write_data_valid_o), .ready_i(write_data_ready_i),
    .data_i(write_data_o)
  );
  rf_offer_check #(.Width(69)) state_offer_stays (
    .clk_i, .rst_ni, .valid_i(store_valid_o), .ready_i(store_ready_i),
    .data_i({store_log_o, store_state_o})
  );
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni && value_done) time_counts_up: assert (timestamp_i >= end_q);
  end
`endif
`endif

endmodule

`default_nettype wire
