// SPDX-License-Identifier: Apache-2.0
//
// Is a word 0? For one that comes late in its cycle, out of a block RAM: synthesis, which takes all
// signals for early ones, makes a chain of such a test as soon as it sees what is behind it. Kept
// apart until its LUTs are chosen, it is a tree. Combinational.

`default_nettype none

(* keep_hierarchy *)
module rf_is_zero #(
  parameter int unsigned Width = 64
) (
  input  wire logic [Width-1:0] data_i,
  output logic                  zero_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end

  assign zero_o = data_i == '0;

endmodule

`default_nettype wire
