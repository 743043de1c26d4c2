// SPDX-License-Identifier: Apache-2.0
/*
 * What a hostile process does to others' requests and to the end of the device.
 *
 *	life stuck    threads in requests whose arrays never come into memory, until killed
 *	life loops    threads that make, export, wait, share and map, and others that destroy
 *	              and close, on a device that may go at any time, until /tmp/stop is there
 *
 * RINGFENCE_NODE is the render node. Whether the kernel is content is for its log.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drm/ringfence_drm.h"

#define PAGE 4096
#define NODE_VECTOR 0

static int open_node(void)
{
	return open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
}

static uint64_t soon(uint64_t milliseconds)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + milliseconds * 1000000u;
}

/* --- arrays that never come ----------------------------------------------------------------- */

struct stuck {
	int fd;
	uint32_t queue, packets, memory, fence; /* handles */
	struct drm_ringfence_array array;
};

/* Again and again: to be frozen for a suspension interrupts an access. */
static void repeat(int fd, unsigned long code, const void *request, size_t bytes)
{
	char copy[128];

	for (;;) {
		memcpy(copy, request, bytes);
		ioctl(fd, code, copy);
	}
}

#define REPEAT(stuck, name, ...)                                                            \
	do {                                                                                \
		const __typeof__(__VA_ARGS__) request = __VA_ARGS__;                        \
		repeat((stuck)->fd, DRM_IOCTL_RINGFENCE_##name, &request, sizeof(request)); \
	} while (0)

static void *stuck_wait(void *argument)
{
	struct stuck *stuck = argument;

	REPEAT(stuck, FENCE_WAIT, (struct drm_ringfence_fence_wait){ .fences = stuck->array });
	return NULL;
}

static void *stuck_signal(void *argument)
{
	struct stuck *stuck = argument;

	REPEAT(stuck, FENCE_SIGNAL, (struct drm_ringfence_fence_signal){ .fences = stuck->array });
	return NULL;
}

static void *stuck_queue_wait(void *argument)
{
	struct stuck *stuck = argument;

	REPEAT(stuck, QUEUE_WAIT,
	       (struct drm_ringfence_queue_wait){ .queue = stuck->queue, .fences = stuck->array });
	return NULL;
}

static void *stuck_queue_signal(void *argument)
{
	struct stuck *stuck = argument;

	REPEAT(stuck, QUEUE_SIGNAL,
	       (struct drm_ringfence_queue_signal){ .queue = stuck->queue,
						    .fences = stuck->array });
	return NULL;
}

static void *stuck_allocations(void *argument)
{
	struct stuck *stuck = argument;

	REPEAT(stuck, QUEUE_RENDER,
	       (struct drm_ringfence_queue_render){
		       .queue = stuck->packets,
		       .memory = stuck->memory,
		       .size = 64,
		       .allocations = { sizeof(uint32_t), 1, stuck->array.array } });
	return NULL;
}

static void *stuck_patches(void *argument)
{
	struct stuck *stuck = argument;

	REPEAT(stuck, QUEUE_RENDER,
	       (struct drm_ringfence_queue_render){
		       .queue = stuck->packets,
		       .memory = stuck->memory,
		       .size = 64,
		       .patches = { sizeof(struct drm_ringfence_patch_location), 1,
				    stuck->array.array } });
	return NULL;
}

static void *stuck_answer(void *argument)
{
	struct stuck *stuck = argument;

	REPEAT(stuck, QUERY,
	       (struct drm_ringfence_query){ .type = DRM_RINGFENCE_QUERY_ADAPTER,
					     .size = sizeof(struct drm_ringfence_adapter_info),
					     .pointer = stuck->array.array });
	return NULL;
}

/* A page that is never filled; the descriptor reports faults. */
static int make_page(void **page)
{
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };
	int uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	*page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uintptr_t)*page;
	range.range.len = PAGE;
	if (uffd < 0 || *page == MAP_FAILED || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &range)) {
		perror("userfaultfd");
		exit(1);
	}
	return uffd;
}

