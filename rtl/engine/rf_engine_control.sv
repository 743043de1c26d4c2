// SPDX-License-Identifier: Apache-2.0
//
// The engine port (README.md) less the data: holds one operation while another
// runs, starts them one by one, ends them early on a failure or on abort_i, and
// reports each once.
// Promises: done_o in the order of the operations, only when finished_i says that
// nothing of the operation is in flight; failure_o is the first failure. abort_i
// counts for the oldest operation accepted and not done; in the cycle of done_o it
// is ignored. stop_o rises the cycle after the failure or abort_i and stays until
// the next start.
// Latency: start two cycles after operation_valid_i, done_o one after finished_i.

`default_nettype none

module rf_engine_control (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  input  wire logic                          operation_valid_i,
  output logic                               operation_ready_o,
  input  wire rf_bus_pkg::engine_operation_t operation_i,
  output logic                               done_o,
  output      rf_bus_pkg::failure_t          failure_o,
  input  wire logic                          abort_i,
  output logic                               busy_o,

  output logic                               start_o,
  output      rf_bus_pkg::engine_operation_t operation_o, // in the cycle of start_o
  output logic                               stop_o,
  input  wire logic                          finished_i,  // from the cycle after start_o

  input  wire logic                          failed_i,    // stays until the next start
  input  wire logic [2:0]                    failed_status_i,
  input  wire logic [1:0]                    failed_level_i,
  input  wire logic                          failed_store_i,
  input  wire logic [63:0]                   failed_address_i
);

  logic       waiting_q, running_q;
  logic [7:0] access_error;

  assign operation_ready_o = !waiting_q;
  assign start_o           = waiting_q && !running_q;
  assign busy_o            = waiting_q || running_q;

  always_comb begin
    access_error = rf_pkg::QueueErrorEngine;
    case (failed_status_i)
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
      waiting_q <= 1'b0;
      running_q <= 1'b0;
      stop_o    <= 1'b0;
      done_o    <= 1'b0;
      failure_o <= '0;
    end else begin
      done_o <= 1'b0;
      if (operation_valid_i && operation_ready_o) waiting_q <= 1'b1;
      else if (start_o) waiting_q <= 1'b0;

      if (start_o) begin
        running_q       <= 1'b1;
        stop_o          <= abort_i && !done_o;
        failure_o       <= '0;
        failure_o.error <= (abort_i && !done_o) ? rf_pkg::QueueErrorEngine :
                                                  rf_pkg::QueueErrorNone;
      end else if (running_q && failed_i && !stop_o) begin
        stop_o            <= 1'b1;
        failure_o.error   <= access_error;
        failure_o.level   <= failed_level_i;
        failure_o.store   <= failed_store_i;
        failure_o.address <= failed_address_i;
      end else if (running_q && finished_i) begin
        running_q <= 1'b0;
        done_o    <= 1'b1;
      end else if (running_q && abort_i && !stop_o) begin
        stop_o          <= 1'b1;
        failure_o.error <= rf_pkg::QueueErrorEngine;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (operation_valid_i && operation_ready_o) operation_o <= operation_i;
  end

endmodule

`default_nettype wire
