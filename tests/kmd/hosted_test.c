// SPDX-License-Identifier: Apache-2.0
/* The hosted shell: its memory and its mappings. */
#include <string.h>

#include "fake.h"

static int destroy_memory(struct rf_file *file, u32 handle)
{
	struct drm_ringfence_memory_destroy destroy = { .handle = handle };

	return rf_hosted_request(file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy);
}

static void memory_is_zero(void **state)
{
	static const u32 flags[] = { 0, DRM_RINGFENCE_MEMORY_LOCAL };
	struct world *world = world_new();
	u32 i, j;

	(void)state;
	memset(world->fake.bus.local, 0xff, sizeof(world->fake.bus.local));
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		struct drm_ringfence_memory_create memory =
			make_memory(world->file, 5000, flags[i]);
		u8 bytes[8192];

		assert_int_equal(memory.bytes, 8192);
		assert_int_equal(memory.gpu_address % 4096, 0);
		memset(bytes, 0xff, sizeof(bytes));
		assert_int_equal(
			rf_hosted_memory_read(world->file, memory.handle, 0, bytes, sizeof(bytes)),
			0);
		for (j = 0; j < sizeof(bytes); j++)
			assert_int_equal(bytes[j], 0);
	}
	world_destroy(world);
}

static void access_by_handle(void **state)
{
	static const u32 flags[] = { 0, DRM_RINGFENCE_MEMORY_LOCAL };
	struct world *world = world_new();
	const char text[] = "ringfence";
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		struct drm_ringfence_memory_create memory = make_memory(world->file, 1, flags[i]);
		char back[sizeof(text)];
		u64 value;

		assert_int_equal(
			rf_hosted_memory_write(world->file, memory.handle, 13, text, sizeof(text)),
			0);
		assert_int_equal(
			rf_hosted_memory_read(world->file, memory.handle, 13, back, sizeof(back)),
			0);
		assert_memory_equal(text, back, sizeof(text));
		/* the same memory that the device sees */
		assert_int_equal(
			rf_hosted_memory_write(world->file, memory.handle, 64, &memory.bytes, 8),
			0);
		assert_int_equal(fake_gpu_read(&world->fake,
					       rf_list_first(&world->fake.mappings,
							     struct fake_mapping, link)
						       ->h_process,
					       memory.gpu_address + 64, &value),
				 0);
		assert_int_equal(value, 4096);
		assert_int_equal(rf_hosted_memory_read(world->file, memory.handle, 4095, back, 2),
				 -ERANGE);
		assert_int_equal(
			rf_hosted_memory_read(world->file, memory.handle, U64_MAX, back, 2),
			-ERANGE);
		assert_int_equal(
			rf_hosted_memory_read(world->file, memory.handle, 0, back, SIZE_MAX),
			-ERANGE);
		assert_int_equal(
			rf_hosted_memory_read(world->file, memory.handle + 100, 0, back, 1),
			-ENOENT);
	}
	world_destroy(world);
}

static void mapping_of_memory(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_memory_create system = make_memory(world->file, 4096, 0);
	struct drm_ringfence_memory_create local =
		make_memory(world->file, 4096, DRM_RINGFENCE_MEMORY_LOCAL);
	char *bytes = map(world->file, system.mmap_offset);
	void *pointer;
	char byte;

	(void)state;
	bytes[5] = 'x';
	assert_int_equal(rf_hosted_memory_read(world->file, system.handle, 5, &byte, 1), 0);
	assert_int_equal(byte, 'x');
	assert_ptr_equal(map(world->file, system.mmap_offset), bytes);
	assert_int_equal(rf_hosted_map(world->file, local.mmap_offset, &pointer), -EOPNOTSUPP);
	assert_int_equal(rf_hosted_map(world->file, 0, &pointer), -EINVAL);
	assert_int_equal(rf_hosted_map(world->file, 1, &pointer), -EINVAL);
	assert_int_equal(destroy_memory(world->file, system.handle), 0);
	assert_int_equal(rf_hosted_map(world->file, system.mmap_offset, &pointer), -EINVAL);
	world_destroy(world);
}

static void memory_is_of_one_process(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_memory_create memory = make_memory(world->file, 1, 0);
	struct rf_file *other;
	void *pointer;
	char byte;

	(void)state;
	assert_int_equal(rf_hosted_open(world->device, &other), 0);
	assert_int_equal(destroy_memory(other, memory.handle), -ENOENT);
	assert_int_equal(rf_hosted_map(other, memory.mmap_offset, &pointer), -EINVAL);
	assert_int_equal(rf_hosted_memory_read(other, memory.handle, 0, &byte, 1), -ENOENT);
	rf_hosted_close(other);
	world_destroy(world);
}

