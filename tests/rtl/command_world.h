/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command processor and all its neighbours, as simple as they can be: memory
 * that answers in any order, a fence unit, engines and a wait unit that take and
 * finish what they get after random times, a host that owns registers, rings and
 * doorbells. What each queue hands to the units is written down per slot, in order.
 */
#ifndef RF_TEST_COMMAND_WORLD_H
#define RF_TEST_COMMAND_WORLD_H

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "Vrf_command_processor.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"
#include "packets.h"
#include "verilated.h"

namespace rf {

enum : unsigned { SLOTS = 16, DEDICATED = 8 };
enum Register : unsigned {
	RING_BASE = 0x00,
	CONFIG = 0x08,
	QUANTUM = 0x10,
	WP_ADDRESS = 0x18,
	POINTERS = 0x20,
	WRITE_POINTER = 0x28,
	CONTROL = 0x30,
	STATUS = 0x38,
	ERROR_ADDRESS = 0x40,
};
enum : uint64_t { ENABLE = 1, DISABLE = 2, RESAMPLE = 4, RESUME = 8 };
enum State : unsigned { DISABLED, IDLE, RUNNABLE, RUNNING, WAITING, STOPPED, ERROR };
constexpr uint64_t doorbell_block(unsigned offset)
{
	return 0x200 + offset;
}
constexpr uint64_t slot_register(unsigned slot, unsigned r)
{
	return 0x1100 + slot * 0x100 + r;
}

struct Record {
	unsigned kind, node, vmid, detail;
	uint64_t handle, address, value;
	uint64_t cycle;
};

struct ReadSeen {
	unsigned master, vmid, words, id;
	uint64_t va, cycle;
};

/* The ports of rf_command_processor, with each field of its structs as a port of its own. */
struct Ports : Vrf_command_processor {
	/* doorbell_t */
	unsigned doorbell_page_i = 0, doorbell_good_i = 0, doorbell_shown_i = 0;
	uint64_t doorbell_data_i = 0;
	/* node_response_t */
	unsigned response_valid_i = 0, response_to_i = 0;
	uint32_t response_i[3] = {};
	/* node_offer_t, of node n at [n] */
	unsigned fence_valid_o, engine_valid_o, engine_abort_o, engine_preempt_o;
	uint64_t fence_o;
	uint32_t engine_o[4] = {}, word_o[4] = {};
	/* units_ready_t, of node n at [n] */
	unsigned fence_ready_i = 0, engine_ready_i = 0, wait_ready_i = 0;
	/* engine_result_t, of node n at [n] */
	unsigned engine_done_i = 0, engine_preempted_i = 0;
	uint64_t engine_progress_i = 0;
	uint32_t engine_failure_i[5] = {}, engine_partial_i[4] = {};
	/* wait_offer_t, wait_release_t */
	bool wait_valid_o;
	uint8_t wait_o;
	uint64_t wait_word_o;
	unsigned release_valid_i = 0, release_stalled_i = 0, release_slot_i = 0;
	uint32_t release_failure_i[3] = {};
	/* context_register_t, register_reply_t */
	bool context_register_ready_i = false;
	uint64_t context_response_i = 0;
	uint32_t context_register_o[3] = {};
	unsigned context_access_o;
	/* write_reply_t */
	unsigned write_ready_i = 0, write_data_ready_i = 0, write_done_i = 0;
	/* node_status_t, of node n at [n] */
	unsigned event_busy_o, node_slot_o;

