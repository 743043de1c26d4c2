// SPDX-License-Identifier: Apache-2.0
//
// The failure that stops the slot of a node, shown until the slot is in error. A failure of the
// engine has priority, because it belongs to an earlier packet. A failure of the decoder is shown
// while its packet is the next to execute.

`default_nettype none

module rf_node_failure (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         engine_fails_i,   // in this cycle
  input  wire logic         engine_failed_i,  // and until the slot is in error
  input  wire rf_bus_pkg::failure_t engine_failure_i,
  input  wire logic         decode_fails_i,   // the packet at fault is the one to be executed
  /* verilator lint_off UNUSEDSIGNAL */ // some fields only
  input  wire rf_bus_pkg::packet_error_t packet_error_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [63:0]  address_i,        // of the word at fault

  output logic              fails_o,
  output      rf_bus_pkg::failure_t failure_o
);

  logic                 decode_failed_q;
  rf_bus_pkg::failure_t failure_q;
  assign fails_o   = engine_failed_i || decode_failed_q;
  assign failure_o = failure_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) decode_failed_q <= 1'b0;
    else decode_failed_q <= decode_fails_i;
  end
  always_ff @(posedge clk_i) begin
    if (engine_fails_i && !engine_failed_i) begin
      failure_q <= engine_failure_i;
    end else if (!engine_failed_i) begin
      failure_q.error   <= packet_error_i.cause;
      failure_q.level   <= packet_error_i.level;
      failure_q.store   <= 1'b0;
      failure_q.address <= address_i;
    end
  end

endmodule

`default_nettype wire
