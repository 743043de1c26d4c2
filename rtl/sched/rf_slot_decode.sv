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

  // The slots start one stride, 256 bytes, behind a multiple of 4 KiB: the slot is the
  // place minus one. Bit by bit: a carry chain would stand in front of every write.
  localparam logic [16:8] Base = rf_pkg::SlotIndexedBase[16:8];
  if (Base[11:8] != 4'd1 || rf_pkg::SlotIndexedCount != 16) begin : gen_check
    $error("rf_slot_decode expects 16 slots behind a block header of one stride");
  end

  logic [3:0] place;
  assign place      = address_i[11:8];
  assign slot_o[0]  = !place[0];
  assign slot_o[1]  = place[1] == place[0];
  assign slot_o[2]  = place[2] == (place[1:0] != '0);
  assign slot_o[3]  = place[3] == (place[2:0] != '0);
  assign hit_o      = valid_i && (place != '0 ? address_i[16:12] == Base[16:12]
                                              : address_i[16:12] == Base[16:12] + 5'd1);
  assign register_o = address_i[7:3];

endmodule

`default_nettype wire
