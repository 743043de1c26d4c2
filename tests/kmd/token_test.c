// SPDX-License-Identifier: Apache-2.0
/* Tokens of the global doorbell (kmd/ddi/rf_token.c), without a device. */
#include "fake.h"

#include "rf_token.h"

#define INDICES 4096u /* what the device's memory of tokens has */

static struct rf_tokens tokens;

static void every_index_once(void **state)
{
	static bool seen[INDICES];
	u32 i;

	(void)state;
	memset(seen, 0, sizeof(seen));
	rf_tokens_init(&tokens);
	for (i = 0; i < INDICES; i++) {
		int token = rf_token_take(&tokens);

		assert_in_range(token, 1, 0xffff);
		assert_false(seen[token % INDICES]);
		seen[token % INDICES] = true;
	}
	assert_int_equal(rf_token_take(&tokens), -ENOSPC);
}

/* One is given back when all are taken: its index comes again, with another token. */
static void the_last_index_is_used_again(void **state)
{
	int held[INDICES], token, i, round;

	(void)state;
	rf_tokens_init(&tokens);
	for (i = 0; i < (int)INDICES; i++)
		held[i] = rf_token_take(&tokens);
	for (i = 0; i < (int)INDICES; i += 7)
		for (round = 0; round < 40; round++) {
			rf_token_give_back(&tokens, held[i]);
			token = rf_token_take(&tokens);
			assert_in_range(token, 1, 0xffff);
			assert_int_equal(token % (int)INDICES, held[i] % (int)INDICES);
			assert_int_not_equal(token, held[i]);
			held[i] = token;
			assert_int_equal(rf_token_take(&tokens), -ENOSPC);
		}
}

/* A queue that is gone: its token comes again only when all others were given out. */
static void a_token_is_used_again_late(void **state)
{
	static u32 taken_at[0x10000];
	u32 now, token;

	(void)state;
	memset(taken_at, 0, sizeof(taken_at));
	rf_tokens_init(&tokens);
	for (now = 1; now < 300000; now++) {
		token = rf_token_take(&tokens);
		if (taken_at[token])
			assert_true(now - taken_at[token] >= 15 * INDICES);
		taken_at[token] = now;
		rf_token_give_back(&tokens, token);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every-index-once", every_index_once),
		TEST("the-last-index-is-used-again", the_last_index_is_used_again),
		TEST("a-token-is-used-again-late", a_token_is_used_again_late),
	};

	return cmocka_run_group_tests_name("token", tests, NULL, NULL);
}
