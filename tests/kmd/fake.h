/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fake device for the tests of kmd/core and kmd/hosted: a bus without hardware
 * behind it and a miniport that is the second implementer of the DDI.
 *
 * The fake does what a device must, in plain memory and at once, and keeps a diary
 * of the calls it got. A test plays the engines: fake_signal() is a GPU signal, or
 * its four steps one by one. Interrupts go through the bus, held and delivered as
 * the contract of rf_bus.h says.
 */
#ifndef FAKE_H
#define FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "hosted.h"
#include "kmd.h"
#include "ringfence_drm.h"

#define FAKE_LOCAL_BYTES (1u << 20)
#define FAKE_NODES 4
#define FAKE_NODE_KERNEL 2 /* takes no user-mode queues */
#define FAKE_NODE_PAGING 3 /* takes no queues of user mode at all */
#define FAKE_PHYSICAL_DOORBELLS 2
#define FAKE_DOORBELL_BASE 0x8000u
#define FAKE_PEER_PAGE 0x11000u
#define FAKE_PROCESSES 4
#define FAKE_SLOTS 16

/* --- bus -------------------------------------------------------------------------- */

struct fake_bus {
	struct rf_bus bus;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	u64 local[FAKE_LOCAL_BYTES / 8];
	bool has_dma;
	bool no_memory; /* none is mapped any more */
	u32 mapped; /* memories registered now */
	rf_bus_interrupt_fn handler;
	void *argument;
	struct fake_bus *first; /* of the same world: interrupts of all are held there */
	struct fake_bus *next; /* in a ring of them */
	u32 held; /* atomic */
	bool pending;
	bool delivering;
	u64 delivered;
	/* stores to BAR 0 */
	u64 last_offset;
	u64 last_value;
	u64 stores;
	/* called whenever interrupts are held or released: between any two steps that
	 * the core takes under a spinlock */
	void (*between)(void *argument);
	void *between_argument;
	/* called before a thread blocks, with the same argument */
	void (*blocks)(void *argument);
	/* called before each read of local memory, which it may change */
	void (*before_read)(struct fake_bus *bus, u64 offset, void *argument);
	void *before_read_argument;
};

void fake_bus_init(struct fake_bus *bus);
void fake_bus_destroy(struct fake_bus *bus);
/* Both are in one world; before either is used. */
void fake_bus_join(struct fake_bus *first, struct fake_bus *bus);
/* The device's MSI. */
void fake_bus_raise(struct fake_bus *bus);

/* --- miniport ------------------------------------------------------------------------ */

enum fake_call {
	FAKE_START_DEVICE,
	FAKE_STOP_DEVICE,
	FAKE_CREATE_PROCESS,
	FAKE_DESTROY_PROCESS,
	FAKE_REPLACE,
	FAKE_CREATE_FENCE,
	FAKE_OPEN_FENCE,
	FAKE_CLOSE_FENCE,
	FAKE_DESTROY_FENCE,
	FAKE_UPDATE_MONITORED,
	FAKE_UPDATE_CURRENT,
	FAKE_CREATE_CONTEXT,
	FAKE_DESTROY_CONTEXT,
	FAKE_SUSPEND,
	FAKE_RESUME_CONTEXT,
	FAKE_ENTER,
	FAKE_EVICT,
	FAKE_REARM,
	FAKE_CREATE_QUEUE,
	FAKE_DESTROY_QUEUE,
	FAKE_SUBMIT,
	FAKE_RESUME,
	FAKE_CREATE_PACKET_CONTEXT,
	FAKE_DESTROY_PACKET_CONTEXT,
	FAKE_SUBMIT_COMMAND,
	FAKE_PREEMPT,
	FAKE_BUILD_PAGING,
	FAKE_RENDER,
	FAKE_PATCH,
	FAKE_SET_LOG,
	FAKE_UPDATE_LOGS,
	FAKE_CREATE_DOORBELL,
	FAKE_CONNECT_DOORBELL,
	FAKE_DISCONNECT_DOORBELL,
	FAKE_DESTROY_DOORBELL,
	FAKE_NOTIFY,
	FAKE_F0,
	FAKE_F1,
	FAKE_D0,
	FAKE_D3,
	FAKE_ENGINE_STATUS,
	FAKE_DEPENDENT_GROUP,
	FAKE_RESET_ENGINE,
	FAKE_RESET_HW_ENGINE,
	FAKE_RESUME_HW_ENGINE,
	FAKE_RESET_ADAPTER,
	FAKE_RESTART_ADAPTER,
	FAKE_CALLS,
};

