/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ring entries and command words of one queue after the other, from a memory that
 * responses requests in any order and mixes their words, to a reader of any speed. In the midst of
 * a buffer a queue is left for others and goes on some words before, with what is kept of it.
 */
#include <map>
#include <set>
#include <vector>

#include "Vrf_fetch.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

static Tap tap;

struct Request {
	uint64_t va, due;
	unsigned words, id, sent;
};

struct Buffer {
	uint64_t address;
	unsigned words, error, level;
};

struct Bench {
	Vrf_fetch top;
	Random random;
	uint64_t now = 0;
	std::vector<Request> requests;
	unsigned ready = 100, response_rate = 100, latency = 3, reader = 100;

	/* this round */
	std::map<uint64_t, uint64_t> memory;
	std::map<uint64_t, unsigned> faults; /* va: status */
	static unsigned level_of(uint64_t va) { return va >> 3 & 3; }
	std::set<uint64_t> fetched;
	uint64_t base = 0, read_pointer = 0, write_pointer = 0;
	unsigned size = 1, vmid = 0;
	bool held = false, fresh = false, asked = false; /* asked for reads a cycle ago */
	uint64_t held_va = 0, held_words = 0;
	size_t open_most = 0, twice = 0, ahead_of_reader = 0, kept_turns = 0, kept_words = 0;
	unsigned place = 0, depth = 0; /* of the queue; of queues that were left for it */
	bool failed = false; /* an access, since the start */

	explicit Bench(uint64_t seed_value) : random(seed_value)
	{
		top.load_i = top.start_i = top.first_i = top.resume_i = top.issue_i = 0;
		top.response_valid_i = top.buffer_look_i = top.buffer_ready_i = 0;
		top.word_ready_i = 0;
		top.read_ready_i = 0;
		Clock<Vrf_fetch>(top).reset();
		top.clk_i = 0;
	}
	void cycle();
	void edge();
	void drain();
	void others();
	void round(bool with_fault, bool resume);
};

/* One cycle of the memory; the caller has set the other inputs. */
void Bench::cycle()
{
	top.read_ready_i = random.chance(ready);
	top.response_valid_i = 0;
	if (!requests.empty() && random.chance(response_rate)) {
		size_t pick = random.below(requests.size());
		Request &r = requests[pick];

		if (r.due <= now) {
			uint64_t va = r.va + 8 * r.sent++;
			bool fault = faults.count(va), last = fault || r.sent == r.words;

			top.response_valid_i = 1;
			put(top.response_i, 0, 64, fault ? random.next() : memory[va]);
			put(top.response_i, 64, 2, fault ? level_of(va) : 0);
			put(top.response_i, 66, 3, fault ? faults[va] : 0);
			put(top.response_i, 69, 1, last);
			put(top.response_i, 70, 5, r.id);
			put(top.response_i, 75, 4, 0);
			if (last)
				requests.erase(requests.begin() + pick);
		}
	}
	top.read_pointer_i = (top.load_i ? read_pointer : random.next()) & 0x1fff;
	top.write_pointer_i = write_pointer & 0x1fff;
	top.eval();

	if (held)
		tap.check(top.read_valid_o, "a request stays until it is taken");
	if (top.read_valid_o) {
		Request r = { bits(top.read_o, 12, 64), now + 1 + random.below(latency),
			      (unsigned)bits(top.read_o, 5, 7), (unsigned)bits(top.read_o, 0, 5),
			      0 };

		if (held)
			tap.check(r.va == held_va && r.words == held_words,
				  "a request does not change", r.va, held_va);
		else
			tap.check(asked || top.start_i, "no new read unasked", r.va, 0);
		held = !top.read_ready_i;
		held_va = r.va;
		held_words = r.words;
		if (!held) {
			tap.equal(bits(top.read_o, 76, 4), vmid, "vmid");
			tap.check(r.words && r.words <= 8 && r.va % 8 == 0 &&
					  r.va / 64 == (r.va + 8 * r.words - 1) / 64,
				  "a read stays in its 64-byte line", r.va, r.words);
			for (unsigned i = 0; i < r.words; i++) {
				uint64_t va = r.va + 8 * i, entry = (va - base) / 16;
				bool ring = va >= base && entry < size, live = false;

				for (uint64_t e = read_pointer; e < write_pointer; e++)
					live |= ring && e % size == entry;
				tap.check(ring ? live : memory.count(va),
					  "a word that the queue does not own", va, base);
				twice += !ring && !fetched.insert(va).second;
			}
			requests.push_back(r);
			open_most = std::max(open_most, requests.size());
		}
	} else {
		held = false;
	}
	asked = top.issue_i;
}

void Bench::edge()
{
	failed |= bits(top.fetched_o, 8, 1);
	top.clk_i = 1;
	top.eval();
	top.clk_i = 0;
	now++;
}

