// SPDX-License-Identifier: Apache-2.0
//
// Collects the failures of all units, keeps the first of each slot until the slot is enabled
// again, and raises one queue_error record for it. Between failures it raises the yield records.
//
// One slot is visited per cycle. The scan stops at a failure until its record was accepted. A slot
// is in error when its error address is in the descriptor memory. Other work of the scan never
// overtakes a failure.
//
// Promises: no failure is lost, although those of fences and waits arrive as pulses: each kind has
// a place per slot. Nodes and RESAMPLE hold theirs until the slot is in error. A second failure of
// a slot in error changes nothing. A failing slot is visited within 16 cycles, after the previous
// record was accepted.

`default_nettype none

module rf_slot_errors #(
  parameter int unsigned Slots = 16
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  output logic [3:0]       scan_o,
  output logic [15:0]      scan_here_o,       // the same, one-hot
  output logic             scan_rests_o,      // nothing may be done for it

  input  wire logic        fence_valid_i,     // an operation failed
  input  wire logic [3:0]  fence_slot_i,
  input  wire rf_bus_pkg::failure_t fence_failure_i,
  input  wire logic        fault_valid_i,     // a comparison after it failed
  input  wire logic [3:0]  fault_slot_i,
  input  wire rf_bus_pkg::failure_t fault_failure_i,
  input  wire logic        release_valid_i,   // a wait ended with a failure
  input  wire logic [3:0]  release_slot_i,
  input  wire rf_bus_pkg::failure_t release_failure_i,
  input  wire logic [2:0]  fail_valid_i,      // node 0, node 1, resample
  input  wire logic [11:0] fail_slot_i,
  input  wire logic [3*rf_bus_pkg::FailureWidth-1:0] fail_i,

  input  wire logic        yield_i,           // the slot of the scan could be swapped
  input  wire logic [7:0]  yield_reason_i,
  output logic [15:0]      yielded_o,         // its record is sent

  input  wire logic [15:0] waiting_i,
  input  wire logic [15:0] clear_i,           // the slot is being enabled
  output logic [15:0]      error_o,
  output logic [15:0]      wait_failed_o,     // the slot's wait is over by failure
  output logic [15:0]      fence_held_o,      // an operation failed, the slot is not in error yet

  // Descriptor memory: the error address goes there, CONFIG comes one cycle after the
  // read. Both for the slot of the scan.
  input  wire logic        store_free_i,      // it can be stored in the next cycle
  output logic             store_valid_o,     // and is
  output logic [63:0]      store_data_o,      // 0 if none is stored
  output logic             config_read_o,
  input  wire logic        config_ready_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [63:0] config_i,          // some fields only
  /* verilator lint_on UNUSEDSIGNAL */

  input  wire logic [3:0]  read_slot_i,       // for the status register
  output logic [7:0]       read_error_o,
  output logic [1:0]       read_level_o,
  output logic             read_store_o,

  output logic             record_valid_o,
  input  wire logic        record_ready_i,
  output      rf_bus_pkg::record_t record_o,
  output logic             idle_o
);

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  // The causes fit five bits, which makes whole bytes of it.
  localparam int unsigned W = 5 + 2 + 1 + 64;
  localparam int unsigned F = rf_bus_pkg::FailureWidth;

  // Look: at the slot of the scan. Take, Taken: its failure is read. Wait: until the slot memory
  // is free for the error address. Keep: it is stored, and the slot is in error. Read, Capture:
  // the queue that the record names. Send: the record. A yield begins with Read.
  typedef enum logic [2:0] {Look, Take, Taken, Wait, Keep, Read, Capture, Send} state_e;
  state_e state_q, state_d;

  rf_bus_pkg::failure_t node0, node1, resample;
  assign node0    = fail_i[0*F +: F];
  assign node1    = fail_i[1*F +: F];
  assign resample = fail_i[2*F +: F];

  logic [W-1:0] fence_in, fault_in, wait_in, node0_in, node1_in, resample_in;
  assign fence_in = {fence_failure_i.error[4:0], fence_failure_i.level, fence_failure_i.store,
                     fence_failure_i.address};
  assign fault_in = {fault_failure_i.error[4:0], fault_failure_i.level, fault_failure_i.store,
                     fault_failure_i.address};
  assign wait_in  = {release_failure_i.error[4:0], release_failure_i.level,
                     release_failure_i.store, release_failure_i.address};
  assign node0_in = {node0.error[4:0], node0.level, node0.store, node0.address};
  assign node1_in = {node1.error[4:0], node1.level, node1.store, node1.address};
  assign resample_in = {resample.error[4:0], resample.level, resample.store, resample.address};

  logic [15:0] mask_q;
  logic        rest, fails;
  assign scan_here_o  = mask_q;
  assign scan_rests_o = rest;

  // --- pulses -------------------------------------------------------------------------
  logic [15:0]  clear, fence_clear, fault_held, wait_held;
  logic [W-1:0] fence, fault, waited;
  logic [5:0]   found;     // fence, fault, wait, node 0, node 1, resample
  logic [5:0]   first;     // of these
  logic [5:0]   first_q;
  logic [2:0]   look;
  // What is taken stays held while it is read; a fence operation until nodes know of it.
  assign clear       = (state_q == Take || (state_q == Look && in_error)) ? mask_q : '0;
  assign fence_clear = ((state_q == Read && !yielding_q) || (state_q == Look && in_error))
                       ? mask_q : '0;
  assign look        = (state_q == Take) ? first_q[2:0] : '0;

  rf_failure_box #(.Width(W), .Slots(Slots)) u_fences (
    .clk_i, .rst_ni, .valid_i(fence_valid_i), .slot_i(fence_slot_i), .failure_i(fence_in),
    .keep_i('1), .clear_i(fence_clear), .held_o(fence_held_o), .read_i(look[0]),
    .read_slot_i(scan_o), .read_o(fence)
  );
  rf_failure_box #(.Width(W), .Slots(Slots)) u_faults (
    .clk_i, .rst_ni, .valid_i(fault_valid_i), .slot_i(fault_slot_i), .failure_i(fault_in),
    .keep_i('1), .clear_i(clear), .held_o(fault_held), .read_i(look[1]), .read_slot_i(scan_o),
    .read_o(fault)
  );
  rf_failure_box #(.Width(W), .Slots(Slots)) u_waits (
    .clk_i, .rst_ni, .valid_i(release_valid_i), .slot_i(release_slot_i), .failure_i(wait_in),
    .keep_i(waiting_i), .clear_i(clear), .held_o(wait_held), .read_i(look[2]), .read_slot_i(scan_o),
    .read_o(waited)
  );

  // --- what the slot of the scan has ------------------------------------------------------
  logic [2:0]  fail_valid_q; // one cycle late: each stays until its slot is in error
  logic [11:0] fail_slot_q;
  logic        in_error, wait_ends, wait_ended_q, kept;
  // A wait that was cancelled is no longer held when its slot comes round again.
  assign wait_ends = (wait_held & mask_q) != '0;
  assign in_error  = (error_o & mask_q) != '0;
  assign found[0]  = (fence_held_o & mask_q) != '0;
  assign found[1]  = (fault_held & mask_q) != '0;
  assign found[2]  = wait_ends;
  for (genvar i = 0; i < 3; i++) begin : gen_fail
    assign found[3+i] = fail_valid_q[i] && fail_slot_q[i*4 +: 4] == scan_o;
  end
  assign first[0] = found[0];
  for (genvar i = 1; i < 6; i++) begin : gen_first
    assign first[i] = found[i] && found[i-1:0] == '0;
  end

  assign fails         = found != '0 && !in_error;
  assign rest          = state_q != Look || fails;
  assign kept          = state_q == Keep;
  assign wait_failed_o = ((kept && wait_ended_q) || (state_q == Look && in_error && wait_ends))
                         ? mask_q : '0;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Look: begin
        if (fails) state_d = Take;
        else if (yield_i) state_d = Read;
      end
      Take:    state_d = Taken;
      Taken:   state_d = Wait;
      Wait:    if (store_free_i) state_d = Keep;
      Keep:    state_d = Read;
      Read:    if (config_ready_i) state_d = Capture;
      Capture: state_d = Send;
      Send:    if (record_ready_i) state_d = Look;
      default: state_d = Look;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Look;
      fail_valid_q <= '0;
      scan_o       <= '0;
      mask_q       <= 16'd1;
      error_o      <= '0;
    end else begin
      state_q      <= state_d;
      fail_valid_q <= fail_valid_i;
      error_o      <= (error_o & ~clear_i) | (kept ? mask_q : 16'd0);
      if (!rest && !yield_i) begin
        scan_o <= (scan_o + 4'd1) & 4'(Slots - 1);
        mask_q <= {mask_q[14:0], 1'b0};
        if (mask_q[Slots-1]) mask_q <= 16'd1;
      end
    end
  end

  always_ff @(posedge clk_i) fail_slot_q <= fail_slot_i;

  // --- the failure taken ------------------------------------------------------------------
  // What the units show is 0 but in Taken, and there of one alone.
  logic [W-1:0] node0_q, node1_q, resample_q, taken, taken_q;
  logic [7:0]   identity_q; // node, VMID
  logic [31:0]  handle_q;
  logic         yielding_q;
  logic [7:0]   reason_q;

  assign taken = fence | fault | waited | node0_q | node1_q | resample_q;

  always_ff @(posedge clk_i) begin
    first_q    <= first;
    node0_q    <= state_q == Take && first_q[3] ? node0_in : '0;
    node1_q    <= state_q == Take && first_q[4] ? node1_in : '0;
    resample_q <= state_q == Take && first_q[5] ? resample_in : '0;
    if (state_q == Look) begin
      wait_ended_q <= wait_ends;
      yielding_q   <= !fails;
      reason_q     <= yield_reason_i;
      taken_q      <= '0;
    end else if (state_q == Taken) begin
      taken_q <= taken;
    end
    store_data_o <= state_q == Wait && store_free_i ? taken_q[63:0] : '0;
    if (state_q == Capture) begin
      identity_q <= config_i[rf_pkg::SlotConfigVmidLsb +: 8];
      handle_q   <= config_i[rf_pkg::SlotConfigHandleLsb +: 32];
    end
  end

  assign store_valid_o = kept;
  assign config_read_o = state_q == Read;

  rf_lutram #(.Width(W - 64)) u_status (
    .clk_i, .write_i(kept), .write_address_i(scan_o), .write_data_i(taken_q[W-1:64]),
    .read_address_i(read_slot_i), .read_data_o({read_error_o[4:0], read_level_o, read_store_o})
  );
  assign read_error_o[7:5] = '0;

  assign record_valid_o = state_q == Send;
  assign yielded_o      = record_valid_o && record_ready_i && yielding_q ? mask_q : '0;
  always_comb begin
    record_o         = '0;
    record_o.kind    = yielding_q ? rf_pkg::RecordKindYield : rf_pkg::RecordKindQueueError;
    record_o.node    = identity_q[7:4];
    record_o.vmid    = identity_q[3:0];
    record_o.detail  = yielding_q ? reason_q : {3'd0, taken_q[71:67]};
    record_o.handle  = handle_q;
    record_o.address = taken_q[63:0];
    record_o.value   = {49'd0, taken_q[64], taken_q[66:65], 12'd0};
  end

  assign idle_o = state_q == Look && (fence_held_o | fault_held | wait_held) == '0 &&
                  (fail_valid_i | fail_valid_q) == '0;

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::RecordWidth)) record_stays (
    .clk_i, .rst_ni, .valid_i(record_valid_o), .ready_i(record_ready_i), .data_i(record_o)
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni) stores_or_zero: assert (store_valid_o || store_data_o == '0);
  end
`endif
`endif

endmodule

`default_nettype wire
