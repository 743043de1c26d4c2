/* SPDX-License-Identifier: Apache-2.0 */
/* The same with one symbol a cycle of the cell, geared by flip-flops. */
// module: rf_ecp5_serdes_tb
// parameters: -GGear=0 -y tests/rtl -y rtl/board/ecp5
#define GEAR 0
#include "rf_ecp5_serdes_test.cpp"
