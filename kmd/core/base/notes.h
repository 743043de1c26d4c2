/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Notes: what the interrupt service has recorded and the deferred part has not handled yet. They
 * are written by interrupts/service.c and scheduling/node.c, and handled by interrupts/dpc.c and
 * scheduling/node.c.
 *
 * Locking: device_lock for everything here.
 */
#ifndef KMD_NOTES_H
#define KMD_NOTES_H

#include "rf_ddi.h"
#include "rf_list.h"

/**
 * struct kmd_adapter_notes - of the adapter
 * @signaled: native fences that interrupts named, by kmd_opening.signaled_link
 * @queues: queues that have notes, by kmd_queue_notes.link
 * @contexts: contexts that have notes, by kmd_context.noted_link
 * @all: evaluate all native fences with waiters
 * @legacy: evaluate monitored fences, too
 * @logs: read all logs
 * @log_nodes: read the logs of queues on these nodes
 * @work: a doorbell of a queue that is not resident was rung; the interrupt did not name it
 * @engines: there are notes of nodes, or @lost
 * @lost: the device needs a reset
 * @busy: the device is busy, and no interrupt will report the end
 * @dpc_queued: queue_dpc was called
 */
struct kmd_adapter_notes {
	struct rf_list signaled;
	struct rf_list queues;
	struct rf_list contexts;
	bool all;
	bool legacy;
	bool logs;
	u32 log_nodes;
	bool work;
	bool engines;
	bool lost;
	bool busy;
	bool dpc_queued;
};

/**
 * struct kmd_queue_notes - of a queue
 * @link: in kmd_adapter_notes.queues
 * @log: its log has new entries
 * @work: its doorbell was rung while it was not resident
 * @yield: the last hint that it could leave its slot, or NONE
 * @preempted: it has left its slot; if @is_waiting, it was blocked as follows:
 * @is_waiting: it was blocked in a WAIT
 * @wait_fence: the core's global handle, or NULL: no native fence
 * @wait_value: value
 * @stopped: it has stopped, for the reason below
 * @stop_reason: why
 * @stop_argument: of the packet
 * @stop_value: of the packet
 * @faulted: it has faulted
 * @fault_error: enum rf_queue_error
 * @fault_address: of the access or packet
 */
struct kmd_queue_notes {
	struct rf_list link;
	bool log;
	bool work;
	enum rf_yield_kind yield;
	bool preempted;
	bool is_waiting;
	void *wait_fence;
	u64 wait_value;
	bool stopped;
	enum rf_stop_reason stop_reason;
	u64 stop_argument;
	u64 stop_value;
	bool faulted;
	u32 fault_error;
	u64 fault_address;
};

/**
 * struct kmd_node_notes - of a node
 * @completed: packets up to @completed_id are complete
 * @completed_id: ditto
 * @preempted: the preemption was acknowledged, with the two ids below
 * @preemption_id: ditto
 * @last_completed_id: ditto
 * @faulted: packet @fault_id has faulted
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

#endif /* KMD_NOTES_H */
