// SPDX-License-Identifier: Apache-2.0
/*
 * Whose an object is, and who may use it how: objects of two devices, handles without a
 * right, command buffers in flight, fork(), queues that a hang took. With AddressSanitizer
 * and UBSan.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "rf_hosted.h"
#include "rf_sim_bus.h"
#include "rfsim.h"
#include "ringfence.h"
#include "test_device.h"
#include "ringfence_hosted.h"
#include "ringfence_hw.h"

#define SECOND 1000000000ull
#define PATIENCE (60 * SECOND)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static struct rf_device *device, *other;

static int setup(void **state)
{
	(void)state;
	return rf_device_open(test_device(), &device) || rf_device_open(test_device(), &other);
}

static int teardown(void **state)
{
	(void)state;
	rf_device_close(other);
	rf_device_close(device);
	return 0;
}

static struct rf_queue *make_queue(struct rf_device *of, uint32_t flags)
{
	struct rf_queue *queue;

	assert_int_equal(
		rf_queue_create(of, RF_ENGINE_COPY, flags & RF_QUEUE_KERNEL ? 0 : 8, flags, &queue),
		0);
	return queue;
}

static struct rf_fence *make_fence(struct rf_device *of, uint32_t type, uint32_t flags,
				   uint64_t initial)
{
	struct rf_fence *fence;

	assert_int_equal(rf_fence_create(of, type, flags, initial, &fence), 0);
	return fence;
}

static struct rf_commands *make_commands(struct rf_queue *queue, uint32_t memory)
{
	struct rf_commands *commands;

	assert_int_equal(rf_commands_create(queue, 4096, memory, &commands), 0);
	return commands;
}

/* --- two devices ---------------------------------------------------------------------- */

typedef void record_fn(struct rf_commands *commands, struct rf_fence *fence, uint64_t value);
static record_fn *const records[] = { rf_command_signal, rf_command_wait,
				      rf_command_software_signal };

static void objects_of_another_device(void **state)
{
	static const uint32_t kinds[] = { 0, RF_QUEUE_LOCAL, RF_QUEUE_KERNEL };
	struct rf_fence *mine = make_fence(device, RF_FENCE_DEFAULT, 0, 0);
	struct rf_fence *foreign = make_fence(other, RF_FENCE_DEFAULT, 0, 0);
	struct rf_queue *queue, *second, *elsewhere;
	struct rf_commands *commands;
	const uint64_t value = 42;
	unsigned int kind, i;

	(void)state;
	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		queue = make_queue(device, kinds[kind]);
		second = make_queue(device, kinds[kind]);
		elsewhere = make_queue(other, kinds[kind]);
		for (i = 0; i < ARRAY_SIZE(records); i++) {
			commands = make_commands(queue, RF_MEMORY_SYSTEM);
			records[i](commands, foreign, value);
			assert_int_equal(rf_queue_submit(queue, commands), -EINVAL);
			/* remembered until the recorder starts over */
			rf_command_barrier(commands);
			assert_int_equal(rf_queue_submit(queue, commands), -EINVAL);
			rf_commands_reset(commands);
			rf_command_barrier(commands);
			/* of this queue, and no other */
			assert_int_equal(rf_queue_submit(elsewhere, commands), -EINVAL);
			assert_int_equal(rf_queue_submit(second, commands), -EINVAL);
			assert_int_equal(rf_queue_submit(queue, commands), 0);
			assert_int_equal(rf_queue_wait(queue, PATIENCE), 0);
			rf_commands_destroy(commands);
		}
		assert_int_equal(rf_queue_wait_for(queue, &foreign, &value, 1), -EINVAL);
		assert_int_equal(rf_queue_signal(queue, &foreign, &value, 1), -EINVAL);
		rf_queue_destroy(elsewhere);
		rf_queue_destroy(second);
		commands = make_commands(queue, RF_MEMORY_SYSTEM);
		rf_queue_destroy(queue);
		/* what outlives its queue records nothing any more */
		rf_command_barrier(commands);
		rf_command_signal(commands, mine, 1);
		rf_commands_reset(commands);
		rf_commands_destroy(commands);
	}
	assert_int_equal(rf_fence_value(mine), 0);
	assert_int_equal(rf_fence_value(foreign), 0);
	rf_fence_destroy(foreign);
	rf_fence_destroy(mine);
}

