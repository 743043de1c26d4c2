// SPDX-License-Identifier: Apache-2.0
/*
 * A device whose invalidation does not end: what it may still reach is not given back before
 * the function was reset. First the miniport's part alone, over registers that the test plays,
 * then the core's over the fake miniport.
 */
#include <errno.h>
#include <sys/mman.h>

#include "base/adapter.h"
#include "fake.h"
#include "rf_mapping.h"
#include "rf_miniport.h"
#include "rf_page_table.h"
#include "rf_reset.h"

struct scene {
	struct fake_bus bus;
	struct rf_bus_ops ops;
	struct rf_miniport *miniport;
	struct rf_hw *hw;
	u64 stuck; /* what INVALIDATE reads as; 0: it ends at once */
	u32 writes; /* of INVALIDATE */
	u64 vmids; /* that it named last */
	u64 root[RF_VMIDS];
	u32 resets;
	int reset_result;
	int stop_result;
};

static struct scene *scene_of(struct rf_bus *bus)
{
	return container_of(container_of(bus, struct fake_bus, bus), struct scene, bus);
}

static u64 read_register(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	struct scene *scene = scene_of(bus);

	assert_int_equal(bar, RF_BAR_REGISTERS);
	return offset == RF_REG_TRANSLATION_INVALIDATE ? scene->stuck : 0;
}

static void write_register(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	struct scene *scene = scene_of(bus);
	u32 i;

	assert_int_equal(bar, RF_BAR_REGISTERS);
	if (offset == RF_REG_TRANSLATION_INVALIDATE) {
		scene->writes++;
		scene->vmids = value;
	}
	for (i = 0; i < RF_VMIDS; i++)
		if (offset == RF_REG_TRANSLATION_ROOT(i))
			scene->root[i] = value;
}

static int reset_function(struct rf_bus *bus)
{
	struct scene *scene = scene_of(bus);

	scene->resets++;
	if (!scene->reset_result)
		scene->stuck = 0;
	return scene->reset_result;
}

static int stop_access(struct rf_bus *bus)
{
	return scene_of(bus)->stop_result;
}

static void synchronize(void *h_core, void (*routine)(void *argument), void *argument)
{
	(void)h_core;
	routine(argument);
}

static struct scene *scene_new(void)
{
	static const struct rf_dxgk_callbacks callbacks = { .synchronize_execution = synchronize };

	struct scene *scene = calloc(1, sizeof(*scene));
	struct rf_hw *hw;

	fake_bus_init(&scene->bus);
	scene->ops = *scene->bus.bus.ops;
	scene->ops.read64 = read_register;
	scene->ops.write64 = write_register;
	scene->ops.reset_function = reset_function;
	scene->bus.bus.ops = &scene->ops;
	scene->bus.bus.os = calloc(1, sizeof(struct rf_os));
	scene->miniport = rf_miniport_create(&scene->bus.bus);
	hw = scene->hw = &scene->miniport->hw;
	hw->callbacks = &callbacks;
	hw->block[RF_BLOCK_TYPE_TRANSLATION] = (struct rf_block){
		.offset = RF_TRANSLATION_BLOCK_OFFSET,
		.base = RF_TRANSLATION_INDEXED_BASE,
		.stride = RF_REG_TRANSLATION_ROOT(1) - RF_REG_TRANSLATION_ROOT(0),
	};
	hw->block[RF_BLOCK_TYPE_SLOT].offset = RF_SLOT_BLOCK_OFFSET;
	assert_int_equal(rf_spaces_start(hw), 0);
	return scene;
}

/* @left: pages that are lost for good, which this process has no use for either. */
static void scene_end(struct scene *scene, u32 left)
{
	struct rf_list *tables = &scene->miniport->quarantine.tables;

	rf_spaces_stop(scene->hw);
	rf_quarantine_end(scene->hw);
	assert_int_equal(scene->bus.mapped, left);
	assert_int_equal(rf_list_empty(tables), !left);
	rf_page_tables_free(tables);
	rf_miniport_destroy(scene->miniport);
	free(scene->bus.bus.os);
	scene->bus.mapped = 0;
	fake_bus_destroy(&scene->bus);
	free(scene);
}

