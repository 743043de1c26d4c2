// SPDX-License-Identifier: Apache-2.0
//
// Contexts of slots, one at a time, as second master of the register bus; the lowest slot first.
// Save of a parked slot: its 32 registers are read (again while a log switch is pending) and
// written to SAVE_ADDRESS (VMID 0); when that is performed the slot is disabled (saved_o) and a
// `preempted` record is sent. It begins again if the host wrote a register of the slot meanwhile.
// Restore of a disabled slot: the words are read, the registers of rf_pkg::SlotContext written,
// the write pointer offered like a ring, the slot enabled and resampled. If a read fails the slot
// stays disabled and a record is sent.
// RESAMPLE: the write-pointer record is read and offered like a ring; a failed read is the slot's
// error. Until rf_slots decides the offer the slot is not disabled, nor taken for one without work.
// Promises: a restore writes no register before all words are there; one record per save, none
// for a good restore. A RESAMPLE written after the lookup makes rf_slots ask again.
// Cycles: 27 from save to the write request; 100 from the last word of a restore to ENABLE.

`default_nettype none

module rf_context #(
  parameter int unsigned Slots = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // rf_slots
  input  wire logic [15:0]  parked_i,
  input  wire logic [15:0]  restore_i,
  input  wire logic [15:0]  resample_i,
  output logic              resample_taken_o, // the address is being looked up
  output logic              resample_done_o,  // its request may be forgotten
  output logic              fail_valid_o,     // of a RESAMPLE
  input  wire logic         fail_ready_i,
  output      rf_bus_pkg::failure_t fail_o,
  output logic              saved_o,
  output logic              restoring_o,   // its request may be forgotten
  output logic [3:0]        slot_o,

  input  wire logic         slot_write_i,  // a register of slot_i is written
  input  wire logic [3:0]   slot_i,
  // Register bus: taken with ready; the response of a read two cycles after that.
  output      rf_bus_pkg::register_request_t register_o,
  output logic              slot_read_o,   // which is to a register of slot_o
  output logic              slot_write_o,
  input  wire logic         register_ready_i,
  input  wire logic [63:0]  register_response_i,

  // Write pointer of slot_o, for rf_doorbell.
  output logic              offer_valid_o,
  input  wire logic         offer_ready_i,
  output logic [63:0]       offer_data_o,

  output logic              read_valid_o,
  input  wire logic         read_ready_i,
  output      rf_bus_pkg::read_request_t read_o,
  input  wire logic         response_valid_i,
  input  wire rf_bus_pkg::read_response_t response_i,

  output logic              write_valid_o,
  input  wire logic         write_ready_i,
  output      rf_bus_pkg::write_request_t write_o,
  output logic              write_data_valid_o,
  input  wire logic         write_data_ready_i,
  output logic [63:0]       write_data_o,
  input  wire logic         write_done_i,
  input  wire logic [2:0]   write_done_status_i,

  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  output      rf_bus_pkg::record_t record_o,
  output logic              idle_o
);

  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end
  // Two accesses: the smallest max payload and max read request are 16 words.
  if (rf_pkg::SlotIndexedStride != 256) begin : gen_check
    $error("rf_context saves 32 registers of a slot");
  end
  if (rf_pkg::RegSlotSaveAddress[7:3] > 5'd20) begin : gen_check_early
    $error("rf_context would write before it knows where");
  end

  localparam logic [4:0] Config       = rf_pkg::RegSlotConfig[7:3];
  localparam logic [4:0] RecordAddress = rf_pkg::RegSlotWritePointerAddress[7:3];
  localparam logic [4:0] WritePointer = rf_pkg::RegSlotWritePointer[7:3];
  localparam logic [4:0] Control      = rf_pkg::RegSlotControl[7:3];
  localparam logic [4:0] Status       = rf_pkg::RegSlotStatus[7:3];
  localparam logic [4:0] LogSwitch    = rf_pkg::RegSlotLogSwitch[7:3];
  localparam logic [4:0] SaveAddress  = rf_pkg::RegSlotSaveAddress[7:3];
  localparam logic [31:0] Context     = rf_pkg::SlotContext;
  localparam logic [4:0] Last         = 5'd31;

  typedef enum logic [3:0] {
    Idle,        // no work
    Settle,      // LOG_SWITCH is read: no log switch may be pending
    Collect,     // the registers are read,
    Collected,   // and the last one comes
    Pause,       // cycles that leave the bus to a log switch
    Store,       // save: both write requests are offered,
    Stored,      // and are performed
    Fetch,       // restore, RESAMPLE: both read requests are offered,
    Fetched,     // and answered
    Look,        // restore: is there a register with this number?
    Put,         // it is written, or the write pointer offered
    Start,       // the slot is enabled
    Passing,     // RESAMPLE: rf_doorbell has the write pointer,
    Offered,     // rf_slots decides
    Fail,        // the read has failed: it is the slot's error
    Record       // the record is offered
  } state_e;
  state_e state_q, state_d;
  logic   saved_q;

  // --- the next slot ----------------------------------------------------------------------
  logic [3:0]  parked_index, restore_index, resample_index;
  logic        parked, restored, save_q, resample_q;
  logic [15:0] unused_parked, unused_restore, unused_resample;
  assign parked   = parked_i != '0;
  assign restored = restore_i != '0;

  rf_lowest #(.Ports(16)) u_parked (
    .request_i(parked_i), .grant_o(unused_parked), .index_o(parked_index));
  rf_lowest #(.Ports(16)) u_restore (
    .request_i(restore_i), .grant_o(unused_restore), .index_o(restore_index));
  rf_lowest #(.Ports(16)) u_resample (
    .request_i(resample_i), .grant_o(unused_resample), .index_o(resample_index));

  // --- register accesses -----------------------------------------------------------------
  logic [4:0]  number_q, number_d, number1_q, number2_q, number3_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [16:0] address;
  /* verilator lint_on UNUSEDSIGNAL */
  logic        taken, read1_q, read2_q, read3_q;
  logic [63:0] word;
  logic        access_q, reads_q, offer_q; // what state_q does here
  logic [2:0]  settle_q;                   // the response to Settle is on its way; at last here

  // The slots start one stride behind a multiple of 16 strides; no carry chain.
  localparam logic [16:0] Base = rf_pkg::SlotIndexedBase;
  if (Base[12:8] != 5'd17) begin : gen_check_base
    $error("rf_context expects 16 slots behind a block header of one stride");
  end
  assign address = {Base[16:14], Base[13] ^ (slot_o == '1), slot_o != '1,
                    slot_o[3] ^ (slot_o[2:0] == '1), slot_o[2] ^ (slot_o[1:0] == '1),
                    slot_o[1] ^ slot_o[0], !slot_o[0], number_q, 3'd0};
  assign taken   = register_o.valid && register_ready_i;
  assign slot_read_o  = register_o.valid && reads_q;
  assign slot_write_o = register_o.valid && !reads_q;

  always_comb begin
    register_o.valid   = access_q;
    register_o.write   = !reads_q;
    register_o.address = address[16:3];
    register_o.data    = word;
    register_o.strobe  = '1;
    if (state_q == Start) begin // all of it lies in the first byte
      register_o.strobe    = 8'h01;
      register_o.data[7:0] = '0;
      register_o.data[rf_pkg::SlotControlEnableLsb]   = 1'b1;
      register_o.data[rf_pkg::SlotControlResampleLsb] = 1'b1;
    end
  end

  assign offer_valid_o = offer_q;
  assign offer_data_o  = word;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_q <= 1'b0;
      reads_q  <= 1'b0;
      offer_q  <= 1'b0;
      read1_q  <= 1'b0;
      read2_q  <= 1'b0;
      read3_q  <= 1'b0;
      settle_q <= '0;
    end else begin
      access_q <= state_d == Settle || state_d == Collect || state_d == Start ||
                  (state_d == Put && !resample_q && number_d != WritePointer);
      reads_q  <= state_d == Settle || state_d == Collect;
      offer_q  <= state_d == Put && (resample_q || number_d == WritePointer);
      read1_q  <= taken && reads_q;
      read2_q  <= read1_q;
      read3_q  <= read2_q;
      settle_q <= {settle_q[1:0], taken && state_q == Settle};
    end
  end
  always_ff @(posedge clk_i) begin
    number1_q <= number_q;
    number2_q <= number1_q;
    number3_q <= number2_q;
  end

  // --- the 32 words ----------------------------------------------------------------------
  // A register is kept a cycle after its response, which comes late; a word of memory never comes
  // in that cycle.
  logic [63:0] register_q;
  logic        answered, look;
  logic [4:0]  response_place, read_place;
  logic [7:0]  response_count_q; // words of each of the two reads
  assign answered     = response_valid_i && response_i.master == rf_bus_pkg::ReadFetchCopy &&
                        response_i.id[4];
  assign response_place = {response_i.id[0],
                         response_i.id[0] ? response_count_q[7:4] : response_count_q[3:0]};

  rf_ram #(.Width(64), .DepthLog2(5), .Lane(64)) u_words (
    .clk_i,
    .write_i(answered || read3_q),
    .write_address_i(answered ? response_place : number3_q),
    .write_data_i(answered ? response_i.data : register_q), .write_strobe_i(1'b1),
    .read_i(look), .read_address_i(read_place), .read_data_o(word)
  );

  logic [63:0] address_q;    // SAVE_ADDRESS, or that of the write-pointer record
  logic [63:0] status_q;
  logic [1:0]  level_q;
  logic [7:0]  identity_q;   // node, VMID
  logic [31:0] handle_q;
  always_ff @(posedge clk_i) begin
    register_q <= register_response_i;
    if (read2_q && number2_q == (resample_q ? RecordAddress : SaveAddress)) begin
      address_q <= register_response_i;
    end
    if (answered) level_q <= response_i.level;
    if (read2_q && number2_q == Status) status_q <= register_response_i;
    if (read2_q && number2_q == Config) begin
      identity_q <= register_response_i[rf_pkg::SlotConfigVmidLsb +: 8];
      handle_q   <= register_response_i[rf_pkg::SlotConfigHandleLsb +: 32];
    end
  end

  // --- memory ----------------------------------------------------------------------------
  logic       second_q, ended, ended_q; // the second of the two; one of them has ended
  logic [2:0] result, result_q;
  logic       requested;
  assign requested    = (write_valid_o && write_ready_i) || (read_valid_o && read_ready_i);
  assign ended        = write_done_i || (answered && response_i.last);
  assign result       = write_done_i ? write_done_status_i : response_i.status;
  // SAVE_ADDRESS, the first half and what is read ahead of the second are here when the last
  // eight words are asked for.
  logic       early, early_d;
  assign early   = state_q == Collect && save_q && number_q[4:3] == '1;
  assign early_d = state_d == Collect && save_q && number_d[4:3] == '1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_valid_o <= 1'b0;
      read_valid_o  <= 1'b0;
    end else begin
      write_valid_o <= state_d == Store || (early_d && !second_q && !requested);
      read_valid_o  <= state_d == Fetch;
    end
  end

  always_comb begin
    write_o.vmid         = '0;
    write_o.va           = {address_q[63:8], second_q, 4'd0};
    write_o.words        = 6'd16;
    write_o.first_strobe = '1;
    write_o.last_strobe  = '1;
    read_o.vmid          = resample_q ? identity_q[3:0] : '0;
    read_o.va            = {address_q[63:8], resample_q ? address_q[7:0] : {second_q, 7'd0}};
    read_o.words         = resample_q ? 7'd1 : 7'd16;
    read_o.id            = {4'b1000, second_q}; // the node's own ids are below 16
  end

  // Words on their way to memory: read ahead, and out of the memory into a register.
  logic [5:0] stream_q; // words read
  logic       stream, fetched_q, skid_ready;
  assign stream = (state_q == Store || state_q == Stored || early) &&
                  !stream_q[5] && (!fetched_q || skid_ready);
  assign look         = stream || state_q == Look;
  assign read_place   = state_q == Look ? number_q : stream_q[4:0];

  rf_skid #(.Width(64)) u_skid (
    .clk_i, .rst_ni, .valid_i(fetched_q), .ready_o(skid_ready), .data_i(word),
    .valid_o(write_data_valid_o), .ready_i(write_data_ready_i), .data_o(write_data_o));

  // --- control ---------------------------------------------------------------------------
  logic       switching_q; // LOG_SWITCH said that a log is being switched
  always_ff @(posedge clk_i) begin
    switching_q <= register_response_i[rf_pkg::SlotLogSwitchWaitLsb] ||
                   register_response_i[rf_pkg::SlotLogSwitchSignalLsb];
  end

  // A register was written since the look at LOG_SWITCH, and may have been read before.
  logic       written, changed_q, stored, anew;
  assign written = slot_write_i && slot_i == slot_o;
  assign stored  = state_q == Stored && ended && ended_q;
  assign anew    = stored && (changed_q || written);
  always_ff @(posedge clk_i) begin
    changed_q <= (changed_q || written) && state_q != Idle && state_q != Settle;
  end

  logic [4:0] last;  // register to be read
  assign last = resample_q ? RecordAddress : Last;

  always_comb begin
    state_d  = state_q;
    number_d = number_q;
    unique case (state_q)
      Idle: if (parked || restored) begin
        state_d  = Settle;
        number_d = LogSwitch;
      end else if (resample_i != '0) begin
        state_d  = Collect;
        number_d = Config;
      end
      Settle: if (taken) begin
        state_d  = Collect;
        number_d = '0;
      end
      Collect: if (settle_q[2] && switching_q) begin
        state_d  = Pause;
        number_d = LogSwitch;
      end else if (taken) begin
        number_d = number_q + 5'd1;
        // The last word of a save is here long before it is its turn.
        if (number_q == last) state_d = save_q ? Store : Collected;
      end
      // A log is switched in cycles in which the bus is free.
      Pause: if (number_q == Last) begin
        state_d  = Settle;
        number_d = LogSwitch;
      end else number_d = number_q + 5'd1;
      Collected: if (read2_q && number2_q == last) state_d = Fetch;

      Store: if (requested && second_q) state_d = Stored;
      Stored: if (anew) begin
        state_d  = Settle;
        number_d = LogSwitch;
      end else if (stored) begin
        state_d = Record;
      end

      Fetch: if (requested && second_q) state_d = Fetched;
      Fetched: if (ended && ended_q) begin
        state_d = (result_q == rf_pkg::AccessStatusOk && result == rf_pkg::AccessStatusOk)
                  ? Look : resample_q ? Fail : Record;
        number_d = {resample_q, 4'd0}; // its response is one of the second request
      end
      Look: begin
        if (Context[number_q] || resample_q) state_d = Put;
        else if (number_q == Last) begin
          state_d  = Start;
          number_d = Control;
        end else number_d = number_q + 5'd1;
      end
      Put: if (offer_valid_o ? offer_ready_i : taken) begin
        state_d  = (number_q == Last) ? Start : Look;
        number_d = (number_q == Last) ? Control : number_q + 5'd1;
        if (resample_q) state_d = Passing;
      end
      Passing: state_d = Offered; // rf_doorbell takes two cycles,
      Offered: state_d = Idle;    // then rf_slots decides
      Fail: if (fail_ready_i) state_d = Idle;
      Start: if (taken) state_d = Idle;

      Record: if (record_ready_i) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      saved_q   <= 1'b0;
      fetched_q <= 1'b0;
    end else begin
      state_q   <= state_d;
      saved_q   <= stored && !anew;
      fetched_q <= stream || (fetched_q && !skid_ready);
    end
  end

  always_ff @(posedge clk_i) begin
    number_q <= number_d;
    if (state_q == Idle) begin
      // A slot that there is, anyway; masked, synthesis drops what is for others.
      slot_o         <= (parked ? parked_index : restored ? restore_index : resample_index) &
                        4'(Slots - 1);
      save_q         <= parked;
      resample_q     <= !parked && !restored;
    end
    if (state_q == Idle || anew) begin
      second_q       <= state_q == Idle && !parked && !restored; // one access instead of two
      ended_q        <= state_q == Idle && !parked && !restored;
      result_q       <= rf_pkg::AccessStatusOk;
      stream_q       <= '0;
      response_count_q <= '0;
    end else begin
      if (requested) second_q <= 1'b1;
      if (ended) ended_q <= 1'b1;
      if (ended && result_q == rf_pkg::AccessStatusOk) result_q <= result;
      if (stream) stream_q <= stream_q + 6'd1;
      if (answered && response_i.id[0]) response_count_q[7:4] <= response_count_q[7:4] + 4'd1;
      if (answered && !response_i.id[0]) response_count_q[3:0] <= response_count_q[3:0] + 4'd1;
    end
  end

  assign saved_o     = saved_q;
  assign restoring_o = state_q == Settle && !save_q;
  assign idle_o      = state_q == Idle && !parked && !restored && resample_i == '0;

  assign resample_taken_o = state_q == Collect && resample_q;
  assign resample_done_o  = state_q == Offered || (state_q == Fail && fail_ready_i);
  assign fail_valid_o     = state_q == Fail;
  always_comb begin
    fail_o         = '0;
    fail_o.error   = rf_pkg::QueueErrorTranslation - 8'd1 + {5'd0, result_q};
    fail_o.level   = level_q;
    fail_o.address = address_q;
  end

  assign record_valid_o = state_q == Record;
  always_comb begin
    record_o         = '0;
    record_o.kind    = rf_pkg::RecordKindPreempted;
    record_o.node    = identity_q[7:4];
    record_o.vmid    = identity_q[3:0];
    record_o.detail  = {5'd0, result_q};
    record_o.handle  = handle_q;
    record_o.address = {address_q[63:8], 8'd0};
    record_o.value   = status_q;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni) one_word_at_a_time: assert (!(answered && read3_q));
  end
  // What is offered stays until it is taken.
  // A read of a register may be given up.
  rf_offer_check #(.Width($bits(register_o))) register_stays (
    .clk_i, .rst_ni, .valid_i(slot_write_o), .ready_i(register_ready_i), .data_i(register_o)
  );
  rf_offer_check #(.Width(64)) offer_stays (
    .clk_i, .rst_ni, .valid_i(offer_valid_o), .ready_i(offer_ready_i), .data_i(offer_data_o)
  );
  rf_offer_check #(.Width(rf_bus_pkg::ReadRequestWidth)) read_stays (
    .clk_i, .rst_ni, .valid_i(read_valid_o), .ready_i(read_ready_i), .data_i(read_o)
  );
  rf_offer_check #(.Width(rf_bus_pkg::WriteRequestWidth)) write_stays (
    .clk_i, .rst_ni, .valid_i(write_valid_o), .ready_i(write_ready_i), .data_i(write_o)
  );
  rf_offer_check #(.Width(64)) word_stays (
    .clk_i, .rst_ni, .valid_i(write_data_valid_o), .ready_i(write_data_ready_i),
    .data_i(write_data_o)
  );
  rf_offer_check #(.Width($bits(fail_o))) fail_stays (
    .clk_i, .rst_ni, .valid_i(fail_valid_o), .ready_i(fail_ready_i), .data_i(fail_o)
  );
  rf_offer_check #(.Width(rf_bus_pkg::RecordWidth)) record_stays (
    .clk_i, .rst_ni, .valid_i(record_valid_o), .ready_i(record_ready_i), .data_i(record_o)
  );
`endif
`endif

endmodule

`default_nettype wire
