// SPDX-License-Identifier: Apache-2.0
/*
 * Queues of processes that do anything: their rings, command buffers and data lie in
 * the playground, the only memory that their VMIDs map. Most packets are
 * well formed and do something; some are broken in one place; some are noise.
 */
#include <string.h>

#include "fuzz.h"

#define RING_LOG2 3
#define RING_ENTRIES (1u << RING_LOG2)
#define RING_BYTES (RING_ENTRIES * (unsigned int)sizeof(struct rf_ring_entry))
#define GLOBAL_PAGE 8

/* An address that a process may think of: mapped, at its edge, or anywhere. */
static uint64_t any_address(struct fuzz *fuzz, unsigned int vmid, unsigned int align)
{
	unsigned int kind = (unsigned int)draw(fuzz, 20);
	struct rf_spot spot = fuzz->playground[kind & 1];
	uint64_t bytes = kind & 1 ? FUZZ_LOCAL_BYTES : FUZZ_SYSTEM_BYTES;
	uint64_t address = rf_dev_address(&fuzz->dev, vmid, spot);

	if (kind == 19)
		address = draw(fuzz, ~0ull);
	else if (kind == 18)
		address += bytes - 64 + draw(fuzz, 128); /* around the end */
	else if (kind == 17)
		address -= draw(fuzz, 64); /* before the begin */
	else if (kind == 16)
		address += draw(fuzz, bytes / 4096) * 4096; /* a fence of the region */
	else
		address += draw(fuzz, bytes);
	return chance(fuzz, 97) ? address & ~(uint64_t)(align - 1) : address;
}

static uint64_t any_count(struct fuzz *fuzz)
{
	switch (draw(fuzz, 12)) {
	case 0:
		return 0;
	case 1:
		return draw(fuzz, 1ull << 32);
	case 2:
		return draw(fuzz, ~0ull);
	case 3:
		return draw(fuzz, 8192);
	default:
		return draw(fuzz, 400);
	}
}

static uint64_t header(unsigned int opcode, unsigned int words, unsigned int flags,
		       uint32_t argument)
{
	return (uint64_t)opcode << RF_PACKET_HEADER_OPCODE_SHIFT |
	       (uint64_t)words << RF_PACKET_HEADER_WORDS_SHIFT |
	       (uint64_t)flags << RF_PACKET_HEADER_FLAGS_SHIFT |
	       (uint64_t)argument << RF_PACKET_HEADER_ARGUMENT_SHIFT;
}

