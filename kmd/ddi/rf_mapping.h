/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Memory in address spaces: DDI functions that map it, and buffers of the driver's own.
 *
 * Locking: PASSIVE, one caller at a time; functions that unmap sleep until the device has
 * forgotten the translation.
 */
#ifndef RF_MAPPING_H
#define RF_MAPPING_H

#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_types.h"

struct rf_address_space;
struct rf_hw;

/* 0, -EINVAL, -ENOMEM, -ENOSPC. */
int rf_map_gpu_virtual_address(void *h_adapter, struct rf_map_gpu_virtual_address *arguments);
/* -EIO: the device may use the old page or the new one. */
int rf_replace_gpu_page(void *h_adapter, const struct rf_replace_gpu_page *arguments);
/* -EIO: the device may still access the memory, which is in quarantine. */
int rf_unmap_gpu_virtual_address(void *h_adapter,
				 const struct rf_unmap_gpu_virtual_address *arguments);

/* Memory of the driver's that is mapped in one space. */
struct rf_buffer {
	struct rf_mem *mem; /* or NULL */
	u64 address;
};

/* @space: NULL for the system process; @flags: RF_MAP_*. */
int rf_buffer_create(struct rf_hw *hw, struct rf_address_space *space, enum rf_mem_kind kind,
		     u64 bytes, u32 flags, struct rf_buffer *buffer);
/* The same of memory that exists, whose reference the buffer takes over, even if it fails. */
int rf_buffer_map(struct rf_hw *hw, struct rf_address_space *space, struct rf_mem *mem, u32 flags,
		  struct rf_buffer *buffer);
void rf_buffer_destroy(struct rf_hw *hw, struct rf_address_space *space, struct rf_buffer *buffer);

#endif /* RF_MAPPING_H */
