// SPDX-License-Identifier: Apache-2.0
//
// Interrupt ring: writes 24 bytes per record to the ring, advances PRODUCER when they are
// performed, and requests the MSI-X vector while it is armed and PRODUCER differs from CONSUMER or
// OVERFLOW is set. Firing disarms, a write of CONSUMER arms. The condition is a level, so a record
// performed in the cycle of that write fires too. A CONSUMER outside [CONSUMER, PRODUCER] is
// ignored, but arms.
//
// Fence records (sources 0 and 1) may not use the last InterruptReserved entries: they are dropped
// and OVERFLOW is set. Other records wait for room, which their reserve guarantees. A disabled ring
// drops every record. The next write request is issued before there is a record, for its
// translation; a write of CONTROL makes it stale, and zeros fill it in an entry the host does not
// own. Promises: no unconsumed record is overwritten, none is lost without OVERFLOW or FAILED;
// ready and MSI-X only when the record is performed. Cycles from a record to its first word:
// source 0 none, source 1 two, others three; from the last word performed to the request none.

`default_nettype none

module rf_interrupt (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  // 0 signal, 1 update, 2 node 0, 3 node 1, 4 doorbell.
  input  wire logic [4:0]                           record_valid_i,
  output logic [4:0]                                record_ready_o,
  output logic [14:0]                               record_show_o, // word of source n that it
                                                                   // shows, at [n*3], one-hot
  input  wire logic [5*64-1:0]                      record_i,      // that word; else 0

  output logic                                      write_valid_o,
  input  wire logic                                 write_ready_i,
  output             rf_bus_pkg::write_request_t    write_o,
  output logic                                      write_data_valid_o,
  input  wire logic                                 write_data_ready_i,
  output logic [63:0]                               write_data_o,
  input  wire logic                                 write_done_i,
  input  wire logic [2:0]                           write_done_status_i,

  output logic                                      msix_valid_o,
  input  wire logic                                 msix_ready_i,
  output logic [3:0]                                msix_vector_o,

  input  wire        rf_bus_pkg::register_request_t register_i,
  output logic [63:0]                               register_data_o,
  output logic                                      raised_o, // event: the vector was requested
  output logic                                      idle_o
);

  localparam int unsigned Sources = 5;

  // --- registers ------------------------------------------------------------------
  // CONTROL and CONSUMER act a cycle after they were written, by written_q.
  logic [16:0] address;
  logic        read, write_low, configuring_q, enabling, consume_q;
  logic [31:0] written_q;
  assign address   = {register_i.address, 3'b000};
  assign read      = register_i.valid && !register_i.write;
  assign write_low = register_i.valid && register_i.write && register_i.strobe[0];
  assign enabling  = configuring_q && written_q[rf_pkg::InterruptControlEnableLsb];

  logic [63:12] ring_base_q;
  logic         enable_q, overflow_q, failed_q, armed_q;
  logic [3:0]   entries_log2_q, vector_q;
  logic [31:0]  producer_q, consumer_q;

  // --- room, and the address of the next record -------------------------------------
  logic [15:0]  entries, used_q, used_d, room, index;
  logic [31:0]  untaken;           // were written_q taken as CONSUMER
  logic         consumes;          // ... it is
  logic         has_room, has_fence_room, room_q, fence_room_q;
  logic [63:5]  next_va_q;
  assign entries = 16'd1 << entries_log2_q;
  // used_q is counted, not subtracted: whether there is room decides what sources show.
  assign untaken  = producer_q - written_q;
  assign consumes = consume_q && untaken[31:16] == '0 && untaken[15:0] <= used_q;
  assign used_d   = (consumes ? untaken[15:0] : used_q) + {15'd0, produced};
  assign room     = entries - used_q;
  assign index   = producer_q[15:0] & (entries - 1'b1);
  assign has_room       = room != '0;
  assign has_fence_room = room > rf_pkg::InterruptReserved[15:0];

  // --- one record at a time -----------------------------------------------------------
  typedef enum logic [2:0] {
    Idle,         // no record
    Word0,        // the first word is offered
    Word1,        // the second
    Word2,        // the third
    Performing,   // until the write is performed
    Settle        // room and address follow PRODUCER one cycle late
  } state_e;
  state_e      state_q, state_d;
  logic [4:0]  select_q;           // one-hot
  logic        sent_q;             // the write request of the next record is out
  logic        offered_q;          // ... it was offered in the last cycle, and not taken
  logic        stale_q, stale_d;   // ... to a ring that was set up anew since
  logic        flush_q, flush;     // zeros are written, not a record
  logic        start, near_start, far_start_q, offers_q, produced, broken;
  logic [4:0]  admissible, grant, select_d;
  logic [2:0]  unused_index;
  logic        selecting;
  logic [4:2]  seen_q, seen_d;
  logic [4:0]  seen;             // records; of nodes and doorbells as they were a cycle ago
  logic [4:0]  begins_q, begins_d; // idle, and a record of this source may begin
  logic [4:0]  drop, ends;       // a record of this source is over
  logic [4:2]  ended_q;          // ... a cycle ago

  // The valid of nodes and doorbells comes late in its cycle.
  assign admissible = {{3{enable_q && room_q}}, {2{enable_q && fence_room_q}}};
  assign select_d   = !selecting ? select_q : grant != '0 ? grant : 5'd1;
  assign seen       = {seen_q, record_valid_i[1:0]};
  assign seen_d     = record_valid_i[4:2] & ~ends[4:2] & ~ended_q;
  assign begins_d   = state_d == Idle && enable_q // a write of CONTROL ends Idle
                    ? select_d & select_q & {{3{has_room}}, {2{has_fence_room}}} : '0;
  assign near_start = (record_valid_i[1:0] & begins_q[1:0]) != '0;
  assign start      = (state_q == Idle && stale_q) || far_start_q || near_start;
  assign flush      = state_q == Idle ? stale_q : flush_q;
  assign stale_d    = !write_done_i && (stale_q || (configuring_q && (write_valid_o || sent_q)));
  assign drop       = state_q == Idle ? seen & {{3{!enable_q}}, {2{!(enable_q && fence_room_q)}}}
                                      : '0;
  assign selecting  = state_q == Settle || (state_q == Idle && (seen & select_q) == '0);

  rf_round_robin #(.Ports(Sources)) u_choice (
    .clk_i, .rst_ni, .request_i(seen & admissible), .advance_i(selecting),
    .grant_o(grant), .index_o(unused_index));

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (start) state_d = write_data_ready_i ? Word1 : Word0;
               else if (configuring_q) state_d = Settle;
      Word0:   if (write_data_ready_i) state_d = Word1;
      Word1:   if (write_data_ready_i) state_d = Word2;
      Word2:   if (write_data_ready_i) state_d = Performing;
      Settle:  if (!configuring_q) state_d = Idle;
      default: state_d = state_q;
    endcase
    if (write_done_i) state_d = Settle;
  end

  // What was offered stays, with its address, also when CONTROL is written.
  assign write_valid_o        = offered_q || (state_q != Settle && !sent_q &&
                                              (state_q != Idle || stale_q ||
                                               (enable_q && room_q)));
  assign write_o.vmid         = '0;
  assign write_o.va           = {next_va_q, 2'b00};
  assign write_o.words        = 6'd3;
  assign write_o.first_strobe = 8'hff;
  assign write_o.last_strobe  = 8'hff;

  // In a register but for what begins with a record of a fence unit: it goes far.
  assign write_data_valid_o = offers_q || near_start;

  // Of the source that is selected: a fence unit shows the word of this state, the others, which
  // are far away, the word that comes next. A record of zeros takes no word.
  logic        far_start_d;          // a record of theirs begins in the next cycle
  logic        flush_d;              // flush in the next cycle
  logic [2:0]  show_d, show_next_d;
  logic [14:0] show_q;
  logic [63:0] near, far, far_q;
  logic        zeros_q;              // instead of far_q
  assign far_start_d = (seen_d & begins_d[4:2]) != '0;
  assign flush_d     = state_d == Idle ? stale_d : flush;
  assign show_d      = flush_d ? 3'b000 : {state_d == Word2, state_d == Word1,
                                           state_d == Idle || state_d == Word0};
  assign show_next_d = state_d == Word1 || state_d == Word2  ? 3'b100 :
                       state_d == Word0 || far_start_d       ? 3'b010 : 3'b001;
  always_comb begin
    near = '0;
    far  = '0;
    for (int unsigned i = 0; i < 2; i++) near = near | record_i[i*64 +: 64];
    for (int unsigned i = 2; i < Sources; i++) far = far | record_i[i*64 +: 64];
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) show_q[i*3 +: 3] <= select_d[i] ? show_d : '0;
    for (int unsigned i = 2; i < Sources; i++) show_q[i*3 +: 3] <= select_d[i] ? show_next_d : '0;
  end
  assign record_show_o = show_q;
  always_ff @(posedge clk_i) begin
    if (!write_data_valid_o || write_data_ready_i) begin
      far_q   <= far;
      zeros_q <= flush_d;
    end
  end
  assign write_data_o = near | ({64{!zeros_q}} & far_q);

  // Sources that are far away are told a cycle later.
  assign ends           = drop | (write_done_i && !stale_q ? select_q : '0);
  assign record_ready_o = {ended_q, ends[1:0]};

  assign produced = write_done_i && !stale_q && write_done_status_i == rf_pkg::AccessStatusOk;
  assign broken   = write_done_i && !stale_q && write_done_status_i != rf_pkg::AccessStatusOk;

  // --- interrupt ------------------------------------------------------------------------
  // The end of a record fires whether it was performed or failed, which is OVERFLOW. All
  // else about it is known a cycle before: its request goes straight to the transmit stream.
  // What comes too late for that fires with PRODUCER.
  logic fire, expected_q, pending_q, unread_q;   // unread: PRODUCER differs from CONSUMER
  assign fire          = (write_done_i && expected_q) ||
                         (armed_q && enable_q && (unread_q || overflow_q));
  assign msix_valid_o  = fire || pending_q;
  assign msix_vector_o = vector_q;
  assign raised_o      = msix_valid_o && msix_ready_i;
  assign idle_o        = state_q == Idle && !stale_q && record_valid_i == '0 &&
                         !msix_valid_o && !consume_q && !configuring_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= Idle;
      select_q       <= 5'd1;
      begins_q       <= '0;
      far_start_q    <= 1'b0;
      offers_q       <= 1'b0;
      sent_q         <= 1'b0;
      offered_q      <= 1'b0;
      stale_q        <= 1'b0;
      room_q         <= 1'b0;
      fence_room_q   <= 1'b0;
      enable_q       <= 1'b0;
      entries_log2_q <= '0;
      vector_q       <= '0;
      overflow_q     <= 1'b0;
      failed_q       <= 1'b0;
      armed_q        <= 1'b0;
      expected_q     <= 1'b0;
      pending_q      <= 1'b0;
      producer_q     <= '0;
      consumer_q     <= '0;
      used_q         <= '0;
      consume_q      <= 1'b0;
      configuring_q  <= 1'b0;
      seen_q         <= '0;
      ended_q        <= '0;
      unread_q       <= 1'b0;
    end else begin
      state_q        <= state_d;
      seen_q         <= seen_d;
      ended_q        <= ends[4:2];
      select_q       <= select_d;
      begins_q       <= begins_d;
      far_start_q    <= far_start_d;
      offers_q       <= state_d == Word0 || state_d == Word1 || state_d == Word2 ||
                        (state_d == Idle && stale_d) || far_start_d;
      sent_q         <= !write_done_i && (sent_q || (write_valid_o && write_ready_i));
      offered_q      <= write_valid_o && !write_ready_i;
      stale_q        <= stale_d;
      room_q         <= has_room;
      fence_room_q   <= has_fence_room;
      pending_q      <= msix_valid_o && !msix_ready_i;
      expected_q     <= armed_q && !fire && enable_q && !configuring_q && !stale_q;

      consume_q     <= write_low && address == rf_pkg::RegInterruptConsumer;
      configuring_q <= write_low && address == rf_pkg::RegInterruptControl;
      used_q <= enabling ? '0 : used_d;
      if (produced) producer_q <= producer_q + 1'b1;
      if (consumes) begin
        consumer_q <= written_q;
        unread_q   <= untaken != '0;
      end
      if (produced) unread_q <= 1'b1;
      if (fire) armed_q <= 1'b0;
      if (consume_q) armed_q <= 1'b1;

      if (write_low && address == rf_pkg::RegInterruptOverflow) begin
        if (register_i.data[rf_pkg::InterruptOverflowOverflowLsb]) overflow_q <= 1'b0;
        if (register_i.data[rf_pkg::InterruptOverflowFailedLsb]) failed_q <= 1'b0;
      end
      if (drop != '0 || broken) overflow_q <= 1'b1;
      if (broken) failed_q <= 1'b1;

      if (configuring_q) begin
        enable_q       <= written_q[rf_pkg::InterruptControlEnableLsb];
        entries_log2_q <= written_q[rf_pkg::InterruptControlEntriesLog2Lsb +: 4];
        vector_q       <= written_q[rf_pkg::InterruptControlVectorLsb +: 4];
      end
      if (enabling) begin
        producer_q <= '0;
        consumer_q <= '0;
        unread_q   <= 1'b0;
        armed_q    <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    flush_q <= flush;
    if (write_low) written_q <= register_i.data[31:0];
    if ((state_q == Settle && !offered_q) ||
        (state_q == Idle && !write_valid_o && !sent_q)) begin
      next_va_q <= {ring_base_q[63:40], {ring_base_q[39:12], 7'd0} + {19'd0, index}};
    end
    if (register_i.valid && register_i.write && address == rf_pkg::RegInterruptRingBase) begin
      if (register_i.strobe[0]) ring_base_q[31:12] <= register_i.data[31:12];
      if (register_i.strobe[4]) ring_base_q[63:32] <= register_i.data[63:32];
    end
    register_data_o <= '0;
    if (read) begin
      unique case (address)
        rf_pkg::RegInterruptRingBase - 17'h10: register_data_o <= rf_pkg::InterruptBlockHeader0;
        rf_pkg::RegInterruptRingBase - 17'h8:  register_data_o <= rf_pkg::InterruptBlockHeader1;
        rf_pkg::RegInterruptRingBase:          register_data_o <= {ring_base_q, 12'd0};
        rf_pkg::RegInterruptControl:           register_data_o <= {52'd0, vector_q, entries_log2_q,
                                                                   3'd0, enable_q || stale_q};
        rf_pkg::RegInterruptProducer:          register_data_o <= {32'd0, producer_q};
        rf_pkg::RegInterruptConsumer:          register_data_o <= {32'd0, consumer_q};
        rf_pkg::RegInterruptOverflow:          register_data_o <= {62'd0, failed_q, overflow_q};
        default:                               register_data_o <= '0;
      endcase
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      used_by_both: assert (used_q == producer_q[15:0] - consumer_q[15:0]);
      far_start_in_time: assert (far_start_q == ((seen_q & begins_q[4:2]) != '0));
      word_of_the_state: assert (write_data_valid_o == (start || state_q == Word0 ||
                                                        state_q == Word1 || state_q == Word2));
    end
  end
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::WriteRequestWidth)) write_offer_stays (
    .clk_i, .rst_ni, .valid_i(write_valid_o), .ready_i(write_ready_i), .data_i(write_o)
  );
  // The vector of a message is that of CONTROL, which may be written.
  rf_offer_check #(.Width(64)) word_offer_stays (
    .clk_i, .rst_ni, .valid_i(write_data_valid_o), .ready_i(write_data_ready_i),
    .data_i(write_data_o)
  );
  rf_offer_check message_offer_stays (
    .clk_i, .rst_ni, .valid_i(msix_valid_o), .ready_i(msix_ready_i), .data_i(1'b0)
  );
`endif
`endif

endmodule

`default_nettype wire
