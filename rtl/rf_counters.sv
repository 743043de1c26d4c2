// SPDX-License-Identifier: Apache-2.0
//
// Performance counters (ringfence.toml, block counter): 32 counters of 64 bits,
// exact at every read, in distributed RAM. Each counter gathers its events in a
// small register; a scan moves one of them per cycle to the RAM, and a read adds
// both. Counter i counts pulses of event_i[i] and second_i[i] (two may come in one
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
  // A counter is visited every 32 cycles: 64 pulses, or 32 times 4096 bytes.
  localparam int unsigned GatherWidth = 18;
  // A power of two: indexing then is a multiplexer, not a shifter.
  localparam int unsigned GatherStride = 32;

  logic [4:0]                scan_q;
  logic                      cleared_q; // the RAM has been written since reset
  logic [32*GatherStride-1:0] gathered;
  logic [63:0]               scan_old, read_old, scan_new;

  for (genvar i = 0; i < 32; i++) begin : gen_gather
    // Slot of a wide counter in amount_i.
    localparam int unsigned Slot = (i == rf_pkg::CounterTxWriteBytes) ? 0 :
                                   (i == rf_pkg::CounterTxReadBytes) ? 1 :
                                   (i == rf_pkg::CounterTxCompletionBytes) ? 2 :
                                   (i == rf_pkg::CounterRxWriteBytes) ? 3 : 4;
    localparam int unsigned Bits = Wide[i] ? GatherWidth : 7;
    logic [Bits-1:0] gather_q, increment;

    if (Wide[i]) begin : gen_wide
      assign increment = event_i[i] ? {{(Bits - 13){1'b0}}, amount_i[Slot*13 +: 13]} : '0;
    end else begin : gen_pulse
      assign increment = {{(Bits - 1){1'b0}}, event_i[i]} + {{(Bits - 1){1'b0}}, second_i[i]};
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) gather_q <= '0;
      else if (scan_q == i[4:0]) gather_q <= increment;
      else gather_q <= gather_q + increment;
    end

    assign gathered[i*GatherStride +: GatherStride] = {{(GatherStride - Bits){1'b0}}, gather_q};
  end

  assign scan_new = (cleared_q ? scan_old : 64'd0) +
                    {32'd0, gathered[scan_q*GatherStride +: GatherStride]};

  rf_lutram #(.Width(64), .DepthLog2(5)) u_scan (
    .clk_i, .write_i(1'b1), .write_address_i(scan_q), .write_data_i(scan_new),
    .read_address_i(scan_q), .read_data_o(scan_old)
  );

  rf_lutram #(.Width(64), .DepthLog2(5)) u_read (
    .clk_i, .write_i(1'b1), .write_address_i(scan_q), .write_data_i(scan_new),
    .read_address_i(read_index), .read_data_o(read_old)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      scan_q    <= '0;
      cleared_q <= 1'b0;
    end else begin
      scan_q <= scan_q + 1'b1;
      if (scan_q == '1) cleared_q <= 1'b1;
    end
  end

  // --- register reads ---------------------------------------------------------
  localparam logic [16:0] First = rf_pkg::RegCounterValue;
  localparam logic [16:0] Header = First - 17'h40;

  logic [16:0] byte_address;
  logic [4:0]  read_index;
  logic        read_valid, read_counter;

  assign byte_address = {register_i.address, 3'b000};
  assign read_index   = byte_address[7:3] - First[7:3];
  assign read_valid   = register_i.valid && !register_i.write;
  assign read_counter = read_valid && byte_address >= First && byte_address < First + 17'h100;

  // Entries that the first scan after reset has not reached read 0.
  logic entry_valid;
  assign entry_valid = cleared_q || read_index < scan_q;

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (read_counter) begin
      register_data_o <= (entry_valid ? read_old : 64'd0) +
                         {32'd0, gathered[read_index*GatherStride +: GatherStride]};
    end else if (read_valid && byte_address == Header) begin
      register_data_o <= rf_pkg::CounterBlockHeader0;
    end else if (read_valid && byte_address == Header + 17'd8) begin
      register_data_o <= rf_pkg::CounterBlockHeader1;
    end
  end

  logic unused_register;
  assign unused_register = &{1'b0, register_i.data, register_i.strobe};

endmodule

`default_nettype wire
