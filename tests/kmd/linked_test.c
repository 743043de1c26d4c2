// SPDX-License-Identifier: Apache-2.0
/*
 * Linked adapters (S4-24): who can be linked, and DMA buffers that are broadcast to both. Whatever the
 * one does, is asked to do or is lost by, the other one goes on.
 */
#include <string.h>

#include "base/adapter.h"
#include "base/file.h"
#include "base/link.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "machine.h"

#define LOW 2
#define HIGH 9
#define PART 4 /* words of the command that go into one DMA buffer */
#define PARTS 3
#define WORDS (PART * PARTS)

/* --- requests ---------------------------------------------------------------------------------- */

static int link_with(struct rf_file *file, u64 *token)
{
	struct drm_ringfence_link link = { .token = *token };
	int ret = rf_hosted_request(file, DRM_RINGFENCE_LINK, &link);

	*token = link.token;
	return ret;
}

static u64 offer(struct rf_file *file)
{
	u64 token = 0;

	assert_int_equal(link_with(file, &token), 0);
	assert_int_not_equal(token, 0);
	return token;
}

static int join(struct rf_file *file, u64 token)
{
	return link_with(file, &token);
}

static u32 physical_adapters(struct rf_file *file)
{
	struct drm_ringfence_adapter_info info = { 0 };
	struct drm_ringfence_query query = {
		.type = DRM_RINGFENCE_QUERY_ADAPTER,
		.size = sizeof(info),
		.pointer = (uintptr_t)&info,
	};

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUERY, &query), 0);
	return info.physical_adapters;
}

static int make_linked(struct rf_file *file, u64 bytes, u32 linked, u64 *address)
{
	struct drm_ringfence_memory_create create = { .bytes = bytes, .linked = linked };
	int ret = rf_hosted_request(file, DRM_RINGFENCE_MEMORY_CREATE, &create);

	*address = create.gpu_address;
	return ret;
}

/* --- two linked devices, with a queue on each, and a command on the first ---------------------- */

struct pair {
	struct machine *machine;
	struct fake *fakes[2];
	struct fake_node *nodes[2];
	struct rf_file *files[2];
	u32 queues[2];
	u32 memory; /* of the command, on the first */
	u64 *words;
};

static struct pair pair_of(struct machine *machine)
{
	struct pair pair = { .machine = machine };
	struct drm_ringfence_memory_create memory;
	u32 i;

	assert_int_equal(join(machine->files[1], offer(machine->files[0])), 0);
	for (i = 0; i < 2; i++) {
		pair.fakes[i] = &machine->fakes[i];
		pair.fakes[i]->render_words = PART;
		pair.nodes[i] = &machine->fakes[i].nodes[0];
		pair.files[i] = machine->files[i];
		pair.queues[i] = make_packet_queue(machine->files[i], 0, LOW).handle;
	}
	memory = make_memory(machine->files[0], 8192, 0);
	pair.memory = memory.handle;
	pair.words = map(machine->files[0], memory.mmap_offset);
	for (i = 0; i < 1024; i++)
		pair.words[i] = 1000 + i;
	return pair;
}

static struct pair pair_new(void)
{
	return pair_of(machine_new_linked(2));
}

static void pair_end(struct pair *pair)
{
	machine_destroy(pair->machine);
}

static struct drm_ringfence_queue_render command(const struct pair *pair, u32 words)
{
	return (struct drm_ringfence_queue_render){
		.queue = pair->queues[0],
		.memory = pair->memory,
		.size = words * 8,
		.linked_queue = pair->queues[1],
	};
}

static int render(struct pair *pair, struct drm_ringfence_queue_render *request)
{
	return rf_hosted_request(pair->files[0], DRM_RINGFENCE_QUEUE_RENDER, request);
}

static void broadcast(struct pair *pair)
{
	struct drm_ringfence_queue_render request = command(pair, WORDS);

	assert_int_equal(render(pair, &request), 0);
}

static struct drm_ringfence_queue_status status(struct pair *pair, u32 device)
{
	struct drm_ringfence_queue_status status = { .handle = pair->queues[device] };

