/* SPDX-License-Identifier: Apache-2.0 */
/* The same with gearing and the cell's clock compensation switched at run time, in all their pairs. */
// module: rf_ecp5_serdes_tb
// parameters: -GSwitches=1 -y tests/rtl -y rtl/board/ecp5
#define SWITCHES 1
#include "rf_ecp5_serdes_test.cpp"
