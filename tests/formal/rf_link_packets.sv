// SPDX-License-Identifier: Apache-2.0
//
// rf_link_frame against rf_link_deframe: whatever TLPs and DLLPs are framed, behind each other or
// with anything but packets between them, at either place of a word and with gaps, all of them come
// out as they went in, with their CRCs found right, and nothing else does.
//
// The deframer follows the framer's words at a distance of two: what it knows of a packet is what
// the framer knew then.

module rf_link_packets (
  input wire        clk_i,
  input wire        rst_ni,
  input wire        tlp_valid_i,
  input wire        tlp_last_i,
  input wire [15:0] tlp_data_i,
  input wire [11:0] tlp_sequence_i,
  input wire        dllp_valid_i,
  input wire [31:0] dllp_i,
  input wire        ready_i,       // between two packets: not now
  input wire        gap_i,         // no word in this cycle
  input wire [17:0] idle_i         // what is sent between packets
);

  localparam logic [2:0] None = 3'd0, Start = 3'd1, Body = 3'd2, CrcLow = 3'd3, CrcHigh = 3'd4,
                         Stop = 3'd5;

  // --- the framer, a lane, the deframer -----------------------------------------------------
  (* anyconst *) logic late;       // packets begin in the upper symbol
  logic        tlp_ready, dllp_ready, packet_valid, packet_ready, packet_last, busy, sends;
  logic [17:0] packet_word, word;
  logic        end_valid, good, nullified, broken, bad, error, out_valid, dllp_valid;
  logic [15:0] out_data;
  logic [11:0] sequence_out;
  logic [31:0] dllp_out;
  logic [8:0]  upper_q;            // k, value: of the word before
  rf_link_pkg::word_t lane;

  rf_link_frame u_frame (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .link_up_i      (1'b1),
    .training_i     (1'b0),
    .tlp_valid_i    (tlp_valid_i),
    .tlp_ready_o    (tlp_ready),
    .tlp_last_i     (tlp_last_i),
    .tlp_data_i     (tlp_data_i),
    .tlp_sequence_i (tlp_sequence_i),
    .dllp_valid_i   (dllp_valid_i),
    .dllp_ready_o   (dllp_ready),
    .dllp_i         (dllp_i),
    .packet_valid_o (packet_valid),
    .packet_ready_i (packet_ready),
    .packet_last_o  (packet_last),
    .packet_word_o  (packet_word),
    .busy_o         (busy)
  );

  assign packet_ready = ready_i && !gap_i;
  assign sends        = packet_valid && packet_ready;
  assign word         = sends ? packet_word : idle_i;
  assign lane         = late ? {2'b00, word[16], upper_q[8], word[7:0], upper_q[7:0]}
                             : {2'b00, word};

  rf_link_deframe u_deframe (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .link_up_i       (1'b1),
    .valid_i         (!gap_i),
    .word_i          (lane),
    .tlp_valid_o     (out_valid),
    .tlp_data_o      (out_data),
    .tlp_end_o       (end_valid),
    .tlp_good_o      (good),
    .tlp_nullified_o (nullified),
    .tlp_broken_o    (broken),
    .tlp_sequence_o  (sequence_out),
    .dllp_valid_o    (dllp_valid),
    .dllp_o          (dllp_out),
    .dllp_bad_o      (bad),
    .error_o         (error)
  );

  // --- what may happen ------------------------------------------------------------------------
  logic       running_q = 1'b0;
  logic       odd_q;               // an odd number of words of the TLP was given
  logic [2:0] given_q;             // words of the TLP, as far as six
  logic       idle_symbol_low, idle_symbol_high;

  assign idle_symbol_low  = !idle_i[16] || idle_i[7:0] == rf_link_pkg::Com;
  assign idle_symbol_high = !idle_i[17] || idle_i[15:8] == rf_link_pkg::Com;

  (* hierconn *) wire [2:0]  \u_frame.state_q ;
  (* hierconn *) wire        \u_frame.dllp_q ;
  (* hierconn *) wire [31:0] \u_frame.dllp_word_q ;
  (* hierconn *) wire [2:0]  \u_frame.frame_q ;
  (* hierconn *) wire        \u_frame.dllp_frame_q ;
  (* hierconn *) wire [15:0] \u_frame.body_q ;
  (* hierconn *) wire [15:0] \u_frame.bytes ;
  (* hierconn *) wire [7:0]  \u_frame.rest_q ;
  (* hierconn *) wire [31:0] \u_frame.lcrc_q ;
  (* hierconn *) wire [15:0] \u_frame.crc_q ;
  (* hierconn *) wire        \u_frame.moves ;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    if (tlp_ready) begin
      odd_q   <= tlp_last_i ? 1'b0 : !odd_q;
      given_q <= tlp_last_i ? 3'd0 : given_q + {2'd0, given_q != 3'd6};
    end
    if (!running_q) begin
      odd_q   <= 1'b0;
      given_q <= '0;
    end
  end

  always_comb begin
    assume (rst_ni == running_q);
    // rf_link_replay: words of a TLP without a pause, three DWs at least, its number stands
    assume (!tlp_ready || tlp_valid_i);
    assume (!tlp_ready || !tlp_last_i || (odd_q && given_q >= 3'd5));
    // rf_link_send: a packet's words without a pause
    assume (ready_i || \u_frame.frame_q == None || \u_frame.frame_q == Start);
    assume (idle_symbol_low && idle_symbol_high);
  end

  // --- the packet in the framer's first step ----------------------------------------------------
  logic [11:0] sequence_q;         // as given with its start
  logic [31:0] whole_dllp_q;       // of the packet on the lane
  logic [15:0] word_given_q;       // the TLP's word that is body_q

  always_ff @(posedge clk_i) if (\u_frame.moves ) begin
    if (\u_frame.state_q == Start) begin
      sequence_q   <= tlp_sequence_i;
      whole_dllp_q <= \u_frame.dllp_word_q ;
    end
    word_given_q <= tlp_data_i;
  end

  // --- words of the lane, the newest first --------------------------------------------------------
  logic [2:0]  state1_q = None, state2_q = None, state3_q = None, state4_q = None, state5_q = None;
  logic        dllp1_q, dllp2_q, dllp3_q, dllp4_q, dllp5_q;
  logic [15:0] bytes1_q, bytes2_q, bytes3_q, bytes4_q, bytes5_q;
  logic [31:0] lcrc1_q, lcrc2_q, packet1_q, packet2_q;
  logic [15:0] crc1_q, crc2_q;
  logic [11:0] number1_q, number2_q;
  logic [3:0]  place_q, place1_q, place2_q;      // in the packet, nine at most

  always_ff @(posedge clk_i) if (!gap_i || !running_q) begin
    upper_q   <= {word[17], word[15:8]};
    state1_q  <= sends && running_q ? \u_frame.frame_q : None;
    dllp1_q   <= \u_frame.dllp_frame_q ;
    bytes1_q  <= \u_frame.bytes ;
    lcrc1_q   <= \u_frame.lcrc_q ;
    crc1_q    <= \u_frame.crc_q ;
    packet1_q <= whole_dllp_q;
    number1_q <= sequence_q;
    place1_q  <= place_q;
    {state2_q, state3_q, state4_q, state5_q} <= {state1_q, state2_q, state3_q, state4_q};
    {dllp2_q, dllp3_q, dllp4_q, dllp5_q}     <= {dllp1_q, dllp2_q, dllp3_q, dllp4_q};
    {bytes2_q, bytes3_q, bytes4_q, bytes5_q} <= {bytes1_q, bytes2_q, bytes3_q, bytes4_q};
    lcrc2_q   <= lcrc1_q;
    crc2_q    <= crc1_q;
    packet2_q <= packet1_q;
    number2_q <= number1_q;
    place2_q  <= place1_q;
    if (sends) place_q <= packet_last ? 4'd0 : place_q + {3'd0, place_q != 4'd9};
    if (!running_q) begin
      place_q <= '0;
      upper_q <= '0;
      {state2_q, state3_q, state4_q, state5_q} <= {4{None}};
    end
  end

  // --- what holds ---------------------------------------------------------------------------------
  (* hierconn *) wire        \u_deframe.shifted_q ;
  (* hierconn *) wire [9:0]  \u_deframe.rest_q ;
  (* hierconn *) wire        \u_deframe.aligned_valid_q ;
  (* hierconn *) wire [19:0] \u_deframe.aligned_q ;
  (* hierconn *) wire        \u_deframe.in_tlp_q ;
  (* hierconn *) wire        \u_deframe.in_dllp_q ;
  (* hierconn *) wire [3:0]  \u_deframe.count_q ;
  (* hierconn *) wire [15:0] \u_deframe.newest_q ;
  (* hierconn *) wire [15:0] \u_deframe.middle_q ;
  (* hierconn *) wire [15:0] \u_deframe.oldest_q ;
  (* hierconn *) wire [31:0] \u_deframe.lcrc_q ;
  (* hierconn *) wire [15:0] \u_deframe.dllp_crc_q ;

  // The word of which the deframer will look at the upper byte next, and those before it
  logic [2:0]  state_x, state_y, state_z, state_w;
  logic        dllp_x;
  logic [15:0] bytes_y, bytes_z, bytes_w;
  logic [31:0] lcrc_x, packet_x;
  logic [15:0] crc_x;
  logic [11:0] number_x;
  logic [3:0]  place_x;
  logic        waits;

  assign waits = \u_deframe.aligned_valid_q ;
  assign {state_x, state_y, state_z, state_w} = waits ? {state2_q, state3_q, state4_q, state5_q}
                                                      : {state1_q, state2_q, state3_q, state4_q};
  assign {bytes_y, bytes_z, bytes_w} = waits ? {bytes3_q, bytes4_q, bytes5_q}
                                             : {bytes2_q, bytes3_q, bytes4_q};
  assign {dllp_x, lcrc_x, crc_x, packet_x, number_x, place_x} =
      waits ? {dllp2_q, lcrc2_q, crc2_q, packet2_q, number2_q, place2_q}
            : {dllp1_q, lcrc1_q, crc1_q, packet1_q, number1_q, place1_q};

  logic [31:0] after_low, after_high;
  logic [15:0] after_crc;
  rf_crc32 u_low (.crc_i(lcrc_x), .data_i(~lcrc_x[15:0]), .crc_o(after_low));
  rf_crc32 u_high (.crc_i(after_low), .data_i(~lcrc_x[31:16]), .crc_o(after_high));
  rf_link_dllp_crc u_crc (.crc_i(crc_x), .data_i(~crc_x), .crc_o(after_crc));

  // A packet's words follow each other, the older one first.
  function automatic logic in_order(input logic [2:0] a, input logic dllp_a, input logic [2:0] b,
                                    input logic dllp_b);
    case (a)
      Start:   in_order = b == Body && dllp_a == dllp_b;
      Body:    in_order = (b == CrcLow || (b == Body && !dllp_a)) && dllp_a == dllp_b;
      CrcLow:  in_order = b == (dllp_a ? Stop : CrcHigh) && dllp_a == dllp_b;
      CrcHigh: in_order = b == Stop && !dllp_a && !dllp_b;
      default: in_order = b == None || b == Start;
    endcase
  endfunction

  function automatic logic [3:0] next_place(input logic [3:0] place);
    next_place = place + {3'd0, place != 4'd9};
  endfunction

  // Of a TLP, where a word of this state may stand
  function automatic logic well_placed(input logic [2:0] state, input logic dllp,
                                       input logic [3:0] place);
    case (state)
      Start:   well_placed = place == 4'd0;
      Body:    well_placed = dllp ? place == 4'd1 : place != 4'd0;
      CrcLow:  well_placed = dllp ? place == 4'd2 : place >= 4'd7;
      CrcHigh: well_placed = !dllp && place >= 4'd8;
      Stop:    well_placed = dllp ? place == 4'd3 : place == 4'd9;
      default: well_placed = 1'b1;
    endcase
  endfunction

  logic        inside, inside1, inside2, of_x;
  logic [31:0] lcrc_next1, lcrc_next2;
  logic [15:0] crc_next1, crc_next2;
  rf_crc32 u_next1 (.crc_i(lcrc1_q), .data_i(bytes1_q), .crc_o(lcrc_next1));
  rf_crc32 u_next2 (.crc_i(lcrc2_q), .data_i(bytes2_q), .crc_o(lcrc_next2));
  rf_link_dllp_crc u_crc1 (.crc_i(crc1_q), .data_i(bytes1_q), .crc_o(crc_next1));
  rf_link_dllp_crc u_crc2 (.crc_i(crc2_q), .data_i(bytes2_q), .crc_o(crc_next2));

  assign inside  = \u_frame.frame_q != None && \u_frame.frame_q != Stop;
  assign inside1 = state1_q != None && state1_q != Stop;
  assign inside2 = state2_q != None && state2_q != Stop;
  assign of_x    = state_x != None;

  always_comb if (running_q) begin
    // The framer's two steps
    frame_states: assert (\u_frame.state_q <= Stop && \u_frame.frame_q <= Stop);
    steps: assert (\u_frame.frame_q == None || in_order(\u_frame.frame_q , \u_frame.dllp_frame_q ,
                                                        \u_frame.state_q , \u_frame.dllp_q ));
    first_step: assert (\u_frame.frame_q != None || \u_frame.state_q == None ||
                        \u_frame.state_q == Start);
    crc_starts: assert ((\u_frame.frame_q != None && \u_frame.frame_q != Start) ||
                        (\u_frame.lcrc_q == '1 && \u_frame.crc_q == '1));
    dllp_kept: assert (!inside || !\u_frame.dllp_frame_q || whole_dllp_q == \u_frame.dllp_word_q );
    bytes_given: assert (
        \u_frame.frame_q == Start ?
            \u_frame.body_q == (\u_frame.dllp_frame_q ? whole_dllp_q[15:0] :
                                {sequence_q[7:0], 4'd0, sequence_q[11:8]}) :
        \u_frame.frame_q == Body ?
            \u_frame.body_q == (\u_frame.dllp_frame_q ? whole_dllp_q[31:16] : word_given_q) : 1'b1);
    places: assert (well_placed(\u_frame.frame_q , \u_frame.dllp_frame_q , place_q) &&
                    (\u_frame.frame_q != None || place_q == 4'd0) && place_q <= 4'd9);
    words_given: assert (\u_frame.state_q != Body || \u_frame.dllp_q ||
                         given_q == (\u_frame.frame_q == Start ? 3'd0 :
                                     place_q >= 4'd6 ? 3'd6 : place_q[2:0]));
    none_given: assert ((\u_frame.state_q == Body && !\u_frame.dllp_q ) || given_q == 3'd0);
    enough_given: assert (\u_frame.state_q != CrcLow || \u_frame.dllp_q || place_q >= 4'd6);

    // The lane
    lane_states: assert (state1_q <= Stop && state2_q <= Stop && state3_q <= Stop &&
                         state4_q <= Stop && state5_q <= Stop);
    lane_order: assert (in_order(state1_q, dllp1_q, \u_frame.frame_q , \u_frame.dllp_frame_q ) &&
                        in_order(state2_q, dllp2_q, state1_q, dllp1_q) &&
                        in_order(state3_q, dllp3_q, state2_q, dllp2_q) &&
                        in_order(state4_q, dllp4_q, state3_q, dllp3_q) &&
                        in_order(state5_q, dllp5_q, state4_q, dllp4_q));
    lane_places: assert (well_placed(state1_q, dllp1_q, place1_q) &&
                         well_placed(state2_q, dllp2_q, place2_q) &&
                         (!inside1 || place_q == next_place(place1_q)) &&
                         (!inside2 || place1_q == next_place(place2_q)));
    behind_a_word: assert ((state3_q != Body || dllp3_q || place2_q >= 4'd2) &&
                           (state4_q != Body || dllp4_q || place2_q >= 4'd3) &&
                           (state5_q != Body || dllp5_q || place2_q >= 4'd4));
    behind_a_start: assert ((state3_q != Start || place2_q == 4'd1) &&
                            (state4_q != Start || place2_q == 4'd2) &&
                            (state5_q != Start || place2_q == 4'd3));
    one_packet: assert ((!inside1 || (packet1_q == whole_dllp_q && number1_q == sequence_q)) &&
                        (!inside2 || (packet2_q == packet1_q && number2_q == number1_q)));
    lane_dllp: assert (
        (!dllp1_q || ((state1_q != Start || bytes1_q == packet1_q[15:0]) &&
                      (state1_q != Body || bytes1_q == packet1_q[31:16]))) &&
        (!dllp2_q || ((state2_q != Start || bytes2_q == packet2_q[15:0]) &&
                      (state2_q != Body || bytes2_q == packet2_q[31:16]))) &&
        (!dllp3_q || ((state3_q != Start || bytes3_q == packet2_q[15:0]) &&
                      (state3_q != Body || bytes3_q == packet2_q[31:16]))) &&
        (!dllp4_q || ((state4_q != Start || bytes4_q == packet2_q[15:0]) &&
                      (state4_q != Body || bytes4_q == packet2_q[31:16]))) &&
        (!dllp5_q || state5_q != Start || bytes5_q == packet2_q[15:0]));
    lane_number: assert (
        (dllp1_q || state1_q != Start ||
         bytes1_q == {number1_q[7:0], 4'd0, number1_q[11:8]}) &&
        (dllp2_q || state2_q != Start ||
         bytes2_q == {number2_q[7:0], 4'd0, number2_q[11:8]}));
    lane_bytes: assert (!inside1 || \u_frame.rest_q == bytes1_q[15:8]);
    lane_upper: assert (state1_q == None || upper_q == (state1_q == Stop ? {1'b1, rf_link_pkg::End}
                                                                         : {1'b0, bytes1_q[7:0]}));
    lane_crc: assert (
        (!inside1 || (\u_frame.lcrc_q == (state1_q <= Body ? lcrc_next1 : lcrc1_q) &&
                      \u_frame.crc_q == (state1_q <= Body ? crc_next1 : crc1_q))) &&
        (!inside2 || (lcrc1_q == (state2_q <= Body ? lcrc_next2 : lcrc2_q) &&
                      crc1_q == (state2_q <= Body ? crc_next2 : crc2_q))));
    lane_crc_starts: assert ((state1_q != Start || (lcrc1_q == '1 && crc1_q == '1)) &&
                             (state2_q != Start || (lcrc2_q == '1 && crc2_q == '1)));
    lane_crc_sent: assert (
        (state1_q != CrcLow || bytes1_q == (dllp1_q ? ~crc1_q : ~lcrc1_q[15:0])) &&
        (state2_q != CrcLow || bytes2_q == (dllp2_q ? ~crc2_q : ~lcrc2_q[15:0])) &&
        (state1_q != CrcHigh || bytes1_q == ~lcrc1_q[31:16]) &&
        (state2_q != CrcHigh || bytes2_q == ~lcrc2_q[31:16]));
    lane_idle: assert (state1_q != None || !upper_q[8] || upper_q[7:0] == rf_link_pkg::Com);

    // The deframer knows what the framer knew.
    place_found: assert (state1_q == None || \u_deframe.shifted_q == !late);
    upper_kept: assert (late || \u_deframe.rest_q == {1'b0, upper_q});
    lower_kept: assert (!late || state1_q != None ||
                        (!\u_deframe.rest_q [9] && (!\u_deframe.rest_q [8] ||
                         \u_deframe.rest_q [7:0] == rf_link_pkg::Com)));
    aligned: assert (!waits || (\u_deframe.aligned_q [19:18] == 2'b00 &&
        (!inside2 || (\u_deframe.aligned_q [17:16] == 2'b00 &&
                      \u_deframe.aligned_q [15:0] == bytes2_q)) &&
        (state2_q != Stop || (\u_deframe.aligned_q [16] &&
                              \u_deframe.aligned_q [7:0] == rf_link_pkg::End)) &&
        (state2_q != None || !\u_deframe.aligned_q [16] ||
         \u_deframe.aligned_q [7:0] == rf_link_pkg::Com) &&
        (state1_q != Start || (\u_deframe.aligned_q [17] && \u_deframe.aligned_q [15:8] ==
                               (dllp1_q ? rf_link_pkg::Sdp : rf_link_pkg::Stp))) &&
        (inside2 || state1_q == Start || !\u_deframe.aligned_q [17] ||
         \u_deframe.aligned_q [15:8] == rf_link_pkg::Com)));
    in_packet: assert (\u_deframe.in_tlp_q == (of_x && !dllp_x) &&
                       \u_deframe.in_dllp_q == (of_x && dllp_x));
    counted: assert (!of_x || \u_deframe.count_q == place_x);
    words_kept: assert ((place_x < 4'd1 || !of_x || \u_deframe.newest_q == bytes_y) &&
                        (place_x < 4'd2 || !of_x || \u_deframe.middle_q == bytes_z) &&
                        (place_x < 4'd3 || !of_x || \u_deframe.oldest_q == bytes_w));
    lcrc_followed: assert (!of_x || dllp_x || \u_deframe.lcrc_q ==
                           (state_x == Stop ? after_high : state_x == CrcHigh ? after_low : lcrc_x));
    crc_followed: assert (!of_x || !dllp_x || \u_deframe.dllp_crc_q ==
                          (state_x == Stop ? after_crc : crc_x));
    number_kept: assert (!of_x || dllp_x || state_x == Start || sequence_out == number_x);
    dllp_bytes: assert (
        !of_x || !dllp_x ||
        ((state_x != Body || bytes_y == packet_x[15:0]) &&
         (state_x != CrcLow || {bytes_y, bytes_z} == {packet_x[31:16], packet_x[15:0]}) &&
         (state_x != Stop || {bytes_z, bytes_w} == {packet_x[31:16], packet_x[15:0]})));
  end

  // --- what comes out, a cycle later ------------------------------------------------------------
  logic        word_due_q = 1'b0, tlp_due_q = 1'b0, dllp_due_q = 1'b0;
  logic [15:0] word_q;
  logic [11:0] number_q;
  logic [31:0] dllp_q;

  always_ff @(posedge clk_i) begin
    word_due_q <= running_q && waits && state5_q == Body && !dllp5_q;
    tlp_due_q  <= running_q && waits && state2_q == Stop && !dllp2_q;
    dllp_due_q <= running_q && waits && state2_q == Stop && dllp2_q;
    word_q     <= bytes5_q;
    number_q   <= number2_q;
    dllp_q     <= packet2_q;
  end

  always_comb if (running_q) begin
    every_word: assert (out_valid == word_due_q && (!out_valid || out_data == word_q));
    every_tlp: assert (end_valid == tlp_due_q && good == tlp_due_q);
    its_number: assert (!tlp_due_q || sequence_out == number_q);
    every_dllp: assert (dllp_valid == dllp_due_q && (!dllp_valid || dllp_out == dllp_q));
    no_error: assert (!nullified && !broken && !bad && !error);
    tlp_behind_tlp: cover (tlp_due_q && state1_q == Body && !dllp1_q && late);
    dllp_behind_tlp: cover (tlp_due_q && state1_q == Body && dllp1_q && !late);
  end

  logic unused;
  assign unused = ^{tlp_ready, dllp_ready, busy};

endmodule
