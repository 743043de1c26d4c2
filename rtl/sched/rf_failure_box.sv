// SPDX-License-Identifier: Apache-2.0
//
// Stores failures that arrive as pulses, one per slot: only the first failure of a slot counts.
// They are rare and wide, and lie in block RAM.
// Promises: never refuses, so no failure is lost.
// Latency: valid_i -> held_o one cycle; it can be read from the second cycle on. read_o follows one
// cycle after read_i, which names a slot in held_o; in other cycles it is 0, so the boxes of
// several units can be ORed.

`default_nettype none

module rf_failure_box #(
  parameter int unsigned Width = 72,
  parameter int unsigned Slots = 16
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             valid_i,
  input  wire logic [3:0]       slot_i,
  input  wire logic [Width-1:0] failure_i,
  input  wire logic [15:0]      keep_i,    // held no longer without this
  input  wire logic [15:0]      clear_i,
  output logic [15:0]           held_o,
  input  wire logic             read_i,
  input  wire logic [3:0]       read_slot_i,
  output logic [Width-1:0]      read_o
);

  if (Width < 8 || Width > 4096) begin : gen_bad_width
    $error("a failure has 8 to 4096 bits");
  end
  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  localparam logic [15:0] Here = 16'((1 << Slots) - 1); // as it is; synthesis drops the rest

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_o <= '0;
    else held_o <= ((held_o & keep_i & ~clear_i) | (valid_i ? 16'd1 << slot_i : 16'd0)) & Here;
  end

  // Whether it is one, and the first, is known late in its cycle.
  logic             store_q;
  logic [3:0]       slot_q;
  logic [Width-1:0] failure_q;
  always_ff @(posedge clk_i) begin
    store_q   <= valid_i && !held_o[slot_i];
    slot_q    <= slot_i;
    failure_q <= failure_i;
  end

  // A failure is stored in the cycle in which it is first held, and read later.
  rf_ram #(.Width(Width), .DepthLog2(4), .Lane(Width), .ZeroWithoutRead(1'b1)) u_failures (
    .clk_i, .write_i(store_q), .write_address_i(slot_q), .write_data_i(failure_q),
    .write_strobe_i(1'b1), .read_i, .read_address_i(read_slot_i), .read_data_o(read_o)
  );

endmodule

`default_nettype wire
