// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Fence logs (S0-100..S0-130, the host's part).
 *
 * The device appends entries without a request, and reports its position in one 64-bit word
 * {wraparound count, first free index}. The engines of the process can write the word and the
 * entries (S0-102), so they may change to any value at any moment: a word is read once for each
 * decision, is a valid position only if its index is, and never makes the reader process more than
 * a log's entries. The reader follows that word:
 *
 *   entries since = (W' - W) * N + (I' - I), in modular arithmetic    (C9)
 *
 * More than N is an overrun. The device may also overwrite entry k while it is copied, so the word
 * is read again after each copy: more than k + N is an overrun; at exactly k + N the entry may be
 * being overwritten, and the copy is in doubt. Entries hold what user mode programmed: a logged
 * value is a reason to evaluate the fence, never proof of its value. After an overrun or doubt
 * every fence is evaluated, so that no wake-up is lost.
 *
 * Timestamps of the entries of a log never go back (S0-121). One may be equal to the one before, or 0:
 * a linked adapter that leaves a fence write to the other one logs it without a time. An entry that
 * goes back is no event of the trace: what the device wrote there is older, or it is not the device's.
 * Its fence is evaluated as for every entry. A device that was in D3 begins to count anew.
 *
 * A log is enlarged when tracing starts (S0-119), and stays so: user mode numbers its entries by
 * the number of entries that it reads beside its last-queued value, and commands recorded before
 * keep their numbers. A new log may be entered at any index, and entries that were never written
 * are skipped. Commands may also write an entry by themselves, at an address of the signal log: the old
 * buffer stays mapped as long as the queue, so that those recorded before do no harm.
 *
 * Locking: wait_lock for reading; the adapter's mutex for life.
 */
#include "queues/log.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/gpu_va.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/fence.h"
#include "scheduling/queue.h"
#include "waits/evaluate.h"
#include "kmd.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_hw.h"

#define HEADER_WORD(member) ((u64)offsetof(struct rf_log_header, member))

static void kmd_log_write_header(struct kmd_log *log)
{
	static_assert(offsetof(struct rf_log_header, wraparound_count) == 4, "one word");
	static_assert(offsetof(struct rf_log_header, pad) == 12, "one word");

	rf_mem_write64(log->mem, HEADER_WORD(first_free_entry_index), 0);
	rf_mem_write64(log->mem, HEADER_WORD(type), log->type);
	rf_mem_write64(log->mem, HEADER_WORD(number_of_entries), log->entries);
	rf_wmb();
}

/* Have the device use this buffer, and only this one. mutex held, and no spinlock. */
static int kmd_log_set_buffer(struct kmd_queue *queue, const struct kmd_log *log)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	const struct rf_set_native_fence_log_buffer set = {
		.h_hw_queue = queue->h_hw_queue,
		.number_of_entries = log->entries,
		.log_type = log->type,
		.log_buffer_cpu_va = { .mem = log->mem, .offset = 0 },
		.log_buffer_gpu_va = log->process_address,
		.log_buffer_system_process_gpu_va = log->system_address,
	};

	rf_assert_held(&queue->file->adapter->mutex);
	return adapter->ddi->set_native_fence_log_buffer(adapter->h_adapter, &set);
}

static int kmd_log_create_buffer(struct kmd_file *file, struct kmd_log *log, u32 type, u32 bytes)
{
	struct kmd_adapter *adapter = file->adapter;
	int ret;

	*log = (struct kmd_log){
		.type = type,
		.entries = (bytes - RF_LOG_HEADER_BYTES) / RF_LOG_ENTRY_BYTES,
	};
	ret = rf_mem_create(adapter->bus, RF_MEM_SYSTEM, bytes, &log->mem);
	if (ret)
		return ret;
	kmd_log_write_header(log);
	ret = kmd_gpu_map(adapter, file, log->mem, 0, &log->process_address);
	if (ret)
		goto put_mem;
	ret = kmd_gpu_map(adapter, NULL, log->mem, 0, &log->system_address);
	if (ret)
		goto unmap_process;
	return 0;

unmap_process:
	kmd_gpu_unmap(adapter, file, log->mem, log->process_address);
put_mem:
	rf_mem_put(log->mem);
	return ret;
}

/* Free a log. Its queue is destroyed, so the device does not use it any more. */
static void kmd_log_destroy(struct kmd_queue *queue, struct kmd_log *log)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	if (!log->mem)
		return;
	kmd_gpu_unmap(adapter, NULL, log->mem, log->system_address);
	kmd_gpu_unmap(adapter, queue->file, log->mem, log->process_address);
	rf_mem_put(log->mem);
}

