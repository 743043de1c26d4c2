/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The read fabric against a reference. The test translates, after any time and in any
 * order among the masters, and tells of a grant a cycle later; it is local memory, whose
 * words it makes of their addresses, and rf_pcie, which answers in any order, also in every
 * cycle, and is never refused.
 * A read goes where its translation says, whatever is flushed later: the epoch of the
 * translation stays in flight until its last word is out.
 */
#include <deque>
#include <set>
#include <vector>

#include "Vrf_read_fabric.h"
#include "bits.h"
#include "harness.h"

namespace {

constexpr unsigned kMasters = 7, kLocalLog2 = 16, kRequest = 80;
constexpr unsigned kOk = 0, kTranslation = 1, kPoisoned = 4;

uint64_t local_word(uint64_t address)
{
	return (address + 8) * 0x9e3779b97f4a7c15ull;
}

struct Read {
	unsigned master, words, id, offset; /* in the page, bytes */
	uint64_t request; /* {vmid, va[63:12]} */
	bool translated = false, fault = false, local = false, epoch = false;
	unsigned level = 0;
	uint64_t page = 0; /* address of its first byte */
	bool free = false; /* it was not held in a cycle since it was taken */
	bool issued = false; /* system: taken by rf_pcie */
	unsigned echo = 0; /* master as given to rf_pcie */
	std::deque<uint64_t> sent; /* system: words that rf_pcie answered */
	unsigned sent_words = 0, got = 0;
	bool poisoned = false;

	uint64_t address(unsigned word) const { return page + offset + 8 * word; }
	bool answered() const { return poisoned || sent_words == words; }
};

struct Knobs {
	unsigned read = 30, cpu = 10, hold = 50, grant = 60, latency = 12, flush = 0;
	unsigned system_ready = 70, response = 50, error = 3;
	unsigned words = 64, local = 50;
};

class Bench {
public:
	Vrf_read_fabric top;
	rf::Clock<Vrf_read_fabric> clock{ top };
	rf::Random random{ rf::seed() };
	rf::Tap &tap;
	Knobs knobs;

	std::deque<Read> reading[kMasters]; /* taken, not yet ended */
	std::deque<Read> next[kMasters]; /* one at most: offered */
	uint64_t ended = 0, words = 0, faults = 0, poisoned = 0, cpu = 0, old_cycles = 0;
	uint64_t master_ended[kMasters] = {}, flushes = 0, refused = 0;
	bool saw_response = false, saw_system = false;

	explicit Bench(rf::Tap &t) : tap(t)
	{
		top.read_valid_i = top.read_hold_i = 0;
		top.translate_ready_i = top.translated_i = top.epoch_i = 0;
		top.system_ready_i = top.system_response_valid_i = top.cpu_valid_i = 0;
		clock.reset();
	}
	~Bench() { top.final(); }

	Read make(unsigned m)
	{
		Read r;

		r.master = m;
		r.request = random.next() >> 8;
		r.words = m >= 2 && m <= 4 ? 1
					   : 1 + random.below(random.chance(60) ? 4 : knobs.words);
		r.offset = 8 * random.below(513 - r.words);
		std::set<unsigned> used;
		for (auto &other : reading[m])
			used.insert(other.id);
		do
			r.id = random.below(32);
		while (used.count(r.id));
		return r;
	}

	bool quiet() const
	{
		for (unsigned m = 0; m < kMasters; m++)
			if (!reading[m].empty() || !next[m].empty())
				return false;
		return !top.cpu_valid_i && !cpu_pending;
	}

	void step()
	{
		drive();
		top.eval();
		observe();
		clock.tick();
		for (unsigned m = 0; m < kMasters; m++)
			if (taken >> m & 1)
				next[m].clear();
		if (cpu_taken)
			top.cpu_valid_i = 0;
		/* Local memory: the word one cycle later, for one cycle. */
		top.local_data_i = local_read ? local_word(local_address) : random.next();
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}

	void drain()
	{
		Knobs kept = knobs;

		knobs.read = knobs.cpu = knobs.flush = knobs.hold = 0;
		knobs.grant = knobs.system_ready = knobs.response = 100;
		for (unsigned i = 0; i < 20000 && !quiet(); i++)
			step();
		run(20);
		knobs = kept;
		tap.check(quiet(), "everything ends");
		tap.equal(top.idle_o, 1, "idle at the end");
		tap.equal(top.old_in_flight_o, 0, "nothing older in flight at the end");
	}

private:
	struct Lookup {
		unsigned master, id;
		uint64_t due;
	};
	std::deque<Lookup> lookups;
	std::vector<uint32_t> stable;
	bool saw_old = false, cpu_pending = false, cpu_taken = false, local_read = false;
	unsigned settle = 0, taken = 0;
	int granted = -1; /* master granted in the cycle before */
	uint64_t local_address = 0, cpu_address = 0;

