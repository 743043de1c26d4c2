/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory behind the read and the write master of an engine: any latency, responses
 * in any order between requests, back-pressure, failures on demand. Each port
 * checks every request against the rules of rf_bus_pkg and against the range that
 * the engine was told to use.
 */
#ifndef RF_TEST_STREAM_MEMORY_H
#define RF_TEST_STREAM_MEMORY_H

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "bits.h"
#include "harness.h"

namespace rf {

struct Range {
	uint64_t start, end;
};

/* How the memory behaves; counts are in cycles. */
struct Behaviour {
	unsigned latency_min = 1, latency_max = 1; /* of reads */
	unsigned write_latency_min = 1, write_latency_max = 1; /* last word to done */
	unsigned ready_percent = 100;
	unsigned word_interval = 1; /* of the link: cycles per 64-bit word */
	bool interleave = false; /* any due request may give the next word */
	bool reorder = false; /* any due request may be answered first */
	unsigned max_read = 64, max_payload = 32; /* words */
	int fail_read = -1, fail_write = -1; /* the n-th request fails */
	uint64_t bad_read = 0, bad_write = 0; /* and so does each that holds this address */
	unsigned fail_status = 1, fail_level = 2;
};

inline Behaviour random_behaviour(Random &random)
{
	Behaviour b;

	b.latency_min = 1 + random.below(8);
	b.latency_max = b.latency_min + random.below(random.chance(30) ? 200 : 20);
	b.write_latency_min = 1 + random.below(8);
	b.write_latency_max = b.write_latency_min + random.below(random.chance(30) ? 200 : 20);
	b.ready_percent = random.chance(30) ? 100 : 10 + random.below(90);
	b.interleave = random.chance(50);
	b.reorder = b.interleave || random.chance(50);
	b.max_read = 1u << random.below(7);
	b.max_payload = 1u << random.below(7);
	return b;
}

/*
 * Short requests, some of which are to fail; writes take long, and reads behind them go on,
 * so that both fail at once.
 */
inline Behaviour random_failures(Random &random)
{
	Behaviour b = random_behaviour(random);

	b.max_payload = b.max_read = 16;
	b.write_latency_min = 50;
	b.write_latency_max = 250;
	b.fail_status = 1 + random.below(6);
	b.fail_level = random.below(4);
	return b;
}

class Memory {
public:
	Memory(uint64_t base, size_t size, Random &random) : base(base), bytes(size)
	{
		for (auto &byte : bytes)
			byte = random.next() >> 32;
	}
	/* The same with a part taken from `other`. */
	Memory with(const Memory &other, const Range &part) const
	{
		Memory result = *this;

		for (uint64_t i = part.start - base; i < part.end - base; i++)
			result.bytes[i] = other.bytes[i];
		return result;
	}
	bool holds(uint64_t address, uint64_t size) const
	{
		return address - base < bytes.size() && address - base + size <= bytes.size();
	}
	uint8_t &at(uint64_t address) { return bytes[address - base]; }
	uint64_t word(uint64_t address)
	{
		uint64_t value;

		memcpy(&value, &at(address), 8);
		return value;
	}

