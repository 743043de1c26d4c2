// SPDX-License-Identifier: Apache-2.0
//
// rf_fifo with its oldest word in registers, for words that much logic waits for.
// Promises: those of rf_fifo.

`default_nettype none

module rf_head_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned DepthLog2 = 2
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic               valid_i,
  output logic                    ready_o,
  input  wire logic [Width-1:0]   data_i,

  output logic                    valid_o,
  input  wire logic               ready_i,
  output logic [Width-1:0]        data_o,

  output logic [DepthLog2:0]      count_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end
  if (DepthLog2 < 2 || DepthLog2 > 8) begin : gen_bad_depth_log2
    $error("2^2 to 2^8 words");
  end

  localparam logic [DepthLog2:0] Depth = (DepthLog2 + 1)'(1 << DepthLog2);

  logic [DepthLog2:0]   write_q, read_q;
  logic [DepthLog2-1:0] second_q;          // the place behind the oldest
  logic                 enters, leaves, valid_q, full_q, several_q;
  (* ram_style = "distributed" *)
  logic [Width-1:0]     memory [1 << DepthLog2];
  assign enters  = valid_i && !full_q;
  assign leaves  = valid_q && ready_i;
  assign count_o = write_q - read_q;
  assign ready_o = !full_q;
  assign valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (enters) memory[write_q[DepthLog2-1:0]] <= data_i;
    if (leaves || !valid_q) data_o <= several_q ? memory[second_q] : data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q   <= '0;
      read_q    <= '0;
      second_q  <= DepthLog2'(1);
      valid_q   <= 1'b0;
      several_q <= 1'b0;
      full_q    <= 1'b0;
    end else begin
      if (enters) write_q <= write_q + 1'b1;
      if (leaves) read_q <= read_q + 1'b1;
      if (leaves) second_q <= second_q + 1'b1;
      if (enters != leaves) begin
        valid_q   <= enters || several_q;
        several_q <= enters ? valid_q : count_o > 2;
        full_q    <= enters && count_o == Depth - 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      valid_tells: assert (valid_q == (count_o != '0));
      several_tells: assert (several_q == (count_o > 1));
      full_tells: assert (full_q == (count_o == Depth));
      count_in_range: assert (count_o <= Depth);
    end
  end
`ifdef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      second_follows: assert (second_q == read_q[DepthLog2-1:0] + 1'b1);
      head_is_oldest: assert (!valid_q || data_o == memory[read_q[DepthLog2-1:0]]);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
