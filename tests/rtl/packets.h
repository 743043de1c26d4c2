/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets as a host writes them, and what a node must hand over for each: the packet
 * semantics of ringfence.toml, written a second time. Hand-overs as seen at the ports
 * of the units.
 */
#ifndef RF_TEST_PACKETS_H
#define RF_TEST_PACKETS_H

#include <cstdint>
#include <vector>

#include "bits.h"
#include "harness.h"

namespace rf {

enum Opcode : unsigned {
	NOP = 0,
	SIGNAL = 1,
	WAIT = 2,
	WRITE = 3,
	TIMESTAMP = 4,
	PROGRESS = 5,
	BARRIER = 6,
	SOFTWARE_SIGNAL = 7,
	TRAP = 8,
	COPY = 0x10,
	FILL = 0x11,
	VECTOR = 0x20,
};
enum Unit : unsigned { FENCE, ENGINE, WAITING_UNIT, RECORD };
enum FenceKind : unsigned { F_SIGNAL, F_PROGRESS, F_WRITE, F_TIMESTAMP, F_WAIT_LOG };
enum Cause : unsigned {
	E_OPCODE = 1,
	E_LENGTH,
	E_FLAGS,
	E_ALIGNMENT,
	E_RING_ENTRY,
	E_LOG_INDEX,
	E_TRANSLATION,
	E_UNSUPPORTED,
	E_ABORT,
	E_POISONED,
	E_TIMEOUT,
	E_BUS_MASTER,
	E_ENGINE,
	E_OPERAND,
};
enum RecordKind : unsigned { R_ERROR = 3, R_SOFTWARE_SIGNAL, R_TRAP, R_PENDING };

struct Failure {
	unsigned error = 0, level = 0, store = 0;
	uint64_t address = 0;
};

/* One hand-over, as seen at a unit's port. Unused fields are 0. */
struct Action {
	unsigned unit = 0, kind = 0, vmid = 0;
	uint64_t a = 0, b = 0, c = 0, d = 0;
	bool log = false;
	bool operator==(const Action &o) const
	{
		return unit == o.unit && kind == o.kind && vmid == o.vmid && a == o.a && b == o.b &&
		       c == o.c && d == o.d && log == o.log;
	}
};

/* --- hand-overs at the ports; lsb is that of the node's part of the port ------------ */

template <class Wide> Action fence_action(const Wide &port, unsigned lsb)
{
	Action a;

	a.unit = FENCE;
	a.kind = bits(port, lsb + 25, 3);
	a.vmid = bits(port, lsb + 17, 4);
	if (a.kind == F_SIGNAL || a.kind == F_WAIT_LOG)
		a.log = bits(port, lsb + 16, 1);
	if (a.log)
		a.d = bits(port, lsb, 16) << 8;
	return a;
}
template <class Wide> unsigned fence_slot(const Wide &port, unsigned lsb)
{
	return bits(port, lsb + 21, 4);
}

template <class Wide> Action engine_action(const Wide &port, unsigned lsb)
{
	Action a;

	a.unit = ENGINE;
	a.kind = bits(port, lsb + 12, 8) | bits(port, lsb + 4, 8) << 8;
	a.vmid = bits(port, lsb, 4);
	return a;
}
template <class Wide> unsigned engine_progress(const Wide &port, unsigned lsb)
{
	return bits(port, lsb + 20, 32);
}

inline Action wait_action(unsigned port)
{
	Action a;

	a.unit = WAITING_UNIT;
	a.vmid = port & 15;
	return a;
}
inline unsigned wait_slot(unsigned port)
{
	return port >> 4 & 15;
}

/*
 * The words of a hand-over: the first one with it, the others in the cycles behind it, one in
 * each. Where they belong in the action; NULL: of no use, or none of the packet.
 */
typedef uint64_t Action::*Word;
inline std::vector<Word> words_of(const Action &a)
{
	std::vector<Word> words;

	if (a.unit == WAITING_UNIT)
		return { &Action::a, &Action::b };
	if (a.unit == ENGINE && (a.kind & 0xff) == VECTOR)
		return { nullptr, &Action::a, &Action::b, &Action::c, &Action::d };
	if (a.unit == ENGINE)
		return { &Action::a, &Action::b, &Action::c };
	words.push_back(a.kind == F_PROGRESS || a.kind == F_WAIT_LOG ? nullptr : &Action::a);
	if (a.kind != F_TIMESTAMP)
		words.push_back(&Action::b);
	if (a.log) {
		words.push_back(a.kind == F_SIGNAL ? &Action::c : nullptr);
		words.push_back(&Action::d);
	} else if (a.kind == F_SIGNAL) {
		words.push_back(&Action::c);
	}
	return words;
}
/* d of a fence operation has the index of its log entry in it already. */
inline void take_word(Action &a, Word word, uint64_t value)
{
	if (word)
		a.*word ^= value;
}

/* --- packets -------------------------------------------------------------------- */

inline uint64_t header(unsigned opcode, unsigned words, unsigned flags = 0, uint64_t argument = 0)
{
	return opcode | words << 8 | (uint64_t)flags << 16 | argument << 32;
}

typedef std::vector<uint64_t> Words;

inline void append(Words &to, const Words &from)
{
	to.insert(to.end(), from.begin(), from.end());
}

/*
 * One random legal packet and what it must hand over: the packet semantics of
 * ringfence.toml, written a second time.
 */
inline void random_packet(Random &r, unsigned vmid, unsigned node, Words &words,
			  std::vector<Action> &expected)
{
	uint64_t a = r.next() & ~7ull, b = r.next(), c = r.next() & ~7ull, d = r.next();
	unsigned index = r.below(0x10000);
	Action e;

	e.vmid = vmid;
	switch (r.below(12)) {
	case 0: {
		unsigned n = 1 + r.below(8);

		words.push_back(header(NOP, n));
		for (unsigned i = 1; i < n; i++)
			words.push_back(r.next());
		return;
	}
	case 1:
	case 2: {
		bool log = r.chance(30);

		append(words, { header(SIGNAL, log ? 5 : 4, log, index), a, b, c });
		if (log)
			words.push_back(d);
		e.unit = FENCE;
		e.kind = F_SIGNAL;
		e.a = a;
		e.b = b;
		e.c = c;
		e.log = log;
		e.d = log ? d ^ (uint64_t)index << 8 : 0;
		break;
	}
	case 3:
	case 4: {
		bool log = r.chance(30);

		append(words, { header(WAIT, log ? 4 : 3, log, index), a, b });
		if (log)
			words.push_back(d);
		e.unit = WAITING_UNIT;
		e.a = a;
		e.b = b;
		if (log) {
			expected.push_back(e);
			e.unit = FENCE;
			e.kind = F_WAIT_LOG;
			e.a = 0;
			e.log = true;
			e.d = d ^ (uint64_t)index << 8;
		}
		break;
	}
	case 5:
		append(words, { header(WRITE, 3), a, b });
		e.unit = FENCE;
		e.kind = F_WRITE;
		e.a = a;
		e.b = b;
		break;
	case 6:
		append(words, { header(TIMESTAMP, 2), a });
		e.unit = FENCE;
		e.kind = F_TIMESTAMP;
		e.a = a;
		break;
	case 7:
		append(words, { header(PROGRESS, 2), b });
		e.unit = FENCE;
		e.kind = F_PROGRESS;
		e.vmid = 0;
		e.b = b;
		break;
	case 8:
		words.push_back(header(BARRIER, 1));
		return;
	case 9: {
		bool trap = r.chance(50);

		if (r.chance(70)) { /* rare: the host is slow */
			words.push_back(header(BARRIER, 1));
			return;
		}
		if (trap)
			append(words, { header(TRAP, 2), b });
		else
			append(words, { header(SOFTWARE_SIGNAL, 3), b, d });
		e.unit = RECORD;
		e.kind = trap ? R_TRAP : R_SOFTWARE_SIGNAL;
		e.a = b;
		e.b = trap ? 0 : d;
		break;
	}
	default:
		e.unit = ENGINE;
		if (node == 1 && r.chance(50)) {
			e.kind = COPY;
			e.a = r.next();
			e.b = r.next();
			e.c = r.chance(20) ? 0 : r.next() >> 32;
			append(words, { header(COPY, 4), e.a, e.b, e.c });
		} else if (node == 1) {
			e.kind = FILL;
			e.a = r.next();
			e.b = r.next() >> 32;
			e.c = r.next();
			append(words, { header(FILL, 4), e.a, e.b, e.c });
		} else {
			unsigned operation = r.below(6);

			e.kind = VECTOR | operation << 8;
			e.a = r.next() & (operation == 5 ? ~7ull : ~3ull);
			e.b = r.next() & ~3ull;
			e.c = r.next() >> 34;
			e.d = operation == 0 ? r.next() : operation == 5 ? 0 : r.next() & ~3ull;
			append(words, { header(VECTOR, 5, 0, operation), e.a, e.b, e.c, e.d });
		}
	}
	expected.push_back(e);
}

} /* namespace rf */

#endif
