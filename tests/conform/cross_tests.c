// SPDX-License-Identifier: Apache-2.0
/* Fences across adapters, through the whole driver: the rows of the sources' tables. See two.h. */
#include "two.h"

static void signal_from_cpu(struct two *two, struct rf_fence *fence)
{
	RF_CHECK_EQUAL(two->conform, rf_fence_signal(fence, 10), 0, "rf_fence_signal");
	stack_settle(two->conform);
}

/* --- the object ------------------------------------------------------------------------------- */

/* What an engine of the device reads there. */
static uint64_t gpu_read(struct two *two, struct rf_device *device, uint64_t address)
{
	struct rf_queue *queue = two_queue(two, device, RF_ENGINE_COPY, 0);
	struct rf_commands *commands = stack_commands(two->conform, queue);
	struct rf_memory *memory;
	uint64_t value = UINT64_MAX;

	RF_CHECK_EQUAL(two->conform, rf_memory_create(device, 4096, RF_MEMORY_SYSTEM, &memory), 0,
		       "rf_memory_create");
	rf_command_copy(commands, rf_memory_address(memory), address, 8);
	stack_submit(two->conform, commands);
	RF_CHECK_EQUAL(two->conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
	rf_memory_read(memory, 0, &value, 8);
	rf_queue_destroy(queue);
	rf_memory_destroy(memory);
	return value;
}

static void one_value_in_system_memory(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	uint64_t offset;

	RF_CHECK_EQUAL(conform, rf_watch_memory(two.on_dgpu->current_address, &offset)->kind,
		       RF_MEM_SYSTEM, "memory of CurrentValue");
	two_signal(&two, two.dgpu, two.on_dgpu);
	RF_CHECK_EQUAL(conform, gpu_read(&two, two.igpu, two.on_igpu->current_address), 10,
		       "what the iGPU reads after a signal by the dGPU");
	RF_CHECK_EQUAL(conform, rf_fence_signal(two.on_igpu, 11), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, gpu_read(&two, two.dgpu, two.on_dgpu->current_address), 11,
		       "what the dGPU reads after a signal through the iGPU");
	RF_CHECK(conform, stack_store_faults(two.on_igpu->value), "user mode can write it");
	two_end(&two);
}

static void check_monitored_0(struct two *two)
{
	RF_CHECK_EQUAL(two->conform, gpu_read(two, two->dgpu, two->on_dgpu->monitored_address), 0,
		       "MonitoredValue on the dGPU");
	RF_CHECK_EQUAL(two->conform, gpu_read(two, two->igpu, two->on_igpu->monitored_address), 0,
		       "MonitoredValue on the iGPU");
}

/* Progress fences of queues have others. */
static unsigned int updates_of(const struct two *two)
{
	unsigned int updates = 0;
	size_t i;

	for (i = 0; i < rf_watch_count(RF_WATCH_UPDATE_MONITORED); i++)
		updates += rf_watch_find(RF_WATCH_UPDATE_MONITORED, i)->object == two->global;
	return updates;
}

static void monitored_value_is_0(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_event *first, *second;

	check_monitored_0(&two);
	first = stack_notify(conform, two.on_dgpu, 5);
	second = stack_notify(conform, two.on_igpu, 20);
	check_monitored_0(&two);
	two_signal(&two, two.igpu, two.on_igpu);
	RF_CHECK(conform, stack_is_set(first), "the waiter of the dGPU was not woken");
	RF_CHECK(conform, !stack_is_set(second), "10 woke the waiter for 20");
	check_monitored_0(&two);
	RF_CHECK_EQUAL(conform, updates_of(&two), 0, "updates of it");
	two_end(&two);
}

static void default_type_only(struct rf_conform *conform)
{
	struct rf_fence *fence;

	RF_CHECK_EQUAL(conform,
		       rf_fence_create(conform->setup.device, RF_FENCE_INTRA_GPU,
				       RF_FENCE_CROSS_ADAPTER, 0, &fence),
		       -EINVAL, "INTRA_GPU across adapters");
}

static void native_opens_as_monitored(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_monitored_ddi);

	RF_CHECK_EQUAL(conform, two.on_igpu->type, RF_FENCE_MONITORED, "type on the iGPU");
	RF_CHECK_EQUAL(conform, two.on_igpu->current_address, 0, "its address for engines");
	two_signal(&two, two.dgpu, two.on_dgpu);
	RF_CHECK_EQUAL(conform, rf_fence_value(two.on_igpu), 10, "value on the iGPU");
	two_end(&two);
}

