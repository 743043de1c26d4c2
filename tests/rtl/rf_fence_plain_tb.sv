// SPDX-License-Identifier: Apache-2.0
//
// rf_fence without the update port, signals of node 0 only, before a memory that
// performs a word in the cycle after it takes it, and answers every read of
// MonitoredValue with monitored_i.

`default_nettype none

module rf_fence_plain_tb (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        signal_valid_i,
  output logic             signal_ready_o,
  input  wire logic [63:0] signal_value_i,
  input  wire logic [63:0] monitored_i,

  input  wire logic        register_valid_i,
  input  wire logic        register_write_i,
  input  wire logic [16:3] register_address_i,
  input  wire logic [63:0] register_data_i,
  output logic [63:0]      register_data_o,

  output logic             written_o,        // CurrentValue
  output logic [63:0]      written_value_o,
  output logic             record_o,
  output logic [63:0]      record_value_o,
  output logic             suppressed_o,
  output logic             notify_o,
  output logic             update_o,         // anything that an update port would do
  output logic             idle_o
);

  rf_bus_pkg::fence_operation_t  operation;
  rf_bus_pkg::register_request_t request;
  rf_bus_pkg::read_request_t     read;
  rf_bus_pkg::read_response_t    response;

  always_comb begin
    operation                   = '0;
    operation.kind              = rf_bus_pkg::FenceSignal;
    operation.slot              = 4'd3;
    request                     = '0;
    request.valid               = register_valid_i;
    request.write               = register_write_i;
    request.address             = register_address_i;
    request.data                = register_data_i;
    request.strobe              = 8'hff;
  end

  logic [1:0] ready, write_valid, data_valid, read_valid, read_hold, record_valid;
  logic [2*rf_bus_pkg::WriteRequestWidth-1:0] unused_write;
  logic [2*rf_bus_pkg::ReadRequestWidth-1:0]  reads;
  logic [2*64-1:0]                            records;
  logic [2*64-1:0]            words;
  logic                       unused_log_only;
  rf_bus_pkg::slot_result_t   unused_done, unused_fault;
  logic                       updated, response_valid_q, written_q;
  logic [4:0]                 response_id_q;

  // The words of a signal, one in each cycle.
  logic [1:0]  word_q;
  logic [63:0] word, value_q;
  always_comb begin
    unique case (word_q)
      2'd0:    word = 64'h1000;
      2'd1:    word = value_q;
      default: word = 64'h2000;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) word_q <= 2'd0;
    else if (word_q == 2'd0) word_q <= {1'b0, signal_valid_i && ready[0]};
    else word_q <= word_q == 2'd2 ? 2'd0 : word_q + 2'd1;
  end
  always_ff @(posedge clk_i) if (word_q == 2'd0) value_q <= signal_value_i;

  assign signal_ready_o  = ready[0] && word_q == 2'd0;
  assign read            = reads[0 +: rf_bus_pkg::ReadRequestWidth];
  assign record_o        = record_valid[0];
  assign record_value_o  = records[63:0];
  assign written_o       = data_valid[0];
  assign written_value_o = words[63:0];
  assign update_o        = write_valid[1] || data_valid[1] || read_valid[1] || read_hold[1] ||
                           record_valid[1] || updated;

  always_comb begin
    response      = '0;
    response.master = rf_bus_pkg::ReadFence;
    response.id     = response_id_q;
    response.last   = 1'b1;
    response.data   = monitored_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      response_valid_q <= 1'b0;
      written_q      <= 1'b0;
    end else begin
      response_valid_q <= read_valid[0] && !read_hold[0];
      written_q      <= data_valid[0];
    end
  end
  always_ff @(posedge clk_i) response_id_q <= read.id;

  logic       slot_decoded, slot_hit;
  logic [3:0] register_slot;
  rf_slot_decode u_slot_decode (
    .address_i(request.address[16:8]), .hit_o(slot_decoded), .slot_o(register_slot));
  assign slot_hit = request.valid && slot_decoded;
  rf_bus_pkg::slot_access_t slot_access;
  always_comb begin
    slot_access.read  = slot_hit && !request.write;
    slot_access.write = slot_hit && request.write;
    slot_access.slot  = register_slot;
  end

  rf_fence #(.MonitoredShadow(1'b0)) u_fence (
    .clk_i, .rst_ni, .timestamp_i('0),
    .fence_valid_i({1'b0, signal_valid_i && word_q == 2'd0}), .fence_ready_o(ready),
    .fence_i({rf_bus_pkg::FenceOperationWidth'(0), operation}), .word_i({64'd0, word}),
    .fence_done_o(unused_done), .fence_done_log_only_o(unused_log_only),
    .fence_fault_o(unused_fault), .restart_i('0),
    .write_valid_o(write_valid), .write_ready_i(2'b11), .write_o(unused_write),
    .write_data_valid_o(data_valid), .write_data_ready_i(2'b11), .write_data_o(words),
    .write_done_i({1'b0, written_q}), .write_done_status_i('0), .write_done_level_i('0),
    // A read that is held is not taken before its hold ends.
    .read_valid_o(read_valid), .read_ready_i({1'b1, !read_hold[0]}), .read_o(reads),
    .read_hold_o(read_hold),
    .response_valid_i(response_valid_q), .response_i(response),
    .record_valid_o(record_valid), .record_ready_i(2'b11),
    .record_show_i(6'b000100), .record_o(records),
    .register_i(request), .slot_access_i(slot_access), .register_data_o, .slot_data_o(),
    .notify_o, .suppressed_o, .updated_o(updated), .idle_o);

endmodule

`default_nettype wire
