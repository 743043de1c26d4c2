// SPDX-License-Identifier: Apache-2.0
//
// rf_fence against a reference: every write of an operation in its order, the log
// counters, when MonitoredValue is sampled, what is raised and what is not, under
// random latencies; then exact sweeps of an update against a signal (S0-36, S0-37,
// S0-43). A word is performed at one known cycle of the modelled memory.

#include <algorithm>
#include <memory>

#include "Vrf_fence.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "fence_model.h"

using namespace rf;

namespace {

enum { Signal, Progress, Write, Timestamp, WaitLog };

struct Operation {
	unsigned kind, slot, vmid;
	uint64_t address, value, monitored;
	bool log;
	unsigned index;
	uint64_t payload, observed;
};

struct Expected { /* one word on write master 0 */
	unsigned vmid;
	uint64_t va, data;
	int role; /* 0 value, 1..6 entry word, 7 header */
	size_t op;
};

struct Log {
	uint64_t base = 0;
	unsigned entries = 0;
	uint32_t wraps = 0, free = 0;
	uint64_t last_end = 0;
};

struct Live { /* an accepted operation */
	Operation op;
	unsigned node = 0, error = 0;
	bool compare = false, logged = false;
	bool value_done = false, value_bad = false, log_done = false, sampled = false;
	bool done = false;
	unsigned failure = 0;
	uint64_t monitored = 0, value = 0, accepted_at = 0, performed_at = 0, done_at = 0;
	bool monitored_bad = false;
	std::shared_ptr<Log> log; /* in use when it was accepted */
};

struct Bench {
	Vrf_fence top;
	Random random;
	Tap &tap;
	Memory memory;
	WriteMaster fence_write, update_write;
	ReadMaster fence_read, update_read;
	uint64_t now = 0;
	std::deque<Operation> queue[2];
	std::deque<uint64_t> words[2]; /* of the operation that a node handed over, still to come */
	unsigned named_slot[2] = {}; /* that a node showed in the last cycle */
	std::vector<Live> live;
	std::deque<Expected> expected;
	std::deque<size_t> to_done, to_sample, to_decide;
	std::shared_ptr<Log> log[2][16];
	unsigned switched_under_load = 0;
	uint64_t progress[16] = {}, progress_monitored[16] = {}, next_log[2][16] = {};
	uint64_t progress_value[16] = {}; /* of the last one that was decided */
	std::vector<std::pair<uint64_t, Record>> records;
	uint64_t suppressed = 0, faults = 0, updated = 0;
	unsigned record_percent = 100;
	bool checking = true;
	bool busy[16] = {};
	bool any_lost = false; /* a lost one is decided some time after it is done */
	bool eager = true; /* memory is ready for reads without a request, too */
	bool read_before = false; /* a register was read in the cycle before */
	bool enabled_anew = false; /* ENABLE is written to a slot that has it */
	unsigned enables = 0;
	bool broken[16] = {}; /* an operation failed since the slot was enabled */
	uint64_t failed_address = 0; /* of the operation under way: its first write that failed, */
	unsigned failed_writes = 0; /* and how many did */
	uint64_t last_failed_address = 0; /* the same of the one done before */
	std::function<void()> each_cycle;
	std::map<uint64_t, uint64_t> cv_performed, mv_performed; /* address -> cycle */
	uint32_t handle(unsigned slot) const { return 0xabc00000 + slot * 0x111; }

	explicit Bench(Tap &t, uint64_t seed) :
	    random(seed), tap(t), fence_write(memory, random), update_write(memory, random),
	    fence_read(memory, random), update_read(memory, random)
	{
		fence_write.performed = [this](unsigned vmid, uint64_t va, uint64_t data, bool,
					       unsigned bad) { on_write(vmid, va, data, bad); };
		fence_read.sampled = [this](unsigned vmid, uint64_t va, uint64_t value) {
			on_sample(vmid, va, value);
		};
		update_write.performed = [this](unsigned vmid, uint64_t va, uint64_t, bool,
						unsigned) {
			mv_performed[va] = now;
			tap.equal(vmid, 0, "update writes in VMID 0");
		};
		for (unsigned s = 0; s < 16; s++)
			log[0][s] = std::make_shared<Log>(), log[1][s] = std::make_shared<Log>();
		eager = random.chance(50);
		top.rst_ni = 0;
		idle_inputs();
		for (int i = 0; i < 4; i++) {
			top.clk_i = 0, top.eval();
			top.clk_i = 1, top.eval();
		}
		top.rst_ni = 1;
		for (int i = 0; i < 300 && !top.idle_o; i++) /* its memory is cleared */
			step();
		tap.check(top.idle_o, "cleared after reset");
		for (unsigned s = 0; s < 16; s++)
			reg_write(RF_REG_SLOT_CONFIG(s), (uint64_t)handle(s) << 32 | (s & 15) << 4);
	}
	void idle_inputs()
	{
		set(&top.register_i, 0, 88, 0);
		top.slot_access_i = 0;
		top.fence_valid_i = 0;
		top.write_ready_i = top.write_data_ready_i = top.write_done_i = 0;
		top.read_ready_i = top.response_valid_i = top.record_ready_i = 0;
	}
	void set_speed(Speed w, Speed r)
	{
		fence_write.speed = update_write.speed = w;
		fence_read.speed = update_read.speed = r;
	}

	void on_write(unsigned vmid, uint64_t va, uint64_t data, unsigned bad)
	{
		if (expected.empty()) {
			tap.check(false, "a write that no operation asked for", va, 0);
			return;
		}
		Expected e = expected.front();
		Live &l = live[e.op];

		expected.pop_front();
		tap.equal(vmid, e.vmid, "write vmid");
		tap.equal(va, e.va, "write address");
		if (e.role == 0) {
			l.value_done = true;
			l.value_bad = bad;
			any_lost |= bad;
			l.performed_at = now;
			if (l.op.kind == Timestamp) {
				tap.check(data >= l.accepted_at && data <= now, "timestamp", data,
					  now);
				l.value = data;
			} else {
				tap.equal(data, e.data, "value");
			}
			if (!bad)
				cv_performed[va] = now;
		} else if (e.role <= 6) {
			tap.check(l.value_done || l.op.kind == WaitLog,
				  "log behind the value (S0-111)");
			if (l.value_bad) {
				tap.equal(data, 0, "entry of a lost value is zero");
			} else if (e.role == 6) {
				Log &g = *l.log;

				tap.check(data >= l.performed_at && data <= now, "end timestamp",
					  data, l.performed_at);
				tap.check(data >= g.last_end, "log time decreases (S0-121)", data,
					  g.last_end);
				g.last_end = data;
			} else {
				tap.equal(data, e.data, "entry word");
			}
		} else {
			Log &g = *l.log;
			uint64_t old = (uint64_t)g.wraps << 32 | g.free;

			if (!l.value_bad) {
				if (l.op.index < g.free)
					g.wraps++;
				g.free = l.op.index + 1;
				if (g.free == g.entries)
					g.free = 0, g.wraps++;
				tap.check(((uint64_t)g.wraps << 32 | g.free) > old,
					  "reference increases");
			}
			tap.equal(data, (uint64_t)g.wraps << 32 | g.free,
				  "header word (S0-109, S0-116)");
			l.log_done = true;
		}
		if (bad && !l.failure)
			l.failure = bad + 6;
	}

