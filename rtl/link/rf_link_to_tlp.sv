// SPDX-License-Identifier: Apache-2.0
//
// Entries of the receive buffer to the receive stream of rf_device. A TLP that turned out void ends
// with rx_tlp_error_o, or is dropped if none of it was offered yet. freed_*: a TLP was delivered;
// its credits go back. What else is read of TLPs: PME_Turn_Off, and the function's number, to which
// the last configuration write was addressed.

`default_nettype none

module rf_link_to_tlp (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         entry_valid_i,
  input  wire rf_link_pkg::received_entry_t entry_i,
  output logic              entry_ready_o,

  output logic [63:0]       rx_tlp_data_o,
  output logic [1:0]        rx_tlp_strb_o,
  output logic [127:0]      rx_tlp_hdr_o,
  output logic              rx_tlp_error_o,
  output logic              rx_tlp_valid_o,
  output logic              rx_tlp_sop_o,
  output logic              rx_tlp_eop_o,
  input  wire logic         rx_tlp_ready_i,

  output logic [1:0]        freed_o,          // non-posted, posted
  output logic [8:0]        freed_data_o,
  output logic              turn_off_o,       // PME_Turn_Off, a pulse
  output logic [15:0]       function_id_o
);

  typedef enum logic [1:0] {
    First,     // entry of the header; or no TLP
    Second,    // entry of the header
    Alone,     // the beat of a TLP without payload
    Payload    // beats of payload, one for each entry
  } state_e;

  state_e     state_q, state_d;
  logic       begun_q, delivered;
  logic [1:0] strb_q;

  assign entry_ready_o  = state_q == First || state_q == Second ||
                          (state_q == Payload && rx_tlp_ready_i);
  assign rx_tlp_valid_o = state_q == Alone || (state_q == Payload && entry_valid_i);
  assign rx_tlp_data_o  = entry_i.data;
  assign rx_tlp_strb_o  = state_q == Alone ? strb_q : entry_i.last ? entry_i.strb : 2'b11;
  assign rx_tlp_sop_o   = !begun_q;
  assign rx_tlp_eop_o   = state_q == Alone || entry_i.last;
  assign rx_tlp_error_o = state_q == Payload && entry_i.last && entry_i.error;
  assign delivered      = rx_tlp_valid_o && rx_tlp_ready_i && rx_tlp_eop_o && !rx_tlp_error_o;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      First: if (entry_valid_i && !entry_i.last) state_d = Second;
      Second: if (entry_valid_i) begin
        if (!entry_i.last)      state_d = Payload;
        else if (entry_i.error) state_d = First;
        else                    state_d = Alone;
      end
      Alone:   if (rx_tlp_ready_i) state_d = First;
      default: if (entry_valid_i && rx_tlp_ready_i && entry_i.last) state_d = First;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= First;
      begun_q      <= 1'b0;
      strb_q       <= '0;
      rx_tlp_hdr_o <= '0;
    end else begin
      state_q <= state_d;
      unique case (state_q)
        First:  if (entry_valid_i) rx_tlp_hdr_o[127:64] <= entry_i.data;
        Second: if (entry_valid_i) begin
          rx_tlp_hdr_o[63:0] <= entry_i.data;
          strb_q             <= entry_i.strb;
          begun_q            <= 1'b0;
        end
        Alone:   ;
        default: if (entry_valid_i && rx_tlp_ready_i) begun_q <= !entry_i.last;
      endcase
    end
  end

  // --- what is read of TLPs ---------------------------------------------------------
  logic        has_data, completion, message, configuration, posted;
  logic [4:0]  kind;
  logic [10:0] length;

  assign has_data      = rx_tlp_hdr_o[126];
  assign kind          = rx_tlp_hdr_o[124:120];
  assign length        = {rx_tlp_hdr_o[105:96] == '0, rx_tlp_hdr_o[105:96]};
  assign completion    = kind[4:1] == 4'b0101;
  assign message       = kind[4:3] == 2'b10;
  assign configuration = kind == 5'b00100 && has_data;
  assign posted        = message || (kind == 5'b00000 && has_data);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      freed_o       <= '0;
      freed_data_o  <= '0;
      turn_off_o    <= 1'b0;
      function_id_o <= '0;
    end else begin
      freed_o      <= {!posted, posted} & {2{delivered && !completion}};
      freed_data_o <= has_data ? 9'((length + 11'd3) >> 2) : 9'd0;
      turn_off_o   <= delivered && message && rx_tlp_hdr_o[71:64] == 8'h19;
      if (delivered && configuration) function_id_o <= rx_tlp_hdr_o[63:48];
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken; of the data the words that strb marks, and none of a
  // TLP without payload: behind it the next entry is there or not.
  logic [63:0] marked;
  assign marked = state_q == Alone ? 64'd0 :
                  rx_tlp_data_o & {{32{rx_tlp_strb_o[1]}}, {32{rx_tlp_strb_o[0]}}};
  rf_offer_check #(.Width(64 + 2 + 128 + 3)) beat_stays (
    .clk_i, .rst_ni,
    .valid_i(rx_tlp_valid_o), .ready_i(rx_tlp_ready_i),
    .data_i({marked, rx_tlp_strb_o, rx_tlp_hdr_o, rx_tlp_error_o, rx_tlp_sop_o, rx_tlp_eop_o})
  );
`endif
`endif

endmodule

`default_nettype wire
