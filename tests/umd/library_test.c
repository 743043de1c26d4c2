// SPDX-License-Identifier: Apache-2.0
/*
 * The user-mode library over the simulated device: arguments, limits, errors and
 * ends of everything in ringfence.h; and what a submission does, seen between the
 * library and its carrier. With AddressSanitizer and UBSan.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "record.h"
#include "rfsim.h"
#include "test_device.h"
#include "umd.h"

#define SECOND 1000000000ull
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* --- between library and carrier (ld --wrap) ----------------------------------------- */

static unsigned int requests; /* calls into the driver */
static unsigned int rings;
static uint64_t rung; /* the last value */
static void (*at_ring)(void);

int __real_rf_carrier_request(struct rf_carrier *carrier, unsigned int request, void *arguments);
int __wrap_rf_carrier_request(struct rf_carrier *carrier, unsigned int request, void *arguments);
void __real_rf_carrier_ring(struct rf_carrier_doorbell *doorbell, uint64_t value);
void __wrap_rf_carrier_ring(struct rf_carrier_doorbell *doorbell, uint64_t value);

int __wrap_rf_carrier_request(struct rf_carrier *carrier, unsigned int request, void *arguments)
{
	requests++;
	return __real_rf_carrier_request(carrier, request, arguments);
}

void __wrap_rf_carrier_ring(struct rf_carrier_doorbell *doorbell, uint64_t value)
{
	rings++;
	rung = value;
	if (at_ring)
		at_ring();
	__real_rf_carrier_ring(doorbell, value);
}

/* The verdict of the root complex, which the library only prints. */
static char violation[256];
const char *__real_rfsim_world_check(struct rfsim_world *world);
const char *__wrap_rfsim_world_check(struct rfsim_world *world);

const char *__wrap_rfsim_world_check(struct rfsim_world *world)
{
	const char *verdict = __real_rfsim_world_check(world);

	if (verdict)
		snprintf(violation, sizeof(violation), "%s", verdict);
	return verdict;
}

/* --- a device for each test ---------------------------------------------------------- */

static struct rf_device *device;

static int setup(void **state)
{
	(void)state;
	at_ring = NULL;
	violation[0] = 0;
	return rf_device_open(test_device(), &device);
}

static int teardown(void **state)
{
	(void)state;
	rf_device_close(device);
	device = NULL;
	/* cmocka reports a failing teardown as an error of the test */
	return violation[0] ? -1 : 0;
}

static struct rf_queue *make_queue(uint32_t node, uint32_t entries, uint32_t flags)
{
	struct rf_queue *queue;

	assert_int_equal(rf_queue_create(device, node, entries, flags, &queue), 0);
	return queue;
}

static struct rf_fence *make_fence(uint64_t initial)
{
	struct rf_fence *fence;

	assert_int_equal(rf_fence_create(device, RF_FENCE_DEFAULT, 0, initial, &fence), 0);
	return fence;
}

static struct rf_commands *make_commands(struct rf_queue *queue, uint64_t bytes, uint32_t flags)
{
	struct rf_commands *commands;

	assert_int_equal(rf_commands_create(queue, bytes, flags, &commands), 0);
	return commands;
}

static struct rf_memory *make_memory(uint64_t bytes, uint32_t flags)
{
	struct rf_memory *memory;

	assert_int_equal(rf_memory_create(device, bytes, flags, &memory), 0);
	return memory;
}

/* --- names --------------------------------------------------------------------------- */

static void names_of_devices(void **state)
{
	static const struct {
		const char *name;
		int error;
	} bad[] = {
		{ "", -ENODEV },
		{ "sim", -ENODEV },
		{ "drm:/dev/null", -ENODEV },
		{ "drm:/no/such/node", -ENOENT },
		{ "pci:", -EINVAL },
		{ "pci:01:00.0", -EINVAL },
		{ "pci:0000:01:00.0x", -EINVAL },
		{ "pci:fffe:fe:1f.7", -ENOENT },
		{ "sim:seed=", -EINVAL },
		{ "sim:seed=seven", -EINVAL },
		{ "sim:seed=7x", -EINVAL },
		{ "sim:seed=-1", -EINVAL },
		{ "sim:seed=+1", -EINVAL },
		{ "sim:seed= 1", -EINVAL },
		{ "sim:seed=18446744073709551616", -EINVAL },
		{ "sim:reed-latency=1", -EINVAL },
		{ "sim:speed=7", -EINVAL },
	};
	struct rf_device *other = (struct rf_device *)1;
	struct rf_fence *fence, *opened;
	uint64_t token;
	unsigned int i;

	(void)state;
	if (!test_is_simulated())
		skip();
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(rf_device_open(bad[i].name, &other), bad[i].error);
		assert_ptr_equal(other, (struct rf_device *)1);
	}
	setenv("RINGFENCE_DEVICE", "nothing:", 1);
	assert_int_equal(rf_device_open(NULL, &other), -ENODEV);
	unsetenv("RINGFENCE_DEVICE");

	/* The same name is the same device; another seed is another one. */
	assert_int_equal(rf_fence_create(device, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 9, &fence), 0);
	assert_int_equal(rf_fence_share(fence, &token), 0);
	assert_int_equal(rf_device_open(NULL, &other), 0);
	assert_int_equal(rf_fence_open(other, token, 0, &opened), 0);
	assert_int_equal(rf_fence_value(opened), 9);
	rf_device_close(other); /* with the fence; what user mode holds of it stays */
	free(opened);
	assert_int_equal(rf_device_open("sim:seed=0x7", &other), 0);
	assert_int_equal(rf_fence_open(other, token, 0, &opened), -ENOENT);
	rf_device_close(other);
	rf_device_close(NULL);
	rf_fence_destroy(fence);
}

