/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requester with 8, 16 and 32 tags, behind it the read stream: every tag in use at once,
 * responses in any order among them, time-outs up to the longest that the register can name,
 * and reads that the link does not accept for long. The test turns the requester's clock
 * forward, as no simulation waits for 2^32 cycles.
 *
 * The reference is a root complex that keeps what each tag asked for, from the cycle in which
 * the link accepted the read.
 */
// parameters: --public-flat-rw
#include <deque>
#include <map>
#include <vector>

#include "Vrf_pcie_requester_tb.h"
#include "Vrf_pcie_requester_tb___024root.h"
#include "harness.h"

namespace {

constexpr unsigned kOk = 0, kUnsupported = 2, kAbort = 3, kPoisoned = 4, kTimeout = 5,
		   kDisabled = 6;
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

	unsigned ready_chance = 100, response_chance = 100;
	std::map<unsigned, Pending> pending;
	std::map<unsigned, Read> reading; /* by master << 5 | id */
	bool asking = false; /* a read is offered */
	bool writing = false; /* a write is offered */
	unsigned next_key = 0;
	unsigned most = 0, finished = 0, timeouts = 0, unexpected = 0, sent = 0;
	unsigned unsupported = 0, aborts = 0, poisoned = 0;
	unsigned last_status = kOk, last_tag = 0;
	uint64_t left_at = 0; /* cycle in which the last read left */

