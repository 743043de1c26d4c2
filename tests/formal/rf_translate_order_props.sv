// SPDX-License-Identifier: Apache-2.0
//
// Responses go to the port that asked. Included in rf_translate, after rf_translate_stages.sv.
//
// Of any port: it is told in the cycle behind its grant (`told_of_its_grant`), when the request that
// was looked at is seen (`granted_is_seen`), and is granted again when it was answered
// (`one_at_most`). `request_of_q` is its request that is not answered; where that is is followed.
// Whenever the port is answered, the response is for it (`answers_who_asked`). What the TLB knows,
// what the walks find and how long they take is free here.

  // --- responses go to the right port ------------------------------------------------------------------
  // Where the request of the port is
  localparam logic [2:0] Gone = 3'd0;
  localparam logic [2:0] Looks = 3'd1;     // in stage 1
  localparam logic [2:0] Missed = 3'd2;    // in stage 2
  localparam logic [2:0] Waits = 3'd3;     // in the FIFO
  localparam logic [2:0] Asked = 3'd4;     // next of the walker
  localparam logic [2:0] Walking = 3'd5;
  localparam logic [2:0] Hit = 3'd6;       // in stage 2
  (* hierconn *) wire [16*37-1:0] \u_misses.watched ;  // {port, vmid, page, store}
  (* hierconn *) wire [4:0] \u_misses.write_q , \u_misses.read_q ;
  logic [32:0] request_of_q, next_request;
  logic [56:0] request_of_asker;
  assign request_of_asker = request_i[asker*57 +: 57];
  assign next_request = {request_of_asker[56:53], rf_bus_pkg::virtual_page(request_of_asker[52:1]),
                  request_of_asker[0]};
  logic [2:0]  at_q, at;
  logic [3:0]  slot_q;
  logic        granted_ours, answered, pops;
  logic [4:0]  misses;
  assign granted_ours = granted[asker];
  assign answered = response_valid_o && response_port_o == asker;
  assign pops     = walk_valid && walk_ready;
  assign misses   = \u_misses.write_q - \u_misses.read_q ;

  always_comb begin
    at = at_q;
    if (at_q == Looks) at = miss ? Missed : Hit;
    if (at_q == Missed) at = Waits;
    if (at_q == Waits && pops && slot_q == \u_misses.read_q [3:0]) at = Asked;
    if (at_q == Asked && \u_walker.takes ) at = Walking;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= Gone;
    else if (answered || at_q == Gone) at_q <= granted_ours ? Looks : Gone;
    else at_q <= at;
  end

  always_ff @(posedge clk_i) begin
    if (answered || at_q == Gone) request_of_q <= next_request;
    if (at_q == Missed) slot_q <= \u_misses.write_q [3:0];
  end

  logic [4:0] age;
  logic       looks, walks, asked, leaves;
  logic [1:0] of_walker;                   // the walk is the port's
  assign age   = {1'b0, 4'(slot_q - \u_misses.read_q [3:0])};
  assign looks = granted_q[asker];
  assign asked = \u_walker.asked_valid_q && \u_walker.asked_port_q == asker;
  assign walks = of_walker != '0;
  assign leaves = result2_q && answered;

  always_comb if (running_q) begin
    told_of_its_grant: assert (request_ready_o[asker] == looks);
    if (granted_ours) begin
      one_at_most: assert (at_q == Gone || answered);
      asks_anew: assert (request_valid_i[asker] && !request_ready_o[asker]);
    end
    if (answered) begin
      answers_who_asked: assert (answered_request == request_of_q &&
                                 at_q == (result2_q ? Walking : Hit));
    end
    // The inside
    looked_up: assert (looks == (at_q == Looks));
    missed_there: assert (missed[asker] == (at_q == Missed));
    hit_there: assert ((answered && !result2_q) == (at_q == Hit));
    asked_there: assert (asked == (at_q == Asked));
    walks_there: assert (walks == (at_q == Walking) && of_walker != 2'b11);
    assert (at_q != 3'd7);
    missing_stands: assert (missing_q[asker] == (at_q >= Waits && at_q <= Walking && !leaves));
    if (missing_q[asker]) assert (blocked_q[asker]);
    if (looks) begin
      assert (request_q == request_of_q);
      granted_is_seen: assert (request_seen_o == request_of_q[32:1]);
    end
    if (missed[asker] || at_q == Hit) assert (missed_request_q == request_of_q);
    if (asked) begin
      assert ({\u_walker.asked_vmid_q , \u_walker.asked_page_q , \u_walker.asked_store_q } ==
              request_of_q);
    end
    if (walk_valid) begin
      assert (misses != '0 && {walk_port, walk_vmid, walk_page, walk_store} ==
                              \u_misses.watched [\u_misses.read_q [3:0]*37 +: 37]);
    end
    // The FIFO has place for 16.
    room_for_misses: assert (misses + {4'd0, missed_any_q} + {4'd0, lookup_q} <= 5'd15 &&
                             misses <= 5'd15);
    assert (missed_any_q == (missed != '0));
    if (at_q == Waits) begin
      assert (age < misses && \u_misses.watched [slot_q*37 +: 37] == {asker, request_of_q});
    end
  end

  for (genvar w = 0; w < 2; w++) begin : gen_of_walker
    logic [36:0] context;
    assign context = \u_walker.u_context.watched [w*37 +: 37];
    assign of_walker[w] = \u_walker.busy_q [w] && context[32:29] == asker;
    always_comb if (running_q && of_walker[w]) begin
      assert ({context[36:33], context[28:0]} == request_of_q);
    end
  end

  for (genvar i = 0; i < 16; i++) begin : gen_miss
    logic [36:0] entry;
    logic [3:0]  entry_age;
    assign entry     = \u_misses.watched [i*37 +: 37];
    assign entry_age = 4'(i) - \u_misses.read_q [3:0];
    always_comb if (running_q && {1'b0, entry_age} < misses && entry[36:33] == asker) begin
      assert (at_q == Waits && slot_q == i);
    end
  end

  // --- as many misses as ports ----------------------------------------------------------------
  // Wherever a miss can be: in the FIFO, next of the walker, in a walk
  localparam int unsigned Places = 16 + 1 + 2;
  logic [Places-1:0]   there;
  logic [Places*4-1:0] whose;
  logic [4:0]          of_all, missing;
  assign there[16]         = \u_walker.asked_valid_q ;
  assign whose[16*4 +: 4]  = \u_walker.asked_port_q ;
  assign there[17 +: 2]    = \u_walker.busy_q & ~({1'b0, result2_q} << \u_walker.out_walk_q );
  assign whose[17*4 +: 4]  = \u_walker.u_context.watched [29 +: 4];
  assign whose[18*4 +: 4]  = \u_walker.u_context.watched [37 + 29 +: 4];
  for (genvar i = 0; i < 16; i++) begin : gen_there
    assign there[i]        = {1'b0, 4'(4'(i) - \u_misses.read_q [3:0])} < misses;
    assign whose[i*4 +: 4] = \u_misses.watched [i*37 + 33 +: 4];
  end

  always_comb begin
    of_all  = misses;
    missing = '0;
    for (int unsigned i = 16; i < Places; i++) of_all = of_all + {4'd0, there[i]};
    for (int unsigned p = 0; p < Ports; p++) missing = missing + {4'd0, missing_q[p]};
  end

  always_comb if (running_q) begin
    counted_once: assert (of_all == missing);
    for (int unsigned p = 0; p < Ports; p++) begin
      if (missing_q[p]) assert (blocked_q[p] && !granted_q[p] && !missed[p]);
      if (granted_q[p]) assert (!missed[p]);
    end
    for (int unsigned i = 0; i < Places; i++) begin
      if (there[i]) assert (whose[i*4 +: 4] < Ports && missing_q[whose[i*4 +: 4]]);
      for (int unsigned j = 0; j < i; j++) begin
        if (there[i] && there[j]) assert (whose[i*4 +: 4] != whose[j*4 +: 4]);
      end
    end
  end

  always_comb if (running_q) begin
    answered_by_a_walk: cover (answered && result2_q);
    hit_behind_a_walk: cover (answered && !result2_q && was_walk_q);
    asked_in_the_cycle_of_the_response: cover (answered && granted_ours);
  end
  logic was_walk_q;                        // the response before came of a walk
  always_ff @(posedge clk_i) begin
    if (answered) was_walk_q <= result2_q;
  end