	template <class Wide> void put_engine_result(Wide &port, unsigned n) const
	{
		put(port, 172, 1, engine_done_i >> n);
		put(port, 171, 1, engine_preempted_i >> n);
		put(port, 160, 11, bits(engine_failure_i, 75 * n + 64, 11));
		put(port, 96, 64, bits(engine_failure_i, 75 * n, 64));
		put(port, 64, 32, engine_progress_i >> 32 * n);
		put(port, 0, 64, bits(engine_partial_i, 64 * n, 64));
	}
	template <class Wide> void take_offer(const Wide &port, unsigned n)
	{
		fence_valid_o |= bits(port, 147, 1) << n;
		engine_valid_o |= bits(port, 146, 1) << n;
		engine_abort_o |= bits(port, 145, 1) << n;
		engine_preempt_o |= bits(port, 144, 1) << n;
		fence_o |= bits(port, 116, 28) << 28 * n;
		put(engine_o, 52 * n, 52, bits(port, 64, 52));
		put(word_o, 64 * n, 64, bits(port, 0, 64));
	}
	void eval()
	{
		using Model = Vrf_command_processor;

		put(doorbell_i, 69, 1, doorbell_valid_i || doorbell_shown_i);
		put(doorbell_i, 68, 1, doorbell_good_i);
		put(doorbell_i, 64, 4, doorbell_page_i);
		put(doorbell_i, 0, 64, doorbell_data_i);
		put(Model::response_i, 81, 1, response_valid_i);
		put(Model::response_i, 79, 2, response_to_i);
		put(Model::response_i, 64, 15, bits(response_i, 64, 15));
		put(Model::response_i, 0, 64, bits(response_i, 0, 64));
		put(context_reply_i, 64, 1, context_register_ready_i);
		put(context_reply_i, 0, 64, context_response_i);
		units_ready_i = wait_ready_i << 4 | engine_ready_i << 2 | fence_ready_i;
		put_engine_result(engine0_result_i, 0);
		put_engine_result(engine1_result_i, 1);
		put(release_i, 80, 1, release_valid_i);
		put(release_i, 79, 1, release_stalled_i);
		put(release_i, 75, 4, release_slot_i);
		put(release_i, 64, 11, bits(release_failure_i, 64, 11));
		put(release_i, 0, 64, bits(release_failure_i, 0, 64));
		write_reply_i = write_ready_i << 5 | write_data_ready_i << 4 | write_done_i << 3;
		Model::eval();
		fence_valid_o = engine_valid_o = engine_abort_o = engine_preempt_o = fence_o = 0;
		take_offer(offer0_o, 0);
		take_offer(offer1_o, 1);
		wait_valid_o = bits(Model::wait_o, 72, 1);
		wait_o = bits(Model::wait_o, 64, 8);
		wait_word_o = bits(Model::wait_o, 0, 64);
		put(context_register_o, 64, 32, bits(Model::context_register_o, 64, 24));
		put(context_register_o, 0, 64, bits(Model::context_register_o, 0, 64));
		context_access_o = bits(Model::context_register_o, 88, 6);
		event_busy_o = node0_status_o >> 11 | node1_status_o >> 11 << 1;
		node_slot_o = (node0_status_o >> 7 & 15) | (node1_status_o >> 7 & 15) << 4;
	}
};

class World {
public:
	World(uint64_t seed_value) : random(seed_value), top(new Ports), clock(*top)
	{
		drive_idle();
		clock.reset();
	}

	Random random;
	std::unique_ptr<Ports> top;
	Clock<Ports> clock;

	/* Knobs: percent ready, percent of cycles with a response, latency range. */
	unsigned ready = 100, response_rate = 100, latency_min = 4, latency_range = 0;
	unsigned unit_min = 4, unit_range = 0;
	bool auto_resume = true, shuffle = false;
	unsigned stall_percent = 50;
	std::function<Failure(unsigned slot)> fence_failure, engine_failure, release_failure;
	std::function<bool(unsigned slot)> hold_release;

	std::deque<std::pair<unsigned, Failure>> fence_faults; /* one a cycle */

	/* What was seen. */
	std::vector<Action> actions[SLOTS];
	std::vector<uint64_t> action_cycle[SLOTS];
	std::vector<Record> records;
	std::vector<ReadSeen> reads;
	std::vector<std::pair<unsigned, uint64_t>> cancels;
	std::string complaint;
	uint64_t release_cycle[SLOTS] = {};
	uint64_t stalls_hit = 0;
	uint64_t timestamp = 1000;

	/* Memory per VMID; a read elsewhere is a complaint, or a fault where planted. */
	std::map<std::pair<unsigned, uint64_t>, uint64_t> memory;
	std::map<std::pair<unsigned, uint64_t>, unsigned> faults; /* status, level 2 */
	std::function<void(const ReadSeen &)> on_read;

	bool idle()
	{
		return top->idle_o && requests.empty() && fences.empty() && resumes.empty() &&
		       !waits_open();
	}
	bool waits_open()
	{
		for (const auto &w : waits)
			if (!hold_release || !hold_release(w.slot))
				return true;
		return false;
	}