static int kmd_log_create(struct kmd_queue *queue, struct kmd_log *log, u32 type, u32 bytes)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	struct kmd_log new;
	unsigned long flags;
	int ret;

	ret = kmd_log_create_buffer(queue->file, &new, type, bytes);
	if (ret)
		return ret;
	ret = kmd_log_set_buffer(queue, &new);
	if (ret) {
		kmd_log_destroy(queue, &new);
		return ret;
	}
	flags = kmd_wait_lock(domain);
	*log = new;
	kmd_wait_unlock(domain, flags);
	return 0;
}

/* --- reading ---------------------------------------------------------------------------- */

/*
 * Publish the number of entries to user mode, beside the last queued value, and before that the
 * address: whoever reads them the other way round finds no number that is too large for its address.
 */
static void kmd_log_publish(struct kmd_queue *queue)
{
	const struct kmd_log *log = &queue->logs[KMD_LOG_SIGNAL];

	rf_mem_write64(queue->last_queued, 16, log->process_address);
	rf_wmb();
	rf_mem_write64(queue->last_queued, 8, log->entries);
}

void kmd_logs_destroy(struct kmd_queue *queue)
{
	u32 i;

	rf_assert_held(&queue->file->adapter->mutex);
	for (i = 0; queue->logs && i < KMD_LOGS_ALL; i++)
		kmd_log_destroy(queue, &queue->logs[i]);
	rf_free(queue->logs);
	queue->logs = NULL;
}

int kmd_logs_create(struct kmd_queue *queue)
{
	const struct kmd_adapter *adapter = queue->file->adapter;
	u32 bytes = adapter->trace ? KMD_LOG_BYTES_TRACE : KMD_LOG_BYTES;
	struct kmd_log *logs = rf_alloc(KMD_LOGS_ALL * sizeof(*logs));
	unsigned long flags;
	int ret;

	rf_assert_held(&queue->file->adapter->mutex);
	if (!logs)
		return -ENOMEM;
	/* interrupts may name the queue already */
	flags = kmd_wait_lock(adapter->sync_domain);
	queue->logs = logs;
	kmd_wait_unlock(adapter->sync_domain, flags);
	ret = kmd_log_create(queue, &queue->logs[KMD_LOG_WAIT], RF_LOG_TYPE_WAITS, bytes);
	if (!ret)
		ret = kmd_log_create(queue, &queue->logs[KMD_LOG_SIGNAL], RF_LOG_TYPE_SIGNALS,
				     bytes);
	if (!ret)
		kmd_log_publish(queue);
	return ret;
}

static u32 kmd_log_index_of(u64 word)
{
	return (u32)word;
}

static u64 kmd_log_entries_since(const struct kmd_log *log, u64 word)
{
	u32 wraps = (u32)(word >> 32) - (u32)(log->seen >> 32);

	/* an index that decreases without a wraparound gives a huge number: an overrun */
	return (u64)wraps * log->entries + kmd_log_index_of(word) - kmd_log_index_of(log->seen);
}

/* May return any value, and another one at the next read. */
static u64 kmd_log_read_word(const struct kmd_log *log)
{
	u64 word = rf_untrusted_read64(log->mem, HEADER_WORD(first_free_entry_index));

	rf_rmb();
	return word;
}

/* True if the word is a valid position; the device never writes another one. */
static bool kmd_log_is_place(const struct kmd_log *log, u64 word)
{
	return kmd_log_index_of(word) < log->entries;
}

static bool kmd_log_has_news(const struct kmd_queue *queue)
{
	u32 i;

	for (i = 0; queue->logs && i < KMD_LOGS; i++)
		if (queue->logs[i].mem && kmd_log_read_word(&queue->logs[i]) != queue->logs[i].seen)
			return true;
	return false;
}

static void kmd_log_copy_entry(const struct kmd_log *log, u32 index, struct rf_log_entry *entry)
{
	u64 words[sizeof(*entry) / sizeof(u64)];
	u64 offset = RF_LOG_HEADER_BYTES + (u64)index * RF_LOG_ENTRY_BYTES;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = rf_untrusted_read64(log->mem, offset + i * sizeof(u64));
	memcpy(entry, words, sizeof(*entry));
	rf_rmb();
}

