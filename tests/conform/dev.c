// SPDX-License-Identifier: Apache-2.0
#include "dev.h"

#include <stdlib.h>
#include <string.h>

#include "rf_bus.h"
#include "rf_sim_bus.h"

#define LOCAL_BASE(vmid) (0x10000000ull + (vmid)*0x1000000ull)
#define SYSTEM_BASE(vmid) (0x1000000000ull + (vmid)*0x10000000ull)
/* Cycles after which the device will not do any more what a test waits for. */
#define PATIENCE 200000

static void on_interrupt(void *argument, unsigned int vector)
{
	struct rf_dev *dev = argument;

	(void)vector;
	dev->interrupts++;
}

uint64_t rf_dev_register(struct rf_dev *dev, uint64_t offset)
{
	return rf_bus_read64(dev->bus, RF_BAR_REGISTERS, offset);
}

void rf_dev_register_write(struct rf_dev *dev, uint64_t offset, uint64_t value)
{
	rf_bus_write64(dev->bus, RF_BAR_REGISTERS, offset, value);
}

uint64_t rf_dev_counter(struct rf_dev *dev, enum rf_counter counter)
{
	return rf_dev_register(dev, RF_REG_COUNTER_VALUE(counter));
}

void rf_dev_flush(struct rf_dev *dev)
{
	rf_dev_register(dev, RF_REG_DEVICE_SCRATCH);
}

/* --- page tables ------------------------------------------------------------------------ */

#define TABLE_ENTRIES 512u

static uint64_t entry_of(uint64_t physical, uint64_t flags)
{
	return physical >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT | flags;
}

static void set_word(struct rf_dev *dev, unsigned int at, uint64_t value)
{
	rf_write_once64((u64 *)&dev->tables[at], value);
	if (!dev->dma)
		rf_write_once64((u64 *)&dev->local_tables[at], value);
}

static void clear_table(struct rf_dev *dev, unsigned int table)
{
	unsigned int i;

	for (i = 0; i < TABLE_ENTRIES; i++)
		set_word(dev, table * TABLE_ENTRIES + i, 0);
}

void rf_dev_set_entry(struct rf_dev *dev, unsigned int vmid, uint64_t address, unsigned int level,
		      uint64_t entry)
{
	unsigned int table = vmid, at = RF_PAGE_TABLE_LEVELS - 1;
	unsigned int word;

	for (;; at--) {
		word = table * TABLE_ENTRIES +
		       (unsigned int)((address >> (12 + 9 * at)) % TABLE_ENTRIES);
		if (at == level)
			break;
		if (!(dev->tables[word] & RF_PAGE_TABLE_ENTRY_VALID_MASK)) {
			RF_CHECK(dev->conform, dev->tables_used < RF_DEV_TABLES,
				 "the test needs too many page tables");
			table = dev->tables_used++;
			clear_table(dev, table);
			set_word(dev, word,
				 entry_of(dev->tables_bus + 4096ull * table,
					  RF_PAGE_TABLE_ENTRY_VALID_MASK));
		}
		table = (unsigned int)(((dev->tables[word] >> RF_PAGE_TABLE_ENTRY_PAGE_SHIFT
								      << 12) -
					dev->tables_bus) /
				       4096);
	}
	set_word(dev, word, entry);
}

void rf_dev_map(struct rf_dev *dev, unsigned int vmid, uint64_t address, uint64_t physical,
		uint64_t flags)
{
	rf_dev_set_entry(dev, vmid, address, 0, flags ? entry_of(physical, flags) : 0);
}

void rf_dev_unmap_all(struct rf_dev *dev, unsigned int vmid)
{
	clear_table(dev, vmid);
}

void rf_dev_invalidate(struct rf_dev *dev, unsigned int vmid)
{
	unsigned int looks;

	rf_dev_register_write(dev, RF_REG_TRANSLATION_INVALIDATE, 1u << vmid);
	for (looks = 0; looks < PATIENCE; looks++) {
		if (!rf_dev_register(dev, RF_REG_TRANSLATION_INVALIDATE))
			return;
	}
	rf_conform_fail(dev->conform, __FILE__, __LINE__, "an invalidation never ends");
}

