// SPDX-License-Identifier: Apache-2.0
//
// TLPs of rf_device into the replay ring of rf_link, in the link's clock: posted ones and
// completions in the order of their FIFO; a read, as rf_link_from_tlp shows it, behind the posted
// TLPs that it names. Each enters when there are credits for it. A read without credits waits
// outside, and posted ones pass it; posted ones without credits let reads pass that may go; else
// both take turns. admits_i is of need_o a cycle ago; of a read, which needs no data, at any time.
// ask_l23_o: PME_TO_Ack has entered.

`default_nettype none

module rf_link_unpack (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         entry_valid_i,
  input  wire rf_link_pkg::sent_entry_t entry_i,
  output logic              entry_ready_o,

  input  wire logic         read_request_i,   // of the device's clock; with it stand
  input  wire logic [127:0] read_hdr_i,
  input  wire logic [4:0]   read_behind_i,
  output logic              read_done_o,

  output logic              tx_waits_o,
  output logic              tx_valid_o,
  input  wire logic         tx_ready_i,
  output logic              tx_last_o,
  output logic [15:0]       tx_data_o,
  output logic [8:0]        need_o,
  input  wire logic [2:0]   admits_i,         // completion, non-posted, posted
  output logic [2:0]        consume_o,
  output logic              ask_l23_o
);

  localparam logic [2:0] Posted = 3'b001;
  localparam logic [2:0] NonPosted = 3'b010;
  localparam logic [2:0] Completion = 3'b100;

  typedef enum logic [1:0] {
    Look,      // what is the posted one?
    Ask,       // admits_i of it comes a cycle later
    Wait,      // for credits
    Send       // the words of one TLP
  } state_e;

  // --- which ------------------------------------------------------------------------
  state_e     state_q, state_d;
  logic       read_q, request_first_q, request_seen_q, read_last_q;
  logic       known_q;                       // need_o and kind_q are the posted one's
  logic [2:0] kind_q;
  logic [4:0] entered_q;                     // posted TLPs in the ring, modulo 32
  logic [3:0] unused_ahead;
  logic       behind, read_waits, read_may, met_q, posted_may, completion, has_data;
  logic [10:0] length;

  assign completion = entry_i.data[60:57] == 4'b0101;
  assign has_data   = entry_i.data[62];
  assign length     = {entry_i.data[41:32] == '0, entry_i.data[41:32]};
  // At most 16 posted TLPs are between the device and the ring.
  assign {behind, unused_ahead} = entered_q - read_behind_i;
  assign read_waits = request_seen_q != read_done_o;
  assign read_may   = met_q && admits_i[1];
  assign posted_may = known_q && (kind_q & admits_i) != '0;
  assign tx_waits_o = state_q == Send || entry_valid_i || read_waits;

  // --- entries, and their words -----------------------------------------------------
  logic        held_q, load, half, last;
  logic        all_q;          // the last entry was loaded
  logic [1:0]  number_q;       // of the next entry: two of the header, then payload
  logic        half_q, last_q, header_q, moves, entry_ends, ends;
  logic [1:0]  place_q;
  logic [15:0] header_word, data_word;
  logic [63:0] entry, entry_q;

  assign load  = state_q == Send && (read_q || entry_valid_i) && !all_q &&
                 (!held_q || (moves && entry_ends));
  assign entry = !read_q ? entry_i.data : number_q[0] ? read_hdr_i[63:0] : read_hdr_i[127:64];
  assign half  = read_q ? number_q[0] && !read_hdr_i[125] : entry_i.half;
  assign last  = read_q ? number_q[0] : entry_i.last;

  assign header_word = entry_q[{~place_q, 4'd0} +: 16];
  assign data_word   = entry_q[{place_q, 4'd0} +: 16];
  assign tx_valid_o  = held_q;
  assign tx_data_o   = header_q ? {header_word[7:0], header_word[15:8]} : data_word;
  assign entry_ends  = place_q == {!half_q, 1'b1};
  assign tx_last_o   = last_q && entry_ends;
  assign moves       = tx_valid_o && tx_ready_i;
  assign ends        = moves && tx_last_o;

  assign entry_ready_o = load && !read_q;

  always_ff @(posedge clk_i) begin
    if (load) begin
      entry_q  <= entry;
      half_q   <= half;
      last_q   <= last;
      header_q <= !number_q[1];
    end
  end

  always_comb begin
    consume_o = '0;
    unique case (state_q)
      Wait: begin
        if (read_may && !(read_last_q && posted_may)) consume_o = NonPosted;
        else if (posted_may)                          consume_o = kind_q;
      end
      Send: ;
      default: if (read_may && !entry_valid_i) consume_o = NonPosted;
    endcase
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Look: state_d = Ask;
      Ask:  state_d = Wait;
      Wait: if (!known_q) state_d = Look;
      Send: if (ends) state_d = Look;
    endcase
    if (state_q != Send && consume_o != '0) state_d = Send;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q         <= Look;
      read_q          <= 1'b0;
      read_last_q     <= 1'b0;
      request_first_q <= 1'b0;
      request_seen_q  <= 1'b0;
      read_done_o     <= 1'b0;
      met_q           <= 1'b0;
      known_q         <= 1'b0;
      kind_q          <= '0;
      need_o          <= '0;
      entered_q       <= '0;
      held_q          <= 1'b0;
      all_q           <= 1'b0;
      number_q        <= '0;
      place_q         <= '0;
      ask_l23_o       <= 1'b0;
    end else begin
      state_q         <= state_d;
      request_first_q <= read_request_i;
      request_seen_q  <= request_first_q;
      // Once seen: later ones may pass it.
      met_q           <= read_waits && (met_q || !behind);

      unique case (state_q)
        Look: begin
          known_q <= entry_valid_i;
          kind_q  <= completion ? Completion : Posted;
          need_o  <= has_data ? 9'((length + 11'd3) >> 2) : 9'd0;
        end
        Ask, Wait: ;
        Send: begin
          if (moves) begin
            place_q <= place_q + 2'd1;
            if (entry_ends) begin
              place_q <= '0;
              held_q  <= 1'b0;
            end
          end
          if (load) begin
            held_q <= 1'b1;
            all_q  <= last;
            if (!number_q[1]) number_q <= number_q + 2'd1;
          end
          // PME_TO_Ack: a message with this code
          if (load && number_q == 2'd0 && !read_q && entry_i.data[60:59] == 2'b10 &&
              entry_i.data[7:0] == 8'h1b) ask_l23_o <= 1'b1;
          if (ends) begin
            read_last_q <= read_q;
            if (read_q) begin
              read_done_o <= request_seen_q;
              met_q       <= 1'b0;
            end else begin
              entered_q <= entered_q + 5'd1;
            end
          end
        end
      endcase
      if (state_q != Send) begin
        read_q   <= consume_o[1];
        all_q    <= 1'b0;
        number_q <= '0;
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, unused_ahead};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(17)) word_stays (
    .clk_i, .rst_ni, .valid_i(tx_valid_o), .ready_i(tx_ready_i), .data_i({tx_last_o, tx_data_o})
  );
`endif
`endif

endmodule

`default_nettype wire