/* A packet of up to 5 words; returns their number. */
static unsigned int any_packet(struct fuzz *fuzz, const struct fuzz_queue *queue, uint64_t *words)
{
	static const uint8_t opcodes[] = { RF_OPCODE_NOP,	RF_OPCODE_SIGNAL,
					   RF_OPCODE_SIGNAL,	RF_OPCODE_WAIT,
					   RF_OPCODE_WRITE,	RF_OPCODE_WRITE,
					   RF_OPCODE_TIMESTAMP, RF_OPCODE_PROGRESS,
					   RF_OPCODE_BARRIER,	RF_OPCODE_SOFTWARE_SIGNAL,
					   RF_OPCODE_TRAP,	RF_OPCODE_COPY,
					   RF_OPCODE_FILL,	RF_OPCODE_VECTOR,
					   RF_OPCODE_VECTOR };
	unsigned int opcode = opcodes[draw(fuzz, sizeof(opcodes))], count = 1, flags = 0, i;
	uint32_t argument = 0;

	if (opcode >= RF_OPCODE_COPY && chance(fuzz, 95)) /* mostly on its own node */
		opcode = queue->node == RF_NODE_COMPUTE ? RF_OPCODE_VECTOR
			 : chance(fuzz, 60)		? RF_OPCODE_COPY
							: RF_OPCODE_FILL;
	switch (opcode) {
	case RF_OPCODE_SIGNAL:
		words[1] = any_address(fuzz, queue->vmid, 8);
		words[2] = draw(fuzz, chance(fuzz, 80) ? 64 : ~0ull);
		words[3] = any_address(fuzz, queue->vmid, 8);
		count = 4;
		break;
	case RF_OPCODE_WAIT:
		words[1] = any_address(fuzz, queue->vmid, 8);
		words[2] = chance(fuzz, 70) ? 0 : draw(fuzz, 64);
		count = 3;
		break;
	case RF_OPCODE_WRITE:
		words[1] = any_address(fuzz, queue->vmid, 8);
		words[2] = draw(fuzz, ~0ull);
		count = 3;
		break;
	case RF_OPCODE_TIMESTAMP:
		words[1] = any_address(fuzz, queue->vmid, 8);
		count = 2;
		break;
	case RF_OPCODE_PROGRESS:
	case RF_OPCODE_TRAP:
		words[1] = draw(fuzz, ~0ull);
		count = 2;
		break;
	case RF_OPCODE_SOFTWARE_SIGNAL:
		words[1] = draw(fuzz, ~0ull);
		words[2] = draw(fuzz, ~0ull);
		count = 3;
		break;
	case RF_OPCODE_COPY:
		words[1] = any_address(fuzz, queue->vmid, 1);
		words[2] = any_address(fuzz, queue->vmid, 1);
		words[3] = any_count(fuzz);
		count = 4;
		break;
	case RF_OPCODE_FILL:
		words[1] = any_address(fuzz, queue->vmid, 1);
		words[2] = any_count(fuzz);
		words[3] = draw(fuzz, ~0ull);
		count = 4;
		break;
	case RF_OPCODE_VECTOR:
		argument = (uint32_t)draw(fuzz, chance(fuzz, 97) ? 6 : 256);
		words[1] = any_address(fuzz, queue->vmid, 8);
		words[2] = any_address(fuzz, queue->vmid, 4);
		words[3] = any_count(fuzz);
		words[4] =
			argument == RF_VECTOR_OPERATION_SUM ? 0 : any_address(fuzz, queue->vmid, 4);
		count = 5;
		break;
	case RF_OPCODE_NOP:
		count = 1 + (unsigned int)draw(fuzz, 4);
		for (i = 1; i < count; i++)
			words[i] = draw(fuzz, ~0ull);
		break;
	default:
		break;
	}
	if ((opcode == RF_OPCODE_SIGNAL || opcode == RF_OPCODE_WAIT) && chance(fuzz, 40)) {
		flags = 1;
		argument = (uint32_t)draw(fuzz, chance(fuzz, 97) ? 4 : 65536);
		words[count++] = draw(fuzz, ~0ull);
	}
	words[0] = header(opcode, count, flags, argument);
	if (chance(fuzz, 3)) /* one bit is wrong */
		words[draw(fuzz, count)] ^= 1ull << draw(fuzz, 64);
	return count;
}

/* A command buffer at a random place, over whatever was there. */
static struct rf_ring_entry any_buffer(struct fuzz *fuzz, const struct fuzz_queue *queue)
{
	unsigned int place = (unsigned int)draw(fuzz, 2), count = 0, packets;
	uint64_t bytes = place ? FUZZ_LOCAL_BYTES : FUZZ_SYSTEM_BYTES, words[128];
	struct rf_ring_entry entry = { 0 };
	struct rf_spot spot;

	for (packets = 1 + (unsigned int)draw(fuzz, 12); packets && count < 120; packets--) {
		if (chance(fuzz, 2))
			words[count++] = draw(fuzz, ~0ull); /* noise */
		else
			count += any_packet(fuzz, queue, words + count);
	}
	spot = rf_spot_at(fuzz->playground[place],
			  FUZZ_SLOTS * RING_BYTES +
				  8 * draw(fuzz, (bytes - FUZZ_SLOTS * RING_BYTES) / 8 - 128));
	rf_dev_write_bytes(&fuzz->dev, spot, words, 8ull * count);
	entry.address = rf_dev_address(&fuzz->dev, queue->vmid, spot);
	entry.size = 8 * count;
	switch (draw(fuzz, 60)) {
	case 0:
		entry.address = any_address(fuzz, queue->vmid, 8);
		break;
	case 1:
		entry.size = 8 * (uint32_t)draw(fuzz, 200);
		break;
	case 2:
		entry.size = (uint32_t)draw(fuzz, 1ull << 32);
		break;
	case 3:
		entry.flags = (uint32_t)draw(fuzz, 1ull << 32);
		break;
	default:
		break;
	}
	fuzz->buffers++;
	return entry;
}

static void ring(struct fuzz *fuzz, unsigned int page, uint64_t value)
{
	rf_bus_write64(fuzz->dev.bus, RF_BAR_REGISTERS, RF_DOORBELL_BASE + page * 4096ull, value);
}

