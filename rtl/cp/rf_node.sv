// SPDX-License-Identifier: Apache-2.0
//
// One node: serves its runnable slots in turn. It takes a slot's position, lets rf_fetch
// bring ring entries and command words, rf_decode make packets of them, and hands each
// packet to the unit that executes it, its words one a cycle behind it.
//
// Order (design section 4): rf_fence keeps the fence operations of a queue in order, so they
// wait for engine work only, as every packet does that is not engine work itself; BARRIER,
// TRAP and SOFTWARE_SIGNAL wait for both. The read pointer moves when the last packet of an
// entry is handed over and the engine is done. Packets behind one that fails may have been
// handed over before the failure is known. A slot is left between packets, or when the
// engine has stopped; its position goes back to its registers, the words fetched ahead for
// a waiting slot stay until another slot is taken. The node is busy, so that no DISABLE
// completes, until every read for its slot is answered.

`default_nettype none

module rf_node #(
  parameter int unsigned Node = 0
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /* verilator lint_off UNUSEDSIGNAL */ // all registers here are read-only
  input  wire rf_bus_pkg::register_request_t register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [63:0]       register_data_o,
  input  wire logic [63:0]  timestamp_i,

  // rf_slots
  input  wire rf_bus_pkg::descriptor_write_t descriptor_i,
  input  wire rf_bus_pkg::node_choice_t choice_i,
  output      rf_bus_pkg::node_place_t  place_o,
  input  wire rf_bus_pkg::slot_view_t   view_i,
  output      rf_bus_pkg::slot_update_t update_o,
  output logic              retire_valid_o,
  input  wire logic         retire_ready_i,
  output      rf_bus_pkg::failure_t fail_o, // with update_o.fails

  // the slot's registers, where its position lies while another is served
  output      rf_bus_pkg::slot_position_t position_o,
  input  wire logic         memory_ready_i,
  input  wire logic [63:0]  load_data_i,    // one cycle after a load was taken

  // memory
  output logic              read_valid_o,
  input  wire logic         read_ready_i,
  output      rf_bus_pkg::read_request_t read_o,
  input  wire logic         answer_valid_i,
  input  wire rf_bus_pkg::read_answer_t answer_i,

  // units: what they get, and its words, one after the other (rf_bus_pkg)
  output logic [63:0]       word_o,
  output logic              fence_valid_o,
  input  wire logic         fence_ready_i,
  output      rf_bus_pkg::fence_operation_t fence_o,
  output logic              wait_valid_o,
  input  wire logic         wait_ready_i,
  output      rf_bus_pkg::wait_operation_t wait_o,
  output logic              engine_valid_o,
  input  wire logic         engine_ready_i,
  output      rf_bus_pkg::engine_operation_t engine_o,
  input  wire rf_bus_pkg::engine_result_t engine_result_i,
  output      rf_bus_pkg::engine_control_t engine_control_o,
  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  input  wire logic [2:0]   record_show_i,  // word of the record that is shown, one-hot
  output logic [63:0]       record_o,

  output logic              idle_o,
  output      rf_bus_pkg::node_events_t events_o
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end

  // Idle, Run and Start have a bit of their own: they stand in front of every choice, every
  // packet and the first read.
  typedef enum logic [4:0] {
    Load = 5'd0, Position = 5'd1, Leave = 5'd2, Idle = 5'd4, Run = 5'd8, Start = 5'd16
  } state_e;
  state_e state_q, state_d;
  logic   idle, running;
  logic   busy, buffer_begins, fence_issued, wait_issued, wait_done, stops_queue, fails;
  logic   engine_abort, engine_preempt, event_packet, event_ring_fetch, event_command_fetch;
  assign idle    = state_q[2];
  assign running = state_q[3];

  // --- choice of a slot --------------------------------------------------------------
  // In turn; but the slot whose words are kept goes first. It starves nobody: who was
  // runnable when it left was served before its wait could end.
  logic [15:0] grant, here_q;              // here: slot_q, one-hot
  logic [3:0]  chosen_slot, slot_q, load_slot; // load_slot: slot_q or what may become it
  logic        same, drained, kept_q, kept_d, wanted, wanted_q, prefetch_d, prefetch_q, issue_q;
  logic        free, free_q, load, choose, choice_valid, chosen, take_same, take_coming;
  assign same       = kept_q && (choice_i.runnable & here_q) != '0;
  // Of the highest band, once it is known; a node takes nothing else meanwhile.
  assign wanted     = choice_i.eligible != '0;
  // The choice is followed one cycle later, unless the kept slot came first. Prefetching
  // for that ends before.
  assign choose     = idle && !choice_valid && drained &&
                      (!kept_q || (wanted_q && !prefetch_q));
  assign chosen     = idle && choice_valid;
  assign take_same  = idle && !choice_valid && same;
  assign prefetch_d = idle && kept_q && !wanted_q && !view_i.halt;
  // A ring finds a node without anything to do: its slot needs no choice and is loaded
  // meanwhile. Whether the ring brought work is known one cycle later. What a slot is
  // loaded from is on long paths: the node is free from its second idle cycle on.
  assign free        = idle && free_q;
  assign take_coming = choice_i.coming && free && drained && !choice_valid && !wanted;
  assign load        = free || state_q == Load || (state_q == Position && !positioned2_q);
  assign load_slot = free ? choice_i.coming_slot : slot_q;

  logic work_q, in_buffer_q, starts;  // Start is next
  assign starts = state_q == Load || take_coming;
  always_ff @(posedge clk_i) begin
    work_q      <= view_i.work;
    in_buffer_q <= view_i.in_buffer;
  end

  rf_choice #(.Ports(16)) u_choice (
    .clk_i, .rst_ni, .request_i(choice_i.turn), .choose_i(choose), .valid_o(choice_valid),
    .grant_o(grant), .take_i(chosen)
  );

  always_comb begin
    chosen_slot = '0;
    for (int unsigned i = 0; i < 16; i++) begin
      if (grant[i]) chosen_slot = chosen_slot | i[3:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wanted_q   <= 1'b0;
      prefetch_q <= 1'b0;
      issue_q    <= 1'b0;
      free_q     <= 1'b0;
      slot_q     <= '0;
      here_q     <= 16'd1;
    end else begin
      wanted_q   <= wanted || choice_i.coming;
      free_q     <= idle && !kept_q;
      prefetch_q <= prefetch_d;
      issue_q    <= running || prefetch_d; // no more behind Leave
      if (chosen) begin
        slot_q <= chosen_slot;
        here_q <= grant;
      end else if (take_coming) begin
        slot_q <= choice_i.coming_slot;
        here_q <= 16'd1 << choice_i.coming_slot;
      end
    end
  end

  // --- descriptor of each slot: what its first ring read needs ----------------------------
  // The ring size is kept as a mask of the index. CONFIG is not written while a slot is
  // enabled; RING_BASE of a slot in use may be, which is a mistake of the driver.
  logic        base_write, config_write;
  logic [3:0]  vmid;
  logic [63:4] ring_base;
  logic [11:0] ring_mask;
  assign base_write   = descriptor_i.word == rf_pkg::RegSlotRingBase[7:3];
  assign config_write = descriptor_i.word == rf_pkg::RegSlotConfig[7:3];

  rf_lutram #(.Width(32)) u_base_high (
    .clk_i, .write_i(base_write && descriptor_i.strobe[1]), .write_address_i(descriptor_i.slot),
    .write_data_i(descriptor_i.data[63:32]), .read_address_i(slot_q),
    .read_data_o(ring_base[63:32])
  );
  rf_lutram #(.Width(28)) u_base_low (
    .clk_i, .write_i(base_write && descriptor_i.strobe[0]), .write_address_i(descriptor_i.slot),
    .write_data_i(descriptor_i.data[31:4]), .read_address_i(slot_q), .read_data_o(ring_base[31:4])
  );
  rf_lutram #(.Width(16)) u_config (
    .clk_i, .write_i(config_write && descriptor_i.strobe[0]),
    .write_address_i(descriptor_i.slot),
    .write_data_i({descriptor_i.data[rf_pkg::SlotConfigVmidLsb +: 4],
                   ~(12'hfff << descriptor_i.data[rf_pkg::SlotConfigRingLog2Lsb +: 4])}),
    .read_address_i(slot_q), .read_data_o({vmid, ring_mask})
  );

  // --- position in the slot: here while it is served, else in its registers ----------------
  // Stored when the slot is left; a slot that is inside a buffer gets it back before its
  // words are fetched, the quantum meanwhile.
  localparam logic [4:0] First    = rf_pkg::RegSlotBufferAddress[7:3];
  localparam logic [4:0] State    = rf_pkg::RegSlotBufferState[7:3];
  localparam logic [4:0] Done     = rf_pkg::RegSlotOperationDone[7:3];
  localparam logic [4:0] Partial  = rf_pkg::RegSlotOperationPartial[7:3];
  localparam logic [4:0] Observed = rf_pkg::RegSlotWaitObserved[7:3];
  localparam logic [4:0] Left     = rf_pkg::RegSlotQuantumLeft[7:3];
  localparam logic [4:0] Quantum  = rf_pkg::RegSlotQuantum[7:3];
  localparam logic [4:0] Config   = rf_pkg::RegSlotConfig[7:3]; // whom a record names
  localparam logic [3:0] WaitWords = rf_pkg::PacketWaitWordsMin[3:0];
  if (State != First + 1 || Done != First + 2 || Partial != First + 3 || Observed != First + 4 ||
      Left != First + 5) begin : gen_check
    $error("the registers of the position follow each other");
  end

  logic        leaves, settled, load_q, positioned_q, positioned2_q;
  logic        rewind, rewound_q, passed_q, begun_q;
  logic [2:0]  back_q;     // operations that come back: handed over and not complete
  logic [28:0] moves;
  logic [3:0]  step, step_q;
  logic        skipped_q;  // decode is behind an unlogged WAIT, offset_q still on it
  logic [4:0]  number_q, loaded_number_q;
  logic [3:0]  store_slot_q;
  logic        loaded_q, store_q, load_now;
  logic [63:0] store_data_q;
  logic [63:0] buffer_start_q; // of a ring entry at fault as it was
  logic [28:0] size_q, offset_q;
  logic [31:0] done_q, done_back_q;       // of an operation to go on with; back: of the one
  logic [63:0] partial_q, partial_back_q; // that came back, until it is stored, else 0
  logic [63:0] observed_q;
  logic [31:0] handle_q;
  logic [1:0]  served_node_q;
  logic [63:0] observed_told_q; // it, or 0 if the WAIT had not stalled: for the log
  logic [23:0] left_quantum_q;
  logic        endless_q;

  assign load_now = load_q && !store_q;
  always_comb begin
    position_o.store  = store_q;
    position_o.load   = load_now;
    position_o.slot   = store_q ? store_slot_q : slot_q;
    position_o.number = number_q;
    position_o.data   = store_data_q;
  end
  // All of it is here.
  assign settled  = !store_q && !load_q && !loaded_q;

  // What goes out next stands in a register: behind it lies the memory's own choice. Before
  // a store that is the word which comes first.
  logic next_first, next_state, next_done, next_partial, next_observed, next_left;
  assign next_first    = !store_q && in_buffer_q;
  assign next_state    = store_q && number_q == First;
  assign next_done     = store_q && number_q == State;
  assign next_partial  = store_q && number_q == Done;
  assign next_observed = store_q && number_q == Partial;
  assign next_left     = store_q ? number_q == Observed : !in_buffer_q;

  always_ff @(posedge clk_i) begin
    if (!store_q || memory_ready_i) begin
      store_data_q <= (next_first ? buffer_start_q : '0) |
                      (next_state ? {3'd0, offset_q, 3'd0, size_q} : '0) |
                      (next_done ? {32'd0, done_q | done_back_q} : '0) |
                      (next_partial ? partial_q | partial_back_q : '0) |
                      (next_observed ? observed_q : '0) |
                      (next_left ? {40'd0, left_quantum_q} : '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_q       <= 1'b0;
      load_q        <= 1'b0;
      loaded_q      <= 1'b0;
      positioned_q  <= 1'b0;
      positioned2_q <= 1'b0;
    end else begin
      if (leaves) store_q <= 1'b1;
      else if ((memory_ready_i && number_q == Left) || take_same) store_q <= 1'b0;
      if (state_q == Start && work_q) load_q <= 1'b1;
      else if (load_now && memory_ready_i && number_q == Config) load_q <= 1'b0;
      loaded_q      <= load_now && memory_ready_i;
      positioned_q  <= loaded_q && loaded_number_q == State;
      positioned2_q <= positioned_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (leaves || (state_q == Start && !store_q)) number_q <= in_buffer_q ? First : Left;
    else if ((store_q || load_q) && memory_ready_i) begin
      number_q <= number_q + 5'd1;
      if (number_q == Left) number_q <= store_q ? (in_buffer_q ? First : Left) : Quantum;
      if (number_q == Quantum) number_q <= Config;
    end
    loaded_number_q <= number_q;
    passed_q        <= packet_done && !rewind && !rewound_q;
    begun_q         <= buffer_begins;
    step_q          <= words;
    if (leaves) store_slot_q <= slot_q;
  end

  logic load_first, load_state, load_done, load_partial, load_observed;
  logic buffer_here, take_buffer, behind;
  assign load_first    = loaded_q && loaded_number_q == First;
  assign load_state    = loaded_q && loaded_number_q == State;
  assign load_done     = loaded_q && loaded_number_q == Done;
  assign load_partial  = loaded_q && loaded_number_q == Partial;
  assign load_observed = loaded_q && loaded_number_q == Observed;
  assign buffer_here   = buffer_valid && settled; // else the position is not yet in its place
  assign take_buffer   = buffer_here && buffer_ready;
  assign behind        = passed_q || begun_q; // the operation under way

  always_ff @(posedge clk_i) begin
    if (load_first) buffer_start_q <= {load_data_i[63:3], 3'd0};
    else if (take_buffer) buffer_start_q <= buffer_address;

    if (load_state) size_q <= load_data_i[28:0];
    else if (take_buffer) size_q <= buffer_words;

    // A cycle late, which is before the next packet and before it is stored; but behind a
    // WAIT the next one may be ready.
    if (take_buffer) offset_q <= '0;
    else if (load_state) offset_q <= load_data_i[60:32];
    else if (passed_q || skip_done || back_q != '0) offset_q <= offset_q + moves;

    if (behind) done_q <= '0;
    else if (load_done) done_q <= load_data_i[31:0];

    // These two are 0 then: any operation that comes back was handed over. One still
    // offered stays as it is.
    if (rewind) done_back_q <= engine_result_i.progress;
    else if (settled && !rewound_q) done_back_q <= '0;

    // That of the last cycle stays: when the WAIT was handed over.
    if (load_observed) observed_q <= load_data_i;
    else if (running && at_packet && is_wait && !view_i.wait_over && !view_i.waited) begin
      observed_q <= timestamp_i;
    end
    observed_told_q <= view_i.stalled ? observed_q : '0;

    if (loaded_q && loaded_number_q == Config) begin
      handle_q      <= load_data_i[rf_pkg::SlotConfigHandleLsb +: 32];
      served_node_q <= load_data_i[rf_pkg::SlotConfigNodeLsb +: 2];
    end
  end

  // Only the vector engine has a partial result: that of COPY and FILL is 0.
  if (Node == 0) begin : gen_partial
    always_ff @(posedge clk_i) begin
      if (behind) partial_q <= '0;
      else if (load_partial) partial_q <= load_data_i;
      if (rewind) partial_back_q <= engine_result_i.partial;
      else if (settled && !rewound_q) partial_back_q <= '0;
    end
  end else begin : gen_no_partial
    logic unused_partial;
    assign unused_partial = &{1'b0, engine_result_i.partial, load_partial};
    assign partial_q      = '0;
    assign partial_back_q = '0;
  end

  // --- quantum ---------------------------------------------------------------------------
  logic spent, spent_q;
  assign spent = !endless_q && left_quantum_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) spent_q <= 1'b0;
    else spent_q <= state_q != Start && spent; // in Start still that of the slot before
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_quantum_q <= '0;
      endless_q      <= 1'b1;
    end else if (state_q == Start) begin
      endless_q <= 1'b1; // until it is known
    end else if (loaded_q && loaded_number_q == Left) begin
      left_quantum_q <= load_data_i[23:0];
    end else if (loaded_q && loaded_number_q == Quantum) begin
      if (left_quantum_q == '0) left_quantum_q <= load_data_i[23:0];
      endless_q <= load_data_i[23:0] == '0;
    end else if (running && !spent && !endless_q) begin
      left_quantum_q <= left_quantum_q - 24'd1;
    end
  end

  // --- fetch and decode -------------------------------------------------------------------
  logic        start, issue;
  logic        buffer_valid, buffer_ready, buffer_failed, buffer_more;
  logic        word_valid, word_ready, word_failed;
  logic [63:0] buffer_address, word;
  logic [28:0] buffer_words;
  logic [60:0] position;
  logic [7:0]  buffer_error, word_error;
  logic [1:0]  buffer_level, word_level;
  logic [4:0]  word_left;
  logic        wants_buffer, at_begin, at_packet, at_end, at_error, item_done;
  rf_bus_pkg::decoded_packet_t decoded;
  rf_bus_pkg::packet_error_t   packet_error;
  logic        is_nop, is_wait, is_barrier, is_fence, is_engine, is_record;
  logic [7:0]  opcode;
  logic [3:0]  words;
  logic        log;
  logic [15:0] argument;
  logic [63:0] operand;
  assign {is_nop, is_wait, is_barrier, is_fence, is_engine, is_record, opcode, words, log,
          argument} = decoded;
  logic        bank, operand_bank;
  logic [2:0]  operand_place;

  // A kept slot goes on prefetching until another one wants the node.
  // A position is complete in state Position alone.
  assign start = (state_q[4] && !in_buffer_q) || positioned2_q;
  assign issue = issue_q;

  rf_fetch u_fetch (
    .clk_i, .rst_ni, .load_i(load), .start_i(start),
    .first_i(starts && view_i.work && !view_i.in_buffer), .resume_i(in_buffer_q),
    .position_i(position),
    .words_i(left_q), .issue_i(issue), .drained_o(drained),
    .read_pointer_i(view_i.read_pointer), .write_pointer_i(view_i.write_pointer),
    .vmid_i(vmid), .ring_base_i(ring_base),
    .ring_mask_i(ring_mask),
    .read_valid_o, .read_ready_i, .read_o, .answer_valid_i, .answer_i,
    .buffer_valid_o(buffer_valid), .buffer_look_i(buffer_ready),
    .buffer_ready_i(buffer_ready && settled),
    .buffer_address_o(buffer_address), .buffer_failed_o(buffer_failed),
    .buffer_more_o(buffer_more), .buffer_words_o(buffer_words),
    .buffer_error_o(buffer_error), .buffer_level_o(buffer_level),
    .word_valid_o(word_valid), .word_ready_i(word_ready), .word_o(word),
    .word_left_o(word_left), .word_failed_o(word_failed), .word_error_o(word_error),
    .word_level_o(word_level),
    .ring_fetch_o(event_ring_fetch), .command_fetch_o(event_command_fetch)
  );

  rf_decode #(.Node(Node)) u_decoder (
    .clk_i, .rst_ni, .start_i(start), .resume_i(in_buffer_q), .more_i(left_q != '0),
    .buffer_valid_i(buffer_here), .buffer_ready_o(buffer_ready),
    .buffer_failed_i(buffer_failed), .buffer_more_i(buffer_more),
    .buffer_error_i(buffer_error),
    .buffer_level_i(buffer_level),
    .word_valid_i(word_valid), .word_ready_o(word_ready), .word_i(word),
    .word_left_i(word_left),
    .word_failed_i(word_failed), .word_error_i(word_error), .word_level_i(word_level),
    .waiting_o(wants_buffer), .begin_o(at_begin), .packet_o(at_packet), .end_o(at_end),
    .error_o(at_error), .ready_i(item_done),
    .decoded_o(decoded), .bank_o(bank), .operand_bank_i(operand_bank),
    .operand_i(operand_place), .operand_o(operand), .packet_error_o(packet_error)
  );

  // --- engine work of the slot being served ---------------------------------------------
  logic [2:0] engine_count_q;
  logic       engine_issued, engine_idle, engine_fails, engine_failed_d, engine_failed_q;
  assign engine_issued   = engine_valid_o && engine_ready_i;
  assign engine_fails    = engine_result_i.done &&
                           engine_result_i.failure.error != rf_pkg::QueueErrorNone;
  assign engine_failed_d = engine_fails || (engine_failed_q && !view_i.error);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      engine_count_q  <= '0;
      engine_idle     <= 1'b1;
      engine_failed_q <= 1'b0;
    end else begin
      engine_count_q  <= engine_count_q + {2'd0, engine_issued} - {2'd0, engine_result_i.done};
      engine_idle     <= !engine_issued &&
                         (engine_idle || (engine_count_q == 3'd1 && engine_result_i.done));
      engine_failed_q <= engine_failed_d;
    end
  end

  // A slot that is left in the midst of engine work: the first operation that is not
  // complete is the packet to go on with, those behind it come back as they were. All
  // are of the same length, and no other packet lies between them.
  localparam logic [7:0] EngineWords = (Node == 0) ? rf_pkg::PacketVectorWordsMin
                                                   : rf_pkg::PacketCopyWordsMin;
  if (rf_pkg::PacketVectorWordsMin != rf_pkg::PacketVectorWordsMax ||
      rf_pkg::PacketCopyWordsMin != rf_pkg::PacketCopyWordsMax ||
      rf_pkg::PacketFillWordsMin != rf_pkg::PacketCopyWordsMin ||
      rf_pkg::PacketFillWordsMax != rf_pkg::PacketCopyWordsMin) begin : gen_check_words
    $error("the operations of an engine have one length");
  end

  always_comb begin
    moves = {25'd0, step_q};
    for (int unsigned c = 1; c < 8; c++) begin // a table: no multiplier
      if (back_q == c[2:0]) moves = -(c[28:0] * {21'd0, EngineWords});
    end
    if (skipped_q) moves = {25'd0, WaitWords};
  end

  assign rewind           = engine_result_i.done && engine_result_i.preempted && !rewound_q;
  assign engine_preempt   = ((running && stop_q) || state_q == Leave) &&
                            (!engine_idle || engine_valid_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rewound_q <= 1'b0;
      back_q    <= '0;
    end else begin
      rewound_q <= (rewound_q || rewind) && !leaves;
      back_q    <= rewind ? engine_count_q : '0;
    end
  end

  // What was handed over before the slot came into error is of no use any more.
  assign engine_abort = !engine_idle && (view_i.error || engine_failed_q);

  // --- execution ---------------------------------------------------------------------------
  logic offered_q;       // a request stands at a unit and must stay
  logic stop_q;          // the slot must stop, or others have waited long enough
  /* verilator lint_off UNUSEDSIGNAL */ // proofs look at it
  logic held_q;          // a position is still on its way
  /* verilator lint_on UNUSEDSIGNAL */
  logic others, mine, yields;
  logic go_q;            // known a cycle ahead: what a packet does goes far in its cycle
  logic offered_d, skipped_d, stop_d, held_d;
  assign others = (choice_i.eligible & ~here_q) != '0;
  assign mine   = (choice_i.eligible & here_q) != '0;
  assign yields = others && (!mine || spent_q);

  // Where the packet wants to go; whether it may go at all comes late.
  logic to_fence, to_wait, to_engine, to_record, to_nobody, to_retire, wait_log, quiet;
  logic free_word; // no words of the packet before are under way:
  logic sends_q;
  assign wait_log  = is_wait && view_i.wait_over && log;
  assign quiet     = engine_idle && view_i.fences_none;
  assign free_word = at_packet && !sends_q;
  assign to_fence  = free_word && engine_idle && (wait_log || is_fence);
  assign to_wait   = free_word && engine_idle && is_wait && !view_i.wait_over;
  assign to_engine = free_word && is_engine && engine_count_q != '1;
  assign to_record = free_word && is_record && quiet;
  assign to_nobody = at_packet && engine_idle &&
                     (is_nop || (is_barrier && quiet) || (is_wait && view_i.wait_over && !log));
  assign to_retire = at_end && engine_idle;

  assign fence_valid_o  = go_q && to_fence;
  assign wait_valid_o   = go_q && to_wait;
  assign engine_valid_o = go_q && to_engine;
  assign record_valid_o = go_q && to_record;
  assign retire_valid_o = go_q && to_retire;
  assign buffer_begins  = go_q && at_begin;

  assign fence_issued = fence_valid_o && fence_ready_i;
  assign wait_issued  = wait_valid_o && wait_ready_i;
  assign stops_queue  = record_valid_o && record_ready_i;

  // A packet is behind when its unit has it; a WAIT only when it is over.
  logic taken, packet_done, skip_done;
  assign taken       = (to_fence && fence_ready_i) || (to_engine && engine_ready_i) ||
                       (to_record && record_ready_i) || to_nobody;
  assign packet_done = go_q && taken;
  assign skip_done   = running && skipped_q && view_i.wait_over;
  assign wait_done   = skip_done || (go_q && at_packet && engine_idle && is_wait &&
                                     view_i.wait_over &&
                                     (!log || (free_word && fence_ready_i)));

  // The decoder goes on behind an unlogged WAIT at once: its next packet is ready
  // at the release. A logged one stays for its log entry.
  assign item_done = go_q && (taken || (to_wait && wait_ready_i && !log) || at_begin ||
                            (to_retire && retire_ready_i));

  always_comb begin
    step = at_error ? packet_error.words : words;
    if (state_q == Position) step = '0;
  end

  // Where the words to fetch start, after Load, and how many there are; where an error lies.
  logic [28:0] reached_q, left_q;
  always_ff @(posedge clk_i) begin
    reached_q <= offset_q + {25'd0, step};
    left_q    <= size_q - offset_q;
  end
  assign position = buffer_start_q[63:3] + {32'd0, reached_q};

  // --- failures -------------------------------------------------------------------------
  // Shown until the slot is in error. An engine's comes first: it belongs to an earlier
  // packet. One of the decoder is shown when its address stands in failure_q.
  logic       decode_fails;
  logic [1:0] decode_failed_q;
  rf_bus_pkg::failure_t failure_q;
  assign decode_fails = go_q && at_error && engine_idle;
  assign fails = engine_failed_q || decode_failed_q[1];
  assign fail_o       = failure_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) decode_failed_q <= '0;
    else decode_failed_q <= {decode_failed_q[0] && decode_fails, decode_fails};
  end
  always_ff @(posedge clk_i) begin
    if (engine_fails && !engine_failed_q) begin
      failure_q <= engine_result_i.failure;
    end else if (!engine_failed_q) begin
      failure_q.error   <= packet_error.cause;
      failure_q.level   <= packet_error.level;
      failure_q.store   <= 1'b0;
      failure_q.address <= {position, buffer_start_q[2:0]};
    end
  end

  // --- control ---------------------------------------------------------------------------
  assign leaves = state_q == Leave && engine_idle && !engine_failed_q && settled;

  always_comb begin
    state_d = state_q;
    kept_d  = kept_q && !view_i.halt;
    unique case (state_q)
      Idle: begin
        if (choice_valid) begin
          state_d = Load;
          kept_d  = 1'b0;
        end else if (take_same) begin
          state_d = Run;
        end else if (take_coming) begin
          state_d = Start;
        end
      end
      Load:  state_d = Start;
      Start:    state_d = !work_q ? Idle : in_buffer_q ? Position : Run;
      Position: if (positioned2_q) state_d = Run;
      Run: begin
        if (wait_issued || stops_queue) begin
          state_d = Leave;
          kept_d  = !spent_q;
        end else if ((stop_q && !offered_q) || (wants_buffer && !work_q)) begin
          state_d = Leave;
          kept_d  = 1'b0;
        end
      end
      Leave: if (leaves) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  assign offered_d = (fence_valid_o && !fence_ready_i) || (wait_valid_o && !wait_ready_i) ||
                     (engine_valid_o && !engine_ready_i) || (record_valid_o && !record_ready_i) ||
                     (retire_valid_o && !retire_ready_i);
  assign skipped_d = state_q != Start && !skip_done && (skipped_q || (wait_issued && !log));
  assign held_d    = !settled;
  // Once it must stop, a slot is left. In Start halt is still that of the slot
  // before, and no packet is near.
  assign stop_d    = state_q != Start && (view_i.halt || engine_failed_d ||
                                          (running && (stop_q || yields)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      kept_q    <= 1'b0;
      offered_q <= 1'b0;
      skipped_q <= 1'b0;
      stop_q    <= 1'b0;
      held_q    <= 1'b0;
      go_q      <= 1'b0;
    end else begin
      state_q   <= state_d;
      kept_q    <= kept_d;
      offered_q <= offered_d;
      skipped_q <= skipped_d;
      held_q    <= held_d;
      stop_q    <= stop_d;
      go_q      <= state_d == Run && !skipped_d && (offered_d || (!stop_d && !held_d));
    end
  end

  // --- to the units ---------------------------------------------------------------------------
  always_comb begin
    unique case (opcode)
      rf_pkg::OpcodeProgress:  fence_o.kind = rf_bus_pkg::FenceProgress;
      rf_pkg::OpcodeWrite:     fence_o.kind = rf_bus_pkg::FenceWrite;
      rf_pkg::OpcodeTimestamp: fence_o.kind = rf_bus_pkg::FenceTimestamp;
      rf_pkg::OpcodeWait:      fence_o.kind = rf_bus_pkg::FenceWaitLog;
      default:                 fence_o.kind = rf_bus_pkg::FenceSignal;
    endcase
    fence_o.slot      = slot_q;
    fence_o.vmid      = (opcode == rf_pkg::OpcodeProgress) ? '0 : vmid;
    fence_o.log       = log;
    fence_o.log_index = argument;

    wait_o.slot = slot_q;
    wait_o.vmid = vmid;

    engine_o.progress  = done_q;
    engine_o.opcode    = opcode;
    engine_o.operation = argument[7:0];
    engine_o.vmid      = vmid;
  end

  // The words of an operation: the first one while it is on offer, the others behind its
  // hand-over. A record has its source show them.
  logic       send_bank_q, leads;
  logic [2:0] place_q, last_place_q;
  assign leads = Node == 0 && is_engine; // with what is no operand: the partial result

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sends_q <= 1'b0;
    else sends_q <= fence_issued || wait_issued || engine_issued ||
                    (sends_q && place_q != last_place_q);
  end
  always_ff @(posedge clk_i) begin
    if (!sends_q) begin
      send_bank_q  <= bank;
      place_q      <= leads ? 3'd1 : 3'd2;
      last_place_q <= is_engine ? (Node == 0 ? 3'd4 : 3'd3) :
                      !is_fence && !view_i.wait_over ? 3'd2 : log ? 3'd4 : 3'd3;
    end else begin
      place_q <= place_q + 3'd1;
    end
  end

  assign operand_bank  = sends_q ? send_bank_q : bank;
  assign operand_place = sends_q ? place_q : record_show_i[2] ? 3'd2 : 3'd1;
  always_comb begin
    word_o = operand;
    if (!sends_q && wait_log) word_o = observed_told_q;
    if (!sends_q && leads) word_o = partial_q;
  end

  // Copy and paging queues share a node: the record names that of the queue.
  logic [63:0] record_head;
  logic        trap;
  assign trap        = opcode == rf_pkg::OpcodeTrap;
  assign record_head = {handle_q, 12'd0, vmid, 6'd0, served_node_q,
                        trap ? rf_pkg::RecordKindTrap : rf_pkg::RecordKindSoftwareSignal};
  assign record_o    = ({64{record_show_i[0]}} & record_head) |
                       ({64{record_show_i[1] || (record_show_i[2] && !trap)}} & operand);

  // --- registers, events -----------------------------------------------------------------------
  logic [31:0] retired_q; // the upper half of the register reads 0
  logic        packet_q;  // counted one cycle late
  logic [3:0]  behind_more; // packets; less than none when operations come back
  logic [16:0] address;
  assign address = {register_i.address, 3'b000};
  assign behind_more = {3'd0, packet_q} - {1'b0, back_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      packet_q  <= 1'b0;
      retired_q <= '0;
    end else begin
      packet_q  <= event_packet && !rewind && !rewound_q;
      // Operations that come back count when they are complete.
      retired_q <= retired_q + {{28{behind_more[3]}}, behind_more};
    end
  end

  localparam logic [16:0] Base = 17'(Node * rf_pkg::NodeIndexedStride);
  logic [63:0] status;
  always_comb begin
    status = '0;
    status[rf_pkg::NodeStatusBusyLsb]       = busy;
    status[rf_pkg::NodeStatusSlotLsb +: 4]  = slot_q;
    status[rf_pkg::NodeStatusEngineBusyLsb] = !engine_idle;
  end

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (register_i.valid && !register_i.write) begin
      if (address == rf_pkg::RegNodeStatus + Base) register_data_o <= status;
      if (address == rf_pkg::RegNodeProgress + Base) begin
        register_data_o <= {32'd0, engine_result_i.progress};
      end
      if (address == rf_pkg::RegNodeRetired + Base) register_data_o <= {32'd0, retired_q};
      // The first node answers for the block.
      if (Node == 0 && address == rf_pkg::NodeIndexedBase - 17'h20) begin
        register_data_o <= rf_pkg::NodeBlockHeader0;
      end
      if (Node == 0 && address == rf_pkg::NodeIndexedBase - 17'h18) begin
        register_data_o <= rf_pkg::NodeBlockHeader1;
      end
    end
  end

  // A slot is served until nothing that it fetches is in flight.
  assign busy    = state_q != Idle || !drained;
  assign idle_o  = idle && drained && settled && choice_i.runnable == '0 && !wanted &&
                   !choice_valid;

  always_comb begin
    place_o.busy      = busy;
    place_o.slot      = slot_q;
    place_o.here      = here_q;
    place_o.load_slot = load_slot;
    place_o.words     = offset_q;
  end
  always_comb begin
    update_o.begins       = buffer_begins;
    update_o.fence_issued = fence_issued;
    update_o.wait_issued  = wait_issued;
    update_o.wait_done    = wait_done;
    update_o.stops        = stops_queue;
    update_o.fails        = fails;
    update_o.spent        = spent_q && running;
    update_o.served       = spent_q && state_q == Leave;
  end
  always_comb begin
    engine_control_o.aborts   = engine_abort;
    engine_control_o.preempts = engine_preempt;
  end

  assign event_packet = packet_done || skip_done;
  always_comb begin
    events_o.ring_fetch    = event_ring_fetch;
    events_o.command_fetch = event_command_fetch;
    events_o.packet        = event_packet;
    events_o.waits         = wait_issued;
    events_o.stall_engine  = go_q && at_packet && !engine_idle && (!is_engine || !engine_ready_i);
    events_o.stall_fence   = go_q && at_packet && engine_idle && !packet_done &&
                             (is_fence || wait_log || is_barrier || is_record);
    events_o.stall_fetch   = running && !(at_begin || at_packet || at_end || at_error);
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      choice_asked_between_shows: assert (choice_valid ? !choose : !chosen);
      done_of_an_operation: assert (!engine_result_i.done || engine_count_q != '0);
      cut_when_asked: assert (!(engine_result_i.done && engine_result_i.preempted) ||
                              engine_preempt);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
