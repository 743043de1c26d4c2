/* SPDX-License-Identifier: Apache-2.0 */
/* Where the entry of a log goes, and what the log's counters are behind it. */
#include "Vrf_fence_log.h"
#include "bits.h"
#include "harness.h"

namespace {

const unsigned header_words = 5, entry_words = 6;

struct Log {
	uint32_t wraps;
	uint16_t entries, free, index;
	uint64_t base;
};

class Bench {
public:
	Bench(Vrf_fence_log &top, rf::Random &random, rf::Tap &tap) :
	    top(top), random(random), tap(tap), clock(top)
	{
		top.load_i = top.base_load_i = top.sent_i = top.store_ready_i = 0;
		top.value_failed_i = 0;
		clock.reset();
	}

	Log pick()
	{
		static const uint16_t edges[] = { 0, 1, 2, 0x7fff, 0x8000, 0xfffe, 0xffff };
		Log log;

		log.wraps = random.chance(20) ? 0xffffffff : random.next();
		log.entries = random.chance(40) ? edges[random.below(7)] : random.next();
		log.free = random.chance(30) ? edges[random.below(7)] : random.next();
		log.index = random.chance(20)	? log.entries - 1
			    : random.chance(20) ? log.entries
			    : random.chance(20) ? log.free
			    : random.chance(20) ? log.free - 1
						: edges[random.below(7)];
		log.base = random.next() & ~63ull;
		if (random.chance(20))
			log.base |= 0xffffffff00; /* the sums carry */
		return log;
	}

	/* The lookup's two words, the second one some cycles later. */
	void load(const Log &log)
	{
		top.index_i = log.index;
		top.lookup_word_i =
			(uint64_t)log.wraps << 32 | (uint64_t)log.entries << 16 | log.free;
		top.load_i = 1;
		top.eval();
		tap.equal(top.beyond_o, log.index >= log.entries, "beyond the log");
		clock.tick();
		top.load_i = 0;
		top.index_i = random.next();
		for (unsigned i = random.below(3); i; i--) {
			top.lookup_word_i = random.next();
			clock.tick();
		}
		top.lookup_word_i = log.base | random.below(64);
		top.base_load_i = 1;
		clock.tick();
		top.base_load_i = 0;
		top.lookup_word_i = random.next();
		clock.tick();
	}

	void check_place(const Log &log)
	{
		uint64_t low = (log.base & 0xffffffffff) +
			       8 * (header_words + entry_words * (uint64_t)log.index);
		unsigned before = 512 - (low >> 3 & 511); /* words up to the end of the page */

		tap.equal(top.base_o, log.base >> 6, "header");
		tap.equal(top.entry_o, low >> 3 & 0x1fffffffff, "entry");
		tap.equal(top.split_o, before < entry_words, "split");
		if (top.split_o) {
			tap.equal(top.first_words_o, before, "words up to the end of the page");
			tap.equal(top.rest_o, ((low >> 12) + 1) << 9 & 0x1fffffffff, "rest");
		}
	}

	/* {WraparoundCount, FirstFreeEntryIndex} behind the entry */
	uint64_t header(const Log &log, bool failed)
	{
		uint32_t wraps = log.wraps;
		uint16_t free = log.index + 1;

		if (failed)
			return (uint64_t)wraps << 32 | log.free;
		wraps += log.index < log.free;
		if (free == log.entries) {
			wraps++;
			free = 0;
		}
		return (uint64_t)wraps << 32 | free;
	}

	Vrf_fence_log &top;
	rf::Random &random;
	rf::Tap &tap;
	rf::Clock<Vrf_fence_log> clock;
};

} /* namespace */

int main()
{
	Vrf_fence_log top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, random, tap);

	tap.begin("the entry lies behind the header; an index beyond the log is told");
	for (int i = 0; i < 5000; i++) {
		Log log = bench.pick();

		bench.load(log);
		bench.check_place(log);
	}
	tap.end();

	tap.begin("the header's word goes up; behind a value that failed it is the old one");
	for (int i = 0; i < 5000; i++) {
		Log log = bench.pick();
		bool failed = random.chance(30);

		top.value_failed_i = 0;
		bench.load(log);
		tap.equal(top.word_o, bench.header(log, false), "word");
		top.value_failed_i = failed;
		bench.clock.tick();
		tap.equal(top.word_o, bench.header(log, failed), "word, a cycle behind the value");
		top.value_failed_i = 0;
	}
	tap.end();

	tap.begin("the new state is offered once the word is sent, until it is taken");
	for (int i = 0; i < 2000; i++) {
		Log log = bench.pick();
		uint64_t word;

		bench.load(log);
		word = bench.header(log, false);
		tap.check(!top.store_valid_o, "nothing is offered before");
		top.log_i = random.next();
		top.sent_i = 1;
		top.store_ready_i = random.chance(50);
		top.eval();
		tap.check(!top.store_valid_o, "nor in its cycle");
		bench.clock.tick();
		top.sent_i = 0;
		for (bool taken = false; !taken;) {
			top.store_ready_i = taken = random.chance(40);
			top.eval();
			tap.check(top.store_valid_o, "offered");
			tap.equal(top.store_log_o, top.log_i, "log");
			tap.equal(top.store_state_o,
				  (word & ~0xffffffffull) | (uint64_t)log.entries << 16 |
					  (word & 0xffff),
				  "state");
			bench.clock.tick();
		}
		top.store_ready_i = random.chance(50);
		top.eval();
		tap.check(!top.store_valid_o, "taken once");
		bench.clock.tick();
	}
	tap.end();

	tap.begin("a reset withdraws the new state");
	top.sent_i = 1;
	bench.clock.tick();
	top.sent_i = 0;
	tap.check(top.store_valid_o, "offered");
	bench.clock.reset();
	tap.check(!top.store_valid_o, "withdrawn");
	tap.end();

	return tap.status();
}