static void submit(struct fuzz *fuzz, struct fuzz_queue *queue)
{
	unsigned int entries = 1 + (unsigned int)draw(fuzz, 3);

	while (entries--) {
		struct rf_ring_entry entry = any_buffer(fuzz, queue);

		rf_dev_write_bytes(
			&fuzz->dev,
			rf_spot_at(queue->ring, queue->write_pointer++ % RING_ENTRIES * 16), &entry,
			sizeof(entry));
	}
	if (chance(fuzz, 80))
		ring(fuzz, queue->slot % 8, queue->write_pointer);
	else
		ring(fuzz, GLOBAL_PAGE, (uint64_t)(queue->slot + 1) << 48 | queue->write_pointer);
}

static void enable(struct fuzz *fuzz, struct fuzz_queue *queue)
{
	struct rf_dev *dev = &fuzz->dev;
	uint64_t base = 0x100 + queue->slot;

	queue->write_pointer = chance(fuzz, 50) ? 0 : draw(fuzz, 1ull << 47);
	queue->node = (unsigned int)draw(fuzz, 2);
	queue->ring = rf_spot_at(fuzz->playground[draw(fuzz, 2)],
				 (queue->slot - FUZZ_SLOT_FIRST) * RING_BYTES);
	rf_dev_register_write(dev, RF_REG_SLOT_RING_BASE(queue->slot),
			      rf_dev_address(dev, queue->vmid, queue->ring));
	rf_dev_register_write(dev, RF_REG_SLOT_WRITE_POINTER_ADDRESS(queue->slot),
			      any_address(fuzz, queue->vmid, 8) & ~7ull);
	rf_dev_register_write(dev, RF_REG_SLOT_QUANTUM(queue->slot), RF_QUANTUM_DEFAULT);
	rf_dev_register_write(dev, RF_REG_SLOT_CONFIG(queue->slot),
			      (uint64_t)RING_LOG2 << RF_SLOT_CONFIG_RING_LOG2_SHIFT |
				      (uint64_t)queue->vmid << RF_SLOT_CONFIG_VMID_SHIFT |
				      (uint64_t)queue->node << RF_SLOT_CONFIG_NODE_SHIFT |
				      (uint64_t)(queue->slot + 1) << RF_SLOT_CONFIG_TOKEN_SHIFT |
				      base << RF_SLOT_CONFIG_HANDLE_SHIFT);
	rf_dev_register_write(dev, RF_REG_SLOT_POINTERS(queue->slot), queue->write_pointer);
	rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(queue->slot), RF_SLOT_CONTROL_ENABLE_MASK);
	rf_dev_register_write(dev, RF_REG_DOORBELL_BIND(queue->slot % 8),
			      RF_DOORBELL_BIND_BOUND_MASK | RF_DOORBELL_BIND_RESIDENT_MASK |
				      (uint64_t)queue->slot << RF_DOORBELL_BIND_SLOT_SHIFT |
				      base << RF_DOORBELL_BIND_HANDLE_SHIFT);
	queue->enabled = true;
	queue->disabling = false;
}

static uint64_t playground_bytes(unsigned int place)
{
	return place ? FUZZ_LOCAL_BYTES : FUZZ_SYSTEM_BYTES;
}

static void map(struct fuzz *fuzz, unsigned int vmid, struct rf_spot page, uint64_t flags)
{
	rf_dev_map(&fuzz->dev, vmid, rf_dev_address(&fuzz->dev, vmid, page),
		   rf_dev_physical(&fuzz->dev, page), flags);
}

