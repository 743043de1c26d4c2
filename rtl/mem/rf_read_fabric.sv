// SPDX-License-Identifier: Apache-2.0
//
// Reads of all masters: translated, then answered from local memory word by word or passed to the
// PCIe requester. Each master has one request at the translation ("head") and one local burst, so
// that the next translation overlaps with it. Heads are in small shared RAMs indexed by master.
//
// Local and system side choose one cycle ahead (rf_select). Local reads: one word a cycle, round
// robin; every other word is for masters of short reads (fence, wait, update) if they ask.
// Completions cannot be refused and have priority on the response bus: a local word that meets one
// is read again, before any other local word and before any further system read, so that
// completions cannot starve it. A fault is answered like a word.
//
// Latency without load: t request, t+1 ready, t+3 system read offered or local word read, t+5 local
// response. After hold falls: two cycles, one to a system read.

`default_nettype none

module rf_read_fabric #(
  parameter int unsigned LocalMemoryLog2 = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Masters
  input  wire logic [6:0]   read_valid_i,
  output logic [6:0]        read_ready_o,
  input  wire logic [rf_bus_pkg::ReadMasters*rf_bus_pkg::ReadRequestWidth-1:0] read_i,
  input  wire logic [6:0]   read_hold_i,
  output logic              response_valid_o,
  output logic [6:0]        response_to_o,     // read master, one-hot
  output rf_bus_pkg::read_response_t response_o,

  // Translation
  output logic [6:0]        translate_valid_o,
  input  wire logic [6:0]   translate_ready_i,
  output logic [7*57-1:0]   translate_o,
  input  wire logic         translated_i,
  input  wire logic [2:0]   translated_master_i,
  input  wire logic         translated_fault_i,
  input  wire logic [1:0]   translated_level_i,
  input  wire logic         translated_local_i,
  input  wire logic [54:12] translated_page_i,

  // System reads and their responses
  output logic              system_valid_o,
  input  wire logic         system_ready_i,
  output rf_bus_pkg::system_read_t system_o,
  input  wire logic         system_response_valid_i,
  input  wire rf_bus_pkg::read_response_t system_response_i,

  // CPU reads of local memory
  input  wire logic         cpu_valid_i,
  output logic              cpu_ready_o,
  input  wire logic [LocalMemoryLog2-1:3] cpu_address_i,
  output logic              cpu_data_valid_o,
  output logic [63:0]       cpu_data_o,

  // Local memory
  output logic              local_read_o,
  output logic [LocalMemoryLog2-1:3] local_address_o,
  input  wire logic [63:0]  local_data_i,

  // Invalidation: reads translated in the epoch that is not epoch_i
  input  wire logic         epoch_i,
  output logic              old_in_flight_o,

  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end

  localparam int unsigned W = rf_bus_pkg::ReadRequestWidth;
  localparam int unsigned L = LocalMemoryLog2;

  // --- requests and heads ------------------------------------------------------------
  logic [6:0] taken_q;        // granted, not yet begun
  logic [6:0] head_valid_q;   // translated, not yet begun
  logic [6:0] head_here_q;    // answered here: local memory or a fault
  logic [6:0] head_fault_q;
  logic [6:0] head_epoch_q;
  logic [6:0] burst_q;        // local words are left
  logic [6:0] burst_epoch_q;

  logic        kept;         // a request is looked up; its response comes a cycle later or more
  logic [2:0]  kept_master;
  logic [20:0] kept_request; // {va[11:3], words, id}

  assign translate_valid_o = read_valid_i & ~taken_q;
  assign read_ready_o      = translate_ready_i;

  for (genvar m = 0; m < 7; m++) begin : gen_request
    // {vmid, va[63:12]} of the request
    assign translate_o[m*57 +: 57] = {read_i[m*W + W-1 -: 56], 1'b0};
  end

  assign kept = translate_ready_i != '0;
  always_comb begin
    kept_master  = '0;
    kept_request = '0;
    for (int unsigned m = 0; m < 7; m++) begin
      if (translate_ready_i[m]) begin
        kept_master  = kept_master | m[2:0];
        kept_request = kept_request | {read_i[m*W + 15 +: 9], read_i[m*W +: 12]};
      end
    end
  end

  // --- the master of each side, chosen one cycle ahead ------------------------------------
  logic       word_waits, waited_q;  // a local word, for the bus
  logic [6:0] hint;    // the head that a translation completes
  logic [6:0] system_request, system_select;
  logic [7:0] local_request, local_select;
  logic [2:0] system_index, local_index;
  logic       system_lock_q, system_lock_d;
  logic       local_reads;
  logic [7:0] local_asks;   // local_request, for the choice

  for (genvar m = 0; m < 7; m++) begin : gen_hint
    assign hint[m] = translated_i && translated_master_i == m;
  end

  logic [6:0] unused_system_next;
  logic [7:0] unused_local_next;

  // A hold ends late in its cycle: the choices learn of it a cycle later. A local read is chosen
  // while it is held, if nothing else asks; the endpoint is far.
  logic [6:0] hold_q;
  always_ff @(posedge clk_i) hold_q <= read_hold_i;

  assign system_request = head_valid_q & ~head_here_q & ~hold_q;
  assign system_valid_o = system_lock_q || (!waited_q && (system_select & system_request) != '0);
  assign system_lock_d  = system_valid_o && !system_ready_i;

  rf_select #(
    .Ports(7)
  ) u_system_select (
    .clk_i,
    .rst_ni,
    .keep_i   (system_lock_d),
    .request_i(system_request),
    .hint_i   (hint),
    .waiting_i(head_valid_q & ~head_here_q),
    .next_o   (unused_system_next),
    .select_o (system_select),
    .index_o  (system_index)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) system_lock_q <= 1'b0;
    else system_lock_q <= system_lock_d;
  end

  // Number 7 is the CPU. Its responses have no bus to wait for.
  assign local_request = {cpu_valid_i, burst_q | (head_valid_q & head_here_q & ~read_hold_i)};
  assign local_asks    = {cpu_valid_i, burst_q | (head_valid_q & head_here_q & ~hold_q)};
  assign local_reads   = (local_select & local_request) != '0 && !word_waits;
  assign cpu_ready_o   = local_select[7] && !word_waits;

  rf_select #(
    .Ports(8),
    .First(8'b0001_1100)  // fence, wait, update: single words
  ) u_local_select (
    .clk_i,
    .rst_ni,
    .keep_i   (word_waits),
    .request_i(local_asks),
    .hint_i   ({1'b0, hint}),
    .waiting_i({1'b0, head_valid_q & head_here_q}),
    .next_o   (unused_local_next),
    .select_o (local_select),
    .index_o  (local_index)
  );

  // --- system side -------------------------------------------------------------------------
  logic [20:0]  system_head;
  logic [54:12] system_page;

  rf_lutram #(
    .Width    (21),
    .DepthLog2(3)
  ) u_system_request (
    .clk_i,
    .write_i        (kept),
    .write_address_i(kept_master),
    .write_data_i   (kept_request),
    .read_address_i (system_index),
    .read_data_o    (system_head)
  );

  rf_lutram #(
    .Width    (43),
    .DepthLog2(3)
  ) u_system_page (
    .clk_i,
    .write_i        (translated_i),
    .write_address_i(translated_master_i),
    .write_data_i   (translated_page_i),
    .read_address_i (system_index),
    .read_data_o    (system_page)
  );

  // The epoch travels in the spare bit of the master's number.
  assign system_o.address = {system_page, system_head[20:12]};
  assign system_o.words   = system_head[11:5];
  assign system_o.id      = system_head[4:0];
  assign system_o.master  = {(system_select & head_epoch_q) != '0, system_index};

  // --- local side: the word ------------------------------------------------------------
  logic [20:0]  local_head;
  logic [1:0]   local_level;
  logic [L-1:12] local_page;
  logic [L+8:0] burst;         // {address, words left, id} behind the word read last
  logic         from_burst, word_fault, word_last, word_epoch;
  logic [L-1:3] word_address;
  logic [6:0]   word_left;     // this one included
  logic [4:0]   word_id;
  logic [L-1:3] word_address_q;  // read last

  rf_lutram #(
    .Width    (21),
    .DepthLog2(3)
  ) u_local_request (
    .clk_i,
    .write_i        (kept),
    .write_address_i(kept_master),
    .write_data_i   (kept_request),
    .read_address_i (local_index),
    .read_data_o    (local_head)
  );

  rf_lutram #(
    .Width    (L - 12 + 2),
    .DepthLog2(3)
  ) u_local_page (
    .clk_i,
    .write_i        (translated_i),
    .write_address_i(translated_master_i),
    .write_data_i   ({translated_level_i, translated_page_i[L-1:12]}),
    .read_address_i (local_index),
    .read_data_o    ({local_level, local_page})
  );

  rf_lutram #(
    .Width    (L + 9),
    .DepthLog2(3)
  ) u_burst (
    .clk_i,
    .write_i        (local_reads),
    .write_address_i(local_index),
    // A burst stays in its page.
    .write_data_i   ({word_address[L-1:12], word_address[11:3] + 9'd1, word_left - 7'd1,
                      word_id}),
    .read_address_i (local_index),
    .read_data_o    (burst)
  );

  assign from_burst = (local_select[6:0] & burst_q) != '0;
  assign word_fault = (local_select[6:0] & head_fault_q) != '0 && !from_burst;
  assign word_epoch = from_burst ? (local_select[6:0] & burst_epoch_q) != '0
                                 : (local_select[6:0] & head_epoch_q) != '0;

  assign {word_address, word_left, word_id} =
      from_burst ? burst : {local_page, local_head};
  assign word_last = word_left == 7'd1 || word_fault;

  // The RAM may be read without effect if the selected master stalls.
  assign local_read_o    = local_select != '0 || word_waits;
  assign local_address_o = word_waits      ? word_address_q :
                           local_select[7] ? cpu_address_i : word_address;

  always_ff @(posedge clk_i) word_address_q <= local_address_o;

  // --- state of the masters ---------------------------------------------------------------
  for (genvar m = 0; m < 7; m++) begin : gen_master
    logic answered, local_word, system_begins, begins;

    assign answered      = translated_i && translated_master_i == m;
    assign local_word    = local_select[m] && local_request[m] && !word_waits;
    assign system_begins = system_valid_o && system_ready_i && system_select[m];
    assign begins        = system_begins || (local_word && !burst_q[m]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        taken_q[m]      <= 1'b0;
        head_valid_q[m] <= 1'b0;
        burst_q[m]      <= 1'b0;
      end else begin
        if (translate_ready_i[m]) taken_q[m] <= 1'b1;
        else if (begins) taken_q[m] <= 1'b0;
        if (answered) head_valid_q[m] <= 1'b1;
        else if (begins) head_valid_q[m] <= 1'b0;
        if (local_word) burst_q[m] <= !word_last;
      end
    end

    always_ff @(posedge clk_i) begin
      if (answered) begin
        head_here_q[m]  <= translated_local_i || translated_fault_i;
        head_fault_q[m] <= translated_fault_i;
        head_epoch_q[m] <= epoch_i;
      end
      if (local_word && !burst_q[m]) burst_epoch_q[m] <= head_epoch_q[m];
    end
  end

  // --- responses -----------------------------------------------------------------------------
  rf_bus_pkg::read_response_t word, response_d;
  logic       word_valid_q, word_cpu_q, word_fault_q;
  logic [3:0] word_master_q;
  logic [4:0] word_id_q;
  logic       word_last_q;
  logic [1:0] word_level_q;
  logic       response_valid_d;

  assign word_waits = word_valid_q && system_response_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_valid_q   <= 1'b0;
      word_cpu_q     <= 1'b0;
      waited_q       <= 1'b0;
      response_valid_o <= 1'b0;
      response_to_o  <= '0;
    end else begin
      word_valid_q   <= word_waits || (local_reads && !local_select[7]);
      word_cpu_q     <= cpu_valid_i && cpu_ready_o;
      waited_q       <= word_waits;
      response_valid_o <= response_valid_d;
      response_to_o  <= response_to_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!word_waits) begin
      word_master_q <= {word_epoch, local_index};
      word_id_q     <= word_id;
      word_last_q   <= word_last;
      word_fault_q  <= word_fault;
      word_level_q  <= local_level;
    end
    response_o <= {1'b0, response_d[rf_bus_pkg::ReadResponseWidth-2:0]};
  end

  assign cpu_data_valid_o = word_cpu_q;
  assign cpu_data_o       = local_data_i;

  assign word = {word_master_q, word_id_q, word_last_q,
                 word_fault_q ? rf_pkg::AccessStatusTranslation : rf_pkg::AccessStatusOk,
                 word_fault_q ? word_level_q : 2'd0, local_data_i};

  // The master of a response is needed far away, with much logic behind it.
  logic [6:0] response_to_d;
  logic [2:0] system_master;
  logic       unused_epoch;
  assign {unused_epoch, system_master} = system_response_i.master;
  for (genvar m = 0; m < 7; m++) begin : gen_to
    assign response_to_d[m] = system_response_valid_i ? system_master == m
                                                  : word_valid_q && word_master_q[2:0] == m;
  end

  assign response_valid_d = system_response_valid_i || word_valid_q;
  assign response_d     = system_response_valid_i ? system_response_i : word;

  // --- in flight, by epoch ---------------------------------------------------------------
  logic [1:0] in_flight;
  logic       ended_q, ended_epoch_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ended_q <= 1'b0;
    else ended_q <= response_valid_d && response_d.last;
  end

  always_ff @(posedge clk_i) begin
    ended_epoch_q <= response_d.master[3];
  end

  for (genvar e = 0; e < 2; e++) begin : gen_epoch
    logic       more, less;
    logic [8:0] count_q;

    assign more = translated_i && epoch_i == e;
    assign less = ended_q && ended_epoch_q == e;
    assign in_flight[e] = count_q != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (more != less) count_q <= count_q + {{8{less}}, 1'b1};
    end
  end

  assign old_in_flight_o = in_flight[!epoch_i];
  assign idle_o = in_flight == '0 && taken_q == '0 &&
                  read_valid_i == '0 && !word_valid_q && !word_cpu_q && !cpu_valid_i &&
                  !response_valid_o;

endmodule

`default_nettype wire
