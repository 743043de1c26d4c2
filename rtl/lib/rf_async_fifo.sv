// SPDX-License-Identifier: Apache-2.0
//
// First-word-fall-through FIFO between two clocks, 2^DepthLog2 words in distributed memory. The
// positions cross as Gray codes, so that a position that is read while it changes is the old or the
// new one. Promises: order kept, nothing lost or doubled. A word is seen on the read side by the
// third read clock edge after the write edge; room is seen again by the third write clock edge.
//
// Both resets have to be low together.

`default_nettype none

module rf_async_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned DepthLog2 = 3
) (
  input  wire logic             write_clk_i,
  input  wire logic             write_rst_ni,
  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire logic [Width-1:0] data_i,

  input  wire logic             read_clk_i,
  input  wire logic             read_rst_ni,
  output logic                  valid_o,
  input  wire logic             ready_i,
  output logic [Width-1:0]      data_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end
  if (DepthLog2 < 2 || DepthLog2 > 8) begin : gen_bad_depth_log2
    $error("2^2 to 2^8 words");
  end

  // Gray codes of two positions that are a whole FIFO apart differ in their upper two bits.
  localparam logic [DepthLog2:0] Apart = (DepthLog2 + 1)'(3 << (DepthLog2 - 1));

  logic [DepthLog2:0] write_q, write_next, write_gray_q, read_q, read_next, read_gray_q;
  logic [DepthLog2:0] write_first_q, write_seen_q, read_first_q, read_seen_q;
  (* ram_style = "distributed" *)
  logic [Width-1:0]   memory [1 << DepthLog2];

  assign ready_o    = write_gray_q != (read_seen_q ^ Apart);
  assign valid_o    = read_gray_q != write_seen_q;
  assign data_o     = memory[read_q[DepthLog2-1:0]];
  assign write_next = write_q + 1'b1;
  assign read_next  = read_q + 1'b1;

  always_ff @(posedge write_clk_i) begin
    if (valid_i && ready_o) memory[write_q[DepthLog2-1:0]] <= data_i;
  end

  always_ff @(posedge write_clk_i or negedge write_rst_ni) begin
    if (!write_rst_ni) begin
      write_q      <= '0;
      write_gray_q <= '0;
      read_first_q <= '0;
      read_seen_q  <= '0;
    end else begin
      read_first_q <= read_gray_q;
      read_seen_q  <= read_first_q;
      if (valid_i && ready_o) begin
        write_q      <= write_next;
        write_gray_q <= write_next ^ (write_next >> 1);
      end
    end
  end

  always_ff @(posedge read_clk_i or negedge read_rst_ni) begin
    if (!read_rst_ni) begin
      read_q        <= '0;
      read_gray_q   <= '0;
      write_first_q <= '0;
      write_seen_q  <= '0;
    end else begin
      write_first_q <= write_gray_q;
      write_seen_q  <= write_first_q;
      if (valid_o && ready_i) begin
        read_q      <= read_next;
        read_gray_q <= read_next ^ (read_next >> 1);
      end
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is read stays until it is taken, and no word is written over one that is still to be read.
  rf_offer_check #(.Width(Width)) word_stays (
    .clk_i(read_clk_i), .rst_ni(read_rst_ni), .valid_i(valid_o), .ready_i(ready_i), .data_i(data_o)
  );
  logic [DepthLog2:0] held;
  assign held = write_q - read_q;
  always_ff @(posedge write_clk_i) begin
    if (write_rst_ni) count_in_range: assert (held <= (DepthLog2 + 1)'(1 << DepthLog2));
  end
`endif
`endif

endmodule

`default_nettype wire