/* Points of an update at which a test may do something: 0 .. 3 in it, and these */
#define FAKE_POINT_TAKEN 4
#define FAKE_POINT_REFUSED 5

struct fake_update {
	struct fake_fence *fence;
	struct rf_value_address monitored;
	u64 value;
};

struct fake_mapping {
	struct rf_list link;
	void *h_process;
	struct rf_mem *mem;
	u32 flags;
	u64 address;
};

struct fake_fence {
	struct rf_list link;
	void *core; /* the core's global handle */
	struct rf_create_native_fence arguments;
	u64 shadow; /* MonitoredValue as the device knows it */
	bool destroyed;
	u32 opens;
};

struct fake_local {
	struct fake_fence *fence;
	struct rf_open_native_fence arguments;
};

struct fake_log {
	struct rf_set_native_fence_log_buffer arguments;
};

struct fake_doorbell {
	struct fake_queue *queue;
	struct rf_create_doorbell arguments;
	int physical; /* -1: none */
};

struct fake_context {
	struct rf_list link;
	struct rf_create_hw_context arguments;
	u64 suspend_fence; /* asked for last */
	u64 acknowledged;
	bool suspended;
};

#define FAKE_RING 4 /* submissions that the ring of a kernel-mode queue takes */

struct fake_queue {
	struct rf_list link;
	struct rf_create_hw_queue arguments;
	struct fake_context *context;
	bool resident;
	bool leaving;
	bool refused; /* late: it was, once */
	bool has_work; /* what the device finds when it looks */
	u64 seen; /* write pointer that reached the device */
	struct fake_log logs[2]; /* by log type - 1 */
	struct fake_doorbell *doorbell;
	u32 notified;
	u32 resampled;
	struct rf_submit_command_to_hw_queue ring[FAKE_RING];
	u32 submitted, completed; /* free-running */
	bool stopped; /* until it is resumed */
};

/* --- the packet model: fake_packets.c --- */

#define FAKE_PACKETS 16
#define FAKE_CONTEXT_BYTES 256

struct fake_packet_context {
	struct rf_list link;
	struct rf_create_context arguments;
	struct rf_create_context_allocation allocation; /* not of a system context */
};

struct fake_node {
	struct rf_submit_command packets[FAKE_PACKETS]; /* hardware queue, in order */
	u32 count;
	u64 last_completed;
	u64 preemption; /* id that is to be answered, or 0 */
	u64 reported; /* last completed, by an interrupt */
	u32 hardware_preemptions; /* that the hardware was asked for */
	struct fake_packet_context *current; /* on the node */
	/* all that was ever submitted */
	struct rf_submit_command diary[64];
	u32 diary_length;
};

/* What the device reports, and how. */
enum fake_report {
	FAKE_REPORT_EXACT, /* the fences */
	FAKE_REPORT_NULL, /* NULL array */
	FAKE_REPORT_LEGACY, /* NULL array, EvaluateLegacyMonitoredFences */
	FAKE_REPORT_NOTHING, /* none: a device that loses interrupts */
};

#define FAKE_RECORDS 4096
#define FAKE_REPORTS 1024

/* --- signals from device to device: fake_peers.c --- */

#define FAKE_WAITS 8

/* A queue in hardware that waits. */
struct fake_wait {
	struct fake_fence *fence; /* NULL: none */
	u64 value;
	bool released; /* atomic */
};

