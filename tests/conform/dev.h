/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives the device over the bus, without a driver: memory of both kinds, queues, packets, the
 * interrupt ring. A spot is a place in memory that the test accesses by the CPU and the device by a
 * virtual address, which differs per VMID.
 */
#ifndef RF_CONFORM_DEV_H
#define RF_CONFORM_DEV_H

#include "conform.h"
#include "ringfence_hw.h"

enum rf_place { RF_PLACE_SYSTEM, RF_PLACE_LOCAL };

struct rf_spot {
	enum rf_place place;
	uint64_t offset;
};

#define RF_DEV_VMIDS 4 /* 0: system process, 1..3: processes */

struct rf_dev {
	struct rf_conform *conform;
	struct rf_bus *bus;
	uint8_t *system; /* memory that the device can access */
	uint64_t system_bytes;
	uint64_t system_bus;
	bool dma; /* else @system and @local_tables are parts of local memory */
	uint64_t *tables; /* page tables, 512 entries each; those of the roots first */
	uint64_t *local_tables; /* without DMA: where @tables, which can be read fast, stand too */
	uint64_t tables_bus;
	unsigned int tables_used;
	uint64_t local_bytes; /* of RF_PLACE_LOCAL */
	unsigned int slots; /* 8 or 16 */
	bool shadow; /* MonitoredValue may be in local memory; there is an update port */
	bool vector; /* the compute node has an engine */
	uint64_t next[2]; /* first free offset by place */
	struct rf_spot interrupt_ring;
	uint32_t interrupt_log2;
	uint32_t consumer;
	volatile unsigned int interrupts; /* times that vector 0 fired */
};

#define RF_DEV_SYSTEM_BYTES (1u << 20) /* with DMA */
#define RF_DEV_TABLES 64u

/*
 * Start the device of a `dev` test: page tables that map all of @system and of local
 * memory in every VMID, interrupt ring (256 entries) in @ring. */
void rf_dev_open(struct rf_dev *dev, struct rf_conform *conform, enum rf_place ring);
/* Skip the test on a bus without DMA, where the device sends no TLP and no MSI-X. */
void rf_dev_need_dma(struct rf_dev *dev);
/* Stop every queue, remove every page table, free the memory. Optional at the end of a test. */
void rf_dev_close(struct rf_dev *dev);

/* Fresh zeroed memory; @align a power of two. */
struct rf_spot rf_dev_alloc(struct rf_dev *dev, enum rf_place place, uint64_t bytes,
			    uint64_t align);
struct rf_spot rf_spot_at(struct rf_spot spot, uint64_t offset);
uint64_t rf_dev_address(const struct rf_dev *dev, unsigned int vmid, struct rf_spot spot);
/* Physical address: of the bus, or local with RF_DEV_LOCAL. */
uint64_t rf_dev_physical(const struct rf_dev *dev, struct rf_spot spot);
uint64_t rf_dev_read(struct rf_dev *dev, struct rf_spot spot);
void rf_dev_write(struct rf_dev *dev, struct rf_spot spot, uint64_t value);
void rf_dev_read_bytes(struct rf_dev *dev, struct rf_spot spot, void *data, uint64_t bytes);
void rf_dev_write_bytes(struct rf_dev *dev, struct rf_spot spot, const void *data, uint64_t bytes);

uint64_t rf_dev_register(struct rf_dev *dev, uint64_t offset);
void rf_dev_register_write(struct rf_dev *dev, uint64_t offset, uint64_t value);
uint64_t rf_dev_counter(struct rf_dev *dev, enum rf_counter counter);
/* Every write posted so far is performed. */
void rf_dev_flush(struct rf_dev *dev);

/* --- page tables ------------------------------------------------------------------ */

#define RF_DEV_LOCAL (1ull << 55)
#define RF_DEV_READ_ONLY                                                  \
	(RF_PAGE_TABLE_ENTRY_VALID_MASK | RF_PAGE_TABLE_ENTRY_READ_MASK | \
	 RF_PAGE_TABLE_ENTRY_ACCESSED_MASK)
#define RF_DEV_READ_WRITE \
	(RF_DEV_READ_ONLY | RF_PAGE_TABLE_ENTRY_WRITE_MASK | RF_PAGE_TABLE_ENTRY_DIRTY_MASK)

/* The page of @address stands for that of @physical, once invalidated. @flags 0: for none. */
void rf_dev_map(struct rf_dev *dev, unsigned int vmid, uint64_t address, uint64_t physical,
		uint64_t flags);
/* The entry of @level for @address, as it is. */
void rf_dev_set_entry(struct rf_dev *dev, unsigned int vmid, uint64_t address, unsigned int level,
		      uint64_t entry);
/* Nothing is mapped, once invalidated. */
void rf_dev_unmap_all(struct rf_dev *dev, unsigned int vmid);
/* On return no access through an older entry is possible any more. */
void rf_dev_invalidate(struct rf_dev *dev, unsigned int vmid);

/* --- queues ---------------------------------------------------------------------- */

#define RF_DEV_COMMAND_BYTES 8192u

