// SPDX-License-Identifier: Apache-2.0
//
// rf_interrupt with a host that looks at the ring only when interrupted: every
// record is taken, in order and intact, or dropped under OVERFLOW; consumer writes
// are swept over the cycles in which a record is performed.

#include "Vrf_interrupt.h"
#include "bits.h"
#include "fence_model.h"
#include "../../kmd/include/ringfence_hw.h"

using namespace rf;

namespace {

constexpr uint64_t kRing = 0x7000;

struct Bench {
	Vrf_interrupt top;
	Random random;
	Tap &tap;
	Memory memory;
	WriteMaster write;
	uint64_t now = 0;
	uint64_t base = kRing;
	unsigned log2 = 7;
	uint32_t producer = 0, consumer = 0; /* reference */
	uint32_t told = 0, told_before = 0; /* consumer as written, for the last cycles too */
	uint64_t told_at = 0;
	unsigned cleared = 0; /* drops that the host was told of */
	uint64_t cleared_at = 0;
	bool asked = false;
	bool enabled = false, offered[5] = {};
	Record record[5] = {};
	uint64_t serial[5] = {}, waited[5] = {}, most_waited = 0;
	std::deque<Record> expected; /* performed, not yet taken by the host */
	unsigned words = 0; /* of the record being written */
	uint64_t stray = 0, performed_at = 0, interrupt_at = 0;
	unsigned dropped = 0, taken = 0, interrupts = 0;
	unsigned msix_percent = 100;
	bool ended_before = false, unexplained = false;
	unsigned status_before = 0;
	bool pending_interrupt = false;
	bool host_failure = false; /* writes fail: contents are not checked */

