/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sixteen slots under random rings, nodes, waits, fences, failures and register
 * accesses, all at once, against a model of each slot by itself.
 */
#include <deque>
#include <vector>

#include "Vrf_slots.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

enum : unsigned { SLOTS = 16, NODES = 2 };
enum : uint64_t { ENABLE = 1, DISABLE = 2, RESAMPLE = 4, RESUME = 8, PREEMPT = 16 };

static Tap tap;

struct Failure {
	unsigned error, level, store;
	uint64_t address;
};

struct Slot {
	uint64_t base = 0, config = 0, record = 0, read_pointer = 0, write_pointer = 0;
	bool enabled = false, disabling = false, in_buffer = false, waiting = false;
	bool wait_over = false, stalled = false, stopped = false, fence = false;
	bool waited = false; /* a wait of it was cancelled */
	bool wait_failed = false; /* and may be cancelled before that stops the slot */
	uint64_t place = 0; /* BUFFER_STATE */
	bool resample = false, told = false; /* its record was sent */
	bool preempting = false, saved = false;
	uint64_t preempted_at = 0;
	bool comparing = false; /* in rf_fence */
	bool parked = false;
	std::vector<Failure> failures; /* since ENABLE */
	size_t told_for_sure = 0; /* of these; a wait that DISABLE cancels may fail untold */
	uint64_t quiet_since = 0; /* disabled since */
	uint64_t size() const { return 1ull << (config & 15); }
	unsigned node() const { return config >> 8 & 15; }
	bool work() const { return write_pointer != read_pointer; }
};

struct Node {
	enum { Idle, Load, Start, Serve, Leave } state = Idle;
	unsigned slot = 0, load_slot = 0;
	unsigned left_slot = 0, owes = 0; /* for so many cycles to the slot that it left */
	bool work = false, in_buffer = false; /* what it was told of load_slot */
	bool serves = false; /* and a cycle before: something to do */
	bool retire = false, fails = false;
	Failure failure = {};
	unsigned was_slot = 0; /* a cycle ago, and how that slot was then */
	bool was_known = false, was_failed = false, was_disabling = false, was_over = false;
	bool was_waited = false, was_fence = false;
};

struct Access {
	enum { None, Record, Pointers, WritePointer, Config, Flags, Status, Control } kind = None;
	bool write = false;
	unsigned slot = 0, strobe = 0xff;
	uint64_t data = 0;
	void control(uint64_t what)
	{
		kind = Control;
		data = what;
	}
	uint64_t address() const
	{
		switch (kind) {
		case Record:
			return RF_REG_SLOT_WRITE_POINTER_ADDRESS(slot);
		case Pointers:
			return RF_REG_SLOT_POINTERS(slot);
		case WritePointer:
			return RF_REG_SLOT_WRITE_POINTER(slot);
		case Config:
			return RF_REG_SLOT_CONFIG(slot);
		case Flags:
			return RF_REG_SLOT_FLAGS(slot);
		case Status:
			return RF_REG_SLOT_STATUS(slot);
		default:
			return RF_REG_SLOT_CONTROL(slot);
		}
	}
};

static void merge(uint64_t &word, uint64_t data, uint64_t mask)
{
	word = (word & ~mask) | (data & mask);
}

/*
 * The ports of rf_slots, with each field of its structs (rf_bus_pkg) as a port of its own, that of
 * node n at [n].
 */
struct Ports : Vrf_slots {
	/* ring_t, ring_result_t */
	uint64_t ring_next_slot_i = 0, ring_valid_i = 0, ring_slot_i = 0, ring_write_pointer_i = 0;
	bool ring_moved_o, ring_repeated_o, ring_range_o;
	/* context_request_t, context_progress_t */
	unsigned resample_o, parked_o;
	unsigned resample_taken_i = 0, resample_done_i = 0, resample_fail_valid_i = 0, saved_i = 0,
		 restoring_i = 0;
	/* wait_release_t */
	bool release_valid_i = false, release_stalled_i = false;
	unsigned release_slot_i = 0;
	uint32_t release_failure_i[3] = {};
	/* descriptor_write_t */
	unsigned descriptor_write_o, descriptor_word_o;
	/* node_choice_t */
	uint32_t runnable_o, turn_o, node_coming_o;
	/* node_place_t */
	uint32_t node_busy_i = 0, node_slot_i = 0, node_here_i = 0, node_load_slot_i = 0,
		 node_owes_i = 0, node_left_slot_i = 0;
	uint64_t node_words_i = 0;
	/* slot_view_t */
	uint32_t node_read_pointer_o, node_write_pointer_o, node_work_o, node_in_buffer_o,
		node_halt_o, node_error_o, node_wait_over_o, node_stalled_o, node_waited_o,
		node_fences_none_o;
	/* slot_update_t */
	unsigned node_begin_i = 0, node_fence_i = 0, node_wait_i = 0, node_wait_done_i = 0,
		 node_stop_i = 0, node_fail_valid_i = 0, node_spent_i = 0, node_served_i = 0;
	/* slot_position_t, data 0 */
	unsigned node_store_i = 0, node_load_i = 0, node_memory_slot_i = 0, node_number_i = 0;

	uint64_t place(unsigned n) const
	{
		return (uint64_t)(node_busy_i >> n & 1) << 58 |
		       (uint64_t)(node_slot_i >> 4 * n & 15) << 54 |
		       (uint64_t)(node_here_i >> 16 * n & 0xffff) << 38 |
		       (uint64_t)(node_load_slot_i >> 4 * n & 15) << 34 |
		       (node_words_i >> 29 * n & 0x1fffffff) << 5 | (node_owes_i >> n & 1) << 4 |
		       (node_left_slot_i >> 4 * n & 15);
	}
	unsigned update(unsigned n) const
	{
		return (node_begin_i >> n & 1) << 7 | (node_fence_i >> n & 1) << 6 |
		       (node_wait_i >> n & 1) << 5 | (node_wait_done_i >> n & 1) << 4 |
		       (node_stop_i >> n & 1) << 3 | (node_fail_valid_i >> n & 1) << 2 |
		       (node_spent_i >> n & 1) << 1 | (node_served_i >> n & 1);
	}
	template <class Wide> void put_position(Wide &port, unsigned n) const
	{
		put(port, 74, 1, node_store_i >> n);
		put(port, 73, 1, node_load_i >> n);
		put(port, 69, 4, node_memory_slot_i >> 4 * n);
		put(port, 64, 5, node_number_i >> 5 * n);
		put(port, 0, 64, 0);
	}
	void eval()
	{
		ring_i = ring_next_slot_i << 53 | ring_valid_i << 52 | ring_slot_i << 48 |
			 ring_write_pointer_i;
		context_progress_i = resample_taken_i << 4 | resample_done_i << 3 |
				     resample_fail_valid_i << 2 | saved_i << 1 | restoring_i;
		put(release_i, 80, 1, release_valid_i);
		put(release_i, 79, 1, release_stalled_i);
		put(release_i, 75, 4, release_slot_i);
		put(release_i, 64, 11, bits(release_failure_i, 64, 11));
		put(release_i, 0, 64, bits(release_failure_i, 0, 64));
		place0_i = place(0);
		place1_i = place(1);
		update0_i = update(0);
		update1_i = update(1);
		put_position(position0_i, 0);
		put_position(position1_i, 1);
		Vrf_slots::eval();
		ring_moved_o = ring_result_o >> 2 & 1;
		ring_repeated_o = ring_result_o >> 1 & 1;
		ring_range_o = ring_result_o & 1;
		resample_o = context_request_o >> 32 & 0xffff;
		parked_o = context_request_o >> 16 & 0xffff;
		descriptor_write_o = bits(descriptor_o, 73, 2);
		descriptor_word_o = bits(descriptor_o, 64, 5);
		const uint64_t choice[2] = { choice0_o, choice1_o }, view[2] = { view0_o, view1_o };
		runnable_o = turn_o = node_coming_o = 0;
		node_read_pointer_o = node_write_pointer_o = 0;
		node_work_o = node_in_buffer_o = node_halt_o = node_error_o = node_wait_over_o = 0;
		node_stalled_o = node_waited_o = node_fences_none_o = 0;
		for (unsigned n = 0; n < 2; n++) {
			node_coming_o |= (choice[n] >> 52 & 1) << n;
			runnable_o |= (choice[n] >> 32 & 0xffff) << 16 * n;
			turn_o |= (choice[n] & 0xffff) << 16 * n;
			node_read_pointer_o |= (view[n] >> 21 & 0x1fff) << 13 * n;
			node_write_pointer_o |= (view[n] >> 8 & 0x1fff) << 13 * n;
			node_work_o |= (view[n] >> 7 & 1) << n;
			node_in_buffer_o |= (view[n] >> 6 & 1) << n;
			node_halt_o |= (view[n] >> 5 & 1) << n;
			node_error_o |= (view[n] >> 4 & 1) << n;
			node_wait_over_o |= (view[n] >> 3 & 1) << n;
			node_stalled_o |= (view[n] >> 2 & 1) << n;
			node_waited_o |= (view[n] >> 1 & 1) << n;
			node_fences_none_o |= (view[n] & 1) << n;
		}
	}
};

