// SPDX-License-Identifier: Apache-2.0
//
// Reads of page-table entries by physical address: of local memory through the CPU's port of the
// read fabric, of system memory beside the fabric's own reads, as master 7. Both have priority,
// but cannot block others: a walk has one read at a time.
//
// Promises: an offered system read stays; entries wait here until they are accepted, so responses
// are never refused.

`default_nettype none

module rf_table_read #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned Walks = 2
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Walker: at most Walks reads at a time
  input  wire logic         read_valid_i,
  output logic              read_ready_o,
  input  wire logic         read_local_i,
  input  wire logic [54:3]  read_address_i,
  input  wire logic [$clog2(Walks)-1:0] read_id_i,
  output logic              entry_valid_o,
  input  wire logic         entry_ready_i,
  output logic [$clog2(Walks)-1:0] entry_id_o,
  output logic              entry_good_o,
  output logic [63:0]       entry_o,

  // CPU reads of local memory, and the port that they share
  input  wire logic         cpu_valid_i,
  output logic              cpu_ready_o,
  input  wire logic [LocalMemoryLog2-1:3] cpu_address_i,
  output logic              cpu_data_valid_o,
  output logic              local_valid_o,
  input  wire logic         local_ready_i,
  output logic [LocalMemoryLog2-1:3] local_address_o,
  input  wire logic         local_data_valid_i,
  input  wire logic [63:0]  local_data_i,

  // System reads of the fabric, and the port that they share
  input  wire logic         fabric_valid_i,
  output logic              fabric_ready_o,
  input  wire rf_bus_pkg::system_read_t fabric_i,
  output logic              fabric_response_valid_o,
  output logic              system_valid_o,
  input  wire logic         system_ready_i,
  output rf_bus_pkg::system_read_t system_o,
  input  wire logic         response_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */ // an entry is one word, and the last
  input  wire rf_bus_pkg::read_response_t response_i
  /* verilator lint_on UNUSEDSIGNAL */
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (Walks != 2 && Walks != 4) begin : gen_bad_walks
    $error("walks are told apart by one or two bits");
  end

  localparam int unsigned IdBits = $clog2(Walks);
  localparam logic [3:0]  Master = 4'd7;

  logic use_local, use_system;

  // --- local memory: one entry at a time --------------------------------------------------
  logic              local_busy_q, local_valid_q, local_ours_q;
  logic [IdBits-1:0] local_id_q;
  logic [63:0]       local_q;

  assign use_local        = read_valid_i && read_local_i && !local_busy_q;
  assign local_valid_o    = use_local || cpu_valid_i;
  assign local_address_o  = use_local ? read_address_i[LocalMemoryLog2-1:3] : cpu_address_i;
  assign cpu_ready_o      = local_ready_i && !use_local;
  assign cpu_data_valid_o = local_data_valid_i && !local_ours_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      local_busy_q  <= 1'b0;
      local_valid_q <= 1'b0;
      local_ours_q  <= 1'b0;
    end else begin
      local_ours_q <= use_local && local_ready_i;
      if (use_local && local_ready_i) local_busy_q <= 1'b1;
      else if (local_valid_q && entry_ready_i) local_busy_q <= 1'b0;
      if (local_ours_q) local_valid_q <= 1'b1;
      else if (entry_ready_i) local_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (use_local) local_id_q <= read_id_i;
    if (local_ours_q) local_q <= local_data_i;
  end

  // --- system memory ------------------------------------------------------------------------
  logic              fabric_lock_q;  // its read is offered
  logic              ours, queued_valid, queued_good, unused_ready;
  logic [IdBits-1:0] queued_id;
  logic [63:0]       queued;
  logic [IdBits:0]   unused_count;
  /* verilator lint_off UNUSEDSIGNAL */ // the fabric's epoch; ids are small
  logic [3:0]        master;
  logic [4:0]        id;
  /* verilator lint_on UNUSEDSIGNAL */

  assign use_system     = read_valid_i && !read_local_i && !fabric_lock_q;
  assign system_valid_o = use_system || fabric_valid_i;
  assign system_o       = use_system ? {read_address_i, 7'd1, Master, {(5-IdBits){1'b0}}, read_id_i}
                                     : fabric_i;
  assign fabric_ready_o = system_ready_i && !use_system;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fabric_lock_q <= 1'b0;
    else fabric_lock_q <= fabric_valid_i && !fabric_ready_o && !use_system;
  end

  assign master                = response_i.master;
  assign id                    = response_i.id;
  assign ours                  = master[2:0] == Master[2:0];
  assign fabric_response_valid_o = response_valid_i && !ours;

  rf_fifo #(
    .Width    (IdBits + 1 + 64),
    .DepthLog2(IdBits)
  ) u_entries (
    .clk_i,
    .rst_ni,
    .valid_i(response_valid_i && ours),
    .ready_o(unused_ready),
    .data_i ({id[IdBits-1:0], response_i.status == rf_pkg::AccessStatusOk, response_i.data}),
    .valid_o(queued_valid),
    .ready_i(entry_ready_i && !local_valid_q),
    .data_o ({queued_id, queued_good, queued}),
    .count_o(unused_count)
  );

  assign read_ready_o  = (use_local && local_ready_i) || (use_system && system_ready_i);
  assign entry_valid_o = local_valid_q || queued_valid;
  assign entry_id_o    = local_valid_q ? local_id_q : queued_id;
  assign entry_good_o  = local_valid_q || queued_good;
  assign entry_o       = local_valid_q ? local_q : queued;

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays, and no entry comes without a place.
  rf_offer_check #(.Width(52)) offered_read_stays (
    .clk_i, .rst_ni, .valid_i(read_valid_i), .ready_i(read_ready_o), .data_i(read_address_i)
  );
  rf_offer_check #(.Width($bits(system_o))) offered_system_read_stays (
    .clk_i, .rst_ni, .valid_i(system_valid_o), .ready_i(system_ready_i), .data_i(system_o)
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni && response_valid_i && ours) no_entry_lost: assert (unused_ready);
  end
  rf_offer_check entry_stays (
    .clk_i, .rst_ni, .valid_i(entry_valid_o), .ready_i(entry_ready_i), .data_i(1'b1)
  );
  rf_offer_check local_read_stays (
    .clk_i, .rst_ni, .valid_i(local_valid_o), .ready_i(local_ready_i), .data_i(1'b1)
  );
`endif
`endif

endmodule

`default_nettype wire
