// SPDX-License-Identifier: Apache-2.0
//
// rf_pcie_requester with 8, 16 and 32 tags; choice_i says whose ports these are. The
// others see no request and no completion.

`default_nettype none

module rf_pcie_requester_tb (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [1:0]   choice_i,           // 8 << choice_i tags
  input  wire logic [31:0]  completion_timeout_i,

  input  wire logic         read_valid_i,
  output logic              read_ready_o,
  input  wire logic [54:3]  read_address_i,
  input  wire logic [6:0]   read_words_i,
  input  wire logic [3:0]   read_master_i,
  input  wire logic [4:0]   read_id_i,

  output logic              answer_valid_o,
  output logic [3:0]        answer_master_o,
  output logic [4:0]        answer_id_o,
  output logic              answer_last_o,
  output logic [2:0]        answer_status_o,
  output logic [63:0]       answer_data_o,

  output logic              header_valid_o,
  input  wire logic         header_ready_i,
  output logic [127:0]      header_o,

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
  output logic              timeout_o,
  output logic              idle_o
);

  localparam int unsigned Variants = 3;

  rf_bus_pkg::system_read_t read;

  assign read.address = read_address_i;
  assign read.words   = read_words_i;
  assign read.master  = read_master_i;
  assign read.id      = read_id_i;

  logic [Variants-1:0] read_ready, answer_valid, header_valid, completion_ready, payload_ready;
  logic [Variants-1:0] unexpected, timed_out, idle;
  logic [Variants*128-1:0] header;
  logic [Variants*rf_bus_pkg::ReadAnswerWidth-1:0] answer;

  for (genvar v = 0; v < Variants; v++) begin : gen_variant
    logic unused_unsupported, unused_abort, unused_poisoned;

    rf_pcie_requester #(
      .Tags(8 << v)
    ) u_requester (
      .clk_i,
      .rst_ni,
      .reset_i                   (1'b0),
      .function_id_i             (16'h0100),
      .bus_master_i              (1'b1),
      .completion_timeout_i,
      .timeout_disable_i         (1'b0),
      .read_valid_i              (read_valid_i && choice_i == v),
      .read_ready_o              (read_ready[v]),
      .read_i                    (read),
      .answer_valid_o            (answer_valid[v]),
      .answer_o                  (answer[v*rf_bus_pkg::ReadAnswerWidth +:
                                         rf_bus_pkg::ReadAnswerWidth]),
      .header_valid_o            (header_valid[v]),
      .header_ready_i,
      .header_o                  (header[v*128 +: 128]),
      .completion_valid_i        (completion_valid_i && choice_i == v),
      .completion_ours_i         (1'b1),
      .completion_ready_o        (completion_ready[v]),
      .completion_tag_i,
      .completion_status_i,
      .completion_poisoned_i,
      .completion_dwords_i,
      .completion_byte_count_i,
      .completion_lower_address_i,
      .payload_i,
      .payload_ready_o           (payload_ready[v]),
      .event_unexpected_o        (unexpected[v]),
      .event_timeout_o           (timed_out[v]),
      .event_unsupported_o       (unused_unsupported),
      .event_abort_o             (unused_abort),
      .event_poisoned_o          (unused_poisoned),
      .idle_o                    (idle[v])
    );
  end

  logic [1:0] unused_level;

  assign read_ready_o       = read_ready[choice_i];
  assign header_valid_o     = header_valid[choice_i];
  assign header_o           = header[choice_i*128 +: 128];
  assign answer_valid_o     = answer_valid[choice_i];
  assign {answer_master_o, answer_id_o, answer_last_o, answer_status_o, unused_level,
          answer_data_o}    = answer[choice_i*rf_bus_pkg::ReadAnswerWidth +:
                                     rf_bus_pkg::ReadAnswerWidth];
  assign completion_ready_o = completion_ready[choice_i];
  assign payload_ready_o    = payload_ready[choice_i];
  assign unexpected_o       = unexpected[choice_i];
  assign timeout_o          = timed_out[choice_i];
  assign idle_o             = idle[choice_i];

endmodule

`default_nettype wire
