/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation against a reference walk: random page tables, good and malformed, in
 * both memories; invalidation while lookups and walks are under way; then the
 * cases that have an exact response. The bench is the memory that holds the tables.
 */
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "Vrf_translate.h"
#include "bits.h"
#include "harness.h"
#include "page_tables.h"

namespace {

constexpr unsigned kPorts = 14, kLocalLog2 = 16;
/* Offsets of BAR 0, as ringfence.toml has them; written out so that a wrong package fails. */
constexpr uint64_t kInvalidate = 0x2410, kFirst = 0x2418, kLast = 0x2420, kRoot = 0x2480;
constexpr uint64_t kSelect = 0x2428, kTag = 0x2430, kFound = 0x2438, kBusy = 1 << 20;
constexpr uint64_t kEverything = 0x7fffffffff;
/* The TLB has 32 sets, swept one a cycle, before an invalidation takes effect. */
constexpr unsigned kSweep = 40;

template <class Wide> void put(Wide &wide, unsigned lsb, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned bit = lsb + i;

		wide[bit / 32] &= ~(1u << (bit % 32));
		wide[bit / 32] |= static_cast<uint32_t>((value >> i) & 1) << (bit % 32);
	}
}

struct Request {
	unsigned vmid;
	uint64_t va;
	bool store;
	uint64_t granted = 0;
	unsigned waited = 0;
};

struct EntryRead {
	unsigned id;
	uint64_t address;
	uint64_t since; /* cycle in which it was first offered */
};

class Bench {
public:
	Vrf_translate top;
	rf::Clock<Vrf_translate> clock{ top };
	rf::Random random{ rf::seed() };
	rf::Tap &tap;

	std::map<uint64_t, uint64_t> memory; /* words by physical address */
	std::set<uint64_t> broken; /* words that cannot be read */
	uint64_t root[16] = {};

	/* A change of one word, until the invalidation of it takes effect */
	bool changing = false;
	uint64_t changed = 0, old_word = 0;

	/* knobs, in percent */
	unsigned read_ready = 100, entry_chance = 100, register_chance = 0;
	bool check_responses = true;

	bool asking[kPorts] = {};
	Request asked[kPorts];
	std::deque<Request> granted[kPorts];
	std::vector<EntryRead> reads;

	uint64_t responses = 0, faults[4] = {}, hits = 0, misses = 0, stale = 0, entries = 0;
	uint64_t overtaken = 0; /* entries answered before an older read */
	uint64_t worst = 0, register_reads = 0, flushes = 0;
	unsigned invalidated = 0; /* VMIDs named to the wait unit */
	unsigned last_port = ~0u; /* answered in the last cycle */
	unsigned asked_before = 0; /* ports that asked in the cycle before */
	bool flushed = false;
	uint64_t offered_since = 0; /* of the read on offer, if there is one */
	bool offered = false;

	explicit Bench(rf::Tap &t) : tap(t)
	{
		top.request_valid_i = 0;
		top.invalidate_busy_i = 0;
		top.old_in_flight_i = 0;
		top.read_ready_i = 0;
		top.entry_valid_i = 0;
		top.entry_good_i = 0;
		set_register(false, false, 0, 0, 0);
		clock.reset();
	}
	~Bench() { top.final(); }

	/* --- registers ------------------------------------------------------------------- */
	void set_register(bool valid, bool write, uint64_t address, uint64_t data, unsigned strobe)
	{
		put(top.register_i, 0, 8, strobe);
		put(top.register_i, 8, 64, data);
		put(top.register_i, 72, 14, address >> 3);
		put(top.register_i, 86, 1, write);
		put(top.register_i, 87, 1, valid);
	}

	void write(uint64_t address, uint64_t data, unsigned strobe = 0xff)
	{
		set_register(true, true, address, data, strobe);
		step();
		set_register(false, false, 0, 0, 0);
	}

	uint64_t read(uint64_t address)
	{
		set_register(true, false, address, 0, 0xff);
		step();
		set_register(false, false, 0, 0, 0);
		top.eval();
		return top.register_data_o;
	}

	void set_root(unsigned vmid, uint64_t value)
	{
		root[vmid] = value;
		write(kRoot + 8 * vmid, value);
	}

	void invalidate(unsigned vmids, uint64_t first = 0, uint64_t last = kEverything)
	{
		write(kFirst, first);
		write(kLast, last);
		write(kInvalidate, vmids);
		while (read(kInvalidate))
			;
	}

	/* --- memory and its tables -------------------------------------------------------- */
	bool word(uint64_t address, uint64_t &value, bool old = false) const
	{
		auto at = memory.find(address);

		if (broken.count(address))
			return false;
		value = at == memory.end() ? 0 : at->second;
		if (old && changing && address == changed)
			value = old_word;
		return true;
	}

	rf::Translation reference(const Request &r, bool old = false) const
	{
		return rf::walk(root[r.vmid], r.va, r.store, kLocalLog2,
				[&](uint64_t at, uint64_t &value) { return word(at, value, old); });
	}

