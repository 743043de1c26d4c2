// SPDX-License-Identifier: Apache-2.0
/* The rules. */
#include <string.h>

#include "replay.h"
#include "watch.h"

#define SKP_LATEST 1538
#define UPDATE_LATEST 11250 /* 30 us + 50 % */
#define POLLING_SETS (1024 - 4) /* some are missed until lock and polarity are found */

void watch_doubt(struct watch *watch)
{
	watch->doubt = WATCH_SPOILT;
	watch->count = 0;
}

static void violation(struct watch *watch, enum watch_rule rule)
{
	/* A symbol that breaks a rule may have been one of an Ack. */
	if (rule != WATCH_ACK_LATE)
		watch_doubt(watch);
	watch->violations[rule]++;
	if (watch->verdict >= 0)
		return;
	watch->verdict = rule;
	watch->verdict_time = watch->time;
}

void watch_reset(struct watch *watch, uint32_t ack_limit)
{
	memset(watch, 0, sizeof(*watch));
	watch->ack_limit = ack_limit;
	watch->verdict = -1;
	watch->quiet = true;
	watch->newest = SEQUENCE_NUMBERS - 1;
	scrambler_reset(&watch->scrambler);
}

const char *watch_rule_text(enum watch_rule rule)
{
	static const char *const texts[] = {
#define WATCH_TEXT(rule, text) text,
		WATCH_RULES(WATCH_TEXT)
#undef WATCH_TEXT
	};

	return texts[rule];
}

/* --- ordered sets -------------------------------------------------------------------------- */

static void skp_ends(struct watch *watch)
{
	if (watch->in_skp && watch->skips != 3)
		violation(watch, WATCH_SKP_LENGTH);
	watch->in_skp = false;
}

/* Between packets and sets: is a SKP set overdue? @begun: symbols of what is complete now */
static void boundary(struct watch *watch, unsigned int begun)
{
	if (watch->since_skp > SKP_LATEST + begun) {
		violation(watch, WATCH_SKP_LATE);
		watch->since_skp = 0;
	}
}

static void training_set(struct watch *watch, const struct ordered_set *set)
{
	bool pads = set->link == LINK_NUMBER_PAD && set->lane == LINK_NUMBER_PAD;

	boundary(watch, TRAINING_SET_SYMBOLS);
	watch_doubt(watch); /* The device is in Recovery. */
	if (set->kind == ORDERED_SET_TS1) {
		watch->ts1s = pads ? watch->ts1s + 1 : 0;
		watch->polling = pads;
	} else if (watch->polling) {
		/* The first TS2 of Polling.Configuration */
		if (pads && watch->ts1s < POLLING_SETS)
			violation(watch, WATCH_FEW_TS1);
		watch->polling = false;
	}
}

static void set_complete(struct watch *watch, const struct ordered_set *set)
{
	switch (set->kind) {
	case ORDERED_SET_TS1:
	case ORDERED_SET_TS2:
		training_set(watch, set);
		break;
	case ORDERED_SET_SKP:
		watch->in_skp = true;
		watch->skips = 0;
		watch->since_skp = 0;
		break;
	case ORDERED_SET_EIOS:
		watch->eios = true;
		break;
	default:
		break;
	}
}

/* --- Acks ------------------------------------------------------------------------------------------ */

static bool newer(uint16_t sequence, uint16_t than)
{
	unsigned int ahead = (sequence - than) % SEQUENCE_NUMBERS;

	return ahead && ahead <= SEQUENCE_NUMBERS / 2;
}

static void acknowledged(struct watch *watch, uint16_t sequence, bool nak)
{
	unsigned int count = (sequence - watch->first + 1) % SEQUENCE_NUMBERS;
	uint32_t latency;

	/* What follows is dropped, and sent again. */
	if (nak) {
		watch_doubt(watch);
		return;
	}
	if (watch->doubt == WATCH_PROOF && !newer(watch->proof, sequence))
		watch->doubt = WATCH_SURE;
	if (!watch->count || newer(watch->first, sequence))
		return;
	/* A TLP that is sent twice may be acknowledged before the second one has ended. */
	if (count > watch->count)
		count = watch->count;
	latency = watch->packet - watch->sent[watch->first % WATCH_TLPS];
	watch->acks++;
	if (latency > watch->ack_longest)
		watch->ack_longest = latency;
	watch->first = (watch->first + count) % SEQUENCE_NUMBERS;
	watch->count -= count;
}

/*
 * On the device's lane, what began at that time was not the Ack of the oldest TLP. The latency limit
 * allows for a TLP or DLLP already under way when it is reached (3.6.3.1), of any length, and
 * a SKP set goes before all packets (4.2.8.4). Behind these the Ack is the first that begins.
 */
static void other_began(struct watch *watch, uint64_t time)
{
	if (!watch->count || time <= watch->sent[watch->first % WATCH_TLPS] + watch->ack_limit)
		return;
	violation(watch, WATCH_ACK_LATE);
	watch->count = 0;
}

/* --- DLLPs --------------------------------------------------------------------------------------- */

