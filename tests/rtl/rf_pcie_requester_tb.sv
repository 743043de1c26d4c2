// SPDX-License-Identifier: Apache-2.0
//
// rf_pcie_requester with 8, 16 and 32 tags, each with its rf_pcie_transmit; choice_i says
// whose ports these are. The others see no request and no completion. A write is one word.

`default_nettype none

module rf_pcie_requester_tb (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [1:0]   choice_i,           // 8 << choice_i tags
  input  wire logic [15:0]  function_id_i,
  input  wire logic [31:0]  completion_timeout_i,
  input  wire logic         timeout_disable_i,
  input  wire logic         bus_master_i,
  input  wire logic         hold_i,
  input  wire logic         reset_i,

  input  wire logic         read_valid_i,
  output logic              read_ready_o,
  input  wire logic [54:3]  read_address_i,
  input  wire logic [6:0]   read_words_i,
  input  wire logic [3:0]   read_master_i,
  input  wire logic [4:0]   read_id_i,

  output logic              response_valid_o,
  output logic [3:0]        response_master_o,
  output logic [4:0]        response_id_o,
  output logic              response_last_o,
  output logic [2:0]        response_status_o,
  output logic [63:0]       response_data_o,

  input  wire logic         write_valid_i,
  output logic              write_ready_o,
  output logic              tx_valid_o,
  input  wire logic         tx_ready_i,
  output logic              tx_read_valid_o,
  input  wire logic         tx_read_ready_i,
  output logic [127:0]      tx_read_hdr_o,

  input  wire logic         completion_valid_i,
  output logic              completion_ready_o,
  input  wire logic [7:0]   completion_tag_i,
  input  wire logic [2:0]   completion_status_i,
  input  wire logic         completion_poisoned_i,
  input  wire logic [6:0]   completion_dwords_i,
  input  wire logic [11:0]  completion_byte_count_i,
  input  wire logic [6:0]   completion_lower_address_i,
  input  wire logic [63:0]  payload_i,
  output logic              payload_ready_o,

  output logic              unexpected_o,
  output logic              unsupported_o,
  output logic              abort_o,
  output logic              poisoned_o,
  output logic              timeout_o,
  output logic              idle_o
);

  localparam int unsigned Variants = 3;

  rf_bus_pkg::system_read_t read;

  assign read.address = read_address_i;
  assign read.words   = read_words_i;
  assign read.master  = read_master_i;
  assign read.id      = read_id_i;

  rf_bus_pkg::system_write_t write;

  always_comb begin
    write              = '0;
    write.address      = 52'h800;
    write.words        = 6'd1;
    write.first        = 1'b1;
    write.last         = 1'b1;
    write.first_strobe = 8'hff;
    write.last_strobe  = 8'hff;
    write.to_high      = 1'b1;
  end

  logic [Variants-1:0] read_ready, response_valid, completion_ready, payload_ready;
  logic [Variants-1:0] write_ready, tx_valid, tx_read_valid;
  logic [Variants-1:0] unexpected, timed_out, unsupported, aborted, poisoned;
  logic [Variants-1:0] idle, transmit_idle;
  logic [Variants*128-1:0] header;
  logic [Variants*rf_bus_pkg::ReadResponseWidth-1:0] response;

  for (genvar v = 0; v < Variants; v++) begin : gen_variant
    logic         header_valid, header_ready;
    logic [127:0] header_handed;

    rf_pcie_requester #(
      .Tags(8 << v)
    ) u_requester (
      .clk_i,
      .rst_ni,
      .reset_i,
      .function_id_i,
      .bus_master_i,
      .completion_timeout_i,
      .timeout_disable_i,
      .read_valid_i              (read_valid_i && choice_i == v),
      .read_ready_o              (read_ready[v]),
      .read_i                    (read),
      .response_valid_o          (response_valid[v]),
      .response_o                (response[v*rf_bus_pkg::ReadResponseWidth +:
                                         rf_bus_pkg::ReadResponseWidth]),
      .header_valid_o            (header_valid),
      .header_ready_i            (header_ready),
      .header_o                  (header_handed),
      .completion_valid_i        (completion_valid_i && choice_i == v),
      .completion_ready_o        (completion_ready[v]),
      .completion_i              ({1'b1, completion_tag_i, completion_status_i,
                                   completion_poisoned_i, completion_dwords_i,
                                   completion_byte_count_i, completion_lower_address_i}),
      .payload_i,
      .payload_ready_o           (payload_ready[v]),
      .event_unexpected_o        (unexpected[v]),
      .event_timeout_o           (timed_out[v]),
      .event_unsupported_o       (unsupported[v]),
      .event_abort_o             (aborted[v]),
      .event_poisoned_o          (poisoned[v]),
      .idle_o                    (idle[v])
    );

    /* verilator lint_off PINCONNECTEMPTY */ // the posted stream is only in the way
    rf_pcie_transmit u_transmit (
      .clk_i,
      .rst_ni,
      .function_id_i             (16'h0100),
      .bus_master_i,
      .hold_i,
      .write_valid_i             (write_valid_i && choice_i == v),
      .write_ready_o             (write_ready[v]),
      .write_i                   (write),
      .write_accepted_o          (),
      .write_accepted_last_o     (),
      .write_accepted_status_o   (),
      .completion_valid_i        (1'b0),
      .completion_ready_o        (),
      .completion_header_i       ('0),
      .completion_data_i         ('0),
      .completion_strb_i         ('0),
      .completion_last_i         (1'b0),
      .message_valid_i           (1'b0),
      .message_ready_o           (),
      .message_error_i           (1'b0),
      .message_code_i            ('0),
      .message_address_i         ('0),
      .message_four_dw_i         (1'b0),
      .message_data_i            ('0),
      .read_valid_i              (header_valid),
      .read_ready_o              (header_ready),
      .read_header_i             (header_handed),
      .tx_tlp_data_o             (),
      .tx_tlp_strb_o             (),
      .tx_tlp_hdr_o              (),
      .tx_tlp_valid_o            (tx_valid[v]),
      .tx_tlp_sop_o              (),
      .tx_tlp_eop_o              (),
      .tx_tlp_ready_i            (tx_ready_i),
      .tx_read_tlp_hdr_o         (header[v*128 +: 128]),
      .tx_read_tlp_valid_o       (tx_read_valid[v]),
      .tx_read_tlp_ready_i       (tx_read_ready_i),
      .events_o                  (),
      .posted_idle_o             (),
      .idle_o                    (transmit_idle[v])
    );
    /* verilator lint_on PINCONNECTEMPTY */
  end

  logic [1:0] unused_level;

  assign read_ready_o       = read_ready[choice_i];
  assign write_ready_o      = write_ready[choice_i];
  assign tx_valid_o         = tx_valid[choice_i];
  assign tx_read_valid_o    = tx_read_valid[choice_i];
  assign tx_read_hdr_o      = header[choice_i*128 +: 128];
  assign response_valid_o   = response_valid[choice_i];
  assign {response_master_o, response_id_o, response_last_o, response_status_o, unused_level,
          response_data_o}    = response[choice_i*rf_bus_pkg::ReadResponseWidth +:
                                     rf_bus_pkg::ReadResponseWidth];
  assign completion_ready_o = completion_ready[choice_i];
  assign payload_ready_o    = payload_ready[choice_i];
  assign unexpected_o       = unexpected[choice_i];
  assign unsupported_o      = unsupported[choice_i];
  assign abort_o            = aborted[choice_i];
  assign poisoned_o         = poisoned[choice_i];
  assign timeout_o          = timed_out[choice_i];
  assign idle_o             = idle[choice_i] && transmit_idle[choice_i];

endmodule

`default_nettype wire
