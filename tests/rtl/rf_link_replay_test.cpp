/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A receiver that loses TLPs, refuses them and acknowledges late: all TLPs reach it in order, each
 * whole and without a pause. Then the rules of 3.6.2 one by one: numbers that may be acknowledged,
 * what a replay sends, the timer, REPLAY_NUM, how much is held.
 */
#include <deque>
#include <vector>

#include "Vrf_link_replay.h"
#include "harness.h"

namespace {

constexpr unsigned Limit = 1400 / 2; /* cycles */

struct Sent {
	unsigned sequence;
	std::vector<uint16_t> words;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.active_i = 1;
		top.tlp_valid_i = top.tlp_last_i = top.tlp_data_i = 0;
		top.send_ready_i = 1;
		top.acknak_valid_i = top.acknak_nak_i = top.acknak_sequence_i = 0;
		top.training_i = 0;
		clock.reset();
		waiting.clear();
		given.clear();
		sent.clear();
		words.clear();
		timeouts = rollovers = errors = taken = at = 0;
		ready = 100;
		offer = 100;
	}

	/* A TLP to go in, of @count words. */
	void add(unsigned count)
	{
		std::vector<uint16_t> tlp;

		for (unsigned i = 0; i < count; i++)
			tlp.push_back(random.next());
		waiting.push_back(tlp);
		given.push_back(tlp);
	}

	void tick()
	{
		if (!top.tlp_valid_i && !waiting.empty() && random.chance(offer)) {
			top.tlp_valid_i = 1;
			top.tlp_data_i = waiting.front()[at];
			top.tlp_last_i = at + 1 == waiting.front().size();
		}
		top.send_ready_i = words.empty() ? random.chance(ready) : 1;
		top.eval();
		bool in = top.tlp_valid_i && top.tlp_ready_o;
		bool out = top.send_valid_o && top.send_ready_i, last = top.send_last_o;

		tap.check(words.empty() || top.send_valid_o, "no pause in a TLP");
		if (out) {
			if (words.empty())
				sequence = top.send_sequence_o;
			tap.equal(top.send_sequence_o, sequence, "one number for a TLP");
			words.push_back(top.send_data_o);
		}
		clock.tick();
		top.acknak_valid_i = 0;
		if (in) {
			taken++;
			top.tlp_valid_i = 0;
			if (++at == waiting.front().size()) {
				waiting.pop_front();
				at = 0;
			}
		}
		if (out && last) {
			sent.push_back({ sequence, words });
			words.clear();
		}
		timeouts += top.timeout_o;
		rollovers += top.rollover_o;
		errors += top.protocol_error_o;
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			tick();
	}

	/* That many were sent, the last one just now. */
	void until(unsigned number)
	{
		for (unsigned i = 0; i < Limit && sent.size() < number; i++)
			tick();
		tap.equal(sent.size(), number, "TLPs sent");
	}

	void acknak(unsigned number, bool nak)
	{
		top.acknak_valid_i = 1;
		top.acknak_nak_i = nak;
		top.acknak_sequence_i = number & 4095;
		tick();
	}
	void ack(unsigned number) { acknak(number, false); }
	void nak(unsigned number) { acknak(number, true); }

	/* What was sent since are these TLPs, from @first to @last. */
	void expect(unsigned first, unsigned last, const char *what)
	{
		tap.equal(sent.size(), last - first + 1, what);
		for (unsigned i = 0; i < sent.size() && first + i <= last; i++) {
			tap.equal(sent[i].sequence, (first + i) & 4095, what);
			tap.check(sent[i].words == given[first + i], what, i);
		}
		sent.clear();
	}

	/* From a reset, none acknowledged */
	void three_sent()
	{
		reset();
		for (unsigned i = 0; i < 3; i++)
			add(6);
		run(60);
		expect(0, 2, "sent");
	}

	Vrf_link_replay top;
	rf::Clock<Vrf_link_replay> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<std::vector<uint16_t>> waiting;
	std::vector<std::vector<uint16_t>> given;
	std::vector<Sent> sent;
	std::vector<uint16_t> words;
	unsigned timeouts = 0, rollovers = 0, errors = 0, taken = 0, ready = 100, offer = 100;
	unsigned sequence = 0;
	size_t at = 0;
};

