// SPDX-License-Identifier: Apache-2.0
//
// Every request that is taken gets its completions, and nothing else is completed: of a
// read as many as it takes, in ascending order, together as many DWs as asked for, each
// with the byte count and lower address that PCIe asks for, none longer than 128 bytes
// nor across a multiple of them, so none across 4 KiB; of every other request one.
//
// Free: any request, also ones that PCIe forbids; when registers, local memory, the
// MSI-X table and the stream respond. Local memory gives what was read, later.

`default_nettype none

module rf_pcie_completer_props (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [15:0]  function_id_i,
  input  wire logic         hold_i,
  input  wire logic         request_valid_i,
  input  wire logic [15:0]  request_requester_i,
  input  wire logic [7:0]   request_tag_i,
  input  wire logic [2:0]   request_class_i,
  input  wire logic [2:0]   request_attributes_i,
  input  wire logic         request_supported_i,
  input  wire logic         request_memory_i,
  input  wire logic         request_locked_i,
  input  wire logic         request_config_write_i,
  input  wire logic [1:0]   request_bar_i,
  input  wire logic [31:2]  request_address_i,
  input  wire logic [9:0]   request_length_i,
  input  wire logic [3:0]   request_first_be_i,
  input  wire logic [3:0]   request_last_be_i,
  input  wire logic [31:0]  config_data_i,
  input  wire logic         register_ready_i,
  input  wire logic [63:0]  register_data_i,
  input  wire logic         local_read_ready_i,
  input  wire logic         local_read_data_valid_i,
  input  wire logic [63:0]  local_read_data_i,
  input  wire logic         msix_ready_i,
  input  wire logic [63:0]  msix_data_i,
  input  wire logic         completion_ready_i
);

  logic         request_ready, local_read_valid, valid, last;
  logic [127:0] header;
  logic [1:0]   strb;

  rf_pcie_completer u_completer (
    .clk_i, .rst_ni, .function_id_i, .hold_i,
    .request_valid_i, .request_ready_o(request_ready), .request_i({request_requester_i, request_tag_i,
    request_class_i, request_attributes_i, request_supported_i, request_memory_i,
    request_locked_i, request_config_write_i, request_bar_i, request_address_i, request_length_i,
    request_first_be_i, request_last_be_i, 32'd0}),
    .config_valid_o(), .config_data_i, .register_valid_o(), .register_ready_i,
    .register_data_i, .local_read_valid_o(local_read_valid), .local_read_ready_i,
    .local_read_data_valid_i, .local_read_data_i, .msix_valid_o(), .msix_ready_i, .msix_data_i,
    .address_o(), .strobe_o(),
    .completion_valid_o(valid), .completion_ready_i, .completion_header_o(header),
    .completion_data_o(), .completion_strb_o(strb), .completion_last_o(last), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // --- the request: it stays until it is taken ----------------------------------------------
  logic [84:0] request, request_q;
  logic        waits_q = 1'b0;
  assign request = {request_requester_i, request_tag_i, request_class_i, request_attributes_i,
                    request_supported_i, request_memory_i, request_locked_i,
                    request_config_write_i, request_bar_i, request_address_i, request_length_i,
                    request_first_be_i, request_last_be_i};
  always_comb if (waits_q) begin
    assume (request_valid_i && request == request_q);
  end
  // What rf_pcie_receive makes of it: a bar that there is, a write that reads no memory.
  always_comb begin
    assume (!request_memory_i || (request_bar_i != 2'd3 && !request_config_write_i));
  end
  always_ff @(posedge clk_i) begin
    waits_q   <= running_q && request_valid_i && !request_ready;
    request_q <= request;
  end

  // Local memory
  logic [6:0] reading_q = '0;
  always_comb assume (!local_read_data_valid_i || reading_q != '0);
  always_ff @(posedge clk_i) if (running_q) begin
    reading_q <= reading_q + {6'd0, local_read_valid && local_read_ready_i} -
                 {6'd0, local_read_data_valid_i};
  end

  // --- the expected completions -------------------------------------------------------------------
  logic        with_data, flush;
  logic [3:0]  first_be, last_be;
  logic [1:0]  leading, trailing;          // bytes at the ends that are not asked for
  logic [10:0] asked;                      // DWs
  logic [12:0] bytes;
  assign with_data = request_supported_i && !request_config_write_i;
  assign first_be  = request_first_be_i;
  assign last_be   = request_length_i == 10'd1 ? request_first_be_i : request_last_be_i;
  assign flush     = first_be == '0;
  assign leading   = first_be[0] || flush ? 2'd0 : first_be[1] ? 2'd1 : first_be[2] ? 2'd2 : 2'd3;
  assign trailing  = last_be[3] ? 2'd0 : last_be[2] ? 2'd1 : last_be[1] ? 2'd2 : 2'd3;
  assign asked     = !request_memory_i ? 11'd1 : request_length_i == '0 ? 11'd1024
                                                                     : {1'b0, request_length_i};
  assign bytes     = flush ? 13'd1 : {asked, 2'd0} - {11'd0, leading} - {11'd0, trailing};

  logic [10:0] sent_q = '0;                // DWs in completions that are sent
  logic [5:0]  beat_q = '0;                // beats of the one under way that are sent
  logic        answered_q = 1'b0;          // the request has its only completion
  logic [9:0]  length, place;
  localparam logic [9:0] Most = 10'd32;     // DWs
  logic [12:0] left;                       // bytes from the first asked for to the end
  logic [1:0]  lower;
  logic        moves;
  assign length = header[105:96];
  assign place  = (request_address_i[11:2] + sent_q[9:0]) & (Most - 10'd1);
  assign left   = sent_q == '0 ? bytes : bytes - {sent_q, 2'd0} + {11'd0, leading};
  assign lower  = sent_q == '0 ? leading : 2'd0;
  assign moves  = valid && completion_ready_i;
  always_ff @(posedge clk_i) if (running_q) begin
    if (moves) beat_q <= last ? 6'd0 : beat_q + 6'd1;
    if (moves && last) begin
      answered_q <= 1'b1;
      if (with_data) sent_q <= sent_q + {1'b0, length};
    end
    if (request_ready) {answered_q, sent_q} <= '0;
  end

  always_comb if (running_q) begin
    if (valid) begin
      of_a_request: assert (request_valid_i);
      its_header: assert (header[127:120] == {1'b0, with_data, 5'b00101, request_locked_i} &&
                          header[63:48] == request_requester_i &&
                          header[47:40] == request_tag_i && header[95:80] == function_id_i &&
                          header[79:77] == {2'd0, !request_supported_i});
      if (with_data) begin
        no_longer_than_asked: assert (length != '0 && {1'b0, length} + sent_q <= asked);
        beats_as_long: assert (last == ({beat_q, 1'b0} + 7'd2 >= length[6:0]) &&
                               strb == {{beat_q, 1'b0} + 7'd1 != length[6:0], 1'b1});
      end else begin
        single: assert (!answered_q && last && length == '0 && beat_q == '0);
      end
      if (with_data && request_memory_i) begin
        within_128_bytes: assert (length <= Most && place + length <= Most);
        byte_count: assert (header[75:64] == left[11:0]);
        lower_address: assert (header[38:32] == {request_address_i[6:2] + sent_q[4:0], lower});
      end
    end
    if (request_ready) begin
      taken_when_answered: assert (request_valid_i && !valid && answered_q &&
                                   (!with_data || sent_q == asked));
    end
    if (answered_q && (!with_data || sent_q == asked)) nothing_behind_the_last: assert (!valid);
  end

  // --- the inside ----------------------------------------------------------------------------
  (* hierconn *) wire [2:0]  \u_completer.state_q , \u_completer.register_pipe_q ;
  (* hierconn *) wire [11:2] \u_completer.address_q ;
  (* hierconn *) wire [10:0] \u_completer.dwords_q ;
  (* hierconn *) wire [12:0] \u_completer.bytes_q ;
  (* hierconn *) wire [1:0]  \u_completer.lower_q ;
  (* hierconn *) wire        \u_completer.empty_q , \u_completer.msix_response_q ,
      \u_completer.word_valid_q , \u_completer.carry_valid_q , \u_completer.flush_q , \u_completer.odd_end ;
  (* hierconn *) wire [5:0]  \u_completer.chunk_q , \u_completer.chunk , \u_completer.send_dwords_q ;
  (* hierconn *) wire [4:0]  \u_completer.issue_left_q , \u_completer.take_left_q ,
      \u_completer.filled_q , \u_completer.beats , \u_completer.words ;
  localparam logic [2:0] Idle = 3'd0, Config = 3'd1, Chunk = 3'd2, Fill = 3'd3, Send = 3'd4,
      Done = 3'd5;
  logic [2:0] state;
  logic [4:0] words, come;
  logic [7:0] on_the_way;
  logic       shifted;
  logic [5:0] chunk;
  assign state      = \u_completer.state_q ;
  assign chunk      = \u_completer.chunk_q ;
  assign shifted    = \u_completer.address_q [2];
  assign words      = 5'((chunk + {5'd0, shifted} + 6'd1) >> 1);
  assign come       = words - \u_completer.take_left_q ;
  assign on_the_way = {7'd0, \u_completer.register_pipe_q [0]} +
                      {7'd0, \u_completer.register_pipe_q [1]} +
                      {7'd0, \u_completer.register_pipe_q [2]} +
                      {7'd0, \u_completer.msix_response_q } + {1'b0, reading_q} +
                      {7'd0, \u_completer.word_valid_q };

  always_comb if (running_q) begin
    state_is_legal: assert (state <= Done);
    if (state != Idle) request_is_held: assert (waits_q);
    if (state != Fill) begin
      nothing_on_the_way: assert (on_the_way == '0 && !\u_completer.flush_q &&
                                  !\u_completer.carry_valid_q &&
                                  \u_completer.issue_left_q == '0);
    end
    if (state == Idle || state == Config || state == Chunk || state == Done) begin
      nothing_filled: assert (\u_completer.filled_q == '0 && beat_q == '0);
    end
    if (state == Idle) fresh: assert (!answered_q && sent_q == '0);
    if (state == Config) config_reads_one: assert (!answered_q && sent_q == '0 && chunk == 6'd1 &&
                                         \u_completer.dwords_q == 11'd1 &&
                                                   with_data && !request_memory_i);
    if (state == Chunk || ((state == Fill || state == Send) && request_memory_i && with_data)) begin
      rest_stands: assert (request_memory_i && with_data && sent_q < asked &&
                           \u_completer.dwords_q == asked - sent_q &&
                           \u_completer.address_q == request_address_i[11:2] + sent_q[9:0] &&
                           \u_completer.bytes_q == left && \u_completer.lower_q == lower &&
                           \u_completer.empty_q == flush && answered_q == (sent_q != '0));
    end
    if (state == Fill && !request_memory_i) begin
      config_read: assert (with_data && chunk == 6'd1 && \u_completer.filled_q == 5'd1 &&
                           \u_completer.dwords_q == 11'd1 && !answered_q && sent_q == '0 &&
                           on_the_way == '0 && !\u_completer.flush_q &&
                           !\u_completer.carry_valid_q && \u_completer.issue_left_q == '0);
    end
    if (state == Fill) fills: assert (with_data && beat_q == '0);
    if (state == Fill && request_memory_i) begin
      chunk_stands: assert (chunk == \u_completer.chunk && chunk != '0);
      counted: assert ({3'd0, \u_completer.issue_left_q } + on_the_way ==
                       {3'd0, \u_completer.take_left_q } &&
                       \u_completer.take_left_q <= words);
      carry_counted: assert (\u_completer.carry_valid_q ==
                             (come != '0 && \u_completer.take_left_q != '0));
      if (\u_completer.take_left_q != '0) begin
        filled_so_far: assert (\u_completer.filled_q == (shifted && come != '0 ? come - 5'd1
                                                                               : come) &&
                               !\u_completer.flush_q );
      end else begin
        filled_but_the_carry: assert (\u_completer.filled_q + {4'd0, \u_completer.flush_q } ==
                                      \u_completer.beats );
      end
      if (\u_completer.msix_response_q ) of_the_table: assert (request_bar_i == 2'd2 && !flush);
      if (\u_completer.register_pipe_q != '0) of_registers: assert (request_bar_i == 2'd0 && !flush);
      if (reading_q != '0) of_local_memory: assert (request_bar_i == 2'd1 && !flush);
    end
    if (state == Send && with_data) begin
      sends: assert ({2'b0, \u_completer.send_dwords_q } + {1'b0, beat_q, 1'b0} == {2'b0, chunk} &&
                     \u_completer.send_dwords_q != '0 && chunk <= 6'd32 &&
                     (request_memory_i ? chunk == \u_completer.chunk
                                       : chunk == 6'd1 && \u_completer.dwords_q == 11'd1 &&
                                         !answered_q && sent_q == '0));
    end
    if (state == Send && request_memory_i && with_data) sends_the_rest: assert (
        chunk == \u_completer.chunk );
    if (state == Send && !with_data) sends_once: assert (!answered_q && beat_q == '0 && sent_q == '0);
    if (state == Done) all_sent: assert (answered_q && (!with_data || sent_q == asked));
    if (!with_data && state != Done) not_yet: assert (sent_q == '0);
  end

  // --- all this happens -------------------------------------------------------------------------
  always_comb if (running_q && request_ready) begin
    several_completions: cover (request_memory_i && sent_q == 11'd3 && request_address_i[6:2] ==
                                5'd31 && shifted_once_q);
    unsupported: cover (!request_supported_i);
    config_is_read: cover (with_data && !request_memory_i);
    config_is_written: cover (!with_data && request_supported_i);
    flush_is_answered: cover (with_data && request_memory_i && flush);
  end
  logic shifted_once_q = 1'b0;
  always_ff @(posedge clk_i) shifted_once_q <= shifted_once_q || (moves && sent_q == 11'd1);

endmodule

`default_nettype wire
