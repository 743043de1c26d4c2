// SPDX-License-Identifier: Apache-2.0
//
// The position in the slot that a node serves: the buffer, its first packet that is not complete,
// the progress of that packet, and since when its WAIT stalls. It moves past a packet when that is
// issued, past a WAIT when it is satisfied, and back over operations that the engine returns; the
// progress of the first of those is kept.

`default_nettype none

module rf_node_position #(
  parameter int unsigned Node = 0
) (
  input  wire logic         clk_i,

  input  wire rf_bus_pkg::position_loaded_t loaded_i,
  input  wire logic [63:0]  load_data_i,

  input  wire logic         take_buffer_i,    // the decoder takes this one
  input  wire logic [63:0]  buffer_address_i,
  input  wire logic [28:0]  buffer_words_i,
  input  wire logic         begins_i,         // it is begun
  input  wire logic         passes_i,         // a packet is behind,
  input  wire logic [3:0]   words_i,          // of this length
  input  wire logic         skips_i,          // the WAIT is over behind which the decoder is
  input  wire logic         rewinds_i,        // an operation comes back: the first that does
  input  wire logic [2:0]   back_i,           // so many did, a cycle ago
  input  wire logic [31:0]  progress_i,       // of that operation
  input  wire logic [63:0]  partial_i,
  input  wire logic         observes_i,       // a WAIT is about to be handed over
  input  wire logic [63:0]  timestamp_i,

  input  wire logic [3:0]   step_i,           // from the packet to the word at fault
  output logic [63:0]       address_o,        // of that word
  output logic [28:0]       left_o,           // from there on, a cycle after loaded_i.state;
  output logic              left_many_o,      // 32 or more from the packet on

  output logic [63:0]       buffer_start_o,   // of a ring entry at fault as it was
  output logic [28:0]       size_o,
  output logic [28:0]       offset_o,
  output logic [31:0]       progress_o,
  output logic [63:0]       partial_o,
  output logic [63:0]       observed_o,
  output logic [31:0]       handle_o,
  output logic [1:0]        served_node_o
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end

  // All operations of an engine are of the same length, and no other packet lies between them.
  localparam logic [7:0] EngineWords = (Node == 0) ? rf_pkg::PacketVectorWordsMin
                                                   : rf_pkg::PacketCopyWordsMin;
  localparam logic [3:0] WaitWords = rf_pkg::PacketWaitWordsMin[3:0];
  if (rf_pkg::PacketVectorWordsMin != rf_pkg::PacketVectorWordsMax ||
      rf_pkg::PacketCopyWordsMin != rf_pkg::PacketCopyWordsMax ||
      rf_pkg::PacketFillWordsMin != rf_pkg::PacketCopyWordsMin ||
      rf_pkg::PacketFillWordsMax != rf_pkg::PacketCopyWordsMin) begin : gen_check_words
    $error("the operations of an engine have one length");
  end

  logic [28:0] moves, reached;
  logic        behind_q;   // the packet of the last cycle: that it passes is known late
  always_comb begin
    moves = skips_i ? {25'd0, WaitWords} : {25'd0, words_i};
    for (int unsigned c = 1; c < 8; c++) begin // a table: no multiplier
      if (back_i == c[2:0]) moves = -(c[28:0] * {21'd0, EngineWords});
    end
  end

  always_ff @(posedge clk_i) begin
    behind_q <= passes_i || begins_i;
    if (loaded_i.buffer_start) buffer_start_o <= {load_data_i[63:3], 3'd0};
    else if (take_buffer_i) buffer_start_o <= buffer_address_i;

    if (loaded_i.state) size_o <= load_data_i[28:0];
    else if (take_buffer_i) size_o <= buffer_words_i;

    if (take_buffer_i) offset_o <= '0;
    else if (loaded_i.state) offset_o <= load_data_i[60:32];
    else if (passes_i || skips_i || back_i != '0) offset_o <= offset_o + moves;

    if (rewinds_i) progress_o <= progress_i;
    else if (loaded_i.progress) progress_o <= load_data_i[31:0];
    else if (behind_q) progress_o <= '0;

    // That of the last cycle stays: when the WAIT was handed over.
    if (loaded_i.observed) observed_o <= load_data_i;
    else if (observes_i) observed_o <= timestamp_i;

    if (loaded_i.config_word) begin
      handle_o      <= load_data_i[rf_pkg::SlotConfigHandleLsb +: 32];
      served_node_o <= load_data_i[rf_pkg::SlotConfigNodeLsb +: 2];
    end
  end

  // Only the vector engine has a partial result: that of COPY and FILL is 0.
  if (Node == 0) begin : gen_partial
    always_ff @(posedge clk_i) begin
      if (rewinds_i) partial_o <= partial_i;
      else if (loaded_i.partial) partial_o <= load_data_i;
      else if (behind_q) partial_o <= '0;
    end
  end else begin : gen_no_partial
    logic unused_partial;
    assign unused_partial = &{1'b0, partial_i, loaded_i.partial};
    assign partial_o      = '0;
  end

  assign reached   = offset_o + {25'd0, step_i};
  assign address_o = {buffer_start_o[63:40], buffer_start_o[39:3] + {8'd0, reached},
                      buffer_start_o[2:0]};

  // Of the position that was loaded last: the difference is worked out as it comes.
  logic [28:0] loaded_left, loaded_left_q;
  assign loaded_left = load_data_i[28:0] - load_data_i[60:32];
  always_ff @(posedge clk_i) begin
    loaded_left_q <= loaded_left;
    left_many_o   <= loaded_left[28:5] != '0;
  end
  assign left_o = loaded_left_q - {25'd0, step_i};

  // The quantum's words are rf_node_quantum's.
  logic unused_loaded;
  assign unused_loaded = &{1'b0, loaded_i.quantum_left, loaded_i.quantum};

endmodule

`default_nettype wire
