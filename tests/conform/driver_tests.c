// SPDX-License-Identifier: Apache-2.0
/*
 * The miniport on the device, with the test as its graphics kernel: what packets are
 * told, in which order, with which ids.
 */
#include <string.h>

#include "conform.h"
#include "hosted.h"
#include "rf_ddi.h"
#include "ringfence_hw.h"

extern const struct rf_ddi rf_ringfence_ddi;

#define NOTES 256

/* A graphics kernel with one process and memory for its buffers and results. */
struct kernel {
	struct rf_conform *conform;
	struct rf_os os;
	struct rf_hosted_device device; /* for local memory only */
	const struct rf_ddi *ddi;
	void *h_adapter;
	struct rf_notify_interrupt_data notes[NOTES];
	unsigned int note_count;
	struct rf_mem *buffers, *results;
	u64 buffers_address, results_address; /* in the address space of the packets */
	u64 used; /* bytes of the buffers */
};

/* --- what the driver calls ----------------------------------------------------------- */

static int is_feature_enabled(void *h_core, enum rf_feature_id feature,
			      struct rf_feature_result *result)
{
	(void)h_core;
	(void)feature;
	*result = (struct rf_feature_result){ 0 };
	return 0;
}

static void notify_interrupt(void *h_core, const struct rf_notify_interrupt_data *data)
{
	struct kernel *kernel = h_core;

	RF_CHECK(kernel->conform, kernel->note_count < NOTES, "too many reports");
	kernel->notes[kernel->note_count++] = *data;
}

static void queue_dpc(void *h_core)
{
	(void)h_core;
}

static void synchronize_execution(void *h_core, void (*routine)(void *argument), void *argument)
{
	(void)h_core;
	routine(argument);
}

static const struct rf_dxgk_callbacks callbacks = {
	.is_feature_enabled = is_feature_enabled,
	.notify_interrupt = notify_interrupt,
	.queue_dpc = queue_dpc,
	.synchronize_execution = synchronize_execution,
};

/* --- a world ------------------------------------------------------------------------- */

static u64 map(struct kernel *kernel, void *h_process, struct rf_mem *mem)
{
	struct rf_map_gpu_virtual_address arguments = { .h_process = h_process, .mem = mem };

	RF_CHECK_EQUAL(kernel->conform,
		       kernel->ddi->map_gpu_virtual_address(kernel->h_adapter, &arguments), 0,
		       "map");
	return arguments.gpu_virtual_address;
}

static void unmap(struct kernel *kernel, void *h_process, struct rf_mem *mem, u64 address)
{
	const struct rf_unmap_gpu_virtual_address arguments = { h_process, mem, address };

	kernel->ddi->unmap_gpu_virtual_address(kernel->h_adapter, &arguments);
	rf_mem_put(mem);
}

static struct rf_mem *memory(struct kernel *kernel, u64 bytes)
{
	struct rf_mem *mem;

	RF_CHECK_EQUAL(kernel->conform,
		       rf_mem_create(kernel->conform->bus, RF_MEM_SYSTEM, bytes, &mem), 0,
		       "memory");
	return mem;
}

static void open_kernel(struct kernel *kernel, struct rf_conform *conform)
{
	struct rf_start_device start = {
		.bus = conform->bus,
		.h_core = kernel,
		.callbacks = &callbacks,
	};

	memset(kernel, 0, sizeof(*kernel));
	kernel->conform = conform;
	kernel->ddi = &rf_ringfence_ddi;
	kernel->os.bus = conform->bus;
	conform->bus->os = &kernel->os;
	conform->bus->shell = &kernel->device;
	hosted_local_memory_init(&kernel->device.local,
				 conform->bus->ops->bar_bytes(conform->bus, RF_BAR_LOCAL_MEMORY));
	RF_CHECK_EQUAL(conform, kernel->ddi->start_device(&start), 0, "start_device");
	kernel->h_adapter = start.h_adapter;
	kernel->buffers = memory(kernel, 1 << 16);
	kernel->results = memory(kernel, 1 << 16);
	kernel->buffers_address = map(kernel, NULL, kernel->buffers);
	kernel->results_address = map(kernel, NULL, kernel->results);
}

static void close_kernel(struct kernel *kernel)
{
	unmap(kernel, NULL, kernel->buffers, kernel->buffers_address);
	unmap(kernel, NULL, kernel->results, kernel->results_address);
	kernel->ddi->stop_device(kernel->h_adapter);
	hosted_local_memory_destroy(&kernel->device.local);
}

