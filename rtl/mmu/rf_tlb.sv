// SPDX-License-Identifier: Apache-2.0
//
// TLB: translations of 4 KiB pages (superpages page by page), two skewed ways of 2^SetsLog2 sets.
// Tags are in distributed RAM, pages in block RAM. With p the page number, the set is
//   way 0  p[S-1:0] ^ VMID       way 1  p[S-1:0] ^ p[2*S-1:S] ^ VMID
// One operation a cycle, requested in cycle t:
//   lookup  hit_o in t+1: the access is known to be allowed. A store to a page not known to be
//           writable is a miss.
//   fill    a translation, held by the walker until t+2. It replaces that of the same page, so a
//           page is never there twice (store_i is 0).
//   sweep   removes what is in one set of both ways if VMID and, unless whole_i, range match. The
//           set is that of the page given, in VMID 0.
// A sweep shows in t+1 what the set holds (swept_*, way w at [w]). page_o and local_o of a hit, a
// fill or sweep_way_i are valid in t+2. Operations from t+2 on see the change of an operation of
// t; in t+1 only a sweep of another set is allowed.

`default_nettype none

module rf_tlb #(
  parameter int unsigned SetsLog2 = 5
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [3:0]   vmid_i,
  input  wire logic [39:12] page_i,          // rf_bus_pkg::virtual_page
  input  wire logic         store_i,
  input  wire logic         fill_i,
  input  wire logic         sweep_i,
  input  wire logic         sweep_way_i,     // in t+1

  // The translation of a fill
  input  wire logic         fill_writable_i,
  input  wire logic         fill_local_i,
  input  wire logic [54:12] fill_page_i,

  // What a sweep forgets
  input  wire logic [15:0]  vmids_i,
  input  wire logic [38:12] first_i,
  input  wire logic [38:12] last_i,
  input  wire logic         whole_i,

  output logic [1:0]        swept_occupied_o,
  output logic [1:0]        swept_writable_o,
  output logic [2*31-1:0]   swept_tag_o,     // {vmid, page[38:12]}

  output logic              hit_o,
  output logic              local_o,
  output logic [54:12]      page_o
);

  if (SetsLog2 < 4 || SetsLog2 > 8) begin : gen_bad_sets_log2
    $error("a way of the TLB has 16 to 256 sets");
  end

  localparam int unsigned S = SetsLog2;
  localparam int unsigned Banks = 1 << (S - 4);
  localparam int unsigned TagWidth = 4 + 27 - S;

  // --- cycle t+1: compare ------------------------------------------------------------
  logic [3:0]          vmid_q;
  logic [39:12]        page_q;
  logic [2*S-1:0]      sets;          // in each way
  logic                store_q, fill_q, sweep_q;
  logic [TagWidth-1:0] tag;
  logic                canonical;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q  <= 1'b0;
      sweep_q <= 1'b0;
    end else begin
      fill_q  <= fill_i;
      sweep_q <= sweep_i;
    end
  end

  always_ff @(posedge clk_i) begin
    vmid_q  <= vmid_i;
    page_q  <= page_i;
    store_q <= store_i;
  end

  assign sets = {page_q[12+S +: S], {S{1'b0}}} ^ {2{page_q[12 +: S]}} ^ {2{{(S-4){1'b0}}, vmid_q}};

  assign tag       = {vmid_q, page_q[38:12+S]};
  assign canonical = page_q[39] == page_q[38];

  // --- the ways ------------------------------------------------------------------------
  logic [1:0]          occupied, match;
  logic [1:0]          write, fill_way_q;
  logic                fill2_q, sweep2_q;
  logic [2*S-1:0]      set2_q;
  logic [TagWidth-1:0] write_tag_q;
  logic [1:0]          is_local;
  logic [2*43-1:0]     data;          // page of each way; cycle t+2
  logic                victim_q;

  // The tags of 16 sets are a bank; every bank is compared before one is chosen.
  for (genvar w = 0; w < 2; w++) begin : gen_way
    logic [S-1:0]              set, set2;
    logic [Banks-1:0]          bank, bank_occupied, bank_match, bank_writable, bank_local;
    logic [Banks*TagWidth-1:0] bank_tag;
    logic [TagWidth-1:0]       way_tag;
    logic [3:0]                way_vmid;
    logic [38:12]              way_page;

    assign set  = sets[w*S +: S];
    assign set2 = set2_q[w*S +: S];

    for (genvar b = 0; b < Banks; b++) begin : gen_bank
      logic writable, in_local;

      rf_lutram #(
        .Width    (3 + TagWidth),
        .DepthLog2(4)
      ) u_tag (
        .clk_i,
        .write_i        (write[w] && set2 >> 4 == b),
        .write_address_i(set2[3:0]),
        .write_data_i   ({fill2_q, fill_writable_i, fill_local_i, write_tag_q}),
        .read_address_i (set[3:0]),
        .read_data_o    ({bank_occupied[b], writable, in_local,
                          bank_tag[b*TagWidth +: TagWidth]})
      );

      assign bank_writable[b] = writable;
      assign bank_local[b] = in_local;
      assign bank[b]       = set >> 4 == b;
      assign bank_match[b] = bank[b] && bank_occupied[b] && (writable || !store_q) &&
                             bank_tag[b*TagWidth +: TagWidth] == tag;
    end

    // Read in t+1. What is written in that cycle, by an operation of t-1, is of another set.
    rf_ram #(
      .Width    (43),
      .DepthLog2(S),
      .Lane     (43)
    ) u_data (
      .clk_i,
      .write_i        (write[w]),
      .write_address_i(set2),
      .write_data_i   (fill_page_i),
      .write_strobe_i (1'b1),
      .read_i         (1'b1),
      .read_address_i (set),
      .read_data_o    (data[w*43 +: 43])
    );

    always_comb begin
      way_tag = '0;
      for (int unsigned b = 0; b < Banks; b++) begin
        if (bank[b]) way_tag = way_tag | bank_tag[b*TagWidth +: TagWidth];
      end
    end

    assign way_vmid = way_tag[TagWidth-1 -: 4];
    assign way_page = {way_tag[26-S:0], set ^ {{(S-4){1'b0}}, way_vmid} ^
                                        ((w == 1) ? way_tag[S-1:0] : {S{1'b0}})};

    assign occupied[w] = (bank & bank_occupied) != '0;
    assign is_local[w] = (bank & bank_local) != '0;
    assign match[w]    = bank_match != '0;

    // Cycle t+2
    logic named_q, from_first_q, to_last_q;

    always_ff @(posedge clk_i) begin
      named_q      <= vmids_i[way_vmid];
      from_first_q <= way_page >= first_i;
      to_last_q    <= last_i >= way_page;
    end

    assign swept_occupied_o[w]      = occupied[w];
    assign swept_writable_o[w]      = (bank & bank_writable) != '0;
    assign swept_tag_o[w*31 +: 31]  = {way_vmid, way_page};

    assign write[w] = (fill2_q && fill_way_q[w]) ||
                      (sweep2_q && named_q && (whole_i || (from_first_q && to_last_q)));
  end

  assign hit_o = match != '0 && canonical;

  // --- cycle t+2: response; write -----------------------------------------------------------
  logic second, second_q;

  assign second = sweep_q ? sweep_way_i : match[1];
  assign page_o = fill2_q ? fill_page_i : second_q ? data[43 +: 43] : data[0 +: 43];

  always_ff @(posedge clk_i) begin
    second_q    <= second;
    local_o     <= fill_q ? fill_local_i : is_local[second];
    set2_q      <= sets;
    write_tag_q <= tag;
    fill_way_q  <= match != '0       ? match :
                   occupied == 2'b11 ? {victim_q, !victim_q} : {occupied[0], !occupied[0]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill2_q  <= 1'b0;
      sweep2_q <= 1'b0;
      victim_q <= 1'b0;
    end else begin
      fill2_q  <= fill_q;
      sweep2_q <= sweep_q;
      if (fill_q) victim_q <= !victim_q;
    end
  end

endmodule

`default_nettype wire
