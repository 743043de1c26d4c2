// SPDX-License-Identifier: Apache-2.0
/*
 * Events of a device are counted; rings, MSIs and completions are held until one of them, or until
 * a cycle. Everything here is decided in the cycle, so a run repeats exactly.
 *
 * The few facts about the device itself come from generated or shared headers: where its doorbell
 * pages begin (ringfence_hw.h), and the bits of trace_o (events.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "internal.h"
#include "ringfence_hw.h"

/* --- events --------------------------------------------------------------- */

void hold_event(struct rfsim_device *device, enum rfsim_event event)
{
	uint64_t number = ++device->event_counts[event];
	unsigned int i;

	for (i = 0; i < device->hold_count; i++) {
		struct hold_rule *rule = &device->holds[i];

		if (rule->hold.until == RFSIM_UNTIL_EVENT && rule->hold.event == event &&
		    rule->hold.number == number) {
			rule->due = device->world->cycle + rule->hold.cycles;
			world_changed(device->world);
		}
	}
	for (i = 0; i < device->store_count; i++) {
		const struct store_rule *rule = &device->stores[i];

		if (rule->event == event && rule->number == number)
			(void)rfsim_bar_write(device, rule->bar, rule->offset, &rule->value,
					      sizeof(rule->value));
	}
}

/* Both nodes, in one cycle, are two events. */
static void hold_node_events(struct rfsim_device *device, uint64_t bits)
{
	unsigned int node;

	for (node = 0; node < 2; node++) {
		if (bits & RF_EVENT_WAIT(node))
			hold_event(device, RFSIM_EVENT_WAIT);
		if (bits & RF_EVENT_ENGINE_START(node))
			hold_event(device, node ? RFSIM_EVENT_COPY : RFSIM_EVENT_COMPUTE);
	}
}

void hold_trace(struct rfsim_device *device, uint64_t bits)
{
	if (bits & RF_EVENT_FENCE_WRITTEN)
		device->fence_written = true;
	if (bits & RF_EVENT_FENCE_DONE) {
		if (device->fence_written && !(bits & RF_EVENT_FENCE_LOG_ONLY))
			hold_event(device, RFSIM_EVENT_SIGNAL);
		device->fence_written = false;
	}
	if (bits & RF_EVENT_RELEASE)
		hold_event(device, RFSIM_EVENT_RELEASE);
	hold_node_events(device, bits);
}

uint64_t rfsim_event_count(struct rfsim_device *device, enum rfsim_event event)
{
	uint64_t count;

	world_lock(device->world);
	count = event < RFSIM_EVENT_COUNT ? device->event_counts[event] : 0;
	world_unlock(device->world);
	return count;
}

int rfsim_store_at(struct rfsim_device *device, enum rfsim_event event, uint64_t number,
		   unsigned int bar, uint64_t offset, uint64_t value)
{
	const struct store_rule rule = { event, number, bar, offset, value };
	int error = 0;

	if (event >= RFSIM_EVENT_COUNT || !number)
		return -EINVAL;
	world_lock(device->world);
	if (device->event_counts[event] >= number)
		error = rfsim_bar_write(device, bar, offset, &value, sizeof(value));
	else if (device->store_count == EVENT_RULES)
		error = -ENOSPC;
	else
		device->stores[device->store_count++] = rule;
	world_unlock(device->world);
	return error;
}

/* --- rules ---------------------------------------------------------------- */

static bool hold_valid(const struct rfsim_hold *hold)
{
	bool completion = hold->what == RFSIM_HOLD_COMPLETION;

	if (hold->what > RFSIM_HOLD_COMPLETION || hold->until > RFSIM_UNTIL_NEVER || !hold->first ||
	    hold->last < hold->first)
		return false;
	if (hold->until == RFSIM_UNTIL_EVENT)
		return hold->event < RFSIM_EVENT_COUNT && hold->number;
	return !completion || (hold->until != RFSIM_UNTIL_IDLE && hold->until != RFSIM_UNTIL_NEVER);
}

int rfsim_hold_add(struct rfsim_device *device, const struct rfsim_hold *hold)
{
	struct hold_rule rule = { .hold = *hold, .due = UINT64_MAX };
	int error = -ENOSPC;

	if (!hold_valid(hold))
		return -EINVAL;
	world_lock(device->world);
	if (hold->until == RFSIM_UNTIL_CYCLE)
		rule.due = hold->cycles;
	if (hold->until == RFSIM_UNTIL_EVENT && device->event_counts[hold->event] >= hold->number)
		rule.due = 0;
	if (device->hold_count < EVENT_RULES) {
		device->holds[device->hold_count++] = rule;
		error = 0;
	}
	world_unlock(device->world);
	return error;
}