	/* --- one cycle --------------------------------------------------------------------- */
	void step()
	{
		unsigned valid = 0, entry = ~0u;

		for (unsigned p = 0; p < kPorts; p++) {
			valid |= asking[p] << p;
			if (asking[p])
				put(top.request_i, p * 57, 57,
				    (uint64_t)asked[p].vmid << 53 | asked[p].va >> 12 << 1 |
					    asked[p].store);
		}
		top.request_valid_i = valid;
		top.read_ready_i = random.chance(read_ready);
		top.entry_valid_i = !reads.empty() && random.chance(entry_chance);
		if (top.entry_valid_i) {
			uint64_t value = 0;

			entry = random.below(reads.size());
			top.entry_id_i = reads[entry].id;
			top.entry_good_i = word(reads[entry].address, value);
			top.entry_i = top.entry_good_i ? value : random.next();
		}
		top.eval();

		flushed |= top.flush_o;
		flushes += top.flush_o;
		invalidated |= top.invalidate_o;
		check_response();
		take_grants(valid);
		if (top.read_valid_o && !offered)
			offered_since = clock.cycle;
		offered = top.read_valid_o && !top.read_ready_i;
		if (top.read_valid_o && top.read_ready_i) {
			uint64_t address = top.read_address_o << 3;

			tap.check(!top.read_local_o || address >> kLocalLog2 == 0,
				  "an entry outside local memory", address);
			for (auto &other : reads)
				tap.check(other.id != top.read_id_o, "one read a walk", other.id);
			reads.push_back({ top.read_id_o,
					  address | (top.read_local_o ? rf::kLocalBit : 0),
					  offered_since });
			entries++;
		}
		if (entry != ~0u && top.entry_ready_o) {
			overtaken += entry != 0;
			reads.erase(reads.begin() + entry);
		}
		clock.tick();
	}

	/* A port that is told now was granted in the cycle before. */
	void take_grants(unsigned valid)
	{
		const unsigned told = top.request_ready_o;

		tap.check((told & (told - 1)) == 0, "one grant", told);
		tap.equal(told & ~asked_before, 0, "who is told asked a cycle ago");
		tap.equal(told & ~valid, 0, "who is told asks");
		for (unsigned p = 0; p < kPorts; p++) {
			if (!(told >> p & 1))
				continue;
			asked[p].granted = clock.cycle - 1;
			check_seen(asked[p]);
			tap.check(granted[p].empty(), "one request of a port at a time", p);
			granted[p].push_back(asked[p]);
			asking[p] = false;
		}
		/* Behind its grant a port has to ask anew. */
		asked_before = valid & ~told;
	}

	void check_seen(const Request &r)
	{
		tap.equal(top.request_seen_o, rf::virtual_page((uint64_t)r.vmid << 52 | r.va >> 12),
			  "request seen a cycle behind its grant");
	}

	void check_response()
	{
		last_port = ~0u;
		if (!top.response_valid_o)
			return;
		unsigned port = top.response_port_o;

		last_port = port;
		tap.check(port < kPorts && !granted[port].empty(), "a response without a request",
			  port);
		if (port >= kPorts || granted[port].empty())
			return;
		Request r = granted[port].front();
		const uint64_t cycles = clock.cycle - r.granted;
		rf::Translation got = { top.response_fault_o != 0, top.response_level_o,
					top.response_page_o << 12 |
						(top.response_local_o ? rf::kLocalBit : 0) };

		granted[port].pop_front();
		r.va &= ~0xfffull;
		responses++;
		tap.check(cycles >= 2, "a response before its time", cycles, 2);
		if (cycles == 2)
			hits++;
		else
			misses++;
		if (got.fault)
			faults[got.level]++;
		if (!check_responses)
			return;
		if (got == reference(r))
			return;
		if (changing && !flushed && got == reference(r, true)) {
			stale++;
			return;
		}
		rf::Translation want = reference(r);

		tap.check(false, "response {fault, level}", (uint64_t)got.fault << 4 | got.level,
			  (uint64_t)want.fault << 4 | want.level);
		tap.check(false, "response physical", got.physical, want.physical);
		tap.check(false, "of", r.va, r.vmid << 4 | r.store);
	}

	bool quiet() const
	{
		for (unsigned p = 0; p < kPorts; p++)
			if (asking[p] || !granted[p].empty())
				return false;
		return true;
	}

	void drain()
	{
		for (unsigned i = 0; i < 20000 && !quiet(); i++)
			step();
		tap.check(quiet(), "everything is answered");
		for (unsigned i = 0; i < 4; i++)
			step();
		tap.equal(top.idle_o, 1, "idle at the end");
	}

	void ask(unsigned port, unsigned vmid, uint64_t va, bool store)
	{
		asked[port] = { vmid, va, store };
		asking[port] = true;
	}

	/* Reads of entries that were offered before this cycle and are not answered. */
	unsigned reads_from_before(uint64_t cycle) const
	{
		unsigned count = offered && offered_since < cycle;

		for (const EntryRead &read : reads)
			count += read.since < cycle;
		return count;
	}

