// SPDX-License-Identifier: Apache-2.0
/*
 * Host memory that devices may reach: that of the world, or of each device its own. Bus addresses
 * of the world are handed out upwards from 4 GiB with an unused page between regions, and never again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define PAGE 4096ull
#define BUS_LIMIT (1ull << 55)
#define NATURAL_BYTES (256u << 10)

/* The region that holds the address, or the count of regions. */
static size_t region_find(struct memory_space *space, uint64_t address)
{
	size_t low = 0, high = space->count;
	size_t recent = space->recent;

	if (recent < high && address - space->regions[recent].first < space->regions[recent].bytes)
		return recent;
	while (low < high) {
		size_t middle = (low + high) / 2;
		struct memory_region *region = &space->regions[middle];

		if (address < region->first) {
			high = middle;
		} else if (address - region->first < region->bytes) {
			space->recent = middle;
			return middle;
		} else {
			low = middle + 1;
		}
	}
	return space->count;
}

static uint8_t *region_memory(struct memory_space *space, uint64_t address, uint64_t bytes,
			      bool write)
{
	size_t at = region_find(space, address);
	struct memory_region *region;

	if (at == space->count)
		return NULL;
	region = &space->regions[at];
	if (bytes > region->bytes - (address - region->first) || region->lost)
		return NULL;
	if (write ? region->no_write : region->no_read)
		return NULL;
	return region->memory + (address - region->first);
}

bool memory_covers(struct memory_space *space, uint64_t address, uint64_t bytes)
{
	return region_memory(space, address, bytes, false);
}

bool memory_is_lost(struct memory_space *space, uint64_t address)
{
	size_t at = region_find(space, address);

	return at < space->count && space->regions[at].lost;
}

static int region_insert(struct memory_space *space, void *memory, uint64_t bytes, uint64_t first)
{
	size_t at;

	if (!bytes || (uintptr_t)memory % 8 != first % 8 || first >= BUS_LIMIT ||
	    bytes > BUS_LIMIT - first)
		return -EINVAL;
	if (first < RFSIM_MSI_BASE + (uint64_t)RFSIM_MSI_BYTES && first + bytes > RFSIM_MSI_BASE)
		return -EINVAL;
	for (at = 0; at < space->count; at++) {
		if (space->regions[at].first + space->regions[at].bytes > first)
			break;
	}
	if (at < space->count && space->regions[at].first < first + bytes)
		return -EEXIST;
	if (space->count == space->capacity) {
		size_t capacity = space->capacity ? 2 * space->capacity : 16;
		void *grown = realloc(space->regions, capacity * sizeof(*space->regions));

		if (!grown)
			return -ENOMEM;
		space->regions = grown;
		space->capacity = capacity;
	}
	memmove(&space->regions[at + 1], &space->regions[at],
		(space->count - at) * sizeof(*space->regions));
	space->regions[at] = (struct memory_region){
		.first = first,
		.bytes = bytes,
		.memory = memory,
	};
	space->count++;
	return 0;
}

/* Large pieces only: small ones lie one behind another. */
static uint64_t natural_alignment(const void *memory, size_t bytes)
{
	bool aligns =
		bytes >= NATURAL_BYTES && !(bytes & (bytes - 1)) && !((uintptr_t)memory % PAGE);

	return aligns ? bytes : PAGE;
}

static uint64_t align_up(uint64_t address, uint64_t alignment)
{
	return (address + alignment - 1) / alignment * alignment;
}

int rfsim_memory_register(struct rfsim_world *world, void *memory, size_t bytes,
			  uint64_t *bus_address)
{
	uint64_t first;
	int error;

	world_lock(world);
	do {
		first = align_up(world->next_bus_address, natural_alignment(memory, bytes)) +
			(uintptr_t)memory % PAGE;
		error = region_insert(&world->memory, memory, bytes, first);
		if (error != -EINVAL && error != -ENOMEM)
			world->next_bus_address = (first + bytes + 2 * PAGE - 1) / PAGE * PAGE;
	} while (error == -EEXIST);
	world_unlock(world);
	if (!error)
		*bus_address = first;
	return error;
}

int rfsim_memory_register_at(struct rfsim_world *world, void *memory, size_t bytes,
			     uint64_t bus_address)
{
	int error;

	world_lock(world);
	error = region_insert(&world->memory, memory, bytes, bus_address);
	world_unlock(world);
	return error;
}

static int region_remove(struct memory_space *space, uint64_t address)
{
	size_t at = region_find(space, address);

	if (at == space->count || space->regions[at].first != address)
		return -ENOENT;
	space->count--;
	memmove(&space->regions[at], &space->regions[at + 1],
		(space->count - at) * sizeof(*space->regions));
	return 0;
}

int rfsim_memory_unregister(struct rfsim_world *world, uint64_t bus_address)
{
	int error;

	world_lock(world);
	error = region_remove(&world->memory, bus_address);
	world_unlock(world);
	return error;
}

void memory_free(struct memory_space *space)
{
	free(space->regions);
}

/* --- memory of one device --------------------------------------------------- */

