/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * kmd/core: its objects and its locks. Nobody outside kmd/core includes this.
 *
 *   domain ─┬─ adapter ─┬─ file ─┬─ memory      GPU mapping of user memory
 *           │           │        ├─ context     queues suspended together
 *           │           │        ├─ instance    a fence in this process
 *           │           │        ├─ event
 *           │           │        └─ queue ─┬─ doorbell
 *           │           │                 └─ packet context
 *           │           ├─ node           packets of its contexts, in order
 *           └─ fence ───┴─ native fence         a fence on one adapter
 *
 * Locks, outermost first. What is said to be guarded by two is changed under both
 * and may be read under either.
 *
 *   adapter->mutex            PASSIVE. Life and death of everything on the adapter
 *                             and every PASSIVE call of the miniport.
 *   adapter->doorbell_mutex   PASSIVE. Where doorbell pages point. Apart from the
 *                             mutex because the miniport disconnects a victim from
 *                             inside the connect_doorbell of another.
 *   domain->wait_lock         DISPATCH. Waits, events, CurrentValue writes by the
 *                             CPU, the armed MonitoredValue, doorbell status words,
 *                             log reading. One lock, since a wait spans fences.
 *   adapter->device_lock      DEVICE. The interrupt service and its notes;
 *                             update_monitored_values (S0-38).
 *   table->lock               DEVICE. A handle table.
 *   adapter->limit_lock       DEVICE. Who has how much of what; a leaf.
 *
 * A pointer that was looked up is good as long as the lock it was looked up under
 * is held: fence instances and events under wait_lock or mutex, all others under
 * mutex. Destruction takes the handle out of its table, then takes wait_lock.
 */
#ifndef KMD_CORE_H
#define KMD_CORE_H

#include "heap.h"
#include "kmd.h"
#include "rf_list.h"
#include "ringfence_drm.h"

#define KMD_PAGE_BYTES 4096u
#define KMD_LOG_BYTES 4096u /* S0-100 */
#define KMD_LOG_BYTES_TRACE 65536u
#define KMD_PACKETS_MAX 1024u /* of a kernel-mode queue */

/* Least stride of values in a page (C23), and that of an adapter that names none */
#define KMD_VALUE_BYTES_MIN 8u
#define KMD_VALUE_STRIDE 64u

/* --- handles -------------------------------------------------------------------- */

enum kmd_kind {
	KMD_FREE,
	KMD_FENCE,
	KMD_EVENT,
	KMD_QUEUE,
	KMD_DOORBELL,
	KMD_CONTEXT,
};

struct kmd_slot {
	void *object;
	enum kmd_kind kind;
	u32 generation;
	u32 next_free;
};

/**
 * struct kmd_table - 32-bit handles to objects
 * @lock: guards everything below
 * @slots: slot 0 is not used
 * @size: of @slots
 * @first_free: head of the queue of free slots, 0 if empty
 * @last_free: its tail
 *
 * A handle is {generation[31:20], slot[19:0]}, never 0. Slots are reused in the
 * order in which they became free, each time under the next generation, so that
 * a stale handle is not taken for a new one before 4095 reuses of its slot.
 */
struct kmd_table {
	struct rf_spinlock lock;
	struct kmd_slot *slots;
	u32 size;
	u32 first_free;
	u32 last_free;
};

void kmd_table_init(struct kmd_table *table, struct rf_os *os);
void kmd_table_destroy(struct kmd_table *table);
/*
 * One caller at a time. -ENOMEM, -ENOSPC. PASSIVE. A handle without an @object (NULL) is reserved,
 * and not found before kmd_table_publish().
 */
int kmd_table_insert(struct kmd_table *table, enum kmd_kind kind, void *object, u32 *handle);
void kmd_table_publish(struct kmd_table *table, enum kmd_kind kind, u32 handle, void *object);
/* The object, or NULL for a handle that is stale or of another kind. Any level. */
void *kmd_table_find(struct kmd_table *table, enum kmd_kind kind, u32 handle);
/* The same, and the handle is stale from now on. */
void *kmd_table_remove(struct kmd_table *table, enum kmd_kind kind, u32 handle);

/* --- limits ---------------------------------------------------------------------- */

enum kmd_limit {
	KMD_LIMIT_FILES, /* of a user only */
	KMD_LIMIT_MEMORIES,
	KMD_LIMIT_SYSTEM_BYTES, /* of a user only, and so the next */
	KMD_LIMIT_LOCAL_BYTES,
	KMD_LIMIT_FENCES,
	KMD_LIMIT_EVENTS,
	KMD_LIMIT_WAITS, /* that no thread is blocked in */
	KMD_LIMIT_CONTEXTS,
	KMD_LIMIT_QUEUES,
	KMD_LIMIT_DOORBELLS,
	KMD_LIMIT_PACKETS, /* of kernel-mode queues */
	KMD_LIMITS,
};

/**
 * struct kmd_limits - the most of each; 0: as many as there are
 * @file: that a file may have
 * @user: that a user may have in all of his files
 */
struct kmd_limits {
	u64 file[KMD_LIMITS];
	u64 user[KMD_LIMITS];
};

/**
 * struct kmd_user - whoever has files
 * @link: in kmd_adapter.users
 * @id: the shell's number of him
 * @references: of files, and of fences, which may live longer
 * @used: of what there are limits of
 *
 * All guarded by limit_lock.
 */
struct kmd_user {
	struct rf_list link;
	u64 id;
	u32 references;
	u64 used[KMD_LIMITS];
};

void kmd_limits_init(struct kmd_limits *limits, u64 local_bytes);
/* With a reference; NULL: no memory. PASSIVE. */
struct kmd_user *kmd_user_get(struct kmd_adapter *adapter, u64 id);
/* The same, with another reference. */
struct kmd_user *kmd_user_share(struct kmd_adapter *adapter, struct kmd_user *user);
/* PASSIVE */
void kmd_user_put(struct kmd_adapter *adapter, struct kmd_user *user);
/*
 * The file, and its user, have that much more, or nothing happens: -EMFILE for files, -ENOSPC
 * for a file's limit, -EDQUOT for a user's, -EAGAIN for packets. Any level, here and below.
 */
int kmd_charge(struct kmd_file *file, enum kmd_limit limit, u64 amount);
void kmd_uncharge(struct kmd_file *file, enum kmd_limit limit, u64 amount);
/* The file alone, or its user. */
int kmd_charge_file(struct kmd_file *file, enum kmd_limit limit, u64 amount);
int kmd_charge_user(struct kmd_file *file, enum kmd_limit limit, u64 amount);
void kmd_uncharge_file(struct kmd_file *file, enum kmd_limit limit, u64 amount);
void kmd_uncharge_user(struct kmd_adapter *adapter, struct kmd_user *user, enum kmd_limit limit,
		       u64 amount);
/* 0; -EACCES: it needs RF_PRIVILEGE_PRIORITY. */
int kmd_check_priority(struct kmd_file *file, u32 priority);

/* --- domain and adapter ---------------------------------------------------------- */

/* Pending work of a domain: lists, the first of which that is not empty has the next step */
enum kmd_pending {
	KMD_PENDING_READY, /* kernel-mode queues that may go on, by kmd_queue.ready_link */
	KMD_PENDING_UNARMED, /* native fences whose MonitoredValue may be wrong */
	KMD_PENDING_COVERED, /* fences with waiters that are to be ended */
	KMD_PENDING_UNSCHEDULED, /* adapters whose queues may have to move */
	KMD_PENDING_WALKING, /* adapters whose objects are looked at one by one */
	KMD_PENDING_KINDS,
};

struct kmd_domain;
typedef void (*kmd_pending_step)(struct kmd_domain *domain);

/**
 * struct kmd_domain - adapters that may share fences
 * @os: host
 * @wait_lock: see the top of this file
 * @shared: shared fences, by kmd_fence.shared_link; guarded by @wait_lock
 * @units: steps that the hold of @wait_lock has left
 * @adapters: by kmd_adapter.domain_link; guarded by @wait_lock, as all that follows
 * @wedged: an adapter was marked as wedged, and its waits may have to end; atomic
 * @pending: work that is left, by kind
 * @steps: take a step from each of these lists, which is not empty
 * @busy: adapters whose device is at something that no interrupt ends, by kmd_adapter.busy_link:
 *        kmd_domain_go_on() is to be called as long as there are some
 */
struct kmd_domain {
	struct rf_os *os;
	struct rf_spinlock wait_lock;
	struct rf_list shared;
	u32 units;
	struct rf_list adapters;
	bool wedged;
	struct rf_list pending[KMD_PENDING_KINDS];
	const kmd_pending_step *steps;
	struct rf_list busy;
};

void kmd_domain_init(struct kmd_domain *domain, struct rf_os *os, const kmd_pending_step *steps);
/* Begin a hold of wait_lock; end it, with a part of the pending work; or both. Any level below
 * DEVICE. */
unsigned long kmd_wait_lock(struct kmd_domain *domain);
void kmd_wait_unlock(struct kmd_domain *domain, unsigned long flags);
unsigned long kmd_wait_relock(struct kmd_domain *domain, unsigned long flags);
/* What kmd_wait_unlock() does before it unlocks. wait_lock held, here and below. */
void kmd_flush_pending(struct kmd_domain *domain);
/* May the hold take one step more? Else what is left goes on a list of pending work. */
bool kmd_hold_spend(struct kmd_domain *domain);
/* One step more; if it was the last of this hold, the next one begins. */
unsigned long kmd_hold_step(struct kmd_domain *domain, unsigned long flags);

