/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doorbell pages against a model that sees each ring as its own event: rings every
 * cycle, BIND and GLOBAL_PENDING written in the same cycles, resampled pointers.
 */
#include "Vrf_doorbell.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

enum : unsigned { PAGES = 8, GLOBAL = 8, SLOTS = 16 };

static Tap tap;

struct Bench {
	Vrf_doorbell top;
	Random random;
	unsigned ring_rate = 50, register_rate = 20, record_ready = 50, resample_rate = 20;
	/* tokens by slot, and the slot that got the last token of these low bits */
	enum : unsigned { INDICES = 1u << RF_DOORBELL_TOKEN_INDEX_BITS };
	uint16_t tokens[SLOTS] = {};
	unsigned enabled = 0, configured = 0, places[INDICES] = {};
	bool placed[INDICES] = {};

	/* what rings in the next cycle: a token stands on the bus a cycle before */
	struct Ring {
		bool rings = false, good = false;
		unsigned page = 0;
		uint64_t data = 0;
	} next, held;
	Ring draw();

	/* a ring on its way: one is decoded in its cycle, checked in the next, shown in the one
	 * behind that */
	struct Stage {
		bool offer = false; /* or, of a ring by token: */
		bool by_token = false, placed = false; /* some slot has its low bits: slot */
		bool pend = false; /* no slot has the token */
		unsigned slot = 0;
		uint16_t token = 0;
		uint64_t pointer = 0;
	} decoded, checked;

	/* the pages as they must be */
	bool bound[PAGES] = {}, resident[PAGES] = {}, pending[PAGES + 1] = {}, lost = false;
	bool due[PAGES + 1] = {};
	unsigned slot[PAGES] = {};
	uint32_t handle[PAGES] = {}, handle_before[PAGES] = {};
	uint16_t token = 0, token_before = 0;
	uint64_t rings = 0, stale = 0, repeated = 0, range = 0, unmapped = 0;

	bool record_open = false, due_before[PAGES + 1] = {}, set_before[PAGES + 1] = {};
	uint64_t records = 0, pends = 0, survivals = 0, losts = 0, shared = 0, by_token = 0,
		 displaced = 0;

	explicit Bench(uint64_t seed_value) : random(seed_value)
	{
		top.doorbell_valid_i = 0;
		top.resample_valid_i = 0;
		top.ring_moved_i = top.ring_repeated_i = top.ring_range_i = 0;
		top.record_ready_i = 0;
		top.enabled_i = top.config_write_i = 0;
		no_register();
		Clock<Vrf_doorbell>(top).reset();
	}

	void no_register() { top.register_i[0] = top.register_i[1] = top.register_i[2] = 0; }
	void edge()
	{
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
		top.clk_i = 0;
	}
	uint64_t read(uint64_t address)
	{
		put_register(top.register_i, false, address, 0);
		edge();
		no_register();
		top.eval();
		return top.register_data_o;
	}
	uint64_t bind_word(unsigned i)
	{
		return (uint64_t)handle[i] << 32 | slot[i] << 4 | pending[i] << 2 |
		       resident[i] << 1 | bound[i];
	}
	void cycle();
	void drain();
};

static const uint16_t kinds[] = { 0, 0x5aa0, 0xa550, 0x9aa0 }; /* of tokens */

Bench::Ring Bench::draw()
{
	Ring r;

	r.rings = random.chance(ring_rate);
	r.good = random.chance(90);
	r.page = random.chance(30) ? +GLOBAL : random.below(random.chance(5) ? 16 : 8);
	r.data = random.next() >> 16;
	if (r.page == GLOBAL ? random.chance(95) : random.chance(5))
		r.data |= (uint64_t)((kinds[random.below(4)] | random.below(SLOTS)) ^
				     (random.chance(10) ? 1 << random.below(16) : 0))
			  << 48;
	return r;
}

