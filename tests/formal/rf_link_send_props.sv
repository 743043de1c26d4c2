// SPDX-License-Identifier: Apache-2.0
//
// What leaves the transmitter of the link, read symbol by symbol: no ordered set is ever cut, by
// any sequence of requests, and no packet either. Stands inside rf_link_send.
//
// Free: the request in every cycle, but for the compliance pattern and loopback, which are not made
// of ordered sets; the fields of training sets; packets, without COM and without pauses.

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);
  always_comb begin
    assume (request_i != rf_link_pkg::SendCompliance && request_i != rf_link_pkg::SendLoop &&
            request_i <= rf_link_pkg::SendLoop);
    assume (!packet_word_i[16] || packet_word_i[7:0] != Com);
    assume (!packet_word_i[17] || packet_word_i[15:8] != Com);
    assume (!packet_q || packet_valid_i);
  end

  // Words of the set that are still to come, and of which kind it is
  localparam logic [1:0] IsTraining = 2'd0;
  localparam logic [1:0] IsSkp = 2'd1;
  localparam logic [1:0] IsEios = 2'd2;
  logic [2:0] left_q = 3'd0;
  logic [1:0] set_kind_q = IsTraining;
  logic [7:0] id_seen_q = 8'd0;
  logic [7:0] low, high;
  logic       begins;
  assign low    = tx_word_o[7:0];
  assign high   = tx_word_o[15:8];
  assign begins = !tx_idle_o && tx_word_o[16] && low == Com;

  always_ff @(posedge clk_i) if (running_q) begin
    id_seen_q <= low;
    if (left_q != 3'd0) left_q <= left_q - 3'd1;
    if (begins) begin
      set_kind_q <= tx_word_o[17] && high == rf_link_pkg::Skp ? IsSkp :
                    tx_word_o[17] && high == rf_link_pkg::Idl ? IsEios : IsTraining;
      left_q     <= tx_word_o[17] && (high == rf_link_pkg::Skp || high == rf_link_pkg::Idl) ? 3'd1
                                                                                            : 3'd7;
    end
  end

  always_comb if (running_q) begin
    com_is_first: assert (tx_idle_o || !tx_word_o[17] || high != Com);
    if (left_q != 3'd0) begin
      not_cut_by_a_set: assert (!begins);
      not_cut_by_idle: assert (!tx_idle_o);
      if (set_kind_q == IsSkp)
        three_skps: assert (tx_word_o == {2'b11, rf_link_pkg::Skp, rf_link_pkg::Skp});
      if (set_kind_q == IsEios)
        three_idls: assert (tx_word_o == {2'b11, rf_link_pkg::Idl, rf_link_pkg::Idl});
      if (set_kind_q == IsTraining && left_q <= 3'd5) begin
        identifiers: assert (tx_word_o == {2'b00, rf_link_pkg::Ts1, rf_link_pkg::Ts1} ||
                             tx_word_o == {2'b00, rf_link_pkg::Ts2, rf_link_pkg::Ts2});
        one_identifier: assert (left_q == 3'd5 || low == id_seen_q);
      end
    end
    packet_not_cut: assert (!packet_q || item_q == rf_link_pkg::SendPackets);
  end

  // A training set, whole, behind one of the other kind
  logic [1:0] whole_q = 2'd0;
  always_ff @(posedge clk_i) if (running_q) begin
    if (left_q == 3'd1 && set_kind_q == IsTraining) whole_q[low == rf_link_pkg::Ts2] <= 1'b1;
  end
  always_comb if (running_q) begin
    both_kinds: cover (whole_q == 2'b11 && begins);
    whole_eios: cover (left_q == 3'd1 && set_kind_q == IsEios);
    asked_amid_a_packet: cover (packet_q && request_i == rf_link_pkg::SendTs1);
  end
