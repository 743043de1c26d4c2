// SPDX-License-Identifier: Apache-2.0
//
// Local memory: 2^LocalMemoryLog2 bytes, one 64-bit write (byte strobes) and one
// 64-bit read in each cycle; the read word appears two cycles after read_i, for one
// cycle. Block RAM is spread over the part: its ports are registers.
//
// Promises: a word is read as a whole: a read in the cycle of a write to the same
// word returns that write complete, and so does every read after it. The block
// RAM promises nothing for that cycle, so the bytes written are kept here and
// replace what it gives.

`default_nettype none

module rf_local_memory #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic                       clk_i,

  input  wire logic                       write_i,
  input  wire logic [LocalMemoryLog2-1:3] write_address_i,
  input  wire logic [63:0]                write_data_i,
  input  wire logic [7:0]                 write_strobe_i,

  input  wire logic                       read_i,
  input  wire logic [LocalMemoryLog2-1:3] read_address_i,
  output logic [63:0]                     read_data_o
);

  logic [LocalMemoryLog2-1:3] write_address_q, read_address_q;
  logic [7:0]                 strobe_q, replace_q;
  logic [63:0]                write_q, replacement_q, stored;
  logic                       read_q;

  // One RAM per byte lane: all share the addresses, none needs strobes inside.
  for (genvar b = 0; b < 8; b++) begin : gen_lane
    rf_ram #(
      .Width    (8),
      .DepthLog2(LocalMemoryLog2 - 3)
    ) u_ram (
      .clk_i,
      .write_i        (strobe_q[b]),
      .write_address_i(write_address_q),
      .write_data_i   (write_q[b*8 +: 8]),
      .write_strobe_i (1'b1),
      .read_i         (read_q),
      .read_address_i (read_address_q),
      .read_data_o    (stored[b*8 +: 8])
    );

    assign read_data_o[b*8 +: 8] = replace_q[b] ? replacement_q[b*8 +: 8] : stored[b*8 +: 8];
  end

  always_ff @(posedge clk_i) begin
    strobe_q        <= write_i ? write_strobe_i : '0;
    write_address_q <= write_address_i;
    write_q         <= write_data_i;
    read_q          <= read_i;
    read_address_q  <= read_address_i;
    replace_q       <= (write_address_q == read_address_q) ? strobe_q : '0;
    replacement_q   <= write_q;
  end

endmodule

`default_nettype wire
