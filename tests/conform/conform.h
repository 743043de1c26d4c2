/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conformance bench. A test is named after the requirement that it shows, such as
 * "S0-36.update_races_signal". It runs on a fresh target in its own process, and passes if it
 * returns. There are two kinds: `dev` tests drive the device over the bus (dev.h), `stack` tests
 * drive the whole driver through the user-mode library.
 *
 * The target is a simulated device in the test's process, or a real one: `stack` tests run on a
 * render node, `dev` tests on a bare PCIe function and on a board on a serial line. Tests that need
 * the simulation, or observe the DDI, are skipped there. Portable tests also run on a miniport that
 * somebody else wrote.
 */
#ifndef RF_CONFORM_H
#define RF_CONFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "../../host/setup.h"

enum rf_conform_kind {
	RF_CONFORM_DEV, /* gets a bus; no driver is loaded */
	RF_CONFORM_STACK, /* gets a device, opened by one process */
};

/*
 * The test needs the simulation: it acts in every cycle in turn, measures cycles, or needs
 * a link that breaks TLPs or a time-out shorter than a line takes.
 */
#define RF_CONFORM_SIM_ONLY 1u
/*
 * The test needs the root complex to be librfsim's, in front of a simulated device or at
 * the end of a serial line: it observes or sends TLPs, sets delays, injects faults.
 */
#define RF_CONFORM_ROOT_COMPLEX 64u
/* The miniport reports interrupts by queue (S0-126). */
#define RF_CONFORM_OPTIMIZED 2u
/* The driver patches addresses (NoDmaPatching 0); and does not preempt (PreemptionAware 0). */
#define RF_CONFORM_PATCHING 16u
#define RF_CONFORM_WINDOWS7 32u
/* Needs MonitoredValue in local memory; skipped on devices without. */
#define RF_CONFORM_SHADOW 4u
/* Needs the vector engine; skipped on devices without. */
#define RF_CONFORM_VECTOR 256u
/*
 * The test needs nothing but fences, queues and interrupts as the DDI has them, and so it runs on
 * any miniport (docs/bench-your-device.md). Of kind `stack`, without one of the flags above.
 */
#define RF_CONFORM_PORTABLE 128u
/* All queues have one doorbell (S3-9). */
#define RF_CONFORM_GLOBAL_DOORBELL 8u

struct rf_conform;

/**
 * struct rf_conform_test - one test
 * @name: requirement, dot, what must be true
 * @also: further requirements that it shows, separated by spaces, or NULL
 * @kind: target of the test
 * @flags: RF_CONFORM_*
 * @run: returns if the test passed
 */
struct rf_conform_test {
	const char *name;
	const char *also;
	enum rf_conform_kind kind;
	unsigned int flags;
	void (*run)(struct rf_conform *conform);
};

/**
 * struct rf_conform - context of a running test
 * @seed: of its random choices; printed when it fails
 * @device: name of a device that is not simulated; or NULL
 * @setup: world and device; for `stack` tests with the driver in it. On a render node
 *         nothing but the device, and on a bare function nothing; on a serial line there
 *         is a world, but its cycles are polls of the line
 * @bus: `dev` tests: the device, enumerated
 * @random: state of rf_conform_random()
 */
struct rf_conform {
	const struct rf_conform_test *test;
	uint64_t seed;
	const struct rfsim_string *string; /* of simulated devices that a test does not configure */
	const char *device;
	struct rf_setup setup;
	struct rf_bus *bus;
	uint64_t random;
};

/* End the test as failed. */
void rf_conform_fail(struct rf_conform *conform, const char *file, int line, const char *format,
		     ...) __attribute__((noreturn, format(printf, 4, 5)));
/* End the test as skipped; the reason is a property of the target. */
void rf_conform_skip(struct rf_conform *conform, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
/* A note for the results: what was swept, how often the window was hit. */
void rf_conform_note(struct rf_conform *conform, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define RF_CHECK(conform, condition, ...)                                          \
	do {                                                                       \
		if (!(condition))                                                  \
			rf_conform_fail(conform, __FILE__, __LINE__, __VA_ARGS__); \
	} while (0)

#define RF_CHECK_EQUAL(conform, got, want, what)                                                  \
	do {                                                                                      \
		uint64_t rf_got = (uint64_t)(got), rf_want = (uint64_t)(want);                    \
		if (rf_got != rf_want)                                                            \
			rf_conform_fail(conform, __FILE__, __LINE__,                              \
					"%s: got 0x%llx, want 0x%llx", what,                      \
					(unsigned long long)rf_got, (unsigned long long)rf_want); \
	} while (0)

uint64_t rf_conform_random(struct rf_conform *conform, uint64_t below);

/*
 * Replace the simulated device by a fresh one with this configuration, for tests with many
 * worlds. NULL: the default. The rules of the root complex are checked on the old one. On a real
 * device NULL means a reset; a board on a serial line is reset, and gets a root complex with this
 * configuration.
 */
void rf_conform_restart(struct rf_conform *conform, const struct rfsim_config *config);

/*
 * How many times longer than at the TLP seam a device may take for what it does: behind a PCIe link
 * more than 1. Sweeps go that much further, in larger steps, and limits of time are that much later.
 */
unsigned int rf_conform_stretch(const struct rf_conform *conform);
/*
 * Cycles from one round of a sweep to the next: 1. Behind a link, where a round takes far longer, @cycles
 * have about @rounds; an odd number, so that rounds begin at either place in a cycle of the device.
 */
uint64_t rf_conform_stride(const struct rf_conform *conform, uint64_t cycles, unsigned int rounds);
/* Cycles of the simulation in one of the device's clock: 2 behind a link, which has twice its rate. */
unsigned int rf_conform_clock(const struct rf_conform *conform);

/* The tests of one file, ended by an entry without a name. */
extern const struct rf_conform_test rf_conform_fence_tests[];
extern const struct rf_conform_test rf_conform_race_tests[];
extern const struct rf_conform_test rf_conform_wait_tests[];
extern const struct rf_conform_test rf_conform_log_tests[];
extern const struct rf_conform_test rf_conform_interrupt_tests[];
extern const struct rf_conform_test rf_conform_queue_tests[];
extern const struct rf_conform_test rf_conform_engine_tests[];
extern const struct rf_conform_test rf_conform_pcie_tests[];
extern const struct rf_conform_test rf_conform_change_tests[];
extern const struct rf_conform_test rf_conform_stack_tests[];
extern const struct rf_conform_test rf_conform_doorbell_tests[];
extern const struct rf_conform_test rf_conform_kernel_tests[];
extern const struct rf_conform_test rf_conform_packet_tests[];
extern const struct rf_conform_test rf_conform_driver_tests[];
extern const struct rf_conform_test rf_conform_monitored_tests[];
extern const struct rf_conform_test rf_conform_memory_tests[];
extern const struct rf_conform_test rf_conform_sched_tests[];
extern const struct rf_conform_test rf_conform_swap_tests[];
extern const struct rf_conform_test rf_conform_power_tests[];
extern const struct rf_conform_test rf_conform_order_tests[];
extern const struct rf_conform_test rf_conform_recovery_tests[];
extern const struct rf_conform_test rf_conform_hang_tests[];
extern const struct rf_conform_test rf_conform_storage_tests[];
extern const struct rf_conform_test rf_conform_cross_tests[];
extern const struct rf_conform_test rf_conform_cross_life_tests[];
extern const struct rf_conform_test rf_conform_peer_tests[];
extern const struct rf_conform_test rf_conform_linked_tests[];

#endif
