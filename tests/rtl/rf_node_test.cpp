/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One node among slots, a memory and units that do whatever they may: slots are rung,
 * wait, stop, are disabled and enabled again, come into error; memory answers in any
 * order; units take and finish when they like. What each slot hands over is compared
 * with its packets, step by step, and the node with the rules on which the proof of
 * rf_doorbell and rf_slots builds (docs/proofs.md).
 */
// parameters: -GNode=1
#ifndef NODE_NUMBER
#define NODE_NUMBER 1
#endif

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "Vrf_node.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"
#include "packets.h"

using namespace rf;

enum : unsigned { SLOTS = 16, NODE = NODE_NUMBER, TURN = 1024 };
const unsigned engine_words = NODE ? 4 : 5; /* of each of its packets */

static Tap tap;

struct Packet {
	unsigned words;
	std::vector<Action> actions; /* a logged WAIT has two */
	bool waits() const { return !actions.empty() && actions[0].unit == WAITING_UNIT; }
};

struct Buffer {
	uint64_t address = 0;
	unsigned words = 0;
	std::vector<Packet> packets; /* before its error */
	bool in_ring = false; /* the error is that of the entry */
	Failure error;
};

/* A slot as rf_slots keeps it, and the place in its packets that the node must be at. */
struct Slot {
	unsigned log2 = 0, vmid = 0, handle = 0;
	uint64_t base = 0, next = 0, read_pointer = 0, write_pointer = 0;
	bool enabled = false, disabling = false, ready = false;
	bool enabling = false; /* CONTROL is about to be written */
	unsigned disabled_for = 0; /* cycles since disabling */
	bool waiting = false, wait_over = false, stalled = false, stopped = false;
	bool error = false, in_buffer = false, fence = false;
	bool waited = false; /* a WAIT cancelled */
	std::map<unsigned, uint64_t> registers; /* where the node keeps the position */
	uint64_t progress = 0, partial = 0; /* of the operation to go on with */
	unsigned retiring = 0; /* cycles since the front entry retired, its pointer stands */
	uint64_t wait_time = 0;
	uint64_t upset_at = 0, release_at = 0; /* cycles in which this happens to it */
	std::deque<Buffer> entries; /* that are not retired */
	size_t packet = 0, step = 0;
	unsigned done_words = 0;
	uint64_t size() const { return 1ull << log2; }
	const Buffer *buffer() const
	{
		return in_buffer && !entries.empty() ? &entries.front() : nullptr;
	}
	bool work() const { return read_pointer != write_pointer; }
	bool runnable() const { return ready && work(); }
};

struct Request {
	uint64_t va, due;
	unsigned vmid, id, sent;
	std::vector<uint64_t> data;
	std::vector<unsigned> status;
};

inline std::vector<uint32_t> shown(uint64_t port)
{
	return { (uint32_t)port, (uint32_t)(port >> 32) };
}
template <class Wide, class = std::enable_if_t<!std::is_integral<Wide>::value>>
std::vector<uint32_t> shown(const Wide &port)
{
	return std::vector<uint32_t>(std::begin(port.m_storage), std::end(port.m_storage));
}

/* A port at which a request stays until it is taken. */
struct Offer {
	const char *name;
	bool waits = false;
	std::vector<uint32_t> shown;
	void look(bool valid, bool ready, bool may, std::vector<uint32_t> now)
	{
		if (waits)
			tap.check(valid && now == shown, name);
		else
			tap.check(!valid || may, "nothing is offered once the slot must stop");
		waits = valid && !ready;
		shown = now;
	}
};

/* The ports of rf_node, with each field of its structs (rf_bus_pkg) as a port of its own. */
struct Ports : Vrf_node {
	/* descriptor_write_t */
	uint32_t descriptor_write_i = 0, descriptor_slot_i = 0, descriptor_word_i = 0;
	uint64_t descriptor_data_i = 0;
	/* node_choice_t */
	uint64_t coming_i = 0, coming_slot_i = 0, runnable_i = 0, eligible_i = 0, turn_i = 0;
	/* slot_view_t */
	uint64_t read_pointer_i = 0, write_pointer_i = 0;
	bool work_i = false, in_buffer_i = false, halt_i = false, slot_error_i = false;
	bool wait_over_i = false, stalled_i = false, waited_i = false, fences_none_i = false;
	/* engine_result_t */
	bool engine_done_i = false, engine_preempted_i = false;
	uint32_t engine_failure_i[3] = {}, engine_progress_i = 0;
	uint64_t engine_partial_i = 0;
	/* node_place_t */
	bool busy_o, owes_o;
	unsigned slot_o, slot_onehot_o, load_slot_o, words_o, left_slot_o;
	/* slot_update_t */
	bool begin_o, fence_issued_o, wait_issued_o, wait_done_o, stop_o, fail_valid_o, spent_o,
		served_o;
	/* slot_position_t */
	bool store_o, load_o;
	unsigned memory_slot_o, number_o;
	uint64_t store_data_o;
	/* engine_control_t, node_events_t */
	bool engine_abort_o, engine_preempt_o, event_packet_o, event_wait_o, stall_engine_o,
		stall_fence_o, stall_fetch_o;

	void eval()
	{
		put(descriptor_i, 73, 2, descriptor_write_i);
		put(descriptor_i, 69, 4, descriptor_slot_i);
		put(descriptor_i, 64, 5, descriptor_word_i);
		put(descriptor_i, 0, 64, descriptor_data_i);
		choice_i = coming_i << 52 | coming_slot_i << 48 | runnable_i << 32 |
			   eligible_i << 16 | turn_i;
		view_i = read_pointer_i << 21 | write_pointer_i << 8 | work_i << 7 |
			 in_buffer_i << 6 | halt_i << 5 | slot_error_i << 4 | wait_over_i << 3 |
			 stalled_i << 2 | waited_i << 1 | fences_none_i;
		put(engine_result_i, 172, 1, engine_done_i);
		put(engine_result_i, 171, 1, engine_preempted_i);
		put(engine_result_i, 160, 11, bits(engine_failure_i, 64, 11));
		put(engine_result_i, 96, 64, bits(engine_failure_i, 0, 64));
		put(engine_result_i, 64, 32, engine_progress_i);
		put(engine_result_i, 0, 64, engine_partial_i);
		Vrf_node::eval();
		busy_o = bits(place_o, 58, 1);
		slot_o = bits(place_o, 54, 4);
		slot_onehot_o = bits(place_o, 38, 16);
		load_slot_o = bits(place_o, 34, 4);
		words_o = bits(place_o, 5, 29);
		owes_o = bits(place_o, 4, 1);
		left_slot_o = bits(place_o, 0, 4);
		begin_o = update_o >> 7 & 1;
		fence_issued_o = update_o >> 6 & 1;
		wait_issued_o = update_o >> 5 & 1;
		wait_done_o = update_o >> 4 & 1;
		stop_o = update_o >> 3 & 1;
		fail_valid_o = update_o >> 2 & 1;
		spent_o = update_o >> 1 & 1;
		served_o = update_o & 1;
		store_o = bits(position_o, 74, 1);
		load_o = bits(position_o, 73, 1);
		memory_slot_o = bits(position_o, 69, 4);
		number_o = bits(position_o, 64, 5);
		store_data_o = bits(position_o, 0, 64);
		engine_abort_o = engine_control_o >> 1 & 1;
		engine_preempt_o = engine_control_o & 1;
		event_packet_o = events_o >> 4 & 1;
		event_wait_o = events_o >> 3 & 1;
		stall_engine_o = events_o >> 2 & 1;
		stall_fence_o = events_o >> 1 & 1;
		stall_fetch_o = events_o & 1;
	}
};

