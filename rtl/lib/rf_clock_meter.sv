// SPDX-License-Identifier: Apache-2.0
//
// How fast another clock is: count_o is how often 32 cycles of it ended in the last 2^WindowLog2
// cycles of clk_i; 0 if it stands. It may be up to 16 times as fast as clk_i. At 62.5 MHz and
// 16, a clock of 125 MHz gives 4096.

`default_nettype none

module rf_clock_meter #(
  parameter int unsigned WindowLog2 = 16
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  other_clk_i,
  input  wire logic                  other_rst_ni,
  output logic [WindowLog2-1:0]      count_o
);

  if (WindowLog2 < 4 || WindowLog2 > 24) begin : gen_bad_window_log2
    $error("2^4 to 2^24 cycles");
  end

  logic [5:0]            other_q;
  logic [2:0]            seen_q;
  logic [WindowLog2-1:0] window_q, count_q;
  logic                  edge_seen;

  always_ff @(posedge other_clk_i or negedge other_rst_ni) begin
    if (!other_rst_ni) other_q <= '0;
    else other_q <= other_q + 6'd1;
  end

  assign edge_seen = seen_q[2] != seen_q[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q   <= '0;
      window_q <= '0;
      count_q  <= '0;
      count_o  <= '0;
    end else begin
      seen_q   <= {seen_q[1:0], other_q[5]};
      window_q <= window_q + 1'b1;
      if (&window_q) begin
        count_o <= count_q;
        count_q <= WindowLog2'(edge_seen);
      end else begin
        count_q <= count_q + WindowLog2'(edge_seen);
      end
    end
  end

endmodule

`default_nettype wire
