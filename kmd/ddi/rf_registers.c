// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Generated from rtl/ringfence.toml by tools/generate.py: do not edit. */
#include "rf_registers.h"

/* clang-format off */
static const char *const rf_counter_names[] = {
	[RF_COUNTER_RINGS] = "rings",
	[RF_COUNTER_RING_FETCHES] = "ring_fetches",
	[RF_COUNTER_COMMAND_FETCHES] = "command_fetches",
	[RF_COUNTER_PACKETS] = "packets",
	[RF_COUNTER_SIGNALS] = "signals",
	[RF_COUNTER_INTERRUPTS_RAISED] = "interrupts_raised",
	[RF_COUNTER_INTERRUPTS_SUPPRESSED] = "interrupts_suppressed",
	[RF_COUNTER_WAITS] = "waits",
	[RF_COUNTER_WAITS_BLOCKED] = "waits_blocked",
	[RF_COUNTER_WAITS_RELEASED] = "waits_released",
	[RF_COUNTER_STALL_ENGINE_CYCLES] = "stall_engine_cycles",
	[RF_COUNTER_STALL_FENCE_CYCLES] = "stall_fence_cycles",
	[RF_COUNTER_STALL_FETCH_CYCLES] = "stall_fetch_cycles",
	[RF_COUNTER_TX_WRITE_TLPS] = "tx_write_tlps",
	[RF_COUNTER_TX_WRITE_BYTES] = "tx_write_bytes",
	[RF_COUNTER_TX_READ_TLPS] = "tx_read_tlps",
	[RF_COUNTER_TX_READ_BYTES] = "tx_read_bytes",
	[RF_COUNTER_TX_COMPLETION_TLPS] = "tx_completion_tlps",
	[RF_COUNTER_TX_COMPLETION_BYTES] = "tx_completion_bytes",
	[RF_COUNTER_TX_MSIX_TLPS] = "tx_msix_tlps",
	[RF_COUNTER_RX_WRITE_TLPS] = "rx_write_tlps",
	[RF_COUNTER_RX_WRITE_BYTES] = "rx_write_bytes",
	[RF_COUNTER_RX_READ_TLPS] = "rx_read_tlps",
	[RF_COUNTER_RX_COMPLETION_TLPS] = "rx_completion_tlps",
	[RF_COUNTER_RX_COMPLETION_BYTES] = "rx_completion_bytes",
	[RF_COUNTER_RX_MALFORMED_TLPS] = "rx_malformed_tlps",
	[RF_COUNTER_RX_UNSUPPORTED_TLPS] = "rx_unsupported_tlps",
	[RF_COUNTER_RX_UNEXPECTED_COMPLETIONS] = "rx_unexpected_completions",
	[RF_COUNTER_COMPLETION_TIMEOUTS] = "completion_timeouts",
	[RF_COUNTER_FAULTS] = "faults",
	[RF_COUNTER_UPDATES] = "updates",
	[RF_COUNTER_BUSY_CYCLES] = "busy_cycles",
};

static const char *const rf_queue_error_names[] = {
	[RF_QUEUE_ERROR_NONE] = "none",
	[RF_QUEUE_ERROR_OPCODE] = "opcode",
	[RF_QUEUE_ERROR_LENGTH] = "length",
	[RF_QUEUE_ERROR_FLAGS] = "flags",
	[RF_QUEUE_ERROR_ALIGNMENT] = "alignment",
	[RF_QUEUE_ERROR_RING_ENTRY] = "ring_entry",
	[RF_QUEUE_ERROR_LOG_INDEX] = "log_index",
	[RF_QUEUE_ERROR_TRANSLATION] = "translation",
	[RF_QUEUE_ERROR_UNSUPPORTED_REQUEST] = "unsupported_request",
	[RF_QUEUE_ERROR_COMPLETER_ABORT] = "completer_abort",
	[RF_QUEUE_ERROR_POISONED] = "poisoned",
	[RF_QUEUE_ERROR_COMPLETION_TIMEOUT] = "completion_timeout",
	[RF_QUEUE_ERROR_BUS_MASTER_DISABLED] = "bus_master_disabled",
	[RF_QUEUE_ERROR_ENGINE] = "engine",
	[RF_QUEUE_ERROR_OPERAND] = "operand",
	[RF_QUEUE_ERROR_ENGINE_RESET] = "engine_reset",
};

