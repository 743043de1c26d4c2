// SPDX-License-Identifier: Apache-2.0
//
// Sequence numbers and replay (PCI Express Base Specification 3.6.2): a ring of 4 KiB and 32 TLPs,
// each from its last word on until it is acknowledged. TLPs go to send_* in order; a Nak or the
// replay timer sends all again that are not acknowledged, oldest first.
//
// A received Ack or Nak acts between two TLPs; a later one supersedes one that waits. It is looked
// up in the two cycles behind it; an Ack that was then delays no TLP. It has to acknowledge what
// was sent, or the same as the last one, else protocol_error_o. A TLP whose transmission has begun
// is sent whole and counts as sent. The fourth replay without progress first trains the link:
// retrain_o stays until training_i. The timer stands while training_i. A TLP has an even number of
// words, two at least. It may come with pauses; it goes without one.
// While not active_i all is as after reset.

`default_nettype none

module rf_link_replay #(
  parameter int unsigned ReplayLimit = 1400  // symbol times
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        active_i,

  input  wire logic        tlp_valid_i,
  output logic             tlp_ready_o,
  input  wire logic        tlp_last_i,
  input  wire logic [15:0] tlp_data_i,

  output logic             send_valid_o,
  input  wire logic        send_ready_i,
  output logic             send_last_o,
  output logic [15:0]      send_data_o,
  output logic [11:0]      send_sequence_o,

  input  wire logic        acknak_valid_i,
  input  wire logic        acknak_nak_i,
  input  wire logic [11:0] acknak_sequence_i,

  output logic             idle_o,            // all TLPs are acknowledged, and none comes
  input  wire logic        training_i,        // Recovery or Configuration
  output logic             retrain_o,
  output logic             timeout_o,         // the replay timer ran out
  output logic             rollover_o,        // REPLAY_NUM rolled over
  output logic             protocol_error_o
);

  if (ReplayLimit < 711 || ReplayLimit > 31000) begin : gen_bad_replay_limit
    $error("711 to 31000 symbol times");
  end

  localparam int unsigned RingLog2 = 11;      // words of 16 bits
  localparam logic [RingLog2-1:0] OneWord = 1;
  localparam logic [13:0] LimitCycles = 14'(ReplayLimit / 2);

  // Sequence numbers: of the next TLP into the ring and out of it, behind the last one ever sent,
  // of the last one acknowledged (ACKD_SEQ).
  logic [11:0] next_q, send_q, limit_q, acked_q;
  logic [11:0] sent_q;          // the last one ever sent: limit_q - 1
  // Places of words: the next one in, the next one out, the oldest TLP's first.
  logic [RingLog2-1:0] write_q, read_q, base_q, end_q, entry;

  // --- in ----------------------------------------------------------------------------
  logic       write, read, partial_q;
  logic [5:0] held;             // TLPs in the ring, and one
  logic [15:0] ram_data;

  assign held        = next_q[5:0] - acked_q[5:0];
  assign tlp_ready_o = active_i && held != 6'd33 && write_q + OneWord != base_q;
  assign write       = tlp_valid_i && tlp_ready_o;
  assign idle_o      = held == 6'd1 && !partial_q;

  rf_ram #(
    .Width     (16),
    .DepthLog2 (RingLog2),
    .Lane      (16)
  ) u_ring (
    .clk_i           (clk_i),
    .write_i         (write),
    .write_address_i (write_q),
    .write_data_i    (tlp_data_i),
    .write_strobe_i  (1'b1),
    .read_i          (read),
    .read_address_i  (read_q),
    .read_data_o     (ram_data)
  );

  // --- Ack and Nak ---------------------------------------------------------------------
  logic        pending_q, pending_nak_q, acknak_good;
  logic [11:0] pending_sequence_q;        // acked_q, unless it waits
  logic [11:0] distance;

  // A number that waits is the last one acknowledged to the next.
  assign distance    = acknak_sequence_i - pending_sequence_q;
  assign acknak_good = distance <= sent_q - pending_sequence_q;

  // --- between two TLPs ------------------------------------------------------------------
  logic        known_q;                   // this is known of the pending number:
  logic        moves_on_q, left_out_q;    // it acknowledges more; what is to be sent next, too
  logic [RingLog2-1:0] acked_end_q;       // where the TLP ends that it acknowledges
  logic        hold_q;                    // no TLP begins before it acts, for all that is known
  logic        busy_q, between, settle, progress, skips, replay_q, replay, roll, begins, done;
  logic        retraining_q, rolled_q, running_q, expired;
  logic [1:0]  number_q;        // REPLAY_NUM
  logic [13:0] timer_q;

  // Where each TLP ends: its successor's first word
  rf_lutram #(
    .Width     (RingLog2),
    .DepthLog2 (5)
  ) u_ends (
    .clk_i           (clk_i),
    .write_i         (write && tlp_last_i),
    .write_address_i (next_q[4:0]),
    .write_data_i    (write_q + OneWord),
    .read_address_i  (hold_q ? pending_sequence_q[4:0] : send_q[4:0]),
    .read_data_o     (entry)
  );

  assign between  = !busy_q;
  assign settle   = between && known_q;
  assign progress = settle && moves_on_q;
  // In a replay, those acknowledged meanwhile are left out.
  assign skips    = progress && left_out_q;
  assign replay   = between && !pending_q && replay_q && !retrain_o && !retraining_q;
  assign roll     = replay && number_q == 2'd3;
  assign begins   = between && !hold_q && !replay_q && send_q != next_q;
  assign done     = send_valid_o && send_last_o && send_ready_i;
  assign expired  = running_q && timer_q >= LimitCycles && !pending_q && !training_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q             <= '0;
      partial_q          <= 1'b0;
      send_q             <= '0;
      limit_q            <= '0;
      sent_q             <= '1;
      acked_q            <= '1;
      write_q            <= '0;
      base_q             <= '0;
      end_q              <= '0;
      busy_q             <= 1'b0;
      pending_q          <= 1'b0;
      pending_nak_q      <= 1'b0;
      pending_sequence_q <= '1;
      known_q            <= 1'b0;
      moves_on_q         <= 1'b0;
      left_out_q         <= 1'b0;
      acked_end_q        <= '0;
      hold_q             <= 1'b0;
      replay_q           <= 1'b0;
      rolled_q           <= 1'b0;
      number_q           <= '0;
      retrain_o          <= 1'b0;
      retraining_q       <= 1'b0;
      running_q          <= 1'b0;
      timer_q            <= '0;
      timeout_o          <= 1'b0;
      rollover_o         <= 1'b0;
      protocol_error_o   <= 1'b0;
    end else begin
      if (write) begin
        write_q   <= write_q + OneWord;
        partial_q <= !tlp_last_i;
        if (tlp_last_i) next_q <= next_q + 12'd1;
      end

      protocol_error_o <= active_i && acknak_valid_i && !acknak_good;
      known_q    <= pending_q && !settle && !acknak_valid_i;
      moves_on_q <= pending_sequence_q != acked_q;
      left_out_q <= pending_sequence_q - send_q < 12'd2048;
      if (hold_q) acked_end_q <= entry;
      if (known_q && !pending_nak_q && !left_out_q) hold_q <= 1'b0;
      if (settle) begin
        pending_q <= 1'b0;
        hold_q    <= 1'b0;
      end
      if (acknak_valid_i && acknak_good) begin
        pending_q          <= 1'b1;
        hold_q             <= 1'b1;
        pending_sequence_q <= acknak_sequence_i;
        pending_nak_q      <= acknak_nak_i || (pending_q && !settle && pending_nak_q &&
                                               pending_sequence_q == acknak_sequence_i);
      end
      if (settle) acked_q <= pending_sequence_q;
      if (progress) base_q <= acked_end_q;

      // The timer runs from the end of a TLP, and anew from each progress.
      if (running_q && !training_i) timer_q <= timer_q + 14'd1;
      if (done && !running_q) begin
        running_q <= 1'b1;
        timer_q   <= '0;
      end
      if (progress) begin
        running_q <= running_q && sent_q != pending_sequence_q;
        timer_q   <= '0;
      end
      timeout_o <= active_i && expired;
      if (expired || replay) running_q <= 1'b0;

      if (replay) begin
        replay_q <= roll;
        rolled_q <= roll;
      end
      if ((settle && pending_nak_q) || (expired && !replay)) replay_q <= 1'b1;
      if (replay && sent_q != acked_q && !rolled_q) number_q <= number_q + 2'd1;
      if (progress) number_q <= '0;
      rollover_o <= active_i && roll;
      if (roll) retrain_o <= 1'b1;
      if (retrain_o && training_i) begin
        retrain_o    <= 1'b0;
        retraining_q <= 1'b1;
      end
      if (!training_i) retraining_q <= 1'b0;

      if (skips) send_q <= pending_sequence_q + 12'd1;
      if (replay && !roll) send_q <= acked_q + 12'd1;
      if (begins) begin
        busy_q <= 1'b1;
        end_q  <= entry;
        if (send_q == limit_q) begin
          limit_q <= send_q + 12'd1;
          sent_q  <= send_q;
        end
      end
      if (done) begin
        busy_q <= 1'b0;
        send_q <= send_q + 12'd1;
      end

      if (!active_i) begin
        next_q       <= '0;
        partial_q    <= 1'b0;
        send_q       <= '0;
        limit_q      <= '0;
        sent_q       <= '1;
        acked_q      <= '1;
        write_q      <= '0;
        base_q       <= '0;
        busy_q       <= 1'b0;
        pending_q    <= 1'b0;
        pending_sequence_q <= '1;
        known_q      <= 1'b0;
        hold_q       <= 1'b0;
        replay_q     <= 1'b0;
        rolled_q     <= 1'b0;
        number_q     <= '0;
        retrain_o    <= 1'b0;
        retraining_q <= 1'b0;
        running_q    <= 1'b0;
      end
    end
  end

  // --- out -------------------------------------------------------------------------------
  logic        fetched_q, fetched_last_q, move;   // the word at the RAM

  assign move            = !send_valid_o || send_ready_i;
  assign read            = begins || (busy_q && read_q != end_q && (!fetched_q || move));
  assign send_sequence_o = send_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q         <= '0;
      fetched_q      <= 1'b0;
      fetched_last_q <= 1'b0;
      send_valid_o   <= 1'b0;
      send_last_o    <= 1'b0;
      send_data_o    <= '0;
    end else begin
      if (move) begin
        send_valid_o <= fetched_q;
        send_last_o  <= fetched_last_q;
        send_data_o  <= ram_data;
        fetched_q    <= 1'b0;
      end
      if (read) begin
        fetched_q      <= 1'b1;
        fetched_last_q <= busy_q && read_q + OneWord == end_q;
        read_q         <= read_q + OneWord;
      end
      if (skips) read_q <= acked_end_q;
      if (replay && !roll) read_q <= base_q;
      if (!active_i) begin
        read_q       <= '0;
        fetched_q    <= 1'b0;
        send_valid_o <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(29)) word_stays (
    .clk_i, .rst_ni(rst_ni && active_i), .valid_i(send_valid_o), .ready_i(send_ready_i),
    .data_i({send_last_o, send_data_o, send_sequence_o})
  );
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni && write) first_word_is_not_last: assert (partial_q || !tlp_last_i);
  end
`endif
`endif

endmodule

`default_nettype wire