	Bench(rf::Tap &t, unsigned choice) : random(rf::seed() + choice), tap(t), tags(8 << choice)
	{
		top.choice_i = choice;
		top.function_id_i = 0xa5c3;
		top.completion_timeout_i = 0;
		top.timeout_disable_i = 0;
		top.bus_master_i = 1;
		top.hold_i = 0;
		top.reset_i = 0;
		top.read_valid_i = 0;
		top.write_valid_i = 0;
		top.tx_ready_i = 1;
		top.tx_read_ready_i = 0;
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

	/* The next piece of a response: up to a multiple of 64 bytes, as a root port may cut. */
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
		top.write_valid_i = writing;
		top.tx_read_ready_i = random.chance(ready_chance);
		if (!top.completion_valid_i && !pending.empty() && random.chance(response_chance)) {
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

	/* A completion that no request in flight asked for; the next step offers it. */
	void stray(unsigned tag, uint64_t at, unsigned words)
	{
		pending[tag] = { at, words * 8 };
		complete(tag);
		pending.erase(tag);
	}

	/* A successful completion of any shape, until it is taken. */
	void shaped(unsigned tag, unsigned bytes, unsigned lower, unsigned dwords,
		    bool poison = false)
	{
		top.completion_valid_i = 1;
		top.completion_tag_i = tag;
		top.completion_status_i = 0;
		top.completion_poisoned_i = poison;
		top.completion_dwords_i = dwords;
		top.completion_byte_count_i = bytes;
		top.completion_lower_address_i = lower;
		for (unsigned i = 0; i < 100 && top.completion_valid_i; i++)
			step();
		tap.check(!top.completion_valid_i, "a completion is taken");
	}

	/* The part of a response from @at on, of which @bytes are still to come. */
	void part(unsigned tag, uint64_t at, unsigned bytes, unsigned words, bool poison = false)
	{
		address = at;
		pending.erase(tag);
		shaped(tag, bytes, at & 127, words * 2, poison);
	}

	/* A completion without data and with a status other than success, until it is taken. */
	void failed(unsigned tag, unsigned status)
	{
		pending.erase(tag);
		top.completion_valid_i = 1;
		top.completion_tag_i = tag;
		top.completion_status_i = status;
		top.completion_poisoned_i = 0;
		top.completion_dwords_i = 0;
		top.completion_byte_count_i = 4;
		top.completion_lower_address_i = 0;
		for (unsigned i = 0; i < 100 && top.completion_valid_i; i++)
			step();
		tap.check(!top.completion_valid_i, "a completion is taken");
	}

	/* The events since the last call. */
	void events(unsigned ur, unsigned ca, unsigned poison, unsigned strays, unsigned late)
	{
		run(4);
		tap.equal(unsupported, ur, "completions with UR counted");
		tap.equal(aborts, ca, "completions with CA counted");
		tap.equal(poisoned, poison, "poisoned completions counted");
		tap.equal(unexpected, strays, "unexpected completions counted");
		tap.equal(timeouts, late, "time-outs counted");
		unsupported = aborts = poisoned = unexpected = timeouts = 0;
	}

	/* A function-level reset: no new requests, then the reset, as rf_pcie_config has it. */
	void reset_function(unsigned before)
	{
		top.hold_i = 1;
		run(before);
		top.reset_i = 1;
		asking = writing = false;
		reading.clear();
		run(2);
		top.bus_master_i = 0;
		run(13);
		top.hold_i = 0;
		step();
		top.reset_i = 0;
		run(4);
		top.bus_master_i = 1;
	}

private:
	uint64_t address = 0; /* of the payload's next word */
	bool taken = false;
	std::deque<Read> handed; /* reads taken from their readers that have not left */

	void observe()
	{
		if (top.write_valid_i && top.write_ready_o)
			writing = false;
		if (top.tx_read_valid_o && top.tx_read_ready_i) {
			unsigned tag = top.tx_read_hdr_o[2] >> 8 & 255;
			bool wide = top.tx_read_hdr_o[3] >> 29 & 1;
			uint64_t at =
				wide ? (uint64_t)top.tx_read_hdr_o[1] << 32 | top.tx_read_hdr_o[0]
				     : top.tx_read_hdr_o[1];

			tap.check(tag < tags, "tag out of range", tag, tags);
			tap.check(!pending.count(tag), "a tag in flight used again", tag);
			tap.check(!handed.empty(), "a read without a request");
			if (!handed.empty()) {
				tap.equal(at, handed[0].address, "address of the header");
				tap.equal(wide, handed[0].address >> 32 != 0, "four DWs");
				/* type MRd, no attributes, all bytes of the first and last DW */
				tap.equal(top.tx_read_hdr_o[3],
					  (uint32_t)wide << 29 | handed[0].words * 2,
					  "its type and length");
				tap.equal(top.tx_read_hdr_o[2],
					  (uint32_t)top.function_id_i << 16 | tag << 8 | 0xff,
					  "its requester and byte enables");
				pending[tag] = { at, handed[0].words * 8 };
				handed.pop_front();
			}
			most = std::max(most, (unsigned)pending.size());
			last_tag = tag;
			left_at = clock.cycle;
			sent++;
		}
		if (top.read_valid_i && top.read_ready_o) {
			if (top.bus_master_i)
				handed.push_back(reading[next_key]);
			asking = false;
		}
		taken = top.completion_valid_i && top.completion_ready_o;
		if (top.payload_ready_o)
			address += 8;
		timeouts += top.timeout_o;
		unexpected += top.unexpected_o;
		unsupported += top.unsupported_o;
		aborts += top.abort_o;
		poisoned += top.poisoned_o;
		if (!top.response_valid_o)
			return;
		auto it = reading.find(top.response_master_o << 5 | top.response_id_o);

		tap.check(it != reading.end(), "a response without a request");
		if (it == reading.end())
			return;
		Read &r = it->second;

		last_status = top.response_status_o;
		if (last_status == kOk) {
			tap.equal(top.response_data_o, word_at(r.address + 8 * r.got), "word");
			r.got++;
			tap.equal(top.response_last_o, r.got == r.words, "last");
		} else {
			tap.equal(top.response_last_o, 1, "a failure ends the read");
		}
		if (top.response_last_o) {
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
		b.response_chance = n % 2000 < 1000 ? 3 : 80;
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
	b.events(0, 0, 0, 0, 0);
	tap.equal(b.top.idle_o, 1, "idle at the end");
	tap.end();
}

/*
 * The link accepts no read for longer than twice the time-out: no time-out, and the read is
 * answered when it has left at last, with the others that use every tag behind it.
 */
void stalled(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);

	tap.begin(named("a read that the link does not accept keeps its tag", b.tags));
	b.top.completion_timeout_i = 200;
	b.ready_chance = 0;
	b.response_chance = 0;
	b.ask(5 << 5, 0xdead0000, 32);
	b.run(450);
	tap.equal(b.sent, 0, "reads that left");
	tap.equal(b.timeouts, 0, "time-outs of a read that has not left");
	tap.equal(b.top.idle_o, 0, "idle with a read that has not left");
	b.ready_chance = 100;
	for (unsigned n = 1; n < b.tags; n++) {
		b.ask(n % 32 | 3 << 5, 0x10000 + n * 256, 1);
		while (b.asking)
			b.step();
	}
	b.step();
	tap.equal(b.sent, b.tags, "reads that left");
	b.ask(6 << 5, 0x8000, 4);
	b.run(40);
	tap.check(b.asking, "a read beside as many as there are tags waits");
	b.response_chance = 100;
	for (unsigned i = 0; i < 1000 && !b.reading.empty(); i++)
		b.step();
	tap.equal(b.finished, b.tags + 1, "reads answered");
	tap.equal(b.last_status, kOk, "status of the last");
	tap.equal(b.timeouts + b.unexpected, 0, "time-outs, unexpected completions");
	tap.end();
}

/* Also of one that waited for others of the stream. */
void from_departure(rf::Tap &tap, unsigned choice)
{
	tap.begin("the time-out runs from the departure, " + std::to_string(8 << choice) + " tags");
	for (unsigned wait : { 0u, 1u, 2u, 60u, 499u, 500u, 700u, 1100u }) {
		Bench b(tap, choice);
		unsigned scan = b.tags + 8;

		b.top.completion_timeout_i = 500;
		b.ready_chance = 0;
		b.response_chance = 0;
		b.ask(7, 0x4000, 2);
		while (b.asking)
			b.step();
		b.writing = true;
		b.top.tx_ready_i = 0;
		b.step();
		b.ask(8, 0x5000, 2); /* behind the write, so the first leaves unseen */
		b.run(wait);
		b.ready_chance = 100;
		while (!b.sent)
			b.step();
		uint64_t left = b.left_at;

		b.asking = false;
		while (b.clock.cycle < left + 500)
			b.step();
		tap.equal(b.timeouts, 0, "time-outs before their time");
		b.run(scan);
		tap.equal(b.timeouts, 1, "time-outs behind it");
		tap.equal(b.last_status, kTimeout, "status of the response");
	}
	tap.end();
}

/* On show when the reset comes: it leaves behind it, and its tag is not free before that. */
void reset_on_show(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);

	tap.begin(named("a read on show during a function-level reset leaves, its tag rests",
			b.tags));
	b.top.completion_timeout_i = 300;
	b.ready_chance = 0;
	b.response_chance = 0;
	b.ask(1, 0x7000, 8);
	b.run(20);
	tap.equal(b.top.tx_read_valid_o, 1, "on show");
	b.reset_function(10);
	b.run(1000); /* far more than twice the time-out */
	tap.equal(b.top.tx_read_valid_o, 1, "stays on show");
	tap.equal(b.top.idle_o, 0, "idle with a read on show");
	b.ready_chance = 100;
	b.run(3);
	tap.equal(b.sent, 1, "leaves behind the reset");
	unsigned tag = b.last_tag;

	/* All others are used, over and over, until twice the time-out; then that one too. */
	uint64_t left = b.left_at;
	auto late = b.pending[tag];

	b.pending.clear();
	b.response_chance = 100;
	while (b.clock.cycle < left + 590) {
		b.ask(2, 0x9000, 1);
		while (!b.reading.empty() && b.clock.cycle < left + 1000)
			b.step();
		tap.check(b.last_tag != tag, "its tag is used before twice the time-out", tag);
	}
	tap.equal(b.unexpected, 0, "unexpected completions");
	b.pending[tag] = late; /* late, but before anybody has its tag */
	while (b.pending.count(tag) || b.top.completion_valid_i)
		b.step();
	b.run(40);
	tap.check(b.unexpected > 0, "the late completion is dropped");
	tap.equal(b.timeouts, 0, "time-outs");
	tap.end();
}

/*
 * Behind a write that the link does not accept: it is not on show, so it never leaves once bus
 * mastering is off or a reset has begun.
 */
void never_shown(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);

	tap.begin(named("a read that was never shown never leaves", b.tags));
	b.ready_chance = 100;
	for (bool reset : { false, true })
		for (unsigned wait : { 0u, 1u, 2u, 3u, 10u }) {
			unsigned sent = b.sent;

			b.top.tx_ready_i = 0;
			b.writing = true;
			b.run(5);
			tap.equal(b.top.tx_valid_o, 1, "the write is on show");
			b.ask(5, 0x6000, 4);
			b.run(wait);
			tap.equal(b.top.tx_read_valid_o, 0, "passes the write");
			if (reset) {
				b.reset_function(6);
			} else {
				b.top.bus_master_i = 0;
				b.run(10);
				tap.check(b.reading.empty(), "is answered");
				tap.equal(b.last_status, kDisabled, "status");
			}
			b.top.tx_ready_i = 1;
			b.run(10);
			b.top.bus_master_i = 1;
			b.run(10);
			tap.equal(b.sent - sent, 0, "leaves");
			tap.equal(b.top.idle_o, 1, "idle");
		}
	tap.end();

	tap.begin(named("no read is begun while a reset is coming", b.tags));
	unsigned begun = b.sent;

	b.top.hold_i = 1;
	b.run(3);
	b.ask(5, 0x6000, 4);
	b.run(20);
	tap.equal(b.sent - begun, 0, "leaves");
	b.reset_function(1);
	b.run(20);
	tap.equal(b.sent - begun, 0, "leaves behind the reset");
	tap.end();

	/* What is on show stays, and gets its response. */
	tap.begin(named("a read on show leaves with bus mastering off", b.tags));
	unsigned finished = b.finished;

	b.ready_chance = 0;
	b.ask(6, 0x6100, 4);
	b.run(10);
	tap.equal(b.top.tx_read_valid_o, 1, "on show");
	b.top.bus_master_i = 0;
	b.run(30);
	tap.equal(b.top.tx_read_valid_o, 1, "stays on show");
	tap.equal(b.finished, finished, "answered before it left");
	b.ready_chance = 100;
	b.response_chance = 100;
	b.run(30);
	tap.equal(b.finished, finished + 1, "answered");
	tap.equal(b.last_status, kOk, "status");
	tap.end();
}

/* Of two writes one is on show and the other on offer when a read comes. */
void behind_writes(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);