struct Bench {
	Ports top;
	Random random;
	uint64_t now = 0;
	Slot slot[SLOTS];
	Node node[NODES];
	int resampled = -1; /* slot of a RESAMPLE written in the cycle before */
	int sampling = -1; /* slot whose write-pointer record is being read */
	bool again = false; /* a RESAMPLE was written meanwhile */
	int retiring = -1; /* slot whose read pointer moves at the end of this cycle */
	unsigned failure_rate = 0, record_ready = 60;
	bool record_held = false;
	uint64_t resampled_twice = 0, preempts = 0, moved = 0, came = 0, retired = 0, waits = 0,
		 cancels = 0, records = 0, disables = 0, repeated_enables = 0;

	explicit Bench(uint64_t seed_value) : random(seed_value)
	{
		clear();
		Clock<Ports>(top).reset();
		top.clk_i = 0;
	}
	void clear()
	{
		top.register_i[0] = top.register_i[1] = top.register_i[2] = 0;
		top.slot_access_i = 0;
		top.ring_valid_i = top.resample_taken_i = top.resample_done_i = 0;
		top.resample_fail_valid_i = 0;
		top.node_begin_i = top.node_retire_valid_i = top.node_fence_i = top.node_wait_i = 0;
		top.node_wait_done_i = top.node_stop_i = top.node_fail_valid_i = 0;
		top.node_busy_i = top.node_slot_i = top.node_here_i = top.node_load_slot_i = 0;
		top.node_owes_i = top.node_left_slot_i = 0;
		for (unsigned n = 0; n < NODES; n++) {
			top.node_busy_i |= (node[n].state != Node::Idle) << n;
			top.node_slot_i |= node[n].slot << 4 * n;
			top.node_here_i |= 1u << (16 * n + node[n].slot);
			top.node_load_slot_i |= node[n].load_slot << 4 * n;
			top.node_owes_i |= (node[n].owes != 0) << n;
			top.node_left_slot_i |= node[n].left_slot << 4 * n;
		}
		put_result(top.fence_done_i, false);
		put_result(top.fence_fault_i, false);
		top.release_valid_i = 0;
		top.record_ready_i = 0;
		top.node_words_i = 0;
		top.node_spent_i = top.node_served_i = top.node_store_i = top.node_load_i = 0;
		top.node_memory_slot_i = top.node_number_i = 0;
		top.saved_i = top.restoring_i = top.context_slot_i = top.scan_comparing_i = 0;
	}
	void edge()
	{
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
		top.clk_i = 0;
		now++;
	}
	template <class Wide> void put_failure(Wide &port, unsigned lsb, const Failure &f)
	{
		put(port, lsb, 64, f.address);
		put(port, lsb + 64, 1, f.store);
		put(port, lsb + 65, 2, f.level);
		put(port, lsb + 67, 8, f.error);
	}
	Failure failure(unsigned s)
	{
		Failure f = { (unsigned)(1 + random.below(14)), (unsigned)random.below(4),
			      (unsigned)random.below(2), random.next() };

		slot[s].failures.push_back(f);
		slot[s].told_for_sure++;
		return f;
	}
	void write(uint64_t address, uint64_t data)
	{
		clear();
		put_slot_register(top, true, address, data);
		edge();
		clear();
	}
	void setup();
	void cycle(bool quiet);
	uint64_t peek(uint64_t address);
	void check_steady();

private:
	Access choose();
	static uint64_t flags(const Slot &m);
	uint64_t status(unsigned s, uint64_t &mask) const;
	Access pending; /* came in the cycle before */
	Access acting; /* two cycles before: it acts on the pointers, and */
	bool acting_sets = false; /* writes those of a disabled slot */
};

uint64_t Bench::flags(const Slot &m)
{
	return (uint64_t)m.in_buffer << RF_SLOT_FLAGS_IN_BUFFER_SHIFT |
	       (uint64_t)m.wait_over << RF_SLOT_FLAGS_WAIT_OVER_SHIFT |
	       (uint64_t)m.stalled << RF_SLOT_FLAGS_STALLED_SHIFT |
	       (uint64_t)m.waited << RF_SLOT_FLAGS_WAITED_SHIFT |
	       (uint64_t)m.stopped << RF_SLOT_FLAGS_STOPPED_SHIFT;
}

/* STATUS of a slot; @mask: what is known of it. Failures are told later than they stop it. */
uint64_t Bench::status(unsigned s, uint64_t &mask) const
{
	const Slot &m = slot[s];
	uint64_t state, value, words = 0;
	int serving = -1;

	for (unsigned n = 0; n < NODES; n++) {
		if (node[n].state != Node::Idle && node[n].slot == s)
			serving = n;
	}
	if (m.enabled && !m.failures.empty())
		mask = 0;
	if (!m.enabled)
		state = RF_SLOT_STATE_DISABLED;
	else if (m.stopped)
		state = RF_SLOT_STATE_STOPPED_HOST;
	else if (m.waiting || (m.waited && m.parked))
		state = RF_SLOT_STATE_WAITING;
	else if (serving >= 0)
		state = RF_SLOT_STATE_RUNNING;
	else
		state = m.work() ? RF_SLOT_STATE_RUNNABLE : RF_SLOT_STATE_IDLE;
	if (m.in_buffer)
		words = (serving >= 0 ? top.node_words_i >> 29 * serving : m.place >> 32) &
			0x1fffffff;
	value = state << RF_SLOT_STATUS_STATE_SHIFT | words << RF_SLOT_STATUS_PACKET_WORDS_SHIFT |
		(uint64_t)m.resample << RF_SLOT_STATUS_RESAMPLING_SHIFT;
	/* the cause of an error outlives DISABLE */
	if (!m.failures.empty())
		mask &= ~(0xffull << RF_SLOT_STATUS_ERROR_SHIFT |
			  3ull << RF_SLOT_STATUS_LEVEL_SHIFT | 1ull << RF_SLOT_STATUS_STORE_SHIFT);
	return value;
}

void Bench::setup()
{
	for (unsigned s = 0; s < SLOTS; s++) {
		Slot &m = slot[s];

		m.base = random.next();
		m.config = (random.next() & ~0xfffull) | s % 2 << 8 | (s * 3 & 15) << 4 | s % 13;
		m.record = random.next();
		m.read_pointer = m.write_pointer = random.next() >> 17;
		m.place = random.next();
		write(RF_REG_SLOT_BUFFER_STATE(s), m.place);
		write(RF_REG_SLOT_RING_BASE(s), m.base);
		write(RF_REG_SLOT_CONFIG(s), m.config);
		write(RF_REG_SLOT_WRITE_POINTER_ADDRESS(s), m.record);
		write(RF_REG_SLOT_POINTERS(s), m.read_pointer);
	}
	edge();
	edge();
}

