// SPDX-License-Identifier: Apache-2.0
//
// Connects an engine to memory and to its node, outside the engine's reset. Counts the engine's
// accesses in flight, and stops the engine when the host resets it:
//
//   Run    everything passes
//   Drain  the engine makes no new request. An offered request stays until it is accepted. Words
//          of accepted writes still pass; if the engine stops supplying them, zeros are written.
//   Hold   the engine is in reset until its last access has ended and the host releases it
//   Fail   each operation that the engine had is reported to the node as failed
//
// Promises: an engine leaves reset with no earlier access in flight or incomplete. Other masters
// wait only for memory, never for the engine. During a reset nothing is reported to the node; each
// accepted operation is reported once, by the engine or by this port. HOLD makes the engine hang,
// as if its requests were not accepted. Latency: one cycle for words of writes, otherwise none.

`default_nettype none

module rf_engine_port #(
  parameter int unsigned Node = 0,
  parameter logic [3:0]  Master = rf_bus_pkg::ReadVector
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  /* verilator lint_off UNUSEDSIGNAL */ // one register, two bits
  input  wire rf_bus_pkg::register_request_t register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [63:0]       register_data_o,

  // node
  input  wire logic         operation_valid_i,
  output logic              operation_ready_o,
  output logic              done_o,
  output      rf_bus_pkg::failure_t failure_o,
  output logic              preempted_o,
  output logic              busy_o,
  output logic              working_o,    // the engine has an operation
  output logic [31:0]       alive_o,

  // engine
  output logic              engine_rst_no,
  output logic              operation_valid_o,
  input  wire logic         operation_ready_i,
  input  wire logic         done_i,
  input  wire rf_bus_pkg::failure_t failure_i,
  input  wire logic         preempted_i,
  input  wire logic         read_valid_i,
  output logic              read_ready_o,
  input  wire logic         write_valid_i,
  output logic              write_ready_o,
  input  wire logic [5:0]   write_words_i,
  input  wire logic         write_data_valid_i,
  output logic              write_data_ready_o,
  input  wire logic [63:0]  write_data_i,

  // memory
  output logic              read_valid_o,
  input  wire logic         read_ready_i,
  input  wire logic         response_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */ // the data is the engine's
  input  wire rf_bus_pkg::read_response_t response_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic              write_valid_o,
  input  wire logic         write_ready_i,
  output logic              write_data_valid_o,
  input  wire logic         write_data_ready_i,
  output logic [63:0]       write_data_o,
  input  wire logic         write_done_i
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end
  if (Master != rf_bus_pkg::ReadVector && Master != rf_bus_pkg::ReadCopy) begin : gen_bad_master
    $error("the masters of engines are ReadVector and ReadCopy");
  end

  typedef enum logic [1:0] {Run, Drain, Hold, Fail} state_e;
  state_e state_q, state_d;

  // --- registers -------------------------------------------------------------------
  localparam logic [16:0] Base = 17'(Node * rf_pkg::NodeIndexedStride);
  logic [16:0] address;
  logic        reset_q, hold_q, hold_d, engine_write;
  logic [63:0] status;
  logic [31:0] alive_q;
  assign address      = {register_i.address, 3'b000};
  assign engine_write = register_i.valid && register_i.write && register_i.strobe[0] &&
                        address == rf_pkg::RegNodeEngine + Base;
  assign hold_d       = engine_write ? register_i.data[rf_pkg::NodeEngineHoldLsb] : hold_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reset_q <= 1'b0;
      hold_q  <= 1'b0;
    end else begin
      if (engine_write) reset_q <= register_i.data[rf_pkg::NodeEngineResetLsb];
      hold_q <= hold_d;
    end
  end

  // --- what is in flight -----------------------------------------------------------
  logic       issue, answered, accept, word, begins;
  logic [2:0] operations_q;
  logic [6:0] reads_q, writes_q;
  logic [9:0] words_q, words_d;
  logic       due_q;      // words_q is not 0
  logic       in_reset;

  assign begins   = operation_valid_o && operation_ready_i;
  assign issue    = read_valid_o && read_ready_i;
  assign answered = response_valid_i && response_i.master == Master && response_i.last;
  assign accept   = write_valid_o && write_ready_i;
  assign word     = due_q && word_room && (write_data_valid_i || pad_q);
  assign words_d  = words_q + (accept ? {4'd0, write_words_i} : 10'd0) - {9'd0, word};
  assign in_reset = state_q == Hold && reads_q == '0 && writes_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operations_q <= '0;
      reads_q      <= '0;
      writes_q     <= '0;
      words_q      <= '0;
      due_q        <= 1'b0;
      alive_q      <= '0;
    end else begin
      operations_q <= operations_q + {2'd0, begins} - {2'd0, done_o};
      reads_q      <= reads_q + {6'd0, issue} - {6'd0, answered};
      writes_q     <= writes_q + {6'd0, accept} - {6'd0, write_done_i};
      words_q      <= words_d;
      // A request has words, and a word is of what was there: no sum is needed.
      due_q        <= accept || (due_q && !(word && words_q == 10'd1));
      alive_q      <= alive_q + {30'd0, {1'b0, answered} + {1'b0, write_done_i}} +
                      {31'd0, done_i && state_q == Run};
    end
  end

  // --- the course of a reset ----------------------------------------------------------
  logic       block_q;    // no new request: not in Run, or to hang
  logic       read_offered_q, write_offered_q, pad_q;
  logic [3:0] silent_q;   // cycles in which words were due and none was there
  logic       word_room;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Run:   if (reset_q) state_d = Drain;
      Drain: if (!read_offered_q && !write_offered_q && !due_q) state_d = Hold;
      Hold:  if (in_reset && !reset_q) state_d = Fail;
      Fail:  if (operations_q == '0) state_d = Run;
      default: state_d = Run;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q         <= Run;
      engine_rst_no   <= 1'b0;
      read_offered_q  <= 1'b0;
      write_offered_q <= 1'b0;
      silent_q        <= '0;
      pad_q           <= 1'b0;
      block_q         <= 1'b0;
    end else begin
      state_q         <= state_d;
      block_q         <= state_d != Run || hold_d;
      engine_rst_no   <= state_d == Run || state_d == Drain;
      read_offered_q  <= read_valid_o && !read_ready_i;
      write_offered_q <= write_valid_o && !write_ready_i;
      silent_q        <= (state_q == Drain && due_q && !write_data_valid_i)
                         ? silent_q + 4'd1 : '0;
      pad_q           <= state_q == Drain && (pad_q || (silent_q == '1 && !write_data_valid_i));
    end
  end

  // --- requests: one on offer stays -----------------------------------------------------
  assign read_valid_o  = read_valid_i && (!block_q || read_offered_q);
  assign read_ready_o  = read_ready_i && (!block_q || read_offered_q);
  assign write_valid_o = write_valid_i && (!block_q || write_offered_q);
  assign write_ready_o = write_ready_i && (!block_q || write_offered_q);

  // Words pass a skid buffer: the memory's ready comes from far, and the engine does much with it.
  // None goes ahead of its request, so that none is left when that is not made.
  logic [63:0] word_data;
  assign word_data          = pad_q ? '0 : write_data_i;
  assign write_data_ready_o = due_q && word_room && !pad_q;

  rf_skid #(.Width(64)) u_words (
    .clk_i, .rst_ni,
    .valid_i(word),
    .ready_o(word_room),
    .data_i (word_data),
    .valid_o(write_data_valid_o),
    .ready_i(write_data_ready_i),
    .data_o (write_data_o)
  );

  // --- operations -----------------------------------------------------------------------
  logic fails;
  assign fails             = state_q == Fail && operations_q != '0;
  assign operation_valid_o = operation_valid_i && state_q == Run;
  assign operation_ready_o = operation_ready_i && state_q == Run;
  assign done_o            = (done_i && state_q == Run) || fails;
  assign preempted_o       = preempted_i && state_q == Run;
  assign working_o         = state_q == Run && operations_q != '0;
  assign alive_o           = alive_q;
  assign busy_o            = operations_q != '0 || state_q == Drain || state_q == Fail;

  // An engine in reset tells of no failure.
  always_comb begin
    failure_o = failure_i;
    if (state_q == Fail) failure_o.error = rf_pkg::QueueErrorEngineReset;
  end

  // --- register reads ---------------------------------------------------------------------
  always_comb begin
    status = '0;
    status[rf_pkg::NodeEngineResetLsb]           = reset_q;
    status[rf_pkg::NodeEngineHoldLsb]            = hold_q;
    status[rf_pkg::NodeEngineInResetLsb]         = in_reset;
    status[rf_pkg::NodeEngineOperationsLsb +: 3] = operations_q;
    status[rf_pkg::NodeEngineReadsLsb +: 7]      = reads_q;
    status[rf_pkg::NodeEngineWritesLsb +: 7]     = writes_q;
    status[rf_pkg::NodeEngineWordsLsb +: 10]     = words_q;
  end

  always_ff @(posedge clk_i) begin
    register_data_o <= '0;
    if (register_i.valid && !register_i.write) begin
      if (address == rf_pkg::RegNodeEngine + Base) register_data_o <= status;
      if (address == rf_pkg::RegNodeAlive + Base) register_data_o <= {32'd0, alive_q};
    end
  end

`ifndef SYNTHESIS
  rf_offer_check #(.Width(64)) offered_word_stays (
    .clk_i, .rst_ni, .valid_i(write_data_valid_o), .ready_i(write_data_ready_i),
    .data_i(write_data_o)
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni && state_q == Fail) reset_engine_is_silent: assert (failure_i == '0);
  end
`endif

endmodule

`default_nettype wire
