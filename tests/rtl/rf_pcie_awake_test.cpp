/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a clock that never stands (rf_clock_gate). */
// module: rf_pcie_tb
#include "rf_pcie_test.cpp"
