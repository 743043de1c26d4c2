// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * struct rf_mem in the kernel. System memory that user mode can map is a shmem object: its pages are
 * pinned and mapped for DMA. They have a kernel address if the core made them; memory that user mode
 * asked for gets one when the kernel is about to read it. What only driver and device use is
 * coherent DMA memory. Local memory is a range of BAR 2.
 *
 * Host memory belongs to no device, as any number of devices may map its pages for DMA, and the one
 * that it was made for may go first. Its pages lie one behind another, also for an IOMMU.
 *
 * DMA is coherent: user mode polls values and writes rings without a call into the kernel. See
 * rf_dma_check_coherence() in rf_drv.c.
 */
#include <drm/drm_cache.h>
#include <drm/drm_device.h>
#include <drm/drm_gem_shmem_helper.h>
#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/iosys-map.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "rf_linux.h"

#ifndef RF_HAVE_GEM_VMAP_UNLOCKED
#define drm_gem_vmap_unlocked drm_gem_vmap
#define drm_gem_vunmap_unlocked drm_gem_vunmap
#endif

/* Page size of the device; that of the kernel may be larger. */
#define DEVICE_PAGE_BYTES (1u << RF_PAGE_SHIFT)

/* What memory is made of */
enum origin {
	NEW, /* it has pages, or a range of local memory, of its own */
	IMPORTED, /* host memory, mapped for DMA by this device */
	PART, /* a page of other memory */
	OF_PEER, /* a page of another device */
};

/**
 * struct memory - a piece of memory
 * @mem: what the core sees of it
 * @references: rf_mem_get()
 * @origin: what it is made of
 * @shmem: its pages, pinned; NULL for local, coherent and host memory
 * @host: the first page of host memory, or of what is made of it; else NULL
 * @source: memory that it is made of, with a reference; else NULL
 * @map: the kernel address of @shmem; NULL if it has none
 * @sgt: their bus addresses; system memory
 * @pages: the same, one by one
 * @node: range of local memory
 * @kept: what is there, while the device has lost it; else NULL
 */
struct memory {
	struct rf_mem mem;
	struct kref references;
	enum origin origin;
	struct drm_gem_shmem_object *shmem;
	struct page *host;
	struct rf_mem *source;
	struct iosys_map map;
	struct sg_table *sgt;
	u64 *pages;
	struct drm_mm_node node;
	u64 *kept;
};

static struct memory *rf_to_memory(struct rf_mem *mem)
{
	return container_of(mem, struct memory, mem);
}

struct drm_gem_shmem_object *rf_mem_shmem(struct rf_mem *mem)
{
	return rf_to_memory(mem)->shmem;
}

struct page *rf_mem_host_page(struct rf_mem *mem)
{
	return rf_to_memory(mem)->host;
}

/* --- pages ---------------------------------------------------------------------------- */

static int rf_memory_create_pages(struct ringfence_device *device, struct memory *memory)
{
	int ret;

	memory->shmem = drm_gem_shmem_create(&device->drm, memory->mem.bytes);
	if (IS_ERR(memory->shmem))
		return PTR_ERR(memory->shmem);
	ret = drm_gem_shmem_pin(memory->shmem);
	if (ret)
		drm_gem_object_put(&memory->shmem->base);
	return ret;
}

static void rf_memory_destroy_pages(struct memory *memory)
{
	if (memory->map.vaddr)
		drm_gem_vunmap_unlocked(&memory->shmem->base, &memory->map);
	drm_gem_shmem_unpin(memory->shmem);
	drm_gem_object_put(&memory->shmem->base);
}

int rf_mem_vmap(struct rf_mem *mem)
{
	struct memory *memory = rf_to_memory(mem);
	int ret;

	if (mem->cpu || !memory->shmem)
		return 0;
	ret = drm_gem_vmap_unlocked(&memory->shmem->base, &memory->map);
	if (!ret)
		mem->cpu = memory->map.vaddr;
	return ret;
}

/* --- DMA ------------------------------------------------------------------------------ */

static void rf_memory_list_pages(struct memory *memory)
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

static int rf_memory_map_pages(struct ringfence_device *device, struct memory *memory)
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
	rf_memory_list_pages(memory);
	return 0;

free_table:
	sg_free_table(memory->sgt);
	kfree(memory->sgt);
free_pages:
	kvfree(memory->pages);
	return ret;
}