	void on_sample(unsigned vmid, uint64_t va, uint64_t value)
	{
		if (to_sample.empty()) {
			tap.check(false, "a read that no signal asked for", va, 0);
			return;
		}
		/* Samples may be in any order; the signal is found by its address. */
		for (size_t i = 0; i < to_sample.size(); i++) {
			Live &l = live[to_sample[i]];
			uint64_t m = l.op.kind == Progress ? progress_monitored[l.op.slot]
							   : l.op.monitored;

			if (m != va || l.sampled)
				continue;
			tap.equal(vmid, l.op.kind == Progress ? 0 : l.op.vmid, "monitored vmid");
			tap.check(l.value_done && now > l.performed_at,
				  "MonitoredValue sampled behind the value (S0-35)", now,
				  l.performed_at);
			tap.check(!l.logged || l.log_done, "sampled behind the log (S0-113)");
			l.sampled = true;
			l.monitored = value;
			l.monitored_bad = memory.status(va);
			to_sample.erase(to_sample.begin() + i);
			return;
		}
		tap.check(false, "read address", va, 0);
	}

	void accept(unsigned node)
	{
		Operation op = queue[node].front();
		size_t id = live.size();
		Live l;

		queue[node].pop_front();
		words[node] = { op.value, op.monitored };
		if (op.log || op.kind == WaitLog)
			words[node].push_back(op.payload);
		tap.check(!busy[op.slot], "one operation per slot at a time");
		l.op = op;
		l.node = node;
		l.accepted_at = now;
		l.value = op.value;
		l.logged = op.kind == WaitLog || (op.kind == Signal && op.log);
		l.log = log[op.kind != WaitLog][op.slot];
		if (l.logged && op.index >= l.log->entries)
			l.error = 6;
		if (op.kind == Progress && !progress[op.slot])
			l.error = 14;
		if (broken[op.slot]) /* must not act */
			l.error = 14;
		l.failure = l.error;
		busy[op.slot] = true;
		if (!l.error) {
			Log &g = *l.log;

			if (op.kind != WaitLog)
				expected.push_back(
					{ op.kind == Progress ? 0 : op.vmid,
					  op.kind == Progress ? progress[op.slot] : op.address,
					  op.value, 0, id });
			if (l.logged) {
				uint64_t entry = g.base + 40 + op.index * 48ull;
				uint64_t words[6] = {
					op.value, op.payload,
					0,	  op.kind == WaitLog ? op.observed : 0,
					0,	  0
				};

				for (int w = 0; w < 6; w++)
					expected.push_back(
						{ 0, entry + w * 8, words[w], w + 1, id });
				expected.push_back({ 0, g.base, 0, 7, id });
			}
			l.compare = op.kind == Signal || op.kind == Progress;
			if (l.compare) {
				to_sample.push_back(id);
				to_decide.push_back(id);
			}
		}
		to_done.push_back(id);
		live.push_back(l);
	}

	/* A slot whose value is done but not decided is told of; one without any is not. */
	void check_comparing(unsigned slot)
	{
		bool open = false, due = false;

		for (size_t id : to_decide) {
			const Live &l = live[id];

			open |= l.op.slot == slot;
			due |= l.op.slot == slot && l.done && !l.value_bad;
		}
		tap.check(!due || top.comparing_o, "comparing, not told of", slot);
		tap.check(open || any_lost || !top.comparing_o, "told of, not comparing", slot);
	}

	/* Decisions come in order: the next one must agree with its signal. */
	void decide(bool raised, const Record *r)
	{
		while (!to_decide.empty() && live[to_decide.front()].done &&
		       live[to_decide.front()].value_bad)
			to_decide.pop_front();
		if (to_decide.empty()) {
			tap.check(false, "a decision without a signal");
			return;
		}
		Live &l = live[to_decide.front()];
		bool want = l.monitored_bad || l.value > l.monitored;

		tap.check(l.done && l.sampled, "decision behind done");
		tap.equal(raised, want, "raised (S0-13, S0-14)");
		if (raised && r) {
			tap.equal(r->kind, 1, "kind");
			tap.equal(r->node, l.node, "node");
			tap.equal(r->handle, handle(l.op.slot), "handle");
			tap.equal(r->vmid, l.op.kind == Progress ? 0 : l.op.vmid, "record vmid");
			tap.equal(r->address,
				  l.op.kind == Progress ? progress[l.op.slot] : l.op.address,
				  "address");
			tap.equal(r->value, l.value, "value");
		}
		if (l.op.kind == Progress)
			progress_value[l.op.slot] = l.value;
		to_decide.pop_front();
	}

