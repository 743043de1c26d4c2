// SPDX-License-Identifier: Apache-2.0
/*
 * The state machine. Each state has up to three functions' worth of rules: what it sends
 * (ltssm_next), what received sets do (a function of its own), and its time-out (ltssm_tick).
 */
#include <string.h>

#include "ltssm.h"

#define IDLE_MINIMUM 5 /* T_TX-IDLE-MIN, 20 ns */
#define INFER_IDLE 32000 /* 128 us without SKP set or UpdateFC, table 4-48 */
#define COMPLIANCE_EIOS 8
#define POLLING_SETS 1024
#define LOOPBACK_MS 50 /* "less than 100 ms" */
#define ENTRY_MS 2 /* of L1.Entry and L2.Entry: not in the specification */

static bool downstream(const struct ltssm *ltssm)
{
	return ltssm->config.role == LTSSM_DOWNSTREAM_PORT;
}

static bool after(const struct ltssm *ltssm, unsigned int milliseconds)
{
	return ltssm->time >= (uint64_t)milliseconds * ltssm->config.millisecond;
}

static void enter(struct ltssm *ltssm, enum ltssm_state state)
{
	enum ltssm_state before = ltssm->state;

	ltssm->state = state;
	ltssm->entries[state]++;
	ltssm->time = 0;
	ltssm->sets = ltssm->sent = ltssm->sent_since = 0;
	ltssm->answering = false;
	ltssm->idles = ltssm->idles_sent = 0;
	ltssm->not_idle = ltssm->eight = ltssm->seen = false;
	ltssm->eios_sent = 0;
	ltssm->eios_received = ltssm->idle_behind_eios = false;
	ltssm->rx_l0s = ltssm->tx_l0s = L0S_NONE;
	ltssm->skp_after_fts = false;
	ltssm->alive = 0;
	switch (state) {
	case LTSSM_DETECT_QUIET:
		ltssm->link_up = ltssm->again = ltssm->inverted = ltssm->scrambling_off = false;
		ltssm->link = ltssm->lane = LINK_NUMBER_PAD;
		ltssm->from_reset = before == LTSSM_HOT_RESET;
		break;
	case LTSSM_POLLING_ACTIVE:
		ltssm->by_directive = false;
		break;
	case LTSSM_CONFIGURATION_LINKWIDTH_START:
		ltssm->lane = LINK_NUMBER_PAD;
		ltssm->link = downstream(ltssm) ? ltssm->config.link_number : LINK_NUMBER_PAD;
		break;
	case LTSSM_CONFIGURATION_IDLE:
		ltssm->link_up = true;
		break;
	case LTSSM_RECOVERY_RCVRLOCK:
		/* What led here, or was interrupted, is over. */
		if (ltssm->directive == LTSSM_RETRAIN || ltssm->directive == LTSSM_ENTER_L1 ||
		    ltssm->directive == LTSSM_ENTER_L2)
			ltssm->directive = LTSSM_TRAIN;
		break;
	case LTSSM_HOT_RESET:
		ltssm->was_reset = false;
		if (!downstream(ltssm))
			ltssm->link_up = false;
		break;
	case LTSSM_DISABLED:
	case LTSSM_LOOPBACK_ENTRY:
		ltssm->link_up = false;
		break;
	default:
		break;
	}
}

void ltssm_reset(struct ltssm *ltssm, const struct ltssm_config *config)
{
	memset(ltssm, 0, sizeof(*ltssm));
	ltssm->config = *config;
	ltssm->present = true;
	enter(ltssm, LTSSM_DETECT_QUIET);
}

void ltssm_direct(struct ltssm *ltssm, enum ltssm_directive directive)
{
	ltssm->directive = directive;
	if (directive == LTSSM_OFF && ltssm->state != LTSSM_DETECT_QUIET)
		enter(ltssm, LTSSM_DETECT_QUIET);
}

/* --- training sets that were received ------------------------------------------------------ */

static bool of_kind(const struct ltssm *ltssm, enum ordered_set_kind kind, unsigned int count)
{
	return ltssm->set.kind == kind && ltssm->sets >= count;
}

static bool numbers(const struct ltssm *ltssm, int link, int lane)
{
	return ltssm->set.link == link && ltssm->set.lane == lane;
}

static bool asks(const struct ltssm *ltssm, enum training_control control)
{
	return of_kind(ltssm, ORDERED_SET_TS1, 2) && ltssm->set.control & control;
}