	/* Alone; returns the cycles from grant to response. */
	unsigned one(unsigned port, unsigned vmid, uint64_t va, bool store = false)
	{
		ask(port, vmid, va, store);
		for (unsigned i = 0; i < 1000; i++) {
			step();
			if (last_port == port)
				return i;
		}
		tap.check(false, "no response");
		return ~0u;
	}

	rf::PageTables tables()
	{
		return { [this](uint64_t at) { return memory[at]; },
			 [this](uint64_t at, uint64_t value) { memory[at] = value; },
			 [this] { return next_table += 4096; } };
	}
	uint64_t next_table = 0x700000000;
};

/* --- random tables ------------------------------------------------------------------- */

/* The indices that random tables fill, and random addresses use. */
const unsigned kIndex[3][6] = { { 0, 1, 2, 3, 256, 511 },
				{ 0, 1, 2, 3, 256, 511 },
				{ 0, 1, 255, 256, 510, 511 } };

/* An entry in a table: its place, and what it covers. */
struct Entry {
	unsigned vmid, level;
	uint64_t at, va;
};

class Forest {
public:
	std::vector<Entry> entries;
	std::vector<uint64_t> tables;

	Forest(Bench &bench, unsigned malformed) : b(bench), bad(malformed)
	{
		b.memory.clear();
		b.broken.clear();
		for (unsigned v = 0; v < 16; v++) {
			bool none = v == 15;

			roots[v] = take();
			b.set_root(v, roots[v] | !none);
			fill(v, 2, roots[v], 0);
		}
		b.invalidate(0xffff);
	}

	uint64_t random_entry(unsigned level)
	{
		uint64_t flags = rf::kV | rf::kR | rf::kA | rf::kD;
		uint64_t physical = physical_page(level);

		if (b.random.chance(60))
			flags |= rf::kW;
		for (uint64_t ignored : { rf::kX, rf::kU, rf::kG })
			if (b.random.chance(20))
				flags |= ignored;
		if (b.random.chance(bad)) {
			switch (b.random.below(8)) {
			case 0:
				flags &= ~rf::kV;
				break;
			case 1:
				flags = (flags & ~rf::kR) | rf::kW;
				break;
			case 2:
				flags &= ~rf::kA;
				break;
			case 3:
				flags = (flags | rf::kW) & ~rf::kD;
				break;
			case 4:
				flags = (flags & ~(rf::kR | rf::kW)) | rf::kX;
				break;
			case 5:
				return rf::entry(physical, flags) |
				       1ull << (54 + b.random.below(10));
			case 6: /* a pointer, at the last level too, to any table */
				physical = tables[b.random.below(tables.size())];
				flags = rf::kV | (flags & (rf::kU | rf::kG));
				break;
			default: /* no such local memory; misaligned if it is a superpage */
				physical = rf::kLocalBit | (b.random.next() >> 9 & ~0xfffull) >> 1;
				break;
			}
			if (b.random.chance(20))
				physical ^= 0x1000ull << b.random.below(9);
		}
		return rf::entry(physical, flags);
	}

	uint64_t random_va()
	{
		uint64_t va = b.random.below(4096);

		for (unsigned l = 0; l < 3; l++)
			va |= (uint64_t)kIndex[l][b.random.below(6)] << (12 + 9 * l);
		if (va >> 38)
			va |= ~0ull << 39;
		if (b.random.chance(3))
			va ^= 1ull << (39 + b.random.below(25));
		return va;
	}

	unsigned vmids = 16;
	Request random_request()
	{
		return { static_cast<unsigned>(b.random.below(vmids)), random_va(),
			 b.random.chance(40) };
	}

private:
	Bench &b;
	unsigned bad;
	uint64_t roots[16];
	unsigned local_pages = 0;

	/* Sixteen tables in local memory, the others anywhere. */
	uint64_t take()
	{
		uint64_t page;

		if (local_pages < 16 && b.random.chance(30))
			page = rf::kLocalBit | (uint64_t)local_pages++ << 12;
		else
			page = (b.random.next() & 0x7fffffe0000000) | (uint64_t)tables.size() << 12;
		tables.push_back(page);
		return page;
	}

	uint64_t physical_page(unsigned level)
	{
		if (level == 0 && b.random.chance(30))
			return rf::kLocalBit | b.random.below(16) << 12;
		if (level > 0 && b.random.chance(30))
			return rf::kLocalBit;
		return (b.random.next() & 0x7ffffffffff000) >> (12 + 9 * level) << (12 + 9 * level);
	}

	void fill(unsigned vmid, unsigned level, uint64_t table, uint64_t va)
	{
		for (unsigned index : kIndex[level]) {
			uint64_t at = table + 8 * index;
			uint64_t covers = va | (uint64_t)index << (12 + 9 * level);

			entries.push_back({ vmid, level, at, covers });
			if (level == 0 || b.random.chance(25)) {
				b.memory[at] = random_entry(level);
			} else {
				uint64_t next = take();

				b.memory[at] = rf::entry(next, rf::kV);
				fill(vmid, level - 1, next, covers);
			}
			if (b.random.chance(bad) && b.random.chance(5))
				b.broken.insert(at);
		}
	}
};

