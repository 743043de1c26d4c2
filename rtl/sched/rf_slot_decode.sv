// SPDX-License-Identifier: Apache-2.0
//
// Address decoder of the slot registers: whether an address is one, and of which slot. Slots that
// the device does not have have no registers.

`default_nettype none

module rf_slot_decode #(
  parameter int unsigned Slots = 16
) (
  input  wire logic [16:8] address_i,
  output logic             hit_o,
  output logic [3:0]       slot_o
);

  // The slots start one stride, 256 bytes, behind a multiple of 4 KiB.
  localparam logic [16:8] Base = rf_pkg::SlotIndexedBase[16:8];
  if (Base[11:8] != 4'd1 || rf_pkg::SlotIndexedCount != 16) begin : gen_check
    $error("rf_slot_decode expects 16 slots behind a block header of one stride");
  end

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  // One less, without a carry chain.
  logic [3:0] stride, slot;
  assign stride = address_i[11:8];
  assign slot   = {stride[3] ^ (stride[2:0] == '0), stride[2] ^ (stride[1:0] == '0),
                   stride[1] ^ !stride[0], !stride[0]};
  assign slot_o = slot & 4'(Slots - 1);
  assign hit_o  = slot == slot_o &&
                  (stride == '0 ? address_i[16:12] == Base[16:12] + 5'd1
                                : address_i[16:12] == Base[16:12]);

endmodule

`default_nettype wire
