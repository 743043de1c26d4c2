// SPDX-License-Identifier: Apache-2.0
//
// Moves a byte stream from the alignment of its source to that of its destination.
// In: the aligned words that hold the range, its first byte in lane
// source_phase_i of the first word. Out: the same bytes with the first one in lane
// destination_phase_i; lanes outside the range hold anything.
// Until the first word is taken data_o is 0 with blank_i.
// Promises: exactly the words that hold the range, last_o with the last one.
// Combinational from input to output; one word per cycle.

`default_nettype none

module rf_stream_align (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        start_i,
  input  wire logic [2:0]  source_phase_i,
  input  wire logic [2:0]  destination_phase_i,
  input  wire logic [2:0]  behind_i,            // bytes behind the first one, modulo 8
  input  wire logic        blank_i,

  input  wire logic        valid_i,
  output logic             ready_o,
  input  wire logic [63:0] data_i,
  input  wire logic        last_i,

  output logic             valid_o,
  input  wire logic        ready_i,
  output logic [63:0]      data_o,
  output logic             last_o
);

  // An output word is eight consecutive bytes of {data_i, previous_q}, from byte
  // shift + 1 on: data_i itself with a shift of 7. Then data_i gives its bytes up
  // to `shift` to this output, those above to the next one.
  logic [2:0]  shift, shift_q, end_phase;
  logic [63:8] previous_q;
  logic        skip_q;     // no byte of the first word belongs to an output before it
  logic        drain_q;    // bytes of the last word belong to an output behind it
  logic        draining_q; // ... which is due
  logic        take;

  assign shift     = source_phase_i - destination_phase_i - 3'd1;
  assign end_phase = source_phase_i + behind_i;

  assign ready_o = !draining_q && (skip_q || ready_i);
  assign take    = valid_i && ready_o;
  assign valid_o = draining_q || (valid_i && !skip_q);
  assign last_o  = draining_q || (last_i && !drain_q);

  // The widest shift first: the others have fewer bytes to move.
  logic [119:0] bytes;
  logic [87:0]  by_4;
  logic [71:0]  by_2;
  assign bytes  = {data_i & ~{64{blank_i}}, previous_q};
  assign by_4   = shift_q[2] ? bytes[119:32] : bytes[87:0];
  assign by_2   = shift_q[1] ? by_4[87:16] : by_4[71:0];
  assign data_o = shift_q[0] ? by_2[71:8] : by_2[63:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) draining_q <= 1'b0;
    else if (start_i) draining_q <= 1'b0;
    else if (take) draining_q <= last_i && drain_q;
    else if (ready_i) draining_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      shift_q <= shift;
      skip_q  <= source_phase_i > shift;
      drain_q <= end_phase > shift;
    end else if (take) begin
      skip_q <= 1'b0;
    end
    if (start_i) previous_q <= '0;
    else if (take) previous_q <= data_i[63:8];
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken, or its source drops what it offers.
  rf_offer_check #(.Width(65)) word_stays (
    .clk_i, .rst_ni(rst_ni && !start_i && (valid_i || draining_q)), .valid_i(valid_o), .ready_i,
    .data_i({last_o, data_o})
  );
`endif
`endif

endmodule

`default_nettype wire
