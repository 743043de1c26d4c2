/* SPDX-License-Identifier: Apache-2.0 */
// parameters: -GLocalMemoryLog2=17 -DRF_CLOCK_GATES
/*
 * The whole memory system: random masters against a reference model, then the
 * cases that have an exact response. The bench owns the other side of every port:
 * seven read masters, five write masters, the CPU, and rf_pcie with system memory.
 *
 * The reference knows no inside of the device. A local write happens when its beat
 * is taken; a system write when the bench, as rf_pcie, says accepted. A local read may
 * give any value that the word had between the first cycle in which it could
 * have been read and its response. The translation sleeps, as in a simulation: so it is seen
 * whether it wakes.
 */
#include <deque>
#include <map>
#include <vector>

#include "Vrf_memory.h"
#include "bits.h"
#include "harness.h"
#include "page_tables.h"

namespace {

constexpr unsigned kReads = 7, kWrites = 5, kLocalLog2 = 17;
/* The lower half of local memory is for the accesses, the upper for page tables. */
constexpr uint64_t kLocalBytes = 1ull << (kLocalLog2 - 1);
constexpr unsigned kTableMaster = 7;
constexpr unsigned kOk = 0, kTranslation = 1, kPoisoned = 4, kBusMaster = 6;

/* Offsets of BAR 0, as ringfence.toml has them; written out so that a wrong package fails. */
constexpr uint64_t kInvalidate = 0x2410, kRoot = 0x2480;

template <class Wide> void put(Wide &wide, unsigned lsb, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned bit = lsb + i;

		wide[bit / 32] &= ~(1u << (bit % 32));
		wide[bit / 32] |= static_cast<uint32_t>((value >> i) & 1) << (bit % 32);
	}
}

template <class Wide> uint64_t get(const Wide &wide, unsigned lsb, unsigned width)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value |= static_cast<uint64_t>((wide[(lsb + i) / 32] >> ((lsb + i) % 32)) & 1) << i;
	return value;
}

uint64_t merge(uint64_t old, uint64_t data, unsigned strobe)
{
	for (unsigned b = 0; b < 8; b++) {
		if (strobe & (1u << b)) {
			uint64_t mask = 0xffull << (8 * b);

			old = (old & ~mask) | (data & mask);
		}
	}
	return old;
}

struct Place {
	bool fault, local;
	uint64_t address;
	unsigned level; /* of a fault */
};

/* What a VMID maps: system memory in a row, and all of local memory */
constexpr uint64_t kSystemBytes = 1 << 20;

struct Space {
	uint64_t root = 0 /* the register */, table = 0, system = 0, local = 0;
	uint64_t read_only = 0; /* a page */
};

struct Read {
	unsigned vmid, words, id;
	uint64_t va;
	Place place;
	uint64_t since; /* the earliest cycle in which a word may be read */
	unsigned got = 0;
	bool free = false; /* hold was low: it may have been issued */
	bool offered = false; /* system: seen by rf_pcie */
	std::deque<std::pair<uint64_t, unsigned>> sent; /* system: data, status */
	uint64_t accepted_cycle = 0;
};

struct Write {
	uint64_t serial;
	unsigned vmid, words, first, last;
	uint64_t va;
	Place place;
	std::vector<uint64_t> data;
	unsigned moved = 0;
	unsigned accepted = 0; /* beats performed or swallowed */
	unsigned told = 0; /* full beats of a system write snooped */
	unsigned full = 0; /* full beats accepted with status ok */
	unsigned status = kOk;
	bool complete = false; /* every beat performed */
	uint64_t complete_cycle = 0;
	unsigned strobe(unsigned beat) const
	{
		return beat == 0 ? first : beat == words - 1 ? last : 0xff;
	}
};

struct Snoop {
	bool local;
	uint64_t address, data, cycle;
	Write *write;
};

struct Beat {
	unsigned master;
	Write *write;
	unsigned number;
	uint64_t cycle;
};

struct Knobs {
	unsigned read_chance = 0, write_chance = 0, data_chance = 100, hold_chance = 0;
	unsigned cpu_write_chance = 0, cpu_read_chance = 0;
	unsigned system_ready = 100, accept_chance = 100, response_chance = 100, error_chance = 0;
	unsigned fault_chance = 0, local_chance = 50, invalidate_chance = 0, wait_chance = 0;
	unsigned words_max = 64, read_mask = 0x7f, write_mask = 0x1f;
	unsigned vmids = 16, pages = 256; /* system pages of each */
	unsigned moving_chance = 0;
	bool bus_master = true;
};

class Bench {
public:
	Vrf_memory top;
	rf::Clock<Vrf_memory> clock{ top };
	rf::Random random{ rf::seed() };
	rf::Tap &tap;
	Knobs knobs;

	Space space[16];
	std::map<uint64_t, uint64_t> tables; /* entries by physical address */
	uint64_t next_table[2] = { 0x700000000, rf::kLocalBit | kLocalBytes };
	struct TableRead {
		unsigned id, echo;
		uint64_t address;
	};
	std::deque<TableRead> table_reads;
	uint64_t walks = 0;

	/* A page of VMID 1 that moves from one place in system memory to another */
	uint64_t moving = 1, moving_from = 0, moving_to = 0;
	bool moving_done = false;
	uint64_t moving_old = 0, moving_new = 0;
	std::vector<std::vector<std::pair<uint64_t, uint64_t>>> history; /* word: (cycle, value) */
	std::map<uint64_t, uint64_t> memory; /* system, by word */

	/* masters */
	std::deque<Read> reading[kReads];
	bool read_asked[kReads] = {};
	Read read_next[kReads];
	bool held[kReads] = {};
	uint64_t read_since[kReads] = {};
	std::deque<Write *> writing[kWrites]; /* not yet done */
	std::deque<Write *> to_request[kWrites], to_move[kWrites];
	bool data_offered[kWrites] = {};
	std::deque<Beat> posted;
	std::deque<Snoop> system_snoops;
	std::deque<Snoop> local_snoops;

	/* counters that show that a run did something */
	uint64_t reads_done = 0, writes_done = 0, snoops = 0, faults = 0, cpu_reads = 0;
	uint64_t cpu_writes = 0, invalidations = 0, same_cycle = 0, waits = 0;
	uint64_t wait_faults = 0, fault_events = 0;
	uint64_t worst_read = 0, worst_beat = 0, worst_cpu = 0;
	uint64_t read_words[kReads] = {};
	uint64_t beat_since[kWrites] = {}, cpu_write_since = 0, cpu_read_since = 0;

	/* what the last cycle showed, for the exact cases */
	bool saw_response = false, saw_system_read = false, saw_system_write = false;
	unsigned saw_done = 0, saw_data_ready = 0, saw_read_ready = 0, saw_write_ready = 0;
	bool saw_snoop = false;
	unsigned saw_response_status = 0, saw_response_master = 0;
	uint64_t saw_response_data = 0, saw_address = 0;

	/* registers */
	bool register_valid = false, register_write = false, register_response = false;
	uint64_t register_address = 0, register_data = 0, register_result = 0;
	unsigned register_strobe = 0xff;
	bool invalidating = false;
	uint64_t invalidate_cycle = 0;
	unsigned wait_busy = 0;
	std::map<std::pair<unsigned, unsigned>, uint64_t> old_reads;
	std::vector<std::pair<unsigned, uint64_t>> old_writes; /* master, serial */
	uint64_t serials = 0;

	/* wait unit */
	bool wait_asked = false, wait_pending = false;
	uint64_t wait_va = 0;
	unsigned wait_vmid = 0;

