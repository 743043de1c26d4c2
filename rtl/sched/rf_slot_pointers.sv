// SPDX-License-Identifier: Apache-2.0
//
// Read and write pointers of every slot, and whether there is work between them. An offered write
// pointer is accepted if it is above the present one and at most a ring ahead of the read pointer;
// any other is only counted. The read pointer is at most 4096 behind, so 15 bits of it are stored.
//
// Promises: one offer per cycle, decided in that cycle; an offer in the cycle in which the last
// entry retires leaves the slot with work. What an offer is compared with is read in the cycle
// before, in which its slot is named, and is never older than the memories. The offer of a ring
// comes two cycles after the ring, and an access to the pointers acts two cycles after it was on
// the bus, so a read sees earlier rings. Writes of POINTERS are never refused, and no offer comes
// in the cycle in which one acts, so each memory has one writer per cycle. A retirement that
// coincides with such a write is postponed; the slot must not be chosen meanwhile.

`default_nettype none

module rf_slot_pointers (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic [3:0]  ring_next_slot_i, // of the offer of the next cycle, if there is one
  input  wire logic        ring_valid_i,
  input  wire logic [3:0]  ring_slot_i,
  input  wire logic [47:0] ring_write_pointer_i,
  output logic             ring_moved_o,     // else: repeated, out of range, or stale
  output logic             ring_repeated_o,
  output logic             ring_range_o,

  input  wire logic        retire_valid_i,   // the entry at the read pointer is complete
  output logic             retire_ready_o,
  input  wire logic [3:0]  retire_slot_i,
  output logic [15:0]      postponed_o,      // its slot, while a write of POINTERS is in the
                                             // way: the read pointer stays old

  input  wire logic        set_write_i,      // write of POINTERS: no pointer else moves in the
                                             // next cycle, nor is there an offer
  input  wire logic [15:0] set_here_i,       // ... and it sets this slot, one-hot, or none
  input  wire logic [1:0]  set_strobe_i,     // bits 47:32, 31:0 are written
  input  wire logic [47:0] set_pointer_i,
  input  wire logic        log2_write_i,     // write of CONFIG.ring_log2
  input  wire logic [3:0]  log2_i,

  output logic [15:0]      work_o,

  // Low bits (differences are at most 4096) for the slot of each node; the read pointer
  // for the one that it loads, which is the same while it serves it.
  input  wire logic [7:0]  node_slot_i,
  input  wire logic [7:0]  node_load_slot_i,
  output logic [25:0]      node_read_pointer_o,
  output logic [25:0]      node_write_pointer_o,

  input  wire logic [3:0]  register_slot_i,  // that the register bus names: reads, and above
  output logic [47:0]      register_read_pointer_o,  // one cycle later, both
  output logic [47:0]      register_write_pointer_o,
  output logic             idle_o            // no register write acts
);

  // What a ring moved counts one cycle later, in front of the bits of all slots.
  logic        moved_q;       // the ring of the last cycle did,
  logic [15:0] moved_here_q;  // here
  logic [15:0] came;
  logic [15:0] work_q;        // there is work

  // Register accesses.
  logic        set_write_q, log2_write_q;
  logic [15:0] set_here_q;
  logic [1:0]  set_strobe_q;
  logic [3:0]  register_slot_q, log2_q;
  logic [47:0] set_pointer_q, set_pointer;

  logic        set, read_write, write_write;
  logic [3:0]  read_write_slot, write_write_slot;
  logic [14:0] read_write_data;
  logic [47:0] write_write_data;
  assign set         = set_here_q != '0;
  assign set_pointer = {set_strobe_q[1] ? set_pointer_q[47:32] : register_write_pointer_o[47:32],
                        set_strobe_q[0] ? set_pointer_q[31:0] : register_write_pointer_o[31:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_write_q     <= 1'b0;
      set_here_q      <= '0;
      log2_write_q    <= 1'b0;
    end else begin
      set_write_q     <= set_write_i;
      set_here_q      <= set_here_i;
      log2_write_q    <= log2_write_i;
    end
  end

  assign idle_o = !set_write_q && !log2_write_q;

  always_ff @(posedge clk_i) begin
    set_strobe_q    <= set_strobe_i;
    set_pointer_q   <= set_pointer_i;
    register_slot_q <= register_slot_i;
    log2_q          <= log2_i;
  end

  // --- an offer -------------------------------------------------------------------
  // How far it moves the pointer tells what it is. One that moves it by less than 8192 is in
  // range if the low bits say so: more than a ring lies neither between the pointers nor
  // between any of them and the limit. It does if the upper bits are the known ones, or are the
  // next ones and the low bits wrap: that is told of each bit by itself, since a carry through
  // all of them takes too long.
  localparam int unsigned Near = 13;

  // Is a below b? A tree: a carry chain comes late, and the mapping to LUTs does not know that.
  function automatic logic below(input logic [15:0] a, input logic [15:0] b);
    logic [15:0] less, equal; // of the bits from i down, in steps of twice as many
    less  = ~a & b;
    equal = ~(a ^ b);
    for (int unsigned s = 1; s < 16; s *= 2) begin
      less  = less | (equal & (less << s));
      equal = equal & (equal << s);
    end
    below = less[15];
  endfunction

  logic [47:0]      ring_known_q;
  logic [14:0]      ring_limit_q;       // read pointer + ring size
  logic             beyond;             // that is behind the pointer: the sign of the difference
  logic             wraps, differs, same, next, behind;
  logic [48:Near]   offered, known;     // with a 0 above, so that the last has no next
  logic [48:Near]   sum, carries;       // of offered - known - 1, if that is 0

  assign wraps     = below({3'd0, ring_write_pointer_i[Near-1:0]}, {3'd0, ring_known_q[Near-1:0]});
  assign differs   = ring_write_pointer_i[Near-1:0] != ring_known_q[Near-1:0];
  assign offered   = {1'b0, ring_write_pointer_i[47:Near]};
  assign known     = {1'b0, ring_known_q[47:Near]};
  assign sum       = offered ^ ~known;
  assign carries   = {offered[47:Near] | ~known[47:Near], 1'b0};
  assign same      = offered == known;
  assign next      = sum == carries;
  assign behind    = ring_write_pointer_i < ring_known_q;
  assign beyond    = ring_limit_q[14] ^ ring_write_pointer_i[14] ^
                     below({2'd0, ring_limit_q[13:0]}, {2'd0, ring_write_pointer_i[13:0]});

  assign ring_repeated_o = ring_valid_i && same && !differs;
  assign ring_moved_o    = ring_valid_i && (wraps ? next : same && differs) && !beyond;
  assign ring_range_o    = ring_valid_i && !behind && !ring_repeated_o && !ring_moved_o;

  // --- a retirement, one cycle after it was taken -----------------------------------
  // Its sum is ready then: nothing else moves the read pointer of a slot that is served.
  logic       retiring_q;
  logic [3:0] retiring_slot_q;
  logic [14:0] read_low, retire_next_q;
  logic [12:0] retire_known, size;
  logic        retire, retire_empty;

  assign retire_ready_o = !retiring_q;
  assign retire         = retiring_q && !set_write_q;
  assign postponed_o    = (retiring_q && set_write_q) ? 16'd1 << retiring_slot_q : '0;
  assign retire_empty   = retire_known == retire_next_q[12:0];

  assign read_write       = set || retire;
  assign read_write_slot  = set_write_q ? register_slot_q : retiring_slot_q;
  assign read_write_data  = set_write_q ? set_pointer[14:0] : retire_next_q;
  assign write_write      = set || ring_moved_o;
  assign write_write_slot = set_write_q ? register_slot_q : ring_slot_i;
  assign write_write_data = set_write_q ? set_pointer : ring_write_pointer_i;

  // A ring meets a retirement: the slot has work.
  logic [15:0] retired_here;
  assign retired_here = (retire && retire_empty) ? 16'd1 << retiring_slot_q : '0;
  assign came         = moved_q ? moved_here_q : '0;
  assign work_o       = work_q | came;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      work_q      <= '0;
      moved_q     <= 1'b0;
      retiring_q  <= 1'b0;
    end else begin
      retiring_q  <= (retire_valid_i && retire_ready_o) || (retiring_q && !retire);
      work_q      <= work_o & ~retired_here & ~set_here_q;
      moved_q     <= ring_moved_o;
    end
  end

  always_ff @(posedge clk_i) begin
    moved_here_q <= 16'd1 << ring_slot_i;
    if (retire_ready_o) begin
      retiring_slot_q <= retire_slot_i;
      retire_next_q   <= read_low + 15'd1;
    end
  end

  // --- what the next offer is compared with -----------------------------------------
  // The memories are read before what this cycle writes; that may be of the same slot.
  logic [47:0] ring_known;
  logic [14:0] ring_limit, limit_write_data;
  logic        known_written, limit_written;
  assign limit_write_data = read_write_data + {2'd0, size};
  assign known_written    = write_write && write_write_slot == ring_next_slot_i;
  assign limit_written    = read_write && read_write_slot == ring_next_slot_i;

  always_ff @(posedge clk_i) begin
    ring_known_q <= ring_known;
    ring_limit_q <= ring_limit;
    if (known_written) ring_known_q <= write_write_data;
    if (limit_written) ring_limit_q <= limit_write_data;
  end

  // --- the read pointer as a whole: its bits above those kept are those of the write
  // pointer, or one less ---------------------------------------------------------------
  logic [14:0] register_read_low;
  logic        above_it;
  assign above_it = register_read_low[14] && !register_write_pointer_o[14];
  assign register_read_pointer_o = {register_write_pointer_o[47:15] - {32'd0, above_it},
                                    register_read_low};

  // --- memories: one copy per reader; u_write_ring and u_limit stand apart from the registers
  // behind them (docs/decisions.md) ---------------------------------------------------
  rf_lutram #(.Width(15)) u_read (
    .clk_i, .write_i(read_write), .write_address_i(read_write_slot),
    .write_data_i(read_write_data), .read_address_i(retire_slot_i), .read_data_o(read_low)
  );
  rf_lutram #(.Width(15)) u_read_register (
    .clk_i, .write_i(read_write), .write_address_i(read_write_slot),
    .write_data_i(read_write_data), .read_address_i(register_slot_q),
    .read_data_o(register_read_low)
  );
  (* keep_hierarchy *) rf_lutram #(.Width(48)) u_write_ring (
    .clk_i, .write_i(write_write), .write_address_i(write_write_slot),
    .write_data_i(write_write_data), .read_address_i(ring_next_slot_i),
    .read_data_o(ring_known)
  );
  rf_lutram #(.Width(13)) u_write_retire (
    .clk_i, .write_i(write_write), .write_address_i(write_write_slot),
    .write_data_i(write_write_data[12:0]), .read_address_i(retiring_slot_q),
    .read_data_o(retire_known)
  );
  rf_lutram #(.Width(48)) u_write_register (
    .clk_i, .write_i(write_write), .write_address_i(write_write_slot),
    .write_data_i(write_write_data), .read_address_i(register_slot_q),
    .read_data_o(register_write_pointer_o)
  );
  rf_lutram #(.Width(13)) u_size (
    .clk_i, .write_i(log2_write_q), .write_address_i(register_slot_q),
    .write_data_i(13'd1 << log2_q), .read_address_i(read_write_slot), .read_data_o(size)
  );
  (* keep_hierarchy *) rf_lutram #(.Width(15)) u_limit (
    .clk_i, .write_i(read_write), .write_address_i(read_write_slot),
    .write_data_i(limit_write_data), .read_address_i(ring_next_slot_i),
    .read_data_o(ring_limit)
  );

  for (genvar n = 0; n < 2; n++) begin : gen_node
    rf_lutram #(.Width(13)) u_read (
      .clk_i, .write_i(read_write), .write_address_i(read_write_slot),
      .write_data_i(read_write_data[12:0]), .read_address_i(node_load_slot_i[n*4 +: 4]),
      .read_data_o(node_read_pointer_o[n*13 +: 13])
    );
    rf_lutram #(.Width(13)) u_write (
      .clk_i, .write_i(write_write), .write_address_i(write_write_slot),
      .write_data_i(write_write_data[12:0]), .read_address_i(node_slot_i[n*4 +: 4]),
      .read_data_o(node_write_pointer_o[n*13 +: 13])
    );
  end

endmodule

`default_nettype wire