/* --- random load --------------------------------------------------------------------------- */

struct Load {
	unsigned ask = 30, reuse = 70;
	std::vector<Request> recent;

	void drive(Bench &b, Forest &forest)
	{
		for (unsigned p = 0; p < kPorts; p++) {
			if (b.asking[p] || !b.random.chance(ask))
				continue;
			/* Readers have one translation at a time, writers ask ahead. */
			if (p < 8 && !b.granted[p].empty())
				continue;
			Request r = forest.random_request();

			if (!recent.empty() && b.random.chance(reuse)) {
				bool store = r.store;

				r = recent[b.random.below(recent.size())];
				r.store = store;
			}
			if (recent.size() < 24)
				recent.push_back(r);
			else
				recent[b.random.below(24)] = r;
			b.ask(p, r.vmid, r.va, r.store);
		}
	}
};

void random_tables(Bench &b)
{
	const struct {
		const char *name;
		unsigned malformed, ready, entry, ask;
	} mixes[] = {
		{ "well formed", 0, 100, 100, 30 },
		{ "one entry in five malformed", 20, 80, 60, 30 },
		{ "slow tables, full load", 10, 50, 15, 100 },
	};

	for (auto &mix : mixes) {
		b.tap.begin(std::string("responses are those of the reference walk: ") + mix.name);
		uint64_t responses = b.responses, hits = b.hits, misses = b.misses;
		uint64_t overtaken = b.overtaken, faults[4];

		std::copy(b.faults, b.faults + 4, faults);
		for (unsigned round = 0; round < 4; round++) {
			b.read_ready = b.entry_chance = 100;
			Forest forest(b, mix.malformed);
			Load load;

			load.ask = mix.ask;
			b.read_ready = mix.ready;
			b.entry_chance = mix.entry;
			for (unsigned i = 0; i < 8000; i++) {
				load.drive(b, forest);
				b.step();
			}
			b.read_ready = b.entry_chance = 100;
			b.drain();
		}
		b.tap.check(b.responses - responses > 1500, "responses", b.responses - responses);
		b.tap.check(b.hits - hits > 500, "hits", b.hits - hits);
		b.tap.check(b.misses - misses > 500, "misses", b.misses - misses);
		for (unsigned l = mix.malformed ? 0 : 3; l < 4; l++)
			b.tap.check(b.faults[l] - faults[l] > 10, "faults of a level", l);
		b.tap.check(mix.entry == 100 || b.overtaken - overtaken > 10,
			    "entries out of order");
		printf("# %s: %" PRIu64 " responses, %" PRIu64 " hits\n", mix.name,
		       b.responses - responses, b.hits - hits);
		b.tap.end();
	}
}

/* --- invalidation ------------------------------------------------------------------------ */

void random_invalidation(Bench &b)
{
	b.tap.begin("behind INVALIDATE no response comes from an older entry, under random load");
	uint64_t stale = b.stale, changes = 0, ranges = 0, waited = 0;

	for (unsigned round = 0; round < 6; round++) {
		b.read_ready = b.entry_chance = 100;
		Forest forest(b, 0);
		Load load;

		/* Few address spaces, so that what changes is also looked up. */
		forest.vmids = 3;
		b.read_ready = 80;
		b.entry_chance = round % 2 ? 8 : 80;
		for (unsigned change = 0; change < 60; change++) {
			for (unsigned i = 20 + b.random.below(200); i-- > 0;) {
				load.drive(b, forest);
				b.step();
			}
			/* The entry that a recent request leads to, at any level. */
			const Request &r = load.recent[b.random.below(load.recent.size())];
			std::vector<Entry> path;

			for (const Entry &e : forest.entries) {
				uint64_t mask = ~0ull << (12 + 9 * e.level) & kEverything;

				if (e.vmid == r.vmid && (r.va & mask) == e.va)
					path.push_back(e);
			}
			if (path.empty())
				continue;
			const Entry e = path[b.random.below(path.size())];

			b.old_word = b.memory[e.at];
			b.changed = e.at;
			b.memory[e.at] = b.random.chance(30) ? 0 : forest.random_entry(e.level);
			b.changing = true;
			b.flushed = false;
			for (unsigned i = b.random.below(60); i-- > 0;) {
				load.drive(b, forest);
				b.step();
			}
			if (b.random.chance(50)) {
				b.write(kFirst, e.va);
				b.write(kLast, e.va + (4096ull << 9 * e.level) - 1);
				ranges++;
			} else {
				b.write(kFirst, 0);
				b.write(kLast, kEverything);
			}
			b.flushed = false;
			uint64_t from = b.clock.cycle;

			b.write(kInvalidate, 1u << e.vmid);
			while (!b.flushed) {
				load.drive(b, forest);
				b.step();
			}
			waited += b.reads_from_before(from) != 0;
			unsigned rounds = 0;

			while (b.read(kInvalidate) && rounds++ < 2000)
				load.drive(b, forest);
			b.changing = false;
			b.tap.check(rounds < 2000, "done");
			b.tap.equal(b.reads_from_before(from), 0,
				    "reads of older tables behind INVALIDATE");
			changes++;
		}
		b.read_ready = b.entry_chance = 100;
		b.drain();
	}
	b.tap.check(changes > 200 && ranges > 50, "changes", changes);
	b.tap.check(waited > 20, "rounds that meet a read of an older table", waited);
	b.tap.check(b.stale - stale > 30, "responses from older entries before it",
		    b.stale - stale);
	printf("# %" PRIu64 " changes, %" PRIu64
	       " responses from older entries before INVALIDATE\n",
	       changes, b.stale - stale);
	b.tap.end();
}

