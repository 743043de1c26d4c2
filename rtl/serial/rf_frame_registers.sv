// SPDX-License-Identifier: Apache-2.0
//
// Registers of 32 bits behind a line with frames (rf_frame_receive, rf_frame_transmit). A host asks
// one thing after another: a request that comes before the last one's answer has gone is dropped,
// as is one with a wrong length or CRC.
//
//   read   40, address, address >> 8, words       answer  c0, address, address >> 8, the words
//   write  50, address, address >> 8, the word            d0, address, address >> 8, 0
//
// Words have their lowest byte first. read_valid_o is high for a cycle; the register's value has
// to be at read_data_i three cycles later. error_o: a frame was dropped. No request is a frame that
// rf_serial_link would take for a TLP or a reset.

`default_nettype none

module rf_frame_registers (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  // of rf_frame_receive
  input  wire logic        byte_valid_i,
  input  wire logic [7:0]  byte_i,
  input  wire logic        end_i,
  input  wire logic        good_i,

  // to rf_frame_transmit
  output logic             valid_o,
  output logic             last_o,
  output logic [7:0]       data_o,
  input  wire logic        ready_i,

  output logic             read_valid_o,
  output logic             write_valid_o,
  output logic [11:0]      address_o,     // the upper four bits of 16 are ignored
  output logic [31:0]      write_data_o,
  input  wire logic [31:0] read_data_i,
  output logic             error_o
);

  localparam logic [7:0] Read = 8'h40;
  localparam logic [7:0] Write = 8'h50;
  localparam int unsigned ReadBytes = 4 + 4;    // with the CRC
  localparam int unsigned WriteBytes = 7 + 4;

  typedef enum logic [1:0] {
    Idle,      // a request is received
    Fetch,     // a register is read
    Head,      // the first bytes of the answer are sent
    Words      // the bytes of one word are sent
  } state_e;

  state_e      state_q, state_d;
  logic [3:0]  length_q;       // bytes of the frame that have come, 15 at most
  logic        skip_q;         // it began before the last answer had gone
  logic [7:0]  command_q;
  logic [7:0]  words_q;        // to be read
  logic [1:0]  index_q;        // byte that is sent; cycles of Fetch
  logic        read_q, is_read, is_write, head_sent_q, begins;

  assign is_read  = command_q == Read && length_q == 4'(ReadBytes) && words_q != '0;
  assign is_write = command_q == Write && length_q == 4'(WriteBytes);
  assign begins   = state_q == Idle && end_i && good_i && !skip_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      length_q <= '0;
      skip_q   <= 1'b0;
    end else if (end_i) begin
      length_q <= '0;
      skip_q   <= 1'b0;
    end else if (byte_valid_i) begin
      length_q <= length_q + {3'd0, !(&length_q)};
      skip_q   <= skip_q || state_q != Idle;
    end
  end

  always_comb begin
    valid_o = state_q == Head || state_q == Words;
    last_o  = index_q == 2'd3 && (state_q == Head || words_q == 8'd1);
    if (state_q == Words) begin
      data_o = write_data_o[8*index_q +: 8];
    end else begin
      unique case (index_q)
        2'd0:    data_o = read_q ? 8'hc0 : 8'hd0;
        2'd1:    data_o = address_o[7:0];
        2'd2:    data_o = {4'd0, address_o[11:8]};
        default: data_o = '0;
      endcase
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: begin
        if (begins && is_read) state_d = Fetch;
        else if (begins && is_write) state_d = Head;
      end
      Fetch: if (index_q == 2'd3) state_d = head_sent_q ? Words : Head;
      Head:  if (ready_i && index_q == (read_q ? 2'd2 : 2'd3)) state_d = read_q ? Words : Idle;
      default: if (ready_i && index_q == 2'd3) state_d = words_q == 8'd1 ? Idle : Fetch;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= Idle;
      command_q     <= '0;
      words_q       <= '0;
      index_q       <= '0;
      read_q        <= 1'b0;
      head_sent_q   <= 1'b0;
      read_valid_o  <= 1'b0;
      write_valid_o <= 1'b0;
      address_o     <= '0;
      write_data_o  <= '0;
      error_o       <= 1'b0;
    end else begin
      state_q       <= state_d;
      read_valid_o  <= 1'b0;
      write_valid_o <= 1'b0;
      error_o       <= end_i && (state_q != Idle || skip_q || !good_i || !(is_read || is_write));
      unique case (state_q)
        Idle: begin
          index_q     <= '0;
          head_sent_q <= 1'b0;
          if (byte_valid_i && !skip_q) begin
            unique case (length_q)
              4'd0:    command_q <= byte_i;
              4'd1:    address_o[7:0] <= byte_i;
              4'd2:    address_o[11:8] <= byte_i[3:0];
              default: ;
            endcase
            // The fourth byte is the number of words, or the first of four.
            if (length_q == 4'd3) words_q <= byte_i;
            if (length_q >= 4'd3 && length_q <= 4'd6)
              write_data_o <= {byte_i, write_data_o[31:8]};
          end
          if (begins) begin
            read_q        <= is_read;
            read_valid_o  <= is_read;
            write_valid_o <= is_write;
          end
        end
        Fetch: begin
          index_q <= index_q + 2'd1;
          if (index_q == 2'd3) write_data_o <= read_data_i;
        end
        Head: if (ready_i) begin
          index_q <= index_q + 2'd1;
          if (index_q == (read_q ? 2'd2 : 2'd3)) begin
            index_q     <= '0;
            head_sent_q <= 1'b1;
          end
        end
        default: if (ready_i) begin
          index_q <= index_q + 2'd1;
          if (index_q == 2'd3) begin
            words_q      <= words_q - 8'd1;
            address_o    <= address_o + 12'd1;
            read_valid_o <= words_q != 8'd1;
          end
        end
      endcase
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(9)) byte_stays (
    .clk_i, .rst_ni, .valid_i(valid_o), .ready_i(ready_i), .data_i({last_o, data_o})
  );
`endif
`endif

endmodule

`default_nettype wire
