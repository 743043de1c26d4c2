// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Polling.
 *
 * At level DISPATCH or DEVICE a register is read RF_READS_PER_POLL times, which nearly always is
 * enough. Where it is not, the result is -EINPROGRESS: the device is busy, and a later call does
 * what was to follow; dpc_routine is called for that. At level PASSIVE a thread sleeps between two
 * polls. No function waits with interrupts off.
 *
 * A device whose register can be read, but does not show the end of a command, is lost after
 * RF_READS_MAX reads, which take longer than any access of a device that works: 2^20 cycles are
 * the longest, and in simulation a read is some hundred. It is not waited for again until it is
 * reset.
 */
#include "rf_poll.h"
#include "rf_bus.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_types.h"

static bool rf_pending_is_done(const struct rf_pending *pending, u64 value)
{
	return ((value & pending->mask) == pending->value) != pending->differs;
}

static int rf_pending_give_up(struct rf_hw *hw, const struct rf_pending *pending, u64 value)
{
	rf_log_error(hw->bus->os, "register 0x%llx stays 0x%llx, expected %s0x%llx of 0x%llx",
		     (unsigned long long)pending->offset, (unsigned long long)value,
		     pending->differs ? "not " : "", (unsigned long long)pending->value,
		     (unsigned long long)pending->mask);
	rf_hw_set_lost(hw, "a register does not change");
	return -EIO;
}

static int rf_pending_read(struct rf_hw *hw, struct rf_pending *pending, u32 reads)
{
	u64 value = 0;
	u32 i;

	if (rf_hw_is_lost(hw))
		return -EIO;
	for (i = 0; i < reads; i++) {
		rf_count_round();
		value = rf_register_read(hw, pending->offset);
		if (value == U64_MAX)
			return -EIO;
		if (rf_pending_is_done(pending, value))
			return 0;
	}
	pending->reads += reads;
	return pending->reads < RF_READS_MAX ? -EINPROGRESS
					     : rf_pending_give_up(hw, pending, value);
}

int rf_pending_poll(struct rf_hw *hw, struct rf_pending *pending)
{
	return rf_pending_read(hw, pending, RF_READS_PER_POLL);
}

int rf_pending_poll_once(struct rf_hw *hw, struct rf_pending *pending)
{
	return rf_pending_read(hw, pending, 1);
}

/* --- with sleep ------------------------------------------------------------------------ */

static void rf_poll_sleep(struct rf_hw *hw, unsigned long *flags)
{
	if (flags)
		rf_spin_unlock(&hw->lock, *flags);
	rf_sleep(hw->bus->os, RF_POLL_PERIOD);
	if (flags)
		*flags = rf_spin_lock(&hw->lock);
}

/* @most: calls of @poll, or 0: as many as it takes; @flags: of rf_hw.lock, or NULL: not held. */
static int rf_poll_loop(struct rf_hw *hw, rf_poll_fn *poll, void *argument, u32 awake, u32 most,
			unsigned long *flags)
{
	u32 polls;
	int error;

	for (polls = 0; !most || polls < most; polls++) {
		rf_count_round();
		error = poll(hw, argument);
		if (error != -EINPROGRESS)
			return error;
		if (polls >= awake)
			rf_poll_sleep(hw, flags);
	}
	return -EINPROGRESS;
}

int rf_poll(struct rf_hw *hw, rf_poll_fn *poll, void *argument)
{
	return rf_poll_loop(hw, poll, argument, 0, 0, NULL);
}

int rf_poll_locked(struct rf_hw *hw, rf_poll_fn *poll, void *argument, unsigned long *flags)
{
	rf_assert_held(&hw->lock);
	return rf_poll_loop(hw, poll, argument, 0, 0, flags);
}

int rf_poll_bounded(struct rf_hw *hw, rf_poll_fn *poll, void *argument, u32 awake, u32 most)
{
	return rf_poll_loop(hw, poll, argument, awake, most, NULL);
}

static int rf_register_poll(struct rf_hw *hw, void *argument)
{
	return rf_pending_poll(hw, argument);
}

int rf_register_await(struct rf_hw *hw, u64 offset, u64 mask, u64 value)
{
	struct rf_pending pending = { .offset = offset, .mask = mask, .value = value };

	return rf_poll(hw, rf_register_poll, &pending);
}
