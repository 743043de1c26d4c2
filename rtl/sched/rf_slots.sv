// SPDX-License-Identifier: Apache-2.0
//
// Queue slots: the registers of the slot block (but those of rf_fence and
// rf_wait) and the state of each queue. A slot is runnable when it is enabled,
// has entries left or is inside a command buffer, and neither waits, is stopped,
// is in error nor is about to be disabled.
//
// What can wait is done for one slot per cycle, that of the scan in rf_slot_errors:
// failures, cancelling waits, completing DISABLE.
//
// Promises: an access to a register acts in the cycle after it came and is answered in
// the one behind that; runnable_o shows a ring one cycle, a release or a resume two cycles
// after it; a fence operation that failed counts as under way until it has stopped the
// slot; a DISABLE completes when no node serves the slot, no wait is held and the fence
// operation under way is performed; ENABLE acts on a disabled slot only, and clears its
// error. Position and pointers survive DISABLE until POINTERS is written. A write of
// POINTERS to an enabled slot is ignored.

`default_nettype none

module rf_slots (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  input  wire logic         slot_read_i,       // it is an access to a register
  input  wire logic         slot_write_i,
  input  wire logic [3:0]   slot_i,            // of this slot
  output logic [63:0]       register_data_o,   // two cycles later

  output logic [1:0]        descriptor_write_o, // halves of a word of a slot's descriptor,
  output logic [3:0]        descriptor_slot_o,  // for whoever keeps some of it
  output logic [4:0]        descriptor_word_o,
  output logic [63:0]       descriptor_data_o,

  // rf_doorbell
  output logic [15:0]       enabled_o,
  output logic [255:0]      tokens_o,
  input  wire logic         ring_valid_i,
  input  wire logic [3:0]   ring_slot_i,
  input  wire logic [47:0]  ring_write_pointer_i,
  output logic              ring_moved_o,
  output logic              ring_repeated_o,
  output logic              ring_range_o,

  // rf_resample
  output logic [15:0]       resample_o,
  input  wire logic         resample_taken_i,  // its read is on its way
  input  wire logic [3:0]   resample_slot_i,
  input  wire logic [15:0]  resampling_i,
  input  wire logic         resample_fail_valid_i,
  output logic              resample_fail_ready_o,
  input  wire rf_bus_pkg::failure_t resample_fail_i,

  // nodes; what they are told is about the slot that they name
  output logic [31:0]       runnable_o,        // node n at [n*16]
  output logic [1:0]        node_coming_o,     // the ringing slot is runnable in the next
                                               // cycle, if its ring moves the pointer
  input  wire logic [1:0]   node_busy_i,
  input  wire logic [7:0]   node_slot_i,
  input  wire logic [7:0]   node_load_slot_i,  // or the slot that may follow it:
  output logic [25:0]       node_read_pointer_o,
  output logic [1:0]        node_work_o,       // entries left, one cycle later
  output logic [1:0]        node_in_buffer_o,  // then too
  output logic [25:0]       node_write_pointer_o,
  output logic [1:0]        node_halt_o,       // stop between packets
  output logic [1:0]        node_error_o,      // for a reason that ends engine work too
  output logic [1:0]        node_wait_over_o,  // the WAIT at the position is satisfied
  output logic [1:0]        node_stalled_o,    // and it had stalled
  output logic [1:0]        node_fences_none_o,
  input  wire logic [1:0]   node_begin_i,      // a command buffer begins
  input  wire logic [1:0]   node_retire_valid_i, // and is complete
  output logic [1:0]        node_retire_ready_o,
  input  wire logic [1:0]   node_fence_i,      // an operation went to rf_fence, one per slot
  input  wire logic [1:0]   node_wait_i,       // a WAIT went to rf_wait
  input  wire logic [1:0]   node_wait_done_i,  // a satisfied WAIT is behind
  input  wire logic [1:0]   node_stop_i,       // TRAP, SOFTWARE_SIGNAL
  input  wire logic [1:0]   node_fail_valid_i,
  input  wire logic [2*rf_bus_pkg::FailureWidth-1:0] node_fail_i,
  output logic [3:0]        status_slot_o,     // whose word offset the nodes show
  input  wire logic [57:0]  status_words_i,

  // rf_fence, rf_wait
  input  wire logic         fence_done_i,
  input  wire logic [3:0]   fence_done_slot_i,
  input  wire rf_bus_pkg::failure_t fence_failure_i,
  input  wire logic         fence_fault_i,
  input  wire logic [3:0]   fence_fault_slot_i,
  input  wire rf_bus_pkg::failure_t fence_fault_failure_i,
  input  wire logic         release_valid_i,
  input  wire logic [3:0]   release_slot_i,
  input  wire logic         release_stalled_i,
  input  wire rf_bus_pkg::failure_t release_failure_i,
  output logic              cancel_valid_o,
  output logic [3:0]        cancel_slot_o,

  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output      rf_bus_pkg::record_t record_o,
  output logic              idle_o
);

  // --- register decode ---------------------------------------------------------------
  // Once, into registers: every access acts in the cycle after it came.
  localparam logic [4:0] Config              = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] WritePointerAddress = rf_pkg::RegSlotWritePointerAddress[7:3];
  localparam logic [4:0] Pointers            = rf_pkg::RegSlotPointers[7:3];
  localparam logic [4:0] WritePointer        = rf_pkg::RegSlotWritePointer[7:3];
  localparam logic [4:0] Control             = rf_pkg::RegSlotControl[7:3];
  localparam logic [4:0] Status              = rf_pkg::RegSlotStatus[7:3];
  localparam logic [4:0] ErrorAddress        = rf_pkg::RegSlotErrorAddress[7:3];

  logic        write_low, config_low, pointers_any, control;
  logic [15:0] here;
  logic [16:0] address;
  assign address      = {register_i.address, 3'b000};
  assign here         = 16'd1 << slot_i;
  assign write_low    = slot_write_i && register_i.strobe[0];
  assign config_low   = write_low && address[7:3] == Config;
  assign control      = write_low && address[7:3] == Control;
  assign pointers_any = slot_write_i && address[7:3] == Pointers &&
                        (register_i.strobe[0] || register_i.strobe[4]);

  logic        access_q, read_q, write_q, config_write_q, pointers_write_q;
  logic [3:0]  slot_q;
  logic [4:0]  number_q;
  logic [63:0] data_q;
  logic [7:0]  strobe_q;
  logic [15:0] config_here_q, pointers_asked_q, enable_asked_q, disable_asked_q;
  logic [15:0] resample_asked_q, resume_asked_q;
  logic [1:0]  header_read_q;                // a read of the block header, by word
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_q         <= 1'b0;
      read_q           <= 1'b0;
      write_q          <= 1'b0;
      config_write_q   <= 1'b0;
      pointers_write_q <= 1'b0;
      config_here_q    <= '0;
      pointers_asked_q <= '0;
      enable_asked_q   <= '0;
      disable_asked_q  <= '0;
      resample_asked_q <= '0;
      resume_asked_q   <= '0;
      header_read_q    <= '0;
    end else begin
      access_q         <= slot_read_i || slot_write_i;
      read_q           <= slot_read_i;
      write_q          <= slot_write_i;
      config_write_q   <= config_low;
      pointers_write_q <= pointers_any;
      config_here_q    <= config_low ? here : '0;
      pointers_asked_q <= pointers_any ? here : '0;
      enable_asked_q   <= (control && register_i.data[rf_pkg::SlotControlEnableLsb]) ? here : '0;
      disable_asked_q  <= (control && register_i.data[rf_pkg::SlotControlDisableLsb]) ? here : '0;
      resample_asked_q <= (control && register_i.data[rf_pkg::SlotControlResampleLsb]) ? here : '0;
      resume_asked_q   <= (control && register_i.data[rf_pkg::SlotControlResumeLsb]) ? here : '0;
      header_read_q[0] <= register_i.valid && !register_i.write &&
                          address == rf_pkg::SlotIndexedBase - 17'h100;
      header_read_q[1] <= register_i.valid && !register_i.write &&
                          address == rf_pkg::SlotIndexedBase - 17'hf8;
    end
  end
  always_ff @(posedge clk_i) begin
    slot_q   <= slot_i;
    number_q <= address[7:3];
    data_q   <= register_i.data;
    strobe_q <= register_i.strobe;
  end

  logic [15:0] pointers_here, enable;
  assign pointers_here = pointers_asked_q & ~enabled_o;
  assign enable        = enable_asked_q & ~enabled_o;

  // --- events as slot masks ------------------------------------------------------------
  logic [15:0] node0, node1, serving, buffer_begin, retired, wait_begin, wait_done, stop;
  logic [15:0] fence_begin, fence_end, fence_failed;
  logic        fence_fails;
  assign node0        = 16'd1 << node_slot_i[3:0];
  assign node1        = 16'd1 << node_slot_i[7:4];
  assign serving      = ({16{node_busy_i[0]}} & node0) | ({16{node_busy_i[1]}} & node1);
  assign buffer_begin = ({16{node_begin_i[0]}} & node0) | ({16{node_begin_i[1]}} & node1);
  assign fence_begin  = ({16{node_fence_i[0]}} & node0) | ({16{node_fence_i[1]}} & node1);
  assign fence_end    = fence_done_i ? 16'd1 << fence_done_slot_i : '0;
  assign fence_fails  = fence_done_i && fence_failure_i.error != rf_pkg::QueueErrorNone;
  assign fence_failed = fence_fails ? fence_end : '0;
  assign wait_begin   = ({16{node_wait_i[0]}} & node0) | ({16{node_wait_i[1]}} & node1);
  assign wait_done    = ({16{node_wait_done_i[0]}} & node0) | ({16{node_wait_done_i[1]}} & node1);
  assign stop         = ({16{node_stop_i[0]}} & node0) | ({16{node_stop_i[1]}} & node1);

  logic       release_failed;
  logic [15:0] released;
  assign release_failed = release_failure_i.error != rf_pkg::QueueErrorNone;
  assign released = (release_valid_i && !release_failed) ? 16'd1 << release_slot_i : '0;

  // One node retires a cycle.
  logic       retire_valid, retire_ready;
  logic [3:0] retire_slot;
  rf_merge #(.Width(4)) u_retire_merge (
    .clk_i, .rst_ni, .valid_i(node_retire_valid_i), .ready_o(node_retire_ready_o),
    .data_i(node_slot_i), .valid_o(retire_valid), .ready_i(retire_ready), .data_o(retire_slot)
  );
  assign retired = (retire_valid && retire_ready) ? 16'd1 << retire_slot : '0;

  // --- state ---------------------------------------------------------------------------
  logic [15:0] serves0_q, serves1_q;
  logic [15:0] disable_q, disable_d, enabled_d, disabled;
  logic [15:0] waiting_q, waiting_d, wait_over_q, stalled_q, stopped_q, stopped_d;
  logic [15:0] in_buffer_q, in_buffer_d;
  logic [15:0] work, error, wait_failed, fences_q;
  logic [15:0] fences_failed_q;  // its failure has not stopped the slot yet
  logic [3:0]  scan;
  logic [15:0] scan_mask, scan_here, cancelled, resample_q, ready;
  logic        scan_rests;
  logic [15:0] disabling_q, disabling2_q, ready0_q, ready1_q, runnable0, runnable1;
  logic [15:0] postponed, postponed_q; // retires, and a write of POINTERS is in the way

  assign scan_mask = scan_rests ? '0 : scan_here;
  assign cancelled = scan_mask & waiting_q & (disable_q | error);
  // From the third cycle on no node takes the slot any more, nor fetches for it.
  assign disabled  = scan_mask & disable_q & disabling2_q & ~serving & ~waiting_q & ~fences_q &
                     ~postponed_q;

  assign enabled_d   = (enabled_o | enable) & ~disabled;
  assign disable_d   = (disable_q & ~disabled) |
                       (disable_asked_q & (enabled_o | enable) & ~disabled);
  assign waiting_d   = (waiting_q & ~released & ~wait_failed & ~cancelled) | wait_begin;
  assign stopped_d   = ((stopped_q & ~resume_asked_q) | stop) & ~enable;
  assign in_buffer_d = ((in_buffer_q | buffer_begin) & ~retired) & ~pointers_here;

  // A node needs two cycles from the packet that ends its turn to its next choice; a slot
  // whose retirement takes longer waits for it.
  assign ready     = enabled_o & ~disable_q & ~waiting_q & ~stopped_q & ~error;
  assign runnable0 = ready0_q & (work | in_buffer_q);
  assign runnable1 = ready1_q & (work | in_buffer_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enabled_o   <= '0;
      disable_q   <= '0;
      waiting_q   <= '0;
      wait_over_q <= '0;
      stalled_q   <= '0;
      stopped_q   <= '0;
      in_buffer_q <= '0;
      resample_q  <= '0;
      fences_q    <= '0;
      fences_failed_q <= '0;
      disabling_q  <= '0;
      disabling2_q <= '0;
      postponed_q <= '0;
      ready0_q    <= '0;
      ready1_q    <= '0;
      cancel_valid_o <= 1'b0;
    end else begin
      enabled_o   <= enabled_d;
      disable_q   <= disable_d;
      waiting_q   <= waiting_d;
      wait_over_q <= (wait_over_q | (released & waiting_q)) & ~wait_done & ~pointers_here;
      stalled_q   <= (stalled_q & ~released) | (released & {16{release_stalled_i}});
      stopped_q   <= stopped_d;
      in_buffer_q <= in_buffer_d;
      resample_q  <= (resample_q & ~(resample_taken_i ? 16'd1 << resample_slot_i : 16'd0)) |
                     resample_asked_q;
      fences_q    <= (fences_q & ~fence_end) | fence_begin;
      fences_failed_q <= (fences_failed_q & ~error) | fence_failed;
      disabling_q  <= disable_q;
      disabling2_q <= disabling_q & disable_q;
      ready0_q    <= ready & serves0_q & ~postponed;
      ready1_q    <= ready & serves1_q & ~postponed;
      postponed_q <= postponed;
      cancel_valid_o <= (scan_here & waiting_q & (disable_q | error)) != '0 && !scan_rests;
    end
  end

  // What of the descriptor every cycle needs of every slot.
  for (genvar i = 0; i < 16; i++) begin : gen_slot
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        serves0_q[i]         <= 1'b0;
        serves1_q[i]         <= 1'b0;
        tokens_o[i*16 +: 16] <= '0;
      end else if (config_here_q[i]) begin
        serves0_q[i]         <= data_q[rf_pkg::SlotConfigNodeLsb +: 4] == 4'd0;
        serves1_q[i]         <= data_q[rf_pkg::SlotConfigNodeLsb +: 4] == 4'd1;
        tokens_o[i*16 +: 16] <= data_q[rf_pkg::SlotConfigTokenLsb +: 16];
      end
    end
  end

  always_ff @(posedge clk_i) cancel_slot_o <= scan;

  assign runnable_o    = {runnable1, runnable0};
  assign node_coming_o = {ring_valid_i && ready1_q[ring_slot_i],
                          ring_valid_i && ready0_q[ring_slot_i]};
  assign resample_o = resample_q;

  // What a node sees of its slot. Mostly one cycle late, which is before the node can
  // run a slot that it has just chosen.
  logic       moved;
  logic [1:0] node_worked_q, node_rung_q;
  assign node_work_o = node_worked_q | (moved ? node_rung_q : 2'b00);
  for (genvar n = 0; n < 2; n++) begin : gen_node
    logic [3:0] s, l;
    assign s = node_slot_i[n*4 +: 4];
    assign l = node_load_slot_i[n*4 +: 4];
    always_ff @(posedge clk_i) begin
      node_worked_q[n]      <= work[l];
      node_rung_q[n]        <= ring_slot_i == l;
      node_in_buffer_o[n]   <= in_buffer_q[l];
      node_error_o[n]       <= error[s];
      node_halt_o[n]        <= error[s] || disable_q[s];
      node_wait_over_o[n]   <= wait_over_q[s] && !node_wait_done_i[n];
      node_stalled_o[n]     <= stalled_q[s];
      node_fences_none_o[n] <= !fences_q[s] && !fences_failed_q[s] && !node_fence_i[n];
    end
  end

  // --- parts -----------------------------------------------------------------------------
  logic [47:0] read_pointer, write_pointer;
  rf_slot_pointers u_pointers (
    .clk_i, .rst_ni,
    .ring_valid_i, .ring_slot_i, .ring_write_pointer_i,
    .ring_moved_o, .ring_repeated_o, .ring_range_o,
    .retire_valid_i(retire_valid), .retire_ready_o(retire_ready), .retire_slot_i(retire_slot),
    .postponed_o(postponed),
    .set_write_i(pointers_write_q), .set_here_i(pointers_here),
    .set_pointer_i({strobe_q[4] ? data_q[47:32] : read_pointer[47:32],
                    strobe_q[0] ? data_q[31:0] : read_pointer[31:0]}),
    .log2_write_i(config_write_q), .log2_i(data_q[rf_pkg::SlotConfigRingLog2Lsb +: 4]),
    .moved_o(moved), .work_o(work),
    .node_slot_i, .node_load_slot_i, .node_read_pointer_o, .node_write_pointer_o,
    .register_slot_i(slot_q), .register_read_pointer_o(read_pointer),
    .register_write_pointer_o(write_pointer)
  );

  logic        errors_idle, store_valid, config_read, failure_store;
  logic [63:0] store_data, descriptor_data;
  logic [7:0]  failure_error;
  logic [1:0]  failure_level;
  rf_slot_errors u_errors (
    .clk_i, .rst_ni, .scan_o(scan), .scan_here_o(scan_here), .scan_rests_o(scan_rests),
    .fence_valid_i(fence_fails), .fence_slot_i(fence_done_slot_i), .fence_failure_i,
    .fault_valid_i(fence_fault_i), .fault_slot_i(fence_fault_slot_i),
    .fault_failure_i(fence_fault_failure_i),
    .release_valid_i(release_valid_i && release_failed), .release_slot_i, .release_failure_i,
    .fail_valid_i({resample_fail_valid_i && !resample_fail_ready_o, node_fail_valid_i}),
    .fail_slot_i({resample_slot_i, node_slot_i}), .fail_i({resample_fail_i, node_fail_i}),
    .waiting_i(waiting_q), .clear_i(enable), .error_o(error),
    .wait_failed_o(wait_failed),
    .store_valid_o(store_valid), .store_ready_i(!access_q), .store_data_o(store_data),
    .config_read_o(config_read), .config_ready_i(!access_q), .config_i(descriptor_data),
    .read_slot_i(slot_q), .read_error_o(failure_error), .read_level_o(failure_level),
    .read_store_o(failure_store),
    .record_valid_o, .record_ready_i, .record_o, .idle_o(errors_idle)
  );
  assign resample_fail_ready_o = error[resample_slot_i];

  // --- register reads: descriptor and error address from memory, the rest as it stands ----
  // Words 0 to 3 of a slot are the descriptor, word 4 is the error address. Register
  // accesses go first.
  logic        descriptor, descriptor_q;
  logic [63:0] status, header_q;
  logic [47:0] pointer_q;
  logic        pointer_read_q, status_read_q;
  logic [15:0] pointers_set_q;         // since reset; until then they read 0
  logic [2:0]  word;
  assign descriptor = number_q <= WritePointerAddress;
  assign word       = {number_q[3], number_q[1:0]};

  assign descriptor_write_o = {2{write_q && descriptor}} & {strobe_q[4], strobe_q[0]};
  assign descriptor_slot_o  = slot_q;
  assign descriptor_word_o  = number_q;
  assign descriptor_data_o  = data_q;

  rf_ram #(.Width(64), .DepthLog2(7)) u_descriptor (
    .clk_i,
    .write_i((write_q && descriptor) || (store_valid && !access_q)),
    .write_address_i(access_q ? {slot_q, word} : {scan, ErrorAddress[3], 2'd0}),
    .write_data_i(access_q ? data_q : store_data),
    .write_strobe_i(access_q ? strobe_q : '1),
    .read_i(read_q || (config_read && !access_q)),
    .read_address_i(access_q ? {slot_q, word} : {scan, 1'b0, Config[1:0]}),
    .read_data_o(descriptor_data)
  );

  // STATUS is put together from what was seen of the slot the cycle before.
  logic [3:0]  state;
  logic        seen_enabled_q, seen_error_q, seen_stopped_q, seen_waiting_q, seen_serving_q;
  logic        seen_work_q, seen_in_buffer_q, seen_resampling_q, seen_store_q;
  logic [7:0]  seen_cause_q;
  logic [1:0]  seen_level_q;
  logic [28:0] seen_words_q;
  always_ff @(posedge clk_i) begin
    seen_enabled_q    <= enabled_o[slot_q];
    seen_error_q      <= error[slot_q];
    seen_stopped_q    <= stopped_q[slot_q];
    seen_waiting_q    <= waiting_q[slot_q];
    seen_serving_q    <= serving[slot_q];
    seen_work_q       <= work[slot_q];
    seen_in_buffer_q  <= in_buffer_q[slot_q];
    seen_resampling_q <= resample_asked_q[slot_q] || resample_q[slot_q] || resampling_i[slot_q];
    seen_cause_q      <= failure_error;
    seen_level_q      <= failure_level;
    seen_store_q      <= failure_store;
    seen_words_q      <= serves1_q[slot_q] ? status_words_i[57:29] : status_words_i[28:0];
  end

  always_comb begin
    if (!seen_enabled_q) state = rf_pkg::SlotStateDisabled[3:0];
    else if (seen_error_q) state = rf_pkg::SlotStateError[3:0];
    else if (seen_stopped_q) state = rf_pkg::SlotStateStoppedHost[3:0];
    else if (seen_waiting_q) state = rf_pkg::SlotStateWaiting[3:0];
    else if (seen_serving_q) state = rf_pkg::SlotStateRunning[3:0];
    else if (seen_work_q || seen_in_buffer_q) state = rf_pkg::SlotStateRunnable[3:0];
    else state = rf_pkg::SlotStateIdle[3:0];
  end

  assign status_slot_o = slot_q;

  always_comb begin
    status = '0;
    status[rf_pkg::SlotStatusStateLsb +: 4] = state;
    if (seen_error_q) begin
      status[rf_pkg::SlotStatusErrorLsb +: 8] = seen_cause_q;
      status[rf_pkg::SlotStatusLevelLsb +: 2] = seen_level_q;
      status[rf_pkg::SlotStatusStoreLsb]      = seen_store_q;
    end
    status[rf_pkg::SlotStatusResamplingLsb] = seen_resampling_q;
    if (seen_in_buffer_q) status[rf_pkg::SlotStatusPacketWordsLsb +: 29] = seen_words_q;
  end

  // The block header at the block's own offset.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      descriptor_q   <= 1'b0;
      pointer_read_q <= 1'b0;
      pointers_set_q <= '0;
      status_read_q  <= 1'b0;
      header_q       <= '0;
    end else begin
      descriptor_q   <= read_q && (descriptor || (number_q == ErrorAddress && error[slot_q]));
      pointer_read_q <= read_q && (number_q == Pointers || number_q == WritePointer) &&
                        pointers_set_q[slot_q];
      pointers_set_q <= pointers_set_q | pointers_here;
      status_read_q  <= read_q && number_q == Status;
      header_q       <= (header_read_q[0] ? rf_pkg::SlotBlockHeader0 : '0) |
                        (header_read_q[1] ? rf_pkg::SlotBlockHeader1 : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    pointer_q <= (number_q == Pointers) ? read_pointer : write_pointer;
  end
  assign register_data_o = descriptor_q   ? descriptor_data :
                           pointer_read_q ? {16'd0, pointer_q} :
                           status_read_q  ? status : header_q;

  assign idle_o = !ring_valid_i && !write_q && errors_idle &&
                  runnable0 == '0 && runnable1 == '0 &&
                  (ready & (serves0_q | serves1_q) & (work | in_buffer_q)) == '0 &&
                  disable_q == '0 && (waiting_q & error) == '0 && !cancel_valid_o &&
                  resample_q == '0 && fences_q == '0;

endmodule

`default_nettype wire
