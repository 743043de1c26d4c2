// SPDX-License-Identifier: Apache-2.0
//
// Who may have a node next. Of the runnable slots of a node those of the highest band
// are eligible; of these the ones that had their quantum are served, and wait until
// every eligible slot had its own: then a new round begins. As rounds are made of
// single bits per slot, each band has its own.
//
// Slots of node paging belong to the copy node's engine, before all of its bands.
//
// Promises: no slot is in turn while a higher band of its node is runnable (what
// changed in the last cycle aside); in a band, nobody is in turn twice before everybody
// eligible was once. A band counts 16 cycles after CONFIG was written.
// Latency: runnable_i to turn_o and eligible_o one cycle.

`default_nettype none

module rf_slot_bands (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [15:0]  config_i,       // CONFIG of this slot is written
  input  wire logic [3:0]   config_node_i,
  input  wire logic [3:0]   config_priority_i,
  output logic [15:0]       serves0_o,      // slots of each node
  output logic [15:0]       serves1_o,

  input  wire logic [15:0]  runnable_i,
  input  wire logic [15:0]  ready_i,        // as late as can be: no more in turn without it
  input  wire logic [15:0]  served_i,       // the quantum is over
  output logic [15:0]       eligible_o,
  output logic [15:0]       turn_o
);

  // --- rank of each slot: paging, band -----------------------------------------------
  logic [6:0]  config_rank, scan_rank;
  logic [3:0]  scan_q;
  assign config_rank = {config_node_i == 4'(rf_pkg::NodeCompute),
                        config_node_i == 4'(rf_pkg::NodeCopy) ||
                            config_node_i == 4'(rf_pkg::NodePaging),
                        config_node_i == 4'(rf_pkg::NodePaging), config_priority_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) scan_q <= '0;
    else scan_q <= scan_q + 4'd1;
  end

  // One slot a cycle is compared with all: who is below it keeps that.
  logic [15:0]  scan_column;
  logic [111:0] ranks;
  logic [255:0] above_q; // [i*16 + j]: slot j goes before slot i
  assign scan_column = 16'd1 << scan_q;

  always_comb begin
    scan_rank = '0;
    for (int unsigned j = 0; j < 16; j++) begin
      if (scan_column[j]) scan_rank = scan_rank | ranks[j*7 +: 7];
    end
  end

  for (genvar i = 0; i < 16; i++) begin : gen_slot
    logic [6:0] rank_q;
    logic       below;
    assign ranks[i*7 +: 7] = rank_q;
    assign serves0_o[i]    = rank_q[6];
    assign serves1_o[i]    = rank_q[5];
    assign below           = rank_q[6:5] == scan_rank[6:5] && rank_q[4:0] < scan_rank[4:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) rank_q <= '0;
      else if (config_i[i]) rank_q <= config_rank;
    end
    for (genvar j = 0; j < 16; j++) begin : gen_above
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) above_q[i*16 + j] <= 1'b0;
        else if (scan_column[j]) above_q[i*16 + j] <= below;
      end
    end
  end

  // --- the highest band, and who of it had no turn yet ----------------------------------
  logic [15:0] eligible, served_q;
  logic        over0, over1;
  for (genvar i = 0; i < 16; i++) begin : gen_eligible
    assign eligible[i] = runnable_i[i] && (runnable_i & above_q[i*16 +: 16]) == '0;
  end

  assign over0 = (eligible_o & serves0_o) != '0 && (turn_o & serves0_o) == '0;
  assign over1 = (eligible_o & serves1_o) != '0 && (turn_o & serves1_o) == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      eligible_o <= '0;
      turn_o     <= '0;
      served_q   <= '0;
    end else begin
      eligible_o <= eligible;
      turn_o     <= eligible & ready_i & ~served_q & ~served_i;
      served_q   <= (served_q | served_i) &
                    ~(eligible_o & ((serves0_o & {16{over0}}) | (serves1_o & {16{over1}}))) &
                    ~config_i;
    end
  end

endmodule

`default_nettype wire
