// SPDX-License-Identifier: Apache-2.0
/*
 * What a user of the render node may and may not do: one check for each name, run as an
 * unprivileged process in the guest. RINGFENCE_NODE is the render node. Exit status 0, or
 * 1 and a line that says what was wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/dma-buf.h>
#include <linux/seccomp.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "../time_scale.h"
#include "drm/ringfence_drm.h"
#include "program.h"
#include "ringfence.h"
#include "umd.h"

#define DEVICE "drm:"

/* --- a process of its own, by requests ---------------------------------------------------- */

struct user {
	int fd;
	struct drm_ringfence_fence_create fence;
	struct drm_ringfence_memory_create memory;
	struct drm_ringfence_queue_create queue;
	struct drm_ringfence_doorbell_create doorbell;
};

static void open_user(struct user *user)
{
	*user = (struct user){
		.memory = { .bytes = 8192 },
		.queue = { .node = RF_ENGINE_COPY,
			   .flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION },
	};
	user->fd = open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
	CHECK(user->fd >= 0, "open");
	CHECK(!ioctl(user->fd, DRM_IOCTL_RINGFENCE_FENCE_CREATE, &user->fence), "fence");
	CHECK(!ioctl(user->fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &user->memory), "memory");
	CHECK(!ioctl(user->fd, DRM_IOCTL_RINGFENCE_QUEUE_CREATE, &user->queue), "queue");
	user->doorbell.queue = user->queue.handle;
	user->doorbell.ring_memory = user->memory.handle;
	user->doorbell.ring_control_memory = user->memory.handle;
	user->doorbell.ring_control_offset = 4096;
	user->doorbell.ring_entries = 16;
	CHECK(!ioctl(user->fd, DRM_IOCTL_RINGFENCE_DOORBELL_CREATE, &user->doorbell), "doorbell");
}

static volatile uint64_t *map(const struct user *user, uint64_t offset, int access)
{
	void *page = mmap(NULL, 4096, access, MAP_SHARED, user->fd, (off_t)offset);

	CHECK(page != MAP_FAILED, "mmap of offset 0x%" PRIx64, offset);
	return page;
}

static void refuse_map(const struct user *user, uint64_t offset, size_t bytes, int access,
		       int flags, int error)
{
	void *page = mmap(NULL, bytes, access, flags, user->fd, (off_t)offset);

	CHECK(page == MAP_FAILED && errno == error,
	      "mmap of %zu bytes at 0x%" PRIx64 " gives %p, not error %s", bytes, offset, page,
	      strerror(error));
}

/* The signal that a child dies of when it stores to the word. */
static int signal_of_store(volatile uint64_t *word)
{
	int status;
	pid_t child = fork();

	if (!child) {
		*word = 1;
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child, "fork");
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void check_read_only(const struct user *user, uint64_t offset)
{
	volatile uint64_t *word = map(user, offset, PROT_READ);
	uint64_t before = *word;
	int died = signal_of_store(word);

	CHECK(died == SIGSEGV, "a store ends with signal %d, not SIGSEGV", died);
	CHECK(*word == before, "the store was done");
	CHECK(mprotect((void *)word, 4096, PROT_READ | PROT_WRITE) && errno == EACCES,
	      "mprotect makes it writable");
	refuse_map(user, offset, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, EACCES);
	refuse_map(user, offset, 4096, PROT_READ, MAP_PRIVATE, EINVAL);
}

/* S0-2 */
static void value_page(void)
{
	struct user user;

	open_user(&user);
	check_read_only(&user, user.fence.mapping.current_value_mmap_offset);
}

/* S3-28 */
static void status_page(void)
{
	struct user user;

	open_user(&user);
	check_read_only(&user, user.doorbell.status_mmap_offset);
}

/* S3-47 */
static void progress_page(void)
{
	struct user user;

	open_user(&user);
	check_read_only(&user, user.queue.progress_mapping.current_value_mmap_offset);
}

/* MonitoredValue and logs: whatever can be mapped is one of the offsets that were given. */
static void nothing_else(void)
{
	struct user user;
	uint64_t known[5], first = UINT64_MAX, last = 0, offset;
	unsigned int i, found = 0;

	open_user(&user);
	known[0] = user.fence.mapping.current_value_mmap_offset;
	known[1] = user.queue.progress_mapping.current_value_mmap_offset;
	known[2] = user.queue.last_queued_mmap_offset;
	known[3] = user.doorbell.status_mmap_offset;
	known[4] = user.doorbell.doorbell_mmap_offset;
	for (i = 0; i < 5; i++) {
		first = known[i] < first ? known[i] : first;
		last = known[i] > last ? known[i] : last;
	}
	for (offset = first - (4u << 20); offset <= last + (4u << 20); offset += 4096) {
		void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, user.fd, (off_t)offset);

		if (page == MAP_FAILED)
			continue;
		munmap(page, 4096);
		for (i = 0; i < 5 && known[i] != offset; i++)
			;
		CHECK(i < 5 || offset == user.memory.mmap_offset,
		      "offset 0x%" PRIx64 " can be mapped", offset);
		found++;
	}
	CHECK(found >= 4, "the search found %u offsets", found);
}

/* What another file got is not for this one; sizes and kinds of mappings. */
static void mapping_rules(void)
{
	struct user one, other;
	volatile uint64_t *doorbell, *memory;

	open_user(&one);
	open_user(&other);
	refuse_map(&one, other.memory.mmap_offset, 8192, PROT_READ, MAP_SHARED, EACCES);
	refuse_map(&one, other.doorbell.doorbell_mmap_offset, 4096, PROT_READ | PROT_WRITE,
		   MAP_SHARED, EACCES);
	refuse_map(&one, one.memory.mmap_offset, 12288, PROT_READ, MAP_SHARED, EINVAL);
	refuse_map(&one, one.memory.mmap_offset, 8192, PROT_READ | PROT_EXEC, MAP_SHARED, EINVAL);
	refuse_map(&one, one.memory.mmap_offset, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, EINVAL);
	refuse_map(&one, one.doorbell.doorbell_mmap_offset, 8192, PROT_READ | PROT_WRITE,
		   MAP_SHARED, EINVAL);
	memory = map(&one, one.memory.mmap_offset, PROT_READ | PROT_WRITE);
	memory[3] = 7;
	CHECK(memory[3] == 7, "memory keeps no value");
	/* children do not inherit a doorbell, and one that is not connected is a dummy */
	doorbell = map(&one, one.doorbell.doorbell_mmap_offset, PROT_READ | PROT_WRITE);
	CHECK(signal_of_store(doorbell) == SIGSEGV, "a child has the doorbell");
	*doorbell = 1;
}

/* Local memory that was given back shows a dummy, not its next owner's. */
static void local_memory_is_taken(void)
{
	struct drm_ringfence_memory_create create = { .bytes = 512 << 10,
						      .flags = DRM_RINGFENCE_MEMORY_LOCAL };
	struct drm_ringfence_memory_destroy destroy = { 0 };
	volatile uint64_t *mine, *others;
	struct user one, other;
	size_t i;

	open_user(&one);
	open_user(&other);
	CHECK(!ioctl(one.fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &create), "create");
	destroy.handle = create.handle;
	mine = map(&one, create.mmap_offset, PROT_READ | PROT_WRITE);
	*mine = 7;
	CHECK(!ioctl(one.fd, DRM_IOCTL_RINGFENCE_MEMORY_DESTROY, &destroy), "destroy");
	/* more than half: it has to be the same */
	create = (struct drm_ringfence_memory_create){ .bytes = 768 << 10,
						       .flags = DRM_RINGFENCE_MEMORY_LOCAL };
	CHECK(!ioctl(other.fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &create), "create another");
	others = mmap(NULL, create.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, other.fd,
		      (off_t)create.mmap_offset);
	CHECK(others != MAP_FAILED, "map another");
	for (i = 0; i < create.bytes / 8; i += 512)
		others[i] = i + 1;
	CHECK(*mine == 0, "what was given back shows 0x%" PRIx64, *mine);
	*mine = 9;
	CHECK(*mine == 9, "the dummy page keeps no value");
	for (i = 0; i < create.bytes / 8; i += 512)
		CHECK(others[i] == i + 1, "another's memory changed at page %zu", i / 512);
}

