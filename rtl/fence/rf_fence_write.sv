// SPDX-License-Identifier: Apache-2.0
//
// Steps 1 and 2 of a signal (docs/architecture.md): the value, one aligned 8-byte write; then
// the log entry and the log header's word {WraparoundCount, FirstFreeEntryIndex} (S0-106 .. S0-113,
// S0-120). Requests go out back to back; the words of the log wait until the value is performed. If
// the value fails they are zeros and the old header: a zero entry is legal (S0-121), and the log
// never shows a signal that did not happen.
//
// The header word strictly increases whatever index user mode names: an index below
// FirstFreeEntryIndex counts as a wrap, and so does the last entry. FenceEndGpuTimestamp is the
// time at which the value was performed; it never decreases. An index beyond the log, or a progress
// fence without address, is found in the cycle after start_i: the operation writes nothing. Four
// operations without log may be in flight; one with log, or with an error, is alone.
// Promises: done in order, when all writes of the operation are performed. Cycles from start_i to
// write_valid_o: 1, 2 with log or of a progress fence, 3 of a wait log; to begun_o one more; from
// the last write, or the value, to done, or the log's first word: none.

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
  localparam logic [2:0] HeaderWords = 3'd5;

  // --- the operation whose writes are being issued -----------------------------------
  typedef enum logic [2:0] { RequestNone, RequestCheck, RequestValue, RequestEntry, RequestRest,
                             RequestHeader, RequestWait } request_e;
  typedef enum logic [1:0] { DataNone, DataValue, DataGate, DataLog } data_e;
  request_e    request_q, request_d;
  data_e       data_q, data_d;
  logic        busy_q, logged_q, log_only_q, progress_q, compare_q, value_failed_q;
  logic        stamps_q;       // its value is the time
  logic        begun_q;        // its writes are tracked from now on
  logic [7:0]  error_q, error;
  logic        broken_q;        // an earlier operation of the slot failed: this one must not act
  logic [2:0]  word_q;
  logic [3:0]  slot_q, vmid_q;
  logic [63:0] address_q;
  logic [63:0] value_q, monitored_q, payload_q, end_q;
  logic [63:6] base_q;
  logic [21:3] offset_q;       // of the entry in its log
  logic [39:3] entry_q;        // address of the entry; the bits above are base_q's
  logic [15:0] index_q, entries_q, free_q;
  logic [31:0] wraps_q;
  logic        value_done, value_failed, log_done;
  logic [3:1]  comes_q;        // this word of it, the first one is 0
  logic        compares_q;     // it began one cycle ago and will be compared: all of it is here

  logic checking;              // the cycle after start_i
  assign checking = request_q == RequestCheck;

  // --- errors --------------------------------------------------------------------------
  always_comb begin
    error = error_q;
    if (checking) begin
      if (logged_q && index_q >= entries_q) error = rf_pkg::QueueErrorLogIndex;
      if (progress_q && address_q == '0) error = rf_pkg::QueueErrorOperand;
      if (broken_q) error = rf_pkg::QueueErrorOperand;
    end
  end

  assign begun_o           = compares_q;
  assign begun_progress_o  = progress_q;
  assign begun_monitored_o = comes_q[2] ? word_i : monitored_q; // it comes in this cycle
  assign begun_slot_o      = slot_q;
  assign begun_vmid_o      = vmid_q;
  assign begun_address_o   = address_q;
  assign begun_value_o     = value_q;

  // --- requests ------------------------------------------------------------------------
  // The entry may cross the end of a page: then two requests.
  logic [9:0]  page_words;
  logic        split;
  logic [39:3] rest;
  assign page_words = 10'd512 - {1'b0, entry_q[11:3]};
  assign split      = page_words < {7'd0, EntryWords};
  assign rest       = {entry_q[39:12] + 1'b1, 9'd0};

  always_comb begin
    request_d = request_q;
    unique case (request_q)
      RequestCheck:   if (error != rf_pkg::QueueErrorNone) request_d = RequestNone;
                      else request_d = log_only_q ? RequestWait : RequestValue;
      RequestWait:    request_d = RequestEntry;   // its address is there in the next cycle
      RequestValue:   if (write_ready_i) request_d = logged_q ? RequestEntry : RequestNone;
      RequestEntry:   if (write_ready_i) request_d = split ? RequestRest : RequestHeader;
      RequestRest:    if (write_ready_i) request_d = RequestHeader;
      RequestHeader:  if (write_ready_i) request_d = RequestNone;
      default:        request_d = request_q;
    endcase
  end

  assign write_valid_o = request_q != RequestNone && request_q != RequestCheck &&
                         request_q != RequestWait;
  // With all its requests out, an operation with log shows the address that has failed.
  logic shows_value, shows_entry, shows_rest, shows_header;
  always_comb begin
    shows_value  = request_q == RequestValue;
    shows_entry  = request_q == RequestEntry;
    shows_rest   = request_q == RequestRest;
    shows_header = request_q == RequestHeader;
    if (request_q == RequestNone) begin
      shows_value  = failed_step == 2'd0 && !log_only_q;
      shows_entry  = failed_step == {1'b0, !log_only_q};
      shows_header = failed_step == logged_step_q;
      shows_rest   = !shows_value && !shows_entry && !shows_header;
    end
  end

  assign write_o.vmid         = shows_value ? vmid_q : '0;
  assign write_o.va           = ({61{shows_value}}  & address_q[63:3]) |
                                ({61{!shows_value}} & {base_q[63:40], 37'd0}) |
                                ({61{shows_entry}}  & {24'd0, entry_q}) |
                                ({61{shows_rest}}   & {24'd0, rest}) |
                                ({61{shows_header}} & {24'd0, base_q[39:6], 3'd0});
  assign write_o.words        = shows_entry && split ? page_words[5:0] :
                                shows_entry          ? {3'd0, EntryWords} :
                                shows_rest           ? {3'd0, EntryWords} - page_words[5:0] : 6'd1;
  assign write_o.first_strobe = 8'hff;
  assign write_o.last_strobe  = 8'hff;

  // --- counters of the log ----------------------------------------------------------------
  // They stay if the value failed; that is known long before the word of the header.
  logic [15:0] behind, new_free_q;
  logic [31:0] new_wraps_q;
  logic        below_q, last_q;
  assign behind = index_q + 1'b1;
  always_ff @(posedge clk_i) begin
    below_q     <= index_q < free_q;
    last_q      <= behind == entries_q;
    new_free_q  <= value_failed ? free_q : last_q ? '0 : behind;
    new_wraps_q <= wraps_q + {31'd0, below_q && !value_failed} +
                   {31'd0, last_q && !value_failed};
  end

  // With the header word it is known whether the value failed.
  logic store_q;
  assign store_valid_o = store_q;
  assign store_log_o   = {!log_only_q, slot_q};
  assign store_state_o = {new_wraps_q, entries_q, new_free_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) store_q <= 1'b0;
    else begin
      store_q <= (store_q && !store_ready_i) ||
                 (data_q == DataLog && word_q == HeaderWord && write_data_ready_i &&
                  !value_failed);
    end
  end

  // --- words ----------------------------------------------------------------------------------
  // Neither before the value is here, nor before the words of a wait log come one behind the other.
  assign write_data_valid_o = (data_q == DataValue && !comes_q[1]) ||
                              (data_q == DataLog && !comes_q[2]) || value_done;

  always_comb begin
    unique case (word_q)
      3'd0:       write_data_o = stamps_q ? end_q : value_q; // end_q: the time of now
      3'd1:       write_data_o = payload_q;
      3'd3:       write_data_o = log_only_q ? address_q : '0; // when it was observed
      3'd5:       write_data_o = end_q;
      HeaderWord: write_data_o = {new_wraps_q, 16'd0, new_free_q};
      default:    write_data_o = '0;
    endcase
    if (value_failed && word_q != HeaderWord) write_data_o = '0;
  end

  always_comb begin
    data_d = data_q;
    unique case (data_q)
      DataValue: if (write_data_ready_i && !comes_q[1]) data_d = logged_q ? DataGate : DataNone;
      DataGate:  if (value_done) data_d = DataLog;
      DataLog:   if (write_data_ready_i && word_q == HeaderWord) data_d = DataNone;
      default:   if (checking && error == rf_pkg::QueueErrorNone) begin
        data_d = log_only_q ? DataLog : DataValue;
      end
    endcase
  end

  logic log_only, progress, check, free;
  assign log_only = operation_i.kind == rf_bus_pkg::FenceWaitLog;
  assign progress = operation_i.kind == rf_bus_pkg::FenceProgress;
  assign check    = logged_i || progress || broken_i;
  assign free     = !busy_q && !store_q && comes_q == '0;
  assign ready_o  = free && track_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= RequestNone;
      data_q    <= DataNone;
      busy_q    <= 1'b0;
      begun_q   <= 1'b0;
      error_q   <= rf_pkg::QueueErrorNone;
      comes_q    <= '0;
      compares_q <= 1'b0;
    end else begin
      comes_q    <= {comes_q[2:1], start_i};
      compares_q <= begun_q && compare_q;
      request_q <= request_d;
      data_q    <= data_d;
      begun_q   <= (start_i && !check) || (checking && error == rf_pkg::QueueErrorNone);
      error_q   <= log_done ? rf_pkg::QueueErrorNone : error;
      if (error != rf_pkg::QueueErrorNone || logged_q) begin
        if (log_done) busy_q <= 1'b0;
      end else if (request_d == RequestNone && data_d == DataNone) begin
        busy_q <= 1'b0;
      end
      if (start_i) begin
        busy_q    <= 1'b1;
        request_q <= check ? RequestCheck : RequestValue;
        data_q    <= check ? DataNone : DataValue;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    entry_q <= {base_q[39:6], 3'd0} + {18'd0, offset_q};
    if (value_done) end_q <= timestamp_i;
    value_failed_q <= value_failed;
    if (write_data_valid_o && write_data_ready_i && data_q != DataValue) word_q <= word_q + 1'b1;
    if (checking) base_q <= lookup_word_i[63:6];
    if (comes_q[1]) value_q <= word_i;
    if (comes_q[2] && !progress_q) monitored_q <= word_i;
    if (comes_q[3]) payload_q <= word_i;
    if (checking && progress_q) monitored_q <= lookup_word_i;
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
      index_q        <= operation_i.log_index;
      offset_q       <= {1'b0, operation_i.log_index, 2'd0} + {2'd0, operation_i.log_index, 1'd0} +
                        {16'd0, HeaderWords};
      broken_q       <= broken_i;
      wraps_q        <= lookup_word_i[63:32];
      entries_q      <= lookup_word_i[31:16];
      free_q         <= lookup_word_i[15:0];
    end
  end

  // --- operations in flight, in order -----------------------------------------------------
  // The oldest first: that one write more is done tells far away what the oldest is. While there
  // is none, its place shows the operation that may be refused.
  localparam int unsigned Depth = 4;
  logic               track_ready, head_valid_q, head_logged, head_compare, head_done;
  logic [63:0]        head_address;
  logic [2:0]         tracked_q, tracked, tracked_left; // now, in the next cycle, of those now
  logic [Depth-1:0]   logged_there_q, logged_there_d, compare_there_q;
  logic [Depth*5-1:0] there_q;              // {slot, log only}
  assign tracked_left = tracked_q - {2'b0, head_done};
  assign tracked      = tracked_left + {2'b0, begun_q};
  assign track_ready  = !tracked_q[2];
  assign head_logged  = logged_there_q[0];
  assign head_compare = compare_there_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tracked_q    <= '0;
      head_valid_q <= 1'b0;
    end else begin
      tracked_q    <= tracked;
      head_valid_q <= tracked != '0;
    end
  end

  for (genvar i = 0; i < Depth; i++) begin : gen_place
    localparam int unsigned Next = i == Depth - 1 ? i : i + 1;
    logic enters;
    assign enters            = tracked_left == 3'(i);
    assign logged_there_d[i] = enters    ? logged_q :
                               head_done ? logged_there_q[Next] : logged_there_q[i];
    always_ff @(posedge clk_i) begin
      logged_there_q[i] <= logged_there_d[i];
      if (enters) begin
        compare_there_q[i]   <= compare_q;
        there_q[i*5 +: 5]    <= {slot_q, log_only_q};
      end else if (head_done) begin
        compare_there_q[i]   <= compare_there_q[Next];
        there_q[i*5 +: 5]    <= there_q[Next*5 +: 5];
      end
    end
  end

  /* verilator lint_off PINCONNECTEMPTY */
  // Where they write, for their failure.
  rf_fifo #(.Width(64), .DepthLog2(2)) u_track_address (
    .clk_i, .rst_ni,
    .valid_i(begun_q), .ready_o(), .data_i(address_q),
    .valid_o(), .ready_i(head_done), .data_o(head_address),
    .count_o());
  /* verilator lint_on PINCONNECTEMPTY */

  // Writes of the head: value, entry, rest of the entry, header. A logged head is the
  // operation above. Its end goes far: that the next write is its last, or that the operation
  // above is refused, is known a cycle before.
  logic [1:0] step_q, step_d, logged_step_q, failed_step_q, failed_step;
  logic       closing_q, refused_q;
  logic       failed_q, done_bad;
  logic [2:0] failed_status_q, failed_status;
  logic [1:0] failed_level_q;
  assign done_bad  = write_done_status_i != rf_pkg::AccessStatusOk;
  assign head_done = write_done_i && closing_q;
  assign step_d    = !write_done_i ? step_q : closing_q ? '0 : step_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      closing_q <= 1'b0;
      refused_q <= 1'b0;
    end else begin
      closing_q <= tracked != '0 && (!logged_there_d[0] || step_d == logged_step_q);
      refused_q <= tracked == '0 && !log_done && error != rf_pkg::QueueErrorNone;
    end
  end

  assign done_valid_o    = head_done || refused_q;
  assign log_done        = (head_done && head_logged) || refused_q;
  assign done_slot_o     = there_q[4:1];
  assign done_log_only_o = there_q[0];
  assign done_compare_o  = head_valid_q && head_compare;
  assign done_lost_o     = head_logged ? value_failed : done_bad;
  assign done_fails_o    = (head_done && (failed_q || done_bad)) || refused_q;

  assign failed_step   = failed_q ? failed_step_q : step_q;
  assign failed_status = failed_q ? failed_status_q : write_done_status_i;

  always_comb begin
    done_failure_o = '0;
    if (!head_valid_q) begin
      done_failure_o.error = error_q;
    end else if (failed_q || done_bad) begin
      // The access statuses and their queue errors are in the same order.
      done_failure_o.error = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, failed_status};
      done_failure_o.level = failed_q ? failed_level_q : write_done_level_i;
      done_failure_o.store = 1'b1;
      done_failure_o.address = head_logged ? {write_o.va, 3'd0} : head_address;
    end
  end

  // The value of an operation with log is done when it is the last in flight. The first word of
  // the log goes in the same cycle.
  assign value_done   = write_done_i && tracked_q == 3'd1 && data_q == DataGate;
  assign value_failed = value_failed_q || (value_done && done_bad);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q   <= '0;
      failed_q <= 1'b0;
    end else begin
      step_q <= step_d;
      if (write_done_i) failed_q <= !closing_q && (failed_q || done_bad);
    end
  end

  always_ff @(posedge clk_i) begin
    // Its address is there long before its first write is done.
    logged_step_q <= {1'b0, !log_only_q} + {1'b0, split} + 2'd1;
    if (write_done_i && !failed_q) begin
      failed_step_q   <= step_q;
      failed_status_q <= write_done_status_i;
      failed_level_q  <= write_done_level_i;
    end
  end

  assign idle_o = free && !head_valid_q;

`ifndef SYNTHESIS
`ifndef FORMAL
  // What was offered in the last cycle, and not taken, is offered in this one.
  logic write_waits_q;
  logic [rf_bus_pkg::WriteRequestWidth-1:0] write_waiting_q;
  logic word_waits_q;
  logic [64-1:0] word_waiting_q;
  logic state_waits_q;
  logic [69-1:0] state_waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_waits_q <= 1'b0;
      word_waits_q <= 1'b0;
      state_waits_q <= 1'b0;
    end else begin
      write_waits_q <= write_valid_o && !write_ready_i;
      word_waits_q <= write_data_valid_o && !write_data_ready_i;
      state_waits_q <= store_valid_o && !store_ready_i;
    end
  end
  always_ff @(posedge clk_i) begin
    write_waiting_q <= write_o;
    word_waiting_q <= write_data_o;
    state_waiting_q <= {store_log_o, store_state_o};
    if (rst_ni) begin
      operation_has_room: assert (!begun_q || track_ready);
      write_offer_stays: assert (!write_waits_q ||
          (write_valid_o && write_o == write_waiting_q));
      word_offer_stays: assert (!word_waits_q ||
          (write_data_valid_o && write_data_o == word_waiting_q));
      state_offer_stays: assert (!state_waits_q ||
          (store_valid_o && {store_log_o, store_state_o} == state_waiting_q));
    end
  end
`endif
`endif

endmodule

`default_nettype wire
