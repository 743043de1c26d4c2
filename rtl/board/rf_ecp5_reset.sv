// SPDX-License-Identifier: Apache-2.0
//
// Takes the ECP5's SERDES out of reset, in the order of FPGA-PB-02001:
//
//   all > PLL locks > transmit PCS, tx_ready_o > signal > CDR > CDR locks > receive PCS, rx_ready_o
//
// and again from where something is lost. The receive PCS stays in reset while the recovered clock
// may be unstable: its FIFO would lose its place without any sign (FAQ 697). A CDR in reset reports
// no signal, so it is released to look for one. CheckErrors code errors in CheckCycles mean that
// the CDR has locked to something else: it is reset again. restart_i begins with everything.
// While hold_i is high it goes no further than the transmit PLL.
//
// The clock is not the SERDES' own, which runs when the PLL has locked. Inputs of the SERDES are
// of any clock, and count when they have been steady for eight cycles.

`default_nettype none

module rf_ecp5_reset #(
  parameter int unsigned PulseCycles = 4,       // of a reset: 64 ns at 62.5 MHz
  parameter int unsigned PllCycles = 2000,      // that the PLL has to be locked: 32 us
  parameter int unsigned CdrCycles = 31250,     // that the CDR has to be locked: 500 us
  parameter int unsigned CheckCycles = 512,     // 8.2 us
  parameter int unsigned CheckErrors = 32,
  parameter int unsigned LimitLog2 = 18         // the CDR's lock: 4.2 ms, then again
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,
  input  wire logic  restart_i,
  input  wire logic  hold_i,

  input  wire logic  pll_unlocked_i,    // PLOL
  input  wire logic  cdr_unlocked_i,    // RLOL
  input  wire logic  rx_silent_i,       // RLOS
  input  wire logic  code_error_i,      // a pulse of clk_i

  output logic       reset_all_o,
  output logic       reset_pll_o,
  output logic       reset_tx_pcs_o,
  output logic       reset_cdr_o,
  output logic       reset_rx_pcs_o,

  output logic       tx_ready_o,
  output logic       rx_ready_o,
  output logic [2:0] step_o,            // 0 all, 1 PLL, 2 signal, 3 CDR, 4 lock, 5 settle, 6 run
  output logic       pll_lost_o,        // pulses: began again
  output logic       cdr_lost_o
);

  if (PulseCycles < 1 || PulseCycles > 65535) begin : gen_bad_pulse_cycles
    $error("1 to 65535 cycles");
  end
  if (PllCycles < 1 || PllCycles > 65535) begin : gen_bad_pll_cycles
    $error("1 to 65535 cycles");
  end
  if (CdrCycles < 1 || CdrCycles > 65535) begin : gen_bad_cdr_cycles
    $error("1 to 65535 cycles");
  end
  if (CheckCycles < 1 || CheckCycles > 65535) begin : gen_bad_check_cycles
    $error("1 to 65535 cycles");
  end
  if (CheckErrors < 1 || CheckErrors > 63) begin : gen_bad_check_errors
    $error("1 to 63 errors");
  end
  if (LimitLog2 < 4 || LimitLog2 > 24) begin : gen_bad_limit_log2
    $error("2^4 to 2^24 cycles");
  end

  typedef enum logic [2:0] {
    All,       // everything is in reset
    Pll,       // until the PLL has been locked for PllCycles
    Signal,    // until there is a signal
    Cdr,       // the CDR is in reset
    Lock,      // until the CDR has been locked for CdrCycles
    Settle,    // the receive PCS is released, errors do not count yet
    Run        // rx_ready_o
  } state_e;

  state_e      state_q, state_d;
  logic        pll_unlocked, cdr_unlocked, rx_silent;
  logic [15:0] count_q;        // cycles of what is waited for
  logic [5:0]  errors_q;
  logic        counts, over, many_errors;
  logic [LimitLog2-1:0] limit_q;

  rf_link_electrical_idle u_pll (
    .clk_i(clk_i), .rst_ni(rst_ni), .idle_i(pll_unlocked_i), .idle_o(pll_unlocked)
  );
  rf_link_electrical_idle u_cdr (
    .clk_i(clk_i), .rst_ni(rst_ni), .idle_i(cdr_unlocked_i), .idle_o(cdr_unlocked)
  );
  rf_link_electrical_idle u_signal (
    .clk_i(clk_i), .rst_ni(rst_ni), .idle_i(rx_silent_i), .idle_o(rx_silent)
  );

  // How long what a state waits for has to last, and whether it is so
  always_comb begin
    counts = 1'b1;
    over   = count_q == 16'(PulseCycles - 1);
    unique case (state_q)
      Pll: begin
        counts = !pll_unlocked;
        over   = count_q == 16'(PllCycles - 1);
      end
      Lock: begin
        counts = !cdr_unlocked && !rx_silent;
        over   = count_q == 16'(CdrCycles - 1);
      end
      Settle, Run: over = count_q == 16'(CheckCycles - 1);
      default: ;
    endcase
  end

  assign many_errors = errors_q == 6'(CheckErrors);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      All:     if (over) state_d = Pll;
      Pll:     if (over && counts && !hold_i) state_d = Signal;
      Signal:  if (!rx_silent) state_d = Cdr;
      Cdr:     if (over) state_d = Lock;
      Lock: begin
        if (over && counts) state_d = Settle;
        else if (&limit_q) state_d = Signal;
      end
      Settle, Run: begin
        if (rx_silent || cdr_unlocked) state_d = Signal;
        else if (many_errors) state_d = Cdr;
        else if (over) state_d = Run;
      end
      default: state_d = All;
    endcase
    if (state_q != All && state_q != Pll && pll_unlocked) state_d = All;
    if (restart_i) state_d = All;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= All;
      count_q    <= '0;
      limit_q    <= '0;
      errors_q   <= '0;
      pll_lost_o <= 1'b0;
      cdr_lost_o <= 1'b0;
    end else begin
      state_q <= state_d;
      if (state_d != state_q || !counts || over) count_q <= '0;
      else count_q <= count_q + 16'd1;
      if (state_q != Lock) limit_q <= '0;
      else limit_q <= limit_q + 1'b1;
      if (state_q != Run || over) errors_q <= '0;
      else if (code_error_i && !many_errors) errors_q <= errors_q + 6'd1;
      pll_lost_o <= state_d == All && state_q != All;
      cdr_lost_o <= (state_q == Run || state_q == Lock) && (state_d == Signal || state_d == Cdr);
    end
  end

  // Registers: these signals go to asynchronous inputs of the SERDES.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reset_all_o    <= 1'b1;
      reset_pll_o    <= 1'b1;
      reset_tx_pcs_o <= 1'b1;
      reset_cdr_o    <= 1'b1;
      reset_rx_pcs_o <= 1'b1;
      tx_ready_o     <= 1'b0;
      rx_ready_o     <= 1'b0;
    end else begin
      reset_all_o    <= state_q == All;
      reset_pll_o    <= state_q == All;
      reset_tx_pcs_o <= state_q == All || state_q == Pll;
      reset_cdr_o    <= state_q == All || state_q == Pll || state_q == Cdr;
      reset_rx_pcs_o <= state_q != Settle && state_q != Run;
      tx_ready_o     <= state_q != All && state_q != Pll;
      rx_ready_o     <= state_q == Run;
    end
  end

  assign step_o = state_q;

endmodule

`default_nettype wire
