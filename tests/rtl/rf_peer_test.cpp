/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fences between devices: whatever is written, and whatever words come, each target is told of each
 * fence that was written after it was, and each good word makes its page be read again.
 */
#include "Vrf_peer.h"
#include "bits.h"
#include "harness.h"

namespace {

constexpr unsigned Fences = RF_PEER_FENCES, Targets = RF_PEER_TARGETS;
constexpr uint64_t Region = 0x5a'1234'0000'0000 | 7ull << 18;
constexpr uint64_t Window = 0x7f'1234'4000;

struct Entry {
	bool valid;
	unsigned targets, generation;
};

/* Percent: of cycles with a word of system memory, of those that are fences; with a word of
 * another device; that memory is ready, and done; that the wait unit takes a page */
struct Rates {
	unsigned snoop, fence, word, ready, done, reread;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed())
	{
		printf("# seed %" PRIu64 "\n", rf::seed());
		clear();
		clock.reset();
	}

	void clear()
	{
		rf::put(top.snoop_i, 117, 1, 0);
		top.word_valid_i = 0;
		top.reread_ready_i = 0;
		reply(false, false, false, 0);
		access(false, false, 0, 0, 0);
	}

	void write(unsigned address, uint64_t value, unsigned strobe = 0xff)
	{
		access(true, true, address, value, strobe);
		cycle();
		access(false, false, 0, 0, 0);
	}

	uint64_t read(unsigned address)
	{
		access(true, false, address, 0, 0);
		cycle();
		access(false, false, 0, 0, 0);
		return top.register_data_o;
	}