/* The rule that holds this one, or NULL. */
static const struct hold_rule *hold_find(const struct rfsim_device *device, enum rfsim_held what,
					 uint64_t number)
{
	unsigned int i;

	for (i = 0; i < device->hold_count; i++) {
		const struct hold_rule *rule = &device->holds[i];

		if (rule->hold.what == what && number >= rule->hold.first &&
		    number <= rule->hold.last)
			return rule->due > device->world->cycle ? rule : NULL;
	}
	return NULL;
}

/* --- what is held --------------------------------------------------------- */

static void hold_keep(struct rfsim_device *device, struct held_item item)
{
	if (item.rule->hold.until == RFSIM_UNTIL_NEVER)
		return;
	if (device->held_count == device->held_capacity) {
		size_t capacity = device->held_capacity ? 2 * device->held_capacity : 16;
		void *grown = realloc(device->held, capacity * sizeof(*device->held));

		if (!grown)
			abort();
		device->held = grown;
		device->held_capacity = capacity;
	}
	item.came = device->world->cycle;
	device->held[device->held_count++] = item;
	world_changed(device->world);
}

bool hold_ring(struct rfsim_device *device, unsigned int bar, uint64_t offset, const void *data,
	       size_t bytes)
{
	struct held_item item = { .bytes = bytes, .offset = offset };

	if (bar || offset < RF_DOORBELL_BASE || bytes > sizeof(item.data) || device->letting_go)
		return false;
	hold_event(device, RFSIM_EVENT_RING);
	item.rule = hold_find(device, RFSIM_HOLD_RING, device->event_counts[RFSIM_EVENT_RING]);
	if (!item.rule)
		return false;
	memcpy(item.data, data, bytes);
	hold_keep(device, item);
	return true;
}

bool hold_msi(struct rfsim_device *device, uint32_t data)
{
	struct held_item item = { .message = data };

	hold_event(device, RFSIM_EVENT_MSI);
	item.rule = hold_find(device, RFSIM_HOLD_MSI, device->event_counts[RFSIM_EVENT_MSI]);
	if (!item.rule)
		return false;
	hold_keep(device, item);
	return true;
}

bool hold_completion(struct rfsim_device *device, uint8_t tag)
{
	struct held_item item = { .tag = tag };

	item.rule =
		hold_find(device, RFSIM_HOLD_COMPLETION, device->event_counts[RFSIM_EVENT_READ]);
	if (!item.rule)
		return false;
	hold_keep(device, item);
	return true;
}

/* --- letting go ----------------------------------------------------------- */

/* The cycle in which it is let go; UINT64_MAX: not known yet. */
static uint64_t hold_due(const struct held_item *item)
{
	if (item->rule->hold.until == RFSIM_UNTIL_AFTER)
		return item->came + item->rule->hold.cycles;
	return item->rule->due;
}

static void hold_let_go(struct rfsim_device *device, size_t index)
{
	struct held_item item = device->held[index];

	device->held_count--;
	memmove(device->held + index, device->held + index + 1,
		(device->held_count - index) * sizeof(item));
	switch (item.rule->hold.what) {
	case RFSIM_HOLD_RING:
		device->letting_go = true;
		(void)rfsim_bar_write(device, 0, item.offset, item.data, item.bytes);
		device->letting_go = false;
		break;
	case RFSIM_HOLD_MSI:
		world_interrupt(device, item.message, device->world->cycle);
		break;
	case RFSIM_HOLD_COMPLETION:
		device->reads[item.tag].held = false;
		break;
	}
	world_changed(device->world);
}

void hold_cycle(struct rfsim_device *device)
{
	size_t i = 0;

	while (i < device->held_count) {
		if (hold_due(&device->held[i]) <= device->world->cycle)
			hold_let_go(device, i);
		else
			i++;
	}
	for (i = 0; i < device->held_count; i++) {
		/* One at a time: what it causes comes first. */
		if (device->held[i].rule->hold.until == RFSIM_UNTIL_IDLE &&
		    world_quiet(device->world)) {
			hold_let_go(device, i);
			break;
		}
	}
}

bool hold_pending(const struct rfsim_device *device)
{
	size_t i;

	for (i = 0; i < device->held_count; i++)
		if (device->held[i].rule->hold.until == RFSIM_UNTIL_IDLE ||
		    hold_due(&device->held[i]) != UINT64_MAX)
			return true;
	return false;
}

void hold_drop(struct rfsim_device *device, enum rfsim_held what)
{
	size_t i, kept = 0;

	for (i = 0; i < device->held_count; i++)
		if (device->held[i].rule->hold.what != what)
			device->held[kept++] = device->held[i];
	device->held_count = kept;
}
