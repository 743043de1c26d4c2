/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device strings at random, made of pieces of right ones. In a header, because the fuzz and the
 * parser's own test, which has the sanitizers, both use it.
 */
#ifndef RF_FUZZ_STRINGS_H
#define RF_FUZZ_STRINGS_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/device_string.h"

#define FUZZ_STRING_BYTES 600

static inline uint64_t fuzz_string_draw(uint64_t *state, uint64_t below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull % below;
}

static inline void fuzz_string_make(uint64_t *state, char text[FUZZ_STRING_BYTES])
{
	static const char *const pieces[] = {
		"seed",
		"random",
		"read-latency",
		"reorder",
		"backpressure",
		"mps",
		"msi-delay",
		"host-timeout",
		"wave",
		"timeline",
		"page",
		"fault",
		"hold",
		"=",
		"=",
		"=",
		"=",
		"@",
		"@",
		":",
		":",
		"+",
		",",
		",",
		",",
		"..",
		"..",
		"\\",
		"read",
		"ring",
		"msi",
		"completion",
		"copy",
		"compute",
		"signal",
		"idle",
		"cycle",
		"poisoned",
		"abort",
		"lose-msi",
		"engine-hang",
		"link-down",
		"completion-timeout",
		"0",
		"1",
		"128",
		"4096",
		"0x1000",
		"18446744073709551615",
		"18446744073709551616",
		"x",
		"\n",
		"\xff",
		/* whole words, so that some strings are right */
		",random",
		",mps=256",
		",hold=ring@2..:msi@1+5",
		",fault=abort@read:3",
		",read-latency=1..9",
		",seed=3",
		",device=2",
		",devices=2",
		",fault=link-down@cycle:5..9",
	};
	uint64_t count = fuzz_string_draw(state, 12), i;

	strcpy(text, fuzz_string_draw(state, 50) ? "sim:seed=1" : "si");
	if (!fuzz_string_draw(state, 8))
		strcpy(text, "sim:");
	for (i = 0; i < count; i++)
		strcat(text, pieces[fuzz_string_draw(state, sizeof(pieces) / sizeof(pieces[0]))]);
}

/*
 * Parse @count of them. NULL, or a line about what was wrong; *good is increased by the number of
 * those that were right.
 */
static inline const char *fuzz_strings(uint64_t seed, unsigned int count, uint64_t *good)
{
	static char line[FUZZ_STRING_BYTES + RFSIM_STRING_PROBLEM + 100];
	uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15ull | 1;
	char text[FUZZ_STRING_BYTES], problem[RFSIM_STRING_PROBLEM];
	struct rfsim_string string;
	struct rfsim_world *world;
	int error;

	while (count--) {
		fuzz_string_make(&state, text);
		memset(problem, 'x', sizeof(problem));
		error = rfsim_string_parse(text, &string, problem);
		if (!memchr(problem, 0, sizeof(problem)) || (error && error != -EINVAL) ||
		    !error != !*problem) {
			snprintf(line, sizeof(line), "'%s' gives %d and the line '%.400s'", text,
				 error, problem);
			return line;
		}
		if (error)
			continue;
		/* What the parser takes, the simulation takes. */
		if (rfsim_world_create(&string.config, &world)) {
			snprintf(line, sizeof(line), "'%s' is no world", text);
			return line;
		}
		rfsim_world_destroy(world);
		++*good;
	}
	return NULL;
}

#endif