/* --- requests ------------------------------------------------------------------------------- */

#define REFUSE(user, error, name, ...)                                                          \
	do {                                                                                    \
		struct drm_ringfence_##name arguments = { __VA_ARGS__ };                        \
		int result = ioctl((user)->fd, code, &arguments);                               \
		CHECK(result &&errno == (error), #name " { " #__VA_ARGS__ " } is not " #error); \
	} while (0)

static void request_rules(void)
{
	struct drm_ringfence_query query = { .type = DRM_RINGFENCE_QUERY_ADAPTER };
	struct user user;
	unsigned long code;

	open_user(&user);
	code = DRM_IOCTL_RINGFENCE_QUERY;
	REFUSE(&user, EINVAL, query, .type = 99);
	REFUSE(&user, EINVAL, query, .pad = 1);
	REFUSE(&user, EINVAL, query, .index = 1);
	REFUSE(&user, EFAULT, query, .size = 8, .pointer = 8);
	code = DRM_IOCTL_RINGFENCE_MEMORY_CREATE;
	REFUSE(&user, EINVAL, memory_create, .bytes = 0);
	REFUSE(&user, EINVAL, memory_create, .bytes = 4096, .flags = 2);
	REFUSE(&user, ENOMEM, memory_create, .bytes = ~0ull);
	REFUSE(&user, EDQUOT, memory_create, .bytes = 1ull << 40);
	code = DRM_IOCTL_RINGFENCE_MEMORY_DESTROY;
	REFUSE(&user, ENOENT, memory_destroy, .handle = 77);
	REFUSE(&user, EINVAL, memory_destroy, .handle = user.memory.handle, .pad = 1);
	code = DRM_IOCTL_RINGFENCE_FENCE_SIGNAL;
	REFUSE(&user, EFAULT, fence_signal, .fences = { 16, 1, 8 });
	REFUSE(&user, EINVAL, fence_signal, .fences = { 16, 33, 8 });
	code = DRM_IOCTL_RINGFENCE_DOORBELL_CREATE;
	REFUSE(&user, EINVAL, doorbell_create, .queue = user.queue.handle, .flags = 1);
	/* this driver links no adapters */
	code = DRM_IOCTL_RINGFENCE_LINK;
	REFUSE(&user, EOPNOTSUPP, link, .token = 0);
	REFUSE(&user, EINVAL, link, .flags = 1);
	code = DRM_IOCTL_RINGFENCE_MEMORY_CREATE;
	REFUSE(&user, ENOLINK, memory_create, .bytes = 4096, .linked = user.memory.handle);
	code = DRM_IOCTL_RINGFENCE_QUEUE_RENDER;
	REFUSE(&user, ENOLINK, queue_render, .queue = user.queue.handle, .linked_queue = 1);
	CHECK(ioctl(user.fd, DRM_RINGFENCE_IOWR(DRM_RINGFENCE_REQUESTS, uint64_t), &query) &&
		      errno == EINVAL,
	      "an unknown request");

	/* a caller of yesterday, whose structure ends earlier; and one of tomorrow */
	CHECK(!ioctl(user.fd, _IOWR('d', 0x40 + DRM_RINGFENCE_QUERY, uint32_t[4]), &query),
	      "a shorter structure");
	CHECK(query.size == sizeof(struct drm_ringfence_adapter_info), "size %u", query.size);
}

static void stale_handles(void)
{
	struct drm_ringfence_memory_create create = { .bytes = 4096 };
	struct drm_ringfence_memory_destroy destroy = { 0 };
	struct user user;
	uint32_t first;

	open_user(&user);
	CHECK(!ioctl(user.fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &create), "create");
	first = destroy.handle = create.handle;
	CHECK(!ioctl(user.fd, DRM_IOCTL_RINGFENCE_MEMORY_DESTROY, &destroy), "destroy");
	create = (struct drm_ringfence_memory_create){ .bytes = 4096 };
	CHECK(!ioctl(user.fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &create), "create again");
	CHECK(create.handle != first, "handle %u is used again at once", first);
	CHECK(ioctl(user.fd, DRM_IOCTL_RINGFENCE_MEMORY_DESTROY, &destroy) && errno == ENOENT,
	      "a stale handle");
}

static void fdinfo(void)
{
	struct drm_ringfence_memory_create create = { .bytes = 12288,
						      .flags = DRM_RINGFENCE_MEMORY_LOCAL };
	/* nothing was submitted */
	static const char *const wanted[] = {
		"drm-driver:\tringfence\n",	 "drm-engine-compute:\t0 ns\n",
		"drm-cycles-compute:\t0\n",	 "drm-maxfreq-compute:\t125000000 Hz\n",
		"drm-engine-copy:\t0 ns\n",	 "drm-engine-paging:\t0 ns\n",
		"drm-total-system:\t8 KiB\n",	 "drm-resident-system:\t8 KiB\n",
		"drm-shared-system:\t0\n",	 "drm-total-local:\t12 KiB\n",
		"drm-resident-local:\t12 KiB\n",
	};
	char path[64], text[2048] = "";
	struct user user;
	size_t i;
	int file;

	open_user(&user);
	CHECK(!ioctl(user.fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &create), "create");
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", user.fd);
	file = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(file >= 0 && read(file, text, sizeof(text) - 1) > 0, "read");
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		CHECK(strstr(text, wanted[i]), "no %s in\n%s", wanted[i], text);
}

/* The test looks at the kernel's addresses meanwhile (vmapped() of driver_test). */
static void memory_stays(void)
{
	struct drm_ringfence_memory_create create = { .bytes = 32 << 20 };
	struct user user;

	open_user(&user);
	CHECK(!ioctl(user.fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &create), "create");
	printf("waiting\n");
	fflush(stdout);
	pause();
}

/* --- work by the library ---------------------------------------------------------------------- */

struct work {
	struct rf_device *device;
	struct rf_memory *memory;
	struct rf_fence *fence;
	struct rf_queue *queue;
	struct rf_commands *commands;
};

static void open_work(struct work *work, uint32_t kind, uint32_t queue_flags)
{
	CHECK(!rf_device_open(DEVICE, &work->device), "open");
	CHECK(!rf_memory_create(work->device, 4096, kind, &work->memory), "memory");
	CHECK(!rf_fence_create(work->device, RF_FENCE_DEFAULT, 0, 0, &work->fence), "fence");
	CHECK(!rf_queue_create(work->device, RF_ENGINE_COPY,
			       queue_flags == RF_QUEUE_KERNEL ? 0 : 16, queue_flags, &work->queue),
	      "queue");
	CHECK(!rf_commands_create(work->queue, 4096, RF_MEMORY_SYSTEM, &work->commands),
	      "commands");
}

static void do_work(struct work *work, uint64_t value)
{
	uint64_t word;
	int error;

	rf_commands_reset(work->commands);
	rf_command_fill(work->commands, rf_memory_address(work->memory), 4096, value);
	rf_command_signal(work->commands, work->fence, value);
	error = rf_queue_submit(work->queue, work->commands);
	CHECK(!error, "submission %" PRIu64 ": %s", value, strerror(-error));
	error = rf_fence_wait(work->fence, value, TIMEOUT);
	CHECK(!error, "wait for %" PRIu64 ": %s", value, strerror(-error));
	CHECK(!rf_memory_read(work->memory, 4088, &word, sizeof(word)) && word == value,
	      "memory holds %" PRIu64 ", not %" PRIu64, word, value);
	CHECK(!rf_queue_wait(work->queue, TIMEOUT), "progress");
}

/* The same on the other engine, which has no memory to fill */
static void work_on_compute(unsigned int times)
{
	struct rf_commands *commands;
	struct rf_device *device;
	struct rf_queue *queue;
	struct rf_fence *fence;
	uint64_t value;

	CHECK(!rf_device_open(DEVICE, &device), "open");
	CHECK(!rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &fence), "fence");
	CHECK(!rf_queue_create(device, RF_ENGINE_COMPUTE, 16, 0, &queue), "queue");
	CHECK(!rf_commands_create(queue, 256, RF_MEMORY_SYSTEM, &commands), "commands");
	for (value = 1; value <= times; value++) {
		rf_commands_reset(commands);
		rf_command_signal(commands, fence, value);
		CHECK(!rf_queue_submit(queue, commands), "submission %" PRIu64, value);
		CHECK(!rf_fence_wait(fence, value, TIMEOUT), "wait for %" PRIu64, value);
		CHECK(!rf_queue_wait(queue, TIMEOUT), "progress");
	}
	rf_device_close(device);
}

