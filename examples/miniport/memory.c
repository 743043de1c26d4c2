// SPDX-License-Identifier: Apache-2.0
/* Address spaces of the sample miniport: lists of mappings where a device has page tables. */
#include "device.h"

#include <stdlib.h>

static struct mapping **find_mapping(struct device *device, const void *process, u64 address)
{
	struct mapping **link = &device->mappings;

	while (*link && ((*link)->process != process || address < (*link)->address ||
			 address - (*link)->address >= (*link)->mem->bytes))
		link = &(*link)->next;
	return link;
}

void *device_find(struct device *device, const void *process, u64 address, bool store, u64 *bytes)
{
	struct mapping **link = find_mapping(device, process, address), *mapping = *link;
	u64 base, offset;

	if (!mapping || (store && mapping->flags & RF_MAP_READ_ONLY))
		return NULL;
	*link = mapping->next; /* to the front: the next search is likely for the same */
	mapping->next = device->mappings;
	device->mappings = mapping;
	offset = address - mapping->address;
	base = mapping->mem->kind == RF_MEM_LOCAL ? (uintptr_t)device->bus->local : 0;
	*bytes = mapping->mem->bytes - offset;
	return (void *)(uintptr_t)(base + mapping->mem->address + offset);
}

struct fence *device_find_fence(struct device *device, const u64 *current)
{
	struct fence *fence = device->fences;

	while (fence && fence->current != current)
		fence = fence->next;
	return fence;
}

void device_find_values(struct device *device)
{
	struct fence *fence;
	u64 bytes;

	for (fence = device->fences; fence; fence = fence->next) {
		fence->current = device_find(device, NULL, fence->current_address, false, &bytes);
		fence->monitored =
			device_find(device, NULL, fence->monitored_address, false, &bytes);
	}
}

int device_map_gpu(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	struct mapping *mapping = calloc(1, sizeof(*mapping));
	struct device *device;

	if (!mapping)
		return -ENOMEM;
	device = device_lock(h_adapter);
	if (!arguments->gpu_virtual_address) {
		arguments->gpu_virtual_address = device->next_address;
		/* a ring of any size fits into one block at its start (rf_ddi.h) */
		device->next_address +=
			(arguments->mem->bytes / RF_RING_BLOCK_BYTES + 1) * RF_RING_BLOCK_BYTES;
	}
	*mapping = (struct mapping){ device->mappings, arguments->h_process, arguments->mem,
				     arguments->gpu_virtual_address, arguments->flags };
	device->mappings = mapping;
	device_unlock(device);
	return 0;
}

int device_replace_gpu(void *h_adapter, const struct rf_replace_gpu_page *arguments)
{
	struct device *device = device_lock(h_adapter);
	struct mapping *mapping =
		*find_mapping(device, arguments->h_process, arguments->gpu_virtual_address);

	mapping->mem = arguments->mem;
	mapping->flags = arguments->flags;
	device_find_values(device);
	device_unlock(device);
	return 0;
}

int device_unmap_gpu(void *h_adapter, const struct rf_unmap_gpu_virtual_address *arguments)
{
	struct device *device = device_lock(h_adapter);
	struct mapping **link =
		find_mapping(device, arguments->h_process, arguments->gpu_virtual_address);
	struct mapping *mapping = *link;

	*link = mapping->next;
	device_unlock(device);
	free(mapping);
	return 0;
}

int device_create_process(void *h_adapter, struct rf_create_process *arguments)
{
	struct device *device = h_adapter;

	if (device->processes == PROCESSES)
		return -EBUSY;
	arguments->h_process = malloc(1);
	device->processes += !!arguments->h_process;
	return arguments->h_process ? 0 : -ENOMEM;
}

int device_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments)
{
	((struct device *)h_adapter)->processes--;
	free(arguments->h_process);
	return 0;
}
