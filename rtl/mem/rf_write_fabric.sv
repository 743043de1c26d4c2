// SPDX-License-Identifier: Apache-2.0
//
// Writes of all masters and of the CPU, beat by beat, to local memory or to the PCIe endpoint:
// rf_write_requests translates them ahead and shows the next beat, rf_write_arbiter grants it,
// rf_write_performed reports what is performed. This module has the two paths of a beat.
//
// Promises: requests of one master are performed and done in order. Done and snoop follow when a
// write is performed: for local memory in the cycle after the commit, for system memory when
// rf_pcie has accepted the beat. A master offers the first word of a request only if the others
// follow without waiting for another access.
//
// Latency without load: t request, t+1 ready, t+3 beat; then one beat per cycle, also from request
// to request of a master, which requests at most every second cycle.

`default_nettype none

module rf_write_fabric #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Masters
  input  wire logic [4:0]   write_valid_i,
  output logic [4:0]        write_ready_o,
  input  wire logic [rf_bus_pkg::WriteMasters*rf_bus_pkg::WriteRequestWidth-1:0] write_i,
  input  wire logic [4:0]   write_data_valid_i,
  output logic [4:0]        write_data_ready_o,
  input  wire logic [5*64-1:0] write_data_i,
  output rf_bus_pkg::write_done_t write_done_o,

  // Translation: one port per master and one to translate again
  output logic [5:0]        translate_valid_o,
  input  wire logic [5:0]   translate_ready_i,
  output logic [6*57-1:0]   translate_o,
  input  wire logic [31:0]  translate_seen_i,  // {vmid, virtual_page} granted a cycle ago
  input  wire rf_bus_pkg::translation_t translated_i,  // port: as above
  input  wire logic         flush_i,
  input  wire logic         epoch_i,
  output logic              old_in_flight_o,

  // System writes
  output logic              system_valid_o,
  input  wire logic         system_ready_i,
  output rf_bus_pkg::system_write_t system_o,
  input  wire rf_bus_pkg::write_accepted_t system_accepted_i,

  // CPU writes of local memory
  input  wire logic         cpu_valid_i,
  output logic              cpu_ready_o,
  input  wire logic [LocalMemoryLog2-1:3] cpu_address_i,
  input  wire logic [63:0]  cpu_data_i,
  input  wire logic [7:0]   cpu_strobe_i,

  // Local memory
  output logic              local_write_o,
  output logic [LocalMemoryLog2-1:3] local_address_o,
  output logic [63:0]       local_data_o,
  output logic [7:0]        local_strobe_o,

  output rf_bus_pkg::snoop_t snoop_o,
  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end

  localparam int unsigned L = LocalMemoryLog2;

  rf_bus_pkg::write_heads_t heads;
  rf_bus_pkg::write_beat_t  beat;
  /* verilator lint_off UNUSEDSIGNAL */ // the CPU has no request
  logic [5:0] select_next;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [5:0] select, local_moves;
  logic [4:0] system_moves, system_done, translated, head_epoch;
  logic [2:0] index;
  logic [1:0] in_flight;
  logic       local_hold, system_room, performed_idle;

  rf_write_requests u_requests (
    .clk_i,
    .rst_ni,
    .write_valid_i,
    .write_ready_o,
    .write_i,
    .translate_valid_o,
    .translate_ready_i,
    .translate_o,
    .translate_seen_i,
    .translated_i,
    .flush_i,
    .epoch_i,
    .heads_o      (heads),
    .epoch_o      (head_epoch),
    .select_next_i(select_next[4:0]),
    .select_i     (select[4:0]),
    .index_i      (index),
    .beat_o       (beat),
    .moves_i      (local_moves[4:0] | system_moves),
    .system_done_i(system_done)
  );

  for (genvar m = 0; m < 5; m++) begin : gen_translated
    assign translated[m] = translated_i.valid && translated_i.port == m;
  end

  rf_write_arbiter u_arbiter (
    .clk_i,
    .rst_ni,
    .heads_i       (heads),
    .translated_i  (translated),
    .data_valid_i  (write_data_valid_i),
    .data_ready_o  (write_data_ready_o),
    .cpu_valid_i,
    .cpu_ready_o,
    .select_next_o (select_next),
    .select_o      (select),
    .index_o       (index),
    .last_i        (beat.last),
    .local_moves_o (local_moves),
    .system_moves_o(system_moves),
    .local_hold_i  (local_hold),
    .system_room_i (system_room),
    .system_valid_o,
    .system_ready_i
  );

  // --- the beat ------------------------------------------------------------------------------
  logic [54:12] page;          // Yosys 0.23 mistakes the bits of a member that does not end in 0
  logic [11:3]  word;
  logic [7:0]   first_strobe, last_strobe, strobe;
  logic         first;
  logic [63:0]  data;

  assign page         = beat.page;
  assign first_strobe = beat.first_strobe;
  assign last_strobe  = beat.last_strobe;
  assign first        = beat.number == '0;
  assign word         = beat.offset + {4'd0, beat.number};
  assign strobe       = first ? first_strobe : beat.last ? last_strobe : 8'hff;

  always_comb begin
    data = select[5] ? cpu_data_i : 64'd0;
    for (int unsigned m = 0; m < 5; m++) begin
      if (select[m]) data = data | write_data_i[m*64 +: 64];
    end
  end

  // --- to local memory -------------------------------------------------------------------------
  assign local_write_o   = local_moves[5] || (local_moves[4:0] != '0 && !beat.fault);
  assign local_strobe_o  = select[5] ? cpu_strobe_i : strobe;
  assign local_address_o = select[5] ? cpu_address_i : {page[L-1:12], word};
  assign local_data_o    = data;

  // --- to system memory ------------------------------------------------------------------------
  assign system_o.four_dw      = beat.four_dw;
  assign system_o.shifted      = beat.shifted;
  assign system_o.high_only    = beat.high_only;
  assign system_o.to_high      = beat.to_high;
  assign system_o.address      = {page, beat.offset};
  assign system_o.words        = beat.words;
  assign system_o.first_strobe = first_strobe;
  assign system_o.last_strobe  = last_strobe;
  assign system_o.data         = data;
  assign system_o.first        = first;
  assign system_o.last         = beat.last;

  rf_write_performed #(
    .LocalMemoryLog2(L)
  ) u_performed (
    .clk_i,
    .rst_ni,
    .local_write_i   (local_write_o),
    .local_full_i    (local_write_o && local_strobe_o == '1),
    .local_address_i (local_address_o),
    .local_data_i    (data),
    .local_ends_i    (local_moves[4:0] & {5{beat.last}}),
    .local_fault_i   (beat.fault),
    .local_level_i   (beat.level),
    .local_hold_o    (local_hold),
    .system_beat_i   (system_moves),
    .system_room_o   (system_room),
    .system_epoch_i  ((select[4:0] & head_epoch) != '0),
    .system_full_i   (strobe == '1),
    .system_address_i({page, word}),
    .system_data_i   (data),
    .system_accepted_i,
    .system_done_o   (system_done),
    .snoop_o,
    .done_o          (write_done_o),
    .in_flight_o     (in_flight),
    .idle_o          (performed_idle)
  );

  assign old_in_flight_o = in_flight[!epoch_i] ||
                           (heads.begun & (head_epoch ^ {5{epoch_i}})) != '0;
  // A request translated ahead of its data is not work.
  assign idle_o = heads.begun == '0 && write_data_valid_i == '0 && !cpu_valid_i &&
                  performed_idle;

endmodule

`default_nettype wire
