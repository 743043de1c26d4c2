// SPDX-License-Identifier: Apache-2.0
//
// Finds ordered sets in received words, before descrambling (PCI Express Base Specification 4.2.5,
// 4.2.8): COM may be at either place of a word. TS1 and TS2 are told with their fields and with the
// number of equal ones in a row, 8 at most; anything between two but a SKP set ends the row, as
// does clear_i. An EIOS is two of three IDLs. SKPs were dropped before: a SKP set is a COM with
// skips_i at the symbol behind. Latency three cycles, of a training set four.

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

  // Where the next symbol stands, one-hot: in a training set, bit 0 outside of any; in what may
  // be an EIOS; and the IDLs of that.
  logic [15:0]                training_q;
  logic [3:2]                 idle_q;
  logic [1:0]                 idles_q;
  logic                       valid_q;     // symbols of a word are here
  rf_link_pkg::training_set_t set_q;
  logic                       complete_q, broken_q;

  for (genvar i = 0; i < 2; i++) begin : gen_symbol
    // --- what it can be ---------------------------------------------------------------------
    logic [7:0] value, value_q, previous;
    logic       bad, k, skipped, data, straight, swapped;
    logic       k_q, com_q, idl_q, skipped_q, ts2_q, inverted_q;
    // It goes on with a training set: as link or lane, as another field, as the first identifier,
    // as one that repeats it.
    logic       number_q, field_q, identifier_q, repeats_q;

    assign value    = word_i.data[8*i +: 8];
    assign previous = i == 0 ? gen_symbol[1].value_q : word_i.data[7:0];
    assign bad      = word_i.bad[i];
    assign k        = word_i.k[i] && !bad;
    assign skipped  = skips_i[3*i +: 3] != '0;
    assign data     = !bad && !k && !skipped;
    assign straight = value == rf_link_pkg::Ts1 || value == rf_link_pkg::Ts2;
    assign swapped  = ~value == rf_link_pkg::Ts1 || ~value == rf_link_pkg::Ts2;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        value_q      <= '0;
        k_q          <= 1'b0;
        com_q        <= 1'b0;
        idl_q        <= 1'b0;
        skipped_q    <= 1'b0;
        number_q     <= 1'b0;
        field_q      <= 1'b0;
        identifier_q <= 1'b0;
        repeats_q    <= 1'b0;
        ts2_q        <= 1'b0;
        inverted_q   <= 1'b0;
      end else if (valid_i) begin
        value_q      <= value;
        k_q          <= k;
        com_q        <= k && value == rf_link_pkg::Com;
        idl_q        <= k && value == rf_link_pkg::Idl;
        skipped_q    <= skipped;
        number_q     <= data || (k && !skipped && value == rf_link_pkg::Pad);
        field_q      <= data;
        identifier_q <= data && (straight || swapped);
        repeats_q    <= data && value == previous;
        ts2_q        <= value == rf_link_pkg::Ts2 || ~value == rf_link_pkg::Ts2;
        inverted_q   <= swapped;
      end
    end

    // --- where it stands, and the one behind it -------------------------------------------------
    logic [15:0] training, training_next;
    logic [15:1] goes_on;
    logic [3:2]  idle, idle_next;
    logic [1:0]  idles, idles_next;
    logic        stops, wrong, complete, eios, skp;

    if (i == 0) begin : gen_low
      assign training = training_q;
      assign idle     = idle_q;
      assign idles    = idles_q;
    end else begin : gen_high
      assign training = gen_symbol[0].training_next;
      assign idle     = gen_symbol[0].idle_next;
      assign idles    = gen_symbol[0].idles_next;
    end

    assign stops    = com_q || skipped_q;
    assign goes_on  = training[15:1] & {{9{repeats_q}}, identifier_q, {3{field_q}}, {2{number_q}}};
    assign complete = goes_on[15];
    assign skp      = training[1] && skipped_q;

    // Two of three IDLs behind a COM; the first one is no field.
    assign idle_next  = {idle[2] && !stops, training[1] && !number_q && !stops};
    assign idles_next = (training[1] ? 2'd0 : idles) + {1'b0, idl_q};
    assign eios       = idle[3] && !stops && (idles[1] || (idles[0] && idl_q));

    assign training_next = {goes_on[14:1], com_q,
                            !com_q && goes_on[14:1] == '0 && idle_next == '0};

    // In a row, a COM stands behind a whole set or a SKP set. In the word that ends a set, only a
    // symbol behind it can be wrong.
    assign wrong = com_q ? !training[0] && !skp : goes_on == '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q    <= 1'b0;
      training_q <= 16'd1;
      idle_q     <= '0;
      idles_q    <= '0;
      complete_q <= 1'b0;
      broken_q   <= 1'b0;
      eios_o     <= 1'b0;
      skp_o      <= 1'b0;
    end else begin
      valid_q    <= valid_i;
      complete_q <= valid_q && (gen_symbol[0].complete || gen_symbol[1].complete);
      broken_q   <= valid_q && (gen_symbol[0].wrong || gen_symbol[1].wrong);
      eios_o     <= valid_q && (gen_symbol[0].eios || gen_symbol[1].eios);
      skp_o      <= valid_q && (gen_symbol[0].skp || gen_symbol[1].skp);
      if (valid_q) begin
        training_q <= gen_symbol[1].training_next;
        idle_q     <= gen_symbol[1].idle_next;
        idles_q    <= gen_symbol[1].idles_next;
      end
    end
  end

  // --- the fields -------------------------------------------------------------------------------
  logic [6:1] low_here, high_here, here;   // the symbol of this field
  assign low_here  = gen_symbol[0].training[6:1];
  assign high_here = gen_symbol[1].training[6:1];
  assign here      = (low_here | high_here) & {6{valid_q}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q <= '0;
    end else begin
      if (here[1]) {set_q.link_pad, set_q.link} <=
          high_here[1] ? {gen_symbol[1].k_q, gen_symbol[1].value_q}
                       : {gen_symbol[0].k_q, gen_symbol[0].value_q};
      if (here[2]) {set_q.lane_pad, set_q.lane} <=
          high_here[2] ? {gen_symbol[1].k_q, gen_symbol[1].value_q}
                       : {gen_symbol[0].k_q, gen_symbol[0].value_q};
      if (here[3]) set_q.fts     <= high_here[3] ? gen_symbol[1].value_q : gen_symbol[0].value_q;
      if (here[4]) set_q.rate    <= high_here[4] ? gen_symbol[1].value_q : gen_symbol[0].value_q;
      if (here[5]) set_q.control <= high_here[5] ? gen_symbol[1].value_q : gen_symbol[0].value_q;
      if (here[6]) {set_q.ts2, set_q.inverted} <=
          high_here[6] ? {gen_symbol[1].ts2_q, gen_symbol[1].inverted_q}
                       : {gen_symbol[0].ts2_q, gen_symbol[0].inverted_q};
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