	bool cpu_write = false, cpu_read = false, cpu_read_pending = false;
	uint64_t cpu_write_address = 0, cpu_write_data = 0, cpu_read_address = 0, cpu_read_want = 0;
	unsigned cpu_strobe = 0;

	explicit Bench(rf::Tap &t) : tap(t), history(kLocalBytes / 8)
	{
		clear();
		clock.reset();
		for (unsigned i = 0; i < 20; i++)
			clock.tick();
		/* The block RAM starts with anything: the CPU clears it. */
		for (unsigned v = 0; v < 15; v++)
			make_space(v, v == 2 || v == 4 || v == 6);
		for (uint64_t w = 0; w < kLocalBytes / 8; w++) {
			store(8 * w, 0);
			history[w] = { { 0, 0 } };
		}
		for (auto &at : tables) {
			if (!(at.first & rf::kLocalBit))
				continue;
			store(at.first & ~rf::kLocalBit, at.second);
		}
		top.local_write_valid_i = 0;
		clock.tick();
		clock.tick();
	}

	~Bench() { top.final(); }

	/* rf_bus_pkg::local_write_t */
	void put_local_write(uint64_t address, uint64_t data, unsigned strobe)
	{
		put(top.local_write_i, 0, 8, strobe);
		put(top.local_write_i, 8, 64, data);
		put(top.local_write_i, 72, 29, address >> 3);
	}

	/* A store of the CPU, until it is taken */
	void store(uint64_t address, uint64_t data)
	{
		top.local_write_valid_i = 1;
		put_local_write(address, data, 0xff);
		top.eval();
		while (!top.local_write_ready_o)
			clock.tick();
		clock.tick();
	}

	/* rf_bus_pkg::wait_translate_t */
	void put_wait(bool valid, unsigned vmid, uint64_t va)
	{
		put(top.wait_translate_i, 0, 61, va >> 3);
		put(top.wait_translate_i, 61, 4, vmid);
		put(top.wait_translate_i, 65, 1, valid);
	}

	void clear()
	{
		top.read_valid_i = 0;
		top.read_hold_i = 0;
		top.write_valid_i = 0;
		top.write_data_valid_i = 0;
		top.local_write_valid_i = 0;
		top.local_read_valid_i = 0;
		top.system_read_ready_i = 0;
		top.system_response_valid_i = 0;
		top.system_write_ready_i = 0;
		top.system_write_accepted_i = 0;
		put_wait(false, 0, 0);
		top.invalidate_busy_i = 0;
		put(top.register_i, 0, 88, 0);
	}

	/* --- page tables --------------------------------------------------------------- */
	Place translate(unsigned vmid, uint64_t va, bool store = false) const
	{
		rf::Translation t = rf::walk(
			space[vmid].root, va, store, kLocalLog2, [&](uint64_t at, uint64_t &value) {
				auto found = tables.find(at);

				value = found == tables.end() ? 0 : found->second;
				return true;
			});

		return { t.fault, (t.physical & rf::kLocalBit) != 0, t.physical & ~rf::kLocalBit,
			 t.level };
	}

	void make_space(unsigned vmid, bool local_tables)
	{
		uint64_t &next = next_table[local_tables];
		rf::PageTables build = { [&](uint64_t at) { return tables[at]; },
					 [&](uint64_t at, uint64_t value) { tables[at] = value; },
					 [&] { return next += 4096; } };
		Space &s = space[vmid];
		uint64_t root = next;

		if (local_tables)
			for (uint64_t i = 0; i < 5 * 4096; i += 8)
				tables[root + i] = 0;
		s.table = root;
		s.system = 0x100000000ull * (vmid + 3);
		s.local = 0x3000000000ull + ((uint64_t)vmid << 24);
		build.map(root, s.system, 0x40000000ull + vmid * kSystemBytes, kSystemBytes);
		build.map(root, s.local, rf::kLocalBit, kLocalBytes);
		/* Two pages that lead behind local memory */
		build.map(root, s.local + kLocalBytes, rf::kLocalBit | 1ull << kLocalLog2, 0x2000);
		s.read_only = s.local + kLocalBytes + 0x2000;
		build.map(root, s.read_only, 0x48000000ull + vmid * 4096, 4096, rf::kReadOnly);
		next += 4096;
	}

	void set_entry(unsigned vmid, uint64_t va, uint64_t physical)
	{
		rf::PageTables change = { [&](uint64_t at) { return tables[at]; },
					  [&](uint64_t at, uint64_t value) { tables[at] = value; },
					  [] { return uint64_t(0); } };

		change.map(space[vmid].root & ~0xfffull, va, physical, 4096);
	}

	bool is_moving(unsigned vmid, uint64_t va) const
	{
		return vmid == 1 && va >> 12 == moving >> 12;
	}

	/* An access to the moving page begins: it goes to the old place or to the new. */
	void resolve(unsigned vmid, uint64_t va, Place &place, uint64_t address)
	{
		if (!is_moving(vmid, va))
			return;
		if (address >> 12 == moving_from >> 12) {
			tap.check(!moving_done, "access to the old place behind INVALIDATE",
				  address);
			moving_old++;
		} else {
			moving_new++;
		}
		place.address = (address >> 12 == moving_from >> 12 ? moving_from : moving_to) |
				(va & 0xfff);
	}

	void write_register(uint64_t address, uint64_t data, unsigned strobe = 0xff)
	{
		register_valid = register_write = true;
		register_address = address;
		register_data = data;
		register_strobe = strobe;
		step();
	}

	uint64_t read_register(uint64_t address)
	{
		register_valid = true;
		register_write = false;
		register_address = address;
		step();
		step(); /* the response shows one cycle behind */
		return register_result;
	}

	void set_roots()
	{
		for (unsigned v = 0; v < 15; v++) {
			space[v].root = space[v].table | 1;
			write_register(kRoot + 8 * v, space[v].root);
		}
	}

	uint64_t random_va(unsigned vmid, bool want_local, bool want_fault)
	{
		const Space &s = space[vmid];

		if (want_fault) {
			switch (random.below(4)) {
			case 0:
				return s.system + kSystemBytes + 8 * random.below(512);
			case 1:
				return s.system - 4096 + 8 * random.below(512);
			case 2:
				return s.local + kLocalBytes + 8 * random.below(1024);
			default:
				return random.next() & ~7ull;
			}
		}
		if (random.chance(3))
			return s.read_only + 8 * random.below(512);
		if (vmid == 1 && random.chance(knobs.moving_chance))
			return (moving & ~0xfffull) + 8 * random.below(512);
		if (want_local)
			return s.local +
			       8 * random.below(kLocalBytes / 8 / (random.chance(50) ? 64 : 1));
		return s.system + 4096 * random.below(knobs.pages) + 8 * random.below(512);
	}

	/* --- making work --------------------------------------------------------------- */
	Read make_read(unsigned m)
	{
		Read r;

		r.vmid = random.below(knobs.vmids);
		r.va = random_va(r.vmid, random.chance(knobs.local_chance),
				 random.chance(knobs.fault_chance));
		uint64_t room = (4096 - (r.va & 4095)) / 8;
		unsigned most = random.chance(60) ? 5 : knobs.words_max;

		r.words = 1 + random.below(most);
		if (m >= 2 && m <= 4)
			r.words = 1;
		if (r.words > room)
			r.words = room;
		r.place = translate(r.vmid, r.va);
		return r;
	}

