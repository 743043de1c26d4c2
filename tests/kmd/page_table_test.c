// SPDX-License-Identifier: Apache-2.0
/* Page tables as the device reads them, against a model that has a word for each page. */
#include "fake.h"

#include "rf_page_table.h"

/* The model's pages: around the border of two 1 GiB pages, 6 MiB on either side. */
#define BORDER 0x80000000ull
#define PAGES 3072u
#define FIRST (BORDER - PAGES / 2 * 4096ull)
#define LARGE 512u /* pages of 2 MiB */

struct page {
	u64 physical;
	bool mapped;
	bool writable;
};

struct scene {
	struct fake_bus bus;
	struct rf_bus_ops ops;
	struct rf_page_table *root;
	struct page page[PAGES];
	u64 random;
};

static u32 tables_left; /* that can still be made */

static int map_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 *address)
{
	(void)bus;
	(void)bytes;
	if (!tables_left)
		return -ENOMEM;
	tables_left--;
	*address = (uintptr_t)cpu;
	return 0;
}

static void unmap_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 address)
{
	(void)bus;
	(void)cpu;
	(void)bytes;
	(void)address;
	tables_left++;
}

static struct scene *scene_new(void)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	fake_bus_init(&scene->bus);
	scene->ops = *scene->bus.bus.ops;
	scene->ops.map_memory = map_memory;
	scene->ops.unmap_memory = unmap_memory;
	scene->bus.bus.ops = &scene->ops;
	scene->random = 1;
	tables_left = 100;
	scene->root = rf_page_table_create(&scene->bus.bus);
	assert_non_null(scene->root);
	return scene;
}

/* Everything was unmapped: every table but the root is gone. */
static void scene_end(struct scene *scene)
{
	assert_int_equal(tables_left, 99);
	rf_page_table_destroy(scene->root);
	assert_int_equal(tables_left, 100);
	fake_bus_destroy(&scene->bus);
	free(scene);
}

static u64 draw(struct scene *scene, u64 below)
{
	scene->random = scene->random * 6364136223846793005ull + 1442695040888963407ull;
	return (scene->random >> 33) % below;
}

/* --- the device's view ---------------------------------------------------------------- */

/* The walk of the privileged specification: level of the leaf, or -1 for a fault. */
static int walk(const struct scene *scene, u64 address, struct page *page)
{
	u64 table = rf_page_table_root(scene->root) & ~0xfffull, entry;
	int level;

	for (level = 2; level >= 0; level--) {
		entry = ((const u64 *)(uintptr_t)table)[(address >> (12 + 9 * level)) & 0x1ff];
		table = (entry >> 10 & ((1ull << 44) - 1)) << 12;
		if (!(entry & 1)) {
			assert_int_equal(entry, 0);
			return -1;
		}
		if (!(entry & 0xe))
			continue;
		/* V, R and A, or these and W and D; no page number below the leaf's size */
		assert_true((entry & 0x3ff) == 0x43 || (entry & 0x3ff) == 0xc7);
		assert_int_equal(entry >> 54, 0);
		assert_int_equal(table & ((1ull << (12 + 9 * level)) - 1), 0);
		page->mapped = true;
		page->writable = entry & 4;
		page->physical = table | (address & ((1ull << (12 + 9 * level)) - 1));
		return level;
	}
	fail_msg("a pointer at the last level");
	return -1;
}

static void check(const struct scene *scene)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++) {
		struct page found = { 0 };

		walk(scene, FIRST + i * 4096ull, &found);
		assert_int_equal(found.mapped, scene->page[i].mapped);
		if (!found.mapped)
			continue;
		assert_int_equal(found.writable, scene->page[i].writable);
		assert_int_equal(found.physical, scene->page[i].physical);
	}
}

/* --- changes, to the tables and to the model --------------------------------------------- */

