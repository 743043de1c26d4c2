// SPDX-License-Identifier: Apache-2.0
//
// A UART receiver: 8 bits, no parity, Divider cycles per bit. Samples each bit in its middle, so
// the sender's clock may differ by 2 %. A byte with a wrong stop bit is dropped. valid_o is high
// for one cycle and does not wait.

`default_nettype none

module rf_uart_receive #(
  parameter int unsigned Divider = 125
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,
  input  wire logic  rx_i,      // of any clock
  output logic       valid_o,
  output logic [7:0] data_o
);

  localparam int unsigned Width = $clog2(Divider);
  localparam logic [Width-1:0] Last = Width'(Divider - 1);
  localparam logic [Width-1:0] Middle = Width'(Divider / 2 - 1);

  if (Divider < 4 || Divider > 1048576) begin : gen_bad_divider
    $error("a bit has at least four cycles");
  end

  logic [1:0]       line_q;
  logic             busy_q;
  logic [Width-1:0] count_q;   // cycles until the next bit is looked at
  logic [3:0]       bit_q;     // 0 start, 1 to 8 data, 9 stop

  logic look;
  assign look = busy_q && count_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q  <= '1;
      busy_q  <= 1'b0;
      count_q <= '0;
      bit_q   <= '0;
      valid_o <= 1'b0;
      data_o  <= '0;
    end else begin
      line_q  <= {line_q[0], rx_i};
      valid_o <= 1'b0;
      if (!busy_q) begin
        busy_q  <= !line_q[1];
        count_q <= Middle;
        bit_q   <= '0;
      end else if (!look) begin
        count_q <= count_q - 1'b1;
      end else begin
        count_q <= Last;
        bit_q   <= bit_q + 1'b1;
        if (bit_q == 4'd0) begin
          busy_q <= !line_q[1];
        end else if (bit_q == 4'd9) begin
          busy_q  <= 1'b0;
          valid_o <= line_q[1];
        end else begin
          data_o <= {line_q[1], data_o[7:1]};
        end
      end
    end
  end

endmodule

`default_nettype wire