	void step()
	{
		if (each_cycle)
			each_cycle();
		fence_write.prepare(now);
		update_write.prepare(now);
		top.write_ready_i = fence_write.ready | update_write.ready << 1;
		top.write_data_ready_i = fence_write.data_ready | update_write.data_ready << 1;
		top.write_done_i = fence_write.done | update_write.done << 1;
		top.write_done_status_i = fence_write.status | update_write.status << 3;
		top.write_done_level_i = fence_write.level | update_write.level << 2;
		bool first = random.chance(50);
		bool a = false, b = false;

		if (first)
			a = fence_read.prepare(now, 3, &top.response_i, true);
		b = update_read.prepare(now, 4, &top.response_i, !a);
		if (!first)
			a = fence_read.prepare(now, 3, &top.response_i, !b);
		top.response_valid_i = a || b;
		if (!a && !b) /* a response for another master changes nothing */
			pack(&top.response_i, 0, { { 4, 2 }, { 5, random.below(32) }, { 70, 0 } });
		if (!a && !b)
			top.response_valid_i = random.chance(20);
		if (!eager) {
			fence_read.ready &= top.read_valid_o;
			update_read.ready &= top.read_valid_o >> 1;
		}
		top.read_ready_i = fence_read.ready | update_read.ready << 1;
		top.record_ready_i = random.chance(record_percent) | random.chance(record_percent)
									     << 1;
		top.timestamp_i = now;
		top.fence_valid_i = 0;
		for (unsigned n = 0; n < 2; n++) {
			uint64_t word = random.next();

			if (!queue[n].empty()) {
				const Operation &o = queue[n].front();
				const bool named = named_slot[n] == o.slot; /* a cycle before */

				named_slot[n] = o.slot;
				top.fence_valid_i |= (named && words[n].empty()) << n;
				if (o.kind != Progress)
					word = o.kind == WaitLog ? o.observed : o.address;
				pack(&top.fence_i, n * kOperationWidth,
				     { { 3, o.kind },
				       { 4, o.slot },
				       { 4, o.vmid },
				       { 1, o.log },
				       { 16, o.index } });
			}
			/* The words of the one before come first, one in each cycle. */
			if (!words[n].empty()) {
				word = words[n].front();
				words[n].pop_front();
			}
			set(&top.word_i, n * 64, 64, word);
		}
		unsigned enabled = enable_broken();
		const bool reads = is_read(top.register_i);
		const bool notifies = is_access(top.register_i) && !reads &&
				      bits(top.register_i, 72, 14) == RF_REG_FENCE_NOTIFY >> 3;

		if (!is_access(top.register_i)) /* whose answers are ORed */
			put_no_access(top.register_i, random.chance(50),
				      random.chance(50) ? RF_REG_SLOT_LOG_SWITCH(random.below(16))
							: RF_REG_FENCE_UPDATE_CURRENT +
								  8 * random.below(8) - 16,
				      random.next());
		top.asked_slot_i = random.below(16);

		top.clk_i = 0;
		top.eval();
		if (checking)
			check_comparing(top.asked_slot_i);
		tap.check(to_done.empty() || !top.idle_o, "idle with an operation under way");
		if (fence_write.done && fence_write.status && !failed_writes++)
			failed_address = fence_write.va;

		if (result_valid(top.fence_fault_o)) {
			Failure f = failure_of(&top.fence_fault_o);

			faults++;
			tap.check(f.error >= 7 && !f.store, "fault", f.error, 7);
			tap.equal(f.error, memory.status(f.address) + 6, "error of its address");
			tap.equal(f.level, memory.level(f.address), "level of its address");
		}
		if (checking && top.suppressed_o)
			decide(false, nullptr);
		suppressed += top.suppressed_o;
		updated += top.updated_o;
		for (unsigned i = 0; i < 2; i++) {
			if ((top.record_valid_o & top.record_ready_i) >> i & 1) {
				Record r = record_of(top, i);

				records.push_back({ now, r });
				if (checking && i == 0)
					decide(true, &r);
			}
		}
		if (result_valid(top.fence_done_o) && checking) {
			if (to_done.empty()) {
				tap.check(false, "done without an operation");
			} else {
				Live &l = live[to_done.front()];
				Failure f = failure_of(&top.fence_done_o);

				to_done.pop_front();
				l.done = true;
				l.done_at = now;
				busy[l.op.slot] = false;
				if (l.failure)
					broken[l.op.slot] = true;
				tap.equal(result_slot(top.fence_done_o), l.op.slot, "done slot");
				tap.equal(top.fence_done_log_only_o, l.op.kind == WaitLog,
					  "log only");
				tap.equal(f.error, l.failure, "done error");
				tap.check(l.error || ((l.op.kind == WaitLog || l.value_done) &&
						      (!l.logged || l.log_done)),
					  "done behind its writes");
				if (!l.error && l.failure) {
					tap.equal(f.store, 1, "store");
					tap.equal(f.address, failed_address, "failing address");
					tap.equal(f.level, memory.level(f.address), "level");
				}
				last_failed_address = failed_writes ? failed_address : 0;
				failed_writes = 0;
				if (l.value_bad) /* its read may still come, and has no effect */
					to_decide.erase(std::remove(to_decide.begin(),
								    to_decide.end(), &l - &live[0]),
							to_decide.end());
			}
		}
		fence_write.sample(now, top.write_valid_o & 1, &top.write_o, 0,
				   top.write_data_valid_o & 1, get(&top.write_data_o, 0, 64));
		update_write.sample(now, top.write_valid_o >> 1 & 1, &top.write_o, kWriteWidth,
				    top.write_data_valid_o >> 1 & 1,
				    get(&top.write_data_o, 64, 64));
		fence_read.sample(now, top.read_valid_o & 1, &top.read_o, 0, top.read_hold_o & 1);
		update_read.sample(now, top.read_valid_o >> 1 & 1, &top.read_o, kReadWidth, false);
		for (unsigned n = 0; n < 2; n++) {
			if (top.fence_valid_i & top.fence_ready_o & 1 << n)
				accept(n);
		}
		top.clk_i = 1;
		top.eval();
		tap.check(reads || !top.register_data_o, "data without a read",
			  top.register_data_o);
		tap.check(read_before || !top.slot_data_o, "data of a slot without a read",
			  top.slot_data_o);
		read_before = reads;
		tap.equal(top.notify_o, notifies, "NOTIFY, a cycle behind its write");
		top.restart_i = 0;
		if (enabled < 16)
			broken[enabled] = false;
		if (enabled_anew)
			end_register_request();
		now++;
	}

