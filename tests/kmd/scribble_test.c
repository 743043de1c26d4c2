// SPDX-License-Identifier: Apache-2.0
/* Words that change at any moment, with AddressSanitizer and UBSan. */
#include "fake.h"
#include "scribble.h"

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("scribble.over-everything", scribble_over_everything),
	};

	return cmocka_run_group_tests_name("scribble", tests, NULL, NULL);
}
