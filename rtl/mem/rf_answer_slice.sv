// SPDX-License-Identifier: Apache-2.0
//
// Register slice of the answers to one master: the bus of answers goes all over the
// device, and who takes them has much to do with them. Latency: one cycle. Never refuses;
// answers to other masters do not come out.

`default_nettype none

module rf_answer_slice #(
  parameter logic [3:0] Master = rf_bus_pkg::ReadWait
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  input  wire logic                     answer_valid_i,
  input  wire rf_bus_pkg::read_answer_t answer_i,
  output logic                          answer_valid_o,
  output rf_bus_pkg::read_answer_t      answer_o
);

  if (Master >= 4'(rf_bus_pkg::ReadMasters)) begin : gen_bad_master
    $error("there is no such master");
  end

  /* verilator lint_off UNUSEDSIGNAL */ // bit 3 is an epoch
  logic [3:0] master;
  /* verilator lint_on UNUSEDSIGNAL */
  logic       take;

  assign master = answer_i.master;
  assign take   = answer_valid_i && master[2:0] == Master[2:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answer_valid_o <= 1'b0;
    else answer_valid_o <= take;
  end

  always_ff @(posedge clk_i) begin
    if (take) answer_o <= answer_i;
  end

endmodule

`default_nettype wire
