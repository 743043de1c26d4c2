// SPDX-License-Identifier: Apache-2.0
#include "function.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_BYTES 4096u
#define CONFIG_COMMAND 0x04u
#define CONFIG_COMMAND_MEMORY (1u << 1)
#define CONFIG_BAR(i) (0x10u + 4 * (i))
#define BARS 6u
#define BAR_TYPE_MASK 0xfu

#define CAPABILITY_EXPRESS 0x10
#define EXPRESS_CONTROL 0x08
#define EXPRESS_CONTROL_RESET (1u << 15)

#define CAPABILITY_MSIX 0x11
#define MSIX_CONTROL 0x02
#define MSIX_TABLE 0x04
#define MSIX_ENTRY_BYTES 16u
#define MSIX_ENTRY_MASK 1u
#define VECTORS_MAX 32u

/* Memory of the client. Without an address it is none that the device can reach. */
struct mapping {
	struct mapping *next;
	uint64_t address;
	uint64_t bytes;
	void *memory;
};

struct vfio_user_function {
	struct rfsim_world *world;
	struct rfsim_device *device;
	uint64_t bar_bytes[BARS];
	uint32_t bar_type[BARS];
	uint32_t bars[BARS]; /* as the client wrote them */
	unsigned int express; /* offset of the capability */
	unsigned int msix_bar;
	uint64_t msix_table;
	unsigned int vectors;
	int eventfds[VECTORS_MAX]; /* -1: the client does not listen */
	struct mapping *mappings;
	union {
		struct vfio_user_device_info device;
		struct vfio_user_region_info region;
		struct vfio_user_interrupt_info interrupt;
	} answer;
};

/* --- interrupts --------------------------------------------------------------------- */

static void deliver(void *context, struct rfsim_device *device, uint32_t vector)
{
	struct vfio_user_function *function = context;
	const uint64_t one = 1;

	(void)device;
	if (vector < function->vectors && function->eventfds[vector] >= 0 &&
	    write(function->eventfds[vector], &one, sizeof(one)) < 0)
		fprintf(stderr, "rf-vfio-user: vector %u: %s\n", vector, strerror(errno));
}

/* Entries of our own, masked where nobody listens; lost while memory space is off. */
static void write_msix_table(struct vfio_user_function *function)
{
	unsigned int i;

	for (i = 0; i < function->vectors; i++) {
		const uint64_t address =
			RFSIM_MSI_BASE + 4096ull * rfsim_device_index(function->device);
		const uint64_t data =
			i | (function->eventfds[i] < 0 ? (uint64_t)MSIX_ENTRY_MASK << 32 : 0);
		const uint64_t offset = function->msix_table + MSIX_ENTRY_BYTES * i;

		rfsim_bar_write(function->device, function->msix_bar, offset, &address,
				sizeof(address));
		rfsim_bar_write(function->device, function->msix_bar, offset + 8, &data,
				sizeof(data));
	}
}

static int set_interrupts(struct vfio_user_function *function, struct vfio_user_message *message)
{
	const struct vfio_user_set_interrupts *set = (const void *)message->payload;
	unsigned int i;

	if (message->bytes < sizeof(*set) || set->interrupt >= VFIO_USER_INTERRUPTS)
		return EINVAL;
	/* The error interrupt is offered to keep QEMU quiet, and never raised. */
	if (set->interrupt == VFIO_USER_INTERRUPT_ERROR)
		return 0;
	if (set->interrupt != VFIO_USER_INTERRUPT_MSIX || !(set->flags & VFIO_USER_SET_TRIGGER))
		return EINVAL;
	if (set->start > function->vectors || set->count > function->vectors - set->start)
		return EINVAL;
	if ((set->flags & VFIO_USER_SET_EVENTFD) && message->fd_count > set->count)
		return EINVAL;
	if (!(set->flags & (VFIO_USER_SET_EVENTFD | VFIO_USER_SET_NONE)))
		return EINVAL;
	for (i = 0; i < function->vectors; i++) {
		/* "none, from 0, count 0" is all of them */
		bool all = (set->flags & VFIO_USER_SET_NONE) && !set->count;
		unsigned int place = i - set->start;

		if (!all && (i < set->start || place >= set->count))
			continue;
		if (function->eventfds[i] >= 0)
			close(function->eventfds[i]);
		function->eventfds[i] = -1;
		if ((set->flags & VFIO_USER_SET_EVENTFD) && place < message->fd_count) {
			function->eventfds[i] = message->fds[place];
			message->fds[place] = -1;
		}
	}
	write_msix_table(function);
	return 0;
}

