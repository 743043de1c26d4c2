// SPDX-License-Identifier: Apache-2.0
//
// The transmitting half of the serial link layer (docs/serial-line.md has the format): a replay
// buffer of 2^SlotsLog2 TLPs, each kept until an Ack covers it. All TLPs without an Ack are sent
// again, oldest first, after a Nak and when no Ack made progress for ReplayCycles. The buffer is
// as deep as the other side's, so there is room for everything that is sent. Every frame carries
// the Ack of the other direction and idle_i. Without a TLP a frame is sent when response_i requests
// one, when the device has become idle, and every TickCycles, so that none of these can be lost
// permanently. A tick is marked: it is the clock by which the host replays.

`default_nettype none

module rf_serial_transmit #(
  parameter int unsigned SlotsLog2 = 3,
  parameter int unsigned ReplayCycles = 2_560_000,
  parameter int unsigned TickCycles = 640_000
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,

  input  wire logic       tlp_valid_i,
  input  wire logic       tlp_last_i,
  input  wire logic [7:0] tlp_byte_i,
  output logic            tlp_ready_o,

  // From rf_serial_receive
  input  wire logic       ack_valid_i,
  input  wire logic [7:0] ack_i,
  input  wire logic       nak_i,
  input  wire logic       response_i,
  input  wire logic       lost_i,
  input  wire logic [7:0] consumed_i,

  input  wire logic [7:0] link_i,
  input  wire logic       idle_i,     // the device and all between it and this block

  // To rf_frame_transmit
  output logic            valid_o,
  output logic            last_o,
  output logic [7:0]      data_o,
  input  wire logic       ready_i
);

  if (SlotsLog2 < 1 || SlotsLog2 > 6) begin : gen_bad_slots_log2
    $error("a sequence number has eight bits");
  end
  if (ReplayCycles < 1 || ReplayCycles > 1073741824) begin : gen_bad_replay_cycles
    $error("the time of a replay has 31 bits");
  end
  if (TickCycles < 2 || TickCycles > 1073741824) begin : gen_bad_tick_cycles
    $error("the time between two states has 31 bits");
  end

  localparam int unsigned SlotLog2 = 9;
  localparam int unsigned ReplayWidth = $clog2(ReplayCycles + 1);
  localparam int unsigned TickWidth = $clog2(TickCycles);

  // --- sequence numbers ---------------------------------------------------------------
  // acked_q <= next_q <= tail_q, modulo 256: the oldest TLP kept, the next to be sent,
  // the next to be stored.
  logic [7:0] acked_q, next_q, tail_q, acked, next, kept, distance;
  logic       progress, start, start_tlp, replay, idle;

  assign kept = tail_q - acked_q;
  assign idle = idle_i && kept == '0;
  assign distance = ack_i - acked_q;
  assign progress = ack_valid_i && !(kept < distance) && distance != '0;

  logic [ReplayWidth-1:0] replay_timer_q;
  assign replay = (ack_valid_i && nak_i) || replay_timer_q == ReplayWidth'(ReplayCycles);

  always_comb begin
    acked = progress ? ack_i : acked_q;
    next  = next_q + {7'd0, start_tlp};
    if (progress && (next - acked_q) < distance) next = acked;
    if (replay) next = acked;
  end

  // --- the replay buffer --------------------------------------------------------------
  logic [SlotLog2-1:0] offset_q, slot_length, length_q;
  logic [8:0]          count_q;
  logic [7:0]          body;
  logic                store, fetch;
  logic [7:0]          sequence_q;
  logic [SlotLog2-1:0] body_offset;

  assign tlp_ready_o = !kept[SlotsLog2];
  assign store = tlp_valid_i && tlp_ready_o;
  assign body_offset = count_q - 9'd4;

  rf_ram #(.Width(8), .DepthLog2(SlotsLog2 + SlotLog2)) u_buffer (
    .clk_i           (clk_i),
    .write_i         (store),
    .write_address_i ({tail_q[SlotsLog2-1:0], offset_q}),
    .write_data_i    (tlp_byte_i),
    .write_strobe_i  (1'b1),
    .read_i          (fetch),
    .read_address_i  ({sequence_q[SlotsLog2-1:0], body_offset}),
    .read_data_o     (body)
  );

  rf_lutram #(.Width(SlotLog2), .DepthLog2(SlotsLog2)) u_lengths (
    .clk_i           (clk_i),
    .write_i         (store && tlp_last_i),
    .write_address_i (tail_q[SlotsLog2-1:0]),
    .write_data_i    (offset_q + 1'b1),
    .read_address_i  (next_q[SlotsLog2-1:0]),
    .read_data_o     (slot_length)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      acked_q        <= '0;
      next_q         <= '0;
      tail_q         <= '0;
      offset_q       <= '0;
      replay_timer_q <= '0;
    end else begin
      acked_q <= acked;
      next_q  <= next;
      if (store) offset_q <= tlp_last_i ? '0 : offset_q + 1'b1;
      if (store && tlp_last_i) tail_q <= tail_q + 1'b1;
      if (progress || replay || next_q == acked_q) replay_timer_q <= '0;
      else replay_timer_q <= replay_timer_q + 1'b1;
    end
  end

  // --- frames -------------------------------------------------------------------------
  typedef enum logic [1:0] {
    Ready,     // no frame, or the next one starts
    Fetch,     // the next byte of the TLP is read
    Take,      // it comes, or a byte of the header is put together
    Send       // the byte is offered
  } state_e;

  state_e               state_q, state_d;
  logic                tlp_q, nak_q, tick_q, idle_q, response_due_q, nak_due_q, tick_due_q;
  logic [7:0]           ack_q;
  logic [TickWidth-1:0] time_q;

  assign start_tlp = state_q == Ready && next_q != tail_q;
  assign start = start_tlp || (state_q == Ready && (response_due_q || nak_due_q || tick_due_q));
  assign fetch = state_q == Fetch;
  assign valid_o = state_q == Send;
  assign last_o = count_q == (tlp_q ? length_q + 9'd3 : 9'd3);

  always_ff @(posedge clk_i) begin
    if (state_q == Take) begin
      unique case (count_q)
        9'd0:    data_o <= {idle_q, 3'd0, tick_q, 1'b0, nak_q, tlp_q};
        9'd1:    data_o <= link_i;
        9'd2:    data_o <= ack_q;
        9'd3:    data_o <= sequence_q;
        default: data_o <= body;
      endcase
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Ready:   if (start) state_d = Fetch;
      Fetch:   state_d = Take;
      Take:    state_d = Send;
      default: if (ready_i) state_d = last_o ? Ready : Fetch;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Ready;
      tlp_q        <= 1'b0;
      nak_q        <= 1'b0;
      idle_q       <= 1'b0;
      response_due_q <= 1'b1;   // tells that the link has been reset
      nak_due_q    <= 1'b0;
      tick_q       <= 1'b0;
      tick_due_q   <= 1'b0;
      ack_q        <= '0;
      sequence_q   <= '0;
      length_q     <= '0;
      count_q      <= '0;
      time_q       <= '0;
    end else begin
      state_q <= state_d;
      time_q  <= time_q + 1'b1;
      unique case (state_q)
        Ready: if (start) begin
          tlp_q        <= start_tlp;
          nak_q        <= nak_due_q;
          idle_q       <= idle;
          ack_q        <= consumed_i;
          sequence_q   <= next_q;
          length_q     <= slot_length;
          count_q      <= '0;
          response_due_q <= 1'b0;
          nak_due_q    <= 1'b0;
          tick_q       <= tick_due_q;
          tick_due_q   <= 1'b0;
        end
        Send:    if (ready_i) count_q <= count_q + 1'b1;
        default: ;
      endcase
      if (response_i || (idle && !idle_q && state_q == Ready && !start)) response_due_q <= 1'b1;
      if (time_q == TickWidth'(TickCycles - 1)) begin
        time_q     <= '0;
        tick_due_q <= 1'b1;
      end
      if (lost_i) nak_due_q <= 1'b1;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(9)) byte_stays (
    .clk_i, .rst_ni, .valid_i(valid_o), .ready_i(ready_i), .data_i({last_o, data_o})
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni && store) slot_holds_it: assert (tlp_last_i || offset_q != '1);
  end
`endif
`endif

endmodule

`default_nettype wire
