// SPDX-License-Identifier: Apache-2.0
/* What one file or user may have, what needs a privilege, and what goes into the log. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/limit.h"
#include "fake.h"

#define USER 1000
#define OTHER 1001

static struct rf_file *open_as(struct world *world, u64 user, bool privileged)
{
	struct rf_file *file;

	assert_int_equal(rf_hosted_open_as(world->device, user, privileged, &file), 0);
	return file;
}

static struct world *world_of_many(void)
{
	struct world *world = world_create();

	world->fake.caps.process_count = 10000;
	world_start(world);
	return world;
}

/* --- the log (stderr) --------------------------------------------------------------------- */

struct log {
	int saved;
	FILE *file;
	char text[65536];
};

static void log_begin(struct log *log)
{
	fflush(stderr);
	log->saved = dup(STDERR_FILENO);
	log->file = tmpfile();
	assert_non_null(log->file);
	dup2(fileno(log->file), STDERR_FILENO);
}

static u32 log_end(struct log *log)
{
	u32 lines = 0;
	size_t bytes, i;

	fflush(stderr);
	dup2(log->saved, STDERR_FILENO);
	close(log->saved);
	rewind(log->file);
	bytes = fread(log->text, 1, sizeof(log->text) - 1, log->file);
	log->text[bytes] = 0;
	fclose(log->file);
	for (i = 0; i < bytes; i++)
		lines += log->text[i] == '\n';
	return lines;
}

/* --- privileges --------------------------------------------------------------------------- */

static int create_context(struct rf_file *file, u32 priority)
{
	struct drm_ringfence_context_create create = { .priority = priority };

	return rf_hosted_request(file, DRM_RINGFENCE_CONTEXT_CREATE, &create);
}

static void bands_that_need_a_privilege(void **state)
{
	struct world *world = world_new();
	struct rf_file *file = open_as(world, USER, false), *root = open_as(world, USER, true);
	u32 band;

	(void)state;
	for (band = 0; band < RF_PRIORITY_BANDS; band++) {
		assert_int_equal(create_context(file, band),
				 band <= DRM_RINGFENCE_PRIORITY_NORMAL ? 0 : -EACCES);
		assert_int_equal(create_context(root, band), 0);
	}
	assert_int_equal(create_context(file, RF_PRIORITY_BANDS), -EINVAL);
	/* queues without a chosen band have the highest of these */
	make_kernel_queue(file, 0);
	assert_int_equal(fake_last_queue(&world->fake)->context->arguments.priority,
			 DRM_RINGFENCE_PRIORITY_NORMAL);
	rf_hosted_close(file);
	rf_hosted_close(root);
	world_destroy(world);
}

/* --- files -------------------------------------------------------------------------------- */

static void files_of_a_user(void **state)
{
	struct world *world = world_of_many();
	struct rf_file *files[200], *other, *root;
	struct log log;
	u32 count = 0, i;
	int ret = 0;

	(void)state;
	log_begin(&log);
	while (count < ARRAY_SIZE(files) &&
	       !(ret = rf_hosted_open_as(world->device, USER, false, &files[count])))
		count++;
	log_end(&log);
	assert_int_equal(ret, -EMFILE);
	assert_int_equal(count, world->device->adapter->limits.user[KMD_LIMIT_FILES]);
	assert_non_null(strstr(log.text, "user 1000: all files together may have no more than 64 "
					 "files\n"));
	/* other users are not affected, nor is a privileged process */
	other = open_as(world, OTHER, false);
	root = open_as(world, USER, true);
	rf_hosted_close(root);
	rf_hosted_close(files[--count]);
	files[count++] = open_as(world, USER, false);
	for (i = 0; i < count; i++)
		rf_hosted_close(files[i]);
	rf_hosted_close(other);
	assert_int_equal(rf_list_empty(&world->device->adapter->users), false); /* world->file */
	world_destroy(world);
}

