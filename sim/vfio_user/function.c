// SPDX-License-Identifier: Apache-2.0
#include "function.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dma.h"
#include "interrupts.h"
#include "stop.h"

#define CONFIG_BYTES 4096u
#define CONFIG_COMMAND 0x04u
#define CONFIG_COMMAND_MEMORY (1u << 1)
#define CONFIG_BAR(i) (0x10u + 4 * (i))
#define BARS 6u
#define BAR_TYPE_MASK 0xfu

#define CAPABILITY_POWER 0x01
#define POWER_CONTROL 0x04
#define POWER_CONTROL_STATE 3u

#define CAPABILITY_EXPRESS 0x10
#define EXPRESS_CONTROL 0x08
#define EXPRESS_CONTROL_RESET (1u << 15)

#define CAPABILITY_MSIX 0x11
#define MSIX_CONTROL 0x02
#define MSIX_TABLE 0x04
#define MSIX_ENTRY_BYTES 16u
#define MSIX_ENTRY_MASK 1u

/* Bytes of one access of the client that are processed between two checks for signals */
#define PART_BYTES 4096u
/* Posted writes, with what each takes beside its data, that wait for the device at most */
#define POSTED_BYTES 65536u
#define POSTED_OVERHEAD 32u

struct vfio_user_function {
	struct rfsim_device *device;
	uint64_t bar_bytes[BARS];
	uint32_t bar_type[BARS];
	uint32_t bars[BARS]; /* as the client wrote them */
	unsigned int express, power; /* offsets of capabilities */
	unsigned int msix_bar;
	uint64_t msix_table;
	uint8_t table[MSIX_ENTRY_BYTES * VFIO_USER_VECTORS_MAX]; /* as the client wrote it */
	bool table_stale; /* its own configuration could not be written to the device */
	uint32_t posted; /* bytes, since the device was last waited for */
	struct vfio_user_interrupts interrupts;
	struct vfio_user_dma dma;
	union {
		struct vfio_user_device_info device;
		struct vfio_user_region_info region;
		struct vfio_user_interrupt_info interrupt;
		struct vfio_user_write_multi multi;
	} answer;
};

/* --- interrupts --------------------------------------------------------------------- */

static void deliver(void *context, struct rfsim_device *device, uint32_t vector)
{
	struct vfio_user_function *function = context;

	(void)device;
	vfio_user_interrupt(&function->interrupts, vector);
}

/* Whether a write to a BAR arrives: memory space is enabled, the function in D0. */
static bool is_memory_on(struct vfio_user_function *function)
{
	uint32_t command, power;

	return !rfsim_config_read(function->device, CONFIG_COMMAND, 2, &command) &&
	       !rfsim_config_read(function->device, function->power + POWER_CONTROL, 2, &power) &&
	       (command & CONFIG_COMMAND_MEMORY) && !(power & POWER_CONTROL_STATE);
}

/*
 * Write the server's own entries, masked where the client has no eventfd. While memory space is
 * disabled they cannot be written: every write of the configuration space tries again.
 */
static void write_msix_table(struct vfio_user_function *function)
{
	unsigned int i;

	function->table_stale = !is_memory_on(function);
	for (i = 0; i < function->interrupts.vectors && !function->table_stale; i++) {
		const uint64_t address =
			RFSIM_MSI_BASE + 4096ull * rfsim_device_index(function->device);
		const bool masked = !vfio_user_is_heard(&function->interrupts.msix[i]);
		const uint64_t data = i | (masked ? (uint64_t)MSIX_ENTRY_MASK << 32 : 0);
		const uint64_t offset = function->msix_table + MSIX_ENTRY_BYTES * i;

		rfsim_bar_write(function->device, function->msix_bar, offset, &address,
				sizeof(address));
		rfsim_bar_write(function->device, function->msix_bar, offset + 8, &data,
				sizeof(data));
	}
}

static int set_interrupts(struct vfio_user_function *function, struct vfio_user_message *message)
{
	int error = vfio_user_set_interrupts(&function->interrupts, message);

	if (!error)
		write_msix_table(function);
	return error;
}

/* --- reset ------------------------------------------------------------------------------ */

