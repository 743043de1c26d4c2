// SPDX-License-Identifier: Apache-2.0
//
// Queue slots: the registers of the slot block (but those of rf_fence and rf_wait) and the
// state of each queue. A slot is runnable when it is enabled, has entries left (the one
// under way included), and neither waits, is stopped, is in error nor is about to be
// disabled. What can wait is done for one slot per cycle, that of the scan in
// rf_slot_errors: failures, cancelling waits, completing DISABLE, parking for a PREEMPT.
//
// A DISABLE completes when no node serves the slot, no wait is held, no RESAMPLE is under
// way, and the fence operation handed over is performed and compared: nothing of the queue
// happens after it. A PREEMPT parks the slot under the same conditions, and rf_context saves
// it. ENABLE acts on a disabled slot only, and clears its error. State, position and
// pointers survive DISABLE until POINTERS is written. A write of CONFIG, POINTERS or FLAGS
// to an enabled slot is ignored: two nodes never serve one slot.

`default_nettype none

module rf_slots (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  input  wire rf_bus_pkg::slot_access_t slot_access_i,
  output logic [63:0]       register_data_o,   // two cycles later

  output      rf_bus_pkg::descriptor_write_t descriptor_o, // for whoever keeps some of it
  output      rf_bus_pkg::slot_event_t restart_o, // this slot, which was disabled, is enabled

  // rf_doorbell
  output logic [15:0]       enabled_o,
  input  wire rf_bus_pkg::ring_t ring_i,
  output      rf_bus_pkg::ring_result_t ring_result_o,

  // rf_context
  output      rf_bus_pkg::context_request_t context_request_o,
  input  wire rf_bus_pkg::context_progress_t context_progress_i,
  input  wire logic [3:0]   context_slot_i,    // the one that it works on
  output logic              resample_fail_ready_o,
  input  wire rf_bus_pkg::failure_t resample_fail_i,

  // nodes 0 and 1
  output      rf_bus_pkg::node_choice_t choice0_o,
  output      rf_bus_pkg::node_choice_t choice1_o,
  input  wire rf_bus_pkg::node_place_t  place0_i,
  input  wire rf_bus_pkg::node_place_t  place1_i,
  output      rf_bus_pkg::slot_view_t   view0_o,
  output      rf_bus_pkg::slot_view_t   view1_o,
  input  wire rf_bus_pkg::slot_update_t update0_i,
  input  wire rf_bus_pkg::slot_update_t update1_i,
  input  wire logic [1:0]   node_retire_valid_i, // a buffer is complete; not in the first cycle
  output logic [1:0]        node_retire_ready_o, // in which the node is at the slot
  input  wire logic [2*rf_bus_pkg::FailureWidth-1:0] node_fail_i,
  input  wire rf_bus_pkg::slot_position_t position0_i,
  input  wire rf_bus_pkg::slot_position_t position1_i,
  output logic [1:0]        node_memory_ready_o,
  output logic [63:0]       node_data_o,       // one cycle after a load was taken

  // rf_fence, rf_wait
  input  wire rf_bus_pkg::slot_result_t fence_done_i,
  input  wire rf_bus_pkg::slot_result_t fence_fault_i, // behind its done
  output logic [3:0]        scan_slot_o,       // does rf_fence still compare for this one?
  input  wire logic         scan_comparing_i,
  input  wire rf_bus_pkg::wait_release_t release_i,
  output      rf_bus_pkg::slot_event_t cancel_o,

  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output      rf_bus_pkg::record_t record_o,
  output logic              idle_o
);

  // --- what the nodes tell, node n at [n] -------------------------------------------------
  logic [1:0]  node_busy, node_begins, node_fence, node_wait, node_wait_done, node_stops;
  logic [1:0]  node_fails, node_spent, node_served, node_store, node_load;
  logic [7:0]  node_slot, node_load_slot, node_memory_slot;
  logic [57:0] node_words;
  assign node_busy        = {place1_i.busy, place0_i.busy};
  assign node_slot        = {place1_i.slot, place0_i.slot};
  assign node_load_slot   = {place1_i.load_slot, place0_i.load_slot};
  assign node_words       = {place1_i.words, place0_i.words};
  assign node_begins      = {update1_i.begins, update0_i.begins};
  assign node_fence       = {update1_i.fence_issued, update0_i.fence_issued};
  assign node_wait        = {update1_i.wait_issued, update0_i.wait_issued};
  assign node_wait_done   = {update1_i.wait_done, update0_i.wait_done};
  assign node_stops       = {update1_i.stops, update0_i.stops};
  assign node_fails       = {update1_i.fails, update0_i.fails};
  assign node_spent       = {update1_i.spent, update0_i.spent};
  assign node_served      = {update1_i.served, update0_i.served};
  assign node_store       = {position1_i.store, position0_i.store};
  assign node_load        = {position1_i.load, position0_i.load};
  assign node_memory_slot = {position1_i.slot, position0_i.slot};

  // --- register decode ---------------------------------------------------------------
  // Once, into registers: every access acts in the cycle after it came.
  localparam logic [4:0] Config              = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] Pointers            = rf_pkg::RegSlotPointers[7:3];
  localparam logic [4:0] WritePointer        = rf_pkg::RegSlotWritePointer[7:3];
  localparam logic [4:0] Control             = rf_pkg::RegSlotControl[7:3];
  localparam logic [4:0] Status              = rf_pkg::RegSlotStatus[7:3];
  localparam logic [4:0] ErrorAddress        = rf_pkg::RegSlotErrorAddress[7:3];
  localparam logic [4:0] Flags               = rf_pkg::RegSlotFlags[7:3];
  localparam logic [4:0] BufferState         = rf_pkg::RegSlotBufferState[7:3];
  localparam logic [4:0] QuantumLeft         = rf_pkg::RegSlotQuantumLeft[7:3];

  // Registers that lie in rf_slot_memory and that the host writes.
  localparam logic [31:0] Kept =
      (32'd1 << rf_pkg::RegSlotRingBase[7:3]) | (32'd1 << Config) |
      (32'd1 << rf_pkg::RegSlotQuantum[7:3]) |
      (32'd1 << rf_pkg::RegSlotWritePointerAddress[7:3]) |
      (32'd1 << rf_pkg::RegSlotSaveAddress[7:3]) |
      (32'd1 << rf_pkg::RegSlotBufferAddress[7:3]) | (32'd1 << BufferState) |
      (32'd1 << rf_pkg::RegSlotOperationDone[7:3]) |
      (32'd1 << rf_pkg::RegSlotOperationPartial[7:3]) |
      (32'd1 << rf_pkg::RegSlotWaitObserved[7:3]) | (32'd1 << QuantumLeft);

  localparam logic [16:0] Oversubscribed     = rf_pkg::RegSlotOversubscribed;

  logic        write_low, config_low, pointers_any, control, block_read;
  logic [15:0] here;
  logic [16:0] address;
  assign address      = {register_i.address, 3'b000};
  assign here         = 16'd1 << slot_access_i.slot;
  assign block_read   = register_i.valid && !register_i.write;
  assign write_low    = slot_access_i.write && register_i.strobe[0];
  assign config_low   = write_low && address[7:3] == Config;
  assign control      = write_low && address[7:3] == Control;
  assign pointers_any = slot_access_i.write && address[7:3] == Pointers &&
                        (register_i.strobe[0] || register_i.strobe[4]);

  logic        access_q, read_q, write_q, config_write_q, pointers_write_q;
  logic [3:0]  slot_q;
  logic [4:0]  number_q;
  logic [63:0] data_q;
  logic [7:0]  strobe_q;
  logic [15:0] here_q;                       // slot_q, one-hot
  logic        pointers_access_q, flags_write_q;
  logic        enable_q, disable_asked_q, resample_asked_q, resume_asked_q;
  logic        preempt_asked_q, restore_asked_q, rearm_asked_q;
  logic [2:0]  header_read_q;                // a read of the block's own words, by word
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_q         <= 1'b0;
      read_q           <= 1'b0;
      write_q          <= 1'b0;
      config_write_q   <= 1'b0;
      pointers_write_q <= 1'b0;
      pointers_access_q <= 1'b0;
      enable_q         <= 1'b0;
      disable_asked_q  <= 1'b0;
      resample_asked_q <= 1'b0;
      resume_asked_q   <= 1'b0;
      preempt_asked_q  <= 1'b0;
      restore_asked_q  <= 1'b0;
      rearm_asked_q    <= 1'b0;
      flags_write_q    <= 1'b0;
      header_read_q    <= '0;
    end else begin
      access_q         <= slot_access_i.read || slot_access_i.write;
      read_q           <= slot_access_i.read;
      write_q          <= slot_access_i.write;
      config_write_q   <= config_low;
      pointers_write_q <= pointers_any;
      pointers_access_q <= (slot_access_i.read || slot_access_i.write) && address[7:3] == Pointers;
      enable_q         <= control && register_i.data[rf_pkg::SlotControlEnableLsb];
      disable_asked_q  <= control && register_i.data[rf_pkg::SlotControlDisableLsb];
      resample_asked_q <= control && register_i.data[rf_pkg::SlotControlResampleLsb];
      resume_asked_q   <= control && register_i.data[rf_pkg::SlotControlResumeLsb];
      preempt_asked_q  <= control && register_i.data[rf_pkg::SlotControlPreemptLsb];
      restore_asked_q  <= control && register_i.data[rf_pkg::SlotControlRestoreLsb];
      rearm_asked_q    <= control && register_i.data[rf_pkg::SlotControlRearmLsb];
      flags_write_q    <= write_low && address[7:3] == Flags;
      header_read_q[0] <= block_read && address == Oversubscribed - 17'h10;
      header_read_q[1] <= block_read && address == Oversubscribed - 17'h8;
      header_read_q[2] <= block_read && address == Oversubscribed;
    end
  end
  always_ff @(posedge clk_i) begin
    slot_q   <= slot_access_i.slot;
    here_q   <= here;
    number_q <= address[7:3];
    data_q   <= register_i.data;
    strobe_q <= register_i.strobe;
  end

  logic        enabled_here, refused;
  logic [15:0] config_here, pointers_here, flags_here, enable;
  logic [15:0] disable_asked, resample_asked, resume, preempt_asked, restore_asked, rearm;
  assign config_here    = config_write_q   ? here_q & ~enabled_o : '0;
  assign pointers_here  = pointers_write_q ? here_q & ~enabled_o : '0;
  assign flags_here     = flags_write_q    ? here_q & ~enabled_o : '0;
  assign enable         = enable_q         ? here_q & ~enabled_o : '0;
  assign enabled_here   = (here_q & enabled_o) != '0;
  assign refused        = enabled_here && number_q == Config;
  always_comb begin
    restart_o.valid = enable_q && !enabled_here;
    restart_o.slot  = slot_q;
  end
  assign disable_asked  = disable_asked_q  ? here_q : '0;
  assign resample_asked = resample_asked_q ? here_q : '0;
  assign resume         = resume_asked_q   ? here_q : '0;
  assign preempt_asked  = preempt_asked_q  ? here_q : '0;
  assign restore_asked  = restore_asked_q  ? here_q : '0;
  assign rearm          = rearm_asked_q    ? here_q : '0;

  // --- events as slot masks ------------------------------------------------------------
  logic [15:0] node0, node1, buffer_begin, retired, wait_begin, wait_done, stop;
  logic [15:0] fence_begin, fence_end, spent, served;
  logic        fence_fails;
  rf_bus_pkg::failure_t fence_failure;
  assign node0        = place0_i.here;
  assign node1        = place1_i.here;
  assign buffer_begin = ({16{node_begins[0]}} & node0) | ({16{node_begins[1]}} & node1);
  assign fence_begin  = ({16{node_fence[0]}} & node0) | ({16{node_fence[1]}} & node1);
  assign fence_end    = fence_done_i.valid ? 16'd1 << fence_done_i.slot : '0;
  assign fence_failure = fence_done_i.failure;
  assign fence_fails  = fence_done_i.valid && fence_failure.error != rf_pkg::QueueErrorNone;
  assign wait_begin   = ({16{node_wait[0]}} & node0) | ({16{node_wait[1]}} & node1);
  assign wait_done    = ({16{node_wait_done[0]}} & node0) | ({16{node_wait_done[1]}} & node1);
  assign stop         = ({16{node_stops[0]}} & node0) | ({16{node_stops[1]}} & node1);
  assign spent        = ({16{node_spent[0]}} & node0) | ({16{node_spent[1]}} & node1);
  assign served       = ({16{node_served[0]}} & node0) | ({16{node_served[1]}} & node1);

  logic       release_failed;
  logic [15:0] released;
  assign release_failed = release_i.failure.error != rf_pkg::QueueErrorNone;
  assign released = (release_i.valid && !release_failed) ? 16'd1 << release_i.slot : '0;

  // One node retires a cycle: of a slot that it chose long before.
  logic       retire_valid, retire_ready;
  logic [3:0] retire_slot;
  logic [7:0] node_slot_q;
  always_ff @(posedge clk_i) node_slot_q <= node_slot;
  rf_merge #(.Width(4)) u_retire_merge (
    .clk_i, .rst_ni, .valid_i(node_retire_valid_i), .ready_o(node_retire_ready_o),
    .data_i(node_slot_q), .valid_o(retire_valid), .ready_i(retire_ready), .data_o(retire_slot)
  );
  assign retired = (retire_valid && retire_ready) ? 16'd1 << retire_slot : '0;

  // --- state ---------------------------------------------------------------------------
  logic [15:0] serves0, serves1;
  logic [15:0] disable_q, disable_d, enabled_d, disabled;
  logic [15:0] waiting_q, waiting_d, wait_over_q, stalled_q, stopped_q, stopped_d;
  logic [15:0] in_buffer_q, in_buffer_d, wait_over_d, stalled_d, waited_d;
  logic [15:0] work, error, wait_failed;
  logic [15:0] fences_q;                 // a fence operation is in flight: one at a time
  logic [15:0] fences_failed;    // its failure has not stopped the slot yet
  logic [3:0]  scan, scan_q, cancel_slot_q;
  logic        cancel_q;
  logic [15:0] scan_mask, scan_here, looked_q, cancelled, quiet, resample_q, ready;
  logic        scan_rests, quiet_q;
  logic [15:0] ready0_q, ready1_q, runnable0, runnable1;
  logic [15:0] postponed;  // retires, and a write of POINTERS is in the way
  logic        ring_moved, ring_repeated, ring_range;
  logic [15:0] preempt_q, parked, parked_q, saved, waited_q, restore_q, context_mask;

  assign scan_mask = scan_rests ? '0 : scan_here;
  assign cancelled = looked_q & waiting_q & (disable_q | error);
  // What the scan looks at is done a cycle later; of what is quiet then, nothing but a
  // RESAMPLE ends that.
  assign quiet     = quiet_q ? looked_q & disable_q & ~resample_q : '0;
  assign parked    = quiet & preempt_q;
  assign context_mask = 16'd1 << context_slot_i;
  assign saved     = context_progress_i.saved ? context_mask : '0;
  assign disabled  = (quiet & ~preempt_q) | saved;

  assign enabled_d   = (enabled_o | enable) & ~disabled;
  assign disable_d   = (disable_q & ~disabled) |
                       ((disable_asked | preempt_asked) & (enabled_o | enable) & ~disabled);
  assign waiting_d   = (waiting_q & ~released & ~wait_failed & ~cancelled) | wait_begin;

  // POINTERS forgets what is under way, FLAGS tells it: nothing else happens to a disabled
  // slot.
  logic [15:0] told, in_buffer_told, wait_over_told, stalled_told, waited_told, stopped_told;
  assign told           = pointers_here | flags_here;
  assign in_buffer_told = {16{flags_write_q && data_q[rf_pkg::SlotFlagsInBufferLsb]}};
  assign wait_over_told = {16{flags_write_q && data_q[rf_pkg::SlotFlagsWaitOverLsb]}};
  assign stalled_told   = {16{flags_write_q && data_q[rf_pkg::SlotFlagsStalledLsb]}};
  assign waited_told    = {16{flags_write_q && data_q[rf_pkg::SlotFlagsWaitedLsb]}};
  assign stopped_told   = {16{flags_write_q && data_q[rf_pkg::SlotFlagsStoppedLsb]}};

  assign stopped_d   = (((stopped_q & ~resume) | stop) & ~told) | (told & stopped_told);
  assign in_buffer_d = (((in_buffer_q | buffer_begin) & ~retired) & ~told) |
                       (told & in_buffer_told);
  assign wait_over_d = (((wait_over_q | (released & waiting_q)) & ~wait_done) & ~told) |
                       (told & wait_over_told);
  assign stalled_d   = (((stalled_q & ~released) |
                         (released & ({16{release_i.stalled}} | waited_q))) & ~told) |
                       (told & stalled_told);
  assign waited_d    = (((waited_q | cancelled) & ~released) & ~told) | (told & waited_told);

  // RESAMPLE written behind that: it is done once more.
  logic        again, again_q;
  logic [15:0] resampled;
  assign again     = resample_asked_q && slot_q == context_slot_i;
  assign resampled = context_progress_i.resample_done && !again_q ? context_mask : '0;

  // A node needs two cycles from the packet that ends its turn to its next choice; a slot
  // whose retirement takes longer waits for it.
  assign ready     = enabled_o & ~disable_q & ~waiting_q & ~stopped_q & ~error;
  assign runnable0 = ready0_q & work;
  assign runnable1 = ready1_q & work;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enabled_o   <= '0;
      disable_q   <= '0;
      waiting_q   <= '0;
      wait_over_q <= '0;
      stalled_q   <= '0;
      stopped_q   <= '0;
      in_buffer_q <= '0;
      resample_q  <= '0;
      again_q     <= 1'b0;
      fences_q    <= '0;
      young_q     <= '0;
      quiet_q     <= 1'b0;
      looked_q    <= '0;
      ready0_q    <= '0;
      ready1_q    <= '0;
      preempt_q   <= '0;
      parked_q    <= '0;
      restore_q   <= '0;
      waited_q    <= '0;
      cancel_q    <= 1'b0;
    end else begin
      enabled_o   <= enabled_d;
      disable_q   <= disable_d;
      waiting_q   <= waiting_d;
      wait_over_q <= wait_over_d;
      stalled_q   <= stalled_d;
      waited_q    <= waited_d;
      preempt_q   <= (preempt_q | (preempt_asked & (enabled_o | enable))) & ~disabled;
      parked_q    <= (parked_q | parked) & ~saved;
      restore_q   <= (restore_q | (restore_asked & ~enabled_o)) &
                     ~(context_progress_i.restoring ? context_mask : 16'd0);
      stopped_q   <= stopped_d;
      in_buffer_q <= in_buffer_d;
      resample_q  <= (resample_q & ~resampled) |
                     (resample_asked & ~(parked_q | parked)); // a restore does that
      again_q     <= (again_q && !context_progress_i.resample_taken) || again;
      fences_q    <= (fences_q & ~fence_end) | fence_begin;
      looked_q     <= scan_mask;
      young_q      <= {young_q[0], disable_asked_q || preempt_asked_q};
      quiet_q      <= (scan_here & disable_q & ~waiting_q & ~fences_q) != '0 &&
                      young_q == '0 && !scan_served && !scan_stored && !scan_postponed &&
                      !scan_comparing_i;
      ready0_q     <= ready & serves0 & ~postponed;
      ready1_q     <= ready & serves1 & ~postponed;
      cancel_q     <= cancelled != '0;
    end
  end

  logic [31:0] eligible, turn;
  rf_slot_bands u_bands (
    .clk_i, .rst_ni, .config_i(config_here), .config_slot_i(slot_q),
    .config_node_i(data_q[rf_pkg::SlotConfigNodeLsb +: 4]),
    .config_priority_i(data_q[rf_pkg::SlotConfigPriorityLsb +: 4]),
    .serves0_o(serves0), .serves1_o(serves1),
    .runnable_i({runnable1, runnable0}), .ready_i(ready), .served_i(served),
    .eligible_o(eligible), .turn_o(turn)
  );

  // From the third cycle of a DISABLE or PREEMPT on no node takes its slot any more, nor
  // fetches for it. (The host cannot write one in every third cycle.)
  logic [1:0] young_q;  // there was one two cycles ago, one cycle ago
  logic       scan_served, scan_stored, scan_postponed;
  assign scan_served    = (node_busy[0] && node_slot[3:0] == scan) ||
                          (node_busy[1] && node_slot[7:4] == scan);
  assign scan_stored    = (node_store[0] && node_memory_slot[3:0] == scan) ||
                          (node_store[1] && node_memory_slot[7:4] == scan);
  assign scan_postponed = (postponed & scan_here) != '0;

  always_ff @(posedge clk_i) begin
    scan_q        <= scan;
    cancel_slot_q <= scan_q;
  end

  always_comb begin
    cancel_o.valid = cancel_q;
    cancel_o.slot  = cancel_slot_q;
  end

  logic ring_early;
  assign ring_early = ring_i.valid && !ring_i.by_token;
  always_comb begin
    choice0_o.coming      = ring_early && ready0_q[ring_i.slot];
    choice0_o.coming_slot = ring_i.slot;
    choice0_o.runnable    = runnable0;
    choice0_o.eligible    = eligible[15:0];
    choice0_o.turn        = turn[15:0];
  end
  always_comb begin
    choice1_o.coming      = ring_early && ready1_q[ring_i.slot];
    choice1_o.coming_slot = ring_i.slot;
    choice1_o.runnable    = runnable1;
    choice1_o.eligible    = eligible[31:16];
    choice1_o.turn        = turn[31:16];
  end
  always_comb begin
    context_request_o.resample = resample_q;
    context_request_o.parked   = parked_q;
    context_request_o.restore  = restore_q;
  end
  assign scan_slot_o = scan;

  // What a node sees of its slot. Mostly one cycle late, which is before the node can
  // run a slot that it has just chosen.
  logic [1:0]  node_work, node_in_buffer, node_stalled, node_error_q, node_halt_q;
  logic [1:0]  node_wait_over_q, node_waited_q, node_fences_none_q;
  logic [25:0] node_read_pointer, node_write_pointer;
  always_comb begin
    view0_o.read_pointer  = node_read_pointer[12:0];
    view0_o.write_pointer = node_write_pointer[12:0];
    view0_o.work          = node_work[0];
    view0_o.in_buffer     = node_in_buffer[0];
    view0_o.halt          = node_halt_q[0];
    view0_o.error         = node_error_q[0];
    view0_o.wait_over     = node_wait_over_q[0];
    view0_o.stalled       = node_stalled[0];
    view0_o.waited        = node_waited_q[0];
    view0_o.fences_none   = node_fences_none_q[0];
  end
  always_comb begin
    view1_o.read_pointer  = node_read_pointer[25:13];
    view1_o.write_pointer = node_write_pointer[25:13];
    view1_o.work          = node_work[1];
    view1_o.in_buffer     = node_in_buffer[1];
    view1_o.halt          = node_halt_q[1];
    view1_o.error         = node_error_q[1];
    view1_o.wait_over     = node_wait_over_q[1];
    view1_o.stalled       = node_stalled[1];
    view1_o.waited        = node_waited_q[1];
    view1_o.fences_none   = node_fences_none_q[1];
  end
  for (genvar n = 0; n < 2; n++) begin : gen_node
    logic [3:0]  l;
    logic [15:0] s;
    assign s = n == 0 ? node0 : node1;
    assign l    = node_load_slot[n*4 +: 4];
    assign node_work[n]      = work[l] || (ring_moved && ring_i.slot == l);
    assign node_in_buffer[n] = in_buffer_q[l];
    assign node_stalled[n]   = (stalled_q & s) != '0;
    always_ff @(posedge clk_i) begin
      node_error_q[n]       <= (error & s) != '0;
      node_halt_q[n]        <= ((error | disable_q) & s) != '0;
      node_wait_over_q[n]   <= (wait_over_q & s) != '0 && !node_wait_done[n];
      node_waited_q[n]      <= (waited_q & s) != '0;
      node_fences_none_q[n] <= ((fences_q | fences_failed) & s) == '0 && !node_fence[n];
    end
  end

  // --- parts -----------------------------------------------------------------------------
  logic [47:0] read_pointer, write_pointer;
  always_comb begin
    ring_result_o.moved    = ring_moved;
    ring_result_o.repeated = ring_repeated;
    ring_result_o.range    = ring_range;
  end
  rf_slot_pointers u_pointers (
    .clk_i, .rst_ni,
    .ring_valid_i(ring_i.valid), .ring_slot_i(ring_i.slot),
    .ring_write_pointer_i(ring_i.write_pointer),
    .ring_moved_o(ring_moved), .ring_repeated_o(ring_repeated), .ring_range_o(ring_range),
    .retire_valid_i(retire_valid), .retire_ready_o(retire_ready), .retire_slot_i(retire_slot),
    .postponed_o(postponed),
    .set_write_i(pointers_write_q), .set_here_i(pointers_here),
    .set_pointer_i({strobe_q[4] ? data_q[47:32] : write_pointer[47:32],
                    strobe_q[0] ? data_q[31:0] : write_pointer[31:0]}),
    .log2_write_i(config_write_q && !refused), .log2_i(data_q[rf_pkg::SlotConfigRingLog2Lsb +: 4]),
    .work_o(work),
    .node_slot_i(node_slot), .node_load_slot_i(node_load_slot),
    .node_read_pointer_o(node_read_pointer), .node_write_pointer_o(node_write_pointer),
    .register_slot_i(slot_q), .register_read_i(pointers_access_q),
    .register_read_pointer_o(read_pointer),
    .register_write_pointer_o(write_pointer)
  );

  logic        errors_idle, store_valid, config_read, config_ready, failure_store;
  logic [63:0] store_data, memory_data;
  logic [15:0] yielded;
  logic [7:0]  yield_reason;
  logic [7:0]  failure_error;
  logic [1:0]  failure_level;
  rf_slot_errors u_errors (
    .clk_i, .rst_ni, .scan_o(scan), .scan_here_o(scan_here), .scan_rests_o(scan_rests),
    .fence_valid_i(fence_fails), .fence_slot_i(fence_done_i.slot),
    .fence_failure_i(fence_failure),
    .fault_valid_i(fence_fault_i.valid), .fault_slot_i(fence_fault_i.slot),
    .fault_failure_i(fence_fault_i.failure),
    .release_valid_i(release_i.valid && release_failed), .release_slot_i(release_i.slot),
    .release_failure_i(release_i.failure),
    .fail_valid_i({context_progress_i.resample_fails && !resample_fail_ready_o, node_fails}),
    .fail_slot_i({context_slot_i, node_slot}), .fail_i({resample_fail_i, node_fail_i}),
    .waiting_i(waiting_q), .clear_i(enable), .error_o(error),
    .wait_failed_o(wait_failed), .fence_held_o(fences_failed),
    .yield_i(yield_due_q), .yield_reason_i(yield_reason), .yielded_o(yielded),
    .store_free_i(!slot_access_i.read && !slot_access_i.write), .store_valid_o(store_valid),
    .store_data_o(store_data),
    .config_read_o(config_read), .config_ready_i(config_ready), .config_i(memory_data),
    .read_slot_i(slot_q), .read_error_o(failure_error), .read_level_o(failure_level),
    .read_store_o(failure_store),
    .record_valid_o, .record_ready_i, .record_o, .idle_o(errors_idle)
  );
  assign resample_fail_ready_o = error[context_slot_i];

  // --- a queue that could be swapped ---------------------------------------------------
  // Known a cycle ahead of the scan, and only if that goes on: behind a record the slot has
  // been told, or is looked at the next time.
  logic        oversubscribed_q, yield_due_q, idling_q, blocked_q;
  logic [15:0] told_q, spent_q, next_here, may_yield;
  logic        next_waits, next_works, next_spent;
  assign next_here  = {scan_here[14:0], scan_here[15]};
  assign may_yield  = enabled_o & ~disable_q & ~told_q & ~error;
  assign next_waits = (next_here & waiting_q) != '0;
  assign next_works = (next_here & (work | resample_q)) != '0;
  assign next_spent = (next_here & spent_q) != '0;
  assign yield_reason = blocked_q ? rf_pkg::YieldReasonBlocked :
                        idling_q  ? rf_pkg::YieldReasonIdle : rf_pkg::YieldReasonQuantum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oversubscribed_q <= 1'b0;
      told_q           <= '0;
      spent_q          <= '0;
      yield_due_q      <= 1'b0;
    end else begin
      if (register_i.valid && register_i.write && register_i.strobe[0] &&
          address == Oversubscribed) begin
        oversubscribed_q <= register_i.data[rf_pkg::SlotOversubscribedOversubscribedLsb];
      end
      told_q      <= (told_q | yielded) & ~rearm & ~enable;
      spent_q     <= (spent_q | spent) & ~rearm & ~enable;
      yield_due_q <= oversubscribed_q && !scan_rests && !yield_due_q &&
                     (next_here & may_yield) != '0 &&
                     (next_waits || !next_works || next_spent);
    end
  end
  always_ff @(posedge clk_i) begin
    idling_q  <= !next_works;
    blocked_q <= next_waits;
  end

  // Nobody is due: once around without one, and without anything that could make one.
  logic       calm;
  logic [1:0] around_q;
  assign calm = !ring_i.valid && !write_q && errors_idle &&
                runnable0 == '0 && runnable1 == '0 &&
                (ready & (serves0 | serves1) & work) == '0 &&
                disable_q == '0 && (waiting_q & error) == '0 && !cancel_q &&
                resample_q == '0 && fences_q == '0 && restore_q == '0 && !yield_due_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) around_q <= '0;
    else if (!calm || !oversubscribed_q) around_q <= '0;
    else if (scan_here[0]) around_q <= {around_q[0], 1'b1};
  end
  assign idle_o = calm && (around_q[1] || !oversubscribed_q);

  // --- register reads: from memory, or as it stands --------------------------------------
  logic        kept_read_q, error_read_q, in_memory;
  logic        pointer_read, status_read_q, flags_read_q;
  logic [15:0] pointers_set_q;         // since reset; until then they read 0
  logic [63:0] status, flags, header_q;
  logic [47:0] pointer_q;

  // A read of STATUS looks for the position, a write of POINTERS clears QUANTUM_LEFT.
  logic [4:0] memory_number_q;
  always_ff @(posedge clk_i) begin
    memory_number_q <= address[7:3];
    if (address[7:3] == Status) memory_number_q <= BufferState;
    if (address[7:3] == Pointers) memory_number_q <= QuantumLeft;
  end

  rf_slot_memory u_memory (
    .clk_i,
    .register_valid_i(access_q), .register_read_i(read_q),
    .register_write_i(write_q && Kept[number_q] && !refused), .register_slot_i(slot_q),
    .register_number_i(memory_number_q), .register_clear_i(pointers_here != '0),
    .register_data_i(data_q), .register_strobe_i(strobe_q),
    .error_valid_i(store_valid),
    .config_valid_i(config_read), .config_ready_o(config_ready),
    .error_slot_i(scan), .error_data_i(store_data),
    .node_store_i(node_store), .node_load_i(node_load), .node_ready_o(node_memory_ready_o),
    .node_slot_i(node_memory_slot), .node_number_i({position1_i.number, position0_i.number}),
    .node_data_i({position1_i.data, position0_i.data}),
    .data_o(memory_data)
  );
  assign node_data_o = memory_data;

  always_comb begin
    descriptor_o.strobe = write_q && !refused ? {strobe_q[4], strobe_q[0]} : 2'b00;
    descriptor_o.slot   = slot_q;
    descriptor_o.word   = number_q;
    descriptor_o.data   = data_q;
  end

  // STATUS is put together from what was seen of the slot the cycle before.
  logic [3:0]  state;
  logic        seen_enabled_q, seen_error_q, seen_stopped_q, seen_waiting_q, seen_serving_q;
  logic        seen_work_q, seen_in_buffer_q, seen_resampling_q, seen_store_q;
  logic        seen_waited_q, seen_parked_q, seen_wait_over_q, seen_stalled_q;
  logic [7:0]  seen_cause_q;
  logic [1:0]  seen_level_q;
  logic [28:0] seen_words_q;
  logic [1:0]  seen_node;
  assign seen_node = {node_busy[1] && node_slot[7:4] == slot_q,
                      node_busy[0] && node_slot[3:0] == slot_q};
  always_ff @(posedge clk_i) begin
    seen_enabled_q    <= (enabled_o & here_q) != '0;
    seen_error_q      <= (error & here_q) != '0;
    seen_stopped_q    <= (stopped_q & here_q) != '0;
    seen_waiting_q    <= (waiting_q & here_q) != '0;
    seen_serving_q    <= seen_node != '0;
    seen_work_q       <= (work & here_q) != '0;
    seen_in_buffer_q  <= (in_buffer_q & here_q) != '0;
    seen_resampling_q <= (resample_q & here_q) != '0;
    seen_cause_q      <= failure_error;
    seen_level_q      <= failure_level;
    seen_store_q      <= failure_store;
    seen_waited_q     <= (waited_q & here_q) != '0;
    seen_parked_q     <= (parked_q & here_q) != '0;
    seen_wait_over_q  <= (wait_over_q & here_q) != '0;
    seen_stalled_q    <= (stalled_q & here_q) != '0;
    seen_words_q      <= seen_node[1] ? node_words[57:29] : node_words[28:0];
  end

  always_comb begin
    if (!seen_enabled_q) state = rf_pkg::SlotStateDisabled[3:0];
    else if (seen_error_q) state = rf_pkg::SlotStateError[3:0];
    else if (seen_stopped_q) state = rf_pkg::SlotStateStoppedHost[3:0];
    else if (seen_waiting_q || (seen_waited_q && seen_parked_q)) begin
      state = rf_pkg::SlotStateWaiting[3:0];
    end
    else if (seen_serving_q) state = rf_pkg::SlotStateRunning[3:0];
    else if (seen_work_q) state = rf_pkg::SlotStateRunnable[3:0];
    else state = rf_pkg::SlotStateIdle[3:0];
  end

  always_comb begin
    status = '0;
    status[rf_pkg::SlotStatusStateLsb +: 4] = state;
    if (seen_error_q) begin
      status[rf_pkg::SlotStatusErrorLsb +: 8] = seen_cause_q;
      status[rf_pkg::SlotStatusLevelLsb +: 2] = seen_level_q;
      status[rf_pkg::SlotStatusStoreLsb]      = seen_store_q;
    end
    status[rf_pkg::SlotStatusResamplingLsb] = seen_resampling_q;
    if (seen_in_buffer_q && seen_serving_q) begin
      status[rf_pkg::SlotStatusPacketWordsLsb +: 29] = seen_words_q;
    end

    flags = '0;
    flags[rf_pkg::SlotFlagsInBufferLsb] = seen_in_buffer_q;
    flags[rf_pkg::SlotFlagsWaitOverLsb] = seen_wait_over_q;
    flags[rf_pkg::SlotFlagsStalledLsb]  = seen_stalled_q;
    flags[rf_pkg::SlotFlagsWaitedLsb]   = seen_waited_q;
    flags[rf_pkg::SlotFlagsStoppedLsb]  = seen_stopped_q;
  end

  // The block header at the block's own offset.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kept_read_q    <= 1'b0;
      error_read_q   <= 1'b0;
      pointers_set_q <= '0;
      status_read_q  <= 1'b0;
      flags_read_q   <= 1'b0;
      header_q       <= '0;
    end else begin
      kept_read_q    <= read_q && Kept[number_q];
      error_read_q   <= read_q && number_q == ErrorAddress;
      pointers_set_q <= pointers_set_q | pointers_here;
      status_read_q  <= read_q && number_q == Status;
      flags_read_q   <= read_q && number_q == Flags;
      header_q       <= (header_read_q[0] ? rf_pkg::SlotBlockHeader0 : '0) |
                        (header_read_q[1] ? rf_pkg::SlotBlockHeader1 : '0) |
                        {63'd0, header_read_q[2] && oversubscribed_q};
    end
  end
  always_ff @(posedge clk_i) begin
    if (pointer_read) pointer_q <= (number_q == Pointers) ? read_pointer : write_pointer;
    else pointer_q <= '0;
  end
  assign pointer_read = read_q && (number_q == Pointers || number_q == WritePointer) &&
                        (pointers_set_q & here_q) != '0;
  assign in_memory = kept_read_q || (error_read_q && seen_error_q);

  // What lies in memory comes late. The position of a slot that no node has does.
  logic [63:0] in_registers, position;
  assign in_registers = {16'd0, pointer_q} | (status_read_q ? status : '0) |
                        (flags_read_q ? flags : '0) | header_q;
  always_comb begin
    position = '0;
    if (status_read_q && seen_in_buffer_q && !seen_serving_q) begin
      position[rf_pkg::SlotStatusPacketWordsLsb +: 29] = memory_data[60:32];
    end
  end
  assign register_data_o = in_registers | position | (in_memory ? memory_data : '0);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (node0 == 16'd1 << node_slot[3:0] && node1 == 16'd1 << node_slot[7:4]);
    end
  end
`endif

endmodule

`default_nettype wire