struct Bench {
	Ports top;
	Random random;
	uint64_t now = 0, timestamp = 0x100000;
	std::array<Slot, SLOTS> slot;
	std::map<std::pair<unsigned, uint64_t>, uint64_t> memory;
	std::map<std::pair<unsigned, uint64_t>, unsigned> faults; /* status; level 2 */
	std::vector<Request> requests;
	std::deque<uint64_t> engines; /* when each operation is done */
	std::deque<std::pair<unsigned, uint64_t>> fences;
	std::deque<std::pair<uint64_t, uint64_t>> writes; /* registers */
	std::deque<std::pair<bool, uint64_t>> coming; /* words of an operation, if they matter */

	/* Percent, or cycles; rings in a thousand cycles, upsets of a slot in ten thousand */
	unsigned ready = 100, response_rate = 100, latency = 3, unit_delay = 4;
	unsigned ring_rate = 20, upset_rate = 0, failure_rate = 0, release_rate = 10;
	unsigned scan_rate = 10, moving = 80; /* percent of the rings have work */
	unsigned invalidate_rate = 5; /* in a thousand cycles */
	bool nops_only = false, engine_only = false, meets = false, long_buffers = false;
	unsigned engine_room = 4; /* operations that the engine takes ahead */

	/* What the node is told one cycle late */
	bool halt = false, error = false;
	bool wait_over = false, fences_none = true, waited = false;
	bool halted = false; /* halt a cycle later: when the node stops */
	bool rewound = false; /* engine work is on its way back */

	/* The cycle before */
	unsigned eligible = 0;
	uint64_t loaded = 0;
	bool was_busy = false, was_reading = false, was_served = false, in_turn = false;
	unsigned was_slot = 0, was_runnable = 0, was_coming = SLOTS, was_load_slot = 0;
	unsigned choice = 0; /* what was runnable two cycles ago */
	bool came = false, register_read = false;
	uint64_t register_want = 0, retired_at = 0, started_at = 0, packets = 0,
		 counted = 0; /* packets a cycle ago: what RETIRED shows */
	unsigned engine_slot_now = 0, slots = SLOTS;
	size_t most_in_engine = 0;
	bool engine_failed = false;
	Failure engine_failure;
	Offer fence_offer = { "a fence operation stays" }, wait_offer = { "a WAIT stays" };
	Offer engine_offer = { "engine work stays" }, record_offer = { "a record stays" };
	Offer read_offer = { "a read stays" };
	bool retire_waits = false;

	/* What happened */
	uint64_t starts_coming = 0, starts_chosen = 0, idle_rings = 0, cancels = 0, disables = 0;
	uint64_t errors = 0, waits = 0, aborts = 0, stops = 0, ahead = 0, preempts = 0, backs = 0;
	uint64_t stalled_fences = 0, stalled_fetches = 0, stalled_engine = 0, stalled_quiet = 0;
	uint64_t turns = 0, shortest_turn = ~0ull, longest_turn = 0;
	uint64_t quantum_left = 0, quantum_used = 0; /* when it was loaded, and cycles since then */
	bool quantum_over = false; /* in this turn */
	uint64_t rewritten = 0, unread = 0; /* turns that went on with kept words */
	/* This turn: another slot had the one before; it began inside a buffer; words read */
	bool turn_changed = false, turn_inside = false;
	unsigned turn_words = 0, turn_slot = SLOTS;

	explicit Bench(uint64_t seed_value) : random(seed_value)
	{
		top.runnable_i = top.coming_i = top.retire_ready_i = 0;
		top.response_valid_i = top.engine_done_i = 0;
		top.fence_ready_i = top.wait_ready_i = top.engine_ready_i = 0;
		top.record_ready_i = top.read_ready_i = 0;
		top.register_i[0] = top.register_i[1] = top.register_i[2] = 0;
		Clock<Ports>(top).reset();
		top.clk_i = 0;
		for (unsigned s = 0; s < SLOTS; s++)
			set_up(s);
	}
	void complain(const char *text, unsigned s) { tap.check(false, text, s, now); }

	/* --- the host ------------------------------------------------------------------- */
	void set_up(unsigned s);
	Buffer make_buffer(Slot &q, bool bad);
	void submit(unsigned s);
	void meet(unsigned s);
	void rewrite(unsigned s);

	/* --- a cycle -------------------------------------------------------------------- */
	void drive_memory();
	void look_at_memory();
	void hand_over(unsigned s, const Action &a);
	void look_at_words();
	void look_at_units(unsigned s);
	void look_at_stalls();
	void look_at_rules(unsigned s);
	void cycle(bool quiet);
	bool settle();
};

/* A slot that was never enabled, or that its error stopped: new ring, new everything. */
void Bench::set_up(unsigned s)
{
	Slot &q = slot[s];
	unsigned old = q.vmid;
	uint64_t from = (uint64_t)(s + 1) << 44, to = (uint64_t)(s + 2) << 44;

	memory.erase(memory.lower_bound({ old, from }), memory.lower_bound({ old, to }));
	faults.erase(faults.lower_bound({ old, from }), faults.lower_bound({ old, to }));
	q = Slot();
	q.log2 = nops_only || engine_only ? 3 : random.below(random.chance(80) ? 5 : 13);
	q.vmid = random.below(16);
	q.handle = random.next();
	/* in one block, up to its end */
	q.base = from + 0xffff0000 + 16 * random.below(RF_RING_ENTRIES_MAX + 1 - q.size());
	q.registers[RF_REG_SLOT_QUANTUM(0) / 8 % 32] = TURN;
	q.next = from + (2ull << 32) + 8 * random.below(16);
	q.read_pointer = q.write_pointer =
		random.chance(50) ? 8192 - random.below(6) : random.next() >> 40;
	writes.push_back({ RF_REG_SLOT_RING_BASE(s), q.base });
	uint64_t config = (uint64_t)q.handle << 32 | (random.next() & 0xffff0000) |
			  NODE << RF_SLOT_CONFIG_NODE_SHIFT | q.vmid << 4 | q.log2;

	q.registers[RF_REG_SLOT_CONFIG(0) / 8 % 32] = config;
	writes.push_back({ RF_REG_SLOT_CONFIG(s), config });
}

