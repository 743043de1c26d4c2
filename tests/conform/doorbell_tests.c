// SPDX-License-Identifier: Apache-2.0
/* User-mode queues and their doorbells through the whole driver. */
#include "counted.h"
#include "stack.h"

#define CONNECTED DRM_RINGFENCE_DOORBELL_CONNECTED
#define NOTIFY DRM_RINGFENCE_DOORBELL_CONNECTED_NOTIFY
#define RETRY DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY
#define ABORT DRM_RINGFENCE_DOORBELL_DISCONNECTED_ABORT

#define QUEUES 9 /* one more than there are doorbells */

static uint64_t status_of(const struct rf_queue *queue)
{
	return __atomic_load_n(queue->status, __ATOMIC_ACQUIRE);
}

static int connect(struct rf_queue *queue)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = queue->doorbell_handle };

	return rf_carrier_request(queue->device->carrier, DRM_RINGFENCE_DOORBELL_CONNECT, &connect);
}

/* Physical doorbells that are taken, where the device's registers tell. */
static void check_bound(struct rf_conform *conform, unsigned int want)
{
	unsigned int i, count = 0;
	struct rf_device_info info;

	if (!conform->setup.world.sim)
		return;
	rf_device_info(conform->setup.device, &info);
	for (i = 0; i < info.doorbells; i++)
		count += !!(stack_register(conform, RF_REG_DOORBELL_BIND(i)) &
			    RF_DOORBELL_BIND_BOUND_MASK);
	RF_CHECK_EQUAL(conform, count, want, "physical doorbells taken");
}

/* --- life of a doorbell -------------------------------------------------------------- */

static void created_disconnected(struct rf_conform *conform)
{
	struct rf_queue *queues[12];
	unsigned int i;

	/* More objects than there are doorbells: making them takes none. */
	for (i = 0; i < 12; i++) {
		queues[i] = stack_queue(conform, i % 2);
		RF_CHECK(conform, queues[i]->doorbell && queues[i]->status,
			 "no address of doorbell or status");
		RF_CHECK_EQUAL(conform, status_of(queues[i]), RETRY, "status of a new doorbell");
	}
	check_bound(conform, 0);
}

static void dummy_page_has_no_effect(struct rf_conform *conform)
{
	uint64_t rings = stack_counter(conform, RF_COUNTER_RINGS);
	struct rfsim_statistics before, after;
	struct counted counted;
	unsigned int i;

	counted_open(conform, &counted);
	stack_settle(conform);
	rfsim_statistics(conform->setup.world.sim, &before);
	for (i = 0; i < 100; i++)
		rf_carrier_ring(counted.queue->doorbell, i);
	stack_settle(conform);
	rfsim_statistics(conform->setup.world.sim, &after);
	RF_CHECK_EQUAL(conform, after.receive.tlps[RFSIM_TLP_MEMORY_WRITE],
		       before.receive.tlps[RFSIM_TLP_MEMORY_WRITE], "stores that reach the device");
	RF_CHECK_EQUAL(conform, stack_counter(conform, RF_COUNTER_RINGS), rings, "rings");
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "the queue works afterwards");
}

static void connect_binds_and_says_so(struct rf_conform *conform)
{
	struct counted counted;
	const struct rf_watch_note *note;
	const void *doorbell, *status;

	counted_open(conform, &counted);
	doorbell = counted.queue->doorbell;
	status = counted.queue->status;
	rf_watch_clear();
	RF_CHECK_EQUAL(conform, connect(counted.queue), 0, "connect");
	note = rf_watch_find(RF_WATCH_CONNECT_DOORBELL, 0);
	RF_CHECK(conform, note && note->address >= RF_DOORBELL_BASE, "the driver was not asked");
	RF_CHECK_EQUAL(conform, status_of(counted.queue), CONNECTED, "status");
	check_bound(conform, 1);
	RF_CHECK_EQUAL(conform, connect(counted.queue), 0, "connecting again");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_CONNECT_DOORBELL), 1,
		       "calls of the driver for a connected doorbell");
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "a submission");
	RF_CHECK(conform, doorbell == counted.queue->doorbell && status == counted.queue->status,
		 "an address changed");
}

static void destroy_tells_the_driver(struct rf_conform *conform)
{
	struct drm_ringfence_doorbell_destroy destroy = { 0 };
	struct rf_ring_entry *entry;
	struct counted counted;

	counted_open(conform, &counted);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "a submission");
	destroy.handle = counted.queue->doorbell_handle;
	rf_watch_clear();
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(conform->setup.device->carrier,
					  DRM_RINGFENCE_DOORBELL_DESTROY, &destroy),
		       0, "destroy");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_DESTROY_DOORBELL), 1,
		       "calls of the driver");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_DISCONNECT_DOORBELL, 0) <
			 rf_watch_position(RF_WATCH_DESTROY_DOORBELL, 0),
		 "destroyed while it was connected");
	check_bound(conform, 0);
	/* Ring and control stay. */
	entry = rf_memory_map(counted.queue->ring);
	RF_CHECK_EQUAL(conform, entry->address, counted.commands->memory->address, "ring");
	RF_CHECK_EQUAL(conform, *counted.queue->write_pointer, 1, "control");
	entry->size = 0;
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(conform->setup.device->carrier,
					  DRM_RINGFENCE_DOORBELL_DESTROY, &destroy),
		       (uint64_t)-ENOENT, "destroying it again");
}