void Bench::cycle(bool quiet)
{
	/* --- what was done at the last edge ------------------------------------------------ */
	for (unsigned s = 0; s < SLOTS; s++) {
		Slot &m = slot[s];
		bool enabled = top.enabled_o >> s & 1;

		if (m.enabled && !enabled) { /* DISABLE is complete */
			tap.check(m.disabling && !m.waiting && !m.fence,
				  "disabled before all of it was done", s, s);
			for (const Node &d : node)
				tap.check((d.state == Node::Idle || d.slot != s) &&
						  (!d.owes || d.left_slot != s),
					  "disabled in service");
			/* a PREEMPT in the cycle in which a DISABLE completes comes late */
			tap.check(!m.preempting || m.saved || m.preempted_at == now - 1,
				  "disabled before it was saved", s);
			m.enabled = m.disabling = m.preempting = m.saved = false;
			m.quiet_since = now;
			disables++;
		}
		tap.equal(enabled, m.enabled, "enabled");
		if (top.parked_o >> s & 1) {
			tap.check(m.preempting && !m.waiting && !m.fence,
				  "parked before all of it was done", s);
			tap.check(m.parked || !(m.comparing || m.resample),
				  "parked before a comparison or a RESAMPLE was done", s);
			for (const Node &d : node)
				tap.check((d.state == Node::Idle || d.slot != s) &&
						  (!d.owes || d.left_slot != s),
					  "parked in service");
		}
	}
	uint64_t parked = top.parked_o;
	for (unsigned s = 0; s < SLOTS; s++)
		slot[s].parked = parked >> s & 1;
	if (resampled >= 0 && !slot[resampled].parked) /* a restore does that anyway */
		slot[resampled].resample = true;
	resampled = -1;
	if (top.cancel_o >> 4) {
		Slot &m = slot[top.cancel_o & 15];

		tap.check(m.disabling || !m.failures.empty(), "a wait is cancelled for a reason");
		m.waited |= m.waiting || m.wait_failed;
		m.waiting = m.wait_failed = false;
		cancels++;
	}
	clear();

	/* --- registers: an access acts in the cycle after it came, on the pointers in the next */
	const Access &a = pending;
	bool writes_pointers = acting.kind == Access::Pointers && acting.write;
	bool sets = a.kind == Access::Pointers && a.write && !slot[a.slot].enabled;
	bool tells = a.kind == Access::Flags && a.write && !slot[a.slot].enabled;
	uint64_t control = a.kind == Access::Control ? a.data : 0, read_expect = 0;
	uint64_t read_mask = ~0ull;
	top.node_words_i = random.next();
	bool read_open = a.kind != Access::None && !a.write;
	Access next;
	if (!quiet && random.chance(40))
		next = choose();
	if (next.kind != Access::None)
		put_slot_register(top, next.write, next.address(), next.data, next.strobe);
	switch (a.kind) {
	case Access::Record:
		read_expect = slot[a.slot].record;
		if (a.write)
			for (unsigned b = 0; b < 8; b++)
				if (a.strobe >> b & 1)
					merge(slot[a.slot].record, a.data, 0xffull << 8 * b);
		break;
	case Access::Config:
		read_expect = slot[a.slot].config;
		break;
	case Access::Flags:
		read_expect = flags(slot[a.slot]);
		break;
	case Access::Status:
		read_expect = status(a.slot, read_mask);
		break;
	default:
		break;
	}

	/* --- a ring ----------------------------------------------------------------------- */
	unsigned ring_slot = top.ring_next_slot_i; /* named in the cycle before */
	uint64_t pointer = 0;
	top.ring_next_slot_i = random.chance(20) ? ring_slot : random.below(SLOTS);
	bool ring = !quiet && !writes_pointers && random.chance(40); /* one word a cycle */
	if (ring) {
		Slot &m = slot[ring_slot];

		switch (random.below(4)) {
		case 0:
			pointer = m.write_pointer + random.below(3) - 1;
			break;
		case 1:
			pointer = m.read_pointer + m.size() + random.below(3) - 1;
			break;
		case 2:
			pointer = m.read_pointer + random.below(m.size() + 1);
			break;
		default:
			pointer = m.read_pointer ^ 1ull << random.below(48);
		}
		pointer &= 0xffffffffffff;
	}
	top.ring_valid_i = ring;
	top.ring_slot_i = ring_slot;
	top.ring_write_pointer_i = pointer;

	/* an idle node loads the slot that rings, or does not care */
	for (unsigned n = 0; n < NODES; n++) {
		Node &d = node[n];

		d.load_slot = d.state != Node::Idle ? d.slot
			      : ring		    ? ring_slot
						    : random.below(SLOTS);
		top.node_load_slot_i &= ~(15 << 4 * n);
		top.node_load_slot_i |= d.load_slot << 4 * n;
	}

	/* --- a RESAMPLE, one slot at a time ---------------------------------------------------- */
	unsigned sampled = sampling >= 0 ? sampling : random.below(SLOTS);
	for (unsigned s = 0; s < SLOTS; s++)
		tap.equal(top.resample_o >> s & 1, slot[s].resample, "RESAMPLE until it is done");
	top.resample_taken_i = sampling < 0 && slot[sampled].resample && random.chance(30);
	top.resample_done_i = sampling >= 0 && random.chance(30);
	top.context_slot_i = sampled; /* rf_context works on one slot at a time */
	for (unsigned s = 0; s < SLOTS; s++) /* rf_fence compares some time longer */
		slot[s].comparing &= slot[s].fence || !random.chance(5);
	top.scan_comparing_i = slot[top.scan_slot_o].comparing;

	/* --- a context is saved ----------------------------------------------------------- */
	unsigned save = random.below(SLOTS);
	bool saves = sampling < 0 && !top.resample_taken_i && parked >> save & 1 &&
		     random.chance(quiet ? 100 : 20);
	top.saved_i = saves;
	if (saves)
		top.context_slot_i = save;
	preempts += saves;

	/* --- fences, waits ------------------------------------------------------------------ */
	unsigned done = random.below(SLOTS), released = random.below(SLOTS);
	bool release = slot[released].waiting && random.chance(30), release_fails = false;
	if (slot[done].fence && random.chance(40)) {
		Failure f = { 0, 0, 0, random.next() };

		if (random.chance(failure_rate))
			f = failure(done);
		put_result(top.fence_done_i, true, done);
		put_failure(top.fence_done_i, 0, f);
	}
	unsigned faulty = random.below(SLOTS);
	if (slot[faulty].fence && random.chance(failure_rate)) {
		put_result(top.fence_fault_i, true, faulty);
		put_failure(top.fence_fault_i, 0, failure(faulty));
	}
	bool stalled = random.chance(50);
	if (release) {
		Failure f = { 0, 0, 0, random.next() };

		release_fails = random.chance(failure_rate);
		if (release_fails)
			f = failure(released);
		if (release_fails && slot[released].disabling)
			slot[released].told_for_sure--;
		top.release_valid_i = 1;
		top.release_slot_i = released;
		top.release_stalled_i = stalled;
		put_failure(top.release_failure_i, 0, f);
	}

	/* --- nodes ---------------------------------------------------------------------------- */
	for (unsigned n = 0; n < NODES; n++)
		put_failure(top.node_fail_i, 75 * n, node[n].failure);
	top.record_ready_i = random.chance(record_ready);
	top.eval();
	for (unsigned n = 0; n < NODES; n++) {
		Node &d = node[n];
		Slot &m = slot[d.slot];
		bool halt = top.node_halt_o >> n & 1;

		tap.equal(top.node_read_pointer_o >> 13 * n & 0x1fff,
			  slot[d.load_slot].read_pointer & 0x1fff,
			  "read pointer as seen by the node");
		if (d.was_known && d.was_slot == d.slot) {
			if (d.was_fence)
				tap.check(!(top.node_fences_none_o >> n & 1),
					  "a fence is under way", n, d.slot);
			else if (!d.was_failed)
				tap.check(top.node_fences_none_o >> n & 1, "no fence is under way",
					  n, d.slot);
			if (d.was_disabling || !d.was_failed)
				tap.equal(halt, d.was_disabling, "halt as seen by the node");
			if (!d.was_failed)
				tap.check(!(top.node_error_o >> n & 1), "no error");
			tap.equal(top.node_wait_over_o >> n & 1, d.was_over,
				  "wait over a cycle ago");
			tap.equal(top.node_waited_o >> n & 1, d.was_waited, "a wait was cancelled");
			tap.equal(top.node_stalled_o >> n & 1, m.stalled, "the wait had stalled");
		}
		if (d.state != Node::Serve)
			continue;
		if (m.work())
			tap.equal(top.node_write_pointer_o >> 13 * n & 0x1fff,
				  m.write_pointer & 0x1fff, "write pointer as seen by the node");
		if (d.fails) {
			top.node_fail_valid_i |= 1 << n;
		} else if (d.retire) {
			top.node_retire_valid_i |= 1 << n;
		} else if (!halt) {
			switch (random.below(8)) {
			case 0:
				if (!m.in_buffer && m.work() && retiring != (int)d.slot)
					top.node_begin_i |= 1 << n;
				break;
			case 1:
			case 2:
				if (m.in_buffer) {
					d.retire = true;
					top.node_retire_valid_i |= 1 << n;
				}
				break;
			case 3:
				if (m.in_buffer && !m.fence)
					top.node_fence_i |= 1 << n;
				break;
			case 4:
				tap.equal(top.node_wait_over_o >> n & 1, m.wait_over,
					  "wait over as seen by the node");
				if (m.wait_over)
					top.node_wait_done_i |= 1 << n;
				else if (m.in_buffer)
					top.node_wait_i |= 1 << n;
				break;
			case 5:
				if (m.in_buffer && random.chance(20))
					top.node_stop_i |= 1 << n;
				break;
			case 6:
				if (random.chance(failure_rate)) {
					d.fails = true;
					d.failure = failure(d.slot);
					put_failure(top.node_fail_i, 75 * n, d.failure);
					top.node_fail_valid_i |= 1 << n;
				}
				break;
			default:
				break;
			}
		}
	}
	top.eval();

	/* --- what it says ------------------------------------------------------------------- */
	if (ring) {
		Slot &m = slot[ring_slot];
		bool above = pointer > m.write_pointer;
		bool within = pointer <= m.read_pointer + m.size();

		tap.equal(top.ring_moved_o, above && within, "S3-14 a ring that moves");
		tap.equal(top.ring_range_o, above && !within, "S3-14 a ring out of range");
		tap.equal(top.ring_repeated_o, pointer == m.write_pointer, "S3-14 a repeated ring");
	}
	for (unsigned s = 0; s < SLOTS; s++)
		tap.check(!(top.runnable_o >> (16 * !slot[s].node() + s) & 1),
			  "of its own node only", s);
	if (top.record_valid_o && !record_held) {
		uint64_t value = bits(top.record_o, 0, 64), address = bits(top.record_o, 64, 64);
		unsigned vmid = bits(top.record_o, 168, 4), detail = bits(top.record_o, 160, 8);
		bool found = false;

		for (unsigned s = 0; s < SLOTS; s++) {
			Slot &m = slot[s];

			for (const Failure &f : m.failures) {
				if (f.address != address)
					continue;
				found = true;
				tap.equal(detail, f.error, "cause");
				tap.equal(value, f.level << 12 | f.store << 14, "level and store");
				tap.equal(vmid, m.config >> 4 & 15, "vmid");
				tap.equal(bits(top.record_o, 172, 4), m.node(), "node");
				tap.equal(bits(top.record_o, 128, 32), m.config >> 32, "handle");
				tap.check(!m.told, "one record for each error", s, s);
				m.told = true;
			}
		}
		tap.check(found, "a record of a failure", address);
		records++;
	}
	record_held = top.record_valid_o && !top.record_ready_i;

	for (unsigned n = 0; n < NODES; n++) {
		Node &d = node[n];
		const Slot &m = slot[d.slot];

		d.was_known = true;
		d.was_slot = d.slot;
		d.was_failed = !m.failures.empty();
		d.was_disabling = m.disabling;
		d.was_over = m.wait_over && !(top.node_wait_done_i >> n & 1);
		d.was_waited = m.waited;
		d.was_fence = m.fence || (top.node_fence_i >> n & 1);
	}

	/* --- what happens at the edge ---------------------------------------------------------- */
	bool moves = ring && top.ring_moved_o;
	tap.check(!top.node_coming_o || ring, "a slot is coming without a ring");
	for (unsigned n = 0; n < NODES; n++) {
		Node &d = node[n];

		d.serves = d.work || d.in_buffer;
		d.work = slot[d.load_slot].work() || (moves && ring_slot == d.load_slot);
		d.in_buffer = slot[d.load_slot].in_buffer;
		tap.equal(top.node_work_o >> n & 1, d.work, "work as seen by the node");
		tap.equal(top.node_in_buffer_o >> n & 1, d.in_buffer, "inside a buffer");
	}
	if (result_valid(top.fence_done_i))
		slot[done].fence = false;
	if (release) {
		slot[released].waiting = false;
		slot[released].wait_over = !release_fails;
		slot[released].wait_failed = release_fails;
		if (!release_fails) {
			slot[released].stalled = stalled || slot[released].waited;
			slot[released].waited = false;
		}
	}
	if (retiring >= 0 && !writes_pointers) {
		slot[retiring].read_pointer++;
		retiring = -1;
	}
	for (unsigned n = 0; n < NODES; n++) {
		Node &d = node[n];
		Slot &m = slot[d.slot];

		d.owes -= d.owes != 0;
		switch (d.state) {
		case Node::Idle: {
			unsigned candidates = top.turn_o >> 16 * n & 0xffff;

			if (candidates && random.chance(70)) {
				do
					d.slot = random.below(SLOTS);
				while (!(candidates >> d.slot & 1));
				d.state = Node::Load;
				Slot &c = slot[d.slot];
				tap.check(c.enabled && !c.waiting && !c.stopped && !c.told &&
						  c.work(),
					  "a slot is runnable that must not run", d.slot);
			} else if (!candidates && (top.node_coming_o >> n & 1)) {
				d.slot = ring_slot;
				d.state = Node::Start;
				tap.check(slot[ring_slot].enabled && !slot[ring_slot].waiting &&
						  !slot[ring_slot].stopped && !slot[ring_slot].told,
					  "a slot is coming that must not run", d.slot);
				came += moves;
			}
			break;
		}
		case Node::Load:
			d.state = Node::Start;
			break;
		case Node::Start:
			d.state = d.serves ? Node::Serve : Node::Idle;
			break;
		case Node::Leave:
			d.state = Node::Idle;
			d.left_slot = d.slot;
			d.owes = random.below(40);
			break;
		case Node::Serve:
			if (top.node_begin_i >> n & 1)
				m.in_buffer = true;
			if (top.node_retire_valid_i & top.node_retire_ready_o & 1 << n) {
				m.in_buffer = d.retire = false;
				retiring = d.slot;
				retired++;
			}
			if (top.node_fence_i >> n & 1)
				m.fence = m.comparing = true;
			if (top.node_wait_done_i >> n & 1)
				m.wait_over = false;
			if (top.node_wait_i >> n & 1) {
				m.waiting = true;
				m.wait_failed = false;
				waits++;
			}
			if (top.node_stop_i >> n & 1)
				m.stopped = true;
			if (((top.node_wait_i | top.node_stop_i) >> n & 1) ||
			    ((top.node_halt_o >> n & 1) && !d.retire &&
			     (!d.fails || (top.node_error_o >> n & 1))) ||
			    (!d.retire && !d.fails && !m.in_buffer && !m.work())) {
				d.state = Node::Leave;
				d.fails = false;
			}
			break;
		}
	}
	if (moves) {
		slot[ring_slot].write_pointer = pointer;
		moved++;
	}
	if (acting_sets) {
		Slot &m = slot[acting.slot];

		if (acting.strobe & 0x0f)
			merge(m.write_pointer, acting.data, 0xffffffff);
		if (acting.strobe & 0xf0)
			merge(m.write_pointer, acting.data, 0xffff00000000);
		m.read_pointer = m.write_pointer;
	}
	if (sets) {
		Slot &m = slot[a.slot];

		m.in_buffer = m.wait_over = m.stopped = m.stalled = m.waited = false;
	}
	if (a.kind == Access::Pointers)
		read_expect = slot[a.slot].read_pointer;
	if (a.kind == Access::WritePointer)
		read_expect = slot[a.slot].write_pointer;
	if (tells) {
		Slot &m = slot[a.slot];

		m.in_buffer = a.data >> RF_SLOT_FLAGS_IN_BUFFER_SHIFT & 1;
		m.wait_over = a.data >> RF_SLOT_FLAGS_WAIT_OVER_SHIFT & 1;
		m.stalled = a.data >> RF_SLOT_FLAGS_STALLED_SHIFT & 1;
		m.waited = a.data >> RF_SLOT_FLAGS_WAITED_SHIFT & 1;
		m.stopped = a.data >> RF_SLOT_FLAGS_STOPPED_SHIFT & 1;
	}
	if (top.resample_taken_i) {
		sampling = sampled;
		again = false;
	}
	if (top.resample_done_i) {
		if (!again)
			slot[sampled].resample = false;
		else
			resampled_twice++;
		sampling = -1;
	}
	/* ENABLE of an enabled slot changes nothing, and no unit restarts. */
	tap.equal(top.restart_o >> 4, control == ENABLE && !slot[a.slot].enabled,
		  "a slot begins afresh");
	if (top.restart_o >> 4)
		tap.equal(top.restart_o & 15, a.slot, "which");
	repeated_enables += control == ENABLE && slot[a.slot].enabled && slot[a.slot].told;
	if (control) {
		Slot &m = slot[a.slot];

		if (control == RESAMPLE && !m.parked) {
			resampled = a.slot;
			again |= (int)a.slot == sampling;
		}
		if (control == ENABLE && !m.enabled) {
			m.enabled = true;
			m.told = false;
			m.failures.clear();
			m.told_for_sure = 0;
		}
		if (control == DISABLE || control == PREEMPT)
			m.disabling = m.enabled;
		if (control == PREEMPT && m.enabled) {
			m.preempted_at = now;
			m.preempting = true;
		}
		bool stops = false; /* in this cycle: stronger */
		for (unsigned n = 0; n < NODES; n++)
			stops |= (top.node_stop_i >> n & 1) && node[n].slot == a.slot;
		if (control == RESUME && !stops)
			m.stopped = false;
	}
	if (saves)
		slot[save].saved = true;
	edge();
	if (read_open) {
		top.eval();
		tap.equal(top.register_data_o & read_mask, read_expect & read_mask, "register");
	}
	acting = pending;
	acting_sets = sets;
	pending = next;
}

