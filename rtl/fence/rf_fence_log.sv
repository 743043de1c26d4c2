// SPDX-License-Identifier: Apache-2.0
//
// The log of the operation that rf_fence_write issues: where its entry and its header's word
// {WraparoundCount, FirstFreeEntryIndex} go, and the state of the log behind it (S0-106 .. S0-113).
// The word strictly increases whatever index user mode names: an index below FirstFreeEntryIndex
// counts as a wrap, and so does the last entry. If the value failed, the word is the old one.
//
// Cycles: state and index with load_i, which tells beyond_o; the address of the log with
// base_load_i, at least one later; the addresses in the cycle behind that, rest_o in the next.
// word_o stands two cycles behind load_i, and follows value_failed_i one later. The new state is
// offered from the cycle after sent_i on and stays until it is taken.

`default_nettype none

module rf_fence_log (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        load_i,         // index and state are these
  input  wire logic [15:0] index_i,
  input  wire logic        base_load_i,    // the word of the lookup is the log's address
  input  wire logic [63:0] lookup_word_i,
  input  wire logic        value_failed_i,

  output logic             beyond_o,       // with load_i: there is no such entry
  output logic [63:6]      base_o,         // header
  output logic [39:3]      entry_o,        // entry; the bits above are base_o's
  output logic             split_o,        // it crosses the end of a page:
  output logic [2:0]       first_words_o,  // so many words are before that,
  output logic [39:3]      rest_o,         // the others here
  output logic [63:0]      word_o,         // of the header

  input  wire logic        sent_i,         // the header's word is sent, behind a value performed
  input  wire logic [4:0]  log_i,          // {signal, slot}
  output logic             store_valid_o,
  input  wire logic        store_ready_i,
  output logic [4:0]       store_log_o,
  output logic [63:0]      store_state_o
);

  localparam logic [2:0] HeaderWords = 3'd5;

  logic [63:6] base_q;
  logic [21:3] offset_q;       // of the entry in its log
  logic [39:3] entry_q;
  logic [15:0] index_q, entries_q, free_q;
  logic [31:0] wraps_q;
  logic [39:12] behind_page_q; // the page behind that of the entry

  // --- where ------------------------------------------------------------------------------
  assign beyond_o      = index_i >= lookup_word_i[31:16];
  assign base_o        = base_q;
  assign entry_o       = entry_q;
  // From one of the last five words of a page, fewer than EntryWords are left.
  assign split_o       = (&entry_q[11:6]) && entry_q[5:3] > 3'd2;
  assign first_words_o = -entry_q[5:3];
  assign rest_o        = {behind_page_q, 9'd0};

  always_ff @(posedge clk_i) begin
    if (base_load_i) begin
      base_q  <= lookup_word_i[63:6];
      entry_q <= {lookup_word_i[39:6], 3'd0} + {18'd0, offset_q};
    end
    behind_page_q <= entry_q[39:12] + 1'b1;
    if (load_i) begin
      index_q   <= index_i;
      offset_q  <= {1'b0, index_i, 2'd0} + {2'd0, index_i, 1'd0} + {16'd0, HeaderWords};
      wraps_q   <= lookup_word_i[63:32];
      entries_q <= lookup_word_i[31:16];
      free_q    <= lookup_word_i[15:0];
    end
  end

  // --- the counters ------------------------------------------------------------------------
  logic [15:0] behind, new_free_q;
  logic [31:0] new_wraps_q;
  logic        below_q, last_q;
  assign behind = index_q + 1'b1;
  assign word_o = {new_wraps_q, 16'd0, new_free_q};
  always_ff @(posedge clk_i) begin
    below_q     <= index_q < free_q;
    last_q      <= behind == entries_q;
    new_free_q  <= value_failed_i ? free_q : last_q ? '0 : behind;
    new_wraps_q <= wraps_q + {31'd0, below_q && !value_failed_i} +
                   {31'd0, last_q && !value_failed_i};
  end

  // --- the new state -----------------------------------------------------------------------
  logic store_q;
  assign store_valid_o = store_q;
  assign store_log_o   = log_i;
  assign store_state_o = {new_wraps_q, entries_q, new_free_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) store_q <= 1'b0;
    else store_q <= (store_q && !store_ready_i) || sent_i;
  end

endmodule

`default_nettype wire
