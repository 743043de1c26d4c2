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

  if (Ports < 2 || Ports > 64) begin : gen_bad_ports
    $error("there are 2 to 64 ports");
  end

  // Groups of four first, without a carry chain through all ports.
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam int unsigned Group = i / 4 * 4;
    localparam logic [Ports-1:0] Groups = (1 << Group) - 1;
    localparam logic [Ports-1:0] Own = ((1 << i) - 1) & ~Groups;

    assign grant_o[i] = request_i[i] && (request_i & Groups) == '0 && (request_i & Own) == '0;
  end

  // The number in parallel to that, of each group first.
  localparam int unsigned GroupCount = (Ports + 3) / 4;
  logic [GroupCount*4-1:0] padded;
  logic [3:0]              group;
  logic [1:0]              low;
  assign padded = (GroupCount*4)'(request_i);

  always_comb begin
    index_o = '0;
    for (int unsigned g = GroupCount; g > 0; g--) begin
      group  = padded[(g-1)*4 +: 4];
      low[1] = !group[0] && !group[1];
      low[0] = !group[0] && (group[1] || !group[2]);
      if (group != '0) index_o = ($clog2(Ports))'((g-1)*4 + 32'(low));
    end
  end

endmodule

`default_nettype wire
