/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_fence built without the MonitoredValue update port (MonitoredShadow = 0):
 * signals, their decision and NOTIFY are as ever; the port's registers read 0 and
 * do nothing.
 */
#include "Vrf_fence_plain_tb.h"
#include "../../kmd/include/ringfence_hw.h"
#include "harness.h"

namespace {

struct Bench {
	Vrf_fence_plain_tb top;
	rf::Clock<Vrf_fence_plain_tb> clock{ top };
	unsigned written = 0, records = 0, suppressed = 0, notified = 0, updates = 0;
	uint64_t value = 0, recorded = 0;

	void step()
	{
		top.eval();
		written += top.written_o;
		value = top.written_o ? top.written_value_o : value;
		records += top.record_o;
		recorded = top.record_o ? top.record_value_o : recorded;
		suppressed += top.suppressed_o;
		notified += top.notify_o;
		updates += top.update_o;
		clock.tick();
	}

	void signal(uint64_t new_value, uint64_t monitored)
	{
		top.signal_value_i = new_value;
		top.monitored_i = monitored;
		top.signal_valid_i = 1;
		for (top.eval(); !top.signal_ready_o; top.eval())
			step();
		step();
		top.signal_valid_i = 0;
		for (unsigned i = 0; i < 30; i++)
			step();
	}

	uint64_t access(bool write, unsigned address, uint64_t data)
	{
		top.register_valid_i = 1;
		top.register_write_i = write;
		top.register_address_i = address >> 3;
		top.register_data_i = data;
		step();
		top.register_valid_i = 0;
		top.eval();
		return top.register_data_o;
	}
};

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Bench b;
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned above = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	b.clock.reset();

	tap.begin("without the update port: S0-13 S0-14 a record above MonitoredValue only");
	for (unsigned i = 1; i <= 200; i++) {
		uint64_t value = random.next(),
			 monitored = random.chance(20) ? value : random.next();

		above += value > monitored;
		b.signal(value, monitored);
		tap.equal(b.written, i, "written");
		tap.equal(b.value, value, "CurrentValue");
		tap.equal(b.records, above, "records");
		tap.equal(b.suppressed, i - above, "suppressed");
		if (value > monitored)
			tap.equal(b.recorded, value, "value of the record");
	}
	tap.check(above > 50 && above < 150, "both decisions were met", above);
	tap.end();

	tap.begin("without the update port: its registers read 0 and do nothing");
	const unsigned port[] = { RF_REG_FENCE_UPDATE_CURRENT, RF_REG_FENCE_UPDATE_MONITORED,
				  RF_REG_FENCE_UPDATE_VALUE, RF_REG_FENCE_UPDATE_DONE };
	for (unsigned address : port) {
		b.access(true, address, 0x123456789abcdef8);
		for (unsigned i = 0; i < 30; i++)
			b.step();
	}
	for (unsigned address : port)
		tap.equal(b.access(false, address, 0), 0, "register");
	b.step();
	tap.equal(b.updates, 0, "cycles with a request of the port");
	tap.equal(b.written, 200, "written");
	tap.check(b.top.idle_o, "idle");
	tap.end();

	tap.begin("without the update port: the head of the block and NOTIFY are there");
	tap.check(b.access(false, RF_REG_FENCE_UPDATE_CURRENT - 0x10, 0) != 0, "head");
	b.access(true, RF_REG_FENCE_NOTIFY, 1);
	b.step();
	b.step();
	tap.equal(b.notified, 1, "notified");
	tap.end();
	b.top.final();
	return tap.status();
}
