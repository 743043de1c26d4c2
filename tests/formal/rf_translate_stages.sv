// SPDX-License-Identifier: Apache-2.0
//
// Stands inside rf_translate in its two proofs: where each walk is, and how lookups and
// results go through the stages. Assumed: entries come of reads that are out.

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb assume (rst_ni == running_q);

`ifdef COVERS
  // The cover statements are many cycles from reset: one port asks for one page.
  localparam logic [PortBits-1:0] asker = 4'd8;
  localparam logic [3:0]   space = 4'd2;
  localparam logic [39:12] place = 28'h12345;
  localparam logic         stores = 1'b1;
  localparam logic [43:0]  target = 44'h7652345;
  always_comb begin
    assume (request_valid_i == '0 || request_valid_i == 14'd1 << asker);
    assume (request_i[asker*57 + 1 +: 56] == {space, 24'd0, place} && read_ready_i && entry_good_i);
    assume (entry_valid_i == (reading_q != '0) && !old_in_flight_i && !invalidate_busy_i);
  end
`else
  (* anyconst *) logic [PortBits-1:0] asker;
  (* anyconst *) logic [3:0]   space;       // VMID
  (* anyconst *) logic [39:12] place;       // virtual page
  (* anyconst *) logic         stores;
  (* anyconst *) logic [43:0]  target;      // {local, page}
  always_comb assume (asker < Ports);
`endif

  // --- rounds of invalidation ------------------------------------------------------------------
  (* hierconn *) wire [15:0]  \u_control.requested_q , \u_control.active_q ;
  (* hierconn *) wire [2:0]   \u_control.state_q ;
  (* hierconn *) wire [4:0]   \u_control.set_q ;
  logic reset_flushed_q, was_flush_q;
  localparam logic [2:0] Idle = 3'd0;
  localparam logic [2:0] Sweeps = 3'd1;
  localparam logic [2:0] Flushes = 3'd2;
  localparam logic [2:0] Settles = 3'd3;
  localparam logic [2:0] Drains = 3'd4;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reset_flushed_q <= 1'b0;
      was_flush_q     <= 1'b0;
    end else begin
      reset_flushed_q <= reset_flushed_q || flush_o;
      was_flush_q     <= flush_o;
    end
  end
  always_comb if (running_q) begin
    if (!reset_flushed_q) begin
      round_of_reset: assert (\u_control.active_q == '1 && (sweep || flush_o) && !lookup_q &&
                              missed == '0 && blocked_q == '1);
    end
    assert (\u_control.state_q <= Drains);
    if (\u_control.state_q == Idle) assert (\u_control.active_q == '0);
    if (\u_control.state_q != Sweeps) assert (\u_control.set_q == '0);
    if (\u_control.state_q >= Flushes) assert (\u_control.active_q != '0);
    if (was_flush_q) assert (\u_control.state_q == Settles);
    else assert (\u_control.state_q != Settles);
  end

  // --- walks -----------------------------------------------------------------------------------
  (* hierconn *) wire [1:0]    \u_walker.busy_q , \u_walker.old_q , \u_walker.redo_q ;
  (* hierconn *) wire [3:0]    \u_walker.level_q ;
  (* hierconn *) wire [2*37-1:0] \u_walker.u_context.watched ;  // {vmid, port, page, store}
  (* hierconn *) wire [7:0]    \u_walker.u_again_vmid.watched ;
  (* hierconn *) wire          \u_walker.step_valid_q , \u_walker.step_good_q ,
      \u_walker.step_walk_q , \u_walker.out_read_q , \u_walker.out_result_q ,
      \u_walker.out_walk_q , \u_walker.takes , \u_walker.asked_valid_q ,
      \u_walker.asked_store_q ;
  (* hierconn *) wire [3:0]    \u_walker.asked_port_q , \u_walker.asked_vmid_q ;
  (* hierconn *) wire [39:12]  \u_walker.asked_page_q ;
  logic [1:0] reading_q, hand_over, returned;  // reads handed over
  always_comb if (entry_valid_i) assume (reading_q[entry_id_i]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reading_q <= '0;
    else reading_q <= (reading_q & ~returned) | hand_over;
  end

  for (genvar w = 0; w < 2; w++) begin : gen_place
    logic [36:0] context;
    logic        in_step, in_read, in_result;
    assign context      = \u_walker.u_context.watched [w*37 +: 37];
    assign in_step      = \u_walker.step_valid_q && \u_walker.step_walk_q == w;
    assign in_read      = \u_walker.out_read_q && \u_walker.out_walk_q == w;
    assign in_result    = \u_walker.out_result_q && \u_walker.out_walk_q == w;
    assign hand_over[w] = read_valid_o && read_ready_i && read_id_o == w;
    assign returned[w]  = entry_valid_i && entry_ready_o && entry_id_i == w;
    always_comb if (running_q) begin
      assert ({2'd0, \u_walker.busy_q [w]} ==
              {2'd0, \u_walker.redo_q [w]} + {2'd0, in_step} + {2'd0, in_read} +
              {2'd0, in_result} + {2'd0, reading_q[w]});
      if (!\u_walker.busy_q [w]) assert (!\u_walker.old_q [w]);
      if (in_read || in_result) begin
        assert ({result_vmid, result_port, result_virtual} == context[36:1]);
      end
    end
  end

  // --- lookups and results ------------------------------------------------------------------------
  logic [32:0] answered_request;           // the one that the response is for
  logic [36:0] result_context;
  logic        one_result;
  assign result_context   = \u_walker.u_context.watched [\u_walker.out_walk_q *37 +: 37];
  assign answered_request = result2_q ? {result_context[36:33], result_context[28:0]}
                                      : missed_request_q;
  assign one_result       = {1'b0, result0_q} + {1'b0, result1_q} + {1'b0, result2_q} <= 2'd1;
  always_comb if (running_q) begin
    assert (!(\u_walker.out_read_q && \u_walker.out_result_q ));
    granted_is_looked_up: assert (granted_q == (lookup_q ? Ports'(1) << port_q : '0));
    looked_up_does_not_ask: assert ((granted_q & ~blocked_q) == '0);
    looked_up_is_known: assert (looked_up_q == '0 || looked_up_q == Ports'(1) << response_port_o);
    miss_was_looked_up: assert (!missed_any_q || looked_up_q != '0);
    result_alone: assert (one_result && !(response_valid_o && missed != '0) &&
                          (!sweep || !(result0_q || result1_q || result2_q)));
    if (result0_q || result1_q || result2_q) begin
      result_stays: assert (result_valid && !\u_walker.old_q [\u_walker.out_walk_q ]);
    end
    if (result_valid && \u_walker.old_q [\u_walker.out_walk_q ]) assert (sweep);
    if (result0_q || sweep) assert (blocked_q == '1);
    if (sweep && \u_control.set_q != '0 || flush_o) assert (!lookup_q);
    if (sweep && \u_control.set_q > 5'd1 || flush_o) assert (!response_valid_o);
    if (flush_o) assert (!result0_q && !result1_q && !result2_q);
    if (result1_q) begin
      assert (!lookup_q && port_q == result_port && blocked_q == '1 &&
              request_q == {result_vmid, result_virtual, 1'b0});
    end
    if (result2_q) begin
      assert (response_valid_o && missed == '0 && response_port_o == result_port && !lookup_q &&
              response_fault_o == result_fault);
    end else assert (!(response_valid_o && response_fault_o));
  end
