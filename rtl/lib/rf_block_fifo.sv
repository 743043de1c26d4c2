// SPDX-License-Identifier: Apache-2.0
//
// FIFO with a registered output, in block RAM if it holds more than 16 words, or words of
// 32 bits or more: rf_fifo where a cycle more costs nothing. Depth is a power of two.
// Promises: order kept, nothing lost or doubled; valid_o and ready_o depend on state only; a
// word a cycle. Latency two cycles from input to output; a word counts from the first.

`default_nettype none

module rf_block_fifo #(
  parameter int unsigned Width = 64,
  parameter int unsigned DepthLog2 = 4
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
  if (DepthLog2 < 1 || DepthLog2 > 16) begin : gen_bad_depth_log2
    $error("2^1 to 2^16 words");
  end

  logic [DepthLog2:0] write_q, read_q, read_d;
  logic               push;

  // As rf_ram: a word that is read while it is written is not shown.
  (* no_rw_check, ram_style = DepthLog2 <= 4 && Width < 32 ? "distributed" : "block" *)
  logic [Width-1:0]   memory [1 << DepthLog2];

  assign count_o = write_q - read_q;
  assign ready_o = !count_o[DepthLog2];
  assign push    = valid_i && ready_o;
  assign read_d  = (valid_o && ready_i) ? read_q + 1'b1 : read_q;

  always_ff @(posedge clk_i) begin
    if (push) memory[write_q[DepthLog2-1:0]] <= data_i;
    data_o <= memory[read_d[DepthLog2-1:0]];
`ifndef SYNTHESIS
    if (push && write_q[DepthLog2-1:0] == read_d[DepthLog2-1:0]) data_o <= ~data_i;
`endif
  end

  // A word is shown in the cycle behind its read, if it was written before that.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      valid_o <= 1'b0;
    end else begin
      if (push) write_q <= write_q + 1'b1;
      read_q  <= read_d;
      valid_o <= read_d != write_q;
    end
  end

endmodule

`default_nettype wire