/* Chains in which queues are found, and contexts */
#define KMD_QUEUE_BUCKETS 256u

/**
 * struct kmd_walked - what is looked at in its turn, with all others of its kind
 * @link: in a list of kmd_adapter, behind those that have not had their turn in this walk
 * @round: kmd_adapter.walk_round, or .queue_round, when it had its turn
 *
 * Guarded by wait_lock.
 */
struct kmd_walked {
	struct rf_list link;
	u64 round;
};

/* Steps in one hold of wait_lock: so much is done with interrupts off, and no more */
#define KMD_HOLD_UNITS 256u

/* Rounds of loops in it, in core and miniport, as the hosted shell counts them */
#define KMD_HOLD_ROUNDS (8 * KMD_HOLD_UNITS)

/* Nodes of an adapter, and its slots: both are looked at one by one in a hold */
#define KMD_NODES_MAX 16u
#define KMD_SLOTS_MAX 64u

/* Adapter resets in this time that end recovery */
#define KMD_HANGS_MAX 6
#define KMD_HANGS_TIME 60000000000ull

/**
 * struct kmd_adapter - one device
 * @domain: its domain
 * @domain_link: in kmd_domain.adapters
 * @bus: where it is
 * @ddi: its miniport
 * @h_adapter: the miniport's handle
 * @vectors: interrupt vectors that it uses
 * @features: what is enabled
 * @asked_native_fence: the miniport asked for DXGK_FEATURE_NATIVE_FENCE (S0-45)
 * @caps: the miniport's answers
 * @native_caps: the same; valid with @native_fence
 * @submission_caps: the same; valid with @user_mode_submission
 * @native_fence: feature enabled and advertised: native-fence DDIs may be called
 * @user_mode_submission: the same for user-mode queues
 * @optimized_interrupt: the miniport names the queue, not the fences (S0-126)
 * @fatal: the driver broke the contract, or the device is gone; it is not used any more
 * @abandoned: and every wait has ended; guarded by wait_lock
 * @mutex: see the top of this file
 * @doorbell_mutex: ditto
 * @device_lock: ditto
 * @limit_lock: ditto
 * @limits: of files and users; written before there are any
 * @users: by kmd_user.link; guarded by @limit_lock
 * @files: by kmd_file.link; guarded by @mutex and wait_lock
 * @value_stride: bytes between values of different fences in one page
 * @fences: native fences, by kmd_native_fence.link; guarded by @mutex, wait_lock
 * @monitored_fences: the others; ditto
 * @queues: by kmd_queue.link; guarded by @mutex, wait_lock and @device_lock
 * @contexts: by kmd_context.link; guarded by @mutex, wait_lock and @device_lock
 * @doorbells: by kmd_doorbell.link; guarded by @mutex and @doorbell_mutex
 * @due: queues that could run and are not resident; guarded by wait_lock, as the next eight
 * @unscheduled_link: in kmd_domain.unscheduled
 * @busy_link: in kmd_domain.busy
 * @stalled: native fences that are not armed before the device is done with what it is at,
 *           by kmd_native_fence.unarmed_link
 * @visits: threads that look at the adapter without wait_lock, although it was found there
 * @in_slots: queues that are resident, those that are leaving included, by
 *            kmd_queue.slot_link
 * @residents: of these
 * @leaving: those that are leaving
 * @taken_slots: slots that nodes of the packet model have taken
 * @turns: counts what kmd_queue.since is about
 * @tdr_timeout: ns that whoever waits for an engine gives it
 * @asleep: in D3; changed under mutex, wait_lock and @device_lock
 * @globals: global fence handles, which interrupts name (C18)
 * @all_fences: native and monitored ones, by kmd_native_fence.walked; those that had their
 *              turn in this round of the walk are the last; guarded by wait_lock, as the
 *              next nine
 * @waited_fences: those of them whose values matter, by kmd_native_fence.waited; ditto
 * @all_queues: ditto, by kmd_queue.walked
 * @all_contexts: ditto, by kmd_context.walked
 * @all_events: ditto, by kmd_event.walked
 * @walk: KMD_WALK_*, what is done with which of them
 * @walk_nodes: whose logs are read for KMD_WALK_EVALUATE
 * @walk_round: counts walks of fences, contexts and events
 * @queue_round: and of queues: what is found in a log has fences walked, and no logs
 * @walking_link: in kmd_domain.walking
 * @signaled: note: native fences that interrupts named; guarded by @device_lock
 * @note_all: note: evaluate all native waiters; ditto
 * @note_legacy: note: evaluate legacy waiters too; ditto
 * @note_logs: note: look at all logs; ditto
 * @note_log_nodes: note: look at those of queues of these nodes; ditto
 * @noted: queues that have notes, by kmd_queue.noted_link; ditto
 * @note_work: note: a ring for queues that are out, whichever; ditto
 * @noted_contexts: contexts that have notes, by kmd_context.noted_link; ditto
 * @context_buckets: contexts by what the miniport calls them, by kmd_context.bucket; guarded
 *                   as @contexts
 * @buckets: queues by what the miniport calls them, by kmd_queue.bucket; guarded as @queues
 * @note_engines: note: there are notes about engines; ditto
 * @note_lost: note: the device needs a reset; ditto
 * @note_busy: note: the device is at something that no interrupt ends; ditto
 * @dpc_queued: queue_dpc was called; ditto
 * @nodes: by ordinal, as many as the caps say
 * @tdr_delay: ns without progress, by the clock of kmd_adapter_watch(), after which
 *             an engine is asked, and again until it is reset; changed under @mutex and
 *             wait_lock
 * @hangs: times of the last resets of the adapter, the oldest first; guarded by @mutex
 * @hang_count: how many; ditto
 * @missed: looks in a row that the device did not answer; ditto
 * @looked: when waiters and queues were looked at last, by that clock; ditto
 * @due_before: a queue was due then; ditto
 * @resetting: between the two halves of such a reset: the device is left alone; wait_lock
 * @reset_wanted: the driver cannot go on without one; atomic
 * @packet_cap: packets that a node's hardware queue takes
 * @paging: the kernel's context on the paging node, or NULL; guarded by @mutex
 * @context_allocations: by kmd_context_allocation.link; ditto
 * @promises_made: promises without a deadline yet, by kmd_wait.promise_link; guarded by wait_lock
 * @promises: the others, the earliest deadline first; ditto
 * @owed: the last look found promises; ditto
 * @work: doorbells are to be disconnected, packets freed, or engines change their state;
 *        guarded by wait_lock
 * @recover_engine: kmd_engine_recover(), for paging, which stands lower; mutex held
 * @observer: what the shell is told of, or NULL; guarded by mutex and wait_lock
 * @observer_argument: its argument
 * @trace: log trace or NULL; guarded by wait_lock
 * @trace_argument: its argument
 * @statistics: guarded by wait_lock, but for the interrupts: @device_lock
 */
struct kmd_adapter {
	struct kmd_domain *domain;
	struct rf_list domain_link;
	struct rf_bus *bus;
	const struct rf_ddi *ddi;
	void *h_adapter;
	u32 vectors;

	struct kmd_features features;
	bool asked_native_fence;
	struct rf_driver_caps caps;
	struct rf_native_fence_caps native_caps;
	struct rf_user_mode_submission_caps submission_caps;
	bool native_fence;
	bool user_mode_submission;
	bool optimized_interrupt;
	bool fatal;
	bool abandoned;
	u32 value_stride;

	struct rf_mutex mutex;
	struct rf_mutex doorbell_mutex;
	struct rf_spinlock device_lock;
	struct rf_spinlock limit_lock;

	struct kmd_limits limits;
	struct rf_list users;
	struct rf_list files;
	struct rf_list fences;
	struct rf_list monitored_fences;
	struct rf_list queues;
	struct rf_list contexts;
	struct rf_list doorbells;
	struct kmd_table globals;

	u32 due;
	struct rf_list unscheduled_link;
	struct rf_list busy_link;
	struct rf_list stalled;
	u32 visits;
	struct rf_list in_slots;
	u32 residents;
	u32 leaving;
	u32 taken_slots;
	u64 turns;
	u64 tdr_timeout;
	bool asleep;

	struct rf_list all_fences;
	struct rf_list waited_fences;
	struct rf_list all_queues;
	struct rf_list all_contexts;
	struct rf_list all_events;
	u32 walk;
	u32 walk_nodes;
	u64 walk_round;
	u64 queue_round;
	struct rf_list walking_link;

	struct rf_list signaled;
	bool note_all;
	bool note_legacy;
	bool note_logs;
	u32 note_log_nodes;
	bool note_work;
	struct rf_list noted_contexts;
	struct rf_list context_buckets[KMD_QUEUE_BUCKETS];
	struct rf_list noted;
	struct rf_list buckets[KMD_QUEUE_BUCKETS];
	bool note_engines;
	bool note_lost;
	bool note_busy;
	bool dpc_queued;