/* User mode frees the ring while the doorbell lives: the device goes on with it. */
static void ring_is_held_by_the_doorbell(struct rf_conform *conform)
{
	struct rf_device *device = conform->setup.device;
	struct drm_ringfence_memory_destroy destroy = { 0 };
	struct drm_ringfence_doorbell_create create = { 0 };
	struct counted counted;
	struct rf_mem *mem;
	uint64_t offset, address;
	unsigned int i;

	counted_open(conform, &counted);
	address = rf_memory_address(counted.queue->ring);
	mem = rf_watch_memory(address, &offset);
	counted_submit(conform, &counted);
	rf_watch_clear();
	destroy.handle = counted.queue->ring->handle;
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(device->carrier, DRM_RINGFENCE_MEMORY_DESTROY, &destroy),
		       0, "free");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UNMAP), 0, "unmapped under the doorbell");
	counted_finish(conform, &counted, "what was in the ring");
	/* The next entry, by the kernel's view: user mode's is gone. */
	for (i = 1; i < 4; i++) {
		uint64_t *tail = &counted.commands->words[counted.commands->count];

		tail[1] = i + 1;
		rf_mem_write64(mem, i * 16, counted.commands->memory->address);
		rf_mem_write64(mem, i * 16 + 8, (counted.commands->count + 2) * 8);
		rf_mem_write64(mem, counted.queue->ring->bytes - 4096, i + 1);
		rf_carrier_ring(counted.queue->doorbell, i + 1);
		counted.queue->submitted = i + 1;
		counted.want++;
		counted_finish(conform, &counted, "a ring that user mode has freed");
	}
	rf_queue_destroy(counted.queue);
	RF_CHECK(conform, !rf_watch_memory(address, &offset), "the ring is still mapped");

	/* Memory that is gone cannot become a ring. */
	counted_open(conform, &counted);
	create.queue = counted.queue->handle;
	create.ring_memory = destroy.handle;
	create.ring_control_memory = counted.memory->handle;
	create.ring_entries = 16;
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(device->carrier, DRM_RINGFENCE_DOORBELL_DESTROY,
					  &(struct drm_ringfence_doorbell_destroy){
						  .handle = counted.queue->doorbell_handle }),
		       0, "destroy");
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(device->carrier, DRM_RINGFENCE_DOORBELL_CREATE, &create),
		       (uint64_t)-ENOENT, "a ring in memory that is gone");
	create.ring_memory = counted.memory->handle;
	create.ring_control_memory = destroy.handle;
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(device->carrier, DRM_RINGFENCE_DOORBELL_CREATE, &create),
		       (uint64_t)-ENOENT, "a control in memory that is gone");
}

static void failed_connect_aborts(struct rf_conform *conform)
{
	struct counted counted, other;

	counted_open(conform, &counted);
	counted_open(conform, &other);
	rf_watch_change.connect_error = -EIO;
	RF_CHECK_EQUAL(conform, rf_queue_submit(counted.queue, counted.commands), (uint64_t)-EIO,
		       "submit");
	RF_CHECK_EQUAL(conform, status_of(counted.queue), ABORT, "status");
	rf_watch_change.connect_error = 0;
	RF_CHECK_EQUAL(conform, connect(counted.queue), (uint64_t)-EIO, "connecting it again");
	RF_CHECK_EQUAL(conform, status_of(counted.queue), ABORT, "status");
	RF_CHECK_EQUAL(conform, counted_done(&counted), 0, "executions");
	rf_queue_destroy(counted.queue);
	counted_open(conform, &counted);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "a new queue");
	counted_submit(conform, &other);
	counted_finish(conform, &other, "another queue");
}

static void lost_queue_aborts(struct rf_conform *conform)
{
	const uint64_t nonsense = 0xff;
	struct counted counted, other;
	struct rf_commands *commands;
	uint64_t address;
	uint32_t error;

	counted_open(conform, &counted);
	counted_open(conform, &other);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "a submission");
	commands = stack_commands(conform, counted.queue);
	rf_command_raw(commands, &nonsense, 1);
	stack_submit_bad(conform, commands);
	RF_CHECK_EQUAL(conform, rf_queue_wait(counted.queue, 20 * SECOND), (uint64_t)-EIO,
		       "waiting for a lost queue");
	RF_CHECK_EQUAL(conform, rf_queue_status(counted.queue, &error, &address), (uint64_t)-EIO,
		       "rf_queue_status");
	RF_CHECK_EQUAL(conform, error, RF_QUEUE_ERROR_OPCODE, "error");
	RF_CHECK_EQUAL(conform, status_of(counted.queue), ABORT, "status");
	RF_CHECK_EQUAL(conform, rf_queue_submit(counted.queue, counted.commands), (uint64_t)-EIO,
		       "submit");
	RF_CHECK_EQUAL(conform, connect(counted.queue), (uint64_t)-EIO, "connect");
	counted_submit(conform, &other);
	counted_finish(conform, &other, "another queue");
}

