// SPDX-License-Identifier: Apache-2.0
//
// RAM with one write port (byte strobes) and one read port, in block RAM if it has more
// than 16 words or words of 32 bits or more. The read word appears one cycle after read_i
// and stays until the next read. Width is a multiple of 8.
//
// A read of the address written in the same cycle returns nothing that may be
// used, in any byte lane written: the block RAM does not promise it, and logic
// that would is not paid for here (no_rw_check tells Yosys so). Simulation returns
// the complement of the new byte, so that a block that relies on it fails. Who
// needs old or new, as a whole, forwards the word written (mem/rf_local_memory).

`default_nettype none

module rf_ram #(
  parameter int unsigned Width = 64,
  parameter int unsigned DepthLog2 = 9
) (
  input  wire logic                 clk_i,

  input  wire logic                 write_i,
  input  wire logic [DepthLog2-1:0] write_address_i,
  input  wire logic [Width-1:0]     write_data_i,
  input  wire logic [Width/8-1:0]   write_strobe_i,

  input  wire logic                 read_i,
  input  wire logic [DepthLog2-1:0] read_address_i,
  output logic [Width-1:0]          read_data_o
);

  if (Width < 8 || Width > 4096 || Width % 8 != 0) begin : gen_bad_width
    $error("a word has whole bytes");
  end
  if (DepthLog2 < 1 || DepthLog2 > 28) begin : gen_bad_depth_log2
    $error("2^1 to 2^28 words");
  end

  (* no_rw_check, ram_style = DepthLog2 <= 4 && Width < 32 ? "distributed" : "block" *)
  logic [Width-1:0] memory [1 << DepthLog2];

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < Width / 8; b++) begin
      if (write_i && write_strobe_i[b]) begin
        memory[write_address_i][b*8 +: 8] <= write_data_i[b*8 +: 8];
      end
    end
    if (read_i) begin
      read_data_o <= memory[read_address_i];
`ifndef SYNTHESIS
      for (int unsigned b = 0; b < Width / 8; b++) begin
        if (write_i && write_strobe_i[b] && write_address_i == read_address_i) begin
          read_data_o[b*8 +: 8] <= ~write_data_i[b*8 +: 8];
        end
      end
`endif
    end
  end

endmodule

`default_nettype wire
