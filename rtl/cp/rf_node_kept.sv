// SPDX-License-Identifier: Apache-2.0
//
// Which command words of slots that a node served before are still in the memory of its fetch,
// so that a slot goes on without reading them again. The memory has four places; slots with the
// same low bits share one, and the last of them has it.
//
// Promises: words of a slot are used in its next turn alone, and only if since they were fetched
// no read failed, nothing was written to registers of slots (so it was neither disabled, enabled,
// saved, restored nor given to another queue), and no translation was invalidated.
// Latency: what a slot has stands from the second cycle of its turn on.

`default_nettype none

module rf_node_kept (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  input  wire logic [3:0]   slot_i,          // that is served, or was last
  input  wire logic         idle_i,          // it was: its turn is over
  input  wire logic         start_i,         // words of it are fetched anew from now on, for
  input  wire logic         work_i,          // this; else the fetch has words of no slot
  input  wire logic         skipped_i,       // the decoder is behind the WAIT of the position
  input  wire rf_bus_pkg::fetched_words_t fetched_i,
  output      rf_bus_pkg::kept_words_t kept_o,
  output logic              skips_o,         // with them: go on behind that WAIT

  input  wire logic         slot_write_i,    // to a register of a slot
  input  wire logic         invalidate_i     // translations, of any VMID
);

  logic [3:0] valid_q, valid_d;    // of each place: its last turn began, and nothing came since
  logic [3:0] here, begins;
  logic       forgets;
  logic [1:0] tag;                 // of the slot that has the words
  logic       kept_valid_q;        // they are the slot's, and valid
  logic       skipped, same;
  logic [3:0] behind, shift;
  assign here    = 4'd1 << slot_i[1:0];
  assign begins  = start_i ? here : '0;
  assign forgets = slot_write_i || invalidate_i || fetched_i.failed;
  assign valid_d = forgets ? '0 : work_i ? valid_q | begins : valid_q & ~begins;
  assign same    = (valid_d & here) != '0 && tag == slot_i[3:2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= '0;
      kept_valid_q <= 1'b0;
      skips_o      <= 1'b0;
    end else begin
      valid_q      <= valid_d;
      kept_valid_q <= same;
      skips_o      <= same && skipped;
    end
  end

  rf_lutram #(.Width(2 + 1 + 4 + 4), .DepthLog2(2)) u_kept (
    .clk_i, .write_i(idle_i), .write_address_i(slot_i[1:0]),
    .write_data_i({slot_i[3:2], skipped_i, fetched_i.behind, fetched_i.shift}),
    .read_address_i(slot_i[1:0]), .read_data_o({tag, skipped, behind, shift})
  );
  always_comb begin
    kept_o.place  = slot_i[1:0];
    kept_o.valid  = kept_valid_q;
    kept_o.behind = behind;
    kept_o.shift  = shift;
  end

endmodule

`default_nettype wire
