/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Link Training and Status State Machine of a x1 port at 2.5 GT/s, in either role. PCI Express
 * Base Specification 4.2.7 and its tables of time-outs.
 *
 * Order in a symbol time: ltssm_tick(), then what was received; the transmitter asks
 * ltssm_next() whenever it has sent all symbols of what that said before, so that no ordered set is
 * ever cut.
 */
#ifndef LINK_LTSSM_H
#define LINK_LTSSM_H

#include "ordered_set.h"

enum ltssm_role {
	LTSSM_DOWNSTREAM_PORT, /* the root port's: it chooses link and lane numbers */
	LTSSM_UPSTREAM_PORT, /* the endpoint's */
};

/* clang-format off */
/* In the order of training. */
#define LTSSM_STATES(X) \
	X(DETECT_QUIET, "Detect.Quiet") \
	X(DETECT_ACTIVE, "Detect.Active") \
	X(POLLING_ACTIVE, "Polling.Active") \
	X(POLLING_CONFIGURATION, "Polling.Configuration") \
	X(POLLING_COMPLIANCE, "Polling.Compliance") \
	X(CONFIGURATION_LINKWIDTH_START, "Configuration.Linkwidth.Start") \
	X(CONFIGURATION_LINKWIDTH_ACCEPT, "Configuration.Linkwidth.Accept") \
	X(CONFIGURATION_LANENUM_WAIT, "Configuration.Lanenum.Wait") \
	X(CONFIGURATION_LANENUM_ACCEPT, "Configuration.Lanenum.Accept") \
	X(CONFIGURATION_COMPLETE, "Configuration.Complete") \
	X(CONFIGURATION_IDLE, "Configuration.Idle") \
	X(L0, "L0") \
	X(RECOVERY_RCVRLOCK, "Recovery.RcvrLock") \
	X(RECOVERY_RCVRCFG, "Recovery.RcvrCfg") \
	X(RECOVERY_IDLE, "Recovery.Idle") \
	X(HOT_RESET, "Hot Reset") \
	X(DISABLED, "Disabled") \
	X(LOOPBACK_ENTRY, "Loopback.Entry") \
	X(LOOPBACK_ACTIVE, "Loopback.Active") \
	X(LOOPBACK_EXIT, "Loopback.Exit") \
	X(L1_ENTRY, "L1.Entry") \
	X(L1_IDLE, "L1.Idle") \
	X(L2_ENTRY, "L2.Entry") /* EIOS is sent and awaited */ \
	X(L2_IDLE, "L2.Idle")
/* clang-format on */

enum ltssm_state {
#define LTSSM_STATE(state, name) LTSSM_##state,
	LTSSM_STATES(LTSSM_STATE)
#undef LTSSM_STATE
		LTSSM_STATE_COUNT
};

/* What one direction does beside L0: it may be in L0s alone (4.2.7.6). */
enum ltssm_l0s {
	L0S_NONE,
	L0S_ENTRY,
	L0S_IDLE,
	L0S_FTS,
};

/* What a higher layer wants; it holds until it is replaced. */
enum ltssm_directive {
	LTSSM_TRAIN, /* nothing else: to L0, and stay there */
	LTSSM_RETRAIN, /* to Recovery, once; also out of L1. It falls back to TRAIN */
	LTSSM_RESET_LINK, /* Hot Reset until replaced; of a downstream port, as the next two */
	LTSSM_DISABLE,
	LTSSM_LOOP, /* loopback as lead */
	LTSSM_COMPLIANCE, /* Enter Compliance of Link Control 2 */
	LTSSM_ENTER_L1, /* once both sides have agreed */
	LTSSM_ENTER_L2,
	LTSSM_ENTER_L0S, /* the transmitter alone */
	LTSSM_OFF, /* Detect at once, whatever is under way, and stay in Detect.Quiet */
};

/**
 * struct ltssm_config - constants of a port.
 * @role: whose
 * @millisecond: symbol times in what the specification calls a millisecond, 250,000; fewer make
 *               time-outs shorter, in simulations
 * @detect: symbol times that receiver detection takes
 * @link_number: that a downstream port gives, 0..255
 * @fts: N_FTS that the receiver asks for, 0..255
 * @extended_synch: of Link Control
 * @no_scrambling: ask for "Disable Scrambling"
 */
struct ltssm_config {
	enum ltssm_role role;
	uint32_t millisecond, detect;
	uint8_t link_number, fts;
	bool extended_synch, no_scrambling;
};

