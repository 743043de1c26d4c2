// SPDX-License-Identifier: Apache-2.0
//
// For Yosys (techmap): a memory of fewer than 16 words in a cell of 16. The address bits that it
// does not need come as zeros; nextpnr would take a net of zeros to each cell, which crowds the
// wires beside it. They repeat the lowest bit of the address instead, for writes as for reads.

(* techmap_celltype = "TRELLIS_DPR16X4" *)
module short_memory (
  input  [3:0] DI,
  input  [3:0] WAD,
  input        WRE,
  input        WCK,
  input  [3:0] RAD,
  output [3:0] DO
);
  parameter WCKMUX = "WCK";
  parameter WREMUX = "WRE";
  parameter [63:0] INITVAL = 64'h0;

  parameter _TECHMAP_CONSTMSK_RAD_ = 4'b0;
  parameter _TECHMAP_CONSTVAL_RAD_ = 4'bx;
  parameter _TECHMAP_CONSTMSK_WAD_ = 4'b0;
  parameter _TECHMAP_CONSTVAL_WAD_ = 4'bx;
  parameter _TECHMAP_WIREINIT_DO_ = 4'bx;

  // Zeros in both addresses, at the same places, above a lowest bit that is none
  localparam [3:0] Unused = _TECHMAP_CONSTMSK_RAD_ & ~_TECHMAP_CONSTVAL_RAD_;
  wire _TECHMAP_FAIL_ = Unused == 4'b0 || Unused[0] ||
                        Unused != _TECHMAP_CONSTMSK_RAD_ ||
                        Unused != (_TECHMAP_CONSTMSK_WAD_ & ~_TECHMAP_CONSTVAL_WAD_) ||
                        Unused != _TECHMAP_CONSTMSK_WAD_;

  wire [3:0] read, write;
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : gen_bit
      assign read[i]  = Unused[i] ? RAD[0] : RAD[i];
      assign write[i] = Unused[i] ? WAD[0] : WAD[i];
    end
  endgenerate

  TRELLIS_DPR16X4 #(.WCKMUX(WCKMUX), .WREMUX(WREMUX), .INITVAL(INITVAL)) _TECHMAP_REPLACE_ (
    .DI(DI), .WAD(write), .WRE(WRE), .WCK(WCK), .RAD(read), .DO(DO)
  );
endmodule