	tap.begin(named("a read passes no write that was on offer before it", b.tags));
	b.ready_chance = 0;
	b.response_chance = 100;
	for (unsigned wait : { 1u, 2u, 3u, 10u }) {
		b.top.tx_ready_i = 0;
		b.writing = true;
		b.run(5);
		tap.check(!b.writing && b.top.tx_valid_o, "the first write is on show");
		b.writing = true;
		b.run(wait);
		b.ask(5, 0x6000, 4);
		b.run(10);
		tap.check(b.writing, "the second write is on offer");
		tap.equal(b.top.tx_read_valid_o, 0, "passes both");
		b.top.tx_ready_i = 1;
		b.step();
		b.top.tx_ready_i = 0;
		tap.check(!b.writing, "the second write is on show");
		b.run(10);
		tap.equal(b.top.tx_read_valid_o, 0, "passes the second");
		b.top.tx_ready_i = 1;
		b.run(5);
		tap.equal(b.top.tx_read_valid_o, 1, "is on show behind them");
		b.ready_chance = 100;
		for (unsigned i = 0; i < 50 && !b.reading.empty(); i++)
			b.step();
		tap.check(b.reading.empty(), "is answered");
		b.ready_chance = 0;
	}
	tap.end();
}

/* A completion for the tag of a read that has not left belongs to an earlier one. */
void not_sent(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);

	tap.begin(named("a completion for a read that has not left is unexpected", b.tags));
	b.ready_chance = 0;
	b.response_chance = 0;
	b.ask(4, 0x3000, 4);
	b.run(10);
	b.stray(b.top.tx_read_hdr_o[2] >> 8 & 255, 0x3000, 4);
	b.run(20);
	tap.equal(b.unexpected, 1, "unexpected completions");
	tap.equal(b.finished, 0, "responses");
	b.ready_chance = 100;
	b.response_chance = 100;
	b.run(30);
	tap.equal(b.finished, 1, "responses");
	tap.equal(b.last_status, kOk, "status");
	tap.end();
}

