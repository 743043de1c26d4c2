// SPDX-License-Identifier: Apache-2.0
//
// Type 0 configuration space with PM, PCI Express and MSI-X capabilities, and function-level
// reset. A separate module, so that a hard IP's can replace it.
// Promises: function_reset_o starts only when quiet_i says that the completion of the requesting
// write has been sent and no TLP is cut; hold_o keeps new TLPs of the device from starting
// meanwhile. A read that waits for credits does not delay the reset, which has 100 ms: it is sent
// later, and its tag stays reserved.
// Latency: read data one cycle after access_valid_i.

`default_nettype none

module rf_pcie_config #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         access_valid_i,
  input  wire logic         access_write_i,
  input  wire logic [11:2]  access_address_i,
  input  wire logic [15:3]  access_device_i,  // bus and device number it was sent to
  input  wire logic [31:0]  access_data_i,
  input  wire logic [3:0]   access_strobe_i,
  output logic [31:0]       access_data_o,

  output logic              memory_enable_o,
  output logic              bus_master_o,
  output logic [63:17]      bar0_o,
  output logic [63:12]      bar2_o,
  output logic [31:12]      bar4_o,
  output logic [15:0]       function_id_o,
  output logic              large_payload_o,  // max payload is 256 bytes, else 128
  output logic [6:0]        max_read_words_o,
  output logic              timeout_disable_o,
  output logic              msix_enable_o,
  output logic              msix_mask_o,
  output rf_bus_pkg::error_enables_t error_enables_o,
  output logic              d3hot_o,
  output logic              extended_synch_o,

  // of the link
  /* verilator lint_off UNUSEDSIGNAL */ // its errors are rf_pcie_errors'
  input  wire        rf_bus_pkg::link_status_t link_status_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire        rf_bus_pkg::slot_power_t slot_power_i,

  // what happened, for the status registers
  input  wire logic         transactions_pending_i,
  input  wire        rf_bus_pkg::error_status_t errors_i,
  input  wire logic         signaled_i,            // an error, by SERR# Enable
  input  wire logic         poisoned_i,
  input  wire logic         received_abort_i,      // a completion with UR
  input  wire logic         received_target_abort_i,
  input  wire logic         poisoned_response_i,

  input  wire logic         quiet_i,
  output logic              hold_o,
  output logic              function_reset_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end

  localparam int unsigned LocalLog2 = LocalMemoryLog2 < 12 ? 12 : LocalMemoryLog2;
  localparam logic [7:0] PowerOffset = 8'h40, ExpressOffset = 8'h50, MsixOffset = 8'h90;

  // DW numbers.
  localparam logic [5:0] Id = 6'h00, Command = 6'h01, Class = 6'h02, CacheLine = 6'h03;
  localparam logic [5:0] Bar0 = 6'h04, Bar1 = 6'h05, Bar2 = 6'h06, Bar3 = 6'h07, Bar4 = 6'h08;
  localparam logic [5:0] Subsystem = 6'h0b, Capabilities = 6'h0d, InterruptLine = 6'h0f;
  localparam logic [5:0] Power = PowerOffset[7:2], PowerControl = Power + 6'd1;
  localparam logic [5:0] Express = ExpressOffset[7:2], DeviceCapabilities = Express + 6'd1;
  localparam logic [5:0] DeviceControl = Express + 6'd2, LinkCapabilities = Express + 6'd3;
  localparam logic [5:0] LinkControl = Express + 6'd4, DeviceCapabilities2 = Express + 6'd9;
  localparam logic [5:0] DeviceControl2 = Express + 6'd10, LinkCapabilities2 = Express + 6'd11;
  localparam logic [5:0] LinkControl2 = Express + 6'd12;
  localparam logic [5:0] Msix = MsixOffset[7:2], MsixTable = Msix + 6'd1, MsixPending = Msix + 6'd2;

  localparam logic [2:0] TableSize = 3'(rf_pkg::MsixVectors - 1);
  localparam logic [2:0] TableBar = 3'd4;

  logic        memory_q, master_q, parity_q, serr_q, interrupt_disable_q;
  logic [4:0]  status_q;           // detected parity, system error, master abort, target abort,
                                   // data parity
  logic [7:0]  cache_line_q, interrupt_line_q;
  logic        d3_q;
  logic [4:0]  report_q;           // error reporting enables, relaxed ordering enable
  logic        large_payload_q;
  logic [2:0]  read_size_q;
  rf_bus_pkg::error_status_t errors_q;
  logic [4:0]  link_q;             // extended synch, common clock, RCB, ASPM
  logic [12:0] device_q;           // bus and device number
  logic [9:0]  slot_power_q;       // scale, value
  logic [3:0]  speed;
  logic [5:0]  width;
  logic        gen1;               // 2.5 GT/s and nothing else

  assign speed = link_status_i.speed == '0 ? 4'd2 : link_status_i.speed;
  assign width = link_status_i.width == '0 ? 6'd1 : link_status_i.width;
  assign gen1  = speed == 4'd1;

  // --- reads ----------------------------------------------------------------------
  logic [5:0]  register;
  logic [31:0] data;
  assign register = access_address_i[7:2];

  always_comb begin
    data = '0;
    case (register)
      Id, Subsystem:  data = {rf_pkg::DeviceId[15:0], rf_pkg::VendorId[15:0]};
      Command:        data = {status_q[4:1], 3'b0, status_q[0], 3'b0, 1'b1, 4'b0,
                              5'b0, interrupt_disable_q, 1'b0, serr_q, 1'b0, parity_q,
                              3'b0, master_q, memory_q, 1'b0};
      Class:          data = {rf_pkg::ClassCode[23:0], 8'h00};
      CacheLine:      data = {24'h0, cache_line_q};
      Bar0:           data = {bar0_o[31:17], 17'h4};  // 64-bit
      Bar1:           data = bar0_o[63:32];
      Bar2:           data = {bar2_o[31:12], 12'hc};  // 64-bit, prefetchable
      Bar3:           data = bar2_o[63:32];
      Bar4:           data = {bar4_o, 12'h0};
      Capabilities:   data = {24'h0, PowerOffset};
      InterruptLine:  data = {24'h0, interrupt_line_q};
      Power:          data = {16'h0003, ExpressOffset, 8'h01};
      PowerControl:   data = {28'h0, 1'b1, 1'b0, {2{d3_q}}};   // bit 3: D3hot keeps everything
      Express:        data = {16'h0002, MsixOffset, 8'h10};
      // FLR; role-based errors; 256 bytes
      DeviceCapabilities: data = {4'h1, slot_power_q, 2'b00, 16'h8001};
      DeviceControl:  data = {10'h0, transactions_pending_i, 1'b0, errors_q,
                              1'b0, read_size_q, 4'h0, 2'b00, large_payload_q, report_q};
      // ASPM optionality, and no ASPM
      LinkCapabilities: data = {8'h0, 2'b01, 12'h0, width, speed};
      LinkControl:    data = {3'b0, link_status_i.slot_clock, 2'b0, width, speed,
                              8'h0, link_q[4:3], 2'b0, link_q[2], 1'b0, link_q[1:0]};
      DeviceCapabilities2: data = 32'h0000_0010; // the time-out can be disabled
      DeviceControl2: data = {27'h0, timeout_disable_o, 4'h0};
      LinkCapabilities2: data = {29'h0, !gen1, 2'b10}; // 2.5 and perhaps 5 GT/s
      LinkControl2:   data = {30'h0, !gen1, 1'b0};     // 5 GT/s; nothing to choose from: 0
      Msix:           data = {msix_enable_o, msix_mask_o, 11'h0, TableSize, 8'h00, 8'h11};
      MsixTable:      data = {29'h0, TableBar};
      MsixPending:    data = {rf_pkg::MsixPbaOffset[31:3], TableBar};
      default: ;
    endcase
    if (access_address_i[11:8] != '0) data = '0; // no extended capabilities
  end

  always_ff @(posedge clk_i) begin
    if (access_valid_i) access_data_o <= data;
  end

  // --- function-level reset -----------------------------------------------------------
  logic       write, reset_write, waiting_q;
  logic [3:0] reset_count_q;

  assign write       = access_valid_i && access_write_i && access_address_i[11:8] == '0;
  assign reset_write = write && register == DeviceControl && access_strobe_i[1] &&
                       access_data_i[15];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q        <= 1'b0;
      reset_count_q    <= '0;
      function_reset_o <= 1'b0;
      hold_o           <= 1'b0;
    end else begin
      // From the cycle after the write to the end of the reset. The transmit path, far away, knows
      // it a cycle later: before the completion of the write has left, and so before it is quiet.
      hold_o <= reset_write || waiting_q || (function_reset_o && reset_count_q != '1);
      if (reset_write) waiting_q <= 1'b1;
      else if (waiting_q && quiet_i) waiting_q <= 1'b0;
      if (waiting_q && quiet_i) function_reset_o <= 1'b1;
      else if (reset_count_q == '1) function_reset_o <= 1'b0;
      reset_count_q <= function_reset_o ? reset_count_q + 1'b1 : '0;
    end
  end

  // --- writes ---------------------------------------------------------------------------
  logic [31:0] mask, merged_bar;
  logic [63:0] bar0, bar2; // the bits below the size stay 0
  assign mask = {{8{access_strobe_i[3]}}, {8{access_strobe_i[2]}},
                 {8{access_strobe_i[1]}}, {8{access_strobe_i[0]}}};
  // The BARs read back what is kept, so a merge with the read value keeps the
  // bytes that the write leaves out.
  assign merged_bar = (access_data_i & mask) | (data & ~mask);
  assign bar0_o = bar0[63:17];
  assign bar2_o = bar2[63:12];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bar0   <= '0;
      bar2   <= '0;
      bar4_o <= '0;
    end else if (function_reset_o) begin
      bar0   <= '0;
      bar2   <= '0;
      bar4_o <= '0;
    end else if (write) begin
      if (register == Bar0) bar0[31:17] <= merged_bar[31:17];
      if (register == Bar1) bar0[63:32] <= merged_bar;
      if (register == Bar2) bar2[31:LocalLog2] <= merged_bar[31:LocalLog2];
      if (register == Bar3) bar2[63:32] <= merged_bar;
      if (register == Bar4) bar4_o <= merged_bar[31:12];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {memory_q, master_q, parity_q, serr_q, interrupt_disable_q} <= '0;
      cache_line_q      <= '0;
      interrupt_line_q  <= '0;
      d3_q              <= 1'b0;
      report_q          <= 5'h10;
      read_size_q       <= 3'd2;
      timeout_disable_o <= 1'b0;
      msix_enable_o     <= 1'b0;
      msix_mask_o       <= 1'b0;
    end else if (function_reset_o) begin
      {memory_q, master_q, parity_q, serr_q, interrupt_disable_q} <= '0;
      cache_line_q      <= '0;
      interrupt_line_q  <= '0;
      d3_q              <= 1'b0;
      report_q          <= 5'h10;
      read_size_q       <= 3'd2;
      timeout_disable_o <= 1'b0;
      msix_enable_o     <= 1'b0;
      msix_mask_o       <= 1'b0;
    end else if (write) begin
      case (register)
        Command: begin
          if (access_strobe_i[0]) {parity_q, master_q, memory_q} <=
              {access_data_i[6], access_data_i[2:1]};
          if (access_strobe_i[1]) {interrupt_disable_q, serr_q} <=
              {access_data_i[10], access_data_i[8]};
        end
        CacheLine:     if (access_strobe_i[0]) cache_line_q <= access_data_i[7:0];
        InterruptLine: if (access_strobe_i[0]) interrupt_line_q <= access_data_i[7:0];
        // D1 and D2 do not exist: writing them changes nothing.
        PowerControl:  if (access_strobe_i[0] && access_data_i[0] == access_data_i[1])
            d3_q <= access_data_i[0];
        DeviceControl: begin
          if (access_strobe_i[0]) report_q <= access_data_i[4:0];
          if (access_strobe_i[1]) read_size_q <= access_data_i[14:12];
        end
        DeviceControl2: if (access_strobe_i[0]) timeout_disable_o <= access_data_i[4];
        Msix: if (access_strobe_i[3]) {msix_enable_o, msix_mask_o} <= access_data_i[31:30];
        default: ;
      endcase
    end
  end

  // What a function-level reset keeps: max payload size, the link's settings, the slot's power,
  // and the number under which the function is known.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      large_payload_q <= 1'b0;
      link_q          <= '0;
      device_q        <= '0;
      slot_power_q    <= '0;
    end else begin
      if (write && register == DeviceControl && access_strobe_i[0]) begin
        large_payload_q <= access_data_i[7:5] != '0;
      end
      if (write && register == LinkControl && access_strobe_i[0]) begin
        link_q <= {access_data_i[7:6], access_data_i[3], access_data_i[1:0]};
      end
      if (access_valid_i && access_write_i) device_q <= access_device_i;
      if (slot_power_i.valid) slot_power_q <= {slot_power_i.scale, slot_power_i.value};
    end
  end

  logic unused;
  assign unused = ^{bar0[16:0], bar2[11:0]};

  // --- status: set by events, cleared by writing one -------------------------------------
  logic [4:0] status_set, status_clear;
  logic [3:0] errors_clear;

  assign status_set = {poisoned_i || poisoned_response_i, signaled_i, received_abort_i,
                       received_target_abort_i, poisoned_response_i && parity_q};
  assign status_clear = (write && register == Command && access_strobe_i[3])
      ? {access_data_i[31:28], access_data_i[24]} : '0;
  assign errors_clear = (write && register == DeviceControl && access_strobe_i[2])
      ? access_data_i[19:16] : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      status_q <= '0;
      errors_q <= '0;
    end else if (function_reset_o) begin
      status_q <= '0;
      errors_q <= '0;
    end else begin
      status_q <= (status_q & ~status_clear) | status_set;
      errors_q <= (errors_q & ~errors_clear) | errors_i;
    end
  end

  // In D3hot only configuration requests are served and nothing is requested. A
  // cycle late, which is before the completion of the write that changes them.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      memory_enable_o <= 1'b0;
      bus_master_o    <= 1'b0;
    end else begin
      memory_enable_o <= memory_q && !d3_q;
      bus_master_o    <= master_q && !d3_q;
    end
  end

  assign function_id_o    = {device_q, 3'b000};
  assign error_enables_o  = {serr_q, report_q[3:0]};
  assign d3hot_o          = d3_q;
  assign extended_synch_o = link_q[4];
  assign large_payload_o  = large_payload_q;
  assign max_read_words_o = read_size_q == 3'd0 ? 7'd16 : read_size_q == 3'd1 ? 7'd32 : 7'd64;

endmodule

`default_nettype wire