static void kmd_log_trace_entry(struct kmd_queue *queue, const struct kmd_log *log,
				const struct rf_log_entry *entry)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	const struct kmd_log_event event = {
		.file = queue->file->shell,
		.queue = queue->handle,
		.type = log->type,
		.lost = !entry,
		.entry = entry,
	};

	if (adapter->trace)
		adapter->trace(adapter->trace_argument, &event);
}

/* False, with a line in the log: the entry is older than one before it. */
static bool kmd_log_check_time(struct kmd_queue *queue, struct kmd_log *log, u64 timestamp)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	if (!timestamp)
		return true;
	if (timestamp < log->last_timestamp) {
		adapter->statistics.log_refused++;
		rf_log_user(adapter->bus->os,
			    "queue 0x%x: the time of its fence log goes back from %llu to %llu",
			    queue->handle, (unsigned long long)log->last_timestamp,
			    (unsigned long long)timestamp);
		return false;
	}
	log->last_timestamp = timestamp;
	return true;
}

static void kmd_log_act_on_entry(struct kmd_queue *queue, struct kmd_log *log,
				 const struct rf_log_entry *entry, bool evaluate)
{
	struct kmd_local_fence *local;

	/* user mode skipped this entry: it was never written */
	if (!entry->fence_handle && !entry->fence_value && !entry->fence_end_gpu_timestamp)
		return;
	queue->file->adapter->statistics.log_entries++;
	if (kmd_log_check_time(queue, log, entry->fence_end_gpu_timestamp))
		kmd_log_trace_entry(queue, log, entry);
	if (!evaluate || log->type != RF_LOG_TYPE_SIGNALS)
		return;
	local = kmd_table_find(&queue->file->table, KMD_FENCE, entry->fence_handle);
	if (local)
		kmd_opening_signaled(local->opening);
}

/* Signals of the process may have been missed. */
static void kmd_log_evaluate_all(struct kmd_file *file)
{
	kmd_adapter_walk(file->adapter, KMD_WALK_NATIVE | KMD_WALK_MONITORED);
}

/* Continue at @word if it is valid; else at the old position. */
static void kmd_log_act_on_overrun(struct kmd_queue *queue, struct kmd_log *log, u64 word)
{
	queue->file->adapter->statistics.log_overruns++;
	kmd_log_trace_entry(queue, log, NULL);
	kmd_log_evaluate_all(queue->file);
	if (kmd_log_is_place(log, word))
		log->seen = word;
}

/* Advance the position by @count entries. */
static void kmd_log_advance(struct kmd_log *log, u64 count)
{
	u64 index = kmd_log_index_of(log->seen) + count;
	u32 wraps = (u32)(log->seen >> 32);

	if (index >= log->entries) {
		index -= log->entries;
		wraps++;
	}
	log->seen = (u64)wraps << 32 | index;
}

/* False: this hold has no units left. */
static bool kmd_log_read(struct kmd_queue *queue, struct kmd_log *log, bool evaluate)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	u64 word = kmd_log_read_word(log);
	u64 count = kmd_log_entries_since(log, word);
	u32 index = kmd_log_index_of(log->seen);
	bool doubt = false;
	u64 k;

	if (!kmd_log_is_place(log, word) || count > log->entries) {
		kmd_log_act_on_overrun(queue, log, word);
		return true;
	}
	for (k = 0; k < count && kmd_hold_spend(domain); k++) { /* at most all entries once */
		struct rf_log_entry entry;
		u64 now, since;

		kmd_log_copy_entry(log, index, &entry);
		now = kmd_log_read_word(log);
		since = kmd_log_entries_since(log, now);
		if (!kmd_log_is_place(log, now) || since > k + log->entries) {
			kmd_log_act_on_overrun(queue, log, now);
			return true;
		}
		doubt |= since == k + log->entries;
		kmd_log_act_on_entry(queue, log, &entry, evaluate);
		index = index + 1 == log->entries ? 0 : index + 1;
	}
	if (doubt)
		kmd_log_evaluate_all(queue->file);
	kmd_log_advance(log, k);
	return k == count;
}

static bool kmd_log_flush_and_read(struct kmd_queue *queue, bool evaluate)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	const struct rf_update_native_fence_logs update = {
		.number_of_queues = 1,
		.h_hw_queue = &queue->h_hw_queue,
	};
	bool done = true;
	u32 i;

	kmd_hold_access(adapter->sync_domain, adapter);
	if (adapter->ddi->update_native_fence_logs(adapter->h_adapter, &update)) {
		kmd_adapter_set_wedged(adapter, "update_native_fence_logs failed");
		return true;
	}
	for (i = 0; i < KMD_LOGS && done; i++)
		if (queue->logs[i].mem)
			done = kmd_log_read(queue, &queue->logs[i], evaluate);
	return done;
}

