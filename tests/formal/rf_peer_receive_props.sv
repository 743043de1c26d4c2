// SPDX-License-Identifier: Apache-2.0
//
// No good word is forgotten: if it has the generation of its entry, the page of its fence, or every
// page, is read again after it came. Seen from one fence, any of them. Stands inside
// rf_peer_receive.
//
// Free: words, the wait unit, the entries.

  (* anyconst *) logic [5:0]  fence_index;

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);
  // The word of a cycle ago, which meets its entry now.
  logic        came_q = 1'b0, comes, reads, due_q = 1'b0;
  logic [63:0] came_word_q;
  always_ff @(posedge clk_i) begin
    came_q      <= running_q && word_valid_i && word_good_i;
    came_word_q <= word_i;
  end
  assign comes = came_q && entry_valid_i &&
                 came_word_q == {36'd0, generation_i, 9'd0, 1'b1, fence_index};
  assign reads = reread_all_o || (reread_valid_o && reread_ready_i &&
                                  reread_index_o == fence_index);
  always_ff @(posedge clk_i) if (running_q) due_q <= comes || (due_q && !reads);

  always_comb if (running_q) begin
    if (due_q) begin
      no_word_forgotten: assert (reread_all_o ||
                                 (reread_valid_o && reread_index_o == fence_index));
    end
    if (due_q || came_q) begin
      busy: assert (!idle_o);
    end
    if (came_q) begin
      assert (word_q && index_q == came_word_q[5:0] && generation_q == came_word_q[27:16]);
      assert (malformed_q == ((came_word_q & ~Meant) != '0 || !came_word_q[6]));
    end
    if (word_q && !malformed_q) assert (came_q);
  end

  // Nothing is read again for a word that is not good.
  logic was_good_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) was_good_q <= was_good_q || comes;
  always_comb if (running_q && reread_valid_o && reread_index_o == fence_index) begin
    no_read_for_nothing: assert (was_good_q);
  end
  always_comb if (running_q) begin
    one_event: assert ({1'b0, good_o} + {1'b0, stale_o} + {1'b0, malformed_o} == {1'b0, word_q});
  end

  logic waited_q = 1'b0;
  always_ff @(posedge clk_i) waited_q <= reread_valid_o && !reread_ready_i;
  always_comb if (running_q) begin
    read_late: cover (waited_q && reads && !reread_all_o);
    flooded: cover (due_q && reread_all_o && reread_index_o != fence_index);
    stale_word: cover (stale_o && index_q == fence_index);
  end
