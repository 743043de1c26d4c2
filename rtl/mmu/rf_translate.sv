// SPDX-License-Identifier: Apache-2.0
//
// Translation of {VMID, virtual page} for every master of the memory system: one
// lookup a cycle. Each half of the ports is a round robin, and the halves alternate
// when both ask. A request granted in cycle t is answered in t + 2 (answers are
// broadcast with the number of the port).
//
// INVALIDATE. flush_o pulses for one cycle. Every answer from that cycle on comes
// from the windows as they were when the register was written; whoever keeps
// an answer from before and has not begun to use it asks again, and accesses
// that have begun carry the epoch_o of their time. The bits read 1 until none
// of the older epoch is in flight (old_in_flight_i) and the wait unit has looked
// again at its slots (invalidate_busy_i). A write meanwhile is a further round.
//
// The store flag is for page tables; linear windows allow stores and loads alike.

`default_nettype none

module rf_translate #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned Ports = 14
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  // Per port {vmid[3:0], va[63:12], store}.
  input  wire logic [Ports-1:0]    request_valid_i,
  output logic [Ports-1:0]         request_ready_o,
  input  wire logic [Ports*57-1:0] request_i,
  output logic [55:0]              request_seen_o,  // {vmid, va[63:12]} granted a cycle ago

  output logic                     answer_valid_o,
  output logic [$clog2(Ports)-1:0] answer_port_o,
  output logic                     answer_fault_o,
  output logic [1:0]               answer_level_o,
  output logic                     answer_local_o,
  output logic [54:12]             answer_page_o,

  input  wire rf_bus_pkg::register_request_t register_i,
  output logic [63:0]              register_data_o,

  output logic                     flush_o,
  output logic [15:0]              invalidate_o,
  input  wire logic                invalidate_busy_i,
  output logic                     epoch_o,
  input  wire logic                old_in_flight_i,

  output logic                     idle_o
);

  localparam int unsigned PortBits = $clog2(Ports);
  localparam logic [16:0] Header = rf_pkg::RegTranslationInvalidate - 17'h10;

  // --- registers -------------------------------------------------------------------
  logic [16:3] address;
  logic windows_hit, windows_read, windows_busy;
  logic invalidate_write;
  logic read_windows_q, read_invalidate_q, read_header0_q, read_header1_q;
  logic [2:0]  word_q;
  logic [63:0] windows_data;

  assign address      = register_i.address;
  assign windows_hit  = register_i.valid &&
                        address[16:10] == rf_pkg::RegTranslationSystemBase[16:10];
  assign windows_read = windows_hit && !register_i.write;
  assign invalidate_write = register_i.valid && register_i.write && register_i.strobe[0] &&
                            address == rf_pkg::RegTranslationInvalidate[16:3];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_windows_q    <= 1'b0;
      read_invalidate_q <= 1'b0;
      read_header0_q    <= 1'b0;
      read_header1_q    <= 1'b0;
    end else begin
      read_windows_q    <= windows_read;
      read_invalidate_q <= register_i.valid && !register_i.write &&
                           address == rf_pkg::RegTranslationInvalidate[16:3];
      read_header0_q    <= register_i.valid && !register_i.write &&
                           address == Header[16:3];
      read_header1_q    <= register_i.valid && !register_i.write &&
                           address == Header[16:3] + 14'd1;
    end
  end

  assign register_data_o =
      (read_windows_q    ? windows_data                     : 64'd0) |
      (read_invalidate_q ? {48'd0, requested_q | active_q}  : 64'd0) |
      (read_header0_q    ? rf_pkg::TranslationBlockHeader0 : 64'd0) |
      (read_header1_q    ? rf_pkg::TranslationBlockHeader1 : 64'd0);

  // --- stage 0: who asks -------------------------------------------------------------
  // A register read of the windows takes the place of a lookup.
  localparam int unsigned Half = Ports / 2;
  localparam int unsigned HalfBits = $clog2(Half);

  logic                stop, any, upper, upper_last_q;
  logic                any_lower, any_upper;
  logic [Ports-1:0]    grant;
  logic [HalfBits-1:0] index_lower, index_upper;
  logic [PortBits-1:0] index;
  logic [56:0]         chosen_lower, chosen_upper;
  logic [3:0]          vmid;
  logic [63:12]        page;
  logic                unused_store;

  assign stop      = windows_read || windows_busy;
  assign any_lower = request_valid_i[Half-1:0] != '0;
  assign any_upper = request_valid_i[Ports-1:Half] != '0;
  assign any       = any_lower || any_upper;
  assign upper     = any_upper && !(any_lower && upper_last_q);

  rf_round_robin #(
    .Ports(Half)
  ) u_lower (
    .clk_i,
    .rst_ni,
    .request_i(request_valid_i[Half-1:0]),
    .advance_i(!stop && !upper),
    .grant_o  (grant[Half-1:0]),
    .index_o  (index_lower)
  );

  rf_round_robin #(
    .Ports(Half)
  ) u_upper (
    .clk_i,
    .rst_ni,
    .request_i(request_valid_i[Ports-1:Half]),
    .advance_i(!stop && upper),
    .grant_o  (grant[Ports-1:Half]),
    .index_o  (index_upper)
  );

  assign request_ready_o = stop ? '0 : {grant[Ports-1:Half] & {Half{upper}},
                                        grant[Half-1:0] & {Half{!upper}}};
  assign index  = upper ? Half[PortBits-1:0] + {1'b0, index_upper} : {1'b0, index_lower};
  assign {vmid, page, unused_store} = upper ? chosen_upper : chosen_lower;

  always_comb begin
    chosen_lower = '0;
    chosen_upper = '0;
    for (int unsigned i = 0; i < Half; i++) begin
      if (grant[i]) chosen_lower = chosen_lower | request_i[i*57 +: 57];
      if (grant[Half + i]) chosen_upper = chosen_upper | request_i[(Half + i)*57 +: 57];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) upper_last_q <= 1'b0;
    else if (any && !stop) upper_last_q <= upper;
  end

  // --- stage 1: lookup; stage 2: answer ------------------------------------------------
  logic                lookup_valid_q;
  logic [PortBits-1:0] lookup_port_q;
  logic [3:0]          vmid_q;
  logic [63:12]        page_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lookup_valid_q <= 1'b0;
      answer_valid_o <= 1'b0;
    end else begin
      lookup_valid_q <= any && !stop;
      answer_valid_o <= lookup_valid_q;
    end
  end

  assign request_seen_o = {vmid_q, page_q};

  always_ff @(posedge clk_i) begin
    lookup_port_q <= index;
    answer_port_o <= lookup_port_q;
    vmid_q        <= windows_read ? address[9:6] : vmid;
    page_q        <= page;
    word_q        <= address[5:3];
  end

  rf_windows #(
    .LocalMemoryLog2(LocalMemoryLog2)
  ) u_windows (
    .clk_i,
    .rst_ni,
    .busy_o      (windows_busy),
    .write_i     ((windows_hit && register_i.write)
                  ? {register_i.strobe[7:4] != '0, register_i.strobe[3:0] != '0} : 2'b00),
    .write_vmid_i(address[9:6]),
    .write_word_i(address[5:3]),
    .write_data_i(register_i.data[63:12]),
    .vmid_i      (vmid_q),
    .page_i      (page_q),
    .read_word_i (word_q),
    .read_data_o (windows_data),
    .fault_o     (answer_fault_o),
    .level_o     (answer_level_o),
    .local_o     (answer_local_o),
    .page_o      (answer_page_o)
  );

  // --- invalidation ----------------------------------------------------------------------
  localparam logic [1:0] StateIdle = 2'd0;
  localparam logic [1:0] StateFlush = 2'd1;   // flush_o is high
  localparam logic [1:0] StateSettle = 2'd2;  // the busy signals rise
  localparam logic [1:0] StateDrain = 2'd3;

  logic [1:0]  state_q;
  logic [15:0] requested_q, active_q;
  logic        epoch_q;

  assign epoch_o      = epoch_q;
  assign flush_o      = state_q == StateFlush;
  assign invalidate_o = flush_o ? active_q : 16'd0;
  assign idle_o       = state_q == StateIdle && requested_q == '0 && !windows_busy &&
                        !lookup_valid_q && !answer_valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= StateIdle;
      requested_q <= '0;
      active_q    <= '0;
      epoch_q     <= 1'b0;
    end else begin
      if (invalidate_write) begin
        requested_q <= requested_q | {register_i.strobe[1] ? register_i.data[15:8] : 8'd0,
                                      register_i.data[7:0]};
      end
      unique case (state_q)
        StateIdle: begin
          if (requested_q != '0 && !invalidate_write) begin
            state_q     <= StateFlush;
            active_q    <= requested_q;
            requested_q <= '0;
          end
        end
        StateFlush: begin
          state_q <= StateSettle;
          epoch_q <= !epoch_q;
        end
        StateSettle: state_q <= StateDrain;
        default: begin
          if (!old_in_flight_i && !invalidate_busy_i) begin
            state_q  <= StateIdle;
            active_q <= '0;
          end
        end
      endcase
    end
  end

endmodule

`default_nettype wire
