// SPDX-License-Identifier: Apache-2.0
//
// What the elastic buffer writes into its FIFO is what came, without SKPs and without words that
// are dropped for want of a signal: no symbol is lost, doubled, changed or out of order, wherever
// SKPs stand in the words. One symbol is marked, any one. Stands inside rf_link_elastic; of its two
// clocks the recovered one counts here, and what the FIFO does with the words is its own matter.
//
// Free: everything but the reset.

  logic alive_q = 1'b0;
  always_ff @(posedge rx_clk_i) alive_q <= 1'b1;
  always_comb begin
    assume (rx_rst_ni == alive_q);
    assume (rst_ni == alive_q);
  end

  // Symbols that stay, and symbols in words that were written, modulo 256
  (* anyseq *) logic mark, mark_high;
  logic [7:0]  came_q = '0, written_q = '0, place_q, place;
  logic        marked_q = 1'b0, marks;
  logic [9:0]  value_q, value;
  logic [1:0]  stays;

  assign stays = keep;
  assign marks = mark && !marked_q && stays[mark_high];
  assign place = came_q + {7'd0, mark_high && stays[0]};
  assign value = mark_high ? {word_i.bad[1], word_i.k[1], word_i.data[15:8]} :
                             {word_i.bad[0], word_i.k[0], word_i.data[7:0]};

  always_ff @(posedge rx_clk_i) begin
    came_q    <= came_q + {7'd0, stays[0]} + {7'd0, stays[1]};
    written_q <= written_q + (write_q ? 8'd2 : 8'd0);
    if (marks) begin
      marked_q <= 1'b1;
      place_q  <= place;
      value_q  <= value;
    end else if (marked_q && write_q && place_q - written_q < 8'd2) begin
      marked_q <= 1'b0;
    end
    if (!alive_q) begin
      came_q    <= '0;
      written_q <= '0;
      marked_q  <= 1'b0;
    end
  end

  // A symbol in the word that is written now, in the rest, or in neither
  logic [7:0] ahead;
  assign ahead = place_q - written_q;
  always_comb if (alive_q) begin
    nothing_lost: assert (came_q - written_q == {6'd0, write_q, 1'b0} + {7'd0, rest_valid_q});
    if (marked_q) begin
      still_there: assert (ahead < {6'd0, write_q, 1'b0} + {7'd0, rest_valid_q});
      if (write_q && ahead == 8'd0) first_of_word: assert (write_word_q[9:0] == value_q);
      if (write_q && ahead == 8'd1)
        second_of_word: assert (write_word_q[SymbolWidth+:10] == value_q);
      if (ahead == {6'd0, write_q, 1'b0}) waits: assert (rest_q[9:0] == value_q);
    end
    // SKPs alone go, but for words of errors behind one that was passed on.
    without_signal: assert ((~stays & word_i.bad) == 2'b00 ||
                            (bad_q && word_i.bad == 2'b11));
    no_skp_waits: assert (!rest_valid_q || !(rest_q[9:0] == {2'b01, rf_link_pkg::Skp}));
    no_skp: assert (!write_q || !(write_word_q[9:0] == {2'b01, rf_link_pkg::Skp}));
  end

  always_comb if (alive_q) begin
    across_words: cover (marked_q && write_q && ahead == 8'd1 && !rest_valid_q && skips_q == 3'd1);
    waited: cover (marked_q && ahead == 8'd0 && !write_q && rest_valid_q && is_skp == 2'b11);
  end
