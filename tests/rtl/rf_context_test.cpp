/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts saved and restored, and write-pointer records read, over a register bus that
 * the host uses as well, with memory that takes its time and sometimes fails. The
 * registers are plain words here. The host writes those of the logs while a slot is saved.
 */
#include <deque>
#include <map>

#include "Vrf_context.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

static Tap tap;

enum : unsigned { SLOTS = 16, WORDS = 32 };
enum : unsigned {
	CONFIG = 1,
	RECORD = 3,
	WRITE_POINTER = 5,
	CONTROL = 6,
	STATUS = 7,
	WAIT_LOG = 12,
	SWITCH = 15,
	SAVE_ADDRESS = 20
};

struct Bench {
	Vrf_context top;
	Random random;
	uint64_t registers[SLOTS][WORDS] = {}, memory[SLOTS][WORDS] = {};
	uint64_t offered[SLOTS] = {}, control[SLOTS] = {};
	bool written[SLOTS][WORDS] = {};
	uint64_t record[SLOTS] = {};
	uint16_t parked = 0, restore = 0, resample = 0, saved = 0, failed = 0;
	unsigned busy = 30, fails = 0; /* percent: the host has the bus; an access fails */
	unsigned held = 0; /* cycles for which the host keeps the bus */
	unsigned writing = 0; /* in 1000 of its cycles: the host writes a register of the logs */
	unsigned host_writes = 0, late_writes = 0; /* ... and, later, after the last was read */
	bool collected = false; /* all registers of the slot were read */
	uint64_t image[SLOTS][WORDS] = {}; /* the registers when their slot was saved */
	uint64_t response1 = 0, response2 = 0; /* register responses on their way */
	struct Read {
		unsigned slot, half, sent, due, status, words, id;
	};
	struct Write {
		unsigned slot, half, beats, due, status;
	};
	std::deque<Read> reads;
	std::deque<Write> writes;
	unsigned now = 0, offered_at = 0, last_status[SLOTS] = {}, records = 0, done = 0;
	bool data_held = false;

	explicit Bench(uint64_t seed_value) : random(seed_value)
	{
		top.parked_i = top.restore_i = top.resample_i = top.slot_write_i = 0;
		top.response_valid_i = top.write_done_i = top.record_ready_i = 0;
		Clock<Vrf_context>(top).reset();
	}
	uint64_t place(unsigned slot) { return 0x123456000ull + slot * 0x100; }
	uint64_t record_place(unsigned slot) { return 0xfedcba9876543000ull + slot * 0x1008; }
	void cycle();
};