static void map_everything(struct rf_dev *dev)
{
	unsigned int vmid;
	uint64_t offset;

	dev->tables_used = RF_DEV_VMIDS;
	for (vmid = 0; vmid < RF_DEV_VMIDS; vmid++) {
		clear_table(dev, vmid);
		for (offset = 0; offset < dev->local_bytes; offset += 4096)
			rf_dev_map(dev, vmid, LOCAL_BASE(vmid) + offset, RF_DEV_LOCAL | offset,
				   RF_DEV_READ_WRITE);
		for (offset = 0; offset < dev->system_bytes; offset += 4096)
			rf_dev_map(dev, vmid, SYSTEM_BASE(vmid) + offset, dev->system_bus + offset,
				   RF_DEV_READ_WRITE);
		rf_dev_register_write(dev, RF_REG_TRANSLATION_ROOT(vmid),
				      (dev->tables_bus + 4096ull * vmid) |
					      RF_TRANSLATION_ROOT_VALID_MASK);
		rf_dev_invalidate(dev, vmid);
	}
}

/* Memory that the device reaches; NULL: it has no DMA. */
static void *system_memory(struct rf_dev *dev, uint64_t bytes, uint64_t *bus)
{
	void *memory = aligned_alloc(4096, bytes);
	int error;

	RF_CHECK(dev->conform, memory, "no memory");
	memset(memory, 0, bytes);
	error = dev->bus->ops->map_memory(dev->bus, memory, bytes, (u64 *)bus);
	if (error) {
		RF_CHECK_EQUAL(dev->conform, error, -EOPNOTSUPP, "map_memory");
		free(memory);
		return NULL;
	}
	return memory;
}

/*
 * Local memory stands for the other one as well: a half, a quarter, and the tables. What
 * earlier tests left there is cleared where it is used.
 */
static void divide_local_memory(struct rf_dev *dev)
{
	uint8_t *local = dev->bus->ops->local_memory(dev->bus, true);
	uint64_t bytes = dev->local_bytes / 4;

	RF_CHECK(dev->conform, bytes >= RF_DEV_TABLES * 4096, "too little local memory");
	dev->local_bytes = 2 * bytes;
	dev->system = local + 2 * bytes;
	dev->system_bytes = bytes;
	dev->system_bus = RF_DEV_LOCAL | 2 * bytes;
	dev->local_tables = (uint64_t *)(local + 3 * bytes);
	dev->tables = malloc(RF_DEV_TABLES * 4096);
	RF_CHECK(dev->conform, dev->tables, "no memory");
	dev->tables_bus = RF_DEV_LOCAL | 3 * bytes;
}

static void find_memory(struct rf_dev *dev)
{
	dev->system = system_memory(dev, RF_DEV_SYSTEM_BYTES, &dev->system_bus);
	dev->dma = dev->system;
	if (!dev->dma) {
		divide_local_memory(dev);
		return;
	}
	dev->system_bytes = RF_DEV_SYSTEM_BYTES;
	dev->tables = system_memory(dev, RF_DEV_TABLES * 4096, &dev->tables_bus);
}

