// SPDX-License-Identifier: Apache-2.0
/*
 * Requests at random: several processes do what comes to mind with the render node for
 * some seconds. Fields are mostly of the right kind (a handle that exists, a pointer that
 * points), so that most of the driver is reached; sometimes everything is noise. It fails
 * if an access to a mapping raises SIGBUS; what else went wrong the kernel's log says.
 *
 *	RINGFENCE_NODE=/dev/dri/renderD128 fuzz SECONDS SEED PROCESSES
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drm/ringfence_drm.h"

#define KEPT 4
#define BUFFER 8192
#define ELEMENTS 4 /* of an array that makes sense */

enum kind {
	END,
	ZERO, /* flags and padding that have to be 0 */
	FLAGS, /* some bits mean something */
	SMALL,
	BYTES, /* a size */
	NUMBER,
	POINTER,
	DEADLINE,
	FENCES, /* struct drm_ringfence_array of fences and values */
	ALLOCATIONS, /* of handles of memory */
	PATCHES, /* of patch locations */
	MEMORY, /* handles, and below what comes back */
	FENCE,
	EVENT,
	QUEUE,
	CONTEXT,
	DOORBELL,
	TOKEN,
	MAPPING,
	SYNCOBJ,
	FILE_DESCRIPTOR, /* of a sync_file, eventfd or shared fence */
	KINDS,
};

struct field {
	uint16_t offset;
	uint8_t kind;
	bool out;
};

struct request {
	unsigned long code;
	struct field fields[10];
};