	bool work;
	struct kmd_node *nodes;
	u64 tdr_delay;
	u64 hangs[KMD_HANGS_MAX];
	u32 hang_count;
	u32 missed;
	u64 looked;
	bool due_before;
	bool resetting;
	bool reset_wanted;
	u32 packet_cap;
	struct kmd_packet_context *paging;
	struct rf_list context_allocations;
	struct rf_list promises_made;
	struct rf_list promises;
	bool owed;
	void (*recover_engine)(struct kmd_adapter *adapter, u32 node);
	const struct kmd_observer *observer;
	void *observer_argument;
	kmd_trace_fn trace;
	void *trace_argument;
	struct kmd_statistics statistics;
};

/* Of the chains, that of what the miniport calls so. wait_lock or device_lock held, here and
 * below. */
static inline struct rf_list *kmd_bucket(struct rf_list *buckets, const void *handle)
{
	uintptr_t hash = (uintptr_t)handle >> 5;

	return &buckets[(hash ^ hash >> 8 ^ hash >> 16) % KMD_QUEUE_BUCKETS];
}

static inline struct rf_list *kmd_queue_bucket(struct kmd_adapter *adapter, const void *h_hw_queue)
{
	return kmd_bucket(adapter->buckets, h_hw_queue);
}

static inline struct rf_list *kmd_context_bucket(struct kmd_adapter *adapter, const void *h_context)
{
	return kmd_bucket(adapter->context_buckets, h_context);
}

static inline bool kmd_adapter_is_fatal(const struct kmd_adapter *adapter)
{
	return __atomic_load_n(&adapter->fatal, __ATOMIC_ACQUIRE);
}

/* The driver broke the contract (S0-65): say so, and use the device no more. Any
 * level. The waits end with kmd_adapter_abandon(), which whoever holds wait_lock calls
 * next; what is noted at level DEVICE has the deferred part do so. */
void kmd_adapter_set_fatal(struct kmd_adapter *adapter, const char *reason);
/* Have every wait end with -ENODEV, and every doorbell be ABORT, now that it is. No spinlock held,
 * here and below. */
void kmd_adapter_end_waits(struct kmd_adapter *adapter);
/* The driver broke the contract, and waits end. */
void kmd_adapter_fail(struct kmd_adapter *adapter, const char *reason);

extern const struct rf_dxgk_callbacks kmd_callbacks;

/* Run what interrupts have put off, of calls of the miniport too. PASSIVE or DISPATCH. */
void kmd_adapter_run_deferred(struct kmd_adapter *adapter);
/* The process is lost, with all its queues. mutex held, and no spinlock. */
void kmd_file_lose(struct kmd_file *file);
/* The engine of a node does not answer in time: reset it, or else the adapter.
 * PASSIVE, mutex held, here and below. */
void kmd_engine_recover(struct kmd_adapter *adapter, u32 node);
/* The driver said that it cannot go on without a reset of the device: it gets one soon. Any
 * level. */
void kmd_adapter_want_reset(struct kmd_adapter *adapter);
static inline bool kmd_adapter_wants_reset(const struct kmd_adapter *adapter)
{
	return __atomic_load_n(&adapter->reset_wanted, __ATOMIC_ACQUIRE);
}

/* Does it make no progress since this was asked last? */
bool kmd_engine_is_hung(struct kmd_adapter *adapter, u32 node);
/* Nodes may have let their work go that were asked to. wait_lock held. */
void kmd_nodes_end_preemptions(struct kmd_adapter *adapter);
/* Reset a device that was reported lost. mutex held, here and below. */
void kmd_adapter_recover_lost(struct kmd_adapter *adapter);
/* It is lost: reset it. @now: of the clock of kmd_adapter_watch(). */
void kmd_adapter_reset(struct kmd_adapter *adapter, const char *reason, u64 now);
/* Look whether nodes that have work get on with it. */
void kmd_nodes_watch(struct kmd_adapter *adapter, u64 now);
/* Begin what HUNG asks for at once. */
void kmd_nodes_recover_hung(struct kmd_adapter *adapter);

/* Callbacks that live beside what they act on */
void kmd_invalidate_hw_context(void *h_core, const struct rf_invalidate_hw_context *arguments);
void kmd_notify_interrupt(void *h_core, const struct rf_notify_interrupt_data *data);
void kmd_queue_dpc(void *h_core);
int kmd_disconnect_doorbell(void *h_core, const struct rf_disconnect_doorbell_callback *arguments);
int kmd_create_context_allocation(void *h_core, struct rf_create_context_allocation *arguments);
int kmd_destroy_context_allocation(void *h_core,
				   const struct rf_destroy_context_allocation *arguments);
void kmd_synchronize_execution(void *h_core, void (*routine)(void *argument), void *argument);

/* --- files, memory ----------------------------------------------------------------- */

/**
 * struct kmd_share - what a process waits for on a node, in a band
 * @link: in kmd_node.due, if it has queues that are due
 * @queues: these, by kmd_queue.due_link, who has been so for longest first
 * @packet_link: in kmd_node.turns, if it has packets that wait
 * @packets: these, by kmd_dma.link, in the order in which they go
 *
 * Guarded by wait_lock.
 */
struct kmd_share {
	struct rf_list link;
	struct rf_list queues;
	struct rf_list packet_link;
	struct rf_list packets;
};

/**
 * struct kmd_file - a process on an adapter
 * @adapter: its adapter
 * @shell: the shell's side
 * @link: in kmd_adapter.files
 * @user: whose it is
 * @used: of what there are limits of; guarded by limit_lock
 * @h_process: the miniport's handle
 * @table: handles of fences, events, queues and doorbells
 * @memories: by kmd_memory.link; guarded by the adapter's mutex
 * @pages: pages of packed fence values, by kmd_value_page.link; ditto
 * @mappings: value pages mapped in this process, by kmd_mapping.link; ditto
 * @instances: by kmd_instance.link; ditto, and wait_lock
 * @events: by kmd_event.link; ditto
 * @lost: its work hung an engine or went with the adapter (S3-30); guarded by mutex
 * @guilty: it is to be; guarded by wait_lock
 * @shares: by node and band
 */
struct kmd_file {
	struct kmd_adapter *adapter;
	struct rf_file *shell;
	struct rf_list link;
	struct kmd_user *user;
	u64 used[KMD_LIMITS];
	void *h_process;
	struct kmd_table table;
	struct rf_list memories;
	struct rf_list pages;
	struct rf_list mappings;
	struct rf_list instances;
	struct rf_list events;
	bool lost;
	bool guilty;
	struct kmd_share *shares;
};

/* Its user has a file less. */
void kmd_file_leave_user(struct kmd_file *file);

/**
 * struct kmd_memory - user memory in the process's GPU address space
 * @link: in kmd_file.memories
 * @file: process
 * @handle: the shell's handle; 0 once it is destroyed
 * @references: the handle's and those of doorbells (S3-24) and of command buffers
 *              that the kernel submitted; guarded by the mutex
 * @mem: the memory
 * @gpu_address: where it is mapped
 * @charged: bytes that count for the user; 0: it is the kernel's own
 * @charged_as: of this kind
 */
struct kmd_memory {
	struct rf_list link;
	struct kmd_file *file;
	u32 handle;
	u32 references;
	struct rf_mem *mem;
	u64 gpu_address;
	u64 charged;
	enum kmd_limit charged_as;
};

/* The kernel's own, which engines of the process may read; with a reference, or NULL. mutex
 * held, here and below. */
struct kmd_memory *kmd_memory_create(struct kmd_file *file, u64 bytes);
/* With a reference, or NULL. */
struct kmd_memory *kmd_memory_get(struct kmd_file *file, u32 handle);
void kmd_memory_put(struct kmd_memory *memory);
/* Its handle goes. */
void kmd_memory_close(struct kmd_memory *memory);

/* Map memory for GPU accesses; process NULL is the system process. mutex held. */
int kmd_gpu_map(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem, u32 flags,
		u64 *address);
/* In the system process, where other memory was mapped before. */
int kmd_gpu_map_at(struct kmd_adapter *adapter, struct rf_mem *mem, u64 address);
/* A page instead of the one that is there. */
int kmd_gpu_replace(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		    u32 flags, u64 address);
void kmd_gpu_unmap(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		   u64 address);

/* --- storage of fence values ------------------------------------------------------- */

/* How a page of values is mapped; user mode never writes one (S0-2, S1-4). */
#define KMD_ACCESS_SYSTEM_PROCESS (1u << 0)
#define KMD_ACCESS_GPU (1u << 1) /* for engines of the process */
#define KMD_ACCESS_GPU_WRITE (1u << 2)
#define KMD_ACCESS_CPU (1u << 3) /* for user mode */

/**
 * struct kmd_value_page - a page of CurrentValues or of MonitoredValues
 * @link: in kmd_file.pages, if packed
 * @owner: process whose non-shareable fences are packed here (S0-25, S0-26); NULL:
 *         a page of one shareable fence (S0-27)
 * @type: of its fences
 * @value: which of the two values
 * @access: KMD_ACCESS_*
 * @mem: the page; replaced under the mutex and wait_lock
 * @old: the page before, while an engine may still read there, or NULL; ditto
 * @engines: what engines find instead, for good, or NULL: another page; ditto
 * @system_address: in the system process, or 0
 * @used: bit i: the value at i * stride is taken
 * @count: of values taken
 */
