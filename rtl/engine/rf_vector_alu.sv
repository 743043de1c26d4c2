// SPDX-License-Identifier: Apache-2.0
//
// One 32-bit lane of VECTOR: axpb (a * x + b), add, xor, min, max, all modulo
// 2^32, min and max signed. Three registers deep, all of which move when
// advance_i is high; operation_i, a_i and b_i stand still meanwhile.
// The product is three 16 x 16 products, one DSP multiplier each.

`default_nettype none

module rf_vector_alu (
  input  wire logic        clk_i,
  input  wire logic        advance_i,
  input  wire logic [7:0]  operation_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] x_i,
  input  wire logic [31:0] y_i,
  output logic [31:0]      result_o  // of three advances ago
);

  logic        axpb;
  logic [31:0] low_q;
  logic [15:0] middle0_q, middle1_q;
  logic [31:0] x_q, y_q, left_q, right_q;

  assign axpb = operation_i == rf_pkg::VectorOperationAxpb;

  // What is no sum takes one cell per bit.
  logic        less, sum_q;
  logic        with_left_q, with_right_q;
  logic [31:0] picked;
  assign less   = $signed(x_q) < $signed(y_q);
  assign picked = (with_left_q ? left_q : '0) ^ (with_right_q ? right_q : '0);

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      low_q     <= {16'd0, a_i[15:0]} * {16'd0, x_i[15:0]};
      middle0_q <= a_i[31:16] * x_i[15:0];
      middle1_q <= a_i[15:0] * x_i[31:16];
      x_q       <= x_i;
      y_q       <= y_i;

      left_q  <= axpb ? {low_q[31:16] + middle0_q + middle1_q, low_q[15:0]} : x_q;
      right_q <= axpb ? b_i : y_q;

      sum_q        <= 1'b0;
      with_left_q  <= 1'b0;
      with_right_q <= 1'b0;
      case (operation_i)
        rf_pkg::VectorOperationXor: {with_left_q, with_right_q} <= 2'b11;
        rf_pkg::VectorOperationMin: {with_left_q, with_right_q} <= {less, !less};
        rf_pkg::VectorOperationMax: {with_left_q, with_right_q} <= {!less, less};
        default: sum_q <= 1'b1;
      endcase

      result_o <= picked | (sum_q ? left_q + right_q : '0);
    end
  end

endmodule

`default_nettype wire