/* Any register of any slot; what the driver may write there. */
Access Bench::choose()
{
	Access a;

	a.slot = random.below(SLOTS);
	a.write = random.chance(50);
	const Slot &m = slot[a.slot];
	bool enabling = pending.kind == Access::Control && pending.slot == a.slot;
	switch (random.below(a.write ? 5 : 7)) {
	case 0:
		a.kind = Access::Record;
		a.data = random.next();
		a.strobe = random.chance(50) ? 0xff : random.chance(50) ? 0x0f : 0xf0;
		break;
	case 1:
		a.kind = Access::Pointers;
		a.data = m.read_pointer + random.below(100);
		if (random.chance(20)) {
			a.data = random.next() >> 17;
			a.strobe = random.chance(50) ? 0x0f : 0xf0;
		}
		break;
	case 2:
	case 3:
		if (!a.write)
			a.kind = Access::WritePointer;
		else if (m.enabled)
			a.control(random.chance(10)   ? (random.chance(50) ? DISABLE : PREEMPT)
				  : random.chance(20) ? ENABLE
				  : random.chance(50) ? RESUME
						      : RESAMPLE);
		else if (!enabling && now - m.quiet_since > 4)
			a.control(ENABLE);
		break;
	case 4:
		a.kind = Access::Flags;
		a.data = random.next();
		if (!m.work()) /* inside none then */
			a.data &= ~(1ull << RF_SLOT_FLAGS_IN_BUFFER_SHIFT);
		if (pending.kind == Access::Pointers || acting.kind == Access::Pointers)
			a.kind = Access::None;
		break;
	case 5:
		a.kind = Access::Status;
		break;
	default:
		a.kind = Access::Config;
	}
	return a;
}

