// SPDX-License-Identifier: Apache-2.0
//
// The receiving half of the serial link layer (docs/serial-line.md has the format). Promises:
// every TLP of the other side is delivered once, complete and in the order of the sequence
// numbers, whatever is lost, damaged or inserted on the line.
//
// A frame counts if its CRC is right and it carries this side's link number, or resets the link to
// another number. Only the expected TLP is accepted, if there is room. An earlier one is a
// duplicate and is acknowledged again; a later one means that frames were lost: a Nak, once until
// the next good frame. consumed_o, the number of the first TLP that has not left the buffer, is
// acknowledged: an Ack returns the room.

`default_nettype none

module rf_serial_receive #(
  parameter int unsigned SlotsLog2 = 3    // TLPs in the buffer
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  // From rf_frame_receive
  input  wire logic        byte_valid_i,
  input  wire logic [7:0]  byte_i,
  input  wire logic        end_i,
  input  wire logic        good_i,

  input  wire logic [7:0]  link_i,
  output logic             reset_o,       // to link number reset_link_o
  output logic [7:0]       reset_link_o,

  // To rf_serial_transmit
  output logic             ack_valid_o,
  output logic [7:0]       ack_o,
  output logic             nak_o,         // with ack_valid_o
  output logic             response_o,      // an Ack is due
  output logic             lost_o,        // a Nak is due
  output logic [7:0]       consumed_o,

  output logic             tlp_valid_o,
  output logic             tlp_last_o,
  output logic [7:0]       tlp_byte_o,
  input  wire logic        tlp_ready_i,
  output logic             idle_o
);

  if (SlotsLog2 < 1 || SlotsLog2 > 6) begin : gen_bad_slots_log2
    $error("a sequence number has eight bits");
  end

  localparam int unsigned SlotLog2 = 9;   // bytes of a TLP and the CRC behind it
  localparam logic [9:0] Header = 10'd4;
  localparam logic [9:0] Check = 10'd4;
  localparam logic [9:0] Longest = 10'd516;
  localparam logic [9:0] Shortest = 10'd16;

  // --- frames -------------------------------------------------------------------------
  logic [9:0] count_q;     // bytes of the frame so far
  logic       tlp_q, nak_q, reset_q, room_q, loss_reported_q;
  logic [7:0] number_q, sequence_q;
  logic [7:0] expected_q, ahead, behind;
  logic       room, sound, mine, whole, accept, lost;
  logic [9:0] length;
  logic [SlotLog2-1:0] offset;

  assign length = count_q - Header - Check;
  assign offset = count_q[SlotLog2-1:0] - Header[SlotLog2-1:0];
  assign behind = expected_q - consumed_o;
  assign ahead  = sequence_q - expected_q;
  assign room   = !behind[SlotsLog2];

  assign sound = end_i && good_i && !(count_q < Header + Check);
  assign mine  = sound && number_q == link_i && !reset_q;
  assign whole = !(length < Shortest) && length[1:0] == '0 && count_q != Longest;
  assign accept = mine && tlp_q && ahead == '0 && whole && room_q;
  assign lost = (end_i && !good_i) || (mine && tlp_q && ahead != '0 && !ahead[7]);

  assign reset_o = sound && reset_q && number_q != link_i;
  assign reset_link_o = number_q;
  assign ack_valid_o = mine;
  assign nak_o = nak_q;
  assign lost_o = lost && !loss_reported_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q    <= '0;
      tlp_q      <= 1'b0;
      nak_q      <= 1'b0;
      reset_q    <= 1'b0;
      room_q     <= 1'b0;
      number_q   <= '0;
      ack_o      <= '0;
      sequence_q <= '0;
      expected_q <= '0;
      loss_reported_q <= 1'b0;
    end else begin
      if (end_i) count_q <= '0;
      if (byte_valid_i && count_q != Longest) count_q <= count_q + 1'b1;
      if (byte_valid_i) begin
        if (count_q == 10'd0) {reset_q, nak_q, tlp_q} <= byte_i[2:0];
        if (count_q == 10'd0) room_q <= room;   // for all of the frame
        if (count_q == 10'd1) number_q <= byte_i;
        if (count_q == 10'd2) ack_o <= byte_i;
        if (count_q == 10'd3) sequence_q <= byte_i;
      end
      if (accept) expected_q <= expected_q + 1'b1;
      if (mine) loss_reported_q <= 1'b0;
      if (lost) loss_reported_q <= 1'b1;
    end
  end

  // --- the buffer ---------------------------------------------------------------------
  logic [SlotLog2-1:0] position_q;
  logic [SlotLog2-1:0] tlp_length;
  logic                read, leaves;

  assign read = !tlp_valid_o && expected_q != consumed_o;
  assign leaves = tlp_valid_o && tlp_ready_i && tlp_last_o;
  assign tlp_last_o = position_q == tlp_length - 1'b1;
  assign idle_o = expected_q == consumed_o;
  assign response_o = leaves || (mine && tlp_q && ahead[7]) ||
                    (sound && reset_q && number_q == link_i);

  rf_ram #(.Width(8), .DepthLog2(SlotsLog2 + SlotLog2)) u_buffer (
    .clk_i           (clk_i),
    .write_i         (byte_valid_i && room_q && count_q[9:2] != '0 && count_q != Longest),
    .write_address_i ({expected_q[SlotsLog2-1:0], offset}),
    .write_data_i    (byte_i),
    .write_strobe_i  (1'b1),
    .read_i          (read),
    .read_address_i  ({consumed_o[SlotsLog2-1:0], position_q}),
    .read_data_o     (tlp_byte_o)
  );

  rf_lutram #(.Width(SlotLog2), .DepthLog2(SlotsLog2)) u_lengths (
    .clk_i           (clk_i),
    .write_i         (accept),
    .write_address_i (expected_q[SlotsLog2-1:0]),
    .write_data_i    (length[SlotLog2-1:0]),
    .read_address_i  (consumed_o[SlotsLog2-1:0]),
    .read_data_o     (tlp_length)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tlp_valid_o <= 1'b0;
      position_q  <= '0;
      consumed_o  <= '0;
    end else if (read) begin
      tlp_valid_o <= 1'b1;
    end else if (tlp_valid_o && tlp_ready_i) begin
      tlp_valid_o <= 1'b0;
      position_q  <= tlp_last_o ? '0 : position_q + 1'b1;
      if (tlp_last_o) consumed_o <= consumed_o + 1'b1;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(9)) byte_stays (
    .clk_i, .rst_ni, .valid_i(tlp_valid_o), .ready_i(tlp_ready_i), .data_i({tlp_last_o, tlp_byte_o})
  );
`endif
`endif

endmodule

`default_nettype wire
