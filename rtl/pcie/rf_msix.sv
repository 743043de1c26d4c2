// SPDX-License-Identifier: Apache-2.0
//
// MSI-X table, pending bits and the choice of the next message. A request sets the vector's
// pending bit. A pending vector that is not masked (mask, function mask, enable, bus mastering)
// offers its message, and the bit is cleared when the message is accepted. A request for a vector
// whose message is offered waits; one for a masked vector merges with the pending one.
// Promises: no request is lost, each unmask sends a pending message once, and a message is read
// from the table when it is accepted, never earlier: until then an offer may be withdrawn or
// changed.
// Latency: one cycle from request to offer; for the host one from read to data, with no read in
// the cycle of a write.

`default_nettype none

module rf_msix (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         reset_i,         // function-level reset

  input  wire logic         enable_i,
  input  wire logic         function_mask_i,
  input  wire logic         bus_master_i,

  // BAR 4
  input  wire logic         write_i,
  input  wire logic [11:3]  write_address_i,
  input  wire logic [63:0]  write_data_i,
  input  wire logic [7:0]   write_strobe_i,
  input  wire logic         read_i,
  input  wire logic [11:3]  read_address_i,
  output logic [63:0]       read_data_o,     // a cycle later; else 0

  input  wire logic         request_valid_i,
  output logic              request_ready_o,
  input  wire logic [3:0]   request_vector_i,
  input  wire logic         test_valid_i,
  input  wire logic [15:0]  test_i,

  output logic              message_valid_o,   // not in the cycle of a read
  input  wire logic         message_ready_i,
  output logic [63:2]       message_address_o,
  output logic              message_four_dw_o, // address above 4 GiB
  output logic [31:0]       message_data_o,

  output logic              idle_o
);

  localparam int unsigned Vectors = rf_pkg::MsixVectors;
  localparam int unsigned VectorLog2 = $clog2(Vectors);

  logic [Vectors-1:0]    mask_q, mask_d, pending_q, high_q, pending_d;
  logic [Vectors-1:0]    armed_q, test, request, taken;
  logic [VectorLog2-1:0] select_q, select_d, write_vector, request_vector;
  logic                  request_known, held, offered;

  // --- pending bits ---------------------------------------------------------------
  // Ready made for the next cycle: an offer is on the way to the transmit stream.
  // So the enables are heeded a cycle late, long before the completion of the write
  // that changes them.
  assign held = !enable_i || function_mask_i || !bus_master_i || reset_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) armed_q <= '0;
    else armed_q <= held ? '0 : pending_d & ~mask_d;
  end

  assign request_known   = {28'b0, request_vector_i} < Vectors;
  assign request_vector  = request_vector_i[VectorLog2-1:0];
  assign request_ready_o = !request_known || !armed_q[request_vector];
  assign offered         = armed_q[select_q];
  assign message_valid_o = offered && !read_i;

  always_comb begin
    request = '0;
    taken   = '0;
    request[request_vector] = request_valid_i && request_ready_o && request_known;
    taken[select_q] = message_valid_o && message_ready_i;
  end

  assign test      = test_valid_i ? test_i[Vectors-1:0] : '0;
  assign pending_d = ((pending_q | request) & ~taken) | test;

  // The vector on offer stays until it is taken or held back; then the next
  // pending one is found, the one just requested at once.
  always_comb begin
    select_d = select_q;
    if (!offered || taken != '0) begin
      if ((armed_q & ~taken) == '0) begin
        if (request != '0) select_d = request_vector;
      end
      for (int unsigned i = 0; i < Vectors; i++) begin
        if (armed_q[i] && !taken[i]) select_d = i[VectorLog2-1:0];
      end
    end
  end

  // --- table -------------------------------------------------------------------------
  logic table_write, write_odd, write_low, write_high;
  assign table_write  = write_i && write_address_i[11:VectorLog2+4] == '0;
  assign write_vector = write_address_i[VectorLog2+3:4];
  assign write_odd    = write_address_i[3];
  assign write_low    = table_write && write_strobe_i[3:0] != '0;
  assign write_high   = table_write && write_strobe_i[7:4] != '0;

  always_comb begin
    mask_d = mask_q;
    if (write_high && write_odd) mask_d[write_vector] = write_data_i[32];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      mask_q    <= '1;
      high_q    <= '0;
      select_q  <= '0;
    end else if (reset_i) begin
      pending_q <= '0;
      mask_q    <= '1;
      select_q  <= '0;
    end else begin
      pending_q <= pending_d;
      select_q  <= select_d;
      mask_q    <= mask_d;
      if (write_high && !write_odd) high_q[write_vector] <= write_data_i[63:32] != '0;
    end
  end

  // The host's reads and messages share it.
  logic [31:0]           message_low, message_high;
  logic [VectorLog2-1:0] read_vector, entry;

  assign read_vector = read_address_i[VectorLog2+3:4];
  assign entry       = read_i ? read_vector : select_q;

  rf_lutram #(.Width(32), .DepthLog2(VectorLog2)) u_low (
    .clk_i, .write_i(write_low && !write_odd), .write_address_i(write_vector),
    .write_data_i(write_data_i[31:0]), .read_address_i(entry), .read_data_o(message_low)
  );
  rf_lutram #(.Width(32), .DepthLog2(VectorLog2)) u_high (
    .clk_i, .write_i(write_high && !write_odd), .write_address_i(write_vector),
    .write_data_i(write_data_i[63:32]), .read_address_i(entry), .read_data_o(message_high)
  );
  rf_lutram #(.Width(32), .DepthLog2(VectorLog2)) u_data (
    .clk_i, .write_i(write_low && write_odd), .write_address_i(write_vector),
    .write_data_i(write_data_i[31:0]), .read_address_i(entry), .read_data_o(message_data_o)
  );

  assign message_address_o = {message_high, message_low[31:2]};
  assign message_four_dw_o = high_q[select_q];

  always_ff @(posedge clk_i) begin
    read_data_o <= '0;
    if (read_i && read_address_i[11:VectorLog2+4] == '0) begin
      read_data_o <= read_address_i[3] ? {31'b0, mask_q[read_vector], message_data_o}
                                       : {message_high, message_low[31:2], 2'b00};
    end else if (read_i && read_address_i == rf_pkg::MsixPbaOffset[11:3]) begin
      read_data_o <= {{(64 - Vectors){1'b0}}, pending_q};
    end
  end

  assign idle_o = armed_q == '0;

  // Only whole DWs of the table are written; the low address bits are 0.
  logic unused;
  assign unused = ^{message_low[1:0], test_i[15:Vectors]};

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (table_write) begin
        whole_dwords: assert ((write_strobe_i[3:0] == '0 || write_strobe_i[3:0] == '1) &&
                              (write_strobe_i[7:4] == '0 || write_strobe_i[7:4] == '1));
        no_write_in_reset: assert (!reset_i);
      end
    end
  end
`endif
`endif

endmodule

`default_nettype wire
