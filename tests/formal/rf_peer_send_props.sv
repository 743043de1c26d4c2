// SPDX-License-Identifier: Apache-2.0
//
// No fence is forgotten: after each performed write of a fence its entry is looked up, and what the
// look finds is offered to each target. Seen from one fence and one target, any of them. Stands
// inside rf_peer_send. rf_peer_protocol.sv has what follows for two devices.
//
// Free: snoops, the table and when it may be read, memory. Assumed: memory takes a request and its
// word, and is done with both.

  (* anyconst *) logic [5:0]  fence_index;
  (* anyconst *) logic [1:0]  fence_target;
  (* anyconst *) logic [54:18] fence_region;
  (* anyconst *) logic [38:14] fence_window;

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  logic asked, gave, looked;       // looked: what the table has of this fence is taken
  assign asked = write_o.valid && write_reply_i.ready;
  assign gave  = write_o.data_valid && write_reply_i.data_ready;
  assign looked = found && (at_once ? seen_index_q : index_q) == fence_index;
  always_comb begin
    assume (region_i == fence_region && window_i == fence_window);
    assume (!write_reply_i.done || state_q == Wait);
    assume (!write_reply_i.ready || write_o.valid);
    assume (!write_reply_i.data_ready || write_o.data_valid);
  end

  // --- owed: written, and not looked up since; to tell: found, and no word offered since ----------
  logic written, offers, lookup_due_q = 1'b0, tell_q = 1'b0, offering_q = 1'b0;
  logic [11:0] tell_generation_q;
  assign written = snoop_valid_i && enable_i &&
                   snoop_address_i == {fence_region, fence_index, 9'd0};
  assign offers  = state_q == Offer && targets_q != '0 && index_q == fence_index &&
                   target == fence_target;
  always_ff @(posedge clk_i) if (running_q) begin
    lookup_due_q <= written || (lookup_due_q && !looked);
    tell_q <= looked ? targets_i[fence_target] : tell_q && !offers;
    offering_q <= offers;
    if (looked) tell_generation_q <= generation_i;
  end

  (* hierconn *) wire [16*6-1:0] \u_queue.watched ;
  (* hierconn *) wire [4:0]      \u_queue.read_q , \u_queue.write_q ;
  logic [15:0] holds, ours;       // places of the queue: taken, and by this fence
  logic [3:0]  last_place;
  assign last_place = \u_queue.write_q [3:0] - 4'd1;
  for (genvar i = 0; i < 16; i++) begin : gen_place
    logic [3:0] age;
    assign age      = 4'(i) - \u_queue.read_q [3:0];
    assign holds[i] = {1'b0, age} < unused_count;
    assign ours[i]  = holds[i] && \u_queue.watched [i*6 +: 6] == fence_index;
  end

  logic       comes, in_queue, in_round, telling;
  logic [5:0] ahead;              // of the round, before it is this fence's turn
  assign ahead    = fence_index - next_q;
  assign comes    = fence && seen_index_q == fence_index;
  assign in_queue = ours != '0;
  assign in_round = {1'b0, ahead} < left_q;
  assign telling  = (state_q == Offer || state_q == Wait) && index_q == fence_index &&
                    targets_q[fence_target] &&
                    !(state_q == Wait && target == fence_target); // that one is on its way
  always_comb if (running_q) begin
    if (lookup_due_q) begin
      no_fence_forgotten: assert (comes || in_queue || in_round || looked);
    end
    if (tell_q) begin
      told_what_was_found: assert (telling && generation_q == tell_generation_q);
    end
    if (offers) begin
      nothing_else_is_told: assert (tell_q || offering_q);
    end
    if (telling) assert (tell_q || offering_q);
    if (lookup_due_q || tell_q) begin
      busy: assert (!idle_o);
    end
  end

  // --- what is found is what the table was read for ---------------------------------------------
  logic       read_q = 1'b0;
  logic [5:0] read_index_q;
  always_ff @(posedge clk_i) begin
    read_q       <= running_q && look_valid_o && look_ready_i;
    read_index_q <= index_o;
  end
  always_comb if (running_q && found) begin
    of_this_fence: assert (read_q && read_index_q == (at_once ? seen_index_q : index_q));
  end

  // --- what is offered --------------------------------------------------------------------------
  always_comb if (running_q && write_o.valid && write_o.data[5:0] == fence_index) begin
    the_word: assert (write_o.data == {36'd0, generation_q, 9'd0, 1'b1, fence_index});
    by_vmid_0: assert (write_o.request.vmid == '0);
    in_the_window: assert (write_o.request.va == {{25{fence_window[38]}}, fence_window, target,
                                                  9'd0});
    one_whole_word: assert (write_o.request.words == 6'd1 &&
                            write_o.request.first_strobe == 8'hff);
    to_a_target: assert (targets_q[target]);
  end
  logic [63:0] offered_word_q;
  logic        offered_q = 1'b0;
  always_ff @(posedge clk_i) begin
    offered_q      <= running_q && write_o.valid && !write_reply_i.ready;
    offered_word_q <= write_o.data;
  end
  always_comb if (offered_q) begin
    offer_stays: assert (write_o.valid && write_o.data == offered_word_q);
  end

  // --- the inside -------------------------------------------------------------------------------
  always_comb if (running_q) begin
    assert (left_q <= 7'd64);
    assert (unused_count <= 5'd16 && unused_count == \u_queue.write_q - \u_queue.read_q );
    if (queued) assert (\u_queue.watched [last_place*6 +: 6] == last_q);
    if (state_q == Wait) assert (targets_q != '0);
    if (state_q == Offer && targets_q != '0) assert (request_left_q || data_left_q);
  end

  logic repeated_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) repeated_q <= repeated_q || (written && tell_q);
  always_comb if (running_q) begin
    told: cover (offers && write_o.valid);
    told_at_once: cover (at_once && looked && targets_i != '0);
    told_in_a_round: cover (looks && of_all && lookup_due_q && next_q == fence_index && !in_queue);
    told_again: cover (repeated_q && offers && !lookup_due_q);
    stands_there_already: cover (comes && repeated);
  end
