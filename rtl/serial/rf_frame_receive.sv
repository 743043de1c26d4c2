// SPDX-License-Identifier: Apache-2.0
//
// Finds frames in a stream of bytes: 0x7e begins and ends one, 0x7d b stands for the byte b ^ 0x20
// (the framing of RFC 1662). Passes on their bytes, including the four of the CRC, as they arrive;
// then end_o, with good_o if the CRC is right. After any garbage, the frame after the second 0x7e
// is found. Nothing waits; latency one cycle.

`default_nettype none

module rf_frame_receive (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       valid_i,
  input  wire logic [7:0] data_i,
  output logic            valid_o,
  output logic [7:0]      data_o,
  output logic            end_o,
  output logic            good_o
);

  localparam logic [7:0] Flag = 8'h7e;
  localparam logic [7:0] Escape = 8'h7d;
  localparam logic [31:0] Residue = 32'hdebb20e3;

  logic        escaped_q, empty_q;
  logic [31:0] crc_q, crc;
  logic [7:0]  data;

  assign data = escaped_q ? data_i ^ 8'h20 : data_i;

  rf_crc32 #(.Bytes(1)) u_crc (.crc_i(crc_q), .data_i(data), .crc_o(crc));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      escaped_q <= 1'b0;
      empty_q   <= 1'b1;
      crc_q     <= '1;
      valid_o   <= 1'b0;
      data_o    <= '0;
      end_o     <= 1'b0;
      good_o    <= 1'b0;
    end else begin
      valid_o <= 1'b0;
      end_o   <= 1'b0;
      good_o  <= 1'b0;
      if (valid_i && data_i == Flag) begin
        end_o     <= !empty_q;
        good_o    <= !empty_q && !escaped_q && crc_q == Residue;
        escaped_q <= 1'b0;
        empty_q   <= 1'b1;
        crc_q     <= '1;
      end else if (valid_i) begin
        empty_q   <= 1'b0;
        escaped_q <= data_i == Escape && !escaped_q;
        if (data_i != Escape || escaped_q) begin
          valid_o <= 1'b1;
          data_o  <= data;
          crc_q   <= crc;
        end
      end
    end
  end

endmodule

`default_nettype wire
