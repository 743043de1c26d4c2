// SPDX-License-Identifier: Apache-2.0
/*
 * A root port: one cycle of the three streams, beat by beat.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

/* --- reset ---------------------------------------------------------------- */

static void port_forget_configuration(struct rfsim_device *device)
{
	device->id_given = false;
	device->id_possible = false;
	device->bus_master = false;
	device->memory_space = false;
	device->extended_tags = false;
	device->errors = 0;
	device->errors_since_idle = 0;
	device->max_payload = 128;
	device->host_payload = 128;
	device->max_read = 512;
	device->express_capability = 0;
	device->enumerated = false;
	memset(device->bars, 0, sizeof(device->bars));
}

void port_reset(struct rfsim_device *device)
{
	memset(&device->inputs, 0, sizeof(device->inputs));
	memset(&device->outputs, 0, sizeof(device->outputs));
	memset(&device->out, 0, sizeof(device->out));
	memset(&device->in, 0, sizeof(device->in));
	device->posted_stalled = false;
	device->read_stalled = false;
	device->quiet = false;
	device->transmit_credit = 0;
	device->receive_credit = 0;
	device->completion_last = false;
	device->sent_count = 0;
	device->payload_since_idle = 0;
	device->read_since_idle = 0;
	device->fence_written = false;
	port_forget_configuration(device);
}

/* --- knobs ---------------------------------------------------------------- */

static bool is_size(uint32_t value, uint32_t min, uint32_t max)
{
	return value >= min && value <= max && !(value & (value - 1));
}

bool port_config_valid(const struct rfsim_port_config *config)
{
	return config->read_latency_min <= config->read_latency_max &&
	       config->msi_delay_min <= config->msi_delay_max &&
	       config->peer_delay_min <= config->peer_delay_max &&
	       config->read_early_percent <= 100 && config->split_percent <= 100 &&
	       config->reorder_percent <= 100 && config->receive_gap_percent < 100 &&
	       config->posted_stall_percent <= 100 && config->read_stall_percent <= 100 &&
	       is_size(config->max_payload, 128, 4096) && is_size(config->max_read, 128, 4096) &&
	       is_size(config->completion_boundary, 64, 128);
}

int rfsim_port_configure(struct rfsim_device *device, const struct rfsim_port_config *config)
{
	if (!port_config_valid(config))
		return -EINVAL;
	world_lock(device->world);
	device->config = *config;
	world_unlock(device->world);
	return 0;
}

void rfsim_port_config(struct rfsim_device *device, struct rfsim_port_config *config)
{
	world_lock(device->world);
	*config = device->config;
	world_unlock(device->world);
}

static void tell_link(struct rfsim_device *device, enum observed_link link)
{
	const struct observer *observer;

	for (observer = device->observers; observer; observer = observer->next)
		if (observer->link)
			observer->link(observer->context, device->world->cycle + device->in_cycle,
				       link);
}

void port_replugged(struct rfsim_device *device)
{
	port_reset(device);
	device->link_up = device->link_wanted = true;
	tell_link(device, OBSERVED_NEW);
	world_changed(device->world);
}

/* TLPs pass, or are lost. */
static void port_link(struct rfsim_device *device, bool up)
{
	device->link_up = up;
	if (!up) {
		/* A TLP that is half sent ends as a bad one. */
		device->out.link_error = true;
		requester_link_down(device);
		completer_reset(device);
		peer_link_down(device);
		hold_drop(device, RFSIM_HOLD_RING);
	}
	world_changed(device->world);
}

/* What the model offered, or was amid of, is lost with its link. */
static void port_lost(struct rfsim_device *device)
{
	device->in.active = device->in.started = device->in.bad = false;
	device->posted_stalled = device->read_stalled = false;
}

/* A link that was trained anew: the device has been reset, and the host does not know it yet. */
static void port_trained(struct rfsim_device *device)
{
	device->id_given = device->id_possible = false;
	device->bus_master = device->memory_space = false;
	device->extended_tags = false;
	device->errors = device->errors_since_idle = 0;
	device->max_payload = device->host_payload = 128;
	device->max_read = 512;
	device->fence_written = device->turned_off = false;
	port_link(device, true);
}