	void write(uint64_t address, uint64_t data, unsigned strobe = 0xff)
	{
		set_register(true, address, data, strobe);
		tick();
		set_register(false, 0, 0, 0);
	}
	uint64_t read(uint64_t address)
	{
		memset_register();
		put_slot_register(*top, false, address, 0);
		host_register();
		tick();
		memset_register();
		const uint64_t data = top->register_data_o;
		tick();
		return data | top->slot_data_o;
	}
	void ring(unsigned page, uint64_t data, bool good = true)
	{
		set_ring(page, data, good);
		if (page == RF_GLOBAL_PAGE) { /* stands there for a cycle before */
			top->doorbell_valid_i = 0;
			top->doorbell_shown_i = 1;
			tick();
			top->doorbell_valid_i = 1;
			top->doorbell_shown_i = 0;
		}
		tick();
	}
	/* For the next tick only. */
	void set_ring(unsigned page, uint64_t data, bool good = true)
	{
		top->doorbell_valid_i = 1;
		top->doorbell_page_i = page;
		top->doorbell_data_i = data;
		top->doorbell_good_i = good;
	}
	void set_register(bool valid, uint64_t address, uint64_t data, unsigned strobe)
	{
		memset_register();
		if (valid)
			put_slot_register(*top, true, address, data, strobe);
		host_register();
	}
	/* Whose operation the engine of a node has first; SLOTS: none. */
	unsigned in_engine(unsigned node)
	{
		return engines[node].empty() ? SLOTS : engines[node].front().slot;
	}
	State state(unsigned slot) { return (State)(read(slot_register(slot, STATUS)) & 15); }

	void tick()
	{
		top->clk_i = 0;
		timestamp++;
		top->timestamp_i = timestamp;
		drive_inputs();
		bool second = second_master();
		top->eval();
		sample();
		top->clk_i = 1;
		top->eval();
		if (second)
			memset_register();
		clock.cycle++;
		top->doorbell_valid_i = 0;
		if (resumed)
			memset_register();
		resumed = false;
	}
	void run(unsigned cycles)
	{
		while (cycles--)
			tick();
	}
	/* Until everything is idle for a while; false if that takes too long. */
	bool settle(unsigned limit = 20000)
	{
		unsigned quiet = 0;

		while (limit-- && quiet < 12) {
			tick();
			quiet = idle() ? quiet + 1 : 0;
		}
		return quiet >= 12;
	}

	/* --- queues ------------------------------------------------------------- */
	struct Queue {
		unsigned slot, log2, vmid, node;
		uint64_t base, record, next_buffer, write_pointer = 0, read_floor = 0;
		unsigned handle, token;
		uint64_t size() const { return 1ull << log2; }
	};
	Queue queue(unsigned slot, unsigned log2, unsigned vmid, unsigned node, unsigned token = 0)
	{
		Queue q = {};

		q.slot = slot;
		q.log2 = log2;
		q.vmid = vmid;
		q.node = node;
		q.token = token;
		q.handle = 0xa0000 + slot;
		q.base = ((uint64_t)(slot + 1) << 44) +
			 16 * random.below(RF_RING_ENTRIES_MAX - q.size() + 1);
		q.record = ((uint64_t)(slot + 1) << 44) + 0x200000;
		q.next_buffer = ((uint64_t)(slot + 1) << 44) + 0x1000000 + 8 * random.below(16);
		write(slot_register(slot, RING_BASE), q.base);
		write(slot_register(slot, CONFIG),
		      (uint64_t)q.handle << 32 | token << 16 | node << 8 | vmid << 4 | log2);
		write(slot_register(slot, WP_ADDRESS), q.record);
		write(slot_register(slot, QUANTUM), 1024);
		return q;
	}
	void start(Queue &q, uint64_t pointer = 0)
	{
		q.write_pointer = q.read_floor = pointer;
		write(slot_register(q.slot, POINTERS), pointer);
		write(slot_register(q.slot, CONTROL), ENABLE);
		run(1); /* it acts one cycle late */
	}
	void bind(unsigned page, const Queue &q, bool resident = true)
	{
		write(doorbell_block(0x80) + page * 8,
		      (uint64_t)q.handle << 32 | q.slot << 4 | resident << 1 | 1);
	}
	void entry(Queue &q, uint64_t address, uint64_t size_flags)
	{
		uint64_t at = q.base + (q.write_pointer % q.size()) * 16;

		memory[{ q.vmid, at }] = address;
		memory[{ q.vmid, at + 8 }] = size_flags;
		q.write_pointer++;
		memory[{ q.vmid, q.record }] = q.write_pointer;
	}
	uint64_t buffer(Queue &q, const std::vector<uint64_t> &words)
	{
		uint64_t address = q.next_buffer;

		for (size_t i = 0; i < words.size(); i++)
			memory[{ q.vmid, address + 8 * i }] = words[i];
		/* a gap that must not be read */
		q.next_buffer = address + 8 * words.size() + 8 * (1 + random.below(12));
		return address;
	}
	uint64_t submit(Queue &q, const std::vector<uint64_t> &words)
	{
		uint64_t address = buffer(q, words);

		entry(q, address, words.size() * 8);
		return address;
	}

private:
	struct Request {
		ReadSeen what;
		unsigned sent;
		uint64_t due;
		std::vector<uint64_t> data; /* as early as it may be read */
	};
	struct Pending { /* engine work: where its action stands */
		unsigned slot;
		uint64_t due;
		bool log_only;
		bool stalled;
		size_t action = 0;
	};
	std::deque<Request> requests;
	std::deque<Pending> fences, waits, engines[2];
	std::deque<std::pair<unsigned, uint64_t>> resumes;
	unsigned engine_of[SLOTS] = {};