uint64_t Bench::peek(uint64_t address)
{
	clear();
	put_slot_register(top, false, address, 0);
	for (Node &d : node) {
		d.work = slot[d.load_slot].work();
		d.in_buffer = slot[d.load_slot].in_buffer;
		d.was_known = false;
	}
	if (retiring >= 0)
		slot[retiring].read_pointer++;
	retiring = -1;
	edge();
	clear();
	edge();
	return top.register_data_o;
}

/* Nothing moves any more: who can run is shown, who failed is in error, all is told. */
void Bench::check_steady()
{
	record_ready = 100;
	for (unsigned i = 0; i < 600; i++)
		cycle(true);
	while (node[0].retire || node[1].retire) /* what is offered stays */
		cycle(true);
	for (unsigned s = 0; s < SLOTS; s++) {
		Slot &m = slot[s];
		uint64_t status, address;

		status = peek(RF_REG_SLOT_STATUS(s));
		address = peek(RF_REG_SLOT_ERROR_ADDRESS(s));
		tap.check(m.told ? !m.failures.empty() : !m.told_for_sure,
			  "a failure has its record", s);
		tap.check(!m.disabling, "DISABLE completes", s);
		if (!m.enabled) {
			tap.equal(status & 15, RF_SLOT_STATE_DISABLED, "state");
		} else if (m.told) {
			bool known = false;

			tap.equal(status & 15, RF_SLOT_STATE_ERROR, "state");
			for (const Failure &f : m.failures)
				known |= f.address == address && f.error == (status >> 4 & 0xff);
			tap.check(known, "cause and address of a failure", status, address);
			tap.check(!m.waiting, "a wait of a slot in error is cancelled");
		} else if (m.stopped) {
			tap.equal(status & 15, RF_SLOT_STATE_STOPPED_HOST, "state");
		}
	}
}

static void run(const char *name, uint64_t seed_value, unsigned failure_rate, unsigned record_ready)
{
	Bench b(seed_value);

	tap.begin(name);
	b.setup();
	for (unsigned part = 0; part < 40; part++) {
		b.failure_rate = failure_rate;
		b.record_ready = record_ready;
		for (unsigned i = 0; i < 3000; i++)
			b.cycle(false);
		b.failure_rate = 0;
		b.check_steady();
	}
	printf("# %" PRIu64 " rings moved, %" PRIu64 " to a waiting node, %" PRIu64
	       " retired, %" PRIu64 " waits, %" PRIu64 " cancelled, %" PRIu64 " disabled, %" PRIu64
	       " records\n",
	       b.moved, b.came, b.retired, b.waits, b.cancels, b.disables, b.records);
	tap.check(b.moved > 1000 && b.came > 50 && b.retired > 500 && b.waits > 100 &&
			  b.disables > 50 && b.preempts > 20 && b.resampled_twice > 5 &&
			  (!failure_rate || (b.records > 50 && b.repeated_enables > 20)),
		  "the run had all of it");
	tap.end();
}

/* Writes of POINTERS, of another slot, in every cycle behind a retirement. */
static void postponed(uint64_t seed_value)
{
	Bench b(seed_value);
	Node &node = b.node[0];
	uint64_t start;

	tap.begin("no node sees a slot before a retirement that writes of POINTERS postpone");
	b.setup();
	start = b.slot[2].read_pointer;
	b.top.ring_next_slot_i = 2;
	b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
	b.top.ring_valid_i = 1;
	b.top.ring_slot_i = 2;
	b.top.ring_write_pointer_i = start + 2;
	b.edge();
	node.state = Node::Serve;
	node.slot = node.load_slot = 2;
	b.clear();
	b.edge();
	b.top.node_begin_i = 1;
	put_slot_register(b.top, true, RF_REG_SLOT_POINTERS(5), 8);
	b.edge();
	b.clear();
	b.top.node_retire_valid_i = 1;
	put_slot_register(b.top, true, RF_REG_SLOT_POINTERS(5), 8);
	b.top.eval();
	tap.check(b.top.node_retire_ready_o & 1, "the retirement is taken");
	b.edge();
	for (unsigned i = 0; i < 8; i++) {
		if (i == 2)
			node.state = Node::Idle;
		b.clear();
		put_slot_register(b.top, true, RF_REG_SLOT_POINTERS(5), i);
		b.top.eval();
		if (i >= 2)
			tap.check(!(b.top.runnable_o >> 2 & 1),
				  "runnable with the old read pointer", i);
		b.edge();
	}
	b.clear();
	b.edge();
	b.edge();
	b.edge();
	b.top.eval();
	tap.check(b.top.runnable_o >> 2 & 1, "the second entry can run then");
	tap.equal(b.peek(RF_REG_SLOT_POINTERS(2)), start + 1, "read pointer");
	tap.end();
}

/* Each in the cycle behind the one before, which acts two cycles late. */
static void pointers_in_halves(uint64_t seed_value)
{
	Bench b(seed_value);
	const uint64_t old = 0x123456789abc, set = 0xfedcba987654;

	tap.begin("halves of POINTERS, and a read behind them, in adjacent cycles");
	b.setup();
	for (unsigned first = 0; first < 2; first++) { /* the half that is written first */
		b.write(RF_REG_SLOT_POINTERS(3), old);
		for (unsigned i = 0; i < 2; i++) {
			b.clear();
			put_slot_register(b.top, true, RF_REG_SLOT_POINTERS(3), set,
					  i == first ? 0x0f : 0xf0);
			b.edge();
		}
		tap.equal(b.peek(RF_REG_SLOT_POINTERS(3)), set, "read pointer");
		b.write(RF_REG_SLOT_POINTERS(3), old);
		tap.equal(b.peek(RF_REG_SLOT_WRITE_POINTER(3)), old, "write pointer");
	}
	tap.end();
}

