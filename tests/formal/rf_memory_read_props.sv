// SPDX-License-Identifier: Apache-2.0
//
// Reads through rf_memory keep read_contract: any id of any master that reads one word
// at a time (wait, fence, update). A read looks once, after it was handed over with
// hold low, and is answered once, behind that, with what it saw: in local memory the
// word as it is in the cycle of the read; in system memory what the read handed to
// rf_pcie sees by the same contract (proved of rf_pcie_requester).
//
// Free: the other masters, the CPU, writes, translations of other pages, invalidations,
// when rf_pcie takes reads. Assumed: the page of the word does not move; a master does
// not use an id again before its response; what is offered stays until it is taken.

`default_nettype none

module rf_memory_read_props (
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
  input  wire rf_bus_pkg::write_accepted_t system_write_accepted_i,
  input  wire rf_bus_pkg::wait_translate_t wait_translate_i,
  input  wire logic         invalidate_busy_i,
  input  wire rf_bus_pkg::register_request_t register_i
);

  localparam int unsigned L = 16;
  localparam int unsigned W = rf_bus_pkg::ReadRequestWidth;

  logic [6:0] read_ready;
  logic [4:0] write_ready;
  logic       wait_translate_ready;
  logic       response_valid, system_read_valid;
  rf_bus_pkg::read_bus_t    response_bus;
  rf_bus_pkg::read_response_t response;
  assign response_valid = response_bus.valid;
  assign response     = response_bus.response;
  rf_bus_pkg::system_read_t system_read;

  rf_memory #(.LocalMemoryLog2(L)) u_memory (
    .clk_i, .rst_ni, .read_valid_i, .read_ready_o(read_ready), .read_i, .read_hold_i,
    .response_o(response_bus),
    .write_valid_i, .write_ready_o(write_ready), .write_i, .write_data_valid_i,
    .write_data_ready_o(), .write_data_i, .write_done_o(),
    .local_write_valid_i, .local_write_ready_o(), .local_write_i, .local_read_valid_i,
    .local_read_ready_o(), .local_read_address_i, .local_response_o(),
    .system_read_valid_o(system_read_valid), .system_read_ready_i, .system_read_o(system_read),
    .system_response_valid_i, .system_response_i,
    .system_write_valid_o(), .system_write_ready_i, .system_write_o(), .system_write_accepted_i,
    .snoop_o(), .wait_translate_i, .wait_translate_ready_o(wait_translate_ready),
    .wait_translated_o(),
    .invalidate_o(), .invalidate_busy_i, .register_i, .register_data_o(),
    .event_fault_o(), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  memory_offers u_offers (
    .clk_i, .rst_ni, .read_valid_i, .read_ready_i(read_ready), .read_i, .write_valid_i,
    .write_ready_i(write_ready), .write_i,
    .wait_translate_valid_i(wait_translate_i.valid), .wait_translate_ready_i(wait_translate_ready),
    .wait_translate_vmid_i(wait_translate_i.vmid), .wait_translate_va_i(wait_translate_i.va));

  // --- one master, one id, one word of local memory ---------------------------------------
  (* anyconst *) logic [2:0]   master;
  (* anyconst *) logic [4:0]   id;
  (* anyconst *) logic [31:0]  page;       // {VMID, page}
  (* anyconst *) logic [L-1:3] watched;
  always_comb assume (master >= 3'd2 && master <= 3'd4);

  rf_bus_pkg::read_request_t request;
  logic [W-1:0] request_bits;
  logic [31:0]  request_page;
  logic         granted, ask, hold;
  assign request      = read_i[master*W +: W];
  assign request_bits = request;
  assign request_page = {request_bits[W-1 -: 4], rf_bus_pkg::virtual_page(request_bits[W-5 -: 52])};
  assign granted      = read_ready[master];
  assign ask          = granted && request.id == id;
  assign hold         = read_hold_i[master];
  always_comb if (granted) assume (request.words == 7'd1);

  (* hierconn *) wire [31:0] \u_memory.u_translate.watched ;
  (* hierconn *) wire [46:0] \u_memory.u_translate.stays ;
  assign \u_memory.u_translate.watched = page;
  logic         fault, here;               // where the page lies
  logic [54:12] target;
  assign fault  = \u_memory.u_translate.stays [46];
  assign here   = \u_memory.u_translate.stays [43] || fault;
  assign target = \u_memory.u_translate.stays [42:0];

  // The word, as local memory is written.
  (* hierconn *) wire         \u_memory.ram_write ;
  (* hierconn *) wire [L-1:3] \u_memory.ram_write_address , \u_memory.ram_read_address ;
  (* hierconn *) wire [63:0]  \u_memory.ram_write_data , \u_memory.ram_read_data ;
  (* hierconn *) wire [7:0]   \u_memory.ram_write_strobe ;
  logic [63:0] word_q, word_d;
  always_comb begin
    word_d = word_q;
    for (int unsigned b = 0; b < 8; b++) begin
      if (\u_memory.ram_write && \u_memory.ram_write_address == watched &&
          \u_memory.ram_write_strobe [b]) begin
        word_d[b*8 +: 8] = \u_memory.ram_write_data [b*8 +: 8];
      end
    end
  end
  always_ff @(posedge clk_i) word_q <= word_d;

  // --- the contracts ------------------------------------------------------------------------
  (* hierconn *) wire [7:0] \u_memory.u_read.local_select , \u_memory.u_read.local_request ;
  (* hierconn *) wire [6:0] \u_memory.u_read.system_select ;
  (* hierconn *) wire       \u_memory.u_read.word_fault ;
  (* anyseq *) logic        system_look;
  (* anyseq *) logic [63:0] system_value;
  logic        out, held, looked, known, system_out, system_held, system_looked, system_known;
  logic        ours_q, page_q, moves_local, moves_system, answered, system_answered;
  logic [63:0] seen, system_seen;
  logic [11:3] offset_q;
  logic [3:0]  response_master, system_response_master, system_read_master;
  logic        look, at_head, in_word;
  assign response_master      = response.master;
  assign system_response_master = system_response_i.master;
  assign system_read_master   = system_read.master;
  assign answered        = response_valid && response_master[2:0] == master && response.id == id;
  assign system_answered = system_response_valid_i && system_response_master[2:0] == master &&
                           system_response_i.id == id;
  assign moves_local     = \u_memory.u_read.local_select [master] &&
                           \u_memory.u_read.local_request [master] && !repeats;
  assign moves_system    = system_read_valid && system_read_ready_i &&
                           system_read_master[2:0] == master;

  // A word that meets a completion is read again: what it brings it sees with the last of these
  // reads. Whether this one is the last the next cycle tells; here it is guessed, and a guess
  // that is wrong is no run.
  (* hierconn *) wire \u_memory.u_read.word_waits , \u_memory.u_read.word_valid_q ;
  (* anyseq *) logic  repeats_next;
  logic               repeats, guess_q, local_look;
  assign repeats = \u_memory.u_read.word_waits ;
  always_ff @(posedge clk_i) guess_q <= repeats_next;
  always_comb if (running_q && \u_memory.u_read.word_valid_q ) assume (repeats == guess_q);
  assign local_look = ((at_head && moves_local) || (in_word && repeats)) && !repeats_next;
  assign look       = local_look || (system_out && system_look);

  read_contract #(.Promised(1'b1)) u_face (
    .clk_i, .rst_ni, .ask_i(ask), .next_i(granted && !ask), .hold_i(hold), .look_i(look),
    .known_i(local_look ? \u_memory.ram_read_address == watched : 1'b1),
    .value_i(local_look ? word_d : system_value),
    .response_i(answered), .last_i(response.last), .bad_i(response.status != rf_pkg::AccessStatusOk),
    .data_i(response.data),
    .out_o(out), .held_o(held), .looked_o(looked), .known_o(known), .seen_o(seen));

  read_contract #(.Promised(1'b0)) u_system (
    .clk_i, .rst_ni, .ask_i(moves_system && system_read.id == id), .next_i(1'b0),
    .hold_i(1'b0), .look_i(system_look), .known_i(1'b1), .value_i(system_value),
    .response_i(system_answered), .last_i(system_response_i.last),
    .bad_i(system_response_i.status != rf_pkg::AccessStatusOk), .data_i(system_response_i.data),
    .out_o(system_out), .held_o(system_held), .looked_o(system_looked),
    .known_o(system_known), .seen_o(system_seen));

  // --- reads go where they were asked to go -------------------------------------------------
  always_ff @(posedge clk_i) if (granted) begin
    ours_q   <= ask;
    page_q   <= request_page == page;
    offset_q <= request_bits[23:15];
  end
  logic [L-1:3] address_q;                 // of the word read
  always_ff @(posedge clk_i) if (at_head && moves_local) address_q <= \u_memory.ram_read_address ;
  logic [54:3] system_address;
  assign system_address = system_read.address;
  always_comb if (running_q) begin
    if (at_head && moves_local && page_q) begin
      reads_its_word: assert (here && \u_memory.u_read.word_fault == fault &&
                              (fault || \u_memory.ram_read_address ==
                                        {target[L-1:12], offset_q}));
    end
    if (in_word && repeats) begin
      reads_its_word_again: assert (\u_memory.ram_read_address == address_q);
    end
    if (moves_system) begin
      system_read_is_ours: assert (!ours_q || (at_head && system_read.id == id));
      system_reads_one: assert (system_read.words == 7'd1);
    end
    if (at_head && moves_system && page_q) begin
      system_reads_its_word: assert (!here && system_address == {target, offset_q});
    end
  end

  // --- the inside ------------------------------------------------------------------------------
  (* hierconn *) wire [6:0] \u_memory.u_read.taken_q , \u_memory.u_read.head_valid_q ,
      \u_memory.u_read.head_here_q , \u_memory.u_read.head_fault_q , \u_memory.u_read.burst_q ;
  (* hierconn *) wire [2:0] \u_memory.u_read.local_index , \u_memory.u_read.system_index ;
  (* hierconn *) wire       \u_memory.u_read.system_lock_q ,
      \u_memory.u_read.word_last_q , \u_memory.u_read.word_fault_q ;
  (* hierconn *) wire [L-1:3] \u_memory.u_read.word_address_q ;
  (* hierconn *) wire [3:0] \u_memory.u_read.word_master_q ;
  (* hierconn *) wire [4:0] \u_memory.u_read.word_id_q ;
  (* hierconn *) wire [2:0] \u_memory.u_read.u_system_request.watch ,
      \u_memory.u_read.u_system_page.watch , \u_memory.u_read.u_local_request.watch ,
      \u_memory.u_read.u_local_page.watch ;
  (* hierconn *) wire [20:0] \u_memory.u_read.u_system_request.watched ,
      \u_memory.u_read.u_local_request.watched ;
  (* hierconn *) wire [42:0]   \u_memory.u_read.u_system_page.watched ;
  (* hierconn *) wire [L-11:0] \u_memory.u_read.u_local_page.watched ;
  (* hierconn *) wire        \u_memory.u_translate.lookup_valid_q ,
      \u_memory.u_translate.response_valid_o , \u_memory.u_translate.response_fault_o ,
      \u_memory.u_translate.response_local_o ;
  (* hierconn *) wire [3:0]  \u_memory.u_translate.lookup_port_q ,
      \u_memory.u_translate.response_port_o , \u_memory.u_translate.vmid_q ;
  (* hierconn *) wire [14*3-1:0] \u_memory.u_translate.waiting_q ;
  (* hierconn *) wire [14*4-1:0] \u_memory.u_translate.of_watched_q ;
  (* hierconn *) wire [39:12] \u_memory.u_translate.page_q ;
  (* hierconn *) wire [54:12] \u_memory.u_translate.response_page_o ;
  (* hierconn *) wire [L-4:0] \u_memory.u_local_memory.gen_lane[0].u_ram.watch ,
      \u_memory.u_local_memory.gen_lane[1].u_ram.watch ,
      \u_memory.u_local_memory.gen_lane[2].u_ram.watch ,
      \u_memory.u_local_memory.gen_lane[3].u_ram.watch ,
      \u_memory.u_local_memory.gen_lane[4].u_ram.watch ,
      \u_memory.u_local_memory.gen_lane[5].u_ram.watch ,
      \u_memory.u_local_memory.gen_lane[6].u_ram.watch ,
      \u_memory.u_local_memory.gen_lane[7].u_ram.watch ;
  (* hierconn *) wire [7:0] \u_memory.u_local_memory.gen_lane[0].u_ram.watched ,
      \u_memory.u_local_memory.gen_lane[1].u_ram.watched ,
      \u_memory.u_local_memory.gen_lane[2].u_ram.watched ,
      \u_memory.u_local_memory.gen_lane[3].u_ram.watched ,
      \u_memory.u_local_memory.gen_lane[4].u_ram.watched ,
      \u_memory.u_local_memory.gen_lane[5].u_ram.watched ,
      \u_memory.u_local_memory.gen_lane[6].u_ram.watched ,
      \u_memory.u_local_memory.gen_lane[7].u_ram.watched ;
  assign \u_memory.u_local_memory.gen_lane[0].u_ram.watch = watched;
  assign \u_memory.u_local_memory.gen_lane[1].u_ram.watch = watched;
  assign \u_memory.u_local_memory.gen_lane[2].u_ram.watch = watched;
  assign \u_memory.u_local_memory.gen_lane[3].u_ram.watch = watched;
  assign \u_memory.u_local_memory.gen_lane[4].u_ram.watch = watched;
  assign \u_memory.u_local_memory.gen_lane[5].u_ram.watch = watched;
  assign \u_memory.u_local_memory.gen_lane[6].u_ram.watch = watched;
  assign \u_memory.u_local_memory.gen_lane[7].u_ram.watch = watched;
  assign \u_memory.u_read.u_system_request.watch = master;
  assign \u_memory.u_read.u_system_page.watch    = master;
  assign \u_memory.u_read.u_local_request.watch  = master;
  assign \u_memory.u_read.u_local_page.watch     = master;

  logic [2:0] late;                        // looked up, not answered
  logic taken, translating, head_valid, looking, answering, in_response;
  logic [20:0] standing;                   // the request
  assign standing    = \u_memory.u_read.u_system_request.watched ;
  assign taken       = \u_memory.u_read.taken_q [master];
  assign head_valid  = \u_memory.u_read.head_valid_q [master];
  assign translating = taken && !head_valid;
  assign looking     = \u_memory.u_translate.lookup_valid_q &&
                       \u_memory.u_translate.lookup_port_q == {1'b0, master};
  assign answering   = \u_memory.u_translate.response_valid_o &&
                       \u_memory.u_translate.response_port_o == {1'b0, master};
  assign late        = \u_memory.u_translate.waiting_q [master*3 +: 3];
  assign at_head     = ours_q && taken;
  assign in_word     = \u_memory.u_read.word_valid_q && \u_memory.u_read.word_id_q == id &&
                       \u_memory.u_read.word_master_q [2:0] == master;
  assign in_response = answered;

  // The word in the memory; the last write, which is kept beside it, is there too.
  (* hierconn *) wire [L-1:3] \u_memory.u_local_memory.last_address_q ;
  (* hierconn *) wire [7:0]   \u_memory.u_local_memory.last_strobe_q ;
  (* hierconn *) wire [63:0]  \u_memory.u_local_memory.last_q ;
  logic [63:0] kept;
  assign kept = {\u_memory.u_local_memory.gen_lane[7].u_ram.watched ,
                 \u_memory.u_local_memory.gen_lane[6].u_ram.watched ,
                 \u_memory.u_local_memory.gen_lane[5].u_ram.watched ,
                 \u_memory.u_local_memory.gen_lane[4].u_ram.watched ,
                 \u_memory.u_local_memory.gen_lane[3].u_ram.watched ,
                 \u_memory.u_local_memory.gen_lane[2].u_ram.watched ,
                 \u_memory.u_local_memory.gen_lane[1].u_ram.watched ,
                 \u_memory.u_local_memory.gen_lane[0].u_ram.watched };
  logic last_stands;
  always_comb begin
    last_stands = 1'b1;
    for (int unsigned b = 0; b < 8; b++) begin
      if (\u_memory.u_local_memory.last_strobe_q [b] &&
          kept[b*8 +: 8] != \u_memory.u_local_memory.last_q [b*8 +: 8]) last_stands = 1'b0;
    end
  end
  always_comb if (running_q && \u_memory.u_local_memory.last_address_q == watched) begin
    last_is_stored: assert (last_stands);
  end
  always_comb if (!running_q) assume (word_q == kept);
  always_comb if (running_q) begin
    word_stands: assert (word_q == kept);
    system_looked_in_turn: assert (!system_looked || system_out);
    translation_under_way: assert (late + {2'd0, answering} == {2'd0, translating} &&
                                   late <= 3'd1 && (taken || !head_valid));
    told_while_looked_up: assert (granted == looking && !(looking && taken));
    never_in_burst: assert (!\u_memory.u_read.burst_q [master]);
    local_selected: assert ((\u_memory.u_read.local_select &
                             (\u_memory.u_read.local_select - 8'd1)) == '0);
    system_selected: assert ((\u_memory.u_read.system_select &
                              (\u_memory.u_read.system_select - 7'd1)) == '0);
    for (int unsigned k = 0; k < 8; k++) begin
      if (\u_memory.u_read.local_select [k]) assert (\u_memory.u_read.local_index == k[2:0]);
    end
    for (int unsigned k = 0; k < 7; k++) begin
      if (\u_memory.u_read.system_select [k]) assert (\u_memory.u_read.system_index == k[2:0]);
    end
    if (\u_memory.u_read.system_lock_q && \u_memory.u_read.system_select [master]) begin
      locked_head: assert (head_valid && !\u_memory.u_read.head_here_q [master] &&
                           (!at_head || !held));
    end
    if (\u_memory.u_read.system_lock_q ) begin
      locked_is_selected: assert (\u_memory.u_read.system_select != '0);
    end
    if (translating || head_valid) begin
      request_stands: assert (standing[11:5] == 7'd1 &&
                              standing == \u_memory.u_read.u_local_request.watched &&
                              (standing[4:0] == id) == ours_q && standing[20:12] == offset_q);
    end
    if (looking && request_page == page) begin
      looked_up: assert ({\u_memory.u_translate.vmid_q , \u_memory.u_translate.page_q } == page);
    end
    if (late != '0 && page_q) begin
      waits_for_ours: assert (\u_memory.u_translate.of_watched_q [master*4]);
    end
    if (answering && page_q) begin
      translated: assert (\u_memory.u_translate.response_fault_o == fault &&
                          (\u_memory.u_translate.response_local_o || fault) == here &&
                          \u_memory.u_translate.response_page_o == target);
    end
    if (head_valid && page_q) begin
      head_stands: assert (\u_memory.u_read.head_here_q [master] == here &&
                           \u_memory.u_read.head_fault_q [master] == fault &&
                           \u_memory.u_read.u_system_page.watched == target &&
                           \u_memory.u_read.u_local_page.watched [L-13:0] == target[L-1:12]);
    end
    looked_in_turn: assert (!looked || out);
    one_place: assert ({3'd0, out} == {3'd0, at_head} + {3'd0, in_word} +
                                      {3'd0, in_response} + {3'd0, system_out});
    looked_there: assert (in_response || looked == (out && !at_head && !(in_word && repeats) &&
                                                  (!system_out || system_looked)));
    if (held) held_at_head: assert (at_head);
    if (system_out) begin
      system_stands: assert (looked == system_looked && (!looked || (known && system_known &&
                                                                     seen == system_seen)));
    end
    if (in_word) begin
      word_stays_there: assert (\u_memory.u_read.word_last_q &&
                                \u_memory.u_read.word_address_q == address_q);
    end
    if (in_word && !repeats) begin
      word_was_seen: assert (looked && (\u_memory.u_read.word_fault_q || !known ||
                                        \u_memory.ram_read_data == seen));
    end
  end

  // --- all this happens ------------------------------------------------------------------------
  logic was_local_q, was_held_q;
  always_ff @(posedge clk_i) begin
    if (at_head) was_local_q <= moves_local;
    if (ask) was_held_q <= 1'b0;
    else if (at_head && head_valid && hold) was_held_q <= 1'b1;
  end
  always_comb if (running_q) begin
    local_read: cover (answered && response.status == rf_pkg::AccessStatusOk && known &&
                       was_local_q && page_q && ours_q);
    system_read_answered: cover (answered && response.status == rf_pkg::AccessStatusOk &&
                                 !was_local_q);
    fault_answered: cover (answered && response.status == rf_pkg::AccessStatusTranslation);
    read_in_the_cycle_of_a_write: cover (look && at_head && \u_memory.ram_write &&
                                         \u_memory.ram_write_address == watched &&
                                         \u_memory.ram_read_address == watched &&
                                         \u_memory.ram_write_strobe == 8'h0f);
    hold_was_heeded: cover (look && at_head && was_held_q);
    late_translation: cover (late != '0 && page_q && ours_q);
    response_waits: cover (in_word && repeats);
  end

endmodule

`default_nettype wire
