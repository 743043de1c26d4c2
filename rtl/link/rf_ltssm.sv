// SPDX-License-Identifier: Apache-2.0
//
// The Link Training and Status State Machine, x1 at 2.5 GT/s (PCI Express Base Specification
// 4.2.6; 4.2.7 from revision 6 on). A cause to leave a state is latched; the state changes in
// turn_i, when the transmitter has a word of an ordered set left to send: it stays whole, and the
// next one is the new state's. TickCycles of clk_i are a microsecond, Millisecond of those a
// millisecond, which simulations may shorten. In the states Idle a packet counts as eight symbols
// of idle: the other side is in L0, and may leave no gap that the errors of the line spare.
//
// An endpoint's port, or with Downstream the one it faces, which leads Configuration: it says the
// numbers. Nothing directs that one to Disabled, Hot Reset or Loopback; it has no crosslinks.
// Not here: other rates and widths, L0s (an EIOS in L0 leads to Recovery), compliance by Link
// Control 2 or Compliance Receive, beacons. enter_l1_i and enter_l2_i come when the data link
// layer has agreed with the other side, and sends no packet any more.

`default_nettype none

module rf_ltssm #(
  parameter int unsigned TickCycles = 125,
  parameter int unsigned Millisecond = 1000,
  parameter int unsigned Downstream = 0
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  // received
  input  wire logic                  set_valid_i,
  input  wire rf_link_pkg::training_set_t set_i,
  input  wire logic [3:0]            row_i,            // equal ones in a row, 8 at most
  output logic                       row_clear_o,
  input  wire logic                  eios_i,
  input  wire logic                  skp_i,
  input  wire logic                  word_valid_i,     // outside of sets, too
  input  wire logic                  word_idle_i,      // two symbols of logical idle
  input  wire logic                  packet_i,         // one with a right CRC ended
  input  wire logic                  rx_idle_i,        // electrical idle, steady
  output logic                       invert_o,         // polarity of the receiver
  output logic                       takes_packets_o,

  // receiver detection: done may only be high while detect_o is
  output logic                       detect_o,
  input  wire logic                  detect_done_i,
  input  wire logic                  detect_present_i,

  // sent
  output rf_link_pkg::send_e         request_o,
  output rf_link_pkg::training_set_t set_o,
  output logic                       scramble_off_o,
  input  wire logic                  turn_i,
  input  wire logic                  sent_i,
  input  wire rf_link_pkg::send_e         sent_kind_i,

  // higher layers
  input  wire logic                  retrain_i,        // in L0 or L1
  input  wire logic                  enter_l1_i,
  input  wire logic                  enter_l2_i,
  input  wire logic                  extended_synch_i, // 1024 TS1s in Recovery.RcvrLock
  output logic                       link_up_o,
  output rf_link_pkg::ltssm_state_e  state_o
);

  if (TickCycles < 2 || TickCycles > 1000) begin : gen_bad_tick_cycles
    $error("2 to 1000 cycles a microsecond");
  end
  if (Millisecond < 2 || Millisecond > 1000) begin : gen_bad_millisecond
    $error("2 to 1000 microseconds a millisecond");
  end
  if (Downstream > 1) begin : gen_bad_downstream
    $error("0 or 1");
  end

  localparam logic       Leads = Downstream == 1;
  localparam logic [7:0] LinkNumber = Leads ? 8'd1 : 8'd0;  // that it chooses

  // target: where the state that is would go; target_q: where it will go, once leave_q is set.
  rf_link_pkg::ltssm_state_e state_q, state_d, target, target_q, target_d;
  logic                      change, leave_q, moves;

  assign moves   = leave_q && turn_i;
  assign state_o = state_q;

  // --- time in the state ------------------------------------------------------------
  logic [9:0] cycles_q, ticks_q;
  logic       tick_q, last_tick_q; // the tick that comes ends a millisecond
  logic [5:0] milliseconds_q;
  logic [6:0] silent_q;        // microseconds in L0 without a SKP set
  logic [1:0] settle_q;        // microseconds to wait for a changed receiver or a last word
  logic       restart, restart_q; // the counters begin a cycle after the state does

  // --- what was received in the state --------------------------------------------------
  typedef struct packed {
    logic        eight;        // eight equal sets, eight symbols of idle or a packet
    logic        other;        // eight that lead elsewhere
    logic        answered;     // one that counts
    logic        mine;         // one with the link's numbers
    logic        any;          // a set
    logic        eios;
    logic        idle;         // electrical idle
    logic        exit;         // none
    logic [1:0]  idle_words;   // in a row
    logic [10:0] sent;         // items of the state, 1024 at most; words of logical idle
    logic [4:0]  sent_after;   // since the first that counts was received, 16 at most
  } seen_t;
  seen_t seen_q;
  logic  ts1_pair, ts2_pair, pads, mine, counts, loop_end_q, flip, training, idling, sent_counts;
  logic  to_disabled, to_reset;
  logic  both_eios;

  // --- kept -------------------------------------------------------------------------
  logic [7:0] link_q;
  logic       link_valid_q, lane_valid_q, retried_q;

  assign ts1_pair = set_valid_i && row_i >= 4'd2 && !set_i.ts2;
  assign ts2_pair = set_valid_i && row_i >= 4'd2 && set_i.ts2;
  assign pads     = set_i.link_pad && set_i.lane_pad;
  assign mine     = !set_i.link_pad && set_i.link == link_q && !set_i.lane_pad && set_i.lane == '0;
  assign both_eios = seen_q.eios && seen_q.sent != '0;
  assign idling   = state_q == rf_link_pkg::ConfigurationIdle ||
                    state_q == rf_link_pkg::RecoveryIdle;

  always_comb begin
    unique case (state_q)
      rf_link_pkg::PollingActive:        counts = pads && !set_i.inverted && settle_q == '0;
      rf_link_pkg::PollingConfiguration: counts = pads && !set_i.inverted && set_i.ts2;
      rf_link_pkg::RecoveryRcvrLock:     counts = mine;
      default:                           counts = mine && set_i.ts2;
    endcase
  end

  // Wires are swapped if identifiers come inverted; the receiver needs a while afterwards.
  assign training = state_q == rf_link_pkg::PollingActive ||
                    state_q == rf_link_pkg::PollingConfiguration;
  assign flip     = training && set_valid_i && pads && set_i.inverted && row_i == 4'd8 &&
                    settle_q == '0;

  assign sent_counts = sent_i && sent_kind_i == request_o;
  assign row_clear_o = moves || flip;
  assign restart     = moves || (state_q == rf_link_pkg::HotReset && ts1_pair &&
                                 set_i.control[rf_link_pkg::ControlHotReset]);

  // --- causes -----------------------------------------------------------------------
  logic ms_2_q, ms_12_q, ms_24_q, ms_48_q, sixteen, done; // ms: so long in the state

  // The other side sends a downstream port to Loopback alone.
  assign to_disabled = Leads ? 1'b0 : ts1_pair && set_i.control[rf_link_pkg::ControlDisable];
  assign to_reset    = Leads ? 1'b0 : ts1_pair && set_i.control[rf_link_pkg::ControlHotReset];

  assign sixteen = seen_q.sent_after[4];
  assign done    = seen_q.eight && sixteen;

  always_comb begin
    change = 1'b1;
    target = rf_link_pkg::DetectQuiet;
    unique case (state_q)
      rf_link_pkg::DetectQuiet: begin
        target = rf_link_pkg::DetectActive;
        change = ms_12_q || !rx_idle_i;
      end
      rf_link_pkg::DetectActive: begin
        if (detect_present_i) target = rf_link_pkg::PollingActive;
        change = detect_done_i;
      end
      rf_link_pkg::PollingActive: begin
        // The time-out adds nothing for one lane but Compliance: no signal at all is a load.
        if (seen_q.eight && seen_q.sent[10]) target = rf_link_pkg::PollingConfiguration;
        else if (!seen_q.exit)               target = rf_link_pkg::PollingCompliance;
        change = (seen_q.eight && seen_q.sent[10]) || ms_24_q;
      end
      rf_link_pkg::PollingConfiguration: begin
        if (done) target = rf_link_pkg::ConfigurationLinkwidthStart;
        change = done || ms_48_q;
      end
      rf_link_pkg::PollingCompliance: begin
        target = rf_link_pkg::PollingActive;
        change = !rx_idle_i;
      end
      rf_link_pkg::ConfigurationLinkwidthStart: begin
        if (to_disabled)
          target = rf_link_pkg::Disabled;
        else if (ts1_pair && set_i.control[rf_link_pkg::ControlLoopback])
          target = rf_link_pkg::LoopbackEntry;
        else if (Leads ? ts1_pair && !set_i.link_pad && set_i.link == link_q && set_i.lane_pad
                       : ts1_pair && !set_i.link_pad && set_i.lane_pad)
          target = rf_link_pkg::ConfigurationLinkwidthAccept;
        else
          change = ms_24_q;
      end
      rf_link_pkg::ConfigurationLinkwidthAccept: begin
        // A downstream port has one lane, and heard its link number on the way here.
        if (Leads ? 1'b1 : ts1_pair && !set_i.link_pad && set_i.link == link_q && !set_i.lane_pad)
          target = rf_link_pkg::ConfigurationLanenumWait;
        else
          change = ms_2_q || (ts1_pair && pads);
      end
      rf_link_pkg::ConfigurationLanenumWait: begin
        // A downstream port waits for a lane number in place of PAD.
        if (Leads ? ts1_pair && !set_i.link_pad && !set_i.lane_pad : ts2_pair)
          target = rf_link_pkg::ConfigurationLanenumAccept;
        else
          change = ms_2_q || (ts1_pair && pads);
      end
      rf_link_pkg::ConfigurationLanenumAccept: begin
        if (Leads ? ts1_pair && mine : ts2_pair && mine)
          target = rf_link_pkg::ConfigurationComplete;
        else
          change = ms_2_q || (ts1_pair && pads);
      end
      rf_link_pkg::ConfigurationComplete: begin
        if (done) target = rf_link_pkg::ConfigurationIdle;
        change = done || ms_2_q;
      end
      rf_link_pkg::ConfigurationIdle: begin
        if (done)            target = rf_link_pkg::L0;
        else if (!retried_q) target = rf_link_pkg::RecoveryRcvrLock;
        change = done || ms_2_q;
      end
      rf_link_pkg::L0: begin
        if (enter_l1_i)      target = rf_link_pkg::L1Entry;
        else if (enter_l2_i) target = rf_link_pkg::L2Entry;
        else                 target = rf_link_pkg::RecoveryRcvrLock;
        change = enter_l1_i || enter_l2_i || retrain_i || set_valid_i || eios_i || (&silent_q);
      end
      rf_link_pkg::RecoveryRcvrLock: begin
        if (seen_q.eight)     target = rf_link_pkg::RecoveryRcvrCfg;
        else if (seen_q.mine) target = rf_link_pkg::ConfigurationLinkwidthStart;
        change = (seen_q.eight && (!extended_synch_i || seen_q.sent[10])) || ms_24_q;
      end
      rf_link_pkg::RecoveryRcvrCfg: begin
        if (done)                         target = rf_link_pkg::RecoveryIdle;
        else if (seen_q.other && sixteen) target = rf_link_pkg::ConfigurationLinkwidthStart;
        else                              change = ms_48_q;
      end
      rf_link_pkg::RecoveryIdle: begin
        if (to_disabled)
          target = rf_link_pkg::Disabled;
        else if (to_reset)
          target = rf_link_pkg::HotReset;
        else if (ts1_pair && set_i.control[rf_link_pkg::ControlLoopback])
          target = rf_link_pkg::LoopbackEntry;
        else if (ts1_pair && set_i.lane_pad)
          target = rf_link_pkg::ConfigurationLinkwidthStart;
        else if (done)
          target = rf_link_pkg::L0;
        else begin
          if (!retried_q) target = rf_link_pkg::RecoveryRcvrLock;
          change = ms_2_q;
        end
      end
      rf_link_pkg::HotReset: change = ms_2_q;
      // An exit from electrical idle that was never entered would be the last TS1s.
      rf_link_pkg::Disabled: change = seen_q.eios ? seen_q.idle && !rx_idle_i : ms_2_q;
      rf_link_pkg::LoopbackEntry: target = rf_link_pkg::LoopbackActive;
      rf_link_pkg::LoopbackActive: begin
        target = rf_link_pkg::LoopbackExit;
        change = loop_end_q && settle_q == '0;
      end
      rf_link_pkg::LoopbackExit: change = ms_2_q;
      rf_link_pkg::L1Entry, rf_link_pkg::L2Entry: begin
        if (!both_eios)                           target = rf_link_pkg::RecoveryRcvrLock;
        else if (state_q == rf_link_pkg::L1Entry) target = rf_link_pkg::L1Idle;
        else                                      target = rf_link_pkg::L2Idle;
        change = both_eios || ms_2_q;
      end
      rf_link_pkg::L1Idle: begin
        // The other side's electrical idle may be too short to be seen.
        target = rf_link_pkg::RecoveryRcvrLock;
        change = retrain_i || set_valid_i || (seen_q.idle && !rx_idle_i);
      end
      rf_link_pkg::L2Idle: change = seen_q.idle && !rx_idle_i;
      default: ;
    endcase
  end

  // --- what to send -------------------------------------------------------------------
  always_comb begin
    unique case (state_q)
      rf_link_pkg::DetectQuiet, rf_link_pkg::DetectActive, rf_link_pkg::LoopbackExit,
      rf_link_pkg::L1Idle, rf_link_pkg::L2Idle:
        request_o = rf_link_pkg::SendQuiet;
      rf_link_pkg::PollingConfiguration, rf_link_pkg::ConfigurationComplete,
      rf_link_pkg::RecoveryRcvrCfg:
        request_o = rf_link_pkg::SendTs2;
      rf_link_pkg::PollingCompliance: request_o = rf_link_pkg::SendCompliance;
      rf_link_pkg::ConfigurationIdle, rf_link_pkg::RecoveryIdle: request_o = rf_link_pkg::SendIdle;
      rf_link_pkg::L0: request_o = rf_link_pkg::SendPackets;
      rf_link_pkg::LoopbackActive: request_o = rf_link_pkg::SendLoop;
      rf_link_pkg::L1Entry, rf_link_pkg::L2Entry:
        request_o = seen_q.sent == '0 ? rf_link_pkg::SendEios : rf_link_pkg::SendQuiet;
      rf_link_pkg::Disabled:           // 16 to 32 TS1s, then one EIOS
        request_o = seen_q.sent < 11'd16 ? rf_link_pkg::SendTs1 :
                    seen_q.sent == 11'd16 ? rf_link_pkg::SendEios : rf_link_pkg::SendQuiet;
      default: request_o = rf_link_pkg::SendTs1;
    endcase
    set_o          = '0;
    set_o.link_pad = !link_valid_q;
    set_o.lane_pad = !lane_valid_q;
    set_o.link     = link_q;
    set_o.fts      = '1;               // without L0s any number is as good
    set_o.rate     = rf_link_pkg::Rate2G5;
    set_o.control[rf_link_pkg::ControlHotReset] = state_q == rf_link_pkg::HotReset;
    set_o.control[rf_link_pkg::ControlDisable]  = state_q == rf_link_pkg::Disabled;
  end

  assign detect_o = state_q == rf_link_pkg::DetectActive && !leave_q;

  // In Recovery, packets count until the first training set.
  assign takes_packets_o = state_q == rf_link_pkg::L0 || idling ||
                           (state_q == rf_link_pkg::RecoveryRcvrLock && !seen_q.any);

  // --- registers ----------------------------------------------------------------------
  always_comb begin
    state_d  = moves ? target_q : state_q;
    target_d = moves || leave_q ? target_q : target;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= rf_link_pkg::DetectQuiet;
      target_q <= rf_link_pkg::DetectQuiet;
      leave_q  <= 1'b0;
    end else begin
      state_q  <= state_d;
      target_q <= target_d;
      leave_q  <= !moves && (leave_q || change);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q       <= '0;
      tick_q         <= 1'b0;
      last_tick_q    <= 1'b0;
      ticks_q        <= '0;
      milliseconds_q <= '0;
      {ms_2_q, ms_12_q, ms_24_q, ms_48_q} <= '0;
      restart_q      <= 1'b0;
      silent_q       <= '0;
      settle_q       <= '0;
      loop_end_q     <= 1'b0;
      invert_o       <= 1'b0;
    end else begin
      restart_q <= restart;
      cycles_q <= cycles_q + 10'd1;
      tick_q   <= cycles_q == 10'(TickCycles - 1);
      last_tick_q <= ticks_q == 10'(Millisecond - 1);
      ms_2_q  <= milliseconds_q >= 6'd2;
      ms_12_q <= milliseconds_q >= 6'd12;
      ms_24_q <= milliseconds_q >= 6'd24;
      ms_48_q <= milliseconds_q >= 6'd48;
      if (cycles_q == 10'(TickCycles - 1)) cycles_q <= '0;
      if (tick_q) begin
        ticks_q <= ticks_q + 10'd1;
        if (last_tick_q) begin
          ticks_q <= '0;
          if (milliseconds_q != '1) milliseconds_q <= milliseconds_q + 6'd1;
        end
        silent_q <= silent_q + {6'd0, !(&silent_q)};
        settle_q <= settle_q - {1'b0, settle_q != '0};
      end
      if (skp_i || state_q != rf_link_pkg::L0) silent_q <= '0;
      if (flip) begin
        invert_o <= !invert_o;
        settle_q <= '1;
      end
      if (state_q == rf_link_pkg::DetectQuiet) invert_o <= 1'b0;
      if (state_q == rf_link_pkg::LoopbackActive && (eios_i || rx_idle_i) && !loop_end_q) begin
        loop_end_q <= 1'b1;
        settle_q   <= '1;
      end
      if (restart_q) begin
        cycles_q       <= '0;
        ticks_q        <= '0;
        milliseconds_q <= '0;
      end
      if (restart || restart_q) begin
        tick_q <= 1'b0;
        {ms_2_q, ms_12_q, ms_24_q, ms_48_q} <= '0;
      end
      if (moves) begin
        settle_q   <= '0;
        loop_end_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q <= '0;
    end else begin
      if (set_valid_i) begin
        seen_q.any  <= 1'b1;
        seen_q.mine <= seen_q.mine || mine;
        if (!idling) begin
          seen_q.answered <= seen_q.answered || counts ||
                             (state_q == rf_link_pkg::RecoveryRcvrCfg && !set_i.ts2 && !mine);
          seen_q.eight <= seen_q.eight || (counts && row_i == 4'd8);
          seen_q.other <= seen_q.other || (!set_i.ts2 && !mine && row_i == 4'd8);
        end
      end
      if (word_valid_i && idling) begin
        seen_q.idle_words <= word_idle_i ? seen_q.idle_words + 2'd1 : 2'd0;
        seen_q.answered   <= seen_q.answered || word_idle_i;
        seen_q.eight      <= seen_q.eight || (word_idle_i && seen_q.idle_words == 2'd3);
      end
      if (packet_i && idling) {seen_q.answered, seen_q.eight} <= '1;
      seen_q.eios <= seen_q.eios || eios_i;
      seen_q.idle <= seen_q.idle || rx_idle_i;
      seen_q.exit <= seen_q.exit || !rx_idle_i;
      if (sent_counts) begin
        seen_q.sent <= seen_q.sent + {10'd0, !seen_q.sent[10]};
        // Of logical idle sixteen symbols are wanted, and a word has two.
        if (seen_q.answered && !sixteen)
          seen_q.sent_after <= seen_q.sent_after + (idling ? 5'd2 : 5'd1);
      end
      if (moves) seen_q <= '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      link_q         <= LinkNumber;
      link_valid_q   <= 1'b0;
      lane_valid_q   <= 1'b0;
      retried_q      <= 1'b0;
      scramble_off_o <= 1'b0;
      link_up_o      <= 1'b0;
    end else begin
      if (!Leads)
        if (state_q == rf_link_pkg::ConfigurationLinkwidthStart && ts1_pair && !leave_q)
          link_q <= set_i.link;
      if (state_q == rf_link_pkg::ConfigurationComplete && ts2_pair && mine)
        scramble_off_o <= set_i.control[rf_link_pkg::ControlNoScrambling];
      // Disabled: from the EIOS on, which may come while TS1s are still sent
      if (state_q == rf_link_pkg::Disabled && seen_q.eios && seen_q.sent > 11'd16)
        link_up_o <= 1'b0;
      if (moves) begin
        unique case (target_q)
          rf_link_pkg::DetectQuiet: begin
            link_valid_q   <= 1'b0;
            lane_valid_q   <= 1'b0;
            retried_q      <= 1'b0;
            scramble_off_o <= 1'b0;
            link_up_o      <= 1'b0;
          end
          rf_link_pkg::ConfigurationLinkwidthStart: begin
            link_valid_q <= Leads;
            lane_valid_q <= 1'b0;
          end
          rf_link_pkg::ConfigurationLinkwidthAccept: begin
            link_valid_q <= 1'b1;
            if (Leads) lane_valid_q <= 1'b1;
          end
          rf_link_pkg::ConfigurationLanenumWait: lane_valid_q <= 1'b1;
          rf_link_pkg::ConfigurationIdle: link_up_o <= 1'b1;
          rf_link_pkg::L0: retried_q <= 1'b0;
          rf_link_pkg::RecoveryRcvrLock: retried_q <= idling;
          rf_link_pkg::HotReset, rf_link_pkg::L2Idle: link_up_o <= 1'b0;
          rf_link_pkg::LoopbackEntry: begin
            link_valid_q <= 1'b0;
            lane_valid_q <= 1'b0;
            link_up_o    <= 1'b0;
          end
          default: ;
        endcase
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, set_i.fts, set_i.rate, set_i.control[7:4]};

endmodule

`default_nettype wire
