// SPDX-License-Identifier: Apache-2.0
//
// Performance counters (ringfence.toml, block counter): 32 counters of 64 bits, exact at every
// read. A small register per counter counts events modulo its size; block RAM has the whole count
// of some cycles ago, so the register's bits give the difference. One counter per cycle is
// visited, in turn, unless one is read: one adder computes its whole count, which is stored in the
// RAM. Nothing is lost as long as no register wraps between two visits. A read returns the count
// of the cycles before it; reads come at most every fourth cycle.
// Counter i counts pulses of event_i[i] and, where Twice[i] is set, of second_i[i] (two may come
// in one cycle, from two nodes), or counts by amount_i where Wide[i] is set (slot of amount_i: the
// number of wide counters below i).

`default_nettype none

module rf_counters (
  input  wire logic                                  clk_i,
  input  wire logic                                  rst_ni,
  input  wire logic [31:0]                           event_i,
  /* verilator lint_off UNUSEDSIGNAL */ // those of counters that have one
  input  wire logic [31:0]                           second_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [5*8-1:0]                        amount_i, // DWs of a TLP: read at most 128,
                                                               // others two a cycle, 64 ahead
  input  wire        rf_bus_pkg::register_request_t  register_i,
  output logic [63:0]                                register_data_o
);

  localparam logic [31:0] Wide = (32'd1 << rf_pkg::CounterTxWriteBytes) |
                                 (32'd1 << rf_pkg::CounterTxReadBytes) |
                                 (32'd1 << rf_pkg::CounterTxCompletionBytes) |
                                 (32'd1 << rf_pkg::CounterRxWriteBytes) |
                                 (32'd1 << rf_pkg::CounterRxCompletionBytes);
  localparam logic [31:0] Twice = (32'd1 << rf_pkg::CounterRingFetches) |
                                  (32'd1 << rf_pkg::CounterCommandFetches) |
                                  (32'd1 << rf_pkg::CounterPackets) |
                                  (32'd1 << rf_pkg::CounterSignals) |
                                  (32'd1 << rf_pkg::CounterWaits) |
                                  (32'd1 << rf_pkg::CounterStallEngineCycles) |
                                  (32'd1 << rf_pkg::CounterStallFenceCycles) |
                                  (32'd1 << rf_pkg::CounterStallFetchCycles);
  // A quarter of the cycles are reads at most, so a counter is visited at least every 44
  // cycles: 44 or 88 pulses, 64 + 88 DWs, or 44 times the 128 DWs that a read asks for.
  localparam int unsigned OnceWidth  = 6;
  localparam int unsigned TwiceWidth = 7;
  localparam int unsigned TlpWidth   = 10; // in bytes, as the next one
  localparam int unsigned WideWidth  = 15;

  // --- the registers ----------------------------------------------------------
  localparam int unsigned Stride = 16;
  logic [32*Stride-1:0] lows;

  for (genvar i = 0; i < 32; i++) begin : gen_low
    if (Wide[i]) begin : gen_wide
      // Slot in amount_i
      localparam int unsigned Slot = (i == rf_pkg::CounterTxWriteBytes) ? 0 :
                                     (i == rf_pkg::CounterTxReadBytes) ? 1 :
                                     (i == rf_pkg::CounterTxCompletionBytes) ? 2 :
                                     (i == rf_pkg::CounterRxWriteBytes) ? 3 : 4;
      localparam int unsigned Bits = (Slot == 1 ? WideWidth : TlpWidth) - 2;
      logic [Bits-1:0] low_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) low_q <= '0;
        else if (event_i[i]) low_q <= low_q + Bits'(amount_i[Slot*8 +: 8]);
      end
      assign lows[i*Stride +: Stride] = Stride'({low_q, 2'b00});

`ifndef SYNTHESIS
      // DWs for which cycles are to come: a TLP of so many takes half as many.
      logic [7:0] ahead_q, ahead;
      assign ahead = ahead_q + (event_i[i] ? amount_i[Slot*8 +: 8] : 8'd0);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          ahead_q <= '0;
        end else if (event_i[i] || ahead_q != '0) begin
          ahead_q <= (Slot == 1 || ahead < 8'd2) ? 8'd0 : ahead - 8'd2;
          amount_takes_its_time: assert (ahead <= (Slot == 1 ? 8'd128 : 8'd66));
        end
      end
`endif
    end else if (Twice[i]) begin : gen_twice
      logic [TwiceWidth-1:0] low_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) low_q <= '0;
        else if (event_i[i] || second_i[i])
          low_q <= low_q + (event_i[i] && second_i[i] ? TwiceWidth'(2) : TwiceWidth'(1));
      end
      assign lows[i*Stride +: Stride] = Stride'(low_q);
    end else begin : gen_once
      logic [OnceWidth-1:0] low_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) low_q <= '0;
        else if (event_i[i]) low_q <= low_q + 1'b1;
      end
      assign lows[i*Stride +: Stride] = Stride'(low_q);
    end
  end

  // --- register reads, and the next source -----------------------------------
  localparam logic [16:0] First = rf_pkg::RegCounterValue;
  localparam logic [16:0] Last = First + 17'hf8;
  localparam logic [16:0] Header = First - 17'h40;

  logic [16:0] byte_address;
  logic [4:0]  offset;     // in words
  logic        behind;     // in its line of 32 words it is behind the first counter's place
  logic        read, read_counter, read_q, header0_q;
  logic        visit_q;    // its count goes to the RAM
  logic        again;      // it is read meanwhile: that read is the visit instead
  logic        write;
  logic [4:0]  turn_q, index, index_q;
  logic [5:0]  cleared_q;  // so many counters have had their turn since reset

  assign byte_address = {register_i.address, 3'b000};
  localparam logic [31:0] Behind = 32'hffff_ffff << First[7:3];
  assign offset       = byte_address[7:3] - First[7:3];
  assign behind       = Behind[byte_address[7:3]];
  assign read         = register_i.valid && !register_i.write;
  assign read_counter = read && byte_address[16:8] == (behind ? First[16:8] : Last[16:8]);
  assign index        = read_counter ? offset : turn_q;
  assign again        = visit_q && read_counter && offset == index_q;
  assign write        = visit_q && !again;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q    <= '0;
      visit_q   <= 1'b0;
      cleared_q <= '0;
      read_q    <= 1'b0;
      header0_q <= 1'b0;
    end else begin
      if (!read_counter) turn_q <= turn_q + 1'b1;
      visit_q   <= !read_counter || again;
      if (write && !cleared_q[5]) cleared_q <= cleared_q + 1'b1;
      read_q    <= read_counter;
      header0_q <= read && byte_address == Header;
    end
  end

  // --- the visit: look up, then add ---------------------------------------------
  logic [WideWidth-1:0] counted, counted_q; // bits that the register has
  logic [WideWidth-1:0] rest_q;             // the register's complement
  logic [63:0]          stored, count, above;

  // As rf_ram, but that the word read can be 0: no counter is read while it is written.
  (* no_rw_check, ram_style = "block" *)
  logic [63:0] memory [32];

  always_ff @(posedge clk_i) begin
    if (write) memory[index_q] <= count;
    stored <= memory[index];
`ifndef SYNTHESIS
    if (write && index == index_q) stored <= ~count;
`endif
    // What the RAM has of it is from before the reset.
    if ({1'b0, index} >= cleared_q) stored <= '0;
  end

  always_ff @(posedge clk_i) begin
    index_q   <= index;
    counted_q <= counted;
    rest_q    <= counted & ~lows[index*Stride +: WideWidth];
  end

  assign counted = {{(WideWidth - TlpWidth){index == 5'(rf_pkg::CounterTxReadBytes)}},
                    {(TlpWidth - TwiceWidth){Wide[index]}}, Wide[index] || Twice[index],
                    {OnceWidth{1'b1}}};

  // A carry out of the register's bits says that it has less than was stored: it has wrapped.
  assign above   = stored + {{(64 - WideWidth){1'b0}}, rest_q};
  assign count   = {above[63:WideWidth],
                    (counted_q & ~rest_q) | (~counted_q & above[WideWidth-1:0])};

  // What is not here reads 0, and so does CounterBlockHeader1.
  if (rf_pkg::CounterBlockHeader1 != 64'd0) begin : gen_bad_header1
    $error("CounterBlockHeader1 is not there");
  end

  assign register_data_o = (read_q    ? count                       : 64'd0) |
                           (header0_q ? rf_pkg::CounterBlockHeader0 : 64'd0);

  logic unused_register;
  assign unused_register = &{1'b0, register_i.data, register_i.strobe};

`ifndef SYNTHESIS
  // What keeps a register from coming round, beside the DWs above: reads of a PCIe completer
  // are apart.
  logic [2:0] reads_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reads_q <= '0;
    else reads_q <= {reads_q[1:0], read_counter};
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) reads_are_apart: assert (!(read_counter && reads_q != '0));
  end
`endif

endmodule

`default_nettype wire