	/* Register accesses of rf_context, when the host has none and no ring comes. */
	bool second_master()
	{
		bool free = !bits(top->register_host_i, 87, 1) && !top->doorbell_valid_i;

		top->context_register_ready_i = free;
		top->eval();
		top->context_response_i = top->slot_data_o;
		if (!free || !bits(top->context_register_o, 87, 1))
			return false;
		for (unsigned i = 0; i < 3; i++)
			top->register_i[i] = top->context_register_o[i];
		top->slot_access_i = top->context_access_o;
		return true;
	}
	void host_register()
	{
		for (unsigned i = 0; i < 3; i++)
			top->register_host_i[i] = top->register_i[i];
	}
	void memset_register()
	{
		top->register_i[0] = top->register_i[1] = top->register_i[2] = 0;
		top->slot_access_i = 0;
		host_register();
	}
	void drive_idle()
	{
		memset_register();
		top->doorbell_valid_i = 0;
		top->doorbell_page_i = 0;
		top->doorbell_data_i = 0;
		top->doorbell_good_i = 0;
		top->response_valid_i = top->response_to_i = 0;
		put_result(top->fence_done_i, false);
		put_result(top->fence_fault_i, false);
		top->release_valid_i = 0;
		top->engine_done_i = top->engine_preempted_i = 0;
		top->engine_progress_i = 0;
		/* no preemption here */
		top->write_ready_i = top->write_data_ready_i = top->write_done_i = 0;
		top->comparing_i = 0;
		top->invalidate_i = 0;
	}
	template <class Wide> void put_failure(unsigned lsb, const Failure &f, Wide &wide)
	{
		put(wide, lsb, 64, f.address);
		put(wide, lsb + 64, 1, f.store);
		put(wide, lsb + 65, 2, f.level);
		put(wide, lsb + 67, 8, f.error);
	}