/* The line names the device, its wrong word and what would be right; success clears it. */
static void the_reason_of_a_failed_open_is_told(void **state)
{
	static const char *const said[][2] = {
		{ "sim:reed-latency=1", "'reed-latency=1': there is no word 'reed-latency'; is "
					"read-latency meant?" },
		{ "sim:timeline=/nonexistent/t", "cannot write /nonexistent/t: " },
		{ "bogus:", "a device is sim:, drm:, pci:, serial: or miniport:" },
		{ "drm:/nonexistent", "there is no such file" },
		{ "serial:/nonexistent", "there is no such file" },
		{ "pci:", "the name is as in pci:0000:00:04.0" },
	};
	struct rf_device *device;
	char begin[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		assert_true(rf_device_open(said[i][0], &device) < 0);
		snprintf(begin, sizeof(begin), "cannot open %s: ", said[i][0]);
		assert_memory_equal(rf_device_open_error(), begin, strlen(begin));
		assert_non_null(strstr(rf_device_open_error(), said[i][1]));
	}
	assert_int_equal(rf_device_open("sim:seed=5,read-latency=9", &device), 0);
	assert_string_equal(rf_device_open_error(), "");
	rf_device_close(device);
}

static void every_error_has_a_name(void **state)
{
	unsigned int one, other;

	(void)state;
	assert_string_equal(rf_error_string(0), "no error");
	assert_string_equal(rf_error_string(-EIO), rf_error_string(EIO));
	assert_non_null(strstr(rf_error_string(-EIO), "lost"));
	assert_non_null(strstr(rf_error_string(-EDQUOT), "limit"));
	assert_string_equal(rf_error_string(-ENOTTY), strerror(ENOTTY));
	for (one = 0; one <= RF_QUEUE_ERROR_ENGINE_RESET; one++) {
		assert_string_not_equal(rf_queue_error_string(one), rf_queue_error_string(999));
		for (other = 0; other < one; other++)
			assert_string_not_equal(rf_queue_error_string(one),
						rf_queue_error_string(other));
	}
	assert_string_equal(rf_queue_error_string(RF_QUEUE_ERROR_ENGINE_RESET),
			    "the engine hung and was reset");
}

/* Nothing but the library: waiters get errors, and others continue. */
static void a_hang_of_a_device_string_ends(void **state)
{
	struct rf_device *device;
	struct rf_commands *commands;
	struct rf_memory *memory;
	struct rf_queue *queue;
	uint64_t address;
	uint32_t error;

	(void)state;
	if (!test_is_simulated())
		skip();
	assert_int_equal(rf_device_open("sim:fault=engine-hang@copy", &device), 0);
	assert_int_equal(rf_memory_create(device, 8192, RF_MEMORY_SYSTEM, &memory), 0);
	assert_int_equal(rf_queue_create(device, RF_ENGINE_COPY, 16, 0, &queue), 0);
	assert_int_equal(rf_commands_create(queue, 4096, RF_MEMORY_SYSTEM, &commands), 0);
	rf_command_copy(commands, rf_memory_address(memory) + 4096, rf_memory_address(memory),
			4096);
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	assert_int_equal(rf_queue_wait(queue, RF_TIMEOUT_NONE), -EIO);
	assert_int_equal(rf_queue_status(queue, &error, &address), -EIO);
	assert_int_equal(error, RF_QUEUE_ERROR_ENGINE_RESET);
	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
	rf_memory_destroy(memory);
	rf_device_close(device);
}

/* What the parent has not written yet is not the child's to write. */
static void a_child_leaves_a_record_alone(void **state)
{
	char path[] = "/tmp/rf-library-test.XXXXXX", name[64], problem[RFSIM_STRING_PROBLEM];
	static struct rfsim_replay replay;
	struct rf_device *device;
	pid_t child;
	int status;

	(void)state;
	if (!test_is_simulated())
		skip();
	close(mkstemp(path));
	snprintf(name, sizeof(name), "sim:record=%s", path);
	assert_int_equal(rf_device_open(name, &device), 0);
	child = fork();
	if (!child)
		exit(0);
	assert_int_equal(waitpid(child, &status, 0), child);
	rf_device_close(device);
	if (rfsim_replay(path, NULL, &replay, problem))
		fail_msg("%s", problem);
	assert_string_equal(replay.difference, "");
	assert_false(replay.cut);
	assert_true(replay.received > 100);
	unlink(path);
}

static void address_spaces_are_more_than_vmids(void **state)
{
	struct rf_device *open[300];
	unsigned int count, round;

	(void)state;
	for (round = 0; round < 2; round++) {
		for (count = 0; count < ARRAY_SIZE(open); count++)
			assert_int_equal(rf_device_open(test_device(), &open[count]), 0);
		while (count)
			rf_device_close(open[--count]);
	}
}

static void information(void **state)
{
	struct rf_device_info info;

	(void)state;
	if (!test_is_simulated())
		skip();
	assert_int_equal(rf_device_info(device, &info), 0);
	assert_int_equal(info.doorbells, 8);
	assert_int_equal(info.nodes, 3); /* the kernel's own, for paging, too */
	assert_int_equal(info.fence_stride, 64);
	assert_int_equal(info.local_memory_bytes, 1 << 20);
	assert_int_equal(info.timestamp_hz, 125000000);
	assert_int_equal(info.native_fence, 1);
}

