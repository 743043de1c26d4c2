// SPDX-License-Identifier: Apache-2.0
//
// Cycles that the served slot has left of its quantum: loaded with its position, counted down
// while the node runs. QUANTUM 0 is unlimited; QUANTUM_LEFT 0 begins a new quantum.

`default_nettype none

module rf_node_quantum (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         start_i,        // a slot has just been taken
  input  wire logic         running_i,
  input  wire logic         load_left_i,    // QUANTUM_LEFT of the slot, first
  input  wire logic         load_quantum_i, // QUANTUM
  input  wire logic [23:0]  load_data_i,
  output logic [23:0]       left_o,
  output logic              spent_o         // a cycle ago
);

  logic endless_q, over;
  assign over = !endless_q && left_o == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_o    <= '0;
      endless_q <= 1'b1;
      spent_o   <= 1'b0;
    end else begin
      spent_o <= !start_i && over; // in Start still that of the slot before
      if (start_i) begin
        endless_q <= 1'b1; // until it is known
      end else if (load_left_i) begin
        left_o <= load_data_i;
      end else if (load_quantum_i) begin
        if (left_o == '0) left_o <= load_data_i;
        endless_q <= load_data_i == '0;
      end else if (running_i && !over && !endless_q) begin
        left_o <= left_o - 24'd1;
      end
    end
  end

endmodule

`default_nettype wire
