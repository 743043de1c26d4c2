// SPDX-License-Identifier: Apache-2.0
//
// The scrambler of a lane, two symbols a cycle, and the same as descrambler: the LFSR
// x^16 + x^5 + x^4 + x^3 + 1 (PCI Express Base Specification 4.2.1.3). COM sets it, SKP holds it,
// any other symbol advances it by eight; K symbols pass as they are. plain_i: data symbols, too
// (ordered sets and the compliance pattern). off_i: all symbols, always. Latency one cycle.

`default_nettype none

module rf_link_scramble (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          off_i,
  input  wire logic          valid_i,
  input  wire logic          plain_i,
  input  wire rf_link_pkg::word_t word_i,
  output logic               valid_o,
  output rf_link_pkg::word_t word_o
);

  logic [15:0] lfsr_q, lfsr_between, lfsr_next;
  logic [1:0]  com, skp, scrambled;
  logic [7:0]  key_low, key_high;

  // The first output of the LFSR is bit 15 and scrambles bit 0 of the symbol.
  function automatic logic [23:0] advance(input logic [15:0] from);
    logic [15:0] lfsr;
    logic [7:0]  key;
    lfsr = from;
    for (int unsigned i = 0; i < 8; i++) begin
      key[i] = lfsr[15];
      lfsr   = {lfsr[14:0], 1'b0} ^ (lfsr[15] ? 16'h0039 : 16'h0);
    end
    advance = {lfsr, key};
  endfunction

  logic [15:0] low_advanced, high_advanced;

  always_comb begin
    com[0] = !word_i.bad[0] && word_i.k[0] && word_i.data[7:0] == rf_link_pkg::Com;
    com[1] = !word_i.bad[1] && word_i.k[1] && word_i.data[15:8] == rf_link_pkg::Com;
    skp[0] = !word_i.bad[0] && word_i.k[0] && word_i.data[7:0] == rf_link_pkg::Skp;
    skp[1] = !word_i.bad[1] && word_i.k[1] && word_i.data[15:8] == rf_link_pkg::Skp;
    {low_advanced, key_low} = advance(lfsr_q);
    lfsr_between = com[0] ? '1 : skp[0] ? lfsr_q : low_advanced;
    {high_advanced, key_high} = advance(lfsr_between);
    lfsr_next = com[1] ? '1 : skp[1] ? lfsr_between : high_advanced;
    scrambled = ~word_i.k & {2{!plain_i && !off_i}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q  <= '1;
      valid_o <= 1'b0;
      word_o  <= '0;
    end else begin
      valid_o <= valid_i;
      if (valid_i) begin
        lfsr_q <= lfsr_next;
        word_o <= word_i;
        word_o.data[7:0]  <= word_i.data[7:0] ^ (scrambled[0] ? key_low : 8'h0);
        word_o.data[15:8] <= word_i.data[15:8] ^ (scrambled[1] ? key_high : 8'h0);
      end
    end
  end

endmodule

`default_nettype wire
