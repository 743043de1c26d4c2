// SPDX-License-Identifier: Apache-2.0
//
// The logs that rf_fence writes, of any slot, its signals or its waits. An operation with a
// log hands over the six words of its entry, behind its value and only when that is done;
// then the one word {WraparoundCount, FirstFreeEntryIndex} of the header, in a request of its
// own that is the last; and rf_memory_write performs them in this order. That word is greater
// each time, until the driver switches the log or sets its state. If the value failed, the entry
// is zeros and the word is the old one. The times of the entries of all logs never decrease.
//
// Free: operations of both nodes, register accesses, memory but for this: it is done with
// requests in order, after it has their words. Time never decreases. The driver sets the
// state of a log while no operation of its slot is under way; a log wraps fewer than
// 2^32 - 16 times.

`default_nettype none

module rf_log_props (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,
  input  wire logic [63:0]                              timestamp_i,
  input  wire logic [1:0]                               fence_valid_i,
  input  wire logic [2*rf_bus_pkg::FenceOperationWidth-1:0] fence_i,
  input  wire logic [127:0]                             word_i,
  input  wire logic [1:0]                               write_ready_i,
  input  wire logic [1:0]                               write_data_ready_i,
  input  wire logic [1:0]                               write_done_i,
  input  wire logic [2*3-1:0]                           write_done_status_i,
  input  wire logic [2*2-1:0]                           write_done_level_i,
  input  wire logic [1:0]                               read_ready_i,
  input  wire logic                                     response_valid_i,
  input  wire        rf_bus_pkg::read_response_t        response_i,
  input  wire logic [1:0]                               record_ready_i,
  input  wire        rf_bus_pkg::slot_event_t           restart_i,
  input  wire        rf_bus_pkg::register_request_t     register_i
);

  localparam int unsigned OperationWidth = rf_bus_pkg::FenceOperationWidth;

  logic [1:0]   fence_ready, write_valid, write_data_valid;
  logic [2*rf_bus_pkg::WriteRequestWidth-1:0] write_requests;
  logic [127:0] write_data;
  rf_bus_pkg::slot_result_t fence_done;

  logic        slot_decoded, slot_hit;
  logic [3:0]  register_slot;
  logic [16:3] register_address;
  assign register_address = register_i.address;
  rf_slot_decode u_slot_decode (
    .address_i(register_address[16:8]), .hit_o(slot_decoded), .slot_o(register_slot));
  assign slot_hit = register_i.valid && slot_decoded;
  rf_bus_pkg::slot_access_t slot_access;
  always_comb begin
    slot_access.read  = slot_hit && !register_i.write;
    slot_access.write = slot_hit && register_i.write;
    slot_access.slot  = register_slot;
  end

  rf_fence u_fence (
    .clk_i, .rst_ni, .timestamp_i, .fence_valid_i, .fence_ready_o(fence_ready), .fence_i, .word_i,
    .fence_done_o(fence_done), .fence_done_log_only_o(), .fence_fault_o(), .restart_i,
    .asked_slot_i(4'd0), .comparing_o(),
    .write_valid_o(write_valid), .write_ready_i, .write_o(write_requests),
    .write_data_valid_o(write_data_valid), .write_data_ready_i, .write_data_o(write_data),
    .write_done_i, .write_done_status_i, .write_done_level_i,
    .read_valid_o(), .read_ready_i, .read_o(), .read_hold_o(),
    .response_valid_i, .response_i,
    .record_valid_o(), .record_ready_i, .record_show_i('0), .record_o(),
    .register_i, .slot_access_i(slot_access), .register_data_o(), .slot_data_o(),
    .notify_o(), .suppressed_o(), .updated_o(), .idle_o());

  operation_slots u_slots (
    .clk_i, .valid_i(fence_valid_i), .operation_i(fence_i)
  );

  logic        running_q = 1'b0;
  logic [63:0] time_q = '0;
  always_ff @(posedge clk_i) {running_q, time_q} <= {1'b1, timestamp_i};
  always_comb begin
    assume (rst_ni == running_q);
    assume (timestamp_i >= time_q);
  end

  // --- the operation that came last --------------------------------------------------------
  (* anyconst *) logic       signals;      // one log
  (* anyconst *) logic [3:0] slot;
  rf_bus_pkg::fence_operation_t offered;
  rf_bus_pkg::write_request_t   request;
  logic        accepts, ask, give, done, bad;
  logic [63:3] va;
  logic [63:0] word;
  assign offered = fence_ready[1] ? fence_i[OperationWidth +: OperationWidth]
                                  : fence_i[0 +: OperationWidth];
  assign accepts = (fence_valid_i & fence_ready) != '0;
  assign request = write_requests[0 +: rf_bus_pkg::WriteRequestWidth];
  assign va      = request.va;
  assign ask     = write_valid[0] && write_ready_i[0];
  assign give    = write_data_valid[0] && write_data_ready_i[0];
  assign done    = write_done_i[0];
  assign bad     = write_done_status_i[2:0] != rf_pkg::AccessStatusOk;
  assign word    = write_data[63:0];

  logic        logged_q = 1'b0, ours_q = 1'b0, log_only_q = 1'b0;
  logic [3:0]  slot_q;
  logic [15:0] index_q;
  logic [63:0] payload_q, word_in;
  logic        node_q;
  (* hierconn *) wire [3:1] \u_fence.u_write.comes_q ;
  (* hierconn *) wire       \u_fence.node_q ;
  logic [3:1]  comes;
  assign comes   = \u_fence.u_write.comes_q ;
  assign word_in = node_q ? word_i[127:64] : word_i[63:0];
  // Requests of operations before it; of it requests, words asked for, words given, done
  logic [4:0]  older_q = '0;
  logic [2:0]  asked_q = '0, done_q = '0;
  logic [3:0]  words_q = '0, given_q = '0, behind0_q, behind1_q, behind2_q, behind3_q;
  logic        value_bad_q = 1'b0, header_q = 1'b0;
  logic [63:3] entry_q;
  logic        done_ours;
  logic [3:0]  behind;                     // words up to the request that is done next
  logic [3:0]  values, place;              // place: of the word in the log's part
  assign done_ours = done && older_q == '0;
  assign behind    = done_q == 3'd0 ? behind0_q : done_q == 3'd1 ? behind1_q :
                     done_q == 3'd2 ? behind2_q : behind3_q;
  assign values    = {3'd0, !log_only_q};
  assign place     = given_q - values;
  always_comb if (done) begin
    assume (older_q != '0 || (done_q < asked_q && given_q >= behind));
  end

  always_ff @(posedge clk_i) if (running_q) begin
    if (done && !done_ours) older_q <= older_q - 5'd1;
    if (done_ours) done_q <= done_q + 3'd1;
    if (done_ours && done_q == '0 && !log_only_q) value_bad_q <= bad;
    if (ask) begin
      asked_q <= asked_q + 3'd1;
      words_q <= words_q + request.words[3:0];
      if (asked_q == 3'd0) behind0_q <= request.words[3:0];
      if (asked_q == 3'd1) behind1_q <= words_q + request.words[3:0];
      if (asked_q == 3'd2) behind2_q <= words_q + request.words[3:0];
      if (asked_q == 3'd3) behind3_q <= words_q + request.words[3:0];
      if (words_q == values) entry_q <= request.va;
      if (words_q == values + 4'd6) header_q <= 1'b1;
    end
    if (give) given_q <= given_q + 4'd1;
    if (comes[3]) payload_q <= word_in;
    if (accepts) begin
      slot_q      <= offered.slot;
      index_q     <= offered.log_index;
      node_q      <= fence_ready[1];
      log_only_q  <= offered.kind == rf_bus_pkg::FenceWaitLog;
      logged_q    <= offered.kind == rf_bus_pkg::FenceWaitLog ||
                     (offered.kind == rf_bus_pkg::FenceSignal && offered.log);
      ours_q      <= offered.slot == slot && (signals
                     ? offered.kind == rf_bus_pkg::FenceSignal && offered.log
                     : offered.kind == rf_bus_pkg::FenceWaitLog);
      older_q     <= older_q + {2'd0, asked_q} - {2'd0, done_q} - {4'd0, done};
      {asked_q, done_q, words_q, given_q} <= '0;
      {value_bad_q, header_q} <= '0;
    end
  end

  logic lost;                              // the value failed
  assign lost = value_bad_q || (done_ours && done_q == '0 && !log_only_q && bad);

  always_comb if (running_q) begin
    if (ask) asks_within_a_page: assert (request.words != '0 &&
                                         {1'b0, va[11:3]} + {4'd0, request.words} <= 10'd512 &&
                                         request.first_strobe == '1 && request.last_strobe == '1);
    if (ask && logged_q && words_q >= values) begin
      entry_then_header: assert (words_q + request.words[3:0] <= values + 4'd6 ||
                                 (words_q == values + 4'd6 && request.words == 6'd1));
      if (words_q == values + 4'd6) begin
        header_in_front_of_entries: assert (entry_q == {va[63:40], va[39:3] + 37'd5 +
                                                        37'd6 * {21'd0, index_q}});
      end
    end
    if (ask) nothing_behind_the_header: assert (!header_q);
    if (give && logged_q && given_q >= values) begin
      words_of_entry_and_header: assert (place <= 4'd6);
      if (!log_only_q) entry_behind_the_value: assert (done_q != '0 || (done_ours && done_q == '0));
      if (place < 4'd6 && lost) failed_value_leaves_no_entry: assert (word == '0);
      if (place == 4'd1 && !lost) payload_is_logged: assert (word == payload_q);
    end
    if (accepts) words_as_asked: assert (words_q == given_q);
  end

  // --- the header's word --------------------------------------------------------------------
  (* hierconn *) wire [4:0]  \u_fence.u_slots.log_q ;
  (* hierconn *) wire        \u_fence.u_slots.switched ;
  logic        switched, set_comes, set = 1'b0, header, known_q = 1'b0; // since the log began
  logic [63:0] last_q;
  logic [16:3] offset;
  assign switched = \u_fence.u_slots.switched && \u_fence.u_slots.log_q == {signals, slot};
  assign offset   = register_i.address - rf_pkg::SlotIndexedBase[16:3];
  assign set_comes = register_i.valid && register_i.write && offset[16:12] == '0 &&
                     offset[11:8] == slot &&
                     offset[7:3] == (signals ? rf_pkg::RegSlotSignalLogState[7:3]
                                             : rf_pkg::RegSlotWaitLogState[7:3]);
  assign header   = give && ours_q && given_q >= values && place == 4'd6;
  always_ff @(posedge clk_i) set <= running_q && set_comes; // a write acts a cycle later
  always_ff @(posedge clk_i) if (running_q) begin
    if (switched || set) known_q <= 1'b0;
    if (header) {known_q, last_q} <= {1'b1, word};
  end
  always_comb if (running_q && header) begin
    header_word: assert (word[31:16] == '0);
    if (known_q && !lost) log_moves_on: assert (word > last_q);
    if (known_q && lost) log_stays: assert (word == last_q);
  end

  // --- times ----------------------------------------------------------------------------------
  logic [63:0] end_q = '0;                 // of the last entry of all
  logic        ends;
  assign ends = give && logged_q && given_q >= values && place == 4'd5 && !lost;
  always_ff @(posedge clk_i) if (running_q && ends) end_q <= word;
  always_comb if (running_q && ends) time_never_decreases: assert (word >= end_q);

  // --- the inside ----------------------------------------------------------------------------
  (* hierconn *) wire [2:0]  \u_fence.u_write.request_q , \u_fence.u_write.word_q ,
      \u_fence.u_write.u_tracker.tracked_q ;
  (* hierconn *) wire [1:0]  \u_fence.u_write.data_q , \u_fence.u_write.u_tracker.step_q ,
      \u_fence.u_write.u_tracker.logged_step_q ;
  (* hierconn *) wire        \u_fence.u_write.value_done , \u_fence.u_write.u_tracker.head_valid_q ,
      \u_fence.u_write.u_tracker.closing_q , \u_fence.u_write.u_tracker.refused_q ;
  (* hierconn *) wire        \u_fence.u_write.busy_q , \u_fence.u_write.begun_q ,
      \u_fence.u_write.begun , \u_fence.u_write.bad ,
      \u_fence.u_write.free , \u_fence.u_write.log_only_q , \u_fence.u_write.logged_q ,
      \u_fence.u_write.value_failed , \u_fence.u_write.value_failed_q ,
      \u_fence.u_write.split , \u_fence.u_write.u_log.store_q ;
  (* hierconn *) wire [3:0]  \u_fence.u_write.slot_q ;
  (* hierconn *) wire        \u_fence.u_write.u_log.below_q , \u_fence.u_write.u_log.last_q ;
  (* hierconn *) wire [15:0] \u_fence.u_write.u_log.index_q , \u_fence.u_write.u_log.entries_q ,
      \u_fence.u_write.u_log.free_q , \u_fence.u_write.u_log.new_free_q , \u_fence.busy_q ;
  (* hierconn *) wire [31:0] \u_fence.u_write.u_log.wraps_q , \u_fence.u_write.u_log.new_wraps_q ,
      \u_fence.u_slots.switch_q ;
  (* hierconn *) wire [63:0] \u_fence.u_write.end_q , \u_fence.u_write.payload_q ,
      \u_fence.u_slots.word ;
  (* hierconn *) wire [63:6] \u_fence.u_write.u_log.base_q ;
  logic [63:6] base;
  assign base = \u_fence.u_write.u_log.base_q ;
  (* hierconn *) wire [39:3] \u_fence.u_write.u_log.entry_q ;
  (* hierconn *) wire [21:3] \u_fence.u_write.u_log.offset_q ;
  (* hierconn *) wire [39:12] \u_fence.u_write.u_log.behind_page_q ;
  (* hierconn *) wire [4*5-1:0]  \u_fence.u_write.u_tracker.there_q ;
  (* hierconn *) wire [3:0]  \u_fence.u_write.u_tracker.logged_there_q ;
  (* hierconn *) wire [2:0]  \u_fence.u_slots.walk_q ;
  (* hierconn *) wire        \u_fence.u_slots.idle_o , \u_fence.u_slots.looked_q ,
      \u_fence.u_slots.looked_log_q ,
      \u_fence.u_slots.looked_signal_q ;
  (* hierconn *) wire [3:0]  \u_fence.u_slots.looked_slot_q ;
  (* hierconn *) wire [7:0]  \u_fence.u_slots.u_words.watch ;
  (* hierconn *) wire [63:0] \u_fence.u_slots.u_words.watched ;

  localparam logic [2:0] RequestNone = 3'd0, RequestAddress = 3'd1, RequestValue = 3'd2,
                         RequestEntry = 3'd3, RequestRest = 3'd4, RequestHeader = 3'd5;
  localparam logic [1:0] DataNone = 2'd0, DataValue = 2'd1, DataGate = 2'd2, DataLog = 2'd3;
  localparam logic [2:0] Look = 3'd0;

  // The state of the log in the memory of the slots
  logic [63:0] state;
  assign \u_fence.u_slots.u_words.watch = {slot, signals ? rf_pkg::RegSlotSignalLogState[6:3]
                                                         : rf_pkg::RegSlotWaitLogState[6:3]};
  assign state = \u_fence.u_slots.u_words.watched ;

  logic [2:0] at, tracked;
  logic [1:0] data;
  logic       starting, broken, busy, live, live_q = 1'b0, over, fresh_q = 1'b1, store,
              store_ours;
  // An operation with an error asks for nothing; in its first cycle that is not yet in request_q.
  assign at       = \u_fence.u_write.bad ? RequestNone : \u_fence.u_write.request_q ;
  assign data     = \u_fence.u_write.bad ? DataNone : \u_fence.u_write.data_q ;
  assign busy     = \u_fence.u_write.busy_q ;
  assign starting = \u_fence.u_write.begun ;
  assign broken   = \u_fence.u_write.bad ;
  assign tracked  = \u_fence.u_write.u_tracker.tracked_q ;
  assign live     = starting || live_q;    // it has begun and is not done
  assign over     = done_ours && (!logged_q || (header_q && done_q + 3'd1 == asked_q));
  assign store      = \u_fence.u_write.u_log.store_q ;
  assign store_ours = store && ours_q;

  // The driver's part, and the count that does not overflow.
  always_comb begin
    if (set) assume (!(busy && slot_q == slot) && !\u_fence.busy_q [slot] && !store_ours);
    assume (state[63:36] != '1);
  end

  // What comes behind an operation, its record too (rf_fence_props), comes behind its log.
  always_comb if (running_q && fence_done.valid && live && older_q == '0) begin
    done_behind_the_header: assert (over);
  end

  always_ff @(posedge clk_i) if (running_q) begin
    live_q  <= live && !over && !accepts; // then it is one of the older ones
    fresh_q <= \u_fence.u_write.free ;
  end

  logic [3:0] here, older_logged, entry_there, first_track;
  for (genvar i = 0; i < 4; i++) begin : gen_entry
    logic [4:0] entry;                     // {slot, log only}
    assign entry   = \u_fence.u_write.u_tracker.there_q [i*5 +: 5];
    assign here[i] = 3'(i) < tracked && entry[4:1] == slot;
    always_comb if (running_q && 3'(i) < tracked) begin
      if (5'(i) < older_q) assert (!\u_fence.u_write.u_tracker.logged_there_q [i]);
      else assert (entry == {slot_q, log_only_q} &&
                   \u_fence.u_write.u_tracker.logged_there_q [i] == logged_q);
    end
  end
  logic ours_here;
  assign ours_here = (starting || (busy && broken)) && slot_q == slot;

  always_comb if (running_q) begin
    in_track: assert (tracked <= 3'd4 && older_q <= 5'd4 && {2'd0, tracked} + {4'd0, starting} ==
                      older_q + {4'd0, live});
    if (starting) room_in_track: assert (tracked <= 3'd3);
    steps: assert (\u_fence.u_write.u_tracker.step_q == (live_q && logged_q ? done_q[1:0] : 2'd0));
    gate_opens: assert (\u_fence.u_write.value_done == (done && data == DataGate &&
                                                          tracked == 3'd1));
    a_log_has_two: assert (\u_fence.u_write.u_tracker.logged_step_q != '0);
    head_is_known: assert (\u_fence.u_write.u_tracker.head_valid_q == (tracked != '0) &&
                           \u_fence.u_write.u_tracker.closing_q ==
                           (tracked != '0 && (!\u_fence.u_write.u_tracker.logged_there_q [0] ||
                                              \u_fence.u_write.u_tracker.step_q ==
                                              \u_fence.u_write.u_tracker.logged_step_q )));
    refusal_is_known: assert (\u_fence.u_write.u_tracker.refused_q ==
                              (tracked == '0 && broken && !comes[1]));
    if (tracked == '0 && broken && !comes[1]) begin
      refused_is_shown: assert (\u_fence.u_write.u_tracker.there_q [4:1] ==
                                \u_fence.u_write.slot_q );
    end
    done_in_turn: assert (older_q == '0 || done_q == '0);
    log_only_is_logged: assert (!log_only_q || logged_q);
    slot_is_busy: assert ((here == '0 && !ours_here) || \u_fence.busy_q [slot]);
    slot_once: assert ((here & (here - 4'd1)) == '0 && !(here != '0 && ours_here));
    request_legal: assert (at <= RequestHeader && data != 2'd2 || data == DataGate);
    if (!busy) begin
      idle: assert (at == RequestNone && data == DataNone && !starting && !broken &&
                    words_q == given_q && !(logged_q && live_q));
    end
    if (starting) starts: assert (!live_q && busy && !broken && comes[1]);
    // Its words come while nothing of the log is given.
    words_come_once: assert ((comes & (comes - 3'd1)) == '0);
    if (comes != '0) words_of_its_node: assert (\u_fence.node_q == node_q);
    // It begins, or is refused, with its first word.
    if (comes[1]) first_word: assert (starting || broken);
    if (comes[2] && logged_q && live) log_is_at_its_entry: assert (at == RequestValue ||
                                                                   at == RequestEntry);
    if (comes[3] && logged_q && live) log_goes_on: assert (at >= RequestValue);
    if (comes != '0) begin
      words_before_the_log: assert (\u_fence.u_write.word_q == '0 && !header_q && !store);
    end
    if (comes[1] || comes[2]) value_before_its_word: assert (given_q == '0 && done_q == '0);
    if (comes == '0) words_are_here: assert (!starting);
    if (!live) over_or_not_begun: assert (asked_q == done_q && words_q == given_q &&
                                          at == RequestNone);
    if (broken) begin
      not_begun: assert (!live && busy && asked_q == '0 && done_q == '0 && words_q == '0 &&
                         given_q == '0 && !header_q && data == DataNone &&
                         at == RequestNone);
    end
    if (busy) begin
      operation_kept: assert (\u_fence.u_write.logged_q == logged_q &&
                              \u_fence.u_write.log_only_q == log_only_q &&
                              \u_fence.u_write.slot_q == slot_q &&
                              (!log_only_q || logged_q));
      if (!broken) began: assert (live);
      if (logged_q) log_kept: assert (\u_fence.u_write.u_log.index_q == index_q &&
                                      (comes != '0 || \u_fence.u_write.payload_q == payload_q));
    end
    if (live && !logged_q) begin
      one_request: assert (asked_q == {2'd0, at != RequestValue} && done_q == '0 &&
                           words_q == {3'd0, at != RequestValue} &&
                           given_q == {3'd0, data != DataValue} && !header_q &&
                           (at == RequestValue || at == RequestNone) &&
                           (data == DataValue || data == DataNone) &&
                           (asked_q == '0 || behind0_q == 4'd1));
    end
    if (!live && !broken && !logged_q) done_with_one: assert (asked_q <= 3'd1);
  end

  // Of an operation with log
  logic [2:0] requests;
  logic [3:0] part;
  logic [9:0] page_words;                  // from the entry to the end of its page
  assign page_words = 10'd512 - {1'b0, \u_fence.u_write.u_log.entry_q [11:3]};
  assign part     = page_words < 10'd6 ? page_words[3:0] : 4'd6;
  assign requests = {1'b0, \u_fence.u_write.split , 1'b0} - {2'd0, \u_fence.u_write.split } +
                    values[2:0] + 3'd2;
  always_comb if (running_q && live && logged_q) begin
    alone: assert (busy && \u_fence.u_write.u_tracker.step_q == done_q[1:0] && done_q <= asked_q &&
                   done_q < requests && (older_q == '0 || done_q == '0));
    if (!fresh_q) begin
      entry_stands: assert (\u_fence.u_write.u_log.entry_q ==
                            {base[39:6], 3'd0} + {18'd0, \u_fence.u_write.u_log.offset_q });
      splits_at_the_end: assert (\u_fence.u_write.split == (page_words < 10'd6));
    end
    if (!fresh_q && asked_q > {2'd0, !log_only_q}) begin
      rest_stands: assert (\u_fence.u_write.u_log.behind_page_q ==
                           \u_fence.u_write.u_log.entry_q [39:12] + 1'b1);
    end
    if (done_q != '0) begin
      steps_known: assert (\u_fence.u_write.u_tracker.logged_step_q + 2'd1 == requests[1:0]);
    end
    offset_stands: assert ({42'd0, \u_fence.u_write.u_log.offset_q } ==
                           61'd5 + 61'd6 * {45'd0, index_q});
    unique case (at)
      RequestValue: asks_value: assert (!log_only_q && asked_q == '0 && words_q == '0);
      RequestAddress: asks_soon: assert (log_only_q && asked_q == '0 && words_q == '0 && starting);
      RequestEntry: asks_entry: assert (!fresh_q && asked_q == values[2:0] && words_q == values);
      RequestRest:  asks_rest: assert (\u_fence.u_write.split && asked_q == values[2:0] + 3'd1 &&
                                       words_q == values + part);
      RequestHeader: asks_header: assert (asked_q + 3'd1 == requests && words_q == values + 4'd6);
      default: asked_all: assert (at == RequestNone && asked_q == requests &&
                                  words_q == values + 4'd7);
    endcase
    header_last: assert (header_q == (at == RequestNone));
    if (words_q > values) begin
      entry_first: assert (!fresh_q && entry_q == {base[63:40], \u_fence.u_write.u_log.entry_q });
    end
    if (asked_q > 3'd0) sum0: assert (behind0_q == (log_only_q ? part : 4'd1));
    if (asked_q > 3'd1) sum1: assert (behind1_q == (!log_only_q ? 4'd1 + part :
                                      \u_fence.u_write.split ? 4'd6 : 4'd7));
    if (asked_q > 3'd2) sum2: assert (behind2_q == (log_only_q ? 4'd7 :
                                      \u_fence.u_write.split ? 4'd7 : 4'd8));
    if (asked_q > 3'd3) sum3: assert (behind3_q == 4'd8);
    unique case (data)
      DataValue: gives_value: assert (!log_only_q && given_q == '0 && done_q == '0 &&
                                      \u_fence.u_write.word_q == '0);
      DataGate:  waits_for_value: assert (!log_only_q && given_q == 4'd1 && done_q == '0 &&
                                          \u_fence.u_write.word_q == '0);
      DataLog:   gives_log: assert (given_q == values + {1'b0, \u_fence.u_write.word_q } &&
                                    \u_fence.u_write.word_q <= 3'd6 &&
                                    (log_only_q || done_q != '0));
      default:   gave_all: assert (given_q == values + 4'd7 && (log_only_q || done_q != '0));
    endcase
    failure_is_known: assert (\u_fence.u_write.value_failed == lost);
    if (value_bad_q) failed_value: assert (!log_only_q && done_q != '0);
  end
  always_comb if (running_q && live && logged_q && data != DataNone) begin
    end_is_later: assert (\u_fence.u_write.end_q >= end_q && \u_fence.u_write.end_q <= time_q);
  end
  always_comb if (running_q) begin
    end_was: assert (end_q <= time_q);
    if (starting && logged_q) begin
      not_failed: assert (!\u_fence.u_write.value_failed && !value_bad_q &&
                          \u_fence.u_write.word_q == '0 && fresh_q);
    end
  end

  // The state of our log
  logic        counting;                   // ours, its header word still to come
  logic [15:0] next_free;
  logic [31:0] next_wraps;
  assign counting   = ours_q && logged_q && live && data != DataNone;
  logic        at_end;                     // it has the last entry
  assign at_end     = \u_fence.u_write.u_log.index_q + 16'd1 == \u_fence.u_write.u_log.entries_q ;
  assign next_free  = at_end ? '0 : \u_fence.u_write.u_log.index_q + 16'd1;
  assign next_wraps = \u_fence.u_write.u_log.wraps_q + 32'(\u_fence.u_write.u_log.index_q <
                                                           \u_fence.u_write.u_log.free_q ) + 32'(at_end);
  logic was_free_q = 1'b1, began_q = 1'b1; // free one cycle ago, or two
  logic was_failed_q = 1'b0;
  always_ff @(posedge clk_i) begin
    was_free_q   <= \u_fence.u_write.free ;
    began_q      <= was_free_q;
    was_failed_q <= \u_fence.u_write.value_failed_q ;
  end
  always_comb if (running_q) begin
    ours_is_logged: assert (ours_q == (logged_q && slot_q == slot && log_only_q == !signals));
    if (!was_free_q) begin
      compared: assert (\u_fence.u_write.u_log.below_q ==
                        (\u_fence.u_write.u_log.index_q < \u_fence.u_write.u_log.free_q ) &&
                        \u_fence.u_write.u_log.last_q ==
                        at_end);
    end
    if (!was_free_q && was_failed_q) begin
      old_stands: assert (\u_fence.u_write.u_log.new_free_q == \u_fence.u_write.u_log.free_q &&
                          \u_fence.u_write.u_log.new_wraps_q == \u_fence.u_write.u_log.wraps_q );
    end else if (!was_free_q && !began_q) begin
      next_stands: assert (\u_fence.u_write.u_log.new_free_q == next_free &&
                           \u_fence.u_write.u_log.new_wraps_q == next_wraps);
    end
    if (live && logged_q && \u_fence.u_write.value_failed && data == DataLog &&
        \u_fence.u_write.word_q > 3'd1) old_in_time: assert (was_failed_q);
    if (live && logged_q && data == DataLog && !starting && !\u_fence.u_write.value_failed ) begin
      new_in_time: assert (!was_failed_q);
    end
    if (store) stored_if_not_failed: assert (!\u_fence.u_write.value_failed && !was_failed_q);
    if (logged_q && live) begin
      index_in_log: assert (\u_fence.u_write.u_log.index_q < \u_fence.u_write.u_log.entries_q );
    end
    if (live && logged_q && !starting) settled: assert (!was_free_q);
    if (live && logged_q && data == DataLog && \u_fence.u_write.word_q != '0) begin
      settled_in_time: assert (!began_q);
    end
    if (live && logged_q && !log_only_q && data != DataValue) value_settled: assert (!began_q);
    if (counting) begin
      state_stands: assert (state == {\u_fence.u_write.u_log.wraps_q ,
                                      \u_fence.u_write.u_log.entries_q ,
                                      \u_fence.u_write.u_log.free_q });
      no_store_yet: assert (!store && !header_q || at == RequestNone);
    end
    if (known_q) begin
      last_is_kept: assert (last_q == (store_ours ? {\u_fence.u_write.u_log.new_wraps_q , 16'd0,
                                                     \u_fence.u_write.u_log.new_free_q }
                                                  : {state[63:32], 16'd0, state[15:0]}));
    end
    if (store) begin
      store_of_the_last: assert (\u_fence.u_write.slot_q == slot_q &&
                                 \u_fence.u_write.log_only_q == log_only_q && logged_q &&
                                 data == DataNone && !was_free_q && !began_q &&
                                 !starting);
    end
    if (!\u_fence.u_slots.idle_o ) not_cleared: assert (!known_q && !logged_q && !store &&
                                                           \u_fence.u_slots.walk_q == Look);
    walk_is_legal: assert (\u_fence.u_slots.walk_q <= 3'd5);
    if (\u_fence.u_slots.looked_q && \u_fence.u_slots.looked_log_q &&
        \u_fence.u_slots.looked_slot_q == slot && \u_fence.u_slots.looked_signal_q == signals) begin
      looked_at_the_state: assert (\u_fence.u_slots.word == state);
    end
    if (\u_fence.u_slots.walk_q != Look && \u_fence.u_slots.log_q [3:0] == slot) begin
      switches_when_free: assert (!\u_fence.busy_q [slot] &&
                                  \u_fence.u_slots.switch_q [\u_fence.u_slots.log_q ]);
    end
  end

  // --- all this happens ---------------------------------------------------------------
  // Looked for when there was time for it, which spares the solver to show that it cannot happen
  // before; what takes two operations, with units that never wait.
  (* anyconst *) logic eager;
  always_comb if (eager) begin
    assume (write_ready_i == '1 && write_data_ready_i == '1 && record_ready_i == '1 &&
            !response_valid_i && timestamp_i == '0 && !signals);
    assume (fence_valid_i == 2'b01 && offered.kind == rf_bus_pkg::FenceWaitLog &&
            offered.slot == slot);
    assume (write_done_i == {1'b0, older_q != '0 || (done_q < asked_q && given_q >= behind)});
    assume (!bad);
  end

  logic [4:0] age_q = '0;
  logic [1:0] headers_q = '0;
  always_ff @(posedge clk_i) if (running_q) begin
    age_q <= age_q + 5'(age_q != '1);
    headers_q <= headers_q + 2'(header && headers_q != '1);
  end
  always_comb if (running_q && age_q >= 5'd18) begin
    value_fails: cover (header && lost);
    entry_is_split: cover (header && given_q == 4'd7 && asked_q == 3'd4);
    wait_is_logged: cover (header && log_only_q);
  end
  always_comb if (running_q && eager && age_q >= 5'd24) begin
    second_entry: cover (header && known_q && !lost && headers_q == 2'd1);
    log_wraps: cover (header && known_q && word[31:0] == '0 && last_q[31:0] != '0);
    log_is_switched: cover (switched && headers_q != '0);
  end

endmodule

`default_nettype wire
