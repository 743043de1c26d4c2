// SPDX-License-Identifier: Apache-2.0
//
// Raises one record when an engine has an operation and nothing was answered, performed or done
// for WATCHDOG cycles. Another record is possible after the engine has made progress or was reset.
// A write of WATCHDOG restarts the count. A record stays unchanged until it is accepted.

`default_nettype none

module rf_engine_watchdog #(
  parameter int unsigned Node = 0
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /* verilator lint_off UNUSEDSIGNAL */ // one register, 32 bits
  input  wire rf_bus_pkg::register_request_t register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [63:0]       register_data_o,

  input  wire logic         working_i,
  input  wire logic [31:0]  alive_i,

  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output      rf_bus_pkg::record_t record_o
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end

  localparam logic [16:0] Watchdog =
      rf_pkg::RegNodeWatchdog + 17'(Node * rf_pkg::NodeIndexedStride);
  logic [16:0] address;
  logic [31:0] limit_q, count_q, stood_q;
  logic [1:0]  alive_q;
  logic        counts_q;         // count_q is not 0: with a limit of 0 it never counts
  logic        written, rest, full, reached, reported_q;
  assign address = {register_i.address, 3'b000};
  assign full    = count_q == limit_q;
  assign reached = full && counts_q;
  // The two lowest bits tell that it moved: it does by three a cycle at most.
  assign rest    = !working_i || alive_q != alive_i[1:0];
  assign written = register_i.valid && register_i.write && register_i.strobe[0] &&
                   address == Watchdog;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      limit_q        <= '0;
      counts_q       <= 1'b0;
      alive_q        <= '0;
      reported_q     <= 1'b0;
      record_valid_o <= 1'b0;
    end else begin
      if (written) limit_q <= register_i.data[31:0];
      alive_q <= alive_i[1:0];
      counts_q <= !rest && !written && (counts_q || !full);
      reported_q <= !rest && !(full && !counts_q) && (reported_q || reached);
      if (!rest && !reported_q && reached) record_valid_o <= 1'b1;
      else if (record_ready_i) record_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rest || written) count_q <= '0;
    else if (!full) count_q <= count_q + 32'd1;
    if (!record_valid_o) stood_q <= alive_i;
  end

  always_comb begin
    record_o         = '0;
    record_o.kind    = rf_pkg::RecordKindEngineHung;
    record_o.node    = Node[3:0];
    record_o.address = {32'd0, stood_q};
  end

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (register_i.valid && !register_i.write && address == Watchdog) begin
      register_data_o <= {32'd0, limit_q};
    end
  end

endmodule

`default_nettype wire
