// SPDX-License-Identifier: Apache-2.0
/*
 * Signals from fake device to fake device, and queues in hardware that wait. The bus address of a
 * peer page is where its device has struct fake_peers. Words arrive at once, or when the test lets
 * them.
 */
#include <string.h>

#include "fake.h"

#define PAGE 4096u

/* --- the bus ----------------------------------------------------------------------------- */

int fake_open_peer(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar, u64 offset,
		   u64 *bus_address)
{
	struct fake *fake = fake_of(bus), *other = fake_of(peer);

	assert_int_equal(bar, RF_BAR_REGISTERS);
	assert_int_equal(offset, other->caps.peer_page);
	fake->peers.asked++;
	if (fake->peers.no_route)
		return -EOPNOTSUPP;
	__atomic_fetch_add(&fake->bus.mapped, 1, __ATOMIC_RELAXED);
	*bus_address = (uintptr_t)&other->peers;
	return 0;
}

void fake_close_peer(struct rf_bus *bus, u64 bus_address)
{
	(void)bus_address;
	__atomic_fetch_sub(&fake_of(bus)->bus.mapped, 1, __ATOMIC_RELAXED);
}

/* --- the miniport -------------------------------------------------------------------------- */

int fake_set_peer_region(void *h_adapter, const struct rf_set_peer_region *arguments)
{
	struct fake *fake = h_adapter;

	assert_false(fake->d3);
	assert_null(fake->peers.region);
	assert_int_equal(arguments->mem->bytes, RF_PEER_REGION_ALIGN);
	if (fake->peers.no_region)
		return -EINVAL;
	pthread_mutex_lock(&fake->mutex);
	fake->peers.region = arguments->mem;
	pthread_mutex_unlock(&fake->mutex);
	return 0;
}

int fake_connect_peer(void *h_adapter, const struct rf_connect_peer *arguments)
{
	struct fake *fake = h_adapter;

	assert_false(fake->d3);
	assert_in_range(arguments->target, 0, fake->caps.peer_targets - 1);
	assert_null(fake->peers.targets[arguments->target]);
	pthread_mutex_lock(&fake->mutex);
	fake->peers.targets[arguments->target] = arguments->mem;
	pthread_mutex_unlock(&fake->mutex);
	return 0;
}

void fake_disconnect_peer(void *h_adapter, const struct rf_disconnect_peer *arguments)
{
	struct fake *fake = h_adapter;

	assert_false(fake->d3);
	assert_ptr_equal(fake->peers.targets[arguments->target], arguments->mem);
	pthread_mutex_lock(&fake->mutex);
	fake->peers.targets[arguments->target] = NULL;
	pthread_mutex_unlock(&fake->mutex);
}

void fake_set_peer_fence(void *h_adapter, const struct rf_set_peer_fence *arguments)
{
	struct fake *fake = h_adapter;
	u32 i;

	assert_false(fake->d3);
	assert_non_null(fake->peers.region);
	assert_in_range(arguments->index, 0, RF_PEER_REGION_FENCES - 1);
	assert_in_range(arguments->generation, 1, RF_PEER_GENERATION_MAX);
	for (i = 0; i < RF_PEER_TARGETS_MAX; i++)
		assert_true(!(arguments->targets >> i & 1) || fake->peers.targets[i]);
	if (fake->peers.during_enter)
		fake->peers.during_enter(fake->peers.enter_argument);
	pthread_mutex_lock(&fake->mutex);
	fake->peers.entries[arguments->index] = *arguments;
	fake->peers.entries_written++;
	pthread_mutex_unlock(&fake->mutex);
	if (fake->peers.during_enter)
		fake->peers.during_enter(fake->peers.enter_argument);
}

void fake_peers_reset(struct fake *fake)
{
	pthread_mutex_lock(&fake->mutex);
	memset(fake->peers.entries, 0, sizeof(fake->peers.entries));
	pthread_mutex_unlock(&fake->mutex);
}

u32 fake_entries(struct fake *fake)
{
	u32 i, count = 0;

	for (i = 0; i < RF_PEER_REGION_FENCES; i++)
		count += !!fake->peers.entries[i].targets;
	return count;
}