static const char *const rf_slot_state_names[] = {
	[RF_SLOT_STATE_DISABLED] = "disabled",
	[RF_SLOT_STATE_IDLE] = "idle",
	[RF_SLOT_STATE_RUNNABLE] = "runnable",
	[RF_SLOT_STATE_RUNNING] = "running",
	[RF_SLOT_STATE_WAITING] = "waiting",
	[RF_SLOT_STATE_STOPPED_HOST] = "stopped_host",
	[RF_SLOT_STATE_ERROR] = "error",
};

static const struct rf_field_description rf_device_parameters_fields[] = {
	{ "local_memory_log2", 0, 6, NULL, 0 },
	{ "slots", 8, 8, NULL, 0 },
	{ "doorbells", 16, 8, NULL, 0 },
	{ "nodes", 24, 4, NULL, 0 },
	{ "vectors", 28, 4, NULL, 0 },
	{ "tags", 32, 8, NULL, 0 },
	{ "monitored_shadow", 40, 1, NULL, 0 },
	{ "vector_engine", 41, 1, NULL, 0 },
};
static const struct rf_field_description rf_device_status_fields[] = {
	{ "idle", 0, 1, NULL, 0 },
};
static const struct rf_register_description rf_device_registers[] = {
	{ "parameters", 0x10, 1, 0, false, rf_device_parameters_fields, ARRAY_SIZE(rf_device_parameters_fields), NULL },
	{ "timestamp", 0x18, 1, 0, false, NULL, 0, NULL },
	{ "timestamp_hz", 0x20, 1, 0, false, NULL, 0, NULL },
	{ "correlation", 0x28, 1, 0, false, NULL, 0, NULL },
	{ "correlation_timestamp", 0x30, 1, 0, false, NULL, 0, NULL },
	{ "liveness", 0x38, 1, 0, false, NULL, 0, NULL },
	{ "status", 0x40, 1, 0, false, rf_device_status_fields, ARRAY_SIZE(rf_device_status_fields), NULL },
	{ "completion_timeout", 0x48, 1, 0, false, NULL, 0, NULL },
	{ "scratch", 0x58, 1, 0, false, NULL, 0, NULL },
};

static const struct rf_field_description rf_doorbell_models_fields[] = {
	{ "dedicated", 0, 8, NULL, 0 },
	{ "global", 8, 1, NULL, 0 },
	{ "base", 16, 32, NULL, 0 },
};
static const struct rf_field_description rf_doorbell_global_pending_fields[] = {
	{ "pending", 0, 1, NULL, 0 },
	{ "lost", 1, 1, NULL, 0 },
	{ "token", 16, 16, NULL, 0 },
};
static const struct rf_field_description rf_doorbell_bind_fields[] = {
	{ "bound", 0, 1, NULL, 0 },
	{ "resident", 1, 1, NULL, 0 },
	{ "pending", 2, 1, NULL, 0 },
	{ "slot", 4, 4, NULL, 0 },
	{ "handle", 32, 32, NULL, 0 },
};
static const struct rf_register_description rf_doorbell_registers[] = {
	{ "models", 0x10, 1, 0, false, rf_doorbell_models_fields, ARRAY_SIZE(rf_doorbell_models_fields), NULL },
	{ "rings", 0x18, 1, 0, false, NULL, 0, NULL },
	{ "rings_stale", 0x20, 1, 0, false, NULL, 0, NULL },
	{ "rings_repeated", 0x28, 1, 0, false, NULL, 0, NULL },
	{ "rings_range", 0x30, 1, 0, false, NULL, 0, NULL },
	{ "rings_unmapped", 0x38, 1, 0, false, NULL, 0, NULL },
	{ "global_pending", 0x40, 1, 0, false, rf_doorbell_global_pending_fields, ARRAY_SIZE(rf_doorbell_global_pending_fields), NULL },
	{ "bind", 0x80, 16, 8, false, rf_doorbell_bind_fields, ARRAY_SIZE(rf_doorbell_bind_fields), NULL },
};

