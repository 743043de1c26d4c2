// SPDX-License-Identifier: Apache-2.0
//
// Finds ordered sets in received words, before descrambling (PCI Express Base Specification 4.2.5,
// 4.2.8): COM may be at either place of a word. TS1 and TS2 are told with their fields and with the
// number of equal ones in a row, 8 at most; anything between two but a SKP set ends the row, as
// does clear_i. An EIOS is two of three IDLs. SKPs were dropped before: a SKP set is a COM with
// skips_i at the symbol behind. Latency two cycles, of a training set three.

`default_nettype none

module rf_link_ordered_receive (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  valid_i,
  input  wire rf_link_pkg::word_t         word_i,
  input  wire logic [5:0]            skips_i,    // SKPs before each symbol
  input  wire logic                  clear_i,

  output logic                       set_valid_o,
  output rf_link_pkg::training_set_t set_o,
  output logic [3:0]                 row_o,      // with set_valid_o: 1..8
  output logic                       eios_o,
  output logic                       skp_o
);

  // What a set is, as far as it is known
  localparam logic Training = 1'b0;  // until the identifier says TS1 or TS2
  localparam logic Idle = 1'b1;      // or something that may still become an EIOS

  logic [3:0]                 position_q, position;  // the next symbol's, 0: outside
  logic                       kind_q, kind;
  logic [1:0]                 idles_q, idles;
  logic [7:0]                 id_q, id;
  rf_link_pkg::training_set_t set_q, set;
  logic                       complete, eios, skp, broken;
  logic                       complete_q, broken_q;

  logic       bad, k, skipped, is_idl, is_pad, wrong;
  logic [7:0] value;

  always_comb begin
    position = position_q;
    kind     = kind_q;
    idles    = idles_q;
    id       = id_q;
    set      = set_q;
    complete = 1'b0;
    eios     = 1'b0;
    skp      = 1'b0;
    broken   = 1'b0;
    bad = 1'b0;
    k = 1'b0;
    skipped = 1'b0;
    value = '0;
    is_idl = 1'b0;
    is_pad = 1'b0;
    wrong = 1'b0;
    for (int unsigned i = 0; i < 2; i++) begin
      bad     = word_i.bad[i];
      k       = word_i.k[i] && !bad;
      value   = i == 0 ? word_i.data[7:0] : word_i.data[15:8];
      skipped = i == 0 ? skips_i[2:0] != '0 : skips_i[5:3] != '0;
      is_idl  = k && value == rf_link_pkg::Idl;
      is_pad  = k && value == rf_link_pkg::Pad;
      wrong   = 1'b0;  // the symbol is in no set
      if (position == 4'd1 && skipped) skp = 1'b1;
      if (k && value == rf_link_pkg::Com) begin
        // In a row, a COM stands behind a whole set or a SKP set.
        wrong    = position != 4'd0 && !(position == 4'd1 && skipped);
        position = 4'd1;
        kind     = Training;
        idles    = 2'd0;
      end else if (position == 4'd0 || skipped) begin
        wrong    = 1'b1;
        position = 4'd0;
      end else if (kind == Idle || (position == 4'd1 && (is_idl || (k && !is_pad) || bad))) begin
        wrong    = 1'b1;
        kind     = Idle;
        idles    = idles + {1'b0, is_idl};
        eios     = eios || (position == 4'd3 && idles >= 2'd2);
        position = position == 4'd3 ? 4'd0 : position + 4'd1;
      end else begin
        unique case (position)
          4'd1: {set.link_pad, set.link} = {k, value};
          4'd2: {set.lane_pad, set.lane} = {k, value};
          4'd3: set.fts = value;
          4'd4: set.rate = value;
          4'd5: set.control = value;
          default: ;
        endcase
        if (position == 4'd6) id = value;
        wrong = bad || (k && (!is_pad || position > 4'd2)) || (position > 4'd6 && value != id) ||
                (position == 4'd6 && value != rf_link_pkg::Ts1 && value != rf_link_pkg::Ts2 &&
                 ~value != rf_link_pkg::Ts1 && ~value != rf_link_pkg::Ts2);
        set.ts2      = id == rf_link_pkg::Ts2 || ~id == rf_link_pkg::Ts2;
        set.inverted = ~id == rf_link_pkg::Ts1 || ~id == rf_link_pkg::Ts2;
        complete     = complete || (position == 4'd15 && !wrong);
        position     = wrong || position == 4'd15 ? 4'd0 : position + 4'd1;
      end
      // In the word that ends a set, only a symbol behind it can be wrong.
      broken = broken || wrong;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      position_q <= '0;
      kind_q     <= Training;
      idles_q    <= '0;
      id_q       <= '0;
      set_q      <= '0;
      complete_q <= 1'b0;
      broken_q   <= 1'b0;
      eios_o     <= 1'b0;
      skp_o      <= 1'b0;
    end else begin
      complete_q <= valid_i && complete;
      eios_o     <= valid_i && eios;
      skp_o      <= valid_i && skp;
      broken_q   <= valid_i && broken;
      if (valid_i) begin
        position_q <= position;
        kind_q     <= kind;
        idles_q    <= idles;
        id_q       <= id;
        set_q      <= set;
      end
    end
  end

  // --- the row --------------------------------------------------------------------
  logic       row_valid_q;  // set_o and row_o are the row's
  logic [3:0] row;

  always_comb begin
    row = 4'd1;
    if (row_valid_q && set_q == set_o) row = row_o + {3'd0, !row_o[3]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_valid_q <= 1'b0;
      set_valid_o <= 1'b0;
      set_o       <= '0;
      row_o       <= '0;
    end else begin
      set_valid_o <= complete_q;
      if (complete_q) begin
        set_o <= set_q;
        row_o <= row;
      end
      if (broken_q || complete_q || clear_i) row_valid_q <= complete_q && !broken_q && !clear_i;
    end
  end

endmodule

`default_nettype wire