void Bench::cycle()
{
	const auto [ring, good, page, data] = next;
	bool set[PAGES + 1] = {}, cleared[PAGES + 1] = {};

	next = held.rings ? held : draw();
	held.rings = false;
	if (ring && next.rings && next.page == GLOBAL && next.data >> 48 != data >> 48) {
		held = next; /* a cycle later */
		next.rings = false;
	}

	/* slots that tokens name */
	unsigned config = SLOTS;
	uint16_t config_token = 0;
	if (random.chance(5)) {
		unsigned s = random.below(SLOTS);

		if (configured >> s & 1)
			enabled ^= 1u << s;
	}
	if (random.chance(5)) {
		unsigned s = random.below(SLOTS);

		/* of one slot; seldom of several, or with the low bits of another's */
		config = enabled >> s & 1 ? +SLOTS : s;
		config_token = kinds[random.below(4)] |
			       (random.chance(40) ? (unsigned)random.below(SLOTS) : s);
	}
	top.enabled_i = enabled;
	/* nobody rings by a token while a slot gets it: that is enabled later */
	if ((ring && page == GLOBAL && (data >> 48) % INDICES == config_token % INDICES) ||
	    (next.rings && next.page == GLOBAL &&
	     (next.data >> 48) % INDICES == config_token % INDICES))
		config = SLOTS;
	top.config_write_i = config < SLOTS;
	top.config_slot_i = config;
	top.config_token_i = config_token;

	/* a ring is an offer in the third cycle; by a token of nobody it is pending */
	Stage shown = checked;
	checked = decoded;
	if (checked.by_token) {
		unsigned named = 0;

		for (unsigned s = 0; s < SLOTS; s++)
			named += enabled >> s & 1 && tokens[s] == checked.token;
		checked.offer = checked.placed && enabled >> checked.slot & 1 &&
				tokens[checked.slot] == checked.token;
		checked.pend = !checked.offer;
		shared += named > 1;
		displaced += named && checked.pend;
		by_token += checked.offer;
	}
	unmapped += shown.pend;

	/* a register access */
	no_register();
	unsigned index = random.below(PAGES);
	bool write_bind = false, write_global = false;
	unsigned strobe = 0;
	uint64_t word = 0;
	uint64_t expect_read = 0;
	bool reads = false;
	if (random.chance(register_rate)) {
		bool global = random.chance(30);

		if (random.chance(40)) {
			reads = true;
			expect_read = global ? (uint64_t)token << 16 | lost << 1 | pending[GLOBAL]
					     : bind_word(index);
			put_register(top.register_i, false,
				     global ? RF_REG_DOORBELL_GLOBAL_PENDING
					    : RF_REG_DOORBELL_BIND(index),
				     0);
		} else {
			strobe = random.chance(60) ? 0xff : random.chance(50) ? 0x0f : 0xf0;
			if (global && random.chance(20)) /* all but the byte of its bits */
				strobe = 0xfe;
			word = random.next();
			if (random.chance(50))
				word |= 1; /* mostly bound */
			word = (word & 0xffffff7ffffffful) | (uint64_t)(index + 1) << 56;
			write_global = global;
			write_bind = !global;
			put_register(top.register_i, true,
				     global ? RF_REG_DOORBELL_GLOBAL_PENDING
					    : RF_REG_DOORBELL_BIND(index),
				     word, strobe);
		}
	} else {
		/* a register that reads 1s, or is written, were it an access */
		put_no_access(top.register_i, random.chance(50),
			      random.chance(50) ? RF_REG_DOORBELL_BIND(index)
						: RF_REG_DOORBELL_MODELS + 8 * random.below(8),
			      random.next());
	}

	top.doorbell_valid_i = ring;
	top.doorbell_page_i = page;
	top.doorbell_data_i = ring ? data : next.data;
	top.doorbell_good_i = good;
	bool resample = random.chance(resample_rate);
	unsigned resample_slot = random.below(SLOTS);
	uint64_t resample_data = random.next() >> (random.chance(90) ? 16 : 12);
	bool slot_write = random.chance(10);
	top.slot_write_i = slot_write;
	top.resample_valid_i = resample;
	top.resample_slot_i = resample_slot;
	top.resample_data_i = resample_data;
	top.record_ready_i = random.chance(record_ready);
	top.ring_moved_i = top.ring_repeated_i = top.ring_range_i = 0;
	if (shown.offer) {
		switch (random.below(4)) {
		case 0:
			top.ring_moved_i = 1;
			rings++;
			break;
		case 1:
			stale++;
			break;
		case 2:
			top.ring_repeated_i = 1;
			repeated++;
			break;
		default:
			top.ring_range_i = 1;
			range++;
		}
	}
	top.eval();

	/* --- what it shows -------------------------------------------------------------- */
	tap.equal(top.ring_valid_o, shown.offer, "an offer, two cycles after its ring");
	if (shown.offer) {
		tap.equal(top.ring_slot_o, shown.slot, "slot of the offer");
		tap.equal(top.ring_write_pointer_o, shown.pointer, "write pointer of the offer");
	}
	if (checked.offer)
		tap.equal(top.ring_next_slot_o, checked.slot, "slot of the next offer");
	if (ring || decoded.offer || decoded.by_token || shown.offer || shown.pend)
		tap.equal(top.idle_o, 0, "idle with a ring on its way");
	tap.equal(top.resample_ready_o, !ring && !write_bind && !write_global && !slot_write,
		  "a resampled pointer yields to a ring and to a write");
	resample = resample && top.resample_ready_o;

	/* a record that appears was chosen in the cycle before */
	if (top.record_valid_o && !record_open) {
		uint32_t h = bits(top.record_o, 128, 32);
		uint64_t address = bits(top.record_o, 64, 64);
		unsigned p = h ? (h >> 24) - 1 : +GLOBAL;

		records++;
		tap.equal(bits(top.record_o, 176, 8), RF_RECORD_KIND_DOORBELL_PENDING, "kind");
		tap.check(p <= GLOBAL && due_before[p], "a record without a transition", p, p);
		if (p < GLOBAL) {
			tap.equal(h, handle_before[p], "handle");
			tap.equal(address, 0, "address of a dedicated page");
		} else {
			tap.equal(address, token_before, "token");
		}
		if (p <= GLOBAL && !set_before[p])
			due[p] = false;
	} else if (record_open) {
		tap.check(top.record_valid_o, "a record stays until it is taken");
	}
	record_open = top.record_valid_o && !top.record_ready_i;
	for (unsigned p = 0; p <= PAGES; p++)
		due_before[p] = due[p];
	for (unsigned p = 0; p < PAGES; p++)
		handle_before[p] = handle[p];
	token_before = token;

	/* --- what it must do -------------------------------------------------------------- */
	bool malformed = !good || (page != GLOBAL && data >> 48), pend = false;
	decoded = Stage();
	decoded.pointer = (ring ? data : resample_data) & 0xffffffffffff;
	if (!ring) {
		decoded.offer = resample && !(resample_data >> 48);
		range += resample && resample_data >> 48;
		decoded.slot = resample_slot;
	} else if (malformed) {
		range++;
	} else if (page == GLOBAL) {
		decoded.token = data >> 48;
		decoded.by_token = decoded.token != 0;
		decoded.slot = places[decoded.token % INDICES];
		decoded.placed = placed[decoded.token % INDICES];
		unmapped += !decoded.token;
	} else if (page < PAGES && bound[page]) {
		decoded.offer = resident[page];
		decoded.slot = slot[page];
		pend = !decoded.offer;
	} else {
		unmapped++;
	}

	/* the write clears first, the ring of its cycle survives */
	if (write_bind && strobe & 1) {
		if (!(word & RF_DOORBELL_BIND_PENDING_MASK)) {
			survivals += pend && page == index;
			cleared[index] = true;
			pending[index] = false;
		}
		bound[index] = word & 1;
		resident[index] = word >> 1 & 1;
		slot[index] = word >> 4 & 15;
	}
	if (write_bind && strobe & 0x10)
		handle[index] = word >> 32;
	if (write_global && strobe & 1) {
		if (word & RF_DOORBELL_GLOBAL_PENDING_PENDING_MASK) {
			cleared[GLOBAL] = true;
			pending[GLOBAL] = false;
		}
		if (word & RF_DOORBELL_GLOBAL_PENDING_LOST_MASK)
			lost = false;
	}
	if (pend) {
		pends++;
		if (!pending[page])
			set[page] = true;
		pending[page] = true;
	}
	if (shown.pend) {
		pends++;
		survivals += cleared[GLOBAL];
		if (pending[GLOBAL] && token != shown.token) {
			lost = true;
			losts++;
		}
		if (!pending[GLOBAL]) {
			set[GLOBAL] = true;
			token = shown.token;
		}
		pending[GLOBAL] = true;
	}
	if (config < SLOTS) {
		places[config_token % INDICES] = config;
		placed[config_token % INDICES] = true;
		tokens[config] = config_token;
		configured |= 1u << config;
	}
	for (unsigned p = 0; p <= PAGES; p++) {
		set_before[p] = set[p];
		due[p] = set[p] || (due[p] && !cleared[p]);
	}
	edge();
	top.eval();
	tap.equal(top.register_data_o, reads ? expect_read : 0, "register, 0 without a read");
}