/* What the transmitter sends next. */
enum ltssm_send {
	SEND_QUIET, /* a symbol time of electrical idle */
	SEND_SET, /* the ordered set */
	SEND_IDLE, /* a symbol of logical idle */
	SEND_PACKETS, /* the next packet, or logical idle */
	SEND_COMPLIANCE, /* the compliance pattern of 4.2.9, once */
	SEND_LOOP, /* the symbol that was received, as loopback follower */
};

/**
 * struct ltssm - the state machine.
 * @directive: as given
 * @present: receiver detection finds one
 * @link_up: LinkUp
 * @time: symbol times in @state
 * @link, @lane: negotiated numbers
 * @peer_fts: N_FTS of the other side
 * @scrambling_off: agreed in Configuration.Complete
 * @inverted: the lane's wires are swapped
 * @set, @sets: the last training set received, and how many of the same there were in a row
 * @sent, @sent_since: sets of the state that were sent in it; since @answering
 * @answering: one of the sets that count was received
 * @idles, @idles_sent: symbols of logical idle received in a row; sent since the first
 * @not_idle: an exit from electrical idle was seen in this state
 * @idle_behind_eios: electrical idle followed a received EIOS
 * @seen: a training set was received in this state
 * @eight: in this state, eight sets or idle symbols in a row were received; in Recovery.RcvrLock:
 *         one set with the link's numbers
 * @eios_sent, @eios_received: in this state
 * @again: Recovery was entered from Idle by a time-out already
 * @from_reset: Detect.Quiet was entered from Hot Reset
 * @was_reset: Hot Reset was answered
 * @by_directive: Polling.Compliance was entered by Enter Compliance
 * @rx_l0s, @rx_time, @tx_l0s, @tx_time, @tx_fts: L0s of the two directions; FTSs to be sent
 * @skp_after_fts: the SKP set of L0s exit is to be sent
 * @alive: symbol times since SKP set or UpdateFC, in L0
 * @entries: how often each state was entered
 */
struct ltssm {
	struct ltssm_config config;
	enum ltssm_directive directive;
	bool present;
	enum ltssm_state state;
	bool link_up;
	uint64_t time;
	int link, lane;
	uint8_t peer_fts;
	bool scrambling_off, inverted;
	struct ordered_set set;
	unsigned int sets, sent, sent_since;
	bool answering;
	unsigned int idles, idles_sent;
	bool not_idle, idle_behind_eios, seen, eight, eios_received, again, from_reset, was_reset;
	unsigned int eios_sent;
	bool by_directive;
	enum ltssm_l0s rx_l0s, tx_l0s;
	uint32_t rx_time, tx_time;
	unsigned int tx_fts;
	bool skp_after_fts;
	uint32_t alive;
	unsigned int entries[LTSSM_STATE_COUNT];
};

void ltssm_reset(struct ltssm *ltssm, const struct ltssm_config *config);

void ltssm_direct(struct ltssm *ltssm, enum ltssm_directive directive);

void ltssm_tick(struct ltssm *ltssm);

/* --- received, in this order of symbols ------------------------------------------------- */

void ltssm_received_set(struct ltssm *ltssm, const struct ordered_set *set);

enum ltssm_symbol {
	LTSSM_ELECTRICAL_IDLE,
	LTSSM_LOGICAL_IDLE, /* D0.0, descrambled */
	LTSSM_INSIDE_SET,
	LTSSM_OTHER,
};

void ltssm_received_symbol(struct ltssm *ltssm, enum ltssm_symbol symbol);

/*
 * A packet came. @update: UpdateFC: with SKP sets, what tells L0 that the other side is there
 * (4.2.5.4).
 */
void ltssm_received_packet(struct ltssm *ltssm, bool update);

/* --- sent ----------------------------------------------------------------------------------- */

/* @set: written if SEND_SET. */
enum ltssm_send ltssm_next(struct ltssm *ltssm, struct ordered_set *set);

/* All symbols of it were sent. */
void ltssm_sent(struct ltssm *ltssm, enum ltssm_send send, const struct ordered_set *set);

/* May a SKP set be put before what ltssm_next() says? */
bool ltssm_may_skip(const struct ltssm *ltssm);

/* Do received packets count? */
bool ltssm_takes_packets(const struct ltssm *ltssm);

/* In Recovery or Configuration? */
bool ltssm_trains(const struct ltssm *ltssm);

const char *ltssm_state_name(enum ltssm_state state);

#endif
