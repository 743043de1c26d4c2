// SPDX-License-Identifier: Apache-2.0
//
// The leaf cells side by side, for tests/rtl/rf_lib_test.cpp.

`default_nettype none

module rf_lib_tb (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  // rf_fifo, rf_skid and rf_register_slice get the same input and go their own ways; rf_head_fifo
  // goes with rf_fifo.
  input  wire logic        fifo_valid_i,
  output logic             fifo_ready_o,
  input  wire logic        skid_valid_i,
  output logic             skid_ready_o,
  input  wire logic [31:0] data_i,
  output logic             fifo_valid_o,
  input  wire logic        fifo_ready_i,
  output logic [31:0]      fifo_data_o,
  output logic [2:0]       fifo_count_o,
  output logic             head_ready_o,
  output logic             head_valid_o,
  output logic [31:0]      head_data_o,
  output logic [2:0]       head_count_o,
  output logic             skid_valid_o,
  input  wire logic        skid_ready_i,
  output logic [31:0]      skid_data_o,
  input  wire logic        slice_valid_i,
  output logic             slice_ready_o,
  output logic             slice_valid_o,
  input  wire logic        slice_ready_i,
  output logic [31:0]      slice_data_o,

  input  wire logic [1:0]  merge_valid_i,
  output logic [1:0]       merge_ready_o,
  input  wire logic [63:0] merge_data_i,
  output logic             merge_valid_o,
  input  wire logic        merge_ready_i,
  output logic [31:0]      merge_data_o,

  input  wire logic [4:0]  request_i,
  input  wire logic        advance_i,
  output logic [4:0]       grant_o,
  output logic [2:0]       index_o,
  output logic [4:0]       lowest_o,
  output logic [2:0]       lowest_index_o,

  input  wire logic        choose_i,
  input  wire logic        take_i,
  output logic             choice_valid_o,
  output logic [4:0]       choice_o,

  input  wire logic        keep_i,
  input  wire logic [4:0]  hint_i,
  input  wire logic [4:0]  waiting_i,
  output logic [4:0]       select_o,
  output logic [2:0]       select_index_o,

  input  wire logic        write_i,
  input  wire logic [3:0]  write_address_i,
  input  wire logic [31:0] write_data_i,
  input  wire logic [3:0]  write_strobe_i,
  input  wire logic        read_i,
  input  wire logic [3:0]  read_address_i,
  output logic [31:0]      ram_data_o,
  output logic [31:0]      zero_data_o, // with ZeroWithoutRead
  output logic [31:0]      lutram_data_o
);

  rf_fifo #(
    .Width    (32),
    .DepthLog2(2)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(fifo_valid_i),
    .ready_o(fifo_ready_o),
    .data_i,
    .valid_o(fifo_valid_o),
    .ready_i(fifo_ready_i),
    .data_o (fifo_data_o),
    .count_o(fifo_count_o)
  );

  rf_head_fifo #(
    .Width    (32),
    .DepthLog2(2)
  ) u_head_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(fifo_valid_i),
    .ready_o(head_ready_o),
    .data_i,
    .valid_o(head_valid_o),
    .ready_i(fifo_ready_i),
    .data_o (head_data_o),
    .count_o(head_count_o)
  );

  rf_skid #(
    .Width(32)
  ) u_skid (
    .clk_i,
    .rst_ni,
    .valid_i(skid_valid_i),
    .ready_o(skid_ready_o),
    .data_i,
    .valid_o(skid_valid_o),
    .ready_i(skid_ready_i),
    .data_o (skid_data_o)
  );

  rf_register_slice #(
    .Width(32)
  ) u_slice (
    .clk_i,
    .rst_ni,
    .valid_i(slice_valid_i),
    .ready_o(slice_ready_o),
    .data_i,
    .valid_o(slice_valid_o),
    .ready_i(slice_ready_i),
    .data_o (slice_data_o)
  );

  rf_merge #(
    .Width(32)
  ) u_merge (
    .clk_i,
    .rst_ni,
    .valid_i(merge_valid_i),
    .ready_o(merge_ready_o),
    .data_i (merge_data_i),
    .valid_o(merge_valid_o),
    .ready_i(merge_ready_i),
    .data_o (merge_data_o)
  );

  rf_choice #(
    .Ports(5)
  ) u_choice (
    .clk_i,
    .rst_ni,
    .request_i,
    .choose_i,
    .valid_o(choice_valid_o),
    .grant_o(choice_o),
    .take_i
  );

  rf_round_robin #(
    .Ports(5)
  ) u_round_robin (
    .clk_i,
    .rst_ni,
    .request_i,
    .advance_i,
    .grant_o,
    .index_o
  );

  rf_lowest #(
    .Ports(5)
  ) u_lowest (
    .request_i,
    .grant_o(lowest_o),
    .index_o(lowest_index_o)
  );

  rf_select #(
    .Ports(5),
    .First(5'b00100)
  ) u_select (
    .clk_i,
    .rst_ni,
    .keep_i,
    .request_i,
    .hint_i,
    .waiting_i,
    .select_o,
    .index_o(select_index_o)
  );

  rf_ram #(
    .Width    (32),
    .DepthLog2(4)
  ) u_ram (
    .clk_i,
    .write_i,
    .write_address_i,
    .write_data_i,
    .write_strobe_i,
    .read_i,
    .read_address_i,
    .read_data_o(ram_data_o)
  );

  rf_ram #(
    .Width          (32),
    .DepthLog2      (4),
    .ZeroWithoutRead(1'b1)
  ) u_ram_zero (
    .clk_i,
    .write_i,
    .write_address_i,
    .write_data_i,
    .write_strobe_i,
    .read_i,
    .read_address_i,
    .read_data_o(zero_data_o)
  );

  rf_lutram #(
    .Width    (32),
    .DepthLog2(4)
  ) u_lutram (
    .clk_i,
    .write_i,
    .write_address_i,
    .write_data_i,
    .read_address_i,
    .read_data_o(lutram_data_o)
  );

endmodule

`default_nettype wire
