/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every RTL unit test shares: a clock, a seeded random source and TAP
 * output. C++ because the Verilated model is.
 *
 * A test file tests/rtl/<module>_test.cpp drives the module of that name, or the one of a
 * line "// module: name"; "// parameters: -GName=value ..." is passed to Verilator. It prints one
 * "ok N - name" or "not ok N - name" per check group and returns non-zero on a
 * failure. RF_SEED in the environment replaces the default seed.
 */
#ifndef RF_TEST_HARNESS_H
#define RF_TEST_HARNESS_H

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#if VM_COVERAGE /* make coverage */
#include <verilated_cov.h>
#endif

namespace rf {

/* Writes what the models of a process counted, when it goes; what it writes is made first. */
struct Counts {
#if VM_COVERAGE
	Counts()
	{
		Verilated::threadContextp()->coveragep();
	}
	~Counts()
	{
		if (const char *file = getenv("RF_COVERAGE"))
			VerilatedCov::write(file);
	}
#endif
};

/* xorshift64*: the same sequence everywhere. */
class Random {
public:
	explicit Random(uint64_t seed) : state(seed ? seed : 1) {}
	uint64_t next()
	{
		state ^= state >> 12;
		state ^= state << 25;
		state ^= state >> 27;
		return state * 0x2545f4914f6cdd1dULL;
	}
	uint64_t below(uint64_t bound) { return next() % bound; }
	bool chance(unsigned percent) { return below(100) < percent; }

private:
	uint64_t state;
};

inline uint64_t seed()
{
	const char *text = getenv("RF_SEED");

	return text ? strtoull(text, nullptr, 0) : 1;
}

/* Counts checks of one named group and prints one TAP line for it. */
class Tap {
public:
	~Tap() { printf("1..%d\n", number); }
	void begin(const std::string &name)
	{
		group = name;
		failed = 0;
	}
	void check(bool good, const char *format, uint64_t got = 0, uint64_t want = 0)
	{
		if (good || failed++ > 4)
			return;
		printf("# %s: ", group.c_str());
		printf("%s: got 0x%" PRIx64 ", want 0x%" PRIx64 "\n", format, got, want);
	}
	void equal(uint64_t got, uint64_t want, const char *what)
	{
		check(got == want, what, got, want);
	}
	void end()
	{
		number++;
		printf("%s %d - %s\n", failed ? "not ok" : "ok", number, group.c_str());
		if (failed)
			printf("# repeat with RF_SEED=%" PRIu64 "\n", seed());
		bad += failed != 0;
		fflush(stdout);
	}
	int status() const { return bad != 0; }

private:
	Counts counts;
	std::string group;
	int failed = 0, number = 0, bad = 0;
};

/* One clock edge pair; the caller sets inputs before and reads outputs after. */
template <class Model> class Clock {
public:
	explicit Clock(Model &model) : top(model) {}
	void reset(unsigned cycles = 4)
	{
		top.rst_ni = 0;
		for (unsigned i = 0; i < cycles; i++)
			tick();
		top.rst_ni = 1;
		top.eval();
	}
	void tick()
	{
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
		cycle++;
	}
	uint64_t cycle = 0;

private:
	Model &top;
};

} /* namespace rf */

#endif
