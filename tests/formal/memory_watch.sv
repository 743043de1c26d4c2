// SPDX-License-Identifier: Apache-2.0
//
// Stands inside rf_lutram in proofs: one more read port, for the prover alone. Who
// has to know a word drives `watch` by its name from above.
  logic [DepthLog2-1:0] watch;
  logic [Width-1:0]     watched;
  assign watched = memory[watch];
