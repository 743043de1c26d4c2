// SPDX-License-Identifier: Apache-2.0
/*
 * A world: the lock, the clock, scheduled actions, interrupts and waiting.
 *
 * The lock is fair, because a thread that runs the clock takes it again at once
 * and would starve the others. It is recursive for callbacks in the cycle.
 * While interrupt callbacks and predicates run the lock is free, so a driver
 * may take its own locks in them in any order.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

/* How long a thread in rfsim_wait() runs the clock before it gives the lock to other threads. */
#define RUN_CYCLES 4096

/* How often a thread that runs the clock lets others in; a power of two. */
#define TURN_CYCLES 16

static uintptr_t self(void)
{
	static _Thread_local char mark;

	return (uintptr_t)&mark;
}

static bool world_owned(struct rfsim_world *world)
{
	return atomic_load_explicit(&world->owner, memory_order_relaxed) == self();
}

static void take_turn(struct rfsim_world *world)
{
	uint64_t ticket = world->next_ticket++;

	while (world->serving != ticket)
		pthread_cond_wait(&world->turn, &world->mutex);
	atomic_store_explicit(&world->owner, self(), memory_order_relaxed);
	world->depth = 1;
}

static void end_turn(struct rfsim_world *world)
{
	world->depth = 0;
	atomic_store_explicit(&world->owner, 0, memory_order_relaxed);
	world->serving++;
	if (world->serving != world->next_ticket)
		pthread_cond_broadcast(&world->turn);
}

void world_lock(struct rfsim_world *world)
{
	if (world_owned(world)) {
		world->depth++;
		return;
	}
	atomic_fetch_add_explicit(&world->contenders, 1, memory_order_relaxed);
	pthread_mutex_lock(&world->mutex);
	take_turn(world);
	pthread_mutex_unlock(&world->mutex);
	atomic_fetch_sub_explicit(&world->contenders, 1, memory_order_relaxed);
}

void world_unlock(struct rfsim_world *world)
{
	if (--world->depth)
		return;
	pthread_mutex_lock(&world->mutex);
	end_turn(world);
	pthread_mutex_unlock(&world->mutex);
}

bool world_enter(struct rfsim_world *world)
{
	if (world_owned(world))
		return false;
	world_lock(world);
	return true;
}

/* --- waiting -------------------------------------------------------------- */

void world_changed(struct rfsim_world *world)
{
	atomic_fetch_add(&world->generation, 1);
	if (world->sleepers) {
		pthread_mutex_lock(&world->mutex);
		pthread_cond_broadcast(&world->changed);
		pthread_mutex_unlock(&world->mutex);
	}
}

/*
 * Give up the lock until world_changed(), or until the deadline. A change needs the lock, which
 * is free only once this thread sleeps, so none is missed.
 */
static bool world_sleep(struct rfsim_world *world, const struct timespec *deadline)
{
	int error;

	world->sleepers++;
	pthread_mutex_lock(&world->mutex);
	end_turn(world);
	if (deadline)
		error = pthread_cond_timedwait(&world->changed, &world->mutex, deadline);
	else
		error = pthread_cond_wait(&world->changed, &world->mutex);
	take_turn(world);
	pthread_mutex_unlock(&world->mutex);
	world->sleepers--;
	return error != ETIMEDOUT;
}

/* --- interrupts ----------------------------------------------------------- */

static bool interrupt_ready(struct rfsim_world *world)
{
	return atomic_load(&world->interrupt_count) && !atomic_load(&world->held) &&
	       !world->deliverer && world->interrupts[0].due <= world->cycle;
}

void world_interrupt(struct rfsim_device *device, uint32_t data, uint64_t due)
{
	struct rfsim_world *world = device->world;
	size_t count = atomic_load(&world->interrupt_count);
	size_t at = count;

	if (count == world->interrupt_capacity) {
		size_t capacity = count ? 2 * count : 64;
		void *grown = realloc(world->interrupts, capacity * sizeof(*world->interrupts));

		if (!grown)
			abort();
		world->interrupts = grown;
		world->interrupt_capacity = capacity;
	}
	while (at && world->interrupts[at - 1].due > due) {
		world->interrupts[at] = world->interrupts[at - 1];
		at--;
	}
	world->interrupts[at] = (struct interrupt){ device, data, due };
	atomic_store(&world->interrupt_count, count + 1);
}

