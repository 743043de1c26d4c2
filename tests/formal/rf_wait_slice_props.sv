// SPDX-License-Identifier: Apache-2.0
//
// rf_wait_slice, seen from one slot, which waits once at a time: its WAIT is offered in every
// cycle behind the one in which it was taken, unchanged, until rf_wait takes it or it is
// cancelled, and never after that. rf_wait takes nothing under a cancel.

`default_nettype none

module rf_wait_slice_props (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  (* anyconst *) logic [3:0] slot;
  (* anyseq *) logic         offered, take, cancel_valid;
  (* anyseq *) logic [3:0]   cancel_slot;
  (* anyseq *) logic [rf_bus_pkg::WaitOperationWidth-1:0] operation;
  logic                      ready, valid;
  rf_bus_pkg::wait_operation_t given, shown;
  assign given = operation;

  rf_wait_slice u_slice (
    .clk_i, .rst_ni, .valid_i(offered), .ready_o(ready), .wait_i(given),
    .cancel_valid_i(cancel_valid), .cancel_slot_i(cancel_slot),
    .valid_o(valid), .ready_i(take), .wait_o(shown));

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  logic begins, cancelled, leaves;
  logic held_q;   // the slot's WAIT was taken here, and neither left nor was cancelled
  logic [rf_bus_pkg::WaitOperationWidth-1:0] held_operation_q;
  initial held_q = 1'b0;
  assign begins    = offered && ready && given.slot == slot;
  assign cancelled = cancel_valid && cancel_slot == slot;
  assign leaves    = valid && take && shown.slot == slot;

  always_comb if (cancel_valid) assume (!take);

  always_ff @(posedge clk_i) begin
    held_q <= rst_ni && (begins || (held_q && !cancelled && !leaves));
    if (begins) held_operation_q <= operation;
  end

  always_comb if (rst_ni) begin
    none_after_a_cancel: assert (held_q == (valid && shown.slot == slot));
    if (held_q) stays: assert (shown == held_operation_q);
    one_at_a_time: assert (ready == !valid);
  end

  logic waited_q, lost_q;
  initial begin
    waited_q = 1'b0;
    lost_q   = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    waited_q <= rst_ni && held_q && !take && !cancelled;
    lost_q   <= rst_ni && held_q && cancelled;
  end
  always_comb if (rst_ni) begin
    waits_for_the_cancel_of_another: cover (waited_q && leaves);
    next_behind_a_cancel: cover (lost_q && begins);
  end

endmodule

`default_nettype wire
