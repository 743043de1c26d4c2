// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Where the values of fences are stored (S0-24..S0-31, S0-51, S0-52).
 *
 * A page holds either CurrentValues or MonitoredValues, of fences of one type and one access, in
 * one memory. Values of non-shareable fences of one process are packed into pages of that process
 * at the stride that the caps give; a value of a shareable fence has a page of its own. A page is
 * mapped in the system process once, if it is for native fences and the caps ask for it, and in
 * each process that has a fence there, with this access: CurrentValues read and write for the GPU
 * and read only for the CPU, MonitoredValues read only for the GPU and none for the CPU (S0-2,
 * S0-7, C3); a handle that may not signal, or a fence without GPU access, has less.
 *
 * Locking: the adapter's mutex.
 */
#include "fences/storage.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/gpu_va.h"
#include "fences/peer_page.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"

/*
 * The memory for each type of fence, where the caps leave a choice: CurrentValues of DEFAULT fences
 * are in system memory; optimised and INTRA_GPU fences are where the driver prefers.
 */
enum rf_mem_kind kmd_fence_storage(struct kmd_adapter *adapter, enum rf_native_fence_type type,
				   enum rf_fence_storage_value_type value)
{
	struct rf_fence_storage storage = {
		.fence_storage_value_type = value,
		.fence_storage_type = type,
	};
	const struct rf_query_adapter_info query = {
		.type = RF_QUERY_FENCE_STORAGE,
		.output = &storage,
		.output_size = sizeof(storage),
	};

	if (type == RF_NATIVE_FENCE_TYPE_DEFAULT &&
	    (value == RF_FENCE_STORAGE_CURRENT_VALUE || !adapter->features.optimized_default_fence))
		return RF_MEM_SYSTEM;
	if (adapter->ddi->query_adapter_info(adapter->h_adapter, &query))
		return RF_MEM_SYSTEM;
	/* only a segment that the driver supports (S0-30) */
	if (storage.supported_segment_set & (1u << storage.preferred_segment))
		return storage.preferred_segment;
	return RF_MEM_SYSTEM;
}

/* --- pages ----------------------------------------------------------------------------- */

static bool kmd_value_page_is_allowed(const struct rf_native_fence_caps *caps, u64 address)
{
	return address >= caps->minimum_address &&
	       (!caps->maximum_address || address + KMD_PAGE_BYTES - 1 <= caps->maximum_address);
}

/* The page that engines access. */
static struct rf_mem *kmd_value_page_engine_mem(const struct kmd_value_page *page)
{
	return page->engines ? page->engines : page->mem;
}

static int kmd_value_page_map(struct kmd_adapter *adapter, struct kmd_file *file,
			      struct rf_mem *mem, u32 flags, u64 *address)
{
	int ret = kmd_gpu_map(adapter, file, mem, flags, address);

	if (!ret && !kmd_value_page_is_allowed(&adapter->native_caps, *address)) {
		kmd_gpu_unmap(adapter, file, mem, *address);
		*address = 0;
		ret = -ERANGE;
	}
	return ret;
}

static struct kmd_value_page *kmd_value_page_alloc(struct kmd_file *owner,
						   enum rf_native_fence_type type,
						   enum rf_fence_storage_value_type which,
						   u32 access)
{
	struct kmd_value_page *page = rf_alloc(sizeof(*page));

	if (!page)
		return NULL;
	page->owner = owner;
	page->type = type;
	page->value = which;
	page->access = access;
	rf_list_init(&page->link);
	return page;
}

/* In the system process, if its fences and the caps want that. */
static int kmd_value_page_map_system(struct kmd_adapter *adapter, struct kmd_value_page *page)
{
	if (!(page->access & KMD_ACCESS_SYSTEM_PROCESS) ||
	    !adapter->native_caps.map_to_gpu_system_process)
		return 0;
	return kmd_value_page_map(adapter, NULL, page->mem, 0, &page->system_address);
}

