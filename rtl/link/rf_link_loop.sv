// SPDX-License-Identifier: Apache-2.0
//
// The loopback follower's path: received words to the transmitter, a word in every cycle, while
// active_i. The elastic buffer has dropped the SKPs; each of their sets gets them again, or one
// more or less when the FIFO is not at its level (never none). So clocks are compensated where SKPs
// are, and nowhere else (PCI Express Base Specification, Loopback.Active). A symbol with an error
// passes as a data symbol. The word is from some cycles ago.

`default_nettype none

module rf_link_loop (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          active_i,
  input  wire logic          valid_i,
  input  wire rf_link_pkg::word_t word_i,
  input  wire logic [5:0]    skips_i,    // SKPs before each symbol
  output logic [17:0]        word_o      // k, data
);

  // Symbols that wait, with SKPs that are still to be put in. Words come whole, so the number
  // differs by one or two without any difference of the clocks.
  localparam logic [5:0] Level = 6'd16;
  localparam logic [5:0] Slack = 6'd2;
  localparam logic [8:0] SkpSymbol = {1'b1, rf_link_pkg::Skp};

  logic        head_valid, pop, rest_valid_q, unused_ready, begun_q, begun;
  logic [4:0]  count;
  logic [23:0] head;
  logic [11:0] low, high, rest_q, next;   // SKPs before it, k, value
  logic [35:0] waiting;                   // symbols, the first in the lowest bits
  logic [1:0]  taken;
  logic [5:0]  level;
  logic [2:0]  skips_q, skips;            // still to be put in

  assign low  = {skips_i[2:0], word_i.k[0] && !word_i.bad[0], word_i.data[7:0]};
  assign high = {skips_i[5:3], word_i.k[1] && !word_i.bad[1], word_i.data[15:8]};

  rf_fifo #(
    .Width     (24),
    .DepthLog2 (4)
  ) u_fifo (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (valid_i),
    .ready_o (unused_ready),
    .data_i  ({high, low}),
    .valid_o (head_valid),
    .ready_i (pop),
    .data_o  (head),
    .count_o (count)
  );

  assign waiting = rest_valid_q ? {head, rest_q} : {12'h0, head};

  always_comb begin
    taken  = 2'd0;
    begun  = begun_q;
    skips  = skips_q;
    next   = '0;
    level  = '0;
    word_o = '0;
    for (int unsigned i = 0; i < 2; i++) begin
      next = taken == 2'd0 ? waiting[11:0] : waiting[23:12];
      if (!begun) begin
        begun = next[11:9] != 3'd0;
        skips = next[11:9];
        level = {count, rest_valid_q} + {3'd0, next[11:9]};
        if (level < Level - Slack && skips < 3'd6) skips = skips + {2'd0, begun};
        if (Level + Slack < level && 3'd1 < skips) skips = skips - 3'd1;
      end
      if (begun && skips != 3'd0) begin
        next[8:0] = SkpSymbol;
        skips     = skips - 3'd1;
      end else begin
        taken = taken + 2'd1;
        begun = 1'b0;
      end
      if (i == 0) {word_o[16], word_o[7:0]} = next[8:0];
      else        {word_o[17], word_o[15:8]} = next[8:0];
    end
    // Of a word behind the rest, one symbol stays.
    pop = head_valid && (rest_valid_q ? taken == 2'd2 : taken != 2'd0);
    if (!active_i) pop = Level < {count, 1'b0};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rest_q       <= '0;
      rest_valid_q <= 1'b0;
      begun_q      <= 1'b0;
      skips_q      <= '0;
    end else begin
      if (pop) rest_q <= head[23:12];
      rest_valid_q <= active_i && (rest_valid_q ? taken != 2'd1 : taken == 2'd1);
      begun_q      <= active_i && begun;
      skips_q      <= skips;
    end
  end

  logic unused;
  assign unused = &{1'b0, unused_ready, waiting[35:24], next[11:9]};

endmodule

`default_nettype wire
