/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of 3.6.3.1, one by one, and at random against them as the specification writes them:
 * which TLPs are taken, when an Ack comes, and one Nak until the next good TLP. Numbers wrap.
 */
#include "Vrf_link_ack.h"
#include "harness.h"

namespace {

constexpr unsigned Delay = 160 / 2; /* cycles */

enum End { Good, Bad, Nullified, Broken, Refused };

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.link_up_i = 1;
		top.tlp_end_i = top.tlp_good_i = top.tlp_nullified_i = top.tlp_sequence_i = 0;
		top.tlp_broken_i = top.refuse_i = 0;
		top.ready_i = 0;
		clock.reset();
		tap.equal(top.valid_o << 1 | top.tlp_bad_o, 0, "behind a reset");
		bad = 0;
	}

	void tick()
	{
		clock.tick();
		bad += top.tlp_bad_o;
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			tick();
	}

	/* The number of a TLP, which stands before its end */
	void number(unsigned sequence)
	{
		top.tlp_sequence_i = sequence & 4095;
		tick();
	}

	/* The TLP with that number ends; returns whether it is taken. */
	bool ends(End end)
	{
		top.tlp_end_i = 1;
		top.tlp_good_i = end == Good || end == Refused;
		top.tlp_nullified_i = end == Nullified;
		top.tlp_broken_i = end == Broken;
		top.refuse_i = end == Refused;
		top.eval();
		bool take = top.tlp_take_o;

		tick();
		top.tlp_end_i = 0;
		top.eval();
		tap.equal(top.tlp_take_o, 0, "with the end alone");
		return take;
	}

	bool tlp(unsigned sequence, End end = Good)
	{
		number(sequence);
		return ends(end);
	}

	/* What is offered, and now sent. */
	void expect(bool nak, unsigned sequence, const char *what)
	{
		tap.equal(top.valid_o, 1, what);
		tap.equal(top.nak_o, nak, what);
		tap.equal(top.sequence_o, sequence & 4095, what);
		top.ready_i = 1;
		tick();
		top.ready_i = 0;
		tap.equal(top.valid_o, 0, "sent once");
	}

	void nothing(const char *what) { tap.equal(top.valid_o, 0, what); }

	Vrf_link_ack top;
	rf::Clock<Vrf_link_ack> clock;
	rf::Random random;
	rf::Tap tap;
	unsigned bad = 0;
};

void acks(Bench &b)
{
	b.tap.begin("an Ack comes in time, for all TLPs until then");
	b.reset();
	b.run(3 * Delay);
	b.nothing("without TLPs");
	b.tap.equal(b.tlp(0), 1, "taken");
	b.run(Delay / 2);
	b.tap.equal(b.tlp(1), 1, "taken");
	b.run(Delay / 2 - 3);
	b.nothing("not yet");
	b.run(6);
	b.tap.equal(b.top.valid_o, 1, "the first TLP's time");
	b.tap.equal(b.tlp(2), 1, "taken while the Ack waits");
	b.expect(false, 2, "acknowledged, too");
	b.run(3 * Delay);
	b.nothing("all are acknowledged");
	b.tap.end();

	b.tap.begin("a TLP that ends while its Ack is sent has one of its own");
	b.reset();
	b.tlp(0);
	b.run(Delay + 2);
	b.tap.equal(b.top.sequence_o, 0, "of the first one");
	b.top.ready_i = 1;
	b.tlp(1);
	b.top.ready_i = 0;
	b.nothing("sent");
	b.run(Delay - 4);
	b.nothing("not yet");
	b.run(8);
	b.expect(false, 1, "the other one's");
	b.tap.end();

	b.tap.begin("a duplicate is dropped and acknowledged at once");
	b.reset();
	for (unsigned i = 0; i < 5; i++)
		b.tlp(i);
	b.run(Delay + 2);
	b.expect(false, 4, "Ack");
	b.tap.equal(b.tlp(2), 0, "a duplicate");
	b.expect(false, 4, "at once");
	b.tap.equal(b.tlp(5 - 2048), 0, "the oldest one");
	b.expect(false, 4, "at once");
	b.tap.equal(b.bad, 0, "no errors");
	b.tap.end();
}

