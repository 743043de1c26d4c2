/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the benches of `ringfence bench` share: the keys that they measure, and a device without a
 * driver, from whose events they compute distances. A failure ends the program.
 */
#ifndef RF_BENCH_H
#define RF_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../tests/conform/dev.h"
#include "recorder.h"
#include "ringfence_hw.h"

enum key {
	RING_TO_READ,
	RING_TO_READ_COLD,
	SIGNAL_TO_VALUE,
	VALUE_TO_MSIX_LOCAL,
	VALUE_TO_MSIX_LOGGED,
	VALUE_TO_MSIX_SYSTEM,
	RELEASE_LOCAL,
	RELEASE_SYSTEM,
	HOP_TWO_NODES,
	HOP_TWO_NODES_LOGGED,
	HOP_ONE_NODE,
	PREEMPT_IDLE,
	PREEMPT_SIGNALS,
	PREEMPT_WAIT,
	PREEMPT_COPY,
	PREEMPT_FILL,
	PREEMPT_VECTOR,
	RESUME_TO_PACKET,
	COPY_SPLIT,
	SIGNAL_INTERVAL,
	SIGNAL_SHARE,
	SIGNAL_LOGGED_SHARE,
	COPY_WRITE_SHARE,
	COPY_READ_SHARE_250NS,
	COPY_READ_SHARE_1US,
	COPY_READ_SHARE_4US,
	CROSS_RELEASE_CPU,
	CROSS_RELEASE_PEER,
	CROSS_RELEASE_PEER_500NS,
	INTERRUPTS_CROSS_CPU,
	INTERRUPTS_CROSS_PEER,
	INTERRUPTS_UNWAITED,
	INTERRUPTS_WAITED,
	HELD_ROUNDS,
	LINK_RING_TO_READ,
	LINK_VALUE_TO_MSIX,
	LINK_VALUE_TO_MSIX_SYSTEM,
	LINK_COPY_WRITE,
	LINK_COPY_READ_SHARE,
	LINK_COPY_READ_DLLPS,
	SIMULATED_SPEED,
	SUBMIT_INSTRUCTIONS,
	SIMULATION_INSTRUCTIONS,
	KEYS,
};

/*
 * A preemption: one read latency, the transfer of one chunk, and 200 cycles more. Reads
 * take READ_LATENCY in these benches, and an engine moves a word in each cycle.
 */
#define READ_LATENCY 32
#define PREEMPT_BOUND (READ_LATENCY + RF_PREEMPTION_CHUNK_BYTES / 8 + 200)

/* bench.c: store the value of a key and a note on it. */
void __attribute__((format(printf, 3, 4)))
rf_bench_set(enum key key, double value, const char *format, ...);
/* Does the filter of the command line name the key? */
bool rf_bench_wanted(enum key key);
/* End the program if @error is not 0; @what failed. */
void rf_bench_must(int error, const char *what);
/* File for the wave of a key, for free(); NULL: no waves are wanted. */
char *rf_bench_wave_path(enum key key);

/* --- bench_world.c: a device without a driver ---------------------------------------------- */

struct rf_bench {
	struct rf_conform conform;
	struct rf_dev dev;
	struct rf_recorder *recorder;
};

/* @ring: where the interrupt ring is */
void rf_bench_open(struct rf_bench *bench, const struct rfsim_config *config, enum rf_place ring);
void rf_bench_close(struct rf_bench *bench);

/* A wave of what @key is measured on, until rf_bench_wave_end(). */
void rf_bench_wave_begin(struct rf_bench *bench, enum key key);
void rf_bench_wave_end(void);

/* Any number of words as one submission, written but not yet rung. */
void rf_bench_append(struct rf_dev_queue *queue, const uint64_t *words, unsigned int count);
/* Record from the doorbell until the device is idle; it is idle before. */
void rf_bench_ring_and_settle(struct rf_bench *bench, struct rf_dev_queue *queue);

/* Cycles of recorded events. A value is performed when its TLP was accepted or local memory has it. */
uint64_t rf_bench_performed(struct rf_bench *bench, struct rf_spot value, uint64_t from);
uint64_t rf_bench_msix(struct rf_bench *bench, uint64_t from);
uint64_t rf_bench_ring_read(struct rf_bench *bench, const struct rf_dev_queue *queue);
/* The last beat of the doorbell's TLP. */
uint64_t rf_bench_rung(struct rf_bench *bench, const struct rf_dev_queue *queue);

/* --- bench_latency.c ------------------------------------------------------------------------- */

void rf_bench_signal(void);
void rf_bench_release(void);
void rf_bench_hop_two_nodes(void);
void rf_bench_hop_two_nodes_logged(void);
void rf_bench_hop_one_node(void);
void rf_bench_copy_split(void);

/* --- bench_cross.c ---------------------------------------------------------------------------- */

void rf_bench_cross(void);

/* --- bench_preemption.c ---------------------------------------------------------------------- */

void rf_bench_preempt(void);

/* --- bench_rate.c ---------------------------------------------------------------------------- */

void rf_bench_signal_interval(void);
void rf_bench_signal_wire(void);
void rf_bench_signal_logged_wire(void);
void rf_bench_copy_write(void);
void rf_bench_copy_read_250ns(void);
void rf_bench_copy_read_1us(void);
void rf_bench_copy_read_4us(void);
void rf_bench_speed(void);

#define RF_BENCH_COPY_BYTES (64u << 10)
/* A copy of so much to the other kind of memory, written but not yet rung. */
void rf_bench_append_copy(struct rf_dev_queue *queue, enum rf_place from);
/* Where its destination begins, there. */
#define RF_BENCH_COPY_OFFSET (512u << 10)

/* --- bench_link.c ---------------------------------------------------------------------------- */

void rf_bench_link(void);
void rf_bench_link_copy_write(void);
void rf_bench_link_copy_read(void);

/* --- bench_interrupts.c ---------------------------------------------------------------------- */

void rf_bench_unwaited(void);
void rf_bench_waited(void);
void rf_bench_held(void);

#endif
