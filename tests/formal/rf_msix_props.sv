// SPDX-License-Identifier: Apache-2.0
//
// MSI-X, of any vector: an accepted request stays pending until a message of the vector
// is taken, and no message goes that is not owed. None goes while the vector is held back
// (its mask, the function mask, enable, bus mastering), one goes after that, with what the
// table holds then.
//
// Free: requests, tests, the transmit stream, every access to the table and all that holds
// back, function-level resets too. The table is written in whole DWs, and the host does
// not read it in the cycle of a write.

`default_nettype none

module rf_msix_props (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        reset_i,
  input  wire logic        enable_i,
  input  wire logic        function_mask_i,
  input  wire logic        bus_master_i,
  input  wire logic        write_i,
  input  wire logic [11:3] write_address_i,
  input  wire logic [63:0] write_data_i,
  input  wire logic [7:0]  write_strobe_i,
  input  wire logic        read_i,
  input  wire logic [11:3] read_address_i,
  input  wire logic        request_valid_i,
  input  wire logic [3:0]  request_vector_i,
  input  wire logic        test_valid_i,
  input  wire logic [15:0] test_i,
  input  wire logic        message_ready_i
);

  localparam int unsigned Vectors = rf_pkg::MsixVectors;
  localparam int unsigned Bits = $clog2(Vectors);

  logic        request_ready, message_valid, four_dw;
  logic [63:0] read_data;
  logic [63:2] message_address;
  logic [31:0] message_data;

  rf_msix u_msix (
    .clk_i, .rst_ni, .reset_i, .enable_i, .function_mask_i, .bus_master_i, .write_i,
    .write_address_i, .write_data_i, .write_strobe_i, .read_i, .read_address_i,
    .read_data_o(read_data), .request_valid_i, .request_ready_o(request_ready),
    .request_vector_i, .test_valid_i, .test_i, .message_valid_o(message_valid),
    .message_ready_i, .message_address_o(message_address),
    .message_four_dw_o(four_dw), .message_data_o(message_data), .idle_o());

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb begin
    assume (rst_ni == running_q);
    assume ((write_strobe_i[3:0] == '0 || write_strobe_i[3:0] == '1) &&
            (write_strobe_i[7:4] == '0 || write_strobe_i[7:4] == '1));
    assume (!(reset_i && write_i));        // rf_pcie has no write under way then
  end

  // --- one vector --------------------------------------------------------------------------
  (* anyconst *) logic [Bits-1:0] vector;
  (* hierconn *) wire  [Bits-1:0] \u_msix.select_q ;  // whose message is on offer
  logic requested, tested, ours, sends, held, held_q = 1'b1, masked_q = 1'b1, due_q = 1'b0;
  logic deliverable, deliverable_q = 1'b0, written_q = 1'b0, ours_left_q = 1'b0;
  logic was_due_q, was_masked_q;
  assign requested   = request_valid_i && request_ready && request_vector_i == {2'd0, vector};
  assign tested      = test_valid_i && test_i[vector];
  assign ours        = \u_msix.select_q == vector;
  assign sends       = message_valid && message_ready_i && ours;
  assign held        = !enable_i || function_mask_i || !bus_master_i || reset_i;
  assign deliverable = due_q && !masked_q && !held_q;

  // --- its entry of the table ------------------------------------------------------------
  logic        writes, odd;
  logic [31:0] low_q, high_q, data_q;
  logic [2:0]  known_q = '0;               // written since power-up: low, high, data
  assign writes = write_i && write_address_i[11:4] == 8'(vector);
  assign odd    = write_address_i[3];

  always_ff @(posedge clk_i) if (running_q) begin
    held_q        <= held;
    due_q         <= !reset_i && ((due_q && !sends) || (requested && (due_q || !sends)) || tested);
    deliverable_q <= deliverable && !sends;
    written_q     <= write_i;              // and may have masked another one, on offer
    ours_left_q   <= message_valid && ours && !message_ready_i;
    was_due_q     <= due_q;
    was_masked_q  <= masked_q;
    if (writes && !odd && write_strobe_i[0]) {low_q, known_q[0]} <= {write_data_i[31:0], 1'b1};
    if (writes && !odd && write_strobe_i[4]) {high_q, known_q[1]} <= {write_data_i[63:32], 1'b1};
    if (writes && odd && write_strobe_i[0]) {data_q, known_q[2]} <= {write_data_i[31:0], 1'b1};
    if (writes && odd && write_strobe_i[4]) masked_q <= write_data_i[32];
    if (reset_i) masked_q <= 1'b1;
  end

  always_comb if (running_q) begin
    if (request_valid_i && request_vector_i == {2'd0, vector} && !request_ready) begin
      waits_for_its_message: assert (deliverable);
    end
    if (read_i) no_message_in_a_read: assert (!message_valid);
    if (sends) message_is_owed: assert (due_q);
    if (sends) message_is_not_held_back: assert (!masked_q && !held_q);
    if (deliverable && deliverable_q && !written_q) begin
      something_is_offered: assert (message_valid || read_i);
    end
    if (ours_left_q && deliverable) offer_stays: assert ((message_valid || read_i) && ours);
    if (sends && known_q == '1) begin
      message_of_the_table: assert (message_address == {high_q, low_q[31:2]} &&
                                    message_data == data_q && four_dw == (high_q != '0));
    end
  end

  // --- what the host reads -----------------------------------------------------------------
  logic        reads_low_q = 1'b0, reads_odd_q = 1'b0, reads_pending_q = 1'b0;
  logic        reads_any_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) begin
    reads_low_q     <= read_i && !write_i && read_address_i == {8'(vector), 1'b0};
    reads_odd_q     <= read_i && !write_i && read_address_i == {8'(vector), 1'b1};
    reads_pending_q <= read_i && read_address_i == rf_pkg::MsixPbaOffset[11:3];
  end
  always_ff @(posedge clk_i) reads_any_q <= read_i; // in reset, too
  always_comb if (running_q) begin
    if (reads_low_q && known_q == '1) reads_address: assert (read_data ==
                                                             {high_q, low_q[31:2], 2'b00});
    if (reads_odd_q && known_q == '1) reads_data: assert (read_data ==
                                                          {31'd0, was_masked_q, data_q});
    if (reads_pending_q) reads_pending: assert (read_data[vector] == was_due_q);
    if (!reads_any_q) reads_nothing_else: assert (read_data == '0);
  end

  // --- the inside ----------------------------------------------------------------------------
  (* hierconn *) wire [Vectors-1:0] \u_msix.pending_q , \u_msix.mask_q , \u_msix.armed_q ,
      \u_msix.high_q ;
  (* hierconn *) wire [Vectors*32-1:0] \u_msix.u_low.watched , \u_msix.u_high.watched ,
      \u_msix.u_data.watched ;
  always_comb if (running_q) begin
    pending_is_owed: assert (\u_msix.pending_q [vector] == due_q);
    mask_is_kept: assert (\u_msix.mask_q [vector] == masked_q);
    armed_if_deliverable: assert (\u_msix.armed_q [vector] == deliverable);
    if (known_q[0]) low_stands: assert (\u_msix.u_low.watched [vector*32 +: 32] == low_q);
    if (known_q[1]) high_stands: assert (\u_msix.u_high.watched [vector*32 +: 32] == high_q &&
                                         \u_msix.high_q [vector] == (high_q != '0));
    if (known_q[2]) data_stands: assert (\u_msix.u_data.watched [vector*32 +: 32] == data_q);
  end

  // --- all this happens -------------------------------------------------------------------------
  logic waited_q = 1'b0, joined_q = 1'b0, sent_q = 1'b0;
  always_ff @(posedge clk_i) if (running_q) begin
    waited_q <= due_q && masked_q;
    joined_q <= (joined_q || (requested && due_q)) && !sends;
    sent_q   <= sent_q || sends;
  end
  logic requested_q;  // one cycle ago
  always_ff @(posedge clk_i) requested_q <= requested;
  always_comb if (running_q) begin
    sent_on_unmask: cover (sends && waited_q && known_q == '1);
    sent_a_cycle_later: cover (sends && requested_q);
    joined_and_sent_once: cover (sends && joined_q);
    owed_again_when_sent: cover (sent_q && sends && tested);
    withdrawn: cover (due_q && held_q && sent_q);
  end

endmodule

`default_nettype wire
