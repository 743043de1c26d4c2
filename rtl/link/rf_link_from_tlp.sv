// SPDX-License-Identifier: Apache-2.0
//
// The transmit streams of rf_device to the link's clock. Posted TLPs, and PME_TO_Ack when it is
// asked for, become entries (rf_link_pkg) of a FIFO. A read request stays offered: read_request_o
// changes, and with it stand the header and the number of posted TLPs that were accepted before; it
// is accepted when read_done_i has changed, too, by which it is in the replay ring.

`default_nettype none

module rf_link_from_tlp (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [63:0]  tx_tlp_data_i,
  input  wire logic [1:0]   tx_tlp_strb_i,
  input  wire logic [127:0] tx_tlp_hdr_i,
  input  wire logic         tx_tlp_valid_i,
  input  wire logic         tx_tlp_eop_i,
  output logic              tx_tlp_ready_o,
  input  wire logic         tx_read_tlp_valid_i,
  output logic              tx_read_tlp_ready_o,

  input  wire logic         turn_off_i,       // PME_Turn_Off was received
  input  wire logic [15:0]  function_id_i,

  output logic              entry_valid_o,
  output      rf_link_pkg::sent_entry_t entry_o,
  input  wire logic         entry_ready_i,

  output logic              read_request_o,
  output logic [4:0]        read_behind_o,    // posted TLPs, modulo 32
  input  wire logic         read_done_i       // of the link's clock
);

  typedef enum logic [2:0] {
    First,           // entry of the header; or no TLP
    Second,          // entry of the header
    Payload,         // entries of payload
    MessageFirst,    // entry of PME_TO_Ack
    MessageSecond    // its second entry
  } state_e;

  state_e     state_q, state_d;
  logic       message_q, ends, starts, acknowledges;
  logic [4:0] posted_q;

  assign ends           = entry_valid_o && entry_ready_i && entry_o.last;
  assign starts         = state_q == First && tx_tlp_valid_i;
  // Behind all that the device has to send
  assign acknowledges   = state_q == First && !starts && message_q;
  assign tx_tlp_ready_o = entry_ready_i &&
                          (state_q == Payload || (state_q == Second && tx_tlp_strb_i == 2'b00));

  always_comb begin
    entry_valid_o = tx_tlp_valid_i;
    entry_o.last  = 1'b0;
    entry_o.half  = 1'b0;
    entry_o.data  = tx_tlp_hdr_i[127:64];
    unique case (state_q)
      First: ;
      Second: begin
        entry_o.data = tx_tlp_hdr_i[63:0];
        entry_o.half = !tx_tlp_hdr_i[125];
        entry_o.last = tx_tlp_strb_i == 2'b00;
      end
      Payload: begin
        entry_o.data = tx_tlp_data_i;
        entry_o.half = !tx_tlp_strb_i[1];
        entry_o.last = tx_tlp_eop_i;
      end
      default: begin   // a message, routed to the root complex and gathered: PME_TO_Ack
        entry_valid_o = 1'b1;
        entry_o.data  = state_q == MessageFirst ? {32'h3500_0000, function_id_i, 16'h001b} : '0;
        entry_o.last  = state_q == MessageSecond;
      end
    endcase
  end

  always_comb begin
    state_d = state_q;
    if (entry_valid_o && entry_ready_i) begin
      unique case (state_q)
        First:        state_d = Second;
        Second:       state_d = entry_o.last ? First : Payload;
        Payload:      if (entry_o.last) state_d = First;
        MessageFirst: state_d = MessageSecond;
        default:      state_d = First;
      endcase
    end
    if (acknowledges) state_d = MessageFirst;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= First;
      message_q <= 1'b0;
      posted_q  <= '0;
    end else begin
      state_q   <= state_d;
      message_q <= turn_off_i || (message_q && !acknowledges);
      posted_q  <= posted_q + {4'd0, ends};
    end
  end

  // --- reads ------------------------------------------------------------------------
  logic done_first_q, done_seen_q, pending_q;

  assign tx_read_tlp_ready_o = pending_q && done_seen_q == read_request_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_request_o <= 1'b0;
      read_behind_o  <= '0;
      pending_q      <= 1'b0;
      done_first_q   <= 1'b0;
      done_seen_q    <= 1'b0;
    end else begin
      done_first_q <= read_done_i;
      done_seen_q  <= done_first_q;
      if (tx_read_tlp_ready_o) pending_q <= 1'b0;
      if (tx_read_tlp_valid_i && !pending_q) begin
        pending_q      <= 1'b1;
        read_request_o <= !read_request_o;
        read_behind_o  <= posted_q;
      end
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_link_pkg::SentEntryWidth)) entry_stays (
    .clk_i, .rst_ni, .valid_i(entry_valid_o), .ready_i(entry_ready_i), .data_i(entry_o)
  );
`endif
`endif

endmodule

`default_nettype wire