static void refusals_do_not_fill_the_log(void **state)
{
	struct world *world = world_of_many();
	struct rf_file *file = open_as(world, USER, false), *more;
	struct log log;
	u32 i;

	(void)state;
	world->device->adapter->limits.user[KMD_LIMIT_FILES] = 1;
	log_begin(&log);
	for (i = 0; i < 1000; i++)
		assert_int_equal(rf_hosted_open_as(world->device, USER, false, &more), -EMFILE);
	kmd_adapter_set_wedged(world->device->adapter, "what matters is still said");
	assert_in_range(log_end(&log), 1, 12);
	assert_non_null(
		strstr(log.text, "error: fatal driver error: what matters is still said\n"));
	rf_hosted_close(file);
	world_destroy(world);
}

/* --- everything else -------------------------------------------------------------------------- */

/* Makes one more; @destroy: takes the last one away. */
struct kind {
	const char *name;
	enum kmd_limit limit;
	int (*make)(struct rf_file *file, u32 *handle);
	void (*destroy)(struct rf_file *file, u32 handle);
	u64 amount; /* that one counts for */
	bool of_user; /* the file itself has no such limit */
};

static int make_memory_of(struct rf_file *file, u32 flags, u32 *handle)
{
	struct drm_ringfence_memory_create create = { .bytes = 5000, .flags = flags };
	int ret = rf_hosted_request(file, DRM_RINGFENCE_MEMORY_CREATE, &create);

	*handle = create.handle;
	return ret;
}

static int make_system(struct rf_file *file, u32 *handle)
{
	return make_memory_of(file, 0, handle);
}

static int make_local(struct rf_file *file, u32 *handle)
{
	return make_memory_of(file, DRM_RINGFENCE_MEMORY_LOCAL, handle);
}

static void destroy_memory(struct rf_file *file, u32 handle)
{
	struct drm_ringfence_memory_destroy destroy = { .handle = handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy), 0);
}

static int create_fence(struct rf_file *file, u32 *handle)
{
	struct drm_ringfence_fence_create create = { .flags = DRM_RINGFENCE_FENCE_SHARED };
	int ret = rf_hosted_request(file, DRM_RINGFENCE_FENCE_CREATE, &create);

	*handle = create.handle;
	return ret;
}

static int create_event(struct rf_file *file, u32 *handle)
{
	struct drm_ringfence_event_create create = { 0 };
	int ret = rf_hosted_request(file, DRM_RINGFENCE_EVENT_CREATE, &create);

	*handle = create.handle;
	return ret;
}

/* A wait of an event; it ends with the fence, which is made for it. */
static int begin_wait(struct rf_file *file, u32 *handle)
{
	const struct drm_ringfence_fence_value one = { .handle = make_default(file, 0), 1, 1 };
	struct drm_ringfence_fence_value value = { .handle = one.handle, .value = 1 };
	u32 event = make_event(file);
	int ret = wait_fences(file, &value, 1, 0, 0, event);

	*handle = value.handle;
	if (ret) {
		destroy_fence(file, value.handle);
		destroy_event(file, event);
	}
	return ret;
}

static int create_context_of(struct rf_file *file, u32 *handle)
{
	struct drm_ringfence_context_create create = { 0 };
	int ret = rf_hosted_request(file, DRM_RINGFENCE_CONTEXT_CREATE, &create);

	*handle = create.handle;
	return ret;
}

static void destroy_context(struct rf_file *file, u32 handle)
{
	struct drm_ringfence_context_destroy destroy = { .handle = handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_CONTEXT_DESTROY, &destroy), 0);
}

static int create_queue(struct rf_file *file, u32 *handle)
{
	struct drm_ringfence_queue_create create = { 0 };
	int ret = rf_hosted_request(file, DRM_RINGFENCE_QUEUE_CREATE, &create);

	*handle = create.handle;
	return ret;
}

static void destroy_queue(struct rf_file *file, u32 handle)
{
	struct drm_ringfence_queue_destroy destroy = { .handle = handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
}

/* With its queue, which is what is destroyed. */
static int create_doorbell(struct rf_file *file, u32 *handle)
{
	struct drm_ringfence_queue_create queue = make_queue(file, 0);
	u32 memory = make_memory(file, 4096, 0).handle;
	struct drm_ringfence_doorbell_create create = {
		.queue = queue.handle,
		.ring_memory = memory,
		.ring_control_memory = memory,
		.ring_control_offset = 2048,
		.ring_entries = 16,
	};
	int ret = rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_CREATE, &create);

	*handle = queue.handle;
	destroy_memory(file, memory);
	if (ret)
		destroy_queue(file, queue.handle);
	return ret;
}

