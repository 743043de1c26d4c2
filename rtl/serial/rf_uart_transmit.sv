// SPDX-License-Identifier: Apache-2.0
//
// A UART's transmitter: 8 bits, no parity, one stop bit, Divider cycles a bit.

`default_nettype none

module rf_uart_transmit #(
  parameter int unsigned Divider = 125
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       valid_i,
  output logic            ready_o,
  input  wire logic [7:0] data_i,
  output logic            tx_o
);

  if (Divider < 4 || Divider > 1048576) begin : gen_bad_divider
    $error("a bit has at least four cycles");
  end

  localparam int unsigned Width = $clog2(Divider);
  localparam logic [Width-1:0] Last = Width'(Divider - 1);

  logic [Width-1:0] count_q;   // cycles left of this bit
  logic [3:0]       bits_q;    // bits left
  logic [8:0]       shift_q;

  assign ready_o = bits_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      bits_q  <= '0;
      shift_q <= '1;
      tx_o    <= 1'b1;
    end else if (ready_o) begin
      count_q <= Last;
      if (valid_i) begin
        bits_q  <= 4'd10;
        tx_o    <= 1'b0;
        shift_q <= {1'b1, data_i};
      end
    end else if (count_q != '0) begin
      count_q <= count_q - 1'b1;
    end else begin
      count_q <= Last;
      bits_q  <= bits_q - 1'b1;
      tx_o    <= shift_q[0];
      shift_q <= {1'b1, shift_q[8:1]};
    end
  end

endmodule

`default_nettype wire