static struct rf_mem *make_mem(struct scene *scene)
{
	struct rf_mem *mem;

	assert_int_equal(rf_mem_create(&scene->bus.bus, RF_MEM_SYSTEM, 4096, &mem), 0);
	return mem;
}

/* A process with a VMID, unless the test wants it to have none. */
static void *make_process(struct scene *scene, bool assigned)
{
	struct rf_create_process create = { 0 };
	unsigned long flags;

	assert_int_equal(rf_create_process(scene->hw, &create), 0);
	flags = rf_spin_lock(&scene->hw->lock);
	if (assigned)
		assert_int_equal(rf_space_assign(scene->hw, create.h_process), 0);
	rf_spin_unlock(&scene->hw->lock, flags);
	return create.h_process;
}

static int end_process(struct scene *scene, void *process)
{
	const struct rf_destroy_process destroy = { .h_process = process };

	return rf_destroy_process(scene->hw, &destroy);
}

static u64 map_mem(struct scene *scene, void *process, struct rf_mem *mem)
{
	struct rf_map_gpu_virtual_address map = { .h_process = process, .mem = mem };

	assert_int_equal(rf_map_gpu_virtual_address(scene->hw, &map), 0);
	return map.gpu_virtual_address;
}

static int unmap_mem(struct scene *scene, void *process, struct rf_mem *mem, u64 address)
{
	const struct rf_unmap_gpu_virtual_address unmap = {
		.h_process = process,
		.mem = mem,
		.gpu_virtual_address = address,
	};

	return rf_unmap_gpu_virtual_address(scene->hw, &unmap);
}

static int reset(struct scene *scene)
{
	return rf_reset_from_timeout(scene->hw);
}

static void an_unmapping_that_does_not_end(void **state)
{
	struct scene *scene = scene_new();
	void *process = make_process(scene, true), *other = make_process(scene, false);
	u32 roots = scene->bus.mapped; /* of three spaces */
	struct rf_mem *mem = make_mem(scene), *others = make_mem(scene);
	u64 address = map_mem(scene, process, mem), others_address = map_mem(scene, other, others);
	u32 writes;

	(void)state;
	assert_int_equal(roots, 3);
	assert_int_equal(scene->bus.mapped, roots + 2 + 4); /* two tables for each */
	scene->stuck = 1ull << 1; /* it never ends */
	assert_int_equal(unmap_mem(scene, process, mem, address), -EIO);
	rf_mem_put(mem);
	assert_int_equal(scene->bus.mapped, roots + 2 + 4); /* memory and tables are there */
	/* the device may have mixed up spaces; no code waits for it again */
	writes = scene->writes;
	assert_int_equal(unmap_mem(scene, other, others, others_address), -EIO);
	rf_mem_put(others);
	assert_int_equal(scene->bus.mapped, roots + 2 + 4);
	assert_int_equal(scene->writes, writes);
	/* a reset that fails is none */
	scene->reset_result = -EIO;
	assert_int_equal(reset(scene), -EIO);
	assert_int_equal(scene->bus.mapped, roots + 2 + 4);
	scene->reset_result = 0;
	assert_int_equal(reset(scene), 0);
	assert_int_equal(scene->bus.mapped, roots);
	/* and everything is as before */
	mem = make_mem(scene);
	address = map_mem(scene, process, mem);
	assert_int_equal(unmap_mem(scene, process, mem, address), 0);
	rf_mem_put(mem);
	assert_int_equal(scene->bus.mapped, roots);
	assert_int_equal(end_process(scene, process), 0);
	assert_int_equal(end_process(scene, other), 0);
	scene_end(scene, 0);
}

static void the_end_of_a_process(void **state)
{
	struct scene *scene = scene_new();
	void *process = make_process(scene, true);

	(void)state;
	assert_int_equal(scene->bus.mapped, 2);
	scene->stuck = U64_MAX;
	assert_int_equal(end_process(scene, process), -EIO);
	assert_int_equal(scene->root[1], 0);
	assert_int_equal(scene->bus.mapped, 2); /* its root is there */
	assert_int_equal(reset(scene), 0);
	assert_int_equal(scene->bus.mapped, 1);
	scene_end(scene, 0);
}