/* The sets that count have begun: from now on those sent are counted, too. */
static void answer(struct ltssm *ltssm)
{
	if (ltssm->answering)
		return;
	ltssm->answering = true;
	ltssm->sent_since = 0;
}

static void polling_active(struct ltssm *ltssm)
{
	const struct ordered_set *set = &ltssm->set;

	if (!numbers(ltssm, LINK_NUMBER_PAD, LINK_NUMBER_PAD) || ltssm->sets < 8)
		return;
	if (set->kind == ORDERED_SET_TS1 && set->control & TRAINING_COMPLIANCE &&
	    !(set->control & TRAINING_LOOPBACK))
		return;
	ltssm->eight = true;
}

static bool answered(const struct ltssm *ltssm)
{
	return ltssm->answering && ltssm->sent_since >= 16;
}

/* TS2s with these numbers: it counts that there were eight, whatever comes behind. */
static void second_sets(struct ltssm *ltssm, int link, int lane)
{
	if (ltssm->set.kind != ORDERED_SET_TS2 || !numbers(ltssm, link, lane))
		return;
	answer(ltssm);
	ltssm->eight |= ltssm->sets >= 8;
	ltssm->peer_fts = ltssm->set.fts;
}

static void linkwidth_start(struct ltssm *ltssm)
{
	if (!downstream(ltssm) && asks(ltssm, TRAINING_DISABLE)) {
		enter(ltssm, LTSSM_DISABLED);
	} else if (!downstream(ltssm) && asks(ltssm, TRAINING_LOOPBACK)) {
		enter(ltssm, LTSSM_LOOPBACK_ENTRY);
	} else if (of_kind(ltssm, ORDERED_SET_TS1, 2) && ltssm->set.lane == LINK_NUMBER_PAD &&
		   ltssm->set.link != LINK_NUMBER_PAD) {
		if (downstream(ltssm) && ltssm->set.link != ltssm->link)
			return;
		ltssm->link = ltssm->set.link;
		enter(ltssm, LTSSM_CONFIGURATION_LINKWIDTH_ACCEPT);
		/* A downstream port has all that it needs to number its lane. */
		if (downstream(ltssm)) {
			ltssm->lane = 0;
			enter(ltssm, LTSSM_CONFIGURATION_LANENUM_WAIT);
		}
	}
}

/* Two sets with both numbers PAD end Configuration from here on. */
static bool padded(struct ltssm *ltssm)
{
	if (!of_kind(ltssm, ORDERED_SET_TS1, 2) ||
	    !numbers(ltssm, LINK_NUMBER_PAD, LINK_NUMBER_PAD))
		return false;
	enter(ltssm, LTSSM_DETECT_QUIET);
	return true;
}

/* Upstream port only: the other goes on at once. */
static void linkwidth_accept(struct ltssm *ltssm)
{
	if (padded(ltssm) || !of_kind(ltssm, ORDERED_SET_TS1, 2) ||
	    ltssm->set.link != ltssm->link || ltssm->set.lane == LINK_NUMBER_PAD)
		return;
	ltssm->lane = 0; /* the only one */
	enter(ltssm, LTSSM_CONFIGURATION_LANENUM_WAIT);
}

static void lanenum_accept(struct ltssm *ltssm)
{
	enum ordered_set_kind kind = downstream(ltssm) ? ORDERED_SET_TS1 : ORDERED_SET_TS2;

	if (padded(ltssm))
		return;
	if (of_kind(ltssm, kind, 2) && numbers(ltssm, ltssm->link, ltssm->lane))
		enter(ltssm, LTSSM_CONFIGURATION_COMPLETE);
}

static void lanenum_wait(struct ltssm *ltssm)
{
	struct ordered_set set = ltssm->set;
	unsigned int sets = ltssm->sets;
	enum ordered_set_kind kind = downstream(ltssm) ? ORDERED_SET_TS1 : ORDERED_SET_TS2;

	if (padded(ltssm) || !of_kind(ltssm, kind, 2) || set.lane == LINK_NUMBER_PAD)
		return;
	/* The sets that led here are judged there. */
	enter(ltssm, LTSSM_CONFIGURATION_LANENUM_ACCEPT);
	ltssm->set = set;
	ltssm->sets = sets;
	lanenum_accept(ltssm);
}