	Write *make_write()
	{
		Write *w = new Write;

		w->vmid = random.below(knobs.vmids);
		w->va = random_va(w->vmid, random.chance(knobs.local_chance),
				  random.chance(knobs.fault_chance));
		uint64_t room = (4096 - (w->va & 4095)) / 8;
		unsigned most = random.chance(60) ? 3 : 32;

		w->words = 1 + random.below(most);
		if (w->words > room)
			w->words = room;
		w->first = random.chance(70) ? 0xff : (0xff << random.below(8)) & 0xff;
		w->last = random.chance(70) ? 0xff : 0xff >> random.below(8);
		if (w->words == 1 && random.chance(20))
			w->first = 1u << random.below(8);
		w->place = translate(w->vmid, w->va, true);
		for (unsigned i = 0; i < w->words; i++)
			w->data.push_back(random.next());
		return w;
	}

	void add_write(unsigned m, Write *w)
	{
		w->serial = serials++;
		to_request[m].push_back(w);
		to_move[m].push_back(w);
		writing[m].push_back(w);
	}

	void add_read(unsigned m, unsigned vmid, uint64_t va, unsigned words, unsigned id)
	{
		Read r;

		r.vmid = vmid;
		r.va = va;
		r.words = words;
		r.id = id;
		r.place = translate(vmid, va);
		read_next[m] = r;
		read_asked[m] = true;
		read_since[m] = clock.cycle;
	}

	/* Its translations are known, and nothing is under way. */
	void warm(unsigned vmid, std::vector<uint64_t> pages)
	{
		for (uint64_t va : pages) {
			add_read(0, vmid, va, 1, 0);
			drain();
		}
	}

	Write *simple_write(unsigned vmid, uint64_t va, std::vector<uint64_t> data)
	{
		Write *w = new Write;

		w->vmid = vmid;
		w->va = va;
		w->words = data.size();
		w->first = w->last = 0xff;
		w->data = data;
		w->place = translate(vmid, va);
		return w;
	}

	uint64_t local_now(uint64_t word) const { return history[word].back().second; }

	void commit(uint64_t address, uint64_t data, unsigned strobe, Write *write)
	{
		uint64_t word = (address % kLocalBytes) / 8;

		history[word].push_back({ clock.cycle, merge(local_now(word), data, strobe) });
		if (history[word].size() > 4000)
			history[word].erase(history[word].begin(), history[word].begin() + 2000);
		if (strobe == 0xff)
			local_snoops.push_back({ true, address, data, clock.cycle, write });
	}

	bool was(uint64_t word, uint64_t since, uint64_t value) const
	{
		const auto &h = history[word];

		for (size_t i = h.size(); i-- > 0;) {
			if (h[i].second == value)
				return true;
			if (h[i].first < since)
				break; /* this value already held at `since` */
		}
		return false;
	}

	/* --- one cycle -------------------------------------------------------------------- */
	void drive()
	{
		for (unsigned m = 0; m < kReads; m++) {
			if (!read_asked[m] && (knobs.read_mask >> m & 1) && reading[m].size() < 8 &&
			    random.chance(knobs.read_chance)) {
				Read r = make_read(m);
				bool taken;

				do {
					r.id = random.below(32);
					taken = false;
					for (auto &other : reading[m])
						taken |= other.id == r.id;
				} while (taken);
				read_next[m] = r;
				read_asked[m] = true;
				read_since[m] = clock.cycle;
			}
			held[m] = (m == 3 || m == 4) && random.chance(knobs.hold_chance);
			if (read_asked[m]) {
				Read &r = read_next[m];

				put(top.read_i, m * 80, 5, r.id);
				put(top.read_i, m * 80 + 5, 7, r.words);
				put(top.read_i, m * 80 + 12, 64, r.va);
				put(top.read_i, m * 80 + 76, 4, r.vmid);
			}
			top.read_valid_i = (top.read_valid_i & ~(1u << m)) | (read_asked[m] << m);
			if (!hold_by_hand)
				top.read_hold_i = (top.read_hold_i & ~(1u << m)) | (held[m] << m);
			else
				held[m] = top.read_hold_i >> m & 1;
		}
		for (unsigned m = 0; m < kWrites; m++) {
			if (writing[m].size() < 12 && (knobs.write_mask >> m & 1) &&
			    random.chance(knobs.write_chance))
				add_write(m, make_write());
			bool ask = !to_request[m].empty();

			if (ask) {
				Write *w = to_request[m].front();

				put(top.write_i, m * 87, 8, w->last);
				put(top.write_i, m * 87 + 8, 8, w->first);
				put(top.write_i, m * 87 + 16, 6, w->words);
				put(top.write_i, m * 87 + 22, 61, w->va >> 3);
				put(top.write_i, m * 87 + 83, 4, w->vmid);
			}
			top.write_valid_i = (top.write_valid_i & ~(1u << m)) | (ask << m);
			if (!data_offered[m] && !to_move[m].empty() &&
			    random.chance(knobs.data_chance)) {
				data_offered[m] = true;
				beat_since[m] = clock.cycle;
			}
			if (data_offered[m])
				put(top.write_data_i, m * 64, 64,
				    to_move[m].front()->data[to_move[m].front()->moved]);
			top.write_data_valid_i =
				(top.write_data_valid_i & ~(1u << m)) | (data_offered[m] << m);
		}
		if (!cpu_write && random.chance(knobs.cpu_write_chance)) {
			cpu_write = true;
			cpu_write_since = clock.cycle;
			cpu_write_address =
				8 * random.below(kLocalBytes / 8 / (random.chance(50) ? 64 : 1));
			cpu_write_data = random.next();
			cpu_strobe = random.chance(70) ? 0xff : random.below(256);
		}
		top.local_write_valid_i = cpu_write;
		put_local_write(cpu_write_address, cpu_write_data, cpu_strobe);
		if (!cpu_read && random.chance(knobs.cpu_read_chance)) {
			cpu_read = true;
			cpu_read_since = clock.cycle;
			cpu_read_address = cpu_write && random.chance(50)
						   ? cpu_write_address
						   : 8 * random.below(kLocalBytes / 8 /
								      (random.chance(50) ? 64 : 1));
		}
		top.local_read_valid_i = cpu_read;
		top.local_read_address_i = cpu_read_address >> 3;

		top.system_read_ready_i = random.chance(knobs.system_ready);
		top.system_write_ready_i = random.chance(knobs.system_ready);

		/* rf_pcie accepts posted beats in order and tells in the next cycle */
		/* rf_bus_pkg::write_accepted_t */
		top.system_write_accepted_i = accepting << 4 | accepted_last << 3 | accepted_status;
		accepting = !posted.empty() && random.chance(knobs.accept_chance);
		if (accepting) {
			Beat &b = posted.front();

			if (b.number == 0)
				b.write->status = knobs.bus_master ? kOk : kBusMaster;
			accepted_last = b.number == b.write->words - 1;
			accepted_status = b.write->status;
		}
		/* and answers reads in any order between requests */
		top.system_response_valid_i = 0;
		if (random.chance(knobs.response_chance)) {
			std::vector<std::pair<unsigned, Read *>> open;

			for (unsigned m = 0; m < kReads; m++)
				for (auto &r : reading[m])
					if (r.offered && !ended(r))
						open.push_back({ m, &r });
			if (!table_reads.empty() && (open.empty() || random.chance(50))) {
				auto at = table_reads.begin() + random.below(table_reads.size());

				top.system_response_valid_i = 1;
				put(top.system_response_i, 0, 64,
				    tables.count(at->address) ? tables[at->address] : 0);
				put(top.system_response_i, 64, 5, 0);
				put(top.system_response_i, 69, 1, 1);
				put(top.system_response_i, 70, 5, at->id);
				put(top.system_response_i, 75, 4, at->echo);
				table_reads.erase(at);
			} else if (!open.empty()) {
				auto pick = open[random.below(open.size())];
				Read &r = *pick.second;
				uint64_t word = r.place.address / 8 + r.sent.size();
				unsigned status =
					random.chance(knobs.error_chance) ? kPoisoned : kOk;
				uint64_t data = memory.count(word) ? memory[word]
								   : ~word * 0x9e3779b97f4a7c15ull;
				bool last = status || r.sent.size() + 1 == r.words;

				r.sent.push_back({ data, status });
				top.system_response_valid_i = 1;
				put(top.system_response_i, 0, 64, data);
				put(top.system_response_i, 64, 2, 0);
				put(top.system_response_i, 66, 3, status);
				put(top.system_response_i, 69, 1, last);
				put(top.system_response_i, 70, 5, r.id);
				put(top.system_response_i, 75, 4, echoed[pick.first][r.id]);
			}
		}
		/* registers */
		if (!register_valid && knobs.invalidate_chance) {
			if (!invalidating && random.chance(knobs.invalidate_chance)) {
				register_valid = register_write = true;
				register_address = kInvalidate;
				register_data = 1 + random.below(0xffff);
				register_strobe = 0xff;
				invalidating = true;
				invalidate_cycle = clock.cycle;
				old_reads.clear();
				old_writes.clear();
				/* Those that wait for their translation have a newer one. */
				for (unsigned m = 0; m < kReads; m++)
					for (auto &r : reading[m])
						if (r.offered || r.got)
							old_reads[{ m, r.id }] = r.accepted_cycle;
				for (unsigned m = 0; m < kWrites; m++)
					for (auto *w : writing[m])
						if (w->moved && !w->complete)
							old_writes.push_back({ m, w->serial });
			} else if (invalidating && random.chance(30)) {
				register_valid = true;
				register_write = false;
				register_address = kInvalidate;
			}
		}
		put(top.register_i, 0, 8, register_strobe);
		put(top.register_i, 8, 64, register_data);
		put(top.register_i, 72, 14, register_address >> 3);
		put(top.register_i, 86, 1, register_write);
		put(top.register_i, 87, 1, register_valid);
		top.invalidate_busy_i = wait_busy != 0;
		/* wait unit */
		if (!wait_asked && !wait_pending && random.chance(knobs.wait_chance)) {
			wait_asked = true;
			wait_vmid = random.below(knobs.vmids);
			wait_va = random_va(wait_vmid, random.chance(50), random.chance(10));
		}
		/* Once it is taken, anything may be there. */
		put_wait(wait_asked, wait_asked ? wait_vmid : random.below(16),
			 wait_asked ? wait_va : random.next());
	}