static const struct kind kinds[] = {
	{ "memories", KMD_LIMIT_MEMORIES, make_system, destroy_memory, 1, false },
	{ "system bytes", KMD_LIMIT_SYSTEM_BYTES, make_system, destroy_memory, 8192, true },
	{ "local bytes", KMD_LIMIT_LOCAL_BYTES, make_local, destroy_memory, 8192, true },
	{ "fences", KMD_LIMIT_FENCES, create_fence, destroy_fence, 1, false },
	{ "events", KMD_LIMIT_EVENTS, create_event, destroy_event, 1, false },
	{ "waits", KMD_LIMIT_WAITS, begin_wait, destroy_fence, 1, false },
	{ "contexts", KMD_LIMIT_CONTEXTS, create_context_of, destroy_context, 1, false },
	{ "queues", KMD_LIMIT_QUEUES, create_queue, destroy_queue, 1, false },
	{ "doorbells", KMD_LIMIT_DOORBELLS, create_doorbell, destroy_queue, 1, false },
};

#define FEW 5u

/* Every kind has a default limit. */
static void everything_has_a_limit(void **state)
{
	struct world *world = world_new();
	const struct kmd_limits *limits = &world->device->adapter->limits;
	u32 i;

	(void)state;
	for (i = 0; i < KMD_LIMITS; i++)
		assert_true(limits->user[i]);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		assert_int_equal(!limits->file[kinds[i].limit], kinds[i].of_user);
	world_destroy(world);
}

/* Make them until there are enough; how many. */
static u32 fill(const struct kind *kind, struct rf_file *file, u32 *last, int *ret)
{
	u32 count = 0, handle;

	while (count <= 10 * FEW) {
		*ret = kind->make(file, &handle);
		if (*ret)
			break;
		*last = handle;
		count++;
	}
	return count;
}

static void limits_of_a_file(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct kind *kind = &kinds[i];
		struct world *world = world_new();
		/* a process that may exceed the user's limit may not exceed the file's */
		struct rf_file *file = open_as(world, USER, true), *same;
		u32 last, again;
		int ret;

		if (!kind->of_user) {
			world->device->adapter->limits.file[kind->limit] = FEW * kind->amount;
			assert_int_equal(fill(kind, file, &last, &ret), FEW);
			assert_int_equal(ret, -ENOSPC);
			kind->destroy(file, last);
			assert_int_equal(fill(kind, file, &last, &ret), 1);
			same = open_as(world, USER, false);
			assert_int_equal(kind->make(same, &again), 0);
			rf_hosted_close(same);
		}
		rf_hosted_close(file);
		world_destroy(world);
	}
}

static void limits_of_a_user(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct kind *kind = &kinds[i];
		struct world *world = world_new();
		struct rf_file *file = open_as(world, USER, false), *same, *other;
		u32 last, again;
		int ret;

		world->device->adapter->limits.user[kind->limit] = FEW * kind->amount;
		same = open_as(world, USER, false);
		assert_int_equal(kind->make(same, &again), 0);
		assert_int_equal(fill(kind, file, &last, &ret), FEW - 1);
		assert_int_equal(ret, -EDQUOT);
		kind->destroy(file, last);
		assert_int_equal(kind->make(same, &again), 0);
		assert_int_equal(kind->make(same, &again), -EDQUOT);
		/* others have their own, and a process that ends gives back what it had */
		other = open_as(world, OTHER, false);
		assert_int_equal(kind->make(other, &again), 0);
		rf_hosted_close(file);
		assert_int_equal(fill(kind, same, &last, &ret), FEW - 2);
		same->privileged = true;
		assert_int_equal(kind->make(same, &again), 0);
		rf_hosted_close(same);
		rf_hosted_close(other);
		world_destroy(world);
	}
}