/* The receiver of 3.6.3.1, with losses; numbers wrap. */
void lossy(Bench &b, unsigned loss, unsigned count)
{
	b.tap.begin("all TLPs in order, one in " + std::to_string(loss) + " lost");
	b.reset();
	b.ready = 60;
	b.offer = 80;
	unsigned next = 0, naks = 0, acks = 0, duplicates = 0, idle = 0;
	bool scheduled = false;
	std::deque<std::pair<unsigned, bool>> replies; /* when, a Nak */
	unsigned cycle = 0, quiet = 0;

	while (next < count && idle < 20 * Limit) {
		if (!b.random.below(2000)) /* long enough for the timer to run out */
			quiet = cycle + 2 * Limit;
		if (b.waiting.size() < 3 && b.given.size() < count && quiet <= cycle)
			b.add(b.random.chance(10) ? 132 + 8 : 6 + 2 * b.random.below(12));
		b.top.training_i = b.top.retrain_o || (b.top.training_i && b.random.chance(98));
		/* A reply has the state of when it is sent. */
		if (!replies.empty() && replies.front().first <= cycle && !b.top.training_i) {
			if (b.random.below(loss)) {
				bool nak = replies.front().second;

				b.acknak(next - 1, nak);
				(nak ? naks : acks)++;
			}
			replies.pop_front();
		} else {
			b.tick();
		}
		cycle++;
		idle++;
		for (const Sent &one : b.sent) {
			if (!b.random.below(loss))
				continue;
			unsigned behind = (next - one.sequence) & 4095;

			if (behind == 0) {
				b.tap.check(one.words == b.given[next], "a TLP as it was", next);
				next++;
				idle = 0;
				scheduled = false;
				if (replies.empty() || b.random.chance(30))
					replies.push_back({ cycle + b.random.below(200), false });
			} else if (behind <= 2048) {
				duplicates++;
				replies.push_back({ cycle + b.random.below(50), false });
			} else if (!scheduled) {
				scheduled = true;
				replies.push_back({ cycle + b.random.below(50), true });
			}
		}
		b.sent.clear();
	}
	b.tap.equal(next, count, "TLPs");
	b.tap.equal(b.errors, 0, "protocol errors");
	b.tap.check(acks > 100 && naks > count / loss / 2, "Acks and Naks", acks, naks);
	b.tap.check(loss > 10 || (b.timeouts > 0 && duplicates > 0), "time-outs and duplicates",
		    b.timeouts, duplicates);
	b.tap.end();
}

void numbers(Bench &b)
{
	b.tap.begin("what may be acknowledged: what was sent, or the last one again");
	b.reset();
	b.ack(4095); /* before the first TLP, too */
	b.run(4);
	b.tap.equal(b.errors, 0, "ACKD_SEQ after reset");
	b.ack(0);
	b.run(4);
	b.tap.equal(b.errors, 1, "not sent");
	for (unsigned i = 0; i < 4; i++)
		b.add(6);
	b.run(100);
	b.expect(0, 3, "sent");
	b.ack(4);
	b.run(4);
	b.tap.equal(b.errors, 2, "behind the last one");
	b.ack(1);
	b.run(4);
	b.ack(1);
	b.run(4);
	b.tap.equal(b.errors, 2, "the same again");
	b.ack(0);
	b.run(4);
	b.tap.equal(b.errors, 3, "one before");
	b.nak(5);
	b.run(60);
	b.tap.equal(b.errors, 4, "a Nak of what was not sent");
	b.expect(0, ~0u, "and it does nothing");
	b.tap.end();
}

