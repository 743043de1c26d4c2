// SPDX-License-Identifier: Apache-2.0
//
// Gathers the failures of all units, keeps the first of each slot until the slot
// is enabled again, and sends one queue_error record for it.
//
// Promises: no failure is lost, although those of fences and waits come as pulses:
// a failed fence operation is taken in its cycle, before all others; failed
// comparisons and waits are kept in a place per slot until their turn. A second
// failure of a slot in error changes nothing.

`default_nettype none

module rf_slot_errors (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        fence_valid_i,     // an operation ended, well or not
  input  wire logic [3:0]  fence_slot_i,
  input  wire rf_bus_pkg::failure_t fence_failure_i,
  input  wire logic        fault_valid_i,     // a comparison after it failed
  input  wire logic [3:0]  fault_slot_i,
  input  wire rf_bus_pkg::failure_t fault_failure_i,
  input  wire logic        release_valid_i,   // a wait ended with a failure
  input  wire logic [3:0]  release_slot_i,
  input  wire rf_bus_pkg::failure_t release_failure_i,
  input  wire logic [2:0]  fail_valid_i,      // node 0, node 1, resample
  output logic [2:0]       fail_ready_o,
  input  wire logic [11:0] fail_slot_i,
  input  wire logic [3*rf_bus_pkg::FailureWidth-1:0] fail_i,

  input  wire logic [15:0] waiting_i,
  input  wire logic [15:0] clear_i,           // the slot is being enabled
  output logic [15:0]      error_o,
  output logic [15:0]      wait_failed_o,     // the slot's wait is over by failure

  input  wire logic        identity_write_i,  // write of CONFIG: {node, VMID}
  input  wire logic        handle_write_i,    // and handle
  input  wire logic [3:0]  config_slot_i,
  input  wire logic [7:0]  identity_i,
  input  wire logic [31:0] handle_i,

  input  wire logic        read_i,            // a register read takes the memory port
  input  wire logic [3:0]  read_slot_i,
  output      rf_bus_pkg::failure_t read_o,

  output logic             record_valid_o,
  input  wire logic        record_ready_i,
  output      rf_bus_pkg::record_t record_o,
  output logic             idle_o
);

  localparam int unsigned W = rf_bus_pkg::FailureWidth;

  // --- choice ------------------------------------------------------------------------
  logic       wait_valid, wait_ready, fault_valid, fault_ready;
  logic [3:0] wait_slot, fault_slot;
  rf_bus_pkg::failure_t wait_failure, fault_failure;
  rf_failure_box u_waits (
    .clk_i, .rst_ni, .valid_i(release_valid_i), .slot_i(release_slot_i),
    .failure_i(release_failure_i), .valid_o(wait_valid), .ready_i(wait_ready),
    .slot_o(wait_slot), .failure_o(wait_failure)
  );
  rf_failure_box u_faults (
    .clk_i, .rst_ni, .valid_i(fault_valid_i), .slot_i(fault_slot_i),
    .failure_i(fault_failure_i), .valid_o(fault_valid), .ready_i(fault_ready),
    .slot_o(fault_slot), .failure_o(fault_failure)
  );

  logic         set_valid, from_wait, take;
  logic [3:0]   set_slot;
  logic [W-1:0] set_failure;

  always_comb begin
    set_valid    = 1'b1;
    from_wait    = 1'b0;
    set_slot     = fence_slot_i;
    set_failure  = fence_failure_i;
    wait_ready   = 1'b0;
    fault_ready  = 1'b0;
    fail_ready_o = '0;
    if (fence_valid_i && fence_failure_i.error != rf_pkg::QueueErrorNone) begin
      set_slot = fence_slot_i;
    end else if (fault_valid) begin
      fault_ready = 1'b1;
      set_slot    = fault_slot;
      set_failure = fault_failure;
    end else if (wait_valid) begin
      wait_ready  = 1'b1;
      from_wait   = 1'b1;
      set_slot    = wait_slot;
      set_failure = wait_failure;
    end else if (fail_valid_i[0]) begin
      fail_ready_o[0] = 1'b1;
      set_slot        = fail_slot_i[3:0];
      set_failure     = fail_i[0 +: W];
    end else if (fail_valid_i[1]) begin
      fail_ready_o[1] = 1'b1;
      set_slot        = fail_slot_i[7:4];
      set_failure     = fail_i[W +: W];
    end else if (fail_valid_i[2]) begin
      fail_ready_o[2] = 1'b1;
      set_slot        = fail_slot_i[11:8];
      set_failure     = fail_i[2*W +: W];
    end else begin
      set_valid = 1'b0;
    end
  end

  // A wait that was cancelled meanwhile can no longer fail.
  assign take = set_valid && !error_o[set_slot] && (!from_wait || waiting_i[set_slot]);

  logic [15:0] due_q, due_d, taken;
  assign taken         = take ? 16'd1 << set_slot : '0;
  assign wait_failed_o = (set_valid && from_wait) ? 16'd1 << set_slot : '0;

  // --- one record per error --------------------------------------------------------
  logic [3:0] scan;
  logic       load;
  assign load = due_q != '0 && !record_valid_o && !read_i;

  always_comb begin
    scan = '0;
    for (int unsigned i = 16; i > 0; i--) begin
      if (due_q[i-1]) scan = 4'(i - 1);
    end
    due_d = due_q | taken;
    if (load) due_d[scan] = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_o        <= '0;
      due_q          <= '0;
      record_valid_o <= 1'b0;
    end else begin
      error_o        <= (error_o & ~clear_i) | taken;
      due_q          <= due_d;
      record_valid_o <= load || (record_valid_o && !record_ready_i);
    end
  end

  rf_lutram #(.Width(W)) u_failure (
    .clk_i, .write_i(take), .write_address_i(set_slot), .write_data_i(set_failure),
    .read_address_i(read_i ? read_slot_i : scan), .read_data_o(read_o)
  );

  logic [7:0]  identity; // node, VMID
  logic [31:0] handle;
  rf_lutram #(.Width(8)) u_identity (
    .clk_i, .write_i(identity_write_i), .write_address_i(config_slot_i),
    .write_data_i(identity_i), .read_address_i(scan),
    .read_data_o(identity)
  );
  rf_lutram #(.Width(32)) u_handle (
    .clk_i, .write_i(handle_write_i), .write_address_i(config_slot_i),
    .write_data_i(handle_i), .read_address_i(scan),
    .read_data_o(handle)
  );

  rf_bus_pkg::failure_t failure_q;
  logic [7:0]  identity_q;
  logic [31:0] handle_q;
  always_ff @(posedge clk_i) begin
    if (load) begin
      failure_q  <= read_o;
      identity_q <= identity;
      handle_q   <= handle;
    end
  end

  always_comb begin
    record_o         = '0;
    record_o.kind    = rf_pkg::RecordKindQueueError;
    record_o.node    = identity_q[7:4];
    record_o.vmid    = identity_q[3:0];
    record_o.detail  = failure_q.error;
    record_o.handle  = handle_q;
    record_o.address = failure_q.address;
    record_o.value   = {49'd0, failure_q.store, failure_q.level, 12'd0};
  end

  assign idle_o = !wait_valid && !fault_valid && due_q == '0 && !record_valid_o && fail_valid_i == '0;

endmodule

`default_nettype wire
