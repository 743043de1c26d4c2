// SPDX-License-Identifier: Apache-2.0
//
// What one block promises another about memory, in one text for both proofs: the block
// that promises is proved with Promised = 1, where every rule is asserted; the block
// that relies on it with Promised = 0, where every rule is assumed. The ports are
// events at the face between the two; what the face does not show (when a write is
// performed, when a read sees the word) comes from the RTL on the one side and may be
// any cycle on the other.

`default_nettype none

// The writes of one master, and of one of them, the marked one, one word. When that is
// done another may be marked. "Performed" covers failed: its turn has come and it
// changes nothing.
module write_contract #(
  parameter bit Promised = 1'b0
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       ask_i,       // a request is handed over
  input  wire logic       ours_i,      // ... and is the marked one
  input  wire logic       give_i,      // the word of the marked request is handed over
  input  wire logic       store_i,     // memory takes this word
  input  wire logic       perform_i,   // the oldest request that is not is performed
  input  wire logic       fails_i,     // ... and fails
  input  wire logic       done_i,      // the oldest request that is not is done
  input  wire logic       bad_i,       // ... with a bad status
  output logic            asked_o,     // the marked request: handed over, not done
  output logic            given_o,     // its word too
  output logic            stored_o,    // memory took the word
  output logic            performed_o, // performed or failed
  output logic            failed_o,
  output logic            done_o,      // is done now
  output logic      [5:0] ahead_o,     // requests not done before it
  output logic      [5:0] ready_o,     // requests performed, not done
  output logic      [5:0] waiting_o    // requests not performed
);

  logic perform_ours;
  assign perform_ours = perform_i && asked_o && !performed_o && ahead_o == ready_o;
  assign done_o       = done_i && asked_o && ahead_o == '0;

  initial {asked_o, given_o, stored_o, performed_o, failed_o} = '0;
  initial {ready_o, waiting_o} = '0;
  always_ff @(posedge clk_i) if (rst_ni) begin
    ready_o   <= ready_o + {5'd0, perform_i} - {5'd0, done_i};
    waiting_o <= waiting_o + {5'd0, ask_i} - {5'd0, perform_i};
    if (ask_i && ours_i) begin
      asked_o <= 1'b1;
      ahead_o <= ready_o + waiting_o - {5'd0, done_i};
    end else if (done_i && asked_o) begin
      ahead_o <= ahead_o - 6'd1;
    end
    if (give_i) given_o <= 1'b1;
    if (store_i) stored_o <= 1'b1;
    if (perform_ours) begin
      performed_o <= 1'b1;
      failed_o    <= fails_i;
    end
    if (done_o) {asked_o, given_o, stored_o, performed_o, failed_o} <= '0;
  end

  logic perform_is_due, store_in_turn, performed_as_a_whole, done_is_due, done_tells;
  assign perform_is_due       = !perform_i || waiting_o != '0;
  assign store_in_turn        = !store_i || (asked_o && (given_o || give_i) && !stored_o &&
                                             !performed_o && ahead_o == ready_o);
  assign performed_as_a_whole = !perform_ours || ((given_o || give_i) &&
                                                  fails_i == !(stored_o || store_i));
  assign done_is_due          = !done_i || ready_o != '0;
  assign done_tells           = !done_o || (performed_o && bad_i == failed_o);

  // What the master promises: one marked request at a time.
  logic marked_anew;
  assign marked_anew = !(ask_i && ours_i && asked_o);

  if (Promised) begin : gen_promised
    always_comb assume (marked_anew);
    always_comb if (rst_ni) begin
      write_performed_is_due: assert (perform_is_due);
      write_stored_in_turn: assert (store_in_turn);
      write_performed_as_a_whole: assert (performed_as_a_whole);
      write_done_is_due: assert (done_is_due);
      write_done_tells: assert (done_tells);
    end
  end else begin : gen_assumed
    always_comb assume (perform_is_due && store_in_turn && performed_as_a_whole &&
                        done_is_due && done_tells);
    always_comb if (rst_ni) write_marked_anew: assert (marked_anew);
  end

  always_comb if (rst_ni) begin
    write_in_order: assert ((asked_o || !(stored_o || performed_o)) &&
                            (given_o || !(stored_o || performed_o)) && (performed_o || !failed_o) &&
                            (!performed_o || stored_o == !failed_o));
  end

endmodule

// An offer of a master stays as it is until it is taken.
module offer_contract #(
  parameter int unsigned Width = 1
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             valid_i,
  input  wire logic             ready_i,
  input  wire logic [Width-1:0] offer_i
);

  logic             refused_q = 1'b0;
  logic [Width-1:0] offer_q;
  always_ff @(posedge clk_i) begin
    refused_q <= rst_ni && valid_i && !ready_i;
    offer_q   <= offer_i;
  end
  always_comb if (refused_q) assume (valid_i && offer_i == offer_q);

endmodule

// The offers of all masters of rf_memory.
module memory_offers (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [6:0]  read_valid_i,
  input  wire logic [6:0]  read_ready_i,
  input  wire logic [rf_bus_pkg::ReadMasters*rf_bus_pkg::ReadRequestWidth-1:0] read_i,
  input  wire logic [4:0]  write_valid_i,
  input  wire logic [4:0]  write_ready_i,
  input  wire logic [rf_bus_pkg::WriteMasters*rf_bus_pkg::WriteRequestWidth-1:0] write_i,
  input  wire logic        wait_translate_valid_i,
  input  wire logic        wait_translate_ready_i,
  input  wire logic [3:0]  wait_translate_vmid_i,
  input  wire logic [63:3] wait_translate_va_i
);

  for (genvar m = 0; m < 7; m++) begin : gen_read
    offer_contract #(.Width(rf_bus_pkg::ReadRequestWidth)) u_offer (
      .clk_i, .rst_ni, .valid_i(read_valid_i[m]), .ready_i(read_ready_i[m]),
      .offer_i(read_i[m*rf_bus_pkg::ReadRequestWidth +: rf_bus_pkg::ReadRequestWidth]));
  end
  for (genvar m = 0; m < 5; m++) begin : gen_write
    offer_contract #(.Width(rf_bus_pkg::WriteRequestWidth)) u_offer (
      .clk_i, .rst_ni, .valid_i(write_valid_i[m]), .ready_i(write_ready_i[m]),
      .offer_i(write_i[m*rf_bus_pkg::WriteRequestWidth +: rf_bus_pkg::WriteRequestWidth]));
  end
  offer_contract #(.Width(4 + 61)) u_wait (
    .clk_i, .rst_ni, .valid_i(wait_translate_valid_i), .ready_i(wait_translate_ready_i),
    .offer_i({wait_translate_vmid_i, wait_translate_va_i}));

endmodule

// Reads of one word by one master with one id. A read that is held does not look. The
// value that it must bring is known if the word is.
module read_contract #(
  parameter bit Promised = 1'b0
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        ask_i,      // a read with this id is handed over
  input  wire logic        next_i,     // ... or one with another id
  input  wire logic        hold_i,     // the last one handed over must not look yet
  input  wire logic        look_i,     // the read sees its word
  input  wire logic        known_i,    // ... which has this value
  input  wire logic [63:0] value_i,
  input  wire logic        response_i,   // a response with this id
  input  wire logic        last_i,
  input  wire logic        bad_i,      // ... that tells of a failure
  input  wire logic [63:0] data_i,
  output logic             out_o,      // handed over, not answered
  output logic             held_o,     // ... and held until now
  output logic             looked_o,   // ... and has seen its word
  output logic             known_o,
  output logic      [63:0] seen_o
);

  initial {out_o, held_o, looked_o} = '0;
  always_ff @(posedge clk_i) if (rst_ni) begin
    out_o    <= ask_i || (out_o && !response_i);
    held_o   <= (held_o || ask_i) && hold_i && !next_i;
    looked_o <= (looked_o || look_i) && !response_i;
    if (look_i) begin
      known_o <= known_i;
      seen_o  <= value_i;
    end
  end

  logic look_in_turn, response_is_due, response_is_whole, response_has_looked, response_is_true;
  assign look_in_turn      = !look_i || (out_o && !looked_o && !(held_o && hold_i));
  assign response_is_due   = !response_i || (out_o && !held_o);
  assign response_is_whole = !response_i || last_i;
  assign response_has_looked = !response_i || bad_i || looked_o;
  assign response_is_true  = !response_i || bad_i || !known_o || data_i == seen_o;

  // What the master promises: an id is used again after its response.
  logic asked_anew;
  assign asked_anew = !ask_i || !out_o || response_i;

  if (Promised) begin : gen_promised
    always_comb assume (asked_anew);
    always_comb if (rst_ni) begin
      read_looks_in_turn: assert (look_in_turn);
      read_answered_when_due: assert (response_is_due);
      read_answered_whole: assert (response_is_whole);
      read_answered_after_looking: assert (response_has_looked);
      read_answered_truly: assert (response_is_true);
    end
  end else begin : gen_assumed
    always_comb assume (look_in_turn && response_is_due && response_is_whole && response_has_looked &&
                        response_is_true);
    always_comb if (rst_ni) read_asked_anew: assert (asked_anew);
  end

  always_comb if (rst_ni) read_in_order: assert (out_o || !(held_o || looked_o));

endmodule

// The beats of system writes on their way to the posted stream, at most Beats.
module posted_contract #(
  parameter bit Promised = 1'b0,
  parameter int unsigned Beats = 16
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             beat_i,     // a beat is handed over
  input  wire logic             first_i,    // ... the first, the last of its write
  input  wire logic             last_i,
  input  wire logic             accepted_i, // the oldest is accepted by the link, or dropped
  input  wire logic             accepted_last_i,
  input  wire logic             bad_i,      // dropped
  output logic            [4:0] count_o,    // handed over, not accepted; the oldest at 0
  output logic      [Beats-1:0] lasts_o,
  output logic                  middle_o,   // the next to be accepted is not a first beat
  output logic                  dropped_o   // ... and its write is being dropped
);

  logic [4:0] left;
  assign left = count_o - {4'd0, accepted_i};

  initial {count_o, middle_o} = '0;
  always_ff @(posedge clk_i) if (rst_ni) begin
    count_o <= left + {4'd0, beat_i};
    lasts_o <= ((accepted_i ? lasts_o >> 1 : lasts_o) & ~(Beats'(1) << left)) |
               (Beats'(beat_i && last_i) << left);
    if (accepted_i) begin
      middle_o  <= !accepted_last_i;
      dropped_o <= bad_i;
    end
  end

  logic accepted_is_due, last_is_true, dropped_as_a_whole;
  assign accepted_is_due    = !accepted_i || count_o != '0;
  assign last_is_true       = !accepted_i || accepted_last_i == lasts_o[0];
  assign dropped_as_a_whole = !(accepted_i && middle_o) || bad_i == dropped_o;

  if (Promised) begin : gen_promised
    always_comb if (rst_ni) begin
      posted_accepted_is_due: assert (accepted_is_due);
      posted_last_is_true: assert (last_is_true);
      posted_dropped_as_a_whole: assert (dropped_as_a_whole);
    end
  end else begin : gen_assumed
    always_comb assume (accepted_is_due && last_is_true && dropped_as_a_whole);
  end

endmodule

// What the nodes promise the fence unit: the slot of an operation stands on their bus a cycle
// before the operation is offered.
module operation_slots (
  input  wire logic       clk_i,
  input  wire logic [1:0] valid_i,
  input  wire logic [2*rf_bus_pkg::FenceOperationWidth-1:0] operation_i
);

  rf_bus_pkg::fence_operation_t first, second;
  logic [7:0] named, named_q;
  assign first  = operation_i[0 +: rf_bus_pkg::FenceOperationWidth];
  assign second = operation_i[rf_bus_pkg::FenceOperationWidth +: rf_bus_pkg::FenceOperationWidth];
  assign named  = {second.slot, first.slot};
  always_ff @(posedge clk_i) named_q <= named;
  always_comb begin
    if (valid_i[0]) assume (named[3:0] == named_q[3:0]);
    if (valid_i[1]) assume (named[7:4] == named_q[7:4]);
  end

endmodule

// The other direction: what rf_pcie may rely on of the beats of system writes.
module beat_contract #(
  parameter bit Promised = 1'b0
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic valid_i,   // a beat is offered
  input  wire logic ready_i,   // ... and taken
  input  wire logic ours_i,    // ... of the write that the proof looks at
  input  wire       rf_bus_pkg::system_write_t write_i,
  output logic            [5:0] index_o,   // beats taken of the write under way, up to 63
  output rf_bus_pkg::system_write_t begun_o // the last one taken
);

  initial index_o = '0;
  always_ff @(posedge clk_i) if (rst_ni && valid_i && ready_i) begin
    index_o <= write_i.last ? 6'd0 : index_o + {5'd0, index_o != '1};
    begun_o <= write_i;
  end

  logic [5:0] words;
  logic [7:0] first, last;
  assign words = write_i.words;
  assign first = write_i.first_strobe;
  assign last  = write_i.last_strobe;

  // One run of bytes, up to byte 7 of the first word and from byte 0 of the last.
  logic first_run, only_run, last_run;
  assign first_run = first[7] && (~first & (~first + 8'd1)) == '0;
  assign last_run  = last[0] && (last & (last + 8'd1)) == '0;
  assign only_run  = first != '0 && ((first + (first & (~first + 8'd1))) & first) == '0;

  logic counted, same, shaped;
  logic [54:3] address;
  assign address = write_i.address;
  assign counted = !(valid_i && ours_i) || (words != '0 && words <= 6'd32 &&
                                write_i.first == (index_o == '0) &&
                                write_i.last == (index_o + 6'd1 == words));
  assign same    = !(valid_i && ours_i) || index_o == '0 ||
                   (write_i.address == begun_o.address && words == begun_o.words &&
                    first == begun_o.first_strobe && last == begun_o.last_strobe);
  assign shaped  = !(valid_i && ours_i) ||
                   ((words == 6'd1 ? only_run : first_run && last_run) &&
                    write_i.four_dw == (address[54:32] != '0) &&
                    write_i.shifted == (words != 6'd1 && first[3:0] == '0) &&
                    write_i.high_only == (words == 6'd1 && first[3:0] == '0) &&
                    write_i.to_high == ((words == 6'd1 ? first[7:4] : last[7:4]) != '0));

  if (Promised) begin : gen_promised
    always_comb if (rst_ni) begin
      beats_are_counted: assert (counted);
      beats_are_of_one_write: assert (same);
      beats_are_shaped: assert (shaped);
    end
  end else begin : gen_assumed
    always_comb assume (counted && same && shaped);
  end

endmodule

`default_nettype wire
