/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The write fabric against a reference. Where rf_memory_test has the windows behind
 * it, here the test translates: after any time, in any order among the masters, to
 * another place after every flush; so the fabric must not lean on how rf_translate does
 * it. A write goes where the translation of the moment in which it begins leads: a
 * flush in an earlier cycle counts, one in the same does not.
 */
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "Vrf_write_fabric.h"
#include "bits.h"
#include "harness.h"

namespace {

constexpr unsigned kMasters = 5, kAgain = 5, kLocalLog2 = 16, kRequest = 87;
constexpr unsigned kOk = 0, kTranslation = 1, kBusMaster = 6;

struct Place {
	bool fault, local;
	unsigned level;
	uint64_t page; /* address of its first byte */
};

/* Any function of its arguments will do, if all kinds of places are frequent. */
Place translate(uint64_t request, unsigned generation)
{
	uint64_t x = (rf::virtual_page(request) + 1) * 0x9e3779b97f4a7c15ull +
		     generation * 0xc2b2ae3d27d4eb4full;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	x ^= x >> 32;
	Place p = { x % 16 == 0, x % 16 > 7, (unsigned)(x >> 8) % 3, x >> 16 << 12 };

	/* System memory below 4 GiB and above it, at times not far. */
	p.page &= p.local      ? (1ull << kLocalLog2) - 1
		  : x >> 4 & 1 ? (1ull << (x >> 5 & 1 ? 33 : 32)) - 1
			       : (1ull << 55) - 1;
	return p;
}

struct Write {
	unsigned master, words, first, last;
	uint64_t request; /* {vmid, va[63:12]} */
	unsigned offset; /* in the page */
	std::vector<uint64_t> data;
	unsigned moved = 0, posted = 0, performed = 0, status = kOk;
	unsigned generation = 0; /* of its first beat */
	bool begun = false, complete = false;
	unsigned full = 0, told = 0;
	Place place = {};
	uint64_t complete_cycle = 0;

	unsigned strobe(unsigned beat) const
	{
		return beat == 0 ? first : beat == words - 1 ? last : 0xff;
	}
	uint64_t address(unsigned beat) const { return place.page + offset + 8 * beat; }
};

struct Lookup { /* granted, its response still to come */
	unsigned port;
	uint64_t request, due;
};

struct Told {
	Write *write; /* nullptr: a store of the CPU */
	uint64_t address, data, cycle;
};

struct Knobs {
	unsigned write = 30, data = 80, cpu = 10, grant = 60, latency = 12, flush = 0;
	unsigned system_ready = 70, accept = 70, error = 10;
};

class Bench {
public:
	Vrf_write_fabric top;
	rf::Clock<Vrf_write_fabric> clock{ top };
	rf::Random random{ rf::seed() };
	rf::Tap &tap;
	Knobs knobs;

	std::deque<Write *> to_request[kMasters], to_move[kMasters], to_end[kMasters];
	std::deque<Lookup> lookups;
	std::deque<std::pair<Write *, unsigned>> posted; /* beats with rf_pcie */
	std::deque<Told> local_told, system_told;
	std::deque<uint64_t> pages; /* some, so that pages are shared and change places */
	unsigned generation = 0;
	uint64_t begun_old = 0, ended = 0, ended_of[kMasters] = {}, faults = 0, again = 0,
		 snoops = 0, flushes = 0, cpu = 0;
	bool saw_local = false, saw_system = false, saw_old = false;
	unsigned no_request = 0, no_data = 0; /* masters that offer none now */

	explicit Bench(rf::Tap &t) : tap(t)
	{
		for (unsigned i = 0; i < 200; i++)
			pages.push_back(random.next() >> 8);
		top.write_valid_i = top.write_data_valid_i = 0;
		top.translate_ready_i = top.translated_i = top.flush_i = top.epoch_i = 0;
		top.system_ready_i = top.system_accepted_i = top.cpu_valid_i = 0;
		clock.reset();
	}
	~Bench()
	{
		for (auto *w : all)
			delete w;
		top.final();
	}

	Write *make(unsigned m)
	{
		Write *w = new Write;

		w->master = m;
		w->request = pages[random.below(pages.size())];
		w->words = 1 + random.below(random.chance(60) ? 3 : 32);
		w->offset = 8 * random.below(513 - w->words);
		w->first = random.chance(70) ? 0xff : 0xff << random.below(8) & 0xff;
		w->last = random.chance(70) ? 0xff : 0xff >> random.below(8);
		for (unsigned i = 0; i < w->words; i++)
			w->data.push_back(random.next());
		return w;
	}

