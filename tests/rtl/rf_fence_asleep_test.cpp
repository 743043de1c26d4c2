/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a clock that stands when the steps have nothing to do (rf_clock_gate). */
// module: rf_fence
// parameters: -DRF_CLOCK_GATES
#include "rf_fence_test.cpp"
