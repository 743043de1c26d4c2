/* SPDX-License-Identifier: Apache-2.0 */
/* The same for the node of the copy engine. */
// module: rf_node_registers
// parameters: -GNode=1
#define NODE 1
#include "rf_node_registers_test.cpp"
