/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The miniport, watched. Between the graphics kernel and the miniport of every
 * `stack` test stands a table that notes each call and passes it on, in both
 * directions: what must happen between the two is seen at the interface that the
 * sources define, whatever is behind it.
 */
#ifndef RF_CONFORM_WATCH_H
#define RF_CONFORM_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rf_ddi;
struct rf_mem;

enum rf_watch_call {
	/* the driver asks the core */
	RF_WATCH_IS_FEATURE_ENABLED, /* value: feature; extra: enabled */
	RF_WATCH_QUERY_INTERFACE, /* value: feature; extra: result */
	RF_WATCH_DISCONNECT_CALLBACK, /* object: doorbell; other: queue; value: reason */
	/* value: type; extra: node; address: fences; other: queue;
	 * GPU_ENGINE_STATE_CHANGE: address: state;
	 * SUSPEND_CONTEXT_COMPLETED: address: fence; other: context */
	RF_WATCH_NOTIFY,
	RF_WATCH_NOTIFY_DMA, /* value: type; address: id; extra: PREEMPTED: last completed id */
	RF_WATCH_NOTIFY_FENCE, /* one of the array; object: core's global handle */
	/* the core asks the driver */
	RF_WATCH_QUERY, /* value: type; extra: DRIVER_CAPS: scheduling caps */
	RF_WATCH_CREATE_FENCE, /* core, object: global; value, address: CV, MV system address */
	RF_WATCH_OPEN_FENCE, /* object: local; other: global; value, address: CV, MV address */
	RF_WATCH_CLOSE_FENCE, /* object: local */
	RF_WATCH_DESTROY_FENCE, /* object: global */
	RF_WATCH_UPDATE_MONITORED, /* one of a batch; object: global; value; extra: batch size */
	RF_WATCH_UPDATE_CURRENT, /* ditto */
	RF_WATCH_CREATE_CONTEXT, /* object; value: node; extra: priority */
	RF_WATCH_SUSPEND, /* object: context; value: fence; extra: result */
	RF_WATCH_RESUME_CONTEXT, /* object */
	RF_WATCH_ENTER, /* object: queue; extra: result */
	RF_WATCH_EVICT, /* object: queue */
	RF_WATCH_CREATE_QUEUE, /* object; other: progress fence; value: flags; address: context */
	RF_WATCH_DESTROY_QUEUE, /* object */
	RF_WATCH_SUBMIT, /* object: queue; value: progress; address; extra: size, flags << 32 */
	RF_WATCH_SUBMIT_COMMAND, /* object: context; value: id; address; extra: size, flags << 32 */
	RF_WATCH_PREEMPT, /* value: id; extra: node */
	RF_WATCH_BUILD_PAGING, /* value: operation */
	RF_WATCH_PATCH, /* value: entries; extra: of these without an allocation */
	RF_WATCH_SET_LOG, /* object: queue; value: type; address: system; extra: entries; mem */
	RF_WATCH_UPDATE_LOGS, /* one of a batch; object: queue */
	RF_WATCH_CREATE_DOORBELL, /* object; other: queue; address: ring */
	RF_WATCH_CONNECT_DOORBELL, /* object; address: offset in BAR 0; value: status */
	RF_WATCH_DISCONNECT_DOORBELL, /* object */
	RF_WATCH_DESTROY_DOORBELL, /* object */
	RF_WATCH_NOTIFY_WORK, /* object: queue */
	RF_WATCH_F_STATE, /* extra: component; value: state */
	RF_WATCH_POWER, /* value: device state */
	RF_WATCH_ENGINE_STATUS, /* value: responsive; extra: node */
	RF_WATCH_RESET_ENGINE, /* value: last aborted fence id; extra: node; address: result */
	RF_WATCH_RESET_HW_ENGINE, /* value: result; extra: node */
	RF_WATCH_RESUME_HW_ENGINE, /* noted before it; extra: node */
	RF_WATCH_RESET_ADAPTER, /* value: result */
	RF_WATCH_RESTART_ADAPTER, /* value: result */
	RF_WATCH_INTERRUPT, /* interrupt service began */
	RF_WATCH_MAP, /* object: process or NULL; address; value: flags; mem */
	RF_WATCH_REPLACE, /* ditto */
	RF_WATCH_UNMAP, /* object: process or NULL; address; mem */
};

struct rf_watch_note {
	enum rf_watch_call call;
	const void *core;
	const void *object;
	const void *other;
	uint64_t value;
	uint64_t extra;
	uint64_t address;
	struct rf_mem *mem;
};

/**
 * struct rf_watch_change - what the watch does to calls that pass, all off at first
 * @null_array: the driver does not know which fences, or which queue, signalled
 * @extra_fence: core's global handle that the driver names in addition
 * @on_notify: called in each report of signalled fences, before the core hears of it
 * @connect_status: what connect_doorbell answers instead of CONNECTED
 * @connect_error: connect_doorbell fails
 * @on_disconnect: called before the core hears that a doorbell is taken away
 * @on_disconnected: called after that
 * @on_replace: called before a page is replaced for engines, and after it
 * @on_reset: called between reset_hw_engine and resume_hw_engine
 */
struct rf_watch_change {
	bool null_array;
	const void *extra_fence;
	void (*on_notify)(void *argument);
	uint32_t connect_status;
	int connect_error;
	void (*on_disconnect)(void *argument);
	void (*on_disconnected)(void *argument);
	void (*on_replace)(void *argument);
	void (*on_reset)(void *argument);
	void *argument;
};

extern struct rf_watch_change rf_watch_change;

/* The table around @ddi; notes and changes start empty. */
const struct rf_ddi *rf_watch(const struct rf_ddi *ddi);

/* What is behind the watch, and its adapter, for calls that the core makes on occasion. */
const struct rf_ddi *rf_watch_behind(void **h_adapter);
/* On a render node there is nothing to watch: tests that read notes are skipped. */
bool rf_watching(void);
/* What is known of the miniport, beside what everybody sees. */
#define RF_CHECK_WATCHED(conform, got, want, what)                \
	do {                                                      \
		if (rf_watching())                                \
			RF_CHECK_EQUAL(conform, got, want, what); \
	} while (0)

/* Forget the notes so far; mappings stay known. */
void rf_watch_clear(void);
size_t rf_watch_count(enum rf_watch_call call);
/* Note @index of these calls, counted from 0; NULL if there are not so many. */
const struct rf_watch_note *rf_watch_find(enum rf_watch_call call, size_t index);
/* Position of that note among all, or SIZE_MAX: for what came first. */
size_t rf_watch_position(enum rf_watch_call call, size_t index);
/* Interrupt services that began while an update of monitored values was under way. */
unsigned int rf_watch_overlaps(void);

/* Kernel addresses that were taken away from the driver when a call returned. */
size_t rf_watch_taken_away(void);

/* Memory behind a GPU address of any process, or NULL, and the place in it. */
struct rf_mem *rf_watch_memory(uint64_t address, uint64_t *offset);
/* The flags that it is mapped with. */
uint32_t rf_watch_map_flags(uint64_t address);
/* The word there, as the kernel reads it. */
uint64_t rf_watch_read(uint64_t address);

#endif
