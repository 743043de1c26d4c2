/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what a device did, to measure distances and shares afterwards. */
#ifndef RF_RECORDER_H
#define RF_RECORDER_H

#include <stdint.h>

#include "events.h"
#include "rfsim.h"

struct rf_recorder;

/* NULL: no memory. */
struct rf_recorder *rf_recorder_create(struct rfsim_device *device);
void rf_recorder_destroy(struct rf_recorder *recorder);

/* Forget what was kept and keep what comes, until the end. */
void rf_recorder_begin(struct rf_recorder *recorder);
void rf_recorder_end(struct rf_recorder *recorder);

/* If the event is not found, the program ends. */

/* Cycle of the @number-th (from 0) of these events not before cycle @from. */
uint64_t rf_recorder_event(const struct rf_recorder *recorder, uint64_t events, uint64_t from,
			   unsigned int number);
/* First TLP not before @from with an address in @bytes from @address on. */
const struct rfsim_tlp *rf_recorder_tlp(const struct rf_recorder *recorder,
					enum rfsim_stream stream, uint64_t address, uint64_t bytes,
					uint64_t from);
/* First completion to the device not before @from. */
const struct rfsim_tlp *rf_recorder_completion(const struct rf_recorder *recorder, uint64_t from);

/*
 * The direction of the link with more bytes on it: all its wire bytes, and the share
 * of @rate bytes per cycle that the middle half of its TLPs took.
 */
uint64_t rf_recorder_wire_bytes(const struct rf_recorder *recorder);
double rf_recorder_share(const struct rf_recorder *recorder, uint32_t rate);

#endif