static void complete(struct ltssm *ltssm)
{
	second_sets(ltssm, ltssm->link, ltssm->lane);
	if (of_kind(ltssm, ORDERED_SET_TS2, 2) && ltssm->set.control & TRAINING_NO_SCRAMBLING)
		ltssm->scrambling_off = true;
}

static void rcvrlock(struct ltssm *ltssm)
{
	if (numbers(ltssm, ltssm->link, ltssm->lane))
		ltssm->eight = true; /* at least one, for the time-out */
	else
		return;
	if (ltssm->sets < 8 || (ltssm->config.extended_synch && ltssm->sent < POLLING_SETS))
		return;
	enter(ltssm, LTSSM_RECOVERY_RCVRCFG);
}

static void rcvrcfg(struct ltssm *ltssm)
{
	second_sets(ltssm, ltssm->link, ltssm->lane);
	if (!numbers(ltssm, ltssm->link, ltssm->lane) && ltssm->set.kind == ORDERED_SET_TS1)
		answer(ltssm);
}

static void recovery_idle(struct ltssm *ltssm)
{
	if (!downstream(ltssm) && asks(ltssm, TRAINING_DISABLE))
		enter(ltssm, LTSSM_DISABLED);
	else if (!downstream(ltssm) && asks(ltssm, TRAINING_HOT_RESET))
		enter(ltssm, LTSSM_HOT_RESET);
	else if (!downstream(ltssm) && asks(ltssm, TRAINING_LOOPBACK))
		enter(ltssm, LTSSM_LOOPBACK_ENTRY);
	else if (of_kind(ltssm, ORDERED_SET_TS1, 2) && ltssm->set.lane == LINK_NUMBER_PAD)
		enter(ltssm, LTSSM_CONFIGURATION_LINKWIDTH_START);
}

static void hot_reset(struct ltssm *ltssm)
{
	if (!asks(ltssm, TRAINING_HOT_RESET) || !numbers(ltssm, ltssm->link, ltssm->lane))
		return;
	ltssm->was_reset = true;
	ltssm->link_up = false;
	if (!downstream(ltssm))
		ltssm->time = 0;
}

static void loopback_entry(struct ltssm *ltssm)
{
	/* The lead waits for its request to come back, the follower for symbol lock. */
	if (downstream(ltssm) && !asks(ltssm, TRAINING_LOOPBACK))
		return;
	enter(ltssm, LTSSM_LOOPBACK_ACTIVE);
}

static void count(struct ltssm *ltssm, const struct ordered_set *set)
{
	const struct ordered_set *last = &ltssm->set;
	bool same = ltssm->sets && set->kind == last->kind && set->link == last->link &&
		    set->lane == last->lane && set->rate == last->rate &&
		    set->control == last->control;

	ltssm->seen = true;
	ltssm->sets = same ? ltssm->sets + 1 : 1;
	ltssm->set = *set;
}

static void received_training(struct ltssm *ltssm, const struct ordered_set *set)
{
	if (set->inverted) {
		/* Polarity is decided in Polling; elsewhere this is no set. */
		if (ltssm->state == LTSSM_POLLING_ACTIVE ||
		    ltssm->state == LTSSM_POLLING_CONFIGURATION)
			ltssm->inverted = !ltssm->inverted;
		ltssm->sets = 0;
		return;
	}
	count(ltssm, set);
	switch (ltssm->state) {
	case LTSSM_POLLING_ACTIVE:
		polling_active(ltssm);
		break;
	case LTSSM_POLLING_CONFIGURATION:
		second_sets(ltssm, LINK_NUMBER_PAD, LINK_NUMBER_PAD);
		break;
	case LTSSM_CONFIGURATION_LINKWIDTH_START:
		linkwidth_start(ltssm);
		break;
	case LTSSM_CONFIGURATION_LINKWIDTH_ACCEPT:
		linkwidth_accept(ltssm);
		break;
	case LTSSM_CONFIGURATION_LANENUM_WAIT:
		lanenum_wait(ltssm);
		break;
	case LTSSM_CONFIGURATION_LANENUM_ACCEPT:
		lanenum_accept(ltssm);
		break;
	case LTSSM_CONFIGURATION_COMPLETE:
		complete(ltssm);
		break;
	case LTSSM_L0:
		enter(ltssm, LTSSM_RECOVERY_RCVRLOCK);
		count(ltssm, set);
		rcvrlock(ltssm);
		break;
	case LTSSM_RECOVERY_RCVRLOCK:
		rcvrlock(ltssm);
		break;
	case LTSSM_RECOVERY_RCVRCFG:
		rcvrcfg(ltssm);
		break;
	case LTSSM_RECOVERY_IDLE:
		recovery_idle(ltssm);
		break;
	case LTSSM_HOT_RESET:
		hot_reset(ltssm);
		break;
	case LTSSM_LOOPBACK_ENTRY:
		loopback_entry(ltssm);
		break;
	default:
		break;
	}
}