static void close_work(struct work *work)
{
	rf_commands_destroy(work->commands);
	rf_queue_destroy(work->queue);
	rf_fence_destroy(work->fence);
	rf_memory_destroy(work->memory);
	rf_device_close(work->device);
}

/* The child has the same file: what it gives back is not its parent's. */
static void forked(void)
{
	uint64_t word = 0;
	struct work work;
	int status;
	pid_t child;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	do_work(&work, 1);
	child = fork();
	if (!child) {
		CHECK(rf_memory_write(work.memory, 0, &word, sizeof(word)) == -ENODEV,
		      "the child writes its parent's memory");
		CHECK(rf_queue_submit(work.queue, work.commands) == -ENODEV, "and submits");
		close_work(&work);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && !status, "the child: 0x%x", status);
	do_work(&work, 2);
	close_work(&work);
}

/* Both memories, and rings of the process, in local memory, and of the kernel. */
static void kinds(void)
{
	static const uint32_t queues[] = { 0, RF_QUEUE_LOCAL, RF_QUEUE_KERNEL };
	struct work work;
	unsigned int i;
	uint64_t value;

	for (i = 0; i < 6; i++) {
		open_work(&work, i % 2 ? RF_MEMORY_LOCAL : RF_MEMORY_SYSTEM, queues[i / 2]);
		for (value = 1; value <= 3; value++)
			do_work(&work, value);
		close_work(&work);
	}
}

/* Some thousand submissions, each waited for */
static void many(void)
{
	static const uint32_t queues[] = { 0, RF_QUEUE_KERNEL };
	struct work work;
	unsigned int i;
	uint64_t value;

	for (i = 0; i < 2; i++) {
		open_work(&work, RF_MEMORY_SYSTEM, queues[i]);
		for (value = 1; value <= 1500; value++)
			do_work(&work, value);
		close_work(&work);
	}
}

/* From here on the kernel kills the process for any system call but read, write and exit. */
static void submits_alone(void)
{
	struct work work;
	uint64_t value, looks;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	do_work(&work, 1);
	CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT), "seccomp");
	for (value = 2; value <= 20; value++) {
		/* a signal is seen before the end of the commands that it stands in */
		for (looks = 0; rf_queue_completed(work.queue) < value - 1; looks++)
			if (looks == 1000000000)
				syscall(SYS_exit, 4);
		rf_commands_reset(work.commands);
		rf_command_signal(work.commands, work.fence, value);
		if (rf_queue_submit(work.queue, work.commands))
			syscall(SYS_exit, 2);
		for (looks = 0; rf_fence_value(work.fence) < value; looks++)
			if (looks == 1000000000)
				syscall(SYS_exit, 3);
	}
	syscall(SYS_exit, 0);
}

/* More queues than doorbells: each ring finds its doorbell taken and connects it again. */
static void victims(void)
{
	struct rf_queue *queues[12];
	struct rf_commands *commands[12];
	struct rf_device_info info;
	struct work work;
	unsigned int i, round;
	uint64_t address;
	uint32_t error;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	rf_device_info(work.device, &info);
	CHECK(info.doorbells < 12, "%u doorbells", info.doorbells);
	for (i = 0; i < 12; i++) {
		CHECK(!rf_queue_create(work.device, RF_ENGINE_COMPUTE, 16, 0, &queues[i]),
		      "queue %u", i);
		CHECK(!rf_commands_create(queues[i], 64, RF_MEMORY_SYSTEM, &commands[i]),
		      "commands");
	}
	for (round = 1; round <= 3; round++) {
		for (i = 0; i < 12; i++)
			CHECK(!rf_queue_submit(queues[i], commands[i]), "queue %u, round %u", i,
			      round);
		for (i = 0; i < 12; i++)
			CHECK(!rf_queue_wait(queues[i], TIMEOUT), "queue %u, round %u", i, round);
	}
	do_work(&work, 1);

	/* a doorbell that was taken away is no way to ring for its next owner (S3-28) */
	for (i = 0; i < info.doorbells; i++) {
		CHECK(!rf_queue_submit(queues[i], commands[i]), "queue %u", i);
		CHECK(!rf_queue_wait(queues[i], TIMEOUT), "queue %u", i);
	}
	rf_carrier_ring(work.queue->doorbell, 9);
	for (i = 0; i < info.doorbells; i++) {
		CHECK(!rf_queue_submit(queues[i], commands[i]), "queue %u, rung by another", i);
		CHECK(!rf_queue_wait(queues[i], TIMEOUT), "queue %u, rung by another", i);
		CHECK(!rf_queue_status(queues[i], &error, &address), "queue %u: error %u", i,
		      error);
	}
	do_work(&work, 2);
}

/* Several threads of control, each a process of its own to the device. */
static void processes(void)
{
	struct work work;
	int status, i;
	uint64_t value;

	for (i = 0; i < 6; i++) {
		if (fork())
			continue;
		open_work(&work, RF_MEMORY_SYSTEM, 0);
		for (value = 1; value <= 20; value++)
			do_work(&work, value);
		exit(0);
	}
	for (i = 0; i < 6; i++)
		CHECK(wait(&status) > 0 && !status, "a process failed: status 0x%x", status);
}

static void close_all(struct work *works, unsigned int count)
{
	while (count)
		close_work(&works[--count]);
}

/* More processes than the device knows at a time, one after another. */
static void all_spaces(void)
{
	struct work works[RF_VMIDS + 4];
	const unsigned int count = sizeof(works) / sizeof(works[0]);
	unsigned int i, round;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < count; i++)
			open_work(&works[i], RF_MEMORY_LOCAL, i % 2 ? RF_QUEUE_KERNEL : 0);
		for (i = 0; i < count; i++)
			do_work(&works[i], 1 + i);
		close_all(works, count);
	}
}

/* An engine waits for ever, a thread too; killed from outside. */
static void hang(void)
{
	struct rf_commands *commands;
	struct rf_fence *never;
	struct work work;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	CHECK(!rf_fence_create(work.device, RF_FENCE_DEFAULT, 0, 0, &never), "fence");
	CHECK(!rf_commands_create(work.queue, 256, RF_MEMORY_SYSTEM, &commands), "commands");
	rf_command_wait(commands, never, 1);
	rf_command_signal(commands, work.fence, 1);
	CHECK(!rf_queue_submit(work.queue, commands), "submit");
	puts("waiting");
	fflush(stdout);
	rf_fence_wait(work.fence, 1, RF_TIMEOUT_NONE);
	CHECK(false, "the wait is over");
}

/* The device goes while a thread waits for it. */
static void removal(void)
{
	uint64_t value;
	struct work work;
	int error;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	do_work(&work, 5);
	puts("waiting");
	fflush(stdout);
	error = rf_fence_wait(work.fence, 6, TIMEOUT);
	CHECK(error == -EIO || error == -ENODEV, "the wait ends with %s", strerror(-error));
	/* What was mapped stays so, and a doorbell rings nowhere. */
	value = rf_fence_value(work.fence);
	CHECK(value == 5, "the value is %" PRIu64, value);
	*(uint64_t *)rf_memory_map(work.memory) = 9;
	CHECK(*(uint64_t *)rf_memory_map(work.memory) == 9, "memory keeps no value");
	rf_carrier_ring(work.queue->doorbell, 1);
	error = rf_queue_submit(work.queue, work.commands);
	CHECK(error == -EIO || error == -ENODEV, "a submission: %s", strerror(-error));
	error = rf_fence_signal(work.fence, 6);
	CHECK(error == -ENODEV, "a signal: %s", strerror(-error));
	close_work(&work);
}

/* Local memory after removal is a dummy page. */
static void removal_local(void)
{
	struct work work;
	int error;

	open_work(&work, RF_MEMORY_LOCAL, 0);
	do_work(&work, 5);
	puts("waiting");
	fflush(stdout);
	error = rf_fence_wait(work.fence, 6, TIMEOUT);
	CHECK(error == -EIO || error == -ENODEV, "the wait ends with %s", strerror(-error));
	*(uint64_t *)rf_memory_map(work.memory) = 9;
	close_work(&work);
}

