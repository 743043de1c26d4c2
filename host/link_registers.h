/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generated from rtl/board/link_console.toml by tools/generate.py: do not edit.
 *
 * Registers of a link's console. RF_LINK_REGISTER_* are addresses; *_MASK are in place.
 */
#ifndef RF_LINK_REGISTERS_H
#define RF_LINK_REGISTERS_H

#include <stdint.h>

/* Of a register's value, a field */
#define RF_LINK_GET(FIELD, value) (((value)&FIELD##_MASK) >> FIELD##_SHIFT)
/* And the other way round */
#define RF_LINK_FIELD(FIELD, value) (((uint32_t)(value) << FIELD##_SHIFT) & FIELD##_MASK)

/* --- constants --- */

/* what IDENTITY reads: "RFLK" */
#define RF_LINK_IDENTITY			0x4b4c4652
/* of this description */
#define RF_LINK_VERSION				1
/* of a register's address */
#define RF_LINK_ADDRESS_BITS			12
/* unit of BUILD.clock */
#define RF_LINK_CLOCK_UNIT_HZ			0x2710
/* unit of ENTRY.length: cycles of the console's clock */
#define RF_LINK_LENGTH_CYCLES			16
/* cycles of the console's clock in which CLOCKS counts */
#define RF_LINK_METER_WINDOW			4096
/* cycles of the other clock that CLOCKS counts as one */
#define RF_LINK_METER_CYCLES			32
/* number of the board's first counter; those below it are the link's */
#define RF_LINK_BOARD_COUNTERS			8

/* --- registers --- */

/* ro: Constant `identity`. */
#define RF_LINK_REGISTER_IDENTITY		0x0

/* ro: What the bitstream was built with. */
#define RF_LINK_REGISTER_BUILD			0x1
#define RF_LINK_BUILD_VERSION_SHIFT		0
#define RF_LINK_BUILD_VERSION_MASK		0xffU
#define RF_LINK_BUILD_CLARITY_SHIFT		8
#define RF_LINK_BUILD_CLARITY_MASK		0x100U
#define RF_LINK_BUILD_CTC_SHIFT			9
#define RF_LINK_BUILD_CTC_MASK			0x200U
#define RF_LINK_BUILD_GEAR_SHIFT		10
#define RF_LINK_BUILD_GEAR_MASK			0x400U
#define RF_LINK_BUILD_SWITCHES_SHIFT		11
#define RF_LINK_BUILD_SWITCHES_MASK		0x800U
#define RF_LINK_BUILD_CLOCK_SHIFT		16
#define RF_LINK_BUILD_CLOCK_MASK		0xffff0000U

/* ro: State of the SERDES and of the link, as it is now. */
#define RF_LINK_REGISTER_STATUS			0x2
#define RF_LINK_STATUS_TX_READY_SHIFT		0
#define RF_LINK_STATUS_TX_READY_MASK		0x1U
#define RF_LINK_STATUS_RX_READY_SHIFT		1
#define RF_LINK_STATUS_RX_READY_MASK		0x2U
#define RF_LINK_STATUS_STEP_SHIFT		2
#define RF_LINK_STATUS_STEP_MASK		0x1cU
#define RF_LINK_STATUS_PLL_UNLOCKED_SHIFT	5
#define RF_LINK_STATUS_PLL_UNLOCKED_MASK	0x20U
#define RF_LINK_STATUS_CDR_UNLOCKED_SHIFT	6
#define RF_LINK_STATUS_CDR_UNLOCKED_MASK	0x40U
#define RF_LINK_STATUS_NO_SIGNAL_SHIFT		7
#define RF_LINK_STATUS_NO_SIGNAL_MASK		0x80U
#define RF_LINK_STATUS_SYMBOLS_SHIFT		8
#define RF_LINK_STATUS_SYMBOLS_MASK		0x100U
#define RF_LINK_STATUS_COMPENSATION_FAILED_SHIFT	9
#define RF_LINK_STATUS_COMPENSATION_FAILED_MASK	0x200U
#define RF_LINK_STATUS_PERST_RELEASED_SHIFT	10
#define RF_LINK_STATUS_PERST_RELEASED_MASK	0x400U
#define RF_LINK_STATUS_RECEIVER_PRESENT_SHIFT	11
#define RF_LINK_STATUS_RECEIVER_PRESENT_MASK	0x800U
#define RF_LINK_STATUS_WIRES_SWAPPED_SHIFT	12
#define RF_LINK_STATUS_WIRES_SWAPPED_MASK	0x1000U
#define RF_LINK_STATUS_LINK_ACTIVE_SHIFT	13
#define RF_LINK_STATUS_LINK_ACTIVE_MASK		0x2000U

/*
 * rw: Switches of the SERDES and of the record of states. All are 0 after a
 * reset, but `gear` and `ctc`.
 */
#define RF_LINK_REGISTER_SETTINGS		0x3
#define RF_LINK_SETTINGS_PRESENT_SHIFT		0
#define RF_LINK_SETTINGS_PRESENT_MASK		0x1U
#define RF_LINK_SETTINGS_IDLE_NOT_BIT_SHIFT	1
#define RF_LINK_SETTINGS_IDLE_NOT_BIT_MASK	0x2U
#define RF_LINK_SETTINGS_IDLE_NOT_PIN_SHIFT	2
#define RF_LINK_SETTINGS_IDLE_NOT_PIN_MASK	0x4U
#define RF_LINK_SETTINGS_HOLD_SHIFT		3
#define RF_LINK_SETTINGS_HOLD_MASK		0x8U
#define RF_LINK_SETTINGS_FREEZE_SHIFT		4
#define RF_LINK_SETTINGS_FREEZE_MASK		0x10U
#define RF_LINK_SETTINGS_GEAR_SHIFT		5
#define RF_LINK_SETTINGS_GEAR_MASK		0x20U
#define RF_LINK_SETTINGS_CTC_SHIFT		6
#define RF_LINK_SETTINGS_CTC_MASK		0x40U

