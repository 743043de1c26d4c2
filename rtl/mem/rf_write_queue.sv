// SPDX-License-Identifier: Apache-2.0
//
// The write requests of one master, 2 or 4 at most: what must be known of all of them
// at once. Addresses and strobes lie in the RAMs of rf_write_fabric, slot by slot.
// Entry 0 is the head; entries move down when it ends, so that the head is registers.
//
// A request is accepted when its translation is granted; translations come back in
// order. flush_i voids the translations of requests that have not begun: the head
// asks for a new one (again_o). Promises: requests begin and end in order; a
// begun request keeps its translation; a request to another place (a fault counts as
// local) than the one before does not start until that one is performed.

`default_nettype none

module rf_write_queue #(
  parameter int unsigned Entries = 4
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,

  input  wire logic       accept_i,
  input  wire logic [4:0] accept_words_i,  // modulo 32
  output logic            accept_ready_o,
  output logic [1:0]      accept_slot_o,

  // Translations: the first, or that of the head once more.
  input  wire logic       translated_i,
  output logic [1:0]      translated_slot_o,
  input  wire logic       translated_again_i,
  input  wire logic       translated_here_i,   // local memory or fault
  input  wire logic       translated_fault_i,
  input  wire logic       flush_i,
  output logic            again_o,

  // The head: which side may move a beat of it, if there is data.
  output logic            head_here_o,
  output logic            head_system_o,
  output logic            head_fault_o,
  output logic [1:0]      head_slot_o,
  output logic [4:0]      head_beat_o,  // beats moved
  output logic            head_last_o,  // the next beat is the last
  output logic            head_begun_o,
  output logic            head_epoch_o, // of the beats

  input  wire logic       begin_i,       // offered or moved: must not change any more
  input  wire logic       beat_i,        // a beat moves
  input  wire logic       system_done_i, // a system request is performed
  input  wire logic       epoch_i
);

  logic [Entries-1:0]   occupied_q;    // accepted
  logic [Entries-1:0]   translated_q;  // translated at least once
  logic [Entries-1:0]   good_q, here_q, fault_q;
  logic [5*Entries-1:0] left_q;        // beats behind the next one, per entry
  logic [1:0]  accept_slot_q, translated_slot_q, head_slot_q;
  logic [4:0]  system_outstanding_q;
  logic [4:0]  beat_q;
  logic        begun_q, epoch_q;
  logic        usable, ends;

  assign accept_ready_o    = !occupied_q[Entries-1];
  assign accept_slot_o     = accept_slot_q;
  assign translated_slot_o = translated_slot_q;

  assign usable        = translated_q[0] && (good_q[0] || begun_q);
  assign again_o       = translated_q[0] && !good_q[0] && !begun_q;
  assign head_slot_o   = head_slot_q;
  assign head_fault_o  = fault_q[0];
  assign head_here_o   = usable && here_q[0] && system_outstanding_q == '0;
  assign head_system_o = usable && !here_q[0];
  assign head_beat_o   = beat_q;
  assign head_last_o   = left_q[4:0] == '0;
  assign head_begun_o  = begun_q;
  assign head_epoch_o  = begun_q ? epoch_q : epoch_i;

  assign ends = beat_i && head_last_o;

  localparam logic [1:0] Last = (Entries == 2) ? 2'd1 : 2'd3;

  function automatic logic [1:0] behind(input logic [1:0] slot);
    behind = (slot + 2'd1) & Last;
  endfunction

  for (genvar i = 0; i < Entries; i++) begin : gen_entry
    logic       accept_here, translated_here, new_translation;
    logic       occupied_next, translated_next, good_next, here_next, fault_next;
    logic       is_free, is_free_next, untranslated, untranslated_next;
    logic [4:0] left_next;

    // The first entry that is free, or not yet translated; of this and of the next.
    if (i == 0) begin : gen_first
      assign is_free      = !occupied_q[0];
      assign untranslated = !translated_q[0];
    end else begin : gen_other
      assign is_free      = !occupied_q[i] && occupied_q[i-1];
      assign untranslated = !translated_q[i] && translated_q[i-1];
    end
    if (i == Entries - 1) begin : gen_top
      assign is_free_next      = occupied_q[i];
      assign untranslated_next = translated_q[i];
      assign occupied_next     = 1'b0;
      assign translated_next   = 1'b0;
      assign good_next         = 1'b0;
      assign here_next         = 1'b0;
      assign fault_next        = 1'b0;
      assign left_next         = '0;
    end else begin : gen_below
      assign is_free_next      = !occupied_q[i+1] && occupied_q[i];
      assign untranslated_next = !translated_q[i+1] && translated_q[i];
      assign occupied_next     = occupied_q[i+1];
      assign translated_next   = translated_q[i+1];
      assign good_next         = good_q[i+1];
      assign here_next         = here_q[i+1];
      assign fault_next        = fault_q[i+1];
      assign left_next         = left_q[(i+1)*5 +: 5];
    end

    assign accept_here     = accept_i && (ends ? is_free_next : is_free);
    assign translated_here = translated_i && (ends ? untranslated_next : untranslated);
    assign new_translation = translated_here || (translated_again_i && i == 0);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        occupied_q[i]   <= 1'b0;
        translated_q[i] <= 1'b0;
      end else begin
        occupied_q[i]   <= accept_here || (ends ? occupied_next : occupied_q[i]);
        translated_q[i] <= translated_here || (ends ? translated_next : translated_q[i]);
      end
    end

    always_ff @(posedge clk_i) begin
      good_q[i] <= new_translation || (!flush_i && (ends ? good_next : good_q[i]));
      if (new_translation) begin
        here_q[i]  <= translated_here_i;
        fault_q[i] <= translated_fault_i;
      end else if (ends) begin
        here_q[i]  <= here_next;
        fault_q[i] <= fault_next;
      end
      if (accept_here) left_q[i*5 +: 5] <= accept_words_i - 5'd1;
      else if (ends) left_q[i*5 +: 5] <= left_next;
      else if (beat_i && i == 0) left_q[i*5 +: 5] <= left_q[i*5 +: 5] - 5'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accept_slot_q        <= '0;
      translated_slot_q    <= '0;
      head_slot_q          <= '0;
      beat_q               <= '0;
      begun_q              <= 1'b0;
      system_outstanding_q <= '0;
    end else begin
      if (accept_i) accept_slot_q <= behind(accept_slot_q);
      if (translated_i) translated_slot_q <= behind(translated_slot_q);
      if (ends) begin
        head_slot_q <= behind(head_slot_q);
        beat_q      <= '0;
        begun_q     <= 1'b0;
      end else begin
        if (beat_i) beat_q <= beat_q + 5'd1;
        if (begin_i) begun_q <= 1'b1;
      end
      if (ends && !here_q[0] && !system_done_i) begin
        system_outstanding_q <= system_outstanding_q + 5'd1;
      end else if (!(ends && !here_q[0]) && system_done_i) begin
        system_outstanding_q <= system_outstanding_q - 5'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) epoch_q <= head_epoch_o;
  end

endmodule

`default_nettype wire