static void notify_once_per_ring(struct rf_conform *conform)
{
	struct counted counted;
	unsigned int i;

	counted_open(conform, &counted);
	rf_watch_change.connect_status = RF_DOORBELL_CONNECTED_NOTIFY_KMD;
	rf_watch_clear();
	for (i = 1; i <= 10; i++) {
		counted_submit(conform, &counted);
		RF_CHECK_EQUAL(conform, status_of(counted.queue), NOTIFY, "status");
		RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_WORK), i, "notifications");
		counted_finish(conform, &counted, "a submission");
	}
	RF_CHECK_EQUAL(
		conform,
		rf_carrier_request(conform->setup.device->carrier, DRM_RINGFENCE_QUEUE_NOTIFY,
				   &(struct drm_ringfence_queue_notify){ .handle = 1u << 31 }),
		(uint64_t)-EINVAL, "a queue that is none");
}

static void status_page_is_read_only(struct rf_conform *conform)
{
	struct counted counted;

	counted_open(conform, &counted);
	RF_CHECK(conform, stack_store_faults(counted.queue->status), "user mode wrote the status");
	RF_CHECK_EQUAL(conform, status_of(counted.queue), RETRY, "status");
	counted_submit(conform, &counted);
	RF_CHECK(conform, stack_store_faults(counted.queue->status), "user mode wrote the status");
	RF_CHECK_EQUAL(conform, status_of(counted.queue), CONNECTED, "status");
	counted_finish(conform, &counted, "a submission");
}

/*
 * A process ends in the middle of its work: doorbell and queue first, then, with the
 * device at rest, its memory. An access after that would be one to memory that the
 * root complex does not know, and fail the test.
 */
static void process_ends_with_work_pending(struct rf_conform *conform)
{
	struct rf_device *dying;
	struct rf_memory *memory;
	struct rf_commands *commands;
	struct rf_queue *queue;
	struct rf_mem *ring, *target;
	struct counted counted;
	uint64_t offset;
	size_t i;

	dying = stack_process(conform);
	RF_CHECK(conform, !rf_queue_create(dying, RF_ENGINE_COPY, 16, 0, &queue),
		 "rf_queue_create");
	RF_CHECK(conform, !rf_memory_create(dying, 1 << 20, RF_MEMORY_SYSTEM, &memory),
		 "rf_memory_create");
	RF_CHECK(conform, !rf_commands_create(queue, 64, 0, &commands), "rf_commands_create");
	ring = rf_watch_memory(rf_memory_address(queue->ring), &offset);
	target = rf_watch_memory(rf_memory_address(memory), &offset);
	rf_command_fill(commands, rf_memory_address(memory), 1 << 20, 1);
	stack_submit(conform, commands);
	rfsim_step(conform->setup.world.simulation, 500);
	RF_CHECK_EQUAL(conform, rf_queue_completed(queue), 0, "the work is long enough");
	rf_watch_clear();
	rf_device_close(dying);
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_DESTROY_DOORBELL, 0) <
			 rf_watch_position(RF_WATCH_DESTROY_QUEUE, 0),
		 "the queue ended before its doorbell");
	for (i = 0; rf_watch_find(RF_WATCH_UNMAP, i); i++) {
		const struct rf_watch_note *unmap = rf_watch_find(RF_WATCH_UNMAP, i);

		if (unmap->mem == ring || unmap->mem == target)
			RF_CHECK(conform,
				 rf_watch_position(RF_WATCH_DESTROY_QUEUE, 0) <
					 rf_watch_position(RF_WATCH_UNMAP, i),
				 "memory was taken from a living queue");
	}
	stack_settle(conform);
	RF_CHECK(conform, !rfsim_world_check(conform->setup.world.simulation), "%s",
		 rfsim_world_check(conform->setup.world.simulation));
	counted_open(conform, &counted);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "another process");
}

/* --- submission ---------------------------------------------------------------------- */

struct traffic {
	unsigned int requests; /* of the host */
	unsigned int rings;
	uint64_t doorbells; /* bus address of the pages */
};

static void count_requests(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct traffic *traffic = context;
	uint32_t type = tlp->header[0] >> 24;
	uint64_t address;

	(void)device;
	/* Memory requests only, not completions. */
	if (tlp->stream != RFSIM_RECEIVE || type & 0x1f)
		return;
	traffic->requests++;
	address = type & 0x20 ? (uint64_t)tlp->header[2] << 32 | tlp->header[3] : tlp->header[2];
	traffic->rings += type & 0x40 && address - traffic->doorbells < 64 * 4096;
}

