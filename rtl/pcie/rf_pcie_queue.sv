// SPDX-License-Identifier: Apache-2.0
//
// FIFO with a registered head, so logic after it has a whole cycle. Latency one cycle: an entry
// that meets an empty queue goes to the head at once.
// Promises: order kept, nothing lost or doubled, if the writer adds nothing while Depth entries
// are behind the head.

`default_nettype none

module rf_pcie_queue #(
  parameter int unsigned Width = 8,
  parameter int unsigned DepthLog2 = 4
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic               valid_i,
  input  wire logic [Width-1:0]   data_i,

  output logic                    valid_o,
  input  wire logic               ready_i,
  output logic [Width-1:0]        data_o,

  output logic [DepthLog2:0]      count_o // behind the head
);

  if (Width < 1 || Width > 4096) begin : gen_bad_width
    $error("a word has 1 to 4096 bits");
  end
  if (DepthLog2 < 1 || DepthLog2 > 8) begin : gen_bad_depth_log2
    $error("2^1 to 2^8 words");
  end

  logic [DepthLog2:0] write_q, next_q; // next: the entry that follows the head
  logic [Width-1:0]   next;
  logic               waiting, load;

  assign count_o = write_q - next_q;
  assign waiting = write_q != next_q;
  assign load    = !valid_o || ready_i;

  rf_lutram #(.Width(Width), .DepthLog2(DepthLog2)) u_memory (
    .clk_i           (clk_i),
    .write_i         (valid_i),
    .write_address_i (write_q[DepthLog2-1:0]),
    .write_data_i    (data_i),
    .read_address_i  (next_q[DepthLog2-1:0]),
    .read_data_o     (next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      write_q <= '0;
      next_q  <= '0;
    end else begin
      if (valid_i) write_q <= write_q + 1'b1;
      if (load) begin
        valid_o <= waiting || valid_i;
        if (waiting || valid_i) next_q <= next_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) data_o <= waiting ? next : data_i;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  // What the proofs assume of the surroundings: docs/proofs.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      not_written_when_full: assert (!valid_i || !count_o[DepthLog2]);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
