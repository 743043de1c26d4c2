// SPDX-License-Identifier: Apache-2.0
//
// The slots that may have a node, for any slot and any other of its band or above. Stands inside
// rf_slot_bands.
//
// Free: which slots are ready and, for the node that serves it, runnable, and every write of CONFIG,
// which config_slot_i names too. A quantum of a slot ends
// only if it was in turn since the one before (rf_node chooses of those in turn, or, when
// none is eligible, one that rings).

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  (* anyconst *) logic [3:0] one, other;
  logic [6:0] one_rank = '0, other_rank = '0; // {nodes, paging, priority}
  always_ff @(posedge clk_i) if (running_q) begin
    if (config_i[one]) one_rank <= {config_serves0, config_rank};
    if (config_i[other]) other_rank <= {config_serves0, config_rank};
  end
  logic [15:0] may_run, turns; // for either node
  assign may_run = eligible_o[31:16] | eligible_o[15:0];
  assign turns   = turn_o[31:16] | turn_o[15:0];
  always_comb begin
    assume ((runnable_i & ~{serves1_o, serves0_o}) == '0);
    assume (config_i == '0 || config_i == 16'd1 << config_slot_i);
  end
  always_comb assume (one != other);

  // Cycles since CONFIG of either was written: 18 of them, and the bands count.
  logic [4:0] calm_q = 5'd0;
  logic       counts, higher, same_band;
  assign counts = calm_q >= 5'd18;
  assign higher = counts && other_rank[6:5] == one_rank[6:5] && other_rank[4:0] > one_rank[4:0];
  assign same_band   = counts && other_rank == one_rank && one_rank[6:5] != 2'd0;
  always_ff @(posedge clk_i) if (running_q) begin
    if (config_i[one] || config_i[other]) calm_q <= 5'd0;
    else if (!counts) calm_q <= calm_q + 5'd1;
  end

  // --- the highest band goes first ----------------------------------------------------------
  // Cycles in which one is eligible while another of a higher band is runnable.
  logic       one_waits_q = 1'b0, wrong;
  logic [4:0] wrong_q = 5'd0;
  assign wrong = higher && runnable[other] && may_run[one];
  always_ff @(posedge clk_i) if (running_q) begin
    wrong_q     <= wrong ? wrong_q + 5'd1 : 5'd0;
    one_waits_q <= runnable[one];
  end
  always_comb if (running_q) begin
    if (turns[one] || may_run[one]) runnable_in_turn: assert (one_waits_q);
    highest_band_first: assert (wrong_q <= 5'd17);
    of_one_node: assert (!(serves0_o[one] && serves1_o[one]));
  end

  // --- in a band, no slot starves -----------------------------------------------------------
  // One waits: eligible, ready, its quantum not over. Of any other in its band at most two
  // quanta end meanwhile.
  logic       waits, ends, ended_q = 1'b0, turned_q = 1'b0;
  logic [1:0] quanta_q = 2'd0;
  assign waits = same_band && may_run[one] && ready_i[one] && !served_i[one];
  assign ends  = served_i[other] && !ended_q;
  always_comb assume (!ends || turned_q);
  always_ff @(posedge clk_i) if (running_q) begin
    ended_q  <= served_i[other];
    turned_q <= !ends && (turned_q || turns[other] || !waits);
    quanta_q <= waits ? quanta_q + {1'b0, ends} : 2'd0;
  end

  // And some slot of its node is eligible within five cycles, or the round is over.
  logic [15:0] mine;
  logic [2:0]  nobody_q = 3'd0;
  assign mine = one_rank[6] ? turn_o[15:0] : turn_o[31:16];
  always_ff @(posedge clk_i) if (running_q) begin
    nobody_q <= waits && mine == '0 ? nobody_q + 3'd1 : 3'd0;
  end

  always_comb if (running_q && waits) begin
    two_quanta_at_most: assert (quanta_q + {1'b0, ends} <= 2'd2);
    somebody_in_turn: assert (nobody_q < 3'd5);
  end

  // --- how the inside hangs together ----------------------------------------------------------
  // The memory of ranks tells nothing of a slot until its CONFIG was written.
  logic configured_q = 1'b0, one_configured_q = 1'b0; // of the other, of one
  (* hierconn *) wire [3:0] \u_ranks.watch , \u_ranks.watch_two ;
  (* hierconn *) wire [5:0] \u_ranks.watched , \u_ranks.watched_two ;
  assign \u_ranks.watch     = other;
  assign \u_ranks.watch_two = one;
  always_ff @(posedge clk_i) if (running_q) begin
    configured_q <= configured_q || config_i[other];
    one_configured_q <= one_configured_q || config_i[one];
  end
  always_comb if (running_q) begin
    rank_memory: assert (configured_q ? \u_ranks.watched == other_rank[5:0] : other_rank == '0);
    one_memory: assert (one_configured_q ? \u_ranks.watched_two == one_rank[5:0] : one_rank == '0);
    serves_as_told: assert ({serves0_o[one], serves1_o[one]} == one_rank[6:5] &&
                            {serves0_o[other], serves1_o[other]} == other_rank[6:5]);
  end

  logic [4:0] behind, behind_one; // cycles since the scan came to the slot, 1 to 16
  logic [4:0] mine_band;          // band of the node of one
  assign behind     = {1'b0, scan_q - other - 4'd1} + 5'd1;
  assign behind_one = {1'b0, scan_q - one - 4'd1} + 5'd1;
  assign mine_band  = one_rank[5] ? band1_q : band0_q;
  always_comb if (running_q) begin
    if (scan_here_q != '0) column_follows: assert (scan_here_q == 16'd1 << (scan_q - 4'd1));
    if (calm_q >= 5'd1) column_moves: assert (scan_here_q != '0);
    if (behind == 5'd1 && calm_q >= 5'd1 && configured_q) begin
      scanned: assert (scan_rank_q == other_rank[5:0]);
    end
    if (behind_one == 5'd1 && calm_q >= 5'd1 && one_configured_q) begin
      scanned_one: assert (scan_rank_q == one_rank[5:0]);
    end
    if (one_configured_q && one_rank[6:5] != 2'd0 && band_q[one] &&
        calm_q >= ((behind_one >= 5'd2) ? behind_one : 5'd17)) begin
      in_its_band: assert (mine_band == one_rank[4:0]);
    end
    wrong_until_scanned: assert (wrong_q <= (behind >= 5'd4 ? behind - 5'd2 : behind + 5'd14));
    calm: assert (calm_q <= 5'd18);
  end

  // A round that has begun with one in turn, or to be in turn in the next cycle, does not
  // end before its quantum does.
  logic [1:0] over;
  logic       last_round;
  assign over       = one_rank[6] ? over0_q : over1_q;
  assign last_round = !served_q[one] && over != 2'b01 && (may_q[one] || over == 2'b10);
  always_comb if (running_q && same_band) begin
    over_once: assert (over != 2'b11);
    if (nobody_q >= 3'd1 && over == 2'b10) new_round: assert (!served_q[one]);
    if (nobody_q >= 3'd2 && over == 2'b00) may_again: assert (may_q[one] && !served_q[one]);
    if (nobody_q >= 3'd3) over_soon: assert (over != 2'b01);
    if (nobody_q >= 3'd4) over_by_now: assert (over == 2'b00);
  end
  always_comb if (running_q && same_band && quanta_q != 2'd0) begin
    had_its_quantum: assert (served_q[other] || last_round);
    if (served_q[other] || ended_q) not_in_turn: assert (!turned_q && !may_q[other]);
    if (quanta_q >= 2'd2) had_both: assert (quanta_q == 2'd2 && served_q[other] && last_round);
  end

  // --- all this happens -------------------------------------------------------------------------
  always_comb if (running_q) begin
    higher_keeps_out: cover (higher && runnable[other] && one_waits_q && may_run[other]);
    lower_follows: cover (higher && may_run[one] && wrong_q == 5'd0);
    higher_follows: cover (wrong_q >= 5'd2);
    both_in_turn: cover (same_band && turns[one] && turns[other]);
    two_quanta: cover (waits && quanta_q == 2'd2);
    one_after_the_other: cover (waits && turns[one] && !turns[other] && may_run[other]);
  end
