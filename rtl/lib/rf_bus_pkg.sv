// SPDX-License-Identifier: Apache-2.0
//
// Types of the wires between blocks: memory requests, their responses, packets on
// their way to a unit. Formats that the host sees are in rf_pkg (generated).
//
// Used fully scoped (rf_bus_pkg::x), as scalar packed structs only; arrays of
// them are flat vectors sliced by $bits-free localparam widths.

// A package names more than any one top module uses.
/* verilator lint_off UNUSEDPARAM */
package rf_bus_pkg;

  // --- masters of the memory system -------------------------------------------
  localparam int unsigned ReadMasters = 7;
  localparam int unsigned WriteMasters = 5;

  localparam logic [3:0] ReadFetchCompute = 4'd0;
  localparam logic [3:0] ReadFetchCopy = 4'd1;    // and rf_context's, id 16 and up
  localparam logic [3:0] ReadWait = 4'd2;
  localparam logic [3:0] ReadFence = 4'd3;   // MonitoredValue of signals
  localparam logic [3:0] ReadUpdate = 4'd4;  // CurrentValue for the update port
  localparam logic [3:0] ReadVector = 4'd5;
  localparam logic [3:0] ReadCopy = 4'd6;

  localparam logic [3:0] WriteFence = 4'd0;  // CurrentValue, logs, WRITE, TIMESTAMP
  localparam logic [3:0] WriteUpdate = 4'd1; // MonitoredValue from the update port, contexts
  localparam logic [3:0] WriteInterrupt = 4'd2;
  localparam logic [3:0] WriteVector = 4'd3;
  localparam logic [3:0] WriteCopy = 4'd4;

  // Response of one access: rf_pkg::AccessStatus* (3 bits), and for a translation
  // fault the page-table level.

  // A read of 1..64 words of 64 bits. va is 8-byte aligned; the request never
  // crosses a 4 KiB page of its virtual address.
  localparam int unsigned ReadRequestWidth = 4 + 64 + 7 + 5;
  typedef struct packed {
    logic [3:0]  vmid;
    logic [63:0] va;
    logic [6:0]  words;
    logic [4:0]  id;      // the master's own; echoed
  } read_request_t;

  // One word of a response. Words of one request come in ascending order; words
  // of different requests may interleave. A status other than ok ends the
  // request (last is set) and may come after good words.
  localparam int unsigned ReadResponseWidth = 4 + 5 + 1 + 3 + 2 + 64;
  typedef struct packed {
    logic [3:0]  master;
    logic [4:0]  id;
    logic        last;
    logic [2:0]  status;
    logic [1:0]  level;
    logic [63:0] data;
  } read_response_t;

  // A write of 1..32 words; never crosses a 4 KiB page, never longer than the max
  // payload size, first strobe contiguous up to byte 7 (unless one word), last
  // strobe contiguous from byte 0; one word: first_strobe holds its (contiguous,
  // non-empty) strobe and last_strobe is ignored.
  localparam int unsigned WriteRequestWidth = 4 + 61 + 6 + 8 + 8;
  typedef struct packed {
    logic [3:0]  vmid;
    logic [63:3] va;
    logic [5:0]  words;
    logic [7:0]  first_strobe;
    logic [7:0]  last_strobe;
  } write_request_t;

  // A virtual page for the translation: bits 39 and 38 differ if the address is not canonical
  // (Sv39: bits 63:38 are all the same).
  function automatic logic [39:12] virtual_page(input logic [63:12] page);
    virtual_page = {page[38] ^ (page[63:39] != {25{page[38]}}), page[38:12]};
  endfunction

  // A write master with its data, and what it is told. A request and its data are taken by
  // themselves; done: the oldest one is performed, or failed.
  typedef struct packed {
    logic           valid;
    logic           data_valid;
    write_request_t request;
    logic [63:0]    data;
  } write_offer_t;
  typedef struct packed {
    logic        ready;
    logic        data_ready;
    logic        done;
    logic [2:0]  status;   // rf_pkg::AccessStatus*
  } write_reply_t;

  // The bus on which reads are answered: a word, and its read master, one-hot.
  typedef struct packed {
    logic         valid;
    logic [6:0]   to;
    read_response_t response;
  } read_bus_t;

  // What each write master is told, element m at [m*3], [m*2]: its oldest write is performed,
  // or failed. level: of the entry that a translation ended at.
  typedef struct packed {
    logic [4:0]  done;
    logic [14:0] status;   // rf_pkg::AccessStatus*
    logic [9:0]  level;
  } write_done_t;

  // Where a page lies, told to all ports of the translation; port: whose request is answered.
  typedef struct packed {
    logic         valid;
    logic [3:0]   port;
    logic         fault;
    logic [1:0]   level;
    logic         in_local;  // in local memory, else in system memory
    logic [54:12] page;
  } translation_t;

  // The oldest request of each write master, once it is translated: where its beats go. A
  // fault counts as local memory.
  typedef struct packed {
    logic [4:0]  to_local;   // none of its system writes is on its way
    logic [4:0]  to_system;
    logic [4:0]  begun;      // a beat has moved
  } write_heads_t;

  // The next beat of the write that is chosen.
  typedef struct packed {
    logic         shifted;   // how its words lie in DWs: as in system_write_t
    logic         high_only;
    logic         to_high;
    logic         fault;
    logic [1:0]   level;
    logic         four_dw;   // the page is at 4 GiB or above
    logic [54:12] page;
    logic [11:3]  offset;    // of the first word, in the page
    logic [5:0]   words;
    logic [7:0]   first_strobe;
    logic [7:0]   last_strobe;
    logic [4:0]   number;    // of this beat, from 0
    logic         last;
  } write_beat_t;

  // The wait unit asks where the word of a wait lies, and is answered.
  typedef struct packed {
    logic        valid;
    logic [3:0]  vmid;
    logic [63:3] va;
  } wait_translate_t;
  typedef struct packed {
    logic        done;
    logic        fault;
    logic [1:0]  level;
    logic        in_local;
    logic [54:3] address;
  } wait_translated_t;

  // A full aligned word was written; every later read returns it.
  typedef struct packed {
    logic        valid;
    logic        in_local;
    logic [54:3] address;
    logic [63:0] data;
  } snoop_t;

  // A word of a response, and to which of two masters it is, one-hot.
  typedef struct packed {
    logic         valid;
    logic [1:0]   to;
    read_response_t response;
  } node_response_t;

  // --- translated, towards the PCIe endpoint ----------------------------------
  // System addresses have 55 bits (bit 55 of a physical address selects local
  // memory).
  localparam int unsigned SystemReadWidth = 52 + 7 + 4 + 5;
  typedef struct packed {
    logic [54:3] address;
    logic [6:0]  words;
    logic [3:0]  master;
    logic [4:0]  id;
  } system_read_t;

  // One word of a system write; address, words and strobes hold for the whole
  // write and are constant while it lasts.
  localparam int unsigned SystemWriteWidth = 4 + 52 + 6 + 8 + 8 + 64 + 2;
  typedef struct packed {
    logic        four_dw;   // address is 4 GiB or above: how long its header is
    logic        shifted;   // starts in the high DW of its first word, and has others
    logic        high_only; // one word, and of it the high DW alone
    logic        to_high;   // its last word has bytes of the high DW
    logic [54:3] address;   // of the first word
    logic [5:0]  words;
    logic [7:0]  first_strobe;
    logic [7:0]  last_strobe;
    logic [63:0] data;      // this word
    logic        first;
    logic        last;
  } system_write_t;

  // --- received by the PCIe endpoint ---------------------------------------------
  // A request that needs a response. bar: 0, 2 (as 1), 4 (as 2).
  typedef struct packed {
    logic [15:0] requester;
    logic [7:0]  tag;
    logic [2:0]  traffic_class;
    logic [2:0]  attributes;
    logic        supported;
    logic        memory;       // else answered with one DW or none
    logic        locked;
    logic        config_write;
    logic [1:0]  bar;
    logic [31:2] address;
    logic [9:0]  length;       // DWs, 0 is 1024; of an AtomicOp's operand
    logic [3:0]  first_be;
    logic [3:0]  last_be;
    logic [31:0] data;
  } received_request_t;

  typedef struct packed {
    logic        ours;         // a read completion for this function
    logic [7:0]  tag;
    logic [2:0]  status;
    logic        poisoned;
    logic [6:0]  dwords;       // payload; 0 without data
    logic [11:0] byte_count;
    logic [6:0]  lower_address;
  } received_completion_t;

  // A write. target: as bar above; 3: doorbells, address from the first one on.
  typedef struct packed {
    logic [1:0]  target;
    logic        ring;         // the one whole word that rings a doorbell
    logic [31:2] address;
    logic [6:0]  left;         // DWs from the start of the first word
    logic [3:0]  first_be;
    logic [3:0]  last_be;
  } received_write_t;

  // --- the PCIe endpoint and what is around it ---------------------------------------
  // Beats of the TLP streams, with valid and ready beside them: rtl/README.md. error: with the
  // last beat, the link has found the TLP bad.
  typedef struct packed {
    logic [63:0]  data;
    logic [1:0]   strb;
    logic [127:0] header;
    logic         error;
    logic         sop;
    logic         eop;
  } received_beat_t;

  typedef struct packed {
    logic [63:0]  data;
    logic [1:0]   strb;
    logic [127:0] header;
    logic         sop;
    logic         eop;
  } sent_beat_t;

  // A whole aligned word written to a doorbell; shown: it stands here, valid or not yet; good: it
  // rings.
  typedef struct packed {
    logic        shown;
    logic        good;
    logic [3:0]  page;
    logic [63:0] data;
  } doorbell_t;

  // The access on the register bus is one to a register of this slot.
  typedef struct packed {
    logic        read;
    logic        write;
    logic [3:0]  slot;
  } slot_access_t;

  // A write by the host to local memory, at an offset in it; and the word of a read.
  typedef struct packed {
    logic [31:3] address;
    logic [63:0] data;
    logic [7:0]  strobe;
  } local_write_t;

  typedef struct packed {
    logic        valid;
    logic [63:0] data;
  } local_response_t;

  // A beat of a system write was accepted a cycle ago: rf_pkg::AccessStatus*.
  typedef struct packed {
    logic        valid;
    logic        last;
    logic [2:0]  status;
  } write_accepted_t;

  // What the device's registers ask of the endpoint: the limit of a read in cycles, and with
  // msix_test one MSI-X message for each bit.
  typedef struct packed {
    logic [31:0] completion_timeout;
    logic        msix_test;
    logic [15:0] msix_vectors;
  } pcie_controls_t;

  // What the host has set in configuration space. function_reset: a pulse. d3hot and
  // extended_synch are for the link.
  typedef struct packed {
    logic        function_reset;
    logic        d3hot;
    logic        extended_synch;
    logic        bus_master;
    logic [6:0]  max_payload_words;
    logic [6:0]  max_read_words;
  } pcie_settings_t;

  // What the link tells of itself. All 0: the registers say 5 GT/s, one lane. The errors are
  // those that the layers below have found, a pulse each.
  typedef struct packed {
    logic [3:0]  speed;        // as Link Status has it: 1: 2.5 GT/s
    logic [5:0]  width;        // lanes
    logic        slot_clock;   // the reference clock is the slot's
    logic        error_correctable;
    logic        error_fatal;
  } link_status_t;

  // Errors that the endpoint has found, a pulse each, and those of the link.
  typedef struct packed {
    logic        malformed;
    logic        unsupported;         // of a request that gets a completion
    logic        posted_unsupported;
    logic        poisoned;            // data that a read master waited for
    logic        unexpected;
    logic        timeout;
    logic        link_correctable;
    logic        link_fatal;
  } pcie_errors_t;

  // As Device Status has them.
  typedef struct packed {
    logic        unsupported;
    logic        fatal;
    logic        nonfatal;
    logic        correctable;
  } error_status_t;

  // Which errors are reported by a message: SERR# Enable of Command, the others of Device Control.
  typedef struct packed {
    logic        serr;
    logic        unsupported;
    logic        fatal;
    logic        nonfatal;
    logic        correctable;
  } error_enables_t;

  // Set_Slot_Power_Limit was received.
  typedef struct packed {
    logic        valid;
    logic [1:0]  scale;
    logic [7:0]  value;
  } slot_power_t;

  // For the counters: a pulse per TLP, and with it DWs of its payload, or asked for.
  typedef struct packed {
    logic        write;
    logic [6:0]  write_dwords;
    logic        read;
    logic [7:0]  read_dwords;
    logic        completion;
    logic [6:0]  completion_dwords;
    logic        message;
  } sent_events_t;

  typedef struct packed {
    logic        sent_write;
    logic [6:0]  sent_write_dwords;
    logic        sent_read;
    logic [7:0]  sent_read_dwords;
    logic        sent_completion;
    logic [6:0]  sent_completion_dwords;
    logic        sent_message;
    logic        write;
    logic [6:0]  write_dwords;
    logic        read;
    logic        completion;
    logic [6:0]  completion_dwords;
    logic        malformed;
    logic        unsupported;
    logic        unexpected;
    logic        timeout;
  } pcie_events_t;

  // --- packets on their way to a unit ------------------------------------------
  localparam logic [2:0] FenceSignal = 3'd0;     // value, log, compare, interrupt
  localparam logic [2:0] FenceProgress = 3'd1;   // as signal, addresses of the slot, VMID 0
  localparam logic [2:0] FenceWrite = 3'd2;      // value only
  localparam logic [2:0] FenceTimestamp = 3'd3;  // device time only
  localparam logic [2:0] FenceWaitLog = 3'd4;    // wait-log entry only

  // The words of an operation stand on one bus of its node: the first one with the operation,
  // the others in the cycles behind its hand-over, one in each.
  // Fence: address of CurrentValue or target (of a wait log the observed timestamp, 0 if the
  // wait never stalled; of PROGRESS nothing), value, address of MonitoredValue, log payload
  // {OperationType, hNativeFence}. An operation without use for the last ones does not have them.
  localparam int unsigned FenceOperationWidth = 3 + 4 + 4 + 1 + 16;
  typedef struct packed {
    logic [2:0]  kind;
    logic [3:0]  slot;
    logic [3:0]  vmid;
    logic        log;
    logic [15:0] log_index;
  } fence_operation_t;

  // A packet as the decoder shows it: its unit, and what its header says. words counts
  // the header too; argument is 0 but where the packet has one.
  typedef struct packed {
    logic [2:0]  fence_kind; // of its fence operation, if it has one
    logic        is_nop;
    logic        is_wait;
    logic        is_barrier;
    logic        is_fence;   // SIGNAL, PROGRESS, WRITE, TIMESTAMP
    logic        is_engine;
    logic        is_record;  // TRAP, SOFTWARE_SIGNAL
    logic [7:0]  opcode;     // rf_pkg::Opcode*
    logic [3:0]  words;      // of 64 bits, 1 and up
    logic        log;
    logic [15:0] argument;
  } decoded_packet_t;

  // Why a queue stops at a packet. The word at fault is this many words behind the header.
  typedef struct packed {
    logic [7:0]  cause;      // rf_pkg::QueueError*
    logic [1:0]  level;      // of a translation fault
    logic [3:0]  words;
  } packet_error_t;

  // An access that failed, for the unit that made it.
  typedef struct packed {
    logic [2:0]  status;   // rf_pkg::AccessStatus*
    logic [1:0]  level;
    logic        store;
    logic [63:0] address;
  } access_failure_t;

  // A failed access of a packet, for the queue's error state.
  localparam int unsigned FailureWidth = 8 + 2 + 1 + 64;
  typedef struct packed {
    logic [7:0]  error;    // rf_pkg::QueueError*
    logic [1:0]  level;
    logic        store;
    logic [63:0] address;
  } failure_t;

  // Something happens to a slot in this cycle.
  typedef struct packed {
    logic        valid;
    logic [3:0]  slot;
  } slot_event_t;

  // Work for a slot is done in this cycle; error is 0 if it went well.
  typedef struct packed {
    logic        valid;
    logic [3:0]  slot;
    failure_t    failure;
  } slot_result_t;

  // Address, value.
  localparam int unsigned WaitOperationWidth = 4 + 4;
  typedef struct packed {
    logic [3:0]  slot;
    logic [3:0]  vmid;
  } wait_operation_t;

  // To an engine: COPY, FILL, VECTOR as decoded. One that was preempted goes on with
  // the progress and the partial result that the engine reported; both are 0 at first.
  // Words: VECTOR the partial result and packet words 1..4, COPY and FILL packet words 1..3.
  localparam int unsigned EngineOperationWidth = 32 + 8 + 8 + 4;
  typedef struct packed {
    logic [31:0] progress;   // bytes done
    logic [7:0]  opcode;
    logic [7:0]  operation;  // VECTOR: enum vector_operation
    logic [3:0]  vmid;
  } engine_operation_t;

  // --- slots and their nodes ------------------------------------------------------
  // Halves of a word of a slot's descriptor are written.
  typedef struct packed {
    logic [1:0]  strobe;     // bits 63:32, 31:0
    logic [3:0]  slot;
    logic [4:0]  word;       // number of the register of the slot
    logic [63:0] data;
  } descriptor_write_t;

  // A ring, by a page or by a token, or a resampled write pointer.
  typedef struct packed {
    logic [3:0]  next_slot;  // of the ring of the next cycle, if there is one
    logic        valid;
    logic [3:0]  slot;
    logic [47:0] write_pointer;
  } ring_t;

  // What became of it, in the same cycle: one of these, or none of a slot that is disabled.
  typedef struct packed {
    logic        moved;      // the write pointer
    logic        repeated;
    logic        range;      // beyond the ring
  } ring_result_t;

  // An access to a register of a slot, a cycle after it was on the bus.
  typedef struct packed {
    logic        read;
    logic        write;
    logic [3:0]  slot;
    logic [4:0]  number;     // of the register
    logic [63:0] data;
    logic [7:0]  strobe;
  } slot_register_t;

  // What a write of CONTROL asks for; enable: of a slot that is not enabled.
  typedef struct packed {
    logic        enable;
    logic        disables;
    logic        resample;
    logic        resume;
    logic        preempt;
    logic        restore;
    logic        rearm;
  } slot_control_t;

  // Fields of FLAGS.
  typedef struct packed {
    logic        in_buffer;
    logic        wait_over;
    logic        stalled;
    logic        waited;
    logic        stopped;
  } slot_flags_t;

  // The slot that is looked at in this cycle.
  typedef struct packed {
    logic        rests;      // nothing may be done for it
    logic        owed;       // a node stores its position, or reads words of it
    logic        comparing;  // rf_fence still compares for it
    logic [3:0]  slot;
    logic [15:0] here;       // the same, one-hot
  } slot_scan_t;

  // Slots that wait for rf_context, slot n at [n].
  typedef struct packed {
    logic [15:0] resample;   // read its write-pointer record
    logic [15:0] parked;     // to be saved
    logic [15:0] restore;    // to be restored
  } context_request_t;

  // What rf_context does, of one slot: its write-pointer record is being looked up (taken), later
  // its offer acts or it has failed (done), and says so until it is told; the slot is saved; a
  // restore of it begins.
  typedef struct packed {
    logic        resample_taken;
    logic        resample_done;
    logic        resample_fails;
    logic        saved;
    logic        restoring;
  } context_progress_t;

  // A WAIT is over. stalled: it was not satisfied at its first read.
  typedef struct packed {
    logic        valid;
    logic        stalled;
    logic [3:0]  slot;
    failure_t    failure;
  } wait_release_t;

  // What a node chooses its next slot from; of slot n at [n].
  typedef struct packed {
    logic        coming;     // that slot rings: runnable in the next cycle, if the ring moves
    logic [3:0]  coming_slot; // its pointer
    logic [15:0] runnable;
    logic [15:0] eligible;   // of the highest band, one cycle later
    logic [15:0] turn;       // of these, the ones whose turn it is
  } node_choice_t;

  // Where a node is.
  typedef struct packed {
    logic        busy;
    logic [3:0]  slot;       // that it serves, or served last
    logic [15:0] here;       // the same, one-hot
    logic [3:0]  load_slot;  // or the one that may follow it
    logic [28:0] words;      // offset of the packet under way in its buffer, in words
    logic        owes;       // of the slot that it left last the position is stored, or words
    logic [3:0]  left_slot;  // are read: that one
  } node_place_t;

  // What a node is told of the slot where it is; read_pointer, work and in_buffer are those of
  // load_slot. work is known late, and of use from the next cycle on.
  typedef struct packed {
    logic [12:0] read_pointer;
    logic [12:0] write_pointer; // one cycle later
    logic        work;          // entries left
    logic        in_buffer;
    logic        halt;          // no packet begins from the next cycle on
    logic        error;         // for a reason that ends engine work too
    logic        wait_over;     // the WAIT at the position is satisfied
    logic        stalled;       // and it had stalled: told in the same cycle
    logic        waited;        // it was cancelled once, and is executed anew
    logic        fences_none;   // no fence operation is under way
  } slot_view_t;

  // What a node does to the slot where it is.
  typedef struct packed {
    logic        begins;        // a command buffer
    logic        fence_issued;  // an operation went to rf_fence, one per slot
    logic        wait_issued;   // a WAIT went to rf_wait
    logic        wait_done;     // a satisfied WAIT is behind
    logic        stops;         // TRAP, SOFTWARE_SIGNAL
    logic        fails;         // until the slot is in error
    logic        spent;         // the quantum is over,
    logic        served;        // and the node leaves the slot
  } slot_update_t;

  // A word of a slot's position on its way to its registers (store) or from them (load).
  typedef struct packed {
    logic        store;
    logic        load;
    logic [3:0]  slot;
    logic [4:0]  number;        // of the register of the slot
    logic [63:0] data;
  } slot_position_t;

  // Where the fetch of a node keeps command words of the slot served: in its place of the memory,
  // in chunks of one line of 64 bytes. A chunk's number is that of its line plus shift, in four
  // bits; behind is the number after the last one. valid: the words of an earlier turn are still
  // there.
  typedef struct packed {
    logic [1:0]  place;
    logic        valid;
    logic [3:0]  behind;
    logic [3:0]  shift;
  } kept_words_t;

  // The same of the words fetched since the last start. failed: an access fails in this cycle.
  typedef struct packed {
    logic        failed;
    logic [3:0]  behind;
    logic [3:0]  shift;
  } fetched_words_t;

  // Why a ring entry names no buffer, or a command word could not be read.
  typedef struct packed {
    logic        failed;
    logic [7:0]  error;    // rf_pkg::QueueError*
    logic [1:0]  level;
  } fetch_failure_t;

  // Which word of the position has come from the slot's registers.
  typedef struct packed {
    logic        buffer_start;
    logic        state;         // where in the buffer, and its size
    logic        progress;
    logic        partial;
    logic        observed;
    logic        quantum_left;
    logic        quantum;
    logic        config_word;
  } position_loaded_t;

  // What the counters count of a node, one pulse each; a stall once in each cycle.
  typedef struct packed {
    logic        ring_fetch;
    logic        command_fetch;
    logic        packet;
    logic        waits;
    logic        stall_engine;
    logic        stall_fence;
    logic        stall_fetch;
  } node_events_t;

  // How an engine ended an operation: complete, preempted or failed (failure.error).
  typedef struct packed {
    logic        done;
    logic        preempted;     // with done: not complete
    failure_t    failure;
    logic [31:0] progress;      // bytes done
    logic [63:0] partial;       // result so far, of VECTOR
  } engine_result_t;

  // Levels: what was handed over is of no use any more; stop between two writes.
  typedef struct packed {
    logic        aborts;
    logic        preempts;
  } engine_control_t;

  // What a node hands to rf_fence and to its engine, with the word that is on its bus.
  typedef struct packed {
    logic              fence_valid;
    logic              engine_valid;
    engine_control_t   engine_control;
    fence_operation_t  fence;
    engine_operation_t engine;
    logic [63:0]       word;
  } node_offer_t;

  // rf_fence and the engines take what nodes 0 and 1 offer, at [0], [1], and rf_wait what both do.
  typedef struct packed {
    logic              waits;
    logic [1:0]        engine;
    logic [1:0]        fence;
  } units_ready_t;

  // A WAIT of one of the nodes, with its word.
  typedef struct packed {
    logic            valid;
    wait_operation_t operation;
    logic [63:0]     word;
  } wait_offer_t;

  typedef struct packed {
    logic         busy;
    logic [3:0]   slot;         // that it serves, or served last
    node_events_t events;
  } node_status_t;

  // --- interrupt records --------------------------------------------------------
  localparam int unsigned RecordWidth = 8 + 4 + 4 + 8 + 32 + 64 + 64;
  typedef struct packed {
    logic [7:0]  kind;     // rf_pkg::RecordKind*
    logic [3:0]  node;
    logic [3:0]  vmid;
    logic [7:0]  detail;
    logic [31:0] handle;
    logic [63:0] address;
    logic [63:0] value;
  } record_t;

  // --- register bus ---------------------------------------------------------------
  // Broadcast; every block answers one cycle later, command processor and wait unit two, with 0
  // for registers that are not its own, and the responses are ORed. Writes are never
  // refused.
  localparam int unsigned RegisterRequestWidth = 1 + 1 + 14 + 64 + 8;
  typedef struct packed {
    logic        valid;
    logic        write;
    logic [16:3] address;   // in BAR 0
    logic [63:0] data;
    logic [7:0]  strobe;
  } register_request_t;

  // Accesses of rf_context to slot registers, and what it is told: ready takes an access, whose
  // response comes two cycles later.
  typedef struct packed {
    slot_access_t      access;
    register_request_t request;
  } context_register_t;
  typedef struct packed {
    logic        ready;
    logic [63:0] data;
  } register_reply_t;

endpackage
/* verilator lint_on UNUSEDPARAM */
