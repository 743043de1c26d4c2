// SPDX-License-Identifier: Apache-2.0
//
// Fences that devices signal to each other without a CPU: the registers and the table of the
// fences, 64 entries of {valid, targets, generation}. rf_peer_send watches the writes that are
// performed, and notifies the other devices; rf_peer_receive takes their words, and tells the wait
// unit which page to read again. A word that comes reads the table before what is sent.

`default_nettype none

module rf_peer (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  /* verilator lint_off UNUSEDSIGNAL */ // not its data
  input  wire rf_bus_pkg::snoop_t             snoop_i,
  /* verilator lint_on UNUSEDSIGNAL */

  input  wire logic                           word_valid_i,    // PEER_PAGE is written
  input  wire logic                           word_good_i,     // ... by one aligned 8-byte store
  input  wire logic [63:0]                    word_i,

  // To the wait unit: waits for the first word of this page of system memory read it again;
  // all waits do.
  output logic                                reread_valid_o,
  input  wire logic                           reread_ready_i,
  output logic [54:12]                        reread_page_o,
  output logic                                reread_all_o,

  output      rf_bus_pkg::write_offer_t       write_o,
  input  wire rf_bus_pkg::write_reply_t       write_reply_i,

  /* verilator lint_off UNUSEDSIGNAL */ // some bits only
  input  wire rf_bus_pkg::register_request_t  register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [63:0]                         register_data_o,
  output logic                                enabled_o,
  output logic                                idle_o
);

  localparam int unsigned Log2 = $clog2(rf_pkg::PeerFences);
  localparam int unsigned Targets = rf_pkg::PeerTargets;
  localparam int unsigned Generation = rf_pkg::PeerEntryGenerationWidth;

  // --- registers -------------------------------------------------------------------------------
  logic [16:0]  address;
  logic         write, region_write, window_write, entry_write;
  logic         enable_q;
  logic [54:18] region_q;
  logic [38:14] window_q;
  assign address      = {register_i.address, 3'b000};
  assign write        = register_i.valid && register_i.write;
  assign region_write = write && address == rf_pkg::RegPeerRegion;
  assign window_write = write && address == rf_pkg::RegPeerWindow;
  assign entry_write  = write && address == rf_pkg::RegPeerEntry && register_i.strobe[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) enable_q <= 1'b0;
    else if (region_write && register_i.strobe[0]) enable_q <= register_i.data[0];
  end
  always_ff @(posedge clk_i) begin
    if (region_write && register_i.strobe[0]) region_q[31:18] <= register_i.data[31:18];
    if (region_write && register_i.strobe[4]) region_q[54:32] <= register_i.data[54:32];
    if (window_write && register_i.strobe[0]) window_q[31:14] <= register_i.data[31:14];
    if (window_write && register_i.strobe[4]) window_q[38:32] <= register_i.data[38:32];
  end

  // --- the table -------------------------------------------------------------------------------
  logic                  send_look, look_ready, entry_valid;
  logic [Log2-1:0]       send_index;
  logic [Targets-1:0]    entry_targets;
  logic [Generation-1:0] entry_generation;
  assign look_ready = !word_valid_i;

  rf_ram #(
    .Width(1 + Targets + Generation), .DepthLog2(Log2), .Lane(1 + Targets + Generation)
  ) u_entries (
    .clk_i,
    .write_i        (entry_write),
    .write_address_i(register_i.data[rf_pkg::PeerEntryIndexLsb +: Log2]),
    .write_data_i   ({register_i.data[rf_pkg::PeerEntryValidLsb],
                      register_i.data[rf_pkg::PeerEntryTargetsLsb +: Targets],
                      register_i.data[rf_pkg::PeerEntryGenerationLsb +: Generation]}),
    .write_strobe_i (1'b1),
    .read_i         (word_valid_i || send_look),
    .read_address_i (word_valid_i ? word_i[rf_pkg::PeerEntryIndexLsb +: Log2] : send_index),
    .read_data_o    ({entry_valid, entry_targets, entry_generation})
  );

  // --- both directions -------------------------------------------------------------------------
  logic            sent, failed, good, stale, malformed, flood, send_idle, receive_idle;
  logic [Log2-1:0] reread_index;

  rf_peer_send u_send (
    .clk_i, .rst_ni,
    .enable_i     (enable_q),
    .region_i     (region_q),
    .window_i     (window_q),
    .snoop_valid_i(snoop_i.valid && !snoop_i.in_local),
    .snoop_address_i(snoop_i.address),
    .look_valid_o (send_look),
    .look_ready_i (look_ready),
    .index_o      (send_index),
    .targets_i    (entry_valid ? entry_targets : '0),
    .generation_i (entry_generation),
    .write_o,
    .write_reply_i,
    .sent_o       (sent),
    .failed_o     (failed),
    .idle_o       (send_idle)
  );

  rf_peer_receive u_receive (
    .clk_i, .rst_ni,
    .word_valid_i, .word_good_i, .word_i,
    .entry_valid_i(entry_valid && enable_q),
    .generation_i (entry_generation),
    .reread_valid_o,
    .reread_ready_i,
    .reread_index_o(reread_index),
    .reread_all_o,
    .good_o       (good),
    .stale_o      (stale),
    .malformed_o  (malformed),
    .flood_o      (flood),
    .idle_o       (receive_idle)
  );

  assign enabled_o     = enable_q;
  assign reread_page_o = {region_q, reread_index};

  // --- counters --------------------------------------------------------------------------------
  logic [5:0]    counts_q;      // what they count is known late
  logic [6*16-1:0] counters_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counts_q <= '0;
    else counts_q <= {flood, malformed, stale, good, failed, sent};
  end
  for (genvar i = 0; i < 6; i++) begin : gen_counter
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) counters_q[i*16 +: 16] <= '0;
      else if (counts_q[i]) counters_q[i*16 +: 16] <= counters_q[i*16 +: 16] + 16'd1;
    end
  end

  assign idle_o = send_idle && receive_idle && counts_q == '0;

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (register_i.valid && !register_i.write) begin
      unique case (address)
        rf_pkg::RegPeerHeader0:  register_data_o <= rf_pkg::PeerBlockHeader0;
        rf_pkg::RegPeerHeader1:  register_data_o <= rf_pkg::PeerBlockHeader1;
        rf_pkg::RegPeerSent:     register_data_o <= {32'd0, counters_q[31:0]};
        rf_pkg::RegPeerReceived: register_data_o <= counters_q[95:32];
        default:                 register_data_o <= '0;
      endcase
    end
  end

endmodule

`default_nettype wire
