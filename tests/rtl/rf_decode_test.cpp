/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers of random packets, many of them spoilt, against a second reading of the
 * packet table in ringfence.toml. Node 0: VECTOR is legal, COPY and FILL are not; node 1
 * (rf_decode_copy_test.cpp): these are, VECTOR is not. Without an engine
 * (rf_decode_none_test.cpp): none of them.
 */
#include <deque>
#include <vector>

#include "Vrf_decode.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

#ifndef NODE
#define NODE 0
#endif
#ifndef ENGINE
#define ENGINE 1
#endif

using namespace rf;

static Tap tap;

struct Kind {
	unsigned opcode, least, most, flags;
	uint32_t argument;
	unsigned align8; /* bit i: word i */
};

static const Kind kinds[] = {
	{ RF_OPCODE_NOP, 1, 8, 0, 0, 0 },
	{ RF_OPCODE_SIGNAL, 4, 5, 1, 0xffff, 1 << 1 | 1 << 3 },
	{ RF_OPCODE_WAIT, 3, 4, 1, 0xffff, 1 << 1 },
	{ RF_OPCODE_WRITE, 3, 3, 0, 0, 1 << 1 },
	{ RF_OPCODE_TIMESTAMP, 2, 2, 0, 0, 1 << 1 },
	{ RF_OPCODE_PROGRESS, 2, 2, 0, 0, 0 },
	{ RF_OPCODE_BARRIER, 1, 1, 0, 0, 0 },
	{ RF_OPCODE_SOFTWARE_SIGNAL, 3, 3, 0, 0, 0 },
	{ RF_OPCODE_TRAP, 2, 2, 0, 0, 0 },
#if ENGINE && NODE == 0
	{ RF_OPCODE_VECTOR, 5, 5, 0, 0xff, 0 },
#elif ENGINE
	{ RF_OPCODE_COPY, 4, 4, 0, 0, 0 },
	{ RF_OPCODE_FILL, 4, 4, 0, 0, 0 },
#endif
};
/* rf_bus_pkg::Fence* */
static unsigned fence_kind_of(unsigned opcode)
{
	return opcode == RF_OPCODE_SIGNAL      ? 0
	       : opcode == RF_OPCODE_PROGRESS  ? 1
	       : opcode == RF_OPCODE_WRITE     ? 2
	       : opcode == RF_OPCODE_TIMESTAMP ? 3
					       : 4;
}

enum : unsigned { AXPB = 0, SUM = 5 };

/* is_nop, is_wait, is_barrier, is_fence, is_engine, is_record of decoded_packet_t */
static unsigned unit_of(unsigned opcode)
{
	switch (opcode) {
	case RF_OPCODE_NOP:
		return 32;
	case RF_OPCODE_WAIT:
		return 16;
	case RF_OPCODE_BARRIER:
		return 8;
	case RF_OPCODE_VECTOR:
	case RF_OPCODE_COPY:
	case RF_OPCODE_FILL:
		return 2;
	case RF_OPCODE_TRAP:
	case RF_OPCODE_SOFTWARE_SIGNAL:
		return 1;
	default:
		return 4;
	}
}

struct Word {
	uint64_t data;
	unsigned status; /* error cause, 0 if good */
	unsigned left = 0; /* words behind it, 16 and above: many */
};

struct Item {
	enum { Begin, Packet, End, Error } what;
	std::vector<uint64_t> words; /* of a packet */
	unsigned cause, level, behind;
};

struct BufferIn {
	unsigned words, error;
};

