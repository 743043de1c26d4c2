// SPDX-License-Identifier: Apache-2.0
//
// Words from one clock to another of the same source and any phase: as many are read as are
// written, so there are no flags. Eight words in distributed memory.
//
// Reading begins when two words have been written and two flip-flops of the read clock have told
// so. From then on a word is read while two to six are in the memory: it has been there for two
// words' time, and its place is written again two words later at the earliest. word_o changes with
// the read clock's edge after read_i; valid_o is low until the first one has come.
//
// Both resets are low together, and end within two words of each other.

`default_nettype none

module rf_phase_fifo #(
  parameter int unsigned Width = 24
) (
  input  wire logic             write_clk_i,
  input  wire logic             write_rst_ni,
  input  wire logic             write_i,
  input  wire logic [Width-1:0] word_i,

  input  wire logic             read_clk_i,
  input  wire logic             read_rst_ni,
  input  wire logic             read_i,
  output logic                  valid_o,
  output logic [Width-1:0]      word_o
);

  if (Width < 1 || Width > 64) begin : gen_bad_width
    $error("a word has 1 to 64 bits");
  end

  logic [2:0]       write_q, read_q;
  logic             started_q, started_first_q, running_q, take;
  (* ram_style = "distributed" *)
  logic [Width-1:0] memory [8];

  always_ff @(posedge write_clk_i) begin
    if (write_i) memory[write_q] <= word_i;
  end

  always_ff @(posedge write_clk_i or negedge write_rst_ni) begin
    if (!write_rst_ni) begin
      write_q   <= '0;
      started_q <= 1'b0;
    end else if (write_i) begin
      write_q   <= write_q + 3'd1;
      started_q <= started_q || write_q == 3'd1;
    end
  end

  assign take = running_q && read_i;

  always_ff @(posedge read_clk_i) begin
    if (take) word_o <= memory[read_q];
  end

  always_ff @(posedge read_clk_i or negedge read_rst_ni) begin
    if (!read_rst_ni) begin
      started_first_q <= 1'b0;
      running_q       <= 1'b0;
      read_q          <= '0;
      valid_o         <= 1'b0;
    end else begin
      started_first_q <= started_q;
      running_q       <= started_first_q;
      if (take) begin
        read_q  <= read_q + 3'd1;
        valid_o <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  logic [2:0] distance;
  assign distance = write_q - read_q;

  always_ff @(posedge read_clk_i) begin
    if (read_rst_ni && take)
      assert (distance >= 3'd2) else $error("a word is read with %0d in the memory", distance);
  end
`endif

endmodule

`default_nettype wire