	Bench(Tap &t, uint64_t seed) : random(seed), tap(t), write(memory, random)
	{
		write.performed = [this](unsigned vmid, uint64_t va, uint64_t, bool last,
					 unsigned) {
			uint64_t slot = base + (producer & ((1u << log2) - 1)) * 32;

			tap.equal(vmid, 0, "vmid");
			if (va != slot + words * 8)
				stray++;
			words = last ? 0 : words + 1;
			performed_at = now;
			/* never over a record that the host has not taken */
			if (enabled && !last)
				tap.check(producer - told < 1u << log2,
					  "an entry of the host was written", producer, told);
		};
		top.rst_ni = 0;
		set(&top.register_i, 0, 88, 0);
		for (int i = 0; i < 4; i++) {
			top.clk_i = 0, top.eval();
			top.clk_i = 1, top.eval();
		}
		top.rst_ni = 1;
	}
	void offer(unsigned source)
	{
		static const unsigned kind[] = { 1, 2, 3, 4, 6 };

		offered[source] = true;
		record[source] = { kind[source],
				   (unsigned)random.below(16),
				   (unsigned)random.below(16),
				   (unsigned)random.below(256),
				   (uint32_t)random.next(),
				   random.next(),
				   source * 1000000ull + serial[source]++ };
	}
	/* Each source shows the word that it is asked for. */
	void show()
	{
		unsigned asked = 0;

		for (unsigned s = 0; s < 5; s++) {
			unsigned word = top.record_show_o >> s * 3 & 7;

			asked += word != 0;
			tap.check(!(word & (word - 1)), "one word of a record", word);
			set(&top.record_i, s * 64, 64,
			    word ? record_word(record[s], word >> 1) : 0);
		}
		tap.check(asked <= 1, "one source shows", top.record_show_o);
	}
	void step()
	{
		write.prepare(now);
		top.write_ready_i = write.ready;
		top.write_data_ready_i = write.data_ready;
		top.write_done_i = write.done;
		top.write_done_status_i = write.status;
		top.msix_ready_i = random.chance(msix_percent);
		top.record_valid_i = 0;
		for (unsigned s = 0; s < 5; s++)
			top.record_valid_i |= offered[s] << s;
		const bool reads = is_read(top.register_i);

		if (!is_access(top.register_i))
			put_no_access(top.register_i, random.chance(50),
				      RF_REG_INTERRUPT_RING_BASE + 8 * random.below(5),
				      random.next());
		top.clk_i = 0;
		top.eval();
		show();
		top.eval();
		/* Sources 2 to 4 are told a cycle after the end of a write. */
		const unsigned near = 3, ready = top.record_ready_o;

		for (unsigned s = 0; s < 5; s++) {
			const bool ended = s < 2 ? write.done : ended_before;
			const unsigned status = s < 2 ? write.status : status_before;

			if (!offered[s])
				continue;
			most_waited = std::max(most_waited, ++waited[s]);
			if (!(ready >> s & 1))
				continue;
			waited[s] = 0;
			offered[s] = false;
			if (ended && (ready & (s < 2 ? near : ~near)) == 1u << s) {
				if (!status) {
					expected.push_back(record[s]);
					producer++;
				}
			} else {
				dropped++;
				tap.check(s < 2 || !enabled,
					  "only fence records are dropped from a ring", s);
				uint32_t known = now < told_at + 5 ? told_before : told;

				tap.check(!enabled || producer - known + RF_INTERRUPT_RESERVED >=
							      1u << log2,
					  "dropped with room", producer - known, 1u << log2);
			}
		}
		const bool told_later = write.done && !(ready & near);

		ended_before = write.done, status_before = write.status;
		if ((top.msix_valid_o && !asked && !told_later) || unexplained) {
			bool records = producer != (now < told_at + 5 ? told_before : told);
			bool drops = dropped != cleared || now < cleared_at + 5;

			tap.check(records || drops || host_failure,
				  "MSI-X without a performed record", producer, told);
		}
		tap.check(!top.idle_o || !(top.record_valid_i || words || top.msix_valid_o),
			  "idle with something to do");
		unexplained = top.msix_valid_o && !asked && told_later;
		asked = top.msix_valid_o && !top.msix_ready_i;
		if (top.msix_valid_o && top.msix_ready_i) {
			tap.check(top.raised_o, "raised event");
			interrupts++;
			interrupt_at = now;
			pending_interrupt = true;
		}
		write.sample(now, top.write_valid_o, &top.write_o, 0, top.write_data_valid_o,
			     top.write_data_o);
		top.clk_i = 1;
		top.eval();
		tap.check(reads || !top.register_data_o, "data without a read",
			  top.register_data_o);
		now++;
	}
	void reg_write(uint64_t address, uint64_t data, unsigned strobe = 0xff)
	{
		start_write(address, data, strobe);
		if (address == RF_REG_INTERRUPT_CONTROL) { /* acts a cycle later */
			tap.equal(top.idle_o, 0, "idle before CONTROL acts");
			step();
		}
	}
	/* One cycle; CONTROL acts in the next one. */
	void start_write(uint64_t address, uint64_t data, unsigned strobe = 0xff)
	{
		pack(&top.register_i, 0,
		     { { 1, 1 }, { 1, 1 }, { 14, address >> 3 }, { 64, data }, { 8, strobe } });
		if (address == RF_REG_INTERRUPT_OVERFLOW) {
			cleared = dropped;
			cleared_at = now;
		}
		if (address == RF_REG_INTERRUPT_CONSUMER && data - told <= producer - told) {
			told_before = told;
			told = data;
			told_at = now;
		}
		step();
		set(&top.register_i, 87, 1, 0);
	}
	uint64_t reg_read(uint64_t address)
	{
		pack(&top.register_i, 0,
		     { { 1, 1 }, { 1, 0 }, { 14, address >> 3 }, { 64, 0 }, { 8, 0 } });
		step();
		set(&top.register_i, 87, 1, 0);
		return top.register_data_o;
	}
	void enable(uint64_t ring, unsigned entries_log2, unsigned vector = 2)
	{
		reg_write(RF_REG_INTERRUPT_RING_BASE, ring);
		base = ring;
		log2 = entries_log2;
		producer = consumer = told = told_before = 0;
		enabled = true;
		reg_write(RF_REG_INTERRUPT_CONTROL, 1 | entries_log2 << 4 | vector << 8);
	}
	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}
	/* The host takes what it finds; contents must be those of the records. */
	void host_takes(unsigned most)
	{
		uint32_t until = reg_read(RF_REG_INTERRUPT_PRODUCER);

		tap.check(until - consumer <= expected.size() || host_failure,
			  "PRODUCER ahead of the records", until, consumer);
		while (consumer != until && most--) {
			uint64_t at = base + (consumer & ((1u << log2) - 1)) * 32;
			Record want = expected.front();

			expected.pop_front();
			tap.equal(memory.word[at],
				  want.kind | want.node << 8 | (uint64_t)want.vmid << 16 |
					  (uint64_t)want.detail << 24 | (uint64_t)want.handle << 32,
				  "record word 0");
			tap.equal(memory.word[at + 8], want.address, "address");
			tap.equal(memory.word[at + 16], want.value, "value, in order");
			consumer++;
			taken++;
		}
	}
};

