// SPDX-License-Identifier: Apache-2.0
//
// Pulses from one clock to another, of any rates. All that came since the last ones went over go
// together, and pulses on the same bit merge meanwhile. A pulse is lost in reset alone; both sides
// are reset together, and their resets end with their clocks.
// Latency: two to three cycles of each clock.

`default_nettype none

module rf_pulse_cross #(
  parameter int unsigned Width = 1
) (
  input  wire logic             from_clk_i,
  input  wire logic             from_rst_ni,
  input  wire logic [Width-1:0] pulses_i,

  input  wire logic             to_clk_i,
  input  wire logic             to_rst_ni,
  output logic [Width-1:0]      pulses_o
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("1 to 4096 pulses");
  end

  // sent_q stays while ask_q and what comes back of it differ.
  logic [Width-1:0] waiting_q, sent_q;
  logic             ask_q, answered_first_q, answered_q, go;
  logic             asked_first_q, asked_q, answer_q;

  assign go = waiting_q != '0 && ask_q == answered_q;

  always_ff @(posedge from_clk_i or negedge from_rst_ni) begin
    if (!from_rst_ni) begin
      waiting_q        <= '0;
      sent_q           <= '0;
      ask_q            <= 1'b0;
      answered_first_q <= 1'b0;
      answered_q       <= 1'b0;
    end else begin
      waiting_q        <= (go ? '0 : waiting_q) | pulses_i;
      if (go) sent_q   <= waiting_q;
      ask_q            <= ask_q ^ go;
      answered_first_q <= answer_q;
      answered_q       <= answered_first_q;
    end
  end

  always_ff @(posedge to_clk_i or negedge to_rst_ni) begin
    if (!to_rst_ni) begin
      asked_first_q <= 1'b0;
      asked_q       <= 1'b0;
      answer_q      <= 1'b0;
      pulses_o      <= '0;
    end else begin
      asked_first_q <= ask_q;
      asked_q       <= asked_first_q;
      answer_q      <= asked_q;
      pulses_o      <= sent_q & {Width{asked_q != answer_q}};
    end
  end

endmodule

`default_nettype wire
