// SPDX-License-Identifier: Apache-2.0
//
// Two sources onto one port, in turn. Promises: what is shown stays until it is
// taken; a steady source is taken at least every second time. No latency.

`default_nettype none

module rf_merge #(
  parameter int unsigned Width = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [1:0]       valid_i,
  output logic [1:0]            ready_o,
  input  wire logic [2*Width-1:0] data_i,
  output logic                  valid_o,
  input  wire logic             ready_i,
  output logic [Width-1:0]      data_o
);

  logic held_q, held_high_q, last_high_q, high;

  // Whoever was shown and not taken; else, of two, the one that was not last.
  assign high = held_q ? held_high_q : valid_i[1] && (!valid_i[0] || !last_high_q);

  assign valid_o = valid_i != '0;
  assign data_o  = high ? data_i[Width +: Width] : data_i[0 +: Width];
  assign ready_o = {ready_i && high, ready_i && !high};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q      <= 1'b0;
      held_high_q <= 1'b0;
      last_high_q <= 1'b0;
    end else begin
      held_q      <= valid_o && !ready_i;
      held_high_q <= high;
      if (valid_o && ready_i) last_high_q <= high;
    end
  end

endmodule

`default_nettype wire