#define IN(type, member, kind)                                             \
	{                                                                  \
		offsetof(struct drm_ringfence_##type, member), kind, false \
	}
#define OUT(type, member, kind)                                           \
	{                                                                 \
		offsetof(struct drm_ringfence_##type, member), kind, true \
	}

static const struct request requests[] = {
	{ DRM_IOCTL_RINGFENCE_QUERY,
	  { IN(query, type, SMALL), IN(query, index, SMALL), IN(query, size, BYTES),
	    IN(query, pad, ZERO), IN(query, pointer, POINTER) } },
	{ DRM_IOCTL_RINGFENCE_MEMORY_CREATE,
	  { IN(memory_create, bytes, BYTES), IN(memory_create, flags, FLAGS),
	    OUT(memory_create, handle, MEMORY), OUT(memory_create, mmap_offset, MAPPING) } },
	{ DRM_IOCTL_RINGFENCE_MEMORY_DESTROY,
	  { IN(memory_destroy, handle, MEMORY), IN(memory_destroy, pad, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_CREATE,
	  { IN(fence_create, type, SMALL), IN(fence_create, flags, FLAGS),
	    IN(fence_create, initial_value, NUMBER), OUT(fence_create, handle, FENCE),
	    OUT(fence_create, share_token, TOKEN),
	    OUT(fence_create, mapping.current_value_mmap_offset, MAPPING) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_OPEN,
	  { IN(fence_open, share_token, TOKEN), IN(fence_open, flags, FLAGS),
	    OUT(fence_open, handle, FENCE),
	    OUT(fence_open, mapping.current_value_mmap_offset, MAPPING) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_DESTROY,
	  { IN(fence_destroy, handle, FENCE), IN(fence_destroy, pad, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_SIGNAL,
	  { IN(fence_signal, fences, FENCES), IN(fence_signal, flags, ZERO),
	    IN(fence_signal, pad, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_WAIT,
	  { IN(fence_wait, fences, FENCES), IN(fence_wait, deadline, DEADLINE),
	    IN(fence_wait, flags, FLAGS) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_WAIT,
	  { IN(fence_wait, fences, FENCES), IN(fence_wait, flags, FLAGS),
	    IN(fence_wait, event, EVENT) } },
	{ DRM_IOCTL_RINGFENCE_EVENT_CREATE,
	  { IN(event_create, flags, ZERO), OUT(event_create, handle, EVENT) } },
	{ DRM_IOCTL_RINGFENCE_EVENT_DESTROY,
	  { IN(event_destroy, handle, EVENT), IN(event_destroy, pad, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_EVENT_WAIT,
	  { IN(event_wait, handle, EVENT), IN(event_wait, flags, ZERO),
	    IN(event_wait, deadline, DEADLINE) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_CREATE,
	  { IN(queue_create, node, SMALL), IN(queue_create, flags, FLAGS),
	    IN(queue_create, context, CONTEXT), IN(queue_create, pad, ZERO),
	    OUT(queue_create, handle, QUEUE), OUT(queue_create, progress_fence, FENCE),
	    OUT(queue_create, last_queued_mmap_offset, MAPPING),
	    OUT(queue_create, progress_mapping.current_value_mmap_offset, MAPPING) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_DESTROY,
	  { IN(queue_destroy, handle, QUEUE), IN(queue_destroy, flags, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_DESTROY,
	  { IN(queue_destroy, handle, QUEUE), IN(queue_destroy, flags, FLAGS),
	    IN(queue_destroy, deadline, DEADLINE) } },
	{ DRM_IOCTL_RINGFENCE_CONTEXT_CREATE,
	  { IN(context_create, node, SMALL), IN(context_create, priority, SMALL),
	    IN(context_create, flags, ZERO), OUT(context_create, handle, CONTEXT) } },
	{ DRM_IOCTL_RINGFENCE_CONTEXT_DESTROY,
	  { IN(context_destroy, handle, CONTEXT), IN(context_destroy, pad, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_RENDER,
	  { IN(queue_render, queue, QUEUE), IN(queue_render, flags, ZERO),
	    IN(queue_render, memory, MEMORY), IN(queue_render, size, BYTES),
	    IN(queue_render, allocations, ALLOCATIONS), IN(queue_render, patches, PATCHES) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_STATUS,
	  { IN(queue_status, handle, QUEUE), IN(queue_status, pad, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_NOTIFY,
	  { IN(queue_notify, handle, QUEUE), IN(queue_notify, flags, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_DOORBELL_CREATE,
	  { IN(doorbell_create, queue, QUEUE), IN(doorbell_create, flags, ZERO),
	    IN(doorbell_create, ring_memory, MEMORY),
	    IN(doorbell_create, ring_control_memory, MEMORY),
	    IN(doorbell_create, ring_entries, BYTES), OUT(doorbell_create, handle, DOORBELL),
	    OUT(doorbell_create, doorbell_mmap_offset, MAPPING),
	    OUT(doorbell_create, status_mmap_offset, MAPPING) } },
	{ DRM_IOCTL_RINGFENCE_DOORBELL_CONNECT,
	  { IN(doorbell_connect, handle, DOORBELL), IN(doorbell_connect, flags, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_DOORBELL_DESTROY,
	  { IN(doorbell_destroy, handle, DOORBELL), IN(doorbell_destroy, pad, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_SUBMIT,
	  { IN(queue_submit, queue, QUEUE), IN(queue_submit, flags, FLAGS),
	    IN(queue_submit, memory, MEMORY), IN(queue_submit, size, BYTES) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_WAIT,
	  { IN(queue_wait, queue, QUEUE), IN(queue_wait, flags, ZERO),
	    IN(queue_wait, fences, FENCES) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_SIGNAL,
	  { IN(queue_signal, queue, QUEUE), IN(queue_signal, flags, ZERO),
	    IN(queue_signal, fences, FENCES) } },
	{ DRM_IOCTL_RINGFENCE_QUEUE_RESUME,
	  { IN(queue_resume, handle, QUEUE), IN(queue_resume, flags, ZERO) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_EXPORT,
	  { IN(fence_export, fence, FENCE), IN(fence_export, flags, SMALL),
	    IN(fence_export, value, SMALL), OUT(fence_export, fd, FILE_DESCRIPTOR) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_EXPORT,
	  { IN(fence_export, fence, FENCE), IN(fence_export, flags, ZERO),
	    IN(fence_export, value, SMALL), IN(fence_export, syncobj, SYNCOBJ),
	    IN(fence_export, point, SMALL) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_IMPORT,
	  { IN(fence_import, fence, FENCE), IN(fence_import, flags, SMALL),
	    IN(fence_import, value, SMALL), IN(fence_import, fd, FILE_DESCRIPTOR) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_IMPORT,
	  { IN(fence_import, fence, FENCE), IN(fence_import, flags, ZERO),
	    IN(fence_import, value, SMALL), IN(fence_import, syncobj, SYNCOBJ),
	    IN(fence_import, point, SMALL) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_EVENTFD,
	  { IN(fence_eventfd, fence, FENCE), IN(fence_eventfd, fd, FILE_DESCRIPTOR),
	    IN(fence_eventfd, value, SMALL) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_TO_FD,
	  { IN(fence_to_fd, fence, FENCE), IN(fence_to_fd, flags, FLAGS),
	    IN(fence_to_fd, pad, ZERO), OUT(fence_to_fd, fd, FILE_DESCRIPTOR) } },
	{ DRM_IOCTL_RINGFENCE_FENCE_FROM_FD,
	  { IN(fence_from_fd, fd, FILE_DESCRIPTOR), IN(fence_from_fd, flags, FLAGS),
	    OUT(fence_from_fd, handle, FENCE),
	    OUT(fence_from_fd, mapping.current_value_mmap_offset, MAPPING) } },
	{ DRM_IOCTL_SYNCOBJ_CREATE,
	  { { offsetof(struct drm_syncobj_create, handle), SYNCOBJ, true } } },
	{ DRM_IOCTL_SYNCOBJ_DESTROY,
	  { { offsetof(struct drm_syncobj_destroy, handle), SYNCOBJ, false } } },
};

#define REQUESTS (sizeof(requests) / sizeof(requests[0]))

static int fd = -1;
static uint64_t state;
static uint64_t kept[KINDS][KEPT]; /* of what requests gave, by kind */
static uint8_t *buffer; /* nothing behind it: sizes are at random, too */
static uint64_t tried, succeeded[REQUESTS];

static uint64_t dice(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static bool one_in(unsigned int n)
{
	return dice() % n == 0;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t pointer(void)
{
	switch (dice() % 8) {
	case 0:
		return 0;
	case 1:
		return dice();
	case 2:
		return (uintptr_t)buffer + dice() % BUFFER;
	}
	return (uintptr_t)buffer;
}

static uint64_t value_of(enum kind kind)
{
	if (one_in(40))
		return dice() >> dice() % 64;
	switch (kind) {
	case ZERO:
		return 0;
	case FLAGS:
		return one_in(3) ? 1ull << dice() % 6 : 0;
	case SMALL:
		return dice() % 4;
	case BYTES:
		return one_in(4) ? dice() % 65536 : 8ull << dice() % 11;
	case NUMBER:
		return dice() >> dice() % 64;
	case POINTER:
		return pointer();
	case DEADLINE:
		return now() + dice() % 4000000;
	default:
		return kept[kind][dice() % KEPT];
	}
}

static uint32_t fill_fence_values(struct drm_ringfence_fence_value *values)
{
	unsigned int i;

	for (i = 0; i < ELEMENTS; i++)
		values[i] = (struct drm_ringfence_fence_value){
			.handle = (uint32_t)value_of(FENCE),
			.value = dice() % 8,
		};
	return sizeof(values[0]);
}

static uint32_t fill_handles(uint32_t *handles)
{
	unsigned int i;

	for (i = 0; i < ELEMENTS; i++)
		handles[i] = (uint32_t)value_of(MEMORY);
	return sizeof(handles[0]);
}

static uint32_t fill_patches(struct drm_ringfence_patch_location *patches)
{
	unsigned int i;

	for (i = 0; i < ELEMENTS; i++)
		patches[i] = (struct drm_ringfence_patch_location){
			.allocation = (uint32_t)value_of(SMALL),
			.slot = (uint32_t)value_of(SMALL),
			.patch_offset = (uint32_t)(i * 8 + (one_in(4) ? dice() % 64 : 0)),
			.allocation_offset = value_of(BYTES),
		};
	return sizeof(patches[0]);
}

static bool is_array(enum kind kind)
{
	return kind == FENCES || kind == ALLOCATIONS || kind == PATCHES;
}

static void fill_array(enum kind kind, struct drm_ringfence_array *array)
{
	/* a request may have two */
	void *place = kind == PATCHES ? buffer + BUFFER / 2 : buffer;
	uint32_t stride = kind == FENCES	? fill_fence_values(place)
			  : kind == ALLOCATIONS ? fill_handles(place)
						: fill_patches(place);
	uint32_t least = kind == FENCES;

	array->stride = one_in(8) ? (uint32_t)dice() % 64 : stride;
	array->count = one_in(8) ? (uint32_t)dice() % 64
				 : least + (uint32_t)dice() % (ELEMENTS + 1 - least);
	array->array = one_in(8) ? pointer() : (uintptr_t)place;
}

/* All fields but mmap offsets and sizes of memory are 32 bits or may be cut to them. */
static bool is_wide(const struct request *request, const struct field *field)
{
	return field->kind == NUMBER || field->kind == POINTER || field->kind == DEADLINE ||
	       field->kind == TOKEN || field->kind == MAPPING ||
	       (field->kind == BYTES && request->code == DRM_IOCTL_RINGFENCE_MEMORY_CREATE);
}

/* Files are closed when their place is taken. */
static void keep_value(enum kind kind, uint64_t value)
{
	uint64_t *place = &kept[kind][dice() % KEPT];

	if (kind == FILE_DESCRIPTOR && *place)
		close((int)*place);
	*place = value;
}

static void forget(void)
{
	unsigned int i;

	for (i = 0; i < KEPT; i++)
		if (kept[FILE_DESCRIPTOR][i])
			close((int)kept[FILE_DESCRIPTOR][i]);
	memset(kept, 0, sizeof(kept));
	keep_value(FILE_DESCRIPTOR, (uint64_t)eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

static void keep(const struct request *request, const uint8_t *arguments)
{
	const struct field *field;

	for (field = request->fields; field->kind != END; field++) {
		uint64_t value = 0;

		if (!field->out)
			continue;
		memcpy(&value, arguments + field->offset, is_wide(request, field) ? 8 : 4);
		if (field->kind != FILE_DESCRIPTOR || value) /* exported to a syncobj */
			keep_value(field->kind, value);
	}
}

static void do_request(void)
{
	size_t number = dice() % REQUESTS;
	const struct request *request = &requests[number];
	const struct field *field;
	uint8_t arguments[256] = { 0 };
	size_t i;

	for (field = request->fields; field->kind != END; field++) {
		uint64_t value;

		if (field->out)
			continue;
		if (is_array(field->kind)) {
			fill_array(field->kind, (void *)(arguments + field->offset));
			continue;
		}
		value = value_of(field->kind);
		memcpy(arguments + field->offset, &value, is_wide(request, field) ? 8 : 4);
	}
	if (one_in(32))
		for (i = 0; i < sizeof(arguments); i++)
			arguments[i] = (uint8_t)dice();
	tried++;
	if (ioctl(fd, request->code, arguments))
		return;
	succeeded[number]++;
	keep(request, arguments);
}

/* --- mappings ------------------------------------------------------------------------ */

static sigjmp_buf after_fault;

static void fault(int number)
{
	if (number == SIGBUS) {
		static const char text[] = "fuzz: SIGBUS\n";

		(void)!write(STDOUT_FILENO, text, sizeof(text) - 1);
		_exit(1);
	}
	siglongjmp(after_fault, 1);
}

static void do_mapping(void)
{
	uint64_t offset = one_in(8) ? dice() >> dice() % 64 << 12 : value_of(MAPPING);
	size_t bytes = 4096 * (1 + dice() % 3);
	volatile uint64_t *page;

	page = mmap(NULL, bytes, one_in(3) ? PROT_READ : PROT_READ | PROT_WRITE,
		    one_in(8) ? MAP_PRIVATE : MAP_SHARED, fd, (off_t)offset);
	if (page == MAP_FAILED)
		return;
	if (!sigsetjmp(after_fault, 1)) {
		(void)page[dice() % (bytes / 8)];
		do_request();
		page[dice() % (bytes / 8)] = dice() % 4;
	}
	if (one_in(4))
		do_request();
	munmap((void *)page, bytes);
}

/* --- processes ----------------------------------------------------------------------- */

static void nothing(int number)
{
	(void)number;
}

static void fuzz(uint64_t until, uint64_t seed)
{
	const struct itimerval often = { { 0, 20000 }, { 0, 20000 } };
	struct sigaction interrupt = { .sa_handler = nothing };
	struct sigaction catch = { .sa_handler = fault };

	/* nothing waits for longer than this */
	sigaction(SIGALRM, &interrupt, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	sigaction(SIGSEGV, &catch, NULL);
	sigaction(SIGBUS, &catch, NULL);
	state = seed * 0x9e3779b97f4a7c15 + 1;
	while (now() < until) {
		if (fd < 0 || one_in(500)) {
			if (fd >= 0)
				close(fd);
			fd = open(getenv("RINGFENCE_NODE"), O_RDWR | O_CLOEXEC);
			forget();
			continue;
		}
		if (one_in(6))
			do_mapping();
		else
			do_request();
	}
}

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 0);
}

int main(int argc, char **argv)
{
	uint64_t until, i;
	int status, failed = 0;

	buffer = mmap(NULL, BUFFER + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (buffer == MAP_FAILED || mprotect(buffer, BUFFER, PROT_READ | PROT_WRITE)) {
		perror("fuzz");
		return 2;
	}
	if (argc != 4) {
		fprintf(stderr, "usage: fuzz SECONDS SEED PROCESSES\n");
		return 2;
	}
	until = now() + number(argv[1]) * 1000000000u;
	for (i = 0; i < number(argv[3]); i++) {
		if (fork())
			continue;
		fuzz(until, number(argv[2]) + i);
		printf("# %llu requests; successes by request:", (unsigned long long)tried);
		for (i = 0; i < REQUESTS; i++)
			printf(" %llu", (unsigned long long)succeeded[i]);
		puts("");
		return 0;
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
