// SPDX-License-Identifier: Apache-2.0
//
// The linear windows of every VMID: one to system memory, one to local memory,
// each {base, limit, delta} of 4 KiB pages, in distributed RAM. Translates one
// page a cycle; the page-table walker replaces this module.
//
// vmid_i and page_i are registers of the caller; the answer is valid one cycle
// later. The words of the VMID's windows appear at register_data_o at once, so a
// register read is a lookup whose answer nobody takes. After reset every window is
// closed (base above limit), one VMID a cycle; busy_o is high until then and
// neither a lookup nor a register write may come.

`default_nettype none

module rf_windows #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  output logic              busy_o,

  // Register write: word 0..2 base, limit, delta of the system window, 4..6 of the
  // local one; halves of 32 bits.
  input  wire logic [1:0]   write_i,
  input  wire logic [3:0]   write_vmid_i,
  input  wire logic [2:0]   write_word_i,
  input  wire logic [63:12] write_data_i,

  input  wire logic [3:0]   vmid_i,
  input  wire logic [63:12] page_i,
  input  wire logic [2:0]   read_word_i,
  output logic [63:0]       read_data_o,

  output logic              fault_o,
  output logic [1:0]        level_o,
  output logic              local_o,
  output logic [54:12]      page_o
);

  localparam int unsigned Words = 6;

  // --- closing every window after reset ----------------------------------------
  logic [4:0] clear_q;

  assign busy_o = !clear_q[4];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clear_q <= '0;
    else if (busy_o) clear_q <= clear_q + 1'b1;
  end

  // --- the windows ---------------------------------------------------------------
  logic [Words*64-1:0] word;  // words of the VMID looked up

  for (genvar w = 0; w < Words; w++) begin : gen_word
    localparam logic [2:0] Number = (w < 3) ? w : w + 1;
    localparam logic       Base = (w % 3) == 0;

    logic        chosen;
    logic [3:0]  address;

    assign chosen  = write_word_i == Number;
    assign address = busy_o ? clear_q[3:0] : write_vmid_i;
    // Bits 11:0 are not kept: 0 in base and delta, 1 in limit.
    assign word[w*64 +: 12] = {12{(w % 3) == 1}};

    rf_lutram #(
      .Width    (20),
      .DepthLog2(4)
    ) u_low (
      .clk_i,
      .write_i        (busy_o || (write_i[0] && chosen)),
      .write_address_i(address),
      .write_data_i   (busy_o ? {20{Base}} : write_data_i[31:12]),
      .read_address_i (vmid_i),
      .read_data_o    (word[w*64 + 12 +: 20])
    );

    rf_lutram #(
      .Width    (32),
      .DepthLog2(4)
    ) u_high (
      .clk_i,
      .write_i        (busy_o || (write_i[1] && chosen)),
      .write_address_i(address),
      .write_data_i   (busy_o ? {32{Base}} : write_data_i[63:32]),
      .read_address_i (vmid_i),
      .read_data_o    (word[w*64 + 32 +: 32])
    );
  end

  always_comb begin
    read_data_o = '0;
    for (int unsigned w = 0; w < Words; w++) begin
      if (read_word_i == ((w < 3) ? w[2:0] : w[2:0] + 3'd1)) read_data_o = word[w*64 +: 64];
    end
  end

  // --- lookup ----------------------------------------------------------------------
  logic         in_system_q, in_local_q;
  logic [63:12] system_q, local_q;

  always_ff @(posedge clk_i) begin
    in_system_q <= page_i >= word[0*64+12 +: 52] && page_i <= word[1*64+12 +: 52];
    system_q    <= page_i + word[2*64+12 +: 52];
    in_local_q  <= page_i >= word[3*64+12 +: 52] && page_i <= word[4*64+12 +: 52];
    local_q     <= page_i + word[5*64+12 +: 52];
  end

  // A window may not lead outside its memory: bit 55 of a physical address means
  // local memory, so a bus address has 55 bits.
  assign fault_o = in_local_q ? local_q[63:LocalMemoryLog2] != '0
                              : !in_system_q || system_q[63:55] != '0;
  assign level_o = 2'd0;
  assign local_o = in_local_q;
  assign page_o  = in_local_q ? local_q[54:12] : system_q[54:12];

endmodule

`default_nettype wire
