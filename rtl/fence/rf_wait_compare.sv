// SPDX-License-Identifier: Apache-2.0
//
// Comparators of the wait unit, in three cycles. 1: a snooped write is compared with memory and
// low address bits of all inserted entries at once. 2: one entry per cycle is looked up, the
// lowest that matched, or response_slot_i if none did. 3: its value and the rest of its address are
// compared with the write, or its value with the data of the response. Entries still queued for
// lookup when the next snoop matches any entry are reported in overtaken_o, and read CurrentValue
// instead. inspect_i uses the lookup for a register read of the value of inspect_slot_i;
// response_slot_i has it while compares_o and inspect_i are low.
// snoop_reread_i: the word has a new value, which is not known here; reread_o tells of each
// inserted entry of this word.
// Promises: hit_o only for an inserted entry and a write of its word that reaches its value.
// Latency: snoop to hit_o 2 cycles, one more for each lower matching entry; response to
// reaches_o 1; inspect_slot_i to value_o 1.

`default_nettype none

module rf_wait_compare (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  // Writes of a place: its value, later its physical address.
  input  wire logic        value_valid_i,
  input  wire logic [3:0]  value_slot_i,
  input  wire logic [63:0] value_i,
  input  wire logic        address_valid_i,
  input  wire logic [3:0]  address_slot_i,
  input  wire logic [15:0] address_onehot_i,  // the same
  input  wire logic        address_local_i,
  input  wire logic [54:3] address_i,

  input  wire logic [15:0] inserted_i,      // places that the snoop sees
  input  wire logic [15:0] falls_i,         // ... and will not in the next cycle; nor will it
  input  wire logic        released_i,      // slot_o

  input  wire logic        snoop_valid_i,
  input  wire logic        snoop_reread_i,
  input  wire logic        snoop_local_i,
  input  wire logic [54:3] snoop_address_i,
  input  wire logic [63:0] snoop_data_i,
  output logic             compares_o,      // a place that matched is looked up
  output logic [15:0]      overtaken_o,     // these are not compared any more

  input  wire logic [3:0]  response_slot_i,
  input  wire logic [63:0] response_data_i,

  input  wire logic        inspect_i,
  input  wire logic [3:0]  inspect_slot_i,

  output logic [3:0]       slot_o,          // it was looked up a cycle ago: also one-hot,
  output logic [15:0]      slot_onehot_o,   // its value, and
  output logic [63:0]      value_o,
  output logic             reaches_o,
  output logic             hit_o,           // a snoop releases it
  output logic             reread_o,        // it has to read its CurrentValue again
  output logic             idle_o
);

  // Highest address bit that is compared at once; the bits above it are compared in turn.
  localparam int unsigned Tag = 10;

  logic [15:0]     match, match_q;              // of the snoop, of that of a cycle ago
  logic            match_reread_q, reread_q;
  logic [54:Tag+1] match_page_q;
  logic [63:0]     match_data_q;
  logic            any_match_q;                 // match_q has one
  logic [15:0]     left, left_q;                // of the last that matched: not yet looked up
  logic [15:0]     candidates, chosen;
  logic [3:0]      index;                       // the same as chosen, 0 if there is none
  logic [3:0]      place;                       // it is looked up
  logic [54:Tag+1] page;
  logic            compares_q;                  // slot_o matched, and is compared with the
  logic [54:Tag+1] snoop_page_q, page_q;        // snoop,
  logic            seen_q;                      // which saw it when it was looked up
  logic            same_place_q, released_q;    // it was slot_o then; which was released
  logic            sees;                        // the snoop sees it still
  logic [63:0]     value, data_q;               // data_q: of the snoop while any place is left

  for (genvar s = 0; s < 16; s++) begin : gen_place
    logic [Tag:3] address_q;
    logic         local_q;

    always_ff @(posedge clk_i) begin
      if (address_valid_i && address_onehot_i[s]) begin
        address_q <= address_i[Tag:3];
        local_q   <= address_local_i;
      end
    end

    assign match[s] = snoop_valid_i && inserted_i[s] && snoop_local_i == local_q &&
                      snoop_address_i[Tag:3] == address_q;
  end

  // inserted_i falls with a release, a cancel and an invalidation: what matched before then is
  // not looked up any more, or compared in vain. A new translation takes longer than that.
  assign candidates  = any_match_q ? match_q : left_q;
  assign left        = candidates & inserted_i & (inspect_i ? '1 : ~chosen);
  assign overtaken_o = any_match_q ? left_q & inserted_i : '0;
  assign compares_o  = any_match_q || left_q != '0;
  assign idle_o      = !compares_o;

  rf_lowest #(.Ports(16)) u_lowest (
    .request_i(candidates), .grant_o(chosen), .index_o(index));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      match_q     <= '0;
      any_match_q <= 1'b0;
      left_q      <= '0;
      compares_q  <= 1'b0;
    end else begin
      match_q     <= match;
      any_match_q <= match != '0;
      left_q      <= left;
      compares_q  <= compares_o && !inspect_i;
    end
  end
  always_ff @(posedge clk_i) begin
    match_reread_q <= snoop_reread_i;
    match_page_q  <= snoop_address_i[54:Tag+1];
    match_data_q  <= snoop_data_i;
    seen_q        <= (chosen & inserted_i & ~falls_i) != '0;
    same_place_q  <= place == slot_o;
    released_q    <= released_i;
    slot_o        <= place;
    slot_onehot_o <= 16'd1 << place;
    value_o       <= value;
    page_q        <= page;
    if (any_match_q) {reread_q, snoop_page_q} <= {match_reread_q, match_page_q};
    if (any_match_q || !compares_o) data_q <= any_match_q ? match_data_q : response_data_i;
  end

  // index is known late.
  assign place = (inspect_i ? inspect_slot_i : compares_o ? '0 : response_slot_i) |
                 (inspect_i ? '0 : index);

  rf_lutram #(.Width(64), .DepthLog2(4)) u_value (
    .clk_i, .write_i(value_valid_i), .write_address_i(value_slot_i), .write_data_i(value_i),
    .read_address_i(place), .read_data_o(value));
  rf_lutram #(.Width(54 - Tag), .DepthLog2(4)) u_page (
    .clk_i, .write_i(address_valid_i), .write_address_i(address_slot_i),
    .write_data_i(address_i[54:Tag+1]), .read_address_i(place), .read_data_o(page));

  logic same_word;
  assign sees      = seen_q && !(same_place_q && released_q);
  assign same_word = compares_q && sees && snoop_page_q == page_q;
  assign reaches_o = data_q >= value_o;
  assign hit_o     = same_word && !reread_q && reaches_o;
  assign reread_o  = same_word && reread_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
`ifdef FORMAL
    if (rst_ni) any_is_of_match: assert (any_match_q == (match_q != '0));
    if (rst_ni && compares_q) onehot_is_the_slot: assert (slot_onehot_o == 16'd1 << slot_o);
`else
    // Proved of any one place.
    if (rst_ni && compares_q) sees_it_as_it_is: assert (sees == inserted_i[slot_o]);
`endif
  end
`endif

endmodule

`default_nettype wire