/* --- rights --------------------------------------------------------------------------- */

static void submit_refused(struct rf_queue *queue, record_fn *record, struct rf_fence *fence,
			   int error)
{
	struct rf_commands *commands = make_commands(queue, RF_MEMORY_SYSTEM);

	record(commands, fence, 1);
	assert_int_equal(rf_queue_submit(queue, commands), error);
	rf_commands_destroy(commands);
}

/* Every way to wait, for what is reached and for what is not; but reading is no wait. */
static void no_wait(struct rf_fence *fence)
{
	static const uint64_t values[] = { 0, 5, 6, UINT64_MAX };
	struct rf_queue *kernel = make_queue(device, RF_QUEUE_KERNEL);
	struct rf_queue *user = make_queue(device, 0);
	struct rf_event *event;
	unsigned int i;

	assert_int_equal(rf_event_create(device, &event), 0);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		assert_int_equal(rf_fence_wait(fence, values[i], 0), -EACCES);
		assert_int_equal(rf_fences_wait(&fence, &values[i], 1, RF_WAIT_ALL, 0), -EACCES);
		assert_int_equal(rf_fences_wait(&fence, &values[i], 1, RF_WAIT_ANY, 0), -EACCES);
		assert_int_equal(rf_fences_notify(&fence, &values[i], 1, RF_WAIT_ALL, event),
				 -EACCES);
		assert_int_equal(rf_queue_wait_for(kernel, &fence, &values[i], 1), -EACCES);
	}
	submit_refused(user, rf_command_wait, fence, -EACCES);
	submit_refused(kernel, rf_command_wait, fence, -EACCES);
	assert_int_equal(rf_fence_value(fence), 5);
	rf_event_destroy(event);
	rf_queue_destroy(user);
	rf_queue_destroy(kernel);
}

static void no_signal(struct rf_fence *fence)
{
	struct rf_queue *kernel = make_queue(device, RF_QUEUE_KERNEL);
	struct rf_queue *user = make_queue(device, 0);
	const uint64_t six = 6;

	assert_int_equal(rf_fence_signal(fence, 6), -EACCES);
	assert_int_equal(rf_queue_signal(kernel, &fence, &six, 1), -EACCES);
	submit_refused(user, rf_command_signal, fence, -EACCES);
	submit_refused(kernel, rf_command_signal, fence, -EACCES);
	submit_refused(user, rf_command_software_signal, fence, -EACCES);
	submit_refused(kernel, rf_command_software_signal, fence, -EACCES);
	rf_queue_destroy(user);
	rf_queue_destroy(kernel);
}

static void rights_of_handles(void **state)
{
	static const uint32_t shares[] = { 0, RF_FENCE_SHARED };
	struct rf_fence *fence, *opened;
	struct rf_queue *queue;
	unsigned int i;
	uint64_t token;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		fence = make_fence(device, RF_FENCE_DEFAULT, RF_FENCE_NO_WAIT | shares[i], 5);
		no_wait(fence);
		assert_int_equal(rf_fence_signal(fence, 5), 0);
		rf_fence_destroy(fence);
		fence = make_fence(device, RF_FENCE_DEFAULT, RF_FENCE_NO_SIGNAL | shares[i], 5);
		no_signal(fence);
		assert_int_equal(rf_fence_wait(fence, 5, 0), 0);
		assert_int_equal(rf_fence_value(fence), 5);
		rf_fence_destroy(fence);
	}
	fence = make_fence(other, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 5);
	assert_int_equal(rf_fence_share(fence, &token), 0);
	assert_int_equal(rf_fence_open(device, token, RF_FENCE_NO_WAIT, &opened), 0);
	no_wait(opened);
	rf_fence_destroy(opened);
	assert_int_equal(rf_fence_open(device, token, RF_FENCE_NO_SIGNAL, &opened), 0);
	no_signal(opened);
	rf_fence_destroy(opened);
	rf_fence_destroy(fence);
	/* a progress fence is its queue's */
	queue = make_queue(device, 0);
	no_signal(rf_queue_progress(queue));
	rf_fence_destroy(rf_queue_progress(queue));
	assert_int_equal(rf_queue_wait(queue, 0), 0);
	assert_int_equal(rf_queue_completed(queue), 0);
	rf_queue_destroy(queue);
}

