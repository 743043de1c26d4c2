// SPDX-License-Identifier: Apache-2.0
//
// The lowest of Ports requests, one-hot and as a number; nothing of state. Without a
// request grant_o and index_o are 0.

`default_nettype none

module rf_lowest #(
  parameter int unsigned Ports = 4
) (
  input  wire logic [Ports-1:0]         request_i,
  output logic [Ports-1:0]              grant_o,
  output logic [$clog2(Ports)-1:0]      index_o
);

  // Groups of four first, without a carry chain through all ports.
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam int unsigned Group = i / 4 * 4;
    localparam logic [Ports-1:0] Groups = (1 << Group) - 1;
    localparam logic [Ports-1:0] Own = ((1 << i) - 1) & ~Groups;

    assign grant_o[i] = request_i[i] && (request_i & Groups) == '0 && (request_i & Own) == '0;
  end

  always_comb begin
    index_o = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      if (grant_o[i]) index_o = index_o | i[$clog2(Ports)-1:0];
    end
  end

endmodule

`default_nettype wire
