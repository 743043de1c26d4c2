// SPDX-License-Identifier: Apache-2.0
//
// Stands for mmu/rf_translate in proofs of the memory system: whoever is granted, in any
// order, is answered two cycles later or at any later time, in the order of the port's
// requests, but in any among ports. The granted port is told in the next cycle, and has to ask
// the same until then (`request_stays`). A port has one request at a time. Page tables are read
// at any time and anywhere, which has nothing to do with the responses. Every page lies anywhere or
// faults, anew at each lookup, but the page of the word that the proof looks at, which
// does not move. The proof drives `watched` by its name. Rounds of invalidation come at
// any time, and take as long as they take.

`default_nettype none

module rf_translate #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned Ports = 14,
  parameter int unsigned SetsLog2 = 5,
  parameter int unsigned Walks = 2
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic [Ports-1:0]    request_valid_i,
  output logic [Ports-1:0]         request_ready_o,
  input  wire logic [Ports*57-1:0] request_i,
  output logic [31:0]              request_seen_o,

  output logic                     response_valid_o,
  output logic [$clog2(Ports)-1:0] response_port_o,
  output logic                     response_fault_o,
  output logic [1:0]               response_level_o,
  output logic                     response_local_o,
  output logic [54:12]             response_page_o,

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

  localparam int unsigned PortBits = $clog2(Ports);
  localparam int unsigned ResponseWidth = 1 + 2 + 1 + 43;

  (* anyseq *)   logic [PortBits-1:0]    favourite, next;
  (* anyseq *)   logic [63:0]            data;
  (* anyseq *)   logic [15:0]            vmids;
  (* anyseq *)   logic                   begins, idle, reads, takes;
  (* anyseq *)   logic [$clog2(Walks)-1:0] walk;
  (* anyseq *)   logic [55:3]            table_address;
  (* anyconst *) logic [ResponseWidth-1:0] stays;
  (* anyseq *)   logic [ResponseWidth-1:0] anywhere;
  logic [31:0] watched;  // {VMID, page}

  assign entry_ready_o   = takes;
  assign register_data_o = data;
  assign idle_o          = idle;

  // --- lookups ---------------------------------------------------------------------------
  localparam int unsigned Depth = 4;  // of a port: more than any has

  logic                lookup_valid_q;
  logic [PortBits-1:0] lookup_port_q;
  logic [3:0]          vmid_q;
  logic [39:12]        page_q;
  logic                store_q;
  logic [Ports-1:0]    granted, told;
  logic [Ports*3-1:0]     waiting_q;   // answered later
  logic [Ports*Depth-1:0] of_watched_q; // ... for the watched page, the oldest first
  logic                responses, looked_up;

  always_comb begin
    for (int unsigned i = 0; i < Ports; i++) begin
      told[i]            = lookup_valid_q && lookup_port_q == i[PortBits-1:0];
      granted[i]         = request_valid_i[i] && !told[i] && favourite == i[PortBits-1:0] &&
                           waiting_q[i*3 +: 3] == 3'd0;
      request_ready_o[i] = told[i];
    end
  end

  // {vmid, page, store} of each port
  logic [Ports*33-1:0] looked_for;
  for (genvar p = 0; p < Ports; p++) begin : gen_looked_for
    logic [56:0] request;
    assign request = request_i[p*57 +: 57];
    assign looked_for[p*33 +: 33] = {request[56:53], rf_bus_pkg::virtual_page(request[52:1]),
                                     request[0]};
  end

  // The last port asks for writes again: rf_memory_write_props.sv says what (again_is_ours).
  logic [Ports-1:0] stays_so;
  for (genvar p = 0; p < Ports; p++) begin : gen_stays
    assign stays_so[p] = !told[p] || (request_valid_i[p] &&
                                      (p == Ports - 1 || looked_for[p*33 +: 33] ==
                                                         {vmid_q, page_q, store_q}));
  end
  always_comb if (rst_ni) request_stays: assert (stays_so == '1);

  assign request_seen_o = {vmid_q, page_q};
  assign looked_up      = {vmid_q, page_q} == watched;

  // The next response is that of a port with something to answer, or there is none.
  assign responses = next < PortBits'(Ports) &&
                   (waiting_q[next*3 +: 3] != '0 || (lookup_valid_q && lookup_port_q == next));

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [2:0]       waiting;
    logic [Depth-1:0] of_watched;
    logic             more, less;

    assign waiting    = waiting_q[p*3 +: 3];
    assign of_watched = of_watched_q[p*Depth +: Depth];
    assign more       = lookup_valid_q && lookup_port_q == PortBits'(p);
    assign less       = responses && next == PortBits'(p);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waiting_q[p*3 +: 3] <= '0;
      else waiting_q[p*3 +: 3] <= waiting + {2'd0, more} - {2'd0, less};
    end

    for (genvar i = 0; i < Depth; i++) begin : gen_place
      logic behind;
      assign behind = (i + 1 < Depth) ? of_watched[(i + 1) % Depth] : 1'b0;
      always_ff @(posedge clk_i) begin
        if (more && waiting - {2'd0, less} == 3'(i)) of_watched_q[p*Depth + i] <= looked_up;
        else if (less) of_watched_q[p*Depth + i] <= behind;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lookup_valid_q <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      lookup_valid_q <= granted != '0;
      response_valid_o <= responses;
    end
  end

  always_ff @(posedge clk_i) begin
    lookup_port_q             <= favourite;
    response_port_o           <= next;
    {vmid_q, page_q, store_q} <= looked_for[favourite*33 +: 33];
    {response_fault_o, response_level_o, response_local_o, response_page_o} <=
        (waiting_q[next*3 +: 3] != '0 ? of_watched_q[next*Depth] : looked_up) ? stays : anywhere;
  end

  // --- reads of page tables: one of a walk at a time, which stays until it is taken ----------
  logic [Walks-1:0] walking_q;

  for (genvar w = 0; w < Walks; w++) begin : gen_walk
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) walking_q[w] <= 1'b0;
      else if (read_valid_o && read_ready_i && read_id_o == w) walking_q[w] <= 1'b1;
      else if (entry_valid_i && entry_ready_o && entry_id_i == w) walking_q[w] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_valid_o <= 1'b0;
    else if (!read_valid_o || read_ready_i) begin
      read_valid_o <= reads && !walking_q[walk] && !(read_valid_o && read_id_o == walk);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!read_valid_o || read_ready_i) begin
      read_id_o                      <= walk;
      {read_local_o, read_address_o} <= table_address;
    end
  end

  // --- invalidation ------------------------------------------------------------------------
  logic busy_q, settled_q, epoch_q;

  assign epoch_o      = epoch_q;
  assign flush_o      = begins && !busy_q;
  assign invalidate_o = flush_o ? vmids : 16'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      settled_q <= 1'b0;
      epoch_q   <= 1'b0;
    end else begin
      if (flush_o) epoch_q <= !epoch_q;
      settled_q <= busy_q && (!settled_q || old_in_flight_i || invalidate_busy_i);
      if (flush_o) busy_q <= 1'b1;
      else if (settled_q && !old_in_flight_i && !invalidate_busy_i) busy_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
