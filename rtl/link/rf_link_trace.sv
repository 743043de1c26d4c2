// SPDX-License-Identifier: Apache-2.0
//
// What became of the link, for a reader with a clock that runs without it: the last 512 states of
// the LTSSM that have ended, and sixteen counters, which stop at 65535.
//
// An entry is a state, four flags as they were at its end, and how long it was: in units of 16
// cycles, 0x7fffff for that or longer. position_o is where the next entry goes, wrapped_o that the
// entries from there on are older ones. now_o is the state that has not ended, as an entry.
// freeze_i: entries stay. clear_i: all is 0, after 16 cycles.
// Counters (rf_link_console_pkg): errors_i's bits, entries into L0 and into Recovery, events_i's
// bits. Of several at once each counts; of one kind in less than 16 cycles, one.
// read_i: read_data_o is the word of read_address_i, an entry or above 512 a counter, two
// cycles later.

`default_nettype none

module rf_link_trace (
  input  wire logic                      link_clk_i,
  input  wire logic                      link_rst_ni,   // not the link's own, which ends a state
  input  wire rf_link_pkg::ltssm_state_e state_i,
  input  wire logic [5:0]                errors_i,      // rf_link_pkg::errors_t

  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic [3:0]                flags_i,
  input  wire logic [7:0]                events_i,
  input  wire logic                      freeze_i,
  input  wire logic                      clear_i,
  output logic [8:0]                     position_o,
  output logic                           wrapped_o,
  output logic [31:0]                    now_o,

  input  wire logic                      read_i,
  input  wire logic [9:0]                read_address_i,
  output logic [31:0]                    read_data_o
);

  if (rf_link_console_pkg::RegCounter[8:0] != rf_link_console_pkg::RegEntry[8:0] ||
      rf_link_console_pkg::RegCounter[9] == rf_link_console_pkg::RegEntry[9]) begin : gen_bad_map
    $error("bit 9 of an address says whether a counter or an entry is read");
  end

  // --- the link's clock: what changes goes into a FIFO ----------------------------------
  logic       write_ready, write_state;
  logic [4:0] written_state_q;         // the state that the FIFO was told
  logic [5:0] pending_q;

  assign write_state = state_i != written_state_q;

  always_ff @(posedge link_clk_i or negedge link_rst_ni) begin
    if (!link_rst_ni) begin
      written_state_q <= '0;
      pending_q       <= '0;
    end else begin
      pending_q       <= pending_q | errors_i;
      if (write_ready && write_state) written_state_q <= state_i;
      else if (write_ready) pending_q <= errors_i;
    end
  end

  logic       valid, is_state;
  logic [5:0] data;

  rf_async_fifo #(
    .Width     (7),
    .DepthLog2 (3)
  ) u_fifo (
    .write_clk_i  (link_clk_i),
    .write_rst_ni (link_rst_ni),
    .valid_i      (write_state || pending_q != '0),
    .ready_o      (write_ready),
    .data_i       ({write_state, write_state ? {1'b0, state_i} : pending_q}),
    .read_clk_i   (clk_i),
    .read_rst_ni  (rst_ni),
    .valid_o      (valid),
    .ready_i      (1'b1),
    .data_o       ({is_state, data})
  );

  // --- states -------------------------------------------------------------------------
  logic        ends, into_l0, into_recovery;
  logic [4:0]  state_q;
  logic [3:0]  cycles_q;
  logic [22:0] time_q;
  logic [31:0] entry;

  assign ends          = valid && is_state;
  assign into_l0       = ends && data[4:0] == rf_link_pkg::L0;
  assign into_recovery = ends && data[4:0] == rf_link_pkg::RecoveryRcvrLock;

  always_comb begin
    now_o = '0;
    now_o[rf_link_console_pkg::EntryStateLsb +: 5]   = state_q;
    now_o[rf_link_console_pkg::EntryRxReadyLsb +: 4] = flags_i;
    now_o[rf_link_console_pkg::EntryLengthLsb +: 23] = time_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= '0;
      cycles_q   <= '0;
      time_q     <= '0;
      position_o <= '0;
      wrapped_o  <= 1'b0;
    end else begin
      cycles_q <= cycles_q + 4'd1;
      if (&cycles_q && !(&time_q)) time_q <= time_q + 23'd1;
      if (ends) begin
        state_q  <= data[4:0];
        cycles_q <= '0;
        time_q   <= '0;
      end
      if (clear_i) begin
        position_o <= '0;
        wrapped_o  <= 1'b0;
      end else if (ends && !freeze_i) begin
        position_o <= position_o + 9'd1;
        wrapped_o  <= wrapped_o || (&position_o);
      end
    end
  end

  rf_ram #(
    .Width     (32),
    .DepthLog2 ($clog2(rf_link_console_pkg::EntryCount)),
    .Lane      (32)
  ) u_entries (
    .clk_i           (clk_i),
    .write_i         (ends && !freeze_i),
    .write_address_i (position_o),
    .write_data_i    (now_o),
    .write_strobe_i  (1'b1),
    .read_i          (read_i),
    .read_address_i  (read_address_i[8:0]),
    .read_data_o     (entry)
  );

  // --- counters -----------------------------------------------------------------------
  logic [15:0] events_q, events_seen, number_mask, count, count_next;
  logic [3:0]  number_q;               // of the counter that counts
  logic [4:0]  clear_q;                // turns that clear
  logic        counts, read_counter_q;
  logic [15:0] read_count_q;

  // A reader has the read port; the others wait.
  assign counts      = events_q[number_q] && !read_i;
  assign count_next  = clear_q != '0 ? 16'd0 : count + {15'd0, !(&count)};
  assign number_mask = 16'd1 << number_q;

  always_comb begin
    events_seen = '0;
    events_seen[rf_link_console_pkg::CounterReceiverErrors +: 6] = data & {6{valid && !is_state}};
    events_seen[rf_link_console_pkg::CounterEntriesIntoL0]       = into_l0;
    events_seen[rf_link_console_pkg::CounterEntriesIntoRecovery] = into_recovery;
    events_seen[rf_link_console_pkg::BoardCounters +: 8]         = events_i;
  end

  rf_lutram #(
    .Width     (16),
    .DepthLog2 ($clog2(rf_link_console_pkg::CounterCount))
  ) u_counters (
    .clk_i           (clk_i),
    .write_i         (clear_q != '0 || counts),
    .write_address_i (number_q),
    .write_data_i    (count_next),
    .read_address_i  (read_i ? read_address_i[3:0] : number_q),
    .read_data_o     (count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q        <= 5'd16;
      number_q       <= '0;
      events_q       <= '0;
      read_counter_q <= 1'b0;
      read_count_q   <= '0;
      read_data_o    <= '0;
    end else begin
      if (clear_i) clear_q <= 5'd16;
      else if (clear_q != '0 && !read_i) clear_q <= clear_q - 5'd1;
      if (!read_i) number_q <= number_q + 4'd1;
      events_q <= (events_q & ~(number_mask & {16{counts}})) | events_seen;
      if (clear_q != '0) events_q <= '0;
      read_counter_q <= read_address_i[9];
      if (read_i) read_count_q <= count;
      read_data_o <= read_counter_q ? {16'd0, read_count_q} : entry;
    end
  end

endmodule

`default_nettype wire