	Read *find(unsigned m, unsigned id)
	{
		for (auto &r : reading[m])
			if (r.id == id)
				return &r;
		return nullptr;
	}

	/* --- inputs ------------------------------------------------------------------------ */
	void drive()
	{
		for (unsigned m = 0; m < kMasters; m++) {
			if (next[m].empty() && reading[m].size() < 8 && random.chance(knobs.read))
				next[m].push_back(make(m));
			if (!next[m].empty()) {
				Read &r = next[m].front();

				rf::put(top.read_i, m * kRequest, 5, r.id);
				rf::put(top.read_i, m * kRequest + 5, 7, r.words);
				rf::put(top.read_i, m * kRequest + 12, 3, 0);
				rf::put(top.read_i, m * kRequest + 15, 9, r.offset / 8);
				rf::put(top.read_i, m * kRequest + 24, 56, r.request);
			}
			set(top.read_valid_i, m, !next[m].empty());
			set(top.read_hold_i, m, (m == 3 || m == 4) && random.chance(knobs.hold));
		}
		if (!top.cpu_valid_i && random.chance(knobs.cpu)) {
			top.cpu_valid_i = 1;
			top.cpu_address_i = random.below(1 << (kLocalLog2 - 3));
		}
		/* The epoch turns when nothing of the older one is in flight. */
		if (settle && (settle > 1 || !saw_old))
			settle--;
		if (!settle && random.chance(knobs.flush)) {
			top.epoch_i = !top.epoch_i;
			settle = 4;
			flushes++;
		}
		drive_translation();
		top.system_ready_i = random.chance(knobs.system_ready);
		drive_system_response();
	}

	void drive_translation()
	{
		top.eval(); /* who asks */
		unsigned asked = top.translate_valid_o;

		/* The rules of rf_translate: ready comes a cycle behind the grant, the response
		   another behind that or later. */
		top.translate_ready_i = granted < 0 ? 0 : 1 << granted;
		tap.equal(top.translate_ready_i & ~asked, 0, "a granted request stays");
		asked &= ~top.translate_ready_i;
		granted = -1;
		if (asked && random.chance(knobs.grant)) {
			do
				granted = random.below(kMasters);
			while (!(asked >> granted & 1));
			Read &r = next[granted].front();

			tap.equal(rf::bits(top.translate_o, granted * 57 + 1, 56), r.request,
				  "request looked up");
			tap.equal(rf::bits(top.translate_o, granted * 57, 1), 0, "a load");
			lookups.push_back({ (unsigned)granted, r.id,
					    clock.cycle + 2 + random.below(knobs.latency - 1) });
		}
		top.translated_i = 0;
		for (auto it = lookups.begin(); it != lookups.end(); ++it) {
			if (it->due > clock.cycle || (knobs.latency > 2 && !random.chance(50)))
				continue;
			Read *r = find(it->master, it->id);

			r->translated = true;
			r->fault = random.chance(8);
			r->local = !r->fault && random.chance(knobs.local);
			r->level = random.below(3);
			r->page = (random.next() << 12) &
				  ((1ull << (r->local ? kLocalLog2 : 55)) - 1);
			r->epoch = top.epoch_i;
			top.translated_i = 1;
			top.translated_master_i = it->master;
			top.translated_fault_i = r->fault;
			top.translated_level_i = r->level;
			top.translated_local_i = r->local;
			top.translated_page_i = r->page >> 12;
			lookups.erase(it);
			break;
		}
	}

	void drive_system_response()
	{
		std::vector<Read *> open;

		for (auto &queue : reading)
			for (auto &r : queue)
				if (r.issued && !r.answered())
					open.push_back(&r);
		top.system_response_valid_i = !open.empty() && random.chance(knobs.response);
		if (!top.system_response_valid_i)
			return;
		Read &r = *open[random.below(open.size())];
		uint64_t data = random.next();

		r.poisoned = random.chance(knobs.error);
		r.sent.push_back(data);
		r.sent_words++;
		rf::put(top.system_response_i, 0, 64, data);
		rf::put(top.system_response_i, 64, 2, 0);
		rf::put(top.system_response_i, 66, 3, r.poisoned ? kPoisoned : kOk);
		rf::put(top.system_response_i, 69, 1, r.answered());
		rf::put(top.system_response_i, 70, 5, r.id);
		rf::put(top.system_response_i, 75, 4, r.echo);
	}

