/* SPDX-License-Identifier: Apache-2.0 */
/* The same for the port at the other end of the lane, which leads Configuration. */
// module: rf_ltssm
// parameters: -GTickCycles=8 -GMillisecond=250 -GDownstream=1
#define DOWNSTREAM 1
#include "rf_ltssm_test.cpp"
