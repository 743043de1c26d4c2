/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doorbells, slots, fetch, decode and execution together, against an interpreter of
 * packets that knows only ringfence.toml.
 */
#include "command_world.h"

using namespace rf;

static Tap tap;

static void compare(World &w, unsigned slot, const std::vector<Action> &expected)
{
	const std::vector<Action> &seen = w.actions[slot];

	tap.equal(seen.size(), expected.size(), "packets handed over");
	for (size_t i = 0; i < seen.size() && i < expected.size(); i++) {
		if (seen[i] == expected[i])
			continue;
		tap.check(false, "a packet is not the one expected, number", i, i);
		tap.equal(seen[i].unit << 16 | seen[i].kind,
			  expected[i].unit << 16 | expected[i].kind, "unit and kind");
		tap.equal(seen[i].a, expected[i].a, "first operand");
		break;
	}
}

static void finish(World &w)
{
	if (!w.complaint.empty())
		printf("# %s\n", w.complaint.c_str());
	tap.check(w.complaint.empty(), "the command processor broke a rule of its neighbours");
	tap.end();
}

/* --- random work ---------------------------------------------------------------------- */

static void random_queues(uint64_t seed_value, unsigned ready, unsigned response_rate)
{
	World w(seed_value);
	std::vector<World::Queue> queues;
	std::vector<Action> expected[SLOTS];
	unsigned left[SLOTS], reads_beyond = 0;
	uint64_t resampled = 0;

	w.ready = ready;
	w.response_rate = response_rate;
	w.latency_min = 2;
	w.latency_range = 30;
	w.unit_min = 1;
	w.unit_range = 25;
	w.shuffle = true;
	for (unsigned s = 0; s < SLOTS; s++) {
		World::Queue q =
			w.queue(s, w.random.below(4), w.random.below(16), s & 1, 0x4000 + s);

		w.start(q, w.random.chance(50) ? w.random.next() >> 20 : 4090);
		if (s < DEDICATED)
			w.bind(s, q);
		queues.push_back(q);
		left[s] = 14;
	}
	/* no ring entry at or above the write pointer that was rung or recorded */
	w.on_read = [&](const ReadSeen &r) {
		unsigned s = (r.va >> 44) - 1;

		if (s >= SLOTS)
			return;
		World::Queue &q = queues[s];
		if (r.va < q.base || r.va >= q.base + q.size() * 16)
			return;
		for (unsigned i = 0; i < r.words / 2; i++) {
			uint64_t index = (r.va - q.base) / 16 + i;
			bool live = false;

			for (uint64_t e = q.read_floor; e < q.write_pointer; e++)
				live |= e % q.size() == index;
			reads_beyond += !live;
		}
	};
	bool open = true;
	while (open) {
		open = false;
		for (unsigned s = 0; s < SLOTS; s++) {
			World::Queue &q = queues[s];

			q.read_floor = w.read(slot_register(s, POINTERS));
			while (left[s] && q.write_pointer - q.read_floor < q.size()) {
				Words words;

				for (unsigned n = w.random.below(9); n; n--)
					random_packet(w.random, q.vmid, q.node, words, expected[s]);
				w.submit(q, words);
				left[s]--;
			}
			open |= left[s] != 0;
			if (w.random.chance(15)) {
				w.write(slot_register(s, CONTROL), RESAMPLE);
				resampled++;
			} else if (s < DEDICATED) {
				w.ring(s, q.write_pointer);
			} else {
				w.ring(DEDICATED, (uint64_t)q.token << 48 | q.write_pointer);
			}
			w.run(w.random.below(40));
		}
	}
	for (unsigned s = 0; s < SLOTS; s++)
		w.ring(s < DEDICATED ? s : +DEDICATED,
		       (s < DEDICATED ? 0 : (uint64_t)queues[s].token << 48) |
			       queues[s].write_pointer);
	tap.check(w.settle(300000), "everything ends");
	for (unsigned s = 0; s < SLOTS; s++) {
		compare(w, s, expected[s]);
		tap.equal(w.read(slot_register(s, POINTERS)), queues[s].write_pointer,
			  "read pointer");
		tap.equal(w.state(s), IDLE, "state");
	}
	tap.equal(reads_beyond, 0, "ring entries read at or beyond the write pointer");
	tap.check(w.stalls_hit > 0 && resampled > 0, "the run had stalled waits and resamples");
	finish(w);
}

/* --- doorbell races --------------------------------------------------------------------- */

/* Ring while the slot goes to work, works and goes idle: once each, never lost. */
static void doorbell_race()
{
	unsigned hits_running = 0, hits_idle = 0;

	tap.begin("a ring in any cycle of fetch, execution and going idle is neither lost nor "
		  "fetched twice");
	for (unsigned log2 : { 1u, 2u, 3u }) {
		for (unsigned gap = 0; gap < 60; gap++) {
			World w(gap + 1);
			World::Queue q = w.queue(3, log2, 5, 0);
			std::vector<Action> expected;
			std::map<uint64_t, unsigned> fetched;

			w.start(q);
			w.bind(0, q);
			w.on_read = [&](const ReadSeen &r) {
				for (unsigned i = 0; i < r.words; i++)
					fetched[r.va + 8 * i]++;
			};
			for (unsigned i = 0; i < 2; i++) {
				Action e;

				e.unit = FENCE;
				e.kind = F_WRITE;
				e.vmid = 5;
				e.a = 0x100 + 8 * i;
				e.b = i;
				expected.push_back(e);
				w.submit(q, { header(WRITE, 3), e.a, e.b });
			}
			w.ring(0, 1);
			w.run(gap);
			unsigned running = w.top->event_busy_o & 1;
			hits_running += running;
			hits_idle += !running;
			w.ring(0, 2);
			tap.check(w.settle(), "everything ends");
			compare(w, 3, expected);
			for (const auto &f : fetched)
				tap.equal(f.second, 1, "reads of one word");
			tap.equal(fetched.size(), 10, "words read");
		}
	}
	tap.check(hits_running > 20 && hits_idle > 20, "both sides of the race were hit");
	tap.end();
}