struct fake_peers {
	bool no_route; /* the bus does not */
	bool no_region; /* the device cannot use one */
	bool hold; /* words stay on the bus until fake_release_word(): the last one */
	bool late; /* what was written is looked up in fake_look_up(): the last one */
	u64 written;
	struct rf_mem *region;
	struct rf_mem *targets[RF_PEER_TARGETS_MAX];
	struct rf_set_peer_fence entries[RF_PEER_REGION_FENCES]; /* targets 0: not valid */
	struct rf_set_peer_fence held;
	/* before an entry is written, and after */
	void (*during_enter)(void *argument);
	void *enter_argument;
	struct fake_wait waits[FAKE_WAITS];
	u32 asked; /* for a route */
	u32 entries_written;
	u32 good, stale; /* words that came */
};

struct fake {
	struct fake_bus bus;
	pthread_mutex_t mutex; /* the device's own state */
	const struct rf_dxgk_callbacks *callbacks;
	void *h_core;
	struct rf_list mappings;
	struct rf_list fences; /* destroyed ones too */
	struct rf_list queues;
	struct rf_list contexts;
	struct fake_peers peers;
	struct fake_doorbell *physical[FAKE_PHYSICAL_DOORBELLS];
	u32 f1; /* nodes in F1 */
	bool d3;
	u64 next_address;
	u32 processes;

	/* knobs, set before or between calls */
	struct rf_driver_caps caps;
	struct rf_native_fence_caps native_caps;
	struct rf_user_mode_submission_caps submission_caps;
	bool asks; /* queries the feature, as S0-45 demands */
	bool fences_missing; /* in the table */
	u32 storage_segments; /* supported set; preferred: local if in it */
	enum fake_report report;
	bool no_device_resample; /* leave out S0-34: the core's must do alone */
	u32 residents_max; /* queues that make_hw_queue_resident takes */
	bool hold_preempted; /* evictions end with fake_preempted() only */
	bool notify_status; /* connect with CONNECTED_NOTIFY_KMD */
	bool scribbled; /* memory that processes can write holds anything */
	enum fake_call fail; /* this call fails, FAKE_CALLS: none */
	bool unmap_fails; /* the device may still use what is unmapped */
	bool end_fails; /* or the page tables of a process that ends */
	u32 hung; /* bit n: node n does not respond */
	bool obeys; /* it lets its work go nevertheless */
	struct fake_queue *on_engine; /* lost by a reset of its node, or NULL */
	u64 last_aborted; /* what reset_engine reports */
	u64 group; /* nodes that share an engine; 0: each has its own */
	void (*during_reset)(struct fake *fake); /* before resume_hw_engine is called */
	void (*during_update)(struct fake *fake, u32 point, void *argument);
	/* before a page is replaced; and after, when the old one may still be read */
	void (*during_replace)(struct fake *fake, u32 point, void *argument);
	void (*during_disconnect)(struct fake *fake, void *argument);
	/* before open_native_fence opens a fence, with the core's handle in the process */
	void (*during_open)(u32 handle, void *argument);
	/* in update_current_values_from_cpu with NotificationOnly */
	void (*during_notify)(struct fake *fake, void *argument);
	u32 idle; /* nodes that look_for_idle reports */
	void *argument;

	/* interrupt records: core handles of fences, NULL: of unknown; or queue */
	void *records[FAKE_RECORDS];
	u32 produced, consumed;
	bool monitored_signaled; /* a signal of a monitored fence */
	struct fake_queue *record_queue; /* optimised path: who ran */
	struct fake_queue *stop_queue;
	enum rf_stop_reason stop_reason;
	u64 stop_argument;
	u64 stop_value;
	struct rf_notify_interrupt_data reports[FAKE_REPORTS]; /* as they are */
	u32 reported, told;
	struct fake_queue *fault_queue;
	u32 fault_error;
	u64 fault_address;

