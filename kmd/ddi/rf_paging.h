/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Packets of the paging node. Locking: none; PASSIVE. */
#ifndef RF_PAGING_H
#define RF_PAGING_H

#include "rf_ddi.h"

/* 0; -ENOSPC: the DMA buffer is too small. */
int rf_build_paging_buffer(void *h_adapter, struct rf_build_paging_buffer *arguments);

#endif /* RF_PAGING_H */
