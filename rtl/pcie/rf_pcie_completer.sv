// SPDX-License-Identifier: Apache-2.0
//
// Executes received requests in order and answers each with completions. A memory read is split
// at multiples of 128 bytes, an endpoint's read completion boundary. The words of one completion
// are gathered before it is offered, so it never stalls the posted stream in its middle.
//
//   Idle    accepts the next request      Config  waits for configuration space
//   Chunk   the next completion's sizes   Fill    gathers its words
//   Send    offers its beats              Done    the request ends
//
// Promises: every request gets all its completions, whatever it requests; a read of zero bytes
// accesses nothing. One completion at a time.

`default_nettype none

module rf_pcie_completer (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [15:0]  function_id_i,
  input  wire logic         hold_i,            // a function-level reset is under way

  input  wire logic         request_valid_i,
  output logic              request_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */ // the data is rf_pcie_config's
  input  wire rf_bus_pkg::received_request_t request_i,
  /* verilator lint_on UNUSEDSIGNAL */

  // configuration space: data one cycle later
  output logic              config_valid_o,
  input  wire logic [31:0]  config_data_i,

  // registers: data three cycles after the read is taken
  output logic              register_valid_o,
  input  wire logic         register_ready_i,
  input  wire logic [63:0]  register_data_i,

  // local memory: data is 0 unless it is valid
  output logic              local_read_valid_o,
  input  wire logic         local_read_ready_i,
  input  wire logic         local_read_data_valid_i,
  input  wire logic [63:0]  local_read_data_i,

  // MSI-X table: data one cycle after the read is taken, else 0
  output logic              msix_valid_o,
  input  wire logic         msix_ready_i,
  input  wire logic [63:0]  msix_data_i,

  output logic [31:3]       address_o,
  output logic [7:0]        strobe_o,

  output logic              completion_valid_o,
  input  wire logic         completion_ready_i,
  output logic [127:0]      completion_header_o,
  output logic [63:0]       completion_data_o,
  output logic [1:0]        completion_strb_o,
  output logic              completion_last_o,

  output logic              idle_o
);

  localparam logic [2:0] StatusSuccessful = 3'd0, StatusUnsupported = 3'd1;

  typedef enum logic [2:0] {
    Idle,      // no request
    Config,    // the DW of configuration space comes
    Chunk,     // the size of the next completion is worked out
    Fill,      // its words are read into the buffer
    Send,      // the completion is offered
    Done       // the last one is accepted: the request is taken
  } state_e;
  state_e      state_q, state_d;

  logic [31:2] request_address; // Yosys 0.23 mistakes the bits of a member that does not end in 0
  assign request_address = request_i.address;

  // What is left of the request: address, DWs, bytes for the byte count field. It ends in
  // the 4 KiB in which it begins, or rf_pcie_receive would not have taken it.
  logic [11:2] address_q;
  logic [10:0] dwords_q;
  logic [12:0] bytes_q;
  logic [1:0]  lower_q;        // byte in the first DW; 0 after the first completion

  // --- the sizes of a new request -----------------------------------------------------
  logic [10:0] request_dwords;
  logic [3:1]  trailing_be;
  logic [1:0]  leading, trailing;
  logic [2:0]  unwanted;       // bytes of the first and last DW
  logic [12:0] request_bytes;
  logic        empty, empty_q; // no byte at all: a flush

  assign request_dwords = {request_i.length == '0, request_i.length};
  assign empty          = request_i.first_be == '0;
  assign trailing_be    = request_i.length == 10'd1 ? request_i.first_be[3:1]
                                                    : request_i.last_be[3:1];
  assign leading  = request_i.first_be[0] || empty ? 2'd0 :
                    request_i.first_be[1] ? 2'd1 : request_i.first_be[2] ? 2'd2 : 2'd3;
  assign trailing = trailing_be[3] ? 2'd0 : trailing_be[2] ? 2'd1 : trailing_be[1] ? 2'd2 : 2'd3;

  assign unwanted = {1'b0, leading} + {1'b0, trailing};

  // Of what does not read memory the length: an AtomicOp's operand, else four bytes.
  always_comb begin
    if (!request_i.memory) request_bytes = {request_dwords, 2'b00};
    else if (empty)        request_bytes = 13'd1;
    else request_bytes = {request_dwords, 2'b00} - {10'b0, unwanted};
  end

  // --- the next completion ----------------------------------------------------------------
  logic [5:0]  room, chunk;         // DWs up to the boundary; of this completion
  logic [5:0]  chunk_q;
  logic [4:0]  words;               // of this completion
  logic [4:0]  issue_left_q;        // words still to be read
  logic [4:0]  take_left_q;         // words still to come
  logic [11:3] word_q;
  logic        shifted, last_issue;

  assign room    = 6'd32 - {1'b0, address_q[6:2]};
  assign chunk   = dwords_q < {5'b0, room} ? dwords_q[5:0] : room;
  assign shifted = address_q[2];
  assign words   = 5'((chunk + {5'b0, shifted} + 6'd1) >> 1);

  // --- reading the words ------------------------------------------------------------------
  logic        issue, issue_valid, register_response, msix_response_q;
  logic [2:0]  register_pipe_q;
  logic        word_valid_q;
  logic [63:0] word_read_q;

  assign issue_valid        = state_q == Fill && issue_left_q != '0;
  // Registers are read one at a time: rf_counters relies on it.
  assign register_valid_o   = issue_valid && !empty_q && request_i.bar == 2'd0 &&
                              register_pipe_q == '0;
  assign local_read_valid_o = issue_valid && !empty_q && request_i.bar == 2'd1;
  assign msix_valid_o       = issue_valid && !empty_q && request_i.bar == 2'd2;
  assign issue = (issue_valid && empty_q) || (register_valid_o && register_ready_i) ||
                 (local_read_valid_o && local_read_ready_i) || (msix_valid_o && msix_ready_i);
  assign address_o  = {request_address[31:12], word_q};
  assign last_issue = issue_left_q == 5'd1;

  // Which bytes of the word are wanted, by DW.
  logic first_issue_q, low_wanted, high_wanted, odd_end;
  assign odd_end     = chunk_q[0] ^ shifted;
  assign low_wanted  = !(first_issue_q && shifted);
  assign high_wanted = !(last_issue && odd_end);
  assign strobe_o    = {{4{high_wanted}}, {4{low_wanted}}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      register_pipe_q <= '0;
      msix_response_q <= 1'b0;
    end else begin
      register_pipe_q <= {register_pipe_q[1:0], register_valid_o && register_ready_i};
      msix_response_q <= msix_valid_o && msix_ready_i;
    end
  end
  assign register_response = register_pipe_q[2];

  // Registers are all over the device: what they say is not in time for more in its cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) word_valid_q <= 1'b0;
    else word_valid_q <= register_response || local_read_data_valid_i || msix_response_q ||
                       (issue && empty_q);
  end

  always_ff @(posedge clk_i) begin
    word_read_q <= (register_data_i & {64{register_response}}) | local_read_data_i | msix_data_i;
  end

  // --- DWs to beats: the first DW of the payload goes to the low half --------------------
  logic [31:0] carry_q;
  logic        carry_valid_q;     // shifted: the first word has come
  logic        flush_q;           // shifted: the carry is the last DW
  logic        push;
  logic [63:0] push_data;
  logic [4:0]  beats, filled_q;
  logic [3:0]  send_q;            // beat on offer

  assign push = state_q == Config || flush_q ||
                (word_valid_q && (!shifted || carry_valid_q));

  // Ignored without a push.
  always_comb begin
    push_data = shifted ? {word_read_q[31:0], carry_q} : word_read_q;
    if (flush_q) push_data = {32'b0, carry_q};
    if (state_q == Config) push_data = {32'b0, config_data_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carry_valid_q <= 1'b0;
      flush_q       <= 1'b0;
    end else begin
      // The last word of a shifted completion brings its high DW too.
      flush_q <= word_valid_q && shifted && take_left_q == 5'd1 && !odd_end;
      if (word_valid_q) carry_valid_q <= take_left_q != 5'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_valid_q) carry_q <= word_read_q[63:32];
  end

  // The longest completion is 16 beats.
  rf_lutram #(.Width(64), .DepthLog2(4)) u_buffer (
    .clk_i           (clk_i),
    .write_i         (push),
    .write_address_i (filled_q[3:0]),
    .write_data_i    (push_data),
    .read_address_i  (send_q),
    .read_data_o     (completion_data_o)
  );

  // --- control -------------------------------------------------------------------------------
  logic with_data, sent, finished;
  logic [5:0] send_dwords_q;

  assign with_data = request_i.supported && !request_i.config_write;
  assign beats     = chunk_q[5:1] + {4'b0, chunk_q[0]};
  assign config_valid_o = state_q == Idle && request_valid_i && !hold_i &&
                          request_i.supported && !request_i.memory;
  assign sent      = completion_valid_o && completion_ready_i && completion_last_o;
  assign finished  = sent && (!with_data || dwords_q == {5'b0, chunk_q});
  assign request_ready_o = state_q == Done;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: begin
        if (request_valid_i && !hold_i) begin
          if (!request_i.supported) state_d = Send;
          else state_d = request_i.memory ? Chunk :
                         request_i.config_write ? Send : Config;
        end
      end
      Config: state_d = Fill;
      Chunk:  state_d = Fill;
      Fill:   if (filled_q == beats) state_d = Send;
      Send: begin
        if (finished)  state_d = Done;
        else if (sent) state_d = Chunk;
      end
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Idle;
      issue_left_q <= '0;
      filled_q     <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == Chunk) issue_left_q <= words;
      else if (issue) issue_left_q <= issue_left_q - 5'd1;
      if (sent) filled_q <= '0;
      else if (push) filled_q <= filled_q + 5'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      address_q <= request_address[11:2];
      dwords_q  <= request_i.memory ? request_dwords : 11'd1;
      bytes_q   <= request_bytes;
      lower_q   <= leading;
      empty_q   <= empty;
      chunk_q   <= 6'd1;
    end else if (sent) begin
      address_q <= address_q + {4'b0, chunk_q};
      dwords_q  <= dwords_q - {5'b0, chunk_q};
      bytes_q   <= bytes_q - {5'b0, chunk_q, 2'b00} + {11'b0, lower_q};
      lower_q   <= '0;
    end

    if (state_q == Chunk) begin
      chunk_q      <= chunk;
      first_issue_q <= 1'b1;
      word_q       <= address_q[11:3];
      take_left_q  <= words;
    end else begin
      if (issue) begin
        first_issue_q <= 1'b0;
        word_q       <= word_q + 9'd1;
      end
      if (word_valid_q) take_left_q <= take_left_q - 5'd1;
    end

    if (state_q != Send) send_dwords_q <= state_d == Send ? chunk_q : '0;
    else if (completion_ready_i) send_dwords_q <= send_dwords_q - 6'd2;
    send_q <= (state_q == Send) ? send_q + {3'd0, completion_ready_i} : '0;
  end

  // --- the completion TLP ----------------------------------------------------------------------
  logic [2:0] status;
  logic [6:0] lower_address;

  assign completion_valid_o = state_q == Send;
  assign completion_last_o  = !with_data || send_dwords_q <= 6'd2;
  assign completion_strb_o  = with_data ? {send_dwords_q != 6'd1, 1'b1} : 2'b00;
  assign status        = request_i.supported ? StatusSuccessful : StatusUnsupported;
  assign lower_address = request_i.memory ? {address_q[6:2], lower_q} : '0;

  assign completion_header_o = {
    1'b0, with_data, 1'b0, 4'b0101, request_i.locked,
    1'b0, request_i.traffic_class, 1'b0, request_i.attributes[2], 2'b0,
    2'b0, request_i.attributes[1:0], 2'b0, with_data ? {4'b0, chunk_q} : 10'd0,
    function_id_i, status, 1'b0, bytes_q[11:0],
    request_i.requester, request_i.tag, 1'b0, lower_address,
    32'b0
  };

  assign idle_o = state_q == Idle;

  logic unused;
  assign unused = ^{request_i.last_be[0], bytes_q[12]};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  rf_offer_check #(.Width(30)) request_stays (
    .clk_i, .rst_ni, .valid_i(request_valid_i), .ready_i(request_ready_o), .data_i(request_address)
  );
  rf_offer_check #(.Width(64)) offered_beat_stays (
    .clk_i, .rst_ni, .valid_i(completion_valid_o), .ready_i(completion_ready_i),
    .data_i(completion_data_o)
  );
  logic [6:0]  reading_q;            // words asked of local memory
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reading_q <= '0;
    else reading_q <= reading_q + {6'd0, local_read_valid_o && local_read_ready_i} -
                      {6'd0, local_read_data_valid_i};
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      buffer_holds_it: assert (!push || filled_q <= 5'd15);
      local_memory_answers_a_read: assert (!local_read_data_valid_i || reading_q != '0);
      no_data_else: assert ((local_read_data_valid_i || local_read_data_i == '0) &&
                            (msix_response_q || msix_data_i == '0));
    end
  end
  rf_offer_check #(.Width(39)) access_stays (
    .clk_i, .rst_ni,
    .valid_i(register_valid_o || msix_valid_o),
    .ready_i(register_valid_o ? register_ready_i : msix_ready_i),
    .data_i({register_valid_o, msix_valid_o, address_o, strobe_o})
  );
`endif
`endif

endmodule

`default_nettype wire