/* With status CONNECTED a submission is one store to the device and no call. */
static void submission_is_one_store(struct rf_conform *conform)
{
	struct traffic traffic = { 0 };
	struct counted counted;
	struct rfsim_bar bar;
	unsigned int i;

	counted_open(conform, &counted);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "the first submission");
	stack_settle(conform);
	RF_CHECK(conform, !rfsim_bar(conform->setup.world.sim, 0, &bar), "BAR 0");
	traffic.doorbells = bar.address + RF_DOORBELL_BASE;
	rfsim_tlp_callback(conform->setup.world.sim, count_requests, &traffic);
	rf_watch_clear();
	for (i = 1; i <= 10; i++) {
		counted_submit(conform, &counted);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, traffic.rings, i, "stores to the doorbell");
		RF_CHECK_EQUAL(conform, traffic.requests, i, "accesses to the device");
		RF_CHECK_EQUAL(conform, counted_done(&counted), counted.want, "executions");
	}
	rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_CONNECT_DOORBELL), 0, "connects");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_WORK), 0, "notifications");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts");
}

/*
 * A queue whose ring, control and commands lie in local memory submits by stores on
 * the bus: their order is seen there, and last-queued before them all.
 */
struct order {
	const struct rf_queue *queue;
	uint64_t local, doorbells;
	uint64_t commands, ring, control; /* offsets in local memory */
	unsigned int step; /* 1 payload, 2 entry, 3 write pointer, 4 doorbell */
	uint64_t value; /* progress value of this submission */
	bool wrong, late;
};

static void follow_order(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct order *order = context;
	uint32_t type = tlp->header[0] >> 24;
	unsigned int step;
	uint64_t address;

	(void)device;
	if (tlp->stream != RFSIM_RECEIVE || !(type & 0x40) || type & 0x1f)
		return;
	address = type & 0x20 ? (uint64_t)tlp->header[2] << 32 | tlp->header[3] : tlp->header[2];
	if (address - order->doorbells < 64 * 4096)
		step = 4;
	else if (address - order->local - order->commands < 4096)
		step = 1;
	else if (address - order->local - order->control < 4096)
		step = 3;
	else if (address - order->local - order->ring < 4096)
		step = 2;
	else
		return;
	order->wrong |= step < order->step || step > order->step + 1;
	order->late |= *order->queue->last_queued != order->value;
	order->step = step;
}

static void stores_are_in_order(struct rf_conform *conform)
{
	struct rf_device *device = conform->setup.device;
	struct rf_commands *commands;
	struct order order = { 0 };
	struct rf_queue *queue;
	struct rfsim_bar bar;
	unsigned int i;

	RF_CHECK(conform, !rf_queue_create(device, RF_ENGINE_COPY, 16, RF_QUEUE_LOCAL, &queue),
		 "a queue in local memory");
	RF_CHECK(conform, !rf_commands_create(queue, 256, RF_MEMORY_LOCAL, &commands),
		 "commands in local memory");
	rf_command_barrier(commands);
	stack_submit(conform, commands); /* connects */
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "the first submission");
	stack_settle(conform);

	order.queue = queue;
	RF_CHECK(conform, !rfsim_bar(conform->setup.world.sim, 0, &bar), "BAR 0");
	order.doorbells = bar.address + RF_DOORBELL_BASE;
	RF_CHECK(conform, !rfsim_bar(conform->setup.world.sim, 2, &bar), "BAR 2");
	order.local = bar.address;
	order.commands =
		rf_watch_memory(rf_memory_address(commands->memory), &(uint64_t){ 0 })->address;
	order.ring = rf_watch_memory(rf_memory_address(queue->ring), &(uint64_t){ 0 })->address;
	order.control = order.ring + queue->ring->bytes - 4096;
	rfsim_tlp_callback(conform->setup.world.sim, follow_order, &order);
	for (i = 0; i < 10; i++) {
		order.step = 0;
		order.value = i + 2;
		stack_submit(conform, commands);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, order.step, 4, "the last store");
		RF_CHECK(conform, !order.wrong, "stores out of order");
		RF_CHECK_EQUAL(conform, rf_queue_completed(queue), i + 2, "progress");
	}
	rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
	RF_CHECK(conform, !order.late, "last-queued was not there before the ring");
}

