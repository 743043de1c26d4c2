// SPDX-License-Identifier: Apache-2.0
//
// Makes frames of a stream of bytes, as rf_frame_receive.sv finds them: 0x7e, the bytes, their
// CRC, 0x7e, with 0x7d before bytes that must be escaped.

`default_nettype none

module rf_frame_transmit (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,

  input  wire logic       valid_i,
  input  wire logic       last_i,
  input  wire logic [7:0] data_i,
  output logic            ready_o,

  output logic            valid_o,
  output logic [7:0]      data_o,
  input  wire logic       ready_i
);

  localparam logic [7:0] Flag = 8'h7e;
  localparam logic [7:0] Escape = 8'h7d;

  typedef enum logic [1:0] {
    Begin,     // the flag before a frame
    Content,   // the bytes of the stream
    Check,     // their CRC
    End        // the flag behind it
  } state_e;

  state_e      state_q, state_d;
  logic        escaped_q;
  logic [1:0]  check_q;       // byte of the CRC
  logic [31:0] crc_q, crc;
  logic [7:0]  data;
  logic        flag, special, taken;

  rf_crc32 #(.Bytes(1)) u_crc (.crc_i(crc_q), .data_i(data_i), .crc_o(crc));

  assign flag = state_q == Begin || state_q == End;
  assign data = state_q == Content ? data_i : ~crc_q[check_q*8 +: 8];
  assign special = (data == Flag || data == Escape) && !flag && !escaped_q;

  always_comb begin
    valid_o = state_q == Check || state_q == End || valid_i;
    data_o  = data;
    if (flag) data_o = Flag;
    else if (special) data_o = Escape;
    else if (escaped_q) data_o = data ^ 8'h20;
  end

  assign taken = valid_o && ready_i && !special;
  assign ready_o = state_q == Content && taken;

  always_comb begin
    state_d = state_q;
    if (taken) begin
      unique case (state_q)
        Begin:   state_d = Content;
        Content: if (last_i) state_d = Check;
        Check:   if (check_q == 2'd3) state_d = End;
        default: state_d = Begin;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Begin;
      escaped_q <= 1'b0;
      check_q   <= '0;
      crc_q     <= '1;
    end else begin
      state_q <= state_d;
      if (valid_o && ready_i) escaped_q <= special;
      if (taken) begin
        unique case (state_q)
          Begin: crc_q <= '1;
          Content: begin
            check_q <= '0;
            crc_q   <= crc;
          end
          Check: check_q <= check_q + 1'b1;
          default: ;
        endcase
      end
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(8)) byte_stays (
    .clk_i, .rst_ni, .valid_i(valid_o), .ready_i(ready_i), .data_i(data_o)
  );
`endif
`endif

endmodule

`default_nettype wire