/* Memory that is mapped twice is kept once, and can be used until then. */
static void memory_that_is_mapped_twice(void **state)
{
	struct scene *scene = scene_new();
	void *process = make_process(scene, true);
	struct rf_mem *mem = make_mem(scene);
	u64 first = map_mem(scene, process, mem), second = map_mem(scene, NULL, mem);

	(void)state;
	scene->stuck = U64_MAX;
	assert_int_equal(unmap_mem(scene, process, mem, first), -EIO);
	assert_int_equal(unmap_mem(scene, NULL, mem, second), -EIO);
	assert_int_equal(reset(scene), 0);
	rf_mem_write64(mem, 0, 1); /* this one is the test's */
	assert_int_equal(rf_mem_read64(mem, 0), 1);
	rf_mem_put(mem);
	assert_int_equal(scene->bus.mapped, 2);
	assert_int_equal(end_process(scene, process), 0);
	scene_end(scene, 0);
}

/* The page that is not used, whichever that is, is kept. */
static void a_page_that_is_replaced(void **state)
{
	struct scene *scene = scene_new();
	void *process = make_process(scene, true);
	struct rf_mem *old = make_mem(scene), *new = make_mem(scene);
	u64 address = map_mem(scene, process, old);
	struct rf_replace_gpu_page replace = {
		.h_process = process,
		.mem = new,
		.gpu_virtual_address = address,
	};
	u32 before = scene->bus.mapped;

	(void)state;
	scene->stuck = U64_MAX;
	assert_int_equal(rf_replace_gpu_page(scene->hw, &replace), -EIO);
	replace.mem = old;
	assert_int_equal(rf_replace_gpu_page(scene->hw, &replace), -EIO);
	rf_mem_put(new);
	assert_int_equal(scene->bus.mapped, before);
	assert_int_equal(reset(scene), 0);
	assert_int_equal(scene->bus.mapped, before - 1);
	assert_int_equal(unmap_mem(scene, process, old, address), 0);
	rf_mem_put(old);
	assert_int_equal(end_process(scene, process), 0);
	scene_end(scene, 0);
}

/* A VMID that may still have translations of its old space is not reassigned. */
static void a_vmid_changes_hands(void **state)
{
	struct scene *scene = scene_new();
	void *processes[RF_VMIDS];
	struct rf_address_space *late;
	unsigned long flags;
	u32 i;

	(void)state;
	for (i = 1; i < RF_VMIDS; i++)
		processes[i] = make_process(scene, true);
	late = processes[0] = make_process(scene, false);
	scene->stuck = U64_MAX;
	flags = rf_spin_lock(&scene->hw->lock);
	assert_int_equal(rf_space_assign(scene->hw, late), -EIO);
	rf_spin_unlock(&scene->hw->lock, flags);
	assert_int_equal(late->vmid, RF_VMID_NONE);
	assert_int_equal(reset(scene), 0);
	flags = rf_spin_lock(&scene->hw->lock);
	assert_int_equal(rf_space_assign(scene->hw, late), 0);
	rf_spin_unlock(&scene->hw->lock, flags);
	assert_true(scene->hw->spaces->vmid[late->vmid].space == late);
	for (i = 0; i < RF_VMIDS; i++)
		assert_int_equal(end_process(scene, processes[i]), 0);
	scene_end(scene, 0);
}

/* --- the VMID of a node ------------------------------------------------------------------- */

static u32 take_vmid(struct scene *scene)
{
	unsigned long flags = rf_spin_lock(&scene->hw->lock);
	u32 vmid = rf_node_vmid_alloc(scene->hw);

	rf_spin_unlock(&scene->hw->lock, flags);
	return vmid;
}

static int bind_vmid(struct scene *scene, u32 vmid, void *process)
{
	unsigned long flags = rf_spin_lock(&scene->hw->lock);
	int ret = rf_node_vmid_bind(scene->hw, vmid, process);

	rf_spin_unlock(&scene->hw->lock, flags);
	return ret;
}

