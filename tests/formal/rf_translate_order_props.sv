// SPDX-License-Identifier: Apache-2.0
//
// Answers go to who asked, in order. Stands inside rf_translate, behind
// rf_translate_stages.sv.
//
// Of any port: it is told in the cycle of its grant (port Direct) or in the next
// (`told_of_its_grant`), when the request that was looked at is seen (`granted_is_seen`).
// `oldest_q` is its oldest request that is not answered, `second_request_q` the one
// behind it; where they are is followed. Whenever the port is answered, the answer is for the
// oldest (`answers_who_asked`). What the TLB knows, what the walks find and how long they
// take is free here.

  // --- answers go to who asked, in order --------------------------------------------------------
  // Where a request of the port is
  localparam logic [2:0] Gone = 3'd0;
  localparam logic [2:0] Looks = 3'd1;     // in stage 1
  localparam logic [2:0] Missed = 3'd2;    // in stage 2
  localparam logic [2:0] Waits = 3'd3;     // in the FIFO
  localparam logic [2:0] Asked = 3'd4;     // next of the walker
  localparam logic [2:0] Walking = 3'd5;
  localparam logic [2:0] Hit = 3'd6;       // in stage 2
  (* hierconn *) wire [16*37-1:0] \u_misses.watched ;  // {port, vmid, page, store}
  (* hierconn *) wire [4:0] \u_misses.write_q , \u_misses.read_q ;
  logic [32:0] oldest_q, second_request_q, next_request;
  logic [56:0] request_of_asker;
  assign request_of_asker = request_i[asker*57 +: 57];
  assign next_request = {request_of_asker[56:53], rf_bus_pkg::virtual_page(request_of_asker[52:1]),
                  request_of_asker[0]};
  logic [2:0]  oldest_at_q, second_at_q, oldest_at, second_at;
  logic [3:0]  oldest_slot_q, second_slot_q, oldest_slot, second_slot;
  logic        granted_ours, answered, pops;
  logic [4:0]  misses;
  assign granted_ours = granted[asker];
  assign answered = answer_valid_o && answer_port_o == asker;
  assign pops     = walk_valid && walk_ready;
  assign misses   = \u_misses.write_q - \u_misses.read_q ;

  always_comb begin
    oldest_at   = oldest_at_q;
    second_at   = second_at_q;
    oldest_slot = (oldest_at_q == Missed) ? \u_misses.write_q [3:0] : oldest_slot_q;
    second_slot = (second_at_q == Missed) ? \u_misses.write_q [3:0] : second_slot_q;
    if (oldest_at_q == Looks) oldest_at = miss ? Missed : Hit;
    if (second_at_q == Looks) second_at = miss ? Missed : Hit;
    if (oldest_at_q == Missed) oldest_at = Waits;
    if (second_at_q == Missed) second_at = Waits;
    if (oldest_at_q == Waits && pops && oldest_slot_q == \u_misses.read_q [3:0]) oldest_at = Asked;
    if (second_at_q == Waits && pops && second_slot_q == \u_misses.read_q [3:0]) second_at = Asked;
    if (oldest_at_q == Asked && \u_walker.takes ) oldest_at = Walking;
    if (second_at_q == Asked && \u_walker.takes ) second_at = Walking;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oldest_at_q <= Gone;
      second_at_q <= Gone;
    end else if (answered || oldest_at_q == Gone) begin
      oldest_at_q      <= (second_at_q != Gone) ? second_at : granted_ours ? Looks : Gone;
      oldest_slot_q    <= second_slot;
      oldest_q         <= (second_at_q != Gone) ? second_request_q : next_request;
      second_at_q      <= (second_at_q != Gone && granted_ours) ? Looks : Gone;
      second_request_q <= next_request;
    end else begin
      oldest_at_q   <= oldest_at;
      oldest_slot_q <= oldest_slot;
      second_at_q   <= (second_at_q != Gone) ? second_at : granted_ours ? Looks : Gone;
      second_slot_q <= second_slot;
      if (second_at_q == Gone) second_request_q <= next_request;
    end
  end

  logic [4:0] oldest_age, second_age;
  logic       looks, walks, asked, leaves;
  logic [1:0] of_walker;                   // the walk is the port's
  logic [2:0] unanswered;                  // misses
  assign oldest_age = {1'b0, 4'(oldest_slot_q - \u_misses.read_q [3:0])};
  assign second_age = {1'b0, 4'(second_slot_q - \u_misses.read_q [3:0])};
  assign looks = granted_q[asker];
  assign asked = \u_walker.asked_valid_q && \u_walker.asked_port_q == asker;
  assign walks = of_walker != '0;
  assign leaves = result2_q && answered;
  assign unanswered = {2'd0, oldest_at_q >= Waits && oldest_at_q <= Walking && !leaves} +
                      {2'd0, second_at_q >= Waits && second_at_q <= Walking};

  always_comb if (running_q) begin
    told_of_its_grant: assert (request_ready_o[asker] ==
                               (asker == Direct ? granted_ours : looks));
    if (granted_ours) begin
      two_at_most: assert (second_at_q == Gone || answered);
      asks_anew: assert (request_valid_i[asker] && (asker == Direct || !request_ready_o[asker]));
    end
    if (asker != Direct) one_at_most: assert (second_at_q == Gone);
    if (answered) begin
      answers_who_asked: assert (answered_request == oldest_q &&
                                 oldest_at_q == (result2_q ? Walking : Hit));
    end
    // The inside
    looked_up: assert (looks == (oldest_at_q == Looks || second_at_q == Looks));
    missed_there: assert (missed[asker] == (oldest_at_q == Missed || second_at_q == Missed));
    hit_there: assert ((answered && !result2_q) == (oldest_at_q == Hit));
    asked_there: assert (asked == (oldest_at_q == Asked || second_at_q == Asked));
    walks_there: assert (walks == (oldest_at_q == Walking) && of_walker != 2'b11);
    unique case (second_at_q)
      Gone: ;
      Looks: assert (oldest_at_q == Missed || oldest_at_q == Hit);
      Missed: assert (oldest_at_q == Waits);
      Waits: assert (oldest_at_q == Asked || oldest_at_q == Walking ||
                     (oldest_at_q == Waits && oldest_age < second_age));
      Asked: assert (oldest_at_q == Walking);
      default: assert (1'b0);
    endcase
    assert (oldest_at_q != 3'd7);
    if (oldest_at_q == Gone) assert (second_at_q == Gone);
    missing_stands: assert (missing_q[asker] == (unanswered != '0) &&
                            (asker == Direct && second_q) == (unanswered == 3'd2));
    if (missing_q[asker]) assert (blocked_q[asker]);
    if (looks) begin
      assert (request_q == (second_at_q == Looks ? second_request_q : oldest_q));
      granted_is_seen: assert (request_seen_o == (second_at_q == Looks ? second_request_q[32:1]
                                                                       : oldest_q[32:1]));
    end
    if (missed[asker]) begin
      assert (missed_request_q == (second_at_q == Missed ? second_request_q : oldest_q));
    end
    if (oldest_at_q == Hit) assert (missed_request_q == oldest_q);
    if (asked) begin
      assert ({\u_walker.asked_vmid_q , \u_walker.asked_page_q , \u_walker.asked_store_q } ==
              (second_at_q == Asked ? second_request_q : oldest_q));
    end
    if (walk_valid) begin
      assert (misses != '0 && {walk_port, walk_vmid, walk_page, walk_store} ==
                              \u_misses.watched [\u_misses.read_q [3:0]*37 +: 37]);
    end
    // The FIFO has place for 16.
    room_for_misses: assert (misses + {4'd0, missed_any_q} + {4'd0, lookup_q} <= 5'd15 &&
                             misses <= 5'd15);
    assert (missed_any_q == (missed != '0));
    if (oldest_at_q == Waits) begin
      assert (oldest_age < misses &&
              \u_misses.watched [oldest_slot_q*37 +: 37] == {asker, oldest_q});
    end
    if (second_at_q == Waits) begin
      assert (second_age < misses &&
              \u_misses.watched [second_slot_q*37 +: 37] == {asker, second_request_q});
    end
  end

  for (genvar w = 0; w < 2; w++) begin : gen_of_walker
    logic [36:0] context;
    assign context = \u_walker.u_context.watched [w*37 +: 37];
    assign of_walker[w] = \u_walker.busy_q [w] && context[32:29] == asker;
    always_comb if (running_q && of_walker[w]) begin
      assert ({context[36:33], context[28:0]} == oldest_q);
    end
  end

  for (genvar i = 0; i < 16; i++) begin : gen_miss
    logic [36:0] entry;
    logic [3:0]  age;
    assign entry = \u_misses.watched [i*37 +: 37];
    assign age   = 4'(i) - \u_misses.read_q [3:0];
    always_comb if (running_q && {1'b0, age} < misses && entry[36:33] == asker) begin
      assert ((oldest_at_q == Waits && oldest_slot_q == i) ||
                                 (second_at_q == Waits && second_slot_q == i));
    end
  end

  // --- as many misses as ports, and one --------------------------------------------------
  // Wherever a miss can be: in the FIFO, next of the walker, in a walk
  localparam int unsigned Places = 16 + 1 + 2;
  logic [Places-1:0]   there;
  logic [Places*4-1:0] whose;
  logic [4:0]          of_direct, of_all, missing;
  assign there[16]         = \u_walker.asked_valid_q ;
  assign whose[16*4 +: 4]  = \u_walker.asked_port_q ;
  assign there[17 +: 2]    = \u_walker.busy_q & ~({1'b0, result2_q} << \u_walker.out_walk_q );
  assign whose[17*4 +: 8]  = \u_walker.port_q ;
  for (genvar i = 0; i < 16; i++) begin : gen_there
    assign there[i]        = {1'b0, 4'(4'(i) - \u_misses.read_q [3:0])} < misses;
    assign whose[i*4 +: 4] = \u_misses.watched [i*37 + 33 +: 4];
  end

  always_comb begin
    of_direct = '0;
    of_all    = misses;
    missing   = {4'd0, second_q};
    for (int unsigned i = 16; i < Places; i++) of_all = of_all + {4'd0, there[i]};
    for (int unsigned i = 0; i < Places; i++) begin
      of_direct = of_direct + {4'd0, there[i] && whose[i*4 +: 4] == Direct};
    end
    for (int unsigned p = 0; p < Ports; p++) missing = missing + {4'd0, missing_q[p]};
  end

  always_comb if (running_q) begin
    counted_once: assert (of_all == missing);
    two_of_direct: assert (of_direct == {4'd0, missing_q[Direct]} + {4'd0, second_q});
    second_is_blocked: assert (!second_q || !missed[Direct]);
    for (int unsigned p = 0; p < Ports; p++) begin
      if (missing_q[p]) assert (blocked_q[p] && !granted_q[p] && (p == Direct || !missed[p]));
      if (granted_q[p] && missed[p]) assert (p == Direct);
    end
    for (int unsigned i = 0; i < Places; i++) begin
      if (there[i]) assert (whose[i*4 +: 4] < Ports && missing_q[whose[i*4 +: 4]]);
      for (int unsigned j = 0; j < i; j++) begin
        if (there[i] && there[j] && whose[i*4 +: 4] == whose[j*4 +: 4]) begin
          assert (whose[i*4 +: 4] == Direct);
        end
      end
    end
  end

  always_comb if (running_q) begin
    second_waits: cover (second_at_q == Asked && oldest_at_q == Walking);
    second_answered: cover (answered && was_second_q && second_at_q == Gone);
    hit_behind_a_hit: cover (oldest_at_q == Hit && second_at_q == Looks && !after_miss);
  end
  logic was_second_q;                      // the oldest was the second
  always_ff @(posedge clk_i) begin
    if (answered) was_second_q <= second_at_q == Asked;
  end
