/* SPDX-License-Identifier: Apache-2.0 */
/* The wave of a run, and a save file for gtkwave beside it that shows what matters. */
#ifndef RF_WAVE_H
#define RF_WAVE_H

#include "rfsim.h"

/* @path, and @path.gtkw; says why not on stderr. rfsim_trace() ends it. */
int rf_wave_begin(struct rfsim_device *device, const char *path);

#endif
