/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the fuzz share. A round is one device in a world of its own:
 *   good.c    two queues that work for each other, every result checked
 *   queues.c  queues of other processes that do anything
 *   tlps.c    a link partner that sends anything
 *   peers.c   a device that writes anything to the peer page
 *   strings.h device strings
 *   fuzz.c    the rounds
 * Everything is drawn from the seed of the round, so a round repeats alone.
 */
#ifndef RF_FUZZ_H
#define RF_FUZZ_H

#include "../conform/dev.h"
#include "rf_bus.h"

/* VMID 1 belongs to the good queues; these two may only see the playground. */
#define FUZZ_VMID_FIRST 2
#define FUZZ_VMIDS 2
#define FUZZ_SLOT_FIRST 2 /* slots 0 and 1 are the good queues' */
#define FUZZ_SLOTS 6
#define FUZZ_SYSTEM_BYTES 32768u
#define FUZZ_LOCAL_BYTES 16384u

struct fuzz_queue {
	unsigned int slot, node, vmid;
	uint64_t write_pointer;
	bool enabled, disabling;
	struct rf_spot ring; /* in the playground */
};

/* Requests of the link partner that want an answer, by tag. */
struct fuzz_request {
	bool waiting;
	unsigned int words; /* still to come */
};

/* An entry of a fence between devices, as it was written last. */
struct fuzz_peer {
	bool valid;
	unsigned int generation;
};

/* Words to the peer page: @good and so on: what the device has to count; @came: in the mailbox. */
struct fuzz_peers {
	bool enabled;
	struct rf_spot mailbox;
	struct fuzz_peer entries[RF_PEER_FENCES];
	uint64_t sent, good, stale, malformed, came;
};

struct fuzz {
	struct rf_conform conform;
	struct rf_dev dev;
	struct rf_spot playground[2]; /* system, local */

	/* the good queues */
	struct rf_dev_queue copy, vector;
	struct rf_spot in, middle, out, fences, monitored;
	uint64_t jobs;

	struct fuzz_queue queues[FUZZ_SLOTS];
	uint64_t buffers, errors, records;

	struct fuzz_request requests[256];
	unsigned int waiting;
	uint16_t function; /* requester id of the device, once seen */
	uint64_t tlps, answered;
	struct fuzz_peers peers;
	uint64_t strings; /* device strings that were right */
};

/* A number below @below. */
static inline uint64_t draw(struct fuzz *fuzz, uint64_t below)
{
	return rf_conform_random(&fuzz->conform, below);
}

static inline bool chance(struct fuzz *fuzz, unsigned int percent)
{
	return draw(fuzz, 100) < percent;
}

void good_open(struct fuzz *fuzz);
/* Submit a job to both queues, and look that it is done right. */
void good_begin(struct fuzz *fuzz);
bool good_done(struct fuzz *fuzz);
void good_check(struct fuzz *fuzz);

void queues_open(struct fuzz *fuzz);
/* One thing that a process, or the host on behalf of one, may do. */
void queues_act(struct fuzz *fuzz);
/* Take the interrupt records: of the fuzzed queues anything that they may cause. */
void queues_records(struct fuzz *fuzz);
void queues_close(struct fuzz *fuzz);

void tlps_open(struct fuzz *fuzz);
/* Send one. */
void tlps_act(struct fuzz *fuzz);
/* Every request that wants an answer got it. */
void tlps_close(struct fuzz *fuzz);

/* After queues_open(): fences of the region are in the playground. */
void peers_open(struct fuzz *fuzz);
void peers_act(struct fuzz *fuzz);
/* All of it was counted, and only what entries name was sent. The device is at rest. */
void peers_close(struct fuzz *fuzz);

#endif
