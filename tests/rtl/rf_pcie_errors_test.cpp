/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error messages with any errors, enables and pauses: none that is reported is lost, none is
 * invented, and MSI-X messages are held back in time and no longer. What each error is:
 * rf_pcie_test.cpp.
 */
#include "Vrf_pcie_errors.h"
#include "harness.h"

namespace {

/* Bits of the structs, the last member in bit 0 */
enum {
	LinkFatal = 1,
	LinkCorrectable = 2,
	TimeOut = 4,
	Unexpected = 8,
	Poisoned = 16,
	PostedUnsupported = 32,
	Unsupported = 64,
	Malformed = 128,
};
enum { Correctable = 1, Nonfatal = 2, Fatal = 4, StatusUnsupported = 8, Serr = 16 };

unsigned status_of(unsigned errors)
{
	return (errors & (Unsupported | Unexpected | LinkCorrectable) ? Correctable : 0) |
	       (errors & (PostedUnsupported | Poisoned | TimeOut) ? Nonfatal : 0) |
	       (errors & (Malformed | LinkFatal) ? Fatal : 0) |
	       (errors & (Unsupported | PostedUnsupported) ? StatusUnsupported : 0);
}

/* Kinds of messages for these errors, by the specification's table of enables (6.2.6) */
unsigned reported(unsigned errors, unsigned enables)
{
	bool ur = enables & StatusUnsupported, serr = enables & Serr;
	unsigned kinds = 0;

	if (errors & (Unexpected | LinkCorrectable) || (errors & Unsupported && ur))
		kinds |= enables & Correctable;
	if (errors & (Poisoned | TimeOut) || (errors & PostedUnsupported && (ur || serr)))
		kinds |= serr ? Nonfatal : enables & Nonfatal;
	if (errors & (Malformed | LinkFatal))
		kinds |= serr ? Fatal : enables & Fatal;
	return kinds;
}

} // namespace

int main()
{
	Vrf_pcie_errors top;
	rf::Clock<Vrf_pcie_errors> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;

	top.reset_i = top.errors_i = top.enables_i = top.d3hot_i = 0;
	top.msix_idle_i = 1;
	top.message_ready_i = 0;

	for (unsigned round = 0; round < 6; round++) {
		tap.begin("no message is lost or invented, round " + std::to_string(round));
		unsigned owed = 0, fresh = 0, found = 0, messages = 0, late = 0, code = 0;
		bool offered = false, idle_before = false, hold_before = false;
		unsigned rate = 1 + round * 15, ready = round % 2 ? 20 : 80;

		clock.reset();
		for (unsigned n = 0; n < 40000; n++) {
			bool quiet = n % 1000 > 900;

			top.errors_i = !quiet && random.chance(rate) ? 1u << random.below(8) : 0;
			if (random.chance(2))
				top.enables_i = random.below(32);
			if (!quiet && random.chance(1))
				top.d3hot_i = !top.d3hot_i;
			top.msix_idle_i = random.chance(70);
			top.message_ready_i = random.chance(ready);
			top.reset_i = n % 9973 == 9000;
			top.eval();
			tap.equal(top.status_o, status_of(found), "status, a cycle later");
			/* What is found counts by the enables of the next cycle. */
			unsigned kinds =
				reported(top.d3hot_i ? found & ~TimeOut : found, top.enables_i);

			if (late && !top.d3hot_i)
				kinds |= reported(TimeOut, top.enables_i);
			late = top.d3hot_i && (late || found & TimeOut);
			if (top.message_valid_o) {
				unsigned kind = top.message_code_o == 0	  ? Correctable
						: top.message_code_o == 1 ? Nonfatal
									  : Fatal;

				tap.check(top.message_code_o != 2, "code");
				if (!offered) {
					/* It was chosen in the cycle before, by what waited then. */
					tap.check(owed & kind, "not invented", owed, kind);
					tap.check(hold_before, "MSI-X is held back before");
					owed = (owed & ~kind) | fresh;
				} else {
					tap.equal(top.message_code_o, code, "it stays");
				}
				tap.equal(top.signaled_o,
					  top.message_ready_i && kind != Correctable &&
						  top.enables_i & Serr,
					  "Signaled System Error");
				messages += top.message_ready_i;
			} else {
				tap.check(!offered, "it stays");
				tap.equal(top.signaled_o, 0, "Signaled System Error");
			}
			if (top.hold_o && !hold_before)
				tap.check(idle_before, "no MSI-X was on offer");
			offered = top.message_valid_o && !top.message_ready_i;
			code = top.message_code_o;
			tap.check(!(top.idle_o && (owed || fresh || offered)), "idle");
			if (quiet && n % 1000 > 990)
				tap.check(top.idle_o || ready < 50 || late, "idle in the end");
			owed |= fresh;
			fresh = kinds;
			found = top.errors_i;
			idle_before = top.msix_idle_i;
			hold_before = top.hold_o;
			if (top.reset_i) {
				owed = fresh = found = late = 0;
				offered = hold_before = false;
			}
			clock.tick();
		}
		/* All that is owed comes. */
		owed |= fresh;
		top.errors_i = 0;
		top.d3hot_i = 0;
		top.msix_idle_i = top.message_ready_i = 1;
		for (unsigned n = 0; n < 40; n++) {
			top.eval();
			if (top.message_valid_o)
				owed &= ~(top.message_code_o == 0   ? Correctable
					  : top.message_code_o == 1 ? Nonfatal
								    : Fatal);
			clock.tick();
		}
		tap.check(!owed || late, "forgotten", owed);
		tap.check(top.idle_o, "idle");
		tap.check(messages > 200, "messages", messages);
		tap.end();
	}

	tap.begin("MSI-X has a turn between two messages");
	clock.reset();
	top.enables_i = 31;
	top.errors_i = LinkCorrectable;
	top.message_ready_i = 1;
	top.msix_idle_i = 1;
	unsigned turns = 0, low = 0;
	for (unsigned n = 0; n < 400; n++) {
		top.eval();
		/* A vector that waits is on offer in the second cycle without hold, and is taken then. */
		low = top.hold_o ? 0 : low + 1;
		top.msix_idle_i = low != 2;
		turns += low == 2;
		clock.tick();
	}
	tap.check(turns > 40, "turns", turns);
	tap.end();

	tap.begin("four cycles from an error to its message");
	clock.reset();
	top.errors_i = 0;
	top.msix_idle_i = 1;
	top.message_ready_i = 0;
	clock.tick();
	top.errors_i = Malformed;
	clock.tick();
	top.errors_i = 0;
	for (unsigned n = 1; n < 4; n++) {
		tap.equal(top.message_valid_o, 0, "message");
		clock.tick();
	}
	tap.equal(top.message_valid_o, 1, "message");
	tap.equal(top.message_code_o, 3, "ERR_FATAL");
	tap.end();
	return tap.status();
}
