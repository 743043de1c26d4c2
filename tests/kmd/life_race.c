// SPDX-License-Identifier: Apache-2.0
/* Objects that many threads make and destroy, under ThreadSanitizer. */
#include "fake.h"
#include "life_loops.h"

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("objects-live-and-die-under-many-threads", life_loops),
	};

	return cmocka_run_group_tests_name("life_race", tests, NULL, NULL);
}
