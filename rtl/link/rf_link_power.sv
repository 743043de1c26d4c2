// SPDX-License-Identifier: Apache-2.0
//
// Link power management of the endpoint (PCI Express Base Specification 5.3.2): to L1 while
// ask_l1_i (the function is in D3hot), to L2/L3 Ready while ask_l23_i (PME_TO_Ack was sent). No TLP
// enters any more; once all are acknowledged and credits for the largest TLP of each class are
// there, PM_Enter_L1 or PM_Enter_L23 is sent until PM_Request_Ack; then no DLLP either, and when
// no packet is under way, the LTSSM enters. Recovery before that ends the attempt.
//
// L1 is asked for when no TLP came or waited for IdleCycles: so the completion of the write that
// set D3hot goes first, and so does all that the other side wakes the link for. A TLP that waits in
// L1 wakes it. ASPM is not offered: there is no PM_Active_State_Request_L1.

`default_nettype none

module rf_link_power (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic active_i,                // DL_Active
  input  wire rf_link_pkg::ltssm_state_e state_i,
  input  wire logic ask_l1_i,
  input  wire logic ask_l23_i,

  input  wire logic tx_waits_i,              // a TLP waits to enter
  input  wire logic rx_end_i,                // a TLP was received
  input  wire logic tx_idle_i,               // all that entered is acknowledged
  input  wire logic admits_i,                // the largest TLP of each class, while hold_o
  output logic      hold_o,                  // no TLP enters

  output logic      enter_l1_o,              // DLLPs
  output logic      enter_l23_o,
  output logic      quiet_o,
  input  wire logic granted_i,
  input  wire logic packet_i,                // a packet is under way

  output logic      ltssm_l1_o,
  output logic      ltssm_l2_o,
  output logic      wake_o
);

  localparam logic [10:0] IdleCycles = 11'd1250;   // 10 us

  typedef enum logic [2:0] {
    Run,     // TLPs enter
    Drain,   // none enters; those that did are to be acknowledged
    Ask,     // PM_Enter_L1 or PM_Enter_L23 is sent until it is granted
    Enter,   // the packet under way ends, then the LTSSM enters
    Low      // L1 or L2, from their entry on
  } state_e;

  state_e      state_q, state_d;
  logic        l23_q, in_l0, low;
  logic [10:0] idle_q;

  assign in_l0 = active_i && state_i == rf_link_pkg::L0;
  assign low   = state_i == rf_link_pkg::L1Entry || state_i == rf_link_pkg::L1Idle ||
                 state_i == rf_link_pkg::L2Entry || state_i == rf_link_pkg::L2Idle;

  assign hold_o      = state_q != Run;
  assign enter_l1_o  = state_q == Ask && !l23_q;
  assign enter_l23_o = state_q == Ask && l23_q;
  assign quiet_o     = state_q == Enter || state_q == Low;
  assign ltssm_l1_o  = state_q == Enter && !packet_i && !l23_q;
  assign ltssm_l2_o  = state_q == Enter && !packet_i && l23_q;
  assign wake_o      = state_q == Low && state_i == rf_link_pkg::L1Idle && tx_waits_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Run:   if (ask_l23_i || (ask_l1_i && idle_q == IdleCycles)) state_d = Drain;
      Drain: if (tx_idle_i && admits_i) state_d = Ask;
      Ask:   if (granted_i) state_d = Enter;
      Enter: if (low) state_d = Low;
      default: ;
    endcase
    if (state_q == Low ? !low : !in_l0 && !(state_q == Enter && low)) state_d = Run;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Run;
      l23_q   <= 1'b0;
      idle_q  <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == Run) l23_q <= ask_l23_i;
      if (tx_waits_i || rx_end_i || !tx_idle_i || !in_l0) idle_q <= '0;
      else if (idle_q != IdleCycles) idle_q <= idle_q + 11'd1;
    end
  end

endmodule

`default_nettype wire
