// SPDX-License-Identifier: Apache-2.0
//
// Block RAM whose read side is a stream: addresses go in, words come out in the same order, one
// per cycle, after two cycles, or one without Register (for users that register the words
// themselves).
// Promises: valid_o and its word stay until accepted; read_ready_o accepts an address only if
// there is room for its word. flush_i drops words in flight.

`default_nettype none

module rf_stream_buffer #(
  parameter int unsigned DepthLog2 = 9,
  parameter bit          Register = 1'b1
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
  output logic                      busy_o        // words on their way or on offer
);

  if (DepthLog2 < 1 || DepthLog2 > 16) begin : gen_bad_depth_log2
    $error("2^1 to 2^16 words");
  end

  logic        fetched_valid_q, fetched_last_q; // the word in the RAM's output
  logic        fetched_ready;
  logic [63:0] fetched;

  assign read_ready_o = !fetched_valid_q || fetched_ready;

  rf_ram #(.Width(64), .DepthLog2(DepthLog2), .Lane(64)) u_ram (
    .clk_i,
    .write_i,
    .write_address_i,
    .write_data_i,
    .write_strobe_i(1'b1),
    .read_i        (read_valid_i && read_ready_o),
    .read_address_i,
    .read_data_o   (fetched)
  );

  if (Register) begin : gen_register
    logic        valid_q, last_q;
    logic [63:0] data_q;
    assign fetched_ready = !valid_q || ready_i || flush_i;
    assign valid_o       = valid_q && !flush_i;
    assign busy_o        = fetched_valid_q || valid_q;
    assign data_o        = data_q;
    assign last_o        = last_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (fetched_ready) valid_q <= fetched_valid_q;
    end
    always_ff @(posedge clk_i) begin
      if (fetched_ready) {last_q, data_q} <= {fetched_last_q, fetched};
    end
  end else begin : gen_direct
    assign fetched_ready = ready_i || flush_i;
    assign valid_o       = fetched_valid_q && !flush_i;
    assign busy_o        = fetched_valid_q;
    assign data_o        = fetched;
    assign last_o        = fetched_last_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fetched_valid_q <= 1'b0;
    else if (read_ready_o) fetched_valid_q <= read_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (read_ready_o) fetched_last_q <= read_last_i;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(65)) word_stays (
    .clk_i, .rst_ni(rst_ni && !flush_i), .valid_i(valid_o), .ready_i(ready_i),
    .data_i({last_o, data_o})
  );
`endif
`endif

endmodule

`default_nettype wire