	void drive_inputs()
	{
		uint64_t now = clock.cycle;

		top->read_ready_i = (random.chance(ready) ? 1 : 0) | (random.chance(ready) ? 2 : 0);
		top->fence_ready_i = 0; /* one operation per slot at a time */
		for (unsigned n = 0; n < 2; n++)
			if (!fences_open[fence_slot(top->fence_o, n * 28)] && random.chance(ready))
				top->fence_ready_i |= 1 << n;
		top->engine_ready_i = 0;
		for (unsigned n = 0; n < 2; n++)
			if (engines[n].size() < 2 && random.chance(ready))
				top->engine_ready_i |= 1 << n;
		top->wait_ready_i = random.chance(ready);
		top->record_ready_i = (random.chance(ready) ? 1 : 0) |
				      (random.chance(ready) ? 2 : 0) |
				      (random.chance(ready) ? 4 : 0);

		/* memory: the next word of one request that is due */
		top->response_valid_i = top->response_to_i = 0;
		if (!requests.empty() && random.chance(response_rate)) {
			size_t pick = shuffle ? random.below(requests.size()) : 0;

			if (requests[pick].due <= now)
				response(pick);
		}

		put_result(top->fence_done_i, false);
		if (!fences.empty() && fences.front().due <= now) {
			Failure f;

			put_result(top->fence_done_i, true, fences.front().slot);
			if (fence_failure)
				f = fence_failure(fences.front().slot);
			put_failure(0, f, top->fence_done_i);
			fences.pop_front();
		}

		/* a comparison fails some time after its signal is done */
		put_result(top->fence_fault_i, false);
		if (!fence_faults.empty()) {
			put_result(top->fence_fault_i, true, fence_faults.front().first);
			put_failure(0, fence_faults.front().second, top->fence_fault_i);
			fence_faults.pop_front();
		}

		top->engine_done_i = 0;
		for (unsigned n = 0; n < 2; n++) {
			Failure f;

			bool preempt = top->engine_preempt_o >> n & 1;

			if (engines[n].empty() || (engines[n].front().due > now && !preempt))
				continue;
			unsigned slot = engines[n].front().slot;
			top->engine_preempted_i &= ~(1 << n);
			if (engines[n].front().due > now) { /* the first one is half done */
				top->engine_preempted_i |= 1 << n;
				bool first = engines[n].front().action < actions[slot].size();
				uint64_t progress = first ? random.next() >> 32 : 0;
				uint64_t partial = first ? random.next() : 0;
				if (first) {
					again_progress[slot] = progress;
					again_partial[slot] = partial;
					actions[slot].resize(engines[n].front().action);
					preempted++;
				}
				put(top->engine_partial_i, n * 64, 64, partial);
				top->engine_progress_i &= ~(0xffffffffull << 32 * n);
				top->engine_progress_i |= progress << 32 * n;
			}
			top->engine_done_i |= 1 << n;
			if (engine_failure)
				f = engine_failure(engines[n].front().slot);
			put_failure(n * 75, f, top->engine_failure_i);
			engine_of[engines[n].front().slot]--;
			engines[n].pop_front();
		}

		top->release_valid_i = 0;
		for (size_t i = 0; i < waits.size(); i++) {
			Failure f;

			if (waits[i].due > now || (hold_release && hold_release(waits[i].slot)))
				continue;
			top->release_valid_i = 1;
			top->release_slot_i = waits[i].slot;
			top->release_stalled_i = waits[i].stalled;
			if (release_failure)
				f = release_failure(waits[i].slot);
			put_failure(0, f, top->release_failure_i);
			release_cycle[waits[i].slot] = now;
			again[waits[i].slot] = false;
			waits.erase(waits.begin() + i);
			break;
		}

		if (!resumes.empty() && resumes.front().second <= now &&
		    !bits(top->register_i, 87, 1)) {
			set_register(true, slot_register(resumes.front().first, CONTROL), RESUME,
				     0xff);
			resumed = true;
			resumes.pop_front();
		}
	}
	bool resumed = false;

	void response(size_t pick)
	{
		Request &r = requests[pick];
		uint64_t va = r.what.va + 8 * r.sent;
		auto fault = faults.find({ r.what.vmid, va });
		bool last = r.sent + 1 == r.what.words;
		unsigned status = 0;

		if (fault != faults.end()) {
			status = fault->second;
			last = true;
		}
		top->response_valid_i = 1;
		put(top->response_i, 0, 64, status ? random.next() : r.data[r.sent]);
		put(top->response_i, 64, 2, status ? 2 : 0);
		put(top->response_i, 66, 3, status);
		put(top->response_i, 69, 1, last);
		put(top->response_i, 70, 5, r.what.id);
		put(top->response_i, 75, 4, r.what.master);
		top->response_to_i = r.what.master < 2 ? 1 << r.what.master : 0;
		r.sent++;
		if (last)
			requests.erase(requests.begin() + pick);
	}

	void complain(const char *text)
	{
		if (complaint.empty())
			complaint = text;
	}

	uint64_t held_va[2] = {};
	bool held[2] = {};