	void add(Write *w)
	{
		to_request[w->master].push_back(w);
		to_move[w->master].push_back(w);
		to_end[w->master].push_back(w);
		all.push_back(w);
	}

	bool quiet() const
	{
		for (auto &queue : to_end)
			if (!queue.empty())
				return false;
		return system_told.empty() && local_told.empty() && !top.cpu_valid_i;
	}

	void step()
	{
		drive();
		top.eval();
		observe();
		clock.tick();
		top.write_data_valid_i &= ~data_taken;
		if (cpu_taken)
			top.cpu_valid_i = 0;
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}

	/* Whatever is left comes to its end. */
	void drain()
	{
		Knobs kept = knobs;

		knobs.write = knobs.cpu = knobs.flush = 0;
		knobs.data = knobs.grant = knobs.system_ready = knobs.accept = 100;
		for (unsigned i = 0; i < 20000 && !quiet(); i++)
			step();
		run(40);
		knobs = kept;
		tap.check(quiet(), "everything ends");
		tap.equal(top.idle_o, 1, "idle at the end");
		tap.equal(top.old_in_flight_o, 0, "nothing older in flight at the end");
	}

private:
	std::deque<Write *> all;
	unsigned settle = 0;
	int granted = -1; /* port that is granted in this cycle */
	Write *system_write = nullptr; /* begun and not yet moved whole */

	/* --- inputs ------------------------------------------------------------------------ */
	void drive()
	{
		for (unsigned m = 0; m < kMasters; m++) {
			if (to_end[m].size() < 10 && random.chance(knobs.write))
				add(make(m));
			bool ask = !to_request[m].empty() && !(no_request >> m & 1);

			if (ask) {
				Write *w = to_request[m].front();

				rf::put(top.write_i, m * kRequest, 8, w->last);
				rf::put(top.write_i, m * kRequest + 8, 8, w->first);
				rf::put(top.write_i, m * kRequest + 16, 6, w->words);
				rf::put(top.write_i, m * kRequest + 22, 9, w->offset / 8);
				rf::put(top.write_i, m * kRequest + 31, 56, w->request);
			}
			set(top.write_valid_i, m, ask);
			bool offered = top.write_data_valid_i >> m & 1;

			if (!offered && !to_move[m].empty() && !(no_data >> m & 1) &&
			    random.chance(knobs.data)) {
				set(top.write_data_valid_i, m, true);
				rf::put(top.write_data_i, m * 64, 64,
					to_move[m].front()->data[to_move[m].front()->moved]);
			}
		}
		if (!top.cpu_valid_i && random.chance(knobs.cpu)) {
			top.cpu_valid_i = 1;
			top.cpu_address_i = random.below(1 << (kLocalLog2 - 3));
			top.cpu_data_i = random.next();
			top.cpu_strobe_i = random.chance(70) ? 0xff : random.below(256);
		}
		drive_translation();
		top.system_ready_i = random.chance(knobs.system_ready);
		top.system_accepted_i = !posted.empty() && random.chance(knobs.accept);
		if (top.system_accepted_i) {
			auto [write, beat] = posted.front();

			if (beat == 0)
				write->status = random.chance(knobs.error) ? kBusMaster : kOk;
			/* rf_bus_pkg::write_accepted_t */
			top.system_accepted_i =
				1 << 4 | (beat + 1 == write->words) << 3 | write->status;
		}
	}

