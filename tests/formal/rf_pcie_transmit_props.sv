// SPDX-License-Identifier: Apache-2.0
//
// The two transmit streams keep the order that rf_pcie promises: an accepted pulse for
// a beat of a write comes when its bytes have been accepted in their TLP, in order,
// once, unless the write was dropped (posted_contract); writes, completions and
// messages leave in the order in which they were taken; a write on offer waits for one
// completion and one message; a read is taken when every write that was on offer before it has been
// accepted to its last beat, and no reset is coming, is on show from the next cycle until it
// leaves, and ready without an offer tells that it has.
//
// Any beat of any write, any message, completion and read; free: which requests come, and when
// the link accepts.

`default_nettype none

module rf_pcie_transmit_props (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [15:0]  function_id_i,
  input  wire logic         bus_master_i,
  input  wire logic         hold_i,
  input  wire logic         write_valid_i,
  input  wire        rf_bus_pkg::system_write_t write_i,
  input  wire logic         completion_valid_i,
  input  wire logic [127:0] completion_header_i,
  input  wire logic [63:0]  completion_data_i,
  input  wire logic [1:0]   completion_strb_i,
  input  wire logic         completion_last_i,
  input  wire logic         message_valid_i,
  input  wire logic         message_error_i,
  input  wire logic [1:0]   message_code_i,
  input  wire logic [63:2]  message_address_i,
  input  wire logic         message_four_dw_i,
  input  wire logic [31:0]  message_data_i,
  input  wire logic         read_valid_i,
  input  wire logic [127:0] read_header_i,
  input  wire logic         tx_tlp_ready_i,
  input  wire logic         tx_read_tlp_ready_i
);

  logic         write_ready, completion_ready, message_ready, read_ready;
  logic         accepted, accepted_last;   // told of in the next cycle
  logic         told, told_last;
  logic [2:0]   status, told_status;
  logic [63:0]  data;
  logic [1:0]   strb;
  logic [127:0] header, read_header;
  logic         valid, sop, eop, read_valid;

  rf_pcie_transmit u_transmit (
    .clk_i, .rst_ni, .function_id_i, .bus_master_i, .hold_i,
    .write_valid_i, .write_ready_o(write_ready), .write_i,
    .write_accepted_o(told), .write_accepted_last_o(told_last),
    .write_accepted_status_o(told_status),
    .completion_valid_i, .completion_ready_o(completion_ready), .completion_header_i,
    .completion_data_i, .completion_strb_i, .completion_last_i,
    .message_valid_i,
    .message_ready_o(message_ready), .message_error_i, .message_code_i, .message_address_i,
    .message_four_dw_i, .message_data_i,
    .read_valid_i, .read_ready_o(read_ready), .read_header_i,
    .tx_tlp_data_o(data), .tx_tlp_strb_o(strb), .tx_tlp_hdr_o(header),
    .tx_tlp_valid_o(valid), .tx_tlp_sop_o(sop), .tx_tlp_eop_o(eop), .tx_tlp_ready_i,
    .tx_read_tlp_hdr_o(read_header), .tx_read_tlp_valid_o(read_valid), .tx_read_tlp_ready_i,
    .events_o(),
    .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  (* hierconn *) wire       \u_transmit.write_accepted , \u_transmit.write_accepted_last ;
  (* hierconn *) wire [2:0] \u_transmit.write_status ;
  assign accepted      = \u_transmit.write_accepted ;
  assign accepted_last = \u_transmit.write_accepted_last ;
  assign status        = \u_transmit.write_status ;

  logic       accepted_q = 1'b0, accepted_last_q;
  logic [2:0] status_q;
  always_ff @(posedge clk_i) begin
    accepted_q      <= running_q && accepted;
    accepted_last_q <= accepted_last;
    status_q        <= status;
  end
  always_comb if (running_q) begin
    told_in_the_next_cycle: assert (told == accepted_q &&
                                    (!told || (told_last == accepted_last_q &&
                                               told_status == status_q)));
  end

  logic take, take_completion, take_message, take_read, sent, sent_read, bad;
  assign take            = write_valid_i && write_ready;
  assign take_completion = completion_valid_i && completion_ready;
  assign take_message    = message_valid_i && message_ready;
  assign take_read       = read_valid_i && read_ready;
  assign sent            = valid && tx_tlp_ready_i;
  assign sent_read       = read_valid && tx_read_tlp_ready_i;
  assign bad             = status != rf_pkg::AccessStatusOk;

  // --- the contracts ------------------------------------------------------------------
  logic [5:0]  index;
  logic [4:0]  count;
  logic [15:0] lasts;
  logic        middle, dropped;
  rf_bus_pkg::system_write_t current;

  beat_contract u_beats (
    .clk_i, .rst_ni, .valid_i(write_valid_i), .ready_i(write_ready), .ours_i(1'b1), .write_i,
    .index_o(index), .begun_o(current));

  posted_contract #(.Promised(1'b1)) u_posted (
    .clk_i, .rst_ni, .beat_i(take), .first_i(write_i.first), .last_i(write_i.last),
    .accepted_i(accepted), .accepted_last_i(accepted_last), .bad_i(bad),
    .count_o(count), .lasts_o(lasts), .middle_o(middle), .dropped_o(dropped));

  // --- one beat of one write, and where its DWs are seen --------------------------------
  (* anyseq *) logic mark;
  logic        marked_q = 1'b0, past_q = 1'b0, low_q = 1'b0, high_q = 1'b0;
  logic [4:0]  ahead_q, index_q;          // beats before it in flight, in its write
  rf_bus_pkg::system_write_t ours_q;
  logic        wants_low, wants_high, single, shifted, first_low, last_high;
  logic [5:0]  place_q = '0;               // beats of the TLP seen on the stream
  logic [7:0]  strobe;
  logic        sees_low, sees_high;
  logic [6:0]  dwords;
  logic [54:3] address;
  logic [9:0]  length;
  logic [3:0]  first_be, last_be, first_be_asked, last_be_asked;
  logic [7:0]  last_strobe;
  always_comb if (marked_q || !running_q) assume (!mark);
  always_ff @(posedge clk_i) if (running_q) begin
    if (sent) place_q <= eop ? 6'd0 : place_q + {5'd0, place_q != '1};
    if (take && mark) begin
      marked_q <= 1'b1;
      ours_q   <= write_i;
      index_q  <= index[4:0];
      ahead_q  <= count - {4'd0, accepted};
    end else if (accepted && marked_q && !past_q) begin
      ahead_q <= ahead_q - 5'd1;
      if (ahead_q == '0) past_q <= 1'b1;
    end
    if (sees_low) low_q <= 1'b1;
    if (sees_high) high_q <= 1'b1;
  end

  (* hierconn *) wire [2:0] \u_transmit.kind_q ;
  logic write_sent, is_write;
  assign is_write   = \u_transmit.kind_q [0];
  assign write_sent = sent && is_write;

  // The write under way, or the last one: that of the marked beat while it is in flight.
  assign address     = current.address;
  assign single      = current.words == 6'd1;
  assign first_low   = current.first_strobe[3:0] != '0;
  assign last_strobe = single ? current.first_strobe : current.last_strobe;
  assign last_high   = last_strobe[7:4] != '0;
  assign strobe      = ours_q.first ? current.first_strobe :
                       ours_q.last  ? current.last_strobe  : 8'hff;
  assign wants_low   = strobe[3:0] != '0;
  assign wants_high  = strobe[7:4] != '0;
  assign shifted     = !first_low && !single;
  assign dwords      = {current.words, 1'b0} - {6'd0, !first_low} - {6'd0, !last_high};
  assign length      = header[105:96];
  assign first_be    = header[67:64];
  assign last_be     = header[71:68];
  assign first_be_asked = first_low ? current.first_strobe[3:0] : current.first_strobe[7:4];
  assign last_be_asked  = dwords == 7'd1 ? 4'h0 : last_high ? last_strobe[7:4] : last_strobe[3:0];

  // The header that this write has to be sent with.
  logic headed, four_dw;
  assign four_dw = address[54:32] != '0;
  assign headed  = header[127:120] == {2'b01, four_dw, 5'd0} && length == {3'd0, dwords} &&
                   first_be == first_be_asked &&
                   last_be == last_be_asked &&
                   (four_dw ? header[63:0] == {9'd0, address, !first_low, 2'b00}
                            : header[63:32] == {address[31:3], !first_low, 2'b00});

  // Beat i of a write holds DWs 2i and 2i+1, less the first if the write starts in a high DW.
  logic here, before;
  assign here      = write_sent && marked_q && !past_q && ahead_q == '0 && headed &&
                     place_q == {1'b0, index_q};
  assign before    = write_sent && marked_q && !past_q && ahead_q == 5'd1 && headed &&
                     place_q + 6'd1 == {1'b0, index_q};
  assign sees_low  = shifted ? before && strb[1] && data[63:32] == ours_q.data[31:0]
                             : here && strb[0] && first_low && data[31:0] == ours_q.data[31:0];
  assign sees_high = shifted || !first_low
                     ? here && strb[0] && data[31:0] == ours_q.data[63:32]
                     : here && strb[1] && data[63:32] == ours_q.data[63:32];

  always_comb if (running_q && accepted && marked_q && !past_q && ahead_q == '0 && !bad) begin
    accepted_with_its_bytes: assert ((!wants_low || low_q || sees_low) &&
                                     (!wants_high || high_q || sees_high));
  end
  always_comb if (running_q && accepted && marked_q && !past_q && ahead_q == '0 && bad) begin
    dropped_is_not_sent: assert (!low_q && !high_q && !sent);
  end

  // --- nothing overtakes -------------------------------------------------------------------
  // Completions and messages behind writes, writes behind them.
  logic [4:0] others_q = '0, others_before_q;   // beats taken, not sent
  logic [4:0] writes_before_q;
  logic       other_marked_q = 1'b0, other_past_q = 1'b0, other_is_message_q;
  (* anyseq *) logic mark_other;
  logic       take_other, other_sent;
  assign take_other = take_completion || take_message;
  assign other_sent = sent && !is_write;
  always_comb if (other_marked_q || !running_q) assume (!mark_other);
  always_ff @(posedge clk_i) if (running_q) begin
    others_q <= others_q + {4'd0, take_other} - {4'd0, other_sent};
    if (take && mark) others_before_q <= others_q - {4'd0, other_sent};
    else if (other_sent && others_before_q != '0) others_before_q <= others_before_q - 5'd1;
    if (take_other && mark_other) begin
      other_marked_q     <= 1'b1;
      other_is_message_q <= take_message;
      writes_before_q    <= count - {4'd0, accepted};
    end else begin
      if (accepted && writes_before_q != '0) writes_before_q <= writes_before_q - 5'd1;
      if (other_sent) other_past_q <= other_marked_q;
    end
  end
  always_comb if (running_q) begin
    if (other_sent && other_marked_q && !other_past_q) begin
      writes_are_not_overtaken: assert (writes_before_q <= {4'd0, accepted});
      others_are_themselves: assert (\u_transmit.kind_q [2] == other_is_message_q);
    end
    if (accepted && marked_q && !past_q && ahead_q == '0) begin
      others_are_not_overtaken: assert (others_before_q == '0);
    end
    if (valid) framed: assert (sop == (place_q == '0));
  end

  // --- reads behind writes -----------------------------------------------------------------
  // Writes and messages begun, not accepted to the end; those of them, and the write that waited,
  // before the read on offer
  logic [4:0]   begun_q = '0, begun, read_behind, read_behind_q;
  logic         ends, waits, waited_q = 1'b0, offered_q = 1'b0, hold_q = 1'b0;
  logic [127:0] read_header_q;
  logic         read_out_q = 1'b0;
  assign ends  = (accepted && accepted_last) || (sent && \u_transmit.kind_q [2]);
  assign begun = begun_q - {4'd0, ends};
  assign waits = write_valid_i && write_i.first && !take;
  assign read_behind = offered_q ? read_behind_q : begun_q + {4'd0, waited_q};
  // A reset may end a write's offer, and ends a read's.
  always_comb if (running_q && waited_q) begin
    assume ((write_valid_i && write_i.first) || !read_valid_i);
  end
  always_ff @(posedge clk_i) if (running_q) begin
    begun_q <= begun + {4'd0, (take && write_i.first) || take_message};
    hold_q   <= hold_i;
    waited_q <= waits;
    offered_q     <= read_valid_i && !take_read;
    read_behind_q <= read_behind - {4'd0, ends && read_behind != '0};
    read_out_q    <= take_read || (read_out_q && !sent_read);
    if (take_read) read_header_q <= read_header_i;
  end
  always_comb if (running_q) begin
    on_show_until_it_leaves: assert (read_valid == read_out_q);
    if (read_out_q) read_is_itself: assert (read_header == read_header_q);
    if (take_read) begin
      reads_do_not_overtake: assert (read_behind == '0 || (read_behind == 5'd1 && ends));
      read_is_taken_once: assert (!read_out_q || sent_read);
      no_read_before_a_reset: assert (!hold_q);
    end
    if (!read_valid_i) begin
      departure_is_told: assert (read_ready == (!read_out_q || sent_read));
    end
  end

  // --- turns -------------------------------------------------------------------------------
  // A write on offer waits for one completion and one message, no more. (Of hold_i it waits longer.)
  logic after_completion_q = 1'b0, after_message_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) begin
    if (take || hold_q || !write_valid_i) begin
      {after_completion_q, after_message_q} <= '0;
    end else begin
      if (take_completion) after_completion_q <= 1'b1;
      if (take_message) after_message_q <= 1'b1;
    end
  end
  always_comb if (running_q && !hold_q && write_valid_i) begin
    if (after_completion_q) begin
      one_completion_before_a_write: assert (!take_completion || \u_transmit.busy_q );
      completions_give_way: assert (!\u_transmit.next_completion_q );
      if (\u_transmit.busy_q ) completion_ends: assert (\u_transmit.completion_q );
    end
    if (after_message_q) begin
      one_message_before_a_write: assert (!take_message);
      messages_give_way: assert (!\u_transmit.next_message_q && !\u_transmit.next_completion_q &&
                                 !\u_transmit.busy_q );
    end
  end

  // --- the inside ----------------------------------------------------------------------
  (* hierconn *) wire \u_transmit.stage_valid_q , \u_transmit.dropped_q , \u_transmit.two_q ,
      \u_transmit.last_q , \u_transmit.second_pulse_q , \u_transmit.busy_q , \u_transmit.drain_q ,
      \u_transmit.drain_beat_q , \u_transmit.start_q ;
  (* hierconn *) wire        \u_transmit.completion_q , \u_transmit.next_completion_q ,
      \u_transmit.next_message_q ;
  (* hierconn *) wire [1:0]  \u_transmit.outstanding_q , \u_transmit.before_q ;
  (* hierconn *) wire [31:0] \u_transmit.carry ;

  // The write under way, or the last one (current).
  logic       dropping_q, in_write, owns, current_low, shifting, carrying, stage_write;
  logic [7:0] current_strobe;
  logic [5:0] taken;
  always_ff @(posedge clk_i) if (take && write_i.first) dropping_q <= !bus_master_i;
  assign in_write    = index != '0;
  assign owns        = \u_transmit.busy_q && !\u_transmit.completion_q ;
  assign current_low = current.first_strobe[3:0] != '0;
  assign shifting    = !current_low && current.words != 6'd1 && !dropping_q;
  assign carrying    = (in_write && shifting) || (\u_transmit.drain_q && \u_transmit.drain_beat_q );
  assign stage_write = \u_transmit.stage_valid_q && is_write;
  assign taken       = in_write ? index : count == '0 ? '0 : current.words;

  always_comb if (running_q) begin
    if (\u_transmit.stage_valid_q ) begin
      stage_has_a_kind: assert (\u_transmit.kind_q == 3'd1 || \u_transmit.kind_q == 3'd2 ||
                                \u_transmit.kind_q == 3'd4);
      if (\u_transmit.dropped_q ) only_writes_are_dropped: assert (is_write);
      if (\u_transmit.busy_q ) begin
        stage_of_owner: assert (\u_transmit.kind_q == {1'b0, \u_transmit.completion_q ,
                                                       !\u_transmit.completion_q });
      end
    end
    one_has_the_turn: assert (!(\u_transmit.next_completion_q && \u_transmit.next_message_q ));
    owner_is_in_write: assert (owns == (in_write || \u_transmit.drain_q ));
    if (in_write) write_is_dropped_as_begun: assert (\u_transmit.dropped_q == dropping_q);
    if (stage_write && !in_write) stage_is_dropped: assert (\u_transmit.dropped_q == dropping_q);
    if (\u_transmit.drain_q ) begin
      drain_stands: assert (stage_write && !in_write && shifting && current.last &&
                            \u_transmit.two_q == !\u_transmit.drain_beat_q &&
                           \u_transmit.drain_beat_q == last_high &&
                            !\u_transmit.second_pulse_q );
    end
    if (\u_transmit.stage_valid_q && \u_transmit.two_q ) begin
      two_drain: assert (\u_transmit.drain_q && !\u_transmit.drain_beat_q &&
                         \u_transmit.last_q );
    end
    if (\u_transmit.second_pulse_q ) begin
      owed_stands: assert (!\u_transmit.stage_valid_q && !\u_transmit.drain_q && !in_write &&
                           !dropping_q);
    end
    if (in_write && !dropping_q && !shifting) begin
      unshifted_is_in_low: assert (current_low);
    end
    beats_in_flight: assert (count == (stage_write ? 5'd1 + {4'd0, \u_transmit.two_q } : 5'd0) +
                                      {4'd0, \u_transmit.second_pulse_q } + {4'd0, carrying});
    if (stage_write) begin
      stage_last: assert (\u_transmit.two_q ? lasts[1:0] == 2'b10
                                            : lasts[0] == \u_transmit.last_q );
      if (in_write) stage_goes_on: assert (!\u_transmit.last_q );
      else if (!carrying) stage_ends: assert (\u_transmit.last_q );
      if (carrying) carry_last: assert (lasts[1] == \u_transmit.drain_q && !\u_transmit.last_q );
    end else if (carrying) begin
      carry_goes_on: assert (!lasts[0]);
    end
    if (\u_transmit.second_pulse_q ) owed_last: assert (lasts[0]);
    if (in_write) no_more_than_taken: assert ({1'b0, count} <= index);
    if (place_q[5]) long_tlp: assert (!owns);
    middle_by_count: assert (middle == (taken > {1'b0, count}));
    if (middle) dropped_by_write: assert (dropped == dropping_q);
    if (taken != '0) begin
      current_stands: assert (current.words != '0 && current.words <= 6'd32 &&
                              (in_write ? taken < current.words : taken == current.words) &&
                              current.last == !in_write &&
                              current.first == (taken == 6'd1));
    end
    others_in_flight: assert (others_q == {4'd0, \u_transmit.stage_valid_q && !is_write});

    // the TLP on the stream
    if (\u_transmit.stage_valid_q ) begin
      stage_eop: assert (\u_transmit.dropped_q ||
                         eop == (!\u_transmit.busy_q || (\u_transmit.drain_q &&
                                                         !\u_transmit.drain_beat_q )));
    end
    if (!\u_transmit.busy_q && !\u_transmit.stage_valid_q ) between: assert (place_q == '0);
    if (\u_transmit.busy_q && !(owns && dropping_q) && !\u_transmit.drain_q ) begin
      start_is_first: assert (\u_transmit.start_q ==
                              (!\u_transmit.stage_valid_q && place_q == '0));
    end
    if (\u_transmit.drain_q ) drain_starts_not: assert (!\u_transmit.start_q );
    if (\u_transmit.dropped_q && (stage_write || in_write)) dropped_place: assert (place_q == '0);
    if (in_write && !dropping_q) begin
      place_in_write: assert (place_q + {5'd0, stage_write} + {5'd0, shifting} ==
                              index);
      index_in_write: assert (index < current.words);
    end
    if (\u_transmit.drain_q ) begin
      place_in_drain: assert (place_q + 6'd2 == current.words);
    end
    if (stage_write && !\u_transmit.dropped_q && !owns) begin
      place_at_end: assert (place_q + 6'd1 == (shifting && !last_high ? current.words - 6'd1
                                                                        : current.words));
    end

    if ((in_write || stage_write) && !dropping_q) header_stands: assert (headed);

    // the marked beat
    if (marked_q && !past_q) begin
      marked_in_flight: assert (ahead_q < count);
      marked_is_current: assert (current.address == ours_q.address &&
                                 current.words == ours_q.words &&
                                 current.first_strobe == ours_q.first_strobe &&
                                 current.last_strobe == ours_q.last_strobe);
      marked_position: assert ({1'b0, index_q} + {1'b0, count} == taken + {1'b0, ahead_q});
      marked_shape: assert (ours_q.first == (index_q == '0) &&
                            ours_q.last == ({1'b0, index_q} + 6'd1 == ours_q.words));
      others_went: assert (others_before_q == '0);
      if (dropping_q) dropped_is_unseen: assert (!low_q && !high_q);
      else begin
        if (stage_write && !\u_transmit.two_q && !shifted && ahead_q == '0) begin
          stage_is_ours: assert (place_q == {1'b0, index_q} &&
                                 (first_low ? data[31:0] == ours_q.data[31:0] && strb[0] &&
                                              (!wants_high || (strb[1] &&
                                               data[63:32] == ours_q.data[63:32]))
                                            : data[31:0] == ours_q.data[63:32] && strb[0]));
        end
        if (shifted && stage_write && ahead_q == '0) begin
          stage_has_high: assert (place_q == {1'b0, index_q} && strb[0] &&
                                  data[31:0] == ours_q.data[63:32] && (!wants_low || low_q));
        end
        if (shifted && stage_write && ahead_q == 5'd1) begin
          stage_has_low: assert (place_q + 6'd1 == {1'b0, index_q} && strb[1] &&
                                 data[63:32] == ours_q.data[31:0]);
          if (carrying) carry_is_ours: assert (\u_transmit.carry == ours_q.data[63:32]);
          else nothing_to_carry: assert (!wants_high);
        end
        if (shifted && !stage_write && carrying) begin
          carry_has_high: assert (\u_transmit.carry == ours_q.data[63:32] &&
                                  place_q == {1'b0, index_q} && (!wants_low || low_q));
        end
        if (\u_transmit.second_pulse_q ) owed_was_seen: assert (shifted && low_q && !wants_high);
      end
    end
    if (!marked_q) nothing_marked: assert (!past_q && !low_q && !high_q);
    if (!other_marked_q) no_other_marked: assert (!other_past_q);
    if (other_marked_q && !other_past_q) begin
      other_in_stage: assert (\u_transmit.stage_valid_q && !is_write && writes_before_q == '0 &&
                              \u_transmit.kind_q [2] == other_is_message_q);
    end

    // reads
    begun_in_flight: assert (begun_q == {4'd0, in_write} + {4'd0, \u_transmit.second_pulse_q } +
                                        {4'd0, stage_write && \u_transmit.last_q } +
                                        {4'd0, \u_transmit.stage_valid_q &&
                                               \u_transmit.kind_q [2]} +
                                        {4'd0, \u_transmit.drain_q && \u_transmit.drain_beat_q });
    begun_counted: assert ({3'd0, \u_transmit.outstanding_q } == begun_q);
    before_counted: assert ({3'd0, \u_transmit.before_q } == read_behind);
    before_are_there: assert (!read_valid_i || read_behind <= begun_q + {4'd0, waited_q});
  end

  // --- all this happens ------------------------------------------------------------------
  always_comb if (running_q) begin
    shifted_write: cover (past_q && shifted && ours_q.words == 6'd3 && ours_q.last && low_q);
    high_word_alone: cover (past_q && single && !first_low && high_q);
    dropped_write: cover (past_q && accepted && bad && ours_q.words == 6'd2);
    message_behind_write: cover (other_sent && other_marked_q && other_is_message_q && past_q);
    read_waits_for_write: cover (offered_q && read_valid_i && read_behind_q == 5'd1 &&
                                 stage_write && !take_read);
    read_waits_for_offered_write: cover (offered_q && read_valid_i && read_behind_q == 5'd1 &&
                                         begun_q == '0 && waited_q && !take_read);
    read_waits_for_message: cover (offered_q && read_valid_i && read_behind_q == 5'd1 &&
                                   \u_transmit.kind_q [2] && !take_read);
    read_is_withdrawn: cover (offered_q && !read_valid_i && read_behind_q != '0);
    read_follows_at_once: cover (take_read && sent_read);
  end

endmodule

`default_nettype wire