/* The playground alone is mapped, and logs and progress fences of the slots in it. */
void queues_open(struct fuzz *fuzz)
{
	struct rf_dev *dev = &fuzz->dev;
	struct rf_spot logs = rf_dev_alloc(dev, RF_PLACE_SYSTEM, FUZZ_SLOTS * 1024, 4096);
	unsigned int i, place, vmid;
	uint64_t offset;

	fuzz->playground[RF_PLACE_SYSTEM] =
		rf_dev_alloc(dev, RF_PLACE_SYSTEM, FUZZ_SYSTEM_BYTES, 4096);
	fuzz->playground[RF_PLACE_LOCAL] =
		rf_dev_alloc(dev, RF_PLACE_LOCAL, FUZZ_LOCAL_BYTES, 4096);
	for (place = 0; place < 2; place++) {
		for (offset = 0; offset < playground_bytes(place); offset += 8)
			rf_dev_write(dev, rf_spot_at(fuzz->playground[place], offset),
				     chance(fuzz, 30) ? draw(fuzz, ~0ull) : draw(fuzz, 64));
	}
	for (vmid = FUZZ_VMID_FIRST; vmid < FUZZ_VMID_FIRST + FUZZ_VMIDS; vmid++) {
		rf_dev_unmap_all(dev, vmid);
		for (place = 0; place < 2; place++)
			for (offset = 0; offset < playground_bytes(place); offset += 4096)
				map(fuzz, vmid, rf_spot_at(fuzz->playground[place], offset),
				    RF_DEV_READ_WRITE);
		rf_dev_invalidate(dev, vmid);
	}
	for (i = 0; i < FUZZ_SLOTS; i++) {
		struct fuzz_queue *queue = &fuzz->queues[i];
		const uint64_t both = RF_SLOT_LOG_SWITCH_WAIT_MASK | RF_SLOT_LOG_SWITCH_SIGNAL_MASK;
		struct rf_spot log = rf_spot_at(logs, 1024 * i);

		*queue = (struct fuzz_queue){ .slot = FUZZ_SLOT_FIRST + i,
					      .vmid = FUZZ_VMID_FIRST + i % FUZZ_VMIDS };
		rf_dev_register_write(dev, RF_REG_SLOT_WAIT_LOG_ADDRESS(queue->slot),
				      rf_dev_address(dev, 0, log));
		rf_dev_register_write(dev, RF_REG_SLOT_SIGNAL_LOG_ADDRESS(queue->slot),
				      rf_dev_address(dev, 0, rf_spot_at(log, 512)));
		rf_dev_register_write(dev, RF_REG_SLOT_LOG_ENTRIES(queue->slot),
				      4ull << RF_SLOT_LOG_ENTRIES_WAIT_SHIFT |
					      4ull << RF_SLOT_LOG_ENTRIES_SIGNAL_SHIFT);
		rf_dev_register_write(dev, RF_REG_SLOT_LOG_SWITCH(queue->slot), both);
		rf_dev_queue_progress(
			&(struct rf_dev_queue){ .dev = dev, .slot = queue->slot },
			rf_spot_at(fuzz->playground[RF_PLACE_LOCAL], 8 * draw(fuzz, 512)),
			rf_spot_at(fuzz->playground[RF_PLACE_SYSTEM], 8 * draw(fuzz, 512)));
		enable(fuzz, queue);
	}
}

static uint32_t slot_state(struct fuzz *fuzz, const struct fuzz_queue *queue)
{
	return (uint32_t)(rf_dev_register(&fuzz->dev, RF_REG_SLOT_STATUS(queue->slot)) &
			  RF_SLOT_STATUS_STATE_MASK);
}

static void control(struct fuzz *fuzz, const struct fuzz_queue *queue, uint64_t command)
{
	rf_dev_register_write(&fuzz->dev, RF_REG_SLOT_CONTROL(queue->slot), command);
}

void queues_act(struct fuzz *fuzz)
{
	struct fuzz_queue *queue = &fuzz->queues[draw(fuzz, FUZZ_SLOTS)];
	unsigned int place;
	uint32_t state;

	switch (draw(fuzz, 16)) {
	case 0: /* a doorbell that lies */
		ring(fuzz, queue->slot % 8,
		     chance(fuzz, 50) ? queue->write_pointer + draw(fuzz, 12) - 2
				      : draw(fuzz, ~0ull));
		break;
	case 1: /* an unknown token, or one of ours with any write pointer */
		ring(fuzz, GLOBAL_PAGE,
		     (chance(fuzz, 50) ? 0x8000 + draw(fuzz, 8) : queue->slot + 1) << 48 |
			     draw(fuzz, 1ull << 48));
		break;
	case 2:
		control(fuzz, queue, RF_SLOT_CONTROL_RESAMPLE_MASK);
		break;
	case 3:
		rf_dev_register_write(&fuzz->dev, RF_REG_FENCE_NOTIFY, 1);
		break;
	case 4: /* a page of the playground comes, goes, or allows less */
		place = (unsigned int)draw(fuzz, 2);
		map(fuzz, FUZZ_VMID_FIRST + (unsigned int)draw(fuzz, FUZZ_VMIDS),
		    rf_spot_at(fuzz->playground[place],
			       draw(fuzz, playground_bytes(place)) & ~4095ull),
		    chance(fuzz, 10)   ? 0
		    : chance(fuzz, 10) ? RF_DEV_READ_ONLY
				       : RF_DEV_READ_WRITE);
		rf_dev_register_write(&fuzz->dev, RF_REG_TRANSLATION_INVALIDATE,
				      draw(fuzz, 1 << 4));
		break;
	case 5: /* a CPU that writes what the queues read */
		rf_dev_write(&fuzz->dev,
			     rf_spot_at(fuzz->playground[draw(fuzz, 2)],
					8 * draw(fuzz, FUZZ_LOCAL_BYTES / 8)),
			     draw(fuzz, 64));
		break;
	case 6:
		control(fuzz, queue, RF_SLOT_CONTROL_DISABLE_MASK);
		queue->disabling = true;
		break;
	case 7:
		rf_dev_register_write(&fuzz->dev, RF_REG_SLOT_LOG_SWITCH(queue->slot),
				      1 + draw(fuzz, 3));
		break;
	default:
		break;
	}
	state = slot_state(fuzz, queue);
	if (state == RF_SLOT_STATE_DISABLED) {
		RF_CHECK(&fuzz->conform, queue->disabling, "slot %u is disabled by itself",
			 queue->slot);
		enable(fuzz, queue);
	} else if (state == RF_SLOT_STATE_ERROR && !queue->disabling) {
		fuzz->errors++;
		control(fuzz, queue, RF_SLOT_CONTROL_DISABLE_MASK);
		queue->disabling = true;
	} else if (state == RF_SLOT_STATE_STOPPED_HOST && chance(fuzz, 50)) {
		control(fuzz, queue, RF_SLOT_CONTROL_RESUME_MASK);
	} else if (!queue->disabling && chance(fuzz, 60)) {
		submit(fuzz, queue);
	}
}

