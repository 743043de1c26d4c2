// SPDX-License-Identifier: Apache-2.0
//
// Flow control of virtual channel 0 (PCI Express Base Specification 2.6.1), both directions.
// Classes are posted, non-posted, completion: 0, 1, 2. A header credit is a TLP, a data credit 16
// bytes of payload. Counts are modulo 256 and 4096; 0 in an InitFC is infinite, then and for ever.
//
// Transmitter: known_o: an InitFC of each class was recorded; of a class the first one counts.
// admits_o: the other side has room for one TLP of each class with need_i data credits, 256 at
// most; a non-posted one has no data (reads alone). consume_i: such a TLP goes, in a class that
// admits; in the next cycle nothing of the class is admitted. What an UpdateFC gives counts a cycle
// later.
// Receiver: what InitFC and UpdateFC of value_class_i carry, from the parameters and what was freed
// since; completions are infinite. That the other side keeps to it is not checked here.
// While not link_up_i (DL_Inactive) all is as after reset, and consume_i means nothing.

`default_nettype none

module rf_link_credit #(
  parameter int unsigned PostedHeaders = 16,
  parameter int unsigned PostedData = 64,
  parameter int unsigned NonPostedHeaders = 8,
  parameter int unsigned NonPostedData = 8
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        link_up_i,

  // received InitFC and UpdateFC
  input  wire logic        init_i,
  input  wire logic        update_i,
  input  wire logic [1:0]  class_i,
  input  wire logic [7:0]  headers_i,
  input  wire logic [11:0] data_i,

  output logic             known_o,
  input  wire logic [8:0]  need_i,
  output logic [2:0]       admits_o,
  input  wire logic [2:0]  consume_i,        // one or none

  input  wire logic [1:0]  freed_i,          // a TLP of each class left its buffer: one or none
  input  wire logic [8:0]  freed_data_i,
  input  wire logic [1:0]  value_class_i,
  output logic [7:0]       value_headers_o,
  output logic [11:0]      value_data_o
);

  if (PostedHeaders < 1 || PostedHeaders > 127 || NonPostedHeaders < 1 ||
      NonPostedHeaders > 127) begin : gen_bad_headers
    $error("1 to 127 headers");
  end
  if (PostedData < 16 || PostedData > 2047) begin : gen_bad_posted_data
    $error("room for 256 bytes: 16 to 2047 credits");
  end
  if (NonPostedData < 1 || NonPostedData > 2047) begin : gen_bad_non_posted_data
    $error("1 to 2047 credits");
  end

  // --- transmitter ----------------------------------------------------------------------
  logic [2:0] known_q;

  assign known_o = &known_q;

  for (genvar i = 0; i < 3; i++) begin : gen_class
    logic [7:0]  headers_limit_q, headers_used_q, headers_left;
    logic [11:0] data_limit_q, data_used_q, data_left_q, need;
    logic [10:0] unused_rest;
    logic        headers_infinite_q, data_infinite_q, headers_some_q, settles_q, named, data_short;

    assign named        = class_i == 2'(i);
    assign need         = i == 1 ? 12'd0 : {3'd0, need_i};
    assign headers_left = headers_limit_q - headers_used_q;
    // At most 2047 are left: with bit 11 more were needed.
    assign {data_short, unused_rest} = data_left_q - need;
    assign admits_o[i]  = known_o && !settles_q && (headers_infinite_q || headers_some_q) &&
                          (data_infinite_q || !data_short);

    // What is left is a cycle old: too little behind an UpdateFC, too much behind a TLP.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) settles_q <= 1'b1;
      else settles_q <= consume_i[i] || !known_q[i];
    end
    always_ff @(posedge clk_i) begin
      headers_some_q <= headers_left != '0;
      data_left_q    <= data_limit_q - data_used_q;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        known_q[i]         <= 1'b0;
        headers_limit_q    <= '0;
        headers_used_q     <= '0;
        headers_infinite_q <= 1'b0;
        data_limit_q       <= '0;
        data_used_q        <= '0;
        data_infinite_q    <= 1'b0;
      end else begin
        if (named && init_i && !known_q[i]) begin
          known_q[i]         <= 1'b1;
          headers_infinite_q <= headers_i == '0;
          data_infinite_q    <= data_i == '0;
        end
        if (named && (known_q[i] ? update_i : init_i)) begin
          headers_limit_q <= headers_i;
          data_limit_q    <= data_i;
        end
        if (consume_i[i]) begin
          headers_used_q <= headers_used_q + 8'd1;
          data_used_q    <= data_used_q + need;
        end
        if (!link_up_i) begin
          known_q[i]     <= 1'b0;
          headers_used_q <= '0;
          data_used_q    <= '0;
        end
      end
    end
  end

  // --- receiver -------------------------------------------------------------------------
  logic [7:0]  posted_headers_q, non_posted_headers_q;
  logic [11:0] posted_data_q, non_posted_data_q;

  always_comb begin
    value_headers_o = '0;
    value_data_o    = '0;
    if (value_class_i == 2'd0) begin
      value_headers_o = posted_headers_q;
      value_data_o    = posted_data_q;
    end
    if (value_class_i == 2'd1) begin
      value_headers_o = non_posted_headers_q;
      value_data_o    = non_posted_data_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      posted_headers_q     <= 8'(PostedHeaders);
      posted_data_q        <= 12'(PostedData);
      non_posted_headers_q <= 8'(NonPostedHeaders);
      non_posted_data_q    <= 12'(NonPostedData);
    end else begin
      if (freed_i[0]) begin
        posted_headers_q <= posted_headers_q + 8'd1;
        posted_data_q    <= posted_data_q + {3'd0, freed_data_i};
      end
      if (freed_i[1]) begin
        non_posted_headers_q <= non_posted_headers_q + 8'd1;
        non_posted_data_q    <= non_posted_data_q + {3'd0, freed_data_i};
      end
      if (!link_up_i) begin
        posted_headers_q     <= 8'(PostedHeaders);
        posted_data_q        <= 12'(PostedData);
        non_posted_headers_q <= 8'(NonPostedHeaders);
        non_posted_data_q    <= 12'(NonPostedData);
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      consumes_what_is_admitted: assert ((consume_i & ~admits_o) == '0 || !link_up_i);
      needs_256_at_most: assert (need_i <= 9'd256);
      consumes_of_one_class: assert ((consume_i & (consume_i - 3'd1)) == '0);
    end
  end
`endif

endmodule

`default_nettype wire
