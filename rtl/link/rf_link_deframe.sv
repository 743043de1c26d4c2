// SPDX-License-Identifier: Apache-2.0
//
// Packets out of descrambled words: STP or SDP, bytes, END or EDB (PCI Express Base Specification
// 4.2.1.2), with their CRCs checked (3.5.1, 3.6.2.1). A packet may begin at either place of a word,
// with gaps anywhere. Any other K symbol in a packet, and any symbol with an error, ends it: a
// Receiver Error (as an END outside of a packet is one), not a Bad TLP or Bad DLLP.
//
// TLP: its words without sequence number and LCRC, the first byte in bits 7:0. tlp_end_o ends it,
// with its last word, or without a word if it is bad: then all since the end before are void.
// A TLP has at least three DW; no length limits it, only its end. A nullified TLP ends in EDB and
// has an inverted LCRC. A DLLP has six bytes; the first is in bits 7:0. Latency two cycles from the
// END, if it is in the lower symbol, else it waits for the next word. While not link_up_i there is
// no packet: a TLP that was under way ends.

`default_nettype none

module rf_link_deframe (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          link_up_i,
  input  wire logic          valid_i,
  input  wire rf_link_pkg::word_t word_i,

  output logic               tlp_valid_o,
  output logic [15:0]        tlp_data_o,
  output logic               tlp_end_o,
  output logic               tlp_good_o,       // with tlp_end_o, one of three; none: Bad TLP
  output logic               tlp_nullified_o,
  output logic               tlp_broken_o,     // by a Receiver Error
  output logic [11:0]        tlp_sequence_o,   // with tlp_end_o, unless it is bad
  output logic               dllp_valid_o,
  output logic [31:0]        dllp_o,
  output logic               dllp_bad_o,       // Bad DLLP
  output logic               error_o           // Receiver Error, at a word
);

  // --- STP and SDP to the upper symbol --------------------------------------------------
  // So a packet's bytes are whole words, and END comes in a lower symbol.
  logic               shifted_q, aligned_valid_q;
  logic [1:0]         start;
  logic [9:0]         low, high, rest_q;        // bad, k, value
  logic [9:0]         aligned_low, aligned_high;
  rf_link_pkg::word_t aligned_q;

  for (genvar i = 0; i < 2; i++) begin : gen_start
    assign start[i] = !word_i.bad[i] && word_i.k[i] &&
                      (word_i.data[8*i+:8] == rf_link_pkg::Stp ||
                       word_i.data[8*i+:8] == rf_link_pkg::Sdp);
  end

  assign low  = {word_i.bad[0], word_i.k[0], word_i.data[7:0]};
  assign high = {word_i.bad[1], word_i.k[1], word_i.data[15:8]};

  // Where the place changes, the symbol before STP or SDP is of no packet, or of one that is cut.
  assign aligned_high = start[1] || !(shifted_q || start[0]) ? high : low;
  assign aligned_low  = shifted_q ? rest_q : start == 2'b01 ? '0 : low;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shifted_q       <= 1'b0;
      rest_q          <= '0;
      aligned_valid_q <= 1'b0;
      aligned_q       <= '0;
    end else begin
      aligned_valid_q <= valid_i;
      if (valid_i) begin
        if (start != 2'b00) shifted_q <= !start[1];
        rest_q         <= high;
        aligned_q.bad  <= {aligned_high[9], aligned_low[9]};
        aligned_q.k    <= {aligned_high[8], aligned_low[8]};
        aligned_q.data <= {aligned_high[7:0], aligned_low[7:0]};
      end
      if (!link_up_i) shifted_q <= 1'b0;
    end
  end

  // --- packets ---------------------------------------------------------------------------
  localparam logic [3:0] TlpWords = 4'd9;   // at least: sequence number, three DW, LCRC
  localparam logic [3:0] DllpWords = 4'd3;

  logic        in_tlp_q, in_dllp_q;
  logic [3:0]  count_q;                     // words of the packet, at most TlpWords
  logic [15:0] newest_q, middle_q, oldest_q;
  logic [31:0] lcrc_q, lcrc;
  logic [15:0] dllp_crc_q, dllp_crc;
  logic        plain, starts_tlp, starts_dllp, ends, nullifies, take, finish, framed;
  logic        whole, good, nullified, dllp_good;

  assign plain       = aligned_q.bad == 2'b00 && aligned_q.k == 2'b00;
  assign starts_tlp  = !aligned_q.bad[1] && aligned_q.k[1] &&
                       aligned_q.data[15:8] == rf_link_pkg::Stp;
  assign starts_dllp = !aligned_q.bad[1] && aligned_q.k[1] &&
                       aligned_q.data[15:8] == rf_link_pkg::Sdp;
  assign ends        = !aligned_q.bad[0] && aligned_q.k[0] &&
                       aligned_q.data[7:0] == rf_link_pkg::End;
  assign nullifies   = !aligned_q.bad[0] && aligned_q.k[0] &&
                       aligned_q.data[7:0] == rf_link_pkg::Edb;

  assign take      = aligned_valid_q && plain;
  assign finish    = aligned_valid_q && !plain;
  assign framed    = ends || (nullifies && in_tlp_q);
  assign whole     = count_q == TlpWords;
  assign good      = whole && ends && lcrc_q == 32'hdebb20e3;
  assign nullified = whole && nullifies && lcrc_q == '0;
  assign dllp_good = count_q == DllpWords && ends && dllp_crc_q == 16'h556f;

  rf_crc32 u_lcrc (
    .crc_i  (lcrc_q),
    .data_i (aligned_q.data),
    .crc_o  (lcrc)
  );

  rf_link_dllp_crc u_dllp_crc (
    .crc_i  (dllp_crc_q),
    .data_i (aligned_q.data),
    .crc_o  (dllp_crc)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_tlp_q        <= 1'b0;
      in_dllp_q       <= 1'b0;
      count_q         <= '0;
      newest_q        <= '0;
      middle_q        <= '0;
      oldest_q        <= '0;
      lcrc_q          <= '1;
      dllp_crc_q      <= '1;
      tlp_valid_o     <= 1'b0;
      tlp_data_o      <= '0;
      tlp_end_o       <= 1'b0;
      tlp_good_o      <= 1'b0;
      tlp_nullified_o <= 1'b0;
      tlp_broken_o    <= 1'b0;
      tlp_sequence_o  <= '0;
      dllp_valid_o    <= 1'b0;
      dllp_o          <= '0;
      dllp_bad_o      <= 1'b0;
      error_o         <= 1'b0;
    end else begin
      // Three words wait: at the END, two of them are the LCRC.
      if (take) begin
        {oldest_q, middle_q, newest_q} <= {middle_q, newest_q, aligned_q.data};
        lcrc_q     <= lcrc;
        dllp_crc_q <= dllp_crc;
        if (count_q != TlpWords) count_q <= count_q + 4'd1;
        if (count_q == 4'd0 && in_tlp_q) begin
          tlp_sequence_o <= {aligned_q.data[3:0], aligned_q.data[15:8]};
        end
      end
      if (finish) begin
        in_tlp_q   <= starts_tlp;
        in_dllp_q  <= starts_dllp;
        count_q    <= '0;
        lcrc_q     <= '1;
        dllp_crc_q <= '1;
      end
      tlp_valid_o     <= in_tlp_q && (take ? count_q >= 4'd4 : finish && (good || nullified));
      tlp_data_o      <= oldest_q;
      tlp_end_o       <= in_tlp_q && finish;
      tlp_good_o      <= in_tlp_q && finish && good;
      tlp_nullified_o <= in_tlp_q && finish && nullified;
      tlp_broken_o    <= in_tlp_q && finish && !framed;
      dllp_valid_o    <= in_dllp_q && finish && dllp_good;
      dllp_bad_o      <= in_dllp_q && finish && framed && !dllp_good;
      error_o         <= aligned_valid_q && (aligned_q.bad != 2'b00 ||
                                             (in_tlp_q || in_dllp_q ? !plain && !framed
                                                                    : ends || nullifies));
      if (finish) dllp_o <= {middle_q, oldest_q};
      if (!link_up_i) begin
        in_tlp_q     <= 1'b0;
        in_dllp_q    <= 1'b0;
        tlp_end_o    <= in_tlp_q;
        tlp_good_o   <= 1'b0;
        dllp_valid_o <= 1'b0;
        dllp_bad_o   <= 1'b0;
        error_o      <= 1'b0;
      end
    end
  end

endmodule

`default_nettype wire
