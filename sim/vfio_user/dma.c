// SPDX-License-Identifier: Apache-2.0
#include "dma.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "report.h"

/* Without memory it is none that the device can reach. */
struct vfio_user_mapping {
	struct vfio_user_mapping *next;
	uint64_t address;
	uint64_t bytes;
	void *memory;
};

/* --- memory that goes away --------------------------------------------------------------- */

static struct rfsim_world *guarded;

/*
 * The file behind the access was truncated, or its file system is full. The access continues in
 * anonymous memory mapped there; librfsim reports the loss to the device.
 */
static void on_bus_error(int signal, siginfo_t *info, void *context)
{
	const struct sigaction die = { .sa_handler = SIG_DFL };
	size_t bytes;
	void *memory;

	(void)context;
	if (guarded != NULL && rfsim_memory_lose(guarded, info->si_addr, &memory, &bytes) &&
	    mmap(memory, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED)
		return;
	sigaction(signal, &die, NULL); /* and the access is repeated */
}

int vfio_user_dma_guard(struct rfsim_world *world)
{
	const struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	guarded = world;
	return sigaction(SIGBUS, &action, NULL) ? -errno : 0;
}

/* --- mappings ------------------------------------------------------------------------------ */

void vfio_user_dma_open(struct vfio_user_dma *dma, struct rfsim_device *device)
{
	*dma = (struct vfio_user_dma){ .device = device };
}

static void mapping_remove(struct vfio_user_dma *dma, struct vfio_user_mapping **link)
{
	struct vfio_user_mapping *mapping = *link;

	*link = mapping->next;
	dma->count--;
	if (mapping->memory) {
		if (rfsim_iommu_is_lost(dma->device, mapping->address))
			report(2, "the client has truncated its memory at 0x%llx",
			       (unsigned long long)mapping->address);
		rfsim_iommu_unmap(dma->device, mapping->address);
		munmap(mapping->memory, mapping->bytes);
	}
	free(mapping);
}

void vfio_user_dma_close(struct vfio_user_dma *dma)
{
	while (dma->mappings)
		mapping_remove(dma, &dma->mappings);
}

static bool overlaps(const struct vfio_user_mapping *mapping, uint64_t address, uint64_t bytes)
{
	return mapping->address <= address + (bytes - 1) &&
	       address <= mapping->address + (mapping->bytes - 1);
}

static bool is_within(const struct vfio_user_mapping *mapping, uint64_t address, uint64_t bytes)
{
	return mapping->address >= address &&
	       mapping->address + (mapping->bytes - 1) <= address + (bytes - 1);
}

/* A range of addresses, not empty, that does not wrap. */
static bool is_range(uint64_t address, uint64_t bytes)
{
	return bytes && address + (bytes - 1) >= address;
}

#define DMA_FLAGS (VFIO_USER_DMA_READ | VFIO_USER_DMA_WRITE)

static int check_map(const struct vfio_user_dma *dma, const struct vfio_user_message *message)
{
	const struct vfio_user_dma_map *map = (const void *)message->payload;
	const struct vfio_user_mapping *mapping;

	if (message->bytes < sizeof(*map) || map->argsz < sizeof(*map))
		return EINVAL;
	if (!(map->flags & DMA_FLAGS) || (map->flags & ~DMA_FLAGS) ||
	    !is_range(map->address, map->bytes) ||
	    (map->address | map->bytes | map->offset) % VFIO_USER_PAGE_BYTES ||
	    message->fd_count > 1 || message->too_many_fds)
		return EINVAL;
	for (mapping = dma->mappings; mapping; mapping = mapping->next)
		if (overlaps(mapping, map->address, map->bytes))
			return EEXIST;
	return dma->count < VFIO_USER_MAPS_MAX ? 0 : ENOSPC;
}

/* A file of the client, which has to hold all of it. */
static int map_file(const struct vfio_user_dma *dma, const struct vfio_user_dma_map *map, int fd,
		    void **memory)
{
	int protection = (map->flags & VFIO_USER_DMA_READ ? PROT_READ : 0) |
			 (map->flags & VFIO_USER_DMA_WRITE ? PROT_READ | PROT_WRITE : 0);
	struct stat status;
	int error;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) ||
	    map->offset > (uint64_t)status.st_size ||
	    map->bytes > (uint64_t)status.st_size - map->offset)
		return EINVAL;
	*memory = mmap(NULL, map->bytes, protection, MAP_SHARED, fd, map->offset);
	if (*memory == MAP_FAILED)
		return errno;
	error = rfsim_iommu_map(dma->device, *memory, map->bytes, map->address,
				map->flags & VFIO_USER_DMA_READ, map->flags & VFIO_USER_DMA_WRITE);
	if (error)
		munmap(*memory, map->bytes);
	return -error;
}

int vfio_user_dma_map(struct vfio_user_dma *dma, const struct vfio_user_message *message)
{
	const struct vfio_user_dma_map *map = (const void *)message->payload;
	struct vfio_user_mapping *mapping;
	int error = check_map(dma, message);

	if (error)
		return error;
	mapping = calloc(1, sizeof(*mapping));
	if (!mapping)
		return ENOMEM;
	mapping->address = map->address;
	mapping->bytes = map->bytes;
	if (message->fd_count)
		error = map_file(dma, map, message->fds[0], &mapping->memory);
	if (error) {
		free(mapping);
		return error;
	}
	mapping->next = dma->mappings;
	dma->mappings = mapping;
	dma->count++;
	return 0;
}

static int check_unmap(const struct vfio_user_dma *dma, const struct vfio_user_message *message)
{
	const struct vfio_user_dma_unmap *unmap = (const void *)message->payload;
	const struct vfio_user_mapping *mapping;

	if (message->bytes < sizeof(*unmap) || unmap->argsz < sizeof(*unmap) ||
	    unmap->argsz > VFIO_USER_TRANSFER_MAX || message->fd_count || message->too_many_fds)
		return EINVAL;
	if (unmap->flags == VFIO_USER_DMA_UNMAP_ALL)
		return unmap->address || unmap->bytes ? EINVAL : 0;
	if (unmap->flags || !is_range(unmap->address, unmap->bytes))
		return EINVAL;
	for (mapping = dma->mappings; mapping; mapping = mapping->next)
		if (overlaps(mapping, unmap->address, unmap->bytes) &&
		    !is_within(mapping, unmap->address, unmap->bytes))
			return EINVAL;
	return 0;
}

/*
 * Everything within the range, which may be nothing: an emulated IOMMU forgets address
 * spaces by powers of two. A mapping is not cut.
 */
int vfio_user_dma_unmap(struct vfio_user_dma *dma, const struct vfio_user_message *message)
{
	const struct vfio_user_dma_unmap *unmap = (const void *)message->payload;
	struct vfio_user_mapping **link = &dma->mappings;
	int error = check_unmap(dma, message);

	while (!error && *link) {
		if (unmap->flags == VFIO_USER_DMA_UNMAP_ALL ||
		    overlaps(*link, unmap->address, unmap->bytes))
			mapping_remove(dma, link);
		else
			link = &(*link)->next;
	}
	return error;
}
