// SPDX-License-Identifier: Apache-2.0
//
// The way of a WAIT from the nodes to rf_wait: a register, so that neither waits for what
// the other knows late. A cancel of its slot takes it away, if rf_wait has not taken it
// before: so rf_wait inserts none that is cancelled.
// Promises: order kept, none doubled, none lost but by a cancel. Latency: one cycle.

`default_nettype none

module rf_wait_slice (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  input  wire logic                               valid_i,
  output logic                                    ready_o,
  input  wire        rf_bus_pkg::wait_operation_t wait_i,

  input  wire logic                               cancel_valid_i,
  input  wire logic [3:0]                         cancel_slot_i,

  output logic                                    valid_o,
  input  wire logic                               ready_i,
  output             rf_bus_pkg::wait_operation_t wait_o
);

  logic cancelled;
  assign cancelled = cancel_valid_i && cancel_slot_i == wait_o.slot;
  assign ready_o   = !valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= valid_o ? !ready_i && !cancelled : valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) wait_o <= wait_i;
  end

endmodule

`default_nettype wire
