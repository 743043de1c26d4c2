// SPDX-License-Identifier: Apache-2.0
//
// Stands inside rf_lutram beside memory_watch.sv, where the prover has to know two words.
  logic [DepthLog2-1:0] watch_two;
  logic [Width-1:0]     watched_two;
  assign watched_two = memory[watch_two];