static int stuck(void)
{
	static void *(*const functions[])(void *argument) = {
		stuck_wait,	   stuck_signal,  stuck_queue_wait, stuck_queue_signal,
		stuck_allocations, stuck_patches, stuck_answer,
	};
	struct drm_ringfence_queue_create queue = { .node = NODE_VECTOR };
	struct drm_ringfence_queue_create packets = { .node = NODE_VECTOR,
						      .flags = DRM_RINGFENCE_QUEUE_PACKETS };
	struct drm_ringfence_memory_create memory = { .bytes = PAGE };
	struct stuck stuck = { .fd = open_node() };
	unsigned int i, faults = 0;
	pthread_t thread;
	void *page;
	int uffd = make_page(&page);

	if (stuck.fd < 0 || ioctl(stuck.fd, DRM_IOCTL_RINGFENCE_QUEUE_CREATE, &queue) ||
	    ioctl(stuck.fd, DRM_IOCTL_RINGFENCE_QUEUE_CREATE, &packets) ||
	    ioctl(stuck.fd, DRM_IOCTL_RINGFENCE_MEMORY_CREATE, &memory)) {
		perror("objects");
		return 1;
	}
	stuck.queue = queue.handle;
	stuck.packets = packets.handle;
	stuck.memory = memory.handle;
	stuck.array = (struct drm_ringfence_array){
		.stride = sizeof(struct drm_ringfence_fence_value),
		.count = 1,
		.array = (uintptr_t)page,
	};
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		pthread_create(&thread, NULL, functions[i], &stuck);
	while (faults < i) {
		struct uffd_msg message;

		if (read(uffd, &message, sizeof(message)) == sizeof(message))
			faults += message.event == UFFD_EVENT_PAGEFAULT;
	}
	printf("waiting\n");
	fflush(stdout);
	for (;;)
		pause();
}

/* --- loops --------------------------------------------------------------------------------- */

#define PROCESSES 3
#define MAKERS 2
#define PLACES 8

enum kind { QUEUE, FENCE, EVENT, MEMORY, KINDS };

/* What was done in all processes: each of it has to be. Atomic. */
enum deed {
	TURNS,
	QUEUES,
	EXPORTS,
	IMPORTS,
	SHARES,
	MAPPINGS,
	WAITS,
	EVENT_WAITS,
	ENDLESS_WAITS,
	LOSSES,
	DEEDS
};
static const char *const deed_names[DEEDS] = {
	[TURNS] = "turns",
	[QUEUES] = "queues",
	[EXPORTS] = "values exported",
	[IMPORTS] = "values imported",
	[SHARES] = "shared fences opened",
	[MAPPINGS] = "memories mapped",
	[WAITS] = "waits timed out",
	[EVENT_WAITS] = "waits of events",
	[ENDLESS_WAITS] = "waits without a deadline ended",
	[LOSSES] = "files that lost the device",
};
static uint32_t *deeds;

static void did(enum deed deed)
{
	__atomic_add_fetch(&deeds[deed], 1, __ATOMIC_RELAXED);
}

/**
 * struct loops - of one process and one open file
 * @fd: file
 * @stop: its threads are to end; atomic
 * @handles: of what there is, which anybody may destroy; atomic
 * @turns: done so far; atomic
 * @other: a file of the same process that opens shared fences
 */
struct loops {
	int fd, other;
	bool stop;
	uint32_t handles[KINDS][PLACES];
	uint32_t turns;
};

static bool done(void)
{
	return !access("/tmp/stop", F_OK);
}

static int ask(struct loops *loops, unsigned long code, void *request)
{
	int ret = ioctl(loops->fd, code, request);

	if (ret && errno == ENODEV && !__atomic_exchange_n(&loops->stop, true, __ATOMIC_ACQ_REL))
		did(LOSSES);
	return ret;
}

#define ASK(loops, name, request) ask(loops, DRM_IOCTL_RINGFENCE_##name, request)

static void destroy(struct loops *loops, enum kind kind, uint32_t handle)
{
	struct drm_ringfence_queue_destroy queue = { .handle = handle };
	struct drm_ringfence_fence_destroy fence = { .handle = handle };
	struct drm_ringfence_event_destroy event = { .handle = handle };
	struct drm_ringfence_memory_destroy memory = { .handle = handle };

	if (!handle)
		return;
	switch (kind) {
	case QUEUE:
		ASK(loops, QUEUE_DESTROY, &queue);
		break;
	case FENCE:
		ASK(loops, FENCE_DESTROY, &fence);
		break;
	case EVENT:
		ASK(loops, EVENT_DESTROY, &event);
		break;
	default:
		ASK(loops, MEMORY_DESTROY, &memory);
		break;
	}
}

