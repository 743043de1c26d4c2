// SPDX-License-Identifier: Apache-2.0
//
// Which received TLPs are taken, and the Acks and Naks for them (PCI Express Base Specification
// 3.6.3.1). A good TLP's number stands from the cycle before tlp_end_i on, which comes in no two
// cycles in a row. tlp_take_o, with tlp_end_i: the TLP is the next one. A duplicate is dropped and
// acknowledged at once; anything else but a nullified TLP is dropped and refused by one Nak until
// the next good TLP, and so is a good one with refuse_i, for which there is no room. An Ack is due
// AckDelay symbol times after the first TLP that it acknowledges; with the way through the link
// that is less than the limit of 237 for payloads of 128 bytes.
//
// valid_o stays until ready_i; meanwhile an Ack may become a Nak, and the number the latest one.
// While not link_up_i (DL_Inactive) all is as after reset.

`default_nettype none

module rf_link_ack #(
  parameter int unsigned AckDelay = 160
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        link_up_i,

  input  wire logic        tlp_end_i,
  input  wire logic        tlp_good_i,
  input  wire logic        tlp_nullified_i,
  input  wire logic        tlp_broken_i,   // by a Receiver Error: no Bad TLP
  input  wire logic [11:0] tlp_sequence_i,
  input  wire logic        refuse_i,       // with tlp_end_i
  output logic             tlp_take_o,
  output logic             tlp_bad_o,      // Bad TLP, one for each Nak; a cycle behind tlp_end_i

  output logic             valid_o,
  input  wire logic        ready_i,
  output logic             nak_o,
  output logic [11:0]      sequence_o
);

  if (AckDelay < 2 || AckDelay > 200) begin : gen_bad_ack_delay
    $error("2 to 200 symbol times");
  end

  localparam logic [6:0] DelayCycles = 7'(AckDelay / 2);

  logic [11:0] expected_q, behind;   // NEXT_RCV_SEQ
  logic        nak_scheduled_q, ack_q, nak_q, taken_q;
  logic [6:0]  timer_q;
  logic        is_expected_q, is_older_q;
  logic        is_next, duplicate, bad, refused, sent;

  assign behind     = expected_q - tlp_sequence_i;
  assign is_next    = tlp_end_i && tlp_good_i && is_expected_q;
  assign tlp_take_o = is_next && !refuse_i;
  assign duplicate  = tlp_end_i && tlp_good_i && is_older_q;
  assign bad        = tlp_end_i && !tlp_nullified_i && !tlp_take_o && !duplicate;
  assign refused    = bad && !nak_scheduled_q;
  assign valid_o    = ack_q || nak_q;
  assign nak_o      = nak_q;
  assign sequence_o = expected_q - 12'd1;
  assign sent       = valid_o && ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      expected_q      <= '0;
      nak_scheduled_q <= 1'b0;
      ack_q           <= 1'b0;
      nak_q           <= 1'b0;
      taken_q         <= 1'b0;
      timer_q         <= '0;
      is_expected_q   <= 1'b0;
      is_older_q      <= 1'b0;
      tlp_bad_o       <= 1'b0;
    end else begin
      is_expected_q <= behind == '0;
      is_older_q    <= behind != '0 && behind <= 12'd2048;
      if (tlp_take_o) expected_q <= expected_q + 12'd1;
      if (tlp_take_o || bad) nak_scheduled_q <= bad;
      tlp_bad_o <= link_up_i && refused && !tlp_broken_i && !is_next;

      // taken_q: a TLP waits for its Ack; a Nak acknowledges it as well.
      taken_q <= tlp_take_o || (taken_q && !sent);
      timer_q <= taken_q && !sent ? timer_q + 7'd1 : '0;
      ack_q   <= duplicate || (!sent && (ack_q || (taken_q && timer_q >= DelayCycles)));
      nak_q   <= refused || (nak_q && !sent);

      if (!link_up_i) begin
        expected_q      <= '0;
        nak_scheduled_q <= 1'b0;
        ack_q           <= 1'b0;
        nak_q           <= 1'b0;
        taken_q         <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  logic [11:0] behind_q;

  always_ff @(posedge clk_i) begin
    behind_q <= behind;
    if (rst_ni && tlp_end_i && tlp_good_i) number_stands: assert (behind == behind_q);
  end
`endif

`ifndef SYNTHESIS
`ifndef FORMAL
  // An Ack may become a Nak, and the number a later one; an offer ends unheard with the link alone.
  rf_offer_check offer_stays (
    .clk_i, .rst_ni(rst_ni && link_up_i), .valid_i(valid_o), .ready_i(ready_i), .data_i(1'b1)
  );
`endif
`endif

endmodule

`default_nettype wire