static const struct rf_field_description rf_slot_oversubscribed_fields[] = {
	{ "oversubscribed", 0, 1, NULL, 0 },
};
static const struct rf_field_description rf_slot_config_fields[] = {
	{ "ring_log2", 0, 4, NULL, 0 },
	{ "vmid", 4, 4, NULL, 0 },
	{ "node", 8, 4, NULL, 0 },
	{ "priority", 12, 4, NULL, 0 },
	{ "token", 16, 16, NULL, 0 },
	{ "handle", 32, 32, NULL, 0 },
};
static const struct rf_field_description rf_slot_quantum_fields[] = {
	{ "cycles", 0, 24, NULL, 0 },
};
static const struct rf_field_description rf_slot_status_fields[] = {
	{ "state", 0, 4, rf_slot_state_names, ARRAY_SIZE(rf_slot_state_names) },
	{ "error", 4, 8, rf_queue_error_names, ARRAY_SIZE(rf_queue_error_names) },
	{ "level", 12, 2, NULL, 0 },
	{ "store", 14, 1, NULL, 0 },
	{ "resampling", 15, 1, NULL, 0 },
	{ "packet_words", 32, 32, NULL, 0 },
};
static const struct rf_field_description rf_slot_log_entries_fields[] = {
	{ "wait", 0, 16, NULL, 0 },
	{ "signal", 16, 16, NULL, 0 },
};
static const struct rf_field_description rf_slot_log_switch_fields[] = {
	{ "wait", 0, 1, NULL, 0 },
	{ "signal", 1, 1, NULL, 0 },
};
static const struct rf_field_description rf_slot_wait_log_state_fields[] = {
	{ "first_free", 0, 16, NULL, 0 },
	{ "entries", 16, 16, NULL, 0 },
	{ "wraps", 32, 32, NULL, 0 },
};
static const struct rf_field_description rf_slot_signal_log_state_fields[] = {
	{ "first_free", 0, 16, NULL, 0 },
	{ "entries", 16, 16, NULL, 0 },
	{ "wraps", 32, 32, NULL, 0 },
};
static const struct rf_field_description rf_slot_flags_fields[] = {
	{ "in_buffer", 0, 1, NULL, 0 },
	{ "wait_over", 1, 1, NULL, 0 },
	{ "stalled", 2, 1, NULL, 0 },
	{ "waited", 3, 1, NULL, 0 },
	{ "stopped", 4, 1, NULL, 0 },
};
static const struct rf_field_description rf_slot_buffer_state_fields[] = {
	{ "words", 0, 29, NULL, 0 },
	{ "packet_words", 32, 29, NULL, 0 },
};
static const struct rf_register_description rf_slot_registers[] = {
	{ "oversubscribed", 0x10, 1, 0, false, rf_slot_oversubscribed_fields, ARRAY_SIZE(rf_slot_oversubscribed_fields), NULL },
	{ "ring_base", 0x0, 1, 0, true, NULL, 0, NULL },
	{ "config", 0x8, 1, 0, true, rf_slot_config_fields, ARRAY_SIZE(rf_slot_config_fields), NULL },
	{ "quantum", 0x10, 1, 0, true, rf_slot_quantum_fields, ARRAY_SIZE(rf_slot_quantum_fields), NULL },
	{ "write_pointer_address", 0x18, 1, 0, true, NULL, 0, NULL },
	{ "pointers", 0x20, 1, 0, true, NULL, 0, NULL },
	{ "write_pointer", 0x28, 1, 0, true, NULL, 0, NULL },
	{ "status", 0x38, 1, 0, true, rf_slot_status_fields, ARRAY_SIZE(rf_slot_status_fields), NULL },
	{ "error_address", 0x40, 1, 0, true, NULL, 0, NULL },
	{ "progress_address", 0x48, 1, 0, true, NULL, 0, NULL },
	{ "progress_monitored_address", 0x50, 1, 0, true, NULL, 0, NULL },
	{ "progress_value", 0x58, 1, 0, true, NULL, 0, NULL },
	{ "wait_log_address", 0x60, 1, 0, true, NULL, 0, NULL },
	{ "signal_log_address", 0x68, 1, 0, true, NULL, 0, NULL },
	{ "log_entries", 0x70, 1, 0, true, rf_slot_log_entries_fields, ARRAY_SIZE(rf_slot_log_entries_fields), NULL },
	{ "log_switch", 0x78, 1, 0, true, rf_slot_log_switch_fields, ARRAY_SIZE(rf_slot_log_switch_fields), NULL },
	{ "wait_log_state", 0x80, 1, 0, true, rf_slot_wait_log_state_fields, ARRAY_SIZE(rf_slot_wait_log_state_fields), NULL },
	{ "signal_log_state", 0x88, 1, 0, true, rf_slot_signal_log_state_fields, ARRAY_SIZE(rf_slot_signal_log_state_fields), NULL },
	{ "wait_address", 0x90, 1, 0, true, NULL, 0, NULL },
	{ "wait_value", 0x98, 1, 0, true, NULL, 0, NULL },
	{ "save_address", 0xa0, 1, 0, true, NULL, 0, NULL },
	{ "flags", 0xa8, 1, 0, true, rf_slot_flags_fields, ARRAY_SIZE(rf_slot_flags_fields), NULL },
	{ "buffer_address", 0xb0, 1, 0, true, NULL, 0, NULL },
	{ "buffer_state", 0xb8, 1, 0, true, rf_slot_buffer_state_fields, ARRAY_SIZE(rf_slot_buffer_state_fields), NULL },
	{ "operation_done", 0xc0, 1, 0, true, NULL, 0, NULL },
	{ "operation_partial", 0xc8, 1, 0, true, NULL, 0, NULL },
	{ "wait_observed", 0xd0, 1, 0, true, NULL, 0, NULL },
	{ "quantum_left", 0xd8, 1, 0, true, NULL, 0, NULL },
	{ "wait_log_place", 0xe0, 1, 0, true, NULL, 0, NULL },
	{ "signal_log_place", 0xe8, 1, 0, true, NULL, 0, NULL },
};