/* --- memory -------------------------------------------------------------------------- */

static uint64_t local_bytes(void)
{
	struct rf_device_info info;

	assert_int_equal(rf_device_info(device, &info), 0);
	return info.local_memory_bytes;
}

static void memory_arguments(void **state)
{
	static const char zero[16384];
	struct rf_memory *memory = (struct rf_memory *)1;
	char data[16384];
	uint32_t flags;

	(void)state;
	assert_int_equal(rf_memory_create(device, 0, RF_MEMORY_SYSTEM, &memory), -EINVAL);
	assert_int_equal(rf_memory_create(device, 1, 2, &memory), -EINVAL);
	assert_int_equal(rf_memory_create(device, UINT64_MAX, RF_MEMORY_SYSTEM, &memory), -ENOMEM);
	assert_int_equal(rf_memory_create(device, 1ull << 60, RF_MEMORY_SYSTEM, &memory), -ENOMEM);
	assert_int_equal(rf_memory_create(device, local_bytes() + 4096, RF_MEMORY_LOCAL, &memory),
			 -ENOMEM);
	assert_ptr_equal(memory, (struct rf_memory *)1);
	for (flags = RF_MEMORY_SYSTEM; flags <= RF_MEMORY_LOCAL; flags++) {
		memory = make_memory(12289, flags);
		assert_int_equal(rf_memory_address(memory) % 4096, 0);
		assert_int_equal(!rf_memory_map(memory), flags == RF_MEMORY_LOCAL);
		memset(data, 1, sizeof(data));
		assert_int_equal(rf_memory_read(memory, 0, data, 16384), 0);
		assert_memory_equal(data, zero, 16384);
		assert_int_equal(rf_memory_read(memory, 1, data, 16384), -ERANGE);
		assert_int_equal(rf_memory_read(memory, 16385, data, 0), -ERANGE);
		assert_int_equal(rf_memory_write(memory, UINT64_MAX, data, 2), -ERANGE);
		assert_int_equal(rf_memory_write(memory, 16383, data, 2), -ERANGE);
		assert_int_equal(rf_memory_write(memory, 4093, "ringfence", 9), 0);
		assert_int_equal(rf_memory_read(memory, 4092, data, 11), 0);
		assert_memory_equal(data, "\0ringfence\0", 11);
		rf_memory_destroy(memory);
	}
	rf_memory_destroy(NULL);
}

static void local_memory_runs_out_and_comes_back(void **state)
{
	struct rf_memory *memory[17];
	unsigned int count, again;

	(void)state;
	if (!test_is_simulated())
		skip();
	for (count = 0; count < 17; count++)
		if (rf_memory_create(device, 65536, RF_MEMORY_LOCAL, &memory[count]))
			break;
	assert_in_range(count, 14, 16);
	rf_memory_destroy(memory[3]);
	memory[3] = make_memory(65536, RF_MEMORY_LOCAL);
	for (again = 0; again < count; again++)
		rf_memory_destroy(memory[again]);
	rf_memory_destroy(make_memory((uint64_t)count << 16, RF_MEMORY_LOCAL));
}

/* --- fences -------------------------------------------------------------------------- */

