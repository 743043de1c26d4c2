// SPDX-License-Identifier: Apache-2.0
//
// Reads the bytes [address, address + behind] as a stream of the aligned 64-bit words that hold
// them. Requests are cut at multiples of the largest request, so that all but the first and the
// last are full. Up to 2**SlotsLog2 are in flight; each owns a slot of the reorder buffer, and
// their responses may come in any order. Addresses count in bits 39:0 (rtl/README.md).
//
// Promises: words leave in address order, each once, last_o with the last one. A request crosses
// no 4 KiB page, exceeds neither max_read_words_i (sampled with start_i) nor a slot, needs a free
// slot, and stays on offer. A failed request ends the stream in its turn: every word before it is
// delivered, none of it or after it, and failed_o rises. stop_i ends the stream at once; with
// start_i before it begins; failures after it do not count. busy_o falls when every request has
// been answered and every word taken or dropped.
// Rate: one word per cycle. A slot is delivered when it is complete; first word three cycles after
// the last response word of its request.

`default_nettype none

module rf_stream_read #(
  parameter logic [3:0]  Master = rf_bus_pkg::ReadCopy,
  parameter logic [4:0]  FirstId = 5'd0,     // ids FirstId .. FirstId + slots - 1
  parameter int unsigned SlotsLog2 = 4,      // at most 4
  parameter int unsigned WordsLog2 = 5       // of a slot, at most 5
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [6:0]                 max_read_words_i, // a power of two

  // start_i only while busy_o is low; clears a failure
  input  wire logic                       start_i,
  input  wire logic [3:0]                 vmid_i,
  input  wire logic [63:0]                address_i,
  input  wire logic                       carry_i, // the range begins 4 GiB behind that
  input  wire logic [31:0]                behind_i, // bytes of it behind the first one
  input  wire logic                       empty_i,  // read nothing, whatever behind_i says
  input  wire logic                       stop_i,
  output logic                            busy_o,

  output logic                            failed_o,
  output      rf_bus_pkg::access_failure_t failure_o, // address: of the request, from the cycle
                                                       // on in which busy_o is low

  output logic                            read_valid_o,
  input  wire logic                       read_ready_i,
  output      rf_bus_pkg::read_request_t  read_o,
  input  wire logic                       response_valid_i,
  input  wire rf_bus_pkg::read_response_t response_i,

  output logic                            valid_o,
  input  wire logic                       ready_i,
  output logic [63:0]                     data_o,
  output logic                            last_o
);

  if (SlotsLog2 < 1 || SlotsLog2 > 4 || WordsLog2 < 1 || WordsLog2 > 5) begin : gen_bad_slots
    $error("a slot id has four bits, a slot 32 words");
  end
  if (Master != rf_bus_pkg::ReadVector && Master != rf_bus_pkg::ReadCopy) begin : gen_bad_master
    $error("the masters of engines are ReadVector and ReadCopy");
  end
  if ((FirstId & 5'((1 << SlotsLog2) - 1)) != '0) begin : gen_bad_first_id
    $error("ids begin at a multiple of the slots");
  end

  logic stop;
  assign stop = stop_i || failed_o;

  // --- issue: cut the range into requests, one per two cycles --------------------

  // An address is a block, of as many words as a slot has, and a place in it.
  localparam int unsigned Block = WordsLog2 + 3;

  logic                 issuing_q;      // words remain to be asked for
  logic [3:0]           vmid_q;
  logic [63:40]         beyond_q;       // never counts
  logic [39:3]          address_q;      // of the next request, or the one on offer
  logic                 carry_q;        // address_q is 4 GiB behind that
  logic [32:3]          last_q;         // last word of the range
  logic                 last_block_q;   // address_q is in its block
  logic                 request_valid_q, request_last_q;
  logic [WordsLog2:0]   request_words_q;
  logic [SlotsLog2:0]   head_q, tail_q; // slot to deliver, slot to fill
  logic                 clear_q;        // since the reset not every slot is cleared

  logic [32:0]          last;           // byte of the range
  logic [WordsLog2-1:0] mask_q;         // largest request of this range, less one
  logic [WordsLog2-1:0] place, place_last, end_place, place_next;
  logic [WordsLog2-1:0] cut;            // words less one
  logic                 rest_fits, full, issue, next_block, last_block;
  logic [SlotsLog2-1:0] head, tail;

  assign head = head_q[SlotsLog2-1:0];
  assign tail = tail_q[SlotsLog2-1:0];
  assign full = head_q == {!tail_q[SlotsLog2], tail};
  assign last = {address_i[32] ^ carry_i, address_i[31:0]} + {1'b0, behind_i};

  assign place      = address_q[Block-1:3];
  assign place_last = last_q[Block-1:3];
  assign rest_fits  = last_block_q && ((place ^ place_last) & ~mask_q) == '0;
  assign end_place  = rest_fits ? place_last : place | mask_q;
  assign cut        = end_place - place;
  assign issue      = request_valid_q && read_ready_i;

  // To the multiple behind the request on offer. Behind a failure back to the multiple of the
  // failed one: over each that was asked for, to the last word of the one before.
  logic                 block_before;
  logic [39:Block]      block;          // the next one, or the one before
  assign next_block   = issue && (place | mask_q) == '1;
  assign block_before = back_q && (place & ~mask_q) == '0;
  assign place_next   = back_q ? (place & ~mask_q) - 1'b1 : (place | mask_q) + 1'b1;
  assign last_block   = block[32:Block] == last_q[32:Block];

  // One carry chain; two bits of it take carries in.
  /* verilator lint_off UNUSEDSIGNAL */
  logic                 carry_low, carry_high;
  /* verilator lint_on UNUSEDSIGNAL */
  assign {block[39:32], carry_high, block[31:Block], carry_low} =
      {address_q[39:32], 1'b1, address_q[31:Block], 1'b1} +
      {{8{back_q}}, carry_q, {(32 - Block){back_q}}, request_valid_q};

  assign read_valid_o = request_valid_q;
  assign read_o.vmid  = vmid_q;
  assign read_o.va    = {beyond_q, address_q, 3'd0};
  assign read_o.words = {{(6 - WordsLog2){1'b0}}, request_words_q};
  assign read_o.id    = FirstId | {{(5 - SlotsLog2){1'b0}}, tail};

  // After a reset the slots are all taken, and cleared one by one.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issuing_q       <= 1'b0;
      request_valid_q <= 1'b0;
      tail_q          <= {1'b1, {SlotsLog2{1'b0}}};
    end else if (start_i) begin
      issuing_q       <= !empty_i && !stop_i;
    end else if (issue) begin
      request_valid_q <= 1'b0;
      tail_q          <= tail_q + 1'b1;
      if (request_last_q) issuing_q <= 1'b0;
    end else if (!request_valid_q) begin
      if (stop) issuing_q <= 1'b0;
      else request_valid_q <= issuing_q && !full && !clear_q;
    end
  end

  always_ff @(posedge clk_i) begin
    carry_q <= start_i && carry_i;
    if (start_i) begin
      mask_q <= (max_read_words_i[6:WordsLog2] != '0) ? '1 :
                max_read_words_i[WordsLog2-1:0] - 1'b1;
      vmid_q <= vmid_i;
      {beyond_q, address_q} <= address_i[63:3];
      last_q <= last[32:3];
      last_block_q <= behind_i[31:Block] == '0 && last[Block] == address_i[Block];
    end else begin
      if (issue || back_q) address_q[Block-1:3] <= place_next;
      if (next_block || block_before) address_q[31:Block] <= block[31:Block];
      if (next_block || block_before || carry_q) address_q[39:32] <= block[39:32];
      if (next_block) last_block_q <= last_block;
    end
    if (!request_valid_q) begin
      request_words_q <= {1'b0, cut} + 1'b1;
      request_last_q  <= rest_fits;
    end
  end

  // --- collect: responses into their slots -----------------------------------------

  // Of each slot a memory has how many words have come, 0 behind the last one, and a bit
  // that alternates: it is that of the head's round when the slot is complete.
  logic                 response, ends;   // ours
  logic [SlotsLog2-1:0] response_slot, slot;
  logic [WordsLog2-1:0] response_word;

  assign response_slot = response_i.id[SlotsLog2-1:0];
  assign response = response_valid_i && response_i.master == Master &&
                  response_i.id[4:SlotsLog2] == FirstId[4:SlotsLog2];
  assign ends   = clear_q || response_i.last;
  assign slot   = clear_q ? head : response_slot;

  rf_lutram #(.Width(WordsLog2), .DepthLog2(SlotsLog2)) u_count (
    .clk_i,
    .write_i        (clear_q || response),
    .write_address_i(slot),
    .write_data_i   (ends ? '0 : response_word + 1'b1),
    .read_address_i (response_slot),
    .read_data_o    (response_word)
  );

  // --- deliver: complete slots in order ------------------------------------------

  logic                 head_complete, head_bad, deliver, deliver_ready, take, pop;
  logic [2:0]           head_status;
  logic [1:0]           head_level;
  logic [2:0]           status_q;       // of the failure
  logic [1:0]           level_q;
  logic [WordsLog2-1:0] head_last;      // index of its last word
  logic [WordsLog2-1:0] word_q;
  logic                 head_round;
  logic                 untouched_q;    // nothing of the range is delivered
  logic [WordsLog2-1:0] first_q;        // place of its first word
  logic                 slot_end, ends_slot, one_left, empty_q, buffer_busy;
  logic                 back_q;         // a step back is due

  rf_lutram #(.Width(7), .DepthLog2(SlotsLog2)) u_status (
    .clk_i,
    .write_i        (clear_q || (response && response_i.last)),
    .write_address_i(slot),
    .write_data_i   ({head_q[SlotsLog2] ^ (slot >= head),
                      response_i.status != rf_pkg::AccessStatusOk,
                      response_i.status, response_i.level}),
    .read_address_i (head),
    .read_data_o    ({head_round, head_bad, head_status, head_level})
  );

  rf_lutram #(.Width(WordsLog2), .DepthLog2(SlotsLog2)) u_length (
    .clk_i,
    .write_i        (issue),
    .write_address_i(tail),
    .write_data_i   (request_words_q[WordsLog2-1:0] - 1'b1),
    .read_address_i (head),
    .read_data_o    (head_last)
  );

  assign one_left      = head_q + 1'b1 == tail_q;
  assign head_complete = !empty_q && head_round != head_q[SlotsLog2];
  assign slot_end      = word_q == head_last;
  assign deliver       = head_complete && !head_bad && !stop;
  assign take          = deliver && deliver_ready;
  // A stopped stream walks over its slots until all have been answered; a failed one steps
  // back with each, but not under a request on offer.
  assign ends_slot     = stop ? !request_valid_q : deliver_ready && slot_end;
  assign pop           = clear_q || (head_complete && (stop || !head_bad) && ends_slot);

  rf_stream_buffer #(.DepthLog2(SlotsLog2 + WordsLog2)) u_buffer (
    .clk_i,
    .rst_ni,
    .flush_i        (stop_i),
    .write_i        (response),
    .write_address_i({response_slot, response_word}),
    .write_data_i   (response_i.data),
    .read_valid_i   (deliver),
    .read_ready_o   (deliver_ready),
    .read_address_i ({head, word_q}),
    .read_last_i    (slot_end && !issuing_q && one_left),
    .valid_o,
    .ready_i,
    .data_o,
    .last_o,
    .busy_o         (buffer_busy)
  );

  assign busy_o = issuing_q || !empty_q || buffer_busy || back_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q   <= '0;
      empty_q  <= 1'b1;
      clear_q  <= 1'b1;
      back_q   <= 1'b0;
      failed_o <= 1'b0;
    end else begin
      if (pop) head_q <= head_q + 1'b1;
      clear_q <= clear_q && !one_left;
      back_q  <= failed_o && pop;
      empty_q <= !issue && (empty_q || (pop && one_left));
      if (start_i) failed_o <= 1'b0;
      else if (head_complete && head_bad && !stop) failed_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop) word_q <= '0;
    else if (take) word_q <= word_q + 1'b1;
    untouched_q <= start_i || (untouched_q && !(take && slot_end));
    if (start_i) first_q <= address_i[Block-1:3];
    if (!stop) {status_q, level_q} <= {head_status, head_level};
  end

  assign failure_o.status  = status_q;
  assign failure_o.level   = level_q;
  assign failure_o.store   = 1'b0;
  assign failure_o.address = {beyond_q, address_q[39:Block],
                              untouched_q ? first_q : place & ~mask_q, 3'd0};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i) started_at_rest: assert (!busy_o);
  end
`endif
`endif

endmodule

`default_nettype wire