static void received_eios(struct ltssm *ltssm)
{
	ltssm->eios_received = true;
	if (ltssm->state != LTSSM_L0)
		return;
	if (ltssm->directive == LTSSM_ENTER_L1 || ltssm->directive == LTSSM_ENTER_L2) {
		enter(ltssm, ltssm->directive == LTSSM_ENTER_L1 ? LTSSM_L1_ENTRY : LTSSM_L2_ENTRY);
		ltssm->eios_received = true;
		return;
	}
	ltssm->rx_l0s = L0S_ENTRY;
	ltssm->rx_time = 0;
}

void ltssm_received_set(struct ltssm *ltssm, const struct ordered_set *set)
{
	switch (set->kind) {
	case ORDERED_SET_TS1:
	case ORDERED_SET_TS2:
		received_training(ltssm, set);
		break;
	case ORDERED_SET_EIOS:
		received_eios(ltssm);
		break;
	case ORDERED_SET_SKP:
		ltssm->alive = 0;
		if (ltssm->rx_l0s == L0S_FTS)
			ltssm->rx_l0s = L0S_NONE;
		break;
	default:
		break;
	}
}

static void left_electrical_idle(struct ltssm *ltssm)
{
	bool armed = ltssm->time >= IDLE_MINIMUM;

	switch (ltssm->state) {
	case LTSSM_DETECT_QUIET:
		/* Behind a hot reset the other side is still sending for a while. */
		if (ltssm->directive == LTSSM_OFF ||
		    (ltssm->from_reset && downstream(ltssm) && !after(ltssm, 2)))
			break;
		enter(ltssm, LTSSM_DETECT_ACTIVE);
		break;
	case LTSSM_DISABLED:
		if (!downstream(ltssm) && ltssm->eios_sent && ltssm->eios_received && armed)
			enter(ltssm, LTSSM_DETECT_QUIET);
		break;
	case LTSSM_L1_IDLE:
		enter(ltssm, LTSSM_RECOVERY_RCVRLOCK);
		break;
	case LTSSM_L2_IDLE:
		/* Of a downstream port: Beacon. */
		enter(ltssm, LTSSM_DETECT_QUIET);
		break;
	case LTSSM_L0:
		if (ltssm->rx_l0s == L0S_IDLE) {
			ltssm->rx_l0s = L0S_FTS;
			ltssm->rx_time = 0;
		}
		break;
	default:
		break;
	}
}

void ltssm_received_symbol(struct ltssm *ltssm, enum ltssm_symbol symbol)
{
	if (symbol == LTSSM_ELECTRICAL_IDLE) {
		ltssm->sets = ltssm->idles = 0;
		ltssm->idle_behind_eios |= ltssm->eios_received;
		if (ltssm->state == LTSSM_LOOPBACK_ACTIVE && ltssm->eios_received &&
		    !downstream(ltssm))
			enter(ltssm, LTSSM_LOOPBACK_EXIT);
		return;
	}
	left_electrical_idle(ltssm);
	ltssm->not_idle = true;
	if (symbol == LTSSM_INSIDE_SET)
		return;
	ltssm->sets = 0;
	ltssm->idles = symbol == LTSSM_LOGICAL_IDLE ? ltssm->idles + 1 : 0;
	if (ltssm->idles >= 8 &&
	    (ltssm->state == LTSSM_CONFIGURATION_IDLE || ltssm->state == LTSSM_RECOVERY_IDLE))
		ltssm->eight = true;
}

void ltssm_received_packet(struct ltssm *ltssm, bool update)
{
	ltssm->again &= ltssm->state != LTSSM_L0;
	if (update)
		ltssm->alive = 0;
}

/* --- time, and conditions that depend on what was sent ---------------------------------------- */