/* What is wrong with the packet at the start of some words; 0 if nothing. */
static unsigned judge(const std::vector<Word> &w, size_t at, size_t end, unsigned &behind)
{
	uint64_t header = w[at].data;
	unsigned words = header >> 8 & 0xff, flags = header >> 16 & 0xffff;
	uint32_t argument = header >> 32;
	const Kind *kind = nullptr;

	behind = 0;
	if (w[at].status)
		return w[at].status;
	for (const Kind &k : kinds)
		if (k.opcode == (header & 0xff))
			kind = &k;
	if (!kind)
		return RF_QUEUE_ERROR_OPCODE;
	if (words < kind->least || words > kind->most || at + words > end)
		return RF_QUEUE_ERROR_LENGTH;
	if ((kind->opcode == RF_OPCODE_SIGNAL || kind->opcode == RF_OPCODE_WAIT) &&
	    words != (flags & 1 ? kind->most : kind->least))
		return RF_QUEUE_ERROR_LENGTH;
	if (flags & ~kind->flags || argument & ~kind->argument)
		return RF_QUEUE_ERROR_FLAGS;
	for (unsigned i = 1; i < words; i++)
		if (w[at + i].status) {
			behind = i;
			return w[at + i].status;
		}
	for (unsigned i = 1; i < words; i++)
		if (kind->align8 >> i & 1 && w[at + i].data % 8)
			return RF_QUEUE_ERROR_ALIGNMENT;
	if ((kind->opcode == RF_OPCODE_COPY && w[at + 3].data >> 32) ||
	    (kind->opcode == RF_OPCODE_FILL && w[at + 2].data >> 32))
		return RF_QUEUE_ERROR_OPERAND; /* 4 GiB or more */
	if (kind->opcode != RF_OPCODE_VECTOR)
		return 0;
	if (w[at + 1].data % (argument == SUM ? 8 : 4) || w[at + 2].data % 4 ||
	    (argument != AXPB && argument != SUM && w[at + 4].data % 4))
		return RF_QUEUE_ERROR_ALIGNMENT;
	if (argument > SUM || w[at + 3].data >> 30 || (argument == SUM && w[at + 4].data))
		return RF_QUEUE_ERROR_OPERAND;
	return 0;
}

static void random_packet(Random &r, std::vector<Word> &words)
{
	const Kind &k = kinds[r.below(sizeof(kinds) / sizeof(kinds[0]))];
	bool log = k.flags && r.chance(40);
	unsigned n = k.opcode == RF_OPCODE_NOP ? 1 + r.below(8) : log ? k.most : k.least;
	uint32_t argument = r.next() & k.argument;

	if (k.opcode == RF_OPCODE_VECTOR)
		argument = r.below(6);
	words.push_back({ k.opcode | n << 8 | (uint64_t)log << 16 | (uint64_t)argument << 32, 0 });
	for (unsigned i = 1; i < n; i++) {
		uint64_t data = r.next();

		if (k.align8 >> i & 1 || k.opcode == RF_OPCODE_VECTOR)
			data &= ~7ull;
		if ((k.opcode == RF_OPCODE_COPY && i == 3) ||
		    (k.opcode == RF_OPCODE_FILL && i == 2))
			data >>= 32;
		if (k.opcode == RF_OPCODE_VECTOR && i == 3)
			data = r.next() >> 34;
		if (k.opcode == RF_OPCODE_VECTOR && i == 4 && argument == SUM)
			data = 0;
		words.push_back({ data, 0 });
	}
}

struct Bench {
	Vrf_decode top;
	Random random;
	std::deque<BufferIn> buffers;
	std::deque<Word> stream;
	std::deque<Item> items;
	unsigned word_rate = 100, ready = 100, spoil = 40;
	uint64_t packets = 0, causes[16] = {}, cycles = 0;
	bool shown = false;
	std::vector<std::pair<unsigned, uint64_t>> left; /* operands of the packet before */
	unsigned left_bank = 0, left_for = 0; /* cycles */

	explicit Bench(uint64_t seed_value) : random(seed_value)
	{
		top.start_i = top.buffer_valid_i = top.word_valid_i = top.ready_i = 0;
		Clock<Vrf_decode>(top).reset();
		top.clk_i = 0;
	}
	void edge()
	{
		top.clk_i = 1;
		top.eval();
		top.clk_i = 0;
		cycles++;
	}
	void expect(const std::vector<Word> &words, size_t from);
	void check(const Item &item);
	void look_back();
	void offer(const std::vector<Word> &words);
	void play(bool resume, bool more);
	void scenario();
};

/* The items of one buffer, from a packet on. */
void Bench::expect(const std::vector<Word> &words, size_t from)
{
	for (size_t at = from; at < words.size();) {
		unsigned behind, cause = judge(words, at, words.size(), behind);
		unsigned n = words[at].data >> 8 & 0xff;
		Item item = { cause ? Item::Error : Item::Packet, {}, cause, 0, behind };

		if (cause) {
			item.level = words[at + behind].status ? 3 : 0;
			items.push_back(item);
			return;
		}
		for (unsigned i = 0; i < n; i++)
			item.words.push_back(words[at + i].data);
		items.push_back(item);
		at += n;
	}
	items.push_back({ Item::End, {}, 0, 0, 0 });
}

