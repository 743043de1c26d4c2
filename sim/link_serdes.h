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
 * @symbols: symbol times so far
 * @starts, @start_count: when TLPs of the device began (STP), the last ones
 * @ended: when the last symbol of a TLP to the device came
 * @dllps, @skps: symbols of DLLPs and of SKP ordered sets to the device, up to then
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
		low = true;
		for (unsigned i = 0; i < 2; i++) {
			struct lane_symbol sent = {}, out[PARTNER_SYMBOLS];

			sent.value = top.tx_word_o >> (8 * i);
			sent.k = top.tx_word_o >> (16 + i) & 1;
			sent.idle = top.tx_idle_o;
			if (is(sent, Stp))
				starts[start_count++ % Starts] = symbols;
			partner.to_device.lane.invert = top.rx_invert_o;
			unsigned number = partner_exchange(&partner, &sent, out);

			for (unsigned k = 0; k < number; k++)
				arrives(out[k]);
			symbols++;
		}
	}

	static constexpr unsigned Starts = 64;

	bool mute = false, stop = false, scrap = false, present = true;
	uint64_t symbols = 0, starts[Starts] = {}, start_count = 0, ended = 0;
	uint64_t dllps = 0, skps = 0;

private:
	static constexpr uint8_t Stp = 0xfb, Sdp = 0x5c, End = 0xfd; /* K27.7, K28.2, K29.7 */
	static constexpr uint8_t Com = 0xbc, Skp = 0x1c; /* K28.5, K28.0 */

	static bool is(const struct lane_symbol &symbol, uint8_t value)
	{
		return symbol.k && symbol.value == value && !symbol.idle;
	}

	/* The first of two symbols is in the lower bits: errors, K, values. */
	void arrives(const struct lane_symbol &symbol)
	{
		if (scrap) {
			scrap = false;
			return;
		}
		if (is(symbol, Stp) || is(symbol, Sdp)) {
			in_tlp = is(symbol, Stp);
			in_dllp = !in_tlp;
		}
		dllps_so_far += in_dllp;
		skps_so_far +=
			is(symbol, Com) || is(symbol, Skp); /* with packets there is no other set */
		if (is(symbol, End)) {
			if (in_tlp) {
				ended = symbols;
				dllps = dllps_so_far;
				skps = skps_so_far;
			}
			in_tlp = in_dllp = false;
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
		if (!low) {
			top.rx_clk_i = 0;
			top.eval();
		}
		top.rx_clk_i = 1;
		top.eval();
		top.rx_clk_i = 0; /* with the next edge of the link's clock */
		low = false;
	}

	Top &top;
	struct partner &partner;
	uint32_t word = 0;
	unsigned place = 0, detecting = 0;
	bool in_tlp = false, in_dllp = false, low = true;
	uint64_t dllps_so_far = 0, skps_so_far = 0;
};

#endif
