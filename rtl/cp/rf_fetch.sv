// SPDX-License-Identifier: Apache-2.0
//
// Fetches for one node: ring entries, up to four at a time, and, ahead of the decoder, the words
// of the command buffers that they name, in eight chunks of 64 bytes with one read each. Its
// outputs are a stream of buffers and a stream of words.
//
// Promises: no entry at or beyond the write pointer, no word outside a buffer, no request across
// an aligned 64-byte line (so neither a page nor the smallest max read request); words in order,
// whatever the order of responses. The words of a buffer are fetched while earlier ones execute. A
// failed read is marked in the streams and takes effect when that place is reached. Words of the
// slot's last turn that are still here (kept_i) are not read again.
// Latency: the first ring read in the cycle of start_i, for one entry, if first_i says that there
// is one; the next, for all entries, at least four cycles later.

`default_nettype none

module rf_fetch (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        load_i,          // takes the read pointer; in the cycle before
  input  wire logic        start_i,         // this, only when drained; forgets all before
  input  wire logic        first_i,         // then, but a cycle before: fetches the first entry
  input  wire logic        resume_i,        // then: inside the buffer of the first entry,
  input  wire logic [60:0] position_i,      // there, in words
  input  wire logic [28:0] words_i,         // left of it,
  input  wire logic        many_i,          // 16 or more; else they are fewer than 32
  input  wire logic        issue_i,         // new reads may go out a cycle later; not with start_i
  output logic             drained_o,       // no read in flight
  input  wire rf_bus_pkg::kept_words_t kept_i, // of this slot; valid: with start_i
  output      rf_bus_pkg::fetched_words_t fetched_o, // of it since then, once drained

  // The slot; stable from start_i on, but for its write pointer.
  input  wire logic [12:0] read_pointer_i,  // with load_i
  input  wire logic [12:0] write_pointer_i,
  input  wire logic [3:0]  vmid_i,
  input  wire logic [63:4] ring_base_i,     // the ring lies in an aligned 64 KiB
  input  wire logic [11:0] ring_mask_i,

  output logic             read_valid_o,
  input  wire logic        read_ready_i,
  output      rf_bus_pkg::read_request_t read_o,
  input  wire logic        response_valid_i,  // to this master
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire rf_bus_pkg::read_response_t response_i, // its master is known
  /* verilator lint_on UNUSEDSIGNAL */

  output logic             buffer_valid_o,
  input  wire logic        buffer_look_i,   // only with this are they those of the buffer
  input  wire logic        buffer_ready_i,  // only with buffer_look_i
  output logic [63:0]      buffer_address_o,
  output      rf_bus_pkg::fetch_failure_t buffer_failure_o,
  output logic             buffer_more_o,   // it has words:
  output logic [28:0]      buffer_words_o,  // how many; means nothing if it failed

  output logic             word_valid_o,
  input  wire logic        word_ready_i,
  output logic [63:0]      word_o,
  output logic [1:0]       word_used_o,     // its upper, lower half is not 0
  output logic [4:0]       word_left_o,     // words behind it in its buffer, 16 or above: many
  output      rf_bus_pkg::fetch_failure_t word_failure_o,

  output logic [1:0]       reads_o          // events: one of commands, of the ring
);

  localparam logic [4:0] RingId = 5'd8; // chunk c has id c; from 16 on another's

  function automatic logic [7:0] queue_error(input logic [2:0] status);
    queue_error = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, status};
  endfunction

  // The first chunk of what is left from an address on, which ends with its line: is it the
  // last, and its words. many: 16 or more are left; else fewer than 32.
  function automatic logic [4:0] first_chunk(input logic [2:0] word, input logic many,
                                             input logic [4:0] left);
    logic [3:0] rest;
    rest        = 4'd8 - {1'b0, word};
    first_chunk = !many && !left[4] && left[3:0] <= rest ? {1'b1, left[3:0]} : {1'b0, rest};
  endfunction

  // --- ring reads -----------------------------------------------------------------
  logic [63:4] ring_va, ring_read_va_q;
  logic [12:0] fetch_q;                // next entry to fetch
  logic [12:0] write_pointer_q, ahead_q; // entries beyond it
  logic [2:0]  entries_q, entries_d;   // of them, how many the next read takes
  logic [1:0]  settled_q;              // cycles since fetch_q moved: ahead_q, entries_q hold
  logic        ring_next_q;            // so the next read is of the ring
  logic        ring_busy_q, ring_failed_q;
  logic [11:0] index;
  logic [1:0]  in_line;                // place of the entry in its 64 bytes
  logic [3:0]  until_line, until_end, until_write, together;
  logic        ring_go, ring_turn, room, advance, held_d, at_once;
  logic        free_q;                 // no request stands in the register
  logic        asks_q;                 // one does, or the first read of a start: for memory

  if (rf_pkg::RingBlockBytes != 1 << 16) begin : gen_check
    $error("a ring lies in a block of 64 KiB");
  end

  assign index       = fetch_q[11:0] & ring_mask_i;
  assign ring_va     = {ring_base_i[63:16], ring_base_i[15:4] + index}; // without a long carry
  // One bit per entry of the read, the first lowest: a minimum without carry chains.
  assign in_line[0]  = ring_base_i[4] ^ index[0];
  assign in_line[1]  = ring_base_i[5] ^ index[1] ^ (ring_base_i[4] && index[0]);
  assign until_line  = 4'hf >> in_line;
  assign until_end   = 4'hf >> ~(ring_mask_i[1:0] & ~index[1:0]);
  assign until_write = (ahead_q[12:2] != '0) ? 4'hf : ~(4'hf << ahead_q[1:0]);
  assign together    = until_line & until_end & until_write;

  always_comb begin
    entries_d[2] = together[3];
    entries_d[1] = together[1] && !together[3];
    entries_d[0] = (together[0] && !together[1]) || (together[2] && !together[3]);
    if (load_i) entries_d = 3'd1;
  end

  // Which of the two may read is known before whether it does: at a start the ring.
  assign ring_turn = start_i || ring_next_q;
  assign ring_go = at_once || (issue_i && ring_next_q && free_q);
  // A start steps over the first entry, also if its buffer was begun before.
  assign advance = start_i || ring_go;

  always_ff @(posedge clk_i) begin
    if (load_i) fetch_q <= read_pointer_i;
    else if (advance) fetch_q <= fetch_q + {10'd0, entries_q};
    if (advance) ring_read_va_q <= ring_va;
    write_pointer_q <= write_pointer_i;
    ahead_q         <= write_pointer_q - fetch_q;
    entries_q       <= entries_d;
    settled_q       <= advance ? '0 : {settled_q[0], 1'b1};
    ring_next_q     <= !advance && settled_q[1] && entries_q != '0 && !ring_busy_q &&
                       !ring_failed_q && room;
  end

  // --- ring responses -> entries ------------------------------------------------------
  logic        ring_response, ring_ok, entry_push, entry_bad, entry_failed, half_q;
  logic [2:0]  ring_words_q;              // words of this read received
  logic [63:0] first_word_q, entry_address;
  logic [3:0]  entry_error;
  logic [28:0] entry_words;            // of one that failed: why

  assign ring_response = response_valid_i && response_i.id == RingId;
  assign ring_ok     = response_i.status == rf_pkg::AccessStatusOk;
  assign entry_push  = ring_response && (!ring_ok || half_q);
  assign entry_bad   = first_word_q[2:0] != '0 || response_i.data[2:0] != '0 ||
                       response_i.data[63:32] != '0;
  assign entry_failed = !ring_ok || entry_bad;

  always_comb begin
    entry_error   = entry_bad ? rf_pkg::QueueErrorRingEntry[3:0] : '0;
    entry_address = first_word_q;
    if (!ring_ok) begin
      entry_error   = 4'(queue_error(response_i.status));
      entry_address = {ring_read_va_q[63:6], {ring_read_va_q[5:4], 1'b0} + ring_words_q, 3'b000};
    end
    entry_words = response_i.data[31:3];
    if (entry_failed) begin
      entry_words = {15'd0, entry_error, response_i.level, 5'd0, entry_address[2:0]};
    end
  end

  // Eight entries; the decoder and the chunk reads take them each in their time.
  logic [3:0]  entry_write_q, entry_decode_q, entry_chunk_q, decode_count, chunk_count;
  logic [2:0]  entry;
  logic        chunk_entry, chunk_take;
  assign decode_count   = entry_write_q - entry_decode_q;
  assign chunk_count    = entry_write_q - entry_chunk_q;
  assign room           = decode_count <= 4'd4 && chunk_count <= 4'd4;
  assign buffer_valid_o = entry_write_q != entry_decode_q;

  // The decoder looks when it wants a buffer, the chunk reads at other times, or at the
  // same entry.
  assign entry       = buffer_look_i ? entry_decode_q[2:0] : entry_chunk_q[2:0];
  assign chunk_entry = entry_write_q != entry_chunk_q &&
                       (!buffer_look_i || entry_decode_q == entry_chunk_q);

  // The first chunk of each is worked out before it is kept: none of a buffer without words.
  logic [63:3] buffer_place;
  logic [4:0]  entry_first, buffer_first;
  logic        buffer_failed;
  assign entry_first = first_chunk(first_word_q[5:3], response_i.data[31:8] != '0,
                                   response_i.data[7:3]);
  rf_lutram #(.Width(1 + 61 + 29 + 5), .DepthLog2(3)) u_entries (
    .clk_i, .write_i(entry_push), .write_address_i(entry_write_q[2:0]),
    .write_data_i({entry_failed, entry_address[63:3], entry_words, entry_first}),
    .read_address_i(entry),
    .read_data_o({buffer_failed, buffer_place, buffer_words_o, buffer_first})
  );
  assign buffer_more_o    = !buffer_failed && buffer_first[3:0] != '0;
  assign buffer_address_o = {buffer_place, buffer_failed ? buffer_words_o[2:0] : 3'd0};
  always_comb begin
    buffer_failure_o.failed = buffer_failed;
    buffer_failure_o.error  = buffer_failed ? {4'd0, buffer_words_o[13:10]} : '0;
    buffer_failure_o.level  = buffer_words_o[9:8];
  end

  always_ff @(posedge clk_i) begin
    if (ring_response && !half_q) first_word_q <= response_i.data;
  end

  // --- chunk reads --------------------------------------------------------------------
  logic [60:0] address_q;
  logic [28:0] left_q;
  logic [3:0]  tail_q;
  logic [3:0]  used_q;
  logic        more_q;                 // left_q is not 0
  logic [3:0]  length_q;               // words of the next chunk,
  logic        last_q;                 // the last one
  logic        behind_last, chunk_go, chunk_read, chunk_free;
  logic        reuse_q, reuse;         // chunks up to kept_i.behind are here from an earlier
                                       // turn: so is the next one

  // The one behind another starts a line.
  assign behind_last = left_q[28:5] == '0 && left_q[4:0] <= {1'b0, length_q} + 5'd8;
  assign chunk_go    = issue_i && !ring_next_q && more_q && !used_q[3] && free_q;
  assign chunk_take  = !more_q && chunk_entry;
  assign reuse       = reuse_q && tail_q != kept_i.behind;
  assign chunk_read  = chunk_go && !reuse;

  always_ff @(posedge clk_i) begin
    if (start_i) address_q <= position_i;
    else if (chunk_go) address_q <= {address_q[60:37], address_q[36:3] + 34'd1, 3'd0};
    else if (chunk_take) address_q <= buffer_address_o[63:3];

    if (start_i) begin
      {last_q, length_q} <= first_chunk(position_i[2:0], many_i, words_i[4:0]);
    end else if (chunk_go) begin
      {last_q, length_q} <= behind_last ? {1'b1, left_q[3:0] - length_q} : {1'b0, 4'd8};
    end else if (chunk_take) begin
      {last_q, length_q} <= buffer_first;
    end
  end

  // --- the request port -----------------------------------------------------------------
  rf_bus_pkg::read_request_t ring_request, chunk_request, request, request_q;
  always_comb begin
    ring_request.vmid   = vmid_i;
    ring_request.va     = {ring_va, 4'd0};
    ring_request.words  = {3'd0, entries_q, 1'b0};
    ring_request.id     = RingId;
    chunk_request.vmid  = vmid_i;
    chunk_request.va    = {address_q, 3'd0};
    chunk_request.words = {3'd0, length_q};
    chunk_request.id    = {2'd0, tail_q[2:0]};
    request             = ring_turn ? ring_request : chunk_request;
  end

  // The first read of a start goes at once, the others come out of a register. Whether there
  // is one is known before: from here it is far to memory.
  assign at_once      = asks_q && free_q;
  assign read_valid_o = asks_q;
  assign read_o       = free_q ? ring_request : request_q;
  assign held_d       = read_valid_o ? !read_ready_i : ring_go || chunk_read;
  always_ff @(posedge clk_i) if (free_q) request_q <= request;

  logic [3:0] in_flight_q;
  logic       answered;
  assign answered  = response_valid_i && response_i.last && !response_i.id[4];

  // --- chunk responses --------------------------------------------------------------------
  // Each word has its place in its line. How far a chunk is here is counted in a memory, from
  // its first response on; of one that is here from before, at once: no response is awaited then.
  logic        chunk_response, chunk_word;
  logic [2:0]  chunk, first;
  logic [3:0]  head_q, head_next;
  logic [3:0]  count, received, received_next, head_received, next_received;
  logic [2:0]  count_place;
  logic        count_write;
  logic [7:0]  begun_q, failed_q;
  assign chunk        = response_i.id[2:0];
  assign chunk_response = response_valid_i && response_i.id[4:3] == 2'b00;
  assign chunk_word   = chunk_response && response_i.status == rf_pkg::AccessStatusOk;

  // No response is of the chunk that is asked for in its cycle. By bits, which have enables of
  // their own.
  always_ff @(posedge clk_i) begin
    if (chunk_go || chunk_response) begin
      for (int unsigned c = 0; c < 8; c++) begin
        if (chunk_go && tail_q[2:0] == c[2:0]) {begun_q[c], failed_q[c]} <= {reuse, 1'b0};
        else if (chunk_response && chunk == c[2:0]) begin
          if (chunk_word) begun_q[c] <= 1'b1;
          else failed_q[c] <= 1'b1;
        end
      end
    end
  end

  assign received      = begun_q[chunk] ? count : {1'b0, first};
  assign count_write   = chunk_word || (chunk_go && reuse);
  assign count_place   = reuse_q ? tail_q[2:0] : chunk;
  assign received_next = reuse_q ? 4'd8 : received + 4'd1;

  rf_lutram #(.Width(3), .DepthLog2(3)) u_first (
    .clk_i, .write_i(chunk_go), .write_address_i(tail_q[2:0]), .write_data_i(address_q[2:0]),
    .read_address_i(chunk), .read_data_o(first)
  );
  rf_lutram #(.Width(4), .DepthLog2(3)) u_count (
    .clk_i, .write_i(count_write), .write_address_i(count_place), .write_data_i(received_next),
    .read_address_i(chunk), .read_data_o(count)
  );
  rf_lutram #(.Width(4), .DepthLog2(3)) u_count_head (
    .clk_i, .write_i(count_write), .write_address_i(count_place), .write_data_i(received_next),
    .read_address_i(head_q[2:0]), .read_data_o(head_received)
  );
  rf_lutram #(.Width(4), .DepthLog2(3)) u_count_next (
    .clk_i, .write_i(count_write), .write_address_i(count_place), .write_data_i(received_next),
    .read_address_i(head_next[2:0]), .read_data_o(next_received)
  );

  // --- the stream of words ---------------------------------------------------------------
  // How far the chunk at the head is here is known one cycle late.
  logic [3:0] place, place_q, head_received_q, head_end;
  logic [2:0] head_first, went_first_q;
  logic       head_begun_q, fresh_q;    // something of it is here; nothing of it was loaded
  logic       word_here, failure_here, load;
  logic [4:0] chunk_failure;
  logic       many, went_q;
  logic [2:0] went_chunk_q;
  logic [3:0] left_behind, left_here;   // behind the chunk, behind the word in its chunk
  logic [4:0] word_left;
  logic       reached;                  // all that is here of the chunk was loaded
  assign place         = fresh_q ? {1'b0, head_first} : place_q;
  assign reached       = !head_begun_q || head_received_q == place;
  assign word_here     = used_q != '0 && !reached;
  assign failure_here  = used_q != '0 && reached && failed_q[head_q[2:0]];
  assign load          = (word_here || failure_here) && (!word_valid_o || word_ready_i);
  assign chunk_free    = load && word_here && place + 4'd1 == head_end;

  // Written a cycle late, from near by; a word is read two cycles after it came at the earliest.
  logic        write_q;
  logic [6:0]  write_place_q;
  logic [63:0] write_word_q;
  always_ff @(posedge clk_i) begin
    write_q       <= chunk_word;
    write_place_q <= {head_q[3] ^ (chunk < head_q[2:0]), chunk, received[2:0]};
    write_word_q  <= response_i.data;
  end

  // The decoder has no time to see whether a word that comes out of here is 0.
  logic [5:0] unused_word;
  rf_ram #(.Width(72), .DepthLog2(9), .Lane(72)) u_words (
    .clk_i, .write_i(write_q), .write_address_i({slot_place_q, write_place_q}),
    .write_data_i({6'd0, write_word_q[63:32] != '0, write_word_q[31:0] != '0, write_word_q}),
    .write_strobe_i(1'b1),
    .read_i(load), .read_address_i({slot_place_q, head_q, place[2:0]}),
    .read_data_o({unused_word, word_used_o, word_o})
  );
  rf_lutram #(.Width(4), .DepthLog2(3)) u_end (
    .clk_i, .write_i(chunk_go), .write_address_i(tail_q[2:0]),
    .write_data_i({1'b0, address_q[2:0]} + length_q), .read_address_i(head_q[2:0]),
    .read_data_o(head_end)
  );
  rf_lutram #(.Width(5), .DepthLog2(3)) u_failure (
    .clk_i, .write_i(chunk_response && !chunk_word), .write_address_i(chunk),
    .write_data_i({response_i.level, response_i.status}), .read_address_i(head_q[2:0]),
    .read_data_o(chunk_failure)
  );

  // What is left behind a chunk is known when it is on its way.
  rf_lutram #(.Width(3 + 5), .DepthLog2(3)) u_left (
    .clk_i, .write_i(went_q), .write_address_i(went_chunk_q),
    .write_data_i({went_first_q, more_q ? {left_q[28:4] != '0, left_q[3:0]} : 5'd0}),
    .read_address_i(head_q[2:0]), .read_data_o({head_first, many, left_behind})
  );
  assign left_here = head_end + ~place;
  assign word_left = {1'b0, left_behind} + {1'b0, left_here};

  assign head_next = head_q + 4'd1;
  always_ff @(posedge clk_i) begin
    head_received_q <= chunk_free ? next_received : head_received;
    head_begun_q    <= chunk_free ? begun_q[head_next[2:0]] : begun_q[head_q[2:0]];
    // Its next use has not begun.
    if (used_q == '0 || (used_q == 4'd1 && chunk_free)) head_begun_q <= 1'b0;
    went_chunk_q <= tail_q[2:0];
    went_first_q <= address_q[2:0];
    if (load) begin
      word_left_o    <= {many || word_left[4], word_left[3:0]};
      word_failure_o <= {failure_here, queue_error(chunk_failure[2:0]), chunk_failure[4:3]};
    end
  end

  // --- words of earlier turns -----------------------------------------------------------------
  // The memory has 16 chunks of four slots each. At most eight chunks are used, so the eight
  // before the one at the head stand as well, and the packet to go on with begins in one of
  // these: the decoder and the engine are less than seven lines ahead of it.
  logic [3:0] shift_q, shift, begin_chunk;
  logic [1:0] slot_place_q;
  logic       last_loaded_q;           // of its chunk: so is the word on offer
  assign shift       = kept_i.valid ? kept_i.shift : '0;
  assign begin_chunk = position_i[6:3] + shift;
  always_comb begin
    fetched_o.failed = chunk_response && !chunk_word;
    fetched_o.behind = reuse_q ? kept_i.behind : tail_q;
    fetched_o.shift  = shift_q;
  end
  always_ff @(posedge clk_i) begin
    if (load) last_loaded_q <= chunk_free;
    if (start_i) slot_place_q <= kept_i.place;
    // The first word of a buffer is the next one that the decoder takes.
    if (start_i) shift_q <= shift;
    else if (buffer_valid_o && buffer_ready_i) begin
      shift_q <= head_q - buffer_place[9:6] - {3'd0, word_valid_o && last_loaded_q};
    end
  end

  // --- control state ------------------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_busy_q    <= 1'b0;
      ring_failed_q  <= 1'b0;
      ring_words_q   <= '0;
      half_q         <= 1'b0;
      asks_q         <= 1'b0;
      free_q         <= 1'b1;
      went_q         <= 1'b0;
      in_flight_q    <= '0;
      drained_o      <= 1'b1;
      entry_write_q  <= '0;
      entry_decode_q <= '0;
      entry_chunk_q  <= '0;
      left_q         <= '0;
      more_q         <= 1'b0;
      head_q         <= '0;
      tail_q         <= '0;
      reuse_q        <= 1'b0;
      used_q         <= '0;
      place_q        <= '0;
      fresh_q        <= 1'b1;
      word_valid_o   <= 1'b0;
    end else begin
      asks_q      <= held_d || first_i;
      free_q      <= !held_d;
      went_q      <= chunk_go;
      in_flight_q <= in_flight_q + {3'd0, ring_go || chunk_read} - {3'd0, answered};
      drained_o   <= !ring_go && !chunk_read &&
                     (in_flight_q == '0 || (in_flight_q == 4'd1 && answered));

      if (ring_go) begin
        ring_busy_q  <= 1'b1;
        ring_words_q <= '0;
        half_q       <= 1'b0;
      end else if (ring_response) begin
        ring_busy_q  <= !response_i.last;
        ring_words_q <= ring_words_q + 3'd1;
        half_q       <= !half_q;
      end

      if (start_i) begin
        ring_failed_q  <= 1'b0;
        entry_write_q  <= '0;
        entry_decode_q <= '0;
        entry_chunk_q  <= '0;
        left_q         <= words_i;
        more_q         <= resume_i && (many_i || words_i[4:0] != '0);
        head_q         <= begin_chunk;
        tail_q         <= begin_chunk;
        reuse_q        <= resume_i && kept_i.valid;
        used_q         <= '0;
        fresh_q        <= 1'b1;
        word_valid_o   <= 1'b0;
      end else begin
        if (entry_push) entry_write_q <= entry_write_q + 4'd1;
        if (ring_response && !ring_ok) ring_failed_q <= 1'b1;
        if (buffer_valid_o && buffer_ready_i) entry_decode_q <= entry_decode_q + 4'd1;
        if (chunk_take) begin
          entry_chunk_q <= entry_chunk_q + 4'd1;
          left_q        <= buffer_words_o;
          more_q        <= buffer_more_o;
        end else if (chunk_go) begin
          left_q <= left_q - {25'd0, length_q};
          more_q <= !last_q;
        end
        if (chunk_go) tail_q <= tail_q + 4'd1;
        // Of the buffer of the position alone.
        if (chunk_take || chunk_read) reuse_q <= 1'b0;
        if (chunk_free) head_q <= head_next;
        used_q <= used_q + {3'd0, chunk_go} - {3'd0, chunk_free};
        if (chunk_free) fresh_q <= 1'b1;
        else if (load && word_here) begin
          fresh_q <= 1'b0;
          place_q <= place + 4'd1;
        end
        word_valid_o <= load || (word_valid_o && !word_ready_i);
      end
    end
  end

  assign reads_o = {chunk_read, ring_go};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::ReadRequestWidth)) read_stays (
    .clk_i, .rst_ni, .valid_i(read_valid_o), .ready_i(read_ready_i), .data_i(read_o)
  );
  rf_offer_check #(.Width(65)) word_stays (
    .clk_i, .rst_ni, .valid_i(word_valid_o), .ready_i(word_ready_i || start_i),
    .data_i({word_failure_o.failed, word_o})
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (start_i && resume_i)
        many_are_many: assert (many_i ? words_i >= 29'd16 : words_i < 29'd32);
      no_chunk_too_many: assert (used_q <= 4'd8);
      none_awaited_again: assert (!reuse_q || start_i || !chunk_response);
      no_entry_too_many: assert (decode_count <= 4'd8 && chunk_count <= 4'd8);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