static int map_pages(struct scene *scene, u32 first, u32 count, u64 physical, bool writable)
{
	int error = rf_page_table_map(&scene->bus.bus, scene->root, FIRST + first * 4096ull,
				      physical, count * 4096ull, writable);
	u32 i;

	for (i = 0; !error && i < count; i++)
		scene->page[first + i] = (struct page){ physical + i * 4096ull, true, writable };
	return error;
}

static int unmap_pages(struct scene *scene, u32 first, u32 count)
{
	struct rf_list empty;
	int error;
	u32 i;

	rf_list_init(&empty);
	error = rf_page_table_unmap(&scene->bus.bus, scene->root, FIRST + first * 4096ull,
				    count * 4096ull, &empty);
	rf_page_tables_free(&empty);
	for (i = 0; !error && i < count; i++)
		scene->page[first + i].mapped = false;
	return error;
}

static int level_of(const struct scene *scene, u64 address)
{
	struct page page;

	return walk(scene, address, &page);
}

/* --- tests ---------------------------------------------------------------------------------- */

static void leaves_are_as_large_as_can_be(void **state)
{
	struct scene *scene = scene_new();
	struct rf_list empty;

	(void)state;
	/* From a 4 KiB page below 3 GiB on, 1 GiB and 4 MiB and a page, in local memory. */
	assert_int_equal(rf_page_table_map(&scene->bus.bus, scene->root, 0xbffff000,
					   RF_PHYSICAL_LOCAL | 0x17ffff000,
					   0x1000 + (1ull << 30) + (4u << 20) + 0x1000, true),
			 0);
	assert_int_equal(level_of(scene, 0xbffff000), 0);
	assert_int_equal(level_of(scene, 0xc0000000), 2);
	assert_int_equal(level_of(scene, 0xffffffff), 2);
	assert_int_equal(level_of(scene, 0x100000000), 1);
	assert_int_equal(level_of(scene, 0x1003fffff), 1);
	assert_int_equal(level_of(scene, 0x100400000), 0);
	assert_int_equal(level_of(scene, 0x100401000), -1);
	assert_int_equal(99 - tables_left, 4);
	rf_list_init(&empty);
	assert_int_equal(rf_page_table_unmap(&scene->bus.bus, scene->root, 0xbffff000,
					     0x1000 + (1ull << 30) + (4u << 20) + 0x1000, &empty),
			 0);
	rf_page_tables_free(&empty);
	scene_end(scene);
}

static void misaligned_memory_has_small_leaves(void **state)
{
	struct scene *scene = scene_new();

	(void)state;
	assert_int_equal(map_pages(scene, 0, 2 * LARGE, 0x40001000, false), 0);
	assert_int_equal(level_of(scene, FIRST), 0);
	check(scene);
	assert_int_equal(unmap_pages(scene, 0, 2 * LARGE), 0);
	check(scene);
	scene_end(scene);
}

static void a_large_leaf_is_split(void **state)
{
	struct scene *scene = scene_new();
	struct page page;
	struct rf_list empty;
	u64 address;

	(void)state;
	/* One page of 2 MiB is unmapped in the middle, one of its neighbours read only. */
	assert_int_equal(map_pages(scene, 0, 2 * LARGE, 0x40000000, true), 0);
	assert_int_equal(level_of(scene, FIRST), 1);
	assert_int_equal(unmap_pages(scene, 100, 1), 0);
	assert_int_equal(map_pages(scene, 101, 1, scene->page[101].physical, false), 0);
	assert_int_equal(level_of(scene, FIRST), 0);
	assert_int_equal(level_of(scene, FIRST + LARGE * 4096ull), 1);
	check(scene);
	assert_int_equal(unmap_pages(scene, 0, 2 * LARGE), 0);

	/* A page of 1 GiB becomes pages of 2 MiB and one table of small ones. */
	assert_int_equal(rf_page_table_map(&scene->bus.bus, scene->root, 1ull << 32, 1ull << 33,
					   1u << 30, true),
			 0);
	rf_list_init(&empty);
	assert_int_equal(rf_page_table_unmap(&scene->bus.bus, scene->root,
					     (1ull << 32) + 0x12345000, 0x1000, &empty),
			 0);
	assert_true(rf_list_empty(&empty));
	for (address = 1ull << 32; address < (1ull << 32) + (1u << 30); address += 0x1000) {
		int level = walk(scene, address, &page);

		if (address == (1ull << 32) + 0x12345000) {
			assert_int_equal(level, -1);
			continue;
		}
		assert_int_equal(level, (address & 0x3fe00000) == 0x12200000 ? 0 : 1);
		assert_int_equal(page.physical, address + (1ull << 32));
	}
	assert_int_equal(
		rf_page_table_unmap(&scene->bus.bus, scene->root, 1ull << 32, 1u << 30, &empty), 0);
	rf_page_tables_free(&empty);
	scene_end(scene);
}

