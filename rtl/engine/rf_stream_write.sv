// SPDX-License-Identifier: Apache-2.0
//
// Writes a stream of 64-bit words to the bytes [address, address + behind). The words are aligned
// to the destination: the byte of `address` is in its lane of the first word; bytes outside the
// range are not written. Writes are cut at multiples of the largest payload, so that only the
// first and the last may be shorter.
//
// Promises: a write is offered when the buffer has all of its words, so it never waits for what
// the engine reads. No write crosses a 4 KiB page or exceeds max_payload_words_i or 32 words; the
// limit is that of the cycle before start_i. At most 16 writes are not yet performed. A failed
// write sets failed_o; from the second cycle on, and under stop_i, nothing new is offered. busy_o
// falls when every offered write is performed and all words are taken or the stream has stopped. A
// stopped stream has written the first performed_o bytes of the range, once, and no others. Rate:
// one word per cycle. Addresses count in bits 39:0 (rtl/README.md).

`default_nettype none

module rf_stream_write (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [6:0]                 max_payload_words_i, // a power of two

  // start_i only while busy_o is low; clears a failure
  input  wire logic                       start_i,
  input  wire logic [3:0]                 vmid_i,
  input  wire logic [63:0]                address_i,
  input  wire logic                       carry_i,      // the range begins 4 GiB behind that
  input  wire logic [31:0]                behind_i,     // bytes of it behind the first one
  input  wire logic                       empty_i,      // it has none, whatever behind_i says
  input  wire logic                       stop_i,
  output logic                            busy_o,
  output logic                            complete_o,   // every word of the range was taken
  output logic [8:0]                      performed_o,  // bytes performed in this cycle

  output logic                            failed_o,
  output      rf_bus_pkg::access_failure_t failure_o, // address: first byte of the write, from
                                                       // the cycle on in which busy_o is low

  input  wire logic                       valid_i,
  output logic                            ready_o,
  input  wire logic [63:0]                data_i,

  output logic                            write_valid_o,
  input  wire logic                       write_ready_i,
  output      rf_bus_pkg::write_request_t write_o,
  output logic                            write_data_valid_o,
  input  wire logic                       write_data_ready_i,
  output logic [63:0]                     write_data_o,
  input  wire logic                       write_done_i,
  input  wire logic [2:0]                 write_done_status_i,
  input  wire logic [1:0]                 write_done_level_i
);

  // Two full writes: one leaves while the next one gathers.
  localparam int unsigned DepthLog2 = 6;
  localparam logic [DepthLog2:0] Depth = 7'd1 << DepthLog2;

  // --- gather: words into the buffer, a request behind the last one of each write --

  logic                 gathering_q;    // words of the range are still to come
  logic [3:0]           vmid_q;
  logic [63:40]         beyond_q;       // never counts
  logic [39:3]          address_q;      // of the word to come
  logic                 carry_q;        // address_q is 4 GiB behind that
  logic [32:3]          last_q;         // last word of the range
  logic                 end_q;          // the word to come is that one
  logic                 last_block_q;   // or in its block, of 32 words
  logic [3:0]           last_next_q;    // its block is the next one, each a part of the number;
                                        // a cycle late
  logic [4:0]           cut_q;          // place of this write's first word
  logic [2:0]           lead_q;         // bytes before the range in this write's first word
  logic [2:0]           trail_q;        // bytes behind the range in its last word
  logic [DepthLog2:0]   fill_q, offered_q, send_q; // buffer: gathered, offered, sent
  logic [DepthLog2:0]   used;

  logic [32:0]          last;           // byte of the range
  logic                 one_word;       // has the range
  logic [4:0]           place;          // of the word to come: bits 7:3 of its address
  logic [4:0]           place_end;      // in a write's last word the end of its multiple
  logic [4:0]           place_next, place_back; // the next place, that of a write before
  logic [4:0]           limit_q;        // largest write as of now, less one
  logic [4:0]           mask_q;         // that of this range
  logic                 write_end_q;    // the word to come is the last of this write
  logic                 admit_q;        // room for it, and for one that comes meanwhile
  logic                 gather, back, at_end;

  logic                 request_valid_q;
  logic [39:3]          request_va_q;
  logic [5:0]           request_words_q;
  logic [2:0]           request_lead_q, request_trail_q; // bytes not written
  logic [4:0]           pending_count;

  assign last     = {address_i[32] ^ carry_i, address_i[31:0]} + {1'b0, behind_i};
  assign one_word = behind_i[31:3] == '0 && last[3] == address_i[3];

  assign used    = fill_q - send_q;
  assign ready_o = gathering_q && admit_q && !(write_end_q && request_valid_q);
  assign gather  = valid_i && ready_o;

  assign place     = address_q[7:3];
  assign place_end = write_end_q ? place | mask_q : place;
  assign place_next = place_end + 1'b1;
  assign place_back = (place & ~mask_q) - 1'b1;
  assign at_end     = place_next == last_q[7:3] && (place_end == '1 ? &last_next_q : last_block_q);

  // To the next word, from the last one to the multiple behind it. Behind a failure back to
  // the multiple of the failed write: over each that was offered, to the last word of the one
  // before. One carry chain; two bits of it take carries in.
  logic        next_block, block_before;
  logic [39:8] block;                   // the next one, or the one before
  /* verilator lint_off UNUSEDSIGNAL */
  logic        carry_low, carry_high;
  /* verilator lint_on UNUSEDSIGNAL */
  assign next_block   = gather && place_end == '1;
  assign block_before = back && (place & ~mask_q) == '0;
  assign {block[39:32], carry_high, block[31:8], carry_low} =
      {address_q[39:32], 1'b1, address_q[31:8], 1'b1} +
      {{8{!gathering_q}}, carry_q, {24{!gathering_q}}, gathering_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gathering_q     <= 1'b0;
      complete_o      <= 1'b0;
      request_valid_q <= 1'b0;
      admit_q         <= 1'b0;
      fill_q          <= '0;
      offered_q       <= '0;
    end else begin
      // The first word comes behind a carry, and not before what is known of the next block.
      admit_q <= used < Depth - 7'd2 && pending_count < 5'd14 &&
                 !(start_i && (carry_i || address_i[7:3] == '1));
      if (start_i) gathering_q <= !empty_i && !stop_i;
      else if (stop_i || failed_o || (gather && end_q)) gathering_q <= 1'b0;
      if (start_i) complete_o <= empty_i;
      else if (gather && end_q) complete_o <= 1'b1;

      if (gather && write_end_q) request_valid_q <= 1'b1;
      else if (write_ready_i) request_valid_q <= 1'b0;

      // A stopped stream leaves words behind that no write wants.
      if (start_i) fill_q <= offered_q;
      else if (gather) fill_q <= fill_q + 1'b1;
      if (gather && write_end_q) offered_q <= fill_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    limit_q <= (max_payload_words_i[6:5] != '0) ? '1 : max_payload_words_i[4:0] - 1'b1;
    carry_q <= start_i && carry_i;
    last_next_q <= {block[32:27] == last_q[32:27], block[26:21] == last_q[26:21],
                    block[20:15] == last_q[20:15], block[14:8] == last_q[14:8]};
    if (start_i) begin
      {beyond_q, address_q} <= address_i[63:3];
      last_block_q <= behind_i[31:8] == '0 && last[8] == address_i[8];
    end else begin
      if (gather || back) address_q[7:3] <= gathering_q ? place_next : place_back;
      if (next_block || block_before) address_q[31:8] <= block[31:8];
      if (next_block || block_before || carry_q) address_q[39:32] <= block[39:32];
      if (next_block) last_block_q <= &last_next_q;
    end
    if (start_i) begin
      mask_q      <= limit_q;
      vmid_q      <= vmid_i;
      last_q      <= last[32:3];
      end_q       <= one_word;
      cut_q       <= address_i[7:3];
      lead_q      <= address_i[2:0];
      trail_q     <= ~last[2:0];
      write_end_q <= one_word || (address_i[7:3] | ~limit_q) == '1;
    end else if (gather) begin
      end_q       <= at_end;
      write_end_q <= at_end || (place_next | ~mask_q) == '1;
      if (write_end_q) begin
        cut_q  <= place_next;
        lead_q <= '0;
      end
    end
    if (gather && write_end_q) begin
      // Writes are cut at multiples of at most 32 words: one has one va[39:8].
      request_va_q    <= {address_q[39:8], cut_q};
      request_words_q <= {1'b0, place - cut_q} + 1'b1;
      request_lead_q  <= lead_q;
      request_trail_q <= end_q ? trail_q : 3'd0;
    end
  end

  // --- offer -----------------------------------------------------------------------

  logic [7:0] lead_strobe, trail_strobe;

  assign lead_strobe  = 8'hff << request_lead_q;
  assign trail_strobe = 8'hff >> request_trail_q;

  assign write_valid_o        = request_valid_q;
  assign write_o.vmid         = vmid_q;
  assign write_o.va           = {beyond_q, request_va_q};
  assign write_o.words        = request_words_q;
  assign write_o.first_strobe = lead_strobe &
                                ((request_words_q == 6'd1) ? trail_strobe : 8'hff);
  assign write_o.last_strobe  = trail_strobe;

  logic send_ready;

  rf_stream_buffer #(.DepthLog2(DepthLog2), .Register(1'b0)) u_buffer (
    .clk_i,
    .rst_ni,
    .flush_i        (1'b0),
    .write_i        (gather),
    .write_address_i(fill_q[DepthLog2-1:0]),
    .write_data_i   (data_i),
    .read_valid_i   (send_q != offered_q),
    .read_ready_o   (send_ready),
    .read_address_i (send_q[DepthLog2-1:0]),
    .read_last_i    (1'b0),
    .valid_o        (write_data_valid_o),
    .ready_i        (write_data_ready_i),
    .data_o         (write_data_o),
    /* verilator lint_off PINCONNECTEMPTY */
    .last_o         (),
    .busy_o         ()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) send_q <= '0;
    else if (send_q != offered_q && send_ready) send_q <= send_q + 1'b1;
  end

  // --- collect: what has been performed ---------------------------------------------

  logic       pending;                  // a write was accepted and is not performed
  logic [8:0] pending_bytes;

  rf_fifo #(.Width(9), .DepthLog2(4)) u_pending (
    .clk_i,
    .rst_ni,
    .valid_i(request_valid_q && write_ready_i),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .data_i ({request_words_q, 3'd0} - {6'd0, request_lead_q} - {6'd0, request_trail_q}),
    .valid_o(pending),
    .ready_i(write_done_i),
    .data_o (pending_bytes),
    .count_o(pending_count)
  );

  logic        good;
  logic        untouched_q;             // nothing of the range is performed
  logic [7:0]  first_q;                 // low bits of its address
  logic [1:0]  steps_back_q;            // steps back: of the failed write, of those behind it
  logic [2:0]  status_q;                // of the failure
  logic [1:0]  level_q;

  assign busy_o      = gathering_q || request_valid_q || pending || steps_back_q != '0;
  assign good        = write_done_status_i == rf_pkg::AccessStatusOk;
  assign performed_o = (write_done_i && good && !failed_o) ? pending_bytes : '0;

  // No step while words are gathered, which is for one cycle more.
  assign back = steps_back_q != '0 && !gathering_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      failed_o <= 1'b0;
      steps_back_q <= '0;
    end else begin
      if (start_i) failed_o <= 1'b0;
      else if (write_done_i && !good) failed_o <= 1'b1;
      steps_back_q <= steps_back_q + {1'b0, write_done_i && (failed_o || !good)} - {1'b0, back};
    end
  end

  always_ff @(posedge clk_i) begin
    untouched_q <= start_i || (untouched_q && !(write_done_i && good && !failed_o));
    if (start_i) first_q <= address_i[7:0];
    if (!failed_o) {status_q, level_q} <= {write_done_status_i, write_done_level_i};
  end

  assign failure_o.status  = status_q;
  assign failure_o.level   = level_q;
  assign failure_o.store   = 1'b1;
  assign failure_o.address = {beyond_q, address_q[39:8],
                              untouched_q ? first_q : {place & ~mask_q, 3'd0}};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (write_done_i) done_of_a_write: assert (pending);
      if (start_i) started_at_rest: assert (!busy_o);
      if (request_valid_q && write_ready_i) no_write_lost: assert (!pending_count[4]);
    end
  end
`endif

endmodule

`default_nettype wire
