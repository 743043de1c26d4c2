// SPDX-License-Identifier: Apache-2.0
//
// Of TLPs with any sequence numbers, good or not: those taken have the numbers 0, 1, 2 and so on,
// modulo 4096, each once. What is acknowledged was taken. One Nak until the next one is taken, and
// none without a TLP that was refused. Stands inside rf_link_ack.
//
// Free: everything but the reset; a good TLP's number stands from the cycle before its end on.

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  logic        ran_q = 1'b0;
  logic [11:0] behind_before_q;
  always_ff @(posedge clk_i) begin
    ran_q           <= running_q;
    behind_before_q <= behind;
  end
  always_comb if (tlp_end_i && tlp_good_i) assume (ran_q && behind == behind_before_q);

  always_comb if (ran_q) begin
    compared_next: assert (is_expected_q == (behind_before_q == '0));
    compared_older: assert (is_older_q == (behind_before_q - 12'd1 < 12'd2048));
  end

  // The number of the last one taken, and whether there was one since the link is up
  logic        taken_any_q = 1'b0, refused_q = 1'b0, nak_given_q = 1'b0;
  logic [11:0] taken_last_q = '1;
  logic        whole;
  assign whole = tlp_end_i && tlp_good_i;

  always_ff @(posedge clk_i) begin
    if (tlp_take_o) begin
      taken_any_q  <= 1'b1;
      taken_last_q <= tlp_sequence_i;
      nak_given_q  <= 1'b0;
      refused_q    <= 1'b0;
    end
    if (valid_o && ready_i && nak_o && !tlp_take_o) nak_given_q <= 1'b1;
    // Neither taken nor a duplicate nor nullified; each but the first is of the same Nak.
    if (tlp_end_i && !tlp_take_o && !tlp_nullified_i &&
        !(tlp_good_i && taken_last_q - tlp_sequence_i < 12'd2048)) begin
      refused_q <= 1'b1;
      if (!refused_q) nak_given_q <= 1'b0;
    end
    if (!link_up_i || !running_q) begin
      taken_any_q  <= 1'b0;
      taken_last_q <= '1;
      refused_q    <= 1'b0;
      nak_given_q  <= 1'b0;
    end
  end

  always_comb if (running_q) begin
    next_is_known: assert (expected_q == taken_last_q + 12'd1);
    next_is_taken: assert (!tlp_take_o || tlp_sequence_i == taken_last_q + 12'd1);
    good_ones_alone: assert (!tlp_take_o || (whole && !refuse_i));
    no_good_one_lost: assert (!(whole && !refuse_i && tlp_sequence_i == expected_q) || tlp_take_o);
    says_what_was_taken: assert (sequence_o == taken_last_q);
    nak_has_a_cause: assert (!(valid_o && nak_o) || refused_q || !nak_scheduled_q);
    scheduled: assert (nak_scheduled_q == refused_q);
    one_nak: assert (!(valid_o && nak_o && nak_given_q && refused_q));
  end

  always_comb if (running_q) begin
    nak_behind_nak: cover (valid_o && nak_o && taken_last_q == 12'd2 && refused_q);
    acked: cover (valid_o && !nak_o && taken_any_q && ready_i);
  end