static void fence_arguments(void **state)
{
	struct rf_fence *fence = (struct rf_fence *)1, *shared, *again;
	uint64_t token = 5;

	(void)state;
	static const struct {
		uint32_t type, flags;
		uint64_t initial;
	} bad[] = {
		{ 3, 0, 0 },
		{ RF_FENCE_DEFAULT, 128, 0 },
		{ RF_FENCE_DEFAULT, RF_FENCE_NO_GPU_ACCESS, 0 },
		{ RF_FENCE_DEFAULT, RF_FENCE_NO_SIGNAL | RF_FENCE_NO_WAIT, 0 },
		{ RF_FENCE_INTRA_GPU, 0, 1 },
		{ RF_FENCE_INTRA_GPU, RF_FENCE_PLAIN, 0 },
		{ RF_FENCE_INTRA_GPU, RF_FENCE_NO_SIGNAL, 0 },
		{ RF_FENCE_INTRA_GPU, RF_FENCE_NO_WAIT, 0 },
		{ RF_FENCE_INTRA_GPU, RF_FENCE_CROSS_ADAPTER, 0 },
		{ RF_FENCE_MONITORED, RF_FENCE_PLAIN, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(
			rf_fence_create(device, bad[i].type, bad[i].flags, bad[i].initial, &fence),
			-EINVAL);
	assert_int_equal(rf_fence_open(device, 12345, 0, &fence), -ENOENT);
	assert_int_equal(rf_fence_open(device, 0, 0, &fence), -ENOENT);
	assert_ptr_equal(fence, (struct rf_fence *)1);

	fence = make_fence(UINT64_MAX - 1);
	assert_int_equal(rf_fence_value(fence), UINT64_MAX - 1);
	assert_int_equal(rf_fence_share(fence, &token), -EINVAL);
	assert_int_equal(token, 5);
	assert_int_equal(rf_fence_create(device, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 2, &shared), 0);
	assert_int_equal(rf_fence_share(shared, &token), 0);
	assert_int_equal(rf_fence_open(device, token, RF_FENCE_SHARED, &again), -EINVAL);
	assert_int_equal(rf_fence_open(device, token, RF_FENCE_NO_SIGNAL, &again), 0);
	assert_int_equal(rf_fence_signal(again, 3), -EACCES);
	rf_fence_destroy(again);
	assert_int_equal(rf_fence_open(device, token, 0, &again), 0);
	assert_int_equal(rf_fence_signal(again, 3), 0);
	assert_int_equal(rf_fence_value(shared), 3);
	rf_fence_destroy(shared);
	assert_int_equal(rf_fence_value(again), 3);
	rf_fence_destroy(again);
	assert_int_equal(rf_fence_open(device, token, 0, &again), -ENOENT);
	rf_fence_destroy(fence);
	rf_fence_destroy(NULL);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static void waits_and_time_outs(void **state)
{
	struct rf_fence *fences[] = { make_fence(0), make_fence(5) };
	uint64_t values[] = { 1, 5 };
	uint64_t start;

	(void)state;
	assert_int_equal(rf_fence_wait(fences[0], 0, 0), 0);
	assert_int_equal(rf_fence_wait(fences[0], 1, 0), -ETIMEDOUT);
	start = now();
	assert_int_equal(rf_fence_wait(fences[0], 1, 30000000), -ETIMEDOUT);
	assert_true(now() - start >= 30000000);
	assert_int_equal(rf_fence_value(fences[0]), 0);
	assert_int_equal(rf_fences_wait(fences, values, 2, RF_WAIT_ALL, 1000000), -ETIMEDOUT);
	assert_int_equal(rf_fences_wait(fences, values, 2, RF_WAIT_ANY, RF_TIMEOUT_NONE), 0);
	assert_int_equal(rf_fences_wait(fences, values, 2, 2, 0), -EINVAL);
	assert_int_equal(rf_fences_wait(fences, values, 0, RF_WAIT_ALL, 0), -EINVAL);
	assert_int_equal(rf_fence_signal(fences[0], 7), 0);
	/* A time-out beyond the end of the clock is none. */
	assert_int_equal(rf_fences_wait(fences, values, 2, RF_WAIT_ALL, UINT64_MAX - 1), 0);
	rf_fence_destroy(fences[1]);
	rf_fence_destroy(fences[0]);
}

static void one_wait_one_device(void **state)
{
	struct rf_fence *fences[] = { make_fence(1), NULL };
	const uint64_t values[] = { 1, 1 };
	struct rf_device *other;
	struct rf_event *event;

	(void)state;
	assert_int_equal(rf_device_open(test_device(), &other), 0);
	assert_int_equal(rf_fence_create(other, RF_FENCE_DEFAULT, 0, 1, &fences[1]), 0);
	assert_int_equal(rf_event_create(device, &event), 0);
	assert_int_equal(rf_fences_wait(fences, values, 2, RF_WAIT_ALL, 0), -EINVAL);
	assert_int_equal(rf_fences_notify(fences, values, 2, RF_WAIT_ALL, event), -EINVAL);
	/* An event of another process. */
	assert_int_equal(rf_fences_notify(&fences[1], values, 1, RF_WAIT_ALL, event), -EINVAL);
	rf_event_destroy(event);
	rf_fence_destroy(fences[1]);
	rf_fence_destroy(fences[0]);
	rf_device_close(other);
}

static void events(void **state)
{
	struct rf_fence *fence = make_fence(0);
	const uint64_t one = 1, two = 2;
	struct rf_event *event;

	(void)state;
	assert_int_equal(rf_event_create(device, &event), 0);
	assert_int_equal(rf_event_wait(event, 0), -ETIMEDOUT);
	assert_int_equal(rf_fences_notify(&fence, &one, 1, RF_WAIT_ANY, event), 0);
	assert_int_equal(rf_fences_notify(&fence, &two, 1, 7, event), -EINVAL);
	assert_int_equal(rf_event_wait(event, 1000000), -ETIMEDOUT);
	assert_int_equal(rf_fence_signal(fence, 1), 0);
	assert_int_equal(rf_event_wait(event, RF_TIMEOUT_NONE), 0);
	assert_int_equal(rf_event_wait(event, 0), -ETIMEDOUT);
	assert_int_equal(rf_fences_notify(&fence, &two, 1, RF_WAIT_ALL, event), 0);
	rf_event_destroy(event); /* with a wait pending */
	assert_int_equal(rf_fence_signal(fence, 2), 0);
	rf_event_destroy(NULL);
	rf_fence_destroy(fence);
}

/* --- queues -------------------------------------------------------------------------- */

static void queue_arguments(void **state)
{
	static const uint32_t entries[] = { 0, 1, 3, 48, 8192, 1u << 31 };
	struct rf_queue *queue = (struct rf_queue *)1, *queues[20];
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(entries); i++)
		assert_int_equal(rf_queue_create(device, 0, entries[i], 0, &queue), -EINVAL);
	assert_int_equal(rf_queue_create(device, 2, 16, 0, &queue), -EOPNOTSUPP);
	assert_int_equal(rf_queue_create(device, 3, 16, 0, &queue), -EINVAL);
	assert_int_equal(rf_queue_create(device, 0, 0, RF_QUEUE_KERNEL | RF_QUEUE_LOCAL, &queue),
			 -EINVAL);
	assert_int_equal(rf_queue_create(device, 0, 0, 8, &queue), -EINVAL);
	assert_int_equal(rf_queue_create(device, 0, 16, RF_QUEUE_PACKETS, &queue), -EINVAL);
	assert_int_equal(rf_queue_create(device, 0, 0, RF_QUEUE_PACKETS | RF_QUEUE_LOCAL, &queue),
			 -EINVAL);
	assert_int_equal(rf_queue_create(device, 0, 16, RF_QUEUE_KERNEL, &queue), -EINVAL);
	assert_ptr_equal(queue, (struct rf_queue *)1);
	/* more than there are slots, each ring in one block whatever lies before it */
	for (i = 0; i < ARRAY_SIZE(queues); i++)
		queues[i] = make_queue(i % 2, i ? 2u << i % 12 : 4096, i % 3 ? 0 : RF_QUEUE_LOCAL);
	rf_queue_destroy(queues[5]);
	queues[5] = make_queue(0, 16, 0);
	for (i = 0; i < ARRAY_SIZE(queues); i++)
		rf_queue_destroy(queues[i]);
	rf_queue_destroy(NULL);
}

static void contexts(void **state)
{
	struct rf_context *context = (struct rf_context *)1, *high;
	struct rf_commands *commands;
	struct rf_memory *memory;
	struct rf_queue *queues[2];
	unsigned int i;

	(void)state;
	assert_int_equal(rf_context_create(device, 9, 0, &context), -EINVAL);
	assert_int_equal(rf_context_create(device, 0, RF_PRIORITY_MAX + 1, &context), -EINVAL);
	assert_ptr_equal(context, (struct rf_context *)1);
	assert_int_equal(rf_context_create(device, 1, 0, &context), 0);
	assert_int_equal(rf_context_create(device, 1, RF_PRIORITY_MAX, &high), 0);
	assert_int_equal(rf_memory_create(device, 4096, 0, &memory), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(rf_context_queue_create(i ? high : context, 16, 0, &queues[i]), 0);
		assert_int_equal(rf_commands_create(queues[i], 256, 0, &commands), 0);
		rf_command_write(commands, rf_memory_address(memory) + 8 * i, 7 + i);
		assert_int_equal(rf_queue_submit(queues[i], commands), 0);
		assert_int_equal(rf_queue_wait(queues[i], RF_TIMEOUT_NONE), 0);
		assert_int_equal(((uint64_t *)rf_memory_map(memory))[i], 7 + i);
		rf_commands_destroy(commands);
		rf_queue_destroy(queues[i]);
	}
	rf_memory_destroy(memory);
	rf_context_destroy(context);
	rf_context_destroy(high);
	rf_context_destroy(NULL);
}

static void full_ring(void **state)
{
	static const uint32_t sizes[] = { 2, 4, 16 };
	unsigned int s, i, flags;

	(void)state;
	for (s = 0; s < 2 * ARRAY_SIZE(sizes); s++) {
		const uint32_t entries = sizes[s / 2];
		struct rf_commands *commands[16], *last;
		struct rf_fence *gate = make_fence(0);
		struct rf_queue *queue;

		flags = s % 2 ? RF_QUEUE_LOCAL : 0;
		queue = make_queue(RF_ENGINE_COPY, entries, flags);
		for (i = 0; i < entries - 1; i++) {
			commands[i] = make_commands(queue, 64, RF_MEMORY_SYSTEM);
			rf_command_wait(commands[i], gate, i + 1);
			assert_int_equal(rf_queue_submit(queue, commands[i]), 0);
		}
		last = make_commands(queue, 64, RF_MEMORY_SYSTEM);
		rings = 0;
		assert_int_equal(rf_queue_submit(queue, last), -EAGAIN);
		assert_int_equal(rings, 0);
		assert_int_equal(rf_queue_submitted(queue), entries - 1);
		assert_int_equal(rf_queue_completed(queue), 0);
		/* One entry comes free. */
		assert_int_equal(rf_fence_signal(gate, 1), 0);
		assert_int_equal(rf_fence_wait(rf_queue_progress(queue), 1, 20 * SECOND), 0);
		assert_int_equal(rf_queue_submit(queue, last), 0);
		assert_int_equal(rf_fence_signal(gate, entries), 0);
		assert_int_equal(rf_queue_wait(queue, 20 * SECOND), 0);
		assert_int_equal(rf_queue_completed(queue), entries);
		rf_queue_destroy(queue);
		for (i = 0; i < entries - 1; i++)
			rf_commands_destroy(commands[i]);
		rf_commands_destroy(last);
		rf_fence_destroy(gate);
	}
}

static void kernel_queue_submits_by_request(void **state)
{
	struct rf_queue *queue = make_queue(RF_ENGINE_COPY, 0, RF_QUEUE_KERNEL);
	struct rf_memory *memory = make_memory(4096, RF_MEMORY_SYSTEM);
	struct rf_commands *commands;
	uint64_t value;
	unsigned int i;

	(void)state;
	rings = 0;
	for (i = 1; i <= 6; i++) {
		commands = make_commands(queue, 64, i % 2 ? RF_MEMORY_LOCAL : RF_MEMORY_SYSTEM);
		rf_command_write(commands, rf_memory_address(memory), i);
		requests = 0;
		assert_int_equal(rf_queue_submit(queue, commands), 0);
		assert_int_equal(requests, 1);
		assert_int_equal(rf_queue_submitted(queue), i);
		assert_int_equal(rf_queue_wait(queue, 20 * SECOND), 0);
		assert_int_equal(rf_memory_read(memory, 0, &value, 8), 0);
		assert_int_equal(value, i);
		rf_commands_destroy(commands);
	}
	assert_int_equal(rings, 0);
	rf_memory_destroy(memory);
	rf_queue_destroy(queue);
}

static void recorder_overflow(void **state)
{
	struct rf_queue *queue = make_queue(RF_ENGINE_COPY, 16, 0);
	struct rf_commands *commands = NULL, *small;
	uint64_t words[600] = { 0 };
	unsigned int i;

	(void)state;
	assert_int_equal(rf_commands_create(queue, UINT64_MAX, 0, &commands), -EINVAL);
	assert_int_equal(rf_commands_create(queue, 64, 2, &commands), -EINVAL);
	assert_null(commands);
	small = make_commands(queue, 64, RF_MEMORY_SYSTEM);
	for (i = 0; i < 512; i++)
		rf_command_barrier(small);
	assert_int_equal(rf_queue_submit(queue, small), -ENOSPC);
	assert_int_equal(rf_queue_submitted(queue), 0);
	rf_commands_reset(small);
	rf_command_raw(small, words, 600);
	assert_int_equal(rf_queue_submit(queue, small), -ENOSPC);
	rf_commands_reset(small);
	rf_command_nop(small, 0);
	assert_int_equal(rf_queue_submit(queue, small), -ENOSPC);
	rf_commands_reset(small);
	rf_command_nop(small, 257);
	assert_int_equal(rf_queue_submit(queue, small), -ENOSPC);
	rf_commands_reset(small);
	/* Up to the last word, with the PROGRESS packet behind it. */
	for (i = 0; i < 4096 / 8 - 2; i++)
		rf_command_nop(small, 1);
	assert_int_equal(rf_queue_submit(queue, small), 0);
	assert_int_equal(rf_queue_wait(queue, 20 * SECOND), 0);
	rf_commands_destroy(small);
	rf_commands_destroy(NULL);
	rf_queue_destroy(queue);
}

static void busy_things_are_destroyed(void **state)
{
	unsigned int round;

	(void)state;
	for (round = 0; round < 4; round++) {
		struct rf_queue *queue =
			make_queue(RF_ENGINE_COPY, 16, round & 2 ? RF_QUEUE_LOCAL : 0);
		struct rf_memory *memory = make_memory(1 << 18, RF_MEMORY_SYSTEM);
		struct rf_commands *commands[2];
		struct rf_fence *gate = make_fence(0);

		commands[0] = make_commands(queue, 256, round & 2 ? RF_MEMORY_LOCAL : 0);
		commands[1] = make_commands(queue, 256, 0);
		rf_command_fill(commands[0], rf_memory_address(memory), 1 << 18, round);
		rf_command_wait(commands[0], gate, 1);
		rf_command_fill(commands[1], rf_memory_address(memory), 1 << 18, 7);
		if (round % 2) {
			rf_commands_reset(commands[0]);
			rf_command_wait(commands[0], gate, 1);
		}
		assert_int_equal(rf_queue_submit(queue, commands[0]), 0);
		assert_int_equal(rf_queue_submit(queue, commands[1]), 0);
		assert_int_equal(rf_queue_wait(queue, 1000000), -ETIMEDOUT);
		rf_queue_destroy(queue);
		rf_commands_destroy(commands[0]);
		rf_commands_destroy(commands[1]);
		rf_memory_destroy(memory); /* the simulation reports an access after this */
		rf_fence_destroy(gate);
	}
}

static void closing_ends_all(void **state)
{
	struct rf_device *other;
	struct rf_queue *queue;
	struct rf_fence *gate;
	struct rf_commands *commands;

	(void)state;
	assert_int_equal(rf_device_open(test_device(), &other), 0);
	assert_int_equal(rf_queue_create(other, RF_ENGINE_COPY, 16, 0, &queue), 0);
	assert_int_equal(rf_fence_create(other, RF_FENCE_DEFAULT, 0, 0, &gate), 0);
	assert_int_equal(rf_commands_create(queue, 64, 0, &commands), 0);
	rf_command_wait(commands, gate, 1);
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	rf_device_close(other); /* as if the process had died */
	free(queue->ring);
	free(queue->doorbell);
	free(queue);
	free(gate);
	free(commands->memory);
	free(commands);
	/* The device serves the others. */
	queue = make_queue(RF_ENGINE_COPY, 16, 0);
	commands = make_commands(queue, 64, 0);
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	assert_int_equal(rf_queue_wait(queue, 20 * SECOND), 0);
	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
}

static void lost_queue(void **state)
{
	static const uint64_t nonsense[] = { 0xee, 0xffffffffffffffff };
	struct rf_queue *queue = make_queue(RF_ENGINE_COMPUTE, 16, 0);
	struct rf_commands *commands = make_commands(queue, 64, 0);
	uint32_t error = 1;
	uint64_t address = 1;
	int submitted;

	(void)state;
	assert_int_equal(rf_queue_status(queue, &error, &address), 0);
	assert_int_equal(error, 0);
	rf_command_barrier(commands);
	rf_command_raw(commands, nonsense, 2);
	submitted = rf_queue_submit(queue, commands);
	/* a device without timing fails before the call returns */
	assert_true(!submitted || (submitted == -EIO && !test_is_simulated()));
	assert_int_equal(rf_queue_wait(queue, 20 * SECOND), -EIO);
	assert_int_equal(rf_queue_status(queue, &error, &address), -EIO);
	assert_int_equal(error, RF_QUEUE_ERROR_OPCODE);
	assert_int_equal(address, rf_memory_address(commands->memory) + 8);
	assert_int_equal(rf_queue_submit(queue, commands), -EIO);
	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
}

/* --- work ---------------------------------------------------------------------------- */

/* The same work with ring, commands and data in either memory. */
/* In process there is no file, and so none of Linux's fences. */
static void no_fences_of_linux(void **state)
{
	struct rf_queue *queue = make_queue(RF_ENGINE_COPY, 4, 0);
	int fd = -7;

	(void)state;
	assert_int_equal(rf_device_fd(device), -EOPNOTSUPP);
	assert_int_equal(rf_queue_export(queue, &fd), -EOPNOTSUPP);
	assert_int_equal(fd, -7);
	assert_int_equal(rf_queue_export_point(queue, 1, 1), -EOPNOTSUPP);
	assert_int_equal(rf_fence_import(rf_queue_progress(queue), 1, 0), -EOPNOTSUPP);
	assert_int_equal(rf_fence_import_point(rf_queue_progress(queue), 1, 1, 1), -EOPNOTSUPP);
	assert_int_equal(rf_fence_eventfd(rf_queue_progress(queue), 1, 0), -EOPNOTSUPP);
	rf_queue_destroy(queue);
}

static void work_in_either_memory(void **state)
{
	enum { WORDS = 300, BYTES = WORDS * 4 };
	unsigned int place, i;

	(void)state;
	for (place = 0; place < 8; place++) {
		struct rf_queue *compute = make_queue(RF_ENGINE_COMPUTE, 4, place & 1);
		struct rf_queue *copy = make_queue(RF_ENGINE_COPY, 4, place & 1);
		struct rf_commands *vectors = make_commands(compute, 512, place >> 1 & 1);
		struct rf_commands *copies = make_commands(copy, 512, place >> 1 & 1);
		struct rf_memory *memory = make_memory(5 * 4096, place >> 2 & 1);
		const uint64_t base = rf_memory_address(memory);
		uint32_t x[WORDS], y[WORDS], got[WORDS];
		uint64_t word[3];
		int64_t sum = 0;

		for (i = 0; i < WORDS; i++) {
			x[i] = i * 2654435761u + place;
			y[i] = i * 40503u ^ 0xdeadbeef;
			sum += (int32_t)x[i];
		}
		assert_int_equal(rf_memory_write(memory, 0, x, BYTES), 0);
		assert_int_equal(rf_memory_write(memory, 4096, y, BYTES), 0);
		rf_command_vector(vectors, RF_VECTOR_ADD, base + 8192, base, base + 4096, WORDS);
		rf_command_vector(vectors, RF_VECTOR_SUM, base + 12288, base, 0, WORDS);
		rf_command_write(vectors, base + 12296, 0x0123456789abcdef);
		rf_command_timestamp(vectors, base + 12304);
		assert_int_equal(rf_queue_submit(compute, vectors), 0);
		/* One engine waits for the other's progress. */
		rf_command_wait(copies, rf_queue_progress(compute), 1);
		rf_command_copy(copies, base + 16384, base + 1, BYTES - 1);
		rf_command_barrier(copies);
		rf_command_fill(copies, base + 4096, BYTES, 0x1111111122222222);
		rf_command_nop(copies, 3);
		assert_int_equal(rf_queue_submit(copy, copies), 0);
		assert_int_equal(rf_queue_wait(copy, 20 * SECOND), 0);
		assert_int_equal(rf_queue_completed(compute), 1);

		assert_int_equal(rf_memory_read(memory, 8192, got, BYTES), 0);
		for (i = 0; i < WORDS; i++)
			assert_int_equal(got[i], x[i] + y[i]);
		assert_int_equal(rf_memory_read(memory, 12288, word, 24), 0);
		assert_int_equal(word[0], sum);
		assert_int_equal(word[1], 0x0123456789abcdef);
		assert_int_not_equal(word[2], 0);
		assert_int_equal(rf_memory_read(memory, 16384, got, BYTES - 1), 0);
		assert_memory_equal(got, (char *)x + 1, BYTES - 1);
		assert_int_equal(rf_memory_read(memory, 4096, got, BYTES), 0);
		for (i = 0; i < WORDS; i++)
			assert_int_equal(got[i], i % 2 ? 0x11111111 : 0x22222222);
		rf_memory_destroy(memory);
		rf_commands_destroy(copies);
		rf_commands_destroy(vectors);
		rf_queue_destroy(copy);
		rf_queue_destroy(compute);
	}
}

/* Log entries go on and off, and are numbered around the end of the log. */
static void logged_and_not_logged(void **state)
{
	struct rf_queue *queue = make_queue(RF_ENGINE_COPY, 16, 0);
	struct rf_commands *commands = make_commands(queue, 8192, 0);
	struct rf_fence *fence = make_fence(0);
	unsigned int i;

	(void)state;
	for (i = 1; i <= 100; i++) {
		rf_commands_log(commands, i % 3 != 0);
		rf_command_signal(commands, fence, i);
		rf_command_wait(commands, fence, i);
	}
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	assert_int_equal(rf_queue_wait(queue, 20 * SECOND), 0);
	assert_int_equal(rf_fence_value(fence), 100);
	assert_int_equal(queue->signal_log_next, 67);
	rf_commands_reset(commands);
	for (i = 0; i < 30; i++)
		rf_command_signal(commands, fence, 101 + i);
	assert_int_equal(queue->signal_log_next, 97 - 84);
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	assert_int_equal(rf_queue_wait(queue, 20 * SECOND), 0);
	rf_fence_destroy(fence);
	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
}

/* --- what a submission does ---------------------------------------------------------- */

static struct rf_queue *watched_queue;
static struct rf_commands *watched_commands;
static unsigned int watched_rings;

/* At the doorbell store everything before it is visible. */
static void check_what_is_published(void)
{
	const uint64_t value = watched_queue->submitted;
	const struct rf_ring_entry *entry = (struct rf_ring_entry *)watched_queue->entries +
					    (value - 1) % watched_queue->entry_count;
	const uint64_t *tail = (uint64_t *)((char *)watched_commands->words + entry->size) - 2;

	watched_rings++;
	assert_int_equal(rung, value);
	assert_int_equal(*watched_queue->last_queued, value);
	assert_int_equal(*watched_queue->write_pointer, value);
	assert_int_equal(entry->address, rf_memory_address(watched_commands->memory));
	assert_int_equal(tail[0] & 0xff, RF_OPCODE_PROGRESS);
	assert_int_equal(tail[1], value);
}

static void connected_submission_makes_no_request(void **state)
{
	unsigned int i;

	(void)state;
	watched_queue = make_queue(RF_ENGINE_COPY, 16, 0);
	watched_commands = make_commands(watched_queue, 64, 0);
	rf_command_barrier(watched_commands);
	watched_rings = 0;
	at_ring = check_what_is_published;

	/* The first finds the doorbell disconnected: one request, and two rings. */
	requests = 0;
	assert_int_equal(rf_queue_submit(watched_queue, watched_commands), 0);
	assert_int_equal(requests, 1);
	assert_int_equal(watched_rings, 2);
	assert_int_equal(rf_queue_wait(watched_queue, 20 * SECOND), 0);
	for (i = 2; i <= 40; i++) {
		requests = rings = 0;
		assert_int_equal(rf_queue_submit(watched_queue, watched_commands), 0);
		assert_int_equal(requests, 0);
		assert_int_equal(rings, 1);
		assert_int_equal(rf_queue_wait(watched_queue, 20 * SECOND), 0);
		assert_int_equal(rf_queue_completed(watched_queue), i);
	}
	rf_commands_destroy(watched_commands);
	rf_queue_destroy(watched_queue);
}

static void values_are_polled_without_a_request(void **state)
{
	struct rf_fence *fence = make_fence(3);

	(void)state;
	requests = 0;
	assert_int_equal(rf_fence_value(fence), 3);
	assert_int_equal(rf_fence_wait(fence, 3, 0), 0);
	assert_int_equal(requests, 0);
	assert_int_equal(rf_fence_wait(fence, 4, 0), -ETIMEDOUT);
	assert_int_equal(requests, 1);
	rf_fence_destroy(fence);
}

/* A victim rings the same write pointer again: no entry twice, none lost. */
static void retry_rings_the_same_write_pointer(void **state)
{
	struct rf_queue *queues[9];
	struct rf_commands *commands[9];
	unsigned int i, round;

	(void)state;
	if (!test_is_simulated()) /* which has 8 doorbells */
		skip();
	for (i = 0; i < 9; i++) {
		queues[i] = make_queue(i % 2, 4, 0);
		commands[i] = make_commands(queues[i], 64, 0);
	}
	for (round = 1; round <= 3; round++) {
		for (i = 0; i < 9; i++) {
			requests = rings = 0;
			assert_int_equal(rf_queue_submit(queues[i], commands[i]), 0);
			assert_int_equal(rung, round);
			/* With nine in turn, each finds its doorbell taken. */
			assert_int_equal(requests, 1);
			assert_int_equal(rings, 2);
			assert_int_equal(*queues[i]->write_pointer, round);
			assert_int_equal(rf_queue_wait(queues[i], 20 * SECOND), 0);
			assert_int_equal(rf_queue_completed(queues[i]), round);
		}
	}
	for (i = 0; i < 9; i++) {
		rf_commands_destroy(commands[i]);
		rf_queue_destroy(queues[i]);
	}
}

#define TEST(name, function)                          \
	{                                             \
		name, function, setup, teardown, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("names-of-devices", names_of_devices),
		TEST("the-reason-of-a-failed-open-is-told", the_reason_of_a_failed_open_is_told),
		TEST("every-error-has-a-name", every_error_has_a_name),
		TEST("a-hang-of-a-device-string-ends", a_hang_of_a_device_string_ends),
		TEST("a-child-leaves-a-record-alone", a_child_leaves_a_record_alone),
		TEST("address-spaces-are-more-than-vmids", address_spaces_are_more_than_vmids),
		TEST("information", information),
		TEST("memory-arguments", memory_arguments),
		TEST("local-memory-runs-out-and-comes-back", local_memory_runs_out_and_comes_back),
		TEST("fence-arguments", fence_arguments),
		TEST("C6a.waits-and-time-outs", waits_and_time_outs),
		TEST("one-wait-one-device", one_wait_one_device),
		TEST("S1-29.events", events),
		TEST("queue-arguments", queue_arguments),
		TEST("contexts", contexts),
		TEST("full-ring", full_ring),
		TEST("S3-2.a-kernel-queue-submits-by-request", kernel_queue_submits_by_request),
		TEST("recorder-overflow", recorder_overflow),
		TEST("busy-things-are-destroyed", busy_things_are_destroyed),
		TEST("S3-60.closing-ends-all", closing_ends_all),
		TEST("lost-queue", lost_queue),
		TEST("no-fences-of-linux-in-process", no_fences_of_linux),
		TEST("work-in-either-memory", work_in_either_memory),
		TEST("logged-and-not-logged", logged_and_not_logged),
		TEST("S3-21,S3-49,S3-50.connected-submission-makes-no-request",
		     connected_submission_makes_no_request),
		TEST("S0-17.values-are-polled-without-a-request",
		     values_are_polled_without_a_request),
		TEST("S3-52.retry-rings-the-same-write-pointer",
		     retry_rings_the_same_write_pointer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
