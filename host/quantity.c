// SPDX-License-Identifier: Apache-2.0
#include "quantity.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const times[] = { "ns", "us", "ms", "s" };
static const char *const sizes[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
static const char *const frequencies[] = { "Hz", "kHz", "MHz", "GHz" };

#define LAST(names) (sizeof(names) / sizeof((names)[0]) - 1)

/* Four digits, and the largest unit of which it is at least one */
static char *scale(char *text, size_t bytes, double quantity, double step, const char *const *names,
		   size_t last)
{
	size_t unit = 0;

	while (unit < last && quantity >= step) {
		quantity /= step;
		unit++;
	}
	snprintf(text, bytes, "%.4g %s", quantity, names[unit]);
	return text;
}

char *rf_time_text(char *text, size_t bytes, double ns)
{
	return scale(text, bytes, ns, 1000, times, LAST(times));
}

char *rf_cycles_text(char *text, size_t bytes, uint64_t cycles, uint64_t hz)
{
	char time[RF_QUANTITY_BYTES];

	if (hz)
		snprintf(text, bytes, "%" PRIu64 " cycles (%s)", cycles,
			 rf_time_text(time, sizeof(time), (double)cycles * 1e9 / (double)hz));
	else
		snprintf(text, bytes, "%" PRIu64 " cycles", cycles);
	return text;
}

char *rf_bytes_text(char *text, size_t bytes, uint64_t quantity)
{
	return scale(text, bytes, (double)quantity, 1024, sizes, LAST(sizes));
}

char *rf_frequency_text(char *text, size_t bytes, uint64_t hz)
{
	return scale(text, bytes, (double)hz, 1000, frequencies, LAST(frequencies));
}
