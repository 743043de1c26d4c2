// SPDX-License-Identifier: Apache-2.0
//
// The device block of ringfence.toml: identity, time and its correlation with
// the CPU's, liveness, completion time-out, interrupt self-test.

`default_nettype none

module rf_device_registers #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter bit          MonitoredShadow = 1'b1,
  parameter int unsigned TimestampHz = 125_000_000,
  parameter int unsigned Tags = 16,
  parameter int unsigned Slots = 16,
  parameter bit          VectorEngine = 1'b1
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  input  wire        rf_bus_pkg::register_request_t register_i,
  output logic [63:0]                               register_data_o,

  input  wire logic                                 others_idle_i,
  output logic [63:0]                               timestamp_o,
  output logic [31:0]                               completion_timeout_o,
  output logic                                      interrupt_test_valid_o,
  output logic [15:0]                               interrupt_test_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (TimestampHz == 0) begin : gen_bad_timestamp_hz
    $error("a clock has a frequency");
  end
  if (Tags < 2 || Tags > 32 || (Tags & (Tags - 1)) != 0) begin : gen_bad_tags
    $error("a tag has five bits, and their number is a power of two");
  end

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  localparam logic [63:0] Parameters =
      (64'(LocalMemoryLog2) << rf_pkg::DeviceParametersLocalMemoryLog2Lsb) |
      (64'(Slots) << rf_pkg::DeviceParametersSlotsLsb) |
      (64'd8 << rf_pkg::DeviceParametersDoorbellsLsb) |
      (64'(rf_pkg::NodeIndexedCount) << rf_pkg::DeviceParametersNodesLsb) |
      (64'(rf_pkg::MsixVectors) << rf_pkg::DeviceParametersVectorsLsb) |
      (64'(Tags) << rf_pkg::DeviceParametersTagsLsb) |
      (64'(MonitoredShadow) << rf_pkg::DeviceParametersMonitoredShadowLsb) |
      (64'(VectorEngine) << rf_pkg::DeviceParametersVectorEngineLsb);

  logic [16:0] address;
  logic        read, write;
  assign address = {register_i.address, 3'b000};
  assign read    = register_i.valid && !register_i.write;
  assign write   = register_i.valid && register_i.write;

  logic [63:0] correlation_q, correlation_timestamp_q, scratch_q;
  logic [31:0] liveness_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      timestamp_o             <= '0;
      correlation_q           <= '0;
      correlation_timestamp_q <= '0;
      scratch_q               <= '0;
      liveness_q              <= '0;
      completion_timeout_o    <= rf_pkg::DeviceCompletionTimeoutReset[31:0];
      interrupt_test_valid_o  <= 1'b0;
      interrupt_test_o        <= '0;
    end else begin
      timestamp_o            <= timestamp_o + 1'b1;
      interrupt_test_valid_o <= 1'b0;
      if (read && address == rf_pkg::RegDeviceLiveness) liveness_q <= liveness_q + 1'b1;
      if (write && address == rf_pkg::RegDeviceCorrelation) correlation_timestamp_q <= timestamp_o;
      if (write && address == rf_pkg::RegDeviceInterruptTest) begin
        interrupt_test_valid_o <= 1'b1;
        interrupt_test_o       <= {register_i.strobe[1] ? register_i.data[15:8] : 8'd0,
                                   register_i.strobe[0] ? register_i.data[7:0] : 8'd0};
      end
      // Bytes of a register that a write does not touch keep their value.
      for (int unsigned b = 0; b < 8; b++) begin
        if (write && register_i.strobe[b]) begin
          if (address == rf_pkg::RegDeviceCorrelation) begin
            correlation_q[b*8 +: 8] <= register_i.data[b*8 +: 8];
          end
          if (address == rf_pkg::RegDeviceScratch) scratch_q[b*8 +: 8] <= register_i.data[b*8 +: 8];
        end
      end
      for (int unsigned b = 0; b < 4; b++) begin
        if (write && register_i.strobe[b] && address == rf_pkg::RegDeviceCompletionTimeout) begin
          completion_timeout_o[b*8 +: 8] <= register_i.data[b*8 +: 8];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (read) begin
      unique case (address)
        rf_pkg::RegDeviceParameters - 17'h10:  register_data_o <= rf_pkg::DeviceBlockHeader0;
        rf_pkg::RegDeviceParameters - 17'h8:   register_data_o <= rf_pkg::DeviceBlockHeader1;
        rf_pkg::RegDeviceParameters:           register_data_o <= Parameters;
        rf_pkg::RegDeviceTimestamp:            register_data_o <= timestamp_o;
        rf_pkg::RegDeviceTimestampHz:          register_data_o <= 64'(TimestampHz);
        rf_pkg::RegDeviceCorrelation:          register_data_o <= correlation_q;
        rf_pkg::RegDeviceCorrelationTimestamp: register_data_o <= correlation_timestamp_q;
        rf_pkg::RegDeviceLiveness:             register_data_o <= {32'd0, liveness_q};
        rf_pkg::RegDeviceStatus:               register_data_o <= {63'd0, others_idle_i};
        rf_pkg::RegDeviceCompletionTimeout:    register_data_o <= {32'd0, completion_timeout_o};
        rf_pkg::RegDeviceScratch:              register_data_o <= scratch_q;
        default:                               register_data_o <= '0;
      endcase
    end
  end

endmodule

`default_nettype wire
