// SPDX-License-Identifier: Apache-2.0
//
// Writes of all masters and of the CPU: translated ahead, then moved beat by beat to
// local memory or to the PCIe endpoint; snoop and done.
//
// Each cycle one beat, to local memory or to the system: round robin of masters and CPU,
// beat by beat, but that system writes do not mix; chosen one cycle ahead (rf_select). A beat
// that the system side does not take at once stands in a register, so nothing of the local
// side depends on the system side, but for the snoop bus: when both have a word to show it is
// the local one, and no local word moves in that cycle, so that the other is next.
//
// Promises (design section 4): the requests of one master are performed and done
// in order. Done and snoop come not before performed: with local memory in the cycle
// after the commit, with the system in the cycle in which rf_pcie tells that it accepted
// the beat on the posted stream; the snoop of a write not after its done. Every full
// aligned word is snooped, once. Done and snoop follow from registers alone.
//
// A master offers the first word of a request only when the others follow
// without waiting for another access.
//
// A request is taken in the cycle behind the grant of its translation, and stays until then;
// the fence unit's in the cycle of the grant. Unloaded latency: t request, t+3 beat (if its data
// is there); then one beat a cycle, also across requests to the same memory: of the fence unit
// of any length, of the engines from two words on.

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
  logic       open_q;                         // for a system beat: none waits, and there is room

  for (genvar m = 0; m < 5; m++) begin : gen_hint
    assign hint[m] = translated_i && translated_port_i == m;
  end

  // A beat that the system side did not take at once.
  logic        waits_q, waits_d, waiting_last_q, waiting_epoch_q;
  logic [4:0]  waiting_master_q, system_master;  // one-hot
  logic [2:0]  waiting_index_q;
  logic [3:0]  waiting_place_q;
  logic [4:0]  waiting_beat_q;
  logic [63:0] waiting_q;

  // A write that was offered keeps the side until its last beat is taken. The choice goes round by
  // beats; so that the side goes round by writes, who began one waits for those who ask and did
  // not, and when nobody is left a new round begins.
  logic [4:0] begins, served_q;
  logic       unserved;
  assign begins     = system_offers & write_data_valid_i & ~begun;
  assign unserved   = (to_system & write_data_valid_i & ~served_q & ~begins) != '0;
  assign system_may = to_system & (begun | ~({5{system_owned_q}} | served_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) served_q <= '0;
    else served_q <= unserved ? served_q | begins : 5'd0;
  end

  logic cpu_turn;
  assign cpu_turn    = select[5] && !gives_way;
  assign local_may   = here & {5{!gives_way}};
  assign request     = {cpu_valid_i, (here | (system_may & {5{!waits_q}})) & write_data_valid_i};
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
  assign system_valid_o = waits_q || (system_offers & write_data_valid_i) != '0;
  assign system_beats   = system_valid_o && system_ready_i;
  assign waits_d        = system_valid_o && !system_ready_i;
  assign system_master  = waits_q ? waiting_master_q : select[4:0];
  assign system_owned_d = system_valid_o ? !(system_ready_i && system_o.last) : system_owned_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      system_owned_q <= 1'b0;
      waits_q        <= 1'b0;
    end else begin
      system_owned_q <= system_owned_d;
      waits_q        <= waits_d;
    end
  end

  // --- the beat chosen -----------------------------------------------------------------------
  logic [26:0]  local_shape;   // {of each strobe whether it is full, va[11:3], first strobe, last}
  logic [4:0]   last_beat;     // number of the last beat
  logic [30:0]  system_shape;  // {va[11:3], words, first strobe, last strobe}
  logic [4:0]   number, system_number;
  logic         first, last, local_fault;
  logic [1:0]   slot, local_level;
  logic [3:0]   beat_place, system_place;
  logic [L-1:12] local_page;
  logic [54:12] system_page;
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

  assign first        = number == '0;
  assign last         = number == last_beat;
  assign beat_place   = place(index, slot);
  assign system_place = waits_q ? waiting_place_q : beat_place;

  rf_lutram #(
    .Width    (32),
    .DepthLog2(4)
  ) u_local_shape (
    .clk_i,
    .write_i        (keep),
    .write_address_i(keep_place),
    .write_data_i   ({kept_last, &kept_shape[15:8], &kept_shape[7:0], kept_shape[30:22],
                      kept_shape[15:0]}),
    .read_address_i (beat_place),
    .read_data_o    ({last_beat, local_shape})
  );

  rf_lutram #(
    .Width    (31),
    .DepthLog2(4)
  ) u_system_shape (
    .clk_i,
    .write_i        (keep),
    .write_address_i(keep_place),
    .write_data_i   (kept_shape),
    .read_address_i (system_place),
    .read_data_o    (system_shape)
  );

  rf_lutram #(
    .Width    (L - 12 + 3),
    .DepthLog2(4)
  ) u_local_page (
    .clk_i,
    .write_i        (translated_i),
    .write_address_i(place(written_master, written_slot)),
    .write_data_i   ({translated_fault_i, translated_level_i, translated_page_i[L-1:12]}),
    .read_address_i (beat_place),
    .read_data_o    ({local_fault, local_level, local_page})
  );

  rf_lutram #(
    .Width    (44),
    .DepthLog2(4)
  ) u_system_page (
    .clk_i,
    .write_i        (translated_i),
    .write_address_i(place(written_master, written_slot)),
    .write_data_i   ({translated_page_i[54:32] != '0, translated_page_i}),
    .read_address_i (system_place),
    .read_data_o    ({system_o.four_dw, system_page})
  );

  // --- local side ------------------------------------------------------------------------------
  logic        local_full;
  logic [7:0]  local_strobe;
  logic [11:3] local_word;

  assign local_data_o = data;
  assign cpu_ready_o  = cpu_turn;
  assign local_strobe = first ? local_shape[15:8] : last ? local_shape[7:0] : 8'hff;

  assign local_write_o   = local_moves[5] || (local_moves[4:0] != '0 && !local_fault);
  assign local_strobe_o  = select[5] ? cpu_strobe_i : local_strobe;
  assign local_full      = local_write_o && (select[5] ? cpu_strobe_i == 8'hff :
                                             first     ? local_shape[26] :
                                                         local_shape[25] || !last);
  assign local_word      = local_shape[24:16] + {4'd0, number};
  assign local_address_o = select[5] ? cpu_address_i : {local_page, local_word};

  // --- system side -----------------------------------------------------------------------------
  logic        system_full, system_epoch, system_single, system_low;
  logic [7:0]  system_strobe;
  logic [11:3] system_word;
  logic [2:0]  system_index;

  // How its words lie in DWs.
  assign system_single    = system_shape[21:16] == 6'd1;
  assign system_low       = system_shape[11:8] != '0;
  assign system_o.shifted   = !system_low && !system_single;
  assign system_o.high_only = !system_low && system_single;
  assign system_o.to_high   = (system_single ? system_shape[15:12] : system_shape[7:4]) != '0;

  assign system_number           = waits_q ? waiting_beat_q : number;
  assign system_o.address        = {system_page, system_shape[30:22]};
  assign system_o.words          = system_shape[21:16];
  assign system_o.first_strobe   = system_shape[15:8];
  assign system_o.last_strobe    = system_shape[7:0];
  assign system_o.data           = waits_q ? waiting_q : data;
  assign system_o.first          = system_number == '0;
  assign system_o.last           = waits_q ? waiting_last_q : last;

  assign system_strobe = system_o.first ? system_shape[15:8] :
                         system_o.last  ? system_shape[7:0]  : 8'hff;
  assign system_full   = system_strobe == 8'hff;
  assign system_epoch  = waits_q ? waiting_epoch_q : (select[4:0] & beat_epoch) != '0;
  assign system_index  = waits_q ? waiting_index_q : index;
  assign system_word   = system_shape[30:22] + {4'd0, system_number};

  always_ff @(posedge clk_i) begin
    if (!waits_q) begin
      waiting_master_q <= select[4:0];
      waiting_index_q  <= index;
      waiting_place_q  <= beat_place;
      waiting_beat_q   <= number;
      waiting_q        <= data;
      waiting_last_q   <= last;
      waiting_epoch_q  <= system_epoch;
    end
  end

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
    .data_i ({system_epoch, system_index, system_full}),
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
    .data_i ({system_page, system_word, system_o.data}),
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
    else open_q <= told_room_d && !waits_d;
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
    local_failed_q  <= local_fault;
    local_level_q   <= local_level;
    local_address_q <= local_address_o;
    local_data_q    <= local_data_o;
  end

  assign snoop_valid_o   = local_full_q || tell_snoop;
  assign snoop_local_o   = local_full_q;
  assign snoop_address_o = local_full_q ? {{(55-L){1'b0}}, local_address_q} : beat_address;
  assign snoop_data_o    = local_full_q ? local_data_q : beat_data;
  assign write_done_o    = local_done_q | system_done;

  for (genvar m = 0; m < 5; m++) begin : gen_master
    logic system_moves;

    assign system_moves   = system_beats && system_master[m];
    assign system_done[m] = tell && tell_last && beat_master == m;

    // Ready does not wait for valid: the master's own has far to come.
    assign write_data_ready_o[m] = (select[m] && local_may[m]) || system_offers[m];

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
      .begin_i           (local_moves[m] || (system_valid_o && system_master[m])),
      .beat_i            (local_moves[m] || system_moves),
      .last_i            (local_moves[m] ? last : system_o.last),
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

    assign more = system_beats && system_epoch == e;
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
