// SPDX-License-Identifier: Apache-2.0
//
// Stands inside rf_write_queue in the proof of rf_memory: how its flags and slots
// hang together, whatever the master does.
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  logic [2:0] occupied, translated;        // for the prover outside too
  logic [4:0] unsettled;                   // system requests ended, not done
  logic [3:0] of_local;                    // what is translated is in local memory, or a fault
  logic [1:0] free_slot, untranslated_slot;
  always_comb begin
    occupied   = '0;
    translated = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      occupied   = occupied + {2'd0, occupied_q[i]};
      translated = translated + {2'd0, translated_q[i]};
    end
  end
  assign unsettled = system_outstanding_q;
  assign of_local  = 4'(local_q);
  assign free_slot         = (head_slot_q + occupied[1:0]) & Last;
  assign untranslated_slot = (head_slot_q + translated[1:0]) & Last;

  always_comb if (running_q) begin
    flags_in_order: assert ((occupied_q & (occupied_q + 1'b1)) == '0 &&
                            (translated_q & (translated_q + 1'b1)) == '0 &&
                            (translated_q & ~occupied_q) == '0 && (void_q & ~translated_q) == '0);
    slots_in_order: assert (accept_slot_q == free_slot && translated_slot_q == untranslated_slot &&
                            (head_slot_q & ~Last) == '0);
    begun_stands: assert ((beat_q == '0 || begun_q) && (!begun_q || (translated_q[0] && !void_q[0])));
  end
