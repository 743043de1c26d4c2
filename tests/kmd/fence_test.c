// SPDX-License-Identifier: Apache-2.0
/* Life, handles and storage of native fences, and what processes see of them. */
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "fake.h"

static struct rf_file *open_process(struct world *world)
{
	struct rf_file *file;

	assert_int_equal(rf_hosted_open(world->device, &file), 0);
	return file;
}

static struct drm_ringfence_fence_open open_fence(struct rf_file *file, u64 token)
{
	struct drm_ringfence_fence_open open = { .share_token = token };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	return open;
}

/* The fake's mapping of an address of the system process */
static struct fake_mapping *system_mapping(struct fake *fake, u64 address)
{
	struct fake_mapping *mapping;

	rf_list_for_each(mapping, &fake->mappings, link)
		if (!mapping->h_process && address - mapping->address < mapping->mem->bytes)
			return mapping;
	fail_msg("not mapped");
	return NULL;
}

static struct rf_mem *current_mem(struct fake *fake, const struct fake_fence *fence)
{
	return system_mapping(fake, fence->arguments.current_value_system_process_gpu_va)->mem;
}

static struct rf_mem *monitored_mem(struct fake *fake, const struct fake_fence *fence)
{
	return system_mapping(fake, fence->arguments.monitored_value_system_process_gpu_va)->mem;
}

/* --- life ---------------------------------------------------------------------------- */

static void create_then_open_then_close_then_destroy(void **state)
{
	static const enum fake_call expected[] = {
		FAKE_CREATE_FENCE,
		FAKE_OPEN_FENCE,
		FAKE_CLOSE_FENCE,
		FAKE_DESTROY_FENCE,
	};
	struct world *world = world_new();
	u32 begin = world->fake.diary_length;
	u32 fence = make_default(world->file, 0);

	(void)state;
	assert_int_equal(world->fake.diary_length - begin, 2);
	destroy_fence(world->file, fence);
	assert_int_equal(world->fake.diary_length - begin, 4);
	assert_memory_equal(&world->fake.diary[begin], expected, sizeof(expected));
	world_destroy(world);
}

static void second_process_only_opens(void **state)
{
	struct world *world = world_new();
	struct rf_file *other = open_process(world);
	struct drm_ringfence_fence_create created =
		make_fence(world->file, 0, DRM_RINGFENCE_FENCE_SHARED, 7);
	struct fake_fence *hw = fake_last_fence(&world->fake);
	struct drm_ringfence_fence_open opened = open_fence(other, created.share_token);
	u32 event = wait_event(other, opened.handle, 8);

	(void)state;
	assert_int_equal(world->fake.calls[FAKE_CREATE_FENCE], 1);
	assert_int_equal(world->fake.calls[FAKE_OPEN_FENCE], 2);
	assert_int_equal(hw->opens, 2);

	/* the first goes, the second goes on */
	destroy_fence(world->file, created.handle);
	assert_int_equal(hw->opens, 1);
	assert_int_equal(world->fake.calls[FAKE_DESTROY_FENCE], 0);
	assert_int_equal(look(other, event), -ETIMEDOUT);
	fake_signal(&world->fake, hw, 8);
	assert_int_equal(look(other, event), 0);

	destroy_fence(other, opened.handle);
	assert_int_equal(world->fake.calls[FAKE_DESTROY_FENCE], 1);
	assert_int_equal(world->fake.diary[world->fake.diary_length - 1], FAKE_DESTROY_FENCE);
	assert_int_equal(world->fake.diary[world->fake.diary_length - 2], FAKE_CLOSE_FENCE);
	rf_hosted_close(other);
	world_destroy(world);
}

static void close_of_the_process_ends_all(void **state)
{
	struct world *world = world_new();
	struct rf_file *other = open_process(world);
	u64 token = make_fence(other, 0, DRM_RINGFENCE_FENCE_SHARED, 0).share_token;
	struct drm_ringfence_fence_open opened = open_fence(world->file, token);
	struct rig rig = make_rig(other, 0);
	u32 event;

	(void)state;
	(void)rig;
	make_default(other, 0);
	event = wait_event(other, make_default(other, 0), 5);
	(void)event;
	make_memory(other, 10000, DRM_RINGFENCE_MEMORY_LOCAL);
	rf_hosted_close(other);
	/* what is shared lives on */
	assert_int_equal(signal_fence(world->file, opened.handle, 3), 0);
	world_destroy(world); /* checks that nothing is left */
}