/* --- BARs that do not answer ---------------------------------------------------------------- */

/* longest access to a BAR that met a reset of the function, which takes 100 ms */
#define RESET_NS 50000000ull

struct bars {
	struct work work;
	bool stop; /* atomic */
	uint64_t accesses, longest, wrong;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* Stores to local memory, loads of what was stored, and stores to a doorbell */
static void *access_bars(void *argument)
{
	struct bars *bars = argument;
	volatile uint64_t *word = rf_memory_map(bars->work.memory);
	struct rf_queue *queue = bars->work.queue;
	uint64_t value;

	for (value = 0; !__atomic_load_n(&bars->stop, __ATOMIC_ACQUIRE); value++) {
		const uint64_t begin = now();
		uint64_t took;

		word[value % 512] = ~value;
		bars->wrong += word[value % 512] != ~value;
		rf_carrier_ring(queue->doorbell, queue->submitted | queue->token);
		took = now() - begin;
		if (took > bars->longest)
			__atomic_store_n(&bars->longest, took, __ATOMIC_RELEASE);
		bars->accesses++;
	}
	return NULL;
}

/*
 * The function is reset while threads access its BARs: they wait or find a dummy page, and no
 * access goes to a function that does not answer, where stores are lost and loads find anything.
 * @waits: local memory stays theirs; else one store may have come before the dummy page.
 */
static void bars_through_reset(bool waits)
{
	struct bars bars[2] = { 0 };
	pthread_t threads[2];
	uint32_t error = 0;
	uint64_t address, before;
	int i, status = 0;

	for (i = 0; i < 2; i++) {
		open_work(&bars[i].work, RF_MEMORY_LOCAL, 0);
		do_work(&bars[i].work, 5);
		CHECK(!pthread_create(&threads[i], NULL, access_bars, &bars[i]), "thread");
	}
	puts("waiting");
	fflush(stdout);
	for (before = now(); !status && now() - before < time_limit(20) * SECOND; usleep(10000))
		status = rf_queue_status(bars[0].work.queue, &error, &address);
	CHECK(status == -EIO || status == -ENODEV, "the queue's status is %d", status);
	for (i = 0; i < 2 && waits; i++)
		while (__atomic_load_n(&bars[i].longest, __ATOMIC_ACQUIRE) < RESET_NS &&
		       now() - before < time_limit(20) * SECOND)
			usleep(10000);
	usleep(500000);
	for (i = 0; i < 2; i++) {
		__atomic_store_n(&bars[i].stop, true, __ATOMIC_RELEASE);
		pthread_join(threads[i], NULL);
		printf("%" PRIu64 " accesses, the longest took %" PRIu64 " ms\n", bars[i].accesses,
		       bars[i].longest / 1000000);
		CHECK(bars[i].wrong <= !waits, "%" PRIu64 " loads are wrong", bars[i].wrong);
		CHECK(!waits || bars[i].longest >= RESET_NS, "no access met the reset");
		close_work(&bars[i].work);
	}
}

static void bars_wait(void)
{
	bars_through_reset(true);
}

static void bars_go(void)
{
	bars_through_reset(false);
}

/* --- privileges and limits ------------------------------------------------------------------ */

/* Root, without one of its capabilities */
static void drop_capability(unsigned int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	CHECK(!syscall(SYS_capget, &header, data), "capget");
	data[CAP_TO_INDEX(capability)].effective &= ~CAP_TO_MASK(capability);
	CHECK(!syscall(SYS_capset, &header, data), "capset");
}

static int create_context(int fd, uint32_t priority)
{
	struct drm_ringfence_context_create create = { .node = RF_ENGINE_COPY,
						       .priority = priority };

	return ioctl(fd, DRM_IOCTL_RINGFENCE_CONTEXT_CREATE, &create) ? -errno : 0;
}

/* As root. */
static void bands(void)
{
	int fd = open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
	uint32_t band;

	CHECK(fd >= 0, "open");
	for (band = 0; band < 16; band++)
		CHECK(!create_context(fd, band), "root gets no band %u", band);
	/* it is the asker's, not the opener's */
	drop_capability(CAP_SYS_NICE);
	CHECK(!create_context(fd, DRM_RINGFENCE_PRIORITY_NORMAL), "the usual band");
	for (band = DRM_RINGFENCE_PRIORITY_NORMAL + 1; band < 16; band++)
		CHECK(create_context(fd, band) == -EACCES, "band %u without CAP_SYS_NICE", band);
	CHECK(create_context(fd, 16) == -EINVAL, "band 16");
}

/* Without capabilities. */
static void bands_of_a_user(void)
{
	int fd = open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
	uint32_t band;

	CHECK(fd >= 0, "open");
	CHECK(!create_context(fd, DRM_RINGFENCE_PRIORITY_NORMAL), "the usual band");
	for (band = DRM_RINGFENCE_PRIORITY_NORMAL + 1; band < 16; band++)
		CHECK(create_context(fd, band) == -EACCES, "band %u", band);
}

#define FILES 64 /* docs/driver.md */
#define RENDER 104 /* the group, as tools/guest makes it */

static void become(uid_t user)
{
	const gid_t render = RENDER;

	CHECK(!setgroups(1, &render) && !setgid(user) && !setuid(user), "become %u", user);
}

/* All files that a user may have; the next one is refused by the user's own limit. */
static void open_all(int fds[FILES])
{
	int i, more;

	for (i = 0; i < FILES; i++) {
		fds[i] = open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
		CHECK(fds[i] >= 0, "file %d of %d", i, FILES);
	}
	for (i = 0; i < 1000; i++) {
		more = open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
		CHECK(more < 0 && errno == EMFILE, "file %d is opened: %d", FILES + i, more);
	}
}

/* As root, who may go on; so may another user. */
static void files_of_a_user(void)
{
	int fds[FILES], sockets[2], status;
	pid_t greedy, other;
	char byte = 0;

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), "socketpair");
	greedy = fork();
	if (!greedy) {
		close(sockets[0]);
		become(1000);
		open_all(fds);
		CHECK(write(sockets[1], &byte, 1) == 1 && read(sockets[1], &byte, 1) == 1,
		      "socket");
		/* one that is closed makes room for one */
		close(fds[7]);
		fds[7] = open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
		CHECK(fds[7] >= 0, "no room again");
		exit(0);
	}
	close(sockets[1]);
	CHECK(read(sockets[0], &byte, 1) == 1, "the greedy user");
	other = fork();
	if (!other) {
		become(1001);
		kinds();
		open_all(fds);
		exit(0);
	}
	CHECK(waitpid(other, &status, 0) == other && !status, "another user: 0x%x", status);
	for (status = 0; status < FILES + 3; status++)
		CHECK(open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC) >= 0, "root: file %d",
		      status);
	CHECK(write(sockets[0], &byte, 1) == 1, "socket");
	CHECK(waitpid(greedy, &status, 0) == greedy && !status, "the greedy user: 0x%x", status);
}

/* --- other fences of Linux ---------------------------------------------------------------- */

/* A queue whose last submission waits for a fence of the CPU's. */
struct held {
	struct work work;
	struct rf_fence *gate;
	struct rf_commands *commands;
};

static void open_held(struct held *held, uint32_t queue_flags)
{
	int error;

	open_work(&held->work, RF_MEMORY_SYSTEM, queue_flags);
	CHECK(!rf_fence_create(held->work.device, RF_FENCE_DEFAULT, 0, 0, &held->gate), "fence");
	CHECK(!rf_commands_create(held->work.queue, 256, RF_MEMORY_SYSTEM, &held->commands),
	      "commands");
	rf_command_wait(held->commands, held->gate, 1);
	error = rf_queue_submit(held->work.queue, held->commands);
	CHECK(!error, "submission: %s", strerror(-error));
}

static int export(const struct held *held)
{
	int fd = -1;
	int error = rf_queue_export(held->work.queue, &fd);

	CHECK(!error, "export: %s", strerror(-error));
	return fd;
}

static bool ready(int fd, int timeout_ms)
{
	struct pollfd event = { .fd = fd, .events = POLLIN };

	CHECK(poll(&event, 1, timeout_ms) >= 0, "poll");
	return event.revents & POLLIN;
}