Buffer Bench::make_buffer(Slot &q, bool bad)
{
	static const struct {
		Words words;
		unsigned cause;
	} wrong[] = {
		{ { header(0x30, 1) }, E_OPCODE },
		{ NODE ? Words{ header(VECTOR, 5), 0, 0, 0, 0 } : Words{ header(COPY, 4), 0, 0, 0 },
		  E_OPCODE },
		{ { header(SIGNAL, 3), 0, 0 }, E_LENGTH },
		{ { header(WRITE, 3) }, E_LENGTH },
		{ { header(NOP, 1, 1) }, E_FLAGS },
		{ { header(WRITE, 3), 4, 0 }, E_ALIGNMENT },
		{ NODE ? Words{ header(COPY, 4), 0, 0, 1ull << 32 }
		       : Words{ header(VECTOR, 5), 0, 0, 1ull << 32, 0 },
		  E_OPERAND },
	};
	Buffer b;
	Words words;
	unsigned total = random.below(random.chance(10) ? 30 : 6);

	if (nops_only || engine_only)
		total = 20;
	else if (long_buffers)
		total = 5 + random.below(60);
	b.address = q.next;
	for (unsigned i = 0; i < total; i++) {
		Packet p = {};
		size_t before = words.size();

		if (nops_only) {
			words.push_back(header(NOP, 1));
		} else {
			do {
				words.resize(before);
				p.actions.clear();
				random_packet(random, q.vmid, NODE, words, p.actions);
			} while (engine_only && (p.actions.empty() || p.actions[0].unit != ENGINE));
		}
		p.words = words.size() - before;
		b.packets.push_back(p);
	}
	if (bad && random.chance(50)) {
		const auto &w = wrong[random.below(sizeof(wrong) / sizeof(*wrong))];

		b.error = { w.cause, 0, 0, b.address + 8 * words.size() };
		append(words, w.words);
	} else if (bad && !words.empty()) {
		unsigned at = random.below(words.size()), status = 1 + random.below(6);
		unsigned before = 0, good = 0;

		while (good < b.packets.size() && before + b.packets[good].words <= at)
			before += b.packets[good++].words;
		b.packets.resize(good);
		b.error = { E_TRANSLATION - 1 + status, 2, 0, b.address + 8 * at };
		faults[{ q.vmid, b.error.address }] = status;
	}
	b.words = words.size();
	for (size_t i = 0; i < words.size(); i++)
		memory[{ q.vmid, b.address + 8 * i }] = words[i];
	q.next += 8 * words.size() + 8 * (1 + random.below(12));
	return b;
}

/* One more entry, with the ring that tells of it. */
void Bench::submit(unsigned s)
{
	Slot &q = slot[s];
	bool bad = random.chance(failure_rate), ring_bad = bad && random.chance(30);
	Buffer b = make_buffer(q, bad && !ring_bad);
	uint64_t at = q.base + q.write_pointer % q.size() * 16, words = b.words * 8;

	for (unsigned i = 0; i < 2; i++)
		faults.erase({ q.vmid, at + 8 * i });
	if (ring_bad && random.chance(50)) {
		unsigned status = 1 + random.below(6);
		uint64_t va = at + 8 * random.below(2);

		b.error = { E_TRANSLATION - 1 + status, 2, 0, va };
		faults[{ q.vmid, va }] = status;
	} else if (ring_bad) {
		b.address |= 1 + random.below(7);
		b.error = { E_RING_ENTRY, 0, 0, b.address };
	}
	b.in_ring = ring_bad;
	memory[{ q.vmid, at }] = b.address;
	memory[{ q.vmid, at + 8 }] = words;
	q.entries.push_back(b);
	q.write_pointer++;
}

/*
 * A slot that waits was rung: about the cycle in which the entry is fetched ahead, it is
 * disabled, and the others need wait no longer.
 */
void Bench::meet(unsigned s)
{
	slot[s].upset_at = now + 1 + random.below(6);
	for (unsigned i = 0; i < SLOTS; i++) {
		if (i != s)
			slot[i].release_at = now + 1 + random.below(4);
	}
}

/*
 * What the slot has not begun becomes something else of the same length, as if its pages had been
 * mapped elsewhere: what was fetched of it before is of no use.
 */
void Bench::rewrite(unsigned s)
{
	Slot &q = slot[s];

	for (size_t e = q.retiring != 0; e < q.entries.size(); e++) {
		Buffer &b = q.entries[e];
		uint64_t at = b.address;

		for (size_t k = 0; k < b.packets.size() && !b.in_ring; k++) {
			Packet &p = b.packets[k];
			bool begun = q.in_buffer && &b == &q.entries.front() && k <= q.packet;
			Words words;
			std::vector<Action> actions;

			for (unsigned tries = 0; tries < 8 && !begun; tries++) {
				words.clear();
				actions.clear();
				random_packet(random, q.vmid, NODE, words, actions);
				if (words.size() == p.words)
					break;
			}
			if (!begun && words.size() == p.words) {
				p.actions = actions;
				for (unsigned i = 0; i < p.words; i++)
					memory[{ q.vmid, at + 8 * i }] = words[i];
				rewritten++;
			}
			at += 8 * p.words;
		}
	}
}

void Bench::drive_memory()
{
	top.read_ready_i = random.chance(ready);
	top.response_valid_i = 0;
	if (requests.empty() || !random.chance(response_rate))
		return;
	size_t pick = random.below(requests.size());
	Request &r = requests[pick];

	if (r.due > now)
		return;
	unsigned status = r.status[r.sent];
	bool last = status || r.sent + 1 == r.data.size();

	top.response_valid_i = 1;
	put(top.response_i, 0, 64, status ? random.next() : r.data[r.sent]);
	put(top.response_i, 64, 2, status ? 2 : 0);
	put(top.response_i, 66, 3, status);
	put(top.response_i, 69, 1, last);
	put(top.response_i, 70, 5, r.id);
	put(top.response_i, 75, 4, 1);
	turn_words += r.id < 8;
	r.sent++;
	if (last)
		requests.erase(requests.begin() + pick);
}

