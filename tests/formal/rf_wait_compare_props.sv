// SPDX-License-Identifier: Apache-2.0
//
// Stands inside rf_wait_compare in proofs: a read port for the prover to the address bits that
// are compared at once.
  logic [3:0]          watch;
  logic                watched_local;
  logic [Tag:3]        watched_low;
  logic [15:0]         all_local;
  logic [16*(Tag-2)-1:0] all_low;
  for (genvar i = 0; i < 16; i++) begin : gen_all
    assign all_local[i]                   = gen_place[i].local_q;
    assign all_low[i*(Tag-2) +: (Tag-2)]  = gen_place[i].address_q;
  end
  assign watched_local = all_local[watch];
  assign watched_low   = all_low[watch*(Tag-2) +: (Tag-2)];