struct kmd_value_page {
	struct rf_list link;
	struct kmd_file *owner;
	enum rf_native_fence_type type;
	enum rf_fence_storage_value_type value;
	u32 access;
	struct rf_mem *mem;
	struct rf_mem *old;
	struct rf_mem *engines;
	u64 system_address;
	u64 used[KMD_PAGE_BYTES / KMD_VALUE_BYTES_MIN / 64];
	u32 count;
};

/* A value: its page and its place in it. */
struct kmd_value {
	struct kmd_value_page *page;
	u32 offset;
};

static inline struct rf_value_address kmd_value_address(const struct kmd_value *value)
{
	return (struct rf_value_address){ .mem = value->page->mem, .offset = value->offset };
}

static inline u64 kmd_value_system_address(const struct kmd_value *value)
{
	return value->page->system_address ? value->page->system_address + value->offset : 0;
}

/**
 * struct kmd_mapping - a value page in a process
 * @link: in kmd_file.mappings
 * @page: the page
 * @access: what of the page's access this process has
 * @references: instances that use it
 * @gpu_address: of the page; MonitoredValues are read only (C3); 0 without GPU access
 * @mmap_offset: read only; 0 if user mode gets none
 */
struct kmd_mapping {
	struct rf_list link;
	struct kmd_value_page *page;
	u32 access;
	u32 references;
	u64 gpu_address;
	u64 mmap_offset;
};

/* Where values of a type of fence are to lie; mutex held here and below. */
enum rf_mem_kind kmd_fence_storage(struct kmd_adapter *adapter, enum rf_native_fence_type type,
				   enum rf_fence_storage_value_type value);
int kmd_value_create(struct kmd_file *file, enum rf_native_fence_type type,
		     enum rf_fence_storage_value_type which, u32 access, enum rf_mem_kind kind,
		     bool shared, struct kmd_value *value);
void kmd_value_destroy(struct kmd_adapter *adapter, struct kmd_value *value);
/* Let a page of MonitoredValues leave local memory; false: there is none, or no room. */
bool kmd_value_page_demote(struct kmd_adapter *adapter);
/* From now on engines find another page, in which this value is @number; what is stored in
 * the page itself is the CPU's alone. Without memory for that nothing changes. */
void kmd_value_detach(struct kmd_adapter *adapter, const struct kmd_value *value, u64 number);
/* If the value's page is moving: on return whoever read another number in the old place has
 * made its CurrentValue visible. wait_lock held. */
void kmd_value_write_old(const struct kmd_value *value, u64 number);
int kmd_mapping_get(struct kmd_file *file, struct kmd_value_page *page, u32 access,
		    struct kmd_mapping **mapping);
void kmd_mapping_put(struct kmd_file *file, struct kmd_mapping *mapping);

/* --- fences ------------------------------------------------------------------------- */

/**
 * struct kmd_native_fence - a fence on one adapter
 * @fence: the fence
 * @adapter: the adapter
 * @link: in kmd_adapter.fences; of a monitored fence in kmd_adapter.monitored_fences
 * @monitored: where MonitoredValue is; of a monitored fence a word that is always 0, if
 *             it has GPU access; all else below is for native fences only
 * @monitored_value: what the device was last told
 * @unknown: it may have another than that
 * @posted: it may not go by that yet
 * @dying: it ends, and is looked at no more
 * @unarmed_link: in kmd_domain.unarmed or kmd_adapter.stalled
 * @signaled_link: in kmd_adapter.signaled; guarded by device_lock
 * @walked: in kmd_adapter.all_fences; of monitored fences, too, as the next one
 * @waited: in kmd_adapter.waited_fences, while its value matters: see kmd_fence_follow()
 * @handle: the core's global handle, which interrupts name
 * @h_global: the miniport's
 */
struct kmd_native_fence {
	struct kmd_fence *fence;
	struct kmd_adapter *adapter;
	struct rf_list link;
	struct kmd_value monitored;
	u64 monitored_value;
	bool unknown;
	bool posted;
	bool dying;
	struct rf_list unarmed_link;
	struct rf_list signaled_link;
	struct kmd_walked walked;
	struct kmd_walked waited;
	u32 handle;
	void *h_global;
};

/**
 * struct kmd_fence - a native or a monitored fence, above adapters
 * @is_native: it is a native fence
 * @gpu_access: engines can reach it
 * @type: DEFAULT or INTRA_GPU; a monitored fence lies where a DEFAULT one does
 * @user: whose it counts for, as long as it lives; with a reference
 * @share_token: with which other processes open it; 0: not shared
 * @shared_link: in kmd_domain.shared
 * @is_narrow: engines update the low 32 bits of CurrentValue, and that is all there is
 *             in memory (C7)
 * @last: narrow: CurrentValue in 64 bits when it was last looked at; guarded by wait_lock
 * @references: of instances, shares and signal packets; guarded by the adapter's mutex
 * @current_value: where CurrentValue is
 * @waiters: CPU waiters by value; guarded by wait_lock
 * @covered_link: in kmd_domain.covered; ditto
 * @suspect: the waiter that the watchdog found covered at its last look, or NULL; ditto
 * @error: 0, or what waits that are not satisfied end with: its queue is lost, or the device
 * @always_signaled: whoever was to signal it is lost: it has the greatest value for good
 *                   guarded by wait_lock
 * @keeps_value: not so this one (NoSignalMaxValueOnTdr)
 * @native: its part on the adapter that it was made on
 */
struct kmd_fence {
	bool is_native;
	bool gpu_access;
	bool is_narrow;
	u64 last;
	enum rf_native_fence_type type;
	struct kmd_user *user;
	u64 share_token;
	struct rf_list shared_link;
	u32 references;
	struct kmd_value current_value;
	struct kmd_heap waiters;
	struct rf_list covered_link;
	const struct kmd_heap_node *suspect;
	int error;
	bool always_signaled;
	bool keeps_value;
	struct kmd_native_fence native;
};

/**
 * struct kmd_instance - a fence in a process
 * @link: in kmd_file.instances
 * @file: process
 * @fence: fence
 * @handle: in kmd_file.table
 * @flags: DRM_RINGFENCE_FENCE_NO_SIGNAL and NO_WAIT
 * @h_local: the miniport's handle; native fences only
 * @current_mapping: CurrentValue's page in the process
 * @monitored_mapping: MonitoredValue's, or NULL
 * @queue: it is this queue's progress fence, or NULL; the queue outlives it
 * @waiters: waits of this process, by kmd_waiter.instance_link; guarded by wait_lock
 */
struct kmd_instance {
	struct rf_list link;
	struct kmd_file *file;
	struct kmd_fence *fence;
	u32 handle;
	u32 flags;
	void *h_local;
	struct kmd_mapping *current_mapping;
	struct kmd_mapping *monitored_mapping;
	struct kmd_queue *queue;
	struct rf_list waiters;
};

/* CurrentValue now, which engines of its processes may change at any moment; what the signaller
 * wrote before it is visible after. wait_lock held. */
u64 kmd_fence_read(struct kmd_fence *fence);
/* May the fence be signalled with @value, or waited for when it has the value @now? 0 or -ERANGE
 * (C7). wait_lock held, here and below. */
int kmd_fence_check_signal(struct kmd_fence *fence, u64 value);
int kmd_fence_check_wait(const struct kmd_fence *fence, u64 now, u64 value);
/* Store a monitored fence's value from the CPU. */
void kmd_monitored_fence_write(struct kmd_fence *fence, u64 value);
/* The greatest value is where it has to be, of a fence that is always signalled. */
void kmd_fence_store_always(struct kmd_fence *fence);
/* Let the fence have the greatest value for good. */
void kmd_fence_signal_always(struct kmd_fence *fence);
/* Keep engines from what the CPU sees of such fences. mutex held. */
void kmd_fences_detach(struct kmd_adapter *adapter);
/* Do so with what the process could signal. mutex held; wait_lock with @flags, which
 * may be given back meanwhile. */
unsigned long kmd_fences_give_up(struct kmd_file *file, unsigned long flags);

/* mutex held; type and flags as of the request; @queue: whose progress fence it is, or NULL */
int kmd_fence_create(struct kmd_file *file, u32 type, u32 flags, u64 initial_value,
		     struct kmd_queue *queue, struct kmd_instance **instance);
void kmd_fence_put(struct kmd_fence *fence);
/* Nothing waits through it. */
void kmd_instance_destroy(struct kmd_instance *instance);
void kmd_instance_mapping(const struct kmd_instance *instance,
			  struct drm_ringfence_fence_mapping *mapping);

/* May this process signal the fence from the CPU? 0, -EOPNOTSUPP or -EACCES. */
int kmd_instance_check_signal(const struct kmd_instance *instance);

/* A fence and the value that it is to get. */
struct kmd_signal {
	struct kmd_fence *fence;
	u64 value;
};

/* Signal up to DRM_RINGFENCE_OBJECTS_MAX fences from the CPU; -ENODEV: the driver broke
 * its contract. wait_lock held. */
int kmd_fences_signal(struct kmd_adapter *adapter, const struct kmd_signal *signals, u32 count);

/* --- waits and events ---------------------------------------------------------------- */

