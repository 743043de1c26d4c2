// SPDX-License-Identifier: Apache-2.0
/* A device of registers only; see fake_device.h. */
#include <string.h>

#include "fake_device.h"

static struct fake_device *device_of(struct rf_bus *bus)
{
	return container_of(fake_of(bus), struct fake_device, fake);
}

u64 *fake_device_register(struct fake_device *device, u64 offset)
{
	assert_true(offset % 8 == 0 && offset < RF_BAR0_BYTES);
	return &device->registers[offset / 8];
}

#define REGISTER(device, NAME) (*fake_device_register(device, RF_REG_##NAME))

/* --- what there is ------------------------------------------------------------------------ */

struct block {
	u64 type, version, offset, base, stride, count;
};

static const struct block blocks[] = {
	{ RF_BLOCK_TYPE_DEVICE, RF_DEVICE_BLOCK_VERSION, RF_DEVICE_BLOCK_OFFSET, 0, 0, 0 },
	{ RF_BLOCK_TYPE_DOORBELL, RF_DOORBELL_BLOCK_VERSION, RF_DOORBELL_BLOCK_OFFSET, 0, 0, 0 },
	{ RF_BLOCK_TYPE_FENCE, RF_FENCE_BLOCK_VERSION, RF_FENCE_BLOCK_OFFSET, 0, 0, 0 },
	{ RF_BLOCK_TYPE_INTERRUPT, RF_INTERRUPT_BLOCK_VERSION, RF_INTERRUPT_BLOCK_OFFSET, 0, 0, 0 },
	{ RF_BLOCK_TYPE_NODE, RF_NODE_BLOCK_VERSION, RF_NODE_BLOCK_OFFSET, RF_NODE_INDEXED_BASE,
	  RF_NODE_INDEXED_STRIDE, RF_NODE_INDEXED_COUNT },
	{ RF_BLOCK_TYPE_COUNTER, RF_COUNTER_BLOCK_VERSION, RF_COUNTER_BLOCK_OFFSET, 0, 0, 0 },
	{ RF_BLOCK_TYPE_SLOT, RF_SLOT_BLOCK_VERSION, RF_SLOT_BLOCK_OFFSET, RF_SLOT_INDEXED_BASE,
	  RF_SLOT_INDEXED_STRIDE, RF_SLOT_INDEXED_COUNT },
	{ RF_BLOCK_TYPE_TRANSLATION, RF_TRANSLATION_BLOCK_VERSION, RF_TRANSLATION_BLOCK_OFFSET,
	  RF_TRANSLATION_INDEXED_BASE, RF_TRANSLATION_INDEXED_STRIDE,
	  RF_TRANSLATION_INDEXED_COUNT },
};

void fake_device_clear(struct fake_device *device)
{
	size_t i;

	memset(device->registers, 0, sizeof(device->registers));
	memset(device->slow, 0, sizeof(device->slow));
	memset(device->left, 0, sizeof(device->left));
	device->storing = 0;
	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		const struct block *block = &blocks[i];
		u64 next = i + 1 < ARRAY_SIZE(blocks) ? blocks[i + 1].offset : 0;

		*fake_device_register(device, block->offset) =
			block->type | block->version << RF_BLOCK_HEADER_IDENTITY_VERSION_SHIFT |
			next << RF_BLOCK_HEADER_IDENTITY_NEXT_SHIFT;
		*fake_device_register(device, block->offset + RF_BLOCK_HEADER_INDEXED) =
			block->count | block->stride << RF_BLOCK_HEADER_INDEXED_STRIDE_SHIFT |
			block->base << RF_BLOCK_HEADER_INDEXED_BASE_SHIFT;
	}
	REGISTER(device, DEVICE_PARAMETERS) = RF_FIELD(RF_DEVICE_PARAMETERS_LOCAL_MEMORY_LOG2, 20) |
					      RF_FIELD(RF_DEVICE_PARAMETERS_DOORBELLS, 4) |
					      RF_FIELD(RF_DEVICE_PARAMETERS_MONITORED_SHADOW, 1) |
					      RF_FIELD(RF_DEVICE_PARAMETERS_VECTOR_ENGINE, 1);
	REGISTER(device, DEVICE_TIMESTAMP_HZ) = 125000000;
}

