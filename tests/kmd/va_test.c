// SPDX-License-Identifier: Apache-2.0
/* GPU virtual addresses of one space (kmd/ddi/rf_va.c), without page tables or a device. */
#include "fake.h"

#include "rf_va.h"
#include "ringfence_hw.h"

#define PAGE 4096ull
#define LARGE (2ull << 20)
#define FIRST (1ull << 20) /* what lies below is never given out */

static struct rf_va_range *alloc(struct rf_va *va, u64 address, u64 physical, u64 bytes)
{
	struct rf_va_range *range;
	int error = 0;

	range = rf_va_alloc(va, address, physical, bytes, &error);
	if (!range)
		assert_int_equal(error, -ENOSPC);
	return range;
}

static void free_all(struct rf_va *va)
{
	while (!rf_list_empty(&va->ranges))
		rf_va_free(rf_list_first(&va->ranges, struct rf_va_range, link));
}

/* In order, and a page is free behind each. */
static void assert_apart(const struct rf_va *va)
{
	const struct rf_va_range *range;
	u64 end = FIRST;

	rf_list_for_each(range, &va->ranges, link) {
		assert_true(range->address >= end);
		end = range->address + range->bytes + PAGE;
		assert_true(end <= RF_VA_END);
	}
}

static void ranges_lie_apart(void **state)
{
	struct rf_va_range *ranges[32] = { 0 };
	u64 random = 1;
	struct rf_va va;
	u32 i;

	(void)state;
	rf_va_init(&va, 15); /* the search soon begins anew at the front */
	for (i = 0; i < 2000; i++) {
		struct rf_va_range **range;

		random = random * 6364136223846793005ull + 1442695040888963407ull;
		range = &ranges[random >> 40 & 31];
		if (*range)
			rf_va_free(*range);
		*range = alloc(&va, 0, (random >> 8 & 0xffff) * PAGE,
			       (1 + (random >> 24 & 0xfff)) * 64 * PAGE);
		assert_non_null(*range);
		assert_ptr_equal(rf_va_find(&va, (*range)->address), *range);
		assert_apart(&va);
	}
	free_all(&va);
}

static void at_an_address(void **state)
{
	struct rf_va_range *range;
	struct rf_va va;

	(void)state;
	rf_va_init(&va, 0);
	range = alloc(&va, 16 * LARGE, 0, 4 * PAGE);
	assert_int_equal(range->address, 16 * LARGE);
	assert_null(alloc(&va, 16 * LARGE, 0, PAGE)); /* it is in use */
	assert_null(alloc(&va, 16 * LARGE - PAGE, 0, PAGE)); /* no page would be free behind it */
	assert_null(alloc(&va, 16 * LARGE + 4 * PAGE, 0, PAGE)); /* nor behind the other */
	rf_va_free(range);
	assert_null(rf_va_find(&va, 16 * LARGE));
	assert_non_null(alloc(&va, 16 * LARGE, 0, PAGE));
	free_all(&va);
}

static void where_a_large_page_can_be_used(void **state)
{
	struct rf_va va;
	u64 physical;

	(void)state;
	rf_va_init(&va, 0);
	for (physical = 0; physical < 2 * LARGE; physical += 37 * PAGE)
		assert_int_equal(alloc(&va, 0, physical, 2 * LARGE)->address % LARGE,
				 physical % LARGE);
	free_all(&va);
}

static void a_ring_is_in_one_block(void **state)
{
	struct rf_va va;
	u64 bytes;

	(void)state;
	rf_va_init(&va, 0);
	for (bytes = PAGE; bytes <= RF_RING_BLOCK_BYTES; bytes += PAGE) {
		u64 address = alloc(&va, 0, PAGE, bytes)->address;

		assert_int_equal(address / RF_RING_BLOCK_BYTES,
				 (address + bytes - 1) / RF_RING_BLOCK_BYTES);
	}
	free_all(&va);
}

/* An access through a pointer to memory that was unmapped faults. */
static void freed_addresses_rest(void **state)
{
	struct rf_va_range *range;
	struct rf_va va;
	u64 address;

	(void)state;
	rf_va_init(&va, 0);
	range = alloc(&va, 0, 0, PAGE);
	address = range->address;
	rf_va_free(range);
	assert_true(alloc(&va, 0, 0, PAGE)->address > address);
	free_all(&va);
}

static void spaces_begin_at_different_places(void **state)
{
	u64 last = 0;
	u32 place;

	(void)state;
	for (place = 0; place < 16; place++) {
		struct rf_va va;
		u64 address;

		rf_va_init(&va, place);
		address = alloc(&va, 0, 0, PAGE)->address;
		assert_true(!place || address > last + (1ull << 30));
		last = address;
		free_all(&va);
	}
}

static void room_ends(void **state)
{
	struct rf_va va;

	(void)state;
	rf_va_init(&va, 0);
	assert_null(alloc(&va, 0, 0, RF_VA_END));
	assert_non_null(alloc(&va, 0, 0, RF_VA_END / 2));
	assert_null(alloc(&va, 0, 0, RF_VA_END / 2));
	free_all(&va);
	assert_non_null(alloc(&va, 0, 0, RF_VA_END / 2));
	free_all(&va);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("ranges-lie-apart", ranges_lie_apart),
		TEST("at-an-address", at_an_address),
		TEST("large-pages-can-be-used", where_a_large_page_can_be_used),
		TEST("a-ring-is-in-one-block", a_ring_is_in_one_block),
		TEST("freed-addresses-are-not-used-at-once", freed_addresses_rest),
		TEST("spaces-begin-at-different-places", spaces_begin_at_different_places),
		TEST("room-ends", room_ends),
	};

	return cmocka_run_group_tests_name("va", tests, NULL, NULL);
}