/* Without memory for a table nothing else changes, and what was mapped can be unmapped. */
static void without_memory(void **state)
{
	struct scene *scene = scene_new();
	u32 kept;

	(void)state;
	for (kept = 0; kept < 4; kept++) {
		tables_left = kept; /* four are needed: two below either 1 GiB page */
		assert_int_equal(map_pages(scene, PAGES / 2 - 1, 2, 0x40000000, true), -ENOMEM);
		assert_int_equal(unmap_pages(scene, PAGES / 2 - 1, 2), 0);
		assert_int_equal(tables_left, kept);
		check(scene);
	}
	tables_left = 4;
	assert_int_equal(map_pages(scene, PAGES / 2 - 1, 2, 0x40000000, true), 0);
	assert_int_equal(unmap_pages(scene, PAGES / 2 - 1, 2), 0);

	tables_left = 1;
	assert_int_equal(map_pages(scene, 0, LARGE, 0x40000000, true), 0);
	assert_int_equal(unmap_pages(scene, 5, 1), -ENOMEM);
	check(scene);
	assert_int_equal(map_pages(scene, 5, 1, 0x40005000, false), -ENOMEM);
	check(scene);
	assert_int_equal(unmap_pages(scene, 0, LARGE), 0);
	check(scene);
	tables_left = 99;
	scene_end(scene);
}

static void random_changes_agree_with_a_model(void **state)
{
	struct scene *scene = scene_new();
	u32 round, large = 0, i;

	(void)state;
	for (round = 0; round < 2000; round++) {
		u32 first = (u32)draw(scene, PAGES), count;
		u64 physical = draw(scene, 1u << 20) << 12;

		if (draw(scene, 2)) /* at the border of a large page, and like it */
			first -= first % LARGE;
		if (draw(scene, 4))
			physical += (FIRST + first * 4096ull - physical) & (RF_LEAF_BYTES(1) - 1);
		count = 1 + (u32)draw(scene, draw(scene, 2) ? 8 : 3 * LARGE);
		if (count > PAGES - first)
			count = PAGES - first;
		if (draw(scene, 3))
			assert_int_equal(map_pages(scene, first, count, physical, draw(scene, 2)),
					 0);
		else
			assert_int_equal(unmap_pages(scene, first, count), 0);
		if (!draw(scene, 10))
			assert_int_equal(unmap_pages(scene, 0, PAGES), 0);
		check(scene);
		for (i = 0; i < PAGES; i += LARGE)
			large += level_of(scene, FIRST + i * 4096ull) == 1;
	}
	print_message("# %u large pages seen\n", large);
	assert_true(large > 100);
	assert_int_equal(unmap_pages(scene, 0, PAGES), 0);
	check(scene);
	scene_end(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("leaves-are-as-large-as-can-be", leaves_are_as_large_as_can_be),
		TEST("misaligned-memory-has-small-leaves", misaligned_memory_has_small_leaves),
		TEST("a-large-leaf-is-split", a_large_leaf_is_split),
		TEST("without-memory", without_memory),
		TEST("random-changes-agree-with-a-model", random_changes_agree_with_a_model),
	};

	return cmocka_run_group_tests_name("page tables", tests, NULL, NULL);
}
