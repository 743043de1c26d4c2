/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Memory of a process in its GPU address space.
 *
 * Locking: the adapter's mutex is held for everything here.
 */
#ifndef KMD_MEMORY_H
#define KMD_MEMORY_H

#include "base/limit.h"
#include "rf_list.h"
#include "rf_bus.h"
#include "rf_types.h"

struct kmd_file;

/**
 * struct kmd_memory - memory in the process's GPU address space
 * @link: in kmd_file.memories
 * @file: process
 * @handle: in kmd_file.table; 0: it has none, or had one
 * @mmap_offset: where user mode maps it
 * @references: of the handle, of doorbells (S3-24) and of command buffers that the kernel
 *              submitted
 * @mem: the memory
 * @gpu_address: where it is mapped
 * @charged: bytes charged; 0: it is the kernel's own
 * @charged_as: kind of the charge
 */
struct kmd_memory {
	struct rf_list link;
	struct kmd_file *file;
	u32 handle;
	u64 mmap_offset;
	u32 references;
	struct rf_mem *mem;
	u64 gpu_address;
	u64 charged;
	enum kmd_limit charged_as;
};

/*
 * Create memory of the kernel's own that engines of the process may read; with a reference, or
 * NULL.
 */
struct kmd_memory *kmd_memory_create(struct kmd_file *file, u64 bytes);
/*
 * The same of pages of RF_MEM_HOST, which others may map too: 0, -ENOMEM, -EOPNOTSUPP, or an error
 * of kmd_gpu_map().
 */
int kmd_memory_import(struct kmd_file *file, struct rf_mem *pages, struct kmd_memory **memory);
/* The memory of a handle, or NULL. */
struct kmd_memory *kmd_memory_find(struct kmd_file *file, u32 handle);
/* The same, with a reference. */
struct kmd_memory *kmd_memory_get(struct kmd_file *file, u32 handle);
void kmd_memory_put(struct kmd_memory *memory);
/* Close its handle. */
void kmd_memory_close(struct kmd_memory *memory);
/*
 * Memory of user mode: @memory->file is set, and the memory charged. It has no handle and no GPU
 * address yet. -ENOMEM, -EOPNOTSUPP.
 */
int kmd_memory_create_user(struct kmd_memory *memory, enum rf_mem_kind kind, u64 bytes);
/* Before it is published: as if it had not been created. */
void kmd_memory_destroy_user(struct kmd_memory *memory);
/* Give it its handle. -ENOMEM, -ENOSPC. */
int kmd_memory_publish(struct kmd_memory *memory);
/* Charge the requested @bytes before memory is created: errors as of kmd_charge(). */
int kmd_memory_charge(struct kmd_memory *memory, u64 bytes, enum kmd_limit kind);
void kmd_memory_uncharge(struct kmd_memory *memory);

#endif /* KMD_MEMORY_H */