/* System contexts, on whichever node: their memory is the driver's. */
static void *open_context(struct kernel *kernel, u32 node)
{
	struct rf_create_context arguments = { .node_ordinal = node, .flags = RF_CONTEXT_SYSTEM };

	RF_CHECK_EQUAL(kernel->conform, kernel->ddi->create_context(kernel->h_adapter, &arguments),
		       0, "context");
	return arguments.h_context;
}

static void close_context(struct kernel *kernel, void *h_context)
{
	const struct rf_destroy_context arguments = { .h_context = h_context };

	kernel->ddi->destroy_context(kernel->h_adapter, &arguments);
}

/* --- packets ------------------------------------------------------------------------- */

#define FILL_BYTES 3000u

/* Fill a part of the results, then write the number of the packet behind it. */
static struct rf_submit_command fill(struct kernel *kernel, void *h_context, u32 node,
				     unsigned int number, u64 id)
{
	u64 to = kernel->results_address + number * 4096ull;
	const u64 words[] = {
		RF_OPCODE_FILL | 4 << 8,  to,	     FILL_BYTES, number * 0x0101010101010101ull,
		RF_OPCODE_WRITE | 3 << 8, to + 4088, number,
	};
	struct rf_submit_command arguments = {
		.h_context = h_context,
		.node_ordinal = node,
		.submission_fence_id = id,
		.dma_buffer_virtual_address = kernel->buffers_address + kernel->used,
		.dma_buffer_size = sizeof(words),
		.flags = RF_SUBMIT_PAGING,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		rf_mem_write64(kernel->buffers, kernel->used + i * 8, words[i]);
	kernel->used += sizeof(words);
	return arguments;
}

static void submit(struct kernel *kernel, const struct rf_submit_command *packet)
{
	RF_CHECK_EQUAL(kernel->conform, kernel->ddi->submit_command(kernel->h_adapter, packet), 0,
		       "submit_command");
}

static void preempt(struct kernel *kernel, u32 node, u64 id)
{
	const struct rf_preempt_command arguments = {
		.preemption_fence_id = id,
		.node_ordinal = node,
	};

	RF_CHECK_EQUAL(kernel->conform, kernel->ddi->preempt_command(kernel->h_adapter, &arguments),
		       0, "preempt_command");
}

/* Until the device rests, and the driver has nothing to tell. */
static void settle(struct kernel *kernel)
{
	struct rfsim_world *world = kernel->conform->setup.world.simulation;
	/* ample for a store of the interrupt routine and, behind a link, its acknowledgement */
	const unsigned int step = 64 * rf_conform_stretch(kernel->conform);
	unsigned int looks, told;

	for (looks = 0; looks < 10000; looks++) {
		rfsim_step(world, 64);
		if (!rfsim_idle(world))
			continue;
		told = kernel->note_count;
		kernel->ddi->interrupt_routine(kernel->h_adapter, 0);
		rfsim_step(world, step);
		if (rfsim_idle(world) && told == kernel->note_count)
			return;
	}
	rf_conform_fail(kernel->conform, __FILE__, __LINE__, "the device never comes to rest");
}

static u64 number_of(struct kernel *kernel, unsigned int number)
{
	return rf_mem_read64(kernel->results, number * 4096ull + 4088);
}

static void check_results(struct kernel *kernel, unsigned int number)
{
	unsigned int i;

	RF_CHECK_EQUAL(kernel->conform, number_of(kernel, number), number, "behind the fill");
	for (i = 0; i < FILL_BYTES; i += 8)
		RF_CHECK_EQUAL(kernel->conform,
			       rf_mem_read64(kernel->results, number * 4096ull + i),
			       number * 0x0101010101010101ull, "filled");
}

static void clear_results(struct kernel *kernel)
{
	unsigned int i;

	for (i = 0; i < 1 << 16; i += 8)
		rf_mem_write64(kernel->results, i, 0);
	kernel->used = 0;
	kernel->note_count = 0;
}

/* --- tests --------------------------------------------------------------------------- */

/* The last completed id so far; each completion names a later packet of @ids. */
static u64 last_completed(struct kernel *kernel)
{
	u64 last = 0;
	unsigned int i;

	for (i = 0; i < kernel->note_count; i++)
		if (kernel->notes[i].interrupt_type == RF_INTERRUPT_DMA_COMPLETED)
			last = kernel->notes[i].dma_completed.submission_fence_id;
	return last;
}

/*
 * Three paging packets of two contexts are preempted at any moment, and come back with
 * their ids, which are less than that of the preemption: each is performed, and told, once.
 */
static void paging_ids_come_back(struct rf_conform *conform)
{
	struct rf_notify_interrupt_data *told;
	unsigned int delay, i, begun, midway = 0, whole = 0;
	struct rf_submit_command packets[3];
	struct kernel kernel;
	void *contexts[2];
	u64 last, base = 0, before = 0;

	open_kernel(&kernel, conform);
	contexts[0] = open_context(&kernel, RF_NODE_PAGING);
	contexts[1] = open_context(&kernel, RF_NODE_PAGING);
	for (delay = 0; delay < 4000; delay += 1 + (unsigned int)rf_conform_random(conform, 60)) {
		clear_results(&kernel);
		for (i = 0; i < 3; i++) {
			packets[i] = fill(&kernel, contexts[i == 1], RF_NODE_PAGING, i + 1,
					  base + i + 1);
			submit(&kernel, &packets[i]);
		}
		rfsim_step(conform->setup.world.simulation, delay);
		preempt(&kernel, RF_NODE_PAGING, base + 4);
		settle(&kernel);
		told = &kernel.notes[kernel.note_count - 1];
		last = last_completed(&kernel);
		RF_CHECK_EQUAL(conform, told->interrupt_type, RF_INTERRUPT_DMA_PREEMPTED, "told");
		RF_CHECK_EQUAL(conform, told->dma_preempted.preemption_fence_id, base + 4, "id");
		RF_CHECK_EQUAL(conform, told->dma_preempted.last_completed_fence_id,
			       last ? last : before, "last completed id");
		/* what is told as complete is, and of the rest nothing ends any more */
		begun = last ? (unsigned int)(last - base) : 0;
		for (i = 1; i <= begun; i++)
			check_results(&kernel, i);
		for (i = begun + 1; i <= 3; i++)
			RF_CHECK(conform, i == begun + 1 || !number_of(&kernel, i), "packet %u ran",
				 i);
		midway += begun < 3 && rf_mem_read64(kernel.results, (begun + 1) * 4096ull);
		whole += begun == 3;

		for (i = begun; i < 3; i++) {
			packets[i].flags |= RF_SUBMIT_RESUBMISSION;
			submit(&kernel, &packets[i]);
		}
		settle(&kernel);
		for (i = 1; i <= 3; i++)
			check_results(&kernel, i);
		RF_CHECK_EQUAL(conform, last_completed(&kernel), base + 3, "last completed id");
		before = base + 3;
		base += 4;
		if (whole > 4)
			break;
	}
	RF_CHECK(conform, midway > 8, "in the midst only %u times", midway);
	rf_conform_note(conform, "%u times in the midst of a packet", midway);
	close_context(&kernel, contexts[0]);
	close_context(&kernel, contexts[1]);
	close_kernel(&kernel);
}

/* All is complete, and told: the answer is there at once, and the device hears of nothing. */
static void nothing_left_to_preempt(struct rf_conform *conform)
{
	struct rf_submit_command packet;
	struct kernel kernel;
	uint64_t writes, reads;
	void *h_context;

	open_kernel(&kernel, conform);
	h_context = open_context(&kernel, RF_NODE_COPY);
	packet = fill(&kernel, h_context, RF_NODE_COPY, 1, 1);
	submit(&kernel, &packet);
	settle(&kernel);
	RF_CHECK_EQUAL(conform, last_completed(&kernel), 1, "completed");
	kernel.note_count = 0;
	writes = rf_setup_register(&conform->setup, 0,
				   RF_REG_COUNTER_VALUE(RF_COUNTER_RX_WRITE_TLPS));
	reads = rf_setup_register(&conform->setup, 0,
				  RF_REG_COUNTER_VALUE(RF_COUNTER_RX_READ_TLPS));
	preempt(&kernel, RF_NODE_COPY, 2);
	RF_CHECK_EQUAL(conform, kernel.note_count, 1, "reports");
	RF_CHECK_EQUAL(conform, kernel.notes[0].interrupt_type, RF_INTERRUPT_DMA_PREEMPTED, "told");
	RF_CHECK_EQUAL(conform, kernel.notes[0].dma_preempted.preemption_fence_id, 2, "id");
	RF_CHECK_EQUAL(conform, kernel.notes[0].dma_preempted.last_completed_fence_id, 1, "last");
	RF_CHECK_EQUAL(conform,
		       rf_setup_register(&conform->setup, 0,
					 RF_REG_COUNTER_VALUE(RF_COUNTER_RX_READ_TLPS)),
		       reads + 1, "reads of the device, one of them the test's");
	RF_CHECK_EQUAL(conform,
		       rf_setup_register(&conform->setup, 0,
					 RF_REG_COUNTER_VALUE(RF_COUNTER_RX_WRITE_TLPS)),
		       writes, "writes to the device");
	/* and it goes on */
	packet = fill(&kernel, h_context, RF_NODE_COPY, 2, 3);
	submit(&kernel, &packet);
	settle(&kernel);
	check_results(&kernel, 2);
	close_context(&kernel, h_context);
	close_kernel(&kernel);
}

/* Behind a null-context switch no context is in the slot, and the next one comes back. */
static void null_context(struct rf_conform *conform)
{
	struct rf_submit_command packet, null = {
		.node_ordinal = RF_NODE_COPY,
		.flags = RF_SUBMIT_CONTEXT_SWITCH,
	};
	unsigned int slot, enabled, round;
	struct kernel kernel;
	void *h_context;
	u64 id = 0;

	open_kernel(&kernel, conform);
	h_context = open_context(&kernel, RF_NODE_COPY);
	for (round = 1; round < 6; round++) {
		packet = fill(&kernel, h_context, RF_NODE_COPY, round, ++id);
		submit(&kernel, &packet);
		null.submission_fence_id = ++id;
		submit(&kernel, &null);
		if (round % 2) {
			/* twice: no context is loaded */
			null.submission_fence_id = ++id;
			submit(&kernel, &null);
		}
		settle(&kernel);
		check_results(&kernel, round);
		RF_CHECK_EQUAL(conform, last_completed(&kernel), id, "completed");
		for (slot = enabled = 0; slot < 16; slot++)
			enabled +=
				(rf_setup_register(&conform->setup, 0, RF_REG_SLOT_STATUS(slot)) &
				 RF_SLOT_STATUS_STATE_MASK) != RF_SLOT_STATE_DISABLED;
		RF_CHECK_EQUAL(conform, enabled, 0, "slots with a context");
	}
	close_context(&kernel, h_context);
	close_kernel(&kernel);
}

/* A context that goes in the midst of its work: nothing of it happens any more. */
static void busy_context_goes(struct rf_conform *conform)
{
	struct rf_submit_command packets[4];
	struct kernel kernel;
	void *contexts[2];
	unsigned int delay, i;
	u64 id = 0;

	open_kernel(&kernel, conform);
	contexts[1] = open_context(&kernel, RF_NODE_COPY);
	for (delay = 0; delay < 1500; delay += 1 + (unsigned int)rf_conform_random(conform, 90)) {
		bool preempted = rf_conform_random(conform, 2);

		clear_results(&kernel);
		contexts[0] = open_context(&kernel, RF_NODE_COPY);
		for (i = 0; i < 4; i++) {
			packets[i] = fill(&kernel, contexts[i % 2], RF_NODE_COPY, i + 1, ++id);
			submit(&kernel, &packets[i]);
		}
		rfsim_step(conform->setup.world.simulation, delay);
		if (preempted)
			preempt(&kernel, RF_NODE_COPY, ++id);
		close_context(&kernel, contexts[0]);
		settle(&kernel);
		if (preempted) {
			RF_CHECK_EQUAL(conform, kernel.notes[kernel.note_count - 1].interrupt_type,
				       RF_INTERRUPT_DMA_PREEMPTED, "told");
			for (i = 1; i < 4; i += 2) {
				if (number_of(&kernel, i + 1))
					continue;
				packets[i].submission_fence_id = ++id;
				packets[i].flags |= RF_SUBMIT_RESUBMISSION;
				submit(&kernel, &packets[i]);
			}
			settle(&kernel);
		}
		check_results(&kernel, 2);
		check_results(&kernel, 4);
	}
	close_context(&kernel, contexts[1]);
	close_kernel(&kernel);
}

#define DEV RF_CONFORM_DEV
#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_driver_tests[] = {
	{ "S4-15.paging_ids_come_back", "S4-14 S4-18 S4-27 S4-28 A-2", DEV, SIM,
	  paging_ids_come_back },
	{ "A-1.nothing_left_to_preempt", NULL, DEV, RF_CONFORM_ROOT_COMPLEX,
	  nothing_left_to_preempt },
	{ "S4-8.null_context", NULL, DEV, RF_CONFORM_ROOT_COMPLEX, null_context },
	{ "device.busy_context_goes", NULL, DEV, RF_CONFORM_ROOT_COMPLEX, busy_context_goes },
	{ 0 },
};