/* No more rings: what is due goes out, and the counters say what happened. */
void Bench::drain()
{
	ring_rate = register_rate = resample_rate = 0;
	record_ready = 100;
	for (unsigned i = 0; i < 40; i++)
		cycle();
	no_register();
	top.doorbell_valid_i = top.resample_valid_i = top.config_write_i = 0;
	top.eval();
	for (unsigned p = 0; p <= PAGES; p++)
		tap.check(!due[p], "a pending ring has its record", p, p);
	tap.equal(top.idle_o, 1, "idle");
	tap.equal(read(RF_REG_DOORBELL_RINGS), rings, "rings");
	tap.equal(read(RF_REG_DOORBELL_RINGS_STALE), stale, "stale");
	tap.equal(read(RF_REG_DOORBELL_RINGS_REPEATED), repeated, "repeated");
	tap.equal(read(RF_REG_DOORBELL_RINGS_RANGE), range, "range");
	tap.equal(read(RF_REG_DOORBELL_RINGS_UNMAPPED), unmapped, "unmapped");
	tap.equal(read(RF_REG_DOORBELL_GLOBAL_PENDING),
		  (uint64_t)token << 16 | lost << 1 | pending[GLOBAL], "global pending");
	for (unsigned p = 0; p < PAGES; p++)
		tap.equal(read(RF_REG_DOORBELL_BIND(p)), bind_word(p), "bind");
}