static void publish(struct loops *loops, enum kind kind, uint32_t place, uint32_t handle)
{
	destroy(loops, kind,
		__atomic_exchange_n(&loops->handles[kind][place % PLACES], handle,
				    __ATOMIC_ACQ_REL));
}

static uint32_t pick(struct loops *loops, enum kind kind, uint32_t place)
{
	return __atomic_load_n(&loops->handles[kind][place % PLACES], __ATOMIC_ACQUIRE);
}

/* A value that the queue has not reached becomes a sync_file, which a fence is to follow. */
static void export_value(struct loops *loops, uint32_t progress, uint32_t turn)
{
	struct drm_ringfence_fence_export export = { .fence = progress,
						     .value = 1,
						     .flags = DRM_RINGFENCE_SYNC_FILE };
	struct drm_ringfence_fence_import import = { .fence = pick(loops, FENCE, turn),
						     .value = turn,
						     .flags = DRM_RINGFENCE_SYNC_FILE };

	if (ASK(loops, FENCE_EXPORT, &export))
		return;
	did(EXPORTS);
	import.fd = export.fd;
	if (!ASK(loops, FENCE_IMPORT, &import))
		did(IMPORTS);
	close(export.fd);
}

static void make_queue(struct loops *loops, uint32_t turn)
{
	struct drm_ringfence_queue_create create = {
		.node = NODE_VECTOR,
		.flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
	};
	uint64_t *page;

	if (ASK(loops, QUEUE_CREATE, &create))
		return;
	did(QUEUES);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, loops->fd,
		    (off_t)create.last_queued_mmap_offset);
	if (page != MAP_FAILED) {
		__atomic_store_n(page, 1, __ATOMIC_RELEASE);
		munmap(page, PAGE);
	}
	export_value(loops, create.progress_fence, turn);
	publish(loops, QUEUE, turn, create.handle);
	export_value(loops, create.progress_fence, turn);
}

static void make_fence(struct loops *loops, uint32_t turn)
{
	struct drm_ringfence_fence_create create = { .flags = DRM_RINGFENCE_FENCE_SHARED };
	struct drm_ringfence_fence_to_fd share = { 0 };
	struct drm_ringfence_fence_from_fd open = { 0 };
	struct drm_ringfence_fence_destroy close_it = { 0 };

	if (ASK(loops, FENCE_CREATE, &create))
		return;
	share.fence = create.handle;
	publish(loops, FENCE, turn, create.handle);
	if (ASK(loops, FENCE_TO_FD, &share))
		return;
	open.fd = share.fd;
	if (!ioctl(loops->other, DRM_IOCTL_RINGFENCE_FENCE_FROM_FD, &open)) {
		did(SHARES);
		close_it.handle = open.handle;
		if (turn % 2)
			ioctl(loops->other, DRM_IOCTL_RINGFENCE_FENCE_DESTROY, &close_it);
	}
	close(share.fd);
}

static void make_memory(struct loops *loops, uint32_t turn)
{
	struct drm_ringfence_memory_create create = {
		.bytes = PAGE,
		.flags = turn % 2 ? DRM_RINGFENCE_MEMORY_LOCAL : 0,
	};
	uint64_t *page;

	if (ASK(loops, MEMORY_CREATE, &create))
		return;
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, loops->fd,
		    (off_t)create.mmap_offset);
	publish(loops, MEMORY, turn, create.handle);
	if (page == MAP_FAILED)
		return;
	did(MAPPINGS);
	__atomic_store_n(page, turn, __ATOMIC_RELEASE);
	munmap(page, PAGE);
}

static void wait_for(struct loops *loops, uint32_t turn)
{
	struct drm_ringfence_fence_value one = { .handle = pick(loops, FENCE, turn),
						 .value = UINT64_MAX };
	const struct drm_ringfence_array fences = { sizeof(one), 1, (uintptr_t)&one };
	struct drm_ringfence_fence_wait wait = { .fences = fences, .deadline = soon(5) };
	struct drm_ringfence_fence_wait set = { .fences = fences,
						.event = pick(loops, EVENT, turn) };
	struct drm_ringfence_event_wait event = { .handle = pick(loops, EVENT, turn),
						  .deadline = soon(5) };

	if (ASK(loops, FENCE_WAIT, &wait) && errno == ETIMEDOUT)
		did(WAITS);
	if (!ASK(loops, FENCE_WAIT, &set))
		did(EVENT_WAITS);
	ASK(loops, EVENT_WAIT, &event);
}