static void tick_l0(struct ltssm *ltssm)
{
	uint32_t fts = 4 * (ltssm->config.fts + 3);

	if (ltssm->config.extended_synch)
		fts = 4 * 4096;
	if (ltssm->rx_l0s == L0S_ENTRY && ++ltssm->rx_time >= IDLE_MINIMUM) {
		ltssm->rx_l0s = L0S_IDLE;
	} else if (ltssm->rx_l0s == L0S_FTS && ++ltssm->rx_time > 2 * fts) {
		enter(ltssm, LTSSM_RECOVERY_RCVRLOCK);
		return;
	}
	if (ltssm->tx_l0s == L0S_IDLE)
		ltssm->tx_time++;
	if (!ltssm->rx_l0s && ++ltssm->alive > INFER_IDLE) {
		enter(ltssm, LTSSM_RECOVERY_RCVRLOCK);
		return;
	}
	switch (ltssm->directive) {
	case LTSSM_RETRAIN:
	case LTSSM_RESET_LINK:
	case LTSSM_DISABLE:
	case LTSSM_LOOP:
		enter(ltssm, LTSSM_RECOVERY_RCVRLOCK);
		break;
	case LTSSM_ENTER_L1:
		if (!downstream(ltssm))
			enter(ltssm, LTSSM_L1_ENTRY);
		break;
	case LTSSM_ENTER_L2:
		if (!downstream(ltssm))
			enter(ltssm, LTSSM_L2_ENTRY);
		break;
	case LTSSM_ENTER_L0S:
		if (!ltssm->tx_l0s && !ltssm->skp_after_fts)
			ltssm->tx_l0s = L0S_ENTRY;
		break;
	default:
		break;
	}
}

/* Directions that Configuration.Linkwidth.Start and Recovery.Idle follow. */
static bool follow(struct ltssm *ltssm)
{
	if (!downstream(ltssm))
		return false;
	if (ltssm->directive == LTSSM_DISABLE)
		enter(ltssm, LTSSM_DISABLED);
	else if (ltssm->directive == LTSSM_LOOP)
		enter(ltssm, LTSSM_LOOPBACK_ENTRY);
	else if (ltssm->directive == LTSSM_RESET_LINK && ltssm->state == LTSSM_RECOVERY_IDLE)
		enter(ltssm, LTSSM_HOT_RESET);
	else
		return false;
	return true;
}

/* Eight idle symbols received, sixteen sent since the first. */
static void tick_idle(struct ltssm *ltssm)
{
	if (ltssm->eight && ltssm->idles_sent >= 16) {
		enter(ltssm, LTSSM_L0);
	} else if (after(ltssm, 2)) {
		bool again = ltssm->again;

		ltssm->again = true;
		enter(ltssm, again ? LTSSM_DETECT_QUIET : LTSSM_RECOVERY_RCVRLOCK);
	}
}

static void tick_polling_active(struct ltssm *ltssm)
{
	bool compliance = ltssm->directive == LTSSM_COMPLIANCE;

	if (ltssm->eight && ltssm->sent >= POLLING_SETS) {
		enter(ltssm, LTSSM_POLLING_CONFIGURATION);
	} else if (compliance || (after(ltssm, 24) && !ltssm->not_idle)) {
		enter(ltssm, LTSSM_POLLING_COMPLIANCE);
		ltssm->by_directive = compliance;
	} else if (after(ltssm, 24)) {
		bool asked = of_kind(ltssm, ORDERED_SET_TS1, 8) &&
			     ltssm->set.control & TRAINING_COMPLIANCE;

		enter(ltssm, asked ? LTSSM_POLLING_COMPLIANCE : LTSSM_DETECT_QUIET);
	}
}

static void tick_rcvrcfg(struct ltssm *ltssm)
{
	bool match = numbers(ltssm, ltssm->link, ltssm->lane);

	if (ltssm->eight && answered(ltssm))
		enter(ltssm, LTSSM_RECOVERY_IDLE);
	else if (!match && of_kind(ltssm, ORDERED_SET_TS1, 8) && answered(ltssm))
		enter(ltssm, LTSSM_CONFIGURATION_LINKWIDTH_START);
	else if (after(ltssm, 48))
		enter(ltssm, LTSSM_DETECT_QUIET);
}

static void tick_hot_reset(struct ltssm *ltssm)
{
	bool hold = downstream(ltssm) && ltssm->was_reset && ltssm->directive == LTSSM_RESET_LINK;
	bool done = downstream(ltssm) && ltssm->was_reset;

	if (!hold && (done || after(ltssm, 2)))
		enter(ltssm, LTSSM_DETECT_QUIET);
}

