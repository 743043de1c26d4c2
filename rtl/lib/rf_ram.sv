// SPDX-License-Identifier: Apache-2.0
//
// RAM with one write port (a strobe for each lane) and one read port, in block RAM if it has
// more than 16 words or words of 32 bits or more. The read word appears one cycle after read_i
// and stays until the next read; with ZeroWithoutRead it is 0 in all other cycles. A lane is a
// byte; a RAM of whole words has one, of Width bits, which simulates faster.
//
// A read of the address written in the same cycle returns nothing that may be
// used, in any lane written: the block RAM does not promise it, and logic
// that would is not paid for here (no_rw_check tells Yosys so). Simulation returns
// the complement of the new lane, so that a block that relies on it fails. A
// block that needs old or new, as a whole, forwards the word (mem/rf_local_memory).

`default_nettype none

module rf_ram #(
  parameter int unsigned Width = 64,
  parameter int unsigned DepthLog2 = 9,
  parameter int unsigned Lane = 8,
  parameter bit          ZeroWithoutRead = 1'b0
) (
  input  wire logic                 clk_i,

  input  wire logic                 write_i,
  input  wire logic [DepthLog2-1:0] write_address_i,
  input  wire logic [Width-1:0]     write_data_i,
  input  wire logic [Width/Lane-1:0] write_strobe_i,

  input  wire logic                 read_i,
  input  wire logic [DepthLog2-1:0] read_address_i,
  output logic [Width-1:0]          read_data_o
);

  if (Width < 8 || Width > 4096 || Lane < 1 || Width % Lane != 0) begin : gen_bad_width
    $error("a word has whole lanes");
  end
  if (DepthLog2 < 1 || DepthLog2 > 28) begin : gen_bad_depth_log2
    $error("2^1 to 2^28 words");
  end

  (* no_rw_check, ram_style = DepthLog2 <= 4 && Width < 32 ? "distributed" : "block" *)
  logic [Width-1:0] memory [1 << DepthLog2];

  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Width / Lane; l++) begin
      if (write_i && write_strobe_i[l]) begin
        memory[write_address_i][l*Lane +: Lane] <= write_data_i[l*Lane +: Lane];
      end
    end
    if (read_i) begin
      read_data_o <= memory[read_address_i];
`ifndef SYNTHESIS
      for (int unsigned l = 0; l < Width / Lane; l++) begin
        if (write_i && write_strobe_i[l] && write_address_i == read_address_i) begin
          read_data_o[l*Lane +: Lane] <= ~write_data_i[l*Lane +: Lane];
        end
      end
`endif
    end else if (ZeroWithoutRead) begin
      read_data_o <= '0;
    end
  end

endmodule

`default_nettype wire
