// SPDX-License-Identifier: Apache-2.0
//
// A stand-in with the ports of rf_device for the tests of the simulation
// library. It has a configuration space, responses reads, and plays back beats
// that the test wrote into it, exactly as written: legal TLPs or broken ones.
//
// BAR 0: beats of 32 bytes at 0 (256 of them); 0x8000 play: first[9:0],
//        count[19:10], armed[20] (wait for the next non-posted request and play
//        instead of answering); 0x8008 capture index; writes take 32-bit words.
// BAR 2: 16 KiB of memory; payload of received completions is appended at the
//        capture index (in words), an unsuccessful one as 0xdead0000 | status.
// BAR 4: MSI-X table (only stored).
//
// A beat: word 0 = read stream[0], sop[1], eop[2], strb[4:3], valid for one
// cycle whatever ready says[5], inverted data while stalled[6], tag of the
// triggering request[7], cycles to wait first[15:8], read that does not wait for
// the beat before it on the posted stream[16]; word 1 = header[127:64]; word 2 =
// header[63:0]; word 3 = data.

`default_nettype none

module rf_device #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned MonitoredShadow = 1,
  parameter int unsigned TimestampHz = 125000000
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [63:0]  rx_tlp_data_i,
  input  wire logic [1:0]   rx_tlp_strb_i,
  input  wire logic [127:0] rx_tlp_hdr_i,
  input  wire logic         rx_tlp_error_i,
  input  wire logic         rx_tlp_valid_i,
  input  wire logic         rx_tlp_sop_i,
  input  wire logic         rx_tlp_eop_i,
  output logic              rx_tlp_ready_o,

  output logic [63:0]       tx_tlp_data_o,
  output logic [1:0]        tx_tlp_strb_o,
  output logic [127:0]      tx_tlp_hdr_o,
  output logic              tx_tlp_valid_o,
  output logic              tx_tlp_sop_o,
  output logic              tx_tlp_eop_o,
  input  wire logic         tx_tlp_ready_i,

  output logic [127:0]      tx_read_tlp_hdr_o,
  output logic              tx_read_tlp_valid_o,
  input  wire logic         tx_read_tlp_ready_i,
  input  wire logic [12:0]  link_status_i,

  output logic              idle_o,
  output logic [63:0]       trace_o
);

  // --- memories and configuration space ------------------------------------------
  logic [31:0] beats [2048];
  logic [31:0] memory [4096];
  logic [31:0] table4 [1024];
  logic [31:0] config_q [64];
  logic [15:0] id_q;
  logic [11:0] capture_q;

  // Which bits of a configuration word can be written.
  function automatic logic [31:0] config_mask(input logic [5:0] word);
    case (word)
      6'd1: config_mask = 32'h0000_0006;   // command
      6'd4: config_mask = 32'hfffe_0000;   // BAR 0, 128 KiB, 64 bits
      6'd5: config_mask = 32'hffff_ffff;
      6'd6: config_mask = 32'hffff_c000;   // BAR 2, 16 KiB, 64 bits
      6'd7: config_mask = 32'hffff_ffff;
      6'd8: config_mask = 32'hffff_f000;   // BAR 4, 4 KiB, 32 bits
      6'd18: config_mask = 32'h0000_ffff;  // device control
      6'd20: config_mask = 32'h0000_ffff;  // link control
      6'd32: config_mask = 32'hc000_0000;  // MSI-X control
      default: config_mask = 32'h0;
    endcase
  endfunction

  wire logic [63:0] bar0 = {config_q[5], config_q[4] & 32'hffff_fff0};
  wire logic [63:0] bar2 = {config_q[7], config_q[6] & 32'hffff_fff0};
  wire logic [63:0] bar4 = {32'd0, config_q[8] & 32'hffff_fff0};

  function automatic logic [31:0] peek(input logic [63:0] address);
    if (address - bar0 < 64'h8000) peek = beats[address[12:2]];
    else if (address - bar0 == 64'h8008) peek = {20'd0, capture_q};
    else if (address - bar2 < 64'h4000) peek = memory[address[13:2]];
    else if (address - bar4 < 64'h1000) peek = table4[address[11:2]];
    else peek = 32'd0;
  endfunction

  // --- receive ----------------------------------------------------------------------
  logic [127:0] header_q;
  wire logic [127:0] header = rx_tlp_sop_i ? rx_tlp_hdr_i : header_q;
  wire logic [7:0] kind = header[127:120];
  wire logic wide = header[125];
  wire logic [63:0] address = wide ? {header[63:2], 2'b00} : {32'd0, header[63:34], 2'b00};
  wire logic memory_write = (kind & 8'hdf) == 8'h40;
  wire logic memory_read = (kind & 8'hdf) == 8'h00;
  wire logic config_access = (kind & 8'hbf) == 8'h04;
  wire logic completion = (kind & 8'hbf) == 8'h0a;
  logic [9:0] beat_q;

  typedef enum logic [1:0] {Idle, Respond, Play} state_e;
  state_e state_q;
  logic [9:0]  play_q;
  logic [9:0]  plays_q;
  logic        armed_q;
  logic [7:0]  wait_q;
  logic [127:0] request_q;      // the non-posted request at work
  logic [31:0]  request_data_q;
  logic [63:0]  next_q;         // its next byte
  logic [12:0]  remaining_q;
  logic         first_beat_q;
  logic [12:0]  cut_words_q;

  assign rx_tlp_ready_o = state_q == Idle;
  wire logic take = rx_tlp_valid_i && rx_tlp_ready_o;

  function automatic logic [31:0] merge(input logic [31:0] old, input logic [31:0] data,
                                        input logic [3:0] enables);
    for (int i = 0; i < 4; i++)
      merge[8*i +: 8] = enables[i] ? data[8*i +: 8] : old[8*i +: 8];
  endfunction

  function automatic logic [2:0] low_gap(input logic [3:0] enables);
    low_gap = enables[0] ? 3'd0 : enables[1] ? 3'd1 : enables[2] ? 3'd2 : enables[3] ? 3'd3 : 3'd0;
  endfunction

  function automatic logic [2:0] high_gap(input logic [3:0] enables);
    high_gap = enables[3] ? 3'd0 : enables[2] ? 3'd1 : enables[1] ? 3'd2 : 3'd3;
  endfunction

  function automatic logic [12:0] request_bytes(input logic [127:0] h);
    logic [12:0] whole;
    whole = {h[105:96] == 10'd0, h[105:96], 2'b00};
    if (h[67:64] == 4'd0) request_bytes = 13'd1;
    else if (h[71:68] == 4'd0)
      request_bytes = 13'd4 - {10'd0, low_gap(h[67:64])} - {10'd0, high_gap(h[67:64])};
    else
      request_bytes = whole - {10'd0, low_gap(h[67:64])} - {10'd0, high_gap(h[71:68])};
  endfunction

  // --- transmit registers -------------------------------------------------------------
  logic posted_valid_q, read_valid_q, posted_drop_q, posted_toggle_q;
  logic read_drop_q, read_toggle_q;
  wire logic posted_free = !posted_valid_q || tx_tlp_ready_i || posted_drop_q;
  wire logic read_free = !read_valid_q || tx_read_tlp_ready_i || read_drop_q;
  assign tx_tlp_valid_o = posted_valid_q;
  assign tx_read_tlp_valid_o = read_valid_q;

  // The beat to play.
  wire logic [31:0] control = beats[{play_q[7:0], 3'd0}];
  wire logic [127:0] play_header = {beats[{play_q[7:0], 3'd3}], beats[{play_q[7:0], 3'd2}],
                                    beats[{play_q[7:0], 3'd5}], beats[{play_q[7:0], 3'd4}]};
  wire logic [63:0] play_data = {beats[{play_q[7:0], 3'd7}], beats[{play_q[7:0], 3'd6}]};

  // The completion at work: where it ends, at a multiple of 128 bytes.
  wire logic read_request = (request_q[127:120] & 8'hdf) == 8'h00;
  wire logic good = read_request ? config_q[1][1] :
                    (request_q[127:120] & 8'hbf) == 8'h04;
  wire logic [12:0] to_cut = 13'd128 - {6'd0, next_q[6:0]};
  wire logic [12:0] part = read_request && to_cut < remaining_q ? to_cut : remaining_q;
  wire logic [12:0] part_words = ({11'd0, next_q[1:0]} + part + 13'd3) >> 2;
  wire logic with_data = good && (read_request || !request_q[126]);
  wire logic [12:0] words_left = first_beat_q ? part_words : cut_words_q;
  logic [63:0] cursor_q;   // address of the next data word
  wire logic [63:0] cursor = first_beat_q ? {next_q[63:2], 2'b00} : cursor_q;
  wire logic [5:0] config_word = request_q[39:34];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      posted_valid_q <= 1'b0;
      read_valid_q <= 1'b0;
      posted_drop_q <= 1'b0;
      posted_toggle_q <= 1'b0;
      read_drop_q <= 1'b0;
      read_toggle_q <= 1'b0;
      armed_q <= 1'b0;
      id_q <= '0;
      capture_q <= '0;
      beat_q <= '0;
      trace_o <= '0;
      for (int i = 0; i < 64; i++) config_q[i] <= '0;
      config_q[0] <= 32'h0001_1e5f;
      config_q[1] <= 32'h0010_0000;
      config_q[2] <= 32'h1200_0000;
      config_q[4] <= 32'h0000_0004;
      config_q[6] <= 32'h0000_000c;
      config_q[13] <= 32'h0000_0040;
      config_q[16] <= 32'h0002_8010;   // PCIe capability, then MSI-X at 0x80
      config_q[17] <= 32'h0000_0002;   // max payload supported 512
      config_q[18] <= 32'h0000_2000;   // device control: max read 512
      config_q[32] <= 32'h0003_0011;   // MSI-X, 4 vectors
      config_q[33] <= 32'h0000_0004;   // table in BAR 4
      config_q[34] <= 32'h0000_0804;
    end else begin
      trace_o <= '0;
      if (tx_tlp_ready_i || posted_drop_q) posted_valid_q <= 1'b0;
      else if (posted_toggle_q) tx_tlp_data_o <= ~tx_tlp_data_o;
      if (posted_drop_q) posted_drop_q <= 1'b0;
      if (tx_read_tlp_ready_i || read_drop_q) read_valid_q <= 1'b0;
      else if (read_toggle_q) tx_read_tlp_hdr_o[12] <= ~tx_read_tlp_hdr_o[12];
      if (read_drop_q) read_drop_q <= 1'b0;

      // Received packets.
      if (take) begin
        if (rx_tlp_sop_i) header_q <= rx_tlp_hdr_i;
        beat_q <= rx_tlp_eop_i ? '0 : beat_q + 10'd1;
        for (int i = 0; i < 2; i++) if (rx_tlp_strb_i[i]) begin
          automatic logic [10:0] index = {beat_q, 1'(i)};
          automatic logic [63:0] at = address + {51'd0, index, 2'b00};
          automatic logic [31:0] data = rx_tlp_data_i[32*i +: 32];
          automatic logic [3:0] enables = index == 0 ? header[67:64] :
              index + 11'd1 == {1'b0, header[105:96]} ? header[71:68] : 4'hf;
          if (memory_write && config_q[1][1]) begin
            if (at - bar0 < 64'h8000)
              beats[at[12:2]] <= merge(beats[at[12:2]], data, enables);
            else if (at - bar0 == 64'h8000) begin
              play_q <= data[9:0];
              plays_q <= data[19:10];
              armed_q <= data[20];
              wait_q <= '0;
              trace_o[0] <= 1'b1;
              if (!data[20]) state_q <= Play;
            end else if (at - bar0 == 64'h8008)
              capture_q <= data[11:0];
            else if (at - bar2 < 64'h4000)
              memory[at[13:2]] <= merge(memory[at[13:2]], data, enables);
            else if (at - bar4 < 64'h1000)
              table4[at[11:2]] <= merge(table4[at[11:2]], data, enables);
          end
          if (completion) memory[capture_q + 12'(i)] <= data;
        end
        if (completion) begin
          capture_q <= capture_q + {11'd0, rx_tlp_strb_i[0]} + {11'd0, rx_tlp_strb_i[1]};
          if (header[79:77] != 0) begin
            memory[capture_q] <= {29'h1bd5a000, header[79:77]};
            capture_q <= capture_q + 12'd1;
          end
          trace_o[2] <= rx_tlp_eop_i;
        end
        if (rx_tlp_eop_i && !rx_tlp_error_i && !memory_write && !completion &&
            (memory_read || config_access)) begin
          request_q <= header;
          request_data_q <= rx_tlp_data_i[31:0];
          next_q <= memory_read ? address + {61'd0, low_gap(header[67:64])} : '0;
          remaining_q <= memory_read ? request_bytes(header) : 13'd4;
          first_beat_q <= 1'b1;
          armed_q <= 1'b0;
          wait_q <= '0;
          state_q <= armed_q ? Play : Respond;
        end
      end

      // Responses.
      if (state_q == Respond && posted_free) begin
        if (config_access_q && first_beat_q && request_q[126]) begin
          id_q <= request_q[63:48];
          config_q[config_word] <= (config_q[config_word] & ~config_mask(config_word)) |
              (merge(config_q[config_word], request_data_q, request_q[67:64]) &
               config_mask(config_word));
        end
        posted_valid_q <= 1'b1;
        posted_toggle_q <= 1'b0;
        tx_tlp_hdr_o <= first_beat_q ?
            {with_data ? 8'h4a : 8'h0a, 14'd0, with_data ? part_words[9:0] : 10'd0,
             config_access_q && request_q[126] ? request_q[63:48] : id_q,
             good ? 3'd0 : 3'd1, 1'b0, remaining_q[11:0],
             request_q[95:80], request_q[79:72], 1'b0, next_q[6:0], 32'd0} : tx_tlp_hdr_o;
        tx_tlp_sop_o <= first_beat_q;
        tx_tlp_data_o <= config_access_q ? {32'd0, config_q[config_word]} :
                         {peek(cursor + 64'd4), peek(cursor)};
        first_beat_q <= 1'b0;
        if (!with_data) begin
          tx_tlp_strb_o <= 2'b00;
          tx_tlp_eop_o <= 1'b1;
          state_q <= Idle;
        end else begin
          tx_tlp_strb_o <= words_left >= 13'd2 ? 2'b11 : 2'b01;
          tx_tlp_eop_o <= words_left <= 13'd2;
          cut_words_q <= words_left - 13'd2;
          cursor_q <= cursor + 64'd8;
          if (words_left <= 13'd2) begin
            first_beat_q <= 1'b1;
            remaining_q <= remaining_q - (first_beat_q ? part : part_q);
            next_q <= next_q + {51'd0, first_beat_q ? part : part_q};
            if (remaining_q == (first_beat_q ? part : part_q)) state_q <= Idle;
          end
        end
        if (first_beat_q) part_q <= part;
      end

      // Beats.
      if (state_q == Play) begin
        if (plays_q == 0) state_q <= Idle;
        else if (wait_q < control[15:8]) wait_q <= wait_q + 8'd1;
        else if (control[0] ? read_free && (posted_free || control[16]) : posted_free) begin
          wait_q <= '0;
          play_q <= play_q + 10'd1;
          plays_q <= plays_q - 10'd1;
          trace_o[1] <= 1'b1;
          if (control[0]) begin
            read_valid_q <= 1'b1;
            read_drop_q <= control[5];
            read_toggle_q <= control[6];
            tx_read_tlp_hdr_o <= play_header;
          end else begin
            posted_valid_q <= 1'b1;
            posted_drop_q <= control[5];
            posted_toggle_q <= control[6];
            tx_tlp_sop_o <= control[1];
            tx_tlp_eop_o <= control[2];
            tx_tlp_strb_o <= control[4:3];
            tx_tlp_data_o <= play_data;
            tx_tlp_hdr_o <= play_header;
            if (control[7]) tx_tlp_hdr_o[47:40] <= request_q[79:72];
          end
        end
      end
    end
  end

  logic [12:0] part_q;
  wire logic config_access_q = (request_q[127:120] & 8'hbf) == 8'h04;

  assign idle_o = state_q == Idle && !posted_valid_q && !read_valid_q;

endmodule

`default_nettype wire
