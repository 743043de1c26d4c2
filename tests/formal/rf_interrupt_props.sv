// SPDX-License-Identifier: Apache-2.0
//
// The interrupt ring: any record of any source is written whole to the entry behind the
// last one and counted, or OVERFLOW is set; no entry that the host still owns is written;
// and while there is something for the host to do, the vector was requested since it armed
// the interrupt, or is requested now. So no re-arming loses a record.
//
// Free: when records come, everything memory and the transmit stream do, and every register
// write at any time but one: RING_BASE is written while the ring is disabled. Memory is
// done with a request after it has all its words; a source holds its record until that
// is taken.

`default_nettype none

module rf_interrupt_props (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,
  input  wire logic [4:0]                           record_valid_i,
  input  wire logic [5*rf_bus_pkg::RecordWidth-1:0] record_i,
  input  wire logic                                 write_ready_i,
  input  wire logic                                 write_data_ready_i,
  input  wire logic                                 write_done_i,
  input  wire logic [2:0]                           write_done_status_i,
  input  wire logic                                 msix_ready_i,
  input  wire        rf_bus_pkg::register_request_t register_i
);

  localparam int unsigned Width = rf_bus_pkg::RecordWidth;

  logic [4:0]  record_ready;
  logic [14:0] record_show;
  logic [5*64-1:0] record_words;
  logic        write_valid, write_data_valid, msix_valid, raised;
  logic [63:0] write_data;
  logic [3:0]  msix_vector;
  rf_bus_pkg::write_request_t write;

  rf_interrupt u_interrupt (
    .clk_i, .rst_ni, .record_valid_i,
    .record_ready_o(record_ready), .record_show_o(record_show), .record_i(record_words),
    .write_valid_o(write_valid), .write_ready_i, .write_o(write),
    .write_data_valid_o(write_data_valid), .write_data_ready_i, .write_data_o(write_data),
    .write_done_i, .write_done_status_i, .msix_valid_o(msix_valid), .msix_ready_i,
    .msix_vector_o(msix_vector), .register_i, .register_data_o(), .raised_o(raised), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // --- the registers, as the driver reads them --------------------------------------------
  (* hierconn *) wire [63:12] \u_interrupt.ring_base_q ;
  (* hierconn *) wire         \u_interrupt.enable_q , \u_interrupt.overflow_q ,
      \u_interrupt.failed_q , \u_interrupt.configuring_q , \u_interrupt.enabling ,
      \u_interrupt.consume_q ;
  (* hierconn *) wire [3:0]   \u_interrupt.entries_log2_q ;
  (* hierconn *) wire [31:0]  \u_interrupt.producer_q , \u_interrupt.consumer_q ;
  logic        enable, overflow, configuring;
  logic [31:0] producer, entries, used;
  assign enable      = \u_interrupt.enable_q ;
  assign overflow    = \u_interrupt.overflow_q ;
  assign configuring = \u_interrupt.configuring_q ;
  assign producer    = \u_interrupt.producer_q ;
  assign entries     = 32'd1 << \u_interrupt.entries_log2_q ;
  assign used        = producer - \u_interrupt.consumer_q ;

  logic base_written;
  assign base_written = register_i.valid && register_i.write &&
                        register_i.address == rf_pkg::RegInterruptRingBase[16:3];
  always_comb assume (!base_written || !enable);

  for (genvar i = 0; i < 5; i++) begin : gen_record
    rf_record_word u_record (
      .record_i(record_i[i*Width +: Width]), .show_i(record_show[i*3 +: 3]),
      .word_o(record_words[i*64 +: 64]));
  end

  // --- one source ----------------------------------------------------------------------------
  (* anyconst *) logic [2:0] source;
  (* hierconn *) wire [4:0] \u_interrupt.ends ;
  (* hierconn *) wire [4:2] \u_interrupt.ended_q , \u_interrupt.seen_q ;
  logic             valid, taken;
  logic [4:0]       left_q = '0;           // shown and not taken
  logic [Width-1:0] ours, ours_q;
  rf_bus_pkg::record_t record;
  assign ours   = record_i[source*Width +: Width];
  assign record = ours;
  assign valid  = record_valid_i[source];
  assign taken  = valid && \u_interrupt.ends [source];
  always_comb begin
    assume (source < 3'd5);
    assume ((left_q & ~record_valid_i) == '0);
    if (left_q[source]) assume (ours == ours_q);
  end
  always_ff @(posedge clk_i) if (running_q) begin
    left_q <= record_valid_i & ~record_ready;
    ours_q <= ours;
  end

  // --- the write under way ----------------------------------------------------------------
  logic        asks, gives, asked_q = 1'b0, old_q = 1'b0;
  logic [1:0]  words_q = 2'd0;
  logic [63:12] base;
  logic [63:3] va_q, entry;        // addresses count in bits 39:0
  logic [63:0] word0_q, word1_q, word2_q;
  assign asks  = write_valid && write_ready_i;
  assign gives = write_data_valid && write_data_ready_i;
  assign base  = \u_interrupt.ring_base_q ;
  assign entry = {base[63:40], {base[39:12], 9'd0} + {3'd0, producer & (entries - 32'd1), 2'd0}};
  always_comb assume (!write_done_i || (asked_q && words_q == 2'd3));

  always_ff @(posedge clk_i) if (running_q) begin
    asked_q <= (asked_q || asks) && !write_done_i;
    if (asks) va_q <= write.va;
    words_q <= write_done_i ? 2'd0 : words_q + {1'b0, gives};
    if (gives && words_q == 2'd0) word0_q <= write_data;
    if (gives && words_q == 2'd1) word1_q <= write_data;
    if (gives && words_q == 2'd2) word2_q <= write_data;
    // To a ring that the driver has set up anew since the request was on offer
    old_q   <= (old_q || (configuring && (write_valid || asked_q))) && !write_done_i;
  end

  logic [63:0] word0;
  assign word0 = {record.handle, record.detail, 4'd0, record.vmid, 4'd0, record.node, record.kind};

  // --- delivered or told -------------------------------------------------------------------
  logic        taken_q = 1'b0, performed_q = 1'b0, bad_q = 1'b0, enabling_q = 1'b0;
  logic [31:0] producer_last_q = '0;
  always_ff @(posedge clk_i) if (running_q) begin
    taken_q         <= taken;
    performed_q     <= write_done_i && !old_q && write_done_status_i == rf_pkg::AccessStatusOk;
    bad_q           <= write_done_i && !old_q && write_done_status_i != rf_pkg::AccessStatusOk;
    enabling_q      <= \u_interrupt.enabling ;
    producer_last_q <= producer;
  end

  always_comb if (running_q) begin
    if (taken && write_done_i) begin
      written_whole: assert (word0_q == word0 && word1_q == record.address &&
                             word2_q == record.value);
      written_behind_the_last: assert (va_q == entry && !old_q);
      only_one_taken: assert ((\u_interrupt.ends & ~(5'd1 << source)) == '0);
    end
    if (taken && !write_done_i) dropped_without_room: assert (source < 3'd2 || !enable);
    if (taken_q && !performed_q) not_written_is_told: assert (overflow);
    // The source is told at once, or a cycle later, and once.
    told: assert ((valid && record_ready[source]) == (source < 3'd2 ? taken : taken_q));
    if (taken_q && source >= 3'd2) over_once: assert (!taken);
    if (bad_q) failure_is_told: assert (overflow && \u_interrupt.failed_q );
    if (!enabling_q) counted_once: assert (producer == producer_last_q + {31'd0, performed_q});
    if (write_done_i && !old_q) end_takes_one: assert ((\u_interrupt.ends & record_valid_i) != '0);
    if (asks) asks_for_an_entry: assert (write.words == 6'd3 && write.first_strobe == 8'hff &&
                                         write.last_strobe == 8'hff && write.vmid == '0);
    if (gives) three_words: assert (words_q != 2'd3);
    // What the host owns is not touched; fences leave the reserve to the others.
    if (enable) never_overfull: assert (used <= entries);
    if ((asked_q || asks) && !old_q) entry_is_free: assert (used < entries && enable);
    if (taken && write_done_i && source < 3'd2) begin
      reserve_is_kept: assert (used + rf_pkg::InterruptReserved < entries);
    end
    // Word 0 of CONTROL reads 0 only then.
    if (!enable && !old_q) quiet_when_disabled: assert (!asked_q && !write_valid);
  end

  // --- interrupt ---------------------------------------------------------------------------
  logic interrupted_q = 1'b0, offered_q = 1'b0, fresh_q = 1'b0; // since the host armed
  logic [3:0] vector_q;
  logic to_do;
  assign to_do = used != '0 || overflow;
  always_ff @(posedge clk_i) if (running_q) begin
    interrupted_q <= (interrupted_q || msix_valid) && !\u_interrupt.consume_q &&
                     !\u_interrupt.enabling ;
    offered_q <= msix_valid && !msix_ready_i;
    fresh_q   <= msix_valid && !to_do && !offered_q && !configuring;
    if (!configuring) vector_q <= msix_vector;
  end

  // The request of a record stays until it is taken, whatever CONTROL says meanwhile.
  logic waits_q = 1'b0;
  rf_bus_pkg::write_request_t waiting_q;
  always_ff @(posedge clk_i) begin
    waits_q   <= running_q && write_valid && !write_ready_i;
    waiting_q <= write;
  end
  (* hierconn *) wire \u_interrupt.offered_q ;
  always_comb if (running_q) begin
    if (waits_q) begin
      request_stays: assert (write_valid && write == waiting_q);
      request_of_a_ring: assert (!asked_q && (old_q || (enable && used < entries)));
    end
    request_waits: assert (waits_q == \u_interrupt.offered_q );
  end

  always_comb if (running_q) begin
    if (enable && to_do) no_lost_interrupt: assert (interrupted_q || msix_valid);
    if (offered_q) offer_stays: assert (msix_valid);
    raised_when_sent: assert (raised == (msix_valid && msix_ready_i));
    if (fresh_q) no_interrupt_for_nothing: assert (to_do);
  end

  // --- the inside ----------------------------------------------------------------------------
  (* hierconn *) wire [2:0] \u_interrupt.state_q ;
  (* hierconn *) wire [4:0] \u_interrupt.select_q , \u_interrupt.begins_q , \u_interrupt.seen ;
  (* hierconn *) wire       \u_interrupt.sent_q , \u_interrupt.stale_q , \u_interrupt.flush_q ,
      \u_interrupt.room_q , \u_interrupt.fence_room_q , \u_interrupt.armed_q ,
      \u_interrupt.expected_q , \u_interrupt.pending_q , \u_interrupt.unread_q ,
      \u_interrupt.flush ;
  (* hierconn *) wire [63:5] \u_interrupt.next_va_q ;
  localparam logic [2:0] Idle = 3'd0, Word0 = 3'd1, Word1 = 3'd2, Word2 = 3'd3,
      Performing = 3'd4, Settle = 3'd5;
  logic [2:0] state;
  logic       selected, begun;
  assign state    = \u_interrupt.state_q ;
  assign begun    = state != Idle && state != Settle;
  assign selected = begun && !\u_interrupt.flush_q && \u_interrupt.select_q [source];
  always_comb if (running_q) begin
    state_is_legal: assert (state <= Settle && \u_interrupt.select_q != '0 &&
                            (\u_interrupt.select_q & (\u_interrupt.select_q - 5'd1)) == '0);
    request_is_out: assert (asked_q == \u_interrupt.sent_q && old_q == \u_interrupt.stale_q );
    words_match: assert (words_q == (state == Word1 ? 2'd1 : state == Word2 ? 2'd2 :
                                     state == Performing ? 2'd3 : 2'd0));
    if (state == Settle) settled: assert (!asked_q || old_q);
    if (begun && !\u_interrupt.flush_q ) begin
      source_waits: assert ((left_q & \u_interrupt.select_q ) != '0);
      not_over_yet: assert ((\u_interrupt.ended_q & \u_interrupt.select_q [4:2]) == '0);
    end
    seen_waits: assert ((\u_interrupt.seen_q & (~left_q[4:2] | \u_interrupt.ended_q )) == '0);
    if (state != Idle) opens_in_idle: assert (\u_interrupt.begins_q == '0);
    opens_what_is_selected: assert ((\u_interrupt.begins_q & ~\u_interrupt.select_q ) == '0);
    if (\u_interrupt.flush && write_data_valid) filled_with_zeros: assert (write_data == '0);
    if (write_data_valid && !\u_interrupt.flush && (begun ? \u_interrupt.select_q [source] :
        \u_interrupt.begins_q [source] && \u_interrupt.seen [source])) begin
      word_stands: assert (write_data == (words_q == 2'd0 ? word0 :
                                          words_q == 2'd1 ? record.address : record.value));
    end
    if (selected) begin
      if (words_q != 2'd0) first_word: assert (word0_q == word0);
      if (words_q >= 2'd2) second_word: assert (word1_q == record.address);
      if (words_q == 2'd3) third_word: assert (word2_q == record.value);
    end
    if (begun && !old_q) begin
      not_a_flush: assert (!\u_interrupt.flush_q && enable);
    end
    if (!old_q && state != Settle && (asked_q || begun || (enable && \u_interrupt.room_q ))) begin
      next_entry: assert (\u_interrupt.next_va_q == entry[63:5] && used < entries);
    end
    if (selected && source < 3'd2 && !old_q) begin
      fence_room: assert (used + rf_pkg::InterruptReserved < entries);
    end
    if ((begun || asked_q) && !old_q) begin
      entry_stays: assert (used < entries && (!asked_q || va_q == entry));
    end
    unread_kept: assert (\u_interrupt.unread_q == (used != 32'd0));
    armed_or_told: assert (!enable || \u_interrupt.armed_q || interrupted_q);
    if (\u_interrupt.pending_q ) pending_is_told: assert (offered_q);
  end

  // --- all this happens -------------------------------------------------------------------------
  always_comb if (running_q) begin
    record_delivered: cover (taken && write_done_i && performed_q == 1'b0);
    second_record: cover (taken && write_done_i && producer == 32'd1);
    record_dropped: cover (taken && !write_done_i && enable);
    write_fails: cover (bad_q);
    set_up_anew: cover (old_q && write_done_i);
    performed_under_rearm: cover (\u_interrupt.consume_q && write_done_i && !old_q &&
                                  producer != 0);
    raised_again: cover (raised && producer == 32'd2);
  end

endmodule

`default_nettype wire