static void monitored_opens_as_native(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_monitored_ddi);
	struct rf_fence *made = two_make_fence(conform, two.igpu, RF_FENCE_MONITORED, 3);
	struct rf_fence *opened = two_open_fence(conform, two.dgpu, made);

	RF_CHECK_EQUAL(conform, opened->type, RF_FENCE_DEFAULT, "type on the dGPU");
	RF_CHECK_EQUAL(conform, rf_fence_value(opened), 3, "its value");
	two_signal(&two, two.dgpu, opened);
	RF_CHECK_EQUAL(conform, rf_fence_value(made), 10, "value on the iGPU");
	two_end(&two);
}

/* --- scenario 1 ---------------------------------------------------------------------------------- */

static void gpu_wait_gpu_signal(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *queue = two_wait(&two, two.igpu, two.on_igpu);

	two_signal(&two, two.dgpu, two.on_dgpu);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 1, "interrupts of the dGPU");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 0, "calls for the dGPU");
	two_check_notified(&two, 1);
	two_check_released(&two, queue);
	two_end(&two);
}

/* The other direction of the same row: the interrupt is the iGPU's. */
static void both_directions(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *queue = two_wait(&two, two.dgpu, two.on_dgpu);

	two_signal(&two, two.igpu, two.on_igpu);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 0, "interrupts of the dGPU");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 1, "calls for the dGPU");
	two_check_notified(&two, 0);
	two_check_released(&two, queue);
	two_end(&two);
}

static void gpu_wait_cpu_signal(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *queue = two_wait(&two, two.igpu, two.on_igpu);

	signal_from_cpu(&two, two.on_dgpu);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 1, "calls for the dGPU");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 0, "interrupts of the dGPU");
	two_check_notified(&two, 1);
	two_check_released(&two, queue);
	two_end(&two);
}

static void cpu_wait(struct rf_conform *conform, const struct rf_ddi *ddi, bool by_gpu,
		     unsigned int notifications)
{
	struct two two = two_new(conform, ddi);
	struct rf_event *event = stack_notify(conform, two.on_igpu, 10);
	struct rf_event *later = stack_notify(conform, two.on_igpu, 11);

	if (by_gpu)
		two_signal(&two, two.dgpu, two.on_dgpu);
	else
		signal_from_cpu(&two, two.on_dgpu);
	RF_CHECK(conform, stack_is_set(event), "the waiter of the iGPU was not woken");
	RF_CHECK(conform, !stack_is_set(later), "the waiter for 11 was woken");
	two_check_notified(&two, notifications);
	two_end(&two);
}

static void cpu_wait_gpu_signal(struct rf_conform *conform)
{
	cpu_wait(conform, &rf_ringfence_ddi, true, 1);
}

static void cpu_wait_cpu_signal(struct rf_conform *conform)
{
	cpu_wait(conform, &rf_ringfence_ddi, false, 1);
}

/* Nobody waits anywhere. */
static void always_an_interrupt(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *queue = two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0);
	uint64_t value;

	for (value = 1; value <= 20; value++) {
		stack_signal(conform, queue, two.on_dgpu, value);
		stack_settle(conform);
	}
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 20, "interrupts");
	two_check_notified(&two, 20);
	/* not greater than MonitoredValue (C10) */
	stack_signal(conform, queue, two.on_dgpu, 0);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 20, "interrupts after 0");
	RF_CHECK_EQUAL(conform, rf_fence_value(two.on_igpu), 0, "value");
	two_end(&two);
}

/* With interrupts held no CPU can help. */
static void same_gpu_needs_no_cpu(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *waiting = two_wait(&two, two.dgpu, two.on_dgpu);
	struct rf_queue *queue = two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0);
	struct rfsim_world *world = conform->setup.world.simulation;

	rfsim_interrupts_hold(world);
	stack_signal(conform, queue, two.on_dgpu, 10);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(waiting), 1, "completed with interrupts held");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts served");
	two_check_notified(&two, 0);
	rfsim_interrupts_release(world);
	stack_settle(conform);
	two_check_notified(&two, 1);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 0, "calls for the dGPU");
	two_end(&two);
}

/* --- scenarios 2a and 2b --------------------------------------------------------------------- */

/* Marks a word when the queue gets there. */
struct marked {
	struct rf_queue *queue;
	struct rf_memory *memory;
};

static struct marked wait_in_kernel(struct two *two, uint32_t flags)
{
	struct marked marked = { .queue = two_queue(two, two->igpu, RF_ENGINE_COPY, flags) };
	struct rf_commands *commands = stack_commands(two->conform, marked.queue);
	const uint64_t value = 10;

