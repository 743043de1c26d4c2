// SPDX-License-Identifier: Apache-2.0
//
// Address decoder of the slot registers: which slot, which register (in words).

`default_nettype none

module rf_slot_decode (
  input  wire logic        valid_i,
  input  wire logic [16:3] address_i,
  output logic             hit_o,
  output logic [3:0]       slot_o,
  output logic [4:0]       register_o
);

  // The indexed registers start at a multiple of their stride, 256 bytes.
  logic [8:0] index;
  assign index      = address_i[16:8] - rf_pkg::SlotIndexedBase[16:8];
  assign hit_o      = valid_i && index < 9'(rf_pkg::SlotIndexedCount);
  assign slot_o     = index[3:0];
  assign register_o = address_i[7:3];

endmodule

`default_nettype wire