/* --- memory as the device sees it ----------------------------------------------------------- */

/* The word of an address, by page tables; NULL: not mapped. */
static u64 *find_word(struct fake_device *device, u32 vmid, u64 address)
{
	u64 table = *fake_device_register(device, RF_REG_TRANSLATION_ROOT(vmid)) &
		    ~((1ull << RF_PAGE_SHIFT) - 1);
	u32 level = RF_PAGE_TABLE_LEVELS;

	while (table && level--) {
		u32 shift = RF_PAGE_SHIFT + 9 * level;
		u64 entry = ((const u64 *)(uintptr_t)table)[address >> shift & 511];
		u64 physical = (entry >> 10 & ((1ull << 44) - 1)) << RF_PAGE_SHIFT;

		if (!(entry & RF_PAGE_TABLE_ENTRY_VALID_MASK))
			return NULL;
		if (!(entry & RF_PAGE_TABLE_ENTRY_READ_MASK)) {
			table = physical;
			continue;
		}
		physical |= address & ((1ull << shift) - 1) & ~7ull;
		if (physical & RF_PHYSICAL_LOCAL)
			return &device->fake.bus.local[(physical & ~RF_PHYSICAL_LOCAL) / 8];
		return (u64 *)(uintptr_t)physical;
	}
	return NULL;
}

