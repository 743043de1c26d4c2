// SPDX-License-Identifier: Apache-2.0
//
// Control half of the engine port (README.md): holds one operation while another runs, tells the
// engine when each of its words arrives, starts operations one by one, counts their progress, ends
// them early on a failure, abort_i or preempt_i, and reports each once.
// Promises: done_o in the order of the operations, only when finished_i says that nothing of the
// operation is in flight; failure_o is the first failure. abort_i applies to the oldest operation
// that has started and is not done, also one that is starting; in the cycle of done_o it is
// ignored. preempted_o only for an operation that is neither complete nor failed.
// stop_o rises one cycle after the failure, abort_i or preempt_i and stays until the operation is
// finished; an operation that is held under preempt_i starts with it.
// Latency: start one cycle after the last word, done_o one after finished_i.

`default_nettype none

module rf_engine_control #(
  parameter int unsigned Words = 3  // of an operation
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  input  wire logic                          operation_valid_i,
  output logic                               operation_ready_o,
  input  wire rf_bus_pkg::engine_operation_t operation_i,
  output logic                               done_o,
  output      rf_bus_pkg::failure_t          failure_o,
  output logic                               preempted_o,
  output logic [31:0]                        progress_o,
  input  wire logic                          abort_i,
  input  wire logic                          preempt_i,
  output logic                               busy_o,

  output logic                               start_o,
  output      rf_bus_pkg::engine_operation_t operation_o, // from its second word up to start_o
  output logic [Words-1:0]                   comes_o,     // this word of it, one-hot; the first
                                                          // one perhaps
  output logic                               stop_o,
  input  wire logic [8:0]                    performed_i, // bytes done in this cycle,
                                                          // before finished_i
  input  wire logic                          complete_i,  // with finished_i: nothing is left to do
  input  wire logic                          finished_i,  // from the cycle after start_o

  input  wire logic                          failed_i,    // stays until the next start
  input  wire rf_bus_pkg::access_failure_t   failure_i    // of the first failure: address with
                                                          // finished_i, the rest with failed_i
);

  if (Words < 2 || Words > 8) begin : gen_bad_words
    $error("an operation has two to eight words");
  end

  logic        waiting_q, running_q;
  logic [Words-1:1] comes_q;
  logic        good_q;    // no failure, no abort
  logic        failed_q;  // the failure is that of an access
  logic        abort, fail, finish;
  logic [7:0]  access_error, error_q;
  logic [1:0]  level_q;
  logic        store_q;
  logic [63:0] address_q;
  logic [8:0]  performed_q;

  // Whether the next one is taken is known to the node from a register, operation_ready_o: what
  // these flags enable is wide.
  logic free, waiting_d, begins;
  assign free      = !waiting_q && comes_q == '0;
  assign begins    = operation_valid_i && free;
  assign waiting_d = comes_q[Words-1] || (waiting_q && !start_o);
  assign comes_o   = {comes_q, free};
  assign start_o           = waiting_q && !running_q;
  assign busy_o            = waiting_q || running_q || comes_q != '0;

  assign fail   = running_q && failed_i && good_q;
  assign finish = running_q && finished_i && !fail;
  assign abort  = abort_i && (start_o ? !done_o : running_q && good_q && !fail && !finish);

  always_comb begin
    access_error = rf_pkg::QueueErrorEngine;
    case (failure_i.status)
      rf_pkg::AccessStatusTranslation: access_error = rf_pkg::QueueErrorTranslation;
      rf_pkg::AccessStatusUnsupportedRequest:
        access_error = rf_pkg::QueueErrorUnsupportedRequest;
      rf_pkg::AccessStatusCompleterAbort: access_error = rf_pkg::QueueErrorCompleterAbort;
      rf_pkg::AccessStatusPoisoned: access_error = rf_pkg::QueueErrorPoisoned;
      rf_pkg::AccessStatusCompletionTimeout:
        access_error = rf_pkg::QueueErrorCompletionTimeout;
      rf_pkg::AccessStatusBusMasterDisabled:
        access_error = rf_pkg::QueueErrorBusMasterDisabled;
      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operation_ready_o <= 1'b1;
      waiting_q   <= 1'b0;
      comes_q     <= '0;
      running_q   <= 1'b0;
      good_q      <= 1'b1;
      stop_o      <= 1'b0;
      done_o      <= 1'b0;
      preempted_o <= 1'b0;
      progress_o  <= '0;
      performed_q <= '0;
      failed_q    <= 1'b0;
      error_q     <= '0;
      level_q     <= '0;
      store_q     <= 1'b0;
    end else begin
      operation_ready_o <= !waiting_d && !begins && comes_o[Words-2:1] == '0;
      comes_q   <= {comes_o[Words-2:1], begins};
      waiting_q <= waiting_d;

      if (start_o) running_q <= 1'b1;
      else if (finish) running_q <= 1'b0;
      done_o      <= finish;
      preempted_o <= finish && good_q && !complete_i;

      if (finish || !busy_o) stop_o <= preempt_i;
      else stop_o <= stop_o || fail || abort || preempt_i;

      performed_q <= performed_i;
      progress_o  <= start_o ? operation_o.progress : progress_o + {23'd0, performed_q};

      if (start_o) begin
        good_q   <= !abort;
        failed_q <= 1'b0;
        error_q  <= '0;
        level_q  <= '0;
        store_q  <= 1'b0;
      end
      if (fail) begin
        good_q   <= 1'b0;
        failed_q <= 1'b1;
        error_q  <= access_error;
        level_q  <= failure_i.level;
        store_q  <= failure_i.store;
      end
      if (abort) begin
        good_q  <= 1'b0;
        error_q <= rf_pkg::QueueErrorEngine;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    // Whatever is offered, while nothing waits: that it is an operation is known late.
    if (free) operation_o <= operation_i;
    if (!running_q) address_q <= '0;
    else if (failed_q) address_q <= failure_i.address;
  end

  always_comb begin
    failure_o.error   = error_q;
    failure_o.level   = level_q;
    failure_o.store   = store_q;
    failure_o.address = address_q;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) ready_is_free: assert (operation_ready_o == free);
    if (rst_ni && running_q && finished_i) nothing_behind_the_end: assert (performed_i == '0);
  end
`endif

endmodule

`default_nettype wire
