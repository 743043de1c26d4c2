// SPDX-License-Identifier: Apache-2.0
//
// Fence operations whose writes are under way, in order, and their end: an operation is done when
// all its writes are performed. Up to four without log, or one with log, which is alone and has
// several writes: value, entry, rest of the entry, header. An operation that is refused (error_i)
// writes nothing and ends when no other one is under way.
// Promises: done in the order of entry, once each, none before its last write. Cycles from the last
// write to done_o: none.

`default_nettype none

module rf_fence_tracker (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        enter_i,        // only if ready_o
  output logic             ready_o,
  input  wire logic        logged_i,       // the operation that enters, or is refused
  input  wire logic        compare_i,
  input  wire logic [3:0]  slot_i,
  input  wire logic        log_only_i,
  input  wire logic [63:0] address_i,
  input  wire logic [7:0]  error_i,        // of the one that is refused, until it is over

  // Of the one with log, which stand long before its first write is done
  input  wire logic [1:0]  last_step_i,    // its last write, from 0
  input  wire logic        value_failed_i,
  output logic [1:0]       failed_step_o,  // the write that failed first, or the next one
  input  wire logic [63:3] failed_address_i, // of that write

  input  wire logic        write_done_i,
  input  wire logic [2:0]  write_done_status_i,
  input  wire logic [1:0]  write_done_level_i,

  output logic             alone_o,        // one operation is under way
  output logic             log_done_o,     // the one with log, or refused, is over
  output logic             done_valid_o,
  output logic [3:0]       done_slot_o,
  output logic             done_log_only_o,
  output      rf_bus_pkg::failure_t done_failure_o,
  output logic             done_fails_o,   // its error is not 0
  output logic             done_compare_o, // the comparison is next
  output logic             done_lost_o,    // ... but the value failed
  output logic             idle_o
);

  // The oldest first: that one write more is done tells far away what the oldest is. While there
  // is none, its place shows the operation that may be refused.
  localparam int unsigned Depth = 4;
  logic               head_valid_q, head_logged, head_compare, head_done;
  logic [63:0]        head_address;
  logic [2:0]         tracked_q, tracked, tracked_left; // now, in the next cycle, of those now
  logic [Depth-1:0]   logged_there_q, logged_there_d, compare_there_q;
  logic [Depth*5-1:0] there_q;              // {slot, log only}
  assign tracked_left = tracked_q - {2'b0, head_done};
  assign tracked      = tracked_left + {2'b0, enter_i};
  assign ready_o      = !tracked_q[2];
  assign alone_o      = tracked_q == 3'd1;
  assign head_logged  = logged_there_q[0];
  assign head_compare = compare_there_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tracked_q    <= '0;
      head_valid_q <= 1'b0;
    end else begin
      tracked_q    <= tracked;
      head_valid_q <= tracked != '0;
    end
  end

  for (genvar i = 0; i < Depth; i++) begin : gen_place
    localparam int unsigned Next = i == Depth - 1 ? i : i + 1;
    logic enters;
    assign enters            = tracked_left == 3'(i);
    assign logged_there_d[i] = enters    ? logged_i :
                               head_done ? logged_there_q[Next] : logged_there_q[i];
    always_ff @(posedge clk_i) begin
      logged_there_q[i] <= logged_there_d[i];
      if (enters) begin
        compare_there_q[i]   <= compare_i;
        there_q[i*5 +: 5]    <= {slot_i, log_only_i};
      end else if (head_done) begin
        compare_there_q[i]   <= compare_there_q[Next];
        there_q[i*5 +: 5]    <= there_q[Next*5 +: 5];
      end
    end
  end

  /* verilator lint_off PINCONNECTEMPTY */
  // Where they write, for their failure.
  rf_fifo #(.Width(64), .DepthLog2(2)) u_track_address (
    .clk_i, .rst_ni,
    .valid_i(enter_i), .ready_o(), .data_i(address_i),
    .valid_o(), .ready_i(head_done), .data_o(head_address),
    .count_o());
  /* verilator lint_on PINCONNECTEMPTY */

  // --- writes of the head ------------------------------------------------------------------
  // That the next write is its last, or that the operation is refused, is known a cycle before.
  logic [1:0] step_q, step_d, logged_step_q, failed_step_q;
  logic       closing_q, refused_q;
  logic       failed_q, done_bad;
  logic [2:0] failed_status_q, failed_status;
  logic [1:0] failed_level_q;
  assign done_bad  = write_done_status_i != rf_pkg::AccessStatusOk;
  assign head_done = write_done_i && closing_q;
  assign step_d    = !write_done_i ? step_q : closing_q ? '0 : step_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      closing_q <= 1'b0;
      refused_q <= 1'b0;
      step_q    <= '0;
      failed_q  <= 1'b0;
    end else begin
      closing_q <= tracked != '0 && (!logged_there_d[0] || step_d == logged_step_q);
      refused_q <= tracked == '0 && !log_done_o && error_i != rf_pkg::QueueErrorNone;
      step_q    <= step_d;
      if (write_done_i) failed_q <= !closing_q && (failed_q || done_bad);
    end
  end

  always_ff @(posedge clk_i) begin
    logged_step_q <= last_step_i;
    if (write_done_i && !failed_q) begin
      failed_step_q   <= step_q;
      failed_status_q <= write_done_status_i;
      failed_level_q  <= write_done_level_i;
    end
  end

  // --- the end -----------------------------------------------------------------------------
  assign done_valid_o    = head_done || refused_q;
  assign log_done_o      = (head_done && head_logged) || refused_q;
  assign done_slot_o     = there_q[4:1];
  assign done_log_only_o = there_q[0];
  assign done_compare_o  = head_valid_q && head_compare;
  assign done_lost_o     = head_logged ? value_failed_i : done_bad;
  assign done_fails_o    = (head_done && (failed_q || done_bad)) || refused_q;
  assign failed_step_o   = failed_q ? failed_step_q : step_q;
  assign failed_status   = failed_q ? failed_status_q : write_done_status_i;

  always_comb begin
    done_failure_o = '0;
    if (!head_valid_q) begin
      done_failure_o.error = error_i;
    end else if (failed_q || done_bad) begin
      // The access statuses and their queue errors are in the same order.
      done_failure_o.error = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, failed_status};
      done_failure_o.level = failed_q ? failed_level_q : write_done_level_i;
      done_failure_o.store = 1'b1;
      done_failure_o.address = head_logged ? {failed_address_i, 3'd0} : head_address;
    end
  end

  assign idle_o = !head_valid_q;

`ifndef SYNTHESIS
`ifndef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      operation_has_room: assert (!enter_i || ready_o);
      done_of_a_write: assert (!write_done_i || tracked_q != '0);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
