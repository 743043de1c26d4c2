// SPDX-License-Identifier: Apache-2.0
//
// Reads of system memory keep read_contract: any id of any master that reads one word
// at a time. A read that is taken is answered once, and a good response brings what the
// completion of this very request brought.
//
// rf_pcie_transmit stands behind it: a request is sent when the link accepts it there, and time
// runs from that cycle.
//
// The host: a completion with the tag of a request that was sent comes when that has been
// executed, for that request and no earlier one with the same tag (a host that answers
// within twice the time-out of its departure), and brings the word as it was then. Free:
// everything else, completions before a request was sent, when the link accepts what,
// time-outs, errors, poison, completions that do not fit, bus mastering. No
// function-level reset, which resets the readers too.

`default_nettype none

module rf_pcie_requester_props (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [15:0]  function_id_i,
  input  wire logic         bus_master_i,
  input  wire logic [31:0]  completion_timeout_i,
  input  wire logic         timeout_disable_i,
  input  wire logic         read_valid_i,
  input  wire        rf_bus_pkg::system_read_t read_i,
  input  wire logic         hold_i,
  input  wire logic         write_valid_i,
  input  wire        rf_bus_pkg::system_write_t write_i,
  input  wire logic         tx_tlp_ready_i,
  input  wire logic         tx_read_tlp_ready_i,
  input  wire logic         completion_valid_i,
  input  wire logic         completion_ours_i,
  input  wire logic [7:0]   completion_tag_i,
  input  wire logic [2:0]   completion_status_i,
  input  wire logic         completion_poisoned_i,
  input  wire logic [6:0]   completion_dwords_i,
  input  wire logic [11:0]  completion_byte_count_i,
  input  wire logic [6:0]   completion_lower_address_i,
  input  wire logic [63:0]  payload_i
);

  logic         read_ready, response_valid, header_valid, header_ready, completion_ready;
  logic         payload_ready, shown;
  logic [127:0] header, shown_header;
  rf_bus_pkg::read_response_t response;

  rf_pcie_requester u_requester (
    .clk_i, .rst_ni, .reset_i(1'b0), .function_id_i, .bus_master_i, .completion_timeout_i,
    .timeout_disable_i, .read_valid_i, .read_ready_o(read_ready), .read_i,
    .response_valid_o(response_valid), .response_o(response), .header_valid_o(header_valid),
    .header_ready_i(header_ready), .header_o(header), .completion_valid_i,
    .completion_ready_o(completion_ready), .completion_i({completion_ours_i, completion_tag_i,
    completion_status_i, completion_poisoned_i, completion_dwords_i, completion_byte_count_i,
    completion_lower_address_i}), .payload_i, .payload_ready_o(payload_ready),
    .event_unexpected_o(), .event_timeout_o(), .event_unsupported_o(), .event_abort_o(),
    .event_poisoned_o(), .idle_o());

  rf_pcie_transmit u_transmit (
    .clk_i, .rst_ni, .function_id_i, .bus_master_i, .hold_i,
    .write_valid_i, .write_ready_o(), .write_i, .write_accepted_o(), .write_accepted_last_o(),
    .write_accepted_status_o(), .completion_valid_i(1'b0), .completion_ready_o(),
    .completion_header_i('0), .completion_data_i('0), .completion_strb_i('0),
    .completion_last_i(1'b0), .message_valid_i(1'b0),
    .message_ready_o(), .message_error_i(1'b0), .message_code_i('0),
    .message_address_i('0), .message_four_dw_i(1'b0), .message_data_i('0),
    .read_valid_i(header_valid), .read_ready_o(header_ready), .read_header_i(header),
    .tx_tlp_data_o(), .tx_tlp_strb_o(), .tx_tlp_hdr_o(), .tx_tlp_valid_o(), .tx_tlp_sop_o(),
    .tx_tlp_eop_o(), .tx_tlp_ready_i, .tx_read_tlp_hdr_o(shown_header),
    .tx_read_tlp_valid_o(shown), .tx_read_tlp_ready_i, .events_o(),
    .posted_idle_o(), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // --- one master, one id ---------------------------------------------------------------
  (* anyconst *) logic [2:0]  master;
  (* anyconst *) logic [4:0]  id;
  (* anyseq *)   logic        look;        // the host executes the read
  (* anyseq *)   logic [63:0] value;
  logic [3:0]  read_master, response_master;
  logic        ask, issued, answered, ours_q = 1'b0; // it has a tag
  logic        departs, sent_q = 1'b0;               // ... and was accepted by the link
  logic [3:0]  tag_q, asked_tag, shown_tag;
  logic        out, held, looked, known;
  logic [63:0] seen;
  assign read_master   = read_i.master;
  assign response_master = response.master;
  assign ask           = read_valid_i && read_ready && read_master[2:0] == master &&
                         read_i.id == id;
  assign issued        = ask && header_valid && header_ready;
  assign asked_tag     = header[75:72];
  assign shown_tag     = shown_header[75:72];
  assign departs       = shown && tx_read_tlp_ready_i;
  assign answered      = response_valid && response_master[2:0] == master && response.id == id;

  read_contract #(.Promised(1'b1)) u_read (
    .clk_i, .rst_ni, .ask_i(ask), .next_i(1'b0), .hold_i(1'b0), .look_i(look), .known_i(1'b1),
    .value_i(value), .response_i(answered), .last_i(response.last),
    .bad_i(response.status != rf_pkg::AccessStatusOk), .data_i(response.data),
    .out_o(out), .held_o(held), .looked_o(looked), .known_o(known), .seen_o(seen));

  logic [54:3] address;
  assign address = read_i.address;
  always_comb if (ask) assume (read_i.words == 7'd1);
  always_comb if (running_q && issued) begin
    asks_for_its_word: assert (header[105:96] == 10'd2 && header[71:64] == 8'hff &&
                               (address[54:32] != '0 ? header[63:0] == {9'd0, address, 3'd0}
                                                     : header[63:32] == {address[31:3], 3'd0}));
  end

  // --- the host ----------------------------------------------------------------------------
  logic ours, stays_q = 1'b0;
  logic [44:0] completion, completion_q;
  assign completion = {completion_ours_i, completion_tag_i, completion_status_i,
                       completion_poisoned_i, completion_dwords_i, completion_byte_count_i,
                       completion_lower_address_i, 6'd0};
  assign ours = completion_valid_i && completion_ours_i && completion_tag_i == {4'd0, tag_q} &&
                out && ours_q && sent_q;
  always_comb begin
    assume (!look || (out && ours_q && sent_q && !looked && !answered));
    if (stays_q) assume (completion_valid_i && completion == completion_q);
    if (ours) assume (looked && (!payload_ready || payload_i == seen));
  end
  always_ff @(posedge clk_i) if (running_q) begin
    if (issued) tag_q <= asked_tag;
    ours_q       <= issued || (ours_q && !ask);
    if (ask) sent_q <= 1'b0;
    else if (departs && ours_q && shown_tag == tag_q) sent_q <= 1'b1;
    stays_q      <= completion_valid_i && !completion_ready;
    completion_q <= completion;
  end

  // --- the inside ----------------------------------------------------------------------------
  (* hierconn *) wire [15:0] \u_requester.busy_q , \u_requester.quarantine_q ,
      \u_requester.begun_q ;
  (* hierconn *) wire        \u_requester.refused_valid_q , \u_requester.tag_free_q ,
      \u_requester.known_q , \u_requester.waited_q , \u_requester.deliver_q ,
      \u_requester.final_q , \u_requester.part_q , \u_requester.shown_q ,
      \u_requester.waits_q ;
  (* hierconn *) wire [8:0]  \u_requester.refused_q , \u_requester.owner_q ;
  (* hierconn *) wire [6:0]  \u_requester.left_q ;
  (* hierconn *) wire [5:0]  \u_requester.words_q ;
  (* hierconn *) wire [1:0]  \u_requester.state_q ;
  (* hierconn *) wire [3:0]  \u_requester.next_q , \u_requester.shown_tag_q ;
  (* hierconn *) wire [16*20-1:0] \u_requester.u_asked.watched ;
  localparam logic [1:0] StateLook = 2'd0, StateJudge = 2'd1, StateWords = 2'd2;

  logic [15:0] has, waits;                 // tags that are ours by their contents
  logic        refused, delivers, owner, judging;
  logic [1:0]  state;
  assign state = \u_requester.state_q ;
  for (genvar t = 0; t < 16; t++) begin : gen_tag
    logic [19:0] asked;                    // {master, id, words, address}
    assign asked    = \u_requester.u_asked.watched [t*20 +: 20];
    assign has[t]   = asked[18:16] == master && asked[15:11] == id;
    // What was judged in the last cycle waits no more.
    assign waits[t] = has[t] && \u_requester.busy_q [t] &&
                      !(\u_requester.part_q && completion_q[39:36] == 4'(t));
    always_comb if (running_q && waits[t]) begin
      assert (asked[10:4] == 7'd1 && !\u_requester.begun_q [t] && tag_q == 4'(t) && ours_q);
    end
  end
  assign refused  = \u_requester.refused_valid_q && \u_requester.refused_q [7:5] == master &&
                    \u_requester.refused_q [4:0] == id;
  assign owner    = \u_requester.owner_q [7:5] == master && \u_requester.owner_q [4:0] == id;
  assign delivers = state == StateWords && \u_requester.deliver_q && owner;
  assign judging  = state == StateJudge && \u_requester.waited_q && owner;

  always_comb if (running_q) begin
    state_legal: assert (state <= StateWords);
    if (\u_requester.tag_free_q ) begin
      next_is_free: assert (!\u_requester.busy_q [\u_requester.next_q ] &&
                            !\u_requester.quarantine_q [\u_requester.next_q ]);
    end
    waits_or_rests: assert ((\u_requester.busy_q & \u_requester.quarantine_q ) == '0);
    one_tag: assert ((waits & (waits - 16'd1)) == '0);
    one_place: assert ({1'b0, out} == {1'b0, waits != '0} + {1'b0, refused} + {1'b0, delivers} +
                                      {1'b0, answered});
    if (state != StateLook) completion_stays: assert (stays_q);
    if (\u_requester.waited_q && state == StateJudge) begin
      judged_waits: assert (\u_requester.known_q && completion_q[44] &&
                            completion_q[43:40] == '0 &&
                            \u_requester.busy_q [completion_q[39:36]] &&
                            owner == has[completion_q[39:36]]);
    end
    if (judging) judged_is_whole: assert (\u_requester.left_q == 7'd1);
    if (\u_requester.part_q ) begin
      part_is_of_words: assert (state == StateWords && completion_q[44] &&
                                completion_q[43:40] == '0 &&
                                (\u_requester.busy_q [completion_q[39:36]] ||
                                 \u_requester.quarantine_q [completion_q[39:36]]));
    end
    if (delivers) begin
      delivers_one: assert (\u_requester.words_q == 6'd1 && \u_requester.final_q &&
                            completion_q[44:36] == {1'b1, 4'd0, tag_q} && ours_q && looked);
    end
    known_if_looked: assert (!looked || known);
    if (waits != '0) tag_stands: assert (ours_q && waits[tag_q]);
  end

  // --- the header on show ------------------------------------------------------------------
  logic on_show;
  assign on_show = \u_requester.shown_q || \u_requester.waits_q ;
  always_comb if (running_q) begin
    if (shown) shown_is_known: assert (on_show && shown_tag == \u_requester.shown_tag_q );
    if (\u_requester.shown_q ) first_cycle: assert (shown && !\u_requester.waits_q );
    if (on_show) begin
      shown_is_busy: assert (\u_requester.busy_q [\u_requester.shown_tag_q ] ||
                             \u_requester.quarantine_q [\u_requester.shown_tag_q ]);
    end
    if (shown && ours_q && shown_tag == tag_q && waits[tag_q]) not_sent: assert (!sent_q);
    if (waits[tag_q] && !sent_q) not_sent_is_shown: assert (shown && shown_tag == tag_q);
    if ((state == StateJudge && \u_requester.known_q ) || \u_requester.part_q ) begin
      judged_was_sent: assert (!on_show || completion_q[39:36] != \u_requester.shown_tag_q );
      if (out && ours_q && completion_q[39:36] == tag_q && waits[tag_q]) begin
        ours_was_sent: assert (sent_q);
      end
    end
    if (header_valid && header_ready) begin
      reads_only_as_master: assert (bus_master_i);
    end
  end

  // --- any tag: none is used again while its request is in flight, from its departure on ------
  (* anyconst *) logic [3:0] tag;
  (* hierconn *) wire [15:0] \u_requester.release_tag ;
  (* hierconn *) wire        \u_requester.expire , \u_requester.expired_late_q ,
      \u_requester.expired_valid_q , \u_requester.scanned_valid_q , \u_requester.late_q ;
  (* hierconn *) wire [3:0]  \u_requester.expired_tag_q , \u_requester.scanned_q ;
  (* hierconn *) wire [33:0] \u_requester.now_q ;
  (* hierconn *) wire [16*34-1:0] \u_requester.u_start.watched ;
  logic behind_q;
  always_ff @(posedge clk_i) behind_q <= header_valid && !header_ready && !shown;
  logic handed_q = 1'b0, flight_q = 1'b0, next_used_q = 1'b0, returned_q = 1'b0;
  logic uses, leaves, returns;
  logic [11:0] left;                       // bytes, with those of this completion
  logic [33:0] left_at_q, start;           // when it left, and when the requester says so
  assign uses    = header_valid && header_ready && asked_tag == tag;
  assign leaves  = departs && shown_tag == tag;
  assign start   = \u_requester.u_start.watched [tag*34 +: 34];
  assign left    = {3'd0, completion_dwords_i, 2'd0};
  // The last completion: one that tells of a failure, or has all bytes that were left
  assign returns = state == StateJudge && completion_valid_i && completion_ours_i &&
                   completion_tag_i == {4'd0, tag} &&
                   (completion_status_i != '0 || completion_byte_count_i == left);
  always_ff @(posedge clk_i) if (running_q) begin
    next_used_q <= next_used_q || uses;
    returned_q  <= returns;
    handed_q <= uses || (handed_q && !leaves);
    flight_q <= leaves || (flight_q && !\u_requester.release_tag [tag]);
    if (leaves) left_at_q <= \u_requester.now_q ;
  end
  always_comb if (running_q) begin
    if (uses) tag_is_not_in_flight: assert (!flight_q && !handed_q);
    if (leaves) leaves_once: assert (handed_q && !flight_q);
    handed_is_shown: assert (handed_q == (shown && shown_tag == tag));
    in_flight: assert ((handed_q || flight_q) ==
                       (\u_requester.busy_q [tag] || \u_requester.quarantine_q [tag]));
    if (handed_q) kept_until_it_left: assert (!\u_requester.release_tag [tag]);
    if (\u_requester.expire && \u_requester.expired_tag_q == tag) begin
      only_what_left_times_out: assert (!handed_q);
    end
    if (flight_q) begin
      time_runs_from_departure:
          assert (on_show && \u_requester.shown_tag_q == tag
                  ? \u_requester.now_q == left_at_q + 34'd1 && \u_requester.waits_q
                  : start == left_at_q || start == left_at_q + 34'd1);
    end
    if (on_show) begin
      shown_is_not_scanned:
          assert (!(\u_requester.expired_valid_q &&
                    \u_requester.expired_tag_q == \u_requester.shown_tag_q ) &&
                  (\u_requester.expired_valid_q ||
                   !(\u_requester.scanned_valid_q &&
                     \u_requester.scanned_q == \u_requester.shown_tag_q )));
    end
    if (!\u_requester.expired_valid_q && \u_requester.scanned_valid_q &&
        \u_requester.late_q && \u_requester.scanned_q == tag) begin
      scanned_rests: assert (!\u_requester.busy_q [tag]);
    end
    if (\u_requester.expired_valid_q && \u_requester.expired_late_q &&
        \u_requester.expired_tag_q == tag) begin
      expired_rests: assert (!\u_requester.busy_q [tag]);
    end
    if (flight_q && \u_requester.release_tag [tag]) begin
      free_after_the_last: assert (returns || returned_q || (\u_requester.expire &&
                                               \u_requester.expired_late_q &&
                                               \u_requester.quarantine_q [tag]));
    end
    if (uses && read_i.words <= 7'd64 && {1'b0, address[11:3]} + {3'd0, read_i.words} <= 10'd512) begin
      reads_within_a_page: assert ({1'b0, address[11:3], 1'b0} + {1'b0, header[105:96]} <= 11'd1024 &&
                                   header[105:96] <= 10'd128);
    end
  end

  // --- all this happens -------------------------------------------------------------------------
  always_comb if (running_q) begin
    read_completes: cover (answered && response.status == rf_pkg::AccessStatusOk);
    read_is_refused: cover (answered && response.status == rf_pkg::AccessStatusBusMasterDisabled);
    poisoned_response: cover (answered && response.status == rf_pkg::AccessStatusPoisoned);
    tag_rests: cover (\u_requester.quarantine_q [tag] && returns && flight_q);
    tag_is_used_again: cover (uses && next_used_q);
    read_times_out: cover (answered && response.status == rf_pkg::AccessStatusCompletionTimeout);
    waits_for_the_link: cover (handed_q && \u_requester.waits_q && read_valid_i && bus_master_i);
    read_is_refused_behind_a_write: cover (read_valid_i && read_ready && !bus_master_i &&
                                           behind_q);
    leaves_unseen: cover (flight_q && \u_requester.waits_q && \u_requester.shown_tag_q == tag);
  end

endmodule

`default_nettype wire