/* --- in flight ------------------------------------------------------------------------ */

/* Submit, with a wait in it that ends with @turn's next value. */
static struct rf_commands *submit_held(struct rf_queue *queue, struct rf_fence *turn,
				       uint32_t memory)
{
	struct rf_commands *commands = make_commands(queue, memory);

	rf_command_wait(commands, turn, 1);
	rf_command_signal(commands, turn, 0);
	rf_command_barrier(commands);
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	return commands;
}

static void submitted_again_in_flight(void **state)
{
	unsigned int place;

	(void)state;
	for (place = 0; place < 4; place++) {
		struct rf_queue *queue = make_queue(device, place & 1);
		struct rf_fence *turn = make_fence(device, RF_FENCE_DEFAULT, 0, 0);
		struct rf_commands *commands = submit_held(queue, turn, place >> 1);

		assert_int_equal(rf_queue_submit(queue, commands), -EBUSY);
		assert_int_equal(rf_queue_submitted(queue), 1);
		assert_int_equal(rf_fence_signal(turn, 1), 0);
		assert_int_equal(rf_queue_wait(queue, PATIENCE), 0);
		/* complete: the same again, as often as wanted */
		assert_int_equal(rf_queue_submit(queue, commands), 0);
		assert_int_equal(rf_queue_completed(queue), 1);
		assert_int_equal(rf_queue_wait(queue, 0), -ETIMEDOUT);
		assert_int_equal(rf_fence_signal(turn, 1), 0);
		assert_int_equal(rf_queue_wait(queue, PATIENCE), 0);
		rf_commands_destroy(commands);
		rf_fence_destroy(turn);
		rf_queue_destroy(queue);
	}
}

static void kernel_queue_takes_them_twice(void **state)
{
	struct rf_queue *queue = make_queue(device, RF_QUEUE_KERNEL);
	struct rf_fence *turn = make_fence(device, RF_FENCE_DEFAULT, 0, 0);
	struct rf_commands *commands = submit_held(queue, turn, RF_MEMORY_SYSTEM);

	(void)state;
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	assert_int_equal(rf_fence_signal(turn, 1), 0);
	assert_int_equal(rf_fence_wait(rf_queue_progress(queue), 1, PATIENCE), 0);
	assert_int_equal(rf_queue_wait(queue, 0), -ETIMEDOUT);
	assert_int_equal(rf_queue_completed(queue), 1);
	assert_int_equal(rf_fence_signal(turn, 1), 0);
	assert_int_equal(rf_queue_wait(queue, PATIENCE), 0);
	rf_commands_destroy(commands);
	rf_fence_destroy(turn);
	rf_queue_destroy(queue);
}

static void recorded_in_flight(void **state)
{
	static const uint32_t kinds[] = { 0, RF_QUEUE_KERNEL };
	unsigned int kind, way;

	(void)state;
	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		for (way = 0; way < 3; way++) {
			struct rf_queue *queue = make_queue(device, kinds[kind]);
			struct rf_fence *turn = make_fence(device, RF_FENCE_DEFAULT, 0, 0);
			struct rf_fence *never = make_fence(device, RF_FENCE_DEFAULT, 0, 0);
			struct rf_commands *commands = submit_held(queue, turn, RF_MEMORY_SYSTEM);

			if (way == 0)
				rf_commands_reset(commands);
			else if (way == 1)
				rf_command_signal(commands, never, 1);
			else
				rf_command_nop(commands, 1);
			assert_int_equal(rf_queue_submit(queue, commands), -EBUSY);
			assert_int_equal(rf_fence_signal(turn, 1), 0);
			assert_int_equal(rf_queue_wait(queue, PATIENCE), 0);
			/* complete, but not what the program thinks it is */
			assert_int_equal(rf_queue_submit(queue, commands), -EBUSY);
			assert_int_equal(rf_queue_submitted(queue), 1);
			rf_commands_reset(commands);
			rf_command_signal(commands, turn, 7);
			assert_int_equal(rf_queue_submit(queue, commands), 0);
			assert_int_equal(rf_queue_wait(queue, PATIENCE), 0);
			assert_int_equal(rf_fence_value(turn), 7);
			assert_int_equal(rf_fence_value(never), 0);
			rf_commands_destroy(commands);
			rf_fence_destroy(never);
			rf_fence_destroy(turn);
			rf_queue_destroy(queue);
		}
	}
}

