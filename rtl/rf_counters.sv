// SPDX-License-Identifier: Apache-2.0
//
// Performance counters (ringfence.toml, block counter): 32 counters of 64 bits,
// exact at every read, in distributed RAM. Each counter gathers its events in a
// small register; a visit moves those of one counter to the RAM. One counter is
// visited per cycle, in turn; a read is a visit of its counter out of turn, and so
// exact. Counter i counts pulses of event_i[i] and second_i[i] (two may come in one
// cycle, from two nodes), or counts by amount_i where Wide[i] is set
// (slot of amount_i: the number of wide counters below i).

`default_nettype none

module rf_counters (
  input  wire logic                                  clk_i,
  input  wire logic                                  rst_ni,
  input  wire logic [31:0]                           event_i,
  /* verilator lint_off UNUSEDSIGNAL */ // those of wide counters
  input  wire logic [31:0]                           second_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [5*13-1:0]                       amount_i, // bytes
  input  wire        rf_bus_pkg::register_request_t  register_i,
  output logic [63:0]                                register_data_o
);

  localparam logic [31:0] Wide = (32'd1 << rf_pkg::CounterTxWriteBytes) |
                                 (32'd1 << rf_pkg::CounterTxReadBytes) |
                                 (32'd1 << rf_pkg::CounterTxCompletionBytes) |
                                 (32'd1 << rf_pkg::CounterRxWriteBytes) |
                                 (32'd1 << rf_pkg::CounterRxCompletionBytes);
  // Reads come 32 in a row at most, and then as long not, so a counter is visited at
  // least every 96 cycles: 192 pulses, or 96 times 4096 bytes.
  localparam int unsigned PulseWidth = 8;
  localparam int unsigned WideWidth = 19;

  // --- register reads, and whom to visit next ---------------------------------
  localparam logic [16:0] First = rf_pkg::RegCounterValue;
  localparam logic [16:0] Header = First - 17'h40;

  logic [16:0] byte_address;
  logic [13:0] offset;  // in words
  logic        read, read_counter, read_q, header0_q, header1_q;
  logic [4:0]  turn_q, index_d, index_q;
  logic [31:0] select_q;   // index_q, one-hot
  logic        cleared_q;  // every counter has had its turn since reset
  logic        started_q;  // visits have begun
  logic        move_q;     // the visit counts
  logic        stale_q;    // what the RAM has of it is from before the reset

  assign byte_address = {register_i.address, 3'b000};
  assign offset       = register_i.address - First[16:3];
  assign read         = register_i.valid && !register_i.write;
  assign read_counter = read && offset[13:5] == '0;
  assign index_d      = read_counter ? offset[4:0] : turn_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q    <= '0;
      index_q   <= '0;
      select_q  <= '0;
      cleared_q <= 1'b0;
      started_q <= 1'b0;
      move_q    <= 1'b0;
      stale_q   <= 1'b0;
      read_q    <= 1'b0;
      header0_q <= 1'b0;
      header1_q <= 1'b0;
    end else begin
      if (!read_counter) turn_q <= turn_q + 1'b1;
      if (!read_counter && turn_q == '1) cleared_q <= 1'b1;
      started_q <= 1'b1;
      index_q   <= index_d;
      select_q  <= 32'd1 << index_d;
      // In the first round a read moves nothing.
      move_q    <= !read_counter || cleared_q;
      stale_q   <= !cleared_q && (!read_counter || offset[4:0] >= turn_q);
      read_q    <= read_counter;
      header0_q <= read && byte_address == Header;
      header1_q <= read && byte_address == Header + 17'd8;
    end
  end

  // --- the visit --------------------------------------------------------------
  logic [31:0] load;  // the events of this cycle are the first to be gathered
  logic [32*WideWidth-1:0] gathered;
  logic [WideWidth-1:0]    moved;
  logic [63:0] old_count, count;

  assign load = (move_q ? select_q : '0) | {32{!started_q}};

  for (genvar i = 0; i < 32; i++) begin : gen_gather
    // Slot of a wide counter in amount_i.
    localparam int unsigned Slot = (i == rf_pkg::CounterTxWriteBytes) ? 0 :
                                   (i == rf_pkg::CounterTxReadBytes) ? 1 :
                                   (i == rf_pkg::CounterTxCompletionBytes) ? 2 :
                                   (i == rf_pkg::CounterRxWriteBytes) ? 3 : 4;
    localparam int unsigned Bits = Wide[i] ? WideWidth : PulseWidth;
    logic [Bits-1:0] gather_q, increment;

    if (Wide[i]) begin : gen_wide
      assign increment = {{(Bits - 13){1'b0}}, amount_i[Slot*13 +: 13] & {13{event_i[i]}}};
    end else begin : gen_pulse
      assign increment = {{(Bits - 2){1'b0}}, event_i[i] && second_i[i], event_i[i] ^ second_i[i]};
    end

    always_ff @(posedge clk_i) begin
      gather_q <= load[i] ? increment : gather_q + increment;
    end

    assign gathered[i*WideWidth +: WideWidth] =
        {{(WideWidth - Bits){1'b0}}, gather_q} & {WideWidth{select_q[i]}};
  end

  always_comb begin
    moved = '0;
    for (int unsigned i = 0; i < 32; i++) moved = moved | gathered[i*WideWidth +: WideWidth];
  end

  assign count = (stale_q ? 64'd0 : old_count) + {{(64 - WideWidth){1'b0}}, moved};

  rf_lutram #(.Width(64), .DepthLog2(5)) u_count (
    .clk_i, .write_i(move_q), .write_address_i(index_q), .write_data_i(count),
    .read_address_i(index_q), .read_data_o(old_count)
  );

  assign register_data_o = (read_q    ? count                       : 64'd0) |
                           (header0_q ? rf_pkg::CounterBlockHeader0 : 64'd0) |
                           (header1_q ? rf_pkg::CounterBlockHeader1 : 64'd0);

  logic unused_register;
  assign unused_register = &{1'b0, register_i.data, register_i.strobe};

endmodule

`default_nettype wire
