// SPDX-License-Identifier: Apache-2.0
//
// Engine of the compute node: VECTOR over 32-bit elements, two per cycle.
//
//   X: rf_stream_read -> rf_stream_align -+-> rf_vector_alu x 2 -+-> rf_stream_write
//   Y: rf_stream_read -> rf_stream_align -+-> rf_vector_sum -----+
//
// X and Y are shifted to the alignment of the destination (not for sum) and joined. They share the
// read master: ids 0..7 are X, 16..23 are Y.
// Promises: those of an engine (README.md). An element is read before the element of the same
// index is written, so DESTINATION may be X or Y; each is written once, however often the
// operation is preempted. For sum, progress counts the elements added, and the partial result is
// their sum.
// Rate: one word of each stream per cycle, 8 reads of at most 256 bytes in flight for each.

`default_nettype none

module rf_engine_vector (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [6:0]                    max_payload_words_i,
  input  wire logic [6:0]                    max_read_words_i,

  input  wire logic                          operation_valid_i,
  output logic                               operation_ready_o,
  input  wire rf_bus_pkg::engine_operation_t operation_i,
  input  wire logic [63:0]                   word_i,  // of it: partial result, packet words 1 .. 4
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

  // --- control ---------------------------------------------------------------------

  logic        start, stop;
  logic        x_busy, x_failed, y_busy, y_failed, write_busy, write_complete, write_failed;
  logic [8:0]  performed, written;
  rf_bus_pkg::access_failure_t x_failure, y_failure, write_failure;

  /* verilator lint_off UNUSEDSIGNAL */
  rf_bus_pkg::engine_operation_t operation; // the node checked what is ignored here
  /* verilator lint_on UNUSEDSIGNAL */

  // An operation goes on behind what is done: its addresses and its length are moved by its
  // progress as they come, and the streams add what the sums carry. What it is, is known with
  // its second word.
  logic        waiting_sum, waiting_axpb;
  logic        waiting_carry0_q, waiting_carry1_q, waiting_carry3_q, waiting_empty_q;
  logic [4:0]  comes;
  logic [31:0] term;
  logic [32:0] moved;
  logic [31:2] waiting_behind_q; // elements that remain, less one
  logic [63:0] partial_q, ab_q;  // a and b, or where Y is
  logic [63:2] destination_q, x_address_q;
  assign waiting_sum  = operation.operation == rf_pkg::VectorOperationSum;
  assign waiting_axpb = operation.operation == rf_pkg::VectorOperationAxpb;

  always_comb begin
    term = operation.progress;
    if (comes[3]) term = ~operation.progress;
    if ((comes[1] && waiting_sum) || (comes[4] && waiting_axpb)) term = '0;
    // The length is a number of elements.
    moved = {1'b0, comes[3] ? {word_i[29:0], 2'd0} : word_i[31:0]} + {1'b0, term};
  end

  always_ff @(posedge clk_i) begin
    if (comes[0]) partial_q <= word_i;
    if (comes[1]) {waiting_carry0_q, destination_q} <= {moved[32], word_i[63:32], moved[31:2]};
    if (comes[2]) {waiting_carry1_q, x_address_q} <= {moved[32], word_i[63:32], moved[31:2]};
    if (comes[3]) {waiting_empty_q, waiting_behind_q} <= {!moved[32], moved[31:2]};
    if (comes[4]) {waiting_carry3_q, ab_q} <= {moved[32], word_i[63:32], moved[31:0]};
  end

  rf_engine_control #(.Words(5)) u_control (
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
    .finished_i      (!x_busy && !y_busy && !write_busy && !summand_valid_q),
    .failed_i        (x_failed || y_failed || write_failed),
    .failure_i       (failure)
  );

  // The first failure; its address comes last, when others may have failed too. By then
  // the stream of that read has the turn, and its address is the one of the read port.
  rf_bus_pkg::access_failure_t failure;
  logic [2:0]                  first_q; // write, X, Y
  always_comb begin
    failure         = write_failed ? write_failure : x_failed ? x_failure : y_failure;
    failure.address = first_q[2] ? write_failure.address :
                      turn_y_q ? y_failure.address : x_failure.address;
  end
  always_ff @(posedge clk_i) begin
    if (start) first_q <= '0;
    else if (first_q == '0) begin
      first_q <= {write_failed, x_failed && !write_failed,
                  y_failed && !x_failed && !write_failed};
    end
  end

  // --- the operation: at its start, and held while it runs ---------------------------

  logic [31:0] bytes_behind;            // that remain, less one
  logic [63:2] y_address;
  logic [2:0]  x_phase, y_phase, sink_phase;
  logic [7:0]  operation_q;
  logic [31:0] a_q, b_q;
  logic        sum_q, axpb_q;
  logic        skip_low_q, skip_high_q; // sum: halves of its first and its last word

  assign bytes_behind = {waiting_behind_q, 2'd3};
  assign y_address    = ab_q[63:2];

  assign x_phase     = {x_address_q[2], 2'd0};
  assign y_phase     = {y_address[2], 2'd0};
  assign sink_phase  = {waiting_sum ? x_address_q[2] : destination_q[2], 2'd0};

  always_ff @(posedge clk_i) begin
    if (start) begin
      operation_q <= operation.operation;
      a_q         <= waiting_axpb ? ab_q[31:0] : 32'd1;
      b_q         <= ab_q[63:32];
      sum_q       <= waiting_sum;
      axpb_q      <= waiting_axpb;
      skip_high_q <= x_address_q[2] == waiting_behind_q[2];
    end
  end

  // --- X and Y -------------------------------------------------------------------------

  logic                      x_valid, x_ready, x_last, y_valid, y_ready, y_last;
  logic [63:0]               x_data, y_data;
  logic                      x_read_valid, y_read_valid;
  rf_bus_pkg::read_request_t x_read, y_read;
  logic                      turn_y_q; // the request on offer is of Y

  rf_stream_read #(
    .Master   (rf_bus_pkg::ReadVector),
    .FirstId  (5'd0),
    .SlotsLog2(3)
  ) u_read_x (
    .clk_i,
    .rst_ni,
    .max_read_words_i,
    .start_i         (start),
    .vmid_i          (operation.vmid),
    .address_i       ({x_address_q, 2'd0}),
    .carry_i         (waiting_carry1_q),
    .behind_i        (bytes_behind),
    .empty_i         (waiting_empty_q),
    .stop_i          (stop),
    .busy_o          (x_busy),
    .failed_o        (x_failed),
    .failure_o       (x_failure),
    .read_valid_o    (x_read_valid),
    .read_ready_i    (read_ready_i && !turn_y_q),
    .read_o          (x_read),
    .response_valid_i,
    .response_i,
    .valid_o         (x_valid),
    .ready_i         (x_ready),
    .data_o          (x_data),
    .last_o          (x_last)
  );

  rf_stream_read #(
    .Master   (rf_bus_pkg::ReadVector),
    .FirstId  (5'd16),
    .SlotsLog2(3)
  ) u_read_y (
    .clk_i,
    .rst_ni,
    .max_read_words_i,
    .start_i         (start),
    .vmid_i          (operation.vmid),
    .address_i       ({y_address, 2'd0}),
    .carry_i         (waiting_carry3_q),
    .behind_i        (bytes_behind),
    .empty_i         (waiting_empty_q || waiting_sum || waiting_axpb),
    .stop_i          (stop),
    .busy_o          (y_busy),
    .failed_o        (y_failed),
    .failure_o       (y_failure),
    .read_valid_o    (y_read_valid),
    .read_ready_i    (read_ready_i && turn_y_q),
    .read_o          (y_read),
    .response_valid_i,
    .response_i,
    .valid_o         (y_valid),
    .ready_i         (y_ready),
    .data_o          (y_data),
    .last_o          (y_last)
  );

  // The streams take turns; a request on offer keeps its turn. Without any it is that of X, or
  // of Y if that failed.
  assign read_valid_o = turn_y_q ? y_read_valid : x_read_valid;
  assign read_o       = turn_y_q ? y_read : x_read;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_y_q <= 1'b0;
    else if (!read_valid_o || read_ready_i) begin
      turn_y_q <= (x_read_valid || y_read_valid) ? !turn_y_q : first_q[0];
    end
  end

  // --- align and join ------------------------------------------------------------------

  logic        x_aligned_valid, y_aligned_valid, pair_valid, pair_ready, pair_last;
  logic [63:0] x_aligned, y_aligned;

  rf_stream_align u_align_x (
    .clk_i,
    .rst_ni,
    .start_i            (start),
    .source_phase_i     (x_phase),
    .destination_phase_i(sink_phase),
    .behind_i           (bytes_behind[2:0]),
    .blank_i            (1'b0),
    .valid_i            (x_valid),
    .ready_o            (x_ready),
    .data_i             (x_data),
    .last_i             (x_last),
    .valid_o            (x_aligned_valid),
    .ready_i            (pair_ready && pair_valid),
    .data_o             (x_aligned),
    .last_o             (pair_last)
  );

  rf_stream_align u_align_y (
    .clk_i,
    .rst_ni,
    .start_i            (start),
    .source_phase_i     (y_phase),
    .destination_phase_i(sink_phase),
    .behind_i           (bytes_behind[2:0]),
    .blank_i            (1'b0),
    .valid_i            (y_valid),
    .ready_o            (y_ready),
    .data_i             (y_data),
    .last_i             (y_last),
    .valid_o            (y_aligned_valid),
    .ready_i            (pair_ready && pair_valid),
    .data_o             (y_aligned),
    /* verilator lint_off PINCONNECTEMPTY */
    .last_o             ()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  assign pair_valid = x_aligned_valid && (y_aligned_valid || axpb_q || sum_q);

  // --- compute -------------------------------------------------------------------------

  logic        sink_ready, advance, total_valid;
  logic        summand_valid_q, summand_last_q; // x is a word to add
  logic [2:0]  stage_valid_q; // of the lanes
  logic [63:0] x, result, total;

  assign advance    = !stage_valid_q[2] || sink_ready;
  assign pair_ready = sum_q || advance;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage_valid_q   <= '0;
      summand_valid_q <= 1'b0;
    end else begin
      if (start) stage_valid_q <= '0;
      else if (advance) stage_valid_q <= {stage_valid_q[1:0], pair_valid && !sum_q};
      summand_valid_q <= pair_valid && sum_q;
    end
  end

  for (genvar lane = 0; lane < 2; lane++) begin : gen_lane
    rf_vector_alu u_alu (
      .clk_i,
      .advance_i  (advance),
      .operation_i(operation_q),
      .a_i        (a_q),
      .b_i        (b_q),
      .x_i        (x_aligned[lane*32 +: 32]),
      .skip_i     (sum_q && !lanes[lane]),
      .y_i        (y_aligned[lane*32 +: 32]),
      .x_o        (x[lane*32 +: 32]),
      .result_o   (result[lane*32 +: 32])
    );
  end

  always_ff @(posedge clk_i) begin
    if (start) skip_low_q <= x_address_q[2];
    else if (pair_valid) skip_low_q <= 1'b0;
    summand_last_q <= pair_last;
  end

  logic [1:0] lanes;                    // halves of the word that sum adds
  assign lanes     = {!(pair_last && skip_high_q), !skip_low_q};
  assign partial_o = total;

  always_comb begin
    performed = written;
    if (sum_q) performed = pair_valid ? {5'd0, &lanes, ^lanes, 2'd0} : '0;
  end

  rf_vector_sum u_sum (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .empty_i(waiting_empty_q),
    .sum_i  (partial_q),
    .valid_i(summand_valid_q),
    .data_i (x),
    .last_i (summand_last_q),
    .valid_o(total_valid),
    .sum_o  (total)
  );

  rf_stream_write u_write (
    .clk_i,
    .rst_ni,
    .max_payload_words_i,
    .start_i         (start),
    .vmid_i          (operation.vmid),
    .address_i       ({destination_q, 2'd0}),
    .carry_i         (waiting_carry0_q),
    .behind_i        (waiting_sum ? 32'd7 : bytes_behind),
    .empty_i         (waiting_empty_q && !waiting_sum),
    .stop_i          (stop),
    .busy_o          (write_busy),
    .complete_o      (write_complete),
    .performed_o     (written),
    .failed_o        (write_failed),
    .failure_o       (write_failure),
    .valid_i         (sum_q ? total_valid : stage_valid_q[2]),
    .ready_o         (sink_ready),
    .data_i          (sum_q ? total : result),
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