static void progress_and_last_queued(struct rf_conform *conform)
{
	struct drm_ringfence_queue_status status = { 0 };
	struct rf_device *device = conform->setup.device;
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *gate = stack_fence(conform, 0, 0);
	uint64_t last = 0, value;
	unsigned int i, steps;

	RF_CHECK_EQUAL(conform, *queue->last_queued, 0, "last-queued at first");
	RF_CHECK_EQUAL(conform, rf_fence_signal(rf_queue_progress(queue), 5), (uint64_t)-EACCES,
		       "a CPU signal of the progress fence");
	status.handle = queue->handle;
	for (i = 1; i <= 8; i++) {
		struct rf_commands *commands = stack_commands(conform, queue);

		rf_command_wait(commands, gate, i);
		stack_submit(conform, commands);
		RF_CHECK_EQUAL(conform, *queue->last_queued, i, "last-queued");
	}
	for (i = 1; i <= 8; i++) {
		RF_CHECK_EQUAL(
			conform,
			rf_carrier_request(device->carrier, DRM_RINGFENCE_QUEUE_STATUS, &status), 0,
			"status");
		RF_CHECK(conform, status.last_queued > status.completed, "no work is pending");
		RF_CHECK_EQUAL(conform, status.completed, i - 1, "completed");
		RF_CHECK_EQUAL(conform, rf_fence_signal(gate, i), 0, "rf_fence_signal");
		for (steps = 0; rf_queue_completed(queue) < i; steps++) {
			RF_CHECK(conform, steps < 100000, "the CPU's signal releases nothing");
			rfsim_step(conform->setup.world.simulation, 1);
			value = rf_queue_completed(queue);
			RF_CHECK(conform, value == last || value == last + 1,
				 "progress went from %llu to %llu", (unsigned long long)last,
				 (unsigned long long)value);
			last = value;
		}
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, rf_queue_completed(queue), i, "the gate holds the next");
	}
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(device->carrier, DRM_RINGFENCE_QUEUE_STATUS, &status), 0,
		       "status");
	RF_CHECK(conform, status.last_queued == status.completed, "work is pending");
}

/* --- victims ------------------------------------------------------------------------- */

/* Eight doorbells, up to sixteen queues: all of them make progress. */
static void more_queues_than_doorbells(struct rf_conform *conform)
{
	struct counted counted[16];
	const void *doorbell[16], *status[16];
	unsigned int round, stride, i;

	for (i = 0; i < 16; i++) {
		counted_open(conform, &counted[i]);
		doorbell[i] = counted[i].queue->doorbell;
		status[i] = counted[i].queue->status;
	}
	rf_watch_clear();
	for (round = 0; round < 4; round++) {
		/* Each once, in another order every time. */
		stride = 2 * (unsigned int)rf_conform_random(conform, 8) + 1;
		for (i = 0; i < 16; i++)
			counted_submit(conform, &counted[(i * stride + round) % 16]);
		for (i = 0; i < 16; i++) {
			counted_finish(conform, &counted[i], "each queue");
			RF_CHECK(conform,
				 doorbell[i] == counted[i].queue->doorbell &&
					 status[i] == counted[i].queue->status,
				 "an address changed");
		}
	}
	RF_CHECK(conform, rf_watch_count(RF_WATCH_DISCONNECT_CALLBACK) > 8, "too few victims");
	check_bound(conform, 8);
	rf_conform_note(conform, "%zu victims", rf_watch_count(RF_WATCH_DISCONNECT_CALLBACK));
}

struct victim {
	struct rf_conform *conform;
	struct counted *counted;
	unsigned int calls;
	bool rotated;
	uint64_t before, after;
	uint64_t rings;
};

static void at_disconnect(void *argument)
{
	struct victim *victim = argument;

	victim->calls++;
	victim->before = status_of(victim->counted->queue);
}

static void at_disconnected(void *argument)
{
	struct victim *victim = argument;

	victim->after = status_of(victim->counted->queue);
	/* The page leads nowhere now. */
	victim->rings = stack_counter(victim->conform, RF_COUNTER_RINGS);
	rf_carrier_ring(victim->counted->queue->doorbell, 77);
	victim->rotated = stack_counter(victim->conform, RF_COUNTER_RINGS) == victim->rings;
}