/* What does not continue where the completion before ended is no part of the read. */
void misfits(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);
	const struct {
		unsigned bytes, lower, dwords;
		const char *what;
	} shapes[] = {
		{ 32, 0x10, 0, "no data" },
		{ 32, 0x10, 1, "one DW" },
		{ 32, 0x10, 3, "an odd number of DWs" },
		{ 32, 0x10, 7, "all but the last DW" },
		{ 32, 0x10, 9, "a DW too many" },
		{ 32, 0x10, 10, "a word too many" },
		{ 32, 0x10, 40, "far too long" },
		{ 24, 0x10, 6, "a byte count too small" },
		{ 40, 0x10, 8, "a byte count too large" },
		{ 33, 0x10, 8, "a byte count of no whole words" },
		{ 32, 0x18, 8, "the next word" },
		{ 32, 0x08, 8, "the word before" },
		{ 32, 0x50, 8, "another half of 128 bytes" },
		{ 32, 0x14, 8, "the next DW" },
	};

	tap.begin(named("a completion that does not fit its read is unexpected", b.tags));
	b.response_chance = 0;
	b.ask(4, 0x3010, 4);
	b.run(10);
	for (auto &shape : shapes) {
		unsigned unexpected = b.unexpected;

		b.shaped(b.last_tag, shape.bytes, shape.lower, shape.dwords);
		b.run(4);
		tap.equal(b.unexpected - unexpected, 1, shape.what);
		tap.equal(b.finished, 0, "responses");
		tap.equal(b.reading[4].got, 0, "words");
	}
	/* The first half, and for the second what fitted before. */
	b.pending[b.last_tag] = { 0x3010, 16 };
	b.complete(b.last_tag);
	b.top.completion_byte_count_i = 32;
	b.run(10);
	tap.equal(b.reading[4].got, 2, "words of the first half");
	unsigned unexpected = b.unexpected;
	b.shaped(b.last_tag, 32, 0x10, 4);
	b.shaped(b.last_tag, 16, 0x10, 4);
	b.shaped(b.last_tag, 32, 0x20, 4);
	tap.equal(b.unexpected - unexpected, 3, "the first half once more");
	b.pending[b.last_tag] = { 0x3020, 16 };
	b.complete(b.last_tag);
	b.run(10);
	tap.equal(b.finished, 1, "responses");
	tap.equal(b.last_status, kOk, "status");
	tap.end();
}

