// SPDX-License-Identifier: Apache-2.0
//
// First-word-fall-through FIFO in distributed memory, Depth a power of two.
// Promises: order kept, nothing lost or doubled; valid_o and ready_o depend on
// state only. Latency one cycle from input to output.

`default_nettype none

module rf_fifo #(
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
  if (DepthLog2 < 1 || DepthLog2 > 8) begin : gen_bad_depth_log2
    $error("2^1 to 2^8 words");
  end

  logic [DepthLog2:0] write_q, read_q;
  // Of two words, flops need less.
  (* ram_style = DepthLog2 < 2 ? "registers" : "distributed" *)
  logic [Width-1:0]   memory [1 << DepthLog2];

  // valid_o and ready_o are registers: logic behind them has the whole cycle.
  localparam logic [DepthLog2:0] Depth = (DepthLog2 + 1)'(1 << DepthLog2);
  logic enters, leaves, valid_q, full_q;
  assign enters  = valid_i && !full_q;
  assign leaves  = valid_q && ready_i;
  assign count_o = write_q - read_q;
  assign ready_o = !full_q;
  assign valid_o = valid_q;
  assign data_o  = memory[read_q[DepthLog2-1:0]];

  always_ff @(posedge clk_i) begin
    if (enters) memory[write_q[DepthLog2-1:0]] <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
      full_q  <= 1'b0;
    end else begin
      if (enters) write_q <= write_q + 1'b1;
      if (leaves) read_q <= read_q + 1'b1;
      if (enters != leaves) begin
        valid_q <= enters || count_o != 1;
        full_q  <= enters && count_o == Depth - 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      valid_tells: assert (valid_q == (count_o != '0));
      full_tells: assert (full_q == (count_o == Depth));
      count_in_range: assert (count_o <= Depth);
    end
  end
`endif

endmodule

`default_nettype wire