	void set(unsigned index, const Entry &entry)
	{
		entries[index] = entry;
		uint64_t text = word(index, entry.generation, entry.valid) | entry.targets << 8;

		write(RF_REG_PEER_ENTRY, text, 0x01);
		write(RF_REG_PEER_ENTRY, text ^ 0x0fff'0340, 0xfe);
	}

	static uint64_t word(unsigned index, unsigned generation, bool valid = true)
	{
		return index | (uint64_t)valid << 6 | (uint64_t)generation << 16;
	}

	void start(bool enable = true)
	{
		for (unsigned i = 0; i < Fences; i++)
			set(i, { random.chance(70), (unsigned)random.below(16),
				 (unsigned)random.below(4096) });
		/* a half is written with its first byte, and with no other */
		write(RF_REG_PEER_WINDOW, Window, 0x01);
		write(RF_REG_PEER_WINDOW, Window, 0x10);
		write(RF_REG_PEER_WINDOW, ~Window, 0xee);
		write(RF_REG_PEER_REGION, Region, 0x10);
		write(RF_REG_PEER_REGION, Region | enable, 0x01);
		write(RF_REG_PEER_REGION, ~Region ^ enable, 0xee);
		enabled = enable;
	}

	/* One cycle of random traffic, which the model follows. */
	void step(const Rates &rates)
	{
		snoop(rates);
		come(rates);
		top.reread_ready_i = !rf::bits(top.snoop_i, 117, 1) && random.chance(rates.reread);
		/* done comes when both are taken, at a random time */
		bool done = asked && gave && random.chance(rates.done);

		fails = done && random.chance(failing);
		reply(!asked && random.chance(rates.ready),
		      asked && !gave && random.chance(rates.ready), done,
		      fails ? RF_ACCESS_STATUS_TRANSLATION : RF_ACCESS_STATUS_OK);
		cycle();
		top.word_valid_i = 0;
		rf::put(top.snoop_i, 117, 1, 0);
	}

	void cycle()
	{
		top.eval();
		look();
		clock.tick();
	}

	/* A fence is written in this cycle; returns the cycles until its word is offered. */
	unsigned offered_after(unsigned index)
	{
		unsigned cycles = 0;

		put_snoop(false, (Region + index * 4096ull) >> 3);
		for (bool offered = false; !offered && cycles < 20; cycles++) {
			top.eval();
			offered = rf::bits(top.write_o, 152, 1);
			step({ 0, 0, 0, 0, 0, 0 });
		}
		return cycles - 1;
	}

	/* Until nothing is under way. The limit is of idle cycles without a word for a target. */
	void quiet()
	{
		const Rates still = { 0, 0, 0, 100, 100, 100 };

		for (unsigned left = 4000; left && !(top.idle_o && settled); left--) {
			settled = top.idle_o;
			step(still);
		}
		tap.check(top.idle_o, "it comes to rest");
		for (unsigned i = 0; i < Fences; i++) {
			for (unsigned t = 0; t < Targets; t++)
				tap.check(!owed[i][t], "a target was not told of a fence", i, t);
			tap.check(!unread[i], "a good word without a read", i);
		}
		tap.equal(read(RF_REG_PEER_SENT), sent | failed << 16, "SENT");
		tap.equal(read(RF_REG_PEER_RECEIVED),
			  good | stale << 16 | malformed << 32 | floods << 48, "RECEIVED");
	}

	Vrf_peer top;
	rf::Clock<Vrf_peer> clock;
	rf::Random random;
	rf::Tap tap;
	uint64_t sent = 0, failed = 0, good = 0, stale = 0, malformed = 0, floods = 0;
	uint64_t fences_written = 0, needless = 0, alls = 0, pages = 0;
	unsigned failing = 0;
	unsigned hot = Fences; /* one that is written most */
	bool told_needlessly = false; /* allowed: the queue has overflowed */

private:
	void access(bool valid, bool write, unsigned address, uint64_t data, unsigned strobe)
	{
		rf::put_register(top.register_i, write, address, data, strobe);
		rf::put(top.register_i, 87, 1, valid);
	}

	void reply(bool ready, bool data_ready, bool done, unsigned status)
	{
		top.write_reply_i = ready << 5 | data_ready << 4 | done << 3 | status;
		ready_now = ready;
		data_ready_now = data_ready;
		done_now = done;
	}

	void snoop(const Rates &rates)
	{
		if (!random.chance(rates.snoop))
			return;
		bool fence = random.chance(rates.fence), in_local = random.chance(20);
		unsigned index = random.below(Fences);
		uint64_t address = Region + index * 4096ull;

		if (fence && hot < Fences && random.chance(90))
			address = Region + (index = hot) * 4096ull;
		if (!fence && random.chance(50)) /* of another region, by one bit */
			address ^= 1ull << (18 + random.below(37));
		else if (!fence) /* of another word */
			address += 8 * (1 + random.below(511));
		put_snoop(in_local, address >> 3);
		if (fence && !in_local && enabled && entries[index].valid) {
			fences_written++;
			for (unsigned t = 0; t < Targets; t++)
				if (entries[index].targets >> t & 1) {
					owed[index][t] = true;
					since[index][t] = clock.cycle;
				}
		}
	}

	/* {valid, in_local, address[54:3], data} */
	void put_snoop(bool in_local, uint64_t address)
	{
		rf::put(top.snoop_i, 117, 1, 1);
		rf::put(top.snoop_i, 116, 1, in_local);
		rf::put(top.snoop_i, 64, 52, address);
		rf::put(top.snoop_i, 0, 64, random.next());
	}

	void come(const Rates &rates)
	{
		if (!random.chance(rates.word))
			return;
		unsigned index = random.below(Fences), kind = random.below(8);
		const Entry &entry = entries[index];
		uint64_t text = word(index, entry.generation);
		bool whole = true;

		if (kind == 0)
			text = word(index, entry.generation ^ (1 + random.below(4095)));
		else if (kind == 1)
			text = random.chance(50) ? word(index, entry.generation, false)
						 : text | 1ull << (28 + random.below(36));
		else if (kind == 2)
			text |= 1ull << (random.chance(50) ? 7 : 12 + random.below(4));
		else if (kind == 3)
			whole = false;
		top.word_i = text;
		top.word_good_i = whole;
		top.word_valid_i = 1;
		if (kind >= 1 && kind <= 3) {
			malformed++;
		} else if (kind == 0 || !entry.valid || !enabled) {
			stale++;
		} else {
			good++;
			good_now = true;
			unread[index] = true;
			came[index] = clock.cycle;
		}
	}

	/* What this cycle shows */
	void look()
	{
		look_at_write();
		look_at_rereads();
	}

	void look_at_write()
	{
		/* {valid, data_valid, {vmid, va, words, strobes}, data} */
		bool valid = rf::bits(top.write_o, 152, 1);

		if (valid && !shown) {
			uint64_t data = rf::bits(top.write_o, 0, 64);
			uint64_t va = rf::bits(top.write_o, 64 + 22, 61) << 3;
			unsigned index = data % Fences, target = va >> 12 & 3;

			tap.equal(rf::bits(top.write_o, 64 + 83, 4), 0, "VMID 0");
			tap.equal(rf::bits(top.write_o, 64, 22), 1u << 16 | 0xffff,
				  "one whole word");
			tap.equal(va - target * 4096, Window | ~0ull << 39, "in the window");
			tap.equal(data, word(index, entries[index].generation), "the word");
			tap.check(entries[index].valid && entries[index].targets >> target & 1,
				  "a target of the fence", index, target);
			if (!owed[index][target] && !told_needlessly)
				needless++;
			if (clock.cycle > since[index][target])
				owed[index][target] = false;
			asked = gave = false;
		}
		shown = valid || (shown && !done_now);
		asked |= shown && ready_now;
		gave |= shown && data_ready_now && rf::bits(top.write_o, 151, 1);
		if (done_now) {
			fails ? failed++ : sent++;
			asked = gave = shown = false;
		}
	}

	void look_at_rereads()
	{
		tap.equal(top.reread_all_o, all_next, "all, if a page stood in the way of another");
		all_next = good_last && top.reread_valid_o && !top.reread_ready_i;
		good_last = good_now;
		good_now = false;
		if (top.reread_all_o) {
			floods++;
			alls++;
			for (unsigned i = 0; i < Fences; i++)
				if (came[i] < clock.cycle)
					unread[i] = false;
		}
		if (!top.reread_valid_o || !top.reread_ready_i)
			return;
		unsigned index = top.reread_page_o & 63;

		tap.equal(top.reread_page_o, Region >> 12 | index, "a page of the region");
		tap.check(came[index] != 0, "a page nobody told of", index);
		if (came[index] < clock.cycle)
			unread[index] = false;
		pages++;
	}

	Entry entries[Fences] = {};
	bool owed[Fences][Targets] = {}, unread[Fences] = {};
	uint64_t since[Fences][Targets] = {}, came[Fences] = {};
	bool enabled = false, shown = false, asked = false, gave = false, fails = false;
	bool good_now = false, good_last = false, all_next = false;
	bool ready_now = false, data_ready_now = false, done_now = false, settled = false;
};

void traffic(Bench &b, const char *name, const Rates &rates, unsigned cycles = 20000)
{
	b.tap.begin(name);
	b.start();
	for (unsigned i = 0; i < cycles; i++)
		b.step(rates);
	b.quiet();
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	b.tap.begin("nothing is sent or heeded before it is enabled");
	b.tap.equal(b.top.enabled_o, 0, "enabled behind a reset");
	b.start(false);
	for (unsigned i = 0; i < 500; i++)
		b.step({ 50, 50, 50, 50, 50, 50 });
	b.quiet();
	b.tap.equal(b.sent + b.good + b.pages, 0, "nothing");
	b.tap.end();

	b.tap.begin("each write of a fence tells each of its targets, and nothing else does");
	b.start();
	for (unsigned i = 0; i < 600; i++) {
		b.step({ 100, 50, 10, 60, 60, 60 });
		b.quiet();
	}
	b.tap.equal(b.needless, 0, "words without a write");
	b.tap.check(b.sent > 200 && b.pages > 5, "some were sent and came", b.sent, b.pages);
	b.tap.end();

	b.tap.begin("a read of the block's own registers alone is answered");
	b.start();
	for (unsigned address = 0; address < 0x20000; address += 8) {
		bool own = address >= RF_REG_PEER_REGION - 16 && address <= RF_REG_PEER_RECEIVED;

		for (unsigned access = own ? 2 : 1; access < 4; access++) {
			rf::put_register(b.top.register_i, access & 2, address, 0, 0);
			rf::put(b.top.register_i, 87, 1, access & 1);
			b.cycle();
			b.tap.equal(b.top.register_data_o, 0, "response");
		}
	}
	rf::put(b.top.register_i, 87, 1, 0);
	b.tap.end();

	b.told_needlessly = true;
	b.tap.begin("a word is offered two cycles after the write");
	for (unsigned i = 0; i < Fences; i++) {
		b.set(i, { true, 1, i });
		b.tap.equal(b.offered_after(i), 2, "cycles");
		b.quiet();
	}
	b.tap.end();
	traffic(b, "now and then", { 5, 50, 5, 80, 80, 80 });
	traffic(b, "more fences are written than can be told of", { 60, 90, 5, 60, 30, 80 });
	b.hot = 5;
	traffic(b, "one fence is written now and then", { 3, 90, 5, 80, 80, 80 });
	traffic(b, "one fence is written most", { 60, 90, 5, 60, 30, 80 });
	b.hot = Fences;
	uint64_t before = b.alls;
	traffic(b, "words come in each cycle", { 30, 50, 100, 50, 50, 30 });
	b.tap.begin("every wait reads again where a word was not heeded in time");
	b.tap.check(b.alls > before + 100, "floods", b.alls, before);
	b.tap.end();
	b.failing = 30;
	traffic(b, "words that the translation refuses are counted", { 30, 50, 5, 80, 80, 80 });
	b.tap.begin("refused words were seen");
	b.tap.check(b.failed > 100, "failed", b.failed, 100);
	b.tap.end();
	return b.tap.status();
}
