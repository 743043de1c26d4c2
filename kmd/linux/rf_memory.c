// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * struct rf_mem in the kernel. System and host memory are pages of a shmem object,
 * mapped for the kernel and, system memory, for DMA; local memory is a range of BAR 2.
 *
 * The device is assumed to see the caches, as PCIe does on every machine that this
 * driver builds for.
 */
#include <drm/drm_gem_shmem_helper.h>
#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/iosys-map.h>
#include <linux/slab.h>

#include "rf_linux.h"

#ifndef RF_HAVE_GEM_VMAP_UNLOCKED
#define drm_gem_vmap_unlocked drm_gem_vmap
#define drm_gem_vunmap_unlocked drm_gem_vunmap
#endif

/* What the device calls a page; the kernel's may be larger. */
#define DEVICE_PAGE_BYTES (1u << RF_PAGE_SHIFT)

/**
 * struct memory - a piece of memory
 * @mem: what the core sees of it
 * @references: rf_mem_get()
 * @shmem: its pages; system and host memory
 * @map: where the kernel sees them
 * @sgt: their bus addresses; system memory
 * @pages: the same, one by one
 * @node: range of local memory
 */
struct memory {
	struct rf_mem mem;
	struct kref references;
	struct drm_gem_shmem_object *shmem;
	struct iosys_map map;
	struct sg_table *sgt;
	u64 *pages;
	struct drm_mm_node node;
};

static struct memory *to_memory(struct rf_mem *mem)
{
	return container_of(mem, struct memory, mem);
}

struct drm_gem_shmem_object *rf_mem_shmem(struct rf_mem *mem)
{
	return to_memory(mem)->shmem;
}

/* --- pages ---------------------------------------------------------------------------- */

static int create_pages(struct ringfence_device *device, struct memory *memory)
{
	int ret;

	memory->shmem = drm_gem_shmem_create(&device->drm, memory->mem.bytes);
	if (IS_ERR(memory->shmem))
		return PTR_ERR(memory->shmem);
	ret = drm_gem_vmap_unlocked(&memory->shmem->base, &memory->map);
	if (ret) {
		drm_gem_object_put(&memory->shmem->base);
		return ret;
	}
	memory->mem.cpu = memory->map.vaddr;
	return 0;
}

static void destroy_pages(struct memory *memory)
{
	drm_gem_vunmap_unlocked(&memory->shmem->base, &memory->map);
	drm_gem_object_put(&memory->shmem->base);
}

/* --- DMA ------------------------------------------------------------------------------ */

static void list_pages(struct memory *memory)
{
	struct sg_dma_page_iter iter;
	u64 *page = memory->pages;
	u64 offset;

	for_each_sgtable_dma_page(memory->sgt, &iter, 0)
		for (offset = 0; offset < PAGE_SIZE; offset += DEVICE_PAGE_BYTES)
			*page++ = sg_page_iter_dma_address(&iter) + offset;
	memory->mem.pages = memory->pages;
	memory->mem.address = memory->pages[0];
}

static int map_pages(struct ringfence_device *device, struct memory *memory)
{
	int ret = -ENOMEM;

	memory->pages = kvcalloc(memory->mem.bytes / DEVICE_PAGE_BYTES, sizeof(*memory->pages),
				 GFP_KERNEL_ACCOUNT);
	if (!memory->pages)
		return -ENOMEM;
	memory->sgt = drm_gem_shmem_get_sg_table(memory->shmem);
	if (IS_ERR(memory->sgt)) {
		ret = PTR_ERR(memory->sgt);
		goto free_pages;
	}
	ret = dma_map_sgtable(device->drm.dev, memory->sgt, DMA_BIDIRECTIONAL, 0);
	if (ret)
		goto free_table;
	list_pages(memory);
	return 0;

free_table:
	sg_free_table(memory->sgt);
	kfree(memory->sgt);
free_pages:
	kvfree(memory->pages);
	return ret;
}

static void unmap_pages(struct ringfence_device *device, struct memory *memory)
{
	dma_unmap_sgtable(device->drm.dev, memory->sgt, DMA_BIDIRECTIONAL, 0);
	sg_free_table(memory->sgt);
	kfree(memory->sgt);
	kvfree(memory->pages);
}

/* --- kinds ---------------------------------------------------------------------------- */

static int create_system(struct ringfence_device *device, struct memory *memory)
{
	int ret = create_pages(device, memory);

	if (ret)
		return ret;
	ret = map_pages(device, memory);
	if (ret)
		destroy_pages(memory);
	return ret;
}

static int create_local(struct ringfence_device *device, struct memory *memory)
{
	u64 offset;
	int ret;

	mutex_lock(&device->local_mutex);
	ret = drm_mm_insert_node_generic(&device->local, &memory->node, memory->mem.bytes,
					 PAGE_SIZE, 0, DRM_MM_INSERT_BEST);
	mutex_unlock(&device->local_mutex);
	if (ret)
		return -ENOMEM;
	memory->mem.address = memory->node.start;
	for (offset = 0; offset < memory->mem.bytes; offset += PAGE_SIZE) {
		memset_io(device->bars[RF_BAR_LOCAL_MEMORY] + memory->node.start + offset, 0,
			  PAGE_SIZE);
		cond_resched(); /* a bus may be slow */
	}
	return 0;
}

static void destroy_local(struct ringfence_device *device, struct memory *memory)
{
	mutex_lock(&device->local_mutex);
	drm_mm_remove_node(&memory->node);
	mutex_unlock(&device->local_mutex);
}

/* --- D3 ------------------------------------------------------------------------------- */

/* A mapping of user mode would go on, on memory that has lost its power: see rf_drv.c. */
int rf_local_memory_evict(struct rf_bus *bus)
{
	return -EOPNOTSUPP;
}

void rf_local_memory_restore(struct rf_bus *bus) {}

/* --- memory --------------------------------------------------------------------------- */

int rf_mem_create(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes, struct rf_mem **result)
{
	struct ringfence_device *device = bus_to_ringfence(bus);
	struct memory *memory;
	int ret = -EINVAL;

	if (!bytes || bytes > (u64)totalram_pages() << PAGE_SHIFT)
		return -ENOMEM;
	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory)
		return -ENOMEM;
	kref_init(&memory->references);
	memory->mem.bus = bus;
	memory->mem.kind = kind;
	memory->mem.bytes = PAGE_ALIGN(bytes);
	switch (kind) {
	case RF_MEM_SYSTEM:
		ret = create_system(device, memory);
		break;
	case RF_MEM_LOCAL:
		ret = create_local(device, memory);
		break;
	case RF_MEM_HOST:
		ret = create_pages(device, memory);
		break;
	}
	if (ret) {
		kfree(memory);
		return ret;
	}
	*result = &memory->mem;
	return 0;
}

void rf_mem_get(struct rf_mem *mem)
{
	kref_get(&to_memory(mem)->references);
}

static void release(struct kref *references)
{
	struct memory *memory = container_of(references, struct memory, references);
	struct ringfence_device *device = bus_to_ringfence(memory->mem.bus);

	switch (memory->mem.kind) {
	case RF_MEM_SYSTEM:
		unmap_pages(device, memory);
		fallthrough;
	case RF_MEM_HOST:
		destroy_pages(memory);
		break;
	case RF_MEM_LOCAL:
		destroy_local(device, memory);
		break;
	}
	kfree(memory);
}

void rf_mem_put(struct rf_mem *mem)
{
	if (mem)
		kref_put(&to_memory(mem)->references, release);
}