/* The engine still has the rest of them to read. */
static void destroyed_in_flight(void **state)
{
	static const uint32_t kinds[] = { 0, RF_QUEUE_LOCAL, RF_QUEUE_KERNEL };
	unsigned int kind, round;

	(void)state;
	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		for (round = 0; round < 2; round++) {
			struct rf_queue *queue = make_queue(device, kinds[kind]);
			struct rf_fence *turn = make_fence(device, RF_FENCE_DEFAULT, 0, 0);

			rf_commands_destroy(submit_held(queue, turn, round));
			if (round) {
				rf_queue_destroy(queue); /* and with it the buffer */
			} else {
				assert_int_equal(rf_fence_signal(turn, 1), 0);
				assert_int_equal(rf_queue_wait(queue, PATIENCE), 0);
				assert_int_equal(rf_fence_value(turn), 0);
				rf_commands_destroy(make_commands(queue, 0)); /* frees it */
				rf_queue_destroy(queue);
			}
			rf_fence_destroy(turn);
		}
	}
}

/* --- fork ----------------------------------------------------------------------------- */

static struct rf_queue *queues[3];
static struct rf_fence *fence;
static uint64_t token; /* of it */
static struct rf_memory *memory;
static struct rf_context *context;
static struct rf_event *event;
static struct rf_commands *commands[3];

/* Everything but what only frees is refused, and nothing waits for a lock. */
static int child_uses(void)
{
	uint64_t value = 1, word;
	struct rf_memory *more;
	unsigned int i;
	int bad = 0;

	for (i = 0; i < ARRAY_SIZE(queues); i++)
		bad |= rf_queue_submit(queues[i], commands[i]) != -ENODEV;
	bad |= rf_fence_signal(fence, 9) != -ENODEV;
	bad |= rf_fence_wait(fence, 9, 0) != -ENODEV;
	bad |= rf_fences_notify(&fence, &value, 1, RF_WAIT_ALL, event) != -ENODEV;
	bad |= rf_memory_create(device, 1, RF_MEMORY_SYSTEM, &more) != -ENODEV;
	bad |= rf_memory_write(memory, 0, &value, 8) != -ENODEV;
	bad |= rf_memory_read(memory, 0, &word, 8) != -ENODEV;
	bad |= rf_device_fd(device) != -ENODEV;
	/* plain loads */
	bad |= rf_fence_value(fence) != 1;
	return bad;
}

static int child_destroys(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(queues); i++) {
		rf_commands_destroy(commands[i]);
		rf_queue_destroy(queues[i]);
	}
	rf_event_destroy(event);
	rf_context_destroy(context);
	rf_memory_destroy(memory);
	rf_fence_destroy(fence);
	rf_device_close(device);
	return 0;
}

static int child_closes(void)
{
	rf_device_close(device);
	rf_device_close(other);
	return 0;
}

/* By the same name, another device, which does not know what the parent's has, and works. */
static int child_opens(void)
{
	struct rf_commands *work;
	struct rf_device *own;
	struct rf_queue *queue;
	struct rf_fence *done;

	rf_device_close(device);
	if (rf_device_open(test_device(), &own) ||
	    rf_queue_create(own, RF_ENGINE_COPY, 8, 0, &queue) ||
	    rf_fence_create(own, RF_FENCE_DEFAULT, 0, 0, &done) ||
	    rf_commands_create(queue, 64, 0, &work) ||
	    rf_fence_open(own, token, 0, &done) != -ENOENT)
		return 1;
	rf_command_signal(work, done, 3);
	if (rf_queue_submit(queue, work) || rf_fence_wait(done, 3, PATIENCE))
		return 1;
	rf_device_close(own);
	return 0;
}

