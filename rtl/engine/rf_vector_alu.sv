// SPDX-License-Identifier: Apache-2.0
//
// One 32-bit lane of VECTOR: axpb (a * x + b), add, xor, min, max, all modulo
// 2^32, min and max signed. Three registers deep, all of which move when
// advance_i is high; operation_i, a_i and b_i stand still meanwhile. a_i is 1 for what
// is not axpb: x goes through the multiplier. Of min and max the other operand is 0 when the
// last stage adds. x_o is x_i, or 0 with skip_i, after one advance.
// The product is three 16 x 16 products, one DSP multiplier each; what the last stage adds
// has two of them on one side, one on the other.

`default_nettype none

module rf_vector_alu (
  input  wire logic        clk_i,
  input  wire logic        advance_i,
  input  wire logic [7:0]  operation_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] x_i,
  input  wire logic        skip_i,
  input  wire logic [31:0] y_i,
  output logic [31:0]      x_o,
  output logic [31:0]      result_o  // of three advances ago
);

  logic        axpb, min, max, greater, exclusive_q;
  logic [31:0] low_q, left_q, right_q;
  logic [31:0] not_y_q;    // as a comparison adds it
  logic [31:0] other;      // not x
  logic [15:0] middle0_q, middle1_q;

  assign axpb = operation_i == rf_pkg::VectorOperationAxpb;
  assign min  = operation_i == rf_pkg::VectorOperationMin;
  assign max  = operation_i == rf_pkg::VectorOperationMax;
  assign other = axpb ? b_i : ~not_y_q;

  // x > y by the carry of x + ~y; signed, so with the signs the other way round.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] difference;
  /* verilator lint_on UNUSEDSIGNAL */
  assign {greater, difference} = {1'b0, !x_o[31], x_o[30:0]} +
                                 {1'b0, !not_y_q[31], not_y_q[30:0]};

  always_ff @(posedge clk_i) begin
    exclusive_q <= operation_i == rf_pkg::VectorOperationXor;
    if (advance_i) begin
      low_q     <= {16'd0, a_i[15:0]} * {16'd0, x_i[15:0]};
      middle0_q <= a_i[31:16] * x_i[15:0];
      middle1_q <= a_i[15:0] * x_i[31:16];
      x_o       <= skip_i ? '0 : x_i;
      not_y_q   <= ~y_i;

      if (greater ? min : max) left_q <= '0;
      else left_q <= {low_q[31:16] + middle1_q, low_q[15:0]};
      if (greater ? max : min) right_q <= '0;
      else right_q <= {other[31:16] + middle0_q, other[15:0]};

      result_o <= exclusive_q ? left_q ^ right_q : left_q + right_q;
    end
  end

endmodule

`default_nettype wire
