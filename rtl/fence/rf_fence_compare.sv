// SPDX-License-Identifier: Apache-2.0
//
// Steps 3 and 4 of a signal: MonitoredValue is read only when the value (and the log) are
// performed, and compared, unsigned and strictly greater; then a fence_signaled record is raised
// (S0-13, S0-14). The read request may be issued earlier under read_hold_o, so that it is
// translated ahead, but only while no other read is under way: the hold never delays another read.
// A failing read raises the record too, and is reported as a failure of the queue before it. The
// value of a progress fence is stored for its register before anything reports it.
// Promises: one decision per operation pushed, in order; none for a lost value.
// Latency: performed_i -> hold low 0; response -> record 1 cycle, 4 for a progress fence. Four
// operations in flight.

`default_nettype none

module rf_fence_compare (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  // A signal or progress operation begins; vmid holds for both addresses.
  input  wire logic                             push_i,
  output logic                                  push_ready_o,
  input  wire logic                             push_node_i,
  input  wire logic                             push_progress_i,
  input  wire logic [3:0]                       push_slot_i,
  input  wire logic [3:0]                       push_vmid_i,
  input  wire logic [63:0]                      push_address_i,
  input  wire logic [63:0]                      push_value_i,
  input  wire logic [63:0]                      push_monitored_i,
  // Its writes are performed, in order; lost: its value is not.
  input  wire logic                             performed_i,
  input  wire logic                             lost_i,

  output logic                                  read_valid_o,
  input  wire logic                             read_ready_i,
  output             rf_bus_pkg::read_request_t read_o,
  output logic                                  read_hold_o,
  input  wire logic                             response_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */ // last: every response has one word
  input  wire        rf_bus_pkg::read_response_t  response_i,
  /* verilator lint_on UNUSEDSIGNAL */

  output logic                                  record_valid_o,
  input  wire logic                             record_ready_i,
  output             rf_bus_pkg::record_t       record_o,

  input  wire logic [3:0]                       asked_slot_i,
  output logic                                  comparing_o,    // an operation of it is not decided
  output logic [3:0]                            slot_o,         // of the decision
  output logic [63:0]                           value_o,
  output logic                                  handle_valid_o, // handle_i is of slot_o in the
  input  wire logic                             handle_ready_i, // cycle after both
  input  wire logic [31:0]                      handle_i,
  output logic                                  progress_valid_o, // value_o is to be kept
  input  wire logic                             progress_ready_i,
  output logic                                  fault_valid_o,
  output             rf_bus_pkg::failure_t      fault_failure_o,
  output logic                                  suppressed_o,   // event: no interrupt
  output logic                                  idle_o
);

  localparam int unsigned DepthLog2 = 2;
  localparam int unsigned Depth     = 1 << DepthLog2;

  // --- operations, from push to decision -------------------------------------------
  logic        head_node, head_progress, pop;
  logic [3:0]  head_slot, head_vmid;
  logic [31:0] handle_q;
  logic [63:0] head_address, monitored;

  /* verilator lint_off PINCONNECTEMPTY */
  rf_fifo #(.Width(2 + 4 + 4 + 64), .DepthLog2(DepthLog2)) u_operations (
    .clk_i, .rst_ni,
    .valid_i(push_i), .ready_o(push_ready_o),
    .data_i({push_node_i, push_progress_i, push_slot_i, push_vmid_i, push_address_i}),
    .valid_o(shown), .ready_i(pop),
    .data_o({head_node, head_progress, head_slot, head_vmid, head_address}),
    .count_o());
  /* verilator lint_on PINCONNECTEMPTY */

  // Values are read for a response, which is compared in its cycle, else for the oldest
  // operation, whose value stands in a register then.
  logic        loads, value_valid_q;
  logic [63:0] value, head_value_q;
  rf_lutram #(.Width(64), .DepthLog2(DepthLog2)) u_values (
    .clk_i, .write_i(push_i), .write_address_i(pushed_q[DepthLog2-1:0]),
    .write_data_i(push_value_i),
    .read_address_i(response_mine ? response_place : place), .read_data_o(value));
  assign loads = shown && !value_valid_q && !response_mine;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) value_valid_q <= 1'b0;
    else value_valid_q <= !pop && (loads || value_valid_q);
  end
  always_ff @(posedge clk_i) if (loads) head_value_q <= value;

  // Its handle is looked up; it is complete when both are here.
  logic shown, head_valid_q, handle_coming_q, handle_valid_q, complete;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_valid_q    <= 1'b0;
      handle_valid_o  <= 1'b0;
      handle_coming_q <= 1'b0;
      handle_valid_q  <= 1'b0;
    end else begin
      head_valid_q    <= shown && !pop;
      handle_valid_o  <= (shown && !head_valid_q) || (handle_valid_o && !handle_ready_i);
      handle_coming_q <= handle_valid_o && handle_ready_i;
      handle_valid_q  <= (handle_coming_q || handle_valid_q) && !pop;
    end
  end
  assign complete = handle_valid_q && value_valid_q;
  always_ff @(posedge clk_i) if (handle_coming_q) handle_q <= handle_i;

  // --- reads -------------------------------------------------------------------------
  // Operations performed, handed over and decided, counted since reset. One may be
  // handed over ahead of its write, when all handed over before it are decided.
  logic [DepthLog2:0] pushed_q, performed_q, requested_q, decided_q;
  logic               ahead, request;
  assign ahead        = requested_q == performed_q + 1'b1;
  assign read_valid_o = pushed_q != requested_q && !ahead && !fault_shown_q &&
                        (requested_q != performed_q || requested_q == decided_q);
  assign request      = read_valid_o && read_ready_i;
  assign read_hold_o  = (ahead || (read_valid_o && requested_q == performed_q)) && !performed_i;
  assign read_o.va    = monitored;
  assign read_o.words = 7'd1;
  assign read_o.id    = {3'd0, requested_q[DepthLog2-1:0]};

  // What they read, for the next one to be handed over, or for the failure of the oldest.
  rf_lutram #(.Width(4 + 64), .DepthLog2(DepthLog2)) u_requests (
    .clk_i, .write_i(push_i), .write_address_i(pushed_q[DepthLog2-1:0]),
    .write_data_i({push_vmid_i, push_monitored_i}),
    .read_address_i(fault_shown_q ? place : requested_q[DepthLog2-1:0]),
    .read_data_o({read_o.vmid, monitored}));

  // --- responses, which may come in any order ---------------------------------------------
  // Each is compared as it comes; what was found is kept until its operation is the oldest.
  logic                 response_mine, response_head;
  logic [DepthLog2-1:0] response_place, place;
  logic [Depth-1:0]     answered_q, lost_q;
  logic                 greater, kept_greater;
  logic [2:0]           kept_status;
  logic [1:0]           kept_level;
  assign response_mine  = response_valid_i && response_i.master == rf_bus_pkg::ReadFence;
  assign response_place = response_i.id[DepthLog2-1:0];
  assign place        = decided_q[DepthLog2-1:0];
  assign response_head  = response_mine && response_place == place;
  assign greater      = response_i.data < value;

  rf_lutram #(.Width(1 + 3 + 2), .DepthLog2(DepthLog2)) u_responses (
    .clk_i, .write_i(response_mine), .write_address_i(response_place),
    .write_data_i({greater, response_i.status, response_i.level}),
    .read_address_i(place), .read_data_o({kept_greater, kept_status, kept_level}));

  // --- decision: one cycle for what to do, then it is done ----------------------------------
  // Before it is due, the value of a progress fence is kept, and a failed read reported.
  logic due_q, raise_q, kept_q, fault_reported_q, fault_shown_q;
  logic fault, lost, failed, finds, decides;
  assign lost   = lost_q[place];
  assign failed = (response_head ? response_i.status : kept_status) != rf_pkg::AccessStatusOk;
  assign finds  = response_head ? greater : kept_greater;
  assign decides = (answered_q[place] || response_head) && complete &&
                   (lost || ((!head_progress || kept_q) && (!failed || fault_reported_q)));
  assign pop    = due_q && (!raise_q || record_ready_i);

  assign slot_o           = head_slot;
  assign value_o          = head_value_q;
  assign suppressed_o     = pop && !raise_q && !lost;
  assign fault            = answered_q[place] && complete && !lost && !fault_reported_q &&
                            !fault_shown_q && kept_status != rf_pkg::AccessStatusOk;
  assign fault_valid_o    = fault_shown_q;
  always_comb begin
    fault_failure_o         = '0;
    // The access statuses and their queue errors are in the same order.
    fault_failure_o.error   = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, kept_status};
    fault_failure_o.level   = kept_level;
    fault_failure_o.address = monitored;
  end

  assign record_valid_o = raise_q;
  always_comb begin
    record_o         = '0;
    record_o.kind    = rf_pkg::RecordKindFenceSignaled;
    record_o.node    = {3'd0, head_node};
    record_o.vmid    = head_vmid;
    record_o.handle  = handle_q;
    record_o.address = head_address;
    record_o.value   = head_value_q;
  end

  // Which slots the operations here are of; a free place shows none.
  logic [Depth-1:0] undecided_q, asked;
  for (genvar i = 0; i < Depth; i++) begin : gen_place
    logic [3:0] slot_q;
    always_ff @(posedge clk_i) begin
      if (push_i && pushed_q[DepthLog2-1:0] == DepthLog2'(i)) slot_q <= push_slot_i;
    end
    assign asked[i] = undecided_q[i] && slot_q == asked_slot_i;
  end
  assign comparing_o = asked != '0;

  assign idle_o = undecided_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pushed_q    <= '0;
      undecided_q <= '0;
      performed_q <= '0;
      requested_q <= '0;
      decided_q   <= '0;
      answered_q  <= '0;
      due_q       <= 1'b0;
      raise_q     <= 1'b0;
    end else begin
      if (push_i) pushed_q <= pushed_q + 1'b1;
      undecided_q <= (undecided_q & ~(pop ? Depth'(1) << place : '0)) |
                     (push_i ? Depth'(1) << pushed_q[DepthLog2-1:0] : '0);
      if (performed_i) performed_q <= performed_q + 1'b1;
      if (request) requested_q <= requested_q + 1'b1;
      if (pop) decided_q <= decided_q + 1'b1;
      answered_q <= (answered_q | (response_mine ? Depth'(1) << response_place : '0)) &
                    ~(pop ? Depth'(1) << place : '0);
      if (!due_q) begin
        due_q   <= decides;
        raise_q <= decides && !lost && (failed || finds);
      end else if (pop) begin
        due_q   <= 1'b0;
        raise_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      progress_valid_o <= 1'b0;
      kept_q           <= 1'b0;
      fault_shown_q    <= 1'b0;
      fault_reported_q <= 1'b0;
    end else begin
      progress_valid_o <= progress_valid_o ? !progress_ready_i
                                           : answered_q[place] && complete && head_progress &&
                                             !lost && !kept_q;
      kept_q           <= !pop && (kept_q || (progress_valid_o && progress_ready_i));
      // No request that is on offer is taken away.
      fault_shown_q    <= fault && !(read_valid_o && !read_ready_i);
      fault_reported_q <= !pop && (fault_reported_q || fault_shown_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (performed_i) lost_q[performed_q[DepthLog2-1:0]] <= lost_i;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::ReadRequestWidth)) read_offer_stays (
    .clk_i, .rst_ni, .valid_i(read_valid_o), .ready_i(read_ready_i), .data_i(read_o)
  );
  rf_offer_check #(.Width(rf_bus_pkg::RecordWidth)) record_offer_stays (
    .clk_i, .rst_ni, .valid_i(record_valid_o), .ready_i(record_ready_i), .data_i(record_o)
  );
  rf_offer_check handle_offer_stays (
    .clk_i, .rst_ni, .valid_i(handle_valid_o), .ready_i(handle_ready_i), .data_i(1'b1)
  );
  rf_offer_check #(.Width(4 + 64)) progress_offer_stays (
    .clk_i, .rst_ni, .valid_i(progress_valid_o), .ready_i(progress_ready_i),
    .data_i({slot_o, value_o})
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni) operation_has_room: assert (!push_i || push_ready_o);
  end
`endif
`endif

endmodule

`default_nettype wire
