// SPDX-License-Identifier: Apache-2.0
//
// The write requests of one master, four at most: pointers and flags; the requests
// themselves lie in the RAMs of rf_write_fabric, slot by slot.
//
// A request is accepted when its translation is granted; translations come back in
// order. flush_i voids the translations of requests that have not begun: the head
// asks for a new one (again_o). Promises: requests begin and end in order; a
// begun request keeps its translation; a request to another place (a fault counts as
// local) than the one before does not start until that one is performed.

`default_nettype none

module rf_write_queue (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,

  input  wire logic       accept_i,
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

  // The head: ready to move a beat, to which side.
  output logic            head_here_o,
  output logic            head_system_o,
  output logic            head_fault_o,
  output logic [1:0]      head_slot_o,
  output logic [4:0]      head_beat_o,  // beats moved
  output logic            head_begun_o,
  output logic            head_epoch_o, // of the beats

  input  wire logic       begin_i,      // offered or moved: must not change any more
  input  wire logic       beat_i,       // a beat moves
  input  wire logic       beat_last_i,
  input  wire logic       system_done_i, // a system request is performed
  input  wire logic       epoch_i
);

  logic [2:0] accept_q, translated_q, head_q;  // slot numbers and a wrap bit
  logic [3:0] good_q, here_q, fault_q;         // per slot: translation holds; flags
  logic [4:0] system_outstanding_q;
  logic [4:0] beat_q;
  logic       begun_q, epoch_q;
  logic       usable;
  logic [1:0] slot;  // of the translation that arrives

  assign accept_ready_o    = accept_q != {!head_q[2], head_q[1:0]};
  assign accept_slot_o     = accept_q[1:0];
  assign translated_slot_o = translated_q[1:0];

  assign head_slot_o   = head_q[1:0];
  assign usable        = (head_q != translated_q) && (good_q[head_slot_o] || begun_q);
  assign again_o       = (head_q != translated_q) && !good_q[head_slot_o] && !begun_q;
  assign head_fault_o  = fault_q[head_slot_o];
  assign head_here_o   = usable && here_q[head_slot_o] && system_outstanding_q == '0;
  assign head_system_o = usable && !here_q[head_slot_o];
  assign head_beat_o   = beat_q;
  assign head_begun_o  = begun_q;
  assign head_epoch_o  = begun_q ? epoch_q : epoch_i;

  assign slot = translated_again_i ? head_slot_o : translated_slot_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accept_q             <= '0;
      translated_q         <= '0;
      head_q               <= '0;
      beat_q               <= '0;
      begun_q              <= 1'b0;
      system_outstanding_q <= '0;
    end else begin
      if (accept_i) accept_q <= accept_q + 3'd1;
      if (translated_i) translated_q <= translated_q + 3'd1;
      if (beat_i && beat_last_i) begin
        head_q  <= head_q + 3'd1;
        beat_q  <= '0;
        begun_q <= 1'b0;
      end else begin
        if (beat_i) beat_q <= beat_q + 5'd1;
        if (begin_i) begun_q <= 1'b1;
      end
      system_outstanding_q <= system_outstanding_q
                              + {4'd0, beat_i && beat_last_i && head_system_o}
                              - {4'd0, system_done_i};
    end
  end

  always_ff @(posedge clk_i) begin
    if (flush_i) good_q <= '0;
    if (translated_i || translated_again_i) begin
      good_q[slot]  <= 1'b1;
      here_q[slot]  <= translated_here_i;
      fault_q[slot] <= translated_fault_i;
    end
    if (begin_i) epoch_q <= head_epoch_o;
  end

endmodule

`default_nettype wire
