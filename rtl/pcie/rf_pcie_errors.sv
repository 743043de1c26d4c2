// SPDX-License-Identifier: Apache-2.0
//
// Errors: their bits in Device Status, and the messages ERR_COR, ERR_NONFATAL and ERR_FATAL (PCI
// Express Base Specification 6.2, without Advanced Error Reporting). An error that a completion
// reports, and an unexpected completion, is an advisory one: correctable. A message of a kind that
// is waiting merges with later ones. A time-out in D3hot is reported in D0.
// The messages take the way of MSI-X messages. hold_o keeps those back, from a cycle before the
// offer on; it begins when none is on offer, so messages do not keep MSI-X waiting.
// Promises: no error whose report is enabled is lost; a message stays on offer, unchanged, until it
// is accepted or a function-level reset comes.
// Latency: status one cycle, a message four.

`default_nettype none

module rf_pcie_errors (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         reset_i,          // function-level reset

  input  wire        rf_bus_pkg::pcie_errors_t errors_i,
  input  wire        rf_bus_pkg::error_enables_t enables_i,
  input  wire logic         d3hot_i,
  output             rf_bus_pkg::error_status_t status_o,
  output logic              signaled_o,       // Signaled System Error

  input  wire logic         msix_idle_i,      // no MSI-X message is on offer
  output logic              hold_o,
  output logic              message_valid_o,
  input  wire logic         message_ready_i,
  output logic [1:0]        message_code_o,   // the lowest bits of the message's code
  output logic              idle_o
);

  localparam logic [1:0] Correctable = 2'b00, Nonfatal = 2'b01, Fatal = 2'b11;

  // --- what was found ---------------------------------------------------------------
  rf_bus_pkg::pcie_errors_t found_q;
  logic                     late_q, late; // a time-out in D3hot

  assign late = late_q && !d3hot_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      found_q <= '0;
      late_q  <= 1'b0;
    end else begin
      found_q <= reset_i ? '0 : errors_i;
      late_q  <= !reset_i && d3hot_i && (late_q || found_q.timeout);
    end
  end

  assign status_o.unsupported = found_q.unsupported || found_q.posted_unsupported;
  assign status_o.fatal       = found_q.malformed || found_q.link_fatal;
  assign status_o.nonfatal    = found_q.posted_unsupported || found_q.poisoned || found_q.timeout;
  assign status_o.correctable = found_q.unsupported || found_q.unexpected ||
                                found_q.link_correctable;

  // --- what is reported -------------------------------------------------------------
  logic report_correctable, report_nonfatal, report_fatal;

  assign report_correctable = enables_i.correctable &&
      (found_q.unexpected || found_q.link_correctable ||
       (found_q.unsupported && enables_i.unsupported));
  assign report_nonfatal    = (enables_i.serr || enables_i.nonfatal) &&
      (found_q.poisoned || (found_q.timeout && !d3hot_i) || late ||
       (found_q.posted_unsupported && (enables_i.serr || enables_i.unsupported)));
  assign report_fatal       = status_o.fatal && (enables_i.serr || enables_i.fatal);

  // --- messages, one at a time --------------------------------------------------------
  logic [2:0] pending_q, chosen;  // fatal, non-fatal, correctable
  logic       choose, sent, between_q;

  assign choose = hold_o && !message_valid_o;
  assign sent   = message_valid_o && message_ready_i;
  assign chosen = pending_q[2] ? 3'b100 : pending_q[1] ? 3'b010 : 3'b001;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q       <= '0;
      hold_o          <= 1'b0;
      message_valid_o <= 1'b0;
      between_q       <= 1'b0;
    end else if (reset_i) begin
      pending_q       <= '0;
      hold_o          <= 1'b0;
      message_valid_o <= 1'b0;
      between_q       <= 1'b0;
    end else begin
      pending_q <= (pending_q & ~(chosen & {3{choose}})) |
                   {report_fatal, report_nonfatal, report_correctable};
      between_q <= sent;
      if (choose)    message_valid_o <= 1'b1;
      else if (sent) message_valid_o <= 1'b0;
      if (sent)      hold_o <= 1'b0;
      else if (pending_q != '0 && msix_idle_i && !between_q) hold_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (choose) message_code_o <= pending_q[2] ? Fatal : pending_q[1] ? Nonfatal : Correctable;
  end

  assign signaled_o = sent && message_code_o != Correctable && enables_i.serr;
  assign idle_o     = found_q == '0 && !late && pending_q == '0 && !hold_o;

`ifndef SYNTHESIS
`ifndef FORMAL
  rf_offer_check #(.Width(2)) message_stays (
    .clk_i, .rst_ni(rst_ni && !reset_i), .valid_i(message_valid_o), .ready_i(message_ready_i),
    .data_i(message_code_o)
  );
`endif
`endif

endmodule

`default_nettype wire
