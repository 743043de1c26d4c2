// SPDX-License-Identifier: Apache-2.0
//
// Performance counters (ringfence.toml, block counter): 32 counters of 64 bits,
// exact at every read. The low bits of each are a register that counts its events, the
// bits above lie in block RAM, and a carry waits in between. One counter is visited per
// cycle, in turn, unless a read comes, and its carry added. So nothing is lost as long as
// the low bits do not wrap twice between two visits. Counter i counts pulses of event_i[i]
// and second_i[i] (two may come in one cycle, from two nodes), or counts by amount_i where
// Wide[i] is set (slot of amount_i: the number of wide counters below i). A read tells of
// the cycles before its own.

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

  // --- the registers ----------------------------------------------------------
  // The low bits of each, and a carry that waits to be added to what is above them.
  logic [32*WideWidth-1:0] lows;
  logic [31:0]             carries, carried;

  for (genvar i = 0; i < 32; i++) begin : gen_low
    // Slot of a wide counter in amount_i.
    localparam int unsigned Slot = (i == rf_pkg::CounterTxWriteBytes) ? 0 :
                                   (i == rf_pkg::CounterTxReadBytes) ? 1 :
                                   (i == rf_pkg::CounterTxCompletionBytes) ? 2 :
                                   (i == rf_pkg::CounterRxWriteBytes) ? 3 : 4;
    localparam int unsigned Bits = Wide[i] ? WideWidth : PulseWidth;
    logic [Bits-1:0] low_q, increment, low;
    logic            carry, carry_q;

    if (Wide[i]) begin : gen_wide
      assign increment = {{(Bits - 13){1'b0}}, amount_i[Slot*13 +: 13]};
    end else begin : gen_pulse
      assign increment = {{(Bits - 2){1'b0}}, event_i[i] && second_i[i], event_i[i] ^ second_i[i]};
    end

    assign {carry, low} = {1'b0, low_q} + {1'b0, increment};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        low_q   <= '0;
        carry_q <= 1'b0;
      end else begin
        if (!Wide[i] || event_i[i]) low_q <= low;
        carry_q <= (carry && (!Wide[i] || event_i[i])) || (carry_q && !carried[i]);
      end
    end

    assign carries[i] = carry_q;
    assign lows[i*WideWidth +: WideWidth] = {{(WideWidth - Bits){1'b0}}, low_q};
  end

  // --- register reads, and whom to visit next ---------------------------------
  localparam logic [16:0] First = rf_pkg::RegCounterValue;
  localparam logic [16:0] Header = First - 17'h40;

  logic [16:0] byte_address;
  logic [13:0] offset;     // in words
  logic        read, read_counter, read_q, header0_q, header1_q;
  logic        visit_q;    // its count goes to the RAM
  logic        again;      // it is read meanwhile: that read is the visit instead
  logic        write;
  logic [4:0]  turn_q, index, index_q;
  logic [5:0]  cleared_q;  // so many counters have had their turn since reset

  assign byte_address = {register_i.address, 3'b000};
  assign offset       = register_i.address - First[16:3];
  assign read         = register_i.valid && !register_i.write;
  assign read_counter = read && offset[13:5] == '0;
  assign index        = read_counter ? offset[4:0] : turn_q;
  assign again        = visit_q && read_counter && index == index_q;
  assign write        = visit_q && !again;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q    <= '0;
      visit_q   <= 1'b0;
      cleared_q <= '0;
      read_q    <= 1'b0;
      header0_q <= 1'b0;
      header1_q <= 1'b0;
    end else begin
      if (!read_counter) turn_q <= turn_q + 1'b1;
      visit_q   <= !read_counter || again;
      if (write && !cleared_q[5]) cleared_q <= cleared_q + 1'b1;
      read_q    <= read_counter;
      header0_q <= read && byte_address == Header;
      header1_q <= read && byte_address == Header + 17'd8;
    end
  end

  // --- the visit: look up, then add ---------------------------------------------
  logic                 wide_q;
  logic [WideWidth-1:0] low_q;
  logic                 carry_q;
  logic [63:0]          count;
  logic [63:PulseWidth] stored, above;

  // As rf_ram, but that the word read can be 0: no counter is read while it is written.
  (* no_rw_check, ram_style = "block" *)
  logic [63:PulseWidth] memory [32];

  always_ff @(posedge clk_i) begin
    if (write) memory[index_q] <= count[63:PulseWidth];
    stored <= memory[index];
`ifndef SYNTHESIS
    if (write && index == index_q) stored <= ~count[63:PulseWidth];
`endif
    // What the RAM has of it is from before the reset.
    if ({1'b0, index} >= cleared_q) stored <= '0;
  end

  always_ff @(posedge clk_i) begin
    index_q <= index;
    wide_q  <= Wide[index];
    low_q   <= lows[index*WideWidth +: WideWidth];
    carry_q <= carries[index];
  end

  // To the upper bits of a wide counter the carry comes through those in between.
  assign above = (stored | {{(64 - WideWidth){1'b0}}, {(WideWidth - PulseWidth){wide_q}}}) +
                 {{(63 - PulseWidth){1'b0}}, carry_q};
  assign count = {above[63:WideWidth],
                  wide_q ? low_q[WideWidth-1:PulseWidth] : above[WideWidth-1:PulseWidth],
                  low_q[PulseWidth-1:0]};
  assign carried = write && carry_q ? 32'd1 << index_q : '0;

  assign register_data_o = (read_q    ? count                       : 64'd0) |
                           (header0_q ? rf_pkg::CounterBlockHeader0 : 64'd0) |
                           (header1_q ? rf_pkg::CounterBlockHeader1 : 64'd0);

  logic unused_register;
  assign unused_register = &{1'b0, register_i.data, register_i.strobe};

endmodule

`default_nettype wire