static struct kmd_value_page *kmd_value_page_create(struct kmd_file *file,
						    enum rf_native_fence_type type,
						    enum rf_fence_storage_value_type which,
						    u32 access, enum rf_mem_kind kind, bool shared)
{
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_value_page *page =
		kmd_value_page_alloc(shared ? NULL : file, type, which, access);

	if (!page)
		return NULL;
	if (rf_mem_create(adapter->bus, kind, KMD_PAGE_BYTES, &page->mem))
		goto free_page;
	if (kmd_value_page_map_system(adapter, page))
		goto put_mem;
	if (!shared)
		rf_list_insert(&page->link, &file->pages);
	return page;

put_mem:
	rf_mem_put(page->mem);
free_page:
	rf_free(page);
	return NULL;
}

static void kmd_value_page_destroy(struct kmd_adapter *adapter, struct kmd_value_page *page)
{
	rf_list_remove(&page->link);
	if (page->system_address)
		kmd_gpu_unmap(adapter, NULL, kmd_value_page_engine_mem(page), page->system_address);
	rf_mem_put(page->engines);
	rf_mem_put(page->mem);
	rf_free(page);
}

/* --- values ------------------------------------------------------------------------------ */

static u32 kmd_value_page_capacity(const struct kmd_adapter *adapter)
{
	return KMD_PAGE_BYTES / adapter->value_stride;
}

static bool kmd_value_page_take(struct kmd_adapter *adapter, struct kmd_value_page *page,
				struct kmd_value *value)
{
	u32 i;

	for (i = 0; i < kmd_value_page_capacity(adapter); i++) {
		u64 bit = 1ull << (i % 64);

		if (page->used[i / 64] & bit)
			continue;
		page->used[i / 64] |= bit;
		page->count++;
		value->page = page;
		value->offset = i * adapter->value_stride;
		return true;
	}
	return false;
}

int kmd_value_create(struct kmd_file *file, enum rf_native_fence_type type,
		     enum rf_fence_storage_value_type which, u32 access, enum rf_mem_kind kind,
		     bool shared, struct kmd_value *value)
{
	struct kmd_value_page *page;

	rf_assert_held(&file->adapter->mutex);
	if (!shared)
		rf_list_for_each(page, &file->pages, link)
			if (page->type == type && page->value == which && page->access == access &&
			    page->mem->kind == kind &&
			    kmd_value_page_take(file->adapter, page, value))
				return 0;

	page = kmd_value_page_create(file, type, which, access, kind, shared);
	/* without room in local memory a value may be in system memory */
	if (!page && kind == RF_MEM_LOCAL)
		return kmd_value_create(file, type, which, access, RF_MEM_SYSTEM, shared, value);
	if (!page)
		return -ENOMEM;
	kmd_value_page_take(file->adapter, page, value);
	return 0;
}

void kmd_value_destroy(struct kmd_adapter *adapter, struct kmd_value *value)
{
	u32 i = value->offset / adapter->value_stride;

	rf_assert_held(&adapter->mutex);
	value->page->used[i / 64] &= ~(1ull << (i % 64));
	if (!--value->page->count)
		kmd_value_page_destroy(adapter, value->page);
}

/* --- values of several adapters ------------------------------------------------------------ */

int kmd_value_create_host(struct kmd_file *file, struct kmd_fence *fence, struct kmd_value *value)
{
	struct kmd_value_page *page = kmd_value_page_alloc(NULL, RF_NATIVE_FENCE_TYPE_DEFAULT,
							   RF_FENCE_STORAGE_CURRENT_VALUE, 0);

	if (!page)
		return -ENOMEM;
	page->peer = kmd_peer_page_claim(file->adapter, fence, &page->mem);
	if (!page->peer &&
	    rf_mem_create(file->adapter->bus, RF_MEM_HOST, KMD_PAGE_BYTES, &page->mem)) {
		rf_free(page);
		return -ENOMEM;
	}
	value->offset = 0;
	value->page = page;
	return 0;
}

