/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Mappings in GPU address spaces. A NULL file means the system process.
 *
 * Locking: the adapter's mutex is held for all of them.
 */
#ifndef KMD_GPU_VA_H
#define KMD_GPU_VA_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_file;
struct rf_mem;

/* @flags: RF_MAP_*. 0, -ENOMEM, -ENOSPC, or an error of the miniport. */
int kmd_gpu_map(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem, u32 flags,
		u64 *address);
/*
 * Map at an address where other memory was mapped before, or memory of the same size is mapped on a
 * linked adapter. -ENOSPC: something is mapped there.
 */
int kmd_gpu_map_at(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		   u64 address);
/* Map another page in place of the mapped one; on return no engine accesses the old page. */
int kmd_gpu_replace(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		    u32 flags, u64 address);
void kmd_gpu_unmap(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		   u64 address);

#endif /* KMD_GPU_VA_H */
