// SPDX-License-Identifier: Apache-2.0
//
// Stands inside rf_doorbell_token in the proof of rf_doorbell: a read port for the prover.
  logic [IndexLog2-1:0] watch;
  logic [3:0]           watched;
  assign watched = slots[watch];