/* A ring of the cycle before a read of the host's: an offer two cycles behind it. */
static void reads_behind_a_ring(uint64_t seed_value)
{
	Bench b(seed_value);
	const uint64_t start = 0x5000;

	tap.begin("a read of WRITE_POINTER in the cycle behind a ring finds it");
	b.setup();
	b.write(RF_REG_SLOT_POINTERS(2), start);
	b.edge();
	b.edge(); /* the cycle of the ring: its offer comes two cycles later */
	put_slot_register(b.top, false, RF_REG_SLOT_WRITE_POINTER(2), 0);
	b.top.ring_next_slot_i = 2;
	b.edge();
	b.clear();
	b.top.ring_valid_i = 1;
	b.top.ring_slot_i = 2;
	b.top.ring_write_pointer_i = start + 1;
	b.edge();
	b.clear();
	b.top.eval();
	tap.equal(b.top.register_data_o, start + 1, "write pointer");
	tap.end();
}

/* A quantum begins anew with new pointers, which only a disabled slot takes. */
static void pointers_begin_a_quantum(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("POINTERS clears QUANTUM_LEFT of a disabled slot, whatever is written with it");
	b.setup();
	b.write(RF_REG_SLOT_QUANTUM_LEFT(2), 0x123456789abcdef);
	b.write(RF_REG_SLOT_QUANTUM_LEFT(5), 77);
	b.write(RF_REG_SLOT_POINTERS(5), ~0ull >> 16);
	tap.equal(b.peek(RF_REG_SLOT_QUANTUM_LEFT(5)), 0, "cleared by POINTERS");
	tap.equal(b.peek(RF_REG_SLOT_QUANTUM_LEFT(2)), 0x123456789abcdef, "of that slot only");
	b.write(RF_REG_SLOT_QUANTUM_LEFT(5), 78);
	tap.equal(b.peek(RF_REG_SLOT_QUANTUM_LEFT(5)), 78, "and taken behind it");
	b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
	b.write(RF_REG_SLOT_POINTERS(2), 8);
	tap.equal(b.peek(RF_REG_SLOT_QUANTUM_LEFT(2)), 0x123456789abcdef,
		  "kept by a slot that is enabled");
	tap.end();
}

/* Whose node it is, where its ring lies and who it is called cannot change while it runs. */
static void config_of_an_enabled_slot_stays(uint64_t seed_value)
{
	const uint64_t other = 0x1234567800000000 | 7ull << 16 | 1ull << 8 | 3;
	Bench b(seed_value);

	tap.begin("CONFIG of an enabled slot stays, in each cycle behind ENABLE");
	b.setup();
	for (unsigned s = 0; s < SLOTS; s++) {
		uint64_t config = b.slot[s].config;

		/* in the cycle behind the one that enables, and later */
		for (unsigned late = 0; late < 3; late++) {
			b.clear();
			put_slot_register(b.top, true, RF_REG_SLOT_CONTROL(s), ENABLE);
			b.edge();
			for (unsigned i = 0; i < late; i++) {
				b.clear();
				b.edge();
			}
			b.clear();
			put_slot_register(b.top, true, RF_REG_SLOT_CONFIG(s), other ^ config);
			for (unsigned i = 0; i < 6; i++) {
				b.edge();
				b.clear();
				b.top.eval();
				tap.check(!b.top.descriptor_write_o ||
						  b.top.descriptor_word_o !=
							  RF_REG_SLOT_CONFIG(0) / 8 % 32,
					  "a node is told of it", s, late);
			}
			tap.equal(b.peek(RF_REG_SLOT_CONFIG(s)), config, "CONFIG");
			/* the ring has the size that it had, when its pointers are next written */
			b.write(RF_REG_SLOT_CONTROL(s), DISABLE);
			for (unsigned i = 0; i < 100; i++)
				b.edge();
			tap.check(!(b.top.enabled_o >> s & 1), "disabled", s);
			b.write(RF_REG_SLOT_POINTERS(s), b.slot[s].read_pointer);
			b.top.ring_next_slot_i = s;
			b.edge();
			b.edge();
			b.clear();
			b.top.ring_valid_i = 1;
			b.top.ring_slot_i = s;
			b.top.ring_write_pointer_i = b.slot[s].read_pointer + (1u << (config & 15));
			b.top.eval();
			tap.check(b.top.ring_moved_o, "as many entries as the ring has", s);
			b.top.ring_write_pointer_i++;
			b.top.eval();
			tap.check(b.top.ring_range_o, "one more", s);
			b.clear();
		}
	}
	tap.end();
}

/* Wherever the scan is when a queue becomes one that could be swapped. */
/* A write of CONFIG or POINTERS acts two cycles after it was on the bus. */
static void awake_until_writes_act(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("not idle before a write of CONFIG or POINTERS acts");
	b.setup();
	for (unsigned i = 0; i < 50; i++)
		b.edge();
	for (unsigned s = 0; s < SLOTS; s++) {
		for (uint64_t address : { RF_REG_SLOT_CONFIG(s), RF_REG_SLOT_POINTERS(s) }) {
			b.top.eval();
			tap.check(b.top.idle_o, "idle before it", s);
			b.write(address, address == RF_REG_SLOT_CONFIG(s) ? b.slot[s].config : 7);
			for (unsigned c = 1; c < 10; c++) {
				b.top.eval();
				tap.check(c > 2 || !b.top.idle_o, "idle before it acts", s, c);
				tap.check(c < 9 || b.top.idle_o, "idle behind it", s);
				b.edge();
			}
		}
	}
	tap.end();
}

static void awake_until_yields_are_told(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("not idle before every queue that could be swapped has its record");
	b.setup();
	b.top.record_ready_i = 1;
	b.write(RF_REG_SLOT_OVERSUBSCRIBED, 1);
	for (unsigned s = 0; s < SLOTS; s++) {
		unsigned told = 0;

		b.write(RF_REG_SLOT_CONTROL(s), ENABLE); /* and it has no work */
		b.top.record_ready_i = 1;
		for (unsigned i = 0; i < 100; i++) {
			b.top.eval();
			if (b.top.record_valid_o && !told++)
				tap.equal(bits(b.top.record_o, 128, 32), b.slot[s].config >> 32,
					  "handle");
			tap.check(told || !b.top.idle_o, "awake until then", s, i);
			b.edge();
		}
		tap.equal(told, 1, "records");
		tap.check(b.top.idle_o, "idle behind it", s);
	}
	tap.end();
}

/* Asked for of a disabled slot alone, until rf_context begins it. */
static void restores_are_kept(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("RESTORE stays until it is begun");
	b.setup();
	b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
	b.edge();
	b.write(RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_RESTORE_MASK);
	b.write(RF_REG_SLOT_CONTROL(3), RF_SLOT_CONTROL_RESTORE_MASK);
	for (unsigned i = 0; i < 20; i++) {
		b.clear();
		b.top.context_slot_i = i < 10 ? 3 : 4;
		b.top.restoring_i = i >= 10;
		b.edge();
		b.top.eval();
		tap.equal(b.top.context_request_o & 0xffff, 1u << 3, "of that slot");
		tap.check(!b.top.idle_o, "not idle meanwhile");
	}
	b.top.context_slot_i = 3;
	b.edge();
	b.top.eval();
	tap.equal(b.top.context_request_o & 0xffff, 0, "begun");
	tap.end();
}

/* Each node tells of its own slot: that has no turn until the other had one, and could yield. */
static void quantums_end(uint64_t seed_value)
{
	tap.begin("a slot whose quantum is over has no turn, and is one that could be swapped");
	for (unsigned n = 0; n < NODES; n++) {
		const unsigned first = n, second = n + 2; /* slots of the node */
		Bench b(seed_value);
		unsigned detail = 0;

		b.setup();
		b.top.record_ready_i = 1;
		for (unsigned s : { first, second }) {
			b.write(RF_REG_SLOT_CONFIG(s),
				b.slot[s].config & ~RF_SLOT_CONFIG_PRIORITY_MASK);
			b.top.ring_next_slot_i = s;
			b.write(RF_REG_SLOT_CONTROL(s), ENABLE);
			b.top.ring_valid_i = 1;
			b.top.ring_slot_i = s;
			b.top.ring_write_pointer_i = b.slot[s].read_pointer + 1;
			b.edge();
			b.clear();
		}
		for (unsigned i = 0; i < 60; i++)
			b.edge();
		b.top.eval();
		tap.equal(b.top.turn_o >> 16 * n & 0xffff, 1u << first | 1u << second, "both");
		b.top.node_slot_i = first << 4 * n;
		b.top.node_here_i = 1u << (16 * n + first) | 1u << 16 * !n;
		b.top.node_load_slot_i = b.top.node_slot_i;
		b.top.node_spent_i = b.top.node_served_i = 1 << n;
		b.edge();
		b.top.node_spent_i = b.top.node_served_i = 0;
		for (unsigned i = 0; i < 4; i++)
			b.edge();
		b.top.eval();
		tap.equal(b.top.turn_o >> 16 * n & 0xffff, 1u << second, "the other one");
		b.write(RF_REG_SLOT_OVERSUBSCRIBED, 1);
		b.top.record_ready_i = 1;
		for (unsigned i = 0; i < 100; i++) {
			b.top.eval();
			if (b.top.record_valid_o) {
				tap.equal(bits(b.top.record_o, 128, 32), b.slot[first].config >> 32,
					  "handle");
				detail = bits(b.top.record_o, 160, 8);
			}
			b.edge();
		}
		tap.equal(detail, RF_YIELD_REASON_QUANTUM, "reason");
	}
	tap.end();
}