/* Whatever stands for a space is invalidated with it. */
static void a_space_with_two_vmids(void **state)
{
	struct scene *scene = scene_new();
	void *process = make_process(scene, true), *other = make_process(scene, true);
	struct rf_mem *mem = make_mem(scene);
	u32 vmid = take_vmid(scene);
	u64 address;

	(void)state;
	assert_int_equal(vmid, 3);
	assert_int_equal(bind_vmid(scene, vmid, process), 0);
	assert_int_equal(scene->root[vmid], scene->root[1]);
	assert_int_equal(scene->vmids, 1u << vmid);
	address = map_mem(scene, process, mem);
	assert_int_equal(unmap_mem(scene, process, mem, address), 0);
	assert_int_equal(scene->vmids, 1u << 1 | 1u << vmid);
	/* it follows what is loaded */
	assert_int_equal(bind_vmid(scene, vmid, other), 0);
	assert_int_equal(scene->root[vmid], scene->root[2]);
	address = map_mem(scene, process, mem);
	assert_int_equal(unmap_mem(scene, process, mem, address), 0);
	assert_int_equal(scene->vmids, 1u << 1);
	rf_mem_put(mem);
	/* and a process that ends leaves neither */
	assert_int_equal(end_process(scene, other), 0);
	assert_int_equal(scene->root[vmid], 0);
	assert_int_equal(scene->root[2], 0);
	assert_null(scene->hw->spaces->vmid[vmid].space);
	assert_int_equal(end_process(scene, process), 0);
	scene_end(scene, 0);
}

/* Records name VMIDs: those of the space before are read first. */
static void a_vmid_with_records_on_their_way(void **state)
{
	struct scene *scene = scene_new();
	void *process = make_process(scene, false), *other = make_process(scene, false);
	u32 vmid = take_vmid(scene);

	(void)state;
	assert_int_equal(bind_vmid(scene, vmid, process), 0);
	scene->hw->spaces->vmid[vmid].expected_records = 1;
	assert_int_equal(bind_vmid(scene, vmid, process), 0);
	assert_int_equal(bind_vmid(scene, vmid, other), -EBUSY);
	assert_true(scene->hw->spaces->vmid[vmid].space == process);
	scene->hw->spaces->vmid[vmid].expected_records = 0;
	assert_int_equal(bind_vmid(scene, vmid, other), 0);
	assert_int_equal(end_process(scene, process), 0);
	assert_int_equal(end_process(scene, other), 0);
	scene_end(scene, 0);
}

/* A node takes one VMID whatever its contexts, and gives it back. */
static void vmids_that_nodes_have(void **state)
{
	struct scene *scene = scene_new();
	struct rf_spaces *spaces = scene->hw->spaces;
	void *processes[RF_VMIDS];
	u32 vmid, i;

	(void)state;
	vmid = take_vmid(scene);
	assert_int_equal(vmid, 1);
	for (i = 0; i < RF_VMIDS - 2; i++) {
		processes[i] = make_process(scene, true);
		spaces->vmid[i + 2].expected_records = 1; /* resident */
	}
	assert_int_equal(take_vmid(scene), 0);
	spaces->vmid[5].expected_records = 0; /* one that is idle makes way */
	assert_int_equal(take_vmid(scene), 5);
	rf_node_vmid_free(scene->hw, 5);
	rf_node_vmid_free(scene->hw, vmid);
	processes[i++] = make_process(scene, true);
	processes[i++] = make_process(scene, true);
	assert_int_equal(i, RF_VMIDS);
	for (i = 0; i < RF_VMIDS; i++)
		assert_int_equal(end_process(scene, processes[i]), 0);
	scene_end(scene, 0);
}

/* For the leak detector: the only reference to this memory. */
static void forget(struct rf_mem *mem)
{
	munmap(mem->cpu, mem->bytes);
	free(mem);
}