void Bench::cycle()
{
	bool free = !held && !random.chance(busy);

	if (held)
		held--;
	else if (busy && !random.below(150))
		held = 80;
	now++;
	top.clk_i = 0;
	top.parked_i = parked;
	top.restore_i = restore;
	top.resample_i = resample;
	top.fail_ready_i = random.chance(30);
	top.register_ready_i = free;
	/* Of the slot that is being saved, or of any other. */
	unsigned host_slot = random.chance(70) ? (unsigned)top.slot_o : random.below(SLOTS);
	unsigned host_word = random.chance(50) ? SWITCH : WAIT_LOG + random.below(4);
	bool host_write = !free && (parked >> host_slot & 1) && random.below(1000) < writing;

	top.slot_write_i = host_write;
	top.slot_i = host_write ? host_slot : random.below(SLOTS);
	top.register_response_i = response2;
	top.offer_ready_i = random.chance(70);
	top.read_ready_i = random.chance(50);
	top.write_ready_i = writes.size() < 2 && random.chance(50);
	top.write_data_ready_i = 0;
	if (!writes.empty() && random.chance(70))
		for (Write &w : writes)
			if (w.beats < 16) {
				top.write_data_ready_i = 1;
				break;
			}
	top.record_ready_i = random.chance(30);
	top.response_valid_i = 0;
	if (!reads.empty() && random.chance(70)) {
		size_t pick = random.below(reads.size());
		Read &r = reads[pick];

		if (r.due <= now) {
			bool bad = r.status && (r.sent >= 3 || r.words == 1);

			top.response_valid_i = 1;
			put(top.response_i, 0, 64,
			    bad		   ? random.next()
			    : r.words == 1 ? record[r.slot]
					   : memory[r.slot][r.half * 16 + r.sent]);
			put(top.response_i, 64, 2, r.status & 3);
			put(top.response_i, 66, 3, bad ? r.status : 0);
			put(top.response_i, 69, 1, bad || r.sent == r.words - 1);
			put(top.response_i, 70, 5, r.id);
			put(top.response_i, 75, 4, 1);
			if (bad || r.sent++ == r.words - 1)
				reads.erase(reads.begin() + pick);
		}
	} else if (random.chance(20)) { /* words of the node that shares the port */
		top.response_valid_i = 1;
		put(top.response_i, 70, 5, random.below(9));
		put(top.response_i, 75, 4, 1);
	}
	top.write_done_i = 0;
	if (!writes.empty() && writes.front().beats == 16 && writes.front().due <= now) {
		top.write_done_i = 1;
		top.write_done_status_i = writes.front().status;
		writes.pop_front();
		done++;
	}
	top.eval();

	/* --- what it does --- */
	response2 = response1;
	response1 = random.next();
	if (bits(top.register_o, 87, 1) && free) {
		uint64_t address = bits(top.register_o, 72, 14) << 3;
		unsigned slot = (address - RF_REG_SLOT_RING_BASE(0)) / 0x100;
		unsigned number = address / 8 % WORDS;

		tap.check(slot < SLOTS && slot == top.slot_o, "a register of its slot", address);
		if (!bits(top.register_o, 86, 1)) {
			collected = number == WORDS - 1;
			response1 = registers[slot][number];
		} else if (number == CONTROL) {
			/* all of it lies in the byte that is written */
			tap.equal(bits(top.register_o, 0, 8), 1, "strobe of CONTROL");
			control[slot] = bits(top.register_o, 8, 8);
		} else {
			tap.check(!written[slot][number], "written once", slot, number);
			written[slot][number] = true;
			registers[slot][number] = bits(top.register_o, 8, 64);
		}
	}
	/* A log is switched in cycles in which the bus is free. */
	if (free && !bits(top.register_o, 87, 1))
		for (unsigned s = 0; s < SLOTS; s++)
			if (registers[s][SWITCH] && random.chance(10))
				registers[s][SWITCH] = 0;
	if (top.offer_valid_o && top.offer_ready_i) {
		offered[top.slot_o] = top.offer_data_o;
		offered_at = now;
	}
	if (top.read_valid_o && top.read_ready_i) {
		uint64_t va = bits(top.read_o, 12, 64);
		unsigned slot = (va - place(0)) / 0x100, words = bits(top.read_o, 5, 7);

		if (words == 1) {
			slot = top.slot_o;
			tap.equal(va, record_place(slot), "the record of the slot");
			tap.equal(bits(top.read_o, 76, 4), registers[slot][CONFIG] >> 4 & 15,
				  "VMID of the queue");
		} else {
			tap.equal(words, 16, "sixteen words");
			tap.equal(va & 0x7f, 0, "128 bytes");
			tap.equal(bits(top.read_o, 76, 4), 0, "VMID 0");
		}
		tap.check(bits(top.read_o, 0, 5) >= 16, "no id of the node");
		reads.push_back({ slot, (unsigned)(va / 128 % 2), 0,
				  now + (unsigned)random.below(50),
				  random.chance(fails) ? (unsigned)(1 + random.below(6)) : 0, words,
				  (unsigned)bits(top.read_o, 0, 5) });
		if (reads.back().status)
			last_status[slot] = 1;
	}
	if (top.write_valid_o && top.write_ready_i) {
		uint64_t va = bits(top.write_o, 22, 61) << 3;
		unsigned slot = (va - place(0)) / 0x100;

		tap.equal(bits(top.write_o, 83, 4), 0, "VMID 0");
		tap.equal(bits(top.write_o, 16, 6), 16, "sixteen words");
		writes.push_back({ slot, (unsigned)(va / 128 % 2), 0,
				   now + (unsigned)random.below(50),
				   random.chance(fails) ? (unsigned)(1 + random.below(6)) : 0 });
		if (writes.back().status)
			last_status[slot] = 1;
	}
	if (top.write_data_valid_o && top.write_data_ready_i)
		for (Write &w : writes)
			if (w.beats < 16) {
				memory[w.slot][w.half * 16 + w.beats++] = top.write_data_o;
				break;
			}
	if (top.saved_o) {
		tap.check(parked >> top.slot_o & 1, "saved a slot that was not parked");
		tap.check(done >= 2 && done % 2 == 0, "both writes are performed", done);
		done = 0;
		parked &= ~(1 << top.slot_o);
		saved |= 1 << top.slot_o;
		for (unsigned w = 0; w < WORDS; w++)
			image[top.slot_o][w] = registers[top.slot_o][w];
	}
	if (host_write) {
		host_writes++;
		late_writes += collected && host_slot == top.slot_o && host_word == SWITCH;
		registers[host_slot][host_word] =
			host_word == SWITCH ? 1 + random.below(3) : random.next();
	}
	if (top.restoring_o)
		restore &= ~(1 << top.slot_o);
	if (top.resample_taken_o)
		tap.check(resample >> top.slot_o & 1, "a RESAMPLE was asked for");
	if (top.fail_valid_o) {
		/* status, level 0 of it, and no store: of the read that failed */
		tap.check(bits(top.fail_o, 67, 8) >= RF_QUEUE_ERROR_TRANSLATION, "its cause");
		tap.equal(bits(top.fail_o, 0, 64), record_place(top.slot_o), "its address");
		tap.equal(bits(top.fail_o, 65, 2),
			  (bits(top.fail_o, 67, 8) - RF_QUEUE_ERROR_TRANSLATION + 1) & 3,
			  "its level");
		tap.check(last_status[top.slot_o], "it has failed");
		failed |= 1 << top.slot_o;
	}
	if (top.resample_done_o) {
		tap.check(resample >> top.slot_o & 1, "a RESAMPLE is done once");
		/* when rf_slots decides: rf_doorbell takes two cycles */
		if (!top.fail_valid_o)
			tap.equal(now - offered_at, 2, "cycles from its offer");
		resample &= ~(1 << top.slot_o);
	}
	if (top.record_valid_o && top.record_ready_i) {
		unsigned slot = (bits(top.record_o, 64, 64) - place(0)) / 0x100;

		records++;
		tap.equal(bits(top.record_o, 176, 8), RF_RECORD_KIND_PREEMPTED, "kind");
		tap.equal(bits(top.record_o, 160, 8) != 0, last_status[slot], "status told");
		tap.equal(bits(top.record_o, 128, 32), registers[slot][1] >> 32, "handle");
		tap.equal(bits(top.record_o, 0, 64), registers[slot][STATUS], "SLOT_STATUS");
	}
	top.clk_i = 1;
	top.eval();
}

