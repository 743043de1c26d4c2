// SPDX-License-Identifier: Apache-2.0
#include "dev.h"

const struct rf_conform_test rf_conform_queue_tests[] = {
	{ 0 },
};