void rf_dev_open(struct rf_dev *dev, struct rf_conform *conform, enum rf_place ring)
{
	uint64_t parameters;

	memset(dev, 0, sizeof(*dev));
	dev->conform = conform;
	dev->bus = conform->bus;
	parameters = rf_dev_register(dev, RF_REG_DEVICE_PARAMETERS);
	RF_CHECK(conform, parameters != UINT64_MAX, "the device does not answer");
	dev->local_bytes = 1ull << (parameters & RF_DEVICE_PARAMETERS_LOCAL_MEMORY_LOG2_MASK);
	dev->slots =
		(parameters & RF_DEVICE_PARAMETERS_SLOTS_MASK) >> RF_DEVICE_PARAMETERS_SLOTS_SHIFT;
	dev->shadow = parameters & RF_DEVICE_PARAMETERS_MONITORED_SHADOW_MASK;
	dev->vector = parameters & RF_DEVICE_PARAMETERS_VECTOR_ENGINE_MASK;
	find_memory(dev);
	map_everything(dev);

	dev->interrupt_log2 = 8;
	dev->interrupt_ring = rf_dev_alloc(dev, ring, 32ull << dev->interrupt_log2, 4096);
	rf_dev_register_write(dev, RF_REG_INTERRUPT_RING_BASE,
			      rf_dev_address(dev, 0, dev->interrupt_ring));
	rf_dev_register_write(dev, RF_REG_INTERRUPT_CONTROL,
			      RF_INTERRUPT_CONTROL_ENABLE_MASK |
				      (uint64_t)dev->interrupt_log2
					      << RF_INTERRUPT_CONTROL_ENTRIES_LOG2_SHIFT);
	RF_CHECK_EQUAL(conform, dev->bus->ops->request_interrupt(dev->bus, 0, on_interrupt, dev), 0,
		       "request_interrupt");
}

void rf_dev_need_dma(struct rf_dev *dev)
{
	if (!dev->dma)
		rf_conform_skip(dev->conform, "needs DMA");
}

void rf_dev_close(struct rf_dev *dev)
{
	unsigned int slot, vmid;

	for (slot = 0; slot < dev->slots; slot++)
		rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(slot), RF_SLOT_CONTROL_DISABLE_MASK);
	rf_dev_settle(dev);
	for (vmid = 0; vmid < RF_DEV_VMIDS; vmid++) {
		rf_dev_register_write(dev, RF_REG_TRANSLATION_ROOT(vmid), 0);
		rf_dev_invalidate(dev, vmid);
	}
	dev->bus->ops->free_interrupt(dev->bus, 0);
	if (dev->dma) {
		dev->bus->ops->unmap_memory(dev->bus, dev->tables, RF_DEV_TABLES * 4096,
					    dev->tables_bus);
		dev->bus->ops->unmap_memory(dev->bus, dev->system, RF_DEV_SYSTEM_BYTES,
					    dev->system_bus);
		free(dev->system);
	}
	free(dev->tables);
}

/* --- memory ----------------------------------------------------------------------------- */

static struct rf_spot reserve(struct rf_dev *dev, enum rf_place place, uint64_t bytes,
			      uint64_t align)
{
	struct rf_spot spot = { .place = place };
	uint64_t limit = place == RF_PLACE_LOCAL ? dev->local_bytes : dev->system_bytes;

	spot.offset = (dev->next[place] + align - 1) & ~(align - 1);
	RF_CHECK(dev->conform, spot.offset + bytes <= limit, "the test needs too much memory");
	dev->next[place] = spot.offset + bytes;
	return spot;
}

struct rf_spot rf_dev_alloc(struct rf_dev *dev, enum rf_place place, uint64_t bytes, uint64_t align)
{
	struct rf_spot spot = reserve(dev, place, bytes, align);
	uint64_t i;

	/* Local memory holds what earlier tests left there. */
	for (i = 0; (place == RF_PLACE_LOCAL || !dev->dma) && i < bytes; i += 8)
		rf_dev_write(dev, rf_spot_at(spot, i), 0);
	return spot;
}

struct rf_spot rf_spot_at(struct rf_spot spot, uint64_t offset)
{
	spot.offset += offset;
	return spot;
}

uint64_t rf_dev_address(const struct rf_dev *dev, unsigned int vmid, struct rf_spot spot)
{
	(void)dev;
	if (spot.place == RF_PLACE_LOCAL)
		return LOCAL_BASE(vmid) + spot.offset;
	return SYSTEM_BASE(vmid) + spot.offset;
}

uint64_t rf_dev_physical(const struct rf_dev *dev, struct rf_spot spot)
{
	return spot.place == RF_PLACE_LOCAL ? RF_DEV_LOCAL | spot.offset
					    : dev->system_bus + spot.offset;
}