	template <class Port> static void set(Port &port, unsigned bit, bool value)
	{
		port = (port & ~(1u << bit)) | (unsigned)value << bit;
	}

	/* --- outputs ----------------------------------------------------------------------- */
	void observe()
	{
		check_response();
		check_old();

		taken = top.translate_ready_i;
		tap.equal(top.read_ready_o, taken, "requests taken");
		for (unsigned m = 0; m < kMasters; m++) {
			for (auto &r : reading[m])
				r.free |= !(top.read_hold_i >> m & 1);
			if (!(taken >> m & 1))
				continue;
			Read r = next[m].front();

			tap.equal(rf::bits(top.translate_o, m * 57 + 1, 56), r.request,
				  "request translated");
			reading[m].push_back(r);
		}
		check_system();
		check_cpu();
		local_read = top.local_read_o;
		local_address = top.local_address_o * 8;
	}

	void check_system()
	{
		saw_system = top.system_valid_o;
		if (!top.system_valid_o) {
			tap.check(stable.empty(), "a system read withdrawn");
			return;
		}
		std::vector<uint32_t> now(top.system_o.data(), top.system_o.data() + 3);

		tap.check(stable.empty() || stable == now, "a system read changed");
		unsigned echo = rf::bits(top.system_o, 5, 4), m = echo & 7;
		Read *r = m < kMasters ? find(m, rf::bits(top.system_o, 0, 5)) : nullptr;

		tap.check(r && r->translated && !r->fault && !r->local && !r->issued,
			  "a system read without a request", m);
		if (r && stable.empty()) {
			tap.check(r->free, "a held read", m);
			tap.equal(rf::bits(top.system_o, 16, 52) << 3, r->address(0), "address");
			tap.equal(rf::bits(top.system_o, 9, 7), r->words, "words");
		}
		stable = top.system_ready_i ? std::vector<uint32_t>() : now;
		refused += !top.system_ready_i;
		if (r && top.system_ready_i) {
			r->issued = true;
			r->echo = echo;
		}
	}

	void check_response()
	{
		saw_response = top.response_valid_o;
		if (!top.response_valid_o) {
			tap.equal(top.response_to_o, 0, "no response is anybody's");
			return;
		}
		unsigned m = rf::bits(top.response_o, 75, 4),
			 last = rf::bits(top.response_o, 69, 1);
		unsigned status = rf::bits(top.response_o, 66, 3);
		uint64_t data = rf::bits(top.response_o, 0, 64);
		Read *r = m < kMasters ? find(m, rf::bits(top.response_o, 70, 5)) : nullptr;

		tap.equal(top.response_to_o, 1u << m, "whose a response is");
		tap.check(r && r->translated, "a response without a request", m);
		if (!r)
			return;
		bool end;

		if (r->fault) {
			tap.check(r->free, "a held read", m);
			tap.equal(status, kTranslation, "status of a fault");
			tap.equal(rf::bits(top.response_o, 64, 2), r->level, "level of a fault");
			end = true;
			faults++;
		} else if (r->local) {
			tap.check(r->free, "a held read", m);
			tap.equal(status, kOk, "status of a local word");
			tap.equal(data, local_word(r->address(r->got)), "local word");
			end = r->got + 1 == r->words;
		} else {
			tap.check(!r->sent.empty(), "a system word before rf_pcie answered", m);
			if (r->sent.empty())
				return;
			tap.equal(data, r->sent.front(), "system word");
			r->sent.pop_front();
			end = r->answered() && r->sent.empty();
			tap.equal(status, end && r->poisoned ? kPoisoned : kOk,
				  "status of a system word");
			poisoned += end && r->poisoned;
		}
		tap.equal(last, end, "last");
		r->got++;
		words++;
		if (!end)
			return;
		ended++;
		master_ended[m]++;
		for (auto it = reading[m].begin(); it != reading[m].end(); ++it) {
			if (&*it == r) {
				reading[m].erase(it);
				break;
			}
		}
	}