void Bench::look_at_memory()
{
	read_offer.look(top.read_valid_o, top.read_ready_i, true, shown(top.read_o));
	if (!top.read_valid_o || !top.read_ready_i)
		return;
	Request r = { bits(top.read_o, 12, 64),
		      now + 1 + random.below(latency),
		      (unsigned)bits(top.read_o, 76, 4),
		      (unsigned)bits(top.read_o, 0, 5),
		      0,
		      {},
		      {} };
	unsigned words = bits(top.read_o, 5, 7), s = (r.va >> 44) - 1;

	tap.check(words && words <= 8 && r.va % 8 == 0 && r.va / 64 == (r.va + 8 * words - 1) / 64,
		  "a read stays in its 64-byte line", r.va, words);
	tap.check(s == top.slot_o || (s == top.left_slot_o && top.owes_o), "a read of another slot",
		  s, top.slot_o);
	for (const Request &other : requests)
		tap.equal((other.va >> 44) - 1, s, "reads of two slots in flight");
	const Slot &q = slot[s % SLOTS];
	tap.equal(r.vmid, q.vmid, "vmid of a read");
	tap.check(q.enabled, "a read of a slot that is disabled", s);
	ahead += q.waiting;
	for (unsigned i = 0; i < words; i++) {
		std::pair<unsigned, uint64_t> at = { q.vmid, r.va + 8 * i };

		if (at.second >= q.base && at.second < q.base + 16 * q.size()) {
			uint64_t entry = (at.second - q.base) / 16;
			uint64_t ahead = (entry - q.read_pointer) % q.size();

			tap.check(ahead < q.write_pointer - q.read_pointer,
				  "an entry at or beyond the write pointer", at.second,
				  q.write_pointer);
		} else {
			tap.check(memory.count(at), "a word outside of all buffers", at.second, s);
		}
		r.data.push_back(memory.count(at) ? memory[at] : 0);
		r.status.push_back(faults.count(at) ? faults[at] : 0);
	}
	requests.push_back(r);
}

/* The next step of the slot, as its packets say. */
void Bench::hand_over(unsigned s, const Action &a)
{
	Slot &q = slot[s];

	if (!q.buffer()) {
		complain("a hand-over outside of a buffer", s);
		return;
	}
	unread += turn_changed && turn_inside && !turn_words;
	turn_inside = false;
	const Buffer &b = *q.buffer();
	bool there = q.packet < b.packets.size() && q.step < b.packets[q.packet].actions.size();

	tap.check(there, "a hand-over that no packet asks for", s, a.kind);
	tap.check(coming.empty(), "a hand-over amid the words of another", s);
	if (there) {
		const Action &want = b.packets[q.packet].actions[q.step];
		bool same = want.unit == a.unit && want.kind == a.kind && want.vmid == a.vmid &&
			    want.log == a.log;

		if (a.unit == RECORD)
			same = want == a;
		tap.check(same, "a hand-over that is not the packet's", a.unit << 8 | a.kind,
			  want.kind);
		if (a.unit != RECORD)
			for (Word word : words_of(want))
				coming.push_back({ word != nullptr, !word ? 0
								    : word == &Action::d
									    ? want.d ^ a.d
									    : want.*word });
		look_at_words();
	}
	q.step++;
}

/* The words of what was handed over, one in each cycle. */
void Bench::look_at_words()
{
	if (coming.empty())
		return;
	if (coming.front().first)
		tap.equal(top.word_o, coming.front().second, "word of an operation");
	coming.pop_front();
}

/* What the counters count: each cycle once, and none in which the packet goes. */
void Bench::look_at_stalls()
{
	bool offers = top.fence_valid_o || top.wait_valid_o || top.engine_valid_o ||
		      top.record_valid_o || top.retire_valid_o;

	tap.equal(top.event_wait_o, top.wait_issued_o, "a WAIT counts when it is handed over");
	tap.check(top.stall_engine_o + top.stall_fence_o + top.stall_fetch_o <= 1, "one stall");
	tap.check(!(top.event_packet_o && !top.wait_done_o) ||
			  !(top.stall_engine_o || top.stall_fence_o || top.stall_fetch_o),
		  "a packet that goes waits for nothing");
	tap.check(!offers || !top.stall_fetch_o, "nothing is fetched for what is there");
	if (top.fence_valid_o || top.record_valid_o) {
		bool taken = top.fence_valid_o ? top.fence_ready_i : top.record_ready_i;

		tap.equal(top.stall_fence_o, !taken, "waits for the fence unit");
		tap.check(!top.stall_engine_o, "and not for the engine");
		stalled_fences += top.stall_fence_o;
	}
	if (top.wait_valid_o || top.retire_valid_o)
		tap.check(!top.stall_fence_o && !top.stall_engine_o, "waits for neither");
	if (top.engine_valid_o) {
		tap.check(!top.stall_fence_o, "engine work does not wait for fences");
		tap.equal(top.stall_engine_o, !engines.empty() && !top.engine_ready_i,
			  "engine work waits for the engine");
	}
	stalled_fetches += top.stall_fetch_o;
	stalled_engine += top.stall_engine_o && !top.engine_valid_o;
	stalled_quiet += top.stall_fence_o && !offers;
	tap.check(!top.stall_engine_o || !engines.empty(), "no engine work");
}

