// SPDX-License-Identifier: Apache-2.0
//
// Who may have a node, for any slot and any other of its band or above. Stands inside
// rf_slot_bands.
//
// Free: who is ready and, for the node that serves it, runnable, and every write of CONFIG,
// which config_slot_i names too. A quantum of a slot ends
// only if it was in turn since the one before (rf_node chooses of those in turn, or, when
// nobody is eligible, one that rings).

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  (* anyconst *) logic [3:0] one, other;
  logic [6:0] one_rank, other_rank;
  logic [111:0] ranks;
  for (genvar i = 0; i < 16; i++) begin : gen_ranks
    assign ranks[i*7 +: 7] = gen_slot[i].rank_q;
  end
  logic [15:0] runs, may_run, turns; // for whichever node
  assign runs    = runnable_i[31:16] | runnable_i[15:0];
  assign may_run = eligible_o[31:16] | eligible_o[15:0];
  assign turns   = turn_o[31:16] | turn_o[15:0];
  always_comb begin
    assume ((runnable_i & ~{serves1_o, serves0_o}) == '0);
    assume (config_i == '0 || config_i == 16'd1 << config_slot_i);
  end
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
    higher_waits_q <= higher && runs[other];
    one_waits_q    <= runs[one];
  end
  always_comb if (running_q) begin
    if (turns[one] || may_run[one]) runnable_in_turn: assert (one_waits_q);
    if (higher_waits_q) highest_band_first: assert (!turns[one] && !may_run[one]);
    of_one_node: assert (!(serves0_o[one] && serves1_o[one]));
  end

  // --- in a band, nobody starves -----------------------------------------------------------
  // One waits: eligible, ready, its quantum not over. Of any other in its band at most two
  // quanta end meanwhile.
  logic       waits, ends, ended_q = 1'b0, turned_q = 1'b0;
  logic [1:0] quanta_q = 2'd0;
  assign waits = band && may_run[one] && ready_i[one] && !served_i[one];
  assign ends  = served_i[other] && !ended_q;
  always_comb assume (!ends || turned_q);
  always_ff @(posedge clk_i) if (running_q) begin
    ended_q  <= served_i[other];
    turned_q <= !ends && (turned_q || turns[other] || !waits);
    quanta_q <= waits ? quanta_q + {1'b0, ends} : 2'd0;
  end

  // And somebody of its node is in turn within five cycles, else the round is over.
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
  logic told_q = 1'b0;         // of the other
  (* hierconn *) wire [3:0] \u_ranks.watch ;
  (* hierconn *) wire [6:0] \u_ranks.watched ;
  assign \u_ranks.watch = other;
  always_ff @(posedge clk_i) if (running_q) told_q <= told_q || config_i[other];
  always_comb if (running_q) begin
    rank_memory: assert (told_q ? \u_ranks.watched == other_rank : other_rank == '0);
  end

  logic [3:0] behind;          // cycles since the scan came to the other
  assign behind = scan_q - other;
  always_comb if (running_q) begin
    if (scan_column_q != '0) column_follows: assert (scan_column_q == 16'd1 << (scan_q - 4'd1));
    if (behind == 4'd1 && calm_q >= 5'd1 && told_q) scanned: assert (scan_rank_q == other_rank);
    if (told_q && calm_q >= ((behind >= 4'd2) ? {1'b0, behind} : {1'b1, behind})) begin
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
    both_in_turn: cover (band && turns[one] && turns[other]);
    two_quanta: cover (waits && quanta_q == 2'd2);
    one_after_the_other: cover (waits && turns[one] && !turns[other] && may_run[other]);
  end
