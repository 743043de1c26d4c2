// SPDX-License-Identifier: Apache-2.0
//
// Credits of the other side, counted here as numbers that never wrap: a TLP of a class is admitted
// only if there are credits for it, and whenever there were in the cycle before and none has gone:
// so none is sent without, and none is lost. Stands inside rf_link_credit.
//
// Free: InitFC and UpdateFC in every cycle, as far as 2.6.1.2 allows: at most 127 header and 2047
// data credits may be unused. TLPs that were admitted, in every cycle; the link may go down.

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);
  always_comb begin
    assume ((consume_i & ~admits_o) == '0 || !link_up_i);
    assume (need_i <= 9'd256);
    assume (consume_i == 3'b000 || consume_i == 3'b001 || consume_i == 3'b010 ||
            consume_i == 3'b100);
  end

  logic [2:0] known_seen, is_known, is_kept, is_unused, is_bounded, is_counted, is_exact;
  logic [2:0] no_data, again, is_safe, is_left;
  for (genvar i = 0; i < 3; i++) begin : gen_watched
    logic [7:0]  headers_q = '0, headers_field_q, headers_more;   // unused credits
    logic [11:0] data_q = '0, data_field_q, data_more, wanted;
    logic        seen_q = 1'b0, headers_free_q, data_free_q, takes, first, later;
    logic [7:0]  headers_before_q = '0;   // a cycle ago
    logic [11:0] data_before_q = '0;
    logic        seen_before_q = 1'b0, went_q = 1'b0;

    assign known_seen[i] = seen_q;
    assign takes         = class_i == 2'(i) && (init_i || update_i);
    assign first         = takes && init_i && !seen_q;
    assign later         = takes && update_i && seen_q;
    assign headers_more  = first ? headers_i : later ? headers_i - headers_field_q : 8'd0;
    assign data_more     = first ? data_i : later ? data_i - data_field_q : 12'd0;
    assign wanted        = i == 1 ? 12'd0 : {3'd0, need_i};

    always_comb begin
      assume ({1'b0, headers_q} + {1'b0, headers_more} <= 9'd127);
      assume ({1'b0, data_q} + {1'b0, data_more} <= 13'd2047);
    end

    always_ff @(posedge clk_i) begin
      if (first) begin
        seen_q         <= 1'b1;
        headers_free_q <= headers_i == '0;
        data_free_q    <= data_i == '0;
      end
      if (first || later) begin
        headers_field_q <= headers_i;
        data_field_q    <= data_i;
      end
      headers_q <= headers_q + headers_more - (headers_free_q ? 8'd0 : {7'd0, consume_i[i]});
      data_q    <= data_q + data_more - (data_free_q || !consume_i[i] ? 12'd0 : wanted);
      headers_before_q <= headers_q;
      data_before_q    <= data_q;
      seen_before_q    <= seen_q && running_q;
      went_q           <= consume_i[i];
      if (!link_up_i || !running_q) begin
        seen_q    <= 1'b0;
        headers_q <= '0;
        data_q    <= '0;
      end
    end

    // What has to hold of each class
    assign is_known[i]   = seen_q == known_q[i];
    assign is_kept[i]    = !seen_q || (headers_free_q == gen_class[i].headers_infinite_q &&
                                       data_free_q == gen_class[i].data_infinite_q &&
                                       headers_field_q == gen_class[i].headers_limit_q &&
                                       data_field_q == gen_class[i].data_limit_q);
    assign is_unused[i]  = seen_q || (gen_class[i].headers_used_q == '0 && headers_q == '0 &&
                                      gen_class[i].data_used_q == '0 && data_q == '0);
    assign is_bounded[i] = !seen_q || (headers_q <= 8'd127 && data_q <= 12'd2047);
    assign is_counted[i] = !seen_q ||
                           ((headers_free_q || headers_q == gen_class[i].headers_limit_q -
                                                           gen_class[i].headers_used_q) &&
                            (data_free_q || data_q == gen_class[i].data_limit_q -
                                                      gen_class[i].data_used_q));
    assign is_safe[i]    = !admits_o[i] || (&known_seen && (headers_free_q || headers_q != '0) &&
                                            (data_free_q || data_q >= wanted));
    assign is_left[i]    = !seen_before_q || !seen_q ||
                           ((headers_free_q || gen_class[i].headers_some_q ==
                                               (headers_before_q != '0)) &&
                            (data_free_q || gen_class[i].data_left_q == data_before_q) &&
                            gen_class[i].settles_q == went_q &&
                            headers_before_q <= headers_q + {7'd0, went_q} &&
                            (went_q || data_before_q <= data_q) && data_before_q <= 12'd2047);
    assign is_exact[i]   = admits_o[i] == (&known_seen && seen_before_q && !went_q &&
                                           (headers_free_q || headers_before_q != '0) &&
                                           (data_free_q || data_before_q >= wanted));
    assign no_data[i]    = &known_seen && seen_before_q && !data_free_q && !went_q &&
                           headers_before_q != '0 && !admits_o[i] && data_q != '0;
    assign again[i]      = later && headers_q == '0 && !headers_free_q;
  end

  always_comb if (running_q) begin
    known: assert (&is_known);
    fields_kept: assert (&is_kept);
    nothing_used_before: assert (&is_unused);
    bounded: assert (&is_bounded);
    counted: assert (&is_counted);
    left: assert (&is_left);
    no_more_than_there_are: assert (&is_safe);
    as_many_as_there_were: assert (&is_exact);
    data_run_out: cover (no_data != '0);
    headers_again: cover (again != '0);
  end
