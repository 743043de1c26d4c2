// SPDX-License-Identifier: Apache-2.0
//
// Receive side: stores each TLP, judges it when its last beat is in, and hands
// it on.
//   Writes and completions leave in one order through a queue; each is whole,
//   well formed and good before its first word is seen. Requests that need an
//   answer wait in a queue of 8, behind which the others pass; one is shown
//   only when everything received before it has left the ordered queue.
//   A TLP that is malformed, poisoned (writes) or bad on the link is dropped.
// Promises: nothing here waits for the transmit side but the ninth waiting
// request, which a link partner that honours 8 non-posted credits never sends.
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
  output logic [1:0]        write_bar_o,         // 0, 2 (as 1), 4 (as 2)
  output logic [31:2]       write_address_o,
  output logic [6:0]        write_dwords_o,
  output logic [3:0]        write_first_be_o,
  output logic [3:0]        write_last_be_o,

  output logic              completion_valid_o,
  input  wire logic         completion_ready_i,  // the whole TLP is used up
  output logic              completion_ours_o,   // a read completion for this function
  output logic [7:0]        completion_tag_o,
  output logic [2:0]        completion_status_o,
  output logic              completion_poisoned_o,
  output logic [6:0]        completion_dwords_o, // payload; 0 without data
  output logic [11:0]       completion_byte_count_o,
  output logic [6:0]        completion_lower_address_o,

  // payload of the TLP shown above, two DWs at a time
  output logic [63:0]       payload_o,
  input  wire logic         payload_ready_i,

  // requests that need an answer
  output logic              request_valid_o,
  input  wire logic         request_ready_i,
  output logic [15:0]       request_requester_o,
  output logic [7:0]        request_tag_o,
  output logic [2:0]        request_class_o,      // traffic class
  output logic [2:0]        request_attributes_o,
  output logic              request_supported_o,
  output logic              request_memory_o,     // else answered with one DW or none
  output logic              request_locked_o,
  output logic              request_config_write_o,
  output logic [1:0]        request_bar_o,
  output logic [31:2]       request_address_o,
  output logic [9:0]        request_length_o,     // DWs, 0 is 1024
  output logic [3:0]        request_first_be_o,
  output logic [3:0]        request_last_be_o,
  output logic [31:0]       request_data_o,

  output logic              event_write_o,
  output logic [8:0]        event_write_bytes_o,
  output logic              event_read_o,
  output logic              event_completion_o,
  output logic [8:0]        event_completion_bytes_o,
  output logic              event_malformed_o,
  output logic              event_unsupported_o,
  output logic              event_posted_unsupported_o,
  output logic              event_poisoned_o,
  output logic              idle_o
);

  localparam int unsigned LocalLog2 = LocalMemoryLog2 < 12 ? 12 : LocalMemoryLog2;
  // Two TLPs of the largest payload: one comes in while the other goes out.
  localparam int unsigned BufferLog2 = 6;
  localparam logic [6:0]  BeatsMax = 7'd32;

  // --- one registered beat --------------------------------------------------------
  logic         beat_valid_q, sop_q, eop_q, error_q;
  logic [63:0]  data_q;
  logic [1:0]   strb_q;
  logic [127:0] hdr_q;
  logic         advance, stall;

  assign rx_tlp_ready_o = !beat_valid_q || !stall;
  assign advance        = beat_valid_q && !stall;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_valid_q <= 1'b0;
    else if (rx_tlp_ready_o) beat_valid_q <= rx_tlp_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (rx_tlp_ready_o) begin
      data_q  <= rx_tlp_data_i;
      strb_q  <= rx_tlp_strb_i;
      hdr_q   <= rx_tlp_hdr_i;
      sop_q   <= rx_tlp_sop_i;
      eop_q   <= rx_tlp_eop_i;
      error_q <= rx_tlp_error_i;
    end
  end

  // --- what it is -------------------------------------------------------------------
  logic [4:0]   kind;
  logic [9:0]   length;
  logic [3:0]   first_be, last_be;
  logic         has_data, four_dw, prefix, digest, poisoned;
  logic [31:2]  address;
  logic [63:32] address_high;
  logic         memory_read, memory_write, locked, io, config_type0, config_type1, message;
  logic         atomic, completion, locked_completion, non_posted;

  assign prefix   = hdr_q[127];
  assign has_data = hdr_q[126];
  assign four_dw  = hdr_q[125];
  assign kind     = hdr_q[124:120];
  assign digest   = hdr_q[111];
  assign poisoned = hdr_q[110] && has_data;
  assign length   = hdr_q[105:96];
  assign last_be  = hdr_q[71:68];
  assign first_be = hdr_q[67:64];
  assign address      = four_dw ? hdr_q[31:2] : hdr_q[63:34];
  assign address_high = four_dw ? hdr_q[63:32] : '0;

  assign memory_read  = !prefix && !has_data && kind == 5'b00000;
  assign memory_write = !prefix && has_data && kind == 5'b00000;
  assign locked       = !prefix && !has_data && kind == 5'b00001;
  assign io           = !prefix && !four_dw && kind == 5'b00010;
  assign config_type0 = !prefix && !four_dw && kind == 5'b00100;
  assign config_type1 = !prefix && !four_dw && kind == 5'b00101;
  assign completion   = !prefix && !four_dw && kind == 5'b01010;
  assign locked_completion = !prefix && !four_dw && kind == 5'b01011;
  assign atomic       = !prefix && has_data &&
                        (kind == 5'b01100 || kind == 5'b01101 || kind == 5'b01110);
  assign message      = !prefix && four_dw && kind[4:3] == 2'b10;
  assign non_posted   = memory_read || locked || io || config_type0 || config_type1 || atomic;

  // --- is it well formed -----------------------------------------------------------
  logic       in_tlp_q, short_q;     // a beat before the last had a hole
  logic [5:0] beats_q, beats_before; // full beats before this one, saturating
  logic       framed, short_before, payload_good, crosses, byte_enables_bad, well_formed;

  assign framed       = sop_q || in_tlp_q;
  assign beats_before = sop_q ? '0 : beats_q;
  assign short_before = !sop_q && short_q;

  always_comb begin
    if (has_data) begin
      payload_good = !short_before && strb_q[0] && strb_q[1] == !length[0] &&
                     length != '0 && length <= {3'b0, max_payload_dwords_i} &&
                     {1'b0, beats_before} == (length[6:0] - 7'd1) >> 1;
    end else begin
      payload_good = sop_q && strb_q == 2'b00;
    end
  end

  logic [10:0] last_dword; // DW index behind the last, in the page of the first
  assign last_dword = {1'b0, address[11:2]} + {length == '0, length};
  assign crosses    = last_dword > 11'd1024;
  assign byte_enables_bad = (length == 10'd1) ? last_be != '0 : (first_be == '0 || last_be == '0);

  always_comb begin
    well_formed = !error_q && !digest && payload_good;
    if (memory_read || memory_write || locked) begin
      if (crosses || byte_enables_bad) well_formed = 1'b0;
    end else if (io || config_type0 || config_type1) begin
      if (length != 10'd1 || last_be != '0) well_formed = 1'b0;
    end else if (!(atomic || message || completion || locked_completion)) begin
      well_formed = 1'b0;
    end
  end

  // --- where it goes ----------------------------------------------------------------
  logic       hit0, hit2, hit4, hit, accepted, ours;
  logic [1:0] bar;

  assign hit0 = memory_enable_i && {address_high, address[31:17]} == bar0_i;
  assign hit2 = memory_enable_i &&
                {address_high, address[31:LocalLog2]} == bar2_i[63:LocalLog2];
  assign hit4 = memory_enable_i && {address_high, address[31:12]} == {32'b0, bar4_i};
  assign hit  = hit0 || hit2 || hit4;
  assign bar  = hit0 ? 2'd0 : hit2 ? 2'd1 : 2'd2;
  // A completion belongs to us when it names this function as the requester.
  assign ours = completion && hdr_q[63:48] == function_id_i;

  logic push_write, push_completion, push_request, supported;
  logic ordered_ready, request_space;

  assign accepted        = advance && framed && eop_q && well_formed;
  assign push_write      = memory_write && !poisoned && hit;
  assign push_completion = completion || locked_completion;
  assign push_request    = non_posted;
  assign supported       = (memory_read && hit) ||
                           (config_type0 && !poisoned && address[18:16] == 3'd0);

  assign event_write_o              = accepted && push_write;
  assign event_write_bytes_o        = {length[6:0], 2'b00};
  assign event_read_o               = accepted && memory_read;
  assign event_completion_o         = accepted && push_completion;
  assign event_completion_bytes_o   = has_data ? {length[6:0], 2'b00} : '0;
  assign event_malformed_o          = advance && framed && eop_q && !well_formed;
  assign event_posted_unsupported_o = accepted && memory_write && !poisoned && !hit;
  assign event_unsupported_o        = event_posted_unsupported_o ||
                                      (accepted && memory_write && poisoned) ||
                                      (accepted && non_posted && !supported);
  assign event_poisoned_o           = accepted && poisoned && !message;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_tlp_q <= 1'b0;
    else if (advance) in_tlp_q <= framed && !eop_q;
  end

  always_ff @(posedge clk_i) begin
    if (advance) begin
      beats_q <= (beats_before == '1) ? '1 : beats_before + 6'd1;
      short_q <= short_before || strb_q != 2'b11;
    end
  end

  // --- payload buffer: written as it comes, taken back if the TLP is dropped ---------
  logic [BufferLog2:0] commit_q, write_q, write_index, read_q;
  logic                store, full;

  assign write_index = sop_q ? commit_q : write_q;
  assign store       = framed && (memory_write || push_completion) && has_data &&
                       {1'b0, beats_before} < BeatsMax;
  assign full        = (write_index - read_q) == {1'b1, {BufferLog2{1'b0}}};
  assign stall       = (store && full) ||
                       (eop_q && (!ordered_ready || (push_request && !request_space)));

  rf_lutram #(.Width(64), .DepthLog2(BufferLog2)) u_payload (
    .clk_i           (clk_i),
    .write_i         (advance && store),
    .write_address_i (write_index[BufferLog2-1:0]),
    .write_data_i    (data_q),
    .read_address_i  (read_q[BufferLog2-1:0]),
    .read_data_o     (payload_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      commit_q <= '0;
      write_q  <= '0;
      read_q   <= '0;
    end else begin
      if (advance) write_q <= write_index + {{BufferLog2{1'b0}}, store};
      if (accepted && has_data && (push_write || push_completion)) begin
        commit_q <= write_index + {{BufferLog2{1'b0}}, store};
      end
      if (payload_ready_i) read_q <= read_q + 1'b1;
    end
  end

  // --- the ordered queue ---------------------------------------------------------------
  // A request leaves a marker here; when it comes to the head, everything before
  // it is performed and one more waiting request may be executed.
  localparam logic [1:0] OrderedWrite = 2'd0;
  localparam logic [1:0] OrderedCompletion = 2'd1;
  localparam logic [1:0] OrderedMarker = 2'd2;
  localparam int unsigned OrderedWidth = 2 + 2 + 30 + 7 + 4 + 4;

  logic [1:0]              ordered_kind, ordered_kind_out;
  logic [29:0]             ordered_address, ordered_address_out;
  logic [OrderedWidth-1:0] ordered_in, ordered_out;
  logic                    ordered_valid, ordered_pop, marker;
  logic [4:0]              ordered_count;

  assign ordered_kind = push_completion ? OrderedCompletion : non_posted ? OrderedMarker : OrderedWrite;
  assign ordered_address = push_completion
      ? {5'b0, poisoned, hdr_q[79:77], hdr_q[75:64], hdr_q[47:40], ours}
      : address;
  assign ordered_in = {ordered_kind, bar, ordered_address,
                       has_data ? length[6:0] : 7'd0,
                       push_completion ? {1'b0, hdr_q[38:32]} : {first_be, last_be}};

  rf_fifo #(.Width(OrderedWidth), .DepthLog2(4)) u_ordered (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (accepted && (push_write || push_completion || push_request)),
    .ready_o (ordered_ready),
    .data_i  (ordered_in),
    .valid_o (ordered_valid),
    .ready_i (ordered_pop),
    .data_o  (ordered_out),
    .count_o (ordered_count)
  );

  assign {ordered_kind_out, write_bar_o, ordered_address_out, write_dwords_o,
          write_first_be_o, write_last_be_o} = ordered_out;
  assign write_address_o    = ordered_address_out;
  assign write_valid_o      = ordered_valid && ordered_kind_out == OrderedWrite;
  assign completion_valid_o = ordered_valid && ordered_kind_out == OrderedCompletion;
  assign marker             = ordered_valid && ordered_kind_out == OrderedMarker;
  assign ordered_pop        = marker || (write_valid_o && write_ready_i) ||
                              (completion_valid_o && completion_ready_i);

  assign completion_poisoned_o      = ordered_address_out[24];
  assign completion_status_o        = ordered_address_out[23:21];
  assign completion_byte_count_o    = ordered_address_out[20:9];
  assign completion_ours_o          = ordered_address_out[0];
  assign completion_tag_o           = ordered_address_out[8:1];
  assign completion_dwords_o        = write_dwords_o;
  assign completion_lower_address_o = {write_first_be_o[2:0], write_last_be_o};

  // --- the queue of requests ---------------------------------------------------------
  localparam int unsigned RequestWidth = 16 + 8 + 3 + 3 + 4 + 2 + 30 + 10 + 8 + 32;
  logic [RequestWidth-1:0] request_out;
  logic                    request_waiting;
  logic [3:0]              request_count, allowed_q;

  rf_fifo #(.Width(RequestWidth), .DepthLog2(3)) u_requests (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (accepted && push_request),
    .ready_o (request_space),
    .data_i  ({hdr_q[95:80], hdr_q[79:72], hdr_q[118:116], hdr_q[114], hdr_q[109:108],
               supported, memory_read || locked, locked, config_type0 && has_data,
               bar, address, length, first_be, last_be, data_q[31:0]}),
    .valid_o (request_waiting),
    .ready_i (request_ready_i && request_valid_o),
    .data_o  (request_out),
    .count_o (request_count)
  );

  assign {request_requester_o, request_tag_o, request_class_o, request_attributes_o,
          request_supported_o, request_memory_o, request_locked_o, request_config_write_o,
          request_bar_o, request_address_o, request_length_o,
          request_first_be_o, request_last_be_o, request_data_o} = request_out;
  assign request_valid_o = request_waiting && allowed_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) allowed_q <= '0;
    else allowed_q <= allowed_q + {3'b0, marker} - {3'b0, request_valid_o && request_ready_i};
  end

  // Reserved and never looked at: TH, LN, and the low address bits.
  logic unused;
  assign unused = ^{hdr_q[119], hdr_q[115], hdr_q[113:112], hdr_q[107:106], hdr_q[1:0], bar2_i};

  assign idle_o = !beat_valid_q && !in_tlp_q && ordered_count == '0 && request_count == '0;

endmodule

`default_nettype wire
