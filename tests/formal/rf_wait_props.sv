// SPDX-License-Identifier: Apache-2.0
//
// What rf_wait promises, seen from one slot and one word of memory, any of them:
// no missed release, no false one, no double one, none in or after a cancel.
// Stands inside rf_wait (tests/formal/README.md says how), so it has its names.
//
// The environment below is free but for the rules of rtl/README.md: a device write
// is snooped when it is performed or any time later, in order; a CPU write is
// followed by a notify, a write of another device, which is to the first word of a page of system
// memory, by a reread of this page; a read sees the word at one instant between request and
// response; a virtual address changes its place only in the cycle of an invalidation;
// a slot waits once at a time.

  (* anyconst *) logic [3:0]  slot;
  (* anyconst *) logic        word_local;
  (* anyconst *) logic [54:3] word_address;

  // --- reset --------------------------------------------------------------------------
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // --- what was asked -----------------------------------------------------------------
  logic        begins, cancels, releases;
  logic        held_q = 1'b0;        // a wait was accepted and is not over
  logic [3:0]  vmid_q;
  logic [63:0] address_q, value_q;
  (* anyseq *) logic [63:0] comes;   // the value, which follows a cycle later
  logic follows;
  assign follows   = new_q && new_slot_q == slot;
  assign begins    = wait_valid_i && wait_ready_o && wait_i.slot == slot;
  assign cancels = cancel_valid_i && cancel_slot_i == slot;
  assign releases  = release_valid_o && release_slot_o == slot;

  always_comb begin
    if (held_q) assume (!begins);
    if (new_q) assume (!wait_valid_i);
    if (follows) assume (word_i == value_q);
  end
  always_ff @(posedge clk_i) begin
    if (running_q) held_q <= begins || (held_q && !cancels && !releases);
    if (begins) begin
      vmid_q    <= wait_i.vmid;
      address_q <= word_i;
      value_q   <= comes;
    end
  end

  // --- the word, its writes and their snoops ------------------------------------------
  (* anyseq *) logic        device_write, cpu_write, peer_write;
  (* anyseq *) logic [63:0] write_data;
  logic [63:0] word_q;
  logic [1:0]  late_q = '0;          // device writes performed and not yet snooped
  logic [63:0] late0_q, late1_q;     // the first of them, the second
  logic        notify_due_q = 1'b0;  // a CPU write, and its notify still to come
  logic        reread_due_q = 1'b0;  // a write of another device, and its reread still to come
  logic        snooped, device_last_q = 1'b0, any_write, reread_comes;
  assign any_write    = device_write || cpu_write || peer_write;
  assign reread_comes = reread_valid_i && reread_ready_o &&
                        {reread_page_i, 9'd0} == word_address && !word_local;
  assign snooped = snoop_i.valid && snoop_i.in_local == word_local &&
                   snoop_i.address == word_address;

  always_comb begin
    assume (!(device_write && cpu_write) && !(peer_write && (device_write || cpu_write)));
    if (peer_write) assume (!word_local && word_address[11:3] == '0);
    assume (!device_write || late_q != 2'd2);
    if (snooped) begin
      if (late_q != '0) assume (snoop_i.data == late0_q);
      else assume (device_write && snoop_i.data == write_data);
    end
  end
  always_ff @(posedge clk_i) if (running_q) begin
    if (any_write) word_q <= write_data;
    late_q <= late_q + {1'b0, device_write} - {1'b0, snooped};
    if (snooped) late0_q <= late_q == 2'd2 ? late1_q : write_data;
    else if (late_q == '0) late0_q <= write_data;
    else if (late_q == 2'd1) late1_q <= write_data;
    notify_due_q  <= cpu_write ? !notify_i : notify_due_q && !notify_i;
    reread_due_q  <= peer_write ? !reread_comes : reread_due_q && !reread_comes;
    device_last_q <= device_write || (device_last_q && !cpu_write && !peer_write);
  end

  // --- where the slot's address lies --------------------------------------------------
  (* anyseq *) logic maps;           // at the word
  logic maps_q, invalidates;
  assign invalidates = held_q && invalidate_i;
  always_ff @(posedge clk_i) maps_q <= maps;
  always_comb if (held_q && !invalidates) assume (maps == maps_q);

  // --- translations: one is out at most -----------------------------------------------
  logic looking_q = 1'b0;            // it was taken and is not answered
  logic look_true_q;                 // ... for this wait, with no invalidation since
  always_ff @(posedge clk_i) if (running_q) begin
    if (wait_translate_valid_o && wait_translate_ready_i) begin
      looking_q   <= 1'b1;
      look_true_q <= held_q && !begins && !invalidates && wait_translate_vmid_o == vmid_q &&
                     wait_translate_va_o == address_q[63:3];
    end else begin
      if (wait_translate_done_i) looking_q <= 1'b0;
      if (begins || invalidates) look_true_q <= 1'b0;
    end
  end
  // What is on offer stays until it is taken.
  logic        offered_q = 1'b0;
  logic [64:0] offer_q;
  always_ff @(posedge clk_i) begin
    offered_q <= running_q && wait_translate_valid_o && !wait_translate_ready_i;
    offer_q   <= {wait_translate_vmid_o, wait_translate_va_o};
  end
  always_comb if (offered_q) begin
    translation_offer_stays: assert (wait_translate_valid_o &&
                                     {wait_translate_vmid_o, wait_translate_va_o} == offer_q);
  end
  always_comb begin
    if (wait_translate_done_i) assume (looking_q);
    if (wait_translate_done_i && !wait_translate_fault_i && look_true_q && !invalidates) begin
      assume ((wait_translate_local_i == word_local && wait_translate_address_i == word_address)
              == maps);
    end
  end

  // --- reads of the slot: one at a time -------------------------------------------------
  (* anyseq *) logic        sample;
  (* anyseq *) logic        sample_new;   // a write of this very cycle is seen
  (* anyseq *) logic [63:0] sample_other; // what lies elsewhere
  logic        out_q = 1'b0, sampled_q;
  logic        true_q;               // for this wait, with no invalidation since
  logic [63:0] sample_q, sample_data;
  logic        accepts, responses;
  assign accepts = read_valid_o && read_ready_i && read_o.id[3:0] == slot;
  assign responses = response_valid_i && response_i.master == rf_bus_pkg::ReadWait &&
                   response_i.id[3:0] == slot;
  assign sample_data = sample_new && any_write ? write_data : word_q;

  always_ff @(posedge clk_i) if (running_q) begin
    if (begins || invalidates) true_q <= 1'b0;
    if (responses) out_q <= 1'b0;
    if (sample) sampled_q <= 1'b1;
    if (accepts) begin
      out_q     <= 1'b1;
      sampled_q <= 1'b0;
      true_q    <= held_q && !begins && !invalidates && read_o.vmid == vmid_q &&
                   read_o.va == address_q;
    end
    if (sample && !sampled_q) sample_q <= true_q && maps_q ? sample_data : sample_other;
  end
  always_comb if (responses) begin
    assume (out_q && sampled_q);
    if (response_i.status == rf_pkg::AccessStatusOk) assume (response_i.data == sample_q);
  end
  always_comb if (running_q && accepts) one_read_at_a_time: assert (!out_q);

  // --- no false release ---------------------------------------------------------------
  // Was such a value in the word, or performed and not yet snooped, since the wait
  // began or was translated anew? Only asked while the address lies at the word.
  logic reached_q, elsewhere_q, failing_q;
  logic renewed;
  assign renewed = begins || invalidated[slot];
  logic [63:0] asked;
  assign asked = begins ? comes : value_q;
  always_ff @(posedge clk_i) if (running_q) begin
    reached_q   <= (reached_q && !renewed) || word_q >= asked ||
                   (any_write && write_data >= asked) ||
                   (late_q != '0 && late0_q >= asked) || (late_q == 2'd2 && late1_q >= asked);
    elsewhere_q <= (elsewhere_q && !renewed) || !maps;
    failing_q   <= (failing_q && !begins) ||
                   (wait_translate_done_i && wait_translate_fault_i && look_true_q) ||
                   (responses && true_q && response_i.status != rf_pkg::AccessStatusOk);
  end


  always_comb if (running_q && releases) begin
    no_release_without_wait: assert (held_q && !cancels);
    if (release_failure_o.error == rf_pkg::QueueErrorNone) begin
      no_false_release: assert (reached_q || elsewhere_q);
    end else begin
      no_false_failure: assert (failing_q && release_failure_o.address == address_q);
    end
  end

  // --- no missed release --------------------------------------------------------------
  // Inside: what stands in the registers of the slot.
  logic is_active, is_inserted, wants, owns, offered_true, reads, compared;
  logic sample_reaches, translates, hits, judges, kept_local;
  logic [10:3]  kept_low;
  logic [54:11] kept_page;
  assign is_active    = active_q[slot];
  assign is_inserted  = inserted_q[slot];
  assign wants        = want_q[slot];
  assign owns         = own_q[slot];
  assign translates   = translating && translate_slot == slot;
  assign reads        = read_valid_o && read_o.id == {1'b0, slot};
  assign offered_true = read_o.vmid == vmid_q && read_o.va == address_q;
  assign sample_reaches = sample_q >= value_q;
  assign compared     = compared_slot == slot;
  assign hits         = hit && compared;
  assign judges       = judge && compared;

  (* hierconn *) wire [15:0]  \u_compare.match_q , \u_compare.left_q ;
  (* hierconn *) wire         \u_compare.any_match_q , \u_compare.compares_q , \u_compare.sees ;
  (* hierconn *) wire         \u_compare.match_reread_q , \u_compare.reread_q ;
  (* hierconn *) wire         \u_compare.watched_local ;
  (* hierconn *) wire [54:11] \u_compare.match_page_q , \u_compare.snoop_page_q ;
  (* hierconn *) wire [54:11] \u_compare.page_q ;
  (* hierconn *) wire [63:0]  \u_compare.match_data_q , \u_compare.data_q ;
  (* hierconn *) wire [3:0]   \u_compare.watch ;
  (* hierconn *) wire [10:3]  \u_compare.watched_low ;
  (* hierconn *) wire [3:0] \u_asked.watch , \u_compare.u_value.watch , \u_compare.u_page.watch ;
  (* hierconn *) wire [67:0] \u_asked.watched ;
  (* hierconn *) wire [63:0] \u_compare.u_value.watched ;
  (* hierconn *) wire [43:0] \u_compare.u_page.watched ;
  assign \u_asked.watch = slot;
  assign \u_compare.watch = slot;
  assign \u_compare.u_value.watch = slot;
  assign \u_compare.u_page.watch = slot;
  assign kept_local = \u_compare.watched_local ;
  assign kept_low   = \u_compare.watched_low ;
  assign kept_page  = \u_compare.u_page.watched ;

  // A snoop of the word that reaches the value, or a reread of it, is still to be compared, if the
  // slot's address lies there: the low bits were compared before. It matched a cycle ago, or is left
  // of an earlier one, or its comparison is made in this cycle.
  logic match_same, left_same, compare_same, match_tells, left_tells, compare_tells;
  logic rereading, response_here;
  assign match_same    = \u_compare.match_q [slot] &&
                         \u_compare.match_page_q == word_address[54:11];
  assign left_same     = \u_compare.left_q [slot] &&
                         \u_compare.snoop_page_q == word_address[54:11];
  assign compare_same  = \u_compare.compares_q && compared &&
                         \u_compare.snoop_page_q == word_address[54:11];
  assign match_tells   = match_same && !\u_compare.match_reread_q &&
                         \u_compare.match_data_q >= value_q;
  assign left_tells    = left_same && !\u_compare.reread_q && \u_compare.data_q >= value_q;
  assign compare_tells = compare_same && !\u_compare.reread_q && \u_compare.data_q >= value_q;
  assign rereading     = (match_same && \u_compare.match_reread_q ) ||
                         ((left_same || compare_same) && \u_compare.reread_q );
  assign response_here = response_q && compared;

  logic must_act; // the word lies there, is great enough, and the slot still waits
  assign must_act = is_active && maps_q && word_q >= value_q;

  always_comb if (running_q && must_act) begin
    no_missed_release: assert (
        wants ||                                                     // it will read
        (owns && (reads || !sampled_q || sample_reaches)) ||  // its read will tell
        match_tells || left_tells || compare_tells ||                // the snoop is telling
        (late_q != '0 && device_last_q) ||                           // the snoop will tell
        rereading || reread_due_q || notify_due_q);                  // it will read again
  end

  // --- no invalidation answered early -------------------------------------------------
  logic stale_q = 1'b0; // invalidated, and not read since
  always_ff @(posedge clk_i) if (running_q) begin
    stale_q <= invalidated[slot] ||
               (stale_q && !begins && !releases && !cancels && is_active &&
                !(responses && true_q));
  end
  always_comb if (running_q && stale_q && is_active) begin
    no_early_invalidation: assert (invalidate_busy_o);
  end

  // --- how the inside hangs together (what makes the above inductive) -----------------
  always_comb if (running_q) begin
    assert (held_q == is_active);
    assert (is_active || !(is_inserted || wants || owns || translate_q[slot] || refresh_q[slot]));
    assert (!translate_q[slot] || (wants && !is_inserted && !owns));
    assert (!is_active || is_inserted || wants);
    assert (!is_active || is_inserted || translate_q[slot] || translates || (fault_q && compared));
    assert (!translates || !is_inserted || translate_q[slot] || !is_active);
    assert (!owns || is_inserted);
    assert (!refresh_q[slot] || wants || owns);
    assert (!stale_q || !is_active || refresh_q[slot]);
    assert (!follows || translate_q[slot]);
    if (held_q) begin
      assert (\u_asked.watched == {vmid_q, address_q});
      assert (follows || \u_compare.u_value.watched == value_q);
    end
    if (is_inserted) begin
      assert ((kept_local == word_local && {kept_page, kept_low} == word_address) == maps_q);
    end

    // what was looked up: no place is inserted anew between its match and its comparison
    if (\u_compare.match_q [slot] || \u_compare.left_q [slot]) begin
      assert (is_inserted || !translates);
      assert (is_inserted || !is_active || translate_q[slot]);
    end
    assert (!(\u_compare.compares_q && (response_q || fault_q)) && !(response_q && fault_q));
    if (\u_compare.compares_q && compared) assert (\u_compare.sees == is_inserted);
    if (\u_compare.compares_q && compared && is_inserted) begin
      assert (place_value == value_q && \u_compare.page_q == kept_page);
    end
    if (response_here) assert (!reading_q[slot]);
    if (response_here && owns) begin
      assert (sampled_q && true_q && asked_va_q == address_q && place_value == value_q);
      if (status_q == rf_pkg::AccessStatusOk) assert (\u_compare.data_q == sample_q);
      else assert (failing_q);
    end
    if (fault_q && compared && is_active && !translate_q[slot]) begin
      assert (failing_q && status_q == rf_pkg::AccessStatusTranslation);
      assert (asked_va_q == address_q);
    end

    // translation
    assert ({1'b0, translating} ==
            {1'b0, wait_translate_valid_o} + {1'b0, looking_q} + {1'b0, fault_valid});
    if (translates && is_active && !translate_q[slot]) begin
      if (wait_translate_valid_o) begin
        assert (wait_translate_vmid_o == vmid_q && wait_translate_va_o == address_q[63:3]);
      end
      if (looking_q) assert (look_true_q);
      if (fault_valid) assert (failing_q);
    end

    // reads
    assert (reading_q[slot] == (out_q || reads));
    assert (!(out_q && reads));
    assert (!read_valid_o || !read_o.id[4]);
    assert (!(read_valid_o && wait_translate_valid_o));
    if (owns) assert (reads ? offered_true : (out_q || response_here) && true_q);

    // what was seen
    if (late_q != '0 && device_last_q) assert (word_q == (late_q == 2'd2 ? late1_q : late0_q));
    assert (late_q != 2'd3);
    if (held_q) begin
      if (word_q >= value_q) assert (reached_q);
      if (late_q != '0 && late0_q >= value_q) assert (reached_q);
      if (late_q == 2'd2 && late1_q >= value_q) assert (reached_q);
      if (!maps_q) assert (elsewhere_q);
    end
    if (is_inserted && maps_q && (match_tells || left_tells || compare_tells)) begin
      assert (reached_q);
    end
    if (hits) assert (reached_q || elsewhere_q);
    if (owns && !reads && sampled_q && sample_reaches) assert (reached_q || elsewhere_q);
  end

  // --- all this happens ---------------------------------------------------------------
  logic noticed_q = 1'b0, reread_hit_q = 1'b0, reread_q = 1'b0, invalidated_q = 1'b0;
  logic turned_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) begin
    noticed_q     <= !begins && (noticed_q || (is_inserted && maps_q && notify_i && owns));
    reread_hit_q  <= !begins && (reread_hit_q || (reread && compared && maps_q && owns));
    reread_q      <= !begins && (reread_q || (judges && !releases));
    turned_q      <= !begins && (turned_q || (\u_compare.left_q [slot] && !\u_compare.any_match_q ));
    invalidated_q <= !begins && (invalidated_q || (invalidated[slot] && owns));
  end
  always_comb if (running_q) begin
    release_by_snoop: cover (releases && hits && !reread_q && maps_q);
    compared_in_turn: cover (releases && hits && turned_q);
    read_instead: cover (overtaken[slot] && maps_q && left_tells);
    release_by_read: cover (releases && judges && sample_reaches && maps_q && !reread_q);
    release_by_notify: cover (releases && judges && sample_reaches && noticed_q && reread_q);
    release_by_reread: cover (releases && judges && sample_reaches && reread_hit_q && reread_q);
    reread_overtaken: cover (overtaken[slot] && left_same && \u_compare.reread_q );
    release_after_invalidation: cover (releases && judges && sample_reaches && invalidated_q);
    release_by_fault: cover (releases && fault_taken);
    response_dropped: cover (dropped[slot] && sample_reaches && maps_q);
    gone_meanwhile: cover (\u_compare.compares_q && compared && is_active && !is_inserted);
    stale_meanwhile: cover (response_here && is_active && !owns && sample_reaches);
    older_read_out: cover (out_q && !true_q && is_active && is_inserted);
    late_snoop: cover (late_q == 2'd2 && is_inserted && maps_q);
  end
