// SPDX-License-Identifier: Apache-2.0
//
// The receive stream of rf_device from bytes: sixteen of the header, then the payload,
// in whole words, every word lowest byte first.

`default_nettype none

module rf_bytes_to_tlp (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,

  input  wire logic       valid_i,
  input  wire logic       last_i,      // of a TLP
  input  wire logic [7:0] data_i,
  output logic            ready_o,

  output logic [63:0]     rx_tlp_data_o,
  output logic [1:0]      rx_tlp_strb_o,
  output logic [127:0]    rx_tlp_hdr_o,
  output logic            rx_tlp_valid_o,
  output logic            rx_tlp_sop_o,
  output logic            rx_tlp_eop_o,
  input  wire logic       rx_tlp_ready_i,
  output logic            idle_o
);

  logic         header_q;  // the next byte is of the header
  logic [3:0]   index_q;   // byte of the header or of the beat
  logic         first_q;   // no beat of this TLP has left
  logic [127:0] words_q;   // of the header, word 0 lowest

  assign ready_o = !rx_tlp_valid_o;
  assign rx_tlp_sop_o = first_q;
  assign rx_tlp_hdr_o = {words_q[31:0], words_q[63:32], words_q[95:64], words_q[127:96]};
  assign idle_o = header_q && index_q == '0 && !rx_tlp_valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      header_q       <= 1'b1;
      index_q        <= '0;
      first_q        <= 1'b1;
      rx_tlp_valid_o <= 1'b0;
      rx_tlp_eop_o   <= 1'b0;
      rx_tlp_strb_o  <= '0;
    end else if (rx_tlp_valid_o) begin
      if (rx_tlp_ready_i) begin
        rx_tlp_valid_o <= 1'b0;
        first_q        <= rx_tlp_eop_o;
      end
    end else if (valid_i) begin
      index_q        <= index_q + 1'b1;
      rx_tlp_eop_o   <= last_i;
      rx_tlp_valid_o <= last_i || (!header_q && index_q == 4'd7);
      rx_tlp_strb_o  <= header_q ? 2'b00 : {index_q[2], 1'b1};
      if (last_i || (header_q ? index_q == 4'd15 : index_q == 4'd7)) index_q <= '0;
      if (index_q == 4'd15) header_q <= 1'b0;
      if (last_i) header_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      if (header_q) words_q <= {data_i, words_q[127:8]};
      else rx_tlp_data_o[{index_q[2:0], 3'd0} +: 8] <= data_i;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(64 + 2 + 128 + 2)) beat_stays (
    .clk_i, .rst_ni, .valid_i(rx_tlp_valid_o), .ready_i(rx_tlp_ready_i),
    .data_i({rx_tlp_data_o, rx_tlp_strb_o, rx_tlp_hdr_o, rx_tlp_sop_o, rx_tlp_eop_o})
  );
`endif
`endif

endmodule

`default_nettype wire
