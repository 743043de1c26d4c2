// SPDX-License-Identifier: Apache-2.0
//
// Passes a release of rf_wait to the slots one cycle later. A wait that is cancelled meanwhile is
// not released.
// Promises: no release in the cycle of a cancel or later, as in rf_wait.

`default_nettype none

module rf_release (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  input  wire logic                       release_valid_i,
  input  wire logic [3:0]                 release_slot_i,
  input  wire logic                       release_stalled_i,
  input  wire      rf_bus_pkg::failure_t  release_failure_i,

  input  wire logic                       cancel_valid_i,
  input  wire logic [3:0]                 cancel_slot_i,

  output logic                            release_valid_o,
  output logic [3:0]                      release_slot_o,
  output logic                            release_stalled_o,
  output           rf_bus_pkg::failure_t  release_failure_o,
  output logic                            idle_o
);

  logic pending_q;
  assign release_valid_o = pending_q && !(cancel_valid_i && cancel_slot_i == release_slot_o);
  assign idle_o          = !pending_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= 1'b0;
    else pending_q <= release_valid_i;
  end

  always_ff @(posedge clk_i) begin
    release_slot_o    <= release_slot_i;
    release_stalled_o <= release_stalled_i;
    release_failure_o <= release_failure_i;
  end

endmodule

`default_nettype wire
