// SPDX-License-Identifier: Apache-2.0
/*
 * Host memory that devices may reach. Bus addresses are handed out upwards from
 * 4 GiB with an unused page between regions, and never again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define PAGE 4096ull
#define BUS_LIMIT (1ull << 55)
#define NATURAL_BYTES (256u << 10)

/* The region that holds the address, or region_count. */
static size_t region_find(struct rfsim_world *world, uint64_t address)
{
	size_t low = 0, high = world->region_count;
	size_t recent = world->region_recent;

	if (recent < high && address - world->regions[recent].first < world->regions[recent].bytes)
		return recent;
	while (low < high) {
		size_t middle = (low + high) / 2;
		struct memory_region *region = &world->regions[middle];

		if (address < region->first) {
			high = middle;
		} else if (address - region->first < region->bytes) {
			world->region_recent = middle;
			return middle;
		} else {
			low = middle + 1;
		}
	}
	return world->region_count;
}

static uint8_t *region_memory(struct rfsim_world *world, uint64_t address, uint64_t bytes,
			      bool write)
{
	size_t at = region_find(world, address);
	struct memory_region *region;

	if (at == world->region_count)
		return NULL;
	region = &world->regions[at];
	if (bytes > region->bytes - (address - region->first) || region->lost)
		return NULL;
	if (write ? region->no_write : region->no_read)
		return NULL;
	return region->memory + (address - region->first);
}

bool memory_covers(struct rfsim_world *world, uint64_t address, uint64_t bytes)
{
	return region_memory(world, address, bytes, false);
}

bool memory_is_lost(struct rfsim_world *world, uint64_t address)
{
	size_t at = region_find(world, address);

	return at < world->region_count && world->regions[at].lost;
}

static int region_insert(struct rfsim_world *world, void *memory, uint64_t bytes, uint64_t first)
{
	size_t at;

	if (!bytes || (uintptr_t)memory % 8 != first % 8 || first >= BUS_LIMIT ||
	    bytes > BUS_LIMIT - first)
		return -EINVAL;
	if (first < RFSIM_MSI_BASE + (uint64_t)RFSIM_MSI_BYTES && first + bytes > RFSIM_MSI_BASE)
		return -EINVAL;
	for (at = 0; at < world->region_count; at++) {
		if (world->regions[at].first + world->regions[at].bytes > first)
			break;
	}
	if (at < world->region_count && world->regions[at].first < first + bytes)
		return -EEXIST;
	if (world->region_count == world->region_capacity) {
		size_t capacity = world->region_capacity ? 2 * world->region_capacity : 16;
		void *grown = realloc(world->regions, capacity * sizeof(*world->regions));

		if (!grown)
			return -ENOMEM;
		world->regions = grown;
		world->region_capacity = capacity;
	}
	memmove(&world->regions[at + 1], &world->regions[at],
		(world->region_count - at) * sizeof(*world->regions));
	world->regions[at] = (struct memory_region){
		.first = first,
		.bytes = bytes,
		.memory = memory,
	};
	world->region_count++;
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
		error = region_insert(world, memory, bytes, first);
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
	error = region_insert(world, memory, bytes, bus_address);
	world_unlock(world);
	return error;
}

/* The region that begins there, or NULL. */
static struct memory_region *region_at(struct rfsim_world *world, uint64_t bus_address)
{
	size_t at = region_find(world, bus_address);

	return at < world->region_count && world->regions[at].first == bus_address
		       ? &world->regions[at]
		       : NULL;
}

int rfsim_memory_allow(struct rfsim_world *world, uint64_t bus_address, bool read, bool write)
{
	struct memory_region *region;

	world_lock(world);
	region = region_at(world, bus_address);
	if (region) {
		region->no_read = !read;
		region->no_write = !write;
	}
	world_unlock(world);
	return region ? 0 : -ENOENT;
}

/* Within an access, so the lock is held; the regions do not change meanwhile. */
bool rfsim_memory_lose(struct rfsim_world *world, const void *address, void **memory, size_t *bytes)
{
	size_t i;

	for (i = 0; i < world->region_count; i++) {
		struct memory_region *region = &world->regions[i];

		if ((uintptr_t)address - (uintptr_t)region->memory < region->bytes) {
			__atomic_store_n(&region->lost, true, __ATOMIC_RELEASE);
			*memory = region->memory;
			*bytes = region->bytes;
			return true;
		}
	}
	return false;
}

bool rfsim_memory_is_lost(struct rfsim_world *world, uint64_t bus_address)
{
	bool lost;

	world_lock(world);
	lost = memory_is_lost(world, bus_address);
	world_unlock(world);
	return lost;
}

int rfsim_memory_unregister(struct rfsim_world *world, uint64_t bus_address)
{
	int error = -ENOENT;
	size_t at;

	world_lock(world);
	at = region_find(world, bus_address);
	if (at < world->region_count && world->regions[at].first == bus_address) {
		world->region_count--;
		memmove(&world->regions[at], &world->regions[at + 1],
			(world->region_count - at) * sizeof(*world->regions));
		error = 0;
	}
	world_unlock(world);
	return error;
}

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

bool memory_write(struct rfsim_world *world, uint64_t address, const uint32_t *words,
		  unsigned int count, unsigned int first, unsigned int last)
{
	unsigned int skip, bytes, i = 0;
	uint8_t *memory;

	if (count == 1)
		last = first;
	/* A write without bytes touches its word all the same. */
	if (!first)
		return region_memory(world, address, 4, true);
	/* The enabled bytes must be registered, the others need not be. */
	skip = __builtin_ctz(first);
	bytes = 4 * count - skip - (__builtin_clz(last) - 28);
	memory = region_memory(world, address + skip, bytes, true);
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
bool memory_read(struct rfsim_world *world, uint64_t address, uint32_t *words, unsigned int count)
{
	uint8_t *memory = region_memory(world, address, 4ull * count, false);
	unsigned int i = 0, byte;

	if (!memory) {
		for (i = 0; i < count; i++) {
			words[i] = 0;
			for (byte = 0; byte < 4; byte++) {
				memory = region_memory(world, address + 4ull * i + byte, 1, false);
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
