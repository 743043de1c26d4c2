// SPDX-License-Identifier: Apache-2.0
//
// Symbols of a SERDES, eight bits and K, to words of another clock of the same source: two a cycle
// if the SERDES gears (geared_i), else one a cycle of twice the rate, of which two make a word.
// The first one is in the lower half. valid_o: words have begun to come. geared_i may change in
// reset alone.

`default_nettype none

module rf_ecp5_phase_receive (
  input  wire logic        cell_clk_i,
  input  wire logic        cell_rst_ni,
  input  wire logic        geared_i,
  input  wire logic [17:0] cell_i,

  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  output logic             valid_o,
  output logic [17:0]      word_o
);

  logic        second_q, write_q;
  logic [17:0] cell_q, word_q;
  logic [8:0]  first_q;

  // The cell's outputs are late in their cycle, hence the registers.
  always_ff @(posedge cell_clk_i) begin
    cell_q  <= cell_i;
    first_q <= cell_q[8:0];
    word_q  <= geared_i ? cell_q : {cell_q[8:0], first_q};
  end

  always_ff @(posedge cell_clk_i or negedge cell_rst_ni) begin
    if (!cell_rst_ni) {write_q, second_q} <= 2'b00;
    else {write_q, second_q} <= {geared_i || second_q, !second_q};
  end

  rf_phase_fifo #(.Width(18)) u_fifo (
    .write_clk_i  (cell_clk_i),
    .write_rst_ni (cell_rst_ni),
    .write_i      (write_q),
    .word_i       (word_q),
    .read_clk_i   (clk_i),
    .read_rst_ni  (rst_ni),
    .read_i       (1'b1),
    .valid_o      (valid_o),
    .word_o       (word_o)
  );

endmodule

`default_nettype wire
