// SPDX-License-Identifier: Apache-2.0
//
// The OR of words of which some come late in their cycle, out of block RAMs: those are last in the
// logic. Synthesis, which takes all signals for early ones, would build a chain in any order;
// so this is kept apart until its LUTs are chosen. Combinational.

`default_nettype none

(* keep_hierarchy *)
module rf_or_late #(
  parameter int unsigned Width = 64,
  parameter int unsigned Late  = 2
) (
  input  wire logic [Late*Width-1:0] late_i,
  input  wire logic [Width-1:0]      early_i,
  output logic [Width-1:0]           data_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end
  if (Late < 1 || Late > 3) begin : gen_bad_late
    $error("one to three words are late");
  end

  always_comb begin
    data_o = early_i;
    for (int unsigned i = 0; i < Late; i++) data_o = data_o | late_i[i*Width +: Width];
  end

endmodule

`default_nettype wire
