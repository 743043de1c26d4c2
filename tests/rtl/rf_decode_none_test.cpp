/* SPDX-License-Identifier: Apache-2.0 */
/* The same for the compute node of a device without a vector engine. */
// module: rf_decode
// parameters: -GEngine=0
#define ENGINE 0
#include "rf_decode_test.cpp"
