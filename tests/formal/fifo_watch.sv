// SPDX-License-Identifier: Apache-2.0
//
// Stands inside rf_fifo in proofs: every word of its memory, for the
// prover alone.
  logic [(1 << DepthLog2)*Width-1:0] watched;
  for (genvar w = 0; w < (1 << DepthLog2); w++) begin : gen_watched
    assign watched[w*Width +: Width] = memory[w];
  end
