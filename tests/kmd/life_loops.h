/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIFE_LOOPS_H
#define LIFE_LOOPS_H

/* Threads that make, export, wait, share and map, against threads that destroy, close, sleep,
 * reset and at last remove; a test of cmocka. */
void life_loops(void **state);

#endif /* LIFE_LOOPS_H */