uint64_t rf_dev_read(struct rf_dev *dev, struct rf_spot spot)
{
	if (spot.place == RF_PLACE_LOCAL)
		return rf_bus_read64(dev->bus, RF_BAR_LOCAL_MEMORY, spot.offset);
	return __atomic_load_n((uint64_t *)(dev->system + spot.offset), __ATOMIC_ACQUIRE);
}

void rf_dev_write(struct rf_dev *dev, struct rf_spot spot, uint64_t value)
{
	if (spot.place == RF_PLACE_LOCAL)
		rf_bus_write64(dev->bus, RF_BAR_LOCAL_MEMORY, spot.offset, value);
	else
		__atomic_store_n((uint64_t *)(dev->system + spot.offset), value, __ATOMIC_RELEASE);
}

void rf_dev_read_bytes(struct rf_dev *dev, struct rf_spot spot, void *data, uint64_t bytes)
{
	uint8_t *to = data;
	uint64_t i, word = 0;

	if (spot.place == RF_PLACE_SYSTEM) {
		memcpy(data, dev->system + spot.offset, bytes);
		return;
	}
	for (i = 0; i < bytes; i++) {
		uint64_t offset = spot.offset + i;

		if (!i || !(offset & 7))
			word = rf_bus_read64(dev->bus, RF_BAR_LOCAL_MEMORY, offset & ~7ull);
		to[i] = (uint8_t)(word >> 8 * (offset & 7));
	}
}

/* Whole words; a partial one at either end keeps its other bytes. */
void rf_dev_write_bytes(struct rf_dev *dev, struct rf_spot spot, const void *data, uint64_t bytes)
{
	const uint8_t *from = data;
	uint64_t i = 0;

	if (spot.place == RF_PLACE_SYSTEM) {
		memcpy(dev->system + spot.offset, data, bytes);
		return;
	}
	while (i < bytes) {
		uint64_t offset = (spot.offset + i) & ~7ull, word = 0;

		if (offset != spot.offset + i || bytes - i < 8)
			word = rf_bus_read64(dev->bus, RF_BAR_LOCAL_MEMORY, offset);
		for (; i < bytes && ((spot.offset + i) & ~7ull) == offset; i++) {
			unsigned int shift = 8 * ((spot.offset + i) & 7);

			word = (word & ~(0xffull << shift)) | (uint64_t)from[i] << shift;
		}
		rf_bus_write64(dev->bus, RF_BAR_LOCAL_MEMORY, offset, word);
	}
}

/* --- queues ------------------------------------------------------------------------------- */

void rf_dev_queue_open(struct rf_dev_queue *queue, struct rf_dev *dev, unsigned int slot,
		       unsigned int node, unsigned int vmid, enum rf_place place)
{
	const uint32_t log2 = 4;

	memset(queue, 0, sizeof(*queue));
	queue->dev = dev;
	queue->slot = slot;
	queue->node = node;
	queue->vmid = vmid;
	queue->doorbell = slot % 8;
	queue->entries = 1u << log2;
	queue->ring = rf_dev_alloc(dev, place, queue->entries * sizeof(struct rf_ring_entry), 64);
	queue->write_pointer_record = rf_dev_alloc(dev, place, 8, 8);
	queue->commands = reserve(dev, place, RF_DEV_COMMAND_BYTES, 64);

	rf_dev_register_write(dev, RF_REG_SLOT_RING_BASE(slot),
			      rf_dev_address(dev, vmid, queue->ring));
	rf_dev_register_write(dev, RF_REG_SLOT_WRITE_POINTER_ADDRESS(slot),
			      rf_dev_address(dev, vmid, queue->write_pointer_record));
	rf_dev_register_write(dev, RF_REG_SLOT_QUANTUM(slot), RF_QUANTUM_DEFAULT);
	rf_dev_register_write(dev, RF_REG_SLOT_CONFIG(slot),
			      (uint64_t)log2 << RF_SLOT_CONFIG_RING_LOG2_SHIFT |
				      (uint64_t)vmid << RF_SLOT_CONFIG_VMID_SHIFT |
				      (uint64_t)node << RF_SLOT_CONFIG_NODE_SHIFT |
				      (uint64_t)(slot + 1) << RF_SLOT_CONFIG_TOKEN_SHIFT |
				      (uint64_t)RF_DEV_HANDLE(slot) << RF_SLOT_CONFIG_HANDLE_SHIFT);
	rf_dev_register_write(dev, RF_REG_SLOT_POINTERS(slot), 0);
	rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(slot), RF_SLOT_CONTROL_ENABLE_MASK);
	rf_dev_register_write(dev, RF_REG_DOORBELL_BIND(queue->doorbell),
			      RF_DOORBELL_BIND_BOUND_MASK | RF_DOORBELL_BIND_RESIDENT_MASK |
				      (uint64_t)slot << RF_DOORBELL_BIND_SLOT_SHIFT |
				      (uint64_t)RF_DEV_HANDLE(slot)
					      << RF_DOORBELL_BIND_HANDLE_SHIFT);
}