/* A completion that fails ends its read, is counted once by its kind, and frees the tag. */
void failures(rf::Tap &tap, unsigned choice)
{
	Bench b(tap, choice);
	unsigned finished = 0;

	tap.begin(named("a completion that fails ends its read and is counted as what it is",
			b.tags));
	b.response_chance = 0;
	for (unsigned status = 1; status < 8; status++) {
		for (unsigned words : { 1u, 4u, 16u }) {
			unsigned ca = status == 4;

			b.ask(status << 5 | words, 0x3000, words);
			b.run(10);
			tap.equal(b.top.idle_o, 0, "idle with a read under way");
			if (words == 16) { /* it has begun */
				b.part(b.last_tag, 0x3000, 128, 8);
				tap.equal(b.finished, finished, "responses");
			}
			b.failed(b.last_tag, status);
			b.events(!ca, ca, 0, 0, 0);
			tap.equal(b.finished, ++finished, "responses");
			tap.equal(b.last_status, ca ? kAbort : kUnsupported, "status");
			tap.equal(b.top.idle_o, 1, "idle behind it");
			b.failed(b.last_tag, status); /* which has ended */
			b.events(0, 0, 0, 1, 0);
			tap.equal(b.finished, finished, "responses");
		}
	}
	/* Tags beyond those there are. */
	for (unsigned tag = b.tags; tag < 256; tag += b.tags)
		for (unsigned status : { 0u, 1u, 4u }) {
			b.ask(3, 0x3000, 1);
			b.run(10);
			if (status)
				b.failed(tag | b.last_tag, status);
			else
				b.part(tag | b.last_tag, 0x3000, 8, 1);
			b.events(0, 0, 0, 1, 0);
			tap.equal(b.finished, finished, "responses");
			b.part(b.last_tag, 0x3000, 8, 1);
			b.events(0, 0, 0, 0, 0);
			tap.equal(b.finished, ++finished, "responses");
			tap.equal(b.last_status, kOk, "status");
		}
	tap.end();

	tap.begin(named("a poisoned completion ends its read, what follows is dropped", b.tags));
	for (unsigned part = 0; part < 2; part++) { /* the first or the second is poisoned */
		b.ask(9, 0x5000, 32);
		b.run(10);
		if (part) {
			b.part(b.last_tag, 0x5000, 256, 16);
			b.events(0, 0, 0, 0, 0);
			tap.equal(b.reading[9].got, 16, "words of the first half");
		}
		b.part(b.last_tag, 0x5000 + 128 * part, part ? 128 : 256, 8, true);
		b.events(0, 0, 1, 0, 0);
		tap.equal(b.finished, ++finished, "responses");
		tap.equal(b.last_status, kPoisoned, "status");
		b.part(b.last_tag, 0x5040 + 128 * part, part ? 64 : 192, 8);
		b.events(0, 0, 0, 1, 0);
		tap.equal(b.finished, finished, "responses");
	}
	tap.end();

	tap.begin(named("a read does not time out while that is disabled", b.tags));
	b.top.completion_timeout_i = 50;
	b.top.timeout_disable_i = 1;
	b.ask(7, 0x7000, 1);
	b.run(1000);
	b.events(0, 0, 0, 0, 0);
	tap.equal(b.finished, finished, "responses");
	b.top.timeout_disable_i = 0;
	b.run(b.tags + 10);
	b.events(0, 0, 0, 0, 1);
	tap.equal(b.last_status, kTimeout, "status");
	b.failed(b.last_tag, 1);
	b.events(0, 0, 0, 1, 0);
	tap.equal(b.finished, finished + 1, "responses");
	tap.end();
}

