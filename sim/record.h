/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A record of a run: all that the devices of a world receive and send, with its cycles, as text. A
 * replay gives the same to new devices, and compares what these send. The program, its inputs and the
 * host's memory are not needed for it; the device string's faults and holds have acted already.
 * docs/device-string.md has the format.
 */
#ifndef RFSIM_RECORD_H
#define RFSIM_RECORD_H

#include <stdio.h>

#include "device_string.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rfsim_record;

/*
 * Record the devices of @string, which were just created, into @file, which stays the caller's. NULL:
 * no memory.
 */
struct rfsim_record *rfsim_record_create(struct rfsim_world *world,
					 const struct rfsim_string *string, FILE *file);
/* Write the end, and stop. Errors are left in the file. */
void rfsim_record_destroy(struct rfsim_record *record);

/**
 * struct rfsim_replay - what a replay gave
 * @string: the device string of the record
 * @cycles: that were replayed
 * @devices: of the world
 * @received: TLPs that they received
 * @sent: TLPs that they sent
 * @cut: the record has no end, since the program did not close its device; what it has was replayed
 * @difference: the first difference, one line; "" if there is none
 */
struct rfsim_replay {
	char string[2 * RFSIM_STRING_PATH];
	unsigned int devices;
	uint64_t cycles, received, sent;
	bool cut;
	char difference[RFSIM_STRING_PROBLEM];
};

/*
 * Replay the record in @path. @words, or NULL: more words for the device string, for files such as
 * "wave=w.fst". 0, also with a difference; an error of open(2); -EINVAL the file is no record;
 * else an error of rfsim_string_create(). @problem receives a line then.
 */
int rfsim_replay(const char *path, const char *words, struct rfsim_replay *replay,
		 char problem[RFSIM_STRING_PROBLEM]);

#ifdef __cplusplus
}
#endif
#endif