/* Not in the cycle. Gives up the lock while a callback runs. */
static void interrupts_deliver(struct rfsim_world *world)
{
	while (interrupt_ready(world)) {
		struct interrupt next = world->interrupts[0];
		size_t count = atomic_load(&world->interrupt_count) - 1;
		rfsim_interrupt_fn *function = next.device->interrupt;
		void *context = next.device->interrupt_context;

		memmove(world->interrupts, world->interrupts + 1,
			count * sizeof(*world->interrupts));
		atomic_store(&world->interrupt_count, count);
		next.device->statistics.interrupts++;
		if (function) {
			world->deliverer = self();
			world_unlock(world);
			function(context, next.device, next.data);
			world_lock(world);
			world->deliverer = 0;
		}
		world_changed(world);
	}
}

void rfsim_interrupts_hold(struct rfsim_world *world)
{
	atomic_fetch_add(&world->held, 1);
}

void rfsim_interrupts_release(struct rfsim_world *world)
{
	if (atomic_fetch_sub(&world->held, 1) != 1 || !atomic_load(&world->interrupt_count))
		return;
	/* In the cycle: the thread that runs the clock delivers it after the cycle. */
	if (!world_enter(world))
		return;
	interrupts_deliver(world);
	world_unlock(world);
}

void rfsim_interrupt_callback(struct rfsim_device *device, rfsim_interrupt_fn *function,
			      void *context)
{
	struct rfsim_world *world = device->world;
	bool in_cycle = !world_enter(world);

	if (in_cycle)
		world_lock(world);
	device->interrupt = function;
	device->interrupt_context = context;
	while (!in_cycle && world->deliverer && world->deliverer != self())
		world_sleep(world, NULL);
	world_unlock(world);
}

/* --- actions -------------------------------------------------------------- */