	void drive_translation()
	{
		/* The rules of rf_translate: the epoch turns behind the flush, the next flush
		   comes when nothing of the older epoch is in flight. */
		if (top.flush_i)
			top.epoch_i = !top.epoch_i;
		if (settle && (settle > 1 || !saw_old))
			settle--;
		top.flush_i = !settle && random.chance(knobs.flush);
		if (top.flush_i) {
			settle = 4;
			generation++;
			flushes++;
		}

		top.eval(); /* who asks */
		unsigned asked = top.translate_valid_o;
		const int before = granted;

		top.translate_ready_i = before < 0 ? 0 : 1 << before;
		top.translate_seen_i =
			before < 0 ? random.next() >> 8 : rf::virtual_page(looked_up);
		tap.equal(top.translate_ready_i & ~asked, 0, "a granted request stays");
		if (top.translate_ready_i)
			tap.equal(rf::bits(top.translate_o, before * 57 + 1, 56), looked_up,
				  "and is the same");
		asked &= ~top.translate_ready_i;
		granted = -1;
		if (asked && random.chance(knobs.grant)) {
			do
				granted = random.below(6);
			while (!(asked >> granted & 1));
			looked_up = rf::bits(top.translate_o, granted * 57 + 1, 56);
			tap.equal(rf::bits(top.translate_o, granted * 57, 1), 1, "a store");
			lookups.push_back({ (unsigned)granted, looked_up,
					    clock.cycle + 2 + random.below(knobs.latency - 1) });
		}

		/* One response, in order within a port, two cycles behind its grant or later. */
		top.translated_i = 0;
		std::set<unsigned> behind;
		for (auto it = lookups.begin(); it != lookups.end(); ++it) {
			if (!behind.insert(it->port).second || it->due > clock.cycle ||
			    (knobs.latency > 2 && !random.chance(50)))
				continue;
			Place p = translate(it->request, generation);

			/* rf_bus_pkg::translation_t */
			top.translated_i = 1ull << 51 | (uint64_t)it->port << 47 |
					   (uint64_t)p.fault << 46 | (uint64_t)p.level << 44 |
					   (uint64_t)p.local << 43 | p.page >> 12;
			lookups.erase(it);
			break;
		}
	}

	template <class Port> static void set(Port &port, unsigned bit, bool value)
	{
		port = (port & ~(1u << bit)) | (unsigned)value << bit;
	}

	/* --- outputs ----------------------------------------------------------------------- */
	void observe()
	{
		check_accepted();
		check_snoop();
		check_done();

		/* requests taken for translation */
		for (unsigned p = 0; p < 6; p++) {
			if (!(top.translate_ready_i >> p & 1))
				continue;
			again += p == kAgain;
			if (p == kAgain)
				continue;
			tap.equal(rf::bits(top.translate_o, p * 57 + 1, 56),
				  to_request[p].front()->request, "request translated");
			to_request[p].pop_front();
		}
		tap.equal(top.write_ready_o, top.translate_ready_i & 0x1f, "requests taken");

		check_system();
		check_beats();
		check_old();
	}

	void begin(Write *w)
	{
		if (w->begun)
			return;
		w->begun = true;
		/* A flush of this cycle comes too late for it. */
		w->generation = generation - top.flush_i;
		w->place = translate(w->request, w->generation);
	}

	void check_system()
	{
		saw_system = top.system_valid_o;
		/* What is not taken may be withdrawn. */
		if (!top.system_valid_o || !top.system_ready_i)
			return;
		if (!system_write)
			system_write = find_offered();
		if (!system_write)
			return;
		Write *w = system_write;

		begin(w);
		tap.check(!w->place.fault && !w->place.local, "this is no system write", w->master);
		tap.equal(rf::bits(top.system_o, 0, 1), w->posted + 1 == w->words, "last");
		tap.equal(rf::bits(top.system_o, 1, 1), w->posted == 0, "first");
		tap.equal(rf::bits(top.system_o, 2, 64), w->data[w->posted], "data");
		tap.equal(rf::bits(top.system_o, 66, 8), w->last, "last strobe");
		tap.equal(rf::bits(top.system_o, 74, 8), w->first, "first strobe");
		tap.equal(rf::bits(top.system_o, 82, 6), w->words, "words");
		tap.equal(rf::bits(top.system_o, 140, 1),
			  (w->words == 1 ? w->first : w->last) >> 4 != 0, "high DW last");
		tap.equal(rf::bits(top.system_o, 141, 2),
			  w->first & 15	  ? 0
			  : w->words == 1 ? 1
					  : 2,
			  "high DW first");
		tap.equal(rf::bits(top.system_o, 88, 52) << 3, w->address(0), "address");
		tap.equal(rf::bits(top.system_o, 143, 1), w->address(0) >> 32 != 0,
			  "length of the header");
	}

	/* Whose write it is shows in its data, which are random. */
	Write *find_offered()
	{
		uint64_t data = rf::bits(top.system_o, 2, 64);

		for (unsigned m = 0; m < kMasters; m++)
			if ((top.write_data_valid_i >> m & 1) && !to_move[m].empty() &&
			    to_move[m].front()->data[0] == data && to_move[m].front()->moved == 0)
				return to_move[m].front();
		tap.check(false, "a system write that no master gave");
		return nullptr;
	}

