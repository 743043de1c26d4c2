// SPDX-License-Identifier: Apache-2.0
//
// What ends a wait in this cycle, one of: a snoop that hits, the answer of its read, the fault
// of its translation. At most one of them is given; that the wait is still there is checked
// before. Combinational.
// Promises: no release in the cycle of its cancel.

`default_nettype none

module rf_wait_release (
  input  wire logic                   hit_i,
  input  wire logic [3:0]             hit_slot_i,

  input  wire logic                   judge_i,        // the answer of a read is compared
  input  wire logic [3:0]             answer_slot_i,
  input  wire logic                   reaches_i,
  input  wire logic [2:0]             status_i,
  input  wire logic [1:0]             level_i,

  input  wire logic                   fault_i,        // of a wait that is still there
  input  wire logic [3:0]             fault_slot_i,
  input  wire logic [1:0]             fault_level_i,

  input  wire logic                   cancel_valid_i,
  input  wire logic [3:0]             cancel_slot_i,
  input  wire logic [63:0]            asked_va_i,     // of the answer's place or the fault's

  output logic                        valid_o,
  output logic [3:0]                  slot_o,
  output      rf_bus_pkg::failure_t   failure_o,
  output logic [15:0]                 ended_o         // its place, one-hot, also under its cancel
);

  logic       broken, ends;   // ends: a wait, one that is cancelled too
  logic [2:0] status;
  assign broken = judge_i && status_i != rf_pkg::AccessStatusOk;
  assign ends   = hit_i || broken || (judge_i && reaches_i) || fault_i;
  assign slot_o = hit_i ? hit_slot_i : judge_i ? answer_slot_i : fault_slot_i;

  assign valid_o = ends && !(cancel_valid_i && cancel_slot_i == slot_o);
  assign ended_o = ends ? 16'd1 << slot_o : '0;

  assign status = fault_i ? rf_pkg::AccessStatusTranslation : status_i;
  always_comb begin
    failure_o         = '0;
    failure_o.level   = fault_i ? fault_level_i : level_i;
    failure_o.address = asked_va_i;
    if (fault_i || broken) begin
      // The access statuses and their queue errors are in the same order.
      failure_o.error = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, status};
    end
  end

endmodule

`default_nettype wire