	static bool ended(const Read &r)
	{
		return r.sent.size() == r.words || (!r.sent.empty() && r.sent.back().second != kOk);
	}

	void observe()
	{
		uint64_t now = clock.cycle;

		/* --- registers: the response to the cycle before */
		if (register_response) {
			register_result = top.register_data_o;
			if (knobs.invalidate_chance && invalidating && register_result == 0 &&
			    now >= invalidate_cycle + 2) {
				invalidating = false;
				invalidations++;
				for (auto &old : old_reads)
					for (auto &r : reading[old.first.first])
						tap.check(
							!(r.id == old.first.second &&
							  r.accepted_cycle == old.second),
							"invalidation done before an older read ended",
							old.first.first);
				for (auto &old : old_writes)
					for (auto *w : writing[old.first])
						tap.check(w->serial != old.second,
							  "invalidation done before an older write",
							  old.first);
			}
		} else {
			tap.check(top.register_data_o == 0, "registers quiet when not asked",
				  top.register_data_o);
		}
		register_response = register_valid && !register_write;
		if (top.invalidate_o) {
			wait_busy = 1 + random.below(20);
		} else if (wait_busy) {
			wait_busy--;
		}

		/* --- responses */
		saw_response = get(top.response_o, 86, 1);
		if (saw_response)
			check_response();

		/* --- requests taken */
		saw_read_ready = top.read_ready_o & top.read_valid_i;
		for (unsigned m = 0; m < kReads; m++) {
			if (saw_read_ready >> m & 1) {
				Read r = read_next[m];

				tap.check(read_asked[m], "read taken without a request", m);
				r.since = r.accepted_cycle = now;
				worst_read = std::max(worst_read, now - read_since[m]);
				reading[m].push_back(r);
				read_asked[m] = false;
			}
			for (auto &r : reading[m]) {
				r.free |= !held[m];
				if (!r.free)
					r.since = now + 1;
			}
		}
		/* --- system reads offered */
		saw_system_read = top.system_read_valid_o;
		if (top.system_read_valid_o)
			check_stable(stable_read, top.system_read_o.data(), 3,
				     "system read changed");
		else
			stable_read.clear();
		if (top.system_read_valid_o && top.system_read_ready_i) {
			unsigned m = get(top.system_read_o, 5, 3),
				 id = get(top.system_read_o, 0, 5);
			bool found = false;

			stable_read.clear();
			if (m == kTableMaster) {
				tap.equal(get(top.system_read_o, 9, 7), 1, "words of an entry");
				table_reads.push_back(
					{ id, static_cast<unsigned>(get(top.system_read_o, 5, 4)),
					  get(top.system_read_o, 16, 52) << 3 });
				walks++;
				found = true;
			}
			for (auto &r : reading[m % kReads]) {
				if (m == kTableMaster || r.id != id || r.offered)
					continue;
				found = true;
				tap.check(r.free, "held read offered");
				resolve(r.vmid, r.va, r.place, get(top.system_read_o, 16, 52) << 3);
				r.offered = true;
				echoed[m][id] = get(top.system_read_o, 5, 4);
				tap.check(!r.place.fault && !r.place.local,
					  "read of a fault or local went to the system", r.va);
				tap.equal(get(top.system_read_o, 16, 52) << 3, r.place.address,
					  "address of a system read");
				tap.equal(get(top.system_read_o, 9, 7), r.words,
					  "words of a system read");
			}
			tap.check(found, "system read without a request", m);
		}

		/* --- snoop: what happened before this cycle */
		check_snoop();

		/* --- done */
		saw_done = rf::bits(top.write_done_o, 25, 5); /* rf_bus_pkg::write_done_t */
		for (unsigned m = 0; m < kWrites; m++) {
			if (!(saw_done >> m & 1)) {
				if (!writing[m].empty() && writing[m].front()->complete &&
				    (writing[m].front()->place.local ||
				     writing[m].front()->place.fault))
					tap.check(writing[m].front()->complete_cycle + 1 > now,
						  "local write not done in the next cycle", m);
				continue;
			}
			tap.check(!writing[m].empty(), "done of no write", m);
			if (writing[m].empty())
				continue;
			Write *w = writing[m].front();
			unsigned status = rf::bits(top.write_done_o, 10 + 3 * m, 3);

			tap.check(w->complete && w->complete_cycle < now, "done before performed",
				  m, w->moved);
			tap.equal(status, w->place.fault ? kTranslation : w->status,
				  "status of a done");
			tap.equal(rf::bits(top.write_done_o, 2 * m, 2),
				  w->place.fault ? w->place.level : 0, "level of a done");
			tap.check(w->told == w->full || w->place.local, "done before snooped", m);
			writing[m].pop_front();
			writes_done++;
			faults += w->place.fault;
			bury(w);
		}

		/* --- writes: requests and beats */
		saw_write_ready = top.write_ready_o & top.write_valid_i;
		for (unsigned m = 0; m < kWrites; m++)
			if (saw_write_ready >> m & 1)
				to_request[m].pop_front();
		saw_system_write = top.system_write_valid_o;
		saw_data_ready = top.write_data_ready_o & top.write_data_valid_i;
		unsigned local_beats = 0;

		/* A CPU write and a beat never commit in the same cycle: any order will do. */
		for (unsigned m = 0; m < kWrites; m++) {
			if (!(saw_data_ready >> m & 1))
				continue;
			Write *w = to_move[m].front();
			unsigned b = w->moved++;

			worst_beat = std::max(worst_beat, now - beat_since[m]);
			data_offered[m] = false;
			tap.check(to_request[m].empty() || to_request[m].front() != w,
				  "beat moved before its request was taken", m);
			if (w->place.fault || w->place.local) {
				local_beats++;
				for (auto *earlier : writing[m]) {
					if (earlier == w)
						break;
					tap.check(
						earlier->complete,
						"local write before an earlier system write is performed",
						m);
				}
				if (!w->place.fault)
					commit(w->place.address + 8 * b, w->data[b], w->strobe(b),
					       w);
				w->accepted++;
			} else {
				tap.check(!offered.write && top.system_write_valid_o &&
						  top.system_write_ready_i,
					  "system beat that is not offered, or not taken", m);
				if (b == 0)
					resolve(w->vmid, w->va, w->place,
						get(top.system_write_o, 88, 52) << 3);
				tap.equal(get(top.system_write_o, 143, 1),
					  get(top.system_write_o, 88, 52) >> 29 != 0,
					  "length of the header of a system write");
				tap.equal(get(top.system_write_o, 0, 1), b == w->words - 1,
					  "last of a system write");
				tap.equal(get(top.system_write_o, 1, 1), b == 0,
					  "first of a system write");
				tap.equal(get(top.system_write_o, 2, 64), w->data[b],
					  "data of a system write");
				tap.equal(get(top.system_write_o, 66, 8), w->last, "last strobe");
				tap.equal(get(top.system_write_o, 74, 8), w->first, "first strobe");
				tap.equal(get(top.system_write_o, 82, 6), w->words,
					  "words of a system write");
				tap.equal(get(top.system_write_o, 140, 1),
					  (w->words == 1 ? w->first : w->last) >> 4 != 0,
					  "high DW last");
				tap.equal(get(top.system_write_o, 141, 2),
					  w->first & 15	  ? 0
					  : w->words == 1 ? 1
							  : 2,
					  "high DW first");
				tap.equal(get(top.system_write_o, 88, 52) << 3, w->place.address,
					  "address of a system write");
				if (b != 0)
					tap.check(sending == w,
						  "beats of one system write not contiguous", m);
				else
					tap.check(sending == nullptr, "write began inside another",
						  m);
				sending = b == w->words - 1 ? nullptr : w;
				offered = { m, w, b, now };
			}
			if (w->moved == w->words) {
				to_move[m].pop_front();
				if (w->place.fault || w->place.local) {
					w->complete = true;
					w->complete_cycle = now;
				}
			}
		}
		tap.check(!offered.write == !(top.system_write_valid_o && top.system_write_ready_i),
			  "system beat that no master gave");
		if (top.system_write_valid_o && top.system_write_ready_i) {
			offered.cycle = now;
			posted.push_back(offered);
			offered.write = nullptr;
		}

		/* --- posted stream: performed in this cycle */
		if (accepting) {
			/* the beat at the front when inputs were driven */
			Beat b = posted.front();

			posted.pop_front();
			if (b.write->status == kOk) {
				uint64_t word = b.write->place.address / 8 + b.number;
				unsigned strobe = b.write->strobe(b.number);

				memory[word] =
					merge(memory.count(word) ? memory[word]
								 : ~word * 0x9e3779b97f4a7c15ull,
					      b.write->data[b.number], strobe);
				if (strobe == 0xff) {
					b.write->full++;
					system_snoops.push_back({ false, word * 8,
								  b.write->data[b.number], now,
								  b.write });
				}
			}
			if (++b.write->accepted == b.write->words) {
				b.write->complete = true;
				b.write->complete_cycle = now;
			}
		}

		/* --- CPU */
		if (cpu_write && top.local_write_ready_o) {
			local_beats++;
			commit(cpu_write_address, cpu_write_data, cpu_strobe, nullptr);
			cpu_write = false;
			cpu_writes++;
			worst_cpu = std::max(worst_cpu, now - cpu_write_since);
		}
		tap.check(local_beats <= 1, "two local writes in one cycle", local_beats);
		tap.equal(get(top.local_response_o, 64, 1), cpu_read_pending,
			  "CPU read answered one cycle later");
		if (cpu_read_pending)
			tap.equal(get(top.local_response_o, 0, 64), cpu_read_want, "CPU read data");
		cpu_read_pending = false;
		if (cpu_read && top.local_read_ready_o) {
			/* The write of this cycle is in the reference already: the new word, whole. */
			const auto &h = history[cpu_read_address / 8];

			same_cycle += h.back().first == now;
			cpu_read_want = h.back().second;
			cpu_read_pending = true;
			cpu_read = false;
			cpu_reads++;
			worst_cpu = std::max(worst_cpu, now - cpu_read_since);
		}
		/* --- wait unit */
		const uint64_t translated = top.wait_translated_o; /* wait_translated_t */
		const bool wait_done = rf::bits(translated, 56, 1);
		bool work = wait_asked || wait_pending;

		tap.check(!wait_done || wait_pending, "wait translation without a request");
		if (wait_done && wait_pending) {
			Place p = translate(wait_vmid, wait_va);

			tap.equal(rf::bits(translated, 55, 1), p.fault,
				  "fault of a wait translation");
			wait_faults += p.fault;
			if (p.fault)
				tap.equal(rf::bits(translated, 53, 2), p.level,
					  "level of a wait translation");
			if (!p.fault && !is_moving(wait_vmid, wait_va)) {
				tap.equal(rf::bits(translated, 52, 1), p.local,
					  "memory of a wait translation");
				tap.equal(rf::bits(translated, 0, 52) << 3, p.address,
					  "address of a wait translation");
			}
			wait_pending = false;
			waits++;
		}
		if (wait_asked && top.wait_translate_ready_o) {
			wait_asked = false;
			wait_pending = true;
		}
		fault_events += top.event_fault_o;
		/* An access that was taken before this cycle and is not answered yet is work. */
		for (unsigned m = 0; m < kReads; m++)
			for (auto &r : reading[m])
				work |= r.accepted_cycle < now;
		for (unsigned m = 0; m < kWrites; m++)
			if (!writing[m].empty())
				work |= writing[m].front()->moved == writing[m].front()->words;
		tap.check(!work || !top.idle_o, "idle with an access under way");
	}

