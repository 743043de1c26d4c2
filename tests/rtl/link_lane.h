/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests of the link against the partner of sim/link/ share: times, states, rules.
 */
#ifndef RF_TEST_LINK_LANE_H
#define RF_TEST_LINK_LANE_H

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

} /* namespace rf */

#endif
