/* SPDX-License-Identifier: Apache-2.0 */
/* The wave of a run, and a save file for gtkwave beside it that shows what matters. */
#ifndef RF_WAVE_H
#define RF_WAVE_H

#include "rfsim.h"

/*
 * Devices that are created from now on can write waves. Before the program starts threads, which
 * the signals then are not for: a program that is ended by one of them, or by exit(), ends its
 * wave, which so can be read up to there. -errno and a line on stderr.
 */
int rf_wave_prepare(void);
/*
 * Writes @path and @path.gtkw; @cycle is the present one. Prints the reason of a failure on
 * stderr. @path, or the target of the link, is a regular file or does not exist. One wave of each
 * device at a time.
 */
int rf_wave_begin(struct rfsim_device *device, const char *path, uint64_t cycle);
/* All of them. 0, also if there is none; else a line on stderr: not all of one was written. */
int rf_wave_end(void);

#endif
