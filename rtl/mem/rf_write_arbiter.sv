// SPDX-License-Identifier: Apache-2.0
//
// Grants writes: one beat per cycle, of a master or of the CPU, chosen one cycle ahead
// (rf_select), round robin by beats; of the choices the CPU gets at most every other one. A master
// whose system write has begun keeps the system side until its last beat; masters take turns on
// it. A system beat that is not accepted is withdrawn while another is chosen, so local writes
// continue at least every other cycle.
//
// Promises: at most one beat per cycle; beats of a system write are not mixed with others; ready
// never depends on valid of the same master.

`default_nettype none

module rf_write_arbiter (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire rf_bus_pkg::write_heads_t heads_i,
  input  wire logic [4:0]   translated_i,      // the head whose translation comes now
  input  wire logic [4:0]   data_valid_i,
  output logic [4:0]        data_ready_o,
  input  wire logic         cpu_valid_i,
  output logic              cpu_ready_o,

  output logic [5:0]        select_next_o,     // select_o of the next cycle
  output logic [5:0]        select_o,          // one-hot or none; 5 is the CPU
  output logic [2:0]        index_o,
  input  wire logic         last_i,            // the beat selected ends its write
  output logic [5:0]        local_moves_o,
  output logic [4:0]        system_moves_o,

  input  wire logic         local_hold_i,      // no local beat in this cycle
  input  wire logic         system_room_i,     // rf_write_performed takes one more system beat
  output logic              system_valid_o,
  input  wire logic         system_ready_i
);

  logic [5:0] request;
  logic [4:0] local_may, system_may, system_offers;
  logic       cpu_turn;
  logic       system_owned_q, system_owned_d;  // a system write has begun and not ended
  logic       system_beats;

  // The choice is round robin by beats. After a master starts a system write it yields to masters
  // that have not had one in this round; when none of them asks, a new round begins.
  logic [4:0] begins, served_q;
  logic       unserved;
  assign begins     = system_moves_o & ~heads_i.begun;
  assign unserved   = (heads_i.to_system & data_valid_i & ~served_q & ~begins) != '0;
  assign system_may = heads_i.to_system & (heads_i.begun | ~({5{system_owned_q}} | served_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) served_q <= '0;
    else served_q <= unserved ? served_q | begins : 5'd0;
  end

  assign request = {cpu_valid_i, (heads_i.to_local | system_may) & data_valid_i};

  // The CPU is asked apart: its writes come late in their cycle.
  rf_select #(
    .Ports(6),
    .First(6'b100000)
  ) u_select (
    .clk_i,
    .rst_ni,
    .keep_i   (1'b0),
    .request_i(request),
    .hint_i   ({1'b0, translated_i}),
    .waiting_i({1'b0, heads_i.to_local | system_may}),
    .next_o   (select_next_o),
    .select_o (select_o),
    .index_o  (index_o)
  );

  // --- local side ------------------------------------------------------------------------------
  assign cpu_turn      = select_o[5] && !local_hold_i;
  assign local_may     = heads_i.to_local & {5{!local_hold_i}};
  assign local_moves_o = {cpu_turn && cpu_valid_i, select_o[4:0] & local_may & data_valid_i};
  assign cpu_ready_o   = cpu_turn;

  // --- system side -----------------------------------------------------------------------------
  assign system_offers  = select_o[4:0] & system_may & {5{system_room_i}};
  assign system_valid_o = (system_offers & data_valid_i) != '0;
  assign system_beats   = system_valid_o && system_ready_i;
  assign system_moves_o = system_offers & data_valid_i & {5{system_ready_i}};
  assign system_owned_d = system_beats ? !last_i : system_owned_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) system_owned_q <= 1'b0;
    else system_owned_q <= system_owned_d;
  end

  // Ready does not wait for valid: the master's own has far to come.
  assign data_ready_o = (select_o[4:0] & local_may) | (system_offers & {5{system_ready_i}});

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  logic [5:0] waiting_q;       // data offered and not taken
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= '0;
    else waiting_q <= {cpu_valid_i && !cpu_ready_o, data_valid_i & ~data_ready_o};
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      offered_data_stays: assert ((waiting_q & ~{cpu_valid_i, data_valid_i}) == '0);
    end
  end
  for (genvar m = 0; m < 5; m++) begin : gen_side
    always_ff @(posedge clk_i) begin
      if (rst_ni && heads_i.to_local[m]) one_side: assert (!heads_i.to_system[m]);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