static void token_dies_with_the_fence(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_fence_create shared =
		make_fence(world->file, 0, DRM_RINGFENCE_FENCE_SHARED, 0);
	struct drm_ringfence_fence_open open = { .share_token = shared.share_token };

	(void)state;
	assert_int_equal(make_fence(world->file, 0, 0, 0).share_token, 0);
	assert_int_not_equal(shared.share_token, 0);
	destroy_fence(world->file, shared.handle);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_OPEN, &open), -ENOENT);
	open.share_token = 0;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_OPEN, &open), -ENOENT);
	world_destroy(world);
}

static void failures_leave_nothing(void **state)
{
	static const enum fake_call calls[] = {
		FAKE_CREATE_FENCE,
		FAKE_OPEN_FENCE,
		FAKE_CREATE_QUEUE,
		FAKE_SET_LOG,
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		struct world *world = world_new();
		struct drm_ringfence_fence_create fence = { 0 };
		struct drm_ringfence_queue_create queue = {
			.flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
		};
		bool of_queue = calls[i] == FAKE_CREATE_QUEUE || calls[i] == FAKE_SET_LOG;

		world->fake.fail = calls[i];
		if (of_queue)
			assert_int_equal(
				rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_CREATE, &queue),
				-EIO);
		else
			assert_int_equal(
				rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_CREATE, &fence),
				-EIO);
		assert_true(rf_list_empty(&world->fake.mappings));
		assert_int_equal(world->fake.bus.mapped, 0);
		world->fake.fail = FAKE_CALLS;
		make_queue(world->file, 0); /* and the next one works */
		world_destroy(world);
	}
}

/* --- handles --------------------------------------------------------------------------- */

static void stale_handles_are_rejected(void **state)
{
	struct world *world = world_new();
	u32 first = make_default(world->file, 0);
	u32 handle = first;
	u32 i;

	(void)state;
	for (i = 0; i < 200; i++) {
		u32 old = handle;

		destroy_fence(world->file, handle);
		assert_int_equal(signal_fence(world->file, handle, 1), -ENOENT);
		handle = make_default(world->file, 0);
		assert_int_not_equal(handle, old);
		assert_int_not_equal(handle, first);
		assert_int_equal(signal_fence(world->file, old, 1), -ENOENT);
		assert_int_equal(signal_fence(world->file, first, 1), -ENOENT);
	}
	world_destroy(world);
}

static void handles_are_of_one_process_and_one_kind(void **state)
{
	struct world *world = world_new();
	struct rf_file *other = open_process(world);
	u32 fence = make_default(world->file, 0);
	u32 event = make_event(world->file);
	struct drm_ringfence_fence_destroy wrong_kind = { .handle = event };

	(void)state;
	assert_int_equal(signal_fence(other, fence, 1), -ENOENT);
	assert_int_equal(signal_fence(world->file, event, 1), -ENOENT);
	assert_int_equal(look(world->file, fence), -ENOENT);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_DESTROY, &wrong_kind),
			 -ENOENT);
	assert_int_equal(signal_fence(world->file, 0, 1), -ENOENT);
	assert_int_equal(signal_fence(world->file, U32_MAX, 1), -ENOENT);
	rf_hosted_close(other);
	world_destroy(world);
}

static void opening_in_the_same_process(void **state)
{
	struct world *world = world_new();
	struct rf_file *other = open_process(world);
	struct drm_ringfence_fence_create created =
		make_fence(world->file, 0, DRM_RINGFENCE_FENCE_SHARED, 0);
	struct drm_ringfence_fence_open same = open_fence(world->file, created.share_token);
	struct drm_ringfence_fence_open foreign = open_fence(other, created.share_token);
	const u64 *here, *there;

	(void)state;
	assert_int_not_equal(same.handle, created.handle);
	assert_memory_equal(&same.mapping, &created.mapping, sizeof(same.mapping));
	assert_true(foreign.mapping.current_value_gpu_address !=
		    created.mapping.current_value_gpu_address);
	assert_true(foreign.mapping.monitored_value_gpu_address !=
		    created.mapping.monitored_value_gpu_address);
	/* new addresses of the same value */
	here = map(world->file, created.mapping.current_value_mmap_offset);
	there = map(other, foreign.mapping.current_value_mmap_offset);
	assert_ptr_not_equal(here, there);
	assert_int_equal(signal_fence(other, foreign.handle, 9), 0);
	assert_int_equal(rf_read_once64(here), 9);
	assert_int_equal(rf_read_once64(there), 9);
	rf_hosted_close(other);
	world_destroy(world);
}

