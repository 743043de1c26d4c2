// SPDX-License-Identifier: Apache-2.0
//
// The loopback follower's path: received words to the transmitter, a word in every cycle, while
// active_i. The elastic buffer has dropped the SKPs; each of their sets gets SKPs again, one to
// five, as many as bring the FIFO back to its level, so that clocks are compensated where SKPs
// are, and nowhere else (PCI Express Base Specification, Loopback.Active). A symbol with an error
// passes as a data symbol. The word is from a few cycles ago.

`default_nettype none

module rf_link_loop (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          active_i,
  input  wire logic          valid_i,
  input  rf_link_pkg::word_t word_i,
  input  wire logic [1:0]    skipped_i,
  output logic [17:0]        word_o      // k, data
);

  // Words that wait. SKPs of a set are five at most: two or three words more or less.
  localparam logic [4:0] Level = 5'd6;
  localparam logic [9:0] SkpSymbol = {1'b0, 1'b1, rf_link_pkg::Skp};

  logic        head_valid, pop, rest_valid_q, unused_ready;
  logic [2:0]  inserted_q, inserted;      // SKPs of the set
  logic [4:0]  count;
  logic [19:0] head;
  logic [9:0]  low, high, rest_q;         // SKPs before it, k, value
  logic [29:0] waiting;                   // symbols, the first in the lowest bits
  logic [1:0]  taken;
  logic [9:0]  next;

  assign low  = {skipped_i[0], word_i.k[0] && !word_i.bad[0], word_i.data[7:0]};
  assign high = {skipped_i[1], word_i.k[1] && !word_i.bad[1], word_i.data[15:8]};

  rf_fifo #(
    .Width     (20),
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

  assign waiting = rest_valid_q ? {head, rest_q} : {10'h0, head};

  always_comb begin
    taken    = 2'd0;
    inserted = inserted_q;
    next     = '0;
    word_o   = '0;
    for (int unsigned i = 0; i < 2; i++) begin
      next = taken == 2'd0 ? waiting[9:0] : waiting[19:10];
      if (next[9] && inserted != 3'd5 && (inserted == 3'd0 || count < Level)) begin
        next     = SkpSymbol;
        inserted = inserted + 3'd1;
      end else begin
        taken    = taken + 2'd1;
        inserted = 3'd0;
      end
      if (i == 0) {word_o[16], word_o[7:0]} = next[8:0];
      else        {word_o[17], word_o[15:8]} = next[8:0];
    end
    // Of a word behind the rest, one symbol stays.
    pop = head_valid && (rest_valid_q ? taken == 2'd2 : taken != 2'd0);
    if (!active_i) pop = Level < count;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rest_q       <= '0;
      rest_valid_q <= 1'b0;
      inserted_q   <= '0;
    end else begin
      if (pop) rest_q <= head[19:10];
      rest_valid_q <= active_i && (rest_valid_q ? taken != 2'd1 : taken == 2'd1);
      inserted_q   <= active_i ? inserted : 3'd0;
    end
  end

  logic unused;
  assign unused = &{1'b0, unused_ready, waiting[29:20]};

endmodule

`default_nettype wire
