// SPDX-License-Identifier: Apache-2.0
//
// Register accesses of the slot block: which register of which slot, one cycle after the
// access was on the bus, and what a write of CONTROL, CONFIG, POINTERS or FLAGS asks for. The
// registers of the block itself are here: its header and OVERSUBSCRIBED.
//
// A write of CONFIG, POINTERS or FLAGS to an enabled slot is ignored: two nodes never serve
// one slot. ENABLE of an enabled slot is ignored, too.

`default_nettype none

module rf_slot_access #(
  parameter int unsigned Slots = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::register_request_t register_i,
  input  wire rf_bus_pkg::slot_access_t slot_access_i,
  input  wire logic [15:0]  enabled_i,

  // One cycle later, all of them
  output      rf_bus_pkg::slot_register_t register_o,
  output logic [15:0]       slot_onehot_o,     // its slot, one-hot
  output      rf_bus_pkg::slot_control_t control_o,
  output logic              pointers_write_o,  // POINTERS of any slot is written
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

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end

  // How many slots there are is the device's own.
  localparam logic [63:0] Header1 = {rf_pkg::SlotBlockHeader1[63:16], 16'(Slots)};
  localparam logic [4:0] Config   = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] Pointers = rf_pkg::RegSlotPointers[7:3];
  localparam logic [4:0] Control  = rf_pkg::RegSlotControl[7:3];
  localparam logic [4:0] Flags    = rf_pkg::RegSlotFlags[7:3];
  localparam logic [16:0] Oversubscribed = rf_pkg::RegSlotOversubscribed;

  logic [16:0] address;
  assign address = {register_i.address, 3'b000};

  logic        read_q, write_q;
  logic [3:0]  slot_q;
  logic [4:0]  number_q;
  logic [63:0] data_q;
  logic [7:0]  strobe_q;
  logic       block_read;
  logic [2:0] block_read_q; // of a word of the block, by word
  assign block_read = register_i.valid && !register_i.write;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= 1'b0;
      write_q <= 1'b0;
      block_read_q     <= '0;
      oversubscribed_o <= 1'b0;
    end else begin
      read_q  <= slot_access_i.read;
      write_q <= slot_access_i.write;
      block_read_q[0]  <= block_read && address == Oversubscribed - 17'h10;
      block_read_q[1]  <= block_read && address == Oversubscribed - 17'h8;
      block_read_q[2]  <= block_read && address == Oversubscribed;
      if (register_i.valid && register_i.write && register_i.strobe[0] &&
          address == Oversubscribed) begin
        oversubscribed_o <= register_i.data[rf_pkg::SlotOversubscribedOversubscribedLsb];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    slot_q   <= slot_access_i.slot & 4'(Slots - 1); // as it is; synthesis drops the rest
    number_q <= address[7:3];
    data_q   <= register_i.data;
    strobe_q <= register_i.strobe;
  end
  always_comb begin
    register_o.read   = read_q;
    register_o.write  = write_q;
    register_o.slot   = slot_q;
    register_o.number = number_q;
    register_o.data   = data_q;
    register_o.strobe = strobe_q;
  end
  assign slot_onehot_o = 16'd1 << slot_q;

  // --- what is asked for ---------------------------------------------------------------
  logic        enabled_here, is_pointers, write_low, control;
  logic [15:0] free_here; // this slot, if it is not enabled
  assign enabled_here = enabled_i[slot_q];
  assign free_here    = slot_onehot_o & ~enabled_i;
  assign write_low    = write_q && strobe_q[0];
  assign is_pointers  = number_q == Pointers;
  assign control      = write_low && number_q == Control;

  assign refused_o         = enabled_here && number_q == Config;
  assign config_write_o    = write_low && number_q == Config && !enabled_here;
  assign pointers_write_o  = write_q && is_pointers &&
                             (strobe_q[0] || strobe_q[4]);
  assign config_here_o     = config_write_o ? slot_onehot_o : '0;
  assign pointers_here_o   = pointers_write_o ? free_here : '0;
  assign flags_here_o      = write_low && number_q == Flags ? free_here : '0;

  always_comb begin
    control_o.enable   = control && !enabled_here &&
                         data_q[rf_pkg::SlotControlEnableLsb];
    control_o.disables = control && data_q[rf_pkg::SlotControlDisableLsb];
    control_o.resample = control && data_q[rf_pkg::SlotControlResampleLsb];
    control_o.resume   = control && data_q[rf_pkg::SlotControlResumeLsb];
    control_o.preempt  = control && data_q[rf_pkg::SlotControlPreemptLsb];
    control_o.restore  = control && data_q[rf_pkg::SlotControlRestoreLsb];
    control_o.rearm    = control && data_q[rf_pkg::SlotControlRearmLsb];

    restart_o.valid = control_o.enable;
    restart_o.slot  = slot_q;

    descriptor_o.strobe = write_q && !refused_o
                          ? {strobe_q[4], strobe_q[0]} : 2'b00;
    descriptor_o.slot   = slot_q;
    descriptor_o.word   = number_q;
    descriptor_o.data   = data_q;
  end

  // What was written in the cycle of the read does not matter: there is one access a cycle.
  assign block_data_o = (block_read_q[0] ? rf_pkg::SlotBlockHeader0 : '0) |
                        (block_read_q[1] ? Header1 : '0) |
                        {63'd0, block_read_q[2] && oversubscribed_o};

endmodule

`default_nettype wire