static int interrupt_info(struct vfio_user_function *function,
			  const struct vfio_user_message *message)
{
	struct vfio_user_interrupt_info *info = &function->answer.interrupt;

	if (message->bytes < sizeof(*info))
		return EINVAL;
	memcpy(info, message->payload, sizeof(*info));
	if (info->interrupt >= VFIO_USER_INTERRUPTS)
		return EINVAL;
	info->argsz = sizeof(*info);
	info->flags = VFIO_USER_INTERRUPT_EVENTFD;
	info->count = 0;
	if (info->interrupt == VFIO_USER_INTERRUPT_MSIX) {
		info->flags |= VFIO_USER_INTERRUPT_NORESIZE;
		info->count = function->vectors;
	} else if (info->interrupt == VFIO_USER_INTERRUPT_ERROR) {
		info->count = 1;
	}
	return 0;
}

/* --- reset ------------------------------------------------------------------------------ */

/* After a function-level reset: BARs and the MSI-X table, then disabled as it was left. */
static int put_back(struct vfio_user_function *function)
{
	int error = rfsim_enumerate(function->device);

	if (error)
		return error;
	write_msix_table(function);
	memset(function->bars, 0, sizeof(function->bars));
	return rfsim_config_write(function->device, CONFIG_COMMAND, 2, 0);
}

static int reset(struct vfio_user_function *function)
{
	uint32_t control = 0;
	int error = rfsim_config_read(function->device, function->express + EXPRESS_CONTROL, 2,
				      &control);

	if (!error)
		error = rfsim_config_write(function->device, function->express + EXPRESS_CONTROL, 2,
					   control | EXPRESS_CONTROL_RESET);
	return error ? error : put_back(function);
}

/* --- configuration space ------------------------------------------------------------------ */

static uint32_t bar_read(const struct vfio_user_function *function, unsigned int i)
{
	bool upper = i && function->bar_bytes[i - 1] && (function->bar_type[i - 1] & 4);
	uint64_t mask =
		upper ? ~(function->bar_bytes[i - 1] - 1) >> 32 : ~(function->bar_bytes[i] - 1);

	if (!upper && !function->bar_bytes[i])
		return 0;
	return (function->bars[i] & (uint32_t)mask) | (upper ? 0 : function->bar_type[i]);
}

/* One aligned word of configuration space. */
static uint32_t config_read(struct vfio_user_function *function, unsigned int offset)
{
	uint32_t value = ~0u;

	if (offset >= CONFIG_BAR(0) && offset < CONFIG_BAR(BARS))
		return bar_read(function, (offset - CONFIG_BAR(0)) / 4);
	rfsim_config_read(function->device, offset, 4, &value); /* all ones if it fails */
	return value;
}

static void config_region_read(struct vfio_user_function *function, unsigned int offset,
			       unsigned int bytes, uint8_t *data)
{
	unsigned int i;
	uint32_t word = 0;

	for (i = 0; i < bytes; i++) {
		if (!i || !((offset + i) % 4))
			word = config_read(function, (offset + i) & ~3u);
		data[i] = word >> 8 * ((offset + i) % 4);
	}
}

/* 1, 2 or 4 bytes, naturally aligned. */
static void config_write(struct vfio_user_function *function, unsigned int offset,
			 unsigned int bytes, uint32_t value)
{
	unsigned int control = function->express + EXPRESS_CONTROL;

	if (offset >= CONFIG_BAR(0) && offset < CONFIG_BAR(BARS)) {
		memcpy((uint8_t *)function->bars + offset - CONFIG_BAR(0), &value, bytes);
		return;
	}
	rfsim_config_write(function->device, offset, bytes, value);
	if (offset <= control + 1 && offset + bytes > control + 1 &&
	    (value >> 8 * (control + 1 - offset) & EXPRESS_CONTROL_RESET >> 8))
		put_back(function);
	/* what was written to the table while memory space was off is lost */
	if (offset == CONFIG_COMMAND && (value & CONFIG_COMMAND_MEMORY))
		write_msix_table(function);
}

