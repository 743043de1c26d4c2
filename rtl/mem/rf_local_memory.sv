// SPDX-License-Identifier: Apache-2.0
//
// Local memory: 2^LocalMemoryLog2 bytes, one 64-bit write (byte strobes) and one 64-bit read per
// cycle; the word appears one cycle after read_i, for one cycle.
//
// Promises: a word is read as a whole: a read in the cycle of a write to the same word returns
// that write completely, and so does every later read. The block RAM guarantees nothing for a word
// that is being written, so the bytes of the last write are kept here and replace its output.

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

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end

  // The write of a cycle ago
  logic [LocalMemoryLog2-1:3] last_address_q, read_address_q;
  logic [7:0]                 last_strobe_q, last;
  logic [63:0]                last_q, stored;

  assign last = (last_address_q == read_address_q) ? last_strobe_q : '0;

  // One RAM per byte lane: all share the addresses, none needs strobes inside.
  for (genvar b = 0; b < 8; b++) begin : gen_lane
    rf_ram #(
      .Width    (8),
      .DepthLog2(LocalMemoryLog2 - 3)
    ) u_ram (
      .clk_i,
      .write_i        (write_i && write_strobe_i[b]),
      .write_address_i(write_address_i),
      .write_data_i   (write_data_i[b*8 +: 8]),
      .write_strobe_i (1'b1),
      .read_i         (read_i),
      .read_address_i (read_address_i),
      .read_data_o    (stored[b*8 +: 8])
    );

    assign read_data_o[b*8 +: 8] = last[b] ? last_q[b*8 +: 8] : stored[b*8 +: 8];
  end

  always_ff @(posedge clk_i) begin
    last_strobe_q  <= write_i ? write_strobe_i : '0;
    last_address_q <= write_address_i;
    last_q         <= write_data_i;
    read_address_q <= read_address_i;
  end

endmodule

`default_nettype wire