static void doorbell_rules()
{
	World w(7);
	World::Queue q = w.queue(2, 2, 1, 0, 0x77);
	auto counter = [&](unsigned r) { return w.read(doorbell_block(r)); };

	tap.begin(
		"S3-14 stale, repeated, out-of-range and unmapped rings are counted and harmless");
	tap.equal(w.read(doorbell_block(0x10)), 0x8000ull << 16 | 1 << 8 | 8, "models");
	w.start(q, 100);
	w.bind(4, q);
	w.hold_release = [](unsigned) { return true; };
	for (unsigned i = 0; i < 4; i++)
		w.submit(q, { header(WAIT, 3), 0x40, 1 });
	w.ring(4, 102);
	w.ring(4, 102);
	w.ring(4, 101);
	w.ring(4, 105);
	w.ring(4, 104ull | 1ull << 50);
	w.ring(4, 104, false);
	w.ring(5, 104);
	w.ring(8, 0x78ull << 48 | 104);
	w.ring(8, 104);
	w.run(8);
	tap.equal(counter(0x18), 1, "moved");
	tap.equal(counter(0x20), 1, "stale");
	tap.equal(counter(0x28), 1, "repeated");
	tap.equal(counter(0x30), 3, "range");
	tap.equal(counter(0x38), 3, "unmapped");
	tap.equal(counter(0x40), 0x78 << 16 | 1, "global pending");
	tap.equal(w.read(slot_register(2, WRITE_POINTER)), 102, "write pointer");
	w.ring(8, 0x77ull << 48 | 104);
	w.run(4);
	tap.equal(w.read(slot_register(2, WRITE_POINTER)), 104, "write pointer by token");
	w.ring(8, 0x79ull << 48 | 104);
	w.run(4);
	tap.equal(counter(0x40), 0x78 << 16 | 3, "another token is lost");
	w.write(doorbell_block(0x40), 3);
	tap.equal(counter(0x40) & 3, 0, "cleared");
	w.run(20);
	tap.equal(w.records.size(), 1, "one record for the global page");
	tap.equal(w.records[0].address, 0x78, "its token");
	finish(w);

	tap.begin("S3-16 a ring without a slot sets the pending bit and sends one record");
	World p(8);
	World::Queue r = p.queue(1, 2, 1, 0);
	p.bind(6, r, false);
	for (unsigned i = 1; i < 4; i++)
		p.ring(6, i);
	p.run(20);
	tap.equal(p.records.size(), 1, "records");
	if (!p.records.empty()) {
		tap.equal(p.records[0].kind, R_PENDING, "kind");
		tap.equal(p.records[0].handle, r.handle, "handle");
	}
	tap.equal(p.read(doorbell_block(0x80) + 48) & 7, 5, "bound and pending");
	p.bind(6, r, false); /* pending written as 0 */
	tap.equal(p.read(doorbell_block(0x80) + 48) & 7, 1, "cleared");
	p.ring(6, 5);
	p.run(20);
	tap.equal(p.records.size(), 2, "a second transition, a second record");
	/* the ring of the very cycle in which the queue becomes resident */
	p.bind(6, r, false);
	p.set_register(true, doorbell_block(0x80) + 48, (uint64_t)r.handle << 32 | r.slot << 4 | 3,
		       0xff);
	p.ring(6, 6);
	p.set_register(false, 0, 0, 0);
	tap.equal(p.read(doorbell_block(0x80) + 48) & 7, 7, "pending survives the write");
	p.run(20);
	tap.equal(p.records.size(), 3, "and is recorded");
	finish(p);

	tap.begin("rings of all pages in consecutive cycles are all taken");
	World b(9);
	std::vector<World::Queue> queues;
	b.hold_release = [](unsigned) { return true; };
	for (unsigned s = 0; s < SLOTS; s++) {
		queues.push_back(b.queue(s, 6, s, s & 1, 0x100 + s));
		b.start(queues[s]);
		if (s < DEDICATED)
			b.bind(s, queues[s]);
		for (unsigned i = 0; i < 20; i++)
			b.submit(queues[s], { header(WAIT, 3), 0x40, 1 });
	}
	for (unsigned i = 1; i <= 20; i++)
		for (unsigned s = 0; s < SLOTS; s++)
			b.ring(s < DEDICATED ? s : +DEDICATED,
			       i | (s < DEDICATED ? 0 : (0x100ull + s) << 48));
	b.run(4);
	tap.equal(b.read(doorbell_block(0x18)), 20 * SLOTS, "moved");
	for (unsigned s = 0; s < SLOTS; s++)
		tap.equal(b.read(slot_register(s, WRITE_POINTER)), 20, "write pointer");
	finish(b);
}

/* --- errors ------------------------------------------------------------------------------- */

struct Bad {
	const char *name;
	unsigned node;
	Words words;
	unsigned cause;
};

