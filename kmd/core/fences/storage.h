/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Where the values of fences are stored: pages, places in them, and mappings of pages in processes.
 *
 * Locking: the adapter's mutex; a page's memory is replaced under wait_lock as well.
 */
#ifndef KMD_STORAGE_H
#define KMD_STORAGE_H

#include "base/adapter.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_fence;
struct kmd_file;
struct kmd_peer_fence;

/* Least stride of values in a page (C23), and the default of an adapter whose caps give none */
#define KMD_VALUE_BYTES_MIN 8u
#define KMD_VALUE_STRIDE 64u

/* How a page of values is mapped; it is never writable for user mode (S0-2, S1-4). */
#define KMD_ACCESS_SYSTEM_PROCESS (1u << 0)
#define KMD_ACCESS_GPU (1u << 1) /* for engines of the process */
#define KMD_ACCESS_GPU_WRITE (1u << 2)
#define KMD_ACCESS_CPU (1u << 3) /* for user mode */

/**
 * struct kmd_value_page - a page of CurrentValues or of MonitoredValues
 * @link: in kmd_file.pages, if packed
 * @owner: process whose non-shareable fences are packed here (S0-25, S0-26); NULL: a page of one
 *         shareable fence (S0-27)
 * @type: of its fences
 * @value: which of the two values
 * @access: KMD_ACCESS_*
 * @mem: the page; replaced under the mutex and wait_lock
 * @old: the page before, while an engine may still read it, or NULL; guarded as @mem
 * @engines: another page that engines access instead of @mem from now on, or NULL; guarded
 *           as @mem
 * @system_address: in the system process, or 0
 * @peer: of a page of the domain's region: who has it; else NULL
 * @used: bit i: the value at i * stride is allocated
 * @count: number of allocated values
 */
struct kmd_value_page {
	struct rf_list link;
	struct kmd_file *owner;
	enum rf_native_fence_type type;
	enum rf_fence_storage_value_type value;
	u32 access;
	struct rf_mem *mem;
	struct rf_mem *old;
	struct rf_mem *engines;
	u64 system_address;
	struct kmd_peer_fence *peer;
	u64 used[KMD_PAGE_BYTES / KMD_VALUE_BYTES_MIN / 64];
	u32 count;
};

/* A value: its page and its place in it. */
struct kmd_value {
	struct kmd_value_page *page;
	u32 offset;
};

static inline struct rf_value_address kmd_value_address(const struct kmd_value *value)
{
	return (struct rf_value_address){ .mem = value->page->mem, .offset = value->offset };
}

static inline u64 kmd_value_system_address(const struct kmd_value *value)
{
	return value->page->system_address ? value->page->system_address + value->offset : 0;
}

/**
 * struct kmd_mapping - a value page in a process
 * @link: in kmd_file.mappings
 * @page: the page
 * @access: KMD_ACCESS_*, the part of the page's access that this process has
 * @references: local fences that use it
 * @gpu_address: of the page; MonitoredValues are read only (C3); 0 without GPU access
 * @mmap_offset: read only; 0 without CPU access
 */
struct kmd_mapping {
	struct rf_list link;
	struct kmd_value_page *page;
	u32 access;
	u32 references;
	u64 gpu_address;
	u64 mmap_offset;
};

/* The memory for values of a type of fence; mutex held, here and below. */
enum rf_mem_kind kmd_fence_storage(struct kmd_adapter *adapter, enum rf_native_fence_type type,
				   enum rf_fence_storage_value_type value);
/* -ENOMEM. @shared: it has a page of its own. */
int kmd_value_create(struct kmd_file *file, enum rf_native_fence_type type,
		     enum rf_fence_storage_value_type which, u32 access, enum rf_mem_kind kind,
		     bool shared, struct kmd_value *value);
void kmd_value_destroy(struct kmd_adapter *adapter, struct kmd_value *value);
/*
 * The CurrentValue of a cross-adapter fence, in a page that no device reaches yet, if possible one of
 * the domain's region; its end. PASSIVE, no lock needed for the end.
 */
int kmd_value_create_host(struct kmd_file *file, struct kmd_fence *fence, struct kmd_value *value);
void kmd_value_destroy_host(const struct kmd_value *value);
/* The same physical page (S0-76) on the file's adapter, as a value of its own. -EOPNOTSUPP too. */
int kmd_value_import(struct kmd_file *file, const struct kmd_value *host, u32 access,
		     struct kmd_value *value);
/*
 * While the value's page is moving: store @number in the old place, too; on return the CurrentValue
 * of each engine that read another number there is visible. wait_lock held.
 */
void kmd_value_write_old(const struct kmd_value *value, u64 number);
/* 0, or a negative errno. */
int kmd_mapping_get(struct kmd_file *file, struct kmd_value_page *page, u32 access,
		    struct kmd_mapping **mapping);
void kmd_mapping_put(struct kmd_file *file, struct kmd_mapping *mapping);

#endif /* KMD_STORAGE_H */