static void run(const char *name, uint64_t seed_value, unsigned ring_rate, unsigned register_rate,
		unsigned record_ready)
{
	Bench b(seed_value);

	tap.begin(name);
	/* handles name their page and are never 0 */
	for (unsigned p = 0; p < PAGES; p++) {
		b.handle[p] = (p + 1) << 24;
		put_register(b.top.register_i, true, RF_REG_DOORBELL_BIND(p),
			     (uint64_t)b.handle[p] << 32);
		b.edge();
	}
	b.ring_rate = ring_rate;
	b.register_rate = register_rate;
	b.record_ready = record_ready;
	for (unsigned i = 0; i < 60000; i++)
		b.cycle();
	b.drain();
	printf("# %" PRIu64 " pending rings, %" PRIu64 " records, %" PRIu64 " tokens lost, %" PRIu64
	       " rings in the cycle of their clearing, %" PRIu64 " for several slots\n",
	       b.pends, b.records, b.losts, b.survivals, b.shared);
	tap.check(b.shared > 3, "rings with a token of several slots", b.shared);
	tap.check(b.by_token > 50, "rings by token", b.by_token);
	tap.check(b.displaced > 3, "tokens whose low bits another slot got", b.displaced);
	tap.check(b.pends > 100 && b.records > 50 && b.losts > 10 && b.survivals > 5,
		  "the run had pending and lost rings, and rings in the cycle of a clearing");
	tap.end();
}

static void discovery()
{
	Bench b(1);

	tap.begin("S3-13 models, counts and block header are discoverable");
	tap.equal(b.read(RF_REG_DOORBELL_MODELS), (uint64_t)RF_DOORBELL_BASE << 16 | 1 << 8 | 8,
		  "models");
	tap.equal(b.read(RF_DOORBELL_BLOCK_OFFSET) & 0xff, 2, "type of the block");
	tap.equal(b.read(RF_REG_DOORBELL_BIND(0)), b.read(RF_REG_DOORBELL_BIND(7)) & 0xffffffff,
		  "nothing is bound");
	tap.equal(b.read(RF_REG_SLOT_CONFIG(0)), 0, "a register of another block");
	tap.end();
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	discovery();
	run("S3-14 S3-16 a ring becomes an offer, a pending bit with one record, or a count", s, 50,
	    30, 50);
	run("the same with a ring in every cycle and slow records", s + 1, 100, 60, 3);
	run("the same with rare rings and fast records", s + 2, 20, 60, 100);
	return tap.status();
}
