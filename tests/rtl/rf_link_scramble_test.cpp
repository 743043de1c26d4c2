/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys of the specification's appendix C, and the partner's scrambler, symbol by symbol: COM
 * and SKP at either place of a word, plain words, gaps, and no scrambling at all.
 */
// partner: sim/link
#include "Vrf_link_scramble.h"
#include "harness.h"

extern "C" {
#include "link/scrambler.h"
#include "link/symbol.h"
}

namespace {

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.off_i = top.valid_i = top.plain_i = top.word_i = 0;
		clock.reset();
	}

	uint32_t word(uint32_t in, bool plain = false)
	{
		top.valid_i = 1;
		top.plain_i = plain;
		top.word_i = in;
		clock.tick();
		top.valid_i = 0;
		tap.equal(top.valid_o, 1, "valid");
		return top.word_o;
	}

	uint8_t draw(bool *k)
	{
		*k = random.chance(20);
		if (!*k)
			return random.next();
		return random.chance(40) ? LINK_COM : random.chance(50) ? LINK_SKP : LINK_PAD;
	}

	/* With an error no symbol is COM or SKP: a K symbol passes and advances the keys. */
	uint8_t want(struct scrambler *model, uint8_t value, bool k, bool bad, bool plain)
	{
		if (!bad || !k)
			return scrambler_symbol(model, value, k, plain);
		scrambler_symbol(model, LINK_PAD, true, plain);
		return value;
	}

	Vrf_link_scramble top;
	rf::Clock<Vrf_link_scramble> clock;
	rf::Random random;
	rf::Tap tap;
};

} // namespace

int main()
{
	Bench b;

	b.tap.begin("the keys after COM are those of the specification");
	static const uint8_t keys[] = { 0xff, 0x17, 0xc0, 0x14, 0xb2, 0xe7, 0x02, 0x82,
					0x72, 0x6e, 0x28, 0xa6, 0xbe, 0x6d, 0xbf, 0x8d };

	b.reset();
	for (unsigned place = 0; place < 2; place++) {
		b.word(0);
		uint32_t first = b.word(place ? LINK_COM << 8 | 2 << 16 : LINK_COM | 1 << 16);

		if (!place)
			b.tap.equal(first >> 8 & 0xff, keys[0], "key 0");
		for (unsigned i = !place; i + 1 < sizeof(keys); i += 2)
			b.tap.equal(b.word(0), keys[i] | keys[i + 1] << 8, "keys");
	}
	b.tap.end();

	b.tap.begin("symbol by symbol as the partner's");
	struct scrambler model;

	b.reset();
	scrambler_reset(&model);
	for (unsigned i = 0; i < 200000; i++) {
		bool plain = b.random.chance(20), low_k, high_k;
		uint8_t low = b.draw(&low_k), high = b.draw(&high_k);
		bool low_bad = b.random.chance(10), high_bad = b.random.chance(10);

		if (b.random.chance(20))
			b.clock.tick();
		b.top.off_i = model.off = (i >> 12 & 3) == 3;
		uint32_t out = b.word(low | high << 8 | low_k << 16 | high_k << 17 | low_bad << 18 |
					      high_bad << 19,
				      plain);

		b.tap.equal(out & 0xff, b.want(&model, low, low_k, low_bad, plain), "low");
		b.tap.equal(out >> 8 & 0xff, b.want(&model, high, high_k, high_bad, plain), "high");
		b.tap.equal(out >> 16, low_k | high_k << 1 | low_bad << 2 | high_bad << 3,
			    "k, and with an error");
	}
	b.tap.end();

	b.tap.begin("a symbol with an error is neither COM nor SKP, and advances the keys");
	b.reset();
	b.word(LINK_COM << 8 | 2 << 16);
	b.word(LINK_COM | LINK_SKP << 8 | 0xf << 16);
	b.tap.equal(b.word(0), keys[2] | keys[3] << 8, "keys");
	b.tap.end();
	return b.tap.status();
}