	RF_CHECK_EQUAL(two->conform,
		       rf_memory_create(two->igpu, 4096, RF_MEMORY_SYSTEM, &marked.memory), 0,
		       "rf_memory_create");
	RF_CHECK_EQUAL(two->conform, rf_queue_wait_for(marked.queue, &two->on_igpu, &value, 1), 0,
		       "rf_queue_wait_for");
	rf_command_write(commands, rf_memory_address(marked.memory), 1);
	stack_submit(two->conform, commands);
	stack_settle(two->conform);
	return marked;
}

static uint64_t mark_of(const struct marked *marked)
{
	uint64_t value = UINT64_MAX;

	rf_memory_read(marked->memory, 0, &value, 8);
	return value;
}

static void kernel_wait(struct rf_conform *conform, const struct rf_ddi *ddi, bool by_gpu,
			unsigned int notifications)
{
	struct two two = two_new(conform, ddi);
	struct marked marked = wait_in_kernel(&two, RF_QUEUE_KERNEL);

	RF_CHECK_EQUAL(conform, mark_of(&marked), 0, "executed before the signal");
	if (by_gpu)
		two_signal(&two, two.dgpu, two.on_dgpu);
	else
		signal_from_cpu(&two, two.on_dgpu);
	RF_CHECK_EQUAL(conform, mark_of(&marked), 1, "executed after the signal");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), by_gpu,
		       "interrupts of the dGPU");
	two_check_notified(&two, notifications);
	two_end(&two);
}

static void monitored_gpu_wait_gpu_signal(struct rf_conform *conform)
{
	kernel_wait(conform, &rf_ringfence_monitored_ddi, true, 0);
}

static void monitored_gpu_wait_cpu_signal(struct rf_conform *conform)
{
	kernel_wait(conform, &rf_ringfence_monitored_ddi, false, 0);
}

static void monitored_cpu_wait_gpu_signal(struct rf_conform *conform)
{
	cpu_wait(conform, &rf_ringfence_monitored_ddi, true, 0);
}

static void monitored_cpu_wait_cpu_signal(struct rf_conform *conform)
{
	cpu_wait(conform, &rf_ringfence_monitored_ddi, false, 0);
}

/* The signal waits for the commands before it, and is stored by the CPU. */
static void signal_in_kernel(struct two *two)
{
	struct rf_queue *queue = two_queue(two, two->igpu, RF_ENGINE_COPY, RF_QUEUE_KERNEL);
	struct rf_commands *commands = stack_commands(two->conform, queue);
	const uint64_t value = 10;

	rf_command_nop(commands, 1);
	stack_submit(two->conform, commands);
	RF_CHECK_EQUAL(two->conform, rf_queue_signal(queue, &two->on_igpu, &value, 1), 0,
		       "rf_queue_signal");
	RF_CHECK_EQUAL(two->conform, rf_fence_value(two->on_dgpu), 0,
		       "value while commands are pending");
	stack_settle(two->conform);
}

static void signal_on_igpu(struct two *two, bool by_gpu)
{
	if (by_gpu)
		signal_in_kernel(two);
	else
		signal_from_cpu(two, two->on_igpu);
}

static void wait_on_dgpu(struct rf_conform *conform, const struct rf_ddi *ddi, bool by_gpu)
{
	struct two two = two_new(conform, ddi);
	struct rf_queue *queue = two_wait(&two, two.dgpu, two.on_dgpu);

	signal_on_igpu(&two, by_gpu);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 1, "calls for the dGPU");
	RF_CHECK_EQUAL(conform, igpu_calls.notifications, 0, "notifications of the iGPU");
	two_check_released(&two, queue);
	two_end(&two);
}

static void monitored_gpu_signal_gpu_wait(struct rf_conform *conform)
{
	wait_on_dgpu(conform, &rf_ringfence_monitored_ddi, true);
}

static void monitored_cpu_signal_gpu_wait(struct rf_conform *conform)
{
	wait_on_dgpu(conform, &rf_ringfence_monitored_ddi, false);
}

static void cpu_wait_on_dgpu(struct rf_conform *conform, bool by_gpu)
{
	struct two two = two_new(conform, &rf_ringfence_monitored_ddi);
	struct rf_event *event = stack_notify(conform, two.on_dgpu, 10);

	signal_on_igpu(&two, by_gpu);
	RF_CHECK(conform, stack_is_set(event), "the waiter of the dGPU was not woken");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 1, "calls for the dGPU");
	two_end(&two);
}

static void monitored_gpu_signal_cpu_wait(struct rf_conform *conform)
{
	cpu_wait_on_dgpu(conform, true);
}

static void monitored_cpu_signal_cpu_wait(struct rf_conform *conform)
{
	cpu_wait_on_dgpu(conform, false);
}

