/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a clock that stands while nothing is to be done (rf_clock_gate). */
// module: rf_pcie_tb
// parameters: -DRF_CLOCK_GATES
#include "rf_pcie_test.cpp"
