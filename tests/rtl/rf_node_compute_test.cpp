/* SPDX-License-Identifier: Apache-2.0 */
/* The same for the node of the vector engine, whose operations go on with a partial result. */
// module: rf_node
// parameters: -GNode=0
#define NODE_NUMBER 0
#include "rf_node_test.cpp"