static void local_memory_runs_out_and_comes_back(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_memory_create too_much = {
		.bytes = 4096,
		.flags = DRM_RINGFENCE_MEMORY_LOCAL,
	};
	u32 handles[FAKE_LOCAL_BYTES / 4096], i;
	/* all even pages, then all odd ones: no two free ranges may stay apart */
	(void)state;
	for (i = 0; i < ARRAY_SIZE(handles); i++)
		handles[i] = make_memory(world->file, 1, DRM_RINGFENCE_MEMORY_LOCAL).handle;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &too_much),
			 -ENOMEM);
	for (i = 0; i < ARRAY_SIZE(handles); i += 2)
		assert_int_equal(destroy_memory(world->file, handles[i]), 0);
	too_much.bytes = 8192;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &too_much),
			 -ENOMEM);
	for (i = 1; i < ARRAY_SIZE(handles); i += 2)
		assert_int_equal(destroy_memory(world->file, handles[i]), 0);
	make_memory(world->file, FAKE_LOCAL_BYTES, DRM_RINGFENCE_MEMORY_LOCAL);
	world_destroy(world);
}

static void local_ranges_never_overlap(void **state)
{
	struct {
		u32 handle;
		u64 begin, end;
	} ranges[40] = { 0 };
	struct world *world = world_new();
	u32 step, i, filled = 0;

	(void)state;
	srand(2);
	for (step = 0; step < 2000; step++) {
		u32 which = (u32)rand() % ARRAY_SIZE(ranges);
		struct drm_ringfence_memory_create create = {
			.bytes = 4096 * (1 + (u64)rand() % 20),
			.flags = DRM_RINGFENCE_MEMORY_LOCAL,
		};
		struct fake_mapping *mapping;

		if (ranges[which].handle) {
			assert_int_equal(destroy_memory(world->file, ranges[which].handle), 0);
			ranges[which].handle = 0;
			continue;
		}
		if (rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &create))
			continue;
		filled++;
		mapping = rf_list_entry(world->fake.mappings.prev, struct fake_mapping, link);
		ranges[which].handle = create.handle;
		ranges[which].begin = mapping->mem->address;
		ranges[which].end = mapping->mem->address + mapping->mem->bytes;
		assert_true(ranges[which].end <= FAKE_LOCAL_BYTES);
		for (i = 0; i < ARRAY_SIZE(ranges); i++)
			if (i != which && ranges[i].handle)
				assert_true(ranges[i].end <= ranges[which].begin ||
					    ranges[which].end <= ranges[i].begin);
	}
	assert_true(filled > 500);
	world_destroy(world);
}

/* The device has to reach what it is asked for, wherever that is. */
static void without_dma_all_memory_is_local(void **state)
{
	struct world *world = world_create();
	const u64 written = 0x0123456789abcdef;
	struct drm_ringfence_memory_create memory;
	const struct rf_mem *mem;
	u64 read;

	(void)state;
	world->fake.bus.has_dma = false;
	world_start(world);
	memory = make_memory(world->file, 1, 0);
	mem = rf_list_entry(world->fake.mappings.prev, struct fake_mapping, link)->mem;
	assert_int_equal(mem->kind, RF_MEM_LOCAL);
	assert_int_equal(rf_hosted_memory_write(world->file, memory.handle, 0, &written, 8), 0);
	assert_int_equal(world->fake.bus.local[mem->address / 8], written);
	assert_int_equal(rf_hosted_memory_read(world->file, memory.handle, 0, &read, 8), 0);
	assert_int_equal(read, written);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("memory-is-zero", memory_is_zero),
		TEST("access-by-handle", access_by_handle),
		TEST("mapping-of-memory", mapping_of_memory),
		TEST("memory-is-of-one-process", memory_is_of_one_process),
		TEST("local-memory-runs-out-and-comes-back", local_memory_runs_out_and_comes_back),
		TEST("local-ranges-never-overlap", local_ranges_never_overlap),
		TEST("without-dma-all-memory-is-local", without_dma_all_memory_is_local),
	};

	return cmocka_run_group_tests_name("hosted", tests, NULL, NULL);
}