void rf_dev_queue_close(struct rf_dev_queue *queue)
{
	rf_dev_register_write(queue->dev, RF_REG_SLOT_CONTROL(queue->slot),
			      RF_SLOT_CONTROL_DISABLE_MASK);
	rf_dev_await_state(queue, RF_SLOT_STATE_DISABLED);
}

static struct rf_spot make_log(struct rf_dev *dev, enum rf_place place, uint32_t entries,
			       enum rf_log_type type)
{
	struct rf_spot log = rf_dev_alloc(dev, place, 40 + 48ull * entries, 4096);

	rf_dev_write(dev, rf_spot_at(log, 8), type);
	rf_dev_write(dev, rf_spot_at(log, 16), entries);
	return log;
}

void rf_dev_queue_logs(struct rf_dev_queue *queue, enum rf_place place, uint32_t entries)
{
	struct rf_dev *dev = queue->dev;
	const uint64_t both = RF_SLOT_LOG_SWITCH_WAIT_MASK | RF_SLOT_LOG_SWITCH_SIGNAL_MASK;

	queue->log_entries = entries;
	queue->wait_log = make_log(dev, place, entries, RF_LOG_TYPE_WAITS);
	queue->signal_log = make_log(dev, place, entries, RF_LOG_TYPE_SIGNALS);
	rf_dev_register_write(dev, RF_REG_SLOT_WAIT_LOG_ADDRESS(queue->slot),
			      rf_dev_address(dev, 0, queue->wait_log));
	rf_dev_register_write(dev, RF_REG_SLOT_SIGNAL_LOG_ADDRESS(queue->slot),
			      rf_dev_address(dev, 0, queue->signal_log));
	rf_dev_register_write(dev, RF_REG_SLOT_LOG_ENTRIES(queue->slot),
			      (uint64_t)entries << RF_SLOT_LOG_ENTRIES_WAIT_SHIFT |
				      (uint64_t)entries << RF_SLOT_LOG_ENTRIES_SIGNAL_SHIFT);
	rf_dev_register_write(dev, RF_REG_SLOT_LOG_SWITCH(queue->slot), both);
	while (rf_dev_register(dev, RF_REG_SLOT_LOG_SWITCH(queue->slot)) & both)
		;
}

struct rf_log_entry rf_dev_log_entry(struct rf_dev *dev, struct rf_spot log, uint32_t index)
{
	struct rf_log_entry entry;

	rf_dev_read_bytes(dev,
			  rf_spot_at(log, sizeof(struct rf_log_header) + index * sizeof(entry)),
			  &entry, sizeof(entry));
	return entry;
}

void rf_dev_queue_progress(struct rf_dev_queue *queue, struct rf_spot current,
			   struct rf_spot monitored)
{
	rf_dev_register_write(queue->dev, RF_REG_SLOT_PROGRESS_ADDRESS(queue->slot),
			      rf_dev_address(queue->dev, 0, current));
	rf_dev_register_write(queue->dev, RF_REG_SLOT_PROGRESS_MONITORED_ADDRESS(queue->slot),
			      rf_dev_address(queue->dev, 0, monitored));
}