	void check_old()
	{
		bool old = false;

		for (auto &queue : reading)
			for (auto &r : queue)
				old |= r.translated && r.epoch != top.epoch_i;
		saw_old = top.old_in_flight_o;
		old_cycles += old;
		if (old)
			tap.equal(top.old_in_flight_o, 1, "an older read is in flight");
	}

	void check_cpu()
	{
		tap.equal(top.cpu_data_valid_o, cpu_pending,
			  "a word for the CPU in the next cycle");
		if (cpu_pending)
			tap.equal(top.cpu_data_o, local_word(cpu_address), "word for the CPU");
		cpu_taken = top.cpu_valid_i && top.cpu_ready_o;
		cpu_pending = cpu_taken;
		cpu_address = top.cpu_address_i * 8;
		cpu += cpu_taken;
		if (cpu_taken)
			tap.equal(top.local_address_o * 8, cpu_address,
				  "address of the CPU's read");
	}
};

void random_runs(Bench &b)
{
	const struct {
		const char *name;
		Knobs knobs;
	} mixes[] = {
		/* read, cpu, hold, grant, latency, flush, ready, response, error, words, local */
		{ "quick translation", { 60, 10, 50, 100, 2, 2, 100, 60, 3, 64, 50 } },
		{ "slow translation", { 60, 10, 80, 60, 80, 2, 70, 60, 3, 64, 50 } },
		{ "short reads, many epochs", { 60, 20, 50, 90, 6, 50, 80, 70, 5, 4, 50 } },
		{ "rf_pcie answers in every cycle",
		  { 100, 20, 10, 100, 2, 5, 100, 100, 0, 64, 30 } },
		{ "mostly local", { 100, 30, 20, 100, 2, 5, 50, 50, 5, 64, 90 } },
	};

	for (auto &mix : mixes) {
		b.tap.begin(std::string("every read is answered once, with its own words: ") +
			    mix.name);
		uint64_t ended = b.ended, faults = b.faults, cpu = b.cpu, old = b.old_cycles,
			 flushes = b.flushes, words = b.words, before[kMasters];

		for (unsigned m = 0; m < kMasters; m++)
			before[m] = b.master_ended[m];
		b.knobs = mix.knobs;
		b.run(20000);
		for (unsigned m = 0; m < kMasters; m++)
			b.tap.check(b.master_ended[m] - before[m] > 40, "reads of a master", m);
		b.drain();
		b.tap.check(b.ended - ended > 800, "reads", b.ended - ended);
		b.tap.check(b.faults - faults > 50, "faults", b.faults - faults);
		b.tap.check(b.cpu - cpu > 500, "reads of the CPU", b.cpu - cpu);
		b.tap.check(b.flushes - flushes > 10, "epochs", b.flushes - flushes);
		b.tap.check(b.old_cycles - old > 100, "cycles with an older read",
			    b.old_cycles - old);
		printf("# %s: %" PRIu64 " reads, %" PRIu64 " words, %" PRIu64 " faults, %" PRIu64
		       " epochs, %" PRIu64 " for the CPU\n",
		       mix.name, b.ended - ended, b.words - words, b.faults - faults,
		       b.flushes - flushes, b.cpu - cpu);
		b.tap.end();
	}
	b.tap.begin("refusals and bad responses were among them");
	b.tap.check(b.refused > 500, "cycles of a refused system read", b.refused);
	b.tap.check(b.poisoned > 20, "poisoned responses", b.poisoned);
	b.tap.end();
}

void latency(Bench &b)
{
	for (unsigned local = 0; local < 2; local++) {
		b.tap.begin(
			local ? "unloaded: request to local response 5 cycles, then a word in each"
			      : "unloaded: request to system read 3 cycles");
		for (unsigned tries = 0; tries < 10; tries++) {
			b.knobs = { 0, 0, 0, 100, 2, 0, 100, 0, 0, 64, 100 * local };
			Read r = b.make(6);

			r.words = 8;
			r.offset = 8 * 16;
			b.next[6].push_back(r);
			uint64_t faults = b.faults;
			for (unsigned n = 0; n < 5 + 8; n++) {
				b.step();
				if (b.reading[6].empty() ? b.faults != faults
							 : b.reading[6].front().fault)
					break;
				b.tap.equal(local ? b.saw_response : b.saw_system,
					    local ? n >= 5 : n == 3, "in this cycle");
			}
			b.drain();
		}
		b.tap.end();
	}
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	rf::Tap tap;
	Bench bench(tap);

	printf("# seed %" PRIu64 "\n", rf::seed());
	latency(bench);
	random_runs(bench);
	return tap.status();
}
