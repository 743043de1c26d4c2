/* SPDX-License-Identifier: Apache-2.0 */
/* The same with the TLB of a board: 16 sets, in one bank. */
// module: rf_translate
// parameters: -GSetsLog2=4
#include "rf_translate_test.cpp"