static void tick_disabled(struct ltssm *ltssm)
{
	if (downstream(ltssm)) {
		/* EIOS and electrical idle must have been sent. */
		if (ltssm->directive != LTSSM_DISABLE && ltssm->eios_sent)
			enter(ltssm, LTSSM_DETECT_QUIET);
	} else if (!ltssm->eios_received && after(ltssm, 2)) {
		enter(ltssm, LTSSM_DETECT_QUIET);
	}
}

static void tick_entry(struct ltssm *ltssm, enum ltssm_state next)
{
	/* The other side may be awake again already: that is seen in the next state. */
	if (ltssm->eios_sent && ltssm->idle_behind_eios && ltssm->time >= IDLE_MINIMUM)
		enter(ltssm, next);
	else if (after(ltssm, ENTRY_MS))
		enter(ltssm, LTSSM_RECOVERY_RCVRLOCK);
}

/* To Detect if the state lasts longer. */
static void limit(struct ltssm *ltssm, unsigned int milliseconds)
{
	if (after(ltssm, milliseconds))
		enter(ltssm, LTSSM_DETECT_QUIET);
}

void ltssm_tick(struct ltssm *ltssm)
{
	ltssm->time++;
	switch (ltssm->state) {
	case LTSSM_DETECT_QUIET:
		if (ltssm->directive != LTSSM_OFF && after(ltssm, 12))
			enter(ltssm, LTSSM_DETECT_ACTIVE);
		break;
	case LTSSM_DETECT_ACTIVE:
		if (ltssm->time >= ltssm->config.detect)
			enter(ltssm, ltssm->present ? LTSSM_POLLING_ACTIVE : LTSSM_DETECT_QUIET);
		break;
	case LTSSM_POLLING_ACTIVE:
		tick_polling_active(ltssm);
		break;
	case LTSSM_POLLING_CONFIGURATION:
		if (ltssm->eight && answered(ltssm))
			enter(ltssm, LTSSM_CONFIGURATION_LINKWIDTH_START);
		else
			limit(ltssm, 48);
		break;
	case LTSSM_POLLING_COMPLIANCE:
		if (ltssm->by_directive ? ltssm->eios_sent >= COMPLIANCE_EIOS : ltssm->not_idle)
			enter(ltssm, LTSSM_POLLING_ACTIVE);
		break;
	case LTSSM_CONFIGURATION_LINKWIDTH_START:
		if (!follow(ltssm))
			limit(ltssm, 24);
		break;
	case LTSSM_CONFIGURATION_LINKWIDTH_ACCEPT:
	case LTSSM_CONFIGURATION_LANENUM_WAIT:
	case LTSSM_CONFIGURATION_LANENUM_ACCEPT:
		limit(ltssm, 2);
		break;
	case LTSSM_CONFIGURATION_COMPLETE:
		if (ltssm->eight && answered(ltssm)) {
			ltssm->scrambling_off |= ltssm->config.no_scrambling;
			enter(ltssm, LTSSM_CONFIGURATION_IDLE);
		} else {
			limit(ltssm, 2);
		}
		break;
	case LTSSM_CONFIGURATION_IDLE:
		tick_idle(ltssm);
		break;
	case LTSSM_L0:
		tick_l0(ltssm);
		break;
	case LTSSM_RECOVERY_RCVRLOCK:
		if (after(ltssm, 24))
			enter(ltssm, ltssm->eight ? LTSSM_CONFIGURATION_LINKWIDTH_START
						  : LTSSM_DETECT_QUIET);
		break;
	case LTSSM_RECOVERY_RCVRCFG:
		tick_rcvrcfg(ltssm);
		break;
	case LTSSM_RECOVERY_IDLE:
		if (!follow(ltssm))
			tick_idle(ltssm);
		break;
	case LTSSM_HOT_RESET:
		tick_hot_reset(ltssm);
		break;
	case LTSSM_DISABLED:
		tick_disabled(ltssm);
		break;
	case LTSSM_LOOPBACK_ENTRY:
		if (after(ltssm, LOOPBACK_MS))
			enter(ltssm, LTSSM_LOOPBACK_EXIT);
		break;
	case LTSSM_LOOPBACK_ACTIVE:
		if (downstream(ltssm) && ltssm->directive != LTSSM_LOOP)
			enter(ltssm, LTSSM_LOOPBACK_EXIT);
		break;
	case LTSSM_LOOPBACK_EXIT:
		limit(ltssm, 2);
		break;
	case LTSSM_L1_ENTRY:
		tick_entry(ltssm, LTSSM_L1_IDLE);
		break;
	case LTSSM_L1_IDLE:
		if (ltssm->directive != LTSSM_ENTER_L1)
			enter(ltssm, LTSSM_RECOVERY_RCVRLOCK);
		break;
	case LTSSM_L2_ENTRY:
		tick_entry(ltssm, LTSSM_L2_IDLE);
		break;
	case LTSSM_L2_IDLE:
		if (ltssm->directive != LTSSM_ENTER_L2)
			enter(ltssm, LTSSM_DETECT_QUIET);
		break;
	default:
		break;
	}
}