static const struct rf_field_description rf_fence_update_done_fields[] = {
	{ "done", 0, 32, NULL, 0 },
	{ "dropped", 32, 16, NULL, 0 },
	{ "failed", 48, 16, NULL, 0 },
};
static const struct rf_field_description rf_fence_wait_stages_fields[] = {
	{ "translating", 0, 16, NULL, 0 },
	{ "inserted", 16, 16, NULL, 0 },
	{ "reading", 32, 16, NULL, 0 },
	{ "stalled", 48, 16, NULL, 0 },
};
static const struct rf_field_description rf_fence_stages_fields[] = {
	{ "busy", 0, 16, NULL, 0 },
	{ "failed", 16, 16, NULL, 0 },
	{ "writing", 32, 1, NULL, 0 },
	{ "comparing", 33, 1, NULL, 0 },
	{ "updating", 34, 1, NULL, 0 },
};
static const struct rf_register_description rf_fence_registers[] = {
	{ "update_current", 0x10, 1, 0, false, NULL, 0, NULL },
	{ "update_monitored", 0x18, 1, 0, false, NULL, 0, NULL },
	{ "update_done", 0x28, 1, 0, false, rf_fence_update_done_fields, ARRAY_SIZE(rf_fence_update_done_fields), NULL },
	{ "waiting", 0x38, 1, 0, false, NULL, 0, NULL },
	{ "wait_stages", 0x40, 1, 0, false, rf_fence_wait_stages_fields, ARRAY_SIZE(rf_fence_wait_stages_fields), NULL },
	{ "stages", 0x48, 1, 0, false, rf_fence_stages_fields, ARRAY_SIZE(rf_fence_stages_fields), NULL },
};