static void nothing_stays_charged(void **state)
{
	struct world *world = world_new();
	struct rf_file *file = open_as(world, USER, false);
	struct kmd_user *user = kmd_user_get(world->device->adapter, USER);
	u32 i, last, round;
	int ret;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		for (round = 0; round < 3; round++)
			assert_int_equal(kinds[i].make(file, &last), 0);
	/* and what could not be made */
	world->fake.bus.no_memory = true;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].make == make_system || kinds[i].make == create_fence)
			assert_int_not_equal(kinds[i].make(file, &last), 0);
	world->fake.bus.no_memory = false;
	world->fake.fail = FAKE_CREATE_QUEUE;
	ret = create_queue(file, &last);
	assert_int_not_equal(ret, 0);
	world->fake.fail = FAKE_CREATE_CONTEXT;
	ret = create_context_of(file, &last);
	assert_int_not_equal(ret, 0);
	world->fake.fail = FAKE_CALLS;
	rf_hosted_close(file);
	for (i = 0; i < KMD_LIMITS; i++)
		assert_int_equal(user->used[i], 0);
	kmd_user_put(world->device->adapter, user);
	world_destroy(world);
}

/* A fence counts for the user who made it while it exists, and a handle for its file. */
static void a_fence_counts_for_its_maker(void **state)
{
	struct world *world = world_new();
	struct rf_file *file = open_as(world, USER, false), *other = open_as(world, OTHER, false);
	struct kmd_user *user = kmd_user_get(world->device->adapter, USER);
	struct drm_ringfence_fence_create fence =
		make_fence(file, DRM_RINGFENCE_FENCE_DEFAULT, DRM_RINGFENCE_FENCE_SHARED, 0);
	struct drm_ringfence_fence_open open = { .share_token = fence.share_token };

	(void)state;
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	rf_hosted_close(file);
	assert_int_equal(user->used[KMD_LIMIT_FENCES], 1);
	assert_int_equal(other->file->used[KMD_LIMIT_FENCES], 1);
	assert_int_equal(other->file->user->used[KMD_LIMIT_FENCES], 0);
	destroy_fence(other, open.handle);
	assert_int_equal(user->used[KMD_LIMIT_FENCES], 0);
	kmd_user_put(world->device->adapter, user);
	rf_hosted_close(other);
	world_destroy(world);
}

static void packets(void **state)
{
	struct world *world = world_new();
	struct rf_file *file = open_as(world, USER, false), *other = open_as(world, OTHER, false);
	struct drm_ringfence_queue_create queues[2], others;
	u32 memory = make_memory(file, 4096, 0).handle, fence = make_default(file, 0), count = 0;
	u32 its = make_memory(other, 4096, 0).handle;

	(void)state;
	queues[0] = make_kernel_queue(file, 0);
	queues[1] = make_kernel_queue(file, 1);
	others = make_kernel_queue(other, 0);
	world->device->adapter->limits.file[KMD_LIMIT_PACKETS] = FEW;
	assert_int_equal(queue_wait(file, queues[0].handle, fence, 1), 0);
	for (count = 1; !submit_empty(file, queues[count % 2].handle, memory); count++)
		assert_in_range(count, 1, FEW);
	assert_int_equal(count, FEW);
	assert_int_equal(submit_empty(file, queues[1].handle, memory), -EAGAIN);
	assert_int_equal(queue_wait(file, queues[0].handle, fence, 1), -EAGAIN);
	assert_int_equal(queue_signal(file, queues[0].handle, fence, 1), -EAGAIN);
	assert_int_equal(queue_wait(file, queues[0].handle, fence, 0), -EAGAIN);
	assert_int_equal(submit_empty(other, others.handle, its), 0);
	/* the wait is over, and so there is room for one */
	assert_int_equal(signal_fence(file, fence, 1), 0);
	/* what needs no packet leaves none behind */
	assert_int_equal(queue_wait(file, queues[0].handle, fence, 1), 0);
	assert_int_equal(submit_empty(file, queues[1].handle, memory), 0);
	assert_int_equal(submit_empty(file, queues[1].handle, memory), -EAGAIN);
	rf_hosted_close(file);
	rf_hosted_close(other);
	world_destroy(world);
}