void rf_dev_packet(struct rf_dev_queue *queue, enum rf_opcode opcode, unsigned int flags,
		   uint32_t argument, const uint64_t *operands, unsigned int count)
{
	RF_CHECK(queue->dev->conform, queue->count + count + 1 <= 64, "too many packets recorded");
	queue->packets[queue->count++] = (uint64_t)opcode << RF_PACKET_HEADER_OPCODE_SHIFT |
					 (uint64_t)(count + 1) << RF_PACKET_HEADER_WORDS_SHIFT |
					 (uint64_t)flags << RF_PACKET_HEADER_FLAGS_SHIFT |
					 (uint64_t)argument << RF_PACKET_HEADER_ARGUMENT_SHIFT;
	memcpy(&queue->packets[queue->count], operands, count * sizeof(*operands));
	queue->count += count;
}

void rf_dev_signal(struct rf_dev_queue *queue, struct rf_spot current, uint64_t value,
		   struct rf_spot monitored, int log_index)
{
	const uint64_t operands[] = { rf_dev_address(queue->dev, queue->vmid, current), value,
				      rf_dev_address(queue->dev, queue->vmid, monitored),
				      (uint64_t)RF_LOG_OPERATION_SIGNAL_EXECUTED << 32 |
					      queue->slot };
	bool log = log_index >= 0;

	rf_dev_packet(queue, RF_OPCODE_SIGNAL, log ? RF_PACKET_SIGNAL_FLAG_LOG : 0,
		      log ? (uint32_t)log_index : 0, operands, log ? 4 : 3);
}

void rf_dev_wait(struct rf_dev_queue *queue, struct rf_spot current, uint64_t value, int log_index)
{
	const uint64_t operands[] = { rf_dev_address(queue->dev, queue->vmid, current), value,
				      (uint64_t)RF_LOG_OPERATION_WAIT_UNBLOCKED << 32 |
					      queue->slot };
	bool log = log_index >= 0;

	rf_dev_packet(queue, RF_OPCODE_WAIT, log ? RF_PACKET_WAIT_FLAG_LOG : 0,
		      log ? (uint32_t)log_index : 0, operands, log ? 3 : 2);
}

void rf_dev_write_packet(struct rf_dev_queue *queue, struct rf_spot target, uint64_t value)
{
	const uint64_t operands[] = { rf_dev_address(queue->dev, queue->vmid, target), value };

	rf_dev_packet(queue, RF_OPCODE_WRITE, 0, 0, operands, 2);
}

void rf_dev_append(struct rf_dev_queue *queue)
{
	struct rf_dev *dev = queue->dev;
	uint64_t bytes = queue->count * 8ull;
	struct rf_ring_entry entry;
	struct rf_spot buffer;

	if (queue->commands_next + bytes > RF_DEV_COMMAND_BYTES)
		queue->commands_next = 0;
	buffer = rf_spot_at(queue->commands, queue->commands_next);
	queue->commands_next += bytes;
	rf_dev_write_bytes(dev, buffer, queue->packets, bytes);

	entry = (struct rf_ring_entry){ .address = rf_dev_address(dev, queue->vmid, buffer),
					.size = (uint32_t)bytes };
	rf_dev_write_bytes(dev, rf_spot_at(queue->ring, queue->write_pointer % queue->entries * 16),
			   &entry, sizeof(entry));
	queue->write_pointer++;
	rf_dev_write(dev, queue->write_pointer_record, queue->write_pointer);
	queue->count = 0;
}

void rf_dev_ring(struct rf_dev_queue *queue)
{
	rf_bus_write64(queue->dev->bus, RF_BAR_REGISTERS,
		       RF_DOORBELL_BASE + queue->doorbell * 4096ull, queue->write_pointer);
}

