// SPDX-License-Identifier: Apache-2.0
//
// What the block RAM and the multiplier of an ECP5 do, for the mapped netlist: Yosys ships
// simulation models of every other cell that it maps to, of these two only the pins. Only
// the modes that Yosys maps to are here; a netlist with another one does not elaborate.
//
// DP16KD: port A writes, port B reads, both as wide, with one clock; 36 bits take the pins
// of both ports. Output not registered, no chip select, a synchronous reset of what is read,
// with or without enable, contents 0 after configuration. A bit that is read while it is
// written comes as the complement of the new one, as in rf_ram: the cell promises nothing.
//
// MULT18X18D: a product without registers.

`default_nettype none

module DP16KD (
  input wire logic DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6,
    DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
  input wire logic ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2,
    ADA1, ADA0,
  input wire logic CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output logic DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6,
    DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
  input wire logic DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6,
    DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
  input wire logic ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2,
    ADB1, ADB0,
  input wire logic CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output logic DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6,
    DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);

  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL";
  parameter GSR = "ENABLED";
  parameter CLKAMUX = "CLKA", CLKBMUX = "CLKB";
  parameter [319:0]
    INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0, INITVAL_05 = 0,
    INITVAL_06 = 0, INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0,
    INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 = 0, INITVAL_11 = 0,
    INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0,
    INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0, INITVAL_1C = 0, INITVAL_1D = 0,
    INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0,
    INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0, INITVAL_28 = 0, INITVAL_29 = 0,
    INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0,
    INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35 = 0,
    INITVAL_36 = 0, INITVAL_37 = 0, INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
    INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;

  // An address counts the bits of a byte's eight; wide ports have enables in its lower bits.
  localparam int unsigned Width = DATA_WIDTH_A;
  localparam int unsigned Lower = Width < 9 ? $clog2(Width) : $clog2(Width / 9) + 3;

  // WRITEMODE says what a port reads that writes: none does.
  if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" ||
      CSDECODE_B != "0b000" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB") begin : gen_mode
    $error("DP16KD: a mode without a model");
  end
  if (DATA_WIDTH_A != DATA_WIDTH_B || !(Width inside {1, 2, 4, 9, 18, 36})) begin : gen_width
    $error("DP16KD: a width without a model");
  end
  if (|(INITVAL_00 | INITVAL_01 | INITVAL_02 | INITVAL_03 | INITVAL_04 | INITVAL_05 | INITVAL_06 |
        INITVAL_07 | INITVAL_08 | INITVAL_09 | INITVAL_0A | INITVAL_0B | INITVAL_0C | INITVAL_0D |
        INITVAL_0E | INITVAL_0F | INITVAL_10 | INITVAL_11 | INITVAL_12 | INITVAL_13 | INITVAL_14 |
        INITVAL_15 | INITVAL_16 | INITVAL_17 | INITVAL_18 | INITVAL_19 | INITVAL_1A | INITVAL_1B |
        INITVAL_1C | INITVAL_1D | INITVAL_1E | INITVAL_1F | INITVAL_20 | INITVAL_21 | INITVAL_22 |
        INITVAL_23 | INITVAL_24 | INITVAL_25 | INITVAL_26 | INITVAL_27 | INITVAL_28 | INITVAL_29 |
        INITVAL_2A | INITVAL_2B | INITVAL_2C | INITVAL_2D | INITVAL_2E | INITVAL_2F | INITVAL_30 |
        INITVAL_31 | INITVAL_32 | INITVAL_33 | INITVAL_34 | INITVAL_35 | INITVAL_36 | INITVAL_37 |
        INITVAL_38 | INITVAL_39 | INITVAL_3A | INITVAL_3B | INITVAL_3C | INITVAL_3D | INITVAL_3E |
        INITVAL_3F)) begin : gen_contents
    $error("DP16KD: contents without a model");
  end

  wire logic [17:0] di_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8,
    DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire logic [13:0] ad_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3,
    ADA2, ADA1, ADA0};
  wire logic [17:0] di_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8,
    DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  wire logic [13:0] ad_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3,
    ADB2, ADB1, ADB0};

  logic [Width-1:0]  memory [1 << 14 - Lower];
  logic [Width-1:0]  old, enabled, read_q;
  wire logic [Width-1:0]  write_data    = Width'({di_b, di_a});
  wire logic [13-Lower:0] write_address = ad_a[13:Lower];
  wire logic [13-Lower:0] read_address  = ad_b[13:Lower];

  for (genvar i = 0; i < Width; i++) begin : gen_enable
    assign enabled[i] = CEA && WEA && (Width < 18 || ad_a[i / 9]);
  end

  assign old = memory[write_address];

  always @(posedge CLKA) begin
    memory[write_address] <= old & ~enabled | write_data & enabled;
    if (CEB) begin
      read_q <= read_address == write_address ? old & ~enabled | ~write_data & enabled
                                              : memory[read_address];
    end
    if (RSTB) read_q <= '0;
    if (WEB || RSTA || RSTB && RESETMODE != "SYNC" || CLKA != CLKB) begin
      $fatal(1, "DP16KD: a use without a model");
    end
  end

  wire logic [17:0] out_a = Width == 36 ? 18'(read_q) : '0;
  wire logic [17:0] out_b = Width == 36 ? 18'(read_q >> 18) : 18'(read_q);

  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
    DOA4, DOA3, DOA2, DOA1, DOA0} = out_a;
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
    DOB4, DOB3, DOB2, DOB1, DOB0} = out_b;

endmodule

module MULT18X18D (
  input wire logic A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input wire logic B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  input wire logic C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  input wire logic SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  input wire logic CLK3, CLK2, CLK1, CLK0, CE3, CE2, CE1, CE0, RST3, RST2, RST1, RST0,
  output logic P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20,
    P19, P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);

  parameter REG_INPUTA_CLK = "NONE", REG_INPUTB_CLK = "NONE", REG_INPUTC_CLK = "NONE";
  parameter REG_PIPELINE_CLK = "NONE", REG_OUTPUT_CLK = "NONE";

  if (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE" || REG_INPUTC_CLK != "NONE" ||
      REG_PIPELINE_CLK != "NONE" || REG_OUTPUT_CLK != "NONE") begin : gen_mode
    $error("MULT18X18D: a mode without a model");
  end

  wire logic signed [18:0] a = {SIGNEDA && A17, A17, A16, A15, A14, A13, A12, A11, A10, A9, A8,
    A7, A6, A5, A4, A3, A2, A1, A0};
  wire logic signed [18:0] b = {SIGNEDB && B17, B17, B16, B15, B14, B13, B12, B11, B10, B9, B8,
    B7, B6, B5, B4, B3, B2, B1, B0};
  wire logic signed [37:0] product = a * b;

  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19,
    P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} =
    product[35:0];

endmodule

// As the vendor's, which takes three stages of wires: those make the model of the device a
// third larger. That they are the same is proved, make gate-lut4.
module LUT4 (
  input  wire logic A, B, C, D,
  output logic      Z
);

  parameter [15:0] INIT = 0;

  assign Z = INIT[{D, C, B, A}];

endmodule

`default_nettype wire
