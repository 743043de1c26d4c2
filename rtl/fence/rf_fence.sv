// SPDX-License-Identifier: Apache-2.0
//
// The fence unit: SIGNAL, PROGRESS, WRITE, TIMESTAMP and wait-log operations of both nodes, in the
// stages
//   rf_fence_slots    looks up the progress fence or the log of the slot;
//   rf_fence_write    value, log entry, log header; done;
//   rf_fence_compare  MonitoredValue, decision, interrupt record.
// rf_fence_update implements the update port of MonitoredValue; with MonitoredShadow = 0 it is
// absent and its registers read 0.
//
// Each step starts when the previous one is performed (docs/architecture.md). A slot has one
// operation at a time between acceptance and done, so a failure stops its queue before anything
// later. Operations of different slots overlap; the nodes are served in turn. A log index beyond
// the log is an error before anything is written.

`default_nettype none

module rf_fence #(
  parameter bit MonitoredShadow = 1'b1
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,
  input  wire logic [63:0]                              timestamp_i,

  // From node 0 and 1, and back to them.
  input  wire logic [1:0]                               fence_valid_i,
  output logic [1:0]                                    fence_ready_o,
  input  wire logic [2*rf_bus_pkg::FenceOperationWidth-1:0] fence_i,
  input  wire logic [2*64-1:0]                          word_i,       // of the operations
  output             rf_bus_pkg::slot_result_t          fence_done_o,
  output logic                                          fence_done_log_only_o,
  // After its done: MonitoredValue of a signal of this slot could not be read.
  output             rf_bus_pkg::slot_result_t          fence_fault_o,

  // This slot was disabled and is enabled.
  input  wire        rf_bus_pkg::slot_event_t           restart_i,

  // Is a value of this slot performed and not yet compared?
  input  wire logic [3:0]                               asked_slot_i,
  output logic                                          comparing_o,

  // Write masters 0: WriteFence, 1: WriteUpdate.
  /* verilator lint_off UNUSEDSIGNAL */ // bits 1 without an update port; a level for its record
  output logic [1:0]                                    write_valid_o,
  input  wire logic [1:0]                               write_ready_i,
  output logic [2*rf_bus_pkg::WriteRequestWidth-1:0]    write_o,
  output logic [1:0]                                    write_data_valid_o,
  input  wire logic [1:0]                               write_data_ready_i,
  output logic [2*64-1:0]                               write_data_o,
  input  wire logic [1:0]                               write_done_i,
  input  wire logic [2*3-1:0]                           write_done_status_i,
  input  wire logic [2*2-1:0]                           write_done_level_i,

  // Read masters 0: ReadFence, 1: ReadUpdate.
  output logic [1:0]                                    read_valid_o,
  input  wire logic [1:0]                               read_ready_i,
  output logic [2*rf_bus_pkg::ReadRequestWidth-1:0]     read_o,
  output logic [1:0]                                    read_hold_o,
  input  wire logic                                     response_valid_i,
  input  wire        rf_bus_pkg::read_response_t        response_i,

  // Records 0: signal, 1: update.
  output logic [1:0]                                    record_valid_o,
  input  wire logic [1:0]                               record_ready_i,
  input  wire logic [5:0]                               record_show_i, // word of source n that is
                                                                       // shown, at [n*3]; one-hot
  output logic [2*64-1:0]                               record_o,
  /* verilator lint_on UNUSEDSIGNAL */

  input  wire        rf_bus_pkg::register_request_t     register_i,
  input  wire        rf_bus_pkg::slot_access_t          slot_access_i,
  output logic [63:0]                                   register_data_o,
  output logic [63:0]                                   slot_data_o,   // of a slot's register,
                                                                       // two cycles later
  output logic                                          notify_o,      // to rf_wait
  output logic                                          suppressed_o,  // event: no interrupt
  output logic                                          updated_o,     // event: an update is done
  output logic                                          idle_o
);

  localparam int unsigned OperationWidth = rf_bus_pkg::FenceOperationWidth;
  localparam int unsigned RequestWidth   = rf_bus_pkg::ReadRequestWidth;
  localparam int unsigned WriteWidth     = rf_bus_pkg::WriteRequestWidth;

  // --- accesses to registers of slots, a cycle late ----------------------------------------
  // They come from far, and whether an operation is taken follows from them.
  rf_bus_pkg::register_request_t register_q;
  rf_bus_pkg::slot_access_t      slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      register_q <= '0;
      slot_q     <= '0;
    end else begin
      register_q <= register_i;
      slot_q     <= slot_access_i;
    end
  end

  // --- acceptance -------------------------------------------------------------------------
  // One node is looked at at a time; the other's turn comes after an operation, or
  // when this one cannot go.
  logic        pick_q, accept, logged, same_slot;
  logic [15:0] busy_q, switching, switching_next;
  logic        write_ready, compare_ready;
  logic        done, done_fails, done_compare, done_lost;
  logic [3:0]  done_slot;
  rf_bus_pkg::failure_t done_failure;
  logic [63:0] lookup_word;
  logic        lookup_nowhere;
  rf_bus_pkg::fence_operation_t first, second, offered;
  assign first   = fence_i[0 +: OperationWidth];
  assign second  = fence_i[OperationWidth +: OperationWidth];
  assign offered = pick_q ? second : first;

  // Known of both before the choice: what follows from it goes far. A node names the slot a cycle
  // before it offers an operation: whether it is engaged stands in a register then.
  logic [5:0] kinds;
  logic [7:0] slots;
  logic [1:0] wait_log, logs, lookup_ready, open, may_go, engaged_q;
  assign kinds     = {second.kind, first.kind};
  assign slots     = {second.slot, first.slot};
  assign same_slot = second.slot == first.slot;
  for (genvar n = 0; n < 2; n++) begin : gen_node
    logic [2:0] kind;
    logic [3:0] slot;
    logic       ended;
    assign kind        = kinds[3*n +: 3];
    assign slot        = slots[4*n +: 4];
    assign wait_log[n] = kind == rf_bus_pkg::FenceWaitLog;
    assign logs[n]     = wait_log[n] || (kind == rf_bus_pkg::FenceSignal &&
                                         (n == 0 ? first.log : second.log));
    assign open[n]     = write_ready && compare_ready && !engaged_q[n];
    assign may_go[n]   = open[n] && (lookup_ready[n] ||
                                     !(logs[n] || kind == rf_bus_pkg::FenceProgress));
    assign ended       = done && done_slot == slot;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) engaged_q[n] <= 1'b0;
      else engaged_q[n] <= (busy_q[slot] && !ended) || switching_next[slot] ||
                           (accept && (pick_q == n[0] || same_slot));
    end
  end

  assign logged        = logs[pick_q];
  assign fence_ready_o = may_go & {pick_q, !pick_q};
  assign accept        = (fence_valid_i & fence_ready_o) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pick_q <= 1'b0;
      busy_q <= '0;
    end else begin
      if (fence_valid_i[!pick_q] && (accept || !fence_valid_i[pick_q] || !open[pick_q])) begin
        pick_q <= !pick_q;
      end
      busy_q <= (busy_q & ~(done ? 16'd1 << done_slot : 16'd0)) |
                (accept ? 16'd1 << offered.slot : 16'd0);
    end
  end

  // A queue stops at its first failure, but its next operation may be on offer by then:
  // that one fails too, without acting. Enabling the disabled slot starts afresh; a write of
  // ENABLE to a slot that is still enabled does not.
  logic [16:0] address;
  assign address = {register_i.address, 3'b000};
  logic [15:0] broken_q, fails, restarts;
  assign fails    = done_fails ? 16'd1 << done_slot : '0;
  assign restarts = restart_i.valid ? 16'd1 << restart_i.slot : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) broken_q <= '0;
    else broken_q <= (broken_q & ~restarts) | fails;
  end

  // The other words of an operation follow while the unit is not ready for the next one.
  logic        node_q, word_node;
  logic [63:0] word;
  always_ff @(posedge clk_i) if (accept) node_q <= pick_q;
  assign word_node = write_ready ? pick_q : node_q;
  assign word      = word_node ? word_i[127:64] : word_i[63:0];

  // --- what the slots have --------------------------------------------------------------------
  logic        store_valid, store_ready, progress_valid, progress_ready, slots_idle;
  logic        handle_valid, handle_ready;
  logic [4:0]  store_log;
  logic [63:0] store_state;
  logic [31:0] decided_handle;
  logic [3:0]  decided_slot;
  logic [63:0] decided_value, update_data, block_data;

  rf_fence_slots u_slots (
    .clk_i, .rst_ni,
    .lookup_node_i(pick_q),
    .lookup_slot_i(slots),
    .lookup_log_i(logs),
    .lookup_signal_i(~wait_log),
    .lookup_ready_o(lookup_ready),
    .lookup_take_i(may_go[pick_q]),
    .lookup_word_o(lookup_word),
    .lookup_nowhere_o(lookup_nowhere),
    .busy_i(busy_q),
    .switching_o(switching), .switching_next_o(switching_next),
    .store_valid_i(store_valid),
    .store_ready_o(store_ready),
    .store_log_i(store_log),
    .store_state_i(store_state),
    .progress_valid_i(progress_valid),
    .progress_ready_o(progress_ready),
    .progress_value_i(decided_value),
    .decided_slot_i(decided_slot),
    .handle_valid_i(handle_valid),
    .handle_ready_o(handle_ready),
    .handle_o(decided_handle),
    .register_i(register_q),
    .slot_read_i(slot_q.read),
    .slot_write_i(slot_q.write),
    .slot_i(slot_q.slot),
    .register_data_o(slot_data_o),
    .idle_o(slots_idle));

  // --- steps 1 and 2 ----------------------------------------------------------------------------
  logic update_idle, compare_idle;
  rf_bus_pkg::write_request_t fence_write;
  logic                       begun, begun_progress, write_idle;
  logic [3:0]                 begun_slot, begun_vmid;
  logic [63:0]                begun_address, begun_value, begun_monitored;
  assign write_o[0 +: WriteWidth] = fence_write;
  always_comb begin
    fence_done_o.valid   = done;
    fence_done_o.slot    = done_slot;
    fence_done_o.failure = done_failure;
  end

  // Without an operation and an update these steps and the update port wait for the next one, or
  // for an access to a register. rf_fence_slots goes round the logs, always.
  logic steps_clk;
  logic steps_wake;
  assign steps_wake = fence_valid_i != '0 || register_i.valid || !write_idle || !compare_idle ||
                      !update_idle;
  rf_clock_gate #(.Linger(16)) u_steps_clock (
    .clk_i, .rst_ni,
    .wake_i(steps_wake),
    .clk_o (steps_clk)
  );

  rf_fence_write u_write (
    .clk_i(steps_clk), .rst_ni, .timestamp_i,
    .start_i(accept),
    .ready_o(write_ready),
    .operation_i(offered),
    .word_i(word),
    .logged_i(logged),
    .lookup_word_i(lookup_word),
    .lookup_nowhere_i(lookup_nowhere),
    .broken_i(broken_q[offered.slot]),
    .begun_o(begun),
    .begun_progress_o(begun_progress),
    .begun_slot_o(begun_slot),
    .begun_vmid_o(begun_vmid),
    .begun_address_o(begun_address),
    .begun_value_o(begun_value),
    .begun_monitored_o(begun_monitored),
    .store_valid_o(store_valid),
    .store_ready_i(store_ready),
    .store_log_o(store_log),
    .store_state_o(store_state),
    .write_valid_o(write_valid_o[0]),
    .write_ready_i(write_ready_i[0]),
    .write_o(fence_write),
    .write_data_valid_o(write_data_valid_o[0]),
    .write_data_ready_i(write_data_ready_i[0]),
    .write_data_o(write_data_o[0 +: 64]),
    .write_done_i(write_done_i[0]),
    .write_done_status_i(write_done_status_i[0 +: 3]),
    .write_done_level_i(write_done_level_i[0 +: 2]),
    .done_valid_o(done),
    .done_slot_o(done_slot),
    .done_log_only_o(fence_done_log_only_o),
    .done_failure_o(done_failure),
    .done_fails_o(done_fails),
    .done_compare_o(done_compare),
    .done_lost_o(done_lost),
    .idle_o(write_idle));

  // --- steps 3 and 4 ----------------------------------------------------------------------------
  rf_bus_pkg::read_request_t fence_read;
  rf_bus_pkg::record_t       fence_record;
  logic                      fault;
  rf_bus_pkg::failure_t      fault_failure;
  always_comb begin
    fence_fault_o.valid   = fault;
    fence_fault_o.slot    = decided_slot;
    fence_fault_o.failure = fault_failure;
  end
  assign read_o[0 +: RequestWidth]  = fence_read;
  assign read_hold_o[1]             = 1'b0;
  rf_record_word u_record (
    .record_i(fence_record), .show_i(record_show_i[2:0]), .word_o(record_o[63:0])
  );

  rf_fence_compare u_compare (
    .clk_i(steps_clk), .rst_ni,
    .push_i(begun),
    .push_ready_o(compare_ready),
    .push_node_i(node_q),
    .push_progress_i(begun_progress),
    .push_slot_i(begun_slot),
    .push_vmid_i(begun_vmid),
    .push_address_i(begun_address),
    .push_value_i(begun_value),
    .push_monitored_i(begun_monitored),
    .performed_i(done && done_compare),
    .lost_i(done_lost),
    .read_valid_o(read_valid_o[0]),
    .read_ready_i(read_ready_i[0]),
    .read_o(fence_read),
    .read_hold_o(read_hold_o[0]),
    .response_valid_i,
    .response_i,
    .record_valid_o(record_valid_o[0]),
    .record_ready_i(record_ready_i[0]),
    .record_o(fence_record),
    .asked_slot_i,
    .comparing_o,
    .slot_o(decided_slot),
    .value_o(decided_value),
    .handle_valid_o(handle_valid),
    .handle_ready_i(handle_ready),
    .handle_i(decided_handle),
    .progress_valid_o(progress_valid),
    .progress_ready_i(progress_ready),
    .fault_valid_o(fault),
    .fault_failure_o(fault_failure),
    .suppressed_o,
    .idle_o(compare_idle));

  // --- update port -------------------------------------------------------------------------------
  if (MonitoredShadow) begin : gen_update
    rf_bus_pkg::write_request_t update_write;
    rf_bus_pkg::read_request_t  update_read;
    rf_bus_pkg::record_t        update_record;
    assign write_o[WriteWidth +: WriteWidth]    = update_write;
    assign read_o[RequestWidth +: RequestWidth] = update_read;
    rf_record_word u_record (
      .record_i(update_record), .show_i(record_show_i[5:3]), .word_o(record_o[127:64])
    );

    rf_fence_update u_update (
      .clk_i(steps_clk), .rst_ni,
      .write_valid_o(write_valid_o[1]),
      .write_ready_i(write_ready_i[1]),
      .write_o(update_write),
      .write_data_valid_o(write_data_valid_o[1]),
      .write_data_ready_i(write_data_ready_i[1]),
      .write_data_o(write_data_o[64 +: 64]),
      .write_done_i(write_done_i[1]),
      .write_done_status_i(write_done_status_i[3 +: 3]),
      .read_valid_o(read_valid_o[1]),
      .read_ready_i(read_ready_i[1]),
      .read_o(update_read),
      .response_valid_i,
      .response_i,
      .record_valid_o(record_valid_o[1]),
      .record_ready_i(record_ready_i[1]),
      .record_o(update_record),
      .register_i,
      .register_data_o(update_data),
      .updated_o,
      .idle_o(update_idle));
  end else begin : gen_no_update
    assign write_valid_o[1]                     = 1'b0;
    assign write_data_valid_o[1]                = 1'b0;
    assign read_valid_o[1]                      = 1'b0;
    assign record_valid_o[1]                    = 1'b0;
    assign write_o[WriteWidth +: WriteWidth]    = '0;
    assign write_data_o[64 +: 64]               = '0;
    assign read_o[RequestWidth +: RequestWidth] = '0;
    assign record_o[127:64]                     = '0;
    assign update_data                          = '0;
    assign updated_o                            = 1'b0;
    assign update_idle                          = 1'b1;
  end

  // --- the fence block's head and NOTIFY ---------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) notify_o <= 1'b0;
    else notify_o <= register_i.valid && register_i.write && address == rf_pkg::RegFenceNotify;
  end
  always_ff @(posedge clk_i) begin
    block_data <= '0;
    if (register_i.valid && !register_i.write) begin
      if (address == rf_pkg::RegFenceUpdateCurrent - 17'h10) begin
        block_data <= rf_pkg::FenceBlockHeader0;
      end
      if (address == rf_pkg::RegFenceUpdateCurrent - 17'h8) begin
        block_data <= rf_pkg::FenceBlockHeader1;
      end
      if (address == rf_pkg::RegFenceStages) begin
        block_data <= {29'd0, !update_idle, !compare_idle, !write_idle, broken_q, busy_q};
      end
    end
  end

  assign register_data_o = update_data | block_data;
  assign idle_o          = slots_idle && write_idle && compare_idle && update_idle && !notify_o &&
                           fence_valid_i == '0 && switching == '0 && !register_q.valid;

`ifndef SYNTHESIS
  logic [7:0]  named_q;  // slots, a cycle ago
  logic [15:0] engaged;
  assign engaged = busy_q | switching;
  always_ff @(posedge clk_i) begin
    named_q <= slots;
    if (rst_ni) begin
      engaged_as_named: assert (engaged_q == {engaged[named_q[7:4]], engaged[named_q[3:0]]});
`ifndef FORMAL
      first_named_before: assert (!fence_valid_i[0] || slots[3:0] == named_q[3:0]);
      second_named_before: assert (!fence_valid_i[1] || slots[7:4] == named_q[7:4]);
`endif
    end
  end
`endif

endmodule

`default_nettype wire
