// SPDX-License-Identifier: Apache-2.0
//
// The slot that a node serves next: round robin, but a slot whose words are kept has priority.
// This starves no slot: slots that were runnable when it left were served before its wait could
// end. A ring that arrives while the node is idle needs no choice: its slot is loaded meanwhile,
// and one cycle later it is known whether the ring brought work. A slot inside a buffer is taken
// while reads of the previous slot are in flight: its position is loaded first.

`default_nettype none

module rf_node_choice (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::node_choice_t choice_i,
  input  wire logic         idle_i,         // the node serves no slot,
  input  wire logic         kept_i,         // but keeps words of the last one,
  input  wire logic         halted_i,       // which must stop
  input  wire logic         drained_i,      // no read is in flight
  input  wire logic         in_buffer_i,    // load_slot_o is inside a buffer

  output logic              chosen_o,       // slot_o is the one chosen from the next cycle on
  output logic              take_same_o,    // the kept slot goes on
  output logic              take_coming_o,  // slot_o is the one that rings from the next cycle on
  output logic              waiting_o,      // a slot waits for the node
  output logic              prefetch_o,     // more words may be fetched for the kept slot
  output logic              others_o,       // other slots of the band want the node,
  output logic              mine_o,         // this one does
  output logic              free_o,         // load_slot_o is the one that rings
  output logic [3:0]        slot_o,         // that is served, or was last
  output logic [15:0]       slot_onehot_o,  // the same, one-hot
  output logic [3:0]        load_slot_o     // or the one that may follow it
);

  // Of the highest band, once it is known; a node takes nothing else meanwhile.
  logic        wanted, prefetch_q, free_q, choose, shown, choice_valid, same;
  logic [15:0] grant;
  logic [3:0]  chosen_slot;
  assign wanted = choice_i.eligible != '0;
  assign same   = kept_i && (choice_i.runnable & slot_onehot_o) != '0;

  // The choice is followed one cycle later, unless the kept slot came first. Prefetching
  // for that ends before.
  assign choose        = idle_i && !choice_valid && !prefetch_q;
  assign shown         = idle_i && choice_valid;
  assign chosen_o      = shown && (drained_i || in_buffer_i);
  assign take_same_o   = idle_i && !choice_valid && same;
  assign prefetch_o    = idle_i && kept_i && !wanted && !halted_i;
  assign waiting_o     = wanted || choice_valid;
  // A node is free from its second idle cycle on.
  assign free_o        = idle_i && free_q;
  assign take_coming_o = choice_i.coming && free_o && drained_i && !choice_valid && !wanted;
  assign load_slot_o   = shown ? chosen_slot : free_o ? choice_i.coming_slot : slot_o;
  assign others_o      = (choice_i.eligible & ~slot_onehot_o) != '0;
  assign mine_o        = (choice_i.eligible & slot_onehot_o) != '0;

  rf_choice #(.Ports(16)) u_choice (
    .clk_i, .rst_ni, .request_i(choice_i.turn), .choose_i(choose), .valid_o(choice_valid),
    .grant_o(grant), .take_i(chosen_o)
  );
  always_comb begin
    chosen_slot = '0;
    for (int unsigned i = 0; i < 16; i++) begin
      if (grant[i]) chosen_slot = chosen_slot | i[3:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      prefetch_q    <= 1'b0;
      free_q        <= 1'b0;
      slot_o        <= '0;
      slot_onehot_o <= 16'd1;
    end else begin
      prefetch_q <= prefetch_o;
      free_q     <= idle_i && !kept_i;
      if (chosen_o) begin
        slot_o        <= chosen_slot;
        slot_onehot_o <= grant;
      end else if (take_coming_o) begin
        slot_o        <= choice_i.coming_slot;
        slot_onehot_o <= 16'd1 << choice_i.coming_slot;
      end
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      choice_asked_between_shows: assert (choice_valid ? !choose : !chosen_o);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