static void rf_memory_unmap_pages(struct ringfence_device *device, struct memory *memory)
{
	dma_unmap_sgtable(device->drm.dev, memory->sgt, DMA_BIDIRECTIONAL, 0);
	sg_free_table(memory->sgt);
	kfree(memory->sgt);
	kvfree(memory->pages);
}

/* --- kinds ---------------------------------------------------------------------------- */

static int rf_memory_create_system(struct ringfence_device *device, struct memory *memory)
{
	int ret = rf_memory_create_pages(device, memory);

	if (ret)
		return ret;
	ret = rf_memory_map_pages(device, memory);
	if (ret)
		rf_memory_destroy_pages(memory);
	return ret;
}

static int rf_memory_create_coherent(struct ringfence_device *device, struct memory *memory)
{
	dma_addr_t address;

	memory->mem.cpu = dma_alloc_coherent(device->drm.dev, memory->mem.bytes, &address,
					     GFP_KERNEL_ACCOUNT);
	if (!memory->mem.cpu)
		return -ENOMEM;
	memory->mem.address = address;
	return 0;
}

static void rf_memory_destroy_system(struct ringfence_device *device, struct memory *memory)
{
	if (!memory->shmem) {
		dma_free_coherent(device->drm.dev, memory->mem.bytes, memory->mem.cpu,
				  memory->mem.address);
		return;
	}
	rf_memory_unmap_pages(device, memory);
	rf_memory_destroy_pages(memory);
}

/*
 * What is larger than a page is the driver's for life. It should not be waited for: the core does
 * without.
 */
static int rf_memory_create_host(struct memory *memory)
{
	bool large = memory->mem.bytes > PAGE_SIZE;
	gfp_t flags = large ? GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN : GFP_KERNEL_ACCOUNT;

	memory->mem.cpu = alloc_pages_exact(memory->mem.bytes, flags | __GFP_ZERO);
	if (!memory->mem.cpu)
		return -ENOMEM;
	memory->host = virt_to_page(memory->mem.cpu);
	return 0;
}

static void __iomem *rf_memory_local_address(struct ringfence_device *device,
					     const struct memory *memory)
{
	return device->bars[RF_BAR_LOCAL_MEMORY] + memory->node.start;
}

/* By 64-bit stores, which are write-combined. @from NULL: zeros */
static void rf_memory_store_local(struct ringfence_device *device, struct memory *memory,
				  const u64 *from)
{
	void __iomem *to = rf_memory_local_address(device, memory);
	u64 offset;

	for (offset = 0; offset < memory->mem.bytes; offset += sizeof(u64)) {
		writeq(from ? from[offset / sizeof(u64)] : 0, to + offset);
		if (!(offset % PAGE_SIZE))
			cond_resched();
	}
	wmb(); /* the stores are performed before the device learns the address */
}

static void rf_memory_load_local(struct ringfence_device *device, struct memory *memory, u64 *to)
{
	struct iosys_map target = IOSYS_MAP_INIT_VADDR(to);
	struct iosys_map source =
		IOSYS_MAP_INIT_VADDR_IOMEM(rf_memory_local_address(device, memory));
	u64 offset;

	for (offset = 0; offset < memory->mem.bytes; offset += PAGE_SIZE) {
		drm_memcpy_from_wc(&target, &source, PAGE_SIZE);
		iosys_map_incr(&target, PAGE_SIZE);
		iosys_map_incr(&source, PAGE_SIZE);
		cond_resched();
	}
}

static int rf_memory_create_local(struct ringfence_device *device, struct memory *memory)
{
	int ret;

	mutex_lock(&device->local_mutex);
	ret = drm_mm_insert_node_generic(&device->local, &memory->node, memory->mem.bytes,
					 PAGE_SIZE, 0, DRM_MM_INSERT_BEST);
	mutex_unlock(&device->local_mutex);
	if (ret)
		return -ENOMEM;
	memory->mem.address = memory->node.start;
	rf_memory_store_local(device, memory, NULL);
	return 0;
}

static void rf_memory_destroy_local(struct ringfence_device *device, struct memory *memory)
{
	mutex_lock(&device->local_mutex);
	drm_mm_remove_node(&memory->node);
	vfree(memory->kept);
	mutex_unlock(&device->local_mutex);
}

/* --- D3 ------------------------------------------------------------------------------- */