static void store(struct fake_device *device, u32 vmid, u64 address, u64 value)
{
	u64 *word = find_word(device, vmid, address);

	assert_non_null(word);
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/* --- records --------------------------------------------------------------------------------- */

void fake_device_record(struct fake_device *device, const struct rf_interrupt_record *record)
{
	u64 control = REGISTER(device, INTERRUPT_CONTROL);
	u64 entries = 1ull << RF_FIELD_GET(RF_INTERRUPT_CONTROL_ENTRIES_LOG2, control);
	u64 *producer = &REGISTER(device, INTERRUPT_PRODUCER);
	u64 address = REGISTER(device, INTERRUPT_RING_BASE) +
		      *producer % entries * RF_INTERRUPT_RECORD_BYTES;

	if (!(control & RF_INTERRUPT_CONTROL_ENABLE_MASK))
		return;
	if (device->master_off) {
		REGISTER(device, INTERRUPT_OVERFLOW) |= RF_INTERRUPT_OVERFLOW_FAILED_MASK;
		return;
	}
	store(device, 0, address,
	      record->kind | (u64)record->node << 8 | (u64)record->vmid << 16 |
		      (u64)record->detail << 24 | (u64)record->handle << 32);
	store(device, 0, address + 8, record->address);
	store(device, 0, address + 16, record->value);
	*producer = (u32)(*producer + 1);
	if (!device->msi_off)
		fake_bus_raise(&device->fake.bus);
}

/* --- slots ----------------------------------------------------------------------------------- */

void fake_device_set_state(struct fake_device *device, u32 slot, u64 state, u64 error)
{
	*fake_device_register(device, RF_REG_SLOT_STATUS(slot)) =
		RF_FIELD(RF_SLOT_STATUS_STATE, state) | RF_FIELD(RF_SLOT_STATUS_ERROR, error);
}

/* A context goes from memory to registers or back. */
static void transfer(struct fake_device *device, u32 slot, bool save)
{
	u64 *registers = fake_device_register(device, RF_REG_SLOT_RING_BASE(slot));
	u64 address = *fake_device_register(device, RF_REG_SLOT_SAVE_ADDRESS(slot));
	u64 status = RF_CONTEXT(STATUS) / 8, save_address = RF_CONTEXT(SAVE_ADDRESS) / 8;
	u64 i;

	for (i = 0; i < RF_CONTEXT_BYTES / 8; i++) {
		u64 *word = find_word(device, 0, address + 8 * i);

		if (!word || i == status || i == save_address)
			continue;
		if (save)
			*word = registers[i];
		else
			registers[i] = *word;
	}
}

/* --- what slots do ------------------------------------------------------------------------------ */

#define SLOT_REGISTER(device, NAME, slot) (*fake_device_register(device, RF_REG_SLOT_##NAME(slot)))

static u64 word_at(struct fake_device *device, u32 vmid, u64 address)
{
	const u64 *word = find_word(device, vmid, address);

	assert_non_null(word);
	return *word;
}

/* SIGNAL of the progress fence, whose MonitoredValue is below. */
static void perform_progress(struct fake_device *device, u32 slot, u64 value)
{
	u64 address = SLOT_REGISTER(device, PROGRESS_ADDRESS, slot);
	u64 config = SLOT_REGISTER(device, CONFIG, slot);

	if (device->late) {
		device->late_address = address;
		device->late_value = value;
		return;
	}
	store(device, 0, address, value);
	fake_device_record(device, &(struct rf_interrupt_record){
					   .kind = RF_RECORD_KIND_FENCE_SIGNALED,
					   .node = RF_FIELD_GET(RF_SLOT_CONFIG_NODE, config),
					   .handle = RF_FIELD_GET(RF_SLOT_CONFIG_HANDLE, config),
					   .address = address,
					   .value = value,
				   });
}

/* One packet of a command buffer; false: the node stands still at it. */
static bool perform(struct fake_device *device, u32 slot, u32 vmid, u64 address)
{
	switch (RF_FIELD_GET(RF_PACKET_HEADER_OPCODE, word_at(device, vmid, address))) {
	case RF_OPCODE_NOP:
		break;
	case RF_OPCODE_WRITE:
		store(device, vmid, word_at(device, vmid, address + 8),
		      word_at(device, vmid, address + 16));
		break;
	case RF_OPCODE_PROGRESS:
		perform_progress(device, slot, word_at(device, vmid, address + 8));
		break;
	default:
		return false;
	}
	return true;
}

/* Position in the command buffer: BUFFER_STATE, in words. */
static void run_slot(struct fake_device *device, u32 slot)
{
	u64 *pointer = &SLOT_REGISTER(device, POINTERS, slot);
	u64 *position = &SLOT_REGISTER(device, BUFFER_STATE, slot);
	u64 config = SLOT_REGISTER(device, CONFIG, slot);
	u32 vmid = (u32)RF_FIELD_GET(RF_SLOT_CONFIG_VMID, config);
	u64 entries = 1ull << RF_FIELD_GET(RF_SLOT_CONFIG_RING_LOG2, config);
	u32 commands = device->commands;

	while (*pointer != SLOT_REGISTER(device, WRITE_POINTER, slot)) {
		u64 entry = SLOT_REGISTER(device, RING_BASE, slot) + *pointer % entries * 16;
		u64 buffer = word_at(device, vmid, entry), address, words;

		if (*position == (u32)word_at(device, vmid, entry + 8) / 8) {
			*position = 0;
			++*pointer;
			continue;
		}
		if (!device->steps)
			break;
		address = buffer + *position * 8;
		words = RF_FIELD_GET(RF_PACKET_HEADER_WORDS, word_at(device, vmid, address));
		*position += words;
		if (!perform(device, slot, vmid, address)) {
			*position -= words;
			break;
		}
		device->steps--;
		/* what it told of had the driver tell the slot something */
		if (device->commands != commands)
			return;
	}
	fake_device_set_state(device, slot,
			      *pointer == SLOT_REGISTER(device, WRITE_POINTER, slot)
				      ? RF_SLOT_STATE_IDLE
				      : RF_SLOT_STATE_RUNNING,
			      0);
}

void fake_device_run(struct fake_device *device, u64 steps)
{
	u32 slot;

	device->steps = steps;
	for (slot = 0; slot < RF_SLOT_INDEXED_COUNT; slot++)
		if (RF_FIELD_GET(RF_SLOT_STATUS_STATE, SLOT_REGISTER(device, STATUS, slot)) ==
		    RF_SLOT_STATE_RUNNING)
			run_slot(device, slot);
}

void fake_device_arrive(struct fake_device *device)
{
	if (device->late_address)
		store(device, 0, device->late_address, device->late_value);
	device->late_address = 0;
}

/* It takes its write pointer from the record. */
static void sample(struct fake_device *device, u32 slot)
{
	u64 config = SLOT_REGISTER(device, CONFIG, slot);

	if (!device->has_engines)
		return;
	SLOT_REGISTER(device, WRITE_POINTER, slot) =
		word_at(device, (u32)RF_FIELD_GET(RF_SLOT_CONFIG_VMID, config),
			SLOT_REGISTER(device, WRITE_POINTER_ADDRESS, slot));
	run_slot(device, slot);
}

/* Not that of a queue in error. */
static void set_disabled(struct fake_device *device, u32 slot)
{
	SLOT_REGISTER(device, STATUS, slot) &= ~RF_SLOT_STATUS_STATE_MASK;
}

static void slot_do(struct fake_device *device, u32 slot, u64 value)
{
	u64 config;

	if (value & RF_SLOT_CONTROL_RESTORE_MASK) {
		transfer(device, slot, false);
		fake_device_set_state(device, slot, RF_SLOT_STATE_IDLE, 0);
		sample(device, slot);
	}
	if ((value & RF_SLOT_CONTROL_RESAMPLE_MASK) && !device->deaf)
		sample(device, slot);
	if (value & RF_SLOT_CONTROL_RESUME_MASK) {
		SLOT_REGISTER(device, FLAGS, slot) &= ~RF_SLOT_FLAGS_STOPPED_MASK;
		fake_device_set_state(device, slot, RF_SLOT_STATE_IDLE, 0);
	}
	if (value & RF_SLOT_CONTROL_DISABLE_MASK)
		set_disabled(device, slot);
	if (!(value & RF_SLOT_CONTROL_PREEMPT_MASK))
		return;
	transfer(device, slot, true);
	set_disabled(device, slot);
	config = *fake_device_register(device, RF_REG_SLOT_CONFIG(slot));
	fake_device_record(device, &(struct rf_interrupt_record){
					   .kind = RF_RECORD_KIND_PREEMPTED,
					   .node = RF_FIELD_GET(RF_SLOT_CONFIG_NODE, config),
					   .vmid = RF_FIELD_GET(RF_SLOT_CONFIG_VMID, config),
					   .handle = RF_FIELD_GET(RF_SLOT_CONFIG_HANDLE, config),
				   });
}

/* --- a device that takes its time ---------------------------------------------------------------- */

static enum fake_slow slow_of(u64 command)
{
	if (command & RF_SLOT_CONTROL_RESTORE_MASK)
		return FAKE_SLOW_LOAD;
	if (command & RF_SLOT_CONTROL_RESAMPLE_MASK)
		return FAKE_SLOW_RESAMPLE;
	return command & (RF_SLOT_CONTROL_PREEMPT_MASK | RF_SLOT_CONTROL_DISABLE_MASK)
		       ? FAKE_SLOW_STOP
		       : FAKE_SLOWS;
}

/* True: it is over with this read. */
static bool pass(struct fake_device *device, enum fake_slow slow, u32 index)
{
	u32 *left = &device->left[slow][index];

	return *left && *left != FAKE_FOREVER && !--*left;
}

/* The device is done with the updates that it was given. */
static void store_updates(struct fake_device *device)
{
	u32 i;

	for (i = 0; i < device->storing; i++)
		store(device, 0, device->stores[i].address, device->stores[i].value);
	device->storing = 0;
}

/* The record names the queue that was in the slot before, as on the device. */
static void fail_load(struct fake_device *device, u32 slot)
{
	u64 config = SLOT_REGISTER(device, CONFIG, slot);

	fake_device_record(device, &(struct rf_interrupt_record){
					   .kind = RF_RECORD_KIND_PREEMPTED,
					   .node = RF_FIELD_GET(RF_SLOT_CONFIG_NODE, config),
					   .vmid = RF_FIELD_GET(RF_SLOT_CONFIG_VMID, config),
					   .detail = RF_ACCESS_STATUS_TRANSLATION,
					   .handle = RF_FIELD_GET(RF_SLOT_CONFIG_HANDLE, config),
					   .address = SLOT_REGISTER(device, SAVE_ADDRESS, slot),
				   });
}

static void slot_control(struct fake_device *device, u32 slot, u64 value)
{
	enum fake_slow slow = slow_of(value);

	device->commands++;
	device->samples += !!(value & RF_SLOT_CONTROL_RESAMPLE_MASK);
	/* it would not hear it; but to be disabled ends whatever it is at */
	if (device->left[FAKE_SLOW_LOAD][slot]) {
		device->unheard++;
		return;
	}
	if ((value & RF_SLOT_CONTROL_RESTORE_MASK) && device->load_fails) {
		fail_load(device, slot);
		return;
	}
	if (slow == FAKE_SLOWS || !device->slow[slow]) {
		slot_do(device, slot, value);
		return;
	}
	if (slow == FAKE_SLOW_STOP)
		device->left[FAKE_SLOW_RESAMPLE][slot] = 0;
	device->left[slow][slot] = device->slow[slow];
	device->told[slot] = value;
}

/* A read of STATUS: the slot comes nearer to what it was told. */
static u64 slot_status(struct fake_device *device, u32 slot)
{
	static const enum fake_slow slows[] = { FAKE_SLOW_LOAD, FAKE_SLOW_STOP,
						FAKE_SLOW_RESAMPLE };
	u64 value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(slows); i++)
		if (pass(device, slows[i], slot))
			slot_do(device, slot, device->told[slot]);
	value = SLOT_REGISTER(device, STATUS, slot);
	return device->left[FAKE_SLOW_RESAMPLE][slot] ? value | RF_SLOT_STATUS_RESAMPLING_MASK
						      : value;
}