/* Of a fence that has signalled, newer kernels do not ask the driver for its name. */
static bool is_of_driver(const struct sync_fence_info *fence)
{
	return !strcmp(fence->driver_name, "ringfence") ||
	       (fence->status && !strcmp(fence->driver_name, "detached-driver"));
}

/* 0: not yet; 1: signalled; else the error */
static int status_of(int fd)
{
	struct sync_fence_info fence = { 0 };
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };

	CHECK(!ioctl(fd, SYNC_IOC_FILE_INFO, &info), "SYNC_IOC_FILE_INFO");
	CHECK(info.num_fences == 1 && is_of_driver(&fence), "%u fences of %s", info.num_fences,
	      fence.driver_name);
	return info.status;
}

static void wait_for(struct rf_fence *fence, uint64_t value)
{
	int error = rf_fence_wait(fence, value, TIMEOUT);

	CHECK(!error, "wait for %" PRIu64 ": %s", value, strerror(-error));
}

static void sync_file(void)
{
	static const uint32_t queues[] = { 0, RF_QUEUE_KERNEL };
	struct held held;
	unsigned int i;
	int fd, late;

	for (i = 0; i < 2; i++) {
		open_held(&held, queues[i]);
		fd = export(&held);
		CHECK(!ready(fd, 20) && status_of(fd) == 0, "it signals before its work is done");
		CHECK(!rf_fence_signal(held.gate, 1), "signal");
		CHECK(ready(fd, (int)time_limit(20000)), "it does not signal");
		CHECK(status_of(fd) == 1, "status %d", status_of(fd));
		late = export(&held);
		CHECK(status_of(late) == 1, "of what is done: status %d", status_of(late));
		rf_device_close(held.work.device);
		CHECK(status_of(fd) == 1, "after its process: status %d", status_of(fd));
	}
}

/* A point is waited for before there is anything behind it. */
static void sync_timeline(void)
{
	struct held held;
	uint32_t syncobj;
	uint64_t point = 7;
	int drm, child, status, error;

	open_held(&held, 0);
	drm = rf_device_fd(held.work.device);
	CHECK(!drmSyncobjCreate(drm, 0, &syncobj), "syncobj");
	CHECK(rf_fence_import_point(held.work.fence, 1, syncobj, point) == -EINVAL,
	      "a point without a fence is imported");
	child = fork();
	if (!child)
		_exit(drmSyncobjTimelineWait(drm, &syncobj, &point, 1, INT64_MAX,
					     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL)
			      ? 1
			      : 0);
	usleep(50000);
	error = rf_queue_export_point(held.work.queue, syncobj, point);
	CHECK(!error, "export: %s", strerror(-error));
	error = rf_fence_import_point(held.work.fence, 5, syncobj, point);
	CHECK(!error, "import: %s", strerror(-error));
	CHECK(waitpid(child, &status, WNOHANG) == 0, "the wait is over before the work");
	CHECK(rf_fence_value(held.work.fence) == 0, "the value is there before the work");
	CHECK(!rf_fence_signal(held.gate, 1), "signal");
	CHECK(waitpid(child, &status, 0) == child && !status, "the wait fails: 0x%x", status);
	CHECK(!rf_fence_wait(held.work.fence, 5, TIMEOUT), "the value does not come");

	CHECK(!drmSyncobjReset(drm, &syncobj, 1), "reset");
	CHECK(!rf_queue_export_point(held.work.queue, syncobj, 0), "binary");
	CHECK(!drmSyncobjWait(drm, &syncobj, 1, INT64_MAX, 0, NULL), "wait for a binary one");
	rf_device_close(held.work.device);
}

/* A queue of one process waits for one of another, by a sync_file. */
static void sync_import(void)
{
	struct held held;
	struct work other;
	struct rf_fence *follows;
	struct rf_commands *commands;
	uint64_t word = 0;
	int fd;

	open_held(&held, 0);
	open_work(&other, RF_MEMORY_SYSTEM, 0);
	fd = export(&held);
	CHECK(!rf_fence_create(other.device, RF_FENCE_DEFAULT, 0, 0, &follows), "fence");
	CHECK(!rf_fence_import(follows, 3, fd), "import");
	CHECK(!rf_commands_create(other.queue, 256, RF_MEMORY_SYSTEM, &commands), "commands");
	rf_command_wait(commands, follows, 3);
	rf_command_write(commands, rf_memory_address(other.memory), 77);
	CHECK(!rf_queue_submit(other.queue, commands), "submit");
	CHECK(rf_queue_wait(other.queue, SECOND / 20) == -ETIMEDOUT, "it does not wait");
	CHECK(!rf_fence_signal(held.gate, 1), "signal");
	CHECK(!rf_queue_wait(other.queue, TIMEOUT), "the import does not signal");
	CHECK(!rf_memory_read(other.memory, 0, &word, sizeof(word)) && word == 77, "no work");
	/* of what has signalled already */
	CHECK(!rf_fence_import(follows, 4, fd) && !rf_fence_wait(follows, 4, TIMEOUT), "late");
	rf_device_close(other.device);
	rf_device_close(held.work.device);
}

/* vgem, a driver of the kernel for tests of others (drm/vgem_drm.h) */
struct vgem_fence_attach {
	uint32_t handle, flags, out_fence, pad;
};

struct vgem_fence_signal {
	uint32_t fence, flags;
};

#define VGEM_FENCE_ATTACH _IOWR('d', 0x41, struct vgem_fence_attach)
#define VGEM_FENCE_SIGNAL _IOW('d', 0x42, struct vgem_fence_signal)
#define VGEM_FENCE_WRITE 1u

/* A sync_file of vgem's, and what signals it */
static int foreign_sync_file(int vgem, uint32_t *number)
{
	struct drm_mode_create_dumb create = { .width = 64, .height = 64, .bpp = 32 };
	struct dma_buf_export_sync_file export = { .flags = DMA_BUF_SYNC_RW, .fd = -1 };
	struct vgem_fence_attach attach = { .flags = VGEM_FENCE_WRITE };
	int buffer;

	CHECK(!ioctl(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create), "dumb buffer");
	attach.handle = create.handle;
	CHECK(!ioctl(vgem, VGEM_FENCE_ATTACH, &attach), "fence");
	CHECK(!drmPrimeHandleToFD(vgem, create.handle, DRM_CLOEXEC, &buffer), "dma-buf");
	CHECK(!ioctl(buffer, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export), "sync_file");
	*number = attach.out_fence;
	return export.fd;
}

/* Another driver's dma_fence signals while the device sleeps. */
static void sync_foreign(void)
{
	int vgem = open(getenv("VGEM_NODE"), O_RDWR | O_CLOEXEC);
	struct vgem_fence_signal signal = { 0 };
	struct rf_commands *commands;
	struct work work;
	uint64_t word;

	CHECK(vgem >= 0, "open vgem");
	open_work(&work, RF_MEMORY_SYSTEM, 0);
	CHECK(!rf_fence_import(work.fence, 3, foreign_sync_file(vgem, &signal.fence)), "import");
	puts("waiting");
	fflush(stdout);
	while (access("/tmp/go", F_OK))
		usleep(10000);
	CHECK(rf_fence_wait(work.fence, 3, 0) == -ETIMEDOUT, "it has signalled");
	CHECK(!ioctl(vgem, VGEM_FENCE_SIGNAL, &signal), "signal");
	wait_for(work.fence, 3);
	puts("told");
	fflush(stdout);
	while (!access("/tmp/go", F_OK))
		usleep(10000);
	/* and one that an engine waits for */
	CHECK(!rf_fence_import(work.fence, 4, foreign_sync_file(vgem, &signal.fence)), "import");
	CHECK(!rf_commands_create(work.queue, 256, RF_MEMORY_SYSTEM, &commands), "commands");
	rf_command_wait(commands, work.fence, 4);
	rf_command_write(commands, rf_memory_address(work.memory), 78);
	CHECK(!rf_queue_submit(work.queue, commands), "submit");
	CHECK(rf_queue_wait(work.queue, SECOND / 20) == -ETIMEDOUT, "it does not wait");
	CHECK(!ioctl(vgem, VGEM_FENCE_SIGNAL, &signal), "signal");
	CHECK(!rf_queue_wait(work.queue, TIMEOUT), "the queue does not go on");
	CHECK(!rf_memory_read(work.memory, 0, &word, sizeof(word)) && word == 78, "no work");
	rf_device_close(work.device);
}