void Bench::look_at_units(unsigned s)
{
	Slot &q = slot[s];
	size_t behind = q.retiring != 0;

	look_at_words();
	fence_offer.look(top.fence_valid_o, top.fence_ready_i, !halted, shown(top.fence_o));
	wait_offer.look(top.wait_valid_o, top.wait_ready_i, !halted, shown(top.wait_o));
	engine_offer.look(top.engine_valid_o, top.engine_ready_i, !halted, shown(top.engine_o));
	tap.check(!top.engine_preempt_o || top.busy_o,
		  "engine work is preempted while the node is idle");
	bool back = top.engine_valid_o && top.engine_ready_i && rewound;
	record_offer.look(top.record_valid_o, top.record_ready_i, !halted, {});
	tap.check(!retire_waits || top.retire_valid_o, "a retirement stays");
	retire_waits = top.retire_valid_o && !top.retire_ready_i;
	tap.equal(top.fence_issued_o, top.fence_valid_o && top.fence_ready_i, "fence issued");
	tap.equal(top.wait_issued_o, top.wait_valid_o && top.wait_ready_i, "wait issued");
	tap.equal(top.stop_o, top.record_valid_o && top.record_ready_i, "stop");
	look_at_stalls();

	if (top.begin_o) {
		bool next = !q.in_buffer && q.entries.size() > behind;

		tap.check(next, "an entry begins that is there, behind the one before", s,
			  q.entries.size());
		tap.check(!next || !q.entries[behind].in_ring, "a bad entry begins", s);
	}
	if (top.fence_issued_o || top.wait_issued_o || top.stop_o || top.begin_o ||
	    top.event_packet_o)
		tap.check(q.enabled && !q.waiting && !q.stopped, "a slot runs that must not", s);
	if (top.fence_issued_o) {
		Action a = fence_action(top.fence_o, 0);
		uint64_t observed = top.word_o;

		tap.equal(fence_slot(top.fence_o, 0), s, "slot of a fence operation");
		if (a.kind == F_WAIT_LOG)
			tap.equal(observed, q.stalled ? q.wait_time : 0, "observed timestamp");
		tap.check(engines.empty(), "a fence operation before engine work is done");
		hand_over(s, a);
	}
	if (top.wait_issued_o) {
		tap.equal(wait_slot(top.wait_o), s, "slot of a WAIT");
		hand_over(s, wait_action(top.wait_o));
	}
	backs += back;
	if (back)
		tap.equal(engine_progress(top.engine_o, 0), 0,
			  "progress behind one that came back");
	if (top.engine_valid_o && top.engine_ready_i && NODE == 0)
		tap.equal(top.word_o, back ? 0 : q.partial, "partial result of an operation");
	if (top.engine_valid_o && top.engine_ready_i && !back) {
		tap.equal(engine_progress(top.engine_o, 0), q.progress, "progress of an operation");
		q.progress = q.partial = 0;
		tap.check(engines.empty() || engine_slot_now == s, "engine work of two slots");
		hand_over(s, engine_action(top.engine_o, 0));
	}
	if (top.stop_o) {
		Action a;

		a.unit = RECORD;
		uint64_t word[3];
		for (unsigned i = 0; i < 3; i++) {
			top.record_show_i = 1u << i;
			top.eval();
			word[i] = top.record_o;
		}
		top.record_show_i = 0;
		top.eval();
		a.kind = word[0] & 0xff;
		a.vmid = word[0] >> 16 & 0xf;
		a.a = word[1];
		a.b = word[2];
		tap.equal(word[0] >> 8 & 0xff, NODE, "node of a record");
		tap.equal(word[0] >> 24 & 0xff, 0, "detail of a record");
		tap.equal(word[0] >> 32, q.handle, "handle of a record");
		tap.check(engines.empty() && !q.fence, "a record before all before is done");
		hand_over(s, a);
	}
	if (top.event_packet_o && !back) {
		const Buffer *b = q.buffer();
		bool there = b && q.packet < b->packets.size();

		packets++;
		tap.check(there && q.step == b->packets[q.packet].actions.size(),
			  "a packet is behind before its work is handed over", s, q.step);
		if (there) {
			const Packet &p = b->packets[q.packet];

			tap.equal(top.wait_done_o, p.waits(), "a WAIT is behind");
			tap.check(!p.waits() || (q.wait_over && !q.waiting),
				  "a WAIT is behind before it is over", s);
			q.done_words += p.words;
		}
		q.packet++;
		q.step = 0;
	} else if (!back) {
		tap.check(!top.wait_done_o, "a WAIT is behind without its packet");
	}
	if (top.retire_valid_o) {
		const Buffer *b = q.buffer();

		tap.check(b && q.packet == b->packets.size() && !b->error.error && engines.empty(),
			  "an entry retires before its end", s, q.packet);
	}
	if (top.fail_valid_o && !q.error) {
		Failure got = { (unsigned)bits(top.fail_o, 67, 8),
				(unsigned)bits(top.fail_o, 65, 2),
				(unsigned)bits(top.fail_o, 64, 1), bits(top.fail_o, 0, 64) };
		Failure want;

		if (engine_failed)
			want = engine_failure;
		else if (q.buffer() && q.packet == q.buffer()->packets.size() && !q.step)
			want = q.buffer()->error;
		else if (!q.in_buffer && q.entries.size() > behind && q.entries[behind].in_ring)
			want = q.entries[behind].error;
		tap.equal(got.error, want.error, "cause of a failure");
		tap.equal(got.address, want.address, "address of a failure");
		tap.equal(got.level << 1 | got.store, want.level << 1 | want.store,
			  "level and store");
		tap.check(engine_failed || engines.empty(), "a failure before engine work is done");
	}
	tap.check(!top.engine_abort_o || (!engines.empty() && (error || engine_failed)),
		  "engine work is ended without a reason");
	tap.check(!error || engines.empty() || !top.busy_o || top.engine_abort_o,
		  "engine work of a slot in error is ended");
	aborts += top.engine_abort_o;
}

/* What rf_slots assumes of a node. */
void Bench::look_at_rules(unsigned s)
{
	Slot &q = slot[s];

	bool changed = s != was_slot, taken = top.busy_o && (!was_busy || changed);

	/* Another is loaded only by a node that waits for nothing but reads. */
	bool left = top.busy_o && top.load_slot_o != s;
	tap.check(!left || requests.size() || top.read_valid_o || top.response_valid_i,
		  "the slot served is the one loaded", s, top.load_slot_o);
	tap.check(!left || (!top.fence_valid_o && !top.wait_valid_o && !top.engine_valid_o &&
			    !top.record_valid_o && !top.begin_o && !top.retire_valid_o),
		  "a node executes for a slot that it left");
	if (top.busy_o && was_busy && changed)
		tap.check(was_reading, "a slot is left before another is taken", s, was_slot);
	if (changed && !q.in_buffer)
		tap.check(requests.empty(), "a slot is begun with reads of another in flight", s,
			  was_slot);
	was_reading = requests.size() || top.read_valid_o || top.response_valid_i;
	/* Cycles in which the node is busy are at least those that count. */
	quantum_used += top.busy_o;
	tap.check(!top.spent_o || (top.busy_o && quantum_used >= quantum_left),
		  "a quantum is over before its cycles are", quantum_used, quantum_left);
	quantum_over |= top.spent_o;
	if (in_turn && (!top.busy_o || changed || (was_served && !top.served_o))) {
		const bool others = was_runnable & ~(1u << was_slot);

		in_turn = false;
		if (slot[was_slot].runnable() && others) {
			turns++;
			/* nothing else ends a turn of NOPs that has work left */
			tap.check(!nops_only || quantum_over, "the end of a quantum is not told",
				  s);
			shortest_turn = std::min(shortest_turn, now - started_at);
			longest_turn = std::max(longest_turn, now - started_at);
		}
	}
	in_turn |= taken;
	was_served = top.served_o;
	if (taken) {
		quantum_over = false;
		turn_changed = s != turn_slot;
		turn_slot = s;
		turn_inside = q.in_buffer && requests.empty();
		turn_words = 0;
	}
	if (taken) {
		bool chosen = choice >> s & 1, announced = was_coming == s && !was_runnable;

		tap.check(chosen || announced || s == was_slot,
			  "a slot is taken that was not chosen", s, was_runnable);
		if (announced) {
			tap.equal(was_load_slot, s, "a coming slot is loaded");
			tap.check(q.in_buffer || top.read_valid_o == q.work(),
				  "its ring read goes out at once", s);
		}
		starts_chosen += chosen;
		starts_coming += announced && q.work();
		idle_rings += announced && !q.work();
		came = announced;
		started_at = now;
	} else if (was_busy && came && now == started_at + 1) {
		tap.check(!top.busy_o || q.work(), "a slot is served that has no work", s);
	}
	if (retired_at && now <= retired_at + 2)
		tap.check(top.busy_o && s == was_slot, "a node stays for two cycles", s, was_slot);
	if (!top.busy_o)
		tap.check(!top.fence_valid_o && !top.wait_valid_o && !top.engine_valid_o &&
				  !top.record_valid_o && !top.begin_o && !top.retire_valid_o,
			  "a node without a slot executes");
	if (top.idle_o)
		tap.check(requests.empty(), "idle with reads in flight");
	was_busy = top.busy_o;
	was_slot = s;
	was_load_slot = top.load_slot_o;
}

