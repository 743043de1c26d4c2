// SPDX-License-Identifier: Apache-2.0
//
// Who may have a node, for any slot and any other of its band or above. Stands inside
// rf_slot_bands.
//
// Free: who is runnable and ready, and every write of CONFIG. A quantum of a slot ends
// only if it was in turn since the one before (rf_node chooses of those in turn, or, when
// nobody is eligible, one that rings).

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  (* anyconst *) logic [3:0] one, other;
  logic [6:0] one_rank, other_rank;
  always_comb assume (one != other);
  assign one_rank   = ranks[one*7 +: 7];
  assign other_rank = ranks[other*7 +: 7];

  // Cycles since CONFIG of either was written: 18 of them, and the bands count.
  logic [4:0] calm_q = 5'd0;
  logic       counts, higher, band;
  assign counts = calm_q >= 5'd18;
  assign higher = counts && other_rank[6:5] == one_rank[6:5] && other_rank[4:0] > one_rank[4:0];
  assign band   = counts && other_rank == one_rank && one_rank[6:5] != 2'd0;
  always_ff @(posedge clk_i) if (running_q) begin
    if (config_i[one] || config_i[other]) calm_q <= 5'd0;
    else if (!counts) calm_q <= calm_q + 5'd1;
  end

  // --- the highest band goes first ----------------------------------------------------------
  logic higher_waits_q = 1'b0, one_waits_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) begin
    higher_waits_q <= higher && runnable_i[other];
    one_waits_q    <= runnable_i[one];
  end
  always_comb if (running_q) begin
    if (turn_o[one] || eligible_o[one]) runnable_in_turn: assert (one_waits_q);
    if (higher_waits_q) highest_band_first: assert (!turn_o[one] && !eligible_o[one]);
    of_one_node: assert (!(serves0_o[one] && serves1_o[one]));
  end

  // --- in a band, nobody starves -----------------------------------------------------------
  // One waits: eligible, ready, its quantum not over. Of any other in its band at most two
  // quanta end meanwhile.
  logic       waits, ends, ended_q = 1'b0, turned_q = 1'b0;
  logic [1:0] quanta_q = 2'd0;
  assign waits = band && eligible_o[one] && ready_i[one] && !served_i[one];
  assign ends  = served_i[other] && !ended_q;
  always_comb assume (!ends || turned_q);
  always_ff @(posedge clk_i) if (running_q) begin
    ended_q  <= served_i[other];
    turned_q <= !ends && (turned_q || turn_o[other] || !waits);
    quanta_q <= waits ? quanta_q + {1'b0, ends} : 2'd0;
  end

  // And somebody of its node is in turn within five cycles, else the round is over.
  logic [15:0] mine;
  logic [2:0]  nobody_q = 3'd0;
  assign mine = one_rank[6] ? serves0_o : serves1_o;
  always_ff @(posedge clk_i) if (running_q) begin
    nobody_q <= waits && (turn_o & mine) == '0 ? nobody_q + 3'd1 : 3'd0;
  end

  always_comb if (running_q && waits) begin
    two_quanta_at_most: assert (quanta_q + {1'b0, ends} <= 2'd2);
    somebody_in_turn: assert (nobody_q < 3'd5);
  end

  // --- how the inside hangs together ----------------------------------------------------------
  logic [3:0] behind;          // cycles since the scan came to the other
  assign behind = scan_q - other;
  always_comb if (running_q) begin
    if (scan_column_q != '0) column_follows: assert (scan_column_q == 16'd1 << (scan_q - 4'd1));
    if (behind == 4'd1 && calm_q >= 5'd1) scanned: assert (scan_rank_q == other_rank);
    if (calm_q >= ((behind >= 4'd2) ? {1'b0, behind} : {1'b1, behind})) begin
      compared: assert (above_q[one*16 + other] == (other_rank[6:5] == one_rank[6:5] &&
                                                   other_rank[4:0] > one_rank[4:0]));
    end
    calm: assert (calm_q <= 5'd18);
  end

  // A round that has begun with one in turn, or to be in turn in the next cycle, does not
  // end before its quantum does.
  logic [1:0] over;
  logic       last_round;
  assign over       = one_rank[6] ? over0_q : over1_q;
  assign last_round = !served_q[one] && over != 2'b01 && (may_q[one] || over == 2'b10);
  always_comb if (running_q && band) begin
    over_once: assert (over != 2'b11);
    if (nobody_q >= 3'd1 && over == 2'b10) new_round: assert (!served_q[one]);
    if (nobody_q >= 3'd2 && over == 2'b00) may_again: assert (may_q[one] && !served_q[one]);
    if (nobody_q >= 3'd3) over_soon: assert (over != 2'b01);
    if (nobody_q >= 3'd4) over_by_now: assert (over == 2'b00);
  end
  always_comb if (running_q && band && quanta_q != 2'd0) begin
    had_its_quantum: assert (served_q[other] || last_round);
    if (served_q[other] || ended_q) not_in_turn: assert (!turned_q && !may_q[other]);
    if (quanta_q >= 2'd2) had_both: assert (quanta_q == 2'd2 && served_q[other] && last_round);
  end

  // --- all this happens -------------------------------------------------------------------------
  always_comb if (running_q) begin
    higher_keeps_out: cover (higher_waits_q && one_waits_q);
    both_in_turn: cover (band && turn_o[one] && turn_o[other]);
    two_quanta: cover (waits && quanta_q == 2'd2);
    one_after_the_other: cover (waits && turn_o[one] && !turn_o[other] && eligible_o[other]);
  end
