// SPDX-License-Identifier: Apache-2.0
//
// The device: connects the blocks, with registers on long paths. Block diagram and TLP streams:
// README.md.
// VectorEngine: 0 leaves node 0 without an engine; it still runs every packet but VECTOR.
// trace_o: events for a bench or a timeline, listed where it is assigned.

`default_nettype none

module rf_device #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter bit          MonitoredShadow = 1'b1,
  parameter int unsigned TimestampHz = 125_000_000,
  parameter int unsigned Tags = 16,
  parameter int unsigned TlbSetsLog2 = 5,
  parameter int unsigned Slots = 16,
  parameter bit          VectorEngine = 1'b1
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Receive stream
  input  wire logic [63:0]  rx_tlp_data_i,
  input  wire logic [1:0]   rx_tlp_strb_i,
  input  wire logic [127:0] rx_tlp_hdr_i,
  input  wire logic         rx_tlp_error_i,
  input  wire logic         rx_tlp_valid_i,
  input  wire logic         rx_tlp_sop_i,
  input  wire logic         rx_tlp_eop_i,
  output logic              rx_tlp_ready_o,

  // Posted transmit stream: writes, MSI-X, completions
  output logic [63:0]       tx_tlp_data_o,
  output logic [1:0]        tx_tlp_strb_o,
  output logic [127:0]      tx_tlp_hdr_o,
  output logic              tx_tlp_valid_o,
  output logic              tx_tlp_sop_o,
  output logic              tx_tlp_eop_o,
  input  wire logic         tx_tlp_ready_i,

  // Read requests
  output logic [127:0]      tx_read_tlp_hdr_o,
  output logic              tx_read_tlp_valid_o,
  input  wire logic         tx_read_tlp_ready_i,

  // The link, if there is one: what it tells, and what it has to do
  input  wire        rf_bus_pkg::link_status_t link_status_i,
  output logic              d3hot_o,
  output logic              extended_synch_o,

  output logic              idle_o,
  output logic [63:0]       trace_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (TimestampHz == 0) begin : gen_bad_timestamp_hz
    $error("a clock has a frequency");
  end
  if (Tags < 2 || Tags > 32 || (Tags & (Tags - 1)) != 0) begin : gen_bad_tags
    $error("a tag has five bits, and their number is a power of two");
  end
  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end
  if (TlbSetsLog2 < 4 || TlbSetsLog2 > 8) begin : gen_bad_tlb_sets_log2
    $error("a way of the TLB has 16 to 256 sets");
  end

  localparam int unsigned ReadWidth = rf_bus_pkg::ReadRequestWidth;
  localparam int unsigned WriteWidth = rf_bus_pkg::WriteRequestWidth;
  localparam int unsigned FenceWidth = rf_bus_pkg::FenceOperationWidth;

  // A function-level reset resets everything but the endpoint.
  rf_bus_pkg::pcie_settings_t settings;
  logic reset_nq, core_rst_nq;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_nq <= 1'b0;
    else reset_nq <= !settings.function_reset;
  end

  rf_reset_buffer u_core_reset (.rst_ni(reset_nq), .rst_no(core_rst_nq));

  // --- wires --------------------------------------------------------------------
  rf_bus_pkg::register_request_t register_request, register_host, register_context;
  logic        register_context_ready;
  rf_bus_pkg::slot_access_t slot_access, host_slot, context_access;
  rf_bus_pkg::context_register_t context_register;
  logic [63:0] register_others_q, register_response;
  logic [63:0] register_device, register_memory, register_command, register_fence,
               register_peer;
  logic [63:0] slot_command, slot_fence;        // those of slots
  logic [63:0] register_wait, register_interrupt, register_counters;
  logic [2*64-1:0] register_engine;

  logic        doorbell_valid;
  rf_bus_pkg::doorbell_t doorbell;

  logic        local_write_valid, local_write_ready, local_read_valid, local_read_ready;
  rf_bus_pkg::local_write_t local_write;
  rf_bus_pkg::local_response_t local_word, local_response;
  logic [31:3] local_read_address;

  logic        system_read_valid, system_read_ready, system_response_valid;
  rf_bus_pkg::system_read_t system_read;
  rf_bus_pkg::read_response_t system_response;
  logic        system_write_valid, system_write_ready;
  rf_bus_pkg::write_accepted_t system_write_accepted;
  rf_bus_pkg::system_write_t system_write;
  logic        beat_valid, beat_ready;          // of a system write, where it leaves the memory
  rf_bus_pkg::system_write_t beat;

  logic        msix_valid, msix_ready;
  logic [3:0]  msix_vector;
  rf_bus_pkg::pcie_controls_t pcie_controls;

  logic [63:0] timestamp;

  logic [6:0]                read_valid, read_ready, read_hold;
  logic [7*ReadWidth-1:0]    read_request;
  rf_bus_pkg::read_bus_t     response_bus;
  logic                      response_valid;
  logic [6:0]                response_to;         // read master, one-hot
  rf_bus_pkg::read_response_t  response;
  logic [4:0]                write_valid, write_ready, write_data_valid, write_data_ready;
  logic [5*WriteWidth-1:0]   write_request;
  logic [5*64-1:0]           write_data;
  rf_bus_pkg::write_done_t   writes_done;
  logic [4:0]                write_done;
  logic [5*3-1:0]            write_done_status;
  logic [5*2-1:0]            write_done_level;

  rf_bus_pkg::snoop_t           snoop;
  logic                         snoop_valid;
  rf_bus_pkg::wait_translate_t  wait_translate;
  rf_bus_pkg::wait_translated_t wait_translated;
  logic                         wait_translate_ready;
  logic [15:0] invalidate;      // by VMID
  logic        invalidate_any, invalidate_busy;

  logic [2*64-1:0]           node_word;      // of what a node hands over
  logic [1:0]                fence_valid, fence_ready;
  logic [2*FenceWidth-1:0]   fence_operation;
  rf_bus_pkg::slot_result_t  fence_result, fence_fault;
  logic                      fence_done;
  rf_bus_pkg::slot_event_t   restart, cancel;

  logic                         wait_valid, wait_ready;
  rf_bus_pkg::wait_operation_t  wait_operation;
  logic [63:0]                  wait_word;
  logic [3:0]                   release_slot;
  logic                         release_valid, release_stalled;
  rf_bus_pkg::failure_t         release_failure;
  logic                         notify;

  logic [1:0]                engine_valid, engine_ready, engine_done, engine_busy;

  logic [4:0]                record_valid, record_ready;
  logic [14:0]               record_show;
  logic [5*64-1:0]           record;
  logic                      interrupt_raised, interrupt_suppressed, update_done;

  // Of a node, before those of its engine's watchdog
  logic [1:0]                node_record_valid, node_record_ready;
  logic [5:0]                node_record_show;
  logic [2*64-1:0]           node_record;

  logic pcie_idle, memory_idle, command_idle, fence_idle, wait_idle, interrupt_idle;

  // The host's register accesses first, then those of contexts being saved and restored,
  // which are all to slot registers: only blocks that have some see them. No write of
  // POINTERS may meet a ring; elsewhere it does no harm that an access is made again.
  assign register_request = register_host.valid ? register_host : register_context;
  assign register_context_ready = !register_host.valid && !doorbell_valid;
  always_comb begin
    slot_access.read  = host_slot.read || (register_context_ready && context_access.read);
    slot_access.write = host_slot.write || (register_context_ready && context_access.write);
    slot_access.slot  = register_host.valid ? host_slot.slot : context_access.slot;
  end

  // Register responses come after two cycles: both in the wait unit and, for registers of slots,
  // the command processor and the fence unit; of the others one in the block, one here.
  always_ff @(posedge clk_i) begin
    register_others_q <= register_device | register_memory | register_command | register_fence |
                         register_peer | register_interrupt | register_counters |
                         register_engine[63:0] | register_engine[127:64];
  end
  rf_or_late #(.Late(2)) u_register_response (
    .late_i({slot_command, slot_fence}), .early_i(register_others_q | register_wait),
    .data_o(register_response)
  );

  // A word of local memory comes late out of its block RAM, and goes into one.
  logic        local_read_valid_q;
  logic [63:0] local_read_q;
  always_ff @(posedge clk_i or negedge core_rst_nq) begin
    if (!core_rst_nq) local_read_valid_q <= 1'b0;
    else local_read_valid_q <= local_word.valid;
  end
  always_ff @(posedge clk_i) local_read_q <= local_word.valid ? local_word.data : '0;
  assign local_response.valid = local_read_valid_q;
  assign local_response.data  = local_read_q;

  // --- endpoint -------------------------------------------------------------------
  rf_bus_pkg::pcie_events_t pcie_events;
  rf_bus_pkg::received_beat_t received;
  rf_bus_pkg::sent_beat_t     sent;

  assign received.data      = rx_tlp_data_i;
  assign received.strb      = rx_tlp_strb_i;
  assign received.header    = rx_tlp_hdr_i;
  assign received.error     = rx_tlp_error_i;
  assign received.sop       = rx_tlp_sop_i;
  assign received.eop       = rx_tlp_eop_i;
  assign tx_tlp_data_o      = sent.data;
  assign tx_tlp_strb_o      = sent.strb;
  assign tx_tlp_hdr_o       = sent.header;
  assign tx_tlp_sop_o       = sent.sop;
  assign tx_tlp_eop_o       = sent.eop;

  rf_pcie #(.LocalMemoryLog2(LocalMemoryLog2), .Tags(Tags), .Slots(Slots)) u_pcie (
    .clk_i, .rst_ni,
    .rx_tlp_valid_i, .rx_tlp_ready_o,
    .rx_tlp_i                (received),
    .tx_tlp_valid_o, .tx_tlp_ready_i,
    .tx_tlp_o                (sent),
    .tx_read_tlp_hdr_o, .tx_read_tlp_valid_o, .tx_read_tlp_ready_i,
    .register_o              (register_host),
    .slot_access_o           (host_slot),
    .register_data_i         (register_response),
    .doorbell_valid_o        (doorbell_valid),
    .doorbell_o              (doorbell),
    .local_write_valid_o     (local_write_valid),
    .local_write_ready_i     (local_write_ready),
    .local_write_o           (local_write),
    .local_read_valid_o      (local_read_valid),
    .local_read_ready_i      (local_read_ready),
    .local_read_address_o    (local_read_address),
    .local_response_i        (local_response),
    .read_valid_i            (system_read_valid),
    .read_ready_o            (system_read_ready),
    .read_i                  (system_read),
    .response_valid_o        (system_response_valid),
    .response_o              (system_response),
    .write_valid_i           (system_write_valid),
    .write_ready_o           (system_write_ready),
    .write_i                 (system_write),
    .write_accepted_o        (system_write_accepted),
    .msix_valid_i            (msix_valid),
    .msix_ready_o            (msix_ready),
    .msix_vector_i           (msix_vector),
    .controls_i              (pcie_controls),
    .link_status_i,
    .settings_o              (settings),
    .events_o                (pcie_events),
    .idle_o                  (pcie_idle)
  );

  logic unused_bus_master;
  assign unused_bus_master = settings.bus_master;
  assign d3hot_o           = settings.d3hot;
  assign extended_synch_o  = settings.extended_synch;

  // --- memory ---------------------------------------------------------------------
  // All but the fetches' and the fences' requests, which count every cycle, stand in a
  // register first: so few requests for a translation come late in a cycle, and few masters
  // wait for the choice among them.
  localparam int unsigned Fetches = 2;
  logic [6:0]              asked_read_valid, asked_read_ready;
  logic [7*ReadWidth-1:0]  asked_read;
  logic [4:0]              asked_write_valid, asked_write_ready;
  logic [5*WriteWidth-1:0] asked_write;

  assign asked_read_valid[Fetches-1:0]        = read_valid[Fetches-1:0];
  assign read_ready[Fetches-1:0]              = asked_read_ready[Fetches-1:0];
  assign asked_read[Fetches*ReadWidth-1:0]    = read_request[Fetches*ReadWidth-1:0];
  assign asked_write_valid[0]                 = write_valid[0];
  assign write_ready[0]                       = asked_write_ready[0];
  assign asked_write[WriteWidth-1:0]          = write_request[WriteWidth-1:0];

  for (genvar m = Fetches; m < 7; m++) begin : gen_read_slice
    rf_register_slice #(.Width(ReadWidth)) u_slice (
      .clk_i, .rst_ni(core_rst_nq),
      .valid_i(read_valid[m]), .ready_o(read_ready[m]),
      .data_i (read_request[m*ReadWidth +: ReadWidth]),
      .valid_o(asked_read_valid[m]), .ready_i(asked_read_ready[m]),
      .data_o (asked_read[m*ReadWidth +: ReadWidth]));
  end

  for (genvar m = 1; m < 5; m++) begin : gen_write_slice
    rf_register_slice #(.Width(WriteWidth)) u_slice (
      .clk_i, .rst_ni(core_rst_nq),
      .valid_i(write_valid[m]), .ready_o(write_ready[m]),
      .data_i (write_request[m*WriteWidth +: WriteWidth]),
      .valid_o(asked_write_valid[m]), .ready_i(asked_write_ready[m]),
      .data_o (asked_write[m*WriteWidth +: WriteWidth]));
  end

  // The endpoint's turn is late in its cycle, and far from the masters.
  rf_reverse_slice #(.Width($bits(beat))) u_beat_slice (
    .clk_i, .rst_ni(core_rst_nq),
    .valid_i(beat_valid),         .ready_o(beat_ready),         .data_i(beat),
    .valid_o(system_write_valid), .ready_i(system_write_ready), .data_o(system_write));

  logic event_fault;

  assign response_valid    = response_bus.valid;
  assign response_to       = response_bus.to;
  assign response          = response_bus.response;
  assign snoop_valid       = snoop.valid;
  assign write_done        = writes_done.done;
  assign write_done_status = writes_done.status;
  assign write_done_level  = writes_done.level;

  rf_memory #(
    .LocalMemoryLog2(LocalMemoryLog2),
    .TlbSetsLog2    (TlbSetsLog2)
  ) u_memory (
    .clk_i, .rst_ni(core_rst_nq),
    .read_valid_i                   (asked_read_valid),
    .read_ready_o                   (asked_read_ready),
    .read_i                         (asked_read),
    .read_hold_i                    (read_hold),
    .response_o                     (response_bus),
    .write_valid_i                  (asked_write_valid),
    .write_ready_o                  (asked_write_ready),
    .write_i                        (asked_write),
    .write_data_valid_i             (write_data_valid),
    .write_data_ready_o             (write_data_ready),
    .write_data_i                   (write_data),
    .write_done_o                   (writes_done),
    .local_write_valid_i            (local_write_valid),
    .local_write_ready_o            (local_write_ready),
    .local_write_i                  (local_write),
    .local_read_valid_i             (local_read_valid),
    .local_read_ready_o             (local_read_ready),
    .local_read_address_i           (local_read_address),
    .local_response_o               (local_word),
    .system_read_valid_o            (system_read_valid),
    .system_read_ready_i            (system_read_ready),
    .system_read_o                  (system_read),
    .system_response_valid_i        (system_response_valid),
    .system_response_i              (system_response),
    .system_write_valid_o           (beat_valid),
    .system_write_ready_i           (beat_ready),
    .system_write_o                 (beat),
    .system_write_accepted_i        (system_write_accepted),
    .snoop_o                        (snoop),
    .wait_translate_i               (wait_translate),
    .wait_translate_ready_o         (wait_translate_ready),
    .wait_translated_o              (wait_translated),
    .invalidate_o                   (invalidate),
    .invalidate_busy_i              (invalidate_busy),
    .register_i                     (register_host),
    .register_data_o                (register_memory),
    .event_fault_o                  (event_fault),
    .idle_o                         (memory_idle)
  );

  // Two branches: the fetches and the fence unit, which count every cycle, take responses as
  // they come; the wait unit and the engines a cycle later.
  logic [6:0]               late_response_to_q;
  rf_bus_pkg::read_response_t late_response_q;

  always_ff @(posedge clk_i or negedge core_rst_nq) begin
    if (!core_rst_nq) late_response_to_q <= '0;
    else late_response_to_q <= response_to;
  end
  always_ff @(posedge clk_i) late_response_q <= response;

  logic unused_response_to;
  assign unused_response_to = &{1'b0, response_to[4:3], late_response_to_q[4:3],
                                late_response_to_q[1:0]};

  // --- command processor --------------------------------------------------------------
  logic       event_ring;
  logic [1:0] event_ring_fetch, event_command_fetch, event_packet;
  logic [1:0] event_wait, event_stall_engine, event_stall_fence, event_stall_fetch;
  // Contexts and words for other devices share the write master of the update port.
  logic [1:0]              rare_valid, rare_ready, rare_data_valid, rare_data_ready, rare_done;
  logic [2*WriteWidth-1:0] rare_request;
  logic [2*64-1:0]         rare_data;
  logic [1:0]              shared_valid, shared_ready, shared_data_valid, shared_data_ready;
  logic [1:0]              shared_done;
  logic [2*WriteWidth-1:0] shared_request;
  logic [2*64-1:0]         shared_data;
  logic [1:0] node_busy;
  logic [3:0] asked_slot;
  logic       comparing;
  logic [7:0] node_slot;

  rf_bus_pkg::node_response_t node_response;
  rf_bus_pkg::node_offer_t    offer0, offer1;
  rf_bus_pkg::engine_result_t engine0_result, engine1_result;
  rf_bus_pkg::wait_offer_t    wait_offer;
  rf_bus_pkg::wait_release_t  released;
  rf_bus_pkg::write_offer_t   context_write, peer_write;
  rf_bus_pkg::write_reply_t   context_write_reply, peer_write_reply;
  rf_bus_pkg::register_reply_t context_reply;
  rf_bus_pkg::node_status_t   node0_status, node1_status;

  always_comb begin
    node_response.valid  = response_valid;
    node_response.to     = response_to[1:0];
    node_response.response = response;
  end
  always_comb begin
    released.valid   = release_valid;
    released.stalled = release_stalled;
    released.slot    = release_slot;
    released.failure = release_failure;
  end
  always_comb begin
    context_write_reply.ready      = rare_ready[0];
    context_write_reply.data_ready = rare_data_ready[0];
    context_write_reply.done       = rare_done[0];
    context_write_reply.status     = write_done_status[1*3 +: 3];
    peer_write_reply.ready         = rare_ready[1];
    peer_write_reply.data_ready    = rare_data_ready[1];
    peer_write_reply.done          = rare_done[1];
    peer_write_reply.status        = write_done_status[1*3 +: 3];
  end
  assign node_word        = {offer1.word, offer0.word};
  assign fence_valid      = {offer1.fence_valid, offer0.fence_valid};
  assign fence_operation  = {offer1.fence, offer0.fence};
  assign engine_valid     = {offer1.engine_valid, offer0.engine_valid};
  assign engine_done      = {engine1_result.done, engine0_result.done};
  assign wait_valid       = wait_offer.valid;
  assign fence_done       = fence_result.valid;
  assign wait_operation   = wait_offer.operation;
  assign wait_word        = wait_offer.word;
  assign context_reply.ready = register_context_ready;
  assign context_reply.data  = register_response;
  assign register_context = context_register.request;
  assign context_access   = context_register.access;
  assign rare_valid      = {peer_write.valid, context_write.valid};
  assign rare_data_valid = {peer_write.data_valid, context_write.data_valid};
  assign rare_request    = {peer_write.request, context_write.request};
  assign rare_data       = {peer_write.data, context_write.data};
  assign node_busy = {node1_status.busy, node0_status.busy};
  assign node_slot = {node1_status.slot, node0_status.slot};
  assign event_ring_fetch    = {node1_status.events.ring_fetch, node0_status.events.ring_fetch};
  assign event_command_fetch = {node1_status.events.command_fetch,
                                node0_status.events.command_fetch};
  assign event_packet        = {node1_status.events.packet, node0_status.events.packet};
  assign event_wait          = {node1_status.events.waits, node0_status.events.waits};
  assign event_stall_engine  = {node1_status.events.stall_engine,
                                node0_status.events.stall_engine};
  assign event_stall_fence   = {node1_status.events.stall_fence, node0_status.events.stall_fence};
  assign event_stall_fetch   = {node1_status.events.stall_fetch, node0_status.events.stall_fetch};

  rf_command_processor #(.Slots(Slots), .VectorEngine(VectorEngine)) u_command_processor (
    .clk_i, .rst_ni(core_rst_nq),
    .timestamp_i            (timestamp),
    .register_host_i        (register_host),
    .register_i             (register_request),
    .slot_access_i          (slot_access),
    .register_data_o        (register_command),
    .slot_data_o            (slot_command),
    .doorbell_valid_i       (doorbell_valid && !peer_page),
    .doorbell_i             (doorbell),
    .read_valid_o           (read_valid[1:0]),
    .read_ready_i           (read_ready[1:0]),
    .read_o                 (read_request[2*ReadWidth-1:0]),
    .response_i             (node_response),
    .offer0_o               (offer0),
    .offer1_o               (offer1),
    .units_ready_i          ({wait_ready, engine_ready, fence_ready}),
    .engine0_result_i       (engine0_result),
    .engine1_result_i       (engine1_result),
    .wait_o                 (wait_offer),
    .fence_done_i           (fence_result),
    .fence_fault_i          (fence_fault),
    .restart_o              (restart),
    .release_i              (released),
    .cancel_o               (cancel),
    .record_valid_o         ({record_valid[4], node_record_valid}),
    .record_ready_i         ({record_ready[4], node_record_ready}),
    .record_show_i          ({record_show[14:12], node_record_show}),
    .record_o               ({record[5*64-1:4*64], node_record}),
    .context_register_o     (context_register),
    .context_reply_i        (context_reply),
    .write_o                (context_write),
    .write_reply_i          (context_write_reply),
    .asked_slot_o           (asked_slot),
    .comparing_i            (comparing),
    .invalidate_i           (invalidate_any),
    .idle_o                 (command_idle),
    .event_ring_o           (event_ring),
    .node0_status_o         (node0_status),
    .node1_status_o         (node1_status)
  );

  assign read_hold[1:0] = 2'b00;

  logic peer_page, peer_idle, peer_enabled;
  assign peer_page = doorbell.page == 4'(rf_pkg::PeerPage);

  // Between records, updates, waits, contexts and words of other devices nothing happens in the
  // units of these but that the next write request is offered, or that a register is accessed. With
  // waits, and with fences that devices signal to each other, every snoop counts.
  logic rare_clk, rare_wake, waits;
  assign rare_wake = !interrupt_idle || !peer_idle || peer_enabled || register_request.valid ||
                     waits || !wait_idle || wait_valid || cancel.valid || notify ||
                     invalidate_any || (doorbell_valid && peer_page) || write_valid[2:1] != '0 ||
                     write_done[2:1] != '0 || shared_valid != '0 || shared_data_valid != '0 ||
                     rare_valid != '0 || rare_data_valid != '0;
  rf_clock_gate #(.Linger(32)) u_rare_clock (
    .clk_i, .rst_ni(core_rst_nq),
    .wake_i(rare_wake),
    .clk_o (rare_clk)
  );

  rf_write_share u_rare_share (
    .clk_i(rare_clk), .rst_ni(core_rst_nq),
    .valid_i            (rare_valid),
    .ready_o            (rare_ready),
    .write_i            (rare_request),
    .data_valid_i       (rare_data_valid),
    .data_ready_o       (rare_data_ready),
    .data_i             (rare_data),
    .done_o             (rare_done),
    .write_valid_o      (shared_valid[1]),
    .write_ready_i      (shared_ready[1]),
    .write_o            (shared_request[1*WriteWidth +: WriteWidth]),
    .write_data_valid_o (shared_data_valid[1]),
    .write_data_ready_i (shared_data_ready[1]),
    .write_data_o       (shared_data[1*64 +: 64]),
    .write_done_i       (shared_done[1])
  );

  rf_write_share u_write_share (
    .clk_i(rare_clk), .rst_ni(core_rst_nq),
    .valid_i            (shared_valid),
    .ready_o            (shared_ready),
    .write_i            (shared_request),
    .data_valid_i       (shared_data_valid),
    .data_ready_o       (shared_data_ready),
    .data_i             (shared_data),
    .done_o             (shared_done),
    .write_valid_o      (write_valid[1]),
    .write_ready_i      (write_ready[1]),
    .write_o            (write_request[1*WriteWidth +: WriteWidth]),
    .write_data_valid_o (write_data_valid[1]),
    .write_data_ready_i (write_data_ready[1]),
    .write_data_o       (write_data[1*64 +: 64]),
    .write_done_i       (write_done[1])
  );

  // --- fences, waits, interrupts -------------------------------------------------------
  logic [1:0]             fence_read_hold;
  logic [2*ReadWidth-1:0] fence_read;
  logic [2*WriteWidth-1:0] fence_write;
  logic [2*64-1:0]        fence_write_data;
  logic                   fence_log_only;

  rf_fence #(.MonitoredShadow(MonitoredShadow)) u_fence (
    .clk_i, .rst_ni(core_rst_nq),
    .timestamp_i            (timestamp),
    .fence_valid_i          (fence_valid),
    .fence_ready_o          (fence_ready),
    .fence_i                (fence_operation),
    .word_i                 (node_word),
    .fence_done_o           (fence_result),
    .fence_done_log_only_o  (fence_log_only),
    .fence_fault_o          (fence_fault),
    .restart_i              (restart),
    .asked_slot_i           (asked_slot),
    .comparing_o            (comparing),
    .write_valid_o          ({shared_valid[0], write_valid[0]}),
    .write_ready_i          ({shared_ready[0], write_ready[0]}),
    .write_o                (fence_write),
    .write_data_valid_o     ({shared_data_valid[0], write_data_valid[0]}),
    .write_data_ready_i     ({shared_data_ready[0], write_data_ready[0]}),
    .write_data_o           (fence_write_data),
    .write_done_i           ({shared_done[0], write_done[0]}),
    .write_done_status_i    (write_done_status[2*3-1:0]),
    .write_done_level_i     (write_done_level[2*2-1:0]),
    .read_valid_o           (read_valid[4:3]),
    .read_ready_i           (read_ready[4:3]),
    .read_o                 (fence_read),
    .read_hold_o            (fence_read_hold),
    .response_valid_i       (response_valid),
    .response_i             (response),
    .record_valid_o         (record_valid[1:0]),
    .record_ready_i         (record_ready[1:0]),
    .record_show_i          (record_show[5:0]),
    .record_o               (record[2*64-1:0]),
    .register_i             (register_request),
    .slot_access_i          (slot_access),
    .register_data_o        (register_fence),
    .slot_data_o            (slot_fence),
    .notify_o               (notify),
    .suppressed_o           (interrupt_suppressed),
    .updated_o              (update_done),
    .idle_o                 (fence_idle)
  );

  assign {shared_request[0 +: WriteWidth], write_request[0 +: WriteWidth]} = fence_write;
  assign {shared_data[63:0], write_data[63:0]}   = fence_write_data;
  assign read_request[5*ReadWidth-1:3*ReadWidth] = fence_read;
  assign read_hold[4:3] = fence_read_hold;

  assign invalidate_any = invalidate != '0;

  logic         reread_valid, reread_ready, reread_all;
  logic [54:12] reread_page;
  rf_peer u_peer (
    .clk_i(rare_clk), .rst_ni(core_rst_nq),
    .snoop_i         (snoop),
    .word_valid_i    (doorbell_valid && peer_page),
    .word_good_i     (doorbell.good),
    .word_i          (doorbell.data),
    .reread_valid_o  (reread_valid),
    .reread_ready_i  (reread_ready),
    .reread_page_o   (reread_page),
    .reread_all_o    (reread_all),
    .write_o         (peer_write),
    .write_reply_i   (peer_write_reply),
    .register_i      (register_host),
    .register_data_o (register_peer),
    .enabled_o       (peer_enabled),
    .idle_o          (peer_idle)
  );

  rf_wait #(.Slots(Slots)) u_wait (
    .clk_i(rare_clk), .rst_ni(core_rst_nq),
    .wait_valid_i             (wait_valid),
    .wait_ready_o             (wait_ready),
    .wait_i                   (wait_operation),
    .word_i                   (wait_word),
    .cancel_valid_i           (cancel.valid),
    .cancel_slot_i            (cancel.slot),
    .release_valid_o          (release_valid),
    .release_slot_o           (release_slot),
    .release_stalled_o        (release_stalled),
    .release_failure_o        (release_failure),
    .wait_translate_valid_o   (wait_translate.valid),
    .wait_translate_ready_i   (wait_translate_ready),
    .wait_translate_vmid_o    (wait_translate.vmid),
    .wait_translate_va_o      (wait_translate.va),
    .wait_translate_done_i    (wait_translated.done),
    .wait_translate_fault_i   (wait_translated.fault),
    .wait_translate_level_i   (wait_translated.level),
    .wait_translate_local_i   (wait_translated.in_local),
    .wait_translate_address_i (wait_translated.address),
    .read_valid_o             (read_valid[2]),
    .read_ready_i             (read_ready[2]),
    .read_o                   (read_request[3*ReadWidth-1:2*ReadWidth]),
    .response_valid_i         (late_response_to_q[2]),
    .response_i               (late_response_q),
    .snoop_i                  (snoop),
    .notify_i                 (notify || reread_all),
    .reread_valid_i           (reread_valid),
    .reread_ready_o           (reread_ready),
    .reread_page_i            (reread_page),
    .invalidate_i             (invalidate_any),
    .invalidate_busy_o        (invalidate_busy),
    .register_i               (register_request),
    .slot_read_i              (slot_access.read),
    .slot_i                   (slot_access.slot),
    .register_data_o          (register_wait),
    .waits_o                  (waits),
    .idle_o                   (wait_idle)
  );

  assign read_hold[2] = 1'b0;

  rf_interrupt u_interrupt (
    .clk_i(rare_clk), .rst_ni(core_rst_nq),
    .record_valid_i         (record_valid),
    .record_ready_o         (record_ready),
    .record_show_o          (record_show),
    .record_i               (record),
    .write_valid_o          (write_valid[2]),
    .write_ready_i          (write_ready[2]),
    .write_o                (write_request[3*WriteWidth-1:2*WriteWidth]),
    .write_data_valid_o     (write_data_valid[2]),
    .write_data_ready_i     (write_data_ready[2]),
    .write_data_o           (write_data[3*64-1:2*64]),
    .write_done_i           (write_done[2]),
    .write_done_status_i    (write_done_status[3*3-1:2*3]),
    .msix_valid_o           (msix_valid),
    .msix_ready_i           (msix_ready),
    .msix_vector_o          (msix_vector),
    .register_i             (register_host),
    .register_data_o        (register_interrupt),
    .raised_o               (interrupt_raised),
    .idle_o                 (interrupt_idle)
  );

  logic unused_interrupt_level;
  assign unused_interrupt_level = &{1'b0, write_done_level[2*2 +: 2]};

  // --- engines: node 0 compute, node 1 copy ---------------------------------------------
  rf_engine_unit #(.Node(0), .Engine(VectorEngine)) u_engine0 (
    .clk_i, .rst_ni(core_rst_nq),
    .max_payload_words_i (settings.max_payload_words),
    .max_read_words_i    (settings.max_read_words),
    .register_i          (register_host),
    .register_data_o     (register_engine[0*64 +: 64]),
    .offer_i             (offer0),
    .ready_o             (engine_ready[0]),
    .result_o            (engine0_result),
    .busy_o              (engine_busy[0]),
    .node_record_valid_i (node_record_valid[0]),
    .node_record_ready_o (node_record_ready[0]),
    .node_record_show_o  (node_record_show[0*3 +: 3]),
    .node_record_i       (node_record[0*64 +: 64]),
    .record_valid_o      (record_valid[2]),
    .record_ready_i      (record_ready[2]),
    .record_show_i       (record_show[2*3 +: 3]),
    .record_o            (record[2*64 +: 64]),
    .read_valid_o        (read_valid[5]),
    .read_ready_i        (read_ready[5]),
    .read_o              (read_request[5*ReadWidth +: ReadWidth]),
    .response_valid_i    (late_response_to_q[5]),
    .response_i          (late_response_q),
    .write_valid_o       (write_valid[3]),
    .write_ready_i       (write_ready[3]),
    .write_o             (write_request[3*WriteWidth +: WriteWidth]),
    .write_data_valid_o  (write_data_valid[3]),
    .write_data_ready_i  (write_data_ready[3]),
    .write_data_o        (write_data[3*64 +: 64]),
    .write_done_i        (write_done[3]),
    .write_done_status_i (write_done_status[3*3 +: 3]),
    .write_done_level_i  (write_done_level[3*2 +: 2])
  );

  rf_engine_unit #(.Node(1)) u_engine1 (
    .clk_i, .rst_ni(core_rst_nq),
    .max_payload_words_i (settings.max_payload_words),
    .max_read_words_i    (settings.max_read_words),
    .register_i          (register_host),
    .register_data_o     (register_engine[1*64 +: 64]),
    .offer_i             (offer1),
    .ready_o             (engine_ready[1]),
    .result_o            (engine1_result),
    .busy_o              (engine_busy[1]),
    .node_record_valid_i (node_record_valid[1]),
    .node_record_ready_o (node_record_ready[1]),
    .node_record_show_o  (node_record_show[1*3 +: 3]),
    .node_record_i       (node_record[1*64 +: 64]),
    .record_valid_o      (record_valid[3]),
    .record_ready_i      (record_ready[3]),
    .record_show_i       (record_show[3*3 +: 3]),
    .record_o            (record[3*64 +: 64]),
    .read_valid_o        (read_valid[6]),
    .read_ready_i        (read_ready[6]),
    .read_o              (read_request[6*ReadWidth +: ReadWidth]),
    .response_valid_i    (late_response_to_q[6]),
    .response_i          (late_response_q),
    .write_valid_o       (write_valid[4]),
    .write_ready_i       (write_ready[4]),
    .write_o             (write_request[4*WriteWidth +: WriteWidth]),
    .write_data_valid_o  (write_data_valid[4]),
    .write_data_ready_i  (write_data_ready[4]),
    .write_data_o        (write_data[4*64 +: 64]),
    .write_done_i        (write_done[4]),
    .write_done_status_i (write_done_status[4*3 +: 3]),
    .write_done_level_i  (write_done_level[4*2 +: 2])
  );

  assign read_hold[6:5] = 2'b00;


  // --- device registers, counters ---------------------------------------------------------
  logic others_idle, others_idle_q;

  assign others_idle = memory_idle && command_idle && fence_idle && wait_idle &&
                       interrupt_idle && peer_idle && engine_busy == '0 && read_valid == '0;
  assign idle_o = others_idle && pcie_idle && !settings.function_reset;

  rf_device_registers #(
    .LocalMemoryLog2(LocalMemoryLog2), .MonitoredShadow(MonitoredShadow),
    .TimestampHz(TimestampHz), .Tags(Tags), .Slots(Slots), .VectorEngine(VectorEngine)
  ) u_device_registers (
    .clk_i, .rst_ni(core_rst_nq),
    .register_i             (register_host),
    .register_data_o        (register_device),
    .others_idle_i          (others_idle_q),
    .timestamp_o            (timestamp),
    .completion_timeout_o   (pcie_controls.completion_timeout),
    .interrupt_test_valid_o (pcie_controls.msix_test),
    .interrupt_test_o       (pcie_controls.msix_vectors)
  );

  // Signals handed on by each node; WRITE, TIMESTAMP and logs are not signals.
  logic [1:0] signal_handed_on;
  assign signal_handed_on = {
      fence_valid[1] && fence_ready[1] &&
          fence_operation[2*FenceWidth-1 -: 3] <= rf_bus_pkg::FenceProgress,
      fence_valid[0] && fence_ready[0] &&
          fence_operation[FenceWidth-1 -: 3] <= rf_bus_pkg::FenceProgress};

  logic [31:0] events, events_second;
  always_comb begin
    events        = '0;
    events_second = '0;
    events[rf_pkg::CounterRings]                   = event_ring;
    events[rf_pkg::CounterRingFetches]             = event_ring_fetch[0];
    events[rf_pkg::CounterCommandFetches]          = event_command_fetch[0];
    events[rf_pkg::CounterPackets]                 = event_packet[0];
    events[rf_pkg::CounterSignals]                 = signal_handed_on[0];
    events[rf_pkg::CounterInterruptsRaised]        = interrupt_raised;
    events[rf_pkg::CounterInterruptsSuppressed]    = interrupt_suppressed;
    events[rf_pkg::CounterWaits]                   = event_wait[0];
    events[rf_pkg::CounterWaitsBlocked]            = release_valid && release_stalled;
    events[rf_pkg::CounterWaitsReleased]           = release_valid;
    events[rf_pkg::CounterStallEngineCycles]       = event_stall_engine[0];
    events[rf_pkg::CounterStallFenceCycles]        = event_stall_fence[0];
    events[rf_pkg::CounterStallFetchCycles]        = event_stall_fetch[0];
    events[rf_pkg::CounterTxWriteTlps]             = pcie_events.sent_write;
    events[rf_pkg::CounterTxWriteBytes]            = pcie_events.sent_write;
    events[rf_pkg::CounterTxReadTlps]              = pcie_events.sent_read;
    events[rf_pkg::CounterTxReadBytes]             = pcie_events.sent_read;
    events[rf_pkg::CounterTxCompletionTlps]        = pcie_events.sent_completion;
    events[rf_pkg::CounterTxCompletionBytes]       = pcie_events.sent_completion;
    events[rf_pkg::CounterTxMsixTlps]              = pcie_events.sent_message;
    events[rf_pkg::CounterRxWriteTlps]             = pcie_events.write;
    events[rf_pkg::CounterRxWriteBytes]            = pcie_events.write;
    events[rf_pkg::CounterRxReadTlps]              = pcie_events.read;
    events[rf_pkg::CounterRxCompletionTlps]        = pcie_events.completion;
    events[rf_pkg::CounterRxCompletionBytes]       = pcie_events.completion;
    events[rf_pkg::CounterRxMalformedTlps]         = pcie_events.malformed;
    events[rf_pkg::CounterRxUnsupportedTlps]       = pcie_events.unsupported;
    events[rf_pkg::CounterRxUnexpectedCompletions] = pcie_events.unexpected;
    events[rf_pkg::CounterCompletionTimeouts]      = pcie_events.timeout;
    events[rf_pkg::CounterFaults]                  = event_fault;
    events[rf_pkg::CounterUpdates]                 = update_done;
    events_second[rf_pkg::CounterRingFetches] = event_ring_fetch[1];
    events_second[rf_pkg::CounterCommandFetches] = event_command_fetch[1];
    events_second[rf_pkg::CounterPackets] = event_packet[1];
    events_second[rf_pkg::CounterWaits] = event_wait[1];
    events_second[rf_pkg::CounterStallEngineCycles] = event_stall_engine[1];
    events_second[rf_pkg::CounterStallFenceCycles] = event_stall_fence[1];
    events_second[rf_pkg::CounterStallFetchCycles] = event_stall_fetch[1];
    events_second[rf_pkg::CounterSignals] = signal_handed_on[1];
    events[rf_pkg::CounterBusyCycles]              = !others_idle;
  end

  // What tells of an event comes from far, and late in its cycle. No register access that
  // follows from it comes before it is counted.
  logic [31:0]     events_q, events_second_q;
  logic [5*8-1:0]  amounts_q; // DWs

  always_ff @(posedge clk_i or negedge core_rst_nq) begin
    if (!core_rst_nq) begin
      others_idle_q   <= 1'b0;
      events_q        <= '0;
      events_second_q <= '0;
    end else begin
      others_idle_q   <= others_idle;
      events_q        <= events;
      events_second_q <= events_second;
    end
  end

  always_ff @(posedge clk_i) begin
    amounts_q <= {1'b0, pcie_events.completion_dwords, 1'b0, pcie_events.write_dwords,
                  1'b0, pcie_events.sent_completion_dwords, pcie_events.sent_read_dwords,
                  1'b0, pcie_events.sent_write_dwords};
  end

  rf_counters u_counters (
    .clk_i, .rst_ni(core_rst_nq),
    .event_i         (events_q),
    .second_i        (events_second_q),
    .amount_i        (amounts_q),
    .register_i      (register_host),
    .register_data_o (register_counters)
  );

  // Events for a bench or a timeline, a bit each; the device itself does not use them.
  //  0      ring moved a write pointer        1,2    node 0,1 requests ring entries
  //  3,4    node 0,1 starts a packet          5,6    node 0,1 issues a fence operation
  //  7      fence operation performed         8      fence record offered
  //  9      MSI-X requested                   10     interrupt suppressed
  //  11     full word performed (snoop)       12     wait issued
  //  13     wait released                     14,15  node 0,1 starts engine work
  //  16,17  engine 0,1 done                   18     monitored update done
  //  19     record offered by a node or a doorbell
  //  23:20  slot of 7                         27:24  slot of 13
  //  28,29  node 0,1 busy                     33:30  slot of node 0, 37:34 of node 1
  //  38     write of a fence operation performed one cycle ago: its value, then of its log
  //  39     7 is of a wait's log entry: there was no value
  //  40,41  node 0,1 issues the wait of 12
  assign trace_o = {22'd0, event_wait, fence_log_only, write_done[0], node_slot, node_busy,
                    release_slot, fence_result.slot, record_valid[4:2] != '0, update_done,
                    engine_done, engine_valid & engine_ready, release_valid,
                    wait_valid && wait_ready, snoop_valid, interrupt_suppressed,
                    interrupt_raised, record_valid[0], fence_done, fence_valid & fence_ready,
                    event_packet, event_ring_fetch, event_ring};

endmodule

`default_nettype wire
