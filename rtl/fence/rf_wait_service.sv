// SPDX-License-Identifier: Apache-2.0
//
// Requests of the wait unit: one entry per cycle is visited and starts the translation or read
// that it needs. Visits are round robin and stay at an entry that cannot start yet. The newest
// wait, as soon as it can start, and an entry whose translation is complete are visited out of
// turn; so is an entry that has to read again, unless another one is to be visited so. One request
// is offered at a time and one translation is under way at a time; every entry may have a read
// under way. The address is looked up in the cycle of the visit (slot_o -> asked_*_i) if lookup_i
// allows it. A fault stays until fault_taken_i; the next translation starts after it.
// Promises: an offered request stays until it is accepted; rereads leave each second visit to the
// entries in turn.
// Latency: visit to valid 1 cycle.

`default_nettype none

module rf_wait_service (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  input  wire logic [15:0]                      translate_i,  // places that want a translation
  input  wire logic [15:0]                      read_i,       // ... or, not both, a read
  output logic [15:0]                           translate_start_o,
  output logic [15:0]                           read_start_o,

  input  wire logic                             new_i,        // a wait came one cycle ago:
  input  wire logic [3:0]                       new_slot_i,
  input  wire logic                             reread_i,     // a place wants a read from the next
  input  wire logic [3:0]                       reread_slot_i, // cycle on
  input  wire logic                             lookup_i,
  output logic [3:0]                            slot_o,
  input  wire logic [3:0]                       asked_vmid_i, // of slot_o
  input  wire logic [63:0]                      asked_va_i,

  output logic                                  wait_translate_valid_o,
  input  wire logic                             wait_translate_ready_i,
  output logic [3:0]                            wait_translate_vmid_o,
  output logic [63:3]                           wait_translate_va_o,
  input  wire logic                             wait_translate_done_i,
  input  wire logic                             wait_translate_fault_i,
  input  wire logic [1:0]                       wait_translate_level_i,

  output logic                                  translating_o,    // until its end, or its fault
  output logic [3:0]                            translate_slot_o, // is taken; its slot
  output logic                                  fault_valid_o,
  output logic [1:0]                            fault_level_o,
  input  wire logic                             fault_taken_i,

  output logic                                  read_valid_o,
  input  wire logic                             read_ready_i,
  output             rf_bus_pkg::read_request_t read_o
);

  logic [3:0]  round_q;            // the place whose turn it is
  logic        done_q;             // a translation was done one cycle ago
  logic        late_q;             // a newest wait or a reread was not visited yet: its slot
  logic [3:0]  late_slot_q;
  logic        reread;             // a reread is kept: never two in a row, so that turns go on
  logic        newest;             // it is visited
  logic        in_turn, others, offered, ready, wants_translation, wants_read;
  logic        translate_start, read_start, fault;
  logic [15:0] visited;
  logic [63:0] va_q;
  logic [3:0]  vmid_q, read_slot_q;

  assign reread  = reread_i && !new_i && !late_q;
  assign newest  = !done_q && !translating_o && (new_i || late_q);
  assign in_turn = !done_q && !newest;
  assign slot_o  = done_q ? translate_slot_o :
                   newest ? (new_i ? new_slot_i : late_slot_q) : round_q;
  assign visited = 16'd1 << slot_o;
  // The turn stands while no other entry wants anything, so the unit can sleep.
  assign others  = ((translate_i | read_i) & ~visited) != '0;

  assign offered = (wait_translate_valid_o && !wait_translate_ready_i) ||
                   (read_valid_o && !read_ready_i);
  assign ready   = lookup_i && !offered;
  assign wants_translation = translate_i[slot_o];
  assign wants_read        = read_i[slot_o] && !wants_translation;
  assign translate_start   = wants_translation && ready && !translating_o;
  assign read_start        = wants_read && ready;
  assign translate_start_o = translate_start ? visited : '0;
  assign read_start_o      = read_start ? visited : '0;
  assign fault = translating_o && wait_translate_done_i && wait_translate_fault_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      round_q                <= '0;
      late_q                 <= 1'b0;
      done_q                 <= 1'b0;
      translating_o          <= 1'b0;
      fault_valid_o          <= 1'b0;
      wait_translate_valid_o <= 1'b0;
      read_valid_o           <= 1'b0;
    end else begin
      done_q <= wait_translate_done_i;
      late_q <= reread || ((new_i || late_q) && !(newest && ready));
      if (in_turn && others &&
          (translate_start || read_start || !(wants_translation || wants_read))) begin
        round_q <= round_q + 1'b1;
      end
      if (translate_start) translating_o <= 1'b1;
      else if (fault_taken_i || (wait_translate_done_i && !fault)) translating_o <= 1'b0;
      fault_valid_o          <= fault || (fault_valid_o && !fault_taken_i);
      wait_translate_valid_o <= translate_start ||
                                (wait_translate_valid_o && !wait_translate_ready_i);
      read_valid_o           <= read_start || (read_valid_o && !read_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (new_i || reread) late_slot_q <= new_i ? new_slot_i : reread_slot_i;
    if (translate_start || read_start) begin
      vmid_q      <= asked_vmid_i;
      va_q        <= asked_va_i;
      read_slot_q <= slot_o;
    end
    if (translate_start) translate_slot_o <= slot_o;
    if (fault) fault_level_o <= wait_translate_level_i;
  end

  assign wait_translate_vmid_o = vmid_q;
  assign wait_translate_va_o   = va_q[63:3];
  assign read_o.vmid           = vmid_q;
  assign read_o.va             = va_q;
  assign read_o.words          = 7'd1;
  assign read_o.id             = {1'b0, read_slot_q};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(68)) translation_offer_stays (
    .clk_i, .rst_ni, .valid_i(wait_translate_valid_o), .ready_i(wait_translate_ready_i),
    .data_i({vmid_q, va_q})
  );
  rf_offer_check #(.Width(68)) read_offer_stays (
    .clk_i, .rst_ni, .valid_i(read_valid_o), .ready_i(read_ready_i), .data_i({vmid_q, va_q})
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni) one_request_of_a_place: assert ((translate_i & read_i) == '0);
  end
`endif
`endif

endmodule

`default_nettype wire