/* the node leaves when nothing is in flight */
void Bench::drain()
{
	top.issue_i = top.buffer_look_i = top.buffer_ready_i = top.word_ready_i = 0;
	for (unsigned limit = 1000; limit; limit--) {
		cycle();
		bool drained = top.drained_o;
		edge();
		if (drained && requests.empty())
			break;
		tap.check(limit > 1, "it drains");
	}
	tap.check(requests.empty() && !held, "drained means that nothing is in flight");
}

/* Other queues have the node meanwhile, with places of their own. */
void Bench::others()
{
	const auto my_memory = memory;
	const auto my_fetched = fetched;
	const auto my_faults = faults;
	const uint64_t my_base = base, my_read = read_pointer, my_write = write_pointer;
	const unsigned my_size = size, my_vmid = vmid, my_place = place;

	depth++;
	for (unsigned n = random.below(3); n; n--) {
		place = (my_place + 1 + random.below(3)) % 4;
		round(random.chance(30), random.chance(50));
	}
	depth--;
	memory = my_memory;
	fetched = my_fetched;
	faults = my_faults;
	base = my_base;
	read_pointer = my_read;
	write_pointer = my_write;
	size = my_size;
	vmid = my_vmid;
	place = my_place;
}

void Bench::round(bool with_fault, bool resume)
{
	unsigned log2 = random.below(random.chance(70) ? 5 : 13), position = 0;
	unsigned total = 1 + random.below(12);
	std::vector<Buffer> buffers;
	uint64_t first;

	memory.clear();
	faults.clear();
	fetched.clear();
	size = 1u << log2;
	vmid = random.below(16);
	base = (random.next() & 0xffffffff & -RF_RING_BLOCK_BYTES) | 1ull << 40;
	base += 16 * random.below(RF_RING_ENTRIES_MAX + 1 - size); /* in one block, up to its end */
	first = random.chance(50) ? random.next() >> 40 : 8192 - random.below(6);
	read_pointer = write_pointer = first;

	uint64_t next = 1ull << 50;
	for (unsigned i = 0; i < total; i++) {
		Buffer b = { next + 8 * random.below(20), (unsigned)random.below(40), 0, 0 };

		if (resume && i == 0)
			b.words++;
		for (unsigned w = 0; w < b.words; w++)
			memory[b.address + 8 * w] = random.next();
		next = b.address + 8 * b.words + 64;
		buffers.push_back(b);
	}
	/* entry e of the ring is written when the one before it in its place is read */
	unsigned fault_entry = with_fault ? random.below(total) : total;
	bool fault_word = false;
	uint64_t fault_address = 0;
	unsigned fault_kind = random.below(3), status = 1 + random.below(6);
	if (with_fault && fault_kind == 1 && buffers[fault_entry].words) {
		fault_word = true;
		fault_address =
			buffers[fault_entry].address + 8 * random.below(buffers[fault_entry].words);
		faults[fault_address] = status;
	}
	auto submit = [&] {
		unsigned e = write_pointer - first;
		uint64_t at = base + write_pointer % size * 16;

		memory[at] = buffers[e].address;
		memory[at + 8] = buffers[e].words * 8;
		faults.erase(at);
		faults.erase(at + 8);
		if (e == fault_entry && !fault_word && !(resume && e == 0)) {
			Buffer &b = buffers[e];

			if (fault_kind == 0) {
				b.error = RF_QUEUE_ERROR_TRANSLATION - 1 + status;
				b.address = at + 8 * random.below(2);
				b.level = level_of(b.address);
				faults[b.address] = status;
			} else {
				b.error = RF_QUEUE_ERROR_RING_ENTRY;
				switch (random.below(3)) {
				case 0:
					memory[at] = b.address |= 1 + random.below(7);
					break;
				case 1:
					memory[at + 8] |= 1 + random.below(7);
					break;
				default:
					memory[at + 8] |= 1ull << (32 + random.below(32));
				}
			}
			b.words = 0;
		}
		write_pointer++;
	};
	submit();
	unsigned reads = 0;
	if (resume) {
		reads = position = random.below(buffers[0].words);
		if (fault_word && fault_address < buffers[0].address + 8 * position)
			faults.clear();
	}

	/*
	 * The slot is loaded, started in the next cycle; inside of a buffer, if it is one, from
	 * this word on.
	 */
	auto start = [&](const Buffer *inside, unsigned from, unsigned kept) {
		top.vmid_i = vmid;
		top.ring_base_i = base >> 4;
		top.ring_mask_i = size - 1;
		top.issue_i = top.buffer_look_i = top.buffer_ready_i = top.word_ready_i = 0;
		top.load_i = 1;
		top.first_i = !inside;
		top.kept_i = place << 9 | random.below(512);
		cycle();
		edge();
		top.load_i = top.first_i = 0;
		top.start_i = 1;
		top.resume_i = inside != nullptr;
		top.position_i = inside ? inside->address / 8 + from : random.next();
		top.words_i = inside ? inside->words - from : random.next();
		top.many_i = top.words_i >= 32 || (top.words_i >= 16 && random.chance(50));
		top.kept_i = place << 9 | kept;
		cycle();
		tap.equal(top.read_valid_o, !inside, "the ring read goes out with the start");
		failed = false;
		edge();
		top.start_i = 0;
		top.resume_i = random.chance(50);
		top.position_i = random.next();
		top.words_i = random.next();
		top.issue_i = 1;
	};
	unsigned begin = position; /* of the turn, in its buffer */
	start(resume ? &buffers[0] : nullptr, position, random.below(256));

	unsigned done = 0; /* buffers read to their end */
	bool in_buffer = resume, end = false;
	for (unsigned limit = 20000; done < total && !end; limit--) {
		if (!limit) {
			tap.check(false, "the queue hangs", done, total);
			break;
		}
		if (in_buffer && !depth && random.chance(2)) {
			/* Back by as much as the decoder and the engine are ahead */
			const Buffer &b = buffers[done];
			unsigned back = random.below(std::min(reads - begin, 40u) + 1);
			bool keeps = random.chance(80), spoiled;
			unsigned kept;

			drain();
			kept = top.fetched_o & 0xff;
			spoiled = failed;
			others();
			reads -= back;
			begin = reads;
			keeps &= !spoiled;
			/* Words of other buffers are read again, and of this if they are not kept */
			for (auto va = fetched.begin(); va != fetched.end();) {
				bool here = *va >= b.address && *va < b.address + 8 * b.words;

				va = here && keeps ? std::next(va) : fetched.erase(va);
			}
			kept_turns += keeps;
			kept_words += fetched.count(b.address + 8 * reads);
			start(&b, reads, keeps ? 256 | kept : random.below(256));
		}
		if (in_buffer && reads == buffers[done].words) {
			in_buffer = false;
			read_pointer++;
			done++;
			continue;
		}
		while (write_pointer - first < total && write_pointer - read_pointer < size &&
		       random.chance(30))
			submit();
		if (write_pointer == read_pointer && write_pointer - first < total)
			submit();
		top.issue_i = random.chance(90);
		top.buffer_look_i = !in_buffer && random.chance(reader);
		top.buffer_ready_i = top.buffer_look_i && random.chance(80);
		top.word_ready_i = in_buffer && random.chance(reader);
		cycle();
		ahead_of_reader += fetched.size() > reads + 8;
		if (top.buffer_valid_o && top.buffer_ready_i) {
			const Buffer &b = buffers[done];

			tap.equal(top.buffer_address_o, b.address, "address of a buffer");
			tap.equal(top.buffer_failure_o >> 10, b.error != 0, "an entry failed");
			tap.equal(top.buffer_more_o, !b.error && b.words, "a buffer has words");
			if (!b.error)
				tap.equal(top.buffer_words_o, b.words, "words of a buffer");
			tap.equal(top.buffer_failure_o >> 2 & 0xff, b.error, "error of an entry");
			if (b.error > RF_QUEUE_ERROR_RING_ENTRY)
				tap.equal(top.buffer_failure_o & 3, b.level, "level");
			in_buffer = true;
			begin = reads = 0;
			end = b.error;
		}
		if (top.word_valid_o && top.word_ready_i) {
			uint64_t va = buffers[done].address + 8 * reads++;

			if (faults.count(va)) {
				tap.equal(top.word_failure_o >> 10, 1, "a failed word");
				tap.equal(top.word_failure_o >> 2 & 0xff,
					  RF_QUEUE_ERROR_TRANSLATION - 1 + faults[va], "its error");
				tap.equal(top.word_failure_o & 3, level_of(va), "its level");
				end = true;
			} else {
				unsigned left = buffers[done].words - reads;

				tap.equal(top.word_failure_o >> 10, 0, "a good word");
				tap.check(left < 16 ? top.word_left_o == left
						    : top.word_left_o >= 16,
					  "words left behind it", left, top.word_left_o);
				tap.equal(top.word_o, memory[va], "a word");
			}
		}
		edge();
	}

	drain();
}

static void rounds(const char *name, uint64_t seed_value, unsigned ready, unsigned response_rate,
		   unsigned latency, unsigned reader)
{
	Bench b(seed_value);

	tap.begin(name);
	b.ready = ready;
	b.response_rate = response_rate;
	b.latency = latency;
	b.reader = reader;
	for (unsigned i = 0; i < 600; i++)
		b.round(i % 3 == 2, i % 4 == 3);
	tap.equal(b.twice, 0, "words of buffers fetched twice");
	tap.check(b.kept_turns > 50 && b.kept_words > 50, "turns with kept words", b.kept_turns,
		  b.kept_words);
	tap.check(b.open_most > 2 && b.ahead_of_reader > 100, "several reads were in flight, ahead",
		  b.open_most, b.ahead_of_reader);
	tap.end();
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	rounds("every entry and word once and in order, a fast memory", s, 100, 100, 1, 100);
	rounds("the same with a slow memory in any order", s + 1, 60, 80, 40, 90);
	rounds("the same with a slow reader", s + 2, 80, 100, 10, 15);
	rounds("the same with a request port that is seldom ready", s + 3, 10, 100, 5, 100);
	return tap.status();
}
