// SPDX-License-Identifier: Apache-2.0
//
// The copy engine behind its port. mute_i: from the next word on it shows none, whatever
// it owes.

`default_nettype none

module rf_engine_port_tb (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic                          mute_i,

  input  wire rf_bus_pkg::register_request_t register_i,
  output logic [63:0]                        register_data_o,

  input  wire logic [6:0]                    max_payload_words_i,
  input  wire logic [6:0]                    max_read_words_i,
  input  wire logic                          operation_valid_i,
  output logic                               operation_ready_o,
  input  wire rf_bus_pkg::engine_operation_t operation_i,
  input  wire logic [63:0]                   word_i,
  output logic                               done_o,
  output      rf_bus_pkg::failure_t          failure_o,
  output logic                               preempted_o,
  output logic [31:0]                        progress_o,
  output logic [63:0]                        partial_o,
  input  wire logic                          abort_i,
  input  wire logic                          preempt_i,
  output logic                               busy_o,
  output logic                               working_o,
  output logic [31:0]                        alive_o,

  output logic                               read_valid_o,
  input  wire logic                          read_ready_i,
  output      rf_bus_pkg::read_request_t     read_o,
  input  wire logic                          response_valid_i,
  input  wire rf_bus_pkg::read_response_t    response_i,

  output logic                               write_valid_o,
  input  wire logic                          write_ready_i,
  output      rf_bus_pkg::write_request_t    write_o,
  output logic                               write_data_valid_o,
  input  wire logic                          write_data_ready_i,
  output logic [63:0]                        write_data_o,
  input  wire logic                          write_done_i,
  input  wire logic [2:0]                    write_done_status_i,
  input  wire logic [1:0]                    write_done_level_i
);

  logic        engine_rst_n, valid, ready, done, preempted, unused_busy;
  logic        read_valid, read_ready, write_valid, write_ready, data_valid, data_ready;
  logic [63:0] data;
  rf_bus_pkg::failure_t failure;

  logic muted_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) muted_q <= 1'b0;
    else muted_q <= mute_i && (muted_q || !write_data_valid_o || write_data_ready_i);
  end

  rf_engine_port #(.Node(1), .Master(rf_bus_pkg::ReadCopy)) u_port (
    .clk_i, .rst_ni, .register_i, .register_data_o,
    .operation_valid_i, .operation_ready_o, .done_o, .failure_o, .preempted_o, .busy_o,
    .working_o, .alive_o,
    .engine_rst_no(engine_rst_n), .operation_valid_o(valid), .operation_ready_i(ready),
    .done_i(done), .failure_i(failure), .preempted_i(preempted),
    .read_valid_i(read_valid), .read_ready_o(read_ready),
    .write_valid_i(write_valid), .write_ready_o(write_ready), .write_words_i(write_o.words),
    .write_data_valid_i(data_valid && !muted_q), .write_data_ready_o(data_ready),
    .write_data_i(data),
    .read_valid_o, .read_ready_i, .response_valid_i, .response_i, .write_valid_o, .write_ready_i,
    .write_data_valid_o, .write_data_ready_i, .write_data_o, .write_done_i
  );

  rf_engine_copy u_engine (
    .clk_i, .rst_ni(engine_rst_n), .max_payload_words_i, .max_read_words_i,
    .operation_valid_i(valid), .operation_ready_o(ready), .operation_i, .word_i,
    .done_o(done), .failure_o(failure), .preempted_o(preempted), .progress_o, .partial_o,
    .abort_i, .preempt_i, .busy_o(unused_busy),
    .read_valid_o(read_valid), .read_ready_i(read_ready), .read_o, .response_valid_i, .response_i,
    .write_valid_o(write_valid), .write_ready_i(write_ready), .write_o,
    .write_data_valid_o(data_valid), .write_data_ready_i(data_ready && !muted_q),
    .write_data_o(data), .write_done_i, .write_done_status_i, .write_done_level_i
  );

endmodule

`default_nettype wire
