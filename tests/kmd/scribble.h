/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCRIBBLE_H
#define SCRIBBLE_H

/* A test of cmocka: a thread writes over all memory that user mode or an engine which works for
 * a process can write, while everything runs. */
void scribble_over_everything(void **state);

#endif /* SCRIBBLE_H */