static const struct rf_field_description rf_interrupt_control_fields[] = {
	{ "enable", 0, 1, NULL, 0 },
	{ "entries_log2", 4, 4, NULL, 0 },
	{ "vector", 8, 4, NULL, 0 },
};
static const struct rf_field_description rf_interrupt_overflow_fields[] = {
	{ "overflow", 0, 1, NULL, 0 },
	{ "failed", 1, 1, NULL, 0 },
};
static const struct rf_register_description rf_interrupt_registers[] = {
	{ "ring_base", 0x10, 1, 0, false, NULL, 0, NULL },
	{ "control", 0x18, 1, 0, false, rf_interrupt_control_fields, ARRAY_SIZE(rf_interrupt_control_fields), NULL },
	{ "producer", 0x20, 1, 0, false, NULL, 0, NULL },
	{ "consumer", 0x28, 1, 0, false, NULL, 0, NULL },
	{ "overflow", 0x30, 1, 0, false, rf_interrupt_overflow_fields, ARRAY_SIZE(rf_interrupt_overflow_fields), NULL },
};

static const struct rf_field_description rf_peer_sent_fields[] = {
	{ "sent", 0, 16, NULL, 0 },
	{ "failed", 16, 16, NULL, 0 },
};
static const struct rf_field_description rf_peer_received_fields[] = {
	{ "good", 0, 16, NULL, 0 },
	{ "stale", 16, 16, NULL, 0 },
	{ "malformed", 32, 16, NULL, 0 },
	{ "floods", 48, 16, NULL, 0 },
};
static const struct rf_register_description rf_peer_registers[] = {
	{ "sent", 0x28, 1, 0, false, rf_peer_sent_fields, ARRAY_SIZE(rf_peer_sent_fields), NULL },
	{ "received", 0x30, 1, 0, false, rf_peer_received_fields, ARRAY_SIZE(rf_peer_received_fields), NULL },
};

static const struct rf_field_description rf_translation_tlb_select_fields[] = {
	{ "way", 0, 1, NULL, 0 },
	{ "set", 8, 8, NULL, 0 },
	{ "sets_log2", 16, 4, NULL, 0 },
	{ "busy", 20, 1, NULL, 0 },
};
static const struct rf_field_description rf_translation_tlb_tag_fields[] = {
	{ "occupied", 0, 1, NULL, 0 },
	{ "writable", 1, 1, NULL, 0 },
	{ "vmid", 4, 4, NULL, 0 },
	{ "page", 12, 27, NULL, 0 },
};
static const struct rf_field_description rf_translation_tlb_page_fields[] = {
	{ "address", 12, 44, NULL, 0 },
};
static const struct rf_field_description rf_translation_root_fields[] = {
	{ "valid", 0, 1, NULL, 0 },
	{ "address", 12, 44, NULL, 0 },
};
static const struct rf_register_description rf_translation_registers[] = {
	{ "invalidate", 0x10, 1, 0, false, NULL, 0, NULL },
	{ "invalidate_first", 0x18, 1, 0, false, NULL, 0, NULL },
	{ "invalidate_last", 0x20, 1, 0, false, NULL, 0, NULL },
	{ "tlb_select", 0x28, 1, 0, false, rf_translation_tlb_select_fields, ARRAY_SIZE(rf_translation_tlb_select_fields), NULL },
	{ "tlb_tag", 0x30, 1, 0, false, rf_translation_tlb_tag_fields, ARRAY_SIZE(rf_translation_tlb_tag_fields), NULL },
	{ "tlb_page", 0x38, 1, 0, false, rf_translation_tlb_page_fields, ARRAY_SIZE(rf_translation_tlb_page_fields), NULL },
	{ "root", 0x0, 1, 0, true, rf_translation_root_fields, ARRAY_SIZE(rf_translation_root_fields), NULL },
};