	/* diary */
	enum fake_call diary[4096];
	u32 diary_length;
	u32 calls[FAKE_CALLS];
	u32 queries; /* looks at rings of queues that are out */
	struct rf_feature_native_fence_1 feature_table;
	struct rf_feature_native_fence_caps_1 os_caps;
	struct rf_feature_result feature_result;
	int interface_result;
	/* late: an update is taken by one call, refused by the next and done by a third; a queue
	 * is refused by one call, and then takes its time to come in */
	bool late;
	struct fake_update updates[RF_UPDATE_FENCES_MAX];
	u32 updates_taken;
	u32 refused;
	u32 isr_while_updating; /* must stay 0 (S0-38) */
	bool updating;
	u32 update_fences; /* of all updates */
	u32 update_current_fences;
	u32 notified_fences; /* of calls with NotificationOnly, not in the former */
	struct fake_fence *last_notified; /* the first of the last such call */
	bool always_signaled; /* one of these was so */
	u32 interrupts_raised;
	u64 time; /* of log timestamps */

	/* the packet model */
	struct fake_node nodes[FAKE_NODES];
	struct rf_list packet_contexts;
	u32 render_words; /* of a command that go into one DMA buffer */
	bool render_leaks; /* what is bound in a DMA buffer stays so */
	bool paging_stands; /* packets of the kernel do not complete by themselves */
	bool preempts_at_once; /* preempt_command is answered by an interrupt behind it */
	u32 context_segments, eviction_segments; /* of context allocations */
};

extern const struct rf_ddi fake_ddi;

/* Of fake_recovery.c */
bool fake_is_stuck(const struct fake *fake, u32 node);
int fake_query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments);
int fake_query_dependent_engine_group(void *h_adapter,
				      struct rf_query_dependent_engine_group *arguments);
int fake_reset_engine(void *h_adapter, struct rf_reset_engine *arguments);
int fake_reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments);
int fake_resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments);
int fake_reset_from_timeout(void *h_adapter);
int fake_restart_from_timeout(void *h_adapter);

/* Of fake_peers.c */
int fake_open_peer(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar, u64 offset,
		   u64 *bus_address);
void fake_close_peer(struct rf_bus *bus, u64 bus_address);
int fake_set_peer_region(void *h_adapter, const struct rf_set_peer_region *arguments);
int fake_connect_peer(void *h_adapter, const struct rf_connect_peer *arguments);
void fake_disconnect_peer(void *h_adapter, const struct rf_disconnect_peer *arguments);
void fake_set_peer_fence(void *h_adapter, const struct rf_set_peer_fence *arguments);
/* The device has forgotten its entries; how many it has. */
void fake_peers_reset(struct fake *fake);
u32 fake_entries(struct fake *fake);
/* A queue in hardware waits from now on; until it is over. */
struct fake_wait *fake_wait(struct fake *fake, struct fake_fence *fence, u64 value);
void fake_end_wait(struct fake *fake, struct fake_wait *wait);
void fake_reread_all(struct fake *fake);
/* The device has written there. */
void fake_written(struct fake *fake, u64 physical);
void fake_look_up(struct fake *fake);
/* The word that was held arrives. */
void fake_release_word(struct fake *fake);

void fake_init(struct fake *fake);
void fake_destroy(struct fake *fake);
static inline struct fake *fake_of(struct rf_bus *bus)
{
	return container_of(container_of(bus, struct fake_bus, bus), struct fake, bus);
}

/* --- contexts and their packets ---------------------------------------------------------- */

int fake_create_context(void *h_adapter, struct rf_create_context *arguments);
void fake_destroy_context(void *h_adapter, const struct rf_destroy_context *arguments);
int fake_submit_command(void *h_adapter, const struct rf_submit_command *arguments);
int fake_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments);
int fake_render(void *h_adapter, struct rf_render *arguments);
int fake_patch(void *h_adapter, const struct rf_patch *arguments);
int fake_build_paging_buffer(void *h_adapter, struct rf_build_paging_buffer *arguments);
/* The call is noted, and fails if the test wants it to. */
int fake_enter(struct fake *fake, enum fake_call call);

