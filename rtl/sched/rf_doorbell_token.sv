// SPDX-License-Identifier: Apache-2.0
//
// Finds the slot of a token. A memory, indexed by the low bits of the token, holds the slot whose
// CONFIG was last written with these bits. The whole token must also match that slot, and the slot
// must be enabled. So a token names at most one slot, and never a slot with another token. If
// several enabled slots share the low bits, only the one configured last is found: the driver
// assigns tokens with different low bits. A slot that was never configured may match by chance; it
// is never runnable.
// The token stands for two cycles, and its slot comes in the second of them, out of a block RAM.
// Latency: from there to named_o and token_o two cycles, of the slot as it is in the first. A
// CONFIG write affects the next lookup.

`default_nettype none

module rf_doorbell_token #(
  parameter int unsigned IndexLog2 = rf_pkg::DoorbellTokenIndexBits,
  parameter int unsigned Slots = 16
) (
  input  wire logic        clk_i,

  input  wire logic        config_write_i,  // CONFIG of this slot is written: it has this token
  input  wire logic [3:0]  config_slot_i,
  input  wire logic [15:0] config_token_i,
  input  wire logic [15:0] enabled_i,

  input  wire logic [15:0] token_i,
  output logic [3:0]       slot_o,          // its slot, if
  output logic [15:0]      token_o,         // this token
  output logic             named_o          // is that of the slot
);

  if (IndexLog2 < 2 || IndexLog2 > 14) begin : gen_bad_index
    $error("2 to 14 of the 16 bits of a token are its index");
  end

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end
  localparam int unsigned SlotLog2 = $clog2(Slots);

  // A lookup in the cycle of a write of its word finds nothing that may be used: then no
  // enabled slot has the token.
  (* no_rw_check, ram_style = "block" *)
  logic [SlotLog2-1:0] slots [1 << IndexLog2];

  logic [IndexLog2-1:0] write_index, read_index;
  logic [15:0]          slot_token, token_q;
  logic [3:0]           slot_q;
  assign write_index = config_token_i[IndexLog2-1:0];
  assign read_index  = token_i[IndexLog2-1:0];

  always_ff @(posedge clk_i) begin
    if (config_write_i) slots[write_index] <= config_slot_i[SlotLog2-1:0];
    slot_o  <= 4'(slots[read_index]);
    slot_q  <= slot_o;
    token_q <= token_i;
    token_o <= token_q;
    named_o <= enabled_i[slot_q] && slot_token == token_q;
`ifndef SYNTHESIS
    if (config_write_i && write_index == read_index) slot_o <= ~config_slot_i;
`endif
  end

  rf_lutram #(.Width(16)) u_tokens (
    .clk_i, .write_i(config_write_i), .write_address_i(config_slot_i),
    .write_data_i(config_token_i), .read_address_i(slot_q), .read_data_o(slot_token)
  );

endmodule

`default_nettype wire
