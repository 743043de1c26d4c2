// SPDX-License-Identifier: Apache-2.0
/*
 * What firmware and an operating system's PCI core do before a driver starts,
 * by the same configuration accesses.
 */
#include <errno.h>

#include "internal.h"

#define VENDOR 0x00
#define COMMAND 0x04
#define COMMAND_ENABLE 0x6 /* memory space and bus master */
#define BAR(i) (0x10 + 4 * (i))
#define BAR_IO 1u
#define BAR_64 4u

#define CAPABILITY_EXPRESS 0x10
#define DEVICE_CAPABILITIES 0x04
#define DEVICE_CONTROL 0x08
#define LINK_CONTROL 0x10
#define LINK_CONTROL_BOUNDARY_128 (1u << 3)

#define CAPABILITY_MSIX 0x11
#define MSIX_CONTROL 0x02
#define MSIX_TABLE 0x04
#define MSIX_CONTROL_ENABLE (1u << 15)
#define MSIX_CONTROL_MASK (1u << 14)

/* Each port's windows for its device's BARs. */
#define WINDOW_32 0xc0000000ull
#define WINDOW_32_BYTES 0x01000000ull
#define WINDOW_64 0x100000000000ull
#define WINDOW_64_BYTES 0x10000000000ull

/* Size one BAR and assign its address; *wide: it is a 64-bit BAR and takes two registers. */
static int bar_assign(struct rfsim_device *device, unsigned int index, uint64_t *next_32,
		      uint64_t *next_64, bool *wide)
{
	uint32_t low, high = ~0u;
	uint64_t mask, bytes, *next;
	int error;

	*wide = false;
	error = rfsim_config_write(device, BAR(index), 4, ~0u);
	if (!error)
		error = rfsim_config_read(device, BAR(index), 4, &low);
	if (error || !low || (low & BAR_IO))
		return error;
	*wide = index < 5 && (low & BAR_64);
	if (*wide) {
		error = rfsim_config_write(device, BAR(index + 1), 4, ~0u);
		if (!error)
			error = rfsim_config_read(device, BAR(index + 1), 4, &high);
		if (error)
			return error;
	}
	mask = (uint64_t)high << 32 | (low & ~0xfu);
	bytes = ~mask + 1;
	next = *wide ? next_64 : next_32;
	*next = (*next + bytes - 1) & mask;

	error = rfsim_config_write(device, BAR(index), 4, *next);
	if (!error && *wide)
		error = rfsim_config_write(device, BAR(index + 1), 4, *next >> 32);
	if (error)
		return error;
	device->bars[index] = (struct rfsim_bar){ .address = *next, .bytes = bytes };
	*next += bytes;
	return 0;
}

static unsigned int size_code(unsigned int bytes)
{
	return __builtin_ctz(bytes) - 7;
}

/* Max payload, max read, read completion boundary. */
static int express_setup(struct rfsim_device *device, unsigned int capability)
{
	unsigned int payload = size_code(device->config.max_payload);
	uint32_t supported, control, link;
	int error;

	error = rfsim_config_read(device, capability + DEVICE_CAPABILITIES, 4, &supported);
	if (!error)
		error = rfsim_config_read(device, capability + DEVICE_CONTROL, 2, &control);
	if (!error)
		error = rfsim_config_read(device, capability + LINK_CONTROL, 2, &link);
	if (error)
		return error;
	if (payload > (supported & 7))
		payload = supported & 7;
	control &= ~(7u << 5 | 7u << 12);
	control |= payload << 5 | size_code(device->config.max_read) << 12;
	/* More than 32 tags, if the device can use them. */
	control |= (supported >> 5 & 1) << 8;
	link &= ~LINK_CONTROL_BOUNDARY_128;
	if (device->config.completion_boundary == 128)
		link |= LINK_CONTROL_BOUNDARY_128;
	error = rfsim_config_write(device, capability + DEVICE_CONTROL, 2, control);
	if (!error)
		error = rfsim_config_write(device, capability + LINK_CONTROL, 2, link);
	return error;
}

int rfsim_enumerate(struct rfsim_device *device)
{
	uint64_t next_32 = WINDOW_32 + device->index * WINDOW_32_BYTES;
	uint64_t next_64 = WINDOW_64 + device->index * WINDOW_64_BYTES;
	unsigned int capability, i;
	uint32_t vendor;
	bool wide;
	int error;

	error = rfsim_config_read(device, VENDOR, 4, &vendor);
	if (error == -EDEADLK)
		return error;
	if (error || vendor == ~0u)
		return -ENODEV;
	error = rfsim_config_write(device, COMMAND, 2, 0);
	if (error)
		return error;
	for (i = 0; i < 6; i++) {
		device->bars[i] = (struct rfsim_bar){ 0 };
		error = bar_assign(device, i, &next_32, &next_64, &wide);
		if (error)
			return error;
		if (wide)
			device->bars[++i] = (struct rfsim_bar){ 0 };
	}
	capability = rfsim_config_find(device, CAPABILITY_EXPRESS);
	if (capability) {
		error = express_setup(device, capability);
		if (error)
			return error;
	}
	error = rfsim_config_write(device, COMMAND, 2, COMMAND_ENABLE);
	if (!error)
		device->enumerated = true;
	return error;
}

int rfsim_bar(struct rfsim_device *device, unsigned int index, struct rfsim_bar *bar)
{
	int error = -EINVAL;

	world_lock(device->world);
	if (device->enumerated && index < 6 && device->bars[index].bytes) {
		*bar = device->bars[index];
		error = 0;
	}
	world_unlock(device->world);
	return error;
}

int rfsim_msix_enable(struct rfsim_device *device)
{
	unsigned int capability, vectors, i;
	uint32_t control, table;
	int error;

	if (!device->enumerated)
		return -EINVAL;
	capability = rfsim_config_find(device, CAPABILITY_MSIX);
	if (!capability)
		return -ENOENT;
	error = rfsim_config_read(device, capability + MSIX_CONTROL, 2, &control);
	if (!error)
		error = rfsim_config_read(device, capability + MSIX_TABLE, 4, &table);
	vectors = (control & 0x7ff) + 1;
	for (i = 0; !error && i < vectors; i++) {
		const uint64_t entry[2] = { RFSIM_MSI_BASE + 4096ull * device->index, i };

		error = rfsim_bar_write(device, table & 7, (table & ~7u) + 16 * i, entry, 8);
		if (!error)
			error = rfsim_bar_write(device, table & 7, (table & ~7u) + 16 * i + 8,
						entry + 1, 8);
	}
	if (!error)
		error = rfsim_config_write(device, capability + MSIX_CONTROL, 2,
					   (control & ~MSIX_CONTROL_MASK) | MSIX_CONTROL_ENABLE);
	return error ? error : (int)vectors;
}