	uint64_t base;
	std::vector<uint8_t> bytes;
};

/* A request between the ends of its range starts and ends at a multiple of limit. */
inline bool cut_well(uint64_t start, uint64_t end, uint64_t limit, const Range &range)
{
	return (start == range.start || start % limit == 0) &&
	       (end == range.end || end % limit == 0);
}

template <class Model> class ReadPort {
public:
	ReadPort(Model &top, Memory &memory, Random &random, Tap &tap, unsigned master) :
	    top(top), memory(memory), random(random), tap(tap), master(master)
	{
	}

	/* Requests are counted from here; all of them lie in one of the ranges. */
	void begin(const Behaviour &b, unsigned expected_vmid, std::vector<Range> expected)
	{
		behaviour = b;
		vmid = expected_vmid;
		count = 0;
		failed.clear();
		ranges.clear();
		for (auto &range : expected)
			if (range.start != range.end)
				ranges.push_back({ range.start & ~7ull, (range.end + 7) & ~7ull });
	}
	size_t outstanding() const { return requests.size(); }

	void drive(uint64_t cycle)
	{
		top.read_ready_i = random.chance(behaviour.ready_percent);
		top.response_valid_i = 0;
		put(top.response_i, 0, 64, random.next());
		choose(cycle);
		if (chosen < 0) {
			/* Responses of other masters pass by. */
			top.response_valid_i = random.chance(50);
			put(top.response_i, 69, 1, random.chance(50));
			put(top.response_i, 70, 5, random.below(32));
			put(top.response_i, 75, 4, (master + 1 + random.below(15)) % 16);
			return;
		}

		Request &r = requests[chosen];
		bool bad = r.fails && r.sent == r.good_words;
		bool last = bad || r.sent + 1 == r.words;

		top.response_valid_i = 1;
		put(top.response_i, 0, 64, bad ? random.next() : memory.word(r.va + 8ull * r.sent));
		put(top.response_i, 64, 2, bad ? behaviour.fail_level : random.below(4));
		put(top.response_i, 66, 3, bad ? behaviour.fail_status : 0);
		put(top.response_i, 69, 1, last);
		put(top.response_i, 70, 5, r.id);
		put(top.response_i, 75, 4, master);
		next_word = cycle + behaviour.word_interval;
		r.sent++;
		if (last)
			requests.erase(requests.begin() + chosen);
	}

	void sample(uint64_t cycle)
	{
		uint64_t low = bits(top.read_o, 0, 64), high = bits(top.read_o, 64, 16);

		if (held)
			tap.check(top.read_valid_o && low == held_low && high == held_high,
				  "a read on offer stays", low, held_low);
		held = top.read_valid_o && !top.read_ready_i;
		refused += held;
		held_low = low;
		held_high = high;
		if (top.read_valid_o && top.read_ready_i)
			accept(cycle);
	}

	Behaviour behaviour;
	unsigned count = 0, most_outstanding = 0;
	unsigned refused = 0; /* cycles in which a request was not taken */
	uint64_t failed_address = 0; /* the last one */
	std::vector<uint64_t> failed;

private:
	struct Request {
		unsigned id, words, sent, good_words;
		uint64_t va, due;
		bool fails;
	};

	void choose(uint64_t cycle)
	{
		std::vector<int> due;

		chosen = -1;
		if (cycle < next_word)
			return;
		for (size_t i = 0; i < requests.size(); i++) {
			if (requests[i].due > cycle) {
				if (!behaviour.reorder)
					break;
				continue;
			}
			if (requests[i].sent && !behaviour.interleave) {
				chosen = i;
				return;
			}
			due.push_back(i);
		}
		if (due.empty())
			return;
		chosen = due[behaviour.reorder ? random.below(due.size()) : 0];
	}

	void accept(uint64_t cycle)
	{
		Request r = {};
		unsigned limit = std::min(behaviour.max_read, 32u);
		bool in_range = false;

		r.id = bits(top.read_o, 0, 5);
		r.words = bits(top.read_o, 5, 7);
		r.va = bits(top.read_o, 12, 64);
		uint64_t end = r.va + 8ull * r.words;

		tap.equal(bits(top.read_o, 76, 4), vmid, "read vmid");
		tap.check(r.words >= 1 && r.words <= limit, "words of a read", r.words, limit);
		tap.check(r.va % 8 == 0, "reads are aligned", r.va);
		tap.check(r.va >> 12 == (end - 1) >> 12, "no read crosses a page", r.va);
		for (auto &range : ranges)
			in_range |= r.va >= range.start && end <= range.end &&
				    cut_well(r.va, end, 8ull * limit, range);
		tap.check(in_range, "a read lies in its range, cut at full size", r.va, r.words);
		tap.check(memory.holds(r.va, 8ull * r.words), "read address", r.va);
		for (auto &other : requests)
			tap.check(other.id != r.id, "ids in flight differ", r.id);
		if (!memory.holds(r.va, 8ull * r.words))
			exit(1);

		r.fails = (int)count == behaviour.fail_read ||
			  (behaviour.bad_read >= r.va && behaviour.bad_read < end);
		r.good_words = r.fails ? random.below(r.words) : 0;
		if (r.fails) {
			failed_address = r.va;
			failed.push_back(r.va);
		}
		r.due = cycle + behaviour.latency_min +
			random.below(behaviour.latency_max - behaviour.latency_min + 1);
		requests.push_back(r);
		count++;
		most_outstanding = std::max<unsigned>(most_outstanding, requests.size());
	}

	Model &top;
	Memory &memory;
	Random &random;
	Tap &tap;
	unsigned master, vmid = 0;
	std::vector<Range> ranges;
	std::deque<Request> requests;
	int chosen = -1;
	uint64_t next_word = 0;
	bool held = false;
	uint64_t held_low = 0, held_high = 0;
};

template <class Model> class WritePort {
public:
	WritePort(Model &top, Memory &memory, Random &random, Tap &tap) :
	    top(top), memory(memory), random(random), tap(tap)
	{
	}

	/* goes_on: what was written before is still of the same operation. */
	void begin(const Behaviour &b, unsigned expected_vmid, Range expected, bool goes_on = false)
	{
		behaviour = b;
		if (!goes_on)
			written.assign(memory.bytes.size(), false);
		vmid = expected_vmid;
		range = expected;
		count = performed = performed_bytes = 0;
		failed = false;
	}
	/* From now on, whatever begin() was told. */
	void set_ready_percent(unsigned percent) { behaviour.ready_percent = percent; }
	size_t outstanding() const { return requests.size() + words.size(); }

	void drive(uint64_t cycle)
	{
		top.write_ready_i = requests.size() < 32 && random.chance(behaviour.ready_percent);
		top.write_data_ready_i = cycle >= next_word && words.size() < 1024 &&
					 random.chance(behaviour.ready_percent);
		top.write_done_i = 0;
		top.write_done_status_i = random.below(8);
		top.write_done_level_i = random.below(4);
		size_t needed = 0;

		for (auto &r : requests) {
			needed += r.words;
			if (!r.due && words.size() >= needed)
				r.due = cycle + behaviour.write_latency_min +
					random.below(behaviour.write_latency_max -
						     behaviour.write_latency_min + 1);
		}
		if (!requests.empty() && requests[0].due && cycle >= requests[0].due)
			perform();
	}

	void sample(uint64_t cycle)
	{
		uint64_t low = bits(top.write_o, 0, 64), high = bits(top.write_o, 64, 23);

		if (held)
			tap.check(top.write_valid_o && low == held_low && high == held_high,
				  "a write on offer stays", low, held_low);
		if (data_held)
			tap.check(top.write_data_valid_o && top.write_data_o == held_data,
				  "a word on offer stays", top.write_data_o, held_data);
		held = top.write_valid_o && !top.write_ready_i;
		held_low = low;
		held_high = high;
		data_held = top.write_data_valid_o && !top.write_data_ready_i;
		refused += held || data_held;
		held_data = top.write_data_o;

		if (top.write_data_valid_o && top.write_data_ready_i) {
			words.push_back(top.write_data_o);
			next_word = cycle + behaviour.word_interval;
		}
		if (top.write_valid_o && top.write_ready_i)
			accept();
	}

	unsigned count = 0, performed = 0; /* requests */
	unsigned refused = 0; /* cycles in which a request or a word was not taken */
	uint64_t performed_bytes = 0; /* before the first failure */
	uint64_t failed_address = 0;

private:
	struct Request {
		uint64_t va, due;
		unsigned words;
		uint8_t first, last;
	};

	static bool contiguous(unsigned strobe)
	{
		unsigned low = strobe & -strobe;

		return strobe && ((strobe + low) & strobe) == 0;
	}

	void accept()
	{
		Request r = {};
		unsigned limit = std::min(behaviour.max_payload, 32u);

		r.last = bits(top.write_o, 0, 8);
		r.first = bits(top.write_o, 8, 8);
		r.words = bits(top.write_o, 16, 6);
		r.va = bits(top.write_o, 22, 61) << 3;
		uint64_t end = r.va + 8ull * r.words;
		Range aligned = { range.start & ~7ull, (range.end + 7) & ~7ull };

		tap.equal(bits(top.write_o, 83, 4), vmid, "write vmid");
		tap.check(r.words >= 1 && r.words <= limit, "words of a write", r.words, limit);
		tap.check(r.va >> 12 == (end - 1) >> 12, "no write crosses a page", r.va);
		tap.check(r.va >= aligned.start && end <= aligned.end &&
				  cut_well(r.va, end, 8ull * limit, aligned),
			  "a write lies in its range, cut at full size", r.va, r.words);
		tap.check(contiguous(r.first) && (r.words == 1 || r.first & 0x80), "first strobe",
			  r.first);
		tap.check(r.words == 1 || (contiguous(r.last) && r.last & 1), "last strobe",
			  r.last);
		if (!memory.holds(r.va, 8ull * r.words))
			exit(1);
		requests.push_back(r);
		count++;
	}

	void perform()
	{
		Request r = requests.front();
		bool fails = (int)performed == behaviour.fail_write ||
			     (behaviour.bad_write >= r.va &&
			      behaviour.bad_write < r.va + 8ull * r.words);

		failed |= fails;

		for (unsigned i = 0; i < r.words; i++) {
			uint8_t strobe = i == 0 ? r.first : i + 1 == r.words ? r.last : 0xff;

			for (unsigned b = 0; b < 8; b++) {
				uint64_t address = r.va + 8ull * i + b;

				if (!(strobe >> b & 1))
					continue;
				tap.check(address >= range.start && address < range.end,
					  "only bytes of the range are written", address);
				performed_bytes += !failed;
				if (fails)
					continue;
				tap.check(!written[address - memory.base],
					  "each byte is written once", address);
				written[address - memory.base] = true;
				memory.at(address) = words[i] >> (8 * b);
			}
		}
		if (fails)
			failed_address = std::max(r.va, range.start);
		words.erase(words.begin(), words.begin() + r.words);
		requests.pop_front();
		performed++;
		top.write_done_i = 1;
		top.write_done_status_i = fails ? behaviour.fail_status : 0;
		top.write_done_level_i = behaviour.fail_level;
	}

	Model &top;
	Memory &memory;
	Random &random;
	Tap &tap;
	unsigned vmid = 0;
	Range range = {};
	Behaviour behaviour;
	std::deque<Request> requests;
	std::deque<uint64_t> words;
	std::vector<bool> written;
	uint64_t next_word = 0;
	bool failed = false, held = false, data_held = false;
	uint64_t held_low = 0, held_high = 0, held_data = 0;
};

} /* namespace rf */

#endif