/* VMIDs 1 and 2: four pages from kPage on, each VMID to places of its own. */
constexpr uint64_t kPage = 0x1234500000;

void simple_tables(Bench &b)
{
	b.memory.clear();
	b.broken.clear();
	rf::PageTables tables = b.tables();

	for (unsigned v = 0; v < 16; v++)
		b.set_root(v, 0);
	for (unsigned v = 1; v <= 2; v++) {
		uint64_t root = tables.page();

		b.set_root(v, root | 1);
		tables.map(root, kPage, 0x40000000ull * v, 0x4000);
	}
	b.invalidate(0xffff);
}

void ranges(Bench &b)
{
	b.tap.begin("INVALIDATE forgets the VMIDs and the range named, and nothing else");
	for (unsigned named = 0; named < 4; named++) {
		simple_tables(b);
		for (unsigned v = 1; v <= 2; v++)
			for (unsigned i = 0; i < 4; i++)
				b.one(0, v, kPage + 0x1000 * i);
		b.invalidate(1 << 1, kPage + 0x1000 * named, kPage + 0x1000 * named + 0xfff);
		for (unsigned v = 1; v <= 2; v++)
			for (unsigned i = 0; i < 4; i++) {
				bool kept = v == 2 || i != named;

				b.tap.equal(b.one(0, v, kPage + 0x1000 * i) == 2, kept, "known");
			}
	}
	simple_tables(b);
	for (unsigned i = 0; i < 4; i++)
		b.one(0, 1, kPage + 0x1000 * i);
	b.invalidate(1 << 1, kPage + 0x1000, kPage + 0x2fff);
	for (unsigned i = 0; i < 4; i++)
		b.tap.equal(b.one(0, 1, kPage + 0x1000 * i) == 2, i == 0 || i == 3, "known");
	b.tap.end();

	b.tap.begin("a store asks the tables again when the page is not known to be writable");
	simple_tables(b);
	b.tables().map(b.root[1] & ~0xfffull, kPage, 0x40000000, 0x1000, rf::kReadOnly | rf::kW);
	b.invalidate(2);
	b.one(3, 1, kPage);
	b.tap.equal(b.one(3, 1, kPage), 2, "loads are known");
	b.tap.check(b.one(9, 1, kPage, true) > 2 && b.top.response_fault_o == 0, "D is 0");
	b.tables().map(b.root[1] & ~0xfffull, kPage, 0x40000000, 0x1000);
	b.tap.check(b.one(9, 1, kPage, true) > 2, "D turned 1, no invalidation");
	b.tap.equal(b.one(9, 1, kPage, true), 2, "stores are known");
	b.tap.equal(b.one(3, 1, kPage), 2, "loads too");
	b.tap.end();

	b.tap.begin(
		"INVALIDATE waits for reads of older tables, offered or out, and for no others");
	for (unsigned stage = 0; stage < 3; stage++) {
		simple_tables(b);
		b.read_ready = stage ? 100 : 0;
		b.entry_chance = 0;
		b.ask(0, 1, kPage, false);
		for (unsigned i = 0; i < 8 + 20 * stage; i++)
			b.step();
		b.tap.check(stage ? b.reads.size() == 1 : b.offered, "a read of the root");
		if (stage == 2) { /* of the table behind it */
			b.entry_chance = 100;
			while (!b.reads.empty())
				b.step();
			b.entry_chance = 0;
			while (b.reads.empty())
				b.step();
		}
		b.write(kInvalidate, 2);
		for (unsigned i = 0; i < 4 * kSweep; i++)
			b.step();
		b.tap.equal(b.read(kInvalidate), 2, "busy while the read is offered or out");
		b.read_ready = 100;
		for (unsigned i = 0; i < 20; i++)
			b.step();
		b.tap.equal(b.read(kInvalidate), 2, "busy while the read is out");
		b.entry_chance = 100;
		while (!b.reads.empty())
			b.step();
		b.entry_chance = 0;
		for (unsigned i = 0; i < 20; i++)
			b.step();
		b.tap.equal(b.reads.size(), 1, "the walk has begun again");
		b.tap.equal(b.read(kInvalidate), 0, "done beside it");
		b.entry_chance = 100;
		b.drain();
	}
	b.tap.end();

	b.tap.begin("INVALIDATE: one pulse per round, a write meanwhile is a further round");
	bool epoch = b.top.epoch_o;
	uint64_t flushes = b.flushes;

	b.invalidated = 0;
	b.top.old_in_flight_i = 1;
	b.write(kInvalidate, 0x0011);
	b.tap.equal(b.read(kInvalidate), 0x11, "busy from the next cycle");
	for (unsigned i = 0; i < kSweep; i++)
		b.step();
	b.tap.equal(b.top.epoch_o, !epoch, "a new epoch");
	b.write(kInvalidate, 0x0100);
	b.tap.equal(b.read(kInvalidate), 0x111, "both busy");
	b.top.old_in_flight_i = 0;
	b.step();
	b.top.old_in_flight_i = 1; /* of the second round */
	for (unsigned i = 0; i < kSweep; i++)
		b.step();
	b.tap.equal(b.read(kInvalidate), 0x100, "the first is done");
	b.top.old_in_flight_i = 0;
	b.top.invalidate_busy_i = 1;
	for (unsigned i = 0; i < kSweep; i++)
		b.step();
	b.tap.equal(b.read(kInvalidate), 0x100, "waits for the wait unit too");
	b.top.invalidate_busy_i = 0;
	b.step();
	b.step();
	b.tap.equal(b.read(kInvalidate), 0, "done");
	b.tap.equal(b.invalidated, 0x111, "VMIDs named to the wait unit");
	b.tap.equal(b.flushes - flushes, 2, "rounds");
	b.tap.equal(b.top.epoch_o, epoch, "two epochs later");
	b.tap.end();

	b.tap.begin("INVALIDATE by bytes: those that are written, with the first of them");
	for (unsigned strobe : { 0x01, 0x03, 0x0f, 0xfe, 0xf0 }) {
		b.write(kInvalidate, 0xa55a, strobe);
		b.tap.equal(b.read(kInvalidate),
			    strobe == 1	 ? 0x5a
			    : strobe & 1 ? 0xa55a
					 : 0,
			    "busy");
		while (b.read(kInvalidate))
			;
	}
	b.tap.end();

	b.tap.begin("a write before a round is begun makes it one over whole address spaces");
	simple_tables(b);
	b.one(0, 1, kPage);
	b.one(0, 2, kPage);
	b.top.old_in_flight_i = 1;
	b.write(kInvalidate, 0x8000);
	for (unsigned i = 0; i < kSweep; i++)
		b.step();
	b.write(kFirst, kPage + 0x1000);
	b.write(kLast, kPage + 0x1fff);
	b.write(kInvalidate, 1 << 1);
	b.write(kInvalidate, 1 << 2);
	b.top.old_in_flight_i = 0;
	while (b.read(kInvalidate))
		;
	b.tap.check(b.one(0, 1, kPage) != 2 && b.one(0, 2, kPage) != 2, "both forgotten");
	b.tap.end();
}