void rfsim_link_set(struct rfsim_device *device, bool up)
{
	const struct device_ops *ops = device->model->ops;

	world_lock(device->world);
	tell_link(device, up ? OBSERVED_UP : OBSERVED_DOWN);
	if (ops->link && up != device->link_wanted)
		ops->link(device->model, up ? DEVICE_LINK_IN : DEVICE_LINK_OUT);
	device->link_wanted = up;
	if (!ops->link || !up) /* else when it is trained */
		port_link(device, up);
	world_changed(device->world);
	world_unlock(device->world);
}

int rfsim_link_event(struct rfsim_device *device, enum rfsim_link_event event)
{
	static const enum device_link_event events[] = {
		[RFSIM_LINK_RETRAIN] = DEVICE_LINK_RETRAIN,
		[RFSIM_LINK_HOT_RESET] = DEVICE_LINK_HOT_RESET,
		[RFSIM_LINK_PERST] = DEVICE_LINK_PERST,
	};
	const struct device_ops *ops = device->model->ops;

	if ((unsigned int)event > RFSIM_LINK_PERST)
		return -EINVAL;
	if (!ops->link)
		return -EOPNOTSUPP;
	world_lock(device->world);
	ops->link(device->model, events[event]);
	world_changed(device->world);
	world_unlock(device->world);
	return 0;
}

int rfsim_link_times(struct rfsim_device *device, uint64_t *received, uint64_t *sent)
{
	const struct device_ops *ops = device->model->ops;

	if (!ops->link_times)
		return -EOPNOTSUPP;
	world_lock(device->world);
	ops->link_times(device->model, received, sent);
	world_unlock(device->world);
	return 0;
}

int rfsim_link_symbols(struct rfsim_device *device, uint64_t *dllps, uint64_t *skps)
{
	const struct device_ops *ops = device->model->ops;

	if (!ops->link_symbols)
		return -EOPNOTSUPP;
	world_lock(device->world);
	ops->link_symbols(device->model, dllps, skps);
	world_unlock(device->world);
	return 0;
}

bool rfsim_link_up(struct rfsim_device *device)
{
	bool up;

	world_lock(device->world);
	up = device->link_up;
	world_unlock(device->world);
	return up;
}

/* --- observation ---------------------------------------------------------- */

void port_count(struct rfsim_traffic *traffic, const uint32_t *header, unsigned int words, bool msi)
{
	enum rfsim_traffic_kind kind = RFSIM_TLP_OTHER;

	if (msi)
		kind = RFSIM_TLP_MSI;
	else if (tlp_is_memory_read(header))
		kind = RFSIM_TLP_MEMORY_READ;
	else if (tlp_is_memory_write(header))
		kind = RFSIM_TLP_MEMORY_WRITE;
	else if (tlp_is_completion(header))
		kind = RFSIM_TLP_COMPLETION;
	else if ((tlp_type(header) & 0xbf) == TLP_CFGRD0)
		kind = RFSIM_TLP_CONFIG;
	else if (tlp_is_message(header))
		kind = RFSIM_TLP_MESSAGE;
	traffic->tlps[kind]++;
	traffic->payload_bytes[kind] += 4ull * words;
	traffic->wire_bytes += tlp_wire_bytes(header);
}

static void tap(struct rfsim_device *device, enum rfsim_stream stream, uint64_t first_cycle,
		const uint32_t *header, const uint32_t *payload, unsigned int words)
{
	struct rfsim_tlp tlp = {
		.stream = stream,
		.first_cycle = first_cycle,
		.last_cycle = device->world->cycle,
		.header = header,
		.payload = payload,
		.words = words,
	};

	const struct observer *observer;

	if (device->tap.tlp)
		device->tap.tlp(device->tap.context, device, &tlp);
	for (observer = device->observers; observer; observer = observer->next)
		if (observer->tlp)
			observer->tlp(observer->context, device, &tlp);
}

static void tell_events(struct rfsim_device *device, uint64_t events)
{
	const uint64_t cycle = device->world->cycle;
	const struct observer *observer;

	hold_trace(device, events);
	if (events & device->event.mask)
		device->event.event(device->event.context, device, cycle,
				    events & device->event.mask);
	for (observer = device->observers; observer; observer = observer->next)
		if (events & observer->mask)
			observer->event(observer->context, device, cycle, events & observer->mask);
}

void observer_add(struct rfsim_device *device, struct observer *observer)
{
	world_lock(device->world);
	observer->next = device->observers;
	device->observers = observer;
	world_unlock(device->world);
}

