// SPDX-License-Identifier: Apache-2.0
//
// Notifies other devices of the fences that this one has written. A performed word at the start of
// a page of the region puts the page's index into a queue. For each index its entry is looked up,
// and a word with index and generation is written to the page of each target, one after the other,
// by VMID 0. If the queue is full, all fences are gone through once instead. While nothing is
// left to do the entry is looked up in the cycle of the performed word, whatever it is.
//
// Promises: behind each performed write of a fence, every target of its entry is written to; one
// word may stand for several writes, all performed before it was offered: the posted stream keeps
// that order.
// Latency: from the performed word to the offer of the write 2 cycles, 4 behind others.

`default_nettype none

module rf_peer_send (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         enable_i,
  input  wire logic [54:18] region_i,
  input  wire logic [38:14] window_i,

  input  wire logic         snoop_valid_i,    // a full word of system memory
  input  wire logic [54:3]  snoop_address_i,

  // The table: what it has comes in the cycle after the look.
  output logic              look_valid_o,
  input  wire logic         look_ready_i,
  output logic [5:0]        index_o,
  input  wire logic [3:0]   targets_i,        // none if the entry is not valid
  input  wire logic [11:0]  generation_i,

  output      rf_bus_pkg::write_offer_t write_o,
  input  wire rf_bus_pkg::write_reply_t write_reply_i,

  output logic              sent_o,           // a word was performed, or
  output logic              failed_o,         // refused
  output logic              idle_o
);

  typedef enum logic [1:0] {
    Look,     // for the next fence
    Looked,   // its entry comes from the table
    Offer,    // the write to the next target is offered, or there is none
    Wait      // until that write is performed
  } state_e;
  state_e state_q, state_d;

  // --- is it a fence? --------------------------------------------------------------------------
  // A snoop comes late in its cycle: pairs of bits are compared in it, the rest in the next.
  localparam int unsigned Pairs = 19;
  logic [2*Pairs-1:0] seen, wanted;
  logic [Pairs-1:0]   same_q;
  logic               seen_q, fence;
  logic [5:0]         seen_index_q;
  assign seen   = {1'b0, snoop_address_i[54:18]};
  assign wanted = {1'b0, region_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q  <= 1'b0;
      early_q <= 1'b0;
    end else begin
      seen_q  <= snoop_valid_i && enable_i && snoop_address_i[11:3] == '0;
      early_q <= early && look_ready_i;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Pairs; i++) same_q[i] <= seen[2*i +: 2] == wanted[2*i +: 2];
    seen_index_q <= snoop_address_i[17:12];
  end
  assign fence = seen_q && same_q == '1;

  // The entry of a word that comes while nothing is left to do is looked up before it is known
  // whether it is a fence.
  logic early, early_q, at_once;
  assign early   = snoop_valid_i && state_q == Look && !queued && left_q == '0 && !seen_q;
  assign at_once = fence && early_q;

  // --- fences to be looked up ------------------------------------------------------------------
  // One that stands last in the queue need not stand there twice: no word is offered for it before
  // two cycles from now.
  logic       push, push_ready, queued, pop, repeated;
  logic [5:0] queued_index, last_q;
  logic [4:0] unused_count;
  assign repeated = queued && last_q == seen_index_q;
  assign push     = fence && !at_once && !repeated;

  rf_fifo #(.Width(6), .DepthLog2(4)) u_queue (
    .clk_i, .rst_ni,
    .valid_i(push), .ready_o(push_ready), .data_i(seen_index_q),
    .valid_o(queued), .ready_i(pop), .data_o(queued_index),
    .count_o(unused_count)
  );

  // Fences that are still to be gone through, and the next of them; each second turn is theirs.
  logic [6:0] left_q;
  logic [5:0] next_q;
  logic       turn_q, of_all;
  assign of_all = left_q != '0 && (turn_q || !queued);

  // --- one fence after the other ---------------------------------------------------------------
  logic        looks, found, renews, request_left_q, data_left_q, offered;
  logic        request_left_d, data_left_d, target_left_d, valid_q, data_valid_q;
  logic [3:0]  targets_q, targets_d, here;
  logic        target_left_q;         // targets_q != 0, known early
  logic [11:0] generation_q;
  logic [5:0]  index_q;
  logic [1:0]  target;
  assign look_valid_o = early || (state_q == Look && (queued || of_all));
  assign looks        = state_q == Look && (queued || of_all) && look_ready_i;
  assign found        = state_q == Looked || at_once;
  assign index_o      = of_all ? next_q : queued ? queued_index : snoop_address_i[17:12];
  assign pop          = looks && !of_all;
  assign offered      = (!request_left_q || write_reply_i.ready) &&
                        (!data_left_q || write_reply_i.data_ready);

  always_comb begin
    target = 2'd3;
    for (int unsigned i = 3; i > 0; i--) if (targets_q[i-1]) target = 2'(i - 1);
  end
  assign here      = 4'd1 << target;
  assign targets_d = found ? targets_i : targets_q & ~here;

  // Both offers are in registers: they go far.
  assign renews         = found || (state_q == Wait && write_reply_i.done);
  assign target_left_d  = renews ? targets_d != '0 : target_left_q;
  assign request_left_d = renews ||
                          (request_left_q && !(state_q == Offer && write_reply_i.ready));
  assign data_left_d    = renews ||
                          (data_left_q && !(state_q == Offer && write_reply_i.data_ready));

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Look:   if (at_once) state_d = Offer;
              else if (looks) state_d = Looked;
      Looked: state_d = Offer;
      Offer:  if (!target_left_q) state_d = Look;
              else if ((request_left_q || data_left_q) && offered) state_d = Wait;
      Wait:   if (write_reply_i.done) state_d = Offer;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= Look;
      request_left_q <= 1'b0;
      data_left_q    <= 1'b0;
      valid_q        <= 1'b0;
      data_valid_q   <= 1'b0;
      left_q         <= '0;
      next_q         <= '0;
      turn_q         <= 1'b0;
    end else begin
      state_q        <= state_d;
      request_left_q <= request_left_d;
      data_left_q    <= data_left_d;
      valid_q        <= state_d == Offer && target_left_d && request_left_d;
      data_valid_q   <= state_d == Offer && target_left_d && data_left_d;
      if (looks) turn_q <= !of_all;
      if (looks && of_all) next_q <= next_q + 6'd1;
      if (push && !push_ready) left_q <= 7'd64;
      else if (looks && of_all) left_q <= left_q - 7'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push && push_ready) last_q <= seen_index_q;
    if (at_once) index_q <= seen_index_q;
    else if (looks) index_q <= index_o;
    if (found) generation_q <= generation_i;
    if (renews) targets_q <= targets_d;
    target_left_q <= target_left_d;
  end

  always_comb begin
    write_o                      = '0;
    write_o.valid                = valid_q;
    write_o.data_valid           = data_valid_q;
    write_o.request.va           = {{25{window_i[38]}}, window_i, target, 9'd0};
    write_o.request.words        = 6'd1;
    write_o.request.first_strobe = 8'hff;
    write_o.request.last_strobe  = 8'hff;
    write_o.data[rf_pkg::PeerEntryIndexLsb +: 6]       = index_q;
    write_o.data[rf_pkg::PeerEntryValidLsb]            = 1'b1;
    write_o.data[rf_pkg::PeerEntryGenerationLsb +: 12] = generation_q;
  end

  assign sent_o   = state_q == Wait && write_reply_i.done &&
                    write_reply_i.status == rf_pkg::AccessStatusOk;
  assign failed_o = state_q == Wait && write_reply_i.done &&
                    write_reply_i.status != rf_pkg::AccessStatusOk;
  assign idle_o   = state_q == Look && !queued && left_q == '0 && !seen_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && (state_q == Offer || state_q == Wait)) begin
      left_is_known: assert (target_left_q == (targets_q != '0));
    end
    if (rst_ni) begin
      offers_of_the_state: assert (
          valid_q == (state_q == Offer && target_left_q && request_left_q) &&
          data_valid_q == (state_q == Offer && target_left_q && data_left_q));
    end
  end
`ifndef FORMAL
  // An early look is given up where it is refused: the fence goes into the queue.
  rf_offer_check look_stays (
    .clk_i, .rst_ni, .valid_i(look_valid_o && !early), .ready_i(look_ready_i), .data_i(1'b1)
  );
  rf_offer_check #(.Width(rf_bus_pkg::WriteRequestWidth)) write_stays (
    .clk_i, .rst_ni, .valid_i(write_o.valid), .ready_i(write_reply_i.ready),
    .data_i(write_o.request)
  );
  rf_offer_check #(.Width(64)) word_stays (
    .clk_i, .rst_ni, .valid_i(write_o.data_valid), .ready_i(write_reply_i.data_ready),
    .data_i(write_o.data)
  );
`endif
`endif

endmodule

`default_nettype wire