/* --- S0-99 -------------------------------------------------------------------------------------- */

/* The waiting queue is the kernel's matter; other queues of the iGPU are notified all the same. */
static void kernel_queue_waits(struct rf_conform *conform)
{
	kernel_wait(conform, &rf_ringfence_ddi, true, 1);
}

static void kernel_queue_waits_for_cpu(struct rf_conform *conform)
{
	kernel_wait(conform, &rf_ringfence_ddi, false, 1);
}

static void kernel_queue_signals(struct rf_conform *conform)
{
	wait_on_dgpu(conform, &rf_ringfence_ddi, true);
	RF_CHECK_EQUAL(conform, igpu_calls.stores, 1, "stores by the iGPU's driver");
}

/* --- three devices ---------------------------------------------------------------------------- */

/* Queues of three devices pass a value on in a ring, with commands only. */
static void a_ring_of_three(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct two_ring ring = two_ring_of_three(&two);
	unsigned int i;

	RF_CHECK_EQUAL(conform, rf_queue_completed(ring.queues[0]), 0,
		       "the ring stands still at first");
	RF_CHECK_EQUAL(conform, rf_fence_signal(ring.fences[0][2], 1), 0, "rf_fence_signal");
	for (i = 0; i < 3; i++)
		RF_CHECK_EQUAL(conform, rf_queue_wait(ring.queues[i], 60 * SECOND), 0,
			       "rf_queue_wait");
	RF_CHECK_EQUAL(conform, rf_fence_value(ring.fences[0][1]), 5, "value after four rounds");
	rf_device_close(ring.third);
	two_end(&two);
}

#define STACK RF_CONFORM_STACK
#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_cross_tests[] = {
	{ "S0-76.one_value_in_system_memory", "S0-74", STACK, SIM, one_value_in_system_memory },
	{ "S0-78.monitored_value_is_0_for_life", "S0-77", STACK, SIM, monitored_value_is_0 },
	{ "S0-75.default_type_only", NULL, STACK, SIM, default_type_only },
	{ "S0-84.native_opens_as_monitored", NULL, STACK, SIM, native_opens_as_monitored },
	{ "S0-85.monitored_opens_as_native", NULL, STACK, SIM, monitored_opens_as_native },
	{ "S0-79.each_signal_interrupts", "S0-80", STACK, SIM, always_an_interrupt },
	{ "S0-83.same_gpu_needs_no_cpu", NULL, STACK, SIM, same_gpu_needs_no_cpu },
	{ "S0-87.gpu_wait_gpu_signal", "S0-80 S0-81", STACK, SIM, gpu_wait_gpu_signal },
	{ "S0-87.both_directions", NULL, STACK, SIM, both_directions },
	{ "S0-88.gpu_wait_cpu_signal", NULL, STACK, SIM, gpu_wait_cpu_signal },
	{ "S0-89.cpu_wait_gpu_signal", "S0-82", STACK, SIM, cpu_wait_gpu_signal },
	{ "S0-90.cpu_wait_cpu_signal", NULL, STACK, SIM, cpu_wait_cpu_signal },
	{ "S0-91.gpu_wait_gpu_signal", NULL, STACK, SIM, monitored_gpu_wait_gpu_signal },
	{ "S0-92.gpu_wait_cpu_signal", NULL, STACK, SIM, monitored_gpu_wait_cpu_signal },
	{ "S0-93.cpu_wait_gpu_signal", NULL, STACK, SIM, monitored_cpu_wait_gpu_signal },
	{ "S0-94.cpu_wait_cpu_signal", NULL, STACK, SIM, monitored_cpu_wait_cpu_signal },
	{ "S0-95.gpu_signal_gpu_wait", NULL, STACK, SIM, monitored_gpu_signal_gpu_wait },
	{ "S0-96.cpu_signal_gpu_wait", NULL, STACK, SIM, monitored_cpu_signal_gpu_wait },
	{ "S0-97.gpu_signal_cpu_wait", NULL, STACK, SIM, monitored_gpu_signal_cpu_wait },
	{ "S0-98.cpu_signal_cpu_wait", NULL, STACK, SIM, monitored_cpu_signal_cpu_wait },
	{ "S0-99.kernel_queue_waits", NULL, STACK, SIM, kernel_queue_waits },
	{ "S0-99.kernel_queue_waits_for_cpu", NULL, STACK, SIM, kernel_queue_waits_for_cpu },
	{ "S0-99.kernel_queue_signals", NULL, STACK, SIM, kernel_queue_signals },
	{ "S0-74.ring_of_three_devices", NULL, STACK, SIM, a_ring_of_three },
	{ 0 },
};
