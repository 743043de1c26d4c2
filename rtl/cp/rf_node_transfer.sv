// SPDX-License-Identifier: Apache-2.0
//
// Moves the position in a slot between the node and the slot's registers (rf_slot_memory), word by
// word: stored when the slot is left, loaded when one is taken. A slot inside a buffer loads all
// of it, and its first two words before anything is fetched; another slot loads the quantum; both
// load the handle for records (CONFIG). A store continues while the next slot is taken, and a load
// waits for it. If the same slot is taken again the store is abandoned, because everything is
// still here.

`default_nettype none

module rf_node_transfer (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [3:0]   slot_i,         // that is served
  input  wire logic         start_i,        // it has just been taken,
  input  wire logic         work_i,         // it has work,
  input  wire logic         in_buffer_i,    // it is inside a buffer
  input  wire logic         take_same_i,    // it is the one that left last
  input  wire logic         leaves_i,
  input  wire logic         drained_i,      // the fetch can start: no read is in flight

  // The position as it is
  input  wire logic [63:0]  buffer_start_i,
  input  wire logic [28:0]  size_i,
  input  wire logic [28:0]  offset_i,
  input  wire logic [31:0]  progress_i,
  input  wire logic [63:0]  partial_i,
  input  wire logic [63:0]  observed_i,
  input  wire logic [23:0]  quantum_left_i,

  output      rf_bus_pkg::slot_position_t position_o,
  input  wire logic         ready_i,        // the word is taken
  output      rf_bus_pkg::position_loaded_t loaded_o, // a cycle later: which word has come
  output logic              settled_o,      // nothing is on its way
  output logic              positioned_o,   // the position to fetch from stands in its place
  output logic [3:0]        left_slot_o     // that the node left last
);

  localparam logic [4:0] First    = rf_pkg::RegSlotBufferAddress[7:3];
  localparam logic [4:0] State    = rf_pkg::RegSlotBufferState[7:3];
  localparam logic [4:0] Done     = rf_pkg::RegSlotOperationDone[7:3];
  localparam logic [4:0] Partial  = rf_pkg::RegSlotOperationPartial[7:3];
  localparam logic [4:0] Observed = rf_pkg::RegSlotWaitObserved[7:3];
  localparam logic [4:0] Left     = rf_pkg::RegSlotQuantumLeft[7:3];
  localparam logic [4:0] Quantum  = rf_pkg::RegSlotQuantum[7:3];
  localparam logic [4:0] Config   = rf_pkg::RegSlotConfig[7:3];
  if (State != First + 1 || Done != First + 2 || Partial != First + 3 || Observed != First + 4 ||
      Left != First + 5) begin : gen_check
    $error("the registers of the position follow each other");
  end

  logic       store_q, load_q, load_now, loaded_q, positioned_q;
  logic [3:0] store_slot_q;
  logic [4:0] number_q, loaded_number_q; // of the word on its way, of the one that comes
  assign load_now     = load_q && !store_q && (drained_i || number_q != State);
  assign settled_o    = !store_q && !load_q && !loaded_q;
  assign positioned_o = positioned_q;
  assign left_slot_o  = store_slot_q;

  // The word that is stored stands in a register: the slots' memory is far.
  logic [63:0] store_data_q, next_data;
  logic [4:0]  next_number; // behind a word that is stored
  assign next_number = number_q == Left ? (in_buffer_i ? First : Left) : number_q + 5'd1;
  always_comb begin
    unique case (leaves_i ? (in_buffer_i ? First : Left) : next_number)
      First:    next_data = buffer_start_i;
      State:    next_data = {3'd0, offset_i, 3'd0, size_i};
      Done:     next_data = {32'd0, progress_i};
      Partial:  next_data = partial_i;
      Observed: next_data = observed_i;
      default:  next_data = {40'd0, quantum_left_i};
    endcase
  end
  always_ff @(posedge clk_i) if (leaves_i || ready_i) store_data_q <= next_data;

  always_comb begin
    position_o.store  = store_q;
    position_o.load   = load_now;
    position_o.slot   = store_q ? store_slot_q : slot_i;
    position_o.number = number_q;
    position_o.data   = store_data_q;

    loaded_o.buffer_start = loaded_q && loaded_number_q == First;
    loaded_o.state        = loaded_q && loaded_number_q == State;
    loaded_o.progress     = loaded_q && loaded_number_q == Done;
    loaded_o.partial      = loaded_q && loaded_number_q == Partial;
    loaded_o.observed     = loaded_q && loaded_number_q == Observed;
    loaded_o.quantum_left = loaded_q && loaded_number_q == Left;
    loaded_o.quantum      = loaded_q && loaded_number_q == Quantum;
    loaded_o.config_word  = loaded_q && loaded_number_q == Config;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_q      <= 1'b0;
      load_q       <= 1'b0;
      loaded_q     <= 1'b0;
      positioned_q <= 1'b0;
    end else begin
      if (leaves_i) store_q <= 1'b1;
      else if ((ready_i && number_q == Left) || take_same_i) store_q <= 1'b0;
      if (start_i && work_i) load_q <= 1'b1;
      else if (load_now && ready_i && number_q == Config) load_q <= 1'b0;
      loaded_q     <= load_now && ready_i;
      positioned_q <= loaded_o.state;
    end
  end

  always_ff @(posedge clk_i) begin
    if (leaves_i || (start_i && !store_q)) number_q <= in_buffer_i ? First : Left;
    else if ((store_q || load_now) && ready_i) begin
      unique case (number_q)
        Left:    number_q <= store_q ? next_number : Quantum;
        Quantum: number_q <= Config;
        default: number_q <= next_number;
      endcase
    end
    loaded_number_q <= number_q;
    if (leaves_i) store_slot_q <= slot_i;
  end

endmodule

`default_nettype wire
