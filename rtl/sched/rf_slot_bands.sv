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
// eligible was once. A band counts 18 cycles after CONFIG was written.
// Latency: runnable_i to turn_o and eligible_o one cycle.

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
  logic [6:0]  config_rank, scan_rank, scan_rank_q;
  logic [3:0]  scan_q;
  assign config_rank = {config_node_i == 4'(rf_pkg::NodeCompute),
                        config_node_i == 4'(rf_pkg::NodeCopy) ||
                            config_node_i == 4'(rf_pkg::NodePaging),
                        config_node_i == 4'(rf_pkg::NodePaging), config_priority_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      scan_q        <= '0;
      scan_column_q <= '0;
    end else begin
      scan_q        <= scan_q + 4'd1;
      scan_column_q <= scan_column;
    end
  end
  always_ff @(posedge clk_i) scan_rank_q <= scan_rank;

  // One slot a cycle is compared with all: who is below it keeps that.
  logic [15:0]  scan_column, scan_column_q;
  logic [255:0] above_q; // [i*16 + j]: slot j goes before slot i
  assign scan_column = 16'd1 << scan_q;

  // What it holds of a slot whose CONFIG was never written is of no matter: that slot
  // is runnable nowhere.
  rf_lutram #(.Width(7)) u_ranks (
    .clk_i, .write_i(config_i != '0), .write_address_i(config_slot_i),
    .write_data_i(config_rank), .read_address_i(scan_q), .read_data_o(scan_rank)
  );

  for (genvar i = 0; i < 16; i++) begin : gen_slot
    logic [6:0] rank_q;
    logic       below;
    assign serves0_o[i]    = rank_q[6];
    assign serves1_o[i]    = rank_q[5];
    assign below           = rank_q[6:5] == scan_rank_q[6:5] && rank_q[4:0] < scan_rank_q[4:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) rank_q <= '0;
      else if (config_i[i]) rank_q <= config_rank;
    end
    for (genvar j = 0; j < 16; j++) begin : gen_above
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) above_q[i*16 + j] <= 1'b0;
        else if (scan_column_q[j]) above_q[i*16 + j] <= below;
      end
    end
  end

  // --- the highest band, and who of it had no turn yet ----------------------------------
  logic [15:0] runnable, served_q, may_q;
  logic [31:0] eligible;
  logic [1:0]  over0_q, over1_q; // the round of a node is over; it was
  assign runnable = runnable_i[31:16] | runnable_i[15:0];
  for (genvar i = 0; i < 16; i++) begin : gen_eligible
    logic highest;
    assign highest        = (runnable & above_q[i*16 +: 16]) == '0;
    assign eligible[i]    = runnable_i[i] && highest;
    assign eligible[16+i] = runnable_i[16+i] && highest;
  end

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
      one_config: assert (config_i == '0 || config_i == 16'd1 << config_slot_i);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
