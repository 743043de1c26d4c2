// SPDX-License-Identifier: Apache-2.0
//
// Received TLPs from words of two bytes to entries of the receive buffer (rf_link_pkg): the header
// in two, then two DWs of payload each, passed on as they come. A digest (ECRC) is taken off, and
// TD cleared. The last entry waits for the end of the TLP, which says whether it is taken.
//
// rx_refuse_o: an entry did not fit. There is always room for the entry that ends a TLP as void.
// The buffer has room for all requests that have credits; completions have infinite ones, and are
// refused if the device does not take them as fast as the link brings them.

`default_nettype none

module rf_link_pack (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        rx_valid_i,
  input  wire logic [15:0] rx_data_i,
  input  wire logic        rx_end_i,
  input  wire logic        rx_take_i,
  output logic             rx_refuse_o,

  output logic             valid_o,
  output      rf_link_pkg::received_entry_t entry_o,
  input  wire logic        room_i       // for two entries
);

  typedef enum logic [1:0] {
    First,     // entry of the header
    Second,    // entry of the header
    Payload,   // entries of payload
    Behind     // the last DW: a digest, if anything
  } state_e;

  state_e      state_q, state_d;
  logic [1:0]  place_q;      // the next word's in the entry
  logic [63:0] entry_q, entry;
  logic        four_dw_q, has_data_q, digest_q;
  logic [10:0] left_q;       // DWs of payload
  logic [1:0]  behind_q, behind;  // words behind the last DW, 3 at most
  logic        whole_q, whole, two_q, two;
  logic        written_q, dropped_q, passes, dw_ends;
  logic [15:0] swapped;
  logic [10:0] length;

  // Bytes of a header come from the most significant one on.
  assign swapped = {rx_data_i[7:0], rx_data_i[15:8]};
  assign length  = {swapped[9:0] == '0, swapped[9:0]};
  assign dw_ends = rx_valid_i && place_q[0];

  always_comb begin
    entry  = entry_q;
    whole  = whole_q;
    two    = two_q;
    behind = behind_q;
    passes = 1'b0;       // the entry is full, and not the last one
    if (rx_valid_i) begin
      unique case (state_q)
        First: begin
          unique case (place_q)
            2'd0: entry[63:48] = swapped;
            2'd1: entry[47:32] = {1'b0, swapped[14:0]};
            2'd2: entry[31:16] = swapped;
            default: entry[15:0] = swapped;
          endcase
          passes = place_q == 2'd3;
        end
        Second: begin
          unique case (place_q)
            2'd0: entry = {swapped, 48'd0};
            2'd1: entry[47:32] = swapped;
            2'd2: entry[31:16] = swapped;
            default: entry[15:0] = swapped;
          endcase
          whole  = place_q == {four_dw_q, 1'b1};
          passes = whole && has_data_q;
          if (has_data_q) whole = 1'b0;
        end
        Payload: begin
          unique case (place_q)
            2'd0: entry[15:0] = rx_data_i;
            2'd1: entry[31:16] = rx_data_i;
            2'd2: entry[47:32] = rx_data_i;
            default: entry[63:48] = rx_data_i;
          endcase
          two    = place_q[1];
          whole  = place_q[0] && left_q == 11'd1;
          passes = place_q == 2'd3 && left_q != 11'd1;
        end
        default: behind = behind_q + {1'b0, behind_q != 2'd3};
      endcase
    end
  end

  // --- the end ----------------------------------------------------------------------
  logic right;   // the length is the header's

  assign right       = whole && behind == (digest_q ? 2'd2 : 2'd0);
  assign rx_refuse_o = dropped_q || !room_i;

  always_comb begin
    entry_o.data  = entry;
    entry_o.last  = rx_end_i;
    entry_o.error = !rx_take_i;
    entry_o.strb  = !right ? 2'b10 : !has_data_q ? 2'b00 : {two, 1'b1};
    if (rx_end_i) valid_o = rx_take_i || written_q;
    else          valid_o = passes && room_i;
  end

  always_comb begin
    state_d = state_q;
    if (rx_valid_i) begin
      if (whole) state_d = Behind;
      if (passes) state_d = state_q == First ? Second : Payload;
    end
    if (rx_end_i) state_d = First;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= First;
      place_q    <= '0;
      entry_q    <= '0;
      four_dw_q  <= 1'b0;
      has_data_q <= 1'b0;
      digest_q   <= 1'b0;
      left_q     <= '0;
      behind_q   <= '0;
      whole_q    <= 1'b0;
      two_q      <= 1'b0;
      written_q  <= 1'b0;
      dropped_q  <= 1'b0;
    end else begin
      state_q  <= state_d;
      entry_q  <= entry;
      whole_q  <= whole;
      two_q    <= two;
      behind_q <= behind;
      if (rx_valid_i) begin
        place_q <= place_q + 2'd1;
        if (state_q == First && place_q == 2'd0) begin
          four_dw_q  <= swapped[13];
          has_data_q <= swapped[14];
        end
        if (state_q == First && place_q == 2'd1) begin
          digest_q <= swapped[15];
          left_q   <= length;
        end
        if (state_q == Payload && dw_ends) left_q <= left_q - 11'd1;
        if (passes) begin
          place_q   <= '0;
          written_q <= written_q || valid_o;
          dropped_q <= dropped_q || !valid_o;
        end
      end
      if (rx_end_i) begin
        place_q   <= '0;
        whole_q   <= 1'b0;
        behind_q  <= '0;
        written_q <= 1'b0;
        dropped_q <= 1'b0;
      end
    end
  end

endmodule

`default_nettype wire