void replays(Bench &b)
{
	b.tap.begin("a Nak sends again what it does not acknowledge, oldest first");
	b.reset();
	for (unsigned i = 0; i < 5; i++)
		b.add(6 + 2 * i);
	b.run(100);
	b.expect(0, 4, "sent");
	b.nak(1);
	b.run(100);
	b.expect(2, 4, "sent again");
	b.nak(4); /* all of them: nothing is left */
	b.run(100);
	b.expect(0, ~0u, "nothing");
	b.add(6);
	b.run(30);
	b.expect(5, 5, "the next one");
	b.tap.end();

	b.tap.begin("idle: no TLP comes, and all are acknowledged");
	b.reset();
	b.tap.check(!b.top.timeout_o && !b.top.rollover_o && !b.top.protocol_error_o,
		    "no event behind a reset");
	b.run(3);
	b.tap.equal(b.top.idle_o, 1, "at the start");
	b.add(6);
	for (unsigned i = 0; i < 6; i++) { /* one word after the other */
		b.tick();
		b.tap.equal(b.top.idle_o, 0, "a TLP comes");
	}
	b.add(6);
	b.until(2);
	b.ack(0);
	b.run(5);
	b.tap.equal(b.top.idle_o, 0, "one is not acknowledged");
	b.ack(1);
	b.run(2);
	b.tap.equal(b.top.idle_o, 1, "both are");
	b.tap.end();

	b.tap.begin("a Nak during a TLP: it ends, then all of them again, then new ones");
	b.reset();
	b.add(6);
	b.add(200);
	b.add(8);
	b.run(250);
	b.until(2);
	b.run(40);
	b.expect(0, 2, "sent");
	b.nak(0);
	b.run(50);
	b.nak(4095 + 1); /* the same again, in TLP 1, which has begun */
	b.run(600);
	b.tap.equal(b.sent.size(), 3, "TLPs");
	for (unsigned i = 0; i < 3 && i < b.sent.size(); i++) {
		static const unsigned want[] = { 1, 1, 2 };

		b.tap.equal(b.sent[i].sequence, want[i], "number");
		b.tap.check(b.sent[i].words == b.given[want[i]], "whole", i);
	}
	b.sent.clear();
	b.tap.end();

	b.tap.begin("what is acknowledged during a replay is left out");
	b.reset();
	b.add(100);
	for (unsigned i = 0; i < 4; i++)
		b.add(6);
	b.run(250);
	b.expect(0, 4, "sent");
	b.nak(4095);
	b.run(50);
	b.ack(2);
	b.run(200);
	b.tap.equal(b.sent.size(), 3, "TLPs");
	for (unsigned i = 0; i < 3 && i < b.sent.size(); i++) {
		static const unsigned want[] = { 0, 3, 4 };

		b.tap.equal(b.sent[i].sequence, want[i], "number");
		b.tap.check(b.sent[i].words == b.given[want[i]], "whole", i);
	}
	b.tap.equal(b.errors, 0, "protocol errors");
	b.sent.clear();
	b.tap.end();

	b.tap.begin("an older number right behind a newer one is an error, and changes nothing");
	for (unsigned nak = 0; nak < 2; nak++) {
		b.reset();
		for (unsigned i = 0; i < 5; i++)
			b.add(6);
		b.run(100);
		b.expect(0, 4, "sent");
		b.ack(3);
		b.acknak(1, nak);
		b.run(4);
		b.tap.equal(b.errors, 1, "protocol error");
		b.nak(3);
		b.run(100);
		b.expect(4, 4, "the only one that is not acknowledged");
	}
	b.tap.end();

	b.tap.begin("a later Ack supersedes a Nak that waits, the same number does not");
	for (unsigned later = 0; later < 2; later++) {
		b.three_sent();
		b.add(200);
		b.run(250);
		b.nak(1);
		b.ack(1 + later);
		b.run(400);
		if (later)
			b.expect(3, 3, "the one that had begun");
		else
			b.tap.equal(b.sent.size(), 3, "that one, and two again");
		b.sent.clear();
	}
	b.tap.end();

	b.tap.begin("an Ack with the number of a Nak that has acted sends nothing again");
	b.three_sent();
	b.nak(1);
	b.run(60);
	b.expect(2, 2, "again, behind the Nak");
	b.ack(1);
	b.run(60);
	b.tap.equal(b.sent.size(), 0, "not again");
	b.tap.equal(b.errors, 0, "protocol errors");
	b.tap.end();

	b.tap.begin("a TLP that has begun counts as sent");
	b.reset();
	b.add(200);
	b.run(250);
	b.tap.check(!b.words.empty(), "it has begun");
	b.ack(0);
	b.run(200);
	b.tap.equal(b.errors, 0, "protocol errors");
	b.expect(0, 0, "and is sent whole");
	b.run(3 * Limit);
	b.expect(0, ~0u, "once");
	b.tap.end();
}