/**
 * struct kmd_waiter - one fence of a wait
 * @node: in kmd_fence.waiters, by value
 * @wait: its wait
 * @instance: through which the fence was named
 * @instance_link: in kmd_instance.waiters; on no list: does not wait any more
 */
struct kmd_waiter {
	struct kmd_heap_node node;
	struct kmd_wait *wait;
	struct kmd_instance *instance;
	struct rf_list instance_link;
};

/**
 * struct kmd_wait - a thread, an event, a function or a kernel-mode queue that waits for fences
 * @adapter: for the statistics
 * @charged: event and function form: the file that it counts for; else NULL
 * @over: nobody waits any more, and @result says how it ended
 * @result: 0 or a negative errno
 * @remaining: waiters that have to be satisfied still
 * @count: of @waiters
 * @complete: called once when it is over, and all else is done: the wait belongs to it
 * @owner: for @complete: what waits
 * @completion: of a thread that is blocked: complete when over
 * @event_link: of an event: in kmd_event.waits
 * @notify: of a function: it, and @owner is its argument
 * @promise_link: in kmd_adapter.promises_made or .promises, if it has to be within time
 * @deadline: until when, once it is in the second
 * @waiters: the fences
 *
 * All guarded by wait_lock.
 */
struct kmd_wait {
	struct kmd_adapter *adapter;
	struct kmd_file *charged;
	bool over;
	int result;
	u32 remaining;
	u32 count;
	void (*complete)(struct kmd_wait *wait, int result);
	void *owner;
	struct rf_completion completion;
	struct rf_list event_link;
	kmd_notify_fn notify;
	struct rf_list promise_link;
	u64 deadline;
	struct kmd_waiter waiters[];
};

/* For @count fences, all of them or any; over. NULL: no memory. PASSIVE. */
struct kmd_wait *kmd_wait_create(struct kmd_adapter *adapter, u32 count, bool any);
/* It is to outlive its request: it counts for the file until it ends. -ENOSPC, -EDQUOT. */
int kmd_wait_charge(struct kmd_wait *wait, struct kmd_file *file);
/* Over. PASSIVE. */
void kmd_wait_free(struct kmd_wait *wait);
/* Wait for one fence, again and again with the same wait. wait_lock held. */
void kmd_wait_for_one(struct kmd_wait *wait, struct kmd_instance *instance, u64 value);
/*
 * Look the fences up, and let the wait begin for those that are not reached; what is
 * reached is never armed for (S0-44). 0: it is over already; 1: it has begun; else a
 * negative errno. wait_lock held.
 */
int kmd_wait_begin(struct kmd_file *file, struct kmd_wait *wait,
		   const struct drm_ringfence_fence_value *values);
/* Nobody is told. wait_lock held. */
void kmd_wait_cancel(struct kmd_wait *wait);
/* It is over: kmd_wait.complete() is called. wait_lock held, here and below. */
void kmd_wait_end(struct kmd_wait *wait, int result);
/* For kmd_wait.complete(): statistics and charge of a wait that user mode made. */
void kmd_wait_count_end(struct kmd_wait *wait, int result);
/* The wait, of the function form and of one progress fence, has to end within time: see
 * kmd_adapter_watch_promises(). wait_lock held, here and below. */
void kmd_promise_make(struct kmd_wait *wait);
/* Is there a promise, or was there one at the last look? */
bool kmd_adapter_owes(const struct kmd_adapter *adapter);

/**
 * struct kmd_event - an event that user mode waits for
 * @link: in kmd_file.events
 * @walked: in kmd_adapter.all_events
 * @handle: in kmd_file.table
 * @completion: complete while @set, @error or @dead, and once the adapter is abandoned
 * @set: a wait is over and nobody has seen it yet
 * @error: a wait ended badly and nobody has seen it yet
 * @dead: destroyed
 * @users: threads in event_wait; the last one out frees a dead event
 * @waits: waits that will set it, by kmd_wait.event_link
 *
 * All guarded by wait_lock, but @link: also the mutex.
 */
struct kmd_event {
	struct rf_list link;
	struct kmd_walked walked;
	u32 handle;
	struct rf_completion completion;
	bool set;
	int error;
	bool dead;
	u32 users;
	struct rf_list waits;
};

/* wait_lock held */
void kmd_event_set(struct kmd_event *event, int result);
/* The wait sets the event when it is over. */
void kmd_event_add(struct kmd_event *event, struct kmd_wait *wait);
/* mutex held */
void kmd_event_destroy(struct kmd_file *file, struct kmd_event *event);

/* Its handle is stale; its waits end with -ECANCELED; then it is destroyed. mutex held, and no
 * spinlock. */
void kmd_instance_close(struct kmd_instance *instance);
/* Nobody signals the fence any more: waits end with this error, now and from now on.
 * wait_lock held. */
void kmd_fence_abandon(struct kmd_fence *fence, int error);
/* The device may know another MonitoredValue than it was told. wait_lock held. */
void kmd_fence_rearm(struct kmd_fence *fence);
/* Read CurrentValue and end the waits that it satisfies. wait_lock held. */
void kmd_fence_evaluate(struct kmd_fence *fence);
/*
 * It is looked at when an interrupt names no fence as long as its value matters: somebody waits
 * for it, or it has 32 bits and is followed, or it keeps its greatest value. One of these may
 * have changed. wait_lock held.
 */
void kmd_fence_follow(struct kmd_fence *fence);
/* What could not be done now is tried again, when the device had a moment. wait_lock held. */
void kmd_adapter_set_busy(struct kmd_adapter *adapter);

/*
 * Do something with every fence, queue, context or event of the adapter, a few in each hold of
 * wait_lock. wait_lock held.
 */
#define KMD_WALK_NATIVE (1u << 0) /* evaluate native fences whose values matter */
#define KMD_WALK_MONITORED (1u << 1) /* and the others */
#define KMD_WALK_REARM (1u << 2) /* kmd_fence_rearm() native fences */
#define KMD_WALK_ABANDON (1u << 3) /* kmd_fence_abandon(); all others: who waits is told */
#define KMD_WALK_LOST (1u << 4) /* kmd_fence_look_for_lost() */
#define KMD_WALK_LOOK (1u << 5) /* kmd_schedule_look() at queues */
#define KMD_WALK_READY (1u << 6) /* kmd_kernel_queue_set_ready() of queues */
#define KMD_WALK_LOGS (1u << 7) /* read the logs of queues */
#define KMD_WALK_EVALUATE \
	(1u << 8) /* those of kmd_adapter.walk_nodes, and wake whom they satisfy */
#define KMD_WALK_ARM (1u << 9) /* evaluate all fences, and arm them as they are to be */
void kmd_adapter_walk(struct kmd_adapter *adapter, u32 what);
void kmd_step_unarmed(struct kmd_domain *domain);
void kmd_step_covered(struct kmd_domain *domain);
void kmd_step_walking(struct kmd_domain *domain);
/* One more in such a list; it has no turn in the walk under way, which is the @round-th.
 * wait_lock held. */
void kmd_walked_insert(struct kmd_walked *walked, u64 round, struct rf_list *list);
/* Does a waiter sleep although its value is there, as it did at the last look? Then wake it.
 * wait_lock held. */
void kmd_fence_look_for_lost(struct kmd_fence *fence);

/* Write the states of the process's fences and queues to the log. wait_lock held. */
void kmd_snapshot_log(struct kmd_file *file);

/* --- the packet model ------------------------------------------------------------------ */

struct kmd_context;
struct kmd_packet_context;

/* Before all priorities of user mode (S4-16) */
#define KMD_RANK_KERNEL RF_PRIORITY_BANDS

/**
 * struct kmd_dma - a DMA packet: what a node's hardware queue holds
 * @link: in kmd_node.waiting or .submitted, or in kmd_share.packets
 * @node: that it is for
 * @context: that it belongs to; NULL: the switch to the null context
 * @rank: higher goes first
 * @address: of the commands in the context's process
 * @size: bytes
 * @flags: RF_SUBMIT_*
 * @continues: the next packet of its context is of the same render command
 * @fence_id: 0: gets one when it is submitted
 * @complete: it left the node for good; @result 0, or -EIO: its context is lost
 * @fault: it has faulted, and the device has stopped its context; NULL: of the kernel's
 *
 * All guarded by wait_lock; so are the calls of @complete and @fault.
 */
struct kmd_dma {
	struct rf_list link;
	struct kmd_node *node;
	struct kmd_packet_context *context;
	u32 rank;
	u64 address;
	u32 size;
	u32 flags;
	bool continues;
	u64 fence_id;
	void (*complete)(struct kmd_dma *dma, int result);
	void (*fault)(struct kmd_dma *dma, u32 error, u64 address);
};

/**
 * struct kmd_node_notes - what interrupts said of a node, and nobody has acted upon yet
 * @completed: packets up to @completed_id are complete
 * @completed_id: ditto
 * @preempted: the preemption was answered, with the two ids below
 * @preemption_id: ditto
 * @last_completed_id: ditto
 * @faulted: packet @fault_id has faulted, for the reason below
 * @fault_id: ditto
 * @fault_error: enum rf_queue_error
 * @fault_address: of the access or packet
 */
