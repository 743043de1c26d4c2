// SPDX-License-Identifier: Apache-2.0
//
// Reads of slot registers: STATUS and FLAGS, assembled one cycle after the access. The pointers
// and the contents of rf_slot_memory follow a cycle later, as does STATUS.packet_words of a slot
// that no node serves.
// Latency: data_o two cycles after the access on the bus; 0 in other cycles.

`default_nettype none

module rf_slot_status (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         read_i,
  input  wire logic [3:0]   slot_i,
  input  wire logic [4:0]   number_i,         // of the register that is read
  input  wire logic [15:0]  pointers_here_i,  // POINTERS of this slot is written, one-hot
  input  wire logic [63:0]  block_data_i,     // of a word of the block

  // Of slot n at [n]
  input  wire logic [15:0]  enabled_i,
  input  wire logic [15:0]  error_i,
  input  wire logic [15:0]  stopped_i,
  input  wire logic [15:0]  waiting_i,
  input  wire logic [15:0]  waited_i,
  input  wire logic [15:0]  parked_i,
  input  wire logic [15:0]  work_i,
  input  wire logic [15:0]  in_buffer_i,
  input  wire logic [15:0]  resample_i,
  input  wire logic [15:0]  wait_over_i,
  input  wire logic [15:0]  stalled_i,

  // Of the slot that is read
  input  wire logic [7:0]   error_cause_i,
  input  wire logic [1:0]   error_level_i,
  input  wire logic         error_store_i,
  input  wire logic [47:0]  read_pointer_i,   // a cycle later, both
  input  wire logic [47:0]  write_pointer_i,
  /* verilator lint_off UNUSEDSIGNAL */ // some fields only
  input  wire rf_bus_pkg::node_place_t place0_i,
  input  wire rf_bus_pkg::node_place_t place1_i,
  /* verilator lint_on UNUSEDSIGNAL */

  output logic              in_memory_o,      // the register lies there,
  output logic [4:0]        memory_number_o,  // where to look; also of a write
  input  wire logic [63:0]  memory_data_i,    // a cycle later
  output logic [63:0]       data_o
);

  localparam logic [4:0] Pointers     = rf_pkg::RegSlotPointers[7:3];
  localparam logic [4:0] WritePointer = rf_pkg::RegSlotWritePointer[7:3];
  localparam logic [4:0] Status       = rf_pkg::RegSlotStatus[7:3];
  localparam logic [4:0] ErrorAddress = rf_pkg::RegSlotErrorAddress[7:3];
  localparam logic [4:0] Flags        = rf_pkg::RegSlotFlags[7:3];
  localparam logic [4:0] BufferState  = rf_pkg::RegSlotBufferState[7:3];
  localparam logic [4:0] QuantumLeft  = rf_pkg::RegSlotQuantumLeft[7:3];

  // Registers that lie in rf_slot_memory and that the host writes.
  localparam logic [31:0] Kept =
      (32'd1 << rf_pkg::RegSlotRingBase[7:3]) | (32'd1 << rf_pkg::RegSlotConfig[7:3]) |
      (32'd1 << rf_pkg::RegSlotQuantum[7:3]) |
      (32'd1 << rf_pkg::RegSlotWritePointerAddress[7:3]) |
      (32'd1 << rf_pkg::RegSlotSaveAddress[7:3]) |
      (32'd1 << rf_pkg::RegSlotBufferAddress[7:3]) | (32'd1 << BufferState) |
      (32'd1 << rf_pkg::RegSlotOperationDone[7:3]) |
      (32'd1 << rf_pkg::RegSlotOperationPartial[7:3]) |
      (32'd1 << rf_pkg::RegSlotWaitObserved[7:3]) | (32'd1 << QuantumLeft);
  assign in_memory_o = Kept[number_i];

  // A read of STATUS looks for the position, a write of POINTERS clears QUANTUM_LEFT.
  assign memory_number_o = number_i == Status   ? BufferState :
                           number_i == Pointers ? QuantumLeft : number_i;

  // --- the slot that is read --------------------------------------------------------------
  logic        enabled, in_error, stopped, waiting, works, in_buffer, serving0, serving1;
  logic [28:0] words;
  logic [3:0]  state;
  assign enabled   = enabled_i[slot_i];
  assign in_error  = error_i[slot_i];
  assign stopped   = stopped_i[slot_i];
  assign waiting   = waiting_i[slot_i] || (waited_i[slot_i] && parked_i[slot_i]);
  assign works     = work_i[slot_i];
  assign in_buffer = in_buffer_i[slot_i];
  assign serving0  = place0_i.busy && place0_i.slot == slot_i;
  assign serving1  = place1_i.busy && place1_i.slot == slot_i;
  assign words     = serving1 ? place1_i.words : place0_i.words;

  always_comb begin
    if (!enabled) state = rf_pkg::SlotStateDisabled[3:0];
    else if (in_error) state = rf_pkg::SlotStateError[3:0];
    else if (stopped) state = rf_pkg::SlotStateStoppedHost[3:0];
    else if (waiting) state = rf_pkg::SlotStateWaiting[3:0];
    else if (serving0 || serving1) state = rf_pkg::SlotStateRunning[3:0];
    else if (works) state = rf_pkg::SlotStateRunnable[3:0];
    else state = rf_pkg::SlotStateIdle[3:0];
  end

  logic [63:0] status, flags;
  always_comb begin
    status = '0;
    status[rf_pkg::SlotStatusStateLsb +: 4] = state;
    if (in_error) begin
      status[rf_pkg::SlotStatusErrorLsb +: 8] = error_cause_i;
      status[rf_pkg::SlotStatusLevelLsb +: 2] = error_level_i;
      status[rf_pkg::SlotStatusStoreLsb]      = error_store_i;
    end
    status[rf_pkg::SlotStatusResamplingLsb] = resample_i[slot_i];
    if (in_buffer && (serving0 || serving1)) begin
      status[rf_pkg::SlotStatusPacketWordsLsb +: 29] = words;
    end

    flags = '0;
    flags[rf_pkg::SlotFlagsInBufferLsb] = in_buffer;
    flags[rf_pkg::SlotFlagsWaitOverLsb] = wait_over_i[slot_i];
    flags[rf_pkg::SlotFlagsStalledLsb]  = stalled_i[slot_i];
    flags[rf_pkg::SlotFlagsWaitedLsb]   = waited_i[slot_i];
    flags[rf_pkg::SlotFlagsStoppedLsb]  = stopped;
  end

  // --- the response -----------------------------------------------------------------------------
  logic [15:0] pointers_set_q; // since reset; until then they read 0
  logic [63:0] standing_q;
  logic        in_memory_q, position_q, read_pointer_q, write_pointer_q; // what is asked for
  logic        pointers_known;
  assign pointers_known = pointers_set_q[slot_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pointers_set_q  <= '0;
      standing_q      <= '0;
      in_memory_q     <= 1'b0;
      position_q      <= 1'b0;
      read_pointer_q  <= 1'b0;
      write_pointer_q <= 1'b0;
    end else begin
      pointers_set_q  <= pointers_set_q | pointers_here_i;
      in_memory_q     <= read_i && (in_memory_o || (number_i == ErrorAddress && in_error));
      position_q      <= read_i && number_i == Status && in_buffer && !serving0 && !serving1;
      read_pointer_q  <= read_i && number_i == Pointers && pointers_known;
      write_pointer_q <= read_i && number_i == WritePointer && pointers_known;
      standing_q      <= block_data_i;
      if (read_i) begin
        unique case (number_i)
          Status:  standing_q <= status;
          Flags:   standing_q <= flags;
          default: standing_q <= '0;
        endcase
      end
    end
  end

  logic [63:0] position;
  logic [47:0] pointer;
  assign pointer = (read_pointer_q ? read_pointer_i : '0) |
                   (write_pointer_q ? write_pointer_i : '0);
  always_comb begin
    position = '0;
    if (position_q) position[rf_pkg::SlotStatusPacketWordsLsb +: 29] = memory_data_i[60:32];
  end
  rf_or_late #(.Late(1)) u_data (
    .late_i(position | (in_memory_q ? memory_data_i : '0)),
    .early_i(standing_q | {16'd0, pointer}), .data_o
  );

endmodule

`default_nettype wire
