// SPDX-License-Identifier: Apache-2.0
//
// Every word that is taken comes out, once and in order: a word that is marked when it enters
// stands at its place until it is read. Stands inside rf_async_fifo, whose clocks are free: each of
// their edges comes at any time, also at once. A register that is read while it changes gives its
// old value; the new one is that of an edge a moment later, and a Gray code has no others.

  localparam int unsigned Bits = DepthLog2 + 1;

  logic alive_q = 1'b0;
  (* gclk *) logic global_clk;
  always_ff @(posedge global_clk) alive_q <= 1'b1;
  always_comb assume (write_rst_ni == alive_q && read_rst_ni == alive_q);

  function automatic logic [Bits-1:0] position(input logic [Bits-1:0] gray);
    position[Bits-1] = gray[Bits-1];
    for (int i = int'(Bits) - 2; i >= 0; i--) position[i] = position[i+1] ^ gray[i];
  endfunction

  // Positions as distances from the read position that the write side knows
  logic [Bits-1:0] known, read_first, read_now, write_seen, write_first, write_now;
  assign known       = position(read_seen_q);
  assign read_first  = position(read_first_q) - known;
  assign read_now    = read_q - known;
  assign write_seen  = position(write_seen_q) - known;
  assign write_first = position(write_first_q) - known;
  assign write_now   = write_q - known;

  (* anyseq *) logic mark;
  logic              marked_q = 1'b0, passed_q = 1'b0;
  logic [Bits-1:0]   place_q;
  logic [Width-1:0]  word_q;

  always_ff @(posedge write_clk_i) if (alive_q && mark && !marked_q && valid_i && ready_o) begin
    marked_q <= 1'b1;
    place_q  <= write_q;
    word_q   <= data_i;
  end
  always_ff @(posedge read_clk_i) begin
    if (alive_q && marked_q && valid_o && ready_i && read_q == place_q) passed_q <= 1'b1;
  end

  always_comb if (alive_q) begin
    codes: assert (write_gray_q == (write_q ^ (write_q >> 1)) &&
                   read_gray_q == (read_q ^ (read_q >> 1)));
    positions_in_order: assert (read_first <= read_now && read_now <= write_seen &&
                                write_seen <= write_first && write_first <= write_now);
    no_overflow: assert (write_now <= Bits'(1 << DepthLog2));
    waits_to_be_read: assert (!marked_q || passed_q || place_q - read_q < write_q - read_q);
    passed_was_marked: assert (!passed_q || marked_q);
    word_stays: assert (!marked_q || passed_q || memory[place_q[DepthLog2-1:0]] == word_q);
    comes_out: assert (!marked_q || passed_q || !valid_o || read_q != place_q || data_o == word_q);
    full: cover (!ready_o && marked_q && passed_q);
    around: cover (passed_q && read_q[DepthLog2] && !write_q[DepthLog2] && valid_o);
  end
