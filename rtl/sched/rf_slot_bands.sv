// SPDX-License-Identifier: Apache-2.0
//
// The slots that a node may take next: the runnable slots of its highest band (eligible), and
// among these the ones that have not had their quantum in this round. A slot whose quantum is over
// is excluded until every eligible slot had its own; then a new round begins. Rounds are one bit
// per slot, so each band has its own. Slots of the paging node have priority over all bands of the
// copy node.
//
// The band of a node is found by a scan of one slot per cycle. A runnable slot of a higher band
// takes the node at once; slots of the same band join it. If no slot of the band is runnable, the
// scan takes the next runnable one and continues upwards from there.
// Promises: no slot is eligible for more than 17 cycles while a slot of a higher band of its node
// is runnable; within a band, no slot is chosen twice before every eligible one was chosen once.
// Slots of the node's present band are eligible one cycle after they become runnable.

`default_nettype none

module rf_slot_bands (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [15:0]  config_i,       // CONFIG of this slot is written, one-hot,
  input  wire logic [3:0]   config_slot_i,  // and which it is
  input  wire logic [3:0]   config_node_i,
  input  wire logic [3:0]   config_priority_i,
  output logic [15:0]       serves0_o,      // slots of each node
  output logic [15:0]       serves1_o,

  input  wire logic [31:0]  runnable_i,     // node n at [n*16]
  input  wire logic [15:0]  ready_i,        // as late as can be: no more in turn without it
  input  wire logic [15:0]  served_i,       // the quantum is over
  output logic [31:0]       eligible_o,
  output logic [31:0]       turn_o
);

  // --- rank of each slot: paging, band -----------------------------------------------
  // {the copy node's, paging, priority}
  logic [5:0]  config_rank, scan_rank, scan_rank_q;
  logic [3:0]  scan_q;
  logic        config_serves0;
  assign config_serves0 = config_node_i == 4'(rf_pkg::NodeCompute);
  assign config_rank    = {config_node_i == 4'(rf_pkg::NodeCopy) ||
                               config_node_i == 4'(rf_pkg::NodePaging),
                           config_node_i == 4'(rf_pkg::NodePaging), config_priority_i};

  // What it holds of a slot whose CONFIG was never written does not matter: that slot
  // is runnable on no node.
  rf_lutram #(.Width(6)) u_ranks (
    .clk_i, .write_i(config_i != '0), .write_address_i(config_slot_i),
    .write_data_i(config_rank), .read_address_i(scan_q), .read_data_o(scan_rank)
  );

  // --- the band of each node, by the scan ------------------------------------------------
  logic [15:0] scan_here_q;            // the slot of scan_rank_q
  logic [15:0] band_q;                 // slots of the band of their node
  logic [4:0]  band0_q, band1_q, band; // which that is
  logic [1:0]  wanting_q;              // no slot of the band was runnable, but another one
  logic        second, runs, takes, joins;
  logic [15:0] runnable;
  assign runnable = runnable_i[31:16] | runnable_i[15:0];
  assign second   = scan_rank_q[5];
  assign band     = second ? band1_q : band0_q;
  assign runs     = (runnable & scan_here_q) != '0;
  assign takes    = runs && (band < scan_rank_q[4:0] ||
                             (second ? wanting_q[1] && eligible_o[31:16] == '0
                                     : wanting_q[0] && eligible_o[15:0] == '0));
  assign joins    = takes || band == scan_rank_q[4:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      scan_q      <= '0;
      scan_here_q <= '0;
      band0_q     <= '0;
      band1_q     <= '0;
      wanting_q   <= '0;
    end else begin
      scan_q      <= scan_q + 4'd1;
      scan_here_q <= 16'd1 << scan_q;
      if (takes && !second) band0_q <= scan_rank_q[4:0];
      if (takes && second) band1_q <= scan_rank_q[4:0];
      wanting_q   <= {!(takes && second) && runnable_i[31:16] != '0 && eligible_o[31:16] == '0,
                      !(takes && !second) && runnable_i[15:0] != '0 && eligible_o[15:0] == '0};
    end
  end
  always_ff @(posedge clk_i) scan_rank_q <= scan_rank;

  logic [15:0] leaves; // another band has their node
  assign leaves = !takes ? '0 : second ? serves1_o : serves0_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      serves0_o <= '0;
      serves1_o <= '0;
      band_q    <= '0;
    end else begin
      serves0_o <= (serves0_o & ~config_i) | (config_serves0 ? config_i : '0);
      serves1_o <= (serves1_o & ~config_i) | (config_rank[5] ? config_i : '0);
      band_q    <= (band_q & ~leaves & ~scan_here_q) | (joins ? scan_here_q : '0);
    end
  end

  // --- slots of the band that had no turn yet ---------------------------------------------
  logic [15:0] served_q, may_q;
  logic [31:0] eligible;
  logic [1:0]  over0_q, over1_q; // the round of a node is over; it was
  assign eligible = runnable_i & {band_q, band_q};

  assign turn_o = eligible_o & {may_q, may_q};

  // Known a cycle late; what ends then shows in turn_o two cycles later.

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      eligible_o <= '0;
      may_q      <= '0;
      served_q   <= '0;
      over0_q    <= '0;
      over1_q    <= '0;
    end else begin
      eligible_o <= eligible;
      over0_q    <= {over0_q[0], over0_q == '0 && eligible_o[15:0] != '0 && turn_o[15:0] == '0};
      over1_q    <= {over1_q[0], over1_q == '0 && eligible_o[31:16] != '0 &&
                                 turn_o[31:16] == '0};
      may_q      <= ready_i & ~served_q & ~served_i;
      served_q   <= (served_q | served_i) &
                    ~(over0_q[0] ? eligible_o[15:0] : 16'd0) &
                    ~(over1_q[0] ? eligible_o[31:16] : 16'd0) & ~config_i;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      runnable_is_served: assert ((runnable_i & ~{serves1_o, serves0_o}) == '0);
      if (config_i != '0) one_config: assert (config_i == 16'd1 << config_slot_i);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
