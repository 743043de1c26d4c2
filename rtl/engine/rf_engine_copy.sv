// SPDX-License-Identifier: Apache-2.0
//
// Engine of the copy node: COPY and FILL at any byte alignment, 0 .. 2^32-1 bytes.
//
//   rf_stream_read -> rf_stream_align -> rf_stream_write
//                          pattern ----^
//
// Promises: those of an engine (README.md). Only bytes of the destination are
// written, each once, however often the operation is preempted.
// Rate: one 64-bit word per cycle; 16 reads of at most 256 bytes in flight.

`default_nettype none

module rf_engine_copy (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [6:0]                    max_payload_words_i,
  input  wire logic [6:0]                    max_read_words_i,

  input  wire logic                          operation_valid_i,
  output logic                               operation_ready_o,
  input  wire rf_bus_pkg::engine_operation_t operation_i,
  input  wire logic [63:0]                   word_i,       // of it: packet words 1 .. 3
  output logic                               done_o,
  output      rf_bus_pkg::failure_t          failure_o,
  output logic                               preempted_o,
  output logic [31:0]                        progress_o,
  output logic [63:0]                        partial_o,
  input  wire logic                          abort_i,
  input  wire logic                          preempt_i,
  output logic                               busy_o,

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

  logic        start, stop;
  logic        read_busy, read_failed, write_busy, write_complete, write_failed;
  logic [8:0]  performed;
  rf_bus_pkg::access_failure_t read_failure, write_failure;

  /* verilator lint_off UNUSEDSIGNAL */
  rf_bus_pkg::engine_operation_t operation; // the node checked what is ignored here
  /* verilator lint_on UNUSEDSIGNAL */

  // An operation goes on behind what is done: destination, source and length are moved by its
  // progress as they come, and the streams add what the sums carry.
  logic        waiting_fill, length;
  logic        waiting_carry0_q, waiting_carry1_q, waiting_empty_q;
  logic [2:0]  comes;
  logic [31:0] ahead, waiting_behind_q; // bytes that remain, less one
  logic [32:0] sum;
  logic [63:0] destination_q, second_q; // source, or the pattern of FILL
  assign waiting_fill = operation.opcode == rf_pkg::OpcodeFill;
  assign length       = comes[1] ? waiting_fill : comes[2] && !waiting_fill;
  assign ahead        = comes[0] ? operation_i.progress : operation.progress;
  assign sum          = {1'b0, word_i[31:0]} + {1'b0, length ? ~ahead : ahead};

  always_ff @(posedge clk_i) begin
    if (comes[0]) begin
      destination_q    <= {word_i[63:32], sum[31:0]};
      waiting_carry0_q <= sum[32];
    end
    if (length) begin
      waiting_empty_q  <= !sum[32];
      waiting_behind_q <= sum[31:0];
    end
    if (comes[1] && !waiting_fill) begin
      second_q         <= {word_i[63:32], sum[31:0]};
      waiting_carry1_q <= sum[32];
    end
    if (comes[2] && waiting_fill) second_q <= word_i;
  end

  rf_engine_control #(.Words(3)) u_control (
    .clk_i,
    .rst_ni,
    .operation_valid_i,
    .operation_ready_o,
    .operation_i,
    .done_o,
    .failure_o,
    .preempted_o,
    .progress_o,
    .abort_i,
    .preempt_i,
    .busy_o,
    .start_o         (start),
    .operation_o     (operation),
    .comes_o         (comes),
    .stop_o          (stop),
    .performed_i     (performed),
    .complete_i      (write_complete),
    .finished_i      (!read_busy && !write_busy),
    .failed_i        (read_failed || write_failed),
    .failure_i       (write_failed && !read_first_q ? write_failure : read_failure)
  );

  logic read_first_q; // the failure is the read's, also if a write fails behind it
  always_ff @(posedge clk_i) begin
    if (start) read_first_q <= 1'b0;
    else if (read_failed && !write_failed) read_first_q <= 1'b1;
  end

  logic        fill_q;
  logic [63:0] pattern_q;               // 0 for COPY
  assign partial_o = '0;

  always_ff @(posedge clk_i) begin
    if (start) begin
      fill_q    <= waiting_fill;
      pattern_q <= waiting_fill ? second_q : '0;
    end
  end

  logic        source_valid, source_ready, source_last;
  logic [63:0] source_data;

  rf_stream_read #(
    .Master (rf_bus_pkg::ReadCopy)
  ) u_read (
    .clk_i,
    .rst_ni,
    .max_read_words_i,
    .start_i         (start),
    .vmid_i          (operation.vmid),
    .address_i       (second_q),
    .carry_i         (waiting_carry1_q),
    .behind_i        (waiting_behind_q),
    .empty_i         (waiting_empty_q || waiting_fill),
    .stop_i          (stop),
    .busy_o          (read_busy),
    .failed_o        (read_failed),
    .failure_o       (read_failure),
    .read_valid_o,
    .read_ready_i,
    .read_o,
    .response_valid_i,
    .response_i,
    .valid_o         (source_valid),
    .ready_i         (source_ready),
    .data_o          (source_data),
    .last_o          (source_last)
  );

  logic        aligned_valid, sink_ready;
  logic [63:0] aligned;

  rf_stream_align u_align (
    .clk_i,
    .rst_ni,
    .start_i            (start),
    .source_phase_i     (second_q[2:0]),
    .destination_phase_i(destination_q[2:0]),
    .behind_i           (waiting_behind_q[2:0]),
    .blank_i            (fill_q),
    .valid_i            (source_valid),
    .ready_o            (source_ready),
    .data_i             (source_data),
    .last_i             (source_last),
    .valid_o            (aligned_valid),
    .ready_i            (sink_ready),
    .data_o             (aligned),
    /* verilator lint_off PINCONNECTEMPTY */
    .last_o             ()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  rf_stream_write u_write (
    .clk_i,
    .rst_ni,
    .max_payload_words_i,
    .start_i         (start),
    .vmid_i          (operation.vmid),
    .address_i       (destination_q),
    .carry_i         (waiting_carry0_q),
    .behind_i        (waiting_behind_q),
    .empty_i         (waiting_empty_q),
    .stop_i          (stop),
    .busy_o          (write_busy),
    .complete_o      (write_complete),
    .performed_o     (performed),
    .failed_o        (write_failed),
    .failure_o       (write_failure),
    .valid_i         (fill_q || aligned_valid),
    .ready_o         (sink_ready),
    .data_i          (aligned | pattern_q),
    .write_valid_o,
    .write_ready_i,
    .write_o,
    .write_data_valid_o,
    .write_data_ready_i,
    .write_data_o,
    .write_done_i,
    .write_done_status_i,
    .write_done_level_i
  );

endmodule

`default_nettype wire