/* Nothing is shown behind a reset, and no slot has a state. */
static void quiet_behind_a_reset(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("nothing is shown behind a reset");
	for (unsigned part = 0; part < 2; part++) {
		if (part) { /* a reset of slots in use */
			for (unsigned i = 0; i < 3000; i++)
				b.cycle(false);
			b.clear();
			b.top.rst_ni = 0;
			b.edge();
			b.top.rst_ni = 1;
		}
		for (unsigned i = 0; i < 40; i++) {
			b.clear();
			b.top.eval();
			tap.equal(b.top.register_data_o, 0, "register data");
			tap.equal(b.top.enabled_o, 0, "enabled");
			tap.equal(b.top.context_request_o, 0, "asked of rf_context");
			tap.equal(b.top.cancel_o >> 4, 0, "a WAIT is cancelled");
			tap.equal(b.top.restart_o >> 4, 0, "restart");
			tap.equal(b.top.descriptor_write_o, 0, "descriptor");
			tap.equal(b.top.record_valid_o, 0, "a record");
			tap.equal(b.top.runnable_o, 0, "runnable");
			tap.equal(b.top.turn_o, 0, "in turn");
			tap.equal(b.top.node_retire_ready_o, 1, "node 0 may retire");
			tap.equal(b.top.node_work_o, 0, "work");
			tap.equal(b.top.node_in_buffer_o, 0, "inside a buffer");
			b.top.ring_valid_i = !i; /* even a ring of the first cycle */
			b.top.eval();
			tap.equal(b.top.node_coming_o, 0, "coming");
			b.top.ring_valid_i = 0;
			b.edge();
		}
		for (unsigned s = 0; s < SLOTS; s++) {
			tap.equal(b.peek(RF_REG_SLOT_STATUS(s)) & 15, RF_SLOT_STATE_DISABLED,
				  "state");
			tap.equal(b.peek(RF_REG_SLOT_FLAGS(s)), 0, "FLAGS");
			tap.equal(b.peek(RF_REG_SLOT_POINTERS(s)), 0, "POINTERS");
		}
		tap.equal(b.peek(RF_REG_SLOT_OVERSUBSCRIBED), 0, "OVERSUBSCRIBED");
		b.top.eval();
		tap.check(b.top.idle_o, "idle");
		if (!part)
			b.setup();
	}
	tap.end();
}

/* CONTROL, FLAGS and CONFIG act on writes of their lowest byte. */
static void bytes_of_registers(uint64_t seed_value)
{
	Bench b(seed_value);
	auto write = [&](uint64_t address, uint64_t data, unsigned strobe) {
		b.clear();
		put_slot_register(b.top, true, address, data, strobe);
		b.edge();
		b.clear();
		b.edge();
	};

	tap.begin("registers act on writes of their own bytes, and answer to reads alone");
	b.setup();
	write(RF_REG_SLOT_CONTROL(2), ENABLE, 0xfe);
	b.edge();
	tap.equal(b.top.enabled_o, 0, "other bytes of CONTROL");
	tap.equal(b.peek(RF_REG_SLOT_FLAGS(2)), 0, "FLAGS");
	write(RF_REG_SLOT_FLAGS(2), RF_SLOT_FLAGS_STALLED_MASK, 0xfe);
	tap.equal(b.peek(RF_REG_SLOT_FLAGS(2)), 0, "other bytes of FLAGS");
	write(RF_REG_SLOT_FLAGS(2), RF_SLOT_FLAGS_STALLED_MASK, 0x01);
	tap.equal(b.peek(RF_REG_SLOT_FLAGS(2)), RF_SLOT_FLAGS_STALLED_MASK, "FLAGS");
	write(RF_REG_SLOT_POINTERS(2), 0x111111111111, 0xff);
	write(RF_REG_SLOT_POINTERS(2), 0x222222222222, 0xee);
	tap.equal(b.peek(RF_REG_SLOT_POINTERS(2)), 0x111111111111, "other bytes of POINTERS");
	write(RF_REG_SLOT_FLAGS(2), RF_SLOT_FLAGS_STALLED_MASK, 0x01);
	write(RF_REG_SLOT_POINTERS(2), 0x222222222222, 0x01);
	tap.equal(b.peek(RF_REG_SLOT_POINTERS(2)), 0x111122222222, "the lower half");
	tap.equal(b.peek(RF_REG_SLOT_FLAGS(2)), 0, "FLAGS behind it");
	write(RF_REG_SLOT_FLAGS(2), RF_SLOT_FLAGS_STALLED_MASK, 0x01);
	write(RF_REG_SLOT_POINTERS(2), 0x333333333333, 0x10);
	tap.equal(b.peek(RF_REG_SLOT_POINTERS(2)), 0x333322222222, "the upper half");
	tap.equal(b.peek(RF_REG_SLOT_FLAGS(2)), 0, "FLAGS behind it");
	write(RF_REG_SLOT_CONTROL(2), ENABLE, 0x01);
	b.edge();
	tap.equal(b.top.enabled_o, 1u << 2, "CONTROL");
	write(RF_REG_SLOT_FLAGS(3), RF_SLOT_FLAGS_IN_BUFFER_MASK, 0xff);
	write(RF_REG_SLOT_BUFFER_STATE(3), ~0ull, 0xff);
	b.peek(RF_REG_SLOT_BUFFER_STATE(3));
	put_slot_register(b.top, true, RF_REG_SLOT_STATUS(3), 0);
	b.edge();
	b.clear();
	for (unsigned c = 0; c < 4; c++) {
		b.top.eval();
		tap.equal(b.top.register_data_o, 0, "data of a write of STATUS");
		b.edge();
	}
	for (uint64_t address = RF_REG_SLOT_OVERSUBSCRIBED - 16;
	     address <= RF_REG_SLOT_OVERSUBSCRIBED; address += 8) {
		for (unsigned i = 0; i < 2; i++) {
			b.clear();
			put_slot_register(b.top, i, address, 1);
			if (!i)
				put(b.top.register_i, 87, 1, 0); /* nothing is on the bus */
			b.edge();
			b.clear();
			for (unsigned c = 0; c < 3; c++) {
				b.top.eval();
				tap.equal(b.top.register_data_o, 0, "data without a read");
				b.edge();
			}
		}
	}
	tap.end();
}

/* For either reason, and for both: the scan comes to it with all of them. */
static void waits_are_cancelled(uint64_t seed_value)
{
	tap.begin("the WAIT of a slot that is disabled or in error is cancelled");
	for (unsigned why = 0; why < 4; why++) {
		for (unsigned delay = 0; delay < 24; delay++) {
			Bench b(seed_value);
			unsigned cancelled = 0;

			b.setup();
			b.top.record_ready_i = 1;
			b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
			b.edge();
			b.top.node_wait_i = 1;
			b.top.node_busy_i = 1;
			b.top.node_slot_i = 2;
			b.top.node_here_i = 0x10004;
			b.edge();
			b.clear();
			for (unsigned i = 0; i < 100; i++) {
				b.clear();
				b.top.record_ready_i = 1;
				if (why & 1 && i == 20) {
					put_result(b.top.fence_fault_i, true, 2);
					b.put_failure(b.top.fence_fault_i, 0, { 3, 0, 0, 8 });
				}
				if (why & 2 && i == 12 + delay)
					put_slot_register(b.top, true, RF_REG_SLOT_CONTROL(2),
							  DISABLE);
				b.top.eval();
				if (b.top.cancel_o >> 4) {
					tap.equal(b.top.cancel_o & 15, 2, "slot");
					cancelled++;
				}
				b.edge();
			}
			tap.equal(cancelled, why != 0, "cancelled once");
		}
	}
	tap.end();
}

