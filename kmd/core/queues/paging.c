// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Work of the kernel's own on nodes: paging, by packets of a system context on the paging node
 * (S3-4), and switches to the null context (S4-8, C14). The calling thread waits; the engine is in
 * F0 for it.
 *
 * Locking: PASSIVE, the adapter's mutex held: completion needs wait_lock only.
 */
#include "queues/paging.h"

#include "base/adapter.h"
#include "base/gpu_va.h"
#include "base/sync_domain.h"
#include "queues/packet_context.h"
#include "scheduling/engine.h"
#include "scheduling/node.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

#define PAGING_BUFFER_BYTES KMD_PAGE_BYTES
#define PAGING_DELAYS 5 /* limit of the wait, in units of tdr_timeout */

struct kernel_packet {
	struct kmd_dma dma;
	struct rf_completion completion;
	int result;
};

static void kmd_paging_complete_packet(struct kmd_dma *dma, int result)
{
	struct kernel_packet *packet = container_of(dma, struct kernel_packet, dma);

	packet->result = result;
	rf_completion_complete(&packet->completion);
}

/* The packet may be preempted, but goes before all packets of user mode (S4-16). */
static int kmd_paging_run_packet(const struct kmd_dma *dma)
{
	struct kernel_packet packet = { .dma = *dma };
	struct kmd_adapter *adapter = dma->node->adapter;
	struct kmd_sync_domain *domain = adapter->sync_domain;
	int ret = kmd_engine_power_up(adapter, dma->node->ordinal);
	unsigned long flags;
	u32 delays = 0;

	if (ret)
		return ret;
	packet.dma.rank = KMD_RANK_KERNEL;
	packet.dma.complete = kmd_paging_complete_packet;
	rf_list_init(&packet.dma.link);
	rf_completion_init(&packet.completion, domain->os);

	flags = kmd_wait_lock(domain);
	kmd_dma_submit(&packet.dma);
	kmd_wait_unlock(domain, flags);
	/* this thread holds the mutex, so the watch cannot recover the engine (S4-3) */
	do {
		ret = rf_completion_wait(&packet.completion, rf_time() + adapter->tdr_timeout);
		if (ret == -ETIMEDOUT && ++delays < PAGING_DELAYS &&
		    kmd_engine_is_hung(adapter, dma->node->ordinal))
			adapter->recover_engine(adapter, dma->node->ordinal);
	} while (ret == -ETIMEDOUT && delays < PAGING_DELAYS && !kmd_adapter_is_wedged(adapter));

	flags = kmd_wait_lock(domain);
	if (!rf_list_empty(&packet.dma.link)) {
		kmd_adapter_set_wedged(adapter, "a packet of the kernel hangs");
		rf_list_remove(&packet.dma.link);
	}
	kmd_wait_unlock(domain, flags);
	rf_completion_destroy(&packet.completion);
	return ret ? -EIO : packet.result;
}

int kmd_node_switch_to_null(struct kmd_node *node)
{
	const struct kmd_dma dma = { .node = node, .flags = RF_SUBMIT_CONTEXT_SWITCH };

	rf_assert_held(&node->adapter->mutex);
	return kmd_paging_run_packet(&dma);
}

static int kmd_paging_start(struct kmd_adapter *adapter)
{
	int ret;

	if (adapter->paging)
		return 0;
	ret = kmd_packet_context_create(adapter, NULL, &adapter->paging);
	if (!ret)
		kmd_packet_context_set_ready(adapter->paging, true);
	return ret;
}

int kmd_paging_run(struct kmd_adapter *adapter, struct rf_build_paging_buffer *operation)
{
	struct kmd_dma dma = { .flags = RF_SUBMIT_PAGING };
	struct rf_mem *buffer;
	int ret = kmd_paging_start(adapter);

	rf_assert_held(&adapter->mutex);
	if (ret)
		return ret;
	ret = rf_mem_create(adapter->bus, RF_MEM_SYSTEM, PAGING_BUFFER_BYTES, &buffer);
	if (ret)
		return ret;
	ret = kmd_gpu_map(adapter, NULL, buffer, RF_MAP_READ_ONLY, &dma.address);
	if (ret)
		goto put_buffer;
	operation->dma_buffer = (struct rf_value_address){ .mem = buffer };
	operation->dma_size = PAGING_BUFFER_BYTES;
	ret = adapter->ddi->build_paging_buffer(adapter->h_adapter, operation);
	if (ret)
		goto unmap;
	dma.node = adapter->paging->node;
	dma.context = adapter->paging;
	dma.size = operation->dma_used;
	ret = kmd_paging_run_packet(&dma);
unmap:
	kmd_gpu_unmap(adapter, NULL, buffer, dma.address);
put_buffer:
	rf_mem_put(buffer);
	return ret;
}