static void decode_errors()
{
	const Bad table[] = {
		{ "unknown opcode", 0, { header(0x30, 1) }, E_OPCODE },
		{ "opcode 0xff", 1, { header(0xff, 1) }, E_OPCODE },
		{ "copy on the compute node", 0, { header(COPY, 4), 0, 0, 0 }, E_OPCODE },
		{ "fill on the compute node", 0, { header(FILL, 4), 0, 0, 0 }, E_OPCODE },
		{ "vector on the copy node", 1, { header(VECTOR, 5), 0, 0, 0, 0 }, E_OPCODE },
		{ "no words", 0, { header(NOP, 0) }, E_LENGTH },
		{ "nine words", 0, { header(NOP, 9), 0, 0, 0, 0, 0, 0, 0, 0 }, E_LENGTH },
		{ "signal too short", 0, { header(SIGNAL, 3), 0, 0 }, E_LENGTH },
		{ "signal too long", 0, { header(SIGNAL, 5), 0, 0, 0, 0 }, E_LENGTH },
		{ "logged signal too short", 0, { header(SIGNAL, 4, 1), 0, 0, 0 }, E_LENGTH },
		{ "wait too short", 0, { header(WAIT, 2), 0 }, E_LENGTH },
		{ "logged wait too short", 0, { header(WAIT, 3, 1), 0, 0 }, E_LENGTH },
		{ "wait too long", 0, { header(WAIT, 4), 0, 0, 0 }, E_LENGTH },
		{ "write too long", 0, { header(WRITE, 4), 0, 0, 0 }, E_LENGTH },
		{ "timestamp too short", 0, { header(TIMESTAMP, 1) }, E_LENGTH },
		{ "progress too long", 0, { header(PROGRESS, 3), 0, 0 }, E_LENGTH },
		{ "barrier too long", 0, { header(BARRIER, 2), 0 }, E_LENGTH },
		{ "software signal too short", 0, { header(SOFTWARE_SIGNAL, 2), 0 }, E_LENGTH },
		{ "trap too long", 0, { header(TRAP, 3), 0, 0 }, E_LENGTH },
		{ "copy too short", 1, { header(COPY, 3), 0, 0 }, E_LENGTH },
		{ "fill too long", 1, { header(FILL, 5), 0, 0, 0, 0 }, E_LENGTH },
		{ "vector too short", 0, { header(VECTOR, 4), 0, 0, 0 }, E_LENGTH },
		{ "longer than its buffer", 0, { header(SIGNAL, 4), 0, 0 }, E_LENGTH },
		{ "header only of a longer one", 0, { header(WRITE, 3) }, E_LENGTH },
		{ "length 0x103", 0, { header(WRITE, 3 | 0x80), 0, 0 }, E_LENGTH },
		{ "nop with a flag", 0, { header(NOP, 1, 1) }, E_FLAGS },
		{ "signal flag 1", 0, { header(SIGNAL, 4, 2), 0, 0, 0 }, E_FLAGS },
		{ "write with log", 0, { header(WRITE, 3, 1), 0, 0 }, E_FLAGS },
		{ "flag 15", 0, { header(BARRIER, 1, 0x8000) }, E_FLAGS },
		{ "nop argument", 0, { header(NOP, 1, 0, 1) }, E_FLAGS },
		{ "signal argument bit 16",
		  0,
		  { header(SIGNAL, 4, 0, 0x10000), 0, 0, 0 },
		  E_FLAGS },
		{ "vector argument bit 8",
		  0,
		  { header(VECTOR, 5, 0, 0x100), 0, 0, 0, 0 },
		  E_FLAGS },
		{ "signal address", 0, { header(SIGNAL, 4), 4, 0, 0 }, E_ALIGNMENT },
		{ "monitored address", 0, { header(SIGNAL, 4), 0, 0, 1 }, E_ALIGNMENT },
		{ "wait address", 0, { header(WAIT, 3), 2, 0 }, E_ALIGNMENT },
		{ "write address", 0, { header(WRITE, 3), 7, 0 }, E_ALIGNMENT },
		{ "timestamp address", 0, { header(TIMESTAMP, 2), 4 }, E_ALIGNMENT },
		{ "vector destination", 0, { header(VECTOR, 5), 2, 0, 0, 0 }, E_ALIGNMENT },
		{ "vector x", 0, { header(VECTOR, 5), 0, 1, 0, 0 }, E_ALIGNMENT },
		{ "vector y", 0, { header(VECTOR, 5, 0, 2), 0, 0, 0, 1 }, E_ALIGNMENT },
		{ "sum destination", 0, { header(VECTOR, 5, 0, 5), 4, 0, 0, 0 }, E_ALIGNMENT },
		{ "vector operation", 0, { header(VECTOR, 5, 0, 6), 0, 0, 0, 0 }, E_OPERAND },
		{ "vector count", 0, { header(VECTOR, 5), 0, 0, 1ull << 30, 0 }, E_OPERAND },
		{ "sum y", 0, { header(VECTOR, 5, 0, 5), 0, 0, 0, 1ull << 40 }, E_OPERAND },
		{ "copy bytes", 1, { header(COPY, 4), 0, 0, 1ull << 32 }, E_OPERAND },
		{ "fill bytes", 1, { header(FILL, 4), 0, 1ull << 63, 0 }, E_OPERAND },
	};

	tap.begin("every bad packet stops its queue with cause and address, and no other queue");
	for (const Bad &bad : table) {
		for (unsigned fast = 0; fast < 2; fast++) {
			World w(3 + fast);
			World::Queue a = w.queue(9, 2, 4, bad.node),
				     b = w.queue(10, 3, 6, bad.node);
			Words before = { header(WRITE, 3), 0x10, 1, header(NOP, 3), 1, 2 },
			      words = before;
			Words good;
			std::vector<Action> expected;

			if (!fast) {
				w.ready = 50;
				w.latency_range = 20;
				w.shuffle = true;
			}
			w.start(a, 5);
			w.start(b, 0);
			w.bind(0, a);
			w.bind(1, b);
			append(words, bad.words);
			uint64_t at = w.submit(a, words) + 8 * before.size();
			w.submit(a, { header(WRITE, 3), 0x18, 2 });
			for (unsigned i = 0; i < 8; i++)
				random_packet(w.random, 6, bad.node, good, expected);
			w.submit(b, good);
			w.ring(0, 7);
			w.ring(1, 1);
			bool ended = w.settle();
			tap.check(ended, bad.name);
			tap.equal(w.actions[9].size(), 1, "only what is before the bad packet");
			std::vector<Record> errors;
			for (const Record &r : w.records)
				if (r.kind == R_ERROR)
					errors.push_back(r);
			tap.check(errors.size() == 1, bad.name, errors.size(), 1);
			if (errors.size() == 1) {
				tap.check(errors[0].detail == bad.cause, bad.name, errors[0].detail,
					  bad.cause);
				tap.check(errors[0].address == at, bad.name, errors[0].address, at);
				tap.equal(errors[0].handle, a.handle, "handle");
				tap.equal(errors[0].vmid, 4, "vmid");
				tap.equal(errors[0].node, bad.node, "node");
				tap.equal(errors[0].value, 0, "level and store");
			}
			uint64_t status = w.read(slot_register(9, STATUS));
			tap.equal(status & 0xfff, ERROR | bad.cause << 4, "status");
			tap.equal(status >> 32, before.size(), "word offset");
			tap.equal(w.read(slot_register(9, ERROR_ADDRESS)), at, "error address");
			tap.equal(w.read(slot_register(9, POINTERS)), 5, "read pointer");
			compare(w, 10, expected);
			tap.check(w.complaint.empty(), bad.name);

			/* a disabled and newly set queue goes on */
			w.write(slot_register(9, CONTROL), DISABLE);
			w.run(40);
			tap.equal(w.state(9), DISABLED, "state");
			w.start(a, 20);
			w.submit(a, { header(WRITE, 3), 0x20, 3 });
			w.ring(0, 21);
			tap.check(w.settle(), bad.name);
			tap.equal(w.actions[9].size(), 2, "the restarted queue works");
			tap.equal(w.state(9), IDLE, "state");
		}
	}
	tap.end();

	tap.begin("bad ring entries and failed reads stop their queue with the failing address");
	for (unsigned test = 0; test < 6 + 6; test++) {
		World w(11 + test);
		World::Queue q = w.queue(4, 3, 2, 1);
		unsigned cause = E_RING_ENTRY;
		uint64_t at, level = 0;

		w.start(q, 7);
		w.bind(2, q);
		w.submit(q, { header(WRITE, 3), 8, 8 });
		Words words;
		for (unsigned i = 0; i < 30; i++)
			append(words, { header(WRITE, 3), 8, 8 });
		uint64_t buffer = w.buffer(q, words);
		at = buffer;
		switch (test) {
		case 0:
			w.entry(q, buffer, words.size() * 8 | 1ull << 32);
			break;
		case 1:
			w.entry(q, at = buffer + 4, words.size() * 8);
			break;
		case 2:
			w.entry(q, buffer, words.size() * 8 - 4);
			break;
		case 3:
			w.entry(q, buffer, 1ull << 63 | words.size() * 8);
			break;
		case 4:
			w.entry(q, at = buffer + 1, 0);
			break;
		case 5: /* the ring itself */
			w.entry(q, buffer, words.size() * 8);
			at = q.base + 8 % q.size() * 16 + 8;
			w.faults[{ 2, at }] = 1;
			cause = E_TRANSLATION;
			level = 2;
			break;
		default: /* a command word, each status */
			w.entry(q, buffer, words.size() * 8);
			at = buffer + 8 * (test * 7);
			w.faults[{ 2, at }] = test - 5;
			cause = E_TRANSLATION + test - 6;
			level = 2;
		}
		w.submit(q, { header(WRITE, 3), 8, 8 });
		w.ring(2, 10);
		tap.check(w.settle(), "everything ends", test, test);
		tap.equal(w.records.size(), 1, "records");
		if (!w.records.empty()) {
			tap.equal(w.records[0].detail, cause, "cause");
			tap.equal(w.records[0].address, at, "address");
			tap.equal(w.records[0].value, level << 12, "level");
		}
		tap.equal(w.actions[4].size(), test < 6 ? 1 : 1 + (test * 7) / 3,
			  "packets before it");
		tap.equal(w.read(slot_register(4, POINTERS)), 8, "read pointer");
		tap.equal(w.state(4), ERROR, "state");
	}
	tap.end();
}

