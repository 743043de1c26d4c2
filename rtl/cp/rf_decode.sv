// SPDX-License-Identifier: Apache-2.0
//
// Splits the words of command buffers into packets and checks each (ringfence.toml, packets).
// Shows in order: the begin of a buffer, its packets, its end; or the error that stops the queue.
//
// Shows only packets with a known opcode that is legal on this node, a length that fits the packet
// and its buffer, legal flags and argument, and aligned addresses. An error stays until start_i.
// ready_i affects only the next state. Operands are in a memory of two banks: those of the
// previous packet stay while the next one arrives. One word per cycle; the header of the next
// packet is accepted while a packet is shown, so packets of n words leave every n cycles (n > 1).

`default_nettype none

module rf_decode #(
  parameter int unsigned Node = 0,
  parameter bit          Engine = 1'b1 // without: what is for the node's engine is unknown
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        start_i,
  input  wire logic        resume_i,       // inside a buffer,
  input  wire logic        more_i,         // of which something is left

  input  wire logic        buffer_valid_i,
  output logic             buffer_ready_o, // it is taken before begin_o shows it
  input  wire logic        buffer_failed_i, // it is none: why
  input  wire logic        buffer_more_i,   // it has words
  input  wire logic [7:0]  buffer_error_i,
  input  wire logic [1:0]  buffer_level_i,

  input  wire logic        word_valid_i,
  output logic             word_ready_o,
  input  wire logic [63:0] word_i,
  input  wire logic [1:0]  word_used_i,    // its upper, lower half is not 0
  input  wire logic [4:0]  word_left_i,    // words behind it in its buffer, 16 or above: many
  input  wire logic        word_failed_i,
  input  wire logic [7:0]  word_error_i,
  input  wire logic [1:0]  word_level_i,

  output logic             waiting_o,      // for a buffer
  output logic             begin_o,
  output logic             packet_o,
  output logic             end_o,
  output logic             error_o,
  input  wire logic        ready_i,        // what is shown is done

  output      rf_bus_pkg::decoded_packet_t decoded_o, // the packet shown
  output logic             bank_o,         // where its operands are
  input  wire logic        operand_bank_i,
  input  wire logic [2:0]  operand_i,      // 1 .. 4
  output logic [63:0]      operand_o,

  output      rf_bus_pkg::packet_error_t packet_error_o // the error shown
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end

  // Buffer: waits for one. Begin: it is shown. Header, Operands: words of a packet are taken.
  // Ready: the packet is shown, and the next header is taken. End, Error: shown.
  // Ready has a bit of its own: it stands in front of every packet.
  typedef enum logic [3:0] {
    Buffer = 4'd0, Begin = 4'd1, Header = 4'd2, Operands = 4'd3, End = 4'd4, Error = 4'd5,
    Ready = 4'd8
  } state_e;
  state_e state_q, state_d;

  logic [4:0]  left_q;     // words behind the last one taken, 16 or above: many
  logic        more_q;     // the buffer has words that are not yet taken
  logic [3:0]  count_q;    // words of the packet taken
  logic [63:0] header_q;   // in Ready the one of the next packet,
  logic        ahead_q;    // if this is set
  logic [3:0]  rest_q;     // words of the packet still to come
  logic        checked_q, header_bad_q;
  logic        misaligned_q; // an operand of the packet
  logic        excess_q;     // one that its engine could not take
  logic        bad;          // any of these, as far as is known
  logic [7:0]  header_cause_q;
  logic        access_q;   // the error is that of an access

  // --- what the opcode allows ---------------------------------------------------------
  logic [7:0]  opcode, words;
  logic [15:0] lengths, lengths_log;   // legal, one bit each; with FLAGS.log
  logic [15:0] flags, flags_legal;
  logic [31:0] argument, argument_legal;
  logic        known;
  logic [4:1]  align8, align4;   // operands to be aligned

  assign opcode   = header_q[rf_pkg::PacketHeaderOpcodeLsb +: 8];
  assign words    = header_q[rf_pkg::PacketHeaderWordsLsb +: 8];
  assign flags    = header_q[rf_pkg::PacketHeaderFlagsLsb +: 16];
  assign argument = header_q[rf_pkg::PacketHeaderArgumentLsb +: 32];

  // As a table: comparisons would be carry chains in front of every packet.
  function automatic logic [15:0] from_to(input logic [7:0] first, input logic [7:0] last);
    from_to = (16'hffff << first) & ~(16'hfffe << last);
  endfunction
  if (rf_pkg::PacketWordsMax > 15) begin : gen_check
    $error("lengths of packets fit four bits");
  end

  always_comb begin
    known          = 1'b1;
    lengths        = '0;
    lengths_log    = '0;
    flags_legal    = '0;
    argument_legal = '0;
    align8         = '0;
    align4         = '0;
    unique case (opcode)
      rf_pkg::OpcodeNop: begin
        lengths        = from_to(rf_pkg::PacketNopWordsMin, rf_pkg::PacketNopWordsMax);
        flags_legal    = rf_pkg::PacketNopFlags;
        argument_legal = rf_pkg::PacketNopArgumentMask;
      end
      rf_pkg::OpcodeSignal: begin
        lengths        = from_to(rf_pkg::PacketSignalWordsMin, rf_pkg::PacketSignalWordsMin);
        lengths_log    = from_to(rf_pkg::PacketSignalWordsMax, rf_pkg::PacketSignalWordsMax);
        flags_legal    = rf_pkg::PacketSignalFlags;
        argument_legal = rf_pkg::PacketSignalArgumentMask;
        align8         = 4'b0101;
      end
      rf_pkg::OpcodeWait: begin
        lengths        = from_to(rf_pkg::PacketWaitWordsMin, rf_pkg::PacketWaitWordsMin);
        lengths_log    = from_to(rf_pkg::PacketWaitWordsMax, rf_pkg::PacketWaitWordsMax);
        flags_legal    = rf_pkg::PacketWaitFlags;
        argument_legal = rf_pkg::PacketWaitArgumentMask;
        align8         = 4'b0001;
      end
      rf_pkg::OpcodeWrite: begin
        lengths        = from_to(rf_pkg::PacketWriteWordsMin, rf_pkg::PacketWriteWordsMax);
        flags_legal    = rf_pkg::PacketWriteFlags;
        argument_legal = rf_pkg::PacketWriteArgumentMask;
        align8         = 4'b0001;
      end
      rf_pkg::OpcodeTimestamp: begin
        lengths        = from_to(rf_pkg::PacketTimestampWordsMin, rf_pkg::PacketTimestampWordsMax);
        flags_legal    = rf_pkg::PacketTimestampFlags;
        argument_legal = rf_pkg::PacketTimestampArgumentMask;
        align8         = 4'b0001;
      end
      rf_pkg::OpcodeProgress: begin
        lengths        = from_to(rf_pkg::PacketProgressWordsMin, rf_pkg::PacketProgressWordsMax);
        flags_legal    = rf_pkg::PacketProgressFlags;
        argument_legal = rf_pkg::PacketProgressArgumentMask;
      end
      rf_pkg::OpcodeBarrier: begin
        lengths        = from_to(rf_pkg::PacketBarrierWordsMin, rf_pkg::PacketBarrierWordsMax);
        flags_legal    = rf_pkg::PacketBarrierFlags;
        argument_legal = rf_pkg::PacketBarrierArgumentMask;
      end
      rf_pkg::OpcodeSoftwareSignal: begin
        lengths        = from_to(rf_pkg::PacketSoftwareSignalWordsMin,
                                 rf_pkg::PacketSoftwareSignalWordsMax);
        flags_legal    = rf_pkg::PacketSoftwareSignalFlags;
        argument_legal = rf_pkg::PacketSoftwareSignalArgumentMask;
      end
      rf_pkg::OpcodeTrap: begin
        lengths        = from_to(rf_pkg::PacketTrapWordsMin, rf_pkg::PacketTrapWordsMax);
        flags_legal    = rf_pkg::PacketTrapFlags;
        argument_legal = rf_pkg::PacketTrapArgumentMask;
      end
      rf_pkg::OpcodeCopy: begin
        known          = Engine && Node[7:0] == rf_pkg::NodeCopy;
        lengths        = from_to(rf_pkg::PacketCopyWordsMin, rf_pkg::PacketCopyWordsMax);
        flags_legal    = rf_pkg::PacketCopyFlags;
        argument_legal = rf_pkg::PacketCopyArgumentMask;
      end
      rf_pkg::OpcodeFill: begin
        known          = Engine && Node[7:0] == rf_pkg::NodeCopy;
        lengths        = from_to(rf_pkg::PacketFillWordsMin, rf_pkg::PacketFillWordsMax);
        flags_legal    = rf_pkg::PacketFillFlags;
        argument_legal = rf_pkg::PacketFillArgumentMask;
      end
      rf_pkg::OpcodeVector: begin
        known          = Engine && Node[7:0] == rf_pkg::NodeCompute;
        lengths        = from_to(rf_pkg::PacketVectorWordsMin, rf_pkg::PacketVectorWordsMax);
        flags_legal    = rf_pkg::PacketVectorFlags;
        argument_legal = rf_pkg::PacketVectorArgumentMask;
        align4[2:1]    = 2'b11;
        align4[4] = argument[7:0] != rf_pkg::VectorOperationAxpb &&
                    argument[7:0] != rf_pkg::VectorOperationSum;
        align8[1] = argument[7:0] == rf_pkg::VectorOperationSum;
      end
      default: known = 1'b0;
    endcase
  end

  // --- the header's own check, in the cycle after it was taken --------------------------
  // rest_q is the length less the header word, and left_q still what is behind the header:
  // a length that rest_q does not hold is too great anyway.
  logic        length_bad, flags_bad, header_bad;
  logic [15:0] length_legal;
  logic [7:0]  header_cause;
  assign length_legal = flags[0] && lengths_log != '0 ? lengths_log : lengths;
  assign length_bad = words[7:4] != '0 || (length_legal & (16'd1 << words[3:0])) == '0 ||
                      (!left_q[4] && rest_q > left_q[3:0]);
  assign flags_bad  = (flags & ~flags_legal) != '0 || (argument & ~argument_legal) != '0;
  assign header_bad = !known || length_bad || flags_bad;

  always_comb begin
    if (!known) header_cause = rf_pkg::QueueErrorOpcode;
    else if (length_bad) header_cause = rf_pkg::QueueErrorLength;
    else header_cause = rf_pkg::QueueErrorFlags;
  end

  // --- operands that engines could not take: of the word on offer ------------------------
  logic excess, excess_length, excess_last, engine_packet;
  assign engine_packet = opcode == rf_pkg::OpcodeCopy || opcode == rf_pkg::OpcodeFill ||
                         opcode == rf_pkg::OpcodeVector;
  always_comb begin
    excess_length = 1'b0; // 4 GiB or more, 2^30 elements
    excess_last   = 1'b0;
    unique case (opcode)
      rf_pkg::OpcodeCopy:   excess_length = count_q == 4'd3;
      rf_pkg::OpcodeFill:   excess_length = count_q == 4'd2;
      rf_pkg::OpcodeVector: begin
        excess_length = count_q == 4'd3;
        excess_last   = count_q == 4'd4 && argument[7:0] == rf_pkg::VectorOperationSum;
      end
      default:              excess_last = 1'b0;
    endcase
  end
  assign excess = (excess_length && word_used_i[1]) ||
                  (excess_length && opcode == rf_pkg::OpcodeVector && word_i[31:30] != '0) ||
                  (excess_last && word_used_i != '0) ||
                  (opcode == rf_pkg::OpcodeVector && argument[7:0] > rf_pkg::VectorOperationSum);

  // The word comes late out of a memory.
  logic must_align8, must_align4, misaligned; // of the word on offer
  always_comb begin
    must_align8 = 1'b0;
    must_align4 = 1'b0;
    for (int unsigned i = 1; i <= 4; i++) begin
      must_align8 = must_align8 || (count_q == i[3:0] && align8[i]);
      must_align4 = must_align4 || (count_q == i[3:0] && align4[i]);
    end
  end
  assign misaligned = (must_align8 && word_i[2:0] != '0) || (must_align4 && word_i[1:0] != '0);

  // --- control ------------------------------------------------------------------------------
  logic take, header_take, operand_take, last_word, leave;
  assign take         = word_valid_i && word_ready_o && !word_failed_i;
  assign header_take  = take && state_q != Operands;
  assign operand_take = take && state_q == Operands;
  assign last_word    = rest_q == 4'd0 || (rest_q == 4'd1 && operand_take);
  assign leave        = packet_o && ready_i;

  assign waiting_o = state_q == Buffer && !buffer_valid_i;
  assign begin_o   = state_q == Begin;
  assign bad       = header_bad_q || (!checked_q && header_bad) || misaligned_q || excess_q ||
                     (operand_take && (misaligned || excess));
  assign end_o     = state_q == End;
  assign error_o   = state_q == Error;

  // Whether a word is taken does not wait for what is done with the packet shown.
  assign buffer_ready_o = state_q == Buffer;
  assign word_ready_o   = (state_q == Header && more_q) ||
                          (state_q == Operands && rest_q != '0) ||
                          (state_q[3] && more_q && !ahead_q && !word_failed_i);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Buffer: begin
        if (buffer_valid_i) begin
          state_d = buffer_failed_i ? Error : Begin;
        end
      end
      Begin:  if (ready_i) state_d = Header;
      Header: begin
        if (!more_q) state_d = End;
        else if (word_valid_i) state_d = word_failed_i ? Error : Operands;
      end
      Operands: begin
        if (header_bad_q) state_d = Error;
        else if (checked_q && word_valid_i && rest_q != '0 && word_failed_i) state_d = Error;
        else if (last_word) state_d = Ready;
      end
      Ready: begin
        if (!packet_o) state_d = Error;
        else if (ready_i) state_d = (ahead_q || take) ? Operands : more_q ? Header : End;
      end
      End:     if (ready_i) state_d = Buffer;
      default: state_d = state_q; // Error
    endcase
    if (start_i) state_d = resume_i ? Header : Buffer;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= Buffer;
      packet_o <= 1'b0;
    end else begin
      state_q  <= state_d;
      packet_o <= state_d[3] && (state_q[3] || !bad); // a bad one is in Ready for a cycle
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) left_q <= word_left_i;
    if (start_i) more_q <= more_i;
    else if (buffer_ready_o) more_q <= buffer_more_i;
    else if (take) more_q <= word_left_i != '0;

    checked_q <= state_q == Operands;
    if (start_i) header_bad_q <= 1'b0;
    else if (state_q == Operands && !checked_q) header_bad_q <= header_bad;
    if (!checked_q) header_cause_q <= header_cause;
    ahead_q   <= state_q[3] && (ahead_q || take) && !leave && !start_i;
    if (header_take) begin
      header_q     <= word_i;
      count_q      <= 4'd1;
      rest_q       <= word_i[rf_pkg::PacketHeaderWordsLsb +: 4] - 4'd1;
      misaligned_q <= 1'b0;
      excess_q     <= 1'b0;
    end else if (operand_take) begin
      count_q <= count_q + 4'd1;
      rest_q  <= rest_q - 4'd1;
      misaligned_q <= misaligned_q || misaligned;
      excess_q     <= excess_q || excess;
    end else if (state_q == Header) begin
      count_q <= '0;
    end
  end

  // Where units expect them: the value of PROGRESS in operand 2 like that of SIGNAL,
  // the log payload of WAIT in operand 4 like that of SIGNAL. A place follows the word on offer,
  // up to the cycle in which that is taken. The longest NOP fills its bank over and over.
  logic       bank_q;
  logic [2:0] place;
  assign bank_o = bank_q;
  always_comb begin
    place = count_q[2:0];
    if (opcode == rf_pkg::OpcodeProgress) place = 3'd2;
    if (opcode == rf_pkg::OpcodeWait && count_q == 4'd3) place = 3'd4;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) bank_q <= 1'b0;
    else if (leave) bank_q <= !bank_q;
  end

  rf_lutram #(.Width(64)) u_operands (
    .clk_i, .write_i(state_q == Operands), .write_address_i({bank_q, place}), .write_data_i(word_i),
    .read_address_i({operand_bank_i, operand_i}), .read_data_o(operand_o)
  );

  always_ff @(posedge clk_i) begin
    if (state_q == Operands) begin
      unique case (opcode)
        rf_pkg::OpcodeProgress:  decoded_o.fence_kind <= rf_bus_pkg::FenceProgress;
        rf_pkg::OpcodeWrite:     decoded_o.fence_kind <= rf_bus_pkg::FenceWrite;
        rf_pkg::OpcodeTimestamp: decoded_o.fence_kind <= rf_bus_pkg::FenceTimestamp;
        rf_pkg::OpcodeWait:      decoded_o.fence_kind <= rf_bus_pkg::FenceWaitLog;
        default:                 decoded_o.fence_kind <= rf_bus_pkg::FenceSignal;
      endcase
      decoded_o.is_nop     <= opcode == rf_pkg::OpcodeNop;
      decoded_o.is_wait    <= opcode == rf_pkg::OpcodeWait;
      decoded_o.is_barrier <= opcode == rf_pkg::OpcodeBarrier;
      decoded_o.is_fence   <= opcode == rf_pkg::OpcodeSignal ||
                              opcode == rf_pkg::OpcodeProgress ||
                              opcode == rf_pkg::OpcodeTimestamp || opcode == rf_pkg::OpcodeWrite;
      decoded_o.is_engine  <= engine_packet;
      decoded_o.is_record  <= opcode == rf_pkg::OpcodeTrap ||
                              opcode == rf_pkg::OpcodeSoftwareSignal;
      decoded_o.opcode     <= opcode;
      decoded_o.words      <= words[3:0];
      decoded_o.log        <= flags[0];
      decoded_o.argument   <= argument[15:0];
    end
  end

  // Why the next state is Error, if it is.
  logic [7:0] cause_q;
  logic [1:0] level_q;
  always_ff @(posedge clk_i) begin
    if (state_q != Error) begin
      level_q  <= '0;
      access_q <= 1'b0;
      unique case (state_q)
        Buffer: begin
          cause_q <= buffer_error_i;
          level_q <= buffer_level_i;
        end
        Header: begin
          access_q <= 1'b1;
          cause_q  <= word_error_i;
          level_q  <= word_level_i;
        end
        default: begin
          if (header_bad_q) begin
            cause_q <= header_cause_q;
          end else if (state_q == Operands) begin
            access_q <= 1'b1;
            cause_q  <= word_error_i;
            level_q  <= word_level_i;
          end else begin
            cause_q <= misaligned_q ? rf_pkg::QueueErrorAlignment : rf_pkg::QueueErrorOperand;
          end
        end
      endcase
    end
  end

  always_comb begin
    packet_error_o.cause = cause_q;
    packet_error_o.level = level_q;
    packet_error_o.words = access_q ? count_q : '0;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni && word_valid_i && !word_failed_i) begin
      used_tells: assert (word_used_i == {word_i[63:32] != '0, word_i[31:0] != '0});
    end
  end
`endif
`endif

endmodule

`default_nettype wire
