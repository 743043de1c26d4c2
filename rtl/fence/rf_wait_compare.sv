// SPDX-License-Identifier: Apache-2.0
//
// Comparators of the wait unit: physical address and value of each place, against snooped
// writes and against the data of reads. A snoop is matched with the low address bits of all
// inserted places at once; those that match are compared in full from the next cycle on, one a
// cycle, the lowest first. Those that are left when the next snoop matches any place are
// reported in overtaken_o, to read CurrentValue instead. A cycle without such a comparison
// compares the data of a read (compares_o low: reaches_o is of answer_slot_i).
// inspect_i takes the cycle for a register read: value_o is the value of inspect_slot_i.
// Promises: hit_o only of an inserted place, for a write of its word that reaches its value.
// Latency: snoop to hit_o 1 cycle, one more for each lower place that matches; reads none.

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

  input  wire logic        snoop_valid_i,
  input  wire logic        snoop_local_i,
  input  wire logic [54:3] snoop_address_i,
  input  wire logic [63:0] snoop_data_i,
  output logic             compares_o,      // a place that matched is compared
  output logic             hit_o,           // it is released
  output logic [3:0]       hit_slot_o,
  output logic [15:0]      overtaken_o,     // these are not compared any more

  input  wire logic [3:0]  answer_slot_i,
  input  wire logic [63:0] answer_data_i,
  output logic             reaches_o,

  input  wire logic        inspect_i,
  input  wire logic [3:0]  inspect_slot_i,
  output logic [63:0]      value_o,
  output logic             idle_o
);

  // Highest address bit that is compared at once; the bits above it are compared in turn.
  localparam int unsigned Tag = 10;

  logic [15:0]     match, match_d, match_q;     // still to be compared,
  logic [15:0]     chosen_d, chosen_q;          // the lowest of them, one-hot
  logic [3:0]      index_d, index_q;            // the same
  logic [15:0]     left;
  logic            any_match;                   // the snoop, any place
  logic            compares_q;                  // match_q has one
  logic [54:Tag+1] snoop_page_q, page;
  logic [63:0]     snoop_data_q, data;

  for (genvar s = 0; s < 16; s++) begin : gen_place
    logic [Tag:3] address_q;
    logic         local_q;

    always_ff @(posedge clk_i) begin
      if (address_valid_i && address_onehot_i[s]) begin
        address_q <= address_i[Tag:3];
        local_q   <= address_local_i;
      end
    end

    assign match[s] = inserted_i[s] && snoop_local_i == local_q &&
                      snoop_address_i[Tag:3] == address_q;
  end

  // inserted_i falls with a release, a cancel and an invalidation: what matched before then is
  // not compared any more, or in vain.
  assign any_match   = snoop_valid_i && match != '0;
  assign left        = match_q & inserted_i & (inspect_i ? '1 : ~chosen_q);
  assign match_d     = any_match ? match : left;
  assign overtaken_o = any_match ? left : '0;
  assign compares_o  = compares_q;
  assign idle_o      = !compares_q;

  rf_lowest #(.Ports(16)) u_lowest (
    .request_i(match_d), .grant_o(chosen_d), .index_o(index_d));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      match_q    <= '0;
      compares_q <= 1'b0;
    end else begin
      match_q    <= match_d;
      compares_q <= match_d != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    chosen_q <= chosen_d;
    index_q  <= index_d;
  end
  always_ff @(posedge clk_i) begin
    if (any_match) begin
      snoop_page_q <= snoop_address_i[54:Tag+1];
      snoop_data_q <= snoop_data_i;
    end
  end

  rf_lutram #(.Width(64), .DepthLog2(4)) u_value (
    .clk_i, .write_i(value_valid_i), .write_address_i(value_slot_i), .write_data_i(value_i),
    .read_address_i(inspect_i ? inspect_slot_i : compares_q ? index_q : answer_slot_i),
    .read_data_o(value_o));
  rf_lutram #(.Width(54 - Tag), .DepthLog2(4)) u_page (
    .clk_i, .write_i(address_valid_i), .write_address_i(address_slot_i),
    .write_data_i(address_i[54:Tag+1]), .read_address_i(index_q), .read_data_o(page));

  assign data       = compares_q ? snoop_data_q : answer_data_i;
  assign reaches_o  = data >= value_o;
  assign hit_o      = compares_q && (inserted_i & chosen_q) != '0 && !inspect_i &&
                      snoop_page_q == page && reaches_o;
  assign hit_slot_o = index_q;

endmodule

`default_nettype wire