void observer_remove(struct rfsim_device *device, struct observer *observer)
{
	struct observer **link = &device->observers;

	world_lock(device->world);
	while (*link != observer)
		link = &(*link)->next;
	*link = observer->next;
	world_unlock(device->world);
}

void rfsim_note_fence(struct rfsim_device *device, uint32_t handle, uint64_t token)
{
	const struct observer *observer;

	world_lock(device->world);
	for (observer = device->observers; observer; observer = observer->next)
		if (observer->fence)
			observer->fence(observer->context, device->world->cycle, handle, token);
	world_unlock(device->world);
}

void rfsim_tlp_callback(struct rfsim_device *device, rfsim_tlp_fn *function, void *context)
{
	world_lock(device->world);
	device->tap.tlp = function;
	device->tap.context = context;
	world_unlock(device->world);
}

void rfsim_event_callback(struct rfsim_device *device, uint64_t mask, rfsim_event_fn *function,
			  void *context)
{
	world_lock(device->world);
	device->event.event = function;
	device->event.context = context;
	device->event.mask = function ? mask : 0;
	world_unlock(device->world);
}

void rfsim_statistics(struct rfsim_device *device, struct rfsim_statistics *statistics)
{
	world_lock(device->world);
	*statistics = device->statistics;
	world_unlock(device->world);
}

/* --- to the device -------------------------------------------------------- */

/* Credit of wire bytes per cycle: unused credit expires, overdrawn credit is carried over. */
static bool link_free(int64_t *credit, uint32_t rate)
{
	if (!rate)
		return true;
	*credit += rate;
	if (*credit > rate)
		*credit = rate;
	return *credit > 0;
}

static bool receive_choose(struct rfsim_device *device)
{
	bool completion;

	if (device->replay)
		return replay_next(device);
	if (device->completion_last) {
		completion = !requester_next(device);
		if (completion && !completer_next(device))
			return false;
	} else {
		completion = completer_next(device);
		if (!completion && !requester_next(device))
			return false;
	}
	device->completion_last = completion;
	return true;
}

static void receive_present(struct rfsim_device *device)
{
	const struct rfsim_port_config *config = &device->config;
	struct device_inputs *inputs = &device->inputs;
	struct outgoing *out = &device->out;
	bool link = link_free(&device->receive_credit, config->receive_rate);
	unsigned int left;

	if (out->presented)
		return;
	if (!out->active && device->link_up && link && receive_choose(device)) {
		out->active = true;
		out->taken = device->world->cycle;
		out->position = 0;
		device->receive_credit -= config->receive_rate ? tlp_wire_bytes(out->header) : 0;
		memcpy(inputs->header, out->header, sizeof(inputs->header));
	}
	out->presented =
		out->active && !random_chance(&device->random_gap, config->receive_gap_percent);
	inputs->valid = out->presented;
	if (!out->presented)
		return;
	left = out->words - out->position;
	inputs->sop = !out->position;
	inputs->eop = left <= 2;
	inputs->error = inputs->eop && out->link_error;
	inputs->strb = left >= 2 ? 3 : left;
	inputs->data = left ? out->payload[out->position] : 0;
	if (left >= 2)
		inputs->data |= (uint64_t)out->payload[out->position + 1] << 32;
}

static void receive_observe(struct rfsim_device *device)
{
	struct outgoing *out = &device->out;

	if (!out->presented)
		return;
	if (!device->outputs.receive_ready) {
		device->statistics.receive.stalls++;
		return;
	}
	out->presented = false;
	if (!out->position) {
		out->first_cycle = device->world->cycle;
		if (out->request)
			requester_sent(device);
		else if (!out->link_error && !device->replay)
			checker_sent(device, out->header);
	}
	out->position += 2;
	if (out->position < out->words)
		return;
	out->active = false;
	if (tlp_is_completion(out->header))
		device->completion_last_cycle = device->world->cycle;
	port_count(&device->statistics.receive, out->header, out->words, false);
	tap(device, RFSIM_RECEIVE, out->first_cycle, out->header, out->payload, out->words);
}

/* --- from the device ------------------------------------------------------ */

static void posted_done(struct rfsim_device *device)
{
	struct incoming *in = &device->in;
	bool msi = tlp_is_memory_write(in->header) &&
		   tlp_address(in->header) - RFSIM_MSI_BASE < RFSIM_MSI_BYTES;

	port_count(&device->statistics.transmit, in->header, in->words, msi);
	tap(device, RFSIM_POSTED, in->first_cycle, in->header, in->payload, in->words);
	if (device->replay || !checker_posted(device, in->header, in->words, in->bad))
		return;
	if (tlp_is_completion(in->header))
		requester_completion(device, in->header, in->payload, in->words);
	else if (tlp_is_message(in->header))
		completer_message(device, in->header);
	else
		completer_write(device, in->header, in->payload, in->words);
}