struct rf_dev_queue {
	struct rf_dev *dev;
	unsigned int slot;
	unsigned int node;
	unsigned int vmid;
	unsigned int doorbell; /* dedicated doorbell = slot modulo doorbells */
	uint32_t entries;
	struct rf_spot ring;
	struct rf_spot write_pointer_record;
	struct rf_spot commands; /* filled in a circle */
	struct rf_spot wait_log, signal_log;
	uint32_t log_entries;
	uint64_t write_pointer;
	uint64_t packets[64]; /* recorded and not yet submitted */
	unsigned int count;
	uint64_t commands_next;
};

#define RF_DEV_HANDLE(slot) (0x100u + (slot)) /* kernel queue handle of a slot */

/*
 * A queue of 16 entries in slot @slot, enabled and bound to doorbell @slot % 8;
 * ring and commands lie in @place. No logs, no progress fence.
 */
void rf_dev_queue_open(struct rf_dev_queue *queue, struct rf_dev *dev, unsigned int slot,
		       unsigned int node, unsigned int vmid, enum rf_place place);
/* A queue of @vmid in @slot reads @spot, and is closed: the TLB knows the page. */
void rf_dev_warm(struct rf_dev *dev, unsigned int slot, unsigned int vmid, struct rf_spot spot);
/* Disable the slot and wait for that. */
void rf_dev_queue_close(struct rf_dev_queue *queue);
/* Give it logs of @entries in @place, both 4096-byte buffers with headers. */
void rf_dev_queue_logs(struct rf_dev_queue *queue, enum rf_place place, uint32_t entries);
/* Entry @index of a log of the queue, and its {WraparoundCount, FirstFreeEntryIndex} word. */
struct rf_log_entry rf_dev_log_entry(struct rf_dev *dev, struct rf_spot log, uint32_t index);
#define RF_DEV_LOG_STATE(wraps, index) ((uint64_t)(wraps) << 32 | (index))
void rf_dev_queue_progress(struct rf_dev_queue *queue, struct rf_spot current,
			   struct rf_spot monitored);

#define RF_DEV_NO_LOG (-1)

/* Record a packet; @log_index RF_DEV_NO_LOG: no entry. The payload is {value, slot}. */
void rf_dev_signal(struct rf_dev_queue *queue, struct rf_spot current, uint64_t value,
		   struct rf_spot monitored, int log_index);
void rf_dev_wait(struct rf_dev_queue *queue, struct rf_spot current, uint64_t value, int log_index);
void rf_dev_write_packet(struct rf_dev_queue *queue, struct rf_spot target, uint64_t value);
void rf_dev_packet(struct rf_dev_queue *queue, enum rf_opcode opcode, unsigned int flags,
		   uint32_t argument, const uint64_t *operands, unsigned int count);
/* What was recorded becomes one ring entry; no ring. */
void rf_dev_append(struct rf_dev_queue *queue);
void rf_dev_ring(struct rf_dev_queue *queue);
/* Both. */
void rf_dev_submit(struct rf_dev_queue *queue);
/* In the cycle (rfsim_at): the ring alone, its TLP begins in this very cycle. */
void rf_dev_ring_now(struct rf_dev_queue *queue);

uint32_t rf_dev_queue_state(struct rf_dev_queue *queue); /* enum rf_slot_state */
uint32_t rf_dev_queue_error(struct rf_dev_queue *queue); /* enum rf_queue_error */
uint64_t rf_dev_queue_done(struct rf_dev_queue *queue); /* entries completed */

/* --- time -------------------------------------------------------------------------- */

/* Let the device work until the queue has completed all its entries; else fail. */
void rf_dev_finish(struct rf_dev_queue *queue);
/* Until the queue is in this state; else fail. */
void rf_dev_await_state(struct rf_dev_queue *queue, enum rf_slot_state state);
/* Until the word holds the value; else fail. */
void rf_dev_await(struct rf_dev *dev, struct rf_spot spot, uint64_t value);
/* Let it work for so many cycles (other targets: a while). */
void rf_dev_run(struct rf_dev *dev, uint64_t cycles);
/* Until nothing moves any more. */
void rf_dev_settle(struct rf_dev *dev);

/* --- interrupts, MonitoredValue ------------------------------------------------------- */

/* Take the next record of the interrupt ring; false: caught up. */
bool rf_dev_record(struct rf_dev *dev, struct rf_interrupt_record *record);
/*
 * Take all of them, at most @max, and tell the device, which re-arms. Returns their
 * number; more than @max is a failure.
 */
unsigned int rf_dev_records(struct rf_dev *dev, struct rf_interrupt_record *records,
			    unsigned int max);
/* Tell the device what was taken: re-arms. */
void rf_dev_consume(struct rf_dev *dev);
/* Post an update and wait for UPDATE_DONE. */
void rf_dev_update(struct rf_dev *dev, struct rf_spot current, struct rf_spot monitored,
		   uint64_t value);
/* In the cycle: the last write of an update, its TLP begins in this very cycle. */
void rf_dev_update_now(struct rf_dev *dev, uint64_t value);
/* The two address registers of the next update. */
void rf_dev_update_addresses(struct rf_dev *dev, struct rf_spot current, struct rf_spot monitored);

#endif