/*
 * In D3 mappings of user mode show the saved pages instead of local memory: mappings are zapped,
 * and page faults take the mutex and then map the present ones (rf_file.c).
 */

/* local_mutex held, here and below */
static void rf_memory_free_kept(struct ringfence_device *device)
{
	struct drm_mm_node *node;

	drm_mm_for_each_node(node, &device->local)
	{
		struct memory *memory = container_of(node, struct memory, node);

		vfree(memory->kept);
		memory->kept = NULL;
	}
}

static int rf_memory_alloc_kept(struct ringfence_device *device)
{
	struct drm_mm_node *node;

	drm_mm_for_each_node(node, &device->local)
	{
		struct memory *memory = container_of(node, struct memory, node);

		memory->kept = vmalloc(memory->mem.bytes);
		if (!memory->kept) {
			rf_memory_free_kept(device);
			return -ENOMEM;
		}
	}
	return 0;
}

static void rf_memory_zap_mappings(struct ringfence_device *device)
{
	unmap_mapping_range(device->drm.anon_inode->i_mapping, 0, 0, 1);
}

int rf_local_memory_evict(struct rf_bus *bus)
{
	struct ringfence_device *device = bus_to_ringfence(bus);
	struct drm_mm_node *node;
	int ret;

	mutex_lock(&device->local_mutex);
	ret = rf_memory_alloc_kept(device);
	if (!ret) {
		rf_memory_zap_mappings(device);
		drm_mm_for_each_node(node, &device->local)
		{
			struct memory *memory = container_of(node, struct memory, node);

			rf_memory_load_local(device, memory, memory->kept);
		}
	}
	mutex_unlock(&device->local_mutex);
	return ret;
}

void rf_local_memory_restore(struct rf_bus *bus)
{
	struct ringfence_device *device = bus_to_ringfence(bus);
	struct drm_mm_node *node;

	mutex_lock(&device->local_mutex);
	rf_memory_zap_mappings(device);
	drm_mm_for_each_node(node, &device->local)
	{
		struct memory *memory = container_of(node, struct memory, node);

		rf_memory_store_local(device, memory, memory->kept);
	}
	rf_memory_free_kept(device);
	mutex_unlock(&device->local_mutex);
}

struct page *rf_local_memory_kept(struct ringfence_device *device, u64 offset)
{
	struct drm_mm_node *node;
	struct memory *memory;

	lockdep_assert_held(&device->local_mutex);
	drm_mm_for_each_node_in_range(node, &device->local, offset, offset + 1)
	{
		memory = container_of(node, struct memory, node);
		if (memory->kept)
			return vmalloc_to_page((void *)memory->kept + (offset - node->start));
	}
	return NULL;
}

/* --- memory --------------------------------------------------------------------------- */

static struct memory *rf_memory_alloc(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes)
{
	struct memory *memory;

	if (!bytes || bytes > (u64)totalram_pages() << PAGE_SHIFT)
		return NULL;
	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory)
		return NULL;
	kref_init(&memory->references);
	memory->mem.bus = bus;
	memory->mem.kind = kind;
	memory->mem.bytes = PAGE_ALIGN(bytes);
	return memory;
}

int rf_mem_create_user(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes, struct rf_mem **result)
{
	struct ringfence_device *device = bus_to_ringfence(bus);
	struct memory *memory = rf_memory_alloc(bus, kind, bytes);
	int ret = -EINVAL;

	if (!memory)
		return -ENOMEM;
	switch (kind) {
	case RF_MEM_SYSTEM:
		ret = rf_memory_create_system(device, memory);
		break;
	case RF_MEM_LOCAL:
		ret = rf_memory_create_local(device, memory);
		break;
	case RF_MEM_HOST:
		ret = rf_memory_create_host(memory);
		break;
	}
	if (ret) {
		kfree(memory);
		return ret;
	}
	*result = &memory->mem;
	return 0;
}

int rf_mem_create(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes, struct rf_mem **result)
{
	struct rf_mem *mem;
	int ret = rf_mem_create_user(bus, kind, bytes, &mem);

	if (ret)
		return ret;
	ret = rf_mem_vmap(mem);
	if (ret) {
		rf_mem_put(mem);
		return ret;
	}
	*result = mem;
	return 0;
}

