/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requester with 8, 16 and 32 tags: every tag in use at once, answers in any
 * order among them, and time-outs up to the longest that the register can name. The
 * test turns the requester's clock forward, as no simulation waits for 2^32 cycles.
 *
 * The reference is a root complex that keeps what each tag asked for.
 */
// parameters: --public-flat-rw
#include <map>
#include <vector>

#include "Vrf_pcie_requester_tb.h"
#include "Vrf_pcie_requester_tb___024root.h"
#include "harness.h"

namespace {

constexpr unsigned kOk = 0, kTimeout = 5;
constexpr uint64_t kTimeMask = (1ull << 34) - 1;

uint64_t word_at(uint64_t address)
{
	return (address + 8) * 0x9e3779b97f4a7c15ull;
}

struct Pending { /* at the root complex, by tag */
	uint64_t address;
	unsigned bytes; /* still to be sent */
};

struct Read {
	uint64_t address;
	unsigned words, got = 0;
};

class Bench {
public:
	Vrf_pcie_requester_tb top;
	rf::Clock<Vrf_pcie_requester_tb> clock{ top };
	rf::Random random;
	rf::Tap &tap;
	unsigned tags;

	unsigned ready_chance = 100, answer_chance = 100;
	std::map<unsigned, Pending> pending;
	std::map<unsigned, Read> reading; /* by master << 5 | id */
	bool asking = false; /* a read is offered */
	unsigned next_key = 0;
	unsigned most = 0, finished = 0, timeouts = 0, unexpected = 0, used = 0;
	unsigned last_status = kOk, last_tag = 0;

	Bench(rf::Tap &t, unsigned choice) : random(rf::seed() + choice), tap(t), tags(8 << choice)
	{
		top.choice_i = choice;
		top.completion_timeout_i = 0;
		top.read_valid_i = 0;
		top.header_ready_i = 0;
		top.completion_valid_i = 0;
		clock.reset();
	}
	~Bench() { top.final(); }

	void set_time(uint64_t value)
	{
		auto *root = top.rootp;

		value &= kTimeMask;
		root->rf_pcie_requester_tb__DOT__gen_variant__BRA__0__KET____DOT__u_requester__DOT__now_q =
			value;
		root->rf_pcie_requester_tb__DOT__gen_variant__BRA__1__KET____DOT__u_requester__DOT__now_q =
			value;
		root->rf_pcie_requester_tb__DOT__gen_variant__BRA__2__KET____DOT__u_requester__DOT__now_q =
			value;
	}

	void ask(unsigned key, uint64_t address, unsigned words)
	{
		reading[key] = { address, words };
		next_key = key;
		asking = true;
		top.read_master_i = key >> 5;
		top.read_id_i = key & 31;
		top.read_address_i = address >> 3;
		top.read_words_i = words;
	}

	/* The next piece of an answer: up to a multiple of 64 bytes, as a root port may cut. */
	void complete(unsigned tag)
	{
		Pending &p = pending[tag];
		unsigned room = 64 - p.address % 64;
		unsigned size = random.chance(50) ? p.bytes : std::min(p.bytes, room);

		size = std::min(size, 256u - (unsigned)(p.address % 64));
		top.completion_valid_i = 1;
		top.completion_tag_i = tag;
		top.completion_status_i = 0;
		top.completion_poisoned_i = 0;
		top.completion_dwords_i = size / 4;
		top.completion_byte_count_i = p.bytes;
		top.completion_lower_address_i = p.address & 127;
		address = p.address;
		p.address += size;
		p.bytes -= size;
		if (!p.bytes)
			pending.erase(tag);
	}

	void step()
	{
		top.read_valid_i = asking;
		top.header_ready_i = random.chance(ready_chance);
		if (!top.completion_valid_i && !pending.empty() && random.chance(answer_chance)) {
			auto it = pending.begin();

			std::advance(it, random.below(pending.size()));
			complete(it->first);
		}
		top.payload_i = word_at(address);
		top.eval();
		observe();
		clock.tick();
		if (taken)
			top.completion_valid_i = 0;
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}

private:
	uint64_t address = 0; /* of the payload's next word */
	bool taken = false;

