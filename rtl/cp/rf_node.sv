// SPDX-License-Identifier: Apache-2.0
//
// One node: serves its runnable slots in turn. It takes a slot's context, lets
// rf_fetch bring ring entries and command words, rf_decode make packets of them,
// and hands each packet to the unit that executes it.
//
// Order (design section 4): rf_fence keeps the fence operations of a queue in
// order, so these wait for engine work only, as every packet does that is not engine
// work itself; BARRIER, TRAP and SOFTWARE_SIGNAL wait for both. The read pointer moves
// when the last packet of an entry is handed over and the engine is done. Failures come
// back later than the hand-over: packets behind the failed one may have been handed over
// too.
//
// The node leaves a slot that waits, stops, is in error, disabled or out of work,
// when a higher band is runnable, and after its quantum if another of its band is,
// between packets, and in the midst of engine work when the engine has stopped it. Its
// position then goes back to its registers, so that any slot can be taken again, also
// elsewhere; the prefetched words of a waiting slot stay until another slot is taken.
// The words of what is handed over follow it, one a cycle; the next packet is handed over behind
// the last of them.
// What holds the node: memory that does not answer a fetch, and a unit that does not
// take a packet. Nothing else. It is busy, so that no DISABLE of the slot completes,
// until every read for the slot is answered.
//
// Latency: one cycle from coming to the ring read, from runnable four; from
// release_valid_i of rf_slots to the next packet, if prefetched, four cycles, to a
// wait-log entry three.

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
  input  wire logic [1:0]   descriptor_write_i, // halves of a word of a slot's descriptor
  input  wire logic [3:0]   descriptor_slot_i,
  input  wire logic [4:0]   descriptor_word_i,
  input  wire logic [63:0]  descriptor_data_i,
  input  wire logic [15:0]  runnable_i,
  input  wire logic [15:0]  eligible_i,     // of the highest band, one cycle later
  input  wire logic [15:0]  turn_i,         // of these, whose turn it is
  input  wire logic         coming_i,       // a ring may make this slot runnable
  input  wire logic [3:0]   coming_slot_i,
  output logic              busy_o,
  output logic [3:0]        slot_o,
  output logic [15:0]       here_o,         // slot_o, one-hot
  output logic [3:0]        load_slot_o,    // slot_o or what may become it: of this one
  input  wire logic [12:0]  read_pointer_i,
  input  wire logic         work_i,         // known late, and of use from the next cycle on
  input  wire logic         in_buffer_i,
  input  wire logic [12:0]  write_pointer_i, // of slot_o, one cycle later
  input  wire logic         halt_i,         // stop: no packet begins from the next cycle on
  input  wire logic         slot_error_i,
  input  wire logic         wait_over_i,
  input  wire logic         stalled_i,      // of slot_o, in the same cycle
  input  wire logic         waited_i,       // the WAIT at the position is executed anew
  output logic              spent_o,        // the quantum is over,
  output logic              served_o,       // and the slot is left
  input  wire logic         fences_none_i,
  output logic              begin_o,
  output logic              retire_valid_o,
  input  wire logic         retire_ready_i,
  output logic              fence_issued_o,
  output logic              wait_issued_o,
  output logic              wait_done_o,
  output logic              stop_o,
  output logic              fail_valid_o,
  output      rf_bus_pkg::failure_t fail_o,
  output logic [28:0]       words_o,        // offset of the packet under way

  // the slot's registers, where its position lies while another is served
  output logic              store_o,
  output logic              load_o,
  input  wire logic         memory_ready_i,
  output logic [3:0]        memory_slot_o,
  output logic [4:0]        number_o,
  output logic [63:0]       store_data_o,
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
  input  wire logic         engine_done_i,
  input  wire rf_bus_pkg::failure_t engine_failure_i,
  output logic              engine_abort_o,
  output logic              engine_preempt_o,
  input  wire logic         engine_preempted_i, // with done: not complete
  input  wire logic [31:0]  engine_progress_i,
  input  wire logic [63:0]  engine_partial_i,
  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  input  wire logic [2:0]   record_show_i,  // word of the record that is shown, one-hot
  output logic [63:0]       record_o,

  output logic              idle_o,
  output logic              event_ring_fetch_o,
  output logic              event_command_fetch_o,
  output logic              event_packet_o,
  output logic              event_wait_o,
  output logic              event_stall_engine_o,
  output logic              event_stall_fence_o,
  output logic              event_stall_fetch_o
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
  assign idle    = state_q[2];
  assign running = state_q[3];

  // --- choice of a slot --------------------------------------------------------------
  // In turn; but the slot whose words are kept goes first. It starves nobody: who was
  // runnable when it left was served before its wait could end.
  logic [15:0] grant;
  logic [3:0]  chosen_slot;
  logic        same, drained, kept_q, kept_d, wanted, wanted_q, prefetch_d, prefetch_q, issue_q;
  logic        free, free_q, load, choose, choice_valid, chosen, take_same, take_coming;
  assign same       = kept_q && (runnable_i & here_o) != '0;
  // Of the highest band, once it is known; a node takes nothing else meanwhile.
  assign wanted     = eligible_i != '0;
  // The choice is followed one cycle later, unless the kept slot came first. Prefetching
  // for that ends before.
  assign choose     = idle && !choice_valid && drained &&
                      (!kept_q || (wanted_q && !prefetch_q));
  assign chosen     = idle && choice_valid;
  assign take_same  = idle && !choice_valid && same;
  assign prefetch_d = idle && kept_q && !wanted_q && !halt_i;
  // A ring finds a node without anything to do: its slot needs no choice and is loaded
  // meanwhile. Whether the ring brought work is known one cycle later. What a slot is
  // loaded from is on long paths: the node is free from its second idle cycle on.
  assign free        = idle && free_q;
  assign take_coming = coming_i && free && drained && !choice_valid && !wanted;
  assign load        = free || state_q == Load || (state_q == Position && !positioned2_q);
  assign load_slot_o = free ? coming_slot_i : slot_o;

  logic work_q, in_buffer_q, starts;  // Start is next
  assign starts = state_q == Load || take_coming;
  always_ff @(posedge clk_i) begin
    work_q      <= work_i;
    in_buffer_q <= in_buffer_i;
  end

  rf_choice #(.Ports(16)) u_choice (
    .clk_i, .rst_ni, .request_i(turn_i), .choose_i(choose), .valid_o(choice_valid),
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
      slot_o     <= '0;
      here_o     <= 16'd1;
    end else begin
      wanted_q   <= wanted || coming_i;
      free_q     <= idle && !kept_q;
      prefetch_q <= prefetch_d;
      issue_q    <= running || prefetch_d; // no more behind Leave
      if (chosen) begin
        slot_o <= chosen_slot;
        here_o <= grant;
      end else if (take_coming) begin
        slot_o <= coming_slot_i;
        here_o <= 16'd1 << coming_slot_i;
      end
    end
  end

  // --- descriptor of each slot ----------------------------------------------------------
  // One block RAM, read in each cycle at load_slot_o; the ring size is kept as a mask of the
  // index. CONFIG is not written while a slot is enabled. RING_BASE of a slot in use may be,
  // which is a mistake of the driver: the word read before stays for a cycle then.
  logic [1:0]  base_write, config_write;
  logic [3:0]  vmid, served_node;
  logic [63:4] ring_base;
  logic [11:0] ring_mask, unused_config;
  logic [3:0]  unused_base;
  logic [31:0] handle;
  logic [3:0]  descriptor_strobe;       // of 32-bit parts
  logic        descriptor_here;
  assign base_write   = descriptor_word_i == rf_pkg::RegSlotRingBase[7:3] ? descriptor_write_i
                                                                          : '0;
  assign config_write = descriptor_word_i == rf_pkg::RegSlotConfig[7:3] ? descriptor_write_i
                                                                        : '0;
  assign descriptor_strobe = {config_write, base_write};
  assign descriptor_here   = descriptor_strobe != '0 && descriptor_slot_i == load_slot_o;

  rf_ram #(.Width(128), .DepthLog2(4)) u_descriptor (
    .clk_i, .write_i(descriptor_strobe != '0), .write_address_i(descriptor_slot_i),
    .write_data_i({descriptor_data_i[63:32], 12'd0,
                   descriptor_data_i[rf_pkg::SlotConfigNodeLsb +: 4],
                   descriptor_data_i[rf_pkg::SlotConfigVmidLsb +: 4],
                   ~(12'hfff << descriptor_data_i[rf_pkg::SlotConfigRingLog2Lsb +: 4]),
                   descriptor_data_i}),
    .write_strobe_i({{4{descriptor_strobe[3]}}, {4{descriptor_strobe[2]}},
                     {4{descriptor_strobe[1]}}, {4{descriptor_strobe[0]}}}),
    .read_i(!descriptor_here), .read_address_i(load_slot_o),
    .read_data_o({handle, unused_config, served_node, vmid, ring_mask, ring_base, unused_base})
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
  logic        loaded_q;
  logic [63:0] buffer_start_q; // of a ring entry at fault as it was
  logic [28:0] size_q, offset_q;
  logic [31:0] done_q, done_back_q;       // of an operation to go on with; back: of the one
  logic [63:0] partial_q, partial_back_q; // that came back, until it is stored, else 0
  logic [63:0] observed_q;
  logic [63:0] observed_told_q; // it, or 0 if the WAIT had not stalled: for the log
  logic [23:0] left_quantum_q;
  logic        endless_q;

  assign memory_slot_o = store_o ? store_slot_q : slot_o;
  assign number_o      = number_q;
  assign load_o        = load_q && !store_o;
  // All of it is here.
  assign settled       = !store_o && !load_q && !loaded_q;

  // What goes out next stands in a register: behind it lies the memory's own choice. Before
  // a store that is the word which comes first.
  logic next_first, next_state, next_done, next_partial, next_observed, next_left;
  assign next_first    = !store_o && in_buffer_q;
  assign next_state    = store_o && number_q == First;
  assign next_done     = store_o && number_q == State;
  assign next_partial  = store_o && number_q == Done;
  assign next_observed = store_o && number_q == Partial;
  assign next_left     = store_o ? number_q == Observed : !in_buffer_q;

  always_ff @(posedge clk_i) begin
    if (!store_o || memory_ready_i) begin
      store_data_o <= (next_first ? buffer_start_q : '0) |
                      (next_state ? {3'd0, offset_q, 3'd0, size_q} : '0) |
                      (next_done ? {32'd0, done_q | done_back_q} : '0) |
                      (next_partial ? partial_q | partial_back_q : '0) |
                      (next_observed ? observed_q : '0) |
                      (next_left ? {40'd0, left_quantum_q} : '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_o       <= 1'b0;
      load_q        <= 1'b0;
      loaded_q      <= 1'b0;
      positioned_q  <= 1'b0;
      positioned2_q <= 1'b0;
    end else begin
      if (leaves) store_o <= 1'b1;
      else if ((memory_ready_i && number_q == Left) || take_same) store_o <= 1'b0;
      if (state_q == Start && work_q) load_q <= 1'b1;
      else if (load_o && memory_ready_i && number_q == Quantum) load_q <= 1'b0;
      loaded_q      <= load_o && memory_ready_i;
      positioned_q  <= loaded_q && loaded_number_q == State;
      positioned2_q <= positioned_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (leaves || (state_q == Start && !store_o)) number_q <= in_buffer_q ? First : Left;
    else if ((store_o || load_q) && memory_ready_i) begin
      number_q <= number_q + 5'd1;
      if (number_q == Left) number_q <= store_o ? (in_buffer_q ? First : Left) : Quantum;
    end
    loaded_number_q <= number_q;
    passed_q        <= packet_done && !rewind && !rewound_q;
    begun_q         <= begin_o;
    step_q          <= words;
    if (leaves) store_slot_q <= slot_o;
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
    if (rewind) done_back_q <= engine_progress_i;
    else if (settled && !rewound_q) done_back_q <= '0;

    // That of the last cycle stays: when the WAIT was handed over.
    if (load_observed) observed_q <= load_data_i;
    else if (running && at_packet && is_wait && !wait_over_i && !waited_i) begin
      observed_q <= timestamp_i;
    end
    observed_told_q <= stalled_i ? observed_q : '0;
  end

  // Only the vector engine has a partial result: that of COPY and FILL is 0.
  if (Node == 0) begin : gen_partial
    always_ff @(posedge clk_i) begin
      if (behind) partial_q <= '0;
      else if (load_partial) partial_q <= load_data_i;
      if (rewind) partial_back_q <= engine_partial_i;
      else if (settled && !rewound_q) partial_back_q <= '0;
    end
  end else begin : gen_no_partial
    logic unused_partial;
    assign unused_partial = &{1'b0, engine_partial_i, load_partial};
    assign partial_q      = '0;
    assign partial_back_q = '0;
  end

  // --- quantum ---------------------------------------------------------------------------
  logic spent, spent_q;
  assign spent    = !endless_q && left_quantum_q == '0;
  assign spent_o  = spent_q && running;
  assign served_o = spent_q && state_q == Leave;
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
    .first_i(starts && work_i && !in_buffer_i), .resume_i(in_buffer_q), .position_i(position),
    .words_i(left_q), .issue_i(issue), .drained_o(drained),
    .read_pointer_i, .write_pointer_i, .vmid_i(vmid), .ring_base_i(ring_base),
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
    .ring_fetch_o(event_ring_fetch_o), .command_fetch_o(event_command_fetch_o)
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
  assign engine_fails    = engine_done_i && engine_failure_i.error != rf_pkg::QueueErrorNone;
  assign engine_failed_d = engine_fails || (engine_failed_q && !slot_error_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      engine_count_q  <= '0;
      engine_idle     <= 1'b1;
      engine_failed_q <= 1'b0;
    end else begin
      engine_count_q  <= engine_count_q + {2'd0, engine_issued} - {2'd0, engine_done_i};
      engine_idle     <= !engine_issued &&
                         (engine_idle || (engine_count_q == 3'd1 && engine_done_i));
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

  assign rewind           = engine_done_i && engine_preempted_i && !rewound_q;
  assign engine_preempt_o = ((running && stop_q) || state_q == Leave) &&
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
  assign engine_abort_o = !engine_idle && (slot_error_i || engine_failed_q);

  // --- execution ---------------------------------------------------------------------------
  logic offered_q;       // a request stands at a unit and must stay
  logic stop_q;          // the slot must stop, or others have waited long enough
  /* verilator lint_off UNUSEDSIGNAL */ // proofs look at it
  logic held_q;          // a position is still on its way
  /* verilator lint_on UNUSEDSIGNAL */
  logic others, mine, yields;
  logic go_q;            // known a cycle ahead: what a packet does goes far in its cycle
  logic offered_d, skipped_d, stop_d, held_d;
  assign others = (eligible_i & ~here_o) != '0;
  assign mine   = (eligible_i & here_o) != '0;
  assign yields = others && (!mine || spent_q);

  // Where the packet wants to go; whether it may go at all comes late.
  logic to_fence, to_wait, to_engine, to_record, to_nobody, to_retire, wait_log, quiet;
  logic free_word; // no words of the packet before are under way:
  logic sends_q;
  assign wait_log  = is_wait && wait_over_i && log;
  assign quiet     = engine_idle && fences_none_i;
  assign free_word = at_packet && !sends_q;
  assign to_fence  = free_word && engine_idle && (wait_log || is_fence);
  assign to_wait   = free_word && engine_idle && is_wait && !wait_over_i;
  assign to_engine = free_word && is_engine && engine_count_q != '1;
  assign to_record = free_word && is_record && quiet;
  assign to_nobody = at_packet && engine_idle &&
                     (is_nop || (is_barrier && quiet) || (is_wait && wait_over_i && !log));
  assign to_retire = at_end && engine_idle;

  assign fence_valid_o  = go_q && to_fence;
  assign wait_valid_o   = go_q && to_wait;
  assign engine_valid_o = go_q && to_engine;
  assign record_valid_o = go_q && to_record;
  assign retire_valid_o = go_q && to_retire;
  assign begin_o        = go_q && at_begin;

  assign fence_issued_o = fence_valid_o && fence_ready_i;
  assign wait_issued_o  = wait_valid_o && wait_ready_i;
  assign stop_o         = record_valid_o && record_ready_i;

  // A packet is behind when its unit has it; a WAIT only when it is over.
  logic taken, packet_done, skip_done;
  assign taken       = (to_fence && fence_ready_i) || (to_engine && engine_ready_i) ||
                       (to_record && record_ready_i) || to_nobody;
  assign packet_done = go_q && taken;
  assign skip_done   = running && skipped_q && wait_over_i;
  assign wait_done_o = skip_done || (go_q && at_packet && engine_idle && is_wait && wait_over_i &&
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
  assign fail_valid_o = engine_failed_q || decode_failed_q[1];
  assign fail_o       = failure_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) decode_failed_q <= '0;
    else decode_failed_q <= {decode_failed_q[0] && decode_fails, decode_fails};
  end
  always_ff @(posedge clk_i) begin
    if (engine_fails && !engine_failed_q) begin
      failure_q <= engine_failure_i;
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
    kept_d  = kept_q && !halt_i;
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
        if (wait_issued_o || stop_o) begin
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
  assign skipped_d = state_q != Start && !skip_done && (skipped_q || (wait_issued_o && !log));
  assign held_d    = !settled;
  // Once it must stop, a slot is left. In Start halt_i is still that of the slot
  // before, and no packet is near.
  assign stop_d    = state_q != Start && (halt_i || engine_failed_d ||
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
    fence_o.slot      = slot_o;
    fence_o.vmid      = (opcode == rf_pkg::OpcodeProgress) ? '0 : vmid;
    fence_o.log       = log;
    fence_o.log_index = argument;

    wait_o.slot = slot_o;
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
    else sends_q <= fence_issued_o || wait_issued_o || engine_issued ||
                    (sends_q && place_q != last_place_q);
  end
  always_ff @(posedge clk_i) begin
    if (!sends_q) begin
      send_bank_q  <= bank;
      place_q      <= leads ? 3'd1 : 3'd2;
      last_place_q <= is_engine ? (Node == 0 ? 3'd4 : 3'd3) : !is_fence && !wait_over_i ? 3'd2 :
                      log ? 3'd4 : 3'd3;
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
  assign record_head = {handle, 12'd0, vmid, 4'd0, served_node,
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
      packet_q  <= event_packet_o && !rewind && !rewound_q;
      // Operations that come back count when they are complete.
      retired_q <= retired_q + {{28{behind_more[3]}}, behind_more};
    end
  end

  localparam logic [16:0] Base = 17'(Node * rf_pkg::NodeIndexedStride);
  logic [63:0] status;
  always_comb begin
    status = '0;
    status[rf_pkg::NodeStatusBusyLsb]       = busy_o;
    status[rf_pkg::NodeStatusSlotLsb +: 4]  = slot_o;
    status[rf_pkg::NodeStatusEngineBusyLsb] = !engine_idle;
  end

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (register_i.valid && !register_i.write) begin
      if (address == rf_pkg::RegNodeStatus + Base) register_data_o <= status;
      if (address == rf_pkg::RegNodeProgress + Base) begin
        register_data_o <= {32'd0, engine_progress_i};
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
  assign busy_o  = state_q != Idle || !drained;
  assign words_o = offset_q;
  assign idle_o  = idle && drained && settled && runnable_i == '0 && !wanted &&
                   !choice_valid;

  assign event_packet_o       = packet_done || skip_done;
  assign event_wait_o         = wait_issued_o;
  assign event_stall_engine_o = go_q && at_packet && !engine_idle &&
                                (!is_engine || !engine_ready_i);
  assign event_stall_fence_o  = go_q && at_packet && engine_idle && !packet_done &&
                                (is_fence || wait_log || is_barrier || is_record);
  assign event_stall_fetch_o  = running && !(at_begin || at_packet || at_end || at_error);

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      choice_asked_between_shows: assert (choice_valid ? !choose : !chosen);
      done_of_an_operation: assert (!engine_done_i || engine_count_q != '0);
      cut_when_asked: assert (!(engine_done_i && engine_preempted_i) || engine_preempt_o);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
