// SPDX-License-Identifier: Apache-2.0
//
// Round-robin choice among Ports requests, in a register: for wide choices that other
// logic stands in front of. choose_i takes the choice; grant_o (one-hot) and valid_o show
// it in the next cycle only. take_i says then that the choice was followed: the next
// search starts behind it. Promises: grant_o was a requester when choose_i was there, and
// a steady requester is granted within Ports choices that are followed.

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

  logic [Ports-1:0] above_q;  // ports above the last winner; they come first
  logic [Ports-1:0] first, first_high, above_grant;

  // Groups of four first, without a carry chain through all ports.
  for (genvar i = 0; i < Ports; i++) begin : gen_port
    localparam int unsigned Group = i / 4 * 4;
    localparam logic [Ports-1:0] Groups = (1 << Group) - 1;
    localparam logic [Ports-1:0] Own = ((1 << i) - 1) & ~Groups;

    assign first[i]       = request_i[i] && (request_i & Groups) == '0 && (request_i & Own) == '0;
    assign first_high[i]  = request_i[i] && above_q[i] && (request_i & above_q & Groups) == '0 &&
                            (request_i & above_q & Own) == '0;
    assign above_grant[i] = (grant_o & (Groups | Own)) != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      above_q <= '0;
      valid_o <= 1'b0;
    end else begin
      if (take_i) above_q <= above_grant;
      valid_o <= choose_i && request_i != '0;
    end
  end

  always_ff @(posedge clk_i) grant_o <= ((request_i & above_q) != '0) ? first_high : first;

endmodule

`default_nettype wire