	void check_response()
	{
		unsigned m = get(top.response_o, 75, 4), id = get(top.response_o, 70, 5);
		unsigned last = get(top.response_o, 69, 1), status = get(top.response_o, 66, 3);
		uint64_t data = get(top.response_o, 0, 64);

		saw_response_master = m;
		saw_response_status = status;
		saw_response_data = data;
		tap.check(m < kReads, "master of a response", m);
		if (m >= kReads)
			return;
		for (auto r = reading[m].begin(); r != reading[m].end(); ++r) {
			if (r->id != id)
				continue;
			if (r->place.fault) {
				tap.equal(status, kTranslation, "status of a fault");
				tap.equal(last, 1, "a fault ends the request");
				tap.equal(get(top.response_o, 64, 2), r->place.level,
					  "level of a fault");
				faults++;
			} else if (r->place.local) {
				tap.equal(status, kOk, "status of a local read");
				tap.check(was(r->place.address / 8 + r->got, r->since, data),
					  "local word never held this", data,
					  local_now(r->place.address / 8 + r->got));
				tap.equal(last, r->got + 1 == r->words, "last of a local read");
			} else if (r->sent.size() > r->got) {
				tap.equal(data, r->sent[r->got].first, "data of a system read");
				tap.equal(status, r->sent[r->got].second,
					  "status of a system read");
				tap.equal(last, ended(*r) && r->got + 1 == r->sent.size(),
					  "last of a system read");
			} else {
				tap.check(false, "system response before rf_pcie answered", m);
			}
			r->got++;
			read_words[m]++;
			if (last) {
				reads_done++;
				reading[m].erase(r);
			}
			return;
		}
		tap.check(false, "response without a request", m, id);
	}