void Bench::check(const Item &item)
{
	unsigned seen = top.begin_o | top.packet_o << 1 | top.end_o << 2 | top.error_o << 3;
	const std::vector<uint64_t> &w = item.words;

	tap.check(seen == 1u << item.what, "what is shown", seen, 1u << item.what);
	if (item.what == Item::Error) {
		tap.equal(bits(top.packet_error_o, 6, 8), item.cause, "cause");
		tap.equal(bits(top.packet_error_o, 4, 2), item.level, "level");
		tap.equal(bits(top.packet_error_o, 0, 4), item.behind, "words behind the packet");
		causes[item.cause]++;
	}
	if (item.what != Item::Packet)
		return;
	/* decoded_packet_t */
	const unsigned opcode = bits(top.decoded_o, 21, 8);
	tap.equal(opcode, w[0] & 0xff, "opcode");
	tap.equal(bits(top.decoded_o, 29, 6), unit_of(opcode), "who executes it");
	if (unit_of(opcode) == 4 || opcode == RF_OPCODE_WAIT)
		tap.equal(bits(top.decoded_o, 35, 3), fence_kind_of(opcode), "fence operation");
	tap.equal(bits(top.decoded_o, 17, 4), w.size(), "words");
	tap.equal(bits(top.decoded_o, 16, 1), w[0] >> 16 & 1, "log");
	tap.equal(bits(top.decoded_o, 0, 16), w[0] >> 32 & 0xffff, "argument");
	left_bank = top.bank_o;
	left.clear();
	for (unsigned i = 1; i < w.size() && i <= 4 && opcode != RF_OPCODE_NOP; i++) {
		unsigned place = i;

		/* where the fence unit wants them */
		if (opcode == RF_OPCODE_PROGRESS)
			place = 2;
		if (opcode == RF_OPCODE_WAIT && i == 3)
			place = 4;
		left.push_back({ place, w[i] });
	}
	left_for = 0;
	look_back();
	packets++;
}

/* The operands of a packet stay while the words of the next one come, the last ones longest. */
void Bench::look_back()
{
	for (const auto &[place, word] : left) {
		if (left_for > place + 1)
			continue;
		top.operand_bank_i = left_bank;
		top.operand_i = place;
		top.eval();
		tap.equal(top.operand_o, word, "operand");
	}
	left_for++;
}

/* The words of one buffer, each with how many are left behind it: 16 and above are many. */
void Bench::offer(const std::vector<Word> &words)
{
	for (size_t i = 0; i < words.size(); i++) {
		size_t left = words.size() - 1 - i;

		stream.push_back(words[i]);
		stream.back().left = left < 16 ? left : 16 | random.below(16);
	}
}

/* From start_i until all items were shown. */
void Bench::play(bool resume, bool more)
{
	top.start_i = 1;
	top.resume_i = resume;
	top.more_i = more;
	top.buffer_valid_i = top.word_valid_i = top.ready_i = 0;
	top.eval();
	edge();
	top.start_i = 0;
	bool inside = resume, coming = false; /* a buffer */
	for (unsigned limit = 100000; !items.empty(); limit--) {
		if (!limit) {
			tap.check(false, "the decoder hangs");
			items.clear();
			break;
		}
		coming = coming || (!buffers.empty() && random.chance(word_rate));
		top.buffer_valid_i = coming;
		if (coming) {
			top.buffer_failed_i = buffers.front().error != 0;
			top.buffer_more_i = buffers.front().words != 0;
			top.buffer_error_i = buffers.front().error;
			top.buffer_level_i = 1;
		}
		/* a word that is shown stays */
		shown = shown || (!stream.empty() && random.chance(word_rate));
		top.word_valid_i = shown;
		if (shown) {
			top.word_i = stream.front().data;
			top.word_left_i = stream.front().left;
			top.word_failed_i = stream.front().status != 0;
			top.word_error_i = stream.front().status;
			top.word_level_i = 3;
		} else {
			top.word_i = random.next();
			top.word_left_i = random.below(32);
			top.word_failed_i = random.chance(50);
		}
		top.word_used_i = (top.word_i >> 32 ? 2 : 0) | ((uint32_t)top.word_i ? 1 : 0);
		top.ready_i = random.chance(ready);
		top.eval();
		bool any = top.begin_o || top.packet_o || top.end_o || top.error_o;
		bool done = any && (top.ready_i || top.error_o);
		/* the node leaves a slot whose decoder waits for a buffer */
		tap.equal(top.waiting_o, !inside && !any && !coming, "waiting for a buffer");
		if (done)
			inside = !top.end_o;

		if (top.ready_i && !any)
			top.ready_i = 0; /* nothing to be done with */
		top.eval();
		if (done) {
			check(items.front());
			items.pop_front();
		} else {
			look_back();
		}
		if (top.buffer_ready_o && top.buffer_valid_i) {
			buffers.pop_front();
			coming = false;
		}
		if (top.word_ready_o && top.word_valid_i && !top.word_failed_i) {
			stream.pop_front();
			shown = false;
		}
		edge();
	}
	/* an error stays, and nothing else is shown; behind the end it waits */
	bool stays = top.error_o;
	top.buffer_valid_i = 0;
	for (unsigned i = 0; i < 5; i++) {
		top.ready_i = random.chance(50);
		top.eval();
		tap.equal(top.waiting_o, !stays, "waiting for a buffer, behind the last item");
		tap.check(!stays || (top.error_o && !top.packet_o && !top.buffer_ready_o),
			  "an error stays");
		edge();
	}
	buffers.clear();
	stream.clear();
	shown = false;
}

