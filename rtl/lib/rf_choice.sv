// SPDX-License-Identifier: Apache-2.0
//
// Round-robin choice among Ports requests, registered: for wide choices. choose_i makes the
// choice; grant_o (one-hot) and valid_o show it in the next cycle only. take_i then says that the
// choice was used: the next search starts after it. Promises: grant_o was a requester in the cycle
// of choose_i, and a steady requester is granted within Ports choices that are used.

`default_nettype none

module rf_choice #(
  parameter int unsigned Ports = 4
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [Ports-1:0] request_i,
  input  wire logic             choose_i,
  output logic                  valid_o,
  output logic [Ports-1:0]      grant_o,
  input  wire logic             take_i
);

  if (Ports < 2 || Ports > 64) begin : gen_bad_ports
    $error("there are 2 to 64 ports");
  end

  logic [Ports-1:0]         above_q;  // ports above the last winner; they come first
  logic [Ports-1:0]         grant, unused_past;
  logic [$clog2(Ports)-1:0] unused_index;

  rf_lowest_above #(.Ports(Ports)) u_next (
    .request_i, .above_i(above_q), .grant_o(grant), .index_o(unused_index), .past_o(unused_past)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      above_q <= '0;
      valid_o <= 1'b0;
    end else begin
      if (take_i) above_q <= grant_o ^ -grant_o;
      valid_o <= choose_i && request_i != '0;
    end
  end

  always_ff @(posedge clk_i) grant_o <= grant;

  logic unused;
  assign unused = &{1'b0, unused_index, unused_past};

endmodule

`default_nettype wire