void timer(Bench &b)
{
	b.tap.begin("the replay timer runs from the end of a TLP");
	b.reset();
	b.add(6);
	b.until(1);
	b.run(Limit - 2);
	b.tap.equal(b.timeouts, 0, "not yet");
	b.run(8);
	b.tap.equal(b.timeouts, 1, "time-out");
	b.run(20);
	b.tap.equal(b.sent.size(), 2, "sent again");
	b.tap.end();

	b.tap.begin("progress restarts it, an Ack without progress and a further TLP do not");
	b.reset();
	b.add(6);
	b.add(6);
	b.until(2);
	b.run(Limit / 2);
	b.ack(0);
	b.run(Limit / 2 + 50);
	b.tap.equal(b.timeouts, 0, "restarted");
	b.ack(0);
	b.add(6);
	b.run(Limit / 2 - 60);
	b.tap.equal(b.timeouts, 0, "not yet");
	b.run(20);
	b.tap.equal(b.timeouts, 1, "not restarted");
	b.tap.end();

	b.tap.begin("it stands while nothing is unacknowledged, and while the link trains");
	b.reset();
	b.add(6);
	b.run(60);
	b.ack(0);
	b.run(3 * Limit);
	b.tap.equal(b.timeouts, 0, "all acknowledged");
	b.add(6);
	b.run(60);
	b.top.training_i = 1;
	b.run(3 * Limit);
	b.tap.equal(b.timeouts, 0, "held");
	b.top.training_i = 0;
	b.run(Limit - 80);
	b.tap.equal(b.timeouts, 0, "it had not begun anew");
	b.run(80);
	b.tap.equal(b.timeouts, 1, "time-out");
	b.tap.end();
}

void rollover(Bench &b)
{
	b.tap.begin("the fourth replay without progress waits until the link has trained");
	b.reset();
	b.add(6);
	b.add(6);
	b.run(60);
	b.expect(0, 1, "sent");
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < 3; i++) {
			b.nak(4095);
			b.run(60);
			b.expect(0, 1, "replay");
			b.tap.equal(b.top.retrain_o, 0, "no retraining");
		}
		b.nak(4095);
		b.run(60);
		b.tap.equal(b.top.retrain_o, 1, "retraining");
		b.tap.equal(b.rollovers, round + 1, "REPLAY_NUM rolled over");
		b.expect(0, ~0u, "nothing is sent");
		b.top.training_i = 1;
		b.run(60);
		b.tap.equal(b.top.retrain_o, 0, "asked for once");
		b.expect(0, ~0u, "nothing is sent");
		b.top.training_i = 0;
		b.run(60);
		b.expect(0, 1, "then the replay");
	}
	b.tap.end();

	b.tap.begin("progress resets REPLAY_NUM");
	b.reset();
	for (unsigned i = 0; i < 12; i++)
		b.add(6);
	b.run(300);
	b.sent.clear();
	for (unsigned i = 0; i < 10; i++) {
		b.nak(i);
		b.run(200);
	}
	b.tap.equal(b.rollovers, 0, "each Nak acknowledged one");
	b.tap.end();
}

void room(Bench &b)
{
	b.tap.begin("32 TLPs, and 2047 words, until an Ack");
	b.reset();
	for (unsigned i = 0; i < 40; i++)
		b.add(6);
	b.run(600);
	b.expect(0, 31, "sent");
	b.ack(0);
	b.run(60);
	b.expect(32, 32, "one more");
	b.reset();
	b.top.training_i = 1; /* so that no timer runs out meanwhile */
	for (unsigned i = 0; i < 5; i++)
		b.add(500);
	b.run(4 * 510 + 700);
	b.tap.equal(b.taken, 2047, "words");
	b.expect(0, 3, "sent");
	b.ack(1);
	b.run(2000);
	b.tap.equal(b.taken, 2500, "words");
	b.tap.end();

	b.tap.begin("while the link is down, all is forgotten");
	b.top.active_i = 0;
	b.top.training_i = 0;
	b.waiting.clear();
	b.at = 0;
	b.top.tlp_valid_i = 0;
	b.tick();
	b.words.clear();
	b.run(10);
	b.sent.clear();
	b.words.clear();
	b.given.clear();
	b.top.active_i = 1;
	b.timeouts = b.errors = 0;
	b.run(3 * Limit);
	b.tap.equal(b.timeouts, 0, "no timer runs");
	b.tap.equal(b.top.idle_o, 1, "idle");
	b.ack(0);
	b.run(3);
	b.tap.equal(b.errors, 1, "an Ack of one that was not sent since");
	b.add(8);
	b.run(40);
	b.expect(0, 0, "the first one again");
	b.ack(0);
	b.run(3 * Limit);
	b.expect(0, ~0u, "and once");
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	numbers(b);
	replays(b);
	timer(b);
	rollover(b);
	room(b);
	lossy(b, 10, 3000);
	lossy(b, 100, 12000);
	return b.tap.status();
}