void Bench::scenario()
{
	bool resume = random.chance(30);
	unsigned count = 1 + random.below(4);
	bool more = false;

	for (unsigned b = 0; b < count; b++) {
		std::vector<Word> words;
		bool resumed = resume && b == 0;

		for (unsigned n = random.below(6); n; n--)
			random_packet(random, words);
		if (!words.empty() && random.chance(spoil)) {
			unsigned at = random.below(words.size());

			switch (random.below(4)) {
			case 0: /* an access fails */
				words[at].status = RF_QUEUE_ERROR_TRANSLATION + random.below(6);
				break;
			case 1: /* the buffer ends within a packet */
				words.resize(at);
				break;
			default:
				words[at].data ^= 1ull << (random.chance(50) ? random.below(24)
									     : random.below(64));
			}
		}
		if (!resumed && random.chance(spoil / 8)) {
			buffers.push_back({ 0, RF_QUEUE_ERROR_RING_ENTRY });
			items.push_back({ Item::Error, {}, RF_QUEUE_ERROR_RING_ENTRY, 1, 0 });
			break;
		}
		if (resumed)
			more = !words.empty();
		else
			buffers.push_back({ (unsigned)words.size(), 0 });
		if (!resumed)
			items.push_back({ Item::Begin, {}, 0, 0, 0 });
		expect(words, 0);
		offer(words);
		if (items.back().what == Item::Error)
			break;
	}
	play(resume, more);
}

static void scenarios(const char *name, uint64_t seed_value, unsigned word_rate, unsigned ready,
		      unsigned spoil)
{
	Bench b(seed_value);

	tap.begin(name);
	b.word_rate = word_rate;
	b.ready = ready;
	b.spoil = spoil;
	for (unsigned i = 0; i < 6000; i++)
		b.scenario();
	tap.check(b.packets > 5000, "packets", b.packets);
	if (spoil)
		for (unsigned cause = RF_QUEUE_ERROR_OPCODE; cause <= RF_QUEUE_ERROR_OPERAND;
		     cause++)
			if (cause != RF_QUEUE_ERROR_LOG_INDEX && cause != RF_QUEUE_ERROR_ENGINE &&
			    (ENGINE || cause != RF_QUEUE_ERROR_OPERAND))
				tap.check(b.causes[cause] > 3, "a cause that did not occur", cause);
	tap.end();
}

static void throughput()
{
	tap.begin("n-word packets leave every n cycles");
	for (unsigned words : { 2u, 3u, 4u, 5u }) {
		if (NODE && words == 5)
			continue;
		Bench b(words);
		std::vector<Word> packets;
		const unsigned opcode[] = { 0,
					    0,
					    RF_OPCODE_PROGRESS,
					    RF_OPCODE_SOFTWARE_SIGNAL,
					    RF_OPCODE_SIGNAL,
					    NODE ? 0 : RF_OPCODE_VECTOR };

		for (unsigned i = 0; i < 100; i++) {
			packets.push_back({ opcode[words] | words << 8, 0 });
			for (unsigned w = 1; w < words; w++)
				packets.push_back({ 0, 0 });
		}
		b.buffers.push_back({ 100 * words, 0 });
		b.items.push_back({ Item::Begin, {}, 0, 0, 0 });
		b.expect(packets, 0);
		b.offer(packets);
		uint64_t before = b.cycles;
		b.play(false, false);
		unsigned spent = b.cycles - before;
		tap.check(spent <= 100 * words + 16, "cycles of 100 packets", spent, 100 * words);
	}
	tap.end();
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	throughput();
	scenarios("legal packets come out whole and in order", s, 100, 100, 0);
	scenarios("each spoilt packet is an error of its own cause and place", s + 1, 100, 100, 40);
	scenarios("the same with slow words", s + 2, 40, 100, 40);
	scenarios("the same with slow units", s + 3, 100, 20, 40);
	return tap.status();
}
