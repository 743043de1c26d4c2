// SPDX-License-Identifier: Apache-2.0
//
// TLPs and DLLPs to packets (PCI Express Base Specification 4.2.1.2): STP, sequence number, TLP,
// LCRC, END; SDP, DLLP, CRC, END. One follows the other without idle; a DLLP that waits goes before
// the next TLP. A TLP comes as rf_link_replay gives it: its words without a pause, the first byte
// in bits 7:0. A packet's first word comes one cycle after it is chosen; dllp_ready_o: chosen. What
// is chosen while the link goes down is dropped; a packet that has begun ends before that, in L0.

`default_nettype none

module rf_link_frame (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        link_up_i,

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
  output logic [17:0]      packet_word_o    // k, data
);

  typedef enum logic [2:0] {
    None,
    Start,
    Body,
    CrcLow,
    CrcHigh,    // of a TLP alone
    Stop
  } state_e;

  state_e      state_q;
  logic        dllp_q, choose, step;
  logic [31:0] dllp_word_q;
  logic [7:0]  rest_q;                      // the byte that the next word begins with
  logic [15:0] body;                        // two bytes, of which the second is for the next word
  logic [31:0] lcrc_q, lcrc, lcrc_sent;
  logic [15:0] crc_q, crc, crc_sent;

  assign choose         = state_q == None || (state_q == Stop && packet_ready_i);
  assign dllp_ready_o   = choose;
  assign packet_valid_o = state_q != None;
  assign packet_last_o  = state_q == Stop;
  assign step           = packet_valid_o && packet_ready_i;
  assign tlp_ready_o    = state_q == Body && !dllp_q && packet_ready_i;
  assign lcrc_sent      = ~lcrc_q;
  assign crc_sent       = ~crc_q;

  always_comb begin
    unique case (state_q)
      Start:   body = dllp_q ? dllp_word_q[15:0] :
                      {tlp_sequence_i[7:0], 4'd0, tlp_sequence_i[11:8]};
      Body:    body = dllp_q ? dllp_word_q[31:16] : tlp_data_i;
      CrcLow:  body = dllp_q ? crc_sent : lcrc_sent[15:0];
      default: body = lcrc_sent[31:16];
    endcase
    packet_word_o = {2'b00, body[7:0], rest_q};
    if (state_q == Start) begin
      packet_word_o = {2'b01, body[7:0], dllp_q ? rf_link_pkg::Sdp : rf_link_pkg::Stp};
    end
    if (state_q == Stop) packet_word_o = {2'b10, rf_link_pkg::End, rest_q};
  end

  rf_crc32 u_lcrc (
    .crc_i  (lcrc_q),
    .data_i (body),
    .crc_o  (lcrc)
  );

  rf_link_dllp_crc u_dllp_crc (
    .crc_i  (crc_q),
    .data_i (body),
    .crc_o  (crc)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= None;
      dllp_q      <= 1'b0;
      dllp_word_q <= '0;
      rest_q      <= '0;
      lcrc_q      <= '1;
      crc_q       <= '1;
    end else begin
      if (step) begin
        rest_q <= body[15:8];
        if (state_q == Start || state_q == Body) begin
          lcrc_q <= lcrc;
          crc_q  <= crc;
        end
        unique case (state_q)
          Start:   state_q <= Body;
          Body:    if (dllp_q || tlp_last_i) state_q <= CrcLow;
          CrcLow:  state_q <= dllp_q ? Stop : CrcHigh;
          default: state_q <= Stop;
        endcase
      end
      if (choose) begin
        state_q     <= dllp_valid_i || tlp_valid_i ? Start : None;
        dllp_q      <= dllp_valid_i;
        dllp_word_q <= dllp_i;
        lcrc_q      <= '1;
        crc_q       <= '1;
      end
      if (!link_up_i) state_q <= None;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) tlp_without_pause: assert (!tlp_ready_o || tlp_valid_i);
  end
`endif

endmodule

`default_nettype wire
