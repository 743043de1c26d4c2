// SPDX-License-Identifier: Apache-2.0
//
// No lost wake-up: the fence unit with its update port, over the contracts of the memory
// system (contract.sv), seen from one fence (any CurrentValue, any MonitoredValue, any
// signal to it).
//
// Whenever CurrentValue, as the signal wrote it, is above MonitoredValue, then the
// host was told so since the last of the two changed, or a read is still to come
// and will find it: the signal has not read MonitoredValue yet or has read one below
// its value; the update that stored MonitoredValue has not read CurrentValue yet or
// has found it greater; the CPU that stored MonitoredValue has its read of
// CurrentValue still before it. And no record tells of a value that was not above.
//
// Each word lies in local or in system memory. CurrentValue may also be written by
// others and MonitoredValue by the CPU at any time. An update names both words of the
// fence. Addresses do not move.

`default_nettype none

module rf_fence_props #(
  parameter bit MonitoredShadow = 1'b1
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,
  input  wire logic [63:0]                              timestamp_i,
  input  wire logic [1:0]                               fence_valid_i,
  input  wire logic [2*rf_bus_pkg::FenceOperationWidth-1:0] fence_i,
  input  wire logic [127:0]                             word_i,
  input  wire logic [1:0]                               write_ready_i,
  input  wire logic [1:0]                               write_data_ready_i,
  input  wire logic [1:0]                               write_done_i,
  input  wire logic [2*3-1:0]                           write_done_status_i,
  input  wire logic [2*2-1:0]                           write_done_level_i,
  input  wire logic [1:0]                               read_ready_i,
  input  wire logic                                     response_valid_i,
  input  wire        rf_bus_pkg::read_response_t        response_i,
  input  wire logic [1:0]                               record_ready_i,
  input  wire        rf_bus_pkg::slot_event_t           restart_i,
  input  wire        rf_bus_pkg::register_request_t     register_i
);

  logic [1:0]   write_valid, write_data_valid, read_valid, read_hold, record_valid;
  logic [2*rf_bus_pkg::WriteRequestWidth-1:0] write_requests;
  logic [2*rf_bus_pkg::ReadRequestWidth-1:0]  read_requests;
  (* hierconn *) wire [rf_bus_pkg::RecordWidth-1:0] \u_fence.fence_record ,
      \u_fence.gen_update.update_record ;
  logic [2*rf_bus_pkg::RecordWidth-1:0]       records;
  assign records = {\u_fence.gen_update.update_record , \u_fence.fence_record };
  logic [127:0] write_data;
  logic         updated;

  logic        slot_decoded, slot_hit;
  logic [3:0]  register_slot;
  logic [16:3] register_address;
  assign register_address = register_i.address;
  rf_slot_decode u_slot_decode (
    .address_i(register_address[16:8]), .hit_o(slot_decoded), .slot_o(register_slot));
  assign slot_hit = register_i.valid && slot_decoded;
  rf_bus_pkg::slot_access_t slot_access;
  always_comb begin
    slot_access.read  = slot_hit && !register_i.write;
    slot_access.write = slot_hit && register_i.write;
    slot_access.slot  = register_slot;
  end

  rf_fence #(.MonitoredShadow(MonitoredShadow)) u_fence (
    .clk_i, .rst_ni, .timestamp_i, .fence_valid_i, .fence_ready_o(), .fence_i, .word_i,
    .fence_done_o(), .fence_done_log_only_o(), .fence_fault_o(), .restart_i,
    .write_valid_o(write_valid), .write_ready_i, .write_o(write_requests),
    .write_data_valid_o(write_data_valid), .write_data_ready_i, .write_data_o(write_data),
    .write_done_i, .write_done_status_i, .write_done_level_i,
    .read_valid_o(read_valid), .read_ready_i, .read_o(read_requests), .read_hold_o(read_hold),
    .response_valid_i, .response_i,
    .record_valid_o(record_valid), .record_ready_i, .record_show_i('0), .record_o(),
    .register_i, .slot_access_i(slot_access), .register_data_o(), .slot_data_o(),
    .notify_o(), .suppressed_o(), .updated_o(updated), .idle_o());

  operation_slots u_slots (
    .clk_i, .valid_i(fence_valid_i), .operation_i(fence_i)
  );

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  for (genvar i = 0; i < 2; i++) begin : gen_record
    // A record that is shown stays until it is taken.
    localparam int unsigned Width = rf_bus_pkg::RecordWidth;
    logic             waits_q = 1'b0;
    logic [Width-1:0] shown_q;
    always_ff @(posedge clk_i) begin
      waits_q <= rst_ni && record_valid[i] && !record_ready_i[i];
      shown_q <= records[i*Width +: Width];
    end
    always_comb if (waits_q) begin
      assert (record_valid[i] && records[i*Width +: Width] == shown_q);
    end
  end

  // --- one fence: its two words by the names that its signals and its updates use -----
  (* anyconst *) logic [3:0]  vmid;
  (* anyconst *) logic [63:0] current, monitored;
  (* anyconst *) logic [63:3] update_current, update_monitored;

  rf_bus_pkg::write_request_t fence_write, update_write;
  rf_bus_pkg::read_request_t  fence_read, update_read;
  rf_bus_pkg::record_t        signal_record, update_record;
  assign fence_write   = write_requests[0 +: rf_bus_pkg::WriteRequestWidth];
  assign update_write  = write_requests[rf_bus_pkg::WriteRequestWidth +:
                                        rf_bus_pkg::WriteRequestWidth];
  assign fence_read    = read_requests[0 +: rf_bus_pkg::ReadRequestWidth];
  assign update_read   = read_requests[rf_bus_pkg::ReadRequestWidth +:
                                       rf_bus_pkg::ReadRequestWidth];
  assign signal_record = records[0 +: rf_bus_pkg::RecordWidth];
  assign update_record = records[rf_bus_pkg::RecordWidth +: rf_bus_pkg::RecordWidth];

  logic [63:0] current_q, monitored_q;     // the words

  // --- one signal to it ---------------------------------------------------------------
  // Its value and the address of its MonitoredValue come behind its begin: what they will be is
  // guessed, and only a right guess is looked at.
  (* hierconn *) wire        \u_fence.begun ;
  (* hierconn *) wire        \u_fence.u_write.begun , \u_fence.u_write.begun_q ,
      \u_fence.u_write.bad , \u_fence.u_write.compare_q ,
      \u_fence.u_write.progress_q , \u_fence.u_write.compares_q ;
  (* hierconn *) wire [3:1]  \u_fence.u_write.comes_q ;
  (* hierconn *) wire [3:0]  \u_fence.u_write.vmid_q ;
  (* hierconn *) wire [63:0] \u_fence.u_write.address_q , \u_fence.u_write.value_q ,
      \u_fence.u_write.monitored_q , \u_fence.u_write.word_i ,
      \u_fence.u_write.lookup_word_i ;
  (* anyseq *) logic [63:0]  guess;
  logic [3:1]  comes;
  logic        owed;                       // one has begun, and is not handed to the comparison:
  logic        ours_owed_q = 1'b0;         // this one
  always_ff @(posedge clk_i) ours_owed_q <= running_q && begins;
  assign comes = \u_fence.u_write.comes_q ;
  assign owed  = \u_fence.u_write.compares_q ;
  (* hierconn *) wire        \u_fence.u_write.logged_q , \u_fence.u_write.u_tracker.head_done ;
  (* hierconn *) wire [2:0]  \u_fence.u_compare.u_operations.write_q ,
      \u_fence.u_write.u_tracker.tracked_left ;

  (* anyseq *) logic mark;                 // this one
  logic        begins, signal_q = 1'b0;
  logic [2:0]  number_q, track_place;      // its place in the queues inside
  logic        logged_q;
  logic [63:0] value_q, value;
  assign begins = mark && \u_fence.u_write.begun && \u_fence.u_write.compare_q &&
                  \u_fence.u_write.vmid_q == vmid && \u_fence.u_write.address_q == current &&
                  (!\u_fence.u_write.progress_q || \u_fence.u_write.lookup_word_i == monitored);
  assign value  = !begins ? value_q : guess;
  always_comb begin
    if (begins) assume (\u_fence.u_write.word_i == guess);
    if (ours_owed_q && !\u_fence.u_write.progress_q ) begin
      assume (\u_fence.u_write.word_i == monitored);
    end
  end
  always_comb if (signal_q || !running_q) assume (!mark);
  always_ff @(posedge clk_i) if (begins) begin
    signal_q <= 1'b1;
    value_q  <= value;
    logged_q <= \u_fence.u_write.logged_q ;
    number_q <= \u_fence.u_compare.u_operations.write_q ;
    track_place <= \u_fence.u_write.u_tracker.tracked_left ;
  end else if (\u_fence.u_write.u_tracker.head_done ) track_place <= track_place - 3'd1;

  // --- write master 0 ------------------------------------------------------------------
  (* anyseq *) logic perform, perform_fails, keep; // keep: memory takes the value
  logic       asked, given, stored, performed, failed, ends; // until the write is done
  logic [5:0] at, ready, waiting;          // requests in front of it, performed, not performed
  logic       asked_q, given_q, stored_q, failed_q, past_q = 1'b0, lost_q;
  logic       ask, give, done;
  assign ask  = write_valid[0] && write_ready_i[0];
  assign give = write_data_valid[0] && write_data_ready_i[0];
  assign done = write_done_i[0];

  write_contract u_value (
    .clk_i, .rst_ni, .ask_i(ask), .ours_i((signal_q || begins) && !asked_q),
    .give_i((signal_q || begins) && give && !given_q), .store_i(keep),
    .perform_i(perform), .fails_i(perform_fails), .done_i(done),
    .bad_i(write_done_status_i[2:0] != rf_pkg::AccessStatusOk),
    .asked_o(asked), .given_o(given), .stored_o(stored), .performed_o(performed),
    .failed_o(failed), .done_o(ends), .ahead_o(at), .ready_o(ready), .waiting_o(waiting));

  assign asked_q  = asked || past_q;
  assign given_q  = given || past_q;
  assign stored_q = past_q ? !lost_q : stored;
  assign failed_q = past_q ? lost_q : failed;
  always_ff @(posedge clk_i) if (running_q && ends) begin
    past_q <= 1'b1;
    lost_q <= failed;
  end
  always_comb if (running_q && ask) begin
    whole_words: assert (fence_write.words != '0 && fence_write.words <= 6'd32 &&
                         fence_write.first_strobe == 8'hff && fence_write.last_strobe == 8'hff);
  end
  always_comb if (running_q && (signal_q || begins)) begin
    if (ask && !asked_q) begin
      value_address: assert (fence_write.vmid == vmid && fence_write.va == current[63:3] &&
                             fence_write.words == 6'd1 && fence_write.first_strobe == 8'hff);
    end
    if (give && !given_q) value_data: assert (write_data[63:0] == value);
  end

  // --- read master 3: MonitoredValue of signals ------------------------------------------
  (* anyseq *) logic [3:0] look;           // by id
  (* anyseq *) logic       look_new;
  logic [3:0]  out, held, looked, known, ours_out;
  logic [4*64-1:0] seen;
  logic [1:0]  id;
  logic        looked_q = 1'b0, told_read_q = 1'b0, requested_q = 1'b0, bad_read_q = 1'b0;
  logic [63:0] seen_q;
  logic        read, response, response_ours, looks;
  assign id          = fence_read.id[1:0];
  assign read        = read_valid[0] && read_ready_i[0];
  assign response    = response_valid_i && response_i.master == rf_bus_pkg::ReadFence;
  assign response_ours = response && requested_q && !told_read_q && response_i.id[1:0] == number_q[1:0];
  (* hierconn *) wire [2:0] \u_fence.u_compare.requested_q ;
  logic store_monitored;                   // in this cycle, by any writer
  logic [63:0] current_d, monitored_d;
  assign looks = (look & ours_out) != '0;

  for (genvar i = 0; i < 4; i++) begin : gen_read
    logic asks;
    assign asks    = read && id == 2'(i);
    assign ours_out[i] = requested_q && !told_read_q && number_q[1:0] == 2'(i);
    read_contract u_read (
      .clk_i, .rst_ni, .ask_i(asks), .next_i(read && !asks), .hold_i(read_hold[0]),
      .look_i(look[i]), .known_i(ours_out[i]), .value_i(look_new ? monitored_d : monitored_q),
      .response_i(response && response_i.id == 5'(i)), .last_i(response_i.last),
      .bad_i(response_i.status != rf_pkg::AccessStatusOk), .data_i(response_i.data),
      .out_o(out[i]), .held_o(held[i]), .looked_o(looked[i]), .known_o(known[i]),
      .seen_o(seen[i*64 +: 64]));
  end
  // response_is_due, of the ids that are never handed over
  always_comb if (response) assume (response_i.id < 5'd4);
  always_comb if (running_q && read) begin
    one_word: assert (fence_read.words == 7'd1 && fence_read.id < 5'd4);
  end

  // A read that fails need not have seen anything.
  always_ff @(posedge clk_i) if (running_q) begin
    if (signal_q && read && \u_fence.u_compare.requested_q == number_q) requested_q <= 1'b1;
    if (looks || (response_ours && response_i.status != rf_pkg::AccessStatusOk)) looked_q <= 1'b1;
    if (looks) seen_q <= look_new ? monitored_d : monitored_q;
    if (response_ours) begin
      told_read_q <= 1'b1;
      bad_read_q  <= response_i.status != rf_pkg::AccessStatusOk;
    end
  end

  // --- the update port: one write, one read at a time ---------------------------------
  (* anyseq *) logic store, store_performs, store_fails, find, find_new;
  (* anyseq *) logic [63:0] find_other;
  logic        store_asked, store_given, store_stored, store_past, store_failed, store_done;
  logic        store_ours_q;               // ... to MonitoredValue
  logic [63:0] store_data_q, store_data;
  logic        store_gives, find_asked, find_ours_q, find_held, find_looked, find_known;
  logic [63:0] find_data;
  logic        update_response, store_asks, find_asks;
  logic [5:0]  store_at, store_ready, store_waiting;
  assign update_response = response_valid_i && response_i.master == rf_bus_pkg::ReadUpdate;
  assign store_asks    = write_valid[1] && write_ready_i[1];
  assign store_gives   = write_data_valid[1] && write_data_ready_i[1];
  assign store_data    = store_gives ? write_data[127:64] : store_data_q;
  assign find_asks     = read_valid[1] && read_ready_i[1];

  write_contract u_store (
    .clk_i, .rst_ni, .ask_i(store_asks), .ours_i(store_asks),
    .give_i(store_gives), .store_i(store),
    .perform_i(store_performs), .fails_i(store_fails), .done_i(write_done_i[1]),
    .bad_i(write_done_status_i[5:3] != rf_pkg::AccessStatusOk),
    .asked_o(store_asked), .given_o(store_given), .stored_o(store_stored),
    .performed_o(store_past), .failed_o(store_failed), .done_o(store_done),
    .ahead_o(store_at), .ready_o(store_ready), .waiting_o(store_waiting));

  read_contract u_find (
    .clk_i, .rst_ni, .ask_i(find_asks), .next_i(1'b0), .hold_i(read_hold[1]), .look_i(find),
    .known_i(1'b1),
    .value_i(!find_ours_q ? find_other : find_new ? current_d : current_q),
    .response_i(update_response), .last_i(response_i.last),
    .bad_i(response_i.status != rf_pkg::AccessStatusOk), .data_i(response_i.data),
    .out_o(find_asked), .held_o(find_held), .looked_o(find_looked), .known_o(find_known),
    .seen_o(find_data));

  // Another id is never handed over.
  always_comb if (update_response) assume (response_i.id == '0);
  always_comb if (running_q) begin
    find_is_known: assert (!find_looked || find_known);
    if (store_asks) one_store: assert (update_write.words == 6'd1);
    if (find_asks) one_find: assert (update_read.words == 7'd1 && update_read.id == '0);
  end
  always_ff @(posedge clk_i) if (running_q) begin
    if (store_asks) store_ours_q <= update_write.vmid == '0 && update_write.va == update_monitored;
    store_data_q <= store_data;
    if (find_asks) begin
      find_ours_q <= update_read.vmid == '0 && update_read.va == {update_current, 3'd0};
    end
  end

  // --- the words ----------------------------------------------------------------------
  // Performed in system memory means accepted by the link; the word changes when the write
  // lands there. Behind that come the reads of system memory that were handed over, not
  // held, when it was accepted (rf_pcie_transmit, and PCIe), and completions: a CPU that
  // stores a MonitoredValue in local memory reads it back before it looks.
  (* anyconst *) logic        current_remote, monitored_remote; // in system memory
  (* anyseq *)   logic        land, other_current, cpu_monitored, cpu_looks;
  (* anyseq *)   logic [63:0] other_data;
  logic landed_q = 1'b0, lands, coming;    // our value; accepted, not landed
  logic released_q = 1'b0, behind_q, find_behind_q, cpu_behind_q; // accepted before
  logic store_ours, written_q = 1'b0;      // CurrentValue is what the signal wrote
  logic cpu_due_q = 1'b0, cpu_wrote_q = 1'b1;
  logic notified_q = 1'b0;
  logic signal_told, update_told, updating_q = 1'b0, tells, released;
  logic [63:0] wanted;
  assign lands           = current_remote ? land : keep;
  assign coming          = current_remote && stored_q && !landed_q;
  assign wanted          = coming ? value_q : current_q;
  assign released        = (out & ours_out & ~(held & {4{read_hold[0]}})) != '0;
  assign store_ours      = store && store_ours_q;
  assign store_monitored = store_ours || cpu_monitored;
  assign current_d   = lands ? value_q : other_current ? other_data : current_q;
  assign monitored_d = store_ours ? store_data : cpu_monitored ? other_data : monitored_q;
  always_comb begin
    assume (!land || coming);
    assume (!(other_current && lands));
    assume (!(store && cpu_monitored) && !(other_current && cpu_monitored));
    assume (!cpu_looks || (cpu_due_q && !cpu_monitored));
    if (current_remote && !landed_q) begin
      if (looks && monitored_remote) assume (!(released_q ? behind_q : stored_q));
      if (find && find_ours_q) assume (!find_behind_q);
      if (cpu_looks && !monitored_remote) assume (!cpu_behind_q);
    end
  end

  // The host is told by a record taken, or has looked itself. A record comes to it behind
  // the value that it tells of.
  assign signal_told = record_valid[0] && record_ready_i[0] && signal_record.address == current &&
                       signal_record.vmid == vmid && signal_record.value == wanted;
  assign update_told = record_valid[1] && record_ready_i[1] &&
                       update_record.address == {update_current, 3'd0} &&
                       (update_record.detail[0] || update_record.value == wanted);
  assign tells       = signal_told || update_told || (cpu_looks && !coming);
  always_ff @(posedge clk_i) if (running_q) begin
    current_q   <= current_d;
    monitored_q <= monitored_d;
    if (lands) landed_q <= 1'b1;
    if (released) released_q <= 1'b1;
    if (!released_q) behind_q <= stored_q;
    if (find_asks) find_behind_q <= stored_q;
    if (cpu_monitored) cpu_behind_q <= stored_q;
    written_q   <= lands || (written_q && !other_current);
    if (store_monitored) cpu_wrote_q <= cpu_monitored;
    cpu_due_q   <= cpu_monitored || (cpu_due_q && !cpu_looks);
    notified_q  <= (coming || !(keep || other_current || store_monitored)) && (notified_q || tells);
    // an update that stored MonitoredValue has not seen CurrentValue yet, nor failed to
    updating_q  <= store_ours || (updating_q && !find && !update_response);
  end

  // --- no lost wake-up, no false record -----------------------------------------------
  logic update_finds, signal_finds;
  always_comb if (running_q && (written_q || coming) && value_q > monitored_q) begin
    no_lost_wakeup: assert (
        notified_q || !looked_q || signal_finds ||
        (!cpu_wrote_q && (updating_q || update_finds)) || cpu_due_q);
  end

  // The same while the value is in flight: a CPU that is to look finds it landed then.
  always_comb if (running_q && coming) begin
    if (value_q > monitored_q) begin
      not_lost_in_flight: assert (
          notified_q || !looked_q || signal_finds ||
          (cpu_wrote_q ? cpu_due_q && cpu_behind_q && !monitored_remote
                       : updating_q || update_finds));
    end
    if (over_q && (bad_read_q || value_q > seen_q)) told_in_flight: assert (notified_q);
    if (looked_q && updating_q && find_asked && !cpu_wrote_q && !notified_q && !signal_finds &&
        value_q > monitored_q) begin
      find_is_behind: assert (find_behind_q);
    end
  end

  // --- the inside: operations from acceptance to decision -----------------------------
  (* hierconn *) wire [2:0] \u_fence.u_compare.u_operations.read_q ,
      \u_fence.u_compare.pushed_q , \u_fence.u_compare.performed_q ,
      \u_fence.u_compare.decided_q ;
  (* hierconn *) wire [3:0] \u_fence.u_compare.answered_q , \u_fence.u_compare.lost_q ;
  (* hierconn *) wire       \u_fence.u_compare.due_q , \u_fence.u_compare.raise_q ,
      \u_fence.fault , \u_fence.u_compare.pop , \u_fence.u_compare.kept_q ,
      \u_fence.u_compare.progress_valid_o , \u_fence.u_compare.head_valid_q ,
      \u_fence.u_compare.handle_valid_o , \u_fence.u_compare.handle_coming_q ,
      \u_fence.u_compare.handle_valid_q , \u_fence.u_compare.value_valid_q ,
      \u_fence.u_compare.complete ;
  (* hierconn *) wire             \u_fence.u_compare.u_operations.valid_o ;
  (* hierconn *) wire [73:0]      \u_fence.u_compare.u_operations.data_o ;
  (* hierconn *) wire [4*74-1:0]  \u_fence.u_compare.u_operations.watched ;
  (* hierconn *) wire             \u_fence.u_compare.head_node , \u_fence.u_compare.head_progress ;
  (* hierconn *) wire [3:0]       \u_fence.u_compare.head_slot , \u_fence.u_compare.head_vmid ;
  (* hierconn *) wire [63:0]      \u_fence.u_compare.head_value_q ,
      \u_fence.u_compare.u_values.watched ;
  (* hierconn *) wire             \u_fence.u_compare.fault_reported_q ,
      \u_fence.u_compare.fault_shown_q ;
  (* hierconn *) wire [67:0]      \u_fence.u_compare.u_requests.watched ;
  (* hierconn *) wire [1:0]       \u_fence.u_compare.u_requests.watch ,
      \u_fence.u_compare.u_responses.watch , \u_fence.u_compare.u_values.watch ;
  // greater, status, level
  (* hierconn *) wire [5:0]       \u_fence.u_compare.u_responses.watched ;
  (* hierconn *) wire [74:0]      \u_fence.fault_failure ;
  (* hierconn *) wire [2:0]       \u_fence.u_compare.kept_status ;
  assign \u_fence.u_compare.u_requests.watch = number_q[1:0];
  assign \u_fence.u_compare.u_responses.watch = number_q[1:0];
  assign \u_fence.u_compare.u_values.watch = number_q[1:0];

  logic [2:0]   decided, pushed, requests, performs, place; // counted from the last decision
  logic [73:0]  kept_operation;
  logic         over_q = 1'b0, pending, raising, ahead;
  logic [1:0]   last_id;                   // of the read handed over last
  assign decided  = \u_fence.u_compare.u_operations.read_q ;
  assign pushed   = \u_fence.u_compare.u_operations.write_q - decided;
  assign requests = \u_fence.u_compare.requested_q - decided;
  assign performs = \u_fence.u_compare.performed_q - decided;
  assign place    = number_q - decided;
  assign pending  = signal_q && !over_q;
  assign raising  = \u_fence.u_compare.raise_q && pending && place == '0;
  assign last_id  = decided[1:0] + requests[1:0] - 2'd1;
  assign ahead    = requests == performs + 3'd1;
  assign kept_operation = \u_fence.u_compare.u_operations.watched [number_q[1:0]*74 +: 74];
  assign signal_finds = looked_q && !over_q && !failed_q &&
                        (value_q > seen_q || (told_read_q && bad_read_q));
  always_ff @(posedge clk_i) if (running_q) begin
    if (pending && place == '0 && \u_fence.u_compare.pop ) over_q <= 1'b1;
  end

  always_comb if (running_q) begin
    counts_agree: assert (\u_fence.u_compare.decided_q == decided &&
                          \u_fence.u_compare.pushed_q - decided == pushed);
    counts_in_order: assert (pushed <= 3'd4 && requests <= pushed && performs <= pushed &&
                             requests <= performs + 3'd1);
    requested_is_shown: assert (requests == '0 || \u_fence.u_compare.u_operations.valid_o );
    if (\u_fence.u_compare.u_operations.valid_o ) begin
      oldest_is_shown: assert (pushed != '0 && \u_fence.u_compare.u_operations.data_o ==
                               \u_fence.u_compare.u_operations.watched
                                   [decided[1:0]*74 +: 74]);
    end
    held_is_ahead: assert (held == (ahead ? 4'd1 << last_id : 4'd0) && (held & ~out) == '0);
    for (int unsigned i = 0; i < 4; i++) begin
      if ({1'b0, i[1:0] - decided[1:0]} < requests) begin
        assert (out[i] != \u_fence.u_compare.answered_q [i]);
      end else begin
        assert (!out[i] && !\u_fence.u_compare.answered_q [i]);
      end
    end
    if (\u_fence.u_compare.due_q ) begin
      due_is_answered: assert (pushed != '0 && \u_fence.u_compare.answered_q [decided[1:0]]);
      due_is_complete: assert (\u_fence.u_compare.complete &&
                               (!\u_fence.u_compare.head_progress ||
                                \u_fence.u_compare.lost_q [decided[1:0]] ||
                                \u_fence.u_compare.kept_q ));
      due_is_told: assert (\u_fence.u_compare.lost_q [decided[1:0]] ||
                           \u_fence.u_compare.kept_status == rf_pkg::AccessStatusOk ||
                           \u_fence.u_compare.fault_reported_q );
    end else nothing_raised: assert (!\u_fence.u_compare.raise_q );
    if (\u_fence.u_compare.head_valid_q ) begin
      head_is_shown: assert (\u_fence.u_compare.u_operations.valid_o );
    end else begin
      no_handle_without_head: assert (!\u_fence.u_compare.handle_valid_o &&
                                      !\u_fence.u_compare.handle_coming_q &&
                                      !\u_fence.u_compare.handle_valid_q );
    end
    if (\u_fence.u_compare.value_valid_q ) begin
      value_of_oldest: assert (\u_fence.u_compare.u_operations.valid_o &&
                               (!pending || place != '0 ||
                                \u_fence.u_compare.head_value_q == value_q));
    end
    if (\u_fence.u_compare.progress_valid_o ) begin
      kept_of_progress: assert (\u_fence.u_compare.head_progress &&
                                !\u_fence.u_compare.lost_q [decided[1:0]]);
    end
    handle_once: assert ({1'b0, \u_fence.u_compare.handle_valid_o } +
                         {1'b0, \u_fence.u_compare.handle_coming_q } +
                         {1'b0, \u_fence.u_compare.handle_valid_q } <= 2'd1);
    if (\u_fence.u_compare.fault_shown_q || \u_fence.u_compare.fault_reported_q ) begin
      told_when_answered: assert (\u_fence.u_compare.complete &&
                                  !\u_fence.u_compare.lost_q [decided[1:0]] &&
                                  !(\u_fence.u_compare.fault_shown_q &&
                                    \u_fence.u_compare.fault_reported_q ) &&
                                  \u_fence.u_compare.answered_q [decided[1:0]]);
    end
    if (\u_fence.fault && pending && place == '0) begin
      fault_is_ours: assert (bad_read_q && told_read_q && !failed_q &&
                             \u_fence.fault_failure [63:0] == monitored);
    end
    if (raising && bad_read_q) begin
      told_before_its_record: assert (\u_fence.u_compare.fault_reported_q );
    end
    if (\u_fence.u_compare.kept_q || \u_fence.u_compare.progress_valid_o ) begin
      kept_when_answered: assert (\u_fence.u_compare.complete &&
                                  !(\u_fence.u_compare.kept_q &&
                                    \u_fence.u_compare.progress_valid_o ) &&
                                  \u_fence.u_compare.answered_q [decided[1:0]]);
    end
    if (pending) begin
      signal_in_queue: assert (place < pushed || ours_owed_q);
      if (place < pushed) begin
        signal_kept: assert (kept_operation[67:0] == {vmid, current} &&
                             \u_fence.u_compare.u_values.watched == value_q &&
                             \u_fence.u_compare.u_requests.watched == {vmid, monitored});
      end
      signal_requested: assert (requested_q == (place < requests));
      if (read && \u_fence.u_compare.requested_q == number_q) begin
        request_address: assert (fence_read.vmid == vmid && fence_read.va == monitored);
      end
      if (requested_q) begin
        signal_answered: assert (told_read_q == \u_fence.u_compare.answered_q [number_q[1:0]]);
      end
      if (told_read_q) begin
        response_kept: assert ((\u_fence.u_compare.u_responses.watched [4:2] != '0) == bad_read_q &&
                             (bad_read_q ||
                              \u_fence.u_compare.u_responses.watched [5] == (value_q > seen_q)));
      end
      if (place == '0 && \u_fence.u_compare.due_q ) begin
        raised_as_found: assert (\u_fence.u_compare.raise_q ==
                                 (!failed_q && (bad_read_q || value_q > seen_q)));
      end
      signal_performed: assert (in_track_q == (performs <= place));
      if (!in_track_q) begin
        loss_kept: assert (\u_fence.u_compare.lost_q [number_q[1:0]] == failed_q);
      end
    end
    if (raising) begin
      record_behind_its_writes: assert (!in_track_q);
      no_false_signal_record: assert (!failed_q && told_read_q && (bad_read_q || value_q > seen_q));
    end
    for (int unsigned i = 0; i < 4; i++) begin
      if (ours_out[i]) begin
        assert (out[i] && looked[i] == looked_q &&
                (!looked[i] || (known[i] && seen[i*64 +: 64] == seen_q)));
      end
    end
    looked_in_turn: assert ((!told_read_q || looked_q) && (!looked_q || requested_q) &&
                            (!over_q || told_read_q) && (!requested_q || signal_q));
    looked_after_performed: assert (!looked_q || !in_track_q);
    written_is_landed: assert (!written_q || (landed_q && current_q == value_q));
    landed_is_stored: assert (!landed_q || stored_q);
    if (!current_remote) lands_when_stored: assert (landed_q == stored_q);
    if (released_q) begin
      released_when_done: assert (!in_track_q && signal_q && requested_q && behind_q == stored_q);
    end
    if (looked_q) looked_when_released: assert (released_q || (told_read_q && bad_read_q));
    if (looked_q && !(told_read_q && bad_read_q) && current_remote && monitored_remote) begin
      looked_behind: assert (!coming);
    end
    once: assert (!past_q || !(asked || given));
    stored_or_failed: assert (!(stored_q && failed_q) && (!(stored_q || failed_q) || given_q));
    over_has_signal: assert (!over_q || (signal_q && !in_track_q));
  end

  // --- the inside: writes of operations -----------------------------------------------
  (* hierconn *) wire [2:0] \u_fence.u_write.u_tracker.tracked_q , \u_fence.u_write.request_q ,
      \u_fence.u_write.word_q ;
  (* hierconn *) wire [1:0] \u_fence.u_write.data_q , \u_fence.u_write.u_tracker.step_q ,
      \u_fence.u_write.u_tracker.logged_step_q ;
  (* hierconn *) wire       \u_fence.u_write.value_done , \u_fence.u_write.stamps_q ;
  (* hierconn *) wire [7:0] \u_fence.u_write.error ;
  (* hierconn *) wire       \u_fence.u_write.busy_q ,
      \u_fence.u_write.free ,
      \u_fence.u_write.log_only_q , \u_fence.u_write.value_failed ,
      \u_fence.u_write.value_failed_q , \u_fence.u_write.split ,
      \u_fence.u_write.u_tracker.head_valid_q , \u_fence.u_write.u_tracker.closing_q ,
      \u_fence.u_write.u_tracker.refused_q ;
  (* hierconn *) wire [39:3] \u_fence.u_write.u_log.entry_q ;
  (* hierconn *) wire [63:6] \u_fence.u_write.u_log.base_q ;
  logic [63:6] base;
  assign base = \u_fence.u_write.u_log.base_q ;
  (* hierconn *) wire [21:3] \u_fence.u_write.u_log.offset_q ;
  (* hierconn *) wire [4*5-1:0] \u_fence.u_write.u_tracker.there_q ;
  (* hierconn *) wire [3:0] \u_fence.u_write.u_tracker.logged_there_q ,
      \u_fence.u_write.u_tracker.compare_there_q ;

  localparam logic [2:0] RequestNone = 3'd0, RequestAddress = 3'd1, RequestValue = 3'd2,
                         RequestEntry = 3'd3, RequestRest = 3'd4, RequestHeader = 3'd5;
  localparam logic [1:0] DataNone = 2'd0, DataValue = 2'd1, DataGate = 2'd2, DataLog = 2'd3;

  logic [2:0] tracked, request, issued, compares, compares_ahead;
  logic [1:0] data;
  logic       in_track_q = 1'b0, last_logged, last_log_only, busy, is_last, starting;
  logic       fresh_q = 1'b0;
  logic [6:0] entry0, entry1, entry2, entry3, last_entry, our_entry;
  assign tracked     = \u_fence.u_write.u_tracker.tracked_q ;
  // An operation with an error asks for nothing; in its first cycle that is not yet in request_q.
  assign request     = \u_fence.u_write.bad ? RequestNone : \u_fence.u_write.request_q ;
  assign data        = \u_fence.u_write.bad ? DataNone : \u_fence.u_write.data_q ;
  assign busy        = \u_fence.u_write.busy_q ;
  assign starting    = \u_fence.u_write.begun ;
  assign is_last     = track_place + 3'd1 == tracked && !starting;
  always_comb if (running_q && busy) begin
    nothing_compared_of_a_timestamp: assert (!(\u_fence.u_write.compare_q &&
                                               \u_fence.u_write.stamps_q ));
  end
  // An entry is {slot, logged, log only, compares}.
  logic [1:0] last_there;
  assign last_there = tracked[1:0] - 2'd1;
  assign entry0 = entry(2'd0);
  assign entry1 = entry(2'd1);
  assign entry2 = entry(2'd2);
  assign entry3 = entry(2'd3);
  assign last_entry = entry(last_there);
  assign our_entry  = entry(track_place[1:0]);
  function automatic logic [6:0] entry(logic [1:0] age);
    logic [4:0] kept;
    kept = \u_fence.u_write.u_tracker.there_q [age*5 +: 5];
    entry = {kept[4:1], \u_fence.u_write.u_tracker.logged_there_q [age], kept[0],
             \u_fence.u_write.u_tracker.compare_there_q [age]};
  endfunction
  assign last_logged   = tracked != '0 && last_entry[2];
  assign last_log_only = last_entry[1];

  // Operations of these that have a comparison, and of those in front of ours.
  assign compares = {2'd0, tracked > 3'd0 && entry0[0]} + {2'd0, tracked > 3'd1 && entry1[0]} +
                    {2'd0, tracked > 3'd2 && entry2[0]} + {2'd0, tracked > 3'd3 && entry3[0]};
  assign compares_ahead = {2'd0, track_place > 3'd0 && entry0[0]} +
                          {2'd0, track_place > 3'd1 && entry1[0]} +
                          {2'd0, track_place > 3'd2 && entry2[0]};

  // Requests handed over of the operation that came last.
  logic [2:0] value_request, log_request;
  assign value_request = {2'd0, !last_log_only};
  always_comb begin
    log_request = 3'd2 + {2'd0, \u_fence.u_write.split };
    unique case (request)
      RequestValue, RequestEntry: log_request = 3'd0;
      RequestRest:   log_request = 3'd1;
      RequestHeader: log_request = 3'd1 + {2'd0, \u_fence.u_write.split };
      default: ;
    endcase
    if (!last_logged) issued = {2'd0, request != RequestValue};
    else if (request == RequestValue) issued = 3'd0;
    else issued = value_request + log_request;
  end

  always_ff @(posedge clk_i) if (running_q) begin
    in_track_q <= begins ||
                  (in_track_q && !(\u_fence.u_write.u_tracker.head_done && track_place == '0));
  end

  // The address of the log comes in the first cycle of an operation, and that of its entry is made.
  always_ff @(posedge clk_i) fresh_q <= \u_fence.u_write.free ;

  always_comb if (running_q) begin
    track_room: assert (tracked <= 3'd4);
    head_is_known: assert (\u_fence.u_write.u_tracker.head_valid_q == (tracked != '0) &&
                           \u_fence.u_write.u_tracker.closing_q ==
                           (tracked != '0 && (!entry0[2] || \u_fence.u_write.u_tracker.step_q ==
                                          \u_fence.u_write.u_tracker.logged_step_q )));
    refusal_is_known: assert (\u_fence.u_write.u_tracker.refused_q ==
                              (tracked == '0 && \u_fence.u_write.error != '0 && !comes[1]));
    // Writes that are not ours may be done before they have their words.
    if (data == DataGate) begin
      gate_opens: assert (\u_fence.u_write.value_done == (done && tracked == 3'd1));
    end
    if (data == DataValue || data == DataGate) begin
      value_to_come: assert (busy || tracked == '0);
      if (busy && \u_fence.u_write.logged_q ) begin
        value_of_a_log: assert (starting || (last_logged && !last_log_only));
      end
      if (busy && data == DataGate) begin
        gate_is_of_a_log: assert (\u_fence.u_write.logged_q && !starting);
      end
    end
    a_log_has_two: assert (\u_fence.u_write.u_tracker.logged_step_q != '0);
    if (\u_fence.u_write.u_tracker.step_q != '0) begin
      steps_known: assert (\u_fence.u_write.u_tracker.logged_step_q == {1'b0, !last_log_only} +
                           {1'b0, \u_fence.u_write.split } + 2'd1);
    end
    compares_agree: assert (compares == pushed + {2'd0, owed} - performs);
    words_come_once: assert ((comes & (comes - 3'd1)) == '0);
    if (owed) begin
      owed_is_the_last: assert (tracked != '0 && last_entry[0] && !starting && comes[2] &&
                                pushed <= 3'd3);
    end
    if (comes[1]) begin
      first_word: assert (busy && !owed && (starting || \u_fence.u_write.error != '0));
    end
    if (starting) starts_with_words: assert (comes[1]);
    if (ours_owed_q) begin
      owed_is_ours: assert (owed && in_track_q && is_last && place == pushed &&
                            \u_fence.u_write.vmid_q == vmid &&
                            \u_fence.u_write.address_q == current &&
                            \u_fence.u_write.value_q == value_q &&
                            (!\u_fence.u_write.progress_q ||
                             \u_fence.u_write.monitored_q == monitored));
    end
    only_last_logged: assert (!(tracked > 3'd1 && entry0[2]) && !(tracked > 3'd2 && entry1[2]) &&
                              !(tracked > 3'd3 && entry2[2]));
    log_only_is_logged: assert ((tracked <= 3'd0 || !entry0[1] || entry0[2]) &&
                                (tracked <= 3'd1 || !entry1[1] || entry1[2]) &&
                                (tracked <= 3'd2 || !entry2[1] || entry2[2]) &&
                                (tracked <= 3'd3 || !entry3[1] || entry3[2]));
    log_only_compares_not: assert (tracked == '0 || !last_entry[1] || !last_entry[0]);
    request_legal: assert (request <= RequestHeader);
    if (\u_fence.u_write.bad && !\u_fence.u_write.begun_q ) begin
      nothing_of_an_error: assert (\u_fence.u_write.request_q == RequestNone &&
                                   \u_fence.u_write.data_q == DataNone);
    end
    if (\u_fence.u_write.begun_q ) begun_is_first: assert (comes[1] && fresh_q);
    idle_asks_not: assert (busy || request == RequestNone);
    if (request != RequestNone && !starting) begin
      request_has_entry: assert (tracked != '0 && \u_fence.u_write.error == '0 &&
                                 last_logged == \u_fence.u_write.logged_q );
      if (request != RequestValue) log_request_is_logged: assert (last_logged);
      address_is_first: assert (request != RequestAddress);
      if (request == RequestValue) value_is_not_log_only: assert (!last_log_only);
      if (request == RequestRest) rest_is_split: assert (\u_fence.u_write.split );
    end
    if (last_logged) begin
      logged_is_alone: assert (busy && \u_fence.u_write.logged_q &&
                               \u_fence.u_write.error == '0 &&
                               last_log_only == \u_fence.u_write.log_only_q );
    end
    if (\u_fence.u_write.error != '0) error_is_alone: assert (busy && !last_logged &&
                                                               !starting);
    if (fresh_q && busy) begins_with_its_first_word: assert (comes[1]);
    if (!fresh_q && busy) begin
      entry_stands: assert (\u_fence.u_write.u_log.entry_q ==
                            {base[39:6], 3'd0} + {18'd0, \u_fence.u_write.u_log.offset_q });
    end
    if (starting) begin
      start_stands: assert (fresh_q && busy && !last_logged && \u_fence.u_write.error == '0 &&
                            \u_fence.u_write.word_q == '0 && !\u_fence.u_write.value_failed &&
                            tracked <= 3'd3 && pushed <= 3'd3);
    end
    if (starting && \u_fence.u_write.log_only_q ) begin
      start_waits: assert (request == RequestAddress && data == DataLog &&
                           \u_fence.u_write.logged_q && !\u_fence.u_write.compare_q );
    end else if (starting) begin
      start_asks: assert (request == RequestValue && data == DataValue);
    end
    requests_agree: assert (ready + waiting ==
        (starting || tracked == '0 ? {3'd0, tracked} : {3'd0, tracked} - 6'd1 + {3'd0, issued} -
                                {4'd0, \u_fence.u_write.u_tracker.step_q }));
    requests_few: assert (ready <= 6'd7 && waiting <= 6'd7 && ready + waiting <= 6'd7);
    if (\u_fence.u_write.u_tracker.step_q != '0) begin
      step_is_logged: assert (!starting && tracked == 3'd1 && last_logged &&
                              {1'b0, \u_fence.u_write.u_tracker.step_q } <= issued);
    end

    if (in_track_q) begin
      signal_in_track: assert (signal_q && track_place < tracked && our_entry[0] &&
                               our_entry[2] == logged_q && !our_entry[1]);
      compares_in_front: assert (compares_ahead == place - performs);
      if (!is_last) earlier_is_handed_over: assert (asked_q && given_q);
      if (!asked_q || !given_q) begin
        unit_is_ours: assert (busy && \u_fence.u_write.logged_q == logged_q &&
                              \u_fence.u_write.error == '0 && is_last);
      end
      if (!asked_q) begin
        value_request_stands: assert (request == RequestValue &&
                                      \u_fence.u_write.vmid_q == vmid &&
                                      \u_fence.u_write.address_q == current);
      end else if (is_last) value_request_went: assert (request != RequestValue);
      if (!given_q) begin
        value_data_stands: assert (data == DataValue &&
                                   \u_fence.u_write.word_q == '0 &&
                                   \u_fence.u_write.value_q == value_q &&
                                   !\u_fence.u_write.stamps_q &&
                                   !\u_fence.u_write.value_failed );
      end
      if (asked_q && !past_q) begin
        value_in_turn: assert (at == {3'd0, track_place} &&
                               performed == (at < ready) &&
                               (!performed || stored == !failed));
      end
      if (!asked_q) not_asked: assert (!past_q && !stored_q && !failed_q);
      if (logged_q && given_q && !past_q) begin
        value_gate: assert (data == DataGate &&
                            !\u_fence.u_write.value_failed_q );
      end
      if (past_q) begin
        gate_is_open: assert (data == DataLog ||
                              data == DataNone);
        log_behind_value: assert (logged_q && track_place == '0 && (stored_q || failed_q) &&
                                  \u_fence.u_write.u_tracker.step_q != '0 &&
                                  \u_fence.u_write.value_failed == failed_q);
      end else begin
        value_first: assert (track_place != '0 || \u_fence.u_write.u_tracker.step_q == '0);
      end
    end else if (signal_q) begin
      signal_done: assert (asked_q && given_q && past_q && (stored_q || failed_q));
    end else begin
      nothing_yet: assert (!asked_q && !given_q && !past_q && !stored_q && !failed_q &&
                           !over_q && !requested_q);
    end
  end

  // --- the inside: the update port ----------------------------------------------------
  (* hierconn *) wire [2:0]  \u_fence.gen_update.u_update.state_q ;
  (* hierconn *) wire        \u_fence.gen_update.u_update.request_sent_q ,
      \u_fence.gen_update.u_update.data_sent_q ,
      \u_fence.gen_update.u_update.broken_q ,
      \u_fence.gen_update.u_update.valid_q , \u_fence.gen_update.u_update.loaded_q ,
      \u_fence.gen_update.u_update.post_q ;
  (* hierconn *) wire [63:0] \u_fence.gen_update.u_update.found_q ,
      \u_fence.gen_update.u_update.value ;
  (* hierconn *) wire [63:3] \u_fence.gen_update.u_update.current ,
      \u_fence.gen_update.u_update.monitored ,
      \u_fence.gen_update.u_update.current_q , \u_fence.gen_update.u_update.monitored_q ;
  (* hierconn *) wire [4:0]  \u_fence.gen_update.u_update.write_q ,
      \u_fence.gen_update.u_update.read_q ;
  (* hierconn *) wire [185:0] \u_fence.gen_update.u_update.oldest ;
  (* hierconn *) wire [16*186-1:0] \u_fence.gen_update.u_update.u_posted.watched ;

  localparam logic [2:0] UpdateWrite = 3'd0, UpdateRead = 3'd1, UpdateResponse = 3'd2,
                         UpdateJudge = 3'd3, UpdateRecord = 3'd4;
  logic [2:0] state;
  logic       ours, found_broken, raises;
  logic [63:0] found, update_value;
  logic [4:0] posted;
  logic [185:0] oldest_update;
  assign state        = MonitoredShadow ? \u_fence.gen_update.u_update.state_q : UpdateWrite;
  assign ours         = MonitoredShadow && \u_fence.gen_update.u_update.valid_q &&
                        \u_fence.gen_update.u_update.monitored == update_monitored;
  assign found        = MonitoredShadow ? \u_fence.gen_update.u_update.found_q : '0;
  assign found_broken = MonitoredShadow && \u_fence.gen_update.u_update.broken_q ;
  assign raises       = MonitoredShadow && record_valid[1];
  assign update_value = MonitoredShadow ? \u_fence.gen_update.u_update.value : '0;
  assign posted       = !MonitoredShadow ? '0 : \u_fence.gen_update.u_update.write_q -
                                           \u_fence.gen_update.u_update.read_q ;
  assign update_finds = ours &&
      ((state == UpdateResponse && find_looked && find_data == wanted &&
        find_data > update_value) ||
       (state == UpdateJudge && (found_broken || (found == wanted && found > update_value))) ||
       (state == UpdateRecord && raises && (found_broken || found == wanted)));

  // The driver names both words of the fence.
  always_comb if (MonitoredShadow && \u_fence.gen_update.u_update.post_q ) begin
    assume (\u_fence.gen_update.u_update.monitored_q != update_monitored ||
            \u_fence.gen_update.u_update.current_q == update_current);
  end

  for (genvar i = 0; i < 16; i++) begin : gen_posted
    logic [185:0] entry;
    logic [3:0]   ahead_of; // entries posted before it
    assign ahead_of = 4'(i) - (MonitoredShadow ? \u_fence.gen_update.u_update.read_q [3:0]
                                               : 4'd0);
    assign entry = MonitoredShadow
                   ? \u_fence.gen_update.u_update.u_posted.watched [i*186 +: 186] : '0;
    always_comb if (running_q && MonitoredShadow) begin
      if ({1'b0, ahead_of} < posted) begin
        assert (entry[124:64] != update_monitored || entry[185:125] == update_current);
      end
    end
  end

  assign oldest_update = !MonitoredShadow ? '0 : \u_fence.gen_update.u_update.u_posted.watched
                             [\u_fence.gen_update.u_update.read_q [3:0]*186 +: 186];
  always_comb if (running_q && MonitoredShadow) begin
    posted_room: assert (posted <= 5'd16);
    if (\u_fence.gen_update.u_update.loaded_q ) begin
      oldest_update_is_shown: assert (posted != '0 && !\u_fence.gen_update.u_update.valid_q &&
                                      \u_fence.gen_update.u_update.oldest == oldest_update);
    end
    if (\u_fence.gen_update.u_update.valid_q ) begin
      update_is_oldest: assert (posted != '0 &&
          {\u_fence.gen_update.u_update.current , \u_fence.gen_update.u_update.monitored ,
           update_value} == oldest_update);
    end
    update_state_legal: assert (state <= UpdateRecord && (!raises || state == UpdateRecord));
    one_store_counted: assert (store_ready == {5'd0, store_past} &&
                               store_waiting == {5'd0, store_asked && !store_past} &&
                               (!store_asked || store_at == '0));
    if (state == UpdateWrite) begin
      store_as_sent: assert (\u_fence.gen_update.u_update.request_sent_q == store_asked &&
                             \u_fence.gen_update.u_update.data_sent_q == store_given );
      nothing_to_find: assert (!find_asked && !find_looked);
      if (store_asked) begin
        store_is_head: assert (\u_fence.gen_update.u_update.valid_q && store_ours_q == ours);
      end
      if (store_given) begin
        store_data_is_head: assert (\u_fence.gen_update.u_update.valid_q &&
                                    store_data_q == update_value);
      end
      store_in_turn: assert (!store_past || (store_asked && store_given));
    end else begin
      store_is_over: assert (\u_fence.gen_update.u_update.valid_q && !store_asked &&
                             !store_given && !store_past &&
                             !\u_fence.gen_update.u_update.request_sent_q &&
                             !\u_fence.gen_update.u_update.data_sent_q );
      find_in_turn: assert (find_asked == (state == UpdateResponse) &&
                            (!find_looked || find_asked));
      if (state == UpdateResponse && ours) find_is_head: assert (find_ours_q);
    end
    update_is_open: assert (updating_q == (ours &&
        ((state == UpdateWrite && store_stored) || state == UpdateRead ||
         (state == UpdateResponse && !find_looked))));
    if (ours && !cpu_wrote_q && (state == UpdateRead || state == UpdateResponse ||
        (state == UpdateWrite && store_stored))) begin
      update_stands: assert (monitored_q == update_value);
    end
    if (state == UpdateRecord && raises && ours) begin
      no_false_update_record: assert (found_broken || found > update_value);
    end
    if (updated) no_early_update: assert (!updating_q);
  end

  always_comb if (running_q && !MonitoredShadow) begin
    no_update_port: assert (!updating_q && !store_asked && !find_asked && !store_past &&
                            !find_looked &&
                            cpu_wrote_q);
  end

  // --- all this happens ---------------------------------------------------------------
  always_comb if (running_q) begin
    signal_raises: cover (signal_told && written_q && raising);
    logged_signal_raises: cover (signal_told && written_q && raising && logged_q);
    looked_in_flight: cover (coming && looked_q && !bad_read_q);
    signal_is_suppressed: cover (over_q && written_q && !notified_q && seen_q >= value_q);
    read_is_held: cover (held != '0 && requested_q && !looked_q && in_track_q);
    cpu_finds: cover (cpu_looks && over_q && written_q && current_q > monitored_q && !notified_q);
    if (MonitoredShadow) begin
      update_raises: cover (update_told && written_q && over_q && seen_q >= value_q && !notified_q);
      race: cover (updating_q && signal_q && !looked_q && written_q);
    end
  end

endmodule

`default_nettype wire
