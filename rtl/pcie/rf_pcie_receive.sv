// SPDX-License-Identifier: Apache-2.0
//
// Receive side: stores each TLP, checks it when its last beat has arrived, and passes it on.
// Writes and completions leave a queue in one order, each only when it is complete and valid.
// Requests that need a completion wait in a queue of their own, which the others pass; one is
// shown only when everything received before it has left the ordered queue. A malformed TLP, or a
// poisoned write, is dropped and reported; one that the link layer found bad is dropped without an
// event. Messages have no effect but Set_Slot_Power_Limit. TD (a digest, which is taken off before)
// is ignored.
// Promises: nothing here waits for the transmit side, except TLPs after a ninth waiting request,
// which a link partner that honours 8 non-posted credits never sends. A beat that was accepted
// never waits.
// Latency: two cycles from the last beat to write_valid_o, completion_valid_o.

`default_nettype none

module rf_pcie_receive #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [63:0]  rx_tlp_data_i,
  input  wire logic [1:0]   rx_tlp_strb_i,
  input  wire logic [127:0] rx_tlp_hdr_i,
  input  wire logic         rx_tlp_error_i,
  input  wire logic         rx_tlp_valid_i,
  input  wire logic         rx_tlp_sop_i,
  input  wire logic         rx_tlp_eop_i,
  output logic              rx_tlp_ready_o,

  // from configuration space
  input  wire logic         memory_enable_i,
  input  wire logic [63:17] bar0_i,
  input  wire logic [63:12] bar2_i,
  input  wire logic [31:12] bar4_i,
  input  wire logic [6:0]   max_payload_dwords_i,
  input  wire logic [15:0]  function_id_i,

  // writes, in order with completions
  output logic              write_valid_o,
  input  wire logic         write_ready_i,       // the whole TLP is used up
  output rf_bus_pkg::received_write_t write_o,

  output logic              completion_valid_o,
  input  wire logic         completion_ready_i,  // the whole TLP is used up
  output rf_bus_pkg::received_completion_t completion_o,

  // payload of the TLP shown above, two DWs at a time
  output logic [63:0]       payload_o,
  input  wire logic         payload_ready_i,

  // requests that need a response
  output logic              request_valid_o,
  input  wire logic         request_ready_i,
  output rf_bus_pkg::received_request_t request_o,

  output logic              event_write_o,
  output logic [6:0]        event_write_dwords_o,
  output logic              event_read_o,
  output logic              event_completion_o,
  output logic [6:0]        event_completion_dwords_o,
  output logic              event_malformed_o,
  output logic              event_unsupported_o,
  output logic              event_posted_unsupported_o,
  output logic              event_poisoned_o,
  output logic              event_poisoned_write_o, // or message
  output rf_bus_pkg::slot_power_t slot_power_o,
  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end

  localparam int unsigned LocalLog2 = LocalMemoryLog2 < 12 ? 12 : LocalMemoryLog2;
  // Two TLPs of the largest payload: one comes in while the other goes out.
  localparam int unsigned BufferLog2 = 6;
  localparam logic [6:0]  BeatsMax = 7'd32;

  // --- the header as it arrives ------------------------------------------------------
  localparam logic [4:0] FetchAdd = 5'b01100, Swap = 5'b01101, CompareSwap = 5'b01110;

  logic [4:0]   in_kind;
  logic [9:0]   in_length;
  logic [3:0]   in_first_be, in_last_be;
  logic         in_has_data, in_four_dw;
  logic [63:2]  in_address;
  logic         memory, locked, io, config_type0, config_type1, message, atomic;
  logic         completion, locked_completion;

  assign in_has_data = rx_tlp_hdr_i[126];
  assign in_four_dw  = rx_tlp_hdr_i[125];
  assign in_kind     = rx_tlp_hdr_i[127] ? 5'h1f : rx_tlp_hdr_i[124:120]; // prefix: no such kind
  assign in_length   = rx_tlp_hdr_i[105:96];
  assign in_last_be  = rx_tlp_hdr_i[71:68];
  assign in_first_be = rx_tlp_hdr_i[67:64];
  assign in_address  = in_four_dw ? rx_tlp_hdr_i[63:2] : {32'b0, rx_tlp_hdr_i[63:34]};

  assign memory       = in_kind == 5'b00000;
  assign locked       = in_kind == 5'b00001 && !in_has_data;
  assign io           = in_kind == 5'b00010 && !in_four_dw;
  assign config_type0 = in_kind == 5'b00100 && !in_four_dw;
  assign config_type1 = in_kind == 5'b00101 && !in_four_dw;
  assign completion   = in_kind == 5'b01010 && !in_four_dw;
  assign locked_completion = in_kind == 5'b01011 && !in_four_dw;
  assign message      = in_kind[4:3] == 2'b10 && in_four_dw;
  assign atomic       = in_has_data &&
                        (in_kind == FetchAdd || in_kind == Swap || in_kind == CompareSwap);

  // Is it well formed, as far as the header tells?
  logic [10:0] last_dword; // DW index behind the last, in the page of the first
  logic        crosses, byte_enables_bad, too_long, header_good;

  assign last_dword = {1'b0, in_address[11:2]} + {in_length == '0, in_length};
  assign crosses    = last_dword > 11'd1024;
  assign byte_enables_bad = (in_length == 10'd1) ? in_last_be != '0
                                                 : (in_first_be == '0 || in_last_be == '0);
  assign too_long   = in_has_data &&
                      (in_length == '0 || in_length > {3'b0, max_payload_dwords_i});

  // Messages (2.2.8): those that an endpoint takes, or ignores; another one, as Vendor_Defined Type
  // 0, is an unsupported request. Of all classes but vendors' and ATS' the traffic class is 0.
  localparam logic [7:0] Unlock = 8'h00, ActiveStateNak = 8'h14, TurnOff = 8'h19;
  localparam logic [7:0] SlotPowerLimit = 8'h50, VendorType1 = 8'h7f;
  logic [7:0] code;
  logic       message_known, message_class_0, slot_power, message_good;

  assign code            = rx_tlp_hdr_i[71:64];
  assign slot_power      = code == SlotPowerLimit;
  assign message_known   = code == Unlock || code == ActiveStateNak || code == TurnOff ||
                           (code[7:4] == 4'h4 && !code[3] && code[1:0] != 2'b10) ||
                           code == 8'h48 || slot_power || code == VendorType1;
  assign message_class_0 = code == Unlock || slot_power ||
                           (code[7:6] == 2'b00 && code[5:4] != 2'b00);
  assign message_good    = (!message_class_0 || rx_tlp_hdr_i[118:116] == '0) &&
                           (!slot_power || (in_has_data && in_length == 10'd1));

  always_comb begin
    header_good = !too_long;
    if (memory || locked) begin
      if (crosses || byte_enables_bad) header_good = 1'b0;
    end else if (io || config_type0 || config_type1) begin
      if (in_length != 10'd1 || in_last_be != '0) header_good = 1'b0;
    end else if (message) begin
      if (!message_good) header_good = 1'b0;
    end else if (!(atomic || completion || locked_completion)) begin
      header_good = 1'b0;
    end
  end

  // --- does its payload agree ----------------------------------------------------------
  logic       beat, room_q;          // registered, so a beat or two early
  logic       in_tlp_q, short_q;     // a beat before the last had a hole
  logic [5:0] beats_q, beats_before; // beats before this one, saturating
  logic       framed, short_before, payload_good, stored;

  assign rx_tlp_ready_o = room_q;
  assign beat           = rx_tlp_valid_i && room_q;
  assign framed         = rx_tlp_sop_i || in_tlp_q;
  assign beats_before   = rx_tlp_sop_i ? '0 : beats_q;
  assign short_before   = !rx_tlp_sop_i && short_q;
  assign stored         = in_has_data && (memory || completion || locked_completion) &&
                          {1'b0, beats_before} < BeatsMax;

  always_comb begin
    if (in_has_data) begin
      payload_good = !short_before && rx_tlp_strb_i[0] && rx_tlp_strb_i[1] == !in_length[0] &&
                     {1'b0, beats_before} == (in_length[6:0] - 7'd1) >> 1;
    end else begin
      payload_good = rx_tlp_sop_i && rx_tlp_strb_i == 2'b00;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_tlp_q <= 1'b0;
    else if (beat) in_tlp_q <= framed && !rx_tlp_eop_i;
  end

  always_ff @(posedge clk_i) begin
    if (beat) begin
      beats_q <= (beats_before == '1) ? '1 : beats_before + 6'd1;
      short_q <= short_before || rx_tlp_strb_i != 2'b11;
    end
  end

  // --- one registered beat, with what is known of its TLP --------------------------------
  logic         beat_valid_q, sop_q, last_q, store_q;
  logic         header_good_q, payload_good_q, well_formed;
  logic         nullified_q;    // by the link layer
  logic [63:0]  data_q;
  logic [31:0]  dw1_q;
  logic [31:0]  dw2_q;          // third DW, or the low half of a 64-bit address
  logic [9:0]   length_q;
  logic [6:0]   dwords_q;       // from the start of the first word
  logic [2:0]   class_q, attributes_q;
  logic         has_data_q, poisoned_q, ours_q;
  logic         memory_q, locked_q, config_type0_q, completion_q, message_q, non_posted_q;
  logic         hit0_q, hit2_q, hit4_q;
  logic         message_known_q, slot_power_q;

  assign well_formed = header_good_q && payload_good_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_valid_q <= 1'b0;
      last_q       <= 1'b0;
      store_q      <= 1'b0;
    end else begin
      beat_valid_q <= beat;
      last_q       <= beat && framed && rx_tlp_eop_i;
      store_q      <= beat && framed && stored;
    end
  end

  always_ff @(posedge clk_i) begin
    data_q         <= rx_tlp_data_i;
    sop_q          <= rx_tlp_sop_i;
    dw1_q          <= rx_tlp_hdr_i[95:64];
    dw2_q          <= in_four_dw ? rx_tlp_hdr_i[31:0] : rx_tlp_hdr_i[63:32];
    // A compare-and-swap carries two operands.
    length_q       <= in_kind == CompareSwap ? {1'b0, in_length[9:1]} : in_length;
    // The odd DW before a write's address counts too: it is in the first word.
    dwords_q       <= in_has_data ? in_length[6:0] + {6'b0, memory && in_address[2]} : 7'd0;
    class_q        <= rx_tlp_hdr_i[118:116];
    attributes_q   <= {rx_tlp_hdr_i[114], rx_tlp_hdr_i[109:108]};
    has_data_q     <= in_has_data;
    poisoned_q     <= in_has_data && rx_tlp_hdr_i[110];
    header_good_q  <= header_good;
    payload_good_q <= payload_good && !rx_tlp_error_i;
    nullified_q    <= rx_tlp_error_i;
    memory_q       <= memory;
    locked_q       <= locked;
    config_type0_q <= config_type0;
    completion_q   <= completion || locked_completion;
    message_q      <= message;
    slot_power_q   <= message && slot_power;
    message_known_q <= message_known;
    non_posted_q   <= (memory && !in_has_data) || locked || io || config_type0 ||
                      config_type1 || atomic;
    // A completion belongs to us when it names this function as the requester.
    ours_q         <= completion && rx_tlp_hdr_i[63:48] == function_id_i;
    hit0_q         <= memory_enable_i && in_address[63:17] == bar0_i;
    hit2_q         <= memory_enable_i && in_address[63:LocalLog2] == bar2_i[63:LocalLog2];
    hit4_q         <= memory_enable_i && in_address[63:12] == {32'b0, bar4_i};
  end

  // --- where it goes ----------------------------------------------------------------
  logic       hit, accepted, memory_read, memory_write;
  logic [1:0] bar;

  assign hit  = hit0_q || hit2_q || hit4_q;
  assign bar  = hit0_q ? 2'd0 : hit2_q ? 2'd1 : 2'd2;
  assign memory_read  = memory_q && !has_data_q;
  assign memory_write = memory_q && has_data_q;

  // Doorbells are told from registers here, where there is time for it.
  localparam logic [16:12] DoorbellPage = rf_pkg::DoorbellBase[16:12];
  logic         doorbell, ring;
  logic [16:12] page;
  assign doorbell = hit0_q && dw2_q[16:12] >= DoorbellPage;
  assign page     = dw2_q[16:12] - DoorbellPage;
  assign ring     = doorbell && length_q == 10'd2 && dw1_q[7:0] == '1 && dw2_q[11:2] == '0;

  logic push_write, push_completion, push_request, supported;

  assign accepted        = last_q && well_formed;
  // A write of no byte is legal and does nothing; behind here every word has one. So does
  // one behind the last doorbell.
  assign push_write      = memory_write && !poisoned_q && hit && dw1_q[3:0] != '0 &&
                           !(doorbell && page[16]);
  assign push_completion = completion_q;
  assign push_request    = non_posted_q;
  assign supported       = (memory_read && hit) ||
                           (config_type0_q && !poisoned_q && dw2_q[18:16] == 3'd0);

  assign event_write_o              = accepted && memory_write && !poisoned_q && hit;
  assign event_write_dwords_o        = length_q[6:0];
  assign event_read_o               = accepted && memory_read;
  assign event_completion_o         = accepted && push_completion;
  assign event_completion_dwords_o   = has_data_q ? length_q[6:0] : '0;
  assign event_malformed_o          = last_q && !well_formed && !nullified_q;
  assign event_posted_unsupported_o = accepted && ((memory_write && !poisoned_q && !hit) ||
                                                   (message_q && !message_known_q));
  assign event_poisoned_write_o     = accepted && poisoned_q && (memory_write || slot_power_q);
  assign event_unsupported_o        = event_posted_unsupported_o || event_poisoned_write_o ||
                                      (accepted && non_posted_q && !supported);
  assign event_poisoned_o           = accepted && poisoned_q && (!message_q || slot_power_q);
  assign slot_power_o.valid         = accepted && slot_power_q && !poisoned_q;
  assign slot_power_o.scale         = data_q[9:8];
  assign slot_power_o.value         = data_q[7:0];

  // --- payload buffer: written as it comes, taken back if the TLP is dropped ---------
  // The word that is next is in a register: half the device looks at it. The one behind it is read
  // a cycle ahead; if it was written in that very cycle, it is the beat of the cycle before.
  logic [BufferLog2:0] commit_q, write_q, write_index, read_q, read_d, behind, held;
  logic [BufferLog2-1:0] before_index_q;
  logic                before_q, comes_here, comes_behind;
  logic [63:0]         before_data_q, stored_word, payload_q, word_behind;

  assign write_index  = sop_q ? commit_q : write_q;
  assign held         = write_q - read_q;
  assign behind       = read_q + 1'b1;
  assign read_d       = payload_ready_i ? behind : read_q;
  assign comes_here   = write_index[BufferLog2-1:0] == read_q[BufferLog2-1:0];
  assign comes_behind = write_index[BufferLog2-1:0] == behind[BufferLog2-1:0];
  assign word_behind  = before_q && before_index_q == behind[BufferLog2-1:0] ? before_data_q
                                                                             : stored_word;
  assign payload_o    = payload_q;

  rf_ram #(.Width(64), .DepthLog2(BufferLog2), .Lane(64)) u_payload (
    .clk_i           (clk_i),
    .write_i         (beat_valid_q), // the slot is free, whatever the beat turns out to be
    .write_address_i (write_index[BufferLog2-1:0]),
    .write_data_i    (data_q),
    .write_strobe_i  (1'b1),
    .read_i          (1'b1),
    .read_address_i  (read_d[BufferLog2-1:0] + 1'b1),
    .read_data_o     (stored_word)
  );

  always_ff @(posedge clk_i) begin
    before_q       <= beat_valid_q;
    before_index_q <= write_index[BufferLog2-1:0];
    before_data_q  <= data_q;
    if (beat_valid_q && (payload_ready_i ? comes_behind : comes_here)) payload_q <= data_q;
    else if (payload_ready_i) payload_q <= word_behind;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      commit_q <= '0;
      write_q  <= '0;
      read_q   <= '0;
    end else begin
      if (beat_valid_q) write_q <= write_index + {{BufferLog2{1'b0}}, store_q};
      if (accepted && has_data_q && (push_write || push_completion)) begin
        commit_q <= write_index + {{BufferLog2{1'b0}}, store_q};
      end
      read_q <= read_d;
    end
  end

  // --- the ordered queue ---------------------------------------------------------------
  // A request leaves a marker here; when it comes to the head, everything before
  // it is performed and one more waiting request may be executed.
  localparam logic [1:0] OrderedWrite = 2'd0;
  localparam logic [1:0] OrderedCompletion = 2'd1;
  localparam logic [1:0] OrderedMarker = 2'd2;
  localparam int unsigned EntryWidth = 2 + 1 + 30 + 7 + 4 + 4;
  localparam int unsigned OrderedWidth = 2 + EntryWidth;

  logic [1:0]              ordered_kind, ordered_kind_out;
  logic [EntryWidth-1:0]   entry, entry_out; // received_write_t, or received_completion_t
  logic                    ordered_valid, ordered_pop, marker;
  logic [4:0]              ordered_count;
  rf_bus_pkg::received_write_t      write;
  rf_bus_pkg::received_completion_t ended;

  always_comb begin
    write.target   = doorbell ? 2'd3 : bar;
    write.ring     = ring;
    write.address  = {dw2_q[31:17], doorbell ? {1'b0, page[15:12]} : dw2_q[16:12], dw2_q[11:2]};
    write.left     = dwords_q;
    write.first_be = dw1_q[3:0];
    write.last_be  = dw1_q[7:4];
  end
  always_comb begin
    ended.ours          = ours_q;
    ended.tag           = dw2_q[15:8];
    ended.status        = dw1_q[15:13];
    ended.poisoned      = poisoned_q;
    ended.dwords        = dwords_q;
    ended.byte_count    = dw1_q[11:0];
    ended.lower_address = dw2_q[6:0];
  end

  assign ordered_kind = push_completion ? OrderedCompletion
                                        : non_posted_q ? OrderedMarker : OrderedWrite;
  assign entry        = push_completion ? {9'd0, ended} : write;

  rf_pcie_queue #(.Width(OrderedWidth), .DepthLog2(4)) u_ordered (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (accepted && (push_write || push_completion || push_request)),
    .data_i  ({ordered_kind, entry}),
    .valid_o (ordered_valid),
    .ready_i (ordered_pop),
    .data_o  ({ordered_kind_out, entry_out}),
    .count_o (ordered_count)
  );

  assign write_o            = entry_out;
  assign completion_o       = entry_out[38:0];
  assign write_valid_o      = ordered_valid && ordered_kind_out == OrderedWrite;
  assign completion_valid_o = ordered_valid && ordered_kind_out == OrderedCompletion;
  assign marker             = ordered_valid && ordered_kind_out == OrderedMarker;
  assign ordered_pop        = marker || (write_valid_o && write_ready_i) ||
                              (completion_valid_o && completion_ready_i);

  // --- the queue of requests ---------------------------------------------------------
  localparam int unsigned RequestWidth = 16 + 8 + 3 + 3 + 4 + 2 + 30 + 10 + 8 + 32;
  logic [RequestWidth-1:0] request_out;
  logic                    request_waiting, request_done;
  logic                    unused_request_ready;
  logic [4:0]              request_count;
  logic [3:0]              requests_q, allowed_q;

  // None is executed before its marker was at the head.
  rf_fifo #(.Width(RequestWidth), .DepthLog2(4)) u_requests (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (accepted && push_request),
    .ready_o (unused_request_ready), // room_q
    .data_i  ({dw1_q[31:16], dw1_q[15:8], class_q, attributes_q,
               supported, memory_read || locked_q, locked_q, config_type0_q && has_data_q,
               bar, dw2_q[31:2], length_q, dw1_q[3:0], dw1_q[7:4], data_q[31:0]}),
    .valid_o (request_waiting),
    .ready_i (request_done),
    .data_o  (request_out),
    .count_o (request_count)
  );

  assign request_o       = request_out;
  assign request_valid_o = request_waiting && allowed_q != '0;
  assign request_done    = request_valid_o && request_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      allowed_q  <= '0;
      requests_q <= '0;
      room_q     <= 1'b1;
    end else begin
      allowed_q  <= allowed_q + {3'b0, marker} - {3'b0, request_done};
      requests_q <= requests_q + {3'b0, accepted && push_request} - {3'b0, request_done};
      // Three more beats may come before this is heeded.
      room_q     <= held < {1'b1, {BufferLog2{1'b0}}} - 7'd2 && ordered_count < 5'd14 &&
                    requests_q <= 4'd8;
    end
  end

  // Reserved or never looked at.
  logic unused;
  assign unused = ^{rx_tlp_hdr_i[119], rx_tlp_hdr_i[111], rx_tlp_hdr_i[115], rx_tlp_hdr_i[113:112],
                    rx_tlp_hdr_i[107:106], dw2_q[7], bar2_i, request_count};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays, and nothing is received for which there is no place.
  rf_offer_check #(.Width(RequestWidth)) offered_request_stays (
    .clk_i, .rst_ni, .valid_i(request_valid_o), .ready_i(request_ready_i), .data_i(request_out)
  );
  rf_offer_check #(.Width(EntryWidth)) offered_write_stays (
    .clk_i, .rst_ni, .valid_i(write_valid_o || completion_valid_o),
    .ready_i(!(write_valid_o && !write_ready_i) && !(completion_valid_o && !completion_ready_i)),
    .data_i(entry_out)
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (accepted && push_request) no_request_lost: assert (unused_request_ready);
      if (beat_valid_q) no_payload_lost: assert (held <= 7'd64);
    end
  end
`endif
`endif

  assign idle_o = !beat_valid_q && !in_tlp_q && !ordered_valid && requests_q == '0;

endmodule

`default_nettype wire