/* Only the slot itself reports that its quantum is used up. */
static void no_yield_without_a_reason(uint64_t seed_value)
{
	tap.begin("a slot that has work and time left is not one that could be swapped");
	for (unsigned n = 0; n < NODES; n++) {
		Bench b(seed_value);
		const unsigned s = n + 4;

		b.setup();
		b.top.ring_next_slot_i = s;
		b.write(RF_REG_SLOT_OVERSUBSCRIBED, 1);
		b.top.ring_valid_i = 1;
		b.top.ring_slot_i = s;
		b.top.ring_write_pointer_i = b.slot[s].read_pointer + 1;
		b.edge();
		b.write(RF_REG_SLOT_CONTROL(s), ENABLE);
		b.top.record_ready_i = 1;
		b.top.node_busy_i = 1 << n;
		b.top.node_slot_i = s << 4 * n;
		b.top.node_here_i = 1u << (16 * n + s) | 1u << 16 * !n;
		for (unsigned i = 0; i < 200; i++) {
			b.top.eval();
			tap.check(!b.top.record_valid_o, "a record", n, i);
			b.edge();
		}
		b.top.node_spent_i = 1 << n;
		b.edge();
		b.top.node_spent_i = 0;
		unsigned records = 0;
		for (unsigned i = 0; i < 200; i++) {
			b.top.eval();
			records += b.top.record_valid_o;
			b.edge();
		}
		tap.equal(records, 1, "records behind its quantum");
	}
	tap.end();
}

/* Each node stores the position of the slot that it left, in its own time. */
static void disabled_behind_a_store(uint64_t seed_value)
{
	tap.begin("a slot is disabled when its position is stored");
	for (unsigned n = 0; n < NODES; n++) {
		Bench b(seed_value);
		const unsigned s = n + 6;

		b.setup();
		b.write(RF_REG_SLOT_QUANTUM_LEFT(s), 77);
		b.write(RF_REG_SLOT_CONTROL(s), ENABLE);
		b.write(RF_REG_SLOT_CONTROL(s), DISABLE);
		b.top.node_store_i = b.top.node_owes_i = 1 << n;
		b.top.node_memory_slot_i = b.top.node_left_slot_i = s << 4 * n;
		b.top.node_number_i = (RF_REG_SLOT_QUANTUM_LEFT(0) / 8 % 32) << 5 * n;
		for (unsigned i = 0; i < 200; i++) {
			b.top.eval();
			tap.check(b.top.enabled_o >> s & 1, "disabled before", n, i);
			b.edge();
		}
		b.top.node_store_i = b.top.node_owes_i = 0;
		for (unsigned i = 0; i < 100; i++)
			b.edge();
		b.top.eval();
		tap.check(!(b.top.enabled_o >> s & 1), "disabled behind it", n);
		tap.equal(b.peek(RF_REG_SLOT_QUANTUM_LEFT(s)), 0, "what the node stored");
	}
	tap.end();
}

/* One record, and one more behind a rearm or an ENABLE; none of a slot that may not be swapped. */
static void yields_again(uint64_t seed_value)
{
	Bench b(seed_value);
	unsigned records = 0;
	auto run = [&](unsigned cycles) {
		b.clear();
		b.top.record_ready_i = 1;
		for (unsigned i = 0; i < cycles; i++) {
			b.top.eval();
			records += b.top.record_valid_o;
			b.edge();
		}
	};

	tap.begin("a yield is told once until it is rearmed");
	b.setup();
	b.write(RF_REG_SLOT_OVERSUBSCRIBED, 1);
	b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
	run(200);
	tap.equal(records, 1, "without work");
	b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
	b.write(RF_REG_SLOT_CONTROL(3), RF_SLOT_CONTROL_REARM_MASK);
	run(200);
	tap.equal(records, 1, "not again for what changes nothing");
	b.write(RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_REARM_MASK);
	run(200);
	tap.equal(records, 2, "rearmed");
	b.write(RF_REG_SLOT_CONTROL(2), DISABLE);
	run(200);
	b.write(RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_REARM_MASK);
	run(200);
	tap.equal(records, 2, "none of a disabled slot");
	b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
	run(200);
	tap.equal(records, 3, "enabled anew");
	b.write(RF_REG_SLOT_OVERSUBSCRIBED, 0);
	b.write(RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_REARM_MASK);
	run(200);
	tap.equal(records, 3, "none while slots suffice");
	tap.end();
}

/* What the driver finds the slots by, and its own bit; nothing else answers there. */
static void registers_of_the_block(uint64_t seed_value)
{
	const uint64_t at = RF_REG_SLOT_OVERSUBSCRIBED - 16;
	Bench b(seed_value);

	tap.begin("header and OVERSUBSCRIBED of the block");
	b.setup();
	for (unsigned on = 0; on < 2; on++) {
		b.write(RF_REG_SLOT_OVERSUBSCRIBED, on);
		tap.equal(b.peek(RF_REG_SLOT_OVERSUBSCRIBED), on, "OVERSUBSCRIBED");
		tap.equal(b.peek(at) & 0xffff, RF_BLOCK_TYPE_SLOT, "type");
		tap.equal(b.peek(at + 8),
			  (uint64_t)RF_SLOT_INDEXED_BASE << 32 | RF_SLOT_INDEXED_STRIDE << 16 |
				  RF_SLOT_INDEXED_COUNT,
			  "where the slots are");
		tap.equal(b.peek(at - 8), 0, "below");
		tap.equal(b.peek(at + 24), 0, "above");
		b.write(at + 24, !on);
		b.write(at, !on);
		tap.equal(b.peek(RF_REG_SLOT_OVERSUBSCRIBED), on, "stays under other writes");
		b.clear();
		put_slot_register(b.top, true, RF_REG_SLOT_OVERSUBSCRIBED, !on, 0xfe);
		b.edge();
		tap.equal(b.peek(RF_REG_SLOT_OVERSUBSCRIBED), on, "and of the other bytes");
	}
	tap.end();
}

/* Whenever it fails, from before the DISABLE until it is cancelled. */
static void cancelled_waits_do_not_fail(uint64_t seed_value)
{
	unsigned met = 0;

	tap.begin("a wait that fails as it is cancelled has not failed");
	for (unsigned delay = 0; delay < 40; delay++) {
		Bench b(seed_value);
		bool cancelled = false, record = false;

		b.setup();
		b.write(RF_REG_SLOT_CONTROL(2), ENABLE);
		b.edge();
		b.top.node_wait_i = 1;
		b.top.node_busy_i = 1;
		b.top.node_slot_i = 2;
		b.top.node_here_i = 0x10004;
		b.edge();
		b.write(RF_REG_SLOT_CONTROL(2), DISABLE);
		for (unsigned i = 0; i < 80; i++) {
			b.top.eval();
			cancelled |= b.top.cancel_o >> 4;
			b.top.release_valid_i = i == delay && !cancelled;
			met += b.top.release_valid_i;
			b.top.release_slot_i = 2;
			b.put_failure(b.top.release_failure_i, 0, { 3, 0, 0, 8 });
			b.top.record_ready_i = 1;
			b.top.eval();
			record |= b.top.record_valid_o;
			b.edge();
		}
		tap.check(!(cancelled && record), "cancelled, and an error", delay);
		tap.check(cancelled || record, "neither cancelled nor an error", delay);
	}
	tap.check(met > 2, "it failed before it was cancelled", met);
	tap.end();
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	run("pointers, states and registers are those of each slot by itself", s, 0, 100);
	run("every failure stops its slot with one record", s + 1, 10, 60);
	run("the same when records are seldom taken", s + 2, 30, 4);
	postponed(s + 3);
	pointers_in_halves(s + 3);
	reads_behind_a_ring(s + 3);
	pointers_begin_a_quantum(s + 4);
	config_of_an_enabled_slot_stays(s + 6);
	awake_until_writes_act(s + 5);
	awake_until_yields_are_told(s + 5);
	cancelled_waits_do_not_fail(s + 6);
	registers_of_the_block(s + 7);
	restores_are_kept(s + 8);
	yields_again(s + 9);
	quantums_end(s + 10);
	quiet_behind_a_reset(s + 13);
	bytes_of_registers(s + 14);
	waits_are_cancelled(s + 15);
	no_yield_without_a_reason(s + 11);
	disabled_behind_a_store(s + 12);
	return tap.status();
}
