// SPDX-License-Identifier: Apache-2.0
//
// Receiver detection with the ECP5's SERDES, as TN1261 has it: the transmitter is in electrical
// idle for 120 ns; enable_o, for 120 ns; strobe_o for four byte clocks, two cycles; the cell's done
// falls and rises, and says then whether there is a receiver. done_o and present_o stay for as
// long as detect_i does. A cell whose done does not come within LimitCycles of a change
// has found nothing: failed_o is high for a cycle. present_i, of any clock: detection is
// left out, there is a receiver.

`default_nettype none

module rf_ecp5_detect #(
  parameter int unsigned IdleCycles = 32,     // and what is still in the transmitter
  parameter int unsigned EnableCycles = 16,
  parameter int unsigned LimitCycles = 4095   // 33 us of 125 MHz; the cell takes 8 us
) (
  input  wire logic clk_i,                    // the transmitter's, 125 MHz
  input  wire logic rst_ni,
  input  wire logic present_i,

  input  wire logic detect_i,
  input  wire logic tx_idle_i,
  output logic      done_o,
  output logic      present_o,
  output logic      failed_o,

  output logic      enable_o,
  output logic      strobe_o,
  input  wire logic cell_done_i,              // of any clock
  input  wire logic cell_present_i
);

  localparam int unsigned StrobeCycles = 2;

  if (IdleCycles < 15 || IdleCycles > 4095) begin : gen_bad_idle_cycles
    $error("120 ns are 15 cycles");
  end
  if (EnableCycles < 15 || EnableCycles > 4095) begin : gen_bad_enable_cycles
    $error("120 ns are 15 cycles");
  end
  if (LimitCycles < 8 || LimitCycles > 4095) begin : gen_bad_limit_cycles
    $error("8 to 4095 cycles");
  end

  typedef enum logic [2:0] {
    Wait,      // for detect_i
    Idle,      // the transmitter is in electrical idle
    Enable,    // enable_o is high from here on
    Strobe,    // strobe_o is high
    Fall,      // until the cell's done is low
    Rise,      // until it is high again
    Done       // done_o; the result stands
  } state_e;

  state_e      state_q, state_d;
  logic [11:0] count_q;
  logic [11:0] last_but_one; // of a state's cycles, from 0
  logic        over_q;       // the last one is over or runs
  logic        failed, again;
  logic        done_first_q, done_q, found_first_q, found_q, present_first_q, present_q;

  always_comb begin
    unique case (state_q)
      Idle:    last_but_one = 12'(IdleCycles - 2);
      Enable:  last_but_one = 12'(EnableCycles - 2);
      Strobe:  last_but_one = 12'(StrobeCycles - 2);
      default: last_but_one = 12'(LimitCycles - 2);
    endcase
    state_d = state_q;
    failed  = 1'b0;
    unique case (state_q)
      Wait:   state_d = present_q ? Done : Idle;
      Idle:   if (over_q && tx_idle_i) state_d = Enable;
      Enable: if (over_q) state_d = Strobe;
      Strobe: if (over_q) state_d = Fall;
      Fall: begin
        if (!done_q) state_d = Rise;
        failed = over_q && done_q;
      end
      Rise: begin
        if (done_q) state_d = Done;
        failed = over_q && !done_q;
      end
      default: ;
    endcase
    if (failed) state_d = Done;
    if (!detect_i) state_d = Wait;
    again = state_d != state_q || (state_q == Idle && !tx_idle_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Wait;
      count_q   <= '0;
      over_q    <= 1'b0;
      present_o <= 1'b0;
      failed_o  <= 1'b0;
      enable_o  <= 1'b0;
      strobe_o  <= 1'b0;
    end else begin
      state_q <= state_d;
      over_q  <= !again && (over_q || count_q == last_but_one);
      count_q <= again ? '0 : count_q + 12'd1;
      if (state_q == Wait) present_o <= present_q;
      else if (state_q == Rise) present_o <= done_q && found_q;
      failed_o <= failed && detect_i;
      enable_o <= state_d == Enable || state_d == Strobe || state_d == Fall || state_d == Rise;
      strobe_o <= state_d == Strobe;
    end
  end

  assign done_o = state_q == Done;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {done_q, done_first_q}       <= '0;
      {found_q, found_first_q}     <= '0;
      {present_q, present_first_q} <= '0;
    end else begin
      {done_q, done_first_q}       <= {done_first_q, cell_done_i};
      {found_q, found_first_q}     <= {found_first_q, cell_present_i};
      {present_q, present_first_q} <= {present_first_q, present_i};
    end
  end

endmodule

`default_nettype wire