static void sync_eventfd(void)
{
	struct work work;
	uint64_t count;
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	CHECK(fd >= 0, "eventfd");
	/* a value of the future */
	CHECK(!rf_fence_eventfd(work.fence, 2, fd), "request");
	do_work(&work, 1);
	CHECK(!ready(fd, 0), "it is told of 2 at 1");
	do_work(&work, 2);
	CHECK(ready(fd, (int)time_limit(20000)) && read(fd, &count, 8) == 8 && count == 1,
	      "it is not told of 2");
	CHECK(!rf_fence_eventfd(work.fence, 2, fd) && ready(fd, 0), "what has been is not told");
	CHECK(read(fd, &count, 8) == 8, "read");
	/* one that never comes */
	CHECK(!rf_fence_eventfd(work.fence, 100, fd), "request");
	rf_device_close(work.device);
	CHECK(ready(fd, 0), "it is not told that nothing will come");
}

static void sync_rules(void)
{
	struct held held;
	struct user user;
	unsigned long code;
	int fd, other = eventfd(0, EFD_CLOEXEC);

	open_held(&held, 0);
	fd = export(&held);
	open_user(&user);
	code = DRM_IOCTL_RINGFENCE_FENCE_EXPORT;
	/* no queue's; of the future; unknown; flags */
	REFUSE(&user, EINVAL, fence_export, .fence = user.fence.handle, .flags = 1);
	REFUSE(&user, EINVAL, fence_export, .fence = user.queue.progress_fence, .flags = 1,
	       .value = 1);
	REFUSE(&user, ENOENT, fence_export, .fence = 12345, .flags = 1);
	REFUSE(&user, EINVAL, fence_export, .fence = user.queue.progress_fence, .flags = 2);
	REFUSE(&user, EINVAL, fence_export, .fence = user.queue.progress_fence, .flags = 1,
	       .fd = 1);
	REFUSE(&user, EINVAL, fence_export, .fence = user.queue.progress_fence, .flags = 1,
	       .point = 1);
	REFUSE(&user, ENOENT, fence_export, .fence = user.queue.progress_fence, .syncobj = 99);
	code = DRM_IOCTL_RINGFENCE_FENCE_IMPORT;
	REFUSE(&user, ENOENT, fence_import, .fence = 12345, .flags = 1, .fd = fd);
	REFUSE(&user, EACCES, fence_import, .fence = user.queue.progress_fence, .flags = 1,
	       .fd = fd);
	REFUSE(&user, EINVAL, fence_import, .fence = user.fence.handle, .flags = 1, .fd = other);
	REFUSE(&user, EINVAL, fence_import, .fence = user.fence.handle, .flags = 2, .fd = fd);
	REFUSE(&user, EINVAL, fence_import, .fence = user.fence.handle, .fd = fd);
	REFUSE(&user, ENOENT, fence_import, .fence = user.fence.handle, .syncobj = 99);
	code = DRM_IOCTL_RINGFENCE_FENCE_EVENTFD;
	REFUSE(&user, EBADF, fence_eventfd, .fence = user.fence.handle, .fd = -1);
	REFUSE(&user, EINVAL, fence_eventfd, .fence = user.fence.handle, .fd = fd);
	REFUSE(&user, ENOENT, fence_eventfd, .fence = 12345, .fd = other);
}

/* Whatever ends a queue ends its fences, and what waits for them. */
static void sync_ends(void)
{
	struct work other;
	struct held held;
	int fd;

	open_held(&held, 0);
	fd = export(&held);
	open_work(&other, RF_MEMORY_SYSTEM, 0);
	CHECK(!rf_fence_import(other.fence, 1, fd), "import");
	rf_queue_destroy(held.work.queue);
	CHECK(status_of(fd) == -ECANCELED, "status %d", status_of(fd));
	CHECK(!rf_fence_wait(other.fence, 1, TIMEOUT), "who waits for it is not told");
	rf_device_close(held.work.device);

	open_held(&held, 0);
	fd = export(&held);
	CHECK(!rf_fence_import(other.fence, 2, fd), "import");
	rf_device_close(other.device); /* before what it follows */
	rf_device_close(held.work.device);
	CHECK(status_of(fd) == -ECANCELED, "status %d", status_of(fd));
}

/* tdr_ms is short. */
static void sync_hang(void)
{
	struct held held, slow;
	struct work trapped;
	uint32_t error;
	uint64_t address, value;
	int fd, i;

	open_held(&held, 0);
	open_held(&slow, RF_QUEUE_KERNEL);
	fd = export(&held);
	CHECK(ready(fd, (int)time_limit(20000)), "it never signals");
	CHECK(status_of(fd) == -EIO, "status %d", status_of(fd));
	CHECK(rf_queue_status(held.work.queue, &error, &address) == -EIO, "the queue is not lost");
	CHECK(rf_queue_export(held.work.queue, &fd) == -EIO, "a lost queue exports");
	/* one that stands at a breakpoint owes as well */
	open_work(&trapped, RF_MEMORY_SYSTEM, 0);
	rf_command_trap(trapped.commands, 5);
	CHECK(!rf_queue_submit(trapped.queue, trapped.commands), "submit");
	CHECK(!rf_queue_export(trapped.queue, &fd), "export");
	CHECK(ready(fd, (int)time_limit(20000)) && status_of(fd) == -EIO, "status %d",
	      status_of(fd));
	rf_device_close(trapped.device);
	/* the other one has no waiter */
	CHECK(!rf_queue_status(slow.work.queue, &error, &address), "another queue is lost");
	CHECK(!rf_fence_signal(slow.gate, 1) && !rf_queue_wait(slow.work.queue, TIMEOUT), "it");
	rf_device_close(held.work.device);
	rf_device_close(slow.work.device);

	/* a promise has its time, whatever the queue gets on with */
	open_held(&slow, 0);
	for (i = 0; i < 4; i++) {
		struct rf_commands *commands;

		CHECK(!rf_commands_create(slow.work.queue, 256, RF_MEMORY_SYSTEM, &commands),
		      "commands");
		rf_command_wait(commands, slow.gate, 2 + i);
		CHECK(!rf_queue_submit(slow.work.queue, commands), "submit");
	}
	fd = export(&slow);
	for (value = 1; value <= 2; value++) {
		CHECK(!ready(fd, 100), "it signals at %" PRIu64, value);
		CHECK(!rf_fence_signal(slow.gate, value), "signal");
	}
	CHECK(ready(fd, (int)time_limit(20000)) && status_of(fd) == -EIO, "status %d",
	      status_of(fd));
}

/* --- shared fences ---------------------------------------------------------------------------- */

static struct rf_fence *open_shared(struct work *work, int fd, uint32_t flags)
{
	struct rf_fence *fence = NULL;
	int error = rf_fence_from_fd(work->device, fd, flags, &fence);

	CHECK(!error, "open: %s", strerror(-error));
	return fence;
}

/*
 * An engine of this process stores to a fence. Its queue is lost if it may not, which may be
 * known before the submission returns.
 */
static int engine_signals(struct work *work, struct rf_fence *fence, uint64_t value)
{
	rf_commands_reset(work->commands);
	rf_command_signal(work->commands, fence, value);
	return rf_queue_submit(work->queue, work->commands);
}

