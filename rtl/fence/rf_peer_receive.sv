// SPDX-License-Identifier: Apache-2.0
//
// Takes the words of other devices: each names a fence and its generation. Of a fence whose entry
// is valid and has this generation the waits are to read CurrentValue again; any other word is
// counted, and nothing else. A word that finds the one before it still waiting for the wait unit
// makes every wait read again instead.
//
// Promises: no word is refused; after a good one each wait for its fence reads again.
// Latency: word_valid_i -> reread_valid_o two cycles.

`default_nettype none

module rf_peer_receive (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        word_valid_i,
  input  wire logic        word_good_i,     // by one aligned 8-byte store
  input  wire logic [63:0] word_i,

  input  wire logic        entry_valid_i,   // of the word of a cycle ago
  input  wire logic [11:0] generation_i,

  output logic             reread_valid_o,
  input  wire logic        reread_ready_i,
  output logic [5:0]       reread_index_o,
  output logic             reread_all_o,    // a pulse

  output logic             good_o,          // events
  output logic             stale_o,
  output logic             malformed_o,
  output logic             flood_o,
  output logic             idle_o
);

  localparam logic [63:0] Meant = (64'h3f << rf_pkg::PeerEntryIndexLsb) |
                                  (64'hfff << rf_pkg::PeerEntryGenerationLsb) |
                                  (64'd1 << rf_pkg::PeerEntryValidLsb);

  logic        word_q, malformed_q;
  logic [5:0]  index_q;
  logic [11:0] generation_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) word_q <= 1'b0;
    else word_q <= word_valid_i;
  end
  always_ff @(posedge clk_i) begin
    malformed_q  <= !word_good_i || (word_i & ~Meant) != '0 || !word_i[rf_pkg::PeerEntryValidLsb];
    index_q      <= word_i[rf_pkg::PeerEntryIndexLsb +: 6];
    generation_q <= word_i[rf_pkg::PeerEntryGenerationLsb +: 12];
  end

  assign malformed_o = word_q && malformed_q;
  assign good_o      = word_q && !malformed_q && entry_valid_i && generation_q == generation_i;
  assign stale_o     = word_q && !malformed_q && !good_o;
  assign flood_o     = good_o && reread_valid_o && !reread_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reread_valid_o <= 1'b0;
      reread_all_o   <= 1'b0;
    end else begin
      reread_valid_o <= good_o || (reread_valid_o && !reread_ready_i);
      reread_all_o   <= flood_o;
    end
  end
  always_ff @(posedge clk_i) if (good_o) reread_index_o <= index_q;

  assign idle_o = !word_q && !reread_valid_o && !reread_all_o;

`ifndef SYNTHESIS
`ifndef FORMAL
  // An offer stays; its index may become that of a later word, and reread_all_o follows.
  rf_offer_check reread_stays (
    .clk_i, .rst_ni, .valid_i(reread_valid_o), .ready_i(reread_ready_i), .data_i(1'b1)
  );
`endif
`endif

endmodule

`default_nettype wire
