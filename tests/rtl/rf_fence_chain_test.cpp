// SPDX-License-Identifier: Apache-2.0
//
// Cycles from a fence operation to the MSI-X request, with the real memory system,
// ready sinks, and values in local memory: the budgets of rtl/README.md, of
// which the endpoint takes its part behind the MSI-X request.

#include "Vrf_fence_chain_tb.h"
#include "fence_model.h"
#include "page_tables.h"
#include "../../kmd/include/ringfence_hw.h"

using namespace rf;

namespace {

constexpr uint64_t kLocal = 0x80000000, kSystem = 0x40000000, kTable = 0xf000;

struct Bench {
	Vrf_fence_chain_tb top;
	uint64_t now = 0, accepted = 0, performed = 0, done = 0, msix = 0;
	unsigned beats = 0, beats_last = 0;
	bool offering = false;
	uint64_t words[4] = {};
	unsigned word = 0; /* that is shown */

	Bench()
	{
		top.rst_ni = 0;
		set(&top.register_i, 0, 88, 0);
		pack(&top.fence_i, 0, { { 3, 0 }, { 4, 1 }, { 21, 0 } }); /* the slot, before it */
		top.fence_valid_i = top.system_write_accepted_i = top.system_write_accepted_last_i =
			0;
		for (int i = 0; i < 4; i++)
			step();
		top.rst_ni = 1;
		top.local_write_valid_i = 0;
		run(300); /* the TLB is being swept, what a slot keeps is being cleared */
		/* One table for both VMIDs, whose root entries are leaves of 1 GiB. */
		local(kTable + 8 * (kLocal >> 30), rf::entry(rf::kLocalBit, rf::kReadWrite));
		local(kTable + 8 * (kSystem >> 30), rf::entry(kSystem, rf::kReadWrite));
		for (unsigned v = 0; v < 2; v++)
			reg(RF_REG_TRANSLATION_ROOT(v), rf::kLocalBit | kTable | 1);
	}
	void local(uint64_t address, uint64_t data)
	{
		top.local_write_valid_i = 1;
		top.local_write_address_i = address >> 3;
		top.local_write_data_i = data;
		for (unsigned i = 0; i < 4; i++)
			step();
		top.local_write_valid_i = 0;
	}
	void step()
	{
		top.clk_i = 0;
		top.eval();
		bool beat = top.system_write_valid_o, last = top.system_write_last_o;

		if (offering && top.fence_valid_i && top.fence_ready_o) {
			accepted = now;
			offering = false;
			word = 1;
		} else if (word && word < 3) {
			word++;
		}
		if (top.snoop_valid_o && top.snoop_address_o << 3 == 0x100)
			performed = now - 1; /* the snoop comes one cycle behind */
		if (top.fence_done_o)
			done = now;
		if (top.msix_valid_o)
			msix = now;
		top.clk_i = 1;
		top.eval();
		/* the posted stream takes a beat one cycle after it was offered */
		top.system_write_accepted_i = beat;
		top.system_write_accepted_last_i = beat && last;
		top.fence_valid_i = offering;
		top.word_i = words[word];
		now++;
	}
	void reg(uint64_t address, uint64_t data)
	{
		pack(&top.register_i, 0,
		     { { 1, 1 }, { 1, 1 }, { 14, address >> 3 }, { 64, data }, { 8, 0xff } });
		step();
		set(&top.register_i, 87, 1, 0);
	}
	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}
	void signal(uint64_t value, bool log, unsigned index)
	{
		pack(&top.fence_i, 0, { { 3, 0 }, { 4, 1 }, { 4, 1 }, { 1, log }, { 16, index } });
		words[0] = kLocal + 0x100;
		words[1] = value;
		words[2] = kLocal + 0x200;
		word = 0;
		offering = true;
		top.fence_valid_i = 1;
		top.word_i = words[0];
	}
};

void chain(Tap &tap, uint64_t ring, uint64_t logs, const char *name)
{
	Bench b;

	tap.begin(name);
	b.reg(RF_REG_SLOT_SIGNAL_LOG_ADDRESS(1), logs);
	b.reg(RF_REG_SLOT_LOG_ENTRIES(1), 84 << 16);
	b.reg(RF_REG_SLOT_LOG_SWITCH(1), 2);
	b.reg(RF_REG_INTERRUPT_RING_BASE, ring);
	b.reg(RF_REG_INTERRUPT_CONTROL, 1 | 7 << 4);
	b.reg(RF_REG_FENCE_UPDATE_CURRENT, kLocal + 0x100);
	b.reg(RF_REG_FENCE_UPDATE_MONITORED, kLocal + 0x200);
	b.run(100);
	b.reg(RF_REG_FENCE_UPDATE_VALUE, 0);
	b.run(100);
	/* whatever memory holds at first may have raised something */
	for (unsigned i = 0; i < 4; i++) {
		bool log = i >= 2;

		b.reg(RF_REG_INTERRUPT_CONSUMER, i);
		b.run(100);
		b.msix = 0;
		b.signal(i + 1, log, 0);
		b.run(100);
		if (i % 2 == 0) /* its pages were not in the TLB */
			continue;
		printf("# log %d: accepted to performed %d, performed to MSI-X request %d\n", log,
		       (int)(b.performed - b.accepted), (int)(b.msix - b.performed));
		tap.check(b.performed - b.accepted <= 6, "accepted to performed",
			  b.performed - b.accepted, 6);
		tap.check(b.msix > b.performed && b.msix - b.performed <= (log ? 17 : 10),
			  "performed to MSI-X request", b.msix - b.performed, log ? 17 : 10);
	}
	tap.end();
}

} /* namespace */

int main()
{
	Tap tap;

	chain(tap, kLocal + 0x4000, kLocal + 0x8000, "budgets with ring and log in local memory");
	chain(tap, kSystem + 0x4000, kLocal + 0x8000, "budgets with the ring in system memory");
	chain(tap, kSystem + 0x4000, kSystem + 0x8000,
	      "budgets with ring and log in system memory");
	return tap.status();
}