static void config_region_write(struct vfio_user_function *function, unsigned int offset,
				unsigned int bytes, const uint8_t *data)
{
	while (bytes) {
		unsigned int part = bytes >= 4 && !(offset % 4)	  ? 4
				    : bytes >= 2 && !(offset % 2) ? 2
								  : 1;
		uint32_t value = 0;

		memcpy(&value, data, part);
		config_write(function, offset, part, value);
		offset += part;
		data += part;
		bytes -= part;
	}
}

/* --- regions --------------------------------------------------------------------------------- */

static uint64_t region_bytes(const struct vfio_user_function *function, uint32_t region)
{
	if (region <= VFIO_USER_REGION_BAR5)
		return function->bar_bytes[region];
	return region == VFIO_USER_REGION_CONFIG ? CONFIG_BYTES : 0;
}

static int region_info(struct vfio_user_function *function, const struct vfio_user_message *message)
{
	struct vfio_user_region_info *info = &function->answer.region;

	if (message->bytes < sizeof(*info))
		return EINVAL;
	memcpy(info, message->payload, sizeof(*info));
	if (info->region >= VFIO_USER_REGIONS)
		return EINVAL;
	info->argsz = sizeof(*info);
	info->bytes = region_bytes(function, info->region);
	info->flags = info->bytes ? VFIO_USER_REGION_READABLE | VFIO_USER_REGION_WRITABLE : 0;
	info->capability_offset = 0;
	info->offset = 0;
	return 0;
}

static int check_access(const struct vfio_user_function *function,
			const struct vfio_user_region_access *access)
{
	uint64_t bytes;

	if (access->region >= VFIO_USER_REGIONS || access->bytes > VFIO_USER_TRANSFER_MAX)
		return EINVAL;
	bytes = region_bytes(function, access->region);
	return access->offset > bytes || access->bytes > bytes - access->offset ? EINVAL : 0;
}

static void write_region(struct vfio_user_function *function,
			 const struct vfio_user_region_access *access, const uint8_t *data)
{
	if (access->region == VFIO_USER_REGION_CONFIG)
		config_region_write(function, access->offset, access->bytes, data);
	else
		rfsim_bar_write(function->device, access->region, access->offset, data,
				access->bytes);
}

/* The answer is built in place of the request. */
static int region_read(struct vfio_user_function *function, struct vfio_user_message *message,
		       size_t *bytes)
{
	const struct vfio_user_region_access *access = (const void *)message->payload;
	uint8_t *data = message->payload + sizeof(*access);
	int error;

	if (message->bytes < sizeof(*access))
		return EINVAL;
	error = check_access(function, access);
	if (error)
		return error;
	if (access->region == VFIO_USER_REGION_CONFIG)
		config_region_read(function, access->offset, access->bytes, data);
	else /* what fails is all ones, as on any bus */
		rfsim_bar_read(function->device, access->region, access->offset, data,
			       access->bytes);
	*bytes = sizeof(*access) + access->bytes;
	return 0;
}

static int region_write(struct vfio_user_function *function, struct vfio_user_message *message,
			size_t *bytes)
{
	const struct vfio_user_region_access *access = (const void *)message->payload;
	int error;

	if (message->bytes < sizeof(*access) || message->bytes - sizeof(*access) != access->bytes)
		return EINVAL;
	error = check_access(function, access);
	if (error)
		return error;
	write_region(function, access, message->payload + sizeof(*access));
	*bytes = sizeof(*access);
	return 0;
}

static int region_write_multi(struct vfio_user_function *function,
			      const struct vfio_user_message *message)
{
	const struct vfio_user_write_multi *multi = (const void *)message->payload;
	const struct vfio_user_one_write *one = (const void *)(multi + 1);
	uint64_t i;

	if (message->bytes < sizeof(*multi) ||
	    (message->bytes - sizeof(*multi)) / sizeof(*one) < multi->count)
		return EINVAL;
	for (i = 0; i < multi->count; i++) {
		if (one[i].access.bytes > sizeof(one[i].data) ||
		    check_access(function, &one[i].access))
			return EINVAL;
		write_region(function, &one[i].access, one[i].data);
	}
	return 0;
}