void Bench::cycle(bool quiet)
{
	unsigned s = top.slot_o, ring_slot = random.below(slots);

	/* --- what the slots say --------------------------------------------------------- */
	unsigned runnable = 0, ready_now = 0;
	for (unsigned i = 0; i < SLOTS; i++) {
		runnable |= slot[i].runnable() << i;
		ready_now |= slot[i].ready << i;
	}
	/* all of one band, none was served */
	unsigned turn = eligible & ready_now;
	top.eligible_i = eligible;
	top.turn_i = turn;
	eligible = runnable;
	/* A ring that moves nothing is as good as one that does, until the next cycle. */
	Slot &rung = slot[ring_slot];
	bool ring = !quiet && random.below(1000) < ring_rate, moves = false;
	if (ring)
		moves = rung.write_pointer - rung.read_pointer < rung.size() &&
			random.chance(moving);
	bool coming = ring && rung.ready;

	top.runnable_i = runnable;
	top.coming_i = coming;
	top.coming_slot_i = ring_slot;
	top.halt_i = halt;
	top.slot_error_i = error;
	top.wait_over_i = wait_over;
	top.waited_i = waited;
	top.memory_ready_i = random.chance(ready);
	top.load_data_i = loaded;
	top.fences_none_i = fences_none;
	top.timestamp_i = ++timestamp;
	uint64_t progress = random.next() & 0xffffffff;
	top.engine_progress_i = progress;
	uint64_t partial = random.next();
	top.engine_partial_i = partial;

	/* --- units ---------------------------------------------------------------------- */
	bool any_retiring = false;
	for (const Slot &q : slot)
		any_retiring |= q.retiring != 0;
	top.retire_ready_i = !any_retiring && random.chance(ready);
	top.fence_ready_i = !slot[s].fence && random.chance(ready);
	top.wait_ready_i = random.chance(ready);
	top.engine_ready_i = engines.size() < engine_room && random.chance(ready);
	top.record_ready_i = random.chance(ready);
	bool preempt = top.engine_preempt_o && !top.engine_abort_o;
	top.engine_done_i =
		!engines.empty() && (engines.front() <= now || top.engine_abort_o || preempt);
	top.engine_preempted_i = top.engine_done_i && preempt && engines.front() > now;
	Failure done;
	if (top.engine_done_i && !top.engine_preempted_i && random.chance(failure_rate))
		done = { E_ENGINE, (unsigned)random.below(4), (unsigned)random.below(2),
			 random.next() };
	put(top.engine_failure_i, 0, 64, done.address);
	put(top.engine_failure_i, 64, 1, done.store);
	put(top.engine_failure_i, 65, 2, done.level);
	put(top.engine_failure_i, 67, 8, done.error);

	/* --- registers ------------------------------------------------------------------ */
	if (register_read)
		tap.equal(top.register_data_o, register_want, "a register");
	register_read = false;
	top.register_i[0] = top.register_i[1] = top.register_i[2] = 0;
	top.descriptor_write_i = 0;
	unsigned enables = SLOTS;
	unsigned which = random.below(12);
	if (!writes.empty() && random.chance(70)) {
		uint64_t offset = writes.front().first - RF_SLOT_INDEXED_BASE;

		top.descriptor_write_i = 3;
		top.descriptor_slot_i = offset / RF_SLOT_INDEXED_STRIDE;
		top.descriptor_word_i = offset % RF_SLOT_INDEXED_STRIDE / 8;
		top.descriptor_data_i = writes.front().second;
		if (top.descriptor_word_i == RF_REG_SLOT_CONTROL(0) / 8 % 32)
			enables = top.descriptor_slot_i;
		writes.pop_front();
	} else if (which < 4) {
		register_read = true;
		register_want = which == 0   ? top.busy_o | s << 4 | !engines.empty() << 8
				: which == 1 ? progress
				: which == 2 ? counted
					     : 0;
		put_register(top.register_i, false,
			     which == 0	  ? RF_REG_NODE_STATUS(NODE)
			     : which == 1 ? RF_REG_NODE_PROGRESS(NODE)
			     : which == 2 ? RF_REG_NODE_RETIRED(NODE)
					  : RF_REG_NODE_STATUS(!NODE),
			     0);
	}

	counted = packets;

	/* Pages of a slot that is not served are mapped elsewhere. */
	unsigned remapped = random.below(SLOTS);
	top.invalidate_i = !nops_only && !engine_only && random.below(1000) < invalidate_rate;
	if (top.invalidate_i && remapped != s)
		rewrite(remapped);

	/* --- what a node is shown of its slots depends on the one it asks for ------------- */
	drive_memory();
	top.eval();
	unsigned load = top.load_slot_o;
	top.read_pointer_i = slot[load].read_pointer & 0x1fff;
	top.write_pointer_i = slot[s].write_pointer & 0x1fff;
	top.eval();
	tap.equal(top.slot_o, s, "the slot changes at the edge only");
	tap.equal(top.slot_onehot_o, 1u << s, "the slot, one-hot");
	if (top.slot_o != s)
		return;

	if (slot[s].in_buffer && (top.engine_valid_o || top.fence_valid_o || top.wait_valid_o) &&
	    !rewound)
		tap.equal(top.words_o, slot[s].done_words, "words of packets behind");
	look_at_rules(s);
	look_at_memory();
	look_at_units(s);

	/* --- what happens at the edge ----------------------------------------------------- */
	Slot &q = slot[s];
	struct {
		bool work, in_buffer, halt, error, wait_over, fences_none, waited;
	} next = { slot[load].work() || (moves && ring_slot == load),
		   slot[load].in_buffer,
		   q.error || q.disabling,
		   q.error,
		   q.wait_over && !top.wait_done_o,
		   !q.fence && !top.fence_issued_o,
		   q.waited };

	top.work_i = next.work;
	top.in_buffer_i = next.in_buffer;
	top.stalled_i = q.stalled;
	choice = was_runnable;
	was_runnable = turn;
	was_coming = coming ? ring_slot : SLOTS;
	if (top.event_packet_o && top.wait_done_o)
		q.wait_over = false;
	bool serving[SLOTS] = {};
	serving[s] = top.busy_o;
	serving[top.left_slot_o] |= top.owes_o;
	tap.check(!top.store_o || (top.owes_o && top.left_slot_o == top.memory_slot_o),
		  "what it stores it owes");
	/* what it keeps in the slot's registers */
	loaded = random.next();
	if (top.memory_ready_i && top.store_o) {
		Slot &kept = slot[top.memory_slot_o];

		tap.check(kept.enabled, "a position is kept of a slot that is disabled");
		/* what the context of a slot has no field for is 0 */
		if (top.number_o == RF_REG_SLOT_OPERATION_DONE(0) / 8 % 32)
			tap.equal(top.store_data_o >> 32, 0, "upper half of OPERATION_DONE");
		if (top.number_o == RF_REG_SLOT_QUANTUM_LEFT(0) / 8 % 32)
			tap.equal(top.store_data_o >> 24, 0, "upper bits of QUANTUM_LEFT");
		if (top.number_o == RF_REG_SLOT_OPERATION_PARTIAL(0) / 8 % 32 && NODE)
			tap.equal(top.store_data_o, 0, "OPERATION_PARTIAL of the copy engine");
		kept.registers[top.number_o] = top.store_data_o;
	} else if (top.memory_ready_i && top.load_o) {
		tap.equal(top.memory_slot_o, s, "the position of the slot served");
		if (slot[s].registers.count(top.number_o))
			loaded = slot[s].registers[top.number_o];
		else if (top.number_o == RF_REG_SLOT_QUANTUM_LEFT(0) / 8 % 32)
			loaded = 0; /* cleared when the slot was set up */
		if (top.number_o == RF_REG_SLOT_QUANTUM_LEFT(0) / 8 % 32) {
			quantum_left = loaded & 0xffffff ? loaded & 0xffffff : +TURN;
			quantum_used = 0;
		}
	}
	for (unsigned i = 0; i < SLOTS; i++) {
		Slot &p = slot[i];
		bool scanned = random.chance(scan_rate);

		p.ready = p.enabled && !p.disabling && !p.waiting && !p.stopped && !p.error;
		if (p.retiring && (p.retiring++ == 2 || random.chance(80))) {
			const Buffer &b = p.entries.front();

			for (unsigned w = 0; w < b.words; w++)
				memory.erase({ p.vmid, b.address + 8 * w });
			p.entries.pop_front();
			p.read_pointer++;
			p.retiring = 0;
		}
		if (p.waiting && (p.disabling || p.error) && scanned) { /* cancelled */
			p.waiting = false;
			p.waited = true;
			p.step = 0;
			cancels++;
		} else if (p.waiting && (p.release_at == now || random.chance(release_rate))) {
			p.waiting = false;
			if (random.chance(failure_rate)) {
				p.error = true;
			} else {
				p.wait_over = true;
				p.stalled = p.waited || random.chance(50);
				p.waited = false;
			}
		}
		if (p.disabling && p.disabled_for >= 2 && !serving[i] && !p.waiting && !p.fence &&
		    scanned) {
			p.enabled = p.disabling = false;
			disables++;
			for (const Request &r : requests)
				tap.check((r.va >> 44) - 1 != i,
					  "a slot is disabled with reads in flight", i);
			tap.check(i != s || !top.read_valid_o, "a slot is disabled that reads", i);
			if (p.error) {
				errors++;
				set_up(i);
				moves &= ring_slot != i;
			} else if (!nops_only && !engine_only && random.chance(50)) {
				rewrite(i);
			}
		} else if (p.disabling) {
			p.disabled_for++;
		} else if (p.enabled &&
			   (p.error ? random.chance(5)
				    : p.upset_at == now || random.below(10000) < upset_rate)) {
			p.disabling = true;
			p.disabled_for = 0;
		} else if (!p.enabled && enables == i) {
			p.enabled = true;
			p.enabling = false;
		} else if (!p.enabled && !p.enabling && (quiet || random.chance(5))) {
			p.enabling = true;
			writes.push_back({ RF_REG_SLOT_CONTROL(i), 1 });
		}
		if (p.stopped && random.chance(10))
			p.stopped = false;
	}
	if (!fences.empty() && fences.front().second <= now) {
		Slot &p = slot[fences.front().first];

		p.fence = false;
		if (random.chance(failure_rate / 2))
			p.error = true;
		fences.pop_front();
	}
	if (top.fail_valid_o && random.chance(10))
		q.error = true;
	if (top.engine_preempted_i && !rewound) { /* back to the first that is not complete */
		unsigned back = engines.size() + (top.engine_valid_o && top.engine_ready_i);

		q.packet -= back;
		packets -= back;
		q.done_words -= engine_words * back;
		q.step = 0;
		q.progress = progress;
		q.partial = partial;
		rewound = true;
		preempts++;
	}
	if (top.engine_done_i)
		engines.pop_front();
	if (top.engine_done_i && done.error && !engine_failed)
		engine_failure = done;
	engine_failed = (top.engine_done_i && done.error) || (engine_failed && !error);
	if (top.begin_o) {
		q.in_buffer = true;
		q.packet = q.step = q.done_words = 0;
	}
	if (top.fence_issued_o) {
		q.fence = true;
		fences.push_back({ s, now + 1 + random.below(unit_delay) });
	}
	if (top.engine_valid_o && top.engine_ready_i) {
		engines.push_back(now + 1 + random.below(unit_delay));
		most_in_engine = std::max(most_in_engine, engines.size());
		engine_slot_now = s;
	}
	rewound &= !engines.empty() || (top.engine_valid_o && !top.engine_ready_i);
	if (top.wait_issued_o) {
		q.waiting = true;
		if (!q.waited)
			q.wait_time = timestamp;
		waits++;
	}
	if (top.stop_o) {
		q.stopped = true;
		stops++;
	}
	if (top.retire_valid_o && top.retire_ready_i) {
		q.in_buffer = false;
		q.retiring = !q.entries.empty();
		retired_at = now;
	}
	if (moves) {
		submit(ring_slot);
		if (meets && ring_slot == s && rung.waiting)
			meet(ring_slot);
	}
	halted = halt;
	halt = next.halt;
	error = next.error;
	wait_over = next.wait_over;
	fences_none = next.fences_none;
	waited = next.waited;

	top.clk_i = 1;
	top.eval();
	top.clk_i = 0;
	top.eval();
	now++;
}