	/*
	 * The driver enables a failed slot again some time later, behind a DISABLE. Returns the
	 * slot, or 16. At other times it writes ENABLE to one that is enabled, unless a register is
	 * accessed in this cycle anyway: that changes nothing.
	 */
	unsigned enable_broken()
	{
		unsigned slot = random.below(16);

		enabled_anew = false;
		if (!broken[slot] || busy[slot])
			return 16;
		if (!get(&top.register_i, 87, 1) && random.chance(10)) {
			register_request(RF_REG_SLOT_CONTROL(slot), true,
					 RF_SLOT_CONTROL_ENABLE_MASK, 0xff);
			enabled_anew = true;
			enables++;
		}
		if (!random.chance(10))
			return 16;
		top.restart_i = slot_event(true, slot);
		return slot;
	}
	void register_request(uint64_t address, bool write, uint64_t data, unsigned strobe)
	{
		put_slot_register(top, write, address, data, strobe);
	}
	void end_register_request()
	{
		set(&top.register_i, 87, 1, 0);
		top.slot_access_i = 0;
	}
	void reg_write(uint64_t address, uint64_t data, unsigned strobe = 0xff)
	{
		register_request(address, true, data, strobe);
		step();
		end_register_request();
		step(); /* it acts */
	}
	uint64_t reg_read(uint64_t address)
	{
		register_request(address, false, 0, 0);
		step();
		end_register_request();
		uint64_t data = top.register_data_o;
		step();
		return data | top.slot_data_o;
	}
	void switch_logs(unsigned slot, uint64_t wait, uint64_t signal, unsigned wait_entries,
			 unsigned signal_entries)
	{
		reg_write(RF_REG_SLOT_WAIT_LOG_ADDRESS(slot), wait);
		reg_write(RF_REG_SLOT_SIGNAL_LOG_ADDRESS(slot), signal & 0xffffffff, 0x0f);
		reg_write(RF_REG_SLOT_SIGNAL_LOG_ADDRESS(slot), signal, 0xf0);
		next_log[0][slot] = wait;
		next_log[1][slot] = signal;
		reg_write(RF_REG_SLOT_LOG_ENTRIES(slot),
			  wait_entries | (uint64_t)signal_entries << 16);
		reg_write(RF_REG_SLOT_LOG_SWITCH(slot), 3);
		/* what was accepted by now goes to the old logs, the rest to the new ones */
		std::shared_ptr<Log> old[2] = { log[0][slot], log[1][slot] };
		log[0][slot] = std::make_shared<Log>(Log{ wait, wait_entries, 0, 0, 0 });
		log[1][slot] = std::make_shared<Log>(Log{ signal, signal_entries, 0, 0, 0 });
		switched_under_load += busy[slot];
		bool idle = top.idle_o;
		for (int i = 0; reg_read(RF_REG_SLOT_LOG_SWITCH(slot)); i++) {
			tap.check(!idle, "idle, and a log is still to be switched");
			idle = top.idle_o;
			if (i > 2000) {
				tap.check(false, "log switch never ends (S0-104)");
				return;
			}
			step(); /* every read takes the memory for a cycle */
		}
		for (size_t id : to_done)
			tap.check(live[id].log != old[0] && live[id].log != old[1],
				  "a write to the old log is outstanding (S0-104)", id, slot);
	}
	void set_progress(unsigned slot, uint64_t address, uint64_t monitored)
	{
		reg_write(RF_REG_SLOT_PROGRESS_ADDRESS(slot), address);
		reg_write(RF_REG_SLOT_PROGRESS_MONITORED_ADDRESS(slot), monitored);
		progress[slot] = address;
		progress_monitored[slot] = monitored;
	}
	/* A register of any slot: operations may not change what is read, nor the reverse. */
	void check_register()
	{
		unsigned s = random.below(16);

		switch (random.below(4)) {
		case 0:
			tap.equal(reg_read(RF_REG_SLOT_PROGRESS_ADDRESS(s)), progress[s],
				  "PROGRESS_ADDRESS");
			break;
		case 1:
			tap.equal(reg_read(RF_REG_SLOT_PROGRESS_MONITORED_ADDRESS(s)),
				  progress_monitored[s], "PROGRESS_MONITORED_ADDRESS");
			break;
		case 2:
			tap.equal(reg_read(RF_REG_SLOT_WAIT_LOG_ADDRESS(s)), next_log[0][s],
				  "WAIT_LOG_ADDRESS");
			break;
		default:
			tap.equal(reg_read(RF_REG_SLOT_SIGNAL_LOG_ADDRESS(s)), next_log[1][s],
				  "SIGNAL_LOG_ADDRESS");
			break;
		}
	}
	/* In every cycle: what an operation stores of its log has to wait. */
	void read_without_pause(unsigned cycles)
	{
		for (; cycles; cycles--) {
			register_request(RF_REG_SLOT_PROGRESS_ADDRESS(random.below(16)), false, 0,
					 0);
			step();
		}
		end_register_request();
		step();
	}
	void update(uint64_t current, uint64_t monitored, uint64_t value)
	{
		reg_write(RF_REG_FENCE_UPDATE_CURRENT, current);
		reg_write(RF_REG_FENCE_UPDATE_MONITORED, monitored);
		reg_write(RF_REG_FENCE_UPDATE_VALUE, value);
	}
	bool quiet()
	{
		return queue[0].empty() && queue[1].empty() && to_done.empty() && top.idle_o &&
		       fence_read.idle() && update_read.idle() && fence_write.idle() &&
		       update_write.idle();
	}
	void drain(unsigned most = 20000)
	{
		for (unsigned i = 0; i < most; i++) {
			if (quiet() && i > 3)
				return;
			step();
		}
		tap.check(false, "it never becomes idle", to_done.size(), 0);
	}
};

constexpr uint64_t kFence = 0x100000, kMonitored = 0x200000, kLogs = 0x4000000;
constexpr uint64_t kBadPage = 0x666000;

Operation random_operation(Bench &b, unsigned node)
{
	Random &r = b.random;
	Operation o = {};
	unsigned fence = r.below(8);

	o.kind = r.below(100) < 55 ? Signal : 1 + r.below(4);
	o.slot = node * 8 + r.below(8);
	o.vmid = o.slot;
	/* Addresses are a slot's own, so that a read tells whose it is. */
	o.address = kFence + o.slot * 256 + fence * 8;
	o.monitored = kMonitored + o.slot * 256 + fence * 8;
	switch (r.below(4)) { /* around the equality boundary (S0-14) */
	case 0:
		o.value = b.memory.word[o.monitored];
		break;
	case 1:
		o.value = b.memory.word[o.monitored] + 1;
		break;
	case 2:
		o.value = b.memory.word[o.monitored] - 1;
		break;
	default:
		o.value = r.next();
		break;
	}
	o.log = r.chance(50);
	o.index = b.log[o.kind != WaitLog][o.slot]->free;
	if (r.chance(20))
		o.index = r.below(b.log[o.kind != WaitLog][o.slot]->entries + 3);
	o.payload = r.next();
	o.observed = r.chance(50) ? r.next() : 0;
	if (r.chance(4))
		o.address = kBadPage + o.slot * 8;
	if (r.chance(4))
		o.monitored = kBadPage + 0x100 + o.slot * 8;
	return o;
}

/* An entry across two pages, of which either fails, or the value. */
void split_entry(Tap &tap)
{
	tap.begin("S0-106 a log entry across two pages: the write that fails is told");
	constexpr uint64_t log = kLogs + 0x8fc0; /* its first entry 24 bytes before a page */
	unsigned rests = 0;

	for (unsigned bad = 0; bad < 3; bad++) {
		for (unsigned status = 1; status < 7; status++) {
			uint64_t where[] = { log, log + 0x40, kFence };
			Bench b(tap, seed() + bad * 8 + status);

			b.set_speed({ 60, 6 }, { 60, 6 });
			b.switch_logs(1, kLogs + status * 0x10000, log, 84, 84);
			b.memory.fault[where[bad] >> 12] = status;
			b.queue[0].push_back(
				{ Signal, 1, 1, kFence, 7, kMonitored, true, 0, 1, 0 });
			b.drain();
			tap.equal(b.live.back().failure, status + 6, "failure");
			rests += b.last_failed_address == log + 0x40;
		}
	}
	tap.equal(rests, 6, "failures of the second page");
	tap.end();
}

/* What random operations have to meet before they may end. */
bool every_case(const Bench &b)
{
	unsigned logged = 0, failed = 0, signals = 0;

	for (const Live &l : b.live) {
		logged += l.logged && !l.error;
		failed += l.failure != 0;
		signals += l.compare;
	}
	return logged > 50 && failed > 20 && signals > 200 && b.suppressed > 20 &&
	       b.records.size() > 20 && b.faults > 0 && b.switched_under_load > 3;
}

void random_operations(Tap &tap, Speed w, Speed r, const char *name)
{
	tap.begin(name);
	Bench b(tap, seed() * 77 + w.percent + r.latency);

	b.set_speed(w, r);
	b.record_percent = w.percent;
	b.memory.fault[kBadPage >> 12] = 1;
	for (unsigned page = 3; page < 64; page += 7)
		b.memory.fault[(kLogs + 0x100000 + page * 0x1000) >> 12] = 6;
	for (unsigned s = 0; s < 16; s++) {
		unsigned entries = s == 15 ? 0 : s % 3 == 0 ? 84 : 1 + b.random.below(6);

		b.switch_logs(s, kLogs + s * 0x10000, kLogs + s * 0x10000 + 0x8000 + s * 64,
			      entries, s == 15 ? 200 : entries);
		if (s != 7)
			b.set_progress(s, kFence + 0x10000 + s * 8, kMonitored + 0x10000 + s * 8);
	}
	for (uint64_t a = 0; a < 0x20000; a += 8) {
		static const uint64_t edge[] = {
			0, 1, ~0ull, ~0ull - 1, 0xffffffff, 1ull << 32, 1ull << 63, (1ull << 63) - 1
		};

		b.memory.word[kMonitored + a] =
			b.random.chance(50) ? edge[b.random.below(8)] : b.random.next();
	}
	for (unsigned i = 0; i < 6000 || (i < 100000 && !every_case(b)); i++) {
		for (unsigned n = 0; n < 2; n++) {
			if (b.queue[n].empty() && b.random.chance(70))
				b.queue[n].push_back(random_operation(b, n));
		}
		if (b.random.chance(2)) { /* a log moves while its queue runs (S0-104) */
			unsigned s = b.random.below(15);

			if (b.random.chance(50)) /* just behind the start of an operation */
				for (unsigned t = 0; t < 200 && !b.busy[s]; t++)
					b.step();
			b.switch_logs(s, kLogs + b.random.below(64) * 0x1000,
				      kLogs + 0x100000 + b.random.below(64) * 0x1040,
				      1 + b.random.below(100), 1 + b.random.below(100));
		}
		if (b.random.chance(i / 500 % 2 ? 60 : 5))
			b.check_register();
		else if (b.random.chance(1))
			b.read_without_pause(b.random.below(100));
		else
			b.step();
	}
	b.drain();
	for (Live &l : b.live)
		tap.check(l.done, "done");
	for (size_t id : b.to_decide)
		tap.check(b.live[id].value_bad, "an operation was never decided");
	tap.check(every_case(b), "every case was met", b.switched_under_load, b.faults);
	tap.check(!b.fence_write.page_crossing, "no request crosses a page");
	tap.check(!b.fence_write.strobes_bad, "full strobes (S0-5)");
	for (unsigned s = 0; s < 16; s++) {
		tap.equal(b.reg_read(RF_REG_SLOT_SIGNAL_LOG_STATE(s)),
			  (uint64_t)b.log[1][s]->wraps << 32 | b.log[1][s]->entries << 16 |
				  b.log[1][s]->free,
			  "SIGNAL_LOG_STATE");
		tap.equal(b.reg_read(RF_REG_SLOT_WAIT_LOG_STATE(s)),
			  (uint64_t)b.log[0][s]->wraps << 32 | b.log[0][s]->entries << 16 |
				  b.log[0][s]->free,
			  "WAIT_LOG_STATE");
		tap.equal(b.reg_read(RF_REG_SLOT_PROGRESS_ADDRESS(s)), b.progress[s],
			  "PROGRESS_ADDRESS");
		tap.equal(b.reg_read(RF_REG_SLOT_PROGRESS_VALUE(s)), b.progress_value[s],
			  "PROGRESS_VALUE");
	}
	tap.end();
}

void progress_addresses(Tap &tap)
{
	tap.begin("a progress fence may be at any address but 0");
	Bench b(tap, seed() * 17);

	for (unsigned bit = 3; bit < 65; bit++) {
		b.set_progress(1, bit < 64 ? 1ull << bit : 0, kMonitored);
		b.queue[0].push_back({ Progress, 1, 1, 0, bit, 0, false, 0, 0, 0 });
		b.drain();
		tap.equal(b.live.back().failure, bit < 64 ? 0 : 14, "failure");
	}
	/* Written by halves: the other one stays, 0 or not. */
	for (unsigned slot = 2; slot < 16; slot++) {
		const bool high = slot & 1;
		const uint64_t mask = high ? 0xffffffff00000000 : 0xffffffff;
		const uint64_t before = slot & 2 ? 0x2000001000 : 0x2000001000 & mask;
		const uint64_t data = slot & 4 ? 0 : 0x3000004000;

		b.set_progress(slot, before, kMonitored);
		b.reg_write(RF_REG_SLOT_PROGRESS_ADDRESS(slot), data, high ? 0xf0 : 0x0f);
		b.progress[slot] = (before & ~mask) | (data & mask);
		b.queue[0].push_back({ Progress, slot, 1, 0, slot, 0, false, 0, 0, 0 });
		b.drain();
		tap.equal(b.live.back().failure, b.progress[slot] ? 0 : 14, "failure, by halves");
	}
	tap.end();
}

/* Whether it is the first operation behind a reset or not, and whether its read fails. */
void progress_values(Tap &tap)
{
	tap.begin("PROGRESS_VALUE has the value once its record is raised, or none is");
	for (unsigned i = 0; i < 16; i++) {
		Bench b(tap, seed() * 13 + i);
		const unsigned slot = i % 8;

		b.set_speed({ 60, 6 }, { 60, 6 });
		if (i & 1)
			b.memory.fault[kMonitored >> 12] = 1;
		b.set_progress(slot, kFence, kMonitored);
		b.memory.word[kMonitored] = 105;
		for (unsigned k = 0; k < 8; k++) {
			Operation o = {};
			const size_t records = b.records.size();
			const uint64_t suppressed = b.suppressed;

			o.kind = Progress;
			o.slot = o.vmid = slot;
			o.value = 100 + 2 * k;
			b.queue[0].push_back(o);
			for (unsigned t = 0;
			     t < 2000 && b.records.size() == records && b.suppressed == suppressed;
			     t++)
				b.step();
			tap.equal(b.reg_read(RF_REG_SLOT_PROGRESS_VALUE(slot)), 100 + 2 * k,
				  "PROGRESS_VALUE");
			b.drain();
			for (unsigned t = 0; t < 2000 && b.broken[slot]; t++)
				b.step();
		}
	}
	tap.end();
}

Operation signal(uint64_t value, unsigned slot = 1, bool log = false, unsigned index = 0)
{
	return { Signal, slot, slot, kFence, value, kMonitored, log, index, 0x123456789, 0 };
}

void boundary(Tap &tap)
{
	tap.begin("S0-9 S0-12 S0-13 S0-14 the record is raised above MonitoredValue only");
	struct {
		uint64_t monitored, value;
		bool raised;
	} rows[] = { { 41, 42, true },
		     { 42, 42, false },
		     { 43, 42, false },
		     { ~0ull, ~0ull, false },
		     { ~0ull, 5, false },
		     { ~0ull - 1, ~0ull, true },
		     { 0, 0, false },
		     { 0xffffffff, 1ull << 32, true },
		     { 1ull << 32, 0xffffffff, false },
		     { (1ull << 63) - 1, 1ull << 63, true },
		     { 1ull << 63, (1ull << 63) - 1, false } };
	Bench b(tap, seed());

	for (auto &row : rows) {
		size_t before = b.records.size();
		uint64_t suppressed = b.suppressed;

		b.memory.word[kMonitored] = row.monitored;
		b.queue[0].push_back(signal(row.value));
		b.drain();
		tap.equal(b.records.size() - before, row.raised, "records");
		tap.equal(b.suppressed - suppressed, !row.raised, "suppressed");
		tap.equal(b.memory.word[kFence], row.value, "CurrentValue");
	}
	tap.end();
}

/* One signal and one update, the update's write of UPDATE_VALUE `offset` cycles
 * behind the offer of the signal. The final pair must have been seen by a record
 * behind both writes, and a final value not above both monitored ones by none. */
struct Race {
	unsigned both = 0, signal_saw_old = 0, update_saw_old = 0;
};
void one_race(Bench &b, int offset, uint64_t value, uint64_t old_monitored, uint64_t new_monitored,
	      bool log, Race &hits)
{
	size_t before = b.records.size();
	uint64_t updates = b.updated;
	int start = 60;
	bool raised = false, after = false;

	b.memory.word[kMonitored] = old_monitored;
	b.memory.word[kFence] = 0;
	b.reg_write(RF_REG_FENCE_UPDATE_CURRENT, kFence);
	b.reg_write(RF_REG_FENCE_UPDATE_MONITORED, kMonitored);
	for (int c = 0; c < 200; c++) {
		if (c == start)
			b.queue[0].push_back(signal(value, 1, log, 0));
		if (c == start + offset)
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, new_monitored);
		else
			b.step();
	}
	b.drain();
	b.tap.equal(b.updated - updates, 1, "update done");
	for (size_t i = before; i < b.records.size(); i++) {
		raised = true;
		after |= b.records[i].first > b.cv_performed[kFence] &&
			 b.records[i].first > b.mv_performed[kMonitored];
		b.tap.equal(b.records[i].second.address, kFence, "record address");
		b.tap.equal(b.records[i].second.value, value, "record value");
		b.tap.check(b.records[i].second.detail == 0, "no failure");
	}
	bool signal_first = b.cv_performed[kFence] < b.mv_performed[kMonitored];