/* --- the client's memory ----------------------------------------------------------------------- */

static void mapping_remove(struct vfio_user_function *function, struct mapping **link)
{
	struct mapping *mapping = *link;

	*link = mapping->next;
	if (mapping->memory) {
		rfsim_memory_unregister(function->world, mapping->address);
		munmap(mapping->memory, mapping->bytes);
	}
	free(mapping);
}

/*
 * Memory without a file, and memory that is only to be read (ROMs), is remembered and not
 * reachable by the device: an access to it is an Unsupported Request.
 */
static int dma_map(struct vfio_user_function *function, const struct vfio_user_message *message)
{
	const struct vfio_user_dma_map *map = (const void *)message->payload;
	struct mapping *mapping;
	struct stat status;
	int error = 0;

	if (message->bytes < sizeof(*map) || !map->bytes ||
	    map->address + map->bytes - 1 < map->address || message->fd_count > 1)
		return EINVAL;
	mapping = calloc(1, sizeof(*mapping));
	if (!mapping)
		return ENOMEM;
	mapping->address = map->address;
	mapping->bytes = map->bytes;
	if (message->fd_count && (map->flags & VFIO_USER_DMA_WRITE)) {
		if (fstat(message->fds[0], &status) || map->offset > (uint64_t)status.st_size ||
		    map->bytes > (uint64_t)status.st_size - map->offset) {
			error = EINVAL;
			goto fail;
		}
		mapping->memory = mmap(NULL, map->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
				       message->fds[0], map->offset);
		if (mapping->memory == MAP_FAILED) {
			error = errno;
			goto fail;
		}
		error = -rfsim_memory_register_at(function->world, mapping->memory, map->bytes,
						  map->address);
		if (error) {
			munmap(mapping->memory, map->bytes);
			goto fail;
		}
	}
	mapping->next = function->mappings;
	function->mappings = mapping;
	return 0;

fail:
	free(mapping);
	return error;
}

static bool is_within(uint64_t address, uint64_t bytes, const struct vfio_user_dma_unmap *range)
{
	return address >= range->address && bytes <= range->bytes &&
	       address - range->address <= range->bytes - bytes;
}

static bool overlaps(const struct mapping *mapping, const struct vfio_user_dma_unmap *range)
{
	return mapping->address <= range->address + (range->bytes - 1) &&
	       range->address <= mapping->address + (mapping->bytes - 1);
}

/*
 * Everything within the range, which may be nothing: an emulated IOMMU forgets address
 * spaces by powers of two. A mapping is not cut.
 */
static int dma_unmap(struct vfio_user_function *function, const struct vfio_user_message *message)
{
	const struct vfio_user_dma_unmap *unmap = (const void *)message->payload;
	struct mapping **link = &function->mappings;
	const struct mapping *mapping;

	if (message->bytes < sizeof(*unmap))
		return EINVAL;
	if (unmap->flags == VFIO_USER_DMA_UNMAP_ALL) {
		while (function->mappings)
			mapping_remove(function, &function->mappings);
		return 0;
	}
	if (unmap->flags || !unmap->bytes || unmap->address + (unmap->bytes - 1) < unmap->address)
		return EINVAL;
	for (mapping = function->mappings; mapping; mapping = mapping->next)
		if (overlaps(mapping, unmap) && !is_within(mapping->address, mapping->bytes, unmap))
			return EINVAL;
	while (*link) {
		if (overlaps(*link, unmap))
			mapping_remove(function, link);
		else
			link = &(*link)->next;
	}
	return 0;
}

/* --- commands ------------------------------------------------------------------------------------ */

static int device_info(struct vfio_user_function *function)
{
	function->answer.device = (struct vfio_user_device_info){
		.argsz = sizeof(function->answer.device),
		.flags = VFIO_USER_DEVICE_RESETS | VFIO_USER_DEVICE_PCI,
		.regions = VFIO_USER_REGIONS,
		.interrupts = VFIO_USER_INTERRUPTS,
	};
	return 0;
}

