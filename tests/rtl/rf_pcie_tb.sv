// SPDX-License-Identifier: Apache-2.0
//
// rf_pcie with a port for each member of its structs.

`default_nettype none

module rf_pcie_tb #(
  parameter int unsigned LocalMemoryLog2 = 16,
  parameter int unsigned Tags = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [63:0]  rx_tlp_data_i,
  input  wire logic [1:0]   rx_tlp_strb_i,
  input  wire logic [127:0] rx_tlp_hdr_i,
  input  wire logic         rx_tlp_error_i,
  input  wire logic         rx_tlp_valid_i,
  input  wire logic         rx_tlp_sop_i,
  input  wire logic         rx_tlp_eop_i,
  output logic              rx_tlp_ready_o,

  output logic [63:0]       tx_tlp_data_o,
  output logic [1:0]        tx_tlp_strb_o,
  output logic [127:0]      tx_tlp_hdr_o,
  output logic              tx_tlp_valid_o,
  output logic              tx_tlp_sop_o,
  output logic              tx_tlp_eop_o,
  input  wire logic         tx_tlp_ready_i,

  output logic [127:0]      tx_read_tlp_hdr_o,
  output logic              tx_read_tlp_valid_o,
  input  wire logic         tx_read_tlp_ready_i,

  output             rf_bus_pkg::register_request_t register_o,
  output logic              slot_read_o,     // it is an access to a register
  output logic              slot_write_o,
  output logic [3:0]        slot_o,          // of this slot
  input  wire logic [63:0]  register_data_i,

  output logic              doorbell_valid_o,
  output logic              doorbell_shown_o,
  output logic [3:0]        doorbell_page_o,
  output logic [63:0]       doorbell_data_o,
  output logic              doorbell_good_o,

  output logic              local_write_valid_o,
  input  wire logic         local_write_ready_i,
  output logic [31:3]       local_write_address_o,
  output logic [63:0]       local_write_data_o,
  output logic [7:0]        local_write_strobe_o,
  output logic              local_read_valid_o,
  input  wire logic         local_read_ready_i,
  output logic [31:3]       local_read_address_o,
  input  wire logic         local_read_data_valid_i,
  input  wire logic [63:0]  local_read_data_i,

  input  wire logic         read_valid_i,
  output logic              read_ready_o,
  input  wire        rf_bus_pkg::system_read_t read_i,
  output logic              response_valid_o,
  output             rf_bus_pkg::read_response_t response_o,

  input  wire logic         write_valid_i,
  output logic              write_ready_o,
  input  wire        rf_bus_pkg::system_write_t write_i,
  output logic              write_accepted_o,
  output logic              write_accepted_last_o,
  output logic [2:0]        write_accepted_status_o,

  input  wire logic         msix_valid_i,
  output logic              msix_ready_o,
  input  wire logic [3:0]   msix_vector_i,
  input  wire logic         msix_test_valid_i,
  input  wire logic [15:0]  msix_test_i,
  input  wire logic [3:0]   link_speed_i,
  input  wire logic [5:0]   link_width_i,
  input  wire logic         link_slot_clock_i,
  input  wire logic         link_error_correctable_i,
  input  wire logic         link_error_fatal_i,

  output logic [6:0]        max_payload_words_o,
  output logic [6:0]        max_read_words_o,
  output logic              function_reset_o,
  output logic              bus_master_o,
  output logic              d3hot_o,
  output logic              extended_synch_o,
  input  wire logic [31:0]  completion_timeout_i,
  output logic              idle_o,

  // one pulse per TLP; DWs of its payload, or asked for, with the pulse
  output logic              event_tx_write_o,
  output logic [6:0]        event_tx_write_dwords_o,
  output logic              event_tx_read_o,
  output logic [7:0]        event_tx_read_dwords_o,
  output logic              event_tx_completion_o,
  output logic [6:0]        event_tx_completion_dwords_o,
  output logic              event_tx_msix_o,
  output logic              event_rx_write_o,
  output logic [6:0]        event_rx_write_dwords_o,
  output logic              event_rx_read_o,
  output logic              event_rx_completion_o,
  output logic [6:0]        event_rx_completion_dwords_o,
  output logic              event_rx_malformed_o,
  output logic              event_rx_unsupported_o,
  output logic              event_rx_unexpected_o,
  output logic              event_completion_timeout_o
);

  rf_bus_pkg::received_beat_t  received;
  rf_bus_pkg::sent_beat_t      sent;
  rf_bus_pkg::slot_access_t    slot_access;
  rf_bus_pkg::doorbell_t       doorbell;
  rf_bus_pkg::local_write_t    local_write;
  rf_bus_pkg::local_response_t local_response;
  rf_bus_pkg::write_accepted_t write_accepted;
  rf_bus_pkg::pcie_controls_t  controls;
  rf_bus_pkg::link_status_t    link_status;
  rf_bus_pkg::pcie_settings_t  settings;
  rf_bus_pkg::pcie_events_t    events;

  assign received = {rx_tlp_data_i, rx_tlp_strb_i, rx_tlp_hdr_i, rx_tlp_error_i, rx_tlp_sop_i,
                     rx_tlp_eop_i};
  assign {tx_tlp_data_o, tx_tlp_strb_o, tx_tlp_hdr_o, tx_tlp_sop_o, tx_tlp_eop_o} = sent;
  assign {slot_read_o, slot_write_o, slot_o} = slot_access;
  assign {doorbell_shown_o, doorbell_good_o, doorbell_page_o, doorbell_data_o} = doorbell;
  assign {local_write_address_o, local_write_data_o, local_write_strobe_o} = local_write;
  assign local_response = {local_read_data_valid_i, local_read_data_i};
  assign {write_accepted_o, write_accepted_last_o, write_accepted_status_o} = write_accepted;
  assign controls = {completion_timeout_i, msix_test_valid_i, msix_test_i};
  assign link_status = {link_speed_i, link_width_i, link_slot_clock_i, link_error_correctable_i,
                        link_error_fatal_i};
  assign {function_reset_o, d3hot_o, extended_synch_o, bus_master_o, max_payload_words_o,
          max_read_words_o} = settings;
  assign {event_tx_write_o, event_tx_write_dwords_o, event_tx_read_o, event_tx_read_dwords_o,
          event_tx_completion_o, event_tx_completion_dwords_o, event_tx_msix_o,
          event_rx_write_o, event_rx_write_dwords_o, event_rx_read_o, event_rx_completion_o,
          event_rx_completion_dwords_o, event_rx_malformed_o, event_rx_unsupported_o,
          event_rx_unexpected_o, event_completion_timeout_o} = events;

  rf_pcie #(.LocalMemoryLog2(LocalMemoryLog2), .Tags(Tags)) u_pcie (
    .clk_i, .rst_ni,
    .rx_tlp_valid_i, .rx_tlp_ready_o, .rx_tlp_i(received),
    .tx_tlp_valid_o, .tx_tlp_ready_i, .tx_tlp_o(sent),
    .tx_read_tlp_hdr_o, .tx_read_tlp_valid_o, .tx_read_tlp_ready_i,
    .register_o, .slot_access_o(slot_access), .register_data_i,
    .doorbell_valid_o, .doorbell_o(doorbell),
    .local_write_valid_o, .local_write_ready_i, .local_write_o(local_write),
    .local_read_valid_o, .local_read_ready_i, .local_read_address_o,
    .local_response_i(local_response),
    .read_valid_i, .read_ready_o, .read_i, .response_valid_o, .response_o,
    .write_valid_i, .write_ready_o, .write_i, .write_accepted_o(write_accepted),
    .msix_valid_i, .msix_ready_o, .msix_vector_i, .controls_i(controls),
    .link_status_i(link_status), .settings_o(settings), .events_o(events), .idle_o
  );

endmodule

`default_nettype wire