	hits.both += b.records.size() - before == 2;
	hits.signal_saw_old += b.live.back().monitored == old_monitored;
	hits.update_saw_old += !signal_first;
	if (value > new_monitored)
		b.tap.check(raised && after, "lost wake-up (S0-36, S0-43)", offset, value);
	if (value <= new_monitored && value <= old_monitored)
		b.tap.check(!raised, "needless interrupt (S0-34)", offset, value);
}

void sweep(Tap &tap, Speed w, Speed r, bool log, const char *name)
{
	tap.begin(name);
	Bench b(tap, seed() * 31 + w.latency + r.latency);
	Race lowers, raises;

	b.set_speed(w, r);
	b.switch_logs(1, kLogs, kLogs + 0x8000, 84, 84);
	for (int offset = -45; offset <= 60; offset++) {
		one_race(b, offset, 42, ~0ull, 41, log, lowers); /* a waiter comes */
		one_race(b, offset, 42, ~0ull, 42, log, lowers); /* ... for a later value */
		one_race(b, offset, 42, 41, 42, log, raises); /* the waiter has gone */
	}
	tap.check(lowers.signal_saw_old > 5 && lowers.update_saw_old > 5, "both orders were met",
		  lowers.signal_saw_old, lowers.update_saw_old);
	tap.end();
}