/* --- sent --------------------------------------------------------------------------------------- */

static enum ltssm_send training(const struct ltssm *ltssm, struct ordered_set *set,
				enum ordered_set_kind kind, int link, int lane, uint8_t control)
{
	*set = (struct ordered_set){ .kind = kind,
				     .link = link,
				     .lane = lane,
				     .fts = ltssm->config.fts,
				     .rate = TRAINING_RATE_2_5,
				     .control = control };
	return SEND_SET;
}

static enum ltssm_send simple(struct ordered_set *set, enum ordered_set_kind kind)
{
	*set = (struct ordered_set){ .kind = kind };
	return SEND_SET;
}

/* EIOSs, then electrical idle. */
static enum ltssm_send to_idle(const struct ltssm *ltssm, struct ordered_set *set,
			       unsigned int count)
{
	return ltssm->eios_sent < count ? simple(set, ORDERED_SET_EIOS) : SEND_QUIET;
}

static enum ltssm_send next_l0(struct ltssm *ltssm, struct ordered_set *set)
{
	switch (ltssm->tx_l0s) {
	case L0S_ENTRY:
		return simple(set, ORDERED_SET_EIOS);
	case L0S_IDLE:
		if (ltssm->directive == LTSSM_ENTER_L0S || ltssm->tx_time < IDLE_MINIMUM)
			return SEND_QUIET;
		ltssm->tx_l0s = L0S_FTS;
		ltssm->tx_fts = ltssm->config.extended_synch ? 4096 : ltssm->peer_fts;
		/* fall through */
	case L0S_FTS:
		if (ltssm->tx_fts)
			return simple(set, ORDERED_SET_FTS);
		ltssm->tx_l0s = L0S_NONE;
		ltssm->skp_after_fts = true;
		/* fall through */
	default:
		return ltssm->skp_after_fts ? simple(set, ORDERED_SET_SKP) : SEND_PACKETS;
	}
}

enum ltssm_send ltssm_next(struct ltssm *ltssm, struct ordered_set *set)
{
	const int pad = LINK_NUMBER_PAD;

	switch (ltssm->state) {
	case LTSSM_POLLING_ACTIVE:
		return training(ltssm, set, ORDERED_SET_TS1, pad, pad, 0);
	case LTSSM_POLLING_CONFIGURATION:
		return training(ltssm, set, ORDERED_SET_TS2, pad, pad, 0);
	case LTSSM_POLLING_COMPLIANCE:
		if (ltssm->by_directive && ltssm->directive != LTSSM_COMPLIANCE)
			return to_idle(ltssm, set, COMPLIANCE_EIOS);
		return SEND_COMPLIANCE;
	case LTSSM_CONFIGURATION_LINKWIDTH_START:
	case LTSSM_CONFIGURATION_LINKWIDTH_ACCEPT:
	case LTSSM_CONFIGURATION_LANENUM_WAIT:
	case LTSSM_CONFIGURATION_LANENUM_ACCEPT:
	case LTSSM_RECOVERY_RCVRLOCK:
		return training(ltssm, set, ORDERED_SET_TS1, ltssm->link, ltssm->lane, 0);
	case LTSSM_CONFIGURATION_COMPLETE:
		return training(ltssm, set, ORDERED_SET_TS2, ltssm->link, ltssm->lane,
				ltssm->config.no_scrambling ? TRAINING_NO_SCRAMBLING : 0);
	case LTSSM_RECOVERY_RCVRCFG:
		return training(ltssm, set, ORDERED_SET_TS2, ltssm->link, ltssm->lane, 0);
	case LTSSM_CONFIGURATION_IDLE:
	case LTSSM_RECOVERY_IDLE:
		return SEND_IDLE;
	case LTSSM_L0:
		return next_l0(ltssm, set);
	case LTSSM_HOT_RESET:
		return training(ltssm, set, ORDERED_SET_TS1, ltssm->link, ltssm->lane,
				TRAINING_HOT_RESET);
	case LTSSM_DISABLED:
		if (ltssm->sent < 16)
			return training(ltssm, set, ORDERED_SET_TS1, ltssm->link, ltssm->lane,
					TRAINING_DISABLE);
		return to_idle(ltssm, set, 1);
	case LTSSM_LOOPBACK_ENTRY:
		if (downstream(ltssm))
			return training(ltssm, set, ORDERED_SET_TS1, ltssm->link, ltssm->lane,
					TRAINING_LOOPBACK);
		return training(ltssm, set, ORDERED_SET_TS1, pad, pad, 0);
	case LTSSM_LOOPBACK_ACTIVE:
		return downstream(ltssm) ? SEND_IDLE : SEND_LOOP;
	case LTSSM_LOOPBACK_EXIT:
		return downstream(ltssm) ? to_idle(ltssm, set, 1) : SEND_QUIET;
	case LTSSM_L1_ENTRY:
	case LTSSM_L2_ENTRY:
		return to_idle(ltssm, set, 1);
	default:
		return SEND_QUIET;
	}
}

