// SPDX-License-Identifier: Apache-2.0
//
// The write requests of one master, 2 or 4 at most: the state that is needed of all of them at
// once, and the progress of the head. Everything else is in the RAMs of rf_write_requests. Flags
// are ordered by age, the head's first, and shift down when the head ends.
//
// A request is accepted one cycle after its grant; its translation comes at least one cycle later.
// flush_i discards the translations of requests that have not begun: the head requests a new one
// (retranslate_o).
// Promises: requests begin and end in order; a begun request keeps its translation; a request to
// another memory than the previous one (a fault counts as local) does not start until that one is
// performed.

`default_nettype none

module rf_write_queue #(
  parameter int unsigned Entries = 4
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,

  input  wire logic       accept_i,
  output logic            accept_ready_o,
  output logic [1:0]      accept_slot_o,

  // Translations: the first, or that of the head once more.
  input  wire logic       translated_i,
  output logic [1:0]      translated_slot_o,
  input  wire logic       retranslated_i,
  input  wire logic       translated_local_i, // local memory or fault
  input  wire logic       flush_i,
  output logic            retranslate_o,

  // The head: which side may move a beat of it, if there is data.
  output logic            head_to_local_o,
  output logic            head_to_system_o,
  output logic [1:0]      head_slot_o,
  output logic [4:0]      head_beat_o,   // the number of its next beat
  output logic            head_begun_o,
  output logic            head_epoch_o,  // of the beats

  input  wire logic       beat_i,        // a beat moves
  input  wire logic       last_i,        // ... the last of the head
  input  wire logic       system_done_i, // a system request is performed
  input  wire logic       epoch_i
);

  if (Entries != 2 && Entries != 4) begin : gen_bad_entries
    $error("a queue has two or four entries");
  end

  localparam logic [1:0] Last = (Entries == 2) ? 2'd1 : 2'd3;

  function automatic logic [1:0] behind(input logic [1:0] slot);
    behind = (slot + 2'd1) & Last;
  endfunction

  logic [Entries-1:0] occupied_q;    // accepted
  logic [Entries-1:0] translated_q;  // translated at least once
  logic [Entries-1:0] local_q;       // ... and to local memory, or a fault
  logic [Entries-1:0] void_q, void_d; // the translation does not hold any more
  logic [1:0] accept_slot_q, translated_slot_q, head_slot_q;
  logic [4:0] beat_q;
  logic [4:0] system_outstanding_q;  // ended, not performed
  logic       begun_q, epoch_q;
  logic       ends, holds;

  assign accept_ready_o    = !occupied_q[Entries-1];
  assign accept_slot_o     = accept_slot_q;
  assign translated_slot_o = translated_slot_q;
  assign ends              = beat_i && last_i;

  // --- all of them -----------------------------------------------------------------
  always_comb begin
    void_d = flush_i ? translated_q : void_q;
    // What has begun stays as it is, and a response of now is a new one.
    if (begun_q || beat_i || retranslated_i) void_d[0] = 1'b0;
    if (ends) void_d = {1'b0, void_d[Entries-1:1]};
  end

  // The next one to be translated is the oldest that never was.
  logic [Entries-1:0] still_translated, still_local, enters;
  assign still_translated = ends ? {1'b0, translated_q[Entries-1:1]} : translated_q;
  assign still_local      = ends ? {1'b0, local_q[Entries-1:1]} : local_q;
  assign enters = translated_i   ? {still_translated[Entries-2:0], 1'b1} & ~still_translated :
                  retranslated_i ? Entries'(1) : '0;

  always_ff @(posedge clk_i) begin
    local_q <= translated_local_i ? still_local | enters : still_local & ~enters;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      occupied_q        <= '0;
      translated_q      <= '0;
      void_q            <= '0;
      accept_slot_q     <= '0;
      translated_slot_q <= '0;
      head_slot_q       <= '0;
    end else begin
      if (accept_i && !ends) occupied_q <= {occupied_q[Entries-2:0], 1'b1};
      else if (ends && !accept_i) occupied_q <= {1'b0, occupied_q[Entries-1:1]};
      translated_q <= still_translated | (translated_i ? enters : '0);
      void_q <= void_d;
      if (accept_i) accept_slot_q <= behind(accept_slot_q);
      if (translated_i) translated_slot_q <= behind(translated_slot_q);
      if (ends) head_slot_q <= behind(head_slot_q);
    end
  end

  // --- the head ----------------------------------------------------------------------
  assign holds            = translated_q[0] && !void_q[0];
  assign retranslate_o    = translated_q[0] && void_q[0];
  assign head_slot_o      = head_slot_q;
  assign head_to_local_o  = holds && local_q[0] && system_outstanding_q == '0;
  assign head_to_system_o = holds && !local_q[0];
  assign head_beat_o      = beat_q;
  assign head_begun_o     = begun_q;
  assign head_epoch_o     = begun_q ? epoch_q : epoch_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q               <= '0;
      begun_q              <= 1'b0;
      system_outstanding_q <= '0;
    end else begin
      if (beat_i) begin
        beat_q  <= ends ? 5'd0 : beat_q + 5'd1;
        begun_q <= !ends;
      end
      if ((ends && !local_q[0]) != system_done_i) begin
        system_outstanding_q <= system_outstanding_q + {{4{system_done_i}}, 1'b1};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_i) epoch_q <= head_epoch_o;
  end

endmodule

`default_nettype wire