struct kmd_node_notes {
	bool completed;
	u64 completed_id;
	bool preempted;
	u64 preemption_id;
	u64 last_completed_id;
	bool faulted;
	u64 fault_id;
	u32 fault_error;
	u64 fault_address;
};

/* Of a node's engine */
enum kmd_engine_state {
	KMD_ENGINE_F0,
	KMD_ENGINE_DRAINING, /* its queues leave the device */
	KMD_ENGINE_F1,
};

/**
 * struct kmd_node - one node: its engine, and its packets
 * @adapter: its adapter
 * @ordinal: of the node
 * @state: of its engine; changed under mutex and wait_lock
 * @contexts: packet contexts on it; guarded by the adapter's mutex
 * @due: by band, the processes with queues that are due, in turn, by kmd_share.link
 * @residents: its queues that are in slots, those that are leaving included
 * @waiting: packets of the kernel's that the device has not got, in the order in which they go
 * @turns: by band, the processes with such packets, in turn, by kmd_share.packet_link
 * @submitted: packets in the hardware queue, in its order
 * @depth: of @submitted
 * @last_id: the last fence id given, to a packet or a preemption
 * @last_submitted_id: of a packet
 * @last_completed_id: advances as A-2 says
 * @preemption_id: that is asked for; 0: none
 * @kept_id: the first in the hardware queue at the last look; 0: none
 * @has_had_its_turn: what comes back from the preemption that is asked for lets others go first
 * @split: Windows 7: the context whose render command is not all submitted; or NULL
 * @preempting: its engine is asked to let its work go, or reset: nobody gets there
 * @resetting: the latter
 * @stalled: its engine did not answer at the last look; guarded by the mutex
 * @since: the first such look, or when @preempting was set; ditto
 * @note_idle: note: TRANSITION_TO_F1; guarded by device_lock
 * @note_hung: note: HUNG (S3-41); ditto
 * @stopped: from reset_hw_engine to resume_hw_engine; ditto
 * @notes: ditto; all else is guarded by wait_lock
 */
struct kmd_node {
	struct kmd_adapter *adapter;
	u32 ordinal;
	enum kmd_engine_state state;
	u32 contexts;
	struct rf_list due[RF_PRIORITY_BANDS];
	u32 residents;
	struct rf_list waiting;
	struct rf_list turns[RF_PRIORITY_BANDS];
	struct rf_list submitted;
	u32 depth;
	u64 last_id;
	u64 last_submitted_id;
	u64 last_completed_id;
	u64 preemption_id;
	u64 kept_id;
	bool has_had_its_turn;
	struct kmd_packet_context *split;
	bool preempting;
	bool resetting;
	bool stalled;
	u64 since;
	bool note_idle;
	bool note_hung;
	bool stopped;
	struct kmd_node_notes notes;
};

int kmd_nodes_create(struct kmd_adapter *adapter);
void kmd_nodes_destroy(struct kmd_adapter *adapter);
/* NULL: there is no such node, and the driver broke the contract. */
struct kmd_node *kmd_node_find(struct kmd_adapter *adapter, u32 ordinal);
/* Notes of interrupts; device_lock held. */
void kmd_node_note(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data);
/* Act on the notes. wait_lock held, here and below. */
void kmd_nodes_take_notes(struct kmd_adapter *adapter);
/* The packet waits for its turn, or goes to the device at once. */
void kmd_dma_submit(struct kmd_dma *dma);
/* The context is lost: forget its packets that wait. @gone: the device has dropped it, and all
 * its packets. */
void kmd_node_forget(struct kmd_node *node, const struct kmd_packet_context *context, bool gone);
/* Who is at work while packets of other processes wait, as at the last look, lets them go
 * first. */
void kmd_node_take_turns(struct kmd_node *node);
/* Packets that waited may go now. */
void kmd_node_pump(struct kmd_node *node);
/* Ask for the packets in the hardware queue, if there are any and the driver can (S4-2). */
void kmd_node_preempt(struct kmd_node *node);
/* The engine was reset, and the hardware queue is empty: packets up to @last_aborted_id are
 * lost, and the processes that made them are guilty; those behind it wait again. */
void kmd_node_reset(struct kmd_node *node, u64 last_aborted_id);

/**
 * struct kmd_context_allocation - memory that contexts need on the device
 * @link: in kmd_adapter.context_allocations
 * @file: process
 * @context: whose; NULL: of all contexts of the process
 * @h_driver: the miniport's handle
 * @supported: segments where it may be used
 * @evicted: segments where it may be kept
 * @preferred: of the supported ones
 * @mem: where it is now
 * @address: in the system process, the same for life
 * @mapped: it is there, so that contexts may use it
 *
 * Guarded by the adapter's mutex.
 */
struct kmd_context_allocation {
	struct rf_list link;
	struct kmd_file *file;
	struct kmd_packet_context *context;
	void *h_driver;
	u32 supported;
	u32 evicted;
	enum rf_mem_kind preferred;
	struct rf_mem *mem;
	u64 address;
	bool mapped;
};

/**
 * struct kmd_packet_context - a context of the packet model
 * @adapter: its adapter
 * @queue: whose packets it runs; NULL: the system context, for paging
 * @node: on which
 * @rank: of its packets
 * @h_context: the miniport's handle
 * @ready: its allocations are in place, and filled; guarded by the mutex and wait_lock
 */
struct kmd_packet_context {
	struct kmd_adapter *adapter;
	struct kmd_queue *queue;
	struct kmd_node *node;
	u32 rank;
	void *h_context;
	bool ready;
};

/* @queue NULL: for paging. mutex held, here and below; waits for paging. */
int kmd_packet_context_create(struct kmd_adapter *adapter, struct kmd_queue *queue,
			      struct kmd_packet_context **result);
void kmd_packet_context_destroy(struct kmd_packet_context *context);
/* Put its allocations in place, so that its packets may run. */
int kmd_packet_context_make_ready(struct kmd_packet_context *context);
/* Have the device hold no packet of the queues of a context, which is SUSPENDING: packets that
 * it had wait. 0 or -EIO. */
int kmd_packet_contexts_suspend(const struct kmd_context *context);
/* It is RESUMED. wait_lock held. */
void kmd_packet_contexts_resume(const struct kmd_context *context);
/* Move allocations of contexts out of local memory. True: there is more of it now. */
bool kmd_packet_contexts_evict(struct kmd_adapter *adapter);

/*
 * Leak detection: the slots in @bound are so at the end of the DMA buffer before this one;
 * false: the list of this one leaves some of them as they are (S4-20). @bound: at its end.
 */
bool kmd_patch_list_verify(const struct rf_patch_location *list, u32 count, u32 *bound);

/* Let the paging node do an operation, and wait for it. 0, -EIO, -ENOMEM. */
int kmd_paging_run(struct kmd_adapter *adapter, struct rf_build_paging_buffer *operation);
/* On return no context is on the node, until the next packet (S4-8). 0 or -EIO. */
int kmd_node_switch_to_null(struct kmd_node *node);

/* --- contexts ----------------------------------------------------------------------------- */

enum kmd_context_state {
	KMD_CONTEXT_RESUMED,
	KMD_CONTEXT_SUSPENDING, /* not acknowledged yet */
	KMD_CONTEXT_SUSPENDED,
};

/**
 * struct kmd_context - queues of a process on a node that are suspended together
 * @link: in kmd_adapter.contexts
 * @walked: in kmd_adapter.all_contexts
 * @bucket: in kmd_adapter.context_buckets
 * @noted_link: in kmd_adapter.noted_contexts; guarded by device_lock
 * @members: its queues, by kmd_queue.context_link; guarded by mutex and wait_lock
 * @file: process
 * @handle: in kmd_file.table; 0: made for one queue, and ends with it
 * @node: of its queues
 * @priority: band of its queues, less than RF_PRIORITY_BANDS
 * @h_hw_context: the miniport's handle
 * @queues: how many there are; guarded by the mutex
 * @state: guarded by wait_lock
 * @held: suspended by kmd_contexts_hold(); guarded by the mutex
 * @suspend_fence: of the last suspension; guarded by wait_lock and device_lock
 * @note_suspended: note: an acknowledgement came, the last for the value below; device_lock
 * @acknowledged: value
 * @completion: complete unless SUSPENDING, or if @dead
 * @dead: destroyed; guarded by wait_lock
 * @users: threads that wait for the suspension; the last one out frees a dead context
 */
struct kmd_context {
	struct rf_list link;
	struct kmd_walked walked;
	struct rf_list bucket;
	struct rf_list noted_link;
	struct rf_list members;
	struct kmd_file *file;
	u32 handle;
	u32 node;
	u32 priority;
	void *h_hw_context;
	u32 queues;
	enum kmd_context_state state;
	bool held;
	u64 suspend_fence;
	bool note_suspended;
	u64 acknowledged;
	struct rf_completion completion;
	bool dead;
	u32 users;
};

/* mutex held here and below; without a handle */
int kmd_context_create(struct kmd_file *file, u32 node, u32 priority, struct kmd_context **context);
void kmd_context_destroy(struct kmd_context *context);
/* Ask for the suspension; the context may already be suspended on return. 0 or -EIO. */
int kmd_context_suspend_begin(struct kmd_context *context);
void kmd_context_resume_locked(struct kmd_context *context);
/*
 * Suspend every context that is not, of one process or (NULL) of all, and wait for it.
 * -EIO: the engine of *@node does not answer; then, too, they can be released.
 */
