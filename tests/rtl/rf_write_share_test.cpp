/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two writers that offer requests and words as soon as they have them, also the words of a
 * request that waits for the one before, and a memory that takes words whenever it has room:
 * every word reaches memory with the request that it is of, and every done its writer.
 */
#include "Vrf_write_share.h"
#include "harness.h"

namespace {

/* Percent: that a writer has a request, a word; that memory is ready for each, and is done */
struct Rates {
	unsigned request, word, ready, word_ready, done;
};

struct Request {
	unsigned number, words;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		offer(false, false, false);
		clock.reset();
		for (Writer &writer : writers)
			writer = {};
		busy = false;
	}

	/* A writer has words of all requests that it has asked for; each is its number. */
	void cycle(const Rates &rates)
	{
		for (unsigned i = 0; i < 2; i++) {
			Writer &writer = writers[i];

			if (!writer.asks && random.chance(rates.request)) {
				unsigned words = random.chance(30) ? 1 : random.below(32) + 1;

				writer.asks = true;
				writer.request = { writer.requests++, words };
				writer.room += words;
			}
			writer.has = writer.has ||
				     (writer.sent < writer.room && random.chance(rates.word));
		}
		offer(random.chance(rates.ready), random.chance(rates.word_ready),
		      busy && !left && random.chance(rates.done));
		top.eval();
		look();
		clock.tick();
	}

	Vrf_write_share top;
	rf::Clock<Vrf_write_share> clock;
	rf::Random random;
	rf::Tap tap;
	unsigned done_count = 0, waiting_words = 0, longest_turn = 0;
	bool busy = false;

private:
	struct Writer {
		bool asks, has; /* offered, until taken */
		Request request;
		unsigned requests, accepted; /* in all */
		uint64_t room, sent; /* words asked for, and taken, in all */
		unsigned others; /* requests of the other that were taken while this one asked */
	};

	void offer(bool ready, bool word_ready, bool done)
	{
		top.valid_i = top.data_valid_i = 0;
		for (unsigned w = 0; w < 6; w++)
			top.write_i[w] = 0;
		for (unsigned i = 0; i < 2; i++) {
			const Writer &writer = writers[i];

			top.valid_i |= writer.asks << i;
			top.data_valid_i |= writer.has << i;
			/* words in bits 16 to 21 of 87; number and writer in the address */
			put(87 * i + 16, writer.request.words);
			put(87 * i + 22, writer.request.number << 1 | i);
			top.data_i[2 * i] = writer.sent;
			top.data_i[2 * i + 1] = i;
		}
		top.write_ready_i = ready;
		top.write_data_ready_i = word_ready;
		top.write_done_i = done;
	}

	void put(unsigned bit, uint64_t value)
	{
		for (unsigned i = 0; i < 24; i++, bit++)
			top.write_i[bit / 32] |= (value >> i & 1) << bit % 32;
	}

	/* What this cycle's edge will take */
	void look()
	{
		waiting_words += busy && !left && (top.data_valid_i >> owner & 1);
		if (top.write_done_i) {
			tap.equal(top.done_o, 1u << owner,
				  "done tells the writer whose request it is");
			busy = false;
			done_count++;
		} else {
			tap.equal(top.done_o, 0, "no done without one");
		}
		look_at_words();
		look_at_requests();
	}

	void look_at_words()
	{
		bool taken = top.write_data_valid_o && top.write_data_ready_i;

		for (unsigned i = 0; i < 2; i++)
			tap.equal(top.data_ready_o >> i & top.data_valid_i >> i & 1,
				  taken && i == owner,
				  "a word is taken from the writer whose request it is of");
		if (!taken)
			return;
		tap.check(busy && left, "no word beyond the request");
		if (!left)
			return;
		left--;
		tap.equal(top.write_data_o, uint64_t(owner) << 32 | (uint32_t)writers[owner].sent,
			  "words in their order");
		writers[owner].sent++;
		writers[owner].has = false;
	}

	void look_at_requests()
	{
		bool taken = top.write_valid_o && top.write_ready_i;

		tap.equal(top.ready_o & top.valid_i, taken ? top.ready_o : 0,
			  "a request leaves its writer when memory takes it");
		if (!taken)
			return;
		tap.check(!busy || top.write_done_i, "one request at a time");
		owner = top.ready_o >> 1;
		Writer &writer = writers[owner];
		tap.equal(top.ready_o, 1u << owner, "one writer is served");
		tap.check(writer.asks, "a request that was offered");
		tap.equal(top.write_o[0] >> 16 & 0x3f, writer.request.words, "its words");
		tap.equal((top.write_o[0] >> 22 | top.write_o[1] << 10) & 0xffffff,
			  writer.request.number << 1 | owner, "its address");
		tap.equal(writer.request.number, writer.accepted++, "requests in their order");
		left = writer.request.words;
		busy = true;
		writer.asks = false;
		writer.others = 0;
		if (writers[!owner].asks && ++writers[!owner].others > longest_turn)
			longest_turn = writers[!owner].others;
	}

	Writer writers[2] = {};
	unsigned owner = 0, left = 0;
};

void in_order(Bench &b, const char *name, const Rates &rates)
{
	b.tap.begin(name);
	b.reset();
	b.done_count = b.waiting_words = b.longest_turn = 0;
	for (unsigned i = 0; i < 20000; i++)
		b.cycle(rates);
	b.tap.check(b.done_count > 100, "requests were done", b.done_count, 100);
	b.tap.check(b.longest_turn <= 1, "a writer waits for one of the other at most",
		    b.longest_turn, 1);
	if (rates.word == 100)
		b.tap.check(b.waiting_words > 100, "words of the next request wait",
			    b.waiting_words, 100);
	b.tap.end();
}

void reset_in_the_midst(Bench &b)
{
	b.tap.begin("a reset in the midst of a request leaves nothing of it");
	for (unsigned i = 0; i < 200; i++) {
		unsigned cycles = b.random.below(60);

		b.reset();
		for (unsigned k = 0; k < cycles; k++)
			b.cycle({ 80, 80, 80, 80, 30 });
	}
	b.reset();
	b.top.data_valid_i = 3;
	b.top.write_data_ready_i = 1;
	b.top.eval();
	b.tap.equal(b.top.write_data_valid_o, 0, "no word without a request");
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	in_order(b, "both writers ahead of a memory that takes all at once",
		 { 100, 100, 100, 100, 100 });
	in_order(b, "both writers ahead of a memory that is slow to be done",
		 { 100, 100, 100, 100, 10 });
	in_order(b, "a memory that stops requests and words", { 90, 100, 40, 30, 40 });
	in_order(b, "writers with pauses", { 20, 40, 90, 90, 60 });
	reset_in_the_midst(b);
	return b.tap.status();
}