static int child_leaves(void)
{
	return 0;
}

static void child(int (*does)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		alarm(120);
		_exit(does());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void child_of_fork(void **state)
{
	static int (*const children[])(void) = { child_uses, child_destroys, child_closes,
						 child_opens, child_leaves };
	static const uint32_t kinds[] = { 0, RF_QUEUE_LOCAL, RF_QUEUE_KERNEL };
	uint64_t value = 1;
	unsigned int i, way;

	(void)state;
	fence = make_fence(device, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 1);
	assert_int_equal(rf_fence_share(fence, &token), 0);
	assert_int_equal(rf_memory_create(device, 4096, RF_MEMORY_LOCAL, &memory), 0);
	assert_int_equal(rf_context_create(device, RF_ENGINE_COPY, 0, &context), 0);
	assert_int_equal(rf_event_create(device, &event), 0);
	for (i = 0; i < ARRAY_SIZE(queues); i++) {
		queues[i] = make_queue(device, kinds[i]);
		commands[i] = make_commands(queues[i], 0);
		rf_command_write(commands[i], rf_memory_address(memory) + 8 * i, i + 100);
	}
	for (way = 0; way < ARRAY_SIZE(children); way++) {
		child(children[way]);
		for (i = 0; i < ARRAY_SIZE(queues); i++) {
			assert_int_equal(rf_queue_submit(queues[i], commands[i]), 0);
			assert_int_equal(rf_queue_wait(queues[i], PATIENCE), 0);
			assert_int_equal(rf_memory_read(memory, 8 * i, &value, 8), 0);
			assert_int_equal(value, i + 100);
			value = 0;
			assert_int_equal(rf_memory_write(memory, 8 * i, &value, 8), 0);
		}
		assert_int_equal(rf_fence_value(fence), 1);
	}
	child_destroys();
	assert_int_equal(rf_device_open(test_device(), &device), 0);
}

/* --- what a hang took ----------------------------------------------------------------- */

struct hosted {
	struct rfsim_world *world;
	struct rfsim_device *sim;
	struct rf_bus *bus;
	struct rf_hosted *hosted;
	struct rf_hosted_device *device;
};

extern const struct rf_ddi rf_ringfence_ddi;

static void hosted_create(struct hosted *hosted)
{
	assert_int_equal(rfsim_world_create(NULL, &hosted->world), 0);
	assert_int_equal(rfsim_device_create(hosted->world, &hosted->sim), 0);
	assert_int_equal(rf_sim_bus_create(hosted->world, hosted->sim, &hosted->bus), 0);
	assert_int_equal(rf_hosted_create(&hosted->hosted), 0);
	assert_int_equal(rf_hosted_add_device(hosted->hosted, hosted->bus, &rf_ringfence_ddi,
					      &hosted->device),
			 0);
}

static void hosted_destroy(struct hosted *hosted)
{
	rf_hosted_remove_device(hosted->device);
	rf_hosted_destroy(hosted->hosted);
	rf_sim_bus_destroy(hosted->bus);
	rfsim_world_destroy(hosted->world);
}

/* An engine that takes nothing any more; the watch finds it, and resets it. */
static void hang(struct hosted *hosted)
{
	struct rf_hosted_recoveries recoveries;
	uint64_t now;

	for (now = 1; now < 20; now++) {
		rfsim_step(hosted->world, 3000);
		rf_hosted_watch_progress(hosted->device, now * SECOND);
		rf_hosted_recoveries(hosted->device, &recoveries);
		if (recoveries.engine_resets)
			return;
	}
	fail_msg("no engine reset");
}

static void waits_of_a_lost_queue(void **state)
{
	static const uint32_t kinds[] = { 0, RF_QUEUE_KERNEL };
	const uint64_t hold = RF_NODE_ENGINE_HOLD_MASK, most = UINT64_MAX;
	struct hosted hosted;
	unsigned int kind, i;

	(void)state;
	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		struct rf_device *victim, *witness;
		struct rf_fence *done, *good, *fences[2];
		struct rf_commands *work;
		struct rf_memory *data;
		struct rf_queue *queue;
		uint64_t token, values[2] = { 1, 1 };

		hosted_create(&hosted);
		assert_int_equal(rf_device_open_hosted(hosted.device, &victim), 0);
		assert_int_equal(rf_device_open_hosted(hosted.device, &witness), 0);
		done = make_fence(victim, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 0);
		good = make_fence(witness, RF_FENCE_DEFAULT, 0, 1);
		assert_int_equal(rf_memory_create(victim, 8192, 0, &data), 0);
		queue = make_queue(victim, kinds[kind]);
		work = make_commands(queue, 0);
		rf_command_copy(work, rf_memory_address(data) + 4096, rf_memory_address(data),
				4096);
		rf_command_signal(work, done, 1);
		assert_int_equal(
			rfsim_bar_write(hosted.sim, 0, RF_REG_NODE_ENGINE(RF_NODE_COPY), &hold, 8),
			0);
		assert_int_equal(rf_queue_submit(queue, work), 0);
		hang(&hosted);

		assert_int_equal(rf_queue_wait(queue, PATIENCE), -EIO);
		/* The fence is at its greatest value, which was not signalled. */
		assert_int_equal(rf_fence_value(done), RF_FENCE_VALUE_LOST);
		assert_int_equal(rf_fence_wait(done, 1, PATIENCE), -EIO);
		assert_int_equal(rf_fence_wait(done, most, PATIENCE), 0);
		/* Another process that waits for it is told the same. */
		assert_int_equal(rf_fence_share(done, &token), 0);
		assert_int_equal(rf_fence_open(witness, token, 0, &fences[0]), 0);
		fences[1] = good;
		assert_int_equal(rf_fence_wait(fences[0], 1, PATIENCE), -EIO);
		assert_int_equal(rf_fences_wait(fences, values, 2, RF_WAIT_ALL, PATIENCE), -EIO);
		assert_int_equal(rf_fences_wait(fences, values, 2, RF_WAIT_ANY, PATIENCE), 0);
		assert_int_equal(rf_fences_wait(fences, values, 1, RF_WAIT_ANY, PATIENCE), -EIO);
		values[1] = 2;
		assert_int_equal(rf_fences_wait(fences, values, 2, RF_WAIT_ANY, PATIENCE), -EIO);

		/* To submit is refused as lost, also where the ring is full or the buffer busy. */
		for (i = 0; i < 20; i++) {
			struct rf_commands *more = make_commands(queue, 0);

			assert_int_equal(rf_queue_submit(queue, i % 2 ? work : more), -EIO);
			rf_commands_destroy(more);
		}
		rf_commands_destroy(work);
		rf_queue_destroy(queue);
		rf_memory_destroy(data);
		rf_fence_destroy(fences[0]);
		rf_fence_destroy(good);
		rf_fence_destroy(done);
		rf_device_close(witness);
		rf_device_close(victim);
		hosted_destroy(&hosted);
	}
}

/* A program's own signal of the greatest value is not a loss for its waiters. */
static void the_greatest_value_signalled(void **state)
{
	struct rf_fence *own = make_fence(device, RF_FENCE_DEFAULT, 0, 5);

	(void)state;
	assert_int_equal(rf_fence_signal(own, UINT64_MAX), 0);
	assert_int_equal(rf_fence_wait(own, UINT64_MAX, 0), 0);
	assert_int_equal(rf_fence_wait(own, 5, 0), -EIO);
	rf_fence_destroy(own);
}

#define TEST(name, function)                          \
	{                                             \
		name, function, setup, teardown, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("objects-of-another-device", objects_of_another_device),
		TEST("rights-of-handles", rights_of_handles),
		TEST("submitted-again-in-flight", submitted_again_in_flight),
		TEST("kernel-queue-takes-them-twice", kernel_queue_takes_them_twice),
		TEST("recorded-in-flight", recorded_in_flight),
		TEST("destroyed-in-flight", destroyed_in_flight),
		TEST("child-of-fork", child_of_fork),
		TEST("waits-of-a-lost-queue", waits_of_a_lost_queue),
		TEST("the-greatest-value-signalled", the_greatest_value_signalled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
