// SPDX-License-Identifier: Apache-2.0
//
// The two transmit streams of rf_device as bytes: of each TLP the four header words and its
// payload, every word lowest byte first. TLPs keep the order of acceptance, which is enough for
// read requests too; the streams take turns.
//
// A beat is accepted in the cycle after its last byte, because ready is registered.

`default_nettype none

module rf_tlp_to_bytes (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [63:0]  tx_tlp_data_i,
  input  wire logic [1:0]   tx_tlp_strb_i,
  input  wire logic [127:0] tx_tlp_hdr_i,
  input  wire logic         tx_tlp_valid_i,
  input  wire logic         tx_tlp_eop_i,
  output logic              tx_tlp_ready_o,
  input  wire logic [127:0] tx_read_tlp_hdr_i,
  input  wire logic         tx_read_tlp_valid_i,
  output logic              tx_read_tlp_ready_o,

  output logic              valid_o,
  output logic              last_o,     // of a TLP
  output logic [7:0]        data_o,
  input  wire logic         ready_i,
  output logic              idle_o
);

  logic       busy_q;      // a TLP is under way, of the stream read_q
  logic       read_q;
  logic       header_q;    // its header is
  logic       over_q;      // the last byte of the beat has gone
  logic [3:0] index_q;     // byte of the header or of the beat

  logic [127:0] header;
  logic         beat_valid, header_end, beat_end;

  assign header = read_q ? tx_read_tlp_hdr_i : tx_tlp_hdr_i;
  assign beat_valid = read_q ? tx_read_tlp_valid_i : tx_tlp_valid_i;
  assign header_end = header_q && index_q == 4'd15;
  // A TLP without payload ends with its header.
  assign beat_end = header_q ? header_end && (read_q || tx_tlp_strb_i == '0)
                             : index_q[2:0] == {tx_tlp_strb_i[1], 2'd3};

  assign valid_o = busy_q && beat_valid && !over_q;
  assign last_o  = beat_end && (read_q || tx_tlp_eop_i);
  assign data_o  = header_q ? header[{~index_q[3:2], index_q[1:0], 3'd0} +: 8]
                            : tx_tlp_data_i[{index_q[2:0], 3'd0} +: 8];
  assign tx_tlp_ready_o      = over_q && !read_q;
  assign tx_read_tlp_ready_o = over_q && read_q;
  assign idle_o = !busy_q && !tx_tlp_valid_i && !tx_read_tlp_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      read_q   <= 1'b0;
      header_q <= 1'b1;
      index_q  <= '0;
      over_q   <= 1'b0;
    end else if (over_q) begin
      over_q   <= 1'b0;
    end else if (!busy_q) begin
      busy_q   <= tx_tlp_valid_i || tx_read_tlp_valid_i;
      read_q   <= tx_read_tlp_valid_i && (!read_q || !tx_tlp_valid_i);
      header_q <= 1'b1;
      index_q  <= '0;
    end else if (valid_o && ready_i) begin
      over_q  <= beat_end;
      index_q <= (header_end || beat_end) ? '0 : index_q + 1'b1;
      if (header_end) header_q <= 1'b0;
      if (last_o) busy_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(9)) byte_stays (
    .clk_i, .rst_ni, .valid_i(valid_o), .ready_i(ready_i), .data_i({last_o, data_o})
  );
`endif
`endif

endmodule

`default_nettype wire