struct memory_space *memory_space(struct rfsim_device *device)
{
	return device->world->iommu ? &device->own : &device->world->memory;
}

int rfsim_iommu_map(struct rfsim_device *device, void *memory, size_t bytes, uint64_t address,
		    bool read, bool write)
{
	struct memory_space *space = &device->own;
	int error;

	world_lock(device->world);
	error = device->world->iommu ? region_insert(space, memory, bytes, address) : -EINVAL;
	if (!error) {
		struct memory_region *region = &space->regions[region_find(space, address)];

		region->no_read = !read;
		region->no_write = !write;
	}
	world_unlock(device->world);
	return error;
}

int rfsim_iommu_unmap(struct rfsim_device *device, uint64_t address)
{
	int error;

	world_lock(device->world);
	error = region_remove(&device->own, address);
	world_unlock(device->world);
	return error;
}

bool rfsim_iommu_is_lost(struct rfsim_device *device, uint64_t address)
{
	bool lost;

	world_lock(device->world);
	lost = memory_is_lost(&device->own, address);
	world_unlock(device->world);
	return lost;
}

/* Within an access, so the lock is held; the regions do not change meanwhile. */
static bool region_lose(struct memory_space *space, const void *address, void **memory,
			size_t *bytes)
{
	size_t i;

	for (i = 0; i < space->count; i++) {
		struct memory_region *region = &space->regions[i];

		if ((uintptr_t)address - (uintptr_t)region->memory < region->bytes) {
			__atomic_store_n(&region->lost, true, __ATOMIC_RELEASE);
			*memory = region->memory;
			*bytes = region->bytes;
			return true;
		}
	}
	return false;
}

bool rfsim_memory_lose(struct rfsim_world *world, const void *address, void **memory, size_t *bytes)
{
	bool found = region_lose(&world->memory, address, memory, bytes);
	unsigned int i;

	for (i = 0; i < world->device_count && !found; i++)
		found = region_lose(&world->devices[i]->own, address, memory, bytes);
	return found;
}

/* --- accesses by devices ---------------------------------------------------- */

static void store_bytes(uint8_t *memory, uint32_t word, unsigned int enables)
{
	unsigned int byte;

	if (enables == 0xf) {
		__atomic_store_n((uint32_t *)memory, word, __ATOMIC_RELEASE);
		return;
	}
	for (byte = 0; byte < 4; byte++) {
		if (enables >> byte & 1)
			__atomic_store_n(memory + byte, (uint8_t)(word >> 8 * byte),
					 __ATOMIC_RELEASE);
	}
}

bool memory_write(struct memory_space *space, uint64_t address, const uint32_t *words,
		  unsigned int count, unsigned int first, unsigned int last)
{
	unsigned int skip, bytes, i = 0;
	uint8_t *memory;

	if (count == 1)
		last = first;
	/* A write without bytes touches its word all the same. */
	if (!first)
		return region_memory(space, address, 4, true);
	/* The enabled bytes must be registered, the others need not be. */
	skip = __builtin_ctz(first);
	bytes = 4 * count - skip - (__builtin_clz(last) - 28);
	memory = region_memory(space, address + skip, bytes, true);
	if (!memory)
		return false;
	memory -= skip;
	while (i < count) {
		unsigned int low = i == 0 ? first : i == count - 1 ? last : 0xf;
		unsigned int high = i + 2 == count ? last : 0xf;

		if ((address + 4ull * i) % 8 == 0 && i + 1 < count && low == 0xf && high == 0xf) {
			__atomic_store_n((uint64_t *)(memory + 4 * i),
					 (uint64_t)words[i + 1] << 32 | words[i], __ATOMIC_RELEASE);
			i += 2;
		} else {
			store_bytes(memory + 4 * i, words[i], low);
			i++;
		}
	}
	return true;
}

/*
 * Whole words. At the ends of a region that is not a multiple of four bytes the
 * bytes outside read as zero: the caller has checked the requested range.
 */
bool memory_read(struct memory_space *space, uint64_t address, uint32_t *words, unsigned int count)
{
	uint8_t *memory = region_memory(space, address, 4ull * count, false);
	unsigned int i = 0, byte;

	if (!memory) {
		for (i = 0; i < count; i++) {
			words[i] = 0;
			for (byte = 0; byte < 4; byte++) {
				memory = region_memory(space, address + 4ull * i + byte, 1, false);
				if (memory)
					words[i] |=
						(uint32_t)__atomic_load_n(memory, __ATOMIC_ACQUIRE)
						<< 8 * byte;
			}
		}
		return false;
	}
	while (i < count) {
		if ((address + 4ull * i) % 8 == 0 && i + 1 < count) {
			uint64_t both =
				__atomic_load_n((uint64_t *)(memory + 4 * i), __ATOMIC_ACQUIRE);

			words[i] = both;
			words[i + 1] = both >> 32;
			i += 2;
		} else {
			words[i] = __atomic_load_n((uint32_t *)(memory + 4 * i), __ATOMIC_ACQUIRE);
			i++;
		}
	}
	return true;
}