void stream(Tap &tap, Speed speed, unsigned offer_percent, unsigned host_delay, bool lazy,
	    const char *name)
{
	tap.begin(name);
	Bench b(tap, seed() * 3 + host_delay);
	unsigned overflows = 0;
	uint64_t handle_at = 0;
	unsigned fence_dropped = 0;

	b.write.speed = speed;
	b.msix_percent = speed.percent;
	b.enable(kRing, lazy ? 7 : 8);
	for (unsigned i = 0, quiet = 0; i < 40000 || quiet < 50; i++) {
		quiet = b.pending_interrupt || handle_at || !b.top.idle_o ? 0 : quiet + 1;
		for (unsigned s = 0; s < 5; s++) {
			/* the others have at most a few outstanding, as the design says */
			if (i < 40000 && !b.offered[s] &&
			    b.random.chance(s < 2 ? offer_percent : 1))
				b.offer(s);
		}
		b.step();
		if (b.pending_interrupt && !handle_at)
			handle_at = b.now + b.random.below(host_delay + 1);
		if (handle_at && b.now >= handle_at) {
			b.pending_interrupt = false;
			handle_at = 0;
			if (b.reg_read(RF_REG_INTERRUPT_OVERFLOW) & 1) {
				overflows++;
				b.reg_write(RF_REG_INTERRUPT_OVERFLOW, 1);
				fence_dropped = b.dropped;
			}
			b.host_takes(b.random.chance(20) ? b.random.below(20) : ~0u);
			b.run(b.random.below(4));
			b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
		}
		if (i > 200000)
			break;
	}
	tap.equal(b.top.idle_o, 1, "idle at the end");
	tap.equal(b.expected.size(), 0, "records left without an interrupt");
	tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 0, "OVERFLOW left without an interrupt");
	tap.check(lazy ? overflows > 3 && b.dropped > 10 : b.dropped == 0, "drops", b.dropped,
		  overflows);
	tap.check(fence_dropped == b.dropped, "every drop was told", fence_dropped, b.dropped);
	tap.equal(b.stray, 0, "words beside the ring");
	tap.check(b.taken > 500, "records were taken", b.taken, 500);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_CONSUMER), b.consumer, "CONSUMER");
	printf("# %u taken, %u dropped, %u overflows, %u interrupts, longest wait %u cycles\n",
	       b.taken, b.dropped, overflows, b.interrupts, (unsigned)b.most_waited);
	tap.end();
}

/* Registers have their values of a reset, and nothing is written or told. */
void behind_a_reset(Tap &tap)
{
	tap.begin("a reset leaves no ring and tells nothing");
	Bench b(tap, seed());

	for (unsigned i = 0; i < 20; i++) {
		b.step();
		tap.check(!b.top.write_valid_o && !b.top.msix_valid_o && !b.top.record_ready_o,
			  "something is done", i);
		tap.equal(b.top.register_data_o, 0, "data without a read");
		tap.equal(b.top.idle_o, 1, "idle");
	}
	for (uint64_t address : { RF_REG_INTERRUPT_CONTROL, RF_REG_INTERRUPT_PRODUCER,
				  RF_REG_INTERRUPT_CONSUMER, RF_REG_INTERRUPT_OVERFLOW })
		tap.equal(b.reg_read(address), 0, "register");
	tap.end();
}

/* The host writes CONSUMER in every cycle around the one in which a record is
 * performed; whatever comes first, the record is told by an interrupt. */