static void victim_is_told_before_its_doorbell_is_reused(struct rf_conform *conform)
{
	struct victim victim = { .conform = conform };
	struct counted counted[QUEUES];
	const struct rf_watch_note *connects[QUEUES];
	uint64_t first, last;
	unsigned int i;

	rf_watch_clear();
	for (i = 0; i < QUEUES; i++)
		counted_open(conform, &counted[i]);
	for (i = 0; i < QUEUES - 1; i++)
		RF_CHECK_EQUAL(conform, connect(counted[i].queue), 0, "connect");
	for (i = 0; i < QUEUES - 1; i++)
		RF_CHECK_EQUAL(conform, status_of(counted[i].queue), CONNECTED, "status");
	RF_CHECK_EQUAL(conform, status_of(counted[QUEUES - 1].queue), RETRY, "status of the last");
	/* Work that was rung before is done, whatever happens to the doorbell. */
	counted_submit(conform, &counted[0]);
	victim.counted = &counted[0];
	rf_watch_change.on_disconnect = at_disconnect;
	rf_watch_change.on_disconnected = at_disconnected;
	rf_watch_change.argument = &victim;
	RF_CHECK_EQUAL(conform, connect(counted[QUEUES - 1].queue), 0, "connect");
	rf_watch_change.on_disconnect = rf_watch_change.on_disconnected = NULL;
	RF_CHECK_EQUAL(conform, victim.calls, 1, "victims");
	RF_CHECK_EQUAL(conform, victim.before, CONNECTED, "status before the callback");
	RF_CHECK_EQUAL(conform, victim.after, RETRY, "status when the callback returns");
	RF_CHECK(conform, victim.rotated, "a ring reached the device when the callback returned");
	RF_CHECK_EQUAL(conform, status_of(counted[0].queue), RETRY, "status of the victim");
	RF_CHECK_EQUAL(conform, status_of(counted[QUEUES - 1].queue), CONNECTED,
		       "status of the other");
	for (i = 0; i < QUEUES; i++)
		connects[i] = rf_watch_find(RF_WATCH_CONNECT_DOORBELL, i);
	first = connects[0]->address;
	last = connects[QUEUES - 1]->address;
	RF_CHECK_EQUAL(conform, last, first, "physical doorbell of the other");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_DISCONNECT_CALLBACK, 0) <
			 rf_watch_position(RF_WATCH_CONNECT_DOORBELL, QUEUES - 1),
		 "reused before the victim was told");
	for (i = 0; i < QUEUES - 1; i++)
		RF_CHECK(conform, !i || connects[i]->address != first,
			 "two queues have one doorbell");
	counted_finish(conform, &counted[0], "what the victim rang before");
	/* The victim's ring is still its own: it fills it, and is heard again (S3-26). */
	counted_submit(conform, &counted[0]);
	counted_finish(conform, &counted[0], "the victim");
	counted_submit(conform, &counted[QUEUES - 1]);
	counted_finish(conform, &counted[QUEUES - 1], "the other");
}

/* The device's part of a disconnect, once the page is rotated, seen on the bus. */
enum step { PAGE_ROTATED = 1, DEVICE_READ, UNBOUND, RESAMPLED, OUT_OF_ORDER };

struct steps {
	uint64_t bar;
	uint64_t bind, control; /* the victim's registers */
	enum step step;
};

static void follow_steps(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct steps *steps = context;
	uint32_t type = tlp->header[0] >> 24;
	uint64_t offset, data;

	(void)device;
	if (tlp->stream != RFSIM_RECEIVE || type & 0x1f || !steps->step)
		return;
	offset = (type & 0x20 ? (uint64_t)tlp->header[2] << 32 | tlp->header[3] : tlp->header[2]) -
		 steps->bar;
	if (!(type & 0x40)) {
		if (steps->step == PAGE_ROTATED)
			steps->step = DEVICE_READ;
		return;
	}
	data = tlp->words == 2 ? tlp->payload[0] | (uint64_t)tlp->payload[1] << 32 : 0;
	if (offset == steps->bind && !(data & RF_DOORBELL_BIND_BOUND_MASK))
		steps->step = steps->step == DEVICE_READ ? UNBOUND : OUT_OF_ORDER;
	else if (offset == steps->bind && steps->step != RESAMPLED)
		steps->step = OUT_OF_ORDER; /* reused */
	else if (offset == steps->control && data & RF_SLOT_CONTROL_RESAMPLE_MASK)
		steps->step = steps->step == UNBOUND ? RESAMPLED : OUT_OF_ORDER;
}

static void page_is_rotated(void *argument)
{
	struct steps *steps = argument;

	steps->step = PAGE_ROTATED;
}

/*
 * Rings that left a CPU before the page was rotated are ahead of a read of the
 * device; only behind its completion is the doorbell unbound, the write pointer
 * sampled, and the doorbell reused.
 */
static void disconnect_flushes_unbinds_resamples(struct rf_conform *conform)
{
	struct steps steps = { 0 };
	struct rf_queue *queues[QUEUES];
	struct rfsim_bar bar;
	unsigned int i;

	RF_CHECK(conform, !rfsim_bar(conform->setup.world.sim, 0, &bar), "BAR 0");
	steps.bar = bar.address;
	for (i = 0; i < QUEUES; i++)
		queues[i] = stack_queue(conform, i % 2);
	for (i = 0; i < QUEUES - 1; i++)
		RF_CHECK_EQUAL(conform, connect(queues[i]), 0, "connect");
	/* Slots and doorbells are given out in this order. */
	steps.bind = RF_REG_DOORBELL_BIND(0);
	steps.control = RF_REG_SLOT_CONTROL(0);
	stack_settle(conform);
	rf_watch_change.on_disconnected = page_is_rotated;
	rf_watch_change.argument = &steps;
	rfsim_tlp_callback(conform->setup.world.sim, follow_steps, &steps);
	RF_CHECK_EQUAL(conform, connect(queues[QUEUES - 1]), 0, "connect");
	stack_settle(conform);
	rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
	RF_CHECK_EQUAL(conform, steps.step, RESAMPLED, "last step done in its order");
	RF_CHECK_EQUAL(conform, status_of(queues[0]), RETRY, "status of the victim");
}

/* --- rings that race with a disconnect ----------------------------------------------- */

struct crowd {
	struct rf_conform *conform;
	struct counted counted[QUEUES];
	uint64_t connected_at[QUEUES];
	uint64_t connects;
	unsigned int heard, refused;
	unsigned int place; /* enum place */
	struct race race;
};

