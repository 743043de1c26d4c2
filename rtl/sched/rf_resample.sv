// SPDX-License-Identifier: Apache-2.0
//
// RESAMPLE: reads the write-pointer record of a slot and offers it like a ring.
// Sits in the read port of a node, whose requests pass first.
//
// Promises: a RESAMPLE written after the read was issued makes it read again; a
// failed read is the slot's error; done_o comes when the offer acts.

`default_nettype none

module rf_resample (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic [1:0]  descriptor_write_i, // halves of a word of a slot's descriptor
  input  wire logic [3:0]  descriptor_slot_i,
  input  wire logic [4:0]  descriptor_word_i,
  input  wire logic [63:0] descriptor_data_i,

  input  wire logic [15:0] request_i,
  output logic             taken_o,          // its read is on its way
  output logic             done_o,           // and behind: its request may be forgotten
  output logic [3:0]       slot_o,

  input  wire logic        node_read_valid_i,
  output logic             node_read_ready_o,
  input  wire rf_bus_pkg::read_request_t node_read_i,
  output logic             read_valid_o,
  input  wire logic        read_ready_i,
  output      rf_bus_pkg::read_request_t read_o,
  input  wire logic        answer_valid_i,
  input  wire rf_bus_pkg::read_answer_t answer_i,

  output logic             offer_valid_o,
  input  wire logic        offer_ready_i,
  output logic [63:0]      offer_data_o,

  output logic             fail_valid_o,
  input  wire logic        fail_ready_i,
  output      rf_bus_pkg::failure_t fail_o,
  output logic             idle_o
);

  // The nodes' own ids are below 16.
  localparam logic [4:0] Id = 5'd16;

  typedef enum logic [2:0] {Idle, Request, Answer, Offer, Settle, Fail} state_e;
  state_e state_q, state_d;

  // The lowest slot first: the host asks for each once, none can starve another.
  logic [3:0]  index;
  logic [15:0] unused_grant;
  rf_lowest #(.Ports(16)) u_pick (
    .request_i, .grant_o(unused_grant), .index_o(index));

  logic       mine, last, ours_q;

  logic        write_config, look;
  logic [1:0]  write_address;
  logic [63:0] address;
  logic [3:0]  vmid;
  assign write_address = descriptor_word_i == rf_pkg::RegSlotWritePointerAddress[7:3]
                         ? descriptor_write_i : '0;
  assign write_config  = descriptor_write_i[0] &&
                         descriptor_word_i == rf_pkg::RegSlotConfig[7:3];

  // Not read while it is written.
  assign look = state_q == Request && !ours_q && write_address == '0;
  rf_ram #(.Width(64), .DepthLog2(4)) u_address (
    .clk_i, .write_i(write_address != '0), .write_address_i(descriptor_slot_i),
    .write_data_i(descriptor_data_i),
    .write_strobe_i({{4{write_address[1]}}, {4{write_address[0]}}}),
    .read_i(look), .read_address_i(slot_o), .read_data_o(address)
  );
  rf_lutram #(.Width(4)) u_vmid (
    .clk_i, .write_i(write_config), .write_address_i(descriptor_slot_i),
    .write_data_i(descriptor_data_i[rf_pkg::SlotConfigVmidLsb +: 4]), .read_address_i(slot_o),
    .read_data_o(vmid)
  );

  // Ours comes behind a cycle without the node's, and stays until it is taken.
  assign read_valid_o      = node_read_valid_i || ours_q;
  assign node_read_ready_o = read_ready_i && !ours_q;
  always_comb begin
    read_o = node_read_i;
    if (ours_q) begin
      read_o.vmid  = vmid;
      read_o.va    = address;
      read_o.words = 7'd1;
      read_o.id    = Id;
    end
  end

  assign taken_o = ours_q && read_ready_i;
  assign mine    = answer_valid_i && answer_i.master == rf_bus_pkg::ReadFetchCompute &&
                   answer_i.id == Id;
  assign last    = mine && answer_i.last;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (request_i != '0) state_d = Request;
      Request: if (taken_o) state_d = Answer;
      Answer:  if (last) state_d = (answer_i.status == rf_pkg::AccessStatusOk) ? Offer : Fail;
      Offer:   if (offer_ready_i) state_d = Settle;
      Settle:  state_d = Idle; // rf_slots decides
      Fail:    if (fail_ready_i) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  logic [2:0] status_q;
  logic [1:0] level_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= Idle;
      ours_q   <= 1'b0;
    end else begin
      state_q  <= state_d;
      ours_q   <= state_q == Request && !taken_o && (ours_q || (look && !node_read_valid_i));
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) slot_o <= index;
    if (mine) begin
      offer_data_o <= answer_i.data;
      status_q     <= answer_i.status;
      level_q      <= answer_i.level;
    end
  end

  assign offer_valid_o = state_q == Offer;
  assign fail_valid_o  = state_q == Fail;
  assign done_o        = state_q == Settle || (state_q == Fail && fail_ready_i);
  assign idle_o        = state_q == Idle;

  always_comb begin
    fail_o         = '0;
    fail_o.error   = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, status_q};
    fail_o.level   = level_q;
    fail_o.address = address;
  end

endmodule

`default_nettype wire
