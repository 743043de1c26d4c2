// SPDX-License-Identifier: Apache-2.0
//
// Words of the link's clock to a SERDES with a transmit clock of its own, of the same source: a
// word a cycle if the SERDES gears (geared_i), else a symbol a cycle of twice the rate, the lower
// half first; the upper half is then of no matter. Electrical idle until words come. geared_i may
// change in reset alone.

`default_nettype none

module rf_ecp5_phase_send (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [23:0] word_i,

  input  wire logic        cell_clk_i,
  input  wire logic        cell_rst_ni,
  input  wire logic        geared_i,
  output logic [23:0]      cell_o
);

  localparam logic [23:0] Idle = 24'h800800;

  logic        second_q, valid;
  logic [23:0] word;

  rf_phase_fifo #(.Width(24)) u_fifo (
    .write_clk_i  (clk_i),
    .write_rst_ni (rst_ni),
    .write_i      (1'b1),
    .word_i       (word_i),
    .read_clk_i   (cell_clk_i),
    .read_rst_ni  (cell_rst_ni),
    .read_i       (geared_i || second_q),
    .valid_o      (valid),
    .word_o       (word)
  );

  always_ff @(posedge cell_clk_i or negedge cell_rst_ni) begin
    if (!cell_rst_ni) begin
      second_q <= 1'b0;
      cell_o   <= Idle;
    end else begin
      second_q <= !geared_i && !second_q;
      cell_o   <= {word[23:12], second_q ? word[23:12] : word[11:0]} | (valid ? 24'd0 : Idle);
    end
  end

endmodule

`default_nettype wire