	void check_snoop()
	{
		saw_snoop = get(top.snoop_o, 117, 1); /* rf_bus_pkg::snoop_t */
		if (saw_snoop) {
			bool is_local = get(top.snoop_o, 116, 1);
			auto &queue = is_local ? local_snoops : system_snoops;

			snoops++;
			tap.check(!queue.empty(), is_local ? "local snoop without a write"
							   : "system snoop before it is performed");
			if (!queue.empty()) {
				Snoop s = queue.front();

				queue.pop_front();
				tap.equal(get(top.snoop_o, 64, 52) << 3, s.address,
					  "snoop address");
				tap.equal(get(top.snoop_o, 0, 64), s.data, "snoop data");
				if (!is_local)
					s.write->told++;
			}
		}
		/* Both queues hold only what was performed before this cycle. */
		tap.check(local_snoops.empty(), "local write not snooped in the next cycle");
		while (!local_snoops.empty())
			local_snoops.pop_front();
		if (!system_snoops.empty())
			tap.check(system_snoops.front().cycle + 4 + 3 * 16 > clock.cycle,
				  "system snoop missing");
	}

	void check_stable(std::vector<uint32_t> &kept, const uint32_t *value, unsigned words,
			  const char *what)
	{
		std::vector<uint32_t> now(value, value + words);

		tap.check(kept.empty() || kept == now, what);
		kept = now;
	}

	void step()
	{
		drive();
		top.eval();
		observe();
		clock.tick();
		register_valid = false;
	}

	bool quiet() const
	{
		for (unsigned m = 0; m < kReads; m++)
			if (read_asked[m] || !reading[m].empty())
				return false;
		for (unsigned m = 0; m < kWrites; m++)
			if (!writing[m].empty())
				return false;
		return posted.empty() && system_snoops.empty() && !cpu_write && !cpu_read &&
		       !cpu_read_pending && !wait_asked && !wait_pending;
	}

	void run(unsigned cycles)
	{
		for (unsigned i = 0; i < cycles; i++)
			step();
	}

	void drain(unsigned limit = 20000)
	{
		Knobs kept = knobs;

		knobs = Knobs();
		while (!quiet() && limit--)
			step();
		for (unsigned i = 0; i < 60; i++)
			step();
		knobs = kept;
		tap.check(quiet(), "everything ends");
		tap.equal(top.idle_o, 1, "idle at the end");
	}

	/* Reads all of local memory through BAR 2 and compares. */
	void compare()
	{
		for (uint64_t w = 0; w < kLocalBytes / 8; w++) {
			cpu_read = true;
			cpu_read_address = 8 * w;
			while (cpu_read)
				step();
		}
		step();
	}

	bool hold_by_hand = false;
	Write *sending = nullptr;
	Beat offered = {}; /* given by its master, not yet taken by rf_pcie */

private:
	void bury(Write *w)
	{
		graves.push_back(w);
		if (graves.size() > 200) {
			delete graves.front();
			graves.pop_front();
		}
	}

	std::deque<Write *> graves;
	std::vector<uint32_t> stable_read;
	unsigned echoed[kReads][32] = {};
	bool accepting = false, accepted_last = false; /* told in the next cycle */
	unsigned accepted_status = 0;
};

/* --- random ----------------------------------------------------------------------------- */
void random_runs(Bench &b)
{
	const struct {
		const char *name;
		unsigned ready, accept, response, data, local;
	} mixes[] = {
		{ "ready sinks", 100, 100, 100, 100, 50 },
		{ "slow system", 30, 30, 30, 80, 50 },
		{ "slow acceptance", 100, 10, 60, 100, 30 },
		{ "mostly local", 90, 70, 70, 100, 90 },
		{ "slow data", 80, 60, 80, 20, 50 },
	};

	for (auto &mix : mixes) {
		b.tap.begin(std::string("every access is right under random load: ") + mix.name);
		b.knobs = Knobs();
		b.knobs.read_chance = b.random.chance(50) ? 100 : 20;
		b.knobs.write_chance = b.random.chance(50) ? 60 : 8;
		b.knobs.data_chance = mix.data;
		b.knobs.hold_chance = 50;
		b.knobs.cpu_write_chance = 15;
		b.knobs.cpu_read_chance = 15;
		b.knobs.system_ready = mix.ready;
		b.knobs.accept_chance = mix.accept;
		b.knobs.response_chance = mix.response;
		b.knobs.error_chance = 2;
		b.knobs.fault_chance = 5;
		b.knobs.local_chance = mix.local;
		b.knobs.invalidate_chance = 5;
		b.knobs.wait_chance = 5;
		uint64_t reads = b.reads_done, writes = b.writes_done, snoops = b.snoops,
			 faults = b.faults;
		uint64_t invalidations = b.invalidations, same = b.same_cycle;

		for (unsigned i = 0; i < 10; i++) {
			b.knobs.bus_master = i % 5 != 4;
			b.run(3000);
		}
		b.knobs.bus_master = true;
		b.drain();
		b.compare();
		b.tap.check(b.reads_done - reads > 500, "reads happened", b.reads_done - reads);
		b.tap.check(b.writes_done - writes > 300, "writes happened",
			    b.writes_done - writes);
		b.tap.check(b.snoops - snoops > 500, "snoops happened", b.snoops - snoops);
		b.tap.check(b.faults - faults > 20, "faults happened", b.faults - faults);
		b.tap.check(b.invalidations - invalidations > 3, "invalidations happened",
			    b.invalidations - invalidations);
		b.tap.check(b.same_cycle - same > 0, "a word was read while written",
			    b.same_cycle - same);
		printf("# %s: %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " snoops, %" PRIu64
		       " invalidations, %" PRIu64 " collisions\n",
		       mix.name, b.reads_done - reads, b.writes_done - writes, b.snoops - snoops,
		       b.invalidations - invalidations, b.same_cycle - same);
		b.tap.end();
	}
	b.knobs = Knobs();
}

/* --- exact cases --------------------------------------------------------------------------- */
/* Steps until `seen` turns true; cycles from the first step. */
template <class Seen> unsigned until(Bench &b, Seen seen, unsigned limit = 100)
{
	for (unsigned i = 0; i < limit; i++) {
		b.step();
		if (seen())
			return i;
	}
	return ~0u;
}