	void observe()
	{
		bool issued = top.header_valid_o && top.header_ready_i;

		tap.check(issued == (top.read_valid_i && top.read_ready_o),
			  "a read and its header");
		if (issued) {
			unsigned tag = top.header_o[2] >> 8 & 255;
			bool wide = top.header_o[3] >> 29 & 1;
			uint64_t at = wide ? (uint64_t)top.header_o[1] << 32 | top.header_o[0]
					   : top.header_o[1];

			tap.check(tag < tags, "tag out of range", tag, tags);
			tap.check(!pending.count(tag), "a tag in flight used again", tag);
			tap.equal(at, reading[next_key].address, "address of the header");
			tap.equal(top.header_o[3] & 1023, reading[next_key].words * 2,
				  "its length");
			pending[tag] = { at, reading[next_key].words * 8 };
			most = std::max(most, (unsigned)pending.size());
			last_tag = tag;
			used++;
			asking = false;
		}
		taken = top.completion_valid_i && top.completion_ready_o;
		if (top.payload_ready_o)
			address += 8;
		timeouts += top.timeout_o;
		unexpected += top.unexpected_o;
		if (!top.answer_valid_o)
			return;
		auto it = reading.find(top.answer_master_o << 5 | top.answer_id_o);

		tap.check(it != reading.end(), "an answer nobody asked for");
		if (it == reading.end())
			return;
		Read &r = it->second;

		last_status = top.answer_status_o;
		if (last_status == kOk) {
			tap.equal(top.answer_data_o, word_at(r.address + 8 * r.got), "word");
			r.got++;
			tap.equal(top.answer_last_o, r.got == r.words, "last");
		} else {
			tap.equal(top.answer_last_o, 1, "a failure ends the read");
		}
		if (top.answer_last_o) {
			reading.erase(it);
			finished++;
		}
	}
};

std::string named(const char *text, unsigned tags)
{
	return std::string(text) + ", " + std::to_string(tags) + " tags";
}

void load(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);

	tap.begin(named("every read is answered with its own words", b.tags));
	for (unsigned n = 0; n < 200000 && b.finished < 3000; n++) {
		b.ready_chance = n % 3000 < 1500 ? 100 : 40;
		b.answer_chance = n % 2000 < 1000 ? 3 : 80;
		unsigned key = b.random.below(16 * 32);

		if (!b.asking && !b.reading.count(key) && b.finished + b.reading.size() < 3000) {
			unsigned words = 1 + b.random.below(64);
			uint64_t page = b.random.next() >> (b.random.chance(50) ? 9 : 40);

			b.ask(key,
			      (page & ~0xfffull & ((1ull << 55) - 1)) +
				      8 * b.random.below(513 - words),
			      words);
		}
		b.step();
	}
	tap.equal(b.finished, 3000, "reads answered");
	tap.equal(b.most, b.tags, "most in flight at once");
	tap.equal(b.unexpected, 0, "unexpected completions");
	b.run(4);
	tap.equal(b.top.idle_o, 1, "idle at the end");
	tap.end();
}

/* Reads one after the other until every free tag has had its turn; was `tag` free? */
bool takes(Bench &b, unsigned tag)
{
	bool taken = false;

	b.answer_chance = 100;
	for (unsigned n = 0; n < b.tags; n++) {
		b.ask(2, 0x20000, 1);
		for (unsigned i = 0; i < 100 && !b.reading.empty(); i++)
			b.step();
		b.tap.check(b.reading.empty(), "a read is answered");
		taken = taken || b.last_tag == tag;
	}
	b.answer_chance = 0;
	return taken;
}

/*
 * One read without an answer, issued at the time `start`: no time-out just before
 * `timeout`, one just behind it; the tag rests until twice that has passed.
 */
void expire(Bench &b, uint64_t start, uint32_t timeout)
{
	rf::Tap &tap = b.tap;
	unsigned before = b.timeouts, scan = b.tags + 8, reserve = 30 * b.tags;

	b.set_time(start);
	b.top.completion_timeout_i = timeout;
	b.ask(1, 0x10000, 4);
	for (unsigned i = 0; i < 1000 && b.asking; i++)
		b.step();
	tap.check(!b.asking, "a tag is free");
	unsigned tag = b.last_tag;

	b.set_time(start + timeout - scan);
	b.run(scan - 2);
	tap.equal(b.timeouts - before, 0, "too early");
	b.run(2 * scan);
	tap.equal(b.timeouts - before, 1, "time-outs");
	tap.equal(b.last_status, kTimeout, "status of the answer");
	tap.check(b.reading.empty(), "the reader knows");
	b.pending.clear();

	tap.check(!takes(b, tag), "the tag rests");
	uint64_t from = b.clock.cycle;
	b.set_time(start + 2 * (uint64_t)timeout - reserve);
	tap.check(!takes(b, tag), "the tag rests just before twice the time-out");
	tap.check(b.clock.cycle - from < reserve, "before", b.clock.cycle - from, reserve);
	b.set_time(start + 2 * (uint64_t)timeout);
	b.run(2 * scan);
	tap.check(takes(b, tag), "the tag is used again after twice the time-out");
	tap.equal(b.timeouts - before, 1, "no other time-out");
	tap.equal(b.unexpected, 0, "nothing unexpected");
}

void timeouts(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);

	b.answer_chance = 0;
	tap.begin(named("time-outs from some cycles to the longest", b.tags));
	for (uint32_t timeout : { 2000u, 0x7fffffffu, 0x80000000u, 0x80000005u, 0xffffffffu })
		for (uint64_t start : { (uint64_t)100, kTimeMask - 100, kTimeMask - timeout })
			expire(b, start, timeout);
	tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	for (unsigned choice = 0; choice < 3; choice++) {
		load(tap, choice);
		timeouts(tap, choice);
	}
	return tap.status();
}
