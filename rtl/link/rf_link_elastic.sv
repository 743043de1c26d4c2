// SPDX-License-Identifier: Apache-2.0
//
// Received symbols from the recovered clock into the link's. Every SKP is dropped, the others are
// packed into words of two, which pass an asynchronous FIFO. The read side takes a word whenever
// there is one, so the FIFO stays nearly empty as long as the SKPs that are dropped outweigh the
// difference of the clocks: one SKP in 1538 symbols is 650 ppm. There may be a cycle without a word
// anywhere, also inside of a packet.
//
// skips_o: how many SKPs were dropped before each symbol, 7 at most. overflow_o: at least one word
// was lost. Of words with two errors one behind the other, the first is passed on: without a signal
// no SKPs come that could make up for the clocks. Latency five to seven cycles.

`default_nettype none

module rf_link_elastic #(
  parameter int unsigned DepthLog2 = 3
) (
  input  wire logic             rx_clk_i,
  input  wire logic             rx_rst_ni,
  input  wire rf_link_pkg::word_t    word_i,

  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  output logic                  valid_o,
  output rf_link_pkg::word_t    word_o,
  output logic [5:0]            skips_o,
  output logic                  overflow_o
);

  if (DepthLog2 < 2 || DepthLog2 > 8) begin : gen_bad_depth_log2
    $error("2^2 to 2^8 words");
  end

  // A symbol: SKPs before it, bad, k, value
  localparam int unsigned SymbolWidth = 13;

  // --- recovered clock ------------------------------------------------------------
  logic [SymbolWidth-1:0]   low, high, rest_q;
  logic [1:0]               is_skp, keep;
  logic                     drop;
  logic                     rest_valid_q, write_q, write_ready, lost_q, bad_q;
  logic [2:0]               skips_q, skips;     // before low, before high
  logic [2*SymbolWidth-1:0] write_word_q;

  function automatic logic [2:0] more(input logic [2:0] count);
    more = count + {2'd0, count != 3'd7};
  endfunction

  assign drop      = bad_q && word_i.bad == 2'b11;
  assign is_skp[0] = !word_i.bad[0] && word_i.k[0] && word_i.data[7:0] == rf_link_pkg::Skp;
  assign is_skp[1] = !word_i.bad[1] && word_i.k[1] && word_i.data[15:8] == rf_link_pkg::Skp;
  assign keep      = ~is_skp & {2{!drop}};
  assign skips     = is_skp[0] ? more(skips_q) : 3'd0;
  assign low       = {skips_q, word_i.bad[0], word_i.k[0], word_i.data[7:0]};
  assign high      = {skips, word_i.bad[1], word_i.k[1], word_i.data[15:8]};

  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) begin
      rest_q       <= '0;
      rest_valid_q <= 1'b0;
      skips_q      <= '0;
      write_q      <= 1'b0;
      write_word_q <= '0;
      lost_q       <= 1'b0;
      bad_q        <= 1'b0;
    end else begin
      bad_q     <= word_i.bad == 2'b11;
      if (!drop) skips_q <= is_skp[1] ? more(skips) : 3'd0;
      write_q   <= keep == 2'b11 || (keep != '0 && rest_valid_q);
      if (rest_valid_q) write_word_q <= {keep[0] ? low : high, rest_q};
      else              write_word_q <= {high, low};
      if (keep != '0) rest_q <= keep[1] ? high : low;
      if (keep == 2'b01 || keep == 2'b10) rest_valid_q <= !rest_valid_q;
      if (write_q && !write_ready) lost_q <= !lost_q;
    end
  end

  // --- the link's clock -----------------------------------------------------------
  logic                     read_valid, lost_first_q, lost_seen_q, lost_told_q;
  logic [2*SymbolWidth-1:0] read_word;

  rf_async_fifo #(
    .Width     (2 * SymbolWidth),
    .DepthLog2 (DepthLog2)
  ) u_fifo (
    .write_clk_i  (rx_clk_i),
    .write_rst_ni (rx_rst_ni),
    .valid_i      (write_q),
    .ready_o      (write_ready),
    .data_i       (write_word_q),
    .read_clk_i   (clk_i),
    .read_rst_ni  (rst_ni),
    .valid_o      (read_valid),
    .ready_i      (1'b1),
    .data_o       (read_word)
  );

  assign overflow_o = lost_seen_q != lost_told_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o      <= 1'b0;
      word_o       <= '0;
      skips_o      <= '0;
      lost_first_q <= 1'b0;
      lost_seen_q  <= 1'b0;
      lost_told_q  <= 1'b0;
    end else begin
      valid_o      <= read_valid;
      skips_o      <= {read_word[2*SymbolWidth-1-:3], read_word[SymbolWidth-1-:3]};
      word_o.bad   <= {read_word[SymbolWidth+9], read_word[9]};
      word_o.k     <= {read_word[SymbolWidth+8], read_word[8]};
      word_o.data  <= {read_word[SymbolWidth+:8], read_word[7:0]};
      lost_first_q <= lost_q;
      lost_seen_q  <= lost_first_q;
      lost_told_q  <= lost_seen_q;
    end
  end

endmodule

`default_nettype wire