static void unit_failures()
{
	tap.begin("a failed fence operation, engine operation or wait stops its queue only");
	/* The failure is found by a scan of all slots: let it come at each place of it. */
	for (unsigned run = 0; run < 3 * SLOTS; run++) {
		unsigned test = run % 3;
		World w(31 + run);
		World::Queue a = w.queue(6, 2, 3, 1), b = w.queue(7, 2, 4, 1);
		Failure f;

		f.error = E_TRANSLATION;
		f.level = 1;
		f.store = 1;
		f.address = 0x123450;
		auto fail = [f](unsigned slot) { return slot == 6 ? f : Failure(); };
		if (test == 0)
			w.fence_failure = fail;
		else if (test == 1)
			w.engine_failure = fail;
		else
			w.release_failure = fail;
		w.start(a);
		w.start(b);
		w.bind(0, a);
		w.bind(1, b);
		Words words = {
			header(WRITE, 3), 8, 8, header(COPY, 4), 0, 0, 64, header(BARRIER, 1),
			header(WAIT, 3),  8, 8, header(TRAP, 2), 1
		};
		w.submit(a, words);
		w.submit(b, words);
		w.run(run / 3);
		w.ring(0, 1);
		w.ring(1, 1);
		tap.check(w.settle(), "everything ends");
		size_t errors = 0;
		for (const Record &r : w.records)
			if (r.kind == R_ERROR) {
				errors++;
				tap.equal(r.detail, E_TRANSLATION, "cause");
				tap.equal(r.address, f.address, "address");
				tap.equal(r.value, 5ull << 12, "store and level");
			}
		tap.equal(errors, 1, "records of errors");
		tap.equal(w.state(6), ERROR, "state");
		tap.equal(w.state(7), IDLE, "state of the other");
		tap.equal(w.actions[7].size(), 4, "packets of the other");
		tap.check(w.actions[6].size() <= (test == 2 ? 3u : 2u),
			  "packets before the failure");
		if (!w.complaint.empty())
			printf("# %s\n", w.complaint.c_str());
		tap.check(w.complaint.empty(), "rules");
	}
	tap.end();
}

