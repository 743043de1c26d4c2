// SPDX-License-Identifier: Apache-2.0
//
// What every queue promises: the n-th word that leaves is the n-th that entered. One word
// is marked, any one, again and again; nothing is said about the others but how many are
// in front of it.

`default_nettype none

module queue_contract #(
  parameter int unsigned Width = 8,
  parameter int unsigned Capacity = 4,
  parameter int unsigned Latency = 1,      // of two, a word is not shown in its first cycle
  localparam int unsigned Bits = $clog2(Capacity + 1)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             enters_i,
  input  wire logic [Width-1:0] data_i,
  input  wire logic             valid_i,   // a word is shown
  input  wire logic             leaves_i,
  input  wire logic [Width-1:0] data_out_i,
  output logic [Bits-1:0]       stored_o,  // entered and not left
  output logic                  marked_o,  // the marked word is one of them
  output logic [Bits-1:0]       ahead_o,   // ... with so many in front of it
  output logic [Width-1:0]      value_o
);

  (* anyseq *) logic mark;
  logic [Bits-1:0]   left;
  assign left = stored_o - Bits'(leaves_i);

  logic              entered_q, hidden;
  assign hidden = Latency == 2 && entered_q;
  initial {stored_o, marked_o, entered_q} = '0;
  always_ff @(posedge clk_i) if (rst_ni) begin
    entered_q <= enters_i;
    stored_o <= left + Bits'(enters_i);
    if (!marked_o && enters_i && mark) begin
      marked_o <= 1'b1;
      ahead_o  <= left;
      value_o  <= data_i;
    end else if (marked_o && leaves_i) begin
      marked_o <= ahead_o != '0;
      ahead_o  <= ahead_o - 1'b1;
    end
  end

  always_comb if (rst_ni) begin
    nothing_lost: assert (valid_i == (stored_o != Bits'(hidden)) && stored_o <= Capacity);
    if (hidden) hidden_is_stored: assert (stored_o != '0);
    if (leaves_i) leaves_what_is_shown: assert (valid_i);
    if (marked_o) behind_others: assert (ahead_o < stored_o);
    if (marked_o && ahead_o == '0 && valid_i) in_order: assert (data_out_i == value_o);
  end

  always_comb if (rst_ni) in_and_out: cover (enters_i && leaves_i);
  if (Capacity <= 8) begin : gen_small      // soon full
    always_comb if (rst_ni) begin
      queue_full: cover (stored_o == Capacity);
      last_of_many_leaves: cover (marked_o && leaves_i && ahead_o == '0 && stored_o == Capacity);
    end
  end else begin : gen_large
    always_comb if (rst_ni) third_leaves: cover (marked_o && leaves_i && ahead_o == '0 &&
                                                 stored_o == 3);
  end

endmodule

`default_nettype wire