static const struct rf_field_description rf_node_status_fields[] = {
	{ "busy", 0, 1, NULL, 0 },
	{ "slot", 4, 4, NULL, 0 },
	{ "engine_busy", 8, 1, NULL, 0 },
};
static const struct rf_field_description rf_node_engine_fields[] = {
	{ "reset", 0, 1, NULL, 0 },
	{ "hold", 1, 1, NULL, 0 },
	{ "in_reset", 2, 1, NULL, 0 },
	{ "operations", 8, 3, NULL, 0 },
	{ "reads", 16, 7, NULL, 0 },
	{ "writes", 24, 7, NULL, 0 },
	{ "words", 32, 10, NULL, 0 },
};
static const struct rf_field_description rf_node_watchdog_fields[] = {
	{ "cycles", 0, 32, NULL, 0 },
};
static const struct rf_register_description rf_node_registers[] = {
	{ "status", 0x0, 1, 0, true, rf_node_status_fields, ARRAY_SIZE(rf_node_status_fields), NULL },
	{ "progress", 0x8, 1, 0, true, NULL, 0, NULL },
	{ "retired", 0x10, 1, 0, true, NULL, 0, NULL },
	{ "engine", 0x18, 1, 0, true, rf_node_engine_fields, ARRAY_SIZE(rf_node_engine_fields), NULL },
	{ "alive", 0x20, 1, 0, true, NULL, 0, NULL },
	{ "watchdog", 0x28, 1, 0, true, rf_node_watchdog_fields, ARRAY_SIZE(rf_node_watchdog_fields), NULL },
};

static const struct rf_register_description rf_counter_registers[] = {
	{ "value", 0x40, 32, 8, false, NULL, 0, rf_counter_names },
};

const struct rf_block_description rf_register_blocks[] = {
	{ "device", RF_BLOCK_TYPE_DEVICE, rf_device_registers, ARRAY_SIZE(rf_device_registers) },
	{ "doorbell", RF_BLOCK_TYPE_DOORBELL, rf_doorbell_registers, ARRAY_SIZE(rf_doorbell_registers) },
	{ "slot", RF_BLOCK_TYPE_SLOT, rf_slot_registers, ARRAY_SIZE(rf_slot_registers) },
	{ "fence", RF_BLOCK_TYPE_FENCE, rf_fence_registers, ARRAY_SIZE(rf_fence_registers) },
	{ "interrupt", RF_BLOCK_TYPE_INTERRUPT, rf_interrupt_registers, ARRAY_SIZE(rf_interrupt_registers) },
	{ "peer", RF_BLOCK_TYPE_PEER, rf_peer_registers, ARRAY_SIZE(rf_peer_registers) },
	{ "translation", RF_BLOCK_TYPE_TRANSLATION, rf_translation_registers, ARRAY_SIZE(rf_translation_registers) },
	{ "node", RF_BLOCK_TYPE_NODE, rf_node_registers, ARRAY_SIZE(rf_node_registers) },
	{ "counter", RF_BLOCK_TYPE_COUNTER, rf_counter_registers, ARRAY_SIZE(rf_counter_registers) },
};
/* clang-format on */

const u32 rf_register_block_count = ARRAY_SIZE(rf_register_blocks);
