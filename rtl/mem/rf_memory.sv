// SPDX-License-Identifier: Apache-2.0
//
// The memory system: reads and writes of {VMID, virtual address} by every master, and the CPU's
// accesses to local memory. Connects translation, the reads of its page tables, the two fabrics
// and local memory; adds the port of the wait unit, which only translates.
//
// Ports of the translation: 0..6 read masters, 7 wait unit, 8..12 write masters, 13 writes that
// are translated again.

`default_nettype none

module rf_memory #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned TlbSetsLog2 = 5  // two ways
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Read masters
  input  wire logic [6:0]   read_valid_i,
  output logic [6:0]        read_ready_o,
  input  wire logic [rf_bus_pkg::ReadMasters*rf_bus_pkg::ReadRequestWidth-1:0] read_i,
  input  wire logic [6:0]   read_hold_i,
  output rf_bus_pkg::read_bus_t response_o,

  // Write masters
  input  wire logic [4:0]   write_valid_i,
  output logic [4:0]        write_ready_o,
  input  wire logic [rf_bus_pkg::WriteMasters*rf_bus_pkg::WriteRequestWidth-1:0] write_i,
  input  wire logic [4:0]   write_data_valid_i,
  output logic [4:0]        write_data_ready_o,
  input  wire logic [5*64-1:0] write_data_i,
  output rf_bus_pkg::write_done_t write_done_o,

  // CPU accesses to local memory (rf_pcie); addresses wrap at its size, so
  // the upper bits are not used
  input  wire logic         local_write_valid_i,
  output logic              local_write_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire rf_bus_pkg::local_write_t local_write_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic         local_read_valid_i,
  output logic              local_read_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:3]  local_read_address_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output rf_bus_pkg::local_response_t local_response_o,  // data: anything unless valid

  // System memory (rf_pcie)
  output logic              system_read_valid_o,
  input  wire logic         system_read_ready_i,
  output rf_bus_pkg::system_read_t system_read_o,
  input  wire logic         system_response_valid_i,
  input  wire rf_bus_pkg::read_response_t system_response_i,
  output logic              system_write_valid_o,
  input  wire logic         system_write_ready_i,
  output rf_bus_pkg::system_write_t system_write_o,
  input  wire rf_bus_pkg::write_accepted_t system_write_accepted_i,

  // Snoop and translation for the wait unit (rf_wait)
  output rf_bus_pkg::snoop_t snoop_o,
  input  wire rf_bus_pkg::wait_translate_t wait_translate_i,
  output logic              wait_translate_ready_o,
  output rf_bus_pkg::wait_translated_t wait_translated_o,
  output logic [15:0]       invalidate_o,
  input  wire logic         invalidate_busy_i,

  // Registers of the translation
  input  wire rf_bus_pkg::register_request_t register_i,
  output logic [63:0]       register_data_o,

  output logic              event_fault_o,
  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (TlbSetsLog2 < 4 || TlbSetsLog2 > 8) begin : gen_bad_tlb_sets_log2
    $error("a way of the TLB has 16 to 256 sets");
  end

  localparam int unsigned L = LocalMemoryLog2;
  localparam int unsigned Walks = 2;
  localparam logic [3:0]  WaitPort = 4'd7;

  logic [13:0]      translate_valid, translate_ready;
  logic [14*57-1:0] translate;
  logic [31:0]      translate_seen;
  rf_bus_pkg::translation_t translated, translated_write;
  logic             of_reads, of_writes;
  logic             flush, epoch;
  logic             read_old, write_old;
  logic             read_idle, write_idle, translate_idle;

  logic                     walk_valid, walk_ready, walk_local;
  logic                     table_valid, table_ready, table_local;
  logic [54:3]              walk_address, table_address;
  logic [$clog2(Walks)-1:0] walk_id, table_id, entry_id;
  logic                     entry_valid, entry_ready, entry_good;
  logic [63:0]              entry;
  logic                     port_valid, port_ready, port_data_valid;  // reads of local memory
  logic [L-1:3]             port_address;
  logic [63:0]              local_data;
  logic                     fabric_read_valid, fabric_read_ready, fabric_response_valid;
  rf_bus_pkg::system_read_t fabric_read;

  logic             ram_write, ram_read;
  logic [L-1:3]     ram_write_address, ram_read_address;
  logic [63:0]      ram_write_data, ram_read_data;
  logic [7:0]       ram_write_strobe;

  // Between lookups, walks and invalidations it waits for a request or a register access.
  logic translate_clk;
  logic translate_wake;
  assign translate_wake = translate_valid != '0 || !translate_idle || register_i.valid;
  rf_clock_gate #(.Linger(2)) u_translate_clock (
    .clk_i, .rst_ni,
    .wake_i(translate_wake),
    .clk_o (translate_clk)
  );

  rf_translate #(
    .LocalMemoryLog2(L),
    .Ports          (14),
    .SetsLog2       (TlbSetsLog2),
    .Walks          (Walks)
  ) u_translate (
    .clk_i            (translate_clk),
    .rst_ni,
    .request_valid_i  (translate_valid),
    .request_ready_o  (translate_ready),
    .request_i        (translate),
    .request_seen_o   (translate_seen),
    .response_valid_o (translated.valid),
    .response_port_o  (translated.port),
    .response_fault_o (translated.fault),
    .response_level_o (translated.level),
    .response_local_o (translated.in_local),
    .response_page_o  (translated.page),
    .read_valid_o     (walk_valid),
    .read_ready_i     (walk_ready),
    .read_local_o     (walk_local),
    .read_address_o   (walk_address),
    .read_id_o        (walk_id),
    .entry_valid_i    (entry_valid),
    .entry_ready_o    (entry_ready),
    .entry_id_i       (entry_id),
    .entry_good_i     (entry_good),
    .entry_i          (entry),
    .register_i,
    .register_data_o,
    .flush_o          (flush),
    .invalidate_o,
    .invalidate_busy_i,
    .epoch_o          (epoch),
    .old_in_flight_i  (read_old || write_old),
    .idle_o           (translate_idle)
  );

  assign of_reads  = translated.valid && translated.port < WaitPort;
  assign of_writes = translated.valid && translated.port > WaitPort;

  always_comb begin
    translated_write       = translated;
    translated_write.valid = of_writes;
    translated_write.port  = {1'b0, translated.port[2:0]};
  end

  // The reads of system memory are far from the walks.
  localparam int unsigned TableWidth = 1 + 52 + $clog2(Walks);

  rf_reverse_slice #(.Width(TableWidth)) u_table_slice (
    .clk_i, .rst_ni,
    .valid_i(walk_valid), .ready_o(walk_ready), .data_i({walk_local, walk_address, walk_id}),
    .valid_o(table_valid), .ready_i(table_ready),
    .data_o ({table_local, table_address, table_id})
  );

  rf_table_read #(
    .LocalMemoryLog2(L),
    .Walks          (Walks)
  ) u_table_read (
    .clk_i,
    .rst_ni,
    .read_valid_i         (table_valid),
    .read_ready_o         (table_ready),
    .read_local_i         (table_local),
    .read_address_i       (table_address),
    .read_id_i            (table_id),
    .entry_valid_o        (entry_valid),
    .entry_ready_i        (entry_ready),
    .entry_id_o           (entry_id),
    .entry_good_o         (entry_good),
    .entry_o              (entry),
    .cpu_valid_i          (local_read_valid_i),
    .cpu_ready_o          (local_read_ready_o),
    .cpu_address_i        (local_read_address_i[L-1:3]),
    .cpu_data_valid_o     (local_response_o.valid),
    .local_valid_o        (port_valid),
    .local_ready_i        (port_ready),
    .local_address_o      (port_address),
    .local_data_valid_i   (port_data_valid),
    .local_data_i         (local_data),
    .fabric_valid_i       (fabric_read_valid),
    .fabric_ready_o       (fabric_read_ready),
    .fabric_i             (fabric_read),
    .fabric_response_valid_o(fabric_response_valid),
    .system_valid_o       (system_read_valid_o),
    .system_ready_i       (system_read_ready_i),
    .system_o             (system_read_o),
    .response_valid_i     (system_response_valid_i),
    .response_i           (system_response_i)
  );

  assign local_response_o.data = local_data;

  rf_read_fabric #(
    .LocalMemoryLog2(L)
  ) u_read (
    .clk_i,
    .rst_ni,
    .read_valid_i,
    .read_ready_o,
    .read_i,
    .read_hold_i,
    .response_valid_o     (response_o.valid),
    .response_to_o        (response_o.to),
    .response_o           (response_o.response),
    .translate_valid_o    (translate_valid[6:0]),
    .translate_ready_i    (translate_ready[6:0]),
    .translate_o          (translate[7*57-1:0]),
    .translated_i         (of_reads),
    .translated_master_i  (translated.port[2:0]),
    .translated_fault_i   (translated.fault),
    .translated_level_i   (translated.level),
    .translated_local_i   (translated.in_local),
    .translated_page_i    (translated.page),
    .system_valid_o       (fabric_read_valid),
    .system_ready_i       (fabric_read_ready),
    .system_o             (fabric_read),
    .system_response_valid_i(fabric_response_valid),
    .system_response_i,
    .cpu_valid_i          (port_valid),
    .cpu_ready_o          (port_ready),
    .cpu_address_i        (port_address),
    .cpu_data_valid_o     (port_data_valid),
    .cpu_data_o           (local_data),
    .local_read_o         (ram_read),
    .local_address_o      (ram_read_address),
    .local_data_i         (ram_read_data),
    .epoch_i              (epoch),
    .old_in_flight_o      (read_old),
    .idle_o               (read_idle)
  );

  /* verilator lint_off UNUSEDSIGNAL */ // addresses wrap
  logic [31:3] local_write_address;
  /* verilator lint_on UNUSEDSIGNAL */
  assign local_write_address = local_write_i.address;

  rf_write_fabric #(
    .LocalMemoryLog2(L)
  ) u_write (
    .clk_i,
    .rst_ni,
    .write_valid_i,
    .write_ready_o,
    .write_i,
    .write_data_valid_i,
    .write_data_ready_o,
    .write_data_i,
    .write_done_o,
    .translate_valid_o       (translate_valid[13:8]),
    .translate_ready_i       (translate_ready[13:8]),
    .translate_o             (translate[14*57-1:8*57]),
    .translate_seen_i        (translate_seen),
    .translated_i            (translated_write),
    .flush_i                 (flush),
    .epoch_i                 (epoch),
    .old_in_flight_o         (write_old),
    .system_valid_o          (system_write_valid_o),
    .system_ready_i          (system_write_ready_i),
    .system_o                (system_write_o),
    .system_accepted_i       (system_write_accepted_i),
    .cpu_valid_i             (local_write_valid_i),
    .cpu_ready_o             (local_write_ready_o),
    .cpu_address_i           (local_write_address[L-1:3]),
    .cpu_data_i              (local_write_i.data),
    .cpu_strobe_i            (local_write_i.strobe),
    .local_write_o           (ram_write),
    .local_address_o         (ram_write_address),
    .local_data_o            (ram_write_data),
    .local_strobe_o          (ram_write_strobe),
    .snoop_o,
    .idle_o                  (write_idle)
  );

  rf_local_memory #(
    .LocalMemoryLog2(L)
  ) u_local_memory (
    .clk_i,
    .write_i        (ram_write),
    .write_address_i(ram_write_address),
    .write_data_i   (ram_write_data),
    .write_strobe_i (ram_write_strobe),
    .read_i         (ram_read),
    .read_address_i (ram_read_address),
    .read_data_o    (ram_read_data)
  );

  // --- wait unit: it asks for one translation at a time ----------------------------------
  logic        wait_done;
  logic [63:3] wait_va;        // Yosys 0.23 mistakes the bits of a member that does not end in 0
  logic [11:3] wait_offset_q;

  assign wait_va                    = wait_translate_i.va;
  assign wait_done                  = translated.valid && translated.port == WaitPort;
  assign translate_valid[7]         = wait_translate_i.valid;
  assign translate[7*57 +: 57]      = {wait_translate_i.vmid, wait_va[63:12], 1'b0};
  assign wait_translate_ready_o     = translate_ready[7];
  assign wait_translated_o.done     = wait_done;
  assign wait_translated_o.fault    = translated.fault;
  assign wait_translated_o.level    = translated.level;
  assign wait_translated_o.in_local = translated.in_local;
  assign wait_translated_o.address  = {translated.page, wait_offset_q};

  always_ff @(posedge clk_i) begin
    if (wait_translate_ready_o) wait_offset_q <= wait_va[11:3];
  end

  assign event_fault_o = translated.valid && translated.fault;
  assign idle_o        = read_idle && write_idle && translate_idle && !wait_translate_i.valid;

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md. Offers of writes:
  // rf_write_requests, rf_write_arbiter. What masters offer is compared where it comes from.
  logic [6:0] reads_wait_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reads_wait_q <= '0;
    else reads_wait_q <= read_valid_i & ~read_ready_o;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) offered_read_stays: assert ((reads_wait_q & ~read_valid_i) == '0);
  end
  // rf_wait asks again when it has its answer: looking_q of rf_wait_props.
  logic wait_pending_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wait_pending_q <= 1'b0;
    else if (wait_translate_ready_o) wait_pending_q <= 1'b1;
    else if (wait_done) wait_pending_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) one_wait_at_a_time: assert (!wait_pending_q || !wait_translate_i.valid);
  end
  rf_offer_check #(.Width($bits(wait_translate_i))) offered_wait_stays (
    .clk_i, .rst_ni, .valid_i(wait_translate_i.valid), .ready_i(wait_translate_ready_o),
    .data_i(wait_translate_i)
  );
  rf_offer_check #(.Width($bits(local_write_i))) offered_local_write_stays (
    .clk_i, .rst_ni, .valid_i(local_write_valid_i), .ready_i(local_write_ready_o),
    .data_i(local_write_i)
  );
  rf_offer_check #(.Width(29)) offered_local_read_stays (
    .clk_i, .rst_ni, .valid_i(local_read_valid_i), .ready_i(local_read_ready_o),
    .data_i(local_read_address_i)
  );
  rf_offer_check #(.Width($bits(system_read_o))) offered_system_read_stays (
    .clk_i, .rst_ni, .valid_i(system_read_valid_o), .ready_i(system_read_ready_i),
    .data_i(system_read_o)
  );
`endif
`endif

endmodule

`default_nettype wire