/* May wait and signal, may only wait, may only signal. */
static void shared_there(int socket)
{
	struct rf_fence *all, *waits, *more, *signals;
	struct rf_fence forged; /* with rights that its handle has not */
	struct work work;
	uint32_t error;
	uint64_t address;
	int fd;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	fd = receive_fd(socket);
	all = open_shared(&work, fd, 0);
	CHECK(rf_fence_value(all) == 7, "the value is %" PRIu64, rf_fence_value(all));
	CHECK(!rf_fence_signal(all, 8), "signal");
	wait_for(all, 9);
	CHECK(!engine_signals(&work, all, 10), "submit");
	wait_for(all, 11);
	/* a right that is given up is gone */
	waits = open_shared(&work, fd, RF_FENCE_NO_SIGNAL);
	CHECK(rf_fence_signal(waits, 12) == -EACCES, "it may signal");
	rf_fence_destroy(waits);
	close(fd);

	fd = receive_fd(socket);
	signals = open_shared(&work, fd, 0);
	CHECK(rf_fence_wait(signals, 100, TIMEOUT) == -EACCES, "it may wait");
	CHECK(rf_fence_from_fd(work.device, fd, RF_FENCE_NO_SIGNAL, &more) == -EINVAL,
	      "it may do nothing, and is opened");
	CHECK(!rf_fence_signal(signals, 12), "signal");
	rf_fence_destroy(signals);
	close(fd);
	rf_fence_destroy(all);

	/* last, since its queue is lost: no handle of more rights is open in this process */
	fd = receive_fd(socket);
	waits = open_shared(&work, fd, 0);
	wait_for(waits, 13);
	CHECK(rf_fence_signal(waits, 14) == -EACCES, "it may signal");
	/* no process passes on more rights than it has */
	close(fd);
	fd = share(waits, 0);
	more = open_shared(&work, fd, 0);
	CHECK(rf_fence_signal(more, 14) == -EACCES, "what it hands on may signal");
	CHECK(engine_signals(&work, waits, 14) == -EACCES, "the library records it");
	forged = *waits;
	forged.flags = 0;
	error = (uint32_t)-engine_signals(&work, &forged, 14);
	CHECK(!error || error == EIO, "submit: %u", error);
	CHECK(rf_queue_wait(work.queue, TIMEOUT) == -EIO, "its engine may signal");
	CHECK(rf_queue_status(work.queue, &error, &address) == -EIO &&
		      error == RF_QUEUE_ERROR_TRANSLATION,
	      "error %u", error);
	CHECK(rf_fence_value(waits) == 13, "the value is %" PRIu64, rf_fence_value(waits));
	rf_device_close(work.device);

	/* the one who made it is gone, and so is every handle */
	CHECK(read(socket, &address, 1) == 0, "the other end is open");
	open_work(&work, RF_MEMORY_SYSTEM, 0);
	more = open_shared(&work, fd, 0);
	CHECK(rf_fence_value(more) == 13, "the value is %" PRIu64, rf_fence_value(more));
	rf_device_close(work.device);
	exit(0);
}

static void fence_fds(void)
{
	int sockets[2], other = eventfd(0, EFD_CLOEXEC), status;
	struct rf_fence *fence, *own, *none;
	struct work work;
	pid_t child;

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), "socketpair");
	child = fork();
	if (!child) {
		close(sockets[0]);
		shared_there(sockets[1]);
	}
	close(sockets[1]);
	open_work(&work, RF_MEMORY_SYSTEM, 0);
	CHECK(!rf_fence_create(work.device, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 7, &fence), "fence");
	CHECK(rf_fence_to_fd(work.fence, 0, &status) == -EINVAL, "what is not shared gets an fd");
	CHECK(rf_fence_to_fd(fence, RF_FENCE_NO_SIGNAL | RF_FENCE_NO_WAIT, &status) == -EINVAL,
	      "an fd that is good for nothing");
	CHECK(rf_fence_from_fd(work.device, other, 0, &none) == -EINVAL, "an eventfd is opened");
	CHECK(rf_fence_from_fd(work.device, -1, 0, &none) == -EBADF, "nothing is opened");

	send_fd(sockets[0], share(fence, 0));
	wait_for(fence, 8);
	CHECK(!engine_signals(&work, fence, 9), "submit");
	wait_for(fence, 10);
	CHECK(!rf_fence_signal(fence, 11), "signal");

	send_fd(sockets[0], share(fence, RF_FENCE_NO_WAIT));
	wait_for(fence, 12);
	other = share(fence, 0);
	own = open_shared(&work, other, 0);
	CHECK(!rf_fence_signal(own, 13) && rf_fence_value(fence) == 13, "it is another fence");

	send_fd(sockets[0], share(fence, RF_FENCE_NO_SIGNAL));
	/* handles and descriptors of this process go while the other uses its own */
	rf_device_close(work.device);
	close(other);
	usleep(100000);
	close(sockets[0]);
	CHECK(waitpid(child, &status, 0) == child && !status, "the other process: 0x%x", status);
}

/* The device goes under a descriptor. */
static void fence_fd_stays(void)
{
	struct rf_fence *fence, *again;
	struct work work;
	int fd, error;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	CHECK(!rf_fence_create(work.device, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 7, &fence), "fence");
	fd = share(fence, 0);
	puts("waiting");
	fflush(stdout);
	error = rf_fence_wait(fence, 8, TIMEOUT);
	CHECK(error == -EIO || error == -ENODEV, "the wait ends with %s", strerror(-error));
	rf_device_close(work.device);
	/* it may be there again, but not that fence */
	if (!rf_device_open(DEVICE, &work.device)) {
		error = rf_fence_from_fd(work.device, fd, 0, &again);
		CHECK(error == -EINVAL || error == -ENODEV, "it is opened: %s", strerror(-error));
		rf_device_close(work.device);
	}
	close(fd);
}

/* --- very many waits ------------------------------------------------------------------------ */

/* Waits on one fence, whose values an engine and then the CPU cover all at once, and then
 * some that end with the fence and with their files. */
struct waits {
	struct work work;
	struct rf_fence *fence; /* the same in all files */
	uint32_t event;
};

#define WAITS_FILES 4

static void begin_waits(struct waits *waits, uint64_t first, uint32_t count)
{
	uint64_t value;

	for (value = first; value < first + count; value++) {
		struct drm_ringfence_fence_value one = { .handle = waits->fence->handle,
							 .value = value };
		struct drm_ringfence_fence_wait wait = {
			.fences = { sizeof(one), 1, (uintptr_t)&one },
			.event = waits->event,
		};
		int error;

		/* those of before may still be ending */
		while ((error = rf_request(waits->work.device, DRM_RINGFENCE_FENCE_WAIT, &wait)) ==
			       -ENOSPC ||
		       error == -EDQUOT)
			usleep(10000);
		CHECK(!error, "wait for %" PRIu64 ": %s", value, strerror(-error));
	}
}

/* The event is set once for all, or told of the end. */
static int end_waits(struct waits *waits)
{
	struct drm_ringfence_event_wait wait = { .handle = waits->event,
						 .deadline = DRM_RINGFENCE_DEADLINE_NEVER };

	return rf_request(waits->work.device, DRM_RINGFENCE_EVENT_WAIT, &wait);
}

static void many_waits(uint32_t count)
{
	struct waits waits[WAITS_FILES];
	uint64_t first = 1;
	int i, round, error, fd = -1;

	for (i = 0; i < WAITS_FILES; i++) {
		struct drm_ringfence_event_create event = { 0 };

		open_work(&waits[i].work, RF_MEMORY_SYSTEM, 0);
		if (!i) {
			CHECK(!rf_fence_create(waits[i].work.device, RF_FENCE_DEFAULT,
					       RF_FENCE_SHARED, 0, &waits[i].fence),
			      "fence");
			fd = share(waits[i].fence, 0);
		} else {
			waits[i].fence = open_shared(&waits[i].work, fd, 0);
		}
		CHECK(!rf_request(waits[i].work.device, DRM_RINGFENCE_EVENT_CREATE, &event),
		      "event");
		waits[i].event = event.handle;
	}
	for (round = 0; round < 4; round++) {
		for (i = 0; i < WAITS_FILES; i++)
			begin_waits(&waits[i], first, count / WAITS_FILES);
		first += count / WAITS_FILES;
		if (round == 0)
			CHECK(!engine_signals(&waits[0].work, waits[0].fence, first - 1), "submit");
		else if (round == 1)
			CHECK(!rf_fence_signal(waits[0].fence, first - 1), "signal");
		for (i = 0; i < WAITS_FILES; i++) {
			if (round < 2)
				CHECK(!end_waits(&waits[i]), "the event is not set");
			if (round != 2)
				continue;
			rf_fence_destroy(waits[i].fence);
			waits[i].fence = waits[i].work.fence;
			while (!(error = end_waits(&waits[i]))) /* by what ended before */
				;
			CHECK(error == -ECANCELED, "it is told %s", strerror(-error));
		}
	}
	for (i = 0; i < WAITS_FILES; i++) {
		rf_device_close(waits[i].work.device);
		printf("%u waits ended, again and again\n", count / WAITS_FILES);
	}
	close(fd);
}

