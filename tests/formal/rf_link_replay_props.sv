// SPDX-License-Identifier: Apache-2.0
//
// In which order TLPs of the ring are sent, whatever Acks, Naks, time-outs and trainings come: each
// one behind its predecessor, or the oldest that is not acknowledged. So a receiver that takes only
// the next number, and acknowledges what it took, gets all of them, once. What is acknowledged was
// sent; what is not stays in the ring. Stands inside rf_link_replay, and says nothing about words.
//
// Free: everything but the reset, also numbers of Acks and Naks that no receiver would send.

  logic alive_q = 1'b0;
  always_ff @(posedge clk_i) alive_q <= 1'b1;
  always_comb assume (rst_ni == alive_q);

  // Numbers as distances from the oldest one that is not acknowledged
  logic [11:0] oldest, next_from, send_from, limit_from, pending_from;
  assign oldest       = acked_q + 12'd1;
  assign next_from    = next_q - oldest;
  assign send_from    = send_q - oldest;
  assign limit_from   = limit_q - oldest;
  assign pending_from = pending_sequence_q - acked_q;

  logic [11:0] begun_q = '1, acked_before_q = '1, limit_before_q = '0;
  logic        active_before_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (begins) begun_q <= send_q;
    if (!active_i || !alive_q) begun_q <= '1;
    acked_before_q  <= acked_q;
    limit_before_q  <= limit_from;
    active_before_q <= active_i && alive_q;
  end

  always_comb if (alive_q) begin
    // The window
    at_most_32: assert (next_from <= 12'd32);
    sent_ones_are_there: assert (limit_from <= next_from);
    next_to_send: assert (busy_q ? send_from < limit_from : send_from <= limit_from);
    pending_was_sent: assert (!pending_q || pending_from <= limit_from);
    none_waits: assert (pending_q || pending_sequence_q == acked_q);
    sent_is_before: assert (sent_q == limit_q - 12'd1);
    settles_between: assert (!settle || !busy_q);
    known_of_what_waits: assert (!known_q || (pending_q && moves_on_q == (pending_from != '0)));
    // One that was sent to its end a cycle ago, and is acknowledged, is left out to no effect.
    left_out_of_the_rest: assert (!known_q ||
                                  left_out_q == (pending_sequence_q - send_q < 12'd2048) ||
                                  (left_out_q && send_q == pending_sequence_q + 12'd1));
    holds_what_waits: assert (!hold_q || pending_q);
    // What does not hold the next TLP up is an Ack of what went before it.
    passes: assert (!(pending_q && !hold_q) ||
                    (!pending_nak_q && pending_sequence_q - send_q >= 12'd2048));
    passed: assert (!(known_q && !hold_q) || !left_out_q);
    replays_of_some: assert (number_q == '0 || sent_q != acked_q);
    held_counts: assert (held == 6'(next_from) + 6'd1);

    // Words under way belong to the TLP that is sent, and its last one is the last.
    words_of_a_tlp: assert (busy_q || (!fetched_q && !send_valid_o));
    last_is_last: assert (!(send_valid_o && send_last_o) || (!fetched_q && read_q == end_q));
    last_comes: assert (!(fetched_q && fetched_last_q) || read_q == end_q);

    // The order
    begun: assert (!busy_q || send_q == begun_q);
    in_order: assert (!begins || send_q == begun_q + 12'd1 || send_q == oldest);
    sends_what_is_there: assert (!begins || send_from < next_from);
    // Acknowledged numbers go forward, and not beyond what was sent.
    acked_was_sent: assert (!active_before_q || acked_q - acked_before_q <= limit_before_q);
    follows: assert (busy_q || replay_q || send_q == begun_q + 12'd1 || send_q == oldest);
  end

  // A replay that begins at another TLP than the first, with new ones behind it
  logic replayed_q = 1'b0;
  always_ff @(posedge clk_i) if (alive_q) begin
    if (replay && !roll && send_q != oldest) replayed_q <= 1'b1;
  end
  always_comb if (alive_q) begin
    sent_again: cover (replayed_q && begins && acked_q != '1 && limit_from == 12'd2);
    acked_amid_a_replay: cover (replayed_q && skips);
  end
