// SPDX-License-Identifier: Apache-2.0
//
// The copy engine's unit with the ports of an engine, for engine_bench.h, and its record.

`default_nettype none

module rf_engine_unit_tb (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

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

  output logic                               record_valid_o,
  input  wire logic                          record_ready_i,
  input  wire logic [2:0]                    record_show_i,
  output logic [63:0]                        record_o,

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

  rf_bus_pkg::node_offer_t    offer;
  rf_bus_pkg::engine_result_t result;
  logic       unused_ready;
  logic [2:0] unused_show;

  always_comb begin
    offer                         = '0;
    offer.engine_valid            = operation_valid_i;
    offer.engine_control.aborts   = abort_i;
    offer.engine_control.preempts = preempt_i;
    offer.engine                  = operation_i;
    offer.word                    = word_i;
  end
  assign done_o      = result.done;
  assign failure_o   = result.failure;
  assign preempted_o = result.preempted;
  assign progress_o  = result.progress;
  assign partial_o   = result.partial;

  rf_engine_unit #(.Node(1)) u_unit (
    .clk_i, .rst_ni, .max_payload_words_i, .max_read_words_i, .register_i, .register_data_o,
    .offer_i(offer), .ready_o(operation_ready_o), .result_o(result), .busy_o,
    .node_record_valid_i(1'b0), .node_record_ready_o(unused_ready),
    .node_record_show_o(unused_show), .node_record_i('0),
    .record_valid_o, .record_ready_i, .record_show_i, .record_o,
    .read_valid_o, .read_ready_i, .read_o, .response_valid_i, .response_i,
    .write_valid_o, .write_ready_i, .write_o, .write_data_valid_o, .write_data_ready_i,
    .write_data_o, .write_done_i, .write_done_status_i, .write_done_level_i
  );

endmodule

`default_nettype wire