void rearm_sweep(Tap &tap)
{
	tap.begin("no interrupt is lost between a consumer write and a record");
	Bench b(tap, seed());
	unsigned same_cycle = 0, at_once = 0, later = 0;

	b.enable(kRing, 7);
	b.run(10);
	for (int offset = -12; offset < 14; offset++) {
		for (int source = 0; source < 5; source++) {
			unsigned before;
			uint64_t written = 0;

			b.offer(source); /* disarm, leave the ring empty but not armed */
			b.run(30);
			b.host_takes(~0u);
			before = b.interrupts;
			for (int c = 0; c < 60; c++) {
				if (c == 20)
					b.offer(source);
				if (c == 20 + offset) {
					written = b.now;
					b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
				} else {
					b.step();
				}
			}
			same_cycle += b.performed_at == written || b.performed_at + 1 == written;
			later += b.performed_at > written;
			at_once += b.performed_at < written;
			tap.equal(b.interrupts - before, 1, "one interrupt");
			tap.check(b.interrupt_at >= written, "behind the consumer write");
			b.host_takes(~0u);
			b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
			b.run(5);
		}
	}
	tap.check(same_cycle >= 5 && at_once >= 20 && later >= 20, "every order was met",
		  same_cycle, at_once);
	tap.end();
}

void directed(Tap &tap)
{
	tap.begin("arming, reserve, nonsense consumer, failures, reconfiguration");
	Bench b(tap, seed());

	/* disabled: every record is dropped at once, so that no source waits; the host is told */
	for (unsigned source = 0; source < 5; source++) {
		b.offer(source);
		b.run(4);
		tap.check(!b.offered[source], "a record waits for a ring", source);
		b.offer(source);
		b.run(4);
		tap.equal(b.dropped, 2 * source + 2, "dropped while disabled");
		tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 1, "OVERFLOW");
		b.reg_write(RF_REG_INTERRUPT_OVERFLOW, 1);
	}
	for (unsigned source = 0; source < 5; source++)
		b.offer(source);
	b.run(10);
	tap.equal(b.dropped, 15, "all at once");
	b.enable(kRing, 7);
	b.run(20);
	tap.equal(b.interrupts, 1, "OVERFLOW is told when the ring is enabled");
	tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 1, "OVERFLOW");
	b.reg_write(RF_REG_INTERRUPT_OVERFLOW, 1);
	b.enable(kRing, 7);
	b.interrupts = 0;
	b.offer(3);
	b.run(20);
	tap.equal(b.interrupts, 1, "a record");
	tap.equal(b.top.msix_vector_o, 2, "vector");
	for (int i = 0; i < 5; i++) {
		b.offer(0);
		b.run(15);
	}
	tap.equal(b.interrupts, 1, "one interrupt until CONSUMER is written");
	b.reg_write(RF_REG_INTERRUPT_CONSUMER, 2);
	b.run(5);
	tap.equal(b.interrupts, 2, "fires at once: the ring is not empty");
	b.consumer = 2;
	b.expected.pop_front(), b.expected.pop_front();
	/* nonsense */
	b.reg_write(RF_REG_INTERRUPT_CONSUMER, 1000);
	b.run(5);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_CONSUMER), 2, "a consumer ahead is not taken");
	tap.equal(b.interrupts, 3, "but arms");
	b.reg_write(RF_REG_INTERRUPT_CONSUMER, 1);
	b.run(5);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_CONSUMER), 2, "nor one behind");
	b.host_takes(~0u);
	b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
	b.run(5);
	unsigned armed = b.interrupts;
	b.run(50);
	tap.equal(b.interrupts, armed, "armed and caught up: silent");
	/* reserve: fence records fill all but the reserved entries */
	for (int i = 0; i < 100; i++) {
		b.offer(i & 1);
		b.run(15);
	}
	tap.equal(b.producer - b.consumer, 128 - RF_INTERRUPT_RESERVED,
		  "fence records take what is not reserved");
	tap.equal(b.dropped, 15 + 100 - (128 - RF_INTERRUPT_RESERVED), "the rest is dropped");
	for (int i = 0; i < RF_INTERRUPT_RESERVED; i++) {
		b.offer(2 + i % 3);
		b.run(15);
	}
	tap.equal(b.producer - b.consumer, 128, "the reserve is for the others");
	b.offer(4);
	b.run(100);
	tap.check(b.offered[4], "a full ring makes the others wait");
	tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 1, "OVERFLOW");
	b.host_takes(~0u);
	b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
	b.run(20);
	tap.check(!b.offered[4], "and they go on");
	armed = b.interrupts;
	b.host_takes(~0u);
	b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
	b.run(20);
	tap.equal(b.interrupts, armed + 1, "OVERFLOW alone fires");
	b.reg_write(RF_REG_INTERRUPT_OVERFLOW, 3);
	b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
	b.run(20);
	tap.equal(b.interrupts, armed + 1, "cleared: silent");
	/* a write that fails */
	b.memory.fault[kRing >> 12] = 6;
	b.host_failure = true;
	b.offer(2);
	b.run(20);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 3, "FAILED and OVERFLOW");
	tap.equal(b.reg_read(RF_REG_INTERRUPT_PRODUCER), b.producer, "not counted");
	tap.equal(b.interrupts, armed + 2, "told");
	b.memory.fault.clear();
	/* the ring moves: nothing goes to the old one when CONTROL reads 0 */
	for (int wait = 0; wait < 15; wait++) {
		b.offer(0);
		b.run(wait);
		b.enabled = false;
		b.words = 0;
		b.reg_write(RF_REG_INTERRUPT_CONTROL, 0);
		for (int i = 0; b.reg_read(RF_REG_INTERRUPT_CONTROL) & 1; i++)
			tap.check(i < 50, "it never reads disabled");
		b.run(3);
		uint64_t stray = b.stray, ring = 0x20000 + wait * 0x1000;
		b.words = 0;
		b.expected.clear();
		b.enable(ring, 7);
		b.run(30);
		b.offer(1);
		b.run(30);
		tap.equal(b.stray, stray, "writes to the old ring");
		b.host_takes(~0u);
		tap.check(b.taken > 0 && b.expected.empty() && b.consumer >= 1,
			  "the new ring works");
		b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
		b.reg_write(RF_REG_INTERRUPT_OVERFLOW, 3);
		b.run(10);
	}
	tap.end();
}

