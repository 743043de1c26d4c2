/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Memory that the driver allocates for contexts of the packet model.
 *
 * Locking: the adapter's mutex is held; functions wait for paging, without a spinlock.
 */
#ifndef KMD_CONTEXT_ALLOCATION_H
#define KMD_CONTEXT_ALLOCATION_H

#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_adapter;
struct kmd_file;
struct kmd_packet_context;

/**
 * struct kmd_context_allocation - memory that contexts need on the device
 * @link: in kmd_adapter.context_allocations
 * @file: process
 * @context: its context; NULL: all contexts of the process
 * @h_driver: the miniport's handle
 * @supported: segments where it may be used
 * @evicted: segments where it may be kept
 * @preferred: of the supported ones
 * @mem: where it is now
 * @address: in the system process, the same for life
 * @mapped: it is mapped at @address: contexts may use it
 */
struct kmd_context_allocation {
	struct rf_list link;
	struct kmd_file *file;
	struct kmd_packet_context *context;
	void *h_driver;
	u32 supported;
	u32 evicted;
	enum rf_mem_kind preferred;
	struct rf_mem *mem;
	u64 address;
	bool mapped;
};

/* Fill the allocations of a new context, which is ready then. 0, -EIO, -ENOMEM. */
int kmd_packet_context_fill(struct kmd_packet_context *context);
/* Put its allocations in place, so that its packets may run. */
int kmd_packet_context_make_ready(struct kmd_packet_context *context);
/* Move allocations of contexts out of local memory. True: some memory was freed. */
bool kmd_packet_contexts_evict(struct kmd_adapter *adapter);

/* Callbacks of the miniport, from create_context and destroy_context. */
int kmd_create_context_allocation(void *h_core, struct rf_create_context_allocation *arguments);
int kmd_destroy_context_allocation(void *h_core,
				   const struct rf_destroy_context_allocation *arguments);

#endif /* KMD_CONTEXT_ALLOCATION_H */
