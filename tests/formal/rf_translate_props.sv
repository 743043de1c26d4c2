// SPDX-License-Identifier: Apache-2.0
//
// Translations are those of the page tables, and after an invalidation of those read behind
// it. Stands inside rf_translate, behind rf_translate_stages.sv.
//
// Of any page of any VMID, and load or store, and of any `target`: either memory's page, or
// a table's. allows_q says that a leaf was read that lets the page be there, reached_q[level]
// that an entry read, or ROOT, names the target as table of that level for the page. They are
// forgotten when the host writes INVALIDATE for the page, any one time, and then
// only what is read behind the beginning of the round counts. Each read is from a reached
// table, with the index of the page (`reads_from_the_table`, `reads_the_index`), each response is
// allowed (`response_is_allowed`); since the target is any, together they are a chain from ROOT to
// the response, each link read behind the invalidation.
//
// Free: requests, order and latency of reads, what the tables hold, registers, how
// long accesses with an older translation are in flight. Assumed: entries come of reads that
// are out; FIRST and LAST are written while INVALIDATE reads 0.

  // --- what an entry says, by the specification -------------------------------------------
  localparam int unsigned V = rf_pkg::PageTableEntryValidLsb;
  localparam int unsigned R = rf_pkg::PageTableEntryReadLsb;
  localparam int unsigned W = rf_pkg::PageTableEntryWriteLsb;
  localparam int unsigned X = rf_pkg::PageTableEntryExecuteLsb;
  localparam int unsigned A = rf_pkg::PageTableEntryAccessedLsb;
  localparam int unsigned D = rf_pkg::PageTableEntryDirtyLsb;

  function automatic logic exists(input logic [43:0] where);
    exists = !where[43] || where[42:LocalMemoryLog2-12] == '0;
  endfunction

  function automatic logic is_table(input logic [63:0] entry);
    is_table = entry[V] && !entry[R] && !entry[W] && !entry[X] && entry[63:54] == '0 &&
               exists(entry[53:10]);
  endfunction

  // Where the page is if the entry is a leaf.
  function automatic logic [43:0] leads_to(input logic [63:0] entry, input logic [1:0] level,
                                           input logic [39:12] virtual);
    leads_to = entry[53:10];
    if (level == 2'd1) leads_to[8:0] = virtual[20:12];
    if (level == 2'd2) leads_to[17:0] = virtual[29:12];
  endfunction

  function automatic logic lets(input logic [63:0] entry, input logic [1:0] level,
                                input logic [39:12] virtual, input logic store);
    lets = entry[V] && entry[R] && entry[A] && (!store || (entry[W] && entry[D])) &&
           entry[63:54] == '0 && exists(leads_to(entry, level, virtual)) &&
           (level != 2'd1 || entry[18:10] == '0) && (level != 2'd2 || entry[27:10] == '0);
  endfunction

  // Do two pages of a VMID share the table that an entry of this level names?
  function automatic logic shares(input logic [1:0] level, input logic [39:12] virtual);
    shares = level == 2'd3 || (level == 2'd2 && virtual[38:30] == place[38:30]) ||
             (level == 2'd1 && virtual[38:21] == place[38:21]);
  endfunction

  function automatic logic sound(input logic [39:12] virtual);  // canonical
    sound = virtual[39] == virtual[38];
  endfunction

  // --- the host: ranges, roots, an invalidation ----------------------------------------------
  logic [16:3] register_address;
  logic [63:0] register_data;
  logic [7:0]  register_strobe;
  logic        register_write, range_written, first_written, last_written, root_written;
  logic        invalidated, covered;
  (* anyseq *) logic choose;
  (* hierconn *) wire         \u_control.invalidate_q ;
  (* hierconn *) wire [15:0]  \u_control.invalidate_vmids_q ;
  (* hierconn *) wire         \u_control.requested_whole_q , \u_control.active_whole_q ;
  (* hierconn *) wire [38:12] \u_control.first_q , \u_control.last_q ;
  (* hierconn *) wire [16*20-1:0] \u_control.u_root_low.watched ;
  (* hierconn *) wire [16*24-1:0] \u_control.u_root_high.watched ;
  (* hierconn *) wire [15:0]  \u_control.root_valid_q ;
  logic [38:12] from_q, to_q;
  logic [43:0]  root_q;
  logic         rooted_q;
  logic         chosen_q, restarted_q, flushed_q;  // the invalidation: written, begun, flushed
  logic         chosen_d, flushed, clean, round_sweeps;

  assign register_address = register_i.address;
  assign register_data    = register_i.data;
  assign register_strobe  = register_i.strobe;
  assign register_write   = register_i.valid && register_i.write;
  assign first_written = register_write &&
                         register_address == rf_pkg::RegTranslationInvalidateFirst[16:3];
  assign last_written  = register_write &&
                         register_address == rf_pkg::RegTranslationInvalidateLast[16:3];
  assign range_written = first_written || last_written;
  assign root_written  = register_write &&
                         {register_address, 3'd0} == rf_pkg::RegTranslationRoot +
                                                     {10'd0, space, 3'd0};
  assign invalidated   = register_write && register_strobe[1:0] == 2'b11 &&
                         register_address == rf_pkg::RegTranslationInvalidate[16:3] &&
                         register_data[space];
  assign covered       = place[38:12] >= from_q && place[38:12] <= to_q;
  assign chosen_d      = chosen_q || (choose && invalidated && covered);
`ifdef COVERS
  always_comb begin
    assume (!register_i.valid || (register_i.strobe == '1 && (root_written || invalidated ||
                                                              !register_i.write)));
  end
`endif
  assign flushed       = flushed_q || (restarted_q && flush_o);
  assign clean         = !chosen_q || restarted_q;
  assign round_sweeps  = chosen_q ? restarted_q && !flushed_q : !reset_flushed_q;
  always_comb begin
    // it read that the one before is done
    if (range_written) begin
      assume (!\u_control.invalidate_q && (\u_control.requested_q | \u_control.active_q ) == '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      from_q      <= '0;
      to_q        <= '1;
      rooted_q    <= 1'b0;
      chosen_q    <= 1'b0;
      restarted_q <= 1'b0;
      flushed_q   <= 1'b0;
    end else begin
      if (first_written && register_strobe[3:0] != '0) from_q[31:12] <= register_data[31:12];
      if (first_written && register_strobe[7:4] != '0) from_q[38:32] <= register_data[38:32];
      if (last_written && register_strobe[3:0] != '0) to_q[31:12] <= register_data[31:12];
      if (last_written && register_strobe[7:4] != '0) to_q[38:32] <= register_data[38:32];
      if (root_written && register_strobe[3:0] != '0) rooted_q <= register_data[0];
      chosen_q    <= chosen_d;
      restarted_q <= restarted_q || (chosen_q && restart);
      flushed_q   <= flushed;
    end
  end

  always_ff @(posedge clk_i) begin
    if (root_written && register_strobe[3:0] != '0) root_q[19:0] <= register_data[31:12];
    if (root_written && register_strobe[7:4] != '0) root_q[43:20] <= register_data[55:32];
  end

  always_comb begin
    if (!running_q) begin
      assume (root_q == {\u_control.u_root_high.watched [space*24 +: 24],
                         \u_control.u_root_low.watched [space*20 +: 20]});
    end else begin
      range_stands: assert (from_q == \u_control.first_q && to_q == \u_control.last_q );
      root_stands: assert (root_q == {\u_control.u_root_high.watched [space*24 +: 24],
                                      \u_control.u_root_low.watched [space*20 +: 20]} &&
                           rooted_q == \u_control.root_valid_q [space]);
    end
  end

  always_comb if (running_q) begin
    in_turn: assert ((chosen_q || !restarted_q) && (restarted_q || !flushed_q));
    if (chosen_q && !restarted_q) begin
      asked_for: assert ((\u_control.invalidate_q && \u_control.invalidate_vmids_q [space] &&
                          covered) ||
                         (\u_control.requested_q [space] &&
                          (\u_control.requested_whole_q || covered)));
    end
    if (restarted_q && !flushed_q) begin
      under_way: assert (\u_control.active_q [space] &&
                         (\u_control.state_q == Sweeps || \u_control.state_q == Flushes));
    end
    if (restarted_q && (!flushed_q || \u_control.state_q == Settles)) begin
      range_of_the_round: assert (flushed_q || \u_control.active_whole_q || covered);
    end
    if (!reset_flushed_q) begin
      reset_sweeps_all: assert (\u_control.active_whole_q && !restarted_q);
    end
  end

  // What the accesses in flight need to know: rounds one after the other, each drained.
  // Elder: reads of the page tables that the beginning of the round finds on offer or out.
  logic round_q, settled_q, epoch_seen_q, drained_q, read_q, in_flight;
  logic [1:0] elder_q, offered;
  assign in_flight  = old_in_flight_i || \u_walker.old_q != '0;
  assign offered    = read_valid_o ? 2'd1 << read_id_o : 2'd0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      round_q      <= 1'b0;
      settled_q    <= 1'b0;
      epoch_seen_q <= 1'b0;
      drained_q    <= 1'b0;
      read_q       <= 1'b0;
      elder_q      <= '0;
    end else begin
      epoch_seen_q <= epoch_o;
      settled_q    <= round_q && (!settled_q || in_flight || invalidate_busy_i);
      if (flush_o) round_q <= 1'b1;
      else if (settled_q && !in_flight && !invalidate_busy_i) round_q <= 1'b0;
      drained_q    <= drained_q || (flushed_q && settled_q && !in_flight && !invalidate_busy_i);
      elder_q      <= (chosen_q && restart && !restarted_q ? reading_q | offered : elder_q) &
                      ~returned;
      read_q       <= register_i.valid && !register_i.write &&
                      register_address == rf_pkg::RegTranslationInvalidate[16:3];
    end
  end
  always_comb if (running_q) begin
    one_round_at_a_time: assert (!(flush_o && round_q));
    epoch_turns: assert (epoch_o == (epoch_seen_q ^ was_flush_q));
    if (flush_o && restarted_q && !flushed_q) invalidate_is_told: assert (invalidate_o[space]);
    if (read_q && chosen_q && !register_data_o[space]) begin
      done_when_drained: assert (flushed_q && drained_q);
      no_read_of_older_tables: assert (elder_q == '0);
    end
    for (int unsigned i = 0; i < 2; i++) begin
      if (elder_q[i]) assert (restarted_q && !drained_q && \u_walker.old_q [i] &&
                              (reading_q[i] || offered[i]));
    end
    round_stands: assert (round_q == (\u_control.state_q == Settles ||
                                      \u_control.state_q == Drains) &&
                          settled_q == (\u_control.state_q == Drains));
    if (flushed_q && !drained_q) begin
      assert (round_q && \u_control.active_q [space]);
    end
    if (drained_q) assert (flushed_q);
  end

  // --- reads of the page tables -----------------------------------------------------------
  (* hierconn *) wire          \u_walker.last_hit ;
  (* hierconn *) wire [1:0]    \u_walker.step_level_q , \u_walker.result_level_o ;
  (* hierconn *) wire [63:0]   \u_walker.step_entry_q ;
  (* hierconn *) wire [15:0]   \u_walker.last_valid_q ;
  (* hierconn *) wire [16*62-1:0] \u_walker.u_last.watched ;

  logic [1:0] counts_q;                    // handed over behind the beginning of the round
  logic [2:0] reached_q;
  logic       allows_q;
  logic [1:0] entry_level;
  logic [36:0] entry_context;
  logic       entry_ours, entry_counts;

  assign entry_level   = \u_walker.level_q [entry_id_i*2 +: 2];
  assign entry_context = \u_walker.u_context.watched [entry_id_i*37 +: 37];
  assign entry_ours    = entry_context[36:33] == space;
  assign entry_counts  = entry_valid_i && entry_ready_o && entry_good_i && counts_q[entry_id_i] &&
                         entry_ours;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counts_q  <= '0;
      reached_q <= '0;
      allows_q  <= 1'b0;
    end else begin
      if (chosen_d && !chosen_q) begin
        counts_q  <= '0;
        reached_q <= '0;
        allows_q  <= 1'b0;
      end else begin
        counts_q <= (counts_q & ~returned) |
                    (hand_over & ~\u_walker.old_q & {2{clean}});
        if (rooted_q && root_q == target && exists(target)) reached_q[2] <= 1'b1;
        if (entry_counts && is_table(entry_i) && entry_i[53:10] == target) begin
          if (entry_level == 2'd2 && shares(2'd2, entry_context[28:1])) reached_q[1] <= 1'b1;
          if (entry_level == 2'd1 && shares(2'd1, entry_context[28:1])) reached_q[0] <= 1'b1;
        end
        if (entry_counts && lets(entry_i, entry_level, place, stores) &&
            leads_to(entry_i, entry_level, place) == target && entry_context[28:1] == place) begin
          allows_q <= 1'b1;
        end
      end
    end
  end

  // --- walks ------------------------------------------------------------------------------
  for (genvar w = 0; w < 2; w++) begin : gen_walk
    logic [36:0]  context;
    logic [3:0]   vmid;
    logic [39:12] virtual;
    logic         store, busy, old, in_step, in_read, in_result, fresh, ours;
    logic [1:0]   level;
    assign context   = \u_walker.u_context.watched [w*37 +: 37];
    assign vmid      = context[36:33];
    assign virtual   = context[28:1];
    assign store     = context[0];
    assign busy      = \u_walker.busy_q [w];
    assign old       = \u_walker.old_q [w];
    assign level     = \u_walker.level_q [w*2 +: 2];
    assign in_step   = \u_walker.step_valid_q && \u_walker.step_walk_q == w;
    assign in_read   = \u_walker.out_read_q && \u_walker.out_walk_q == w;
    assign in_result = \u_walker.out_result_q && \u_walker.out_walk_q == w;
    assign fresh     = clean && !old;
    assign ours      = vmid == space;
    always_comb if (running_q) begin
      if (busy) assert (\u_walker.u_again_vmid.watched [w*4 +: 4] == vmid);
      if (counts_q[w]) assert (reading_q[w]);
      if ((in_step && \u_walker.step_level_q != 2'd3) || reading_q[w] || in_read ||
          (in_result && !result_fault)) begin
        assert (sound(virtual));
      end
      if (in_step && \u_walker.step_level_q == 2'd3) begin
        assert (\u_walker.step_entry_q [63:54] == '0 &&
                                 \u_walker.step_entry_q [9:1] == '0);
      end
      if (in_read) begin
        assert (\u_walker.result_level_o != 2'd0 &&
                                level == \u_walker.result_level_o - 2'd1);
        assert (read_address_o[11:3] ==
                                 (level == 2'd2 ? virtual[38:30] :
                                  level == 2'd1 ? virtual[29:21] : virtual[20:12]));
        if (fresh && ours && shares(\u_walker.result_level_o , virtual) &&
            {read_local_o, read_address_o[54:12]} == target) begin
          assert (reached_q[level]);
        end
      end
      if (reading_q[w]) begin
        assert (level != 2'd3);
        if (fresh) assert (counts_q[w]);
      end
      if (in_step && fresh && ours && \u_walker.step_good_q ) begin
        if (\u_walker.step_level_q != 2'd0 && is_table(\u_walker.step_entry_q ) &&
            \u_walker.step_entry_q [53:10] == target &&
            shares(\u_walker.step_level_q , virtual)) begin
          assert (reached_q[\u_walker.step_level_q - 2'd1]);
        end
        if (\u_walker.step_level_q != 2'd3 && virtual == place &&
            lets(\u_walker.step_entry_q , \u_walker.step_level_q , place, stores) &&
            leads_to(\u_walker.step_entry_q , \u_walker.step_level_q , place) == target) begin
          assert (allows_q);
        end
      end
      if (in_result && !result_fault) begin
        if (store) assert (result_writable);
        if (fresh && ours && virtual == place && {result_local, result_page} == target &&
            (result_writable || !stores)) begin
          assert (allows_q);
        end
      end
    end
  end

  logic [3:0]  last_at;
  logic [61:0] last_entry;
  assign last_at    = place[24:21] ^ space;
  assign last_entry = \u_walker.u_last.watched [last_at*62 +: 62];
  always_comb if (running_q) begin
    if (clean && \u_walker.last_valid_q [last_at] &&
        last_entry == {space, place[38:25], target}) begin
      last_table_is_reached: assert (reached_q[0]);
    end
  end

  // --- lookups and results go through the stages ----------------------------------------------
  (* hierconn *) wire [3:0]        \u_tlb.vmid_q ;
  (* hierconn *) wire [39:12]      \u_tlb.page_q ;
  (* hierconn *) wire [2*S-1:0]    \u_tlb.sets , \u_tlb.set2_q ;
  (* hierconn *) wire              \u_tlb.store_q , \u_tlb.fill_q , \u_tlb.sweep_q ,
      \u_tlb.fill2_q , \u_tlb.sweep2_q ;
  (* hierconn *) wire [30-S:0]     \u_tlb.write_tag_q ;
  (* hierconn *) wire [1:0]        \u_tlb.write ;
  function automatic logic [2*S-1:0] sets(input logic [3:0] vmid, input logic [2*S-1:0] page);
    sets = {page[2*S-1:S], {S{1'b0}}} ^ {2{page[S-1:0]}} ^ {2{{(S-4){1'b0}}, vmid}};
  endfunction
  logic [2*S-1:0] result_sets;
  assign result_sets = sets(result_vmid, result_virtual[12 +: 2*S]);

  always_comb if (running_q) begin
    if (\u_tlb.sweep_q ) assert (blocked_q == '1);
    if (\u_tlb.sweep_q || \u_tlb.sweep2_q ) assert (!lookup_q);
    if (flush_o || (sweep && \u_control.set_q != '0)) assert (\u_tlb.sweep_q );
    if (was_flush_q) assert (\u_tlb.sweep2_q );
    if (flush_o || (sweep && \u_control.set_q != '0)) assert (\u_tlb.sweep_q );
    assert (\u_tlb.fill_q == (result1_q && !result_fault) &&
            \u_tlb.fill2_q == (result2_q && !result_fault));
    if (result1_q) begin
      assert (\u_tlb.vmid_q == result_vmid && \u_tlb.page_q == result_virtual &&
              \u_tlb.sets == result_sets);
    end
    if (result2_q) begin
      assert (\u_tlb.write_tag_q == {result_vmid, result_virtual[38:12+S]} &&
              \u_tlb.set2_q == result_sets);
    end
    if (lookup_q) begin
      assert (!\u_tlb.sweep_q && \u_tlb.vmid_q == request_q[32:29] &&
              \u_tlb.page_q == request_q[28:1] && \u_tlb.store_q == request_q[0] &&
              \u_tlb.sets == sets(request_q[32:29], request_q[1 +: 2*S]));
    end
  end

  // --- what the TLB holds ---------------------------------------------------------------------
  (* hierconn *) wire [16*(34-S)-1:0] \u_tlb.gen_way[0].gen_bank[0].u_tag.watched ,
      \u_tlb.gen_way[0].gen_bank[1].u_tag.watched ,
      \u_tlb.gen_way[1].gen_bank[0].u_tag.watched ,
      \u_tlb.gen_way[1].gen_bank[1].u_tag.watched ;
  (* hierconn *) wire [S-1:0] \u_tlb.gen_way[0].u_data.watch , \u_tlb.gen_way[1].u_data.watch ;
  (* hierconn *) wire [47:0]  \u_tlb.gen_way[0].u_data.watched ,
      \u_tlb.gen_way[1].u_data.watched ;
  logic [2*S-1:0]    place_sets;
  logic [2*2*16*(34-S)-1:0] tags;
  logic [2*48-1:0]   kept;
  logic [1:0]        wrong;
  assign place_sets = sets(space, place[12 +: 2*S]);
  assign tags = {\u_tlb.gen_way[1].gen_bank[1].u_tag.watched ,
                 \u_tlb.gen_way[1].gen_bank[0].u_tag.watched ,
                 \u_tlb.gen_way[0].gen_bank[1].u_tag.watched ,
                 \u_tlb.gen_way[0].gen_bank[0].u_tag.watched };
  assign \u_tlb.gen_way[0].u_data.watch = place_sets[S-1:0];
  assign \u_tlb.gen_way[1].u_data.watch = place_sets[2*S-1:S];
  assign kept = {\u_tlb.gen_way[1].u_data.watched , \u_tlb.gen_way[0].u_data.watched };

  for (genvar w = 0; w < 2; w++) begin : gen_kept
    logic [S-1:0]  set;
    logic [33-S:0] tag;                    // {occupied, writable, local, tag}
    logic          coming, passes, writes;
    assign set      = place_sets[w*S +: S];
    assign tag      = tags[(w*32 + set)*(34-S) +: 34-S];
    assign wrong[w] = tag[33-S] && tag[30-S:0] == {space, place[38:12+S]} && sound(place) &&
                      (tag[32-S] || !stores) && {tag[31-S], kept[w*48 +: 43]} == target &&
                      !allows_q;
    // The sweep of the round comes to it, is there, writes.
    assign coming   = round_sweeps && sweep && \u_control.set_q <= set;
    assign passes   = round_sweeps && \u_tlb.sweep_q && \u_tlb.sets [w*S +: S] == set;
    assign writes   = \u_tlb.sweep2_q && \u_tlb.set2_q [w*S +: S] == set && \u_tlb.write [w];
    always_comb if (running_q && clean && wrong[w]) begin
      assert (coming || passes || writes);
    end
  end

  always_comb if (running_q) begin
    if (response_valid_o && !response_fault_o && answered_request == {space, place, stores} &&
        {response_local_o, response_page_o} == target && (flushed || !chosen_q)) begin
      response_is_allowed: assert (allows_q);
    end
  end

  // --- all this happens ----------------------------------------------------------------------------
  logic ours, hit_ours;                    // the request looked at is answered with the target
  assign ours     = response_valid_o && !response_fault_o && answered_request == {space, place, stores} &&
                    {response_local_o, response_page_o} == target;
  logic was_ours_q = 1'b0;
  always_ff @(posedge clk_i) was_ours_q <= was_ours_q || (ours && result2_q);
  assign hit_ours = ours && !result2_q && allows_q;
  always_comb if (running_q) begin
    answered_by_a_walk: cover (ours && result2_q && !chosen_q);
    answered_by_the_last_table: cover (response_valid_o && !response_fault_o && response_level_o == 2'd0 &&
                                       result2_q);
    answered_by_the_tlb: cover (hit_ours && stores && !chosen_q);
    fault_of_a_store: cover (response_valid_o && response_fault_o && answered_request[0] && response_level_o == 2'd2);
    read_from_the_last_table: cover (\u_walker.last_hit && \u_walker.takes &&
                                     !\u_walker.asked_store_q );
    walk_begins_again: cover (chosen_q && \u_walker.redo_q != '0);
    old_one_in_the_tlb: cover (restarted_q && reset_flushed_q && wrong[1] && was_ours_q && sweep);
    allowed_behind_the_invalidation: cover (ours && flushed_q && result2_q);
    invalidation_is_done: cover (read_q && chosen_q && !register_data_o[space]);
  end