/* Twice what is done with interrupts off, and as many as a user may have */
static void waits_some(void)
{
	many_waits(512);
}

static void waits_all(void)
{
	many_waits(65536);
}

/* --- an engine that hangs ------------------------------------------------------------------- */

/* The copy engine, once root lets it hang at the next operation; others never notice. */
static void engine_hang(void)
{
	uint32_t error;
	uint64_t address;
	struct work work;
	int fd, status;
	pid_t innocent;

	open_work(&work, RF_MEMORY_SYSTEM, 0);
	rf_command_fill(work.commands, rf_memory_address(work.memory), 4096, 1);
	rf_command_signal(work.commands, work.fence, 1);
	innocent = fork();
	if (!innocent) {
		work_on_compute(20);
		_exit(0);
	}
	CHECK(!rf_queue_submit(work.queue, work.commands), "submit");
	CHECK(!rf_queue_export(work.queue, &fd), "export");
	CHECK(!ready(fd, 100) && status_of(fd) == 0, "the engine does not hang");
	CHECK(waitpid(innocent, &status, 0) == innocent && !status, "the other engine: 0x%x",
	      status);
	CHECK(status_of(fd) == 0, "it was reset before the other engine had shown its work");
	CHECK(ready(fd, (int)time_limit(20000)), "it never signals");
	CHECK(status_of(fd) == -EIO, "status %d", status_of(fd));
	CHECK(rf_queue_status(work.queue, &error, &address) == -EIO &&
		      error == RF_QUEUE_ERROR_ENGINE_RESET,
	      "error %u", error);
	/* the process that hung an engine has lost it, and no waiter waits for it */
	CHECK(rf_fence_value(work.fence) == UINT64_MAX, "the fence is at %" PRIu64,
	      rf_fence_value(work.fence));
	close_work(&work);
	open_work(&work, RF_MEMORY_SYSTEM, 0);
	do_work(&work, 2);
	close_work(&work);
}

/* Until it is killed, or the device goes: a file that stays. */
static void sync_stay(void)
{
	struct held held;
	int fd;

	open_held(&held, 0);
	fd = export(&held);
	puts("waiting");
	fflush(stdout);
	CHECK(ready(fd, (int)time_limit(20000)), "it never signals");
	CHECK(status_of(fd) < 0, "status %d", status_of(fd));
	rf_device_close(held.work.device);
	puts("closed");
	fflush(stdout);
	sleep(2);
	CHECK(status_of(fd) < 0, "status %d", status_of(fd));
}

/* --- sleep ------------------------------------------------------------------------------------ */

#define PATTERN_BYTES (16u << 10)

/* Until the test says so, storing to memory again and again. */
static void wait_for_go(volatile uint64_t *word)
{
	puts("waiting");
	fflush(stdout);
	while (access("/tmp/go", F_OK)) {
		(*word)++;
		usleep(10000);
	}
}

/* What is in local memory, and the engine's view of it */
static void check_pattern(struct work *work, struct rf_memory *local, uint64_t stored)
{
	const uint64_t *words = rf_memory_map(local);
	struct rf_memory *copy;
	uint64_t i, word;

	CHECK(words[0] == stored, "%" PRIu64 " stores, not %" PRIu64, words[0], stored);
	for (i = 1; i < PATTERN_BYTES / 8; i++)
		CHECK(words[i] == ~i, "word %" PRIu64 " is 0x%" PRIx64, i, words[i]);
	CHECK(!rf_memory_create(work->device, PATTERN_BYTES, RF_MEMORY_SYSTEM, &copy), "memory");
	rf_commands_reset(work->commands);
	rf_command_copy(work->commands, rf_memory_address(copy), rf_memory_address(local),
			PATTERN_BYTES);
	CHECK(!rf_queue_submit(work->queue, work->commands), "submit");
	CHECK(!rf_queue_wait(work->queue, TIMEOUT), "copy");
	words = rf_memory_map(copy);
	CHECK(words[0] == stored, "the engine sees %" PRIu64 " stores", words[0]);
	for (i = 1; i < PATTERN_BYTES / 8; i++) {
		word = words[i];
		CHECK(word == ~i, "the engine sees 0x%" PRIx64 " at %" PRIu64, word, i);
	}
	rf_memory_destroy(copy);
}

/* Memory, mappings and queues outlive the device's sleep, in the middle of work or not. */
static void sleep_through(bool busy)
{
	struct rf_memory *local;
	struct held held;
	uint64_t *words;
	uint64_t i;

	open_held(&held, RF_QUEUE_LOCAL);
	if (!busy)
		CHECK(!rf_fence_signal(held.gate, 1) && !rf_queue_wait(held.work.queue, TIMEOUT),
		      "work before");
	CHECK(!rf_memory_create(held.work.device, PATTERN_BYTES, RF_MEMORY_LOCAL, &local),
	      "memory");
	words = rf_memory_map(local);
	words[0] = 0;
	for (i = 1; i < PATTERN_BYTES / 8; i++)
		words[i] = ~i;
	wait_for_go(words);
	i = words[0];
	CHECK(i, "no store was seen");
	if (busy) {
		CHECK(rf_queue_wait(held.work.queue, 0) == -ETIMEDOUT, "the queue did not wait");
		CHECK(!rf_fence_signal(held.gate, 1), "signal");
		CHECK(!rf_queue_wait(held.work.queue, TIMEOUT), "the queue does not go on");
	}
	check_pattern(&held.work, local, i);
	do_work(&held.work, 9);
	rf_device_close(held.work.device);
}

/* Work after pauses of any length, while engines go to F1 and come back. */
static void pauses(void)
{
	static const uint32_t queues[] = { 0, RF_QUEUE_LOCAL, RF_QUEUE_KERNEL };
	struct work work;
	uint64_t value;
	int status, i;

	for (i = 0; i < 3; i++) {
		if (fork())
			continue;
		srand((unsigned int)i);
		open_work(&work, i % 2 ? RF_MEMORY_LOCAL : RF_MEMORY_SYSTEM, queues[i]);
		for (value = 1; value <= 40; value++) {
			do_work(&work, value);
			usleep((useconds_t)(rand() % 100) * 1000);
		}
		exit(0);
	}
	for (i = 0; i < 3; i++)
		CHECK(wait(&status) > 0 && !status, "a process failed: status 0x%x", status);
}

static void sleep_busy(void)
{
	sleep_through(true);
}

static void sleep_idle(void)
{
	sleep_through(false);
}

/* -------------------------------------------------------------------------------------------- */

static const struct check checks[] = {
	{ "value-page", value_page },
	{ "status-page", status_page },
	{ "progress-page", progress_page },
	{ "nothing-else", nothing_else },
	{ "mapping-rules", mapping_rules },
	{ "local-memory-is-taken", local_memory_is_taken },
	{ "request-rules", request_rules },
	{ "stale-handles", stale_handles },
	{ "fdinfo", fdinfo },
	{ "memory-stays", memory_stays },
	{ "kinds", kinds },
	{ "forked", forked },
	{ "many", many },
	{ "submits-alone", submits_alone },
	{ "victims", victims },
	{ "processes", processes },
	{ "all-spaces", all_spaces },
	{ "hang", hang },
	{ "removal", removal },
	{ "removal-local", removal_local },
	{ "bars-wait", bars_wait },
	{ "bars-go", bars_go },
	{ "bands", bands },
	{ "bands-of-a-user", bands_of_a_user },
	{ "files-of-a-user", files_of_a_user },
	{ "waits-some", waits_some },
	{ "waits-all", waits_all },
	{ "sync-file", sync_file },
	{ "sync-timeline", sync_timeline },
	{ "sync-import", sync_import },
	{ "sync-foreign", sync_foreign },
	{ "sync-eventfd", sync_eventfd },
	{ "sync-rules", sync_rules },
	{ "sync-ends", sync_ends },
	{ "sync-hang", sync_hang },
	{ "sync-stay", sync_stay },
	{ "fence-fds", fence_fds },
	{ "fence-fd-stays", fence_fd_stays },
	{ "engine-hang", engine_hang },
	{ "pauses", pauses },
	{ "sleep-busy", sleep_busy },
	{ "sleep-idle", sleep_idle },
};

int main(int argc, char **argv)
{
	return run_check(argc, argv, checks, sizeof(checks) / sizeof(checks[0]));
}