static void engine_abort()
{
	tap.begin("an operation behind one that failed is aborted, and that of no other queue");
	unsigned aborted[2] = {};
	for (unsigned run = 0; run < 2 * SLOTS; run++) {
		unsigned node = run % 2;
		World w(131 + run);
		World::Queue a = w.queue(6, 2, 3, node), b = w.queue(7, 2, 4, node);
		Words words = { header(COPY, 4), 0, 0, 64 };
		bool spared = true;

		if (!node)
			words = { header(VECTOR, 5), 0, 0, 0, 64 };
		w.unit_min = 40; /* time to hand over another one */
		w.engine_failure = [](unsigned slot) {
			Failure f;

			f.error = slot == 6 ? E_TRANSLATION : 0;
			return f;
		};
		w.start(a);
		w.start(b);
		w.bind(0, a);
		w.bind(1, b);
		w.submit(b, words);
		Words three = words;
		append(three, words);
		append(three, words);
		w.submit(a, three);
		w.ring(0, 1);
		w.ring(1, 1);
		for (unsigned cycle = 0; cycle < 3000; cycle++) {
			w.tick();
			aborted[node] += w.top->engine_abort_o >> node & 1;
			if (w.top->engine_abort_o >> !node & 1 ||
			    (w.in_engine(node) == 7 && w.top->engine_abort_o >> node & 1))
				spared = false;
		}
		tap.check(w.settle(), "everything ends");
		tap.check(spared, "an operation of another queue is aborted");
		tap.equal(w.state(6), ERROR, "state");
		tap.equal(w.state(7), IDLE, "state of the other");
		tap.equal(w.actions[7].size(), 1, "packets of the other");
		tap.check(w.complaint.empty(), "rules");
	}
	for (unsigned node = 0; node < 2; node++)
		tap.check(aborted[node] != 0, "an operation is aborted", node, aborted[node]);
	tap.end();
}

/* Pulses that cannot be refused, all in the same few cycles. */
static void failure_storm()
{
	tap.begin("failures of all slots in consecutive cycles each make one record and one state");
	World w(90);

	w.ready = 30;
	w.hold_release = [](unsigned) { return true; };
	for (unsigned s = 0; s < SLOTS; s++) {
		World::Queue q = w.queue(s, 3, 1, s & 1, 0x100 + s);

		w.start(q);
		w.submit(q, { header(WRITE, 3), 8, 1, header(WAIT, 3), 8, 1 });
		w.ring(DEDICATED, (0x100ull + s) << 48 | 1);
	}
	w.run(800);
	w.hold_release = nullptr; /* sixteen failed waits, one a cycle */
	w.release_failure = [](unsigned slot) {
		Failure f;

		f.error = E_POISONED;
		f.address = 0x1000 + slot;
		return f;
	};
	for (unsigned s = 0; s < SLOTS; s += 2) {
		Failure f;

		f.error = E_TIMEOUT;
		f.address = 0x2000 + s;
		w.fence_faults.push_back({ s, f });
		w.fence_faults.push_back({ s, f });
	}
	w.run(400);
	unsigned errors[SLOTS] = {};
	for (const Record &r : w.records)
		if (r.kind == R_ERROR && (r.handle & ~15ull) == 0xa0000) {
			unsigned s = r.handle & 15;

			errors[s]++;
			tap.check(r.address == (r.detail == E_POISONED ? 0x1000 : 0x2000) + s,
				  "address", r.address, s);
			tap.check(s % 2 == 0 || r.detail == E_POISONED, "cause", r.detail, s);
		}
	for (unsigned s = 0; s < SLOTS; s++) {
		tap.equal(errors[s], 1, "records of a slot");
		tap.equal(w.state(s), ERROR, "state");
	}
	finish(w);
}

