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

  assign count_o = write_q - read_q;
  assign ready_o = !count_o[DepthLog2];
  assign valid_o = write_q != read_q;
  assign data_o  = memory[read_q[DepthLog2-1:0]];

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) memory[write_q[DepthLog2-1:0]] <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
    end else begin
      if (valid_i && ready_o) write_q <= write_q + 1'b1;
      if (valid_o && ready_i) read_q <= read_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
