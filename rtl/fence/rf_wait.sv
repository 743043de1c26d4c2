// SPDX-License-Identifier: Apache-2.0
//
// The wait unit: one wait entry per queue slot, released when CurrentValue >= value (unsigned). A
// wait is translated, then inserted, then CurrentValue is read: the read shows a write that was
// performed before it, the snoop every later one, so no release is missed (docs/architecture.md).
// notify_i makes every waiting entry read again, also during a read; reread_* those that wait for
// the first word of a page of system memory, which another device has written: it is looked for
// like a snooped word, in a cycle without one. invalidate_i makes every entry translate again
// first; meanwhile neither an old address nor an old read can release it. A response that comes
// while a snoop or a register read uses the lookup is dropped and read again. A looked-up entry is
// compared in the next cycle, and released if it is still waiting then.
// Promises: no missed, no false, no double release; none in the cycle of a cancel or later;
// invalidate_busy_o falls when every waiting entry has read again.
// Latency: wait accepted -> translation offered 2 cycles; translated -> read offered 2; snoop ->
// release 2; response of a read -> release 1; reread -> read offered 4.

`default_nettype none

module rf_wait #(
  parameter int unsigned Slots = 16
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  // From the nodes. A slot waits once at a time.
  input  wire logic                                 wait_valid_i,
  output logic                                      wait_ready_o,
  input  wire        rf_bus_pkg::wait_operation_t   wait_i,
  input  wire logic [63:0]                          word_i,     // its address, then its value
  input  wire logic                                 cancel_valid_i,
  input  wire logic [3:0]                           cancel_slot_i,
  output logic                                      release_valid_o,
  output logic [3:0]                                release_slot_o,
  output logic                                      release_stalled_o, // a read found it too low
  output             rf_bus_pkg::failure_t          release_failure_o,

  output logic                                      wait_translate_valid_o,
  input  wire logic                                 wait_translate_ready_i,
  output logic [3:0]                                wait_translate_vmid_o,
  output logic [63:3]                               wait_translate_va_o,
  input  wire logic                                 wait_translate_done_i,
  input  wire logic                                 wait_translate_fault_i,
  input  wire logic [1:0]                           wait_translate_level_i,
  input  wire logic                                 wait_translate_local_i,
  input  wire logic [54:3]                          wait_translate_address_i,

  output logic                                      read_valid_o,
  input  wire logic                                 read_ready_i,
  output             rf_bus_pkg::read_request_t     read_o,
  input  wire logic                                 response_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */ // last: every response has one word
  input  wire        rf_bus_pkg::read_response_t    response_i,
  /* verilator lint_on UNUSEDSIGNAL */

  input  wire        rf_bus_pkg::snoop_t            snoop_i,

  input  wire logic                                 notify_i,
  input  wire logic                                 reread_valid_i,
  output logic                                      reread_ready_o,
  input  wire logic [54:12]                         reread_page_i,
  input  wire logic                                 invalidate_i, // translations of any VMID
  output logic                                      invalidate_busy_o,

  /* verilator lint_off UNUSEDSIGNAL */ // all registers here are read-only
  input  wire        rf_bus_pkg::register_request_t register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic                                 slot_read_i, // it reads a slot register
  input  wire logic [3:0]                           slot_i,      // of this slot
  output logic [63:0]                               register_data_o,
  output logic                                      waits_o,     // a slot does
  output logic                                      idle_o
);

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  // One bit per slot that there is: what belongs to the others is 0, and falls away.
  localparam logic [15:0] Places = 16'((1 << Slots) - 1);

  localparam logic [4:0] WaitAddress = rf_pkg::RegSlotWaitAddress[7:3];
  localparam logic [4:0] WaitValue   = rf_pkg::RegSlotWaitValue[7:3];

  // --- state of the places, one bit per slot ------------------------------------
  logic [15:0] active_q;      // it waits
  logic [15:0] translate_q;   // it wants a translation
  logic [15:0] inserted_q;    // its physical address is known: the snoop sees it
  logic [15:0] want_q;        // it wants a read of CurrentValue
  logic [15:0] own_q;         // the read under way is of this wait and counts
  logic [15:0] reading_q;     // a read is under way, of this wait or of one before
  logic [15:0] stalled_q;     // a read found the value too low
  logic [15:0] refresh_q;     // it has to read again before an invalidation ends
  logic [15:0] named_q;       // its registers show it: also when it was cancelled

  logic        accept, new_q;  // new_q: its value comes in this cycle
  logic [3:0]  new_slot_q;
  logic [15:0] accepted, cancelled;
  // A cancel and a new wait never meet in one cycle.
  assign wait_ready_o = !cancel_valid_i;
  assign accept       = wait_valid_i && wait_ready_o;
  assign accepted     = accept ? (16'd1 << wait_i.slot) & Places : '0;
  assign cancelled    = cancel_valid_i ? 16'd1 << cancel_slot_i : '0;

  // --- registers, first cycle ----------------------------------------------------
  logic        address_read_q, value_read_q, waiting_read_q, stages_read_q, inspect;
  logic [3:0]  inspect_slot_q;
  logic [16:0] register_address;
  assign register_address = {register_i.address, 3'b000};
  assign inspect          = address_read_q || value_read_q;

  always_ff @(posedge clk_i) begin
    inspect_slot_q <= slot_i;
    waiting_read_q <= register_i.valid && !register_i.write &&
                      register_address == rf_pkg::RegFenceWaiting;
    stages_read_q  <= register_i.valid && !register_i.write &&
                      register_address == rf_pkg::RegFenceWaitStages;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      address_read_q <= 1'b0;
      value_read_q   <= 1'b0;
    end else begin
      address_read_q <= slot_read_i && register_address[7:3] == WaitAddress;
      value_read_q   <= slot_read_i && register_address[7:3] == WaitValue;
    end
  end

  // --- what was asked: VMID and address ------------------------------------------
  // Read by registers, by a release that may fail, by the next request, in this order.
  logic        answered, translating, fault_valid;
  logic [3:0]  response_slot, asked_vmid, look_slot, service_slot, translate_slot;
  logic [63:0] asked_va;
  assign answered    = response_valid_i && response_i.master == rf_bus_pkg::ReadWait;
  assign response_slot = response_i.id[3:0] & 4'(Slots - 1); // as it is; synthesis drops the rest
  assign look_slot   = inspect     ? inspect_slot_q :
                       answered    ? response_slot :
                       fault_valid ? translate_slot : service_slot;

  rf_lutram #(.Width(68), .DepthLog2(4)) u_asked (
    .clk_i, .write_i(accept), .write_address_i(wait_i.slot),
    .write_data_i({wait_i.vmid, word_i}),
    .read_address_i(look_slot), .read_data_o({asked_vmid, asked_va}));

  // --- requests --------------------------------------------------------------------
  logic [15:0] translate_start, read_start;
  logic [1:0]  fault_level;
  logic        fault_taken;

  rf_wait_service u_service (
    .clk_i, .rst_ni,
    .translate_i(translate_q),
    .read_i(want_q & inserted_q & ~reading_q),
    .translate_start_o(translate_start),
    .read_start_o(read_start),
    .new_i(new_q),
    .new_slot_i(new_slot_q),
    .reread_i(reread),
    .reread_slot_i(compared_slot),
    .lookup_i(!inspect && !answered && !fault_valid),
    .slot_o(service_slot),
    .asked_vmid_i(asked_vmid),
    .asked_va_i(asked_va),
    .wait_translate_valid_o, .wait_translate_ready_i, .wait_translate_vmid_o,
    .wait_translate_va_o, .wait_translate_done_i, .wait_translate_fault_i,
    .wait_translate_level_i,
    .translating_o(translating),
    .translate_slot_o(translate_slot),
    .fault_valid_o(fault_valid),
    .fault_level_o(fault_level),
    .fault_taken_i(fault_taken),
    .read_valid_o, .read_ready_i, .read_o);

  // A wait that was cancelled, replaced or invalidated meanwhile has lost its active bit or
  // wants a translation again: the result is not for it.
  logic [15:0] translate_onehot, translated, live;
  assign translate_onehot = 16'd1 << translate_slot;
  assign live             = active_q & ~translate_q;
  assign translated       = translating && wait_translate_done_i && !wait_translate_fault_i
                            ? translate_onehot & live : '0;

  // --- comparison --------------------------------------------------------------------
  // Looked up in one cycle: a place that a snoop matched, else that of a response, else that of a
  // fault; compared in the next.
  logic        compares, hit, reread, reaches, compare_idle, free; // free: the look-up
  logic [3:0]  compared_slot;
  logic [15:0] compared_onehot, overtaken, response_onehot, dropped, released;
  logic [15:0] invalidated;
  logic [63:0] place_value;

  logic        seen_valid, seen_reread;
  logic [54:3] seen_address;
  assign reread_ready_o = !snoop_i.valid;
  assign seen_reread    = reread_valid_i && !snoop_i.valid;
  assign seen_valid     = reread_valid_i || snoop_i.valid;
  assign seen_address   = snoop_i.valid ? snoop_i.address : {reread_page_i, 9'd0};

  rf_wait_compare u_compare (
    .clk_i, .rst_ni,
    .value_valid_i(new_q),
    .value_slot_i(new_slot_q),
    .value_i(word_i),
    .address_valid_i(wait_translate_done_i),
    .address_slot_i(translate_slot),
    .address_onehot_i(translate_onehot),
    .address_local_i(wait_translate_local_i),
    .address_i(wait_translate_address_i),
    .inserted_i(inserted_q),
    .falls_i(invalidated | cancelled),
    .released_i(released != '0),
    .snoop_valid_i(seen_valid),
    .snoop_reread_i(seen_reread),
    .snoop_local_i(snoop_i.in_local && snoop_i.valid),
    .snoop_address_i(seen_address),
    .snoop_data_i(snoop_i.data),
    .compares_o(compares),
    .overtaken_o(overtaken),
    .response_slot_i(answered ? response_slot : translate_slot),
    .response_data_i(response_i.data),
    .inspect_i(inspect),
    .inspect_slot_i(inspect_slot_q),
    .slot_o(compared_slot),
    .slot_onehot_o(compared_onehot),
    .value_o(place_value),
    .reaches_o(reaches),
    .hit_o(hit),
    .reread_o(reread),
    .idle_o(compare_idle));

  assign free          = !compares && !inspect;
  assign response_onehot = answered ? 16'd1 << response_slot : '0;
  assign dropped       = free ? '0 : response_onehot & own_q;
  assign fault_taken   = fault_valid && free && !answered;

  logic        response_q, fault_q; // a response or a fault was looked up; with it
  logic [2:0]  status_q;
  logic [1:0]  level_q;
  logic [63:0] asked_va_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      response_q <= 1'b0;
      fault_q  <= 1'b0;
    end else begin
      response_q <= answered && free;
      fault_q  <= fault_taken;
    end
  end
  always_ff @(posedge clk_i) begin
    status_q   <= answered ? response_i.status : rf_pkg::AccessStatusTranslation;
    level_q    <= answered ? response_i.level : fault_level;
    asked_va_q <= asked_va;
  end

  // --- release ----------------------------------------------------------------------
  // A wait that lost its read or its translation since the look-up is not judged.
  logic        judge;
  logic [15:0] judged, ended, rereads;
  assign judge  = (response_q && (own_q & compared_onehot) != '0) ||
                  (fault_q && (live & compared_onehot) != '0);
  assign judged = judge ? compared_onehot : '0;

  rf_wait_release u_release (
    .hit_i(hit),
    .judge_i(judge),
    .slot_i(compared_slot),
    .slot_onehot_i(compared_onehot),
    .reaches_i(reaches),
    .status_i(status_q),
    .level_i(level_q),
    .asked_va_i(asked_va_q),
    .cancel_valid_i, .cancel_slot_i,
    .valid_o(release_valid_o),
    .failure_o(release_failure_o),
    .ended_o(released));

  assign ended             = released | cancelled | ~Places;
  assign release_slot_o    = compared_slot;
  assign release_stalled_o = (stalled_q & compared_onehot) != '0;
  assign invalidated       = invalidate_i ? active_q : '0;
  assign rereads           = reread ? compared_onehot : '0;
  assign invalidate_busy_o = refresh_q != '0;
  assign waits_o           = active_q != '0;

  // --- next state -------------------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      new_q       <= 1'b0;
      active_q    <= '0;
      translate_q <= '0;
      inserted_q  <= '0;
      want_q      <= '0;
      own_q       <= '0;
      reading_q   <= '0;
      stalled_q   <= '0;
      refresh_q   <= '0;
      named_q     <= '0;
    end else begin
      new_q       <= accept;
      active_q    <= (active_q & ~ended) | accepted;
      named_q     <= (named_q & ~(released & ~cancelled) & Places) | accepted;
      translate_q <= ((translate_q & ~translate_start) | invalidated | accepted) & ~ended;
      inserted_q  <= (inserted_q | translated) & ~invalidated & ~ended;
      want_q      <= ((want_q & ~read_start) | dropped | overtaken | rereads | invalidated |
                      accepted | (notify_i ? active_q : '0)) & ~ended;
      own_q       <= ((own_q & ~dropped & ~judged) | read_start) & ~invalidated & ~ended;
      reading_q   <= ((reading_q & ~response_onehot) | read_start) & Places;
      stalled_q   <= (stalled_q | judged) & ~ended;
      refresh_q   <= ((refresh_q & ~judged) | invalidated) & ~ended;
    end
  end
  always_ff @(posedge clk_i) new_slot_q <= wait_i.slot;

  // Known a cycle late, when nothing came meanwhile.
  logic quiet;
  assign quiet = translate_q == '0 && !translating && want_q == '0 &&
                 reading_q == '0 && !read_valid_o && compare_idle && !reread;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) idle_o <= 1'b0;
    else idle_o <= quiet && !accept && !(seen_valid && waits_o) && !notify_i && !invalidate_i;
  end

  // --- registers, second cycle ----------------------------------------------------------------
  // Of a slot without a wait they are 0, also of one that gets it in this cycle.
  logic        named, value_shown_q;
  logic [63:0] other_data_q;
  assign named = named_q[inspect_slot_q] && !(accept && wait_i.slot == inspect_slot_q) &&
                 !(new_q && new_slot_q == inspect_slot_q);

  always_ff @(posedge clk_i) begin
    value_shown_q <= value_read_q && named;
    other_data_q  <= ({64{address_read_q && named}} & asked_va) |
                     {48'd0, {16{waiting_read_q}} & active_q} |
                     ({64{stages_read_q}} &
                      {stalled_q, reading_q & active_q, inserted_q, translate_q});
  end
  assign register_data_o = other_data_q | ({64{value_shown_q}} & place_value);

`ifdef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni && (response_q || fault_q)) begin
      onehot_is_the_slot: assert (compared_onehot == 16'd1 << compared_slot);
    end
  end
`endif
`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) value_behind_its_wait: assert (!(new_q && wait_valid_i));
  end
`endif
`endif

endmodule

`default_nettype wire
