// SPDX-License-Identifier: Apache-2.0
//
// Sends the shown packet and its words to the units on the node's bus: the first word while the
// packet is offered, the others after the handshake, one per cycle, from the bank of operands that
// stays while the decoder continues. For a record, the source drives the selected words.

`default_nettype none

module rf_node_words #(
  parameter int unsigned Node = 0
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /* verilator lint_off UNUSEDSIGNAL */ // some fields only
  input  wire rf_bus_pkg::decoded_packet_t decoded_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic         issued_i,        // a packet with words is handed over
  input  wire logic [3:0]   slot_i,
  input  wire logic [3:0]   vmid_i,
  input  wire logic [31:0]  handle_i,
  input  wire logic [1:0]   served_node_i,   // copy and paging queues share a node
  input  wire logic         rewound_i,       // progress_i is that of an operation that came back
  input  wire logic [31:0]  progress_i,      // of the operation to go on with
  input  wire logic [63:0]  partial_i,
  input  wire logic [63:0]  observed_i,      // since when the WAIT stalled,
  input  wire logic         stalled_i,       // if it did
  input  wire logic         wait_over_i,

  input  wire logic         bank_i,          // of the operands of the packet shown
  output logic              operand_bank_o,
  output logic [2:0]        operand_o,
  input  wire logic [63:0]  operand_i,

  output logic              sends_o,         // words of the packet before are under way
  output logic [63:0]       word_o,
  output      rf_bus_pkg::fence_operation_t  fence_o,
  output      rf_bus_pkg::wait_operation_t   wait_o,
  output      rf_bus_pkg::engine_operation_t engine_o,
  input  wire logic [2:0]   record_show_i,   // word of the record that is shown, one-hot
  output logic [63:0]       record_o
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end

  always_comb begin
    fence_o.kind      = decoded_i.fence_kind;
    fence_o.slot      = slot_i;
    fence_o.vmid      = decoded_i.fence_kind == rf_bus_pkg::FenceProgress ? '0 : vmid_i;
    fence_o.log       = decoded_i.log;
    fence_o.log_index = decoded_i.argument;

    wait_o.slot = slot_i;
    wait_o.vmid = vmid_i;

    // Behind an operation that came back all are new.
    engine_o.progress  = rewound_i ? '0 : progress_i;
    engine_o.opcode    = decoded_i.opcode;
    engine_o.operation = decoded_i.argument[7:0];
    engine_o.vmid      = vmid_i;
  end

  logic       send_bank_q, leads, wait_log;
  logic       stalled_q;                    // since long before the WAIT that is over comes again
  logic [2:0] place_q, last_place_q;
  assign leads    = Node == 0 && decoded_i.is_engine; // with what is no operand: the partial result
  assign wait_log = decoded_i.is_wait && wait_over_i && decoded_i.log;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sends_o <= 1'b0;
    else sends_o <= issued_i || (sends_o && place_q != last_place_q);
  end
  always_ff @(posedge clk_i) begin
    stalled_q <= stalled_i;
    if (!sends_o) begin
      send_bank_q  <= bank_i;
      place_q      <= leads ? 3'd1 : 3'd2;
      last_place_q <= decoded_i.is_engine ? (Node == 0 ? 3'd4 : 3'd3) :
                      !decoded_i.is_fence && !wait_over_i ? 3'd2 : decoded_i.log ? 3'd4 : 3'd3;
    end else begin
      place_q <= place_q + 3'd1;
    end
  end

  assign operand_bank_o = sends_o ? send_bank_q : bank_i;
  assign operand_o      = sends_o ? place_q : record_show_i[2] ? 3'd2 : 3'd1;
  always_comb begin
    word_o = operand_i;
    if (!sends_o && wait_log) word_o = stalled_q ? observed_i : '0;
    if (!sends_o && leads) word_o = rewound_i ? '0 : partial_i;
  end

  // The record names the node of the queue.
  logic [63:0] record_head;
  logic        trap;
  assign trap        = decoded_i.opcode == rf_pkg::OpcodeTrap;
  assign record_head = {handle_i, 12'd0, vmid_i, 6'd0, served_node_i,
                        trap ? rf_pkg::RecordKindTrap : rf_pkg::RecordKindSoftwareSignal};
  assign record_o    = (record_show_i[0] ? record_head : '0) |
                       (record_show_i[1] || (record_show_i[2] && !trap) ? operand_i : '0);

`ifndef SYNTHESIS
`ifndef FORMAL
  always_ff @(posedge clk_i) begin
    if (issued_i && wait_log) stalled_before: assert (stalled_q == stalled_i);
  end
`endif
`endif

endmodule

`default_nettype wire
