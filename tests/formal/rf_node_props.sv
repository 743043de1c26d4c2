// SPDX-License-Identifier: Apache-2.0
//
// A node has one queue at a time, of which all is that its engine has; it stops when others
// have waited long enough; and a queue that it left goes on exactly where it stopped: the
// first packet that is not complete is the next, and of an engine's operation only what the
// engine had not done. Stands inside rf_node; seen from one slot, any.
//
// Free: what the fetch brings, every unit, memory and the other slots. The position of a
// slot may be anything when the node takes it; it changes in its registers only where the
// node stores it or, while neither the node has the slot nor stores for it, by a restore.
// The engine (rf_engine_port): it is done with operations in order, once; it cuts one off
// only under engine_preempt, and then all behind it.

  logic running_now_q = 1'b0;
  always_ff @(posedge clk_i) running_now_q <= 1'b1;
  always_comb assume (rst_ni == running_now_q);

  // --- what the parts of the node hold ------------------------------------------------------
  (* hierconn *) wire        \u_choice.free_q ;
  (* hierconn *) wire [15:0] \u_choice.slot_onehot_o ;
  (* hierconn *) wire        \u_transfer.store_q , \u_transfer.load_q , \u_transfer.load_now ,
      \u_transfer.loaded_q , \u_transfer.positioned_q ;
  (* hierconn *) wire [3:0]  \u_transfer.store_slot_q ;
  (* hierconn *) wire [4:0]  \u_transfer.number_q , \u_transfer.loaded_number_q ;
  (* hierconn *) wire [2:0]  \u_engine.count_q ;
  localparam logic [4:0] First   = rf_pkg::RegSlotBufferAddress[7:3];
  localparam logic [4:0] State   = rf_pkg::RegSlotBufferState[7:3];
  localparam logic [4:0] Done    = rf_pkg::RegSlotOperationDone[7:3];
  localparam logic [4:0] Partial = rf_pkg::RegSlotOperationPartial[7:3];
  localparam logic [4:0] Left    = rf_pkg::RegSlotQuantumLeft[7:3];
  localparam logic [4:0] Quantum = rf_pkg::RegSlotQuantum[7:3];
  localparam logic [4:0] Config  = rf_pkg::RegSlotConfig[7:3];
  localparam logic [7:0] EngineWords = Node == 0 ? rf_pkg::PacketVectorWordsMin
                                                 : rf_pkg::PacketCopyWordsMin;
  logic        free_q, store_q, load_q, load_now, loaded_q, positioned_q, engine_preempt;
  logic [3:0]  store_slot_q, words;
  logic [4:0]  number_q, loaded_number_q;
  logic [2:0]  engine_count_q;
  logic        is_nop, is_wait, is_barrier, is_fence, is_engine, is_record;
  logic        held_q = 1'b0;                 // the position was on its way
  assign free_q          = \u_choice.free_q ;
  assign store_q         = \u_transfer.store_q ;
  assign load_q          = \u_transfer.load_q ;
  assign load_now        = \u_transfer.load_now ;
  assign loaded_q        = \u_transfer.loaded_q ;
  assign positioned_q    = \u_transfer.positioned_q ;
  assign store_slot_q    = \u_transfer.store_slot_q ;
  assign number_q        = \u_transfer.number_q ;
  assign loaded_number_q = \u_transfer.loaded_number_q ;
  assign engine_count_q  = \u_engine.count_q ;
  assign engine_preempt  = engine_control_o.preempts;
  assign is_nop          = decoded.is_nop;
  assign is_wait         = decoded.is_wait;
  assign is_barrier      = decoded.is_barrier;
  assign is_fence        = decoded.is_fence;
  assign is_engine       = decoded.is_engine;
  assign is_record       = decoded.is_record;
  assign words           = decoded.words;
  always_ff @(posedge clk_i) held_q <= running_now_q && !settled;

  // --- one slot, its registers ------------------------------------------------------------
  (* anyconst *) logic [3:0]  ours;
  (* anyseq *)   logic        restores;       // the host or rf_context writes its registers
  (* anyseq *)   logic        restored_in;    // inside a buffer
  (* anyseq *)   logic [63:0] restored_start, restored_state, restored_partial;
  // Only the vector engine has a partial result, whatever is restored.
  localparam logic [63:0] partial_part = Node == 0 ? '1 : '0;
  (* anyseq *)   logic [31:0] restored_done;

  logic        in_last_q;
  logic [3:0]  loads_q, viewed_q;             // of this slot in_last_q is
  logic [63:0] taken_q;                       // the buffer that the decoder took last
  logic [28:0] taken_words_q;
  logic [1:0]  moved_q = 2'b00;               // a buffer began or ended one, two cycles ago
  logic        here, in_q = 1'b0, shown_q = 1'b0, in_shown_q = 1'b0;
  logic        storing, restored;
  assign here     = slot == ours;
  assign storing  = store_q && store_slot_q == ours;
  assign restored = restores && !storing && load_slot != ours && !(here && (!idle || kept_q));

  // The position as it is: of the first packet that is not complete
  logic [60:0] start_q;
  logic [28:0] length_q, where_q;
  logic [31:0] progress_q;
  logic [63:0] part_q = '0;
  logic        cut_q = 1'b0;                  // the operation there was cut off
  logic        lost_q = 1'b0;                 // an operation failed: no position any more
  // What the registers hold
  logic [60:0] kept_start_q;
  logic [28:0] kept_length_q, kept_where_q;
  logic [31:0] kept_progress_q;
  logic [63:0] kept_part_q = '0;

  logic done_good, done_cut, passes, stores_word, counts;
  assign done_good = engine_result_i.done && !engine_fails && !engine_result_i.preempted;
  assign done_cut  = engine_result_i.done && engine_result_i.preempted;
  assign passes    = packet_done && !is_engine;
  assign stores_word = store_q && memory_ready_i && storing;

  always_comb begin
    if (shown_q) assume (in_buffer_q == in_shown_q);
    // Only the node that has a slot begins and ends its buffers.
    if ((running || state_q == Position || state_q == Leave) && viewed_q == slot) begin
      assume (in_buffer_q == in_last_q || moved_q[1]);
    end
    if (engine_result_i.done) assume (engine_count_q != '0);
    if (done_cut) assume (engine_preempt && !engine_fails);
    if (engine_result_i.done && cut_q) assume (engine_result_i.preempted || engine_fails);
  end

  always_ff @(posedge clk_i) if (running_now_q) begin
    in_last_q  <= in_buffer_q;
    {viewed_q, loads_q} <= {loads_q, load_slot};
    if (take_buffer) {taken_q, taken_words_q} <= {buffer_address, buffer_words};
    moved_q    <= {moved_q[0], begins || (retire_valid_o && retire_ready_i)};
    shown_q    <= load_slot == ours;
    in_shown_q <= in_q;
    if (here) begin
      if (passes || skip_done) where_q <= where_q + (skip_done ? {25'd0, WaitWords}
                                                               : {25'd0, words});
      if (passes) {progress_q, part_q} <= '0;
      if (done_good) begin
        where_q <= where_q + {21'd0, EngineWords};
        {progress_q, part_q} <= '0;
      end
      if (done_cut && !cut_q) begin
        {cut_q, progress_q, part_q} <= {1'b1, engine_result_i.progress,
                                        partial_part & engine_result_i.partial};
      end
      if (engine_fails) lost_q <= 1'b1;
      if (retire_valid_o && retire_ready_i) in_q <= 1'b0;
      if (begins) begin
        {in_q, lost_q, cut_q} <= 3'b100;
        start_q  <= taken_q[63:3];
        length_q <= taken_words_q;
        {where_q, progress_q, part_q} <= '0;
      end
      if (leaves) cut_q <= 1'b0;
    end
    if (stores_word) begin
      if (number_q == First) kept_start_q <= position_o.data[63:3];
      if (number_q == State) {kept_where_q, kept_length_q} <= {position_o.data[60:32],
                                                               position_o.data[28:0]};
      if (number_q == Done) kept_progress_q <= position_o.data[31:0];
      if (number_q == Partial) kept_part_q <= position_o.data;
    end
    if (restored) begin
      {in_q, lost_q}               <= {restored_in, 1'b0};
      {start_q, kept_start_q}      <= {2{restored_start[63:3]}};
      {where_q, kept_where_q}      <= {2{restored_state[60:32]}};
      {length_q, kept_length_q}    <= {2{restored_state[28:0]}};
      {progress_q, kept_progress_q} <= {2{restored_done}};
      {part_q, kept_part_q}        <= {2{partial_part & restored_partial}};
    end
  end

  // What is read is what the registers hold.
  logic       read_q = 1'b0;
  logic [4:0] read_number_q;
  always_ff @(posedge clk_i) if (running_now_q) begin
    read_q        <= load_now && memory_ready_i && position_o.slot == ours;
    read_number_q <= number_q;
  end
  always_comb if (read_q) begin
    if (read_number_q == First) assume (load_data_i == {kept_start_q, 3'd0});
    if (read_number_q == State) begin
      assume (load_data_i[60:32] == kept_where_q && load_data_i[28:0] == kept_length_q);
    end
    if (read_number_q == Done) assume (load_data_i[31:0] == kept_progress_q);
    if (read_number_q == Partial) assume (load_data_i == kept_part_q);
  end

  // --- resumes where it stopped -----------------------------------------------------------
  logic [28:0] reached;                       // behind the WAIT there, if that is over
  assign reached = where_q + (state_q == Position && skips ? {25'd0, WaitWords} : '0);
  assign counts = here && in_q && !lost_q;
  always_comb if (running_now_q) begin
    if (start && in_buffer_q && counts) begin
      fetches_where_it_stopped: assert (address[63:40] == start_q[60:37] &&
                                        address[39:3] == start_q[36:0] + {8'd0, reached} &&
                                        left == length_q - reached);
    end
    if (engine_issued && counts) begin
      if (engine_count_q == '0 && !cut_q) begin
        goes_on_where_it_stopped: assert (engine_o.progress == progress_q &&
                                          (Node != 0 || word_o == part_q));
      end else begin
        begins_new: assert (engine_o.progress == '0 && (Node != 0 || word_o == '0));
      end
    end
    if (stores_word && in_q && !lost_q) begin
      if (number_q == First) stores_buffer: assert (position_o.data[63:3] == start_q);
      if (number_q == State) begin
        stores_packet: assert (position_o.data[60:32] == where_q &&
                               position_o.data[28:0] == length_q);
      end
      if (number_q == Done) stores_progress: assert (position_o.data[31:0] == progress_q);
      if (number_q == Partial) stores_partial: assert (position_o.data == part_q);
    end
    if (in_q && !lost_q && !storing && !(here && (!idle || kept_q))) begin
      stored_whole: assert (kept_start_q == start_q && kept_where_q == where_q &&
                            kept_length_q == length_q && kept_progress_q == progress_q &&
                            kept_part_q == part_q);
    end
  end

  // --- one queue at a time ------------------------------------------------------------------
  logic [3:0] owner_q;
  logic       yields_q = 1'b0;
  always_ff @(posedge clk_i) if (running_now_q) begin
    if (engine_issued) owner_q <= slot;
    yields_q <= running && yields;
  end
  always_comb if (running_now_q) begin
    if (engine_count_q != '0) begin
      engine_of_one_queue: assert (owner_q == slot && (running || state_q == Leave));
    end
    if (sends) begin
      words_of_one_packet: assert (!(fence_valid_o || wait_valid_o || engine_valid_o ||
                                     record_valid_o));
    end
    if (wait_issued) waits_without_engine: assert (engine_count_q == '0);
    if (yields_q && !offered_q) begin
      no_packet_after_quantum: assert (!(fence_valid_o || wait_valid_o || engine_valid_o ||
                                         record_valid_o || retire_valid_o || begins));
    end
  end

  // --- how the inside hangs together --------------------------------------------------------
  // The registers of the node are the position but for what is done a cycle late; while
  // they are loaded, as far as they are.
  (* hierconn *) wire [3:0] \u_decoder.state_q ;
  (* hierconn *) wire [7:0] \u_decoder.words ;
  (* hierconn *) wire       \u_decoder.checked_q , \u_decoder.header_bad_q ,
      \u_decoder.engine_packet ;
  localparam logic [3:0] Begin = 4'd1, End = 4'd4, Error = 4'd5, Ready = 4'd8;
  logic [28:0] offset_now, ahead;
  logic [2:0]  step_now, loaded_step, loaded; // step: in the sequence of stores and loads
  logic [3:0]  decodes;
  logic        has, loading, position_is, kept_is;
  assign decodes     = \u_decoder.state_q ;
  assign offset_now  = offset - (back != '0 ? {26'd0, back} * {21'd0, EngineWords} : '0);
  assign ahead       = cut_q ? '0 : {26'd0, engine_count_q} * {21'd0, EngineWords};
  assign step_now    = number_q == Config ? 3'd7 : number_q == Quantum ? 3'd6 :
                       number_q[2:0] - First[2:0];
  assign loaded_step = loaded_number_q == Config ? 3'd7 : loaded_number_q == Quantum ? 3'd6 :
                       loaded_number_q[2:0] - First[2:0];
  assign loading     = load_q || loaded_q;
  assign loaded      = !loading ? 3'd7 : store_q ? 3'd0 :
                       (load_q ? step_now : 3'd7) - {2'd0, loaded_q};
  assign has         = running || state_q == Leave || (idle && kept_q);
  assign position_is = storing || (here && (has || state_q == Position));
  assign kept_is     = kept_start_q == start_q && kept_where_q == where_q &&
                       kept_length_q == length_q && kept_progress_q == progress_q &&
                       kept_part_q == part_q;

  always_comb if (running_now_q) begin
    legal_state: assert (state_q <= Leave || state_q == Idle || running || state_q == Start);
    complete_in_position: assert (!positioned_q || state_q == Position);
    legal_decode: assert (decodes <= Error || decodes == Ready);
    engine_idle_is: assert (engine_idle == (engine_count_q == '0));
    if (!idle) viewed_last: assert (loads_q == slot);
    if (state_q == Position || state_q == Leave) viewed_before: assert (viewed_q == slot);
    if (Node != 0) no_partial: assert (part_q == '0);
    one_hot_here: assert (slot_here == 16'd1 << slot);
    if (!running && state_q != Leave) no_engine: assert (engine_count_q == '0 && !rewound);
    if (back != '0) back_once: assert (rewound);
    if (kept_q && !running) begin
      kept_is_whole: assert (engine_count_q == '0 && !rewound);
    end
    if (rewound) rewound_leaves: assert ((running && stop_q) || state_q == Leave);
    if (cut_q) cut_here: assert (here && rewound);
    if (here && rewound) rewound_is_cut: assert (cut_q || lost_q);
    if (!running && state_q != Leave && !store_q) nothing_late: assert (back == '0);
    if (offered_q) begin
      offered_here: assert (running && (at_packet || at_end));
      if (at_packet) offered_packet: assert ((engine_idle || is_engine) &&
                                             (!rewound || is_engine));
      if (at_end) offered_end: assert (engine_idle && !rewound);
    end
    if (skipped_q && (idle || running || state_q == Leave)) begin
      skipped_alone: assert (engine_idle && loaded > 3'd1 && back == '0 &&
                             !offered_q && (idle || !store_q));
    end
    goes: assert (go_q == (running && !skipped_q && (offered_q || (!stop_q && !held_q))));
    if (kept_q) kept_not_free: assert (!free_q || !idle);

    // Loads and stores
    if (loading) loads_here: assert (running || state_q == Leave || state_q == Position);
    if (load_q && !store_q) begin
      loads_in_turn: assert (number_q == Quantum || number_q == Config ||
                             (number_q >= First && number_q <= Left));
      if (number_q <= State && number_q >= First) loads_position: assert (state_q == Position);
      if (loaded_q) loaded_in_turn: assert (loaded_step + 3'd1 == step_now);
    end
    if (load_q && store_q) begin
      loads_behind_store: assert (!loaded_q && (state_q == Position) == in_last_q);
    end
    if (!running || loading) not_moved: assert (moved_q == '0 || (state_q == Leave && !moved_q[0]));
    if (state_q == Position) in_its_buffer: assert (in_last_q);
    if (store_q && here && in_q) stores_first: assert (!storing || !(running || state_q == Leave));
    if (loading || store_q) begin
      loads_alone: assert (engine_count_q == '0 && back == '0 &&
                           !offered_q && !rewound);
    end
    if (kept_q) begin
      kept_when: assert (idle || running || state_q == Leave);
      if (store_q) stores_the_kept: assert (idle && store_slot_q == slot);
    end
    if (loaded_q && running) held_for_loads: assert (held_q);
    if (loaded_q) begin
      loaded_legal: assert ((loaded_number_q == Quantum || loaded_number_q == Config ||
                             (loaded_number_q >= First && loaded_number_q <= Left)) &&
                            (load_q || loaded_number_q == Config));
      if (loaded_step <= 3'd1) loaded_position: assert (state_q == Position);
    end
    if (positioned_q) is_positioned: assert (
        state_q == Position && !store_q && step_now >= 3'd2 && step_now <= 3'd3 &&
        !(loaded_q && loaded_step <= 3'd1));
    if (state_q == Position) begin
      loads_or_positioned: assert (load_q && (store_q || step_now <= 3'd1 ||
                                   (loaded_q && loaded_number_q == State) || positioned_q));
    end
    if (running && !settled && !held_q) begin
      just_started: assert (decodes != Begin && decodes < End);
    end
    if (here && (running || state_q == Leave || state_q == Position || state_q == Start)) begin
      is_shown: assert (shown_q);
    end
    if (here && (state_q == Start || state_q == Position || state_q == Leave ||
                 (idle && kept_q))) begin
      shown_in: assert (in_shown_q == in_q);
    end
    if (here && has && decodes != Error) begin
      decodes_in: assert (in_q == !(decodes == 4'd0 || decodes == Begin));
    end
    if (here && has && decodes == Begin) begin
      begins_taken: assert (buffer_start == taken_q && size == taken_words_q &&
                            offset == '0 && back == '0 && !skipped_q);
    end
    if (here && !in_q) none_outside: assert (engine_count_q == '0 && (!has || !skipped_q));
    if (here && state_q == Position) position_inside: assert (in_q);
    if (here && !in_q && loading && !store_q && load_q) loads_quantum: assert (step_now >= 3'd5);
  end

  // That a packet has passed clears both a cycle later, before anybody looks.
  (* hierconn *) wire \u_position.behind_q ;
  logic [31:0] progress_now;
  logic [63:0] partial_now;
  assign progress_now = \u_position.behind_q ? '0 : progress;
  assign partial_now  = \u_position.behind_q ? '0 : partial;
  always_comb if (running_now_q && \u_position.behind_q ) begin
    cleared_in_time: assert (!engine_issued && !storing);
  end

  always_comb if (running_now_q && in_q && !lost_q) begin
    if (!storing && !(here && (running || state_q == Leave) && !loading)) begin
      kept_is_it: assert (kept_is);
    end
    if (storing) begin
      stores_in_turn: assert (number_q >= First && number_q <= Left);
      if (number_q == First) first_data: assert (position_o.data[63:3] == start_q);
      if (number_q == State) state_data: assert (position_o.data[60:32] == where_q &&
                                                 position_o.data[28:0] == length_q);
      if (number_q == Done) done_data: assert (position_o.data[31:0] == progress_q);
      if (number_q == Partial) partial_data: assert (position_o.data == part_q);
      if (number_q > First) kept_first: assert (kept_start_q == start_q);
      if (number_q > State) kept_state: assert (kept_where_q == where_q &&
                                                kept_length_q == length_q);
      if (number_q > Done) kept_done: assert (kept_progress_q == progress_q);
      if (number_q > Partial) kept_partial: assert (kept_part_q == part_q);
    end
    if (position_is) begin
      if (storing || loaded > 3'd0) start_is: assert (buffer_start[63:3] == start_q);
      if (storing || loaded > 3'd1) begin
        where_is: assert (size == length_q &&
                          offset_now == where_q + (here && !storing ? ahead : '0));
      end
      if (storing || loaded > 3'd2) begin
        done_is: assert (progress_now == (storing || engine_idle || cut_q ? progress_q : '0));
      end
      if (storing || loaded > 3'd3) begin
        partial_is: assert (partial_now == (storing || engine_idle || cut_q ? part_q : '0));
      end
    end
    if (here && state_q == Position && positioned_q) begin
      position_loaded: assert (loaded > 3'd1 && !storing &&
                               buffer_start[63:3] == start_q);
    end
  end

  // The decoder shows an engine's packets with their one length.
  always_comb if (running_now_q) begin
    if (decodes == 4'd3 && \u_decoder.checked_q  && !\u_decoder.header_bad_q  &&
        \u_decoder.engine_packet ) begin
      checked_length: assert (\u_decoder.words  == EngineWords);
    end
    if (decodes == Ready) begin
      one_kind: assert (4'(is_nop) + 4'(is_wait) + 4'(is_barrier) + 4'(is_fence) + 4'(is_engine) +
                        4'(is_record) <= 4'd1);
      if (is_engine && at_packet) begin
        one_length: assert (words == EngineWords[3:0]);
      end
    end
  end

  // --- all this happens ----------------------------------------------------------------------
  // Looked for when there was time for it, with units that keep nobody waiting, which spares
  // the solver to show that it cannot happen before.
  (* anyconst *) logic eager;
  always_comb if (eager) begin
    assume (memory_ready_i && read_ready_i && engine_ready_i && wait_ready_i && work_q);
    assume (descriptor_i.strobe == '0 && !view_i.halt && !view_i.error && !register_i.valid);
    assume (!choice_i.coming && (choice_i.turn & ~(16'd1 << ours)) == '0 &&
            response_i.id[4:3] == '0 && response_i.status == rf_pkg::AccessStatusOk && restored_in);
    assume (start_q[2:0] == '0 && where_q < 29'd8 && (!restored || ours == '0));
  end
  logic [5:0] age_q = '0;
  always_ff @(posedge clk_i) if (running_now_q) age_q <= age_q + 6'(age_q != '1);
  always_comb if (running_now_q && eager && here && age_q >= 6'd12) begin
    resumes_inside: cover (start && in_buffer_q && counts && where_q != '0);
  end
  always_comb if (running_now_q && eager && here && age_q >= 6'd28) begin
    operation_goes_on: cover (engine_issued && counts && engine_o.progress != '0);
    wait_is_over: cover (skip_done && counts);
    yields_to_others: cover (yields_q && counts && !offered_q && at_packet);
  end
