/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of rtl/fence share: bit fields of wide ports, and a memory
 * behind one write master and one read master with random latency, in which a
 * word is performed at one known cycle.
 */
#ifndef RF_TEST_FENCE_MODEL_H
#define RF_TEST_FENCE_MODEL_H

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "harness.h"

namespace rf {

/* Any Verilated port is its bits in ascending order (little-endian host). */
inline uint64_t get(const void *port, unsigned lsb, unsigned width)
{
	const uint8_t *byte = static_cast<const uint8_t *>(port);
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value |= (uint64_t)(byte[(lsb + i) / 8] >> ((lsb + i) % 8) & 1) << i;
	return value;
}

inline void set(void *port, unsigned lsb, unsigned width, uint64_t value)
{
	uint8_t *byte = static_cast<uint8_t *>(port);

	for (unsigned i = 0; i < width; i++) {
		uint8_t mask = 1 << ((lsb + i) % 8);

		if (value >> i & 1)
			byte[(lsb + i) / 8] |= mask;
		else
			byte[(lsb + i) / 8] &= ~mask;
	}
}

/* Fields of a packed struct, last one first; returns the width. */
struct Field {
	unsigned width;
	uint64_t value;
};
inline unsigned pack(void *port, unsigned lsb, std::initializer_list<Field> first_to_last)
{
	unsigned width = 0, at;

	for (const Field &f : first_to_last)
		width += f.width;
	at = lsb + width;
	for (const Field &f : first_to_last) {
		at -= f.width;
		set(port, at, f.width, f.value);
	}
	return width;
}

constexpr unsigned kReadWidth = 80, kResponseWidth = 79, kWriteWidth = 87, kOperationWidth = 28,
		   kFailureWidth = 75;

struct Record {
	unsigned kind, node, vmid, detail;
	uint32_t handle;
	uint64_t address, value;
};
inline uint64_t record_word(const Record &r, unsigned word)
{
	return word == 2 ? r.value
	       : word	 ? r.address
		      : r.kind | r.node << 8 | (uint64_t)r.vmid << 16 | (uint64_t)r.detail << 24 |
				(uint64_t)r.handle << 32;
}
inline Record record_of_words(const uint64_t word[3])
{
	return { (unsigned)(word[0] & 0xff),
		 (unsigned)(word[0] >> 8 & 0xff),
		 (unsigned)(word[0] >> 16 & 0xff),
		 (unsigned)(word[0] >> 24 & 0xff),
		 (uint32_t)(word[0] >> 32),
		 word[1],
		 word[2] };
}
/* A block that shows the records of its sources word by word: the one of @source. */
template <class Top> Record record_of(Top &top, unsigned source)
{
	uint64_t word[3];

	for (unsigned i = 0; i < 3; i++) {
		top.record_show_i = 1u << (source * 3 + i);
		top.eval();
		word[i] = get(&top.record_o, source * 64, 64);
	}
	top.record_show_i = 0;
	top.eval();
	return record_of_words(word);
}

struct Failure {
	unsigned error, level, store;
	uint64_t address;
};
inline Failure failure_of(const void *port)
{
	return { (unsigned)get(port, 67, 8), (unsigned)get(port, 65, 2), (unsigned)get(port, 64, 1),
		 get(port, 0, 64) };
}

/* Words by virtual address; a faulting page answers every access with a status. */
struct Memory {
	std::map<uint64_t, uint64_t> word;
	std::map<uint64_t, unsigned> fault; /* page -> access status */

	unsigned status(uint64_t va) const
	{
		auto at = fault.find(va >> 12);

		return at == fault.end() ? 0 : at->second;
	}
	/* Told with a failure; any, but known. */
	unsigned level(uint64_t va) const { return status(va) ? va >> 12 & 3 : 0; }
};

/* How slow: percent of cycles in which something moves, and most cycles it takes. */
struct Speed {
	unsigned percent = 100;
	unsigned latency = 0;
};

class WriteMaster {
public:
	WriteMaster(Memory &m, Random &r) : memory(m), random(r) {}
	Speed speed;
	/* inputs of the device in this cycle */
	bool ready = false, data_ready = false, done = false;
	unsigned status = 0, level = 0;
	uint64_t va = 0; /* of the request that is done */
	/* vmid, va, data, last word of its request, status */
	std::function<void(unsigned, uint64_t, uint64_t, bool, unsigned)> performed;
	std::function<void(unsigned, uint64_t, unsigned)> requested; /* vmid, va, words */