	assert_int_equal(
		rf_hosted_request(pair->files[device], DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return status;
}

static u64 completed(struct pair *pair, u32 device)
{
	return status(pair, device).completed;
}

static u64 charged(struct pair *pair, u32 device)
{
	return pair->files[device]->file->used[KMD_LIMIT_PACKETS];
}

static void complete_all(struct pair *pair, u32 device)
{
	while (pair->nodes[device]->count)
		fake_complete_packet(pair->fakes[device], 0);
}

static struct fake_mapping *buffer_of(struct pair *pair, u32 device, u32 index)
{
	const struct rf_submit_command *packet = &pair->nodes[device]->packets[index];
	struct fake_packet_context *context = packet->h_context;
	struct fake_mapping *mapping;

	assert_true(index < pair->nodes[device]->count);
	rf_list_for_each(mapping, &pair->fakes[device]->mappings, link)
		if (mapping->h_process == context->arguments.h_process &&
		    mapping->address == packet->dma_buffer_virtual_address)
			return mapping;
	fail_msg("the DMA buffer is not mapped");
	return NULL;
}

/* A word of packet @index of the hardware queue, as engines of the process read it. */
static u64 word(struct pair *pair, u32 device, u32 index, u32 place)
{
	return rf_mem_read64(buffer_of(pair, device, index)->mem, 8 * place);
}

/* --- who can be linked ------------------------------------------------------------------------- */

static void both_are_linked(void **state)
{
	struct machine *machine = machine_new_linked(2);

	(void)state;
	assert_int_equal(physical_adapters(machine->files[0]), 1);
	assert_int_equal(join(machine->files[1], offer(machine->files[0])), 0);
	assert_int_equal(physical_adapters(machine->files[0]), 2);
	assert_int_equal(physical_adapters(machine->files[1]), 2);
	machine_destroy(machine);
}

static void tokens_are_checked(void **state)
{
	struct machine *machine = machine_new_linked(2);
	u64 token = offer(machine->files[0]);
	struct rf_file *other;

	(void)state;
	assert_int_equal(offer(machine->files[0]), token); /* the same until it is used */
	assert_int_equal(join(machine->files[1], token + 1), -ENOENT);
	assert_int_equal(join(machine->files[0], token), -EINVAL);
	assert_int_equal(rf_hosted_open(machine->devices[0], &other), 0);
	assert_int_equal(join(other, token), -EINVAL); /* another process of the same adapter */
	assert_int_equal(physical_adapters(other), 1);
	assert_int_equal(join(machine->files[1], token), 0);
	assert_int_equal(join(machine->files[1], token), -ENOENT); /* used up */
	/* a process that ends takes its token with it */
	token = offer(other);
	rf_hosted_close(other);
	assert_int_equal(rf_hosted_open(machine->devices[1], &other), 0);
	assert_int_equal(join(other, token), -ENOENT);
	rf_hosted_close(other);
	machine_destroy(machine);
}

static void one_other_for_each(void **state)
{
	struct machine *machine = machine_new_linked(3);
	struct rf_file *more[2];
	u64 token = offer(machine->files[0]);

	(void)state;
	assert_int_equal(join(machine->files[1], token), 0);
	/* the processes are linked */
	token = 0;
	assert_int_equal(link_with(machine->files[0], &token), -EBUSY);
	assert_int_equal(rf_hosted_open(machine->devices[1], &more[0]), 0);
	assert_int_equal(join(machine->files[0], offer(more[0])), -EBUSY);
	/* and so are the adapters: with no other one, but with each other as often as wanted */
	assert_int_equal(join(machine->files[2], offer(more[0])), -EBUSY);
	assert_int_equal(join(more[0], offer(machine->files[2])), -EBUSY);
	assert_int_equal(rf_hosted_open(machine->devices[0], &more[1]), 0);
	assert_int_equal(join(more[1], offer(more[0])), 0);
	rf_hosted_close(more[1]);
	rf_hosted_close(more[0]);
	assert_int_equal(physical_adapters(machine->files[2]), 1);
	machine_destroy(machine);
}

/* Each of these is missing on one of the two, in turn. */
static void what_a_link_needs(void **state)
{
	struct machine *machine;
	struct kmd_adapter *adapter;
	u32 lack, side;
	u64 token;

	(void)state;
	for (lack = 0; lack < 4; lack++) {
		for (side = 0; side < 2; side++) {
			int want = -EOPNOTSUPP;

			machine = machine_new_linked(2);
			adapter = machine->devices[side]->adapter;
			if (lack == 0)
				adapter->features.linked_adapters = false;
			else if (lack == 1)
				adapter->caps.chain_uid = 0;
			else if (lack == 2)
				adapter->caps.chain_uid = 8;
			else
				adapter->caps.scheduling_caps &= ~RF_VIDSCH_NO_DMA_PATCHING;
			token = 0;
			if (lack != 2 && side == 0) {
				assert_int_equal(link_with(machine->files[0], &token), -EOPNOTSUPP);
				token = 1;
			} else {
				token = offer(machine->files[0]);
			}
			if (lack != 2 && side == 0)
				want = -ENOENT; /* it could offer nothing */
			assert_int_equal(join(machine->files[1], token), want);
			assert_int_equal(physical_adapters(machine->files[1]), 1);
			machine_destroy(machine);
		}
	}
}

/* An adapter that leaves, or is lost, leaves the other one to a third. */
static void linked_anew(void **state)
{
	struct machine *machine;
	u32 lost;

	(void)state;
	for (lost = 0; lost < 2; lost++) {
		machine = machine_new_linked(3);
		assert_int_equal(join(machine->files[1], offer(machine->files[0])), 0);
		if (lost) {
			kmd_adapter_notify_removal(machine->devices[0]->adapter);
		} else {
			rf_hosted_close(machine->files[0]);
			machine->files[0] = NULL;
			assert_int_equal(physical_adapters(machine->files[1]), 2);
			rf_hosted_remove_device(machine->devices[0]);
			machine->devices[0] = NULL;
		}
		assert_int_equal(physical_adapters(machine->files[1]), 1);
		assert_int_equal(join(machine->files[2], offer(machine->files[1])), 0);
		assert_int_equal(physical_adapters(machine->files[1]), 2);
		machine_destroy(machine);
	}
}

/* --- memory at the same address ---------------------------------------------------------------- */

static void memory_at_the_same_address(void **state)
{
	struct machine *machine = machine_new_linked(2);
	struct drm_ringfence_memory_create first, other;
	u64 address, value;
	u32 i;

	(void)state;
	for (i = 0; i < 5; i++)
		first = make_memory(machine->files[0], 4096 * (i + 1), 0);
	assert_int_equal(make_linked(machine->files[1], first.bytes, first.handle, &address),
			 -ENOLINK);
	assert_int_equal(join(machine->files[1], offer(machine->files[0])), 0);
	assert_int_equal(make_linked(machine->files[1], first.bytes, first.handle, &address), 0);
	assert_int_equal(address, first.gpu_address);
	/* of the same address, and of each its own */
	assert_int_equal(
		fake_gpu_write(&machine->fakes[0], machine->files[0]->file->h_process, address, 5),
		0);
	assert_int_equal(fake_gpu_read(&machine->fakes[1], machine->files[1]->file->h_process,
				       address, &value),
			 0);
	assert_int_equal(value, 0);
	assert_int_equal(make_linked(machine->files[1], first.bytes, first.handle, &address),
			 -EADDRINUSE);
	assert_int_equal(make_linked(machine->files[1], 4096, first.handle, &address), -EINVAL);
	assert_int_equal(make_linked(machine->files[1], first.bytes, 77777, &address), -ENOENT);
	/* and the other way, at an address that the first device has free */
	make_memory(machine->files[1], 1 << 18, 0);
	other = make_memory(machine->files[1], 4096, 0);
	assert_int_equal(make_linked(machine->files[0], 4096, other.handle, &address), 0);
	assert_int_equal(address, other.gpu_address);
	machine_destroy(machine);
}

/* --- broadcasts -------------------------------------------------------------------------------- */

static void built_once_for_both(void **state)
{
	struct pair pair = pair_new();
	struct drm_ringfence_queue_render request = command(&pair, WORDS);
	u32 device, i;

	(void)state;
	assert_int_equal(render(&pair, &request), 0);
	assert_int_equal(request.progress_value, PARTS);
	assert_int_equal(request.linked_progress_value, PARTS);
	assert_int_equal(pair.fakes[0]->calls[FAKE_RENDER], PARTS);
	assert_int_equal(pair.fakes[1]->calls[FAKE_RENDER], 0);
	for (device = 0; device < 2; device++) {
		assert_int_equal(pair.nodes[device]->count, PARTS);
		assert_int_equal(charged(&pair, device), PARTS);
		assert_int_equal(pair.fakes[device]->calls[FAKE_PATCH], 0);
		for (i = 0; i < WORDS; i++)
			assert_int_equal(word(&pair, device, i / PART, i % PART), 1000 + i);
	}
	/* the same page, which no engine writes */
	for (i = 0; i < PARTS; i++) {
		assert_ptr_not_equal(buffer_of(&pair, 0, i)->mem, buffer_of(&pair, 1, i)->mem);
		assert_ptr_equal(buffer_of(&pair, 0, i)->mem->cpu,
				 buffer_of(&pair, 1, i)->mem->cpu);
		assert_int_equal(buffer_of(&pair, 0, i)->flags, RF_MAP_READ_ONLY);
		assert_int_equal(buffer_of(&pair, 1, i)->flags, RF_MAP_READ_ONLY);
	}
	complete_all(&pair, 0);
	assert_int_equal(completed(&pair, 0), PARTS);
	assert_int_equal(completed(&pair, 1), 0);
	/* what the first has done is still there for the other one */
	for (i = 0; i < WORDS; i++)
		assert_int_equal(word(&pair, 1, i / PART, i % PART), 1000 + i);
	complete_all(&pair, 1);
	assert_int_equal(completed(&pair, 1), PARTS);
	for (device = 0; device < 2; device++)
		assert_int_equal(charged(&pair, device), 0);
	pair_end(&pair);
}

/* Either process may begin. */
static void from_either_side(void **state)
{
	struct pair pair = pair_new();
	struct drm_ringfence_memory_create memory = make_memory(pair.files[1], 4096, 0);
	struct drm_ringfence_queue_render request = {
		.queue = pair.queues[1],
		.memory = memory.handle,
		.size = WORDS * 8,
		.linked_queue = pair.queues[0],
	};

	(void)state;
	assert_int_equal(rf_hosted_request(pair.files[1], DRM_RINGFENCE_QUEUE_RENDER, &request), 0);
	assert_int_equal(pair.fakes[1]->calls[FAKE_RENDER], PARTS);
	assert_int_equal(pair.fakes[0]->calls[FAKE_RENDER], 0);
	complete_all(&pair, 0);
	complete_all(&pair, 1);
	assert_int_equal(completed(&pair, 0), PARTS);
	assert_int_equal(completed(&pair, 1), PARTS);
	pair_end(&pair);
}

static void submit(struct pair *pair, u32 device, u32 queue, u32 memory)
{
	submit_packet(pair->files[device], queue, memory, 800);
}

/*
 * After @done packets a packet of a higher priority preempts what is left on one device: there others run
 * in between, and what is left comes again with new ids. The other device notices nothing.
 */
static void each_is_preempted_by_itself(void **state)
{
	u32 device, done, i;

	(void)state;
	for (device = 0; device < 2; device++) {
		for (done = 0; done < PARTS; done++) {
			struct pair pair = pair_new();
			struct fake_node *node = pair.nodes[device];
			u32 high = make_packet_queue(pair.files[device], 0, HIGH).handle;
			u32 memory = make_memory(pair.files[device], 4096, 0).handle;
			u64 ids[PARTS], others[PARTS];

			pair.fakes[device]->preempts_at_once = true;
			broadcast(&pair);
			for (i = 0; i < PARTS; i++) {
				ids[i] = node->packets[i].submission_fence_id;
				others[i] = pair.nodes[!device]->packets[i].submission_fence_id;
			}
			for (i = 0; i < done; i++)
				fake_complete_packet(pair.fakes[device], 0);
			submit(&pair, device, high, memory);
			assert_int_equal(node->packets[0].dma_buffer_size, 800);
			for (i = done; i < PARTS; i++) {
				const struct rf_submit_command *again =
					&node->packets[1 + i - done];

				assert_int_equal(again->flags, RF_SUBMIT_RESUBMISSION);
				assert_true(again->submission_fence_id > ids[PARTS - 1]);
				assert_int_equal(word(&pair, device, 1 + i - done, 1),
						 1000 + i * PART + 1);
			}
			for (i = 0; i < PARTS; i++) {
				assert_int_equal(
					pair.nodes[!device]->packets[i].submission_fence_id,
					others[i]);
				assert_int_equal(pair.nodes[!device]->packets[i].flags, 0);
			}
			assert_int_equal(pair.nodes[!device]->hardware_preemptions, 0);
			complete_all(&pair, device);
			complete_all(&pair, !device);
			assert_int_equal(completed(&pair, 0), PARTS);
			assert_int_equal(completed(&pair, 1), PARTS);
			pair_end(&pair);
		}
	}
}

static void checked_arguments(void **state)
{
	struct pair pair = pair_new();
	struct drm_ringfence_queue_render request, before;
	u32 i;

	(void)state;
	for (i = 0; i < 8; i++) {
		int want = -EINVAL;

		request = command(&pair, WORDS);
		switch (i) {
		case 0: /* of the first process, and of no kind of the other one */
			request.linked_queue = 77777;
			want = -ENOENT;
			break;
		case 1:
			request.linked_queue = make_kernel_queue(pair.files[1], 0).handle;
			want = -EOPNOTSUPP;
			break;
		case 2:
			request.linked_queue = make_queue(pair.files[1], 0).handle;
			want = -EOPNOTSUPP;
			break;
		case 3: /* the commands are for another engine */
			request.linked_queue = make_packet_queue(pair.files[1], 1, LOW).handle;
			break;
		case 4:
			request.size = 12;
			break;
		case 5:
			request.queue = 77777;
			want = -ENOENT;
			break;
		case 6:
			request.memory = 77777;
			want = -ENOENT;
			break;
		case 7:
			request.pad = 1;
			break;
		}
		before = request;
		assert_int_equal(render(&pair, &request), want);
		assert_memory_equal(&request, &before, sizeof(request));
		assert_int_equal(pair.nodes[0]->diary_length + pair.nodes[1]->diary_length, 0);
		assert_int_equal(charged(&pair, 0) + charged(&pair, 1), 0);
	}
	broadcast(&pair);
	pair_end(&pair);
}

static void without_a_link(void **state)
{
	struct pair pair = pair_new();
	struct drm_ringfence_queue_render request = command(&pair, WORDS);

	(void)state;
	rf_hosted_close(pair.files[1]);
	pair.machine->files[1] = NULL;
	assert_int_equal(render(&pair, &request), -ENOLINK);
	request.linked_queue = 0;
	assert_int_equal(render(&pair, &request), 0);
	assert_int_equal(request.linked_progress_value, 0);
	complete_all(&pair, 0);
	pair_end(&pair);
}

/* Room on both, or on none: of the queue, and of the limits of both processes. */
static void all_or_nothing(void **state)
{
	struct pair pair = pair_new();
	struct drm_ringfence_queue_render request = command(&pair, 1024);
	u32 side;

	(void)state;
	pair.fakes[0]->render_words = 1;
	assert_int_equal(render(&pair, &request), 0);
	assert_int_equal(request.progress_value, 1024);
	request.size = 8;
	assert_int_equal(render(&pair, &request), -EAGAIN);
	for (side = 0; side < 2; side++) {
		/* now one of the two has room */
		fake_complete_packet(pair.fakes[side], 0);
		assert_int_equal(charged(&pair, side), 1023);
		if (!side) {
			assert_int_equal(render(&pair, &request), -EAGAIN);
			assert_int_equal(status(&pair, 0).last_queued, 1024);
			assert_int_equal(charged(&pair, 0), 1023);
		}
	}
	assert_int_equal(render(&pair, &request), 0);
	assert_int_equal(request.progress_value, 1025);
	assert_int_equal(request.linked_progress_value, 1025);
	assert_int_equal(charged(&pair, 0), 1024);
	assert_int_equal(charged(&pair, 1), 1024);
	pair_end(&pair);
}

/* Whichever call of either driver fails, nothing is left of it. */
static void failures_leave_nothing(void **state)
{
	static const enum fake_call calls[] = { FAKE_RENDER };
	struct pair pair = pair_new();
	struct drm_ringfence_queue_render request = command(&pair, WORDS);
	u32 i, mappings[2], side;
	struct fake_mapping *mapping;

	(void)state;
	for (side = 0; side < 2; side++) {
		mappings[side] = 0;
		rf_list_for_each(mapping, &pair.fakes[side]->mappings, link)
			mappings[side]++;
	}
	for (i = 0; i < ARRAY_SIZE(calls) + 2; i++) {
		if (i < ARRAY_SIZE(calls))
			pair.fakes[0]->fail = calls[i];
		else
			pair.fakes[i - ARRAY_SIZE(calls)]->bus.no_memory = true;
		assert_int_not_equal(render(&pair, &request), 0);
		pair.fakes[0]->fail = FAKE_CALLS;
		pair.fakes[0]->bus.no_memory = pair.fakes[1]->bus.no_memory = false;
		for (side = 0; side < 2; side++) {
			u32 now = 0;

			rf_list_for_each(mapping, &pair.fakes[side]->mappings, link)
				now++;
			assert_int_equal(now, mappings[side]);
			assert_int_equal(charged(&pair, side), 0);
		}
	}
	broadcast(&pair);
	pair_end(&pair);
}

/* --- either side is lost, in each state of the packets ------------------------------------------- */

enum loss { QUEUE_DESTROYED, PROCESS_ENDS, PACKET_FAULTS, DEVICE_LOST, DEVICE_RESET, LOSSES };

static void lose(struct pair *pair, u32 side, enum loss loss)
{
	struct drm_ringfence_queue_destroy destroy = { .handle = pair->queues[side] };

	switch (loss) {
	case QUEUE_DESTROYED:
		assert_int_equal(
			rf_hosted_request(pair->files[side], DRM_RINGFENCE_QUEUE_DESTROY, &destroy),
			0);
		break;
	case PROCESS_ENDS:
		rf_hosted_close(pair->files[side]);
		pair->machine->files[side] = NULL;
		break;
	case PACKET_FAULTS:
		if (pair->nodes[side]->count)
			fake_fault_packet(pair->fakes[side], 0, 1, 0x1234);
		break;
	case DEVICE_LOST:
		kmd_adapter_notify_removal(pair->machine->devices[side]->adapter);
		break;
	case DEVICE_RESET:
		kmd_adapter_want_reset(pair->machine->devices[side]->adapter);
		kmd_adapter_work(pair->machine->devices[side]->adapter);
		break;
	default:
		fail();
	}
}

static void the_other_goes_on(void **state)
{
	u32 side, loss, done, other_done, i;

	(void)state;
	for (side = 0; side < 2; side++)
		for (loss = 0; loss < LOSSES; loss++)
			for (done = 0; done <= PARTS; done += PARTS - 1)
				for (other_done = 0; other_done <= PARTS; other_done++) {
					struct pair pair = pair_new();
					u32 other = !side;

					broadcast(&pair);
					for (i = 0; i < done; i++)
						fake_complete_packet(pair.fakes[side], 0);
					for (i = 0; i < other_done; i++)
						fake_complete_packet(pair.fakes[other], 0);
					lose(&pair, side, loss);
					for (i = other_done; i < PARTS; i++) {
						assert_int_equal(word(&pair, other, 0, 2),
								 1000 + i * PART + 2);
						fake_complete_packet(pair.fakes[other], 0);
					}
					assert_int_equal(completed(&pair, other), PARTS);
					assert_int_equal(charged(&pair, other), 0);
					pair_end(&pair);
				}
}

static void lost_before(void **state)
{
	static const int want[2][LOSSES] = {
		{ -ENOENT, 0, -EIO, -ENODEV, -EIO },
		{ -ENOENT, -ENOLINK, -EIO, -ENOLINK, -EIO },
	};
	u32 side, loss;

	(void)state;
	for (side = 0; side < 2; side++)
		for (loss = 0; loss < LOSSES; loss++) {
			struct pair pair = pair_new();
			struct drm_ringfence_queue_render request = command(&pair, WORDS);

			if (!side && loss == PROCESS_ENDS) {
				pair_end(&pair);
				continue;
			}
			broadcast(&pair);
			lose(&pair, side, loss);
			assert_int_equal(render(&pair, &request), want[side][loss]);
			if (side || loss != DEVICE_LOST)
				assert_int_equal(pair.nodes[!side]->count, PARTS);
			pair_end(&pair);
		}
}

/* --- while the request is carried out ------------------------------------------------------------ */

/* What another thread does at a point where no spinlock, and no mutex of that adapter, is held. */
struct meanwhile {
	struct pair *pair;
	u32 side;
	enum loss loss;
	u32 at, points;
	bool acting;
};

static void between(void *argument)
{
	struct meanwhile *meanwhile = argument;
	struct kmd_adapter *adapter = meanwhile->pair->machine->devices[meanwhile->side]->adapter;

	if (meanwhile->acting || meanwhile->pair->fakes[0]->bus.held ||
	    __atomic_load_n(&adapter->mutex.owner, __ATOMIC_RELAXED))
		return;
	meanwhile->acting = true;
	if (meanwhile->points++ == meanwhile->at)
		lose(meanwhile->pair, meanwhile->side, meanwhile->loss);
	meanwhile->acting = false;
}

/*
 * What the request answers: success, or the error of the side that was lost. The other side then has
 * all of it or nothing: nothing, if the linked one is lost. What it has, it completes.
 */
static void check_outcome(struct meanwhile *meanwhile, int ret)
{
	struct pair *pair = meanwhile->pair;
	u32 other = !meanwhile->side;
	u64 there = status(pair, other).last_queued;

	/* success: it was lost behind the request, and the device had it */
	if (!ret)
		assert_int_equal(pair->nodes[meanwhile->side]->diary_length, PARTS);
	if (!ret)
		assert_int_equal(there, PARTS);
	else if (meanwhile->side == 1)
		assert_int_equal(there, 0);
	else
		assert_true(there == 0 || there == PARTS);
	if (ret && meanwhile->loss == QUEUE_DESTROYED)
		assert_int_equal(ret, -ENOENT);
	else if (ret && meanwhile->loss == DEVICE_LOST)
		assert_int_equal(ret, meanwhile->side ? -ENOLINK : -ENODEV);
	else if (ret)
		assert_int_equal(ret, -EIO);
	complete_all(pair, other);
	assert_int_equal(completed(pair, other), there);
	assert_int_equal(charged(pair, other), 0);
	if (meanwhile->loss == QUEUE_DESTROYED)
		assert_int_equal(charged(pair, meanwhile->side), 0);
}

/* The number of points that there were; @failed counts requests that failed. */
static u32 lose_at(u32 side, enum loss loss, u32 at, u32 *failed)
{
	struct pair pair = pair_new();
	struct meanwhile meanwhile = { .pair = &pair, .side = side, .loss = loss, .at = at };
	struct drm_ringfence_queue_render request = command(&pair, WORDS);
	int ret;

	pair.fakes[0]->bus.between_argument = &meanwhile;
	pair.fakes[0]->bus.between = between;
	ret = render(&pair, &request);
	pair.fakes[0]->bus.between = NULL;
	*failed += !!ret;
	if (at < meanwhile.points)
		check_outcome(&meanwhile, ret);
	else
		assert_int_equal(ret, 0);
	pair_end(&pair);
	return meanwhile.points;
}

static void lost_meanwhile(void **state)
{
	static const enum loss losses[] = { QUEUE_DESTROYED, DEVICE_LOST, DEVICE_RESET };
	u32 side, i, at, points, failed;

	(void)state;
	for (side = 0; side < 2; side++) {
		for (i = 0; i < ARRAY_SIZE(losses); i++) {
			failed = 0;
			points = lose_at(side, losses[i], U32_MAX, &failed);
			assert_true(points > 3);
			for (at = 0; at < points; at++)
				lose_at(side, losses[i], at, &failed);
			assert_true(failed > 0);
		}
	}
}

/* Another thread of the process fills the queue at one such point: what is reserved is not taken. */
struct crowd {
	struct pair *pair;
	u32 at, points;
	bool acting;
};

static void fill_queue(void *argument)
{
	struct crowd *crowd = argument;
	struct pair *pair = crowd->pair;

	if (crowd->acting || pair->fakes[0]->bus.held ||
	    __atomic_load_n(&pair->machine->devices[0]->adapter->mutex.owner, __ATOMIC_RELAXED))
		return;
	crowd->acting = true;
	if (crowd->points++ == crowd->at)
		while (!submit_empty(pair->files[0], pair->queues[0], pair->memory))
			;
	crowd->acting = false;
}

static u32 fill_at(u32 at, u32 *succeeded)
{
	struct pair pair = pair_new();
	struct crowd crowd = { .pair = &pair, .at = at };
	struct drm_ringfence_queue_render request = command(&pair, WORDS);
	int ret;

	pair.fakes[0]->bus.between_argument = &crowd;
	pair.fakes[0]->bus.between = fill_queue;
	ret = render(&pair, &request);
	pair.fakes[0]->bus.between = NULL;
	assert_true(!ret || ret == -EAGAIN);
	*succeeded += !ret;
	if (at < crowd.points)
		assert_int_equal(status(&pair, 0).last_queued, 1024);
	assert_int_equal(charged(&pair, 0), status(&pair, 0).last_queued);
	assert_int_equal(status(&pair, 1).last_queued, ret ? 0 : PARTS);
	pair_end(&pair);
	return crowd.points;
}

static void reserved_room_is_kept(void **state)
{
	u32 succeeded = 0, points = fill_at(U32_MAX, &succeeded), at;

	(void)state;
	succeeded = 0;
	for (at = 0; at < points; at++)
		fill_at(at, &succeeded);
	assert_true(succeeded > 2); /* it was reserved by then */
	assert_true(succeeded < points); /* it was not yet */
}

/* --- one side sleeps -------------------------------------------------------------------------- */

static void sleeping_devices_wake(void **state)
{
	u32 side;

	(void)state;
	for (side = 0; side < 2; side++) {
		struct pair pair = pair_new();

		assert_int_equal(rf_hosted_sleep(pair.machine->devices[side]), 0);
		broadcast(&pair);
		assert_false(pair.fakes[side]->d3);
		/* and one that has its packets keeps them */
		fake_complete_packet(pair.fakes[side], 0);
		complete_all(&pair, !side);
		assert_int_equal(completed(&pair, !side), PARTS);
		complete_all(&pair, side);
		assert_int_equal(completed(&pair, side), PARTS);
		pair_end(&pair);
	}
}

/* Engines in F1 come back for a broadcast. */
static void idle_engines_come_back(void **state)
{
	u32 side;

	(void)state;
	for (side = 0; side < 2; side++) {
		struct pair pair = pair_new();

		fake_engine_state(pair.fakes[side], 0, RF_ENGINE_TRANSITION_TO_F1);
		kmd_adapter_work(pair.machine->devices[side]->adapter);
		assert_int_equal(pair.fakes[side]->f1 & 1, 1);
		broadcast(&pair); /* the fake takes no packet in F1 */
		complete_all(&pair, 0);
		complete_all(&pair, 1);
		pair_end(&pair);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S4-24.both-adapters-are-linked", both_are_linked),
		TEST("S4-24.tokens-are-checked", tokens_are_checked),
		TEST("S4-24.one-other-for-each", one_other_for_each),
		TEST("S4-24.what-a-link-needs", what_a_link_needs),
		TEST("S4-24.linked-anew-after-a-loss", linked_anew),
		TEST("S4-24.memory-at-the-same-address", memory_at_the_same_address),
		TEST("S4-24.built-once-for-both", built_once_for_both),
		TEST("S4-24.from-either-side", from_either_side),
		TEST("S4-24.each-is-preempted-by-itself", each_is_preempted_by_itself),
		TEST("arguments-are-checked", checked_arguments),
		TEST("without-a-link", without_a_link),
		TEST("all-or-nothing", all_or_nothing),
		TEST("reserved-room-is-kept", reserved_room_is_kept),
		TEST("failures-leave-nothing", failures_leave_nothing),
		TEST("S4-24.the-other-goes-on-whatever-one-is-lost-by", the_other_goes_on),
		TEST("lost-before-the-request", lost_before),
		TEST("lost-while-the-request-is-carried-out", lost_meanwhile),
		TEST("devices-in-d3-wake", sleeping_devices_wake),
		TEST("engines-in-f1-come-back", idle_engines_come_back),
	};

	return cmocka_run_group_tests_name("linked", tests, NULL, NULL);
}