static void fuzz(uint64_t seed_value)
{
	tap.begin("random garbage in buffers and rings never hangs a node nor disturbs a queue");
	unsigned errors = 0;
	for (unsigned round = 0; round < 60; round++) {
		World w(seed_value * 1000 + round);
		unsigned node = round & 1;
		World::Queue a = w.queue(1, 3, 3, node), b = w.queue(2, 3, 4, node);
		std::vector<Action> expected;

		w.latency_range = 10;
		w.unit_range = 10;
		w.shuffle = true;
		w.start(a);
		w.start(b);
		w.bind(0, a);
		w.bind(1, b);
		for (unsigned e = 0; e < 6; e++) {
			Words words, good;
			std::vector<Action> ignored;

			for (unsigned n = w.random.below(6); n; n--)
				random_packet(w.random, 3, node, words, ignored);
			for (unsigned n = w.random.below(4); n && !words.empty(); n--)
				words[w.random.below(words.size())] ^= 1ull << w.random.below(64);
			if (w.random.chance(20))
				words.push_back(w.random.next());
			w.submit(a, words);
			if (w.random.chance(10)) /* a damaged entry */
				w.memory[{ 3, a.base + e * 16 + 8 }] |= 1ull << w.random.below(64);
			for (unsigned n = 0; n < 4; n++)
				random_packet(w.random, 4, node, good, expected);
			w.submit(b, good);
			w.ring(0, a.write_pointer);
			w.ring(1, b.write_pointer);
			w.run(w.random.below(60));
		}
		tap.check(w.settle(40000), "everything ends", round, round);
		compare(w, 2, expected);
		tap.equal(w.state(2), IDLE, "state of the good queue");
		State s = w.state(1);
		errors += s == ERROR;
		tap.check(s == ERROR || s == IDLE, "state of the bad queue", s);
	}
	tap.check(errors > 10, "most garbage is found out", errors);
	tap.end();
}

/* --- control ---------------------------------------------------------------------------- */

static void resample()
{
	tap.begin("RESAMPLE acts like a ring, on any slot, and again when written meanwhile");
	for (unsigned node = 0; node < 2; node++) {
		for (unsigned gap = 0; gap < 24; gap++) {
			World w(5 + gap);
			World::Queue q = w.queue(5, 2, 7, node);

			w.start(q);
			w.submit(q, { header(WRITE, 3), 8, 1 });
			w.write(slot_register(5, CONTROL), RESAMPLE);
			tap.check(w.read(slot_register(5, STATUS)) >> 15 & 1, "resampling");
			w.run(gap);
			w.submit(q, { header(WRITE, 3), 8, 2 });
			w.write(slot_register(5, CONTROL), RESAMPLE);
			unsigned limit = 100;
			while ((w.read(slot_register(5, STATUS)) >> 15 & 1) && --limit)
				;
			tap.check(limit, "resampling ends");
			tap.equal(w.read(slot_register(5, WRITE_POINTER)), 2, "write pointer");
			tap.check(w.settle(), "everything ends");
			tap.equal(w.actions[5].size(), 2, "packets");
		}
	}
	World w(6);
	World::Queue q = w.queue(5, 2, 7, 1);
	w.write(slot_register(5, POINTERS), 0);
	w.submit(q, { header(WRITE, 3), 8, 1 });
	w.write(slot_register(5, CONTROL), RESAMPLE);
	w.run(30);
	tap.equal(w.read(slot_register(5, WRITE_POINTER)), 1, "also while disabled");
	w.write(slot_register(5, CONTROL), ENABLE);
	tap.check(w.settle(), "everything ends");
	tap.equal(w.actions[5].size(), 1, "packets");
	w.faults[{ 7, q.record }] = 1;
	w.write(slot_register(5, CONTROL), RESAMPLE);
	w.run(40);
	tap.equal(w.read(slot_register(5, STATUS)) & 0xfff, ERROR | E_TRANSLATION << 4,
		  "a failed read");
	tap.equal(w.read(slot_register(5, ERROR_ADDRESS)), q.record, "its address");
	tap.equal(w.records.size(), 1, "its record");
	for (unsigned status = 2; status <= 6; status++) {
		World v(status);

		q = v.queue(status, 2, 7, 0);
		v.start(q);
		v.faults[{ 7, q.record }] = status;
		v.write(slot_register(status, CONTROL), RESAMPLE);
		v.run(40);
		tap.equal(v.read(slot_register(status, STATUS)) & 0xfff,
			  ERROR | (E_TRANSLATION - 1 + status) << 4, "any failure");
	}
	finish(w);
}

/* What the driver tells of a queue that it puts into a slot. */
static void flags()
{
	tap.begin("FLAGS of a disabled slot reads as written, and OVERSUBSCRIBED");
	World w(9);

	for (unsigned slot = 0; slot < SLOTS; slot++) {
		w.queue(slot, 3, slot, slot & 1);
		w.write(slot_register(slot, POINTERS), 0);
		for (unsigned told = 0; told < 32; told++) {
			w.write(RF_REG_SLOT_FLAGS(slot), told);
			tap.equal(w.read(RF_REG_SLOT_FLAGS(slot)), told, "FLAGS");
		}
		w.write(slot_register(slot, POINTERS), 0);
		tap.equal(w.read(RF_REG_SLOT_FLAGS(slot)), 0, "FLAGS behind POINTERS");
	}
	for (unsigned over : { 1, 0 }) {
		w.write(RF_REG_SLOT_OVERSUBSCRIBED, over);
		tap.equal(w.read(RF_REG_SLOT_OVERSUBSCRIBED), over, "OVERSUBSCRIBED");
	}
	finish(w);
}

