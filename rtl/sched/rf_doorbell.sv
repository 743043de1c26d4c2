// SPDX-License-Identifier: Apache-2.0
//
// Doorbells: eight dedicated pages, each bound to a queue, and one global page whose rings name
// their queue by a token. A ring becomes an offer to rf_slots, a pending bit and one record, or a
// count.
//
// Promises: a ring is never refused and never lost, also in back-to-back cycles. Each passes two
// stages here and one in rf_slots, so rings keep their order. Stage 1 decodes page and binding;
// stage 2 names the slot to rf_slots, and compares the token. A ring by a token stands here a cycle
// before its valid, in which the token memory is read. A resampled write pointer uses the same
// stages, in a cycle without a ring or a register write. POINTERS takes effect two cycles after its
// write. A ring in the cycle of a BIND write uses the old binding, and its bit survives the write.
// A token names a slot that is enabled in the cycle before the offer. A token without slot sets its
// bit in the cycle of the offer; it survives a GLOBAL_PENDING write of that cycle.
// Latency: two cycles from ring to offer.

`default_nettype none

module rf_doorbell #(
  parameter int unsigned Slots = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         doorbell_valid_i,
  input  wire logic [3:0]   doorbell_page_i,
  input  wire logic [63:0]  doorbell_data_i,
  input  wire logic         doorbell_good_i,

  input  wire logic [15:0]  enabled_i,        // slots that tokens may name
  input  wire logic         config_write_i,   // CONFIG of this slot is written
  input  wire logic [3:0]   config_slot_i,
  input  wire logic [15:0]  config_token_i,

  input  wire logic         resample_valid_i, // write-pointer record of a slot
  output logic              resample_ready_o,
  input  wire logic [3:0]   resample_slot_i,
  input  wire logic [63:0]  resample_data_i,

  output logic [3:0]        ring_next_slot_o, // of the offer of the next cycle, if there is one
  output logic              ring_valid_o,
  output logic [3:0]        ring_slot_o,
  output logic [47:0]       ring_write_pointer_o,
  input  wire logic         ring_moved_i,     // what became of the offer, same cycle; none of
                                              // these: it was stale
  input  wire logic         ring_repeated_i,
  input  wire logic         ring_range_i,

  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output      rf_bus_pkg::record_t record_o,

  input  wire rf_bus_pkg::register_request_t register_i,  // of the host
  input  wire logic         slot_write_i,     // host or context writes a slot register
  output logic [63:0]       register_data_o,
  output logic              idle_o
);

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  localparam int unsigned Dedicated = rf_pkg::GlobalPage;
  localparam logic [3:0] GlobalPage = 4'(Dedicated);
  localparam logic [63:0] Models =
      (64'(Dedicated) << rf_pkg::DoorbellModelsDedicatedLsb) |
      (64'd1 << rf_pkg::DoorbellModelsGlobalLsb) |
      (64'(rf_pkg::DoorbellBase) << rf_pkg::DoorbellModelsBaseLsb);

  logic [Dedicated-1:0]   bound_q, resident_q, pending_q, pending_d;
  logic [4*Dedicated-1:0] slots_q;
  logic                   global_pending_q, global_pending_d, global_lost_q, global_lost_d;
  logic [15:0]            kept_token_q;
  logic [Dedicated:0]     due_q, due_d; // record to send; the last for the global page

  // --- register writes -----------------------------------------------------------
  logic [16:0] address;
  logic        write, bind_hit, bind_write, global_write;
  logic [2:0]  bind_index;
  assign address      = {register_i.address, 3'b000};
  assign write        = register_i.valid && register_i.write;
  assign bind_hit     = address[16:6] == rf_pkg::RegDoorbellBind[16:6];
  assign bind_index   = address[5:3];
  assign bind_write   = write && bind_hit && register_i.strobe[0];
  assign global_write = write && address == rf_pkg::RegDoorbellGlobalPending &&
                        register_i.strobe[0];

  // --- stage 1: the queue of the ring ---------------------------------------------------
  logic [2:0]  page;
  logic        dedicated, global_ring, malformed;
  logic [15:0] token;
  logic        hit, pend_dedicated, by_token; // the global page rings, for a token
  logic [Dedicated-1:0] pend_page, clear_page;

  assign page        = doorbell_page_i[2:0];
  assign dedicated   = doorbell_page_i < GlobalPage;
  assign global_ring = doorbell_page_i == GlobalPage;
  assign token       = doorbell_data_i[63:48];
  assign malformed   = !doorbell_good_i || (!global_ring && token != '0);

  assign hit            = dedicated && bound_q[page] && resident_q[page];
  assign by_token       = global_ring && token != '0;
  assign pend_dedicated = pend_page != '0;
  assign pend_page      = doorbell_valid_i && !malformed && dedicated
                          ? bound_q & ~resident_q & (8'd1 << page) : '0;
  assign clear_page     = bind_write && !register_i.data[rf_pkg::DoorbellBindPendingLsb]
                          ? 8'd1 << bind_index : '0;

  assign resample_ready_o = !doorbell_valid_i && !write && !slot_write_i;

  logic        resample, resample_malformed, range_q, unmapped_q, offered_q, global_q;
  logic [3:0]  slot_q, token_slot;
  logic [47:0] pointer_q;
  assign resample           = resample_valid_i && resample_ready_o;
  assign resample_malformed = resample_data_i[63:rf_pkg::WritePointerBits] != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offered_q  <= 1'b0;
      range_q    <= 1'b0;
      unmapped_q <= 1'b0;
      global_q   <= 1'b0;
    end else begin
      offered_q  <= doorbell_valid_i ? !malformed && hit : resample && !resample_malformed;
      range_q    <= doorbell_valid_i ? malformed : resample && resample_malformed;
      global_q   <= doorbell_valid_i && !malformed && by_token;
      unmapped_q <= doorbell_valid_i && !malformed && !hit && !pend_dedicated && !by_token;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q    <= !doorbell_valid_i ? resample_slot_i : global_ring ? token_slot
                                                      : slots_q[{page, 2'b00} +: 4];
    pointer_q <= doorbell_valid_i ? doorbell_data_i[47:0] : resample_data_i[47:0];
  end

  // --- stage 2: whether a token is that of its slot -------------------------------------
  logic [15:0] rung_token;
  logic        named, by_page_q, by_token_q, range_offer_q, unmapped_offer_q;
  logic        pend_global;
  rf_doorbell_token #(.Slots(Slots)) u_token (
    .clk_i, .config_write_i, .config_slot_i, .config_token_i, .enabled_i,
    .token_i(token), .slot_o(token_slot), .token_o(rung_token), .named_o(named)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      by_page_q        <= 1'b0;
      by_token_q       <= 1'b0;
      range_offer_q    <= 1'b0;
      unmapped_offer_q <= 1'b0;
    end else begin
      by_page_q        <= offered_q;
      by_token_q       <= global_q;
      range_offer_q    <= range_q;
      unmapped_offer_q <= unmapped_q;
    end
  end

  assign ring_next_slot_o = slot_q;

  always_ff @(posedge clk_i) begin
    ring_slot_o          <= ring_next_slot_o;
    ring_write_pointer_o <= pointer_q;
  end

  assign ring_valid_o = by_page_q || (by_token_q && named);
  assign pend_global  = by_token_q && !named;

  // --- pending bits and their records ---------------------------------------------
  // A ring comes last: what it sets survives a write in the cycle in which it is decided.
  logic               record_load, clear_global, clear_lost, global_kept;
  logic [3:0]         record_index;
  logic [Dedicated:0] record_here, pend, kept;
  assign record_load  = due_q != '0 && !record_valid_o && !register_i.valid;
  assign clear_global = global_write &&
                        register_i.data[rf_pkg::DoorbellGlobalPendingPendingLsb];
  assign clear_lost   = global_write && register_i.data[rf_pkg::DoorbellGlobalPendingLostLsb];
  assign global_kept  = global_pending_q && !clear_global;
  assign pend         = {pend_global, pend_page};
  assign kept         = {global_kept, pending_q & ~clear_page};

  always_comb begin
    record_index = '0;
    record_here  = '0;
    for (int unsigned i = Dedicated + 1; i > 0; i--) begin
      if (due_q[i-1]) begin
        record_index     = 4'(i - 1);
        record_here      = '0;
        record_here[i-1] = 1'b1;
      end
    end
  end

  assign {global_pending_d, pending_d} = kept | pend;
  assign due_d = (due_q & ~(record_load ? record_here : '0) & ~{clear_global, clear_page}) |
                 (pend & ~kept);
  assign global_lost_d = (global_lost_q && !clear_lost) ||
                         (pend_global && global_kept && kept_token_q != rung_token);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q        <= '0;
      global_pending_q <= 1'b0;
      global_lost_q    <= 1'b0;
      kept_token_q     <= '0;
      due_q            <= '0;
      record_valid_o   <= 1'b0;
    end else begin
      pending_q        <= pending_d;
      global_pending_q <= global_pending_d;
      global_lost_q    <= global_lost_d;
      due_q            <= due_d;
      record_valid_o   <= record_load || (record_valid_o && !record_ready_i);
      if (pend_global && !global_kept) kept_token_q <= rung_token;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bound_q    <= '0;
      resident_q <= '0;
      slots_q    <= '0;
    end else if (bind_write) begin // by bits, which have enables of their own
      for (int unsigned i = 0; i < Dedicated; i++) begin
        if (bind_index == i[2:0]) begin
          bound_q[i]        <= register_i.data[rf_pkg::DoorbellBindBoundLsb];
          resident_q[i]     <= register_i.data[rf_pkg::DoorbellBindResidentLsb];
          slots_q[i*4 +: 4] <= register_i.data[rf_pkg::DoorbellBindSlotLsb +: 4] & 4'(Slots - 1);
        end
      end
    end
  end

  // Kernel queue handles; records read them between the accesses to registers.
  logic [31:0] handle;
  rf_lutram #(.Width(32), .DepthLog2(3)) u_handles (
    .clk_i, .write_i(write && bind_hit && register_i.strobe[4]), .write_address_i(bind_index),
    .write_data_i(register_i.data[63:32]),
    .read_address_i(register_i.valid ? bind_index : record_index[2:0]), .read_data_o(handle)
  );

  logic [31:0] record_handle_q;
  logic [15:0] record_token_q;
  always_ff @(posedge clk_i) begin
    if (record_load) begin
      record_handle_q <= (record_index == GlobalPage) ? '0 : handle;
      record_token_q  <= (record_index == GlobalPage) ? kept_token_q : '0;
    end
  end

  always_comb begin
    record_o         = '0;
    record_o.kind    = rf_pkg::RecordKindDoorbellPending;
    record_o.handle  = record_handle_q;
    record_o.address = {48'd0, record_token_q};
  end

  // --- counters and register reads ------------------------------------------------
  // 32 bits each, a memory by the numbers of their registers, whose upper half reads 0. A
  // ring counts once, so that there is one to add to in a cycle.
  localparam logic [2:0] Rings    = rf_pkg::RegDoorbellRings[5:3];
  localparam logic [2:0] Stale    = rf_pkg::RegDoorbellRingsStale[5:3];
  localparam logic [2:0] Repeated = rf_pkg::RegDoorbellRingsRepeated[5:3];
  localparam logic [2:0] Range    = rf_pkg::RegDoorbellRingsRange[5:3];
  localparam logic [2:0] Unmapped = rf_pkg::RegDoorbellRingsUnmapped[5:3];

  logic        ring_offered_q, ring_moved_q, ring_repeated_q, ring_range_q, range_late_q;
  logic        unmapped_late_q, counts;
  logic [2:0]  counter;
  logic [31:0] counted, counted_memory, read_count;
  logic [7:0]  begun_q;    // counters that are not 0 any more: the memory holds them
  assign counts  = ring_offered_q || range_late_q || unmapped_late_q;
  assign counted = begun_q[counter] ? counted_memory : '0;
  always_comb begin
    counter = Stale;
    if (ring_moved_q) counter = Rings;
    if (ring_repeated_q) counter = Repeated;
    if (ring_range_q || range_late_q) counter = Range;
    if (unmapped_late_q) counter = Unmapped;
  end

  rf_lutram #(.Width(32), .DepthLog2(3)) u_counters (
    .clk_i, .write_i(counts), .write_address_i(counter), .write_data_i(counted + 32'd1),
    .read_address_i(counter), .read_data_o(counted_memory)
  );
  rf_lutram #(.Width(32), .DepthLog2(3)) u_counters_read (
    .clk_i, .write_i(counts), .write_address_i(counter), .write_data_i(counted + 32'd1),
    .read_address_i(address[5:3]), .read_data_o(read_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_moved_q    <= 1'b0;
      ring_offered_q  <= 1'b0;
      range_late_q    <= 1'b0;
      ring_repeated_q <= 1'b0;
      ring_range_q    <= 1'b0;
      unmapped_late_q <= 1'b0;
      begun_q         <= '0;
    end else begin
      ring_moved_q    <= ring_moved_i;
      ring_offered_q  <= ring_valid_o;
      range_late_q    <= range_offer_q;
      ring_repeated_q <= ring_repeated_i;
      ring_range_q    <= ring_range_i;
      unmapped_late_q <= unmapped_offer_q || pend_global;
      if (counts) begun_q[counter] <= 1'b1;
    end
  end

  if (Stale != Rings + 1 || Repeated != Rings + 2 || Range != Rings + 3 || Unmapped != Rings + 4 ||
      Unmapped != 3'd7) begin : gen_check
    $error("the counters are the last registers of their 64 bytes");
  end

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (register_i.valid && !register_i.write) begin
      if (bind_hit) begin
        register_data_o <= {handle, 24'd0, slots_q[{bind_index, 2'b00} +: 4], 1'b0,
                            pending_q[bind_index], resident_q[bind_index], bound_q[bind_index]};
      end else if (address[16:6] == rf_pkg::RegDoorbellRings[16:6] && begun_q[address[5:3]]) begin
        register_data_o <= {32'd0, read_count};
      end else begin
        unique case (address)
          rf_pkg::RegDoorbellModels - 17'h10:  register_data_o <= rf_pkg::DoorbellBlockHeader0;
          rf_pkg::RegDoorbellModels - 17'h8:   register_data_o <= rf_pkg::DoorbellBlockHeader1;
          rf_pkg::RegDoorbellModels:           register_data_o <= Models;
          rf_pkg::RegDoorbellGlobalPending:
            register_data_o <= {32'd0, kept_token_q, 14'd0, global_lost_q, global_pending_q};
          default:                             register_data_o <= '0;
        endcase
      end
    end
  end

  logic stage1_idle, stage2_idle;
  assign stage1_idle = !offered_q && !global_q && !range_q && !unmapped_q;
  assign stage2_idle = !by_page_q && !by_token_q && !range_offer_q && !unmapped_offer_q;
  assign idle_o = !doorbell_valid_i && stage1_idle && stage2_idle &&
                  due_q == '0 && !record_valid_o;

`ifndef SYNTHESIS
`ifndef FORMAL
  logic [15:0] shown_q;  // token, a cycle ago
  always_ff @(posedge clk_i) begin
    shown_q <= token;
    if (rst_ni) token_shown_before: assert (!doorbell_valid_i || !global_ring || token == shown_q);
  end
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::RecordWidth)) record_stays (
    .clk_i, .rst_ni, .valid_i(record_valid_o), .ready_i(record_ready_i), .data_i(record_o)
  );
`endif
`endif

endmodule

`default_nettype wire