int kmd_contexts_hold(struct kmd_adapter *adapter, struct kmd_file *file, u32 *node);
/* Resume what was held. */
void kmd_contexts_release(struct kmd_adapter *adapter);
/* The device acknowledged a suspension, maybe not the last one. wait_lock held. */
void kmd_context_acknowledge(struct kmd_context *context, u64 suspend_fence);

/* --- queues, logs, doorbells ---------------------------------------------------------- */

/**
 * struct kmd_log - the fence log of a queue, of one type
 * @mem: the buffer
 * @type: RF_LOG_TYPE_*
 * @entries: that it holds
 * @process_address: in the queue's process
 * @system_address: in the system process
 * @seen: {wraparound count, first free index} up to which it was read; guarded by
 *        wait_lock
 */
struct kmd_log {
	struct rf_mem *mem;
	u32 type;
	u32 entries;
	u64 process_address;
	u64 system_address;
	u64 seen;
};

enum { KMD_LOG_WAIT, KMD_LOG_SIGNAL, KMD_LOGS };

enum kmd_packet_kind {
	KMD_PACKET_COMMANDS, /* a command buffer for the device */
	KMD_PACKET_WAIT, /* hold what is behind */
	KMD_PACKET_SIGNAL, /* signal from the CPU (S1-16, S2-19) */
};

/**
 * struct kmd_packet - what a kernel-mode queue is to do, in its order
 * @link: in kmd_queue.pending, .running or .finished
 * @kind: what of the following is used
 * @submit: COMMANDS: the command buffer, as the miniport gets it
 * @dma: COMMANDS, for a context: the packet, as the node gets it
 * @memory: COMMANDS: that holds it
 * @wait: WAIT: has begun when it was requested
 * @count: SIGNAL: of @signals
 * @signals: SIGNAL: with a reference of each fence
 */
struct kmd_packet {
	struct rf_list link;
	enum kmd_packet_kind kind;
	struct rf_submit_command_to_hw_queue submit;
	struct kmd_dma dma;
	struct kmd_memory *memory;
	struct kmd_wait *wait;
	u32 count;
	struct kmd_signal signals[];
};

enum kmd_residence {
	KMD_QUEUE_OUT,
	KMD_QUEUE_RESIDENT,
	KMD_QUEUE_LEAVING, /* until the device says that it is out */
};

/**
 * struct kmd_queue - a hardware queue
 * @link: in kmd_adapter.queues
 * @walked: in kmd_adapter.all_queues
 * @context_link: in kmd_context.members; guarded as @link
 * @file: process
 * @handle: in kmd_file.table
 * @context: its context
 * @node: that serves it
 * @residence: is it in the device? guarded by wait_lock, as the next seven
 * @yield: what it told since it came in
 * @since: when that was, or when it came in, by kmd_adapter.turns
 * @due_link: in kmd_share.queues, if it is due
 * @slot_link: in kmd_adapter.in_slots
 * @ringless: its ring was taken away while it was leaving
 * @asleep: it was preempted while it waited for a fence that has not its value yet
 * @sleep: wait for that
 * @bucket: in kmd_adapter.buckets, unless it has a packet context
 * @noted_link: in kmd_adapter.noted; guarded by device_lock
 * @note_preempted: note: it is out; guarded by device_lock, as the next five
 * @is_waiting: it waited when it was preempted, for:
 * @wait_fence: the core's global handle, or NULL
 * @wait_value: value
 * @note_yield: note: what it told last, or NONE
 * @note_work: note: a ring for it when it was out
 * @user_mode: work gets in through a doorbell; else through the kernel (S3-2)
 * @h_hw_queue: the miniport's handle; NULL with @packet_context
 * @packet_context: kernel mode: its packets are scheduled by the kernel, in this; or NULL
 * @progress: progress fence
 * @last_queued: user mode: page with the last queued value, and the entries of a log
 * @last_queued_offset: where user mode maps it
 * @logs: user mode: fence logs
 * @doorbell: or NULL; guarded by mutex and wait_lock
 * @submitted: kernel mode: progress value of the last submission; guarded by wait_lock
 * @pending: packets that the device has not got yet, by kmd_packet.link; ditto
 * @running: packets that it has; ditto
 * @finished: packets to be freed at PASSIVE; ditto
 * @packets: how many are on the first two lists; ditto
 * @completion: wait for the first of @running; ditto
 * @ready_link: in kmd_domain.ready; ditto
 * @dying: inside destroy_hw_queue: its logs are not read any more, and it gets no
 *         more work; wait_lock
 * @note_log: note: its log has news; guarded by device_lock
 * @note_stop: note: it stands still, for the reason and with the values below; ditto
 * @stop_reason: why
 * @stop_argument: of the packet
 * @stop_value: of the packet
 * @trapped: it stands at a TRAP packet of @stop_argument; wait_lock
 * @note_fault: note: it has faulted, with the two values below; device_lock
 * @fault_error: enum rf_queue_error
 * @fault_address: of the access or packet
 * @error: as @fault_error once the note was taken; the queue is lost; wait_lock
 * @error_address: as @fault_address
 * @halted: the device has stopped it, and does nothing for it any more; ditto
 */
struct kmd_queue {
	struct rf_list link;
	struct kmd_walked walked;
	struct rf_list context_link;
	struct kmd_file *file;
	u32 handle;
	struct kmd_context *context;
	u32 node;
	enum kmd_residence residence;
	enum rf_yield_kind yield;
	u64 since;
	struct rf_list due_link;
	struct rf_list slot_link;
	bool ringless;
	bool asleep;
	struct kmd_wait *sleep;
	struct rf_list bucket;
	struct rf_list noted_link;
	bool note_preempted;
	bool is_waiting;
	void *wait_fence;
	u64 wait_value;
	enum rf_yield_kind note_yield;
	bool note_work;
	bool user_mode;
	void *h_hw_queue;
	struct kmd_packet_context *packet_context;
	struct kmd_instance *progress;
	struct rf_mem *last_queued;
	u64 last_queued_offset;
	struct kmd_log logs[KMD_LOGS];
	struct kmd_doorbell *doorbell;
	u64 submitted;
	struct rf_list pending;
	struct rf_list running;
	struct rf_list finished;
	u32 packets;
	struct kmd_wait *completion;
	struct rf_list ready_link;
	bool dying;
	bool note_log;
	bool note_stop;
	enum rf_stop_reason stop_reason;
	u64 stop_argument;
	u64 stop_value;
	bool trapped;
	bool note_fault;
	u32 fault_error;
	u64 fault_address;
	u32 error;
	u64 error_address;
	bool halted;
};

/* Progress value of the last submission: of a user-mode queue what its process says, which may
 * be anything, and another number the next time. wait_lock held. */
static inline u64 kmd_queue_last_queued(const struct kmd_queue *queue)
{
	return queue->user_mode ? rf_untrusted_read64(queue->last_queued, 0) : queue->submitted;
}

/*
 * Disconnect the doorbell and wait for what was queued by then. No lock held. 0; -ENOENT;
 * -ETIMEDOUT; -EIO: the queue is lost; -ECANCELED: it was destroyed meanwhile.
 */
int kmd_queue_finish(struct kmd_file *file, u32 handle, u64 deadline);
/* RF_NODE_* of a node; -EINVAL no such node. mutex held here and below. */
int kmd_node_flags(struct kmd_adapter *adapter, u32 node, u32 *flags);
void kmd_queue_destroy(struct kmd_queue *queue);
/* The queue that the miniport calls so, or NULL. wait_lock or device_lock held. */
struct kmd_queue *kmd_queue_called(struct kmd_adapter *adapter, const void *h_hw_queue);
/*
 * The queue is given up: tell whoever waits for it. @halted: the device did so, or has
 * stopped; else what the device has of it stays until the queue is destroyed. wait_lock
 * held.
 */
void kmd_queue_lose(struct kmd_queue *queue, u32 error, u64 address, bool halted);

/* The queue stands still, and its note was taken: do what it asks. wait_lock held. */
void kmd_queue_stopped(struct kmd_queue *queue);

/* Who is resident; wait_lock held here and below. */
/* The queue has a ring now. */
void kmd_schedule_begin(struct kmd_queue *queue);
/* It may have work that nobody heard of. */
void kmd_schedule_look(struct kmd_queue *queue);
/* It does not come in again. */
void kmd_schedule_forget(struct kmd_queue *queue);
/* What the scheduler has of a queue: -ENOMEM. PASSIVE. */
int kmd_schedule_queue_init(struct kmd_queue *queue);
void kmd_schedule_queue_free(struct kmd_queue *queue);
/* The shares of a process: -ENOMEM. PASSIVE. */
int kmd_schedule_file_create(struct kmd_file *file);
void kmd_schedule_file_destroy(struct kmd_file *file);
/* Its ring goes away. */
void kmd_schedule_end(struct kmd_queue *queue);
/* The miniport is about to destroy it; has done so. */
void kmd_schedule_destroy(struct kmd_queue *queue);
void kmd_schedule_destroyed(struct kmd_queue *queue);
/* Notes of the interrupt service */
void kmd_schedule_preempted(struct kmd_queue *queue, bool is_waiting, void *h_native_fence,
			    u64 value);
