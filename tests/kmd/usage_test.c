// SPDX-License-Identifier: Apache-2.0
/* For how long processes use nodes, as the kernel counts it. */
#include "base/file.h"
#include "fake.h"
#include "hosted.h"

#define NODES 3

/* At each sample, at most a quarter of this is charged. */
#define TDR_DELAY 400000

struct scene {
	struct world *world;
	struct rf_file *mine, *other;
	u64 now;
};

static void open_scene(struct scene *scene)
{
	*scene = (struct scene){ .world = world_new() };
	scene->mine = scene->world->file;
	assert_int_equal(rf_hosted_open(scene->world->device, &scene->other), 0);
	rf_hosted_set_tdr_delay(scene->world->device, TDR_DELAY);
}

static void close_scene(struct scene *scene)
{
	rf_hosted_close(scene->other);
	world_destroy(scene->world);
}

/* After a sample of which nothing is charged more than the time since the last one */
static u64 used(struct rf_file *file, u32 node)
{
	u64 ns[NODES] = { 0 };
	u32 count = kmd_file_engine_times(file->file, ns, NODES);

	assert_in_range(node, 0, count - 1);
	return ns[node];
}

/* Longer than what is charged at once */
static void pass(void)
{
	u64 begin = rf_time();

	while (rf_time() - begin < TDR_DELAY / 4)
		;
}

static void set_queued(struct rf_file *file, const struct rig *rig, u64 value)
{
	*(u64 *)map(file, rig->queue.last_queued_mmap_offset) = value;
}

static void only_who_has_work_is_charged(void **state)
{
	struct rig mine, other;
	struct scene scene;
	u64 begin, before;

	(void)state;
	open_scene(&scene);
	mine = make_rig(scene.mine, 0);
	other = make_rig(scene.other, 0);
	assert_int_equal(used(scene.mine, 0), 0);
	begin = rf_time();
	set_queued(scene.mine, &mine, 1);
	pass();
	before = used(scene.mine, 0);
	assert_in_range(before, 1, rf_time() - begin);
	assert_int_equal(used(scene.mine, 1), 0);
	assert_int_equal(used(scene.other, 0), 0);
	/* it is done */
	before = used(scene.mine, 0);
	set_queued(scene.mine, &mine, 0);
	pass();
	assert_int_equal(used(scene.mine, 0), before);
	destroy_rig(scene.mine, &mine);
	destroy_rig(scene.other, &other);
	close_scene(&scene);
}

/* Both have work on a node: they share its time. On another node it is a process alone. */
static void time_is_shared(void **state)
{
	struct rig mine, other, third;
	struct scene scene;
	u64 mine_used, other_used, third_used;

	(void)state;
	open_scene(&scene);
	mine = make_rig(scene.mine, 0);
	other = make_rig(scene.other, 0);
	third = make_rig(scene.other, 1);
	set_queued(scene.mine, &mine, 1);
	set_queued(scene.other, &other, 1);
	set_queued(scene.other, &third, 1);
	mine_used = used(scene.mine, 0);
	other_used = scene.other->file->engine_time[0];
	third_used = scene.other->file->engine_time[1];
	pass();
	/* one sample charges all; a half is rounded down */
	mine_used = used(scene.mine, 0) - mine_used;
	other_used = scene.other->file->engine_time[0] - other_used;
	third_used = scene.other->file->engine_time[1] - third_used;
	assert_int_equal(third_used, TDR_DELAY / 4);
	assert_int_equal(mine_used, third_used / 2);
	assert_int_equal(other_used, third_used / 2);
	destroy_rig(scene.mine, &mine);
	destroy_rig(scene.other, &other);
	destroy_rig(scene.other, &third);
	close_scene(&scene);
}

/* The watch takes samples, too; one that comes late charges no more than a quarter of its delay. */
static void watch_takes_samples(void **state)
{
	struct scene scene;
	struct rig mine;
	u64 before;

	(void)state;
	open_scene(&scene);
	mine = make_rig(scene.mine, 0);
	set_queued(scene.mine, &mine, 1);
	before = used(scene.mine, 0);
	pass();
	assert_int_equal(used(scene.mine, 0) - before, TDR_DELAY / 4);
	before = used(scene.mine, 0);
	pass();
	rf_hosted_watch_progress(scene.world->device, TDR_DELAY);
	pass();
	assert_int_equal(used(scene.mine, 0) - before, 2 * (TDR_DELAY / 4));
	destroy_rig(scene.mine, &mine);
	close_scene(&scene);
}

/* Of a kernel-mode queue: from its submission to its end, in either model */
static void kernel_mode(void **state)
{
	u32 memory, hw, packets;
	struct scene scene;
	u64 before;

	(void)state;
	open_scene(&scene);
	memory = make_memory(scene.mine, 4096, 0).handle;
	hw = make_kernel_queue(scene.mine, 0).handle;
	pass();
	assert_int_equal(used(scene.mine, 0), 0);
	submit_packet(scene.mine, hw, memory, 64);
	pass();
	assert_int_equal(used(scene.mine, 0), TDR_DELAY / 4);
	fake_complete(&scene.world->fake, fake_last_queue(&scene.world->fake));
	before = used(scene.mine, 0);
	pass();
	assert_int_equal(used(scene.mine, 0), before);

	packets = make_packet_queue(scene.mine, 1, 0).handle;
	submit_packet(scene.mine, packets, memory, 64);
	pass();
	assert_true(used(scene.mine, 1) > 0);
	fake_complete_packet(&scene.world->fake, 1);
	before = used(scene.mine, 1);
	pass();
	assert_int_equal(used(scene.mine, 1), before);
	close_scene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_who_has_work_is_charged),
		cmocka_unit_test(time_is_shared),
		cmocka_unit_test(watch_takes_samples),
		cmocka_unit_test(kernel_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