/* --- exact cases ------------------------------------------------------------------------------ */

void registers(Bench &b)
{
	b.tap.begin("registers read back as written; halves can be written alone");
	b.write(kFirst, 0x7654321fff);
	b.write(kLast, 0x1111111000);
	b.tap.equal(b.read(kFirst), 0x7654321000, "first");
	b.tap.equal(b.read(kLast), 0x1111111fff, "last");
	b.write(kFirst, 0x1200005000, 0x0f);
	b.tap.equal(b.read(kFirst), 0x7600005000, "low half of first");
	b.write(kLast, 0x2200005000, 0xf0);
	b.tap.equal(b.read(kLast), 0x2211111fff, "high half of last");
	b.write(kFirst, 0x3300006000, 0xf0);
	b.tap.equal(b.read(kFirst), 0x3300005000, "high half of first");
	b.write(kLast, 0x4400006000, 0x0f);
	b.tap.equal(b.read(kLast), 0x2200006fff, "low half of last");
	for (unsigned v = 0; v < 16; v++)
		b.write(kRoot + 8 * v, ~0ull - ((uint64_t)v << 12));
	for (unsigned v = 0; v < 16; v++)
		b.tap.equal(b.read(kRoot + 8 * v), 0x00fffffffffff001ull - ((uint64_t)v << 12),
			    "root");
	b.write(kRoot + 8 * 3, 0x1234567ull << 32, 0xf0);
	b.write(kRoot + 8 * 4, 0x89abc000, 0x0f);
	b.tap.equal(b.read(kRoot + 8 * 3), 0x00234567ffffc001ull, "high half");
	b.tap.equal(b.read(kRoot + 8 * 4), 0x00ffffff89abc000ull, "low half");
	b.tap.equal(b.read(0x2400) & 0xffffffff, 0x00020006, "type and version");
	b.tap.equal(b.read(0x2408), 0x0000248000080010ull, "indexed registers");
	b.write(kFirst, 0);
	b.write(kLast, kEverything);
	for (unsigned v = 0; v < 16; v++)
		b.set_root(v, 0);
	b.tap.end();
}

