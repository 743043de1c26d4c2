// SPDX-License-Identifier: Apache-2.0
//
// No good word is forgotten: the page of its fence, or every page, is read again after it came.
// Seen from one fence, any of them. Stands inside rf_peer_receive.
//
// Free: words, the wait unit, the entries of other fences. Assumed: the entry of this one is valid
// and has one generation.

  (* anyconst *) logic [5:0]  fence_index;
  (* anyconst *) logic [11:0] fence_generation;

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);
  always_comb if (word_q && index_q == fence_index) begin
    assume (entry_valid_i && generation_i == fence_generation);
  end

  logic comes, reads, due_q = 1'b0;
  assign comes = word_valid_i && word_good_i &&
                 word_i == {36'd0, fence_generation, 9'd0, 1'b1, fence_index};
  assign reads = reread_all_o || (reread_valid_o && reread_ready_i &&
                                  reread_index_o == fence_index);
  always_ff @(posedge clk_i) if (running_q) due_q <= comes || (due_q && !reads);

  logic judged;
  assign judged = word_q && !malformed_q && index_q == fence_index &&
                  generation_q == fence_generation;
  always_comb if (running_q && due_q) begin
    no_word_forgotten: assert (judged || reread_all_o ||
                               (reread_valid_o && reread_index_o == fence_index));
    busy: assert (!idle_o);
  end

  // Nothing is read again for a word that is not good.
  logic was_good_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) was_good_q <= was_good_q || comes;
  always_comb if (running_q && reread_valid_o && reread_index_o == fence_index) begin
    no_read_for_nothing: assert (was_good_q);
  end
  always_comb if (running_q) begin
    if (judged) assert (was_good_q);
    one_event: assert ({1'b0, good_o} + {1'b0, stale_o} + {1'b0, malformed_o} == {1'b0, word_q});
  end

  logic waited_q = 1'b0;
  always_ff @(posedge clk_i) waited_q <= reread_valid_o && !reread_ready_i;
  always_comb if (running_q) begin
    read_late: cover (waited_q && reads && !reread_all_o);
    flooded: cover (due_q && reread_all_o && reread_index_o != fence_index);
    stale_word: cover (stale_o && index_q == fence_index);
  end