/* The request of the next record waits to be taken while the ring is set up anew. */
void offered(Tap &tap)
{
	tap.begin("a request on offer stays when CONTROL and RING_BASE are written");
	for (int wait = 0; wait < 8; wait++) {
		for (int later = 0; later < 8; later++) {
			Bench b(tap, seed());

			b.write.speed.percent = 0;
			b.enable(kRing, 7);
			b.run(wait);
			bool valid = b.top.write_valid_o;
			uint64_t va = get(&b.top.write_o, 22, 61);

			b.enabled = false;
			b.reg_write(RF_REG_INTERRUPT_CONTROL, 0);
			b.offer(wait & 1 ? 3 : 0); /* comes too late for this ring */
			if (wait & 2) /* nor does a host that is early move it */
				b.reg_write(RF_REG_INTERRUPT_RING_BASE, 0x30000);
			for (int i = 0; i < later; i++) {
				if (valid) {
					tap.equal(b.top.write_valid_o, 1, "on offer");
					tap.equal(get(&b.top.write_o, 22, 61), va, "address");
				}
				b.step();
			}
			b.write.speed.percent = 100;
			for (int i = 0; b.reg_read(RF_REG_INTERRUPT_CONTROL) & 1; i++)
				tap.check(i < 50, "it never reads disabled");
			b.run(3);
			for (int i = 0; i < 3; i++)
				tap.equal(b.memory.word[kRing + i * 8], 0,
					  "no record in the old ring");
			b.enable(0x30000, 7);
			for (int i = 0; i < 3; i++) {
				b.offer(i + 2);
				b.run(30);
			}
			b.host_takes(~0u);
			tap.equal(b.consumer, 3, "records in the new ring");
		}
	}
	tap.end();
}

