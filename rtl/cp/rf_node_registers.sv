// SPDX-License-Identifier: Apache-2.0
//
// Read-only registers of a node: the slot that it serves, the progress of its engine, the number
// of complete packets. An operation that the engine returns is not complete: it is subtracted
// again.

`default_nettype none

module rf_node_registers #(
  parameter int unsigned Node = 0
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /* verilator lint_off UNUSEDSIGNAL */ // nothing is written
  input  wire rf_bus_pkg::register_request_t register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [63:0]       register_data_o,

  input  wire logic         busy_i,
  input  wire logic [3:0]   slot_i,
  input  wire logic         engine_busy_i,
  input  wire logic [31:0]  engine_progress_i,
  input  wire logic         retires_i,        // a packet is handed over, or a WAIT over
  input  wire logic [2:0]   back_i            // so many operations came back
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end
  localparam logic [16:0] Base = 17'(Node * rf_pkg::NodeIndexedStride);

  logic [31:0] retired_q; // the upper half of the register reads 0
  logic        packet_q;  // counted one cycle late
  logic [3:0]  more;      // packets; less than none when operations come back
  assign more = {3'd0, packet_q} - {1'b0, back_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      packet_q  <= 1'b0;
      retired_q <= '0;
    end else begin
      packet_q  <= retires_i;
      retired_q <= retired_q + {{28{more[3]}}, more};
    end
  end

  logic [16:0] address;
  logic [63:0] status;
  assign address = {register_i.address, 3'b000};
  always_comb begin
    status = '0;
    status[rf_pkg::NodeStatusBusyLsb]       = busy_i;
    status[rf_pkg::NodeStatusSlotLsb +: 4]  = slot_i;
    status[rf_pkg::NodeStatusEngineBusyLsb] = engine_busy_i;
  end

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (register_i.valid && !register_i.write) begin
      if (address == rf_pkg::RegNodeStatus + Base) register_data_o <= status;
      if (address == rf_pkg::RegNodeProgress + Base) begin
        register_data_o <= {32'd0, engine_progress_i};
      end
      if (address == rf_pkg::RegNodeRetired + Base) register_data_o <= {32'd0, retired_q};
      // The first node answers for the block.
      if (Node == 0 && address == rf_pkg::NodeIndexedBase - 17'h20) begin
        register_data_o <= rf_pkg::NodeBlockHeader0;
      end
      if (Node == 0 && address == rf_pkg::NodeIndexedBase - 17'h18) begin
        register_data_o <= rf_pkg::NodeBlockHeader1;
      end
    end
  end

endmodule

`default_nettype wire
