// SPDX-License-Identifier: Apache-2.0
//
// What rf_doorbell and rf_slots promise together, seen from one doorbell page and
// one slot, any of them: no ring is lost, nothing is fetched or retired twice, no
// entry beyond the write pointer is begun.
//
// The registers, rings, resamples, releases and failures are free. The node that
// serves the slot keeps the rules of cp/rf_node: it starts on a slot that it saw runnable
// one or two cycles before, or that was announced the cycle before and has work; it takes
// the read pointer when it starts, of a slot that was announced the cycle before; it begins the
// next entry only below the write pointer, retires an entry that it began, and stays
// with the slot for two cycles then. The other node leaves the slot alone. The driver
// writes CONFIG, then POINTERS before the first ENABLE, and a legal CONFIG.ring_log2 while
// the slot is disabled.

`default_nettype none

module rf_doorbell_props (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire rf_bus_pkg::register_request_t register_i,
  input  wire logic         doorbell_valid_i,
  input  wire logic [3:0]   doorbell_page_i,
  input  wire logic [63:0]  doorbell_data_i,
  input  wire logic         doorbell_good_i,
  input  wire logic         resample_valid_i,
  input  wire logic [63:0]  resample_data_i,
  input  wire rf_bus_pkg::context_progress_t context_progress_i,
  input  wire logic [3:0]   context_slot_i,
  input  wire rf_bus_pkg::failure_t resample_fail_i,
  input  wire logic [1:0]   node_busy_i,
  input  wire logic [7:0]   node_slot_i,
  input  wire logic [7:0]   node_load_slot_i,
  input  wire logic [57:0]  node_words_i,
  input  wire logic [1:0]   node_begin_i,
  input  wire logic [1:0]   node_retire_valid_i,
  input  wire rf_bus_pkg::slot_update_t update0_i,
  input  wire rf_bus_pkg::slot_update_t update1_i,
  input  wire logic [2*rf_bus_pkg::FailureWidth-1:0] node_fail_i,
  input  wire rf_bus_pkg::slot_position_t position0_i,
  input  wire rf_bus_pkg::slot_position_t position1_i,
  input  wire logic         scan_comparing_i,
  input  wire rf_bus_pkg::slot_result_t fence_done_i,
  input  wire rf_bus_pkg::slot_result_t fence_fault_i,
  input  wire rf_bus_pkg::wait_release_t release_i,
  input  wire logic         doorbell_record_ready_i,
  input  wire logic         slots_record_ready_i
);

  // --- the two blocks -----------------------------------------------------------------
  // An access to a slot register may be that of a context; rf_doorbell sees the host's.
  (* anyseq *) logic by_context;
  rf_bus_pkg::register_request_t register_host;
  always_comb begin
    register_host       = register_i;
    register_host.valid = register_i.valid && !(by_context && (slot_read || slot_write));
  end

  logic [15:0]  enabled;
  logic         ring_valid, ring_moved;
  rf_bus_pkg::descriptor_write_t descriptor;
  localparam int unsigned IndexLog2 = rf_pkg::DoorbellTokenIndexBits;
  localparam logic [15:0] IndexMask = (16'd1 << IndexLog2) - 16'd1;
  logic         config_write;
  logic [15:0]  config_token;
  assign config_token = descriptor.data[rf_pkg::SlotConfigTokenLsb +: 16];
  assign config_write = descriptor.strobe[0] && descriptor.word == rf_pkg::RegSlotConfig[7:3];
  logic [3:0]   ring_next_slot, ring_slot;
  logic [47:0]  ring_pointer;
  logic         resample_ready, record_valid;
  rf_bus_pkg::record_t record;
  logic [31:0]  turn;
  logic [15:0]  parked;
  rf_bus_pkg::context_request_t context_request;
  assign parked = context_request.parked;
  logic [1:0]   coming;
  logic [25:0]  node_read_pointer, node_write_pointer;
  logic [1:0]   node_retire_ready;

  rf_doorbell u_doorbell (
    .clk_i, .rst_ni, .doorbell_valid_i, .doorbell_page_i, .doorbell_data_i, .doorbell_good_i,
    .enabled_i(enabled), .config_write_i(config_write), .config_slot_i(descriptor.slot),
    .config_token_i(config_token),
    .resample_valid_i, .resample_ready_o(resample_ready),
    .resample_slot_i(context_slot_i), .resample_data_i,
    .ring_next_slot_o(ring_next_slot), .ring_valid_o(ring_valid), .ring_slot_o(ring_slot),
    .ring_write_pointer_o(ring_pointer),
    .ring_moved_i(ring_moved), .ring_repeated_i(ring_result.repeated),
    .ring_range_i(ring_result.range),
    .record_valid_o(record_valid), .record_ready_i(doorbell_record_ready_i), .record_o(record),
    .register_i(register_host), .slot_write_i(slot_write), .register_data_o(), .idle_o());

  rf_bus_pkg::ring_t        ring;
  rf_bus_pkg::ring_result_t ring_result;
  rf_bus_pkg::node_choice_t choice0, choice1;
  rf_bus_pkg::node_place_t  place0, place1;
  (* anyseq *) logic [1:0]  node_owes;
  (* anyseq *) logic [7:0]  node_left_slots;
  rf_bus_pkg::slot_view_t   view0, view1;
  rf_bus_pkg::slot_update_t update0, update1;
  assign ring_moved         = ring_result.moved;
  assign turn               = {choice1.turn, choice0.turn};
  assign coming             = {choice1.coming, choice0.coming};
  assign node_read_pointer  = {view1.read_pointer, view0.read_pointer};
  assign node_write_pointer = {view1.write_pointer, view0.write_pointer};
  always_comb begin
    ring.next_slot     = ring_next_slot;
    ring.valid         = ring_valid;
    ring.slot          = ring_slot;
    ring.write_pointer = ring_pointer;
    place0.busy      = node_busy_i[0];
    place0.slot      = node_slot_i[3:0];
    place0.here      = 16'd1 << node_slot_i[3:0];
    place0.load_slot = node_load_slot_i[3:0];
    place0.words     = node_words_i[28:0];
    place0.owes      = node_owes[0];
    place0.left_slot = node_left_slots[3:0];
    place1.busy      = node_busy_i[1];
    place1.slot      = node_slot_i[7:4];
    place1.here      = 16'd1 << node_slot_i[7:4];
    place1.load_slot = node_load_slot_i[7:4];
    place1.words     = node_words_i[57:29];
    place1.owes      = node_owes[1];
    place1.left_slot = node_left_slots[7:4];
    update0          = update0_i;
    update0.begins   = node_begin_i[0];
    update1          = update1_i;
    update1.begins   = node_begin_i[1];
  end

  rf_slots u_slots (
    .clk_i, .rst_ni, .register_i, .slot_access_i(slot_access),
    .register_data_o(),
    .descriptor_o(descriptor), .restart_o(), .enabled_o(enabled),
    .ring_i(ring), .ring_result_o(ring_result),
    .context_request_o(context_request), .context_progress_i,
    .context_slot_i, .resample_fail_ready_o(), .resample_fail_i,
    .choice0_o(choice0), .choice1_o(choice1), .place0_i(place0), .place1_i(place1),
    .view0_o(view0), .view1_o(view1), .update0_i(update0), .update1_i(update1),
    .node_retire_valid_i, .node_retire_ready_o(node_retire_ready), .node_fail_i,
    .position0_i, .position1_i, .node_memory_ready_o(), .node_data_o(),
    .fence_done_i, .fence_fault_i, .scan_slot_o(), .scan_comparing_i, .release_i, .cancel_o(),
    .record_valid_o(), .record_ready_i(slots_record_ready_i), .record_o(), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // --- one page, one slot, the node that serves it ------------------------------------
  (* anyconst *) logic [2:0] page;
  (* anyconst *) logic [3:0] slot;
  (* anyconst *) logic       node;

  // --- what the driver wrote ----------------------------------------------------------
  logic        write, write_bind, write_pointers, write_config, write_control, write_flags;
  logic        late_write_q = 1'b0;     // of slot registers: they act one cycle late,
  logic [13:0] late_address_q;
  logic [63:0] late_data_q;
  logic [7:0]  late_strobe_q;
  logic        sets_q = 1'b0;           // on the pointers two cycles late: POINTERS,
  logic        sizes_q = 1'b0;          // CONFIG
  logic [63:0] later_data_q;
  logic [7:0]  later_strobe_q;
  logic        bound_q = 1'b0, resident_q = 1'b0, known_q = 1'b0, known;
  logic        config_written_q = 1'b0, log2_written_q = 1'b0;
  logic [3:0]  bound_slot_q;
  logic [3:0]  log2_q;
  logic [15:0] token_q = '0;
  logic [63:0] data;
  logic [13:0] slot_word, page_word;
  assign data           = register_i.data;
  assign write          = register_i.valid && register_i.write;
  assign slot_word      = {5'd0, slot, 5'd0};
  assign page_word      = {11'd0, page};
  assign write_bind     = write && register_i.strobe[0] &&
                          register_i.address == rf_pkg::RegDoorbellBind[16:3] + page_word;
  assign write_pointers = late_write_q && (late_strobe_q[0] || late_strobe_q[4]) &&
                          late_address_q == rf_pkg::RegSlotPointers[16:3] + slot_word;
  assign write_config   = late_write_q && late_strobe_q[0] &&
                          late_address_q == rf_pkg::RegSlotConfig[16:3] + slot_word;
  assign write_control  = late_write_q && late_strobe_q[0] &&
                          late_address_q == rf_pkg::RegSlotControl[16:3] + slot_word;

  // The decoding of rf_pcie.
  logic        slot_hit, slot_read, slot_write;
  logic [3:0]  slot_named;
  logic [16:0] register_address;
  assign register_address = {register_i.address, 3'b000};
  assign slot_read        = register_i.valid && !register_i.write && slot_hit;
  assign slot_write       = write && slot_hit;
  rf_bus_pkg::slot_access_t slot_access;
  always_comb begin
    slot_access.read  = slot_read;
    slot_access.write = slot_write;
    slot_access.slot  = slot_named;
  end
  rf_slot_decode u_decode (
    .address_i(register_address[16:8]), .hit_o(slot_hit), .slot_o(slot_named)
  );

  assign write_flags    = late_write_q && late_strobe_q[0] && !enabled[slot] &&
                          late_address_q == rf_pkg::RegSlotFlags[16:3] + slot_word;

  logic sets_soon; // POINTERS of any slot is written
  assign sets_soon = slot_access.write && register_address[7:3] == rf_pkg::RegSlotPointers[7:3] &&
                     (register_i.strobe[0] || register_i.strobe[4]);

  always_comb begin
    // A context that is restored is that of a queue.
    if (write_flags && late_data_q[rf_pkg::SlotFlagsInBufferLsb]) begin
      assume (known_q && !sets_q && write_q != read_q);
    end
    if (doorbell_valid_i) assume (!sets_soon); // rf_pcie: one word a cycle
    if (doorbell_valid_i && doorbell_page_i == 4'd8) assume (token == shown_q);
    if (write_pointers && !known) begin
      assume (late_strobe_q == 8'hff && config_written_q);
    end
    if (write_control && !known) assume (!late_data_q[rf_pkg::SlotControlEnableLsb]);
    if (write_config) begin
      assume (!enabled[slot] && late_data_q[rf_pkg::SlotConfigRingLog2Lsb +: 4] <= 4'd12);
    end
  end
  always_ff @(posedge clk_i) begin
    late_write_q   <= running_q && write;
    late_address_q <= register_i.address;
    late_data_q    <= register_i.data;
    late_strobe_q  <= register_i.strobe;
    sets_q         <= running_q && sets;
    sizes_q        <= running_q && write_config;
    later_data_q   <= late_data_q;
    later_strobe_q <= late_strobe_q;
  end
  always_ff @(posedge clk_i) if (running_q) begin
    if (write_bind) begin
      bound_q      <= data[rf_pkg::DoorbellBindBoundLsb];
      resident_q   <= data[rf_pkg::DoorbellBindResidentLsb];
      bound_slot_q <= data[rf_pkg::DoorbellBindSlotLsb +: 4];
    end
    if (write_config) config_written_q <= 1'b1;
    if (write_config) token_q <= late_data_q[rf_pkg::SlotConfigTokenLsb +: 16];
    if (sizes_q) log2_written_q <= 1'b1;
    if (sizes_q) log2_q <= later_data_q[rf_pkg::SlotConfigRingLog2Lsb +: 4];
  end

  // --- the pointers as they must be ---------------------------------------------------
  // The read pointer moves the cycle after a retirement was taken, later if a write
  // of POINTERS is in its way.
  logic [47:0] read_q, write_q;
  logic        retiring_q = 1'b0;       // taken, the pointer has not moved yet
  logic        sets, retires, retire_moves, in_range;
  logic [48:0] distance;
  assign sets         = write_pointers && !enabled[slot];
  assign retires      = node_retire_valid_i[node] && node_retire_ready[node] &&
                        (node ? node_slot_i[7:4] : node_slot_i[3:0]) == slot;
  assign retire_moves = retiring_q && !\u_slots.u_pointers.set_write_q ;
  assign known        = sets_q || (known_q && !sizes_q);
  assign distance     = {1'b0, ring_pointer} - {1'b0, read_q};
  assign in_range     = !distance[48] && distance <= (49'd1 << log2_q);

  always_ff @(posedge clk_i) if (running_q) begin
    known_q <= known;
    retiring_q <= retires || (retiring_q && !retire_moves);
    if (ring_valid && ring_slot == slot && ring_pointer > write_q && in_range) begin
      write_q <= ring_pointer;
    end
    if (retire_moves) read_q <= read_q + 48'd1;
    if (sets_q) begin
      if (later_strobe_q[0]) begin
        read_q[31:0]  <= later_data_q[31:0];
        write_q[31:0] <= later_data_q[31:0];
      end else read_q[31:0] <= write_q[31:0];
      if (later_strobe_q[4]) begin
        read_q[47:32]  <= later_data_q[47:32];
        write_q[47:32] <= later_data_q[47:32];
      end else read_q[47:32] <= write_q[47:32];
    end
  end

  // --- the node -----------------------------------------------------------------------
  (* anyseq *) logic starts, leaves;
  logic        serving_q = 1'b0, in_buffer_q = 1'b0, was_runnable_q = 1'b0, chosen_q = 1'b0;
  logic        was_coming_q = 1'b0, is_runnable;
  logic [3:0]  load_slot;
  logic [12:0] loaded_q;                // the read pointer as it was shown the cycle before
  (* hierconn *) wire [7:0] \u_slots.node_slot_q ;
  logic        stay_q = 1'b0;           // it retired in the cycle before
  logic        first_q = 1'b0;          // the first entry after its start: fetched unasked
  logic [12:0] next_q;                  // the entry it begins next
  logic [12:0] seen_read, seen_write;
  logic [3:0]  other_slot;
  logic        begins;
  assign is_runnable = node ? turn[16 + slot] : turn[slot];
  assign seen_read  = node ? node_read_pointer[25:13] : node_read_pointer[12:0];
  assign seen_write = node ? node_write_pointer[25:13] : node_write_pointer[12:0];
  assign load_slot  = node ? node_load_slot_i[7:4] : node_load_slot_i[3:0];
  assign other_slot = node ? node_slot_i[3:0] : node_slot_i[7:4];
  assign begins     = node_begin_i[node] && (node ? node_slot_i[7:4] : node_slot_i[3:0]) == slot;

  always_comb begin
    if (starts) begin
      assume (!serving_q && (was_runnable_q || was_coming_q || chosen_q) &&
              \u_slots.work [slot]);
    end
    if (serving_q || starts) assume (load_slot == slot);
    if (leaves) assume (serving_q && !stay_q && !retires);
    if (serving_q || starts) begin
      assume ((node ? node_slot_i[7:4] : node_slot_i[3:0]) == slot && node_busy_i[node]);
    end
    if (begins) assume (serving_q && !in_buffer_q && (first_q || next_q != seen_write));
    if (node_retire_valid_i[node] && (node ? node_slot_i[7:4] : node_slot_i[3:0]) == slot) begin
      assume (serving_q && in_buffer_q);
    end
    if (context_progress_i.saved) assume (parked[context_slot_i]);
    if (other_slot == slot) assume (!node_begin_i[!node] && !node_retire_valid_i[!node]);
    // What a node retires it has not chosen just now.
    if (node_retire_valid_i[0]) assume (node_slot_i[3:0] == \u_slots.node_slot_q [3:0]);
    if (node_retire_valid_i[1]) assume (node_slot_i[7:4] == \u_slots.node_slot_q [7:4]);
  end
  always_ff @(posedge clk_i) if (running_q) begin
    was_runnable_q <= !serving_q && !starts && is_runnable;
    chosen_q       <= !serving_q && !starts && was_runnable_q;
    was_coming_q   <= !serving_q && !starts && coming[node] && ring_slot == slot &&
                      load_slot == slot;
    loaded_q       <= seen_read;
    serving_q      <= starts || (serving_q && !leaves);
    stay_q         <= retires;
    first_q        <= starts ? !in_buffer_q : first_q && !begins;
    in_buffer_q    <= write_flags ? late_data_q[rf_pkg::SlotFlagsInBufferLsb]
                                  : begins || (in_buffer_q && !retires && !sets);
    if (starts) begin
      next_q <= (was_runnable_q || chosen_q ? seen_read : loaded_q) + {12'd0, in_buffer_q};
    end else if (begins) begin
      next_q <= next_q + 13'd1;
    end
  end

  // --- no ring is lost ----------------------------------------------------------------
  // A ring becomes an offer two cycles later; the offer decides in that cycle.
  logic        rang_q = 1'b0, pended_q = 1'b0, reported_q = 1'b0, resampled_q = 1'b0;
  logic        offers_q = 1'b0; // rang_q or resampled_q, a cycle later
  logic [47:0] rang_pointer_q, offer_pointer_q;
  logic        rings_page, good, rings_nobody;
  assign good       = doorbell_good_i && doorbell_data_i[63:48] == '0;
  assign rings_page = doorbell_valid_i && doorbell_page_i == {1'b0, page} && good && bound_q;

  // By the global page: the slot that got the index of the token last has it, or no slot. What
  // a ring is, is decided two cycles later.
  (* anyconst *) logic [15:0] stray;
  logic [15:0] token, good_token_q, named_token_q;
  logic        good_q = 1'b0, named_q = 1'b0;    // a ring by token a cycle ago, two cycles ago
  logic        rang_token_q = 1'b0, rang_stray_q = 1'b0; // token of the slot; perhaps of no slot
  logic        offers_token_q = 1'b0, decided_stray_q = 1'b0; // these a cycle later, the slot
                                                         // was enabled
  logic [15:0] shown_q;                                  // what stood there a cycle ago,
  logic        found_q = 1'b0;                           // and was the token of the slot
  logic        was_enabled_q = 1'b0;
  logic        latest_q = 1'b0;                          // the slot got the index of its token last
  logic        stray_q = 1'b0, write_global, good_token, same_index;
  assign token        = doorbell_data_i[63:48];
  assign good_token   = doorbell_valid_i && doorbell_page_i == 4'd8 && doorbell_good_i &&
                        token != '0;
  assign same_index   = config_write && ((config_token ^ token_q) & IndexMask) == '0;
  assign rings_nobody = decided_stray_q && !ring_valid;
  assign write_global = write && register_i.strobe[0] &&
                        register_i.address == rf_pkg::RegDoorbellGlobalPending[16:3];

  always_ff @(posedge clk_i) if (running_q) begin
    rang_q         <= rings_page && resident_q && bound_slot_q == slot;
    shown_q        <= token;
    found_q        <= token == token_q && latest_q && !same_index &&
                      !(config_write && descriptor.slot == slot);
    rang_token_q   <= good_token && found_q;
    was_enabled_q  <= enabled[slot];
    rang_stray_q   <= good_token && token == stray;
    if (config_write && descriptor.slot == slot) latest_q <= 1'b1;
    else if (same_index) latest_q <= 1'b0;
    // A stray token is there, or counted as lost, until the driver clears that.
    if (rings_nobody) stray_q <= 1'b1;
    else if (write_global && data[rf_pkg::DoorbellGlobalPendingPendingLsb]) stray_q <= 1'b0;
    else if (write_global && data[rf_pkg::DoorbellGlobalPendingLostLsb]) stray_q <= 1'b0;
    resampled_q    <= resample_valid_i && resample_ready && context_slot_i == slot &&
                      resample_data_i[63:48] == '0;
    rang_pointer_q <= doorbell_valid_i ? doorbell_data_i[47:0] : resample_data_i[47:0];

    offers_q        <= rang_q || resampled_q;
    offers_token_q  <= rang_token_q && enabled[slot];
    decided_stray_q <= rang_stray_q;
    offer_pointer_q <= rang_pointer_q;
    good_q          <= good_token;
    good_token_q    <= token;
    named_q         <= good_q && config_written_q;
    named_token_q   <= good_token_q;
  end

  (* hierconn *) wire [7:0]  \u_doorbell.pending_q ;
  (* hierconn *) wire        \u_doorbell.global_pending_q , \u_doorbell.global_lost_q ;
  (* hierconn *) wire [15:0] \u_doorbell.kept_token_q ;
  (* hierconn *) wire [15:0] \u_doorbell.u_token.token_q , \u_doorbell.rung_token ;
  (* hierconn *) wire        \u_doorbell.global_q , \u_doorbell.offered_q ;
  (* hierconn *) wire        \u_doorbell.pend_global , \u_doorbell.by_token_q , \u_doorbell.named ;
  (* hierconn *) wire [3:0]  \u_doorbell.slot_q , \u_doorbell.token_slot , \u_doorbell.u_token.slot_q ;
  (* hierconn *) wire [47:0] \u_doorbell.pointer_q ;
  (* hierconn *) wire [IndexLog2-1:0] \u_doorbell.u_token.watch ;
  (* hierconn *) wire [3:0]  \u_doorbell.u_token.watched , \u_doorbell.u_token.u_tokens.watch ;
  (* hierconn *) wire [15:0] \u_doorbell.u_token.u_tokens.watched ;
  assign \u_doorbell.u_token.watch = token_q[IndexLog2-1:0];
  assign \u_doorbell.u_token.u_tokens.watch = slot;
  (* hierconn *) wire [7:0]  \u_doorbell.bound_q , \u_doorbell.resident_q ;
  (* hierconn *) wire [31:0] \u_doorbell.slots_q ;
  (* hierconn *) wire [8:0]  \u_doorbell.due_q ;
  (* hierconn *) wire [3:0]  \u_doorbell.record_index ;
  (* hierconn *) wire        \u_doorbell.record_load ;
  (* hierconn *) wire        \u_slots.pointers_write ;
  (* hierconn *) wire [15:0] \u_slots.postponed ;
  logic postponed_q = 1'b0;    // a write of POINTERS was in the way of its retirement
  always_ff @(posedge clk_i) postponed_q <= running_q && \u_slots.postponed [slot];
  (* hierconn *) wire [15:0] \u_slots.work ;
  (* hierconn *) wire [15:0] \u_slots.in_buffer ;
  (* hierconn *) wire [15:0] \u_slots.ready0 , \u_slots.ready1 ;
  (* hierconn *) wire [15:0] \u_slots.u_state.preempt_q , \u_slots.u_state.looked_q ;
  (* hierconn *) wire        \u_slots.u_state.quiet_q ;
  (* hierconn *) wire [3:0]  \u_slots.scan_slot ;
  (* hierconn *) wire [15:0] \u_slots.scan_here ;
  (* hierconn *) wire [15:0] \u_slots.disabling ;
  (* hierconn *) wire [1:0]  \u_slots.u_state.young_q ;
  logic disabling_q = 1'b0, disabling2_q = 1'b0; // it was being disabled a cycle ago, two
  logic quiet;                 // what the scan has found of the slot
  assign quiet = \u_slots.u_state.quiet_q && \u_slots.u_state.looked_q [slot];
  always_ff @(posedge clk_i) if (running_q) begin
    disabling_q  <= \u_slots.disabling [slot];
    disabling2_q <= disabling_q && \u_slots.disabling [slot];
  end
  (* hierconn *) wire        \u_slots.u_pointers.set_write_q ;
  (* hierconn *) wire        \u_slots.u_pointers.log2_write_q ;
  (* hierconn *) wire [15:0] \u_slots.u_pointers.set_here_q ;
  (* hierconn *) wire [1:0]  \u_slots.u_pointers.set_strobe_q ;
  (* hierconn *) wire [47:0] \u_slots.u_pointers.set_pointer_q ;
  (* hierconn *) wire [3:0]  \u_slots.u_pointers.register_slot_q ;
  (* hierconn *) wire [3:0]  \u_slots.u_pointers.log2_q ;
  (* hierconn *) wire        \u_slots.u_pointers.retiring_q ;
  (* hierconn *) wire [3:0]  \u_slots.u_pointers.retiring_slot_q ;
  (* hierconn *) wire [14:0] \u_slots.u_pointers.retire_next_q ;

  // What a page without a slot got: pending since, and its record.
  always_ff @(posedge clk_i) if (running_q) begin
    if (rings_page && !resident_q) pended_q <= 1'b1;
    else if (write_bind && !data[rf_pkg::DoorbellBindPendingLsb]) pended_q <= 1'b0;
    if (!\u_doorbell.pending_q [page] ||
        (write_bind && !data[rf_pkg::DoorbellBindPendingLsb])) begin
      reported_q <= 1'b0;
    end else if (\u_doorbell.record_load && \u_doorbell.record_index == {1'b0, page}) begin
      reported_q <= 1'b1;
    end
  end

  always_comb if (running_q) begin
    if (offers_q) begin
      ring_is_offered: assert (ring_valid && ring_slot == slot && ring_pointer == offer_pointer_q);
    end
    if (offers_token_q) begin
      token_is_offered: assert (ring_valid && ring_slot == slot && ring_pointer == offer_pointer_q);
    end
    if (named_q && ring_valid && ring_slot == slot) begin
      token_rings_its_slot: assert (was_enabled_q && named_token_q == token_q);
    end
    if (known_q) begin
      ring_leaves_work: assert (\u_slots.work [slot] == (write_q != read_q));
    end
    if (pended_q) begin
      pending_ring_is_kept: assert (\u_doorbell.pending_q [page]);
      pending_ring_is_told: assert (\u_doorbell.due_q [page] || reported_q);
    end
  end

  always_comb if (running_q && stray_q) begin
    stray_token_is_kept: assert (\u_doorbell.global_pending_q &&
        (\u_doorbell.kept_token_q == stray || \u_doorbell.global_lost_q ));
  end

  // --- nothing is fetched twice, nothing that is not there ----------------------------
  logic [48:0] retired;                 // entries retired, moved or not
  assign retired = {1'b0, read_q} + {48'd0, retiring_q};
  always_comb if (running_q && known_q) begin
    if (begins) begin
      begun_is_the_next: assert (next_q == retired[12:0]);
      begun_is_there: assert (retired < {1'b0, write_q});
    end
    read_pointer_within: assert (read_q <= write_q && retired <= {1'b0, write_q});
    never_a_ring_ahead: assert (write_q - read_q <= 48'd4096);
  end

  // --- the memories hold these pointers -----------------------------------------------
  (* hierconn *) wire [3:0] \u_slots.u_pointers.u_read.watch ,
      \u_slots.u_pointers.u_read_register.watch ,
      \u_slots.u_pointers.u_write_ring.watch ,
      \u_slots.u_pointers.u_write_retire.watch , \u_slots.u_pointers.u_write_register.watch ,
      \u_slots.u_pointers.u_size.watch , \u_slots.u_pointers.u_limit.watch ,
      \u_slots.u_pointers.gen_node[0].u_read.watch ,
      \u_slots.u_pointers.gen_node[0].u_write.watch , \u_slots.u_pointers.gen_node[1].u_read.watch ,
      \u_slots.u_pointers.gen_node[1].u_write.watch ;
  (* hierconn *) wire [14:0] \u_slots.u_pointers.u_read.watched ,
      \u_slots.u_pointers.u_read_register.watched ;
  (* hierconn *) wire [47:0] \u_slots.u_pointers.u_write_ring.watched , \u_slots.u_pointers.u_write_register.watched ;
  (* hierconn *) wire [12:0] \u_slots.u_pointers.u_write_retire.watched ,
      \u_slots.u_pointers.gen_node[0].u_read.watched ,
      \u_slots.u_pointers.gen_node[0].u_write.watched ,
      \u_slots.u_pointers.gen_node[1].u_read.watched ,
      \u_slots.u_pointers.gen_node[1].u_write.watched ;
  (* hierconn *) wire [12:0] \u_slots.u_pointers.u_size.watched ;
  (* hierconn *) wire [14:0] \u_slots.u_pointers.u_limit.watched ;
  (* hierconn *) wire [47:0] \u_slots.u_pointers.ring_known_q ;
  (* hierconn *) wire [14:0] \u_slots.u_pointers.ring_limit_q ;
  assign \u_slots.u_pointers.u_read.watch = slot;
  assign \u_slots.u_pointers.u_read_register.watch = slot;
  assign \u_slots.u_pointers.u_write_ring.watch = slot;
  assign \u_slots.u_pointers.u_write_retire.watch = slot;
  assign \u_slots.u_pointers.u_write_register.watch = slot;
  assign \u_slots.u_pointers.u_size.watch = slot;
  assign \u_slots.u_pointers.u_limit.watch = slot;
  assign \u_slots.u_pointers.gen_node[0].u_read.watch = slot;
  assign \u_slots.u_pointers.gen_node[0].u_write.watch = slot;
  assign \u_slots.u_pointers.gen_node[1].u_read.watch = slot;
  assign \u_slots.u_pointers.gen_node[1].u_write.watch = slot;

  always_comb if (running_q) begin
    if (known_q) begin
      read_memories: assert (\u_slots.u_pointers.u_read.watched == read_q[14:0] &&
                             \u_slots.u_pointers.u_read_register.watched == read_q[14:0] &&
                             \u_slots.u_pointers.gen_node[0].u_read.watched == read_q[12:0] &&
                             \u_slots.u_pointers.gen_node[1].u_read.watched == read_q[12:0]);
      limit_memory: assert (\u_slots.u_pointers.u_limit.watched ==
                            read_q[14:0] + (15'd1 << log2_q));
      write_memories: assert (\u_slots.u_pointers.u_write_ring.watched == write_q &&
                              \u_slots.u_pointers.u_write_register.watched == write_q &&
                              \u_slots.u_pointers.u_write_retire.watched == write_q[12:0] &&
                              \u_slots.u_pointers.gen_node[0].u_write.watched == write_q[12:0] &&
                              \u_slots.u_pointers.gen_node[1].u_write.watched == write_q[12:0]);
    end
    // What an offer is compared with.
    if (ring_slot == slot) begin
      known_as_stored: assert (\u_slots.u_pointers.ring_known_q ==
                               \u_slots.u_pointers.u_write_ring.watched );
      limit_as_stored: assert (\u_slots.u_pointers.ring_limit_q ==
                               \u_slots.u_pointers.u_limit.watched );
    end
    size_memory: assert (!log2_written_q ||
                         \u_slots.u_pointers.u_size.watched == 13'd1 << log2_q);
    if (retiring_q) begin
      sum_of_the_retirement: assert (\u_slots.u_pointers.retire_next_q == read_q[14:0] + 15'd1);
    end
  end

  // --- how the inside hangs together (what makes the above inductive) -----------------
  always_comb if (running_q) begin
    bound_as_written: assert (\u_doorbell.bound_q [page] == bound_q &&
                              \u_doorbell.resident_q [page] == resident_q &&
                              (!bound_q || \u_doorbell.slots_q [page*4 +: 4] == bound_slot_q));
    no_offer_under_pointers: assert (!ring_valid || !\u_slots.u_pointers.set_write_q );
    none_follows: assert (!(\u_doorbell.offered_q || \u_doorbell.global_q ) ||
                          !\u_slots.pointers_write );
    set_as_written: assert (\u_slots.u_pointers.set_here_q [slot] == sets_q);
    set_data: assert (!sets_q ||
                      (\u_slots.u_pointers.set_pointer_q == later_data_q[47:0] &&
                       \u_slots.u_pointers.set_strobe_q == {later_strobe_q[4], later_strobe_q[0]}));
    set_of_one: assert (\u_slots.u_pointers.set_here_q == '0 ||
                        (\u_slots.u_pointers.set_write_q &&
                         \u_slots.u_pointers.set_here_q ==
                         16'd1 << \u_slots.u_pointers.register_slot_q ));
    size_as_written: assert ((\u_slots.u_pointers.log2_write_q &&
                              \u_slots.u_pointers.register_slot_q == slot) == sizes_q);
    size_data: assert (!sizes_q || (\u_slots.u_pointers.log2_q <= 4'd12 &&
                                    \u_slots.u_pointers.log2_q ==
                                    later_data_q[rf_pkg::SlotConfigRingLog2Lsb +: 4]));
    written_is_disabled: assert (!(sets_q || sizes_q) || (!enabled[slot] && !retiring_q));
    set_in_no_buffer: assert (!sets_q || !in_buffer_q);
    size_is_first: assert (!sets_q || log2_written_q);
    config_then_size: assert (config_written_q == (log2_written_q || sizes_q));
    pending_as_rung: assert (\u_doorbell.pending_q [page] == pended_q);
    in_buffer_as_begun: assert (\u_slots.in_buffer [slot] == in_buffer_q);
    retiring_as_taken: assert ((\u_slots.u_pointers.retiring_q &&
                                \u_slots.u_pointers.retiring_slot_q == slot) == retiring_q);
    enabled_is_known: assert (known_q || !enabled[slot]);
    token_as_written: assert (!config_written_q ||
                              \u_doorbell.u_token.u_tokens.watched == token_q);
    ring_as_rung: assert (!(rang_q || resampled_q) ||
                          (\u_doorbell.offered_q && !\u_doorbell.global_q &&
                           \u_doorbell.slot_q == slot &&
                           \u_doorbell.pointer_q == rang_pointer_q));
    token_as_rung: assert (!rang_token_q ||
                           (\u_doorbell.global_q && \u_doorbell.slot_q == slot &&
                            (!enabled[slot] || \u_doorbell.u_token.token_q == token_q) &&
                            \u_doorbell.pointer_q == rang_pointer_q));
    token_as_offered: assert (!offers_token_q ||
                              (\u_doorbell.by_token_q && \u_doorbell.named && ring_slot == slot &&
                               ring_pointer == offer_pointer_q));
    token_as_found: assert (!found_q || (config_written_q && shown_q == token_q &&
                                         \u_doorbell.token_slot == slot));
    slot_as_found: assert (!\u_doorbell.global_q ||
                           \u_doorbell.u_token.slot_q == \u_doorbell.slot_q );
    named_as_kept: assert (!(\u_doorbell.by_token_q && \u_doorbell.named && ring_slot == slot &&
                             config_written_q) ||
                           (was_enabled_q && \u_doorbell.rung_token == token_q));
    good_as_offered: assert (!named_q || (\u_doorbell.by_token_q &&
                                          \u_doorbell.rung_token == named_token_q));
    good_as_rung: assert (!good_q || (\u_doorbell.global_q && !\u_doorbell.offered_q &&
                                      \u_doorbell.u_token.token_q == good_token_q));
    stray_as_rung: assert (!rang_stray_q || (\u_doorbell.global_q && !\u_doorbell.offered_q &&
                                             \u_doorbell.u_token.token_q == stray));
    stray_as_decided: assert (!decided_stray_q ||
                              (\u_doorbell.pend_global != ring_valid &&
                               \u_doorbell.rung_token == stray));
    index_as_written: assert (!latest_q ||
                              (config_written_q && \u_doorbell.u_token.watched == slot));
    config_is_first: assert (log2_written_q || !known_q);
    legal_ring_size: assert (!log2_written_q || log2_q <= 4'd12);
    served_is_enabled: assert (!serving_q || enabled[slot]);
    ready_is_enabled: assert (!(\u_slots.ready0 [slot] || \u_slots.ready1 [slot]) ||
                              (enabled[slot] && !disabling_q));
    scan_of_one: assert (\u_slots.scan_here == 16'd1 << \u_slots.scan_slot );
    long_disabled: assert (!disabling2_q || disabling_q);
    young_is_known: assert (!\u_slots.disabling [slot] || disabling2_q ||
                            \u_slots.u_state.young_q [disabling_q]);
    quiet_is_left: assert (!quiet ||
                           (!serving_q && !retiring_q && !was_runnable_q && !was_coming_q &&
                            !chosen_q && disabling_q));
    turn_is_enabled: assert (!(turn[slot] || turn[16 + slot]) ||
                             (enabled[slot] && !disabling_q));
    disabled_once: assert (!\u_slots.disabling [slot] || enabled[slot]);
    preempt_disables: assert (!\u_slots.u_state.preempt_q [slot] || \u_slots.disabling [slot]);
    parked_is_quiet: assert (!parked[slot] ||
                             (enabled[slot] && !serving_q && !retiring_q && !was_runnable_q &&
                              !was_coming_q && !chosen_q && \u_slots.disabling [slot] &&
                              disabling_q && disabling2_q &&
                              \u_slots.u_state.preempt_q [slot]));
    chosen_is_enabled: assert (!(was_runnable_q || was_coming_q || chosen_q) ||
                               (enabled[slot] && !serving_q));
    chosen_in_time: assert (!(was_runnable_q || was_coming_q) ||
                            !disabling2_q);
    announced_is_loaded: assert (!was_coming_q || !known_q || loaded_q == read_q[12:0]);
    retiring_is_enabled: assert (!retiring_q || enabled[slot]);
    just_retired: assert (!stay_q || (serving_q && retiring_q));
    postponed_by_pointers: assert (retiring_q == (stay_q || postponed_q));
    postponed_is_not_ready: assert (!postponed_q || !(\u_slots.ready0 [slot] ||
                                                      \u_slots.ready1 [slot]));
    chosen_has_retired: assert (!(was_runnable_q || was_coming_q || chosen_q) || !retiring_q);
    if (serving_q) begin
      next_entry: assert (next_q == retired[12:0] + {12'd0, in_buffer_q});
      first_is_there: assert (!first_q || (!in_buffer_q && retired < {1'b0, write_q}));
    end
    if (in_buffer_q && known_q) begin_below: assert (retired < {1'b0, write_q});
  end

  // --- all this happens ---------------------------------------------------------------
  logic twice_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q && retires) twice_q <= 1'b1;
  logic moved_just_q = 1'b0, retired_just_q = 1'b0, set_just_q = 1'b0; // the slot's pointers
  always_ff @(posedge clk_i) if (running_q) begin
    moved_just_q   <= ring_moved && ring_slot == slot;
    retired_just_q <= retire_moves;
    set_just_q     <= sets_q;
  end
  always_comb if (running_q) begin
    ring_moves: cover (offers_q && ring_moved && known_q);
    second_entry_begins: cover (twice_q && begins && known_q);
    last_entry_retires_under_a_ring: cover (retire_moves && ring_moved && ring_slot == slot &&
                                            read_q + 48'd1 == write_q);
    displaced_token_is_stray: cover (stray_q && stray == token_q && enabled[slot]);
    token_moves: cover (offers_token_q && ring_moved && known_q);
    ring_behind_a_ring: cover (ring_valid && ring_slot == slot && moved_just_q && ring_moved);
    ring_behind_a_retirement: cover (ring_valid && ring_slot == slot && retired_just_q &&
                                     ring_moved && in_range && distance == 49'd1 << log2_q);
    ring_behind_pointers: cover (ring_valid && ring_slot == slot && set_just_q && ring_moved);
    second_stray_token: cover (stray_q && \u_doorbell.global_lost_q );
    pending_told: cover (pended_q && reported_q && record_valid && doorbell_record_ready_i);
  end

endmodule

`default_nettype wire
