// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * struct rf_mem in process: system memory is anonymous and registered with the bus,
 * local memory is a range of BAR 2, host memory is anonymous only. On a bus without DMA
 * all memory of the device is local memory.
 *
 * Anonymous memory is shared, so that a second, read-only view of it can be made:
 * what user mode sees of a fence faults on a store (S0-2).
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "hosted.h"

/**
 * struct hosted_mem - a piece of memory
 * @mem: what the core sees of it
 * @references: atomic
 * @source: of imported memory: whose pages it has, with a reference; else NULL
 * @whole: of a page: the memory that it is part of, with a reference; else NULL
 * @is_peer: it is a page of another device
 * @pointer: where this process sees it; NULL: nowhere. Memory of user mode has it before
 *           @mem.cpu, so that a read by the core without rf_mem_vmap() is found here too
 */
struct hosted_mem {
	struct rf_mem mem;
	u32 references;
	struct rf_mem *source;
	struct rf_mem *whole;
	bool is_peer;
	void *pointer;
};

static struct hosted_mem *hosted_to_mem(const struct rf_mem *mem)
{
	return container_of((struct rf_mem *)mem, struct hosted_mem, mem);
}

/* --- ranges of local memory ------------------------------------------------------------- */

static int hosted_free_range(struct local_memory *local, u64 offset, u64 bytes)
{
	struct local_range *range, *before = NULL, *new;
	struct rf_list *position = &local->free;

	rf_list_for_each(range, &local->free, link) {
		if (range->offset > offset) {
			position = &range->link;
			break;
		}
		before = range;
	}
	if (before && before->offset + before->bytes == offset) {
		before->bytes += bytes;
	} else {
		new = malloc(sizeof(*new));
		if (!new)
			return -ENOMEM;
		new->offset = offset;
		new->bytes = bytes;
		rf_list_insert(&new->link, position);
		before = new;
	}
	if (position != &local->free) {
		range = rf_list_entry(position, struct local_range, link);
		if (before->offset + before->bytes == range->offset) {
			before->bytes += range->bytes;
			rf_list_remove(&range->link);
			free(range);
		}
	}
	return 0;
}

int hosted_local_memory_init(struct local_memory *local, u64 bytes)
{
	pthread_mutex_init(&local->mutex, NULL);
	rf_list_init(&local->free);
	local->bytes = bytes;
	local->kept = NULL;
	return bytes ? hosted_free_range(local, 0, bytes) : 0;
}

void hosted_local_memory_destroy(struct local_memory *local)
{
	while (!rf_list_empty(&local->free)) {
		struct local_range *range = rf_list_first(&local->free, struct local_range, link);

		rf_list_remove(&range->link);
		free(range);
	}
	pthread_mutex_destroy(&local->mutex);
}

/* First fit. */
static int hosted_local_alloc(struct local_memory *local, u64 bytes, u64 *offset)
{
	struct local_range *range;
	int ret = -ENOMEM;

	pthread_mutex_lock(&local->mutex);
	rf_list_for_each(range, &local->free, link) {
		if (range->bytes < bytes)
			continue;
		*offset = range->offset;
		range->offset += bytes;
		range->bytes -= bytes;
		if (!range->bytes) {
			rf_list_remove(&range->link);
			free(range);
		}
		ret = 0;
		break;
	}
	pthread_mutex_unlock(&local->mutex);
	return ret;
}

static void hosted_local_free(struct local_memory *local, u64 offset, u64 bytes)
{
	pthread_mutex_lock(&local->mutex);
	/* if there is no memory for the entry of the range, the range is lost */
	hosted_free_range(local, offset, bytes);
	pthread_mutex_unlock(&local->mutex);
}

/* Where this process sees it, or NULL. */
static char *hosted_local_pointer(struct rf_bus *bus, bool writable)
{
	return bus->ops->local_memory ? bus->ops->local_memory(bus, writable) : NULL;
}

/* --- eviction of local memory -------------------------------------------------------------- */

enum direction { TO_SYSTEM, TO_LOCAL };

static void hosted_move_range(struct rf_bus *bus, struct local_memory *local,
			      enum direction direction, u64 from, u64 to)
{
	if (from == to)
		return;
	if (direction == TO_SYSTEM)
		bus->ops->read_bytes(bus, RF_BAR_LOCAL_MEMORY, from, local->kept + from, to - from);
	else
		bus->ops->write_bytes(bus, RF_BAR_LOCAL_MEMORY, from, local->kept + from,
				      to - from);
}

/* Save or restore the allocated ranges, which lie between the free ones. mutex held. */
static void hosted_move_used(struct rf_bus *bus, struct local_memory *local,
			     enum direction direction)
{
	struct local_range *range;
	u64 from = 0;

	rf_list_for_each(range, &local->free, link) {
		hosted_move_range(bus, local, direction, from, range->offset);
		from = range->offset + range->bytes;
	}
	hosted_move_range(bus, local, direction, from, local->bytes);
}

