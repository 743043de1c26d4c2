// SPDX-License-Identifier: Apache-2.0
//
// Keeps failures that come as pulses until somebody looks: one place per slot, since
// only the first failure of a slot counts. Promises: never refuses, so nothing is lost.
// Latency: read_o one cycle after read_slot_i, of a slot that was held then.

`default_nettype none

module rf_failure_box #(
  parameter int unsigned Width = 8 // a multiple of 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             valid_i,
  input  wire logic [3:0]       slot_i,
  input  wire logic [Width-1:0] failure_i,
  input  wire logic [15:0]      clear_i,
  output logic [15:0]           held_o,
  input  wire logic [3:0]       read_slot_i,
  output logic [Width-1:0]      read_o
);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_o <= '0;
    else held_o <= (held_o & ~clear_i) | (valid_i ? 16'd1 << slot_i : 16'd0);
  end

  rf_ram #(.Width(Width), .DepthLog2(4)) u_failures (
    .clk_i, .write_i(valid_i && !held_o[slot_i]), .write_address_i(slot_i),
    .write_data_i(failure_i), .write_strobe_i('1),
    .read_i(1'b1), .read_address_i(read_slot_i), .read_data_o(read_o)
  );

endmodule

`default_nettype wire