static void crowd_connect(struct crowd *crowd, unsigned int i)
{
	RF_CHECK_EQUAL(crowd->conform, connect(crowd->counted[i].queue), 0, "connect");
	crowd->connected_at[i] = ++crowd->connects;
}

static void crowd_open(struct crowd *crowd, struct rf_conform *conform)
{
	unsigned int i;

	*crowd = (struct crowd){ .conform = conform };
	for (i = 0; i < QUEUES; i++) {
		counted_open(conform, &crowd->counted[i]);
		counted_submit(conform, &crowd->counted[i]);
		crowd->connected_at[i] = ++crowd->connects;
		counted_finish(conform, &crowd->counted[i], "the first submission");
	}
	stack_settle(conform);
}

/* The queue without a doorbell, and the one that will lose its to it. */
static void crowd_pair(struct crowd *crowd, unsigned int *out, unsigned int *victim)
{
	unsigned int i;

	*out = *victim = QUEUES;
	for (i = 0; i < QUEUES; i++) {
		if (status_of(crowd->counted[i].queue) == RETRY)
			*out = i;
		else if (*victim == QUEUES || crowd->connected_at[i] < crowd->connected_at[*victim])
			*victim = i;
	}
	RF_CHECK(crowd->conform, *out < QUEUES && *victim < QUEUES, "all are connected");
}

/* What must be true whichever way the race went. */
static void crowd_judge(struct crowd *crowd, unsigned int victim, unsigned int delay,
			unsigned int gap)
{
	struct counted *counted = &crowd->counted[victim];
	struct rf_conform *conform = crowd->conform;

	stack_settle(conform);
	if (crowd->race.status == CONNECTED) {
		crowd->heard++;
		RF_CHECK(conform, counted_done(counted) == counted->want,
			 "ring %u cycles after the connect of another, status read %u cycles "
			 "later: CONNECTED, but %u executions, not %u",
			 delay, gap, counted_done(counted), counted->want);
	} else {
		crowd->refused++;
		RF_CHECK_EQUAL(conform, crowd->race.status, RETRY, "status");
		/* The same write pointer again, as often as it takes. */
		while (status_of(counted->queue) == RETRY)
			crowd_connect(crowd, victim);
		rf_carrier_ring(counted->queue->doorbell, counted->queue->submitted);
		rf_carrier_ring(counted->queue->doorbell, counted->queue->submitted);
		stack_settle(conform);
	}
	RF_CHECK_EQUAL(conform, counted_done(counted), counted->want, "executions");
	RF_CHECK_EQUAL(conform, rf_queue_completed(counted->queue), counted->queue->submitted,
		       "progress");
}

static void rings_race_with_disconnect(struct rf_conform *conform)
{
	static const unsigned int gaps[] = { 0, 1, 13, 40 };
	static const unsigned int holds[] = { 0, 60, 90 }; /* percent of cycles */
	static const unsigned int ends[] = { 120, 240, 480 };
	uint64_t begin, length, longest = 0;
	struct rfsim_port_config port;
	unsigned int out, victim, delay, i, k, rounds = 0;
	struct crowd crowd;

	crowd_open(&crowd, conform);
	rfsim_port_config(conform->setup.world.sim, &port);
	for (k = 0; k < 3; k++) {
		/* The ring waits in the receive path, and the disconnect's read behind it. */
		port.receive_gap_percent = holds[k];
		RF_CHECK(conform, !rfsim_port_configure(conform->setup.world.sim, &port), "port");
		for (delay = 0; delay < ends[k]; delay += 1 + k) {
			for (i = 0; i < 4; i++, rounds++) {
				crowd_pair(&crowd, &out, &victim);
				crowd.race = (struct race){ .counted = &crowd.counted[victim] };
				begin = rfsim_cycle(conform->setup.world.simulation);
				RF_CHECK(conform,
					 !rfsim_at(conform->setup.world.simulation, begin + delay,
						   ring_now, &crowd.race) &&
						 !rfsim_at(conform->setup.world.simulation,
							   begin + delay + gaps[i], read_now,
							   &crowd.race),
					 "rfsim_at");
				crowd_connect(&crowd, out);
				length = rfsim_cycle(conform->setup.world.simulation) - begin;
				longest = length > longest ? length : longest;
				while (!crowd.race.read)
					rfsim_step(conform->setup.world.simulation, 1);
				crowd_judge(&crowd, victim, delay, gaps[i]);
			}
		}
	}
	rf_conform_note(conform,
			"%u rings in cycles 0..479 of a disconnect that takes up to %llu, the "
			"status read 0..40 cycles later: %u CONNECTED, %u RETRY",
			rounds, (unsigned long long)longest, crowd.heard, crowd.refused);
	RF_CHECK(conform, crowd.heard > 20 && crowd.refused > 20,
		 "the window was missed: %u CONNECTED, %u RETRY", crowd.heard, crowd.refused);
}

