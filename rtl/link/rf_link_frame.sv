// SPDX-License-Identifier: Apache-2.0
//
// TLPs and DLLPs to packets (PCI Express Base Specification 4.2.1.2): STP, sequence number, TLP,
// LCRC, END; SDP, DLLP, CRC, END. One follows the other without idle; a DLLP that waits goes before
// the next TLP. A TLP comes as rf_link_replay gives it: its words without a pause, the first byte
// in bits 7:0. Two steps: what the bytes between the frame's symbols are, but for the CRC; then the
// CRC and the frame. A packet's first word comes two cycles after it is chosen; dllp_ready_o:
// chosen. What is chosen while the link goes down is dropped, and of the PM DLLPs what is chosen
// when it trains again, which asks for L1 no more; a packet that has begun ends before that, in L0.
// busy_o: one is chosen or under way.

`default_nettype none

module rf_link_frame (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        link_up_i,
  input  wire logic        training_i,      // Recovery or Configuration

  input  wire logic        tlp_valid_i,
  output logic             tlp_ready_o,
  input  wire logic        tlp_last_i,
  input  wire logic [15:0] tlp_data_i,
  input  wire logic [11:0] tlp_sequence_i,

  input  wire logic        dllp_valid_i,
  output logic             dllp_ready_o,
  input  wire logic [31:0] dllp_i,          // the first byte in bits 7:0

  output logic             packet_valid_o,
  input  wire logic        packet_ready_i,
  output logic             packet_last_o,
  output logic [17:0]      packet_word_o,   // k, data
  output logic             busy_o
);

  typedef enum logic [2:0] {
    None,       // no packet
    Start,      // STP and the sequence number, or SDP and the DLLP's first bytes
    Body,       // the TLP, or the rest of the DLLP
    CrcLow,     // the first two bytes of the CRC
    CrcHigh,    // the other two, of a TLP alone
    Stop        // END
  } state_e;

  // --- the bytes ------------------------------------------------------------------------
  state_e      state_q, state_d;
  logic        dllp_q, choose, moves;
  logic [31:0] dllp_word_q;
  logic [15:0] body;                        // two bytes, of which the second is for the next word

  assign moves        = !packet_valid_o || packet_ready_i;
  assign choose       = state_q == None || (state_q == Stop && moves);
  assign dllp_ready_o = choose;
  assign tlp_ready_o  = state_q == Body && !dllp_q && moves;

  always_comb begin
    if (state_q == Start) body = dllp_q ? dllp_word_q[15:0] :
                                 {tlp_sequence_i[7:0], 4'd0, tlp_sequence_i[11:8]};
    else                  body = dllp_q ? dllp_word_q[31:16] : tlp_data_i;
  end

  always_comb begin
    state_d = state_q;
    if (moves) begin
      unique case (state_q)
        None:    ;
        Start:   state_d = Body;
        Body:    if (dllp_q || tlp_last_i) state_d = CrcLow;
        CrcLow:  state_d = dllp_q ? Stop : CrcHigh;
        default: state_d = Stop;
      endcase
    end
    if (choose) state_d = dllp_valid_i || tlp_valid_i ? Start : None;
    if (stale || !link_up_i) state_d = None;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= None;
      dllp_q      <= 1'b0;
      dllp_word_q <= '0;
    end else begin
      state_q <= state_d;
      if (choose) begin
        dllp_q      <= dllp_valid_i;
        dllp_word_q <= dllp_i;
      end
    end
  end

  // --- CRC and frame --------------------------------------------------------------------
  state_e      frame_q, frame_d;            // the state that the bytes were of
  logic        dllp_frame_q;
  logic [15:0] body_q, bytes;
  logic [7:0]  rest_q;                      // the byte that the next word begins with
  logic [31:0] lcrc_q, lcrc, lcrc_sent;
  logic [15:0] crc_q, crc, crc_sent;
  logic        starts_pm, stale;            // a PM DLLP; from before a training, and not begun

  assign starts_pm      = frame_q == Start && dllp_frame_q && body_q[7:3] == 5'b00100;
  assign stale          = training_i && !packet_ready_i && starts_pm;
  assign packet_valid_o = frame_q != None;
  assign packet_last_o  = frame_q == Stop;
  assign busy_o         = state_q != None || packet_valid_o;
  assign lcrc_sent      = ~lcrc_q;
  assign crc_sent       = ~crc_q;

  always_comb begin
    unique case (frame_q)
      CrcLow:  bytes = dllp_frame_q ? crc_sent : lcrc_sent[15:0];
      CrcHigh: bytes = lcrc_sent[31:16];
      default: bytes = body_q;
    endcase
    packet_word_o = {2'b00, bytes[7:0], rest_q};
    if (frame_q == Start) begin
      packet_word_o = {2'b01, body_q[7:0], dllp_frame_q ? rf_link_pkg::Sdp : rf_link_pkg::Stp};
    end
    if (frame_q == Stop) packet_word_o = {2'b10, rf_link_pkg::End, rest_q};
  end

  always_comb begin
    frame_d = moves ? state_q : frame_q;
    if (stale || !link_up_i) frame_d = None;
  end

  rf_crc32 u_lcrc (
    .crc_i  (lcrc_q),
    .data_i (body_q),
    .crc_o  (lcrc)
  );

  rf_link_dllp_crc u_dllp_crc (
    .crc_i  (crc_q),
    .data_i (body_q),
    .crc_o  (crc)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      frame_q      <= None;
      dllp_frame_q <= 1'b0;
      body_q       <= '0;
      rest_q       <= '0;
      lcrc_q       <= '1;
      crc_q        <= '1;
    end else begin
      frame_q <= frame_d;
      if (moves) begin
        dllp_frame_q <= dllp_q;
        body_q       <= body;
        rest_q       <= bytes[15:8];
        if (frame_q == Start || frame_q == Body) begin
          lcrc_q <= lcrc;
          crc_q  <= crc;
        end
        if (frame_q == Stop) begin
          lcrc_q <= '1;
          crc_q  <= '1;
        end
      end
      if (!link_up_i) begin
        lcrc_q <= '1;
        crc_q  <= '1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) tlp_without_pause: assert (!tlp_ready_o || tlp_valid_i);
  end
`endif

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken, but for what the header names.
  rf_offer_check #(.Width(19)) packet_stays (
    .clk_i, .rst_ni(rst_ni && link_up_i && !stale),
    .valid_i(packet_valid_o), .ready_i(packet_ready_i),
    .data_i({packet_last_o, packet_word_o})
  );
  // What the proofs assume of the surroundings: docs/proofs.md.
  logic [2:0] given_q;               // words of the TLP; of more than 7, 6 or 7
  always_ff @(posedge clk_i) begin
    if (state_q != Body) given_q <= '0;
    else if (tlp_ready_o) given_q <= given_q == 3'd7 ? 3'd6 : given_q + 3'd1;
    if (rst_ni && tlp_ready_o && tlp_last_i)
      three_dws_at_least: assert (given_q == 3'd5 || given_q == 3'd7);
  end
`endif
`endif

endmodule

`default_nettype wire
