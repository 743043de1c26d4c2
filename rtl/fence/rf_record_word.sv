// SPDX-License-Identifier: Apache-2.0
//
// One of the three words of an interrupt record: the one that show_i selects (one-hot), or 0 if it
// selects none. A record stays with its source, and the words of all sources are ORed on the way
// to the interrupt ring.

`default_nettype none

module rf_record_word (
  input  wire rf_bus_pkg::record_t record_i,
  input  wire logic [2:0]          show_i,
  output logic [63:0]              word_o
);

  always_comb begin
    word_o = '0;
    if (show_i[0]) begin
      word_o = word_o | {record_i.handle, record_i.detail, 4'd0, record_i.vmid, 4'd0,
                         record_i.node, record_i.kind};
    end
    if (show_i[1]) word_o = word_o | record_i.address;
    if (show_i[2]) word_o = word_o | record_i.value;
  end

endmodule

`default_nettype wire