static void sent_set(struct ltssm *ltssm, const struct ordered_set *set)
{
	struct ordered_set own;

	if (set->kind == ORDERED_SET_EIOS) {
		ltssm->eios_sent++;
		if (ltssm->tx_l0s == L0S_ENTRY) {
			ltssm->tx_l0s = L0S_IDLE;
			ltssm->tx_time = 0;
		}
	} else if (set->kind == ORDERED_SET_FTS) {
		ltssm->tx_fts -= ltssm->tx_fts > 0;
	} else if (set->kind == ORDERED_SET_SKP) {
		ltssm->skp_after_fts = false;
	} else if (ltssm_next(ltssm, &own) == SEND_SET && own.kind == set->kind &&
		   own.control == set->control) {
		/* A set of the state before does not count. */
		ltssm->sent++;
		ltssm->sent_since++;
	}
}

void ltssm_sent(struct ltssm *ltssm, enum ltssm_send send, const struct ordered_set *set)
{
	if (send == SEND_SET)
		sent_set(ltssm, set);
	else if (send == SEND_IDLE && (ltssm->idles || ltssm->idles_sent))
		ltssm->idles_sent++;
}

bool ltssm_may_skip(const struct ltssm *ltssm)
{
	switch (ltssm->state) {
	case LTSSM_DETECT_QUIET:
	case LTSSM_DETECT_ACTIVE:
	case LTSSM_POLLING_COMPLIANCE:
	case LTSSM_LOOPBACK_EXIT:
	case LTSSM_L1_ENTRY:
	case LTSSM_L1_IDLE:
	case LTSSM_L2_ENTRY:
	case LTSSM_L2_IDLE:
		return false;
	case LTSSM_LOOPBACK_ACTIVE:
		return downstream(ltssm);
	case LTSSM_DISABLED:
		return ltssm->sent < 16;
	default:
		return !ltssm->tx_l0s && !ltssm->skp_after_fts;
	}
}

bool ltssm_takes_packets(const struct ltssm *ltssm)
{
	switch (ltssm->state) {
	case LTSSM_L0:
		return !ltssm->rx_l0s;
	case LTSSM_RECOVERY_RCVRLOCK:
		return !ltssm->seen;
	case LTSSM_CONFIGURATION_IDLE:
	case LTSSM_RECOVERY_IDLE:
		return true;
	default:
		return false;
	}
}

bool ltssm_trains(const struct ltssm *ltssm)
{
	return (ltssm->state >= LTSSM_CONFIGURATION_LINKWIDTH_START &&
		ltssm->state <= LTSSM_CONFIGURATION_IDLE) ||
	       (ltssm->state >= LTSSM_RECOVERY_RCVRLOCK && ltssm->state <= LTSSM_RECOVERY_IDLE);
}

const char *ltssm_state_name(enum ltssm_state state)
{
	static const char *const names[] = {
#define LTSSM_NAME(state, name) [LTSSM_##state] = name,
		LTSSM_STATES(LTSSM_NAME)
#undef LTSSM_NAME
	};

	return names[state];
}