	void act(unsigned slot, const Action &a)
	{
		actions[slot].push_back(a);
		action_cycle[slot].push_back(clock.cycle);
	}
	/* Its words come on this bus: of a node, or that to the wait unit. */
	enum : unsigned { WAIT_WORDS = 2 };
	struct Coming {
		std::vector<Word> words;
		size_t next = 0, action = 0;
		unsigned slot = 0;
	};
	Coming coming[3];
	uint64_t word(unsigned bus)
	{
		return bus == WAIT_WORDS ? top->wait_word_o : bits(top->word_o, 64 * bus, 64);
	}
	void act(unsigned slot, const Action &a, unsigned bus)
	{
		Coming &c = coming[bus];

		act(slot, a);
		if (c.next < c.words.size())
			complain("a hand-over amid the words of another");
		c.words = words_of(a);
		c.next = 0;
		c.action = actions[slot].size() - 1;
		c.slot = slot;
		take_words(bus);
	}
	void take_words(unsigned bus)
	{
		Coming &c = coming[bus];

		if (c.next == c.words.size())
			return;
		if (c.action < actions[c.slot].size())
			take_word(actions[c.slot][c.action], c.words[c.next], word(bus));
		c.next++;
	}

	/*
	 * Whoever says idle may be left without a clock until something is given to it: what
	 * moves after that is not owed. Only words for a queue that waits, whose node is not
	 * busy, are fetched because there is time.
	 */
	bool asleep = false;
	void check_sleep()
	{
		bool given = top->doorbell_valid_i || bits(top->register_host_i, 87, 1) ||
			     top->response_valid_i || result_valid(top->fence_done_i) ||
			     result_valid(top->fence_fault_i) || top->engine_done_i ||
			     top->release_valid_i;
		bool prefetch = top->read_valid_o & ~top->event_busy_o;

		if (asleep && !given && !prefetch &&
		    (!top->idle_o || top->read_valid_o || top->fence_valid_o ||
		     top->engine_valid_o || top->wait_valid_o || top->record_valid_o ||
		     top->cancel_o >> 4))
			complain("something moved after it said idle");
		asleep = top->idle_o && !given && !prefetch;
	}