/* Waits of the shell's objects: dma_fences and eventfds. */
static void told(void *argument, int result)
{
	(void)result;
	++*(u32 *)argument;
}

static void waits_of_functions(void **state)
{
	struct world *world = world_new();
	struct rf_file *file = open_as(world, USER, false);
	u32 fence = make_default(file, 0), calls = 0, i;

	(void)state;
	world->device->adapter->limits.file[KMD_LIMIT_WAITS] = FEW;
	for (i = 0; i < FEW; i++)
		assert_int_equal(kmd_fence_notify(file->file, fence, 1, false, told, &calls), 0);
	assert_int_equal(kmd_fence_notify(file->file, fence, 1, false, told, &calls), -ENOSPC);
	assert_int_equal(kmd_file_charge_wait(file->file), -ENOSPC);
	assert_int_equal(calls, 0);
	assert_int_equal(signal_fence(file, fence, 1), 0);
	assert_int_equal(calls, FEW);
	for (i = 0; i < 2 * FEW; i++) /* over at once */
		assert_int_equal(kmd_fence_notify(file->file, fence, 1, false, told, &calls), 0);
	assert_int_equal(file->file->used[KMD_LIMIT_WAITS], 0);
	rf_hosted_close(file);
	world_destroy(world);
}

/* --- reports ------------------------------------------------------------------------------- */

static int wait_debug(struct rf_file *file, u32 fence)
{
	const struct drm_ringfence_fence_value one = { .handle = fence, .value = 77 };
	struct drm_ringfence_fence_wait wait = {
		.fences = { sizeof(one), 1, (uintptr_t)&one },
		.deadline = RF_TIME_NEVER,
		.debug_timeout = 1,
	};

	return rf_hosted_request(file, DRM_RINGFENCE_FENCE_WAIT, &wait);
}

static void a_report_is_about_ones_own(void **state)
{
	struct world *world = world_new();
	struct rf_file *file = open_as(world, USER, false), *other = open_as(world, OTHER, false);
	u32 fence = make_default(file, 0),
	    event = wait_event(other, make_default(other, 4711), 4712);
	struct log log;
	u32 i;

	(void)state;
	make_kernel_queue(other, 1);
	make_kernel_queue(file, 0);
	log_begin(&log);
	assert_int_equal(wait_debug(file, fence), -ETIME);
	log_end(&log);
	assert_non_null(strstr(log.text, "least value waited for: 77\n"));
	assert_non_null(strstr(log.text, "on node 0"));
	assert_null(strstr(log.text, "4711"));
	assert_null(strstr(log.text, "4712"));
	assert_null(strstr(log.text, "on node 1"));
	destroy_event(other, event);

	/* it is short, and there are few */
	for (i = 0; i < 1000; i++)
		make_default(file, i);
	log_begin(&log);
	assert_int_equal(wait_debug(file, fence), -ETIME);
	assert_in_range(log_end(&log), RF_LOG_REPORT_LINES / 2, RF_LOG_REPORT_LINES);
	assert_non_null(strstr(log.text, "least value waited for: 77\n"));
	assert_non_null(strstr(log.text, " more\n"));
	log_begin(&log);
	for (i = 0; i < 100; i++)
		assert_int_equal(wait_debug(file, fence), -ETIME);
	assert_in_range(log_end(&log), 1, 10 * RF_LOG_REPORT_LINES);
	rf_hosted_close(file);
	rf_hosted_close(other);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("bands-that-need-a-privilege", bands_that_need_a_privilege),
		TEST("files-of-a-user", files_of_a_user),
		TEST("refusals-do-not-fill-the-log", refusals_do_not_fill_the_log),
		TEST("everything-has-a-limit", everything_has_a_limit),
		TEST("limits-of-a-file", limits_of_a_file),
		TEST("limits-of-a-user", limits_of_a_user),
		TEST("nothing-stays-charged", nothing_stays_charged),
		TEST("a-fence-counts-for-its-maker", a_fence_counts_for_its_maker),
		TEST("packets", packets),
		TEST("waits-of-functions", waits_of_functions),
		TEST("a-report-is-about-ones-own", a_report_is_about_ones_own),
	};

	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
