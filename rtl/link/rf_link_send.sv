// SPDX-License-Identifier: Apache-2.0
//
// The transmitter of the link, two symbols a cycle: ordered sets, logical idle and packets, one
// behind the other and none ever cut. What request_i says is taken when the last word of the item
// before has been made. turn_o: a new request is in time for the next item, if it stands in the
// cycle behind; so whoever changes the request in turn_o alone never has an item of the old one
// behind it, but words of idle. sent_o with sent_kind_o: an item of that kind will be sent whole.
//
// A SKP set is due every 1180 symbols, and is sent between two items (4.2.8: within 1538 symbols);
// those that become due during a packet follow it. A packet has a multiple of four symbols, and its
// words come without a pause from the first to packet_last_i. TS1 and TS2 have set_i's fields.
// Latency two cycles, with the scrambler.

`default_nettype none

module rf_link_send #(
  parameter int unsigned SkpInterval = 1180
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire rf_link_pkg::send_e         request_i,
  input  wire rf_link_pkg::training_set_t set_i,
  input  wire logic                  scramble_off_i,
  output logic                       turn_o,
  output logic                       sent_o,
  output rf_link_pkg::send_e         sent_kind_o,

  output logic                       packet_ready_o,
  input  wire logic                  packet_valid_i,
  input  wire logic                  packet_last_i,
  input  wire logic [17:0]           packet_word_i,  // k, data
  input  wire logic [17:0]           loop_word_i,

  output logic [17:0]                tx_word_o,
  output logic                       tx_idle_o       // electrical idle
);

  if (SkpInterval < 1180 || SkpInterval > 1538) begin : gen_bad_skp_interval
    $error("a SKP set every 1180 to 1538 symbols");
  end

  localparam logic [7:0] Com = rf_link_pkg::Com;
  localparam logic [9:0] IntervalWords = 10'((SkpInterval + 1) / 2);

  rf_link_pkg::send_e item_q;
  logic [2:0]         word_q;
  logic               last, packet_q, quiet, skp_sent;
  logic [9:0]         words_q;     // since a SKP set became due
  logic               interval_q;  // the last of them
  logic [1:0]         due_q;
  logic               due;

  // --- the item ---------------------------------------------------------------------
  logic [17:0] word, word_made_q;
  logic        plain, plain_q, idle_q;
  logic [7:0]  id;

  assign id = item_q == rf_link_pkg::SendTs2 ? rf_link_pkg::Ts2 : rf_link_pkg::Ts1;

  always_comb begin
    word   = {2'b00, 16'h0};
    plain  = 1'b1;
    last   = 1'b1;
    turn_o = 1'b1;
    unique case (item_q)
      rf_link_pkg::SendTs1, rf_link_pkg::SendTs2: begin
        last   = word_q == 3'd7;
        turn_o = word_q == 3'd6;
        unique case (word_q)
          3'd0: word = {set_i.link_pad, 1'b1, set_i.link_pad ? rf_link_pkg::Pad : set_i.link, Com};
          3'd1: word = {1'b0, set_i.lane_pad, set_i.fts,
                        set_i.lane_pad ? rf_link_pkg::Pad : set_i.lane};
          3'd2: word = {2'b00, set_i.control, set_i.rate};
          default: word = {2'b00, id, id};
        endcase
      end
      rf_link_pkg::SendEios: begin
        word   = {2'b11, rf_link_pkg::Idl, word_q == 3'd0 ? Com : rf_link_pkg::Idl};
        last   = word_q == 3'd1;
        turn_o = word_q == 3'd0;
      end
      rf_link_pkg::SendSkp: begin
        word   = {2'b11, rf_link_pkg::Skp, word_q == 3'd0 ? Com : rf_link_pkg::Skp};
        last   = word_q == 3'd1;
        turn_o = word_q == 3'd0;
      end
      rf_link_pkg::SendCompliance: begin  // K28.5 D21.5 K28.5 D10.2
        word   = {2'b01, word_q == 3'd0 ? {3'd5, 5'd21} : {3'd2, 5'd10}, Com};
        last   = word_q == 3'd1;
        turn_o = word_q == 3'd0;
      end
      rf_link_pkg::SendPackets: begin
        plain = 1'b0;
        if (packet_valid_i) begin
          word = packet_word_i;
          last = packet_last_i;
        end
      end
      rf_link_pkg::SendLoop: word = loop_word_i;
      rf_link_pkg::SendIdle: plain = 1'b0;
      default: ;
    endcase
  end

  assign packet_ready_o = item_q == rf_link_pkg::SendPackets;
  assign sent_o         = turn_o;
  assign sent_kind_o    = item_q;

  // --- the next one -----------------------------------------------------------------
  // Neither electrical idle nor the compliance pattern nor a loopback has SKP sets of ours.
  assign quiet    = request_i == rf_link_pkg::SendQuiet || request_i == rf_link_pkg::SendLoop ||
                    request_i == rf_link_pkg::SendCompliance;
  assign due      = due_q != 2'd0;
  assign skp_sent = last && due && !quiet;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      item_q     <= rf_link_pkg::SendQuiet;
      word_q     <= '0;
      packet_q   <= 1'b0;
      words_q    <= '0;
      interval_q <= 1'b0;
      due_q      <= '0;
    end else begin
      word_q <= word_q + 3'd1;
      if (last) begin
        item_q <= skp_sent ? rf_link_pkg::SendSkp : request_i;
        word_q <= '0;
      end
      packet_q <= packet_ready_o && packet_valid_i && !packet_last_i;
      words_q    <= words_q + 10'd1;
      interval_q <= words_q == IntervalWords - 10'd2;
      due_q      <= due_q - {1'b0, skp_sent};
      if (interval_q) begin
        words_q <= '0;
        due_q   <= due_q + {1'b0, !skp_sent && due_q != 2'd3};
      end
      if (last && quiet) begin
        words_q    <= '0;
        interval_q <= 1'b0;
        due_q      <= '0;
      end
    end
  end

  // --- scrambler --------------------------------------------------------------------
  rf_link_pkg::word_t scrambled;
  logic               unused_valid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_made_q <= '0;
      plain_q     <= 1'b1;
      idle_q      <= 1'b1;
      tx_idle_o   <= 1'b1;
    end else begin
      word_made_q <= word;
      plain_q     <= plain;
      idle_q      <= item_q == rf_link_pkg::SendQuiet;
      tx_idle_o   <= idle_q;
    end
  end

  rf_link_scramble u_scramble (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .off_i   (scramble_off_i),
    .valid_i (1'b1),
    .plain_i (plain_q),
    .word_i  ({2'b00, word_made_q}),
    .valid_o (unused_valid),
    .word_o  (scrambled)
  );

  assign tx_word_o = {scrambled.k, scrambled.data};

  logic unused;
  assign unused = &{1'b0, unused_valid, scrambled.bad, set_i.ts2, set_i.inverted, packet_q};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      packet_without_pause: assert (!packet_q || packet_valid_i);
      no_com_in_a_packet: assert (!packet_valid_i ||
                                  ((!packet_word_i[16] || packet_word_i[7:0] != Com) &&
                                   (!packet_word_i[17] || packet_word_i[15:8] != Com)));
    end
  end
`endif

endmodule

`default_nettype wire
