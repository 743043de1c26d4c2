// SPDX-License-Identifier: Apache-2.0
//
// The wait unit: one waiting place per queue slot, released when CurrentValue >= value
// (unsigned). A wait is translated, inserted (physical address, value), and only then is
// CurrentValue read: a write performed before the read is seen by the read, every later
// one by the snoop, so no release is missed (design section 4). The snoop looks at twelve
// bits of all addresses at once; places that match compare the whole address and the
// value one a cycle, the lowest first, and read CurrentValue again if the next snoop comes
// before their turn. notify_i and invalidate_i make a waiting place read again, also when a
// read is already under way; invalidate_i makes it translate again first, and neither an
// old address nor an old read can release it meanwhile.
// Promises: no missed, no false, no double release; none in or after the cycle
// of a cancel; invalidate_busy_o falls when every place named has read again.
// The value of a wait comes in the cycle behind it.
// Latency: wait accepted -> inserted 4 + translation; snoop -> release 2 cycles, answer of
// a read -> release 2, if nothing is in its way.

`default_nettype none

module rf_wait (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  // From the nodes. A slot waits once at a time.
  input  wire logic                                 wait_valid_i,
  output logic                                      wait_ready_o,
  input  wire        rf_bus_pkg::wait_operation_t   wait_i,
  input  wire logic [63:0]                          word_i,     // its address, then its value
  input  wire logic                                 cancel_valid_i,
  input  wire logic [3:0]                           cancel_slot_i,
  output logic                                      release_valid_o,
  output logic [3:0]                                release_slot_o,
  output logic                                      release_stalled_o, // a read found it too low
  output             rf_bus_pkg::failure_t          release_failure_o,

  output logic                                      wait_translate_valid_o,
  input  wire logic                                 wait_translate_ready_i,
  output logic [3:0]                                wait_translate_vmid_o,
  output logic [63:3]                               wait_translate_va_o,
  input  wire logic                                 wait_translate_done_i,
  input  wire logic                                 wait_translate_fault_i,
  input  wire logic [1:0]                           wait_translate_level_i,
  input  wire logic                                 wait_translate_local_i,
  input  wire logic [54:3]                          wait_translate_address_i,

  output logic                                      read_valid_o,
  input  wire logic                                 read_ready_i,
  output             rf_bus_pkg::read_request_t     read_o,
  input  wire logic                                 answer_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */ // last: every answer has one word
  input  wire        rf_bus_pkg::read_answer_t      answer_i,
  /* verilator lint_on UNUSEDSIGNAL */

  input  wire logic                                 snoop_valid_i,
  input  wire logic                                 snoop_local_i,
  input  wire logic [54:3]                          snoop_address_i,
  input  wire logic [63:0]                          snoop_data_i,

  input  wire logic                                 notify_i,
  input  wire logic [15:0]                          invalidate_i,
  output logic                                      invalidate_busy_o,

  /* verilator lint_off UNUSEDSIGNAL */ // all registers here are read-only
  input  wire        rf_bus_pkg::register_request_t register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic                                 slot_read_i, // it reads a slot register
  input  wire logic [3:0]                           slot_i,      // of this slot
  output logic [63:0]                               register_data_o,
  output logic                                      idle_o
);

  localparam logic [4:0] WaitAddress = rf_pkg::RegSlotWaitAddress[7:3];
  localparam logic [4:0] WaitValue   = rf_pkg::RegSlotWaitValue[7:3];

  // --- state of the places, one bit per slot ------------------------------------
  logic [15:0] active_q;      // a wait is here
  logic [15:0] translate_q;   // it wants a translation
  logic [15:0] inserted_q;    // its physical address is known: the snoop sees it
  logic [15:0] want_q;        // it wants a read of CurrentValue
  logic [15:0] own_q;         // the read under way is of this wait and counts
  logic [15:0] reading_q;     // a read is under way, of this wait or of one before
  logic [15:0] stalled_q;     // a read found the value too low
  logic [15:0] refresh_q;     // an invalidation waits for this place
  logic [15:0] release_q;     // decided, release not yet handed over
  logic [15:0] named_q;       // the registers name it: also when it was cancelled

  logic        accept;
  logic [15:0] accept_slot, cancel_slot;  // of a cancel, no shift: synthesis would share accept's
  // A cancel and a new wait never meet in one cycle.
  assign wait_ready_o = !cancel_valid_i;
  assign accept       = wait_valid_i && wait_ready_o;
  assign accept_slot  = accept ? 16'd1 << wait_i.slot : '0;
  for (genvar s = 0; s < 16; s++) begin : gen_cancel
    assign cancel_slot[s] = cancel_valid_i && cancel_slot_i == s;
  end

  // --- what was asked ----------------------------------------------------------------
  // One looks at it in a cycle: a register read, which cannot wait, a release, a visit.
  logic [3:0]  look_slot, asked_vmid;
  logic [63:0] asked_va;
  logic [3:0]  unused_asked;

  rf_ram #(.Width(72), .DepthLog2(4)) u_asked (
    .clk_i, .write_i(accept), .write_address_i(wait_i.slot),
    .write_data_i({4'd0, wait_i.vmid, word_i}), .write_strobe_i('1),
    .read_i(1'b1), .read_address_i(look_slot),
    .read_data_o({unused_asked, asked_vmid, asked_va}));
  assign look_slot = address_read_q ? slot_q : release_due ? release_index_d : visit_d;

  // --- visits: one place a cycle is asked what it wants ---------------------------------
  // They go round, and come back to a place that could not have it yet. A place that was
  // translated one cycle ago, and a new wait, are visited out of turn; a new wait not when
  // another one waits for the translation.
  logic [3:0]  visit_q, visit_d;   // who is visited, and what it asked is shown:
  logic        shown_q;            // if nobody else looked, and nothing was written
  logic [15:0] visited_q;
  logic [3:0]  round_q;            // whose turn it is next
  logic        extra_q, extra;     // the visit is out of turn
  logic        refused, refused_q; // it was in turn, one cycle ago, and in vain
  logic [3:0]  refused_slot_q;
  logic        new_q, visit_new;
  logic        awaited_q;          // the translation is waited for
  logic        done_q;
  logic [3:0]  done_slot_q, new_slot_q;
  logic [15:0] read_request;
  logic        translate_here, read_here, read_busy, translate_start, read_start;

  // A place reads when it is inserted and no read of it is under way.
  assign read_request    = want_q & inserted_q & ~reading_q;
  assign translate_here  = shown_q && (translate_q & visited_q) != '0;
  assign read_here       = shown_q && (read_request & visited_q) != '0;
  assign read_busy       = read_valid_o && !read_ready_i;
  assign translate_start = translate_here && !translating_q;
  assign read_start      = read_here && !read_busy;
  assign refused         = !extra_q && (!shown_q || (translate_here && translating_q) ||
                                        (read_here && read_busy));

  assign visit_new = new_q && !awaited_q;
  assign extra     = done_q || visit_new;
  assign visit_d   = refused_q ? refused_slot_q :
                     done_q    ? done_slot_q    :
                     visit_new ? new_slot_q     : round_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      visit_q   <= '0;
      visited_q <= '0;
      shown_q   <= 1'b0;
      round_q   <= '0;
      extra_q   <= 1'b0;
      refused_q <= 1'b0;
      awaited_q <= 1'b0;
      done_q    <= 1'b0;
      new_q     <= 1'b0;
    end else begin
      visit_q   <= visit_d;
      visited_q <= 16'd1 << visit_d;
      shown_q   <= !address_read_q && !release_due && !accept;
      extra_q   <= !refused_q && extra;
      refused_q <= refused;
      awaited_q <= !translate_start && (awaited_q || (translate_here && translating_q));
      done_q    <= wait_translate_done_i;
      new_q     <= accept;
      if (refused_q) round_q <= refused_slot_q + 1'b1;
      else if (!extra) round_q <= round_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    refused_slot_q <= visit_q;
    done_slot_q    <= translate_slot_q;
    new_slot_q     <= wait_i.slot;
  end

  // --- translation: one at a time ---------------------------------------------------
  logic        translating_q, fault_q;
  logic [3:0]  translate_slot_q;
  logic [1:0]  fault_level_q;
  logic [15:0] translate_slot, translate_good;
  logic        translate_fault, fault_apply;

  assign translate_slot = 16'd1 << translate_slot_q;

  // A place that was cancelled, replaced or invalidated meanwhile has lost its
  // active bit or wants a translation again: the result is not for it.
  assign translate_good  = translating_q && wait_translate_done_i && !wait_translate_fault_i
                           ? translate_slot & active_q & ~translate_q : '0;
  assign translate_fault = translating_q && wait_translate_done_i && wait_translate_fault_i;
  assign fault_apply     = fault_q && !answered_q;

  // --- answers ---------------------------------------------------------------------------
  // An answer is compared as it comes, unless a snoop is in that cycle: then the place reads
  // again. What it says of its wait is judged one cycle later.
  logic        answer_mine;
  logic [15:0] answer_slot, answered, unheard, satisfied, unsatisfied, broken;
  logic        value_reaches_q, answer_bad;
  logic [15:0] judged_q;  // its read came one cycle ago, and was compared
  logic        answered_q; // an answer did, wanted or not
  logic [2:0]  answer_status_q;
  logic [1:0]  answer_level_q;
  logic [3:0]  answer_slot_q;
  assign answer_mine    = answer_valid_i && answer_i.master == rf_bus_pkg::ReadWait;
  assign answer_slot    = answer_mine ? 16'd1 << answer_i.id[3:0] : '0;
  assign answered       = compares_q ? '0 : answer_slot & own_q & active_q;
  assign unheard        = compares_q ? answer_slot & own_q & active_q : '0;
  assign answer_bad     = answer_status_q != rf_pkg::AccessStatusOk;
  assign broken         = answer_bad ? judged_q : '0;
  assign satisfied      = value_reaches_q ? judged_q : '0;
  assign unsatisfied    = !answer_bad && !value_reaches_q ? judged_q : '0;

  // --- snoop: who may match, in the first stage; address and value in the second --------------
  localparam int unsigned Tag = 14; // highest bit of the address that is compared at once

  logic [15:0] match, matched, left, overtaken, compare;
  logic [15:0] match_q;     // may match, and not compared before this cycle
  logic [15:0] compare_q;   // one of them: compared in this cycle
  logic [15:0] compared_q;  // it was compared one cycle ago, and has not ended
  logic        compares_q;  // there is one:
  logic        matches_q, left_q; // a new one, or one that is left
  logic        comparing_q; // one was, ended or not
  logic [3:0]  compare_index, compare_index_q, compared_index_q;
  logic [15:0] hit, vmid_match;
  logic        snoop_local_q, snoop_reaches, address_same_q, place_local;
  logic [54:3] snoop_address_q, place_address;
  logic [63:0] snoop_data_q, place_value;

  for (genvar s = 0; s < 16; s++) begin : gen_place
    logic [Tag:3] address_q;
    logic         local_q;
    logic [3:0]   vmid_q;

    always_ff @(posedge clk_i) begin
      if (accept_slot[s]) vmid_q <= wait_i.vmid;
      // Seen only once it is inserted.
      if (wait_translate_done_i && translate_slot[s]) begin
        address_q <= wait_translate_address_i[Tag:3];
        local_q   <= wait_translate_local_i;
      end
    end

    assign match[s]      = inserted_q[s] && snoop_local_i == local_q &&
                           snoop_address_i[Tag:3] == address_q;
    assign vmid_match[s] = invalidate_i[vmid_q];
  end

  // inserted_q falls with a release, a cancel and an invalidation: what matched
  // before then counts no more.
  assign left      = match_q & ~compare_q & inserted_q;
  assign overtaken = snoop_valid_i ? left : '0;
  assign matched   = snoop_valid_i ? match : left;
  assign compares_q = matches_q || left_q;

  rf_lowest #(.Ports(16)) u_compare_pick (
    .request_i(matched), .grant_o(compare), .index_o(compare_index));

  rf_lutram #(.Width(64), .DepthLog2(4)) u_place_value (
    .clk_i, .write_i(new_q), .write_address_i(new_slot_q), .write_data_i(word_i),
    .read_address_i(compares_q ? compare_index_q : answer_i.id[3:0]), .read_data_o(place_value));
  rf_lutram #(.Width(53), .DepthLog2(4)) u_place_address (
    .clk_i, .write_i(wait_translate_done_i), .write_address_i(translate_slot_q),
    .write_data_i({wait_translate_local_i, wait_translate_address_i}),
    .read_address_i(compare_index_q), .read_data_o({place_local, place_address}));

  // The value compared is that of the snoop or that of an answer.
  assign snoop_reaches = address_same_q && value_reaches_q;
  assign hit           = snoop_reaches ? compared_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      match_q     <= '0;
      compare_q   <= '0;
      compared_q  <= '0;
      matches_q   <= 1'b0;
      left_q      <= 1'b0;
      comparing_q <= 1'b0;
    end else begin
      match_q     <= matched;
      compare_q   <= compare;
      compared_q  <= compare_q & inserted_q & ~ended & ~invalidated;
      matches_q   <= snoop_valid_i && match != '0;
      left_q      <= !snoop_valid_i && left != '0;
      comparing_q <= compares_q;
    end
  end
  // In halves: one carry chain of 64 bits is too long.
  logic [63:0] value;
  assign value = compares_q ? snoop_data_q : answer_i.data;
  always_ff @(posedge clk_i) begin
    compare_index_q  <= compare_index;
    compared_index_q <= compare_index_q;
    address_same_q   <= snoop_local_q == place_local && snoop_address_q == place_address;
    value_reaches_q  <= value[63:32] > place_value[63:32] ||
                        (value[63:32] == place_value[63:32] && value[31:0] >= place_value[31:0]);
    if (snoop_valid_i) begin
      snoop_local_q   <= snoop_local_i;
      snoop_address_q <= snoop_address_i;
      snoop_data_q    <= snoop_data_i;
    end
  end

  // --- next state -------------------------------------------------------------------------
  logic [15:0] faulted, decided, invalidated, ended;
  assign faulted     = fault_apply ? translate_slot & active_q & ~translate_q : '0;
  assign decided     = active_q & (satisfied | broken | faulted) & ~hit & ~cancel_slot;
  assign ended       = decided | hit | cancel_slot;
  assign invalidated = active_q & vmid_match & ~ended;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      judged_q   <= '0;
      answered_q <= 1'b0;
    end else begin
      judged_q   <= answered & ~ended & ~invalidated;
      answered_q <= answer_mine;
    end
  end
  always_ff @(posedge clk_i) begin
    answer_status_q  <= answer_i.status;
    answer_level_q   <= answer_i.level;
    answer_slot_q    <= answer_i.id[3:0];
  end

  // One release a cycle: what the snoop hit goes at once. What was decided otherwise is looked
  // up first, and goes behind that; if it cannot, it has its turn as the places go round. A hit
  // in its way is known late: by then the next place is looked up, and the turn goes back to it.
  logic [15:0] release_turn, release_grant, release_shown_q;
  logic        in_turn, again_q;
  logic [3:0]  again_slot_q;
  logic        told, release_due, release_told_q, hit_turn;
  logic [3:0]  told_slot, release_index_q, release_index_d, release_round_q, release_round_d;

  assign told            = answered_q || fault_q;
  assign told_slot       = answered_q ? answer_slot_q : translate_slot_q;
  assign release_due     = told || release_q != '0;
  assign in_turn         = release_shown_q != '0 && !release_told_q;
  assign release_round_d = again_q ? again_slot_q : release_round_q + {3'd0, in_turn};
  assign release_index_d = told ? told_slot : release_round_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      release_shown_q <= '0;
      release_told_q  <= 1'b0;
      release_index_q <= '0;
      release_round_q <= '0;
      again_q         <= 1'b0;
    end else begin
      release_shown_q <= release_due && !address_read_q ? 16'd1 << release_index_d : '0;
      release_told_q  <= told;
      release_index_q <= release_index_d;
      release_round_q <= release_round_d;
      again_q         <= in_turn && hit_turn;
    end
  end
  always_ff @(posedge clk_i) again_slot_q <= release_index_q;

  assign hit_turn = snoop_reaches && comparing_q;
  assign release_turn    = hit_turn ? hit : release_shown_q & release_q;
  assign release_grant   = release_turn & ~cancel_slot;
  assign release_valid_o = release_grant != '0;
  assign release_slot_o  = hit_turn ? compared_index_q : release_index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q    <= '0;
      translate_q <= '0;
      inserted_q  <= '0;
      want_q      <= '0;
      own_q       <= '0;
      reading_q   <= '0;
      stalled_q   <= '0;
      refresh_q   <= '0;
      release_q   <= '0;
      named_q     <= '0;
    end else begin
      active_q    <= (active_q & ~ended) | accept_slot;
      named_q     <= (named_q & ~(decided | hit)) | accept_slot;
      translate_q <= ((translate_q & ~(translate_start ? visited_q : '0)) | invalidated |
                      accept_slot) & ~ended;
      inserted_q  <= (inserted_q | translate_good) & ~invalidated & ~ended & ~accept_slot;
      want_q      <= ((want_q & ~(read_start ? visited_q : '0)) | unheard |
                     invalidated | overtaken | accept_slot |
                     (notify_i ? active_q : '0)) & ~ended;
      own_q       <= ((own_q & ~answer_slot) | (read_start ? visited_q : '0)) & ~invalidated &
                     ~ended & ~accept_slot;
      reading_q   <= (reading_q & ~answer_slot) | (read_start ? visited_q : '0);
      stalled_q   <= (stalled_q | unsatisfied) & ~accept_slot;
      refresh_q   <= ((refresh_q & ~answered) | invalidated) & ~ended;
      release_q   <= ((release_q & ~release_grant) | decided) & ~cancel_slot;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      translating_q          <= 1'b0;
      fault_q                <= 1'b0;
      wait_translate_valid_o <= 1'b0;
      read_valid_o           <= 1'b0;
    end else begin
      if (translate_start) begin
        translating_q          <= 1'b1;
        wait_translate_valid_o <= 1'b1;
      end else begin
        if (wait_translate_ready_i) wait_translate_valid_o <= 1'b0;
        if ((wait_translate_done_i && !translate_fault) || fault_apply) translating_q <= 1'b0;
      end
      fault_q <= translate_fault || (fault_q && !fault_apply);
      if (read_start) read_valid_o <= 1'b1;
      else if (read_ready_i) read_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!translating_q) begin
      translate_slot_q      <= visit_q;
      wait_translate_vmid_o <= asked_vmid;
      wait_translate_va_o   <= asked_va[63:3];
    end
    if (translate_fault) fault_level_q <= wait_translate_level_i;
    if (!read_busy) begin
      read_o.vmid  <= asked_vmid;
      read_o.va    <= asked_va;
      read_o.words <= 7'd1;
      read_o.id    <= {1'b0, visit_q};
    end
  end

  // --- release ------------------------------------------------------------------------------
  // How it was decided, status and level, waits here for its turn; a translation fault
  // steps back for an answer, so there is one writer.
  logic [2:0] failure_status;
  logic [1:0] failure_level;
  rf_lutram #(.Width(5), .DepthLog2(4)) u_failure (
    .clk_i, .write_i(judged_q != '0 || fault_apply), .write_address_i(told_slot),
    .write_data_i(fault_apply ? {rf_pkg::AccessStatusTranslation, fault_level_q}
                              : {answer_status_q, answer_level_q}),
    .read_address_i(release_index_q), .read_data_o({failure_status, failure_level}));

  assign release_stalled_o = (release_turn & stalled_q) != '0;
  always_comb begin
    release_failure_o         = '0;
    release_failure_o.level   = failure_level;
    release_failure_o.address = asked_va;
    if (!hit_turn && failure_status != rf_pkg::AccessStatusOk) begin
      // The access statuses and their queue errors are in the same order.
      release_failure_o.error = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, failure_status};
    end
  end

  assign invalidate_busy_o = refresh_q != '0;

  // Known a cycle late, when nothing came meanwhile.
  logic quiet;
  assign quiet = translate_q == '0 && !translating_q && (want_q & active_q) == '0 &&
                 reading_q == '0 && !read_valid_o && release_q == '0 && match_q == '0 &&
                 compared_q == '0 && judged_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) idle_o <= 1'b0;
    else idle_o <= quiet && !accept && !snoop_valid_i && !notify_i && invalidate_i == '0;
  end

  // --- registers ------------------------------------------------------------------------------
  // Two cycles: who asks is far, and what he asks for is known late.
  logic        address_read_q, value_read_q, waiting_read_q, stages_read_q;
  logic [3:0]  slot_q;
  logic [16:0] register_address;
  assign register_address = {register_i.address, 3'b000};

  always_ff @(posedge clk_i) begin
    slot_q         <= slot_i;
    address_read_q <= slot_read_i && register_address[7:3] == WaitAddress;
    value_read_q   <= slot_read_i && register_address[7:3] == WaitValue;
    waiting_read_q <= register_i.valid && !register_i.write &&
                      register_address == rf_pkg::RegFenceWaiting;
    stages_read_q  <= register_i.valid && !register_i.write &&
                      register_address == rf_pkg::RegFenceWaitStages;
  end

  // A slot's words come out of block RAM, whose output is 0 behind any cycle that reads none
  // of them: also if the slot has no wait, or gets it in this cycle.
  (* no_rw_check, ram_style = "block" *)
  logic [63:0] value_words [16];
  logic [63:0] value_word, stages_q;
  logic        named, address_shown_q;
  assign named = named_q[slot_q] && !(accept && wait_i.slot == slot_q) &&
                 !(new_q && new_slot_q == slot_q);

  always_ff @(posedge clk_i) begin
    address_shown_q <= named && address_read_q;
    if (new_q) value_words[new_slot_q] <= word_i;
    if (named && value_read_q) value_word <= value_words[slot_q];
    else value_word <= '0;
  end

  always_ff @(posedge clk_i) begin
    stages_q <= '0;
    if (waiting_read_q) stages_q <= {48'd0, active_q};
    if (stages_read_q) begin
      stages_q <= {stalled_q & active_q, reading_q & active_q, inserted_q, translate_q};
    end
  end
  assign register_data_o = stages_q | (address_shown_q ? asked_va : '0) | value_word;

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) value_behind_its_wait: assert (!(new_q && wait_valid_i));
  end
`endif
`endif

endmodule

`default_nettype wire