/* --- storage ----------------------------------------------------------------------------- */

static void packed_at_the_stride(void **state)
{
	static const u32 strides[] = { 8, 64, 256, 4096 };
	u32 i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(strides); i++) {
		struct world *world = world_create();
		struct fake *fake = &world->fake;
		struct rf_mem *page = NULL;
		u32 fences = 4096 / strides[i];

		fake->native_caps.monitored_value_stride = strides[i];
		world_start(world);
		for (j = 0; j < fences; j++) {
			struct drm_ringfence_fence_create fence = make_fence(world->file, 0, 0, j);
			const struct fake_fence *hw = fake_last_fence(fake);

			if (!j)
				page = current_mem(fake, hw);
			assert_ptr_equal(current_mem(fake, hw), page);
			assert_int_equal(fence.mapping.current_value_page_offset, j * strides[i]);
			assert_int_equal(fence.mapping.current_value_gpu_address % 4096,
					 j * strides[i]);
		}
		/* the page is full */
		make_default(world->file, 0);
		assert_ptr_not_equal(current_mem(fake, fake_last_fence(fake)), page);
		world_destroy(world);
	}
}

static void freed_places_are_used_again(void **state)
{
	struct world *world = world_new();
	u32 fences[64], i;
	u64 offset;

	(void)state;
	for (i = 0; i < 64; i++)
		fences[i] = make_default(world->file, i);
	destroy_fence(world->file, fences[20]);
	offset = make_fence(world->file, 0, 0, 5).mapping.current_value_page_offset;
	assert_int_equal(offset, 20 * 64);
	/* its neighbours keep their values */
	assert_int_equal(wait_fence(world->file, fences[19], 19, 0), 0);
	assert_int_equal(wait_fence(world->file, fences[19], 20, 0), -ETIMEDOUT);
	world_destroy(world);
}

static void current_and_monitored_apart(void **state)
{
	static const u32 flags[] = { 0, DRM_RINGFENCE_FENCE_SHARED,
				     DRM_RINGFENCE_FENCE_MONITORED_SYSTEM };
	struct world *world = world_new();
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		const struct fake_fence *hw;

		make_fence(world->file, 0, flags[i], 0);
		hw = fake_last_fence(&world->fake);
		assert_ptr_not_equal(current_mem(&world->fake, hw),
				     monitored_mem(&world->fake, hw));
	}
	world_destroy(world);
}

static void processes_share_no_page(void **state)
{
	struct world *world = world_new();
	struct rf_file *other = open_process(world);
	struct rf_mem *current, *monitored;

	(void)state;
	make_default(world->file, 0);
	current = current_mem(&world->fake, fake_last_fence(&world->fake));
	monitored = monitored_mem(&world->fake, fake_last_fence(&world->fake));
	make_default(other, 0);
	assert_ptr_not_equal(current_mem(&world->fake, fake_last_fence(&world->fake)), current);
	assert_ptr_not_equal(monitored_mem(&world->fake, fake_last_fence(&world->fake)), monitored);
	rf_hosted_close(other);
	world_destroy(world);
}

static void shareable_fences_share_no_page(void **state)
{
	struct world *world = world_new();
	struct rf_mem *mems[8];
	u32 i, j;

	(void)state;
	make_default(world->file, 0);
	for (i = 0; i < 4; i++) {
		const struct fake_fence *hw;

		make_fence(world->file, 0, DRM_RINGFENCE_FENCE_SHARED, 0);
		hw = fake_last_fence(&world->fake);
		mems[2 * i] = current_mem(&world->fake, hw);
		mems[2 * i + 1] = monitored_mem(&world->fake, hw);
	}
	make_default(world->file, 0);
	for (i = 0; i < 8; i++) {
		assert_ptr_not_equal(current_mem(&world->fake, fake_last_fence(&world->fake)),
				     mems[i]);
		for (j = 0; j < i; j++)
			assert_ptr_not_equal(mems[i], mems[j]);
	}
	world_destroy(world);
}

