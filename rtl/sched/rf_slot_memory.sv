// SPDX-License-Identifier: Apache-2.0
//
// The slot registers that are not needed in every cycle: the descriptor, the address of the first
// error, and the position, which a node stores when it leaves a slot and loads when it takes one.
// So the registers that the host reads are the context itself, without a copy.
//
// One write and one read per cycle, in the order of priority: the register bus, errors, nodes. A
// bus that is busy in every cycle would block the others, but no link is that fast. An error is
// stored when the bus is free, which is known one cycle ahead.
// Latency: data_o one cycle after a read was accepted.

`default_nettype none

module rf_slot_memory (
  input  wire logic         clk_i,

  input  wire logic         register_valid_i,  // on the bus, whatever its address: it goes first
  input  wire logic         register_read_i,
  input  wire logic         register_write_i,
  input  wire logic         register_clear_i,  // a write of 0, whatever else comes with it
  input  wire logic [3:0]   register_slot_i,
  input  wire logic [4:0]   register_number_i,
  input  wire logic [63:0]  register_data_i,
  input  wire logic [7:0]   register_strobe_i,

  input  wire logic         error_valid_i,     // ERROR_ADDRESS; no access is on the bus
  input  wire logic         config_valid_i,    // read of CONFIG
  output logic              config_ready_o,
  input  wire logic [3:0]   error_slot_i,      // of both
  input  wire logic [63:0]  error_data_i,      // 0 without error_valid_i

  // Node n at [n]. A node stores or loads.
  input  wire logic [1:0]   node_store_i,
  input  wire logic [1:0]   node_load_i,
  output logic [1:0]        node_ready_o,
  input  wire logic [7:0]   node_slot_i,
  input  wire logic [9:0]   node_number_i,
  input  wire logic [127:0] node_data_i,

  output logic [63:0]       data_o
);

  localparam logic [4:0] Config       = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] ErrorAddress = rf_pkg::RegSlotErrorAddress[7:3];

  logic       second, take_store, take_load; // node 1
  logic [8:0] node_address, write_address, read_address;
  assign second       = node_store_i[0] || node_load_i[0] ? 1'b0 : 1'b1;
  assign take_store   = node_store_i[second];
  assign take_load    = node_load_i[second];
  assign node_address = {node_slot_i[second*4 +: 4], node_number_i[second*5 +: 5]};

  assign config_ready_o = !register_valid_i;
  assign node_ready_o   = (register_valid_i || error_valid_i || config_valid_i)
                          ? 2'b00 : {second, !second};

  assign write_address = register_valid_i ? {register_slot_i, register_number_i}
                       : error_valid_i    ? {error_slot_i, ErrorAddress} : node_address;
  assign read_address  = register_valid_i ? {register_slot_i, register_number_i}
                       : config_valid_i   ? {error_slot_i, Config} : node_address;

  logic        first_data, second_data;
  logic        register_data;
  logic [63:0] behind_data; // of those behind the register bus
  // What clears writes the 0 of those that do not write then.
  assign register_data = register_valid_i && !register_clear_i;
  assign first_data  = !register_valid_i && !error_valid_i && !second;
  assign second_data = !register_valid_i && !error_valid_i && second;
  assign behind_data = error_data_i | (first_data ? node_data_i[63:0] : '0) |
                       (second_data ? node_data_i[127:64] : '0);

  rf_ram #(.Width(64), .DepthLog2(9)) u_words (
    .clk_i,
    .write_i(register_valid_i ? register_write_i || register_clear_i
                              : error_valid_i || take_store),
    .write_address_i(write_address),
    .write_data_i(register_data ? register_data_i : behind_data),
    .write_strobe_i(register_data ? register_strobe_i : '1),
    .read_i(register_valid_i ? register_read_i : config_valid_i || take_load),
    .read_address_i(read_address), .read_data_o(data_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) assert (!register_valid_i || !error_valid_i);
`endif

endmodule

`default_nettype wire
