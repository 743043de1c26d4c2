/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of trace_o, what a device does in a cycle; see rf_device.sv. */
#ifndef RF_EVENTS_H
#define RF_EVENTS_H

#define RF_EVENT_RING (1ull << 0)
#define RF_EVENT_RING_FETCH(node) (1ull << (1 + (node)))
#define RF_EVENT_PACKET(node) (1ull << (3 + (node)))
#define RF_EVENT_FENCE(node) (1ull << (5 + (node))) /* passed to its unit */
#define RF_EVENT_FENCE_DONE (1ull << 7)
#define RF_EVENT_RECORD (1ull << 8)
#define RF_EVENT_MSIX (1ull << 9)
#define RF_EVENT_SUPPRESSED (1ull << 10) /* no CPU waits for a value */
#define RF_EVENT_SNOOP (1ull << 11)
#define RF_EVENT_RELEASE (1ull << 13)
#define RF_EVENT_ENGINE_START(node) (1ull << (14 + (node)))
#define RF_EVENT_ENGINE_DONE(node) (1ull << (16 + (node)))
#define RF_EVENT_FENCE_WRITTEN (1ull << 38) /* performed one cycle ago */
#define RF_EVENT_FENCE_LOG_ONLY (1ull << 39) /* of RF_EVENT_FENCE_DONE */
#define RF_EVENT_WAIT(node) (1ull << (40 + (node)))

#define RF_EVENT_DONE_SLOT(events) ((events) >> 20 & 15)
#define RF_EVENT_RELEASE_SLOT(events) ((events) >> 24 & 15)
#define RF_EVENT_NODE_SLOT(events, node) ((events) >> (30 + 4 * (node)) & 15)

#endif
