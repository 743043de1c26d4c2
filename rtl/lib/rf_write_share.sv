// SPDX-License-Identifier: Apache-2.0
//
// Two infrequent writers share one write master of rf_memory, in turn: one request at a time, from
// its acceptance to its done.
//
// Promises: no more words are accepted than the request has. A register after this module accepts
// a word as soon as it has room, so memory's ready does not mark the end of a request.

`default_nettype none

module rf_write_share (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [1:0]   valid_i,
  output logic [1:0]        ready_o,
  input  wire logic [2*rf_bus_pkg::WriteRequestWidth-1:0] write_i,
  input  wire logic [1:0]   data_valid_i,
  output logic [1:0]        data_ready_o,
  input  wire logic [127:0] data_i,
  output logic [1:0]        done_o,        // with the master's status and level

  output logic              write_valid_o,
  input  wire logic         write_ready_i,
  output logic [rf_bus_pkg::WriteRequestWidth-1:0] write_o,
  output logic              write_data_valid_o,
  input  wire logic         write_data_ready_i,
  output logic [63:0]       write_data_o,
  input  wire logic         write_done_i
);

  logic       busy_q, owner_q, merged_valid, word;
  logic [1:0] accepted;
  logic [5:0] left_q;   // words of the request that have not been taken

  rf_merge #(.Width(rf_bus_pkg::WriteRequestWidth)) u_merge (
    .clk_i, .rst_ni, .valid_i, .ready_o(accepted), .data_i(write_i),
    .valid_o(merged_valid), .ready_i(write_ready_i && !busy_q), .data_o(write_o)
  );
  /* verilator lint_off UNUSEDSIGNAL */ // its number of words alone
  rf_bus_pkg::write_request_t request;
  /* verilator lint_on UNUSEDSIGNAL */
  assign request       = write_o;
  assign ready_o       = accepted;
  assign write_valid_o = merged_valid && !busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      owner_q <= 1'b0;
    end else begin
      if (write_valid_o && write_ready_i) begin
        busy_q  <= 1'b1;
        owner_q <= accepted[1];
      end else if (write_done_i) begin
        busy_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else if (write_valid_o && write_ready_i) left_q <= request.words;
    else if (write_data_valid_o && write_data_ready_i) left_q <= left_q - 6'd1;
  end

  assign word               = left_q != '0;
  assign write_data_valid_o = word && data_valid_i[owner_q];
  assign write_data_o       = owner_q ? data_i[127:64] : data_i[63:0];
  assign data_ready_o       = {word && owner_q && write_data_ready_i,
                               word && !owner_q && write_data_ready_i};
  assign done_o             = {write_done_i && owner_q, write_done_i && !owner_q};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      done_with_its_words: assert (!write_done_i || (busy_q && left_q == '0));
      one_to_32_words: assert (!write_valid_o || (request.words != '0 && request.words <= 6'd32));
    end
  end
  rf_offer_check #(.Width(64)) word_stays (
    .clk_i, .rst_ni, .valid_i(write_data_valid_o), .ready_i(write_data_ready_i),
    .data_i(write_data_o)
  );
`endif
`endif

endmodule

`default_nettype wire
