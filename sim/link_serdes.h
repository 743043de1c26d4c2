/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SERDES between a Verilated model with the signals of rf_link_physical and the link partner:
 * two symbols each way in a cycle of the link's clock, words of the received clock, receiver
 * detection, which takes half a microsecond. C++.
 */
#ifndef RFSIM_LINK_SERDES_H
#define RFSIM_LINK_SERDES_H

extern "C" {
#include "link/partner.h"
}

/**
 * LinkSerdes - the SERDES.
 * @mute: the device hears nothing
 * @stop: and its recovered clock stands in electrical idle
 * @scrap: the next symbol is dropped: symbols may begin at either place of a word
 * @present: a receiver is detected
 */
template <class Top> class LinkSerdes {
public:
	LinkSerdes(Top &model, struct partner &other) : top(model), partner(other) {}

	/* The received clock's side is in reset. */
	void reset()
	{
		top.rx_clk_i = top.rx_rst_ni = 0;
		top.rx_idle_i = 1;
		top.rx_word_i = top.detect_done_i = top.detect_present_i = 0;
	}

	/* Before an edge of the link's clock. */
	void detect()
	{
		const unsigned half_microsecond = 62;

		detecting = top.detect_o ? detecting + 1 : 0;
		top.detect_done_i = detecting > half_microsecond;
		top.detect_present_i = top.detect_done_i && present;
	}

	/* Behind it: two symbols each way. */
	void exchange()
	{
		for (unsigned i = 0; i < 2; i++) {
			struct lane_symbol sent = {}, out[PARTNER_SYMBOLS];

			sent.value = top.tx_word_o >> (8 * i);
			sent.k = top.tx_word_o >> (16 + i) & 1;
			sent.idle = top.tx_idle_o;
			partner.to_device.lane.invert = top.rx_invert_o;
			unsigned number = partner_exchange(&partner, &sent, out);

			for (unsigned k = 0; k < number; k++)
				arrives(out[k]);
		}
	}

	bool mute = false, stop = false, scrap = false, present = true;

private:
	/* The first of two symbols is in the lower bits: errors, K, values. */
	void arrives(const struct lane_symbol &symbol)
	{
		if (scrap) {
			scrap = false;
			return;
		}
		bool bad = mute || symbol.idle || lane_symbol_bad(&symbol);

		word |= symbol.value << (8 * place) | symbol.k << (16 + place) |
			bad << (18 + place);
		if (place++ == 0)
			return;
		uint32_t whole = word;

		place = word = 0;
		top.rx_idle_i = symbol.idle || mute;
		if (top.rx_idle_i && stop)
			return;
		top.rx_word_i = whole;
		top.rx_clk_i = 1;
		top.eval();
		top.rx_clk_i = 0;
		top.eval();
	}

	Top &top;
	struct partner &partner;
	uint32_t word = 0;
	unsigned place = 0, detecting = 0;
};

#endif