	/* rf_pcie tells one cycle after it has accepted a beat. */
	void check_accepted()
	{
		if (!top.system_accepted_i)
			return;
		auto [w, beat] = posted.front();

		posted.pop_front();
		if (w->status == kOk && w->strobe(beat) == 0xff) {
			w->full++;
			system_told.push_back({ w, w->address(beat), w->data[beat], clock.cycle });
		}
		if (++w->performed == w->words) {
			w->complete = true;
			w->complete_cycle = clock.cycle;
		}
	}

	void check_beats()
	{
		uint64_t now = clock.cycle;
		unsigned moves = top.write_data_ready_o & top.write_data_valid_i, here = 0;
		bool given = false, committed = false;

		saw_local = cpu_taken = false;
		data_taken = 0;
		for (unsigned m = 0; m < kMasters; m++) {
			if (!(moves >> m & 1))
				continue;
			Write *w = to_move[m].front();
			unsigned beat = w->moved++;

			tap.check(to_request[m].empty() || to_request[m].front() != w,
				  "a beat before its request was taken", m);
			begin(w);
			data_taken |= 1u << m;
			if (w->moved == w->words)
				to_move[m].pop_front();
			if (!w->place.fault && !w->place.local) {
				tap.check(top.system_valid_o && top.system_ready_i &&
						  system_write == w && w->posted == beat && !given,
					  "a system beat that is not offered", m);
				given = true;
				continue;
			}
			here++;
			for (auto *earlier : to_end[m]) {
				if (earlier == w)
					break;
				tap.check(earlier->complete, "passes an earlier write", m);
			}
			if (!w->place.fault) {
				committed = true;
				check_commit(w, w->address(beat), w->data[beat], w->strobe(beat));
			}
			if (w->moved == w->words) {
				w->complete = true;
				w->complete_cycle = now;
			}
		}
		if (top.cpu_valid_i && top.cpu_ready_o) {
			here++;
			committed = true;
			check_commit(nullptr, top.cpu_address_i * 8, top.cpu_data_i,
				     top.cpu_strobe_i);
			cpu++;
			cpu_taken = true;
		}
		tap.check(here <= 1, "two local beats in a cycle", here, 1);
		tap.equal(top.local_write_o, committed, "local memory written");
		if (top.system_valid_o && top.system_ready_i && system_write)
			post();
	}

	/* A beat leaves its master when rf_pcie takes it. */
	void post()
	{
		Write *w = system_write;

		tap.check(w->moved == w->posted + 1, "a beat that its master did not give");
		posted.push_back({ w, w->posted++ });
		if (w->posted == w->words)
			system_write = nullptr;
	}

	void check_commit(Write *w, uint64_t address, uint64_t data, unsigned strobe)
	{
		saw_local = true;
		tap.equal(top.local_address_o * 8, address, "local address");
		tap.equal(top.local_data_o, data, "local data");
		tap.equal(top.local_strobe_o, strobe, "local strobe");
		if (strobe == 0xff)
			local_told.push_back({ w, address, data, clock.cycle });
	}

	void check_snoop()
	{
		/* rf_bus_pkg::snoop_t */
		const bool valid = rf::bits(top.snoop_o, 117, 1);
		bool local = valid && rf::bits(top.snoop_o, 116, 1);

		tap.equal(local, !local_told.empty(), "a local word told in the next cycle");
		if (valid) {
			auto &queue = local ? local_told : system_told;

			snoops++;
			tap.check(!queue.empty(), "told before it is performed");
			if (!queue.empty()) {
				tap.equal(rf::bits(top.snoop_o, 64, 52) << 3, queue.front().address,
					  "address told");
				tap.equal(rf::bits(top.snoop_o, 0, 64), queue.front().data,
					  "data told");
				if (queue.front().write)
					queue.front().write->told++;
				queue.pop_front();
			}
		}
		local_told.clear();
		tap.check(system_told.empty() || system_told.front().cycle + 60 > clock.cycle,
			  "never told");
	}

	void check_done()
	{
		for (unsigned m = 0; m < kMasters; m++) {
			Write *w = to_end[m].empty() ? nullptr : to_end[m].front();

			if (!(top.write_done_o >> (25 + m) & 1)) {
				tap.check(!w || !w->complete ||
						  w->complete_cycle + 60 > clock.cycle,
					  "never done", m);
				tap.check(!w || !w->complete || !(w->place.local || w->place.fault),
					  "a local write done in the next cycle", m);
				continue;
			}
			tap.check(w && w->complete, "done before performed", m);
			if (!w)
				continue;
			tap.equal(top.write_done_o >> (10 + 3 * m) & 7,
				  w->place.fault ? kTranslation : w->status, "status");
			tap.equal(top.write_done_o >> 2 * m & 3,
				  w->place.fault ? w->place.level : 0, "level");
			tap.check(w->place.local || w->told == w->full, "done before told", m);
			faults += w->place.fault;
			ended++;
			ended_of[m]++;
			to_end[m].pop_front();
		}
	}

