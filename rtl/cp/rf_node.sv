// SPDX-License-Identifier: Apache-2.0
//
// One node: serves its runnable slots in turn. It takes a slot's position, has rf_fetch read ring
// entries and commands and rf_decode split them into packets, and passes each packet to the unit
// that executes it. Parts: rf_node_choice, rf_node_transfer and rf_node_position (position in the
// slot), rf_node_quantum, rf_node_kept (words of earlier turns), rf_node_issue and rf_node_words
// (packets to units), rf_node_engine, rf_node_failure, rf_node_registers.
//
// Packets after a failing one may have been passed on before the failure is known. A slot is left
// between packets, or when the engine has stopped; its position is stored in its registers.
// Prefetched words of a waiting slot are kept. The node is busy, or owes something to the slot
// that it left, so that no DISABLE completes, until every read for that slot is answered.

`default_nettype none

module rf_node #(
  parameter int unsigned Node = 0,
  parameter bit          Engine = 1'b1 // as in rf_decode
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
  input  wire logic         response_valid_i,
  input  wire rf_bus_pkg::read_response_t response_i,

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

  input  wire logic         invalidate_i,   // translations, of any VMID
  output logic              idle_o,
  output      rf_bus_pkg::node_events_t events_o
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end

  // Idle: no slot is served; the words of the one that waits may be kept. Start: fetching begins,
  // unless it is inside a buffer: then behind Position, in which its position is word_loaded.
  // Run: packets are executed. Leave: the engine stops.
  typedef enum logic [2:0] {Idle, Start, Position, Run, Leave} state_e;
  state_e state_q, state_d;
  logic   position_q;            // state_q is Position
  logic   idle, running, starts, leaves;
  logic   kept_q, kept_d;        // words of the slot that left are kept
  assign idle    = state_q == Idle;
  assign running = state_q == Run;

  // --- choice of a slot --------------------------------------------------------------
  logic [15:0] slot_here;      // slot, one-hot
  logic [3:0]  slot, load_slot;
  logic        chosen, take_same, take_coming, slot_waits, prefetch, others, mine, free, drained;
  rf_node_choice u_choice (
    .clk_i, .rst_ni, .choice_i, .idle_i(idle), .kept_i(kept_q), .halted_i(view_i.halt),
    .drained_i(drained), .in_buffer_i(view_i.in_buffer), .chosen_o(chosen), .take_same_o(take_same),
    .take_coming_o(take_coming), .waiting_o(slot_waits), .prefetch_o(prefetch),
    .others_o(others), .mine_o(mine), .free_o(free), .slot_o(slot), .slot_onehot_o(slot_here),
    .load_slot_o(load_slot)
  );

  logic work_q, in_buffer_q; // of load_slot
  assign starts = chosen || take_coming; // Start is next
  always_ff @(posedge clk_i) begin
    work_q      <= view_i.work;
    in_buffer_q <= view_i.in_buffer;
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
    .write_data_i(descriptor_i.data[63:32]), .read_address_i(slot),
    .read_data_o(ring_base[63:32])
  );
  rf_lutram #(.Width(28)) u_base_low (
    .clk_i, .write_i(base_write && descriptor_i.strobe[0]), .write_address_i(descriptor_i.slot),
    .write_data_i(descriptor_i.data[31:4]), .read_address_i(slot), .read_data_o(ring_base[31:4])
  );
  rf_lutram #(.Width(16)) u_config (
    .clk_i, .write_i(config_write && descriptor_i.strobe[0]),
    .write_address_i(descriptor_i.slot),
    .write_data_i({descriptor_i.data[rf_pkg::SlotConfigVmidLsb +: 4],
                   ~(12'hfff << descriptor_i.data[rf_pkg::SlotConfigRingLog2Lsb +: 4])}),
    .read_address_i(slot), .read_data_o({vmid, ring_mask})
  );

  // --- position in the slot: here while it is served, else in its registers ----------------
  logic        begins, fails, stall_engine, stall_fence;
  logic        settled, positioned, take_buffer, packet_passes, skip_done, observes;
  logic        rewinds, rewound;
  logic [2:0]  back;
  logic [3:0]  step;
  logic [63:0] address, buffer_start, partial, observed, buffer_address;
  logic [28:0] left, size, offset, buffer_words;
  logic [31:0] progress, handle;
  logic [23:0] quantum_left;
  logic [1:0]  served_node;
  logic [3:0]  left_slot;
  logic        skips, left_many;
  rf_bus_pkg::kept_words_t    kept;
  rf_bus_pkg::fetched_words_t fetched;
  rf_bus_pkg::position_loaded_t word_loaded;
  rf_bus_pkg::decoded_packet_t  decoded;
  rf_bus_pkg::packet_error_t    packet_error;

  rf_node_transfer u_transfer (
    .clk_i, .rst_ni, .slot_i(slot), .start_i(state_q == Start), .work_i(work_q),
    .in_buffer_i(in_buffer_q), .take_same_i(take_same), .leaves_i(leaves), .drained_i(drained),
    .buffer_start_i(buffer_start), .size_i(size), .offset_i(offset), .progress_i(progress),
    .partial_i(partial), .observed_i(observed), .quantum_left_i(quantum_left),
    .position_o, .ready_i(memory_ready_i), .loaded_o(word_loaded), .settled_o(settled),
    .positioned_o(positioned), .left_slot_o(left_slot)
  );

  // Where fetching begins: at the position, or behind the WAIT there that is over.
  localparam logic [3:0] WaitWords = rf_pkg::PacketWaitWordsMin[3:0];
  assign step = !position_q ? packet_error.words : skips ? WaitWords : '0;
  rf_node_position #(.Node(Node)) u_position (
    .clk_i, .loaded_i(word_loaded), .load_data_i, .take_buffer_i(take_buffer),
    .buffer_address_i(buffer_address), .buffer_words_i(buffer_words),
    .begins_i(begins), .passes_i(packet_passes), .words_i(decoded.words),
    .skips_i(skip_done), .rewinds_i(rewinds), .back_i(back),
    .progress_i(engine_result_i.progress), .partial_i(engine_result_i.partial),
    .observes_i(observes), .timestamp_i, .step_i(step), .address_o(address), .left_o(left),
    .left_many_o(left_many),
    .buffer_start_o(buffer_start), .size_o(size), .offset_o(offset), .progress_o(progress),
    .partial_o(partial), .observed_o(observed), .handle_o(handle), .served_node_o(served_node)
  );

  logic spent;
  rf_node_quantum u_quantum (
    .clk_i, .rst_ni, .start_i(state_q == Start), .running_i(running),
    .load_left_i(word_loaded.quantum_left), .load_quantum_i(word_loaded.quantum),
    .load_data_i(load_data_i[23:0]), .left_o(quantum_left), .spent_o(spent)
  );

  // --- fetch and decode -------------------------------------------------------------------
  logic        start, issue_q;
  logic        buffer_here, buffer_valid, buffer_ready, buffer_more;
  logic        word_valid, word_ready;
  logic [63:0] word;
  rf_bus_pkg::fetch_failure_t buffer_failure, word_failure;
  logic [4:0]  word_left;
  logic [1:0]  word_used;
  logic        wants_buffer, at_begin, at_packet, at_end, at_error, item_done;
  logic        bank, operand_bank, event_ring_fetch, event_command_fetch;
  logic [2:0]  operand_place;
  logic [63:0] operand;

  // A kept slot goes on prefetching until another one wants the node; no more behind Leave.
  // Only when all of the position is in its place does the decoder take a buffer.
  assign start       = (state_q == Start && !in_buffer_q) || positioned;
  assign buffer_here = buffer_valid && settled;
  assign take_buffer = buffer_here && buffer_ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) issue_q <= 1'b0;
    else issue_q <= running || prefetch || positioned;
  end

  // In Start a slot without work is not begun, nor does the fetch begin inside a buffer.
  rf_node_kept u_kept (
    .clk_i, .rst_ni, .slot_i(slot), .idle_i(idle),
    .start_i(start || (state_q == Start && !work_q)), .work_i(work_q || positioned),
    .skipped_i(skipped_q), .fetched_i(fetched), .kept_o(kept), .skips_o(skips),
    .slot_write_i(descriptor_i.strobe != '0), .invalidate_i
  );

  rf_fetch u_fetch (
    .clk_i, .rst_ni,
    .load_i(free || chosen || (state_q == Position && !positioned)),
    .start_i(start), .first_i(starts && view_i.work && !view_i.in_buffer),
    .resume_i(in_buffer_q), .position_i(address[63:3]),
    .words_i(left), .many_i(left_many), .issue_i(issue_q), .drained_o(drained), .kept_i(kept),
    .fetched_o(fetched),
    .read_pointer_i(view_i.read_pointer), .write_pointer_i(view_i.write_pointer),
    .vmid_i(vmid), .ring_base_i(ring_base),
    .ring_mask_i(ring_mask),
    .read_valid_o, .read_ready_i, .read_o, .response_valid_i, .response_i,
    .buffer_valid_o(buffer_valid), .buffer_look_i(buffer_ready),
    .buffer_ready_i(buffer_ready && settled),
    .buffer_address_o(buffer_address), .buffer_failure_o(buffer_failure),
    .buffer_more_o(buffer_more), .buffer_words_o(buffer_words),
    .word_valid_o(word_valid), .word_ready_i(word_ready), .word_o(word),
    .word_used_o(word_used), .word_left_o(word_left),
    .word_failure_o(word_failure),
    .reads_o({event_command_fetch, event_ring_fetch})
  );

  rf_decode #(.Node(Node), .Engine(Engine)) u_decoder (
    .clk_i, .rst_ni, .start_i(start), .resume_i(in_buffer_q), .more_i(left != '0),
    .buffer_valid_i(buffer_here), .buffer_ready_o(buffer_ready),
    .buffer_failed_i(buffer_failure.failed), .buffer_more_i(buffer_more),
    .buffer_error_i(buffer_failure.error), .buffer_level_i(buffer_failure.level),
    .word_valid_i(word_valid), .word_ready_o(word_ready), .word_i(word),
    .word_used_i(word_used), .word_left_i(word_left),
    .word_failed_i(word_failure.failed), .word_error_i(word_failure.error),
    .word_level_i(word_failure.level),
    .waiting_o(wants_buffer), .begin_o(at_begin), .packet_o(at_packet), .end_o(at_end),
    .error_o(at_error), .ready_i(item_done),
    .decoded_o(decoded), .bank_o(bank), .operand_bank_i(operand_bank),
    .operand_i(operand_place), .operand_o(operand), .packet_error_o(packet_error)
  );

  // --- engine work ------------------------------------------------------------------------
  logic stop_q, stop_d;  // the slot must stop, or others have waited long enough
  logic engine_idle, engine_room, engine_fails, engine_failed, engine_failed_next;
  logic fence_issued, wait_issued, engine_issued, stops_queue;
  assign fence_issued  = fence_valid_o && fence_ready_i;
  assign wait_issued   = wait_valid_o && wait_ready_i;
  assign engine_issued = engine_valid_o && engine_ready_i;
  assign stops_queue   = record_valid_o && record_ready_i;

  rf_node_engine u_engine (
    .clk_i, .rst_ni, .offered_i(engine_valid_o), .issued_i(engine_issued),
    .stops_i((running && stop_q) || state_q == Leave), .leaves_i(leaves),
    .slot_error_i(view_i.error), .result_i(engine_result_i), .control_o(engine_control_o),
    .idle_o(engine_idle), .room_o(engine_room), .fails_o(engine_fails),
    .failed_o(engine_failed), .failed_next_o(engine_failed_next), .rewinds_o(rewinds),
    .back_o(back), .rewound_o(rewound)
  );

  // --- packets to their units ---------------------------------------------------------------
  logic go_q;            // known a cycle ahead: what a packet does goes far in its cycle
  logic offered_q;       // a request stands at a unit and must stay
  logic skipped_q;       // the decoder is behind an unlogged WAIT, the position still on it
  logic offered_d, skipped_d, sends, wait_done, packet_done;
  rf_node_issue u_issue (
    .go_i(go_q), .begin_i(at_begin), .packet_i(at_packet), .end_i(at_end),
    .decoded_i(decoded), .words_idle_i(!sends), .engine_idle_i(engine_idle),
    .engine_room_i(engine_room), .wait_over_i(view_i.wait_over),
    .fences_none_i(view_i.fences_none),
    .fence_valid_o, .fence_ready_i, .wait_valid_o, .wait_ready_i,
    .engine_valid_o, .engine_ready_i, .record_valid_o, .record_ready_i,
    .retire_valid_o, .retire_ready_i,
    .begins_o(begins), .packet_done_o(packet_done), .wait_done_o(wait_done),
    .item_done_o(item_done), .offered_next_o(offered_d),
    .stall_engine_o(stall_engine), .stall_fence_o(stall_fence)
  );

  rf_node_words #(.Node(Node)) u_words (
    .clk_i, .rst_ni, .decoded_i(decoded),
    .issued_i(fence_issued || wait_issued || engine_issued), .slot_i(slot), .vmid_i(vmid),
    .handle_i(handle), .served_node_i(served_node), .rewound_i(rewound),
    .progress_i(progress), .partial_i(partial), .observed_i(observed),
    .stalled_i(view_i.stalled), .wait_over_i(view_i.wait_over),
    .bank_i(bank), .operand_bank_o(operand_bank), .operand_o(operand_place),
    .operand_i(operand), .sends_o(sends), .word_o, .fence_o, .wait_o, .engine_o,
    .record_show_i, .record_o
  );
  assign packet_passes = packet_done && !rewinds && !rewound;
  assign skip_done = running && settled && skipped_q && view_i.wait_over;
  assign observes  = running && at_packet && decoded.is_wait && !view_i.wait_over &&
                     !view_i.waited;

  rf_node_failure u_failure (
    .clk_i, .rst_ni, .engine_fails_i(engine_fails), .engine_failed_i(engine_failed),
    .engine_failure_i(engine_result_i.failure),
    .decode_fails_i(go_q && at_error && engine_idle), .packet_error_i(packet_error),
    .address_i(address), .fails_o(fails), .failure_o(fail_o)
  );

  // --- control ---------------------------------------------------------------------------
  logic yields;
  assign yields = others && (!mine || spent);
  assign leaves = state_q == Leave && engine_idle && !engine_failed && settled;

  always_comb begin
    state_d = state_q;
    kept_d  = kept_q && !view_i.halt;
    unique case (state_q)
      Idle: begin
        if (chosen) begin
          state_d = Start;
          kept_d  = 1'b0;
        end else if (take_same) begin
          state_d = Run;
        end else if (take_coming) begin
          state_d = Start;
        end
      end
      Start:    state_d = !work_q ? Idle : in_buffer_q ? Position : Run;
      Position: if (positioned) state_d = Run;
      Run: begin
        if (wait_issued || stops_queue) begin
          state_d = Leave;
          kept_d  = !spent;
        end else if ((stop_q && !offered_q) || (wants_buffer && !work_q)) begin
          state_d = Leave;
          kept_d  = 1'b0;
        end
      end
      Leave: if (leaves) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  assign skipped_d = state_q == Position ? skips :
                     state_q != Start && !skip_done &&
                     (skipped_q || (wait_issued && !decoded.log));
  // Once it must stop, a slot is left. In Start halt is still that of the slot
  // before, and no packet is near.
  assign stop_d    = state_q != Start && (view_i.halt || engine_failed_next ||
                                          (running && (stop_q || yields)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Idle;
      position_q <= 1'b0;
      kept_q     <= 1'b0;
      offered_q  <= 1'b0;
      skipped_q  <= 1'b0;
      stop_q     <= 1'b0;
      go_q       <= 1'b0;
    end else begin
      state_q    <= state_d;
      position_q <= state_d == Position;
      kept_q     <= kept_d;
      offered_q  <= offered_d;
      skipped_q  <= skipped_d;
      stop_q     <= stop_d;
      go_q       <= state_d == Run && !skipped_d && (offered_d || (!stop_d && settled));
    end
  end

  // --- what others see of the node -----------------------------------------------------------
  // A slot is served until nothing that it fetches is in flight.
  logic busy;
  assign busy   = state_q != Idle || !drained;
  assign idle_o = idle && drained && settled && choice_i.runnable == '0 && !slot_waits;

  always_comb begin
    place_o.busy      = busy;
    place_o.slot      = slot;
    place_o.here      = slot_here;
    place_o.load_slot = load_slot;
    place_o.words     = offset;
    place_o.owes      = position_o.store ||
                        ((state_q == Start || state_q == Position) && !drained);
    place_o.left_slot = left_slot;
  end
  always_comb begin
    update_o.begins       = begins;
    update_o.fence_issued = fence_issued;
    update_o.wait_issued  = wait_issued;
    update_o.wait_done    = wait_done || skip_done;
    update_o.stops        = stops_queue;
    update_o.fails        = fails;
    update_o.spent        = spent && running;
    update_o.served       = spent && state_q == Leave;
  end
  always_comb begin
    events_o.ring_fetch    = event_ring_fetch;
    events_o.command_fetch = event_command_fetch;
    events_o.packet        = packet_done || skip_done;
    events_o.waits         = wait_issued;
    events_o.stall_engine  = stall_engine;
    events_o.stall_fence   = stall_fence;
    events_o.stall_fetch   = running && !(at_begin || at_packet || at_end || at_error);
  end

  rf_node_registers #(.Node(Node)) u_registers (
    .clk_i, .rst_ni, .register_i, .register_data_o, .busy_i(busy), .slot_i(slot),
    .engine_busy_i(!engine_idle), .engine_progress_i(engine_result_i.progress),
    .retires_i(packet_passes || skip_done), .back_i(back)
  );

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(92)) fence_stays (
    .clk_i, .rst_ni, .valid_i(fence_valid_o), .ready_i(fence_ready_i), .data_i({fence_o, word_o})
  );
  rf_offer_check #(.Width(72)) wait_stays (
    .clk_i, .rst_ni, .valid_i(wait_valid_o), .ready_i(wait_ready_i), .data_i({wait_o, word_o})
  );
  rf_offer_check #(.Width(116)) engine_stays (
    .clk_i, .rst_ni, .valid_i(engine_valid_o), .ready_i(engine_ready_i), .data_i({engine_o, word_o})
  );
  rf_offer_check record_stays (
    .clk_i, .rst_ni, .valid_i(record_valid_o), .ready_i(record_ready_i), .data_i(1'b0)
  );
  rf_offer_check retire_stays (
    .clk_i, .rst_ni, .valid_i(retire_valid_o), .ready_i(retire_ready_i), .data_i(1'b0)
  );
`endif
`endif

endmodule

`default_nettype wire
