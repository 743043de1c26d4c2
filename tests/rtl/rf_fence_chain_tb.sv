// SPDX-License-Identifier: Apache-2.0
//
// The chain from a fence operation to the MSI-X request with the real memory system.

`default_nettype none

module rf_fence_chain_tb (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,
  input  wire        rf_bus_pkg::register_request_t register_i,
  output logic [63:0]                               register_data_o,
  input  wire logic                                 local_write_valid_i,
  input  wire logic [31:3]                          local_write_address_i,
  input  wire logic [63:0]                          local_write_data_i,
  input  wire logic                                 fence_valid_i,
  output logic                                      fence_ready_o,
  input  wire        rf_bus_pkg::fence_operation_t  fence_i,
  input  wire logic [63:0]                          word_i,
  output logic                                      fence_done_o,
  output logic                                      system_write_valid_o,
  output logic                                      system_write_last_o,
  input  wire logic                                 system_write_accepted_i,
  input  wire logic                                 system_write_accepted_last_i,
  output logic                                      snoop_valid_o,
  output logic [54:3]                               snoop_address_o,
  output logic                                      msix_valid_o
);

  localparam int unsigned ReadWidth  = rf_bus_pkg::ReadRequestWidth;
  localparam int unsigned WriteWidth = rf_bus_pkg::WriteRequestWidth;

  logic [63:0] timestamp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) timestamp_q <= '0;
    else timestamp_q <= timestamp_q + 1'b1;
  end

  logic [6:0]                            read_valid, read_ready;
  logic [7*ReadWidth-1:0]                read;
  logic [6:0]                            read_hold;
  rf_bus_pkg::read_bus_t                 response_bus;
  rf_bus_pkg::snoop_t                    snoop;
  logic [4:0]                            write_valid, write_ready, data_valid, data_ready;
  logic [5*WriteWidth-1:0]               write;
  logic [5*64-1:0]                       data;
  rf_bus_pkg::write_done_t               writes_done;
  logic [1:0]                            record_valid;
  logic [4:0]                            record_ready;
  logic [14:0]                           record_show;
  logic [2*64-1:0]                       record;
  logic [63:0]                           fence_data, interrupt_data, memory_data;
  rf_bus_pkg::system_write_t             system_write;
  rf_bus_pkg::write_request_t            interrupt_write;

  assign register_data_o     = fence_data | interrupt_data | memory_data;
  assign system_write_last_o = system_write.last;
  assign snoop_valid_o       = snoop.valid;
  assign snoop_address_o     = snoop.address;
  assign {read_valid[6:5], read_valid[2:0]} = '0;
  assign {read_hold[6:5], read_hold[2:0]}   = '0;
  assign read[0 +: 3*ReadWidth]             = '0;
  assign read[5*ReadWidth +: 2*ReadWidth]   = '0;
  assign write_valid[4:3]                   = '0;
  assign data_valid[4:3]                    = '0;
  assign write[2*WriteWidth +: WriteWidth]  = interrupt_write;
  assign write[3*WriteWidth +: 2*WriteWidth] = '0;
  assign data[3*64 +: 2*64]                 = '0;

  /* verilator lint_off PINCONNECTEMPTY */
  logic second_ready;
  logic       slot_decoded, slot_hit;
  logic [3:0] register_slot;
  rf_slot_decode u_slot_decode (
    .address_i(register_i.address[16:8]), .hit_o(slot_decoded), .slot_o(register_slot));
  assign slot_hit = register_i.valid && slot_decoded;
  rf_bus_pkg::slot_access_t slot_access;
  always_comb begin
    slot_access.read  = slot_hit && !register_i.write;
    slot_access.write = slot_hit && register_i.write;
    slot_access.slot  = register_slot;
  end

  /* verilator lint_off UNUSEDSIGNAL */ // whose it is, and how it ended
  rf_bus_pkg::slot_result_t fence_done;
  /* verilator lint_on UNUSEDSIGNAL */
  assign fence_done_o = fence_done.valid;

  rf_fence u_fence (
    .clk_i, .rst_ni, .timestamp_i(timestamp_q),
    .fence_valid_i({1'b0, fence_valid_i}), .fence_ready_o({second_ready, fence_ready_o}),
    .fence_i({rf_bus_pkg::FenceOperationWidth'(0), fence_i}), .word_i({64'd0, word_i}),
    .fence_done_o(fence_done), .fence_done_log_only_o(), .fence_fault_o(), .restart_i('0),
    .write_valid_o(write_valid[1:0]), .write_ready_i(write_ready[1:0]),
    .write_o(write[0 +: 2*WriteWidth]), .write_data_valid_o(data_valid[1:0]),
    .write_data_ready_i(data_ready[1:0]), .write_data_o(data[0 +: 128]),
    .write_done_i(writes_done.done[1:0]),
    .write_done_status_i(writes_done.status[5:0]),
    .write_done_level_i(writes_done.level[3:0]),
    .read_valid_o(read_valid[4:3]), .read_ready_i(read_ready[4:3]),
    .read_o(read[3*ReadWidth +: 2*ReadWidth]), .read_hold_o(read_hold[4:3]),
    .response_valid_i(response_bus.valid), .response_i(response_bus.response),
    .record_valid_o(record_valid), .record_ready_i(record_ready[1:0]),
    .record_show_i(record_show[5:0]), .record_o(record),
    .register_i, .slot_access_i(slot_access), .register_data_o(fence_data), .slot_data_o(), .notify_o(), .suppressed_o(), .updated_o(), .idle_o());

  rf_interrupt u_interrupt (
    .clk_i, .rst_ni,
    .record_valid_i({3'd0, record_valid}), .record_ready_o(record_ready),
    .record_show_o(record_show), .record_i({192'd0, record}),
    .write_valid_o(write_valid[2]), .write_ready_i(write_ready[2]), .write_o(interrupt_write),
    .write_data_valid_o(data_valid[2]), .write_data_ready_i(data_ready[2]),
    .write_data_o(data[128 +: 64]), .write_done_i(writes_done.done[2]),
    .write_done_status_i(writes_done.status[8:6]),
    .msix_valid_o, .msix_ready_i(1'b1), .msix_vector_o(),
    .register_i, .register_data_o(interrupt_data), .raised_o(), .idle_o());

  rf_memory #(.LocalMemoryLog2(16)) u_memory (
    .clk_i, .rst_ni,
    .read_valid_i(read_valid), .read_ready_o(read_ready), .read_i(read), .read_hold_i(read_hold),
    .response_o(response_bus),
    .write_valid_i(write_valid), .write_ready_o(write_ready), .write_i(write),
    .write_data_valid_i(data_valid), .write_data_ready_o(data_ready), .write_data_i(data),
    .write_done_o(writes_done),
    .local_write_valid_i, .local_write_ready_o(),
    .local_write_i({local_write_address_i, local_write_data_i, 8'hff}), .local_read_valid_i(1'b0),
    .local_read_ready_o(), .local_read_address_i('0), .local_response_o(),
    .system_read_valid_o(), .system_read_ready_i(1'b1), .system_read_o(),
    .system_response_valid_i(1'b0), .system_response_i('0), .system_write_valid_o,
    .system_write_ready_i(1'b1), .system_write_o(system_write),
    .system_write_accepted_i({system_write_accepted_i, system_write_accepted_last_i, 3'd0}),
    .snoop_o(snoop), .wait_translate_i('0), .wait_translate_ready_o(), .wait_translated_o(),
    .invalidate_o(), .invalidate_busy_i(1'b0),
    .register_i, .register_data_o(memory_data), .event_fault_o(), .idle_o());
  /* verilator lint_on PINCONNECTEMPTY */

endmodule

`default_nettype wire
