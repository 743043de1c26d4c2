// SPDX-License-Identifier: Apache-2.0
//
// Updates of MonitoredValue (S0-33 .. S0-37). A posted {CurrentValue address, MonitoredValue
// address, new value} is stored to MonitoredValue; when that is performed, CurrentValue is read;
// if it is greater (unsigned), or if an access failed, a monitored_update record is raised; then
// the update counts as done.
//
// No wake-up is lost: a signal writes CurrentValue and then reads MonitoredValue, an update writes
// MonitoredValue and then reads CurrentValue. One of the two writes is performed first, so at
// least one of the two reads sees the other's new value, and the pair is compared. When an update
// is done, every signal that compared with the old MonitoredValue is visible in CurrentValue.
//
// Promises: updates are done in order. At most UpdateDepth are pending; more are dropped and
// counted, never stalled.

`default_nettype none

module rf_fence_update (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  output logic                                      write_valid_o,
  input  wire logic                                 write_ready_i,
  output             rf_bus_pkg::write_request_t    write_o,
  output logic                                      write_data_valid_o,
  input  wire logic                                 write_data_ready_i,
  output logic [63:0]                               write_data_o,
  input  wire logic                                 write_done_i,
  input  wire logic [2:0]                           write_done_status_i,

  output logic                                      read_valid_o,
  input  wire logic                                 read_ready_i,
  output             rf_bus_pkg::read_request_t     read_o,
  input  wire logic                                 response_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */ // one read at a time, of one word
  input  wire        rf_bus_pkg::read_response_t    response_i,
  /* verilator lint_on UNUSEDSIGNAL */

  output logic                                      record_valid_o,
  input  wire logic                                 record_ready_i,
  output             rf_bus_pkg::record_t           record_o,

  input  wire        rf_bus_pkg::register_request_t register_i,
  output logic [63:0]                               register_data_o,
  output logic                                      updated_o,      // event: an update is done
  output logic                                      idle_o
);

  // --- registers -------------------------------------------------------------------------
  logic [16:0] address;
  logic        read, write, value_write, address_write, post_q;
  logic [1:0]  halves, halves_q;  // of UPDATE_VALUE, written since the last post
  logic [63:3] current_q, monitored_q;
  logic [63:0] value_q;
  logic [31:0] done_q;
  logic [15:0] dropped_q, failed_q;
  assign address = {register_i.address, 3'b000};
  assign read    = register_i.valid && !register_i.write;
  assign write   = register_i.valid && register_i.write;

  // Posting takes a whole value: the second half of UPDATE_VALUE posts, whichever it is.
  // A write of an address discards a half that was written before it.
  assign value_write   = write && address == rf_pkg::RegFenceUpdateValue;
  assign address_write = write && (address == rf_pkg::RegFenceUpdateCurrent ||
                                   address == rf_pkg::RegFenceUpdateMonitored);
  assign halves        = halves_q | {register_i.strobe[4], register_i.strobe[0]};

  always_ff @(posedge clk_i) begin
    if (write && register_i.strobe[0]) begin
      if (address == rf_pkg::RegFenceUpdateCurrent) current_q[31:3] <= register_i.data[31:3];
      if (address == rf_pkg::RegFenceUpdateMonitored) monitored_q[31:3] <= register_i.data[31:3];
      if (address == rf_pkg::RegFenceUpdateValue) value_q[31:0] <= register_i.data[31:0];
    end
    if (write && register_i.strobe[4]) begin
      if (address == rf_pkg::RegFenceUpdateCurrent) current_q[63:32] <= register_i.data[63:32];
      if (address == rf_pkg::RegFenceUpdateMonitored) monitored_q[63:32] <= register_i.data[63:32];
      if (address == rf_pkg::RegFenceUpdateValue) value_q[63:32] <= register_i.data[63:32];
    end
    register_data_o <= '0;
    if (read) begin
      case (address)
        rf_pkg::RegFenceUpdateCurrent:   register_data_o <= {current_q, 3'd0};
        rf_pkg::RegFenceUpdateMonitored: register_data_o <= {monitored_q, 3'd0};
        rf_pkg::RegFenceUpdateDone:      register_data_o <= {failed_q, dropped_q, done_q};
        default: ;
      endcase
    end
  end

  // --- posted updates -----------------------------------------------------------------------
  // In block RAM: the oldest is looked up when it is there and the one before it is done; from
  // there it is too far to memory, so it stands in registers.
  localparam int unsigned DepthLog2 = $clog2(rf_pkg::UpdateDepth);
  localparam int unsigned Width     = 61 + 61 + 64;
  localparam logic [DepthLog2:0] Depth = (DepthLog2 + 1)'(rf_pkg::UpdateDepth);
  logic               room, enters, loads, loaded_q, valid_q, finish;
  logic [63:3]        current, monitored;  // of the oldest, which stays until it is done
  logic [63:0]        value;
  logic [DepthLog2:0] write_q, read_q, posted;
  logic [Width-1:0]   oldest;
  assign posted = write_q - read_q;
  assign room   = posted != Depth;
  assign enters = post_q && room;
  assign loads  = read_q != write_q && !(loaded_q || valid_q);

  rf_ram #(.Width(Width), .DepthLog2(DepthLog2), .Lane(Width)) u_posted (
    .clk_i, .write_i(enters), .write_address_i(write_q[DepthLog2-1:0]),
    .write_data_i({current_q, monitored_q, value_q}), .write_strobe_i(1'b1),
    .read_i(loads), .read_address_i(read_q[DepthLog2-1:0]),
    .read_data_o(oldest)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= '0;
      read_q   <= '0;
      loaded_q <= 1'b0;
      valid_q  <= 1'b0;
    end else begin
      if (enters) write_q <= write_q + 1'b1;
      if (finish) read_q <= read_q + 1'b1;
      loaded_q <= loads;
      valid_q  <= valid_d;
    end
  end
  always_ff @(posedge clk_i) if (loaded_q) {current, monitored, value} <= oldest;

  // --- one at a time ---------------------------------------------------------------------------
  typedef enum logic [2:0] {
    Write,      // no update, or MonitoredValue is written
    Read,       // a read of CurrentValue is offered,
    Response,   // and answered
    Judge,      // is CurrentValue greater, or has an access failed?
    Record      // the record, if one is due, is offered
  } state_e;
  state_e      state_q, state_d;
  logic        request_sent_q, data_sent_q, broken_q;
  logic        raise_d;           // a record is due
  logic        response_mine, answered, write_broken, response_broken, greater;
  logic [63:0] found_q;

  assign response_mine = response_valid_i && response_i.master == rf_bus_pkg::ReadUpdate;
  assign write_broken  = write_done_status_i != rf_pkg::AccessStatusOk;
  assign answered      = state_q == Response && response_mine;
  assign response_broken = response_i.status != rf_pkg::AccessStatusOk;
  assign greater       = value < found_q;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Write:    if (write_done_i) state_d = write_broken ? Judge : Read;
      Read:     if (read_ready_i) state_d = Response;
      Response: if (answered) state_d = Judge;
      Judge:    state_d = Record;
      default: if (finish) state_d = Write;
    endcase
  end
  assign finish    = state_q == Record && (!record_valid_o || record_ready_i);
  assign updated_o = finish;

  // Both offers are in registers: they go far.
  logic valid_d, request_sent_d, data_sent_d;
  assign valid_d        = loaded_q || (valid_q && !finish);
  assign request_sent_d = state_d == Write && (request_sent_q || (write_valid_o && write_ready_i));
  assign data_sent_d    = state_d == Write &&
                          (data_sent_q || (write_data_valid_o && write_data_ready_i));
  assign write_o.vmid         = '0;
  assign write_o.va           = monitored;
  assign write_o.words        = 6'd1;
  assign write_o.first_strobe = 8'hff;
  assign write_o.last_strobe  = 8'hff;
  assign write_data_o         = value;

  assign read_valid_o = state_q == Read;
  assign read_o.vmid  = '0;
  assign read_o.va    = {current, 3'd0};
  assign read_o.words = 7'd1;
  assign read_o.id    = '0;

  assign raise_d = state_q == Judge ? broken_q || greater : record_valid_o && !record_ready_i;
  always_comb begin
    record_o         = '0;
    record_o.kind    = rf_pkg::RecordKindMonitoredUpdate;
    record_o.detail  = {7'd0, broken_q};
    record_o.address = {current, 3'd0};
    record_o.value   = found_q;
  end

  assign idle_o = posted == '0 && !post_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= Write;
      record_valid_o <= 1'b0;
      request_sent_q <= 1'b0;
      data_sent_q    <= 1'b0;
      write_valid_o      <= 1'b0;
      write_data_valid_o <= 1'b0;
      post_q         <= 1'b0;
      halves_q       <= '0;
      done_q         <= '0;
      dropped_q      <= '0;
      failed_q       <= '0;
    end else begin
      state_q        <= state_d;
      record_valid_o <= raise_d;
      request_sent_q <= request_sent_d;
      data_sent_q    <= data_sent_d;
      write_valid_o      <= state_d == Write && valid_d && !request_sent_d;
      write_data_valid_o <= state_d == Write && valid_d && !data_sent_d;
      post_q         <= value_write && halves == '1;
      if (address_write) halves_q <= '0;
      if (value_write) halves_q <= halves == '1 ? '0 : halves;
      if (finish) done_q <= done_q + 1'b1;
      if (post_q && !room) dropped_q <= dropped_q + 1'b1;
      if (finish && broken_q) failed_q <= failed_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Write) broken_q <= write_broken;
    if (answered) broken_q <= response_broken;
    if (state_q == Write || (answered && response_broken)) found_q <= '0;
    else if (answered) found_q <= response_i.data;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      offers_of_the_state: assert (
          write_valid_o == (state_q == Write && valid_q && !request_sent_q) &&
          write_data_valid_o == (state_q == Write && valid_q && !data_sent_q));
      record_in_its_state: assert (!record_valid_o || state_q == Record);
    end
  end
`ifndef FORMAL
  // What is offered stays until it is taken.
  rf_offer_check #(.Width(rf_bus_pkg::WriteRequestWidth)) write_offer_stays (
    .clk_i, .rst_ni, .valid_i(write_valid_o), .ready_i(write_ready_i), .data_i(write_o)
  );
  rf_offer_check #(.Width(64)) word_offer_stays (
    .clk_i, .rst_ni, .valid_i(write_data_valid_o), .ready_i(write_data_ready_i),
    .data_i(write_data_o)
  );
  rf_offer_check #(.Width(rf_bus_pkg::ReadRequestWidth)) read_offer_stays (
    .clk_i, .rst_ni, .valid_i(read_valid_o), .ready_i(read_ready_i), .data_i(read_o)
  );
  rf_offer_check #(.Width(rf_bus_pkg::RecordWidth)) record_offer_stays (
    .clk_i, .rst_ni, .valid_i(record_valid_o), .ready_i(record_ready_i), .data_i(record_o)
  );
`endif
`endif

endmodule

`default_nettype wire