static void run(const char *name, uint64_t seed_value, unsigned fails, unsigned writing)
{
	Bench b(seed_value);
	unsigned switched = 0;

	b.writing = writing;

	tap.begin(name);
	for (unsigned part = 0; part < 300; part++) {
		uint16_t some = b.random.next(), others = b.random.next();
		uint16_t sampled = b.random.next();
		unsigned limit = 100000;

		b.fails = fails;
		b.busy = b.random.below(90);
		b.records = b.done = 0;
		b.saved = b.failed = 0;
		for (unsigned s = 0; s < SLOTS; s++) {
			b.last_status[s] = 0;
			b.control[s] = b.offered[s] = 0;
			for (unsigned w = 0; w < WORDS; w++) {
				b.written[s][w] = false;
				b.registers[s][w] = b.random.next();
				b.memory[s][w] = b.random.next();
			}
			b.registers[s][SWITCH] = b.random.below(3);
			switched += b.registers[s][SWITCH] != 0;
			b.registers[s][SAVE_ADDRESS] = b.place(s);
			b.registers[s][RECORD] = b.record_place(s);
			b.record[s] = b.random.next();
		}
		b.parked = some;
		b.restore = others & ~some;
		others = b.restore;
		b.resample = sampled &= ~some & ~others;
		while (limit-- && !(b.top.idle_o && !b.parked && !b.restore && !b.resample))
			b.cycle();
		for (unsigned i = 0; i < 5; i++)
			b.cycle();
		tap.equal(b.saved, some, "all parked slots are saved");
		unsigned told = 0;
		for (unsigned s = 0; s < SLOTS; s++) {
			bool restored = others >> s & 1 && !b.last_status[s];

			told += some >> s & 1 || (others >> s & 1 && b.last_status[s]);
			tap.equal(b.control[s],
				  restored ? RF_SLOT_CONTROL_ENABLE_MASK |
						     RF_SLOT_CONTROL_RESAMPLE_MASK
					   : 0,
				  "enabled and resampled when restored, else left alone");
			bool pointed = sampled >> s & 1 && !b.last_status[s];

			tap.equal(b.failed >> s & 1, sampled >> s & 1 && b.last_status[s],
				  "a failed RESAMPLE is told");
			tap.equal(b.offered[s],
				  restored  ? b.memory[s][WRITE_POINTER]
				  : pointed ? b.record[s]
					    : 0,
				  "write pointer offered");
			if (some >> s & 1)
				tap.equal(b.image[s][SWITCH], 0, "a log switch under way");
			for (unsigned w = 0; w < WORDS; w++) {
				bool context = RF_SLOT_CONTEXT_MASK >> w & 1 && w != WRITE_POINTER;

				if (some >> s & 1 && !b.last_status[s])
					tap.equal(b.memory[s][w], b.image[s][w], "word saved");
				tap.equal(b.written[s][w], restored && context,
					  "registers written");
				if (restored && context)
					tap.equal(b.registers[s][w], b.memory[s][w],
						  "word restored");
			}
		}
		tap.equal(b.records, told, "records");
	}
	tap.check(switched > 100, "log switches were under way", switched);
	if (writing) {
		tap.check(b.late_writes > 100, "log switches behind the last read", b.late_writes);
		printf("# %u writes of the host, %u log switches behind the last read\n",
		       b.host_writes, b.late_writes);
	}
	tap.end();
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	run("what is saved is the registers, what is restored the context", s, 0, 0);
	run("what the host writes while a slot is saved is saved", s + 2, 0, 3);
	run("an access that fails is told, and enables nothing", s + 1, 20, 0);
	return tap.status();
}