void rf_dev_ring_now(struct rf_dev_queue *queue)
{
	uint64_t value = queue->write_pointer;

	rfsim_bar_write(queue->dev->conform->setup.world.sim, 0,
			RF_DOORBELL_BASE + queue->doorbell * 4096ull, &value, 8);
}

void rf_dev_submit(struct rf_dev_queue *queue)
{
	rf_dev_append(queue);
	rf_dev_ring(queue);
}

uint32_t rf_dev_queue_state(struct rf_dev_queue *queue)
{
	uint64_t status = rf_dev_register(queue->dev, RF_REG_SLOT_STATUS(queue->slot));

	return (uint32_t)(status & RF_SLOT_STATUS_STATE_MASK);
}

uint32_t rf_dev_queue_error(struct rf_dev_queue *queue)
{
	uint64_t status = rf_dev_register(queue->dev, RF_REG_SLOT_STATUS(queue->slot));

	return (uint32_t)((status & RF_SLOT_STATUS_ERROR_MASK) >> RF_SLOT_STATUS_ERROR_SHIFT);
}

uint64_t rf_dev_queue_done(struct rf_dev_queue *queue)
{
	return rf_dev_register(queue->dev, RF_REG_SLOT_POINTERS(queue->slot));
}

/* --- time ------------------------------------------------------------------------------------ */

static bool never(void *argument)
{
	(void)argument;
	return false;
}

void rf_dev_run(struct rf_dev *dev, uint64_t cycles)
{
	uint64_t begin;

	if (dev->conform->setup.world.simulation) {
		rfsim_step(dev->conform->setup.world.simulation, cycles);
		return;
	}
	/* a device behind vfio-user may be a simulation as well, whose time is its own */
	begin = rf_dev_register(dev, RF_REG_DEVICE_TIMESTAMP);
	do {
		RF_CHECK(dev->conform, begin != UINT64_MAX, "the device does not answer");
		dev->bus->ops->wait(dev->bus, never, NULL, 0);
	} while (rf_dev_register(dev, RF_REG_DEVICE_TIMESTAMP) - begin < cycles);
}

void rf_dev_finish(struct rf_dev_queue *queue)
{
	unsigned int looks;
	uint32_t error;

	for (looks = 0; looks < PATIENCE / 64; looks++) {
		if (rf_dev_queue_done(queue) == queue->write_pointer)
			return;
		error = rf_dev_queue_error(queue);
		RF_CHECK(queue->dev->conform, !error, "slot %u: queue error %u at 0x%llx",
			 queue->slot, error,
			 (unsigned long long)rf_dev_register(
				 queue->dev, RF_REG_SLOT_ERROR_ADDRESS(queue->slot)));
		rf_dev_run(queue->dev, 64);
	}
	rf_conform_fail(queue->dev->conform, __FILE__, __LINE__,
			"slot %u completed %llu of %llu entries, state %u", queue->slot,
			(unsigned long long)rf_dev_queue_done(queue),
			(unsigned long long)queue->write_pointer, rf_dev_queue_state(queue));
}

void rf_dev_await_state(struct rf_dev_queue *queue, enum rf_slot_state state)
{
	unsigned int looks;

	for (looks = 0; looks < PATIENCE / 64; looks++) {
		if (rf_dev_queue_state(queue) == state)
			return;
		rf_dev_run(queue->dev, 16);
	}
	rf_conform_fail(queue->dev->conform, __FILE__, __LINE__, "slot %u: state %u, want %u",
			queue->slot, rf_dev_queue_state(queue), state);
}

void rf_dev_await(struct rf_dev *dev, struct rf_spot spot, uint64_t value)
{
	unsigned int looks;

	for (looks = 0; looks < PATIENCE / 64; looks++) {
		if (rf_dev_read(dev, spot) == value)
			return;
		rf_dev_run(dev, 64);
	}
	rf_conform_fail(dev->conform, __FILE__, __LINE__, "word stays 0x%llx, want 0x%llx",
			(unsigned long long)rf_dev_read(dev, spot), (unsigned long long)value);
}

