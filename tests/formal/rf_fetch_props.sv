// SPDX-License-Identifier: Apache-2.0
//
// Reads of a node: each lies within an aligned line of 64 bytes, so within a page and the
// smallest read request that PCIe allows; and one that was offered stays.
//
// Free: the ring, buffers, responses, what is kept. As rf_node does: it loads the read pointer in the cycle
// before a start, when no read is in flight, says then whether to fetch the first entry, and asks
// for nothing between; the ring stays where it is from then on.

`default_nettype none

module rf_fetch_props (
  input wire logic clk_i,
  input wire logic rst_ni
);

  (* anyseq *) logic        load, start, first, resume, issue, read_ready, response_valid;
  (* anyseq *) logic        buffer_look, buffer_ready, word_ready, many;
  (* anyseq *) logic [60:0] position;
  (* anyseq *) logic [28:0] words;
  (* anyseq *) logic [12:0] read_pointer, write_pointer;
  (* anyseq *) logic [3:0]  vmid;
  (* anyseq *) logic [63:4] ring_base;
  (* anyseq *) logic [11:0] ring_mask;
  (* anyseq *) rf_bus_pkg::read_response_t response;
  (* anyseq *) rf_bus_pkg::kept_words_t kept;
  logic read_valid;
  rf_bus_pkg::read_request_t read;
  logic [63:0] va;
  assign va = read.va;

  rf_fetch u_fetch (
    .clk_i, .rst_ni, .load_i(load), .start_i(start), .first_i(first), .resume_i(resume),
    .position_i(position), .words_i(words),
    .many_i(words[28:5] != '0 || (words[4] && many)), .issue_i(issue), .drained_o(),
    .kept_i(kept), .fetched_o(),
    .read_pointer_i(read_pointer), .write_pointer_i(write_pointer), .vmid_i(vmid),
    .ring_base_i(ring_base), .ring_mask_i(ring_mask),
    .read_valid_o(read_valid), .read_ready_i(read_ready), .read_o(read),
    .response_valid_i(response_valid), .response_i(response),
    .buffer_valid_o(), .buffer_look_i(buffer_look), .buffer_ready_i(buffer_ready && buffer_look),
    .buffer_address_o(), .buffer_failure_o(), .buffer_more_o(), .buffer_words_o(),
    .word_valid_o(), .word_ready_i(word_ready), .word_o(), .word_used_o(), .word_left_o(),
    .word_failure_o(), .reads_o());

  logic        running_q = 1'b0, held_q = 1'b0, loaded_q = 1'b0, going_q = 1'b0;
  logic        first_q = 1'b0;  // the first entry is fetched with this start
  logic [63:4] base_q;
  logic [11:0] mask_q;
  rf_bus_pkg::read_request_t read_q;
  always_ff @(posedge clk_i) begin
    running_q <= rst_ni;
    held_q    <= rst_ni && read_valid && !read_ready;
    read_q    <= read;
    base_q    <= ring_base;
    mask_q    <= ring_mask;
    loaded_q  <= rst_ni && load;
    first_q   <= rst_ni && first;
    going_q   <= rst_ni && (start || (going_q && !load)); // started, and not loaded since
  end
  // The request that stands in the register, asked for or refused a cycle ago.
  (* hierconn *) wire \u_fetch.asks_q , \u_fetch.free_q ;
  (* hierconn *) wire [79:0] \u_fetch.request_q ;
  rf_bus_pkg::read_request_t request;
  logic [63:0] request_va;
  assign request    = \u_fetch.request_q ;
  assign request_va = request.va;
  always_comb begin
    if (start) assume (loaded_q && \u_fetch.free_q );
    if (first_q) assume (start);
    if (!going_q || load) assume (!issue || start);
    if (going_q) assume (ring_base == base_q && ring_mask == mask_q);
    if (start) assume (!issue);
  end

  always_comb if (rst_ni && read_valid) begin
    within_a_line: assert ({4'd0, va[5:3]} + read.words <= 7'd8);
    if (held_q) offer_stays: assert (read.vmid == read_q.vmid && read.va == read_q.va &&
                                     read.words == read_q.words && read.id == read_q.id);
  end
  always_comb if (rst_ni && held_q) stays_valid: assert (read_valid);

  // --- the inside ---------------------------------------------------------------------------
  (* hierconn *) wire [1:0]  \u_fetch.settled_q , \u_fetch.in_line ;
  (* hierconn *) wire [2:0]  \u_fetch.entries_q ;
  (* hierconn *) wire        \u_fetch.ring_next_q , \u_fetch.more_q ,
      \u_fetch.last_q ;
  (* hierconn *) wire [28:0] \u_fetch.left_q ;
  (* hierconn *) wire [60:0] \u_fetch.address_q ;
  (* hierconn *) wire [3:0]  \u_fetch.length_q ;
  logic [28:0] rest; // of the line
  assign rest = 29'd8 - {26'd0, \u_fetch.address_q [2:0]};
  always_comb if (rst_ni) begin
    if (held_q) held_as_offered: assert (!\u_fetch.free_q && request_va == read_q.va &&
                                         request.words == read_q.words);
    asks: assert (\u_fetch.asks_q == (!\u_fetch.free_q || first_q));
    if (!\u_fetch.free_q ) held_in_a_line: assert ({4'd0, request_va[5:3]} + request.words <= 7'd8);
    if (going_q && \u_fetch.settled_q [0]) begin
      entries_in_line: assert ({2'd0, \u_fetch.in_line } + {1'd0, \u_fetch.entries_q } <= 4'd4);
    end
    if (going_q && \u_fetch.ring_next_q ) next_is_settled: assert (\u_fetch.settled_q [1]);
    if (going_q) settled_once: assert (\u_fetch.settled_q != 2'b10);
    if (loaded_q) one_entry: assert (\u_fetch.entries_q == 3'd1);
    if (\u_fetch.more_q ) begin
      more_is_left: assert (\u_fetch.left_q != '0);
      last_of_buffer: assert (\u_fetch.last_q == (\u_fetch.left_q <= rest));
      words_of_chunk: assert ({25'd0, \u_fetch.length_q } ==
                              (\u_fetch.last_q ? \u_fetch.left_q : rest));
    end
  end

  // Of each entry whose words are still to be asked for, its first chunk stands beside it.
  (* hierconn *) wire [8*96-1:0] \u_fetch.u_entries.watched ;
  (* hierconn *) wire [3:0]      \u_fetch.entry_write_q , \u_fetch.entry_chunk_q ,
                                 \u_fetch.chunk_count ;
  logic [7:0] first_right;
  for (genvar e = 0; e < 8; e++) begin : gen_entry
    logic [95:0] entry;
    logic [28:0] entry_rest;
    logic [2:0]  behind;   // entries between the one asked for next and this one
    assign entry      = \u_fetch.u_entries.watched [e*96 +: 96];
    assign entry_rest = 29'd8 - {26'd0, entry[36:34]};
    assign behind     = 3'(e) - \u_fetch.entry_chunk_q [2:0];
    assign first_right[e] = {1'b0, behind} >= \u_fetch.chunk_count || entry[95] ||
                            (entry[4] == (entry[33:5] <= entry_rest) &&
                             {25'd0, entry[3:0]} == (entry[4] ? entry[33:5] : entry_rest));
  end
  always_comb if (rst_ni) first_of_entries: assert (first_right == '1);

  always_comb if (rst_ni) begin
    four_entries: cover (read_valid && read.id == 5'd8 && read.words == 7'd8);
    eight_words: cover (read_valid && read.id != 5'd8 && read.words == 7'd8);
  end

endmodule

`default_nettype wire