static void disable()
{
	unsigned waited = 0, worked = 0, between = 0, midway = 0;

	tap.begin("DISABLE stops between packets in any cycle; ENABLE goes on where it stopped");
	for (unsigned gap = 0; gap < 150; gap++) {
		World w(40 + gap);
		World::Queue q = w.queue(8, 3, 1, 1);
		std::vector<Action> expected;
		Words words;

		w.unit_min = 6;
		w.start(q);
		w.bind(0, q);
		for (unsigned i = 0; i < 12; i++)
			random_packet(w.random, 1, 1, words, expected);
		w.submit(q, words);
		w.submit(q, words);
		size_t half = expected.size();
		for (size_t i = 0; i < half; i++)
			expected.push_back(expected[i]);
		w.hold_release = [&](unsigned) { return w.clock.cycle % 64 < 48; };
		w.ring(0, 2);
		w.run(gap);
		w.write(slot_register(8, CONTROL), DISABLE);
		unsigned limit = 2000;
		while (w.state(8) != DISABLED && --limit)
			w.tick(); /* the register bus keeps the node from its registers */
		tap.check(limit, "the slot gets disabled");
		waited += w.cancels.size();
		midway += w.preempted;
		size_t done = w.actions[8].size();
		tap.equal(w.fences_open[8], 0, "fence operations in flight");
		w.run(60);
		tap.equal(w.actions[8].size(), done, "packets handed over while disabled");
		worked += done > 0;
		between += done > 0 && done < expected.size();
		w.write(slot_register(8, CONTROL), ENABLE);
		w.hold_release = nullptr;
		tap.check(w.settle(), "everything ends", gap, gap);
		/* a cancelled WAIT is handed over again */
		std::vector<Action> seen = w.actions[8];
		if (!w.cancels.empty() && done && seen.size() == expected.size() + 1)
			w.actions[8].erase(w.actions[8].begin() + done - 1);
		compare(w, 8, expected);
		tap.equal(w.state(8), IDLE, "state");
		tap.check(w.complaint.empty(), w.complaint.c_str());
	}
	tap.check(midway > 5, "engine work was interrupted", midway);
	tap.check(waited > 5 && worked > 20 && between > 20,
		  "waits, work and rest were interrupted", waited, between);
	tap.end();

	tap.begin(
		"POINTERS of a disabled slot set position to the start of an entry; of an enabled "
		"one nothing");
	World w(77);
	World::Queue q = w.queue(8, 3, 1, 0);
	w.hold_release = [](unsigned) { return true; };
	w.start(q, 3);
	w.bind(0, q);
	w.submit(q, { header(WRITE, 3), 8, 1, header(WAIT, 3), 8, 1 });
	w.ring(0, 4);
	w.run(60);
	tap.equal(w.state(8), WAITING, "state");
	w.write(slot_register(8, POINTERS), 5);
	tap.equal(w.read(slot_register(8, POINTERS)), 3, "read pointer");
	w.write(slot_register(8, CONTROL), DISABLE);
	w.run(40);
	tap.equal(w.state(8), DISABLED, "state");
	tap.equal(w.cancels.size(), 1, "the wait is cancelled");
	w.write(slot_register(8, POINTERS), 0x123456789abc);
	tap.equal(w.read(slot_register(8, POINTERS)), 0x123456789abc, "read pointer");
	tap.equal(w.read(slot_register(8, WRITE_POINTER)), 0x123456789abc, "write pointer");
	w.write(slot_register(8, POINTERS), 3, 0x0f);
	w.write(slot_register(8, POINTERS), 0, 0xf0);
	tap.equal(w.read(slot_register(8, POINTERS)), 3, "read pointer in halves");
	w.write(slot_register(8, CONTROL), ENABLE);
	w.ring(0, 4);
	w.run(60);
	tap.equal(w.actions[8].size(), 4, "the entry starts anew");
	finish(w);
}

/* A kept prefetch must not be taken for another's words, nor outlive a disable. */
static void prefetch_reuse()
{
	tap.begin("prefetched words of a waiting slot serve that slot only, and not after DISABLE");
	for (unsigned test = 0; test < 3; test++) {
		World w(50 + test);
		World::Queue a = w.queue(0, 2, 1, 0), b = w.queue(1, 2, 2, 0);
		bool hold = true;

		w.hold_release = [&](unsigned slot) { return slot == 0 && hold; };
		w.start(a);
		w.start(b);
		w.bind(0, a);
		w.bind(1, b);
		w.submit(a, { header(WAIT, 3), 8, 1, header(WRITE, 3), 0xa0, 1, header(WRITE, 3),
			      0xa8, 2 });
		w.ring(0, 1);
		w.run(60);
		size_t reads = w.reads.size();
		if (test == 1) {
			w.submit(b, { header(WRITE, 3), 0xb0, 1 });
			w.ring(1, 1);
			w.run(60);
			tap.equal(w.actions[1].size(), 1, "packets of the other");
			if (w.actions[1].size() == 1)
				tap.equal(w.actions[1][0].a, 0xb0, "of the other's buffer");
		}
		if (test == 2) {
			w.write(slot_register(0, CONTROL), DISABLE);
			w.run(40);
			a.write_pointer = 0;
			w.submit(a, { header(WRITE, 3), 0xc0, 1, header(WRITE, 3), 0xc8, 2 });
			w.write(slot_register(0, POINTERS), 0);
			w.write(slot_register(0, CONTROL), ENABLE);
			w.ring(0, 1);
		}
		hold = false;
		tap.check(w.settle(), "everything ends");
		tap.equal(w.actions[0].size(), 3, "packets");
		if (w.actions[0].size() == 3)
			tap.equal(w.actions[0][2].a, test == 2 ? 0xc8 : 0xa8, "last packet");
		if (test == 0)
			tap.equal(w.reads.size(), reads, "no read after the release");
		tap.check(w.complaint.empty(), w.complaint.c_str());
	}
	tap.end();
}

