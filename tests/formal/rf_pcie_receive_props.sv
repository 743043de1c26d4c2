// SPDX-License-Identifier: Apache-2.0
//
// rf_pcie_receive hands every non-posted request on once, as it came, in order, behind the
// writes and completions that came before it. Any beats on the link, any configuration; what
// follows takes writes, completions and requests when it likes.

`default_nettype none

module rf_pcie_receive_props (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [63:0]  rx_tlp_data_i,
  input  wire logic [1:0]   rx_tlp_strb_i,
  input  wire logic [127:0] rx_tlp_hdr_i,
  input  wire logic         rx_tlp_error_i,
  input  wire logic         rx_tlp_valid_i,
  input  wire logic         rx_tlp_sop_i,
  input  wire logic         rx_tlp_eop_i,
  input  wire logic         memory_enable_i,
  input  wire logic [63:17] bar0_i,
  input  wire logic [63:12] bar2_i,
  input  wire logic [31:12] bar4_i,
  input  wire logic [6:0]   max_payload_dwords_i,
  input  wire logic [15:0]  function_id_i,
  input  wire logic         write_ready_i,
  input  wire logic         completion_ready_i,
  input  wire logic         payload_ready_i,
  input  wire logic         request_ready_i
);

  logic        rx_tlp_ready, write_valid, completion_valid, request_valid, malformed;
  logic [15:0] requester;
  logic [7:0]  tag;
  logic [2:0]  traffic_class, attributes;
  logic        supported, memory, locked, config_write;
  logic [1:0]  bar;
  logic [31:2] address;
  logic [9:0]  length;
  logic [3:0]  first_be, last_be;
  logic [31:0] data;

  rf_pcie_receive #(.LocalMemoryLog2(16)) u_receive (
    .clk_i, .rst_ni, .rx_tlp_data_i, .rx_tlp_strb_i, .rx_tlp_hdr_i, .rx_tlp_error_i,
    .rx_tlp_valid_i, .rx_tlp_sop_i, .rx_tlp_eop_i, .rx_tlp_ready_o(rx_tlp_ready),
    .memory_enable_i, .bar0_i, .bar2_i, .bar4_i, .max_payload_dwords_i, .function_id_i,
    .write_valid_o(write_valid), .write_ready_i, .write_o(),
    .completion_valid_o(completion_valid), .completion_ready_i, .completion_o(),
    .payload_o(), .payload_ready_i,
    .request_valid_o(request_valid), .request_ready_i,
    .request_o({requester, tag, traffic_class, attributes, supported, memory, locked,
                config_write, bar, address, length, first_be, last_be, data}),
    .event_write_o(), .event_write_dwords_o(), .event_read_o(), .event_completion_o(),
    .event_completion_dwords_o(), .event_malformed_o(malformed), .event_unsupported_o(),
    .event_posted_unsupported_o(), .event_poisoned_o(), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

  // --- what the specification says of the TLP that ends -----------------------------------
  logic [7:0]  kind;                       // {format, type}
  logic [9:0]  asked;
  logic [63:2] at;
  logic        beat, inside_q = 1'b0, ends, read, read_locked, configures, reads_ours, non_posted;
  logic        legal_read, pending_q = 1'b0, legal_q, hit;
  assign kind  = rx_tlp_hdr_i[127:120];
  assign asked = rx_tlp_hdr_i[105:96];
  assign at    = kind[5] ? rx_tlp_hdr_i[63:2] : {32'd0, rx_tlp_hdr_i[63:34]};
  assign beat  = rx_tlp_valid_i && rx_tlp_ready;
  assign ends  = beat && rx_tlp_eop_i && (rx_tlp_sop_i || inside_q);
  assign read        = kind == 8'h00 || kind == 8'h20;
  assign read_locked = kind == 8'h01 || kind == 8'h21;
  assign configures  = kind == 8'h04 || kind == 8'h44;
  assign non_posted  = read || read_locked || configures || kind == 8'h05 || kind == 8'h45 ||
                       kind == 8'h02 || kind == 8'h42 ||                        // I/O
                       (kind[7:6] == 2'b01 && (kind[4:0] == 5'h0c || kind[4:0] == 5'h0d ||
                                               kind[4:0] == 5'h0e));            // AtomicOps
  assign legal_read  = (read || read_locked) && rx_tlp_sop_i && rx_tlp_strb_i == '0 &&
                       !rx_tlp_error_i &&
                       (asked == 10'd1 ? rx_tlp_hdr_i[71:68] == '0
                                       : rx_tlp_hdr_i[71:68] != '0 && rx_tlp_hdr_i[67:64] != '0) &&
                       {1'b0, at[11:2]} + {asked == '0, asked} <= 11'd1024;
  assign hit         = memory_enable_i && (at[63:17] == bar0_i || at[63:16] == bar2_i[63:16] ||
                                           at[63:12] == {32'd0, bar4_i});
  assign reads_ours  = (read && hit) ||
                       (configures && !(kind[6] && rx_tlp_hdr_i[110]) &&
                        rx_tlp_hdr_i[50:48] == '0);

  always_ff @(posedge clk_i) if (running_q) begin
    if (beat) inside_q <= (rx_tlp_sop_i || inside_q) && !rx_tlp_eop_i;
    pending_q <= ends && non_posted;
    legal_q   <= ends && legal_read;
  end

  // --- one of the requests ------------------------------------------------------------------
  (* anyseq *) logic mark;
  logic         marked_q = 1'b0, judged_q = 1'b0; // it came; it was well formed
  logic [127:0] header_q;
  logic [63:2]  at_q;
  logic [31:0]  data_q;
  logic         supported_q, read_q, locked_q, config_write_q;
  logic [4:0]   stored_q = '0, ahead_q;    // requests that are not handed on; before it
  logic [4:0]   stored_now;
  logic         takes, handed, queued_q = 1'b0; // it is not handed on yet
  logic nullified_q = 1'b0;                // by the link layer: neither told nor handed on
  always_ff @(posedge clk_i) if (running_q) nullified_q <= rx_tlp_error_i;
  assign takes      = pending_q && !malformed && !nullified_q;
  assign handed     = request_valid && request_ready_i;
  assign stored_now = stored_q - {4'd0, handed};
  always_comb if (mark) assume (ends && non_posted && !marked_q && running_q);
  always_ff @(posedge clk_i) if (running_q) begin
    stored_q <= stored_now + {4'd0, takes};
    if (mark) begin
      marked_q       <= 1'b1;
      header_q       <= rx_tlp_hdr_i;
      at_q           <= at;
      data_q         <= rx_tlp_data_i[31:0];
      supported_q    <= reads_ours;
      read_q         <= read || read_locked;
      locked_q       <= read_locked;
      config_write_q <= kind == 8'h44;
    end
    if (marked_q) judged_q <= 1'b1;
    if (marked_q && !judged_q) begin
      queued_q <= takes;
      ahead_q  <= stored_now;
    end else if (queued_q && handed) begin
      queued_q <= ahead_q != '0;
      ahead_q  <= ahead_q - 5'd1;
    end
  end

  // Writes and completions before it that have not left
  (* hierconn *) wire \u_receive.accepted , \u_receive.push_write , \u_receive.push_completion ,
      \u_receive.ordered_valid , \u_receive.ordered_pop , \u_receive.marker ,
      \u_receive.last_q , \u_receive.request_waiting ;
  logic [4:0] others_q = '0, before_q;
  logic       comes, leaves;
  assign comes  = \u_receive.accepted &&
                  (\u_receive.push_write || \u_receive.push_completion );
  assign leaves = (write_valid && write_ready_i) || (completion_valid && completion_ready_i);
  always_ff @(posedge clk_i) if (running_q) begin
    others_q <= others_q - {4'd0, leaves} + {4'd0, comes};
    if (marked_q && !judged_q) before_q <= others_q - {4'd0, leaves};
    else if (before_q != '0 && leaves) before_q <= before_q - 5'd1;
  end

  logic first, waits_for_others = 1'b0;   // the second while its marker is not popped
  assign first = queued_q && ahead_q == '0;
  always_comb if (running_q) begin
    if (legal_q) legal_read_is_taken: assert (!malformed);
    if (handed) handed_on_was_received: assert (stored_q != '0);
    if (first && request_valid) begin
      as_it_came: assert (requester == header_q[95:80] && tag == header_q[79:72] &&
                          traffic_class == header_q[118:116] &&
                          attributes == {header_q[114], header_q[109:108]} &&
                          supported == supported_q && memory == read_q && locked == locked_q &&
                          config_write == config_write_q && address == at_q[31:2] &&
                          (!memory || length == header_q[105:96]) &&
                          first_be == header_q[67:64] && last_be == header_q[71:68] &&
                          (!config_write || data == data_q));
      behind_what_came_before: assert (before_q == '0);
    end
    if (first && !waits_for_others) offered_until_it_is_taken: assert (request_valid);
  end

  // --- the inside ----------------------------------------------------------------------------
  (* hierconn *) wire [3:0] \u_receive.requests_q , \u_receive.allowed_q ;
  (* hierconn *) wire [4:0] \u_receive.ordered_count , \u_receive.request_count ;
  (* hierconn *) wire [1:0] \u_receive.ordered_kind_out ;
  (* hierconn *) wire       \u_receive.beat_valid_q , \u_receive.room_q , \u_receive.non_posted_q ,
      \u_receive.in_tlp_q ;
  (* hierconn *) wire [4:0] \u_receive.u_ordered.next_q , \u_receive.u_requests.read_q ;
  (* hierconn *) wire [16*50-1:0]  \u_receive.u_ordered.u_memory.watched ;
  (* hierconn *) wire [16*116-1:0] \u_receive.u_requests.watched ;
  (* hierconn *) wire [115:0] \u_receive.request_out ;
  localparam logic [1:0] Marker = 2'd2;

  // Its marker among what is ordered
  logic       popped;
  logic [4:0] place_q, ordered;            // entries in front of the marker; all
  assign popped  = \u_receive.ordered_pop ;
  assign ordered = \u_receive.ordered_count + {4'd0, \u_receive.ordered_valid };
  always_ff @(posedge clk_i) if (running_q) begin
    if (marked_q && !judged_q) begin
      waits_for_others <= takes;
      place_q          <= ordered - {4'd0, popped};
    end else if (waits_for_others && popped) begin
      waits_for_others <= place_q != '0;
      place_q          <= place_q - 5'd1;
    end
  end

  logic [16:0] is_marker, is_other, in_front; // [16] is the head
  logic [4:0]  markers, others, markers_in_front, others_in_front;
  for (genvar w = 0; w < 16; w++) begin : gen_entry
    logic [3:0] from_next;
    logic       there;
    logic [1:0] kind_there;
    assign from_next    = 4'(w) - \u_receive.u_ordered.next_q [3:0];
    assign there        = {1'b0, from_next} < \u_receive.ordered_count ;
    assign kind_there   = \u_receive.u_ordered.u_memory.watched [w*50 + 48 +: 2];
    assign is_marker[w] = there && kind_there == Marker;
    assign is_other[w]  = there && kind_there != Marker;
    assign in_front[w]  = {1'b0, from_next} + 5'd1 < place_q;
    always_comb if (running_q && there) assert (kind_there != 2'd3);
  end
  assign is_marker[16] = \u_receive.ordered_valid && \u_receive.ordered_kind_out == Marker;
  assign is_other[16]  = \u_receive.ordered_valid && \u_receive.ordered_kind_out != Marker;
  assign in_front[16]  = place_q != '0;
  always_comb begin
    {markers, others, markers_in_front, others_in_front} = '0;
    for (int unsigned w = 0; w < 17; w++) begin
      markers          = markers + {4'd0, is_marker[w]};
      others           = others + {4'd0, is_other[w]};
      markers_in_front = markers_in_front + {4'd0, is_marker[w] && in_front[w]};
      others_in_front  = others_in_front + {4'd0, is_other[w] && in_front[w]};
    end
  end

  logic [3:0]   marker_at, request_at;     // where they stand in their queues
  logic [115:0] standing;
  assign marker_at  = \u_receive.u_ordered.next_q [3:0] + place_q[3:0] - 4'd1;
  assign request_at = \u_receive.u_requests.read_q [3:0] + ahead_q[3:0];
  assign standing   = \u_receive.u_requests.watched [request_at*116 +: 116];
  logic [3:0] head_at;
  assign head_at = \u_receive.u_requests.read_q [3:0];

  always_comb if (running_q) begin
    assert (inside_q == \u_receive.in_tlp_q );
    requests_are_counted: assert (stored_q == {1'b0, \u_receive.requests_q } &&
                                  stored_q == \u_receive.request_count );
    waiting_is_shown: assert (\u_receive.request_waiting ==
                              (\u_receive.request_count != '0));
    head_is_in_memory: assert (!\u_receive.request_waiting || \u_receive.request_out ==
                               \u_receive.u_requests.watched [head_at*116 +: 116]);
    ordered_is_shown: assert (\u_receive.ordered_valid || \u_receive.ordered_count == '0);
    // Beats under way when room ends
    room_is_kept: assert (
        {1'b0, \u_receive.requests_q } + {4'd0, \u_receive.last_q } <=
            (\u_receive.room_q ? 5'd10 : 5'd11) &&
        {1'b0, \u_receive.ordered_count } + {5'd0, \u_receive.last_q } <=
            (\u_receive.room_q ? 6'd15 : 6'd16));
    marker_for_each: assert (markers + {1'b0, \u_receive.allowed_q } == stored_q);
    others_are_counted: assert (others == others_q);
    head_is_legal: assert (!\u_receive.ordered_valid || \u_receive.ordered_kind_out != 2'd3);
    if (\u_receive.last_q ) kind_agrees: assert (pending_q == \u_receive.non_posted_q );
    else nothing_ends: assert (!pending_q);
    assert (!judged_q || marked_q);
    assert (!(marked_q && !judged_q) || (pending_q && !queued_q && !waits_for_others));
    assert (marked_q || (!queued_q && !waits_for_others));
    if (queued_q) begin
      in_queue: assert (judged_q && ahead_q < stored_q);
      stands: assert (standing[115:82] == {header_q[95:72], header_q[118:116], header_q[114],
                                           header_q[109:108], supported_q, read_q, locked_q,
                                           config_write_q} &&
                      standing[79:50] == at_q[31:2] &&
                      (!read_q || standing[49:40] == header_q[105:96]) &&
                      standing[39:32] == {header_q[67:64], header_q[71:68]} &&
                      (!config_write_q || standing[31:0] == data_q));
    end
    if (waits_for_others) begin
      its_marker: assert (queued_q && is_marker[place_q == '0 ? 5'd16 : {1'b0, marker_at}] &&
                          place_q < ordered && before_q == others_in_front &&
                          markers_in_front + {1'b0, \u_receive.allowed_q } == ahead_q);
    end else if (queued_q) begin
      may_be_shown: assert (before_q == '0 && {1'b0, \u_receive.allowed_q } > ahead_q);
    end
  end

  // --- all this happens ------------------------------------------------------------------------
  logic       was_behind_q = 1'b0, was_second_q = 1'b0;
  logic [7:0] kind_q;
  assign kind_q = header_q[127:120];
  always_ff @(posedge clk_i) if (queued_q) begin
    was_behind_q <= was_behind_q || before_q != '0;
    was_second_q <= was_second_q || ahead_q == 5'd1;
  end
  always_comb if (running_q && first && handed) begin
    read_is_handed_on: cover (memory && supported && was_behind_q);
    unsupported_is_handed_on: cover (!supported && kind_q[4:0] == 5'h0d);
    second_is_handed_on: cover (was_second_q);
    configuration_is_handed_on: cover (config_write && supported);
  end

endmodule

`default_nettype wire