/* What a register that shows the end of something reads as while that is under way. */
static u64 slow_read(struct fake_device *device, u64 offset, u64 value)
{
	u32 slot = (u32)((offset - RF_SLOT_INDEXED_BASE) / RF_SLOT_INDEXED_STRIDE);

	if (offset == RF_REG_TRANSLATION_INVALIDATE) {
		pass(device, FAKE_SLOW_INVALIDATE, 0);
		return device->left[FAKE_SLOW_INVALIDATE][0] ? 0xffff : 0;
	}
	if (offset == RF_REG_FENCE_UPDATE_DONE) {
		if (pass(device, FAKE_SLOW_UPDATE, 0))
			store_updates(device);
		return device->left[FAKE_SLOW_UPDATE][0] ? (u32)(value - 1) : value;
	}
	if (offset < RF_SLOT_INDEXED_BASE || slot >= RF_SLOT_INDEXED_COUNT)
		return value;
	if (offset == RF_REG_SLOT_STATUS(slot))
		return slot_status(device, slot);
	if (offset == RF_REG_SLOT_LOG_SWITCH(slot)) {
		pass(device, FAKE_SLOW_LOG, slot);
		return device->left[FAKE_SLOW_LOG][slot] ? U32_MAX : 0;
	}
	return value;
}

