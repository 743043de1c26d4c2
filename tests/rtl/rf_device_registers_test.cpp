/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of the device block, byte by byte, against a model from the reset on. */
// parameters: -GLocalMemoryLog2=20 -GTags=32 -GTimestampHz=62500000 -GVectorEngine=0
#include "Vrf_device_registers.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

namespace {

/* The bytes of data that strobe names, the others as they were. */
uint64_t merged(uint64_t old, uint64_t data, unsigned strobe)
{
	uint64_t mask = 0;

	for (unsigned b = 0; b < 8; b++)
		mask |= strobe >> b & 1 ? 0xffull << 8 * b : 0;
	return (old & ~mask) | (data & mask);
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_device_registers top;
	Clock<Vrf_device_registers> clock(top);
	Random random(seed());
	Tap tap;
	const uint64_t parameters =
		20ull << RF_DEVICE_PARAMETERS_LOCAL_MEMORY_LOG2_SHIFT |
		16ull << RF_DEVICE_PARAMETERS_SLOTS_SHIFT |
		8ull << RF_DEVICE_PARAMETERS_DOORBELLS_SHIFT |
		(uint64_t)RF_NODE_INDEXED_COUNT << RF_DEVICE_PARAMETERS_NODES_SHIFT |
		(uint64_t)RF_MSIX_VECTORS << RF_DEVICE_PARAMETERS_VECTORS_SHIFT |
		32ull << RF_DEVICE_PARAMETERS_TAGS_SHIFT |
		1ull << RF_DEVICE_PARAMETERS_MONITORED_SHADOW_SHIFT |
		0ull << RF_DEVICE_PARAMETERS_VECTOR_ENGINE_SHIFT;
	uint64_t time = 0, correlation = 0, correlated = 0, scratch = 0, liveness = 0;
	uint64_t timeout = RF_DEVICE_COMPLETION_TIMEOUT_RESET, want = 0, tests = 0, vectors = 0;
	bool test = false;

	printf("# seed %" PRIu64 "\n", seed());
	tap.begin("every register of the device block");
	for (unsigned i = 0; i < 60000; i++) {
		bool reset = i % 1000 == 0;

		if (reset) {
			put_register(top.register_i, false, 0, 0);
			put(top.register_i, 87, 1, 0);
			top.others_idle_i = 0;
			clock.reset(2);
			time = correlation = correlated = scratch = liveness = want = 0;
			timeout = RF_DEVICE_COMPLETION_TIMEOUT_RESET;
			vectors = 0;
			test = false;
		}
		tap.equal(top.timestamp_o, time, "timestamp");
		tap.equal(top.completion_timeout_o, timeout, "completion time-out");
		tap.equal(top.register_data_o, want, "data, 0 without a read");
		tap.equal(top.interrupt_test_valid_o, test, "interrupt test");
		tap.equal(top.interrupt_test_o, vectors, "its vectors");

		uint64_t address = 8 * random.below(13), data = random.next();
		unsigned strobe = random.chance(50) ? 0xff : random.next() & 0xff;
		bool valid = random.chance(60), write = random.chance(50);

		if (random.chance(5)) /* of another block */
			address |= 8ull << (4 + random.below(10));
		put_register(top.register_i, write, address, data, strobe);
		put(top.register_i, 87, 1, valid);
		top.others_idle_i = random.chance(50);
		want = 0;
		test = false;
		if (valid && !write) {
			switch (address) {
			case 0: /* type, version, offset of the next block */
				want = RF_BLOCK_TYPE_DEVICE | RF_DEVICE_BLOCK_VERSION << 16 |
				       0x200ull << 32;
				break;
			case RF_REG_DEVICE_PARAMETERS:
				want = parameters;
				break;
			case RF_REG_DEVICE_TIMESTAMP:
				want = time;
				break;
			case RF_REG_DEVICE_TIMESTAMP_HZ:
				want = 62500000;
				break;
			case RF_REG_DEVICE_CORRELATION:
				want = correlation;
				break;
			case RF_REG_DEVICE_CORRELATION_TIMESTAMP:
				want = correlated;
				break;
			case RF_REG_DEVICE_LIVENESS:
				want = liveness++;
				break;
			case RF_REG_DEVICE_STATUS:
				want = top.others_idle_i;
				break;
			case RF_REG_DEVICE_COMPLETION_TIMEOUT:
				want = timeout;
				break;
			case RF_REG_DEVICE_SCRATCH:
				want = scratch;
				break;
			default:
				break;
			}
		}
		if (valid && write) {
			switch (address) {
			case RF_REG_DEVICE_CORRELATION:
				correlation = merged(correlation, data, strobe);
				correlated = time;
				break;
			case RF_REG_DEVICE_COMPLETION_TIMEOUT:
				timeout = merged(timeout, data, strobe & 15);
				break;
			case RF_REG_DEVICE_SCRATCH:
				scratch = merged(scratch, data, strobe);
				break;
			case RF_REG_DEVICE_INTERRUPT_TEST:
				vectors = merged(0, data, strobe & 3);
				test = true;
				tests++;
				break;
			default:
				break;
			}
		}
		clock.tick();
		time++;
	}
	tap.check(tests > 500, "interrupts were tested", tests);
	tap.end();
	top.final();
	return tap.status();
}
