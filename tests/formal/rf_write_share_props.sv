// SPDX-License-Identifier: Apache-2.0
//
// rf_write_share: two writers behind one write master. One request at a time, from its
// acceptance to its done; its words and its done are those of the writer whose request it
// is, and no more words than it has, whoever is ready for more; a writer waits for one request
// of the other at most.

`default_nettype none

module rf_write_share_props (
  input  wire logic clk_i,
  input  wire logic rst_ni
);

  localparam int unsigned Width = rf_bus_pkg::WriteRequestWidth;

  (* anyseq *) logic [1:0]         valid, data_valid;
  (* anyseq *) logic [2*Width-1:0] write;
  (* anyseq *) logic [127:0]       data;
  (* anyseq *) logic               write_ready, write_data_ready, write_done;
  logic [1:0]       ready, data_ready, done;
  logic             write_valid, write_data_valid;
  logic [Width-1:0] write_out;
  logic [63:0]      write_data;

  rf_bus_pkg::write_request_t asked;
  assign asked = write_out;

  rf_write_share u_share (
    .clk_i, .rst_ni, .valid_i(valid), .ready_o(ready), .write_i(write),
    .data_valid_i(data_valid), .data_ready_o(data_ready), .data_i(data), .done_o(done),
    .write_valid_o(write_valid), .write_ready_i(write_ready), .write_o(write_out),
    .write_data_valid_o(write_data_valid), .write_data_ready_i(write_data_ready),
    .write_data_o(write_data), .write_done_i(write_done));

  (* anyconst *) logic writer;             // any of the two
  logic [1:0]         left_q = '0;         // offered and not taken
  logic [2*Width-1:0] write_q;
  logic               ours_q = 1'b0, theirs_q = 1'b0, waited_q = 1'b0; // requests not done
  logic [5:0]         words_q = '0;        // of the request, not taken
  logic               asks, asks_ours;
  assign asks      = write_valid && write_ready;
  assign asks_ours = valid[writer] && ready[writer];

  // A writer holds what it offers until that is taken; memory is done with what it has.
  always_comb begin
    if (left_q[0]) assume (valid[0] && write[0 +: Width] == write_q[0 +: Width]);
    if (left_q[1]) assume (valid[1] && write[Width +: Width] == write_q[Width +: Width]);
    assume (!write_done || ((ours_q || theirs_q) && words_q == '0));
    if (asks) assume (asked.words != '0 && asked.words <= 6'd32);
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    left_q  <= valid & ~ready;
    write_q <= write;
    if (asks) words_q <= asked.words;
    else if (write_data_valid && write_data_ready) words_q <= words_q - 6'd1;
    if (asks) {ours_q, theirs_q} <= {asks_ours, !asks_ours};
    else if (write_done) {ours_q, theirs_q} <= '0;
    if (!valid[writer] || ready[writer]) waited_q <= 1'b0;
    else if (asks) waited_q <= 1'b1;
  end

  always_comb if (rst_ni) begin
    one_at_a_time: assert (!(ours_q && theirs_q) && (!write_valid || !(ours_q || theirs_q)));
    asked_by_one: assert (asks ? (valid & ready) == (2'd1 << ready[1]) : (valid & ready) == '0);
    if (asks_ours) asked_as_offered: assert (write_out == write[writer*Width +: Width]);
    done_of_the_writer: assert (done[writer] == (write_done && ours_q));
    words_of_the_writer: assert (data_ready[writer] == (ours_q && words_q != '0 &&
                                                        write_data_ready));
    if (ours_q && words_q != '0) begin
      its_words: assert (write_data_valid == data_valid[writer] &&
                         write_data == data[writer*64 +: 64]);
    end
    if (words_q == '0) no_word_beyond_the_request: assert (!write_data_valid);
    if (waited_q && asks) next_is_ours: assert (asks_ours);
    if (left_q != '0 && !ours_q && !theirs_q) request_is_shown: assert (write_valid);
    // the inside
    if (words_q != '0) words_of_a_request: assert (ours_q || theirs_q);
    if (waited_q) left_waiting: assert (left_q[writer]);
  end
  (* hierconn *) wire \u_share.busy_q , \u_share.owner_q , \u_share.u_merge.turn_q ;
  (* hierconn *) wire [5:0] \u_share.left_q ;
  always_comb if (rst_ni) begin
    words_left: assert (\u_share.left_q == words_q);
    busy_with_one: assert (\u_share.busy_q == (ours_q || theirs_q));
    if (\u_share.busy_q ) owner_is_known: assert ((\u_share.owner_q == writer) == ours_q);
  end
  always_comb if (rst_ni) if (waited_q) turn_is_ours: assert (\u_share.u_merge.turn_q == writer);

  always_comb if (rst_ni) begin
    done_ours: cover (done[writer] && left_q != '0);
    after_the_other: cover (waited_q && asks_ours);
    word_ours: cover (ours_q && write_data_valid && write_data_ready);
    word_kept_back: cover (ours_q && words_q == '0 && data_valid[writer] && write_data_ready);
  end

endmodule

`default_nettype wire