/* --- the bus ----------------------------------------------------------------------------------- */

static u64 register_read(struct fake_device *device, u64 offset)
{
	u64 *word = fake_device_register(device, offset);
	u64 value;

	device->reads++;
	if (device->memory_off)
		return U64_MAX;
	if (offset == RF_REG_DEVICE_LIVENESS)
		++*word;
	value = slow_read(device, offset, *word);
	if (device->stuck &&
	    (offset == RF_REG_TRANSLATION_INVALIDATE || offset == RF_REG_FENCE_UPDATE_DONE))
		value = offset == RF_REG_TRANSLATION_INVALIDATE ? 0xffff : 0xdead;
	return device->answer ? device->answer(device, offset, value) : value;
}

static void register_write(struct fake_device *device, u64 offset, u64 value)
{
	u64 *word = fake_device_register(device, offset);
	u32 slot = (u32)((offset - RF_SLOT_INDEXED_BASE) / RF_SLOT_INDEXED_STRIDE);

	if (device->memory_off)
		return;
	switch (offset) {
	case RF_REG_TRANSLATION_INVALIDATE:
		assert_int_equal(device->left[FAKE_SLOW_INVALIDATE][0], 0); /* one at a time */
		device->left[FAKE_SLOW_INVALIDATE][0] = device->slow[FAKE_SLOW_INVALIDATE];
		return;
	case RF_REG_INTERRUPT_OVERFLOW:
		*word &= ~value;
		return;
	case RF_REG_FENCE_UPDATE_VALUE:
		device->left[FAKE_SLOW_UPDATE][0] = device->slow[FAKE_SLOW_UPDATE];
		assert_true(device->storing < RF_UPDATE_FENCES_MAX);
		device->stores[device->storing].address = REGISTER(device, FENCE_UPDATE_MONITORED);
		device->stores[device->storing++].value = value;
		if (!device->slow[FAKE_SLOW_UPDATE])
			store_updates(device);
		REGISTER(device, FENCE_UPDATE_DONE) =
			(u32)(REGISTER(device, FENCE_UPDATE_DONE) + 1);
		return;
	case RF_REG_INTERRUPT_CONTROL:
		if (!value) { /* it is switched off: what it was at does not happen */
			device->storing = 0;
			memset(device->left, 0, sizeof(device->left));
		}
		if (value & RF_INTERRUPT_CONTROL_ENABLE_MASK) {
			REGISTER(device, INTERRUPT_PRODUCER) = 0;
			REGISTER(device, INTERRUPT_CONSUMER) = 0;
		}
		break;
	}
	if (slot < RF_SLOT_INDEXED_COUNT && offset == RF_REG_SLOT_CONTROL(slot)) {
		slot_control(device, slot, value);
		return;
	}
	if (slot < RF_SLOT_INDEXED_COUNT && offset == RF_REG_SLOT_LOG_SWITCH(slot)) {
		device->left[FAKE_SLOW_LOG][slot] = device->slow[FAKE_SLOW_LOG];
		return;
	}
	*word = value;
}