/* Without the port: the CPU writes MonitoredValue, then reads CurrentValue; the
 * device writes CurrentValue, then reads MonitoredValue. One sees the other. */
void system_monitored(Tap &tap, Speed w, Speed r)
{
	tap.begin("S0-43 MonitoredValue in system memory: CPU or device sees the other's write");
	Bench b(tap, seed() * 13 + 5);
	unsigned by_cpu = 0, by_device = 0;

	b.set_speed(w, r);
	for (int offset = -30; offset <= 60; offset++) {
		for (int gap = 1; gap < 4; gap++) {
			size_t before = b.records.size();
			uint64_t read = 0;

			b.memory.word[kMonitored] = ~0ull;
			b.memory.word[kFence] = 0;
			for (int c = 0; c < 150; c++) {
				if (c == 40)
					b.queue[1].push_back(signal(42, 9));
				if (c == 40 + offset)
					b.memory.word[kMonitored] = 41;
				if (c == 40 + offset + gap)
					read = b.memory.word[kFence];
				b.step();
			}
			b.drain();
			by_cpu += read == 42;
			by_device += b.records.size() > before;
			tap.check(read == 42 || b.records.size() > before, "lost wake-up", offset,
				  gap);
		}
	}
	tap.check(by_cpu > 5 && by_device > 5, "both orders were met", by_cpu, by_device);
	tap.end();
}

void long_log(Tap &tap)
{
	tap.begin("S0-109 a log as long as one can be, with every bit of the index");
	Bench b(tap, seed() * 5);

	b.set_speed({ 100, 0 }, { 100, 0 });
	b.switch_logs(1, kLogs, kLogs + 0x400000, 0xffff, 0xffff);
	b.drain();
	for (unsigned bit = 0; bit < 16; bit++) {
		b.queue[0].push_back(signal(1 + bit, 1, true, (1u << bit) - 1));
		b.drain();
		tap.equal(b.reg_read(RF_REG_SLOT_SIGNAL_LOG_STATE(1)), 0xffffull << 16 | 1 << bit,
			  "behind the entry");
	}
	b.queue[0].push_back(signal(17, 1, true, 0xfffe));
	b.drain();
	tap.equal(b.reg_read(RF_REG_SLOT_SIGNAL_LOG_STATE(1)), 1ull << 32 | 0xffffull << 16,
		  "behind the last one");
	tap.end();
}

void registers_of_slots(Tap &tap)
{
	tap.begin("a reset clears all registers of slots, each keeps what is written to it");
	Bench b(tap, seed() * 5);
	const uint64_t registers[] = {
		RF_REG_SLOT_PROGRESS_ADDRESS(0),   RF_REG_SLOT_PROGRESS_MONITORED_ADDRESS(0),
		RF_REG_SLOT_PROGRESS_VALUE(0),	   RF_REG_SLOT_WAIT_LOG_ADDRESS(0),
		RF_REG_SLOT_SIGNAL_LOG_ADDRESS(0), RF_REG_SLOT_LOG_ENTRIES(0),
		RF_REG_SLOT_WAIT_LOG_STATE(0),	   RF_REG_SLOT_SIGNAL_LOG_STATE(0),
		RF_REG_SLOT_WAIT_LOG_PLACE(0),	   RF_REG_SLOT_SIGNAL_LOG_PLACE(0),
	};
	const uint64_t next = RF_REG_SLOT_STATUS(1) - RF_REG_SLOT_STATUS(0);
	uint64_t written[16][10];

	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned s = 0; s < 16; s++)
			for (unsigned r = 0; r < 10; r++)
				tap.equal(b.reg_read(registers[r] + s * next),
					  pass ? written[s][r] : 0, pass ? "kept" : "cleared");
		if (pass)
			break;
		for (unsigned s = 0; s < 16; s++)
			for (unsigned r = 0; r < 10; r++) {
				written[s][r] = b.random.next();
				b.reg_write(registers[r] + s * next, written[s][r]);
			}
		for (int i = 0; i < 300; i++)
			b.step();
	}
	/* The same when the memory was in use. */
	b.top.rst_ni = 0;
	b.top.eval();
	b.top.rst_ni = 1;
	for (int i = 0; i < 300; i++)
		b.step();
	for (unsigned s = 0; s < 16; s++)
		for (unsigned r = 0; r < 10; r++)
			tap.equal(b.reg_read(registers[r] + s * next), 0, "cleared again");
	for (unsigned strobe = 2; strobe < 256; strobe *= 2) {
		b.reg_write(RF_REG_SLOT_LOG_SWITCH(3), 3, strobe);
		tap.equal(b.reg_read(RF_REG_SLOT_LOG_SWITCH(3)), 0, "other bytes of LOG_SWITCH");
	}
	tap.end();
}