static bool action_before(const struct action *a, const struct action *b)
{
	return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

static void action_swap(struct action *a, struct action *b)
{
	struct action kept = *a;

	*a = *b;
	*b = kept;
}

int rfsim_at(struct rfsim_world *world, uint64_t cycle, rfsim_action_fn *function, void *context)
{
	int error = 0;
	size_t at;

	world_lock(world);
	if (cycle < world->cycle) {
		error = -EINVAL;
		goto unlock;
	}
	if (world->action_count == world->action_capacity) {
		size_t capacity = world->action_capacity ? 2 * world->action_capacity : 16;
		void *grown = realloc(world->actions, capacity * sizeof(*world->actions));

		if (!grown) {
			error = -ENOMEM;
			goto unlock;
		}
		world->actions = grown;
		world->action_capacity = capacity;
	}
	at = world->action_count++;
	world->actions[at] = (struct action){ cycle, world->action_order++, function, context };
	while (at && action_before(&world->actions[at], &world->actions[(at - 1) / 2])) {
		action_swap(&world->actions[at], &world->actions[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	world_changed(world);
unlock:
	world_unlock(world);
	return error;
}

static struct action action_pop(struct rfsim_world *world)
{
	struct action *actions = world->actions;
	struct action first = actions[0];
	size_t at = 0, child;

	actions[0] = actions[--world->action_count];
	while ((child = 2 * at + 1) < world->action_count) {
		if (child + 1 < world->action_count &&
		    action_before(&actions[child + 1], &actions[child]))
			child++;
		if (!action_before(&actions[child], &actions[at]))
			break;
		action_swap(&actions[child], &actions[at]);
		at = child;
	}
	return first;
}

/* --- the clock ------------------------------------------------------------ */

static void world_cycle(struct rfsim_world *world)
{
	unsigned int i;

	while (world->action_count && world->actions[0].cycle <= world->cycle) {
		struct action next = action_pop(world);

		next.function(next.context);
		world_changed(world);
	}
	for (i = 0; i < world->device_count; i++) {
		if (world->devices[i]->held_count)
			hold_cycle(world->devices[i]);
	}
	for (i = 0; i < world->device_count; i++) {
		if (world->devices[i]->peer_first)
			peer_cycle(world->devices[i]);
	}
	for (i = 0; i < world->device_count; i++)
		port_cycle(world->devices[i]);
	world->cycle++;
}

void world_run(struct rfsim_world *world, bool (*done)(void *context), void *context, uint64_t end)
{
	while (world->cycle < end && !(done && done(context))) {
		if (world->cycle % TURN_CYCLES == 0 &&
		    atomic_load_explicit(&world->contenders, memory_order_relaxed)) {
			world_unlock(world);
			world_lock(world);
			/* Another thread may have run the clock meanwhile. */
			if (world->cycle >= end || (done && done(context)))
				break;
		}
		world_cycle(world);
		if (interrupt_ready(world))
			interrupts_deliver(world);
	}
}

bool world_quiet(struct rfsim_world *world)
{
	size_t count = atomic_load(&world->interrupt_count);
	unsigned int i;

	if (world->action_count)
		return false;
	if (count && world->interrupts[count - 1].due > world->cycle)
		return false;
	for (i = 0; i < world->device_count; i++) {
		if (!port_idle(world->devices[i]))
			return false;
	}
	return true;
}

static bool world_idle(struct rfsim_world *world)
{
	unsigned int i;

	for (i = 0; i < world->device_count; i++) {
		if (world->devices[i]->held_count && hold_pending(world->devices[i]))
			return false;
	}
	return world_quiet(world);
}

static uint64_t cycles_from_now(struct rfsim_world *world, uint64_t cycles)
{
	return cycles > UINT64_MAX - world->cycle ? UINT64_MAX : world->cycle + cycles;
}

uint64_t rfsim_cycle(struct rfsim_world *world)
{
	uint64_t cycle;

	world_lock(world);
	cycle = world->cycle;
	world_unlock(world);
	return cycle;
}

int rfsim_step(struct rfsim_world *world, uint64_t cycles)
{
	if (!world_enter(world))
		return -EDEADLK;
	world_run(world, NULL, NULL, cycles_from_now(world, cycles));
	world_unlock(world);
	return 0;
}

bool rfsim_idle(struct rfsim_world *world)
{
	bool idle;

	world_lock(world);
	idle = world_idle(world);
	world_unlock(world);
	return idle;
}

int rfsim_run_until(struct rfsim_world *world, rfsim_predicate_fn *predicate, void *context,
		    uint64_t max_cycles)
{
	uint64_t end;

	if (!world_enter(world))
		return -EDEADLK;
	end = cycles_from_now(world, max_cycles);
	world_unlock(world);
	while (!predicate(context)) {
		world_lock(world);
		if (world->cycle >= end) {
			world_unlock(world);
			return -ETIMEDOUT;
		}
		world_run(world, NULL, NULL, world->cycle + 1);
		world_unlock(world);
	}
	return 0;
}

struct wait {
	struct rfsim_world *world;
	unsigned long long seen;
};

static bool wait_done(void *context)
{
	struct wait *wait = context;

	return atomic_load(&wait->world->generation) != wait->seen || world_idle(wait->world);
}

static struct timespec milliseconds_from_now(int milliseconds)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += milliseconds / 1000;
	time.tv_nsec += milliseconds % 1000 * 1000000l;
	if (time.tv_nsec >= 1000000000l) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000l;
	}
	return time;
}

int rfsim_wait(struct rfsim_world *world, rfsim_predicate_fn *predicate, void *context,
	       uint64_t max_cycles, int idle_milliseconds)
{
	struct wait wait = { .world = world };
	struct timespec deadline;
	bool was_idle = false;
	bool timeout = false;
	uint64_t end;

	if (!world_enter(world))
		return -EDEADLK;
	/* A callback that waits would wait for itself. */
	if (world->deliverer == self()) {
		world_unlock(world);
		return -EDEADLK;
	}
	end = cycles_from_now(world, max_cycles);
	world_unlock(world);

	for (;;) {
		wait.seen = atomic_load(&world->generation);
		if (predicate(context))
			return 0;
		if (timeout)
			return -ETIMEDOUT;

		world_lock(world);
		if (atomic_load(&world->generation) != wait.seen) {
			world_unlock(world);
			continue;
		}
		if (world->cycle >= end) {
			timeout = true;
		} else if (world->runner || world->deliverer) {
			world_sleep(world, NULL);
		} else if (interrupt_ready(world)) {
			interrupts_deliver(world);
		} else if (!world_idle(world)) {
			uint64_t batch = world->cycle + RUN_CYCLES;

			was_idle = false;
			world->runner = true;
			world_run(world, wait_done, &wait, batch < end ? batch : end);
			world->runner = false;
			world_changed(world);
		} else if (idle_milliseconds < 0) {
			world_sleep(world, NULL);
		} else {
			if (!was_idle)
				deadline = milliseconds_from_now(idle_milliseconds);
			was_idle = true;
			timeout = !idle_milliseconds || !world_sleep(world, &deadline);
		}
		world_unlock(world);
	}
}

void rfsim_wake(struct rfsim_world *world)
{
	world_lock(world);
	world_changed(world);
	world_unlock(world);
}

/* --- creation ------------------------------------------------------------- */

void rfsim_config_init(struct rfsim_config *config)
{
	*config = (struct rfsim_config){
		.seed = 1,
		.host_timeout = 100000,
		.port = {
			.read_latency_min = 32,
			.read_latency_max = 32,
			.max_payload = 256,
			.max_read = 512,
			.completion_boundary = 64,
		},
	};
}

void rfsim_config_random(struct rfsim_config *config, uint64_t seed)
{
	uint64_t random = seed ^ 0x9e3779b97f4a7c15ull;
	struct rfsim_port_config *port = &config->port;

	if (!random)
		random = 1;
	rfsim_config_init(config);
	config->seed = seed;
	port->read_latency_min = random_between(&random, 1, 50);
	port->read_latency_max = port->read_latency_min + random_between(&random, 0, 400);
	port->read_early_percent = random_between(&random, 0, 100);
	port->split_percent = random_between(&random, 0, 100);
	port->reorder_percent = random_between(&random, 0, 100);
	port->receive_gap_percent = random_between(&random, 0, 60);
	port->posted_stall_percent = random_between(&random, 0, 80);
	port->read_stall_percent = random_between(&random, 0, 80);
	port->max_payload = 128u << random_between(&random, 0, 2);
	port->max_read = 128u << random_between(&random, 0, 2);
	port->completion_boundary = 64u << random_between(&random, 0, 1);
	port->msi_delay_max = random_between(&random, 0, 200);
}

static bool link_config_valid(const struct rfsim_config *config)
{
	if (config->link == RFSIM_LINK_GEN1X1)
		return !config->link_errors || config->link_errors >= RFSIM_LINK_ERRORS_LEAST;
	return config->link == RFSIM_LINK_NONE && !config->link_errors;
}

int rfsim_world_create(const struct rfsim_config *config, struct rfsim_world **result)
{
	struct rfsim_config defaults;
	struct rfsim_world *world;
	pthread_condattr_t monotonic;

	if (!config) {
		rfsim_config_init(&defaults);
		config = &defaults;
	}
	if (!port_config_valid(&config->port) || !link_config_valid(config))
		return -EINVAL;
	if (config->link && rfsim_link())
		return -ENOENT;
	world = calloc(1, sizeof(*world));
	if (!world)
		return -ENOMEM;
	world->random = config->seed * 2 + 1;
	world->host_timeout = config->host_timeout;
	world->assertions = config->assertions;
	world->iommu = config->iommu;
	world->link = config->link;
	world->link_errors = config->link_errors;
	world->port = config->port;
	world->next_bus_address = 1ull << 32;
	pthread_mutex_init(&world->mutex, NULL);
	pthread_cond_init(&world->turn, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&world->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	*result = world;
	return 0;
}

static void device_free(struct rfsim_device *device)
{
	device->model->ops->destroy(device->model);
	free(device->posted.words);
	free(device->nonposted.words);
	free(device->reads);
	free(device->held);
	memory_free(&device->own);
	free(device);
}

void rfsim_world_destroy(struct rfsim_world *world)
{
	unsigned int i;

	if (!world)
		return;
	for (i = 0; i < world->device_count; i++)
		peer_link_down(world->devices[i]);
	for (i = 0; i < world->device_count; i++)
		device_free(world->devices[i]);
	pthread_cond_destroy(&world->changed);
	pthread_cond_destroy(&world->turn);
	pthread_mutex_destroy(&world->mutex);
	free(world->devices);
	memory_free(&world->memory);
	free(world->actions);
	free(world->interrupts);
	free(world);
}

/* The model belongs to the device, or is destroyed. */
static int device_create(struct rfsim_world *world, struct device_model *model,
			 struct rfsim_device **result)
{
	struct rfsim_device *device = calloc(1, sizeof(*device));
	struct rfsim_device **grown;
	int error = -ENOMEM;

	if (!device) {
		model->ops->destroy(model);
		return -ENOMEM;
	}
	device->model = model;
	device->reads = calloc(DEVICE_TAGS, sizeof(*device->reads));
	if (!device->reads) {
		device_free(device);
		return -ENOMEM;
	}
	device->world = world;
	device->link_up = device->link_wanted = true;
	port_reset(device);

	world_lock(world);
	grown = realloc(world->devices, (world->device_count + 1) * sizeof(*grown));
	if (grown) {
		world->devices = grown;
		device->index = world->device_count;
		device->id = (device->index + 1) << 8;
		device->config = world->port;
		device->random = random_next(&world->random) | 1;
		device->random_gap = random_next(&world->random) | 1;
		device->random_posted = random_next(&world->random) | 1;
		device->random_read = random_next(&world->random) | 1;
		world->devices[world->device_count++] = device;
		*result = device;
		error = 0;
	}
	world_unlock(world);
	if (error)
		device_free(device);
	return error;
}

/* Only links draw a number here: without them a seed gives the same as ever. */
static struct device_model *new_model(struct rfsim_world *world)
{
	struct linked_options options = {
		.assertions = world->assertions,
		.errors = world->link_errors,
	};

	if (!world->link)
		return model_create(world->assertions);
	world_lock(world);
	options.seed = random_next(&world->random);
	world_unlock(world);
	return linked_model_create(&options);
}

int rfsim_device_create(struct rfsim_world *world, struct rfsim_device **result)
{
	struct device_model *model = new_model(world);

	return model ? device_create(world, model, result) : -ENOMEM;
}

static void interrupts_drop(struct rfsim_device *device)
{
	struct rfsim_world *world = device->world;
	size_t i, kept = 0, count = atomic_load(&world->interrupt_count);

	for (i = 0; i < count; i++)
		if (world->interrupts[i].device != device)
			world->interrupts[kept++] = world->interrupts[i];
	atomic_store(&world->interrupt_count, kept);
	hold_drop(device, RFSIM_HOLD_MSI);
}

static bool nothing_half_sent(void *context)
{
	const struct rfsim_device *device = context;

	return !device->out.active;
}

/* How long a TLP may take that is half sent, so that a record has all of it */
#define REPLUG_CYCLES 100000

static void device_exchange(struct rfsim_device *device, struct device_model *model)
{
	struct rfsim_world *world = device->world;
	unsigned int i;

	rfsim_link_set(device, false);
	world_run(world, nothing_half_sent, device, world->cycle + REPLUG_CYCLES);
	interrupts_drop(device);
	for (i = 0; i < world->device_count; i++)
		rfsim_peer_close(world->devices[i], device);
	device->window_count = 0;
	if (!device->trace_error)
		device->trace_error = device->model->ops->trace_close(device->model);
	device->model->ops->destroy(device->model);
	device->model = model;
	port_replugged(device);
}

int rfsim_device_replug(struct rfsim_device *device)
{
	struct device_model *model;

	if (device->serial)
		return -EINVAL;
	if (!world_enter(device->world))
		return -EDEADLK;
	model = new_model(device->world);
	if (model)
		device_exchange(device, model);
	world_unlock(device->world);
	return model ? 0 : -ENOMEM;
}

/* Polls of a line before a read times out: longer than the largest queue of writes needs. */
#define SERIAL_HOST_TIMEOUT 1000000

int rfsim_device_open_serial(struct rfsim_world *world, const char *path,
			     struct rfsim_device **result)
{
	struct device_model *model;
	int error = serial_open(path, &model);

	if (!error)
		error = device_create(world, model, result);
	if (error)
		return error;
	(*result)->serial = true;
	if (world->host_timeout < SERIAL_HOST_TIMEOUT)
		world->host_timeout = SERIAL_HOST_TIMEOUT;
	return 0;
}

bool rfsim_device_is_serial(const struct rfsim_device *device)
{
	return device->serial;
}

unsigned int rfsim_device_index(const struct rfsim_device *device)
{
	return device->index;
}

struct rfsim_device *rfsim_world_device(struct rfsim_world *world, unsigned int index)
{
	struct rfsim_device *device;

	world_lock(world);
	device = index < world->device_count ? world->devices[index] : NULL;
	world_unlock(world);
	return device;
}

int rfsim_trace(struct rfsim_device *device, const char *path)
{
	int error = 0;

	world_lock(device->world);
	if (path)
		error = device->model->ops->trace_open(device->model, path);
	else
		error = device->model->ops->trace_close(device->model);
	if (!path && device->trace_error)
		error = device->trace_error;
	world_unlock(device->world);
	return error;
}

/* --- the verdict ---------------------------------------------------------- */

const char *rfsim_world_check(struct rfsim_world *world)
{
	bool good;

	world_lock(world);
	good = !world->verdict[0];
	world_unlock(world);
	return good ? NULL : world->verdict;
}

uint64_t rfsim_violations(struct rfsim_world *world, enum rfsim_rule rule)
{
	uint64_t count;

	world_lock(world);
	count = world->violations[rule];
	world_unlock(world);
	return count;
}

const char *rfsim_rule_name(enum rfsim_rule rule)
{
	static const char *const names[] = {
#define RULE_NAME(name, text) text,
		RFSIM_RULES(RULE_NAME)
#undef RULE_NAME
	};

	return names[rule];
}
