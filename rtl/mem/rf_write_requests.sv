// SPDX-License-Identifier: Apache-2.0
//
// Write requests of all masters, from acceptance to the last beat: translated ahead of their data,
// kept in small RAMs with slots per master (rf_write_queue), and translated again if an
// invalidation comes before their first beat. Shows the next beat of the selected master.
//
// A request is stored one cycle after its grant, in the cycle of its ready; its translation comes
// at least one cycle later. Translations that an invalidation has discarded are requested by a
// separate port, one head at a time:
//
//   Idle   no head has a discarded translation
//   Ask    the port requests the page of the head
//   Wait   until it is answered

`default_nettype none

module rf_write_requests (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [4:0]   write_valid_i,
  output logic [4:0]        write_ready_o,
  input  wire logic [rf_bus_pkg::WriteMasters*rf_bus_pkg::WriteRequestWidth-1:0] write_i,

  // Translation: one port per master and one to translate again
  output logic [5:0]        translate_valid_o,
  input  wire logic [5:0]   translate_ready_i,
  output logic [6*57-1:0]   translate_o,
  input  wire logic [31:0]  translate_seen_i,  // {vmid, virtual_page} granted a cycle ago
  input  wire rf_bus_pkg::translation_t translated_i,  // port: as above
  input  wire logic         flush_i,
  input  wire logic         epoch_i,

  output rf_bus_pkg::write_heads_t heads_o,
  output logic [4:0]        epoch_o,           // of the heads' translations
  input  wire logic [4:0]   select_next_i,     // select_i of the next cycle
  input  wire logic [4:0]   select_i,          // one-hot or none
  input  wire logic [2:0]   index_i,
  output rf_bus_pkg::write_beat_t beat_o,
  input  wire logic [4:0]   moves_i,           // a beat of the head moves
  input  wire logic [4:0]   system_done_i      // a system write is performed
);

  localparam int unsigned W = rf_bus_pkg::WriteRequestWidth;
  localparam logic [3:0]  RetranslatePort = 4'd5;

  // The RAMs have 16 words: four slots each for the fence unit and the engines, which
  // write most; two for the update port and the interrupt ring.
  localparam logic [4:0] Short = (5'd1 << rf_bus_pkg::WriteUpdate) |
                                 (5'd1 << rf_bus_pkg::WriteInterrupt);

  function automatic logic [3:0] place(input logic [2:0] master, input logic [1:0] slot);
    place = (master == 3'd0)                 ? {2'b00, slot} :
            (master == 3'd1 || master == 3'd2) ? {2'b01, master[1], slot[0]} :
                                               {1'b1, master[2], slot};
  endfunction

  typedef enum logic [1:0] {Idle, Ask, Wait} state_e;
  state_e state_q, state_d;

  logic [4:0]  accept_ready, retranslate;
  logic [24:0] head_beat;
  logic [9:0]  accept_slot, translated_slot, head_slot;
  logic        retranslated;
  logic [2:0]  retranslate_master_q;
  logic [1:0]  retranslate_slot_q;

  // --- a request is kept -----------------------------------------------------------------
  logic        keep;
  logic [2:0]  kept_master;
  logic [1:0]  kept_slot;
  logic [30:0] kept_shape;     // {va[11:3], words, first strobe, last strobe}
  logic [4:0]  kept_last;      // the number of its last word
  logic        single, low;    // how its words lie in DWs is worked out once
  logic        shifted, high_only, to_high;
  logic [3:0]  keep_place;

  assign write_ready_o          = translate_ready_i[4:0];
  assign translate_valid_o[4:0] = write_valid_i & accept_ready;

  for (genvar m = 0; m < 5; m++) begin : gen_translate
    // {vmid, va[63:12]} of the request
    assign translate_o[m*57 +: 57] = {write_i[m*W + W-1 -: 56], 1'b1};
  end

  assign keep       = translate_ready_i[4:0] != '0;
  assign keep_place = place(kept_master, kept_slot);

  always_comb begin
    kept_master = '0;
    kept_slot   = '0;
    kept_shape  = '0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (translate_ready_i[m]) begin
        kept_master = kept_master | m[2:0];
        kept_slot   = kept_slot | accept_slot[m*2 +: 2];
        kept_shape  = kept_shape | write_i[m*W +: 31];
      end
    end
  end
  assign kept_last = kept_shape[20:16] - 5'd1;
  assign single    = kept_shape[21:16] == 6'd1;
  assign low       = kept_shape[11:8] != '0;
  assign shifted   = !low && !single;
  assign high_only = !low && single;
  assign to_high   = (single ? kept_shape[15:12] : kept_shape[7:4]) != '0;

  // --- translating again ---------------------------------------------------------------------
  logic [2:0]  retranslate_master;
  logic [1:0]  retranslate_slot;
  logic [31:0] retranslate_virtual;

  assign translate_valid_o[5]    = state_q == Ask;
  assign translate_o[5*57 +: 57] = {retranslate_virtual[31:28], {24{retranslate_virtual[27]}},
                                    retranslate_virtual[27:0], 1'b1};
  assign retranslated            = translated_i.valid && translated_i.port == RetranslatePort;

  always_comb begin
    retranslate_master = '0;
    retranslate_slot   = '0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (retranslate[m]) begin
        retranslate_master = m[2:0];
        retranslate_slot   = head_slot[m*2 +: 2];
      end
    end
  end

  // Its request was kept long before, and stays until it has begun.
  rf_lutram #(
    .Width    (32),
    .DepthLog2(4)
  ) u_virtual (
    .clk_i,
    .write_i        (keep),
    .write_address_i(keep_place),
    .write_data_i   (translate_seen_i),
    .read_address_i (place(retranslate_master_q, retranslate_slot_q)),
    .read_data_o    (retranslate_virtual)
  );

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (retranslate != '0) state_d = Ask;
      Ask:     if (translate_ready_i[5]) state_d = Wait;
      Wait:    if (retranslated) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      retranslate_master_q <= retranslate_master;
      retranslate_slot_q   <= retranslate_slot;
    end
  end

  // --- a translation arrives -------------------------------------------------------------------
  logic [2:0]   written_master;
  logic [1:0]   written_slot;
  logic [54:12] page;
  logic         above;         // 4 GiB

  assign page  = translated_i.page;
  assign above = page[54:32] != '0;

  always_comb begin
    written_master = translated_i.port[2:0];
    written_slot   = '0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (translated_i.port == m[3:0]) written_slot = written_slot | translated_slot[m*2 +: 2];
    end
    if (retranslated) begin
      written_master = retranslate_master_q;
      written_slot   = retranslate_slot_q;
    end
  end

  // --- the beat selected -------------------------------------------------------------------------
  logic [1:0] slot, slot_next, slot_q;
  logic       again, again_ended_q; // a cycle ago the head of the same master ended, or
  logic       again_moved_q;        // moved by a beat before its last
  logic [4:0] number, number_next, number_q, last_number;
  logic [3:0] beat_place;

  always_comb begin
    slot_next   = '0;
    number_next = '0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (select_next_i[m]) begin
        slot_next   = slot_next | head_slot[m*2 +: 2];
        number_next = number_next | head_beat[m*5 +: 5];
      end
    end
  end

  // The slot of the head and its beat are found a cycle ahead, too, for the RAMs and the comparison
  // come behind them. A queue of two has no use for the slot's upper bit.
  assign again = (select_next_i & moves_i) != '0;
  always_ff @(posedge clk_i) begin
    slot_q        <= slot_next;
    number_q      <= number_next;
    again_ended_q <= again && beat_o.last;
    again_moved_q <= again && !beat_o.last;
  end
  assign slot       = slot_q + {1'b0, again_ended_q};
  assign number     = again_ended_q ? '0 : number_q + {4'd0, again_moved_q};
  assign beat_place = place(index_i, slot);

  rf_lutram #(
    .Width    (3 + 5 + 31),
    .DepthLog2(4)
  ) u_shape (
    .clk_i,
    .write_i        (keep),
    .write_address_i(keep_place),
    .write_data_i   ({shifted, high_only, to_high, kept_last, kept_shape}),
    .read_address_i (beat_place),
    .read_data_o    ({beat_o.shifted, beat_o.high_only, beat_o.to_high, last_number,
                      beat_o.offset, beat_o.words, beat_o.first_strobe, beat_o.last_strobe})
  );

  rf_lutram #(
    .Width    (47),
    .DepthLog2(4)
  ) u_page (
    .clk_i,
    .write_i        (translated_i.valid),
    .write_address_i(place(written_master, written_slot)),
    .write_data_i   ({translated_i.fault, translated_i.level, above, page}),
    .read_address_i (beat_place),
    .read_data_o    ({beat_o.fault, beat_o.level, beat_o.four_dw, beat_o.page})
  );

  assign beat_o.number = number;
  assign beat_o.last   = number == last_number;

  // --- state of the requests, by master ----------------------------------------------------------
  for (genvar m = 0; m < 5; m++) begin : gen_master
    rf_write_queue #(
      .Entries(Short[m] ? 2 : 4)
    ) u_queue (
      .clk_i,
      .rst_ni,
      .accept_i          (translate_ready_i[m]),
      .accept_ready_o    (accept_ready[m]),
      .accept_slot_o     (accept_slot[m*2 +: 2]),
      .translated_i      (translated_i.valid && translated_i.port == m),
      .translated_slot_o (translated_slot[m*2 +: 2]),
      .retranslated_i    (retranslated && retranslate_master_q == m),
      .translated_local_i(translated_i.in_local || translated_i.fault),
      .flush_i,
      .retranslate_o     (retranslate[m]),
      .head_to_local_o   (heads_o.to_local[m]),
      .head_to_system_o  (heads_o.to_system[m]),
      .head_slot_o       (head_slot[m*2 +: 2]),
      .head_beat_o       (head_beat[m*5 +: 5]),
      .head_begun_o      (heads_o.begun[m]),
      .head_epoch_o      (epoch_o[m]),
      .beat_i            (moves_i[m]),
      .last_i            (beat_o.last),
      .system_done_i     (system_done_i[m]),
      .epoch_i
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && select_i != '0) begin
      slot_of_the_head: assert (beat_place == place(index_i, head_slot[index_i*2 +: 2]));
      beat_of_the_head: assert (number == head_beat[index_i*5 +: 5]);
    end
  end
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni && write_ready_o != '0)
      taken_was_offered: assert ((write_ready_o & ~translate_valid_o[4:0]) == '0);
  end
  // What masters offer is compared where it comes from.
  logic [4:0] writes_wait_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) writes_wait_q <= '0;
    else writes_wait_q <= write_valid_i & ~write_ready_o;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) offered_request_stays: assert ((writes_wait_q & ~write_valid_i) == '0);
  end
`endif
`endif

endmodule

`default_nettype wire