/* wo: Acts once. */
#define RF_LINK_REGISTER_COMMAND		0x4
#define RF_LINK_COMMAND_RESTART_SHIFT		0
#define RF_LINK_COMMAND_RESTART_MASK		0x1U
#define RF_LINK_COMMAND_CLEAR_SHIFT		1
#define RF_LINK_COMMAND_CLEAR_MASK		0x2U

/* ro: The state that has not ended, laid out as ENTRY. */
#define RF_LINK_REGISTER_NOW			0x4

/* ro: How far the record of states is. */
#define RF_LINK_REGISTER_POSITION		0x5
#define RF_LINK_POSITION_NEXT_SHIFT		0
#define RF_LINK_POSITION_NEXT_MASK		0x1ffU
#define RF_LINK_POSITION_WRAPPED_SHIFT		31
#define RF_LINK_POSITION_WRAPPED_MASK		0x80000000U

/*
 * ro: Frequencies: how often `meter_cycles` ended in the last
 * `meter_window`. 0: the clock stands.
 */
#define RF_LINK_REGISTER_CLOCKS			0x6
#define RF_LINK_CLOCKS_LINK_SHIFT		0
#define RF_LINK_CLOCKS_LINK_MASK		0xffffU
#define RF_LINK_CLOCKS_RECEIVED_SHIFT		16
#define RF_LINK_CLOCKS_RECEIVED_MASK		0xffff0000U

/*
 * wo: Accesses a register of the SERDES (FPGA-TN-02206); ignored while
 * SCI.busy.
 */
#define RF_LINK_REGISTER_SCI_REQUEST		0x7
#define RF_LINK_SCI_REQUEST_BYTE_SHIFT		0
#define RF_LINK_SCI_REQUEST_BYTE_MASK		0xffU
#define RF_LINK_SCI_REQUEST_ADDRESS_SHIFT	8
#define RF_LINK_SCI_REQUEST_ADDRESS_MASK	0x3f00U
#define RF_LINK_SCI_REQUEST_COMMON_SHIFT	30
#define RF_LINK_SCI_REQUEST_COMMON_MASK		0x40000000U
#define RF_LINK_SCI_REQUEST_WRITE_SHIFT		31
#define RF_LINK_SCI_REQUEST_WRITE_MASK		0x80000000U

/* ro: What became of the last SCI_REQUEST. */
#define RF_LINK_REGISTER_SCI			0x7
#define RF_LINK_SCI_BYTE_SHIFT			0
#define RF_LINK_SCI_BYTE_MASK			0xffU
#define RF_LINK_SCI_BUSY_SHIFT			31
#define RF_LINK_SCI_BUSY_MASK			0x80000000U

/*
 * ro: The last states of the LTSSM that have ended. The flags are those of
 * the state's end.
 */
#define RF_LINK_REGISTER_ENTRY			0x400
#define RF_LINK_ENTRY_COUNT			512
#define RF_LINK_ENTRY_LENGTH_SHIFT		0
#define RF_LINK_ENTRY_LENGTH_MASK		0x7fffffU
#define RF_LINK_ENTRY_RX_READY_SHIFT		23
#define RF_LINK_ENTRY_RX_READY_MASK		0x800000U
#define RF_LINK_ENTRY_SIGNAL_SHIFT		24
#define RF_LINK_ENTRY_SIGNAL_MASK		0x1000000U
#define RF_LINK_ENTRY_TX_READY_SHIFT		25
#define RF_LINK_ENTRY_TX_READY_MASK		0x2000000U
#define RF_LINK_ENTRY_PERST_RELEASED_SHIFT	26
#define RF_LINK_ENTRY_PERST_RELEASED_MASK	0x4000000U
#define RF_LINK_ENTRY_STATE_SHIFT		27
#define RF_LINK_ENTRY_STATE_MASK		0xf8000000U

/* ro: Counters of events, by their numbers. */
#define RF_LINK_REGISTER_COUNTER		0x600
#define RF_LINK_COUNTER_COUNT			16
#define RF_LINK_COUNTER_VALUE_SHIFT		0
#define RF_LINK_COUNTER_VALUE_MASK		0xffffU

/* --- names, by number --- */

static const char *const rf_link_counters[RF_LINK_COUNTER_COUNT] = {
	[0] = "receiver_errors",
	[1] = "bad_tlps",
	[2] = "bad_dllps",
	[3] = "replay_rollovers",
	[4] = "replay_timeouts",
	[5] = "protocol_errors",
	[6] = "entries_into_l0",
	[7] = "entries_into_recovery",
	[8] = "code_errors",
	[9] = "pll_losses",
	[10] = "cdr_losses",
	[11] = "detections_without_answer",
	[12] = "perst",
	[15] = "bad_frames",
};

static const char *const rf_link_steps[RF_LINK_GET(RF_LINK_STATUS_STEP, ~0U) + 1] = {
	[0] = "in reset",
	[1] = "waits for the transmit PLL",
	[2] = "waits for a signal",
	[3] = "resets the CDR",
	[4] = "waits for the CDR",
	[5] = "settles",
	[6] = "running",
};

#endif