int rf_local_memory_evict(struct rf_bus *bus)
{
	struct rf_hosted_device *device = bus->shell;
	struct local_memory *local = &device->local;
	void *kept;

	if (!local->bytes)
		return 0;
	if (hosted_local_pointer(bus, true))
		return -EOPNOTSUPP; /* mappings of local memory cannot be redirected to the saved copy */
	kept = mmap(NULL, local->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (kept == MAP_FAILED)
		return -ENOMEM;
	pthread_mutex_lock(&local->mutex);
	local->kept = kept;
	hosted_move_used(bus, local, TO_SYSTEM);
	pthread_mutex_unlock(&local->mutex);
	return 0;
}

void rf_local_memory_restore(struct rf_bus *bus)
{
	struct rf_hosted_device *device = bus->shell;
	struct local_memory *local = &device->local;

	if (!local->bytes)
		return;
	pthread_mutex_lock(&local->mutex);
	hosted_move_used(bus, local, TO_LOCAL);
	munmap(local->kept, local->bytes);
	local->kept = NULL;
	pthread_mutex_unlock(&local->mutex);
}

void hosted_local_memory_read(const struct rf_mem *mem, u64 offset, void *data, size_t bytes)
{
	struct rf_hosted_device *device = mem->bus->shell;
	struct local_memory *local = &device->local;

	pthread_mutex_lock(&local->mutex);
	if (local->kept)
		memcpy(data, local->kept + mem->address + offset, bytes);
	else
		mem->bus->ops->read_bytes(mem->bus, RF_BAR_LOCAL_MEMORY, mem->address + offset,
					  data, bytes);
	pthread_mutex_unlock(&local->mutex);
}

void hosted_local_memory_write(struct rf_mem *mem, u64 offset, const void *data, size_t bytes)
{
	struct rf_hosted_device *device = mem->bus->shell;
	struct local_memory *local = &device->local;

	pthread_mutex_lock(&local->mutex);
	if (local->kept)
		memcpy(local->kept + mem->address + offset, data, bytes);
	else
		mem->bus->ops->write_bytes(mem->bus, RF_BAR_LOCAL_MEMORY, mem->address + offset,
					   data, bytes);
	pthread_mutex_unlock(&local->mutex);
}

/* --- memory ---------------------------------------------------------------------------- */

static int hosted_create_anonymous(struct rf_mem *mem)
{
	mem->cpu =
		mmap(NULL, mem->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mem->cpu == MAP_FAILED) {
		mem->cpu = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int hosted_create_system(struct rf_mem *mem)
{
	int ret = hosted_create_anonymous(mem);

	if (ret)
		return ret;
	ret = mem->bus->ops->map_memory(mem->bus, mem->cpu, mem->bytes, &mem->address);
	if (ret) {
		munmap(mem->cpu, mem->bytes);
		mem->cpu = NULL;
	}
	return ret;
}

static int hosted_create_local(struct rf_mem *mem)
{
	static const u8 zero[HOSTED_PAGE_BYTES];
	struct rf_hosted_device *device = mem->bus->shell;
	char *pointer;
	u64 offset;
	int ret;

	mem->kind = RF_MEM_LOCAL;
	if (!mem->bus->ops->bar_bytes(mem->bus, RF_BAR_LOCAL_MEMORY))
		return -EOPNOTSUPP;
	ret = hosted_local_alloc(&device->local, mem->bytes, &mem->address);
	if (ret)
		return ret;
	for (offset = 0; offset < mem->bytes; offset += sizeof(zero))
		mem->bus->ops->write_bytes(mem->bus, RF_BAR_LOCAL_MEMORY, mem->address + offset,
					   zero, sizeof(zero));
	pointer = hosted_local_pointer(mem->bus, true);
	mem->cpu = pointer ? pointer + mem->address : NULL;
	return 0;
}

int rf_mem_create(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes, struct rf_mem **result)
{
	struct hosted_mem *hosted;
	int ret = -EINVAL;

	if (!bytes || bytes > U64_MAX - HOSTED_PAGE_BYTES)
		return -ENOMEM;
	hosted = calloc(1, sizeof(*hosted));
	if (!hosted)
		return -ENOMEM;
	hosted->references = 1;
	hosted->mem.bus = bus;
	hosted->mem.kind = kind;
	hosted->mem.bytes = (bytes + HOSTED_PAGE_BYTES - 1) & ~(u64)(HOSTED_PAGE_BYTES - 1);
	switch (kind) {
	case RF_MEM_SYSTEM:
		ret = hosted_create_system(&hosted->mem);
		if (ret == -EOPNOTSUPP)
			ret = hosted_create_local(&hosted->mem);
		break;
	case RF_MEM_LOCAL:
		ret = hosted_create_local(&hosted->mem);
		break;
	case RF_MEM_HOST:
		ret = hosted_create_anonymous(&hosted->mem);
		break;
	}
	if (ret) {
		free(hosted);
		return ret;
	}
	hosted->pointer = hosted->mem.cpu;
	*result = &hosted->mem;
	return 0;
}

int rf_mem_create_private(struct rf_bus *bus, u64 bytes, struct rf_mem **mem)
{
	return rf_mem_create(bus, RF_MEM_SYSTEM, bytes, mem);
}

int rf_mem_create_user(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes, struct rf_mem **mem)
{
	int ret = rf_mem_create(bus, kind, bytes, mem);

	if (!ret && (*mem)->kind != RF_MEM_LOCAL)
		(*mem)->cpu = NULL;
	return ret;
}

int rf_mem_import(struct rf_bus *bus, struct rf_mem *mem, struct rf_mem **result)
{
	struct hosted_mem *hosted = calloc(1, sizeof(*hosted));
	int ret;

	if (!hosted)
		return -ENOMEM;
	hosted->references = 1;
	hosted->mem.bus = bus;
	hosted->mem.kind = RF_MEM_SYSTEM;
	hosted->mem.bytes = mem->bytes;
	hosted->mem.cpu = mem->cpu;
	hosted->pointer = mem->cpu;
	hosted->source = mem;
	ret = bus->ops->map_memory(bus, mem->cpu, mem->bytes, &hosted->mem.address);
	if (ret) {
		free(hosted);
		return ret;
	}
	rf_mem_get(mem);
	*result = &hosted->mem;
	return 0;
}

int rf_mem_page(struct rf_mem *mem, u64 offset, struct rf_mem **result)
{
	struct hosted_mem *hosted = calloc(1, sizeof(*hosted));

	if (!hosted)
		return -ENOMEM;
	hosted->references = 1;
	hosted->mem.bus = mem->bus;
	hosted->mem.kind = mem->kind;
	hosted->mem.bytes = HOSTED_PAGE_BYTES;
	hosted->mem.cpu = mem->cpu ? (char *)mem->cpu + offset : NULL;
	hosted->mem.address = mem->address + offset;
	hosted->pointer = hosted->mem.cpu;
	hosted->whole = mem;
	rf_mem_get(mem);
	*result = &hosted->mem;
	return 0;
}

int rf_mem_create_peer(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar, u64 offset,
		       struct rf_mem **result)
{
	struct hosted_mem *hosted;
	int ret;

	if (!bus->ops->open_peer)
		return -EOPNOTSUPP;
	hosted = calloc(1, sizeof(*hosted));
	if (!hosted)
		return -ENOMEM;
	hosted->references = 1;
	hosted->mem.bus = bus;
	hosted->mem.kind = RF_MEM_SYSTEM;
	hosted->mem.bytes = HOSTED_PAGE_BYTES;
	hosted->is_peer = true;
	ret = bus->ops->open_peer(bus, peer, bar, offset, &hosted->mem.address);
	if (ret) {
		free(hosted);
		return ret;
	}
	*result = &hosted->mem;
	return 0;
}

int rf_mem_vmap(struct rf_mem *mem)
{
	mem->cpu = hosted_to_mem(mem)->pointer;
	return 0;
}

void *hosted_memory_pointer(const struct rf_mem *mem)
{
	return hosted_to_mem(mem)->pointer;
}

void rf_mem_get(struct rf_mem *mem)
{
	__atomic_fetch_add(&hosted_to_mem(mem)->references, 1, __ATOMIC_RELAXED);
}

/* The memory itself; not that which it is part of. */
static void hosted_release(struct rf_mem *mem)
{
	struct rf_hosted_device *device;

	switch (mem->kind) {
	case RF_MEM_SYSTEM:
		mem->bus->ops->unmap_memory(mem->bus, hosted_memory_pointer(mem), mem->bytes,
					    mem->address);
		if (hosted_to_mem(mem)->source)
			rf_mem_put(hosted_to_mem(mem)->source);
		else
			munmap(hosted_memory_pointer(mem), mem->bytes);
		break;
	case RF_MEM_LOCAL:
		device = mem->bus->shell;
		hosted_local_free(&device->local, mem->address, mem->bytes);
		break;
	case RF_MEM_HOST:
		munmap(hosted_memory_pointer(mem), mem->bytes);
		break;
	}
}

void rf_mem_put(struct rf_mem *mem)
{
	struct hosted_mem *hosted;

	if (!mem || __atomic_sub_fetch(&hosted_to_mem(mem)->references, 1, __ATOMIC_ACQ_REL))
		return;
	hosted = hosted_to_mem(mem);
	if (hosted->whole)
		rf_mem_put(hosted->whole);
	else if (hosted->is_peer)
		mem->bus->ops->close_peer(mem->bus, mem->address);
	else
		hosted_release(mem);
	free(hosted);
}

/* An old size of 0 makes mremap() map shared pages a second time. */
void *hosted_view_create(const struct rf_mem *mem)
{
	void *view;

	if (mem->kind == RF_MEM_LOCAL)
		return hosted_local_pointer(mem->bus, false) + mem->address;
	view = mremap(hosted_memory_pointer(mem), 0, mem->bytes, MREMAP_MAYMOVE);
	if (view == MAP_FAILED)
		return NULL;
	if (mprotect(view, mem->bytes, PROT_READ)) {
		munmap(view, mem->bytes);
		return NULL;
	}
	return view;
}

void hosted_view_destroy(const struct rf_mem *mem, void *view)
{
	if (mem->kind != RF_MEM_LOCAL)
		munmap(view, mem->bytes);
}
