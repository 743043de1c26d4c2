// SPDX-License-Identifier: Apache-2.0
/* Words that change at any moment, with ThreadSanitizer. */
#include "fake.h"
#include "scribble.h"

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("scribble-race.over-everything", scribble_over_everything),
	};

	return cmocka_run_group_tests_name("scribble_race", tests, NULL, NULL);
}