/* Of a process; of the kernel. */
struct fake_packet_context *fake_last_packet_context(struct fake *fake);
struct fake_packet_context *fake_system_context(struct fake *fake);
/* The oldest packet of a node is done; without the interrupt. */
void fake_finish_packet(struct fake *fake, u32 node);
/* With it. */
void fake_complete_packet(struct fake *fake, u32 node);
/* What is in the hardware queue is preempted. */
void fake_answer_preemption(struct fake *fake, u32 node);
void fake_fault_packet(struct fake *fake, u32 node, u32 error, u64 address);
/* Report as is; the first without an interrupt. */
void fake_make_report(struct fake *fake, const struct rf_notify_interrupt_data *data);
void fake_report(struct fake *fake, const struct rf_notify_interrupt_data *data);

/* --- what engines do -------------------------------------------------------------------- */

/* One access by an engine. -EFAULT: not mapped there, or a store to read-only. */
int fake_gpu_write(struct fake *fake, void *h_process, u64 address, u64 value);
int fake_gpu_read(struct fake *fake, void *h_process, u64 address, u64 *value);
/* Of an address in the system process. */
u64 fake_physical(struct fake *fake, u64 address);
/* As the device reaches memory: by its bus address, whether the kernel has an address or not. */
u64 fake_mem_read64(const struct rf_mem *mem, u64 offset);
void fake_mem_write64(struct rf_mem *mem, u64 offset, u64 value);

struct fake_fence *fake_last_fence(struct fake *fake);
struct fake_queue *fake_last_queue(struct fake *fake);
/* The oldest command buffer of a kernel-mode queue is done. */
void fake_complete(struct fake *fake, struct fake_queue *queue);
/*
 * A signal of a monitored fence by an engine: a store, and from one with advanced
 * support an interrupt behind it (S1-18).
 */
void fake_store(struct fake *fake, void *h_process, u64 address, u64 value);
void fake_store_and_interrupt(struct fake *fake, void *h_process, u64 address, u64 value);
u64 fake_current(struct fake *fake, struct fake_fence *fence);
/* MonitoredValue in memory. */
u64 fake_monitored(struct fake *fake, struct fake_fence *fence);

/* A GPU signal in its steps: CurrentValue, log, MonitoredValue, interrupt. */
struct fake_signal {
	struct fake_fence *fence;
	struct fake_queue *queue; /* NULL: not logged */
	u32 user_handle; /* of the log entry */
	u64 value;
	u64 monitored;
	u32 step;
};
#define FAKE_SIGNAL_STEPS 4
void fake_signal_step(struct fake *fake, struct fake_signal *signal);
/* All of them. */
void fake_signal(struct fake *fake, struct fake_fence *fence, u64 value);
void fake_signal_logged(struct fake *fake, struct fake_queue *queue, struct fake_fence *fence,
			u32 user_handle, u64 value);
void fake_log_append(struct fake *fake, struct fake_queue *queue, u32 type, u32 handle, u64 value,
		     u64 observed);
/* Write the log's {wraparound count, index} word. */
void fake_log_set_word(struct fake_queue *queue, u32 type, u64 word);
/* A packet asks the host, and the queue stands still. */
void fake_stop(struct fake *fake, struct fake_queue *queue, enum rf_stop_reason reason,
	       u64 argument, u64 value);
/* The device stops a queue. */
void fake_fault(struct fake *fake, struct fake_queue *queue, u32 error, u64 address);
/* The device tells of a queue: it could be evicted; it is out, and maybe waits. */
void fake_yield(struct fake *fake, struct fake_queue *queue, enum rf_yield_kind kind);
void fake_preempted(struct fake *fake, struct fake_queue *queue, struct fake_fence *fence,
		    u64 value);
/* A ring for a queue that is not resident. */
void fake_ring(struct fake *fake, struct fake_queue *queue);
/* A suspension is acknowledged, with any value. */
void fake_acknowledge(struct fake *fake, struct fake_context *context, u64 suspend_fence);
/* What a device does by and by: some queues finish or had their turn, or are out, and
 * suspensions are acknowledged. Returns whether there is still work. */
