// SPDX-License-Identifier: Apache-2.0
//
// Block RAM whose read side is a stream: addresses go in, words come out in the
// same order, one per cycle, two cycles later. The second register keeps the
// RAM's long clock-to-output away from whatever takes the words.
// Promises: valid_o and its word stay until taken; read_ready_o accepts an
// address only if its word has a place to stay. flush_i drops words on their way.

`default_nettype none

module rf_stream_buffer #(
  parameter int unsigned DepthLog2 = 9
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 flush_i,

  input  wire logic                 write_i,
  input  wire logic [DepthLog2-1:0] write_address_i,
  input  wire logic [63:0]          write_data_i,

  input  wire logic                 read_valid_i,
  output logic                      read_ready_o,
  input  wire logic [DepthLog2-1:0] read_address_i,
  input  wire logic                 read_last_i,  // travels with the word

  output logic                      valid_o,
  input  wire logic                 ready_i,
  output logic [63:0]               data_o,
  output logic                      last_o,
  output logic                      busy_o       // words on their way or on offer
);

  logic        fetched_valid_q, fetched_last_q; // the word in the RAM's output
  logic [63:0] fetched;
  logic        advance;

  assign advance      = !valid_o || ready_i;
  assign read_ready_o = !fetched_valid_q || advance;
  assign busy_o       = fetched_valid_q || valid_o;

  rf_ram #(.Width(64), .DepthLog2(DepthLog2)) u_ram (
    .clk_i,
    .write_i,
    .write_address_i,
    .write_data_i,
    .write_strobe_i(8'hff),
    .read_i        (read_valid_i && read_ready_o),
    .read_address_i,
    .read_data_o   (fetched)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetched_valid_q <= 1'b0;
      valid_o         <= 1'b0;
    end else if (flush_i) begin
      fetched_valid_q <= 1'b0;
      valid_o         <= 1'b0;
    end else begin
      if (read_ready_o) fetched_valid_q <= read_valid_i;
      if (advance) valid_o <= fetched_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_ready_o) fetched_last_q <= read_last_i;
    if (advance) begin
      data_o <= fetched;
      last_o <= fetched_last_q;
    end
  end

endmodule

`default_nettype wire
