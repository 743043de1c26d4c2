/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unit of a node without an engine: it takes nothing, tells nothing and asks memory for nothing,
 * whatever is written to its registers; records of the node pass.
 */
// module: rf_engine_unit
// parameters: -GEngine=0
#include "Vrf_engine_unit.h"
#include "bits.h"
#include "harness.h"

namespace {

using Top = Vrf_engine_unit;

const unsigned engine_register = 0x738, watchdog_register = 0x748; /* ringfence.toml, node 0 */
const uint64_t reset_bit = 1, hold_bit = 2, in_reset_bit = 4;

template <class Wide> uint64_t any(const Wide &wide)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < sizeof(wide) / 4; i++)
		bits |= wide[i];
	return bits;
}

class Bench {
public:
	Bench() : clock(top), random(rf::seed())
	{
		printf("# seed %" PRIu64 "\n", rf::seed());
		for (unsigned i = 0; i < sizeof(top.offer_i) / 4; i++)
			top.offer_i[i] = 0;
		rf::put(top.register_i, 87, 1, 0);
		top.max_payload_words_i = top.max_read_words_i = 16;
		top.node_record_valid_i = top.record_ready_i = top.record_show_i = 0;
		top.write_done_i = top.write_done_status_i = top.write_done_level_i = 0;
		clock.reset();
	}

	/* Others have accesses to memory, but none is this unit's. */
	void step()
	{
		top.read_ready_i = random.chance(50);
		top.write_ready_i = random.chance(50);
		top.write_data_ready_i = random.chance(50);
		top.response_valid_i = random.chance(50);
		rf::put(top.response_i, 0, 64, random.next());
		rf::put(top.response_i, 64, 11, random.next());
		rf::put(top.response_i, 75, 4, random.below(5)); /* 5 is the node's engine */
		top.eval();
		tap.equal(top.ready_o, 0, "an operation is taken");
		/* engine_result_t: done, preempted; progress, partial. The failure means nothing. */
		tap.equal(rf::bits(top.result_o, 171, 2), 0, "a result");
		tap.equal(rf::bits(top.result_o, 64, 32) | rf::bits(top.result_o, 0, 64), 0,
			  "what was done");
		tap.equal(top.read_valid_o | any(top.read_o), 0, "a read");
		tap.equal(top.write_valid_o | any(top.write_o), 0, "a write");
		tap.equal(top.write_data_valid_o | top.write_data_o, 0, "a word");
		clock.tick();
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}

	void write(unsigned address, uint64_t value)
	{
		rf::put_register(top.register_i, true, address, value);
		step();
		rf::put(top.register_i, 87, 1, 0);
	}

	uint64_t read(unsigned address)
	{
		rf::put_register(top.register_i, false, address, 0);
		step();
		rf::put(top.register_i, 87, 1, 0);
		return top.register_data_o;
	}

	Top top;
	rf::Clock<Top> clock;
	rf::Random random;
	rf::Tap tap;
};

} // namespace

int main()
{
	Bench b;

	b.tap.begin("nothing is taken, told or asked for");
	b.run(1000);
	b.tap.equal(b.top.busy_o, 0, "busy");
	b.tap.end();

	b.tap.begin("registers can be written, a hang is not told of, a reset ends");
	for (unsigned i = 0; i < 50; i++) {
		b.write(watchdog_register, 5 + i);
		b.tap.equal(b.read(watchdog_register), 5 + i, "WATCHDOG");
		b.write(engine_register, i & 1 ? reset_bit : hold_bit);
		b.run(100);
		b.tap.equal(b.read(engine_register), i & 1 ? reset_bit | in_reset_bit : hold_bit,
			    "ENGINE");
		b.write(engine_register, 0);
		b.run(10);
		b.tap.equal(b.read(engine_register), 0, "ENGINE");
		b.tap.equal(b.top.busy_o, 0, "busy");
		b.tap.equal(b.top.record_valid_o, 0, "a record");
	}
	b.tap.end();

	b.tap.begin("a record of the node passes");
	for (unsigned i = 0; i < 50; i++) {
		b.top.node_record_valid_i = 1;
		for (unsigned k = 0; k < 10 && !b.top.record_valid_o; k++)
			b.step();
		b.tap.equal(b.top.record_valid_o, 1, "on offer");
		for (unsigned show = 0; show < 8; show++) {
			b.top.record_show_i = show;
			b.top.eval();
			b.tap.equal(b.top.node_record_show_o, show, "the word that is asked for");
			b.top.node_record_i = b.random.next();
			b.top.eval();
			b.tap.equal(b.top.record_o, b.top.node_record_i, "word");
			b.tap.equal(b.top.node_record_ready_o, 0, "not taken yet");
		}
		b.top.record_ready_i = 1;
		b.top.eval();
		b.tap.equal(b.top.node_record_ready_o, 1, "taken");
		b.step();
		b.top.record_ready_i = b.top.node_record_valid_i = 0;
		b.run(5);
		b.tap.equal(b.top.record_valid_o, 0, "once");
	}
	b.tap.end();
	return b.tap.status();
}
