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

  // --- symbols that wait: SKPs to be put in before each, k, value --------------------------
  logic [11:0] low, high, first, second;
  logic        head_valid, take, ready;
  logic [4:0]  count;

  assign low  = {skips_i[2:0], word_i.k[0] && !word_i.bad[0], word_i.data[7:0]};
  assign high = {skips_i[5:3], word_i.k[1] && !word_i.bad[1], word_i.data[15:8]};

  rf_fifo #(
    .Width     (24),
    .DepthLog2 (4)
  ) u_fifo (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (valid_i),
    .ready_o (ready),
    .data_i  ({high, low}),
    .valid_o (head_valid),
    .ready_i (take),
    .data_o  ({second, first}),
    .count_o (count)
  );

  // --- how many SKPs ------------------------------------------------------------------------
  // With them the level should be in its range: sets of fewer SKPs than few_q get one more, of more
  // than many_q one less. The level is of a cycle ago.
  logic [5:0]  level;
  logic [2:0]  few_q, many_q;
  logic [23:0] word;           // the next one, with as many SKPs as it gets
  logic [23:0] word_q;         // the one before, which goes next
  logic        word_valid_q, pop;

  function automatic logic [2:0] missing(input logic [5:0] wanted, input logic [5:0] there);
    missing = there >= wanted ? 3'd0 : wanted - there >= 6'd7 ? 3'd7 : 3'(wanted - there);
  endfunction

  assign level = {count, 1'b0};

  always_ff @(posedge clk_i) begin
    few_q  <= missing(Level - Slack, level);
    many_q <= missing(Level + Slack, level);
  end

  for (genvar i = 0; i < 2; i++) begin : gen_skips
    logic [2:0] skips, chosen;

    assign skips = i == 0 ? first[11:9] : second[11:9];

    always_comb begin
      chosen = skips;
      if (skips != 3'd0 && skips < 3'd6 && skips < few_q) chosen = skips + 3'd1;
      if (skips > 3'd1 && skips > many_q)                 chosen = skips - 3'd1;
    end

    assign word[12*i +: 12] = {chosen, i == 0 ? first[8:0] : second[8:0]};
  end

  assign take = !word_valid_q || pop;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_valid_q <= 1'b0;
      word_q       <= '0;
    end else if (take) begin
      word_valid_q <= head_valid;
      word_q       <= word;
    end
  end

  // --- the next two or three symbols, and what is sent of them ---------------------------------
  localparam logic [8:0] SkpSymbol = {1'b1, rf_link_pkg::Skp};

  logic [11:0] next_q, behind_q, third_q;
  logic        three_q;          // there are three
  logic [2:0]  next_skips, behind_skips;   // still to be put in
  logic [1:0]  taken;
  logic [8:0]  sent_low, sent_high;

  always_comb begin
    next_skips   = next_q[11:9];
    behind_skips = behind_q[11:9];
    sent_low     = SkpSymbol;
    sent_high    = SkpSymbol;
    taken        = 2'd0;
    if (next_q[11:9] == 3'd0) begin
      sent_low = next_q[8:0];
      taken    = 2'd1;
      if (behind_q[11:9] == 3'd0) begin
        sent_high = behind_q[8:0];
        taken     = 2'd2;
      end else begin
        behind_skips = behind_q[11:9] - 3'd1;
      end
    end else if (next_q[11:9] == 3'd1) begin
      sent_high = next_q[8:0];
      taken     = 2'd1;
    end else begin
      next_skips = next_q[11:9] - 3'd2;
    end
    // While the loop does not run, words pass at the level.
    pop = word_valid_q && (!active_i ? Level < level : three_q ? taken == 2'd2 : taken != 2'd0);
  end

  assign word_o = {sent_high[8], sent_low[8], sent_high[7:0], sent_low[7:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q   <= '0;
      behind_q <= '0;
      third_q  <= '0;
      three_q  <= 1'b0;
    end else begin
      if (!active_i) begin
        three_q <= 1'b0;
        if (pop) {behind_q, next_q} <= word_q;
      end else begin
        unique case (taken)
          2'd0: next_q <= {next_skips, next_q[8:0]};
          2'd1: begin
            next_q   <= {behind_skips, behind_q[8:0]};
            behind_q <= third_q;
            three_q  <= !three_q && pop;
            if (!three_q && pop) {third_q, behind_q} <= word_q;
          end
          default: begin
            next_q <= third_q;
            // Without a word, as where clocks differ too much, old symbols are sent again.
            if (pop && three_q) {third_q, behind_q} <= word_q;
            else if (pop)       {behind_q, next_q}  <= word_q;
          end
        endcase
      end
    end
  end

`ifndef SYNTHESIS
  // Symbols would be lost if the clocks differed by more than SKPs make up for.
  always_ff @(posedge clk_i) begin
    if (rst_ni) no_word_lost: assert (!valid_i || ready);
  end
`endif

endmodule

`default_nettype wire