void naks(Bench &b)
{
	static const struct {
		const char *name;
		unsigned sequence;
		End end;
	} all[] = { { "damaged", 1, Bad },
		    { "a Receiver Error", 1, Broken },
		    { "no room for it", 1, Refused },
		    { "one was lost", 2, Good },
		    { "out of sequence by 2047", 1 + 2047, Good } };

	for (const auto &one : all) {
		b.tap.begin(std::string("one Nak until the next good TLP: ") + one.name);
		b.reset();
		b.tap.equal(b.tlp(0), 1, "taken");
		b.tap.equal(b.tlp(one.sequence, one.end), 0, "dropped");
		b.run(3); /* the Ack of the first one would come later */
		b.tap.equal(b.tlp(one.sequence, one.end), 0, "dropped");
		b.expect(true, 0, "at once");
		b.tlp(3);
		b.tlp(9, Bad);
		b.run(3 * Delay);
		b.nothing("it acknowledged, and is not repeated");
		/* Neither a Receiver Error nor a lack of room is a Bad TLP. */
		unsigned bad = one.end == Bad || one.end == Good;

		b.tap.equal(b.bad, bad, "Bad TLP");
		b.tap.equal(b.tlp(1), 1, "the next one");
		b.tlp(1, Bad);
		b.expect(true, 1, "a new Nak");
		b.tap.equal(b.bad, bad + 1, "Bad TLP");
		b.tap.end();
	}

	b.tap.begin("a damaged TLP is refused by a Nak, though it is the first behind a reset");
	b.reset();
	b.tap.equal(b.tlp(0, Bad), 0, "dropped");
	b.expect(true, 4095, "Nak");
	b.tap.equal(b.bad, 1, "Bad TLP");
	b.tap.end();

	b.tap.begin("a nullified TLP is dropped without an error");
	b.reset();
	b.tap.equal(b.tlp(0, Nullified), 0, "dropped");
	b.tap.equal(b.tlp(77, Nullified), 0, "dropped");
	b.run(3 * Delay);
	b.nothing("neither Ack nor Nak");
	b.tap.equal(b.tlp(0), 1, "its number comes again");
	b.tap.equal(b.bad, 0, "no errors");
	b.tap.end();

	b.tap.begin("a duplicate is acknowledged without room, too");
	b.reset();
	b.tlp(0);
	b.run(Delay + 2);
	b.expect(false, 0, "Ack");
	b.tap.equal(b.tlp(0, Refused), 0, "dropped");
	b.expect(false, 0, "at once");
	b.tap.end();

	b.tap.begin("a Nak goes before an Ack, and acknowledges as well");
	b.reset();
	b.tlp(0);
	b.run(Delay + 2);
	b.tlp(0, Bad);
	b.expect(true, 0, "Nak");
	b.run(3 * Delay);
	b.nothing("no Ack");
	b.tap.end();

	b.tap.begin("DL_Inactive forgets all");
	for (unsigned kind = 0; kind < 3; kind++) {
		b.reset();
		b.tlp(0);
		b.tlp(kind, kind == 2 ? Bad : Good);
		b.run(kind ? 2 : Delay + 4);
		b.top.link_up_i = 0;
		b.run(2);
		b.top.link_up_i = 1;
		b.run(3 * Delay);
		b.nothing("nothing is due");
		b.tap.equal(b.tlp(0), 1, "0 is next");
		b.tlp(0, Bad);
		b.expect(true, 0, "and a Nak is possible");
	}
	b.tap.end();
}

void chance(Bench &b)
{
	b.tap.begin("at random, as the specification says");
	b.reset();
	unsigned next = 0, wraps = 0, age = 0, longest = 0;
	bool scheduled = false, waits = false, ack = false, nak = false;

	for (unsigned i = 0; i < 400000; i++) {
		End end = b.random.chance(90) ? Good : End(1 + b.random.below(4));
		bool ends = b.random.chance(i & 4096 ? 50 : 3);
		unsigned sequence = b.random.chance(90)	  ? next
				    : b.random.chance(50) ? next - b.random.below(8)
							  : b.random.below(4096);

		if (ends) {
			b.top.ready_i = 0;
			b.number(sequence);
			age += waits;
		}
		b.top.ready_i = b.random.chance(10);
		b.top.eval();
		bool sent = b.top.valid_o && b.top.ready_i;

		if (sent) {
			b.tap.equal(b.top.nak_o, nak, "Nak");
			b.tap.check(ack || nak || waits, "something is due");
			b.tap.equal(b.top.sequence_o, (next - 1) & 4095, "number");
			ack = nak = waits = false;
		}
		if (nak)
			b.tap.equal(b.top.valid_o && b.top.nak_o, 1, "a Nak is due at once");
		if (ack)
			b.tap.equal(b.top.valid_o, 1, "an Ack is due at once");
		age = waits ? age + 1 : 0;
		longest = age > longest && !b.top.valid_o ? age : longest;
		if (!ends) {
			b.tick();
			continue;
		}
		bool take = b.ends(end);
		unsigned behind = (next - sequence) & 4095;

		b.tap.equal(take, end == Good && behind == 0, "taken");
		bool whole = end == Good || end == Refused;

		if (take) {
			next = (next + 1) & 4095;
			wraps += next == 0;
			scheduled = false;
			waits = true;
		} else if (whole && behind && behind <= 2048) {
			ack = true;
		} else if (end != Nullified && !scheduled) {
			scheduled = nak = true;
		}
	}
	b.tap.check(wraps > 10, "numbers wrapped", wraps);
	b.tap.check(longest > Delay - 4 && longest <= Delay + 2, "the longest time", longest,
		    Delay);
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	acks(b);
	naks(b);
	chance(b);
	return b.tap.status();
}
