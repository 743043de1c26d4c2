// SPDX-License-Identifier: Apache-2.0
//
// Translation of {VMID, virtual page} for every master of memory: one TLB lookup a cycle. A request
// granted in cycle t is answered in t+2 if the TLB knows that it is allowed; the response is
// broadcast with the port's number. Everything else is a miss, which the walker answers.
//
// Arbitration: round robin among groups of four ports and within each. Results of walks and
// sweeps use the lookup's stages too, at the highest priority, and take no port's turn. A port
// sees ready in t+1, holds its request until then, and may ask again in t+2, if it did not miss. A
// miss stalls its own port only, until it is answered: so a port has one request under way.
// Invalidation: see rf_translate_control.

`default_nettype none

module rf_translate #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned Ports = 14,
  parameter int unsigned SetsLog2 = 5,  // of the TLB, two ways
  parameter int unsigned Walks = 2      // at a time
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  // Per port {vmid[3:0], va[63:12], store}.
  input  wire logic [Ports-1:0]    request_valid_i,
  output logic [Ports-1:0]         request_ready_o,
  input  wire logic [Ports*57-1:0] request_i,
  output logic [31:0]              request_seen_o,  // {vmid, virtual_page} granted a cycle ago

  output logic                     response_valid_o,
  output logic [$clog2(Ports)-1:0] response_port_o,
  output logic                     response_fault_o,
  output logic [1:0]               response_level_o,
  output logic                     response_local_o,
  output logic [54:12]             response_page_o,

  // Reads of page-table entries, at most Walks at a time
  output logic                     read_valid_o,
  input  wire logic                read_ready_i,
  output logic                     read_local_o,
  output logic [54:3]              read_address_o,
  output logic [$clog2(Walks)-1:0] read_id_o,
  input  wire logic                entry_valid_i,
  output logic                     entry_ready_o,
  input  wire logic [$clog2(Walks)-1:0] entry_id_i,
  input  wire logic                entry_good_i,
  input  wire logic [63:0]         entry_i,

  input  wire rf_bus_pkg::register_request_t register_i,
  output logic [63:0]              register_data_o,

  output logic                     flush_o,
  output logic [15:0]              invalidate_o,
  input  wire logic                invalidate_busy_i,
  output logic                     epoch_o,
  input  wire logic                old_in_flight_i,

  output logic                     idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (Ports < 2 || Ports > 15) begin : gen_bad_ports
    $error("there are 2 to 15 ports");
  end
  if (SetsLog2 < 4 || SetsLog2 > 8) begin : gen_bad_sets_log2
    $error("a way of the TLB has 16 to 256 sets");
  end
  if (Walks != 2 && Walks != 4) begin : gen_bad_walks
    $error("walks are told apart by one or two bits");
  end

  localparam int unsigned PortBits = $clog2(Ports);

  // --- stage 0: the grant ------------------------------------------------------------
  localparam int unsigned Groups = (Ports + 3) / 4;
  localparam int unsigned S = SetsLog2;
  localparam int unsigned Candidates = 4 * Groups;
  if (Ports == Candidates) begin : gen_check
    $error("the last candidate is that of results and sweeps");
  end

  logic [Ports-1:0]    blocked_q;     // it learns of its grant, a miss is not answered yet, or
                                      // there is no lookup
  logic [Ports-1:0]    looked_up_q;   // its lookup is in stage 2
  logic                missed_any_q;  // it is a miss: known too late for a register of each port
  logic [Ports-1:0]    missed;
  logic [Ports-1:0]    missing_q, missing_d; // a miss of the port is not answered yet
  logic [Ports-1:0]    granted, granted_q;
  logic [Candidates-1:0] request, grant;
  logic [Groups-1:0]   group_request, group_grant;
  logic [$clog2(Groups)-1:0] unused_group_index;
  logic [2*Groups-1:0] unused_index;
  logic [PortBits-1:0] port;
  logic [32:0]         chosen;
  logic                special;       // a result or a sweep

  logic                result_soon, result0_q, result1_q, result2_q;

  assign special = result0_q || sweep;
  assign request = {special, {(Candidates-1-Ports){1'b0}}, request_valid_i & ~(blocked_q | missed)};

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    assign group_request[g] = request[g*4 +: 4] != '0;

    rf_round_robin #(
      .Ports(4)
    ) u_ports (
      .clk_i,
      .rst_ni,
      .request_i(request[g*4 +: 4]),
      .advance_i(group_grant[g] && !special),
      .grant_o  (grant[g*4 +: 4]),
      .index_o  (unused_index[g*2 +: 2])
    );
  end

  rf_round_robin #(
    .Ports(Groups)
  ) u_groups (
    .clk_i,
    .rst_ni,
    .request_i(group_request),
    .advance_i(!special),
    .grant_o  (group_grant),
    .index_o  (unused_group_index)
  );

  // The grant comes late in its cycle, and the port is far: it learns of it from a register.
  always_comb begin
    granted = grant[Ports-1:0];
    for (int unsigned g = 0; g < Groups; g++) begin
      if (!group_grant[g]) granted = granted & ~(Ports'(15) << (g * 4));
    end
  end

  assign request_ready_o = granted_q;

  // {vmid, virtual_page, store} of the port that is granted, or of a result. A sweep looks at one
  // set of both ways: where the page of that number lies in VMID 0.
  always_comb begin
    {port, chosen} = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (granted[p]) begin
        port   = port | p[PortBits-1:0];
        chosen = chosen | {request_i[p*57+53 +: 4],
                           rf_bus_pkg::virtual_page(request_i[p*57+1 +: 52]), request_i[p*57]};
      end
    end
    if (grant[Candidates-1] && group_grant[Groups-1]) begin
      port   = port | result_port;
      chosen = chosen | {sweep ? 4'd0 : result_vmid, result_virtual[39:12+2*S],
                         sweep ? {{S{1'b0}}, sweep_set} : result_virtual[12 +: 2*S], 1'b0};
    end
  end

  // --- stage 1: lookup; stage 2: response ------------------------------------------------
  logic                lookup_q, hit, miss;
  logic [PortBits-1:0] port_q;
  logic [32:0]         request_q, missed_request_q;

  logic                result_valid, result_fault, result_writable, result_local;
  logic [PortBits-1:0] result_port;
  logic [3:0]          result_vmid;
  logic [39:12]        result_virtual;
  logic [1:0]          result_level;
  logic [54:12]        result_page;

  logic                sweep, pending, restart;
  logic [SetsLog2-1:0] sweep_set;
  logic [15:0]         sweep_vmids;
  logic [38:12]        sweep_first, sweep_last;
  logic                sweep_whole;

  assign result_soon  = result_valid && !pending && !result0_q && !result1_q && !result2_q;
  assign missed       = missed_any_q ? looked_up_q : '0;
  assign miss         = lookup_q && !hit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lookup_q       <= 1'b0;
      result0_q      <= 1'b0;
      result1_q      <= 1'b0;
      result2_q      <= 1'b0;
      granted_q      <= '0;
      looked_up_q    <= '0;
      missed_any_q   <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      lookup_q       <= group_request != '0 && !special;
      result0_q      <= result_soon;
      result1_q      <= result0_q;
      result2_q      <= result1_q;
      granted_q      <= granted;
      looked_up_q    <= granted_q;
      missed_any_q   <= miss;
      response_valid_o <= (lookup_q && !miss) || result1_q;
    end
  end

  assign request_seen_o = request_q[32:1];

  always_ff @(posedge clk_i) begin
    port_q           <= port;
    request_q        <= chosen;
    missed_request_q <= request_q;
    response_port_o  <= port_q;
    response_fault_o <= result1_q && result_fault;
    response_level_o <= result_level;
  end

  logic [1:0]      swept_occupied, swept_writable;
  logic [2*31-1:0] swept_tag;
  logic            sweep_way;

  rf_tlb #(
    .SetsLog2(SetsLog2)
  ) u_tlb (
    .clk_i,
    .rst_ni,
    .vmid_i         (chosen[32:29]),
    .page_i         (chosen[28:1]),
    .store_i        (chosen[0]),
    .fill_i         (result0_q && !result_fault),
    .sweep_i        (sweep),
    .sweep_way_i    (sweep_way),
    .fill_writable_i(result_writable),
    .fill_local_i   (result_local),
    .fill_page_i    (result_page),
    .vmids_i        (sweep_vmids),
    .first_i        (sweep_first),
    .last_i         (sweep_last),
    .whole_i        (sweep_whole),
    .swept_occupied_o(swept_occupied),
    .swept_writable_o(swept_writable),
    .swept_tag_o     (swept_tag),
    .hit_o          (hit),
    .local_o        (response_local_o),
    .page_o         (response_page_o)
  );

  // --- misses, in order ------------------------------------------------------------------
  // One of a port at most
  localparam int unsigned MissesLog2 = $clog2(Ports);
  logic                walk_valid, walk_ready, walk_store, unused_ready;
  logic [PortBits-1:0] walk_port;
  logic [3:0]          walk_vmid;
  logic [39:12]        walk_page;
  logic [MissesLog2:0] unused_count;

  rf_fifo #(
    .Width    (PortBits + 33),
    .DepthLog2(MissesLog2)
  ) u_misses (
    .clk_i,
    .rst_ni,
    .valid_i(missed_any_q),
    .ready_o(unused_ready),
    .data_i ({response_port_o, missed_request_q}),
    .valid_o(walk_valid),
    .ready_i(walk_ready),
    .data_o ({walk_port, walk_vmid, walk_page, walk_store}),
    .count_o(unused_count)
  );

`ifndef SYNTHESIS
`ifndef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni) no_miss_lost: assert (!missed_any_q || unused_ready);
  end

  // A request stays until it is taken; what it asks is checked with the masters' offers.
  logic [Ports-1:0] waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= '0;
    else waiting_q <= request_valid_i & ~request_ready_o;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) request_stays: assert ((waiting_q & ~request_valid_i) == '0);
  end
`endif
`endif

  assign missing_d = missed | (missing_q & ~(result1_q ? Ports'(1) << port_q : '0));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      missing_q <= '0;
      blocked_q <= '1;
    end else begin
      missing_q <= missing_d;
      blocked_q <= (result_soon || result0_q || pending) ? '1 :
                   granted | missing_d;
    end
  end

  // --- walks, registers ------------------------------------------------------------------
  logic [3:0]   root_vmid;
  logic         root_busy, root_valid;
  logic [55:12] root;
  logic         control_idle, walker_idle, walker_old;

  rf_walker #(
    .LocalMemoryLog2(LocalMemoryLog2),
    .Walks          (Walks)
  ) u_walker (
    .clk_i,
    .rst_ni,
    .request_valid_i  (walk_valid),
    .request_ready_o  (walk_ready),
    .request_port_i   (walk_port),
    .request_vmid_i   (walk_vmid),
    .request_page_i   (walk_page),
    .request_store_i  (walk_store),
    .restart_i        (restart),
    .root_vmid_o      (root_vmid),
    .root_busy_i      (root_busy),
    .root_valid_i     (root_valid),
    .root_i           (root),
    .read_valid_o,
    .read_ready_i,
    .read_local_o,
    .read_address_o,
    .read_id_o,
    .entry_valid_i,
    .entry_ready_o,
    .entry_id_i,
    .entry_good_i,
    .entry_i,
    .result_valid_o   (result_valid),
    .result_take_i    (result2_q),
    .result_port_o    (result_port),
    .result_vmid_o    (result_vmid),
    .result_virtual_o (result_virtual),
    .result_fault_o   (result_fault),
    .result_level_o   (result_level),
    .result_writable_o(result_writable),
    .result_local_o   (result_local),
    .result_page_o    (result_page),
    .old_o            (walker_old),
    .idle_o           (walker_idle)
  );

  rf_translate_control #(
    .SetsLog2(SetsLog2)
  ) u_control (
    .clk_i,
    .rst_ni,
    .register_i,
    .register_data_o,
    .root_vmid_i       (root_vmid),
    .root_busy_o       (root_busy),
    .root_valid_o      (root_valid),
    .root_o            (root),
    .result_under_way_i(result0_q || result1_q || result2_q),
    .pending_o         (pending),
    .restart_o         (restart),
    .sweep_o           (sweep),
    .sweep_set_o       (sweep_set),
    .sweep_vmids_o     (sweep_vmids),
    .sweep_first_o     (sweep_first),
    .sweep_last_o      (sweep_last),
    .sweep_whole_o     (sweep_whole),
    .sweep_way_o       (sweep_way),
    .swept_occupied_i  (swept_occupied),
    .swept_writable_i  (swept_writable),
    .swept_tag_i       (swept_tag),
    .swept_page_i      ({response_local_o, response_page_o}),
    .flush_o,
    .invalidate_o,
    .invalidate_busy_i,
    .epoch_o,
    .old_in_flight_i   (old_in_flight_i || walker_old),
    .idle_o            (control_idle)
  );

  assign idle_o = control_idle && walker_idle && missing_q == '0 && !lookup_q && !missed_any_q &&
                  !response_valid_o;

endmodule

`default_nettype wire