/* Until every slot has done all that it was given. */
bool Bench::settle()
{
	for (unsigned limit = 200000; limit; limit--) {
		bool rest = top.idle_o && writes.empty();

		for (const Slot &q : slot)
			rest &= q.enabled && !q.disabling && !q.error && !q.work() &&
				!q.in_buffer && !q.waiting && !q.stopped && !q.fence;
		if (rest)
			return true;
		cycle(true);
	}
	return false;
}

static void run(const char *name, uint64_t seed_value, const std::function<void(Bench &)> &tune)
{
	Bench b(seed_value);

	tap.begin(name);
	for (unsigned round = 0; round < 12; round++) {
		b.slots = SLOTS;
		tune(b);
		if (round % 2) { /* the node is mostly idle */
			b.slots = std::min(b.slots, 3u);
			b.ring_rate /= 6;
		} else if (round % 4 == 2) { /* few, with words of all of them kept */
			b.slots = 4;
		}
		for (unsigned i = 0; i < 8000; i++)
			b.cycle(false);
		b.failure_rate = b.upset_rate = 0;
		if (!b.settle()) {
			tap.check(false, "some slot hangs");
			break;
		}
	}
	printf("# started on %" PRIu64 " chosen, %" PRIu64 " coming slots (%" PRIu64
	       " without work); %" PRIu64 " packets, %" PRIu64 " waits, %" PRIu64 " stops, %" PRIu64
	       " cancels, %" PRIu64 " disabled, %" PRIu64 " errors, %" PRIu64 " aborts, %" PRIu64
	       " preempted, %" PRIu64 " reads ahead; %" PRIu64
	       " turns went on with kept words, %" PRIu64 " packets rewritten\n",
	       b.starts_chosen, b.starts_coming, b.idle_rings, b.packets, b.waits, b.stops,
	       b.cancels, b.disables, b.errors, b.aborts, b.preempts, b.ahead, b.unread,
	       b.rewritten);
	tap.check(b.starts_chosen > 100 && b.starts_coming > 10 && b.idle_rings > 0 &&
			  b.packets > 1000 && b.waits > 100 && b.stops > 10 && b.ahead > 0 &&
			  b.stalled_fences > 10 && b.stalled_fetches > 100 &&
			  b.stalled_engine > 10 && b.stalled_quiet > 10 &&
			  (b.ready < 100 || b.unread > 0) && b.rewritten > 100,
		  "the run had all of it");
	tap.end();
}