	void sample()
	{
		uint64_t now = clock.cycle;

		check_sleep();
		for (unsigned bus = 0; bus < 3; bus++)
			take_words(bus);
		for (unsigned n = 0; n < 2; n++) {
			ReadSeen r;
			bool valid = top->read_valid_o >> n & 1, taken = top->read_ready_i >> n & 1;

			if (!valid && !held[n])
				continue;
			r.id = bits(top->read_o, n * 80, 5);
			r.words = bits(top->read_o, n * 80 + 5, 7);
			r.va = bits(top->read_o, n * 80 + 12, 64);
			r.vmid = bits(top->read_o, n * 80 + 76, 4);
			r.master = n;
			r.cycle = now;
			if (held[n] && (!valid || r.va != held_va[n]))
				complain("a read changed before it was taken");
			held[n] = valid && !taken;
			held_va[n] = r.va;
			if (valid && first_valid[n] == 0)
				first_valid[n] = now;
			if (!valid || !taken)
				continue;
			if (!r.words || r.words > 8 || r.va % 8 ||
			    r.va / 64 != (r.va + r.words * 8 - 1) / 64)
				complain("a read of a shape that is not allowed");
			reads.push_back(r);
			if (on_read)
				on_read(r);
			Request request = { r, 0, now + latency_min, {} };
			request.due += latency_range ? random.below(latency_range) : 0;
			for (unsigned i = 0; i < r.words; i++) {
				auto word = memory.find({ r.vmid, r.va + 8 * i });

				if (word == memory.end() && !faults.count({ r.vmid, r.va + 8 * i }))
					complain("read outside of what the host gave");
				request.data.push_back(word == memory.end() ? 0 : word->second);
			}
			requests.push_back(request);
		}
		for (unsigned n = 0; n < 2; n++) {
			unsigned o = n * 28;
			Action a;
			unsigned slot;

			if (!(top->fence_valid_o >> n & top->fence_ready_i >> n & 1))
				continue;
			a = fence_action(top->fence_o, o);
			slot = fence_slot(top->fence_o, o);
			if (a.kind == F_WAIT_LOG) {
				uint64_t observed = word(n);

				if (observed && observed != wait_time[slot])
					complain("the observed timestamp is not that of the wait");
				if ((observed != 0) != last_stalled[slot])
					complain(
						"a wait is logged as stalled that was not, or not as it was");
			}
			if (engine_of[slot])
				complain("a fence operation overtook engine work of its queue");
			act(slot, a, n);
			fences.push_back({ slot, now + unit_delay(), false, false });
			fences_open[slot]++;
		}
		if (result_valid(top->fence_done_i))
			fences_open[result_slot(top->fence_done_i)]--;
		for (unsigned n = 0; n < 2; n++) {
			unsigned o = n * 52;
			Action a;
			unsigned slot;

			if (!(top->engine_valid_o >> n & top->engine_ready_i >> n & 1))
				continue;
			a = engine_action(top->engine_o, o);
			slot = top->node_slot_o >> 4 * n & 15;
			for (const auto &e : engines[n])
				if (e.slot != slot)
					complain("engine work of two queues at once");
			if (top->engine_preempt_o >> n & 1) { /* comes back as it came */
				engine_of[slot]++;
				engines[n].push_back({ slot, ~0ull, false, false, ~(size_t)0 });
				continue;
			}
			if (engine_progress(top->engine_o, o) != again_progress[slot] ||
			    (n == 0 && word(n) != again_partial[slot]))
				complain("engine work does not go on where it was");
			again_progress[slot] = again_partial[slot] = 0;
			act(slot, a, n);
			engine_of[slot]++;
			engines[n].push_back({ slot, now + unit_delay(), false, false,
					       actions[slot].size() - 1 });
		}
		if (top->wait_valid_o && top->wait_ready_i) {
			Action a = wait_action(top->wait_o);
			unsigned slot = wait_slot(top->wait_o);

			act(slot, a, WAIT_WORDS);
			if (!again[slot])
				wait_time[slot] = timestamp;
			bool stalled = random.chance(stall_percent);
			stalls_hit += stalled;
			last_stalled[slot] = stalled || again[slot];
			waits.push_back({ slot,
					  now + 2 + (unit_range ? random.below(unit_range) : 0),
					  false, stalled });
		}
		if (top->cancel_o >> 4) {
			unsigned cancelled = top->cancel_o & 15;

			cancels.push_back({ cancelled, now });
			again[cancelled] = true;
			for (size_t i = 0; i < waits.size(); i++)
				if (waits[i].slot == cancelled) {
					waits.erase(waits.begin() + i);
					break;
				}
		}
		for (unsigned p = 0; p < 3; p++) {
			uint64_t word[3];
			Record r;

			if (!(top->record_valid_o >> p & top->record_ready_i >> p & 1))
				continue;
			for (unsigned i = 0; i < 3; i++) {
				top->record_show_i = 1u << (p * 3 + i);
				top->eval();
				word[i] = bits(top->record_o, p * 64, 64);
			}
			top->record_show_i = 0;
			top->eval();
			r.value = word[2];
			r.address = word[1];
			r.handle = word[0] >> 32;
			r.detail = word[0] >> 24 & 0xff;
			r.vmid = word[0] >> 16 & 0xf;
			r.node = word[0] >> 8 & 0xf;
			r.kind = word[0] & 0xff;
			r.cycle = now;
			records.push_back(r);
			if (r.kind == R_TRAP || r.kind == R_SOFTWARE_SIGNAL) {
				unsigned slot = r.handle & 15;
				Action a;

				a.unit = RECORD;
				a.kind = r.kind;
				a.vmid = r.vmid;
				a.a = r.address;
				a.b = r.value;
				if (engine_of[slot] || fences_open[slot])
					complain("a stop before earlier work was performed");
				act(slot, a);
				if (auto_resume)
					resumes.push_back({ slot, now + 3 + random.below(20) });
			}
		}
	}
	unsigned unit_delay() { return unit_min + (unit_range ? random.below(unit_range) : 0); }

public:
	uint64_t first_valid[2] = {};
	uint64_t wait_time[SLOTS] = {};
	bool last_stalled[SLOTS] = {};
	uint64_t again_progress[SLOTS] = {}, again_partial[SLOTS] = {}, preempted = 0;
	bool again[SLOTS] = {}; /* the wait was cancelled: it is executed anew */
	int fences_open[SLOTS] = {};
};

} /* namespace rf */

#endif
