// SPDX-License-Identifier: Apache-2.0
//
// Register accesses of the slot block: which register of which slot, one cycle after the
// access was on the bus, and what a write of CONTROL, CONFIG, POINTERS or FLAGS asks for. The
// registers of the block itself are here: its header and OVERSUBSCRIBED.
//
// A write of CONFIG, POINTERS or FLAGS to an enabled slot is ignored: two nodes never serve
// one slot. ENABLE of an enabled slot is ignored, too.

`default_nettype none

module rf_slot_access (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  input  wire rf_bus_pkg::slot_access_t slot_access_i,
  input  wire logic [15:0]  enabled_i,

  // One cycle later, all of them
  output      rf_bus_pkg::slot_register_t register_o,
  output logic [15:0]       here_o,            // its slot, one-hot
  output      rf_bus_pkg::slot_control_t control_o,
  output logic              pointers_access_o, // POINTERS, of any slot,
  output logic              pointers_write_o,  // is written
  output logic              config_write_o,    // CONFIG of this slot, which is not enabled
  // Slots of which this is written and taken, one-hot
  output logic [15:0]       config_here_o,
  output logic [15:0]       pointers_here_o,
  output logic [15:0]       flags_here_o,
  output logic              refused_o,         // a write is: CONFIG of an enabled slot
  output      rf_bus_pkg::descriptor_write_t descriptor_o,
  output      rf_bus_pkg::slot_event_t restart_o,

  output logic              oversubscribed_o,
  output logic [63:0]       block_data_o       // word of the block that is read
);

  localparam logic [4:0] Config   = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] Pointers = rf_pkg::RegSlotPointers[7:3];
  localparam logic [4:0] Control  = rf_pkg::RegSlotControl[7:3];
  localparam logic [4:0] Flags    = rf_pkg::RegSlotFlags[7:3];
  localparam logic [16:3] Oversubscribed = rf_pkg::RegSlotOversubscribed[16:3];

  rf_bus_pkg::slot_register_t register_q;
  logic       block_read;
  logic [2:0] block_read_q; // of a word of the block, by word
  assign block_read = register_i.valid && !register_i.write;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      register_q.read  <= 1'b0;
      register_q.write <= 1'b0;
      block_read_q     <= '0;
      oversubscribed_o <= 1'b0;
    end else begin
      register_q.read  <= slot_access_i.read;
      register_q.write <= slot_access_i.write;
      block_read_q[0]  <= block_read && register_i.address == Oversubscribed - 14'd2;
      block_read_q[1]  <= block_read && register_i.address == Oversubscribed - 14'd1;
      block_read_q[2]  <= block_read && register_i.address == Oversubscribed;
      if (register_i.valid && register_i.write && register_i.strobe[0] &&
          register_i.address == Oversubscribed) begin
        oversubscribed_o <= register_i.data[rf_pkg::SlotOversubscribedOversubscribedLsb];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    register_q.slot   <= slot_access_i.slot;
    register_q.number <= register_i.address[7:3];
    register_q.data   <= register_i.data;
    register_q.strobe <= register_i.strobe;
  end
  assign register_o = register_q;
  assign here_o     = 16'd1 << register_q.slot;

  // --- what is asked for ---------------------------------------------------------------
  logic        enabled_here, is_pointers, write_low, control;
  logic [15:0] free_here; // this slot, if it is not enabled
  assign enabled_here = enabled_i[register_q.slot];
  assign free_here    = here_o & ~enabled_i;
  assign write_low    = register_q.write && register_q.strobe[0];
  assign is_pointers  = register_q.number == Pointers;
  assign control      = write_low && register_q.number == Control;

  assign refused_o         = enabled_here && register_q.number == Config;
  assign config_write_o    = write_low && register_q.number == Config && !enabled_here;
  assign pointers_access_o = (register_q.read || register_q.write) && is_pointers;
  assign pointers_write_o  = register_q.write && is_pointers &&
                             (register_q.strobe[0] || register_q.strobe[4]);
  assign config_here_o     = config_write_o ? here_o : '0;
  assign pointers_here_o   = pointers_write_o ? free_here : '0;
  assign flags_here_o      = write_low && register_q.number == Flags ? free_here : '0;

  always_comb begin
    control_o.enable   = control && !enabled_here &&
                         register_q.data[rf_pkg::SlotControlEnableLsb];
    control_o.disables = control && register_q.data[rf_pkg::SlotControlDisableLsb];
    control_o.resample = control && register_q.data[rf_pkg::SlotControlResampleLsb];
    control_o.resume   = control && register_q.data[rf_pkg::SlotControlResumeLsb];
    control_o.preempt  = control && register_q.data[rf_pkg::SlotControlPreemptLsb];
    control_o.restore  = control && register_q.data[rf_pkg::SlotControlRestoreLsb];
    control_o.rearm    = control && register_q.data[rf_pkg::SlotControlRearmLsb];

    restart_o.valid = control_o.enable;
    restart_o.slot  = register_q.slot;

    descriptor_o.strobe = register_q.write && !refused_o
                          ? {register_q.strobe[4], register_q.strobe[0]} : 2'b00;
    descriptor_o.slot   = register_q.slot;
    descriptor_o.word   = register_q.number;
    descriptor_o.data   = register_q.data;
  end

  // What was written in the cycle of the read does not matter: there is one access a cycle.
  assign block_data_o = (block_read_q[0] ? rf_pkg::SlotBlockHeader0 : '0) |
                        (block_read_q[1] ? rf_pkg::SlotBlockHeader1 : '0) |
                        {63'd0, block_read_q[2] && oversubscribed_o};

endmodule

`default_nettype wire