/* After a function-level reset: BARs and the MSI-X table, then disabled as it was left. */
static int put_back(struct vfio_user_function *function)
{
	unsigned int i;
	int error = rfsim_enumerate(function->device);

	if (error)
		return error;
	vfio_user_interrupts_reset(&function->interrupts);
	write_msix_table(function);
	memset(function->table, 0, sizeof(function->table));
	for (i = 0; i < function->interrupts.vectors; i++)
		function->table[MSIX_ENTRY_BYTES * i + 12] = MSIX_ENTRY_MASK;
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
	if (function->table_stale)
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
	if (info->argsz < sizeof(*info) || info->region >= VFIO_USER_REGIONS)
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

/*
 * The first part of an access that is all in the MSI-X table, or all outside of it. What
 * a client has there is kept apart: an entry of its own would let the device write anywhere.
 */
static uint32_t first_part(const struct vfio_user_function *function, uint32_t region,
			   uint64_t offset, uint32_t bytes, uint8_t **table)
{
	const uint64_t first = function->msix_table;
	const uint64_t end = first + MSIX_ENTRY_BYTES * function->interrupts.vectors;
	uint64_t limit = offset / PART_BYTES * PART_BYTES + PART_BYTES;

	*table = NULL;
	if (region == function->msix_bar && offset < end) {
		if (offset >= first)
			*table = (uint8_t *)function->table + (offset - first);
		if (limit > (*table ? end : first))
			limit = *table ? end : first;
	}
	return bytes < limit - offset ? bytes : limit - offset;
}

/* A read pushes the posted writes, so that a client that never reads does not fill memory. */
static void post_write(struct vfio_user_function *function, unsigned int bar, uint64_t offset,
		       const uint8_t *data, uint32_t bytes)
{
	uint32_t value;

	rfsim_bar_write(function->device, bar, offset, data, bytes);
	function->posted += bytes + POSTED_OVERHEAD;
	if (function->posted > POSTED_BYTES) {
		rfsim_config_read(function->device, 0, 4, &value);
		function->posted = 0;
	}
}

/* EINTR: the server is ending; the rest is dropped. */
static int write_region(struct vfio_user_function *function,
			const struct vfio_user_region_access *access, const uint8_t *data)
{
	uint64_t offset = access->offset;
	uint32_t left = access->bytes, bytes;
	uint8_t *table;

	for (; left && !stop_requested(); left -= bytes, offset += bytes, data += bytes) {
		bytes = first_part(function, access->region, offset, left, &table);
		if (table)
			memcpy(table, data, bytes);
		else if (access->region == VFIO_USER_REGION_CONFIG)
			config_region_write(function, offset, bytes, data);
		else
			post_write(function, access->region, offset, data, bytes);
	}
	return left ? EINTR : 0;
}

static int read_region(struct vfio_user_function *function,
		       const struct vfio_user_region_access *access, uint8_t *data)
{
	uint64_t offset = access->offset;
	uint32_t left = access->bytes, bytes;
	uint8_t *table;

	for (; left && !stop_requested(); left -= bytes, offset += bytes, data += bytes) {
		bytes = first_part(function, access->region, offset, left, &table);
		if (table)
			memcpy(data, table, bytes);
		else if (access->region == VFIO_USER_REGION_CONFIG)
			config_region_read(function, offset, bytes, data);
		else /* what fails is all ones, as on any bus */
			rfsim_bar_read(function->device, access->region, offset, data, bytes);
	}
	return left ? EINTR : 0;
}

/* The answer is built in place of the request. */
static int region_read(struct vfio_user_function *function, struct vfio_user_message *message,
		       size_t *bytes)
{
	const struct vfio_user_region_access *access = (const void *)message->payload;
	int error;

	if (message->bytes < sizeof(*access))
		return EINVAL;
	error = check_access(function, access);
	if (error)
		return error;
	*bytes = sizeof(*access) + access->bytes;
	return read_region(function, access, message->payload + sizeof(*access));
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
	*bytes = sizeof(*access);
	return write_region(function, access, message->payload + sizeof(*access));
}

/* All of them, or, if one is wrong, none. */
static int region_write_multi(struct vfio_user_function *function,
			      const struct vfio_user_message *message)
{
	const struct vfio_user_write_multi *multi = (const void *)message->payload;
	const struct vfio_user_one_write *one = (const void *)(multi + 1);
	uint64_t i;

	if (message->bytes < sizeof(*multi) ||
	    (message->bytes - sizeof(*multi)) / sizeof(*one) < multi->count)
		return EINVAL;
	for (i = 0; i < multi->count; i++)
		if (one[i].access.bytes > sizeof(one[i].data) ||
		    check_access(function, &one[i].access))
			return EINVAL;
	for (i = 0; i < multi->count; i++)
		if (write_region(function, &one[i].access, one[i].data))
			return EINTR;
	function->answer.multi = *multi;
	return 0;
}

/* --- commands ------------------------------------------------------------------------------------ */

static int device_info(struct vfio_user_function *function, const struct vfio_user_message *message)
{
	struct vfio_user_device_info *info = &function->answer.device;

	if (message->bytes < sizeof(*info))
		return EINVAL;
	memcpy(info, message->payload, sizeof(*info));
	if (info->argsz < sizeof(*info))
		return EINVAL;
	*info = (struct vfio_user_device_info){
		.argsz = sizeof(*info),
		.flags = VFIO_USER_DEVICE_RESETS | VFIO_USER_DEVICE_PCI,
		.regions = VFIO_USER_REGIONS,
		.interrupts = VFIO_USER_INTERRUPTS,
	};
	return 0;
}

/* Those that file descriptors come with; they check them. */
static bool takes_descriptors(uint16_t command)
{
	return command == VFIO_USER_DMA_MAP || command == VFIO_USER_DEVICE_SET_IRQS;
}

int vfio_user_function_command(struct vfio_user_function *function,
			       struct vfio_user_message *message, const void **reply, size_t *bytes)
{
	*reply = &function->answer;
	*bytes = 0;
	if ((message->fd_count || message->too_many_fds) &&
	    !takes_descriptors(message->header.command))
		return EINVAL;
	switch (message->header.command) {
	case VFIO_USER_VERSION: /* a second time */
		return EINVAL;
	case VFIO_USER_DMA_MAP:
		return vfio_user_dma_map(&function->dma, message);
	case VFIO_USER_DMA_UNMAP:
		*reply = message->payload;
		*bytes = sizeof(struct vfio_user_dma_unmap);
		return vfio_user_dma_unmap(&function->dma, message);
	case VFIO_USER_DEVICE_GET_INFO:
		*bytes = sizeof(function->answer.device);
		return device_info(function, message);
	case VFIO_USER_DEVICE_GET_REGION_INFO:
		*bytes = sizeof(function->answer.region);
		return region_info(function, message);
	case VFIO_USER_DEVICE_GET_IRQ_INFO:
		*bytes = sizeof(function->answer.interrupt);
		return vfio_user_interrupt_info(&function->interrupts, message,
						&function->answer.interrupt);
	case VFIO_USER_DEVICE_SET_IRQS:
		return set_interrupts(function, message);
	case VFIO_USER_REGION_READ:
		*reply = message->payload;
		return region_read(function, message, bytes);
	case VFIO_USER_REGION_WRITE:
		*reply = message->payload;
		return region_write(function, message, bytes);
	case VFIO_USER_REGION_WRITE_MULTI:
		*bytes = sizeof(function->answer.multi);
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
	uint32_t control, table, vectors;
	struct rfsim_bar bar;
	unsigned int i;
	int error;

	function->express = rfsim_config_find(function->device, CAPABILITY_EXPRESS);
	function->power = rfsim_config_find(function->device, CAPABILITY_POWER);
	if (!function->express || !function->power || !msix)
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
	vectors = (control & 0x7ff) + 1;
	if (vectors > VFIO_USER_VECTORS_MAX)
		return -ENODEV;
	vfio_user_interrupts_open(&function->interrupts, vectors);
	function->msix_bar = table & 7;
	function->msix_table = table & ~7u;
	return 0;
}

int vfio_user_function_create(struct rfsim_device *device, struct vfio_user_function **result)
{
	struct vfio_user_function *function = calloc(1, sizeof(*function));
	int error;

	if (!function)
		return -ENOMEM;
	function->device = device;
	error = rfsim_enumerate(device);
	if (!error)
		error = read_layout(function);
	if (!error)
		error = put_back(function);
	if (error) {
		free(function);
		return error;
	}
	vfio_user_dma_open(&function->dma, device);
	rfsim_interrupt_callback(device, deliver, function);
	*result = function;
	return 0;
}

void vfio_user_function_destroy(struct vfio_user_function *function)
{
	rfsim_interrupt_callback(function->device, NULL, NULL);
	vfio_user_interrupts_close(&function->interrupts);
	vfio_user_dma_close(&function->dma);
	free(function);
}