/* Every place of the TLB: {VMID, page} to {where that is, stores are allowed}. */
std::map<std::pair<unsigned, uint64_t>, std::pair<uint64_t, bool>> look(Bench &b)
{
	std::map<std::pair<unsigned, uint64_t>, std::pair<uint64_t, bool>> found;
	unsigned sets_log2 = b.read(kSelect) >> 16 & 15, places = 2u << sets_log2;

	for (unsigned place = 0; place < places; place++) {
		b.write(kSelect, place >> 1 << 8 | (place & 1));
		b.tap.check(b.read(kSelect) & kBusy, "busy from the next cycle");
		for (unsigned i = 0; b.read(kSelect) & kBusy; i++)
			if (i == 200) {
				b.tap.check(false, "the look has no end");
				return found;
			}
		uint64_t tag = b.read(kTag);

		b.tap.equal(b.read(kSelect) & ~0x1fff01ull, 0, "bits without a field, TLB_SELECT");
		b.tap.equal(tag & ~0x7ffffff0f3ull, 0, "bits without a field, TLB_TAG");
		if (!(tag & 1))
			continue;
		/* the set of a page in either way, as rf_tlb says */
		unsigned page = (tag & 0x7ffffff000) >> 12, vmid = tag >> 4 & 15;
		unsigned hashed = place & 1 ? page ^ page >> sets_log2 : page;

		b.tap.equal(place >> 1, (hashed ^ vmid) & ((1u << sets_log2) - 1), "its set");
		b.tap.check(found.emplace(std::pair(tag >> 4 & 15, tag & 0x7ffffff000),
					  std::pair(b.read(kFound), tag >> 1 & 1))
				    .second,
			    "one page in two places", place);
	}
	return found;
}

void looks(Bench &b)
{
	b.tap.begin("a look into the TLB finds what is known, and forgets nothing of it");
	simple_tables(b);
	b.tap.equal(look(b).size(), 0, "pages after INVALIDATE");
	b.tables().map(b.root[1] & ~0xfffull, kPage + 0x1000, 0x50001000, 0x1000, rf::kReadOnly);
	for (unsigned v = 1; v <= 2; v++)
		for (unsigned i = 0; i < 4; i++)
			b.one(0, v, kPage + 0x1000 * i);
	for (unsigned round = 0; round < 2; round++) {
		auto found = look(b);

		b.tap.equal(found.size(), 8, "pages");
		for (unsigned v = 1; v <= 2; v++)
			for (unsigned i = 0; i < 4; i++) {
				auto page = found[{ v, kPage + 0x1000 * i }];
				bool other = v == 1 && i == 1;

				b.tap.equal(page.first,
					    (other ? 0x50000000 : 0x40000000ull * v) + 0x1000 * i,
					    "where the page is");
				b.tap.equal(page.second, !other, "stores are allowed");
				b.tap.equal(b.one(0, v, kPage + 0x1000 * i), 2, "still known");
			}
	}
	b.invalidate(1 << 1, kPage, kPage + 0x1fff);
	b.tap.equal(look(b).size(), 6, "pages, without those of the range");
	/* one waits for the other, whichever comes first */
	b.write(kFirst, 0);
	b.write(kLast, kEverything);
	b.write(kSelect, 0);
	b.write(kInvalidate, 1 << 2);
	while (b.read(kInvalidate) || (b.read(kSelect) & kBusy))
		;
	b.write(kInvalidate, 1 << 1);
	b.write(kSelect, 0);
	while (b.read(kInvalidate) || (b.read(kSelect) & kBusy))
		;
	b.tap.equal(look(b).size(), 0, "pages");
	b.tap.end();
}

/* A device that is reset knows nothing of before, whatever its RAMs hold. */
void forgets(Bench &b)
{
	b.tap.begin("a reset removes every translation");
	simple_tables(b);
	b.tables().map(b.root[1] & ~0xfffull, kPage, 0x50000000, 0x40000, rf::kReadOnly);
	for (unsigned i = 0; i < 64; i++) {
		b.one(0, 1, kPage + 0x1000 * i);
		for (unsigned k = 0; k < 4; k++)
			b.step();
		/* also where both places of a page had others */
		b.tap.equal(b.one(0, 1, kPage + 0x1000 * i), 2, "known behind its walk");
	}
	b.tap.check(look(b).size() > 16, "pages before it");
	b.clock.reset();
	for (unsigned i = 0; i < 4; i++)
		b.step();
	b.tap.equal(look(b).size(), 0, "pages behind it");
	for (unsigned v = 0; v < 16; v++)
		b.set_root(v, 0);
	b.tap.end();
}

