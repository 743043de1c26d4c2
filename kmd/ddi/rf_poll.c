// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Waiting for the device, where no record tells that it has done what it was told, but a
 * register does.
 *
 * Nobody waits with interrupts off. At level DISPATCH or DEVICE a register is read some times,
 * which nearly always is enough. Where it is not the answer is -EINPROGRESS: the device is
 * busy, and what was to follow is done by a later call, for which dpc_routine is called again.
 * At level PASSIVE a thread sleeps between two looks.
 *
 * A device that answers, but does not do what it was told, is given up after so many reads of one
 * register as no access of the device can take: 2^20 cycles are the longest, and in simulation
 * a read is some hundred. It is lost from then on, and waited for no more, until it is reset.
 * For a slot that is to stop, and may have work in an engine, a thread waits longer, and
 * resets that engine before.
 */
#include "rf_miniport.h"

static bool rf_is_over(const struct rf_pending *pending, u64 value)
{
	return ((value & pending->mask) == pending->value) != pending->differs;
}

static int rf_give_up(struct rf_miniport *miniport, const struct rf_pending *pending, u64 value)
{
	rf_log_error(miniport->bus->os, "register 0x%llx stays 0x%llx, expected %s0x%llx of 0x%llx",
		     (unsigned long long)pending->offset, (unsigned long long)value,
		     pending->differs ? "not " : "", (unsigned long long)pending->value,
		     (unsigned long long)pending->mask);
	rf_device_set_lost(miniport, "a register does not change");
	return -EIO;
}

static int rf_pending_read(struct rf_miniport *miniport, struct rf_pending *pending, u32 reads)
{
	u64 value = 0;
	u32 i;

	if (rf_device_is_lost(miniport))
		return -EIO;
	for (i = 0; i < reads; i++) {
		rf_count_round();
		value = rf_register_read(miniport, pending->offset);
		if (value == U64_MAX)
			return -EIO;
		if (rf_is_over(pending, value))
			return 0;
	}
	pending->reads += reads;
	return pending->reads < RF_READS_MAX ? -EINPROGRESS : rf_give_up(miniport, pending, value);
}

int rf_pending_look(struct rf_miniport *miniport, struct rf_pending *pending)
{
	return rf_pending_read(miniport, pending, RF_READS_PER_LOOK);
}

int rf_pending_look_once(struct rf_miniport *miniport, struct rf_pending *pending)
{
	return rf_pending_read(miniport, pending, 1);
}

int rf_register_await(struct rf_miniport *miniport, u64 offset, u64 mask, u64 value)
{
	struct rf_pending pending = { .offset = offset, .mask = mask, .value = value };
	int error;

	while ((error = rf_pending_look(miniport, &pending)) == -EINPROGRESS)
		rf_sleep(miniport->bus->os, RF_LOOK_PERIOD);
	return error;
}

unsigned long rf_unlock_and_sleep(struct rf_miniport *miniport, unsigned long flags)
{
	rf_spin_unlock(&miniport->lock, flags);
	rf_sleep(miniport->bus->os, RF_LOOK_PERIOD);
	return rf_spin_lock(&miniport->lock);
}

/* --- a slot that is to stop ------------------------------------------------------------ */

/* Looks without sleep: nearly always one of them is enough */
#define RF_LOOKS_AWAKE 100u
/* ... and all */
#define RF_LOOKS_MAX 20000u

static bool rf_await(struct rf_miniport *miniport, rf_step_fn *step, void *argument)
{
	u32 looks;

	for (looks = 0; looks < RF_LOOKS_MAX; looks++) {
		rf_count_round();
		if (step(miniport, argument) || rf_device_is_lost(miniport))
			return true;
		if (looks >= RF_LOOKS_AWAKE)
			rf_sleep(miniport->bus->os, RF_LOOK_PERIOD);
	}
	return false;
}

void rf_await_stopped(struct rf_miniport *miniport, u32 node, u32 slot, rf_step_fn *step,
		      void *argument)
{
	if (rf_await(miniport, step, argument))
		return;
	/* another's work may have begun meanwhile, which then fails: only a slot that takes
	 * that long comes here */
	rf_engine_give_up(miniport, node, slot);
	if (!rf_await(miniport, step, argument))
		rf_device_set_lost(miniport, "a slot does not stop");
}