int vfio_user_function_command(struct vfio_user_function *function,
			       struct vfio_user_message *message, const void **reply, size_t *bytes)
{
	*reply = &function->answer;
	*bytes = 0;
	switch (message->header.command) {
	case VFIO_USER_DMA_MAP:
		return dma_map(function, message);
	case VFIO_USER_DMA_UNMAP:
		*reply = message->payload;
		*bytes = sizeof(struct vfio_user_dma_unmap);
		return dma_unmap(function, message);
	case VFIO_USER_DEVICE_GET_INFO:
		*bytes = sizeof(function->answer.device);
		return device_info(function);
	case VFIO_USER_DEVICE_GET_REGION_INFO:
		*bytes = sizeof(function->answer.region);
		return region_info(function, message);
	case VFIO_USER_DEVICE_GET_IRQ_INFO:
		*bytes = sizeof(function->answer.interrupt);
		return interrupt_info(function, message);
	case VFIO_USER_DEVICE_SET_IRQS:
		return set_interrupts(function, message);
	case VFIO_USER_REGION_READ:
		*reply = message->payload;
		return region_read(function, message, bytes);
	case VFIO_USER_REGION_WRITE:
		*reply = message->payload;
		return region_write(function, message, bytes);
	case VFIO_USER_REGION_WRITE_MULTI:
		return region_write_multi(function, message);
	case VFIO_USER_DEVICE_RESET:
		return -reset(function);
	}
	return ENOTSUP; /* migration and whatever else */
}

/* --- life -------------------------------------------------------------------------------------------- */

static int read_layout(struct vfio_user_function *function)
{
	unsigned int msix = rfsim_config_find(function->device, CAPABILITY_MSIX);
	uint32_t control, table;
	struct rfsim_bar bar;
	unsigned int i;
	int error;

	function->express = rfsim_config_find(function->device, CAPABILITY_EXPRESS);
	if (!function->express || !msix)
		return -ENODEV;
	for (i = 0; i < BARS; i++) {
		if (rfsim_bar(function->device, i, &bar))
			continue;
		function->bar_bytes[i] = bar.bytes;
		error = rfsim_config_read(function->device, CONFIG_BAR(i), 4,
					  &function->bar_type[i]);
		if (error)
			return error;
		function->bar_type[i] &= BAR_TYPE_MASK;
	}
	error = rfsim_config_read(function->device, msix + MSIX_CONTROL, 2, &control);
	if (!error)
		error = rfsim_config_read(function->device, msix + MSIX_TABLE, 4, &table);
	if (error)
		return error;
	function->vectors = (control & 0x7ff) + 1;
	function->msix_bar = table & 7;
	function->msix_table = table & ~7u;
	return function->vectors <= VECTORS_MAX ? 0 : -ENODEV;
}

int vfio_user_function_create(struct rfsim_world *world, struct rfsim_device *device,
			      struct vfio_user_function **result)
{
	struct vfio_user_function *function = calloc(1, sizeof(*function));
	int error;

	if (!function)
		return -ENOMEM;
	function->world = world;
	function->device = device;
	memset(function->eventfds, -1, sizeof(function->eventfds));
	error = rfsim_enumerate(device);
	if (!error)
		error = read_layout(function);
	if (!error)
		error = put_back(function);
	if (error) {
		free(function);
		return error;
	}
	rfsim_interrupt_callback(device, deliver, function);
	*result = function;
	return 0;
}

int vfio_user_function_disconnect(struct vfio_user_function *function)
{
	unsigned int i;
	int error;

	for (i = 0; i < function->vectors; i++) {
		if (function->eventfds[i] >= 0)
			close(function->eventfds[i]);
		function->eventfds[i] = -1;
	}
	/* the device stops before its memory goes */
	error = reset(function);
	while (function->mappings)
		mapping_remove(function, &function->mappings);
	return error;
}

void vfio_user_function_destroy(struct vfio_user_function *function)
{
	rfsim_interrupt_callback(function->device, NULL, NULL);
	free(function);
}
