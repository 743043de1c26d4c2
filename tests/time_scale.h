/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a test waits before it gives up is for a machine that has little else to do.
 * TIME_SCALE in the environment makes every such wait so many times as long.
 */
#ifndef RF_TIME_SCALE_H
#define RF_TIME_SCALE_H

#include <stdlib.h>

static inline double time_scale(void)
{
	const char *text = getenv("TIME_SCALE");
	double scale = text ? atof(text) : 1;

	return scale > 0 ? scale : 1;
}

/* In whatever unit it is given. */
static inline unsigned int time_limit(unsigned int time)
{
	return (unsigned int)(time * time_scale());
}

#endif
