// SPDX-License-Identifier: Apache-2.0
//
// The state of the data link layer and its DLLPs (PCI Express Base Specification 3.2, 3.4, 3.5):
// DL_Inactive until link_up_i; InitFC1 until credits of all classes are known; InitFC2 until the
// other side is known to have ours; then DL_Active. InitFCs go in rounds of three classes, and of
// InitFC2 four rounds at least: a partner that needs one has it, whatever is lost.
//
// In DL_Active, in this order: Nak and Ack as rf_link_ack has them; UpdateFC of a class when a TLP
// of it left its buffer, and every UpdateInterval (30 us at most); PM_Enter_L1 or PM_Enter_L23,
// again and again, while it is asked for; nothing while quiet_i. dllp_o is what is newest when
// dllp_ready_i takes it. Received DLLPs come out one cycle later, by kind; other types and channels
// are dropped.

`default_nettype none

module rf_link_dllp #(
  parameter int unsigned UpdateInterval = 7000  // symbol times
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        link_up_i,
  output logic             up_o,                // DL_Up: TLPs may come, from FC_INIT2 on
  output logic             active_o,

  // received
  input  wire logic        dllp_valid_i,
  input  wire logic [31:0] dllp_i,              // the first byte in bits 7:0
  input  wire logic        tlp_i,               // a good TLP was received
  output logic             acknak_valid_o,
  output logic             acknak_nak_o,
  output logic [11:0]      acknak_sequence_o,
  output logic             credit_init_o,       // InitFC1 or InitFC2
  output logic             credit_update_o,
  output logic [1:0]       credit_class_o,
  output logic [7:0]       credit_headers_o,
  output logic [11:0]      credit_data_o,
  output logic             power_granted_o,     // PM_Request_Ack

  // sent
  input  wire logic        known_i,             // credits of all classes
  output logic [1:0]       value_class_o,
  input  wire logic [7:0]  value_headers_i,
  input  wire logic [11:0] value_data_i,
  input  wire logic [1:0]  freed_i,             // posted, non-posted
  input  wire logic        ack_valid_i,
  output logic             ack_ready_o,
  input  wire logic        ack_nak_i,
  input  wire logic [11:0] ack_sequence_i,
  input  wire logic        enter_l1_i,
  input  wire logic        enter_l23_i,
  input  wire logic        quiet_i,
  output logic             dllp_valid_o,
  input  wire logic        dllp_ready_i,
  output logic [31:0]      dllp_o
);

  if (UpdateInterval < 2 || UpdateInterval > 7500) begin : gen_bad_update_interval
    $error("2 to 7500 symbol times");
  end

  localparam logic [11:0] LastCycle = 12'(UpdateInterval / 2 - 1);
  localparam logic [1:0]  LastRound = 2'd3;

  typedef enum logic [1:0] {
    Inactive,    // no link
    Init1,       // FC_INIT1: InitFC1s are sent, credits are awaited
    Init2,       // FC_INIT2: InitFC2s are sent, a confirmation is awaited
    Active       // DL_Active
  } state_e;

  state_e state_q, state_d;

  // --- received -------------------------------------------------------------------------
  logic [7:0] kind;
  logic       is_acknak, is_credit, is_init;

  assign kind      = dllp_i[7:0];
  assign is_acknak = kind == 8'h00 || kind == 8'h10;
  assign is_credit = kind[7:6] != 2'b00 && kind[5:4] != 2'b11 && kind[3:0] == 4'd0;
  assign is_init   = kind[6];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      acknak_valid_o    <= 1'b0;
      acknak_nak_o      <= 1'b0;
      acknak_sequence_o <= '0;
      credit_init_o     <= 1'b0;
      credit_update_o   <= 1'b0;
      credit_class_o    <= '0;
      credit_headers_o  <= '0;
      credit_data_o     <= '0;
      power_granted_o   <= 1'b0;
    end else begin
      acknak_valid_o    <= dllp_valid_i && is_acknak && state_q == Active;
      acknak_nak_o      <= kind[4];
      acknak_sequence_o <= {dllp_i[19:16], dllp_i[31:24]};
      credit_init_o     <= dllp_valid_i && is_credit && is_init && state_q != Inactive;
      credit_update_o   <= dllp_valid_i && is_credit && !is_init && state_q != Inactive;
      credit_class_o    <= kind[5:4];
      credit_headers_o  <= {dllp_i[13:8], dllp_i[23:22]};
      credit_data_o     <= {dllp_i[19:16], dllp_i[31:24]};
      power_granted_o   <= dllp_valid_i && kind == 8'h24 && state_q == Active;
    end
  end

  logic unused;
  assign unused = &{1'b0, dllp_i[15:14], dllp_i[21:20]};

  // --- state ----------------------------------------------------------------------------
  logic       confirmed_q;         // flag FI2: the other side has our credits
  logic [1:0] class_q, round_q;
  logic       initialises, sent, round_ends, known;

  assign initialises = state_q == Init1 || state_q == Init2;
  assign sent        = dllp_valid_o && dllp_ready_i;
  assign round_ends  = initialises && sent && class_q == 2'd2;
  assign known       = state_q == Init1 && round_ends && known_i;
  assign up_o        = state_q == Init2 || state_q == Active;
  assign active_o    = state_q == Active;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Inactive: state_d = Init1;
      Init1:    if (known) state_d = Init2;
      Init2:    if (round_ends && round_q == LastRound && confirmed_q) state_d = Active;
      default: ;
    endcase
    if (!link_up_i) state_d = Inactive;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= Inactive;
      confirmed_q <= 1'b0;
      class_q     <= '0;
      round_q     <= '0;
    end else begin
      state_q <= state_d;
      if (initialises && sent) class_q <= round_ends ? 2'd0 : class_q + 2'd1;
      if (round_ends && round_q != LastRound) round_q <= round_q + 2'd1;
      if (tlp_i || (dllp_valid_i && is_credit && kind[7])) confirmed_q <= 1'b1;
      if (state_q == Init1) confirmed_q <= 1'b0;
      if (known) round_q <= '0;
      if (!link_up_i) class_q <= '0;
    end
  end

  // --- sent -----------------------------------------------------------------------------
  logic [1:0]  update_q;           // classes
  logic [11:0] timer_q;
  logic        tick, updates;
  logic [31:0] credit_dllp, acknak_dllp;
  logic [1:0]  credit_kind;

  assign tick    = timer_q == LastCycle;
  assign updates = active_o && !ack_valid_i && update_q != 2'b00;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      update_q <= '0;
      timer_q  <= '0;
    end else begin
      timer_q <= tick || !active_o ? '0 : timer_q + 12'd1;
      for (int unsigned i = 0; i < 2; i++) begin
        if (updates && sent && value_class_o == 2'(i)) update_q[i] <= 1'b0;
        if (freed_i[i] || tick) update_q[i] <= 1'b1;
      end
      if (!up_o) update_q <= '0;
    end
  end

  assign value_class_o = initialises ? class_q : {1'b0, !update_q[0]};
  assign credit_kind   = state_q == Init1 ? 2'b01 : state_q == Init2 ? 2'b11 : 2'b10;
  assign credit_dllp   = {value_data_i[7:0],
                          value_headers_i[1:0], 2'b00, value_data_i[11:8],
                          2'b00, value_headers_i[7:2],
                          credit_kind, value_class_o, 4'd0};
  assign acknak_dllp   = {ack_sequence_i[7:0], 4'd0, ack_sequence_i[11:8], 8'd0,
                          3'd0, ack_nak_i, 4'd0};
  assign ack_ready_o   = active_o && !quiet_i && dllp_ready_i;

  always_comb begin
    dllp_valid_o = 1'b0;
    dllp_o       = credit_dllp;
    if (initialises) begin
      dllp_valid_o = 1'b1;
    end else if (active_o && !quiet_i) begin
      dllp_valid_o = ack_valid_i || update_q != 2'b00 || enter_l1_i || enter_l23_i;
      if (ack_valid_i) dllp_o = acknak_dllp;
      else if (update_q == 2'b00) dllp_o = {24'd0, enter_l23_i ? 8'h21 : 8'h20};
    end
  end

endmodule

`default_nettype wire
