// SPDX-License-Identifier: Apache-2.0
//
// Fence operations of each slot that the nodes handed over and rf_fence has not
// performed yet. At 15 a slot is full and its node waits.

`default_nettype none

module rf_outstanding (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [1:0]  issue_i,       // node n handed one over
  input  wire logic [7:0]  issue_slot_i,
  input  wire logic        done_i,
  input  wire logic [3:0]  done_slot_i,
  output logic [15:0]      none_o,
  output logic [15:0]      full_o
);

  for (genvar s = 0; s < 16; s++) begin : gen_slot
    logic [3:0] count_q;
    logic       issue, done;
    // A slot belongs to one node.
    assign issue = (issue_i[0] && issue_slot_i[3:0] == 4'(s)) ||
                   (issue_i[1] && issue_slot_i[7:4] == 4'(s));
    assign done  = done_i && done_slot_i == 4'(s);
    assign none_o[s] = count_q == '0;
    assign full_o[s] = count_q == '1;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (issue && !done) count_q <= count_q + 4'd1;
      else if (!issue && done) count_q <= count_q - 4'd1;
    end
  end

endmodule

`default_nettype wire
