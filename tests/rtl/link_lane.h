/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests of the link against the partner of sim/link/ share: times, states, rules.
 */
#ifndef RF_TEST_LINK_LANE_H
#define RF_TEST_LINK_LANE_H

#include <ctime>

#include "harness.h"
#include "link_serdes.h"
#include "link_words.h"

namespace rf {

constexpr unsigned microsecond = 125; /* cycles */
constexpr unsigned millisecond = 20 * microsecond; /* of both LTSSMs: parameter Millisecond is 20 */
constexpr unsigned cold = 40 * millisecond; /* ample for training from Detect.Quiet */

/* States have the numbers of sim/link: both follow the specification's order. */
enum {
#define LINK_STATE(state, name) state,
	LTSSM_STATES(LINK_STATE)
#undef LINK_STATE
};

inline struct port_config partner_config()
{
	struct port_config config;

	port_config_init(&config, LTSSM_DOWNSTREAM_PORT);
	config.ltssm.millisecond = 2 * millisecond;
	return config;
}

/* Rules that the device broke, and the first of them */
inline unsigned violations(const struct partner &partner)
{
	unsigned sum = 0;

	for (unsigned number : partner.watch.violations)
		sum += number;
	return sum;
}

inline void no_violation(Tap &tap, const struct partner &partner)
{
	const struct watch &watch = partner.watch;

	tap.check(watch.verdict < 0,
		  watch.verdict < 0 ? "no rule is broken"
				    : watch_rule_text(static_cast<enum watch_rule>(watch.verdict)),
		  watch.verdict_time);
	tap.equal(violations(partner), 0, "rules broken");
}

/* With errors on the lane, too: Acks of the device that were judged, none of which was late */
inline void acks_in_time(Tap &tap, const struct partner &partner, unsigned least)
{
	tap.equal(partner.watch.violations[WATCH_ACK_LATE], 0, "late Acks");
	tap.check(partner.watch.acks >= least, "Acks that were judged", partner.watch.acks, least);
}

/* How often the sequence numbers of both directions have wrapped; begun anew when the link is down */
struct Wraps {
	unsigned down = 0, up = 0;

	void look(const struct data_link &link)
	{
		down += link.replay.next_sequence < last_down;
		up += link.expected < last_up;
		last_down = link.replay.next_sequence;
		last_up = link.expected;
		if (link.state == DL_INACTIVE)
			down = up = 0;
	}

private:
	unsigned last_down = 0, last_up = 0;
};

inline void wrapped(Tap &tap, const struct partner &partner, const Wraps &wraps, uint64_t least)
{
	tap.equal(partner.port.data_link.counters.downs, 0, "the link was never down");
	tap.check(wraps.down >= least, "wraps to the device", wraps.down, least);
	tap.check(wraps.up >= least, "wraps from the device", wraps.up, least);
	printf("# %u and %u wraps\n", wraps.down, wraps.up);
}

/* A line a minute */
class Progress {
public:
	Progress(const char *name, uint64_t goal) : name(name), goal(goal) {}

	void at(uint64_t done)
	{
		time_t now = time(nullptr);

		if (now - told < 60)
			return;
		printf("# %s: %" PRIu64 " of %" PRIu64 " TLPs each way, %.0f a second\n", name,
		       done, goal, double(done) / double(now - begun));
		fflush(stdout);
		told = now;
	}

private:
	const char *name;
	uint64_t goal;
	time_t begun = time(nullptr), told = begun;
};

} /* namespace rf */

#endif
