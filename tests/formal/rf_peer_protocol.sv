// SPDX-License-Identifier: Apache-2.0
//
// No signal of device A is lost to a queue that waits on device B, whatever the driver does with
// the entries of the fence meanwhile, and however long the bus takes. This is the protocol of
// kmd/core/waits/peering.c, seen from one signal, any of them. One event happens in a cycle, any
// whose conditions hold.
//
// What the blocks do is proved of each: a performed write of a fence is followed by a look at its
// entry, and a look that finds the target by a word with the entry's generation (rf_peer_send); a
// word with the generation of its entry by a reread (rf_peer_receive); a wait that reads a value
// which reaches its own ends (rf_wait). A word with another generation counts for nothing here.

module rf_peer_protocol (
  input wire logic       clk_i,
  input wire logic       rst_ni,
  input wire logic [4:0] event_i
);

  // Does A compare with a MonitoredValue of its own, or does it read it from memory? A read pushes
  // what A has posted before it.
  (* anyconst *) logic shadow;

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // --- the driver ------------------------------------------------------------------------------
  typedef enum logic [1:0] {Off, Entering, On, Leaving} peering_e;
  peering_e peering_q;
  // What is written to A: its effect comes in one event; the driver goes on when it has read back,
  // and that pushes what A had posted before.
  logic flush_q;
  logic interrupt_q;               // taken, its DPC is to come
  logic notify_q;                  // on its way to B

  // --- the devices -----------------------------------------------------------------------------
  logic a_valid_q, a_new_q;        // the entry; it has the driver's present generation
  logic b_valid_q, b_new_q;
  logic armed_q;                   // MonitoredValue of A is that of CPU waiters, and there is none
  logic owes_q;                    // a look is to come
  logic compare_q;                 // CurrentValue is to be compared with MonitoredValue
  logic reread_q;                  // B is to read CurrentValue again

  // --- what A has posted: the value first ------------------------------------------------------
  logic signalled_q;               // the value is performed
  logic value_q;                   // ... and in memory
  logic word_q, word_new_q;        // on its way to B; its generation is the present one
  logic msi_q;

  logic seen_q;                    // B has read the value

  localparam logic [4:0] Signal = 0, Look = 1, Compare = 2, Value = 3, Word = 4, Msi = 5, Dpc = 6,
                         Notified = 7, Reread = 8, Enter = 9, EnterA = 10, EnterB = 11, Cancel = 12,
                         Turn = 13, Arm = 14, Leave = 15, Disarm = 16, End = 17, ClearA = 18,
                         ClearB = 19, Flushed = 20;

  logic settled;                   // the driver's last access is over
  assign settled = !flush_q;

  logic [20:0] may, does;
  always_comb begin
    may           = '0;
    may[Signal]   = !signalled_q;
    may[Look]     = owes_q;
    may[Compare]  = compare_q && (shadow || value_q);
    may[Value]    = signalled_q && !value_q;
    may[Word]     = word_q && value_q;
    may[Msi]      = msi_q && value_q;
    may[Dpc]      = interrupt_q;
    may[Notified] = notify_q;
    may[Reread]   = reread_q;
    may[Enter]    = settled && peering_q == Off;
    may[EnterA]   = settled && peering_q == Entering && !a_new_q;
    may[EnterB]   = settled && peering_q == Entering && !b_new_q;
    may[Cancel]   = settled && peering_q == Entering;
    may[Turn]     = settled && peering_q == Entering && a_new_q && b_new_q;
    may[Arm]      = settled && peering_q == On && !armed_q;
    may[Leave]    = settled && peering_q == On;
    may[Disarm]   = settled && peering_q == Leaving && armed_q;
    may[End]      = settled && peering_q == Leaving && !armed_q;
    may[ClearA]   = settled && peering_q == Off && a_valid_q;
    may[ClearB]   = settled && peering_q == Off && b_valid_q;
    may[Flushed]  = flush_q && (!signalled_q || value_q || behind_q);
  end
  for (genvar e = 0; e < 21; e++) begin : gen_event
    assign does[e] = event_i == e && may[e];
  end

  // The value came after what the driver waits for: it need not be pushed.
  logic behind_q;
  logic writes_a;
  assign writes_a = does[EnterA] || does[ClearA] || does[Arm] || does[Disarm];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      peering_q   <= Off;
      flush_q     <= 1'b0;
      behind_q    <= 1'b0;
      interrupt_q <= 1'b0;
      notify_q    <= 1'b0;
      a_valid_q   <= 1'b0;
      a_new_q     <= 1'b0;
      b_valid_q   <= 1'b0;
      b_new_q     <= 1'b0;
      armed_q     <= 1'b0;
      owes_q      <= 1'b0;
      compare_q   <= 1'b0;
      reread_q    <= 1'b0;
      signalled_q <= 1'b0;
      value_q     <= 1'b0;
      word_q      <= 1'b0;
      word_new_q  <= 1'b0;
      msi_q       <= 1'b0;
      seen_q      <= 1'b0;
    end else begin
      // --- the device A, and what it has posted
      if (does[Signal]) {signalled_q, owes_q, compare_q} <= 3'b111;
      if (does[Look]) begin
        owes_q     <= 1'b0;
        word_q     <= a_valid_q;
        word_new_q <= a_new_q;
      end
      if (does[Compare]) begin
        compare_q <= 1'b0;
        msi_q     <= !armed_q;
      end
      if (does[Value]) value_q <= 1'b1;
      if (does[Word]) word_q <= 1'b0;
      if (does[Msi]) {msi_q, interrupt_q} <= 2'b01;

      // --- the device B
      if (does[Word] && word_new_q && b_valid_q && b_new_q) reread_q <= 1'b1;
      if (does[Notified]) {notify_q, reread_q} <= 2'b01;
      if (does[Reread]) begin
        reread_q <= 1'b0;
        if (value_q) seen_q <= 1'b1;
      end

      // --- the driver
      if (does[Dpc]) begin
        interrupt_q <= 1'b0;
        if (peering_q != On) notify_q <= 1'b1;
      end
      if (does[Enter]) begin
        peering_q  <= Entering;
        a_new_q    <= 1'b0;
        b_new_q    <= 1'b0;
        word_new_q <= 1'b0;
      end
      if (does[EnterA]) {a_valid_q, a_new_q} <= 2'b11;
      if (does[EnterB]) {b_valid_q, b_new_q} <= 2'b11;
      if (does[Cancel]) peering_q <= Off;
      if (does[Turn]) begin
        peering_q <= On;
        notify_q  <= 1'b1;
      end
      if (does[Arm]) armed_q <= 1'b1;
      if (does[Leave]) peering_q <= Leaving;
      if (does[Disarm]) armed_q <= 1'b0;
      if (does[End]) begin
        peering_q <= Off;
        notify_q  <= 1'b1;
      end
      if (does[ClearA]) a_valid_q <= 1'b0;
      if (does[ClearB]) b_valid_q <= 1'b0;

      // MonitoredValue in memory is stored, not sent.
      if (writes_a && (shadow || does[EnterA] || does[ClearA])) flush_q <= 1'b1;
      else if (does[Flushed]) flush_q <= 1'b0;
      if (writes_a) behind_q <= !signalled_q;
    end
  end

  // --- the promise -------------------------------------------------------------------------------
  // Nothing is under way, and the driver has come to rest in one way or the other.
  logic rests;
  assign rests = !owes_q && !compare_q && !word_q && !msi_q && !interrupt_q && !notify_q &&
                 !reread_q && (!signalled_q || value_q) && settled &&
                 (peering_q == Off || peering_q == On);
  always_comb if (running_q && rests && signalled_q) begin
    no_lost_wakeup: assert (seen_q);
  end

  // --- why ---------------------------------------------------------------------------------------
  // The value is not seen yet. While both entries hold, a reread of it or its word is to come; until
  // then, and from then on, a reread or an interrupt.
  logic owed, rereads, interrupts, tells, entered, pushed;
  assign owed       = running_q && signalled_q && !seen_q;
  assign rereads    = value_q && (reread_q || notify_q);
  assign interrupts = compare_q || msi_q || interrupt_q;
  assign tells      = owes_q || (word_q && word_new_q);
  assign entered    = peering_q == On || peering_q == Leaving;
  assign pushed     = settled || behind_q; // a value from before the driver's access is in memory
  always_comb if (running_q) begin
    if (owed && entered) assert (rereads || tells);
    if (owed && !entered) assert (rereads || interrupts);
    if (owed && !value_q && pushed && peering_q == Entering && a_new_q) assert (tells);
    if (owed && !value_q && pushed && entered && !armed_q) assert (interrupts);
    if (owed && !value_q && !shadow) assert (compare_q);
    if (entered) assert (a_valid_q && a_new_q && b_valid_q && b_new_q);
    if (peering_q == Entering) assert ((!a_new_q || a_valid_q) && (!b_new_q || b_valid_q));
    if (armed_q) assert (entered);
    if (interrupt_q) assert (value_q);
    if (!signalled_q) assert (!owes_q && !compare_q && !word_q && !msi_q && !value_q && !seen_q);
    if (seen_q) assert (value_q);
  end

  always_comb if (running_q) begin
    by_the_word: cover (does[Reread] && value_q && !seen_q && peering_q == On && armed_q);
    by_the_cpu: cover (does[Notified] && value_q && peering_q == Off && !a_valid_q);
    word_too_early: cover (does[Word] && !b_valid_q && peering_q == Entering);
    word_too_late: cover (does[Word] && !word_new_q);
    found_armed_and_left: cover (signalled_q && peering_q == Off && !msi_q && !compare_q &&
                                 !interrupt_q && notify_q && !seen_q);
  end
endmodule
