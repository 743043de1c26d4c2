// SPDX-License-Identifier: Apache-2.0
//
// The lowest of Ports requests among those of above_i, or among all if there is none: where a round
// robin goes on. As rf_lowest one-hot and as a number; combinational. past_o: the ports above it,
// which are the next above_i; none without a request.

`default_nettype none

module rf_lowest_above #(
  parameter int unsigned Ports = 4
) (
  input  wire logic [Ports-1:0]    request_i,
  input  wire logic [Ports-1:0]    above_i,
  output logic [Ports-1:0]         grant_o,
  output logic [$clog2(Ports)-1:0] index_o,
  output logic [Ports-1:0]         past_o
);

  if (Ports < 2 || Ports > 64) begin : gen_bad_ports
    $error("there are 2 to 64 ports");
  end

  logic [Ports-1:0] first;

  assign first  = ((request_i & above_i) != '0) ? request_i & above_i : request_i;
  assign past_o = first ^ -first;

  rf_lowest #(.Ports(Ports)) u_lowest (.request_i(first), .grant_o, .index_o);

endmodule

`default_nettype wire
