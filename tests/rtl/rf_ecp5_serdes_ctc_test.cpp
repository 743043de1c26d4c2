/* SPDX-License-Identifier: Apache-2.0 */
/* The same with the cell's own clock compensation. */
// module: rf_ecp5_serdes_tb
// parameters: -GCtc=1 -y tests/rtl -y rtl/board/ecp5
#define CTC 1
#include "rf_ecp5_serdes_test.cpp"
