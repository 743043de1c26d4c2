// SPDX-License-Identifier: Apache-2.0
//
// The two transmit streams.
// Posted stream: device writes, completions and messages (MSI-X, errors), one whole TLP at a time,
// round robin, in the order of acceptance: none passes a write accepted before it.
// The grant is registered and parks on writes; a message is granted at once if there is no write.
// A write of several words that starts in the high DW is shifted by a DW and takes one cycle more.
// Read stream: a read is accepted when every message that began before its offer and every write
// that was on offer before it has been sent completely. Until then its offer may be withdrawn.
// Without an offer read_ready_o means that the previous read was sent. Reads never stall the
// posted stream.
// Promises: outputs come out of registers, behind one choice; one pulse of write_accepted_o per
// write beat, in order, one cycle after it was accepted. With bus mastering off a write takes the
// same path but is not sent.
// Latency: one cycle; two for a completion, and for a message that waits for the grant.

`default_nettype none

module rf_pcie_transmit (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [15:0]  function_id_i,
  input  wire logic         bus_master_i,
  input  wire logic         hold_i,          // a cycle later: start nothing but completions

  input  wire logic         write_valid_i,
  output logic              write_ready_o,
  input  wire        rf_bus_pkg::system_write_t write_i,
  output logic              write_accepted_o,
  output logic              write_accepted_last_o,
  output logic [2:0]        write_accepted_status_o,

  input  wire logic         completion_valid_i,
  output logic              completion_ready_o,
  input  wire logic [127:0] completion_header_i,
  input  wire logic [63:0]  completion_data_i,
  input  wire logic [1:0]   completion_strb_i,
  input  wire logic         completion_last_i,

  input  wire logic         message_valid_i, // may be withdrawn
  output logic              message_ready_o,
  input  wire logic         message_error_i, // ERR_COR, ERR_NONFATAL, ERR_FATAL; else MSI-X
  input  wire logic [1:0]   message_code_i,
  input  wire logic [63:2]  message_address_i,
  input  wire logic         message_four_dw_i,
  input  wire logic [31:0]  message_data_i,

  input  wire logic         read_valid_i,    // may be withdrawn
  output logic              read_ready_o,    // the read before has left, or leaves now
  input  wire logic [127:0] read_header_i,

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

  output             rf_bus_pkg::sent_events_t events_o,

  output logic              posted_idle_o,   // nothing is under way on the posted stream
  output logic              idle_o
);

  localparam int unsigned SourceWrite = 0, SourceCompletion = 1, SourceMessage = 2;

  // --- the turn --------------------------------------------------------------------
  logic       busy_q;           // in the middle of a TLP, of a write or completion
  logic       completion_q;     // its source
  logic       next_completion_q, next_message_q, next_completion, next_message; // or a write
  logic       write_turn, completion_turn, message_turn;
  logic       stage_ready, take_write, take_completion, take_message;
  logic       drain_q, drain_beat_q; // a shifted write ends, with the carry as its last beat
  logic       open, write_here, message_here, unused_turn;
  logic       hold_q;           // it comes from far
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= hold_i;
  end

  // A turn without a message is the writes'; a message that comes when nothing else is sent is
  // taken in theirs.
  assign completion_turn = busy_q ? completion_q : next_completion_q;
  assign message_turn    = !busy_q && next_message_q && message_here;
  assign write_turn      = !completion_turn && !message_turn;
  assign message_here    = message_valid_i && !hold_q;
  assign open       = write_turn && (busy_q || !hold_q);
  assign write_here = open && write_valid_i;
  assign unused_turn = open && !write_valid_i && !busy_q;

  assign write_ready_o      = stage_ready && open && !drain_q;
  assign completion_ready_o = stage_ready && completion_turn;
  assign message_ready_o    = stage_ready &&
                              ((next_message_q && !busy_q && !hold_q) || unused_turn);
  assign take_write      = write_valid_i && write_ready_o;
  assign take_completion = completion_valid_i && completion_ready_o;
  assign take_message    = message_valid_i && message_ready_o;

  // Behind a whole TLP the turn moves on, and from a source without one. Whether there is a
  // write is known late, so the next turn is chosen without it, and again as long as a TLP lasts.
  logic more, take, message_may;  // a message is taken unless a write comes
  assign message_may = message_here && !busy_q;
  assign take        = stage_ready && (completion_turn ? completion_valid_i :
                                       message_may || (write_here && !drain_q));

  assign next_completion = write_turn && completion_valid_i;
  assign next_message    = !next_completion && !message_turn && message_here;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {next_completion_q, next_message_q} <= '0;
    else if (busy_q || stage_ready) begin
      {next_completion_q, next_message_q} <= {next_completion, next_message};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!busy_q) completion_q <= completion_turn;
  end

  // --- a write as DWs ---------------------------------------------------------------
  logic       single, low, high, shift, dropped, dropped_q, start;
  logic [3:0] first_be, last_be;
  logic [7:0] last_strobe;
  logic [6:0] dwords;

  assign single      = write_i.words == 6'd1;
  assign low         = !write_i.shifted && !write_i.high_only;
  assign last_strobe = single ? write_i.first_strobe : write_i.last_strobe;
  assign high        = write_i.to_high;
  assign dwords      = {write_i.words - {5'd0, !(low && high)}, low ^ high};
  assign first_be    = low ? write_i.first_strobe[3:0] : write_i.first_strobe[7:4];
  assign last_be     = single && low != high ? 4'h0 : high ? last_strobe[7:4] : last_strobe[3:0];
  assign dropped     = busy_q ? dropped_q : !bus_master_i;
  assign shift       = write_i.shifted && !dropped;

  // --- the register stage --------------------------------------------------------------
  logic        stage_valid_q;   // a beat, or a dropped write beat
  logic        start_q;         // the next beat is the first of its TLP
  logic [2:0]  kind_q;          // source of the beat
  logic        two_q;           // the beat ends two beats of the write
  logic        last_q;          // the last beat of the write
  logic        second_pulse_q;  // the second pulse of such a beat
  logic        took_q;          // the beat before was one of the write,
  logic [31:0] high_q;          // this is its high DW,
  logic [31:0] kept_q, carry;   // or it was in an earlier one
  logic [63:0] data_q;          // of a write or completion, as the next two
  logic [1:0]  strb_q;
  logic        eop_q;
  logic        accepted;

  assign carry          = took_q ? high_q : kept_q;
  assign stage_ready    = !stage_valid_q || dropped_q || tx_tlp_ready_i;
  assign accepted       = stage_valid_q && stage_ready;
  assign start          = busy_q ? start_q : 1'b1;
  assign tx_tlp_valid_o = stage_valid_q && !dropped_q;

  // A write's beat as it would be; then the choice, which comes late. While a write
  // drains the turn is still its own.
  logic [63:0] write_data;
  logic [1:0]  write_strb;
  logic        write_beat, write_eop, write_more;

  assign write_beat = drain_q ? drain_beat_q : write_valid_i && !(shift && write_i.first);
  assign write_eop  = drain_q || (write_i.last && !(shift && high));
  assign write_more = shift || !write_i.last;

  always_comb begin
    write_data = write_i.data;
    write_strb = 2'b11;
    if (drain_q) begin
      write_data = {32'b0, carry};
      write_strb = 2'b01;
    end else if (shift) begin
      write_data = {write_i.data[31:0], carry};
    end else begin
      if (write_i.high_only) write_data = {32'b0, write_i.data[63:32]};
      if (write_i.last) write_strb = {high && !write_i.high_only, 1'b1};
    end
  end

  // more: the TLP goes on after this beat.
  logic beat_valid;
  always_comb begin
    beat_valid = message_may;
    more       = 1'b0;
    if (write_here || drain_q) begin
      beat_valid = write_beat;
      more       = write_more;
    end
    if (completion_turn) begin
      beat_valid = completion_valid_i;
      more       = !completion_last_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage_valid_q <= 1'b0;
      busy_q        <= 1'b0;
      drain_q       <= 1'b0;
      second_pulse_q <= 1'b0;
      dropped_q     <= 1'b0;
    end else begin
      second_pulse_q <= accepted && two_q;
      if (stage_ready) begin
        stage_valid_q <= beat_valid;
        drain_q       <= take_write && shift && write_i.last;
        if (take) busy_q <= more;
        else if (drain_q) busy_q <= 1'b0;
        if (take) dropped_q <= take_write && dropped; // what drains is sent
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (stage_ready) begin
      drain_beat_q <= high;
      took_q       <= take_write;
      high_q       <= write_i.data[63:32];
      kept_q       <= carry;
      if (take || drain_q) start_q <= take_write && shift && write_i.first;
      // Without a valid beat these are ignored.
      data_q       <= completion_turn ? completion_data_i : write_data;
      strb_q       <= completion_turn ? completion_strb_i : write_strb;
      eop_q        <= completion_turn ? completion_last_i : write_eop;
      tx_tlp_sop_o <= start;
      kind_q       <= {take_message, take_completion, take_write || drain_q};
      two_q        <= take_write && shift && write_i.last && !high;
      last_q       <= drain_q || (write_i.last && !(shift && high));
    end
  end

  // --- headers: held while the TLP lasts ------------------------------------------------
  // Each source's is complete before one is chosen: the choice comes late.
  logic [127:0] write_header, message_header;
  logic [54:3]  write_address; // Yosys 0.23 mistakes the bits of a member that does not end in 0
  assign write_address = write_i.address;

  assign write_header = {
    2'b01, write_i.four_dw, 5'b00000, 14'b0, 3'b0, dwords,
    function_id_i, 8'h00, last_be, first_be,
    write_i.four_dw ? {9'b0, write_address, !low, 2'b00} : {write_address[31:3], !low, 2'b00, 32'b0}
  };
  // Of an error: routed to the root complex, with a code from 30h on.
  assign message_header = message_error_i ? {
    3'b001, 5'b10000, 14'b0, 10'd0,
    function_id_i, 8'h00, 6'b001100, message_code_i,
    64'b0
  } : {
    2'b01, message_four_dw_i, 5'b00000, 14'b0, 10'd1,
    function_id_i, 8'h00, 8'h0f,
    message_four_dw_i ? {message_address_i, 2'b00} : {message_address_i[31:2], 2'b00, 32'b0}
  };

  // Between two TLPs: the header of the likely next source; ignored unless a beat follows.
  logic [127:0] header_q;
  always_ff @(posedge clk_i) begin
    if (stage_ready && !busy_q) header_q <= completion_turn ? completion_header_i : write_header;
  end

  // A message has registers of its own: whether it goes, or a write, is known too late to choose
  // in front of them.
  logic         message_error_q;
  logic [31:0]  message_data_q;
  logic [127:0] message_header_q;
  always_ff @(posedge clk_i) begin
    if (stage_ready) begin
      message_error_q  <= message_error_i;
      message_data_q   <= message_data_i;
      message_header_q <= message_header;
    end
  end
  assign tx_tlp_data_o = kind_q[SourceMessage] ? {32'd0, message_data_q} : data_q;
  assign tx_tlp_strb_o = kind_q[SourceMessage] ? {1'b0, !message_error_q} : strb_q;
  assign tx_tlp_eop_o  = kind_q[SourceMessage] || eop_q;
  assign tx_tlp_hdr_o  = kind_q[SourceMessage] ? message_header_q : header_q;

  // --- what the writers learn --------------------------------------------------------------
  logic       write_accepted, write_accepted_last;
  logic [2:0] write_status;
  assign write_accepted      = (accepted && kind_q[SourceWrite]) || second_pulse_q;
  assign write_accepted_last = second_pulse_q || (last_q && !two_q);
  assign write_status        = (dropped_q && !second_pulse_q)
                               ? rf_pkg::AccessStatusBusMasterDisabled : rf_pkg::AccessStatusOk;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_accepted_o <= 1'b0;
    else write_accepted_o <= write_accepted;
  end
  always_ff @(posedge clk_i) begin
    write_accepted_last_o   <= write_accepted_last;
    write_accepted_status_o <= write_status;
  end

  // --- reads behind writes --------------------------------------------------------------------
  logic [1:0] outstanding_q;    // writes, messages begun and not yet accepted to the last beat
  logic [1:0] before_q;         // of these, and a write on offer, the ones before the read on offer
  logic [1:0] outstanding_d;
  logic       write_waits;      // a write is on offer: it began for its master
  logic       ends, none_before, take_read, read_leaves;

  // Never two in a cycle: the stage is empty at the second pulse of a write.
  assign ends          = (write_accepted && write_accepted_last) ||
                         (accepted && kind_q[SourceMessage]);
  assign outstanding_d = outstanding_q - {1'b0, ends} +
                         {1'b0, (take_write && write_i.first) || take_message};
  assign write_waits   = write_valid_i && write_i.first && !take_write;
  assign none_before   = before_q == '0 || (before_q == 2'd1 && ends);
  assign read_ready_o  = (!tx_read_tlp_valid_o || tx_read_tlp_ready_i) &&
                         (!read_valid_i || (none_before && !hold_q));
  assign take_read     = read_valid_i && read_ready_o;
  assign read_leaves   = tx_read_tlp_valid_o && tx_read_tlp_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      outstanding_q       <= '0;
      before_q            <= '0;
      tx_read_tlp_valid_o <= 1'b0;
    end else begin
      outstanding_q <= outstanding_d;
      if (!read_valid_i || take_read) before_q <= outstanding_d + {1'b0, write_waits};
      else if (ends && before_q != '0) before_q <= before_q - 2'd1;
      if (take_read) tx_read_tlp_valid_o <= 1'b1;
      else if (tx_read_tlp_ready_i) tx_read_tlp_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!tx_read_tlp_valid_o || tx_read_tlp_ready_i) tx_read_tlp_hdr_o <= read_header_i;
  end

  // --- events ------------------------------------------------------------------------------------
  logic first_accepted;
  assign first_accepted           = tx_tlp_valid_o && tx_tlp_ready_i && tx_tlp_sop_o;
  assign events_o.write             = first_accepted && kind_q[SourceWrite];
  assign events_o.write_dwords      = tx_tlp_hdr_o[102:96];
  assign events_o.completion        = first_accepted && kind_q[SourceCompletion];
  assign events_o.completion_dwords = tx_tlp_hdr_o[102:96];
  assign events_o.message           = first_accepted && kind_q[SourceMessage] && tx_tlp_strb_o[0];
  assign events_o.read              = read_leaves;
  assign events_o.read_dwords       = tx_read_tlp_hdr_o[103:96];

  assign posted_idle_o = !stage_valid_q && !busy_q && !second_pulse_q && !write_accepted_o;
  assign idle_o        = posted_idle_o && !tx_read_tlp_valid_o;

`ifndef SYNTHESIS
`ifndef FORMAL
  // What is offered stays until it is taken; a function-level reset may end a write's offer.
  rf_offer_check #(.Width($bits(write_i))) write_stays (
    .clk_i, .rst_ni(rst_ni && !hold_q), .valid_i(write_valid_i), .ready_i(write_ready_o),
    .data_i(write_i)
  );
  rf_offer_check #(.Width(64 + 2 + 128 + 2)) beat_stays (
    .clk_i, .rst_ni, .valid_i(tx_tlp_valid_o), .ready_i(tx_tlp_ready_i),
    .data_i({tx_tlp_data_o, tx_tlp_strb_o, tx_tlp_hdr_o, tx_tlp_sop_o, tx_tlp_eop_o})
  );
  rf_offer_check #(.Width(128)) read_stays (
    .clk_i, .rst_ni, .valid_i(tx_read_tlp_valid_o), .ready_i(tx_read_tlp_ready_i),
    .data_i(tx_read_tlp_hdr_o)
  );
`endif
`endif

endmodule

`default_nettype wire
