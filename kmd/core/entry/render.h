/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Render commands: arrays of allocations and patches, and the DMA buffers made of them. */
#ifndef KMD_RENDER_H
#define KMD_RENDER_H

#include "rf_ddi.h"

struct kmd_call;

/* Copy the arrays of a render command and check them. No lock held. */
int kmd_render_copy(struct kmd_call *call);
/*
 * Leak detection: @bound has the slots that are bound at the end of the previous DMA buffer; false:
 * the list of this one neither rebinds nor unbinds some of them (S4-20). Sets @bound for this one.
 */
bool kmd_patch_list_verify(const struct rf_patch_location *list, u32 count, u32 *bound);

#endif /* KMD_RENDER_H */
