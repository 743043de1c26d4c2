// SPDX-License-Identifier: Apache-2.0
//
// Engine work of the slot that a node serves: how many operations were dispatched and are not
// complete, whether one failed, and which are returned. When a slot is left during engine work,
// the engine is preempted: the first operation that is not complete is the packet to resume, later
// ones are returned unchanged. Operations that were dispatched before the slot came into error are
// aborted.

`default_nettype none

module rf_node_engine (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         offered_i,    // an operation is on offer,
  input  wire logic         issued_i,     // and taken
  input  wire logic         stops_i,      // the slot is to be left
  input  wire logic         leaves_i,
  input  wire logic         slot_error_i,
  input  wire rf_bus_pkg::engine_result_t result_i,
  output      rf_bus_pkg::engine_control_t control_o,

  output logic              idle_o,
  output logic              room_o,       // one more can be counted
  output logic              fails_o,      // an operation does in this cycle
  output logic              failed_o,     // one did, and the slot is not in error yet
  output logic              failed_next_o,
  output logic              rewinds_o,    // the first operation comes back,
  output logic [2:0]        back_o,       // with all that are not complete, a cycle later
  output logic              rewound_o     // some did, until the slot is left
);

  logic [2:0] count_q;
  assign room_o        = count_q != '1;
  assign fails_o       = result_i.done && result_i.failure.error != rf_pkg::QueueErrorNone;
  assign failed_next_o = fails_o || (failed_o && !slot_error_i);
  assign rewinds_o     = result_i.done && result_i.preempted && !rewound_o;
  always_comb begin
    control_o.aborts   = !idle_o && (slot_error_i || failed_o);
    control_o.preempts = stops_i && (!idle_o || offered_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q   <= '0;
      idle_o    <= 1'b1;
      failed_o  <= 1'b0;
      rewound_o <= 1'b0;
      back_o    <= '0;
    end else begin
      count_q   <= count_q + {2'd0, issued_i} - {2'd0, result_i.done};
      idle_o    <= !issued_i && (idle_o || (count_q == 3'd1 && result_i.done));
      failed_o  <= failed_next_o;
      rewound_o <= (rewound_o || rewinds_o) && !leaves_i;
      back_o    <= rewinds_o ? count_q : '0;
    end
  end

  // Where progress and partial result go: rf_node_position.
  logic unused_result;
  assign unused_result = &{1'b0, result_i};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (result_i.done) done_of_an_operation: assert (count_q != '0);
      if (result_i.done && result_i.preempted) cut_when_asked: assert (control_o.preempts);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