static void memory_by_type(void **state)
{
	static const struct {
		u32 type, flags, segments;
		enum rf_mem_kind current, monitored;
	} cases[] = {
		/* DEFAULT, optimised */
		{ 0, 0, 3, RF_MEM_SYSTEM, RF_MEM_LOCAL },
		/* the driver names no local segment (S0-30) */
		{ 0, 0, 1, RF_MEM_SYSTEM, RF_MEM_SYSTEM },
		{ 0, DRM_RINGFENCE_FENCE_MONITORED_SYSTEM, 3, RF_MEM_SYSTEM, RF_MEM_SYSTEM },
		/* shared allocations always live in system memory */
		{ 0, DRM_RINGFENCE_FENCE_SHARED, 3, RF_MEM_SYSTEM, RF_MEM_SYSTEM },
		{ 1, 0, 3, RF_MEM_LOCAL, RF_MEM_LOCAL },
		{ 1, 0, 1, RF_MEM_SYSTEM, RF_MEM_SYSTEM },
		{ 1, DRM_RINGFENCE_FENCE_SHARED, 3, RF_MEM_SYSTEM, RF_MEM_SYSTEM },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct world *world = world_create();
		const struct fake_fence *hw;

		world->fake.storage_segments = cases[i].segments;
		world_start(world);
		make_fence(world->file, cases[i].type, cases[i].flags, 0);
		hw = fake_last_fence(&world->fake);
		assert_int_equal(current_mem(&world->fake, hw)->kind, cases[i].current);
		assert_int_equal(monitored_mem(&world->fake, hw)->kind, cases[i].monitored);
		assert_int_equal(fake_monitored(&world->fake, fake_last_fence(&world->fake)),
				 U64_MAX);
		world_destroy(world);
	}
}

static void demoted_when_local_memory_is_full(void **state)
{
	struct world *world = world_new();
	const struct fake_fence *hw;

	(void)state;
	make_memory(world->file, FAKE_LOCAL_BYTES, DRM_RINGFENCE_MEMORY_LOCAL);
	make_default(world->file, 0);
	hw = fake_last_fence(&world->fake);
	assert_int_equal(monitored_mem(&world->fake, hw)->kind, RF_MEM_SYSTEM);
	world_destroy(world);
}

static int ask_for_local(struct rf_file *file, u64 bytes)
{
	struct drm_ringfence_memory_create create = {
		.bytes = bytes,
		.flags = DRM_RINGFENCE_MEMORY_LOCAL,
	};

	return rf_hosted_request(file, DRM_RINGFENCE_MEMORY_CREATE, &create);
}

static void values_make_room(void **state)
{
	struct world *world = world_new();
	struct rf_file *other = open_process(world);
	struct fake *fake = &world->fake;
	const struct fake_fence *first, *last;
	struct rf_mem *page;
	u32 fence, i;

	(void)state;
	make_default(other, 0);
	fence = make_default(world->file, 0);
	first = fake_last_fence(fake);
	wait_event(world->file, fence, 1000);
	for (i = 0; i < 8; i++)
		wait_event(world->file, make_default(world->file, 0), 100 + i);
	last = fake_last_fence(fake);
	page = monitored_mem(fake, last);
	assert_int_equal(page->kind, RF_MEM_LOCAL);

	/* an allocation that cannot fit evicts nothing */
	assert_int_equal(ask_for_local(world->file, FAKE_LOCAL_BYTES + 1), -ENOMEM);
	assert_ptr_equal(monitored_mem(fake, last), page);
	/* nor does what fits */
	assert_int_equal(ask_for_local(other, FAKE_LOCAL_BYTES - 2 * 4096), 0);
	assert_ptr_equal(monitored_mem(fake, last), page);
	/* one page is enough */
	assert_int_equal(ask_for_local(other, 4096), 0);
	assert_int_equal(world_statistics(world).demotions, 1);
	assert_int_equal(ask_for_local(other, 4096), 0);
	assert_int_equal(ask_for_local(other, 4096), -ENOMEM);
	assert_int_equal(world_statistics(world).demotions, 2);

	assert_int_equal(monitored_mem(fake, last)->kind, RF_MEM_SYSTEM);
	assert_ptr_equal(monitored_mem(fake, first), monitored_mem(fake, last));
	assert_int_equal(fake_monitored(fake, (struct fake_fence *)first), 999);
	assert_int_equal(fake_monitored(fake, (struct fake_fence *)last), 106);
	/* the page is as any other from now on: packed, and given back with its last value */
	make_default(world->file, 0);
	assert_int_equal(monitored_mem(fake, fake_last_fence(fake))->kind, RF_MEM_SYSTEM);
	rf_hosted_close(other);
	make_default(world->file, 0);
	world_destroy(world);
}

