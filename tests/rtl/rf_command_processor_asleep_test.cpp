/* SPDX-License-Identifier: Apache-2.0 */
/* The same with clocks that stand when their parts have nothing to do (rf_clock_gate). */
// module: rf_command_processor
// parameters: -DRF_CLOCK_GATES
#include "rf_command_processor_test.cpp"
