// SPDX-License-Identifier: Apache-2.0
//
// Performs received writes: turns the DWs of a TLP into aligned 64-bit words with byte strobes and
// passes each to its target, one per cycle.
// Promises: an aligned 8-byte store stays one word; words are in ascending order;
// local_write_ready_i delays a word, and a register write delays a ring for two cycles, until it
// has acted. A ring on the global page is shown for a cycle before its valid: its token is looked
// up (rf_doorbell). Combinational from the head of the ordered queue to the targets.

`default_nettype none

module rf_pcie_writer (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        write_valid_i,
  output logic             write_ready_o,
  input  wire rf_bus_pkg::received_write_t write_i,
  input  wire logic [63:0] payload_i,
  output logic             payload_ready_o,

  output logic             register_valid_o,
  output logic             msix_valid_o,
  output logic             local_write_valid_o,
  input  wire logic        local_write_ready_i,
  output logic [31:3]      address_o,
  output logic [63:0]      data_o,
  output logic [7:0]       strobe_o,

  output logic             doorbell_valid_o,
  output logic             doorbell_shown_o,
  output logic [3:0]       doorbell_page_o,
  output logic             doorbell_good_o
);

  localparam logic [1:0] Registers = 2'd0, LocalMemory = 2'd1, Msix = 2'd2, Doorbells = 2'd3;

  logic [31:2] write_address; // Yosys 0.23 mistakes the bits of a member that does not end in 0
  assign write_address = write_i.address;

  logic        started_q;     // the first word is done
  logic [11:3] address_q;     // of the next word, in the same 4 KiB
  logic [6:0]  left_q, left;  // DWs from the start of this word to the end of the TLP
  logic [31:0] carry_q;       // the DW of the beat before that belongs to this word
  logic        carried_q;     // it is all of this word
  logic        shifted, low, high, last, step;
  logic [3:0]  low_be, high_be;

  assign shifted = write_address[2];
  assign address_o = {write_address[31:12], started_q ? address_q : write_address[11:3]};
  assign left = started_q ? left_q : write_i.left;
  assign last = left[6:2] == '0 && left[1:0] != 2'd3;

  // Which DWs of this word the TLP holds, and their byte enables.
  assign low  = started_q || !shifted;
  assign high = left != 7'd1;
  assign low_be  = !started_q ? write_i.first_be : high ? 4'hf : write_i.last_be;
  assign high_be = (!started_q && shifted) ? write_i.first_be : last ? write_i.last_be : 4'hf;
  assign strobe_o = {high ? high_be : 4'h0, low ? low_be : 4'h0};
  assign data_o   = shifted ? {payload_i[31:0], carry_q} : payload_i;

  // Registers, doorbells and the MSI-X table take a word in every cycle.
  localparam logic [3:0] GlobalPage = 4'(rf_pkg::GlobalPage);
  logic                ring_held, shown_q;
  logic [1:0]          settling_q;   // a register write has not acted yet
  assign register_valid_o    = write_valid_i && write_i.target == Registers;
  assign local_write_valid_o = write_valid_i && write_i.target == LocalMemory;
  assign msix_valid_o        = write_valid_i && write_i.target == Msix;
  assign ring_held           = write_i.target == Doorbells &&
                               (settling_q != '0 || (doorbell_page_o == GlobalPage && !shown_q));
  assign doorbell_shown_o    = write_valid_i && write_i.target == Doorbells;
  assign doorbell_valid_o    = doorbell_shown_o && !ring_held;
  assign doorbell_page_o     = write_address[15:12];
  assign doorbell_good_o     = write_i.ring;

  assign step = write_valid_i && (!local_write_valid_o || local_write_ready_i) && !ring_held;
  assign write_ready_o = step && last;
  // The last word of a shifted write may hold nothing but the carried DW.
  assign payload_ready_o = step && !carried_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q  <= 1'b0;
      carried_q  <= 1'b0;
      settling_q <= '0;
      shown_q    <= 1'b0;
    end else begin
      shown_q    <= write_valid_i && ring_held;
      if (step) begin
        started_q <= !last;
        carried_q <= shifted && left == 7'd3;
      end
      settling_q <= {settling_q[0], register_valid_o};
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      address_q <= address_o[11:3] + 9'd1;
      left_q    <= left - 7'd2;
      carry_q   <= payload_i[63:32];
    end
  end

endmodule

`default_nettype wire