/* The driver leaves a device that does not answer any more. */
static void the_driver_stops(void **state)
{
	static const struct {
		int reset_result;
		bool can_stop;
		int stop_result;
		u32 left;
	} cases[] = {
		{ 0, false, 0, 0 }, /* it can be reset */
		{ -EIO, true, 0, 0 }, /* it can be kept from memory */
		{ -EIO, true, -EIO, 2 }, /* nothing helps: root and memory are lost */
		{ -EIO, false, 0, 2 },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scene *scene = scene_new();
		struct rf_mem *mem = make_mem(scene);
		u64 address = map_mem(scene, NULL, mem);
		struct rf_mem *lost = mem;

		scene->reset_result = cases[i].reset_result;
		scene->stop_result = cases[i].stop_result;
		if (cases[i].can_stop)
			scene->ops.stop_access = stop_access;
		scene->stuck = U64_MAX;
		assert_int_equal(unmap_mem(scene, NULL, mem, address), -EIO);
		rf_mem_put(mem);
		/* with two tables of the mapping */
		scene_end(scene, cases[i].left ? cases[i].left + 2 : 0);
		if (cases[i].left)
			forget(lost);
	}
}

/* --- the core ------------------------------------------------------------------------------- */

static void look_at(struct world *world, u64 now)
{
	kmd_adapter_watch(world->device->adapter, now);
}

static void destroy_memory(struct rf_file *file, u32 handle)
{
	struct drm_ringfence_memory_destroy destroy = { .handle = handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy), 0);
}

static void the_core_resets_the_device(void **state)
{
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	struct drm_ringfence_queue_status status = { 0 };
	u32 memory = make_memory(world->file, 4096, 0).handle;

	(void)state;
	status.handle = make_kernel_queue(world->file, 0).handle;
	look_at(world, 1);
	assert_int_equal(fake->calls[FAKE_RESET_ADAPTER], 0);
	fake->unmap_fails = true;
	destroy_memory(world->file, memory);
	fake->unmap_fails = false;
	look_at(world, 2);
	assert_int_equal(fake->calls[FAKE_RESET_ADAPTER], 1);
	assert_int_equal(fake->calls[FAKE_RESTART_ADAPTER], 1);
	look_at(world, 3);
	assert_int_equal(fake->calls[FAKE_RESET_ADAPTER], 1);
	/* as after any reset of the device */
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	assert_int_equal(status.error, RF_QUEUE_ERROR_ENGINE_RESET);
	world_destroy(world);
}

static void the_core_resets_after_a_process(void **state)
{
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	struct rf_file *file;

	(void)state;
	assert_int_equal(rf_hosted_open(world->device, &file), 0);
	fake->end_fails = true;
	rf_hosted_close(file);
	fake->end_fails = false;
	/* D3 is no way out: the device would not start again */
	assert_int_equal(kmd_adapter_sleep(world->device->adapter), 0);
	assert_int_equal(fake->calls[FAKE_RESET_ADAPTER], 1);
	assert_int_equal(kmd_adapter_wake(world->device->adapter), 0);
	assert_int_equal(fake->calls[FAKE_RESET_ADAPTER], 1);
	world_destroy(world);
}

static void the_core_resets_for_a_queue(void **state)
{
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	struct drm_ringfence_queue_create queue;

	(void)state;
	fake->fail = FAKE_ENTER;
	queue = make_kernel_queue(world->file, 0);
	assert_false(fake_last_queue(fake)->resident);
	fake->fail = FAKE_CALLS;
	assert_false(kmd_adapter_is_wedged(world->device->adapter));
	look_at(world, 1);
	assert_int_equal(fake->calls[FAKE_RESET_ADAPTER], 1);
	assert_int_not_equal(queue.handle, 0);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("an-unmapping-that-does-not-end", an_unmapping_that_does_not_end),
		TEST("the-end-of-a-process", the_end_of_a_process),
		TEST("memory-that-is-mapped-twice", memory_that_is_mapped_twice),
		TEST("a-page-that-is-replaced", a_page_that_is_replaced),
		TEST("a-vmid-changes-hands", a_vmid_changes_hands),
		TEST("the-driver-stops", the_driver_stops),
		TEST("a-space-with-two-vmids", a_space_with_two_vmids),
		TEST("a-vmid-with-records-on-their-way", a_vmid_with_records_on_their_way),
		TEST("vmids-that-nodes-have", vmids_that_nodes_have),
		TEST("the-core-resets-the-device", the_core_resets_the_device),
		TEST("the-core-resets-after-a-process", the_core_resets_after_a_process),
		TEST("the-core-resets-for-a-queue", the_core_resets_for_a_queue),
	};

	return cmocka_run_group_tests_name("invalidations", tests, NULL, NULL);
}