	/* What began under an older generation keeps old_in_flight_o up to its end. */
	void check_old()
	{
		bool old = false;

		for (auto &queue : to_end)
			for (auto *w : queue)
				old |= w->begun && !w->complete && w->generation != generation;
		saw_old = top.old_in_flight_o;
		if (old && !top.flush_i) {
			begun_old++;
			tap.equal(top.old_in_flight_o, 1, "an older write is in flight");
		}
		/* A little longer than that, but not for writes of this generation. */
		bool older = old, open = top.cpu_valid_i || top.write_data_valid_i;

		for (auto &queue : to_end)
			for (auto *w : queue) {
				older |= w->begun && w->generation != generation;
				open |= w->begun;
			}
		since_old = older || top.flush_i ? 0 : since_old + 1;
		if (since_old > 8)
			tap.equal(top.old_in_flight_o, 0, "no older write is in flight");
		tap.check(!top.idle_o || !open, "idle with a write");
	}

	unsigned since_old = 0; /* cycles */
	uint64_t looked_up = 0; /* request granted last */
	unsigned data_taken = 0;
	bool cpu_taken = false;
};

void random_runs(Bench &b)
{
	const struct {
		const char *name;
		Knobs knobs;
	} mixes[] = {
		/* write, data, cpu, grant, latency, flush, ready, accept, error */
		{ "quick translation", { 60, 100, 10, 100, 2, 0, 100, 100, 5 } },
		{ "slow translation", { 60, 80, 10, 60, 80, 2, 70, 70, 10 } },
		{ "many flushes", { 40, 30, 10, 80, 10, 30, 60, 60, 10 } },
		{ "slow data", { 40, 5, 30, 80, 8, 10, 80, 80, 10 } },
		{ "slow acceptance", { 40, 100, 30, 90, 4, 5, 100, 8, 10 } },
	};

	for (auto &mix : mixes) {
		b.tap.begin(std::string("every write goes where it must, once, in order: ") +
			    mix.name);
		b.knobs = mix.knobs;
		uint64_t ended = b.ended, faults = b.faults, again = b.again, snoops = b.snoops,
			 old = b.begun_old, flushes = b.flushes, cpu = b.cpu;

		b.run(20000);
		b.drain();
		b.tap.check(b.ended - ended > 300, "writes", b.ended - ended);
		b.tap.check(b.faults - faults > 10, "faults", b.faults - faults);
		b.tap.check(b.snoops - snoops > 300, "words told", b.snoops - snoops);
		b.tap.check(b.cpu - cpu > 100, "stores of the CPU", b.cpu - cpu);
		if (mix.knobs.flush) {
			b.tap.check(b.again - again > 20, "translated again", b.again - again);
			b.tap.check(b.begun_old - old > 50, "cycles with an older write",
				    b.begun_old - old);
			b.tap.check(b.flushes - flushes > 20, "flushes", b.flushes - flushes);
		}
		printf("# %s: %" PRIu64 " writes, %" PRIu64 " faults, %" PRIu64 " told, %" PRIu64
		       " flushes, %" PRIu64 " translated again\n",
		       mix.name, b.ended - ended, b.faults - faults, b.snoops - snoops,
		       b.flushes - flushes, b.again - again);
		b.tap.end();
	}
}

void latency(Bench &b)
{
	b.tap.begin("unloaded: request to beat 3 cycles, then a beat in every cycle");
	for (unsigned test = 0; test < 2 * kMasters; test++) {
		const unsigned kind = test % 2, master = test / 2;
		/* A master asks in every second cycle at most; those of short writes have two
		   requests out. */
		const unsigned words = master == 1 || master == 2 ? 3 : 2;
		uint64_t page = 0;

		b.knobs = { 0, 100, 0, 100, 2, 0, 100, 100, 0 };
		b.drain();
		do {
			page++;
		} while (translate(page, b.generation).fault ||
			 translate(page, b.generation).local != (kind == 0));
		for (unsigned n = 0; n < 8; n++) {
			Write *w = b.make(master);

			w->request = page;
			w->words = words + n % 2;
			w->data.resize(w->words, n);
			w->offset = 0;
			b.add(w);
		}
		for (unsigned n = 0; n < 3 + 12; n++) {
			b.step();
			b.tap.equal(kind ? b.saw_system : b.saw_local, n >= 3, "a beat");
		}
		b.drain();
	}
	b.tap.end();
}

/* The fabric remembers 8 words that go to system memory. */
void stalled(Bench &b)
{
	uint64_t page = 0, ended;

	b.tap.begin("eight words are out when the host accepts none, all of one master");
	b.knobs = { 0, 100, 0, 100, 2, 0, 100, 0, 0 };
	while (translate(page, b.generation).fault || translate(page, b.generation).local)
		page++;
	for (unsigned n = 0; n < 20; n++) {
		Write *w = b.make(0);

		w->request = page;
		w->words = 1;
		w->data.resize(1, n);
		w->offset = 0;
		b.add(w);
	}
	ended = b.ended;
	b.run(200);
	b.tap.equal(b.posted.size(), 8, "words out");
	b.tap.equal(b.ended, ended, "writes done");
	b.knobs.accept = 100;
	b.drain();
	b.tap.equal(b.ended, ended + 20, "writes done");
	b.tap.end();
}

/* A request without data, or data without a request, is not chosen. */
void waiting(Bench &b)
{
	b.tap.begin("masters that cannot move a beat take no turn from one that can");
	for (unsigned test = 0; test < 4; test++) {
		const bool local = test & 1, other_local = test & 2;
		uint64_t page[2] = {};

		b.knobs = { 0, 100, 0, 100, 2, 0, 100, 100, 0 };
		b.drain();
		for (unsigned kind = 0; kind < 2; kind++)
			while (translate(page[kind], b.generation).fault ||
			       translate(page[kind], b.generation).local != kind)
				page[kind]++;
		b.no_data = 1 << 1 | 1 << 3;
		b.no_request = 1 << 2 | 1 << 4;
		for (unsigned m = 1; m < kMasters; m++) {
			Write *w = b.make(m);

			w->request = page[other_local];
			w->words = 1;
			w->data.resize(1, m);
			w->offset = 0;
			b.add(w);
		}
		b.run(10);
		for (unsigned n = 0; n < 8; n++) {
			Write *w = b.make(0);

			w->request = page[local];
			w->words = 2;
			w->data.resize(2, n);
			w->offset = 0;
			b.add(w);
		}
		for (unsigned n = 0; n < 3 + 16; n++) {
			b.step();
			b.tap.equal(local ? b.saw_local : b.saw_system, n >= 3, "a beat");
		}
		b.no_data = b.no_request = 0;
		b.drain();
	}
	b.tap.end();
}

/* The choice goes round by beats, which would favour who asks behind a local beat. */
void rounds(Bench &b)
{
	const unsigned words[kMasters] = { 2, 1, 3, 1, 5 };
	const bool local[kMasters] = { false, true, false, true, false };
	uint64_t page[2] = {}, before[kMasters], least = UINT64_MAX, most = 0;

	b.tap.begin("who writes to the system at all times does so in turn, write by write");
	b.knobs = { 0, 100, 0, 100, 2, 0, 100, 100, 0 };
	b.drain();
	for (unsigned kind = 0; kind < 2; kind++)
		while (translate(page[kind], b.generation).fault ||
		       translate(page[kind], b.generation).local != kind)
			page[kind]++;
	for (unsigned n = 0; n < 3050; n++) {
		for (unsigned m = 0; m < kMasters; m++) {
			if (n == 50)
				before[m] = b.ended_of[m];
			while (b.to_end[m].size() < 8) {
				Write *w = b.make(m);

				w->request = page[local[m]];
				w->words = words[m];
				w->data.resize(w->words, n);
				w->offset = 0;
				b.add(w);
			}
		}
		b.step();
	}
	for (unsigned m = 0; m < kMasters; m++) {
		uint64_t ended = b.ended_of[m] - before[m];

		b.tap.check(ended > 50, "writes of a master", ended);
		if (local[m])
			continue;
		least = std::min(least, ended);
		most = std::max(most, ended);
	}
	b.tap.check(most - least <= 1, "writes to the system, of one more than of another",
		    most - least);
	b.drain();
	b.tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	rf::Tap tap;
	Bench bench(tap);

	printf("# seed %" PRIu64 "\n", rf::seed());
	latency(bench);
	stalled(bench);
	waiting(bench);
	rounds(bench);
	random_runs(bench);
	return tap.status();
}
