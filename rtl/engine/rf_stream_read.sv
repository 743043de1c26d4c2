// SPDX-License-Identifier: Apache-2.0
//
// Reads the bytes [address, address + bytes) as a stream of the aligned 64-bit
// words that hold them. Requests are cut at multiples of the largest request, so
// that all but the first and the last are full; up to 2**SlotsLog2 are in flight,
// each owns a slot of the reorder buffer, and their answers may come in any order.
//
// Promises: words leave in address order, each once, last_o with the last one; no
// request crosses a 4 KiB page or exceeds max_read_words_i or a slot; no request
// without a free slot; a request that was offered stays. A failed request ends the
// stream in its turn: every word before it is delivered, none of it or after it,
// failed_o rises. stop_i ends the stream at once, with start_i before it begins; no
// failure counts from then on. Either way busy_o falls only when every request issued
// has been answered and every word taken or dropped.
// Rate: one word per cycle. A slot is delivered when it is complete; first word
// three cycles after the last answer word of its request.

`default_nettype none

module rf_stream_read #(
  parameter logic [3:0]  Master = rf_bus_pkg::ReadCopy,
  parameter logic [4:0]  FirstId = 5'd0,     // ids FirstId .. FirstId + slots - 1
  parameter int unsigned SlotsLog2 = 4,      // at most 4
  parameter int unsigned WordsLog2 = 5       // of a slot, at most 5
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [6:0]                 max_read_words_i, // a power of two; set before start_i

  // start_i only while busy_o is low; clears a failure
  input  wire logic                       start_i,
  input  wire logic [3:0]                 vmid_i,
  input  wire logic [63:0]                address_i,
  input  wire logic [31:0]                bytes_i,
  input  wire logic                       empty_i, // read nothing, whatever bytes_i says
  input  wire logic                       stop_i,
  output logic                            busy_o,

  output logic                            failed_o,
  output      rf_bus_pkg::access_failure_t failure_o, // address: of the request, from the cycle
                                                       // on in which busy_o is low

  output logic                            read_valid_o,
  input  wire logic                       read_ready_i,
  output      rf_bus_pkg::read_request_t  read_o,
  input  wire logic                       answer_valid_i,
  input  wire rf_bus_pkg::read_answer_t   answer_i,

  output logic                            valid_o,
  input  wire logic                       ready_i,
  output logic [63:0]                     data_o,
  output logic                            last_o
);

  localparam int unsigned Slots = 1 << SlotsLog2;

  if (SlotsLog2 > 4 || WordsLog2 > 5) begin : gen_too_large
    $error("a slot id has four bits, a slot 32 words");
  end

  logic stop;
  assign stop = stop_i || failed_o;

  // --- issue: cut the range into requests, one per two cycles --------------------

  logic                 issuing_q;      // words remain to be asked for
  logic [3:0]           vmid_q;
  logic [63:3]          base_q;         // of the range
  logic [29:0]          asked_q;        // words of the range before them
  logic [29:0]          remaining_q;    // their number less one
  logic                 request_valid_q, request_last_q;
  logic [63:3]          request_va_q;
  logic [WordsLog2:0]   request_words_q;
  logic [SlotsLog2:0]   head_q, tail_q; // slot to deliver, slot to fill

  /* verilator lint_off UNUSEDSIGNAL */
  logic [32:0]          span;           // last byte's offset in the first word
  /* verilator lint_on UNUSEDSIGNAL */
  logic [WordsLog2-1:0] mask_q;         // largest request, less one
  logic [WordsLog2-1:0] place;          // of the next request, in a largest one
  logic [WordsLog2-1:0] room, cut;      // each less one
  logic                 rest_fits, full, issue;
  logic [SlotsLog2-1:0] head, tail;

  assign head = head_q[SlotsLog2-1:0];
  assign tail = tail_q[SlotsLog2-1:0];
  assign full = head_q == {!tail_q[SlotsLog2], tail};
  assign span = {1'b0, bytes_i} + {{30{address_i[2:0] == '0}}, address_i[2:0] - 3'd1};

  assign place = base_q[WordsLog2+2:3] + asked_q[WordsLog2-1:0];
  assign room = ~place & mask_q;
  assign rest_fits = remaining_q <= {{(30 - WordsLog2){1'b0}}, room};
  assign cut  = rest_fits ? remaining_q[WordsLog2-1:0] : room;
  assign issue = request_valid_q && read_ready_i;

  assign read_valid_o = request_valid_q;
  assign read_o.vmid  = vmid_q;
  assign read_o.va    = {request_va_q, 3'd0};
  assign read_o.words = {{(6 - WordsLog2){1'b0}}, request_words_q};
  assign read_o.id    = FirstId | {{(5 - SlotsLog2){1'b0}}, tail};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issuing_q       <= 1'b0;
      request_valid_q <= 1'b0;
      tail_q          <= '0;
    end else if (start_i) begin
      issuing_q       <= bytes_i != '0 && !empty_i && !stop_i;
    end else if (issue) begin
      request_valid_q <= 1'b0;
      tail_q          <= tail_q + 1'b1;
      if (request_last_q) issuing_q <= 1'b0;
    end else if (!request_valid_q) begin
      if (stop) issuing_q <= 1'b0;
      else request_valid_q <= issuing_q && !full;
    end
  end

  always_ff @(posedge clk_i) begin
    mask_q <= (max_read_words_i[6:WordsLog2] != '0) ? '1 :
              max_read_words_i[WordsLog2-1:0] - 1'b1;
    if (start_i) begin
      vmid_q      <= vmid_i;
      base_q      <= address_i[63:3];
      asked_q     <= '0;
      remaining_q <= span[32:3];
    end else if (issue) begin
      asked_q     <= asked_q + {{(29 - WordsLog2){1'b0}}, request_words_q};
      remaining_q <= remaining_q - {{(29 - WordsLog2){1'b0}}, request_words_q};
    end
    // Behind a failure nothing is asked for: then it is the address of that one.
    if (!request_valid_q) begin
      request_va_q    <= base_q + {31'd0, failed_o ? delivered_q : asked_q};
      request_words_q <= {1'b0, cut} + 1'b1;
      request_last_q  <= rest_fits;
    end
  end

  // --- collect: answers into their slots -----------------------------------------

  logic                 answer;         // ours
  logic [SlotsLog2-1:0] answer_slot;
  logic [WordsLog2-1:0] answer_word, answer_count;
  logic [Slots-1:0]     started_q;      // some words have come, not all
  logic [Slots-1:0]     complete_q;     // not cleared before the next use

  assign answer_slot = answer_i.id[SlotsLog2-1:0];
  assign answer = answer_valid_i && answer_i.master == Master &&
                  answer_i.id[4:SlotsLog2] == FirstId[4:SlotsLog2];
  assign answer_word = started_q[answer_slot] ? answer_count : '0;

  rf_lutram #(.Width(WordsLog2), .DepthLog2(SlotsLog2)) u_count (
    .clk_i,
    .write_i        (answer),
    .write_address_i(answer_slot),
    .write_data_i   (answer_word + 1'b1),
    .read_address_i (answer_slot),
    .read_data_o    (answer_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q  <= '0;
      complete_q <= '0;
    end else begin
      if (answer) started_q[answer_slot] <= !answer_i.last;
      if (issue) complete_q[tail] <= 1'b0;
      if (answer && answer_i.last) complete_q[answer_slot] <= 1'b1;
    end
  end

  // --- deliver: complete slots in order ------------------------------------------

  logic                 head_complete, head_bad, deliver, deliver_ready, take, pop;
  logic [2:0]           head_status;
  logic [1:0]           head_level;
  logic [2:0]           status_q;       // of the failure
  logic [1:0]           level_q;
  logic [WordsLog2-1:0] head_last;      // index of its last word
  logic [WordsLog2-1:0] word_q;
  logic [29:0]          delivered_q;    // words of the range before word_q
  logic                 slot_end, one_left, empty_q, buffer_busy;

  rf_lutram #(.Width(5), .DepthLog2(SlotsLog2)) u_status (
    .clk_i,
    .write_i        (answer && answer_i.last),
    .write_address_i(answer_slot),
    .write_data_i   ({answer_i.status, answer_i.level}),
    .read_address_i (head),
    .read_data_o    ({head_status, head_level})
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
  assign head_complete = !empty_q && complete_q[head];
  assign head_bad      = head_status != rf_pkg::AccessStatusOk;
  assign slot_end      = word_q == head_last;
  assign deliver       = head_complete && !head_bad && !stop;
  assign take          = deliver && deliver_ready;
  // A stopped stream walks over its slots until all have been answered.
  assign pop           = stop ? head_complete : take && slot_end;

  rf_stream_buffer #(.DepthLog2(SlotsLog2 + WordsLog2)) u_buffer (
    .clk_i,
    .rst_ni,
    .flush_i        (stop_i),
    .write_i        (answer),
    .write_address_i({answer_slot, answer_word}),
    .write_data_i   (answer_i.data),
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

  assign busy_o = issuing_q || !empty_q || buffer_busy;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q   <= '0;
      empty_q  <= 1'b1;
      failed_o <= 1'b0;
    end else begin
      if (pop) head_q <= head_q + 1'b1;
      empty_q <= !issue && (empty_q || (pop && one_left));
      if (start_i) failed_o <= 1'b0;
      else if (head_complete && head_bad && !stop) failed_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i || pop) word_q <= '0;
    else if (take) word_q <= word_q + 1'b1;
    if (start_i) delivered_q <= '0;
    else if (take) delivered_q <= delivered_q + 1'b1;
    if (!stop) {status_q, level_q} <= {head_status, head_level};
  end

  assign failure_o.status  = status_q;
  assign failure_o.level   = level_q;
  assign failure_o.store   = 1'b0;
  assign failure_o.address = {request_va_q, 3'd0};

endmodule

`default_nettype wire
