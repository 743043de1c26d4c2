// SPDX-License-Identifier: Apache-2.0
//
// Words of the replay ring: each TLP is sent with the words that came, from its first to its last,
// each time. One TLP is marked when it comes, and one of its words, any. Stands inside
// rf_link_replay, behind rf_link_replay_props.sv, whose window it needs.
//
// That the ring's TLPs lie one behind the other is shown for two marked ones (ends_in_order) and
// assumed, a cycle later, of the one that an Ack names.

  (* hierconn *) wire [32*RingLog2-1:0] \u_ends.watched ;
  (* hierconn *) wire [RingLog2-1:0]    \u_ring.watch ;
  (* hierconn *) wire [15:0]            \u_ring.watched ;

  // --- marks --------------------------------------------------------------------------
  (* anyseq *) logic mark, mark_word, mark_earlier;
  logic                marked_q = 1'b0, whole_q, got_q, earlier_q = 1'b0;
  logic [11:0]         marked_number_q, earlier_number_q;
  logic [RingLog2-1:0] first_q, behind_q, word_place_q, earlier_end_q;
  logic [15:0]         word_q;
  logic                starts, marks, of_marked, over, earlier_over;

  assign starts       = write && !partial_q;
  assign marks        = starts && mark && !marked_q;
  assign of_marked    = marks || (marked_q && !whole_q);
  assign over         = progress && pending_sequence_q - marked_number_q < 12'd2048;
  assign earlier_over = progress && pending_sequence_q - earlier_number_q < 12'd2048;

  always_ff @(posedge clk_i) begin
    if (marks) begin
      marked_q <= 1'b1;
      whole_q  <= 1'b0;
      got_q    <= 1'b0;
      marked_number_q <= next_q;
      first_q  <= write_q;
    end
    if (write && of_marked && mark_word && !(got_q && !marks)) begin
      got_q        <= 1'b1;
      word_place_q <= write_q;
      word_q       <= tlp_data_i;
    end
    if (write && of_marked && tlp_last_i) begin
      whole_q  <= 1'b1;
      behind_q <= write_q + OneWord;
    end
    if (marked_q && whole_q && over) marked_q <= 1'b0;
    // Another one, which was there before
    if (write && tlp_last_i && mark_earlier && !earlier_q && !of_marked && !marked_q) begin
      earlier_q        <= 1'b1;
      earlier_number_q <= next_q;
      earlier_end_q    <= write_q + OneWord;
    end
    if (earlier_q && earlier_over) earlier_q <= 1'b0;
    if (!active_i || !alive_q) begin
      marked_q  <= 1'b0;
      earlier_q <= 1'b0;
    end
  end

  // A TLP has two words at least.
  always_comb assume (!starts || !tlp_last_i);

  // --- places, as distances from the oldest TLP's first word ---------------------------
  logic [11:0]         number_from, earlier_from, before_marked, before_next, before_send;
  logic [RingLog2-1:0] fill, first_from, behind_from, word_from, earlier_end_from, entry_from;
  logic [RingLog2-1:0] read_from, end_of_marked, end_before_marked, end_before_next;
  logic [RingLog2-1:0] end_of_send, end_before_send, end_of_earlier, end_of_pending;
  logic [RingLog2-1:0] shown_place, given_q;

  assign number_from       = marked_number_q - oldest;
  assign earlier_from      = earlier_number_q - oldest;
  assign before_marked     = marked_number_q - 12'd1;
  assign before_next       = next_q - 12'd1;
  assign before_send       = send_q - 12'd1;
  assign fill              = write_q - base_q;
  assign first_from        = first_q - base_q;
  assign behind_from       = behind_q - base_q;
  assign word_from         = word_place_q - base_q;
  assign earlier_end_from  = earlier_end_q - base_q;
  assign entry_from        = acked_end_q - base_q;
  assign read_from         = read_q - base_q;
  assign end_of_marked     = \u_ends.watched [marked_number_q[4:0]*RingLog2 +: RingLog2];
  assign end_before_marked = \u_ends.watched [before_marked[4:0]*RingLog2 +: RingLog2];
  assign end_before_next   = \u_ends.watched [before_next[4:0]*RingLog2 +: RingLog2];
  assign end_of_send       = \u_ends.watched [send_q[4:0]*RingLog2 +: RingLog2];
  assign end_before_send   = \u_ends.watched [before_send[4:0]*RingLog2 +: RingLog2];
  assign end_of_pending    = \u_ends.watched [pending_sequence_q[4:0]*RingLog2 +: RingLog2];
  assign end_of_earlier    = \u_ends.watched [earlier_number_q[4:0]*RingLog2 +: RingLog2];
  assign \u_ring.watch     = word_place_q;

  // The place of the word that is shown
  assign shown_place = read_q - OneWord - RingLog2'(fetched_q);

  // Words of the TLP under way that were handed over end here.
  always_ff @(posedge clk_i) begin
    if (begins) given_q <= read_q;
    else if (send_valid_o && send_ready_i) given_q <= given_q + OneWord;
  end

  logic disorder_q = 1'b0;
  always_ff @(posedge clk_i) begin
    disorder_q <= alive_q && active_i && progress &&
                  (fill < entry_from ||
                   (marked_q && !(whole_q && over) && first_from < entry_from) ||
                   (earlier_q && !earlier_over && earlier_end_from <= entry_from));
  end
  always_comb assume (!disorder_q);

  always_comb if (alive_q) begin
    written_to_the_end: assert (partial_q || write_q == (next_from == 12'd0 ? base_q
                                                                            : end_before_next));
    read_at_a_start: assert (busy_q || read_q == (send_from == 12'd0 ? base_q : end_before_send));
    end_is_known: assert (!busy_q || end_q == end_of_send);
    pending_end: assert (!(pending_q && (known_q || !hold_q) && pending_from != '0) ||
                         acked_end_q == end_of_pending);
    given: assert (!busy_q || given_q == read_q - RingLog2'(fetched_q) - RingLog2'(send_valid_o));

    if (marked_q) begin
      marked_is_there: assert (whole_q ? number_from < next_from
                                       : marked_number_q == next_q && partial_q);
      marked_end: assert (!whole_q || end_of_marked == behind_q);
      marked_start: assert (first_q == (number_from == 12'd0 ? base_q : end_before_marked));
      marked_place: assert (whole_q ? first_from < behind_from && behind_from <= fill &&
                                      behind_from - first_from >= (OneWord + OneWord)
                                    : first_from < fill);
      if (got_q) begin
        word_is_there: assert (first_from <= word_from &&
                               word_from < (whole_q ? behind_from : fill));
        word_stays: assert (\u_ring.watched == word_q);
      end
      if (busy_q && send_q == marked_number_q) begin
        reads_marked: assert (first_from < read_from && read_from <= behind_from);
        last_fetched: assert (!fetched_q || fetched_last_q == (read_q == end_q));
        last_shown: assert (!send_valid_o || send_last_o == (shown_place + OneWord == end_q));
        fetches: assert (!(got_q && fetched_q && read_q - OneWord == word_place_q) ||
                         ram_data == word_q);
        sends: assert (!(got_q && send_valid_o && shown_place == word_place_q) ||
                       send_data_o == word_q);
        ends_with_its_last: assert (!(send_valid_o && send_ready_i && send_last_o) ||
                                    shown_place + OneWord == behind_q);
      end
    end
    if (earlier_q) begin
      earlier_is_there: assert (earlier_from < next_from && end_of_earlier == earlier_end_q &&
                                earlier_end_from <= fill && earlier_end_from != '0);
      ends_in_order: assert (!marked_q || (earlier_end_from <= first_from &&
                                           earlier_from < number_from));
    end
  end

  // The marked word, sent twice, behind an earlier TLP
  logic sent_once_q = 1'b0;
  always_ff @(posedge clk_i) if (alive_q) begin
    if (marked_q && got_q && send_valid_o && send_ready_i && send_q == marked_number_q &&
        shown_place == word_place_q) sent_once_q <= 1'b1;
    if (!marked_q) sent_once_q <= 1'b0;
  end
  always_comb if (alive_q) begin
    word_sent_again: cover (sent_once_q && send_valid_o && send_q == marked_number_q && marked_number_q != '0 &&
                            shown_place == word_place_q && word_place_q != first_q && replayed_q);
  end