static void *make(void *argument)
{
	struct loops *loops = argument;
	uint32_t turn;

	for (turn = 1; !__atomic_load_n(&loops->stop, __ATOMIC_ACQUIRE); turn++) {
		struct drm_ringfence_event_create event = { 0 };

		make_queue(loops, turn);
		make_fence(loops, turn);
		make_memory(loops, turn);
		if (!ASK(loops, EVENT_CREATE, &event))
			publish(loops, EVENT, turn, event.handle);
		wait_for(loops, turn);
		did(TURNS);
		if (__atomic_add_fetch(&loops->turns, 1, __ATOMIC_RELAXED) > 300 || done())
			__atomic_store_n(&loops->stop, true, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* As long as it takes: only the event's end, or the device's, ends that. */
static void *wait_for_ever(void *argument)
{
	struct loops *loops = argument;
	uint32_t turn;

	for (turn = 0; !__atomic_load_n(&loops->stop, __ATOMIC_ACQUIRE); turn++) {
		struct drm_ringfence_event_wait wait = {
			.handle = pick(loops, EVENT, turn),
			.deadline = DRM_RINGFENCE_DEADLINE_NEVER,
		};

		if (ASK(loops, EVENT_WAIT, &wait) && (errno == ENODEV || errno == ECANCELED))
			did(ENDLESS_WAITS);
	}
	return NULL;
}

static void *unmake(void *argument)
{
	struct loops *loops = argument;
	uint32_t turn = 0;

	while (!__atomic_load_n(&loops->stop, __ATOMIC_ACQUIRE)) {
		publish(loops, (enum kind)(turn % KINDS), turn / KINDS, 0);
		turn += 5;
		usleep(1000);
	}
	return NULL;
}

/* One open file; what is left in it ends with it. */
static void loops_of_a_file(void)
{
	static void *(*const functions[])(void *argument) = { make, make, wait_for_ever, unmake };
	pthread_t threads[sizeof(functions) / sizeof(functions[0])];
	struct loops loops = { .fd = open_node(), .other = open_node() };
	unsigned int i, kind;

	if (loops.fd < 0 || loops.other < 0) {
		usleep(20000);
		goto close_files;
	}
	for (i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
		pthread_create(&threads[i], NULL, functions[i], &loops);
	for (i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		if (functions[i] != wait_for_ever) {
			pthread_join(threads[i], NULL);
			continue;
		}
		while (!__atomic_load_n(&loops.stop, __ATOMIC_ACQUIRE))
			usleep(1000);
		for (kind = 0; kind < PLACES; kind++)
			publish(&loops, EVENT, kind, 0);
		pthread_join(threads[i], NULL);
	}
close_files:
	if (loops.fd >= 0)
		close(loops.fd);
	if (loops.other >= 0)
		close(loops.other);
}

/* For the test, which has them do some between whatever it does to the device */
static void tell_turns(void)
{
	FILE *file = fopen("/tmp/turns.new", "w");

	if (!file)
		return;
	fprintf(file, "%u\n", deeds[TURNS]);
	fclose(file);
	rename("/tmp/turns.new", "/tmp/turns");
}

static int loops(void)
{
	unsigned int i;
	int status = 0, bad = 0;

	deeds = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (deeds == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	for (i = 0; i < PROCESSES; i++)
		if (!fork()) {
			while (!done())
				loops_of_a_file();
			_exit(0);
		}
	printf("waiting\n");
	fflush(stdout);
	while (waitpid(-1, &status, WNOHANG) >= 0) {
		bad |= status;
		status = 0;
		tell_turns();
		usleep(50000);
	}
	for (i = 0; i < DEEDS; i++) {
		printf("%u %s\n", deeds[i], deed_names[i]);
		bad |= !deeds[i];
	}
	return !!bad;
}

int main(int count, char **arguments)
{
	if (count == 2 && !strcmp(arguments[1], "stuck"))
		return stuck();
	if (count == 2 && !strcmp(arguments[1], "loops"))
		return loops();
	fprintf(stderr, "usage: life stuck|loops\n");
	return 2;
}
