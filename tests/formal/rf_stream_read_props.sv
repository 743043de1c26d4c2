// SPDX-License-Identifier: Apache-2.0
//
// Reads of an engine: no request is longer than the largest one allowed, and none crosses a
// multiple of it, so neither a 4 KiB page; and a request that was offered stays.
//
// Free: where a stream starts, how long it is, when it is stopped, every response, when the largest
// request changes, a power of two: that of the start counts. A stream starts when the one before
// is over.

`default_nettype none

module rf_stream_read_props #(
  parameter logic [3:0]  Master = rf_bus_pkg::ReadCopy,
  parameter logic [4:0]  FirstId = 5'd0,
  parameter int unsigned SlotsLog2 = 4,
  parameter int unsigned WordsLog2 = 5
) (
  input wire logic clk_i,
  input wire logic rst_ni
);

  (* anyseq *) logic [6:0]  max_words;
  (* anyseq *) logic        carry, start, empty, stop, read_ready, response_valid, ready;
  (* anyseq *) logic [3:0]  vmid;
  (* anyseq *) logic [63:0] address;
  (* anyseq *) logic [31:0] behind;
  (* anyseq *) rf_bus_pkg::read_response_t response;
  logic busy, read_valid;
  rf_bus_pkg::read_request_t read;
  logic [63:0] va;
  assign va = read.va;

  rf_stream_read #(
    .Master(Master), .FirstId(FirstId), .SlotsLog2(SlotsLog2), .WordsLog2(WordsLog2)
  ) u_read (
    .clk_i, .rst_ni, .max_read_words_i(max_words), .start_i(start), .vmid_i(vmid),
    .address_i(address), .carry_i(carry), .behind_i(behind), .empty_i(empty), .stop_i(stop), .busy_o(busy),
    .failed_o(), .failure_o(), .read_valid_o(read_valid), .read_ready_i(read_ready),
    .read_o(read), .response_valid_i(response_valid), .response_i(response), .valid_o(), .ready_i(ready),
    .data_o(), .last_o());

  logic [6:0]  max_q;                      // as it was at the start
  logic        running_q = 1'b0, held_q = 1'b0;
  logic [63:0] va_q;
  logic [6:0]  words_q;
  always_ff @(posedge clk_i) begin
    running_q <= rst_ni;
    if (start) max_q <= max_words;
    held_q    <= rst_ni && read_valid && !read_ready;
    va_q      <= read.va;
    words_q   <= read.words;
  end
  always_comb begin
    assume (max_words == 7'd16 || max_words == 7'd32 || max_words == 7'd64); // PCIe: 128 bytes up
    if (start) assume (!busy);
    if (!running_q) assume (!start);
  end

  logic [6:0] most;                        // words, and so the multiple
  assign most = max_q > (7'd1 << WordsLog2) ? 7'd1 << WordsLog2 : max_q;
  always_comb if (rst_ni && read_valid) begin
    within_the_largest: assert (read.words != '0 && read.words <= max_q);
    within_a_multiple: assert ({3'd0, va[9:3] & (most - 7'd1)} + {3'd0, read.words} <=
                               {3'd0, most});
    within_a_page: assert ({1'b0, va[11:3]} + {3'd0, read.words} <= 10'd512);
    if (held_q) offer_stays: assert (read.va == va_q && read.words == words_q);
  end
  always_comb if (rst_ni && held_q) stays_valid: assert (read_valid);

  // --- the inside ---------------------------------------------------------------------------
  (* hierconn *) wire \u_read.issuing_q , \u_read.request_valid_q , \u_read.request_last_q ;
  (* hierconn *) wire \u_read.carry_q , \u_read.rest_fits , \u_read.last_block_q , \u_read.back_q ;
  (* hierconn *) wire \u_read.clear_q , \u_read.empty_q , \u_read.failed_o ;
  (* hierconn *) wire [WordsLog2-1:0] \u_read.mask_q , \u_read.cut ;
  (* hierconn *) wire [WordsLog2:0] \u_read.request_words_q ;
  (* hierconn *) wire [63:3] \u_read.address_q ;
  (* hierconn *) wire [32:3] \u_read.last_q ;
  logic [32:3] left;                       // words behind the next one
  logic [32:WordsLog2+3] this_block;       // of the next one
  assign this_block = {\u_read.address_q [32] ^ \u_read.carry_q ,
                       \u_read.address_q [31:WordsLog2+3]};
  assign left = \u_read.last_q -
                {\u_read.address_q [32] ^ \u_read.carry_q , \u_read.address_q [31:3]};
  always_comb if (rst_ni) begin
    if (\u_read.request_valid_q ) begin
      offers_of_a_stream: assert (\u_read.issuing_q && !\u_read.carry_q );
      offers_what_is_next: assert (\u_read.request_last_q == \u_read.rest_fits &&
                                   \u_read.request_words_q == {1'b0, \u_read.cut } + 1'b1);
    end
    if (\u_read.back_q ) no_offer_moves: assert (!\u_read.request_valid_q );
    if (\u_read.clear_q ) begin
      cleared_at_rest: assert (\u_read.empty_q && !\u_read.failed_o && !\u_read.request_valid_q );
    end
    if (\u_read.issuing_q && !\u_read.back_q ) begin
      ends_within_4_gib: assert (left <= {1'b1, 29'd0});
      block_of_the_last: assert (\u_read.last_block_q ==
                                 (this_block == \u_read.last_q [32:WordsLog2+3]));
    end
    if (busy) begin
      limit_of_the_start: assert (max_q == 7'd16 || max_q == 7'd32 || max_q == 7'd64);
      mask_of_the_largest: assert ({1'b0, \u_read.mask_q } == most[WordsLog2:0] - 1'b1);
    end
  end

  always_comb if (rst_ni) begin
    longest: cover (read_valid && read.words == 7'd1 << WordsLog2);
    cut_at_a_page: cover (read_valid && va[11:3] == 9'd510 && read.words == 7'd2);
  end

endmodule

`default_nettype wire