void kmd_value_destroy_host(const struct kmd_value *value)
{
	rf_mem_put(value->page->mem);
	rf_free(value->page);
}

/* A page of the region is a part of it, if the device can use the region. */
static int kmd_value_page_import(struct kmd_adapter *adapter, const struct kmd_value_page *host,
				 struct kmd_value_page *page)
{
	if (host->peer)
		page->mem = kmd_peer_page_import(adapter, host->peer);
	if (!page->mem)
		return rf_mem_import(adapter->bus, host->mem, &page->mem);
	page->peer = host->peer;
	return 0;
}

int kmd_value_import(struct kmd_file *file, const struct kmd_value *host, u32 access,
		     struct kmd_value *value)
{
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_value_page *page =
		kmd_value_page_alloc(NULL, host->page->type, host->page->value, access);
	int ret;

	rf_assert_held(&adapter->mutex);
	if (!page)
		return -ENOMEM;
	ret = kmd_value_page_import(adapter, host->page, page);
	if (ret)
		goto free_page;
	ret = kmd_value_page_map_system(adapter, page);
	if (ret)
		goto put_mem;
	kmd_value_page_take(adapter, page, value); /* the first, at the offset of @host */
	return 0;

put_mem:
	rf_mem_put(page->mem);
free_page:
	rf_free(page);
	return ret;
}

/* --- demotion ------------------------------------------------------------------------------ */

void kmd_value_write_old(const struct kmd_value *value, u64 number)
{
	const struct rf_value_address old = { value->page->old, value->offset };

	if (!old.mem)
		return;
	rf_value_write(old, number);
	rf_private_value_read(old);
}

/* --- mappings in processes --------------------------------------------------------------- */

int kmd_mapping_get(struct kmd_file *file, struct kmd_value_page *page, u32 access,
		    struct kmd_mapping **result)
{
	struct kmd_mapping *mapping;
	int ret = 0;

	rf_assert_held(&file->adapter->mutex);
	rf_list_for_each(mapping, &file->mappings, link)
		if (mapping->page == page && mapping->access == access) {
			mapping->references++;
			*result = mapping;
			return 0;
		}

	mapping = rf_alloc(sizeof(*mapping));
	if (!mapping)
		return -ENOMEM;
	mapping->page = page;
	mapping->access = access;
	mapping->references = 1;
	if (access & KMD_ACCESS_GPU)
		ret = kmd_value_page_map(file->adapter, file, kmd_value_page_engine_mem(page),
					 access & KMD_ACCESS_GPU_WRITE ? 0 : RF_MAP_READ_ONLY,
					 &mapping->gpu_address);
	if (ret)
		goto free_mapping;
	if (access & KMD_ACCESS_CPU) {
		ret = rf_file_expose(file->shell, page->mem, false, &mapping->mmap_offset);
		if (ret)
			goto unmap;
	}
	rf_list_insert(&mapping->link, &file->mappings);
	*result = mapping;
	return 0;

unmap:
	if (mapping->gpu_address)
		kmd_gpu_unmap(file->adapter, file, kmd_value_page_engine_mem(page),
			      mapping->gpu_address);
free_mapping:
	rf_free(mapping);
	return ret;
}

void kmd_mapping_put(struct kmd_file *file, struct kmd_mapping *mapping)
{
	rf_assert_held(&file->adapter->mutex);
	if (--mapping->references)
		return;
	if (mapping->mmap_offset)
		rf_file_conceal(file->shell, mapping->mmap_offset);
	if (mapping->gpu_address)
		kmd_gpu_unmap(file->adapter, file, kmd_value_page_engine_mem(mapping->page),
			      mapping->gpu_address);
	rf_list_remove(&mapping->link);
	rf_free(mapping);
}
