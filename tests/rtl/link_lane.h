/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SERDES between a module with the signals of rf_link_physical and the link partner of
 * sim/link/: two symbols each way in a cycle, words of the received clock, receiver detection.
 */
#ifndef RF_TEST_LINK_LANE_H
#define RF_TEST_LINK_LANE_H

#include "harness.h"
#include "link_words.h"

extern "C" {
#include "link/partner.h"
}

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

/**
 * Lane - the SERDES.
 * @mute: the device hears nothing
 * @stop: and its recovered clock stands in electrical idle
 * @scrap: the next symbol is dropped: symbols may begin at either place of a word
 * @present: a receiver is detected
 */
template <class Top> class Lane {
public:
	Lane(Top &model, struct partner &other) : top(model), partner(other) {}

	/* Reset of the received clock's side is low. */
	void reset()
	{
		top.rx_clk_i = top.rx_rst_ni = 0;
		top.rx_idle_i = 1;
		top.rx_word_i = top.detect_done_i = top.detect_present_i = 0;
	}

	/* Before a clock edge: detection takes half a microsecond. */
	void detect()
	{
		detecting = top.detect_o ? detecting + 1 : 0;
		top.detect_done_i = detecting > microsecond / 2;
		top.detect_present_i = top.detect_done_i && present;
	}

	/* Behind a clock edge: two symbols each way. */
	void exchange()
	{
		for (unsigned i = 0; i < 2; i++) {
			struct lane_symbol sent = {}, out[PARTNER_SYMBOLS];
			Symbol symbol = link_symbol(top.tx_word_o, i);

			sent.value = symbol.value;
			sent.k = symbol.k;
			sent.idle = top.tx_idle_o;
			partner.to_device.lane.invert = top.rx_invert_o;
			unsigned number = partner_exchange(&partner, &sent, out);

			for (unsigned k = 0; k < number; k++)
				arrives(out[k]);
		}
	}

	bool mute = false, stop = false, scrap = false, present = true;

private:
	void arrives(const struct lane_symbol &symbol)
	{
		if (scrap) {
			scrap = false;
			return;
		}
		pair[paired++] = { symbol.value, symbol.k,
				   mute || symbol.idle || lane_symbol_bad(&symbol) };
		if (paired < 2)
			return;
		paired = 0;
		top.rx_idle_i = symbol.idle || mute;
		if (top.rx_idle_i && stop)
			return;
		top.rx_word_i = link_word(pair[0], pair[1]);
		top.rx_clk_i = 1;
		top.eval();
		top.rx_clk_i = 0;
		top.eval();
	}

	Top &top;
	struct partner &partner;
	Symbol pair[2];
	unsigned paired = 0, detecting = 0;
};

} /* namespace rf */

#endif
