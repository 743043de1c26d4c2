// SPDX-License-Identifier: Apache-2.0
//
// Keeps failures that come as pulses until somebody takes them: one place per
// slot, since only the first failure of a slot counts. Promises: never refuses, so
// nothing is lost; the lowest slot leaves first. Latency one cycle.

`default_nettype none

module rf_failure_box (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        valid_i,
  input  wire logic [3:0]  slot_i,
  input  wire rf_bus_pkg::failure_t failure_i,
  output logic             valid_o,
  input  wire logic        ready_i,
  output logic [3:0]       slot_o,
  output      rf_bus_pkg::failure_t failure_o
);

  logic [15:0] held_q, put, taken;
  assign put     = valid_i ? 16'd1 << slot_i : '0;
  assign taken   = ready_i ? held_q & (~held_q + 16'd1) : '0;
  assign valid_o = held_q != '0;

  always_comb begin
    slot_o = '0;
    for (int unsigned i = 16; i > 0; i--) if (held_q[i-1]) slot_o = 4'(i - 1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= (held_q & ~taken) | put;
  end

  rf_lutram #(.Width(rf_bus_pkg::FailureWidth)) u_failures (
    .clk_i, .write_i(valid_i && (held_q & put) == '0), .write_address_i(slot_i),
    .write_data_i(failure_i), .read_address_i(slot_o), .read_data_o(failure_o)
  );

endmodule

`default_nettype wire
