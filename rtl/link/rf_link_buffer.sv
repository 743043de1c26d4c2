// SPDX-License-Identifier: Apache-2.0
//
// First-word-fall-through FIFO between two clocks, 2^DepthLog2 words in block RAM. The positions
// cross as Gray codes. Promises: order kept, nothing lost or doubled. A word is seen on the read
// side by the fourth read clock edge after the write edge; room is seen again by the third write
// clock edge. Both resets have to be low together.

`default_nettype none

module rf_link_buffer #(
  parameter int unsigned Width = 68,
  parameter int unsigned DepthLog2 = 9
) (
  input  wire logic             write_clk_i,
  input  wire logic             write_rst_ni,
  input  wire logic             valid_i,      // only if there is room for it
  output logic                  room_o,       // for this word and another one
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
  if (DepthLog2 < 2 || DepthLog2 > 14) begin : gen_bad_depth_log2
    $error("2^2 to 2^14 words");
  end

  // Gray codes of two positions that are a whole FIFO apart differ in their upper two bits.
  localparam logic [DepthLog2:0] Apart = (DepthLog2 + 1)'(3 << (DepthLog2 - 1));

  logic [DepthLog2:0] write_q, write_gray_q, next_gray_q, next, second;
  logic [DepthLog2:0] read_q, read_gray_q, read_next;
  logic [DepthLog2:0] write_first_q, write_seen_q, read_first_q, read_seen_q, full;
  logic               read;
  (* no_rw_check, ram_style = "block" *)
  logic [Width-1:0]   memory [1 << DepthLog2];

  // --- write side -------------------------------------------------------------------
  assign next   = write_q + 1'b1;
  assign second = write_q + (DepthLog2 + 1)'(2);
  assign full   = read_seen_q ^ Apart;
  assign room_o = write_gray_q != full && next_gray_q != full;

  always_ff @(posedge write_clk_i) begin
    if (valid_i) memory[write_q[DepthLog2-1:0]] <= data_i;
  end

  always_ff @(posedge write_clk_i or negedge write_rst_ni) begin
    if (!write_rst_ni) begin
      write_q      <= '0;
      write_gray_q <= '0;
      next_gray_q  <= (DepthLog2 + 1)'(1);
      read_first_q <= '0;
      read_seen_q  <= '0;
    end else begin
      read_first_q <= read_gray_q;
      read_seen_q  <= read_first_q;
      if (valid_i) begin
        write_q      <= next;
        write_gray_q <= next_gray_q;
        next_gray_q  <= second ^ (second >> 1);
      end
    end
  end

  // --- read side: the word read waits in the RAM's output ---------------------------
  assign read      = read_gray_q != write_seen_q && (!valid_o || ready_i);
  assign read_next = read_q + 1'b1;

  always_ff @(posedge read_clk_i) begin
    if (read) data_o <= memory[read_q[DepthLog2-1:0]];
  end

  always_ff @(posedge read_clk_i or negedge read_rst_ni) begin
    if (!read_rst_ni) begin
      read_q        <= '0;
      read_gray_q   <= '0;
      write_first_q <= '0;
      write_seen_q  <= '0;
      valid_o       <= 1'b0;
    end else begin
      write_first_q <= write_gray_q;
      write_seen_q  <= write_first_q;
      if (ready_i) valid_o <= 1'b0;
      if (read) begin
        valid_o     <= 1'b1;
        read_q      <= read_next;
        read_gray_q <= read_next ^ (read_next >> 1);
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge write_clk_i) begin
    if (write_rst_ni) no_word_lost: assert (!valid_i || write_gray_q != full);
  end
`endif

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is read stays until it is taken.
  rf_offer_check #(.Width(Width)) word_stays (
    .clk_i(read_clk_i), .rst_ni(read_rst_ni), .valid_i(valid_o), .ready_i(ready_i), .data_i(data_o)
  );
`endif
`endif

endmodule

`default_nettype wire
