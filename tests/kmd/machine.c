// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

static struct machine *machine_create(u32 count, u32 monitored, u32 targets, u32 chain_uid)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	u32 i;

	machine->count = count;
	assert_int_equal(rf_hosted_create(&machine->hosted), 0);
	for (i = 0; i < count; i++) {
		struct fake *fake = &machine->fakes[i];

		fake_init(fake);
		if (i)
			fake_bus_join(&machine->fakes[0].bus, &fake->bus);
		if (monitored >> i & 1)
			fake->caps.scheduling_caps =
				RF_VIDSCH_MULTI_ENGINE_AWARE | RF_VIDSCH_NO_64_BIT_ATOMICS;
		fake->caps.chain_uid = chain_uid;
		if (chain_uid)
			fake->caps.scheduling_caps |= RF_VIDSCH_NO_DMA_PATCHING;
		fake->caps.peer_targets = targets;
		/* as a device with these values in system memory */
		fake->no_device_resample = targets;
		fake->caps.peer_page = FAKE_PEER_PAGE;
		assert_int_equal(rf_hosted_add_device(machine->hosted, &fake->bus.bus, &fake_ddi,
						      &machine->devices[i]),
				 0);
		assert_int_equal(rf_hosted_open(machine->devices[i], &machine->files[i]), 0);
	}
	return machine;
}

struct machine *machine_new(u32 count, u32 monitored)
{
	return machine_create(count, monitored, 0, 0);
}

struct machine *machine_new_peers(u32 count)
{
	return machine_create(count, 0, RF_PEER_TARGETS_MAX, 0);
}

struct machine *machine_new_linked(u32 count)
{
	return machine_create(count, 0, 0, 7);
}

void machine_destroy(struct machine *machine)
{
	u32 i;

	for (i = machine->count; i-- > 0;) {
		if (machine->files[i])
			rf_hosted_close(machine->files[i]);
		if (machine->devices[i])
			rf_hosted_remove_device(machine->devices[i]);
		fake_destroy(&machine->fakes[i]);
	}
	rf_hosted_destroy(machine->hosted);
	free(machine);
}

struct kmd_statistics machine_statistics(struct machine *machine, u32 device)
{
	struct kmd_statistics statistics;

	kmd_adapter_statistics(machine->devices[device]->adapter, &statistics);
	return statistics;
}

struct drm_ringfence_fence_create machine_fence(struct machine *machine, u32 device, u32 type,
						u64 initial)
{
	return make_fence(machine->files[device], type, DRM_RINGFENCE_FENCE_CROSS_ADAPTER, initial);
}

struct drm_ringfence_fence_open machine_open(struct machine *machine, u32 device, u64 token,
					     u32 flags)
{
	struct drm_ringfence_fence_open open = { .share_token = token, .flags = flags };

	assert_int_equal(rf_hosted_request(machine->files[device], DRM_RINGFENCE_FENCE_OPEN, &open),
			 0);
	return open;
}

u64 machine_value(struct machine *machine, u32 device,
		  const struct drm_ringfence_fence_mapping *mapping)
{
	return *(const volatile u64 *)((const char *)map(machine->files[device],
							 mapping->current_value_mmap_offset) +
				       mapping->current_value_page_offset);
}