/* The node counts to seven; engines have no limit that it knows. */
/* Operations go to the engine while it gives back those that were before them. */
static void engine_that_gives_back(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("an operation behind one that comes back begins anew");
	b.engine_only = true;
	b.unit_delay = 400;
	for (unsigned s = 0; s < SLOTS; s++)
		b.set_up(s);
	for (unsigned i = 0; i < 60000; i++) {
		b.ready = i % 2000 < 1000 ? 100 : 20;
		b.cycle(false);
	}
	b.ready = 100;
	b.unit_delay = 4;
	tap.check(b.settle(), "every slot comes to its end");
	printf("# %" PRIu64 " preempted, %" PRIu64 " taken meanwhile\n", b.preempts, b.backs);
	tap.check(b.preempts > 20 && b.backs > 3, "operations", b.preempts, b.backs);
	tap.end();
}

static void engine_that_takes_all(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("seven operations at most are with an engine that takes as many as come");
	b.engine_only = true;
	b.engine_room = 100;
	b.unit_delay = 400;
	for (unsigned s = 0; s < SLOTS; s++)
		b.set_up(s);
	for (unsigned i = 0; i < 50000; i++)
		b.cycle(false);
	tap.equal(b.most_in_engine, 7, "most at a time");
	tap.check(b.settle(), "every slot comes to its end");
	tap.check(b.packets > 200, "packets", b.packets, 200);
	tap.end();
}

/* From the first cycle on: a failure told then would be that of slot 0. */
static void behind_a_reset(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("a reset leaves nothing to be served, told or offered");
	for (unsigned i = 0; i < 10; i++) {
		b.top.eval();
		tap.equal(b.top.update_o, 0, "told of a slot");
		tap.check(!b.top.fence_valid_o && !b.top.wait_valid_o && !b.top.engine_valid_o &&
				  !b.top.record_valid_o && !b.top.read_valid_o &&
				  !b.top.retire_valid_o && !b.top.store_o,
			  "something is offered", i);
		tap.check(!b.top.busy_o && !b.top.owes_o, "a slot is served", i);
		tap.equal(b.top.events_o, 0, "events");
		b.top.clk_i = 1;
		b.top.eval();
		b.top.clk_i = 0;
	}
	tap.equal(b.top.idle_o, 1, "idle");
	tap.end();
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	behind_a_reset(s);
	run("every slot hands over what its packets say, in order, fast neighbours", s,
	    [](Bench &b) { b.ring_rate = 50; });
	run("the same with slow neighbours in any order", s + 1, [](Bench &b) {
		b.ring_rate = 20;
		b.ready = 50;
		b.response_rate = 60;
		b.latency = 40;
		b.unit_delay = 60;
		b.release_rate = 2;
	});
	run("the same with slots that are disabled, enabled and fail", s + 2, [](Bench &b) {
		b.ring_rate = 40;
		b.upset_rate = 20;
		b.failure_rate = 6;
		b.ready = 80;
		b.latency = 12;
		b.unit_delay = 12;
	});
	run("the same with ports that are seldom ready", s + 3, [](Bench &b) {
		b.ring_rate = 20;
		b.upset_rate = 10;
		b.failure_rate = 3;
		b.ready = 10;
		b.latency = 5;
		b.unit_delay = 20;
	});

	run("the same with slots that are disabled at once while they are rung", s + 4,
	    [](Bench &b) {
		    b.slots = 1; /* that is seldom idle when it is rung without work */
		    b.moving = 40;
		    b.ring_rate = 300;
		    b.upset_rate = 300;
		    b.scan_rate = 100;
		    b.release_rate = 5;
	    });

	run("the same with slots that are disabled while they wait and others go on", s + 7,
	    [](Bench &b) {
		    b.meets = true;
		    b.slots = 2;
		    b.ring_rate = 60;
		    b.scan_rate = 100;
		    b.release_rate = 1;
		    b.latency = 20;
	    });

	run("the same with six slots that go on with their words, of which some share a place",
	    s + 8, [](Bench &b) {
		    b.long_buffers = true;
		    b.slots = 6;
		    b.ring_rate = 60;
		    b.upset_rate = 1;
		    b.failure_rate = 1;
		    b.invalidate_rate = 1;
		    b.release_rate = 15;
		    b.latency = 8;
		    b.unit_delay = 12;
	    });

	engine_that_gives_back(s + 9);
	engine_that_takes_all(s + 6);

	tap.begin("a slot keeps others waiting for a turn, not longer");
	Bench b(s + 5);
	b.nops_only = true;
	b.slots = 2;
	b.ring_rate = 1000;
	b.set_up(0);
	b.set_up(1);
	for (unsigned i = 0; i < 50000; i++)
		b.cycle(false);
	printf("# %" PRIu64 " turns of %" PRIu64 " to %" PRIu64 " cycles\n", b.turns,
	       b.shortest_turn, b.longest_turn);
	tap.check(b.turns > 40, "turns", b.turns, 40);
	tap.check(b.shortest_turn >= TURN, "shortest turn", b.shortest_turn, TURN);
	/* Beginning and leaving take 39 cycles at most with 200 seeds. */
	tap.check(b.longest_turn <= TURN + 40, "longest turn", b.longest_turn, TURN);
	tap.end();
	return tap.status();
}
