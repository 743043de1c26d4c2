// SPDX-License-Identifier: Apache-2.0
//
// Ends a wait in this cycle, for one of three reasons: a snoop that hits, the response of its read,
// the fault of its translation. At most one of the three inputs is active, and the caller has
// checked that the wait still exists. Combinational.
// Promises: no release in the cycle of its cancel.

`default_nettype none

module rf_wait_release (
  input  wire logic                   hit_i,
  input  wire logic                   judge_i,        // the response of a read, or a fault
  input  wire logic [3:0]             slot_i,         // of either
  input  wire logic [15:0]            slot_onehot_i,  // the same
  input  wire logic                   reaches_i,
  input  wire logic [2:0]             status_i,       // ... of judge_i, with its level
  input  wire logic [1:0]             level_i,
  input  wire logic [63:0]            asked_va_i,     // its virtual address

  input  wire logic                   cancel_valid_i,
  input  wire logic [3:0]             cancel_slot_i,

  output logic                        valid_o,
  output      rf_bus_pkg::failure_t   failure_o,
  output logic [15:0]                 ended_o         // its place, one-hot, also under its cancel
);

  logic broken, ends;         // ends: a wait, one that is cancelled too
  assign broken = judge_i && status_i != rf_pkg::AccessStatusOk;
  assign ends   = hit_i || broken || (judge_i && reaches_i);

  assign valid_o = ends && !(cancel_valid_i && cancel_slot_i == slot_i);
  assign ended_o = ends ? slot_onehot_i : '0;

  always_comb begin
    failure_o         = '0;
    failure_o.level   = level_i;
    failure_o.address = asked_va_i;
    if (broken) begin
      // The access statuses and their queue errors are in the same order.
      failure_o.error = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, status_i};
    end
  end

endmodule

`default_nettype wire
