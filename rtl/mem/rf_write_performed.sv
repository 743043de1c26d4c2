// SPDX-License-Identifier: Apache-2.0
//
// Reports performed writes: done to their masters, full aligned words to the snoop. A local beat
// is performed when it is committed, and reported in the next cycle. A system beat waits here
// until rf_pcie has accepted it: its word and its owner in one FIFO; reports of rf_pcie that find
// the snoop busy in another. Counts system beats by the epoch of their translation.
//
// Promises: done and snoop not before a write is performed; the snoop of a word not after the done
// of its write; each full word once. If both memories have a word in one cycle, the local one goes
// first and no local beat follows it (local_hold_o), so the other is next.

`default_nettype none

module rf_write_performed #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // A local beat is committed, or one of a fault swallowed
  input  wire logic         local_write_i,     // bytes were written
  input  wire logic         local_full_i,      // ... all of a word
  input  wire logic [LocalMemoryLog2-1:3] local_address_i,
  input  wire logic [63:0]  local_data_i,
  input  wire logic [4:0]   local_ends_i,      // the last of a master's write
  input  wire logic         local_fault_i,
  input  wire logic [1:0]   local_level_i,
  output logic              local_hold_o,

  // A system beat is handed over
  input  wire logic [4:0]   system_beat_i,     // of which master, one-hot or none
  output logic              system_room_o,
  input  wire logic         system_epoch_i,
  input  wire logic         system_full_i,
  input  wire logic [54:3]  system_address_i,
  input  wire logic [63:0]  system_data_i,
  input  wire rf_bus_pkg::write_accepted_t system_accepted_i,
  output logic [4:0]        system_done_o,

  output rf_bus_pkg::snoop_t snoop_o,
  output rf_bus_pkg::write_done_t done_o,
  output logic [1:0]        in_flight_o,       // system beats, by epoch
  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end

  localparam int unsigned L = LocalMemoryLog2;
  // More than rf_pcie ever holds of beats that it has not accepted.
  localparam int unsigned BeatsLog2 = 3;

  // --- system beats on their way to the posted stream -------------------------------------------
  logic        beat, beat_valid, beat_ready, beat_of_epoch, beat_full;
  logic        performed, crowded, tell, tell_snoop, tell_last;
  logic        status_valid, status_push, status_ready, queued_last;
  logic [4:0]  beat_master;
  logic [2:0]  queued_status, tell_status;
  logic [54:3] beat_address;
  logic [63:0] beat_data;
  logic [BeatsLog2:0] beat_count, word_count, unused_status_count;
  logic        word_valid, word_ready;
  logic        room_d;

  assign beat = system_beat_i != '0;

  // The master has a FIFO of its own: it is needed early, all over the device.
  rf_head_fifo #(
    .Width    (7),
    .DepthLog2(BeatsLog2)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .valid_i(beat),
    .ready_o(beat_ready),
    .data_i ({system_epoch_i, system_beat_i, system_full_i}),
    .valid_o(beat_valid),
    .ready_i(tell),
    .data_o ({beat_of_epoch, beat_master, beat_full}),
    .count_o(beat_count)
  );
  rf_fifo #(
    .Width    (52 + 64),
    .DepthLog2(BeatsLog2)
  ) u_words (
    .clk_i,
    .rst_ni,
    .valid_i(beat),
    .ready_o(word_ready),
    .data_i ({system_address_i, system_data_i}),
    .valid_o(word_valid),
    .ready_i(tell),
    .data_o ({beat_address, beat_data}),
    .count_o(word_count)
  );

  // From a register: the masters' ready comes of it.
  assign room_d = tell || !(beat_count[BeatsLog2] || (&beat_count[BeatsLog2-1:0] &&
                                                      beat));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) system_room_o <= 1'b1;
    else system_room_o <= room_d;
  end

  // Accepted, not yet told; empty unless local snoops were in the way.
  assign status_push = system_accepted_i.valid && !(tell && !status_valid);

  rf_head_fifo #(
    .Width    (4),
    .DepthLog2(BeatsLog2)
  ) u_status (
    .clk_i,
    .rst_ni,
    .valid_i(status_push),
    .ready_o(status_ready),
    .data_i ({system_accepted_i.last, system_accepted_i.status}),
    .valid_o(status_valid),
    .ready_i(tell),
    .data_o ({queued_last, queued_status}),
    .count_o(unused_status_count)
  );

  // Only a beat that was handed over is accepted.
  assign performed   = status_valid || system_accepted_i.valid;
  assign tell_status = status_valid ? queued_status : system_accepted_i.status;
  assign tell_last   = status_valid ? queued_last : system_accepted_i.last;
  // A write that failed waits for the snoop of a local one, too: whether it failed is late. So
  // is whether the local one is a full word, and that flag drives the snoop.
  assign crowded     = beat_full && local_wrote_q;
  assign tell_snoop  = tell && beat_full && tell_status == rf_pkg::AccessStatusOk;
  assign tell        = performed && !crowded;

  // --- local beats, a cycle ago -----------------------------------------------------------------
  logic         local_full_q, local_wrote_q, local_failed_q;
  logic [4:0]   local_done_q;
  logic [1:0]   local_level_q;
  logic [L-1:3] local_address_q;
  logic [63:0]  local_data_q;

  // Also if it is no full word: the arbiter comes behind this, and has no time for that.
  assign local_hold_o = performed && local_wrote_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      local_wrote_q <= 1'b0;
      local_full_q  <= 1'b0;
      local_done_q  <= '0;
    end else begin
      local_wrote_q <= local_write_i;
      local_full_q  <= local_full_i;
      local_done_q  <= local_ends_i;
    end
  end

  always_ff @(posedge clk_i) begin
    local_failed_q  <= local_fault_i;
    local_level_q   <= local_level_i;
    local_address_q <= local_address_i;
    local_data_q    <= local_data_i;
  end

  // --- snoop and done ---------------------------------------------------------------------------
  assign snoop_o.valid    = local_full_q || tell_snoop;
  assign snoop_o.in_local = local_full_q;
  assign snoop_o.address  = local_full_q ? {{(55-L){1'b0}}, local_address_q} : beat_address;
  assign snoop_o.data     = local_full_q ? local_data_q : beat_data;

  assign done_o.done = local_done_q | system_done_o;

  for (genvar m = 0; m < 5; m++) begin : gen_master
    assign system_done_o[m] = tell && tell_last && beat_master[m];
    assign done_o.status[m*3 +: 3] = system_done_o[m] ? tell_status :
                                     local_failed_q   ? rf_pkg::AccessStatusTranslation
                                                      : rf_pkg::AccessStatusOk;
    assign done_o.level[m*2 +: 2]  = (local_failed_q && !system_done_o[m]) ? local_level_q
                                                                           : 2'd0;
  end

  // --- in flight, by epoch ---------------------------------------------------------------
  for (genvar e = 0; e < 2; e++) begin : gen_epoch
    logic               more, less;
    logic [BeatsLog2:0] count_q;

    assign more = beat && system_epoch_i == e;
    assign less = tell && beat_of_epoch == e;
    assign in_flight_o[e] = count_q != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (more != less) count_q <= count_q + {{BeatsLog2{less}}, 1'b1};
    end
  end

  assign idle_o = !beat_valid && !local_full_q && local_done_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) a_word_for_each: assert (word_count == beat_count);
  end
`ifndef FORMAL
  // What the proofs show, or assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (beat) no_beat_lost: assert (beat_ready);
      if (status_push) no_status_lost: assert (status_ready);
      if (system_accepted_i.valid)
        accepted_was_handed_over: assert (unused_status_count < beat_count);
    end
  end
`endif
`endif

  logic unused;
  assign unused = ^{beat_ready, status_ready, unused_status_count, word_valid, word_ready,
                    word_count};

endmodule

`default_nettype wire