/* Where the ring and the reading of the status fall. */
enum place {
	BOTH_BEFORE, /* heard */
	RING_BEFORE, /* rung on the real page, seen as disconnected */
	BOTH_AFTER, /* on the dummy */
	PLACES
};

static void before_rotation(void *argument)
{
	struct crowd *crowd = argument;

	if (crowd->place != BOTH_AFTER)
		ring_now(&crowd->race);
	if (crowd->place == BOTH_BEFORE)
		read_now(&crowd->race);
}

static void after_rotation(void *argument)
{
	struct crowd *crowd = argument;

	if (crowd->place == BOTH_AFTER)
		ring_now(&crowd->race);
	if (crowd->place != BOTH_BEFORE)
		read_now(&crowd->race);
}

/* The tightest places: next to the rotation of the page, before it and after it. */
static void rings_next_to_the_rotation(struct rf_conform *conform)
{
	struct rfsim_port_config port;
	unsigned int out, victim, i;
	struct crowd crowd;

	crowd_open(&crowd, conform);
	rfsim_port_config(conform->setup.world.sim, &port);
	rf_watch_change.argument = &crowd;
	for (i = 0; i < 40 * PLACES; i++) {
		port.receive_gap_percent = i / PLACES % 4 * 30;
		RF_CHECK(conform, !rfsim_port_configure(conform->setup.world.sim, &port), "port");
		crowd_pair(&crowd, &out, &victim);
		crowd.race = (struct race){ .counted = &crowd.counted[victim] };
		crowd.place = i % PLACES;
		rf_watch_change.on_disconnect = before_rotation;
		rf_watch_change.on_disconnected = after_rotation;
		crowd_connect(&crowd, out);
		rf_watch_change.on_disconnect = rf_watch_change.on_disconnected = NULL;
		RF_CHECK_EQUAL(conform, crowd.race.status,
			       crowd.place == BOTH_BEFORE ? CONNECTED : RETRY, "status");
		crowd_judge(&crowd, victim, 0, 0);
	}
	rf_conform_note(conform, "%u CONNECTED, %u RETRY", crowd.heard, crowd.refused);
}

#define STACK RF_CONFORM_STACK
#define SIM RF_CONFORM_SIM_ONLY

#define PORTABLE RF_CONFORM_PORTABLE

const struct rf_conform_test rf_conform_doorbell_tests[] = {
	{ "S3-14.created_disconnected", "S3-13 S3-15", STACK, PORTABLE, created_disconnected },
	{ "S3-28.dummy_page_has_no_effect", NULL, STACK, SIM, dummy_page_has_no_effect },
	{ "S3-16.connect_binds_and_says_so", "S3-17 S3-10", STACK, PORTABLE,
	  connect_binds_and_says_so },
	{ "S3-18.destroy_tells_the_driver", "S3-23", STACK, PORTABLE, destroy_tells_the_driver },
	{ "S3-24.ring_is_held_by_the_doorbell", "S3-22", STACK, PORTABLE,
	  ring_is_held_by_the_doorbell },
	{ "S3-19.failed_connect_aborts", "S3-30", STACK, RF_CONFORM_SIM_ONLY,
	  failed_connect_aborts },
	{ "S3-29.lost_queue_aborts", "S3-30", STACK, PORTABLE, lost_queue_aborts },
	{ "S3-20.notify_once_per_ring", "A-15", STACK, RF_CONFORM_SIM_ONLY, notify_once_per_ring },
	{ "S3-25.process_ends_with_work_pending", "S3-60 S3-61", STACK, RF_CONFORM_SIM_ONLY,
	  process_ends_with_work_pending },
	{ "S3-62.status_page_is_read_only", NULL, STACK, PORTABLE, status_page_is_read_only },
	{ "S3-21.submission_is_one_store", "S3-65", STACK, SIM, submission_is_one_store },
	{ "S3-50.stores_are_in_order", NULL, STACK, SIM, stores_are_in_order },
	{ "S3-47.progress_and_last_queued", "S3-48 S3-51", STACK, SIM, progress_and_last_queued },
	{ "S3-11.more_queues_than_doorbells", "S3-17", STACK, 0, more_queues_than_doorbells },
	{ "S3-56.victim_is_told_before_its_doorbell_is_reused",
	  "S3-53 S3-54 S3-55 S3-57 S3-26 S3-27", STACK, RF_CONFORM_SIM_ONLY,
	  victim_is_told_before_its_doorbell_is_reused },
	{ "S3-55.disconnect_flushes_unbinds_resamples", NULL, STACK, SIM,
	  disconnect_flushes_unbinds_resamples },
	{ "S3-52.rings_race_with_disconnect", "S3-54 S3-55 S3-57", STACK, SIM,
	  rings_race_with_disconnect },
	{ "S3-54.rings_next_to_the_rotation", "S3-52 S3-55 S3-57", STACK, RF_CONFORM_SIM_ONLY,
	  rings_next_to_the_rotation },
	{ 0 },
};