/* A queue that never ends, one that waits, one that stops: the others go on. */
static void fairness()
{
	tap.begin("S1 a busy, a waiting and a stopped queue keep no other queue of the node from "
		  "running");
	World w(60);
	World::Queue busy = w.queue(0, 3, 1, 0), waits = w.queue(1, 3, 1, 0);
	World::Queue stops = w.queue(2, 3, 1, 0), other = w.queue(3, 3, 1, 0);
	Words nops;

	for (unsigned i = 0; i < 20000; i++)
		nops.push_back(header(NOP, 1));
	w.hold_release = [](unsigned) { return true; };
	w.auto_resume = false;
	for (World::Queue *q : { &busy, &waits, &stops, &other }) {
		w.start(*q);
		w.bind(q->slot, *q);
	}
	w.submit(busy, nops);
	w.submit(waits, { header(WAIT, 3), 8, 1 });
	w.submit(stops, { header(TRAP, 2), 1 });
	w.ring(0, 1);
	w.ring(1, 1);
	w.ring(2, 1);
	w.run(3000);
	for (unsigned i = 1; i <= 3; i++) {
		w.submit(other, { header(WRITE, 3), 8, i });
		w.ring(3, i);
		w.run(2000);
		tap.equal(w.actions[3].size(), i, "packets of the other queue");
	}
	tap.equal(w.state(1), WAITING, "state of the waiting");
	tap.equal(w.state(2), STOPPED, "state of the stopped");
	State s = w.state(0);
	tap.check(s == RUNNING || s == RUNNABLE, "state of the busy", s, RUNNING);
	finish(w);
}

/* A host may access a register in each cycle: what sleeps else is awake for the last of them. */
static void bursts()
{
	tap.begin("accesses in each cycle, for long: each is heeded");
	World w(80);

	w.run(300); /* nothing goes on */
	for (unsigned i = 0; i < 200; i++)
		w.write(doorbell_block(0x80) + i % DEDICATED * 8, (i + 1ull) << 32);
	tap.equal(w.read(RF_NODE_BLOCK_OFFSET) & 0xff, RF_BLOCK_TYPE_NODE,
		  "type of the block of nodes");
	for (unsigned page = 0; page < DEDICATED; page++)
		tap.equal(w.read(doorbell_block(0x80) + page * 8), (193ull + page) << 32, "BIND");
	finish(w);
}

/* --- cycles --------------------------------------------------------------------------------- */

static void cycles()
{
	tap.begin("a ring is a ring read four cycles later");
	World w(70);
	World::Queue q = w.queue(11, 4, 1, 0);
	w.start(q);
	w.bind(0, q);
	w.submit(q, { header(NOP, 1) });
	w.run(10);
	w.first_valid[0] = 0;
	uint64_t rung = w.clock.cycle;
	w.ring(0, 1);
	w.settle();
	printf("# doorbell to ring read: %u cycles\n", (unsigned)(w.first_valid[0] - rung));
	tap.check(w.first_valid[0] - rung <= 4, "cycles", w.first_valid[0] - rung, 4);
	finish(w);

	tap.begin("back-to-back SIGNAL packets of prefetched words every four to five cycles");
	Words words;
	for (unsigned i = 0; i < 40; i++)
		append(words, { header(SIGNAL, 4), 8, i, 16 });
	w.unit_min = 3;
	w.submit(q, words);
	w.ring(0, 2);
	w.settle();
	std::vector<uint64_t> &at = w.action_cycle[11];
	tap.equal(at.size(), 40, "packets");
	unsigned total = at.back() - at.front();
	printf("# signal to signal: %u cycles in 39 intervals\n", total);
	tap.check(total <= 39 * 5, "cycles", total, 39 * 4);
	finish(w);

	tap.begin("the next packet of a released waiter within five cycles, if prefetched");
	World r(71);
	World::Queue p = r.queue(12, 4, 1, 0);
	bool hold = true;
	r.hold_release = [&](unsigned) { return hold; };
	r.start(p);
	r.bind(0, p);
	for (unsigned log = 0; log < 2; log++) {
		Words wait = { header(WAIT, 3 + log, log), 8, 1 };
		if (log)
			wait.push_back(0);
		append(wait, { header(SIGNAL, 4), 8, 1, 16 });
		hold = true;
		r.submit(p, wait);
		r.ring(0, p.write_pointer);
		r.run(60);
		size_t before = r.actions[12].size();
		hold = false;
		r.settle();
		unsigned taken = r.action_cycle[12][before] - r.release_cycle[12];
		printf("# release to %s: %u cycles\n", log ? "wait-log entry" : "next packet",
		       taken);
		tap.check(taken <= 5, "cycles", taken, 3);
	}
	finish(r);
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	cycles();
	doorbell_race();
	doorbell_rules();
	decode_errors();
	unit_failures();
	engine_abort();
	failure_storm();
	resample();
	flags();
	disable();
	prefetch_reuse();
	fairness();
	bursts();
	fuzz(s);
	tap.begin("random queues do what an interpreter of packets says, fast neighbours");
	random_queues(s * 3 + 1, 100, 100);
	tap.begin("random queues do what an interpreter of packets says, slow neighbours");
	random_queues(s * 3 + 2, 50, 60);
	tap.begin("random queues do what an interpreter of packets says, very slow units");
	random_queues(s * 3 + 3, 20, 90);
	return tap.status();
}