void kmd_schedule_yield(struct kmd_queue *queue, enum rf_yield_kind kind);
/* All queues of a context: the miniport is about to evict them; they may come in again. */
void kmd_schedule_suspend(struct kmd_context *context);
void kmd_schedule_resume(struct kmd_context *context);
/* Take so many slots away from queues, and wait until they are free; -EBUSY: there are not
 * so many. PASSIVE, no spinlock held. */
int kmd_schedule_take_slots(struct kmd_adapter *adapter, u32 count);
void kmd_schedule_give_slots(struct kmd_adapter *adapter, u32 count);
/* It is lost: it leaves the device, unless that has stopped it. */
void kmd_schedule_lose(struct kmd_queue *queue);
/* The node was closed: its queues leave. */
void kmd_schedule_engine_off(struct kmd_adapter *adapter, u32 node);
/* Who could not come in before may do so now. */
void kmd_schedule_again(struct kmd_adapter *adapter);
bool kmd_schedule_is_empty(struct kmd_adapter *adapter, u32 node);
/* Is one of its queues due? */
bool kmd_schedule_has_due(const struct kmd_adapter *adapter, u32 node);
/* Could the queue do anything but wait for a ring? It is out. */
bool kmd_schedule_has_work(struct kmd_queue *queue);
/* Hints may have been lost: ask queues in slots whether they could leave. */
void kmd_schedule_look_again(struct kmd_adapter *adapter);
void kmd_step_unscheduled(struct kmd_domain *domain);

/* The kernel-mode side of a queue; its progress fence exists. */
int kmd_kernel_queue_create(struct kmd_queue *queue);
/* A wait for @count fences that has the queue go on. NULL: no memory. PASSIVE. */
struct kmd_wait *kmd_kernel_queue_wait_create(struct kmd_queue *queue, u32 count);
/* The device is done with the queue. */
void kmd_kernel_queue_destroy(struct kmd_queue *queue);
/* Free what is finished. */
void kmd_kernel_queue_reap(struct kmd_queue *queue);
/* The queue may go on, or has to stop. wait_lock held. */
void kmd_kernel_queue_set_ready(struct kmd_queue *queue);
/* @signals: room for so many. NULL: no memory. PASSIVE. */
struct kmd_packet *kmd_packet_create(enum kmd_packet_kind kind, u32 signals);
/* Gives back what it holds. mutex held. */
void kmd_packet_destroy(struct kmd_packet *packet);
/* A kernel-mode queue, or why not. mutex held. */
int kmd_kernel_queue_find(struct kmd_file *file, u32 handle, struct kmd_queue **result);
/* Make room for so many packets, which are appended next. 0, -EIO or -EAGAIN. wait_lock held. */
int kmd_kernel_queue_take_room(struct kmd_queue *queue, u32 packets);
/* Command buffers get their progress value. Behind all others of the queue. wait_lock
 * held. */
void kmd_packet_append(struct kmd_queue *queue, struct kmd_packet *packet);
/* A queue goes on as far as possible. wait_lock held. */
void kmd_step_ready(struct kmd_domain *domain);

/* Tell user mode how many entries the logs of a user-mode queue have. mutex held. */
void kmd_queue_publish_log_entries(struct kmd_queue *queue);
/* mutex held */
int kmd_log_create(struct kmd_queue *queue, struct kmd_log *log, u32 type, u32 bytes);
void kmd_log_destroy(struct kmd_queue *queue, struct kmd_log *log);
/* While somebody traces, queues have large logs: those that are there, too. mutex held, D0. */
void kmd_logs_enlarge(struct kmd_adapter *adapter);
/* Read what is new in the logs of a queue; with @evaluate, wake what the signals there satisfy.
 * False: this hold has no more steps, and there is more to be read. wait_lock held. */
bool kmd_queue_read_logs(struct kmd_queue *queue, bool evaluate);

enum kmd_doorbell_state {
	KMD_DOORBELL_DISCONNECTED,
	KMD_DOORBELL_CONNECTING, /* inside connect_doorbell */
	KMD_DOORBELL_CONNECTED,
};

/**
 * struct kmd_doorbell - a doorbell of a queue
 * @link: in kmd_adapter.doorbells
 * @queue: its queue
 * @handle: in kmd_file.table
 * @h_doorbell: the miniport's handle
 * @state: where the page points; guarded by doorbell_mutex
 * @token: of the last connection; guarded by mutex
 * @page: user mode's doorbell page
 * @page_offset: where user mode maps it
 * @status: page with the status word; ABORT is final; stored to under wait_lock
 * @status_offset: where user mode maps it
 * @ring: holds ring and write pointer in place (S3-24)
 * @ring_control: ditto
 */
struct kmd_doorbell {
	struct rf_list link;
	struct kmd_queue *queue;
	u32 handle;
	void *h_doorbell;
	enum kmd_doorbell_state state;
	u64 token;
	struct rf_doorbell_page *page;
	u64 page_offset;
	struct rf_mem *status;
	u64 status_offset;
	struct kmd_memory *ring;
	struct kmd_memory *ring_control;
};

/* mutex held, here and below */
void kmd_doorbell_destroy(struct kmd_doorbell *doorbell);
/* Status, page, miniport; then a look at the ring. */
void kmd_doorbell_disconnect(struct kmd_doorbell *doorbell, enum rf_doorbell_status reason);
/* Status ABORT; the page follows in kmd_adapter_work(). wait_lock held. */
void kmd_doorbell_abort(struct kmd_doorbell *doorbell);

/* --- power ------------------------------------------------------------------------------- */

/* Lock the mutex of an adapter in D0. If it does not wake up it is lost. For what has to be
 * done in any case. */
void kmd_adapter_lock_awake(struct kmd_adapter *adapter);
/*
 * The same for requests, whose process may be killed meanwhile (-EINTR): of any adapter that
 * is not lost (-ENODEV); of one in D0; and to destroy something, of a lost one, too.
 */
int kmd_request_lock(struct kmd_adapter *adapter);
int kmd_request_lock_awake(struct kmd_adapter *adapter);
int kmd_request_lock_destroy(struct kmd_adapter *adapter);
/* D3 -> D0 up to the contexts, which kmd_contexts_release() resumes; -EIO. mutex held. */
int kmd_adapter_power_up(struct kmd_adapter *adapter);

/* Go on with transitions to F1; of kmd_adapter_work(). mutex held. */
void kmd_engines_work(struct kmd_adapter *adapter);
/* On return the engine is F0; -EIO. mutex held. */
int kmd_engine_use(struct kmd_adapter *adapter, u32 node);

/* --- requests -------------------------------------------------------------------------- */

int kmd_request_query(struct kmd_file *file, struct kmd_call *call);
int kmd_request_memory_create(struct kmd_file *file, void *arguments);
int kmd_request_memory_destroy(struct kmd_file *file, void *arguments);
int kmd_request_fence_create(struct kmd_file *file, void *arguments);
int kmd_request_fence_open(struct kmd_file *file, void *arguments);
int kmd_request_fence_destroy(struct kmd_file *file, void *arguments);
int kmd_request_fence_signal(struct kmd_file *file, struct kmd_call *call);
int kmd_request_fence_wait(struct kmd_file *file, struct kmd_call *call);
int kmd_request_event_create(struct kmd_file *file, void *arguments);
int kmd_request_event_destroy(struct kmd_file *file, void *arguments);
int kmd_request_event_wait(struct kmd_file *file, void *arguments);
int kmd_request_queue_create(struct kmd_file *file, void *arguments);
int kmd_request_queue_destroy(struct kmd_file *file, void *arguments);
int kmd_request_queue_status(struct kmd_file *file, void *arguments);
int kmd_request_queue_notify(struct kmd_file *file, void *arguments);
int kmd_request_queue_submit(struct kmd_file *file, void *arguments);
int kmd_request_queue_render(struct kmd_file *file, struct kmd_call *call);
int kmd_request_queue_wait(struct kmd_file *file, struct kmd_call *call);
int kmd_request_queue_signal(struct kmd_file *file, struct kmd_call *call);
int kmd_request_queue_resume(struct kmd_file *file, void *arguments);
int kmd_request_doorbell_create(struct kmd_file *file, void *arguments);
int kmd_request_doorbell_connect(struct kmd_file *file, void *arguments);
int kmd_request_doorbell_destroy(struct kmd_file *file, void *arguments);
int kmd_request_context_create(struct kmd_file *file, void *arguments);
int kmd_request_context_destroy(struct kmd_file *file, void *arguments);

/* At most so many elements of so many bytes at least? 0 or -EINVAL. */
int kmd_array_check(const struct drm_ringfence_array *array, u32 most, size_t bytes);
/* One element of such an array. 0, -EFAULT, -EINVAL. No lock held. */
int kmd_array_copy(const struct drm_ringfence_array *array, u32 index, void *element, size_t bytes);
/* Copy the 1..32 elements of a signal or wait and check them. No lock held, here and below. */
int kmd_copy_fence_values(const struct drm_ringfence_array *array,
			  struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX]);
/* Copy the arrays of a render command and check them. */
int kmd_render_copy(struct kmd_call *call);

#endif /* KMD_CORE_H */