/* Logs in use that are not named keep their place and their state. */
void named_logs(Tap &tap)
{
	tap.begin("S0-104 LOG_SWITCH switches the logs that it names, and no other");
	Bench b(tap, seed() * 19);

	for (unsigned slot = 0; slot < 16; slot++) {
		const unsigned names = slot & 3; /* bit 0: the wait log, bit 1: the signal log */
		const uint64_t address[2] = { kLogs + slot * 0x1000, kLogs + slot * 0x2000 + 64 };
		const uint64_t state[2] = { 0x500070003 + slot, 0x900080002 + slot };
		const uint64_t place[2] = { kLogs * 3 + slot * 0x4000, kLogs * 5 + slot * 0x8000 };
		const unsigned entries[2] = { 20 + slot, 40 + slot };

		b.reg_write(RF_REG_SLOT_WAIT_LOG_STATE(slot), state[0]);
		b.reg_write(RF_REG_SLOT_SIGNAL_LOG_STATE(slot), state[1]);
		b.reg_write(RF_REG_SLOT_WAIT_LOG_PLACE(slot), place[0]);
		b.reg_write(RF_REG_SLOT_SIGNAL_LOG_PLACE(slot), place[1]);
		b.reg_write(RF_REG_SLOT_WAIT_LOG_ADDRESS(slot), address[0]);
		b.reg_write(RF_REG_SLOT_SIGNAL_LOG_ADDRESS(slot), address[1]);
		b.reg_write(RF_REG_SLOT_LOG_ENTRIES(slot), entries[0] | entries[1] << 16);
		b.register_request(RF_REG_SLOT_LOG_SWITCH(slot), true, names, 0xff);
		b.step();
		b.end_register_request();
		tap.check(!(b.reg_read(RF_REG_SLOT_LOG_SWITCH(slot)) & ~names),
			  "a bit that was not written", slot, names);
		for (int i = 0; i < 400; i++)
			b.step();
		tap.equal(b.reg_read(RF_REG_SLOT_LOG_SWITCH(slot)), 0, "switched");
		tap.equal(b.reg_read(RF_REG_SLOT_WAIT_LOG_STATE(slot)),
			  names & 1 ? entries[0] << 16 : state[0], "WAIT_LOG_STATE");
		tap.equal(b.reg_read(RF_REG_SLOT_SIGNAL_LOG_STATE(slot)),
			  names & 2 ? entries[1] << 16 : state[1], "SIGNAL_LOG_STATE");
		tap.equal(b.reg_read(RF_REG_SLOT_WAIT_LOG_PLACE(slot)),
			  names & 1 ? address[0] : place[0], "WAIT_LOG_PLACE");
		tap.equal(b.reg_read(RF_REG_SLOT_SIGNAL_LOG_PLACE(slot)),
			  names & 2 ? address[1] : place[1], "SIGNAL_LOG_PLACE");
	}
	tap.end();
}

void update_port(Tap &tap)
{
	tap.begin("S0-33 S0-34 the update port: order, depth, drops, failures");
	Bench b(tap, seed() * 3);
	uint64_t first, done;

	b.set_speed({ 100, 0 }, { 100, 0 });
	b.memory.word[kFence] = 10;
	first = b.reg_read(RF_REG_FENCE_UPDATE_DONE);
	tap.equal(first, 0, "UPDATE_DONE after reset");
	/* the record is refused: the update is not done until it is taken */
	b.record_percent = 0;
	b.update(kFence, kMonitored, 9);
	for (int i = 0; i < 60; i++)
		b.step();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE), 0, "not done before its record is taken");
	tap.equal(b.reg_read(RF_REG_FENCE_STAGES), RF_FENCE_STAGES_UPDATING_MASK, "STAGES");
	for (int i = 0; i < 17; i++)
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, 100 + i);
	b.step();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE), 2ull << 32, "16 fit, two were dropped");
	b.record_percent = 100;
	b.drain();
	done = b.reg_read(RF_REG_FENCE_UPDATE_DONE);
	tap.equal(done, 2ull << 32 | 16, "done");
	tap.equal(b.memory.word[kMonitored], 114, "the last one that fitted");
	tap.equal(b.records.size(), 1, "one record: 10 > 9");
	tap.equal(b.records[0].second.kind, 2, "monitored_update");
	tap.equal(b.records[0].second.value, 10, "CurrentValue");
	tap.equal(b.records[0].second.handle, 0, "no queue");
	b.memory.fault[kBadPage >> 12] = 4;
	b.update(kBadPage, kMonitored, 7);
	b.drain();
	b.update(kFence, kBadPage, 7);
	b.drain();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE), 2ull << 48 | 2ull << 32 | 18, "two failed");
	tap.equal(b.records.size(), 3, "and raised");
	tap.equal(b.records[1].second.detail + b.records[2].second.detail, 2, "detail");
	b.reg_write(RF_REG_FENCE_UPDATE_VALUE, 0x1234, 0x0f);
	b.drain();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, 18,
		  "half a value posts nothing");
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_CURRENT), kFence, "UPDATE_CURRENT");
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_MONITORED), kBadPage, "UPDATE_MONITORED");
	b.reg_write(RF_REG_FENCE_UPDATE_CURRENT, kFence);
	b.reg_write(RF_REG_FENCE_UPDATE_VALUE, 0x1234ull << 32, 0xf0);
	b.drain();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, 18,
		  "nor does the other half, for another update");
	for (unsigned status = 1; status <= 6; status++) {
		uint64_t page = kBadPage + status * 0x1000;

		b.memory.fault[page >> 12] = status;
		b.update(kFence, page, 7);
		b.drain();
	}
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE), 8ull << 48 | 2ull << 32 | 24,
		  "of every status");
	tap.end();

	tap.begin("the counters of UPDATE_DONE are as wide as they say");
	b.record_percent = 0;
	for (unsigned i = 0; i < 16 + 0x10000 + 3; i++)
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, 7);
	b.step();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) >> 32, 8ull << 16 | 5, "dropped");
	b.record_percent = 100;
	b.drain();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, 40, "done");
	for (unsigned i = 0; i < 0x8000; i++) {
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, 7);
		if (i % 16 == 15)
			b.drain();
	}
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE),
		  (24 + 0x8000ull) << 48 | 5ull << 32 | (40 + 0x8000), "done and failed");
	tap.end();

	tap.begin("UPDATE_VALUE is written whole, or in halves, in either order");
	done = b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff;
	for (unsigned i = 0; i < 64; i++) {
		uint64_t value = (i * 0x9e3779b97f4a7c15) | 1ull << 63;

		/* a half that is left over has no effect */
		if (i % 5 == 1)
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, ~value, i & 8 ? 0xf0 : 0x0f);
		if (i % 5 == 1 || i % 7 == 0)
			b.reg_write(RF_REG_FENCE_UPDATE_CURRENT, kFence);
		if (i % 5 == 1 || i % 7 == 0)
			b.reg_write(RF_REG_FENCE_UPDATE_MONITORED, kMonitored);
		switch (i % 3) {
		case 0:
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value);
			break;
		case 1:
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value, 0x0f);
			b.drain();
			tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, done + i,
				  "the low half posts nothing");
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value, 0xf0);
			break;
		default:
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value, 0xf0);
			b.drain();
			tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, done + i,
				  "the high half posts nothing");
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value, 0x0f);
			break;
		}
		b.drain();
		tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, done + i + 1,
			  "posted once");
		tap.equal(b.memory.word[kMonitored], value, "MonitoredValue");
	}
	for (unsigned high = 0; high < 2; high++) {
		const unsigned one = high ? 0xf0 : 0x0f, other = high ? 0x0f : 0xf0;
		const uint64_t value = 0x8123456789abcdef + high;

		done = b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff;
		/* either address discards the half before it */
		for (uint64_t address :
		     { RF_REG_FENCE_UPDATE_CURRENT, RF_REG_FENCE_UPDATE_MONITORED }) {
			const uint64_t to =
				address == RF_REG_FENCE_UPDATE_CURRENT ? kFence : kMonitored;

			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, ~value, one);
			b.reg_write(address, to);
			b.reg_write(RF_REG_FENCE_UPDATE_VALUE, ~value, other);
			b.drain();
			tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, done,
				  "a half behind an address posts nothing");
			b.reg_write(address, to);
		}
		/* another register does not, nor does a read; of one half twice the last counts */
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, ~value, one);
		b.reg_write(RF_REG_FENCE_NOTIFY, 1);
		b.reg_write(RF_REG_FENCE_UPDATE_DONE, ~0ull);
		b.reg_write(RF_REG_SLOT_PROGRESS_ADDRESS(1), kFence);
		b.reg_read(RF_REG_FENCE_UPDATE_CURRENT);
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value, one);
		b.drain();
		tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, done,
			  "one half twice posts nothing");
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value, other);
		b.drain();
		tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, done + 1,
			  "the other one posts");
		tap.equal(b.memory.word[kMonitored], value, "the halves written last");
		/* and a whole one behind a half of the next */
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, ~value, one);
		b.reg_write(RF_REG_FENCE_UPDATE_VALUE, value + 2);
		b.drain();
		tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, done + 2,
			  "a whole value behind a half posts");
		tap.equal(b.memory.word[kMonitored], value + 2, "the whole value");
	}
	tap.end();
}