void queues_records(struct fuzz *fuzz)
{
	struct rf_conform *conform = &fuzz->conform;
	struct rf_interrupt_record record;
	struct rf_dev *dev = &fuzz->dev;
	uint64_t overflow = rf_dev_register(dev, RF_REG_INTERRUPT_OVERFLOW);
	bool any = false;

	RF_CHECK(conform, !(overflow & RF_INTERRUPT_OVERFLOW_FAILED_MASK), "a record is lost");
	if (overflow)
		rf_dev_register_write(dev, RF_REG_INTERRUPT_OVERFLOW, overflow);
	while (rf_dev_record(dev, &record)) {
		unsigned int slot = record.handle & 0xff;

		any = true;
		fuzz->records++;
		RF_CHECK(conform,
			 record.kind >= RF_RECORD_KIND_FENCE_SIGNALED &&
				 record.kind <= RF_RECORD_KIND_DOORBELL_PENDING &&
				 record.kind != RF_RECORD_KIND_MONITORED_UPDATE,
			 "a record of kind %u", record.kind);
		if (record.kind == RF_RECORD_KIND_DOORBELL_PENDING)
			RF_CHECK(conform,
				 record.handle == 0 &&
					 (record.address >= 0x8000 ||
					  (record.address > FUZZ_SLOT_FIRST &&
					   record.address <= FUZZ_SLOT_FIRST + FUZZ_SLOTS)),
				 "a ring of token 0x%llx pends for queue 0x%x",
				 (unsigned long long)record.address, record.handle);
		else
			RF_CHECK(conform,
				 record.handle >> 8 == 1 && slot >= FUZZ_SLOT_FIRST &&
					 slot < FUZZ_SLOT_FIRST + FUZZ_SLOTS,
				 "a record of kind %u for queue 0x%x", record.kind, record.handle);
	}
	if (any)
		rf_dev_consume(dev);
	rf_dev_register_write(dev, RF_REG_DOORBELL_GLOBAL_PENDING, 3);
}

/* Whatever they were doing, they can be stopped. */
void queues_close(struct fuzz *fuzz)
{
	unsigned int i, looks;

	for (i = 0; i < FUZZ_SLOTS; i++)
		control(fuzz, &fuzz->queues[i], RF_SLOT_CONTROL_DISABLE_MASK);
	for (i = 0; i < FUZZ_SLOTS; i++) {
		for (looks = 0; looks < 4000; looks++) {
			if (slot_state(fuzz, &fuzz->queues[i]) == RF_SLOT_STATE_DISABLED)
				break;
			rf_dev_run(&fuzz->dev, 256);
			queues_records(fuzz);
		}
		RF_CHECK(&fuzz->conform, looks < 4000, "slot %u cannot be disabled, state %u",
			 fuzz->queues[i].slot, slot_state(fuzz, &fuzz->queues[i]));
	}
	queues_records(fuzz);
}
