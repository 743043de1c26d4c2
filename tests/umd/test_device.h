/* SPDX-License-Identifier: Apache-2.0 */
/* The device that the tests of the library run on: the simulated one, or RF_TEST_DEVICE. */
#ifndef TEST_DEVICE_H
#define TEST_DEVICE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline const char *test_device(void)
{
	const char *name = getenv("RF_TEST_DEVICE");

	return name ? name : "sim:";
}

/* For tests of the simulation, or of what only the simulated device does. */
static inline bool test_is_simulated(void)
{
	return !strncmp(test_device(), "sim:", 4);
}

#endif
