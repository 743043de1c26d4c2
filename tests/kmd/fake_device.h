/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device for the tests of kmd/ddi, of registers only: under the real miniport it
 * answers as the Ringfence device does, at once and without engines, until a test has it
 * answer nonsense. Slots are loaded and saved, records are written, updates of
 * MonitoredValues are stored. Slots perform as many packets as a test allows. Every register read is counted: what the driver does with
 * an answer may cost a bounded number of them.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "fake.h"
#include "rf_ddi_tables.h"
#include "rf_hw.h"
#include "rf_page_table.h"
#include "rf_slot.h"
#include "ringfence_hw.h"

/**
 * struct fake_device - the device
 * @fake: its bus; the miniport in it is not used
 * @ops: of the bus: as the fake's but for registers and resets
 * @fake_ops: as the fake's
 * @registers: of BAR 0
 * @reads: register reads so far
 * @memory_off: memory decode is off: reads give all ones, writes are dropped
 * @master_off: bus mastering is off: records fail, and no MSI is sent
 * @msi_off: no MSI is sent
 * @stuck: what is waited for never comes
 * @slow: reads of its register that each of these takes, of FAKE_FOREVER it never ends
 * @left: reads that those under way still take; by slot, or 0
 * @told: what the slot was told to do while that is under way
 * @commands: to slots so far
 * @stores: of updates under way, made when they are done
 * @storing: how many
 * @during_sleep: called when the driver sleeps between two looks, or NULL
 * @load_fails: a RESTORE loads nothing
 * @unheard: commands to a slot that was being loaded: there must be none
 * @reset_error: what a function reset returns
 * @resets: function resets that were asked for
 * @samples: times that a slot was told to look at its write-pointer record
 * @has_engines: slots perform WRITE, PROGRESS and NOP of their command buffers, and stand
 *               still at any other
 * @steps: so many of them, still
 * @late: what PROGRESS stores is not visible yet, and its record has not come
 * @late_address: of that
 * @late_value: ditto
 * @deaf: a RESAMPLE is not heard
 * @answer: has the last word on what a read returns, or NULL
 * @argument: for it
 */
enum fake_slow {
	FAKE_SLOW_INVALIDATE,
	FAKE_SLOW_UPDATE, /* of a MonitoredValue */
	FAKE_SLOW_LOAD,
	FAKE_SLOW_STOP, /* to save a context, or to be disabled */
	FAKE_SLOW_RESAMPLE,
	FAKE_SLOW_LOG,
	FAKE_SLOWS,
};

#define FAKE_FOREVER U32_MAX

struct fake_device {
	struct fake fake;
	struct rf_bus_ops ops;
	const struct rf_bus_ops *fake_ops;
	u64 registers[RF_BAR0_BYTES / 8];
	u64 reads;
	bool memory_off;
	bool master_off;
	bool msi_off;
	bool stuck;
	u32 slow[FAKE_SLOWS];
	u32 left[FAKE_SLOWS][RF_SLOT_INDEXED_COUNT];
	u64 told[RF_SLOT_INDEXED_COUNT];
	u32 unheard;
	u32 commands;
	bool load_fails;
	struct {
		u64 address, value;
	} stores[RF_UPDATE_FENCES_MAX];
	u32 storing;
	void (*during_sleep)(struct fake_device *device);
	int reset_error;
	u32 resets;
	u32 samples;
	bool has_engines;
	u64 steps;
	bool late;
	u64 late_address;
	u64 late_value;
	bool deaf;
	u64 (*answer)(struct fake_device *device, u64 offset, u64 value);
	u64 argument;
};

/* As after a function reset. */
void fake_device_clear(struct fake_device *device);

/* Slots may perform so many packets more, and do. */
void fake_device_run(struct fake_device *device, u64 steps);
/* What was late becomes visible, without a record. */
void fake_device_arrive(struct fake_device *device);

/* A device under the hosted shell, and an open file. */
struct device_world {
	struct fake_device device;
	struct rf_hosted *hosted;
	struct rf_hosted_device *shell;
	struct rf_file *file;
	u64 now; /* the clock of the watch */
};

struct device_world *device_world_new(void);
void device_world_destroy(struct device_world *world);
/* The watch looks, so much later. */
void device_world_look(struct device_world *world, u64 later);

/* Write a record, or fail to; tell the host unless that cannot be. */
void fake_device_record(struct fake_device *device, const struct rf_interrupt_record *record);
u64 *fake_device_register(struct fake_device *device, u64 offset);
void fake_device_set_state(struct fake_device *device, u32 slot, u64 state, u64 error);

#endif /* FAKE_DEVICE_H */
