// SPDX-License-Identifier: Apache-2.0
//
// Read requests to system memory: tags, completions, time-outs. One read is one TLP. Completions
// come in any order among tags and in order within one, and leave as 64-bit words. A completion
// that does not continue its request exactly (byte count, lower address, length), or comes before
// the request was sent, is counted as unexpected and dropped.
//
// A header is offered until it is accepted; then it stays on the stream until it is sent. Its
// time-out runs from there: a read that the link does not accept has no time-out. The tag of a
// request that ended early (time-out, poisoned completion, function-level reset) is quarantined:
// late completions are dropped, and it is free when the last of them has come, or twice the
// time-out after the request was sent.
// Promises: each read is answered exactly once up to last; only new reads wait for the transmit
// side.
// Latency: read to header_o combinational; completion to response two cycles, then a word a cycle.

`default_nettype none

module rf_pcie_requester #(
  parameter int unsigned Tags = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         reset_i,            // function-level reset

  input  wire logic [15:0]  function_id_i,
  input  wire logic         bus_master_i,
  input  wire logic [31:0]  completion_timeout_i,
  input  wire logic         timeout_disable_i,

  input  wire logic         read_valid_i,
  output logic              read_ready_o,
  input  wire        rf_bus_pkg::system_read_t read_i,
  output logic              response_valid_o,
  output             rf_bus_pkg::read_response_t response_o,

  output logic              header_valid_o,   // withdrawn when bus mastering ends
  input  wire logic         header_ready_i,   // without valid: the one before has left
  output logic [127:0]      header_o,

  input  wire logic         completion_valid_i,
  input  wire rf_bus_pkg::received_completion_t completion_i,
  output logic              completion_ready_o,
  input  wire logic [63:0]  payload_i,
  output logic              payload_ready_o,

  output logic              event_unexpected_o,
  output logic              event_timeout_o,
  output logic              event_unsupported_o,  // a completion with UR
  output logic              event_abort_o,        // a completion with CA
  output logic              event_poisoned_o,
  output logic              idle_o
);

  if (Tags < 2 || Tags > 32 || (Tags & (Tags - 1)) != 0) begin : gen_bad_tags
    $error("a tag has five bits, and their number is a power of two");
  end

  localparam int unsigned TagLog2 = $clog2(Tags);
  localparam logic [2:0] CompletionSuccessful = 3'd0, CompletionAbort = 3'd4;

  logic [Tags-1:0]    busy_q;        // a request waits for completions
  logic [Tags-1:0]    quarantine_q;  // given up, completions may still come
  logic [Tags-1:0]    begun_q;       // a part of the response has come
  logic [TagLog2-1:0] next_q;        // the tag tried next

  // --- issue --------------------------------------------------------------------------
  logic        tag_free_q, issue, refuse, refused_valid_q, refused_done;
  logic [TagLog2-1:0] after;      // the tag behind next_q
  logic [8:0]  refused_q;
  logic        four_dw;
  logic        shown_q;           // the last header is on show, in the first cycle of it
  logic        waits_q;           // ... in a later one
  logic        on_show;
  logic [TagLog2-1:0] shown_tag_q;

  // Looked up ahead: a tag that was free stays so until its turn. In the first cycle of a
  // header on show the next one is offered; if it is not taken then, not before the other has
  // left: with an offer ready says less.
  assign after          = next_q + 1'b1;
  assign on_show        = shown_q || waits_q;
  assign header_valid_o = read_valid_i && bus_master_i && tag_free_q && !waits_q;
  assign read_ready_o   = bus_master_i ? header_ready_i && tag_free_q && !waits_q
                                       : !refused_valid_q;
  assign issue          = header_valid_o && header_ready_i;
  assign refuse         = read_valid_i && !bus_master_i && !refused_valid_q;

  logic [54:3] address; // Yosys 0.23 mistakes the bits of a member that does not end in 0
  assign address = read_i.address;
  assign four_dw = address[54:32] != '0;
  assign header_o = {
    2'b00, four_dw, 5'b00000, 14'b0, 2'b00, read_i.words, 1'b0,
    function_id_i, {(8 - TagLog2){1'b0}}, next_q, 8'hff,
    four_dw ? {9'b0, address, 3'b000} : {address[31:3], 3'b000, 32'b0}
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q          <= '1;
      tag_free_q      <= 1'b0;
      shown_q         <= 1'b0;
      waits_q         <= 1'b0;
      refused_valid_q <= 1'b0;
    end else begin
      shown_q <= issue;
      waits_q <= on_show && !header_ready_i;
      if (issue || !tag_free_q) begin
        next_q     <= after;
        tag_free_q <= !busy_q[after] && !quarantine_q[after];
      end
      if (reset_i) refused_valid_q <= 1'b0;
      else if (refuse) refused_valid_q <= 1'b1;
      else if (refused_done) refused_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (refuse) refused_q <= {read_i.master, read_i.id};
    if (issue) shown_tag_q <= next_q;
  end

  // --- what each tag asked for, and what is left of it --------------------------------
  // That a read is issued is known late: what is kept of the tag tried next is written as long
  // as it is free, when it is not read.
  localparam int unsigned AskedWidth = 4 + 5 + 7 + 4;
  logic [TagLog2-1:0]    lookup_tag;
  logic [AskedWidth-1:0] asked;
  logic [3:0]            asked_master, asked_address;
  logic [4:0]            asked_id;
  logic [6:0]            asked_words;
  logic                  progress_write;
  logic [6:0]            left_old, left_new;
  logic [3:0]            address_old, address_new;

  rf_lutram #(.Width(AskedWidth), .DepthLog2(TagLog2)) u_asked (
    .clk_i           (clk_i),
    .write_i         (tag_free_q),
    .write_address_i (next_q),
    .write_data_i    ({read_i.master, read_i.id, read_i.words, address[6:3]}),
    .read_address_i  (lookup_tag),
    .read_data_o     (asked)
  );
  assign {asked_master, asked_id, asked_words, asked_address} = asked;

  rf_lutram #(.Width(11), .DepthLog2(TagLog2)) u_progress (
    .clk_i           (clk_i),
    .write_i         (progress_write),
    .write_address_i (lookup_tag),
    .write_data_i    ({left_new, address_new}),
    .read_address_i  (lookup_tag),
    .read_data_o     ({left_old, address_old})
  );

  // --- time -------------------------------------------------------------------------------
  // From the last cycle on show. Each cycle one tag is looked at; an expired one is kept until
  // it is dealt with.
  // Wide enough that twice the longest time-out does not wrap around.
  localparam int unsigned TimeWidth = 34;
  logic [TimeWidth-1:0] now_q, start, elapsed_q;
  logic [TagLog2-1:0] scan_q, scanned_q, expired_tag_q;
  logic               scanned_valid_q, expired_valid_q, expired;
  logic               expire;                 // the expired tag is dealt with
  logic               late_q, expired_late_q; // it was in quarantine

  rf_lutram #(.Width(TimeWidth), .DepthLog2(TagLog2)) u_start (
    .clk_i           (clk_i),
    .write_i         (on_show),
    .write_address_i (shown_tag_q),
    .write_data_i    (now_q),
    .read_address_i  (scan_q),
    .read_data_o     (start)
  );

  assign expired = scanned_valid_q && !timeout_disable_i && completion_timeout_i != '0 &&
                   (late_q ? {1'b0, elapsed_q[TimeWidth-1:1]} : elapsed_q) >=
                       {{(TimeWidth - 32){1'b0}}, completion_timeout_i} &&
                   !(issue && next_q == scanned_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q           <= '0;
      scan_q          <= '0;
      scanned_valid_q <= 1'b0;
      expired_valid_q <= 1'b0;
    end else begin
      now_q <= now_q + 1'b1;
      if (!expired_valid_q) begin
        scan_q          <= scan_q + 1'b1;
        scanned_valid_q <= (busy_q[scan_q] || quarantine_q[scan_q]) &&
                           !(on_show && shown_tag_q == scan_q) &&
                           !(issue && next_q == scan_q);
        expired_valid_q <= expired;
      end else if (expire || (issue && next_q == expired_tag_q)) begin
        expired_valid_q <= 1'b0;
        scanned_valid_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!expired_valid_q) begin
      elapsed_q     <= now_q - start;
      scanned_q     <= scan_q;
      late_q        <= quarantine_q[scan_q];
      expired_tag_q  <= scanned_q;
      expired_late_q <= late_q;
    end
  end

  // --- a completion against its request -----------------------------------------------------
  // Look   reads what is known of the tag of the completion, or of one that expired
  // Judge  whether the completion fits
  // Words  passes its payload on, or drops it
  typedef enum logic [1:0] {Look, Judge, Words} state_e;
  state_e      state_q, state_d;
  logic        known_q, waited_q;       // the tag is in use; its master waits
  logic [8:0]  owner_q;
  logic [6:0]  left_q;
  logic [3:0]  expect_q;
  logic [5:0]  words_q;                 // payload words still to pass on
  logic        deliver_q, final_q;
  logic        in_range, sent, successful, fits, ends, last_word;

  assign expire     = state_q == Look && expired_valid_q && !refused_valid_q;
  assign lookup_tag = expire ? expired_tag_q : completion_i.tag[TagLog2-1:0];
  assign in_range   = completion_i.ours && completion_i.tag[7:TagLog2] == '0;
  assign sent       = !(on_show && shown_tag_q == lookup_tag);
  assign successful = completion_i.status == CompletionSuccessful;
  // A good completion continues where the one before ended.
  assign fits = completion_i.byte_count == {2'b0, left_q, 3'b000} &&
                completion_i.lower_address == {expect_q, 3'b000} &&
                !completion_i.dwords[0] && completion_i.dwords != '0 &&
                {1'b0, completion_i.dwords[6:1]} <= left_q;
  assign ends = {1'b0, completion_i.dwords[6:1]} == left_q;

  assign left_new    = left_q - {1'b0, completion_i.dwords[6:1]};
  assign address_new = expect_q + completion_i.dwords[4:1];
  assign last_word   = words_q <= 6'd1;

  logic judged, part, failed;
  assign judged = state_q == Judge;
  assign part   = judged && known_q && successful && fits;
  assign failed = judged && known_q && !successful;
  assign event_unexpected_o  = judged && (!known_q || !waited_q || (successful && !fits));
  assign event_unsupported_o = failed && waited_q && completion_i.status != CompletionAbort;
  assign event_abort_o       = failed && waited_q && completion_i.status == CompletionAbort;
  assign event_poisoned_o    = part && waited_q && completion_i.poisoned;
  assign event_timeout_o     = expire && busy_q[expired_tag_q];

  // The judgement comes late: the tag's state follows in the first cycle of the words, in which
  // it is not read.
  logic part_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) part_q <= 1'b0;
    else part_q <= part;
  end
  assign progress_write = part_q;

  always_comb begin
    state_d            = state_q;
    completion_ready_o = 1'b0;
    payload_ready_o    = 1'b0;
    unique case (state_q)
      Look: if (completion_valid_i && !refused_valid_q && !expired_valid_q) begin
        state_d = Judge;
      end
      Judge: begin
        if (completion_i.dwords == '0) begin
          completion_ready_o = 1'b1;
          state_d = Look;
        end else begin
          state_d = Words;
        end
      end
      Words: begin
        payload_ready_o = 1'b1;
        if (last_word) begin
          completion_ready_o = 1'b1;
          state_d = Look;
        end
      end
      default: state_d = Look;
    endcase
  end

  assign refused_done = state_q == Look && refused_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Look;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Look) begin
      known_q  <= in_range && sent && (busy_q[lookup_tag] || quarantine_q[lookup_tag]);
      waited_q <= in_range && sent && busy_q[lookup_tag] && !reset_i;
      owner_q  <= {asked_master, asked_id};
      left_q   <= begun_q[lookup_tag] ? left_old : asked_words;
      expect_q <= begun_q[lookup_tag] ? address_old : asked_address;
    end
    if (judged) begin
      words_q   <= completion_i.dwords[6:1] + {5'b0, completion_i.dwords[0]};
      deliver_q <= part && waited_q && !completion_i.poisoned && !reset_i;
      final_q   <= ends;
    end else begin
      words_q <= words_q - 6'd1;
      if (reset_i) deliver_q <= 1'b0;
    end
  end

  // --- the state of the tags ------------------------------------------------------------------
  logic [Tags-1:0] release_tag, quarantine_tag, issue_tag, free_tag, part_tag;

  always_comb begin
    release_tag    = '0;
    quarantine_tag = '0;
    issue_tag      = '0;
    free_tag       = '0;
    part_tag       = '0;
    issue_tag[next_q]      = issue;
    free_tag[next_q]       = tag_free_q;
    part_tag[lookup_tag]   = part_q;
    release_tag[lookup_tag] = (part_q && final_q) || failed || (expire && expired_late_q);
    quarantine_tag[lookup_tag] = (part_q && completion_i.poisoned) || expire;
    if (reset_i) quarantine_tag = '1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q       <= '0;
      quarantine_q <= '0;
    end else begin
      busy_q       <= (busy_q & ~release_tag & ~quarantine_tag) | issue_tag;
      quarantine_q <= (quarantine_q | (busy_q & quarantine_tag)) & ~release_tag;
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= (begun_q | part_tag) & ~free_tag;
  end

  // --- responses --------------------------------------------------------------------------------
  logic [2:0] failure;
  assign failure = completion_i.status == CompletionAbort ? rf_pkg::AccessStatusCompleterAbort
                                                          : rf_pkg::AccessStatusUnsupportedRequest;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      response_valid_o <= 1'b0;
    end else begin
      response_valid_o <= refused_done || event_timeout_o ||
                        (failed && waited_q) || event_poisoned_o ||
                        (state_q == Words && deliver_q);
    end
  end

  always_ff @(posedge clk_i) begin
    response_o.data   <= payload_i;
    response_o.level  <= 2'd0;
    response_o.last   <= state_q != Words || (last_word && final_q);
    response_o.status <= rf_pkg::AccessStatusOk;
    {response_o.master, response_o.id} <= owner_q;
    if (state_q == Judge) begin
      response_o.status <= failed ? failure : rf_pkg::AccessStatusPoisoned;
    end
    if (state_q == Look) begin
      response_o.status <= refused_valid_q ? rf_pkg::AccessStatusBusMasterDisabled
                                         : rf_pkg::AccessStatusCompletionTimeout;
      {response_o.master, response_o.id} <= refused_valid_q ? refused_q : {asked_master, asked_id};
    end
  end

  assign idle_o = busy_q == '0 && !refused_valid_q && state_q == Look;

endmodule

`default_nettype wire
