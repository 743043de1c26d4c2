// SPDX-License-Identifier: Apache-2.0
//
// The engine of a node with its port to memory (rf_engine_port) and its watchdog; merges the
// records of the node and of the watchdog into one source. Node 0 has rf_engine_vector, node 1
// rf_engine_copy; without Engine the node has neither, and its decoder offers no operation.

`default_nettype none

module rf_engine_unit #(
  parameter int unsigned Node = 0,
  parameter bit          Engine = 1'b1
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [6:0]   max_payload_words_i,
  input  wire logic [6:0]   max_read_words_i,

  input  wire rf_bus_pkg::register_request_t register_i,
  output logic [63:0]       register_data_o,

  // Node
  /* verilator lint_off UNUSEDSIGNAL */ // what is for rf_fence
  input  wire rf_bus_pkg::node_offer_t offer_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic              ready_o,
  output rf_bus_pkg::engine_result_t result_o,
  output logic              busy_o,

  // Records: the node's, and both
  input  wire logic         node_record_valid_i,
  output logic              node_record_ready_o,
  output logic [2:0]        node_record_show_o,
  input  wire logic [63:0]  node_record_i,
  output logic              record_valid_o,
  input  wire logic         record_ready_i,
  input  wire logic [2:0]   record_show_i,
  output logic [63:0]       record_o,

  // Memory: the engine's read and write master
  output logic              read_valid_o,
  input  wire logic         read_ready_i,
  output rf_bus_pkg::read_request_t read_o,
  input  wire logic         response_valid_i,
  input  wire rf_bus_pkg::read_response_t response_i,
  output logic              write_valid_o,
  input  wire logic         write_ready_i,
  output rf_bus_pkg::write_request_t write_o,
  output logic              write_data_valid_o,
  input  wire logic         write_data_ready_i,
  output logic [63:0]       write_data_o,
  input  wire logic         write_done_i,
  input  wire logic [2:0]   write_done_status_i,
  input  wire logic [1:0]   write_done_level_i
);

  if (Node > 1) begin : gen_bad_node
    $error("nodes with an engine are compute and copy");
  end

  localparam logic [3:0] Master = (Node == 0) ? rf_bus_pkg::ReadVector : rf_bus_pkg::ReadCopy;

  logic        engine_rst_n, engine_valid, engine_ready, engine_done, engine_preempted;
  logic        engine_read_valid, engine_read_ready, engine_write_valid, engine_write_ready;
  logic        engine_data_valid, engine_data_ready;
  logic        running, unit_clk;
  logic        working;
  logic [31:0] alive;
  logic [63:0] engine_data, port_register, watchdog_register;
  rf_bus_pkg::failure_t engine_failure;

  assign register_data_o = port_register | watchdog_register;

  // Without an operation nothing runs and nothing is in flight, also in the engine's reset, and the
  // node neither aborts nor preempts.
  logic hung_valid, unit_wake;
  assign unit_wake = offer_i.engine_valid || busy_o || register_i.valid || hung_valid;
  rf_clock_gate #(.Linger(32)) u_clock (
    .clk_i, .rst_ni,
    .wake_i(unit_wake),
    .clk_o (unit_clk)
  );

  rf_engine_port #(.Node(Node), .Master(Master)) u_port (
    .clk_i(unit_clk), .rst_ni,
    .register_i,
    .register_data_o   (port_register),
    .operation_valid_i (offer_i.engine_valid),
    .operation_ready_o (ready_o),
    .done_o            (result_o.done),
    .failure_o         (result_o.failure),
    .preempted_o       (result_o.preempted),
    .busy_o,
    .working_o         (working),
    .alive_o           (alive),
    .engine_rst_no     (engine_rst_n),
    .operation_valid_o (engine_valid),
    .operation_ready_i (engine_ready),
    .done_i            (engine_done),
    .failure_i         (engine_failure),
    .preempted_i       (engine_preempted),
    .read_valid_i      (engine_read_valid),
    .read_ready_o      (engine_read_ready),
    .write_valid_i     (engine_write_valid),
    .write_ready_o     (engine_write_ready),
    .write_words_i     (write_o.words),
    .write_data_valid_i(engine_data_valid),
    .write_data_ready_o(engine_data_ready),
    .write_data_i      (engine_data),
    .read_valid_o, .read_ready_i, .response_valid_i, .response_i,
    .write_valid_o, .write_ready_i,
    .write_data_valid_o, .write_data_ready_i, .write_data_o, .write_done_i
  );

  // --- watchdog and records --------------------------------------------------------------
  logic        hung_ready;
  logic [2:0]  hung_show;
  logic [63:0] hung_word;
  rf_bus_pkg::record_t hung;

  rf_engine_watchdog #(.Node(Node)) u_watchdog (
    .clk_i(unit_clk), .rst_ni,
    .register_i,
    .register_data_o(watchdog_register),
    .working_i      (working),
    .alive_i        (alive),
    .record_valid_o (hung_valid),
    .record_ready_i (hung_ready),
    .record_o       (hung)
  );

  rf_record_word u_hung (.record_i(hung), .show_i(hung_show), .word_o(hung_word));
  rf_record_merge u_records (
    .clk_i, .rst_ni,
    .valid_i({hung_valid, node_record_valid_i}),
    .ready_o({hung_ready, node_record_ready_o}),
    .show_o ({hung_show, node_record_show_o}),
    .word_i ({hung_word, node_record_i}),
    .valid_o(record_valid_o),
    .ready_i(record_ready_i),
    .show_i (record_show_i),
    .word_o (record_o)
  );

  // --- engine: its reset is the port's ----------------------------------------------------
  if (!Engine) begin : gen_none
    assign engine_ready       = 1'b0;
    assign engine_done        = 1'b0;
    assign engine_failure     = '0;
    assign engine_preempted   = 1'b0;
    assign result_o.progress  = '0;
    assign result_o.partial   = '0;
    assign running            = 1'b0;
    assign engine_read_valid  = 1'b0;
    assign read_o             = '0;
    assign engine_write_valid = 1'b0;
    assign write_o            = '0;
    assign engine_data_valid  = 1'b0;
    assign engine_data        = '0;

    logic unused;
    assign unused = &{1'b0, engine_rst_n, engine_valid, max_payload_words_i, max_read_words_i,
                      engine_read_ready, engine_write_ready, engine_data_ready,
                      write_done_status_i, write_done_level_i};
  end else if (Node == 0) begin : gen_vector
    rf_engine_vector u_engine (
      .clk_i(unit_clk), .rst_ni(engine_rst_n),
      .max_payload_words_i, .max_read_words_i,
      .operation_valid_i (engine_valid),
      .operation_ready_o (engine_ready),
      .operation_i       (offer_i.engine),
      .word_i            (offer_i.word),
      .done_o            (engine_done),
      .failure_o         (engine_failure),
      .preempted_o       (engine_preempted),
      .progress_o        (result_o.progress),
      .partial_o         (result_o.partial),
      .abort_i           (offer_i.engine_control.aborts),
      .preempt_i         (offer_i.engine_control.preempts),
      .busy_o            (running),
      .read_valid_o      (engine_read_valid),
      .read_ready_i      (engine_read_ready),
      .read_o, .response_valid_i, .response_i,
      .write_valid_o     (engine_write_valid),
      .write_ready_i     (engine_write_ready),
      .write_o,
      .write_data_valid_o(engine_data_valid),
      .write_data_ready_i(engine_data_ready),
      .write_data_o      (engine_data),
      .write_done_i, .write_done_status_i, .write_done_level_i
    );
  end else begin : gen_copy
    rf_engine_copy u_engine (
      .clk_i(unit_clk), .rst_ni(engine_rst_n),
      .max_payload_words_i, .max_read_words_i,
      .operation_valid_i (engine_valid),
      .operation_ready_o (engine_ready),
      .operation_i       (offer_i.engine),
      .word_i            (offer_i.word),
      .done_o            (engine_done),
      .failure_o         (engine_failure),
      .preempted_o       (engine_preempted),
      .progress_o        (result_o.progress),
      .partial_o         (result_o.partial),
      .abort_i           (offer_i.engine_control.aborts),
      .preempt_i         (offer_i.engine_control.preempts),
      .busy_o            (running),
      .read_valid_o      (engine_read_valid),
      .read_ready_i      (engine_read_ready),
      .read_o, .response_valid_i, .response_i,
      .write_valid_o     (engine_write_valid),
      .write_ready_i     (engine_write_ready),
      .write_o,
      .write_data_valid_o(engine_data_valid),
      .write_data_ready_i(engine_data_ready),
      .write_data_o      (engine_data),
      .write_done_i, .write_done_status_i, .write_done_level_i
    );
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always_ff @(posedge clk_i) begin
    if (!unit_wake && rst_ni) nothing_while_asleep: assert (
        !(running || write_done_i || offer_i.engine_control.aborts ||
          offer_i.engine_control.preempts));
  end

  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::ReadRequestWidth)) offered_read_stays (
    .clk_i, .rst_ni, .valid_i(read_valid_o), .ready_i(read_ready_i), .data_i(read_o)
  );
  rf_offer_check #(.Width(rf_bus_pkg::WriteRequestWidth)) offered_write_stays (
    .clk_i, .rst_ni, .valid_i(write_valid_o), .ready_i(write_ready_i), .data_i(write_o)
  );
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge unit_clk) begin
    if (rst_ni && engine_valid && engine_ready) begin
      payloads_of_pcie: assert (max_payload_words_i == 7'd16 || max_payload_words_i == 7'd32);
      reads_of_pcie: assert (max_read_words_i == 7'd16 || max_read_words_i == 7'd32 ||
                             max_read_words_i == 7'd64);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