void latencies(Bench &b)
{
	uint64_t here = b.space[2].local + 0x100, there = b.space[2].system + 0x208;

	b.warm(2, { here, there });
	b.tap.begin("unloaded: request to system read offered takes 3 cycles");
	b.add_read(0, 2, there, 4, 1);
	b.tap.equal(until(b, [&] { return b.saw_system_read; }), 3, "cycles");
	b.drain();
	b.tap.end();

	b.tap.begin("unloaded: request to local response takes 5 cycles");
	b.add_read(1, 2, here, 1, 1);
	b.tap.equal(until(b, [&] { return b.saw_response; }), 5, "cycles");
	b.drain();
	b.tap.end();

	b.tap.begin("hold low to local response takes 2 cycles, to system read offered 1");
	b.hold_by_hand = true;
	b.top.read_hold_i = 1 << 3;
	b.add_read(3, 2, here, 1, 2);
	b.run(20);
	b.tap.check(!b.saw_response, "held");
	b.top.read_hold_i = 0;
	b.tap.equal(until(b, [&] { return b.saw_response; }), 2, "cycles to the response");
	b.drain();
	b.top.read_hold_i = 1 << 3;
	b.add_read(3, 2, there, 1, 2);
	b.run(20);
	b.tap.check(!b.saw_system_read, "held");
	b.top.read_hold_i = 0;
	b.tap.equal(until(b, [&] { return b.saw_system_read; }), 1, "cycles to the system read");
	b.hold_by_hand = false;
	b.drain();
	b.tap.end();

	b.tap.begin("unloaded: write to beat takes 3 cycles, done and snoop one more");
	b.add_write(0, b.simple_write(2, here, { 0x1234 }));
	b.tap.equal(until(b, [&] { return b.saw_data_ready != 0; }), 3, "cycles to the commit");
	b.step();
	b.tap.check(b.saw_done == 1 && b.saw_snoop, "done and snoop in the next cycle");
	b.drain();
	b.add_write(0, b.simple_write(2, there, { 0x5678 }));
	b.tap.equal(until(b, [&] { return b.saw_system_write; }), 3, "cycles to the system beat");
	/* The bench accepts one cycle later; done and snoop show one behind it. */
	b.step();
	b.tap.check(!b.saw_done && !b.saw_snoop, "not before it is performed");
	b.step();
	b.tap.check(b.saw_done == 1 && b.saw_snoop, "done and snoop in the next cycle");
	b.drain();
	b.tap.end();

	b.tap.begin("a master asks for a write in every second cycle: two words without bubbles");
	for (bool local : { true, false }) {
		unsigned moved = 0;

		for (unsigned i = 0; i < 12; i++)
			b.add_write(0, b.simple_write(2, (local ? here : there) + 32 * i,
						      { i, i + 1 }));
		until(b, [&] { return b.saw_data_ready != 0; });
		for (unsigned i = 0; i < 23; i++) {
			b.step();
			moved += b.saw_data_ready;
		}
		b.tap.equal(moved, 23, "words in 23 cycles");
		b.drain();
	}
	b.tap.end();

	b.tap.begin("the read port gives a word every cycle, to one master and to several");
	b.add_read(6, 2, b.space[2].local, 64, 1);
	until(b, [&] { return b.saw_response; });
	unsigned words = 1;
	while (b.step(), b.saw_response)
		words++;
	b.tap.equal(words, 64, "words in a row");
	b.drain();
	b.knobs.read_chance = 100;
	b.knobs.local_chance = 100;
	b.knobs.words_max = 8;
	b.knobs.vmids = 1;
	b.run(1000);
	words = 0;
	for (unsigned i = 0; i < 1000; i++) {
		b.step();
		words += b.saw_response;
	}
	b.tap.check(words >= 990, "words in 1000 cycles", words, 990);
	b.drain();
	b.knobs = Knobs();
	b.tap.end();

	b.tap.begin(
		"a read issued in the cycle behind a commit gives the new word, for every distance");
	for (unsigned distance = 0; distance < 8; distance++) {
		uint64_t value = 0xabcdef0000ull + distance;

		b.hold_by_hand = true;
		b.top.read_hold_i = 1 << 3;
		b.add_read(3, 2, here, 1, 3);
		b.run(10);
		uint64_t old = b.local_now(b.translate(2, here).address / 8);

		b.add_write(0, b.simple_write(2, here, { value }));
		for (unsigned i = 0; i < distance; i++)
			b.step();
		b.top.read_hold_i = 0;
		until(b, [&] { return b.saw_response; });
		/* The commit is at 3; the word is read at `distance`; old or new as a whole. */
		b.tap.equal(b.saw_response_data, distance < 3 ? old : value, "value");
		b.hold_by_hand = false;
		b.drain();
	}
	b.tap.end();
}

void invalidation(Bench &b)
{
	uint64_t there = b.space[1].system + 0x40;
	const uint64_t old = b.translate(1, there).address & ~0xfffull;

	b.warm(1, { there });
	b.tap.begin("INVALIDATE waits for an older read, bits read 1 until then");
	b.knobs.response_chance = 0;
	b.add_read(5, 1, there, 2, 9);
	b.run(10);
	b.write_register(kInvalidate, 0x0002);
	for (unsigned i = 0; i < 30; i++)
		b.tap.equal(b.read_register(kInvalidate), 2, "busy while the read is outstanding");
	b.knobs.response_chance = 100;
	b.drain();
	b.tap.equal(b.read_register(kInvalidate), 0, "done when it has ended");
	b.tap.end();

	b.warm(1, { there });
	b.tap.begin("INVALIDATE waits for an older write, not for a newer one");
	b.knobs.accept_chance = 0;
	b.add_write(3, b.simple_write(1, there, { 1, 2, 3 }));
	b.run(12);
	b.write_register(kInvalidate, 0x8002);
	b.tap.equal(b.read_register(kInvalidate), 0x8002, "busy");
	b.add_write(3, b.simple_write(1, there + 64, { 4 }));
	b.run(40);
	b.tap.equal(b.read_register(kInvalidate), 0x8002, "busy");
	b.knobs.accept_chance = 100;
	until(b, [&] { return b.saw_done != 0; });
	b.knobs.accept_chance = 0;
	b.run(30);
	b.tap.equal(b.read_register(kInvalidate), 0,
		    "done, though the newer write is not performed");
	b.drain();
	b.tap.end();

	b.tap.begin("INVALIDATE waits for the wait unit");
	b.write_register(kInvalidate, 0x0001);
	until(b, [&] { return b.wait_busy != 0; });
	b.wait_busy = 1000;
	b.run(20);
	b.tap.equal(b.top.idle_o, 0, "idle while busy");
	b.tap.equal(b.read_register(kInvalidate), 1, "busy");
	b.wait_busy = 0;
	b.run(4);
	b.tap.equal(b.read_register(kInvalidate), 0, "done");
	b.tap.end();

	b.tap.begin("INVALIDATE comes to its end while nobody asks for it");
	b.drain();
	b.write_register(kInvalidate, 0x0001);
	b.run(100);
	b.tap.equal(b.top.idle_o, 1, "idle");
	b.tap.equal(b.read_register(kInvalidate), 0, "done");
	b.tap.end();

	b.tap.begin(
		"a write translated ahead of its data goes where the tables lead after INVALIDATE");
	for (unsigned many = 1; many <= 4; many++) {
		b.knobs.data_chance = 100;
		b.warm(1, { there });
		b.knobs.data_chance = 0;
		for (unsigned i = 0; i < many; i++)
			b.add_write(2, b.simple_write(1, there + 8 * i, { i }));
		b.run(20);
		b.tap.check(b.top.idle_o, "a write without data is not work");
		b.set_entry(1, there, old + 0x100000000ull);
		b.write_register(kInvalidate, 0x0002);
		b.run(100);
		b.tap.equal(b.read_register(kInvalidate), 0, "done without the data");
		for (auto *w : b.writing[2])
			w->place = b.translate(1, w->va);
		b.knobs.data_chance = 100;
		b.run(3);
		b.drain();
		b.set_entry(1, there, old);
		b.write_register(kInvalidate, 0x0002);
		b.run(100);
	}
	b.tap.end();
	b.knobs = Knobs();
}

