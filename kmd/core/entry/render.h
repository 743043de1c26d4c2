/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Render commands: arrays of allocations and patches, and the DMA buffers made of them. */
#ifndef KMD_RENDER_H
#define KMD_RENDER_H

#include "rf_ddi.h"

struct kmd_call;

/* Copy the arrays of a render command and check them. No lock held. */
int kmd_render_copy(struct kmd_call *call);
/*
 * Leak detection: the slots in @bound are so at the end of the DMA buffer before this one;
 * false: the list of this one leaves some of them as they are (S4-20). @bound: at its end.
 */
bool kmd_patch_list_verify(const struct rf_patch_location *list, u32 count, u32 *bound);

#endif /* KMD_RENDER_H */
