// SPDX-License-Identifier: Apache-2.0
//
// Walks of Sv39 page tables (RISC-V privileged specification), Walks at a time. A step takes one
// entry, from the root register or a table, and leads to the next read or to the result; one step
// per cycle serves all walks. Pointers to the last-level tables of sixteen areas of 2 MiB are
// cached, so most walks read one entry.
//
// A load needs V, R and A of its leaf, a store also W and D; tables are never written. A leaf with
// X but not R is a fault. An address or a table outside local memory faults at the entry that
// names it. Level of a fault: 2, 1, 0 of the entry; 3 before any entry: the address is not
// canonical or the VMID has no table.
//
// A port asks again when its result was taken; so the walks that run are of different ports.
//
// Promises: restart_i restarts every walk and drops the cached pointers, so later results come
// from entries read later; old_o until no older read is offered or outstanding. A result stays
// until result_take_i.

`default_nettype none

module rf_walker #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned Walks = 2
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // What to walk for
  input  wire logic         request_valid_i,
  output logic              request_ready_o,
  input  wire logic [3:0]   request_port_i,
  input  wire logic [3:0]   request_vmid_i,
  input  wire logic [39:12] request_page_i,   // rf_bus_pkg::virtual_page
  input  wire logic         request_store_i,
  input  wire logic         restart_i,

  // Root table of a VMID, in the same cycle unless busy
  output logic [3:0]        root_vmid_o,
  input  wire logic         root_busy_i,
  input  wire logic         root_valid_i,
  input  wire logic [55:12] root_i,

  // Reads of one entry
  output logic              read_valid_o,
  input  wire logic         read_ready_i,
  output logic              read_local_o,
  output logic [54:3]       read_address_o,
  output logic [$clog2(Walks)-1:0] read_id_o,
  input  wire logic         entry_valid_i,
  output logic              entry_ready_o,
  input  wire logic [$clog2(Walks)-1:0] entry_id_i,
  input  wire logic         entry_good_i,
  input  wire logic [63:0]  entry_i,

  output logic              result_valid_o,
  input  wire logic         result_take_i,
  output logic [3:0]        result_port_o,
  output logic [3:0]        result_vmid_o,
  output logic [39:12]      result_virtual_o,
  output logic              result_fault_o,
  output logic [1:0]        result_level_o,
  output logic              result_writable_o,
  output logic              result_local_o,
  output logic [54:12]      result_page_o,

  output logic              old_o,
  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (Walks != 2 && Walks != 4) begin : gen_bad_walks
    $error("walks are told apart by one or two bits");
  end

  localparam int unsigned L = LocalMemoryLog2;
  localparam int unsigned WalkBits = $clog2(Walks);
  localparam int unsigned ContextWidth = 4 + 4 + 28 + 1;

  // Bits of an entry
  localparam int unsigned V = rf_pkg::PageTableEntryValidLsb;
  localparam int unsigned R = rf_pkg::PageTableEntryReadLsb;
  localparam int unsigned W = rf_pkg::PageTableEntryWriteLsb;
  localparam int unsigned X = rf_pkg::PageTableEntryExecuteLsb;
  localparam int unsigned A = rf_pkg::PageTableEntryAccessedLsb;
  localparam int unsigned D = rf_pkg::PageTableEntryDirtyLsb;
  localparam int unsigned Page = rf_pkg::PageTableEntryPageLsb;
  localparam int unsigned PageWidth = rf_pkg::PageTableEntryPageWidth;
  localparam int unsigned Local = rf_pkg::PageTableEntryLocalLsb;
  localparam int unsigned Reserved = rf_pkg::PageTableEntryReservedLsb;

  // --- the request that is next ---------------------------------------------------------
  logic         takes, asked_valid_q, asked_store_q;
  logic [3:0]   asked_port_q, asked_vmid_q;
  logic [39:12] asked_page_q;

  assign request_ready_o = !asked_valid_q || takes;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_valid_q <= 1'b0;
    else if (request_ready_o) asked_valid_q <= request_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (request_ready_o) begin
      asked_port_q  <= request_port_i;
      asked_vmid_q  <= request_vmid_i;
      asked_page_q  <= request_page_i;
      asked_store_q <= request_store_i;
    end
  end

  // --- walks ------------------------------------------------------------------------------
  logic [Walks-1:0]   busy_q, old_q, redo_q;   // running; begun before restart_i; to begin again
  logic [2*Walks-1:0] level_q;                 // of the entry being read
  logic               free, from_entry, from_redo, from_request;
  logic [WalkBits-1:0] free_walk, redo_walk, walk;
  logic [3:0]         redo_vmid;

  always_comb begin
    free       = 1'b0;
    free_walk  = '0;
    redo_walk = '0;
    for (int unsigned i = 0; i < Walks; i++) begin
      if (!busy_q[i]) begin
        free      = 1'b1;
        free_walk = i[WalkBits-1:0];
      end
      if (redo_q[i]) redo_walk = i[WalkBits-1:0];
    end
  end

  // --- the next step: an entry, a walk that begins again, or a new one --------------------
  logic step_ready;

  assign from_entry   = entry_valid_i;
  assign from_redo    = !from_entry && redo_q != '0 && !root_busy_i;
  assign from_request = !from_entry && redo_q == '0 && !root_busy_i && asked_valid_q &&
                        free;
  assign walk         = from_entry ? entry_id_i : from_redo ? redo_walk : free_walk;

  assign entry_ready_o   = step_ready;
  assign takes = step_ready && from_request;
  assign root_vmid_o     = (redo_q != '0) ? redo_vmid : asked_vmid_q;

  // --- last tables: what an entry of level 1 said ------------------------------------------
  logic [15:0] last_valid_q;
  logic        last_write, last_hit;
  logic [3:0]  last_place, last_write_place;
  logic [17:0] asked_last_tag;   // {vmid, va[38:25]}
  logic [43:0] asked_last;       // {local, page}

  assign last_place       = asked_page_q[24:21] ^ asked_vmid_q;
  assign last_write_place = result_virtual_o[24:21] ^ result_vmid_o;

  rf_lutram #(
    .Width    (62),
    .DepthLog2(4)
  ) u_last (
    .clk_i,
    .write_i        (last_write),
    .write_address_i(last_write_place),
    .write_data_i   ({result_vmid_o, result_virtual_o[38:25], result_local_o, result_page_o}),
    .read_address_i (last_place),
    .read_data_o    ({asked_last_tag, asked_last})
  );

  // A walk that begins here does not come by the check of the address.
  assign last_hit = last_valid_q[last_place] &&
                    asked_last_tag == {asked_vmid_q, asked_page_q[38:25]} &&
                    asked_page_q[39] == asked_page_q[38];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_valid_q <= '0;
    else if (restart_i) last_valid_q <= '0;
    else if (last_write) last_valid_q[last_write_place] <= 1'b1;
  end

  // {vmid, port, page, store}
  logic [ContextWidth-1:0] step_context;

  rf_lutram #(
    .Width    (ContextWidth),
    .DepthLog2(WalkBits)
  ) u_context (
    .clk_i,
    .write_i        (takes),
    .write_address_i(free_walk),
    .write_data_i   ({asked_vmid_q, asked_port_q, asked_page_q, asked_store_q}),
    .read_address_i (step_walk_q),
    .read_data_o    (step_context)
  );

  rf_lutram #(
    .Width    (4),
    .DepthLog2(WalkBits)
  ) u_again_vmid (
    .clk_i,
    .write_i        (takes),
    .write_address_i(free_walk),
    .write_data_i   (asked_vmid_q),
    .read_address_i (redo_walk),
    .read_data_o    (redo_vmid)
  );

  logic                step_valid_q, step_good_q;
  logic [WalkBits-1:0] step_walk_q;
  logic [1:0]          step_level_q;
  logic [63:0]         step_entry_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_valid_q <= 1'b0;
    else if (step_ready) step_valid_q <= from_entry || from_redo || from_request;
  end

  // A root is a pointer of level 3.
  always_ff @(posedge clk_i) begin
    if (step_ready) begin
      step_walk_q  <= walk;
      step_good_q  <= from_entry ? entry_good_i : 1'b1;
      step_level_q <= from_entry                ? level_q[entry_id_i*2 +: 2] :
                      from_request && last_hit ? 2'd1 : 2'd3;
      step_entry_q <= from_entry                ? entry_i :
                      from_request && last_hit ? {10'd0, asked_last, {(Page-1){1'b0}}, 1'b1}
                                               : {10'd0, root_i, {(Page-1){1'b0}}, root_valid_i};
    end
  end

  // --- what the entry says ---------------------------------------------------------------
  logic         store, canonical, leaf, misaligned, outside, allowed, fault;
  logic         local_memory;
  logic [3:0]   vmid, port;
  logic [39:12] virtual_page;
  logic [54:12] page;
  logic [8:0]   index;

  assign {vmid, port, virtual_page, store} = step_context;

  assign canonical = virtual_page[39] == virtual_page[38];
  assign leaf      = step_entry_q[R] || step_entry_q[X];
  assign allowed   = step_entry_q[R] && step_entry_q[A] &&
                     (!store || (step_entry_q[W] && step_entry_q[D]));

  // The page behind a leaf, or the next table.
  always_comb begin
    local_memory = step_entry_q[Local];
    page         = step_entry_q[Page +: PageWidth];
    misaligned   = 1'b0;
    index        = virtual_page[20:12];
    unique case (step_level_q)
      2'd3: index = virtual_page[38:30];
      2'd2: begin
        index      = virtual_page[29:21];
        misaligned = step_entry_q[Page +: 18] != '0;
        if (leaf) page[29:12] = virtual_page[29:12];
      end
      2'd1: begin
        misaligned = step_entry_q[Page +: 9] != '0;
        if (leaf) page[20:12] = virtual_page[20:12];
      end
      default: ;
    endcase
  end

  // The bits of a superpage that its entry leaves to the address are 0 in it, or misaligned.
  assign outside = local_memory && (step_entry_q[Page + L - 12 +: 55 - L] != '0 ||
                                    (leaf && step_level_q[1] && virtual_page[29:L] != '0) ||
                                    (leaf && step_level_q[0] && virtual_page[20:L] != '0));
  assign fault   = !step_good_q || !step_entry_q[V] || step_entry_q[63:Reserved] != '0 ||
                   (step_entry_q[W] && !step_entry_q[R]) || outside ||
                   (leaf ? !allowed || misaligned : step_level_q == 2'd0) ||
                   (step_level_q == 2'd3 && !canonical);

  // --- what follows: a read or a result ------------------------------------------------------
  logic                out_read_q, out_result_q;
  logic [WalkBits-1:0] out_walk_q;
  logic                old, drop;

  assign old        = old_q[step_walk_q];
  assign drop       = out_result_q && old_q[out_walk_q] && !result_take_i;
  assign step_ready = !step_valid_q || !(out_read_q || out_result_q) ||
                      (out_read_q && read_ready_i) || result_take_i || drop;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_read_q   <= 1'b0;
      out_result_q <= 1'b0;
    end else if (!(out_read_q || out_result_q) || (out_read_q && read_ready_i) ||
                 result_take_i || drop) begin
      out_read_q   <= step_valid_q && !old && !fault && !leaf;
      out_result_q <= step_valid_q && !old && (fault || leaf);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!(out_read_q || out_result_q) || (out_read_q && read_ready_i) || result_take_i ||
        drop) begin
      out_walk_q        <= step_walk_q;
      read_address_o    <= {page, index};
      result_local_o    <= local_memory;
      result_port_o     <= port;
      result_vmid_o     <= vmid;
      result_virtual_o  <= virtual_page;
      result_fault_o    <= fault;
      result_level_o    <= step_level_q;
      result_writable_o <= step_entry_q[W] && step_entry_q[D];
    end
  end

  assign read_valid_o   = out_read_q;
  assign read_local_o   = result_local_o;
  assign read_id_o      = out_walk_q;
  assign result_valid_o = out_result_q;
  assign result_page_o  = read_address_o[54:12];
  assign last_write     = out_read_q && result_level_o == 2'd1 && !old_q[out_walk_q];
  assign old_o          = old_q != '0;
  assign idle_o         = busy_q == '0 && !asked_valid_q;

  // --- state of the walks -----------------------------------------------------------------------
  for (genvar i = 0; i < Walks; i++) begin : gen_walk
    logic begins, steps, ends, voided;

    assign begins = takes && free_walk == i;
    assign steps  = step_ready && step_valid_q && step_walk_q == i;
    assign ends   = result_take_i && out_walk_q == i;
    // It may begin again when nothing of it is under way.
    assign voided = (steps && old) || (drop && out_walk_q == i);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        busy_q[i]  <= 1'b0;
        old_q[i]   <= 1'b0;
        redo_q[i] <= 1'b0;
      end else begin
        if (begins) busy_q[i] <= 1'b1;
        else if (ends) busy_q[i] <= 1'b0;
        if (restart_i) old_q[i] <= (busy_q[i] || begins) && !redo_q[i];
        else if (voided || ends) old_q[i] <= 1'b0;
        if (voided) redo_q[i] <= 1'b1;
        else if (step_ready && from_redo && redo_walk == i) redo_q[i] <= 1'b0;
      end
    end

    always_ff @(posedge clk_i) begin
      if (steps) level_q[i*2 +: 2] <= step_level_q - 2'd1;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      entry_of_a_walk: assert (!entry_valid_i || busy_q[entry_id_i]);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
