// SPDX-License-Identifier: Apache-2.0
//
// PCI Express endpoint, transaction layer (interface: rtl/README.md). Connects its parts; received
// writes, which never wait, and received reads share the register bus.
// Promises, the orders of the TLP streams: a received read, a ring and a completion take effect
// when every write received before is performed; posted TLPs are sent in the order of acceptance;
// a read is sent when all writes that began before it have been sent completely; except for
// received reads, nothing received waits for the transmit side.

`default_nettype none

module rf_pcie #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned Tags = 16,
  parameter int unsigned Slots = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic         rx_tlp_valid_i,
  output logic              rx_tlp_ready_o,
  input  wire        rf_bus_pkg::received_beat_t rx_tlp_i,

  output logic              tx_tlp_valid_o,
  input  wire logic         tx_tlp_ready_i,
  output             rf_bus_pkg::sent_beat_t tx_tlp_o,

  output logic [127:0]      tx_read_tlp_hdr_o,
  output logic              tx_read_tlp_valid_o,
  input  wire logic         tx_read_tlp_ready_i,

  output             rf_bus_pkg::register_request_t register_o,
  output             rf_bus_pkg::slot_access_t slot_access_o,
  input  wire logic [63:0]  register_data_i,

  output logic              doorbell_valid_o,
  output             rf_bus_pkg::doorbell_t doorbell_o,

  output logic              local_write_valid_o,
  input  wire logic         local_write_ready_i,
  output             rf_bus_pkg::local_write_t local_write_o,
  output logic              local_read_valid_o,
  input  wire logic         local_read_ready_i,
  output logic [31:3]       local_read_address_o,
  input  wire        rf_bus_pkg::local_response_t local_response_i,

  input  wire logic         read_valid_i,
  output logic              read_ready_o,
  input  wire        rf_bus_pkg::system_read_t read_i,
  output logic              response_valid_o,
  output             rf_bus_pkg::read_response_t response_o,

  input  wire logic         write_valid_i,
  output logic              write_ready_o,
  input  wire        rf_bus_pkg::system_write_t write_i,
  output             rf_bus_pkg::write_accepted_t write_accepted_o,

  input  wire logic         msix_valid_i,
  output logic              msix_ready_o,
  input  wire logic [3:0]   msix_vector_i,
  input  wire        rf_bus_pkg::pcie_controls_t controls_i,

  input  wire        rf_bus_pkg::link_status_t link_status_i,
  output             rf_bus_pkg::pcie_settings_t settings_o,
  output             rf_bus_pkg::pcie_events_t events_o,
  output logic              idle_o
);

  if (LocalMemoryLog2 < 12 || LocalMemoryLog2 > 31) begin : gen_bad_local_memory_log2
    $error("local memory has 4 KiB to 2 GiB");
  end
  if (Slots != 8 && Slots != 16) begin : gen_bad_slots
    $error("there are 8 or 16 slots");
  end
  if (Tags < 2 || Tags > 32 || (Tags & (Tags - 1)) != 0) begin : gen_bad_tags
    $error("a tag has five bits, and their number is a power of two");
  end

  // --- configuration ---------------------------------------------------------------
  logic         large_received_q; // 256 bytes are taken
  logic         memory_enable, large_payload, timeout_disable, msix_enable, msix_mask, hold;
  logic [63:17] bar0;
  logic [63:12] bar2;
  logic [31:12] bar4;
  logic [15:0]  function_id;
  logic         config_valid;
  logic [31:0]  config_data;
  logic         posted_unsupported, poisoned, poisoned_write;
  logic         response_unsupported, response_abort, response_poisoned;
  logic         receive_idle, completer_idle, requester_idle, transmit_idle, msix_idle;
  logic         posted_idle;
  logic         bus_master, function_reset;
  logic [6:0]   max_read_words;
  logic         malformed, unsupported, unexpected, completion_expired;
  rf_bus_pkg::pcie_errors_t   errors;
  rf_bus_pkg::error_status_t  error_status;
  rf_bus_pkg::error_enables_t error_enables;
  rf_bus_pkg::slot_power_t    slot_power;
  logic         error_hold, error_valid, error_signaled, errors_idle;
  logic [1:0]   error_code;
  rf_bus_pkg::sent_events_t sent;

  assign settings_o.function_reset    = function_reset;
  assign settings_o.bus_master        = bus_master;
  assign settings_o.max_payload_words = large_payload ? 7'd32 : 7'd16;
  assign settings_o.max_read_words    = max_read_words;

  // --- received, in order ------------------------------------------------------------
  logic        write_valid, write_ready, write_payload_ready;
  rf_bus_pkg::received_write_t write;
  logic        completion_valid, completion_ready, completion_payload_ready;
  rf_bus_pkg::received_completion_t completion;
  logic [63:0] payload;

  logic        request_valid, request_ready;
  rf_bus_pkg::received_request_t request;
  // Yosys 0.23 mistakes the bits of a member that does not end in 0.
  /* verilator lint_off UNUSEDSIGNAL */ // an address in configuration space has fewer bits
  logic [31:2] request_address;
  /* verilator lint_on UNUSEDSIGNAL */
  assign request_address = request.address;

  rf_pcie_receive #(.LocalMemoryLog2(LocalMemoryLog2)) u_receive (
    .clk_i, .rst_ni,
    .rx_tlp_data_i              (rx_tlp_i.data),
    .rx_tlp_strb_i              (rx_tlp_i.strb),
    .rx_tlp_hdr_i               (rx_tlp_i.header),
    .rx_tlp_error_i             (rx_tlp_i.error),
    .rx_tlp_valid_i,
    .rx_tlp_sop_i               (rx_tlp_i.sop),
    .rx_tlp_eop_i               (rx_tlp_i.eop),
    .rx_tlp_ready_o,
    .memory_enable_i            (memory_enable),
    .bar0_i                     (bar0),
    .bar2_i                     (bar2),
    .bar4_i                     (bar4),
    .max_payload_dwords_i       (large_received_q ? 7'd64 : 7'd32),
    .function_id_i              (function_id),
    .write_valid_o              (write_valid),
    .write_ready_i              (write_ready),
    .write_o                    (write),
    .completion_valid_o         (completion_valid),
    .completion_ready_i         (completion_ready),
    .completion_o               (completion),
    .payload_o                  (payload),
    .payload_ready_i            (write_payload_ready || completion_payload_ready),
    .request_valid_o            (request_valid),
    .request_ready_i            (request_ready),
    .request_o                  (request),
    .event_write_o              (events_o.write),
    .event_write_dwords_o       (events_o.write_dwords),
    .event_read_o               (events_o.read),
    .event_completion_o         (events_o.completion),
    .event_completion_dwords_o  (events_o.completion_dwords),
    .event_malformed_o          (malformed),
    .event_unsupported_o        (unsupported),
    .event_posted_unsupported_o (posted_unsupported),
    .event_poisoned_o           (poisoned),
    .event_poisoned_write_o     (poisoned_write),
    .slot_power_o               (slot_power),
    .idle_o                     (receive_idle)
  );

  // What serves the host: configuration space, which registers errors and counts during a
  // function-level reset; the completer; MSI-X, where what is held back can go some cycles after
  // an access to the table or to configuration space.
  logic host_clk;
  logic host_wake;
  assign host_wake = request_valid || !completer_idle || hold || function_reset || !msix_idle ||
                     msix_write_q || msix_valid_i || controls_i.msix_test || errors != '0 ||
                     !errors_idle || poisoned || response_unsupported || response_abort ||
                     slot_power.valid;
  rf_clock_gate #(.Linger(32)) u_host_clock (
    .clk_i, .rst_ni,
    .wake_i(host_wake),
    .clk_o (host_clk)
  );

  rf_pcie_config #(.LocalMemoryLog2(LocalMemoryLog2)) u_config (
    .clk_i(host_clk), .rst_ni,
    .access_valid_i          (config_valid),
    .access_write_i          (request.config_write),
    .access_address_i        (request_address[11:2]),
    .access_device_i         (request_address[31:19]),
    .access_data_i           (request.data),
    .access_strobe_i         (request.first_be),
    .access_data_o           (config_data),
    .memory_enable_o         (memory_enable),
    .bus_master_o            (bus_master),
    .bar0_o                  (bar0),
    .bar2_o                  (bar2),
    .bar4_o                  (bar4),
    .function_id_o           (function_id),
    .large_payload_o         (large_payload),
    .max_read_words_o        (max_read_words),
    .timeout_disable_o       (timeout_disable),
    .msix_enable_o           (msix_enable),
    .msix_mask_o             (msix_mask),
    .error_enables_o         (error_enables),
    .d3hot_o                 (settings_o.d3hot),
    .extended_synch_o        (settings_o.extended_synch),
    .link_status_i,
    .slot_power_i            (slot_power),
    .transactions_pending_i  (!requester_idle),
    .errors_i                (error_status),
    .signaled_i              (error_signaled),
    .poisoned_i              (poisoned),
    .received_abort_i        (response_unsupported),
    .received_target_abort_i (response_abort),
    .poisoned_response_i     (response_poisoned),
    .quiet_i                 (posted_idle && completer_idle),
    .hold_o                  (hold),
    .function_reset_o        (function_reset)
  );

  assign errors.malformed          = malformed;
  assign errors.unsupported        = unsupported && !posted_unsupported && !poisoned_write;
  assign errors.posted_unsupported = posted_unsupported;
  assign errors.poisoned           = poisoned_write || response_poisoned;
  assign errors.unexpected         = unexpected;
  assign errors.timeout            = completion_expired;
  assign errors.link_correctable   = link_status_i.error_correctable;
  assign errors.link_fatal         = link_status_i.error_fatal;

  rf_pcie_errors u_errors (
    .clk_i(host_clk), .rst_ni,
    .reset_i         (function_reset),
    .errors_i        (errors),
    .enables_i       (error_enables),
    .d3hot_i         (settings_o.d3hot),
    .status_o        (error_status),
    .signaled_o      (error_signaled),
    .msix_idle_i     (msix_idle),
    .hold_o          (error_hold),
    .message_valid_o (error_valid),
    .message_ready_i (message_ready),
    .message_code_o  (error_code),
    .idle_o          (errors_idle)
  );

  // A completion may be as long as the host was allowed to make it when it did, so a smaller size
  // counts for what is received when no read is in flight.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) large_received_q <= 1'b0;
    else if (large_payload || requester_idle) large_received_q <= large_payload;
  end

  // --- received writes ---------------------------------------------------------------
  logic        register_write, register_read, msix_write, msix_write_q, msix_read;
  logic [31:3] word_address, read_address;
  logic [63:0] word_data, msix_data;
  logic [7:0]  word_strobe, read_strobe;

  rf_pcie_writer u_writer (
    .clk_i, .rst_ni,
    .write_valid_i       (write_valid),
    .write_ready_o       (write_ready),
    .write_i             (write),
    .payload_i           (payload),
    .payload_ready_o     (write_payload_ready),
    .register_valid_o    (register_write),
    .msix_valid_o        (msix_write),
    .local_write_valid_o (local_write_valid_o),
    .local_write_ready_i (local_write_ready_i),
    .address_o           (word_address),
    .data_o              (word_data),
    .strobe_o            (word_strobe),
    .doorbell_valid_o    (doorbell_valid_o),
    .doorbell_shown_o    (doorbell_o.shown),
    .doorbell_page_o     (doorbell_o.page),
    .doorbell_good_o     (doorbell_o.good)
  );

  // Local memory sees offsets; BAR 2 is aligned to its size.
  localparam logic [31:0] LocalMask = 32'((64'd1 << LocalMemoryLog2) - 64'd1);
  assign doorbell_o.data       = payload; // a ring is not shifted
  assign local_write_o.address = word_address & LocalMask[31:3];
  assign local_write_o.data    = word_data;
  assign local_write_o.strobe  = word_strobe;

  // Decoded into a register, so that the blocks have the whole cycle.
  logic [16:3] register_address, register_address_q;
  logic        slot_hit, register_read_q, register_write_q;
  logic        slot_read_q, slot_write_q;
  logic [3:0]  slot, slot_q;
  logic [63:0] register_data_q;
  logic [7:0]  register_strobe_q;
  assign register_address = register_write ? word_address[16:3] : read_address[16:3];
  rf_slot_decode #(.Slots(Slots)) u_slot_decode (
    .address_i(register_address[16:8]), .hit_o(slot_hit), .slot_o(slot)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      register_read_q  <= 1'b0;
      register_write_q <= 1'b0;
      slot_read_q      <= 1'b0;
      slot_write_q     <= 1'b0;
    end else begin
      register_read_q  <= register_read && !register_write;
      register_write_q <= register_write;
      slot_read_q      <= register_read && !register_write && slot_hit;
      slot_write_q     <= register_write && slot_hit;
    end
  end
  always_ff @(posedge clk_i) begin
    slot_q             <= slot;
    register_address_q <= register_address;
    register_data_q    <= word_data;
    register_strobe_q  <= register_write ? word_strobe : read_strobe;
  end
  assign register_o.valid   = register_read_q || register_write_q;
  assign register_o.write   = register_write_q;
  assign register_o.address = register_address_q;
  assign register_o.data    = register_data_q;
  assign register_o.strobe  = register_strobe_q;
  assign slot_access_o.read  = slot_read_q;
  assign slot_access_o.write = slot_write_q;
  assign slot_access_o.slot  = slot_q;

  // --- received requests ---------------------------------------------------------------
  logic         response_tlp_valid, response_tlp_ready, response_tlp_last;
  logic [127:0] response_tlp_header;
  logic [63:0]  response_tlp_data;
  logic [1:0]   response_tlp_strb;

  rf_pcie_completer u_completer (
    .clk_i(host_clk), .rst_ni,
    .function_id_i           (function_id),
    .hold_i                  (hold),
    .request_valid_i         (request_valid),
    .request_ready_o         (request_ready),
    .request_i               (request),
    .config_valid_o          (config_valid),
    .config_data_i           (config_data),
    .register_valid_o        (register_read),
    .register_ready_i        (!register_write),
    .register_data_i         (register_data_i),
    .local_read_valid_o      (local_read_valid_o),
    .local_read_ready_i      (local_read_ready_i),
    .local_read_data_valid_i (local_response_i.valid),
    .local_read_data_i       (local_response_i.data),
    .msix_valid_o            (msix_read),
    .msix_ready_i            (!msix_write_q),
    .msix_data_i             (msix_data),
    .address_o               (read_address),
    .strobe_o                (read_strobe),
    .completion_valid_o      (response_tlp_valid),
    .completion_ready_i      (response_tlp_ready),
    .completion_header_o     (response_tlp_header),
    .completion_data_o       (response_tlp_data),
    .completion_strb_o       (response_tlp_strb),
    .completion_last_o       (response_tlp_last),
    .idle_o                  (completer_idle)
  );

  assign local_read_address_o = read_address & LocalMask[31:3];

  // --- interrupts ------------------------------------------------------------------------
  logic        message_valid, message_ready, message_four_dw;
  logic [63:2] message_address;
  logic [31:0] message_data;

  // Off the path from the receive queue; no read is as fast as this register.
  logic [11:3] msix_address_q;
  logic [63:0] msix_data_q;
  logic [7:0]  msix_strobe_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) msix_write_q <= 1'b0;
    else msix_write_q <= msix_write;
  end
  always_ff @(posedge clk_i) begin
    msix_address_q <= word_address[11:3];
    msix_data_q    <= word_data;
    msix_strobe_q  <= word_strobe;
  end

  rf_msix u_msix (
    .clk_i(host_clk), .rst_ni,
    .reset_i           (function_reset),
    .enable_i          (msix_enable),
    .function_mask_i   (msix_mask || error_hold),
    .bus_master_i      (bus_master),
    .write_i           (msix_write_q),
    .write_address_i   (msix_address_q),
    .write_data_i      (msix_data_q),
    .write_strobe_i    (msix_strobe_q),
    .read_i            (msix_read && !msix_write_q),
    .read_address_i    (read_address[11:3]),
    .read_data_o       (msix_data),
    .request_valid_i   (msix_valid_i),
    .request_ready_o   (msix_ready_o),
    .request_vector_i  (msix_vector_i),
    .test_valid_i      (controls_i.msix_test),
    .test_i            (controls_i.msix_vectors),
    .message_valid_o   (message_valid),
    .message_ready_i   (message_ready),
    .message_address_o (message_address),
    .message_four_dw_o (message_four_dw),
    .message_data_o    (message_data),
    .idle_o            (msix_idle)
  );

  // --- requests of our own -----------------------------------------------------------------
  logic         read_tlp_valid, read_tlp_ready;
  logic [127:0] read_tlp_header;

  rf_pcie_requester #(.Tags(Tags)) u_requester (
    .clk_i, .rst_ni,
    .reset_i                    (function_reset),
    .function_id_i              (function_id),
    .bus_master_i               (bus_master),
    .completion_timeout_i       (controls_i.completion_timeout),
    .timeout_disable_i          (timeout_disable),
    .read_valid_i, .read_ready_o, .read_i, .response_valid_o, .response_o,
    .header_valid_o             (read_tlp_valid),
    .header_ready_i             (read_tlp_ready),
    .header_o                   (read_tlp_header),
    .completion_valid_i         (completion_valid),
    .completion_ready_o         (completion_ready),
    .completion_i               (completion),
    .payload_i                  (payload),
    .payload_ready_o            (completion_payload_ready),
    .event_unexpected_o         (unexpected),
    .event_timeout_o            (completion_expired),
    .event_unsupported_o        (response_unsupported),
    .event_abort_o              (response_abort),
    .event_poisoned_o           (response_poisoned),
    .idle_o                     (requester_idle)
  );

  rf_pcie_transmit u_transmit (
    .clk_i, .rst_ni,
    .function_id_i            (function_id),
    .bus_master_i             (bus_master),
    .hold_i                   (hold),
    .write_valid_i, .write_ready_o, .write_i,
    .write_accepted_o         (write_accepted_o.valid),
    .write_accepted_last_o    (write_accepted_o.last),
    .write_accepted_status_o  (write_accepted_o.status),
    .completion_valid_i       (response_tlp_valid),
    .completion_ready_o       (response_tlp_ready),
    .completion_header_i      (response_tlp_header),
    .completion_data_i        (response_tlp_data),
    .completion_strb_i        (response_tlp_strb),
    .completion_last_i        (response_tlp_last),
    .message_valid_i          (message_valid || error_valid),
    .message_error_i          (error_valid),
    .message_code_i           (error_code),
    .message_ready_o          (message_ready),
    .message_address_i        (message_address),
    .message_four_dw_i        (message_four_dw),
    .message_data_i           (message_data),
    .read_valid_i             (read_tlp_valid),
    .read_ready_o             (read_tlp_ready),
    .read_header_i            (read_tlp_header),
    .tx_tlp_data_o            (tx_tlp_o.data),
    .tx_tlp_strb_o            (tx_tlp_o.strb),
    .tx_tlp_hdr_o             (tx_tlp_o.header),
    .tx_tlp_valid_o,
    .tx_tlp_sop_o             (tx_tlp_o.sop),
    .tx_tlp_eop_o             (tx_tlp_o.eop),
    .tx_tlp_ready_i,
    .tx_read_tlp_hdr_o, .tx_read_tlp_valid_o, .tx_read_tlp_ready_i,
    .events_o                 (sent),
    .posted_idle_o            (posted_idle),
    .idle_o                   (transmit_idle)
  );

  assign events_o.sent_write             = sent.write;
  assign events_o.sent_write_dwords      = sent.write_dwords;
  assign events_o.sent_read              = sent.read;
  assign events_o.sent_read_dwords       = sent.read_dwords;
  assign events_o.sent_completion        = sent.completion;
  assign events_o.sent_completion_dwords = sent.completion_dwords;
  assign events_o.sent_message           = sent.message;
  assign events_o.malformed              = malformed;
  assign events_o.unsupported            = unsupported;
  assign events_o.unexpected             = unexpected;
  assign events_o.timeout                = completion_expired;

  assign idle_o = receive_idle && completer_idle && requester_idle && transmit_idle &&
                  msix_idle && !msix_write_q && !register_o.valid && !hold && errors_idle;

`ifndef SYNTHESIS
`ifndef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni) one_message_at_a_time: assert (!message_valid || !error_valid);
  end
  // What the link offers stays until it is taken; of the data the words that strb marks.
  rf_offer_check #(.Width($bits(rx_tlp_i))) received_beat_stays (
    .clk_i, .rst_ni, .valid_i(rx_tlp_valid_i), .ready_i(rx_tlp_ready_o),
    .data_i({rx_tlp_i.data & {{32{rx_tlp_i.strb[1]}}, {32{rx_tlp_i.strb[0]}}}, rx_tlp_i.strb,
             rx_tlp_i.header, rx_tlp_i.error, rx_tlp_i.sop, rx_tlp_i.eop})
  );
`endif
`endif

endmodule

`default_nettype wire