bool fake_step(struct fake *fake, u32 choice);
/* The device reports a state of an engine. */
void fake_engine_state(struct fake *fake, u32 node, enum rf_engine_state state);
/* Report whatever the records hold, as is. */
void fake_report_handle(struct fake *fake, void *core);
/* The driver takes a physical doorbell away. */
int fake_victimize(struct fake *fake, struct fake_queue *queue, enum rf_doorbell_status reason);

/* --- a world to test in -------------------------------------------------------------------- */

struct world {
	struct fake fake;
	struct rf_hosted *hosted;
	struct rf_hosted_device *device;
	struct rf_file *file; /* one process */
};

/* Knobs of world->fake may be set between the two. */
struct world *world_create(void);
void world_start(struct world *world);
/* Both at once. */
struct world *world_new(void);
/* Closes world->file, and checks that the fake has nothing left. */
void world_destroy(struct world *world);

struct kmd_statistics world_statistics(struct world *world);

/* Requests that must succeed, in few words */
struct drm_ringfence_fence_create make_fence(struct rf_file *file, u32 type, u32 flags,
					     u64 initial);
/* DEFAULT, flags 0 */
u32 make_default(struct rf_file *file, u64 initial);
void destroy_fence(struct rf_file *file, u32 fence);
u32 make_event(struct rf_file *file);
void destroy_event(struct rf_file *file, u32 event);
/* Event-form wait for one fence. */
u32 wait_event(struct rf_file *file, u32 fence, u64 value);
/* Result of looking at an event without waiting: 0 set, else -ETIMEDOUT or error. */
int look(struct rf_file *file, u32 event);
int signal_fence(struct rf_file *file, u32 fence, u64 value);
int wait_fence(struct rf_file *file, u32 fence, u64 value, u64 deadline);
int wait_fences(struct rf_file *file, const struct drm_ringfence_fence_value *values, u32 count,
		u32 flags, u64 deadline, u32 event);
u64 soon(u64 milliseconds);
u32 make_context(struct rf_file *file, u32 node, u32 priority);
/* user mode */
struct drm_ringfence_queue_create make_queue(struct rf_file *file, u32 node);
struct drm_ringfence_queue_create make_kernel_queue(struct rf_file *file, u32 node);
struct drm_ringfence_queue_create make_packet_queue(struct rf_file *file, u32 node, u32 priority);
/* A packet of a kernel-mode queue: @size bytes of @memory, which returns its progress value; empty
 * command buffer, wait, signal */
u64 submit_packet(struct rf_file *file, u32 queue, u32 memory, u32 size);
int submit_empty(struct rf_file *file, u32 queue, u32 memory);
int queue_wait(struct rf_file *file, u32 queue, u32 fence, u64 value);
int queue_signal(struct rf_file *file, u32 queue, u32 fence, u64 value);
struct drm_ringfence_memory_create make_memory(struct rf_file *file, u64 bytes, u32 flags);
void *map(struct rf_file *file, u64 offset);

/* A queue with its ring and doorbell */
struct rig {
	struct drm_ringfence_queue_create queue;
	struct drm_ringfence_memory_create memory; /* ring at 0, control at 2048 */
	struct drm_ringfence_doorbell_create doorbell;
	const volatile u64 *status;
	struct rf_doorbell_page *page;
	uint64_t page_bytes;
};

struct rig make_rig(struct rf_file *file, u32 node);
struct rig make_rig_in(struct rf_file *file, u32 node, u32 context);
void destroy_rig(struct rf_file *file, struct rig *rig);
u64 rig_status(const struct rig *rig);

/* The device takes the queue's write-pointer record up. */
void fake_sample(struct fake_queue *queue);
/* The physical doorbell of a queue is free, now that the callback returned. */
void fake_unbind(struct fake *fake, struct fake_queue *queue);

/* A test whose name is what must be true. */
#define TEST(name, function)                     \
	{                                        \
		name, function, NULL, NULL, NULL \
	}

#endif /* FAKE_H */
