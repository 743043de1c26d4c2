// SPDX-License-Identifier: Apache-2.0
//
// The SERDES' detector of electrical idle, synchronised and steady: idle_o changes when the
// detector has said so for eight cycles (64 ns), so that a glitch does not count. Latency ten
// cycles.

`default_nettype none

module rf_link_electrical_idle (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic idle_i,   // of any clock
  output logic      idle_o
);

  logic       first_q, seen_q;
  logic [2:0] steady_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q  <= 1'b1;
      seen_q   <= 1'b1;
      steady_q <= '0;
      idle_o   <= 1'b1;
    end else begin
      first_q  <= idle_i;
      seen_q   <= first_q;
      steady_q <= seen_q == idle_o ? 3'd0 : steady_q + 3'd1;
      if (steady_q == 3'd7 && seen_q != idle_o) idle_o <= seen_q;
    end
  end

endmodule

`default_nettype wire
