// SPDX-License-Identifier: Apache-2.0
//
// Writes of any master through rf_memory keep write_contract: any request of it, any
// word of that. They are performed in order, each word once, at the address and with
// the bytes asked for; done when performed, not before; one that fails changes
// nothing. System writes are handed to rf_pcie as beat_contract says and are performed
// when posted_contract says so; performed locally means written to local memory.
//
// Free: the other masters, the CPU, translations of other pages, invalidations, when
// rf_pcie takes and accepts. Assumed: the page of the marked request does not move; what is
// offered stays until it is taken.

`default_nettype none

module rf_memory_write_props (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [6:0]   read_valid_i,
  input  wire logic [rf_bus_pkg::ReadMasters*rf_bus_pkg::ReadRequestWidth-1:0] read_i,
  input  wire logic [6:0]   read_hold_i,
  input  wire logic [4:0]   write_valid_i,
  input  wire logic [rf_bus_pkg::WriteMasters*rf_bus_pkg::WriteRequestWidth-1:0] write_i,
  input  wire logic [4:0]   write_data_valid_i,
  input  wire logic [5*64-1:0] write_data_i,
  input  wire logic         local_write_valid_i,
  input  wire rf_bus_pkg::local_write_t local_write_i,
  input  wire logic         local_read_valid_i,
  input  wire logic [31:3]  local_read_address_i,
  input  wire logic         system_read_ready_i,
  input  wire logic         system_response_valid_i,
  input  wire rf_bus_pkg::read_response_t system_response_i,
  input  wire logic         system_write_ready_i,
  input  wire logic         system_write_accepted_i,
  input  wire logic         system_write_accepted_last_i,
  input  wire logic [2:0]   system_write_accepted_status_i,
  input  wire rf_bus_pkg::wait_translate_t wait_translate_i,
  input  wire logic         invalidate_busy_i,
  input  wire rf_bus_pkg::register_request_t register_i
);

  localparam int unsigned L = 16;
  localparam int unsigned B = 2;           // log2 of the beats that u_beats has place for
  localparam int unsigned W = rf_bus_pkg::WriteRequestWidth;

  logic [6:0]      read_ready;
  logic            wait_translate_ready;
  logic [4:0]      write_ready, write_data_ready, write_done;
  logic [5*3-1:0]  write_done_status;
  rf_bus_pkg::write_done_t writes_done;
  assign write_done        = writes_done.done;
  assign write_done_status = writes_done.status;
  logic            system_write_valid;
  rf_bus_pkg::system_write_t system_write;

  rf_memory #(.LocalMemoryLog2(L)) u_memory (
    .clk_i, .rst_ni, .read_valid_i, .read_ready_o(read_ready), .read_i, .read_hold_i,
    .response_o(),
    .write_valid_i, .write_ready_o(write_ready), .write_i, .write_data_valid_i,
    .write_data_ready_o(write_data_ready), .write_data_i, .write_done_o(writes_done),
    .local_write_valid_i, .local_write_ready_o(), .local_write_i, .local_read_valid_i,
    .local_read_ready_o(), .local_read_address_i, .local_response_o(),
    .system_read_valid_o(), .system_read_ready_i, .system_read_o(),
    .system_response_valid_i, .system_response_i,
    .system_write_valid_o(system_write_valid), .system_write_ready_i,
    .system_write_o(system_write),
    .system_write_accepted_i({late_accepted_q, late_last_q, late_status_q}),
    .snoop_o(), .wait_translate_i, .wait_translate_ready_o(wait_translate_ready),
    .wait_translated_o(),
    .invalidate_o(), .invalidate_busy_i, .register_i, .register_data_o(),
    .event_fault_o(), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // rf_pcie tells one cycle after it has accepted a beat.
  logic       late_accepted_q = 1'b0, late_last_q;
  logic [2:0] late_status_q;
  always_ff @(posedge clk_i) begin
    late_accepted_q <= running_q && system_write_accepted_i;
    late_last_q   <= system_write_accepted_last_i;
    late_status_q <= system_write_accepted_status_i;
  end

  memory_offers u_offers (
    .clk_i, .rst_ni, .read_valid_i, .read_ready_i(read_ready), .read_i, .write_valid_i,
    .write_ready_i(write_ready), .write_i,
    .wait_translate_valid_i(wait_translate_i.valid), .wait_translate_ready_i(wait_translate_ready),
    .wait_translate_vmid_i(wait_translate_i.vmid), .wait_translate_va_i(wait_translate_i.va));

  // --- one master, one request, one word of it ------------------------------------------
  (* anyconst *) logic [2:0]  master;
  (* anyconst *) logic [31:0] page;        // {VMID, page} of the request
  (* anyconst *) logic [5:0]  word;        // of the request
  (* anyseq *)   logic        mark;
  rf_bus_pkg::write_request_t request, ours_q;
  logic [W-1:0] ours_bits;
  logic         ask, give, done, bad, marked_q = 1'b0;
  always_comb assume (master < 3'd5);
  assign request = write_i[master*W +: W];
  assign ask     = write_ready[master];
  assign give    = write_data_valid_i[master] && write_data_ready[master];
  assign done    = write_done[master];
  assign bad     = write_done_status[master*3 +: 3] != rf_pkg::AccessStatusOk;
  logic [W-1:0] request_bits;
  logic [31:0]  request_page, ours_page;
  assign request_bits = request;
  assign request_page = {request_bits[W-1 -: 4], rf_bus_pkg::virtual_page(request_bits[W-5 -: 52])};
  assign ours_page    = {ours_bits[W-1 -: 4], rf_bus_pkg::virtual_page(ours_bits[W-5 -: 52])};
  always_comb begin
    if (marked_q || !running_q) assume (!mark);
    assume (!mark || (ask && request_page == page && word < request.words &&
                      request.words <= 6'd32));
  end
  assign ours_bits = ours_q;
  always_ff @(posedge clk_i) if (mark) begin
    marked_q <= 1'b1;
    ours_q   <= request;
  end
  (* hierconn *) wire [31:0] \u_memory.u_translate.watched ;
  (* hierconn *) wire [46:0] \u_memory.u_translate.stays ;
  assign \u_memory.u_translate.watched = page;
  logic         fault, here;               // where the page lies
  logic [54:12] target;
  assign fault  = \u_memory.u_translate.stays [46];
  assign here   = \u_memory.u_translate.stays [43] || fault;
  assign target = \u_memory.u_translate.stays [42:0];

  // A shape that a master may ask for.
  logic [7:0] first, last;
  logic       legal;
  assign first = request.first_strobe;
  assign last  = request.last_strobe;
  assign legal = request.words == 6'd1
                 ? first != '0 && ((first + (first & (~first + 8'd1))) & first) == '0
                 : first[7] && (~first & (~first + 8'd1)) == '0 && last[0] &&
                   (last & (last + 8'd1)) == '0;
  always_comb assume (!mark || legal);

  // --- what happens inside --------------------------------------------------------------
  (* hierconn *) wire [5:0] \u_memory.u_write.local_moves ;
  (* hierconn *) wire [5:0] \u_memory.u_write.select ;
  (* hierconn *) wire [4:0] \u_memory.u_write.system_moves ;
  (* hierconn *) wire       \u_memory.u_write.u_arbiter.last_i ;
  (* hierconn *) wire       \u_memory.ram_write ;
  (* hierconn *) wire [L-1:3] \u_memory.ram_write_address ;
  (* hierconn *) wire [63:0]  \u_memory.ram_write_data ;
  (* hierconn *) wire [7:0]   \u_memory.ram_write_strobe ;
  (* hierconn *) wire         \u_memory.u_write.u_performed.tell ;
  (* hierconn *) wire [B:0]   \u_memory.u_write.u_performed.u_beats.write_q ,
      \u_memory.u_write.u_performed.u_beats.read_q ,
      \u_memory.u_write.u_performed.u_status.write_q ,
      \u_memory.u_write.u_performed.u_status.read_q ;
  (* hierconn *) wire [(1<<B)*7-1:0] \u_memory.u_write.u_performed.u_beats.watched ;
  (* hierconn *) wire [(1<<B)*4-1:0]   \u_memory.u_write.u_performed.u_status.watched ;

  logic beat, moves_local, moves_system, moves, head_is_last, told;
  assign beat         = system_write_valid && system_write_ready_i;
  assign moves_local  = \u_memory.u_write.local_moves [master];
  assign moves_system = \u_memory.u_write.system_moves [master];
  assign moves        = moves_local || moves_system;
  assign head_is_last = moves_system ? system_write.last : \u_memory.u_write.u_arbiter.last_i ;
  assign told         = \u_memory.u_write.u_performed.tell ;

  // Requests of the master before the marked one, not ended; its beats moved.
  logic [2:0] place_q;
  logic [5:0] moved_q;
  logic       queued_q = 1'b0, ours_moves, word_moves;
  logic [2:0] occupied, translated;        // of the master's queue
  assign ours_moves = queued_q && place_q == '0 && moves;
  assign word_moves = ours_moves && moved_q == word;
  always_ff @(posedge clk_i) if (running_q) begin
    if (mark) begin
      queued_q <= 1'b1;
      moved_q  <= '0;
      place_q  <= occupied - {2'd0, moves && head_is_last};
    end else begin
      if (moves && head_is_last) begin
        if (place_q != '0) place_q <= place_q - 3'd1;
        else queued_q <= 1'b0;
      end
      if (ours_moves) moved_q <= moved_q + 6'd1;
    end
  end

  // --- the contracts ----------------------------------------------------------------------
  logic [4:0]  count;
  logic [15:0] lasts;
  logic        middle, dropped, drop;
  logic [5:0]  index;
  rf_bus_pkg::system_write_t begun;
  assign drop = system_write_accepted_status_i != rf_pkg::AccessStatusOk;

  posted_contract #(.Promised(1'b0)) u_posted (
    .clk_i, .rst_ni, .beat_i(beat), .first_i(system_write.first), .last_i(system_write.last),
    .accepted_i(system_write_accepted_i), .accepted_last_i(system_write_accepted_last_i),
    .bad_i(drop), .count_o(count), .lasts_o(lasts), .middle_o(middle), .dropped_o(dropped));

  // Of the beats that are the marked request's.
  beat_contract #(.Promised(1'b1)) u_beats (
    .clk_i, .rst_ni, .valid_i(system_write_valid), .ready_i(system_write_ready_i),
    .ours_i(queued_q && place_q == '0 && \u_memory.u_write.select [master]),
    .write_i(system_write), .index_o(index), .begun_o(begun));

  // The word on its way to the stream: beats accepted before it.
  logic [4:0] ahead_q;
  logic       posted_q = 1'b0, word_accepted, perform, fails, store;
  logic [B-1:0] accepting;                 // its place in u_beats
  logic       accepting_ours;
  assign accepting        = \u_memory.u_write.u_performed.u_beats.read_q [B-1:0] + accepts[B-1:0];
  assign accepting_ours   = \u_memory.u_write.u_performed.u_beats.watched [accepting*7 + 1 +
                                                                                  master];
  assign word_accepted    = posted_q && system_write_accepted_i && ahead_q == '0;
  assign perform = (moves_local && head_is_last) ||
                   (system_write_accepted_i && lasts[0] && accepting_ours);
  assign fails   = moves_local ? !\u_memory.ram_write : drop;
  assign store   = (word_moves && moves_local && \u_memory.ram_write ) || (word_accepted && !drop);
  always_ff @(posedge clk_i) if (running_q) begin
    if (word_moves && moves_system) begin
      posted_q <= 1'b1;
      ahead_q  <= count - {4'd0, system_write_accepted_i};
    end else if (posted_q && system_write_accepted_i) begin
      if (ahead_q == '0) posted_q <= 1'b0;
      ahead_q <= ahead_q - 5'd1;
    end
  end

  logic       asked, given, stored, performed, failed, ends;
  logic [5:0] ahead, ready, waiting;
  write_contract #(.Promised(1'b1)) u_writes (
    .clk_i, .rst_ni, .ask_i(ask), .ours_i(mark), .give_i(word_moves), .store_i(store),
    .perform_i(perform), .fails_i(fails), .done_i(done), .bad_i(bad),
    .asked_o(asked), .given_o(given), .stored_o(stored), .performed_o(performed),
    .failed_o(failed), .done_o(ends), .ahead_o(ahead), .ready_o(ready), .waiting_o(waiting));

  // --- the word goes where it was asked to go ------------------------------------------------
  logic [7:0]  strobe;
  logic [11:3] offset;
  logic [54:3] system_address;
  assign strobe = moved_q == '0 ? ours_q.first_strobe :
                  moved_q + 6'd1 == ours_q.words ? ours_q.last_strobe : 8'hff;
  assign offset = ours_bits[30:22] + {3'd0, moved_q};
  assign system_address = system_write.address;
  always_comb if (running_q) begin
    one_writes: assert ((\u_memory.u_write.local_moves & (\u_memory.u_write.local_moves - 6'd1))
                        == '0 && (!\u_memory.ram_write || \u_memory.u_write.local_moves != '0));
    data_is_taken: assert (give == moves);
    one_moves: assert (!(moves_local && moves_system) &&
                       beat == (\u_memory.u_write.system_moves != '0));
    if (ours_moves) begin
      takes_its_words: assert (head_is_last == (moved_q + 6'd1 == ours_q.words));
      goes_to_its_memory: assert (moves_local == here && moves_system == !here);
    end
    if (ours_moves && moves_local) begin
      fault_writes_nothing: assert (\u_memory.ram_write == !fault);
      if (!fault) begin
        local_word: assert (\u_memory.ram_write_address == {target[L-1:12], offset} &&
                            \u_memory.ram_write_data == write_data_i[master*64 +: 64] &&
                            \u_memory.ram_write_strobe == strobe);
      end
    end
    if (ours_moves && moves_system) begin
      system_word: assert (system_address == {target, ours_bits[30:22]} &&
                           system_write.words == ours_q.words &&
                           system_write.first_strobe == ours_q.first_strobe &&
                           system_write.last_strobe == ours_q.last_strobe &&
                           system_write.data == write_data_i[master*64 +: 64]);
    end
  end

  // --- the inside: translations under way ------------------------------------------------
  (* hierconn *) wire [2:0] \u_memory.u_write.u_requests.gen_master[0].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[1].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[2].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[3].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[4].u_queue.occupied ;
  (* hierconn *) wire [2:0] \u_memory.u_write.u_requests.gen_master[0].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[1].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[2].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[3].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[4].u_queue.translated ;
  (* hierconn *) wire [4:0] \u_memory.u_write.u_requests.gen_master[0].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[1].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[2].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[3].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[4].u_queue.unsettled ;
  (* hierconn *) wire [3:0] \u_memory.u_write.u_requests.gen_master[0].u_queue.of_local ,
      \u_memory.u_write.u_requests.gen_master[1].u_queue.of_local ,
      \u_memory.u_write.u_requests.gen_master[2].u_queue.of_local ,
      \u_memory.u_write.u_requests.gen_master[3].u_queue.of_local ,
      \u_memory.u_write.u_requests.gen_master[4].u_queue.of_local ;
  (* hierconn *) wire [3:0] \u_memory.u_write.u_requests.u_virtual.watch ,
      \u_memory.u_write.u_requests.u_shape.watch , \u_memory.u_write.u_requests.u_page.watch ;
  (* hierconn *) wire [31:0] \u_memory.u_write.u_requests.u_virtual.watched ;
  (* hierconn *) wire [38:0] \u_memory.u_write.u_requests.u_shape.watched ;
  logic [5:0] ours_last_beat;
  assign ours_last_beat = ours_q.words - 6'd1;
  (* hierconn *) wire [24:0] \u_memory.u_write.u_requests.head_beat ;
  (* hierconn *) wire [46:0] \u_memory.u_write.u_requests.u_page.watched ;
  (* hierconn *) wire        \u_memory.u_translate.lookup_valid_q ,
      \u_memory.u_translate.response_valid_o ;
  (* hierconn *) wire [3:0]  \u_memory.u_translate.lookup_port_q ,
      \u_memory.u_translate.response_port_o , \u_memory.u_translate.vmid_q ;
  (* hierconn *) wire [14*3-1:0] \u_memory.u_translate.waiting_q ;
  (* hierconn *) wire [14*4-1:0] \u_memory.u_translate.of_watched_q ;
  (* hierconn *) wire [39:12] \u_memory.u_translate.page_q ;
  (* hierconn *) wire        \u_memory.u_translate.response_fault_o ,
      \u_memory.u_translate.response_local_o ;
  (* hierconn *) wire [54:12] \u_memory.u_translate.response_page_o ;
  (* hierconn *) wire [1:0]  \u_memory.u_write.u_requests.state_q ,
      \u_memory.u_write.u_requests.retranslate_slot_q ;
  (* hierconn *) wire [2:0]  \u_memory.u_write.u_requests.retranslate_master_q ;
  (* hierconn *) wire [31:0] \u_memory.u_write.u_requests.retranslate_virtual ;
  (* hierconn *) wire [4:0]  \u_memory.u_write.u_requests.retranslate ;
  (* hierconn *) wire [14:0] \u_memory.u_write.heads ; // {to_local, to_system, begun}
  (* hierconn *) wire [9:0]  \u_memory.u_write.u_requests.head_slot ;
  (* hierconn *) wire        \u_memory.u_write.u_requests.keep ,
      \u_memory.u_write.u_arbiter.system_owned_q ;
  (* hierconn *) wire [3:0]  \u_memory.u_write.u_requests.keep_place ;
  (* hierconn *) wire [2:0]  \u_memory.u_write.index ;
  (* hierconn *) wire        \u_memory.u_write.u_performed.system_room_o ;

  logic [14:0] occupied_all, translated_all;
  logic [24:0] unsettled_all;
  logic [4:0]  here_all;
  assign occupied_all = {\u_memory.u_write.u_requests.gen_master[4].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[3].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[2].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[1].u_queue.occupied ,
      \u_memory.u_write.u_requests.gen_master[0].u_queue.occupied };
  assign translated_all = {\u_memory.u_write.u_requests.gen_master[4].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[3].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[2].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[1].u_queue.translated ,
      \u_memory.u_write.u_requests.gen_master[0].u_queue.translated };
  assign unsettled_all = {\u_memory.u_write.u_requests.gen_master[4].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[3].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[2].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[1].u_queue.unsettled ,
      \u_memory.u_write.u_requests.gen_master[0].u_queue.unsettled };
  assign here_all = {\u_memory.u_write.u_requests.gen_master[4].u_queue.of_local [place_q[1:0]],
      \u_memory.u_write.u_requests.gen_master[3].u_queue.of_local [place_q[1:0]],
      \u_memory.u_write.u_requests.gen_master[2].u_queue.of_local [place_q[1:0]],
      \u_memory.u_write.u_requests.gen_master[1].u_queue.of_local [place_q[1:0]],
      \u_memory.u_write.u_requests.gen_master[0].u_queue.of_local [place_q[1:0]]};
  function automatic logic [3:0] ram_place(input logic [2:0] of, input logic [1:0] slot);
    ram_place = of == 3'd0                ? {2'b00, slot} :
                of == 3'd1 || of == 3'd2 ? {2'b01, of[1], slot[0]} : {1'b1, of[2], slot};
  endfunction

  assign occupied   = occupied_all[master*3 +: 3];
  assign translated = translated_all[master*3 +: 3];

  logic [1:0] slot;
  logic [3:0] ram;
  logic       short_queue;
  assign short_queue = master == 3'd1 || master == 3'd2;
  assign slot = (\u_memory.u_write.u_requests.head_slot [master*2 +: 2] + place_q[1:0]) &
                {!short_queue, 1'b1};
  assign ram  = ram_place(master, slot);
  assign \u_memory.u_write.u_requests.u_virtual.watch      = ram;
  assign \u_memory.u_write.u_requests.u_shape.watch        = ram;
  assign \u_memory.u_write.u_requests.u_page.watch         = ram;

  logic        looking, answering;         // up for this master
  logic        answering_ours, response_stands;
  logic [3:0]  port;
  logic [2:0]  late, late_ours;            // looked up, not answered; before ours
  assign port           = {1'b1, master};
  assign looking        = \u_memory.u_translate.lookup_valid_q &&
                          \u_memory.u_translate.lookup_port_q == port;
  assign answering      = \u_memory.u_translate.response_valid_o &&
                          \u_memory.u_translate.response_port_o == port;
  assign answering_ours = queued_q && answering && place_q == translated;
  assign late           = \u_memory.u_translate.waiting_q [port*3 +: 3];
  assign late_ours      = place_q - translated - {2'd0, answering};
  assign response_stands  = \u_memory.u_translate.response_fault_o == fault &&
                          (\u_memory.u_translate.response_local_o || fault) == here &&
                          \u_memory.u_translate.response_page_o == target;

  // A request enters its queue and is kept in the cycle behind its grant, while it is looked up.
  for (genvar k = 0; k < 5; k++) begin : gen_queue
    logic [2:0] of, held;
    logic       asks, gets;
    assign of   = 3'(k);
    assign held = occupied_all[k*3 +: 3];
    assign asks = \u_memory.u_translate.lookup_valid_q &&
                  \u_memory.u_translate.lookup_port_q == {1'b1, of};
    assign gets = \u_memory.u_translate.response_valid_o &&
                  \u_memory.u_translate.response_port_o == {1'b1, of};
    always_comb if (running_q) begin
      assert ( // translations under way
          held - translated_all[k*3 +: 3] ==
          {2'd0, gets} + \u_memory.u_translate.waiting_q [24 + k*3 +: 3]);
      assert (write_ready[k] == asks);
      if (asks) begin
        assert (\u_memory.u_write.u_requests.keep_place ==
            ram_place(of, (\u_memory.u_write.u_requests.head_slot [k*2 +: 2] + held[1:0]) &
                          {k != 1 && k != 2, 1'b1}));
      end
    end
  end

  logic [4:0] in_midst;                    // of the head, a beat has moved
  for (genvar k = 0; k < 5; k++) begin : gen_in_midst
    assign in_midst[k] = \u_memory.u_write.u_requests.head_beat [k*5 +: 5] != '0;
  end

  logic [4:0] sending;                     // system writes begun
  assign sending = \u_memory.u_write.heads [4:0] & \u_memory.u_write.heads [9:5];

  logic again_asks, again_gets, again_late;
  logic [2:0] again_master;
  assign again_asks = \u_memory.u_translate.lookup_valid_q &&
                      \u_memory.u_translate.lookup_port_q == 4'd13;
  assign again_gets = \u_memory.u_translate.response_valid_o &&
                      \u_memory.u_translate.response_port_o == 4'd13;
  assign again_late = \u_memory.u_translate.waiting_q [39];
  assign again_master = \u_memory.u_write.u_requests.retranslate_master_q ;

  localparam logic [1:0] AgainIdle = 2'd0, AgainAsk = 2'd1, AgainWait = 2'd2;
  logic [1:0] again_state;
  logic       again_ours;
  assign again_state = \u_memory.u_write.u_requests.state_q ;
  assign again_ours  = again_state != AgainIdle && again_master == master && queued_q &&
                       place_q == '0;

  logic head_ours, kept_ours, translated_ours;
  assign head_ours       = queued_q && place_q == '0;
  assign translated_ours = queued_q && place_q < translated;
  assign kept_ours       = \u_memory.u_write.u_requests.keep &&
                           \u_memory.u_write.u_requests.keep_place == ram;

  always_comb if (running_q) begin
    for (int unsigned p = 0; p < 14; p++) begin
      assert (\u_memory.u_translate.waiting_q [p*3 +: 3] <= 3'd4);
    end
    ports_exist: assert ((!\u_memory.u_translate.lookup_valid_q ||
                          \u_memory.u_translate.lookup_port_q < 4'd14) &&
                         (!\u_memory.u_translate.response_valid_o ||
                          \u_memory.u_translate.response_port_o < 4'd14));
    kept_is_looked_up: assert (\u_memory.u_write.u_requests.keep ==
                               (\u_memory.u_translate.lookup_valid_q &&
                                \u_memory.u_translate.lookup_port_q >= 4'd8 &&
                                \u_memory.u_translate.lookup_port_q < 4'd13));
    again_state_exists: assert (again_state <= AgainWait);
    again_under_way: assert (again_gets == (again_state == AgainWait && !again_late) &&
                             (!again_asks || again_state == AgainAsk) &&
                             \u_memory.u_translate.waiting_q [39 +: 3] == {2'd0, again_late} &&
                             (!again_late || again_state == AgainWait));
    if (again_state != AgainIdle) begin
      again_stands: assert (again_master < 3'd5 &&
                            \u_memory.u_write.u_requests.retranslate [again_master] &&
                            \u_memory.u_write.u_requests.retranslate_slot_q ==
                            \u_memory.u_write.u_requests.head_slot [again_master*2 +: 2]);
    end
    if (again_ours) begin
      if (again_state == AgainAsk) begin
        again_is_ours: assert (\u_memory.u_write.u_requests.retranslate_virtual == page);
      end
      if (again_asks) begin
        again_looks_up_ours: assert ({\u_memory.u_translate.vmid_q , \u_memory.u_translate.page_q }
                                     == page);
      end
      if (again_late) again_waits: assert (\u_memory.u_translate.of_watched_q [13*4]);
      if (again_gets) again_response: assert (response_stands);
    end
    if (queued_q) begin
      queued: assert (place_q < occupied && ours_page == page &&
                      ours_q.words != '0 && ours_q.words <= 6'd32 && word < ours_q.words &&
                      asked);
      queued_shape: assert (ours_q.words == 6'd1
                 ? ours_q.first_strobe != '0 && ((ours_q.first_strobe + (ours_q.first_strobe &
                   (~ours_q.first_strobe + 8'd1))) & ours_q.first_strobe) == '0
                 : ours_q.first_strobe[7] && (~ours_q.first_strobe & (~ours_q.first_strobe + 8'd1))
                   == '0 && ours_q.last_strobe[0] &&
                   (ours_q.last_strobe & (ours_q.last_strobe + 8'd1)) == '0);
      if (place_q >= translated + {2'd0, answering} && late_ours < late) begin
        waits_for_ours: assert (\u_memory.u_translate.of_watched_q [port*4 + late_ours]);
      end
      if (answering_ours) response: assert (response_stands);
      kept_once: assert (!kept_ours);
      shapes_stand: assert (\u_memory.u_write.u_requests.u_virtual.watched == page &&
                            \u_memory.u_write.u_requests.u_shape.watched == {ours_q.words != 6'd1 &&
                              ours_q.first_strobe[3:0] == '0, ours_q.words == 6'd1 &&
                              ours_q.first_strobe[3:0] == '0, (ours_q.words == 6'd1 ?
                              ours_q.first_strobe[7:4] : ours_q.last_strobe[7:4]) != '0,
                              ours_last_beat[4:0], ours_bits[30:0]});
      if (translated_ours) begin
        translation_stands: assert (here_all[master] == here &&
                                    \u_memory.u_write.u_requests.u_page.watched [43:0] ==
                                    {target[54:32] != '0, target} &&
                                    \u_memory.u_write.u_requests.u_page.watched [46] == fault);
      end
      if (place_q != '0) ours_waits: assert (moved_q == '0);
      else begin
        moved_stands: assert (moved_q < ours_q.words &&
                              \u_memory.u_write.u_requests.head_beat [master*5 +: 5] ==
                              moved_q[4:0]);
        if (moved_q != '0 && !here) begin
          next_beat: assert (index == moved_q &&
                             begun.address == {target, ours_bits[30:22]} &&
                             begun.words == ours_q.words &&
                             begun.first_strobe == ours_q.first_strobe &&
                             begun.last_strobe == ours_q.last_strobe);
        end
      end
    end

    // the granted master
    local_selected: assert ((\u_memory.u_write.select &
                             (\u_memory.u_write.select - 6'd1)) == '0);
    if (\u_memory.u_write.select [5]) assert (\u_memory.u_write.index == 3'd5);
    for (int unsigned k = 0; k < 5; k++) begin
      if (\u_memory.u_write.select [k]) assert (\u_memory.u_write.index == k[2:0]);
    end
    // Of the writes that have begun only one is a system write.
    one_system_write: assert ((sending & (sending - 5'd1)) == '0 &&
                              \u_memory.u_write.u_arbiter.system_owned_q == (sending != '0));
    middle_keeps_the_side: assert (
        (in_midst & \u_memory.u_write.heads [9:5] & ~sending) == '0);
    middle_is_begun: assert (index == '0 || sending != '0);
    if (head_ours && sending[master]) middle_is_counted: assert (index == moved_q);
  end

  // --- the inside: beats handed over, not told -------------------------------------------
  logic [B:0]  beats, statuses, accepts;   // accepts: what rf_pcie tells of now too
  logic [(1<<B)-1:0] lasts_q;              // by place in u_beats
  assign beats    = \u_memory.u_write.u_performed.u_beats.write_q - \u_memory.u_write.u_performed.u_beats.read_q ;
  assign statuses = \u_memory.u_write.u_performed.u_status.write_q - \u_memory.u_write.u_performed.u_status.read_q ;
  assign accepts  = statuses + {{B{1'b0}}, late_accepted_q};
  always_ff @(posedge clk_i) begin
    if (beat) lasts_q[\u_memory.u_write.u_performed.u_beats.write_q [B-1:0]] <= system_write.last;
  end

  // Where the word's beat and the last beat of the marked request are.
  logic [B:0] word_at_q, last_at_q;        // beats before them
  logic       word_in_q = 1'b0, last_in_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) begin
    if (word_moves && moves_system) begin
      word_in_q <= 1'b1;
      word_at_q <= beats - {{B{1'b0}}, told};
    end else if (told && word_in_q) begin
      if (word_at_q == '0) word_in_q <= 1'b0;
      word_at_q <= word_at_q - 1'b1;
    end
    if (ours_moves && moves_system && head_is_last) begin
      last_in_q <= 1'b1;
      last_at_q <= beats - {{B{1'b0}}, told};
    end else if (told && last_in_q) begin
      if (last_at_q == '0) last_in_q <= 1'b0;
      last_at_q <= last_at_q - 1'b1;
    end
  end

  logic [(1<<B)-1:0] ours_last, accepted_flags, before_flags;
  for (genvar j = 0; j < (1<<B); j++) begin : gen_beat
    logic [B-1:0] at, status_place, unaccepted;
    logic       valid, is_accepted, is_queued;
    assign at          = B'(j) - \u_memory.u_write.u_performed.u_beats.read_q [B-1:0];
    assign valid       = {1'b0, at} < beats;
    assign is_accepted = {1'b0, at} < accepts;
    assign is_queued   = {1'b0, at} < statuses;
    assign ours_last[j]      = valid && lasts_q[j] &&
                               \u_memory.u_write.u_performed.u_beats.watched [j*7 + 1 + master];
    assign accepted_flags[j] = ours_last[j] && is_accepted;
    assign before_flags[j]   = ours_last[j] && last_in_q && {1'b0, at} < last_at_q;
    assign status_place      = \u_memory.u_write.u_performed.u_status.read_q [B-1:0] + at;
    assign unaccepted        = at - accepts[B-1:0];
    always_comb if (running_q && valid) begin
      if (is_queued) begin
        assert (\u_memory.u_write.u_performed.u_status.watched [status_place*4 + 3] == lasts_q[j]);
      end else if (is_accepted) begin
        assert (late_last_q == lasts_q[j]);
      end else begin
        assert (lasts[unaccepted] == lasts_q[j]);
      end
      // behind the word, before the last beat of its request
      if (given && !here && (!word_in_q || {1'b0, at} >= word_at_q) &&
          (queued_q || (last_in_q && {1'b0, at} < last_at_q))) begin
        assert (!lasts_q[j]);
      end
    end
  end
  function automatic logic [4:0] sum(input logic [(1<<B)-1:0] flags);
    sum = '0;
    for (int unsigned i = 0; i < (1<<B); i++) sum = sum + {4'd0, flags[i]};
  endfunction

  (* hierconn *) wire [4:0] \u_memory.u_write.u_performed.local_done_q ;
  logic       here_done;                   // a local one is told to be done
  assign here_done = \u_memory.u_write.u_performed.local_done_q [master];
  logic [4:0] outstanding, done_now;
  logic [B-1:0] last_place, last_status;     // in u_beats, in u_status
  assign last_place  = \u_memory.u_write.u_performed.u_beats.read_q [B-1:0] + last_at_q[B-1:0];
  assign outstanding = unsettled_all[master*5 +: 5];
  assign last_status = \u_memory.u_write.u_performed.u_status.read_q [B-1:0] + last_at_q[B-1:0];
  always_comb if (running_q) begin
    marked_is_asked: assert ((marked_q || !asked) && (!queued_q || !last_in_q) &&
                             (asked || !(queued_q || last_in_q)) &&
                             (!here || !(last_in_q || posted_q || word_in_q)));
    room_for_the_beat: assert (!\u_memory.u_write.u_performed.system_room_o || beats < (1<<B));
    beats_agree: assert (beats <= (1<<B) && accepts <= beats &&
                         {2'd0, beats} == {2'd0, accepts} + count);
    outstanding_agrees: assert (outstanding == sum(ours_last));
    waiting_agrees: assert (waiting == {3'd0, occupied} + {1'b0, sum(ours_last & ~accepted_flags)});
    ready_agrees: assert (ready == {1'b0, sum(accepted_flags)} + {5'd0, here_done});
    if (queued_q) begin
      ahead_in_queue: assert (ahead == {3'd0, place_q} + {1'b0, sum(ours_last)} +
                                       {5'd0, here_done} && !performed && !last_in_q);
      given_by_moves: assert (given == (moved_q > word));
      if (!given) not_yet: assert (!stored && !posted_q && !word_in_q);
      if (given && here) given_here: assert (stored == !fault && !posted_q && !word_in_q);
    end else if (last_in_q) begin
      ahead_in_beats: assert (given && ahead == {1'b0, sum(before_flags)} +
                                                {5'd0, here_done} &&
                              last_at_q < beats && performed == (last_at_q < accepts));
      last_is_ours: assert (ours_last[last_place]);
      if (performed && last_at_q == statuses) begin
        told_status_stands: assert ((late_status_q != rf_pkg::AccessStatusOk) == failed);
      end else if (performed) begin
        status_stands: assert (
            (\u_memory.u_write.u_performed.u_status.watched [last_status*4 +: 3] != rf_pkg::AccessStatusOk) ==
            failed);
      end
    end else if (asked) begin
      ours_ends: assert (performed && given && !posted_q && !word_in_q &&
                         here_done && ahead == '0 && bad == failed);
    end else begin
      nothing: assert (!given && !stored && !performed && !failed && !posted_q && !word_in_q);
    end
    if ((queued_q || last_in_q) && given && !here && !posted_q && !performed) begin
      in_the_midst: assert (middle && dropped == !stored);
    end
    if (posted_q) word_is_not_stored_yet: assert (given && !stored && !performed);
    word_on_its_way: assert (!posted_q || (word_in_q && ahead_q < count && {2'd0, word_at_q} ==
                                           {2'd0, accepts} + ahead_q));
    if (word_in_q && given && !posted_q) begin
      word_was_accepted: assert (word_at_q < accepts);
    end
    if (word_in_q) begin
      word_is_before_last: assert (word_at_q < beats && (!last_in_q || word_at_q <= last_at_q));
    end
  end

  // --- all this happens -------------------------------------------------------------------
  always_comb if (running_q) begin
    local_write_done: cover (ends && stored && !failed && here && ours_q.words == 6'd2);
    system_write_done: cover (ends && stored && !failed && !here && ours_q.words == 6'd2);
    fault_done: cover (ends && failed && here);
    dropped_done: cover (ends && failed && !here);
    local_behind_system: cover (queued_q && place_q == '0 && here && translated != '0 &&
                                write_data_valid_i[master] && ahead != ready && outstanding != '0);
  end

endmodule

`default_nettype wire