void isolation(Bench &b)
{
	b.tap.begin(
		"CPU accesses to local memory go on while the system side stands still for ever");
	b.knobs = Knobs();
	b.knobs.read_chance = b.knobs.write_chance = 50;
	b.knobs.system_ready = b.knobs.accept_chance = b.knobs.response_chance = 0;
	b.knobs.cpu_read_chance = b.knobs.cpu_write_chance = 100;
	b.run(2000);
	uint64_t reads = b.cpu_reads, writes = b.cpu_writes;
	b.worst_cpu = 0;
	b.run(5000);
	b.tap.check(b.cpu_reads - reads > 2500, "CPU reads", b.cpu_reads - reads);
	b.tap.check(b.cpu_writes - writes > 2500, "CPU writes", b.cpu_writes - writes);
	b.tap.check(b.worst_cpu <= 16, "longest wait of the CPU", b.worst_cpu, 16);
	b.tap.end();

	b.tap.begin(
		"a master whose system write stands still does not stop local writes of others");
	b.knobs.read_chance = 0;
	b.knobs.write_chance = 0;
	b.knobs.cpu_read_chance = b.knobs.cpu_write_chance = 0;
	b.knobs.system_ready = 100;
	b.knobs.accept_chance = b.knobs.response_chance = 100;
	b.drain();
	b.warm(3, { b.space[3].system, b.space[3].local });
	b.knobs.system_ready = 0;
	b.add_write(4, b.simple_write(3, b.space[3].system, { 1, 2 }));
	b.run(10);
	for (unsigned i = 0; i < 50; i++)
		b.add_write(0, b.simple_write(3, b.space[3].local + 8 * i, { i }));
	uint64_t done = b.writes_done;
	/* Every other cycle is theirs at least. */
	b.run(110);
	b.tap.equal(b.writes_done - done, 50, "local writes done");
	b.knobs.system_ready = 100;
	b.drain();
	b.tap.end();

	b.tap.begin("nobody starves under full load");
	b.knobs = Knobs();
	b.knobs.read_chance = b.knobs.write_chance = 100;
	b.knobs.cpu_read_chance = b.knobs.cpu_write_chance = 100;
	b.knobs.vmids = 1;
	b.knobs.pages = 8;
	b.run(2000);
	b.worst_read = b.worst_beat = b.worst_cpu = 0;
	uint64_t before[kReads];
	for (unsigned m = 0; m < kReads; m++)
		before[m] = b.read_words[m];
	b.run(20000);
	for (unsigned m = 0; m < kReads; m++)
		b.tap.check(b.read_words[m] - before[m] > 300, "words read by a master",
			    b.read_words[m] - before[m]);
	printf("# longest waits: read request %" PRIu64 ", write beat %" PRIu64 ", CPU %" PRIu64
	       "\n",
	       b.worst_read, b.worst_beat, b.worst_cpu);
	/*
	 * rf_pcie here answers with a word every cycle, and 56 reads of 64 words may be
	 * with it before local responses, and with them new system reads, have their turn.
	 */
	b.tap.check(b.worst_read < 56 * 64, "longest wait of a read request", b.worst_read,
		    56 * 64);
	/*
	 * A beat waits for five system writes of 32 beats, each of which waits for a beat of
	 * the CPU and of the other masters, and may have the snoop bus in one cycle of three.
	 */
	b.tap.check(b.worst_beat < 5 * 32 * 6 * 3, "longest wait of a beat", b.worst_beat,
		    5 * 32 * 6 * 3);
	/* It is behind a local word that waits for the bus, so for the same responses. */
	b.tap.check(b.worst_cpu < 56 * 64, "longest wait of the CPU", b.worst_cpu, 56 * 64);
	b.drain();
	b.tap.end();
	b.knobs = Knobs();
}

/* Without an invalidation nothing is translated twice. */
void fault_events(Bench &b)
{
	b.tap.begin("each access that faults is one event, and no other is");
	b.knobs = Knobs();
	b.knobs.read_chance = b.knobs.write_chance = 30;
	b.knobs.hold_chance = 50;
	b.knobs.fault_chance = 30;
	b.knobs.wait_chance = 20;
	uint64_t faults = b.faults, waits = b.wait_faults, events = b.fault_events;

	for (unsigned i = 0; i < 10; i++) {
		b.run(600);
		b.drain();
		b.knobs.read_chance = 30 * (i % 2);
		b.knobs.write_chance = 30 * (i % 3);
		b.tap.equal(b.fault_events - events, b.faults - faults + b.wait_faults - waits,
			    "events");
	}
	b.tap.check(b.faults - faults > 100, "faults of masters", b.faults - faults);
	b.tap.check(b.wait_faults - waits > 5, "faults of waits", b.wait_faults - waits);
	b.tap.end();
	b.knobs = Knobs();
}

/* A page moves under load; after INVALIDATE no access goes to its old place. */
void moving(Bench &b)
{
	b.tap.begin("behind INVALIDATE no access goes where the tables led before");
	b.moving = b.space[1].system + 0x7000;
	uint64_t here = b.translate(1, b.moving).address, there = here + 0x200000000ull;

	for (unsigned i = 0; i < 60; i++) {
		b.knobs = Knobs();
		b.knobs.read_chance = 50;
		b.knobs.write_chance = 20;
		b.knobs.hold_chance = 50;
		b.knobs.data_chance = i % 3 ? 100 : 20;
		b.knobs.response_chance = i % 2 ? 100 : 20;
		b.knobs.accept_chance = i % 4 < 2 ? 100 : 20;
		b.knobs.vmids = 3;
		b.knobs.pages = 6;
		b.knobs.moving_chance = 80;
		b.moving_done = true;
		b.moving_from = i % 2 ? here : there;
		b.moving_to = i % 2 ? there : here;
		b.run(300);
		b.moving_done = false;
		std::swap(b.moving_from, b.moving_to);
		b.set_entry(1, b.moving, b.moving_to);
		b.run(b.random.below(40));
		if (i % 2) {
			b.write_register(kInvalidate + 8, b.moving);
			b.write_register(kInvalidate + 16, b.moving);
		}
		b.write_register(kInvalidate, 0x0002);
		while (b.read_register(kInvalidate))
			;
		b.moving_done = true;
		b.run(300);
		b.write_register(kInvalidate + 8, 0);
		b.write_register(kInvalidate + 16, ~0ull);
	}
	b.knobs.moving_chance = 0;
	b.drain();
	b.moving = 1;
	b.tap.check(b.moving_old > 50 && b.moving_new > 500, "accesses to both places",
		    b.moving_old, b.moving_new);
	printf("# accesses to the moving page: old place %" PRIu64 ", new %" PRIu64 "\n",
	       b.moving_old, b.moving_new);
	b.tap.end();
	b.knobs = Knobs();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	rf::Tap tap;
	Bench bench(tap);

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("after reset no VMID has a table");
	bench.add_read(0, 0, 0, 1, 0);
	bench.add_write(0, bench.simple_write(0, 0x1000, { 1 }));
	bench.drain();
	tap.check(bench.faults == 2, "faults", bench.faults, 2);
	tap.end();
	bench.set_roots();
	bench.write_register(kInvalidate, 0xffff);
	bench.run(100);
	latencies(bench);
	invalidation(bench);
	isolation(bench);
	fault_events(bench);
	moving(bench);
	random_runs(bench);
	return tap.status();
}