/* --- queues in hardware that wait ------------------------------------------------------------- */

static void reread(struct fake *fake, struct fake_wait *wait)
{
	if (wait->fence && fake_current(fake, wait->fence) >= wait->value)
		__atomic_store_n(&wait->released, true, __ATOMIC_SEQ_CST);
}

struct fake_wait *fake_wait(struct fake *fake, struct fake_fence *fence, u64 value)
{
	struct fake_wait *wait = NULL;
	u32 i;

	pthread_mutex_lock(&fake->mutex);
	for (i = 0; i < FAKE_WAITS && !wait; i++)
		if (!fake->peers.waits[i].fence)
			wait = &fake->peers.waits[i];
	*wait = (struct fake_wait){ .fence = fence, .value = value };
	pthread_mutex_unlock(&fake->mutex);
	rf_mb();
	reread(fake, wait);
	return wait;
}

void fake_end_wait(struct fake *fake, struct fake_wait *wait)
{
	pthread_mutex_lock(&fake->mutex);
	wait->fence = NULL;
	pthread_mutex_unlock(&fake->mutex);
}

void fake_reread_all(struct fake *fake)
{
	u32 i;

	for (i = 0; i < FAKE_WAITS; i++)
		reread(fake, &fake->peers.waits[i]);
}

static void reread_page(struct fake *fake, u32 index)
{
	u32 i;

	for (i = 0; i < FAKE_WAITS; i++) {
		struct fake_wait *wait = &fake->peers.waits[i];

		if (wait->fence &&
		    fake_physical(fake,
				  wait->fence->arguments.current_value_system_process_gpu_va) ==
			    fake->peers.region->address + (u64)index * PAGE)
			reread(fake, wait);
	}
}

/* --- words -------------------------------------------------------------------------------- */

static void receive(struct fake_peers *peers, const struct rf_set_peer_fence *word)
{
	struct fake *fake = container_of(peers, struct fake, peers);
	struct rf_set_peer_fence entry;

	pthread_mutex_lock(&fake->mutex);
	entry = peers->entries[word->index];
	if (entry.targets && entry.generation == word->generation)
		peers->good++;
	else
		peers->stale++;
	pthread_mutex_unlock(&fake->mutex);
	if (entry.targets && entry.generation == word->generation)
		reread_page(fake, word->index);
}

static void send(struct fake *fake, const struct rf_set_peer_fence *entry)
{
	struct fake_peers *targets[RF_PEER_TARGETS_MAX] = { 0 };
	u32 i;

	pthread_mutex_lock(&fake->mutex);
	for (i = 0; i < RF_PEER_TARGETS_MAX; i++)
		if ((entry->targets >> i & 1) && fake->peers.targets[i])
			targets[i] =
				(struct fake_peers *)(uintptr_t)fake->peers.targets[i]->address;
	pthread_mutex_unlock(&fake->mutex);
	for (i = 0; i < RF_PEER_TARGETS_MAX; i++)
		if (targets[i])
			receive(targets[i], entry);
}

static void look_up(struct fake *fake, u64 physical)
{
	struct rf_set_peer_fence entry = { 0 };

	pthread_mutex_lock(&fake->mutex);
	if (fake->peers.region && physical - fake->peers.region->address < RF_PEER_REGION_ALIGN)
		entry = fake->peers.entries[(physical - fake->peers.region->address) / PAGE];
	if (entry.targets && fake->peers.hold) {
		fake->peers.held = entry;
		entry.targets = 0;
	}
	pthread_mutex_unlock(&fake->mutex);
	if (entry.targets)
		send(fake, &entry);
}

void fake_written(struct fake *fake, u64 physical)
{
	if (fake->peers.late)
		fake->peers.written = physical;
	else
		look_up(fake, physical);
}

void fake_look_up(struct fake *fake)
{
	look_up(fake, fake->peers.written);
}

void fake_release_word(struct fake *fake)
{
	struct rf_set_peer_fence entry = fake->peers.held;

	fake->peers.held.targets = 0;
	send(fake, &entry);
}