static void dllp(struct watch *watch)
{
	uint8_t bytes[DLLP_BYTES];
	struct dllp dllp;
	unsigned int class;

	if (dllp_decode(watch->deframer.bytes, &dllp) != DLLP_GOOD) {
		violation(watch, WATCH_DLLP);
		return;
	}
	/* Reserved bits are zero: what is encoded again is the same. */
	dllp_encode(&dllp, bytes);
	if (memcmp(bytes, watch->deframer.bytes, DLLP_BYTES) && dllp.type != DLLP_VENDOR &&
	    dllp.type != DLLP_NOP)
		violation(watch, WATCH_DLLP);
	if (dllp.type == DLLP_ACK || dllp.type == DLLP_NAK)
		acknowledged(watch, dllp.sequence, dllp.type == DLLP_NAK);
	if (!dllp_is_flow_control(dllp.type))
		return;
	class = dllp.type >> 4 & 3;
	if (dllp.type >> 6 & 1) { /* InitFC1, InitFC2 */
		if (class != watch->init_next && class)
			violation(watch, WATCH_INIT_ORDER);
		watch->init_next = (class + 1) % 3;
		watch->finite[class] = dllp.header_credits || dllp.data_credits;
	}
	watch->since_update[class] = 0;
}

/* --- symbols --------------------------------------------------------------------------------------- */

static void data(struct watch *watch, struct lane_symbol symbol, const struct watch_state *state)
{
	bool in_packet = watch->deframer.state != DEFRAMER_IDLE;
	enum deframer_event event;

	watch->scrambler.off = state->scrambling_off;
	symbol.value = scrambler_symbol(&watch->scrambler, symbol.value, symbol.k, false);
	/* The partner may be the last one to reach L0, in the middle of a packet. */
	event = deframer_receive(&watch->deframer, &symbol);
	if (!state->trained || !watch->locked)
		return;
	if (!in_packet)
		boundary(watch, 0);
	if (!in_packet && watch->deframer.state != DEFRAMER_IDLE)
		watch->packet = watch->time;
	if (!in_packet && !symbol.k && symbol.value)
		violation(watch, WATCH_IDLE_DATA);
	if (event == DEFRAMER_DLLP)
		dllp(watch);
	else if (event == DEFRAMER_ERROR || event == DEFRAMER_LOST_TLP)
		violation(watch, WATCH_FRAMING);
	/* Behind logical idle nothing begins before the next symbol. */
	if (watch->deframer.state == DEFRAMER_IDLE)
		other_began(watch, in_packet ? watch->packet : watch->time + 1);
}

static void in_set(struct watch *watch, const struct lane_symbol *symbol)
{
	scrambler_symbol(&watch->scrambler, symbol->value, symbol->k, true);
	if (lane_symbol_is(symbol, LINK_COM))
		watch->locked = true;
	if (deframer_abort(&watch->deframer) != DEFRAMER_NOTHING)
		violation(watch, WATCH_FRAMING);
}

static void timers(struct watch *watch, const struct watch_state *state)
{
	unsigned int class;

	if (!state->active) {
		watch->doubt = WATCH_SURE;
		watch->count = 0;
		watch->newest = SEQUENCE_NUMBERS - 1;
	} else if (!state->trained || watch->quiet) {
		watch_doubt(watch);
	}
	if (!state->trained || !state->active || watch->quiet) {
		memset(watch->since_update, 0, sizeof(watch->since_update));
		return;
	}
	for (class = 0; class < 3; class ++) {
		if (!watch->finite[class] || ++watch->since_update[class] <= UPDATE_LATEST)
			continue;
		violation(watch, WATCH_UPDATE_LATE);
		watch->since_update[class] = 0;
	}
}

static void electrical_idle(struct watch *watch, const struct watch_state *state)
{
	if (!watch->quiet && !watch->eios && state->trained)
		violation(watch, WATCH_QUIET);
	watch->quiet = true;
	watch->locked = watch->in_skp = watch->polling = false;
	watch->ts1s = watch->init_next = watch->since_skp = 0;
	memset(&watch->sets, 0, sizeof(watch->sets));
	deframer_abort(&watch->deframer);
}

void watch_symbol(struct watch *watch, const struct lane_symbol *symbol,
		  const struct watch_state *state)
{
	enum ordered_set_progress progress;
	struct ordered_set set;
	bool cut;

	watch->time++;
	timers(watch, state);
	if (symbol->idle) {
		electrical_idle(watch, state);
		return;
	}
	if (watch->quiet)
		watch->eios = false;
	watch->quiet = false;
	watch->since_skp++;
	if (watch->locked && lane_symbol_bad(symbol))
		violation(watch, WATCH_CODE);
	cut = watch->sets.count && !watch->in_skp && lane_symbol_is(symbol, LINK_COM);
	progress = ordered_set_receive(&watch->sets, symbol, &set);
	if (watch->locked && (cut || progress == ORDERED_SET_BROKEN))
		violation(watch, WATCH_SET_CUT);
	if (progress == ORDERED_SET_OUTSIDE || progress == ORDERED_SET_BROKEN) {
		skp_ends(watch);
		data(watch, *symbol, state);
		return;
	}
	in_set(watch, symbol);
	if (progress == ORDERED_SET_COMPLETE)
		set_complete(watch, &set);
	if (watch->in_skp && lane_symbol_is(symbol, LINK_SKP))
		watch->skips++;
	else
		skp_ends(watch);
}

void watch_sent(struct watch *watch, uint16_t sequence)
{
	bool new = newer(sequence, watch->newest);

	if (new)
		watch->newest = sequence;
	if (watch->doubt == WATCH_SPOILT) {
		watch->doubt = WATCH_CLEAR;
	} else if (watch->doubt == WATCH_CLEAR && new) {
		watch->doubt = WATCH_PROOF;
		watch->proof = sequence;
	}
	if (watch->doubt != WATCH_SURE || !new)
		return;
	if (!watch->count)
		watch->first = sequence;
	/* Behind one that was not sent, or more than fit */
	if (sequence != (watch->first + watch->count) % SEQUENCE_NUMBERS ||
	    watch->count == WATCH_TLPS)
		return;
	watch->sent[sequence % WATCH_TLPS] = watch->time;
	watch->count++;
}
