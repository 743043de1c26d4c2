// SPDX-License-Identifier: Apache-2.0
//
// Registers of the translation: root page tables, and invalidation.
//
// INVALIDATE. restart_o: running walks start again. Then sweep_o, once for every set of the TLB,
// with the VMIDs and the range to drop; no lookup meanwhile (pending_o). Then flush_o pulses:
// every response from that cycle on comes from page tables as they were when the register was
// written. A unit that holds an older response and has not begun to use it requests it again;
// accesses that have begun carry the epoch_o of their translation. The bits read 1 until nothing
// of the older epoch, and no read of an entry for an older walk, is in flight (old_in_flight_i)
// and the wait unit has read again (invalidate_busy_i). A write meanwhile is a further round.
//
// Reset is followed by a round for every VMID.

`default_nettype none

module rf_translate_control #(
  parameter int unsigned SetsLog2 = 5
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  output logic [63:0]       register_data_o,

  // Root table of a VMID, in the same cycle unless busy
  input  wire logic [3:0]   root_vmid_i,
  output logic              root_busy_o,
  output logic              root_valid_o,
  output logic [55:12]      root_o,

  input  wire logic         result_under_way_i,  // a walk's, towards TLB and response
  output logic              pending_o,           // no new one, and no lookup in the next cycle
  output logic              restart_o,
  output logic              sweep_o,
  output logic [SetsLog2-1:0] sweep_set_o,
  output logic [15:0]       sweep_vmids_o,
  output logic [38:12]      sweep_first_o,
  output logic [38:12]      sweep_last_o,
  output logic              sweep_whole_o,
  output logic              sweep_way_o,          // of which the place is shown
  input  wire logic [1:0]      swept_occupied_i, // one cycle later, the place one more
  input  wire logic [1:0]      swept_writable_i,
  input  wire logic [2*31-1:0] swept_tag_i,
  input  wire logic [43:0]     swept_page_i,

  output logic              flush_o,
  output logic [15:0]       invalidate_o,
  input  wire logic         invalidate_busy_i,
  output logic              epoch_o,
  input  wire logic         old_in_flight_i,

  output logic              idle_o
);

  if (SetsLog2 < 4 || SetsLog2 > 8) begin : gen_bad_sets_log2
    $error("a way of the TLB has 16 to 256 sets");
  end

  localparam logic [16:0] Header = rf_pkg::RegTranslationHeader0;

  // --- registers -------------------------------------------------------------------
  logic [16:3] address;
  logic        read, write, root_hit, invalidate_write;
  logic        read_header0_q, read_header1_q, read_invalidate_q, read_first_q, read_last_q;
  logic        read_root_q, read_select_q, read_tag_q, read_page_q;
  logic [3:0]  read_vmid_q;
  logic [38:12] first_q, last_q;

  assign address  = register_i.address;
  assign read     = register_i.valid && !register_i.write;
  assign write    = register_i.valid && register_i.write;
  assign root_hit = address[16:7] == rf_pkg::RegTranslationRoot[16:7];
  assign invalidate_write = write && register_i.strobe[0] &&
                            address == rf_pkg::RegTranslationInvalidate[16:3];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_header0_q    <= 1'b0;
      read_header1_q    <= 1'b0;
      read_invalidate_q <= 1'b0;
      read_first_q      <= 1'b0;
      read_last_q       <= 1'b0;
      read_root_q       <= 1'b0;
      read_select_q     <= 1'b0;
      read_tag_q        <= 1'b0;
      read_page_q       <= 1'b0;
    end else begin
      read_header0_q    <= read && address == Header[16:3];
      read_header1_q    <= read && address == Header[16:3] + 14'd1;
      read_invalidate_q <= read && address == rf_pkg::RegTranslationInvalidate[16:3];
      read_first_q      <= read && address == rf_pkg::RegTranslationInvalidateFirst[16:3];
      read_last_q       <= read && address == rf_pkg::RegTranslationInvalidateLast[16:3];
      read_root_q       <= read && root_hit;
      read_select_q     <= read && address == rf_pkg::RegTranslationTlbSelect[16:3];
      read_tag_q        <= read && address == rf_pkg::RegTranslationTlbTag[16:3];
      read_page_q       <= read && address == rf_pkg::RegTranslationTlbPage[16:3];
    end
  end

  always_ff @(posedge clk_i) begin
    read_vmid_q <= address[6:3];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      last_q  <= rf_pkg::TranslationInvalidateLastReset[38:12];
    end else if (write && address == rf_pkg::RegTranslationInvalidateFirst[16:3]) begin
      if (register_i.strobe[3:0] != '0) first_q[31:12] <= register_i.data[31:12];
      if (register_i.strobe[7:4] != '0) first_q[38:32] <= register_i.data[38:32];
    end else if (write && address == rf_pkg::RegTranslationInvalidateLast[16:3]) begin
      if (register_i.strobe[3:0] != '0) last_q[31:12] <= register_i.data[31:12];
      if (register_i.strobe[7:4] != '0) last_q[38:32] <= register_i.data[38:32];
    end
  end

  // --- root tables --------------------------------------------------------------------
  logic [15:0] root_valid_q;
  logic [3:0]  root_vmid;

  assign root_vmid    = read_root_q ? read_vmid_q : root_vmid_i;
  assign root_busy_o  = read_root_q;
  assign root_valid_o = root_valid_q[root_vmid];

  rf_lutram #(
    .Width    (20),
    .DepthLog2(4)
  ) u_root_low (
    .clk_i,
    .write_i        (write && root_hit && register_i.strobe[3:0] != '0),
    .write_address_i(address[6:3]),
    .write_data_i   (register_i.data[31:12]),
    .read_address_i (root_vmid),
    .read_data_o    (root_o[31:12])
  );

  rf_lutram #(
    .Width    (24),
    .DepthLog2(4)
  ) u_root_high (
    .clk_i,
    .write_i        (write && root_hit && register_i.strobe[7:4] != '0),
    .write_address_i(address[6:3]),
    .write_data_i   (register_i.data[55:32]),
    .read_address_i (root_vmid),
    .read_data_o    (root_o[55:32])
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) root_valid_q <= '0;
    else if (write && root_hit && register_i.strobe[3:0] != '0) begin
      root_valid_q[address[6:3]] <= register_i.data[0];
    end
  end

  // One of them at most
  always_comb begin
    register_data_o = '0;
    if (read_header0_q) register_data_o = register_data_o | rf_pkg::TranslationBlockHeader0;
    if (read_header1_q) register_data_o = register_data_o | rf_pkg::TranslationBlockHeader1;
    if (read_invalidate_q) register_data_o = register_data_o | {48'd0, requested_q | active_q};
    if (read_first_q) register_data_o = register_data_o | {25'd0, first_q, 12'h000};
    if (read_last_q) register_data_o = register_data_o | {25'd0, last_q, 12'hfff};
    if (read_root_q) register_data_o = register_data_o | {8'd0, root_o, 11'd0, root_valid_o};
    if (read_select_q) register_data_o = register_data_o | select;
    if (read_tag_q) register_data_o = register_data_o | tag;
    if (read_page_q) register_data_o = register_data_o | {8'd0, seen_page_q, 12'd0};
  end

  // --- invalidation ----------------------------------------------------------------------
  // Idle    until the next round, or look
  // Sweep   a set of the TLB in each cycle, of a round or of a look
  // Flush   flush_o is high
  // Settle  the busy signals rise
  // Drain   until nothing of the older epoch is in use
  typedef enum logic [2:0] {Idle, Sweep, Flush, Settle, Drain} state_e;
  state_e              state_q, state_d;
  logic                drained;
  logic                invalidate_q;           // INVALIDATE was written: registers are far
  logic [15:0]         invalidate_vmids_q;
  logic [15:0]         requested_q, active_q;
  logic                requested_whole_q, active_whole_q;
  logic [SetsLog2-1:0] set_q;
  logic                epoch_q;

  assign pending_o     = (requested_q != '0 || look_q) && state_q == Idle ||
                         state_q == Sweep;
  assign restart_o     = state_q == Idle && requested_q != '0 && !invalidate_q &&
                         !result_under_way_i;
  assign sweep_o       = state_q == Sweep;
  assign sweep_set_o   = set_q;
  assign sweep_vmids_o = active_q;
  assign sweep_first_o = first_q;
  assign sweep_last_o  = last_q;
  assign sweep_whole_o = active_whole_q;
  assign epoch_o       = epoch_q;
  assign flush_o       = state_q == Flush;
  assign invalidate_o  = flush_o ? active_q : 16'd0;
  assign idle_o        = state_q == Idle && !invalidate_q && requested_q == '0 && !look_q;

  // --- a look into the TLB: a sweep that forgets nothing ------------------------------------
  logic                select_write, look_q, look_begins, looking;
  logic                way_q;
  logic [SetsLog2-1:0] select_set_q;
  logic [1:0]          found_q;       // the set that is wanted was swept one, two cycles ago
  logic                seen_occupied_q, seen_writable_q;
  logic [30:0]         seen_tag_q;
  logic [55:12]        seen_page_q;
  logic [63:0]         select, tag;

  assign select_write = write && register_i.strobe[0] &&
                        address == rf_pkg::RegTranslationTlbSelect[16:3];
  assign look_begins  = state_q == Idle && look_q && requested_q == '0 &&
                        !invalidate_q && !result_under_way_i;
  assign sweep_way_o  = way_q;
  assign looking      = state_q == Sweep && active_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      look_q  <= 1'b0;
      found_q <= '0;
    end else begin
      look_q  <= (look_q && !look_begins) || select_write;
      found_q <= {found_q[0], looking && set_q == select_set_q};
    end
  end

  always_ff @(posedge clk_i) begin
    if (select_write) begin
      way_q        <= register_i.data[rf_pkg::TranslationTlbSelectWayLsb];
      select_set_q <= register_i.data[rf_pkg::TranslationTlbSelectSetLsb +: SetsLog2];
    end
    if (found_q[0]) begin
      seen_occupied_q <= swept_occupied_i[way_q];
      seen_writable_q <= swept_writable_i[way_q];
      seen_tag_q      <= way_q ? swept_tag_i[61:31] : swept_tag_i[30:0];
    end
    if (found_q[1]) seen_page_q <= swept_page_i;
  end

  always_comb begin
    select = '0;
    select[rf_pkg::TranslationTlbSelectWayLsb]              = way_q;
    select[rf_pkg::TranslationTlbSelectSetLsb +: SetsLog2]  = select_set_q;
    select[rf_pkg::TranslationTlbSelectSetsLog2Lsb +: 4]    = SetsLog2[3:0];
    select[rf_pkg::TranslationTlbSelectBusyLsb]             = look_q || looking || found_q != '0;
    tag = '0;
    tag[rf_pkg::TranslationTlbTagOccupiedLsb]   = seen_occupied_q;
    tag[rf_pkg::TranslationTlbTagWritableLsb]   = seen_writable_q;
    tag[rf_pkg::TranslationTlbTagVmidLsb +: 4]  = seen_tag_q[30:27];
    tag[rf_pkg::TranslationTlbTagPageLsb +: 27] = seen_tag_q[26:0];
  end

  always_ff @(posedge clk_i) begin
    invalidate_vmids_q <= {register_i.strobe[1] ? register_i.data[15:8] : 8'd0,
                           register_i.data[7:0]};
  end

  assign drained = !old_in_flight_i && !invalidate_busy_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (restart_o || look_begins) state_d = Sweep;
      Sweep:   if (set_q == '1) state_d = looking ? Idle : Flush;
      Flush:   state_d = Settle;
      Settle:  state_d = Drain;
      Drain:   if (drained) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q           <= Sweep;
      invalidate_q      <= 1'b0;
      requested_q       <= '0;
      requested_whole_q <= 1'b0;
      active_q          <= '1;
      active_whole_q    <= 1'b1;
      set_q             <= '0;
      epoch_q           <= 1'b0;
    end else begin
      state_q      <= state_d;
      invalidate_q <= invalidate_write;
      if (invalidate_q) begin
        requested_q       <= requested_q | invalidate_vmids_q;
        requested_whole_q <= requested_q != '0;
      end
      if (restart_o) begin
        active_q          <= requested_q;
        active_whole_q    <= requested_whole_q;
        requested_q       <= '0;
        requested_whole_q <= 1'b0;
      end else if (state_q == Drain && drained) begin
        active_q <= '0;
      end
      if (sweep_o) set_q <= set_q + 1'b1;
      if (flush_o) epoch_q <= !epoch_q;
    end
  end

endmodule

`default_nettype wire
