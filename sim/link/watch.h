/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for what the device sends on its lane, as far as they can be seen there. A violation is
 * counted, the first one is the verdict. Without errors on that lane, every violation is the
 * device's; with errors it means nothing, except for ACK_LATE: see watch_doubt().
 *
 * It has a receiver of its own, so that nothing which the partner takes is taken on trust.
 */
#ifndef LINK_WATCH_H
#define LINK_WATCH_H

#include "framer.h"
#include "ordered_set.h"
#include "scrambler.h"

/* clang-format off */
#define WATCH_RULES(X) \
	X(CODE, "a code or disparity error") \
	X(SET_CUT, "an ordered set that is not whole (4.2.5)") \
	X(FRAMING, "symbols that are neither packet nor logical idle (4.2.1.2)") \
	X(IDLE_DATA, "logical idle other than scrambled D0.0 (4.2.1.2)") \
	X(QUIET, "from L0 to electrical idle without an EIOS (4.2.5.3)") \
	X(SKP_LENGTH, "a SKP set without three SKPs (4.2.8.1)") \
	X(SKP_LATE, "no SKP set for more than 1538 symbol times (4.2.8.4)") \
	X(FEW_TS1, "fewer than 1024 TS1s in Polling.Active (4.2.7.2.1)") \
	X(DLLP, "a DLLP with a wrong CRC, or reserved bits (3.5.1)") \
	X(INIT_ORDER, "InitFCs not in the order P, NP, Cpl (3.4.1)") \
	X(ACK_LATE, "an Ack later than its latency limit (3.6.3.1)") \
	X(UPDATE_LATE, "no UpdateFC for more than 45 us (2.6.1.2)")
/* clang-format on */

enum watch_rule {
#define WATCH_RULE(rule, text) WATCH_##rule,
	WATCH_RULES(WATCH_RULE)
#undef WATCH_RULE
		WATCH_RULE_COUNT
};

#define WATCH_TLPS 32 /* that can wait for an Ack */

/*
 * Ack Latency Limit at 2.5 GT/s on one lane for a Max_Payload_Size of 128, in symbol times (3.6.3.1):
 * (128 + 28) * 1.4 + 19, where 28 is the overhead of a TLP, 1.4 the AckFactor and 19 the internal
 * delay. For 256 bytes it is 416: a device that does not look at Max_Payload_Size keeps the smaller one.
 */
#define ACK_LATENCY_128 237

/*
 * What struct watch knows of the device's receiver.
 * @WATCH_PROOF: the TLP @proof was sent behind an error and waits for its Ack
 * @WATCH_CLEAR: behind an error; the next new TLP will be @proof
 * @WATCH_SPOILT: the TLP that is being sent may have an error, or may be dropped for one
 */
enum watch_doubt { WATCH_SURE, WATCH_PROOF, WATCH_CLEAR, WATCH_SPOILT };

/**
 * struct watch - the rules' state.
 * @ack_limit: symbol times from a TLP's last symbol to its Ack's first
 * @violations: by rule
 * @verdict, @verdict_time: the first violation; a negative rule: none
 * @time: symbol times since the start
 * @packet: when the packet that is received began
 * @doubt: unless WATCH_SURE, it is unknown which TLPs the device has to acknowledge
 * @newest: sequence number of the latest TLP that was not a repetition
 * @acks, @ack_longest: Acks that were judged, and the longest time to one
 */
struct watch {
	uint32_t ack_limit;
	unsigned int violations[WATCH_RULE_COUNT];
	int verdict;
	uint64_t verdict_time;
	uint64_t time;
	struct ordered_set_receiver sets;
	struct scrambler scrambler;
	struct deframer deframer;
	bool quiet, eios, locked;
	unsigned int skips, init_next, ts1s;
	bool in_skp, polling;
	uint32_t since_skp, since_update[3];
	bool finite[3];
	uint64_t sent[WATCH_TLPS];
	uint16_t first, count; /* sequence numbers that wait for an Ack */
	uint64_t packet;
	enum watch_doubt doubt;
	uint16_t newest, proof;
	unsigned int acks;
	uint32_t ack_longest;
};

void watch_reset(struct watch *watch, uint32_t ack_limit);

/* What the partner knows. @trained: its LTSSM is in L0; @active: its data link layer is active */
struct watch_state {
	bool trained, active, scrambling_off;
};

/* A symbol time: the device's symbol, decoded. */
void watch_symbol(struct watch *watch, const struct lane_symbol *symbol,
		  const struct watch_state *state);

/* The partner has sent this TLP. */
void watch_sent(struct watch *watch, uint16_t sequence);

/*
 * There was an error on either lane: the device may not have received a TLP, or its Ack may be lost.
 * No Ack is judged until the device has acknowledged a TLP that was new and sent behind the error.
 */
void watch_doubt(struct watch *watch);

const char *watch_rule_text(enum watch_rule rule);

#endif
