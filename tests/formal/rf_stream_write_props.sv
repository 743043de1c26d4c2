// SPDX-License-Identifier: Apache-2.0
//
// Writes of an engine: no write is longer than the largest payload, and none crosses a
// multiple of it, so neither a 4 KiB page; and a write that was offered stays.
//
// Free: where a stream starts, how long it is, when its words come, when it is stopped, what
// memory does, when the largest payload changes: that of the cycle before the start counts. A
// stream starts when the one before is over.

`default_nettype none

module rf_stream_write_props (
  input wire logic clk_i,
  input wire logic rst_ni
);

  (* anyseq *) logic [6:0]  max_words;
  (* anyseq *) logic        carry, start, empty, stop, valid, write_ready, write_data_ready, write_done;
  (* anyseq *) logic [3:0]  vmid;
  (* anyseq *) logic [63:0] address, data;
  (* anyseq *) logic [31:0] behind;
  (* anyseq *) logic [2:0]  status;
  (* anyseq *) logic [1:0]  level;
  logic busy, write_valid;
  rf_bus_pkg::write_request_t write;
  logic [63:0] va;
  assign va = {write.va, 3'd0};

  rf_stream_write u_write (
    .clk_i, .rst_ni, .max_payload_words_i(max_words), .start_i(start), .vmid_i(vmid),
    .address_i(address), .carry_i(carry), .behind_i(behind), .empty_i(empty), .stop_i(stop), .busy_o(busy), .complete_o(),
    .performed_o(), .failed_o(), .failure_o(), .valid_i(valid), .ready_o(), .data_i(data),
    .write_valid_o(write_valid), .write_ready_i(write_ready), .write_o(write),
    .write_data_valid_o(), .write_data_ready_i(write_data_ready), .write_data_o(),
    .write_done_i(write_done), .write_done_status_i(status), .write_done_level_i(level));

  logic [6:0] before_q, max_q;              // a cycle ago; that of this stream
  logic       running_q = 1'b0, held_q = 1'b0;
  rf_bus_pkg::write_request_t write_q;
  (* hierconn *) wire        \u_write.gathering_q , \u_write.write_end_q , \u_write.pending ,
                             \u_write.admit_q , \u_write.request_valid_q ;
  (* hierconn *) wire [4:0]  \u_write.cut_q , \u_write.mask_q , \u_write.place , \u_write.limit_q ,
                             \u_write.pending_count ;
  always_ff @(posedge clk_i) begin
    running_q <= rst_ni;
    before_q  <= max_words;
    if (start) max_q <= before_q;
    held_q    <= rst_ni && write_valid && !write_ready;
    write_q   <= write;
  end
  always_comb begin
    assume (max_words == 7'd16 || max_words == 7'd32);  // rf_pcie: 128 or 256 bytes
    if (start) assume (!busy);
    if (!running_q) assume (!start);
    if (write_done) assume (\u_write.pending );
  end

  always_comb if (rst_ni && write_valid) begin
    within_the_payload: assert (write.words != '0 && {1'b0, write.words} <= max_q);
    within_a_multiple: assert ({3'd0, va[9:3] & (max_q - 7'd1)} +
                               {4'd0, write.words} <= {3'd0, max_q});
    within_a_page: assert ({1'b0, va[11:3]} + {4'd0, write.words} <= 10'd512);
    if (held_q) offer_stays: assert (write.va == write_q.va && write.words == write_q.words);
  end
  always_comb if (rst_ni && held_q) stays_valid: assert (write_valid);

  // --- the inside: what is gathered lies within one multiple -----------------------------------
  logic [4:0] place;
  assign place = \u_write.place ;
  always_comb if (rst_ni && running_q) begin
    follows_the_payload: assert ((before_q == 7'd16 || before_q == 7'd32) &&
                                 {2'd0, \u_write.limit_q } == before_q - 7'd1);
  end
  always_comb if (rst_ni) begin
    if (busy) begin
      limit_of_the_start: assert (max_q == 7'd16 || max_q == 7'd32);
      mask_of_the_payload: assert ({2'd0, \u_write.mask_q } == max_q - 7'd1);
    end
    if (\u_write.gathering_q ) begin
      behind_the_cut: assert (\u_write.cut_q <= place && (\u_write.cut_q & ~\u_write.mask_q ) ==
                              (place & ~\u_write.mask_q ));
      ends_at_a_multiple: assert (\u_write.write_end_q ||
                                  (place & \u_write.mask_q ) != \u_write.mask_q );
    end
  end

  // --- every write has its place in the list of those not performed ----------------------------
  logic [5:0] owed;                         // accepted or on offer
  assign owed = {1'b0, \u_write.pending_count } + {5'd0, \u_write.request_valid_q };
  always_comb if (rst_ni) begin
    place_for_what_comes: assert (!\u_write.admit_q || owed <= 6'd14);
    place_for_the_offer: assert (owed <= 6'd15 || !\u_write.request_valid_q );
  end

  always_comb if (rst_ni) begin
    longest: cover (write_valid && max_q == 7'd16 && write.words == 6'd16);
    cut_at_a_page: cover (write_valid && va[11:3] == 9'd510 && write.words == 6'd2);
  end

endmodule

`default_nettype wire