void update_records(Tap &tap)
{
	tap.begin("each record of an update is shown until it is taken");
	Bench b(tap, seed() * 29);

	b.record_percent = 30;
	b.memory.word[kFence] = 10;
	for (unsigned i = 0; i < 60; i++) {
		size_t records = b.records.size();

		b.update(kFence, kMonitored, i % 20);
		b.drain();
		tap.equal(b.records.size() - records, i % 20 < 10, "records");
	}
	b.reg_read(RF_REG_FENCE_NOTIFY); /* does nothing */
	/* behind accesses in each cycle, for long */
	for (unsigned i = 0; i < 40; i++) {
		b.register_request(RF_REG_FENCE_WAITING, i & 1, 0, 0xff);
		b.step();
	}
	b.register_request(RF_REG_FENCE_UPDATE_VALUE, true, 77, 0xff);
	b.step();
	b.end_register_request();
	b.record_percent = 100;
	b.drain();
	tap.equal(b.reg_read(RF_REG_FENCE_UPDATE_DONE) & 0xffffffff, 61, "done");
	tap.equal(b.memory.word[kMonitored], 77, "MonitoredValue");
	tap.end();
}

void latency(Tap &tap)
{
	tap.begin("cycles: performed on time, log back to back, one signal in six cycles");
	Bench b(tap, 1);
	uint64_t start;

	b.set_speed({ 100, 0 }, { 100, 0 });
	b.switch_logs(1, kLogs, kLogs + 0x8000, 84, 84);
	b.drain();
	b.queue[0].push_back(signal(1));
	b.drain();
	Live &plain = b.live.back();

	/* the model performs a word 2 cycles after its request, done one later */
	tap.equal(plain.performed_at - plain.accepted_at, 3, "accepted to performed");
	tap.equal(plain.done_at - plain.performed_at, 1, "performed to done");
	tap.equal(b.records.size(), 1, "record");
	printf("# performed to record, no log: %d cycles\n",
	       (int)(b.records[0].first - plain.performed_at));
	b.queue[0].push_back(signal(2, 1, true, 0));
	b.drain();
	Live &logged = b.live.back();

	printf("# performed to done with log: %d, to record: %d cycles\n",
	       (int)(logged.done_at - logged.performed_at),
	       (int)(b.records[1].first - logged.performed_at));
	/* no hold from done on, the model's read takes two, the record one more */
	tap.check(b.records[1].first - logged.done_at <= 3, "done to record",
		  b.records[1].first - logged.done_at, 3);
	start = b.now;
	size_t from = b.live.size();
	for (int i = 0; i < 10; i++)
		b.queue[0].push_back(signal(3 + i));
	b.drain();
	printf("# signal interval: %d cycles (from %d)\n",
	       (int)(b.live[from + 9].accepted_at - b.live[from + 8].accepted_at), (int)start);
	tap.check(b.live[from + 9].accepted_at - b.live[from].accepted_at <= 9 * 6, "interval");
	tap.end();
}

} /* namespace */

int main()
{
	Tap tap;

	boundary(tap);
	split_entry(tap);
	long_log(tap);
	update_port(tap);
	update_records(tap);
	progress_addresses(tap);
	progress_values(tap);
	registers_of_slots(tap);
	named_logs(tap);
	random_operations(tap, { 100, 0 }, { 100, 0 }, "S0-106..S0-124 operations, fast memory");
	random_operations(tap, { 60, 6 }, { 50, 40 }, "S0-106..S0-124 operations, slow memory");
	random_operations(tap, { 30, 0 }, { 100, 3 }, "S0-106..S0-124 operations, back-pressure");
	sweep(tap, { 100, 0 }, { 100, 0 }, false, "S0-36 S0-37 update races signal, fast");
	sweep(tap, { 100, 0 }, { 100, 0 }, true, "S0-36 S0-37 update races logged signal, fast");
	sweep(tap, { 70, 5 }, { 70, 25 }, false, "S0-36 S0-37 update races signal, random latency");
	sweep(tap, { 50, 12 }, { 80, 2 }, true, "S0-36 S0-37 update races logged signal, random");
	system_monitored(tap, { 80, 3 }, { 80, 8 });
	latency(tap);
	return tap.status();
}