/* Other devices have the same pages mapped, so the mapping claims no cache lines of them. */
int rf_mem_import(struct rf_bus *bus, struct rf_mem *mem, struct rf_mem **result)
{
	struct memory *memory = rf_memory_alloc(bus, RF_MEM_SYSTEM, mem->bytes);
	struct device *dev = bus_to_ringfence(bus)->drm.dev;

	if (!memory)
		return -ENOMEM;
	memory->origin = IMPORTED;
	memory->host = rf_to_memory(mem)->host;
	memory->mem.cpu = mem->cpu;
	memory->mem.address = dma_map_page_attrs(dev, memory->host, 0, mem->bytes,
						 DMA_BIDIRECTIONAL, DMA_ATTR_SKIP_CPU_SYNC);
	if (dma_mapping_error(dev, memory->mem.address)) {
		kfree(memory);
		return -ENOMEM;
	}
	memory->source = mem;
	rf_mem_get(mem);
	*result = &memory->mem;
	return 0;
}

/* User mode may map the page: it has to be one of the kernel's, too. */
int rf_mem_page(struct rf_mem *mem, u64 offset, struct rf_mem **result)
{
	struct memory *memory;

	if (PAGE_SIZE != DEVICE_PAGE_BYTES)
		return -EOPNOTSUPP;
	memory = rf_memory_alloc(mem->bus, mem->kind, DEVICE_PAGE_BYTES);
	if (!memory)
		return -ENOMEM;
	memory->origin = PART;
	if (rf_to_memory(mem)->host)
		memory->host = rf_to_memory(mem)->host + offset / PAGE_SIZE;
	memory->mem.cpu = mem->cpu ? mem->cpu + offset : NULL;
	memory->mem.address =
		mem->pages ? mem->pages[offset / DEVICE_PAGE_BYTES] : mem->address + offset;
	memory->source = mem;
	rf_mem_get(mem);
	*result = &memory->mem;
	return 0;
}

int rf_mem_create_peer(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar, u64 offset,
		       struct rf_mem **result)
{
	struct memory *memory = rf_memory_alloc(bus, RF_MEM_SYSTEM, DEVICE_PAGE_BYTES);
	int ret;

	if (!memory)
		return -ENOMEM;
	memory->origin = OF_PEER;
	ret = bus->ops->open_peer(bus, peer, bar, offset, &memory->mem.address);
	if (ret) {
		kfree(memory);
		return ret;
	}
	*result = &memory->mem;
	return 0;
}

int rf_mem_create_private(struct rf_bus *bus, u64 bytes, struct rf_mem **result)
{
	struct memory *memory = rf_memory_alloc(bus, RF_MEM_SYSTEM, bytes);
	int ret;

	if (!memory)
		return -ENOMEM;
	ret = rf_memory_create_coherent(bus_to_ringfence(bus), memory);
	if (ret) {
		kfree(memory);
		return ret;
	}
	*result = &memory->mem;
	return 0;
}

void rf_mem_get(struct rf_mem *mem)
{
	kref_get(&rf_to_memory(mem)->references);
}

/* Host memory may outlive the device. */
static void rf_memory_destroy_new(struct memory *memory)
{
	struct ringfence_device *device = bus_to_ringfence(memory->mem.bus);

	switch (memory->mem.kind) {
	case RF_MEM_SYSTEM:
		rf_memory_destroy_system(device, memory);
		break;
	case RF_MEM_HOST:
		free_pages_exact(memory->mem.cpu, memory->mem.bytes);
		break;
	case RF_MEM_LOCAL:
		rf_memory_destroy_local(device, memory);
		break;
	}
}

static void rf_memory_release(struct kref *references)
{
	struct memory *memory = container_of(references, struct memory, references);
	struct rf_bus *bus = memory->mem.bus;

	switch (memory->origin) {
	case NEW:
		rf_memory_destroy_new(memory);
		break;
	case IMPORTED:
		dma_unmap_page_attrs(bus_to_ringfence(bus)->drm.dev, memory->mem.address,
				     memory->mem.bytes, DMA_BIDIRECTIONAL, DMA_ATTR_SKIP_CPU_SYNC);
		break;
	case PART:
		break;
	case OF_PEER:
		bus->ops->close_peer(bus, memory->mem.address);
		break;
	}
	rf_mem_put(memory->source);
	kfree(memory);
}

void rf_mem_put(struct rf_mem *mem)
{
	if (mem)
		kref_put(&rf_to_memory(mem)->references, rf_memory_release);
}
