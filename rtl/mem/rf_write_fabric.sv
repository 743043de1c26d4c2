// SPDX-License-Identifier: Apache-2.0
//
// Writes of all masters and of the CPU: translated ahead, then moved beat by beat to local memory
// or to the PCIe endpoint; snoop and done. One beat a cycle, chosen one cycle ahead (rf_select):
// round robin of masters and CPU, but beats of one system write stay together. A system beat that
// is not taken is withdrawn while another is chosen, so local writes go on at least every other
// cycle. If both sides have a word to snoop, the local one goes first and the system's is next.
//
// Promises (design section 4): requests of one master are performed and done in order. Done and
// snoop come when a write is performed, not before: local memory in the cycle after the commit, the
// system when rf_pcie has accepted the beat; the snoop of a write not after its done. Every full
// aligned word is snooped once. A master offers the first word of a request only when the others
// follow without waiting for another access.
//
// Latency without load: t request, t+3 beat; then one beat a cycle, also from request to request.
// The fence unit's request is taken with the grant, others' a cycle later.

`default_nettype none

module rf_write_fabric #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Masters
  input  wire logic [4:0]   write_valid_i,
  output logic [4:0]        write_ready_o,
  input  wire logic [rf_bus_pkg::WriteMasters*rf_bus_pkg::WriteRequestWidth-1:0] write_i,
  input  wire logic [4:0]   write_data_valid_i,
  output logic [4:0]        write_data_ready_o,
  input  wire logic [5*64-1:0] write_data_i,
  output logic [4:0]        write_done_o,
  output logic [5*3-1:0]    write_done_status_o,
  output logic [5*2-1:0]    write_done_level_o,

  // Translation: one port per master and one to translate again
  output logic [5:0]        translate_valid_o,
  input  wire logic [5:0]   translate_ready_i,
  output logic [6*57-1:0]   translate_o,
  input  wire logic [31:0]  translate_seen_i,  // {vmid, virtual_page} granted a cycle ago
  input  wire logic         translated_i,
  input  wire logic [2:0]   translated_port_i,
  input  wire logic         translated_fault_i,
  input  wire logic [1:0]   translated_level_i,
  input  wire logic         translated_local_i,
  input  wire logic [54:12] translated_page_i,
  input  wire logic         flush_i,
  input  wire logic         epoch_i,
  output logic              old_in_flight_o,

  // System writes
  output logic              system_valid_o,
  input  wire logic         system_ready_i,
  output rf_bus_pkg::system_write_t system_o,
  input  wire logic         system_accepted_i,
  input  wire logic         system_accepted_last_i,
  input  wire logic [2:0]   system_accepted_status_i,

  // CPU writes of local memory
  input  wire logic         cpu_valid_i,
  output logic              cpu_ready_o,
  input  wire logic [LocalMemoryLog2-1:3] cpu_address_i,
  input  wire logic [63:0]  cpu_data_i,
  input  wire logic [7:0]   cpu_strobe_i,

  // Local memory
  output logic              local_write_o,
  output logic [LocalMemoryLog2-1:3] local_address_o,
  output logic [63:0]       local_data_o,
  output logic [7:0]        local_strobe_o,

  output logic              snoop_valid_o,
  output logic              snoop_local_o,
  output logic [54:3]       snoop_address_o,
  output logic [63:0]       snoop_data_o,

  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end

  localparam int unsigned W = rf_bus_pkg::WriteRequestWidth;
  localparam int unsigned L = LocalMemoryLog2;
  localparam logic [2:0]  Again = 3'd5;  // translation port

  // The RAMs have 16 words: four slots each for the fence unit and the engines, which
  // may write a word every cycle; two for the update port and the interrupt ring.
  localparam logic [4:0] Short = (5'd1 << rf_bus_pkg::WriteUpdate) |
                                 (5'd1 << rf_bus_pkg::WriteInterrupt);

  function automatic logic [3:0] place(input logic [2:0] master, input logic [1:0] slot);
    place = (master == 3'd0)                 ? {2'b00, slot} :
            (master == 3'd1 || master == 3'd2) ? {2'b01, master[1], slot[0]} :
                                               {1'b1, master[2], slot};
  endfunction

  // --- requests ------------------------------------------------------------------------
  logic [4:0]  accept_ready, again, here, to_system, begun, beat_epoch;
  logic [24:0] head_beat;
  logic [9:0]  accept_slot, translated_slot, head_slot;
  logic [4:0]  accept;

  logic [4:0]  keeps;          // master whose request is looked up
  logic [2:0]  kept;
  logic [1:0]  kept_slot;
  logic [30:0] kept_shape;     // {va[11:3], words, first strobe, last strobe}
  logic [4:0]  kept_last;      // number of its last beat

  assign accept                  = translate_ready_i[4:0];
  assign write_ready_o           = accept;
  assign translate_valid_o[4:0]  = write_valid_i & accept_ready;

  for (genvar m = 0; m < 5; m++) begin : gen_translate
    // {vmid, va[63:12]} of the request
    assign translate_o[m*57 +: 57] = {write_i[m*W + W-1 -: 56], 1'b1};
  end

  // A request is kept in the cycle behind its grant, before its translation comes. Masters learn
  // of the grant then; only the fence unit at once (port Direct of rf_translate).
  logic        keep_fence_q;
  logic [1:0]  fence_slot_q;
  logic [30:0] fence_shape_q;
  logic        keep;
  logic [3:0]  keep_place;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) keep_fence_q <= 1'b0;
    else keep_fence_q <= accept[0];
  end
  always_ff @(posedge clk_i) begin
    fence_slot_q  <= accept_slot[1:0];
    fence_shape_q <= write_i[30:0];
  end

  assign keeps      = {accept[4:1], keep_fence_q};
  assign keep       = keeps != '0;
  assign keep_place = place(kept, kept_slot);
  assign kept_last  = kept_shape[20:16] - 5'd1;

  always_comb begin
    kept       = '0;
    kept_slot  = keep_fence_q ? fence_slot_q : '0;
    kept_shape = keep_fence_q ? fence_shape_q : '0;
    for (int unsigned m = 1; m < 5; m++) begin
      if (keeps[m]) begin
        kept       = kept | m[2:0];
        kept_slot  = kept_slot | accept_slot[m*2 +: 2];
        kept_shape = kept_shape | write_i[m*W +: 31];
      end
    end
  end

  // --- translating again: one head at a time ----------------------------------------------
  localparam logic [1:0] AgainIdle = 2'd0;
  localparam logic [1:0] AgainFetch = 2'd1;
  localparam logic [1:0] AgainAsk = 2'd2;
  localparam logic [1:0] AgainWait = 2'd3;

  logic [1:0]  again_state_q;
  logic [2:0]  again_master, again_master_q;
  logic [1:0]  again_slot, again_slot_q;
  logic [31:0] again_virtual;
  logic        translated_again;

  assign translate_valid_o[5]    = again_state_q == AgainAsk;
  assign translate_o[5*57 +: 57] = {again_virtual[31:28], {24{again_virtual[27]}},
                                    again_virtual[27:0], 1'b1};
  assign translated_again        = translated_i && translated_port_i == Again;

  always_comb begin
    again_master = '0;
    again_slot   = '0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (again[m]) begin
        again_master = m[2:0];
        again_slot   = head_slot[m*2 +: 2];
      end
    end
  end

  // Its request was kept long before, and stays until it has begun.
  rf_ram #(
    .Width    (32),
    .DepthLog2(4)
  ) u_virtual (
    .clk_i,
    .write_i        (keep),
    .write_address_i(keep_place),
    .write_data_i   (translate_seen_i),
    .write_strobe_i ('1),
    .read_i         (1'b1),
    .read_address_i (place(again_master_q, again_slot_q)),
    .read_data_o    (again_virtual)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      again_state_q <= AgainIdle;
    end else begin
      unique case (again_state_q)
        AgainIdle:  if (again != '0) again_state_q <= AgainFetch;
        AgainFetch: again_state_q <= AgainAsk;
        AgainAsk:   if (translate_ready_i[5]) again_state_q <= AgainWait;
        default:    if (translated_again) again_state_q <= AgainIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (again_state_q == AgainIdle) begin
      again_master_q <= again_master;
      again_slot_q   <= again_slot;
    end
  end

  // --- translations arrive -------------------------------------------------------------------
  logic [2:0] written_master;
  logic [1:0] written_slot;

  always_comb begin
    written_master = translated_port_i;
    written_slot   = '0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (translated_port_i == m[2:0]) written_slot = written_slot | translated_slot[m*2 +: 2];
    end
    if (translated_again) begin
      written_master = again_master_q;
      written_slot   = again_slot_q;
    end
  end

  // --- who moves a beat -----------------------------------------------------------------
  logic [4:0] hint;                           // the head that a translation may complete
  logic [5:0] request, select, local_moves;
  logic [4:0] local_may, system_may, system_offers;
  logic [2:0] index;
  logic       gives_way;                  // the snoop bus is the system's in the next cycle
  logic       system_owned_q, system_owned_d, system_beats;
  logic [4:0] system_moves;
  logic       open_q;                         // for a system beat there is room

  for (genvar m = 0; m < 5; m++) begin : gen_hint
    assign hint[m] = translated_i && translated_port_i == m;
  end

  // A write whose first beat was taken keeps the side until its last. The choice goes round by
  // beats; so that the side goes round by writes, who began one waits for those who ask and did
  // not, and when nobody is left a new round begins.
  logic [4:0] begins, served_q;
  logic       unserved;
  assign begins     = system_moves & ~begun;
  assign unserved   = (to_system & write_data_valid_i & ~served_q & ~begins) != '0;
  assign system_may = to_system & (begun | ~({5{system_owned_q}} | served_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) served_q <= '0;
    else served_q <= unserved ? served_q | begins : 5'd0;
  end

  logic cpu_turn;
  assign cpu_turn    = select[5] && !gives_way;
  assign local_may   = here & {5{!gives_way}};
  assign request     = {cpu_valid_i, (here | system_may) & write_data_valid_i};
  assign local_moves = {cpu_turn && cpu_valid_i, select[4:0] & local_may & write_data_valid_i};

  rf_select #(
    .Ports(6)
  ) u_select (
    .clk_i,
    .rst_ni,
    .keep_i   (1'b0),
    .request_i(request),
    .hint_i   ({1'b0, hint}),
    .waiting_i({1'b0, here | system_may}),
    .select_o (select),
    .index_o  (index)
  );

  assign system_offers  = select[4:0] & system_may & {5{open_q}};
  assign system_valid_o = (system_offers & write_data_valid_i) != '0;
  assign system_beats   = system_valid_o && system_ready_i;
  assign system_moves   = system_offers & write_data_valid_i & {5{system_ready_i}};
  assign system_owned_d = system_beats ? !last : system_owned_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) system_owned_q <= 1'b0;
    else system_owned_q <= system_owned_d;
  end

  // --- the beat chosen -----------------------------------------------------------------------
  logic [30:0]  shape;         // {va[11:3], words, first strobe, last strobe}
  logic [4:0]   number, last_beat;
  logic         first, last, fault;
  logic [1:0]   slot, level;
  logic [3:0]   beat_place;
  logic [54:12] page;
  logic [11:3]  word;
  logic [7:0]   strobe;
  logic         full;          // all of its bytes are written
  logic [63:0]  data;

  always_comb begin
    slot   = '0;
    number = '0;
    data   = select[5] ? cpu_data_i : 64'd0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (select[m]) begin
        slot   = slot | head_slot[m*2 +: 2];
        number = number | head_beat[m*5 +: 5];
        data   = data | write_data_i[m*64 +: 64];
      end
    end
  end

  rf_lutram #(
    .Width    (36),
    .DepthLog2(4)
  ) u_shape (
    .clk_i,
    .write_i        (keep),
    .write_address_i(keep_place),
    .write_data_i   ({kept_last, kept_shape}),
    .read_address_i (beat_place),
    .read_data_o    ({last_beat, shape})
  );

  rf_lutram #(
    .Width    (47),
    .DepthLog2(4)
  ) u_page (
    .clk_i,
    .write_i        (translated_i),
    .write_address_i(place(written_master, written_slot)),
    .write_data_i   ({translated_fault_i, translated_level_i, translated_page_i[54:32] != '0,
                      translated_page_i}),
    .read_address_i (beat_place),
    .read_data_o    ({fault, level, system_o.four_dw, page})
  );

  assign beat_place = place(index, slot);
  assign first      = number == '0;
  assign last       = number == last_beat;
  assign word       = shape[30:22] + {4'd0, number};
  assign strobe     = first ? shape[15:8] : last ? shape[7:0] : 8'hff;
  assign full       = strobe == '1;

  // --- local side ------------------------------------------------------------------------------
  logic local_full;

  assign cpu_ready_o     = cpu_turn;
  assign local_write_o   = local_moves[5] || (local_moves[4:0] != '0 && !fault);
  assign local_strobe_o  = select[5] ? cpu_strobe_i : strobe;
  assign local_full      = local_write_o && (select[5] ? cpu_strobe_i == '1 : full);
  assign local_address_o = select[5] ? cpu_address_i : {page[L-1:12], word};
  assign local_data_o    = data;

  // --- system side -----------------------------------------------------------------------------
  logic single, low, epoch;

  // How its words lie in DWs.
  assign single             = shape[21:16] == 6'd1;
  assign low                = shape[11:8] != '0;
  assign system_o.shifted   = !low && !single;
  assign system_o.high_only = !low && single;
  assign system_o.to_high   = (single ? shape[15:12] : shape[7:4]) != '0;

  assign system_o.address      = {page, shape[30:22]};
  assign system_o.words        = shape[21:16];
  assign system_o.first_strobe = shape[15:8];
  assign system_o.last_strobe  = shape[7:0];
  assign system_o.data         = data;
  assign system_o.first        = first;
  assign system_o.last         = last;
  assign epoch                 = (select[4:0] & beat_epoch) != '0;

  // --- system beats on their way to the posted stream -------------------------------------------
  localparam int unsigned KindWidth = 1 + 3 + 1;
  localparam int unsigned WordWidth = 52 + 64;
  localparam int unsigned BeatsLog2 = 4;

  logic        beat_valid, word_valid, beat_of_epoch, beat_full;
  logic        performed, tell, tell_snoop, tell_last;
  logic        status_valid, queued_last, unused_status_ready;
  logic [2:0]  beat_master, queued_status, tell_status;
  logic [54:3] beat_address;
  logic [63:0] beat_data;
  logic [BeatsLog2:0] beat_count;
  logic [4:0]  unused_status_count, unused_word_count;
  logic        told_room_d, unused_beat_ready, unused_word_ready;

  rf_fifo #(
    .Width    (KindWidth),
    .DepthLog2(BeatsLog2)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .valid_i(system_beats),
    .ready_o(unused_beat_ready),
    .data_i ({epoch, index, full}),
    .valid_o(beat_valid),
    .ready_i(tell),
    .data_o ({beat_of_epoch, beat_master, beat_full}),
    .count_o(beat_count)
  );

  // What the snoop bus shows of them: there when rf_pcie tells of it at the earliest.
  rf_block_fifo #(
    .Width    (WordWidth),
    .DepthLog2(4)
  ) u_words (
    .clk_i,
    .rst_ni,
    .valid_i(system_beats),
    .ready_o(unused_word_ready),
    .data_i ({page, word, data}),
    .valid_o(word_valid),
    .ready_i(tell),
    .data_o ({beat_address, beat_data}),
    .count_o(unused_word_count)
  );

  // From a register: the masters' ready comes of it.
  assign told_room_d = tell || !(beat_count[BeatsLog2] || (&beat_count[BeatsLog2-1:0] &&
                                                           system_beats));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b1;
    else open_q <= told_room_d;
  end

  // Accepted, not yet told; empty unless local snoops were in the way.
  rf_fifo #(
    .Width    (4),
    .DepthLog2(4)
  ) u_status (
    .clk_i,
    .rst_ni,
    .valid_i(system_accepted_i && !(tell && !status_valid)),
    .ready_o(unused_status_ready),
    .data_i ({system_accepted_last_i, system_accepted_status_i}),
    .valid_o(status_valid),
    .ready_i(tell),
    .data_o ({queued_last, queued_status}),
    .count_o(unused_status_count)
  );

  assign performed   = beat_valid && word_valid && (status_valid || system_accepted_i);
  assign tell_status = status_valid ? queued_status : system_accepted_status_i;
  assign tell_last   = status_valid ? queued_last : system_accepted_last_i;
  assign tell_snoop  = performed && beat_full && tell_status == rf_pkg::AccessStatusOk;
  assign tell        = performed && !(tell_snoop && local_full_q);
  assign gives_way   = tell_snoop && local_full_q;

  // --- snoop and done ---------------------------------------------------------------------------
  logic         local_full_q;       // a full word was committed a cycle ago
  logic [4:0]   local_done_q, system_done;
  logic         local_failed_q;
  logic [1:0]   local_level_q;
  logic [L-1:3] local_address_q;
  logic [63:0]  local_data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      local_full_q <= 1'b0;
      local_done_q <= '0;
    end else begin
      local_full_q <= local_full;
      local_done_q <= local_moves[4:0] & {5{last}};
    end
  end

  always_ff @(posedge clk_i) begin
    local_failed_q  <= fault;
    local_level_q   <= level;
    local_address_q <= local_address_o;
    local_data_q    <= local_data_o;
  end

  assign snoop_valid_o   = local_full_q || tell_snoop;
  assign snoop_local_o   = local_full_q;
  assign snoop_address_o = local_full_q ? {{(55-L){1'b0}}, local_address_q} : beat_address;
  assign snoop_data_o    = local_full_q ? local_data_q : beat_data;
  assign write_done_o    = local_done_q | system_done;

  for (genvar m = 0; m < 5; m++) begin : gen_master
    assign system_done[m] = tell && tell_last && beat_master == m;

    // Ready does not wait for valid: the master's own has far to come.
    assign write_data_ready_o[m] = (select[m] && local_may[m]) ||
                                   (system_offers[m] && system_ready_i);

    rf_write_queue #(
      .Entries(Short[m] ? 2 : 4)
    ) u_queue (
      .clk_i,
      .rst_ni,
      .accept_i          (accept[m]),
      .accept_ready_o    (accept_ready[m]),
      .accept_slot_o     (accept_slot[m*2 +: 2]),
      .translated_i      (translated_i && translated_port_i == m),
      .translated_slot_o (translated_slot[m*2 +: 2]),
      .translated_again_i(translated_again && again_master_q == m),
      .translated_here_i (translated_local_i || translated_fault_i),
      .flush_i,
      .again_o           (again[m]),
      .head_here_o       (here[m]),
      .head_system_o     (to_system[m]),
      .head_slot_o       (head_slot[m*2 +: 2]),
      .head_beat_o       (head_beat[m*5 +: 5]),
      .head_begun_o      (begun[m]),
      .head_epoch_o      (beat_epoch[m]),
      .beat_i            (local_moves[m] || system_moves[m]),
      .last_i            (last),
      .system_done_i     (system_done[m]),
      .epoch_i
    );

    assign write_done_status_o[m*3 +: 3] = system_done[m]  ? tell_status :
                                           local_failed_q ? rf_pkg::AccessStatusTranslation
                                                          : rf_pkg::AccessStatusOk;
    assign write_done_level_o[m*2 +: 2]  = (local_failed_q && !system_done[m]) ? local_level_q
                                                                               : 2'd0;
  end

  // --- in flight, by epoch ---------------------------------------------------------------
  logic [1:0] beats_in_flight;

  for (genvar e = 0; e < 2; e++) begin : gen_epoch
    logic       more, less;
    logic [4:0] count_q;

    assign more = system_beats && epoch == e;
    assign less = tell && beat_of_epoch == e;
    assign beats_in_flight[e] = count_q != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (more != less) count_q <= count_q + {{4{less}}, 1'b1};
    end
  end

  assign old_in_flight_o = beats_in_flight[!epoch_i] ||
                           (begun & (beat_epoch ^ {5{epoch_i}})) != '0;
  // A request translated ahead of its data is not work.
  assign idle_o = begun == '0 && write_data_valid_i == '0 && !beat_valid && !cpu_valid_i &&
                  !snoop_valid_o && write_done_o == '0;

endmodule

`default_nettype wire