/* The device does not reach the new page: the old one stays, and so do its values. */
static void page_that_cannot_move_stays(void **state)
{
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	u32 fence = make_default(world->file, 0);
	u32 event = wait_event(world->file, fence, 10);

	(void)state;
	fake->fail = FAKE_REPLACE;
	assert_int_equal(ask_for_local(world->file, FAKE_LOCAL_BYTES), -ENOMEM);
	assert_int_equal(monitored_mem(fake, fake_last_fence(fake))->kind, RF_MEM_LOCAL);
	assert_int_equal(world_statistics(world).demotions, 0);
	wait_event(world->file, fence, 5);
	assert_int_equal(fake_monitored(fake, fake_last_fence(fake)), 4);
	fake_signal(fake, fake_last_fence(fake), 10);
	assert_int_equal(look(world->file, event), 0);
	world_destroy(world);
}

static void engines_read_but_do_not_write_monitored(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_fence_create fence = make_fence(world->file, 0, 0, 3);
	struct fake *fake = &world->fake;
	void *process = NULL;
	struct fake_mapping *mapping;
	u64 value;

	(void)state;
	rf_list_for_each(mapping, &fake->mappings, link)
		if (mapping->h_process)
			process = mapping->h_process;
	assert_int_equal(
		fake_gpu_read(fake, process, fence.mapping.monitored_value_gpu_address, &value), 0);
	assert_int_equal(value, U64_MAX);
	assert_int_equal(
		fake_gpu_write(fake, process, fence.mapping.monitored_value_gpu_address, 1),
		-EFAULT);
	assert_int_equal(fake_gpu_write(fake, process, fence.mapping.current_value_gpu_address, 4),
			 0);
	assert_int_equal(wait_fence(world->file, fence.handle, 4, 0), 0);
	assert_int_equal(fake_monitored(fake, fake_last_fence(fake)), U64_MAX);
	world_destroy(world);
}

static void system_addresses_only_on_demand(void **state)
{
	u32 asked;

	(void)state;
	for (asked = 0; asked < 2; asked++) {
		struct world *world = world_create();
		const struct fake_fence *hw;
		struct fake_mapping *mapping;
		u32 system = 0;

		world->fake.native_caps.map_to_gpu_system_process = asked;
		world_start(world);
		make_default(world->file, 0);
		hw = fake_last_fence(&world->fake);
		rf_list_for_each(mapping, &world->fake.mappings, link)
			system += !mapping->h_process;
		assert_int_equal(system, asked ? 2 : 0);
		assert_int_equal(hw->arguments.current_value_system_process_gpu_va != 0, asked);
		assert_int_equal(hw->arguments.monitored_value_system_process_gpu_va != 0, asked);
		world_destroy(world);
	}
}

static void addresses_within_the_caps(void **state)
{
	struct world *world = world_create();
	struct drm_ringfence_fence_create fence = { 0 };

	(void)state;
	world->fake.native_caps.maximum_address = 0x100fff; /* room for one page only */
	world_start(world);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_CREATE, &fence),
			 -ENOMEM);
	assert_true(rf_list_empty(&world->fake.mappings));
	world_destroy(world);
}

/* --- what user mode sees -------------------------------------------------------------------- */

static sigjmp_buf fault;

static void on_fault(int number)
{
	siglongjmp(fault, number);
}