void ports(Bench &b)
{
	b.tap.begin("a known page is answered two cycles behind the grant, to every port at once");
	simple_tables(b);
	for (unsigned i = 0; i < 4; i++)
		b.one(0, 1, kPage + 0x1000 * i, true);
	uint64_t hits = b.hits, misses = b.misses, worst = 0, full[kPorts] = {};

	for (unsigned i = 0; i < 4000; i++) {
		for (unsigned p = 0; p < kPorts; p++) {
			if (!b.asking[p])
				b.ask(p, 1, kPage + 0x1000 * b.random.below(4),
				      b.random.chance(50));
		}
		b.step();
		for (unsigned p = 0; p < kPorts; p++) {
			full[p] += !b.asking[p];
			b.asked[p].waited = b.asking[p] ? b.asked[p].waited + 1 : 0;
			worst = std::max<uint64_t>(worst, b.asked[p].waited);
		}
	}
	b.tap.equal(b.hits - hits, 4000 - 2, "a response a cycle behind the first");
	b.drain();
	b.tap.equal(b.misses, misses, "misses");
	for (unsigned p = 0; p < kPorts; p++)
		b.tap.check(full[p] > 4000 / kPorts / 2, "fair share of a port", full[p]);
	/* Four groups of four, and a cycle more to learn of it. */
	b.tap.check(worst <= 16, "longest wait", worst, 16);
	b.tap.end();

	b.tap.begin("every port is served in every second cycle");
	for (unsigned p = 0; p < kPorts; p++) {
		hits = b.hits;
		for (unsigned i = 0; i < 50; i++) {
			b.ask(p, 1, kPage + 0x1000 * (i % 4), true);
			b.step();
			b.tap.check(b.asking[p], "learns of it a cycle later");
			b.step();
			b.tap.check(!b.asking[p], "learns of it then");
		}
		b.drain();
		b.tap.equal(b.hits - hits, 50, "hits");
	}
	b.tap.end();

	b.tap.begin("responses of a port come in order behind a miss");
	for (unsigned port : { 0u, 8u, 13u }) {
		for (unsigned distance = 0; distance < 6; distance++) {
			b.invalidate(1 << 1, kPage, kPage + 0xfff);
			b.ask(port, 1, kPage, true);
			while (b.asking[port])
				b.step();
			for (unsigned i = 0; i < distance; i++)
				b.step();
			/* Known pages, to which the responses must not come first. */
			for (unsigned i = 1; i < 4; i++) {
				b.ask(port, 1, kPage + 0x1000 * i, true);
				while (b.asking[port])
					b.step();
			}
			b.drain();
		}
	}
	b.tap.end();

	b.tap.begin("misses of other ports do not hold up a port");
	b.invalidate(1 << 2);
	b.entry_chance = 0;
	for (unsigned p = 1; p < kPorts; p++)
		b.ask(p, 2, kPage + 0x1000 * (p % 4), false);
	for (unsigned i = 0; i < 30; i++)
		b.step();
	hits = b.hits;
	for (unsigned i = 0; i < 20; i++)
		b.tap.equal(b.one(0, 1, kPage), 2, "cycles of a hit");
	b.tap.check(!b.top.idle_o, "walks are work");
	b.entry_chance = 100;
	b.drain();
	b.tap.end();

	b.tap.begin("a walk takes three entries, a 2 MiB page two, a 1 GiB page one");
	rf::PageTables tables = b.tables();
	uint64_t root = b.root[1] & ~0xfffull, entries;

	tables.set(root, 0x200000000, 1, rf::entry(0x7654200000, rf::kReadWrite));
	tables.set(root, 0x40000000, 2, rf::entry(0x5fffc0000000, rf::kReadWrite));
	const struct {
		uint64_t va;
		unsigned entries;
	} walks[] = { { kPage + 0x3000, 3 }, { 0x2001ff000, 2 }, { 0x7ffff000, 1 } };

	b.invalidate(1 << 1);
	for (auto &w : walks) {
		entries = b.entries;
		b.one(5, 1, w.va);
		b.tap.equal(b.entries - entries, w.entries, "entries read");
		b.tap.equal(b.one(5, 1, w.va), 2, "known then");
		entries = b.entries;
		b.tap.check(b.one(5, 1, w.va ^ 0x1000) > 2, "page by page");
		b.tap.equal(b.entries - entries, w.entries == 3 ? 1 : w.entries,
			    "entries read for the page beside it");
	}
	b.tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	rf::Tap tap;
	Bench bench(tap);

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("after reset every access faults, before any entry");
	for (unsigned v = 0; v < 16; v++)
		for (uint64_t va : { 0ull, 0x3fffffffffull, ~0ull, 1ull << 38 })
			bench.one(v % kPorts, v, va);
	tap.equal(bench.faults[3], 64, "faults of level 3");
	tap.equal(bench.entries, 0, "entries read");
	tap.end();
	registers(bench);
	looks(bench);
	forgets(bench);
	ports(bench);
	ranges(bench);
	random_tables(bench);
	random_invalidation(bench);
	return tap.status();
}