/* Reads one after the other until every free tag has had its turn; was `tag` free? */
bool takes(Bench &b, unsigned tag)
{
	bool taken = false;

	b.response_chance = 100;
	for (unsigned n = 0; n < b.tags; n++) {
		b.ask(2, 0x20000, 1);
		for (unsigned i = 0; i < 100 && !b.reading.empty(); i++)
			b.step();
		b.tap.check(b.reading.empty(), "a read is answered");
		taken = taken || b.last_tag == tag;
	}
	b.response_chance = 0;
	return taken;
}

/*
 * One read without a response, issued at the time `start`: no time-out just before
 * `timeout`, one just behind it; the tag rests until twice that has passed.
 */
void expire(Bench &b, uint64_t start, uint32_t timeout)
{
	rf::Tap &tap = b.tap;
	unsigned before = b.timeouts, scan = b.tags + 8, reserve = 30 * b.tags;

	b.set_time(start);
	b.top.completion_timeout_i = timeout;
	b.ask(1, 0x10000, 4);
	unsigned sent = b.sent;
	for (unsigned i = 0; i < 1000 && b.sent == sent; i++)
		b.step();
	tap.check(b.sent != sent, "a tag is free");
	unsigned tag = b.last_tag;

	b.set_time(start + timeout - scan);
	b.run(scan - 2);
	tap.equal(b.timeouts - before, 0, "too early");
	b.run(2 * scan);
	tap.equal(b.timeouts - before, 1, "time-outs");
	tap.equal(b.last_status, kTimeout, "status of the response");
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

	b.response_chance = 0;
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
		misfits(tap, choice);
		failures(tap, choice);
		stalled(tap, choice);
		from_departure(tap, choice);
		reset_on_show(tap, choice);
		never_shown(tap, choice);
		behind_writes(tap, choice);
		not_sent(tap, choice);
	}
	return tap.status();
}
