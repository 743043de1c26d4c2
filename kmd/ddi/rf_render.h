/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* DMA buffers from render commands. Locking: none; PASSIVE. */
#ifndef RF_RENDER_H
#define RF_RENDER_H

#include "rf_ddi.h"

/* 0; -ENOSPC: call again with another DMA buffer for the rest; -EINVAL. */
int rf_render(void *h_adapter, struct rf_render *arguments);
int rf_patch(void *h_adapter, const struct rf_patch *arguments);

#endif /* RF_RENDER_H */