void rings(Tap &tap)
{
	tap.begin("a ring of every size is filled to its end, and interrupts by its vector");
	Bench b(tap, seed());

	for (unsigned log2 = 7; log2 <= 12; log2++) {
		unsigned vector = log2 * 5 % 16, entries = 1u << log2;
		uint64_t ring = (uint64_t)log2 << 36 | 0x90000000;

		b.enable(ring, log2, vector);
		tap.equal(b.reg_read(RF_REG_INTERRUPT_CONTROL), 1 | log2 << 4 | vector << 8,
			  "CONTROL");
		for (unsigned i = 0; i < entries; i++) {
			b.offer(2 + i % 3);
			b.run(9);
		}
		tap.equal(b.producer, entries, "records in the ring");
		tap.equal(b.top.msix_vector_o, vector, "vector");
		b.offer(2);
		b.run(100);
		tap.check(b.offered[2], "no room for one more");
		b.host_takes(~0u);
		b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
		b.run(20);
		tap.check(!b.offered[2], "room for one more");
		b.host_takes(~0u);
		b.reg_write(RF_REG_INTERRUPT_CONSUMER, b.consumer);
		b.run(20);
		tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 0, "OVERFLOW");
		b.reg_write(RF_REG_INTERRUPT_CONTROL, 0);
		b.run(20);
		b.words = 0;
	}
	tap.equal(b.stray, 0, "writes beside the rings");
	tap.end();

	tap.begin("registers: RING_BASE by halves, bits of OVERFLOW one by one");
	b.reg_write(RF_REG_INTERRUPT_RING_BASE, 0x1111222233334000);
	b.reg_write(RF_REG_INTERRUPT_RING_BASE, 0xaaaabbbbccccd000, 0x0f);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_RING_BASE), 0x11112222ccccd000, "the low half");
	b.reg_write(RF_REG_INTERRUPT_RING_BASE, 0x5555666677778000, 0xf0);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_RING_BASE), 0x55556666ccccd000, "the high half");
	for (uint64_t address = 0; address < 0x20000; address += 8)
		if (address < RF_INTERRUPT_BLOCK_OFFSET || address > RF_REG_INTERRUPT_OVERFLOW)
			tap.equal(b.reg_read(address), 0, "a register of another block");
	b.memory.fault[kRing >> 12] = 6;
	b.host_failure = true;
	b.enable(kRing, 7);
	b.offer(2);
	b.run(20);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 3, "FAILED and OVERFLOW");
	b.reg_write(RF_REG_INTERRUPT_OVERFLOW, 2);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 1, "FAILED cleared");
	b.offer(2);
	b.run(20);
	b.reg_write(RF_REG_INTERRUPT_OVERFLOW, 1);
	tap.equal(b.reg_read(RF_REG_INTERRUPT_OVERFLOW), 2, "OVERFLOW cleared");
	tap.end();
}

/* CONTROL is written in every cycle of a record: the ring that it enables begins at entry 0. */
void anew(Tap &tap)
{
	tap.begin("a ring is enabled anew in each cycle of a record");
	unsigned before = 0, behind = 0;

	for (unsigned cycles = 0; cycles < 16; cycles++) {
		Bench b(tap, seed());

		b.enable(kRing, 7);
		b.run(10);
		b.offer(0);
		b.run(cycles);
		b.start_write(RF_REG_INTERRUPT_CONTROL, 1 | 7 << 4 | 2 << 8);
		b.step();
		b.producer = b.told = b.told_before = 0;
		b.expected.clear(); /* it was in the ring that is over */
		before += b.offered[0];
		behind += !b.offered[0];
		b.run(30);
		b.offer(0);
		b.run(30);
		b.host_takes(~0u);
		tap.equal(b.consumer, b.producer, "PRODUCER");
		tap.check(b.expected.empty(), "records are in the new ring");
	}
	tap.check(before >= 3 && behind >= 3, "both orders were met", before, behind);
	tap.end();
}

void latency(Tap &tap)
{
	tap.begin("cycles: the first word goes with the record, MSI-X with its done");
	Bench b(tap, 1);

	b.enable(kRing, 7);
	b.run(20);
	b.offer(0);
	uint64_t start = b.now;
	b.run(30);
	/* the model takes a word a cycle, performs it one later, done one after the last */
	tap.equal(b.performed_at - start, 3, "record to last word performed");
	tap.equal(b.interrupt_at - b.performed_at, 1, "performed to MSI-X request");
	tap.end();
}

} /* namespace */

int main()
{
	Tap tap;

	directed(tap);
	rearm_sweep(tap);
	behind_a_reset(tap);
	stream(tap, { 100, 0 }, 5, 60, false,
	       "every record is taken by a host that only follows interrupts");
	stream(tap, { 50, 5 }, 5, 200, false, "the same with back-pressure");
	stream(tap, { 100, 0 }, 40, 3000, true, "a slow host: OVERFLOW tells of every drop");
	stream(tap, { 40, 8 }, 40, 6000, true, "a slow host and back-pressure");
	offered(tap);
	rings(tap);
	anew(tap);
	latency(tap);
	return tap.status();
}