static void user_store_faults(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_fence_create fence = make_fence(world->file, 0, 0, 3);
	u64 *value = map(world->file, fence.mapping.current_value_mmap_offset);
	struct sigaction old, action = { .sa_handler = on_fault };

	(void)state;
	sigaction(SIGSEGV, &action, &old);
	if (!sigsetjmp(fault, 1)) {
		*(volatile u64 *)value = 99;
		fail_msg("the store went through");
	}
	sigaction(SIGSEGV, &old, NULL);
	assert_int_equal(rf_read_once64(value), 3);
	assert_int_equal(wait_fence(world->file, fence.handle, 4, 0), -ETIMEDOUT);
	world_destroy(world);
}

static void monitored_has_no_user_mapping(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_fence_create fence = make_fence(world->file, 0, 0, 3);
	const char *bytes = map(world->file, fence.mapping.current_value_mmap_offset);
	u32 found = 0;
	void *pointer;
	u64 offset;

	(void)state;
	/* every page that user mode can map: none holds MonitoredValue */
	for (offset = 0; offset < 64 * 4096; offset += 4096)
		if (!rf_hosted_map(world->file, offset, &pointer))
			found++;
	assert_int_equal(found, 1);
	for (offset = 0; offset < 4096; offset += 8)
		assert_int_not_equal(rf_read_once64((const u64 *)(bytes + offset)), U64_MAX);
	world_destroy(world);
}

static void never(void *argument, int result)
{
	(void)argument;
	(void)result;
	fail();
}

static void guess(u32 handle, void *argument)
{
	struct rf_file *file = argument;

	assert_int_equal(kmd_fence_store(file->file, handle, 1), -ENOENT);
	assert_int_equal(kmd_fence_notify(file->file, handle, 1, false, never, NULL), -ENOENT);
}

/* A handle that is guessed is found by no thread before the miniport has opened the fence. */
static void guessed_handle_is_not_found(void **state)
{
	struct world *world = world_new();
	u32 fence;

	(void)state;
	world->fake.argument = world->file;
	world->fake.during_open = guess;
	fence = make_default(world->file, 0);
	world->fake.during_open = NULL;
	assert_int_equal(world->fake.calls[FAKE_OPEN_FENCE], 1);
	assert_int_equal(signal_fence(world->file, fence, 1), 0);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-54,S0-55,S0-58,S0-59.create-open-close-destroy",
		     create_then_open_then_close_then_destroy),
		TEST("S0-56,S0-57,S0-58.another-process-only-opens", second_process_only_opens),
		TEST("closing-a-process-ends-all-it-owns", close_of_the_process_ends_all),
		TEST("the-share-token-dies-with-the-fence", token_dies_with_the_fence),
		TEST("a-failing-miniport-leaves-nothing-behind", failures_leave_nothing),
		TEST("a-guessed-handle-is-not-found-before-it-is-open",
		     guessed_handle_is_not_found),
		TEST("C8.stale-handles-are-rejected", stale_handles_are_rejected),
		TEST("handles-are-of-one-process-and-one-kind",
		     handles_are_of_one_process_and_one_kind),
		TEST("A-13.same-addresses-in-the-same-process", opening_in_the_same_process),
		TEST("S0-25.packed-at-the-stride", packed_at_the_stride),
		TEST("S0-25.freed-places-are-used-again", freed_places_are_used_again),
		TEST("S0-24.current-and-monitored-lie-apart", current_and_monitored_apart),
		TEST("S0-26.processes-share-no-page", processes_share_no_page),
		TEST("S0-27.shareable-fences-share-no-page", shareable_fences_share_no_page),
		TEST("S0-28,S0-30,S0-31,S0-61.memory-by-type", memory_by_type),
		TEST("S0-31.demoted-when-local-memory-is-full", demoted_when_local_memory_is_full),
		TEST("S0-31.values-make-room-in-local-memory", values_make_room),
		TEST("S0-31.values-that-cannot-move-stay", page_that_cannot_move_stays),
		TEST("S0-4,S0-8,C3.engines-do-not-write-monitored",
		     engines_read_but_do_not_write_monitored),
		TEST("S0-51,S0-52.system-addresses-only-on-demand",
		     system_addresses_only_on_demand),
		TEST("S0-50,S2-9.addresses-within-the-caps", addresses_within_the_caps),
		TEST("S0-2,C1.a-user-store-faults", user_store_faults),
		TEST("S0-7.monitored-has-no-user-mapping", monitored_has_no_user_mapping),
	};

	return cmocka_run_group_tests_name("fence", tests, NULL, NULL);
}