static u64 bus_read64(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	struct fake_device *device = device_of(bus);

	if (bar == RF_BAR_REGISTERS)
		return register_read(device, offset);
	assert_true(offset + 8 <= FAKE_LOCAL_BYTES);
	return device->memory_off ? U64_MAX : device->fake.bus.local[offset / 8];
}

static void bus_write64(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	struct fake_device *device = device_of(bus);

	if (bar == RF_BAR_REGISTERS) {
		register_write(device, offset, value);
		return;
	}
	assert_true(offset + 8 <= FAKE_LOCAL_BYTES);
	if (!device->memory_off)
		device->fake.bus.local[offset / 8] = value;
}

static u64 bus_bar_bytes(struct rf_bus *bus, unsigned int bar)
{
	(void)bus;
	return bar == RF_BAR_REGISTERS	    ? RF_BAR0_BYTES
	       : bar == RF_BAR_LOCAL_MEMORY ? FAKE_LOCAL_BYTES
					    : 0;
}

/* What configuration took away comes back with it, as it was at the start. */
static int bus_reset(struct rf_bus *bus)
{
	struct fake_device *device = device_of(bus);

	device->resets++;
	if (device->reset_error)
		return device->reset_error;
	fake_device_clear(device);
	device->memory_off = false;
	device->master_off = false;
	device->msi_off = false;
	device->stuck = false;
	return 0;
}

/* The driver sleeps, and others go on. */
static int bus_wait(struct rf_bus *bus, bool (*done)(void *argument), void *argument, u64 deadline)
{
	struct fake_device *device = device_of(bus);

	if (device->during_sleep)
		device->during_sleep(device);
	return device->fake_ops->wait(bus, done, argument, deadline);
}

/* --- a world ------------------------------------------------------------------------------------ */

struct device_world *device_world_new(void)
{
	struct device_world *world = calloc(1, sizeof(*world));
	struct fake_device *device = &world->device;

	fake_init(&device->fake);
	device->fake_ops = device->fake.bus.bus.ops;
	device->ops = *device->fake_ops;
	device->ops.read64 = bus_read64;
	device->ops.write64 = bus_write64;
	device->ops.bar_bytes = bus_bar_bytes;
	device->ops.reset_function = bus_reset;
	device->ops.wait = bus_wait;
	device->fake.bus.bus.ops = &device->ops;
	fake_device_clear(device);
	assert_int_equal(rf_hosted_create(&world->hosted), 0);
	assert_int_equal(rf_hosted_add_device(world->hosted, &device->fake.bus.bus,
					      &rf_ringfence_ddi, &world->shell),
			 0);
	assert_int_equal(rf_hosted_open(world->shell, &world->file), 0);
	return world;
}

void device_world_destroy(struct device_world *world)
{
	if (world->file)
		rf_hosted_close(world->file);
	rf_hosted_remove_device(world->shell);
	rf_hosted_destroy(world->hosted);
	fake_destroy(&world->device.fake);
	free(world);
}

void device_world_look(struct device_world *world, u64 later)
{
	world->now += later;
	rf_hosted_watch_progress(world->shell, world->now);
}