/* Signals of a queue that no log records: its progress, and all if it has no logs (S0-101). */
static void kmd_log_evaluate_unlogged(struct kmd_queue *queue)
{
	if (queue->user_mode)
		kmd_fence_evaluate(queue->progress->fence);
	else
		kmd_log_evaluate_all(queue->file);
}

bool kmd_queue_read_logs(struct kmd_queue *queue, bool evaluate)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (queue->dying)
		return true;
	if (evaluate)
		kmd_log_evaluate_unlogged(queue);
	return !kmd_log_has_news(queue) || kmd_log_flush_and_read(queue, evaluate);
}

/* Forget the times of a queue's logs, which are read to their ends. */
static unsigned long kmd_logs_restart_queue(struct kmd_queue *queue, unsigned long flags)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	u32 i;

	while (!kmd_queue_read_logs(queue, adapter->optimized_interrupt))
		flags = kmd_hold_step(adapter->sync_domain, flags);
	for (i = 0; queue->logs && i < KMD_LOGS; i++)
		queue->logs[i].last_timestamp = 0;
	return flags;
}

void kmd_logs_restart(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	struct kmd_queue *queue;

	rf_assert_held(&adapter->mutex);
	rf_list_for_each(queue, &adapter->queues, link) {
		flags = kmd_hold_step(adapter->sync_domain, flags);
		flags = kmd_logs_restart_queue(queue, flags);
	}
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/* --- tracing ---------------------------------------------------------------------------- */

/* The old buffer is read to its end: the device does not write to it any more, but by commands. */
static int kmd_log_enlarge(struct kmd_queue *queue, struct kmd_log *log)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_log new, old = *log;
	unsigned long flags;
	int ret;

	ret = kmd_log_create_buffer(queue->file, &new, log->type, KMD_LOG_BYTES_TRACE);
	if (ret)
		return ret;
	ret = kmd_log_set_buffer(queue, &new);
	if (ret) {
		kmd_log_destroy(queue, &new);
		return ret;
	}
	flags = kmd_wait_lock(domain);
	while (!kmd_log_flush_and_read(queue, adapter->optimized_interrupt))
		flags = kmd_hold_step(domain, flags);
	new.last_timestamp = log->last_timestamp;
	*log = new;
	log[KMD_LOGS] = old;
	kmd_wait_unlock(domain, flags);
	return 0;
}

static void kmd_log_enlarge_queue(struct kmd_queue *queue)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < KMD_LOGS && !ret; i++)
		if (queue->logs[i].mem && queue->logs[i].mem->bytes < KMD_LOG_BYTES_TRACE)
			ret = kmd_log_enlarge(queue, &queue->logs[i]);
	/* the smaller number is valid as well */
	if (!ret)
		kmd_log_publish(queue);
}

void kmd_logs_enlarge(struct kmd_adapter *adapter)
{
	struct kmd_queue *queue;
	unsigned long flags;

	rf_assert_held(&adapter->mutex);
	if (!adapter->trace || kmd_adapter_is_wedged(adapter))
		return;
	rf_list_for_each(queue, &adapter->queues, link)
		if (queue->user_mode && !queue->dying)
			kmd_log_enlarge_queue(queue);
	/* a note about the new buffer may have been handled while the old one was in place */
	flags = kmd_wait_lock(adapter->sync_domain);
	adapter->walk.nodes = adapter->optimized_interrupt ? U32_MAX : adapter->walk.nodes;
	kmd_adapter_walk(adapter, adapter->optimized_interrupt ? KMD_WALK_EVALUATE : KMD_WALK_LOGS);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/* Does not wake the device: in D3 no entries are written. */
void kmd_adapter_trace(struct kmd_adapter *adapter, kmd_trace_fn function, void *argument)
{
	unsigned long flags;

	rf_mutex_lock(&adapter->mutex);
	flags = kmd_wait_lock(adapter->sync_domain);
	adapter->trace = function;
	adapter->trace_argument = argument;
	kmd_wait_unlock(adapter->sync_domain, flags);
	if (!adapter->in_d3)
		kmd_logs_enlarge(adapter);
	rf_mutex_unlock(&adapter->mutex);
}