	void prepare(uint64_t now)
	{
		ready = requests.size() < 4 && random.chance(speed.percent);
		data_ready = data.size() < 4 && random.chance(speed.percent);
		if (!requests.empty() && !data.empty() && now >= requests.front().after &&
		    random.chance(speed.percent)) {
			Request &q = requests.front();
			unsigned bad = memory.status(q.va);
			uint64_t va = q.va;

			if (!bad)
				memory.word[va] = data.front();
			q.va += 8;
			if (performed)
				performed(q.vmid, va, data.front(), q.words == 1, bad);
			data.pop_front();
			if (--q.words == 0) {
				uint64_t due = now + 1 + random.below(speed.latency + 1);

				if (!dones.empty() && due <= dones.back().due)
					due = dones.back().due + 1;
				dones.push_back({ due, bad, q.start });
				requests.pop_front();
			}
		}
		done = !dones.empty() && dones.front().due <= now;
		status = level = 0;
		if (done) {
			status = dones.front().status;
			va = dones.front().va;
			level = memory.level(va);
			dones.pop_front();
		}
	}
	void sample(uint64_t now, bool valid, const void *port, unsigned lsb, bool data_valid,
		    uint64_t word)
	{
		if (valid && ready) {
			Request q = { now + 2 + random.below(speed.latency + 1),
				      (unsigned)get(port, lsb + 83, 4),
				      get(port, lsb + 22, 61) << 3,
				      (unsigned)get(port, lsb + 16, 6),
				      get(port, lsb + 22, 61) << 3 };

			if (requested)
				requested(q.vmid, q.va, q.words);
			page_crossing |= ((q.va & 4095) + q.words * 8) > 4096;
			strobes_bad |= get(port, lsb + 8, 8) != 0xff || get(port, lsb, 8) != 0xff;
			requests.push_back(q);
		}
		if (data_valid && data_ready)
			data.push_back(word);
	}
	bool idle() const { return requests.empty() && data.empty() && dones.empty(); }
	bool page_crossing = false, strobes_bad = false;

private:
	struct Request {
		uint64_t after;
		unsigned vmid;
		uint64_t va;
		unsigned words;
		uint64_t start;
	};
	struct Done {
		uint64_t due;
		unsigned status;
		uint64_t va;
	};
	Memory &memory;
	Random &random;
	std::deque<Request> requests;
	std::deque<uint64_t> data;
	std::deque<Done> dones;
};

class ReadMaster {
public:
	ReadMaster(Memory &m, Random &r) : memory(m), random(r) {}
	Speed speed;
	bool ready = false;
	/* vmid, va, value: CurrentValue or MonitoredValue was sampled now */
	std::function<void(unsigned, uint64_t, uint64_t)> sampled;

	/* A response that is due, at most one, into the port; true if there is one. */
	bool prepare(uint64_t now, unsigned master, void *response, bool bus_free)
	{
		std::vector<size_t> due;

		ready = flights.size() < 8 && random.chance(speed.percent);
		for (Flight &f : flights) {
			if (f.issued && !f.sampled && f.sample_at <= now) {
				f.sampled = true;
				f.bad = memory.status(f.va);
				f.value = memory.word[f.va];
				if (sampled)
					sampled(f.vmid, f.va, f.value);
			}
		}
		for (size_t i = 0; i < flights.size(); i++) {
			if (flights[i].sampled && flights[i].response_at <= now)
				due.push_back(i);
		}
		if (!bus_free || due.empty())
			return false;
		size_t i = due[random.below(due.size())];
		const Flight &f = flights[i];

		pack(response, 0,
		     { { 4, master },
		       { 5, f.id },
		       { 1, 1 },
		       { 3, f.bad },
		       { 2, memory.level(f.va) },
		       { 64, f.bad ? random.next() : f.value } });
		flights.erase(flights.begin() + i);
		return true;
	}
	void sample(uint64_t now, bool valid, const void *port, unsigned lsb, bool hold)
	{
		for (Flight &f : flights) {
			if (!f.issued && f.after <= now && !hold) {
				f.issued = true;
				f.sample_at = now + 1 + random.below(speed.latency + 1);
				f.response_at = f.sample_at + 1 + random.below(speed.latency + 1);
			}
			if (!f.issued)
				break; /* requests are issued in order */
		}
		if (valid && ready)
			flights.push_back({ now + 2 + random.below(speed.latency + 1), false, false,
					    0, 0, (unsigned)get(port, lsb + 76, 4),
					    get(port, lsb + 12, 64), (unsigned)get(port, lsb, 5), 0,
					    0 });
	}
	bool idle() const { return flights.empty(); }
	size_t in_flight() const { return flights.size(); }

private:
	struct Flight {
		uint64_t after;
		bool issued, sampled;
		uint64_t sample_at, response_at;
		unsigned vmid;
		uint64_t va;
		unsigned id, bad;
		uint64_t value;
	};
	Memory &memory;
	Random &random;
	std::vector<Flight> flights;
};

} /* namespace rf */

#endif