static void posted_observe(struct rfsim_device *device)
{
	const struct device_beat *beat = &device->outputs.posted;
	struct incoming *in = &device->in;
	unsigned int words;

	if (!beat->valid)
		return;
	if (!in->active) {
		in->active = true;
		in->started = false;
		in->valid_since = device->world->cycle;
	}
	if (!device->inputs.posted_ready) {
		device->statistics.transmit.stalls++;
		return;
	}
	if (!device->replay)
		checker_beat(device, beat);
	if (!in->started) {
		in->started = true;
		in->words = 0;
		in->first_cycle = device->world->cycle;
		memcpy(in->header, beat->header, sizeof(in->header));
		if (device->config.transmit_rate)
			device->transmit_credit -= tlp_wire_bytes(beat->header);
	}
	words = (beat->strb & 1) + (beat->strb >> 1 & 1);
	if (in->words + words <= TLP_MAX_PAYLOAD_WORDS) {
		if (words)
			in->payload[in->words] = beat->data;
		if (words == 2)
			in->payload[in->words + 1] = beat->data >> 32;
	}
	in->words += words;
	if (!beat->eop)
		return;
	in->active = false;
	if (device->link_up)
		posted_done(device);
	in->started = false;
	in->bad = false;
}

static void read_observe(struct rfsim_device *device)
{
	const uint32_t *header = device->outputs.read_header;

	if (!device->outputs.read_valid)
		return;
	if (!device->read_stalled && !device->replay) {
		checker_read_order(device, header);
		device->read_bus_master = device->bus_master;
	}
	device->read_last_valid = device->world->cycle;
	if (!device->inputs.read_ready) {
		device->statistics.transmit.stalls++;
		return;
	}
	if (device->config.transmit_rate)
		device->transmit_credit -= tlp_wire_bytes(header);
	if (!device->link_up)
		return;
	port_count(&device->statistics.transmit, header, 0, false);
	tap(device, RFSIM_READ, device->world->cycle, header, NULL, 0);
	if (!device->replay && checker_read(device, header))
		completer_read(device, header);
}

/* --- a cycle -------------------------------------------------------------- */

void port_cycle(struct rfsim_device *device)
{
	const struct rfsim_port_config *config = &device->config;
	struct device_inputs *inputs = &device->inputs;
	struct device_outputs *outputs = &device->outputs;
	bool link = link_free(&device->transmit_credit, config->transmit_rate);

	device->in_cycle = true;
	receive_present(device);
	inputs->posted_ready = (link || device->in.started) &&
			       !random_chance(&device->random_posted, config->posted_stall_percent);
	inputs->read_ready =
		link && !random_chance(&device->random_read, config->read_stall_percent);

	device->model->ops->settle(device->model, inputs, outputs);
	inputs->read_ready |= outputs->read_departed;
	if (outputs->gone && device->link_up)
		port_link(device, false);
	else if (!outputs->gone && !device->link_up && device->link_wanted &&
		 device->model->ops->link)
		port_trained(device);
	if (outputs->gone && device->model->ops->link)
		port_lost(device);
	if (!device->replay)
		checker_stable(device);
	device->quiet =
		outputs->idle && !inputs->valid && !outputs->posted.valid && !outputs->read_valid;
	if (!device->replay)
		checker_sizes(device);
	if (outputs->trace)
		tell_events(device, outputs->trace);

	receive_observe(device);
	posted_observe(device);
	read_observe(device);
	device->posted_stalled = outputs->posted.valid && !inputs->posted_ready;
	device->read_stalled = outputs->read_valid && !inputs->read_ready;
	if (device->posted_stalled || device->read_stalled)
		device->previous = *outputs;

	/* Nothing is valid for longer than its handshake. */
	if (!device->out.presented)
		inputs->valid = false;
	device->model->ops->clock(device->model);
	device->statistics.cycles++;
	device->in_cycle = false;
}

bool port_idle(const struct rfsim_device *device)
{
	return device->quiet && !device->out.active && !requester_pending(device) &&
	       !device->read_count && !device->peer_first;
}