void rf_dev_warm(struct rf_dev *dev, unsigned int slot, unsigned int vmid, struct rf_spot spot)
{
	struct rf_spot copy = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 8);
	const uint64_t operands[] = { rf_dev_address(dev, vmid, copy),
				      rf_dev_address(dev, vmid, spot), 8 };
	struct rf_dev_queue queue;

	rf_dev_queue_open(&queue, dev, slot, RF_NODE_COPY, vmid, RF_PLACE_SYSTEM);
	rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
	rf_dev_submit(&queue);
	rf_dev_finish(&queue);
	rf_dev_queue_close(&queue);
}

static bool is_idle(struct rf_dev *dev)
{
	if (dev->conform->setup.world.simulation)
		return rfsim_idle(dev->conform->setup.world.simulation);
	return rf_dev_register(dev, RF_REG_DEVICE_STATUS) & RF_DEVICE_STATUS_IDLE_MASK;
}

void rf_dev_settle(struct rf_dev *dev)
{
	unsigned int looks;

	for (looks = 0; looks < PATIENCE / 64; looks++) {
		rf_dev_run(dev, 64);
		if (is_idle(dev)) {
			rf_dev_run(dev, 0); /* its last interrupt */
			return;
		}
	}
	rf_conform_fail(dev->conform, __FILE__, __LINE__, "the device does not come to rest");
}

/* --- interrupts, MonitoredValue ---------------------------------------------------------------- */

bool rf_dev_record(struct rf_dev *dev, struct rf_interrupt_record *record)
{
	uint32_t producer = (uint32_t)rf_dev_register(dev, RF_REG_INTERRUPT_PRODUCER);
	uint64_t index = dev->consumer & ((1u << dev->interrupt_log2) - 1);

	if (producer == dev->consumer)
		return false;
	rf_dev_read_bytes(dev, rf_spot_at(dev->interrupt_ring, index * sizeof(*record)), record,
			  24);
	dev->consumer++;
	return true;
}

unsigned int rf_dev_records(struct rf_dev *dev, struct rf_interrupt_record *records,
			    unsigned int max)
{
	struct rf_interrupt_record record;
	unsigned int count = 0;

	while (rf_dev_record(dev, &record)) {
		RF_CHECK(dev->conform, count < max, "more than %u interrupt records", max);
		records[count++] = record;
	}
	if (count)
		rf_dev_consume(dev);
	return count;
}

void rf_dev_consume(struct rf_dev *dev)
{
	rf_dev_register_write(dev, RF_REG_INTERRUPT_CONSUMER, dev->consumer);
}

void rf_dev_update_addresses(struct rf_dev *dev, struct rf_spot current, struct rf_spot monitored)
{
	rf_dev_register_write(dev, RF_REG_FENCE_UPDATE_CURRENT, rf_dev_address(dev, 0, current));
	rf_dev_register_write(dev, RF_REG_FENCE_UPDATE_MONITORED,
			      rf_dev_address(dev, 0, monitored));
}

void rf_dev_update(struct rf_dev *dev, struct rf_spot current, struct rf_spot monitored,
		   uint64_t value)
{
	uint32_t done = (uint32_t)rf_dev_register(dev, RF_REG_FENCE_UPDATE_DONE);
	unsigned int looks;

	rf_dev_update_addresses(dev, current, monitored);
	rf_dev_register_write(dev, RF_REG_FENCE_UPDATE_VALUE, value);
	for (looks = 0; looks < PATIENCE; looks++) {
		if ((uint32_t)rf_dev_register(dev, RF_REG_FENCE_UPDATE_DONE) == done + 1)
			return;
	}
	rf_conform_fail(dev->conform, __FILE__, __LINE__, "an update is never done");
}

void rf_dev_update_now(struct rf_dev *dev, uint64_t value)
{
	rfsim_bar_write(dev->conform->setup.world.sim, 0, RF_REG_FENCE_UPDATE_VALUE, &value, 8);
}
